"""What happens to one user's memory while one entry is folded in, written down as it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from state.facts import EventName, Fact, FactEvent, Proposal, stable_id
from state.policy import RulesPolicy
from state.user_memory import Changes, UserMemory

Similar = Callable[[bytes], Mapping[str, float]]
Judge = Callable[[Sequence[tuple[str, str]]], Sequence[tuple[str, float]]]
"""How each second claim bears on the first, as (relation, how sure): a pair judge's answers, see state.judging."""


@dataclass(slots=True)
class Recorder:
    """Puts new versions into `memory` and keeps them with their events; `on_fact` hears of each one at once.
    Without a `judge` the rules decide alone. Events told while `command_id` is set answer that command.

    `at_ms` is the entry's event time, which new versions are recorded at. Event ids are hashes of user, event, cause
    and fact, so the same entry makes the same ids whatever the batch or process (S4).
    """

    memory: UserMemory
    at_ms: int
    policy: RulesPolicy
    similar: Similar
    on_fact: Callable[[Fact], None] | None = None
    judge: Judge | None = None
    command_id: str | None = None
    events: list[FactEvent] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    def put(self, fact: Fact) -> None:
        """Makes `fact` the current version of its id."""
        self.memory.facts[fact.fact_id] = fact
        self.facts.append(fact)
        if self.on_fact is not None:
            self.on_fact(fact)

    def propose(self, proposal: Proposal) -> None:
        """Makes `proposal` the current version of its id."""
        self.memory.proposals[proposal.proposal_id] = proposal
        self.proposals.append(proposal)

    def tell(
        self,
        event: EventName,
        rule: str,
        cause: str,
        fact: Fact | None,
        *,
        said_at_ms: int | None = None,
        old_content: str | None = None,
        matched: str | None = None,
        similarity: float | None = None,
        reason: str | None = None,
    ) -> None:
        """Adds an event; `cause` is the id of the candidate, command or entry behind it (R13)."""
        tenant, user_id = self.memory.tenant, self.memory.user_id
        self.events.append(
            FactEvent(
                event_id=stable_id(tenant, user_id, event, cause, "" if fact is None else fact.fact_id),
                event=event,
                tenant=tenant,
                user_id=user_id,
                fact=fact,
                old_content=old_content,
                rule=rule,
                matched_fact_id=matched,
                similarity=similarity,
                reason=reason,
                said_at_ms=self.at_ms if said_at_ms is None else said_at_ms,
                command_id=self.command_id,
            )
        )

    def changes(self) -> Changes:
        """All that happened, in order."""
        return Changes(tuple(self.events), tuple(self.facts), tuple(self.proposals), tuple(self.dropped))
