"""A shard's file rolls back to what the recovery store knows, and refuses what does not belong together (S5, S11)."""

import sqlite3
import subprocess
import sys
from pathlib import Path
from resource import getpagesize

import pytest

from state.shard_file import ShardFile, StateMismatchError, naming

ROOT = Path(__file__).parents[2]
SCHEMA = "create table if not exists thing(id integer primary key, name text, from_seq integer, to_seq integer);"
MARKS = {"thing": ("to_seq",)}


def opened(path: Path, resume: tuple[str, int] | None = None) -> ShardFile:
    return ShardFile(path, SCHEMA, MARKS, resume)


def nothing(floor: int) -> None:
    """Purges nothing."""


def put(file: ShardFile, name: str) -> int:
    with file.transaction():
        seq = file.next_seq()
        file.db.execute("update thing set to_seq = ? where to_seq is null", (seq,))
        file.db.execute("insert into thing(name, from_seq) values (?, ?)", (name, seq))
    return seq


def current(file: ShardFile) -> list[str]:
    return [row[0] for row in file.db.execute("select name from thing where to_seq is null")]


def test_rows_above_the_resumed_number_are_undone_and_what_they_replaced_is_current_again(tmp_path: Path) -> None:
    """S5"""
    file = opened(tmp_path / "a.db")
    put(file, "first")
    resume = file.snapshot(nothing)
    put(file, "second")
    put(file, "third")
    file.close()
    again = opened(tmp_path / "a.db", resume)
    assert current(again) == ["first"]
    assert again.db.execute("select count(*) from thing").fetchone() == (1,)
    assert put(again, "second") == resume[1] + 1


def test_a_store_whose_first_epoch_was_never_committed_starts_empty(tmp_path: Path) -> None:
    """S5"""
    file = opened(tmp_path / "a.db")
    put(file, "lost with the crash")
    file.close()
    assert current(opened(tmp_path / "a.db")) == []


def test_an_error_inside_a_transaction_leaves_nothing_behind(tmp_path: Path) -> None:
    file = opened(tmp_path / "a.db")
    put(file, "kept")

    def half() -> None:
        with file.transaction():
            file.db.execute("insert into thing(name, from_seq) values ('half', 9)")
            raise RuntimeError("boom")

    with pytest.raises(RuntimeError, match="boom"):
        half()
    assert current(file) == ["kept"]


def test_committed_rows_without_resume_state_are_refused_and_untouched(tmp_path: Path) -> None:
    """S11: a rollback to zero would wipe a memory"""
    file = opened(tmp_path / "a.db")
    put(file, "precious")
    resume = file.snapshot(nothing)
    file.close()
    opened(tmp_path / "a.db", resume).snapshot(nothing)
    with pytest.raises(StateMismatchError, match="recovery"):
        opened(tmp_path / "a.db")
    assert current(opened(tmp_path / "a.db", resume)) == ["precious"]


def test_a_foreign_lineage_is_refused(tmp_path: Path) -> None:
    """S11"""
    file = opened(tmp_path / "a.db")
    put(file, "mine")
    with pytest.raises(StateMismatchError, match="lineage"):
        opened(tmp_path / "a.db", ("another", 1))
    assert current(file) == ["mine"]


def test_a_recovery_store_ahead_of_the_file_is_refused(tmp_path: Path) -> None:
    """S11: the wrong volume"""
    file = opened(tmp_path / "a.db")
    put(file, "old copy")
    with pytest.raises(StateMismatchError, match="stands at 7"):
        opened(tmp_path / "a.db", (file.lineage, 7))


def test_an_empty_file_where_the_recovery_store_expects_rows_is_refused(tmp_path: Path) -> None:
    """S11: a lost volume"""
    with pytest.raises(StateMismatchError, match="is empty"):
        opened(tmp_path / "a.db", ("some", 3))


def test_the_floor_follows_snapshots_that_are_committed_for_certain(tmp_path: Path) -> None:
    file = opened(tmp_path / "a.db")
    numbers = []
    for name in "abcde":
        numbers.append(put(file, name))
        file.snapshot(nothing)
    assert file.floor == numbers[1]


def test_a_damaged_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    """S11"""
    (tmp_path / "a.db").write_bytes(b"no database at all " * 400)
    with pytest.raises(StateMismatchError, match=r"a\.db is damaged .*Restore a snapshot"):
        opened(tmp_path / "a.db")


def test_a_file_that_may_not_be_written_is_named_with_the_remedy(tmp_path: Path) -> None:
    """S11: SQLite's own words name no file"""
    db = sqlite3.connect(f"file:{tmp_path}/a.db?mode=memory", uri=True)
    db.execute("pragma query_only=1")
    with (
        pytest.raises(StateMismatchError, match=r"a\.db cannot be opened for writing .*give it"),
        naming(tmp_path / "a.db"),
    ):
        db.execute("create table thing(id)")
    with pytest.raises(sqlite3.OperationalError, match="no such table"), naming(tmp_path / "a.db"):
        db.execute("select * from thing")


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    """S11"""
    file = opened(tmp_path / "a.db")
    file.db.execute("pragma user_version=99")
    file.close()
    with pytest.raises(StateMismatchError, match="format 99"):
        opened(tmp_path / "a.db")


FILLS_SHARDS = """
import sys
from pathlib import Path
from tests.state.test_shard_file import nothing, opened, own_bytes

folder, before, files = Path(sys.argv[1]), own_bytes(), []
for shard in range(24):
    files.append(opened(folder / f"{shard}.db"))
    with files[-1].transaction():
        seq = files[-1].next_seq()
        files[-1].db.execute("insert into thing(name, from_seq) values (hex(zeroblob(750000)), ?)", (seq,))
    files[-1].snapshot(nothing)
print(own_bytes() - before)
"""


def own_bytes() -> int:
    """What this process has in memory that is no mapped file's."""
    _, resident, mapped, *_ = Path("/proc/self/statm").read_text().split()
    return (int(resident) - int(mapped)) * getpagesize()


def test_what_is_written_is_not_kept_in_memory_shard_by_shard(tmp_path: Path) -> None:
    """S4, S6: 24 shards with 1.5 MB each take what two or three of them would"""
    done = subprocess.run(
        [sys.executable, "-c", FILLS_SHARDS, str(tmp_path)], cwd=ROOT, capture_output=True, check=True
    )
    assert int(done.stdout) < 10_000_000
