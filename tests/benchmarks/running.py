"""Runs measured jobs: a state directory, worker processes, and the sum of their reports."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from time import monotonic

import orjson

from flows.job import open_state
from flows.settings import load
from flows.supervisor import _free_ports
from state import memory_store
from state.layout import Layout
from state.windows import Retention, WindowStore
from tests.benchmarks.worker import Report, WorkerSpec

_RUN_SECONDS_MAX = 4 * 3_600


@dataclass(frozen=True, slots=True)
class Line:
    """One number of a benchmark, with the target that it has where it has one."""

    benchmark: str
    name: str
    value: float | str
    unit: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """All processes of one run. `launched_at` is when they were started, by the clock that their reports use."""

    launched_at: float
    reports: tuple[Report, ...]

    @property
    def messages(self) -> int:
        return sum(report.messages for report in self.reports)

    @property
    def seconds(self) -> float:
        """From the first record read to the end of the last process."""
        began = min(report.first_record_at for report in self.reports if report.messages)
        return max(report.ended_at for report in self.reports) - began

    @property
    def messages_per_second(self) -> float:
        return self.messages / self.seconds

    @property
    def floor_per_second(self) -> float:
        """Messages a second if the models' sessions were all there is; processes side by side."""
        return self.messages / max(report.alone["seconds"] for report in self.reports)

    @property
    def ratio(self) -> float:
        """The job's rate by the rate of its models' sessions alone."""
        return self.messages_per_second / self.floor_per_second

    @property
    def cpu_ratio(self) -> float:
        """The same in processor time, which other programs on the machine hardly disturb."""
        spent = sum(report.cpu_seconds for report in self.reports)
        return sum(report.alone["cpu_seconds"] for report in self.reports) / spent

    @property
    def session_share(self) -> float:
        """Share of the job's processor time that its sessions took: both from the same seconds of the same run."""
        return sum(r.session_cpu_seconds for r in self.reports) / sum(r.cpu_seconds for r in self.reports)

    @property
    def full_batches_cpu_ratio(self) -> float:
        """As cpu_ratio, against sessions that get the same rows in the fewest batches."""
        spent = sum(report.cpu_seconds for report in self.reports)
        return sum(report.alone_in_full_batches["cpu_seconds"] for report in self.reports) / spent

    def stage_microseconds(self) -> dict[str, float]:
        """Microseconds a message of each stage; the sessions are part of extract and embed."""
        totals: dict[str, float] = {}
        for report in self.reports:
            sessions = {f"session of the {model}": seconds for model, seconds in report.session_seconds.items()}
            for stage, seconds in {**report.stage_seconds, **sessions}.items():
                totals[stage] = totals.get(stage, 0.0) + seconds
        totals["all (processor)"] = sum(report.cpu_seconds for report in self.reports)
        return {stage: seconds / self.messages * 1e6 for stage, seconds in totals.items() if seconds}


def prepared(folder: Path, name: str, settings: str = "") -> tuple[Path, Path]:
    """(state directory, configuration file), both new; `settings` is TOML."""
    config, state = folder / f"{name}.toml", folder / name
    config.write_text(settings)
    loaded = load(config, {})
    layout = open_state(loaded, str(state))
    for shard in range(loaded.memory.shards):  # made beforehand: a short run would mostly show how files are made
        WindowStore(layout.windows(shard), None, Retention()).file.close()
        memory_store.MemoryStore(layout.memory(shard), None).file.close()
    return state, config


def measured(spec: WorkerSpec, workers: int) -> Run:
    """Runs the job in `workers` processes to its end. Raises RuntimeError with their words when one fails."""
    ports = ";".join(f"127.0.0.1:{port}" for port in _free_ports(workers))
    launched_at = monotonic()
    processes = []
    for index in range(workers):
        words = [sys.executable, "-m", "tests.benchmarks.worker", orjson.dumps(asdict(spec)).decode()]
        if workers > 1:
            words += [str(index), ports]
        processes.append(subprocess.Popen(words, stderr=subprocess.PIPE))
    try:
        said = [process.communicate(timeout=_RUN_SECONDS_MAX)[1] for process in processes]
    finally:
        for process in processes:
            process.kill()
    if any(process.returncode for process in processes):
        raise RuntimeError(f"the measured job failed:\n{b''.join(said).decode(errors='replace')[-3000:]}")
    rows = [orjson.loads(Path(f"{spec.report}-{index}.json").read_bytes()) for index in range(workers)]
    return Run(launched_at, tuple(Report(**row) for row in rows))


def once(folder: Path, name: str, spec: WorkerSpec, workers: int, settings: str = "") -> Run:
    """One run into a new memory under `folder`; `spec` needs no state, configuration and report of its own."""
    state, config = prepared(folder, name, settings)
    return measured(replace(spec, state=str(state), config=str(config), report=str(folder / f"{name}-report")), workers)


def middle(values: Iterable[float], digits: int = 0) -> float:
    """The median, rounded."""
    return round(median(values), digits) if digits else float(round(median(values)))


def files_bytes(folder: Path) -> int:
    """The size of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def rows_held(state: Path, kind: str, table: str, where: str = "1") -> int:
    """Rows of a table over all shards' files of a kind ("windows" or "memory")."""
    total = 0
    for path in sorted((state / "shards").glob(f"{kind}-*.db")):
        with closing(sqlite3.connect(path)) as db:
            total += db.execute(f"select count(*) from {table} where {where}").fetchone()[0]
    return total


def fold_logs(state: Path) -> None:
    """Folds the shard files' write-ahead logs in, so that what is left is what rows take; the job must be over."""
    for path in sorted((state / "shards").glob("*.db")):
        with closing(sqlite3.connect(path)) as db:
            db.execute("pragma wal_checkpoint(truncate)")


def facts_held(state: Path) -> int:
    """Current versions of facts."""
    return rows_held(state, "memory", "fact", "to_seq is null")


def recovery_bytes(state: Path) -> bytes:
    """All that the recovery store holds."""
    return b"".join(path.read_bytes() for path in sorted(Layout(state).recovery.iterdir()))


def batch_lines(benchmark: str, name: str, runs: Sequence[Run]) -> list[Line]:
    """How large the activations of the stages were: share of activations up to each size."""
    lines = []
    for stage in ("window", "extract", "reconcile"):
        sizes: Counter[int] = Counter()
        for report in (report for run in runs for report in run.reports):
            for size, count in report.batches.get(stage, {}).items():
                sizes[int(size)] += count
        total = max(1, sum(sizes.values()))
        shown = " ".join(f"≤{size}:{sizes[size] / total:.0%}" for size in sorted(sizes))
        lines.append(Line(benchmark, f"{name}: activations of {stage} by size", shown))
    return lines
