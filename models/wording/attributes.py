"""The attribute table: verb and pattern → predicate, and "my NOUN is…" → predicate.

Each row is (verbs, pattern on what follows the verb, predicate, flags). The first row of a verb that matches is taken,
so the narrow ones stand first. Flags: `past=NAME` the predicate where the clause is past; `status`, `opinion`, `fact`
the kind; `drop` a passing thing (X6); `place` cuts the object where the place ends; `object=WORDS` the object; others
name what the object must hold (`pet`, `diet`, `condition`, `instrument`, `sport`, `relation`, `language`) or how it is
made (see models.triples).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from models.wording import rows_health, rows_leisure, rows_person, rows_work

ROWS = (*rows_person.ROWS, *rows_work.ROWS, *rows_health.ROWS, *rows_leisure.ROWS)
_OWNED = """
is_named: name, first name, full name, last name, surname
has_nickname: nickname
is_aged: age
born_on: birthday, date of birth, birth date
works_as: job, occupation, profession, day job, career, role, title, job title, position, side hustle, side job
comes_from: hometown, home town, home country
born_in: birthplace
pays_rent: rent, mortgage
height: height
weight: weight
blood_type: blood type, blood group
has_pronouns: pronouns
has_gender: gender
has_hobby: hobby, hobbies, passion, passions, pastime, main hobby
works_at: employer, company, workplace
works_in: office
earns: salary, income, wage
has_nationality: nationality
believes_in: religion, faith
follows_diet: diet
has_allergy: allergy, allergies
speaks: native language, mother tongue, first language, second language
wants: dream, goal, dream job
plans: plan, plans
has_budget: budget
drives: car, truck, motorbike
commutes: commute
anniversary_on: anniversary, wedding anniversary
in_timezone: timezone, time zone
studies: major, minor
has_degree: degree
supports_team: team
has_home: flat, apartment, house, home, place, room, garden
lives_in: address, city, town
uses: phone, laptop, computer, editor, ide
plays_instrument: instrument, instruments
plays_sport: sport
fears: fear, biggest fear, greatest fear
dislikes: pet peeve
deadline_on: deadline, due date
launches_on: launch date, release date, go-live date, launch, release, go-live
takes_medication: medication
work_schedule: shift, shifts, schedule, work schedule
belongs_to: ethnicity, heritage, ancestry, background
has_orientation: sexuality
states: star sign, zodiac sign
studies_at: school, university, college
graduated_from: alma mater
collects: collection
owns_business: business, startup, shop
has_appointment: appointment, interview, flight, exam, test, surgery, operation, viva, wedding
has_condition: condition
has_disability: disability
exercises: gym, workout
sleeps: bedtime
works_on: project
member_of: church, club, band
"""


Row = tuple[re.Pattern[str], str, dict[str, str]]
"""Pattern on what follows the verb, predicate, flags."""
_ROWS_TRIED_ONE_BY_ONE_MAX = 3


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one verb, in their order, and one pattern that says which of them is the first to match."""

    rows: tuple[Row, ...]
    first: re.Pattern[str] | None

    def from_first(self, rest: str) -> tuple[Row, ...]:
        """The rows from the first one on that matches all of `rest`; none of those before it does."""
        if self.first is None:
            return self.rows
        found = self.first.fullmatch(rest)
        return self.rows[(found.lastindex or 1) - 1 :] if found else ()


@cache
def table() -> dict[str, Rows]:
    """The rows of each verb, compiled."""
    rows: dict[str, list[Row]] = {}
    for verbs, pattern, predicate, flags in ROWS:
        parsed = {}
        for flag in _flags(flags):
            name, _, value = flag.partition("=")
            parsed[name] = value
        compiled = re.compile(pattern, re.IGNORECASE if "[A-Z]" not in pattern else 0)
        for verb in verbs.split():
            rows.setdefault(verb, []).append((compiled, predicate, parsed))
    return {verb: Rows(tuple(found), _first_of(found)) for verb, found in rows.items()}


def _first_of(rows: list[Row]) -> re.Pattern[str] | None:
    """All patterns in one, each closed by an empty group whose number is the row's; None where they are few."""
    if len(rows) <= _ROWS_TRIED_ONE_BY_ONE_MAX:
        return None
    parts = []
    for pattern, _, _ in rows:
        unnamed = re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern)
        parts.append(f"(?i:{unnamed})()" if pattern.flags & re.IGNORECASE else f"(?:{unnamed})()")
    return re.compile("|".join(parts))


def _flags(flags: str) -> list[str]:
    return re.findall(r"object=.+?(?= \w+=|$)|\S+", flags)


@cache
def owned() -> dict[str, str]:
    """The predicate of each noun in "my NOUN is …"."""
    found: dict[str, str] = {}
    for row in re.sub(r"\n    +", " ", _OWNED).split("\n"):
        predicate, _, nouns = row.partition(": ")
        found.update({noun.strip(): predicate for noun in nouns.split(",") if noun.strip()})
    return found
