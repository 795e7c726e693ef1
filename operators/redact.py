"""Redaction (P2): secrets, financial and government identifiers and contact data leave a text before anything sees it.

Each detector stands behind a cheap test (a digit, an "@", a telling word), because almost no message holds any of
these. Names, birthdays, cities, occupations, time zones, dates, prices and order numbers stay. Each finding becomes
"[redacted:KIND]". The detectors are in operators.redact_secrets,
_numbers, _national, _told, _contacts, _postal, _network and _spoken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from operators import (
    redact_contacts,
    redact_network,
    redact_numbers,
    redact_postal,
    redact_secrets,
    redact_spoken,
    redact_told,
)

KINDS = (
    "wallet", "secret", "payment_card", "iban", "bank_account", "national_id", "vehicle", "member_id",
    "network_address", "email", "phone", "handle", "address", "nested",
)  # fmt: skip
"""What a placeholder may name; where findings overlap, the first in this order gives the name."""

PASSES_MAX = 4
_DIGIT = re.compile(r"[0-9]")
_ANY_DIGIT = re.compile(r"\d")
_LONG_TOKEN = re.compile(r"[!-~]{16}")
_PRIORITY = {kind: index for index, kind in enumerate(KINDS)}

_PLACEHOLDER = re.compile(r"\[redacted:\w+\]")
_TELLS_PLACEHOLDER = re.compile(r"(?:\b(?:is|are|was|to|as)|[:=])\s*(?:\[redacted:\w+\](?:\s*(?:[,.;!]|and|or)*\s*))+$")
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_EMPTY_WORDS = frozenset(
    (
        "a", "an", "and", "are", "at", "has", "have", "her", "his", "i", "in", "is", "it", "its", "me", "mine", "my",
        "of", "on", "our", "the", "their", "this", "to", "user", "user's", "was", "with",
    )
)  # fmt: skip
_LEFT_MIN = 2

Span = tuple[int, int, str]


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without what P2 names, and the kind of each piece that was replaced.

    A pass over the redacted text follows each that found something, so that redacting once more changes nothing.
    """
    kinds: tuple[str, ...] = ()
    for _ in range(PASSES_MAX):
        spans = _found(text)
        if not spans:
            break
        spans.sort()
        pieces: list[str] = []
        done = 0
        for start, end, kind in _merged(spans):
            pieces += text[done:start], placeholder(kind)
            kinds += (kind,)
            done = end
        text = "".join((*pieces, text[done:]))
    return text, kinds


def redact_slot(name: str, value: str) -> tuple[str, tuple[str, ...]]:
    """The same for a named value, where the name alone may tell: {"password": "swordfish"}."""
    if redact_secrets.SLOT.search(name) and value.strip() and not value.startswith("[redacted:"):
        return placeholder("secret"), ("secret",)
    return redact(value)


def is_secret_slot(name: str) -> bool:
    """Whether a value with this name is a secret or contact data whatever it looks like."""
    return redact_secrets.SLOT.search(name) is not None


def placeholder(kind: str) -> str:
    """What stands where something of that kind stood."""
    return f"[redacted:{kind}]"


def says_nothing_else(text: str) -> bool:
    """Whether a text says nothing but what was taken out of it ("User's pin is [redacted:secret]"), or nothing at all
    ("…", an emoji): in no script is there a letter or digit.
    """
    if "[redacted:" not in text:
        return _WORDS.search(text) is None
    if _TELLS_PLACEHOLDER.search(text):
        return True
    left = _WORDS.findall(_PLACEHOLDER.sub(" ", text).lower())
    return sum(word not in _EMPTY_WORDS for word in left) < _LEFT_MIN


def _found(text: str) -> list[Span]:
    lowered = text.lower()
    spans = _written(text, lowered)
    if redact_spoken.may_be_spoken(lowered):
        spans += redact_spoken.spoken(text, lowered, _written)
    return spans


def _written(text: str, lowered: str) -> list[Span]:
    spans: list[Span] = []
    plain = text.isascii()
    has_digit = (_DIGIT if plain else _ANY_DIGIT).search(text) is not None
    if redact_secrets.is_told(lowered, plain):
        spans += redact_secrets.told(text, has_digit, lowered if plain else None)
    if "://" in text or "----" in text or ((has_digit or "_" in text) and _LONG_TOKEN.search(text)):
        spans += redact_secrets.tokens(text)
    if "@" in text or "dot" in lowered or "at)" in lowered or "at]" in lowered or "at}" in lowered:
        spans += redact_contacts.emails(text)
    if " dot " in lowered or " punkt " in lowered or " punto " in lowered or "arobase" in lowered:
        spans += redact_spoken.spoken_emails(text)
    if "@" in text or "my " in lowered or " me " in lowered or "mein" in lowered or "username" in lowered:
        spans += redact_network.handles(text, lowered)
    if has_digit:
        digits = redact_numbers.count_digits(text, plain)
        if digits >= 4:
            spans += redact_network.machines(text)
            spans += redact_numbers.identifiers(text, lowered, digits)
        if digits >= 3:
            spans += redact_postal.postal_addresses(text)
            spans += redact_told.told_numbers(text, lowered)
        if digits >= 6:
            spans += redact_told.vehicles(text)
        if digits >= 7:
            spans += redact_contacts.phones(text, lowered)
        spans += redact_contacts.addresses(text, lowered)
    return spans


def _merged(spans: list[Span]) -> Iterator[Span]:
    """Spans without overlaps: those that overlap become one."""
    start, end, kind = spans[0]
    for next_start, next_end, next_kind in spans[1:]:
        if next_start >= end:
            yield start, end, kind
            start, end, kind = next_start, next_end, next_kind
        else:
            end, kind = max(end, next_end), min(kind, next_kind, key=_PRIORITY.__getitem__)
    yield start, end, kind
