"""The profile view: one clean value a slot, with where it comes from (Q7)."""

from __future__ import annotations

from state.profile import profile
from tests.state.test_recall import NOW_MS, fact


def test_a_slot_has_the_latest_value_and_the_fact_that_says_so() -> None:
    """Q7"""
    facts = [
        fact("old", "User lives in Berlin", predicate="lives_in", object="Berlin", last_said_at_ms=NOW_MS - 1),
        fact("new", "User moved to Munich", predicate="moved_to", object="Munich"),
        fact("likes", "User likes tea", predicate="likes", object="tea"),
    ]
    slots = profile(facts, {"timezone": "Europe/Berlin", "bio": "a long text"})
    assert {name: slot.value for name, slot in slots.items()} == {"residence": "Munich", "timezone": "Europe/Berlin"}
    assert slots["residence"].row["id"] == "new"
    assert slots["timezone"].row == {"value": "Europe/Berlin", "source": "profile"}


def test_what_is_said_of_others_denied_or_forgotten_fills_no_slot() -> None:
    """X8"""
    facts = [
        fact("other", "Emma lives in Munich", subject="Emma", predicate="lives_in", object="Munich"),
        fact("denied", "User does not live in Rome", predicate="lives_in", object="Rome", polarity=False),
        fact("gone", "User lives in Oslo", predicate="lives_in", object="Oslo", status="forgotten"),
    ]
    assert profile(facts, {}) == {}
