"""What memory holds and publishes: candidates, facts, events, proposals, and how their ids are made.

Times ending in `_ms` are event time in milliseconds since 1970-01-01T00:00Z. `valid_from`, `valid_to` and
`recurring` are civil dates at the precision stated (`2026`, `2026-10`, `2026-10-05`, `--05-03`).
Ids are blake2b hashes of stable inputs, so that the same topic gives the same ids (S4).
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, NamedTuple

from state.messages import Command, Origin, reduced

Kind = Literal["fact", "status", "opinion", "procedure", "recommendation"]
Status = Literal["active", "superseded", "forgotten", "archived", "pruned", "deleted"]
EventName = Literal[
    "ADD", "UPDATE", "DELETE", "NONE", "REINFORCE", "FORGET", "REACTIVATE", "ARCHIVE", "PRUNE", "ERASE", "FLAG"
]
WriteMode = Literal["auto", "propose", "manual"]
SourceRank = Literal[0, 1, 2, 3]  # the user's own statement, the user's confirmation, a peer, the assistant (R6)

PROPOSAL_STATUSES = ("pending", "approved", "rejected", "expired", "superseded")
KINDS: tuple[Kind, ...] = ("fact", "status", "opinion", "procedure", "recommendation")
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Source:
    """Evidence: the characters [start, end) of one message."""

    message_id: str
    conversation_id: str
    start: int
    end: int
    origin: Origin

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Candidate:
    """What extraction proposes from one message or remember command. `embedding`: see state.index.encode.

    `renewed`: the words say that this is so now and was not before ("I work for Sunmoor now"). `corrects`: they put
    right what was said just before ("sorry, I meant Lana"). `derived_from`: the ids of the facts that it follows from
    (R12); nobody said it.
    """

    candidate_id: str
    tenant: str
    user_id: str
    agent_id: str | None
    said_at_ms: int
    source: Source
    kind: Kind
    namespace: tuple[str, ...]
    content: str
    subject: str
    predicate: str
    object: str
    polarity: bool
    confidence: float
    intensity: float
    importance: float
    language: str
    embedding: bytes
    valid_from: str | None = None
    valid_to: str | None = None
    recurring: str | None = None
    source_rank: SourceRank = 0
    write_mode: WriteMode = "auto"
    extractor_version: str = ""
    embedding_version: str = ""
    renewed: bool = False
    corrects: bool = False
    derived_from: tuple[str, ...] = ()

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Fact:
    """One version of one fact (REQUIREMENTS "A fact"). An UPDATE keeps `fact_id` and raises `revision`."""

    fact_id: str
    tenant: str
    user_id: str
    agent_id: str | None
    namespace: tuple[str, ...]
    kind: Kind
    content: str
    subject: str
    predicate: str
    object: str
    polarity: bool
    confidence: float
    reinforced_confidence: float
    mentions: int
    intensity: float
    importance: float
    language: str
    status: Status
    reason: str | None
    first_said_at_ms: int
    last_said_at_ms: int
    recorded_at_ms: int
    sources: tuple[Source, ...]
    embedding: bytes
    contradicts: tuple[str, ...] = ()
    pinned: bool = False
    valid_from: str | None = None
    valid_to: str | None = None
    recurring: str | None = None
    derived_from: tuple[str, ...] = ()
    source_rank: SourceRank = 0
    extractor_version: str = ""
    embedding_version: str = ""
    revision: int = 1

    __reduce__ = reduced


class Lead(NamedTuple):
    """What a question asks of every fact, under a Fact's names; `body` is the row that the whole fact is made of.

    A question looks at a user's hundreds of facts and tells a few.
    """

    fact_id: str
    agent_id: str | None
    namespace: tuple[str, ...]
    kind: Kind
    content: str
    subject: str
    predicate: str
    polarity: bool
    importance: float
    status: Status
    first_said_at_ms: int
    last_said_at_ms: int
    valid_from: str | None
    valid_to: str | None
    derived_from: tuple[str, ...]
    embedding_version: str
    embedding: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class FactEvent:
    """A published change (INTERFACE "A fact event"). `fact` is the version after the change; None for ERASE.

    `command_id` is that of the command which the event answers; None where no command was behind it.
    """

    event_id: str
    event: EventName
    tenant: str
    user_id: str
    fact: Fact | None
    old_content: str | None
    rule: str
    matched_fact_id: str | None
    similarity: float | None
    reason: str | None
    said_at_ms: int
    recorded_seq: int = 0
    schema_version: int = SCHEMA_VERSION
    command_id: str | None = None

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for a person (W1, W2). `status` is one of PROPOSAL_STATUSES."""

    proposal_id: str
    tenant: str
    user_id: str
    action: Literal["ADD", "UPDATE", "DELETE"]
    candidate: Candidate
    target_fact_id: str | None
    status: str
    rule: str
    proposed_at_ms: int
    decided_at_ms: int | None = None
    decided_by: str | None = None

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of a user's fold (R14), ordered by (at_ms, entry_id): all that one message or one command says.

    `entry_id` is the message id or the command id. `retracts` names a message that its sender deleted or edited
    (F7): what it said before no longer counts. `embedding` is that of a command's words (forget, match), else empty.
    One that says nothing tells that its user spoke then: what has run out by that time is over (R10).
    """

    tenant: str
    user_id: str
    at_ms: int
    entry_id: str
    candidates: tuple[Candidate, ...] = ()
    command: Command | None = None
    embedding: bytes = b""
    retracts: str | None = None

    __reduce__ = reduced

    @property
    def says_nothing(self) -> bool:
        """Whether it only tells that its user spoke."""
        return not self.candidates and self.command is None and self.retracts is None


def stable_id(*parts: object) -> str:
    """A 128-bit hexadecimal id of the parts' text; parts are separated, so ("a", "bc") and ("ab", "c") differ."""
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(str(part).encode("utf-8", "surrogatepass"))
        digest.update(b"\x1f")
    return digest.hexdigest()


def normalised(text: str) -> str:
    """Case-folded text with single spaces and no closing punctuation: the form in which triples are compared."""
    return " ".join(text.casefold().split()).strip(" .!?,;:")


def candidate_id(tenant: str, user_id: str, message_id: str, start: int, end: int, triple: tuple[str, str, str]) -> str:
    """The deterministic id of REQUIREMENTS "A fact"; an ADD makes it the fact's id."""
    return stable_id(tenant, user_id, message_id, start, end, *(normalised(part) for part in triple))
