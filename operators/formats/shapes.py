"""What every input format reads a record into, and how it says what is wrong with one.

A format is a function from a parsed JSON object to readings; all checks that do not depend on the format
(ids, times, roles, sizes, redaction) happen once, in operators.decode.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

SENT_AT_MS_MAX = 7_289_654_399_999  # the last millisecond of the year 2200
_SECONDS_BELOW = 1e11  # as seconds the year 5138, as milliseconds 1973: an epoch number below it counts seconds
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_AT_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})

Time = str | int | float


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


@dataclass(frozen=True, slots=True)
class Reading:
    """A draft and where it stood in its record.

    `transcript`: the record holds a whole conversation that comes again and grows, so a message without an id or a
    time of its own gets an id that leaves the time out, and the record's time plus its ordinal in milliseconds.
    `record_at` is the time that such a record states for the whole of it.
    """

    draft: Draft
    path: str = "$"
    text_field: str = "text"
    transcript: bool = False
    record_at: Time | None = None


@dataclass(frozen=True, slots=True)
class Misread:
    """One message of a record that could not be read, and what it was: its neighbours go on (X13)."""

    fault: Fault
    item: object


def shape_fault(error: msgspec.ValidationError, path: str = "$") -> Fault:
    """Turns msgspec's complaint into a fault that starts with the path of what is wrong: "$.sent_at: expected …"."""
    found = _AT_PATH.match(str(error))
    what = found["what"] if found else str(error)
    below = (found["path"] if found else None) or ""
    reason = "missing_field" if "missing required field" in what else "wrong_type"
    return Fault(reason, f"{path}{below}: {what[:1].lower()}{what[1:]}".replace("`", ""))


def text_of(value: object, path: str) -> str:
    """The text of a message: a string, or the text parts of OpenAI content parts joined by line breaks.

    Parts of other types (images, files, tool calls and results) are left out: they are not the speaker's words (X7).
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise Fault("wrong_type", f"{path}: expected a string or a list of content parts, got {type_name(value)}")
    texts: list[str] = []
    for index, part in enumerate(value):
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, dict):
            raise Fault("wrong_type", f"{path}[{index}]: expected a content part, got {type_name(part)}")
        elif part.get("type", "text") in _TEXT_PARTS:
            text = part.get("text")
            if not isinstance(text, str):
                raise Fault("wrong_type", f"{path}[{index}].text: expected a string, got {type_name(text)}")
            texts.append(text)
    return "\n".join(texts)


def event_time_ms(value: Time, path: str) -> int:
    """Event time in ms since 1970 of an ISO 8601 string (no offset: UTC) or an epoch in seconds or milliseconds.

    Times outside the years 1970 to 2200 are faults: they are a unit or a field gone wrong, and would order a memory.
    """
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip().upper())
        except ValueError:
            raise Fault("bad_time", f"{path}: expected ISO 8601 or an epoch number, got {value[:40]!r}") from None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        at_ms = (moment - _EPOCH) // _MILLISECOND
    elif not math.isfinite(value):
        raise Fault("bad_time", f"{path}: expected a finite number")
    else:
        at_ms = round(value * 1000) if abs(value) < _SECONDS_BELOW else round(value)
    if not 0 <= at_ms <= SENT_AT_MS_MAX:
        raise Fault("bad_time", f"{path}: expected a time in the years 1970 to 2200, got {str(value)[:40]}")
    return at_ms


def type_name(value: object) -> str:
    """The JSON name of a parsed value's type, for messages to people."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
