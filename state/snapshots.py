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
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import duckdb
import numpy as np
import orjson

from state.export import (
    candidate_from_row,
    candidate_row,
    command_from_row,
    event_from_row,
    fact_row,
    source_from_row,
    source_row,
)
from state.facts import Fact, FactEvent, Proposal
from state.messages import Command

FORMAT_VERSION: Final = 1
T = TypeVar("T")

_CHUNK_ROWS: Final = 8192
_NULL: Final = -(2**63)
_NAME: Final = "gen-{:08d}.duckdb"
_LATEST: Final = "latest"
_WORK: Final = ".partial"


class SnapshotError(Exception):
    """A generation that cannot be written or read; the message says why and what to do."""


class FactVersion(NamedTuple):
    """One version of a fact, current from `from_seq` until `to_seq` (None: still), in a shard."""

    fact: Fact
    from_seq: int
    to_seq: int | None
    shard: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What goes into a generation. Each is read once, in chunks, and may be far larger than memory.

    `facts` are tuples in the order of FactVersion's fields. `meta` is free text by name (state id, versions, when).
    """

    facts: Iterable[tuple[Fact, int, int | None, int]] = ()
    events: Iterable[FactEvent] = ()
    proposals: Iterable[Proposal] = ()
    commands: Iterable[Command] = ()
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


class _Column(NamedTuple):
    name: str
    form: str
    get: Callable[[Any], Any]


class _Form(NamedTuple):
    """How a kind of column is handed over: its SQL type, the numpy type and what makes one of the other."""

    sql_type: str
    dtype: str
    load: str = "{}"
    read: str = "{}"


_SOURCES: Final = (
    '[{"message_id":"VARCHAR","conversation_id":"VARCHAR","start":"BIGINT","end":"BIGINT","topic":"VARCHAR",'
    '"partition":"BIGINT","offset":"BIGINT"}]'
)
_FORMS: Final[dict[str, _Form]] = {
    "text": _Form("VARCHAR", "object", "{}::VARCHAR"),
    "whole": _Form("BIGINT", "int64", f"nullif({{}}, {_NULL})"),
    "hash": _Form("UBIGINT", "uint64"),
    "number": _Form("DOUBLE", "float64", "nullif({}, 'NaN'::DOUBLE)"),
    "flag": _Form("BOOLEAN", "bool"),
    "time": _Form("TIMESTAMPTZ", "int64", f"make_timestamptz(nullif({{}}, {_NULL}) * 1000)", "epoch_ms({})"),
    "code": _Form("BLOB", "object", "{}::BLOB"),
    "json": _Form("JSON", "object", "{}::JSON", "{}::VARCHAR"),
    "texts": _Form("VARCHAR[]", "object", "from_json({}::VARCHAR, '[\"VARCHAR\"]')"),
    "sources": _Form(
        'STRUCT(message_id VARCHAR, conversation_id VARCHAR, "start" BIGINT, "end" BIGINT, topic VARCHAR,'
        ' "partition" BIGINT, "offset" BIGINT)[]',
        "object",
        f"from_json({{}}::VARCHAR, '{_SOURCES}')",
    ),
}
