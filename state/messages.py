"""What enters the job: messages, commands and rejected records, with where each came from.

Times are integers, milliseconds since 1970-01-01T00:00Z, and always event time: no clock is read here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


def reduced(value: Any) -> tuple[type, tuple[Any, ...]]:
    """A slotted dataclass as pickle wants it: its class and its fields in order, ten times faster than by default.

    Items cross from worker to worker pickled; nothing is kept in that form.
    """
    kind = type(value)
    return kind, tuple(getattr(value, name) for name in kind.__slots__)


Role = Literal["user", "assistant", "peer", "system", "tool"]
CommandName = Literal[
    "remember",
    "forget",
    "erase",
    "approve",
    "reject",
    "edit",
    "pin",
    "unpin",
    "flush",
    "profile",
    "prune",
    "import",
    "reembed",
]


@dataclass(frozen=True, slots=True)
class Origin:
    """The record that something came from: topic, partition and offset, or file, 0 and the line's byte offset."""

    topic: str
    partition: int
    offset: int

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance, already redacted (P2). `user_id` says whose memory it may teach.

    `author` is, in a copy for another participant of a group, the id of the user who said it.
    """

    tenant: str
    user_id: str
    conversation_id: str
    message_id: str
    role: Role
    text: str
    sent_at_ms: int
    origin: Origin
    agent_id: str | None = None
    speaker: str | None = None
    timezone: str | None = None
    language: str | None = None
    reply_to: str | None = None
    participants: tuple[str, ...] = ()
    edited_at_ms: int | None = None
    deleted: bool = False
    author: str | None = None

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Command:
    """An instruction to one user's memory; it acts by its event time, once per `command_id`.

    `fact` is the exported row, as JSON, of an import that takes a fact over as it is; else its `text` is read.
    `allow_replay` of an erase: what was said before it may be learned again, where it is read again; of an import: what
    it brings of an erased user comes in. `timezone` is the user's, as their profile has it. `digest` tells commands
    apart that have one id; "" where nothing is to be compared. `reused`: its id was that of another command, so it is
    refused, and holds nothing else. `emptied`: nothing was left of its words but what was redacted.
    """

    tenant: str
    user_id: str
    command: CommandName
    command_id: str
    sent_at_ms: int
    origin: Origin
    text: str | None = None
    kind: str | None = None
    namespace: tuple[str, ...] | None = None
    fact_id: str | None = None
    proposal_id: str | None = None
    match: str | None = None
    content: str | None = None
    profile: tuple[tuple[str, str], ...] = ()
    fact: str | None = None
    allow_replay: bool = False
    timezone: str | None = None
    digest: str = ""
    reused: bool = False
    emptied: bool = False

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Scrub:
    """To the windows of a shard: a user of another shard was erased, and copies of their words must go (F6)."""

    shard: int
    tenant: str
    user_id: str
    command_id: str
    cut_off_ms: int
    allow_replay: bool

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that could not be read (S3). `payload` is masked or original, as configured; `detail` is for people."""

    reason: str
    detail: str
    origin: Origin
    payload: bytes
    key: bytes | None = None
    timestamp_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Reflection:
    """One closed window: `messages` are evaluated as new exactly once (T6); `context` is what was said before them."""

    tenant: str
    user_id: str
    conversation_id: str
    trigger: str
    context: tuple[Message, ...]
    messages: tuple[Message, ...]

    __reduce__ = reduced
