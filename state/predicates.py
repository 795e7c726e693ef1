"""The predicate catalogue: which attributes a person has, how many values each holds, and what each is worth.

`single` attributes hold one value at a time (a later one replaces it, R6); `multi` attributes collect (R7).
`preference` attributes are attitudes, whose polarity may turn (R3). `importance` orders what is kept (F4).
`group` joins predicates that answer one question about a subject ("lives in", "moved to": residence).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Cardinality = Literal["single", "multi"]


@dataclass(frozen=True, slots=True)
class Predicate:
    """One attribute. `namespace` is where it is filed when the subject is the user; importance is 0–1."""

    name: str
    group: str
    cardinality: Cardinality
    namespace: tuple[str, ...]
    importance: float
    time_bound: bool = False
    preference: bool = False


_ROWS = """
is_named            name            single identity              0.95
has_nickname        nickname        multi  identity              0.70
is_aged             age             single identity              0.80
born_on             birthday        single identity              0.90
born_in             birthplace      single identity              0.80
has_pronouns        pronouns        single identity              0.90
has_gender          gender          single identity              0.80
has_nationality     nationality     multi  identity              0.75
belongs_to          origin          multi  identity              0.70
speaks              languages       multi  identity/languages    0.75
lives_in            residence       single home/residence        0.90
moved_to            residence       single home/residence        0.90
comes_from          hometown        single home/origin           0.75
lived_in            past_residence  multi  home/past             0.55
lives_with          household       multi  home/household        0.70
has_home            dwelling        multi  home/dwelling         0.60
pays_rent           rent            single home/rent             0.50
in_timezone         timezone        single identity/timezone     0.80
stays_in            stay            multi  plans/travel          0.50 time
visits              stay            multi  plans/travel          0.50 time
works_as            occupation      multi  work/occupation       0.85
works_at            employer        multi  work/employer         0.85
works_in            workplace       single work/location         0.65
works_on            work_project    multi  work/projects         0.60
joined              employer        multi  work/employer         0.85
started_job         employer        multi  work/employer         0.80
left_job            past_employer   multi  work/past             0.60
worked_at           past_employer   multi  work/past             0.55
worked_as           past_occupation multi  work/past             0.55
seeks_job           job_search      single work/search           0.60 time
is_retired          occupation      single work/occupation       0.80
is_unemployed       occupation      single work/occupation       0.75
work_schedule       work_schedule   multi  work/schedule         0.55
commutes            commute         multi  routines/commute      0.50
manages             responsibility  multi  work/responsibilities 0.60
owns_business       business        multi  work/business         0.80
earns               income          single finance/income        0.60
studies             studies         multi  education             0.70
studies_at          school          multi  education             0.70
graduated_from      degree          multi  education/degree      0.65
has_degree          degree          multi  education/degree      0.65
learns              learning        multi  education/learning    0.55
married_to          partner         single family/partner        0.90
has_partner         partner         single family/partner        0.90
is_married          marital_status  single family/status         0.85
is_single           marital_status  single family/status         0.80
is_divorced         marital_status  single family/status         0.80
is_engaged          marital_status  single family/status         0.85
is_widowed          marital_status  single family/status         0.85
has_child           children        multi  family/children       0.90
has_children        child_count     single family/children       0.85
expects_child       pregnancy       single family/children       0.90 time
has_parent          parents         multi  family/parents        0.75
has_sibling         siblings        multi  family/siblings       0.75
has_relative        relatives       multi  family/relatives      0.70
has_friend          friends         multi  people/friends        0.65
has_colleague       colleagues      multi  people/colleagues     0.55
knows_person        acquaintances   multi  people                0.50
has_pet             pets            multi  pets                  0.75
pet_named           pet_name        multi  pets                  0.70
has_allergy         allergies       multi  health/allergies      0.99
has_condition       conditions      multi  health/conditions     0.97
takes_medication    medication      multi  health/medication     0.97
has_disability      disability      multi  health/disability     0.97
has_symptom         symptoms        multi  health/symptoms       0.40 time
has_injury          injuries        multi  health/injuries       0.70 time
blood_type          blood_type      single health/blood_type     0.97
follows_diet        diet            multi  preferences/diet      0.90
avoids_food         diet_avoids     multi  preferences/diet      0.90
drinks_alcohol      alcohol         single health/habits         0.70
smokes              smoking         single health/habits         0.75
exercises           exercise        multi  routines/exercise     0.55
height              height          single identity/body         0.60
weight              weight          single identity/body         0.55 time
believes_in         religion        multi  beliefs/religion      0.75
political_view      politics        multi  beliefs/politics      0.70
has_orientation     orientation     single identity/orientation  0.80
likes               likes           multi  preferences           0.60 pref
loves               likes           multi  preferences           0.65 pref
enjoys              likes           multi  preferences           0.60 pref
dislikes            likes           multi  preferences           0.65 pref
hates               likes           multi  preferences           0.65 pref
prefers             likes           multi  preferences           0.70 pref
prefers_over        likes           multi  preferences           0.70 pref
favourite           favourite       multi  preferences/favourites 0.65 pref
avoids              likes           multi  preferences           0.70 pref
fears               fears           multi  preferences/fears     0.70 pref
thinks              opinions        multi  opinions              0.50 pref
interested_in       interests       multi  interests             0.55 pref
has_hobby           hobbies         multi  interests/hobbies     0.60
plays_instrument    instruments     multi  interests/music       0.60
plays_sport         sports          multi  interests/sports      0.60
plays_game          games           multi  interests/games       0.50
supports_team       teams           multi  interests/sports      0.55
collects            collections     multi  interests/collections 0.55
reads               reading         multi  interests/reading     0.50
watches             watching        multi  interests/watching    0.50
listens_to          music           multi  interests/music       0.50
member_of           memberships     multi  people/groups         0.60
volunteers          volunteering    multi  people/groups         0.60
owns                possessions     multi  possessions           0.55
drives              vehicles        multi  possessions/vehicles  0.60
bought              purchases       multi  possessions           0.45
uses                tools           multi  tools                 0.60
administers         responsibility  multi  work/responsibilities 0.60
can                 skills          multi  skills                0.60
cannot              skills          multi  skills                0.65
has_licence         licences        multi  skills/licences       0.65
plans               plans           multi  plans                 0.55 time
wants               goals           multi  goals                 0.50 time
travels_to          stay            multi  plans/travel          0.50 time
attends             events          multi  plans/events          0.50 time
has_appointment     appointments    multi  plans/appointments    0.50 time
celebrates          celebrations    multi  routines/celebrations 0.60
anniversary_on      anniversaries   multi  identity/anniversaries 0.70
experienced         experiences     multi  experiences           0.45
achieved            achievements    multi  experiences           0.55
routine             routines        multi  routines              0.50
sleeps              sleep           single routines/sleep        0.45
launches_on         launch_date     single project               0.65
deadline_on         deadline        single project               0.65 time
has_budget          budget          single project               0.60
has_status          status          multi  status                0.45 time
feels               feelings        multi  status/feelings       0.35 time
owes                debts           multi  finance               0.50 time
has_value           values          multi  beliefs/values        0.60
instructs           instructions    multi  procedures            0.80
forbids             instructions    multi  procedures            0.85
permits             instructions    multi  procedures            0.80
recommends          recommendations multi  assistant/recommendations 0.40
states              other           multi  facts                 0.45
"""


def _catalogue() -> dict[str, Predicate]:
    table: dict[str, Predicate] = {}
    for row in _ROWS.split("\n"):
        words = row.split()
        if words:
            name, group, cardinality, namespace, importance, *flags = words
            table[name] = Predicate(
                name,
                group,
                "single" if cardinality == "single" else "multi",
                tuple(namespace.split("/")),
                float(importance),
                time_bound="time" in flags,
                preference="pref" in flags,
            )
    return table


CATALOGUE: dict[str, Predicate] = _catalogue()
UNKNOWN = CATALOGUE["states"]


def predicate(name: str) -> Predicate:
    """The catalogue's entry, or that of "states" for a name it does not know (stricter gates apply, R7)."""
    return CATALOGUE.get(name, UNKNOWN)


def kind_of(name: str) -> str:
    """The kind of a claim of which only the attribute is known."""
    entry = predicate(name)
    if entry.group in ("instructions", "recommendations"):
        return "procedure" if entry.group == "instructions" else "recommendation"
    return "opinion" if entry.preference else "status" if entry.time_bound else "fact"


def namespace_for(subject: str, name: str) -> tuple[str, ...]:
    """Where a claim is filed: user/… for the user, assistant/… for advice, people/NAME for others (X8, X9)."""
    entry = predicate(name)
    if entry.namespace[0] in ("assistant", "procedures"):
        return entry.namespace
    if subject.casefold() == "user":
        return ("user", *entry.namespace)
    if subject.casefold().startswith("project "):
        return ("project", subject.split(" ", 1)[1].casefold())
    return ("people", subject.casefold())


def importance_of(name: str, intensity: float, mentions: int = 1) -> float:
    """Worth of keeping, 0–1: the predicate's, raised by attitude and by repetition (REQUIREMENTS "A fact", F4)."""
    raised = predicate(name).importance + 0.10 * max(0.0, intensity - 0.5) + 0.02 * min(mentions - 1, 5)
    return round(min(1.0, raised), 4)
