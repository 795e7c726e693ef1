"""The canonical format: one message or one command a record (INTERFACE "A message", "A command")."""

from __future__ import annotations

from typing import Any

import msgspec

from operators.formats.shapes import Draft, Fault, Read, Reading, Time, shape_fault, shown

_NOT_SLOTS = frozenset(
    {"command", "user_id", "tenant", "command_id", "sent_at", "agent_id", "profile", "schema_version"}
)


class _Whole(Draft, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A draft of a record that holds nothing else."""


parse = msgspec.json.Decoder(_Whole).decode
"""Reads the bytes of a record that has canonical fields only, in one step; any other raises msgspec.DecodeError."""


class CommandDraft(msgspec.Struct, frozen=True, kw_only=True):
    """One command, its types checked and nothing else. `profile` holds the slots, wherever the record had them."""

    command: str
    user_id: str | None = None
    tenant: str | None = None
    command_id: str | None = None
    sent_at: Time | None = None
    text: str | None = None
    kind: str | None = None
    namespace: list[str] | str | None = None
    fact_id: str | None = None
    proposal_id: str | None = None
    match: str | None = None
    content: str | None = None
    profile: dict[str, Any] | None = None
    fact: dict[str, Any] | None = None
    allow_replay: bool | None = None


def read(record: dict[str, Any], key: str | None) -> list[Read]:
    """Reads one message. Unknown fields are ignored; a type that does not fit is a Fault that names its path."""
    del key  # whose memory it is stands in the record, unless the decoder's policy says otherwise
    try:
        return [Reading(msgspec.convert(record, Draft))]
    except msgspec.ValidationError as error:
        raise shape_fault(error, record) from None


def is_command(record: dict[str, Any]) -> bool:
    """Whether a record is a command, in its long form or as the short `{"profile": {…}, "user_id": …}`."""
    return "command" in record or ("profile" in record and "text" not in record and "role" not in record)


def is_only_command(record: dict[str, Any], commands: tuple[str, ...]) -> bool:
    """The same among records of another format, which may have fields of these names for ends of their own."""
    if "command" in record:
        return record["command"] in commands and "user_id" in record
    return "profile" in record and record.keys() <= _NOT_SLOTS


def read_command(record: dict[str, Any]) -> CommandDraft:
    """Reads one command. A profile's slots may stand under "profile" or beside "command"."""
    name = record.get("command", "profile" if "profile" in record else None)
    if name is None:
        raise Fault("missing_field", "$.command: expected the name of a command, got nothing")
    if name == "profile":
        slots = {field: value for field, value in record.items() if field not in _NOT_SLOTS}
        nested = record.get("profile")
        if nested is not None and not isinstance(nested, dict):
            raise Fault("wrong_type", f"$.profile: expected an object of slots, got {shown(nested)}")
        kept = {field: value for field, value in record.items() if field in _NOT_SLOTS}
        record = {**kept, "command": name, "profile": {**slots, **(nested or {})}}
    try:
        return msgspec.convert(record, CommandDraft)
    except msgspec.ValidationError as error:
        raise shape_fault(error, record) from None
