"""Lists of what one is, without a verb (X3)."""

from __future__ import annotations

import pytest

from models.wording.profiles import is_list, sentences


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Facts about me: nurse, two kids, Leeds", ["I am a nurse", "I have two kids", "I live in Leeds"]),
        (
            "about me: 34, vegan, allergic to cats, based in Hull",
            ["I am 34", "I am vegan", "I am allergic to cats", "I am based in Hull"],
        ),
        (
            "a bit about me: dad of three, welder, from Porto",
            ["I am a dad of three", "I am a welder", "I am from Porto"],
        ),
        ("me in short: retired teacher, widowed", ["I am a retired teacher", "I am widowed"]),
        ("Quick profile - chef, Lisbon, two cats", ["I am a chef", "I live in Lisbon", "I have two cats"]),
        ("bio: 29, she/her, Toronto", ["I am 29", "I use she/her", "I live in Toronto"]),
        ("My details: Anna, 41, Graz", ["my name is Anna", "I am 41", "I live in Graz"]),
        ("Things to know about me: night owl, love chess", ["I am a night owl", "I love chess"]),
    ],
)
def test_each_item_is_a_sentence(text: str, told: list[str]) -> None:
    assert is_list(text)
    assert sentences(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "shopping list: eggs, milk, two kids bikes",
        "topics: nurse, two kids",
        "About me: I am a nurse, I have two kids",
        "Tell me about myself, please",
        "about me: nurse",
        "my profile picture, the blue one, is old",
    ],
)
def test_what_is_no_such_list_is_read_as_ever(text: str) -> None:
    assert not is_list(text)


def test_an_item_whose_sense_is_open_is_left_out() -> None:
    assert sentences("about me: nurse, purple, two cats") == ["I am a nurse", "I have two cats"]
