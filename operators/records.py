"""Records as the connectors give and take them: bytes with an address, nothing of our domain in them yet."""

from __future__ import annotations

from dataclasses import dataclass

from state.messages import reduced


@dataclass(frozen=True, slots=True)
class InRecord:
    """One record read. For a file, `partition` is 0, `offset` the line's first byte and `timestamp_ms` None.

    `role` says what it may be: "messages" or "commands", each nothing else, or "mixed", as in a file that is given to a
    run. On an input topic no command acts: who writes there speaks for users, not for the operator.
    """

    role: str
    topic: str
    partition: int
    offset: int
    value: bytes | None
    key: bytes | None = None
    timestamp_ms: int | None = None


@dataclass(frozen=True, slots=True)
class OutRecord:
    """One record to publish. `stream` is events, facts, proposals, users or dead_letters: the sink maps it to a topic.

    `value` None is a tombstone. All records with one `partition_key` go to one partition (S2); it is tenant/user_id,
    or empty for dead letters.
    """

    stream: str
    key: bytes
    value: bytes | None
    partition_key: bytes
    headers: tuple[tuple[str, bytes], ...] = ()

    __reduce__ = reduced
