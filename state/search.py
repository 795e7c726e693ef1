"""Facts and turns as one answer to a question: what fits best, each message once (Q1, Q4).

A message counts by its own words and meaning, and by those of the facts that came from it; facts are keys to the turns
behind them, and turns to what no fact holds. A message that memory knows to be outdated never stands above the one
that outdated it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from state.civil_days import CivilDays
from state.facts import Fact
from state.forgetting import is_everything
from state.index import similarities
from state.lexical import TermTable
from state.matching import is_about
from state.policy import RulesPolicy
from state.recall import Ranked, RecallWeights, successions
from state.turns import Shelf, Turn
from state.user_memory import UserMemory

_BOTH: Final = 0.3
"""How much the weaker of fact and turn adds to the stronger."""
_QUESTION: Final = 0.6
_ASSISTANT: Final = 0.5
"""Who asks tells little of themselves, and what the assistant said is found where nothing of the user's is."""
_OUTDATED_BELOW: Final = 0.0001
_POLICY: Final = RulesPolicy()


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer, with its score (0–1, 4 decimals): a fact with the messages behind it, best first; or a message."""

    score: float
    fact: Fact | None
    message_ids: tuple[str, ...]


def turn_scores(
    shelf: Shelf,
    query_code: bytes | None,
    query_text: str | None,
    now_ms: int,
    weights: RecallWeights,
    *,
    embedding_version: str | None = None,
    period: CivilDays | None = None,
) -> dict[str, float]:
    """How well each turn fits, by message id, on the scale of state.recall.rank. A turn has no importance of its own.

    Vectors of another `embedding_version` are not compared (Q6).
    """
    if not len(shelf):
        return {}
    semantic = _cosines(shelf, query_code, embedding_version)
    semantic = np.maximum(0.0, (semantic - weights.semantic_zero) / (1.0 - weights.semantic_zero))
    scores = weights.semantic * semantic + weights.lexical * TermTable(shelf.terms).shares(query_text)
    asks, others = np.array(shelf.asks, bool), np.array([role != "user" for role in shelf.roles])
    scores *= np.where(others, _ASSISTANT, np.where(asks, _QUESTION, 1.0))
    ages_days = np.maximum(0, now_ms - np.array(shelf.sent_at_ms)) / 86_400_000
    scores += weights.recency * 0.5 ** (ages_days / weights.half_life_days) * (scores > 0.0)
    scores /= weights.total
    found = {}
    for message_id, score, sent_at_ms in zip(shelf.message_ids, scores.tolist(), shelf.sent_at_ms, strict=True):
        found[message_id] = weights.dated(score, None if period is None else period.has(sent_at_ms))
    return found


def search(
    ranked: Sequence[Ranked[Fact]],
    turns: Mapping[str, float],
    limit: int,
    outdated: Mapping[str, Set[str]] | None = None,
) -> list[Hit]:
    """The `limit` best answers. `ranked` are facts, `turns` scores by message id; `outdated` names for a message those
    that say the same thing anew.
    """
    facts: dict[str, list[Ranked[Fact]]] = {}
    for each in ranked:
        for source in each.fact.sources:
            facts.setdefault(source.message_id, []).append(each)
    scores = {message_id: _joined(score, facts.get(message_id, ())) for message_id, score in turns.items()}
    for message_id, keys in facts.items():
        scores.setdefault(message_id, _joined(0.0, keys))
    for message_id, newer in (outdated or {}).items():
        if message_id in scores:
            above = max((scores.get(each, 0.0) for each in newer), default=0.0)
            scores[message_id] = min(scores[message_id], max(0.0, above - _OUTDATED_BELOW))
    hits: list[Hit] = []
    told: set[str] = set()
    for message_id in sorted(scores, key=lambda each: (-scores[each], each)):
        if len(hits) >= limit or scores[message_id] <= 0.0:
            break
        fresh = [each for each in facts.get(message_id, ()) if each.fact.fact_id not in told]
        score = round(scores[message_id], 4)
        for each in fresh[: limit - len(hits)]:
            told.add(each.fact.fact_id)
            behind = (source.message_id for source in each.fact.sources if source.message_id != message_id)
            others = sorted(dict.fromkeys(behind), key=lambda other: (-scores[other], other))
            hits.append(Hit(score, each.fact, (message_id, *others)))
        if message_id not in facts:
            hits.append(Hit(score, None, (message_id,)))
    return hits


def outdated_by(replaced: Iterable[Fact], current: Sequence[Fact]) -> dict[str, set[str]]:
    """The messages behind what later ones replaced, each with the messages behind what took its place.

    That is an earlier version of a fact, one of `replaced`, and an earlier value of what has one value at a time.
    """
    found: dict[str, set[str]] = {}
    by_id = {fact.fact_id: fact for fact in current}
    pairs = [(by_id.get(fact.fact_id), fact) for fact in replaced]
    pairs += [(current[later], current[earlier]) for later, earlier in successions(current)]
    for later_fact, earlier_fact in pairs:
        if later_fact is not None and later_fact.object != earlier_fact.object:
            newer = {source.message_id for source in later_fact.sources}
            for source in earlier_fact.sources:
                if source.message_id not in newer:
                    found.setdefault(source.message_id, set()).update(newer)
    return found


def is_withheld(turn: Turn, memory: UserMemory) -> bool:
    """Whether a turn says what its user has had forgotten since: by its words, or as the source of such a fact (F3).

    A turn that a fact still stands on is told.
    """
    cited = [fact for fact in memory.facts.values() if any(s.message_id == turn.message_id for s in fact.sources)]
    if any(fact.status == "active" for fact in cited):
        return False
    if any(fact.status in ("forgotten", "deleted") for fact in cited):
        return True
    for boundary in memory.boundaries:
        if boundary.kind == "forget" and boundary.text is not None and turn.sent_at_ms <= boundary.at_ms:
            comparable = boundary.embedding and turn.embedding
            alike = similarities(boundary.embedding, [turn.embedding])[0] if comparable else None
            if is_everything(boundary.text) or is_about(boundary.text, turn.text, alike, _POLICY.forget_similarity):
                return True
    return False


def _joined(turn: float, keys: Sequence[Ranked[Fact]]) -> float:
    fact = keys[0].score if keys else 0.0
    return (max(turn, fact) + _BOTH * min(turn, fact)) / (1.0 + _BOTH)


def _cosines(shelf: Shelf, code: bytes | None, version: str | None) -> NDArray[np.float64]:
    cosines = np.zeros(len(shelf))
    if code is None:
        return cosines
    compared = [
        i
        for i, embedding in enumerate(shelf.embeddings)
        if embedding and version in (None, shelf.embedding_versions[i])
    ]
    if compared:
        cosines[compared] = similarities(code, [shelf.embeddings[i] for i in compared])
    return cosines
