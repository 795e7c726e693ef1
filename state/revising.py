"""New versions of facts: what each decision makes of a candidate and of the fact it matched. Pure."""

from __future__ import annotations

from dataclasses import replace

from state.facts import Candidate, Fact, Source, Status, normalised
from state.policy import RulesPolicy
from state.predicates import importance_of
from state.rules import Decision


def added(candidate: Candidate, decision: Decision, at_ms: int, policy: RulesPolicy, status: Status = "active") -> Fact:
    """The first version of a fact; its id is the candidate's. `at_ms` is the event time of the recording."""
    return Fact(
        fact_id=candidate.candidate_id,
        tenant=candidate.tenant,
        user_id=candidate.user_id,
        agent_id=candidate.agent_id,
        namespace=candidate.namespace,
        kind=candidate.kind,
        content=candidate.content,
        subject=candidate.subject,
        predicate=candidate.predicate,
        object=candidate.object,
        polarity=candidate.polarity,
        confidence=candidate.confidence,
        reinforced_confidence=min(candidate.confidence, policy.reinforced_confidence_max),
        mentions=1,
        intensity=candidate.intensity,
        importance=candidate.importance,
        language=candidate.language,
        status=status,
        reason=decision.reason,
        first_said_at_ms=candidate.said_at_ms,
        last_said_at_ms=candidate.said_at_ms,
        recorded_at_ms=at_ms,
        sources=(candidate.source,),
        embedding=candidate.embedding,
        contradicts=(decision.fact.fact_id,) if decision.contradicts and decision.fact else (),
        valid_from=candidate.valid_from,
        valid_to=candidate.valid_to,
        recurring=candidate.recurring,
        derived_from=candidate.derived_from,
        source_rank=candidate.source_rank,
        extractor_version=candidate.extractor_version,
        embedding_version=candidate.embedding_version,
    )


def replaced(fact: Fact, candidate: Candidate, decision: Decision, at_ms: int, policy: RulesPolicy) -> Fact:
    """The version after the value changed: the id and the pin stay, the evidence is the new statement's (R2, R3)."""
    new = added(candidate, decision, at_ms, policy)
    return replace(
        new,
        fact_id=fact.fact_id,
        content=decision.content,
        predicate=decision.predicate,
        object=decision.object,
        pinned=fact.pinned,
        reason=decision.rule,
        revision=fact.revision + 1,
    )


def completed(fact: Fact, candidate: Candidate, decision: Decision, at_ms: int, policy: RulesPolicy) -> Fact:
    """The version after the same claim was said more fully or more surely (R2, R11): all evidence counts."""
    same_wording = normalised(decision.content) == normalised(fact.content)
    confirmed = reinforced(fact, candidate, decision, at_ms, policy)
    intensity = max(fact.intensity, candidate.intensity)
    return replace(
        confirmed,
        content=fact.content if same_wording else decision.content,
        predicate=decision.predicate,
        object=decision.object,
        polarity=fact.polarity if same_wording else candidate.polarity,
        kind="fact" if "fact" in (fact.kind, candidate.kind) else candidate.kind,
        namespace=fact.namespace if same_wording or fact.predicate == decision.predicate else candidate.namespace,
        confidence=max(fact.confidence, candidate.confidence),
        intensity=intensity,
        importance=max(fact.importance, importance_of(decision.predicate, intensity, confirmed.mentions)),
        language=fact.language if same_wording else candidate.language,
        # A merged wording is nobody's own; the candidate's vector is the nearest that there is.
        embedding=fact.embedding if same_wording else candidate.embedding or fact.embedding,
        embedding_version=fact.embedding_version if same_wording else candidate.embedding_version,
        extractor_version=candidate.extractor_version,
        valid_to=candidate.valid_to or fact.valid_to,
        reason=decision.rule,
        revision=fact.revision + 1,
    )


def reinforced(fact: Fact, candidate: Candidate, decision: Decision, at_ms: int, policy: RulesPolicy) -> Fact:
    """The same revision with more evidence (R5); a message that is a source already adds none."""
    known = any(source.message_id == candidate.source.message_id for source in fact.sources)
    mentions = fact.mentions + (not known)
    doubt = (1.0 - fact.reinforced_confidence) * (1.0 if known else 1.0 - candidate.confidence)
    later = candidate.said_at_ms >= fact.last_said_at_ms
    return replace(
        fact,
        # Nine decimals, so that the order of evidence shows in no digit that anyone reads.
        reinforced_confidence=min(round(1.0 - doubt, 9), policy.reinforced_confidence_max),
        mentions=mentions,
        importance=max(fact.importance, importance_of(fact.predicate, fact.intensity, mentions)),
        first_said_at_ms=min(fact.first_said_at_ms, candidate.said_at_ms),
        last_said_at_ms=max(fact.last_said_at_ms, candidate.said_at_ms),
        recorded_at_ms=at_ms,
        sources=_with_source(fact.sources, candidate.source, known, later, policy.sources_max),
        source_rank=min(fact.source_rank, candidate.source_rank),
        valid_from=refined_date(fact.valid_from, candidate.valid_from, later),
        valid_to=candidate.valid_to if candidate.valid_to and later else fact.valid_to,
        recurring=fact.recurring or candidate.recurring,
    )


def reactivated(fact: Fact, candidate: Candidate, decision: Decision, at_ms: int, policy: RulesPolicy) -> Fact:
    """A forgotten fact as the user says it now; what was forgotten beyond that stays away (F2)."""
    return replaced(fact, candidate, decision, at_ms, policy)


def retired(fact: Fact, status: Status, reason: str, at_ms: int) -> Fact:
    """The version that is no longer active; only erase removes bytes (R4)."""
    return replace(fact, status=status, reason=reason, recorded_at_ms=at_ms, revision=fact.revision + 1)


def refined_date(old: str | None, new: str | None, later: bool) -> str | None:
    """The more precise of two civil dates; of two equally precise ones what was said later (R10)."""
    if not old or not new:
        return old or new
    return new if len(new) > len(old) or (len(new) == len(old) and later) else old


def _with_source(
    sources: tuple[Source, ...], source: Source, known: bool, later: bool, limit: int
) -> tuple[Source, ...]:
    """The first sources and the latest; those between give way."""
    if known:
        return sources
    joined = (*sources, source) if later else (source, *sources)
    return joined if len(joined) <= limit else (*joined[: limit // 2], *joined[len(joined) - limit + limit // 2 :])
