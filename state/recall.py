"""What a product asks of one user's memory: the best facts for a question, and what was known or true at a time (Q1,
Q4). Everything is scored straight from the facts, for a user has a few hundred at most.

Lexical scoring is state.lexical's over the user's own facts; semantic scoring is the cosine of codes (state.index).
Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from state.civil_days import CivilDays
from state.export import iso
from state.facts import Fact, Kind, Lead, normalised
from state.index import similarities
from state.lexical import shares
from state.predicates import predicate

_DAY_MS: Final = 86_400_000
F = TypeVar("F", bound=Fact | Lead)


@dataclass(frozen=True, slots=True)
class RecallWeights:
    """How much each part counts (Q4); every part is 0–1, and without a question only the last three count.

    `half_life_days` is the age at which a fact's recency has halved. A cosine up to `semantic_zero` counts nothing:
    that is what unrelated sentences have with the embedder in use. `kind_worth` orders kinds of equal fit. `period` is
    what lying in the time that a question names is worth, beside a fit of 1. Chosen on `factstream eval recall`.
    """

    semantic: float = 0.66
    lexical: float = 0.20
    recency: float = 0.12
    importance: float = 0.05
    kind: float = 0.03
    period: float = 0.50
    half_life_days: float = 365.0
    semantic_zero: float = 0.12
    kind_worth: Mapping[Kind, float] = field(
        default_factory=lambda: {
            "fact": 1.0,
            "status": 0.8,
            "opinion": 0.8,
            "procedure": 0.6,
            "recommendation": 0.2,
        }
    )

    @property
    def total(self) -> float:
        """The score of what fits entirely, before it is a share."""
        return self.semantic + self.lexical + self.recency + self.importance + self.kind

    def dated(self, score: float, inside: bool | None) -> float:
        """A score (0–1) where the question names a time and the thing lies inside or not; None: it names none."""
        return score if inside is None else (score + self.period * inside) / (1.0 + self.period)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a score is made of, before weighting."""

    semantic: float
    lexical: float
    recency: float
    importance: float
    kind: float


@dataclass(frozen=True, slots=True)
class Ranked(Generic[F]):
    """A fact or its lead, its blended score (0–1, 4 decimals) and the parts of it."""

    fact: F
    score: float
    parts: Parts


class Version(Protocol):
    """One version of a fact, as stores and snapshots give it."""

    @property
    def fact(self) -> Fact:
        """The fact as it then was."""

    @property
    def from_seq(self) -> int:
        """The sequence number at which it was written."""


def rank(
    facts: Sequence[F],
    query_code: bytes | None,
    query_text: str | None,
    now_ms: int,
    limit: int,
    weights: RecallWeights | None = None,
    *,
    embedding_version: str | None = None,
    period: CivilDays | None = None,
) -> list[Ranked[F]]:
    """The `limit` active facts that fit a question best, or without one the most recent and important (Q1, Q4).

    `now_ms` is what recency is measured from. Facts of another `embedding_version` than the one given are compared by
    words only (Q6). `period`, the days that the question is about, puts what belongs there first.
    Of a subject's attribute that has one value at a time, the earlier never stands above the later, and what is
    derived never above what it follows from (R12).
    The same arguments give the same order: ties go to what was said last, then by id.
    """
    chosen = weights or RecallWeights()
    active = [fact for fact in facts if fact.status == "active"]
    parts = _parts(active, query_code, query_text, embedding_version, now_ms, chosen)
    by_meaning = 0.0 if query_code is None else chosen.semantic
    by_words = chosen.lexical if query_text else 0.0
    weights_of_parts = np.array((by_meaning, by_words, chosen.recency, chosen.importance, chosen.kind))
    fits = (weights_of_parts @ parts / max(weights_of_parts.sum(), 1e-9)).tolist()
    scores = [
        round(chosen.dated(fit, None if period is None else _belongs(fact, period)), 4)
        for fact, fit in zip(active, fits, strict=True)
    ]
    for later, earlier in successions(active):
        scores[earlier] = min(scores[earlier], scores[later])
    _below_premises(active, scores)
    order = sorted(range(len(active)), key=lambda i: (-scores[i], bool(active[i].derived_from), *_latest(active[i])))
    return [Ranked(active[i], scores[i], Parts(*parts[:, i].tolist())) for i in order[: max(limit, 0)]]


def _parts(
    facts: Sequence[F], code: bytes | None, text: str | None, version: str | None, now_ms: int, chosen: RecallWeights
) -> NDArray[np.float64]:
    """A row for each of Parts, a column a fact."""
    ages_ms = now_ms - np.array([fact.last_said_at_ms for fact in facts], np.float64)
    rows = (
        _semantic(facts, code, version, chosen.semantic_zero),
        np.array(shares(text, [_searched(fact) for fact in facts]), np.float64),
        0.5 ** (np.maximum(0.0, ages_ms) / (_DAY_MS * chosen.half_life_days)),
        np.array([fact.importance for fact in facts], np.float64),
        np.array([chosen.kind_worth.get(fact.kind, 0.0) for fact in facts], np.float64),
    )
    return np.stack(rows).round(4)


def successions(facts: Sequence[F]) -> list[tuple[int, int]]:
    """(later, earlier) of facts that give one subject's attribute different values where it has one at a time (R6)."""
    values: dict[tuple[str, str], list[int]] = {}
    for i, fact in enumerate(facts):
        attribute = predicate(fact.predicate)
        if attribute.cardinality == "single" and fact.polarity:
            values.setdefault((normalised(fact.subject), attribute.group), []).append(i)
    for rivals in values.values():
        rivals.sort(key=lambda i: (-facts[i].last_said_at_ms, facts[i].fact_id))
    return [pair for rivals in values.values() for pair in pairwise(rivals)]


def _below_premises(facts: Sequence[Fact | Lead], scores: list[float]) -> None:
    """Lowers the scores of derived facts to that of their best premise, so that they stand below it."""
    derived = [i for i, fact in enumerate(facts) if fact.derived_from]
    if derived:
        of = {fact.fact_id: score for fact, score in zip(facts, scores, strict=True)}
        for i in derived:
            premises = [of[premise] for premise in facts[i].derived_from if premise in of]
            scores[i] = min(scores[i], max(premises, default=1.0))


def _latest(fact: Fact | Lead) -> tuple[int, str]:
    return -fact.last_said_at_ms, fact.fact_id


def _belongs(fact: Fact | Lead, period: CivilDays) -> bool:
    """Whether a fact was said in a time, began in it, or is known to have held in it."""
    if period.has(fact.first_said_at_ms) or period.has(fact.last_said_at_ms):
        return True
    if fact.valid_from is None:
        return False
    begun, ended = fact.valid_from, fact.valid_to or fact.valid_from
    return begun <= period.last and ended + "~" >= period.first  # a month or year reaches to its end


def select(
    facts: Iterable[F], namespace: tuple[str, ...] = (), kinds: Sequence[str] = (), agent_id: str | None = None
) -> list[F]:
    """The facts in a namespace or below it, of given kinds (none given: all), and of one agent's scope or of none."""
    return [
        fact
        for fact in facts
        if fact.namespace[: len(namespace)] == namespace
        and (not kinds or fact.kind in kinds)
        and (agent_id is None or fact.agent_id in (None, agent_id))
    ]


def recent(facts: Iterable[F], limit: int) -> list[F]:
    """The active facts said last (Q1)."""
    active = [fact for fact in facts if fact.status == "active"]
    return sorted(active, key=_latest)[: max(limit, 0)]


def as_of(versions: Iterable[Version], at_ms: int) -> list[Fact]:
    """What was known at a moment, in the order in which it was first said (Q1).

    Of each fact that is the version written last among those recorded by then. One that a later version has since
    superseded is given as the active fact that it then was; one already forgotten, archived or deleted is not.
    """
    newest: dict[str, Version] = {}
    last_seq: dict[str, int] = {}
    for version in versions:
        fact_id = version.fact.fact_id
        last_seq[fact_id] = max(last_seq.get(fact_id, version.from_seq), version.from_seq)
        if version.fact.recorded_at_ms <= at_ms:
            known = newest.get(fact_id)
            if known is None or _written(version) > _written(known):
                newest[fact_id] = version
    held = [
        replace(version.fact, status="active")
        for fact_id, version in newest.items()
        if version.fact.status == "active"
        or (version.fact.status == "superseded" and last_seq[fact_id] > version.from_seq)
    ]
    return sorted(held, key=_first_said)


def true_at(versions: Iterable[Version], at_ms: int) -> list[Fact]:
    """What is now known to have been true at a moment, whenever it was learned (Q1), in the order first said.

    Of each fact that is the version whose time had begun last by then: at its `valid_from`, else when it was said.
    What had ended is left out (`valid_to` counts whole at its precision), as are facts since forgotten or denied.
    """
    day = iso(at_ms)[:10]
    found: dict[str, tuple[str, Version]] = {}
    current: dict[str, Version] = {}
    for version in versions:
        fact = version.fact
        known = current.get(fact.fact_id)
        if known is None or _written(version) > _written(known):
            current[fact.fact_id] = version
        begun = _begun(fact)
        best = found.get(fact.fact_id)
        if begun <= day and (best is None or (begun, _written(version)) > (best[0], _written(best[1]))):
            found[fact.fact_id] = (begun, version)
    held = [
        replace(version.fact, status="active")
        for fact_id, (_, version) in found.items()
        if current[fact_id].fact.status in ("active", "superseded", "archived")
        and not _ended(version.fact, version is current[fact_id], day)
    ]
    return sorted(held, key=_first_said)


def _semantic(facts: Sequence[F], code: bytes | None, version: str | None, zero: float) -> NDArray[np.float64]:
    scores = np.zeros(len(facts))
    if code is not None:
        compared = [
            i
            for i, fact in enumerate(facts)
            if fact.embedding and (version is None or fact.embedding_version == version)
        ]
        if compared:
            cosines = np.array(similarities(code, [facts[i].embedding for i in compared]))
            scores[compared] = np.maximum(0.0, (cosines - zero) / (1.0 - zero))
    return scores


def _searched(fact: Fact | Lead) -> str:
    return " ".join((fact.content, fact.predicate.replace("_", " "), *fact.namespace))


def _written(version: Version) -> tuple[int, int]:
    return version.from_seq, version.fact.revision


def _first_said(fact: Fact) -> tuple[int, str]:
    return fact.first_said_at_ms, fact.fact_id


def _begun(fact: Fact) -> str:
    """The date from which a version holds: as stated, else the date on which it was said."""
    return fact.valid_from or iso(fact.first_said_at_ms if fact.revision == 1 else fact.recorded_at_ms)[:10]


def _ended(fact: Fact, is_current: bool, day: str) -> bool:
    """Whether a version's time was over by a day: as stated, else when the fact was archived or superseded."""
    last = fact.valid_to
    if last is None and is_current and fact.status != "active":
        last = iso(fact.recorded_at_ms)[:10]
    return last is not None and day[: len(last)] > last
