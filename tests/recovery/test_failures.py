"""What goes wrong outside the job: it waits or stops with a clear word, and nothing is lost (S5, S6, S11)."""

from __future__ import annotations

import errno
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bytewax.errors import BytewaxRuntimeError

from flows.connectors.kafka_sink import DeliveryFailed, RecordTooLarge
from flows.connectors.kafka_source import NewPartitions
from flows.connectors.kafka_topics import TopicMissing
from flows.supervisor import FATAL_STATUS, UNFORESEEN_STATUS, exit_status, is_told
from operators.ownership import Misplaced
from state.shard_file import ShardFile
from tests.recovery.test_kill import memory_of, run_to_end, start, stored_events, write_sources
from tests.stub_job import StubSpec


def spec(folder: Path, name: str, sources: list[str], pause_seconds: float = 0.0) -> StubSpec:
    return StubSpec(
        str(folder / name),
        sources,
        str(folder / f"{name}-out"),
        epoch_seconds=0.1,
        shards=4,
        windows={"conversation_length": 7},
        batch_lines=16,
        pause_seconds=pause_seconds,
    )


def run_with_files_up_to(size_bytes: int, job: StubSpec) -> subprocess.CompletedProcess[str]:
    """Runs the job where no file may grow beyond a size: any write may be the one that fails."""
    return subprocess.run(
        [sys.executable, "-m", "tests.stub_job", job.json()],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, size_bytes)),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> StubSpec:
    """A run that was left alone."""
    folder = tmp_path_factory.mktemp("calm")
    job = spec(folder, "calm", write_sources(folder, 250))
    assert run_to_end(job, folder / "calm.log", 0, 1) == 0
    return job


def test_writes_that_fail_stop_the_job_and_lose_nothing(calm: StubSpec, tmp_path: Path) -> None:
    """S5: once there is room, it goes on to the memory of a run that had room all along"""
    cramped = spec(tmp_path, "cramped", calm.sources)
    for size_bytes in (100_000, 250_000):
        done = run_with_files_up_to(size_bytes, cramped)
        assert done.returncode != 0
        assert "disk" in done.stderr.lower() or "File too large" in done.stderr
    assert run_to_end(cramped, tmp_path / "cramped.log", 0, 1) == 0
    assert memory_of(cramped) == memory_of(calm)
    assert stored_events(cramped) == stored_events(calm)


def too_much(file: ShardFile) -> None:
    with file.transaction():
        file.next_seq()
        file.db.execute("insert into t values (zeroblob(100000), 2)")


@pytest.mark.parametrize("held", [False, True])
def test_a_full_disk_is_said_as_what_it_is(held: bool, tmp_path: Path) -> None:
    """S5: SQLite gives the transaction up by itself; what it said is not hidden, and what was committed stays"""
    file = ShardFile(tmp_path / "a.db", "create table if not exists t(x, from_seq);", {"t": ()}, None, held)
    with file.transaction():
        file.next_seq()
        file.db.execute("insert into t values (1, 1)")
    file.snapshot(lambda floor: None)
    pages = file.db.execute("pragma page_count").fetchone()[0]
    file.db.execute(f"pragma max_page_count={pages}")
    with pytest.raises(sqlite3.OperationalError, match="database or disk is full") as caught:
        too_much(file)
    assert caught.value.__context__ is None
    status, line = exit_status(caught.value)
    assert status == UNFORESEEN_STATUS
    assert "Free some space" in line
    assert is_told(caught.value)
    file.close()
    again = ShardFile(tmp_path / "a.db", "", {"t": ()}, (file.lineage, 1), held)
    assert again.db.execute("select x from t").fetchall() == [(1,)]


def wrapped(error: BaseException) -> BaseException:
    try:
        raise BytewaxRuntimeError("step") from error
    except BytewaxRuntimeError as outer:
        return outer


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), UNFORESEEN_STATUS, True),
        (NewPartitions("more"), UNFORESEEN_STATUS, True),
        (DeliveryFailed("away"), UNFORESEEN_STATUS, True),
        (TopicMissing("gone"), FATAL_STATUS, True),
        (RecordTooLarge("large"), FATAL_STATUS, True),
        (Misplaced("elsewhere"), FATAL_STATUS, True),
        (sqlite3.OperationalError("no such table"), UNFORESEEN_STATUS, False),
        (KeyError("a fault of ours"), UNFORESEEN_STATUS, False),
    ],
)
def test_what_waits_and_what_stops(error: BaseException, status: int, told: bool) -> None:
    """S11: the supervisor starts again after what may pass, stops after what may not; a traceback is for our faults"""
    if isinstance(error, sqlite3.Error):
        error.sqlite_errorcode = sqlite3.SQLITE_ERROR
    assert exit_status(wrapped(error))[0] == status
    assert is_told(wrapped(error)) == told


def test_one_worker_then_four_then_one_leave_the_same_memory(calm: StubSpec, tmp_path: Path) -> None:
    """S6: shards move with their key"""
    moved = spec(tmp_path, "moved", calm.sources, pause_seconds=0.03)
    before = 0
    for processes in (1, 4):
        running = start(moved, processes, tmp_path / "moved.log")
        try:
            while positions(moved) <= before:
                assert all(process.poll() is None for process in running), (tmp_path / "moved.log").read_text()[-2000:]
            before = positions(moved)
        finally:
            for process in running:
                process.terminate()
                process.wait(30)
    assert before < 4 * 250
    last = spec(tmp_path, "moved", calm.sources)
    [process] = start(last, 1, tmp_path / "moved.log")
    assert process.wait(120) == 0
    assert memory_of(moved) == memory_of(calm)
    assert stored_events(moved) == stored_events(calm)


def positions(job: StubSpec) -> int:
    """How many entries the shards' logs hold."""
    total = 0
    for path in sorted((Path(job.state) / "shards").glob("memory-*.db")):
        db: Any = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
        try:
            total += db.execute("select count(*) from log").fetchone()[0]
        except sqlite3.OperationalError:  # just being made
            continue
        finally:
            db.close()
    return total
