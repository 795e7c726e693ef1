"""Commands from the command line: to the commands topic, or to the spool that the embedded flow reads (W, F)."""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path
from typing import Any

import orjson

from flows import kafka
from flows.job import open_state, run_process
from flows.lock import locked
from flows.memory import Memory
from flows.settings import Settings
from flows.spec import JobSpec
from operators.redact import redact
from state.facts import FactEvent
from state.layout import Layout, LayoutError


def send(settings: Settings, state: str, config: str | None, commands: list[dict[str, Any]]) -> list[FactEvent]:
    """Gives commands to the job. On Kafka they are produced, and the running job answers; embedded, the flow runs now.

    Returns the events that answered them (none on Kafka: they appear on the events topic).
    """
    lines = [orjson.dumps({name: _redacted(value) for name, value in command.items()}) for command in commands]
    if kafka.configured(settings):
        kafka.produce_commands(settings, lines)
        return []
    layout = Layout(Path(state))
    append(layout, lines)
    if _busy(layout):
        print("factstream: another job has the state directory; the command waits for it to end", file=sys.stderr)
    with locked(layout.lock, wait=True):
        open_state(settings, state)
        with Memory(state) as memory:
            marks = memory.marks()
            run_process(JobSpec(state, config, spool_only=True))
            return list(memory.events_since(marks))


def _redacted(value: Any) -> Any:
    """What people wrote goes redacted into the spool or the topic too, for both are kept (P2)."""
    return redact(value)[0] if isinstance(value, str) else value


def append(layout: Layout, lines: list[bytes]) -> None:
    """Adds lines to the spool, whole even when several processes write."""
    layout.spool.parent.mkdir(parents=True, exist_ok=True)
    with layout.spool.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(b"".join(line + b"\n" for line in lines))


def _busy(layout: Layout) -> bool:
    try:
        with locked(layout.lock):
            return False
    except LayoutError:
        return True
