"""What a person means who asks to forget: by its words, or by the attribute that they name (F3)."""

from __future__ import annotations

import pytest

from state.forgetting import attributes, forgets, is_everything
from tests.state.folding import DAY_MS, START_MS, Folding, claim, said, told

LIFE = (
    "User lives in Graz",
    "User works at Acme",
    "User works as a nurse",
    "User smokes",
    "User is allergic to nuts",
    "User hates cigarettes from Marlboro",
    "User has a sister called Vera",
    "User is married to Tom",
    "User likes sushi",
    "Vera lives in Rome",
)


@pytest.mark.parametrize(
    ("asked", "gone"),
    [
        ("where I live", ["User lives in Graz"]),
        ("my address", ["User lives in Graz"]),
        ("where I live in Rome", []),
        ("that I smoke", ["User smokes"]),
        ("my smoking", ["User smokes"]),
        ("what my job is", ["User works as a nurse", "User works at Acme"]),
        ("my job at Acme", ["User works at Acme"]),
        ("my health", ["User is allergic to nuts", "User smokes"]),
        ("my allergies", ["User is allergic to nuts"]),
        ("my husband", ["User is married to Tom"]),
        ("everything about Vera", ["User has a sister called Vera", "Vera lives in Rome"]),
        ("what I told you about sushi", ["User likes sushi"]),
        ("my tastes", ["User hates cigarettes from Marlboro", "User likes sushi"]),
        ("my car", []),
        ("that", []),
    ],
)
def test_what_was_meant_goes_and_nothing_else(asked: str, gone: list[str]) -> None:
    """F3"""
    claims = map(claim, LIFE)
    assert sorted(each.content for each in claims if forgets(asked, each, 0.5, 0.55)) == gone


@pytest.mark.parametrize(
    "asked", ["everything", "everything you know about me", "Everything about me.", "all my memories"]
)
def test_everything_is_everything(asked: str) -> None:
    """F3: in bulk"""
    life = Folding().say(*LIFE).fold(told("forget", 20, text=asked))
    assert (life.active, len(life.of("forgotten"))) == ([], len(LIFE))


@pytest.mark.parametrize("asked", ["everything about Tom", "everything above", "all the milk", "everything went well"])
def test_not_all_that_begins_so_is_everything(asked: str) -> None:
    assert not is_everything(asked)


def test_an_attribute_stays_forgotten_for_what_was_said_before_and_returns_with_what_is_said_later() -> None:
    """F2, F3: the boundary is of the attribute, whatever its value"""
    life = Folding().say("User lives in Graz").fold(told("forget", 5, text="where I live"))
    life.fold(said(claim("User lives in Linz", "m2", 3)))
    assert (life.active, life.last.rule) == ([], "F3.boundary")
    life.fold(said(claim("User lives in Linz", "m3", 6)))
    assert life.active == ["User lives in Linz"]
    assert life.memory.boundaries[-1].at_ms == START_MS + 5 * DAY_MS


def test_of_two_attributes_the_longer_words_count() -> None:
    assert [asked.namespaces for asked in attributes("my home town")] == [(("home", "origin"),)]
    assert attributes("the weather") == ()
