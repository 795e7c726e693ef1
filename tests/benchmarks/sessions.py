"""The models' sessions under watch: what they were given, how long they took, and the same work once more alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter, process_time, thread_time
from typing import Any

import numpy as np

from models.tokens import batches_of_one_length

Feeds = dict[str, Any]
MODELS = ("extractor", "embedder", "judge")


@dataclass(slots=True)
class Recorder:
    """Stands in a model's session; passes every call on, and keeps it."""

    session: Any
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    calls: list[tuple[list[str], Feeds]] = field(default_factory=list)

    def run(self, outputs: list[str], feeds: Feeds) -> Any:
        started, cpu_started = perf_counter(), thread_time()
        answer = self.session.run(outputs, feeds)
        self.seconds += perf_counter() - started
        self.cpu_seconds += thread_time() - cpu_started
        self.calls.append((outputs, feeds))
        return answer

    def reset(self) -> None:
        """Forgets all calls so far."""
        self.seconds = self.cpu_seconds = 0.0
        self.calls.clear()

    @property
    def rows(self) -> list[int]:
        """Rows of each call."""
        return [len(feeds["input_ids"]) for _, feeds in self.calls]


@dataclass(frozen=True, slots=True)
class Alone:
    """What the recorded work takes when nothing else is done: by the clock, and of the processor."""

    seconds: float
    cpu_seconds: float


def watch(model: Any, holder: Any) -> Recorder:
    """Puts a recorder in place of `holder`'s session; `model` is whose session it is, for the error message."""
    session = getattr(holder, "_session", None)
    if session is None:
        raise AttributeError(f"{type(model).__name__} keeps no _session: tell the benchmark where its session is now")
    recorder = Recorder(session)
    holder._session = recorder
    return recorder


def replay(recorders: Sequence[Recorder]) -> Alone:
    """The recorded calls through the sessions alone, in the same batches."""
    return _timed([(recorder, recorder.calls) for recorder in recorders])


def replay_in_full_batches(recorders: Sequence[Recorder]) -> Alone:
    """The recorded rows through the sessions alone, in the largest batches that the models' code would make of them."""
    return _timed([(recorder, _regrouped(recorder)) for recorder in recorders])


def batch_shares(recorder: Recorder) -> dict[str, float]:
    """Share of all rows that came in calls of 1, 2–7, 8–31 and 32 rows."""
    counts: Counter[str] = Counter()
    for rows in recorder.rows:
        counts["1" if rows == 1 else "2-7" if rows < 8 else "8-31" if rows < 32 else "32"] += rows
    total = max(1, sum(counts.values()))
    return {name: round(counts[name] / total, 3) for name in ("1", "2-7", "8-31", "32")}


def _timed(work: Sequence[tuple[Recorder, Sequence[tuple[list[str], Feeds]]]]) -> Alone:
    started, cpu_started = perf_counter(), process_time()
    for recorder, calls in work:
        for outputs, feeds in calls:
            recorder.session.run(outputs, feeds)
    return Alone(perf_counter() - started, process_time() - cpu_started)


def _regrouped(recorder: Recorder) -> list[tuple[list[str], Feeds]]:
    if not recorder.calls:
        return []
    outputs = recorder.calls[0][0]
    rows = [(feeds, row) for _, feeds in recorder.calls for row in range(len(feeds["input_ids"]))]
    lengths = [feeds["input_ids"].shape[1] for feeds, _ in rows]
    return [
        (outputs, {name: np.stack([rows[index][0][name][rows[index][1]] for index in group]) for name in rows[0][0]})
        for group in batches_of_one_length(lengths)
    ]
