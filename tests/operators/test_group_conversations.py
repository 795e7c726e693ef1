"""A message of a group reaches each participant's window in the right role (T5, S1)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import structlog

from operators.decode import DecodePolicy, Decoder
from operators.observing import Observer, Unobserved
from operators.records import InRecord
from operators.window import WindowPolicy, WindowStep
from state.erasures import Erasures
from state.messages import Message, Reflection
from state.windows import user_key
from tests.operators.test_formats_golden import Outcomes


def reflections(records: list[dict[str, Any]], folder: Path, observer: Observer | None = None) -> dict[str, Any]:
    """What each user's window holds at the end: (role, text), by user and conversation."""
    folder.mkdir(exist_ok=True)
    decoder = Decoder(DecodePolicy(), observer)
    items: list[Message] = []
    for offset, record in enumerate(records):
        for item in decoder.decode(InRecord("messages", "chats", 0, offset, json.dumps(record).encode())):
            assert isinstance(item, Message), item
            items.append(item)
    window = WindowStep(
        lambda shard: folder / f"w{shard}.db",
        lambda item: 0,
        WindowPolicy(),
        lambda text: False,
        Unobserved(),
        None,
        erasures=Erasures(folder / "erasures"),
    )
    if items:
        window.on_batch(items)
    out: dict[str, Any] = {}
    for emitted in window.on_eof()[0] if items else ():
        assert isinstance(emitted, Reflection)
        place = f"{user_key(emitted.tenant, emitted.user_id)} {emitted.conversation_id}"
        out[place] = [(said.role, said.text) for said in emitted.messages if not said.deleted]
    return out


def said(user: str | None, role: str, text: str, number: int, **more: Any) -> dict[str, Any]:
    return {
        "user_id": user, "conversation_id": "room", "message_id": f"m{number}", "role": role, "text": text,
        "sent_at": 1_793_610_900 + number, "participants": ["ana", "ben", "helper"], "agent_id": "helper", **more,
    }  # fmt: skip


def test_each_hears_the_whole_room_and_speaks_in_their_own_window(tmp_path: Path) -> None:
    """T5: ana's window has her words as the user's, ben's has them as a peer's; nobody else's memory is taught."""
    room = [
        said("ana", "user", "Ben, do you have a dog?", 1),
        said("ben", "user", "Yes, exactly.", 2),
        said(None, "assistant", "Lovely!", 3),
    ]
    assert reflections(room, tmp_path) == {
        "default/ana room": [("user", "Ben, do you have a dog?"), ("peer", "Yes, exactly."), ("assistant", "Lovely!")],
        "default/ben room": [("peer", "Ben, do you have a dog?"), ("user", "Yes, exactly."), ("assistant", "Lovely!")],
    }


def test_records_that_hold_each_view_already_are_not_doubled(tmp_path: Path) -> None:
    """T6: a product that sends every participant's view itself gets each message once."""
    views = [
        said("ana", "user", "I sing.", 1), said("ben", "peer", "I sing.", 1),
        said("ben", "user", "Me too.", 2), said("ana", "peer", "Me too.", 2),
    ]  # fmt: skip
    assert reflections(views, tmp_path) == {
        "default/ana room": [("user", "I sing."), ("peer", "Me too.")],
        "default/ben room": [("peer", "I sing."), ("user", "Me too.")],
    }


def test_the_same_words_without_an_id_are_one_message_in_every_window(tmp_path: Path) -> None:
    """S4."""
    decoder = Decoder(DecodePolicy())
    value = json.dumps(said("ana", "user", "I sing.", 1) | {"message_id": None}).encode()
    copies = decoder.decode(InRecord("messages", "chats", 0, 0, value))
    assert [item.user_id for item in copies if isinstance(item, Message)] == ["ana", "ben"]
    assert len({item.message_id for item in copies if isinstance(item, Message)}) == 1


def test_a_slack_thread_is_heard_by_whoever_is_in_it(tmp_path: Path) -> None:
    """S1: mentions and the author of what is answered are known from the message alone."""
    base = {"channel": "C1", "type": "message"}
    thread = [
        base | {"user": "U1", "ts": "1793610900.000100", "text": "Do you have a dog, <@U2>?"},
        base | {"user": "U2", "ts": "1793610901.000100", "thread_ts": "1793610900.000100", "parent_user_id": "U1",
                "text": "Yes"},
    ]  # fmt: skip
    assert reflections(thread, tmp_path) == {
        "default/U1 C1": [("user", "Do you have a dog, @U2?")],
        "default/U2 C1": [("peer", "Do you have a dog, @U2?")],
        "default/U2 C1/1793610900.000100": [("user", "Yes")],
        "default/U1 C1/1793610900.000100": [("peer", "Yes")],
    }


def test_redaction_holds_in_every_copy() -> None:
    """P2."""
    value = json.dumps(said("ana", "user", "Write to jo@example.org", 1, speaker="Ana, jo@example.org")).encode()
    copies = Decoder(DecodePolicy()).decode(InRecord("messages", "chats", 0, 0, value))
    assert len(copies) == 2
    assert "jo@" not in repr(copies)


def test_the_assistants_words_go_to_the_room_and_not_to_its_key() -> None:
    """S1: the key of a room's records names the room."""
    policy = DecodePolicy(user_from_key=True)
    value = json.dumps(said(None, "assistant", "Lovely!", 3)).encode()
    copies = Decoder(policy).decode(InRecord("messages", "chats", 0, 0, value, b"room"))
    assert [item.user_id for item in copies if isinstance(item, Message)] == ["ana", "ben"]


def test_what_a_bot_says_to_nobody_opens_no_window_and_is_told(tmp_path: Path) -> None:
    """T5, S1, S3: counted each time, and said once with the remedy; where it names somebody, they hear it."""
    bot = {"channel": "C1", "type": "message", "subtype": "bot_message", "bot_id": "B1"}
    posts = [bot | {"ts": f"{1793610900 + n}.000100", "text": f"Build {n} is green"} for n in range(20)]
    counted = Outcomes()
    with structlog.testing.capture_logs() as told:
        assert reflections(posts, tmp_path / "a", observer=counted) == {}
    assert counted.seen == {"unaddressed": 20}
    assert [(line["event"], line["topic"], line["offset"]) for line in told] == [("decode.unaddressed", "chats", 0)]
    assert "green" not in repr(told)

    named = [bot | {"ts": "1793610990.000100", "text": "<@U1> build 5 is green"}, posts[0] | {"members": ["U2"]}]
    assert reflections(named, tmp_path / "b") == {
        "default/U1 C1": [("assistant", "@U1 build 5 is green")],
        "default/U2 C1": [("assistant", "Build 0 is green")],
    }


def test_a_bot_in_a_telling_room_is_heard_by_who_speaks_there(tmp_path: Path) -> None:
    """T5: an export's day names its people by itself; the bot's words are context, and nobody's own."""
    day = {
        "channel": "C1",
        "messages": [
            {"type": "message", "user": "U1", "ts": "1793610900.000100", "text": "I run a bakery."},
            {"type": "message", "bot_id": "B1", "user": "U9", "ts": "1793610901.000100", "text": "Since when?"},
        ],
    }
    assert reflections([day], tmp_path) == {
        "default/U1 C1": [("user", "I run a bakery."), ("assistant", "Since when?")]
    }
