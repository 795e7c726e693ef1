"""Words of a text that count for search, and BM25 (Robertson and Zaragoza 2009) over one user's texts.

A score is the share of the best possible for the question: 1 where a text has every word of it often, 0 where it has
none. Words that no text has count against all of them, so that a question about something never said scores low.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Final
from unicodedata import normalize
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

_K1: Final = 1.2
_B: Final = 0.3
"""Facts and turns are short and of one length: little length normalisation."""

_STOP_WORDS: Final = frozenset(
    word
    for line in (
        "a about all also an and any are as at be been but by can could did do does doing for from had has have having",
        "he her hers him his how i if in into is it its just know me mine my of on or our she should so some tell than",
        "that the their them then there these they this those to us user users was we were what when where which who",
        "whom whose why will with would you your",
    )
    for word in line.split()
)
# Scripts written without spaces, or with particles joined to words, are compared by pairs of characters.
_PAIRED: Final = "\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORDS: Final = re.compile(rf"[{_PAIRED}]+|[^\W{_PAIRED}]+")
_PAIRED_RUN: Final = re.compile(rf"[{_PAIRED}]")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")


def shares(query: str | None, texts: Sequence[str]) -> list[float]:
    """How well each text fits the question by its words, 0–1 (4 decimals)."""
    terms = dict.fromkeys(words(query or ""))
    if not terms or not texts:
        return [0.0] * len(texts)
    roots = [(term, _root(term)) for term in terms]
    counts = [_counts(roots, _folded(text)) for text in texts]
    lengths = [text.count(" ") + 1 for text in texts]
    rarity = {term: _rarity(len(texts), sum(1 for count in counts if term in count)) for term in terms}
    best, mean = sum(rarity.values()), sum(lengths) / len(lengths)
    scores = [0.0] * len(texts)
    for i, count in enumerate(counts):
        if count:
            norm = _K1 * (1.0 - _B + _B * lengths[i] / mean)
            score = sum(rarity[term] * often * (_K1 + 1.0) / (often + norm) for term, often in count.items())
            scores[i] = round(min(1.0, score / best), 4)
    return scores


def _counts(roots: Sequence[tuple[str, str]], folded: str) -> dict[str, int]:
    """How often a folded text has each term that it has. Only what has a term's root is taken apart: few words do."""
    counts = {}
    for term, root in roots:
        if root in folded:
            often = sum(_taken_apart(piece).count(term) for piece in folded.split() if root in piece)
            if often:
                counts[term] = often
    return counts


def _root(term: str) -> str:
    """What has a term has these letters: the term, but for an "i" at its end, which may stand for a "y"."""
    return term.removesuffix("i") or term


class TermTable:
    """The packed terms of many texts, scored at once: what `shares` does, for texts read before."""

    def __init__(self, packed: Sequence[bytes]) -> None:
        self._terms = np.frombuffer(b"".join(packed), "<u4")
        self._lengths = np.fromiter((len(each) // 4 for each in packed), np.int64, len(packed))
        self._owners = np.repeat(np.arange(len(packed)), self._lengths)

    def shares(self, query: str | None) -> NDArray[np.float64]:
        """How well each text fits the question by its words, 0–1."""
        count = len(self._lengths)
        scores = np.zeros(count)
        terms = dict.fromkeys(words(query or ""))
        if not terms or not count:
            return scores
        norms = _K1 * (1.0 - _B + _B * self._lengths / max(1.0, float(self._lengths.mean())))
        best = 0.0
        for term in terms:
            often = np.bincount(self._owners[self._terms == _number(term)], minlength=count)
            rarity = _rarity(count, int(np.count_nonzero(often)))
            best += rarity
            scores += rarity * often * (_K1 + 1.0) / (often + norms)
        return np.minimum(scores / best, 1.0)


def pack_terms(text: str) -> bytes:
    """The terms of a text as TermTable reads them: four bytes each, in order."""
    return np.fromiter((_number(term) for term in words(text)), "<u4").tobytes()


def words(text: str) -> list[str]:
    """The words of a text that count for search, folded and stemmed lightly; pairs of characters in some scripts."""
    return [term for run in _WORDS.findall(_folded(text)) for term in _terms(run)]


@lru_cache(maxsize=20_000)
def _taken_apart(folded: str) -> tuple[str, ...]:
    return tuple(term for run in _WORDS.findall(folded) for term in _terms(run))


def _folded(text: str) -> str:
    folded = text.casefold()
    if folded.isascii():
        return folded
    return normalize("NFC", _ACCENTS.sub("", normalize("NFKD", folded)))


@lru_cache(maxsize=20_000)
def _number(term: str) -> int:
    return crc32(term.encode("utf-8", "surrogatepass"))


def _rarity(texts: int, having: int) -> float:
    return log(1.0 + (texts - having + 0.5) / (having + 0.5))


@lru_cache(maxsize=20_000)
def _terms(run: str) -> tuple[str, ...]:
    if _PAIRED_RUN.match(run):
        return tuple(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    if run in _STOP_WORDS or (len(run) == 1 and run.isascii() and not run.isdigit()):
        return ()
    return (_stem(run),)


def _stem(word: str) -> str:
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for suffix, least in (("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(suffix) and not word.endswith("ss") and len(word) >= least:
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 2 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 2 and word.endswith("y") else word
