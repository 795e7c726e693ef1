"""The ledger of erasures: who was erased up to when, what that took, and what is still to be done (F6).

It lies outside the shards' rollback. An erasure is written here, durably, before anything is deleted, and with it the
keys to tombstone, so that a crash in between is finished later. Afterwards it keeps a keyed hash of the user and the
cut-off: what was said up to then no longer counts, from wherever it is read again. Names are held in clear only until
the erasure is done.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from pathlib import Path

from state.facts import FactEvent, stable_id
from state.layout import LayoutError
from state.shard_file import ShardFile, sync

_SCHEMA = """
create table if not exists erasure(
  id integer primary key, user_hash blob not null, command_hash blob not null, cut_off_ms integer not null,
  allows_replay integer not null, shard integer not null, shards integer not null,
  tenant text, user_id text, command_id text, done_ms integer, unique (user_hash, command_hash));
create index if not exists erasure_open on erasure(id) where done_ms is null;
create table if not exists tombstone(
  erasure integer not null, stream text not null, ident text not null,
  primary key (erasure, stream, ident)) without rowid;
create table if not exists removed(
  erasure integer not null, place text not null, shard integer not null, count integer not null,
  primary key (erasure, place, shard)) without rowid;
create table if not exists phase(
  erasure integer not null, name text not null, primary key (erasure, name)) without rowid;
"""
_FORMAT = 1
_KEY_BYTES = 32
_THROUGH = b""  # no user's hash
ERASED_SCHEMA = """
create table if not exists erased(
  user_hash blob not null, command_hash blob not null, from_seq integer not null,
  primary key (user_hash, command_hash)) without rowid;
"""
"""The table of CarriedOut."""

PHASES = ("windows", "memory", "published", "snapshots", "spool", "dead_letters")
"""What must be done before an erasure is: rows and write-ahead logs of both files, tombstones, and all other places."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """One erasure as the ledger has it. `tenant`, `user_id` and `command_id` are None once it is done.

    `removed` counts by place, such as "memory.fact"; `done_ms` is wall-clock time.
    """

    number: int
    user_hash: bytes
    command_hash: bytes
    cut_off_ms: int
    allows_replay: bool
    shard: int
    shards: int
    tenant: str | None
    user_id: str | None
    command_id: str | None
    done_ms: int | None
    phases: frozenset[str] = frozenset()
    removed: Mapping[str, int] = field(default_factory=dict)

    def told(self) -> str:
        """What was removed, in one line."""
        return ", ".join(f"{place} {count}" for place, count in self.removed.items() if count) or "nothing was there"

    def is_of(self, shard: int, shards: int) -> bool:
        """Whether the user is of this shard; a ledger may come from a memory with another number of them."""
        return self.shard == shard or self.shards != shards

    @property
    def waiting(self) -> tuple[str, ...]:
        """The phases that are not done yet, in order."""
        return tuple(name for name in PHASES if name not in self.phases)


def erase_event(tenant: str, user_id: str, command_id: str, erasure: Erasure, done: bool = False) -> FactEvent:
    """The event that answers an erase, or the one that tells that it is done everywhere. Memory keeps neither."""
    cause = (command_id, "done") if done else (command_id, "")
    return FactEvent(
        event_id=stable_id(tenant, user_id, "ERASE", *cause),
        event="ERASE",
        tenant=tenant,
        user_id=user_id,
        fact=None,
        old_content=None,
        rule="F6.done" if done else "F6.erase",
        matched_fact_id=None,
        similarity=None,
        reason=f"the erase is {'done' if done else 'under way'}; removed: {erasure.told()}",
        said_at_ms=erasure.cut_off_ms,
        command_id=command_id,
    )


class CarriedOut:
    """A shard file's table `erased`: which erasures the file has been through (F6).

    One row an erasure, which a rollback takes back; and one for all of the ledger up to a number, which stays.
    """

    def __init__(self, file: ShardFile) -> None:
        self._file, self._db = file, file.db

    def first(self, user_hash: bytes, command_hash: bytes) -> bool:
        """Whether an erasure is new to the file; it counts as carried out from now on."""
        done = self._db.execute(
            "insert or ignore into erased(user_hash, command_hash, from_seq) values (?, ?, ?)",
            (user_hash, command_hash, self._file.seq),
        )
        return done.rowcount == 1

    def has(self, erasure: Erasure) -> bool:
        """Whether the file has been through it by its command."""
        return self.knows(erasure.user_hash, erasure.command_hash)

    def knows(self, user_hash: bytes, command_hash: bytes) -> bool:
        """The same by the hashes of the user and the command."""
        row = self._db.execute(
            "select 1 from erased where user_hash = ? and command_hash = ?", (user_hash, command_hash)
        ).fetchone()
        return row is not None

    def through(self) -> int:
        """The number in the ledger up to which nothing is missing."""
        row = self._db.execute("select max(command_hash) from erased where user_hash = ?", (_THROUGH,)).fetchone()
        return int.from_bytes(row[0] or b"", "big")

    def is_through(self, number: int) -> None:
        """Nothing is missing up to a number."""
        self.first(_THROUGH, number.to_bytes(8, "big"))


def by_user(erasures: Iterable[Erasure]) -> dict[bytes, Erasure]:
    """The erasures that go on holding, a user's latest each."""
    return {e.user_hash: e for e in sorted(erasures, key=lambda each: each.cut_off_ms) if not e.allows_replay}


class Erasures:
    """The ledger in `folder`, made with the first erasure. One object serves all steps of a process."""

    def __init__(self, folder: Path) -> None:
        self._path, self._key_path = folder / "ledger.db", folder / "key"
        self._open: sqlite3.Connection | None = None
        self._key: bytes | None = None
        self._known: dict[bytes, tuple[int, bool]] | None = None

    def exists(self) -> bool:
        """Whether there has been any erasure."""
        return self._path.exists()

    def covers(self, user: str, at_ms: int) -> bool:
        """Whether what a user (tenant/user_id) said at a time was erased and must not come back."""
        latest = self._known if self._known is not None else self._latest()
        if not latest:
            return False
        found = latest.get(self.user_hash(user))
        return found is not None and at_ms <= found[0] and not found[1]

    def cut_off_ms(self, user: str) -> int:
        """Up to when a user (tenant/user_id) of whom `covers` is true was erased."""
        return self._latest()[self.user_hash(user)][0]

    def learn(self, user: str, cut_off_ms: int, allows_replay: bool) -> None:
        """Heeds an erasure from now on in this process; the latest one of a user decides."""
        user_hash, latest = self.user_hash(user), self._latest()
        known = latest.get(user_hash)
        if known is None or known[0] <= cut_off_ms:
            latest[user_hash] = cut_off_ms, allows_replay

    def _latest(self) -> dict[bytes, tuple[int, bool]]:
        """The latest erasure of each user, as (cut-off, whether a replay is allowed); read once."""
        if self._known is None:
            rows: list[tuple[bytes, int, int]] = []
            if self.exists():
                query = "select user_hash, cut_off_ms, allows_replay from erasure order by cut_off_ms, id"
                rows = self._connection().execute(query).fetchall()
            self._known = {user_hash: (at_ms, bool(replay)) for user_hash, at_ms, replay in rows}
        return self._known

    def user_hash(self, user: str) -> bytes:
        """The keyed hash that stands for a user."""
        if self._key is None:
            self._key = self._read_key()
        return blake2b(user.encode("utf-8", "surrogatepass"), digest_size=16, key=self._key).digest()

    def hashes(self, user: str, command_id: str) -> tuple[bytes, bytes]:
        """The keyed hashes of a user and of a command of theirs, whose id may say who they are."""
        return self.user_hash(user), self.user_hash(f"{user}\x1f{command_id}")

    def begin(
        self, tenant: str, user_id: str, command_id: str, cut_off_ms: int, allows_replay: bool, shard: int, shards: int
    ) -> None:
        """Writes an erasure down before it starts; one that was done and is begun again goes through all its phases."""
        user = f"{tenant}/{user_id}"
        with self._writing() as db:
            done = db.execute(
                "insert into erasure(user_hash, command_hash, cut_off_ms, allows_replay, shard, shards, tenant,"
                " user_id, command_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set"
                " tenant = excluded.tenant, user_id = excluded.user_id, command_id = excluded.command_id,"
                " done_ms = null where done_ms is not null returning id",
                (*self.hashes(user, command_id), cut_off_ms, allows_replay, shard, shards, tenant, user_id, command_id),
            ).fetchall()
            db.executemany("delete from phase where erasure = ?", done)
        self.learn(user, cut_off_ms, allows_replay)

    def keep_keys(self, user: str, command_id: str, keys: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Writes down (stream, id) of what is about to be deleted; all that were ever written down for this erasure."""
        with self._writing() as db:
            number = self._number(db, user, command_id)
            db.executemany("insert or ignore into tombstone values (?, ?, ?)", [(number, *key) for key in keys])
            rows = db.execute("select stream, ident from tombstone where erasure = ? order by 1, 2", (number,))
            return rows.fetchall()

    def count(self, user: str, command_id: str, shard: int, counts: Mapping[str, int]) -> bool:
        """Notes how many things were removed by place; done again after a crash, the larger number stays.

        False where the erasure is not known (yet).
        """
        with self._writing() as db:
            number = self._number(db, user, command_id)
            if number is None:
                return False
            db.executemany(
                "insert into removed values (?, ?, ?, ?) on conflict do update set count = max(count, excluded.count)",
                [(number, place, shard, count) for place, count in counts.items()],
            )
        return True

    def mark(self, user: str, command_id: str, *phases: str) -> None:
        """Notes that phases are done."""
        with self._writing() as db:
            number = self._number(db, user, command_id)
            if number is not None:
                db.executemany("insert or ignore into phase values (?, ?)", [(number, name) for name in phases])
            if "published" in phases:
                db.execute("delete from tombstone where erasure = ?", (number,))

    def close(self, user: str, command_id: str, done_ms: int) -> None:
        """The erasure is done: names go."""
        with self._writing() as db:
            db.execute(
                "update erasure set tenant = null, user_id = null, command_id = null, done_ms = ? where id = ?",
                (done_ms, self._number(db, user, command_id)),
            )

    def all(self, after: int = 0) -> list[Erasure]:
        """Every erasure with a number above `after`, in the order in which they were begun."""
        return self._found("id > ?", after)

    def of(self, user: str) -> list[Erasure]:
        """A user's erasures, in the order in which they were begun."""
        return self._found("user_hash = ?", self.user_hash(user)) if self.exists() else []

    def unfinished(self) -> list[Erasure]:
        """Those that are not done, in the order in which they were begun."""
        return self._found("done_ms is null")

    def _found(self, where: str, *values: object) -> list[Erasure]:
        if not self.exists():
            return []
        db = self._connection()
        columns = ", ".join(f.name for f in fields(Erasure)[1:-2])
        rows = db.execute(f"select id, {columns} from erasure where {where} order by id", values).fetchall()
        return [self._with_details(db, Erasure(*row)) for row in rows]

    def _with_details(self, db: sqlite3.Connection, erasure: Erasure) -> Erasure:
        phases = db.execute("select name from phase where erasure = ?", (erasure.number,))
        removed = db.execute(
            "select place, sum(count) from removed where erasure = ? group by place order by place", (erasure.number,)
        )
        names = frozenset(row[0] for row in phases.fetchall())
        return replace(erasure, phases=names, removed=dict(removed.fetchall()))

    def _number(self, db: sqlite3.Connection, user: str, command_id: str) -> int | None:
        row = db.execute(
            "select id from erasure where user_hash = ? and command_hash = ?",
            self.hashes(user, command_id),
        ).fetchone()
        return None if row is None else int(row[0])

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        db = self._connection()
        db.execute("begin immediate")
        try:
            yield db
            db.execute("commit")
        except BaseException:
            db.execute("rollback")
            raise

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            new = not self.exists()
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
            # No write-ahead log: what is deleted here must be gone at the commit, whatever processes have it open.
            for pragma in ("journal_mode=delete", "synchronous=full", "secure_delete=on"):
                db.execute(f"pragma {pragma}").fetchall()
            _check_format(db, self._path)
            db.executescript(f"begin immediate;{_SCHEMA}pragma user_version={_FORMAT};commit;")
            if new:
                sync(self._path.parent)
                sync(self._path.parent.parent)
            self._open = db
        return self._open

    def _read_key(self) -> bytes:
        """The key; made where there is none. Of several processes that make one at the same time, the first counts."""
        if not self._key_path.exists():
            if self.exists() and self._connection().execute("select 1 from erasure").fetchone():
                raise LayoutError(
                    f"{self._path} has erasures, but {self._key_path.name} beside it is gone: without the key nobody"
                    " can tell whom they concern. Put it back from a backup of the state directory."
                )
            self._key_path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = self._key_path.with_suffix(f".{os.getpid()}.partial")
            handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                os.write(handle, os.urandom(_KEY_BYTES))
                os.fsync(handle)
            finally:
                os.close(handle)
            with suppress(FileExistsError):
                os.link(partial, self._key_path)
            partial.unlink()
            sync(self._key_path.parent)
        return self._key_path.read_bytes()


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("pragma user_version").fetchone()[0]
    if version not in (0, _FORMAT):
        raise LayoutError(f"{path} has format {version}, this program reads format {_FORMAT}: run the version of it")
