"""Words that settle what the encoder can only guess: a standing order, and a correction of what was just said."""

from __future__ import annotations

import re

from models.wording.lists import mentions

CUED_CONFIDENCE_MIN = 0.85

_STANDING = re.compile(
    r"\b(?:from now on|from here on|in (?:the )?future|going forward|always|never|any ?more|any ?time|whenever|"
    r"by default|every time|each time)\b"
    r"|(?:\b(?:not|dont|no)\b|n['’]t\b).*\bagain\b",
    re.IGNORECASE,
)
_STANDING_GATE = (
    "now on", "here on", "future", "forward", "always", "never", "any", "whenever", "default", " time", "again",
)  # fmt: skip
_CORRECTS = re.compile(
    r"^(?:(?:sorry|oops|no|wait|correction|actually)\b.*\d|(?:i (?:mean|meant)|make that)\b)|\bi mean(?:t)?\W*$",
    re.IGNORECASE,
)
_CORRECTING = ("sorry", "oops", "no", "wait", "correction", "actually", "make that")


def is_standing(text: str) -> bool:
    """Whether an instruction says that it is meant to last ("from now on", "never … again")."""
    return mentions(text.lower(), _STANDING_GATE) and _STANDING.search(text) is not None


def corrects(text: str) -> bool:
    """Whether a clause puts right what was said just before ("sorry, 950 I mean")."""
    lowered = text.strip().lower()
    may = "mean" in lowered or lowered.startswith(_CORRECTING)
    return may and _CORRECTS.search(text.strip()) is not None
