"""The time that a question is about: "in 2024", "last March", "two weeks ago", "since June" (Q1).

What models.dates reads of a statement is a point or an open end; a question about it means all days that the words
cover, from the first to the last.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from models.dates import local_date, resolve

_FIRST: Final = "0001-01-01"
_LAST: Final = "9999-12-31"
_ABOUT: Final = re.compile(r"\b(?:about|around|a few|few|couple|several) [\w ]*days?\b", re.IGNORECASE)
_SEASON: Final = re.compile(
    r"\b(?:(?:in|over|during|of|since|this|that)\s+(?:the\s+)?(?:early\s+|late\s+)?)?"
    r"(?P<season>spring|summer|autumn|fall|winter)\b(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d{2})\b)?",
    re.IGNORECASE,
)
_SEASON_MONTHS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_YEAR: Final = re.compile(r"\b(?P<mark>before|after|until|since)?\s*(?P<year>(?:19|20)\d{2})\b", re.IGNORECASE)
_YEARS_BACK_MAX: Final = 10  # a bare number of an earlier year is rather a model or a make
_PRESENT: Final = frozenset(("today", "tonight"))


@dataclass(frozen=True, slots=True)
class Period:
    """Civil days from `first` to `last`, both counted, as ISO dates."""

    first: str
    last: str


def period(question: str, asked_at_ms: int, timezone: str = "UTC") -> Period | None:
    """The days that a question's words cover, seen from when it is asked; None where it names no time, or the present.

    Words that are open at one end ("since March", "before 2024") reach as far as dates go.
    """
    today = local_date(asked_at_ms, timezone)
    found = resolve(question, asked_at_ms, timezone)
    if found.replacements and (found.valid_from or found.valid_to):
        start, end, words = found.replacements[0]
        if question[start:end].lower().split()[-1] in _PRESENT:
            return None
        return _stated(question[start:end], words, found.valid_from, found.valid_to)
    season = _SEASON.search(question)
    if season is not None and (season["year"] or season[0].lower() != season["season"].lower()):
        month = _SEASON_MONTHS[season["season"].lower()]
        return _months(int(season["year"]) if season["year"] else today.year - (month > today.month), month, 3)
    year = _YEAR.search(question)
    if year is None or not today.year - _YEARS_BACK_MAX <= int(year["year"]) <= today.year + 1:
        return None
    return _marked((year["mark"] or "").lower(), f"{year['year']}-01-01", f"{year['year']}-12-31")


def _stated(said: str, words: str, valid_from: str | None, valid_to: str | None) -> Period:
    """The days of an expression: as said, as models.dates spells it out, and the dates that it gave."""
    if valid_from is None:
        return Period(_FIRST, _last_day(valid_to or _LAST))
    if words.startswith(("since ", "from ")):
        return Period(_first_day(valid_from), _LAST)
    if valid_to is not None:
        return Period(_first_day(valid_from), _last_day(valid_to))
    first = date.fromisoformat(_first_day(valid_from))
    if "the week of" in words:
        return Period(first.isoformat(), (first + timedelta(days=6)).isoformat())
    if any(season in words for season in _SEASON_MONTHS):
        return _months(first.year, first.month, 3)
    if _ABOUT.search(said):
        return Period((first - timedelta(days=3)).isoformat(), (first + timedelta(days=3)).isoformat())
    return Period(first.isoformat(), _last_day(valid_from))


def _marked(mark: str, first: str, last: str) -> Period:
    if mark == "before":
        return Period(_FIRST, (date.fromisoformat(first) - timedelta(days=1)).isoformat())
    if mark == "after":
        return Period((date.fromisoformat(last) + timedelta(days=1)).isoformat(), _LAST)
    return Period(_FIRST if mark == "until" else first, _LAST if mark == "since" else last)


def _months(year: int, month: int, count: int) -> Period:
    """Whole months from one on; winter reaches into the next year."""
    last = month + count - 1
    year_last, month_last = year + (last - 1) // 12, (last - 1) % 12 + 1
    return Period(f"{year:04d}-{month:02d}-01", _last_day(f"{year_last:04d}-{month_last:02d}"))


def _first_day(day: str) -> str:
    return day + "-01-01"[3 * (len(day) > 4) :] if len(day) < 10 else day


def _last_day(day: str) -> str:
    if len(day) == 4:
        return f"{day}-12-31"
    return f"{day}-{monthrange(int(day[:4]), int(day[5:7]))[1]:02d}" if len(day) == 7 else day
