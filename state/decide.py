"""The updater alone, for `factstream decide`: current and new facts in, one decision a row out (INTERFACE)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from state.facts import KINDS, Candidate, Entry, Fact, FactEvent, Kind, Source, candidate_id
from state.fold import apply_entry
from state.index import encode, similarities
from state.messages import Origin
from state.policy import RulesPolicy
from state.predicates import importance_of, namespace_for, predicate
from state.recorder import Judge
from state.revising import added
from state.rules import Decision
from state.user_memory import UserMemory

Embed = Callable[[list[str]], NDArray[np.float32]]
ReadTriple = Callable[[str], tuple[str, str, str, bool]]

DECIDE_POLICY = RulesPolicy(third_party="keep", propose_kinds=())
_FLOOR = 0.40
_SHOWN = {"ADD": "ADD", "UPDATE": "UPDATE", "DELETE": "DELETE", "REACTIVATE": "UPDATE"}
_MINUTE_MS = 60_000


@dataclass(slots=True)
class _Row:
    id: str
    event: str
    rule: str


def decide_table(
    current: list[dict[str, Any]],
    new: list[dict[str, Any]],
    embed: Embed,
    read_triple: ReadTriple,
    policy: RulesPolicy = DECIDE_POLICY,
    judge: Judge | None = None,
) -> list[dict[str, Any]]:
    """Decides each new fact against the current ones, in order, and returns a row for every fact of both.

    A row is `id, content, namespace, intensity, confidence, language, event, rule`, with ADD, UPDATE, DELETE or NONE.
    Current facts keep their ids; a new fact that changes or restates a current one is that one's row. `embed` gives
    L2-normalised vectors, `read_triple` the (subject, predicate, object, polarity) of a content. A fact may name its
    `subject`, `predicate`, `object`, `polarity`, `kind`, `valid_from` itself; `judge` reads pairs that the rules leave
    open. Raises ValueError where `content` is missing.
    """
    vectors = encode(embed([_content(row) for row in (*current, *new)])) if current or new else []
    memory = UserMemory("", "user")
    rows: dict[str, _Row] = {}
    for position, row in enumerate(current):
        fact = _current(row, position, vectors[position], read_triple, policy)
        memory.facts[fact.fact_id] = fact
        rows[fact.fact_id] = _Row(fact.fact_id, "NONE", "untouched")
    refused: dict[str, Candidate] = {}
    for position, row in enumerate(new):
        candidate = _candidate(row, f"new-{position}", (len(current) + position + 1) * _MINUTE_MS, read_triple)
        candidate = replace(candidate, embedding=vectors[len(current) + position])
        changes = apply_entry(
            memory,
            Entry("", "user", candidate.said_at_ms, candidate.source.message_id, (candidate,)),
            lambda code: _similar(memory, code),
            policy,
            judge=judge,
        )
        _note(rows, refused, changes.events, candidate)
    return [_shown(row, memory, refused) for row in rows.values()]


def _note(
    rows: dict[str, _Row], refused: dict[str, Candidate], events: Sequence[FactEvent], candidate: Candidate
) -> None:
    for event in events:
        if event.fact is None or (event.event == "NONE" and event.fact.fact_id not in rows):
            refused[candidate.candidate_id] = candidate
            rows[candidate.candidate_id] = _Row(candidate.candidate_id, "NONE", event.rule)
            continue
        shown = "DELETE" if event.event == "ARCHIVE" else _SHOWN.get(event.event, "NONE")
        row = rows.setdefault(event.fact.fact_id, _Row(event.fact.fact_id, shown, event.rule))
        if shown != "NONE":
            # What was added by this very call stays an ADD, however it was completed since.
            row.event = row.event if row.event == "ADD" and shown == "UPDATE" else shown
            row.rule = event.rule
        elif row.event == "NONE":
            row.rule = event.rule


def _shown(row: _Row, memory: UserMemory, refused: dict[str, Candidate]) -> dict[str, Any]:
    claim: Fact | Candidate = memory.facts[row.id] if row.id in memory.facts else refused[row.id]
    return {
        "id": row.id,
        "content": claim.content,
        "namespace": list(claim.namespace),
        "intensity": claim.intensity,
        "confidence": claim.confidence,
        "language": claim.language,
        "event": row.event,
        "rule": row.rule,
    }


def _similar(memory: UserMemory, code: bytes) -> dict[str, float]:
    facts = list(memory.facts.values())
    cosines = similarities(code, [fact.embedding for fact in facts]) if facts else []
    return {fact.fact_id: cosine for fact, cosine in zip(facts, cosines, strict=True) if cosine >= _FLOOR}


def _content(row: dict[str, Any]) -> str:
    content = row.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ValueError(f"fact {row.get('id')!r} has content {content!r}, expected a sentence: give every fact one")
    return content


def _current(row: dict[str, Any], position: int, vector: bytes, read_triple: ReadTriple, policy: RulesPolicy) -> Fact:
    candidate = replace(_candidate(row, f"current-{position}", position * _MINUTE_MS, read_triple), embedding=vector)
    fact = added(candidate, Decision("ADD", ""), candidate.said_at_ms, policy)
    return replace(fact, fact_id=str(row["id"])) if row.get("id") is not None else fact


def _candidate(row: dict[str, Any], message_id: str, said_at_ms: int, read_triple: ReadTriple) -> Candidate:
    content = _content(row)
    subject, name, obj, polarity = read_triple(content)
    subject, name = str(row.get("subject") or subject), str(row.get("predicate") or name)
    obj, polarity = str(row.get("object") or obj), bool(row.get("polarity", polarity))
    intensity = float(row.get("intensity", 0.5))
    return Candidate(
        candidate_id=candidate_id("", "user", message_id, 0, len(content), (subject, name, obj)),
        tenant="",
        user_id="user",
        agent_id=None,
        said_at_ms=said_at_ms,
        source=Source(message_id, "", 0, len(content), Origin("", 0, 0)),
        kind=_kind(row, name),
        namespace=_namespace(row, subject, name),
        content=content,
        subject=subject,
        predicate=name,
        object=obj,
        polarity=polarity,
        confidence=float(row.get("confidence", 0.9)),
        intensity=intensity,
        importance=importance_of(name, intensity),
        language=str(row.get("language") or "en"),
        embedding=b"",
        valid_from=row.get("valid_from"),
    )


def _kind(row: dict[str, Any], name: str) -> Kind:
    for kind in KINDS:
        if row.get("kind") == kind:
            return kind
    entry = predicate(name)
    if entry.group == "instructions":
        return "procedure"
    if entry.group == "recommendations":
        return "recommendation"
    return "opinion" if entry.preference else "fact"


def _namespace(row: dict[str, Any], subject: str, name: str) -> tuple[str, ...]:
    given = row.get("namespace")
    if isinstance(given, str):
        return tuple(part for part in given.split("/") if part)
    return tuple(str(part) for part in given) if given else namespace_for(subject, name)
