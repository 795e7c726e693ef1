"""The verb run: one job from lock to summary, in this process or in supervised workers."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from flows import health, instances, kafka, logs, metrics, progress, render
from flows.broker_wait import awaited
from flows.connectors.kafka_topics import ensure_topics
from flows.erasing import finish, is_ready
from flows.job import open_state, run_process
from flows.lock import locked
from flows.memory import Memory
from flows.settings import Settings, SettingsError, load
from flows.spec import JobSpec
from flows.spool import waiting_bytes, wipe
from flows.supervisor import Supervisor
from state.erasures import Erasures
from state.layout import Layout

_BOUNDED_RESTARTS_MAX = 5
_ERASURES_SECONDS = 2.0


def run_job(
    settings: Settings,
    config: Path | None,
    state: Path,
    sources: list[Path],
    workers: int,
    metrics_port: int | None,
) -> int:
    """Runs the job; the exit status. Raises SettingsError, LayoutError and what ends a single process."""
    for source in sources:
        if not source.is_file():
            what = "not a file" if source.exists() else "no such file"
            raise SettingsError(f"--source {source}: {what}; give an existing JSONL file")
    spec = JobSpec(
        str(state),
        str(config) if config else None,
        tuple(str(source) for source in sources),
        workers=workers,
        metrics_port=metrics_port,
    )
    if not spec.embedded and not kafka.configured(settings):
        raise SettingsError(
            'nothing to read: give --source FILE.jsonl, or set kafka.client "bootstrap.servers" in the configuration'
            " (or FACTSTREAM__KAFKA__CLIENT__BOOTSTRAP_SERVERS)"
        )
    _check_ports(settings, spec)
    layout = Layout(state)
    with locked(layout.lock) as lock:
        open_state(settings, str(state))
        return _embedded(spec, lock) if spec.embedded else _live(settings, spec, lock)


def _check_ports(settings: Settings, spec: JobSpec) -> None:
    """Raises SettingsError where a port that the job will want is taken, before anything is done."""
    try:
        if spec.metrics_port is not None or (settings.metrics.enabled and not spec.embedded):
            metrics.check_ports(spec.metrics_port or settings.metrics.port, spec.workers)
        if settings.metrics.enabled and settings.metrics.job_port and not spec.embedded:
            metrics.check_ports(settings.metrics.job_port, 1)
    except metrics.MetricsPortError as error:
        raise SettingsError(str(error)) from None


def _embedded(spec: JobSpec, lock: int) -> int:
    with Memory(spec.state) as memory:
        marks = memory.marks()
        letters = Layout(Path(spec.state)).dead_letters
        before = _lines(letters)
        status = run_to_end(spec, lock)
        if (unread := _lines(letters) - before) > 0:
            logs.tell(f"{unread:,} records could not be read; {letters} has them with reasons", logging.WARNING)
        if status == 0:
            waiting = memory.proposals(status="pending", limit=render.SHOWN_MAX)
            render.write_learned(list(memory.events_since(marks)), waiting, memory.waiting())
        return status


def _lines(path: Path) -> int:
    if not path.exists():
        return 0
    with path.open("rb") as file:
        return sum(1 for _ in file)


def run_to_end(spec: JobSpec, lock: int) -> int:
    """Runs a bounded job, with its progress on stderr, and what erases leave to do; the exit status."""
    layout = Layout(Path(spec.state))
    read = waiting_bytes(layout)
    status = _bounded(spec, lock)
    if status == 0:
        finish(load(spec.config), layout, ended=True)
        wipe(layout, read)
    return status


def _bounded(spec: JobSpec, lock: int) -> int:
    layout = Layout(Path(spec.state))
    with progress.shown("bytes" if spec.embedded else "records") as on_progress:
        if spec.workers == 1:
            run_process(spec, on_progress=on_progress)
            return 0
        tick = progress.relayed(layout, spec.workers, on_progress)
        supervisor = Supervisor(spec, lock, _BOUNDED_RESTARTS_MAX, on_tick=tick)
        try:
            status = supervisor.run()
            tick()
        finally:
            for process in range(spec.workers):
                layout.progress(process).unlink(missing_ok=True)
        if supervisor.stopped:
            raise KeyboardInterrupt  # as with one worker: it did not come to its end
        return status


def _live(settings: Settings, spec: JobSpec, lock: int) -> int:
    layout = Layout(Path(spec.state))
    supervisor = Supervisor(spec, lock, on_tick=_schedules(settings, spec))
    supervisor.heed_signals()
    if settings.metrics.enabled and settings.metrics.job_port:
        health.serve(
            health.JobHealth(layout, supervisor, settings.metrics.stalled_seconds, Erasures(layout.erasures)),
            settings.metrics.job_port,
        )
    logs.tell(f"connecting to Kafka at {settings.kafka.client['bootstrap.servers']}")
    if not awaited(lambda seconds: _make_ready(settings, layout, seconds), lambda: supervisor.stopped):
        return 0
    return supervisor.run()


def _make_ready(settings: Settings, layout: Layout, timeout_seconds: float) -> None:
    """Makes what is missing of the topics, and checks that the instance fits them."""
    for finding in ensure_topics(settings.kafka.client, kafka.topic_specs(settings), timeout_seconds):
        if finding.state == "created":
            empty = finding.topic in settings.kafka.topics.input
            note = ", an input with nothing in it: is this its right name?" if empty else ""
            logs.tell(f"created topic {finding.topic}{note}")
    instances.bind(settings, layout)


def _schedules(settings: Settings, spec: JobSpec) -> Callable[[], None]:
    """What a live job does on schedule: generations (S9), prunes, by commands on the topic (F5), and erasures (F6)."""
    ticks = [
        _every(settings.snapshots.interval_minutes * 60, "snapshot", spec),
        _every(settings.policy.prune_hours * 3_600, "prune", spec),
        _erasures(spec),
    ]

    def tick() -> None:
        for each in ticks:
            each()

    return tick


def _erasures(spec: JobSpec) -> Callable[[], None]:
    """Carries erasures on (F6) in a process of its own, for they may take a while."""
    due = 0.0
    running: subprocess.Popen[bytes] | None = None
    layout = Layout(Path(spec.state))
    ledger = Erasures(layout.erasures)

    def tick() -> None:
        nonlocal due, running
        if time.monotonic() < due or (running is not None and running.poll() is None):
            return
        due = time.monotonic() + _ERASURES_SECONDS
        if any(is_ready(layout, erasure) for erasure in ledger.unfinished()):
            words = [sys.executable, "-m", "flows.erasing", spec.state, *([spec.config] if spec.config else [])]
            running = subprocess.Popen(words, stdout=subprocess.DEVNULL)

    return tick


def _every(interval_seconds: int, verb: str, spec: JobSpec) -> Callable[[], None]:
    """Runs a verb now and then in a process of its own that only reads; 0 seconds: never."""
    due = time.monotonic() + interval_seconds
    running: subprocess.Popen[bytes] | None = None

    def tick() -> None:
        nonlocal due, running
        if not interval_seconds or time.monotonic() < due or (running is not None and running.poll() is None):
            return
        due = time.monotonic() + interval_seconds
        config = ["--config", spec.config] if spec.config else []
        words = [sys.executable, "-m", "flows", verb, "--state", spec.state, *config]
        running = subprocess.Popen(words, stdout=subprocess.DEVNULL)

    return tick
