"""A shard's window file: messages not yet reflected on, the context before them, seen message ids, profiles.

Message rows live through three marks: `from_seq` (arrived), `done_seq` (evaluated, kept as context), `to_seq`
(no longer context). Rows are purged once their last mark is below the committed floor, so a shard's size follows
what is open and recent, never how many users there were (S6).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import orjson

from state.codec import pack_message, unpack_message
from state.erasures import ERASED_SCHEMA, CarriedOut
from state.messages import Message
from state.shard_file import Resume, ShardFile

_SCHEMA = """
create table if not exists message(
  id integer primary key, user text not null, conversation text not null, body blob not null,
  sent_at_ms integer not null, arrived_ms integer not null, watermark_ms integer not null, partition text not null,
  from_seq integer not null, done_seq integer, to_seq integer);
create index if not exists message_conversation on message(user, conversation, id);
create index if not exists message_watermark on message(partition, watermark_ms);
create table if not exists seen(
  user text not null, hash blob not null, rank integer not null, watermark_ms integer not null,
  from_seq integer not null, primary key (user, hash, rank)) without rowid;
create index if not exists seen_watermark on seen(watermark_ms);
create table if not exists profile(
  id integer primary key, user text not null, name text not null, value text not null, at_ms integer not null,
  from_seq integer not null, to_seq integer);
create index if not exists profile_user on profile(user, name) where to_seq is null;
create table if not exists watermark(partition text primary key, at_ms integer not null) without rowid;
"""
_LATEST_MAX = 512
_LATEST_CHARACTERS_MAX = 2_000
_MARKS = {"message": ("done_seq", "to_seq"), "seen": (), "profile": ("to_seq",), "erased": ()}


def user_key(tenant: str, user_id: str) -> str:
    """The name of a user within a shard and on the topics: tenant/user_id."""
    return f"{tenant}/{user_id}"


@dataclass(frozen=True, slots=True)
class Retention:
    """How long closed things stay, in event time that has passed on their own partition since they arrived."""

    context_messages: int = 8
    context_ms: int = 8 * 86_400_000
    seen_ms: int = 30 * 86_400_000


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A window as found when its shard is opened."""

    user: str
    conversation_id: str
    count: int
    last_sent_at_ms: int
    last_arrived_ms: int
    partition: str


class WindowStore:
    """The window step's own file; all writes happen inside `file.transaction()`.

    `holds_erased`: the write-ahead log may hold what was erased; the next snapshots cut it until that is done.
    `carried_out`: the erasures that the file has been through.
    """

    def __init__(self, path: Path, resume: Resume | None, retention: Retention) -> None:
        self.file = ShardFile(path, _SCHEMA + ERASED_SCHEMA, _MARKS, resume, held=True)
        self._db = self.file.db
        self.carried_out = CarriedOut(self.file)
        self._retention = retention
        self.holds_erased = False
        rows = self._db.execute("select partition, at_ms from watermark")
        self._watermarks: dict[str, int] = dict(rows)
        self._latest: dict[int, Message] = {}  # the newest rows' messages, so that most need not be unpacked
        # Most products send no profiles; then no message need ask for its user's.
        self._profiles = self._db.execute("select 1 from profile limit 1").fetchone() is not None

    def open_windows(self, user: str | None = None) -> list[OpenWindow]:
        """Every window (of one user) with messages that were not evaluated yet, oldest arrival first."""
        whose, values = ("", ()) if user is None else ("user = ? and", (user,))
        rows = self._db.execute(
            "select user, conversation, count(*), max(sent_at_ms), max(arrived_ms), max(partition) from message"
            f" where {whose} done_seq is null and to_seq is null group by user, conversation order by max(id)",
            values,
        )
        return [OpenWindow(*row) for row in rows]

    def watermark_ms(self, partition: str) -> int | None:
        """The latest event time seen on a partition, or None before its first message."""
        return self._watermarks.get(partition)

    def advance(self, partition: str, at_ms: int) -> int:
        """Moves a partition's watermark forward to `at_ms`, never back; returns it."""
        known = self._watermarks.get(partition)
        if known is not None and known >= at_ms:
            return known
        self._watermarks[partition] = at_ms
        return at_ms

    def first_time(self, user: str, message: str, rank: int, partition: str) -> bool:
        """Whether this version of a user's message is newer than all seen of it; it counts as seen from now on.

        `rank` orders the versions of one message: 0 as sent, the time of an edit, and highest its deletion (F7).
        """
        digest = blake2b(message.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        done = self._db.execute(
            "insert into seen(user, hash, rank, watermark_ms, from_seq) select ?1, ?2, ?3, ?4, ?5"
            " where not exists (select 1 from seen where user = ?1 and hash = ?2 and rank >= ?3)",
            (user, digest, rank, self._watermarks.get(partition, 0), self.file.seq),
        )
        return done.rowcount == 1

    def add(self, user: str, message: Message, partition: str, arrived_ms: int) -> None:
        """Puts a message into its conversation's open window."""
        done = self._db.execute(
            "insert into message(user, conversation, body, sent_at_ms, arrived_ms, watermark_ms, partition, from_seq)"
            " values (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                user,
                message.conversation_id,
                pack_message(message),
                message.sent_at_ms,
                arrived_ms,
                self._watermarks.get(partition, 0),
                partition,
                self.file.seq,
            ),
        )
        if len(message.text) > _LATEST_CHARACTERS_MAX:
            return
        self._latest[done.lastrowid or 0] = message
        if len(self._latest) > _LATEST_MAX:
            del self._latest[next(iter(self._latest))]

    def close(self, user: str, conversation_id: str) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
        """Takes a window: (context, new messages), each in order of arrival; what is beyond context is let go."""
        rows = self._db.execute(
            "select id, body, done_seq is null from message where user = ? and conversation = ? and to_seq is null"
            " order by id",
            (user, conversation_id),
        ).fetchall()
        latest = self._latest
        messages = [(latest.get(ident) or unpack_message(body), new) for ident, body, new in rows]
        context = tuple(message for message, new in messages if not new)
        fresh = tuple(message for message, new in messages if new)
        seq = self.file.seq
        self._db.executemany("update message set done_seq = ? where id = ?", [(seq, row[0]) for row in rows if row[2]])
        surplus = rows[: max(0, len(rows) - self._retention.context_messages)]
        self._db.executemany("update message set to_seq = ? where id = ?", [(seq, row[0]) for row in surplus])
        for ident, _, _ in surplus:
            latest.pop(ident, None)
        return context, fresh

    def let_go(self, user: str, before_ms: int) -> None:
        """Ends a user's messages that were evaluated and are too old for context, whatever became of their stream."""
        self._db.execute(
            "update message set to_seq = ? where user = ? and sent_at_ms < ?"
            " and done_seq is not null and to_seq is null",
            (self.file.seq, user, before_ms),
        )

    def set_profile(self, user: str, values: Iterable[tuple[str, str]], at_ms: int) -> None:
        """Keeps profile slots (time zone…) as said at `at_ms`, newer values in place of older ones."""
        for name, value in values:
            self._profiles = True
            known = self._db.execute(
                "select at_ms from profile where user = ? and name = ? and to_seq is null", (user, name)
            ).fetchone()
            if known is not None and known[0] > at_ms:
                continue
            self._db.execute(
                "update profile set to_seq = ? where user = ? and name = ? and to_seq is null",
                (self.file.seq, user, name),
            )
            self._db.execute(
                "insert into profile(user, name, value, at_ms, from_seq) values (?, ?, ?, ?, ?)",
                (user, name, value, at_ms, self.file.seq),
            )

    def profile(self, user: str, name: str) -> str | None:
        """A profile slot's value."""
        if not self._profiles:
            return None
        row = self._db.execute(
            "select value from profile where user = ? and name = ? and to_seq is null", (user, name)
        ).fetchone()
        return None if row is None else row[0]

    def erase(self, user: str, cut_off_ms: int) -> dict[str, int]:
        """Removes what a user said up to the cut-off, whatever its marks (F6); how many rows, by table.

        All ids of messages seen go: what is kept and comes again is known in memory.
        """
        self.holds_erased = True
        self._latest.clear()
        return {
            "message": self._removed("message where user = ? and sent_at_ms <= ?", user, cut_off_ms),
            "seen": self._removed("seen where user = ?", user),
            "profile": self._removed("profile where user = ? and at_ms <= ?", user, cut_off_ms),
        }

    def scrub(self, gone: Callable[[str, Message], bool], near: str | None = None) -> list[tuple[str, str, bool]]:
        """Removes messages of whomever they are in the windows of; (user, conversation, whether it was open) of each.

        `near` is an id that occurs in every such message, so that the others need not be read.
        """
        where, values = ("", []) if near is None else ("where instr(body, ?)", [orjson.dumps(near)])
        rows = self._db.execute(
            f"select id, user, conversation, body, done_seq is null and to_seq is null from message {where}", values
        )
        found = [row for row in rows.fetchall() if gone(row[1], unpack_message(row[3]))]
        self._db.executemany("delete from message where id = ?", [(row[0],) for row in found])
        if found:
            self._latest.clear()
            self.holds_erased = True
        return [(user, conversation, bool(is_open)) for _, user, conversation, _, is_open in found]

    def users(self) -> set[str]:
        """Everybody of whom this file holds anything."""
        tables = [table for table in _MARKS if table != "erased"]
        names = " union ".join(f"select user from {table}" for table in tables)
        return {row[0] for row in self._db.execute(names)}

    def _removed(self, rows: str, *values: object) -> int:
        return self._db.execute(f"delete from {rows}", values).rowcount

    def snapshot(self) -> Resume:
        """Purges what is closed for good, then gives the resume state."""
        resume = self.file.snapshot(self._purge)
        if self.holds_erased:
            self.holds_erased = not self.file.cut_log()
        return resume

    def _purge(self, floor: int) -> None:
        self._db.execute("delete from message where to_seq <= ?", (floor,))
        self._db.execute("delete from profile where to_seq <= ?", (floor,))
        for partition, at_ms in self._watermarks.items():
            self._db.execute("insert or replace into watermark(partition, at_ms) values (?, ?)", (partition, at_ms))
            self._db.execute(
                "delete from message where done_seq <= ? and partition = ? and watermark_ms < ?",
                (floor, partition, at_ms - self._retention.context_ms),
            )
        if self._watermarks:
            self._db.execute(
                "delete from seen where watermark_ms < ? and +from_seq <= ?",
                (max(self._watermarks.values()) - self._retention.seen_ms, floor),
            )


def last_said_ms(db: sqlite3.Connection, user: str) -> int:
    """The latest event time of a user's messages in a window file, 0 without any."""
    row = db.execute("select coalesce(max(sent_at_ms), 0) from message where user = ?", (user,)).fetchone()
    return int(row[0])
