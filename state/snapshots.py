"""Generations: immutable DuckDB files with everything a memory held at one moment, for history, backup and dashboards.

DuckDB lets one process in while a writer has a file open, so a generation is written under another name, synced,
renamed to `gen-N.duckdb`, and then `latest` (a symbolic link) is switched to it (S9). Any DuckDB client may open it
while the job runs. Rows lie sorted by `user_hash`, so that one user's rows are found without an index. Deleting from
a DuckDB file leaves the bytes in it: a user is erased by writing a new generation and unlinking the old ones (F6).
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb

from state.audit import AuditRow
from state.facts import Fact, FactEvent, Proposal
from state.messages import Command
from state.shard_file import sync
from state.snapshot_tables import COMMANDS, EVENTS, FACTS, PROPOSALS, TABLES, FactVersion, fill, select, user_hash

FORMAT_VERSION: Final = 2
T = TypeVar("T")

_NAME: Final = "gen-{:08d}.duckdb"
_LATEST: Final = "latest"
_WORK: Final = ".partial"


class SnapshotError(Exception):
    """A generation that cannot be written or read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What goes into a generation. Each is read once, in chunks, and may be far larger than memory.

    `facts` are tuples in the order of FactVersion's fields. `meta` is free text by name (state id, versions, when).
    """

    facts: Iterable[tuple[Fact, int, int | None, int]] = ()
    events: Iterable[FactEvent] = ()
    proposals: Iterable[Proposal] = ()
    commands: Iterable[Command] = ()
    audit: Iterable[AuditRow] = ()
    meta: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Generation:
    """A written generation and how many rows each of its tables has."""

    number: int
    path: Path
    rows: dict[str, int]


@dataclass(frozen=True, slots=True)
class UserHistory:
    """All that a generation says of one user; events are without their facts' embeddings."""

    versions: tuple[FactVersion, ...]
    events: tuple[FactEvent, ...]
    proposals: tuple[Proposal, ...]
    commands: tuple[Command, ...]


def write_generation(
    directory: Path, contents: Contents, *, keep: int = 2, memory_mb_max: int = 512, threads: int = 1
) -> Generation:
    """Write the next generation, switch `latest` to it, and remove all but the `keep` newest (S9).

    Memory stays within `memory_mb_max` and a few chunks of rows; what does not fit spills beside the generation.
    Whatever a crash left behind is removed first. Raises SnapshotError while another process writes.
    """
    if keep < 1:
        raise ValueError(f"keep is {keep}, expected at least 1: the newest generation always stays")
    with _workplace(directory) as work:
        number = _last_number(directory) + 1
        path = work / _NAME.format(number)
        with _open_writer(work, path, memory_mb_max, threads) as connection:
            counts = {
                table.name: fill(connection, table, getattr(contents, table.name), f"made.{table.name}")
                for table in TABLES
            }
            meta = {**(contents.meta or {}), "format_version": str(FORMAT_VERSION), "generation": str(number)}
            connection.execute("create table made.meta(name varchar, value varchar)")
            for name, value in sorted(meta.items()):
                connection.execute("insert into made.meta values (?, ?)", [name, value])
        return _publish(directory, path, number, counts, keep)


def erase_user(
    directory: Path, tenant: str, user_id: str, who: str = "", *, memory_mb_max: int = 512, threads: int = 1
) -> dict[str, int]:
    """Remove a user from every generation (F6); the rows removed by table, summed over the generations.

    `who` is how the audit trail names the user; that they were erased stays there.

    The newest generation is written anew without the user, the others are unlinked, whose rows the next snapshot has
    anyway. Where no generation holds the user, none is touched; an old one of another format goes unread. Doing it
    again after a crash finishes the job. Raises SnapshotError while another process writes, or where the newest
    generation has another format (a new snapshot is the remedy).
    """
    wheres = dict.fromkeys((table.name for table in TABLES), _of_user(tenant, user_id))
    wheres["audit"] = "who = ? and action <> 'erase'", [who]
    with _workplace(directory) as work:
        paths = generations(directory)
        removed = dict.fromkeys((table.name for table in TABLES), 0)
        for path in paths:
            try:
                with open_generation(path) as connection:
                    for name in _tables(connection):
                        where, values = wheres[name]
                        found = connection.execute(f"select count(*) from {name} where {where}", values).fetchone()
                        removed[name] += found[0]
            except SnapshotError:
                if path == paths[-1]:
                    raise
                path.unlink()
        if not any(removed.values()):
            return removed
        number = _last_number(directory) + 1
        made = work / _NAME.format(number)
        counts = {}
        with _open_writer(work, made, memory_mb_max, threads) as connection:
            connection.execute(f"attach {_quoted(paths[-1])} as old (read_only)")
            for name in _tables(connection, "old"):
                where, values = wheres[name]
                rows = f"create table made.{name} as select * from old.{name} where not ({where})"
                counts[name] = connection.execute(rows, values).fetchone()[0]
            connection.execute("create table made.meta as select * from old.meta")
            connection.execute("update made.meta set value = ? where name = 'generation'", [str(number)])
            connection.execute("detach old")
        _publish(directory, made, number, counts, 1)
        return removed


def _tables(connection: Any, database: str | None = None) -> list[str]:
    """Which of our tables a generation has: an older one may lack the audit trail."""
    named = "database_name = ?" if database else "database_name = current_database()"
    query = f"select table_name from duckdb_tables() where {named}"
    there = {row[0] for row in connection.execute(query, [database] if database else []).fetchall()}
    return [table.name for table in TABLES if table.name in there]


def generations(directory: Path) -> list[Path]:
    """The files of the generations that are there, oldest first."""
    return sorted(directory.glob("gen-*.duckdb"), key=_number_of)


def latest_generation(directory: Path) -> Path:
    """The file that `latest` names. Raises SnapshotError where there is none."""
    try:
        return directory / os.readlink(directory / _LATEST)
    except FileNotFoundError:
        raise SnapshotError(f"no snapshot in {directory}: run `factstream snapshot` to make one") from None


@contextmanager
def open_generation(path: Path) -> Iterator[Any]:
    """A read-only DuckDB connection to one generation, in UTC. Raises SnapshotError for another format's."""
    connection = duckdb.connect(str(path), read_only=True)
    try:
        connection.execute("set TimeZone = 'UTC'")
        found = connection.execute("select value from meta where name = 'format_version'").fetchone()
        if found is None or found[0] != str(FORMAT_VERSION):
            raise SnapshotError(
                f"{path} has format {found and found[0]}, this program reads format {FORMAT_VERSION}: read it with the"
                " version that wrote it, or write a new snapshot"
            )
        yield connection
    finally:
        connection.close()


def read_latest(directory: Path, query: Callable[[Any], T], attempts_max: int = 5) -> T:
    """What `query` makes of a connection to the newest generation; asked again where that was replaced meanwhile."""
    for _ in range(attempts_max - 1):
        path = latest_generation(directory)
        try:
            with open_generation(path) as connection:
                return query(connection)
        except (duckdb.IOException, FileNotFoundError):
            if path.exists():
                raise
    with open_generation(latest_generation(directory)) as connection:
        return query(connection)


def user_history(connection: Any, tenant: str, user_id: str) -> UserHistory:
    """All versions, events, proposals and commands of one user, each in the order in which they were made (Q5)."""
    where, values = _of_user(tenant, user_id)
    return UserHistory(
        versions=tuple(select(connection, FACTS, where, values)),
        events=tuple(select(connection, EVENTS, where, values)),
        proposals=tuple(select(connection, PROPOSALS, where, values)),
        commands=tuple(select(connection, COMMANDS, where, values)),
    )


def all_versions(connection: Any) -> Iterator[FactVersion]:
    """Every version of every fact, user by user: for export and restore."""
    return select(connection, FACTS, "true", [])


def facts_as_of(connection: Any, at_ms: int, tenant: str | None = None, user_id: str | None = None) -> Iterator[Fact]:
    """What was known at a moment, of one user or of all, user by user (Q1): state.recall.as_of's rule as a query."""
    where, values = ("true", []) if user_id is None else _of_user(tenant or "", user_id)
    known = (
        f"{where} and recorded_at <= make_timestamptz({int(at_ms)} * 1000) qualify row_number() over"
        " (partition by user_hash, tenant, user_id, id order by from_seq desc, revision desc) = 1"
    )
    later = (
        "exists(select 1 from facts later where later.user_hash = known.user_hash and later.tenant = known.tenant and"
        " later.user_id = known.user_id and later.id = known.id and later.from_seq > known.from_seq)"
    )
    source = f"(select * from facts where {known}) known"
    still = f"(status = 'active' or (status = 'superseded' and {later}))"
    for version in select(connection, FACTS, still, values, source):
        yield replace(version.fact, status="active")


@contextmanager
def _open_writer(work: Path, path: Path, memory_mb_max: int, threads: int) -> Iterator[Any]:
    """A DuckDB connection with the new file attached as `made`; at its end the file is whole and on disk."""
    connection = duckdb.connect(":memory:")
    try:
        connection.execute(f"set memory_limit = '{int(memory_mb_max)}MB'")
        connection.execute(f"set threads = {int(threads)}")
        connection.execute(f"set temp_directory = {_quoted(work / 'spill')}")
        connection.execute(f"attach {_quoted(path)} as made")
        yield connection
        connection.execute("checkpoint made")
        connection.execute("detach made")
    finally:
        connection.close()
    sync(path)


@contextmanager
def _workplace(directory: Path) -> Iterator[Path]:
    """An empty folder to write in, held by one process at a time and gone afterwards."""
    directory.mkdir(parents=True, exist_ok=True)
    handle = os.open(directory / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SnapshotError(
                f"another process is writing a snapshot in {directory}: try again when it is done"
            ) from None
        work = directory / _WORK
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)
    finally:
        os.close(handle)


def _publish(directory: Path, made: Path, number: int, counts: dict[str, int], keep: int) -> Generation:
    path = directory / made.name
    made.rename(path)
    link = made.parent / _LATEST
    link.symlink_to(path.name)
    sync(directory)  # the file's name must be durable before anything points at it
    link.rename(directory / _LATEST)
    sync(directory)
    for old in generations(directory)[:-keep]:
        old.unlink()
        shutil.rmtree(f"{old}.tmp", ignore_errors=True)  # what a reader that died may have spilled
    sync(directory)
    return Generation(number, path, counts)


def _number_of(path: Path) -> int:
    digits = path.name.removeprefix("gen-").removesuffix(".duckdb")
    return int(digits) if digits.isdecimal() else -1


def _last_number(directory: Path) -> int:
    """The highest number ever published that is still known: of the files, and of what `latest` names."""
    named = [os.readlink(directory / _LATEST)] if (directory / _LATEST).is_symlink() else []
    return max((_number_of(path) for path in (*generations(directory), *map(Path, named))), default=0)


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _of_user(tenant: str, user_id: str) -> tuple[str, list[Any]]:
    return "user_hash = ? and tenant = ? and user_id = ?", [user_hash(tenant, user_id), tenant, user_id]
