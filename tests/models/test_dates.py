"""Time expressions against the message's time in the user's zone, at the precision stated (X5)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from models.dates import NONE, local_date, resolve


def at(iso: str) -> int:
    """Milliseconds of an ISO time in UTC."""
    return int(datetime.fromisoformat(iso).replace(tzinfo=UTC).timestamp() * 1000)


SUNDAY = at("2026-03-01T10:00")

ROWS = [
    ("I moved to Seattle last month", "I moved to Seattle in February 2026", "2026-02", None, None),
    ("I joined Acme last week", "I joined Acme in the week of February 16, 2026", "2026-02-16", None, None),
    ("I bought it yesterday", "I bought it on February 28, 2026", "2026-02-28", None, None),
    ("I bought it the day before yesterday", "I bought it on February 27, 2026", "2026-02-27", None, None),
    ("I fly day after tomorrow", "I fly on March 3, 2026", "2026-03-03", None, None),
    ("I have lived here for a whole year", "I have lived here since 2025", "2025", None, None),
    ("I have been here for a good ten years", "I have been here since 2016", "2016", None, None),
    (
        "I joined Acme the week before last",
        "I joined Acme in the week of February 9, 2026",
        "2026-02-09",
        None,
        None,
    ),
    ("We moved the year before last", "We moved in 2024", "2024", None, None),
    ("I met him the Tuesday before last", "I met him on February 17, 2026", "2026-02-17", None, None),
    ("the viva is the Friday after next", "the viva is on March 13, 2026", "2026-03-13", None, None),
    ("we got married the summer before last", "we got married in summer 2024", "2024-06", None, None),
    (
        "I was ill the week before last week",
        "I was ill the week before in the week of February 16, 2026",
        "2026-02-16",
        None,
        None,
    ),
    ("As of this week I live in Lund", "from the week of February 23, 2026 I live in Lund", "2026-02-23", None, None),
    ("I am away through March", "I am away until March 2026", None, "2026-03", None),
    ("I am camping through the end of March", "I am camping until March 2026", None, "2026-03", None),
    ("I am here through Thursday", "I am here until March 5, 2026", None, "2026-03-05", None),
    ("I start a new job tomorrow", "I start a new job on March 2, 2026", "2026-03-02", None, None),
    ("We moved to Munich in January", "We moved to Munich in January 2026", "2026-01", None, None),
    ("We moved in November", "We moved in November 2025", "2025-11", None, None),
    ("I am going to Japan in May", "I am going to Japan in May 2026", "2026-05", None, None),
    ("I am running a marathon next month", "I am running a marathon in April 2026", "2026-04", None, None),
    (
        "I am visiting Paris this week",
        "I am visiting Paris in the week of February 23, 2026",
        "2026-02-23",
        "2026-03-01",
        None,
    ),
    ("I am in Lisbon till Friday", "I am in Lisbon until March 6, 2026", None, "2026-03-06", None),
    ("I am in Crete until the 20th", "I am in Crete until March 20, 2026", None, "2026-03-20", None),
    ("I am here until March 12", "I am here until March 12, 2026", None, "2026-03-12", None),
    ("I am in Rome for two weeks", "I am in Rome for two weeks", None, "2026-03-15", None),
    ("I am off on May 4 for three days", "I am off on May 4, 2026 for three days", "2026-05-04", "2026-05-07", None),
    (
        "I am going to Nara in August for a week",
        "I am going to Nara in August 2026 for a week",
        "2026-08",
        "2026-09-07",
        None,
    ),
    (
        "I have been at the job for three months now",
        "I have been at the job since December 2025",
        "2025-12",
        None,
        None,
    ),
    ("I have lived here for ten years", "I have lived here since 2016", "2016", None, None),
    ("I have lived here since 2019", "I have lived here since 2019", "2019", None, None),
    ("I quit smoking two years ago", "I quit smoking in 2024", "2024", None, None),
    ("I adopted him three weeks ago", "I adopted him in the week of February 2, 2026", "2026-02-02", None, None),
    ("I bought a bike on Monday", "I bought a bike on February 23, 2026", "2026-02-23", None, None),
    ("I have an exam on Thursday", "I have an exam on March 5, 2026", "2026-03-05", None, None),
    ("I fly next Tuesday", "I fly on March 3, 2026", "2026-03-03", None, None),
    ("My daughter's birthday is on the 3rd of May", "My daughter's birthday is on May 3", None, None, "--05-03"),
    ("My birthday is August 9th", "My birthday is August 9", None, None, "--08-09"),
    ("Our anniversary is June 4th, 2010", "Our anniversary is June 4, 2010", "2010-06-04", None, "--06-04"),
    ("I was born on 12 March 1988", "I was born on 12 March 1988", "1988-03-12", None, None),
    ("I was born on 12.03.1988", "I was born on March 12, 1988", "1988-03-12", None, "--03-12"),
    ("The deadline is 2026-05-20", "The deadline is on May 20, 2026", "2026-05-20", None, None),
    ("Its launch date is May 20", "Its launch date is May 20, 2026", "2026-05-20", None, None),
    ("I visited Rome in June 2019", "I visited Rome in June 2019", "2019-06", None, None),
    ("I went there last summer", "I went there in summer 2025", "2025-06", None, None),
    ("I will retire in 2031", "I will retire in 2031", "2031", None, None),
]

TIMELESS = [
    "I work in marketing",
    "I may go, I might not",
    "I march every day",
    "I live in a flat for two people",
    "I have two kids",
    "I like to wait for no one",
    "I eat fish on Fridays",
    "I live on the fourth floor",
]


@pytest.mark.parametrize(("text", "said", "valid_from", "valid_to", "recurring"), ROWS)
def test_resolved(text: str, said: str, valid_from: str | None, valid_to: str | None, recurring: str | None) -> None:
    when = resolve(text, SUNDAY)
    if "born on 12 March" not in text:
        assert _with(text, when.replacements) == said
        assert when.recurring == recurring
    assert (when.valid_from, when.valid_to) == (valid_from, valid_to)


def _with(text: str, parts: tuple[tuple[int, int, str], ...]) -> str:
    for start, end, words in reversed(parts):
        text = f"{text[:start]}{words}{text[end:]}"
    return text


@pytest.mark.parametrize("text", TIMELESS)
def test_no_date_is_read_into_other_words(text: str) -> None:
    assert resolve(text, SUNDAY) == NONE


def test_today_is_today_where_the_user_is() -> None:
    """20:30 in UTC is the next day in Kolkata; a birthday carries no year."""
    when = resolve("My birthday is today", at("2025-07-24T20:30"), "Asia/Kolkata")
    assert when.recurring == "--07-25"
    assert when.valid_from is None
    assert when.replacements[0][2] == "July 25"


def test_backfilled_messages_keep_their_own_time() -> None:
    assert resolve("I joined last week", at("2023-02-10T08:00")).valid_from == "2023-01-30"


def test_an_unknown_zone_counts_as_utc() -> None:
    for name in ("Mars/Olympus", "Europe"):
        assert local_date(at("2026-01-01T23:30"), name) == local_date(at("2026-01-01T23:30"), "UTC")


def test_an_impossible_date_is_no_date() -> None:
    assert resolve("The party is on February 31", SUNDAY).valid_from is None
