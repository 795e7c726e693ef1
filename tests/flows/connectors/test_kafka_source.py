"""The Kafka source against a real broker (S1, S4, S5, S6)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import bytewax.operators as op
import pytest
from bytewax.dataflow import Dataflow
from bytewax.recovery import RecoveryConfig, init_db_dir
from bytewax.testing import TestingSink, cluster_main, run_main
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions

from flows.connectors.kafka_source import AtOffsets, AtTimestamp, Bounds, KafkaSource, OffsetExpired
from flows.connectors.kafka_source import NewPartitions as NewPartitionsNoticed
from flows.connectors.kafka_topics import KafkaProblem, TopicMissing
from flows.connectors.records import InRecord
from tests.kafka_broker import LocalBroker, causes, create_topic, produce, read_all

pytestmark = pytest.mark.kafka


class EnoughReadError(Exception):
    """Ends a run without end, as a crash would."""


def source(address: str, *topics: str, **options: Any) -> KafkaSource:
    return KafkaSource("messages", topics, {"bootstrap.servers": address}, group_id="factstream-test", **options)


def read(
    kafka_source: KafkaSource, recovery: Path | None = None, until: Callable[[list[InRecord]], bool] | None = None
) -> list[InRecord]:
    """Run the source to its end, or until the records so far satisfy `until`."""
    records: list[InRecord] = []

    def check(record: InRecord) -> InRecord:
        records.append(record)
        if until is not None and until(records):
            raise EnoughReadError
        return record

    flow = Dataflow("read")
    stream = op.map("check", op.input("in", flow, kafka_source), check)
    op.output("out", stream, TestingSink([]))
    config = None
    if recovery is not None:
        if not recovery.exists():
            recovery.mkdir()
            init_db_dir(recovery, 2)
        config = RecoveryConfig(str(recovery))
    try:
        run_main(flow, epoch_interval=timedelta(0), recovery_config=config)
    except Exception as error:
        if not any(isinstance(cause, EnoughReadError) for cause in causes(error)):
            raise
    return records


def failure(kind: type[KafkaProblem], kafka_source: KafkaSource, recovery: Path | None = None) -> str:
    """The message of the error of this kind that stops the source."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  Bytewax wraps it
        read(kafka_source, recovery)
    matching = [str(cause) for cause in causes(caught.value) if isinstance(cause, kind)]
    assert matching, f"{kind.__name__} expected, got {causes(caught.value)}"
    return matching[0]


def values(records: Sequence[InRecord]) -> list[bytes | None]:
    return [record.value for record in records]


def test_a_record_arrives_with_its_address_key_and_timestamp(kafka_address: str) -> None:
    """S1."""
    topic = create_topic(kafka_address, partitions=2)
    produce(kafka_address, topic, [b"hello"], partition=1, key=b"ana", timestamp=1_700_000_000_123)

    assert read(source(kafka_address, topic, bounds=Bounds())) == [
        InRecord("messages", topic, 1, 0, b"hello", b"ana", 1_700_000_000_123)
    ]


def test_a_tombstone_passes_as_none(kafka_address: str) -> None:
    """S1."""
    topic = create_topic(kafka_address)
    produce(kafka_address, topic, [None], key=b"k")

    assert values(read(source(kafka_address, topic, bounds=Bounds()))) == [None]


def test_several_topics_are_read_whole_and_in_order(kafka_address: str) -> None:
    """S1."""
    topics = [create_topic(kafka_address, partitions=3) for _ in range(2)]
    for topic in topics:
        for partition in range(3):
            produce(kafka_address, topic, (b"%d" % n for n in range(5_000)), partition)

    records = read(source(kafka_address, *topics, bounds=Bounds(), batch_size=100))

    offsets = defaultdict(list)
    for record in records:
        assert record.value == b"%d" % record.offset
        offsets[record.topic, record.partition].append(record.offset)
    assert dict(offsets) == {(topic, partition): list(range(5_000)) for topic in topics for partition in range(3)}


def test_one_busy_partition_of_32_does_not_starve_the_others(kafka_address: str) -> None:
    """S1: in the time of a full queue of the busy one, each record of the 31 others has come."""
    topic = create_topic(kafka_address, partitions=32)
    produce(kafka_address, topic, [b"busy"] * 60_000, partition=7)
    for partition in set(range(32)) - {7}:
        produce(kafka_address, topic, [b"quiet"] * 10, partition)

    records = read(source(kafka_address, topic, bounds=Bounds()))

    assert len(records) == 60_310
    last_quiet = max(place for place, record in enumerate(records) if record.value == b"quiet")
    assert last_quiet < 30_000


def test_a_backlog_does_not_hold_up_what_comes_in_elsewhere(kafka_address: str) -> None:
    """S1: a record written to another partition while a backlog is read arrives before the backlog is half through."""
    topic = create_topic(kafka_address, partitions=2)
    produce(kafka_address, topic, [b"backlog"] * 100_000, partition=0)

    def enough(records: list[InRecord]) -> bool:
        if len(records) == 1_000:
            produce(kafka_address, topic, [b"fresh"], partition=1)
        return records[-1].value == b"fresh"

    assert len(read(source(kafka_address, topic, batch_size=256), until=enough)) < 50_000


def test_a_bounded_run_ends_at_the_offsets_named(kafka_address: str) -> None:
    """S4: from and to by offset, the end excluded and never beyond what is there."""
    topic = create_topic(kafka_address, partitions=2)
    for partition in range(2):
        produce(kafka_address, topic, (b"%d" % n for n in range(10)), partition)
    start = AtOffsets({(topic, 0): 3})
    end = AtOffsets({(topic, 0): 6, (topic, 1): 1_000_000})

    records = read(source(kafka_address, topic, start=start, bounds=Bounds(end)))

    assert [r.offset for r in records if r.partition == 0] == [3, 4, 5]
    assert [r.offset for r in records if r.partition == 1] == list(range(10))


def test_a_bounded_run_ends_at_the_timestamps_named(kafka_address: str) -> None:
    """S4: from and to by time, the end excluded; a partition with nothing that late ends as well."""
    topic = create_topic(kafka_address, partitions=2)
    for n in range(10):
        produce(kafka_address, topic, [b"%d" % n], 0, timestamp=1_700_000_000_000 + n)

    records = read(
        source(
            kafka_address, topic, start=AtTimestamp(1_700_000_000_002), bounds=Bounds(AtTimestamp(1_700_000_000_005))
        )
    )
    rest = read(source(kafka_address, topic, start=AtTimestamp(1_700_000_000_008), bounds=Bounds()))

    assert values(records) == [b"2", b"3", b"4"]
    assert values(rest) == [b"8", b"9"]


def test_a_bounded_run_ends_on_a_busy_topic(kafka_address: str) -> None:
    """S4: records that come while it runs are not part of it."""
    topic = create_topic(kafka_address)
    produce(kafka_address, topic, [b"before"] * 100)
    bounded = source(kafka_address, topic, bounds=Bounds(), batch_size=10)

    def write_more(records: list[InRecord]) -> bool:
        if len(records) in (1, 50, 100):
            produce(kafka_address, topic, [b"after"] * 100)
        return False

    assert values(read(bounded, until=write_more)) == [b"before"] * 100


def test_a_bounded_run_ends_where_the_last_offsets_hold_no_record(kafka_address: str) -> None:
    """S4: an aborted transaction is not read, and its offsets, at the end of the log, do not keep the run."""
    topic = create_topic(kafka_address)
    produce(kafka_address, topic, [b"plain"])
    producer = Producer({"bootstrap.servers": kafka_address, "transactional.id": topic})
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce(topic, b"committed")
    producer.commit_transaction(30)
    producer.begin_transaction()
    producer.produce(topic, b"aborted")
    producer.flush(30)
    producer.abort_transaction(30)

    assert values(read(source(kafka_address, topic, bounds=Bounds()))) == [b"plain", b"committed"]


def test_an_open_transaction_is_beyond_a_bounded_runs_end(kafka_address: str) -> None:
    """S4: read committed ends at the last stable offset; read uncommitted is there for who wants it."""
    topic = create_topic(kafka_address)
    produce(kafka_address, topic, [b"plain"])
    producer = Producer({"bootstrap.servers": kafka_address, "transactional.id": topic})
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce(topic, b"open")
    producer.flush(30)
    uncommitted = {"bootstrap.servers": kafka_address, "isolation.level": "read_uncommitted"}

    committed = read(source(kafka_address, topic, bounds=Bounds()))
    everything = read(KafkaSource("messages", [topic], uncommitted, group_id="g", bounds=Bounds()))
    producer.abort_transaction(30)

    assert values(committed) == [b"plain"]
    assert values(everything) == [b"plain", b"open"]


def test_a_bounded_run_over_compacted_offsets_ends(kafka_address: str) -> None:
    """S4: start and end offsets that no longer hold a record are positions all the same."""
    topic = create_topic(
        kafka_address,
        cleanup_policy="compact",
        segment_ms="100",
        min_cleanable_dirty_ratio="0.01",
        segment_bytes="1048576",
    )
    produce(kafka_address, topic, [b"old"] * 50, key=b"same")
    deadline = time.monotonic() + 60
    while len(found := read(source(kafka_address, topic, bounds=Bounds(AtOffsets({(topic, 0): 50}))))) == 50:
        assert time.monotonic() < deadline, "the broker did not compact"
        produce(kafka_address, topic, [b"new"], key=b"same")  # rolls the segment

    assert all(record.offset < 50 for record in found)


def test_an_empty_topic_is_read_to_its_end(kafka_address: str) -> None:
    """S4."""
    topic = create_topic(kafka_address, partitions=4)

    assert read(source(kafka_address, topic, bounds=Bounds())) == []


def test_a_second_run_goes_on_where_the_first_ended(kafka_address: str, tmp_path: Path) -> None:
    """S5: the recovery store knows the next offset of every partition."""
    topic = create_topic(kafka_address, partitions=3)
    for partition in range(3):
        produce(kafka_address, topic, [b"first"] * 20, partition)
    first = read(source(kafka_address, topic, bounds=Bounds()), tmp_path / "store")
    for partition in range(3):
        produce(kafka_address, topic, [b"second"] * 5, partition)

    second = read(source(kafka_address, topic, bounds=Bounds()), tmp_path / "store")

    assert values(first) == [b"first"] * 60
    assert values(second) == [b"second"] * 15


def test_a_start_at_the_end_of_an_empty_partition_is_remembered_as_an_offset(
    kafka_address: str, tmp_path: Path
) -> None:
    """S5: what is written after the first run started is read by the second, also where there was nothing before."""
    topic = create_topic(kafka_address, partitions=2)
    assert read(source(kafka_address, topic, start="latest", bounds=Bounds()), tmp_path / "store") == []
    produce(kafka_address, topic, [b"between"] * 3, partition=1)

    assert (
        values(read(source(kafka_address, topic, start="latest", bounds=Bounds()), tmp_path / "store"))
        == [b"between"] * 3
    )


def test_start_latest_reads_only_what_comes_later(kafka_address: str) -> None:
    """S1."""
    topic = create_topic(kafka_address)
    produce(kafka_address, topic, [b"before"])
    reader = source(kafka_address, topic, start="latest", on_lag=lambda *_: produce(kafka_address, topic, [b"later"]))

    assert values(read(reader, until=bool)) == [b"later"]


def test_expired_offsets_stop_the_job_with_the_remedy(kafka_address: str, tmp_path: Path) -> None:
    """S5: records that were deleted unread are not passed over in silence."""
    topic = create_topic(kafka_address)
    produce(kafka_address, topic, [b"a"] * 10)
    read(source(kafka_address, topic, bounds=Bounds(AtOffsets({(topic, 0): 4}))), tmp_path / "store")
    delete_records(kafka_address, topic, 7)

    message = failure(OffsetExpired, source(kafka_address, topic, bounds=Bounds()), tmp_path / "store")
    assert f"{topic}/0 has offset 4, but the oldest one left has 7: 3 offsets" in message
    assert "kafka.expired = 'skip'" in message

    skipping = source(kafka_address, topic, bounds=Bounds(), expired="skip")
    assert [record.offset for record in read(skipping, tmp_path / "store")] == [7, 8, 9]


def test_an_offset_beyond_the_end_stops_the_job(kafka_address: str) -> None:
    """S5: the topic was made anew; its offsets are not those of the recovery store."""
    topic = create_topic(kafka_address)
    produce(kafka_address, topic, [b"a"] * 3)

    message = failure(OffsetExpired, source(kafka_address, topic, start=AtOffsets({(topic, 0): 500})))

    assert f"{topic}/0 has offset 500, but the partition ends at 3" in message


def test_a_missing_topic_is_named(kafka_address: str) -> None:
    """S1."""
    message = failure(TopicMissing, source(kafka_address, "no-such-topic", bounds=Bounds()))

    assert "topic no-such-topic does not exist" in message


def test_new_partitions_stop_the_job_and_are_read_from_their_start(kafka_address: str, tmp_path: Path) -> None:
    """S1: records that reached a new partition before it was noticed are read, also with start latest."""
    topic = create_topic(kafka_address)
    grown = []

    def grow(*_: object) -> None:
        if not grown:
            grown.append(True)
            admin = AdminClient({"bootstrap.servers": kafka_address})
            admin.create_partitions([NewPartitions(topic, 3)], operation_timeout=10)[topic].result()
            wait_until(lambda: len(admin.list_topics(topic, timeout=10).topics[topic].partitions) == 3)
            produce(kafka_address, topic, [b"early"], partition=2)

    endless = source(kafka_address, topic, start="latest", refresh_seconds=0.05, on_lag=grow)

    assert "has 3 partitions now, it had 1" in failure(NewPartitionsNoticed, endless, tmp_path / "store")
    again = source(kafka_address, topic, start="latest")
    assert values(read(again, tmp_path / "store", until=bool)) == [b"early"]


def test_a_topic_deleted_while_it_is_read_stops_the_job(kafka_address: str) -> None:
    """S1."""
    topic = create_topic(kafka_address)
    admin = AdminClient({"bootstrap.servers": kafka_address})
    gone = []

    def delete(*_: object) -> None:
        if not gone:
            gone.append(admin.delete_topics([topic], operation_timeout=10)[topic].result())

    message = failure(TopicMissing, source(kafka_address, topic, refresh_seconds=0.05, on_lag=delete))

    assert f"topic {topic} had 1 partitions and has 0 now" in message


def test_an_instance_reads_only_the_partitions_it_owns(kafka_address: str) -> None:
    """S6."""
    topic = create_topic(kafka_address, partitions=4)
    for partition in range(4):
        produce(kafka_address, topic, [b"x"], partition)

    owned = source(kafka_address, topic, bounds=Bounds(), partitions=lambda _, partition: partition % 2 == 1)

    assert sorted(record.partition for record in read(owned)) == [1, 3]


def test_progress_is_told_and_committed_for_lag_tools(kafka_address: str, tmp_path: Path) -> None:
    """S7: the lag at the start is all of it, at the end none; the group's offsets say the same."""
    topic = create_topic(kafka_address, partitions=2)
    produce(kafka_address, topic, [b"x"] * 30, partition=0)
    told: list[tuple[int, int]] = []

    read(
        source(kafka_address, topic, bounds=Bounds(), on_lag=lambda _, partition, lag: told.append((partition, lag))),
        tmp_path / "store",
    )

    assert (told[0], told[-2:]) == ((0, 30), [(0, 0), (1, 0)])
    consumer = Consumer({"bootstrap.servers": kafka_address, "group.id": "factstream-test"})
    committed = consumer.committed([TopicPartition(topic, 0), TopicPartition(topic, 1)], timeout=10)
    consumer.close()
    assert [place.offset for place in committed] == [30, 0]


def test_reading_goes_on_when_a_broker_that_was_away_is_back(own_broker: LocalBroker) -> None:
    """S5."""
    topic = create_topic(own_broker.address)
    produce(own_broker.address, topic, [b"1"])

    def restart(records: list[InRecord]) -> bool:
        if len(records) == 1:
            own_broker.down()
            own_broker.up()
            produce(own_broker.address, topic, [b"2"])
        return len(records) == 2

    client = {"bootstrap.servers": own_broker.address, "reconnect.backoff.max.ms": 500}
    waiting = KafkaSource("messages", [topic], client, group_id="g")
    assert values(read(waiting, until=restart)) == [b"1", b"2"]


def test_what_is_handed_over_between_two_commits_is_bounded(kafka_address: str) -> None:
    """S6: each record counts with its bytes and 400 more; the rest waits until the epoch is over, and none is lost."""
    topic = create_topic(kafka_address, partitions=2)
    for partition in range(2):
        produce(kafka_address, topic, [b"x" * 600] * 40, partition)
    bounded = source(kafka_address, topic, bounds=Bounds(), in_flight_bytes_max=10_000)
    parts = {name: bounded.build_part("in", name, None) for name in bounded.list_parts()}
    epochs = []
    while parts:
        epochs.append(handed_over(parts))
        for part in parts.values():
            part.snapshot()
    assert sum(epochs) == 80
    # What a partition that ends has handed over counts no longer.
    assert {count for count in epochs if count} <= {10, 20}
    assert epochs.count(20) <= 1


def handed_over(parts: dict[str, Any], rounds: int = 20) -> int:
    """Records that come until nothing has come for so many rounds; partitions at their end go."""
    count = quiet = 0
    while parts and quiet < rounds:
        quiet += 1
        for name, part in list(parts.items()):
            try:
                records = list(part.next_batch())
            except StopIteration:
                part.close()
                del parts[name]
                continue
            count += len(records)
            quiet = 0 if records else quiet
        time.sleep(0.005)
    return count


def test_a_slow_worker_is_not_flooded_by_its_peers(kafka_address: str) -> None:
    """S6: the queues between workers have no bound of their own."""
    topic = create_topic(kafka_address, partitions=2)
    for partition in range(2):
        produce(kafka_address, topic, [b"x" * 600] * 400, partition)
    read_ids: list[int] = []
    done_ids: list[int] = []
    waiting: list[int] = []

    def note(record: InRecord) -> tuple[str, InRecord]:
        read_ids.append(record.offset)
        waiting.append(len(read_ids) - len(done_ids))
        return "one", record

    def slowly(state: None, record: InRecord) -> tuple[None, InRecord]:
        time.sleep(0.001)
        done_ids.append(record.offset)
        return None, record

    flow = Dataflow("slow")
    bounded = source(kafka_address, topic, bounds=Bounds(), in_flight_bytes_max=20_000)
    noted = op.map("note", op.input("in", flow, bounded), note)
    out = op.stateful_map("slowly", noted, slowly)
    op.output("out", out, TestingSink([]))
    cluster_main(flow, [], 0, epoch_interval=timedelta(seconds=0.1), worker_count_per_proc=2)
    assert len(done_ids) == 800
    assert max(waiting) <= 2 * 2 * 20  # two workers; an epoch that ends leaves room before the other's does


FLOW = """
import sys
from datetime import timedelta
from pathlib import Path
import bytewax.operators as op
from bytewax.connectors.files import FileSink
from bytewax.dataflow import Dataflow
from bytewax.recovery import RecoveryConfig
from bytewax.run import cli_main
from flows.connectors.kafka_sink import KafkaSink
from flows.connectors.kafka_source import Bounds, KafkaSource
from flows.connectors.records import OutRecord

address, topic_in, topic_out, store = sys.argv[1:]
client = {"bootstrap.servers": address}
flow = Dataflow("copy")
source = KafkaSource("messages", [topic_in], client, group_id="copy", bounds=Bounds(), batch_size=100)

def copy(record):
    partition = b"%d" % record.partition
    copied = OutRecord("events", b"%d/%d" % (record.partition, record.offset), record.value, partition)
    return str(record.partition), copied

copies = op.map("copy", op.input("in", flow, source), copy)
op.output("out", copies, KafkaSink({"events": topic_out}, client, sink_partitions=4))
cli_main(flow, epoch_interval=timedelta(0), recovery_config=RecoveryConfig(store))
"""


def test_killed_again_and_again_nothing_is_lost(kafka_address: str, tmp_path: Path) -> None:
    """S5: after each SIGKILL the job goes on; every record is published, first copies in each partition's order."""
    topic_in, topic_out = create_topic(kafka_address, partitions=4), create_topic(kafka_address, partitions=3)
    for partition in range(4):
        produce(kafka_address, topic_in, (b"%d" % n for n in range(3_000)), partition)
    store = tmp_path / "store"
    store.mkdir()
    init_db_dir(store, 2)
    script = tmp_path / "copy_flow.py"
    script.write_text(FLOW)
    command = [sys.executable, str(script), kafka_address, topic_in, topic_out, str(store)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    watcher = Consumer({"bootstrap.servers": kafka_address, "group.id": "watcher"})

    def written() -> int:
        return sum(watcher.get_watermark_offsets(TopicPartition(topic_out, n), timeout=10)[1] for n in range(3))

    for _ in range(2):
        before = written()
        job = subprocess.Popen(command, env=environment)
        wait_until(lambda since=before: written() > since + 1_000)
        job.send_signal(signal.SIGKILL)
        job.wait()
    assert subprocess.run(command, env=environment, check=False, timeout=120).returncode == 0
    watcher.close()

    first_copies: dict[bytes, list[int]] = defaultdict(list)
    seen = set()
    for message in read_all(kafka_address, topic_out):
        key = message.key()
        assert key is not None
        if key not in seen:
            seen.add(key)
            partition, offset = key.split(b"/")
            first_copies[partition].append(int(offset))
    assert first_copies == {b"%d" % partition: list(range(3_000)) for partition in range(4)}


def delete_records(address: str, topic: str, before: int) -> None:
    admin = AdminClient({"bootstrap.servers": address})
    for future in admin.delete_records([TopicPartition(topic, 0, before)]).values():
        future.result()


def wait_until(happened: Callable[[], bool], seconds_max: float = 60) -> None:
    deadline = time.monotonic() + seconds_max
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
