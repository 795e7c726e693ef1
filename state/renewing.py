"""One user's stored vectors made anew by another embedding model, all at once, so that two models never meet (Q6).

A vector is a function of its text and the model alone. So it is replaced where it stands: ids, sequence numbers and
history stay, and a rollback need not undo it. Both models' vectors have one size (state.codec.EMBEDDING_BYTES).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeVar

from state import turns
from state.codec import (
    pack_entry,
    pack_fact,
    pack_memory,
    pack_proposal,
    pack_user,
    unpack_entry,
    unpack_fact,
    unpack_memory,
    unpack_proposal,
    unpack_user,
)
from state.facts import Candidate, Entry, Fact, Proposal
from state.user_memory import Boundary, UserMemory

Coded = Callable[[str], bytes]
"""A text's vector in the form of state.index.encode."""

_Held = TypeVar("_Held", Fact, Candidate)
# Rows with a vector whose body does not name the version: one instruction a row, without taking bodies apart.
_OUTDATED: Final = (
    ("fact", "length(embedding) > 0 and to_seq is null and instr(body, :named) = 0"),
    ("proposal", "length(embedding) > 0 and to_seq is null and instr(body, :named) = 0"),
    ("log", "length(embeddings) > 0 and instr(body, :mark) > 0 and instr(body, :named) = 0"),
    ("turn", "length(embedding) > 0 and embedding_version != :version"),
)


def outdated_users(db: sqlite3.Connection, version: str) -> list[str]:
    """The shard's users with vectors of another model than `version`, in order of name."""
    found: set[str] = set()
    for table, condition in _OUTDATED:
        found.update(user for (user,) in _rows(db, f"select distinct user from {table} where {condition}", version))
    return sorted(found)


def is_outdated(db: sqlite3.Connection, user: str, version: str) -> bool:
    """Whether a user has vectors of another model."""
    return any(
        _rows(db, f"select 1 from {table} where user = :user and {condition} limit 1", version, user)
        for table, condition in _OUTDATED
    )


def renew(db: sqlite3.Connection, user: str, version: str, coded: Coded) -> None:
    """Gives all of a user's vectors in place anew; call it inside a transaction."""
    for ident, body, vector in _all(db, "id, body, embedding", "fact", user):
        fact = _renewed(unpack_fact(body, vector), version, coded)
        _write(db, "fact", ident, body=pack_fact(fact), embedding=fact.embedding)
    for ident, body, vector in _all(db, "id, body, embedding", "proposal", user):
        proposal = _proposal(unpack_proposal(body, vector), version, coded)
        _write(db, "proposal", ident, body=pack_proposal(proposal), embedding=proposal.candidate.embedding)
    for ident, body, vectors in _all(db, "id, body, embeddings", "log", user):
        if body:
            packed, codes = pack_entry(_entry(unpack_entry(body, vectors), version, coded))
            _write(db, "log", ident, body=packed, embeddings=codes)
    tenant, _, user_id = user.partition("/")
    for ident, body in _all(db, "id, body", "person", user):
        memory = UserMemory(tenant, user_id)
        unpack_user(body, memory)
        _person(memory, version, coded)
        _write(db, "person", ident, body=pack_user(memory))
    for ident, body, vectors in _all(db, "id, body, embeddings", "base", user):
        memory = UserMemory(tenant, user_id)
        unpack_memory(body, vectors, memory)
        _person(memory, version, coded)
        memory.facts = {name: _renewed(fact, version, coded) for name, fact in memory.facts.items()}
        memory.proposals = {name: _proposal(each, version, coded) for name, each in memory.proposals.items()}
        packed, codes = pack_memory(memory)
        _write(db, "base", ident, body=packed, embeddings=codes)
    for ident, body in _all(db, "id, body", "turn", user, "and length(embedding) > 0"):
        _write(db, "turn", ident, embedding=coded(turns.embedded_text(turns.text_of(body))), embedding_version=version)


def _renewed(held: _Held, version: str, coded: Coded) -> _Held:
    if not held.embedding:
        return held
    return replace(held, embedding=coded(held.content), embedding_version=version)


def _proposal(proposal: Proposal, version: str, coded: Coded) -> Proposal:
    return replace(proposal, candidate=_renewed(proposal.candidate, version, coded))


def _entry(entry: Entry, version: str, coded: Coded) -> Entry:
    candidates = tuple(_renewed(candidate, version, coded) for candidate in entry.candidates)
    command = entry.command
    words = (command.text or command.match or command.content) if command is not None else None
    embedding = coded(words) if entry.embedding and words else b""
    return replace(entry, candidates=candidates, embedding=embedding)


def _person(memory: UserMemory, version: str, coded: Coded) -> None:
    memory.bio = [_renewed(candidate, version, coded) for candidate in memory.bio]
    memory.boundaries = [_boundary(boundary, version, coded) for boundary in memory.boundaries]


def _boundary(boundary: Boundary, version: str, coded: Coded) -> Boundary:
    candidate = None if boundary.candidate is None else _renewed(boundary.candidate, version, coded)
    embedding = coded(boundary.text) if boundary.embedding and boundary.text else b""
    return replace(boundary, candidate=candidate, embedding=embedding)


def _rows(db: sqlite3.Connection, query: str, version: str, user: str = "") -> list[tuple[Any, ...]]:
    named = f'"embedding_version":"{version}"'.encode()
    given = {"named": named, "mark": b'"embedding_version":"', "version": version, "user": user}
    return db.execute(query, given).fetchall()


def _all(db: sqlite3.Connection, columns: str, table: str, user: str, more: str = "") -> Iterator[tuple[Any, ...]]:
    yield from db.execute(f"select {columns} from {table} where user = ? {more} order by id", (user,)).fetchall()


def _write(db: sqlite3.Connection, table: str, ident: int, **columns: object) -> None:
    assigned = ", ".join(f"{name} = ?" for name in columns)
    db.execute(f"update {table} set {assigned} where id = ?", (*columns.values(), ident))
