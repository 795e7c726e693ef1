from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.decode import REASONS, DecodePolicy, Decoder
from operators.formats import READERS
from operators.formats.mapping import FieldMapping
from operators.hooks import Hooks
from operators.records import InRecord
from state.messages import Command, Message, Rejected

GOLDEN = Path(__file__).parents[1] / "golden" / "decode.jsonl"
HELLO: dict[str, Any] = {
    "user_id": "ana",
    "conversation_id": "c1",
    "message_id": "m1",
    "role": "user",
    "text": "I moved to Seattle.",
    "sent_at": "2026-11-02T09:15:00Z",
}
HELLO_MS = 1_793_610_900_000


class Counts:
    """An observer that remembers."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self.seen[f"{name} {labels.get('outcome') or labels.get('reason') or labels.get('kind')}"] += int(amount)

    def measure(self, name: str, value: float, **labels: str) -> None:
        raise AssertionError("decoding measures nothing")

    gauge = measure


def record(value: object, **fields: Any) -> InRecord:
    data = value if isinstance(value, bytes) or value is None else json.dumps(value, ensure_ascii=False).encode()
    return InRecord(**{"role": "mixed", "topic": "chats", "partition": 3, "offset": 7, "value": data} | fields)


def decode(value: object, policy: DecodePolicy | None = None, **fields: Any) -> tuple[Any, ...]:
    return Decoder(policy or DecodePolicy()).decode(record(value, **fields))


def message(value: object, policy: DecodePolicy | None = None, **fields: Any) -> Message:
    (only,) = decode(value, policy, **fields)
    assert isinstance(only, Message), only
    return only


def command(value: object, **fields: Any) -> Command:
    (only,) = decode(value, **fields)
    assert isinstance(only, Command), only
    return only


def rejected(value: object, policy: DecodePolicy | None = None, **fields: Any) -> Rejected:
    (only,) = decode(value, policy, **fields)
    assert isinstance(only, Rejected), only
    assert only.reason in REASONS
    assert "\n" not in only.detail
    return only


@pytest.mark.parametrize("line", GOLDEN.read_text().splitlines(), ids=lambda line: json.loads(line)["name"])
def test_golden_records_give_what_they_gave(line: str) -> None:
    """S4: ids made of the same input stay the same from version to version."""
    case = json.loads(line)
    given = case["record"]
    data = given.encode() if isinstance(given, str) else given
    got = decode(data, timestamp_ms=case.get("timestamp_ms"), key=b"ana" if case.get("key") else None)
    assert len(got) == len(case["gives"])
    for item, wanted in zip(got, case["gives"], strict=True):
        assert type(item).__name__ == wanted.pop("is")
        assert {name: json.loads(json.dumps(getattr(item, name))) for name in wanted} == wanted


def test_every_field_of_a_message_arrives() -> None:
    """INTERFACE "A message"."""
    full = HELLO | {
        "tenant": "acme", "agent_id": "a1", "speaker": "Ana", "timezone": "Asia/Kolkata", "language": "en-GB",
        "reply_to": "m0", "participants": ["ana", "a1"], "edited_at": 1_793_610_960,
    }  # fmt: skip
    got = message(full)
    assert message(full | {"ignored": {"x": 1}}) == got
    assert (got.tenant, got.user_id, got.conversation_id, got.message_id) == ("acme", "ana", "c1", "m1")
    assert (got.role, got.text, got.sent_at_ms) == ("user", "I moved to Seattle.", HELLO_MS)
    assert (got.agent_id, got.speaker, got.timezone, got.language) == ("a1", "Ana", "Asia/Kolkata", "en-GB")
    assert (got.reply_to, got.participants, got.edited_at_ms) == ("m0", ("ana", "a1"), HELLO_MS + 60_000)
    assert (got.origin.topic, got.origin.partition, got.origin.offset) == ("chats", 3, 7)


@pytest.mark.parametrize(
    ("sent_at", "expected_ms"),
    [
        ("2026-11-02T09:15:00Z", HELLO_MS),
        ("2026-11-02T09:15:00z", HELLO_MS),
        ("2026-11-02 10:15+01:00", HELLO_MS),
        ("2026-11-02T09:15:00", HELLO_MS),
        ("2026-11-02T09:15:00.123456789Z", HELLO_MS + 123),
        (HELLO_MS // 1000, HELLO_MS),
        (HELLO_MS, HELLO_MS),
        (HELLO_MS / 1000 + 0.25, HELLO_MS + 250),
        ("2026-11-02", HELLO_MS - (9 * 60 + 15) * 60_000),
        (0, 0),
    ],
)
def test_time_is_iso_or_epoch_seconds_or_milliseconds(sent_at: object, expected_ms: int) -> None:
    """INTERFACE: `sent_at`; without an offset it is UTC."""
    assert message(HELLO | {"sent_at": sent_at}).sent_at_ms == expected_ms


def test_without_a_time_the_record_has_it() -> None:
    timeless = {name: value for name, value in HELLO.items() if name != "sent_at"}
    assert message(timeless, timestamp_ms=5_000).sent_at_ms == 5_000
    assert rejected(timeless).reason == "missing_time"


@pytest.mark.parametrize(
    "sent_at", ["yesterday", "", "1969-12-31T23:59:59Z", -1, 7_289_654_400_000, 1e300, "9999-12-31"]
)
def test_a_time_out_of_this_world_is_rejected(sent_at: object) -> None:
    """S3."""
    got = rejected(HELLO | {"sent_at": sent_at})
    assert got.reason == "bad_time"
    assert got.detail.startswith("$.sent_at: expected ")


def test_a_missing_message_id_depends_on_what_was_said_and_not_on_where_it_lies() -> None:
    """S4: redelivered on another offset it is the same message; another text, time or conversation makes another."""
    bare = {name: value for name, value in HELLO.items() if name != "message_id"}
    first = message(bare).message_id
    assert message(bare, offset=99, partition=0, topic="again").message_id == first
    assert message(bare | {"tenant": "acme", "speaker": "Ana"}).message_id == first
    for change in ({"text": "I moved."}, {"sent_at": HELLO_MS + 1}, {"conversation_id": "c2"}, {"role": "assistant"}):
        assert message(bare | change).message_id != first


def test_text_may_be_content_parts() -> None:
    parts = [{"type": "text", "text": "I have"}, {"type": "image_url", "image_url": {"url": "x"}}, "two cats"]
    assert message(HELLO | {"text": parts}).text == "I have\ntwo cats"


def test_what_p2_names_is_gone_before_anything_sees_it() -> None:
    """P2, P11, P12."""
    counts = Counts()
    said = HELLO | {"text": "Mail jo@example.org, card 4111 1111 1111 1111."}
    (got,) = Decoder(DecodePolicy(), counts).decode(record(said))
    assert isinstance(got, Message)
    assert got.text == "Mail [redacted:email], card [redacted:payment_card]."
    assert counts.seen["redactions_total email"] == counts.seen["redactions_total payment_card"] == 1
    asked = {"command": "remember", "user_id": "ana", "sent_at": 1, "text": "my mail is jo@example.org"}
    assert command(asked).text == "my mail is [redacted:email]"
    profile = {"user_id": "ana", "profile": {"bio": "jo@example.org", "wifi_password": "swordfish"}}
    assert command(profile).profile == (("bio", "[redacted:email]"), ("wifi_password", "[redacted:secret]"))


def test_a_temporary_chat_leaves_nothing_whatever_else_is_wrong_with_it() -> None:
    """P6: neither a message nor a dead letter that would keep its text."""
    counts = Counts()
    decoder = Decoder(DecodePolicy(), counts)
    assert decoder.decode(record(HELLO | {"ephemeral": True})) == ()
    assert decoder.decode(record({"ephemeral": True, "text": 3})) == ()
    assert counts.seen == {"messages_total ephemeral": 2}
    chat = {"user": "ana", "messages": [{"role": "user", "content": "Quito", "ephemeral": True}]}
    assert decode(chat, timestamp_ms=1) == ()
    doubtful = rejected(HELLO | {"ephemeral": "yes"})
    assert (doubtful.reason, doubtful.payload) == ("wrong_type", b"")
    broken = {"user": "ana", "messages": [{"role": 3, "content": "Quito", "ephemeral": "yes"}]}
    assert rejected(broken, timestamp_ms=1).payload == b""


def test_a_deletion_needs_only_the_id_and_keeps_no_text() -> None:
    """F7."""
    gone = {"user_id": "ana", "conversation_id": "c1", "message_id": "m1", "deleted": True, "sent_at": 9, "text": "x"}
    got = message(gone)
    assert (got.deleted, got.text, got.message_id) == (True, "", "m1")
    assert rejected({"user_id": "ana", "deleted": True, "sent_at": 9}).reason == "missing_field"


def test_an_edit_to_nothing_is_still_an_edit() -> None:
    """F7: what the message said before must go."""
    assert message(HELLO | {"text": " ", "edited_at": HELLO_MS + 1}).edited_at_ms == HELLO_MS + 1


def test_an_empty_text_is_dropped_quietly() -> None:
    counts = Counts()
    assert Decoder(DecodePolicy(), counts).decode(record(HELLO | {"text": " \n"})) == ()
    assert counts.seen == {"messages_total empty": 1}
    assert decode(b"  \n") == ()


@pytest.mark.parametrize(
    ("role", "ours"),
    [("human", "user"), ("AI", "assistant"), ("bot", "assistant"), ("developer", "system"), ("function", "tool")],
)
def test_roles_of_other_systems_are_mapped(role: str, ours: str) -> None:
    """S1."""
    assert message(HELLO | {"role": role}).role == ours


def test_roles_and_fields_are_mapped_as_configured() -> None:
    """S1: key and fields mapped by configuration."""
    policy = DecodePolicy(
        roles=(("Gast", "peer"),), fields=(("user_id", "customer.id"), ("text", "body")), user_from_key=True
    )
    given = {"customer": {"id": "ana"}, "body": "Hi there", "role": "gast", "sent_at": 1}
    got = message(given, policy)
    assert (got.user_id, got.text, got.role) == ("ana", "Hi there", "peer")
    assert message({"body": "Hi", "role": "user", "sent_at": 1}, policy, key=b"ben").user_id == "ben"


def test_a_policy_that_cannot_be_meant_is_refused() -> None:
    with pytest.raises(
        ValueError, match="format 'xml' does not exist: expected one of auto, canonical, openai, elizaos"
    ):
        Decoder(DecodePolicy(topic_formats=(("chats", "xml"),)))
    with pytest.raises(ValueError, match="role 'guest' is mapped to 'visitor'"):
        Decoder(DecodePolicy(roles=(("guest", "visitor"),)))


@pytest.mark.parametrize(
    ("value", "reason", "detail"),
    [
        (None, "null_value", "without a value"),
        (b"\xff\xfe{", "not_utf8", "byte 0"),
        (b'{"user_id": "ana"', "not_json", "line 1 column"),
        (b"hello", "not_json", "expected JSON"),
        (b"[1, 2]", "not_object", "got array"),
        (b"null", "not_object", "got null"),
        (b"[" * 2_000, "not_json", "expected JSON"),
        (HELLO | {"user_id": None}, "missing_user", "$.user_id"),
        (HELLO | {"user_id": 42}, "wrong_type", "$.user_id: expected a string, got 42"),
        (HELLO | {"user_id": "  "}, "bad_id", "$.user_id"),
        (HELLO | {"user_id": "a\nb"}, "bad_id", "control characters"),
        (HELLO | {"user_id": "ä" * 257}, "bad_id", "512 bytes"),
        (HELLO | {"tenant": "a/b"}, "bad_id", "$.tenant"),
        (HELLO | {"text": 3}, "wrong_type", "$.text: expected a string"),
        (HELLO | {"text": [3]}, "wrong_type", "$.text[0]"),
        (HELLO | {"text": [{"type": "text"}]}, "wrong_type", "$.text[0].text"),
        (HELLO | {"text": None}, "missing_field", "$.text"),
        (HELLO | {"sent_at": True}, "wrong_type", "$.sent_at"),
        (HELLO | {"sent_at": {}}, "wrong_type", "$.sent_at"),
        (HELLO | {"participants": ["ana", 3]}, "wrong_type", "$.participants[1]"),
        (HELLO | {"participants": ["x"] * 1_001}, "too_large", "$.participants"),
        (HELLO | {"role": "narrator"}, "unknown_role", "formats.roles"),
        (HELLO | {"role": None}, "missing_field", "$.role"),
        (HELLO | {"text": "x" * 100_001}, "too_large", "100001 characters, expected at most 100000"),
        (HELLO | {"text": "x" * 2_000_000}, "too_large", "bytes, expected at most 1000000"),
        ({"command": "dance", "user_id": "ana", "sent_at": 1}, "unknown_command", "expected one of remember"),
        ({"command": "forget", "user_id": "ana", "sent_at": 1}, "missing_field", "text or fact_id or namespace"),
        ({"command": "remember", "user_id": "ana", "sent_at": 1}, "missing_field", "remember needs text"),
        (
            {"command": "remember", "user_id": "ana", "sent_at": 1, "text": "x" * 2_001},
            "too_large",
            "$.text: 2001 characters, expected at most 2000 of what to remember",
        ),
        ({"command": "import", "user_id": "ana", "sent_at": 1, "text": "x", "kind": "y"}, "unknown_command", "$.kind"),
        ({"command": "remember", "user_id": "ana", "sent_at": 1, "text": " \n"}, "missing_field", "needs text"),
        ({"command": "edit", "user_id": "ana", "sent_at": 1, "match": "x"}, "missing_field", "$.content"),
        ({"command": "edit", "user_id": "ana", "sent_at": 1, "match": "x", "content": " "}, "missing_field", "content"),
        ({"command": "import", "user_id": "ana", "sent_at": 1}, "missing_field", "fact or text"),
        ({"command": "import", "user_id": "ana", "sent_at": 1, "fact": {"id": "f"}}, "wrong_type", "$.fact: field"),
        ({"command": "erase", "sent_at": 1}, "missing_user", "$.user_id"),
        ({"command": "erase", "user_id": "ana"}, "missing_time", "$.sent_at"),
        ({"command": ["erase"], "user_id": "ana", "sent_at": 1}, "wrong_type", "$.command"),
        ({"profile": [1], "user_id": "ana"}, "wrong_type", "$.profile"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_rejected_with_its_reason(value: object, reason: str, detail: str) -> None:
    """S3."""
    got = rejected(value)
    assert got.reason == reason
    assert detail in got.detail
    assert (got.origin.topic, got.origin.partition, got.origin.offset) == ("chats", 3, 7)


@pytest.mark.parametrize(
    ("value", "named", "meant"),
    [
        ({"command": "forget", "text": "tea", "dry_run": True}, "forget has no field 'dry_run', expected one of", ""),
        ({"command": "forget", "text": "tea", "namespce": "user/home"}, "'namespce'", "did you mean 'namespace'?"),
        ({"command": "forget", "text": "tea", "kind": "opinion"}, "'kind'", ""),
        ({"command": "remember", "text": "tea", "surprise": 1}, "remember has no field 'surprise'", ""),
        ({"command": "remember", "text": "tea", "allow_replay": True}, "'allow_replay'", ""),
        ({"command": "remember", "text": "tea", "sentAt": 5}, "'sentAt'", "did you mean 'sent_at'?"),
        ({"command": "remember", "text": "tea", "deleted": True}, "'deleted'", ""),
        ({"command": "erase", "text": "my job"}, "erase has no field 'text'", ""),
        ({"command": "erase", "profile": {"city": "Oslo"}}, "'profile'", ""),
        ({"command": "approve", "match": "x", "content": "y"}, "'content'", ""),
        ({"command": "pin", "fact": {"id": "f"}, "fact_id": "f"}, "'fact'", "did you mean 'fact_id'?"),
        ({"command": "flush", "jo@example.org": 1}, "flush has no field '[redacted:email]'", ""),
        ({"command": "flush", "x" * 100_000: 1}, "xxx…'", ""),
    ],
)
def test_a_command_with_a_field_that_it_does_not_know_is_rejected(value: object, named: str, meant: str) -> None:
    """S3: a misspelt or misplaced field is never left out silently"""
    assert isinstance(value, dict)
    got = rejected({"user_id": "ana", "sent_at": 1} | value, role="commands")
    assert got.reason == "unknown_field"
    assert named in got.detail
    assert got.detail.endswith(meant) if meant else "did you mean" not in got.detail
    assert len(got.detail) < 300


@pytest.mark.parametrize(
    "value",
    [
        {"command": "forget", "text": "tea", "fact_id": None, "namespce": None},
        {"command": "remember", "text": "tea", "kind": "fact", "namespace": "user/home", "tenant": "t"},
        {"command": "edit", "match": "x", "content": "y", "command_id": "c"},
        {"command": "erase", "allow_replay": True},
        {"command": "flush", "conversation_id": "c1", "message_id": "m1", "language": "en", "schema_version": 1},
        {"command": "pin", "fact_id": "f", "role": "user", "text": "pin it", "edited_at": 3},
        {"command": "profile", "bio": "Vet", "favourite_colour": "red"},
        {"profile": {"anything": "goes"}},
        {"command": "prune"},
        {"command": "reembed"},
    ],
)
def test_a_command_may_have_its_own_fields_those_of_a_message_and_nulls(value: dict[str, Any]) -> None:
    """S1, W3"""
    (item,) = decode({"user_id": "ana", "sent_at": 1} | value, role="commands")
    assert isinstance(item, Command)


def test_a_field_that_the_configuration_reads_from_is_known_to_a_command() -> None:
    """S1"""
    policy = DecodePolicy(fields=(("user_id", "who.id"),))
    value = {"command": "forget", "text": "tea", "sent_at": 1, "who": {"id": "ana"}}
    (item,) = decode(value, policy, role="commands")
    assert isinstance(item, Command)
    assert item.user_id == "ana"
    assert rejected(value | {"whom": 1}, policy, role="commands").reason == "unknown_field"


def test_a_rejection_holds_no_secret_unless_the_original_is_wanted() -> None:
    """S2, P2: masked by default."""
    bad = HELLO | {"role": "jo@example.org", "text": "card 4111 1111 1111 1111"}
    got = rejected(bad, key=b"k", timestamp_ms=12)
    assert b"4111" not in got.payload
    assert b"jo@" not in got.payload
    assert "jo@" not in got.detail
    assert json.loads(got.payload)["text"] == "card [redacted:payment_card]"
    assert (got.key, got.timestamp_ms) == (b"k", 12)
    assert json.loads(rejected(bad, DecodePolicy(payload="original")).payload) == bad


BADGES = Hooks(redact=(("badges", lambda text: text.replace("AB-4417", "[badge]")),))
FAILS = Hooks(redact=(("bad", lambda text: str(1 // (text.find("AB") < 0))),))


def test_a_products_redact_hook_reaches_all_that_people_wrote() -> None:
    """P1, P2: message, speaker, command, profile and dead letter."""
    counts = Counts()
    decoder = Decoder(DecodePolicy(), counts, BADGES)
    (got,) = decoder.decode(record(HELLO | {"text": "badge AB-4417, mail jo@example.org", "speaker": "Jo AB-4417"}))
    assert (got.text, got.speaker) == ("badge [badge], mail [redacted:email]", "Jo [badge]")
    assert counts.seen["redactions_total hook"] == counts.seen["redactions_total email"] == 1
    asked = {"command": "remember", "text": "badge AB-4417", "user_id": "ana", "sent_at": HELLO["sent_at"]}
    bio = {"profile": {"bio": "AB-4417"}, "user_id": "ana", "sent_at": HELLO["sent_at"]}
    (told,) = decoder.decode(record(asked, role="commands"))
    (profile,) = decoder.decode(record(bio, role="commands"))
    assert (told.text, profile.profile) == ("badge [badge]", (("bio", "[badge]"),))
    (letter,) = decoder.decode(record(HELLO | {"role": "AB-4417", "text": "AB-4417"}))
    assert isinstance(letter, Rejected)
    assert b"AB-4417" not in letter.payload
    assert "AB-4417" not in letter.detail


def test_a_message_whose_redaction_failed_goes_no_further() -> None:
    """P1, P2: its payload is withheld, also where originals are wanted, and its neighbours go on."""
    for policy in (DecodePolicy(), DecodePolicy(payload="original")):
        decoder = Decoder(policy, Counts(), FAILS)
        (letter,) = decoder.decode(record(HELLO | {"text": "AB-4417 is mine"}))
        assert isinstance(letter, Rejected)
        assert (letter.reason, letter.payload) == ("hook_failed", b"")
        assert "hook bad of factstream.redact failed" in letter.detail
        (good,) = decoder.decode(record(HELLO))
        assert isinstance(good, Message)


def test_a_schema_registrys_frame_is_kept_in_dead_letters_and_read_past_in_keys() -> None:
    """S1, S2."""
    frame = b"\0\0\0\0\x07"
    bad = frame + json.dumps(HELLO | {"role": "narrator", "text": "Mail jo@example.org"}).encode()
    masked, original = rejected(bad).payload, rejected(bad, DecodePolicy(payload="original")).payload
    assert masked.startswith(frame + b"{")
    assert b"jo@" not in masked
    assert original == bad
    nobody = HELLO | {"user_id": None}
    keyed = DecodePolicy(user_from_key=True)
    assert message(nobody, keyed, key=frame + b'"ana"').user_id == "ana"
    assert rejected(nobody, keyed, key=frame + b"\x06ana").reason == "missing_user"


def test_half_an_emoji_costs_one_character() -> None:
    """X13: programs cut texts in the middle of surrogate pairs."""
    cut = json.dumps(HELLO | {"text": "so happy XX"}).replace("XX", "\\ud83d").encode()
    assert message(cut).text == "so happy \ufffd"
    literal = (
        json.dumps(HELLO | {"text": "a \\ud83d b \U0001f600", "speaker": "Y"}).replace('"Y"', '"\\udc00"').encode()
    )
    got = message(literal)
    assert (got.text, got.speaker) == ("a \\ud83d b \U0001f600", "\ufffd")


def test_a_byte_order_mark_and_nul_characters_do_no_harm() -> None:
    assert message(b"\xef\xbb\xbf" + orjson.dumps(HELLO | {"text": "a\x00b"})).text == "ab"


def test_a_time_zone_or_language_that_does_not_exist_is_ignored_and_counted() -> None:
    counts = Counts()
    odd = HELLO | {"timezone": "Mars/Olympus", "language": "??"}
    (got,) = Decoder(DecodePolicy(), counts).decode(record(odd))
    assert isinstance(got, Message)
    assert (got.timezone, got.language) == (None, None)
    assert counts.seen["messages_total bad_timezone"] == counts.seen["messages_total bad_language"] == 1
    assert message(HELLO | {"timezone": "../../etc/passwd"}).timezone is None


def test_commands_arrive_with_all_they_say() -> None:
    """INTERFACE "A command"."""
    got = command(
        {"command": "forget", "user_id": "ana", "sent_at": HELLO_MS, "namespace": "user/health", "command_id": "k1"}
    )
    assert (got.command, got.namespace, got.command_id, got.sent_at_ms) == (
        "forget",
        ("user", "health"),
        "k1",
        HELLO_MS,
    )
    edit = {"command": "edit", "user_id": "ana", "sent_at": 1, "proposal_id": "p1", "content": "Short answers"}
    assert (command(edit).proposal_id, command(edit).content) == ("p1", "Short answers")
    listed = {
        "command": "remember",
        "user_id": "ana",
        "sent_at": 1,
        "text": "x",
        "kind": "fact",
        "namespace": ["user", "x"],
    }
    assert (command(listed).kind, command(listed).namespace) == ("fact", ("user", "x"))


def test_a_profile_is_a_command_in_every_form_and_holds_from_the_beginning() -> None:
    """X4: its slots are text, in the order of their names."""
    slots = (("age", "34"), ("bio", "Vet"), ("langs", "de, en"), ("vegan", "true"))
    told = {"bio": "Vet", "age": 34, "vegan": True, "langs": ["de", "en"], "nothing": None}
    short = command({"profile": told, "user_id": "ana"})
    assert (short.command, short.profile, short.sent_at_ms) == ("profile", slots, 0)
    assert command({"command": "profile", "user_id": "ana"} | told).profile == slots
    assert command({"command": "profile", "user_id": "ana", "profile": told}, timestamp_ms=8).sent_at_ms == 8


def test_a_time_zone_that_nobody_knows_is_left_out_of_a_profile() -> None:
    """X5: as it is of a message; what else the profile says stays"""
    for name in ("Mars/Olympus", "Europe"):
        assert command({"profile": {"bio": "Vet", "timezone": name}, "user_id": "ana"}).profile == (("bio", "Vet"),)
    told = command({"profile": {"timezone": "Europe/Lisbon"}, "user_id": "ana"})
    assert told.profile == (("timezone", "Europe/Lisbon"),)


def test_a_message_that_carries_a_profile_field_is_still_a_message() -> None:
    assert message(HELLO | {"profile": {"bio": "x"}}).text == HELLO["text"]


def test_a_missing_command_id_is_a_hash_of_the_command() -> None:
    """INTERFACE: applied once."""
    erase = {"command": "erase", "user_id": "ana", "sent_at": 1}
    first = command(erase).command_id
    assert command(erase, offset=50).command_id == first
    assert command(erase | {"sent_at": "1970-01-01T00:00:01Z"}).command_id == first
    assert command(erase | {"sent_at": 2}).command_id != first
    assert command(erase | {"user_id": "ben"}).command_id != first


def test_on_the_commands_topic_everything_must_be_a_command() -> None:
    """S3."""
    assert rejected(HELLO, role="commands").detail.startswith("$.command: expected the name of a command")


def test_the_format_of_a_topic_is_the_one_configured() -> None:
    """S1."""
    policy = DecodePolicy(format="canonical", topic_formats=(("chats", "openai"),))
    chat = {"user": "ana", "messages": [{"role": "user", "content": "Hi all"}]}
    assert message(chat, policy, timestamp_ms=1).text == "Hi all"
    assert rejected(chat, policy, topic="other", timestamp_ms=1).reason == "missing_field"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_NAMES = [*HELLO, "command", "profile", "messages", "user", "ephemeral", "deleted", "edited_at", "tenant", "namespace"]
_COMMON = st.sampled_from(["forget", "profile", "user", "ana", "2026-11-02T09:15:00Z", True, 1, 1e12, "1.5", "C1"])
_TURN_NAMES = [
    "role", "content", "name", "ephemeral", "type", "data", "kwargs", "id", "from", "value", "ts", "user", "text",
    "subtype", "message", "previous_message", "deleted_ts", "edited", "thread_ts", "bot_id", "entityId", "agentId",
    "roomId", "createdAt", "metadata", "example", "user_profile",
]  # fmt: skip
_KINDS = st.sampled_from(
    ["human", "ai", "HumanMessage", "constructor", "message", "message_changed", "message_deleted", "tombstone",
     "document", "bot_message", "gpt", "user", "1793610900.000100"]
)  # fmt: skip
_TURN = st.recursive(
    st.dictionaries(st.sampled_from(_TURN_NAMES), _KINDS | _COMMON | _JSON, max_size=6),
    lambda inner: st.dictionaries(st.sampled_from(_TURN_NAMES), _KINDS | inner, max_size=5),
    max_leaves=4,
)
_RECORD_NAMES = [
    *_NAMES, *_TURN_NAMES, "conversations", "memories", "channel", "members", "participants", "users", "event",
    "authorizations", "config", "configurable", "thread_id", "session_id", "a",
]  # fmt: skip
_MAPPING = FieldMapping(
    messages="messages", text="text", user_id="$.user", role="role", default_role="user", sent_at="ts", message_id="id",
    participants="$.members[*].id", deleted="data", edited_at="edited.ts", ephemeral="ephemeral", tenant="$.tenant",
    timezone="content[0]", time_unit="s", conversation_id="message.text",
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_it_raise(value: bytes) -> None:
    """S3: a poisonous record must not stop the job."""
    for prefix in (b"", b"\0\0\0\0\x07"):
        for item in decode(prefix + value, timestamp_ms=1):
            assert isinstance(item, Message | Command | Rejected)


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(st.sampled_from(_RECORD_NAMES), _COMMON | _KINDS | _JSON | _TURN | st.lists(_TURN, max_size=3))
    | st.lists(_TURN, max_size=3),
    st.sampled_from(["messages", "commands"]),
    st.sampled_from(["auto", *READERS, "own"]),
    st.sampled_from([None, b"ana", b'\0\0\0\0\1"ana"', b"\0\0\0\0\1\xff"]),
)
def test_no_json_makes_it_raise_and_every_text_is_whole(
    value: object, role: str, format_name: str, key: bytes | None
) -> None:
    """S3: in any format, what cannot be read is a rejection with a reason of the list, in one line."""
    policy = DecodePolicy(format=format_name, mappings=(("own", _MAPPING),))
    for item in decode(json.dumps(value).encode(), policy, role=role, timestamp_ms=1, key=key):
        assert isinstance(item, Message | Command | Rejected)
        if isinstance(item, Message):
            item.text.encode()
            assert item.user_id
            assert item.message_id
        elif isinstance(item, Rejected):
            assert item.reason in REASONS
            assert "\n" not in item.detail


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(st.sampled_from([*HELLO, "ephemeral", "deleted", "edited_at", "participants"]), _COMMON | _JSON),
    st.booleans(),
)
def test_a_field_that_nobody_knows_changes_nothing(value: dict[str, Any], whole: bool) -> None:
    """S1: records with canonical fields alone take a shorter way, to the same end."""
    known = HELLO | value if whole else value
    short, long = decode(known, timestamp_ms=1), decode(known | {"unknown": 1}, timestamp_ms=1)
    assert [replace(item, payload=b"") if isinstance(item, Rejected) else item for item in short] == [
        replace(item, payload=b"") if isinstance(item, Rejected) else item for item in long
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"command": "erase", "user_id": "ana", "sent_at": 1},
        {"profile": {"timezone": "UTC"}, "user_id": "ana", "sent_at": 1},
        {"command": "approve", "user_id": "ana", "sent_at": 1, "proposal_id": "p1", "text": "yes", "role": "user"},
        {"command": "dance", "user_id": "ana", "sent_at": 1},
    ],
)
def test_a_command_acts_only_where_commands_may_come(value: dict[str, Any]) -> None:
    """P7, S3: on an input topic it is a dead letter, whatever it says"""
    (rejected,) = decode(value, role="messages")
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "unauthorised"
    assert "commands topic" in rejected.detail
    (elsewhere,) = decode(value, role="commands")
    assert not isinstance(elsewhere, Rejected) or elsewhere.reason == "unknown_command"
