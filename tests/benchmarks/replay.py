"""A topic replayed: the rate and resident memory of each tenth, beside a plain bounded read, and with the models."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import orjson
from confluent_kafka import Producer

from flows import kafka
from flows.connectors.kafka_topics import TopicSpec, ensure_topics
from flows.settings import load
from tests import kafka_broker
from tests.benchmarks import running
from tests.benchmarks.chat import chat
from tests.benchmarks.kafka_chat import PARTITIONS, SETTINGS
from tests.benchmarks.running import Line, Run
from tests.benchmarks.worker import WorkerSpec

_WITH_MODELS_MAX = 5_000


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """One worker: the merged replay and a plain read with the models left out, in turns; a shorter one with them."""
    given = os.environ.get("FACTSTREAM_TEST_KAFKA")
    found: dict[str, list[Run]] = {"replay": [], "plain read": []}
    with nullcontext(given) if given else kafka_broker.broker() as address:
        settings = _filled(folder, address, "all", messages)
        for turn in range(runs):
            for name, done in found.items():
                spec = WorkerSpec("", "", "", messages, models=False, kafka=True, replay=name == "replay")
                done.append(running.once(folder, f"{name.replace(' ', '-')}-{turn}", spec, 1, settings))
        few = min(messages, _WITH_MODELS_MAX)
        settings = _filled(folder, address, "few", few)
        spec = WorkerSpec("", "", "", few, weights=weights, kafka=True, replay=True)
        with_models = running.once(folder, "with-models", spec, 1, settings)
    lines = [line for name, done in found.items() for line in _lines(name, messages, done)]
    rates = {name: running.middle(run.messages_per_second for run in done) for name, done in found.items()}
    ratio = round(rates["replay"] / rates["plain read"], 2)
    return [
        *lines,
        Line("replay", "replay by plain read", ratio),
        Line("replay", f"replay of {few:,} with the models", round(with_models.messages_per_second), "messages/s"),
        Line("replay", "of the models alone", round(with_models.ratio, 2)),
    ]


def _lines(name: str, messages: int, runs: list[Run]) -> Iterable[Line]:
    reports = [run.reports[0] for run in runs]
    label = f"{name} of {messages:,}, models left out"
    yield Line("replay", label, running.middle(run.messages_per_second for run in runs), "messages/s")
    yield Line("replay", f"{label}: by processor time", running.middle(messages / r.cpu_seconds for r in reports), "/s")
    seconds = reports[0].tenths_seconds
    spans = [after - before for before, after in pairwise(seconds)]
    rates = " ".join(f"{messages / 10 / span:,.0f}" for span in spans if span)
    yield Line("replay", f"{label}: rate of each tenth", rates, "messages/s")
    resident = " ".join(f"{size / 1e6:.0f}" for size in reports[0].tenths_rss_bytes)
    yield Line("replay", f"{label}: resident at each tenth", resident, "MB")


def _filled(folder: Path, address: str, name: str, messages: int) -> str:
    """Settings of topics that hold the chat, each record of the time at which its message was sent."""
    prefix = f"bench-replay-{os.getpid()}-{name}"
    settings = SETTINGS.format(address=address, name=prefix, partitions=PARTITIONS)
    config = folder / f"{prefix}.toml"
    config.write_text(settings)
    loaded = load(config, {})
    # The chat is of a time long gone, and retention would delete it.
    kept = TopicSpec(f"{prefix}.messages", PARTITIONS, 1, settings=(("retention.ms", "-1"),))
    ensure_topics(loaded.kafka.client, [kept])
    ensure_topics(loaded.kafka.client, kafka.topic_specs(loaded))
    producer = Producer({"bootstrap.servers": address, "linger.ms": 5, "queue.buffering.max.messages": 1_000_000})
    for row in chat(messages, max(1, messages // 60)):
        lane = int(str(row["user_id"]).removeprefix("user-")) % PARTITIONS
        at_ms = int(str(row["sent_at"]))
        producer.produce(f"{prefix}.messages", orjson.dumps(row), partition=lane, timestamp=at_ms)
        producer.poll(0)
    assert producer.flush(60) == 0
    return settings
