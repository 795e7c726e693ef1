"""A memory that keeps the facts of users who are asked about, decoded, as long as nothing of theirs changes."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from flows.memory import Memory
from state.facts import Fact

_USERS_MAX: Final = 500
"""Some 150 kB a user of a hundred facts."""
_MARKER: Final = (
    "select (select max(id) from event where user = ?1), (select max(id) from fact where user = ?1),"
    " (select count(*) from fact where user = ?1)"
)

Marker = tuple[Any, ...]


class KeptMemory(Memory):
    """A Memory for many questions. What it keeps is checked against the file each time: a change of a fact makes an
    event and a row, and an erase takes rows away, so a user's last event, last row and number of rows tell.
    """

    def __init__(self, state: Path, tenant: str, embedder: Any) -> None:
        super().__init__(state, tenant, embedder)
        self._held: OrderedDict[str, tuple[Marker, list[Fact]]] = OrderedDict()
        self._watched: dict[int, tuple[tuple[int, int], sqlite3.Connection]] = {}
        self._lock = threading.Lock()

    def facts(self, user: str, status: str = "active") -> list[Fact]:
        """As Memory's."""
        with self._lock:
            marker = self._marker(user)
            held = self._held.get(user)
            if held is not None:
                self._held.move_to_end(user)
        if held is None or held[0] != marker:
            held = (marker, super().facts(user, "all"))  # read after the marker: never older than it says
            self._keep(user, held)
        return [fact for fact in held[1] if status in ("all", fact.status)]

    def close(self) -> None:
        """Lets everything go."""
        super().close()
        with self._lock:
            for _, db in self._watched.values():
                db.close()
            self._watched.clear()
            self._held.clear()

    def _keep(self, user: str, held: tuple[Marker, list[Fact]]) -> None:
        with self._lock:
            if held[0] and held[1]:
                self._held[user] = held
            else:
                self._held.pop(user, None)
            if len(self._held) > _USERS_MAX:
                self._held.popitem(last=False)

    def _marker(self, user: str) -> Marker:
        """Where the user's rows end, over a connection that stays open; each statement is a transaction of its own."""
        shard = self._shard(user)
        path = self._layout.memory(shard)
        try:
            there = path.stat()
        except FileNotFoundError:
            return ()
        file = (there.st_dev, there.st_ino)
        watched = self._watched.get(shard)
        if watched is None or watched[0] != file:  # restored or made anew meanwhile
            if watched is not None:
                watched[1].close()
            uri = f"file:{quote(str(path.absolute()))}?mode=ro"
            db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10, check_same_thread=False)
            watched = self._watched[shard] = (file, db)
        try:
            found: Marker = watched[1].execute(_MARKER, (self._key(user),)).fetchone()
        except sqlite3.OperationalError:  # the file is there and its tables are not yet
            return ()
        return found
