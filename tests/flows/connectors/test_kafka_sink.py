"""The Kafka sink against a real broker (S2, S5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import bytewax.operators as op
import pytest
from bytewax.dataflow import Dataflow
from bytewax.recovery import RecoveryConfig, init_db_dir
from bytewax.testing import TestingSource, cluster_main, run_main
from confluent_kafka import Producer
from hypothesis import given
from hypothesis import strategies as st

from flows.connectors.kafka_sink import DeliveryFailed, KafkaSink, RecordTooLarge, kafka_partition
from flows.connectors.kafka_topics import KafkaProblem, TopicMissing
from flows.connectors.records import OutRecord
from tests.kafka_broker import causes, create_topic, free_port, read_all

kafka = pytest.mark.kafka


def record(stream: str = "events", user: str = "t/ana", name: str = "1", value: bytes | None = b"v") -> OutRecord:
    return OutRecord(stream, f"{user}/{name}".encode(), value, user.encode())


def copy_flow(sink: KafkaSink, records: Sequence[OutRecord], batch_size: int = 100) -> Dataflow:
    flow = Dataflow("write")
    items = [(r.partition_key.decode(), r) for r in records]
    op.output("out", op.input("in", flow, TestingSource(items, batch_size=batch_size)), sink)
    return flow


def write(sink: KafkaSink, records: Sequence[OutRecord]) -> None:
    run_main(copy_flow(sink, records), epoch_interval=timedelta(0))


def sink_to(address: str, **options: Any) -> KafkaSink:
    topics = options.pop("topics")
    return KafkaSink(topics, {"bootstrap.servers": address}, **options)


def failure(kind: type[KafkaProblem], sink: KafkaSink, records: Sequence[OutRecord]) -> str:
    """The message of the error of this kind that stops the sink."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  Bytewax wraps it
        write(sink, records)
    matching = [str(cause) for cause in causes(caught.value) if isinstance(cause, kind)]
    assert matching, f"{kind.__name__} expected, got {causes(caught.value)}"
    return matching[0]


@kafka
def test_records_arrive_with_key_value_and_headers_in_the_topic_of_their_stream(kafka_address: str) -> None:
    """S2; a value of None is a tombstone."""
    topics = {"events": create_topic(kafka_address), "facts": create_topic(kafka_address)}
    event = OutRecord("events", b"t/ana/e1", b"{}", b"t/ana", (("event", b"ADD"), ("schema_version", b"1")))
    fact = OutRecord("facts", b"t/ana/f1", None, b"t/ana")

    write(sink_to(kafka_address, topics=topics), [event, fact])

    [written_event] = read_all(kafka_address, topics["events"])
    [written_fact] = read_all(kafka_address, topics["facts"])
    assert (written_event.key(), written_event.value()) == (b"t/ana/e1", b"{}")
    assert written_event.headers() == [("event", b"ADD"), ("schema_version", b"1")]
    assert (written_fact.key(), written_fact.value()) == (b"t/ana/f1", None)


@kafka
def test_all_records_of_a_user_are_in_one_partition_and_in_order(kafka_address: str) -> None:
    """S2."""
    topic = create_topic(kafka_address, partitions=6)
    records = [record(user=f"t/user{n % 50}", name=str(n)) for n in range(2_000)]

    write(sink_to(kafka_address, topics={"events": topic}), records)

    partitions, names = defaultdict(set), defaultdict(list)
    for message in read_all(kafka_address, topic):
        user, _, name = (message.key() or b"").decode().rpartition("/")
        partitions[user].add(message.partition())
        names[user].append(int(name))
    assert dict(partitions) == {f"t/user{n}": {kafka_partition(f"t/user{n}".encode(), 6)} for n in range(50)}
    assert dict(names) == {f"t/user{n}": list(range(n, 2_000, 50)) for n in range(50)}
    assert len(set.union(*partitions.values())) == 6


@kafka
def test_dead_letters_spread_by_their_key(kafka_address: str) -> None:
    """S2."""
    topic = create_topic(kafka_address, partitions=4)
    records = [OutRecord("dead_letters", b"in/0/%d" % n, b"?", b"") for n in range(40)]

    write(sink_to(kafka_address, topics={"dead_letters": topic}), records)

    messages = read_all(kafka_address, topic)
    assert len(messages) == 40
    assert {message.partition() for message in messages} == {0, 1, 2, 3}


@kafka
def test_worker_threads_share_the_sink_and_lose_nothing(kafka_address: str) -> None:
    """S6."""
    topic = create_topic(kafka_address, partitions=3)
    records = [record(user=f"t/user{n}", name=str(n)) for n in range(3_000)]

    flow = copy_flow(sink_to(kafka_address, topics={"events": topic}), records)
    cluster_main(flow, [], 0, epoch_interval=timedelta(0), worker_count_per_proc=3)

    assert {m.key() for m in read_all(kafka_address, topic)} == {r.key for r in records}


@kafka
def test_a_record_the_topic_refuses_stops_the_job_before_its_epoch_is_committed(
    kafka_address: str, tmp_path: Path
) -> None:
    """S5: after the cause is gone, the records of the failed epoch are sent again."""
    topic = create_topic(kafka_address, max_message_bytes="2000")
    store = tmp_path / "store"
    store.mkdir()
    init_db_dir(store, 1)
    client = {"bootstrap.servers": kafka_address, "compression.type": "none"}
    config = RecoveryConfig(str(store))

    def run(large_bytes: int) -> None:
        records = [record(name="first"), record(name="second", value=b"x" * large_bytes), record(name="third")]
        flow = copy_flow(KafkaSink({"events": topic}, client), records, batch_size=1)
        run_main(flow, epoch_interval=timedelta(0), recovery_config=config)

    with pytest.raises(Exception) as caught:  # noqa: PT011  Bytewax wraps it
        run(large_bytes=5_000)
    message = next(str(cause) for cause in causes(caught.value) if isinstance(cause, RecordTooLarge))
    run(large_bytes=50)

    assert f"topic {topic}, key b't/ana/second', is too large: the broker or its topic refused it" in message
    assert [(m.key() or b"").rpartition(b"/")[2] for m in read_all(kafka_address, topic)][-2:] == [b"second", b"third"]


@kafka
def test_a_record_over_the_sinks_own_bound_is_named(kafka_address: str) -> None:
    """S2."""
    topic = create_topic(kafka_address)

    sink = sink_to(kafka_address, topics={"events": topic}, record_bytes_max=1_000)
    message = failure(RecordTooLarge, sink, [record(value=b"x" * 1_000)])

    assert "key b't/ana/1'" in message
    assert "it has 1007 bytes" in message
    assert "at most 1000" in message


@kafka
def test_more_than_the_producers_queue_holds_is_written_all_the_same(kafka_address: str) -> None:
    """S5: a full queue is waited for."""
    topic = create_topic(kafka_address)
    client = {"bootstrap.servers": kafka_address, "queue.buffering.max.messages": 10}

    write(KafkaSink({"events": topic}, client), [record(name=str(n)) for n in range(500)])

    assert len(read_all(kafka_address, topic)) == 500


@kafka
def test_a_topic_that_is_missing_stops_the_job(kafka_address: str) -> None:
    """S2."""
    message = failure(TopicMissing, sink_to(kafka_address, topics={"events": "no-such-topic"}), [record()])

    assert "topic no-such-topic cannot be written to" in message


@kafka
def test_a_stream_without_a_topic_is_named(kafka_address: str) -> None:
    """S2."""
    message = failure(KafkaProblem, sink_to(kafka_address, topics={"events": "e"}), [record(stream="facts")])

    assert "no topic for the stream 'facts'" in message


def test_a_broker_that_is_away_fails_the_delivery_within_its_bound() -> None:
    """S5: what is not confirmed is an error; the supervisor starts again."""
    nobody = f"127.0.0.1:{free_port()}"
    sink = sink_to(nobody, topics={"events": "events"}, delivery_seconds_max=1)
    partition = sink.build_part("out", "00", None)
    sink._writer._counts["events"] = 1  # as known from before the broker went away
    partition.write_batch([record()])

    with pytest.raises(DeliveryFailed, match="1 records did not arrive, the first for topic events, key b't/ana/1'"):
        partition.snapshot()


def test_what_waits_for_an_output_that_does_not_answer_is_bounded() -> None:
    """S6: the queue fills, the flow is held up, and when the delivery bound is over the job starts again."""
    sink = sink_to(
        f"127.0.0.1:{free_port()}", topics={"events": "events"}, delivery_seconds_max=1, queue_bytes_max=65_536
    )
    partition = sink.build_part("out", "00", None)
    sink._writer._counts["events"] = 1
    records = [record(name=str(n), value=b"x" * 1_000) for n in range(5_000)]

    with pytest.raises(DeliveryFailed, match="did not arrive"):
        partition.write_batch(records)
    assert 10 <= sink._writer._sent <= 65


@kafka
def test_partitions_are_those_of_kafkas_own_partitioner(kafka_address: str) -> None:
    """S2: a consumer finds a user's partition with the function it has."""
    topic = create_topic(kafka_address, partitions=7)
    producer = Producer({"bootstrap.servers": kafka_address, "partitioner": "murmur2"})
    keys = [b"default/" + b"u" * n for n in range(20)] + ["tenant/Zoë-日本".encode(), b"x"]
    for key in keys:
        producer.produce(topic, b"", key)
    producer.flush(30)

    assert {m.key(): m.partition() for m in read_all(kafka_address, topic)} == {
        key: kafka_partition(key, 7) for key in keys
    }


@given(st.binary(max_size=40), st.integers(1, 100))
def test_a_partition_is_always_one_of_the_topics(key: bytes, partitions: int) -> None:
    """S2."""
    assert 0 <= kafka_partition(key, partitions) < partitions
