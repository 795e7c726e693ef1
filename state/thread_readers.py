"""Read-only connections to shard files, kept open from question to question; each thread has its own.

An open connection holds no lock between transactions. A file that was restored or made anew meanwhile is noticed.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from state.memory_store import read_only

_OPEN_MAX: Final = 64
"""Files that a thread holds open; the least recently used go."""


class ThreadReaders:
    """Gives each thread a connection to a file, in one read transaction for as long as it is held."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []

    @contextmanager
    def reading(self, path: Path) -> Iterator[sqlite3.Connection | None]:
        """The file's connection, all of whose queries see one state of it; None where there is no memory yet."""
        db = self._of(path)
        if db is None:
            yield None
            return
        db.execute("begin")
        try:
            yield db
        finally:
            db.execute("rollback")

    def close(self) -> None:
        """Closes every connection; a later question opens them again."""
        while self._all:
            self._all.pop().close()
        self._local = threading.local()

    def _of(self, path: Path) -> sqlite3.Connection | None:
        kept: OrderedDict[Path, tuple[tuple[int, int], sqlite3.Connection]] | None
        kept = getattr(self._local, "kept", None)
        if kept is None:
            kept = self._local.kept = OrderedDict()
        try:
            there = path.stat()
        except FileNotFoundError:
            return None
        file = (there.st_dev, there.st_ino)
        found = kept.get(path)
        if found is None or found[0] != file:
            if found is not None:
                self._drop(kept, path)
            db = read_only(path)
            if db is None:
                return None
            found = kept[path] = (file, db)
            self._all.append(db)
            if len(kept) > _OPEN_MAX:
                self._drop(kept, next(iter(kept)))
        kept.move_to_end(path)
        return found[1]

    def _drop(self, kept: OrderedDict[Path, tuple[tuple[int, int], sqlite3.Connection]], path: Path) -> None:
        db = kept.pop(path)[1]
        if db in self._all:
            self._all.remove(db)
        db.close()
