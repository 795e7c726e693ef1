"""Facts are taken over as they are (Q5)."""

from __future__ import annotations

from dataclasses import replace

import orjson

from state.export import fact_row
from state.facts import Fact
from tests.state.builders import DAY_MS, START_MS
from tests.state.folding import POLICY, Folding, claim, said, told


def exported() -> list[Fact]:
    """Every version of a life with a change, a status that runs out and something forgotten, in their order."""
    life = Folding()
    life.say("User lives in Berlin", "User moved to Munich", "User likes tea", "User is visiting Rome")
    life.fold(told("forget", 5, text="tea"), said(claim("User has a dog", "m9", 300)))
    return [fact for change in life.changes for fact in change.facts]


def carried(fact: Fact, day: float = 400) -> object:
    ident = f"import/{fact.fact_id}/{fact.revision:08d}"
    row = orjson.dumps(fact_row(fact)).decode()
    return told("import", day, ident, fact=row)


def test_versions_end_in_the_same_memory() -> None:
    """Q5, R10: and nothing of it runs out while it comes in"""
    versions = exported()
    assert {fact.status for fact in versions} == {"active", "forgotten", "archived"}
    latest = {fact.fact_id: fact for fact in versions}
    anew = Folding()
    for number, fact in enumerate(versions):
        anew.fold(carried(fact, 400 + number))  # type: ignore[arg-type]  # told makes entries
    assert {f: replace(fact, embedding=b"") for f, fact in latest.items()} == anew.memory.facts
    assert {event.rule for event in anew.events} == {"Q5.imported"}
    assert {event.command_id for event in anew.events} == {e.entry_id for e in map(carried, versions)}  # type: ignore[attr-defined]


def test_what_memory_has_later_or_under_another_name_stays() -> None:
    """Q5"""
    tea = exported()[2]
    anew = Folding().fold(carried(replace(tea, revision=3)))  # type: ignore[arg-type]
    anew.fold(carried(tea, 401))  # type: ignore[arg-type]
    assert (anew.last.rule, anew.memory.facts[tea.fact_id].revision) == ("Q5.known", 3)
    anew.fold(carried(replace(tea, fact_id="another"), 402))  # type: ignore[arg-type]
    assert (anew.last.rule, list(anew.memory.facts)) == ("Q5.same", [tea.fact_id])


def test_what_was_forgotten_here_since_does_not_come_back_with_an_export() -> None:
    """F3, Q5: an export holds what was said before the forgetting; what memory has forgotten goes on being so"""
    tea = exported()[2]
    asked = {"text": "tea"}, {"fact_id": tea.fact_id}, {"namespace": tea.namespace}
    for way in asked:
        anew = Folding().fold(told("forget", 100, **way), carried(tea))  # type: ignore[arg-type]
        assert (anew.last.rule, anew.memory.facts) == ("F3.boundary", {})
        anew.fold(carried(replace(tea, last_said_at_ms=START_MS + 101 * DAY_MS), 401))  # type: ignore[arg-type]
        assert anew.active == [tea.content]
    gone = replace(tea, status="forgotten")
    assert Folding().fold(told("forget", 100, text="tea"), carried(gone)).fact("tea").status == "forgotten"  # type: ignore[arg-type]


def test_nothing_of_people_comes_in_where_policy_drops_them() -> None:
    """X8, Q5"""
    emma = replace(exported()[2], namespace=("people", "emma"), content="Emma likes tea", subject="Emma")
    anew = Folding(replace(POLICY, third_party="drop")).fold(carried(emma))  # type: ignore[arg-type]
    assert (anew.last.rule, anew.memory.facts) == ("X8.third_party", {})


def test_another_products_words_are_judged_by_the_rules() -> None:
    """Q5, P3: an import is past no threshold"""
    anew = Folding()
    anew.fold(told("import", 1, "k1", (claim("User likes jazz", "m1", 1, confidence=0.6),), text="likes jazz"))
    anew.fold(told("import", 2, "k2", (claim("User likes tea", "m2", 2),), text="likes tea"))
    anew.fold(told("import", 3, "k3", (), text="?"))
    assert anew.active == ["User likes tea"]
    assert [event.rule for event in anew.events] == ["P3.floor", "R1.new", "Q5.left_out"]
    assert [event.command_id for event in anew.events] == ["k1", "k2", "k3"]
