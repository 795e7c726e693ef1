"""Lively chat through the job with the models left out: what everything else can carry."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import running
from tests.benchmarks.chat import chat, write_files
from tests.benchmarks.running import Line, Run
from tests.benchmarks.worker import WorkerSpec

_MESSAGES_A_USER = 60
_FILES = 4


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """One and two worker processes in turns; medians."""
    del weights
    sources = tuple(write_files(chat(messages, max(1, messages // _MESSAGES_A_USER)), folder, _FILES))
    found: dict[int, list[Run]] = {1: [], 2: []}
    for turn in range(runs):
        for workers in found:
            spec = WorkerSpec("", "", "", messages, sources, models=False)
            found[workers].append(running.once(folder, f"bare-{turn}-{workers}", spec, workers))
    out = []
    for workers, done in found.items():
        name = f"{workers} worker(s)"
        rate = running.middle(run.messages_per_second for run in done)
        cpu = running.middle((run.messages / sum(r.cpu_seconds for r in run.reports) for run in done), 0)
        out += [
            Line("model_left_out", f"{name}: the job", rate, "messages/s"),
            Line("model_left_out", f"{name}: by processor time", cpu, "messages/s of a core"),
        ]
        stages = [run.stage_microseconds() for run in done]
        out += [
            Line(
                "model_left_out",
                f"{name}: {stage}",
                running.middle((s.get(stage, 0.0) for s in stages), 1),
                "µs/message",
            )
            for stage in stages[0]
        ]
        out += running.batch_lines("model_left_out", name, done)
    return out
