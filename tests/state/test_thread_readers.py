"""Connections for readers stay open between questions and notice when a file was made anew."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from state.memory_store import MemoryStore
from state.thread_readers import ThreadReaders


def made(path: Path) -> MemoryStore:
    store = MemoryStore(path, None)
    with store.file.transaction():
        store.file.next_seq()
    store.snapshot()
    return store


def test_a_thread_keeps_its_connection_and_another_has_its_own(tmp_path: Path) -> None:
    made(tmp_path / "m.db")
    readers, seen = ThreadReaders(), []

    def look() -> None:
        with readers.reading(tmp_path / "m.db") as db:
            seen.append(db)

    look()
    look()
    other = threading.Thread(target=look)
    other.start()
    other.join()
    assert seen[0] is seen[1]
    assert seen[2] is not seen[0]


def test_a_file_that_is_not_there_yet_is_found_once_it_is(tmp_path: Path) -> None:
    readers = ThreadReaders()
    with readers.reading(tmp_path / "m.db") as db:
        assert db is None
    made(tmp_path / "m.db")
    with readers.reading(tmp_path / "m.db") as db:
        assert db is not None


def test_a_restored_file_is_read_and_not_the_one_before(tmp_path: Path) -> None:
    made(tmp_path / "m.db").file.close()
    readers = ThreadReaders()
    with readers.reading(tmp_path / "m.db") as db:
        assert db is not None
        before = db.execute("select lineage from meta").fetchone()
    made(tmp_path / "new.db").file.close()
    (tmp_path / "new.db").rename(tmp_path / "m.db")
    with readers.reading(tmp_path / "m.db") as db:
        assert db is not None
        assert db.execute("select lineage from meta").fetchone() != before


def test_no_lock_is_held_between_questions(tmp_path: Path) -> None:
    store = made(tmp_path / "m.db")
    readers = ThreadReaders()
    with readers.reading(tmp_path / "m.db") as db:
        assert isinstance(db, sqlite3.Connection)
        db.execute("select count(*) from fact").fetchone()
    store.file.cut_log()
    assert (tmp_path / "m.db-wal").stat().st_size == 0
