"""One user's memory while it is being folded: what the rules read and change (R14)."""

from __future__ import annotations

from dataclasses import dataclass, field

from state.facts import Candidate, Fact, FactEvent, Proposal

Position = tuple[int, str]
"""Where an entry stands in a user's fold: (at_ms, entry_id)."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """What must not come back when said earlier than `at_ms` (F3), or was denied before it was said (R4).

    `kind` is "forget" or "negation". Exactly one of `fact_id`, `namespace` and `candidate` or `embedding` selects what.
    """

    kind: str
    at_ms: int
    fact_id: str | None = None
    namespace: tuple[str, ...] | None = None
    text: str | None = None
    embedding: bytes = b""
    candidate: Candidate | None = None


@dataclass(slots=True)
class UserMemory:
    """Current versions of one user's facts and proposals by id, with all that later entries must be judged against.

    `position` is that of the last entry folded in; an entry below it is late and refolds the user.
    """

    tenant: str
    user_id: str
    facts: dict[str, Fact] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    boundaries: list[Boundary] = field(default_factory=list)
    bio: list[Candidate] = field(default_factory=list)
    profile: dict[str, str] = field(default_factory=dict)
    position: Position = (-(2**62), "")


@dataclass(frozen=True, slots=True)
class Changes:
    """What one entry did: the events, each fact's and proposal's new version, in order.

    `dropped` are ids of retired facts that memory no longer carries (F4: tombstones have their own cap).
    """

    events: tuple[FactEvent, ...] = ()
    facts: tuple[Fact, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    dropped: tuple[str, ...] = ()
