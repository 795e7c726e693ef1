"""What is fixed while one clause is written, and the claim that comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from models import triples
from models.claims import Claim, Utterance
from models.clauses import Clause
from models.readings import Reading
from models.triples import Triple
from models.wording.lists import wordset


@dataclass(frozen=True, slots=True)
class Scene:
    """What is fixed while one clause is written."""

    utterance: Utterance
    clause: Clause
    reading: Reading
    confidence: float
    confirmed: bool = False
    language: str = "en"


# Attributes that hold one value are taken from the rules alone: a wrong one would replace a right one (R6).
_RULES_ONLY = wordset(
    """
    states instructs forbids permits recommends is_named is_aged born_on born_in lives_in moved_to comes_from works_in
    married_to has_partner is_married is_single is_divorced is_engaged is_widowed is_retired is_unemployed has_pronouns
    has_gender pays_rent in_timezone earns has_children blood_type drinks_alcohol smokes height weight has_orientation
    sleeps launches_on deadline_on has_budget
    """
)


def with_model(scene: Scene, triple: Triple) -> Triple:
    """The rules' triple; where no rule knew the verb, with the model's predicate."""
    if triple.known or scene.reading.predicate in _RULES_ONLY:
        return triple
    return replace(triple, predicate=scene.reading.predicate)


def claim_of(scene: Scene, triple: Triple, content: str, subject: str) -> Claim:
    """The claim of a triple and its sentence; its evidence is the clause."""
    kind = triple.kind or _kind_of(scene, triple)
    clause, reading = scene.clause, scene.reading
    return Claim(
        kind=kind, namespace=(), subject=subject, predicate=triple.predicate, object=triple.object.strip(),
        polarity=triple.polarity, content=_finished(content), confidence=round(scene.confidence, 4),
        intensity=round(reading.intensity, 4), language="en", start=clause.start, end=clause.end,
        confirmed=scene.confirmed,
    )  # fmt: skip


# What lasts by itself, however recent it sounds; what is still to come or ends is told apart where it is dated.
_LASTS = wordset(
    """
    lives_in moved_to comes_from born_in born_on works_at works_as started_job is_aged is_named has_pet pet_named
    has_child
    has_children has_sibling has_relative has_parent married_to is_married is_divorced is_single is_engaged is_widowed
    """
)


def _kind_of(scene: Scene, triple: Triple) -> str:
    kind = scene.reading.kind
    if triple.predicate in triples.STATUSES:
        return "status"
    if triple.predicate in triples.ATTITUDES:
        return "opinion"
    if kind == "status" and triple.predicate in _LASTS:
        return "fact"
    if kind in ("procedure", "recommendation") or (
        kind == "opinion" and (triple.known or triple.predicate == "experienced")
    ):
        return "fact"
    return kind


def _finished(content: str) -> str:
    content = " ".join(content.split()).strip(" ,;:-–—")
    return (
        content[:1].upper() + content[1:]
        if content[:1].islower() and content.startswith(("user", "assistant"))
        else content
    )


def deduplicated(claims: Iterator[Claim]) -> Iterator[Claim]:
    """The claims without those whose triple came before."""
    seen: set[tuple[str, str, str]] = set()
    for claim in claims:
        key = (claim.subject, claim.predicate, claim.object.casefold())
        if key not in seen:
            seen.add(key)
            yield claim
