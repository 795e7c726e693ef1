"""A source of made-up people who pass by: each says a few things in one conversation, and none comes back."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from operators.records import InRecord

START_MS = 1_704_096_000_000  # 2024-01-01T08:00Z, past on every machine: times ahead of its clock count less
_TURNS = (
    ("user", "I live in Town{}"),
    ("assistant", "How do you find it there?"),
    ("user", "It is fine, and I like food{}"),
)


class PassingUsers(FixedPartitionedSource[InRecord, int]):
    """`users` people over `span_days` of event time, in `partitions` partitions; each sends `len(_TURNS)` messages.

    The first `upto` of them come in this run. Resume state is the number of messages given.
    """

    def __init__(self, users: int, upto: int, span_days: int, partitions: int = 2, batch: int = 500) -> None:
        self._users, self._upto, self._span_ms = users, upto, span_days * 86_400_000
        self._partitions, self._batch = partitions, batch

    def list_parts(self) -> list[str]:
        return [str(number) for number in range(self._partitions)]

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> _Passing:
        people = range(int(for_part), self._upto, self._partitions)
        return _Passing(people, self._span_ms / self._users, self._batch, int(for_part), resume_state or 0)


class _Passing(StatefulSourcePartition[InRecord, int]):
    def __init__(self, people: range, gap_ms: float, batch: int, part: int, given: int) -> None:
        self._people, self._gap_ms, self._batch, self._part, self._given = people, gap_ms, batch, part, given

    def next_batch(self) -> list[InRecord]:
        if self._given >= self._count():
            raise StopIteration
        until = min(self._count(), self._given + self._batch)
        records = list(self._records(self._given, until))
        self._given = until
        return records

    def _records(self, start: int, end: int) -> Iterator[InRecord]:
        for number in range(start, end):
            user = self._people[number // len(_TURNS)]
            turn = number % len(_TURNS)
            role, text = _TURNS[turn]
            row = {
                "user_id": f"passer-{user}",
                "conversation_id": f"c{user}",
                "message_id": f"m{user}-{turn}",
                "role": role,
                "text": text.format(user % 997),
                "sent_at": START_MS + int(user * self._gap_ms) + turn * 1_000,
            }
            yield InRecord("messages", "passing", self._part, number, orjson.dumps(row))

    def _count(self) -> int:
        return len(self._people) * len(_TURNS)

    def snapshot(self) -> int:
        return self._given
