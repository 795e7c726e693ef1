"""The tables of a generation: their columns, how domain values go in, and how they come back.

`facts` has every version of every fact with the columns of an exported fact; `events`, `proposals` and `commands`
have theirs (INTERFACE), and parts that programs rarely ask for as JSON. They are sorted by `user_hash`; `position`
keeps the order in which rows were given. `audit` names nobody, and is sorted by time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from math import nan
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from state.audit import AuditRow
from state.export import (
    candidate_from_row,
    candidate_row,
    fact_from_row,
    fact_row,
    source_from_row,
    source_row,
)
from state.facts import Fact, FactEvent, Proposal
from state.messages import Command, Origin

_CHUNK_ROWS: Final = 8192
_NULL: Final = -(2**63)


class FactVersion(NamedTuple):
    """One version of a fact, current from `from_seq` until `to_seq` (None: still), in a shard."""

    fact: Fact
    from_seq: int
    to_seq: int | None
    shard: int


def user_hash(tenant: str, user_id: str) -> int:
    """The 64-bit blake2b hash of tenant/user_id by which rows are sorted."""
    name = f"{tenant}/{user_id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(name, digest_size=8).digest(), "big")


class Column(NamedTuple):
    """A column holds `field` of the domain value; where that is None, what `get` makes of the row given."""

    name: str
    form: str
    field: str | None
    get: Callable[[Any], Any] | None = None


class Table(NamedTuple):
    """A table's columns, what makes one of its rows the given value again, and the domain value in a given row."""

    name: str
    columns: tuple[Column, ...]
    build: Callable[[dict[str, Any]], Any]
    domain: Callable[[Any], Any] = lambda row: row
    order: str = "user_hash, tenant, user_id, position"


def fill(connection: Any, table: Table, rows: Iterable[Any], made: str) -> int:
    """Write rows of domain values, read in chunks, as the sorted table `made`; how many there were."""
    declared = ", ".join(f'"{column.name}" {_FORMS[column.form].sql_type}' for column in table.columns)
    loaded = ", ".join(_FORMS[column.form].load.replace("$", f'"{column.name}"') for column in table.columns)
    connection.execute(f"create table staged({declared}, position BIGINT)")
    source, count = iter(rows), 0
    while chunk := list(islice(source, _CHUNK_ROWS)):
        domain = [table.domain(row) for row in chunk]
        arrays = {column.name: _array(column, chunk, domain) for column in table.columns}
        arrays["position"] = np.arange(count, count + len(chunk))
        connection.register("chunk", arrays)
        connection.execute(f"insert into staged select {loaded}, position from chunk")
        connection.unregister("chunk")
        count += len(chunk)
    connection.execute(f"create table {made} as from staged order by {table.order}")
    connection.execute("drop table staged")
    return count


def select(connection: Any, table: Table, where: str, values: list[Any], source: str | None = None) -> Iterator[Any]:
    """The domain values of the rows that meet a condition, user by user; `source` stands in for the whole table."""
    read = ", ".join(_FORMS[column.form].read.replace("$", f'"{column.name}"') for column in table.columns)
    # A table is in order as it lies, and sorting all of a large one would hold it in memory.
    order = " order by user_hash, tenant, user_id, position" if source else ""
    found = connection.execute(f"select {read} from {source or table.name} where {where}{order}", values)
    names = [column.name for column in table.columns]
    while rows := found.fetchmany(_CHUNK_ROWS):
        for row in rows:
            yield table.build(dict(zip(names, row, strict=True)))


class _Form(NamedTuple):
    """How a kind of column is kept: SQL type; numpy type, what stands for None and how else a value is put on the way
    in; and SQL for the value ($) both ways.
    """

    sql_type: str
    dtype: str
    load: str = "$"
    read: str = "$"
    absent: float | None = None
    encode: Callable[[Any], Any] | None = None


def _json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value).decode()


_SOURCES: Final = (
    '[{"message_id":"VARCHAR","conversation_id":"VARCHAR","start":"BIGINT","end":"BIGINT","topic":"VARCHAR",'
    '"partition":"BIGINT","offset":"BIGINT"}]'
)
# Lists travel as JSON text: numpy columns of Python lists are not understood by DuckDB.
_FORMS: Final[dict[str, _Form]] = {
    "text": _Form("VARCHAR", "object", "$::VARCHAR"),
    "whole": _Form("BIGINT", "int64", f"nullif($, {_NULL})", absent=_NULL),
    "hash": _Form("UBIGINT", "uint64"),
    "number": _Form("DOUBLE", "float64", "nullif($, 'NaN'::DOUBLE)", absent=nan),
    "flag": _Form("BOOLEAN", "bool"),
    "time": _Form("TIMESTAMPTZ", "int64", f"make_timestamptz(nullif($, {_NULL}) * 1000)", "epoch_ms($)", _NULL),
    "code": _Form("BLOB", "object", "$::BLOB"),
    "json": _Form("JSON", "object", "$::VARCHAR::JSON", "$::VARCHAR", encode=_json),
    "texts": _Form("VARCHAR[]", "object", """from_json($::VARCHAR, '["VARCHAR"]')""", encode=_json),
    "sources": _Form(
        'STRUCT(message_id VARCHAR, conversation_id VARCHAR, "start" BIGINT, "end" BIGINT, topic VARCHAR,'
        ' "partition" BIGINT, "offset" BIGINT)[]',
        "object",
        f"from_json($::VARCHAR, '{_SOURCES}')",
        encode=lambda sources: _json([source_row(source) for source in sources]),
    ),
}


def _columns(rows: str) -> tuple[Column, ...]:
    """Columns from lines `name form [field]`; a time's field ends in _ms."""
    columns = []
    for line in rows.strip().splitlines():
        name, form, *named = line.split()
        columns.append(Column(name, form, named[0] if named else name + ("_ms" if form == "time" else "")))
    return tuple(columns)


def _derived(name: str, form: str, get: Callable[[Any], Any]) -> Column:
    return Column(name, form, None, get)


def _array(column: Column, rows: list[Any], domain: list[Any]) -> NDArray[Any]:
    """One column of a chunk, as numpy and DuckDB take it: no None among numbers, lists as JSON."""
    if column.field is not None:
        values = list(map(attrgetter(column.field), domain))
    else:
        values = list(map(column.get or attrgetter(column.name), rows))
    form = _FORMS[column.form]
    if form.encode is not None:
        values = list(map(form.encode, values))
    elif form.absent is not None and None in values:
        values = [form.absent if value is None else value for value in values]
    array = np.empty(len(values), form.dtype)
    array[:] = values
    return array


def _arguments(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """The row's values as arguments of the domain type."""
    arguments = {}
    for name, form, field, _ in table.columns:
        if field is not None:
            value = row[name]
            arguments[field] = tuple(value) if form == "texts" and value is not None else value
    return arguments


def _version(row: dict[str, Any]) -> FactVersion:
    arguments = _arguments(FACTS, row)
    arguments["sources"] = tuple(source_from_row(source) for source in arguments["sources"])
    return FactVersion(Fact(**arguments), row["from_seq"], row["to_seq"], row["shard"])


def _event(row: dict[str, Any]) -> FactEvent:
    fact = None if row["fact"] is None else fact_from_row(orjson.loads(row["fact"]))
    return FactEvent(**_arguments(EVENTS, row), fact=fact)


def _proposal(row: dict[str, Any]) -> Proposal:
    candidate = candidate_from_row(orjson.loads(row["candidate"]), row["embedding"])
    return Proposal(**_arguments(PROPOSALS, row), candidate=candidate)


def _command(row: dict[str, Any]) -> Command:
    profile = tuple((name, value) for name, value in orjson.loads(row["profile"]))
    return Command(
        **_arguments(COMMANDS, row), profile=profile, origin=Origin(row["topic"], row["partition"], row["offset"])
    )


def _audit(row: dict[str, Any]) -> AuditRow:
    return AuditRow(**_arguments(AUDIT, row))


FACTS: Final = Table(
    "facts",
    (
        _derived("user_hash", "hash", lambda row: user_hash(row[0].tenant, row[0].user_id)),
        _derived("shard", "whole", lambda row: row[3]),
        _derived("from_seq", "whole", lambda row: row[1]),
        _derived("to_seq", "whole", lambda row: row[2]),
        *_columns(
            """
            id text fact_id
            tenant text
            user_id text
            agent_id text
            namespace texts
            kind text
            content text
            subject text
            predicate text
            object text
            polarity flag
            confidence number
            reinforced_confidence number
            mentions whole
            intensity number
            importance number
            language text
            status text
            reason text
            contradicts texts
            pinned flag
            first_said_at time
            last_said_at time
            recorded_at time
            valid_from text
            valid_to text
            recurring text
            sources sources
            derived_from texts
            source_rank whole
            extractor_version text
            embedding_version text
            revision whole
            embedding code
            """
        ),
    ),
    _version,
    lambda row: row[0],
)
EVENTS: Final = Table(
    "events",
    (
        _derived("user_hash", "hash", lambda event: user_hash(event.tenant, event.user_id)),
        *_columns(
            """
            event_id text
            event text
            tenant text
            user_id text
            old_content text
            rule text
            matched_fact_id text
            similarity number
            reason text
            said_at time
            recorded_seq whole
            schema_version whole
            command_id text
            """
        ),
        _derived("fact_id", "text", lambda event: event.fact and event.fact.fact_id),
        _derived("revision", "whole", lambda event: event.fact and event.fact.revision),
        _derived("content", "text", lambda event: event.fact and event.fact.content),
        _derived("fact", "json", lambda event: event.fact and fact_row(event.fact)),
    ),
    _event,
)
PROPOSALS: Final = Table(
    "proposals",
    (
        _derived("user_hash", "hash", lambda proposal: user_hash(proposal.tenant, proposal.user_id)),
        *_columns(
            """
            proposal_id text
            tenant text
            user_id text
            action text
            target_fact_id text
            status text
            rule text
            proposed_at time
            decided_at time
            decided_by text
            """
        ),
        _derived("kind", "text", lambda proposal: proposal.candidate.kind),
        _derived("namespace", "texts", lambda proposal: proposal.candidate.namespace),
        _derived("content", "text", lambda proposal: proposal.candidate.content),
        _derived("candidate", "json", lambda proposal: candidate_row(proposal.candidate)),
        _derived("embedding", "code", lambda proposal: proposal.candidate.embedding),
    ),
    _proposal,
)
COMMANDS: Final = Table(
    "commands",
    (
        _derived("user_hash", "hash", lambda command: user_hash(command.tenant, command.user_id)),
        *_columns(
            """
            command text
            command_id text
            tenant text
            user_id text
            sent_at time
            text text
            kind text
            namespace texts
            fact_id text
            proposal_id text
            match text
            content text
            fact text
            """
        ),
        _derived("profile", "json", lambda command: command.profile),
        _derived("topic", "text", lambda command: command.origin.topic),
        _derived("partition", "whole", lambda command: command.origin.partition),
        _derived("offset", "whole", lambda command: command.origin.offset),
    ),
    _command,
)
AUDIT: Final = Table(
    "audit",
    _columns(
        """
        who text
        acted_at time
        action text
        outcome text
        rule text
        command_id text
        proposal_id text
        fact_id text
        source text
        removed text
        """
    ),
    _audit,
    order="acted_at, position",
)
TABLES: Final = (FACTS, EVENTS, PROPOSALS, COMMANDS, AUDIT)
