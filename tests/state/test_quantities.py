"""Quantities in one spelling: what two claims count is compared, not how it is written (R7)."""

from __future__ import annotations

import pytest

from state.matching import features
from state.quantities import spelled_alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User is thirty-four", "User is 34"),
        ("User was born in nineteen ninety-four", "User was born in 1994"),
        ("User owns two hundred and fifty thousand stamps", "User owns 250,000 stamps"),
        ("User earns fifty thousand a year", "User earns 50k a year"),
        ("User paid a quarter of a million dollars", "User paid $250k"),
        ("User has half a dozen aunts", "User has six aunts"),
        ("User gets up at half past six", "User gets up at 6:30"),
        ("User leaves at a quarter to nine", "User leaves at 8:45"),
        ("User's class is at 18:30", "User's class is at 6.30 p.m."),
        ("User swims for an hour and a half daily", "User swims for ninety minutes every day"),
        ("User walks for half an hour", "User walks for 30 minutes"),
        ("User gets paid every fortnight", "User gets paid every 2 weeks"),
        ("User has been married for two decades", "User has been married for 20 years"),
        ("User runs twice a week", "User runs 2 times a week"),
        ("User is one metre eighty tall", "User is 1.80 m tall"),
        ("User drinks half a litre of milk", "User drinks 0.5 litres of milk"),
        ("User lives in the UK", "User lives in the United Kingdom"),
        ("User works in NYC", "User works in New York City"),
    ],
)
def test_one_quantity_in_two_spellings_is_one(one: str, other: str) -> None:
    """R7: numbers agree whatever their form."""
    assert spelled_alike(one) == spelled_alike(other)
    first, second = (features("user", "states", "", text, True) for text in (one, other))
    assert (first.words, first.numbers) == (second.words, second.numbers)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User gets up at half past six", "User gets up at half past seven"),
        ("User leaves at a quarter to nine", "User leaves at a quarter past nine"),
        ("User earns fifty thousand", "User earns fifteen thousand"),
        ("User is 1.80 m tall", "User is 1.87 m tall"),
        ("User runs twice a week", "User runs three times a week"),
        ("User swims daily", "User swims weekly"),
    ],
)
def test_two_quantities_stay_two(one: str, other: str) -> None:
    """R7: 690 and 720 are different, in words too."""
    first, second = (features("user", "states", "", text, True) for text in (one, other))
    assert first.words != second.words


@pytest.mark.parametrize(
    "text",
    [
        "User likes tea",
        "User lives at 12 High Street",
        "User moved on 2026-02-03",
        "User uses Python 3.11",
        "One of the twins told us",
        "User's thirty-first birthday is near",
        "User likes Apollo 11",
    ],
)
def test_what_is_no_quantity_keeps_its_words(text: str) -> None:
    """R7: dates, versions, house numbers and ordinals are left as they stand."""
    assert spelled_alike(text) == text
