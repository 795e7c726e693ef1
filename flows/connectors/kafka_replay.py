"""Bounded replay from Kafka (S4): messages and commands of a plan, merged in the order in which they were written.

A live job reads a command beside the messages of its time. A replay that read each partition at its own pace would
apply a year's commands before the first message, and beyond the lateness horizon (R14) the memory would come out
otherwise. So one Bytewax partition reads everything, in order of the records' timestamps; the work behind it is spread
by shard as ever.
"""

from __future__ import annotations

import heapq
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from flows.connectors.kafka_source import (
    FULL_SECONDS,
    IN_FLIGHT_BYTES_MAX,
    AtOffsets,
    Bounds,
    KafkaSource,
    size_of,
)
from flows.connectors.kafka_topics import Settings
from flows.connectors.records import InRecord

Position = tuple[str, tuple[tuple[str, int], ...]]
"""Which replay, and the next offset of each of its lanes."""

PARTITION = "replay"
_BATCH_RECORDS = 512
# Few a lane, so that a lane that lags behind the others does not fill memory with what waits for it.
_LANE_RECORDS = 256


@dataclass(frozen=True, slots=True)
class Lane:
    """A partition of a replay: the records from `start` to before `end`. `role` is that of InRecord."""

    role: str
    topic: str
    partition: int
    start: int
    end: int

    @property
    def name(self) -> str:
        """topic/partition."""
        return f"{self.topic}/{self.partition}"


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """What is read, fixed when the replay starts. A run with the same id goes on where the last one was."""

    replay_id: str
    lanes: tuple[Lane, ...]

    @property
    def offsets(self) -> int:
        """Offsets from start to end over all lanes: as many records, or more where some were compacted away."""
        return sum(lane.end - lane.start for lane in self.lanes)


class ReplaySource(FixedPartitionedSource[InRecord, Position]):
    """The records of `plan`. `on_progress(offsets done, offsets in all)` may watch.

    `in_flight_bytes_max`: of what is handed over within an epoch, as KafkaSource has it; what waits to be merged is
    bounded by the number of records.

    Raises what KafkaSource raises; waits, without end, for a broker that is away.
    """

    def __init__(
        self,
        plan: ReplayPlan,
        client: Settings,
        *,
        group_id: str,
        expired: Literal["stop", "skip"] = "stop",
        on_progress: Callable[[int, int], None] = lambda done, total: None,
        in_flight_bytes_max: int = IN_FLIGHT_BYTES_MAX,
    ) -> None:
        self._plan, self._client, self._group_id = plan, client, group_id
        self._expired: Literal["stop", "skip"] = expired
        self._on_progress = on_progress
        self._in_flight_bytes_max = in_flight_bytes_max

    def list_parts(self) -> list[str]:
        """One partition, whatever is read."""
        return [PARTITION]

    def build_part(self, step_id: str, for_part: str, resume_state: Position | None) -> _Merged:
        """The merged lanes, from where this very replay was interrupted, or from their starts."""
        known = dict(resume_state[1]) if resume_state is not None and resume_state[0] == self._plan.replay_id else {}
        return _Merged(self._plan, self._feeds(known), self._on_progress, self._in_flight_bytes_max)

    def _feeds(self, known: dict[str, int]) -> list[_Feed]:
        feeds = []
        for role in ("messages", "commands"):
            lanes = {(lane.topic, lane.partition): lane for lane in self._plan.lanes if lane.role == role}
            if not lanes:
                continue
            source = KafkaSource(
                role,
                list(dict.fromkeys(topic for topic, _ in lanes)),
                self._client,
                group_id=self._group_id,
                start=AtOffsets({at: known.get(lane.name, lane.start) for at, lane in lanes.items()}),
                bounds=Bounds(AtOffsets({at: lane.end for at, lane in lanes.items()})),
                batch_size=_LANE_RECORDS,
                partitions=lambda topic, partition, lanes=lanes: (topic, partition) in lanes,  # type: ignore[misc]
                expired=self._expired,
                # The merge takes nothing from a lane that is ahead, so a full buffer would never empty again; and what
                # it hands over it counts itself.
                in_flight_bytes_max=sys.maxsize,
            )
            source.list_parts()
            feeds += [
                _Feed(lane, source.build_part(PARTITION, lane.name, None), known.get(lane.name, lane.start))
                for lane in lanes.values()
            ]
        return feeds


@dataclass(slots=True, eq=False)
class _Feed:
    """A lane, and what of it was read and waits for its turn."""

    lane: Lane
    part: Any
    position: int
    written_ms: int = 0
    queue: deque[InRecord] = field(default_factory=deque)

    def fill(self) -> bool:
        """Whether there is a record at hand, or will never be one again (then the queue is empty)."""
        if self.queue or self.position >= self.lane.end:
            return True
        try:
            self.queue.extend(self.part.next_batch())
        except StopIteration:
            self.position = self.lane.end
            return True
        if self.queue:
            self.position = self.queue[0].offset
            self.written_ms = self.queue[0].timestamp_ms or self.written_ms
        else:
            self.position = max(self.position, self.part.snapshot())
        return bool(self.queue) or self.position >= self.lane.end

    def take(self) -> InRecord:
        record = self.queue.popleft()
        self.position = record.offset + 1
        if self.queue:
            self.written_ms = self.queue[0].timestamp_ms or self.written_ms
        return record


class _Merged(StatefulSourcePartition[InRecord, Position]):
    def __init__(
        self, plan: ReplayPlan, feeds: list[_Feed], on_progress: Callable[[int, int], None], in_flight_bytes_max: int
    ) -> None:
        self._plan, self._feeds, self._on_progress = plan, feeds, on_progress
        self._in_flight_bytes_max, self._in_flight_bytes = in_flight_bytes_max, 0
        self._waiting = set(range(len(feeds)))
        # (time written, number of the feed): messages come before commands of the same millisecond.
        self._ready: list[tuple[int, int]] = []

    def next_batch(self) -> list[InRecord]:
        """The next records in order; none while a partition that may hold the next one has not answered."""
        out: list[InRecord] = []
        for number in sorted(self._waiting):
            self._fill(number)
        while self._ready and not self._waiting and len(out) < _BATCH_RECORDS and not self._is_full():
            _, number = heapq.heappop(self._ready)
            out.append(self._feeds[number].take())
            self._in_flight_bytes += size_of(out[-1])
            self._fill(number)
        done = sum(feed.position - feed.lane.start for feed in self._feeds)
        self._on_progress(done, self._plan.offsets)
        if not out and not self._ready and not self._waiting:
            raise StopIteration
        return out

    def _fill(self, number: int) -> None:
        feed = self._feeds[number]
        if not feed.fill():
            self._waiting.add(number)
            return
        self._waiting.discard(number)
        if feed.queue:
            heapq.heappush(self._ready, (feed.written_ms, number))

    def _is_full(self) -> bool:
        return self._in_flight_bytes >= self._in_flight_bytes_max

    def next_awake(self) -> datetime | None:
        """At once, or when a partition that is waited for is worth asking again, or the epoch may be over."""
        if self._is_full():
            return datetime.now(UTC) + timedelta(seconds=FULL_SECONDS)
        times = [self._feeds[number].part.next_awake() for number in self._waiting]
        known = [each for each in times if each is not None]
        return min(known) if times and len(known) == len(times) else None

    def snapshot(self) -> Position:
        """The replay's id and the next offset of each lane. What was handed over before is in a finished epoch."""
        self._in_flight_bytes = 0
        return self._plan.replay_id, tuple((feed.lane.name, feed.position) for feed in self._feeds)

    def close(self) -> None:
        """Closes the consumers."""
        for feed in self._feeds:
            feed.part.close()
