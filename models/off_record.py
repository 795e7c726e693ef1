"""What a user says that is not for memory: "off the record, …", "don't save this", "don't remember that" (P4)."""

from __future__ import annotations

import re
from typing import Literal

from models import masks
from models.wording.lists import mentions

Scope = Literal["message", "before"]

_GATE = (
    "record",
    "remember",
    "forget",
    "save",
    "store",
    "keep",
    "memor",
    "between",
    "confiden",
    "log",
    "note",
    "write",
    "without",
)
_KEEP = r"(?:remember|save|store|keep|record|memori[sz]e|log|note|retain|write down|put)"
_NOT = (
    r"(?:(?:please |pls |but |and |so |just |oh |also )*(?:do not|don'?t|dont|never)|"
    r"(?:you )?(?:should|must)(?: not|n'?t)|you (?:don'?t|do not) (?:have|need) to)"
)
_START = r"(?:^|(?<=[.!?;,\n–—-])\s*|\b(?:please|so|and|but|ok|okay),? )"
_SAID = r"(?:said|told you|mentioned|wrote)"
_MEMORY = r"(?:your|the) (?:memory|records?|notes)"
_THIS = (
    r"(?:this|any of (?:this|it)|what i(?:'m| am) (?:about to say|going to (?:say|tell)|saying|telling)|"
    r"the following|(?:this|my) (?:message|chat|conversation)|anything (?:i say|from this))"
)
_THAT = rf"(?:that|it|what i (?:just )?{_SAID}|(?:the|my) (?:last|previous) (?:message|thing|part))"
_END = r"\s*(?=[.!?,;]|$)"
_MESSAGE = re.compile(
    rf"(?:^|(?<=[.!?;,(\n]) ?|\b(?:this|that|it)(?:'s| is) |\bstrictly )off the record\b|"
    rf"{_START}{_NOT} {_KEEP} {_THIS}|"
    r"\bthis (?:is|stays|remains) (?:strictly )?(?:confidential|private|between us)\b|"
    r"\b(?:just )?between (?:you and me|us two|the two of us)\s*[,:]|"
    rf"\bnot for {_MEMORY}\b|"
    r"\bwithout (?:saving|storing|remembering|recording) (?:this|it)\b|"
    rf"\bkeep (?:this|it) (?:out of|off) {_MEMORY}\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"{_START}{_NOT} {_KEEP} {_THAT}(?: (?:part|one|bit))?(?: (?:down|in {_MEMORY}|for later|please|ok|okay))*{_END}|"
    rf"{_START}(?:please |just |ok |oh |actually |no |wait )*(?:forget|unremember) (?:that )?"
    rf"(?:i (?:ever )?{_SAID}(?: (?:that|it|this|anything|so))?|what i (?:just )?{_SAID}){_END}|"
    rf"\b(?:scratch|strike|delete|remove|drop) that from {_MEMORY}\b",
    re.IGNORECASE,
)


def off_record(text: str) -> Scope | None:
    """Whether a message says that memory must not keep it: "message" where it speaks of itself, "before" of what was
    just said, which may be earlier in the message itself. None for "I don't remember that" and for quoted words.
    """
    lowered = text.lower()
    if not mentions(lowered, _GATE):
        return None
    straight = text.replace("’", "'")
    for scope, pattern in (("message", _MESSAGE), ("before", _BEFORE)):
        for found in pattern.finditer(straight):
            if not masks.overlaps(masks.masked_spans(text), *found.span()):
                return scope  # type: ignore[return-value]  # the pairs above name the two scopes
    return None
