"""Commands from the command line: to the commands topic, or to the spool that the embedded flow reads (W, F)."""

from __future__ import annotations

import fcntl
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from flows import kafka
from flows.erasing import finish
from flows.hooks import redacted
from flows.job import open_state, run_process
from flows.lock import locked
from flows.memory import Memory
from flows.settings import Settings, load
from flows.spec import JobSpec
from flows.spool import waiting_bytes, wipe
from operators.decode import Decoder
from operators.decode_commands import FACT_WORDS, WORDS
from operators.hooks import HookFailed
from operators.records import InRecord
from state.facts import FactEvent
from state.layout import Layout, LayoutError
from state.messages import Command, Rejected

WAIT_SECONDS = 30.0
"""How long an answer of the running job is waited for."""
_LOOK_SECONDS = 0.1


class CommandError(ValueError):
    """A command that can't be sent as it is (exit status 2)."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of commands: the events that answer them, and what the flow learned of these users meanwhile.

    `unanswered` are the ids of commands that nothing has answered yet, and wait where they were sent; `waited` tells
    whether that was looked for at all.
    """

    answers: list[FactEvent]
    learned: list[FactEvent]
    unanswered: list[str]
    waited: bool = True


def send(
    settings: Settings,
    state: str,
    config: str | None,
    commands: list[dict[str, Any]],
    wait_seconds: float = WAIT_SECONDS,
    file: Path | None = None,
) -> Sent:
    """Gives commands to the job and waits for their answers.

    On Kafka they are produced and the job that runs on this state directory answers; where none runs here nothing is
    waited for. Embedded, the flow runs now, over the spool or, so that nothing of them stays there, over a `file` that
    is removed afterwards. Raises CommandError, KafkaProblem and LayoutError.
    """
    rows = [{"command_id": secrets.token_hex(16), **command} for command in commands]
    lines = [line_of(settings, row) for row in rows]
    layout, on_kafka = Layout(Path(state)), kafka.configured(settings)
    if on_kafka and not (layout.identity_path.exists() and _busy(layout)):
        kafka.produce_commands(settings, lines)
        return Sent([], [], [row["command_id"] for row in rows], waited=False)
    if not on_kafka:
        open_state(settings, state)
    with Memory(state, None) as memory:
        marks = memory.marks()
        if on_kafka:
            kafka.produce_commands(settings, lines)
            return _awaited(memory, marks, rows, wait_seconds)
        if file is None:
            append(layout.spool, lines)
            _apply_in_turn(layout, config)
        else:
            with _lent(file, lines):
                _apply_in_turn(layout, config, (str(file),))
        return _answers(memory, marks, rows)


def _apply_in_turn(layout: Layout, config: str | None, sources: tuple[str, ...] = ()) -> None:
    if _busy(layout):
        print("factstream: another job has the state directory; the command waits for it to end", file=sys.stderr)
    apply(str(layout.root), config, sources)


@contextmanager
def _lent(path: Path, lines: list[bytes]) -> Iterator[None]:
    """A file with the lines, which holds what people wrote: it goes afterwards, and so does what a crash has left."""
    for left in path.parent.glob(f"{path.name.partition('-')[0]}-*"):
        with left.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue  # another process's, which waits for its turn
            left.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone_with(path) as file:
        file.write(b"".join(line + b"\n" for line in lines))
        file.flush()
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


@contextmanager
def _alone_with(path: Path) -> Iterator[BinaryIO]:
    """The file, empty, under a lock; waits for another process that has lent the same one."""
    while True:
        with path.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno())):
                file.truncate(0)
                yield file
                return


def expect_memory(settings: Settings, state: Path) -> None:
    """Raises LayoutError where a command about what is remembered would go to no memory: a mistyped --state."""
    if not kafka.configured(settings):
        Memory(state).close()


def _awaited(memory: Memory, marks: dict[int, int], rows: list[dict[str, Any]], wait_seconds: float) -> Sent:
    """Looks until all are answered, or until none was for the time given."""
    until = time.monotonic() + wait_seconds
    left = len(rows)
    while True:
        sent = _answers(memory, marks, rows)
        if len(sent.unanswered) < left:
            left, until = len(sent.unanswered), time.monotonic() + wait_seconds
        if not sent.unanswered or time.monotonic() >= until:
            return sent
        time.sleep(_LOOK_SECONDS)


def _answers(memory: Memory, marks: dict[int, int], rows: list[dict[str, Any]]) -> Sent:
    users = {(str(row["tenant"]), str(row["user_id"])) for row in rows}
    ids = {str(row["command_id"]): None for row in rows}
    shards = {memory.shard(tenant, user) for tenant, user in users}
    found = [e for e in memory.events_since(marks, shards) if (e.tenant, e.user_id) in users]
    answers = [event for event in found if event.command_id in ids]
    for row in rows:
        if row["command"] == "erase":
            erased = memory.erasure(str(row["user_id"]), str(row["command_id"]), str(row["tenant"]))
            answers += [] if erased is None else [erased]
    answered = {event.command_id for event in answers}
    return Sent(answers, [e for e in found if e.command_id is None], [each for each in ids if each not in answered])


def apply(state: str, config: str | None, sources: tuple[str, ...] = ()) -> None:
    """Runs the embedded flow over the spool (and `sources`) in this process, after any other job has ended."""
    layout = Layout(Path(state))
    with locked(layout.lock, wait=True):
        read = waiting_bytes(layout)
        run_process(JobSpec(state, config, sources, spool_only=True))
        finish(load(config), layout, ended=True)
        wipe(layout, read)


def line_of(settings: Settings, command: dict[str, Any]) -> bytes:
    """A command as it is sent. Raises CommandError for what the job would refuse to read."""
    try:
        line = orjson.dumps(_redacted(command, settings))
    except TypeError:
        raise CommandError("the words are not valid text; give them in UTF-8") from None
    except HookFailed as failed:
        raise CommandError(str(failed)) from None
    read_line(settings, line)
    return line


def read_line(settings: Settings, line: bytes) -> Command:
    """The command as the job will read it. Raises CommandError for what it would refuse to read."""
    [item] = Decoder(settings.decode_policy()).decode(InRecord("commands", "command", 0, 0, line))
    if isinstance(item, Rejected):
        raise CommandError(item.detail)
    assert isinstance(item, Command)  # on the commands topic there is nothing else
    return item


def _redacted(command: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """What people wrote goes redacted into the spool or the topic too, for both are kept (P2); ids stay as they are."""
    clean: dict[str, Any] = {
        name: redacted(value, settings) for name, value in command.items() if name in WORDS and isinstance(value, str)
    }
    for name in ("fact", "profile"):
        below = command.get(name)
        if isinstance(below, dict):
            told = FACT_WORDS if name == "fact" else below
            clean[name] = below | {n: redacted(below[n], settings) for n in told if isinstance(below.get(n), str)}
    return command | clean


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
