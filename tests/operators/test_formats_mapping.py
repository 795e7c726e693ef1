"""A team's own JSON, read by paths (S1)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from operators.decode import DecodePolicy, Decoder
from operators.formats.mapping import FieldMapping, reader
from operators.formats.shapes import Fault, Misread, Reading
from operators.records import InRecord
from state.messages import Message, Rejected


def read(mapping: FieldMapping, record: dict[str, Any]) -> Reading:
    (reading,) = reader(mapping)(record, None)
    assert isinstance(reading, Reading), reading
    return reading


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a", {"b": ["x", "y"], "c.d": "z"}),
        ("a.b[1]", "y"),
        ("a['c.d']", "z"),
        ("['a'].b[0]", "x"),
        ("$.a.b[0]", "x"),
        ("a.b[2]", None),
        ("a.none.deeper", None),
        ("a.b.name", None),
        ("a[0]", None),
        ("ünï-code", "u"),
    ],
)
def test_a_path_leads_into_objects_and_lists(path: str, found: object) -> None:
    mapping = FieldMapping(text=path, user_id="u", default_role="user")
    assert read(mapping, {"a": {"b": ["x", "y"], "c.d": "z"}, "ünï-code": "u"}).draft.text == found


@pytest.mark.parametrize("path", ["a..b", ".", "a[", "a[x]", "a]", "a.", "$.", "a['b", "a[1234567]"])
def test_what_is_no_path_is_refused_at_the_start(path: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"has {path!r} for user_id, expected a path such as author.id")):
        reader(FieldMapping(text="t", user_id=path, default_role="user"))


@pytest.mark.parametrize(
    ("mapping", "complaint"),
    [
        (FieldMapping(user_id="u", default_role="user"), "mapping 'own' has no path for text"),
        (FieldMapping(text="t", user_id="u"), "mapping 'own' has neither role nor default_role"),
        (FieldMapping(text="t", default_role="user"), "mapping 'own' has no path for user_id"),
        (FieldMapping(text="t", user_id="u", default_role="boss"), "mapping 'own', default_role is 'boss'"),
        (FieldMapping(text="t", user_id="u", role="r", roles={"x": "boss"}), "mapping 'own', role 'x' is 'boss'"),
    ],
)
def test_a_mapping_of_which_nothing_could_come_is_refused(mapping: FieldMapping, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        Decoder(DecodePolicy(mappings=(("own", mapping),)))
    with pytest.raises(ValueError, match="mapping 'slack' has the name of a format"):
        Decoder(DecodePolicy(mappings=(("slack", mapping),)))


@pytest.mark.parametrize(
    ("unit", "value", "at_ms"),
    [
        ("s", 1_793_610_900, 1_793_610_900_000),
        ("s", 1_793_610_900.25, 1_793_610_900_250),
        ("s", "1793610900.0009", 1_793_610_900_000),
        ("ms", 5, 5),
        ("ms", " 1793610900123 ", 1_793_610_900_123),
        ("us", 1_793_610_900_123_999, 1_793_610_900_123),
        ("ns", "1793610900123999999", 1_793_610_900_123),
        ("iso", "2026-11-02T09:15:00+01:00", 1_793_607_300_000),
        ("auto", 1_793_610_900, 1_793_610_900_000),
        ("auto", 1_793_610_900_123, 1_793_610_900_123),
    ],
)
def test_times_are_read_in_their_unit(unit: Any, value: object, at_ms: int) -> None:
    """S1: timestamps from the field."""
    mapping = FieldMapping(text="t", user_id="u", default_role="user", sent_at="at", time_unit=unit)
    assert read(mapping, {"t": "x", "at": value}).at_ms == at_ms


@pytest.mark.parametrize(
    ("unit", "value", "reason"),
    [
        ("ms", -1, "bad_time"),
        ("s", 1_793_610_900_000, "bad_time"),
        ("s", "١٢", "bad_time"),
        ("ns", "1e18", "bad_time"),
        ("iso", 1_793_610_900, "bad_time"),
        ("auto", "1793610900", "bad_time"),
        ("ms", True, "wrong_type"),
        ("ms", [1], "wrong_type"),
    ],
)
def test_a_time_in_another_unit_is_a_fault_that_names_its_path(unit: Any, value: object, reason: str) -> None:
    """S3."""
    mapping = FieldMapping(text="t", user_id="u", default_role="user", sent_at="meta.at", time_unit=unit)
    (misread,) = reader(mapping)({"t": "x", "meta": {"at": value}}, None)
    assert isinstance(misread, Misread)
    assert misread.fault.reason == reason
    assert misread.fault.detail.startswith("$.meta.at: expected ")


def test_a_list_that_is_none_is_a_fault_of_the_record() -> None:
    """S3."""
    mapping = FieldMapping(messages="items", text="t", user_id="u", default_role="user")
    with pytest.raises(Fault, match=r"\$\.items: expected a list of messages, got null"):
        reader(mapping)({"item": []}, None)


def test_messages_of_one_record_keep_their_order_and_their_ids_when_it_comes_again_and_has_grown() -> None:
    """S4, T6: a time that stands for the whole record makes no new message of an old one."""
    mapping = FieldMapping(messages="log", text="t", user_id="$.u", default_role="user", sent_at="$.at")
    decoder = Decoder(DecodePolicy(format="own", mappings=(("own", mapping),)))

    def decode(at: int, *texts: str) -> list[Message]:
        value = b'{"u": "ana", "at": %d, "log": [%s]}' % (at, b",".join(b'{"t": "%s"}' % t.encode() for t in texts))
        got = decoder.decode(InRecord("messages", "t", 0, 0, value))
        return [item for item in got if isinstance(item, Message)]

    before, after = decode(1_000, "I sing.", "Yes."), decode(2_000, "I sing.", "Yes.", "Yes.")
    assert [item.sent_at_ms for item in before] == [1_000_000, 1_000_001]
    assert [item.message_id for item in after[:2]] == [item.message_id for item in before]
    assert len({item.message_id for item in after}) == 3


def test_another_formats_fields_are_no_commands() -> None:
    """S3: "profile" and "command" may mean anything in a team's own records."""
    mapping = FieldMapping(text="body", user_id="who", default_role="user")
    decoder = Decoder(DecodePolicy(format="own", mappings=(("own", mapping),)))
    value = b'{"profile": {"plan": "pro"}, "command": "restart", "who": "ana", "body": "I sing."}'
    (got,) = decoder.decode(InRecord("messages", "t", 0, 0, value, None, 5))
    assert isinstance(got, Message)
    (unread,) = decoder.decode(InRecord("messages", "t", 0, 0, b'{"profile": {"plan": "pro"}, "x": 1}', None, 5))
    assert isinstance(unread, Rejected)
