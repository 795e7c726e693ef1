"""Messages to claims: the whole way from text to third-person sentences, all clauses of a batch in one model pass.

Order: whose message it is, what it asks of memory, its language, what in it is not the user speaking, clauses, a cheap
first gate, the encoder, and the rules that write claims. What a message gives depends on it and its context alone (T7).
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, ParamSpec, TypeVar

import structlog

from models.claims import Claim, Extraction, MemoryRequest, Utterance
from models.clauses import Clause, split
from models.cues import (
    ATTRIBUTE_MIN,
    BY_GRAMMAR_CONFIDENCE,
    BY_GRAMMAR_MIN,
    CUED_CONFIDENCE_MIN,
    corrects,
    is_attribute,
    is_plain,
    is_standing,
    states_plainly,
    tells_of_kin,
)
from models.heads import ClauseReader
from models.inputs import Reader, plainly_empty, reader
from models.language import language_of
from models.masks import Mask, masked_spans
from models.readings import Reading
from models.requests import memory_request
from models.rewrite import write
from models.wording.answers import tells_it_is_me, value_anew
from models.wording.antecedents import resolved
from models.wording.ellipsis import with_subject
from models.wording.introductions import introduced
from models.wording.lasting import tells_lastingly, tells_of_self
from models.wording.lists import mentions
from models.wording.nowadays import tells_of_now
from models.wording.procedures import directive
from models.wording.spelling import plain, stripped

P = ParamSpec("P")
R = TypeVar("R")

FAILED = "failed"
KEEP_THRESHOLD = 0.5
REQUESTED_CONFIDENCE_MIN = 0.9
ADVISED_CONFIDENCE = 0.9
_LANGUAGES = ("en", "und")
_ADVISES = re.compile(
    r"\b(?:I|we)(?:['’]d| would| can| do| strongly| highly)*\s+(?:recommend|suggest|advise)\b"
    r"|\bmy (?:recommendation|suggestion|advice)\b"
    r"|^you should (?:definitely |really )?(?:try|check out|read|watch|visit|listen to) (?:the )?(?-i:[A-Z])",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:please|hey|ok|okay|so|and|also)[,\s]+)*(?:can|could|would|will) (?:you|u)\s+(?:(?:please|pls|kindly|"
    r"just)\s+)*"
    r"(?P<what>\S.*?)[\s?!.]*$",
    re.IGNORECASE | re.DOTALL,
)
_ADVICE_GATE = ("recommend", "suggest", "advise", "advice", "you should ")


@dataclass(slots=True)
class _Draft:
    """What is known of one utterance before the encoder has read its clauses."""

    request: MemoryRequest | None
    dropped: list[str]
    clauses: list[Clause]
    asked_for: tuple[int, int] | None = None
    readers: list[Reader] = field(default_factory=list)


class Extractor:
    """Reads utterances in batches. `version` names the weights; claims below `keep_threshold` are left out."""

    def __init__(
        self, directory: Path | None = None, *, keep_threshold: float = KEEP_THRESHOLD, threads: int = 1
    ) -> None:
        if not 0.0 <= keep_threshold <= 1.0:
            raise ValueError(f"keep_threshold is {keep_threshold}; it is a probability, give 0 to 1")
        self._reader = ClauseReader(directory, threads)
        self._keep_threshold = keep_threshold
        self.version = self._reader.version

    def extract(self, utterances: Sequence[Utterance]) -> list[Extraction]:
        """One extraction an utterance, in order. An utterance's claims do not depend on the others in the batch.

        Where the rules themselves fail on a clause or a message, it gives nothing ("failed" in `dropped`), the place is
        logged without the words, and all else goes on.
        """
        drafts = [_guarded(_drafted, utterance) or _Draft(None, [FAILED], []) for utterance in utterances]
        readings = iter(self._reader.read([each for draft in drafts for each in draft.readers]))
        extractions = []
        for utterance, draft in zip(utterances, drafts, strict=True):
            if utterance.role == "user":
                read = [(clause, next(readings)) for clause in draft.clauses]
            else:
                read = [(clause, _ADVICE) for clause in draft.clauses]
            extractions.append(self._written(utterance, draft, read))
        return extractions

    def _written(self, utterance: Utterance, draft: _Draft, read: Sequence[tuple[Clause, Reading]]) -> Extraction:
        claims: list[Claim] = []
        dropped = list(draft.dropped)
        for clause, reading in read:
            found = _guarded(self._claims, utterance, draft, clause, reading)
            if not found:
                dropped.append(FAILED)
            elif isinstance(found, str):
                dropped.append(found)
            else:
                claims += found
        return Extraction(_without_former_home(claims), tuple(dropped), draft.request)

    def _claims(
        self, utterance: Utterance, draft: _Draft, clause: Clause, reading: Reading
    ) -> tuple[Claim, ...] | Literal["not_kept", "unwritten"]:
        """The claims of one clause, at least one, or why there is none."""
        written = None
        if draft.asked_for and draft.asked_for[0] <= clause.start < draft.asked_for[1]:
            reading = replace(reading, confidence=max(reading.confidence, REQUESTED_CONFIDENCE_MIN))
        if utterance.role == "user" and reading.confidence < CUED_CONFIDENCE_MIN:
            reading, written = _cued(utterance, clause, reading)
        if reading.confidence < self._keep_threshold:
            return "not_kept"
        return (write(utterance, clause, reading) if written is None else written) or "unwritten"


_HOMES = ("lives_in", "moved_to")


def _without_former_home(claims: list[Claim]) -> tuple[Claim, ...]:
    """The claims of a message; where it names a home in another's place, one has moved, and nothing is denied.

    The town comes before the house there, which says less.
    """
    homes = [claim for claim in claims if claim.subject == "user" and claim.predicate in _HOMES]
    if not any(claim.polarity and claim.object[:1].isupper() for claim in homes):
        return tuple(claims)
    kept = [claim for claim in claims if claim not in homes or claim.polarity]
    return tuple(sorted(kept, key=lambda claim: claim.predicate == "has_home"))


def _guarded(rule: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R | None:
    """What the rule gives, or None where it fails: one message must not stop a stream (S3)."""
    try:
        return rule(*args, **kwargs)
    except Exception as error:  # rules over all that people may type: any kind of fault
        place = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{Path(place.filename).name}:{place.lineno}"
        structlog.get_logger().error("extract.rule_failed", rule=rule.__name__, error=type(error).__name__, at=at)
        return None


def _cued(utterance: Utterance, clause: Clause, reading: Reading) -> tuple[Reading, tuple[Claim, ...] | None]:
    """The reading, surer where the words themselves settle it: an order, a correction, a named project, "I'm a tiler".

    With it the claims that it makes, where it was raised.
    """
    # In a sentence that began as a standing order all that is ordered stands.
    standing = is_standing(
        utterance.text[clause.sentence_start : clause.end] if _ORDERS.match(clause.text) else clause.text
    )
    correcting = corrects(clause.text) or tells_of_now(clause.text) or value_anew(clause.text) is not None
    correcting = correcting or tells_it_is_me(clause.text, utterance.text)
    text = _in_full(utterance, clause)
    plainly = not correcting and states_plainly(text)
    if not standing and not correcting and not plainly and not _names_project(utterance):
        return _by_grammar(utterance, clause, reading, text)
    raised = replace(reading, confidence=CUED_CONFIDENCE_MIN)
    claims = write(utterance, clause, raised)
    settled = bool(claims) and (
        correcting
        or (standing and all(claim.kind == "procedure" for claim in claims))
        or all(claim.subject.startswith("Project ") for claim in claims)
        or (plainly and all(is_plain(text, claim.predicate) for claim in claims) and _are_own(text, claims))
    )
    return (raised, claims) if settled else _by_grammar(utterance, clause, reading, text)


def _by_grammar(
    utterance: Utterance, clause: Clause, reading: Reading, text: str
) -> tuple[Reading, tuple[Claim, ...] | None]:
    """The reading, sure enough where the grammar is that of a lasting thing told of oneself and no task is at hand."""
    if (
        not ATTRIBUTE_MIN <= reading.confidence < BY_GRAMMAR_CONFIDENCE
        or "?" in utterance.text[clause.sentence_start : clause.sentence_end]
    ):
        return reading, None
    lastingly = reading.confidence >= BY_GRAMMAR_MIN and tells_lastingly(text)
    if not (lastingly or tells_of_self(text)) or any(role == "peer" for role, _ in utterance.context):
        return reading, None
    raised = replace(reading, confidence=BY_GRAMMAR_CONFIDENCE)
    claims = write(utterance, clause, raised)
    told = _of_kin_alone(claims) if not lastingly else claims
    settled = bool(told) and all(
        (claim.subject == "user" or claim.predicate == "born_on")
        and (
            (lastingly and claim.kind in ("fact", "opinion"))
            or is_attribute(text, claim.predicate, claim.object, claim.valid_to)
        )
        for claim in told
    )
    return (raised, told) if settled else (reading, None)


def _is_asked(utterance: Utterance, clause: Clause) -> bool:
    """Whether the clause's sentence, or the long message around it, asks something: it serves a task."""
    long = len(utterance.text) > _TOLD_CHARACTERS_MAX
    return "?" in (utterance.text if long else utterance.text[clause.sentence_start : clause.sentence_end])


def _of_kin_alone(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Of what a clause says of a relative by name ("my niece Ida set this up"), only that there is one."""
    first = claims[:1]
    named = first and first[0].subject == "user" and " called " in first[0].content and first[0].object[:1].isupper()
    return first if named else claims


def _names_project(utterance: Utterance) -> bool:
    """Whether the message, or the user's one before it, names a project."""
    if "project" in utterance.text.casefold():
        return True
    last = next((text for role, text in reversed(utterance.context) if role == "user"), "")
    return "roject " in last


def _are_own(text: str, claims: tuple[Claim, ...]) -> bool:
    """Whether claims are of the user, of a day that they keep, or told of one who is near to them."""
    return all(claim.subject == "user" or claim.predicate == "born_on" for claim in claims) or tells_of_kin(text)


def _in_full(utterance: Utterance, clause: Clause) -> str:
    """The clause's text, with the "I'm" that a list of what one is shares ("I'm 34, a nurse and diabetic").

    Where it speaks of him or her, with who that is.
    """
    if _OF_ANOTHER.match(clause.text):
        return resolved(stripped(plain(clause.text)), utterance.text[: clause.start], utterance) or clause.text
    named = introduced(stripped(plain(clause.text)), utterance.text[: clause.start], utterance)
    if named.startswith("my name is "):
        return named
    before = utterance.text[clause.sentence_start : clause.start]
    shares = before and (
        _FIRST_WORD.match(clause.text) or (_AGE_ALONE.fullmatch(clause.text) and _DIGIT.search(before) is None)
    )
    if not shares and mentions(clause.text, _LATER_I) and _LATE_SUBJECT.match(clause.text) is not None:
        return with_subject(stripped(plain(clause.text)), before)
    if not shares and _DAY_OF_KIN.match(clause.text) is None:
        return clause.text
    return with_subject(stripped(plain(clause.text)), before)


_TOLD_CHARACTERS_MAX = 160
_ORDERS = re.compile(r"(?:and |also |please )*(?:do not|don['’]?t|never|always|[a-z]+ (?:me|my|your)) ", re.IGNORECASE)
_LATER_I = (" I ", " i ", " we ")
_LATE_SUBJECT = re.compile(r"^(?:[\w'’-]+ ){1,4}(?:i|we) (?:[a-z]+ ){0,2}[a-z]+[.!]*$", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"(?:he|she)(?:['’]s)? |(?:(?:i|we) )?live there\b", re.IGNORECASE)
_AGE_ALONE = re.compile(r"\d\d")
_DIGIT = re.compile(r"\d")
_DAY_OF_KIN = re.compile(r"[a-z]+['’]?s (?:\d+(?:st|nd|rd|th) )?(?:birthday|bday|b-day|name)\b", re.IGNORECASE)
_FIRST_WORD = re.compile(
    r"(?:an?|from|type|allergic|lactose|gluten|vegan|vegetarian|coeliac|celiac|diabetic|married|divorced|single|"
    r"widowed|retired)\b",
    re.IGNORECASE,
)


_ADVICE = Reading("recommendation", "recommends", "user", ADVISED_CONFIDENCE, 0.5)


def _drafted(utterance: Utterance) -> _Draft:
    """The draft with what the encoder is to read of it."""
    draft = _draft(utterance)
    if utterance.role == "user":
        text, context = utterance.text, utterance.context
        draft.readers = [reader(text, at.start, at.end, context) for at in draft.clauses]
    return draft


def _draft(utterance: Utterance) -> _Draft:
    if utterance.role == "assistant":
        return _advice(utterance)
    if utterance.role != "user":
        return _Draft(None, [f"role_{utterance.role}"], [])
    request = memory_request(utterance.text)
    if language_of(utterance) not in _LANGUAGES:
        return _Draft(request, ["language"], [])
    masks = masked_spans(utterance.text)
    dropped = [mask.reason for mask in masks]
    clauses = split(utterance.text, masks)
    if request is not None:
        masks = _with_request(request, masks, clauses)
        clauses = split(utterance.text, masks)
    draft = _Draft(request, dropped, [])
    if request is not None and request.action == "remember":
        draft.asked_for = (request.start, request.end)
    for clause in map(_as_order, clauses):
        if plainly_empty(clause, utterance.context):
            dropped.append("question" if clause.question else "hypothetical" if clause.hypothetical else "empty")
        else:
            draft.clauses.append(clause)
    return draft


def _as_order(clause: Clause) -> Clause:
    """A standing order asked politely ("could you keep it short from now on?") as the order that it is (X10)."""
    asked = _POLITE.match(clause.text) if clause.question else None
    if asked is None or not is_standing(clause.text) or directive(asked["what"], False) is None:
        return clause
    return replace(
        clause,
        start=clause.start + asked.start("what"),
        end=clause.start + asked.end("what"),
        text=asked["what"],
        question=False,
    )


def _advice(utterance: Utterance) -> _Draft:
    """What the assistant recommended in so many words (X9); all else that it says teaches nothing."""
    lowered = utterance.text.lower()
    if (
        not (mentions(lowered, _ADVICE_GATE) and _ADVISES.search(utterance.text))
        or language_of(utterance) not in _LANGUAGES
    ):
        return _Draft(None, ["role_assistant"], [])
    clauses = [clause for clause in split(utterance.text, masked_spans(utterance.text)) if not clause.question]
    return _Draft(None, [], [clause for clause in clauses if _ADVISES.search(clause.text)])


def _with_request(request: MemoryRequest, masks: Sequence[Mask], clauses: Sequence[Clause]) -> tuple[Mask, ...]:
    """The masks with the words of the request itself; those of a forget cover also what is to be forgotten."""
    holders = [clause.start for clause in clauses if clause.start <= request.start <= clause.end]
    begin = min(holders, default=request.start)
    end = request.start if request.action == "remember" else request.end
    if end <= begin:
        return tuple(masks)
    outside = [mask for mask in masks if mask.end <= begin or mask.start >= end]
    return tuple(sorted([*outside, Mask(begin, end, "request")], key=lambda mask: mask.start))
