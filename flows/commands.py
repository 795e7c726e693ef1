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
from operators.decode import Decoder
from operators.records import InRecord
from operators.redact import redact
from state.facts import FactEvent
from state.layout import Layout, LayoutError
from state.messages import Rejected


class CommandError(ValueError):
    """A command that can't be sent as it is (exit status 2)."""


def send(settings: Settings, state: str, config: str | None, commands: list[dict[str, Any]]) -> list[FactEvent]:
    """Gives commands to the job. On Kafka they are produced, and the running job answers; embedded, the flow runs now.

    Raises CommandError. Returns the events that answered them (none on Kafka: they appear on the events topic).
    """
    lines = [line_of(settings, command) for command in commands]
    if kafka.configured(settings):
        kafka.produce_commands(settings, lines)
        return []
    layout = Layout(Path(state))
    open_state(settings, state)
    users = {str(command["user_id"]) for command in commands}
    with Memory(state) as memory:
        marks = memory.marks()
    append(layout.spool, lines)
    if _busy(layout):
        print("factstream: another job has the state directory; the command waits for it to end", file=sys.stderr)
    apply(state, config)
    with Memory(state) as memory:
        return [event for event in memory.events_since(marks) if event.user_id in users]


def apply(state: str, config: str | None, sources: tuple[str, ...] = ()) -> None:
    """Runs the embedded flow over the spool (and `sources`) in this process, after any other job has ended."""
    with locked(Layout(Path(state)).lock, wait=True):
        run_process(JobSpec(state, config, sources, spool_only=True))


def line_of(settings: Settings, command: dict[str, Any]) -> bytes:
    """A command as it is sent. Raises CommandError for what the job would refuse to read."""
    try:
        line = orjson.dumps({name: _redacted(value) for name, value in command.items()})
    except TypeError:
        raise CommandError("the words are not valid text; give them in UTF-8") from None
    for item in Decoder(settings.decode_policy()).decode(InRecord("commands", "command", 0, 0, line)):
        if isinstance(item, Rejected):
            raise CommandError(item.detail)
    return line


def _redacted(value: Any) -> Any:
    """What people wrote goes redacted into the spool or the topic too, for both are kept (P2)."""
    return redact(value)[0] if isinstance(value, str) else value


def append(path: Path, lines: list[bytes]) -> None:
    """Adds lines to the spool, whole even when several processes write."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(b"".join(line + b"\n" for line in lines))


def _busy(layout: Layout) -> bool:
    try:
        with locked(layout.lock):
            return False
    except LayoutError:
        return True
