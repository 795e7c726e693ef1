"""The first step: a record's bytes become messages and commands, redacted (P2), or a rejection that says why (S3).

Decoding is a pure function of the record and the policy, and raises for no bytes whatever. What a person wrote passes
operators.redact here, before any window, state, log or dead letter sees it.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast, get_args

import orjson

from operators.dead_letters import mask
from operators.formats import FORMATS, READERS, sniff
from operators.formats.canonical import CommandDraft, is_command, read_command
from operators.formats.shapes import (
    SENT_AT_MS_MAX,
    Draft,
    Fault,
    Misread,
    Reading,
    Time,
    event_time_ms,
    text_of,
    type_name,
)
from operators.observing import Observer, Unobserved
from operators.records import InRecord
from operators.redact import redact, redact_slot
from state.facts import KINDS, stable_id
from state.messages import Command, CommandName, Message, Origin, Rejected, Role

ID_BYTES_MAX = 512
PARTICIPANTS_MAX = 1_000
COMMANDS: tuple[str, ...] = get_args(CommandName)
ROLES: tuple[str, ...] = get_args(Role)
ROLE_NAMES: dict[str, str] = {
    **{role: role for role in ROLES},
    "human": "user",
    "customer": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "agent": "assistant",
    "developer": "system",
    "function": "tool",
}
_ONE_OF: dict[str, tuple[str, ...]] = {
    "remember": ("text",),
    "forget": ("text", "fact_id", "namespace"),
    "approve": ("proposal_id", "match"),
    "reject": ("proposal_id", "match"),
    "edit": ("proposal_id", "match"),
    "pin": ("fact_id", "match"),
    "unpin": ("fact_id", "match"),
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)

REASONS: dict[str, str] = {
    "null_value": "the record has no value (a tombstone)",
    "too_large": "the record, or one text in it, is over the limit",
    "not_utf8": "the bytes are not UTF-8",
    "not_json": "the bytes are not JSON",
    "not_object": "the JSON is not an object",
    "wrong_type": "a field has another type than the format says",
    "missing_field": "a field that is needed is missing",
    "missing_user": "nothing says whose memory it is",
    "missing_time": "neither the message nor its record has a time",
    "bad_time": "a time is not ISO 8601 or an epoch, or lies outside 1970 to 2200",
    "bad_id": "an id is empty, too long or holds control characters",
    "unknown_role": "the role is none of the known ones and none that formats.roles maps",
    "unknown_command": "the command, or the kind it names, does not exist",
}


@dataclass(frozen=True, slots=True)
class DecodePolicy:
    """How records are read. Pairs instead of dicts, so that a policy is a value.

    `topic_formats`: (topic, format) where a topic differs from `format`. `fields`: (canonical name, dotted path in the
    record), read where the canonical name itself is absent. `roles`: (name in the records, one of our roles).
    `user_from_key`: a record without a user belongs to its key. `payload`: what a rejection keeps of the record.
    """

    format: str = "auto"
    topic_formats: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    user_from_key: bool = False
    tenant: str = "default"
    text_chars_max: int = 100_000
    record_bytes_max: int = 1_000_000
    payload: Literal["masked", "original"] = "masked"


class Decoder:
    """Decodes records under one policy.

    It counts messages_total{format,outcome}, redactions_total{kind} and dead_letters_total{reason}. Outcomes: message,
    command, rejected, ephemeral, empty, blank; bad_timezone and bad_language in addition, where a field was ignored.
    """

    def __init__(self, policy: DecodePolicy, observer: Observer | None = None) -> None:
        self._policy = policy
        self._observer: Observer = observer or Unobserved()
        self._formats = dict(policy.topic_formats)
        self._roles = ROLE_NAMES | {name.casefold(): role for name, role in policy.roles}
        for name in (policy.format, *self._formats.values()):
            if name not in FORMATS:
                raise ValueError(f"format {name!r} does not exist: expected one of {', '.join(FORMATS)}")
        for name, role in policy.roles:
            if role not in ROLES:
                raise ValueError(f"role {name!r} is mapped to {role!r}: expected one of {', '.join(ROLES)}")

    def decode(self, record: InRecord) -> tuple[Message | Command | Rejected, ...]:
        """Everything that one record says, in order. Nothing for blank lines and temporary chats (P6)."""
        format_name = self._formats.get(record.topic, self._policy.format)
        try:
            parsed = self._parse(record)
            if parsed is None:
                self._ended(format_name, "blank")
                return ()
            self._map_fields(parsed)
        except Fault as fault:
            return (self._reject(record, fault, format_name, record.value),)
        if format_name == "auto":
            format_name = sniff(parsed)
        try:
            if _ephemeral(parsed):
                self._ended(format_name, "ephemeral")
                return ()
        except Fault as fault:  # it may have meant "temporary", so its text is kept nowhere (P6)
            return (self._reject(record, fault, format_name, None),)
        try:
            if record.role == "commands" or is_command(parsed):
                return (self._command(read_command(parsed), record),)
            readings = READERS[format_name](parsed, _key_text(record))
        except Fault as fault:
            return (self._reject(record, fault, format_name, record.value),)
        return tuple(self._messages(readings, record, format_name))

    def _ended(self, format_name: str, outcome: str) -> None:
        self._observer.count("messages_total", format=format_name, outcome=outcome)

    def _parse(self, record: InRecord) -> dict[str, Any] | None:
        value = record.value
        if value is None:
            raise Fault("null_value", "expected a message, got a record without a value")
        if len(value) > self._policy.record_bytes_max:
            raise Fault("too_large", f"{len(value)} bytes, expected at most {self._policy.record_bytes_max}")
        value = value.removeprefix(b"\xef\xbb\xbf")
        if not value.strip():
            return None
        try:
            parsed = orjson.loads(value)
        except orjson.JSONDecodeError as error:
            parsed = _parse_again(value, error)
        if not isinstance(parsed, dict):
            raise Fault("not_object", f"$: expected an object, got {type_name(parsed)}")
        return parsed

    def _map_fields(self, parsed: dict[str, Any]) -> None:
        for name, path in self._policy.fields:
            if name not in parsed:
                found: object = parsed
                for part in path.split("."):
                    found = found.get(part) if isinstance(found, dict) else None
                if found is not None:
                    parsed[name] = found

    def _messages(
        self, readings: list[Reading | Misread], record: InRecord, format_name: str
    ) -> Iterator[Message | Rejected]:
        conversation = self._conversation_of_transcript(readings)
        for reading in readings:
            try:
                if isinstance(reading, Misread):
                    raise reading.fault
                message = self._message(reading, record, format_name, conversation)
            except Fault as fault:
                yield self._reject(record, fault, format_name, _payload_of(reading, len(readings), record))
                continue
            if message is not None:
                self._ended(format_name, "message")
                yield message

    def _message(self, reading: Reading, record: InRecord, format_name: str, conversation: str) -> Message | None:
        draft, path = reading.draft, reading.path
        if draft.ephemeral:
            self._ended(format_name, "ephemeral")
            return None
        deleted = draft.deleted is True
        role = self._role(draft, path)
        text = "" if deleted else self._text(draft, f"{path}.{reading.text_field}")
        if not text.strip() and not deleted and draft.edited_at is None:
            self._ended(format_name, "empty")
            return None
        if deleted and draft.message_id is None:
            raise Fault("missing_field", f"{path}.message_id: expected the id of the message that was deleted")
        user_id = self._user(draft.user_id, record)
        conversation = _checked_id(draft.conversation_id or conversation, path, "conversation_id")
        sent_at_ms = self._time(draft.sent_at, reading, record)
        if draft.message_id is not None:
            message_id = _checked_id(draft.message_id, path, "message_id")
        else:
            timed = draft.sent_at is not None or not reading.transcript
            message_id = stable_id(conversation, sent_at_ms if timed else "", role, text, draft.ordinal or 0)
        return Message(
            tenant=self._tenant(draft.tenant),
            user_id=user_id,
            conversation_id=conversation,
            message_id=message_id,
            role=role,
            text=text,
            sent_at_ms=sent_at_ms,
            origin=Origin(record.topic, record.partition, record.offset),
            agent_id=_optional_id(draft.agent_id, path, "agent_id"),
            speaker=_optional_id(draft.speaker, path, "speaker"),
            timezone=self._timezone(draft.timezone, format_name),
            language=self._language(draft.language, format_name),
            reply_to=_optional_id(draft.reply_to, path, "reply_to"),
            participants=_participants(draft.participants, path, "participants"),
            edited_at_ms=None if draft.edited_at is None else event_time_ms(draft.edited_at, f"{path}.edited_at"),
            deleted=deleted,
        )

    def _command(self, draft: CommandDraft, record: InRecord) -> Command:
        name = draft.command
        if name not in COMMANDS:
            raise Fault("unknown_command", f"$.command: expected one of {', '.join(COMMANDS)}, got {name[:40]!r}")
        needed = _ONE_OF.get(name, ())
        if needed and not any(getattr(draft, field) for field in needed):
            raise Fault("missing_field", f"$: {name} needs {' or '.join(needed)}")
        if name == "edit" and draft.content is None:
            raise Fault("missing_field", "$.content: edit needs the new content")
        if draft.kind is not None and draft.kind not in KINDS:
            raise Fault("unknown_command", f"$.kind: expected one of {', '.join(KINDS)}, got {draft.kind[:40]!r}")
        tenant, user_id = self._tenant(draft.tenant), self._user(draft.user_id, record)
        at_ms = self._command_time(draft, record)
        said = {field: self._said(getattr(draft, field), f"$.{field}") for field in ("text", "match", "content")}
        namespace = _namespace(draft.namespace)
        profile = self._profile(draft.profile or {})
        ids = {field: _optional_id(getattr(draft, field), "$", field) for field in ("fact_id", "proposal_id")}
        given = _optional_id(draft.command_id, "$", "command_id")
        command_id = given or stable_id(
            "command", tenant, user_id, name, at_ms, draft.kind, namespace, *said.values(), *ids.values(), profile
        )
        self._ended("canonical", "command")
        return Command(
            tenant=tenant,
            user_id=user_id,
            command=cast("CommandName", name),
            command_id=command_id,
            sent_at_ms=at_ms,
            origin=Origin(record.topic, record.partition, record.offset),
            kind=draft.kind,
            namespace=namespace,
            profile=profile,
            **said,
            **ids,
        )

    def _conversation_of_transcript(self, readings: list[Reading | Misread]) -> str:
        """A transcript without a conversation id is known by its first user message, which stays as it grows."""
        for reading in readings:
            if isinstance(reading, Misread) or not reading.transcript:
                continue
            draft = reading.draft
            if draft.conversation_id is None and self._roles.get((draft.role or "").casefold()) == "user":
                try:
                    text = text_of(draft.text, reading.path)
                except Fault:
                    continue
                return stable_id(
                    "conversation", draft.tenant, draft.user_id, redact(text[: self._policy.text_chars_max])[0]
                )
        return "default"

    def _role(self, draft: Draft, path: str) -> Role:
        if draft.role is None:
            if draft.deleted:
                return "user"
            raise Fault("missing_field", f"{path}.role: expected one of {', '.join(ROLES)}, got nothing")
        role = self._roles.get(draft.role.casefold())
        if role is None:
            known = ", ".join(ROLES)
            raise Fault(
                "unknown_role",
                f"{path}.role: expected one of {known}, got {draft.role[:40]!r}; map it in formats.roles",
            )
        return cast("Role", role)

    def _text(self, draft: Draft, path: str) -> str:
        if draft.text is None:
            raise Fault("missing_field", f"{path}: expected a string or a list of content parts, got nothing")
        return self._redacted(text_of(draft.text, path), path)

    def _said(self, text: str | None, path: str) -> str | None:
        return None if text is None else self._redacted(text, path)

    def _redacted(self, text: str, path: str) -> str:
        if len(text) > self._policy.text_chars_max:
            raise Fault("too_large", f"{path}: {len(text)} characters, expected at most {self._policy.text_chars_max}")
        clean, kinds = redact(text.replace("\x00", "") if "\x00" in text else text)
        for kind in kinds:
            self._observer.count("redactions_total", kind=kind)
        return clean

    def _profile(self, slots: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        """Slots in the order of their names; values as text, lists joined by commas, nulls left out."""
        kept: list[tuple[str, str]] = []
        for name in sorted(slots):
            if slots[name] is not None:
                text = self._redacted(_slot_text(slots[name]), f"$.profile.{name[:40]}")
                clean, kinds = redact_slot(name, text)
                for kind in kinds:
                    self._observer.count("redactions_total", kind=kind)
                kept.append((_checked_id(name, "$.profile", "(name)"), clean))
        return tuple(kept)

    def _user(self, user_id: str | None, record: InRecord) -> str:
        if user_id is None and self._policy.user_from_key:
            user_id = _key_text(record)
        if user_id is None:
            raise Fault(
                "missing_user",
                "$.user_id: expected whose memory it is, got nothing; map the field in formats.fields, "
                "or set formats.user_from_key",
            )
        return _checked_id(user_id, "$", "user_id")

    def _tenant(self, tenant: str | None) -> str:
        if tenant is None:
            return self._policy.tenant
        if "/" in tenant:
            raise Fault("bad_id", "$.tenant: expected no '/', which parts tenant and user in record keys")
        return _checked_id(tenant, "$", "tenant")

    def _time(self, sent_at: Time | None, reading: Reading, record: InRecord) -> int:
        if sent_at is not None:
            return event_time_ms(sent_at, f"{reading.path}.sent_at")
        later_ms = (reading.draft.ordinal or 0) if reading.transcript else 0
        if reading.record_at is not None:
            return event_time_ms(reading.record_at, "$.sent_at") + later_ms
        return _record_time(record, f"{reading.path}.sent_at") + later_ms

    def _command_time(self, draft: CommandDraft, record: InRecord) -> int:
        """Of the field, else of the record; a profile without either holds from the beginning."""
        if draft.sent_at is not None:
            return event_time_ms(draft.sent_at, "$.sent_at")
        if draft.command == "profile" and record.timestamp_ms is None:
            return 0
        return _record_time(record, "$.sent_at")

    def _timezone(self, name: str | None, format_name: str) -> str | None:
        if name is None or _is_timezone(name):
            return name
        self._ended(format_name, "bad_timezone")
        return None

    def _language(self, code: str | None, format_name: str) -> str | None:
        if code is None or _LANGUAGE.fullmatch(code):
            return code
        self._ended(format_name, "bad_language")
        return None

    def _reject(self, record: InRecord, fault: Fault, format_name: str, payload: bytes | None) -> Rejected:
        self._ended(format_name, "rejected")
        self._observer.count("dead_letters_total", reason=fault.reason)
        original = self._policy.payload == "original"
        return Rejected(
            reason=fault.reason,
            detail=redact(_CONTROL.sub(" ", fault.detail))[0],
            origin=Origin(record.topic, record.partition, record.offset),
            payload=b"" if payload is None else payload if original else mask(payload),
            key=record.key,
            timestamp_ms=record.timestamp_ms,
        )


def _parse_again(value: bytes, error: orjson.JSONDecodeError) -> object:
    """Names what is wrong with the bytes; half an emoji, as programs cut texts, costs that character and no more."""
    try:
        value.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise Fault("not_utf8", f"byte {wrong.start} is not UTF-8; records must be JSON in UTF-8") from None
    try:
        return orjson.loads(_ESCAPES.sub(lambda m: rb"\ufffd" if m["lone"] else m[0], value))
    except orjson.JSONDecodeError:
        raise Fault("not_json", f"expected JSON; line {error.lineno} column {error.colno}: {error.msg}") from None


def _ephemeral(parsed: dict[str, Any]) -> bool:
    value = parsed.get("ephemeral")
    if value is None or isinstance(value, bool):
        return value is True
    raise Fault("wrong_type", f"$.ephemeral: expected true or false, got {type_name(value)}; the payload is withheld")


def _key_text(record: InRecord) -> str | None:
    return record.key.decode("utf-8", "replace") if record.key else None


def _record_time(record: InRecord, path: str) -> int:
    at_ms = record.timestamp_ms
    if at_ms is None or at_ms < 0:
        raise Fault("missing_time", f"{path}: expected a time, got nothing, and the record has none either")
    if at_ms > SENT_AT_MS_MAX:
        raise Fault("bad_time", f"the record's timestamp {at_ms} lies after the year 2200")
    return at_ms


def _payload_of(reading: Reading | Misread, readings: int, record: InRecord) -> bytes | None:
    """The record, or of a transcript the message at fault alone; nothing of a temporary chat (P6)."""
    item = reading.item if isinstance(reading, Misread) else {"role": reading.draft.role, "text": reading.draft.text}
    if isinstance(item, dict) and item.get("ephemeral") not in (None, False):
        return None
    if readings == 1:
        return record.value
    try:
        return orjson.dumps(item)
    except orjson.JSONEncodeError:  # nested deeper than orjson writes
        return None


def _checked_id(value: str, path: str, field: str) -> str:
    if not value.strip():
        raise Fault("bad_id", f"{path}.{field}: expected an id, got an empty string")
    if len(value) > ID_BYTES_MAX or (not value.isascii() and len(value.encode()) > ID_BYTES_MAX):
        raise Fault("bad_id", f"{path}.{field}: expected at most {ID_BYTES_MAX} bytes, got {len(value)} characters")
    if _CONTROL.search(value):
        raise Fault("bad_id", f"{path}.{field}: expected no control characters")
    return value


def _optional_id(value: str | None, path: str, field: str) -> str | None:
    return _checked_id(value, path, field) if value else None


def _participants(names: tuple[str, ...] | None, path: str, field: str) -> tuple[str, ...]:
    if not names:
        return ()
    if len(names) > PARTICIPANTS_MAX:
        raise Fault("too_large", f"{path}.{field}: {len(names)} participants, expected at most {PARTICIPANTS_MAX}")
    return tuple(_checked_id(name, path, field) for name in names)


def _namespace(value: list[str] | str | None) -> tuple[str, ...] | None:
    parts = value.split("/") if isinstance(value, str) else value
    return tuple(_checked_id(part, "$", "namespace") for part in parts) if parts else None


def _slot_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except orjson.JSONEncodeError:
        raise Fault("wrong_type", "$.profile: expected slots with short values, got one nested too deep") from None


@lru_cache(maxsize=1024)
def _is_timezone(name: str) -> bool:
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return False
    return True
