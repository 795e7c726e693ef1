from __future__ import annotations

import json
from typing import Any

import pytest

from operators.decode import DecodePolicy, Decoder
from operators.formats.slack_text import mentioned, plain
from operators.records import InRecord
from state.messages import Message


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("I met <@U1> &amp; <@U2|ben>", "I met @Ana & @ben"),
        ("<@W3> in <#C1|general> or <#C2>", "@W3 in #general or #C2"),
        ("<!here> <!subteam^S1|@eng> <!channel> <!date^1^{date}|Monday>", "@here @eng @channel Monday"),
        ("<https://a.example/x?y=1&amp;z=2> <https://a.example|the page> <mailto:jo@a.example|jo@a.example>",
         "https://a.example/x?y=1&z=2 the page jo@a.example"),
        ("1 &lt; 2 &amp;lt; 3", "1 < 2 &lt; 3"),
        ("&gt; quoted\nmine", "> quoted\nmine"),
        ("a < b", "a < b"),
        ("", ""),
    ],
)  # fmt: skip
def test_markup_becomes_words(marked: str, words: str) -> None:
    """S1: mentions come as ids."""
    assert plain(marked, {"U1": "Ana"}) == words


def test_mentions_are_found_once_each_in_order() -> None:
    assert mentioned("<@U2> <@U1|ana> <@U2> <#C1> U3 <@bad>") == ("U2", "U1")


def records(channel: str, ts: str, **fields: Any) -> list[Message]:
    value = json.dumps({"type": "message", "user": "U1", "text": "I sing.", "channel": channel, "ts": ts} | fields)
    got = Decoder(DecodePolicy(format="slack")).decode(InRecord("messages", "t", 0, 0, value.encode(), b"C7"))
    return [item for item in got if isinstance(item, Message)]


def test_one_time_in_two_channels_makes_two_messages() -> None:
    """T6: ts is the id within its channel."""
    (one,), (two,) = records("C1", "1793610900.000100"), records("C2", "1793610900.000100")
    assert one.message_id == two.message_id
    assert one.conversation_id != two.conversation_id


def test_the_record_key_may_name_the_channel() -> None:
    """S1: exported messages do not say where they were written."""
    value = b'{"type": "message", "user": "U1", "text": "I sing.", "ts": "1793610900.000100"}'
    (got,) = Decoder(DecodePolicy()).decode(InRecord("messages", "t", 0, 0, value, b"C7"))
    assert isinstance(got, Message)
    assert got.conversation_id == "C7"


def test_an_edit_and_a_deletion_come_as_the_message_that_they_change() -> None:
    """F7."""
    (first,) = records("C1", "1793610900.000100")
    after = {"user": "U1", "ts": "1793610900.000100", "text": "I dance."}
    edited = after | {"edited": {"user": "U1", "ts": "1793610999.000000"}}
    (edit,) = records("C1", "1793611000.000100", subtype="message_changed", message=edited, previous_message=after)
    (gone,) = records(
        "C1", "1793611001.000100", subtype="message_deleted", deleted_ts=first.message_id, previous_message=after
    )
    assert {(item.message_id, item.conversation_id, item.user_id, item.sent_at_ms) for item in (first, edit, gone)} == {
        (first.message_id, "C1", "U1", 1_793_610_900_000)
    }
    assert (edit.text, edit.edited_at_ms, gone.deleted) == ("I dance.", 1_793_610_999_000, True)


def test_bots_are_the_assistant_or_what_is_configured() -> None:
    """S1: role mapping."""
    value = json.dumps(
        {"channel": "C1", "bot_id": "B1", "text": "Hi <@U1>", "ts": "1793610900.000100", "type": "message"}
    ).encode()
    for roles, role in (((), "assistant"), ((("bot", "tool"),), "tool")):
        (got,) = Decoder(DecodePolicy(roles=roles)).decode(InRecord("messages", "t", 0, 0, value))
        assert isinstance(got, Message)
        assert (got.role, got.user_id, got.agent_id) == (role, "U1", "B1")


def test_a_channel_of_thousands_is_no_fault() -> None:
    """S3, S6: its messages reach their author, and whom they concern."""
    members = [f"U{number}" for number in range(10_000)]
    assert [item.user_id for item in records("C1", "1793610900.000100", members=members, text="Hi <@U5>")] == [
        "U1",
        "U5",
    ]
