"""Facts and turns as one answer: each message once, the present before the past, nothing forgotten (Q1, Q4, F1)."""

from __future__ import annotations

from typing import Any

import pytest

from state.civil_days import CivilDays
from state.facts import Fact, Source
from state.lexical import TermTable, pack_terms, shares
from state.messages import Origin
from state.recall import RecallWeights, rank
from state.search import is_withheld, outdated_by, search, turn_scores
from state.turns import Shelf
from state.user_memory import Boundary, UserMemory
from tests.state.builders import DAY_MS
from tests.state.embedding_stub import code
from tests.state.test_recall import NOW_MS, fact
from tests.state.test_turns import turn

WEIGHTS = RecallWeights()


def shelf(*said: str, **columns: Any) -> Shelf:
    count = len(said)
    values: dict[str, Any] = {
        "rows": tuple(range(count)),
        "message_ids": tuple(f"m{i}" for i in range(count)),
        "conversations": ("c",) * count,
        "roles": ("user",) * count,
        "asks": tuple(text.endswith("?") for text in said),
        "sent_at_ms": (NOW_MS,) * count,
        "terms": tuple(pack_terms(text) for text in said),
        "embeddings": tuple(code(text) for text in said),
        "embedding_versions": ("v1",) * count,
    }
    return Shelf(**{**values, **columns})


def scored(query: str, kept: Shelf, **given: Any) -> list[str]:
    found = turn_scores(kept, code(query), query, NOW_MS, WEIGHTS, embedding_version="v1", **given)
    return sorted(found, key=lambda each: -found[each])


def cited(fact_id: str, content: str, *messages: str, **changes: Any) -> Fact:
    sources = tuple(Source(each, "c", 0, 1, Origin("t", 0, 0)) for each in messages)
    return fact(fact_id, content, sources=sources, **changes)


def test_a_turn_is_found_by_its_words_and_by_its_meaning() -> None:
    """Q4"""
    kept = shelf("we took the ferry to Bergen", "the oven is broken", "I bought a kettle")
    assert scored("ferry to Bergen", kept)[0] == "m0"
    assert scored("broken oven", shelf("the oven is broken", "tea", terms=(b"", b"")))[0] == "m0"
    assert scored("oven", shelf("tea time", "the oven", embeddings=(b"", b"")))[0] == "m1"


def test_vectors_of_another_model_are_not_compared() -> None:
    """Q6"""
    kept = shelf("the oven", "tea", terms=(b"", b""), embedding_versions=("v0", "v1"))
    found = turn_scores(kept, code("the oven"), "the oven", NOW_MS, WEIGHTS, embedding_version="v1")
    assert found["m0"] == 0.0


def test_a_statement_stands_before_a_question_and_the_user_before_the_assistant() -> None:
    assert scored("broken oven", shelf("is the oven broken?", "the oven is broken"))[0] == "m1"
    kept = shelf("the oven is broken", "the oven is broken", roles=("assistant", "user"))
    assert scored("broken oven", kept)[0] == "m1"


def test_what_was_said_in_the_time_that_is_asked_about_comes_first() -> None:
    """Q1"""
    kept = shelf("a trip to Bergen, by train", "a trip to Bergen", sent_at_ms=(NOW_MS - 400 * DAY_MS, NOW_MS))
    assert scored("trip to Bergen", kept, period=CivilDays.of("2024-10-01", "2024-10-31"))[0] == "m1"
    assert scored("trip to Bergen", kept, period=CivilDays.of("2023-08-01", "2023-09-30"))[0] == "m0"


def test_a_fact_and_its_message_are_one_answer() -> None:
    """Q4"""
    facts = rank([cited("f", "User moved to Porto", "m1")], None, "Porto", NOW_MS, 9)
    hits = search(facts, {"m1": 0.9, "m2": 0.2}, 9)
    assert [(hit.fact and hit.fact.fact_id, hit.message_ids) for hit in hits] == [("f", ("m1",)), (None, ("m2",))]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_fact_is_told_once_with_its_messages_best_first() -> None:
    facts = rank([cited("f", "User moved to Porto", "m1", "m2")], None, "Porto", NOW_MS, 9)
    [hit] = search(facts, {"m1": 0.1, "m2": 0.8}, 9)
    assert hit.message_ids == ("m2", "m1")


def test_facts_answer_where_no_turn_is_kept() -> None:
    facts = rank([cited("f", "User moved to Porto", "m1")], None, "Porto", NOW_MS, 9)
    assert [hit.message_ids for hit in search(facts, {}, 9)] == [("m1",)]


def test_what_was_outdated_never_stands_above_what_outdated_it() -> None:
    """F1"""
    now = cited("f", "User lives in Munich", "m2", object="Munich", revision=2)
    before = cited("f", "User lives in Berlin", "m1", object="Berlin")
    outdated = outdated_by([before], [now])
    assert outdated == {"m1": {"m2"}}
    hits = search(rank([now], None, "Berlin", NOW_MS, 9), {"m1": 0.9, "m2": 0.1}, 9, outdated)
    assert [hit.message_ids[0] for hit in hits] == ["m2", "m1"]


def test_of_what_has_one_value_at_a_time_the_later_stands_first() -> None:
    """R6: also where memory took the second for a fact of its own."""
    older = cited(
        "a", "User lives in Berlin", "m1", predicate="lives_in", object="Berlin", last_said_at_ms=NOW_MS - DAY_MS
    )
    newer = cited("b", "User moved to Munich", "m2", predicate="moved_to", object="Munich")
    found = rank([older, newer], None, "lives in Berlin", NOW_MS, 9)
    assert [each.fact.fact_id for each in found] == ["b", "a"]
    assert outdated_by([], [older, newer]) == {"m1": {"m2"}}


def test_a_wording_that_was_only_refined_is_not_outdated() -> None:
    again = cited("f", "User loves strong coffee", "m2", object="coffee", revision=2)
    assert outdated_by([cited("f", "User loves coffee", "m1", object="coffee")], [again]) == {}


def test_the_turn_of_a_forgotten_fact_is_withheld_unless_another_fact_stands_on_it() -> None:
    """F1, F3"""
    said = turn("m1", "I smoke, and I live in Porto")
    gone = cited("f", "User smokes", "m1", status="forgotten")
    assert is_withheld(said, UserMemory("default", "ana", {"f": gone}))
    stays = cited("g", "User lives in Porto", "m1")
    assert not is_withheld(said, UserMemory("default", "ana", {"f": gone, "g": stays}))


@pytest.mark.parametrize(
    ("text", "day", "withheld"), [("I smoke a lot", 0, True), ("I smoke a lot", 9, False), ("I swim", 0, False)]
)
def test_what_was_asked_to_be_forgotten_by_words_does_not_come_back_by_them(
    text: str, day: int, withheld: bool
) -> None:
    """F3: what is said after the request is new."""
    said = turn("m1", text, day, embedding=code(text))
    asked = Boundary("forget", said.sent_at_ms - (day - 1) * DAY_MS, text="that I smoke", embedding=code("I smoke"))
    assert is_withheld(said, UserMemory("default", "ana", boundaries=[asked])) is withheld


def test_packed_terms_score_as_texts_do() -> None:
    texts = ["the ferry to Bergen was late", "a kettle", "the ferry, the ferry"]
    packed = TermTable([pack_terms(text) for text in texts]).shares("late ferry to Bergen")
    plain = shares("late ferry to Bergen", texts)
    assert [sorted(range(3), key=lambda i: -each[i]) for each in (packed, plain)] == [[0, 2, 1]] * 2
    assert packed[1] == plain[1] == 0.0
