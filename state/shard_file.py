"""One shard's SQLite file: versioned rows that roll back to any committed sequence number (S5).

Rows are inserted with `from_seq` and never overwritten; what ends a row's life is marked in a column such as
`to_seq`. Undoing everything above a number is then: delete rows born above it, clear marks made above it.
The dataflow's recovery store keeps only (lineage, number), so the two must belong together: a store is refused
when the recovery store does not know it, knows another one, or is ahead of it.
"""

from __future__ import annotations

import os
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

Resume = tuple[str, int]
"""What the recovery store keeps of a shard: its lineage id and the last sequence number of a closed epoch."""

FILE_VERSION = 3
HOLD = "hold"
_MAPPED_BYTES_MAX = 2**30  # read without a copy; address space only
_HOLD_SECONDS_MAX = 3_600  # what is older was left behind by a backup that died
_COMMITTED_AFTER = 3  # snapshots: the source enters an epoch only when all before its predecessor are committed


class StateMismatchError(Exception):
    """A shard file and the recovery store do not belong together; nothing was changed."""


_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """What SQLite says of a file that is damaged or may not be written, as StateMismatchError with name and remedy."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            raise StateMismatchError(
                f"{path} is damaged ({error}): expected a file that the job wrote. Restore a snapshot into a new state"
                " directory, and let the job go on from there."
            ) from None
        if code in _FORBIDDEN:
            raise StateMismatchError(
                f"{path} cannot be opened for writing ({error}): give it and its directory back to the user that the"
                " job runs as."
            ) from None
        raise


def on_hold(path: Path) -> bool:
    """Whether a backup is being made, by the file `path` that it keeps touching."""
    try:
        return time.time() - path.stat().st_mtime < _HOLD_SECONDS_MAX
    except FileNotFoundError:
        return False


class ShardFile:
    """A shard's file, open for its one writer.

    `marks` names, for each versioned table, the columns that end or move a row (each holds a sequence number or null).
    A table's `id`, where it has one, is its rowid, so that rows lie in the order of their birth.
    `held` leaves the transaction open from one activation to the next and commits at each snapshot alone: for a file
    that nobody else reads, since a rollback goes back to a snapshot anyway. `on_undo` sees the file in the transaction
    of a rollback before the rows above a number go.

    While a file `hold` lies beside it, and is not an hour old, the floor stays where it is: a backup copies the
    recovery store first and the shards after it, which must still reach back to that.

    Raises StateMismatchError where the file and `resume` do not belong together.
    """

    def __init__(
        self,
        path: Path,
        schema: str,
        marks: Mapping[str, Sequence[str]],
        resume: Resume | None,
        held: bool = False,
        on_undo: Callable[[sqlite3.Connection, int], None] = lambda db, seq: None,
    ) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._log = path.with_name(f"{path.name}-wal")
        with naming(path):
            self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
        self._marks = marks
        self._held = held
        self._snapshots: list[int] = []
        # A new file is on the disk no sooner than its first snapshot: till then nothing refers to it.
        self._unsynced = not path.stat().st_size
        with naming(path):
            self._pragmas("synchronous=off" if self._unsynced else "synchronous=normal", "journal_mode=wal")
            self._pragmas("secure_delete=on", "busy_timeout=10000", f"mmap_size={_MAPPED_BYTES_MAX}")
            if not _version(self.db, path):
                # The version comes last: readers take a file without one for not there yet.
                tables = f"{_META}{schema}{_indexes(marks)}"
                self.db.executescript(f"begin;{tables}pragma user_version={FILE_VERSION};commit;")
            self._pragmas("synchronous=normal")
            self.lineage, top, self.floor = self._identity(resume)
        self.seq = resume[1] if resume else 0
        check_resume(path, (self.lineage, top, self.floor), resume)
        if top > self.seq:
            self._roll_back(on_undo)
        if not self._on_hold():
            self.floor = max(self.floor, self.seq)

    def _on_hold(self) -> bool:
        return on_hold(self.path.parent / HOLD)

    def _pragmas(self, *pragmas: str) -> None:
        for pragma in pragmas:
            self.db.execute(f"pragma {pragma}").fetchall()

    def _identity(self, resume: Resume | None) -> tuple[str, int, int]:
        row = self.db.execute("select lineage, top, floor from meta").fetchone()
        if row is None:
            if resume is not None and resume[1] > 0:
                raise StateMismatchError(
                    f"{self.path} is empty, but the recovery store has it at {resume[1]}: the volume is not the one"
                    " that was used before. Mount that volume, or restore a snapshot that has both."
                )
            row = (resume[0] if resume else uuid.uuid4().hex, 0, 0)
            self.db.execute("insert into meta(lineage, top, floor) values (?, ?, ?)", row)
        return row[0], row[1], row[2]

    def _roll_back(self, on_undo: Callable[[sqlite3.Connection, int], None]) -> None:
        with self.transaction():
            on_undo(self.db, self.seq)
            for table, columns in self._marks.items():
                self._delete_after(table)
                for column in columns:
                    self.db.execute(f"update {table} set {column} = null where {column} > ?", (self.seq,))

    def _delete_after(self, table: str) -> None:
        """Deletes the rows born after `seq`. Ids grow with sequence numbers, so they are the last ones by id too."""
        if not self._numbered(table):
            self.db.execute(f"delete from {table} where from_seq > ?", (self.seq,))
            return
        last = self.db.execute(
            f"select id from {table} where from_seq <= ? order by id desc limit 1", (self.seq,)
        ).fetchone()
        self.db.execute(f"delete from {table} where id > ?", (0 if last is None else last[0],))

    def _numbered(self, table: str) -> bool:
        return any(row[1] == "id" for row in self.db.execute(f"pragma table_info({table})").fetchall())

    def next_seq(self) -> int:
        """Takes the next sequence number; every row of one applied item carries it."""
        self.seq += 1
        return self.seq

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One atomic activation: rows and the top number together, or neither."""
        if not self.db.in_transaction:
            self.db.execute("begin immediate")
        try:
            yield
            if not self._held:
                self._commit()
        except BaseException:
            self._undo()
            raise

    def _commit(self) -> None:
        self.db.execute("update meta set top = ?, floor = ?", (self.seq, self.floor))
        self.db.execute("commit")

    def snapshot(self, purge: Callable[[int], None]) -> Resume:
        """The resume state at an epoch's end, after what it stands for is safe on disk.

        `purge` removes, in the same transaction, what only a rollback below the number it is given would need.
        """
        if self._unsynced:
            sync(self.path)
            sync(self.path.parent)
            self._unsynced = False
        if not self.db.in_transaction:
            self.db.execute("begin immediate")
        try:
            purge(self.floor)
            self._snapshots.append(self.seq)
            while len(self._snapshots) > _COMMITTED_AFTER and not self._on_hold():
                self.floor = max(self.floor, self._snapshots.pop(0))
            self._commit()
        except BaseException:
            self._undo()
            raise
        sync(self._log)  # all that is not in the file yet, whatever commits it came with
        # Committed pages are read from the mapped file; kept as well, they would fill the cache of every shard in time.
        self._pragmas("shrink_memory")
        return self.lineage, self.seq

    def _undo(self) -> None:
        # On a full disk SQLite has rolled back by itself, and a second time would be an error of its own.
        if self.db.in_transaction:
            self.db.execute("rollback")

    def cut_log(self) -> bool:
        """Empties the write-ahead log, which else keeps what was deleted until it is written over (F6).

        False where a reader was in the way: what it holds stays, and the log must be cut again.
        """
        busy: int = self.db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
        return not busy

    def close(self) -> None:
        """Closes the file; without it nothing is lost either."""
        self.db.close()


_META = """
create table if not exists meta(lineage text not null, top integer not null, floor integer not null);
"""


def sync(path: Path) -> None:
    """Makes a file's content, or a folder's names, durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _indexes(marks: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(
        f"create index if not exists {table}_{column} on {table}({column}) where {column} is not null;"
        for table, columns in marks.items()
        for column in columns
    )


def _version(db: sqlite3.Connection, path: Path) -> int:
    """The file's format, 0 for a new one. Raises StateMismatchError where this program does not read it."""
    version = int(db.execute("pragma user_version").fetchone()[0])
    if version not in (0, FILE_VERSION):
        raise StateMismatchError(
            f"{path} has format {version}, this program reads format {FILE_VERSION}: run the version that wrote it,"
            " export there, and import here into a new state directory."
        )
    return version


def standing(db: sqlite3.Connection) -> tuple[str, int, int]:
    """(lineage, highest sequence number, floor) of a shard's file."""
    row: tuple[str, int, int] = db.execute("select lineage, top, floor from meta").fetchone()
    return row


def check_resume(path: Path, found: tuple[str, int, int], resume: Resume | None) -> None:
    """Raises StateMismatchError where a file that stands as `found` can't go on from what the recovery store has."""
    lineage, top, floor = found
    if resume is None:
        if floor > 0:
            raise StateMismatchError(
                f"{path} holds rows committed up to {floor}, but the recovery store knows nothing of it: the recovery"
                " directory is new or lost. Put the old one back, or restore a snapshot that has both."
            )
        return
    if resume[0] != lineage:
        raise StateMismatchError(
            f"{path} has lineage {lineage}, the recovery store expects {resume[0]}: they come from two different"
            " memories. Use the state directory and the recovery directory that were written together."
        )
    if resume[1] > top or resume[1] < floor:
        raise StateMismatchError(
            f"{path} reaches from {floor} to {top}, the recovery store stands at {resume[1]}: one of them is an older"
            " copy, or a second job has written here. Restore a snapshot that has both."
        )
