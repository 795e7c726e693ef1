"""When a fact's time is over (R10, F5): a status has run out, or a kind's retention has.

A status is over when its end has passed in the user's own time zone, or nobody said it for too long.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from state import revising
from state.civil_days import begins_ms
from state.facts import Candidate, Fact
from state.policy import RulesPolicy
from state.predicates import predicate
from state.recorder import Recorder
from state.user_memory import UserMemory

_DAY_MS = 86_400_000
_DATED_GROUPS = frozenset(("plans", "stay", "events", "appointments", "deadline"))


def is_due(memory: UserMemory, now_ms: int, policy: RulesPolicy) -> bool:
    """Whether anything has run out by `now_ms` that memory still believes (R10)."""
    zone = memory.profile.get("timezone")
    return any(
        is_over(fact, now_ms, zone, policy)
        for fact in memory.facts.values()
        if (fact.kind == "status" or fact.valid_to) and fact.status == "active"
    )


def expire_into(recorder: Recorder, now_ms: int) -> None:
    """Prunes what is past its retention (F5) and archives what has run out (R10) by `now_ms`, each in order of id; so
    it does with proposals that waited too long (W2), and takes the words from those that nobody needs any more.
    """
    if recorder.memory.proposals:
        _expire_proposals(recorder, now_ms)
        _blank_proposals(recorder, now_ms)
    if recorder.policy.retention_days:
        _prune_into(recorder, now_ms)
    zone = recorder.memory.profile.get("timezone")
    over = [
        fact
        for fact in recorder.memory.facts.values()
        if fact.status == "active"
        and (fact.kind == "status" or fact.valid_to)
        and is_over(fact, now_ms, zone, recorder.policy)
    ]
    for fact in sorted(over, key=lambda fact: fact.fact_id):
        archived = revising.retired(fact, "archived", "its time has passed", now_ms)
        recorder.put(archived)
        cause = f"expired/{fact.last_said_at_ms}/{fact.valid_to}"
        recorder.tell(
            "ARCHIVE",
            "R10.expired",
            cause,
            archived,
            said_at_ms=now_ms,
            old_content=fact.content,
            reason=archived.reason,
        )


def _expire_proposals(recorder: Recorder, now_ms: int) -> None:
    """Those that waited too long, or whose kind would not be kept so long where it was stored (F5)."""
    days, kept = recorder.policy.proposal_days, dict(recorder.policy.retention_days)
    if not days and not kept:
        return
    waiting = [p for p in recorder.memory.proposals.values() if p.status == "pending"]
    for proposal in sorted(waiting, key=lambda proposal: proposal.proposal_id):
        kind, said_at_ms = proposal.candidate.kind, proposal.candidate.said_at_ms
        if days and now_ms - proposal.proposed_at_ms > days * _DAY_MS:
            reason = f"proposal {proposal.proposal_id} waited for {days} days"
        elif kind in kept and now_ms - said_at_ms > kept[kind] * _DAY_MS:
            reason = f"proposal {proposal.proposal_id}: a {kind} is kept for {kept[kind]} days"
        else:
            continue
        recorder.propose(replace(proposal, status="expired", decided_at_ms=now_ms))
        recorder.tell("NONE", "W2.expired", f"expired/{proposal.proposal_id}", None, said_at_ms=now_ms, reason=reason)


def _blank_proposals(recorder: Recorder, now_ms: int) -> None:
    """Takes the words from proposals that were decided, expired or superseded long ago; that they were stays."""
    days = recorder.policy.decided_days
    if not days:
        return
    before_ms = now_ms - days * _DAY_MS
    past = [
        proposal
        for proposal in recorder.memory.proposals.values()
        if proposal.decided_at_ms is not None and proposal.decided_at_ms < before_ms and proposal.candidate.content
    ]
    for proposal in sorted(past, key=lambda proposal: proposal.proposal_id):
        recorder.propose(replace(proposal, candidate=_wordless(proposal.candidate)))


def _wordless(candidate: Candidate) -> Candidate:
    return replace(
        candidate,
        namespace=candidate.namespace[:1],
        content="",
        subject="",
        object="",
        embedding=b"",
        valid_from=None,
        valid_to=None,
        recurring=None,
    )


def _prune_into(recorder: Recorder, now_ms: int) -> None:
    """Prunes active and archived facts that nobody has said again for longer than their kind is kept; pins are kept."""
    kept_ms = {kind: days * _DAY_MS for kind, days in recorder.policy.retention_days}
    past = [
        fact
        for fact in recorder.memory.facts.values()
        if fact.status in ("active", "archived")
        and not fact.pinned
        and fact.kind in kept_ms
        and now_ms - fact.last_said_at_ms > kept_ms[fact.kind]
    ]
    for fact in sorted(past, key=lambda fact: fact.fact_id):
        reason = f"not said again for {kept_ms[fact.kind] // _DAY_MS} days"
        pruned = revising.retired(fact, "pruned", reason, now_ms)
        recorder.put(pruned)
        recorder.tell(
            "PRUNE",
            "F5.retention",
            f"retention/{fact.last_said_at_ms}",
            pruned,
            said_at_ms=now_ms,
            old_content=fact.content,
            reason=reason,
        )


def is_over(fact: Fact, now_ms: int, zone: str | None, policy: RulesPolicy) -> bool:
    """Whether a fact no longer holds at `now_ms`. `zone` is the user's IANA time zone; none or unknown means UTC."""
    if fact.kind != "status" and not fact.valid_to:
        return False
    until = _until_ms(
        fact.kind == "status",
        fact.predicate,
        fact.valid_from,
        fact.valid_to,
        fact.last_said_at_ms,
        zone,
        policy.event_grace_days,
        policy.status_ttl_days,
        policy.status_ttl_days_by_group,
    )
    return until is not None and now_ms >= until


@lru_cache(maxsize=16384)
def _until_ms(
    status: bool,
    name: str,
    valid_from: str | None,
    valid_to: str | None,
    said_at_ms: int,
    zone: str | None,
    grace_days: int,
    ttl_days: int,
    ttl_days_by_group: tuple[tuple[str, int], ...],
) -> int | None:
    """The first moment at which it no longer holds; None for what has no end."""
    if valid_to:
        end = _end_ms(valid_to, zone, 0)
        # A fact with an end that had passed when it was said tells of the past, which stays true.
        return end if end is not None and (status or end > said_at_ms) else None
    group = predicate(name).group
    if valid_from and group in _DATED_GROUPS:
        end = _end_ms(valid_from, zone, grace_days)
        if end is not None and end > said_at_ms:
            return end
    days = dict(ttl_days_by_group).get(group, ttl_days)
    return said_at_ms + days * _DAY_MS


def _end_ms(civil: str, zone: str | None, grace_days: int) -> int | None:
    """The end of a civil year, month or day in a time zone, in event time; None for what is not such a date."""
    try:
        numbers = [int(part) for part in civil.split("-")]
        if len(numbers) == 1:
            after = date(numbers[0] + 1, 1, 1)
        elif len(numbers) == 2:
            after = date(numbers[0] + numbers[1] // 12, numbers[1] % 12 + 1, 1)
        else:
            after = date(numbers[0], numbers[1], numbers[2]) + timedelta(days=1)
        after += timedelta(days=grace_days)
    except (ValueError, OverflowError):
        return None
    return begins_ms(after, zone)
