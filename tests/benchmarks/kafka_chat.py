"""Lively chat through a real broker, against the same model calls alone."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path

import orjson

from flows import kafka
from flows.connectors.kafka_topics import ensure_topics
from flows.settings import load
from tests import kafka_broker
from tests.benchmarks import end_to_end, running
from tests.benchmarks.chat import chat
from tests.benchmarks.running import Line, Run
from tests.benchmarks.worker import WorkerSpec

PARTITIONS = 8
SETTINGS = """
[kafka]
partitions = {partitions}
client = {{"bootstrap.servers" = "{address}"}}
[kafka.topics]
input = ["{name}.messages"]
commands = "{name}.commands"
events = "{name}.events"
facts = "{name}.facts"
proposals = "{name}.proposals"
users = "{name}.users"
dead_letters = "{name}.dead_letters"
"""


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """One and two worker processes in turns, each over topics of its own that hold all messages before it starts."""
    given = os.environ.get("FACTSTREAM_TEST_KAFKA")
    found: dict[int, list[Run]] = {1: [], 2: []}
    with nullcontext(given) if given else kafka_broker.broker() as address:
        for turn in range(runs):
            for workers in found:
                name = f"bench-{os.getpid()}-{turn}-{workers}"
                settings = SETTINGS.format(address=address, name=name, partitions=PARTITIONS)
                _filled(folder, name, settings, address, messages)
                spec = WorkerSpec("", "", "", messages, weights=weights, kafka=True)
                found[workers].append(running.once(folder, f"kafka-{turn}-{workers}", spec, workers, settings))
    return [line for workers in found for line in end_to_end.lines("kafka", f"{workers} worker(s)", found[workers])]


def _filled(folder: Path, name: str, settings: str, address: str, messages: int) -> None:
    config = folder / f"{name}-topics.toml"
    config.write_text(settings)
    loaded = load(config, {})
    ensure_topics(loaded.kafka.client, kafka.topic_specs(loaded))
    lanes: dict[int, list[bytes]] = {lane: [] for lane in range(PARTITIONS)}
    for row in chat(messages, max(1, messages // 60)):
        lanes[int(str(row["user_id"]).removeprefix("user-")) % PARTITIONS].append(orjson.dumps(row))
    for lane, values in lanes.items():
        kafka_broker.produce(address, f"{name}.messages", values, partition=lane)
