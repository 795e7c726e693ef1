"""How two wordings of a claim are compared: content tokens, and what must agree whatever the tokens say.

The exact normalisation, in this order: case-folded; ’ is '; n't becomes not, 's 'm 're 've 'll 'd go; words are runs of
letters and digits, one character each in scripts without spaces; number words up to twelve become digits; stop words
and words for the speaker (I, my, me, "user", and they, their, them, which stand for the user) go; goes is go; endings
-ies/-ied become y, then -ing, -ed, -es and -s go where three letters stay, then a doubled consonant and a closing e.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

MATCH_F1_MIN = 0.6

_WORD = re.compile(r"[぀-ヿ㐀-鿿]|[^\W_]+")
_NOT = re.compile(r"n't\b")
_CLITIC = re.compile(r"'(?:s|m|re|ve|ll|d)\b")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_INNER_NAME = re.compile(r"(?<=[\w,;:&] )[A-Z][\w'’-]*")
_STOP_WORDS = """
a an the and or of to in on at for with is are was were be been am it that this have has had do does did
"""
_PERSON_WORDS = "i im ive my me mine myself user users their theirs they them themselves themself"
_NEGATOR_WORDS = "not never no none nobody nothing nowhere neither nor cannot cant without dont doesnt"
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_STOP = frozenset(_STOP_WORDS.split())
_PERSON = frozenset(_PERSON_WORDS.split())
_NEGATORS = frozenset(_NEGATOR_WORDS.split())
_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())}
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")


def words(text: str) -> list[str]:
    """The text's words, case-folded, with contractions opened and small numbers in digits."""
    plain = _CLITIC.sub("", _NOT.sub(" not", text.casefold().replace("’", "'")))
    found = _WORD.findall(plain.replace("'", ""))
    return [_NUMBERS.get(word, word) for word in found]


@lru_cache(maxsize=100_000)
def content_tokens(text: str) -> tuple[str, ...]:
    """The stems of the words that carry content, in order."""
    return tuple(_stem(word) for word in words(text) if word not in _STOP and word not in _PERSON)


def token_f1(one: str, other: str) -> float:
    """F1 of the content tokens of both, each counted as often as it occurs; 0 where either has none."""
    a, b = content_tokens(one), content_tokens(other)
    shared = sum((Counter(a) & Counter(b)).values())
    return 2 * shared / (len(a) + len(b)) if shared else 0.0


def same_claim(said: str, gold: str) -> bool:
    """Whether two sentences make one claim: token F1 of at least 0.6, and numbers, names and negation agree."""
    return token_f1(said, gold) >= MATCH_F1_MIN and agrees(said, gold)


def agrees(one: str, other: str) -> bool:
    """Numbers, names and negation; a name is a capital inside a sentence, and may be in small letters elsewhere."""
    ours, theirs = words(one), words(other)
    if _numbers(ours) != _numbers(theirs):
        return False
    if bool(_NEGATORS & set(ours)) != bool(_NEGATORS & set(theirs)):
        return False
    return _names(one) <= set(theirs) and _names(other) <= set(ours)


def sentences(text: str) -> list[str]:
    """The sentences of a text, cut after closing punctuation."""
    return [part.strip() for part in _SENTENCE.split(text) if part.strip(" .!?\n")]


def _numbers(found: list[str]) -> set[str]:
    return {word for word in found if word.isdigit()}


def _names(text: str) -> set[str]:
    capitals = (word for word in _INNER_NAME.findall(text) if word != "I" and not word.startswith(("I'", "I’")))
    return {word for name in capitals for word in words(name)} - _PERSON - _STOP


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return f"{word[:-3]}y"
    if word == "goes":
        return "go"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    word = _DOUBLED.sub(r"\1", word)
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
