"""What decoding is configured by, and the checks that messages and commands share (S1, S3)."""

from __future__ import annotations

import re
import zoneinfo
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import orjson

from operators.formats.framing import FRAME_BYTES, is_framed
from operators.formats.mapping import FieldMapping
from operators.formats.shapes import PARTICIPANTS_MAX, SENT_AT_MS_MAX, Draft, Fault, Reading, shown
from operators.records import InRecord
from state.messages import Role

ID_BYTES_MAX = 512
ROLES: tuple[str, ...] = get_args(Role)
ROLE_NAMES: dict[str, str] = {
    **{role: role for role in ROLES},
    "human": "user",
    "customer": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "agent": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "developer": "system",
    "function": "tool",
    "function_call": "tool",
    "function_response": "tool",
    "observation": "tool",
    "tool_call": "tool",
    "tool_response": "tool",
}
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")

NO_USER = "expected whose memory it is, got nothing; map the field in formats.fields, or set formats.user_from_key"
WHOLE = Reading(Draft())
"""Where faults of the record itself stand."""

REASONS: dict[str, str] = {
    "null_value": "the record has no value (a tombstone)",
    "too_large": "the record, or one text in it, is over the limit",
    "not_utf8": "the bytes are not UTF-8",
    "not_json": "the bytes are not JSON",
    "not_object": "the JSON is not an object",
    "schema_payload": "framed by a Schema Registry, and the payload is not JSON (Avro, Protobuf)",
    "wrong_type": "a field has another type than the format says",
    "missing_field": "a field that is needed is missing",
    "hook_failed": "a redact hook of the product failed on it; the payload is withheld",
    "missing_user": "nothing says whose memory it is",
    "missing_time": "neither the message nor its record has a time",
    "bad_time": "a time is not ISO 8601 or an epoch, or lies outside 1970 to 2200",
    "bad_id": "an id is empty, too long or holds control characters",
    "unknown_role": "the role is none of the known ones and none that formats.roles maps",
    "unauthorised": "a command where only messages may come",
    "unknown_command": "the command, or the kind it names, does not exist",
    "unknown_field": "a command has a field that it does not know: a misspelt one would change what happens",
}


@dataclass(frozen=True, slots=True)
class DecodePolicy:
    """How records are read. Pairs instead of dicts, so that a policy is a value.

    `topic_formats`: (topic, format) where a topic differs from `format`. `fields`: (canonical name, dotted path in the
    record), read where the canonical name itself is absent. `roles`: (name in the records, one of our roles).
    `mappings`: (name of a format of one's own, where its fields are). `user_from_key`: a record without a user belongs
    to its key. `participants_max`: in a larger group a message reaches its speaker alone. `payload`: what a rejection
    keeps of the record. `fact_chars_max`: of what a command has remembered word by word.
    """

    format: str = "auto"
    topic_formats: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    mappings: tuple[tuple[str, FieldMapping], ...] = ()
    user_from_key: bool = False
    tenant: str = "default"
    participants_max: int = 50
    text_chars_max: int = 100_000
    record_bytes_max: int = 1_000_000
    fact_chars_max: int = 2_000
    payload: Literal["masked", "original"] = "masked"


def user_of(user_id: str | None, record: InRecord, policy: DecodePolicy, at: Reading = WHOLE) -> str | None:
    """Whose memory it is, as named or, where the policy says so, by the record's key; None where nothing tells."""
    if user_id is None and policy.user_from_key:
        user_id = key_text(record)
    return None if user_id is None else checked_id(user_id, at, "user_id")


def tenant_of(tenant: str | None, policy: DecodePolicy) -> str:
    """The tenant named, else the policy's."""
    if tenant is None:
        return policy.tenant
    if "/" in tenant:
        raise Fault("bad_id", f"$.tenant: expected no '/', which parts tenant and user in keys, got {shown(tenant)}")
    return checked_id(tenant, WHOLE, "tenant")


def checked_id(value: str, at: Reading, name: str) -> str:
    """The id, or a fault: empty, longer than 512 bytes, or with control characters."""
    if value.isascii() and value.isprintable() and len(value) <= ID_BYTES_MAX and value.strip():
        return value
    path = at.place(name)
    if not value.strip():
        raise Fault("bad_id", f"{path}: expected an id, got {shown(value)}")
    if len(value) > ID_BYTES_MAX or (not value.isascii() and len(value.encode()) > ID_BYTES_MAX):
        raise Fault("bad_id", f"{path}: expected at most {ID_BYTES_MAX} bytes, got {len(value)} characters")
    if CONTROL.search(value):
        raise Fault("bad_id", f"{path}: expected no control characters, got {shown(value)}")
    return value


def optional_id(value: str | None, at: Reading, name: str) -> str | None:
    """The same where none is needed; an empty one is none."""
    return checked_id(value, at, name) if value else None


def participants_of(names: tuple[str, ...] | None, at: Reading) -> tuple[str, ...]:
    """The ids of a group, at most 1,000 of them."""
    if not names:
        return ()
    if len(names) > PARTICIPANTS_MAX:
        path = at.place("participants")
        raise Fault("too_large", f"{path}: {len(names)} participants, expected at most {PARTICIPANTS_MAX}")
    return tuple(checked_id(name, at, "participants") for name in names)


def key_text(record: InRecord) -> str | None:
    """The record's key as text; of a framed one, the JSON string in it."""
    key = record.key
    if not key:
        return None
    if is_framed(key):
        try:
            inner = orjson.loads(key[FRAME_BYTES:])
        except orjson.JSONDecodeError:
            return None
        return inner if isinstance(inner, str) else None
    return key.decode("utf-8", "replace")


def record_time(record: InRecord, path: str) -> int:
    """The record's own time in ms; a fault where it has none, at the `path` that would have said it."""
    at_ms = record.timestamp_ms
    if at_ms is None or at_ms < 0:
        raise Fault("missing_time", f"{path}: expected a time, got nothing, and the record has none either")
    if at_ms > SENT_AT_MS_MAX:
        raise Fault("bad_time", f"the record's timestamp {at_ms} lies after the year 2200")
    return at_ms


@lru_cache(maxsize=1024)
def is_timezone(name: str) -> bool:
    """Whether IANA knows a time zone of that name."""
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return False
    return True


def check_size(text: str, path: str, policy: DecodePolicy) -> None:
    """Raises a fault for a text over the limit."""
    if len(text) > policy.text_chars_max:
        raise Fault("too_large", f"{path}: {len(text)} characters, expected at most {policy.text_chars_max}")
