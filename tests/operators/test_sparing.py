"""A fault inside the decision rules costs the entry that met it and nothing else (S3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from state import fold
from state.facts import Entry
from tests.operators.test_reconcile import BERLIN, MUNICH, active, feed, names, said, step
from tests.state.builders import DAY_MS, START_MS, command, entry

GOOD = said("User owns a loom", "owns", "loom", day=1, message_id="bad")
BAD = said("User owns a kayak", "owns", "kayak", day=1, message_id="bad")
HALF_BAD = Entry("default", "ana", BAD.said_at_ms, "bad", (GOOD, BAD))


@pytest.fixture
def faulty() -> Iterator[None]:
    """Rules that fail on kayaks."""
    decide = fold.decide

    def failing(candidate: Any, *rest: Any, **options: Any) -> Any:
        if "kayak" in candidate.content:
            raise ZeroDivisionError("User owns a kayak")
        return decide(candidate, *rest, **options)

    with patch.object(fold, "decide", failing):
        yield


@pytest.mark.usefixtures("faulty")
def test_the_entry_is_passed_over_whole_in_any_order_of_arrival(tmp_path: Path) -> None:
    """S3, R14: what its other candidates had done is undone, its neighbours stand, late or not"""
    for number, order in enumerate(permutations((entry(BERLIN), HALF_BAD, entry(MUNICH)))):
        folder = tmp_path / str(number)
        memory = step(folder)
        for each in order:
            feed(memory, each)
        assert active(folder) == ["User lives in Munich"]


@pytest.mark.usefixtures("faulty")
def test_it_is_told_in_the_log_and_in_an_event_without_anybodys_words(tmp_path: Path) -> None:
    """S3, R13"""
    with capture_logs() as logs:
        [outcome] = feed(step(tmp_path), HALF_BAD)
    assert [(log["event"], log["error"]) for log in logs] == [("reconcile.rule_failed", "ZeroDivisionError")]
    assert logs[0]["at"].startswith("test_sparing.py:")
    assert [event.rule for event in outcome.events] == ["S3.rule_failed"]
    assert "kayak" not in repr((logs, outcome.events))


@pytest.mark.usefixtures("faulty")
def test_a_command_that_fails_is_answered(tmp_path: Path) -> None:
    """S3: whoever sent it is told that it was refused"""
    remember = command("remember", START_MS + DAY_MS, "k1", text="I own a kayak")
    sent = Entry("default", "ana", remember.sent_at_ms, "k1", (BAD,), command=remember)
    [outcome] = feed(step(tmp_path), sent)
    assert [(event.event, event.rule) for event in outcome.events] == [("NONE", "S3.rule_failed")]


def test_better_rules_take_the_entry_in_at_the_next_refold(tmp_path: Path) -> None:
    """R14: it stays in the candidate log"""
    with patch.object(fold, "decide", side_effect=ZeroDivisionError):
        memory = step(tmp_path)
        feed(memory, HALF_BAD)
    assert active(tmp_path) == []
    assert "REINFORCE" not in names(feed(memory, entry(BERLIN)))
    assert active(tmp_path) == ["User lives in Berlin", "User owns a kayak", "User owns a loom"]
