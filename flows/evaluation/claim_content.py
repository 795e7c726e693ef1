"""Measure 2: does a turn's stored claim say what people wrote of the turn?"""

from __future__ import annotations

from collections.abc import Sequence

from flows.evaluation.assignment import match_count
from flows.evaluation.figures import Figure, Score, mean
from flows.evaluation.labelled import Labelled
from flows.evaluation.product import Stored
from flows.evaluation.text import same_claim, sentences, token_f1

TARGETS = {"s1": 0.51, "s2": 0.41, "s3": 0.37, "s4": 0.39}


def content_score(pairs: Sequence[tuple[Sequence[str], str]]) -> Score:
    """Stored sentences against gold sentences, one to one within each turn; over all turns together."""
    hits = found = wanted = 0
    for contents, gold in pairs:
        parts = sentences(gold)
        hits += match_count([[same_claim(said, part) for part in parts] for said in contents])
        found, wanted = found + len(contents), wanted + len(parts)
    return Score(hits, found, wanted)


def figures(name: str, turns: Sequence[Labelled], stored: Stored) -> list[Figure]:
    """Mean token F1 over turns with claims, then P, R, F1 of matched sentences; the baseline copies the turn."""
    claimed = [turn for turn in turns if turn.gold]
    pairs = [(stored.contents(turn.turn), turn.gold) for turn in turns]
    copies = [(sentences(turn.said), turn.gold) for turn in turns]
    ours, copied = content_score(pairs), content_score(copies)
    tokens = mean([token_f1(" ".join(stored.contents(turn.turn)), turn.gold) for turn in claimed])
    copied_tokens = mean([token_f1(turn.said, turn.gold) for turn in claimed])
    data = f"msc {name}"
    return [
        Figure(2, data, "claim content, mean token F1", tokens, len(claimed), copied_tokens, TARGETS.get(name)),
        Figure(2, data, "claim content, F1", ours.f1, ours.wanted, copied.f1),
        Figure(2, data, "claim content, precision", ours.precision, ours.found, copied.precision),
        Figure(2, data, "claim content, recall", ours.recall, ours.wanted, copied.recall),
    ]
