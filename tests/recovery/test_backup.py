"""A backup made at any moment, beside the running job, goes on to the memory of a run that was left alone (S5, S6)."""

from __future__ import annotations

import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flows.backup import BackupError, back_up, restore
from flows.recovery_store import check_together, resume_states
from state.copies import CopyError, copy_together
from state.layout import Layout, LayoutError
from state.shard_file import StateMismatchError
from tests.recovery.test_kill import memory_of, published_events, run_to_end, start, stored_events, write_sources
from tests.stub_job import StubSpec


def spec(folder: Path, name: str, sources: list[str], pause_seconds: float = 0.0) -> StubSpec:
    return StubSpec(
        str(folder / name),
        sources,
        str(folder / f"{name}-out"),
        epoch_seconds=0.1,
        windows={"conversation_length": 7},
        batch_lines=8,
        pause_seconds=pause_seconds,
    )


def committed(state: Path) -> bool:
    """Whether the job has committed what its shards hold at least once."""
    try:
        return any(step == "memory" for step, _ in resume_states(Layout(state).recovery))
    except StateMismatchError:  # looked at in the middle of a commit
        return False


def backups_of_a_running_job(folder: Path, job: StubSpec, seed: int, count: int) -> list[Path]:
    """Starts the job in two processes and makes backups while it runs; what of the job is left is killed."""
    dice, made = random.Random(seed), []
    processes = start(job, 2, folder / "job.log")
    try:
        while not committed(Path(job.state)):
            assert processes[0].poll() is None, (folder / "job.log").read_text()[-2000:]
        for number in range(count):
            try:
                processes[0].wait(dice.uniform(0.1, 0.6))
            except Exception:  # still running, as it should
                target = folder / f"backup-{number}"
                assert back_up(Path(job.state), target) > 0
                made.append(target)
    finally:
        for process in processes:
            process.send_signal(signal.SIGKILL) if process.poll() is None else None
            process.wait()
    return made


def test_backups_beside_a_running_job_go_on_to_the_same_memory(tmp_path: Path) -> None:
    """S5: restore, then the tail again, gives the memory and the event ids of an undisturbed run"""
    sources = write_sources(tmp_path, 300)
    calm = spec(tmp_path, "calm", sources)
    assert run_to_end(calm, tmp_path / "calm.log", 0, 1) == 0
    made = backups_of_a_running_job(tmp_path, spec(tmp_path, "busy", sources, 0.03), seed=1, count=2)
    assert len(made) == 2
    for backup in made:
        restored = spec(tmp_path, f"restored-{backup.name}", sources)
        restore(backup, Path(restored.state))
        assert run_to_end(restored, tmp_path / "restored.log", 0, 1) == 0
        assert memory_of(restored) == memory_of(calm)
        assert stored_events(restored) == stored_events(calm)
        assert set(published_events(restored)) <= set(published_events(calm))


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backup")
    job = spec(folder, "job", write_sources(folder, 60))
    assert run_to_end(job, folder / "job.log", 0, 1) == 0
    back_up(Path(job.state), folder / "copy")
    return folder / "copy"


def test_a_backup_that_was_damaged_is_refused(backup: Path, tmp_path: Path) -> None:
    """S11"""
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in (path for path in sorted(backup.rglob("*")) if path.is_file()):
        (copy / path.relative_to(backup)).parent.mkdir(parents=True, exist_ok=True)
        (copy / path.relative_to(backup)).write_bytes(path.read_bytes())
    shard = copy / "shards" / "memory-0000.db"
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-1] + b"\x01")
    with pytest.raises(BackupError, match="digest differs"):
        restore(copy, tmp_path / "state")
    shard.unlink()
    with pytest.raises(BackupError, match="is missing"):
        restore(copy, tmp_path / "state")
    with pytest.raises(BackupError, match=r"holds no manifest\.json"):
        restore(tmp_path, tmp_path / "state")
    assert not (tmp_path / "state").exists()
    shard.write_bytes(whole)
    restore(copy, tmp_path / "state")
    check_together(Layout(tmp_path / "state"))


def test_nothing_is_written_over(backup: Path, tmp_path: Path) -> None:
    """S11"""
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "thing").touch()
    with pytest.raises(BackupError, match="holds something already"):
        restore(backup, tmp_path / "used")
    with pytest.raises(BackupError, match="holds something already"):
        back_up(backup, tmp_path / "used")
    with pytest.raises(LayoutError, match="no memory in"):
        back_up(tmp_path / "none", tmp_path / "new")


def test_shards_older_than_the_recovery_store_do_not_go_together(backup: Path, tmp_path: Path) -> None:
    """S11: the check that a copy must pass"""
    state = tmp_path / "state"
    restore(backup, state)
    path = next(path for path in sorted((state / "shards").glob("memory-*.db")))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update meta set top = 1")
    with pytest.raises(StateMismatchError, match="older copy"):
        check_together(Layout(state))
    path.unlink()
    with pytest.raises(StateMismatchError, match="is missing"):
        check_together(Layout(state))


def test_files_that_never_rest_are_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S5: only what stood so at one moment counts"""
    sources = [tmp_path / f"{number}.db" for number in range(2)]
    for path in sources:
        with closing(sqlite3.connect(path)) as db:
            db.executescript("pragma journal_mode=wal; create table t(x); insert into t values (0);")
    copy_together({path: path.with_suffix(".copy") for path in sources})
    with closing(sqlite3.connect(sources[0].with_suffix(".copy"))) as db:
        assert db.execute("select x from t").fetchall() == [(0,)]
    with closing(sqlite3.connect(sources[0], isolation_level=None)) as writer:
        monkeypatch.setattr("state.copies._begin", lambda db: writer.execute("update t set x = x + 1"))
        with pytest.raises(CopyError, match="changed all the time"):
            copy_together({path: path.with_suffix(".second") for path in sources}, patience_seconds=0.1)
