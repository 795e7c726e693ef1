"""Workers live and die as one: restarted together, stopped within seconds, never two jobs on one memory (S6)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import structlog
from bytewax.errors import BytewaxRuntimeError
from confluent_kafka import KafkaException, Producer

from flows import job as worker
from flows.connectors.kafka_source import OffsetExpired
from flows.lock import locked
from flows.settings import SettingsError
from flows.spec import JobSpec
from flows.supervisor import FATAL_STATUS, PEER_LOST_STATUS, UNFORESEEN_STATUS, exit_status, told_of_end
from operators.dead_letters import TooManyRejected
from state.layout import LayoutError
from state.shard_file import StateMismatchError

WORKER = """
import pathlib, sys, time
from flows.parent import follow_parent
follow_parent()
folder = pathlib.Path(sys.argv[1])
runs = folder / f"runs-{sys.argv[2]}"
runs.write_text(runs.read_text() + "x" if runs.exists() else "x")
BODY
"""

DRIVER = """
import subprocess, sys, pathlib
from flows.spec import JobSpec
from flows.supervisor import Supervisor

class Scripted(Supervisor):
    def _start(self, index, addresses):
        return subprocess.Popen([sys.executable, sys.argv[1], sys.argv[2], str(index)], stdin=subprocess.PIPE,
                                pass_fds=(self.lock_descriptor,), start_new_session=True)

descriptor = __import__("os").open(sys.argv[2], __import__("os").O_RDONLY)
print("up", flush=True)
job = Scripted(JobSpec(sys.argv[2], workers=2), descriptor, restarts_max=3, pause_seconds=0.01)
status = job.run()
print(f"restarts {job.restarts}, running {job.running}, started {job.started_at > 0}", flush=True)
sys.exit(status)
"""


def supervise(folder: Path, body: str) -> subprocess.Popen[bytes]:
    (folder / "worker.py").write_text(WORKER.replace("BODY", textwrap.dedent(body)))
    (folder / "driver.py").write_text(DRIVER)
    root = str(Path(__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, str(folder / "driver.py"), str(folder / "worker.py"), str(folder)],
        env={**os.environ, "PYTHONPATH": root},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def runs(folder: Path) -> list[int]:
    return [len((folder / f"runs-{index}").read_text()) for index in range(2)]


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    while not path.exists():
        assert process.poll() is None
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue


def test_a_job_that_ends_well_ends_with_status_zero(tmp_path: Path) -> None:
    assert supervise(tmp_path, "").wait(60) == 0
    assert runs(tmp_path) == [1, 1]


def test_one_worker_that_dies_has_all_restarted(tmp_path: Path) -> None:
    body = """
    if sys.argv[2] == "0":
        sys.exit(0 if len(runs.read_text()) > 1 else 1)
    time.sleep(600) if len(runs.read_text()) == 1 else None
    """
    process = supervise(tmp_path, body)
    told, _ = process.communicate(timeout=60)
    assert (process.returncode, runs(tmp_path)) == (0, [2, 2])
    assert told.splitlines()[-1] == b"restarts 1, running 0, started True"


def test_what_a_restart_cannot_mend_stops_the_job(tmp_path: Path) -> None:
    assert supervise(tmp_path, "sys.exit(3) if sys.argv[2] == '0' else time.sleep(600)").wait(60) == 1
    assert runs(tmp_path)[0] == 1


def test_restarts_are_bounded_where_asked(tmp_path: Path) -> None:
    assert supervise(tmp_path, "sys.exit(1)").wait(60) == 1
    assert runs(tmp_path)[0] == 4


def test_a_killed_worker_is_told_with_its_signal_and_not_its_peers_end(tmp_path: Path) -> None:
    body = """
    if len(runs.read_text()) == 1:
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL) if sys.argv[2] == "1" else sys.exit(4)
    """
    process = supervise(tmp_path, body)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"worker 2 of 2 was killed by SIGKILL; restarting in 0.01 s" in told


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        ([1, 0], "worker 1 of 2 ended with status 1"),
        ([PEER_LOST_STATUS, 1], "worker 2 of 2 ended with status 1"),
        ([1, PEER_LOST_STATUS, -9], "worker 3 of 3 was killed by SIGKILL"),
        ([-15, -9], "worker 1 of 2 was killed by SIGTERM"),
        ([-200], "worker 1 of 1 was killed by signal 200"),
        ([PEER_LOST_STATUS, PEER_LOST_STATUS], "worker 1 of 2 ended with status 4"),
    ],
)
def test_the_worker_that_took_the_others_down_is_named(codes: list[int], told: str) -> None:
    assert told_of_end(codes) == told


class PanicException(BaseException):
    """By name that of the dataflow's engine, which cannot be imported."""


@pytest.mark.parametrize(
    ("said", "status"),
    [("Send thread panic: Any { .. }", PEER_LOST_STATUS), ("index out of bounds: the len is 0", UNFORESEEN_STATUS)],
)
def test_a_worker_whose_peer_is_gone_is_told_from_one_with_a_fault(said: str, status: int) -> None:
    assert exit_status(PanicException(said))[0] == status
    assert exit_status(ValueError(said))[0] == UNFORESEEN_STATUS != FATAL_STATUS


def test_what_a_lost_peer_leaves_behind_is_for_debugging_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def lost(*_: object) -> None:
        raise PanicException("Send thread panic: Any { .. }")

    monkeypatch.setattr(worker, "run_process", lost)
    monkeypatch.setattr("flows.parent.follow_parent", lambda: None)
    monkeypatch.setattr(sys, "argv", ["job", JobSpec(str(tmp_path), workers=2).to_json(), "0", "a;b"])
    for level, traces in (("info", 0), ("debug", 1)):
        monkeypatch.setenv("FACTSTREAM_LOG_LEVEL", level)
        with pytest.raises(SystemExit) as ended:
            worker.main()
        assert ended.value.code == PEER_LOST_STATUS
        assert capsys.readouterr().err.count("Traceback") == traces
    structlog.reset_defaults()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_all_workers_and_ends_with_status_zero(tmp_path: Path, number: signal.Signals) -> None:
    job = supervise(tmp_path, "(folder / f'pid-{sys.argv[2]}').write_text('') ; time.sleep(600)")
    for index in range(2):
        wait_for(tmp_path / f"pid-{index}", job)
    job.send_signal(number)
    assert job.wait(10) == 0


def test_workers_end_when_their_supervisor_is_killed(tmp_path: Path) -> None:
    body = "import os; (folder / f'pid-{sys.argv[2]}').write_text(str(os.getpid())); time.sleep(600)"
    job = supervise(tmp_path, body)
    for index in range(2):
        wait_for(tmp_path / f"pid-{index}", job)
    job.kill()
    job.wait()
    assert job.stdout is not None
    # The pipe ends only when the last worker that inherited it is gone.
    assert job.stdout.read() == b"up\n"


def test_two_jobs_cannot_have_one_directory(tmp_path: Path) -> None:
    holds, takes = locked(tmp_path / "lock"), locked(tmp_path / "lock")
    with holds, pytest.raises(LayoutError, match=f"process {os.getpid()}"):
        takes.__enter__()
    with locked(tmp_path / "lock") as descriptor:
        assert descriptor > 0


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (SettingsError("bad"), 2),
        (LayoutError("bad"), 3),
        (StateMismatchError("bad"), 3),
        (TooManyRejected("bad"), 3),
        (OffsetExpired("bad"), 3),
        (ValueError("bad"), 1),
    ],
)
def test_the_exit_status_says_whether_a_restart_may_help(error: Exception, status: int) -> None:
    wrapped = BytewaxRuntimeError("error calling on_batch")
    wrapped.__cause__ = error
    assert exit_status(wrapped)[0] == status
    assert exit_status(wrapped)[1].startswith("bad")


def test_a_setting_that_the_kafka_client_refuses_is_named() -> None:
    """S11: as every wrong setting, with status 2"""
    with pytest.raises(KafkaException) as raised:
        Producer({"nonsense.setting": "1"})
    status, line = exit_status(raised.value)
    assert status == 2
    assert line.startswith('`kafka.client`: No such configuration property: "nonsense.setting"; expected')


def test_a_new_state_directory_is_its_owners_alone(tmp_path: Path) -> None:
    """P2: the lock is the first to make it"""
    with locked(tmp_path / "state" / "lock"):
        assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
