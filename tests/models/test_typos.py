"""Slips of the fingers in the words that rules go by (X3)."""

from __future__ import annotations

import pytest

from models.wording.spelling import plain
from models.wording.typos import righted


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("alergy", "allergy"),
        ("dauhgter", "daughter"),
        ("elecrician", "electrician"),
        ("birhtday", "birthday"),
        ("husbband", "husband"),
        ("diabtic", "diabetic"),
    ],
)
def test_a_letter_left_out_doubled_or_misplaced_is_put_right(typed: str, meant: str) -> None:
    assert righted(typed) == meant


@pytest.mark.parametrize("word", ["uncle", "retire", "stared", "programme", "vegetable", "mother", "relative"])
def test_a_word_of_its_own_right_stays(word: str) -> None:
    assert righted(word) == word


@pytest.mark.parametrize("text", ["I met Borther in Brewon", "mail dauhgter@post.org", "see alergy.net"])
def test_names_and_addresses_stay_as_typed(text: str) -> None:
    assert plain(text) == text
