"""Retention by kind, in event time (F5); what runs out by itself is in test_fold.py (R10)."""

from __future__ import annotations

from dataclasses import replace

from state.fold import expire
from tests.state.folding import DAY_MS, POLICY, START_MS, Folding, claim, said, told

KEPT = replace(POLICY, retention_days=(("fact", 30), ("opinion", 10)))


def test_what_is_past_its_retention_is_pruned_when_the_user_is_next_heard_of() -> None:
    """F5: kinds apart, counted from when it was last said; the event tells the rule, and the words go nowhere else."""
    folding = Folding(KEPT).fold(said(claim("User lives in Berlin", "m0", 0)), said(claim("User likes tea", "m1", 0)))
    folding.fold(said(claim("User has a cat", "m2", 11)))
    assert folding.active == ["User has a cat", "User lives in Berlin"]
    [pruned] = [event for event in folding.events if event.event == "PRUNE"]
    assert (pruned.rule, pruned.reason, pruned.old_content) == (
        "F5.retention",
        "not said again for 10 days",
        "User likes tea",
    )
    assert pruned.fact is not None
    assert (pruned.fact.status, pruned.fact.recorded_at_ms) == ("pruned", START_MS + 11 * DAY_MS)


def test_a_restatement_begins_the_retention_anew() -> None:
    """F5."""
    folding = Folding(KEPT).fold(*(said(claim("User likes tea", f"m{day}", day)) for day in (0, 9, 18)))
    assert folding.active == ["User likes tea"]


def test_a_pinned_fact_is_kept() -> None:
    """F5."""
    folding = Folding(KEPT).fold(said(claim("User likes tea", "m0", 0)), told("pin", 1, match="tea"))
    folding.fold(said(claim("User has a cat", "m2", 99)))
    assert "User likes tea" in folding.active


def test_retention_can_be_applied_at_any_moment_without_an_entry() -> None:
    """F5: what a sweep over silent users calls; the same moment gives the same event ids."""
    ids = []
    for _ in range(2):
        folding = Folding(KEPT).fold(said(claim("User likes tea", "m0", 0)))
        assert expire(folding.memory, START_MS + 10 * DAY_MS, KEPT).events == ()
        changes = expire(folding.memory, START_MS + 10 * DAY_MS + 1, KEPT)
        assert [event.rule for event in changes.events] == ["F5.retention"]
        ids.append(changes.events[0].event_id)
    assert ids[0] == ids[1]


def test_without_a_setting_nothing_is_pruned_by_age() -> None:
    """F5."""
    folding = Folding().fold(said(claim("User likes tea", "m0", 0)), said(claim("User has a cat", "m2", 4000)))
    assert folding.active == ["User has a cat", "User likes tea"]
