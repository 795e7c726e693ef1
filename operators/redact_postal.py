"""Postal addresses (P2): street, house number and postcode that stand together. The town stays: it is no contact."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int, str]

_UK = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"
_TOWN = r"(?:[A-ZÀ-Ý][\w'’.-]*\s){1,3}?"
_NUMBER_FIRST = (
    r"(?P<street>\bP\.?O\.? Box \d{1,6}|(?<![\w.,$€£/-])\d{1,5}[A-Za-z]?,? (?:[A-ZÀ-Ý0-9][\w'’.-]*\s){0,4}"
    r"[A-ZÀ-Ý][\w'’.-]*\w\.?(?:,? (?:[Aa]pt|[Aa]partment|[Uu]nit|[Ff]lat|[Ss]uite|[Ss]te|#)\.? ?\w+)?|"
    r"(?<![\w.,$€£/-])\d{1,4}(?: bis| ter)?,? (?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Aa]llée|chemin|impasse|quai|"
    r"cours|route)"
    r" (?:[\w'’-]+\s?){1,4}?)"
)
_NUMBER_LAST = (
    r"(?P<street>(?:\b(?:[A-ZÄÖÜÀ-Ý][\w'’.-]*|de|der|den|del|la|las|los|am|an|im|van|von|zum|zur|di|dei)\s){0,4}"
    r"\b[A-ZÄÖÜÀ-Ý][\w'’-]*\.? \d{1,4} ?(?:[a-zA-Z]\b)?)"
)
_POSTAL = (
    re.compile(rf"{_NUMBER_FIRST},?\s(?:{_TOWN}|(?:[A-Z][\w'’.-]*\s){{0,2}}[A-Z][\w'’.-]*,?\s)?(?P<code>\b{_UK}\b)"),
    re.compile(
        rf"{_NUMBER_FIRST},\s(?:[A-Z][\w'’.-]*\s){{0,2}}[A-Z][\w'’.-]*,?\s"
        r"(?:[A-Z]{2,3}|[A-Z][a-z]+(?= \d{5})),?\s(?P<code>\d{4,5}(?:-\d{4})?)(?![\w.,]?\d)"
    ),
    re.compile(rf"{_NUMBER_FIRST},?\s(?:F-)?(?P<code>\d{{5}})(?=\s[A-ZÀ-Ý][a-zà-ÿ]{{2}})"),
    re.compile(rf"{_NUMBER_LAST},?\s(?:in\s)?(?P<code>(?:DE?-)?\d{{5}})(?=\s[A-ZÄÖÜÀ-Ý]['’\w]{{2}})"),
    re.compile(
        r"(?P<street>\b[A-ZÄÖÜÀ-Ý][\w'’-]*(?:stra(?:ß|ss)e|str\.?|gasse|weg|platz|allee|ring|damm|ufer|straat|gracht|"
        r"laan|"
        r"plein|kade|steig|hof|dijk|singel|vej|gade|gatan|veien) \d{1,4} ?(?:[a-zA-Z]\b)?),?\s(?:in\s)?"
        r"(?P<code>(?:[A-Z]{1,2}-)?\d{4}(?: [A-Z]{2}\b)?)(?=\s[A-ZÄÖÜÀ-Ý]['’\w]{2})"
    ),
)
_TOLD = re.compile(
    r"\bpost(?:al)? ?code|\bzip\b|\bplz\b|\bpostleitzahl|\baddress|\bhouse n|\bwe(?:'re| are) at\b", re.IGNORECASE
)
_UK_CODE = re.compile(rf"(?<![\w-]){_UK}(?![\w-])")
_SIGNS = re.compile(r"\d{4}\s[A-ZÀ-Ý]|[A-Z]{2},? \d{4}|\d ?[A-Z]{2}\b")


def postal_addresses(text: str) -> Iterator[Span]:
    """Street with house number, and postcode, where both stand in one address; a full British postcode that is told."""
    if not _SIGNS.search(text):
        return
    for pattern in _POSTAL:
        for found in pattern.finditer(text):
            yield (*found.span("street"), "address")
            yield (*found.span("code"), "address")
    if _TOLD.search(text):
        yield from ((*m.span(), "address") for m in _UK_CODE.finditer(text))
