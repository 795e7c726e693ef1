"""Memories of another product become sentences about the user (Q5)."""

from __future__ import annotations

import pytest

from models.foreign import is_first_person, stated
from models.third_person import triple_of_sentence


@pytest.mark.parametrize(
    ("memory", "sentence", "attribute"),
    [
        ("Likes pizza", "User likes pizza", "likes"),
        ("Name is Alex", "User's name is Alex", "is_named"),
        ("Is a vegetarian.", "User is a vegetarian", "follows_diet"),
        ("Planning to visit Japan in May", "User is planning to visit Japan in May", "plans"),
        ("Allergic to peanuts", "User is allergic to peanuts", "has_allergy"),
        ("Doesn't eat meat", "User doesn't eat meat", "avoids_food"),
        ("Married to Tom", "User is married to Tom", "married_to"),
        ("Sister lives in Oslo", "User's sister lives in Oslo", "has_sibling"),
        ("Moved to Lyon", "User moved to Lyon", "moved_to"),
        ("User works at Acme", "User works at Acme", "works_at"),
        ("Alice lives in Rome", "Alice lives in Rome", "lives_in"),
        ("Paris trip in June", "Paris trip in June", None),
        ("Miss class", "Miss class", None),
    ],
)
def test_whom_a_memory_leaves_out_is_put_back(memory: str, sentence: str, attribute: str | None) -> None:
    assert stated(memory) == sentence
    assert attribute is None or triple_of_sentence(sentence)[1] == attribute


def test_what_the_user_is_quoted_with_is_told_apart() -> None:
    assert is_first_person("I'm a nurse")
    assert is_first_person("My dog is called Bo")
    assert not is_first_person("Iguanas are pets of hers")
    assert stated("I love hiking") == "I love hiking"


def test_a_procedure_is_an_order_to_the_assistant() -> None:
    """X10"""
    assert stated("Use metric units", "procedure") == "Assistant should use metric units"
    assert stated("Assistant should be brief", "procedure") == "Assistant should be brief"
