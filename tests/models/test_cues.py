"""Words that settle a reading: standing orders, corrections, named projects (X10, R6, X8)."""

from __future__ import annotations

import pytest

from models.claims import Claim, Utterance
from models.cues import CUED_CONFIDENCE_MIN, corrects, is_standing
from models.extractor import Extractor

MARCH = 1_772_359_200_000


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor()


def claims(extractor: Extractor, text: str, *before: str) -> tuple[Claim, ...]:
    context = tuple(("user", said) for said in before)
    return extractor.extract([Utterance("user", text, MARCH, context=context)])[0].claims


@pytest.mark.parametrize(
    "text", ["From now on reply in Dutch", "never call me mate again", "skip emojis anymore", "don't ping me again"]
)
def test_standing_orders_are_told(text: str) -> None:
    assert is_standing(text)


@pytest.mark.parametrize("text", ["reply in Dutch", "make it shorter", "do the same task again but in Dutch"])
def test_orders_of_the_moment_are_not_standing(text: str) -> None:
    assert not is_standing(text)


@pytest.mark.parametrize(
    ("text", "is_one"), [("Sorry, 720 I mean.", True), ("I meant Tuesday", True), ("I see", False)]
)
def test_corrections_are_told(text: str, is_one: bool) -> None:
    assert corrects(text) is is_one


@pytest.mark.parametrize("text", ["From now on, write to me in Dutch.", "Never suggest seafood again."])
def test_a_standing_order_is_a_sure_procedure(extractor: Extractor, text: str) -> None:
    """X10"""
    [claim] = claims(extractor, text)
    assert claim.kind == "procedure"
    assert claim.confidence >= CUED_CONFIDENCE_MIN


def test_a_habit_of_the_user_is_no_order(extractor: Extractor) -> None:
    assert all(claim.kind != "procedure" for claim in claims(extractor, "I always lose my umbrella"))


def test_a_correction_carries_the_new_value(extractor: Extractor) -> None:
    """R6"""
    found = claims(extractor, "Sorry, 720 I mean.", "My rent is 690 a month.")
    assert [claim.content for claim in found] == ["User's rent is 720 a month"]


def test_what_is_said_of_a_named_project_is_the_projects(extractor: Extractor) -> None:
    """X8"""
    found = claims(extractor, "Project Lantern uses Redis, and its launch date is June 4.")
    assert [claim.subject for claim in found] == ["Project Lantern", "Project Lantern"]
