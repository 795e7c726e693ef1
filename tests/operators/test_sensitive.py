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
