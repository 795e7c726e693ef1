"""Measure 5: what becomes of a claim that memory holds when another is said, by the updater alone (the verb decide)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

import models
from flows.evaluation.chats import Chat, DataError
from flows.evaluation.figures import Figure, score_of
from flows.evaluation.product import Stored
from flows.job import pair_judge
from models.embedder import Embedder
from models.third_person import triple_of_sentence
from state.decide import decide_table

TARGET = 0.95
COMPATIBLE_PAIRS = 10_000
CONTRADICTIONS = {
    "breaking_nli": "nli_small/breaking_nli.jsonl",
    "negation_mnli": "nli_small/negation_mnli.jsonl",
    "negation_snli": "nli_small/negation_snli.jsonl",
    "prosecco": "prosecco/pairs.jsonl",
}
_RELATIONS = ("same", "refines", "replaces", "negates", "other")
_BY_RULE = {
    "R2.completes": "refines", "R2.stronger": "refines", "R10.refines_date": "refines", "R4.negation": "negates",
    "R4.unsure": "negates", "R2.ended": "negates", "R5.restated": "same", "R5.vaguer": "same",
    "R5.same_message": "same",
}  # fmt: skip
Embed = Callable[[list[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Pair:
    """What memory holds, what is said next, and how the label says it bears on it ("" where there is none)."""

    first: str
    second: str
    label: str = ""


def read_authored(limit: int | None = None) -> list[Pair]:
    """The test part of the authored pairs. Raises DataError."""
    folder = Path(models.__file__).parent / "train" / "pairs"
    rows = [orjson.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.open("rb")]
    if not rows:
        raise DataError(f"{folder}: no authored pairs; run eval pairs from a checkout of the project")
    chosen = [row for row in rows if row["split"] == "test"][:limit]
    return [Pair(row["first"], row["second"], _label(row["relation"])) for row in chosen]


def compatible_pairs(chats: Sequence[Chat], stored: Stored, count: int = COMPATIBLE_PAIRS) -> list[Pair]:
    """Pairs of claims that one speaker made in different messages of one chat, in the order in which they were said."""
    return list(islice(_compatible(chats, stored), count))


def _compatible(chats: Sequence[Chat], stored: Stored) -> Iterable[Pair]:
    for chat in chats:
        said: dict[str, list[tuple[str, str]]] = {}
        for turn, _ in chat.turns():
            said.setdefault(turn[0], []).extend((turn[1], content) for content in stored.contents(turn))
        for claims in said.values():
            for (one, first), (other, second) in combinations(claims, 2):
                if one != other:
                    yield Pair(first, second)


def read_contradictions(chats: Sequence[Chat]) -> list[Pair]:
    """Pairs of sentences that a set of its own calls a contradiction or not."""
    pairs = []
    for chat in chats:
        first, second = (said.text for said in chat.messages)
        label = "contradiction" if chat.gold[0]["label"] == "contradiction" else "compatible"
        pairs.append(Pair(first, second, label))
    return pairs


def decisions(pairs: Sequence[Pair]) -> list[str]:
    """How the updater takes each pair: same, refines, replaces, negates or other."""
    embed = _embed_all(pairs)
    return [_decision(pair, embed) for pair in pairs]


def authored_figures(pairs: Sequence[Pair], taken: Sequence[str]) -> list[Figure]:
    """The share decided as labelled, the same by relation, and what was deleted though both stand."""
    right = Counter(pair.label for pair, found in zip(pairs, taken, strict=True) if found == pair.label)
    labels = Counter(pair.label for pair in pairs)
    data, common = "authored pairs, test part", max(labels.values(), default=0)
    share = sum(right.values()) / max(1, len(pairs))
    found = [Figure(5, data, "decided as labelled", share, len(pairs), common / max(1, len(pairs)), TARGET)]
    for label in _RELATIONS:
        if labels[label]:
            found.append(Figure(5, data, f"decided as labelled: {label}", right[label] / labels[label], labels[label]))
    both = [taken_as for pair, taken_as in zip(pairs, taken, strict=True) if pair.label == "other"]
    return [*found, deletion_figure(data, both)]


def deletion_figure(data: str, taken: Sequence[str]) -> Figure:
    """How many of pairs that both stand lost the first."""
    lost = sum(_is_lost(each) for each in taken)
    return Figure(5, data, "wrong deletions among compatible pairs", lost, len(taken), None, 0.0, at_most=True)


def contradiction_figures(data: str, pairs: Sequence[Pair], taken: Sequence[str]) -> list[Figure]:
    """Contradictions that took the first sentence's place; these sets are not about users, so there is no target."""
    score = score_of([(_is_lost(each), p.label == "contradiction") for p, each in zip(pairs, taken, strict=True)])
    return [
        Figure(5, data, "contradictions, precision", score.precision, score.found),
        Figure(5, data, "contradictions, recall", score.recall, score.wanted),
    ]


def _is_lost(taken: str) -> bool:
    return taken in ("replaces", "negates")


def _label(relation: str) -> str:
    return "other" if relation in ("other_attribute", "compatible") else relation


def _decision(pair: Pair, embed: Embed) -> str:
    held, said = [_row("held", pair.first)], [_row("said", pair.second)]
    rows = decide_table(held, said, embed, triple_of_sentence, judge=pair_judge())
    known = next(row for row in rows if row["id"] == "held")
    if known["rule"] in _BY_RULE:
        return _BY_RULE[known["rule"]]
    return "other" if known["event"] == "NONE" else "replaces"


def _row(ident: str, content: str) -> dict[str, Any]:
    return {"id": ident, "content": content}


def _embed_all(pairs: Sequence[Pair]) -> Embed:
    contents = list(dict.fromkeys(content for pair in pairs for content in (pair.first, pair.second)))
    vectors = dict(zip(contents, Embedder().embed(contents), strict=True)) if contents else {}
    return lambda texts: np.stack([vectors[text] for text in texts])
