"""Facts are taken over as they are (Q5)."""

from __future__ import annotations

from dataclasses import replace

import orjson

from state.export import fact_row
from state.facts import Fact
from tests.state.folding import Folding, claim, said, told


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


def test_another_products_words_are_judged_by_the_rules() -> None:
    """Q5, P3: an import is past no threshold"""
    anew = Folding()
    anew.fold(told("import", 1, "k1", (claim("User likes jazz", "m1", 1, confidence=0.6),), text="likes jazz"))
    anew.fold(told("import", 2, "k2", (claim("User likes tea", "m2", 2),), text="likes tea"))
    anew.fold(told("import", 3, "k3", (), text="?"))
    assert anew.active == ["User likes tea"]
    assert [event.rule for event in anew.events] == ["P3.floor", "R1.new", "Q5.left_out"]
    assert [event.command_id for event in anew.events] == ["k1", "k2", "k3"]
