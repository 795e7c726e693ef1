"""Words that settle what the encoder can only guess: a standing order, and a correction of what was just said."""

from __future__ import annotations

import re

CUED_CONFIDENCE_MIN = 0.85

_STANDING = re.compile(
    r"\b(?:from now on|from here on|in (?:the )?future|going forward|always|never|any ?more|any ?time|whenever|"
    r"by default|every time|each time|again)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^(?:(?:sorry|oops|no|wait|correction|actually)\b.*\d|(?:i (?:mean|meant)|make that)\b)|\bi mean(?:t)?\W*$",
    re.IGNORECASE,
)


def is_standing(text: str) -> bool:
    """Whether an instruction says that it is meant to last ("from now on", "never … again")."""
    return _STANDING.search(text) is not None


def corrects(text: str) -> bool:
    """Whether a clause puts right what was said just before ("sorry, 950 I mean")."""
    return _CORRECTS.search(text.strip()) is not None
