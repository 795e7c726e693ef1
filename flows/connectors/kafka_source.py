"""Kafka in (S1, S4): the records of some topics, from a stored or configured offset on, endless or bounded.

A Bytewax partition is a Kafka partition, named `topic/partition`; its resume state is the offset to read next, always a
concrete one, also where the partition is empty. The recovery store alone decides where reading goes on: partitions are
assigned, never subscribed to, and what is committed to the consumer group is for lag tools to see.

One worker, which is a thread, has one consumer, and whichever of its partitions
finds its own queue empty takes what has arrived for all of them. Polling them one after the other instead makes one
busy partition wait for 31 idle ones.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition
from confluent_kafka import OFFSET_END, Consumer, KafkaError, KafkaException, Message, TopicPartition

from flows.connectors.kafka_topics import (
    REFUSED_CODES,
    RIGHTS,
    KafkaProblem,
    Settings,
    TopicMissing,
    client_settings,
    log,
    once_a_minute,
)
from flows.connectors.records import InRecord

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AtTimestamp:
    """The first record of each partition whose timestamp, in epoch milliseconds, is not before this one."""

    timestamp_ms: int


@dataclass(frozen=True, slots=True)
class AtOffsets:
    """An offset per (topic, partition). Partitions not named start at their first record and end where they end now."""

    offsets: Mapping[tuple[str, int], int]


StartAt = Literal["earliest", "latest"] | AtTimestamp | AtOffsets


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a bounded run ends, before the record named; fixed when it starts, never beyond what is there then."""

    end: Literal["now"] | AtTimestamp | AtOffsets = "now"


class OffsetExpired(KafkaProblem):
    """The next record to read was deleted before it was read."""


class NewPartitions(KafkaProblem):
    """A topic got more partitions; the job must start again to read them."""


OnLag = Callable[[str, int, int], None]
"""Called with topic, partition and the number of records not read yet (in a bounded run: up to its end)."""

CONSUMER_DEFAULTS: Settings = {
    "isolation.level": "read_committed",
    # Small fetches interleave the partitions finely, so that a backlog in one does not keep the others waiting.
    "max.partition.fetch.bytes": 262_144,
    "queued.min.messages": 5_000,
    "queued.max.messages.kbytes": 16_384,
    # The default second would cap a partition at one queue's fill a second.
    "fetch.queue.backoff.ms": 5,
    "fetch.wait.max.ms": 100,
}
IN_FLIGHT_BYTES_MAX = 64 * 1024 * 1024
FULL_SECONDS = 0.02
IDLE_SECONDS_MIN = 0.002
REPORT_SECONDS = 2.0
REQUEST_SECONDS = 5.0
TOPIC_GRACE_SECONDS = 2.0


class KafkaSource(FixedPartitionedSource[InRecord, int]):
    """The records of `topics`, each marked with `role`.

    `client` holds librdkafka settings. `start` counts for partitions without resume state. `batch_size` is the number
    of records that a worker takes in one round over its partitions. `partitions` says which (topic, partition) this
    instance owns (S6); every worker of an instance must be given the same. With `expired` "skip" a partition whose next
    record was deleted goes on at the oldest one left, with a warning, instead of stopping the job.

    `in_flight_bytes_max` bounds what a worker holds up (S6): when so much was handed over within an epoch, no more is
    until the epoch is committed, since what a slow worker or sink has not dealt with waits in queues of the dataflow;
    and when so much was taken in and not handed over, no more is taken in.

    Raises TopicMissing, OffsetExpired, NewPartitions and KafkaProblem; waits, without end, for a broker that is away.
    """

    def __init__(
        self,
        role: str,
        topics: Sequence[str],
        client: Settings,
        *,
        group_id: str,
        start: StartAt = "earliest",
        bounds: Bounds | None = None,
        batch_size: int = 1024,
        partitions: Callable[[str, int], bool] | None = None,
        expired: Literal["stop", "skip"] = "stop",
        on_lag: OnLag | None = None,
        refresh_seconds: float = 60.0,
        idle_seconds_max: float = 0.05,
        in_flight_bytes_max: int = IN_FLIGHT_BYTES_MAX,
    ) -> None:
        if not topics:
            raise KafkaProblem(f"no topics to read {role} from: name at least one")
        self._plan = _Plan(
            role, tuple(topics), client, group_id, start, bounds, batch_size, partitions or _every_partition,
            expired, on_lag, refresh_seconds, idle_seconds_max, in_flight_bytes_max,
        )  # fmt: skip
        # By thread, but not in thread-local storage: Python forgets that of a thread which it did not start, as a
        # worker's is, whenever the dataflow's engine lets go of it.
        self._readers: dict[int, _Reader] = {}

    def list_parts(self) -> list[str]:
        """Every owned partition of every topic. Waits until the broker answers; raises TopicMissing."""
        # Bytewax calls this once per worker and run, on the worker's thread: the run's reader begins here.
        reader = self._readers[threading.get_ident()] = _Reader(self._plan)
        return list(reader.list_parts())

    def ranges(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Where each owned partition would start and end if a run began now; needs `bounds`, and reads nothing."""
        reader = _Reader(self._plan)
        for part in reader.list_parts():
            topic, _, number = part.rpartition("/")
            reader.add_lane(topic, int(number), None)
        return reader.ranges()

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> _Partition:
        """A partition that goes on at `resume_state`, or begins at `start`."""
        topic, _, number = for_part.rpartition("/")
        reader = self._readers[threading.get_ident()]
        return _Partition(reader, reader.add_lane(topic, int(number), resume_state))


class _Partition(StatefulSourcePartition[InRecord, int]):
    def __init__(self, reader: _Reader, lane: _Lane) -> None:
        self._reader = reader
        self._lane = lane

    def next_batch(self) -> Iterable[InRecord]:
        return self._reader.take(self._lane)

    def next_awake(self) -> datetime | None:
        return self._reader.next_awake(self._lane)

    def snapshot(self) -> int:
        return self._reader.snapshot(self._lane)

    def close(self) -> None:
        self._reader.finish()


@dataclass(frozen=True, slots=True)
class _Plan:
    role: str
    topics: tuple[str, ...]
    client: Settings
    group_id: str
    start: StartAt
    bounds: Bounds | None
    batch_size: int
    owns: Callable[[str, int], bool]
    expired: Literal["stop", "skip"]
    on_lag: OnLag | None
    refresh_seconds: float
    idle_seconds_max: float
    in_flight_bytes_max: int


@dataclass(slots=True, eq=False)
class _Lane:
    """One Kafka partition of this worker: what has arrived and was not handed over yet, and where that stands."""

    topic: str
    partition: int
    resume: int | None
    position: int = 0
    """The next offset to hand over."""
    fetched: int = 0
    """The next offset to expect from the consumer."""
    end: int | None = None
    queue: deque[InRecord] = field(default_factory=deque)
    paused: bool = False
    in_flight_bytes: int = 0
    """What was handed over in the epoch under way."""

    def at(self, offset: int = 0) -> TopicPartition:
        return TopicPartition(self.topic, self.partition, offset)


class _Reader:
    """A worker's consumer and the queues of its partitions."""

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._fatal: KafkaError | None = None
        self._may_warn = once_a_minute()
        settings = client_settings(
            plan.client,
            CONSUMER_DEFAULTS,
            group_id=plan.group_id,
            enable_auto_commit=False,
            enable_auto_offset_store=False,
            enable_partition_eof=True,
            auto_offset_reset="error",
            allow_auto_create_topics=False,
        )
        settings |= {"error_cb": self._on_error, "on_commit": self._on_commit}
        self._consumer = Consumer(settings, logger=settings.pop("logger"))
        self._lanes: dict[tuple[str, int], _Lane] = {}
        self._counts: dict[str, int] = {}
        self._started = False
        self._open = 0
        self._busy = 0
        self._buffered_bytes = self._in_flight_bytes = 0
        self._idle_seconds = IDLE_SECONDS_MIN
        self._quiet_until = 0.0
        self._handed: dict[tuple[str, int], int] = {}
        self._committed: dict[tuple[str, int], int] = {}
        self._commit_pending = False
        self._away = False
        self._report_at = 0.0
        self._refresh_at = 0.0
        self._missing_seen = False

    # Start

    def list_parts(self) -> Iterable[str]:
        for topic in self._plan.topics:
            self._counts[topic] = self._partition_count(topic)
            for partition in range(self._counts[topic]):
                if self._plan.owns(topic, partition):
                    yield f"{topic}/{partition}"

    def add_lane(self, topic: str, partition: int, resume: int | None) -> _Lane:
        lane = self._lanes[topic, partition] = _Lane(topic, partition, resume)
        self._open += 1
        return lane

    def ranges(self) -> dict[tuple[str, int], tuple[int, int]]:
        self._place()
        found = {at: (lane.position, lane.end or 0) for at, lane in self._lanes.items()}
        self._consumer.close()
        return found

    def _start(self) -> None:
        # Not in add_lane: where a partition starts depends on whether its siblings were read before.
        self._started = True
        self._place()
        self._consumer.assign([lane.at(lane.position) for lane in self._lanes.values() if not _complete(lane)])
        self._refresh_at = time.monotonic() + self._plan.refresh_seconds

    def _place(self) -> None:
        resumed = {lane.topic for lane in self._lanes.values() if lane.resume is not None}
        for lane in self._lanes.values():
            low, high = self._watermarks(lane)
            lane.position = lane.fetched = self._start_offset(lane, low, high, lane.topic in resumed)
            if self._plan.bounds is not None:
                lane.end = self._end_offset(lane, self._plan.bounds, high)

    def _start_offset(self, lane: _Lane, low: int, high: int, topic_resumed: bool) -> int:
        start = self._plan.start
        if lane.resume is not None:
            return self._unexpired(lane, lane.resume, low)
        if isinstance(start, AtOffsets):
            offset = start.offsets.get((lane.topic, lane.partition))
            return low if offset is None else self._unexpired(lane, offset, low)
        if isinstance(start, AtTimestamp):
            return self._offset_at(lane, start.timestamp_ms, high)
        # A partition added while the job ran got records before it was noticed; "latest" would skip them.
        return low if start == "earliest" or topic_resumed else high

    def _end_offset(self, lane: _Lane, bounds: Bounds, high: int) -> int:
        if isinstance(bounds.end, AtTimestamp):
            return min(high, self._offset_at(lane, bounds.end.timestamp_ms, high))
        if isinstance(bounds.end, AtOffsets):
            return min(high, bounds.end.offsets.get((lane.topic, lane.partition), high))
        return high

    def _unexpired(self, lane: _Lane, offset: int, low: int) -> int:
        if offset >= low:
            return offset
        if self._plan.expired == "stop":
            raise _expired(lane, offset, low)
        log.warning(
            "kafka.records_expired", topic=lane.topic, partition=lane.partition, next_offset=offset, oldest_offset=low
        )
        return low

    def _watermarks(self, lane: _Lane) -> tuple[int, int]:
        found = self._answer(lambda: self._consumer.get_watermark_offsets(lane.at(), timeout=REQUEST_SECONDS))
        if found is None:
            raise KafkaProblem(f"Kafka gave no offsets for {lane.topic}/{lane.partition}: check the broker's health")
        return found

    def _offset_at(self, lane: _Lane, timestamp_ms: int, high: int) -> int:
        wanted = [lane.at(timestamp_ms)]
        found = self._answer(lambda: self._consumer.offsets_for_times(wanted, timeout=REQUEST_SECONDS))[0]
        return high if found.offset == OFFSET_END else found.offset

    def _partition_count(self, topic: str) -> int:
        deadline = time.monotonic() + TOPIC_GRACE_SECONDS
        while True:
            count = self._answer(lambda: _count_partitions(self._consumer, topic, REQUEST_SECONDS))
            if count:
                return count
            # A topic just created is not known to every broker at once.
            if time.monotonic() > deadline:
                raise TopicMissing(
                    f"topic {topic} does not exist at {self._plan.client['bootstrap.servers']}: create it, or correct "
                    "its name in the configuration"
                )
            time.sleep(0.2)

    def _answer(self, ask: Callable[[], T]) -> T:
        while True:
            try:
                return ask()
            except KafkaException as problem:
                error: KafkaError = problem.args[0]
                if error.code() in _MISSING_CODES:
                    raise TopicMissing(f"{error.str()}: create the topic, or correct its name") from problem
                if error.code() in REFUSED_CODES or error.fatal():
                    raise self._refused(error) from problem
                self._warn(error)
                # Serves the callbacks, which know more than "timed out".
                self._consumer.poll(0.2)

    # Records

    def take(self, lane: _Lane) -> list[InRecord]:
        """The lane's next records; raises StopIteration at a bounded lane's end."""
        if not self._started:
            self._start()
        if not lane.queue:
            if _complete(lane):
                self._let_go(lane)
                raise StopIteration
            self._pump()
            if not lane.queue:
                lane.position = lane.fetched
                return []
        if self._is_full():
            return []
        records = self._pop(lane, max(1, self._plan.batch_size // self._busy))
        if lane.paused and len(lane.queue) < self._plan.batch_size and lane.fetched != lane.end:
            lane.paused = False
            self._consumer.resume([lane.at()])
        return records

    def next_awake(self, lane: _Lane) -> datetime | None:
        # None is "at once" after records. A time, even one gone by, costs Bytewax a timer of several milliseconds.
        left_seconds = self._quiet_until - time.monotonic()
        if lane.queue and self._is_full():
            left_seconds = FULL_SECONDS
        elif lane.queue or left_seconds <= 0 or _complete(lane):
            return None
        return datetime.now(UTC) + timedelta(seconds=left_seconds)

    def snapshot(self, lane: _Lane) -> int:
        if not self._started:
            self._start()
        self._let_go(lane)
        if self._committed.get((lane.topic, lane.partition)) != lane.position:
            self._handed[lane.topic, lane.partition] = lane.position
        return lane.position

    def finish(self) -> None:
        """One lane less; after the last the consumer is closed. Never raises: Bytewax also calls it while it fails."""
        self._open -= 1
        # With a commit unanswered the broker is slow or away, and closing would wait for it; a dropped consumer is
        # closed just as well, only without a last commit.
        if self._open == 0 and not self._commit_pending:
            try:
                self._report()
            except Exception:
                log.warning("kafka.last_report_failed", exc_info=True)
            self._consumer.close()

    def _let_go(self, lane: _Lane) -> None:
        """The lane's epoch is over; what it handed over is no longer counted."""
        self._in_flight_bytes -= lane.in_flight_bytes
        lane.in_flight_bytes = 0

    def _is_full(self) -> bool:
        return self._in_flight_bytes >= self._plan.in_flight_bytes_max

    def _pop(self, lane: _Lane, count: int) -> list[InRecord]:
        queue, size_bytes = lane.queue, 0
        records: list[InRecord] = []
        left_bytes = self._plan.in_flight_bytes_max - self._in_flight_bytes
        while queue and len(records) < count and size_bytes < left_bytes:
            records.append(queue.popleft())
            size_bytes += size_of(records[-1])
        lane.position = records[-1].offset + 1
        if not queue:
            self._busy -= 1
            # Behind the last record there may be offsets without one: compacted, aborted, or a transaction's marks.
            lane.position = lane.fetched
        self._buffered_bytes -= size_bytes
        self._in_flight_bytes += size_bytes
        lane.in_flight_bytes += size_bytes
        return records

    def _pump(self) -> None:
        """Take what has arrived for any partition, unless a sibling just found nothing or the buffers are full."""
        now = time.monotonic()
        if now < self._quiet_until or self._buffered_bytes > self._plan.in_flight_bytes_max:
            return
        if now >= self._report_at:
            self._report_at = now + REPORT_SECONDS
            self._report()
        if now >= self._refresh_at:
            self._refresh_at = now + self._plan.refresh_seconds
            self._refresh()
        messages = self._consumer.consume(self._plan.batch_size, 0)
        if self._fatal is not None:
            raise KafkaProblem(f"Kafka's client gave up: {self._fatal.str()}; the job must be started again")
        self._away = self._away and not messages
        for message in messages:
            self._sort_in(message)
        if messages:
            self._idle_seconds = IDLE_SECONDS_MIN
        else:
            self._idle_seconds = min(2 * self._idle_seconds, self._plan.idle_seconds_max)
            self._quiet_until = now + self._idle_seconds

    def _sort_in(self, message: Message[bytes, bytes]) -> None:
        topic, partition, offset = message.topic(), message.partition(), message.offset()
        error = message.error()
        lane = self._lanes.get((topic or "", -1 if partition is None else partition))
        if lane is None or offset is None:
            if error is not None:
                self._on_error(error)
            return
        if error is not None:
            self._on_lane_error(lane, error, offset)
        elif lane.end is not None and offset >= lane.end:
            self._advance(lane, lane.end)
        elif offset >= lane.fetched:  # what was fetched before a pause may come once more
            timestamp_kind, timestamp_ms = message.timestamp()
            record = InRecord(
                self._plan.role, lane.topic, lane.partition, offset, message.value(), message.key(),
                timestamp_ms if timestamp_kind else None,
            )  # fmt: skip
            if not lane.queue:
                self._busy += 1
            lane.queue.append(record)
            lane.fetched = offset + 1
            self._buffered_bytes += size_of(record)
            if lane.fetched == lane.end or len(lane.queue) >= 2 * self._plan.batch_size:
                self._pause(lane)

    def _on_lane_error(self, lane: _Lane, error: KafkaError, offset: int) -> None:
        if error.code() == KafkaError._PARTITION_EOF:
            self._advance(lane, offset)
        elif error.code() in (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE):
            low, high = self._watermarks(lane)
            raise _expired(lane, lane.fetched, low, high)
        elif error.code() in _MISSING_CODES:
            self._refresh_at = 0.0
        else:
            self._on_error(error)

    def _advance(self, lane: _Lane, offset: int) -> None:
        """Nothing is left before `offset`."""
        lane.fetched = max(lane.fetched, offset if lane.end is None else min(offset, lane.end))
        if lane.fetched == lane.end:
            self._pause(lane)

    def _pause(self, lane: _Lane) -> None:
        if not lane.paused:
            lane.paused = True
            self._consumer.pause([lane.at()])

    # From time to time

    def _report(self) -> None:
        """Commit what was handed over at the last snapshots, and tell the lag."""
        # A commit that no broker takes holds up the process's end for most of a minute.
        if self._handed and not self._commit_pending and not self._away:
            offsets = [TopicPartition(topic, number, offset) for (topic, number), offset in self._handed.items()]
            self._committed |= self._handed
            self._handed.clear()
            self._commit_pending = True
            self._consumer.commit(offsets=offsets, asynchronous=True)
        if self._plan.on_lag is None:
            return
        for lane in self._lanes.values():
            end = lane.end
            if end is None:
                known = self._consumer.get_watermark_offsets(lane.at(), cached=True)
                if known is None or known[1] < 0:
                    continue
                end = known[1]
            self._plan.on_lag(lane.topic, lane.partition, max(0, end - lane.position))

    def _refresh(self) -> None:
        """Notice topics that are gone and partitions that are new; raises TopicMissing or NewPartitions."""
        for topic, before in self._counts.items():
            try:
                count = _count_partitions(self._consumer, topic, 1.0)
            except KafkaException as problem:
                self._away = True
                self._warn(problem.args[0])
                return
            self._away = False
            if count < before:
                # A broker that has just started may not know the topic yet; believe it the second time.
                if self._missing_seen:
                    raise TopicMissing(
                        f"topic {topic} had {before} partitions and has {count} now: it was deleted while it was read. "
                        "Its offsets mean nothing in a new topic of that name: use a new name, or a new recovery store"
                    )
                self._missing_seen = True
                self._refresh_at = time.monotonic() + 2.0
                return
            new = [number for number in range(before, count) if self._plan.owns(topic, number)]
            if new and self._plan.bounds is None:
                raise NewPartitions(
                    f"topic {topic} has {count} partitions now, it had {before}: the job must start again to read the "
                    "new ones; no record is lost by it"
                )
        self._missing_seen = False

    def _on_error(self, error: KafkaError) -> None:
        if error.fatal():
            self._fatal = error
        elif error.code() in REFUSED_CODES:
            raise self._refused(error)
        elif error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED:
            self._warn(
                error, f"lag tools do not see the group {self._plan.group_id}: {RIGHTS}. Reading goes on without"
            )
        elif error.code() != KafkaError._PARTITION_EOF:
            self._away = self._away or error.code() in _AWAY_CODES
            self._warn(error)

    def _on_commit(self, error: KafkaError | None, offsets: list[TopicPartition]) -> None:
        self._commit_pending = False
        if error is not None:
            self._committed.clear()
            log.debug("kafka.commit_failed", group=self._plan.group_id, error=error.str())

    def _refused(self, error: KafkaError) -> KafkaProblem:
        topics = ", ".join(self._plan.topics)
        return KafkaProblem(f"Kafka refuses to let {topics} be read: {error.str()}; check kafka.client, and {RIGHTS}")

    def _warn(
        self,
        error: KafkaError,
        note: str = "reading goes on by itself when the broker answers; this is said once a minute",
    ) -> None:
        if self._may_warn():
            servers = self._plan.client["bootstrap.servers"]
            log.warning("kafka.waiting", servers=servers, error=error.str(), note=note)


_MISSING_CODES = frozenset({KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC, KafkaError._UNKNOWN_PARTITION})
_AWAY_CODES = frozenset({KafkaError._ALL_BROKERS_DOWN, KafkaError._TRANSPORT, KafkaError._RESOLVE})


def _every_partition(topic: str, partition: int) -> bool:
    return True


def _complete(lane: _Lane) -> bool:
    return lane.end is not None and lane.position >= lane.end


def size_of(record: InRecord) -> int:
    """Bytes that a record takes while it is held: its own objects weigh about 400, whatever it carries."""
    return 400 + len(record.value or b"")


def _count_partitions(consumer: Consumer, topic: str, timeout_seconds: float) -> int:
    """How many partitions the topic has, 0 if it does not exist. Raises KafkaException if no broker answers."""
    found = consumer.list_topics(topic, timeout=timeout_seconds).topics[topic]
    if found.error is not None and found.error.code() not in _MISSING_CODES:
        raise KafkaException(found.error)
    return len(found.partitions)


def _expired(lane: _Lane, offset: int, low: int, high: int | None = None) -> OffsetExpired:
    where = f"{lane.topic}/{lane.partition}"
    if high is not None and offset > high:
        return OffsetExpired(
            f"the next record to read of {where} has offset {offset}, but the partition ends at {high} (it starts at "
            f"{low}): the topic was made anew or truncated. Use a new topic name, or a new recovery store"
        )
    return OffsetExpired(
        f"the next record to read of {where} has offset {offset}, but the oldest one left has {low}: {low - offset} "
        "offsets expired unread. Restore the records, or accept the loss by running once with kafka.expired = 'skip'; "
        "to prevent it, lengthen the topic's retention"
    )
