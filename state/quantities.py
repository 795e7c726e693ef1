"""Quantities in one spelling, so that claims are compared by what they count and not by how it is written (R7).

"thirty-four" and "34", "half past six" and "6:30", "an hour and a half" and "ninety minutes", "1.68 m" and "168 cm",
"50k" and "fifty thousand", "daily" and "every day", "UK" and "United Kingdom" become the same words. English only.
"""

from __future__ import annotations

import re

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000}
_VALUES = {word: value for value, word in enumerate(_SMALL)} | {w: 10 * (at + 2) for at, w in enumerate(_TENS)}

_WORTH_READING = re.compile(
    rf"\d|\b(?:{'|'.join((*_VALUES, *_SCALES))}|half|quarters?|twice|thrice|fortnight(?:ly)?|decades?"
    r"|daily|weekly|monthly|yearly|annual(?:ly)?)\b|\b(?:NYC|U\.?K|U\.?S)\b",
    re.I,
)
_WORD, _SCALE = "|".join(_VALUES), "|".join(_SCALES)
_WORDS = re.compile(
    rf"\b(?:(?:{_WORD})\b|an?(?= (?:{_SCALE})\b)|\d+(?= (?:{_SCALE})\b))"
    rf"(?:(?:-| |(?<=d) and )(?:{_WORD}|{_SCALE})\b)*(?!-(?:\w+th|first|second|third)\b)",
    re.I,
)
_SHARES = (
    (re.compile(r"\bhalf a (million|thousand|dozen)\b", re.I), 2),
    (re.compile(r"\b(?:a )?quarter of a (million)\b", re.I), 4),
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_K = re.compile(r"\b(\d+)k\b", re.I)
_MILLIONS = re.compile(r"\b(\d+)\.(\d) million\b", re.I)
_CURRENCIES = {"€": "euros", "$": "dollars", "£": "pounds"}
_CURRENCY = re.compile(r"([€$£])\s?(\d+)")

_PAST = re.compile(r"\b(?:(half)|(?:a )?quarter) (past|to) (\d{1,2})\b", re.I)
_CLOCK = re.compile(r"(?<![\d:.,-])([01]?\d|2[0-3])(?::([0-5]\d)|\.([0-5]\d)(?= ?[ap]\.?m\b))(?![\d:])")
_HALVES_OF_DAY = re.compile(r"(?<=\d) ?([ap])\.?m\b\.?", re.I)

_DURATIONS = (
    (re.compile(r"\ban hour and a half\b", re.I), "90 minutes"),
    (re.compile(r"\b(?:half an hour|a half[- ]hour)\b", re.I), "30 minutes"),
    (re.compile(r"\b3 quarters of an hour\b", re.I), "45 minutes"),
    (re.compile(r"\b(?:a )?quarter of an hour\b", re.I), "15 minutes"),
    (re.compile(r"\ban hour\b", re.I), "60 minutes"),
    (re.compile(r"\bfortnight(?:ly)?\b", re.I), "2 weeks"),
    (re.compile(r"\ba decade\b", re.I), "10 years"),
    (re.compile(r"\btwice\b", re.I), "2 times"),
    (re.compile(r"\bthrice\b", re.I), "3 times"),
    (re.compile(r"\bdaily\b", re.I), "every day"),
    (re.compile(r"\b(week|month|year)ly\b", re.I), r"every \1"),
    (re.compile(r"\bannual(?:ly)?\b", re.I), "every year"),
    (re.compile(r"\bhalf a lit(?:re|er)\b", re.I), "500 ml"),
    (re.compile(r"\b(?:NYC|N\.Y\.C\.)"), "New York City"),
    (re.compile(r"\bU\.?K\b\.?"), "United Kingdom"),
    (re.compile(r"\bU\.?S(?:\.?A)?\b\.?(?! dollars?)"), "United States"),
)
_HOURS = re.compile(r"\b(\d+) hours?(?:( and a half)|(?: and)? (\d+) min(?:ute)?s?)?\b", re.I)
_DECADES = re.compile(r"\b(\d+) decades\b", re.I)
_METRES = re.compile(r"\b(\d|one)(?:[.,](\d\d) ?(?:m|met(?:re|er)s?)| ?(?:m|met(?:re|er)s?) (\d\d))\b", re.I)
_LITRES = re.compile(r"\b(\d)[.,](\d) ?(?:l|lit(?:re|er)s?)\b", re.I)


def spelled_alike(text: str) -> str:
    """The text with its numbers, times, durations, measures and a few countries in one spelling; for comparing only."""
    if _WORTH_READING.search(text) is None:
        return text
    for pattern, parts in _SHARES:
        text = pattern.sub(lambda found, parts=parts: str(_SCALES[found[1].casefold()] // parts), text)  # type: ignore[misc]
    text = _THOUSANDS.sub("", text)
    text = _MILLIONS.sub(lambda found: str((10 * int(found[1]) + int(found[2])) * 100_000), text)
    text = _WORDS.sub(lambda found: _composed(found[0]), text)
    text = _K.sub(r"\g<1>000", text)
    text = _CURRENCY.sub(lambda found: f"{found[2]} {_CURRENCIES[found[1]]}", text)
    text = _PAST.sub(_past, text)
    text = _CLOCK.sub(lambda found: _clock(int(found[1]), int(found[2] or found[3])), text)
    text = _HALVES_OF_DAY.sub(lambda found: f" {found[1].casefold()}m", text)
    for pattern, words in _DURATIONS:
        text = pattern.sub(words, text)
    text = _HOURS.sub(lambda f: f"{60 * int(f[1]) + (30 if f[2] else int(f[3] or 0))} minutes", text)
    text = _DECADES.sub(lambda found: f"{10 * int(found[1])} years", text)
    text = _METRES.sub(lambda found: f"{found[1].replace('one', '1')}{found[2] or found[3]} cm", text)
    return _LITRES.sub(lambda found: f"{found[1]}{found[2]}00 ml".lstrip("0"), text)


def _composed(text: str) -> str:
    """Number words as digits: "two hundred and fifty thousand" 250000, "nineteen ninety-four" 1994.

    "one" alone is more often no number; words that make no one number stay beside each other ("two three").
    """
    words = re.split(r"-| and | ", text.casefold().strip())
    if words == ["one"]:
        return text
    done: list[int] = []
    total, current = 0, None
    for word in words:
        if word in ("a", "an"):
            current = 1
        elif word in ("hundred", "dozen"):
            current = (1 if current is None else current) * _SCALES[word]
        elif word in _SCALES:
            total, current = total + (1 if current is None else current) * _SCALES[word], None
        else:
            value = int(word) if word.isdigit() else _VALUES[word]
            if (
                current is None
                or (current % 100 == 0 and current > 0)
                or (current % 10 == 0 and current > 10 > value > 0)
            ):
                current = (current or 0) + value
            elif 10 < current <= 20 and value >= 10:
                current = 100 * current + value
            elif current > 1900 and current % 10 == 0 and value < 10:
                current += value
            else:
                done.append(total + current)
                total, current = 0, value
    return " ".join(map(str, (*done, total + (current or 0))))


def _past(found: re.Match[str]) -> str:
    hour, minutes = int(found[3]), 30 if found[1] else 15
    if found[2].casefold() == "to":
        hour, minutes = (hour - 1) % 24, 60 - minutes
    return f"{hour or 12}:{minutes}"


def _clock(hour: int, minutes: int) -> str:
    """A time of day on twelve hours; the half of the day stays a word of its own, for it is often left out."""
    late = hour > 12
    hour = hour - 12 if late else hour
    return (f"{hour:02d}{minutes:02d}" if minutes else str(hour)) + (" pm" if late else "")
