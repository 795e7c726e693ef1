"""Facts taken over from an export as they are: ids, revisions, statuses, evidence (Q5).

An imported version is neither judged nor merged, so that an export put into a fresh memory and exported again is the
same; it gives way to what memory has of the same fact already, and where another active fact says the very same.
"""

from __future__ import annotations

import orjson

from state.export import fact_from_row
from state.facts import Entry, Fact, normalised
from state.forgetting import is_forgotten
from state.messages import Command
from state.recorder import Recorder
from state.refold import first_event


def take_over(recorder: Recorder, entry: Entry, command: Command) -> None:
    """Puts the version that an import command carries in its place, or says why not. `entry.embedding` is its own."""
    fact = fact_from_row(orjson.loads(command.fact or "{}"), entry.embedding)
    cause = command.command_id
    known = recorder.memory.facts.get(fact.fact_id)
    if known is not None and _standing(known) >= _standing(fact):
        reason = f"memory has revision {known.revision} of this fact"
        recorder.tell("NONE", "Q5.known", cause, known, matched=known.fact_id, reason=reason)
        return
    if fact.status == "active" and (refused := _refused(recorder, fact)) is not None:
        rule, reason = refused
        recorder.tell("NONE", rule, cause, None, said_at_ms=fact.last_said_at_ms, reason=reason)
        return
    twin = _twin(recorder, fact) if fact.status == "active" else None
    if twin is not None:
        reason = "memory has a fact that says the same"
        recorder.tell("NONE", "Q5.same", cause, twin, matched=twin.fact_id, reason=reason)
        return
    recorder.put(fact)
    event = "UPDATE" if known is not None and fact.status == "active" else first_event(fact)
    recorder.tell(
        event,
        "Q5.imported",
        cause,
        fact,
        said_at_ms=fact.last_said_at_ms,
        old_content=None if known is None else known.content,
        matched=None if known is None else known.fact_id,
        reason=fact.reason,
    )


def _refused(recorder: Recorder, fact: Fact) -> tuple[str, str] | None:
    """Why an active fact may not come in: it was forgotten here since, or speaks of people (F3, X8)."""
    policy = recorder.policy
    if fact.namespace[:1] == ("people",) and policy.third_party == "drop":
        return "X8.third_party", "third_party is drop"
    for boundary in recorder.memory.boundaries:
        late = boundary.kind == "forget" and fact.last_said_at_ms <= boundary.at_ms
        if late and is_forgotten(boundary, fact, policy.forget_similarity):
            return "F3.boundary", "was said before it was forgotten"
    return None


def _standing(fact: Fact) -> tuple[int, int, int]:
    return fact.revision, fact.mentions, fact.recorded_at_ms


def _twin(recorder: Recorder, fact: Fact) -> Fact | None:
    claim = (fact.kind, fact.namespace, normalised(fact.content))
    for other in recorder.memory.facts.values():
        same = (other.kind, other.namespace, normalised(other.content)) == claim
        if same and other.status == "active" and other.fact_id != fact.fact_id:
            return other
    return None
