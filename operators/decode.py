"""The first step: a record's bytes become messages and commands, redacted (P2), or a rejection that says why (S3).

Decoding is a pure function of the record and the policy, and raises for no bytes whatever. What a person wrote passes
operators.redact here, before any window, state, log or dead letter sees it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import msgspec
import orjson
import structlog

from operators.dead_letters import mask
from operators.decode_commands import COMMANDS, CommandReader
from operators.decode_rules import (
    CONTROL,
    LANGUAGE,
    NO_USER,
    REASONS,
    ROLE_NAMES,
    ROLES,
    DecodePolicy,
    check_size,
    checked_id,
    is_timezone,
    key_text,
    optional_id,
    participants_of,
    record_time,
    tenant_of,
    user_of,
)
from operators.formats import FORMATS, LISTS, READERS, sniff
from operators.formats import canonical as canonical_format
from operators.formats.canonical import is_command, is_only_command
from operators.formats.framing import FRAME_BYTES, is_framed, schema_id
from operators.formats.mapping import FieldMapping, reader
from operators.formats.shapes import (
    SENT_AT_MS_MAX,
    Fault,
    Misread,
    Passed,
    Read,
    Reading,
    event_time_ms,
    known_time_ms,
    shown,
    text_of,
    type_name,
)
from operators.hooks import NO_HOOKS, HookFailed, Hooks
from operators.observing import Observer, Unobserved
from operators.records import InRecord
from operators.redact import redact
from state.facts import stable_id
from state.messages import Command, Message, Origin, Rejected, Role

__all__ = ["COMMANDS", "REASONS", "ROLES", "ROLE_NAMES", "DecodePolicy", "Decoder"]

log = structlog.get_logger("factstream.decode")

_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_NO_COMMANDS = "$: a command, and this is no commands topic; send it to the commands topic, or by the command line"


class Decoder:
    """Decodes records under one policy.

    It counts messages_total{format,outcome}, redactions_total{kind} and dead_letters_total{reason}. Outcomes: message,
    copy (for another participant), command, rejected, ephemeral, empty, blank, notice (nobody said it), unaddressed
    (the assistant's, to nobody known); bad_timezone and bad_language in addition, where a field was ignored.
    """

    def __init__(self, policy: DecodePolicy, observer: Observer | None = None, hooks: Hooks = NO_HOOKS) -> None:
        self._policy = policy
        self._observer: Observer = observer or Unobserved()
        self._hooks = hooks
        self._unaddressed_told = False
        self._commands = CommandReader(policy, self._observer, self._redacted)
        self._formats = dict(policy.topic_formats)
        self._readers = dict(READERS)
        for name, mapping in policy.mappings:
            self._readers[name] = self._mapped(name, mapping)
        self._roles = ROLE_NAMES | {name.casefold(): role for name, role in policy.roles}
        for name in (policy.format, *self._formats.values()):
            if name != "auto" and name not in self._readers:
                known = ", ".join(("auto", *self._readers))
                raise ValueError(f"format {name!r} does not exist: expected one of {known}")
        for name, role in policy.roles:
            if role not in ROLES:
                raise ValueError(f"role {name!r} is mapped to {role!r}: expected one of {', '.join(ROLES)}")

    def _mapped(self, name: str, mapping: FieldMapping) -> Any:
        if name in FORMATS:
            raise ValueError(f"mapping {name!r} has the name of a format: expected another name")
        if not mapping.user_id and not self._policy.user_from_key:
            raise ValueError(f"mapping {name!r} has no path for user_id: expected one, or user_from_key")
        roles = {f"mapping {name!r}, role {theirs!r}": ours for theirs, ours in mapping.roles.items()}
        if mapping.default_role:
            roles[f"mapping {name!r}, default_role"] = mapping.default_role
        for what, role in roles.items():
            if role not in ROLES:
                raise ValueError(f"{what} is {role!r}: expected one of {', '.join(ROLES)}")
        try:
            return reader(mapping)
        except ValueError as error:
            raise ValueError(f"mapping {name!r} {error}") from None

    def decode(self, record: InRecord) -> tuple[Message | Command | Rejected, ...]:
        """Everything that one record says, in order. Nothing for blank lines and temporary chats (P6)."""
        format_name = self._formats.get(record.topic, self._policy.format)
        if format_name in ("auto", "canonical"):
            plain = self._plain(record)
            if plain is not None:
                return plain
        try:
            parsed = self._parse(record, format_name)
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
            if record.role == "commands":
                return (self._commands.read(parsed, record),)
            if self._is_command(parsed, format_name):
                if record.role != "mixed":
                    raise Fault("unauthorised", _NO_COMMANDS)
                return (self._commands.read(parsed, record),)
            readings = self._readers[format_name](parsed, key_text(record))
        except Fault as fault:
            return (self._reject(record, fault, format_name, record.value),)
        return tuple(self._messages(readings, record, format_name))

    def _is_command(self, parsed: dict[str, Any], format_name: str) -> bool:
        if format_name in ("canonical", "openai"):
            return is_command(parsed)
        return is_only_command(parsed, COMMANDS)

    def _plain(self, record: InRecord) -> tuple[Message, ...] | None:
        """The short way for a record with canonical fields alone; None where anything is amiss, for the long way."""
        value = record.value
        if (
            value is None
            or record.role == "commands"
            or self._policy.fields
            or len(value) > self._policy.record_bytes_max
        ):
            return None
        try:
            reading = Reading(canonical_format.parse(value[FRAME_BYTES:] if is_framed(value) else value))
            if reading.draft.ephemeral:
                self._ended("canonical", "ephemeral")
                return ()
            return self._message(reading, record, "canonical", "default")
        except (Fault, msgspec.DecodeError, UnicodeError, OverflowError, RecursionError):
            return None

    def _ended(self, format_name: str, outcome: str) -> None:
        self._observer.count("messages_total", format=format_name, outcome=outcome)

    def _parse(self, record: InRecord, format_name: str) -> dict[str, Any] | None:
        value = record.value
        if value is None:
            raise Fault("null_value", "expected a message, got a record without a value")
        if len(value) > self._policy.record_bytes_max:
            raise Fault("too_large", f"{len(value)} bytes, expected at most {self._policy.record_bytes_max}")
        if is_framed(value):
            parsed = _unframed(value)
        else:
            value = value.removeprefix(b"\xef\xbb\xbf")
            if not value.strip():
                return None
            try:
                parsed = orjson.loads(value)
            except orjson.JSONDecodeError as error:
                parsed = _parse_again(value, error)
        if isinstance(parsed, list) and format_name in LISTS:
            return {LISTS[format_name]: parsed}
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

    def _messages(self, readings: list[Read], record: InRecord, format_name: str) -> Iterator[Message | Rejected]:
        conversation = self._conversation_of_transcript(readings)
        for reading in readings:
            if isinstance(reading, Passed):
                self._ended(format_name, reading.outcome)
                continue
            try:
                if isinstance(reading, Misread):
                    raise reading.fault
                messages = self._message(reading, record, format_name, conversation)
            except Fault as fault:
                yield self._reject(record, fault, format_name, _payload_of(reading, len(readings), record))
                continue
            yield from messages

    def _message(self, reading: Reading, record: InRecord, format_name: str, conversation: str) -> tuple[Message, ...]:
        """The message, once for each participant whom it reaches; it is counted when nothing can go wrong any more."""
        draft = reading.draft
        if draft.ephemeral:
            self._ended(format_name, "ephemeral")
            return ()
        deleted = draft.deleted is True
        role = self._role(reading)
        text, kinds = ("", ()) if deleted else self._text(reading)
        edited = draft.edited_at is not None or reading.edited_at_ms is not None
        if not text.strip() and not deleted and not edited:
            self._ended(format_name, "empty")
            return ()
        if deleted and draft.message_id is None:
            place = reading.place("message_id")
            raise Fault("missing_field", f"{place}: expected the id of the message that was deleted, got nothing")
        people = participants_of(draft.participants, reading)
        user_id = self._addressee(reading, role, people, record)
        conversation = checked_id(draft.conversation_id or conversation, reading, "conversation_id")
        sent_at_ms = self._time(reading, record)
        if draft.message_id is not None:
            message_id = checked_id(draft.message_id, reading, "message_id")
        else:
            timed = draft.sent_at is not None or reading.at_ms is not None or not reading.transcript
            message_id = stable_id(conversation, sent_at_ms if timed else "", role, text, draft.ordinal or 0)
        message = Message(
            tenant=tenant_of(draft.tenant, self._policy),
            user_id=user_id or "",
            conversation_id=conversation,
            message_id=message_id,
            role=role,
            text=text,
            sent_at_ms=sent_at_ms,
            origin=Origin(record.topic, record.partition, record.offset),
            agent_id=optional_id(draft.agent_id, reading, "agent_id"),
            speaker=None
            if draft.speaker is None
            else optional_id(self._redacted(draft.speaker)[0], reading, "speaker"),
            timezone=draft.timezone if draft.timezone and is_timezone(draft.timezone) else None,
            language=draft.language if draft.language and LANGUAGE.fullmatch(draft.language) else None,
            reply_to=optional_id(draft.reply_to, reading, "reply_to"),
            participants=people,
            edited_at_ms=_edited(reading),
            deleted=deleted,
        )
        for kind in kinds:
            self._observer.count("redactions_total", kind=kind)
        if draft.timezone is not None and message.timezone is None:
            self._ended(format_name, "bad_timezone")
        if draft.language is not None and message.language is None:
            self._ended(format_name, "bad_language")
        return self._delivered(message, format_name)

    def _addressee(self, reading: Reading, role: Role, people: tuple[str, ...], record: InRecord) -> str | None:
        """Whose memory the message is for first; None for an assistant's in a room, which is for all in it."""
        if role != "user" and people and reading.draft.user_id is None:
            return None
        user_id = user_of(reading.draft.user_id, record, self._policy, reading)
        if user_id is not None or (role != "user" and reading.room):
            return user_id
        raise Fault("missing_user", f"{reading.place('user_id')}: {NO_USER}")

    def _delivered(self, message: Message, format_name: str) -> tuple[Message, ...]:
        """The message for whom it concerns and, in a group, a copy for each other participant.

        What the user says is a peer's word to the others; what assistant, system and tools say keeps its role. A
        message of role peer is one participant's view already, and goes no further.
        """
        first = message.user_id
        others = message.participants
        if others:
            if (message.role == "peer" and first) or len(others) > self._policy.participants_max:
                others = ()
            else:
                others = tuple(who for who in dict.fromkeys(others) if who not in (first, message.agent_id))
        messages: tuple[Message, ...] = (message,) if first else ()
        if others:
            changes: dict[str, Any] = {}
            if message.role == "user":
                changes = {"role": "peer", "speaker": message.speaker or first, "author": first, "timezone": None}
            messages += tuple(replace(message, user_id=who, **changes) for who in others)
        if not messages:
            self._ended(format_name, "unaddressed")
            self._tell_unaddressed(message.origin)
            return ()
        self._ended(format_name, "message")
        for _ in messages[1:]:
            self._ended(format_name, "copy")
        return messages

    def _tell_unaddressed(self, origin: Origin) -> None:
        """Says once a process what is passed over, for it is no fault of the record and makes no dead letter."""
        if not self._unaddressed_told:
            self._unaddressed_told = True
            log.warning(
                "decode.unaddressed",
                topic=origin.topic,
                partition=origin.partition,
                offset=origin.offset,
                note="nobody is named to whom the assistant, a bot or a tool spoke, so it is passed over; give its"
                " records user_id or participants (Slack: members). messages_total counts what follows",
            )

    def _conversation_of_transcript(self, readings: list[Read]) -> str:
        """A transcript without a conversation id is known by its first user message, which stays as it grows."""
        for reading in readings:
            if not isinstance(reading, Reading) or not reading.transcript:
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

    def _role(self, reading: Reading) -> Role:
        named = reading.draft.role
        if named is None:
            if reading.draft.deleted:
                return "user"
            raise Fault("missing_field", f"{reading.place('role')}: expected one of {', '.join(ROLES)}, got nothing")
        role = self._roles.get(named) or self._roles.get(named.casefold())
        if role is None:
            known = ", ".join(ROLES)
            raise Fault(
                "unknown_role",
                f"{reading.place('role')}: expected one of {known}, got {shown(named)}; map it in formats.roles",
            )
        return cast("Role", role)

    def _text(self, reading: Reading) -> tuple[str, tuple[str, ...]]:
        text = reading.draft.text
        if not isinstance(text, str):
            place = reading.place("text")
            if text is None:
                raise Fault("missing_field", f"{place}: expected a string or a list of content parts, got nothing")
            text = text_of(text, place)
        if len(text) > self._policy.text_chars_max:
            check_size(text, reading.place("text"), self._policy)
        return self._redacted(text.replace("\x00", "") if "\x00" in text else text)

    def _redacted(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text without what P2 names, nor what the product's own hooks take out. Raises Fault where one fails."""
        clean, kinds = redact(text)
        if not self._hooks.redact:
            return clean, kinds
        try:
            after = self._hooks.redacted(clean)
        except HookFailed as failed:
            raise Fault("hook_failed", str(failed)) from None
        return after, kinds if after == clean else (*kinds, "hook")

    def _time(self, reading: Reading, record: InRecord) -> int:
        sent_at = reading.draft.sent_at
        if reading.at_ms is not None:
            return reading.at_ms
        if sent_at is not None:
            at_ms = known_time_ms(sent_at)
            if at_ms is not None and 0 <= at_ms <= SENT_AT_MS_MAX:
                return at_ms
            return event_time_ms(sent_at, reading.place("sent_at"))
        later_ms = (reading.draft.ordinal or 0) if reading.transcript else 0
        if reading.record_at_ms is not None:
            return reading.record_at_ms + later_ms
        return record_time(record, reading.place("sent_at")) + later_ms

    def _reject(self, record: InRecord, fault: Fault, format_name: str, payload: bytes | None) -> Rejected:
        self._ended(format_name, "rejected")
        self._observer.count("dead_letters_total", reason=fault.reason)
        detail = redact(CONTROL.sub(" ", fault.detail))[0]
        if payload is None or fault.reason == "hook_failed":
            payload = b""
        elif self._policy.payload == "masked":
            payload = _masked(payload)
            if self._hooks.redact:
                payload, detail = self._hooked(payload), self._hooked(detail.encode()).decode()
        return Rejected(
            reason=fault.reason,
            detail=detail,
            origin=Origin(record.topic, record.partition, record.offset),
            payload=payload,
            key=record.key,
            timestamp_ms=record.timestamp_ms,
        )

    def _hooked(self, masked: bytes) -> bytes:
        """What the product's redact hooks leave of a masked text; nothing of it where one fails."""
        try:
            return self._hooks.redacted(masked.decode("utf-8", "replace")).encode("utf-8", "replace")
        except HookFailed:
            return b""


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


def _unframed(value: bytes) -> object:
    """The JSON in a Schema Registry's frame. JSON Schema has it as it is; Avro and Protobuf are not JSON."""
    payload = value[FRAME_BYTES:]
    try:
        try:
            return orjson.loads(payload)
        except orjson.JSONDecodeError as error:
            return _parse_again(payload, error)
    except Fault as fault:
        raise Fault(
            "schema_payload",
            f"framed by a Schema Registry with schema id {schema_id(value)}: expected JSON in it, got Avro, Protobuf "
            f"or broken JSON ({fault.detail}); produce with a JSON Schema serializer, or convert the topic to JSON",
        ) from None


def _masked(payload: bytes) -> bytes:
    """The payload with what P2 names taken out; a Schema Registry's frame stays."""
    return payload[:FRAME_BYTES] + mask(payload[FRAME_BYTES:]) if is_framed(payload) else mask(payload)


def _ephemeral(parsed: dict[str, Any]) -> bool:
    value = parsed.get("ephemeral")
    if value is None or isinstance(value, bool):
        return value is True
    raise Fault("wrong_type", f"$.ephemeral: expected true or false, got {shown(value)}; the payload is withheld")


def _payload_of(reading: Reading | Misread, readings: int, record: InRecord) -> bytes | None:
    """The record, or of a record of several messages the one at fault alone; nothing of a temporary chat (P6)."""
    if isinstance(reading, Misread) and reading.withheld:
        return None
    if readings == 1:
        return record.value
    try:
        return orjson.dumps(reading.item)
    except (orjson.JSONEncodeError, TypeError):  # nested deeper than orjson writes
        return None


def _edited(reading: Reading) -> int | None:
    if reading.edited_at_ms is not None:
        return reading.edited_at_ms
    edited_at = reading.draft.edited_at
    return None if edited_at is None else event_time_ms(edited_at, reading.place("edited_at"))
