"""One clause into claims: third-person sentences that stand alone, with triple, dates and polarity (X3, X5, X8–X10).

The model says that a clause is worth keeping and what kind it is; the words are made here, by rule, from the user's
own: nothing is said that was not said. What the rules cannot make whole is left out. `namespace` stays empty: whoever
knows the catalogue files the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from models import dates, triples
from models.claims import Claim, Utterance
from models.clauses import Clause
from models.cues import is_standing
from models.language import language_of
from models.readings import Reading
from models.triples import Triple
from models.wording import answers, antecedents, gates, procedures, profiles
from models.wording.coordination import TOLD_OF_KIN
from models.wording.ellipsis import tidied, with_subject
from models.wording.grammar import Shape, shape_of
from models.wording.introductions import introduced
from models.wording.others import of_named, of_owned, of_there
from models.wording.own import of_user
from models.wording.scenes import Scene, claim_of, deduplicated
from models.wording.spelling import plain, stripped
from models.wording.verbs import MODALS, is_common_noun

ANSWERED_CONFIDENCE = 0.88
CORRECTED_CONFIDENCE = 0.9
_ANSWER_CHARACTERS_MAX = 120


def write(utterance: Utterance, clause: Clause, reading: Reading) -> tuple[Claim, ...]:
    """The claims of one clause; none for a question, a supposition, a passing thing, or what cannot stand alone."""
    if clause.question or utterance.role not in ("user", "assistant") or language_of(utterance) not in ("en", "und"):
        return ()
    scene = Scene(utterance, clause, reading, reading.confidence)
    spelled = plain(clause.text)
    text = answers.without_question_back(stripped(spelled), clause.text.endswith("?"))
    if utterance.role == "assistant":
        return tuple(_advice(scene, text))
    if clause.hypothetical:
        return ()
    before = utterance.text[: clause.start]
    if profiles.is_list(spelled):
        listed = [claim for each in profiles.sentences(spelled) for claim in _declared(scene, each, "")]
        return tuple(deduplicated(iter(listed)))
    whole = answers.made_whole(clause.text, before, utterance) if len(text) <= _ANSWER_CHARACTERS_MAX else None
    if whole is not None:
        confidence = max(scene.confidence, CORRECTED_CONFIDENCE if whole.corrects else ANSWERED_CONFIDENCE)
        scene = replace(scene, confirmed=whole.confirmed, confidence=confidence)
        sentence = whole.text if whole.corrects else stripped(plain(whole.text))
        told = [] if gates.passing(sentence) else list(_declared(scene, sentence, before))
        rest = stripped(whole.rest)
        if rest and not gates.passing(rest):
            told += _stated(Scene(utterance, clause, reading, reading.confidence), rest, spelled, before)
        return tuple(deduplicated(iter(told)))
    text = answers.without_yes_or_no(text)
    if gates.passing(text):
        return ()
    certain = reading.kind == "procedure" or _is_after_order(utterance, clause)
    directive = None if gates.states_self(text) else procedures.directive(text, certain)
    if directive is not None:
        triple = Triple(directive.predicate, directive.object, True, "procedure")
        return (claim_of(scene, triple, directive.content, "assistant"),)
    return tuple(deduplicated(_stated(scene, text, spelled, before)))


def _is_after_order(utterance: Utterance, clause: Clause) -> bool:
    """Whether a clause goes on in a sentence that began as a standing order ("in each reply …, and do not …")."""
    return clause.start > clause.sentence_start and is_standing(utterance.text[clause.sentence_start : clause.start])


def _stated(scene: Scene, text: str, spelled: str, before: str) -> Iterator[Claim]:
    """Claims of what the clause states in its own words, as sure as these words are."""
    confidence = gates.confidence_of(text, spelled, scene.confidence, before)
    if confidence != scene.confidence:
        scene = replace(scene, confidence=confidence)
    for sentence in _told_of_kin(text):
        yield from _declared(scene, sentence, before)


def _told_of_kin(text: str) -> Iterator[str]:
    """ "My flatmate Bo, who paints and lives in Graz, fell asleep": a sentence each; what only happened is not told."""
    workplace = _WORKPLACE.match(text) if ", " in text and text[:4].lower() == "the " else None
    if workplace is not None:
        yield f"I {workplace['work']} {workplace['name']}"
        yield f"{workplace['name']} {text[workplace.end() :]}"
        return
    found = TOLD_OF_KIN.match(text) if ", who " in text else None
    if found is None:
        yield text
        return
    told, _, main = text[found.end() :].partition(", ")
    for predicate in [*_AND_DOES.split(told), main]:
        shape = shape_of(f"{found['who']} {predicate}") if predicate else None
        if shape is not None and not (predicate is main and shape.past):
            yield f"{found['who']} {predicate}"


# "The company I work for, Norvexa, uses Kafka"
_WORKPLACE = re.compile(
    r"[Tt]he (?:[a-z-]+ ){1,3}?(?:(?:that|where) )?I (?P<work>(?:work|teach|study|volunteer) (?:for|at|in)|work), "
    r"(?:called |named )?(?P<name>[A-Z][\w'’&-]+(?: [A-Z][\w'’&-]+)*), (?=[a-z])"
)
_AND_DOES = re.compile(r" and (?=(?:also |still |now )?(?:is|was|has|[a-z]+s|used) )")


_WRITERS = {"user": of_user, "owned": of_owned, "named": of_named, "there": of_there, "other": of_named}


def _declared(scene: Scene, text: str, before: str) -> Iterator[Claim]:
    """Claims of a declarative clause in plain first-person English."""
    utterance, clause = scene.utterance, scene.clause
    text = introduced(text, before, utterance)
    text = tidied(with_subject(text, utterance.text[clause.sentence_start : clause.start]))
    resolved = antecedents.resolved(text, before, utterance) if text else None
    if not resolved:
        return
    text = tidied(resolved)
    if "which " in text[:_WHICH_REACH] and _OF_WHICH.match(text):
        return
    if text.endswith(_DAYS_PAST) and "," in text:
        text = _without_aside_of_day(text)
    when = dates.resolve(text, utterance.sent_at_ms, utterance.timezone)
    said = shape_of(_replaced(text, when.replacements))
    bare = shape_of(_without(text, when.replacements)) or said
    if said is None or bare is None or (not said.rest and said.verb in _NEEDS_REST):
        return
    if said.rest in _SAYS_NOTHING or text.endswith(_CUT_OFF):
        return
    writer = _WRITERS.get(said.subject_kind)
    if writer is None:
        return
    if said.progressive and not said.rest and said.subject_kind == "user" and said.verb in _PASSING_ALONE:
        return
    for claim in writer(scene, said, bare):
        if _BROKEN.search(claim.content) or (claim.predicate in _PRAISE and gates.ironic(utterance.text)):
            continue
        yield _planned(_dated(claim, when), said, utterance)


# "… for which I was charged": said of what came before, it cannot stand alone.
_OF_WHICH = re.compile(r"(?:(?:for|of|in|on|at|to|from|with|by|after|during) )?which ", re.IGNORECASE)
_WHICH_REACH = 14
_DAYS_PAST = (" yesterday", " last night", " today", " this morning", " last week")
_ASIDE_OF_DAY = re.compile(r",(?: [\w'-]+){1,4}(?: yesterday| last night| today| this morning| last week)$")


def _without_aside_of_day(text: str) -> str:
    """A habit without the day that is an example of it: "I drink too much coffee, six cups yesterday"."""
    said = shape_of(text)
    habit = said is not None and not (said.past or said.perfect or said.progressive or said.modal or said.verb == "be")
    return _ASIDE_OF_DAY.sub("", text) if habit else text


_PRAISE = frozenset(("likes", "loves", "enjoys", "favourite"))
_NEEDS_REST = frozenset(
    ("be", "have", "do", "go", "think", "say", "mean", "like", "love", "hate", "get", "move", *MODALS)
)
_SAYS_NOTHING = frozenset(("you", "so", "it", "that", "to", "you too", "not", "too"))
_CUT_OFF = (
    " is", " are", " the", " a", " my", " and", " because", " do that", " doing that", " so many", " too many", " or",
    " but", " if", " than", " very", " every", " as many", " get along", " get on well", " got along",
    " able to", " going to", " trying to", " have to", " has to", " need to", " hope to", " like to", " want to",
    " wanted to", " hoping to",
)  # fmt: skip
# What one "is doing" of these, with nothing more, is of the moment: "I'm working, sadly".
_PASSING_ALONE = frozenset(
    (
        "work",
        "eat",
        "cook",
        "sleep",
        "drive",
        "wait",
        "read",
        "listen",
        "watch",
        "kid",
        "joke",
        "try",
        "talk",
        "relax",
        "learn",
    )
)
# What no sentence in the third person holds: a first person left over, one who meets "each other", two negations.
_BROKEN = re.compile(
    r"(?<!War )(?<!Type )\bI (?:[a-z]|'m\b)|^User (?!and |.* and ).*\beach other\b|\bnot (?:not|never)\b|\btheirs' |"
    r"\b(?:has|got|gets|met|is|buys|bought|likes?|loves?) theirs?(?: a\b|$)|"
    r"^User has (?:her|his|the?i?r)s? (?:got|is)\b|^User's (\w+) is an? \1\b|^User (?:is own|(?:does|is|has|did|"
    r"can) and)\b|, who(?:s| is) you|^User (?:has |had )?(?:just |recently |sadly )?(?:died|passed away)\b|"
    r"^(?!User's)[A-Z][a-z]+'s (?:is|was|are|were)\b"
)


def _replaced(text: str, parts: tuple[tuple[int, int, str], ...]) -> str:
    for start, end, words in reversed(parts):
        if _PREPOSITION_BEFORE.search(text, 0, start):
            words = re.sub(r"^(?:on|in) ", "", words)
        elif _BARE_DAY.match(words) and _HAPPENS_BEFORE.search(text, 0, start):
            words = f"on {words}"
        text = f"{text[:start]}{words}{text[end:]}"
    return text


_BARE_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}(?:, \d{4})?$")
# "The beta launches the 11th of June"
_HAPPENS_BEFORE = re.compile(
    r"\b(?:launch|ship|open|start|end|clos|begin|leav|expir|land|fall|happen|finish|resum|retir|releas)(?:e?s|ed)?\s+$|"
    r"\b(?:live|out|due)\s+$",
    re.IGNORECASE,
)
_PREPOSITION_BEFORE = re.compile(
    r"(?<!moved )(?<!moving )(?<!move )(?<!settled )"
    r"\b(?:about|for|from|by|until|since|of|on|in|at|to|after|before)\s+$",
    re.IGNORECASE,
)


def _without(text: str, parts: tuple[tuple[int, int, str], ...]) -> str:
    for start, end, _ in reversed(parts):
        text = f"{text[:start].rstrip()} {text[end:].lstrip()}"
    if " ," in text or " ." in text:
        text = _GAP_BEFORE_MARK.sub(r"\1", text)
    return text.strip(" ,")


_GAP_BEFORE_MARK = re.compile(r"\s+([,.])")


_DATED = frozenset(("born_on", "launches_on", "deadline_on", "anniversary_on"))


def _dated(claim: Claim, when: dates.Dates) -> Claim:
    """The claim with the clause's dates, if it is the one that says them: what the clause presupposes has none."""
    if when is dates.NONE or not any(words in claim.content for _, _, words in when.replacements):
        return claim
    if claim.predicate in _DATED and (when.recurring or when.valid_from):
        claim = replace(claim, object=when.valid_from or (when.recurring or "").removeprefix("--"))
    timeless = claim.predicate in ("likes", "loves", "hates", "is_named", "favourite") and not when.valid_to
    return replace(
        claim, valid_from=None if timeless else when.valid_from, valid_to=when.valid_to, recurring=when.recurring
    )


# What one "is doing" of these is still to come: "I'm moving to Quito" is no residence yet.
_CHANGES = frozenset(
    ("moved_to", "joined", "started_job", "left_job", "is_married", "is_divorced", "bought", "has_pet")
)


# What one is doing of these is done one day: the book is read, the ukulele learned.
_FOR_NOW = frozenset(("reads", "learns", "watches"))


def _planned(claim: Claim, shape: Shape, utterance: Utterance) -> Claim:
    """What is still to come is a status and a plan, not a lasting truth; a stay with an end is no residence (X1)."""
    if claim.subject != "user" or claim.kind in ("opinion", "procedure", "recommendation"):
        return claim
    if claim.predicate == "lives_in" and claim.valid_to and shape.verb in ("be", "stay"):
        return replace(claim, kind="status", predicate="stays_in")
    if claim.predicate == "is_aged" and shape.past and claim.valid_from and _is_long_ago(claim.valid_from, utterance):
        return replace(claim, predicate="experienced")
    if claim.predicate == "stays_in" and _is_home(claim, shape, utterance):
        return replace(claim, kind="fact", predicate="lives_in")
    if shape.progressive and not shape.past and claim.predicate in _FOR_NOW:
        return replace(claim, kind="status")
    future = claim.valid_from is not None and _is_after(claim.valid_from, utterance)
    if shape.progressive and not shape.past and claim.predicate in _CHANGES:
        return replace(
            claim, kind="status", predicate="plans", object=triples.object_words(f"{shape.form} {shape.rest}")
        )
    if claim.kind == "fact" and claim.predicate in _MAY_PASS and _is_of_now(claim, shape, utterance):
        return replace(claim, kind="status")
    coming = shape.modal in ("will", "may", "might", "shall") or (future and not shape.past and not claim.recurring)
    if coming and claim.predicate not in triples.STATUSES and claim.predicate not in ("is_named", "can", "cannot"):
        return replace(
            claim,
            kind="status",
            predicate="plans",
            object=claim.object if shape.verb == "be" else triples.object_words(f"{shape.form} {shape.rest}"),
        )
    return claim


def _is_home(claim: Claim, shape: Shape, utterance: Utterance) -> bool:
    """Whether "I stay in Kisumu" says where somebody lives: of a named place, as a habit, without an end."""
    plainly = shape.verb == "stay" and not (shape.progressive or shape.past or shape.modal or shape.negated)
    if not plainly or claim.valid_from or claim.valid_to or claim.recurring:
        return False
    named = claim.object[:1].isupper() or not any(map(is_common_noun, claim.object.split()))
    return named and _OF_NOW.search(utterance.text, claim.start, claim.end) is None


# What lasts by itself is a fact also where "now" is said of it: where one lives or works, what one has.
_MAY_PASS = frozenset(("states", "has_hobby", "works_on", "studies", "learns", "reads", "watches", "exercises", "uses"))
_OF_NOW = re.compile(
    r"\b(?:right now|at the moment|at present|currently|this (?:week|month|term|semester)|for now|in the meantime|"
    r"until|till|lately|these days|temporarily|(?P<now>now))\b",
    re.IGNORECASE,
)


def _is_of_now(claim: Claim, shape: Shape, utterance: Utterance) -> bool:
    """Whether the user says of something under way that it is for the time being (X1)."""
    if shape.past or shape.perfect or shape.negated:
        return False
    found = _OF_NOW.search(utterance.text, claim.start, claim.end)
    return found is not None and (shape.progressive or not found["now"])


def _is_long_ago(day: str, utterance: Utterance) -> bool:
    """Whether a date lies before the message's last twelve months."""
    today = dates.local_date(utterance.sent_at_ms, utterance.timezone)
    return day < f"{today.year - 1:04d}{today.isoformat()[4:]}"[: len(day)]


def _is_after(day: str, utterance: Utterance) -> bool:
    """Whether a date, at the precision stated, is later than the message's day where the user is."""
    return day > dates.local_date(utterance.sent_at_ms, utterance.timezone).isoformat()[: len(day)]


def _advice(scene: Scene, text: str) -> Iterator[Claim]:
    found = procedures.recommendation(text, scene.reading.kind == "recommendation")
    if found:
        content, words = found
        yield claim_of(
            scene, Triple("recommends", triples.object_words(words), True, "recommendation"), content, "assistant"
        )
