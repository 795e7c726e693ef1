"""Word lists as they are written: one string, words apart by white space."""

from __future__ import annotations


def wordset(text: str) -> frozenset[str]:
    """The set of the words in a string."""
    return frozenset(text.split())
