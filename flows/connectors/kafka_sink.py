"""Kafka out (S2, S5): every record has arrived before its epoch can be committed, or the job stops.

Bytewax takes a snapshot of every sink partition that was written to before it commits the epoch. So `write_batch` only
produces, and `snapshot` flushes and raises unless every delivery was confirmed: one wait an epoch, not one a batch and
partition. After a restart the same records are sent again; consumers drop them by event id or revision.
"""

from __future__ import annotations

import functools
import threading
import zlib
from collections.abc import Mapping, Sequence
from typing import NoReturn

from bytewax.outputs import FixedPartitionedSink, StatefulSinkPartition
from confluent_kafka import KafkaError, KafkaException, Message, Producer

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
from flows.connectors.records import OutRecord
from flows.metrics import stage

PRODUCER_DEFAULTS: Settings = {
    "compression.type": "zstd",
    # A flush does not wait for it.
    "linger.ms": 5,
}
REQUEST_SECONDS = 10.0
QUEUE_FULL_WAIT_SECONDS = 0.1
QUEUE_BYTES_MAX = 64 * 1024 * 1024


class DeliveryFailed(KafkaProblem):
    """A record did not arrive."""


class RecordTooLarge(DeliveryFailed):
    """A record is larger than the producer or its topic allows."""


class KafkaSink(FixedPartitionedSink[OutRecord, None]):
    """Writes (partition key, OutRecord) items to the topic that `topics` maps the record's stream to.

    A record goes to the Kafka partition that Kafka's default partitioner gives its `partition_key` (murmur2), or its
    `key` where that is empty: all records of a user are in one partition of each topic, the dead letters spread.
    `sink_partitions` is the number of Bytewax partitions, spread over the workers. `record_bytes_max` bounds key plus
    value, in bytes before compression; `delivery_seconds_max` is how long a delivery may take, retries included.
    `queue_bytes_max`, rounded to kB, is what may wait for the broker in a process; a full queue holds the flow up.

    Raises DeliveryFailed, RecordTooLarge, TopicMissing or KafkaProblem, and the supervisor starts the job again.
    """

    def __init__(
        self,
        topics: Mapping[str, str],
        client: Settings,
        *,
        sink_partitions: int = 16,
        record_bytes_max: int = 1_000_000,
        delivery_seconds_max: float = 120.0,
        queue_bytes_max: int = QUEUE_BYTES_MAX,
    ) -> None:
        self._sink_partitions = sink_partitions
        self._writer = _Writer(dict(topics), client, record_bytes_max, delivery_seconds_max, queue_bytes_max)

    def list_parts(self) -> list[str]:
        """The same names on every worker; which is whose does not matter, as there is no state."""
        return [f"{number:02d}" for number in range(self._sink_partitions)]

    def part_fn(self, item_key: str) -> int:
        """A checksum of the key, the same in every process."""
        return zlib.crc32(item_key.encode())

    def build_part(self, step_id: str, for_part: str, resume_state: None) -> _SinkPartition:
        """A partition; all of a process share one idempotent producer."""
        self._writer.open()
        return _SinkPartition(self._writer)


class _SinkPartition(StatefulSinkPartition[OutRecord, None]):
    def __init__(self, writer: _Writer) -> None:
        self._writer = writer

    def write_batch(self, values: Sequence[OutRecord]) -> None:
        self._writer.write(values)

    def snapshot(self) -> None:
        self._writer.settle()


class _Writer:
    """The producer of a process, shared by its sink partitions and worker threads."""

    def __init__(
        self,
        topics: dict[str, str],
        client: Settings,
        record_bytes_max: int,
        delivery_seconds_max: float,
        queue_bytes_max: int,
    ) -> None:
        self._topics = topics
        self._servers = client.get("bootstrap.servers")
        self._record_bytes_max = record_bytes_max
        settings = client_settings(
            client,
            {**PRODUCER_DEFAULTS, "queue.buffering.max.kbytes": max(1, queue_bytes_max // 1024)},
            enable_idempotence=True,
            acks="all",
            # What a record's frame and headers add on the wire.
            message_max_bytes=record_bytes_max + 65_536,
            delivery_timeout_ms=int(delivery_seconds_max * 1000),
        )
        # A request that outlives the delivery bound would hold its report back.
        settings.setdefault("request.timeout.ms", min(30_000, int(delivery_seconds_max * 1000)))
        self._settings = settings | {"error_cb": self._on_error}
        # Delivery reports come on whichever thread polls; under the lock they are complete when a flush returns.
        self._lock = threading.Lock()
        self._producer: Producer | None = None
        self._counts: dict[str, int] = {}
        self._failures: list[tuple[KafkaError, str, bytes]] = []
        self._sent = 0
        self._delivered = 0
        self._may_warn = once_a_minute()

    def open(self) -> None:
        """Make the producer, unless a sibling did."""
        with self._lock:
            if self._producer is None:
                settings = dict(self._settings)
                self._producer = Producer(settings, logger=settings.pop("logger"))
                self._counts.clear()
                self._failures.clear()
                self._sent = self._delivered = 0

    def write(self, records: Sequence[OutRecord]) -> None:
        """Produce the records; raises what has failed so far."""
        with self._lock:
            producer = self._running()
            try:
                for record in records:
                    self._produce(producer, record)
                producer.poll(0)
                self._check_failures()
            except KafkaException as error:
                self._give_up(producer)
                raise self._refused(error.args[0]) from error
            except BaseException:
                self._give_up(producer)
                raise

    def settle(self) -> None:
        """Wait until everything produced has arrived; raises if anything has not."""
        with self._lock:
            if self._delivered == self._sent and not self._failures:
                return
            producer = self._running()
            try:
                with stage("deliver", self._sent - self._delivered):
                    while producer.flush(1.0) > 0:
                        pass  # ends at the latest when the delivery bound fails what is left
                self._check_failures()
                if self._delivered != self._sent:
                    raise DeliveryFailed(
                        f"Kafka confirmed {self._delivered} of {self._sent} records: the job must start again"
                    )
            except KafkaException as error:
                self._give_up(producer)
                raise self._refused(error.args[0]) from error
            except BaseException:
                self._give_up(producer)
                raise

    def _running(self) -> Producer:
        if self._producer is None:
            raise KafkaProblem("the Kafka producer was closed after a failed delivery: the job must start again")
        return self._producer

    def _give_up(self, producer: Producer) -> None:
        # What is still queued must not arrive after the job was told that it failed.
        producer.purge()
        self._producer = None

    def _produce(self, producer: Producer, record: OutRecord) -> None:
        topic = self._topics.get(record.stream)
        if topic is None:
            raise KafkaProblem(
                f"no topic for the stream {record.stream!r}: configure one; known are {', '.join(self._topics)}"
            )
        size_bytes = len(record.key) + len(record.value or b"")
        if size_bytes > self._record_bytes_max:
            self._raise_too_large(topic, record.key, f"it has {size_bytes} bytes")
        partition = kafka_partition(record.partition_key or record.key, self._partition_count(producer, topic))
        while True:
            try:
                producer.produce(
                    topic,
                    record.value,
                    record.key,
                    partition=partition,
                    headers=list(record.headers),
                    on_delivery=functools.partial(self._on_delivery, topic, record.key),
                )
                self._sent += 1
                return
            except BufferError:
                # The queue empties: deliveries succeed, or fail at the delivery bound.
                producer.poll(QUEUE_FULL_WAIT_SECONDS)
                self._check_failures()
            except KafkaException as error:
                producer.poll(0)  # raises what ended the producer, where that is known
                self._raise_failed(error.args[0], topic, record.key)

    def _partition_count(self, producer: Producer, topic: str) -> int:
        count = self._counts.get(topic)
        if count is None:
            try:
                found = producer.list_topics(topic, timeout=REQUEST_SECONDS).topics[topic]
            except KafkaException as error:
                raise DeliveryFailed(
                    f"Kafka at {self._servers} does not answer ({error.args[0].str()}): nothing can be published to "
                    f"{topic}; check that it runs, the address, and the security settings"
                ) from error
            count = len(found.partitions)
            if not count:
                reason = "it is not known" if found.error is None else found.error.str()
                raise TopicMissing(f"topic {topic} cannot be written to: {reason}; create it, or correct its name")
            # Kept while the process runs: partitions added meanwhile must not part a user's records.
            self._counts[topic] = count
        return count

    def _on_delivery(self, topic: str, key: bytes, error: KafkaError | None, message: Message[bytes, bytes]) -> None:
        if error is None:
            self._delivered += 1
        else:
            self._failures.append((error, topic, key))

    def _check_failures(self) -> None:
        if self._failures:
            self._raise_failed(*self._failures[0])

    def _raise_failed(self, error: KafkaError, topic: str, key: bytes) -> NoReturn:
        if error.code() == KafkaError.MSG_SIZE_TOO_LARGE:
            self._raise_too_large(topic, key, "the broker or its topic refused it")
        if error.code() in (KafkaError._UNKNOWN_TOPIC, KafkaError._UNKNOWN_PARTITION, KafkaError.UNKNOWN_TOPIC_OR_PART):
            raise TopicMissing(f"topic {topic} is gone, or lost partitions ({error.str()}): create it and start again")
        if error.code() in REFUSED_CODES:
            raise self._refused(error)
        count = max(1, len(self._failures))
        raise DeliveryFailed(
            f"{count} records did not arrive, the first for topic {topic}, key {key[:120]!r}: {error.str()}; what is "
            f"not committed is sent again when the job starts again; check Kafka at {self._servers}"
        )

    def _refused(self, error: KafkaError) -> DeliveryFailed:
        return DeliveryFailed(
            f"Kafka at {self._servers} refuses what is published: {error.str()}; what is not committed is sent again"
            f" when the job starts again; check kafka.client, and {RIGHTS}"
        )

    def _raise_too_large(self, topic: str, key: bytes, what: str) -> NoReturn:
        raise RecordTooLarge(
            f"a record for topic {topic}, key {key[:120]!r}, is too large: {what}; the sink allows at most "
            f"{self._record_bytes_max}, and the topic's max.message.bytes must be above that: raise both, or bound the "
            "message size at the input"
        )

    def _on_error(self, error: KafkaError) -> None:
        # A fatal error fails every delivery, so the batch's own check raises.
        if self._may_warn():
            log.warning("kafka.publishing_waits", servers=self._servers, error=error.str(), fatal=error.fatal())


@functools.lru_cache(maxsize=65_536)
def kafka_partition(key: bytes, partitions: int) -> int:
    """The partition that Kafka's default partitioner gives a record with this key.

    The same function everywhere, so that a consumer finds a user's partition from `tenant/user_id` alone, and a topic
    keyed by it is co-partitioned with ours.
    """
    return (_murmur2(key) & 0x7FFFFFFF) % partitions


def _murmur2(data: bytes) -> int:
    """MurmurHash2, 32 bits, with Kafka's seed (org.apache.kafka.common.utils.Utils.murmur2)."""
    multiplier, mask = 0x5BD1E995, 0xFFFFFFFF
    value = (0x9747B28C ^ len(data)) & mask
    whole = len(data) & ~3
    for start in range(0, whole, 4):
        part = int.from_bytes(data[start : start + 4], "little") * multiplier & mask
        part = (part ^ part >> 24) * multiplier & mask
        value = (value * multiplier & mask) ^ part
    if whole != len(data):
        value = (value ^ int.from_bytes(data[whole:], "little")) * multiplier & mask
    value = (value ^ value >> 13) * multiplier & mask
    return value ^ value >> 15
