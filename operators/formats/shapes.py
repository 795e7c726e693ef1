"""What every input format reads a record into, and how it says what is wrong with one.

A format is a function from a parsed JSON object to readings; all checks that do not depend on the format
(ids, times, roles, sizes, redaction) happen once, in operators.decode.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

import msgspec

from operators.redact import redact

PARTICIPANTS_MAX = 1_000
SENT_AT_MS_MAX = 7_289_654_399_999  # the last millisecond of the year 2200
_SECONDS_BELOW = 1e11  # as seconds the year 5138, as milliseconds 1973: an epoch number below it counts seconds
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_AT_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`$", re.DOTALL)
_EXPECTED = re.compile(r"Expected `([a-z |]+)`")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_SPELT = {
    "str": "a string", "int": "a number", "float": "a number", "bool": "true or false", "array": "a list",
    "object": "an object",
}  # fmt: skip
_SHOWN_CHARS = 40
_NEAR_MIN = 0.7
_REDACTED_CHARS = 1_000
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
_NUMBER = re.compile(r"\s*\d{1,20}(?:\.\d{1,12})?\s*")
_PER_MS: dict[str, tuple[int, int]] = {"s": (1000, 1), "ms": (1, 1), "us": (1, 1000), "ns": (1, 1_000_000)}

Time = str | int | float
TimeUnit = Literal["auto", "iso", "s", "ms", "us", "ns"]


class Fault(Exception):  # noqa: N818  # it is a value that readers hand on, seldom raised past them
    """What is wrong with a record or with one message in it (S3): a reason to count, and a line for people."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """One message in the canonical field names (INTERFACE "A message"), its types checked and nothing else."""

    user_id: str | None = None
    tenant: str | None = None
    conversation_id: str | None = None
    message_id: str | None = None
    role: str | None = None
    text: Any = None
    sent_at: Time | None = None
    agent_id: str | None = None
    speaker: str | None = None
    timezone: str | None = None
    language: str | None = None
    reply_to: str | None = None
    participants: tuple[str, ...] | None = None
    edited_at: Time | None = None
    deleted: bool | None = None
    ephemeral: bool | None = None
    ordinal: int | None = None


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """What a record of any format may say in the canonical names, and what formats.fields puts there."""

    user_id: str | None = None
    tenant: str | None = None
    conversation_id: str | None = None
    agent_id: str | None = None
    timezone: str | None = None
    language: str | None = None
    sent_at: Time | None = None
    participants: tuple[str, ...] | None = None


class Reading(msgspec.Struct, frozen=True):
    """A draft and where it stood in its record.

    `names`: the format's own names of canonical fields, for faults; one that starts with "$" is a whole path.
    `transcript`: the record holds a whole conversation that comes again and grows, so a message without an id or a
    time of its own gets an id that leaves the time out, and the record's time plus its ordinal in milliseconds.
    `record_at_ms` is the time that such a record states for the whole of it. `at_ms` and `edited_at_ms`: times that the
    format has a unit for. `room`: the format knows rooms, where a word of the assistant may be addressed to nobody.
    `item`: the message as it came, where the record holds several.
    """

    draft: Draft
    path: str = "$"
    names: Mapping[str, str] = {}
    transcript: bool = False
    record_at_ms: int | None = None
    at_ms: int | None = None
    edited_at_ms: int | None = None
    room: bool = False
    item: object = None

    def place(self, name: str) -> str:
        """The path of a canonical field within the record, in the format's own words."""
        own = self.names.get(name, name)
        return own if own.startswith("$") else f"{self.path}.{own}"


@dataclass(frozen=True, slots=True)
class Misread:
    """One message of a record that could not be read, and what it was: its neighbours go on (X13).

    `withheld`: it may have been of a temporary chat, so nothing of it is kept (P6).
    """

    fault: Fault
    item: object = None
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """One message of a record that says nothing to remember, and why: "notice" (a join, an example…), "ephemeral"."""

    outcome: str


Read = Reading | Misread | Passed


def unmeant(item: Mapping[str, Any], path: str) -> Misread | Passed | None:
    """What a message of a temporary chat comes to (P6); None for all others. It is asked before all else."""
    value = item.get("ephemeral")
    if value is None or value is False:
        return None
    if value is True:
        return Passed("ephemeral")
    detail = f"{path}.ephemeral: expected true or false, got {shown(value)}; the payload is withheld"
    return Misread(Fault("wrong_type", detail), item, withheld=True)


def shape_fault(error: msgspec.ValidationError, record: object, path: str = "$") -> Fault:
    """Turns msgspec's complaint about `record` into a fault: "$.sent_at: expected a string or a number, got {…}"."""
    found = _AT_PATH.match(str(error))
    what = found["what"] if found else str(error)
    below = (found["path"] if found else None) or ""
    if missing := _MISSING.match(what):
        return Fault("missing_field", f"{path}{below}.{missing[1]}: expected a value, got nothing")
    value = record
    for name, index in _STEP.findall(below):
        if name:
            value = value.get(name) if isinstance(value, dict) else None
        else:
            value = value[int(index)] if isinstance(value, list) and int(index) < len(value) else None
    expected = _EXPECTED.match(what)
    kinds = expected[1].split(" | ") if expected else []
    spelt = " or ".join(dict.fromkeys(_SPELT.get(kind, kind) for kind in kinds if kind != "null")) or what
    return Fault("wrong_type", f"{path}{below}: expected {spelt}, got {shown(value)}")


def shown(value: object) -> str:
    """A parsed value in a line for people: redacted (P2), long strings cut, structures by their kind."""
    if isinstance(value, str):  # redacted before the cut, which may halve what gives a secret away
        clean = redact(value[:_REDACTED_CHARS])[0]
        return repr(clean if len(clean) <= _SHOWN_CHARS else f"{clean[:_SHOWN_CHARS]}…")
    if isinstance(value, bool) or value is None:
        return "null" if value is None else str(value).lower()
    if isinstance(value, int | float):
        return redact(f"{value!r:.{_SHOWN_CHARS}}")[0]
    return f"an {type_name(value)}"


def near(name: str, known: Iterable[str]) -> str:
    """What a misspelt name may have meant, as the end of a sentence: "; did you mean 'text'?", or nothing."""
    close = difflib.get_close_matches(name[:_SHOWN_CHARS], list(known), n=1, cutoff=_NEAR_MIN)
    return f"; did you mean {close[0]!r}?" if close else ""


def text_of(value: object, path: str) -> str:
    """The text of a message: a string, or the text parts of OpenAI content parts joined by line breaks.

    Parts of other types (images, files, reasoning, tool calls and results) are left out: they are not the speaker's
    words (X7).
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise Fault("wrong_type", f"{path}: expected a string or a list of content parts, got {shown(value)}")
    texts: list[str] = []
    for index, part in enumerate(value):
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, dict):
            raise Fault("wrong_type", f"{path}[{index}]: expected a content part, got {shown(part)}")
        elif isinstance(kind := part.get("type", "text"), str) and kind in _TEXT_PARTS:
            text = part.get("text")
            if isinstance(text, dict):  # as OpenAI's threads have it: {"value": …, "annotations": […]}
                text = text.get("value")
            if not isinstance(text, str):
                raise Fault("wrong_type", f"{path}[{index}].text: expected a string, got {shown(text)}")
            texts.append(text)
    return "\n".join(texts)


def event_time_ms(value: Time, path: str) -> int:
    """Event time in ms since 1970 of an ISO 8601 string (no offset: UTC) or an epoch in seconds or milliseconds.

    Times outside the years 1970 to 2200 are faults: they are a unit or a field gone wrong, and would order a memory.
    """
    at_ms = known_time_ms(value)
    if at_ms is None:
        if isinstance(value, str):
            raise Fault("bad_time", f"{path}: expected ISO 8601 or an epoch number, got {shown(value)}")
        raise Fault("bad_time", f"{path}: expected a finite number")
    if not 0 <= at_ms <= SENT_AT_MS_MAX:
        raise Fault("bad_time", f"{path}: expected a time in the years 1970 to 2200, got {shown(value)}")
    return at_ms


def known_time_ms(value: Time) -> int | None:
    """The same without its checks; None where the value is no time."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip().upper())
        except ValueError:
            return None
        since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH
        return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000
    if not math.isfinite(value):
        return None
    return round(value * 1000) if abs(value) < _SECONDS_BELOW else round(value)


def unit_time_ms(value: Time, unit: TimeUnit, path: str) -> int:
    """Event time in ms of a time whose unit is known; numbers may stand in strings. Fractions of a ms are dropped."""
    if unit in ("auto", "iso"):
        if unit == "iso" and not isinstance(value, str):
            raise Fault("bad_time", f"{path}: expected an ISO 8601 string, got {shown(value)}")
        return event_time_ms(value, path)
    number: Decimal | None = None
    if isinstance(value, str):
        number = Decimal(value) if value.isascii() and _NUMBER.fullmatch(value) else None
    elif math.isfinite(value):
        number = Decimal(repr(value))
    if number is None:
        raise Fault("bad_time", f"{path}: expected an epoch in {unit}, got {shown(value)}")
    times, per = _PER_MS[unit]
    at_ms = number * times / per
    if not 0 <= at_ms < SENT_AT_MS_MAX + 1:
        raise Fault("bad_time", f"{path}: expected a time in the years 1970 to 2200, got {shown(value)}")
    return int(at_ms)


def type_name(value: object) -> str:
    """The JSON name of a parsed value's type, for messages to people."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
