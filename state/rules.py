"""The decision rules of reconciliation (R1 to R11, F2, X9): pure functions of a candidate and what it may concern.

A similarity finds neighbours and never decides alone (R7): the subject and the attribute must be the same, and
negation, numbers and names must agree before two claims are one. A neighbour's `relation`, where one is given (a pair
judge's, gated by state/judging.py), takes the place of the comparison by words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal, NamedTuple

from state import matching
from state.facts import Candidate, Fact
from state.matching import Features
from state.policy import RulesPolicy
from state.predicates import CATALOGUE, UNKNOWN, predicate

Relation = Literal["same", "refines", "part", "vaguer", "turns", "negates", "replaces", "fulfils", "ends", "other"]
Action = Literal["ADD", "UPDATE", "DELETE", "NONE", "REINFORCE", "REACTIVATE", "FLAG"]

_PRIORITY: dict[Relation, int] = {
    "same": 0, "refines": 1, "part": 2, "turns": 3, "vaguer": 4, "negates": 5, "replaces": 6, "fulfils": 7, "ends": 8,
}  # fmt: skip
_SAY_IT = frozenset(("same", "refines", "part", "vaguer"))
_DISPUTES = frozenset(("turns", "negates", "replaces", "part", "fulfils", "ends"))
FREE_GROUPS = frozenset(
    (
        *("other", "opinions", "routines", "exercise", "plans", "goals", "experiences", "achievements", "feelings"),
        *("status", "commute", "events", "responsibility", "work_schedule", "values", "fears"),
    )
)
_HABITS = frozenset(("alcohol", "smoking", "skills"))
_NEGATIVE_VALUES = _HABITS | {"child_count", "marital_status"}
# What somebody has never done is worth knowing of itself; what somebody never had is only a denial.
_NEVER_DONE = frozenset(
    (
        *("other", "experiences", "exercise", "sports", "games", "music", "instruments", "stay", "events", "routines"),
        *("reading", "watching", "hobbies", "interests", "learning", "achievements", "tools", "volunteering"),
    )
)
_PEOPLE = frozenset(("children", "parents", "siblings", "relatives", "friends", "colleagues", "acquaintances"))
_TOLD_OF = _PEOPLE | {"pets", "partner"}
_ANYBODY = frozenset(matching.stems("child sibling parent relative friend colleague person somebody someone known"))
_COUNTED = frozenset(("age", "income", "rent", "height", "weight"))
_STATES = frozenset(("marital_status", "occupation"))
_PAST = {"past_residence": "residence", "past_employer": "employer", "past_occupation": "occupation"}
_ENDING = {
    "is_retired": frozenset(("employer", "workplace", "job_search")),
    "is_unemployed": frozenset(("employer", "workplace")),
    "is_single": frozenset(("partner",)),
    "is_divorced": frozenset(("partner",)),
    "is_widowed": frozenset(("partner",)),
}
_GAINING = frozenset(matching.stems("get find buy rent land start sign adopt hire choose own receive"))
_HELD = frozenset(("possessions", "vehicles", "pets", "dwelling", "purchases", "tools"))
_UNDONE = frozenset(matching.stems("try hope plan ask invite offer opportunity learn consider would chance"))
# What has one value at a time for most people: where the words say "now", the earlier value is past.
_RENEWED = frozenset(
    (
        "employer",
        "occupation",
        "vehicles",
        "school",
        "studies",
        "diet",
        "household",
        "commute",
        "work_schedule",
        "work_project",
    )
)
_TOOL_SIMILARITY_MIN = 0.62
_JUST_BEFORE_MS = 10 * 60_000
_JOB_WORDS = frozenset(matching.stems("job work role"))
_RANKS = frozenset(matching.stems("junior senior lead principal chief deputy assistant trainee apprentice associate"))
_JOB_GROUPS = frozenset(("employer", "occupation", "business"))


class Neighbour(NamedTuple):
    """An active or forgotten fact that a candidate may concern. `similarity` None: below the index's floor.

    `relation`: how it bears on the fact where a judge was asked and its answer gated (state/judging.py).
    """

    fact: Fact
    similarity: float | None = None
    relation: Relation | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be done, which rule says so and about which fact (R13).

    `content`, `predicate` and `object` are the claim as it shall stand. `fresh`: its evidence starts anew, because
    the value changed. `also` are further facts that the same statement denies or ends. `keep`: a value that came too
    late to be current is kept as a superseded version (R6). `contradicts`: both stand and are flagged (R9).
    """

    action: Action
    rule: str
    fact: Fact | None = None
    similarity: float | None = None
    content: str = ""
    predicate: str = ""
    object: str = ""
    reason: str | None = None
    fresh: bool = False
    also: tuple[Fact, ...] = ()
    keep: bool = False
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class _Match:
    relation: Relation
    neighbour: Neighbour


def neighbours_of(candidate: Candidate, facts: Iterable[Fact], similarities: Mapping[str, float]) -> list[Neighbour]:
    """The active and forgotten facts that a candidate may concern at all; the others need no comparison by words."""
    apart = incomparable(candidate.predicate)
    polarity = candidate.polarity
    return [
        Neighbour(fact, similarities.get(fact.fact_id))
        for fact in facts
        if (fact.predicate not in apart or fact.polarity is not polarity)
        and (fact.status == "active" or fact.status == "forgotten")
    ]


@lru_cache(maxsize=1024)
def incomparable(name: str) -> frozenset[str]:
    """The predicates whose facts a claim of this predicate and the same polarity cannot bear on."""
    new = predicate(name)
    if new is UNKNOWN:
        return frozenset()
    groups = {new.group, _PAST.get(new.group, new.group), *_ENDING.get(name, ())}
    if matching.attitude_of(new.group) == "likes":
        groups |= {old.group for old in CATALOGUE.values() if matching.attitude_of(old.group) == "likes"}
    fulfils = not new.time_bound and not new.preference
    return frozenset(
        other
        for other, old in CATALOGUE.items()
        if old.group not in groups and old is not UNKNOWN and not (fulfils and old.time_bound)
    )


def decide(
    candidate: Candidate, neighbours: Sequence[Neighbour], policy: RulesPolicy, *, forced: bool = False
) -> Decision:
    """The decision on one candidate among one user's facts. `forced`: a person asked for it (W4, remember)."""
    matches = _matches(candidate, neighbours, policy)
    best = matches[0] if matches else None
    if candidate.confidence < policy.confidence_min and not forced:
        reason = f"confidence {candidate.confidence:.2f} is below {policy.confidence_min:.2f}"
        if best is None or best.relation not in ("same", "vaguer"):
            return Decision("NONE", "P3.floor", reason=reason)
        return Decision("NONE", "P3.floor", best.neighbour.fact, best.neighbour.similarity, reason=reason)
    if best is None:
        return _unmatched(candidate)
    if best.neighbour.fact.status == "forgotten":
        return _forgotten(candidate, best)
    if best.relation in ("same", "vaguer"):
        return _restated(candidate, best, matches, policy)
    if best.relation == "refines":
        return _decision("UPDATE", "R2.completes", candidate, best, also=_ended(candidate, matches))
    if best.relation in _DISPUTES:
        return _disputed(candidate, best, matches, policy, forced)
    return _unmatched(candidate)


def relate(
    candidate: Candidate, fact: Fact, similarity: float | None, judged: Relation | None, policy: RulesPolicy
) -> Relation:
    """How a candidate bears on a fact: what it says of the same attribute of the same subject, or "other"."""
    return _relate(claim_features(candidate), candidate, fact, similarity, judged, policy)


def _relate(
    new: Features,
    candidate: Candidate,
    fact: Fact,
    similarity: float | None,
    judged: Relation | None,
    policy: RulesPolicy,
) -> Relation:
    old = claim_features(fact)
    if not (new.subject == old.subject or (judged is not None and of_one(new, old))):
        return "other"
    if not comparable(candidate, fact):
        return "other"
    if candidate.agent_id != fact.agent_id and candidate.kind in ("procedure", "recommendation"):
        return "other"
    if judged is not None:
        return "turns" if judged == "negates" and new.preference and old.preference else judged
    if _of_another(new, old) or _of_another(old, new):
        return "other"
    if new.attitude == old.attitude:
        return _same_attribute(new, old, candidate, fact, similarity, policy)
    return _across(new, old, candidate, fact, similarity, policy)


def _of_another(new: Features, old: Features) -> bool:
    """Whether one claim is about somebody or something of the subject's ("User's coach runs") and the other is not.

    Where both claims are of one named attribute, it is the attribute itself ("User's birthday is …").
    """
    if not new.possessed or new.possessed in old.words or new.possessed == old.possessed:
        return False
    if old.group == "pets" and new.names & old.names:
        return False  # "User's dog Otto" is the labradoodle called Otto
    return (new.predicate != old.predicate and "other" in (new.group, old.group)) or new.group == old.group == "other"


def of_one(new: Features, old: Features) -> bool:
    """Whether two claims tell of one subject, or of one person or thing of the user's ("User's father …")."""
    return new.subject == old.subject or (bool(new.possessed) and new.possessed == old.possessed)


def comparable(candidate: Candidate, claim: Candidate | Fact) -> bool:
    """Whether both tell of the user, or both of how the assistant should act, or both of what it advised."""
    return _family(candidate) == _family(claim)


def claim_features(claim: Candidate | Fact) -> Features:
    """The compared words of a candidate or a fact."""
    return matching.features(claim.subject, claim.predicate, claim.object, claim.content, claim.polarity)


def is_past(candidate: Candidate, fact: Fact) -> bool:
    """Whether a claim was said before what memory holds was last said, at the same source rank (R6)."""
    return candidate.source_rank == fact.source_rank and candidate.said_at_ms < fact.last_said_at_ms


def _family(claim: Candidate | Fact) -> str:
    return claim.kind if claim.kind in ("procedure", "recommendation") else "fact"


def _matches(candidate: Candidate, neighbours: Sequence[Neighbour], policy: RulesPolicy) -> list[_Match]:
    found: list[_Match] = []
    new = claim_features(candidate)
    for neighbour in neighbours:
        relation = _relate(new, candidate, neighbour.fact, neighbour.similarity, neighbour.relation, policy)
        if relation == "replaces" and not candidate.corrects and _said_together(candidate, neighbour.fact):
            continue  # two values in one breath are two values (R7)
        if relation == "other" or (neighbour.fact.status == "forgotten" and relation not in _SAY_IT):
            continue
        found.append(_Match(relation, neighbour))
    if len(found) > 1:
        found.sort(key=_order)
    return found


def _order(match: _Match) -> tuple[bool, int, float, int, str]:
    fact = match.neighbour.fact
    return (
        fact.status != "active",
        _PRIORITY[match.relation],
        -(match.neighbour.similarity or 0.0),
        -fact.last_said_at_ms,
        fact.fact_id,
    )


def _said_together(candidate: Candidate, fact: Fact) -> bool:
    return any(source.message_id == candidate.source.message_id for source in fact.sources)


# How two claims of one attribute relate.


def _same_attribute(
    new: Features, old: Features, candidate: Candidate, fact: Fact, similarity: float | None, policy: RulesPolicy
) -> Relation:
    if new.negative != old.negative:
        return _opposed(new, old, candidate, similarity, policy)
    relation = _of_one_sign(new, old, candidate, fact, similarity, policy)
    if relation != "other" or not (candidate.corrects or candidate.renewed):
        return relation
    put_right = _corrects(new, old, candidate, fact) or _renews(new, old, candidate, similarity)
    return "replaces" if put_right else "other"


def _corrects(new: Features, old: Features, candidate: Candidate, fact: Fact) -> bool:
    """Whether a claim puts right what was said just before in the same conversation of the same attribute (R2)."""
    if not candidate.corrects or new.group != old.group or new.negative:
        return False
    together = fact.sources[-1].conversation_id == candidate.source.conversation_id
    return together and 0 <= candidate.said_at_ms - fact.last_said_at_ms <= _JUST_BEFORE_MS


def _renews(new: Features, old: Features, candidate: Candidate, similarity: float | None) -> bool:
    """Whether a value that is said to hold "now" stands in the place of another, though there may be several (R2)."""
    if not candidate.renewed or new.group != old.group or new.another:
        return False
    if new.negative or new.worded_negatively or old.worded_negatively:
        return False
    if new.predicate == old.predicate == "prefers":
        return new.heads == old.heads
    # Tools serve different ends: one database gives way to another, and not to a language.
    alike = similarity is not None and similarity >= _TOOL_SIMILARITY_MIN
    return new.group in _RENEWED or (new.group == "tools" and alike)


def _of_one_sign(
    new: Features, old: Features, candidate: Candidate, fact: Fact, similarity: float | None, policy: RulesPolicy
) -> Relation:
    if new.group in FREE_GROUPS or new.group == "instructions":
        relation = _free(new, old, similarity, policy)
        return "fulfils" if relation == "other" and _fulfils(new, old, candidate, fact) else relation
    if (new.single or old.single) and not new.negative:
        return _single(new, old, candidate, fact)
    return _multi(new, old, candidate, fact)


def _opposed(
    new: Features, old: Features, candidate: Candidate, similarity: float | None, policy: RulesPolicy
) -> Relation:
    if new.group == "instructions":
        shared = len(new.words & old.words)
        return "replaces" if shared and shared >= 0.6 * min(len(new.words), len(old.words)) else "other"
    if new.preference and old.preference:
        # The whole and a sort of it: hating coffee ends a liking of black coffee, hating instant coffee ends nothing.
        disliked, liked = (new, old) if new.negative else (old, new)
        within = disliked.stems <= liked.stems or (liked.group == "favourite" and disliked.stems <= liked.words)
        heads = disliked.heads <= liked.heads or liked.group == "favourite"
        return "turns" if disliked.stems and within and heads else "other"
    if not new.negative:
        if old.denied and candidate.kind == "status":
            return "other"  # a plan to go changes nothing about never having been there
        if new.group not in FREE_GROUPS:
            return "replaces" if new.stems <= old.stems or old.stems <= new.stems else "other"
    if new.group in FREE_GROUPS:
        alike = similarity is not None and similarity >= policy.same_similarity
        denied, said = (new.words, old.words) if new.negative else (old.words, new.words)
        if denied != said and not (denied and denied < said and alike and _UNDONE.isdisjoint(said - denied)):
            return "other"
        return "negates" if new.negative else "replaces"
    covers = new.stems <= old.stems and bool(new.stems) and not new.another
    if not old.stems <= old.words and not matching.changed(candidate.content):
        # The object is a class ("alcohol") that the words do not name: denying wine does not deny beer.
        covers = covers and new.words <= old.words | old.stems
    habit = new.group in _HABITS
    if habit and new.single and matching.changed(candidate.content):
        covers = covers or not new.stems - old.stems - new.numbers
    if covers and (new.heads <= old.heads | old.stems or habit):
        return "replaces" if habit and matching.changed(candidate.content) else "negates"
    return "other"


def _single(new: Features, old: Features, candidate: Candidate, fact: Fact) -> Relation:
    if "is_unemployed" in (new.predicate, old.predicate) and "works_as" in (new.predicate, old.predicate):
        return "other"  # a doctor without a post is a doctor still
    if new.group in _STATES and new.predicate != old.predicate and (new.single or old.single):
        return "replaces"
    if new.places and old.places:
        return _place(new, old, candidate, fact)
    if new.group == "sleep" and (new.words - new.stems).isdisjoint(old.words - old.stems):
        return "other" if new.words != new.stems and old.words != old.stems else "replaces"  # getting up, going to bed
    if new.group == "rent" and ("rent" in new.words) != ("rent" in old.words):
        return "other"  # what somebody pays for something else
    if candidate.recurring and candidate.recurring == fact.recurring and new.worded_negatively == old.worded_negatively:
        return "same" if new.stems <= old.stems else "refines"
    if new.stems == old.stems:
        return _one_object(new, old, candidate)
    if new.group == "name" and ("middl" in new.words) != ("middl" in old.words):
        return "other"
    if new.generic:
        # "User's wife is a dentist" names no other wife, and says more than that there is one.
        return "same" if new.words <= old.words | new.stems else "other"
    if old.generic:
        return "refines"
    if new.numbers and old.numbers and not (new.numbers <= old.numbers or old.numbers <= new.numbers):
        return "replaces"
    if old.stems < new.stems or old.words < new.words:
        return "refines"
    if new.group in _COUNTED and not (new.numbers and old.numbers):
        return "other"
    return "vaguer" if new.stems < old.stems else "replaces"


def _place(new: Features, old: Features, candidate: Candidate, fact: Fact) -> Relation:
    described = matching.describes_place(candidate.object, candidate.content)
    if described != matching.describes_place(fact.object, fact.content):
        return "other"  # "near a lake" does not say which town
    if matching.tells_of_former_place(candidate.content) or matching.tells_of_former_place(fact.content):
        return "same" if new.places == old.places else "other"
    if matching.names_street(candidate.object) != matching.names_street(fact.object):
        return "other"  # York Street is in no New York
    if new.places == old.places:
        if matching.tells_duration(candidate.content):
            return "same"
        return "same" if new.stems == old.stems else "refines" if old.stems < new.stems else "vaguer"
    if all(place in new.places for place in old.places):
        return "refines"
    if all(place in old.places for place in new.places):
        return "vaguer"
    if old.stems <= new.words - new.stems and " from " not in candidate.content:
        return "refines"
    alone = len(new.places) == 1 and not new.names - new.stems - old.stems
    if alone and matching.names_part(candidate.content) and not matching.names_part(fact.content):
        return "part"
    whole = len(old.places) == 1 and matching.names_part(fact.content) and candidate.predicate != "moved_to"
    if alone and whole:
        return "part"
    return "other" if described and candidate.predicate != "moved_to" else "replaces"


def _multi(new: Features, old: Features, candidate: Candidate, fact: Fact) -> Relation:
    another = new.another and new.predicate != "prefers_over"
    if new.stems == old.stems:
        if new.ordered != old.ordered and new.predicate in ("prefers_over", "prefers"):
            return "turns"
        return "other" if _other_role(new, old) else _one_object(new, old, candidate)
    if new.group == old.group == "favourite":
        # The favourite colour is one at a time; what it is the favourite of are the words around the object.
        of, known = new.words - new.stems, old.words - old.stems
        if of == known and old.stems < new.stems and old.heads <= new.stems:
            return "refines"
        return "replaces" if of == known and len(of) > 1 and "1" not in of else "other"
    if new.generic or old.generic:
        if another and not _said_together(candidate, fact):
            return "other"
        return "same" if new.generic else "refines"
    if another:
        return "other"
    if new.numbers and old.numbers and new.numbers != old.numbers:
        return "replaces" if new.stems - new.numbers == old.stems - old.numbers else "other"
    if new.group == "occupation" and new.stems - _RANKS == old.stems - _RANKS and new.stems & _RANKS:
        return "replaces"  # a promotion
    if old.stems < new.stems and _same_head(old, new):
        return "other" if old.plural and new.one else "refines"
    return "vaguer" if new.stems < old.stems and _same_head(new, old) else "other"


def _other_role(new: Features, old: Features) -> bool:
    """Whether one name stands in two relations: a cousin called Anna is not the aunt called Anna."""
    if new.group not in _PEOPLE:
        return False
    roles, known = new.words - new.stems - _ANYBODY, old.words - old.stems - _ANYBODY
    return bool(roles) and bool(known) and roles.isdisjoint(known)


def _one_object(new: Features, old: Features, candidate: Candidate) -> Relation:
    """Of one attribute's one object: the same only where names, numbers and negation agree around it too (R7)."""
    if matching.tells_duration(candidate.content):
        corrects = new.skeleton == old.skeleton and not (new.numbers <= old.numbers or old.numbers <= new.numbers)
        return "replaces" if corrects else _fuller(new, old, candidate)
    if new.worded_negatively != old.worded_negatively and not new.negative:
        return "other"
    if new.numbers and old.numbers and not (new.numbers <= old.numbers or old.numbers <= new.numbers):
        return "replaces" if new.skeleton == old.skeleton else "other"
    if not (new.names <= old.names or old.names <= new.names):
        return "other"
    if new.group in _TOLD_OF and not (new.words <= old.words or old.words <= new.words):
        return "other"  # two things told of one son are not one
    return _fuller(new, old, candidate)


def _fuller(new: Features, old: Features, candidate: Candidate) -> Relation:
    """Of one object: whether the new sentence says all that the old one does and more, or only the same again."""
    more = old.words < new.words and new.predicate == old.predicate
    return "refines" if more and not matching.tells_duration(candidate.content) else "same"


def _same_head(short: Features, long: Features) -> bool:
    """Whether the longer phrase is about the shorter one: "football" is no part of "football video games"."""
    return bool(short.heads) and short.heads <= long.heads


def _free(new: Features, old: Features, similarity: float | None, policy: RulesPolicy) -> Relation:
    if new.words == old.words or (_same_object(new, old) and new.numbers == old.numbers):
        return "same"
    if new.numbers != old.numbers and new.numbers and old.numbers:
        return "replaces" if new.skeleton == old.skeleton and len(new.skeleton) > 1 else "other"
    if not (new.names <= old.names or old.names <= new.names):
        return "other"
    if similarity is None or similarity < policy.overlap_similarity:
        return "other"
    if new.worded_negatively != old.worded_negatively:
        return "other"
    if old.words < new.words:
        return "refines"
    if new.words < old.words:
        return "vaguer"
    if new.numbers != old.numbers or new.names != old.names or similarity < policy.same_similarity:
        return "other"
    swapped = len(new.words - old.words) == 1 and len(old.words - new.words) == 1
    return "same" if new.words & old.words and not swapped else "other"


def _same_object(new: Features, old: Features) -> bool:
    """Whether one attribute's objects are the same words; a sentence of no attribute is more than its object."""
    named = new.group not in ("other", "opinions", "feelings", "experiences")
    return named and new.predicate == old.predicate and new.stems == old.stems != new.words


# How claims of two attributes relate.


def _across(
    new: Features, old: Features, candidate: Candidate, fact: Fact, similarity: float | None, policy: RulesPolicy
) -> Relation:
    past = _PAST.get(new.group)
    if past == old.group and not old.negative:
        if new.negative:
            return "negates" if new.stems and new.stems <= old.stems else "other"
        return "ends" if new.stems <= old.stems or new.generic else "other"
    if not new.negative and (_ends(new, old) or _parts(new, old, candidate)):
        return "ends"
    if _fulfils(new, old, candidate, fact):
        return "fulfils"
    if _goes_on(new, old, candidate):
        return "same"
    unnamed = "other" in (new.group, old.group)
    if new.words == old.words and new.words and (unnamed or new.negative != old.negative):
        if new.negative == old.negative:
            return "same"
        bare = new.negative and not (new.preference or old.preference) and " and " not in candidate.content
        return "negates" if bare else "other"
    agree = new.negative == old.negative and new.numbers == old.numbers and new.names == old.names
    if unnamed and agree and new.worded_negatively == old.worded_negatively:
        alike = similarity is not None and similarity >= policy.same_similarity
        if alike and len(old.words) > 1 and old.words < new.words:
            return "refines"
        return "vaguer" if alike and len(new.words) > 1 and new.words < old.words else "other"
    return "other"


def _goes_on(new: Features, old: Features, candidate: Candidate) -> bool:
    """Whether a claim only says how long one has been where one is known to work or study (R10)."""
    if new.group != "other" or old.group not in ("employer", "school") or new.negative or old.negative:
        return False
    if not matching.tells_duration(candidate.content):
        return False
    where = new.stems - new.numbers
    return bool(where) and where <= old.words | old.stems


def _ends(new: Features, old: Features) -> bool:
    return old.group in _ENDING.get(new.predicate, ()) and not old.negative


def _parts(new: Features, old: Features, candidate: Candidate) -> bool:
    """Whether a claim says that a thing or an animal that one had is sold, given away or dead (R10)."""
    if old.group not in _HELD or old.negative or old.plural or new.group in _HELD or new.time_bound:
        return False
    if not matching.parts_with(candidate.content) or (old.numbers and new.numbers - old.numbers):
        return False
    return bool(old.names & new.names) or (bool(old.heads) and old.heads <= new.words)


def _fulfils(new: Features, old: Features, candidate: Candidate, fact: Fact) -> bool:
    """Whether a fact makes a status come true (R10): a job searched for was found, what was planned was done."""
    if new.negative or old.negative or new.time_bound or new.preference or candidate.kind == "status":
        return False
    sought = matching.sought(fact.content)
    if old.group == "job_search" or (sought and sought <= _JOB_WORDS):
        if new.group not in _JOB_GROUPS or new.predicate in ("is_retired", "is_unemployed"):
            return False
        started = new.predicate in ("joined", "started_job") or not {"start", "join", "get", "land", "new"}.isdisjoint(
            matching.stems(candidate.content)
        )
        return started or not old.another
    if old.group == "pregnancy":
        return new.group == "children" and _is_birth(candidate, fact)
    if sought:
        return sought <= new.words and not _GAINING.isdisjoint(new.words)
    if old.group not in ("plans", "goals"):
        return False
    if new.group in _HELD and new.heads & old.heads:
        return old.stems - _GAINING <= new.words
    return len(old.stems) > 1 and old.stems <= new.words


def _is_birth(candidate: Candidate, fact: Fact) -> bool:
    """Whether a child is the one expected and not an elder one: it was born since."""
    if {"born", "birth", "newborn", "arriv", "deliver"} & set(matching.stems(candidate.content)):
        return True
    said = datetime.fromtimestamp(fact.last_said_at_ms / 1000, UTC).date().isoformat()
    return bool(candidate.valid_from) and str(candidate.valid_from) >= said[: len(str(candidate.valid_from))]


# What follows.


def _unmatched(candidate: Candidate) -> Decision:
    new = claim_features(candidate)
    holds_negative = new.preference or new.group in _NEGATIVE_VALUES or new.group == "instructions"
    if new.negative and not holds_negative and (new.single or (new.denied and new.group not in _NEVER_DONE)):
        return Decision("NONE", "R4.nothing_to_negate", reason="denies what memory does not hold")
    rule = "X9.recommendation" if candidate.kind == "recommendation" else "R1.new"
    return Decision("ADD", rule, None, None, candidate.content, candidate.predicate, candidate.object)


def _forgotten(candidate: Candidate, match: _Match) -> Decision:
    fact = match.neighbour.fact
    similarity = match.neighbour.similarity
    if candidate.said_at_ms <= fact.recorded_at_ms or _said_together(candidate, fact):
        return Decision("NONE", "F3.boundary", fact, similarity, reason="was said before it was forgotten")
    if candidate.source_rank != 0:
        return Decision(
            "NONE", "F2.not_the_users_statement", fact, similarity, reason="only the user may bring it back"
        )
    return _decision("REACTIVATE", "F2.reactivate", candidate, match, fresh=True)


def _restated(candidate: Candidate, best: _Match, matches: Sequence[_Match], policy: RulesPolicy) -> Decision:
    fact, similarity = best.neighbour.fact, best.neighbour.similarity
    if _said_together(candidate, fact):
        return Decision("NONE", "R5.same_message", fact, similarity, reason="this message is among its sources")
    also = _ended(candidate, matches)
    new, old = claim_features(candidate), claim_features(fact)
    dated = new.numbers <= old.numbers and matching.tells_duration(fact.content)
    if matching.tells_duration(candidate.content) and not dated and not also:
        return _decision("REINFORCE", "R10.refines_date", candidate, best, wording=False)
    if best.relation == "vaguer":
        return _decision("REINFORCE", "R5.vaguer", candidate, best, wording=False, also=also)
    surer = round(candidate.confidence - fact.confidence, 4)
    stronger = round(candidate.intensity - fact.intensity, 4)
    gain = policy.score_gain
    if surer < gain and stronger < gain:
        return _decision("REINFORCE", "R5.restated", candidate, best, wording=False, also=also)
    exact = new.predicate == old.predicate and new.stems == old.stems
    alike = similarity is None or similarity >= policy.overlap_similarity
    fuller = len(new.words) > len(old.words) or (len(new.words) == len(old.words) and stronger >= gain)
    wording = not exact and alike and (surer >= gain or (surer > -gain and fuller)) and not new.generic
    return _decision("UPDATE", "R2.stronger", candidate, best, wording=wording, also=also)


def _disputed(
    candidate: Candidate, best: _Match, matches: Sequence[_Match], policy: RulesPolicy, forced: bool
) -> Decision:
    fact, similarity, relation = best.neighbour.fact, best.neighbour.similarity, best.relation
    if is_past(candidate, fact):
        keep = relation in ("replaces", "turns")
        reason = "a later statement stands"
        return Decision("NONE", "R6.later", fact, similarity, reason=reason, keep=keep)
    if candidate.source_rank > fact.source_rank and relation not in ("fulfils", "part"):
        reason = f"contradicts what a better source said: {fact.content}"
        return _decision("ADD", "R9.contradicts", candidate, best, contradicts=True, reason=reason)
    if relation == "negates":
        return _denied(candidate, best, matches, policy, forced)
    also = _ended(candidate, matches)
    if relation == "part":
        return _decision("UPDATE", "R2.completes", candidate, best, also=also)
    if relation == "turns":
        action: Action = "DELETE" if policy.polarity_change == "delete" else "UPDATE"
        return _decision(action, "R3.polarity", candidate, best, fresh=True, also=also)
    if relation == "fulfils":
        return _decision("UPDATE", "R10.status_to_fact", candidate, best, fresh=True, also=also)
    if relation == "ends":
        return _ending(candidate, best, also)
    new, old = claim_features(candidate), claim_features(fact)
    corrects = new.skeleton == old.skeleton and new.negative == old.negative
    rule = "R2.corrects" if corrects else "R2.contradicts"
    return _decision("UPDATE", rule, candidate, best, fresh=True, also=also)


def _denied(
    candidate: Candidate, best: _Match, matches: Sequence[_Match], policy: RulesPolicy, forced: bool
) -> Decision:
    reason = f"denied: {candidate.content}"
    if not forced and candidate.confidence < policy.delete_confidence_min:
        return _decision("FLAG", "R4.unsure", candidate, best, reason=reason)
    also = tuple(
        match.neighbour.fact
        for match in matches
        if match.relation == "negates" and match is not best and not is_past(candidate, match.neighbour.fact)
    )
    return _decision("DELETE", "R4.negation", candidate, best, also=also, reason=reason)


def _ending(candidate: Candidate, best: _Match, also: tuple[Fact, ...]) -> Decision:
    """Former things take the place of present ones; a new state ("is retired") stands beside what it ended."""
    if claim_features(candidate).group in _PAST:
        return _decision("UPDATE", "R2.ended", candidate, best, fresh=True, also=also)
    also = (best.neighbour.fact, *also)
    return _decision("ADD", "R1.new", candidate, _Match("other", Neighbour(best.neighbour.fact)), also=also)


def _ended(candidate: Candidate, matches: Sequence[_Match]) -> tuple[Fact, ...]:
    """Facts besides the best match that can no longer hold: they are archived, never lost (R10)."""
    first = matches[0]
    found = []
    for match in matches[1:]:
        fact = match.neighbour.fact
        over = match.relation in ("ends", "fulfils") or (
            match.relation in ("replaces", "turns") and match.relation == first.relation and _holds_one(candidate, fact)
        )
        if over and not is_past(candidate, fact) and candidate.source_rank <= fact.source_rank:
            found.append(fact)
    return tuple(found)


def _holds_one(candidate: Candidate, fact: Fact) -> bool:
    new, old = claim_features(candidate), claim_features(fact)
    return new.single or old.single or (new.preference and old.preference)


def _decision(
    action: Action,
    rule: str,
    candidate: Candidate,
    match: _Match,
    *,
    wording: bool = True,
    fresh: bool = False,
    also: tuple[Fact, ...] = (),
    contradicts: bool = False,
    reason: str | None = None,
) -> Decision:
    fact = match.neighbour.fact
    content, name, obj = fact.content, fact.predicate, fact.object
    if wording:
        content, name, obj = candidate.content, candidate.predicate, candidate.object
    if match.relation == "part":
        content, name, obj = _merged_place(candidate, fact)
    return Decision(
        action,
        rule,
        fact,
        match.neighbour.similarity,
        content,
        name,
        obj,
        reason,
        fresh,
        also,
        contradicts=contradicts,
    )


def _merged_place(candidate: Candidate, fact: Fact) -> tuple[str, str, str]:
    """ "lives in Seattle" and "lives in the Ballard neighborhood" as "lives in Ballard, Seattle" (R2, R11)."""
    refined = matching.names_part(candidate.content)
    part, whole = (candidate, fact) if refined else (fact, candidate)
    obj = matching.joined_place(part.object, whole.object)
    for claim in (part, whole):
        stated = claim.object if claim.object in claim.content else ""
        if stated and claim.predicate != "moved_to":
            head, _, tail = claim.content.partition(stated)
            head = head.removesuffix("the ")
            tail = tail if not matching.names_part(tail) else ""
            return f"{head}{obj}{tail}", claim.predicate, obj
    subject = candidate.subject if candidate.subject.casefold() != "user" else "User"
    return f"{subject} lives in {obj}", "lives_in", obj
