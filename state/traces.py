"""Looks for what an erase should have removed: rows of the user, and their id and sentences in the bytes of files (F6).

Rows are asked of the databases. Bytes are looked for in every file below the state directory, write-ahead logs and free
pages included. What rows of other people hold is told apart: a friend's "has a friend Maya" is the friend's. DuckDB
compresses, so of its files the rows count.
"""

from __future__ import annotations

import mmap
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import duckdb
import orjson

from state.layout import Layout
from state.snapshots import generations
from state.windows import user_key

_ID_BYTES_MIN = 5
_SENTENCE_BYTES_MIN = 8
_LOGS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Trace:
    """Something found: in which file, what it is, and how often.

    `kind`: "row" of the user; "id" or "sentence" in bytes that no row explains; "others" where rows of other people
    hold the same words.
    """

    file: str
    kind: Literal["row", "id", "sentence", "others"]
    what: str
    count: int


def search(layout: Layout, tenant: str, user_id: str, sentences: Iterable[str] = ()) -> list[Trace]:
    """Every trace of a user, file by file. `sentences` are what memory held of them, as far as that is known.

    An id of fewer than five bytes is told from chance by what stands around it: its tenant, or quotes.
    """
    key = user_key(tenant, user_id)
    wanted = dict.fromkeys(_of_id(key, user_id), ("id", user_id))
    for sentence in dict.fromkeys(sentences):
        if len(pattern := orjson.dumps(sentence)[1:-1]) >= _SENTENCE_BYTES_MIN:
            wanted[pattern] = ("sentence", sentence)
    found = [trace for path in _databases(layout) for trace in _rows(layout, path, key)]
    found += [trace for path in generations(layout.snapshots) for trace in _generation_rows(layout, path, key)]
    for path in sorted(layout.root.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size:
            found += _bytes(layout, path, wanted)
    return found


def _of_id(key: str, user_id: str) -> list[bytes]:
    raw = user_id.encode("utf-8", "surrogatepass")
    if len(raw) >= _ID_BYTES_MIN:
        return [raw]
    return [key.encode("utf-8", "surrogatepass"), b'"' + raw + b'"']


def _databases(layout: Layout) -> list[Path]:
    return sorted((layout.root / "shards").glob("*.db"))


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, isolation_level=None, timeout=10)


def _columns(db: sqlite3.Connection) -> dict[str, list[str]]:
    tables = [row[0] for row in db.execute("select name from sqlite_master where type = 'table'").fetchall()]
    return {
        table: [row[1] for row in db.execute(f"pragma table_info({table})").fetchall()]
        for table in tables
        if not table.startswith("sqlite_")
    }


def _rows(layout: Layout, path: Path, key: str) -> list[Trace]:
    with closing(_read_only(path)) as db:
        counts = {
            table: db.execute(f"select count(*) from {table} where user = ?", (key,)).fetchone()[0]
            for table, columns in _columns(db).items()
            if "user" in columns
        }
    return [Trace(_name(layout, path), "row", table, count) for table, count in counts.items() if count]


def _generation_rows(layout: Layout, path: Path, key: str) -> list[Trace]:
    tenant, _, user_id = key.partition("/")
    found = []
    with closing(duckdb.connect(str(path), read_only=True)) as db:
        owners = "select table_name from duckdb_columns() where column_name = 'user_id' and not internal"
        for (table,) in db.execute(owners).fetchall():
            where = f"select count(*) from {table} where tenant = ? and user_id = ?"
            if count := (db.execute(where, [tenant, user_id]).fetchone() or (0,))[0]:
                found.append(Trace(_name(layout, path), "row", table, count))
    return found


def _bytes(layout: Layout, path: Path, wanted: dict[bytes, tuple[str, str]]) -> list[Trace]:
    counts: dict[bytes, int] = {}
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for pattern in wanted:
            at = content.find(pattern)
            while at >= 0:
                counts[pattern] = counts.get(pattern, 0) + 1
                at = content.find(pattern, at + len(pattern))
    found = []
    for pattern, count in counts.items():
        kind, what = wanted[pattern]
        others = _is_in_rows(path, pattern)
        found.append(Trace(_name(layout, path), "others" if others else kind, what, count))  # type: ignore[arg-type]
    return found


def _is_in_rows(path: Path, pattern: bytes) -> bool:
    """Whether a row of the database holds these bytes; the user's own rows are told of apart."""
    for suffix in _LOGS:
        path = path.with_name(path.name.removesuffix(suffix))
    if path.suffix == ".duckdb":
        return _is_in_generation(path, pattern)
    if path.suffix != ".db" or not path.exists():
        return False
    with closing(_read_only(path)) as db:
        return any(
            db.execute(f"select 1 from {table} where {_holding(columns)} limit 1", {"what": pattern}).fetchone()
            for table, columns in _columns(db).items()
        )


def _holding(columns: Sequence[str]) -> str:
    return " or ".join(f'instr(cast("{column}" as blob), :what)' for column in columns)


def _is_in_generation(path: Path, pattern: bytes) -> bool:
    text = pattern.decode("utf-8", "replace")
    with closing(duckdb.connect(str(path), read_only=True)) as db:
        tables = db.execute("select table_name from duckdb_tables() where not internal").fetchall()
        return any(
            db.execute(f"select 1 from {table} where contains({table}::varchar, ?) limit 1", [text]).fetchone()
            for (table,) in tables
        )


def _name(layout: Layout, path: Path) -> str:
    return str(path.relative_to(layout.root))
