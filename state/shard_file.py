"""One shard's SQLite file: versioned rows that roll back to any committed sequence number (S5).

Rows are inserted with `from_seq` and never overwritten; what ends a row's life is marked in a column such as
`to_seq`. Undoing everything above a number is then: delete rows born above it, clear marks made above it.
The dataflow's recovery store keeps only (lineage, number), so the two must belong together: a store is refused
when the recovery store does not know it, knows another one, or is ahead of it.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

Resume = tuple[str, int]
"""What the recovery store keeps of a shard: its lineage id and the last sequence number of a closed epoch."""

FILE_VERSION = 1
_COMMITTED_AFTER = 3  # snapshots: the source enters an epoch only when all before its predecessor are committed


class StateMismatchError(Exception):
    """A shard file and the recovery store do not belong together; nothing was changed."""


class ShardFile:
    """A shard's file, open for its one writer.

    `marks` names, for each versioned table, the columns that end or move a row (each holds a sequence number or null).
    `held` leaves the transaction open from one activation to the next and commits at each snapshot alone: for a file
    that nobody else reads, since a rollback goes back to a snapshot anyway.

    Raises StateMismatchError where the file and `resume` do not belong together.
    """

    def __init__(
        self,
        path: Path,
        schema: str,
        marks: Mapping[str, Sequence[str]],
        resume: Resume | None,
        held: bool = False,
    ) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
        self._marks = marks
        self._held = held
        self._snapshots: list[int] = []
        for pragma in ("journal_mode=wal", "synchronous=normal", "secure_delete=on", "busy_timeout=10000"):
            self.db.execute(f"pragma {pragma}")
        _check_version(self.db, path)
        # The version comes last: readers take a file without one for not there yet.
        self.db.executescript(f"{_META}{schema}{_indexes(marks)}pragma user_version={FILE_VERSION};")
        self.lineage, top, self.floor = self._identity(resume)
        self.seq = resume[1] if resume else 0
        _check_resume(path, (self.lineage, top, self.floor), resume)
        if top > self.seq:
            self._roll_back()
        self.floor = max(self.floor, self.seq)

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

    def _roll_back(self) -> None:
        with self.transaction():
            for table, columns in self._marks.items():
                self.db.execute(f"delete from {table} where from_seq > ?", (self.seq,))
                for column in columns:
                    self.db.execute(f"update {table} set {column} = null where {column} > ?", (self.seq,))

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
            self.db.execute("rollback")
            raise

    def _commit(self) -> None:
        self.db.execute("update meta set top = ?, floor = ?", (self.seq, self.floor))
        self.db.execute("commit")

    def snapshot(self) -> Resume:
        """The resume state at an epoch's end, after what it stands for is safe on disk."""
        self._snapshots.append(self.seq)
        if len(self._snapshots) > _COMMITTED_AFTER:
            self.floor = max(self.floor, self._snapshots.pop(0))
        if self.db.in_transaction:
            self._commit()
        self.db.execute("pragma synchronous=full")
        self.db.execute("begin immediate")
        self._commit()
        self.db.execute("pragma synchronous=normal")
        return self.lineage, self.seq

    def cut_log(self) -> None:
        """Empties the write-ahead log, which else keeps what was deleted until it is written over (F6)."""
        self.db.execute("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        """Closes the file; without it nothing is lost either."""
        self.db.close()


_META = """
create table if not exists meta(lineage text not null, top integer not null, floor integer not null);
"""


def _indexes(marks: Mapping[str, Sequence[str]]) -> str:
    lines = []
    for table, columns in marks.items():
        lines.append(f"create index if not exists {table}_from_seq on {table}(from_seq);")
        for column in columns:
            lines.append(
                f"create index if not exists {table}_{column} on {table}({column}) where {column} is not null;"
            )
    return "\n".join(lines)


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("pragma user_version").fetchone()[0]
    if version not in (0, FILE_VERSION):
        raise StateMismatchError(
            f"{path} has format {version}, this program reads format {FILE_VERSION}: run the version that wrote it,"
            " export there, and import here into a new state directory."
        )


def _check_resume(path: Path, found: tuple[str, int, int], resume: Resume | None) -> None:
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
