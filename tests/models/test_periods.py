"""The days that a question's words cover, seen from when it is asked (Q1)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from models.periods import Period, period

ASKED_AT_MS = int(datetime(2026, 1, 10, 9, tzinfo=UTC).timestamp() * 1000)  # a Saturday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what did I say last March?", "2025-03-01", "2025-03-31"),
        ("where did we travel in March 2024?", "2024-03-01", "2024-03-31"),
        ("what happened in February 2024?", "2024-02-01", "2024-02-29"),
        ("what did I buy in 2024?", "2024-01-01", "2024-12-31"),
        ("what did I do last year?", "2025-01-01", "2025-12-31"),
        ("what did I say two weeks ago?", "2025-12-22", "2025-12-28"),
        ("where was I yesterday?", "2026-01-09", "2026-01-09"),
        ("what did I mention a few days ago?", "2026-01-04", "2026-01-10"),
        ("where was I on 3 May 2025?", "2025-05-03", "2025-05-03"),
        ("what happened last summer?", "2025-06-01", "2025-08-31"),
        ("which relationship ended in autumn 2024?", "2024-09-01", "2024-11-30"),
        ("who visited over the winter of 2024?", "2024-12-01", "2025-02-28"),
        ("what have I told you since June?", "2025-06-01", "9999-12-31"),
        ("what did we do at Christmas 2024?", "2024-01-01", "2024-12-31"),
        ("where did she live before 2024?", "0001-01-01", "2023-12-31"),
        ("what came after 2024?", "2025-01-01", "9999-12-31"),
    ],
)
def test_words_of_time_are_the_days_that_they_cover(question: str, first: str, last: str) -> None:
    """Q1"""
    assert period(question, ASKED_AT_MS) == Period(first, last)


@pytest.mark.parametrize(
    "question",
    ["where does she live?", "what am I doing today?", "do I like spring rolls?", "which parts has my 1972 radio?", ""],
)
def test_a_question_without_a_time_or_about_the_present_has_no_period(question: str) -> None:
    assert period(question, ASKED_AT_MS) is None


def test_days_are_those_of_the_users_time_zone() -> None:
    """X5"""
    late_ms = int(datetime(2026, 1, 10, 22, tzinfo=UTC).timestamp() * 1000)
    assert period("what did I say yesterday?", late_ms, "Asia/Tokyo") == Period("2026-01-10", "2026-01-10")
