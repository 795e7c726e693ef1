"""Progress of a bounded run on stderr: a bar with rate and time left on a terminal, now and then a line elsewhere (S4).

Where several processes share a run, each notes its progress in the state directory and the supervisor shows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import orjson
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from flows.logs import tell
from state.layout import Layout

OnProgress = Callable[[str, int, int], None]
"""Called with what is read, how much of it is done, and how much it is."""

_LINE_SECONDS = 30.0
_NOTE_SECONDS = 0.5


def silent(name: str, done: int, total: int) -> None:
    """Tells nobody."""


@contextmanager
def shown(unit: str) -> Iterator[OnProgress]:
    """Shows what it is told on stderr; `unit` names what is counted."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lines(unit)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bars:
        tasks: dict[str, TaskID] = {}

        def show(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total, completed=done)
            bars.update(tasks[name], completed=done, total=total)

        yield show


class _Rate(ProgressColumn):
    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} {self._unit}/s")


def lines(unit: str, clock: Callable[[], float] = time.monotonic) -> OnProgress:
    """A line on stderr at each tenth, and at least every half a minute."""
    begun: dict[str, tuple[float, int]] = {}
    told: dict[str, tuple[int, float]] = {}

    def show(name: str, done: int, total: int) -> None:
        now, tenth = clock(), done * 10 // total if total else 10
        since, first = begun.setdefault(name, (now, done))
        last_tenth, last_at = told.get(name, (-1, now))
        if tenth <= last_tenth and now - last_at < _LINE_SECONDS:
            return
        told[name] = (tenth, now)
        rate = (done - first) / (now - since) if now > since else 0.0
        left = f", {rate:,.0f} {unit}/s, {_span((total - done) / rate)} left" if rate else ""
        tell(f"{name}: read {done:,} of {total:,} {unit}{left}")

    return show


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def noted(layout: Layout, process: int) -> OnProgress:
    """Notes a worker process's progress in the state directory."""
    path, due = layout.progress(process), 0.0
    known: dict[str, tuple[int, int]] = {}

    def note(name: str, done: int, total: int) -> None:
        nonlocal due
        known[name] = (done, total)
        if time.monotonic() >= due or done == total:
            due = time.monotonic() + _NOTE_SECONDS
            partial = path.with_suffix(".partial")
            partial.write_bytes(orjson.dumps(known))
            partial.replace(path)

    return note


def relayed(layout: Layout, workers: int, on_progress: OnProgress) -> Callable[[], None]:
    """What, called now and then, shows what the worker processes noted."""

    def relay() -> None:
        for process in range(workers):
            path = layout.progress(process)
            if path.exists():
                for name, (done, total) in orjson.loads(path.read_bytes()).items():
                    on_progress(name, done, total)

    return relay
