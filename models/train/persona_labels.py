"""Weak labels: a clause in a persona chat that says what a sentence of its speaker's persona says is worth keeping.

Words are compared, not meanings, and only close likeness counts; nothing is concluded from its absence, since people
tell more of themselves than their persona holds. Conversations that were labelled by hand are left out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from models.inputs import reader
from models.train.chats import Turn, persona_turns
from models.train.examples import Example, kept_clauses, part_of
from models.wording.lists import wordset

SETS = ("xpersona", "synthetic")
WEAK_WEIGHT = 0.5
SHARE = 0.35
LIKENESS_MIN = 0.6
TOKENS_MIN = 2

_WORD = re.compile(r"[a-z0-9]+")
_STOP = wordset(
    """
    a an the and or of to in on at for with is are was were be been am it that this have has had do does did i im ive
    my me mine myself m s ve re d ll t so too very really also just as but we our
    """
)
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s)$")


def weak_examples(data: Path, labelled: frozenset[tuple[str, str]]) -> Iterator[Example]:
    """Positive clauses of a fixed share of the conversations that are for training and not in `labelled`."""
    for source in SETS:
        for turn in persona_turns(data, source):
            if (source, turn.conversation) in labelled or part_of(turn.conversation) != "train":
                continue
            if turn.persona and _chosen(turn.conversation):
                yield from _of_turn(turn)


def _of_turn(turn: Turn) -> Iterator[Example]:
    persona = [content_tokens(sentence) for sentence in turn.persona]
    for clause in kept_clauses(turn.text, turn.previous):
        said = content_tokens(clause.text)
        if any(likeness(said, sentence) >= LIKENESS_MIN for sentence in persona):
            read = reader(turn.text, clause.start, clause.end, turn.previous)
            yield Example(read, 1.0, WEAK_WEIGHT, "personas", "train")


def content_tokens(text: str) -> frozenset[str]:
    """Words that carry content, without their endings."""
    words = _WORD.findall(text.casefold())
    return frozenset(_ENDING.sub("", word) for word in words if word not in _STOP)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Token F1 of two sets; 0 where they share fewer than two tokens, which is too little to tell by."""
    shared = len(one & other)
    return 2 * shared / (len(one) + len(other)) if shared >= TOKENS_MIN else 0.0


def _chosen(conversation: str) -> bool:
    number = hashlib.blake2b(conversation.encode(), digest_size=2, salt=b"weak").digest()
    return int.from_bytes(number, "big") / 65536 < SHARE
