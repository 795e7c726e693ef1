"""The per-user summary record that goal, trust and context systems read (S10)."""

from __future__ import annotations

from collections import Counter
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
    statuses = Counter([fact.status for fact in memory.facts.values()])
    active = [fact for fact in memory.facts.values() if fact.status == "active"]
    kinds = Counter([fact.kind for fact in active])
    contradicted = sum([bool(fact.contradicts) for fact in active])
    return Summary(
        memory.tenant,
        memory.user_id,
        {kind: kinds[kind] for kind in KINDS},
        len(active),
        statuses["forgotten"],
        sum([fact.mentions for fact in active]) - len(active),
        contradicted,
        sum(1 for proposal in memory.proposals.values() if proposal.status == "pending"),
        round(1 - contradicted / len(active), 4) if active else 1.0,
        max([fact.last_said_at_ms for fact in active], default=0),
    )
