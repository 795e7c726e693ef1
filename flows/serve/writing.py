"""Writes, in the way the command line's go: to the commands topic, or to the spool, which the one flow then reads.

Nothing here writes to memory. Without Kafka a thread runs the embedded flow whenever something waits; all that came
in meanwhile is one run. An answer waits until its command's events are in memory, or says that it is under way.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
import orjson
import structlog
from anyio import to_thread

from flows import kafka
from flows.commands import CommandError, append, apply, line_of, read_line
from flows.connectors.kafka_topics import KafkaProblem
from flows.hooks import redacted
from flows.job import open_state
from flows.memory import Memory
from flows.serve.problems import ProblemError
from flows.settings import Settings
from operators.decode import Decoder
from operators.hooks import HookFailed
from operators.records import InRecord
from state.commands import REFUSALS, REUSED, REUSED_REASON
from state.export import iso
from state.facts import FactEvent
from state.layout import Layout, LayoutError
from state.messages import Command, Rejected

T = TypeVar("T")

_POLL_SECONDS: Final = 0.02
_LOOK_SECONDS: Final = 0.2
_STOP_SECONDS: Final = 30.0
_STATUS: Final[dict[str, int]] = {
    "F3.nothing_named": 422,
    "F4.no_single_match": 409,
    REUSED: 409,
    "S3.rule_failed": 500,
    "T3.nothing_to_remember": 422,
    "W2.already_decided": 409,
    "W2.no_single_match": 409,
    "W2.unknown_proposal": 404,
}

log = structlog.get_logger("factstream.serve")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a command: the events that it caused, or none yet (`applied` False)."""

    command_id: str
    applied: bool
    events: tuple[FactEvent, ...] = ()


class Writer:
    """Takes commands and messages of all tenants. `start` before use, `stop` after."""

    def __init__(self, settings: Settings, state: Path, config: str | None) -> None:
        self._settings, self._state, self._config = settings, state, config
        self._layout = Layout(state)
        self._on_kafka = kafka.configured(settings)
        self._producer: Any = None
        self._changed = threading.Condition()
        self._wanted = self._done = 0
        self._failed: tuple[int, str] | None = None
        self._stopping = False
        self._under_way: set[tuple[str, str, str]] = set()
        self._thread = threading.Thread(target=self._work, name="factstream-writer", daemon=True)

    def start(self) -> None:
        """Makes ready to write; without Kafka, applies what still waits in the spool."""
        if self._on_kafka:
            self._producer = kafka.producer(self._settings)
            return
        self._thread.start()
        if _has_content(self._reading) or _has_content(self._inbox):
            self._want()

    def prepare(self) -> None:
        """Makes or checks the state directory, as a command does. Raises ProblemError where it cannot be used."""
        try:
            open_state(self._settings, str(self._state))
        except LayoutError as error:
            raise ProblemError(503, str(error)) from None

    def stop(self) -> None:
        """Ends after the run under way."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(_STOP_SECONDS)

    async def carry_out(self, memory: Memory, row: dict[str, Any], wait_seconds: float | None = None) -> Answer:
        """Sends a command and waits for its events. Raises ProblemError where it is malformed or was refused."""
        row = {"command_id": secrets.token_hex(16), "sent_at": now_iso(), **_given(row)}
        line = _valid(partial(line_of, self._settings, row))
        user, command_id = row["user_id"], row["command_id"]
        key = (row["tenant"], user, command_id)
        if key in self._under_way:
            raise ProblemError(409, f"command {command_id!r} is being carried out; ask again in a moment")
        self._under_way.add(key)
        try:
            command = _valid(partial(read_line, self._settings, line))
            applied = await to_thread.run_sync(_answered, memory, user, command)  # not sent again where it was before
            if not applied:
                mark = await to_thread.run_sync(memory.mark, user)
                ticket = await to_thread.run_sync(self._put, [line])
                applied = await self._applied(memory, user, command_id, mark, ticket, wait_seconds)
        finally:
            self._under_way.discard(key)
        if not applied:
            return Answer(command_id, False)
        for event in applied:
            if event.rule in REFUSALS:
                raise ProblemError(_STATUS.get(event.rule, 409), event.reason or event.rule, rule=event.rule)
        return Answer(command_id, True, tuple(applied))

    async def _applied(
        self, memory: Memory, user: str, command_id: str, mark: int, ticket: int, wait_seconds: float | None
    ) -> list[FactEvent]:
        """The command's events, as soon as there are any, or none after the wait."""
        until = time.monotonic() + (self._settings.serve.wait_seconds if wait_seconds is None else wait_seconds)
        while True:
            if await self._over(ticket, until):
                found = await to_thread.run_sync(memory.answers, user, command_id, mark)
                if found or not self._on_kafka:
                    return found
            if time.monotonic() >= until:
                return []
            await anyio.sleep(_LOOK_SECONDS if self._on_kafka else 0)

    async def _over(self, ticket: int, until: float) -> bool:
        """Waits for the embedded run that has the ticket; on Kafka true at once. Raises ProblemError if it failed."""
        while not self._on_kafka and self._done < ticket and time.monotonic() < until:
            await anyio.sleep(_POLL_SECONDS)
        if self._failed is not None and ticket <= self._failed[0]:
            raise ProblemError(503, f"the flow could not run: {self._failed[1]}; what was sent waits and is not lost")
        return self._on_kafka or self._done >= ticket

    async def add(self, rows: Sequence[dict[str, Any]], wait_seconds: float) -> bool:
        """Puts messages on their way, those of one user in order; whether they are known to have been looked at.

        Raises ProblemError where one is malformed.
        """
        lines = [_valid(partial(self._message_line, row)) for row in rows]
        ticket = await to_thread.run_sync(self._put_messages, rows, lines)
        return not self._on_kafka and await self._over(ticket, time.monotonic() + wait_seconds)

    def is_done(self, ticket: int) -> bool:
        """Whether the embedded run that has the ticket is over."""
        return not self._on_kafka and self._done >= ticket

    @property
    def ticket(self) -> int:
        """The run that will have what was put before now."""
        return self._wanted

    @property
    def on_kafka(self) -> bool:
        """Whether commands go to a topic, where the running job reads them."""
        return self._on_kafka

    def _message_line(self, row: dict[str, Any]) -> bytes:
        try:
            line = orjson.dumps({**row, "text": redacted(row["text"], self._settings)})
        except HookFailed as failed:
            raise CommandError(str(failed)) from None
        topic = self._settings.kafka.topics.input[0]
        for item in Decoder(self._settings.decode_policy()).decode(InRecord("messages", topic, 0, 0, line)):
            if isinstance(item, Rejected):
                raise CommandError(item.detail)
        return line

    def _put(self, lines: list[bytes]) -> int:
        if self._on_kafka:
            self._produce(self._settings.kafka.topics.commands, kafka.keyed(self._settings, lines), "commands")
            return 0
        append(self._layout.spool, lines)
        return self._want()

    def _put_messages(self, rows: Sequence[dict[str, Any]], lines: list[bytes]) -> int:
        if self._on_kafka:
            keys = [row["user_id"].encode() for row in rows]  # as products key their records
            self._produce(self._settings.kafka.topics.input[0], list(zip(keys, lines, strict=True)), "messages")
            return 0
        _append_to(self._inbox, lines)
        return self._want()

    def _produce(self, topic: str, records: list[tuple[bytes | None, bytes]], what: str) -> None:
        try:
            kafka.produce(self._producer, topic, records, what)
        except KafkaProblem as error:
            raise ProblemError(503, str(error)) from None

    @property
    def _inbox(self) -> Path:
        return self._layout.spool.parent / "messages.jsonl"

    @property
    def _reading(self) -> Path:
        return self._layout.spool.parent / "messages-reading.jsonl"

    def _want(self) -> int:
        with self._changed:
            self._wanted += 1
            self._changed.notify_all()
            return self._wanted

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or self._wanted > self._done)
                if self._stopping:
                    return
                wanted = self._wanted
            failed = self._run()
            with self._changed:
                self._failed = (wanted, failed) if failed else None
                self._done = wanted

    def _run(self) -> str | None:
        """One run of the flow over all that waits; what went wrong, in a line. What it did not reach is not lost."""
        from flows.supervisor import exit_status

        try:
            open_state(self._settings, str(self._state))
            if not self._reading.exists():
                _hand_over(self._inbox, self._reading)
            sources = (str(self._reading),) if self._reading.exists() else ()
            apply(str(self._state), self._config, sources)
            self._reading.unlink(missing_ok=True)  # it holds what people wrote; memory has what is kept of it
        except Exception as error:  # the thread serves everybody: whatever a run ends with is told to those who wait
            line = exit_status(error)[1]
            log.error("the flow could not run", error=line)
            return line
        return None


def now_iso() -> str:
    """The present as commands and messages carry it."""
    return iso(int(time.time() * 1000))


def _given(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def _answered(memory: Memory, user: str, command: Command) -> list[FactEvent]:
    """The events of a command that was sent before. Raises ProblemError where its id was another command's (S5).

    An erase under another's id is carried out all the same.
    """
    found = [event for event in memory.answers(user, command.command_id) if event.rule != REUSED]
    if command.command == "erase":
        return [event for event in found if event.event == "ERASE"]
    first = memory.digest_of(user, command.command_id) if found else None
    if found and (found[0].event == "ERASE" or (first and first != command.digest)):
        raise ProblemError(409, REUSED_REASON.format(command.command_id), rule=REUSED)
    return found


def _valid(make: Callable[[], T]) -> T:
    try:
        return make()
    except CommandError as error:
        raise ProblemError(422, str(error)) from None


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _append_to(path: Path, lines: list[bytes]) -> None:
    """Adds lines to a file that may be handed over meanwhile: only the file that has the name under the lock counts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with path.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if _same(path, file.fileno()):
                file.write(b"".join(line + b"\n" for line in lines))
                return


def _same(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _hand_over(inbox: Path, reading: Path) -> None:
    """Gives what was added so far another name, under which nothing more is added."""
    if not inbox.exists():
        return
    with inbox.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        inbox.rename(reading)
