"""A team's own JSON, by a mapping from the fields of a message to paths in the record.

A path is names with dots and places in lists (`author.id`, `events[0].body`, `members[*].id`, `['odd.name']`). Where
`messages` names a list in the record, each of its items is a message: paths start at the item, and at the record where
they begin with "$.".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from operators.formats.shapes import (
    Draft,
    Fault,
    Misread,
    Passed,
    Read,
    Reading,
    Time,
    TimeUnit,
    shown,
    unit_time_ms,
)

_STEP = re.compile(r"\.?([^.\[\]'\s][^.\[\]']*)|\[(\d{1,6})\]|(\[\*\])|\['([^']+)'\]")
_IDS = ("user_id", "tenant", "conversation_id", "message_id", "agent_id", "speaker", "timezone", "language", "reply_to")
_OTHERS = ("text", "role", "sent_at", "participants", "edited_at", "deleted", "ephemeral")

Step = str | int | None  # a name, a place in a list, or every place


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """Where a message's fields are: paths, empty where the record has none.

    `messages`: the path of a list of messages. `time_unit`: of sent_at and edited_at; "auto" takes ISO 8601, and
    numbers as seconds or milliseconds by their size. `roles`: (name in the records, one of our roles), before
    formats.roles; `default_role`: where the record names none. `deleted` holds where it is true or a time.
    """

    text: str = ""
    user_id: str = ""
    role: str = ""
    sent_at: str = ""
    conversation_id: str = ""
    message_id: str = ""
    tenant: str = ""
    agent_id: str = ""
    speaker: str = ""
    timezone: str = ""
    language: str = ""
    reply_to: str = ""
    participants: str = ""
    edited_at: str = ""
    deleted: str = ""
    ephemeral: str = ""
    messages: str = ""
    default_role: str = ""
    time_unit: TimeUnit = "auto"
    roles: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Path:
    """A path as steps, from the record or from the message, and its name within the record for faults."""

    steps: tuple[Step, ...]
    of_record: bool
    name: str


def reader(mapping: FieldMapping) -> Callable[[dict[str, Any], str | None], list[Read]]:
    """The reader of a mapping. Raises ValueError where a path is none, or nothing could come of it."""
    if not mapping.text:
        raise ValueError("has no path for text, expected where a message's words are")
    if not mapping.role and not mapping.default_role:
        raise ValueError("has neither role nor default_role, expected a path, or the role of all messages")
    paths = {f.name: _parsed(f.name, getattr(mapping, f.name)) for f in fields(mapping) if f.name in (*_IDS, *_OTHERS)}
    found = {name: path for name, path in paths.items() if path is not None}
    several = _parsed("messages", mapping.messages)
    roles = {name.casefold(): role for name, role in mapping.roles.items()}
    mapped = _Mapped(mapping, found, roles, {name: path.name for name, path in found.items()})

    def read(record: dict[str, Any], key: str | None) -> list[Read]:
        del key
        if several is None:
            return [mapped.read(record, record, "$", None)]
        items = _at(record, several.steps)
        if not isinstance(items, list):
            raise Fault("wrong_type", f"$.{mapping.messages}: expected a list of messages, got {shown(items)}")
        return [mapped.read(item, record, f"$.{mapping.messages}[{index}]", index) for index, item in enumerate(items)]

    return read


@dataclass(frozen=True, slots=True)
class _Mapped:
    """A mapping made ready."""

    mapping: FieldMapping
    paths: dict[str, _Path]
    roles: dict[str, str]
    names: dict[str, str]

    def read(self, item: object, record: dict[str, Any], place: str, ordinal: int | None) -> Read:
        values = {name: _at(record if path.of_record else item, path.steps) for name, path in self.paths.items()}
        reading = Reading(Draft(), place, self.names)
        temporary = values.get("ephemeral")
        if temporary is True:
            return Passed("ephemeral")
        if temporary not in (None, False):
            detail = (
                f"{reading.place('ephemeral')}: expected true or false, got {shown(temporary)}; the payload is withheld"
            )
            return Misread(Fault("wrong_type", detail), item, withheld=True)
        try:
            return self._reading(values, reading, item, ordinal)
        except Fault as fault:
            return Misread(fault, item)

    def _reading(self, values: dict[str, Any], at: Reading, item: object, ordinal: int | None) -> Reading:
        ids: dict[str, Any] = {name: _id(values[name], at.place(name)) for name in _IDS if name in values}
        sent_at, edited_at = values.get("sent_at"), values.get("edited_at")
        shared = ordinal is not None and "sent_at" in self.paths and self.paths["sent_at"].of_record
        sent_ms = None if sent_at is None else self._time(sent_at, at.place("sent_at"))
        return Reading(
            Draft(
                **ids,
                role=self._role(values.get("role"), at),
                text="" if values.get("text") is None and ordinal is not None else values.get("text"),
                participants=_ids(values.get("participants"), at.place("participants")),
                deleted=True if _holds(values.get("deleted")) else None,
                ordinal=ordinal,
            ),
            at.path,
            self.names,
            transcript=ordinal is not None,
            record_at_ms=sent_ms if shared else None,
            at_ms=None if shared else sent_ms,
            edited_at_ms=None if edited_at is None else self._time(edited_at, at.place("edited_at")),
            item=item,
        )

    def _time(self, value: object, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, Time):
            raise Fault("wrong_type", f"{path}: expected a time, got {shown(value)}")
        return unit_time_ms(value, self.mapping.time_unit, path)

    def _role(self, value: object, at: Reading) -> str | None:
        if value is None:
            return self.mapping.default_role or None
        if isinstance(value, str | int):
            name = str(value).lower() if isinstance(value, bool) else str(value)
            return self.roles.get(name.casefold(), name)
        raise Fault("wrong_type", f"{at.place('role')}: expected the name of a role, got {shown(value)}")


def _parsed(name: str, path: str) -> _Path | None:
    if not path:
        return None
    of_record = path.startswith("$.")
    rest = path.removeprefix("$.")
    steps: list[Step] = []
    at = 0
    while at < len(rest):
        found = _STEP.match(rest, at)
        if found is None:
            break
        steps.append(int(found[2]) if found[2] else None if found[3] else found[1] or found[4])
        at = found.end()
    if at < len(rest) or not steps:
        raise ValueError(f"has {path!r} for {name}, expected a path such as author.id, items[0].text or ['odd.name']")
    return _Path(tuple(steps), of_record, f"$.{rest}" if of_record else rest)


def _at(value: Any, steps: tuple[Step, ...]) -> Any:
    """What stands at a path, None where nothing does; for every place of a list, the list of what stands there."""
    for place, step in enumerate(steps):
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        elif isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        elif isinstance(value, list):
            return [_at(inner, steps[place + 1 :]) for inner in value]
        else:
            return None
        if value is None:
            return None
    return value


def _id(value: object, path: str) -> str | None:
    """An id, which may be an integer in the record."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise Fault("wrong_type", f"{path}: expected a string or an integer, got {shown(value)}")


def _ids(value: object, path: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Fault("wrong_type", f"{path}: expected a list of ids, got {shown(value)}")
    found = (_id(item, f"{path}[{index}]") for index, item in enumerate(value))
    return tuple(name for name in found if name is not None)


def _holds(value: object) -> bool:
    return value is not None and value is not False and value not in (0, "")
