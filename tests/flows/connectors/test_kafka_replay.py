"""Bounded replay from a real broker: one order over all partitions, fixed ends, going on where it stopped (S4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import bytewax.operators as op
import pytest
from bytewax.dataflow import Dataflow
from bytewax.recovery import RecoveryConfig, init_db_dir
from bytewax.testing import TestingSink, run_main

from flows.connectors.kafka_replay import Lane, ReplayPlan, ReplaySource
from flows.connectors.kafka_source import AtOffsets, AtTimestamp, Bounds, KafkaSource
from flows.connectors.records import InRecord
from tests.kafka_broker import causes, create_topic, produce

pytestmark = pytest.mark.kafka

T0 = 1_700_000_000_000


class EnoughReadError(Exception):
    """Ends a run as a crash would."""


def read(
    address: str,
    plan: ReplayPlan,
    recovery: Path | None = None,
    until: Callable[[list[InRecord]], bool] = lambda records: False,
    progress: list[tuple[int, int]] | None = None,
) -> list[InRecord]:
    records: list[InRecord] = []
    told = [] if progress is None else progress
    source = ReplaySource(
        plan,
        {"bootstrap.servers": address},
        group_id="replay-test",
        on_progress=lambda done, total: told.append((done, total)),
    )

    def check(record: InRecord) -> InRecord:
        records.append(record)
        if until(records):
            raise EnoughReadError
        return record

    flow = Dataflow("replay")
    op.output("out", op.map("check", op.input("in", flow, source), check), TestingSink([]))
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


def kept_topic(address: str, partitions: int = 1) -> str:
    """A topic without retention, which would delete records of a time long gone whenever the broker looks."""
    return create_topic(address, partitions, retention_ms="-1")


def plan(replay_id: str, *lanes: tuple[str, str, int, int, int]) -> ReplayPlan:
    return ReplayPlan(replay_id, tuple(Lane(*lane) for lane in lanes))


def test_messages_and_commands_come_in_the_order_in_which_they_were_written(kafka_address: str) -> None:
    """S4: whichever partition is longer, and messages before commands of the same moment."""
    messages, commands = kept_topic(kafka_address, 3), kept_topic(kafka_address)
    for partition in range(3):
        for n in range(10):
            produce(kafka_address, messages, [b"m"], partition, timestamp=T0 + n * 10 + partition)
    for n in (0, 5, 9):
        produce(kafka_address, commands, [b"c"], timestamp=T0 + n * 10)
    lanes = [("messages", messages, partition, 0, 10) for partition in range(3)]

    records = read(kafka_address, plan("a", *lanes, ("commands", commands, 0, 0, 3)))

    times = [record.timestamp_ms or 0 for record in records]
    assert times == sorted(times)
    assert len(records) == 33
    assert [(r.role, r.timestamp_ms) for r in records[:2]] == [("messages", T0), ("commands", T0)]
    offsets = [r.offset for r in records if r.role == "messages" and r.partition == 1]
    assert offsets == list(range(10))


def test_a_long_lane_and_an_idle_one_are_read_whole(kafka_address: str) -> None:
    """S4: a lane far behind the others in time keeps none of them from its end."""
    topic = kept_topic(kafka_address, 4)
    produce(kafka_address, topic, [b"old"] * 5_000, 0, timestamp=T0)
    produce(kafka_address, topic, [b"new"] * 5_000, 1, timestamp=T0 + 1)
    produce(kafka_address, topic, [b"mid"], 2, timestamp=T0)
    progress: list[tuple[int, int]] = []
    lanes = [("messages", topic, 0, 0, 5_000), ("messages", topic, 1, 1_000, 5_000), ("messages", topic, 2, 0, 1)]

    records = read(kafka_address, plan("a", *lanes, ("messages", topic, 3, 0, 0)), progress=progress)

    assert [record.value for record in records] == [b"old"] * 5_000 + [b"mid"] + [b"new"] * 4_000
    assert progress[0][0] < progress[-1][0] == progress[-1][1] == 9_001


def test_records_that_come_later_are_beyond_the_end(kafka_address: str) -> None:
    """S4: end offsets are fixed when the replay starts."""
    topic = kept_topic(kafka_address)
    produce(kafka_address, topic, [b"before"] * 10)
    written = []

    def write_more(records: list[InRecord]) -> bool:
        if not written:
            written.append(produce(kafka_address, topic, [b"after"] * 10))
        return False

    records = read(kafka_address, plan("a", ("messages", topic, 0, 0, 10)), until=write_more)

    assert [record.value for record in records] == [b"before"] * 10


def test_an_interrupted_replay_goes_on_and_another_begins_anew(kafka_address: str, tmp_path: Path) -> None:
    """S5"""
    topic = kept_topic(kafka_address, 2)
    for partition in range(2):
        for start in range(0, 2_000, 500):
            produce(kafka_address, topic, [b"x"] * 500, partition, timestamp=T0 + start)
    lanes = [("messages", topic, partition, 0, 2_000) for partition in range(2)]

    first = read(kafka_address, plan("a", *lanes), tmp_path / "store", until=lambda records: len(records) == 1_500)
    second = read(kafka_address, plan("a", *lanes), tmp_path / "store")
    again = read(kafka_address, plan("b", *lanes), tmp_path / "store")

    seen = {(record.partition, record.offset) for record in (*first, *second)}
    assert seen == {(partition, offset) for partition in range(2) for offset in range(2_000)}
    assert len(second) < 4_000
    assert len(again) == 4_000


def test_ranges_by_time_and_by_offset_are_looked_up_without_reading(kafka_address: str) -> None:
    """S4"""
    topic = kept_topic(kafka_address, 2)
    for n in range(10):
        produce(kafka_address, topic, [b"x"], 0, timestamp=T0 + n)

    def ranges(start: AtTimestamp | AtOffsets, end: Bounds) -> dict[int, tuple[int, int]]:
        source = KafkaSource(
            "messages", [topic], {"bootstrap.servers": kafka_address}, group_id="g", start=start, bounds=end
        )
        return {partition: found for (_, partition), found in source.ranges().items()}

    by_time = ranges(AtTimestamp(T0 + 3), Bounds(AtTimestamp(T0 + 7)))
    by_offset = ranges(AtOffsets({(topic, 0): 2}), Bounds(AtOffsets({(topic, 0): 5})))

    assert by_time == {0: (3, 7), 1: (0, 0)}
    assert by_offset == {0: (2, 5), 1: (0, 0)}
