"""A topic replayed: rate and resident memory of each tenth, beside the live job's source over the same records."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
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

_FLUSH_EVERY = 50_000
_LIVE_MESSAGES_MAX = 20_000


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """One worker with the models; the live job reads the first fifth at most."""
    spec = WorkerSpec("", "", "", messages, weights=weights, kafka=True, floor=False)
    return _measured("replay", folder, messages, min(messages, _LIVE_MESSAGES_MAX), runs, spec)


def measure_bare(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """One worker with the models left out."""
    del weights
    spec = WorkerSpec("", "", "", messages, models=False, kafka=True)
    return _measured("replay_bare", folder, messages, messages, runs, spec)


def _measured(
    benchmark: str, folder: Path, messages: int, live_messages: int, runs: int, spec: WorkerSpec
) -> list[Line]:
    """Replay and live job in turns."""
    given = os.environ.get("FACTSTREAM_TEST_KAFKA")
    replayed: list[Run] = []
    live: list[Run] = []
    with nullcontext(given) if given else kafka_broker.broker() as address:
        settings = _filled(folder, address, "all", messages)
        few = settings if live_messages == messages else _filled(folder, address, "few", live_messages)
        for turn in range(runs):
            live.append(running.once(folder, f"live-{turn}", replace(spec, messages=live_messages), 1, few))
            replayed.append(running.once(folder, f"replay-{turn}", replace(spec, replay=True), 1, settings))
    return [
        *_lines(benchmark, f"replay of {messages:,}", messages, replayed),
        *_lines(benchmark, f"live job over {live_messages:,}", live_messages, live),
        Line(benchmark, "replay by live job, in processor time", round(_rate(replayed) / _rate(live), 2)),
    ]


def _rate(runs: list[Run]) -> float:
    """Messages a second of processor time."""
    return running.middle(run.messages / run.reports[0].cpu_seconds for run in runs)


def _lines(benchmark: str, label: str, messages: int, runs: list[Run]) -> Iterable[Line]:
    yield Line(benchmark, label, running.middle(run.messages_per_second for run in runs), "messages/s")
    yield Line(benchmark, f"{label}: by processor time", _rate(runs), "messages/s of a core")
    report = runs[0].reports[0]
    spans = [after - before for before, after in pairwise(report.tenths_cpu_seconds)]
    rates = " ".join(f"{messages / 10 / span:,.0f}" for span in spans if span)
    yield Line(benchmark, f"{label}: of each tenth", rates, "messages/s of a core")
    resident = " ".join(f"{size / 1e6:.0f}" for size in report.tenths_rss_bytes)
    yield Line(benchmark, f"{label}: resident at each tenth", resident, "MB")
    private = " ".join(f"{size / 1e6:.0f}" for size in report.tenths_private_bytes)
    yield Line(benchmark, f"{label}: of it not a mapped file's", private, "MB")
    yield Line(benchmark, f"{label}: resident at most", round(report.rss_bytes_max / 1e6), "MB")


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
    producer = Producer({"bootstrap.servers": address, "linger.ms": 5})
    for number, row in enumerate(chat(messages, max(1, messages // 60)), 1):
        lane = int(str(row["user_id"]).removeprefix("user-")) % PARTITIONS
        at_ms = int(str(row["sent_at"]))
        producer.produce(f"{prefix}.messages", orjson.dumps(row), partition=lane, timestamp=at_ms)
        if number % _FLUSH_EVERY == 0 or number == messages:
            assert producer.flush(60) == 0
    return settings
