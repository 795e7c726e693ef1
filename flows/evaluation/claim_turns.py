"""Measure 1: does a turn yield a stored claim where people found one?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from flows.evaluation.figures import Figure, score_of
from flows.evaluation.labelled import Labelled
from flows.evaluation.product import Stored
from flows.evaluation.text import sentences

TARGETS = {"s1": 0.89, "s2": 0.86, "s3": 0.86, "s4": 0.86}
_FIRST_PERSON = re.compile(r"\b(?:i|im|i'm|i've|my|me|mine|myself|we|our)\b", re.IGNORECASE)


def first_person_rule(text: str) -> bool:
    """The baseline: some sentence names the speaker and is no question."""
    return any(_FIRST_PERSON.search(part) and not part.endswith("?") for part in sentences(text))


def figures(name: str, turns: Sequence[Labelled], stored: Stored) -> list[Figure]:
    """F1 beside the rule's, then precision and recall beside the rule's."""
    ours = score_of([(turn.turn in stored.claims, bool(turn.gold)) for turn in turns])
    rule = score_of([(first_person_rule(turn.said), bool(turn.gold)) for turn in turns])
    data, count = f"msc {name}", len(turns)
    return [
        Figure(1, data, "claim turns, F1", ours.f1, count, rule.f1, TARGETS.get(name)),
        Figure(1, data, "claim turns, precision", ours.precision, count, rule.precision),
        Figure(1, data, "claim turns, recall", ours.recall, count, rule.recall),
    ]
