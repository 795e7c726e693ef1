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
from models.wording.verbs import AMBIGUOUS, AUXILIARIES, COMMON, is_adverb, is_finite, is_past, lemma


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
_HARD_END = re.compile(r"(?:[!?]+|\.{2,}|…)[\"')\]]*\s+|(?<=[a-z0-9)]{2})\s?\.\s+(?=[a-z])|\s\.\s+|\s*\n+\s*|\s*;\s+|\s+(?:—|–|--)\s+")
_ABBREVIATION = re.compile(r"(?:\b(?:dr|mr|mrs|ms|prof|st|vs|etc|e\.g|i\.e|approx|no|jr|sr|ft|inc|ltd|co|p\.m|a\.m|u\.s)|\b[a-z])\s?\.\s+$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[&%€$£]")
_TAG = re.compile(
    r"[,\s]+(?:right|correct|yes|no|ok|okay|huh|eh|innit|you know|you see|remember|isn'?t (?:it|that|she|he)|is it|aren'?t (?:i|we|they)|don'?t (?:i|we|you think)|"
    r"didn'?t (?:i|we)|haven'?t i|wasn'?t i|am i|do i|you know what i mean|if you remember|i think|if you know it)\s*\?+$",
    re.IGNORECASE,
)
_PRESUPPOSED = re.compile(
    r"^(?:(?:hey|hi|so|oh|wait|btw|by the way|um|ok|and|but)[, ]+)*(?:(?:did|have|had|haven'?t|didn'?t) i (?:(?:ever|already|not|even|just) )*(?:mention|tell you|told you|mentioned|say|said|share|shared)(?: (?:to you|already|before|yet))?|"
    r"did you know|(?:do|don'?t|can) you (?:still )?(?:remember|recall|know)|you (?:do )?(?:remember|know)|(?:are you aware|were you aware)|"
    r"would you believe|can you believe|guess what)[,:]?\s+(?:that\s+|this[:,]?\s+|the fact that\s+)?(?=(?:i|i'm|im|i've|ive|i'd|my|we|we're|we've|our)\b)",
    re.IGNORECASE,
)
_INTERROGATIVE = re.compile(
    r"^(?:(?:so|and|but|well|ok|okay|hey|hi|oh|then|also|or|now|btw|by the way|sorry|please|hmm|yeah|yes|no|cool|great|nice|wow|thanks|haha|lol)[, ]+)*"
    r"(?:(?:(?:in|at|on|for|to|from|with|by|of|about) )?(?:what|who|whom|whose|which|where|when|why|how|what's|whats|who's|how's|where's|when's)\b|"
    r"(?:do|does|did|is|are|was|were|am|can|could|will|would|should|shall|may|might|have|has|had|don'?t|doesn'?t|didn'?t|isn'?t|aren'?t|can'?t|won'?t|wouldn'?t|shouldn'?t|haven'?t|hasn'?t) "
    r"(?:i|you|we|he|she|it|they|there|this|that|these|those|the|a|an|my|your|his|her|our|their|any|anyone|someone|people|all|both|[A-Z]\w+)\b|"
    r"(?:any|got any) \w+|you (?:like|have|got|know|think|mean|want)\b)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"^(?:(?:and|but|so|or|well|then|hmm|ok|even|only|just|hey|please|now|also|like|no|yes|maybe)[, ]+)*"
    r"(?:if\b|unless\b|suppose\b|supposing\b|imagine\b|imagining\b|assume\b|assuming\b|presuming\b|say (?:that )?(?:i|we|my|you|he|she|they)\b(?! (?:am|have|live|work)\b)|let'?s (?:say|assume|suppose|imagine|pretend)|"
    r"what if\b|pretend\b|picture (?:this|me|that)\b|were (?:i|we) (?:to|a|an|in|the)\b|had (?:i|we) (?!a\b|an\b|to\b|the\b|my\b)|should i (?:ever |decide|move|need|get|want)|in case\b|whether\b|provided that\b|as long as\b|"
    r"i wish\b|i(?:'d| would) wish|we wish\b|wish (?:i|we)\b|if only\b|in another life\b|in a perfect world\b|in my dreams\b|hypothetically\b|theoretically\b|once i (?:am|have|get|move)\b|as if\b|as though\b)",
    re.IGNORECASE,
)
_IF_IDIOM = re.compile(r"^if (?:you (?:ask me|must know|want to know|'re wondering|are wondering|like|remember|recall)|i remember (?:correctly|rightly|right)|i'?m (?:honest|being honest|not mistaken)|i am honest|memory serves|that (?:helps|matters)|it (?:helps|matters)|anything)\b", re.IGNORECASE)
_WOULD = re.compile(
    r"^(?:i|we|my \w+)(?:'d| would| could| might have| would have|'d have| could have| should have)\b(?! (?:love|like|prefer|rather|really|say|be able|describe|call|argue|appreciate|never|always|not (?:say|eat|touch|call|recommend)|hate|totally love|also|do anything|consider myself|recommend))",
    re.IGNORECASE,
)
_HAVING_HAD = re.compile(r"^(?:i|we)'d (?:better|been|had|gone|already|just|lived|worked)\b", re.IGNORECASE)

_BREAK = re.compile(
    r"(?P<comma>\s*,\s*(?:(?:and|but|so|or|yet|then|plus|while|whereas|although|though|because|cause|cuz|since|which|who|where|when|as|except|also|even though|and also|but also|and so|and then|so then|with)\b\s*)?)|"
    r"(?P<word>\s+(?:and also|but also|and then|even though|and|but|so|yet|plus|while|whereas|although|though|because|cause|cuz|coz|since|as|&|or)\s+)|(?P<paren>\s*[()]\s*)",
    re.IGNORECASE,
)
_SUBJECTS = frozenset(
    "i i'm im i've ive i'll i'd we we're we've we'll we'd my our he she he's she's they they're they've it it's its his her their "
    "you you're this that's there there's there're mine ours you've hers someone everyone everybody nobody people these those".split()
)
_SUBORDINATORS = frozenset("because cause cuz coz since as although though while whereas if when unless after before until that who which where whether than".split())
_DETERMINERS = frozenset("a an the my our your his her its their this that these those some any no every each another both many few several all most much more two three four five six seven eight nine ten".split())
_PREPOSITIONS = frozenset("in on at to from with for of by about into over under near around after before during since until till without through between against like as than up out off down".split())
_COMPLEMENT = _DETERMINERS | _PREPOSITIONS | frozenset("it them him me us myself not never always full part mostly really very too here there home abroad nights days weekends every shifts remotely hard well often alone together lots a lot one two".split())
_STATES = frozenset(
    "married single divorced engaged widowed retired vegan vegetarian pregnant allergic unemployed originally born based currently "
    "gay straight bisexual lesbian trans nonbinary deaf blind diabetic disabled dyslexic left-handed right-handed half living working studying "
    "father mother mom mum dad parent male female freelance self-employed lactose gluten celiac coeliac asthmatic autistic epileptic colourblind colorblind "
    "scared afraid terrified interested passionate obsessed fluent lucky proud pescatarian teetotal sober catholic muslim jewish christian hindu buddhist atheist".split()
)
_COPULAS = re.compile(r"\b(?:i am|i'm|im|i was|we are|we're|he is|she is|he's|she's|they are|they're)\b", re.IGNORECASE)
_FRONTED = re.compile(r"^(?:in|on|at|for|during|after|before|by|outside|besides|these days|nowadays|most|every|each|when not|as a|as an|back)\b[^,]{0,40}?\b(?:i|we|my)\b", re.IGNORECASE)
_ADVERBIAL = re.compile(r"^(?:(?:as|when|while|since|because|although|though|even though|after|before|being|given that|seeing as|considering|now that|until)\b|(?:in|on|at|for|during|these|nowadays|lately|recently|currently|every|most|last|this|next|back|from)\b)", re.IGNORECASE)


def split(text: str, masks: tuple[Mask, ...] = ()) -> tuple[Clause, ...]:
    """The clauses of a message in order, without masked characters; at most 400 (what a person says stays far below)."""
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
        _, offsets = blingfire.text_to_sentences_and_offsets(text)
        spans = [(int(start), int(end)) for start, end in offsets]
    for start, end in spans:
        at = start
        for found in _HARD_END.finditer(text, start, end):
            if found.start() <= at or ("." in found[0] and _ABBREVIATION.search(text, at, found.end())):
                continue
            yield at, found.end()
            at = found.end()
        yield at, end


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


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start].isspace() or text[start] in ",;:-–—•*("):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;:-–—("):
        end -= 1
    return start, end


def _clauses(text: str, start: int, end: int) -> Iterator[Clause]:
    start, end = _trimmed(text, start, end)
    if end - start < 2 and not text[start:end].isalnum():
        return
    sentence = (start, end)
    asks = "?" in text[max(start, end - 3) : end]
    if asks:
        tag = _TAG.search(text, start, end)
        if tag and tag.start() > start and not _INTERROGATIVE.match(text[start : tag.start()]):
            end, asks = tag.start(), False
    presupposed = _PRESUPPOSED.match(text[start:end])
    if presupposed:
        start, asks = start + presupposed.end(), False
    supposing = False
    for left, right in _coordinated(text, start, end):
        piece = text[left:right]
        idiom = _IF_IDIOM.match(piece)
        if idiom:
            continue
        supposes = _SUPPOSES.match(piece) is not None
        supposing = supposing or supposes
        conditional = _WOULD.match(piece) is not None and not _HAVING_HAD.match(piece)
        question = asks and _asks(piece, right >= end)
        yield Clause(left, right, piece, *sentence, question, supposes or conditional or (supposing and not _asserts(piece)))


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


def _asserts(piece: str) -> bool:
    """A clause in a sentence that supposes something may still state: "I'm vegan, what if I went to Texas?"."""
    return re.match(r"(?:because|but|since|as) (?:i|my|we)\b", piece, re.IGNORECASE) is not None


def _coordinated(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cuts a sentence where a new clause, a shared-subject predicate, or a shared-copula complement begins."""
    at = start
    for found in _BREAK.finditer(text, start, end):
        if found.start() <= at:
            continue
        right = text[found.end() : end]
        if not right.strip(" .!?)"):
            continue
        if _begins_clause(text[at : found.start()], found[0], right):
            yield from _piece(text, at, found.start())
            at = found.end() if found.lastgroup != "paren" else found.end()
    yield from _piece(text, at, end)


def _piece(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    start, end = _trimmed(text, start, end)
    if any(character.isalnum() for character in text[start:end]):
        yield start, end


def _begins_clause(left: str, mark: str, right: str) -> bool:
    words = [word.lower().replace("’", "'") for word in _WORD.findall(right[:90])]
    if not words:
        return False
    joiner = mark.strip(" ,").lower()
    if "(" in mark or ")" in mark:
        return words[0] in _SUBJECTS and len(words) > 1
    left_words = [word.lower().replace("’", "'") for word in _WORD.findall(left)]
    if not left_words:
        return False
    if words[0] in ("which", "who", "whom", "whose", "where", "that", "when") or joiner in ("which", "who", "where", "when", "with"):
        return False
    if _opens_full_clause(words, right, joiner, left_words):
        return True
    if joiner in ("so", "yet", "as", "since", "because", "cause", "while", "though", "although", "even though", "whereas", "or"):
        return False
    if left_words[0] in _SUBORDINATORS and "," not in mark and joiner != "but":
        return False
    return _shares_subject(left_words, words, joiner, left)


def _opens_full_clause(words: list[str], right: str, joiner: str, left_words: list[str]) -> bool:
    """A subject and something after it: "and I live", ", my rent", "but these days I'm", "and Emma works"."""
    first = 0
    while first < len(words) - 1 and (is_adverb(words[first]) or words[first] in ("yes", "no", "yeah", "well", "the", "then") and words[first + 1] in _SUBJECTS):
        first += 1
    word = words[first]
    if joiner in ("as", "or") and not (len(words) > 1 and word in ("i", "i'm", "my", "we")):
        return False
    if joiner in ("and", "but", "", "&") and left_words[-1] in _PREPOSITIONS | {"between", "both", "than", "that"}:
        return False
    if word in _SUBJECTS:
        if word in ("my", "our", "his", "her", "their", "this", "these", "those", "its", "people", "it", "you", "that's", "mine"):
            return _verb_within(words[first + 1 : first + 8]) and not _subject_pair(left_words, joiner)
        return (len(words) > first + 1 or "'" in word or word == "im") and not _subject_pair(left_words, joiner)
    if _FRONTED.match(right):
        return True
    if joiner in ("and", "but", "so", "", "while", "whereas") and right[:1].isupper() and len(words) > 2:
        return any(nxt in ("is", "has", "lives", "works", "likes", "loves", "was", "isn't", "wants", "can't", "doesn't") for nxt in words[1:3])
    if word in ("the", "a", "one", "both", "most", "some", "all", "what", "there's") and joiner != "":
        return any(nxt in ("is", "are", "was", "were", "has", "have") for nxt in words[1:5]) and not _subject_pair(left_words, joiner)
    return joiner in ("", "but") and word in ("don't", "dont", "can't", "cant", "never", "not", "no", "please", "always", "keep", "what", "how", "do", "does", "can", "could", "is", "are", "any", "would", "which") and len(words) > 1


def _subject_pair(left_words: list[str], joiner: str) -> bool:
    """Whether the left side is only the first half of a subject, as in "my wife and my sister live…"."""
    return joiner in ("and", "&", "or") and len(left_words) <= 4 and not any(_verbal(word) for word in left_words)


def _verbal(word: str) -> bool:
    return word in ("i'm", "im", "i've", "ive", "we're", "we've", "he's", "she's", "it's", "don't", "can't") or is_finite(word) or word.endswith("n't")


def _verb_within(words: list[str]) -> bool:
    return any(_verbal(word) or word.endswith("'s") for word in words[1:] or words)


def _shares_subject(left_words: list[str], words: list[str], joiner: str, left: str) -> bool:
    """A predicate without its subject: "and work nights", ", married with twins", "but don't drink"."""
    first = 0
    while first < len(words) - 1 and is_adverb(words[first]) and words[first] not in ("not", "never"):
        first += 1
    word, following = words[first], words[first + 1 : first + 3]
    has_verb = next((index for index, each in enumerate(left_words) if _verbal(each)), None)
    if has_verb is None:
        return False
    if word in ("not", "never", "don't", "dont", "can't", "cant", "didn't", "won't", "am", "was", "have", "had", "do", "did", "cannot") and joiner != "or":
        return joiner in ("but", "and", "") and bool(following)
    if left_words[has_verb:][-1:] == left_words[has_verb : has_verb + 1] and joiner in ("and", "or"):
        return False
    if _copular_list(left, word, following, joiner):
        return True
    if _infinitive(left_words) or word.endswith("ing"):
        return False
    return _finite_verb(word, following, left_words)


def _copular_list(left: str, word: str, following: list[str], joiner: str) -> bool:
    if joiner not in ("", "and", "but") or not _COPULAS.search(left):
        return False
    if word in _STATES or (word.isdigit() and (not following or following[0] in ("years", "and"))):
        return True
    if word in ("a", "an", "from", "in", "into") and joiner in ("", "and", "but"):
        after_copula = left[_last_copula(left) :].split()
        return len(after_copula) > 0 and not (word in ("a", "an") and after_copula[0].lower() in ("with", "by", "at"))
    return word in ("living", "working", "studying", "looking", "planning", "learning", "raising", "training") and bool(following)


def _last_copula(left: str) -> int:
    end = 0
    for found in _COPULAS.finditer(left):
        end = found.end()
    return end


def _infinitive(left_words: list[str]) -> bool:
    """Whether the left side ends in an infinitive the right side may continue: "I like to read and write"."""
    return any(word == "to" and lemma(nxt) == nxt and (nxt in COMMON or nxt == "be") for word, nxt in zip(left_words, left_words[1:], strict=False)) or any(
        word in ("can", "can't", "cannot", "will", "would", "could", "i'll", "i'd", "let", "help", "should", "must") for word in left_words
    )


def _finite_verb(word: str, following: list[str], left_words: list[str]) -> bool:
    if not is_finite(word) or word in AUXILIARIES and not following:
        return False
    past_left = any(is_past(each) for each in left_words)
    if is_past(word):
        return past_left or word in ("used", "grew", "moved", "got", "was", "had", "went", "studied", "graduated", "worked", "lived", "started", "came", "made")
    if lemma(word) != word and not word.endswith("s"):
        return False
    if word.endswith("s") and lemma(word) != word and left_words[0] in ("i", "i'm", "we", "im", "i've"):
        return False
    if word in AMBIGUOUS:
        return bool(following) and following[0] in _COMPLEMENT
    return bool(following) or word not in ("like", "love")
