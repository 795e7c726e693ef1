"""Copies of SQLite files that another process may be writing: each whole, or several as of one moment.

Never call this in a process that has the same file open otherwise: closing a file drops all its locks of a process.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import quote

_PAUSE_SECONDS = 0.02


class CopyError(Exception):
    """Files that could not be copied as of one moment."""


def copy_file(source: Path, target: Path) -> None:
    """One file as it stands at one moment, on the disk when this returns."""
    with closing(_open(source)) as db:
        _copy(db, target)


def copy_together(files: Mapping[Path, Path], patience_seconds: float = 30.0) -> None:
    """Copies all files (source to target) as they stood at one moment. Raises CopyError where none is found.

    A transaction begun on each holds its state. If no file changed from before the first began to after the last did,
    there was a moment at which all of them stood so.
    """
    deadline = time.monotonic() + patience_seconds
    with ExitStack() as stack:
        watchers = [stack.enter_context(closing(_open(source))) for source in files]
        readers = [stack.enter_context(closing(_open(source))) for source in files]
        while True:
            before = [_version(db) for db in watchers]
            for db in readers:
                _begin(db)
            if [_version(db) for db in watchers] == before:
                break
            for db in readers:
                if db.in_transaction:
                    db.execute("rollback")
            if time.monotonic() > deadline:
                raise CopyError(
                    f"{next(iter(files)).parent} changed all the time for {patience_seconds:g} s: make the copy when"
                    " the job is quiet, or stop it for the copy"
                )
            time.sleep(_PAUSE_SECONDS)
        for db, target in zip(readers, files.values(), strict=True):
            _copy(db, target)


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, isolation_level=None, timeout=10)


def _begin(db: sqlite3.Connection) -> None:
    db.execute("begin")
    db.execute("select count(*) from sqlite_master").fetchone()  # a transaction holds a state from its first read on


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("pragma data_version").fetchone()[0])


def _copy(db: sqlite3.Connection, target: Path) -> None:
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        db.backup(copy)
    handle = os.open(target, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
