"""Weak labels and second thoughts: what a clause is taught to be (X1, X12)."""

from __future__ import annotations

import pytest

from models.inputs import Reader
from models.train.examples import Example, claimed, revised
from models.train.persona_labels import LIKENESS_MIN, content_tokens, likeness


@pytest.mark.parametrize(
    ("said", "persona", "alike"),
    [
        ("I love baking cookies", "I love to bake cookies.", True),
        ("I have two cats", "i have two cats.", True),
        ("my wife works at the zoo", "My wife works in a zoo.", True),
        ("I like cats", "I like dogs.", False),
        ("I work", "I work.", False),
    ],
)
def test_only_close_words_count_as_the_same(said: str, persona: str, alike: bool) -> None:
    assert (likeness(content_tokens(said), content_tokens(persona)) >= LIKENESS_MIN) is alike


def hint(people: bool) -> Example:
    claim = {"confidence": 0.6, "kind": "status", "predicate": "wants", "subject": "user", "intensity": 0.5}
    return claimed(Example(Reader("I want a dog", "", people), 0.0, 1.0, "spans", "train"), (0, 12), [((0, 12), claim)])


def test_a_hint_counts_for_more_among_people() -> None:
    """X12: people tell each other of themselves to be known."""
    assert hint(people=True).keep > hint(people=False).keep == 0.6


def test_a_second_reading_wins() -> None:
    first = Example(Reader("Me too!", "I love cats.", True), 0.0, 1.5, "labels", "train")
    other = Example(Reader("Me too!", "I hope so.", True), 0.0, 1.5, "labels", "train")
    again = Example(Reader("Me too!", "I love cats.", True), 1.0, 1.5, "revised", "train", kinds={"opinion": 1.0})
    assert [(e.keep, e.kinds) for e in revised([first, other], [again])] == [(1.0, {"opinion": 1.0}), (0.0, {})]
