"""Time expressions resolved against the message's time in the user's zone, at the precision stated (X5).

"last month" is a month (2026-10), "last week" the Monday of it, "yesterday" a day. What recurs (birthdays) carries no
year: --05-03. A cheap search for time words stands before everything; dateparser reads numeric dates only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import timezone as fixed_zone
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dateparser

from models.wording.lists import wordset
from models.wording.verbs import is_past


@dataclass(frozen=True, slots=True)
class Dates:
    """Civil dates of one clause, and (start, end, words): what says the same in its text without "last" or "next"."""

    valid_from: str | None = None
    valid_to: str | None = None
    recurring: str | None = None
    replacements: tuple[tuple[int, int, str], ...] = ()


NONE = Dates()

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MONTH_NUMBERS = {name.lower(): number for number, name in enumerate(MONTHS, 1)} | {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11,
    "dec": 12,
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
}
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "a couple of": 2, "couple of": 2,
    "a few": 3, "half a": 0, "several": 3,
}  # fmt: skip
_SEASONS = {"spring": "03", "summer": "06", "autumn": "09", "fall": "09", "winter": "12"}

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_COUNT = (
    r"(?:\d{1,3}|a couple of|couple of|a few|several|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|fifteen|twenty|thirty)"
)
_UNIT = r"(?:day|night|week|fortnight|month|year|decade)s?"
_TIME_WORDS = wordset(
    """
    yesterday today tonight tomorrow monday tuesday wednesday thursday friday saturday sunday weekend week weeks weeks'
    fortnight month months year years day days night nights decade decades spring summer autumn fall winter morning
    afternoon evening ago january february march april may june july august september october november december jan feb
    mar apr jun jul aug sep sept oct nov dec
    """
)
_LOWER_WORDS = re.compile(r"[a-z]+")
_TO = r"(?:(?P<to>until|till|til|through|up to|by)\s+(?:the\s+)?)?"
_EXPRESSION = re.compile(
    rf"\b(?:(?P<for>(?:for|over|these)\s+(?:about |around |almost |nearly |over |more than |a (?:good |full |solid )|"
    rf"the (?:last|past|"
    rf"next) |only |just |another )*(?P<for_count>{_COUNT})\s+(?:(?:whole|full|good|solid|entire)\s+)?"
    rf"(?P<for_unit>{_UNIT})(?P<now>\s+now)?)\b|"
    rf"(?P<ago>(?:about |around |almost |just |over )?(?P<ago_count>{_COUNT})\s+(?P<ago_unit>{_UNIT})\s+(?:ago|"
    rf"back|before)\b)|"
    rf"(?P<in>(?:in|within)\s+(?:about |"
    rf"around )?(?P<in_count>{_COUNT})(?:\s+more)?\s+(?P<in_unit>{_UNIT})(?:'?s? time)?\b)|"
    rf"(?P<day>{_TO}(?P<day_name>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|tomorrow|today|"
    rf"tonight|this (?:morning|afternoon|evening)|last night)(?: (?:morning|afternoon|evening|night))?\b)|"
    rf"(?P<beyond>(?:(?P<beyond_mark>since|until|till|til|through|by|from|as of|in)\s+)?(?:the\s+)?"
    rf"(?P<beyond_unit>week(?:end)?|month|year|spring|summer|autumn|fall|winter|{_WEEKDAY})\s+"
    rf"(?P<beyond_which>before last|after next)\b(?!\s+(?:week|month|year|{_WEEKDAY})))|"
    rf"(?P<near>(?:(?P<near_mark>since|until|till|til|through|by|from|as of|on|in|at)\s+)?(?:the\s+)?(?P<which>last|"
    rf"next|this|this coming|this past|coming|past|the end of (?:the|this|next))\s+(?P<near_unit>week(?:end)?|"
    rf"month|year|spring|summer|autumn|fall|winter|{_WEEKDAY}|{_MONTH})\b)|"
    rf"(?P<date>(?:(?P<date_mark>since|until|till|til|through|by|from|on|as of|"
    rf"before)\s+)?(?:(?:the\s+)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})|"
    rf"(?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|"
    rf":))(?:,?\s+(?:in\s+)?(?P<date_year>\d{{4}}))?(?![\w:]))|"
    rf"(?P<numeric>(?:(?P<numeric_mark>since|until|till|by|from|on)\s+)?(?P<digits>\d{{4}}-\d{{2}}-\d{{2}}|"
    rf"\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{4}})\b)|"
    rf"(?P<month>(?P<month_mark>since|until|till|til|through|by|from|in|during|as of|early|mid|late|back in|"
    rf"of)\s+(?:early |mid[- ]?|late |"
    rf"the end of )?(?P<month_name>{_MONTH})(?:,?\s+(?:of\s+)?(?P<month_year>\d{{4}}))?(?!\w|\s+\d))|"
    rf"(?P<my>(?P<my_name>{_MONTH}),?\s+(?P<my_year>(?:19|20)\d{{2}}))\b|"
    rf"(?P<year>(?P<year_mark>since|until|till|til|through|by|from|in|during|back in)\s+(?P<year_digits>(?:19|"
    rf"20)\d{{2}})\b(?!-|\s*(?:people|euros|dollars|pounds|square|km)))|"
    rf"(?P<season>(?:(?P<season_mark>since|until|till|til|through|by|from|in|during|back in)\s+)(?:the\s+)?(?:early\s+|"
    rf"late\s+)?"
    rf"(?P<season_name>spring|summer|autumn|fall|winter)(?:\s+of)?\s+(?P<season_year>(?:19|20)\d{{2}}))\b|"
    rf"(?P<weekday>(?P<weekday_mark>since|until|till|til|through|by|from|on|this|"
    rf"next)\s+(?P<weekday_name>{_WEEKDAY})\b(?!s))|"
    rf"(?P<the>(?P<the_mark>until|till|til|by|on)\s+the\s+(?P<the_day>\d{{1,2}})(?:st|nd|rd|"
    rf"th)\b(?!\s+(?:floor|of|birthday|grade|street|avenue)))|"
    rf"(?P<weekend>(?:on|at|over)\s+the\s+weekend\b))",
    re.IGNORECASE,
)
# The first words of all that _EXPRESSION can match, besides numbers: elsewhere it is not tried.
_OPENING_WORDS = wordset(
    """
    for over these about around almost just a couple several an one two three four five six seven eight nine ten eleven
    twelve fifteen twenty thirty in within until till til through up by the yesterday tomorrow today tonight this last
    since from on at next coming past as before during early mid late back of day
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
# Of those, the words that say a time alone; after each other one comes one of the second words, or a number.
_WHOLE_WORDS = frozenset(("yesterday", "today", "tonight", "tomorrow"))
_SECOND_WORDS = (
    _OPENING_WORDS
    | _TIME_WORDS
    | wordset("more than only another few couple days weeks fortnights months years decades nights end to the after")
)
_ANY_WORD = re.compile(r"\w+")
_RECURS = re.compile(
    r"\b(?:birthday|bday|b-day|anniversary|name day|every year|each year|annually|yearly|turns? \d+ on|born on)\b",
    re.IGNORECASE,
)
_PERFECT = re.compile(
    r"\b(?:have|has|had|'ve|'s)\s+(?:\w+ly |not |always |only |just |never |now )*(?:been|\w+ed|lived|had|"
    r"known|owned|kept|gone|done|seen|worked|taught|drunk|eaten|run|played|grown|written|driven)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|going to|plan\w*|hop\w+ to|want\w*|intend\w*|shall|about to|(?:am|is|are)\s+\w+ing|have (?:a|"
    r"an|my) \w+|has (?:a|an) |due|expect\w*|starts?|launch\w*|visit)\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Za-z]+")
_DIGIT = re.compile(r"[0-9]")


@lru_cache(maxsize=512)
def _zone(name: str) -> ZoneInfo | fixed_zone:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def local_date(sent_at_ms: int, timezone: str) -> date:
    """The civil date where the user is at that time (milliseconds since 1970 UTC); an unknown zone counts as UTC."""
    return datetime.fromtimestamp(sent_at_ms / 1000, tz=_zone(timezone)).date()


def resolve(text: str, sent_at_ms: int, timezone: str = "UTC") -> Dates:
    """The dates of one clause. At most one of each field: the first expression that gives it wins."""
    lowered = text.lower()
    if _TIME_WORDS.isdisjoint(_LOWER_WORDS.findall(lowered)) and not _DIGIT.search(lowered):
        return NONE
    matches = list(_expressions(text))
    if not matches:
        return NONE
    today = local_date(sent_at_ms, timezone)
    scene = _Scene(today, _is_past(text), _RECURS.search(text) is not None, _PERFECT.search(text) is not None)
    valid_from = valid_to = recurring = None
    stay: re.Match[str] | None = None
    replacements: list[tuple[int, int, str]] = []
    for found in matches:
        part = _READERS[str(found.lastgroup if found.lastgroup in _READERS else _outer(found))](found, scene)
        if part is None:
            continue
        if found["for"] and part.valid_to:
            stay = found
        valid_from, valid_to = valid_from or part.valid_from, valid_to or part.valid_to
        recurring = recurring or part.recurring
        replacements.extend(part.replacements)
    if stay is not None and valid_from is not None and valid_from > today.isoformat()[: len(valid_from)]:
        valid_to = _ends(stay, _last_day_of(valid_from))
    return Dates(valid_from, valid_to, recurring, tuple(replacements))


def _last_day_of(stated: str) -> date:
    """The last day that a civil date may mean at its precision."""
    if len(stated) == 4:
        return date(int(stated), 12, 31)
    first = date.fromisoformat(f"{stated}-01" if len(stated) == 7 else stated)
    return _end_of(first, "month") if len(stated) == 7 else first


def _expressions(text: str) -> Iterator[re.Match[str]]:
    """What _EXPRESSION finds in order, looked for only at the words that it can begin with."""
    end = 0
    words = list(_ANY_WORD.finditer(text))
    lowered = [word[0].lower() for word in words]
    for word, opening, second in zip(words, lowered, [*lowered[1:], ""], strict=True):
        if word.start() < end or not (opening in _OPENING_WORDS or opening[0].isdigit()):
            continue
        if opening in _WHOLE_WORDS or second in _SECOND_WORDS or second[:1].isdigit() or second[:3] == "mid":
            found = _EXPRESSION.match(text, word.start())
            if found:
                end = found.end()
                yield found


@dataclass(frozen=True, slots=True)
class _Scene:
    today: date
    past: bool
    recurs: bool
    perfect: bool


# "My dad cut his hand": of one person, without an -s, these can only be past.
_PUT = re.compile(
    r"(?:my|our) (?:[a-z-]+ )?[a-z-]+(?<!s) (?:put|set|cut|hit|let|hurt|beat|shut|split|bet|spread) ", re.IGNORECASE
)


def _is_past(text: str) -> bool:
    if _FUTURE.search(text):
        return False
    if _PUT.match(text):
        return True
    return any(is_past(word) for word in _WORDS.findall(text)[:12])


def _outer(found: re.Match[str]) -> str:
    return next(name for name in _READERS if found[name] is not None)


def _part(found: re.Match[str], words: str, start: str | None = None, end: str | None = None) -> Dates:
    return Dates(start, end, None, ((found.start(), found.end(), words),))


def _iso(day: date, unit: str) -> str:
    if unit == "year":
        return f"{day.year:04d}"
    return day.strftime("%Y-%m") if unit == "month" else day.isoformat()


def _words(day: date, unit: str, mark: str = "on") -> str:
    """English for a day, week, month or year: "on March 1, 2026", "in October 2026"; `mark`: "", since, until, by."""
    if unit == "year":
        said, default = f"{day.year}", "in"
    elif unit == "month":
        said, default = f"{MONTHS[day.month - 1]} {day.year}", "in"
    elif unit == "week":
        said, default = f"the week of {MONTHS[day.month - 1]} {day.day}, {day.year}", "in"
    else:
        said, default = f"{MONTHS[day.month - 1]} {day.day}, {day.year}", "on"
    return f"{mark if mark not in ('on', 'in') else default} {said}".strip()


def _count(words: str) -> int:
    return int(words) if words.isdigit() else _NUMBERS[" ".join(words.lower().split())]


def _moved(day: date, unit: str, count: int) -> tuple[date, str]:
    """The day `count` units later (negative: earlier) and the precision that the unit states."""
    unit = unit.lower().rstrip("s")
    if unit in ("day", "night"):
        return day + timedelta(days=count), "day"
    if unit in ("week", "fortnight", "weekend"):
        moved = day + timedelta(weeks=count * (2 if unit == "fortnight" else 1))
        return moved - timedelta(days=moved.weekday()), "week"
    if unit == "month":
        months = day.year * 12 + day.month - 1 + count
        return date(max(1, months // 12), months % 12 + 1, 1), "month"
    years = count * (10 if unit == "decade" else 1)
    return date(min(9999, max(1, day.year + years)), 1, 1), "year"


def _end_of(day: date, unit: str) -> date:
    if unit == "week":
        return day + timedelta(days=6)
    if unit == "month":
        return _moved(day, "month", 1)[0] - timedelta(days=1)
    return date(day.year, 12, 31) if unit == "year" else day


# Prepositions of the last day on which something holds.
_ENDS = frozenset(("until", "till", "til", "through", "by", "up to"))


def _placed(found: re.Match[str], mark: str | None, day: date, unit: str) -> Dates:
    """A point in time by its preposition: since → valid_from, until and by → valid_to, else valid_from."""
    low = (mark or "").lower()
    if low in _ENDS or low == "before":
        words = _words(day, unit, "by" if low in ("by", "before") else "until")
        return _part(found, words, None, _end_of(day, unit).isoformat() if unit == "week" else _iso(day, unit))
    if low in ("since", "from", "as of"):
        return _part(found, _words(day, unit, "since" if low == "since" else "from"), _iso(day, unit))
    return _part(found, _words(day, unit), _iso(day, unit))


def _read_for(found: re.Match[str], scene: _Scene) -> Dates | None:
    count, unit = _count(found["for_count"]), found["for_unit"]
    if scene.perfect or found["now"] or found[0].lower().startswith(("over", "these")):
        if "next" in found[0].lower():
            return None
        day, precision = _moved(scene.today, unit, -count)
        return _part(found, _words(day, precision, "since"), _iso(day, precision))
    if scene.past:
        return None
    return _part(found, found[0], None, _ends(found, scene.today))


def _ends(found: re.Match[str], start: date) -> str:
    """When a stay of "for two weeks" that starts on a day is over, at the precision of its unit."""
    count, unit = _count(found["for_count"]), found["for_unit"]
    unit_name = unit.lower().rstrip("s")
    days = {"day": 1, "night": 1, "week": 7, "fortnight": 14}.get(unit_name)
    end = start + timedelta(days=days * count) if days else _moved(start, unit, count)[0]
    return _iso(end, "month" if unit_name == "month" else "year" if not days else "day")


def _read_ago(found: re.Match[str], scene: _Scene) -> Dates:
    day, precision = _moved(scene.today, found["ago_unit"], -_count(found["ago_count"]))
    return _part(found, _words(day, precision), _iso(day, precision))


def _read_in(found: re.Match[str], scene: _Scene) -> Dates | None:
    if scene.past or scene.perfect:
        return None
    day, precision = _moved(scene.today, found["in_unit"], _count(found["in_count"]))
    return _part(found, _words(day, precision), _iso(day, precision))


def _read_day(found: re.Match[str], scene: _Scene) -> Dates | None:
    name = found["day_name"].lower().removeprefix("the ")
    offset = {
        "yesterday": -1,
        "last night": -1,
        "tomorrow": 1,
        "day before yesterday": -2,
        "day after tomorrow": 2,
    }.get(name, 0)
    day = scene.today + timedelta(days=offset)
    if scene.recurs:
        return _recurring(found, day.month, day.day, None, "")
    return _placed(found, found["to"], day, "day")


def _read_season(found: re.Match[str], scene: _Scene) -> Dates:
    start = f"{found['season_year']}-{_SEASONS[found['season_name'].lower()]}"
    if found["season_mark"].lower() in _ENDS:
        return _part(found, found[0], None, start)
    return _part(found, found[0], start)


def _read_near(found: re.Match[str], scene: _Scene) -> Dates | None:
    which, unit, mark = found["which"].lower(), found["near_unit"].lower().rstrip("."), found["near_mark"]
    step = -1 if which in ("last", "past", "this past") else 1 if which in ("next", "the end of next") else 0
    return _near(found, scene, which, unit, mark, step)


def _read_beyond(found: re.Match[str], scene: _Scene) -> Dates | None:
    """ "The week before last", "the month after next": one step further than last and next."""
    which = found["beyond_which"].lower()
    step = -2 if which == "before last" else 2
    return _near(found, scene, which, found["beyond_unit"].lower(), found["beyond_mark"], step)


# "Before last" and "after next" lie one further than "last" and "next".
_BEYOND = {-2: -1, 2: 1}


def _near(found: re.Match[str], scene: _Scene, which: str, unit: str, mark: str | None, step: int) -> Dates | None:
    if unit in _WEEKDAYS:
        day = _weekday(scene.today, _WEEKDAYS[unit], step < 0, step == 1)
        return _placed(found, mark, day + timedelta(weeks=_BEYOND.get(step, 0)), "day")
    if unit in _SEASONS:
        return _season(found, unit, scene.today, step)
    if unit in _MONTH_NUMBERS:
        day = _month(scene.today, _MONTH_NUMBERS[unit], step < 0)
        return _placed(found, mark, day, "month")
    if unit == "weekend":
        saturday = scene.today + timedelta(
            days=(5 - scene.today.weekday()) % 7 if step == 0 else 5 - scene.today.weekday() + 7 * step
        )
        return _part(
            found,
            f"on the weekend of {_words(saturday, 'day', '')}",
            saturday.isoformat(),
            (saturday + timedelta(days=1)).isoformat(),
        )
    day, precision = _moved(scene.today, unit, step)
    placed = _placed(found, mark, day, precision)
    if which == "this" and not mark:
        return _part(found, _words(day, precision), placed.valid_from, _end_of(day, precision).isoformat())
    return placed


def _read_date(found: re.Match[str], scene: _Scene) -> Dates | None:
    number = _MONTH_NUMBERS[(found["m1"] or found["m2"]).lower().rstrip(".")]
    day_number = int(found["d1"] or found["d2"])
    year = int(found["date_year"]) if found["date_year"] else None
    mark = found["date_mark"] or ""
    if scene.recurs and mark.lower() in ("", "on"):
        return _recurring(found, number, day_number, year, mark)
    day = _day(year or scene.today.year, number, day_number)
    if day is None:
        return None
    if year is None:
        day = _nearest_year(day, scene)
    return (
        _placed(found, found["date_mark"], day, "day")
        if mark
        else _part(found, _words(day, "day", ""), day.isoformat())
    )


def _read_numeric(found: re.Match[str], scene: _Scene) -> Dates | None:
    read = dateparser.parse(
        found["digits"], languages=["en"], settings={"DATE_ORDER": "DMY", "RELATIVE_BASE": datetime(2000, 1, 1)}
    )
    if read is None:
        return None
    if scene.recurs:
        return _recurring(found, read.month, read.day, read.year, found["numeric_mark"] or "")
    return _placed(found, found["numeric_mark"] or "on", read.date(), "day")


def _read_month(found: re.Match[str], scene: _Scene) -> Dates | None:
    number = _MONTH_NUMBERS[found["month_name"].lower().rstrip(".")]
    mark = found["month_mark"].lower()
    if scene.recurs or mark == "of":
        return None
    if found["month_year"]:
        return _placed(found, mark, date(int(found["month_year"]), number, 1), "month")
    past = scene.past or mark in ("since", "back in")
    return _placed(found, mark, _month(scene.today, number, past, include=past or mark in _ENDS), "month")


def _read_month_year(found: re.Match[str], scene: _Scene) -> Dates | None:
    if not int(found["my_year"]) >= 1:
        return None
    return _part(found, found[0], f"{found['my_year']}-{_MONTH_NUMBERS[found['my_name'].lower().rstrip('.')]:02d}")


def _read_year(found: re.Match[str], scene: _Scene) -> Dates:
    mark, year = found["year_mark"].lower(), found["year_digits"]
    until = mark in _ENDS
    return _part(found, found[0], None if until else year, year if until else None)


def _read_weekday(found: re.Match[str], scene: _Scene) -> Dates:
    mark = found["weekday_mark"].lower()
    past = mark == "since" or (scene.past and mark not in _ENDS and mark not in ("next", "this"))
    day = _weekday(scene.today, _WEEKDAYS[found["weekday_name"].lower()], past, mark == "next")
    return _placed(found, mark, day, "day")


def _read_the(found: re.Match[str], scene: _Scene) -> Dates | None:
    day = _day(scene.today.year, scene.today.month, int(found["the_day"]))
    if day is None:
        return None
    if day < scene.today and not scene.past:
        following = _moved(scene.today, "month", 1)[0]
        day = _day(following.year, following.month, day.day) or day
    return _placed(found, found["the_mark"], day, "day")


def _read_weekend(found: re.Match[str], scene: _Scene) -> Dates | None:
    return None


def _recurring(found: re.Match[str], month: int, day: int, year: int | None, mark: str) -> Dates | None:
    if _day(year or 2000, month, day) is None:
        return None
    words = f"{MONTHS[month - 1]} {day}" + (f", {year}" if year else "")
    words = f"on {words}" if mark else words
    stated = f"{year:04d}-{month:02d}-{day:02d}" if year else None
    return Dates(stated, None, f"--{month:02d}-{day:02d}", ((found.start(), found.end(), words),))


def _season(found: re.Match[str], season: str, today: date, step: int) -> Dates:
    year = today.year
    start = int(_SEASONS[season])
    if step < 0 and today.month < start + 3:
        year -= 1
    if step > 0 and today.month >= start:
        year += 1
    year += _BEYOND.get(step, 0)
    return _part(found, f"in {season} {year}", f"{year:04d}-{_SEASONS[season]}")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _nearest_year(day: date, scene: _Scene) -> date:
    if scene.past and day > scene.today:
        return _day(day.year - 1, day.month, day.day) or day
    if not scene.past and day < scene.today - timedelta(days=31):
        return _day(day.year + 1, day.month, day.day) or day
    return day


def _month(today: date, number: int, past: bool, include: bool = True) -> date:
    year = today.year
    if past and number > today.month:
        year -= 1
    if not past and (number < today.month or (number == today.month and not include)):
        year += 1
    return date(year, number, 1)


def _weekday(today: date, number: int, past: bool, following: bool) -> date:
    if past:
        return today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    if following:
        return today - timedelta(days=today.weekday()) + timedelta(days=7 + number)
    return today + timedelta(days=(number - today.weekday()) % 7)


_READERS: dict[str, Callable[[re.Match[str], _Scene], Dates | None]] = {
    "for": _read_for, "ago": _read_ago, "in": _read_in, "day": _read_day, "beyond": _read_beyond,
    "near": _read_near, "date": _read_date,
    "numeric": _read_numeric, "month": _read_month, "my": _read_month_year, "year": _read_year,
    "season": _read_season, "weekday": _read_weekday, "the": _read_the, "weekend": _read_weekend,
}  # fmt: skip
