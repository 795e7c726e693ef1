"""Where one clause ends and the next begins inside a sentence: coordination, by the words on both sides of the seam.

A seam is a comma or a conjunction. It parts two clauses if what follows has a subject of its own ("and I live…"), a
predicate that shares the subject ("and work nights"), or a complement that shares "I am" (", married with twins").
Lists of objects stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from models.wording.lists import words
from models.wording.verbs import AMBIGUOUS, AUXILIARIES, is_adverb, is_base, is_finite, is_past, lemma

_BREAK = re.compile(
    r"(?P<comma>\s*,\s*(?:(?:and|but|so|or|yet|then|plus|while|whereas|although|though|because|cause|cuz|since|which|who|where|when|as|except|also|even though|and also|but also|and so|and then|so then|with)\b\s*)?)|"
    r"(?P<word>\s+(?:and also|but also|and then|even though|and|but|so|yet|plus|while|whereas|although|though|because|cause|cuz|coz|since|as|&|or)\s+)|(?P<paren>\s*[()]\s*)",
    re.IGNORECASE,
)
_SUBJECTS = frozenset(
    ["i", "i'm", "im", "i've", "ive", "i'll", "i'd", "we", "we're", "we've", "we'll", "we'd", "my", "our", "he", "she", "he's", "she's", "they", "they're", "they've", "it", "it's", "its", "his", "her", "their", "you", "you're", "this", "that's", "there", "there's", "there're", "mine", "ours", "you've", "hers", "someone", "everyone", "everybody", "nobody", "people", "these", "those"]
)
_SUBORDINATORS = frozenset(
    ["because", "cause", "cuz", "coz", "since", "as", "although", "though", "while", "whereas", "if", "when", "unless", "after", "before", "until", "that", "who", "which", "where", "whether", "than"]
)
_DETERMINERS = frozenset(
    ["a", "an", "the", "my", "our", "your", "his", "her", "its", "their", "this", "that", "these", "those", "some", "any", "no", "every", "each", "another", "both", "many", "few", "several", "all", "most", "much", "more", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
)
_PREPOSITIONS = frozenset(
    ["in", "on", "at", "to", "from", "with", "for", "of", "by", "about", "into", "over", "under", "near", "around", "after", "before", "during", "since", "until", "till", "without", "through", "between", "against", "like", "as", "than", "up", "out", "off", "down"]
)
_COMPLEMENT = (
    _DETERMINERS
    | _PREPOSITIONS
    | frozenset(
        ["it", "them", "him", "me", "us", "myself", "not", "never", "always", "full", "part", "mostly", "really", "very", "too", "here", "there", "home", "abroad", "nights", "days", "weekends", "every", "shifts", "remotely", "hard", "well", "often", "alone", "together", "lots", "a", "lot", "one", "two"]
    )
)
_STATES = frozenset(
    ["married", "single", "divorced", "engaged", "widowed", "retired", "vegan", "vegetarian", "pregnant", "allergic", "unemployed", "originally", "born", "based", "currently", "gay", "straight", "bisexual", "lesbian", "trans", "nonbinary", "deaf", "blind", "diabetic", "disabled", "dyslexic", "left-handed", "right-handed", "half", "living", "working", "studying", "father", "mother", "mom", "mum", "dad", "parent", "male", "female", "freelance", "self-employed", "lactose", "gluten", "celiac", "coeliac", "asthmatic", "autistic", "epileptic", "colourblind", "colorblind", "scared", "afraid", "terrified", "interested", "passionate", "obsessed", "fluent", "lucky", "proud", "pescatarian", "teetotal", "sober", "catholic", "muslim", "jewish", "christian", "hindu", "buddhist", "atheist"]
)
_SHORT_ANSWERS = frozenset(["yes", "yeah", "yep", "yup", "no", "nope", "nah", "sure", "oh", "well", "right", "correct", "exactly", "indeed"])
_ECHOES = frozenset(
    ["i'm", "not", "do", "don't", "am", "have", "haven't", "did", "didn't", "can", "can't", "was", "wasn't", "does", "doesn't", "is", "isn't", "are", "aren't", "will", "won't", "would", "wouldn't", "dont", "cant", "didnt"]
)
_BE_AFTER_NOUN = frozenset(("is", "are", "was", "were", "isn't", "aren't", "has", "doesn't", "can't"))
_GOVERNS_BASE = frozenset(
    ("can", "can't", "cannot", "will", "would", "could", "i'll", "i'd", "let", "help", "should", "must", "might", "may", "don't", "dont", "didn't")
)
_COPULAS = re.compile(r"\b(?:i am|i'm|im|i was|we are|we're|he is|she is|he's|she's|they are|they're)\b", re.IGNORECASE)
_FRONTED = re.compile(
    r"^(?:in|on|at|for|during|after|before|by|outside|besides|these days|nowadays|most|every|each|when not|as a|as an|back)\b[^,]{0,40}?\b(?:i|we|my)\b",
    re.IGNORECASE,
)


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
            at = found.end()
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
    if words[0] in ("which", "who", "whom", "whose", "where", "that", "when") or joiner in (
        "which",
        "who",
        "where",
        "when",
        "with",
    ):
        return False
    if _opens_full_clause(words, right, joiner, left_words):
        return True
    if joiner in (
        "so",
        "yet",
        "as",
        "since",
        "because",
        "cause",
        "while",
        "though",
        "although",
        "even though",
        "whereas",
        "or",
    ):
        return False
    if left_words[0] in _SUBORDINATORS and "," not in mark and joiner != "but":
        return False
    return _shares_subject(left_words, words, joiner, left)


def _opens_full_clause(words: list[str], right: str, joiner: str, left_words: list[str]) -> bool:
    """A subject and something after it: "and I live", ", my rent", "but these days I'm", "and Emma works"."""
    first = 0
    while first < len(words) - 1 and (
        is_adverb(words[first])
        or (words[first] in ("yes", "no", "yeah", "well", "the", "then")
        and words[first + 1] in _SUBJECTS)
    ):
        first += 1
    word = words[first]
    if joiner in ("as", "or") and not (len(words) > 1 and word in ("i", "i'm", "my", "we")):
        return False
    if joiner in ("and", "but", "", "&") and left_words[-1] in _PREPOSITIONS | {"between", "both", "than", "that"}:
        return False
    if word in _SUBJECTS:
        if (
            len(words) - first <= 3
            and left_words[0] in _SHORT_ANSWERS
            and len(left_words) <= 2
            and words[-1] in _ECHOES
        ):
            return False
        if word in (
            "my",
            "our",
            "his",
            "her",
            "their",
            "this",
            "these",
            "those",
            "its",
            "people",
            "it",
            "you",
            "that's",
            "mine",
        ):
            own = word in ("it", "you", "this", "that", "these", "those", "people")
            reach = words[first : first + 4] if own else words[first + 1 : first + 8]
            return _verb_within(reach) and not _subject_pair(left_words, joiner)
        return (len(words) > first + 1 or "'" in word or word == "im") and not _subject_pair(left_words, joiner)
    if _FRONTED.match(right):
        return True
    if joiner in ("and", "but", "so", "", "while", "whereas") and right[:1].isupper() and len(words) > 2:
        return any(
            nxt in ("is", "has", "lives", "works", "likes", "loves", "was", "isn't", "wants", "can't", "doesn't")
            for nxt in words[1:3]
        )
    if joiner in ("and", "but", "so", "because", "") and word == "please" and len(words) > 2:
        return True
    if joiner in ("and", "but", "so") and len(words) > first + 2 and words[first + 1] in _BE_AFTER_NOUN and word not in _PREPOSITIONS | _DETERMINERS and not _subject_pair(left_words, joiner):
        return True
    if word in ("the", "a", "one", "both", "most", "some", "all", "what", "there's") and joiner != "":
        return any(nxt in ("is", "are", "was", "were", "has", "have") for nxt in words[1:5]) and not _subject_pair(
            left_words, joiner
        )
    return (
        joiner in ("", "but")
        and word
        in (
            "don't",
            "dont",
            "can't",
            "cant",
            "never",
            "not",
            "no",
            "please",
            "always",
            "keep",
            "what",
            "how",
            "do",
            "does",
            "can",
            "could",
            "is",
            "are",
            "any",
            "would",
            "which",
        )
        and len(words) > 1
    )


def _subject_pair(left_words: list[str], joiner: str) -> bool:
    """Whether the left side is only the first half of a subject, as in "my wife and my sister live…"."""
    return joiner in ("and", "&", "or") and len(left_words) <= 4 and not any(_verbal(word) for word in left_words)


def _verbal(word: str) -> bool:
    return (
        word in ("i'm", "im", "i've", "ive", "we're", "we've", "he's", "she's", "it's", "don't", "can't")
        or is_finite(word)
        or word.endswith("n't")
    )


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
    if (
        word
        in (
            "not",
            "never",
            "don't",
            "dont",
            "can't",
            "cant",
            "didn't",
            "won't",
            "am",
            "was",
            "have",
            "had",
            "do",
            "did",
            "cannot",
        )
        and joiner != "or"
    ):
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
        if word in ("a", "an") and after_copula and after_copula[-1][:1].isupper() and len(following) > 1 and following[1] in ("of", "in", "near", "outside"):
            return False
        return len(after_copula) > 0 and not (word in ("a", "an") and after_copula[0].lower() in ("with", "by", "at"))
    return word in ("living", "working", "studying", "looking", "planning", "learning", "raising", "training") and bool(
        following
    )


def _last_copula(left: str) -> int:
    end = 0
    for found in _COPULAS.finditer(left):
        end = found.end()
    return end


def _infinitive(left_words: list[str]) -> bool:
    """Whether the left side ends in an infinitive the right side may continue: "I like to read and write"."""
    return any(word == "to" and is_base(following) for word, following in pairwise(left_words)) or any(
        word in _GOVERNS_BASE for word in left_words
    )


def _finite_verb(word: str, following: list[str], left_words: list[str]) -> bool:
    if not is_finite(word) or (word in AUXILIARIES and not following):
        return False
    past_left = any(is_past(each) for each in left_words)
    if is_past(word):
        return past_left or word in (
            "used",
            "grew",
            "moved",
            "got",
            "was",
            "had",
            "went",
            "studied",
            "graduated",
            "worked",
            "lived",
            "started",
            "came",
            "made",
        )
    if lemma(word) != word:
        owned = left_words[0] in ("my", "our", "he", "she", "it", "his", "her", "he's", "she's", "it's")
        return owned and word.endswith("s") and bool(following)
    if word in AMBIGUOUS:
        return bool(following) and following[0] in _COMPLEMENT
    return bool(following) or word not in ("like", "love")
