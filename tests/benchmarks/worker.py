"""One worker process of a measured job: `python -m tests.benchmarks.worker SPEC [PROCESS ADDRESSES]`.

The job's own parts, policies, connectors and metrics; around them stopwatches, and where asked the models left out.
Its report goes to a JSON file.
"""

from __future__ import annotations

import cProfile
import os
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from time import monotonic, process_time
from typing import Any
from unittest.mock import patch

import numpy as np
import orjson
from bytewax.recovery import RecoveryConfig
from bytewax.run import cli_main

from flows import job, logs, topology
from flows.connectors.kafka_replay import ReplayPlan
from flows.connectors.kafka_sink import KafkaSink
from flows.connectors.kafka_source import Bounds, KafkaSource
from flows.job import connectors, make_parts
from flows.kafka import output_topics, replay_lanes
from flows.settings import Settings, load
from flows.spec import JobSpec
from models.claims import Utterance
from models.extractor import Extractor
from models.judge import PairJudge
from operators.observing import Observer
from state.layout import Layout
from tests.benchmarks import sessions
from tests.benchmarks.chat import START_MS, chat
from tests.benchmarks.passing import PassingUsers
from tests.stubs import StubEmbedder, StubExtractor


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """What one measured run is. Sources are files, a broker's topic (in `config`), or `passing` made-up users.

    With `floor` what the sessions were given is kept and run again alone; without it the process keeps nothing more
    than the job does.
    """

    state: str
    config: str
    report: str
    messages: int
    sources: tuple[str, ...] = ()
    models: bool = True
    weights: str | None = None
    kafka: bool = False
    replay: bool = False
    floor: bool = True
    passing: dict[str, int] = field(default_factory=dict)
    profile: str | None = None


@dataclass(slots=True)
class Report:
    """What a process saw. Times are of the machine's monotonic clock, which all its processes share."""

    started_at: float = 0.0
    first_record_at: float = 0.0
    first_done_at: float = 0.0
    ended_at: float = 0.0
    cpu_seconds: float = 0.0
    messages: int = 0
    tenths_cpu_seconds: list[float] = field(default_factory=list)
    tenths_seconds: list[float] = field(default_factory=list)
    tenths_rss_bytes: list[int] = field(default_factory=list)
    tenths_private_bytes: list[int] = field(default_factory=list)
    stage_seconds: dict[str, float] = field(default_factory=dict)
    batches: dict[str, dict[int, int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    session_seconds: dict[str, float] = field(default_factory=dict)
    session_cpu_seconds: float = 0.0
    session_rows: dict[str, int] = field(default_factory=dict)
    session_calls: dict[str, int] = field(default_factory=dict)
    session_shares: dict[str, dict[str, float]] = field(default_factory=dict)
    alone: dict[str, float] = field(default_factory=dict)
    alone_in_full_batches: dict[str, float] = field(default_factory=dict)
    rss_bytes_max: int = 0


class _Stopwatch:
    """The job's observer, and a note of each stage's time and batches."""

    def __init__(self, observer: Observer, report: Report) -> None:
        self._observer, self._report = observer, report
        self._batches: dict[str, Counter[int]] = {}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self._observer.count(name, amount, **labels)
        if name in ("fact_events_total", "reflections_total", "candidates_total"):
            key = f"{name}.{next(iter(labels.values()))}"
            self._report.counts[key] = self._report.counts.get(key, 0) + int(amount)

    def measure(self, name: str, value: float, **labels: str) -> None:
        self._observer.measure(name, value, **labels)
        report = self._report
        if name == "stage_seconds":
            stage = labels["stage"]
            report.stage_seconds[stage] = report.stage_seconds.get(stage, 0.0) + value
            if stage == "window":
                report.first_done_at = report.first_done_at or monotonic()
        elif name == "batch_size":
            sizes = report.batches.setdefault(labels["stage"], {})
            size = 1 << (int(value) - 1).bit_length() if value > 1 else int(value)
            sizes[size] = sizes.get(size, 0) + 1

    def gauge(self, name: str, value: float, **labels: str) -> None:
        self._observer.gauge(name, value, **labels)


class _WatchedDecoder:
    """The job's decoder; the first record starts the clock."""

    def __init__(self, decoder: Any, report: Report, messages: int) -> None:
        self._decoder, self._report = decoder, report
        self._tenth = max(1, messages // 10)

    def decode(self, record: Any) -> Any:
        report = self._report
        if not report.messages:
            report.first_record_at, report.cpu_seconds = monotonic(), process_time()
        if report.messages % self._tenth == 0:
            report.tenths_cpu_seconds.append(process_time())
            report.tenths_seconds.append(monotonic())
            self._look_at_memory()
        report.messages += 1
        return self._decoder.decode(record)

    def _look_at_memory(self) -> None:
        """What this process holds now, and of it what is no mapped file's; nothing where the system does not tell."""
        pages = Path("/proc/self/statm")
        if pages.exists():
            _, resident, mapped, *_ = (int(number) * resource.getpagesize() for number in pages.read_text().split())
            self._report.tenths_rss_bytes.append(resident)
            self._report.tenths_private_bytes.append(resident - mapped)


def _parts(spec: WorkerSpec, settings: Settings, report: Report) -> tuple[topology.Parts, list[sessions.Recorder]]:
    layout = Layout(Path(spec.state))
    recorders: list[sessions.Recorder] = []
    if not spec.models:
        with patch.multiple(job, Extractor=lambda **_: StubExtractor(), Embedder=_Cached):
            parts = replace(make_parts(settings, layout), judge=None)
    else:
        folder = Path(spec.weights) if spec.weights else None
        with patch.object(job, "Extractor", lambda **fields: Extractor(folder, **fields)):
            parts = make_parts(settings, layout)
        if spec.floor:
            extractor: Any = parts.extractor
            recorders = [
                sessions.watch(extractor, extractor._reader),
                sessions.watch(parts.embedder, parts.embedder),
                sessions.watch(judge := PairJudge(), judge),
            ]
            parts = replace(parts, judge=job.remembering(judge))
    watch = _Stopwatch(parts.observer, report)
    decoder: Any = _WatchedDecoder(parts.decoder, report, spec.messages)
    _warm_up(parts.extractor, parts.embedder, recorders)
    return replace(parts, decoder=decoder, observer=watch), recorders


def _warm_up(extractor: Any, embedder: Any, recorders: list[sessions.Recorder]) -> None:
    """Loads what the models load at first use (word lists, calendars), which a running job has long behind it."""
    turns = [Utterance(str(row["role"]), str(row["text"]), START_MS) for row in chat(400, 10, seed=1)]
    extractor.extract(turns)
    embedder.embed([turn.text for turn in turns[:64]])
    for recorder in recorders:
        recorder.reset()


class _Cached(StubEmbedder):
    """The stub with its words' vectors kept, so that it costs next to nothing."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def embed(self, texts: list[str]) -> Any:
        for text in texts:
            if text not in self._known:
                self._known[text] = super().embed([text])[0]
        rows = np.stack([self._known[text] for text in texts])
        if len(self._known) > 20_000:
            self._known.clear()
        return rows


def _connectors(spec: WorkerSpec, settings: Settings, layout: Layout) -> Any:
    if spec.replay:
        plan = ReplayPlan("bench", replay_lanes(settings, "earliest", Bounds(), None))
        replayed = JobSpec(spec.state, spec.config, replay=plan)
        return connectors(replayed, settings, layout)
    if spec.kafka:
        kafka = settings.kafka
        sources = [
            KafkaSource(role, topics, kafka.client, group_id=kafka.group_id, bounds=Bounds())
            for role, topics in (("messages", kafka.topics.input), ("commands", (kafka.topics.commands,)))
        ]
        return *sources, KafkaSink(output_topics(settings), kafka.client)
    messages, commands, sink = connectors(JobSpec(spec.state, sources=spec.sources, spool_only=True), settings, layout)
    return (PassingUsers(**spec.passing) if spec.passing else messages), commands, sink


def run(spec: WorkerSpec, process: int | None, addresses: list[str] | None) -> Report:
    report = Report(monotonic())
    settings, layout = load(spec.config), Layout(Path(spec.state))
    parts, recorders = _parts(spec, settings, report)
    messages, commands, sink = _connectors(spec, settings, layout)
    flow = topology.build(parts, messages, commands, sink, publishes=spec.kafka)
    backup = timedelta(seconds=settings.recovery.backup_seconds)
    recovery = RecoveryConfig(layout.recovery, backup)  # type: ignore[no-untyped-call]  # compiled, without types
    epoch = timedelta(seconds=settings.recovery.epoch_seconds)
    job.keep_collector_away()
    with _profiled(spec.profile, process):
        cli_main(  # type: ignore[no-untyped-call]  # compiled, without types
            flow,
            workers_per_process=1,
            process_id=process,
            addresses=addresses,
            epoch_interval=epoch,
            recovery_config=recovery,
        )
    report.ended_at = monotonic()
    report.cpu_seconds = process_time() - report.cpu_seconds
    report.rss_bytes_max = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    _floor(report, recorders)
    return report


@contextmanager
def _profiled(path: str | None, process: int | None) -> Iterator[None]:
    """Writes cProfile's figures to `path`, with the process's number, where a path is given."""
    if path is None:
        yield
        return
    profile = cProfile.Profile()
    profile.enable()
    yield
    profile.disable()
    profile.dump_stats(f"{path}-{process or 0}")


def _floor(report: Report, recorders: list[sessions.Recorder]) -> None:
    """The same work through the sessions alone, in the same process, right after."""
    if not recorders:
        return
    report.session_cpu_seconds = sum(recorder.cpu_seconds for recorder in recorders)
    for name, recorder in zip(sessions.MODELS, recorders, strict=True):
        report.session_rows[name], report.session_calls[name] = sum(recorder.rows), len(recorder.rows)
        report.session_seconds[name] = recorder.seconds
        report.session_shares[name] = sessions.batch_shares(recorder)
    report.alone = asdict(sessions.replay(recorders))
    report.alone_in_full_batches = asdict(sessions.replay_in_full_batches(recorders))


def main() -> None:
    logs.configure()
    spec = WorkerSpec(**orjson.loads(sys.argv[1]))
    process = int(sys.argv[2]) if len(sys.argv) > 2 else None
    addresses = sys.argv[3].split(";") if len(sys.argv) > 3 else None
    report = run(replace(spec, sources=tuple(spec.sources)), process, addresses)
    path = Path(f"{spec.report}-{process or 0}.json")
    path.write_bytes(orjson.dumps(asdict(report), option=orjson.OPT_NON_STR_KEYS))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # nothing of the measured run is left to be tidied up
