"""One user's memory as a fold of entries in order of (event time, entry id) (R14).

`apply_entry` is the step of the fold: it mutates the memory and returns what changed. It reads no clock and knows of
no batch: the same entries in the same order leave the same memory and make the same ids. A late entry or a retraction
folds the user's log again into an empty UserMemory; `state.refold.difference` then says what that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from heapq import nsmallest

from state import revising
from state.commands import apply_command
from state.deriving import derive_into
from state.expiry import expire_into, is_over
from state.facts import Candidate, Entry, Fact, Proposal, stable_id
from state.forgetting import is_forgotten
from state.index import similarities
from state.judging import judged_neighbours, open_facts
from state.matching import stems
from state.messages import Command
from state.policy import RulesPolicy
from state.pruning import report
from state.recorder import Judge, Recorder, Similar
from state.refold import difference
from state.rules import Decision, Neighbour, claim_features, comparable, decide, neighbours_of, relate
from state.user_memory import Boundary, Changes, UserMemory

__all__ = ["apply_entry", "difference", "expire", "reconcile"]

_IN_BIO = ("X4.in_bio", "the profile says so already")
_RETIRED = ("pruned", "archived", "superseded", "deleted", "forgotten")


def apply_entry(
    memory: UserMemory,
    entry: Entry,
    similar: Similar,
    policy: RulesPolicy,
    on_fact: Callable[[Fact], None] | None = None,
    judge: Judge | None = None,
) -> Changes:
    """Folds one entry into `memory` and returns what it did.

    `similar` gives the cosine with every current fact of the user, forgotten ones too, by fact id; an id left out is
    below the index's floor. It is asked again for each candidate, so `on_fact`, which hears of every version as it is
    put, must keep its index current. `judge` reads pairs that the rules leave open.
    """
    recorder = Recorder(memory, entry.at_ms, policy, similar, on_fact, judge)
    command = entry.command
    if command is not None and command.command == "prune":
        _prune(recorder, entry, command)
    elif command is not None and command.command == "import":
        # What comes from elsewhere is taken over whole; the next entry looks at what has run out.
        _carry_out(recorder, entry, command)
    else:
        expire_into(recorder, entry.at_ms)
        if command is not None:
            _carry_out(recorder, entry, command)
        if command is None or command.command == "forget":
            for candidate in entry.candidates:
                reconcile(recorder, candidate, forced=False)
        if recorder.facts:
            _evict(recorder, entry.entry_id)
        _derive(recorder)
    memory.position = max(memory.position, (entry.at_ms, entry.entry_id))
    return recorder.changes()


def _carry_out(recorder: Recorder, entry: Entry, command: Command) -> None:
    recorder.command_id = command.command_id
    apply_command(recorder, entry, command, reconcile)
    recorder.command_id = None


def _prune(recorder: Recorder, entry: Entry, command: Command) -> None:
    """F5: what is over goes, and what is too much, all in answer to the command."""
    recorder.command_id = command.command_id
    expire_into(recorder, entry.at_ms)
    _evict(recorder, entry.entry_id)
    _derive(recorder)
    report(recorder, command)


def expire(memory: UserMemory, now_ms: int, policy: RulesPolicy) -> Changes:
    """Archives what has run out by event time `now_ms` (R10); apply_entry does so before anything else."""
    recorder = Recorder(memory, now_ms, policy, _nothing_similar)
    expire_into(recorder, now_ms)
    _derive(recorder)
    return recorder.changes()


def _derive(recorder: Recorder) -> None:
    """R12, where anything happened that conclusions may follow from, or fall by."""
    if recorder.events:
        derive_into(recorder, lambda claim: _bounded(recorder.memory, claim, recorder.policy) is not None)


def reconcile(recorder: Recorder, candidate: Candidate, *, forced: bool, cause: str | None = None) -> None:
    """Judges one candidate against memory as it is now and applies the decision.

    `forced`: a person asked for it, so write modes and thresholds do not stop it (W4); `cause` is then the command.
    """
    cause = candidate.candidate_id if cause is None else f"{cause}/{candidate.candidate_id}"
    refused = None if forced else _refused(recorder, candidate)
    refused = refused or _bounded(recorder.memory, candidate, recorder.policy) or _in_bio(recorder, candidate)
    if refused is not None:
        rule, reason = refused
        recorder.tell("NONE", rule, cause, None, said_at_ms=candidate.said_at_ms, reason=reason)
        return
    facts = recorder.memory.facts
    decision = decide(candidate, _neighbours(recorder, candidate), recorder.policy, forced=forced)
    if decision.action == "ADD" and candidate.candidate_id in facts:
        decision = Decision("NONE", "R5.same_message", reason="this statement made a fact before")
    elif decision.action == "ADD" and _denied_before(recorder, candidate):
        decision = Decision("NONE", "R4.nothing_to_negate", reason="was denied before")
    proposes = not forced and _write_mode(candidate, recorder.policy) == "propose"
    if decision.rule != "P3.floor" and _settle_pending(recorder, candidate, decision, proposes, cause):
        return
    if proposes and decision.action in ("ADD", "UPDATE", "DELETE", "REACTIVATE"):
        _propose(recorder, candidate, decision, cause)
        return
    _apply(recorder, candidate, decision, cause)


def _neighbours(recorder: Recorder, candidate: Candidate) -> list[Neighbour]:
    policy = recorder.policy
    # What is derived gives way to what is said, so it is nothing to judge a statement by (R12).
    facts = [fact for fact in recorder.memory.facts.values() if not fact.derived_from]
    scores = recorder.similar(candidate.embedding) if candidate.embedding and facts else {}
    asked = open_facts(candidate, facts, scores, policy) if recorder.judge is not None else []
    if recorder.judge is None or not asked:
        return neighbours_of(candidate, facts, scores)
    answers = recorder.judge([(fact.content, candidate.content) for fact in asked])
    judged = {fact.fact_id: answer for fact, answer in zip(asked, answers, strict=True)}
    return judged_neighbours(candidate, facts, scores, judged, policy)


# What may be said at all.


def _refused(recorder: Recorder, candidate: Candidate) -> tuple[str, str] | None:
    policy = recorder.policy
    if candidate.write_mode == "manual":
        return "W3.manual", "nothing is written here but by command"
    if candidate.namespace[:1] == ("people",) and policy.third_party != "keep":
        group = claim_features(candidate).group
        if policy.third_party == "drop" or group not in policy.relation_groups:
            return "X8.third_party", f"third_party is {policy.third_party}"
    return None


def _bounded(memory: UserMemory, candidate: Candidate, policy: RulesPolicy) -> tuple[str, str] | None:
    """Whether a later forgetting or denial already speaks against the candidate (F3, R4)."""
    for boundary in memory.boundaries:
        if candidate.said_at_ms > boundary.at_ms:
            continue
        if boundary.kind == "negation":
            if boundary.candidate is not None and candidate.said_at_ms < boundary.at_ms:
                fact = _as_fact(candidate, candidate.candidate_id)
                if relate(boundary.candidate, fact, None, None, policy) == "negates":
                    return "R4.denied_later", "a later statement denies it"
        elif is_forgotten(boundary, candidate, policy.forget_similarity):
            return "F3.boundary", "was said before it was forgotten"
    return None


def _in_bio(recorder: Recorder, candidate: Candidate) -> tuple[str, str] | None:
    """X4: what the profile's bio says is known; saying it again confirms it and stores nothing."""
    memory = recorder.memory
    words = claim_features(candidate).words
    if words and candidate.polarity and words.issubset(stems(memory.profile.get("bio", ""))):
        return _IN_BIO
    owner = memory.bio[0].subject if memory.bio else ""
    for known in memory.bio:
        subject = candidate.subject if known.subject == owner else known.subject
        fact = replace(_as_fact(known, known.candidate_id), subject=subject)
        relation = relate(candidate, fact, _similarity(candidate, known), None, recorder.policy)
        if relation in ("same", "vaguer"):
            return _IN_BIO
    return None


def _write_mode(candidate: Candidate, policy: RulesPolicy) -> str:
    if candidate.write_mode == "auto" and candidate.kind in policy.propose_kinds:
        return "propose"
    return candidate.write_mode


# What is done with it.


def _apply(recorder: Recorder, candidate: Candidate, decision: Decision, cause: str) -> None:
    action, fact = decision.action, decision.fact
    if action == "ADD":
        _add(recorder, candidate, decision, cause)
    elif action == "NONE" or fact is None:
        _do_nothing(recorder, candidate, decision, cause)
    elif action == "DELETE":
        _delete(recorder, candidate, decision, cause)
    elif action == "FLAG":
        flagged = replace(fact, reason=decision.reason, recorded_at_ms=recorder.at_ms)
        recorder.put(flagged)
        _tell(recorder, "FLAG", candidate, decision, cause, flagged)
        _propose(recorder, candidate, replace(decision, action="DELETE"), cause, tell=False)
    else:
        make = {"REINFORCE": revising.reinforced, "REACTIVATE": revising.reactivated}.get(
            action, revising.replaced if decision.fresh else revising.completed
        )
        new = make(fact, candidate, decision, recorder.at_ms, recorder.policy)
        recorder.put(new)
        _tell(recorder, action, candidate, decision, cause, new, old_content=fact.content)
    if action in ("ADD", "UPDATE", "REINFORCE", "REACTIVATE"):
        for other in decision.also:
            _archive(recorder, other, "R2.ended", cause, candidate)


def _add(recorder: Recorder, candidate: Candidate, decision: Decision, cause: str) -> None:
    new = revising.added(candidate, decision, recorder.at_ms, recorder.policy)
    recorder.put(new)
    _tell(recorder, "ADD", candidate, decision, cause, new)
    if decision.contradicts and decision.fact is not None:
        marks = tuple(sorted({*decision.fact.contradicts, new.fact_id}))
        flagged = replace(decision.fact, contradicts=marks, recorded_at_ms=recorder.at_ms)
        recorder.put(flagged)
        reason = f"contradicted by: {new.content}"
        recorder.tell(
            "FLAG", decision.rule, cause, flagged, said_at_ms=candidate.said_at_ms, matched=new.fact_id, reason=reason
        )


def _do_nothing(recorder: Recorder, candidate: Candidate, decision: Decision, cause: str) -> None:
    if decision.rule == "R4.nothing_to_negate":
        _remember_denial(recorder, candidate)
    if decision.keep:
        late = revising.added(candidate, decision, recorder.at_ms, recorder.policy, status="superseded")
        if late.fact_id not in recorder.memory.facts:
            recorder.put(late)
    _tell(recorder, "NONE", candidate, decision, cause, decision.fact)


def _delete(recorder: Recorder, candidate: Candidate, decision: Decision, cause: str) -> None:
    _remember_denial(recorder, candidate)
    for fact in (decision.fact, *decision.also):
        if fact is not None:
            gone = revising.retired(fact, "deleted", decision.reason or decision.rule, recorder.at_ms)
            recorder.put(gone)
            _tell(recorder, "DELETE", candidate, decision, cause, gone, old_content=fact.content)


def _remember_denial(recorder: Recorder, candidate: Candidate) -> None:
    """Leaves a boundary, so that an earlier assertion which arrives later does not stand (R4)."""
    boundaries = recorder.memory.boundaries
    denial = Boundary("negation", candidate.said_at_ms, candidate=replace(candidate, embedding=b""))
    if denial in boundaries:
        return
    boundaries.append(denial)
    denials = [boundary for boundary in boundaries if boundary.kind == "negation"]
    if len(denials) > recorder.policy.negation_boundaries_max:
        boundaries.remove(min(denials, key=lambda boundary: boundary.at_ms))


def _denied_before(recorder: Recorder, candidate: Candidate) -> bool:
    """Whether a denial only repeats one that has done its work: it makes no fact the second time either."""
    new = claim_features(candidate)
    return (new.negative or new.worded_negatively) and any(
        relate(candidate, _as_fact(boundary.candidate, ""), None, None, recorder.policy) == "same"
        for boundary in recorder.memory.boundaries
        if boundary.candidate is not None
    )


def _archive(recorder: Recorder, fact: Fact, rule: str, cause: str, candidate: Candidate) -> None:
    if recorder.memory.facts[fact.fact_id].status != "active":
        return
    archived = revising.retired(fact, "archived", f"ended by: {candidate.content}", recorder.at_ms)
    recorder.put(archived)
    recorder.tell(
        "ARCHIVE",
        rule,
        cause,
        archived,
        said_at_ms=candidate.said_at_ms,
        old_content=fact.content,
        reason=archived.reason,
    )


def _tell(
    recorder: Recorder,
    event: str,
    candidate: Candidate,
    decision: Decision,
    cause: str,
    fact: Fact | None,
    old_content: str | None = None,
) -> None:
    recorder.tell(
        event,  # type: ignore[arg-type]  # every Action is an event's name
        decision.rule,
        cause,
        fact,
        said_at_ms=candidate.said_at_ms,
        old_content=old_content,
        matched=None if decision.fact is None else decision.fact.fact_id,
        similarity=decision.similarity,
        reason=decision.reason,
    )


# Proposals.


def _propose(
    recorder: Recorder,
    candidate: Candidate,
    decision: Decision,
    cause: str,
    *,
    tell: bool = True,
    target: str | None = None,
) -> None:
    memory = recorder.memory
    proposal_id = stable_id(memory.tenant, memory.user_id, "proposal", candidate.candidate_id)
    if proposal_id not in memory.proposals:
        matched = None if decision.action == "ADD" or decision.fact is None else decision.fact.fact_id
        recorder.propose(
            Proposal(
                proposal_id,
                memory.tenant,
                memory.user_id,
                "DELETE" if decision.action == "DELETE" else "ADD" if matched is None else "UPDATE",
                candidate,
                matched,
                "pending",
                decision.rule,
                candidate.said_at_ms,
            )
        )
        _bound_pending(recorder)
    if tell:
        reason = f"waits for a decision: proposal {proposal_id}"
        _tell(recorder, "NONE", candidate, replace(decision, rule="W1.proposed", reason=reason), cause, decision.fact)


def _bound_pending(recorder: Recorder) -> None:
    waiting = [p for p in recorder.memory.proposals.values() if p.status == "pending"]
    if len(waiting) > recorder.policy.pending_proposals_max:
        oldest = min(waiting, key=lambda proposal: (proposal.proposed_at_ms, proposal.proposal_id))
        recorder.propose(replace(oldest, status="expired", decided_at_ms=recorder.at_ms))


def _settle_pending(recorder: Recorder, candidate: Candidate, decision: Decision, proposes: bool, cause: str) -> bool:
    """What a statement does to the proposals that wait; true where nothing is left to do with the candidate.

    What waits already is not proposed twice; what the candidate completes, changes or writes at once is superseded.
    """
    waiting = [p for p in recorder.memory.proposals.values() if p.status == "pending"]
    for proposal in sorted(waiting, key=lambda p: (p.proposed_at_ms, p.proposal_id)):
        waiting_for = proposal.candidate
        if waiting_for.said_at_ms > candidate.said_at_ms or not comparable(candidate, waiting_for):
            continue
        fact = _as_fact(proposal.candidate, proposal.proposal_id)
        relation = relate(candidate, fact, _similarity(candidate, proposal.candidate), None, recorder.policy)
        if relation == "other":
            continue
        again = relation in ("same", "vaguer")
        if again and (proposes or proposal.action == "DELETE"):
            told = Decision("NONE", "W1.already_proposed", reason=f"proposal {proposal.proposal_id} waits")
            _tell(recorder, "NONE", candidate, told, cause, None)
            return True
        if proposes or proposal.action != "DELETE" or not again:
            recorder.propose(replace(proposal, status="superseded", decided_at_ms=recorder.at_ms))
    return False


def _similarity(candidate: Candidate, other: Candidate) -> float | None:
    if not candidate.embedding or not other.embedding:
        return None
    return similarities(candidate.embedding, [other.embedding])[0]


def _as_fact(candidate: Candidate, fact_id: str) -> Fact:
    return replace(revising.added(candidate, Decision("ADD", ""), candidate.said_at_ms, RulesPolicy()), fact_id=fact_id)


# Bounds.


def _evict(recorder: Recorder, entry_id: str) -> None:
    """F4: over the cap go run-out statuses, then the least important, then the longest unconfirmed, then by id."""
    memory, policy = recorder.memory, recorder.policy
    if len(memory.facts) <= min(policy.facts_max, policy.tombstones_max):
        return
    active = [fact for fact in memory.facts.values() if fact.status == "active"]
    surplus = len(active) - policy.facts_max
    if surplus > 0:
        zone = memory.profile.get("timezone")
        loose = nsmallest(
            surplus,
            (fact for fact in active if not fact.pinned),
            key=lambda fact: (
                not ((fact.kind == "status" or fact.valid_to) and is_over(fact, recorder.at_ms, zone, policy)),
                fact.importance,
                fact.last_said_at_ms,
                fact.fact_id,
            ),
        )
        for fact in loose:
            pruned = revising.retired(fact, "pruned", f"more than {policy.facts_max} facts", recorder.at_ms)
            recorder.put(pruned)
            recorder.tell("PRUNE", "F4.facts_max", entry_id, pruned, old_content=fact.content, reason=pruned.reason)
    retired = len(memory.facts) - len(active) + max(surplus, 0)
    if retired > policy.tombstones_max:
        _drop_tombstones(recorder, retired - policy.tombstones_max)


def _drop_tombstones(recorder: Recorder, surplus: int) -> None:
    """What was only pruned or archived goes first and what a user asked to forget last, each oldest first."""
    tombs = sorted(
        (fact for fact in recorder.memory.facts.values() if fact.status != "active"),
        key=lambda fact: (_RETIRED.index(fact.status), fact.recorded_at_ms, fact.fact_id),
    )
    for fact in tombs[:surplus]:
        del recorder.memory.facts[fact.fact_id]
        recorder.dropped.append(fact.fact_id)


def _nothing_similar(_embedding: bytes) -> Mapping[str, float]:
    return {}
