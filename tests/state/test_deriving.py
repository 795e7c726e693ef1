"""What follows from two stated facts (R12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.facts import Candidate, Entry
from state.fold import difference
from state.user_memory import UserMemory
from tests.state.embedding_stub import similar_among
from tests.state.folding import POLICY, Folding, apply_entry, claim, in_order, said, told

AUTO = replace(POLICY, derived="auto")
PROPOSE = replace(POLICY, derived="propose")


def _place(content: str, subject: str, place: str, message: str, day: float) -> Candidate:
    return claim(content, message, day, subject=subject, predicate="lives_in", object=place)


WORKS = said(claim("User works at a startup called Lumen", "m1", 0))
IS_THERE = said(_place("Lumen is in Seattle", "Lumen", "Seattle", "m2", 1))
FOLLOWS = "User works in Seattle"


AT_SCHOOL = claim("User studies at Hill College", "m1", 0, predicate="studies_at", object="Hill College")
WITH_BROTHER = claim("User lives with their brother", "m1", 0, predicate="lives_with", object="brother")
AT_STARTUP, AT_ACME = claim("User works at a startup", "m1", 0), claim("User works at Acme", "m1", 0)
COMPANY = claim("User's company is based in Porto", "m2", 1)


@pytest.mark.parametrize(
    ("first", "second", "follows"),
    [
        (AT_STARTUP, _place("The startup is in Seattle", "The startup", "Seattle", "m2", 1), FOLLOWS),
        (AT_ACME, COMPANY, "User works in Porto"),
        (AT_SCHOOL, _place("Hill College is in Leeds", "Hill College", "Leeds", "m2", 1), "User studies in Leeds"),
        (WITH_BROTHER, _place("User's brother lives in Oslo", "brother", "Oslo", "m2", 1), "User lives in Oslo"),
    ],
)
def test_two_facts_give_a_third_in_either_order(first: Candidate, second: Candidate, follows: str) -> None:
    """R12: it is marked with what it follows from, less sure and less important than that, and told with its rule."""
    for entries in ([said(first), said(second)], [said(second), said(first)]):
        folding = Folding(AUTO).fold(*entries)
        fact = folding.fact(follows)
        assert fact.status == "active"
        assert set(fact.derived_from) == {first.candidate_id, second.candidate_id}
        assert fact.confidence < min(first.confidence, second.confidence)
        assert fact.importance < min(first.importance, second.importance)
        assert (folding.last.event, folding.last.rule) == ("ADD", "R12.derived")


@pytest.mark.parametrize(
    "others",
    [
        [said(_place("The bakery is in Rome", "The bakery", "Rome", "m2", 1))],
        [said(claim("User's garage is based in Porto", "m2", 1))],
        [said(claim("User works at Brio", "m0", 1)), said(claim("User's company is based in Porto", "m2", 2))],
        [said(replace(_place("Lumen is not in Seattle", "Lumen", "Seattle", "m2", 1), polarity=False))],
    ],
)  # fmt: skip
def test_nothing_follows_from_what_does_not_belong_together(others: list[Entry]) -> None:
    """R12: another thing, a thing that is no employer, one of two employers, a denial."""
    folding = Folding(AUTO).fold(WORKS, *others)
    assert not [fact for fact in folding.memory.facts.values() if fact.derived_from]


def test_nothing_is_derived_unless_configured() -> None:
    """R12: off by default."""
    assert FOLLOWS not in Folding().fold(WORKS, IS_THERE).active


@pytest.mark.parametrize(
    "end",
    [
        said(claim("User left Lumen", "m3", 2)),
        told("forget", 2, text="the startup called Lumen"),
        said(replace(_place("Lumen is in Denver", "Lumen", "Denver", "m3", 2), renewed=True)),
        said(claim("User works in Tacoma", "m3", 2)),
    ],
)
def test_it_falls_with_its_premises_and_before_a_statement(end: Entry) -> None:
    """R12: a premise that ends, is forgotten or changes takes it along; so does a statement of the same matter."""
    folding = Folding(AUTO).fold(WORKS, IS_THERE)
    assert FOLLOWS in folding.active
    folding.fold(end)
    assert FOLLOWS not in folding.active
    assert [(e.event, e.rule) for e in folding.events if e.rule == "R12.fell"] == [("ARCHIVE", "R12.fell")]


def test_it_comes_back_with_its_premises() -> None:
    """R12: under the same id, at a higher revision."""
    folding = Folding(AUTO).fold(WORKS, IS_THERE)
    first = folding.fact(FOLLOWS)
    folding.fold(said(claim("User left Lumen", "m3", 2)), said(claim("User works at a startup called Lumen", "m4", 3)))
    again = folding.fact(FOLLOWS)
    assert (again.status, again.fact_id) == ("active", first.fact_id)
    assert again.revision > first.revision


def test_what_the_user_forgot_or_denied_is_not_derived_again() -> None:
    """R12, F3, R4: a forgetting and a denial hold for conclusions too."""
    forgotten = Folding(AUTO).fold(WORKS, IS_THERE, told("forget", 2, text="works in Seattle"))
    forgotten.fold(said(claim("User likes tea", "m4", 3)))
    assert forgotten.of("forgotten") == [FOLLOWS]
    denial = said(
        claim("User does not work in Seattle", "m3", 2, predicate="works_in", object="Seattle", polarity=False)
    )
    denied = Folding(AUTO).fold(WORKS, IS_THERE, denial, said(claim("User likes tea", "m4", 3)))
    assert FOLLOWS not in denied.active


def test_a_derived_fact_decides_nothing() -> None:
    """R12: what is said is judged as if the conclusion were not there; said itself, it is a statement."""
    folding = Folding(AUTO).fold(WORKS, IS_THERE, said(claim(FOLLOWS, "m3", 2)))
    stated = [fact for fact in folding.memory.facts.values() if fact.content == FOLLOWS and fact.status == "active"]
    assert [fact.derived_from for fact in stated] == [()]


def test_it_waits_for_a_decision_where_it_is_to_be_proposed() -> None:
    """W1, W2: asked once; approved, it falls and returns with its premises; rejected, it is not asked again."""
    folding = Folding(PROPOSE).fold(WORKS, IS_THERE, said(claim("User likes tea", "m3", 2)))
    assert (folding.pending(), FOLLOWS in folding.active) == ([FOLLOWS], False)
    approved = folding.fold(told("approve", 3, match="Seattle"))
    assert len(approved.fact(FOLLOWS).derived_from) == 2
    approved.fold(said(claim("User left Lumen", "m4", 4)))
    assert FOLLOWS not in approved.active
    approved.fold(said(claim("User works at a startup called Lumen", "m5", 5)))
    assert FOLLOWS in approved.active
    rejected = Folding(PROPOSE).fold(WORKS, IS_THERE, told("reject", 3, "k2", match="Seattle"))
    rejected.fold(said(claim("User likes tea", "m3", 4)))
    assert (rejected.pending(), rejected.of("active").count(FOLLOWS)) == ([], 0)


def test_a_proposal_falls_with_its_premises() -> None:
    """R12, W2: what no longer follows no longer waits."""
    folding = Folding(PROPOSE).fold(WORKS, IS_THERE, said(claim("User left Lumen", "m3", 2)))
    assert folding.pending() == []


def test_it_falls_too_where_nothing_is_derived_any_more() -> None:
    """R12: turned off, what was derived stands only as long as its premises."""
    folding = Folding(AUTO).fold(WORKS, IS_THERE)
    folding.policy = POLICY
    folding.fold(said(claim("User likes tea", "m3", 2)))
    assert FOLLOWS in folding.active
    folding.fold(said(claim("User left Lumen", "m4", 3)))
    assert FOLLOWS not in folding.active


def test_conclusions_leave_the_cap_to_statements() -> None:
    """F4: where memory is full nothing is derived, and what is derived goes first."""
    full = replace(AUTO, facts_max=2)
    assert FOLLOWS not in Folding(full).fold(WORKS, IS_THERE).active
    roomy = Folding(replace(AUTO, facts_max=3)).fold(WORKS, IS_THERE)
    assert FOLLOWS in roomy.active
    roomy.fold(said(claim("User likes tea", "m3", 2)))
    assert FOLLOWS not in roomy.active


LIFE: list[Entry] = [
    WORKS,
    IS_THERE,
    said(claim("User likes tea", "m3", 2)),
    said(claim("User left Lumen", "m4", 3)),
    said(claim("User works at Acme", "m5", 4)),
    said(_place("Acme is in Porto", "Acme", "Porto", "m6", 5)),
    told("forget", 6, "m7", text="tea"),
]


@given(st.permutations(LIFE))
@settings(max_examples=30, deadline=None)
def test_any_order_of_arrival_ends_in_the_same_conclusions(arrival: list[Entry]) -> None:
    """R12, R14: late entries refold, and what follows follows."""
    memory, log = UserMemory("t", "u"), []
    for entry in arrival:
        log.append(entry)
        if (entry.at_ms, entry.entry_id) > memory.position:
            apply_entry(memory, entry, similar_among(memory.facts), AUTO)
        else:
            after = Folding(AUTO).fold(*in_order(log)).memory
            difference(memory, after, entry.at_ms, entry.entry_id)
            memory = after
    whole: Any = Folding(AUTO).fold(*LIFE).memory
    ends = {f.content for f in memory.facts.values() if f.status == "active"}
    assert ends == {f.content for f in whole.facts.values() if f.status == "active"}
    assert "User works in Porto" in ends
