"""A memory that keeps the facts of users who are asked about, decoded, as long as nothing of theirs changes."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from flows.memory import Memory
from state import memory_store as store
from state.facts import Fact
from state.prompt import PromptPlan

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

    def __init__(self, state: Path, tenant: str, embedder: Any, prompts: PromptPlan | None = None) -> None:
        super().__init__(state, tenant, embedder, prompts)
        self._held: OrderedDict[str, tuple[Marker, list[Fact]]] = OrderedDict()
        self._lock = threading.Lock()

    def facts(self, user: str, status: str = "active") -> list[Fact]:
        """As Memory's."""
        with self._of_user(user) as db:
            found = [] if db is None else self._current(db, user)
        return [fact for fact in found if status in ("all", fact.status)]

    def _active(self, user: str) -> Sequence[Fact]:
        return self.facts(user)

    def close(self) -> None:
        """Lets everything go."""
        super().close()
        with self._lock:
            self._held.clear()

    def _current(self, db: sqlite3.Connection, user: str) -> list[Fact]:
        key = self._key(user)
        marker: Marker = db.execute(_MARKER, (key,)).fetchone()
        with self._lock:
            held = self._held.get(user)
            if held is not None and held[0] == marker:
                self._held.move_to_end(user)
                return held[1]
        found = store.current_facts(db, key)  # in the marker's transaction: what it says is what is read
        with self._lock:
            if found:
                self._held[user] = (marker, found)
            else:
                self._held.pop(user, None)
            if len(self._held) > _USERS_MAX:
                self._held.popitem(last=False)
        return found
