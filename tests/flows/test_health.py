"""What a probe and Prometheus learn of the job as a whole (S7)."""

from __future__ import annotations

import os
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path

import orjson
import pytest

from flows import health, metrics
from flows.spec import JobSpec
from flows.supervisor import Supervisor
from state.erasures import Erasures
from state.layout import Layout

LONG_AGO_SECONDS = 10_000


@pytest.fixture
def job(tmp_path: Path) -> health.JobHealth:
    layout = Layout(tmp_path)
    layout.recovery.mkdir()
    supervisor = Supervisor(JobSpec(str(tmp_path), workers=2), -1)
    return health.JobHealth(layout, supervisor, stalled_seconds=600, ledger=Erasures(layout.erasures))


def runs(job: health.JobHealth, since: float) -> None:
    job.supervisor.running, job.supervisor.started_at = 2, since


def commits(job: health.JobHealth, at: float, name: str = "part-0.sqlite3-wal") -> None:
    path = job.layout.recovery / name
    path.touch()
    os.utime(path, (at, at))


def asked(port: int, path: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_a_job_is_ready_when_it_has_committed_since_it_started(job: health.JobHealth) -> None:
    now = time.time()
    assert "waits for the broker" in str(job.unready())
    runs(job, since=now)
    commits(job, at=now - 60)
    assert "nothing is committed yet" in str(job.unready())
    commits(job, at=now + 1)
    assert job.unready() is None


def test_a_job_that_commits_no_more_is_stalled(job: health.JobHealth) -> None:
    now = time.time()
    runs(job, since=now - LONG_AGO_SECONDS)
    commits(job, at=now - 601)
    assert "no commit for 601 s" in str(job.stalled())
    assert job.unready() == job.stalled()
    commits(job, at=now - 30)
    assert job.stalled() is None


def test_a_job_that_waits_for_its_broker_is_not_stalled(job: health.JobHealth) -> None:
    """Starting it again would not bring the broker back."""
    now = time.time()
    commits(job, at=now - 2 * LONG_AGO_SECONDS)
    runs(job, since=now - LONG_AGO_SECONDS)
    assert job.stalled() is None
    job.supervisor.running = 0
    commits(job, at=now - LONG_AGO_SECONDS + 1)
    assert job.stalled() is None


def test_who_only_reads_the_recovery_store_commits_nothing(job: health.JobHealth) -> None:
    now = time.time()
    commits(job, at=now - 50)
    commits(job, at=now, name="part-0.sqlite3-shm")
    assert health.last_commit(job.layout) == pytest.approx(now - 50, abs=1)
    assert health.last_commit(Layout(job.layout.root / "elsewhere")) == 0.0


def test_probes_and_metrics_are_answered(job: health.JobHealth) -> None:
    """S7."""
    runs(job, since=time.time() - LONG_AGO_SECONDS)
    commits(job, at=time.time() - 5_000)
    job.supervisor.restarts = 3
    job.ledger.begin("default", "ana", "k1", 0, False, 0, 1)
    (job.layout.root / "shard").write_bytes(b"x" * 70_000)
    port = health.serve(job, 0, "127.0.0.1")
    status, body = asked(port, "/health/live")
    assert (status, "no commit for 500" in orjson.loads(body)["detail"]) == (503, True)
    assert asked(port, "/health/ready")[0] == 503
    commits(job, at=time.time())
    assert asked(port, "/health/live") == (200, b'{"status":"live"}')
    assert asked(port, "/health/ready") == (200, b'{"status":"ready"}')
    assert asked(port, "/else")[0] == 404
    text = asked(port, "/metrics")[1].decode()
    assert "\nfactstream_job_restarts_total 3.0\n" in text
    assert "\nfactstream_job_workers_running 2.0\n" in text
    assert "\nfactstream_erasures_pending 1.0\n" in text
    size_bytes = float(text.partition("\nfactstream_state_bytes ")[2].partition("\n")[0])
    assert 70_000 <= size_bytes < 200_000
    for name in metrics.OF_JOB:
        assert f"\nfactstream_{name} " in text
    assert "process_start_time_seconds" in text


def test_a_taken_port_is_an_error_that_says_what_to_do(job: health.JobHealth) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(metrics.MetricsPortError, match=f"port {port} for metrics is taken.*set metrics.job_port"):
            health.serve(job, port, "127.0.0.1")
