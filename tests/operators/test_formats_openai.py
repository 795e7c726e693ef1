from __future__ import annotations

import json
from typing import Any

from operators.decode import DecodePolicy, Decoder
from operators.records import InRecord
from state.messages import Message, Rejected

TURNS: list[dict[str, Any]] = [
    {"role": "developer", "content": "Be brief."},
    {"role": "user", "content": "I moved to Seattle."},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "t1", "function": {"name": "weather"}}]},
    {"role": "tool", "content": "rain", "tool_call_id": "t1"},
    {"role": "assistant", "content": "It rains there."},
    {"role": "user", "content": [{"type": "text", "text": "I know"}, {"type": "image_url", "image_url": {"url": "x"}}]},
]


def decode(chat: dict[str, Any], timestamp_ms: int | None = 60_000, key: bytes | None = None) -> list[Any]:
    value = json.dumps(chat).encode()
    record = InRecord("messages", "chats", 0, 0, value, key, timestamp_ms)
    return list(Decoder(DecodePolicy()).decode(record))


def messages(chat: dict[str, Any], **fields: Any) -> list[Message]:
    found = decode(chat, **fields)
    assert all(isinstance(item, Message) for item in found)
    return found


def test_each_turn_with_words_is_a_message() -> None:
    """S1: OpenAI chat, string or parts; a turn that only calls a tool says nothing."""
    got = messages({"user": "ana", "conversation_id": "c1", "messages": TURNS})
    assert [(item.role, item.text) for item in got] == [
        ("system", "Be brief."),
        ("user", "I moved to Seattle."),
        ("tool", "rain"),
        ("assistant", "It rains there."),
        ("user", "I know"),
    ]
    assert {(item.user_id, item.conversation_id) for item in got} == {("ana", "c1")}


def test_turns_keep_their_order_in_time() -> None:
    """R14: memory orders by time, and the record has only one."""
    assert [item.sent_at_ms for item in messages({"user": "a", "messages": TURNS})] == [
        60_000, 60_001, 60_003, 60_004, 60_005,
    ]  # fmt: skip
    stated = messages({"user": "a", "messages": TURNS, "created": 5}, timestamp_ms=None)
    assert stated[0].sent_at_ms == 5_000
    own = {"role": "user", "content": "Hi all", "sent_at": "1970-01-01T00:00:09Z"}
    assert messages({"user": "a", "messages": [own]})[0].sent_at_ms == 9_000


def test_a_transcript_that_comes_again_and_has_grown_repeats_its_ids() -> None:
    """S4, T6: what was said before is known by its id, whenever it comes again."""
    before = messages({"user": "ana", "messages": TURNS[:5]}, timestamp_ms=1_000)
    after = messages({"user": "ana", "messages": TURNS}, timestamp_ms=9_000)
    assert [item.message_id for item in after[:4]] == [item.message_id for item in before]
    assert after[4].message_id not in {item.message_id for item in before}
    assert {item.conversation_id for item in before} == {item.conversation_id for item in after}


def test_two_transcripts_without_an_id_are_two_conversations() -> None:
    other = [TURNS[0], {"role": "user", "content": "I bake."}, *TURNS[2:]]
    one, two = messages({"user": "ana", "messages": TURNS}), messages({"user": "ana", "messages": other})
    assert one[0].conversation_id != two[0].conversation_id
    assert not {item.message_id for item in one} & {item.message_id for item in two}


def test_the_same_words_twice_in_a_transcript_are_two_messages() -> None:
    twice = [{"role": "user", "content": "Yes."}] * 2
    first, second = messages({"user": "ana", "messages": twice})
    assert first.message_id != second.message_id


def test_the_user_is_named_or_is_the_key() -> None:
    """S1."""
    turn = [{"role": "user", "content": "Hi all", "name": "Ana B."}]
    assert messages({"user_id": "ana", "user": "x", "messages": turn})[0].user_id == "ana"
    assert messages({"user": "ana", "messages": turn})[0].speaker == "Ana B."
    assert messages({"messages": turn}, key=b"ana")[0].user_id == "ana"
    (nobody,) = decode({"messages": turn})
    assert isinstance(nobody, Rejected)
    assert nobody.reason == "missing_user"


def test_one_bad_turn_does_not_take_its_neighbours_along() -> None:
    """X13, S3: the dead letter holds the turn at fault alone."""
    bad: list[Any] = [
        TURNS[1],
        {"role": "narrator", "content": "x"},
        7,
        {"content": "y"},
        {"role": "user", "content": 4},
    ]
    got = decode({"user": "ana", "messages": bad})
    assert [type(item) for item in got] == [Message, Rejected, Rejected, Rejected, Rejected]
    assert [item.reason for item in got[1:]] == ["unknown_role", "wrong_type", "missing_field", "wrong_type"]
    assert [item.detail.split(":")[0] for item in got[1:]] == [
        "$.messages[1].role", "$.messages[2]", "$.messages[3].role", "$.messages[4].content",
    ]  # fmt: skip
    assert got[2].payload == b"7"
    assert json.loads(got[1].payload) == {"role": "narrator", "content": "x"}


def test_a_record_that_is_no_chat_is_rejected_as_a_whole() -> None:
    (got,) = decode({"user": 3, "messages": TURNS})
    assert isinstance(got, Rejected)
    assert (got.reason, got.detail) == ("wrong_type", "$.user: expected a string, got 3")
