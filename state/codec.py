"""Domain values to the columns of a shard's file and back: JSON for the words, the embedding's bytes apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any
from zlib import compress, decompress

import orjson

from state.facts import Candidate, Entry, Fact, FactEvent, Lead, Proposal, Source
from state.messages import Command, Message, Origin
from state.user_memory import Boundary, UserMemory

EMBEDDING_BYTES = 384
# By place: names that come from JSON are each compared with all fields, which costs as much as the rest.
_OF_FACT = itemgetter(*Fact.__slots__)
_OF_LEAD = itemgetter(*Lead._fields[:-2])


def pack_message(message: Message) -> bytes:
    """JSON of a message."""
    return orjson.dumps(message)


def unpack_message(body: bytes) -> Message:
    """The message that pack_message wrote."""
    row = orjson.loads(body)
    row["origin"] = Origin(**row["origin"])
    row["participants"] = tuple(row["participants"])
    return Message(**row)


def _plain(value: Any, empty: Sequence[str] = ("embedding",)) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__ if name not in empty}


def _source(row: dict[str, Any]) -> Source:
    row["origin"] = Origin(**row["origin"])
    return Source(**row)


def _apart(value: object) -> None:
    """What stands for an embedding in JSON: nothing, for its bytes have a column of their own."""
    if not isinstance(value, bytes):
        raise TypeError(f"{type(value).__name__} can't be stored: expected what JSON knows, or an embedding")


def pack_fact(fact: Fact) -> bytes:
    """JSON of a fact without its embedding."""
    return orjson.dumps(fact, default=_apart)


def unpack_fact(body: bytes, embedding: bytes) -> Fact:
    """The fact that pack_fact wrote."""
    return _fact(orjson.loads(body), embedding)


def unpack_lead(body: bytes, embedding: bytes) -> Lead:
    """The lead of the fact that pack_fact wrote: a third of the work of the whole fact."""
    row = orjson.loads(body)
    row["namespace"] = tuple(row["namespace"])
    row["derived_from"] = tuple(row["derived_from"])
    return Lead._make((*_OF_LEAD(row), embedding, body))


def whole(found: Fact | Lead) -> Fact:
    """The fact that a lead is of."""
    return found if isinstance(found, Fact) else unpack_fact(found.body, found.embedding)


def _fact(row: dict[str, Any], embedding: bytes) -> Fact:
    row["namespace"] = tuple(row["namespace"])
    row["sources"] = tuple(map(_source, row["sources"]))
    row["contradicts"] = tuple(row["contradicts"])
    row["derived_from"] = tuple(row["derived_from"])
    row["embedding"] = embedding
    return Fact(*_OF_FACT(row))


def _candidate(row: dict[str, Any], embedding: bytes) -> Candidate:
    row["namespace"] = tuple(row["namespace"])
    row["source"] = _source(row["source"])
    row["derived_from"] = tuple(row.get("derived_from", ()))
    row["embedding"] = embedding
    return Candidate(**row)


def _command(row: dict[str, Any] | None) -> Command | None:
    if row is None:
        return None
    row["origin"] = Origin(**row["origin"])
    row["namespace"] = None if row["namespace"] is None else tuple(row["namespace"])
    row["profile"] = tuple((name, value) for name, value in row["profile"])
    return Command(**row)


def pack_entry(entry: Entry) -> tuple[bytes, bytes]:
    """JSON of an entry, and the embeddings of its candidates and its command one after another."""
    embeddings = b"".join(candidate.embedding for candidate in entry.candidates) + entry.embedding
    return orjson.dumps(entry, default=_apart), embeddings


def unpack_entry(body: bytes, embeddings: bytes) -> Entry:
    """The entry that pack_entry wrote."""
    row = orjson.loads(body)
    size = EMBEDDING_BYTES
    candidates = tuple(
        _candidate(candidate, embeddings[i * size : (i + 1) * size]) for i, candidate in enumerate(row["candidates"])
    )
    return Entry(
        row["tenant"],
        row["user_id"],
        row["at_ms"],
        row["entry_id"],
        candidates,
        _command(row["command"]),
        embeddings[len(candidates) * size :],
        row["retracts"],
    )


def pack_proposal(proposal: Proposal) -> bytes:
    """JSON of a proposal without its candidate's embedding."""
    return orjson.dumps(proposal, default=_apart)


def unpack_proposal(body: bytes, embedding: bytes) -> Proposal:
    """The proposal that pack_proposal wrote."""
    row = orjson.loads(body)
    row["candidate"] = _candidate(row["candidate"], embedding)
    return Proposal(**row)


def pack_event(event: FactEvent) -> bytes:
    """JSON of an event without its fact."""
    return orjson.dumps(_plain(event, ("fact",)))


def unpack_event(body: bytes, fact: Fact | None) -> FactEvent:
    """The event that pack_event wrote."""
    return FactEvent(**orjson.loads(body), fact=fact)


def pack_user(memory: UserMemory) -> bytes:
    """JSON of what a user's memory holds beside facts and proposals; embeddings in hexadecimal, for they are few."""
    return orjson.dumps(
        {
            "profile": memory.profile,
            "bio": [_hexed(candidate) for candidate in memory.bio],
            "boundaries": [
                {
                    **_plain(boundary, ("embedding", "candidate")),
                    "embedding": boundary.embedding.hex(),
                    "candidate": None if boundary.candidate is None else _hexed(boundary.candidate),
                }
                for boundary in memory.boundaries
            ],
        }
    )


def unpack_user(body: bytes, memory: UserMemory) -> None:
    """Puts back into `memory` what pack_user wrote."""
    row = orjson.loads(body)
    memory.profile = row["profile"]
    memory.bio = [_unhexed(candidate) for candidate in row["bio"]]
    memory.boundaries = [_boundary(boundary) for boundary in row["boundaries"]]


def _boundary(row: dict[str, Any]) -> Boundary:
    row["embedding"] = bytes.fromhex(row["embedding"])
    row["candidate"] = None if row["candidate"] is None else _unhexed(row["candidate"])
    row["namespace"] = None if row["namespace"] is None else tuple(row["namespace"])
    return Boundary(**row)


def _hexed(candidate: Candidate) -> dict[str, Any]:
    return {**_plain(candidate), "embedding": candidate.embedding.hex()}


def _unhexed(row: dict[str, Any]) -> Candidate:
    return _candidate(row, bytes.fromhex(row.pop("embedding")))


def pack_memory(memory: UserMemory) -> tuple[bytes, bytes]:
    """A whole memory: compressed JSON, and the embeddings of its facts and proposals one after another."""
    facts, proposals = list(memory.facts.values()), list(memory.proposals.values())
    row = {"person": pack_user(memory).decode(), "facts": facts, "proposals": proposals}
    vectors = [fact.embedding for fact in facts] + [proposal.candidate.embedding for proposal in proposals]
    body = {**row, "lengths": [len(vector) for vector in vectors]}
    return compress(orjson.dumps(body, default=_apart), 1), b"".join(vectors)


def unpack_memory(body: bytes, embeddings: bytes, memory: UserMemory) -> None:
    """Puts back into an empty `memory` what pack_memory wrote."""
    row = orjson.loads(decompress(body))
    unpack_user(row["person"].encode(), memory)
    ends = [0, *accumulate(row["lengths"])]
    vectors = iter([embeddings[start:end] for start, end in pairwise(ends)])
    for each in row["facts"]:
        memory.facts[each["fact_id"]] = _fact(each, next(vectors))
    for each in row["proposals"]:
        each["candidate"] = _candidate(each["candidate"], next(vectors))
        memory.proposals[each["proposal_id"]] = Proposal(**each)
