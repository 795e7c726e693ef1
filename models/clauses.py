"""A message cut into clauses: sentences (blingfire), then coordination, each with exact character offsets.

A clause is what can hold one claim. Each carries whether it asks (question) or only supposes (hypothetical), which is
what keeps "if I moved to Oslo" out of memory (X7). What a question presupposes is no question: "did I mention I keep
two ferrets?", "since I'm vegan, what can I eat?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import blingfire

from models.masks import Mask
from models.wording import profiles
from models.wording.coordination import seams, trimmed
from models.wording.lists import wordset


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: characters [start, end) of the message, and those of the sentence it stands in."""

    start: int
    end: int
    text: str
    sentence_start: int
    sentence_end: int
    question: bool = False
    hypothetical: bool = False


_CLAUSES_MAX = 400
_MAY_END = re.compile(r"[.!?…;\n—–-](?:(?<=\n)|[\"')\]]*\s)")
_HARD_END = re.compile(
    r"(?:[!?]+|\.{2,}|…)[\"')\]]*\s+|(?:(?<=[a-z0-9)]{2})|(?<=\w\]))\s?\.\s+(?=[a-z])|\s\.\s+|\s*\n+\s*|\s*;\s+|"
    r"\s+(?:—|–|--)\s+"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|prof|st|vs|etc|e\.g|i\.e|approx|no|jr|sr|ft|inc|ltd|co|p\.m|a\.m|u\.s)|"
    r"(?<!['’])\b[a-z])\s?\.\s+$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[&%€$£]")
_TAG = re.compile(
    r"[,\s]+(?:right|correct|yes|no|ok|okay|huh|eh|innit|you know|you see|remember|isn'?t (?:it|that|she|he)|"
    r"is it|aren'?t (?:i|we|they)|don'?t (?:i|we|you think)|"
    r"didn'?t (?:i|we)|haven'?t i|wasn'?t i|am i|do i|you know what i mean|if you remember|i think|"
    r"if you know it)\s*\?+$",
    re.IGNORECASE,
)
_PRESUPPOSED = re.compile(
    r"^(?:(?:hey|hi|so|oh|wait|btw|by the way|um|ok|and|but)[, ]+)*(?:(?:did|have|had|haven'?t|"
    r"didn'?t) i (?:(?:ever|already|not|even|just) )*(?:mention|tell you|told you|mentioned|say|said|share|"
    r"shared)(?: (?:to you|already|before|yet))?|"
    r"did you know|(?:do|don'?t|can) you (?:still )?(?:remember|recall|know)|you (?:do )?(?:remember|know)|"
    r"(?:are you aware|were you aware)|"
    r"would you believe|can you believe|guess what)[,:]?\s+(?:that\s+|this[:,]?\s+|the fact that\s+)?(?=(?:i|"
    r"i'm|im|i've|ive|i'd|my|we|we're|we've|our)\b)",
    re.IGNORECASE,
)
_INTERROGATIVE = re.compile(
    r"^(?:(?:so|and|but|well|ok|okay|hey|hi|oh|then|also|or|now|btw|by the way|sorry|please|hmm|yeah|yes|no|"
    r"cool|great|nice|wow|thanks|haha|lol)[, ]+)*"
    r"(?:(?:(?:in|at|on|for|to|from|with|by|of|about) )?(?:what|who|whom|whose|which|where|when|why|how|what's|"
    r"whats|who's|how's|where's|when's)\b|"
    r"(?:do|does|did|is|are|was|were|am|can|could|will|would|should|shall|may|might|have|has|had) [a-z]\w*\b|"
    r"(?:don'?t|doesn'?t|didn'?t|isn'?t|aren'?t|can'?t|won'?t|wouldn'?t|shouldn'?t|haven'?t|hasn'?t) "
    r"(?:i|you|we|he|she|it|they|there|this|that|these|those|the|a|an|my|your|his|her|our|their|any|anyone|"
    r"someone|people|all|both|(?-i:[A-Z])\w+)\b|"
    r"(?:any|got any) \w+|you (?:like|have|got|know|think|mean|want)\b)",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?:(?:so|and|but|well|ok|okay|hey|hi|oh|then|also|or|now|btw|by the way|sorry|hmm|lol|wait|cool|thanks|"
    r"ah)[, ]+)*"
    r"(?:(?:what|which|who|where|when|why|how|whats|what's|hows|how's|wheres|where's)(?: [\w'-]+){0,3}? )?"
    r"(?:(?:do|does|did|can|could|would|will|should|shall|have|has|is|are|am|was|were|isn't|aren't|don't|"
    r"doesn't|can't) (?:i|you|we|he|she|it|they|there|u)\b(?! (?:said|called)\b)|"
    r"(?:is|are|does|was) (?:this|that|my|your|anyone|someone|the)\b(?! [\w' -]*\bwhat\b))",
    re.IGNORECASE,
)
_ECHO = re.compile(r"^(?:so|as|neither|nor) (?:do|am|did|have|was|can|would) (?:i|we)[\s.!]*$", re.IGNORECASE)
_SUPPOSES = re.compile(
    r"^(?:(?:and|but|so|or|well|then|hmm|ok|even|only|just|hey|please|now|also|like|no|yes|maybe)[, ]+)*"
    r"(?:if\b|unless\b|suppose\b|supposing\b|imagine\b|imagining\b|assume\b|assuming\b|presuming\b|"
    r"say (?:that )?(?:i|we|my|you|he|she|they)\b(?! (?:am|have|live|work)\b)|let'?s (?:say|assume|suppose|"
    r"imagine|pretend)|"
    r"what if\b|pretend\b|picture (?:this|me|that)\b|were (?:i|we) (?:to|a|an|in|the)\b|had (?:i|we) (?!a\b|an\b|"
    r"to\b|the\b|my\b)|should i (?:ever |decide|move|need|get|want)|in case\b|whether\b|provided that\b|"
    r"as long as\b|"
    r"i wish\b|i(?:'d| would) wish|we wish\b|wish (?:i|we)\b|if only\b|in another life\b|in a perfect world\b|"
    r"in my dreams\b|hypothetically\b|theoretically\b|once i (?:am|have|get|move)\b|as if\b|as though\b)",
    re.IGNORECASE,
)
_IF_IDIOM = re.compile(
    r"^if (?:you (?:ask me|must know|want to know|'re wondering|are wondering|like|remember|recall)|"
    r"i remember (?:correctly|rightly|right)|i'?m (?:honest|being honest|not mistaken)|i am honest|"
    r"memory serves|that (?:helps|matters)|it (?:helps|matters)|anything)\b|"
    r"^in case (?:i|you|u) (?:have ?n[o'’]?t|did ?n[o'’]?t|had ?n[o'’]?t|never|forgot|missed|were|are|wanted|need|"
    r"don['’]?t|do "
    r"not)\b[^,:]*$",
    re.IGNORECASE,
)
_WOULD = re.compile(
    r"^(?:i|we|my \w+)(?:'d| would| could| might have| would have|'d have| could have|"
    r" should have)\b(?! (?:love|like|prefer|rather|really|say|be able|describe|call|argue|appreciate|never|"
    r"always|not (?:say|eat|touch|call|recommend)|hate|totally love|also|do anything|consider myself|"
    r"recommend))",
    re.IGNORECASE,
)
_HAVING_HAD = re.compile(r"^(?:i|we)'d (?:better|been|had|gone|already|just|lived|worked)\b", re.IGNORECASE)

# Words without which the costly patterns above cannot match: whichever one of them is needed stands here.
_LETTERS = re.compile(r"[a-z]+")
_SUPPOSING_WORDS = wordset(
    """
    if unless suppose supposing imagine imagining assume assuming presuming say let lets pretend picture were had should
    case whether provided as wish life world dreams hypothetically theoretically once
    """
)
_WOULD_WORDS = wordset("d would could might should")
_ASKING_WORDS = wordset(
    """
    so and but well ok okay hey hi oh then also or now btw by sorry hmm lol wait cool thanks ah what which who where
    when why how whats hows wheres do does did can could would will should shall have has is are am was were isn aren
    don doesn
    """
)
_PRESUPPOSING_WORDS = wordset("did have had haven havent didn didnt do don dont can you are were would guess")


def split(text: str, masks: tuple[Mask, ...] = ()) -> tuple[Clause, ...]:
    """The clauses of a message in order, without masked characters; at most 400 (nobody says as much)."""
    clauses: list[Clause] = []
    for start, end in _sentences(text):
        for left, right in _unmasked(start, end, masks):
            clauses.extend(_clauses(text, left, right))
            if len(clauses) >= _CLAUSES_MAX:
                return tuple(clauses[:_CLAUSES_MAX])
    return tuple(clauses)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Sentence spans. Blingfire keeps abbreviations whole; chat's unspaced and lower-case ends are cut after it."""
    if text.find(".", 0, len(text.rstrip()) - 1) < 0 or not text.strip():
        spans: list[tuple[int, int]] = [(0, len(text))]
    else:
        spans = _by_blingfire(text)
    if ": " in text:
        spans = [part for start, end in spans for part in _after_lead_in(text, start, end)]
    for start, end in spans:
        at = start
        if not _MAY_END.search(text, start, end):
            yield start, end
            continue
        for found in _HARD_END.finditer(text, start, end):
            if found.start() <= at or ("." in found[0] and _ABBREVIATION.search(text, at, found.end())):
                continue
            yield at, found.end()
            at = found.end()
        yield at, end


# "When you plan the food, mind: I'm allergic to nuts": what is announced stands alone.
_LEAD_IN = re.compile(
    r"\b(?:mind|note|remember|know|warning|reminder|heads[- ]up|thing|fact|point|forget|aware|detail|caveat|catch|"
    r"update|"
    r"news|so|it|already|before|yet|you|me|mention):\s+(?=(?:i|i['’]m|im|i['’]ve|ive|my|we|we['’](?:re|ve)|our)\b)",
    re.IGNORECASE,
)


def _after_lead_in(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    found = _LEAD_IN.search(text, start, end)
    if found is None or not text[start : found.start()].strip():
        yield start, end
        return
    yield start, found.end()
    yield found.end(), end


def _by_blingfire(text: str) -> list[tuple[int, int]]:
    """Blingfire's sentences. Finding them again is faster than its own count of offsets, byte by byte in Python."""
    spans: list[tuple[int, int]] = []
    at = 0
    for sentence in blingfire.text_to_sentences(text).split("\n"):
        start = text.find(sentence, at)
        if start < 0:  # it writes some white space anew
            return [(int(start), int(end)) for start, end in blingfire.text_to_sentences_and_offsets(text)[1]]
        at = start + len(sentence)
        spans.append((start, at))
    return spans


def _unmasked(start: int, end: int, masks: tuple[Mask, ...]) -> Iterator[tuple[int, int]]:
    at = start
    for mask in masks:
        if mask.end <= at or mask.start >= end:
            continue
        if mask.start > at:
            yield at, mask.start
        at = max(at, mask.end)
    if at < end:
        yield at, end


def _clauses(text: str, start: int, end: int) -> Iterator[Clause]:
    start, end = trimmed(text, start, end)
    if end - start < 2 and not text[start:end].isalnum():
        return
    sentence = (start, end)
    asks = "?" in text[max(start, end - 3) : end]
    if asks:
        tag = _TAG.search(text, start, end)
        if tag and tag.start() > start and not _INTERROGATIVE.match(text[start : tag.start()]):
            end, asks = tag.start(), False
    if profiles.is_list(text[start:end]):
        yield Clause(start, end, text[start:end], *sentence)
        return
    words = frozenset(_LETTERS.findall(text[start:end].casefold()))
    presupposed = None if words.isdisjoint(_PRESUPPOSING_WORDS) else _PRESUPPOSED.match(text[start:end])
    if presupposed:
        start, asks = start + presupposed.end(), False
    supposing, may_suppose = False, not words.isdisjoint(_SUPPOSING_WORDS)
    may_be_would = not words.isdisjoint(_WOULD_WORDS)
    at = start
    for left, right in seams(text, start, end, words):
        piece = text[left:right]
        reason, at = asks and _GIVES_REASON.search(text, at, left) is not None, right
        if may_suppose and _IF_IDIOM.match(piece):
            continue
        supposes = may_suppose and _SUPPOSES.match(piece) is not None
        supposing = supposing or supposes
        conditional = may_be_would and _WOULD.match(piece) is not None and not _HAVING_HAD.match(piece)
        question = (asks and not (reason and _OF_SELF.match(piece)) and _asks(piece, right >= end)) or (
            _opens_with(_ASKING_WORDS, piece) and _INVERTED.match(piece) is not None and not _ECHO.match(piece)
        )
        yield Clause(
            left, right, piece, *sentence, question, supposes or conditional or (supposing and not _asserts(piece))
        )


# "What snacks are there, since I'm diabetic?": the reason for a question is told, not asked.
_GIVES_REASON = re.compile(r"\b(?:since|because|cause|cuz|coz|bc|given that|considering|as)\W*$", re.IGNORECASE)
_OF_SELF = re.compile(r"(?:i|i['’]?m|i['’]?ve|my|we|we['’]re|we['’]ve|our)\b", re.IGNORECASE)


def _asks(piece: str, last: bool) -> bool:
    """Whether a clause of a sentence that ends in "?" is itself the question, or what it is asked from."""
    if _INTERROGATIVE.match(piece):
        return True
    words = piece.lower().split()
    if not words:
        return True
    if words[0] in ("i", "i'm", "im", "i've", "ive", "my", "we", "our", "we're", "we've"):
        return last and len(words) <= 3
    if words[0] in ("since", "because", "as", "being", "given", "seeing", "considering"):
        return False
    return last or words[0] in ("you", "your", "and", "or", "any", "ever")


def _opens_with(words: frozenset[str], piece: str) -> bool:
    first = _LETTERS.match(piece[:16].casefold())
    return first is not None and first[0] in words


def _asserts(piece: str) -> bool:
    """A clause in a sentence that supposes something may still state: "I'm vegan, what if I went to Texas?"."""
    return re.match(r"(?:because|but|since|as) (?:i|my|we)\b", piece, re.IGNORECASE) is not None
