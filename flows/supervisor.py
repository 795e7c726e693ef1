"""Runs a job's worker processes as one: starts all, restarts all when one ends, stops all on a signal (S6).

A dataflow process that dies takes its peers down, so they live and die together. Errors that a restart can't mend
(configuration, a foreign state directory, too many bad records) stop the job with their one line.
"""

from __future__ import annotations

import errno
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from confluent_kafka import KafkaError, KafkaException

from flows.connectors.kafka_sink import RecordTooLarge
from flows.connectors.kafka_source import OffsetExpired
from flows.connectors.kafka_topics import KafkaProblem, TopicMisfit, TopicMissing
from flows.metrics import MetricsPortError
from flows.settings import SettingsError
from flows.spec import JobSpec, cause_of
from operators.dead_letters import TooManyRejected
from operators.ownership import Misplaced
from state.layout import LayoutError
from state.shard_file import StateMismatchError

FATAL_STATUS = 3
PEER_LOST_STATUS = 4
UNFORESEEN_STATUS = 1
USAGE_STATUS = 2
_POLL_SECONDS = 0.1
_STOP_SECONDS = 5.0
_STEADY_SECONDS = 60.0
_PAUSE_SECONDS_MAX = 60.0

_BEYOND_REPAIR = (
    LayoutError,
    StateMismatchError,
    TooManyRejected,
    OffsetExpired,
    TopicMissing,
    TopicMisfit,
    MetricsPortError,
    Misplaced,
    RecordTooLarge,
)

# What the dataflow's network threads say when the process at the other end is gone.
_PEER_LOST = re.compile(r"(Send|Recv) thread panic|timely communication error|Connection reset|Broken pipe")

log = structlog.get_logger("factstream.supervisor")


def exit_status(error: BaseException) -> tuple[int, str]:
    """The exit status and the one line for an error that ended a process."""
    cause = cause_of(error)
    line = str(cause).strip() or type(cause).__name__
    if _is_disks(cause):
        return UNFORESEEN_STATUS, (
            f"{line}: the disk with the state directory is full or failing. Free some space, or see what ails it; the"
            " job goes on from its last commit by itself, and nothing is lost"
        )
    if isinstance(cause, SettingsError):
        return USAGE_STATUS, line
    if _is_setting_of_client(cause):
        told = cause.args[0].str()
        return USAGE_STATUS, f"`kafka.client`: {told}; expected a setting of librdkafka (its CONFIGURATION.md has all)"
    if isinstance(cause, _BEYOND_REPAIR):
        return FATAL_STATUS, line
    if isinstance(cause, KafkaProblem):
        return UNFORESEEN_STATUS, line
    if lost_peer(error):
        return PEER_LOST_STATUS, "another worker of this job is gone, so this one ends too"
    return UNFORESEEN_STATUS, f"{line} ({type(cause).__name__})"


def is_told(error: BaseException) -> bool:
    """Whether the one line says all that there is to say: no traceback would help whoever reads it."""
    cause = cause_of(error)
    told = isinstance(cause, (*_BEYOND_REPAIR, KafkaProblem, SettingsError))
    return told or _is_disks(cause) or _is_setting_of_client(cause)


def _is_setting_of_client(cause: BaseException) -> bool:
    """Whether the Kafka client refused a setting."""
    return (
        isinstance(cause, KafkaException)
        and isinstance(cause.args[0], KafkaError)
        and cause.args[0].code() == KafkaError._INVALID_ARG
    )


def lost_peer(error: BaseException) -> bool:
    """Whether a process ended only since another one of its dataflow did: how they talk breaks off in a panic."""
    cause = cause_of(error)
    return type(cause).__name__ == "PanicException" and _PEER_LOST.search(str(cause)) is not None


def told_of_end(codes: list[int]) -> str:
    """Which worker ended, and of what, for the log: of several the one that took the others down."""
    causes = sorted((code == PEER_LOST_STATUS, code > 0, number, code) for number, code in enumerate(codes, 1) if code)
    if not causes:
        return "a worker ended"
    _, _, number, code = causes[0]
    how = f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with status {code}"
    return f"worker {number} of {len(codes)} {how}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _is_disks(cause: BaseException) -> bool:
    if isinstance(cause, sqlite3.OperationalError):
        return cause.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
    return isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@dataclass(slots=True)
class Supervisor:
    """One job's processes. `on_tick` is called while they run (schedules); `restarts_max` None means for ever.

    The pause before a restart doubles from `pause_seconds` to a minute, and starts anew after a minute of running.
    `restarts`, `running` (workers, now) and `started_at` (in seconds since the epoch) are for others to read."""

    spec: JobSpec
    lock_descriptor: int
    restarts_max: int | None = None
    pause_seconds: float = 0.5
    on_tick: Callable[[], None] = lambda: None
    restarts: int = 0
    running: int = 0
    started_at: float = 0.0
    _stopping: bool = False
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def stopped(self) -> bool:
        """Whether a signal has asked it to stop."""
        return self._stopping

    def heed_signals(self) -> None:
        """From now on SIGINT and SIGTERM ask the job to stop."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def run(self) -> int:
        """Runs until done, stopped or beyond repair; the job's exit status (0 also when stopped by a signal)."""
        self.heed_signals()
        in_a_row = 0
        while True:
            started = time.monotonic()
            codes = self._run_once()
            status = next((code for code in (USAGE_STATUS, FATAL_STATUS) if code in codes), max(map(abs, codes)))
            if self._stopping or status == 0:
                return 0
            if status in (USAGE_STATUS, FATAL_STATUS):
                return 1 if status == FATAL_STATUS else status
            in_a_row = 1 if time.monotonic() - started > _STEADY_SECONDS else in_a_row + 1
            if self.restarts_max is not None and in_a_row > self.restarts_max:
                return 1
            self.restarts += 1
            pause_seconds = min(_PAUSE_SECONDS_MAX, self.pause_seconds * 2 ** (in_a_row - 1))
            told = f"{told_of_end(codes)}; restarting in {pause_seconds:g} s"
            log.warning(told, statuses=codes, pause_seconds=pause_seconds)
            self._wait(pause_seconds)
            if self._stopping:
                return 0

    def _run_once(self) -> list[int]:
        ports = _free_ports(self.spec.workers)
        addresses = ";".join(f"127.0.0.1:{port}" for port in ports)
        self.started_at = time.time()
        self._processes = [self._start(index, addresses) for index in range(self.spec.workers)]
        self.running = len(self._processes)
        try:
            while not self._stopping:
                running = [process.poll() for process in self._processes]
                if any(running) or None not in running:
                    break
                self.on_tick()
                time.sleep(_POLL_SECONDS)
        finally:
            self.running = 0
            codes = self._stop()
        return codes

    def _start(self, index: int, addresses: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "flows.job", self.spec.to_json(), str(index), addresses],
            stdin=subprocess.PIPE,
            pass_fds=(self.lock_descriptor,),
            start_new_session=True,  # a terminal's Ctrl-C reaches the supervisor alone
        )

    def _stop(self) -> list[int]:
        """Ends what still runs; after an ordinary end of one, the others get a moment to end likewise."""
        deadline = time.monotonic() + (0.0 if self._stopping else 1.0)
        while time.monotonic() < deadline and any(process.poll() is None for process in self._processes):
            time.sleep(_POLL_SECONDS / 2)
        before = [process.poll() for process in self._processes]
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
        for process in self._processes:
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdin is not None:
                process.stdin.close()
        return [code if code is not None else PEER_LOST_STATUS for code in before]

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self._stopping:
            time.sleep(_POLL_SECONDS)

    def _on_signal(self, number: int, frame: object) -> None:
        self._stopping = True


def _free_ports(count: int) -> list[int]:
    """Ports for the processes to talk on; held together until all are known, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()
