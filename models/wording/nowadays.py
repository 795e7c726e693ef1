"""What is so now in the place of what was just told: "we kept goats; now it's just a tortoise" (X3)."""

from __future__ import annotations

import re

from models.claims import Utterance
from models.wording.lists import mentions, wordset
from models.wording.spelling import plain
from models.wording.verbs import is_past, lemma

_GATE = ("now", "these days", "today", "at present")
_NOW_IT_IS = re.compile(
    r"^(?:but |and )?(?:(?:now|nowadays|these days|today|at present),? (?:it is|its|we are down to|I am down to)|"
    r"(?:it is|we are down to|I am down to)(?= .*\b(?:now|nowadays|these days)$)) (?:now |all )*"
    r"(?P<what>(?:(?:just|only|mostly|mainly) )*(?:(?:an?|one|two|three|four|five|six|\d+|the|my|our) |"
    r"(?<=just )|(?<=only )|(?<=mostly )|(?<=mainly ))[\w' -]+?)(?:,? (?:now|nowadays|these days))?[\s.!]*$",
    re.IGNORECASE,
)
_NOT_KEPT = re.compile(
    r"(?:(?:just|only|mostly|mainly) )*(?:the )?"
    r"(?:time|late|too|over|gone|fine|ok|okay|not|your|my turn|a matter|a question|a problem)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?P<who>I|[Ww]e) (?:(?:used to|would) (?P<base>[a-z]+)|(?:always |once |also )?(?P<past>[a-z]+)) (?=[a-z\d])"
)
_OF_HABIT = wordset(
    """
    keep have own breed raise drive ride play drink eat read watch wear grow smoke collect speak teach run use sing
    """
)
_ERA = re.compile(
    r"\b(?:once|back (?:in|then|when)|years?|as (?:a )?(?:kids?|child|children|girls?|boys?)|when (?:I|we)|growing up|"
    r"always)\b",
    re.IGNORECASE,
)


def tells_of_now(text: str) -> bool:
    """Whether a clause only says what there is now, so that what was told before says of what."""
    return mentions(text.lower(), _GATE) and _NOW_IT_IS.match(plain(text)) is not None


def kept_now(words: str, before: str, utterance: Utterance) -> str | None:
    """ "Now it's just a tortoise" after "we kept goats" → "we keep just a tortoise"; None where it is no such thing.

    `words` are the clause's in plain English; `before` is what stands before it in the message, as typed.
    """
    found = _NOW_IT_IS.match(words) if mentions(words.lower(), _GATE) else None
    if found is None or _NOT_KEPT.match(found["what"]):
        return None
    role, last = utterance.context[-1] if utterance.context else ("", "")
    said = plain(before) if before.strip() else plain(last) if role == "user" else ""
    for once in reversed(list(_ONCE.finditer(said))):
        verb = once["base"] or lemma(once["past"])
        happened = once["base"] or (is_past(once["past"]) and (verb != "have" or _ERA.search(said)))
        if verb in _OF_HABIT and happened:
            return f"{once['who'].replace('We', 'we')} {verb} {found['what']}"
    return None
