"""Read-only connections that stay open from one question to the next: opening all shards costs more than most answers.

An idle connection holds no lock and keeps nothing from being erased.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from state.memory_store import read_only

File = tuple[int, int]
"""Device and inode: another file under the same name is opened anew."""


class ShardReaders:
    """One connection a shard, made when first asked for. Threads take turns."""

    def __init__(self, path_of: Callable[[int], Path], shards: int) -> None:
        self._path_of, self._shards = path_of, shards
        self._open: dict[int, tuple[File, sqlite3.Connection]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def all(self) -> Iterator[list[sqlite3.Connection]]:
        """The connections of all shards that hold something, in order of shard; nobody else has them meanwhile."""
        with self._lock:
            found = [self._of(shard) for shard in range(self._shards)]
            yield [db for db in found if db is not None]

    def _of(self, shard: int) -> sqlite3.Connection | None:
        path = self._path_of(shard)
        try:
            there = path.stat()
        except FileNotFoundError:
            self._let_go(shard)
            return None
        file = (there.st_dev, there.st_ino)
        known = self._open.get(shard)
        if known is not None and known[0] == file:
            return known[1]
        self._let_go(shard)
        db = read_only(path)
        if db is not None:
            self._open[shard] = (file, db)
        return db

    def _let_go(self, shard: int) -> None:
        known = self._open.pop(shard, None)
        if known is not None:
            known[1].close()

    def close(self) -> None:
        """Closes all."""
        with self._lock:
            for shard in list(self._open):
                self._let_go(shard)
