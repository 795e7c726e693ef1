"""Instances share the topics: disjoint users, together the memory of one job; a directory stays what it was (S6)."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer

from flows import instances
from flows.replay import Request, replay
from flows.settings import Settings, SettingsError
from state.layout import Layout, LayoutError
from tests.flows.test_kafka_job import facts
from tests.flows.test_replay import COMMANDS, MESSAGES, USERS, Topics
from tests.kafka_broker import create_topic, free_port, read_all
from tests.stub_kafka_job import stubbed


@pytest.mark.parametrize(
    ("text", "host", "expected"),
    [("2/8", None, (2, 8)), ("8/8", None, (8, 8)), ("ordinal/8", "factstream-0", (1, 8)), ("ordinal/3", "f2", (3, 3))],
)
def test_an_instance_is_counted_from_one_or_named_by_its_host(
    text: str, host: str | None, expected: tuple[int, int]
) -> None:
    assert instances.parse(text, host) == expected


@pytest.mark.parametrize(
    ("text", "host"), [("0/8", None), ("9/8", None), ("two", None), ("ordinal/8", "laptop"), ("ordinal/3", "f-3")]
)
def test_an_instance_that_is_none_is_named(text: str, host: str | None) -> None:
    with pytest.raises(SettingsError, match="instance is"):
        instances.parse(text, host)


def settings_of(topics: Topics, instance: str, **kafka: Any) -> Settings:
    chosen = instances.chosen(topics.settings, instance)
    return replace(chosen, kafka=replace(chosen.kafka, **kafka))


@pytest.mark.kafka
def test_a_directory_stays_the_instance_that_it_was(kafka_address: str, tmp_path: Path) -> None:
    """S6, S11"""
    topics = Topics(tmp_path, kafka_address)
    layout, live = Layout(tmp_path / "state"), Layout(tmp_path / "live")
    for each in (layout, live):
        each.root.mkdir()
    instances.bind(settings_of(topics, "2/4"), layout)
    instances.bind(settings_of(topics, "2/4"), layout)
    owner = instances.ownership(layout)
    assert owner is not None
    assert (owner.number, owner.count, owner.partitions) == (2, 4, 4)
    with pytest.raises(LayoutError, match=r"is the memory of instance 2/4, this is instance 3/4"):
        instances.bind(settings_of(topics, "3/4"), layout)
    with pytest.raises(LayoutError, match="partitioner murmur2 became crc32"):
        instances.bind(settings_of(topics, "2/4", partitioner="crc32"), layout)
    with pytest.raises(LayoutError, match="this is instance 1/1"):
        instances.bind(topics.settings, layout)
    live.partitions("messages").write_text(f'["{topics.prefix}.messages/0"]')
    with pytest.raises(LayoutError, match="is the memory of instance 1/1, this is instance 2/4"):
        instances.bind(settings_of(topics, "2/4"), live)
    with pytest.raises(SettingsError, match="at least one an instance"):
        instances.bind(settings_of(topics, "2/5"), live)


@pytest.mark.kafka
@pytest.mark.parametrize("partitioner", ["murmur2", "crc32"])
def test_a_users_partition_is_the_one_that_producers_choose(partitioner: str, kafka_address: str) -> None:
    """S6: crc32 is librdkafka's own default, murmur2 that of Java's clients"""
    topic = create_topic(kafka_address, partitions=7)
    named = {"partitioner": "murmur2"} if partitioner == "murmur2" else {}
    producer = Producer({"bootstrap.servers": kafka_address, **named})
    for number in range(50):
        producer.produce(topic, b"x", key=f"user-{number}".encode())
    assert producer.flush(30) == 0
    for record in read_all(kafka_address, topic):
        assert instances.PARTITIONERS[partitioner](record.key() or b"", 7) == record.partition()


@pytest.mark.kafka
def test_two_instances_together_are_one_job(kafka_address: str, tmp_path: Path) -> None:
    """S6: disjoint users, the union of what they hold is one job's, and each command is answered once"""
    topics = Topics(tmp_path, kafka_address)
    topics.write(MESSAGES, [])
    states = [tmp_path / "one", tmp_path / "two"]
    ports = [free_port(), free_port()]
    with ExitStack() as stack:
        processes = []
        for number, (state, port) in enumerate(zip(states, ports, strict=True), 1):
            config = tmp_path / f"instance-{number}.toml"
            text = topics.config.read_text().replace(f"port = {topics.settings.metrics.port}", f"port = {port}")
            config.write_text(text.replace("[kafka]\n", f'[kafka]\ninstance = "{number}/2"\n'))
            processes.append(stack.enter_context(topics.live(state, config)))
        topics.wait(processes[0], lambda: topics.has_read(len(MESSAGES), *ports))
        topics.write([], COMMANDS)
        for process in processes:
            topics.wait(process, lambda: topics.flushed() >= set(USERS))
    with stubbed():
        assert replay(topics.settings, topics.config, tmp_path / "whole", Request()).status == 0
    one, two, whole = (facts(state) for state in (*states, tmp_path / "whole"))
    assert one
    assert two
    assert not one.keys() & two.keys()
    assert one | two == whole
    answers = [row["user_id"] for row in topics.events() if row["rule"] == "T3.flush"]
    assert sorted(answers) == sorted(USERS)
