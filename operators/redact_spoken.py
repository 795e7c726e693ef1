"""Numbers, passwords and addresses in words (P2): "my pin is four two seven one", "jane dot doe at gmail dot com".

A run of number words is written in digits, and the detectors for what is written look at that: so a spoken card, phone
or code is told by what tells a written one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

Span = tuple[int, int, str]

_UNITS = {
    word: str(digit)
    for digit, words in enumerate((
        "zero oh null cero zéro", "one eins uno un", "two zwei zwo dos deux", "three drei tres trois",
        "four vier cuatro quatre", "five fünf fuenf cinco cinq", "six sechs seis", "seven sieben siete sept",
        "eight acht ocho huit", "nine neun nueve neuf",
    ))
    for word in words.split()
}  # fmt: skip
_TEENS = {
    word: str(number)
    for number, words in enumerate((
        "ten zehn", "eleven elf", "twelve zwölf", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
        "nineteen",
    ), start=10)
    for word in words.split()
}  # fmt: skip
_TENS = {
    word: str(digit)
    for digit, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_HUNDRED = "hundred"
_NUMBERS = frozenset((*_UNITS, *_TEENS, *_TENS, *_TIMES, _HUNDRED))
_LARGE = frozenset(("thousand", "million", "billion", "tausend", "mil", "mille"))
_NUMBER = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_WORD = re.compile(r"[^\W\d_]+")
_GAPS = frozenset((" ", "-", ", ", ",", " - ", "  ", "\n"))
_SIGNS = (
    "four", "five", "six", "seven", "eight", "nine", "zero", "three", "two", "one", "pin", "pass", "num", "núm", "cod",
    "cód",
)  # fmt: skip
"""What a text must hold, in lower case, to have a number or password in words; other languages need a telling word."""
_LONG_UNITS_MIN = 9  # nobody spells out so many digits of a quantity

_PASSWORD_SPOKEN = re.compile(
    r"\b(?:pass(?:word|phrase|code)|wi-?fi key|kennwort|passwort)\b[^.!?\n:=,]{0,30}?(?:\b(?:is|ist|to|was|as)\b|:|"
    r"['’]s) +"
    r"(?P<v>[^\W\d_][^.!?\n\"()]{0,90})",
    re.IGNORECASE,
)
_SPELT_END = re.compile(
    rf"\b(?:(?:capital|uppercase|lowercase) \w\b(?: as in \w+)?|(?:underscore|dash|hyphen) \w+|exclamation(?: mark|"
    rf" point)?|"
    rf"(?:hash|dollar|star)(?: sign)?|asterisk|ampersand|{_NUMBER})\b",
    re.IGNORECASE,
)
_TELLS_ON = re.compile(
    r"\b(?:i|you|he|she|we|they|it|a|an|the|not|no|or|than|between|about|since|for|from|of|very|too|only|at|"
    r"(?<!as )in|on|longer|"
    r"shorter|least|most|must|should|can|will|has|have|been|being|and|but|so|because|if|when|every|years?|days?|"
    r"digits?|"
    r"letters?|characters?|words?|kept|stored|saved|changed|reset|wrong|expired|weak|strong)\b",
    re.IGNORECASE,
)

_DOT = r"(?:dot|punkt|punto|point)"
_EMAIL_SPOKEN = re.compile(
    rf"(?<![\w.@-])\w[\w.+-]{{0,40}}(?: (?:{_DOT}|underscore|dash|hyphen|minus|plus) \w[\w+-]{{0,40}}|"
    rf" (?:{_NUMBER})){{0,8}}"
    r" ?(?:\b(?:at|arroba|ät|arobase|chiocciola)\b|[(\[] ?at ?[)\]]) ?"
    rf"\w[\w-]{{0,40}}(?: (?:dash|hyphen|minus|{_DOT}) \w[\w-]{{0,40}}){{0,3}}? {_DOT} "
    r"(?:com|org|net|edu|io|co|gov|info|me|dev|app|ai|de|uk|fr|es|it|nl|in|ca|au|eu|ch|at|jp|br|ru|pl|se|us|no|dk|fi|"
    r"be|cz|pt|ie|nz|mx|ar|gr|hu)(?: dot (?:uk|au|nz|br|jp|in))?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of number words: where it stands, and in digits."""

    start: int
    end: int
    digits: str
    is_read_out: bool


def may_be_spoken(lowered: str) -> bool:
    """Whether a text in lower case may have numbers in words; much cheaper than looking for them."""
    for word in _SIGNS:  # noqa: SIM110  # half the time of any() over a generator, and this runs on every message
        if word in lowered:
            return True
    return False


def spoken(text: str, lowered: str, written: Callable[[str, str], list[Span]]) -> Iterator[Span]:
    """What is said in words; `written` finds the same in digits."""
    runs = list(_runs(text))
    if runs:
        yield from _as_digits(text, runs, written)
    if "pass" in lowered or "wifi" in lowered or "kennwort" in lowered:
        yield from _passwords(text)


def spoken_emails(text: str) -> Iterator[Span]:
    """E-mail addresses as they are read out."""
    for found in _EMAIL_SPOKEN.finditer(text):
        if " point " not in found[0].lower() or "arobase" in found[0].lower():
            yield (*found.span(), "email")


def _runs(text: str) -> Iterator[_Run]:
    """Number words that follow each other and make three digits at least; quantities of thousands are none."""
    start = end = 0
    tokens: list[str] = []
    for found in _WORD.finditer(text):
        token = found[0].lower()
        gap = text[end : found.start()]
        if token not in _NUMBERS or (tokens and gap not in _GAPS):
            if len(tokens) > 1 and not (token in _LARGE and gap in _GAPS):
                yield from _run(start, end, tokens)
            tokens = []
        if token in _NUMBERS:
            start = start if tokens else found.start()
            tokens += (",", token) if tokens and "," in gap else (token,)
        end = found.end()
    if len(tokens) > 1:
        yield from _run(start, end, tokens)


def _run(start: int, end: int, tokens: list[str]) -> Iterator[_Run]:
    digits = _digits(tokens)
    if sum(char.isdigit() for char in digits) >= 3:
        yield _Run(start, end, digits, _is_read_out(tokens))


def _as_digits(text: str, runs: list[_Run], written: Callable[[str, str], list[Span]]) -> Iterator[Span]:
    pieces: list[str] = []
    places: list[tuple[int, int, _Run]] = []
    done = length = 0
    for run in runs:
        pieces += text[done : run.start], run.digits
        length += run.start - done
        places.append((length, length + len(run.digits), run))
        length += len(run.digits)
        done = run.end
        if run.is_read_out:
            yield run.start, run.end, "secret"
    digits_text = "".join((*pieces, text[done:]))
    for start, end, kind in written(digits_text, digits_text.lower()):
        for digits_start, _, run in places[bisect_right(places, start, key=itemgetter(1)) :]:
            if digits_start >= end:
                break
            yield run.start, run.end, kind


def _digits(tokens: list[str]) -> str:
    """Number words in digits; a comma becomes a space."""
    out: list[str] = []
    times, tens = 1, ""
    for token in tokens:
        unit = _UNITS.get(token)
        if tens and (unit is None or unit == "0"):
            out.append(tens + "0")
            tens = ""
        if unit is not None:
            out.append((tens + unit) * times)
            times, tens = 1, ""
        elif token in _TENS:
            tens = _TENS[token]
        elif token in _TIMES:
            times = _TIMES[token]
        else:
            out.append(_TEENS.get(token) or {",": " ", _HUNDRED: "00"}[token])
    return "".join(out) + (tens + "0" if tens else "")


def _is_read_out(tokens: list[str]) -> bool:
    """Whether so many single digits follow each other that they are an identifier, and nobody is counting."""
    units = [_UNITS[token] for token in tokens if token in _UNITS]
    steps = {int(b) - int(a) for a, b in pairwise(units)}
    return len(units) >= _LONG_UNITS_MIN and not steps <= {1, -1} and not steps <= {0}


def _passwords(text: str) -> Iterator[Span]:
    """Passwords of several words, one of which spells a digit or a sign: up to the last such word."""
    for found in _PASSWORD_SPOKEN.finditer(text):
        start, said = found.start("v"), found["v"]
        stop = _TELLS_ON.search(said)
        ends = [m.end() for m in _SPELT_END.finditer(said, 0, stop.start() if stop else len(said))]
        if ends and len(said[: ends[-1]].split()) >= 2:
            yield start, start + ends[-1], "secret"
