from __future__ import annotations

import pytest

from operators.sensitive import CATEGORIES, categories_of
from tests.operators.sensitive_examples import ORDINARY, SENSITIVE

TUNED, HELD_OUT = slice(0, None, 2), slice(1, None, 2)


@pytest.mark.parametrize("part", [TUNED, HELD_OUT], ids=["tuned", "held out"])
def test_sensitive_claims_are_told_by_their_words(part: slice) -> None:
    """P4: at least 19 of 20, and of claims that only sound alike at most one in 20."""
    cases = [(category, content) for category, contents in SENSITIVE.items() for content in contents[part]]
    missed = [content for category, content in cases if category not in categories_of(content)]
    assert len(missed) <= len(cases) / 20, missed
    alarms = [content for content in ORDINARY[part] if categories_of(content)]
    assert len(alarms) <= len(ORDINARY[part]) / 20, alarms


@pytest.mark.parametrize(
    "content",
    [
        "User takes Keppra every morning",
        "User is on metformin since March",
        "User started Ozempic in October 2026",
        "User switched from Zoloft to escitalopram",
        "User takes rosuvastatin",
        "User uses Ventolin before a run",
        "User has been taking 20 mg of something",
        "User takes Zyloquin twice a day",
        "User takes sleeping pills",
    ],
)
def test_a_medicine_tells_of_health_by_its_name_alone(content: str) -> None:
    """P4: so profile strict proposes it"""
    assert categories_of(content) == {"health"}


@pytest.mark.parametrize(
    "content",
    [
        "User takes the train to work",
        "User takes the dog out twice a day",
        "User takes Spanish twice a week",
        "User was born in April",
        "User is in control of a patrol boat",
        "User ran a Spartan race",
        "User loves Alpine skiing",
        "User works for the maker of Keppra",
        "User has a cat that takes prednisone",
    ],
)
def test_what_only_sounds_like_a_medicine_tells_nothing(content: str) -> None:
    assert categories_of(content) == frozenset()


def test_every_category_has_examples() -> None:
    assert tuple(SENSITIVE) == CATEGORIES


@pytest.mark.parametrize(
    ("content", "predicate", "namespace", "category"),
    [
        ("User nimmt L-Thyroxin", "takes_medication", ("user", "health", "medication"), "health"),
        ("User glaubt an Gott", "believes_in", ("user", "beliefs", "religion"), "religion"),
        ("User wählt grün", "political_view", ("user", "beliefs", "politics"), "politics"),
        ("User likes both", "has_orientation", ("user", "identity", "orientation"), "sexuality"),
        ("User verdient gut", "earns", ("user", "finance", "income"), "finances"),
    ],
)
def test_the_attribute_tells_in_any_language(
    content: str, predicate: str, namespace: tuple[str, ...], category: str
) -> None:
    """P4."""
    assert category in categories_of(content, predicate, namespace)


def test_a_claim_may_belong_to_several() -> None:
    assert categories_of("User is a gay Catholic with asthma") >= {"religion", "health"}
