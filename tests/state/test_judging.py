"""The gates around a pair judge: what its word may do to a memory, and what it may not (R2 to R7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from state import judging
from state.facts import Fact
from state.judging import Judged
from state.revising import added
from state.rules import Decision, decide
from tests.state.folding import POLICY, claim


def _fact(content: str, number: int = 1, **fields: Any) -> Fact:
    known = claim(content, f"m{number}", 0, **fields)
    return added(known, Decision("ADD", ""), known.said_at_ms, POLICY)


def _gated(first: str, second: str, similarity: float | None, judged: Judged | None, **fields: Any) -> str:
    return judging.gated(claim(second, "new", 9, **fields), _fact(first), similarity, judged, POLICY)


@pytest.mark.parametrize(
    ("first", "second", "similarity", "judged", "relation"),
    [
        ("User owns a sailing dinghy", "User owns a small boat for sailing", 0.8, ("same", 0.9), "same"),
        ("User sings in a choir", "User sings in a choir that tours in May", 0.8, ("refines", 0.9), "refines"),
        ("User owns a kayak", "User sold the kayak", 0.8, ("negates", 0.95), "ends"),
        ("User owns a kayak", "User does not own any kayak", 0.8, ("negates", 0.95), "negates"),
        ("User paints houses", "User gave up house painting", 0.6, ("negates", 0.65), "ends"),
        ("User's uncle lives in Varna", "User's uncle lives in Plovdiv", 0.6, ("replaces", 0.95), "replaces"),
        ("User's uncle is 61", "User's uncle turned 62", 0.8, ("replaces", 0.95), "replaces"),
        ("User rides the tram to the office", "User now walks to the office", 0.7, ("replaces", 0.95), "replaces"),
        ("User likes brass bands", "User has lost all love of brass bands", 0.8, ("negates", 0.95), "other"),
        (
            "User is saving for a boat",
            "User is saving for a van instead of a boat",
            0.9,
            ("replaces", 0.95),
            "replaces",
        ),
        ("User plays the cello", "User plays the cello again, daily", 0.9, ("replaces", 0.95), "refines"),
        ("User is a Buddhist", "User practises Buddhism", 0.76, ("same", 0.95), "same"),
        ("User's skipper shouts", "User's skipper was fired", 0.7, ("negates", 0.95), "ends"),
    ],
)
def test_a_sure_judge_decides_what_the_rules_leave_open(
    first: str, second: str, similarity: float, judged: Judged, relation: str
) -> None:
    """R2, R4, R5: where words allow it and nothing speaks against it."""
    fields = {"predicate": "likes"} if first.startswith("User likes") else {}
    assert _gated(first, second, similarity, judged, **fields) in (relation, "turns")


@pytest.mark.parametrize("relation", ["same", "refines", "replaces", "negates"])
def test_an_unsure_judge_changes_nothing(relation: str) -> None:
    """R7: below its threshold a judgement counts for nothing."""
    pair = ("User owns a kayak", "User has a boat for paddling and loves it")
    assert _gated(*pair, 0.8, (relation, judging.SURE_MIN[relation] - 0.01)) == _gated(*pair, 0.8, None)


@pytest.mark.parametrize(
    ("first", "second", "judged"),
    [
        ("User runs 5 km on Monday", "User runs 8 km with Omar on Monday", ("same", 0.99)),
        ("User has a sister called Mia", "User has a sister called Mila", ("same", 0.99)),
        ("User swims in the sea", "User does not swim in the sea", ("refines", 0.99)),
        ("User has a cat", "User has a dog", ("replaces", 0.99)),
        ("User speaks Dutch", "User speaks Danish", ("replaces", 0.99)),
        ("User likes tea", "User likes coffee", ("replaces", 0.99)),
        ("User plays the harp", "User plays the flute", ("negates", 0.99)),
        ("User reads poems", "User cooks soup", ("negates", 0.99)),
        ("User loves horses", "User does not have a dog", ("negates", 0.99)),
        ("User rents a room", "User plans to buy a house with rooms", ("replaces", 0.99)),
    ],
)
def test_no_judge_is_sure_enough_against_the_rules(first: str, second: str, judged: Judged) -> None:
    """R7: numbers, names and negation must agree, and what has many values never contradicts."""
    assert _gated(first, second, 0.9, judged) == _gated(first, second, 0.9, None) != judged[0]


def test_a_word_of_change_in_both_sentences_tells_of_none() -> None:
    """R7: who used to be a painter has not changed by being not what they used to be; a judge must be surer."""
    known = _fact("User used to be a painter at the docks", predicate="worked_as")
    new = claim("User is not at the docks as they used to be", "new", 9, predicate="states")
    assert judging.gated(new, known, 0.6, ("negates", 0.7), POLICY) == "other"


def test_an_opinion_turns_without_a_negation_where_a_judge_is_sure() -> None:
    """R3: nobody thinks one thing ugly and lovely; an unsure judge leaves both."""
    known = _fact("User thinks the harbour is ugly", predicate="thinks")
    new = claim("User thinks the harbour is lovely", "new", 9, predicate="thinks")
    assert judging.gated(new, known, 0.9, ("replaces", 0.95), POLICY) == "replaces"
    assert judging.gated(new, known, 0.9, ("replaces", 0.80), POLICY) == "other"


@pytest.mark.parametrize(
    ("first", "second", "judged", "names"),
    [
        ("User has three kids", "User has kids", ("replaces", 0.99), ("has_children", "has_children")),
        ("User works as a stage designer", "User's stage carpenter died", ("negates", 0.99), ("works_as", "states")),
        ("User broke a wrist", "User's wrist is now in a splint", ("replaces", 0.99), ("experienced", "states")),
    ],
)
def test_no_judge_takes_what_the_new_words_leave_standing(
    first: str, second: str, judged: Judged, names: tuple[str, str]
) -> None:
    """R7, R11: less said again takes nothing back, another's end ends nothing, and what happened stays so."""
    known, new = _fact(first, predicate=names[0]), claim(second, "new", 9, predicate=names[1])
    assert judging.gated(new, known, 0.87, judged, POLICY) in ("vaguer", "other")


@pytest.mark.parametrize(
    ("first", "second", "objects", "second_predicate", "relation"),
    [
        (
            "User has a labradoodle called Otto", "User's dog Otto died on May 25, 2026",
            ("labradoodle called Otto", "dog died"), "states", "ends",
        ),
        (
            "User has a labradoodle called Otto", "User's dog Bello died on May 25, 2026",
            ("labradoodle called Otto", "dog died"), "states", "other",
        ),
        (
            "User has three alpacas on the farm", "User has three alpacas",
            ("three alpacas on the farm", "three alpacas"), "has_pet", "vaguer",
        ),
        (
            "User has three alpacas on the farm", "User has two alpacas",
            ("three alpacas on the farm", "two alpacas"), "has_pet", "other",
        ),
    ],
)  # fmt: skip
def test_a_named_animal_s_end_and_the_same_count_again_need_no_judge(
    first: str, second: str, objects: tuple[str, str], second_predicate: str, relation: str
) -> None:
    """R5, R10"""
    known = _fact(first, predicate="has_pet", object=objects[0])
    new = claim(second, "new", 9, predicate=second_predicate, object=objects[1])
    assert judging.gated(new, known, 0.8, ("other", 0.95), POLICY) == relation


def test_a_judge_ends_nothing_of_another_subject() -> None:
    """R7: the subject comes first, however alike the words are."""
    assert _gated("Emma plays the harp", "User no longer plays the harp", 0.95, ("negates", 1.0)) == "other"


def test_pairs_that_are_hardly_alike_are_left_alone() -> None:
    """R7: below the floor of similarity there is nothing to judge."""
    assert _gated("User owns a kayak", "User let the kayak go", None, ("negates", 1.0)) == "other"
    assert _gated("User owns a kayak", "User let the kayak go", 0.45, ("negates", 1.0)) == "other"


def test_a_judge_can_hold_the_rules_back() -> None:
    """R7: both must agree before a fact gives way; a judge that sees two things leaves both."""
    pair = ("User plans to walk the coast path", "User has walked the coast path plan through with Ana")
    assert _gated(*pair, 0.8, None, predicate="experienced") in ("fulfils", "other")
    assert _gated(*pair, 0.8, ("other", 0.97), predicate="experienced") == "other"


def test_a_later_value_of_an_attribute_that_holds_one_needs_no_judge() -> None:
    """R6: whatever a judge makes of the wording, one lives in one place."""
    pair = ("User lives in Berlin", "User moved to Munich in January 2026")
    assert _gated(*pair, 0.7, ("other", 0.99)) == "replaces"


def test_a_judge_is_asked_about_the_most_alike_facts_first_and_about_few() -> None:
    """The reconcile step's cost is bounded, whatever a user's memory holds."""
    facts = [_fact(f"User owns a kayak number {word}", number) for number, word in enumerate("abcdefghijklmn")]
    similarities = {fact.fact_id: 0.6 + index / 100 for index, fact in enumerate(facts)}
    asked = judging.open_facts(claim("User sold the kayak", "new", 9), facts, similarities, POLICY)
    assert asked == list(reversed(facts))[: judging.PAIRS_MAX]


def test_a_judge_is_not_asked_where_the_same_words_are_known() -> None:
    """R5: a restatement word by word needs no model."""
    facts = [_fact("User owns a kayak", 1), _fact("User owns a red kayak", 2)]
    similarities = {facts[0].fact_id: 1.0, facts[1].fact_id: 0.9}
    assert judging.open_facts(claim("User owns a kayak", "new", 9), facts, similarities, POLICY) == []


def test_a_judge_is_not_asked_whether_a_move_and_a_home_in_one_place_are_one() -> None:
    """R5: who moved to Ghent and lives in Ghent has one home"""
    moved = _fact("User moved to Ghent", predicate="moved_to", object="Ghent")
    candidate = claim("User lives in Ghent", "new", 9, predicate="lives_in", object="Ghent")
    assert judging.open_facts(candidate, [moved], {moved.fact_id: 0.8}, POLICY) == []
    assert judging.gated(candidate, moved, 0.8, ("other", 0.99), POLICY) == "same"


def test_a_judge_is_not_asked_about_what_is_gone_or_unlike() -> None:
    """F1: superseded, deleted and archived facts take no part; nor do the unlike and the incomparable."""
    candidate = claim("User sold the kayak", "new", 9)
    gone = replace(_fact("User owns a kayak"), status="archived")
    unlike = _fact("User owns a loom", 2)
    similarities = {gone.fact_id: 0.9, unlike.fact_id: 0.3}
    assert judging.open_facts(candidate, [gone, unlike], similarities, POLICY) == []


def test_judgements_reach_the_decision() -> None:
    """R4, R13: a denial in other words deletes, by the rule for denials."""
    fact, other = _fact("User owns a kayak"), _fact("User owns a loom", 2)
    candidate = claim("User is without any kayak", "new", 9, confidence=0.95)
    similarities = {fact.fact_id: 0.8, other.fact_id: 0.5}
    without = decide(candidate, judging.judged_neighbours(candidate, [fact, other], similarities, {}, POLICY), POLICY)
    judgements = {fact.fact_id: ("negates", 0.99)}
    neighbours = judging.judged_neighbours(candidate, [fact, other], similarities, judgements, POLICY)
    with_judge = decide(candidate, neighbours, POLICY)
    assert without.action == "ADD"
    assert (with_judge.action, with_judge.rule, with_judge.fact) == ("DELETE", "R4.negation", fact)


def test_what_is_over_was_true_and_is_not_deleted() -> None:
    """R4, R10: without a worded denial the fact is archived beside the claim that tells of its end."""
    fact = _fact("User owns a kayak")
    candidate = claim("User sold the kayak", "new", 9, confidence=0.95)
    judgements = {fact.fact_id: ("negates", 0.99)}
    neighbours = judging.judged_neighbours(candidate, [fact], {fact.fact_id: 0.8}, judgements, POLICY)
    decision = decide(candidate, neighbours, POLICY)
    assert (decision.action, decision.rule, decision.also) == ("ADD", "R1.new", (fact,))


def test_two_spellings_of_one_value_are_one() -> None:
    """R6, R7: an attribute that holds one value is not replaced by the same value in other words."""
    pair = ("User earns 3200 euros a month", "User makes 3200 euros per month")
    assert _gated(*pair, 0.9, ("same", 0.9), predicate="earns") == "same"


def test_what_was_forgotten_comes_back_whatever_a_judge_hears_of_a_change() -> None:
    """F2: nothing stands there that "again" could change"""
    known = replace(_fact("User plays the viola"), status="forgotten")
    said = claim("User plays the viola again, every morning", "new", 9)
    assert judging.gated(said, known, 0.8, ("replaces", 0.95), POLICY) == "refines"
