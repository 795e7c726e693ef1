"""The review queue as it is listed: proposals by tenant, status and namespace, in order of id, page by page (W2).

An id is a hash, so the pages of a shard are as even as those of the whole; each question is a step through an index
however many proposals wait.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import chain, islice
from operator import itemgetter

from state.codec import unpack_proposal
from state.facts import PROPOSAL_STATUSES, Proposal

_SHARES = 4
_IDS = (
    "select proposal_id, id from proposal where tenant = ? and status = ? and proposal_id > ? and to_seq is null"
    " order by proposal_id limit ?"
)
_IDS_OF_NAMESPACE = (
    "select proposal_id, id from proposal where tenant = ? and status = ? and namespace = ? and proposal_id > ?"
    " and to_seq is null order by proposal_id limit ?"
)
_NEXT_TENANT = "select min(tenant) from proposal where tenant > ? and to_seq is null"
_NEXT_NAMESPACE = (
    "select min(namespace) from proposal where tenant = ? and status = ? and namespace >= ? and namespace < ?"
    " and to_seq is null"
)


def namespace_path(namespace: tuple[str, ...]) -> str:
    """A namespace as the index has it: what lies below another begins with its path."""
    return "".join(f"{part}/" for part in namespace)


def firsts(
    shards: Sequence[sqlite3.Connection],
    tenant: str | None,
    status: str,
    namespace: tuple[str, ...],
    after: str,
    limit: int | None,
) -> list[tuple[str, int, sqlite3.Connection]]:
    """(id, row, shard) of the proposals above `after`, at most `limit` of them, in order of id.

    `tenant` None is all of them, `status` "all" any; `namespace` is the root of a subtree, () everything. A shard is
    asked for some more than its share first, and for all that it may have only where that was not enough.
    """
    share = limit if limit is None else min(limit, _SHARES * (limit // max(1, len(shards)) + 1))
    pages = [_page(db, tenant, status, namespace, after, share) for db in shards]
    found = sorted(chain.from_iterable(pages), key=itemgetter(0))[:limit]
    if share != limit:
        last = found[-1][0] if len(found) == limit else None
        for number, shown in enumerate(pages):
            if len(shown) == share and (last is None or shown[-1][0] < last):
                pages[number] = _page(shards[number], tenant, status, namespace, after, limit)
        found = sorted(chain.from_iterable(pages), key=itemgetter(0))[:limit]
    return found


def _page(
    db: sqlite3.Connection, tenant: str | None, status: str, namespace: tuple[str, ...], after: str, limit: int | None
) -> list[tuple[str, int, sqlite3.Connection]]:
    statuses = PROPOSAL_STATUSES if status == "all" else (status,)
    streams = [
        stream
        for each in _tenants(db, tenant)
        for one in statuses
        for stream in _streams(db, each, one, namespace, after, limit)
    ]
    return [(proposal_id, row, db) for proposal_id, row in islice(merge(*streams), limit)]


def _streams(
    db: sqlite3.Connection, tenant: str, status: str, namespace: tuple[str, ...], after: str, limit: int | None
) -> Iterator[list[tuple[str, int]]]:
    most = -1 if limit is None else limit
    if not namespace:
        yield db.execute(_IDS, (tenant, status, after, most)).fetchall()
        return
    path = namespace_path(namespace)
    end, here = f"{path[:-1]}0", path  # "0" comes after "/"
    while (found := db.execute(_NEXT_NAMESPACE, (tenant, status, here, end)).fetchone()[0]) is not None:
        yield db.execute(_IDS_OF_NAMESPACE, (tenant, status, found, after, most)).fetchall()
        here = f"{found}\0"


def _tenants(db: sqlite3.Connection, tenant: str | None) -> Iterator[str]:
    if tenant is not None:
        yield tenant
        return
    found = ""
    while (found := db.execute(_NEXT_TENANT, (found,)).fetchone()[0]) is not None:
        yield found


def count(db: sqlite3.Connection, tenant: str | None, status: str) -> int:
    """How many of a shard's proposals have one status."""
    query = "select count(*) from proposal where tenant = ? and status = ? and to_seq is null"
    return sum(db.execute(query, (each, status)).fetchone()[0] for each in _tenants(db, tenant))


def find(db: sqlite3.Connection, tenant: str | None, proposal_id: str) -> Proposal | None:
    """The proposal of that id in a shard, whatever its status."""
    for each in _tenants(db, tenant):
        for status in PROPOSAL_STATUSES:
            row = db.execute(
                "select body, embedding from proposal where tenant = ? and status = ? and proposal_id = ?"
                " and to_seq is null",
                (each, status, proposal_id),
            ).fetchone()
            if row is not None:
                return unpack_proposal(*row)
    return None


def take(db: sqlite3.Connection, row: int) -> Proposal | None:
    """The proposal in a row; None where its user was erased since."""
    found = db.execute("select body, embedding from proposal where id = ?", (row,)).fetchone()
    return None if found is None else unpack_proposal(*found)
