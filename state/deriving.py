"""What follows from two stated facts, where a product wants it (R12): "works at a startup" and "the startup is in
Seattle" give "works in Seattle".

What is derived is a function of what is stated: after each entry of the fold the conclusions are drawn again and
compared with those that stand. So a conclusion falls with its premises, never stands beside a statement on the same
matter, and is the same whatever order things were said in. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from state import revising
from state.facts import Candidate, Fact, Proposal, normalised, stable_id
from state.matching import stems
from state.predicates import importance_of, namespace_for, predicate
from state.recorder import Recorder
from state.rules import Decision, relate

Bounded = Callable[[Candidate], bool]
"""Whether a forgetting or a denial speaks against a claim."""

FELL = "what it follows from no longer holds"
_RULE = "R12.derived"
_FELL_RULE = "R12.fell"
_MATERIAL = "derived"
_PLACED = re.compile(
    r"^User's (?P<what>[\w-]+) (?:is|are) (?:(?:now |currently )?(?:based|located|headquartered|situated) )?in "
    r"(?P<place>[A-Z][^;:]*)$"
)
_EMPLOYERS = frozenset(
    ("company", "startup", "start-up", "employer", "firm", "business", "organisation", "organization", "workplace")
)
_SCHOOLS = frozenset(["school", "university", "college", "uni", "academy"])


@dataclass(frozen=True, slots=True)
class Join:
    """A way to conclude: the user's attribute `group` names a thing or person; where that is, the user `does` too.

    `called` are the words by which the user may call the thing "mine" ("User's company is based in Porto").
    """

    group: str
    called: frozenset[str]
    predicate: str
    does: str


JOINS = (
    Join("employer", _EMPLOYERS, "works_in", "works in"),
    Join("school", _SCHOOLS, "studies_at", "studies in"),
    Join("household", frozenset(), "lives_in", "lives in"),
)


def derive_into(recorder: Recorder, bounded: Bounded) -> None:
    """Makes what is derived agree with what is stated, as the policy's `derived` says: propose it, or write it.

    Where that is off nothing is derived any more; what was (or came with an import) falls with its premises all the
    same.
    """
    facts, mode = recorder.memory.facts, recorder.policy.derived
    if mode == "off" and not any(fact.derived_from for fact in facts.values()):
        return
    stated = [fact for fact in facts.values() if fact.status == "active" and not fact.derived_from]
    wanted = {
        normalised(candidate.content): candidate
        for candidate in _conclusions(recorder, stated)
        if not bounded(candidate) and not _stated(candidate, stated, recorder)
    }
    derived = {normalised(fact.content): fact for fact in facts.values() if fact.derived_from}
    for content in sorted(derived):
        if derived[content].status == "active" and content not in wanted:
            _fell(recorder, derived[content])
    _drop_proposals(recorder, wanted)
    room = recorder.policy.facts_max - sum(fact.status == "active" for fact in facts.values())
    for content in sorted(wanted):
        known = derived.get(content)
        if known is not None and known.status == "active":
            _rest_on(recorder, known, wanted[content])
        elif mode == "off" or (known is not None and known.reason != FELL):
            continue  # forgotten, denied or pruned since: it does not come back by itself
        elif mode == "propose" and not _approved(recorder, wanted[content]):
            _propose(recorder, wanted[content])
        elif room > 0:
            room -= 1
            _write(recorder, wanted[content], known)


def _conclusions(recorder: Recorder, stated: list[Fact]) -> Iterator[Candidate]:
    """All that follows, the surest first where the same follows twice (the last of equal content counts)."""
    pairs = [
        (join, premise, place, where)
        for join in JOINS
        for premise in stated
        if premise.polarity and premise.subject == "user" and predicate(premise.predicate).group == join.group
        for place, where in _places(join, premise, stated)
    ]
    drawn = [_drawn(recorder, *pair) for pair in pairs]
    return iter(sorted(drawn, key=lambda candidate: (candidate.confidence, candidate.candidate_id)))


def _places(join: Join, premise: Fact, stated: list[Fact]) -> Iterator[tuple[Fact, str]]:
    """The facts that say where the premise's object is, with the place."""
    rivals = [f for f in stated if f.polarity and f.subject == "user" and predicate(f.predicate).group == join.group]
    for fact in stated:
        if not fact.polarity or fact is premise:
            continue
        if fact.subject != "user":
            named = frozenset(stems(fact.subject)) - {"the"}
            is_it = bool(named) and named <= frozenset(stems(premise.object))
            if is_it and predicate(fact.predicate).group == "residence":
                yield fact, fact.object
        elif len(rivals) == 1 and (found := _PLACED.match(fact.content)) and found["what"] in join.called:
            yield fact, found["place"]


def _drawn(recorder: Recorder, join: Join, premise: Fact, place: Fact, where: str) -> Candidate:
    """The conclusion as a claim said when the later premise was; its vector is the place's, for nobody said it."""
    memory, content = recorder.memory, f"User {join.does} {where}"
    later = max((premise, place), key=lambda fact: (fact.last_said_at_ms, fact.fact_id))
    return Candidate(
        candidate_id=stable_id(memory.tenant, memory.user_id, _MATERIAL, normalised(content)),
        tenant=memory.tenant,
        user_id=memory.user_id,
        agent_id=premise.agent_id,
        said_at_ms=later.last_said_at_ms,
        source=later.sources[-1],
        namespace=namespace_for("user", join.predicate),
        kind="fact",
        content=content,
        subject="user",
        predicate=join.predicate,
        object=where,
        polarity=True,
        confidence=round(premise.confidence * place.confidence, 4),
        intensity=0.5,
        importance=round(importance_of(join.predicate, 0.5) / 2, 4),
        language=premise.language,
        embedding=place.embedding,
        source_rank=max(premise.source_rank, place.source_rank),
        extractor_version=place.extractor_version,
        embedding_version=place.embedding_version,
        derived_from=tuple(sorted((premise.fact_id, place.fact_id))),
    )


def _stated(candidate: Candidate, stated: list[Fact], recorder: Recorder) -> bool:
    """Whether a statement speaks of the same matter already: it counts, not what is derived."""
    return any(
        relate(candidate, fact, None, None, recorder.policy) != "other"
        for fact in stated
        if fact.fact_id not in candidate.derived_from
    )


def _fell(recorder: Recorder, fact: Fact) -> None:
    gone = revising.retired(fact, "archived", FELL, recorder.at_ms)
    recorder.put(gone)
    cause = f"derived/{fact.revision}/{fact.last_said_at_ms}"
    recorder.tell("ARCHIVE", _FELL_RULE, cause, gone, old_content=fact.content, reason=FELL)


def _rest_on(recorder: Recorder, fact: Fact, candidate: Candidate) -> None:
    """The conclusion goes on from other premises than before; nobody need hear of it."""
    if fact.derived_from != candidate.derived_from:
        recorder.put(replace(fact, derived_from=candidate.derived_from, recorded_at_ms=recorder.at_ms))


def _write(recorder: Recorder, candidate: Candidate, known: Fact | None) -> None:
    new = revising.added(candidate, Decision("ADD", _RULE), recorder.at_ms, recorder.policy)
    if known is not None:
        new = replace(new, fact_id=known.fact_id, revision=known.revision + 1)
    recorder.put(new)
    cause = f"{candidate.candidate_id}/{new.revision}"
    recorder.tell("ADD", _RULE, cause, new, said_at_ms=candidate.said_at_ms)


def _proposal_id(candidate: Candidate) -> str:
    return stable_id(candidate.tenant, candidate.user_id, "proposal", candidate.candidate_id)


def _approved(recorder: Recorder, candidate: Candidate) -> bool:
    known = recorder.memory.proposals.get(_proposal_id(candidate))
    return known is not None and known.status == "approved"


def _propose(recorder: Recorder, candidate: Candidate) -> None:
    """Asks once: what a person decided is not asked again (W1, W2)."""
    ident = _proposal_id(candidate)
    known = recorder.memory.proposals.get(ident)
    if known is not None and known.status != "superseded":
        return
    tenant, user_id = candidate.tenant, candidate.user_id
    recorder.propose(Proposal(ident, tenant, user_id, "ADD", candidate, None, "pending", _RULE, candidate.said_at_ms))
    reason = f"waits for a decision: proposal {ident}"
    recorder.tell("NONE", "W1.proposed", candidate.candidate_id, None, reason=reason)


def _drop_proposals(recorder: Recorder, wanted: Mapping[str, Candidate]) -> None:
    for proposal in sorted(recorder.memory.proposals.values(), key=lambda proposal: proposal.proposal_id):
        waits = proposal.status == "pending" and proposal.rule == _RULE
        if waits and normalised(proposal.candidate.content) not in wanted:
            recorder.propose(replace(proposal, status="superseded", decided_at_ms=recorder.at_ms))
