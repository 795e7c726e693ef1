"""Word lists as they are written: one string, words apart by white space."""

from __future__ import annotations


def wordset(text: str) -> frozenset[str]:
    """The set of the words in a string."""
    return frozenset(text.split())


def mentions(lowered: str, parts: tuple[str, ...]) -> bool:
    """Whether lower-case text holds any of the parts: a microsecond's test before a search that costs twenty."""
    for part in parts:  # noqa: SIM110 - any() over a generator takes twice as long
        if part in lowered:
            return True
    return False
