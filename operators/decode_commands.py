"""Commands, checked and redacted (INTERFACE "A command")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast, get_args

import orjson

from operators.decode_rules import (
    NO_USER,
    WHOLE,
    DecodePolicy,
    check_size,
    checked_id,
    is_timezone,
    optional_id,
    record_time,
    tenant_of,
    user_of,
)
from operators.formats.canonical import CommandDraft, read_command
from operators.formats.shapes import Draft, Fault, Reading, event_time_ms, near, shown
from operators.observing import Observer
from operators.records import InRecord
from operators.redact import redact_slot
from state.export import RowError, fact_from_row, fact_row
from state.facts import KINDS, stable_id
from state.messages import Command, CommandName, Origin

COMMANDS: tuple[str, ...] = get_args(CommandName)
_ONE_OF: dict[str, tuple[str, ...]] = {
    "remember": ("text",),
    "forget": ("text", "fact_id", "namespace"),
    "approve": ("proposal_id", "match"),
    "reject": ("proposal_id", "match"),
    "edit": ("proposal_id", "match"),
    "pin": ("fact_id", "match"),
    "unpin": ("fact_id", "match"),
    "import": ("fact", "text"),
}
_FIELDS: dict[str, tuple[str, ...]] = {
    "remember": ("text", "kind", "namespace"),
    "forget": ("text", "fact_id", "namespace"),
    "erase": ("allow_replay",),
    "approve": ("proposal_id", "match"),
    "reject": ("proposal_id", "match"),
    "edit": ("proposal_id", "match", "content"),
    "pin": ("fact_id", "match"),
    "unpin": ("fact_id", "match"),
    "import": ("fact", "text", "kind", "namespace", "allow_replay"),
}
"""The fields of each command beside those that all have; the fields of a profile are its slots."""
_OF_ALL = ("command", "command_id", "user_id", "tenant", "sent_at")
_OF_CHANGES = frozenset({"text", "edited_at", "deleted"})
_OF_MESSAGES = frozenset(Draft.__struct_fields__) - _OF_CHANGES | {"schema_version"}
"""What a producer may put on every record, and what changes nothing of a command."""
WORDS = ("text", "match", "content")
"""Fields of a command that hold what people wrote."""
FACT_WORDS = ("content", "subject", "object", "reason")
"""The same of the exported fact that an import carries."""
FACT_BYTES_MAX = 300_000
"""Of an imported fact: its event has what it said before beside it, and must fit a topic."""
NAMESPACE_PARTS_MAX = 16
_PROFILE = Reading(Draft(), "$.profile")


_VERBATIM = frozenset({"remember", "edit"})


class CommandReader:
    """Reads commands under one policy; it counts messages_total and redactions_total."""

    def __init__(
        self, policy: DecodePolicy, observer: Observer, redact: Callable[[str], tuple[str, tuple[str, ...]]]
    ) -> None:
        self._policy, self._observer, self._redact = policy, observer, redact
        mapped = {part for name, path in policy.fields for part in (name, path.partition(".")[0])}
        self._beside = _OF_MESSAGES | mapped

    def read(self, parsed: dict[str, Any], record: InRecord) -> Command:
        """The command in a parsed record. Raises Fault."""
        draft = read_command(parsed)
        name = draft.command
        if name not in COMMANDS:
            raise Fault("unknown_command", f"$.command: expected one of {', '.join(COMMANDS)}, got {shown(name)}")
        if name != "profile":
            self._check_fields(parsed, name)
        needed = _ONE_OF.get(name, ())
        if needed and not any(_says(getattr(draft, field)) for field in needed):
            raise Fault("missing_field", f"$: {name} needs {' or '.join(needed)}")
        if name == "edit" and not _says(draft.content):
            raise Fault("missing_field", "$.content: edit needs the new content")
        if draft.kind is not None and draft.kind not in KINDS:
            raise Fault("unknown_command", f"$.kind: expected one of {', '.join(KINDS)}, got {shown(draft.kind)}")
        tenant, user_id = tenant_of(draft.tenant, self._policy), user_of(draft.user_id, record, self._policy)
        if user_id is None:
            raise Fault("missing_user", f"$.user_id: {NO_USER}")
        at_ms = self._command_time(draft, record)
        said = {field: self._said(getattr(draft, field), f"$.{field}") for field in WORDS}
        if name in _VERBATIM:
            for field, words in said.items():
                self._check_words(words, f"$.{field}")
        namespace = _namespace(draft.namespace)
        profile = self._profile(draft.profile or {})
        ids = {field: optional_id(getattr(draft, field), WHOLE, field) for field in ("fact_id", "proposal_id")}
        fact = None if draft.fact is None else self._fact(draft.fact, tenant, user_id)
        given = optional_id(draft.command_id, WHOLE, "command_id")
        asked = (draft.kind, namespace, *said.values(), *ids.values(), profile)
        replay = ("allow_replay",) if draft.allow_replay else ()
        command_id = given or stable_id(
            "command", tenant, user_id, name, at_ms, *asked, *((fact,) if fact else ()), *replay
        )
        self._observer.count("messages_total", format="canonical", outcome="command")
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
            fact=fact,
            allow_replay=draft.allow_replay is True,
            digest="" if name == "import" else stable_id(name, *asked, *replay),  # an import's id tells its content
            reused=False,
            emptied=False,
            **said,
            **ids,
        )

    def _check_fields(self, parsed: dict[str, Any], name: str) -> None:
        """Refuses a field that the command does not know, unless it is null. A record in a message's form may have
        every field of a message.
        """
        known = (*_FIELDS.get(name, ()), *_OF_ALL)
        for field, value in parsed.items():
            if value is None or field in known or field in self._beside or (field in _OF_CHANGES and "role" in parsed):
                continue
            what = f"{name} has no field {shown(field)}, expected one of {', '.join(known)}"
            raise Fault("unknown_field", f"$: {what}{near(field, known)}")

    def _check_words(self, words: str | None, path: str) -> None:
        limit = self._policy.fact_chars_max
        if words is not None and len(words) > limit:
            raise Fault("too_large", f"{path}: {len(words)} characters, expected at most {limit} of what to remember")

    def _said(self, text: str | None, path: str) -> str | None:
        return None if text is None else self._redacted(text, path)

    def _redacted(self, text: str, path: str) -> str:
        check_size(text, path, self._policy)
        clean, kinds = self._redact(text.replace("\x00", "") if "\x00" in text else text)
        for kind in kinds:
            self._observer.count("redactions_total", kind=kind)
        return clean

    def _fact(self, row: dict[str, Any], tenant: str, user_id: str) -> str:
        """An exported row as the command carries it: checked, its words redacted, its user the command's."""
        words = {name: row[name] for name in FACT_WORDS if isinstance(row.get(name), str)}
        clean = {name: self._redacted(text, f"$.fact.{name}") for name, text in words.items()}
        try:
            fact = fact_from_row({**row, **clean, "tenant": tenant, "user_id": user_id})
            checked_id(fact.fact_id, WHOLE, "fact.id")
            self._check_words(fact.content, "$.fact.content")
            carried = orjson.dumps(fact_row(fact), option=orjson.OPT_SORT_KEYS)
        except (RowError, OverflowError, orjson.JSONEncodeError) as error:
            raise Fault("wrong_type", f"$.fact: {error}") from None
        if len(carried) > FACT_BYTES_MAX:
            raise Fault("too_large", f"$.fact: {len(carried)} bytes, expected at most {FACT_BYTES_MAX}")
        return carried.decode()

    def _profile(self, slots: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        """Slots in the order of their names; values as text, lists joined by commas, nulls and unknown time zones left
        out.
        """
        kept: list[tuple[str, str]] = []
        for name in sorted(slots):
            if slots[name] is not None:
                text = self._redacted(_slot_text(slots[name]), f"$.profile.{name[:40]}")
                if name == "timezone" and not is_timezone(text):
                    self._observer.count("messages_total", format="canonical", outcome="bad_timezone")
                    continue
                clean, kinds = redact_slot(name, text)
                for kind in kinds:
                    self._observer.count("redactions_total", kind=kind)
                kept.append((checked_id(name, _PROFILE, "(name)"), clean))
        return tuple(kept)

    def _command_time(self, draft: CommandDraft, record: InRecord) -> int:
        """Of the field, else of the record; a profile without either holds from the beginning."""
        if draft.sent_at is not None:
            return event_time_ms(draft.sent_at, "$.sent_at")
        if draft.command == "profile" and record.timestamp_ms is None:
            return 0
        return record_time(record, "$.sent_at")


def _says(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else bool(value)


def _namespace(value: list[str] | str | None) -> tuple[str, ...] | None:
    parts = value.split("/") if isinstance(value, str) else value
    if parts and len(parts) > NAMESPACE_PARTS_MAX:
        raise Fault("too_large", f"$.namespace: {len(parts)} parts, expected at most {NAMESPACE_PARTS_MAX}")
    return tuple(checked_id(part, WHOLE, "namespace") for part in parts) if parts else None


def _slot_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except orjson.JSONEncodeError:
        raise Fault("wrong_type", "$.profile: expected slots with short values, got one nested too deep") from None
