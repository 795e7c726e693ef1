"""Recall: what fits a question, what was known or true at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.facts import Fact
from state.index import DIMENSIONS, encode
from state.lexical import words
from state.recall import RecallWeights, as_of, rank, recent, select, true_at

DAY_MS = 86_400_000
NOW_MS = 20_000 * DAY_MS  # 2024-10-04


@dataclass(frozen=True)
class Version:
    fact: Fact
    from_seq: int
    to_seq: int | None = None


def fact(fact_id: str, content: str = "", **changes: Any) -> Fact:
    values: dict[str, Any] = {
        "fact_id": fact_id,
        "tenant": "",
        "user_id": "ana",
        "agent_id": None,
        "namespace": ("user",),
        "kind": "fact",
        "content": content,
        "subject": "user",
        "predicate": "states",
        "object": "",
        "polarity": True,
        "confidence": 0.9,
        "reinforced_confidence": 0.9,
        "mentions": 1,
        "intensity": 0.5,
        "importance": 0.5,
        "language": "en",
        "status": "active",
        "reason": None,
        "first_said_at_ms": NOW_MS,
        "last_said_at_ms": NOW_MS,
        "recorded_at_ms": NOW_MS,
        "sources": (),
        "embedding": b"",
    }
    return Fact(**{**values, **changes})


def ids(facts: Sequence[Fact]) -> list[str]:
    return [fact.fact_id for fact in facts]


def ranked(facts: Sequence[Fact], query: str | None, limit: int = 10, **options: Any) -> list[str]:
    return [found.fact.fact_id for found in rank(facts, None, query, NOW_MS, limit, **options)]


def direction(*axes: int) -> bytes:
    """The code of a unit vector spread over four of 96 directions."""
    vector = np.zeros((1, DIMENSIONS), np.float32)
    for axis in axes:
        vector[0, 4 * axis : 4 * axis + 4] = 0.25
    return encode(vector)[0]


MEMORY = [
    fact("sushi", "User loves sushi", namespace=("user", "preferences", "food"), kind="opinion"),
    fact("city", "User lives in Ballard, Seattle", predicate="lives_in"),
    fact("job", "User works at a tech startup in Seattle", predicate="works_at"),
    fact("allergy", "User is allergic to peanuts", predicate="has_allergy", importance=0.99),
    fact("sister", "User's sister is called Anna", predicate="has_sibling"),
    fact("short", "Keep answers short", kind="procedure", namespace=("procedures",)),
]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("where does she live?", "city"),
        ("What is my sister's name?", "sister"),
        ("any allergies", "allergy"),
        ("food preferences", "sushi"),
        ("where is the user working", "job"),
    ],
)
def test_words_find_the_fact_that_answers(question: str, first: str) -> None:
    """Q1, Q4."""
    assert ranked(MEMORY, question)[0] == first


def test_meaning_finds_what_words_do_not() -> None:
    """Q4."""
    facts = [
        fact("near", "alpha", embedding=direction(0, 1, 2, 3)),
        fact("far", "beta", embedding=direction(7, 8, 9, 10)),
    ]
    found = rank(facts, direction(0, 1, 2, 4), "gamma", NOW_MS, 2)
    assert [one.fact.fact_id for one in found] == ["near", "far"]
    assert found[0].parts.semantic > 0.5
    assert (found[1].parts.semantic, found[0].parts.lexical) == (0.0, 0.0)


def test_vectors_of_another_model_are_never_compared() -> None:
    """Q6."""
    old = fact("old", "User plays chess", embedding=direction(0, 1, 2, 3), embedding_version="m1")
    new = fact("new", "User plays go", embedding=direction(0, 1, 2, 3), embedding_version="m2")
    by_id = {
        one.fact.fact_id: one
        for one in rank([old, new], direction(0, 1, 2, 3), "chess", NOW_MS, 5, embedding_version="m2")
    }
    assert by_id["old"].parts.semantic == 0.0
    assert by_id["old"].parts.lexical > 0.9
    assert by_id["new"].parts.semantic > 0.4


@pytest.mark.parametrize("status", ["superseded", "forgotten", "archived", "pruned", "deleted"])
def test_what_is_not_active_never_comes_back(status: str) -> None:
    """Q3, F1."""
    assert ranked([fact("f", "User loves sushi", status=status)], "sushi") == []
    assert recent([fact("f", status=status)], 5) == []


def test_of_equal_fit_the_recent_important_and_stated_come_first() -> None:
    """Q4."""
    week_old = fact("week", "User likes tea", last_said_at_ms=NOW_MS - 7 * DAY_MS)
    year_old = fact("year", "User likes tea", last_said_at_ms=NOW_MS - 365 * DAY_MS)
    assert ranked([year_old, week_old], "tea") == ["week", "year"]
    assert ranked([fact("a", "likes tea", importance=0.2), fact("b", "likes tea", importance=0.9)], "tea") == ["b", "a"]
    advised = fact("advised", "User likes tea", kind="recommendation")
    assert ranked([advised, fact("stated", "User likes tea")], "tea") == ["stated", "advised"]


def test_what_is_derived_stands_below_what_it_follows_from() -> None:
    """R12: also where it fits the question better, and of equal score."""
    premises = [fact("p1", "User works at a startup"), fact("p2", "The startup is in Seattle")]
    derived = fact("a1", "User works in Seattle", derived_from=("p1", "p2"))
    order = [each.fact.fact_id for each in rank([derived, *premises], None, "works in Seattle", NOW_MS, 3)]
    assert order.index("a1") > min(order.index("p1"), order.index("p2"))
    assert [each.fact.fact_id for each in rank([derived, fact("b1")], None, "works in Seattle", NOW_MS, 1)] == ["a1"]


def test_a_fit_outweighs_recency_and_importance() -> None:
    old = fact("old", "User plays the cello", last_said_at_ms=0, importance=0.1)
    assert ranked([fact("new", "User lives in Rome", importance=1.0), old], "cello")[0] == "old"


def test_without_a_question_the_important_and_recent_come_first() -> None:
    """Q1: and scores still reach from 0 to 1."""
    facts = [fact("old", last_said_at_ms=0), fact("important", importance=1.0), fact("plain")]
    found = rank(facts, None, None, NOW_MS, 10)
    assert [one.fact.fact_id for one in found] == ["important", "plain", "old"]
    assert found[0].score == 1.0


def test_ties_go_to_what_was_said_last_and_then_by_id() -> None:
    """S4."""
    flat = RecallWeights(recency=0.0)
    facts = [fact("b"), fact("a"), fact("c", last_said_at_ms=NOW_MS + 1)]
    assert ranked(facts, None, weights=flat) == ["c", "a", "b"]


def test_a_fact_said_after_now_is_as_recent_as_can_be() -> None:
    assert rank([fact("f", last_said_at_ms=NOW_MS + DAY_MS)], None, None, NOW_MS, 1)[0].parts.recency == 1.0
    half = RecallWeights(half_life_days=30.0)
    assert rank([fact("f")], None, None, NOW_MS + 30 * DAY_MS, 1, half)[0].parts.recency == 0.5


def test_the_limit_is_kept_and_nothing_asked_is_nothing_given() -> None:
    assert len(ranked(MEMORY, "seattle", 2)) == 2
    assert ranked(MEMORY, "seattle", 0) == []
    assert ranked([], "seattle") == []


def test_scripts_without_spaces_and_accents_are_found() -> None:
    """X11."""
    facts = [fact("zh", "用户住在柏林"), fact("fr", "L'utilisateur aime le café"), fact("ko", "사용자는 서울에 산다")]
    assert ranked(facts, "柏林")[0] == "zh"
    assert ranked(facts, "cafe")[0] == "fr"
    assert ranked(facts, "서울")[0] == "ko"


def test_forms_of_a_word_are_one_word() -> None:
    for forms in ("live lives living lived", "allergy allergies", "run running runs", "study studies studied"):
        assert len({words(form)[0] for form in forms.split()}) == 1
    assert words("the boss is a user") == ["boss"]
    assert words("What is 7 x C?") == ["7"]


@settings(max_examples=40, deadline=None)
@given(st.permutations(MEMORY), st.sampled_from(["seattle", "sister food", "", "zzz"]))
def test_the_order_of_facts_given_changes_nothing(facts: list[Fact], query: str) -> None:
    """S4."""
    assert ranked(facts, query) == ranked(MEMORY, query)


def test_selection_is_by_namespace_kind_and_agent() -> None:
    """Q1."""
    assert ids(select(MEMORY, ("user", "preferences"))) == ["sushi"]
    assert ids(select(MEMORY, kinds=["procedure"])) == ["short"]
    assert len(select(MEMORY)) == len(MEMORY)
    scoped = [fact("any"), fact("one", agent_id="x"), fact("other", agent_id="y")]
    assert ids(select(scoped, agent_id="x")) == ["any", "one"]
    assert ids(recent([fact("a", last_said_at_ms=1), fact("b", last_said_at_ms=2)], 1)) == ["b"]


def moved() -> list[Version]:
    berlin: dict[str, Any] = {
        "content": "lives in Berlin",
        "first_said_at_ms": 10 * DAY_MS,
        "last_said_at_ms": 10 * DAY_MS,
    }
    munich: dict[str, Any] = {
        "content": "lives in Munich",
        "first_said_at_ms": 10 * DAY_MS,
        "last_said_at_ms": 40 * DAY_MS,
    }
    return [
        Version(fact("home", recorded_at_ms=10 * DAY_MS, status="superseded", **berlin), 1, 5),
        Version(fact("home", recorded_at_ms=40 * DAY_MS, revision=2, valid_from="1970-02-05", **munich), 5),
    ]


@pytest.mark.parametrize(
    ("day", "known"), [(9, []), (10, ["lives in Berlin"]), (39, ["lives in Berlin"]), (40, ["lives in Munich"])]
)
def test_as_of_gives_what_was_known_then(day: int, known: list[str]) -> None:
    """Q1: Munich was told of on day 40."""
    found = as_of(moved(), day * DAY_MS)
    assert [one.content for one in found] == known
    assert {one.status for one in found} <= {"active"}
    assert as_of(moved()[::-1], day * DAY_MS) == found


@pytest.mark.parametrize(
    ("day", "true"), [(9, []), (34, ["lives in Berlin"]), (35, ["lives in Munich"]), (90, ["lives in Munich"])]
)
def test_true_at_gives_what_is_now_known_of_then(day: int, true: list[str]) -> None:
    """Q1: the move was on day 35, 1970-02-05."""
    found = true_at(moved(), day * DAY_MS)
    assert [one.content for one in found] == true
    assert true_at(moved()[::-1], day * DAY_MS) == found


def test_what_was_forgotten_by_then_is_not_known_and_before_it_was() -> None:
    """F1."""
    versions = [
        Version(fact("f", "smokes", recorded_at_ms=1000, status="superseded"), 1, 2),
        Version(fact("f", "smokes", recorded_at_ms=2000, status="forgotten", revision=2), 2),
    ]
    assert ids(as_of(versions, 1999)) == ["f"]
    assert as_of(versions, 2000) == []
    assert true_at(versions, NOW_MS) == []


def test_a_reinforced_fact_was_known_before_it_was_reinforced() -> None:
    """R5, Q1: a store's rows as they were written, of which two are one revision."""
    versions = [
        Version(fact("f", recorded_at_ms=1000), 1, 2),
        Version(fact("f", recorded_at_ms=2000, mentions=2), 2, 3),
        Version(fact("f", recorded_at_ms=3000, status="forgotten", revision=2), 3, 4),
        Version(fact("f", recorded_at_ms=4000, revision=3), 4),
    ]
    assert [[one.mentions for one in as_of(versions, at_ms)] for at_ms in (999, 1000, 2000, 3000, 4000)] == [
        [],
        [1],
        [2],
        [],
        [1],
    ]


def test_a_superseded_fact_without_a_later_version_is_not_known() -> None:
    """R10."""
    versions = [
        Version(fact("f", recorded_at_ms=1000), 1, 2),
        Version(fact("f", recorded_at_ms=2000, status="superseded"), 2),
    ]
    assert ids(as_of(versions, 1500)) == ["f"]
    assert as_of(versions, 2500) == []


def test_a_refolded_memory_counts_as_what_was_known_at_those_times() -> None:
    """R14: versions written later replace those of the same time."""
    versions = [
        Version(fact("f", "first reading", recorded_at_ms=1000), 1, 9),
        Version(fact("f", "second reading", recorded_at_ms=1000), 9),
    ]
    assert [one.content for one in as_of(versions, 1000)] == ["second reading"]


@pytest.mark.parametrize(
    ("valid_to", "day", "holds"),
    [
        ("1970-02", 58, True),
        ("1970-02", 59, False),
        ("1970-02-10", 40, True),
        ("1970-02-10", 41, False),
        ("1970", 364, True),
    ],
)
def test_an_end_counts_whole_at_its_precision(valid_to: str, day: int, holds: bool) -> None:
    versions = [Version(fact("f", first_said_at_ms=0, recorded_at_ms=0, valid_to=valid_to), 1)]
    assert bool(true_at(versions, day * DAY_MS)) is holds


def test_what_was_archived_held_until_then() -> None:
    """R10."""
    said: dict[str, Any] = {"first_said_at_ms": 0, "last_said_at_ms": 0}
    versions = [
        Version(fact("f", recorded_at_ms=0, **said), 1, 2),
        Version(fact("f", recorded_at_ms=20 * DAY_MS, status="archived", **said), 2),
    ]
    assert [bool(true_at(versions, day * DAY_MS)) for day in (19, 20, 21)] == [True, True, False]
