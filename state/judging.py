"""What a pair judge may decide: its judgement counts only where the rules leave a pair open or agree with it (R2–R7).

A judge reads how a new claim bears on a known one; it errs now and then, and a memory that loses a fact is worse than
one that holds two. So the rules' certain knowledge comes first: one subject, names, numbers and negation that agree
before two sentences are one, attributes of many values that never contradict. What takes a fact's place or ends it
needs both: a judge that is sure, and words that say of the same thing that it changed or is over. What is over was
true: it is ended and stays known; only a denial in words takes a fact away (R4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from state.facts import Candidate, Fact, normalised
from state.matching import Features, changed, tells_duration
from state.policy import RulesPolicy
from state.predicates import UNKNOWN, predicate
from state.rules import (
    FREE_GROUPS,
    Neighbour,
    Relation,
    claim_features,
    comparable,
    incomparable,
    neighbours_of,
    of_one,
    relate,
)

Judged = tuple[str, float]
"""A judge's relation ("same", "refines", "replaces", "negates", "other") and how sure it is of it, 0–1."""

SIMILARITY_MIN = 0.50
"""Pairs less alike than this (or than the index's floor) are never judged."""
ONE_SIMILARITY_MIN = 0.65
"""Two sentences less alike than this are not one, whatever a judge says."""
KIN_SIMILARITY_MIN = 0.70
"""Below this two objects of one attribute that share no word are two: a gecko and a ferret."""
KEEPING_SIMILARITY_MIN, LOSING_SIMILARITY_MIN = 0.70, 0.75
"""How alike a fuller sentence must be that leaves out one word of the known one but not what it is about, or more."""
FRAME_SIMILARITY_MIN = 0.75
"""Below this two sentences that no attribute fits do not answer one question."""
PAIRS_MAX = 3
"""How many facts a candidate is judged against at most, the most alike first."""
SURE_MIN: dict[str, float] = {"same": 0.50, "refines": 0.55, "replaces": 0.75, "negates": 0.75, "other": 0.80}
"""How sure a judge must be before its relation counts."""
HOLDING_BACK_MIN = 0.85
"""How sure it must be that both stand before a fact stays that gives way by the rules."""
WORDED_MIN = 0.60
"""How sure where the words themselves tell of a change in the same thing."""
TRUSTED_MIN = 0.855
"""From here on it is heard where the words alone would not lead there: of its answers so sure nearly all are right."""

_OVER = re.compile(
    r"\b(?:without|unable|former(?:ly)?|quit\w*|stop(?:s|ped|ping)|ended"
    r"|gave|given|giv(?:es|ing) up|sold|lost|left|leav(?:es|ing)|died|dead|passed away|broke(?:n)? (?:up|down|off)"
    r"|separated|split|divorced|cancel\w*|called off|calls off|drop(?:s|ped)|finished|done with|recover\w*|healed|cured"
    r"|outgr\w+|overcame|overcome|used to|laid off|fired|let go|let .+ lapse|expired|lapsed|stolen|scrapped|burned"
    r"|burnt|paid (?:off|back)|ran away|rehome\w*|gone|got rid|came off|come off|off|pulled out|backed out|fell out"
    r"|moved (?:out|away)|closed|shut|threw|thrown|returned|handed|faded|forgot\w*|abandon\w*|over|single|alone|only)\b"
    r"|\bex-",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:(?<!right )now|nowadays|instead|rather than|switch\w*|chang\w*|moved|moves|relocat\w*|settled|replac\w*"
    r"|swap\w*|trad\w+|turned|becam?e|becomes?|retrain\w*|convert\w*|postponed|slipped"
    r"|brought forward|put off|rescheduled|rose|raise\w*|fell|shrank|upgrad\w*|promot\w*"
    r"|again|for good|at last|finally|managed|finished|made up|took up|taken up|started|joined"
    r"|third|fourth|fifth|sixth|seventh|eighth|twice"
    r"|gone off|fallen|grown|lost|prefers?|no longer|any ?more|used to|gave up|quit|left|sold"
    r"|learn\w*|comes? round|warmed)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\b(?:no longer|any ?more|switch\w+|swapp?\w*|convert\w+|renam\w+|replac\w+|relocat\w+|instead of"
    r"|moved (?:out|away|all|from|in)|left .+ (?:for|to)|call(?:s|ed) off|(?:broke|split) up|withdr\w+|extended"
    r"|postponed|brought forward|put off|rescheduled|cancel\w+|gave up|given up|stopped|quit|used to|separated"
    r"|(?:has |is )?becom?e\b(?! a member)|became|turned|is now|graduated|finished|back to|again|came (?:true|back)"
    r"|sold|divorced|dropped|lost (?:all|any|interest)|gone off|over|expired|discontinued|revoked|was launched)\b",
    re.IGNORECASE,
)

_AGAIN = re.compile(r"\bagain\b", re.IGNORECASE)
_NAME_ENDING = re.compile(r"(?<=\w{4})(?:ist|ism|ish|ese|ian)$")
_HAPPENED = frozenset(("experiences", "achievements", "purchases"))
"""What has happened stays so, whatever is so today; it is only denied, corrected or undone."""
_ROOT = 5
_BRINGS_BACK = frozenset(("same", "refines", "vaguer"))
_TAKING = frozenset(("replaces", "fulfils", "ends"))


def gated(
    candidate: Candidate, fact: Fact, similarity: float | None, judged: Judged | None, policy: RulesPolicy
) -> Relation:
    """How a candidate bears on a fact, by the rules and by a judge's word where they leave room for it."""
    ruled = relate(candidate, fact, similarity, None, policy)
    if judged is None or is_certain(ruled, candidate, fact):
        return ruled
    if fact.status == "forgotten" and ruled in _BRINGS_BACK:
        return ruled  # nothing is there that could change or end (F2)
    relation, share = judged
    if ruled in _TAKING and relation == "other" and share < HOLDING_BACK_MIN:
        return ruled
    if share < _sure_min(relation, candidate, fact):
        return ruled
    if relation == "other":
        return "other"
    if relation not in possible(candidate, fact, similarity, trusted=share >= TRUSTED_MIN):
        return ruled
    return _settled(relation, ruled, candidate, fact)


def _sure_min(relation: str, candidate: Candidate, fact: Fact) -> float:
    """How sure a judge must be of this pair: less where the words themselves tell of a change in the same thing."""
    turned = _TURNED.search(candidate.content) is not None and _TURNED.search(fact.content) is None
    if relation in ("replaces", "negates") and turned:
        shared = _share_root(claim_features(candidate), claim_features(fact))
        return WORDED_MIN if shared else SURE_MIN[relation]
    return SURE_MIN.get(relation, 1.0)


def is_certain(ruled: Relation, candidate: Candidate, fact: Fact) -> bool:
    """Whether the rules need no judge.

    They are sure of the same sentence again, of how long something has been so (R10), of a denial in the known words,
    of another value of one attribute that holds one (R6), of a part of a place, and of the same count of one thing,
    and of the end of an animal that is known by name.
    """
    new, old = claim_features(candidate), claim_features(fact)
    if ruled == "same":
        one_place = bool(new.places) and new.places == old.places and new.group == old.group
        return (
            one_place or normalised(candidate.content) == normalised(fact.content) or tells_duration(candidate.content)
        )
    if ruled in ("negates", "turns"):
        return new.words <= old.words or (ruled == "turns" and new.stems == old.stems)
    if ruled == "replaces":
        if candidate.renewed or candidate.corrects or new.group == old.group == "marital_status":
            return True
        # A middle name is no other name, and one value has two spellings.
        return new.single and old.single and new.group == old.group != "name" and not _may_be_one(new, old)
    if ruled == "ends":  # an animal by its name
        return old.group == "pets" and bool(new.names & old.names)
    if ruled == "vaguer":  # as many of the same, with less told of them
        counted = bool(new.numbers) and new.numbers == old.numbers and new.heads == old.heads
        return counted and new.predicate == old.predicate and new.words < old.words
    return ruled == "part"


def possible(candidate: Candidate, fact: Fact, similarity: float | None, *, trusted: bool = True) -> frozenset[str]:
    """The relations that a judge may give a pair; none where it need not be asked. `trusted`: it is as sure as can be.

    Two sentences can be one, or one more of the other, only where names, numbers and negation agree (R7). What changes
    or ends a fact must speak of the same thing and say that it changed or is over, or be another value of what holds
    one value.
    """
    new, old = claim_features(candidate), claim_features(fact)
    if similarity is None or similarity < SIMILARITY_MIN or not _comparable(candidate, fact, new, old):
        return frozenset()
    found = set()
    near = similarity >= ONE_SIMILARITY_MIN or (trusted and _share_what(new, old))
    if near and _may_be_one(new, old, similarity, trusted=trusted):
        found.add("same")
        if trusted or _keeps(new, old, similarity):
            found.add("refines")
    if _may_give_way(candidate, new, old, trusted=trusted):
        over = _OVER.search(candidate.content) is not None or changed(candidate.content)
        denied = new.worded_negatively != old.worded_negatively or new.negative != old.negative
        if _ends_what_is_known(new, old) and (over or (denied and (trusted or _is_bare(new, old)))):
            found.add("negates")
        if (
            over
            or denied
            or _may_replace(candidate, new, old, trusted=trusted)
            or _one_frame(new, old, similarity, trusted=trusted)
        ):
            found.add("replaces")
    return frozenset(found)


def open_facts(
    candidate: Candidate, facts: Iterable[Fact], similarities: Mapping[str, float], policy: RulesPolicy
) -> list[Fact]:
    """The facts that a judge should compare with the candidate, the most alike first; at most PAIRS_MAX.

    None where a fact is the same sentence: what else there is was settled when that was said.
    """
    found = []
    apart = incomparable(candidate.predicate)
    named = predicate(candidate.predicate) is not UNKNOWN
    for fact in facts:
        similarity = similarities.get(fact.fact_id)
        alike = similarity is not None and similarity >= SIMILARITY_MIN
        # Of the unlike only what the rules alone would let give way: values of named attributes.
        if not alike and (not named or fact.predicate in apart or predicate(fact.predicate) is UNKNOWN):
            continue
        if fact.status not in ("active", "forgotten"):
            continue
        ruled = relate(candidate, fact, similarity, None, policy)
        if is_certain(ruled, candidate, fact):
            if ruled == "same" and not tells_duration(candidate.content):
                return []
        elif ruled != "other" or possible(candidate, fact, similarity):
            found.append((-(similarity or 0.0), fact.fact_id, fact))
    return [fact for _, _, fact in sorted(found, key=lambda each: each[:2])[:PAIRS_MAX]]


def judged_neighbours(
    candidate: Candidate,
    facts: Iterable[Fact],
    similarities: Mapping[str, float],
    judgements: Mapping[str, Judged],
    policy: RulesPolicy,
) -> list[Neighbour]:
    """What decide() is given: the neighbours by the rules, and for judged facts (by id) the relation that holds."""
    held = list(facts)
    known = {neighbour.fact.fact_id: neighbour for neighbour in neighbours_of(candidate, held, similarities)}
    for fact in held:
        if fact.fact_id in judgements:
            similarity = similarities.get(fact.fact_id)
            relation = gated(candidate, fact, similarity, judgements[fact.fact_id], policy)
            known[fact.fact_id] = Neighbour(fact, similarity, relation)
    return list(known.values())


def _comparable(candidate: Candidate, fact: Fact, new: Features, old: Features) -> bool:
    """Of one subject, one family, and for what concerns an assistant one scope."""
    scoped = candidate.kind in ("procedure", "recommendation")
    in_scope = not scoped or candidate.agent_id == fact.agent_id
    return of_one(new, old) and in_scope and comparable(candidate, fact)


def _share_what(new: Features, old: Features) -> bool:
    """Whether hardly alike sentences may be one all the same: of one attribute, or with a word in common."""
    return new.group == old.group != UNKNOWN.group or _share_root(new, old)


def _may_be_one(new: Features, old: Features, similarity: float = 1.0, *, trusted: bool = False) -> bool:
    """Whether nothing that the rules can read keeps two sentences apart. A liking is no deed, unless much alike."""
    numbers = old.numbers <= new.numbers or new.numbers <= old.numbers
    names = _named_in(old, new) or _named_in(new, old)
    negation = (new.negative or new.worded_negatively) == (old.negative or old.worded_negatively)
    if new.predicate == old.predicate and new.stems.isdisjoint(old.stems) and similarity < KIN_SIMILARITY_MIN:
        return False
    attitude = new.preference == old.preference or UNKNOWN.group in (new.group, old.group)
    return numbers and names and negation and (attitude or (trusted and similarity >= LOSING_SIMILARITY_MIN))


def _named_in(one: Features, other: Features) -> bool:
    """Whether all that one claim names the other names too: a Buddhist and Buddhism are one name."""
    missing = one.names - other.names - other.words
    return not missing or {_NAME_ENDING.sub("", name) for name in missing} <= {
        _NAME_ENDING.sub("", name) for name in other.names
    }


def _ends_what_is_known(new: Features, old: Features) -> bool:
    """Whether the thing of the user's that is over is what memory holds: a singer who died ends no work as a singer."""
    if not new.possessed or new.possessed == old.possessed or new.subject != old.subject:
        return True
    about = old.words if old.group == UNKNOWN.group else old.heads
    return not {word[:_ROOT] for word in about}.isdisjoint(word[:_ROOT] for word in {*new.words, new.possessed})


def _may_give_way(candidate: Candidate, new: Features, old: Features, *, trusted: bool) -> bool:
    """Whether both speak of one thing: a plan changes nothing yet, and what one likes is not what one does or has."""
    if new.preference and old.preference and new.negative == old.negative and new.predicate != "prefers_over":
        return trusted and new.group == old.group == "opinions"
    if old.group in _HAPPENED and not (new.worded_negatively or new.numbers or _OVER.search(candidate.content)):
        return False
    if trusted and (old.time_bound or _TURNED.search(candidate.content) is not None):
        return True
    if new.time_bound and not old.time_bound:
        return False
    if trusted and _INSTEAD.search(candidate.content) is not None and _share_root(new, old):
        return True
    if new.preference != old.preference and UNKNOWN.group not in (new.group, old.group):
        return False
    return _share_root(new, old) or new.group == old.group != UNKNOWN.group


def _share_root(new: Features, old: Features) -> bool:
    """Whether some word of both begins alike: a translator gives up translating, a Buddhist leaves Buddhism."""
    if new.subject != old.subject:
        return True  # two sentences about the user's father
    return not {word[:_ROOT] for word in new.words}.isdisjoint(word[:_ROOT] for word in old.words)


def _is_bare(new: Features, old: Features) -> bool:
    """Whether a denial speaks of little but what it denies (R4): never having left home does not deny having one."""
    return 2 * len(new.words & old.words) > len(new.words)


def _keeps(new: Features, old: Features, similarity: float) -> bool:
    """Whether the new sentence still says what the old one did, so that nothing is lost in its place (R11)."""
    missing = len(old.words - new.words)
    about = bool(old.heads) and old.heads <= new.words
    return not missing or similarity >= (KEEPING_SIMILARITY_MIN if about and missing == 1 else LOSING_SIMILARITY_MIN)


def _may_replace(candidate: Candidate, new: Features, old: Features, *, trusted: bool) -> bool:
    """Whether the words say that something changed, or both give a value of what holds one."""
    if new.preference and old.preference:
        return new.negative != old.negative
    if new.group == old.group and new.single and old.single:
        return True
    collects = new.predicate == old.predicate and new.group not in FREE_GROUPS and not new.possessed
    one = (new.skeleton & old.skeleton and not collects) or new.subject != old.subject
    if new.numbers and old.numbers and new.numbers != old.numbers and one:
        return True
    told = _INSTEAD if trusted and not collects else _TURNED
    return told.search(candidate.content) is not None or changed(candidate.content)


def _one_frame(new: Features, old: Features, similarity: float, *, trusted: bool) -> bool:
    """Whether two sentences that no attribute of many values fits differ in one place ("heats with gas", "… wood")."""
    shared, apart = len(new.words & old.words), len(new.words - old.words)
    one_role = bool(new.possessed) and new.possessed == old.possessed
    framed = one_role or (new.group == old.group and new.group in FREE_GROUPS)
    return framed and shared >= apart > 0 and (trusted or similarity >= FRAME_SIMILARITY_MIN)


def _tells_of_change(candidate: Candidate, fact: Fact) -> bool:
    """Whether the new words say that something changed or is over, and the known ones do not; "again" says neither."""
    content = _AGAIN.sub(" ", candidate.content)
    return any(told.search(content) is not None and told.search(fact.content) is None for told in (_INSTEAD, _OVER))


def _settled(relation: str, ruled: Relation, candidate: Candidate, fact: Fact) -> Relation:
    """The judge's relation as the rules know it: a preference is turned and never lost (R3)."""
    new, old = claim_features(candidate), claim_features(fact)
    if relation == "same":
        return "vaguer" if ruled == "vaguer" else "same"
    if relation == "refines":
        return "refines"
    if ruled in ("fulfils", "ends", "turns", "part"):
        return ruled
    if ruled == "vaguer" and new.words < old.words and new.worded_negatively == old.worded_negatively:
        return ruled
    if ruled == "refines" and old.words < new.words and not _tells_of_change(candidate, fact):
        return ruled
    if relation == "negates":
        if new.preference and old.preference:
            return "turns"
        # What is over was true: only a denial in words takes a fact away (R4).
        return "negates" if new.worded_negatively or new.negative else "ends"
    return "replaces"
