"""Lively chat through the embedded job, against the very same model calls alone."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import running, sessions
from tests.benchmarks.chat import chat, write_files
from tests.benchmarks.running import Line, Run
from tests.benchmarks.worker import WorkerSpec

TARGET = 0.85
_MESSAGES_A_USER = 60
_FILES = 4


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """One and two worker processes in turns; medians, and ratios within each run."""
    rows = chat(messages, max(1, messages // _MESSAGES_A_USER))
    sources = tuple(write_files(rows, folder, _FILES))
    found: dict[int, list[Run]] = {1: [], 2: []}
    for turn in range(runs):
        for workers in found:
            spec = WorkerSpec("", "", "", messages, sources, weights=weights)
            found[workers].append(running.once(folder, f"end-{turn}-{workers}", spec, workers))
    return [line for workers in found for line in lines("end_to_end", f"{workers} worker(s)", found[workers])]


def lines(benchmark: str, name: str, runs: list[Run]) -> list[Line]:
    """What there is to say of a job with models."""
    stages = [run.stage_microseconds() for run in runs]
    reports = [report for run in runs for report in run.reports]
    out = [
        Line(benchmark, f"{name}: the job", running.middle(run.messages_per_second for run in runs), "messages/s"),
        Line(
            benchmark, f"{name}: its sessions alone", running.middle(run.floor_per_second for run in runs), "messages/s"
        ),
        Line(benchmark, f"{name}: ratio", running.middle((run.ratio for run in runs), 3), "", f"≥ {TARGET}"),
        Line(
            benchmark, f"{name}: sessions' share of processor time", running.middle((r.session_share for r in runs), 3)
        ),
        Line(benchmark, f"{name}: ratio in processor time", running.middle((run.cpu_ratio for run in runs), 3)),
        Line(
            benchmark,
            f"{name}: the same against full batches",
            running.middle((run.full_batches_cpu_ratio for run in runs), 3),
        ),
    ]
    for stage in stages[0]:
        value = running.middle((each.get(stage, 0.0) for each in stages), 1)
        out.append(Line(benchmark, f"{name}: {stage}", value, "µs/message"))
    for model in sessions.MODELS:
        rows, calls = (
            sum(getattr(report, f"session_{what}")[model] for report in reports) for what in ("rows", "calls")
        )
        out.append(Line(benchmark, f"{name}: {model} rows a call", round(rows / max(1, calls), 2)))
        out.append(Line(benchmark, f"{name}: {model} rows by size of call", str(reports[0].session_shares[model])))
        out.append(
            Line(benchmark, f"{name}: {model} rows a message", round(rows / sum(run.messages for run in runs), 3))
        )
    return out + running.batch_lines(benchmark, name, runs)
