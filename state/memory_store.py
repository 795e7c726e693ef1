"""A shard's memory file: versioned facts, the candidate log, events, proposals and what else a user's fold needs.

A fact's current version is the row with `to_seq` null; its history is the rest of the same table. The log keeps
every entry that was folded, so that a late arrival or a retraction can fold the user again (R14, F7).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from state import bases, turns
from state.codec import (
    pack_entry,
    pack_event,
    pack_fact,
    pack_proposal,
    pack_user,
    unpack_entry,
    unpack_event,
    unpack_fact,
    unpack_lead,
    unpack_proposal,
    unpack_user,
)
from state.erasures import ERASED_SCHEMA, CarriedOut
from state.facts import Entry, Fact, FactEvent, Lead, Proposal
from state.layout import LayoutError
from state.proposal_queue import namespace_path
from state.renewing import Coded, is_outdated, renew
from state.shard_file import FILE_VERSION, Resume, ShardFile, naming
from state.turns import Turn
from state.user_memory import Changes, Position, UserMemory
from state.windows import user_key

_SCHEMA = (
    """
create table if not exists fact(
  id integer primary key, user text not null, fact_id text not null, revision integer not null, status text not null,
  body blob not null, embedding blob not null, from_seq integer not null, to_seq integer);
create index if not exists fact_user on fact(user, to_seq, fact_id);
create index if not exists fact_active on fact(status) where to_seq is null;
create table if not exists log(
  id integer primary key, user text not null, at_ms integer not null, entry_id text not null, body blob not null,
  embeddings blob not null, from_seq integer not null, to_seq integer);
create index if not exists log_user on log(user, at_ms, entry_id);
create table if not exists event(
  id integer primary key autoincrement, user text not null, body blob not null, fact_row integer, fact_body blob,
  from_seq integer not null);
create index if not exists event_user on event(user);
create table if not exists proposal(
  id integer primary key, user text not null, tenant text not null, namespace text not null, proposal_id text not null,
  status text not null, body blob not null, embedding blob not null, from_seq integer not null, to_seq integer);
create index if not exists proposal_user on proposal(user);
create index if not exists proposal_queue on proposal(tenant, status, proposal_id) where to_seq is null;
create index if not exists proposal_topic on proposal(tenant, status, namespace, proposal_id) where to_seq is null;
create table if not exists person(
  id integer primary key, user text not null, body blob not null, from_seq integer not null, to_seq integer);
create index if not exists person_user on person(user);
create table if not exists undone(
  user text not null, stream text not null, ident text not null, primary key (user, stream, ident)) without rowid;
"""
    + turns.SCHEMA
    + bases.SCHEMA
)
_MARKS = {
    "fact": ("to_seq",),
    "log": ("to_seq",),
    "event": (),
    "proposal": ("to_seq",),
    "person": ("to_seq",),
    "erased": (),
    **turns.MARKS,
    **bases.MARKS,
}
_PAGE_ROWS = 1_000
_OF_USERS = ("fact", "log", "event", "proposal", "person", "undone", "turn", "base")
"""Every table with rows of users: erase empties all of them of one."""
_ALWAYS_MS = 2**62
_KEYS = (
    ("facts", "fact", "fact_id"),
    ("events", "event", "json_extract(cast(body as text), '$.event_id')"),
    ("proposals", "proposal", "proposal_id"),
)
"""Where the keys of published records are found: stream, table, and the last part of the key."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a fact with the sequence numbers between which it was current."""

    fact: Fact
    from_seq: int
    to_seq: int | None


class MemoryStore:
    """The reconcile step's own file; all writes happen inside `file.transaction()`.

    `holds_erased`: the write-ahead log may hold what was erased; the next snapshots cut it until that is done.
    `carried_out`: the erasures that the file has been through.
    """

    def __init__(self, path: Path, resume: Resume | None, turns_ms: int | None = None) -> None:
        """`turns_ms`: how long turns are kept behind the newest one; None where none are kept any more."""
        self.file = ShardFile(path, _SCHEMA + ERASED_SCHEMA, _MARKS, resume, on_undo=_keep_undone)
        self._db = self.file.db
        self.bases = bases.Bases(self.file)
        self.carried_out = CarriedOut(self.file)
        self.holds_erased = False
        self._turns_ms = turns_ms
        self._turns_before_ms = _ALWAYS_MS if turns_ms is None else None  # what is kept from before goes

    def load(self, tenant: str, user_id: str) -> UserMemory:
        """A user's memory as it stands; an unknown user's is empty."""
        return load_user(self._db, tenant, user_id)

    def renew(self, user: str, version: str, coded: Coded) -> bool:
        """Makes a user's vectors anew where any is of another model than `version` (Q6); whether it did."""
        if not is_outdated(self._db, user, version):
            return False
        renew(self._db, user, version, coded)
        return True

    def has_entry(self, user: str, at_ms: int, entry_id: str) -> bool:
        """Whether this entry is in the user's log already (a message seen twice does nothing, R5)."""
        row = self._db.execute(
            "select 1 from log where user = ? and at_ms = ? and entry_id = ? and to_seq is null",
            (user, at_ms, entry_id),
        ).fetchone()
        return row is not None

    def digest_of(self, user: str, command_id: str) -> str | None:
        """The digest of a command that is in the user's log already, at whatever time it was sent then; else None."""
        return command_digest(self._db, user, command_id)

    def log(self, user: str, entry: Entry) -> None:
        """Appends an entry to the user's candidate log."""
        body, embeddings = pack_entry(entry)
        self._db.execute(
            "insert into log(user, at_ms, entry_id, body, embeddings, from_seq) values (?, ?, ?, ?, ?, ?)",
            (user, entry.at_ms, entry.entry_id, body, embeddings, self.file.seq),
        )

    def retract(self, user: str, message_id: str) -> list[Position]:
        """Takes what a message said (or asked) out of the log (F7); where that stood, if there was anything."""
        done = self._db.execute(
            "update log set to_seq = ? where user = ? and to_seq is null and entry_id in (?, ?)"
            " returning at_ms, entry_id",
            (self.file.seq, user, message_id, f"{message_id}#forget"),
        )
        return done.fetchall()

    def entries(self, user: str, after: Position) -> Iterator[Entry]:
        """The user's log behind a position, in the order of the fold."""
        rows = self._db.execute(
            "select body, embeddings from log where user = ? and (at_ms, entry_id) > (?, ?) and to_seq is null"
            " and body != x'' order by at_ms, entry_id",
            (user, *after),
        )
        for body, embeddings in rows.fetchall():
            yield unpack_entry(body, embeddings)

    def said_after(self, user: str, at_ms: int) -> list[Entry]:
        """What the user's log still has in full of the time after `at_ms`, in the order of the fold."""
        rows = self._db.execute(
            "select body, embeddings from log where user = ? and at_ms > ? and to_seq is null and body != x''"
            " order by at_ms, entry_id",
            (user, at_ms),
        )
        return [unpack_entry(*row) for row in rows.fetchall()]

    def save(self, user: str, changes: Changes) -> None:
        """Writes what one entry did: new versions, events that point at them, proposals."""
        rows: dict[tuple[str, int], int] = {}
        for fact in changes.facts:
            rows[fact.fact_id, fact.revision] = self._save_fact(user, fact)
        for event in changes.events:
            self._save_event(user, event, rows)
        for proposal in changes.proposals:
            self._save_proposal(user, proposal)
        for fact_id in changes.dropped:
            self._end_fact(user, fact_id)

    def _save_fact(self, user: str, fact: Fact) -> int:
        self._end_fact(user, fact.fact_id)
        done = self._db.execute(
            "insert into fact(user, fact_id, revision, status, body, embedding, from_seq) values (?, ?, ?, ?, ?, ?, ?)",
            (user, fact.fact_id, fact.revision, fact.status, pack_fact(fact), fact.embedding, self.file.seq),
        )
        return int(done.lastrowid or 0)

    def _end_fact(self, user: str, fact_id: str) -> None:
        self._db.execute(
            "update fact set to_seq = ? where user = ? and fact_id = ? and to_seq is null",
            (self.file.seq, user, fact_id),
        )

    def _save_event(self, user: str, event: FactEvent, rows: dict[tuple[str, int], int]) -> None:
        fact = event.fact
        row = None if fact is None else rows.get((fact.fact_id, fact.revision))
        inline = pack_fact(fact) if fact is not None and row is None else None
        self._db.execute(
            "insert into event(user, body, fact_row, fact_body, from_seq) values (?, ?, ?, ?, ?)",
            (user, pack_event(event), row, inline, self.file.seq),
        )

    def _save_proposal(self, user: str, proposal: Proposal) -> None:
        seq = self.file.seq
        self._db.execute(
            "update proposal set to_seq = ? where user = ? and proposal_id = ? and to_seq is null",
            (seq, user, proposal.proposal_id),
        )
        self._db.execute(
            "insert into proposal(user, tenant, namespace, proposal_id, status, body, embedding, from_seq)"
            " values (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                user,
                proposal.tenant,
                namespace_path(proposal.candidate.namespace),
                proposal.proposal_id,
                proposal.status,
                pack_proposal(proposal),
                proposal.candidate.embedding,
                seq,
            ),
        )

    def save_person(self, user: str, memory: UserMemory) -> None:
        """Writes profile, bio and boundaries."""
        seq = self.file.seq
        self._db.execute("update person set to_seq = ? where user = ? and to_seq is null", (seq, user))
        self._db.execute("insert into person(user, body, from_seq) values (?, ?, ?)", (user, pack_user(memory), seq))

    def may_expire(self, user: str) -> bool:
        """Whether a user has an active fact that ends by itself: a status, or what has a last day."""
        row = self._db.execute(
            "select 1 from fact where user = ? and to_seq is null and status = 'active'"
            " and (instr(body, ?) or instr(body, ?)) limit 1",
            (user, b'"kind":"status"', b'"valid_to":"'),
        ).fetchone()
        return row is not None

    def keep_turns(self, user: str, kept: Sequence[Turn], now_ms: int) -> None:
        """Writes turns. `now_ms` bounds what counts as newest: a wrong date ahead must not end everybody's turns."""
        turns.keep(self._db, user, kept, self.file.seq)
        if self._turns_ms is not None:
            before_ms = min(max(turn.sent_at_ms for turn in kept), now_ms) - self._turns_ms
            self._turns_before_ms = max(before_ms, self._turns_before_ms or before_ms)

    def counts(self) -> tuple[int, int]:
        """Active facts and pending proposals of the shard."""
        active = self._db.execute("select count(*) from fact where to_seq is null and status = 'active'").fetchone()
        pending = self._db.execute(
            "select count(*) from proposal where to_seq is null and status = 'pending'"
        ).fetchone()
        return active[0], pending[0]

    def keys(self, user: str) -> list[tuple[str, str]]:
        """Every key that was ever published of a user, as (stream, id): what compaction needs a null record for."""
        queries = [f"select '{stream}', {ident} from {table} where user = ?1" for stream, table, ident in _KEYS]
        queries.append("select stream, ident from undone where user = ?1")
        return self._db.execute(" union ".join(queries), (user,)).fetchall()

    def erase(self, user: str, cut_off_ms: int) -> dict[str, int]:
        """Removes every row of a user, all versions and the log among them (F6); how many, by table.

        Turns that were said later stay; all else that was is made anew from the log's later entries.
        """
        self.holds_erased = True
        later = {"turn": f" and sent_at_ms <= {cut_off_ms}"}
        return {
            table: self._db.execute(f"delete from {table} where user = ?{later.get(table, '')}", (user,)).rowcount
            for table in _OF_USERS
        }

    def users(self) -> list[str]:
        """Everybody of whom this file holds anything."""
        names = " union ".join(f"select user from {table}" for table in _OF_USERS)
        return [row[0] for row in self._db.execute(f"{names} order by 1")]

    def snapshot(self) -> Resume:
        """Purges what only a rollback could have needed, then gives the resume state."""
        resume = self.file.snapshot(self._purge)
        if self.holds_erased:
            self.holds_erased = not self.file.cut_log()
        return resume

    def _purge(self, floor: int) -> None:
        for table in ("log", "person", "base", "proposal"):
            self._db.execute(f"delete from {table} where to_seq <= ?", (floor,))
        if self._turns_before_ms is not None:
            turns.purge(self._db, floor, self._turns_before_ms)
            if self._turns_ms is None:
                self._turns_before_ms = None


def _keep_undone(db: sqlite3.Connection, seq: int) -> None:
    """Keeps the keys of what is about to be undone: it was published, and need not come again (F6)."""
    for stream, table, ident in _KEYS:
        last = f"select id from {table} where from_seq <= ?1 order by id desc limit 1"
        rows = f"select user, '{stream}', {ident} from {table} where id > coalesce(({last}), 0)"
        db.execute(f"insert or ignore into undone {rows}", (seq,))


def is_committed(db: sqlite3.Connection, user_hash: bytes, command_hash: bytes) -> bool:
    """Whether an erasure, and so all that was published with it, is certainly committed."""
    row = db.execute(
        "select from_seq <= (select floor from meta) from erased where user_hash = ? and command_hash = ?",
        (user_hash, command_hash),
    ).fetchone()
    return row is not None and bool(row[0])


def read_only(path: Path) -> sqlite3.Connection | None:
    """A connection for readers beside the running job, or None where the shard has no memory yet.

    Raises LayoutError for a file that another version of this program wrote (S11).
    """
    if not path.exists():
        return None
    db = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode=ro",
        uri=True,
        isolation_level=None,
        timeout=10,
        check_same_thread=False,
    )
    with naming(path):
        version = db.execute("pragma user_version").fetchone()[0]
    if version == FILE_VERSION:
        return db
    db.close()
    if version:
        raise LayoutError(
            f"{path} has format {version}, this program reads format {FILE_VERSION}: run the version that wrote it,"
            " export there, and import here into a new state directory."
        )
    return None


def load_user(db: sqlite3.Connection, tenant: str, user_id: str) -> UserMemory:
    """A user's memory as it stands; an unknown user's is empty."""
    user = user_key(tenant, user_id)
    memory = UserMemory(tenant, user_id)
    memory.facts = {fact.fact_id: fact for fact in current_facts(db, user)}
    memory.proposals = {proposal.proposal_id: proposal for proposal in current_proposals(db, user)}
    load_person(db, memory)
    last = db.execute(
        "select at_ms, entry_id from log where user = ? and to_seq is null order by at_ms desc, entry_id desc limit 1",
        (user,),
    ).fetchone()
    if last is not None:
        memory.position = (last[0], last[1])
    return memory


def current_facts(db: sqlite3.Connection, user: str, status: str = "all") -> list[Fact]:
    """The current version of each of a user's facts, of one status or of all, oldest first."""
    return [unpack_fact(*row) for row in _current(db, user, status)]


def active_leads(db: sqlite3.Connection, user: str) -> list[Lead]:
    """The leads of a user's active facts, oldest first."""
    return [unpack_lead(*row) for row in _current(db, user, "active")]


def _current(db: sqlite3.Connection, user: str, status: str) -> list[tuple[bytes, bytes]]:
    return db.execute(
        "select body, embedding from fact where user = ?1 and to_seq is null and (?2 = 'all' or status = ?2)"
        " order by id",
        (user, status),
    ).fetchall()


def replaced_facts(db: sqlite3.Connection, user: str) -> Iterator[Fact]:
    """The active versions of a user's facts that later ones replaced, oldest first; vectors are left out."""
    rows = db.execute(
        "select body from fact where user = ? and to_seq is not null and status = 'active' order by id", (user,)
    )
    return (unpack_fact(body, b"") for (body,) in rows.fetchall())


def load_person(db: sqlite3.Connection, memory: UserMemory) -> None:
    """Puts a user's profile, bio and boundaries into `memory`."""
    user = user_key(memory.tenant, memory.user_id)
    row = db.execute("select body from person where user = ? and to_seq is null", (user,)).fetchone()
    if row is not None:
        unpack_user(row[0], memory)


def current_proposals(db: sqlite3.Connection, user: str) -> list[Proposal]:
    """The current version of each of a user's proposals, oldest first."""
    rows = db.execute("select body, embedding from proposal where user = ? and to_seq is null order by id", (user,))
    return [unpack_proposal(body, embedding) for body, embedding in rows.fetchall()]


def rows(db: sqlite3.Connection, user: str | None = None) -> Iterator[Version]:
    """Every row ever written of every fact (of one user), reinforcements too, oldest first."""
    where, values = ("", (0,)) if user is None else ("and user = ?", (0, user))
    query = (
        f"select id, body, embedding, from_seq, to_seq from fact where id > ? {where} order by id limit {_PAGE_ROWS}"
    )
    for _, body, embedding, from_seq, to_seq in _paged(db, query, values):
        yield Version(unpack_fact(body, embedding), from_seq, to_seq)


def _paged(db: sqlite3.Connection, query: str, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Rows page by page, the first column being what goes on: no statement stays open while the caller takes its time,
    for an open one would keep the writer from cutting its log."""
    after, *rest = values
    while page := db.execute(query, (after, *rest)).fetchall():
        yield from page
        after = page[-1][0]


def versions(db: sqlite3.Connection, user: str | None = None) -> Iterator[Version]:
    """Every revision of every fact (of one user) as it last stood, oldest first.

    A reinforcement changes a revision in place; an active revision that a later one replaced is given as superseded.
    """
    where, values = _of(user)
    found = db.execute(
        "select body, embedding, from_seq, to_seq from (select *, max(id) over (partition by user, fact_id, revision)"
        f" as latest from fact {where}) where id = latest order by id",
        values,
    )
    for body, embedding, from_seq, to_seq in found:
        fact = unpack_fact(body, embedding)
        replaced = to_seq is not None and fact.status == "active"
        yield Version(replace(fact, status="superseded") if replaced else fact, from_seq, to_seq)


def last_event(db: sqlite3.Connection) -> int:
    """The number of the shard's last event, 0 before the first."""
    return int(db.execute("select coalesce(max(id), 0) from event").fetchone()[0])


def command_digest(db: sqlite3.Connection, user: str, command_id: str) -> str | None:
    """What tells a command apart from others of its id; None where the user's log has none of that id."""
    row = db.execute(
        "select body from log where user = ? and entry_id = ? and to_seq is null limit 1", (user, command_id)
    ).fetchone()
    if row is None:
        return None
    command = orjson.loads(row[0])["command"] if row[0] else None
    return "" if command is None else str(command.get("digest", ""))


def events(db: sqlite3.Connection, user: str | None = None, after: int = 0) -> Iterator[FactEvent]:
    """Every event (of one user) whose number is above `after`, in the order in which they were made."""
    where, values = ("", (after,)) if user is None else ("and event.user = ?", (after, user))
    query = (
        "select event.id, event.body, event.fact_body, fact.body, fact.embedding from event"
        f" left join fact on fact.id = event.fact_row where event.id > ? {where} order by event.id limit {_PAGE_ROWS}"
    )
    for _, body, inline, fact_body, embedding in _paged(db, query, values):
        stored = inline if inline is not None else fact_body
        yield unpack_event(body, None if stored is None else unpack_fact(stored, embedding or b""))


def proposals(db: sqlite3.Connection) -> Iterator[Proposal]:
    """The current version of every proposal of every user."""
    query = f"select id, body, embedding from proposal where id > ? and to_seq is null order by id limit {_PAGE_ROWS}"
    for _, body, embedding in _paged(db, query, (0,)):
        yield unpack_proposal(body, embedding)


def commands(db: sqlite3.Connection, user: str | None = None) -> Iterator[Entry]:
    """Every applied command's entry (of one user), in the order of arrival."""
    where, values = _of(user)
    joined = f"{where} and" if where else "where"
    rows = db.execute(f"select body, embeddings from log {joined} to_seq is null and body != x'' order by id", values)
    for body, embeddings in rows:
        entry = unpack_entry(body, embeddings)
        if entry.command is not None:
            yield entry


def users(db: sqlite3.Connection) -> Iterable[str]:
    """Every user with facts in this shard, in order of name."""
    return [row[0] for row in db.execute("select distinct user from fact order by user")]


def _of(user: str | None) -> tuple[str, tuple[str, ...]]:
    return ("", ()) if user is None else ("where user = ?", (user,))
