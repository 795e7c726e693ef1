"""What a refold changed (R14, F7): the difference of a user's memory before and after, under the ids known before."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from state import revising
from state.facts import EventName, Fact, normalised
from state.policy import RulesPolicy
from state.recorder import Recorder
from state.user_memory import Changes, UserMemory

_RULE = "R14.refold"


def difference(before: UserMemory, after: UserMemory, at_ms: int, entry_id: str) -> Changes:
    """Makes `after` the successor of `before` and returns what differs, as if it had been applied at `at_ms`.

    `after` is mutated: a fact with the content of an earlier one takes its id, revisions go on from the earlier ones,
    unchanged facts are the earlier objects, and what the refold no longer holds stays as a deleted tombstone.
    """
    _take_ids(before, after)
    recorder = Recorder(after, at_ms, RulesPolicy(), lambda _embedding: {})
    for fact_id in sorted(after.facts):
        old = before.facts.get(fact_id)
        new = after.facts[fact_id]
        if old is None:
            recorder.put(new)
            recorder.tell(first_event(new), _RULE, entry_id, new)
        elif _differs(old, new):
            _revise(recorder, old, new, entry_id)
        else:
            after.facts[fact_id] = old
    for fact_id in sorted(before.facts.keys() - after.facts.keys()):
        _retire(recorder, before.facts[fact_id], entry_id)
    _settle_proposals(recorder, before)
    return recorder.changes()


def take_back(memory: UserMemory, message_ids: Collection[str]) -> None:
    """Takes messages out of a memory whose log is no longer kept: what only they support is gone (F7).

    What they changed in facts that others support too stays as it is, for nobody knows any more what was before.
    """
    for fact_id, fact in list(memory.facts.items()):
        left = tuple(source for source in fact.sources if source.message_id not in message_ids)
        if not left:
            del memory.facts[fact_id]
        elif len(left) < len(fact.sources):
            mentions = max(len(left), fact.mentions - len(fact.sources) + len(left))
            memory.facts[fact_id] = replace(fact, sources=left, mentions=mentions)
    for proposal_id, proposal in list(memory.proposals.items()):
        if proposal.candidate.source.message_id in message_ids:
            del memory.proposals[proposal_id]


def _take_ids(before: UserMemory, after: UserMemory) -> None:
    """Gives facts of equal content the ids that they had, and mends every reference to them."""
    gone = {
        _claim(fact): fact.fact_id
        for fact in sorted(before.facts.values(), key=lambda fact: (fact.status == "active", fact.fact_id))
        if fact.fact_id not in after.facts or _claim(after.facts[fact.fact_id]) != _claim(fact)
    }
    taken: dict[str, str] = {}
    for fact in sorted(after.facts.values(), key=lambda fact: (fact.status != "active", fact.fact_id)):
        known = before.facts.get(fact.fact_id)
        if known is None or _claim(known) != _claim(fact):
            old_id = gone.pop(_claim(fact), None)
            if old_id is not None:
                taken[fact.fact_id] = old_id
    # An id that another fact takes over while its own content is elsewhere is exchanged with it.
    for new_id, old_id in list(taken.items()):
        if old_id in after.facts and old_id not in taken:
            taken[old_id] = new_id
    if not taken:
        return
    facts = {taken.get(fact_id, fact_id): fact for fact_id, fact in after.facts.items()}
    after.facts = {fact_id: _renamed(fact, fact_id, taken) for fact_id, fact in facts.items()}
    for proposal_id, proposal in after.proposals.items():
        target = proposal.target_fact_id
        if target in taken:
            after.proposals[proposal_id] = replace(proposal, target_fact_id=taken[target])
    after.boundaries = [
        replace(boundary, fact_id=taken.get(boundary.fact_id, boundary.fact_id)) if boundary.fact_id else boundary
        for boundary in after.boundaries
    ]


def _claim(fact: Fact) -> tuple[str, str]:
    return fact.kind, normalised(fact.content)


def _renamed(fact: Fact, fact_id: str, taken: dict[str, str]) -> Fact:
    return replace(
        fact,
        fact_id=fact_id,
        contradicts=tuple(taken.get(other, other) for other in fact.contradicts),
        derived_from=tuple(taken.get(other, other) for other in fact.derived_from),
    )


def _differs(old: Fact, new: Fact) -> bool:
    return replace(new, revision=old.revision, recorded_at_ms=old.recorded_at_ms, reason=old.reason) != old


def _revise(recorder: Recorder, old: Fact, new: Fact, entry_id: str) -> None:
    event = _event(old, new)
    revision = old.revision + (event != "REINFORCE")
    # Not before the refold's own time: a forgetting acts from when it was asked, whatever made us look again (F3).
    new = replace(new, revision=revision, recorded_at_ms=max(recorder.at_ms, new.recorded_at_ms))
    recorder.put(new)
    recorder.tell(event, _RULE, entry_id, new, old_content=old.content, matched=old.fact_id)


def _event(old: Fact, new: Fact) -> EventName:
    if old.status != new.status:
        if new.status == "active":
            return "REACTIVATE" if old.status == "forgotten" else "ADD"
        return first_event(new)
    return "REINFORCE" if old.content == new.content and old.polarity == new.polarity else "UPDATE"


def first_event(fact: Fact) -> EventName:
    """The event that tells of a fact nobody was told of before, by its status."""
    events: dict[str, EventName] = {
        "active": "ADD",
        "forgotten": "FORGET",
        "archived": "ARCHIVE",
        "pruned": "PRUNE",
        "deleted": "DELETE",
    }
    return events.get(fact.status, "NONE")


def _retire(recorder: Recorder, old: Fact, entry_id: str) -> None:
    if old.status not in ("active", "forgotten"):
        recorder.memory.facts[old.fact_id] = old
        return
    gone = revising.retired(old, "deleted", "nothing that was said supports it any more", recorder.at_ms)
    recorder.put(gone)
    recorder.tell("DELETE", _RULE, entry_id, gone, old_content=old.content, matched=old.fact_id, reason=gone.reason)


def _settle_proposals(recorder: Recorder, before: UserMemory) -> None:
    after = recorder.memory.proposals
    for proposal_id in sorted(after):
        if before.proposals.get(proposal_id) != after[proposal_id]:
            recorder.propose(after[proposal_id])
    for proposal_id in sorted(before.proposals.keys() - after.keys()):
        proposal = before.proposals[proposal_id]
        if proposal.status == "pending":
            proposal = replace(proposal, status="superseded", decided_at_ms=recorder.at_ms)
            recorder.propose(proposal)
        after[proposal_id] = proposal
