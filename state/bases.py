"""A user's memory laid down whole, so that the candidate log before it need not be kept (R14).

There are two at most: the base, which no late entry can reach any more, and one that waits until it is as old as that.
What was said up to the base keeps its row in the log without its words, so that it still counts only once.
"""

from __future__ import annotations

import orjson

from state.codec import pack_memory, unpack_memory
from state.shard_file import ShardFile
from state.user_memory import Position, UserMemory

SCHEMA = """
create table if not exists base(
  id integer primary key, user text not null, at_ms integer not null, entry_id text not null, waits integer not null,
  body blob not null, embeddings blob not null, from_seq integer not null, to_seq integer);
create index if not exists base_user on base(user, at_ms, entry_id);
"""
MARKS = {"base": ("to_seq",)}
LOG_ENTRIES = 512
"""More entries than this behind the base are worth laying the memory down again."""
START: Position = (-(2**62), "")
"""Before everything that anybody said."""


class Bases:
    """The memories laid down in one shard's file; all writes happen inside the file's transaction."""

    def __init__(self, file: ShardFile) -> None:
        self._file, self._db = file, file.db

    def position(self, user: str, *, waits: bool = False) -> Position | None:
        """Where the user's base stands, or the memory that waits to become it."""
        row = self._db.execute(
            "select at_ms, entry_id from base where user = ? and waits = ? and to_seq is null", (user, waits)
        ).fetchone()
        return None if row is None else (row[0], row[1])

    def before(self, user: str, memory: UserMemory, position: Position) -> UserMemory | None:
        """The latest laid down before a position, for the user whom `memory` is of; the base where none is."""
        row = self._db.execute(
            "select at_ms, entry_id, body, embeddings from base where user = ? and to_seq is null"
            " and (waits = 0 or (at_ms, entry_id) < (?, ?)) order by waits desc limit 1",
            (user, *position),
        ).fetchone()
        if row is None:
            return None
        base = UserMemory(memory.tenant, memory.user_id, position=(row[0], row[1]))
        unpack_memory(row[2], row[3], base)
        return base

    def lay_down(self, user: str, memory: UserMemory, *, waits: bool = False) -> None:
        """Keeps the memory as it is, in the place of the one before."""
        self._end(user, waits)
        self._db.execute(
            "insert into base(user, at_ms, entry_id, waits, body, embeddings, from_seq) values (?, ?, ?, ?, ?, ?, ?)",
            (user, *memory.position, waits, *pack_memory(memory), self._file.seq),
        )

    def let_go(self, user: str, position: Position) -> None:
        """Drops the memory that waits, where it lacks what was said at `position`."""
        waiting = self.position(user, waits=True)
        if waiting is not None and waiting >= position:
            self._end(user, waits=True)

    def bound(self, user: str, memory: UserMemory, horizon_ms: int) -> None:
        """Lays the memory down where its log is long; once that is beyond the horizon, empties the log up to it."""
        waiting = self.position(user, waits=True)
        if waiting is None:
            after = self.position(user) or START
            if self._is_long(user, after):
                self.lay_down(user, memory, waits=True)
        elif waiting[0] < horizon_ms:
            self._end(user, waits=False)
            self._promote(user)
            self._empty_log(user, waiting)

    def _is_long(self, user: str, after: Position) -> bool:
        row = self._db.execute(
            "select 1 from log where user = ? and (at_ms, entry_id) > (?, ?) and to_seq is null limit 1 offset ?",
            (user, *after, LOG_ENTRIES),
        ).fetchone()
        return row is not None

    def _promote(self, user: str) -> None:
        self._db.execute(
            "insert into base(user, at_ms, entry_id, waits, body, embeddings, from_seq)"
            " select user, at_ms, entry_id, 0, body, embeddings, ? from base"
            " where user = ? and waits = 1 and to_seq is null",
            (self._file.seq, user),
        )
        self._end(user, waits=True)

    def _empty_log(self, user: str, position: Position) -> None:
        """Leaves of each message's row what tells it apart; commands stay whole, for they are history."""
        rows = self._db.execute(
            "select id, body from log where user = ? and (at_ms, entry_id) <= (?, ?) and to_seq is null"
            " and body != x''",
            (user, *position),
        ).fetchall()
        said = [(self._file.seq, row) for row, body in rows if orjson.loads(body)["command"] is None]
        self._db.executemany(
            "insert into log(user, at_ms, entry_id, body, embeddings, from_seq)"
            " select user, at_ms, entry_id, x'', x'', ? from log where id = ?",
            said,
        )
        self._db.executemany("update log set to_seq = ? where id = ?", said)

    def _end(self, user: str, waits: bool) -> None:
        self._db.execute(
            "update base set to_seq = ? where user = ? and waits = ? and to_seq is null",
            (self._file.seq, user, waits),
        )
