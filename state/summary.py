"""The per-user summary record that goal, trust and context systems read (S10)."""

from __future__ import annotations

from dataclasses import dataclass

from state.facts import KINDS
from state.user_memory import UserMemory


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over a user's current memory. `consistency_score` is 1 − contradicted / active, 1 for an empty memory."""

    tenant: str
    user_id: str
    active_by_kind: dict[str, int]
    active: int
    forgotten: int
    confirmations: int
    contradictions: int
    pending_proposals: int
    consistency_score: float
    last_said_at_ms: int


def summarise(memory: UserMemory) -> Summary:
    """The summary of one user's memory; confirmations are mentions beyond each fact's first."""
    active = [fact for fact in memory.facts.values() if fact.status == "active"]
    contradicted = sum(1 for fact in active if fact.contradicts)
    return Summary(
        memory.tenant,
        memory.user_id,
        {kind: sum(1 for fact in active if fact.kind == kind) for kind in KINDS},
        len(active),
        sum(1 for fact in memory.facts.values() if fact.status == "forgotten"),
        sum(fact.mentions - 1 for fact in active),
        contradicted,
        sum(1 for proposal in memory.proposals.values() if proposal.status == "pending"),
        round(1 - contradicted / len(active), 4) if active else 1.0,
        max((fact.last_said_at_ms for fact in active), default=0),
    )
