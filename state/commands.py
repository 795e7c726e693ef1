"""What each command does to one user's memory (F2, F3, F6, W2, W4, X4); every command is answered by an event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from state import revising
from state.facts import KINDS, Candidate, Entry, Fact, Proposal
from state.forgetting import forgets
from state.importing import take_over
from state.index import similarities
from state.matching import stems
from state.messages import Command
from state.recorder import Recorder
from state.user_memory import Boundary, UserMemory

_DECISIONS = ("approve", "reject", "edit")
_FORGETTABLE = ("active", "archived", "pruned", "superseded")


REUSED = "S5.command_id_reused"
REFUSALS = frozenset(
    {
        REUSED,
        "F3.nothing_named",
        "F4.no_single_match",
        "S3.rule_failed",
        "T3.nothing_to_remember",
        "W2.already_decided",
        "W2.no_single_match",
        "W2.unknown_proposal",
    }
)
"""Rules of the events that answer a command which was not carried out."""
REUSED_REASON = "command_id {} was that of another command; a new command needs an id of its own"


class Reconcile(Protocol):
    """state.fold.reconcile, given by the fold so that this file need not import it."""

    def __call__(self, recorder: Recorder, candidate: Candidate, *, forced: bool, cause: str | None = None) -> None:
        """Judges one candidate and applies the decision."""


def apply_command(recorder: Recorder, entry: Entry, command: Command, reconcile: Reconcile) -> None:
    """Carries out one command at the entry's event time."""
    name = command.command
    if command.reused:
        recorder.tell("NONE", REUSED, entry.entry_id, None, reason=REUSED_REASON.format(command.command_id))
    elif name == "remember":
        _remember(recorder, entry, command, reconcile)
    elif name == "forget":
        _forget(recorder, entry, command)
    elif name in _DECISIONS:
        _decide_proposal(recorder, entry, command, reconcile)
    elif name in ("pin", "unpin"):
        _pin(recorder, command, name == "pin")
    elif name == "profile":
        _profile(recorder, entry, command)
    elif name == "erase":
        _erase(recorder, command)
    elif name == "import":
        _import(recorder, entry, command, reconcile)
    elif name == "reembed":
        recorder.tell("NONE", "Q6.reembed", command.command_id, None, reason="vectors are those of the model in use")
    else:
        recorder.tell("NONE", "T3.flush", command.command_id, None, reason="open windows were closed")


def _remember(recorder: Recorder, entry: Entry, command: Command, reconcile: Reconcile) -> None:
    """A direct write: past floor and write mode, still one fact with what says the same (W3)."""
    if not entry.candidates:
        reason = "no claim was found in the words" if command.text else _not_let_pass(command)
        recorder.tell("NONE", "T3.nothing_to_remember", command.command_id, None, reason=reason)
    for candidate in entry.candidates:
        if command.kind in KINDS:
            candidate = replace(candidate, kind=command.kind)
        if command.namespace:
            candidate = replace(candidate, namespace=command.namespace)
        reconcile(recorder, candidate, forced=True)


def _not_let_pass(command: Command) -> str:
    if command.emptied:
        return "the words say nothing, but what was redacted: say it in words, without the secret"
    return "policy lets nothing of the words pass"


def _import(recorder: Recorder, entry: Entry, command: Command, reconcile: Reconcile) -> None:
    """An exported fact as it is; another product's words as if the user had said them then, under all rules (Q5)."""
    if command.fact is not None:
        take_over(recorder, entry, command)
        return
    if not entry.candidates:
        recorder.tell("NONE", "Q5.left_out", command.command_id, None, reason="policy lets nothing of it pass")
    for candidate in entry.candidates:
        reconcile(recorder, candidate, forced=False)


# Forgetting.


def _forget(recorder: Recorder, entry: Entry, command: Command) -> None:
    chosen = _selector(recorder, entry, command)
    if chosen is None:
        reason = "a forget names a text, a fact_id or a namespace"
        recorder.tell("NONE", "F3.nothing_named", command.command_id, None, reason=reason)
        return
    boundary, selects = chosen
    found = [f for f in recorder.memory.facts.values() if f.status in _FORGETTABLE and selects(f)]
    for fact in sorted(found, key=lambda fact: fact.fact_id):
        forgotten = revising.retired(fact, "forgotten", "the user asked", recorder.at_ms)
        recorder.put(forgotten)
        recorder.tell(
            "FORGET", "F3.asked", command.command_id, forgotten, old_content=fact.content, reason=forgotten.reason
        )
    for proposal in sorted(recorder.memory.proposals.values(), key=lambda proposal: proposal.proposal_id):
        if proposal.status == "pending" and selects(proposal.candidate):
            recorder.propose(replace(proposal, status="superseded", decided_at_ms=recorder.at_ms))
    if not found:
        recorder.tell("NONE", "F3.nothing_matched", command.command_id, None, reason="memory holds nothing like it")
    _leave_boundary(recorder, boundary)


def _selector(
    recorder: Recorder, entry: Entry, command: Command
) -> tuple[Boundary, Callable[[Fact | Candidate], bool]] | None:
    if command.fact_id:
        wanted = command.fact_id
        return Boundary("forget", entry.at_ms, fact_id=wanted), lambda claim: _id(claim) == wanted
    if command.namespace:
        prefix = command.namespace
        return (
            Boundary("forget", entry.at_ms, namespace=prefix),
            lambda claim: claim.namespace[: len(prefix)] == prefix,
        )
    text = command.text or command.match
    if not text:
        return None
    scores = recorder.similar(entry.embedding) if entry.embedding else None
    threshold = recorder.policy.forget_similarity

    def selects(claim: Fact | Candidate) -> bool:
        if scores is None:
            similarity: float | None = 1.0
        elif isinstance(claim, Fact):
            similarity = scores.get(claim.fact_id)
        else:
            similarity = similarities(entry.embedding, [claim.embedding])[0] if claim.embedding else 1.0
        return forgets(text, claim, similarity, threshold)

    return Boundary("forget", entry.at_ms, text=text, embedding=entry.embedding), selects


def _id(claim: Fact | Candidate) -> str:
    return claim.fact_id if isinstance(claim, Fact) else claim.candidate_id


def _leave_boundary(recorder: Recorder, boundary: Boundary) -> None:
    boundaries = recorder.memory.boundaries
    boundaries.append(boundary)
    kept = [b for b in boundaries if b.kind == "forget"]
    if len(kept) > recorder.policy.forget_boundaries_max:
        boundaries.remove(min(kept, key=lambda b: b.at_ms))


# Proposals.


def _decide_proposal(recorder: Recorder, entry: Entry, command: Command, reconcile: Reconcile) -> None:
    """W2: only a pending proposal can be decided, and once; an approval is judged again as memory is now (W4)."""
    proposal, rule, reason = _picked(recorder.memory, command)
    if proposal is None:
        recorder.tell("NONE", rule, command.command_id, None, reason=reason)
        return
    if proposal.status != "pending":
        reason = f"proposal {proposal.proposal_id} is {proposal.status}; only a pending one can be decided"
        recorder.tell("NONE", "W2.already_decided", command.command_id, None, reason=reason)
        return
    if command.command == "edit" and not command.content and not entry.candidates:
        recorder.tell("NONE", "T3.nothing_to_remember", command.command_id, None, reason=_not_let_pass(command))
        return
    edited = _edited(proposal.candidate, entry, command) if command.command == "edit" else [proposal.candidate]
    candidate = edited[0]
    status = "rejected" if command.command == "reject" else "approved"
    recorder.propose(
        replace(proposal, candidate=candidate, status=status, decided_at_ms=entry.at_ms, decided_by=command.command_id)
    )
    told = f": {candidate.content}" if status == "approved" else ""  # a rejected claim's words are for nobody
    reason = f"proposal {proposal.proposal_id} {status}{told}"
    recorder.tell("NONE", f"W2.{status}", command.command_id, None, reason=reason)
    for each in edited if status == "approved" else ():
        reconcile(recorder, each, forced=True, cause=command.command_id)


def as_reused(entry: Entry, command: Command) -> Entry:
    """What stays of a command whose id was another's: that it was refused, and no word of it."""
    bare = Command(
        command.tenant,
        command.user_id,
        command.command,
        command.command_id,
        command.sent_at_ms,
        command.origin,
        reused=True,
    )
    return Entry(entry.tenant, entry.user_id, entry.at_ms, f"{entry.entry_id}#{command.digest[:8]}", command=bare)


def in_turn(memory: UserMemory, entry: Entry) -> Entry:
    """The entry, later where it decides a proposal that was decided and answered before it came (W2).

    Event time orders decisions that come together; it does not undo one that somebody was told of.
    """
    command = entry.command
    if command is None or command.command not in _DECISIONS:
        return entry
    proposal, _, _ = _picked(memory, command)
    if proposal is None or proposal.decided_by is None or proposal.decided_at_ms is None:
        return entry
    return replace(entry, at_ms=max(entry.at_ms, proposal.decided_at_ms + 1))


def _picked(memory: UserMemory, command: Command) -> tuple[Proposal | None, str, str]:
    proposals = memory.proposals
    if command.proposal_id:
        reason = f"there is no proposal {command.proposal_id}; list them to find its id"
        return proposals.get(command.proposal_id), "W2.unknown_proposal", reason
    wanted = frozenset(stems(command.match or ""))
    found = [p for p in proposals.values() if wanted and wanted.issubset(stems(p.candidate.content))]
    waiting = [p for p in found if p.status == "pending"]
    if len(waiting) == 1:
        return waiting[0], "", ""
    if not waiting and len(found) == 1:
        return found[0], "", ""
    reason = f"{len(waiting)} pending proposals match {command.match!r}, expected exactly one: name its proposal_id"
    return None, "W2.no_single_match", reason


def _edited(candidate: Candidate, entry: Entry, command: Command) -> list[Candidate]:
    """The proposed claim as the person's words were read, and what else they say.

    It keeps its id, its evidence and its time; its kind and place too, where no rule knew of what the words tell.
    """
    if not entry.candidates:
        content = command.content or candidate.content
        if content == candidate.content:
            return [candidate]
        return [replace(candidate, content=content, object=content, embedding=entry.embedding or candidate.embedding)]
    read, *more = entry.candidates
    read = replace(
        read,
        candidate_id=candidate.candidate_id,
        agent_id=candidate.agent_id,
        said_at_ms=candidate.said_at_ms,
        source=candidate.source,
        source_rank=candidate.source_rank,
        confidence=candidate.confidence,
        write_mode=candidate.write_mode,
    )
    if read.predicate == "states":
        read = replace(read, kind=candidate.kind, namespace=candidate.namespace, subject=candidate.subject)
    return [read, *more]


# The rest.


def _pin(recorder: Recorder, command: Command, pinned: bool) -> None:
    facts = recorder.memory.facts
    wanted = frozenset(stems(command.match or command.text or ""))
    if command.fact_id:
        found = [facts[command.fact_id]] if command.fact_id in facts else []
    else:
        found = [f for f in facts.values() if f.status == "active" and wanted and wanted.issubset(stems(f.content))]
    if len(found) != 1:
        reason = f"{len(found)} facts match, expected exactly one: name its fact_id"
        if command.fact_id:
            reason = f"there is no fact {command.fact_id} of this user; list them to find its id"
        recorder.tell("NONE", "F4.no_single_match", command.command_id, None, reason=reason)
        return
    fact = replace(found[0], pinned=pinned, recorded_at_ms=recorder.at_ms)
    recorder.put(fact)
    rule = "F4.pinned" if pinned else "F4.unpinned"
    recorder.tell("UPDATE", rule, command.command_id, fact, old_content=fact.content, matched=fact.fact_id)


def _profile(recorder: Recorder, entry: Entry, command: Command) -> None:
    """X4: the profile's slots replace those before; its bio is what the entry's candidates were read from."""
    memory = recorder.memory
    memory.profile.update(command.profile)
    if entry.candidates or any(slot == "bio" for slot, _ in command.profile):
        memory.bio = list(entry.candidates)
    slots = ", ".join(sorted(slot for slot, _ in command.profile))
    recorder.tell("NONE", "X4.profile", command.command_id, None, reason=f"profile set: {slots}")


def _erase(recorder: Recorder, command: Command) -> None:
    """F6: memory is empty afterwards; the bytes of rows, windows and logs are removed by their owners."""
    memory = recorder.memory
    memory.facts.clear()
    memory.proposals.clear()
    memory.boundaries.clear()
    memory.bio.clear()
    memory.profile.clear()
    recorder.events.clear()
    recorder.facts.clear()
    recorder.tell("ERASE", "F6.erase", command.command_id, None, reason="the user's memory was erased")
