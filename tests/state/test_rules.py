"""The decision rules, row by row: what a new claim does to a known one (R1 to R11, the worked examples)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from state.decide import decide_table
from state.policy import RulesPolicy
from state.revising import added
from state.rules import Decision, Neighbour, decide
from tests.state.embedding_stub import embed
from tests.state.folding import POLICY, Folding, claim, read_triple, said

WORKED = [
    # current, new, event, the current fact afterwards
    ("User loves coffee", "User loves strong black coffee", "UPDATE", "User loves strong black coffee"),
    ("Emma lives in Berlin", "Emma moved to Munich", "UPDATE", "Emma moved to Munich"),
    (None, {"content": "User enjoys sushi", "confidence": 0.8}, "ADD", "User enjoys sushi"),
    (
        {"content": "User enjoys sushi", "confidence": 0.8},
        {"content": "User enjoys sushi", "confidence": 0.6},
        "NONE",
        "User enjoys sushi",
    ),
    ("User enjoys sushi", {"content": "User hates sushi", "confidence": 0.95}, "UPDATE", "User hates sushi"),
    (
        "User lives in Berlin",
        {"content": "User has never lived in Berlin", "confidence": 0.95},
        "DELETE",
        "User lives in Berlin",
    ),
    (
        "User prefers concise answers",
        "User prefers concise and formal answers",
        "UPDATE",
        "User prefers concise and formal answers",
    ),
    ("User lives in Mumbai", "User moved to Berlin", "UPDATE", "User moved to Berlin"),
    ("User lives in Seattle", "User lives in the Ballard neighborhood", "UPDATE", "User lives in Ballard, Seattle"),
    ("User is looking for a job", "User got a new job", "UPDATE", "User got a new job"),
    (
        "User works at a startup since 2026-01",
        "User has been at the job for 3 months",
        "NONE",
        "User works at a startup since 2026-01",
    ),
    (None, {"content": "User likes jazz", "confidence": 0.6}, "NONE", "User likes jazz"),
]


def _row(row: str | dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"intensity": 0.5, "confidence": 0.9, **({"content": row} if isinstance(row, str) else row), **more}


TWO_ATTRIBUTES = [
    ({"predicate": "sleeps", "object": "at 6"}, "User gets up at 6", "User goes to bed at ten", "at ten"),
    ({"predicate": "pays_rent", "object": "690"}, "User pays 690 of rent", "User pays 95 for power", "95"),
    (
        {"predicate": "lives_in", "object": "New York"},
        "User lives in New York",
        "User lives on York Street",
        "York Street",
    ),
    ({"predicate": "lives_in", "object": "Turin"}, "User lives in Turin", "User has lived in Naples", "Naples"),
]


@pytest.mark.parametrize(("fields", "current", "new", "obj"), TWO_ATTRIBUTES)
def test_what_shares_an_attribute_and_answers_another_question_stands_beside_it(
    fields: dict[str, Any], current: str, new: str, obj: str
) -> None:
    """R6, R7: bedtime and getting up, rent and power, a town and a street, where one lives and where one has lived."""
    rows = decide_table(
        [_row(current, id="f1", **fields)], [_row(new, **{**fields, "object": obj})], embed, read_triple
    )
    assert [row["event"] for row in rows] == ["NONE", "ADD"]


@pytest.mark.parametrize(
    ("whole", "part", "joined"),
    [
        (("User lives in chicago", "chicago"), ("User lives in the pilsen neighborhood", "pilsen"), "pilsen, chicago"),
        (("User's home is in Melbourne", "Melbourne"), ("User lives in the Fitzroy district", "Fitzroy"), None),
        (("User lives in Leeds", "Leeds"), ("User's flat is in the Hyde Park area", "Hyde Park"), None),
    ],
)
def test_a_part_of_a_town_joins_it_however_both_are_said(
    whole: tuple[str, str], part: tuple[str, str], joined: str | None
) -> None:
    """R2, R11"""
    first, second = (
        claim(content, f"m{day}", day, predicate="lives_in", object=place)
        for day, (content, place) in enumerate((whole, part))
    )
    folding = Folding().fold(said(first), said(second))
    assert [event.event for event in folding.changes[-1].events] == ["UPDATE"]
    [active] = folding.active
    assert active.endswith(joined or f"{part[1]}, {whole[1]}")


def test_a_described_quarter_is_no_named_part() -> None:
    """R7"""
    town = claim("User lives in Leeds", "m0", 0)
    quarter = claim("User lives in a quiet neighborhood", "m1", 1, object="quiet neighborhood")
    assert len(Folding().fold(said(town), said(quarter)).active) == 2


@pytest.mark.parametrize(
    ("known", "where", "events"),
    [
        ("User works at a garden centre", "at the garden centre", ["REINFORCE"]),
        ("User works at a garden centre", "at the hospital", ["ADD"]),
    ],
)
def test_how_long_one_has_been_where_one_works_is_no_second_fact(known: str, where: str, events: list[str]) -> None:
    """R10"""
    first = claim(known, "m0", 0, predicate="works_at", object=known.partition(" at ")[2])
    since = claim(f"User has been {where} since February 2026", "m1", 120, predicate="states", object=where)
    folding = Folding().fold(said(first), said(since))
    assert [event.event for event in folding.changes[-1].events] == events
    assert known in folding.active


def test_a_value_in_another_spelling_is_no_other_value() -> None:
    """R5, R7: half past six and 6:30 are one time of day."""
    fields = {"predicate": "sleeps"}
    rows = decide_table(
        [_row("User gets up at half past six", id="f1", object="at half past six", **fields)],
        [_row("User gets up at 6:30", object="at 6:30", **fields)],
        embed,
        read_triple,
    )
    assert [(row["event"], row["rule"]) for row in rows] == [("NONE", "R5.restated")]


@pytest.mark.parametrize(("current", "new", "event", "content"), WORKED)
def test_worked_example(current: Any, new: Any, event: str, content: str) -> None:
    """REQUIREMENTS, worked examples: the table, as `factstream decide` answers it."""
    before = [] if current is None else [_row(current, id="f1")]
    rows = decide_table(before, [_row(new)], embed, read_triple)
    assert len(rows) == 1
    assert (rows[0]["event"], rows[0]["content"]) == (event, content)
    assert rows[0]["id"] == "f1" or current is None


def test_worked_example_where_polarity_change_deletes() -> None:
    """R3: with polarity_change delete, the turned preference is a DELETE."""
    policy = RulesPolicy(third_party="keep", propose_kinds=(), polarity_change="delete")
    rows = decide_table(
        [_row("User enjoys sushi", id="f1")], [_row("User hates sushi", confidence=0.95)], embed, read_triple, policy
    )
    assert [(row["id"], row["event"]) for row in rows] == [("f1", "DELETE")]


@pytest.mark.parametrize(
    ("current", "new", "namespace"),
    [
        ("User has a cat", "User has a dog", ["user", "pets"]),
        ("User lives in Lyon", "Assistant recommended LangGraph", ["assistant", "recommendations"]),
    ],
)
def test_worked_example_that_leaves_the_other_untouched(current: str, new: str, namespace: list[str]) -> None:
    """REQUIREMENTS, worked examples; X9, R7."""
    rows = decide_table([_row(current, id="f1")], [_row(new)], embed, read_triple)
    assert [(row["content"], row["event"]) for row in rows] == [(current, "NONE"), (new, "ADD")]
    assert rows[1]["namespace"] == namespace


def test_decide_takes_several_new_facts_in_order() -> None:
    """INTERFACE, decide: ids of current facts are kept, new ones made, in the order given."""
    rows = decide_table(
        [_row("User lives in Berlin", id="a"), _row("User likes tea", id="b")],
        [_row("User moved to Munich"), _row("User likes coffee"), _row("User likes strong coffee")],
        embed,
        read_triple,
    )
    assert [(row["content"], row["event"]) for row in rows] == [
        ("User moved to Munich", "UPDATE"),
        ("User likes tea", "NONE"),
        ("User likes strong coffee", "ADD"),
    ]
    assert [row["id"] for row in rows[:2]] == ["a", "b"]


def test_decide_names_the_fact_without_content() -> None:
    """An error names the thing, the value, the expectation and the remedy."""
    with pytest.raises(ValueError, match=r"fact 'x7' has content None, expected a sentence"):
        decide_table([{"id": "x7"}], [], embed, read_triple)


# current facts, the new claim, the expected last event and rule, the active contents afterwards
ROWS: list[tuple[list[str], str, str, str, list[str]]] = [
    # R2: completes
    (["User has a cat"], "User has a cat called Miso", "UPDATE", "R2.completes", ["User has a cat called Miso"]),
    (["User's name is Ilse"], "User's name is Ilse Brandt", "UPDATE", "R2.completes", ["User's name is Ilse Brandt"]),
    (
        ["User lives in Graz"],
        "User lives in Lend, a district of Graz",
        "UPDATE",
        "R2.completes",
        ["User lives in Lend, a district of Graz"],
    ),
    (
        ["User lives in the Altona quarter"],
        "User lives in Hamburg",
        "UPDATE",
        "R2.completes",
        ["User lives in Altona, Hamburg"],
    ),
    (["User lives in London"], "User lives in north London", "UPDATE", "R2.completes", ["User lives in north London"]),
    # R2: contradicts an objective single value
    (["User lives in York"], "User lives in New York", "UPDATE", "R2.contradicts", ["User lives in New York"]),
    (["User works in Amsterdam"], "User works in Utrecht", "UPDATE", "R2.contradicts", ["User works in Utrecht"]),
    (["User is 34 years old"], "User is 35 years old", "UPDATE", "R2.corrects", ["User is 35 years old"]),
    (["User pays 900 rent"], "User pays 950 rent a month", "UPDATE", "R2.contradicts", ["User pays 950 rent a month"]),
    (["User has two cats"], "User has three cats", "UPDATE", "R2.corrects", ["User has three cats"]),
    (["User is married"], "User is divorced", "UPDATE", "R2.contradicts", ["User is divorced"]),
    (["User works as a nurse"], "User is retired", "UPDATE", "R2.contradicts", ["User is retired"]),
    # R2: former things
    (["User lives in Toronto"], "User used to live in Toronto", "UPDATE", "R2.ended", ["User used to live in Toronto"]),
    (["User works at Brio"], "User left Brio", "UPDATE", "R2.ended", ["User left Brio"]),
    (["User works at Brio"], "User left the job", "UPDATE", "R2.ended", ["User left the job"]),
    # R3
    (["User loves ramen"], "User has gone off ramen", "UPDATE", "R3.polarity", ["User has gone off ramen"]),
    (["User loves black coffee"], "User hates coffee", "UPDATE", "R3.polarity", ["User hates coffee"]),
    (["User hates coffee"], "User loves coffee", "UPDATE", "R3.polarity", ["User loves coffee"]),
    (
        ["User dislikes green tea", "User likes tea"],
        "User dislikes tea",
        "UPDATE",
        "R3.polarity",
        ["User dislikes green tea", "User dislikes tea"],
    ),
    (
        ["User loves coffee"],
        "User hates instant coffee",
        "ADD",
        "R1.new",
        ["User hates instant coffee", "User loves coffee"],
    ),
    (
        ["User prefers Terraform over Pulumi"],
        "User prefers Pulumi over Terraform",
        "UPDATE",
        "R3.polarity",
        ["User prefers Pulumi over Terraform"],
    ),
    # R4
    (["User has a pilot's licence"], "User has never had a pilot's licence", "DELETE", "R4.negation", []),
    (["User has a cat called Miso"], "User does not have a cat", "DELETE", "R4.negation", []),
    (
        ["User has a cat"],
        "User does not have a cat called Miso",
        "ADD",
        "R1.new",
        ["User does not have a cat called Miso", "User has a cat"],
    ),
    (
        ["User lives in Berlin"],
        "User does not live in Munich",
        "NONE",
        "R4.nothing_to_negate",
        ["User lives in Berlin"],
    ),
    ([], "User does not drink alcohol", "ADD", "R1.new", ["User does not drink alcohol"]),
    ([], "User cannot swim", "ADD", "R1.new", ["User cannot swim"]),
    ([], "User is not a vegetarian", "ADD", "R1.new", ["User is not a vegetarian"]),
    (
        ["User dislikes fantasy football"],
        "User likes football",
        "ADD",
        "R1.new",
        ["User dislikes fantasy football", "User likes football"],
    ),
    (["User hates coffee"], "User loves black coffee", "UPDATE", "R3.polarity", ["User loves black coffee"]),
    (
        ["User works at Brio for 14 years"],
        "User works at Brio for 15 years",
        "UPDATE",
        "R2.corrects",
        ["User works at Brio for 15 years"],
    ),
    (
        ["User works at Brio for 14 years"],
        "User works at Brio for 14 years now",
        "REINFORCE",
        "R5.restated",
        ["User works at Brio for 14 years"],
    ),
    (
        ["User's name is Tom"],
        "User's middle name is Lee",
        "ADD",
        "R1.new",
        ["User's middle name is Lee", "User's name is Tom"],
    ),
    (
        ["User works as a doctor"],
        "User is unemployed",
        "ADD",
        "R1.new",
        ["User is unemployed", "User works as a doctor"],
    ),
    (
        ["User lives in Maui"],
        "User lives in Maui 5 years",
        "REINFORCE",
        "R10.refines_date",
        ["User lives in Maui"],
    ),
    (
        ["User has two cats"],
        "User does not have a cat any more",
        "DELETE",
        "R4.negation",
        [],
    ),
    (["User drinks alcohol"], "User does not drink alcohol", "DELETE", "R4.negation", []),
    ([], "User has never been to Vermont", "ADD", "R1.new", ["User has never been to Vermont"]),
    (
        ["User lives in Seattle"],
        "User lives in a house near a lake",
        "ADD",
        "R1.new",
        ["User lives in Seattle", "User lives in a house near a lake"],
    ),
    (["User has cats"], "User has a sick cat", "ADD", "R1.new", ["User has a sick cat", "User has cats"]),
    ([], "User has never had a pilot's licence", "NONE", "R4.nothing_to_negate", []),
    (["User smokes"], "User does not smoke", "DELETE", "R4.negation", []),
    (["User smokes"], "User does not smoke anymore", "UPDATE", "R2.contradicts", ["User does not smoke anymore"]),
    (["User does not smoke anymore"], "User smokes", "UPDATE", "R2.contradicts", ["User smokes"]),
    # R5
    (["User owns two ferrets"], "User owns two ferrets", "REINFORCE", "R5.restated", ["User owns two ferrets"]),
    (
        ["User loves strong black coffee"],
        "User loves coffee",
        "REINFORCE",
        "R5.vaguer",
        ["User loves strong black coffee"],
    ),
    # R7: what looks alike and is not
    (
        ["User lives in Berlin"],
        "User works in Berlin",
        "ADD",
        "R1.new",
        ["User lives in Berlin", "User works in Berlin"],
    ),
    (
        ["User is married to Anna"],
        "User has a sister called Anna",
        "ADD",
        "R1.new",
        ["User has a sister called Anna", "User is married to Anna"],
    ),
    (
        ["User works at Brio"],
        "User works at Fennel Labs",
        "ADD",
        "R1.new",
        ["User works at Brio", "User works at Fennel Labs"],
    ),
    (
        ["User has a cat called Miso"],
        "User has a cat called Tofu",
        "ADD",
        "R1.new",
        ["User has a cat called Miso", "User has a cat called Tofu"],
    ),
    (["User has a dog"], "User got another dog", "ADD", "R1.new", ["User got another dog", "User has a dog"]),
    (
        ["User likes football"],
        "User likes football video games",
        "ADD",
        "R1.new",
        ["User likes football", "User likes football video games"],
    ),
    (
        ["User likes green tea"],
        "User likes black tea",
        "ADD",
        "R1.new",
        ["User likes black tea", "User likes green tea"],
    ),
    (
        ["Emma lives in Berlin"],
        "Omar lives in Munich",
        "ADD",
        "R1.new",
        ["Emma lives in Berlin", "Omar lives in Munich"],
    ),
    (
        ["User plans to visit Rome in May"],
        "User plans to visit Oslo in May",
        "ADD",
        "R1.new",
        ["User plans to visit Oslo in May", "User plans to visit Rome in May"],
    ),
    # R10
    (
        ["User is looking for a job"],
        "User works at Nordlicht",
        "UPDATE",
        "R10.status_to_fact",
        ["User works at Nordlicht"],
    ),
    (
        ["User is looking for a new flat"],
        "User found a flat in Aarhus",
        "UPDATE",
        "R10.status_to_fact",
        ["User found a flat in Aarhus"],
    ),
    (
        ["User is trying to buy a boat"],
        "User bought a boat in Hull",
        "UPDATE",
        "R10.status_to_fact",
        ["User bought a boat in Hull"],
    ),
    (
        ["User is seeking employment"],
        "User got a job at the mint",
        "UPDATE",
        "R10.status_to_fact",
        ["User got a job at the mint"],
    ),
    (
        ["User is trying to buy a boat"],
        "User repaired a boat",
        "ADD",
        "R1.new",
        ["User is trying to buy a boat", "User repaired a boat"],
    ),
    (["User is job hunting"], "User works at Ikea", "UPDATE", "R10.status_to_fact", ["User works at Ikea"]),
    (
        ["User works as a junior developer"],
        "User works as a senior developer",
        "UPDATE",
        "R2.contradicts",
        ["User works as a senior developer"],
    ),
    (
        ["User works as a developer"],
        "User works as a dancer",
        "ADD",
        "R1.new",
        ["User works as a dancer", "User works as a developer"],
    ),
    (
        ["User has a sister called Rosa"],
        "User has a sister called Mia",
        "ADD",
        "R1.new",
        ["User has a sister called Mia", "User has a sister called Rosa"],
    ),
    (["User wants to buy a boat"], "User bought a boat", "UPDATE", "R10.status_to_fact", ["User bought a boat"]),
    (
        ["User plans to move to Munich"],
        "User moved to Munich",
        "UPDATE",
        "R10.status_to_fact",
        ["User moved to Munich"],
    ),
    (
        ["User started a new job at a bakery"],
        "User has been at the bakery job for three months",
        "REINFORCE",
        "R10.refines_date",
        ["User started a new job at a bakery"],
    ),
]


@pytest.mark.parametrize(("current", "new", "event", "rule", "active"), ROWS)
def test_rule(current: list[str], new: str, event: str, rule: str, active: list[str]) -> None:
    """R1 to R11 with R13: the event, the rule that it names, and what is active afterwards."""
    folding = Folding().say(*current).say(new)
    own = [e for e in folding.changes[-1].events if e.event != "ARCHIVE"]
    assert [(e.event, e.rule) for e in own] == [(event, rule)]
    assert folding.active == active


def _decided(current: str, new: str, similarity: float | None, relation: str | None = None, **fields: Any) -> Decision:
    candidate = claim(new, "m2", 1, **fields)
    known = claim(current, "m1", 0)
    fact = added(known, Decision("ADD", ""), known.said_at_ms, POLICY)
    return decide(candidate, [Neighbour(fact, similarity, relation)], POLICY)


@pytest.mark.parametrize(
    ("current", "new", "similarity", "action", "rule"),
    [
        ("User bikes to work every day", "User commutes by cycling", 0.83, "REINFORCE", "R5.restated"),
        ("User bikes to work every day", "User commutes by cycling", 0.55, "ADD", "R1.new"),
        ("User's flat is on the fourth floor", "User's flat is on the second floor", 0.91, "ADD", "R1.new"),
        ("User's locker number is 12", "User's locker number is 14", 0.95, "UPDATE", "R2.corrects"),
        ("User runs 5 km on Monday", "User runs on Friday with Omar", 0.85, "ADD", "R1.new"),
        ("User exercises in the morning", "User exercises in the evening", 0.93, "ADD", "R1.new"),
        ("User goes to Rome in May", "User goes to Rome in June", 0.95, "UPDATE", "R2.corrects"),
        ("User's flat has a balcony", "User's flat does not have a balcony", 0.88, "DELETE", "R4.negation"),
        ("User was asked to go to a fair in Lyon", "User has not been to a fair", 0.74, "ADD", "R1.new"),
        ("User has not been to a fair", "User was asked to go to a fair in Lyon", 0.74, "ADD", "R1.new"),
        ("User is trying to register to vote", "User is not registered to vote", 0.89, "ADD", "R1.new"),
        ("User likes coffee", "User does not like coffee", 0.88, "UPDATE", "R3.polarity"),
        ("User can swim", "User cannot swim", 0.88, "DELETE", "R4.negation"),
        ("User speaks Dutch", "User speaks Danish", 0.86, "ADD", "R1.new"),
    ],
)
def test_a_similarity_decides_nothing_alone(current: str, new: str, similarity: float, action: str, rule: str) -> None:
    """R7: with the cosines that an embedder gives, words, numbers, names and negation decide."""
    decision = _decided(current, new, similarity)
    assert (decision.action, decision.rule) == (action, rule)


@pytest.mark.parametrize(
    ("current", "new", "active"),
    [
        ("User works at Harlow Mills", "User works at Denby", ["User works at Denby"]),
        ("User prefers paper tickets", "User prefers digital tickets", ["User prefers digital tickets"]),
        ("User drives a Fiat", "User drives a Skoda", ["User drives a Skoda"]),
        ("User prefers paper tickets", "User prefers aisle seats", None),
        ("User speaks Polish", "User speaks Welsh", None),
        ("User likes jazz", "User likes techno", None),
        ("User works at Harlow Mills", "User works at another firm, Denby", None),
    ],
)
def test_what_holds_now_takes_the_place_of_what_one_has_one_of(
    current: str, new: str, active: list[str] | None
) -> None:
    """R2: "I work for Denby now" ends the job before; without such a word, or of what one has many of, both stay"""
    both = sorted([current, new])
    assert sorted(Folding().say(current).say(new, renewed=True).active) == (active or both)
    assert sorted(Folding().say(current).say(new).active) == both


@pytest.mark.parametrize(
    ("minutes", "conversation", "active"),
    [
        (1, "c1", ["User has a dog called Lana"]),
        (30, "c1", ["User has a dog called Lana", "User has a dog called Luna"]),
        (1, "c2", ["User has a dog called Lana", "User has a dog called Luna"]),
    ],
)
def test_a_correction_takes_the_place_of_what_was_said_just_before(
    minutes: int, conversation: str, active: list[str]
) -> None:
    """R2: "sorry, I meant Lana" a minute later in the same conversation; other values of the attribute stay"""
    old = claim("User has a dog called Bella", "m0", 0)
    wrong = claim("User has a dog called Luna", "m1", 9)
    right = claim("User has a dog called Lana", "m2", 9 + minutes / 1440, corrects=True)
    right = replace(right, source=replace(right.source, conversation_id=conversation))
    folding = Folding().fold(said(old), said(wrong), said(right))
    assert sorted(folding.active) == sorted(["User has a dog called Bella", *active])


@pytest.mark.parametrize(
    ("current", "new", "stays"),
    [
        ("User owns a canoe", "User sold their canoe", False),
        ("User has a dog called Kiwi", "User's dog Kiwi died", False),
        ("User owns a canoe", "User sold their bike", True),
        ("User owns three canoes", "User sold their canoe", True),
        ("User owns a canoe", "User sold a canoe", True),
    ],
)
def test_what_is_sold_or_dead_is_no_longer_had(current: str, new: str, stays: bool) -> None:
    """R10: what one had is archived beside the news"""
    folding = Folding().say(current).say(new)
    expected = [current, new] if stays else [new]
    assert sorted(folding.active) == sorted(expected)


@pytest.mark.parametrize(
    ("relation", "action", "rule"),
    [
        ("same", "REINFORCE", "R5.restated"),
        ("refines", "UPDATE", "R2.completes"),
        ("replaces", "UPDATE", "R2.contradicts"),
        ("negates", "DELETE", "R4.negation"),
        ("other", "ADD", "R1.new"),
    ],
)
def test_a_judged_relation_takes_the_place_of_the_comparison_by_words(relation: str, action: str, rule: str) -> None:
    """R2, R4, R5: each relation that a pair judge may give."""
    decision = _decided("User owns a sailing dinghy", "User owns a small boat", 0.7, relation)
    assert (decision.action, decision.rule) == (action, rule)


@pytest.mark.parametrize(
    ("current", "new", "fields"),
    [
        ("User drinks beer", "User does not drink wine", {"predicate": "drinks_alcohol", "object": "alcohol"}),
        ("User has two cats", "User is not getting any more cats", {"predicate": "has_pet", "object": "cats"}),
        ("User has a dog called Rex", "User does not have another dog", {"predicate": "has_pet", "object": "dog"}),
    ],
)
def test_a_denial_of_something_else_deletes_nothing(current: str, new: str, fields: dict[str, Any]) -> None:
    """R4, R7: not wine, not one more: compatible with what is held."""
    known = claim(current, "m1", 0, **(fields if "beer" in current else {}))
    fact = added(known, Decision("ADD", ""), known.said_at_ms, POLICY)
    denial = claim(new, "m2", 1, polarity=False, confidence=0.97, **fields)
    assert decide(denial, [Neighbour(fact, 0.85)], POLICY).rule in ("R1.new", "R4.nothing_to_negate")


def test_a_judge_cannot_join_two_subjects() -> None:
    """R7: overlap needs the same subject, whatever the judge says."""
    assert _decided("Emma lives in Berlin", "User lives in Berlin", 0.9, "same").rule == "R1.new"


@pytest.mark.parametrize(
    ("confidence", "action", "rule"), [(0.90, "DELETE", "R4.negation"), (0.89, "FLAG", "R4.unsure")]
)
def test_a_negation_deletes_from_090_and_is_flagged_below(confidence: float, action: str, rule: str) -> None:
    """R4: DELETE at confidence 0.90, a flag between 0.70 and 0.90."""
    decision = _decided("User owns a boat", "User owns no boat", 0.9, confidence=confidence, predicate="owns",
                        object="a boat", polarity=False)  # fmt: skip
    assert (decision.action, decision.rule) == (action, rule)


@pytest.mark.parametrize(
    ("fields", "action", "content"),
    [
        ({"confidence": 0.97}, "UPDATE", "User likes tea"),
        ({"confidence": 0.96}, "REINFORCE", "User likes tea"),
        ({"intensity": 0.55}, "UPDATE", "User likes tea"),
        ({"intensity": 0.54}, "REINFORCE", "User likes tea"),
    ],
)
def test_scores_rise_only_by_the_asked_gain(fields: dict[str, Any], action: str, content: str) -> None:
    """R2, R5: higher by 0.05 at least; for the same triple the wording stays."""
    decision = _decided("User likes tea", "User likes tea", 1.0, **fields)
    assert (decision.action, decision.content) == (action, content)


def test_a_stronger_attitude_takes_the_wording() -> None:
    """R2, R6: among wordings of one claim the stronger of two equally sure ones wins; a weaker one does not."""
    assert _decided("User likes tea", "User loves tea", 0.9, intensity=0.9).content == "User loves tea"
    weaker = _decided("User loves tea", "User likes tea", 0.9, intensity=0.3)
    assert (weaker.action, weaker.content) == ("REINFORCE", "User loves tea")


@pytest.mark.parametrize(
    ("current", "new", "keeps"),
    [
        ("User lives in Berlin", "User lives in Paris", True),
        ("User loves ramen", "User hates ramen", True),
        ("User owns a boat", "User has never owned a boat", False),
    ],
)
def test_an_earlier_statement_never_overturns_a_later_one(current: str, new: str, keeps: bool) -> None:
    """R6: the later event time wins; the earlier value is kept in history."""
    candidate = (
        claim(new, "m0", -30, predicate="owns", object="a boat", polarity=False) if not keeps else claim(new, "m0", -30)
    )
    known = claim(current)
    fact = added(known, Decision("ADD", ""), known.said_at_ms, POLICY)
    decision = decide(candidate, [Neighbour(fact, 0.9)], POLICY)
    assert (decision.action, decision.rule, decision.keep) == ("NONE", "R6.later", keeps)


def test_a_lower_source_rank_contradicts_and_does_not_replace() -> None:
    """R6, R9: what a peer says stands flagged beside the user's own statement."""
    folding = Folding().say("User lives in Berlin").say("User lives in Paris", source_rank=2)
    berlin, paris = folding.fact("Berlin"), folding.fact("Paris")
    assert (berlin.contradicts, paris.contradicts) == ((paris.fact_id,), (berlin.fact_id,))
    assert [event.event for event in folding.changes[-1].events] == ["ADD", "FLAG"]


def test_two_values_in_one_message_both_stay() -> None:
    """R7: "I live in Berlin and in Paris" are two homes, not a move."""
    folding = Folding().fold(said(claim("User lives in Berlin"), claim("User lives in Paris")))
    assert folding.active == ["User lives in Berlin", "User lives in Paris"]


def test_a_later_single_value_ends_all_earlier_ones() -> None:
    """R6: one home updated, the other archived."""
    folding = Folding().fold(said(claim("User lives in Berlin"), claim("User lives in Paris")))
    folding.fold(said(claim("User moved to Munich", "m2", 2)))
    assert folding.active == ["User moved to Munich"]
    assert sorted(e.event for e in folding.changes[-1].events) == ["ARCHIVE", "UPDATE"]


def test_losing_the_work_ends_the_employment() -> None:
    """R2: "is unemployed" stands, what it ended is archived."""
    folding = Folding().say("User works at Brio", "User is unemployed")
    assert (folding.active, folding.of("archived")) == (["User is unemployed"], ["User works at Brio"])


def test_a_search_ends_when_the_job_is_known_in_two_claims() -> None:
    """R10: the search becomes the job; a second claim of the same message about it completes it."""
    folding = Folding().say("User is looking for a job")
    folding.fold(said(claim("User got a new job", "m9", 9), claim("User works at Nordlicht", "m9", 9)))
    assert folding.active == ["User works at Nordlicht"]


def test_a_denial_deletes_every_fact_that_it_denies() -> None:
    """R4: no licence at all means none of two."""
    folding = Folding().say("User has a pilot's licence", "User has a glider pilot's licence")
    folding.say("User has no pilot's licence")
    assert folding.active == []
