"""Pairs of claims to relations: how a newer claim bears on what memory holds of the same user (R2, R4, R7).

A cross-encoder reads both sentences at once; words that stand in both carry a mark, so that few layers suffice to see
what differs. The judge only reads: whether a judgement may change a memory is decided by the rules (state/judging.py).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.sessions import WEIGHTS, content_hash, open_session
from models.tokens import CLS, SEP, Tokens, batches_of_one_length

CLAIM_IDS_MAX = 120
PROBABILITY_DIGITS = 4
OTHER = "other"
_OTHERS = ("other_attribute", "compatible")


class Judgement(NamedTuple):
    """What the second claim does to the first, and how sure the judge is, 0–1, calibrated.

    `relation`: "same", "refines", "replaces", "negates", or "other" where both stand.
    """

    relation: str
    probability: float


class PairJudge:
    """The pair judge. `version` names weights, tokenizer and labels; the session opens with the first pair.

    The tokenizer is the embedder's: both models come from one vocabulary. Of a claim longer than CLAIM_IDS_MAX tokens
    only that many are read.
    """

    def __init__(self, directory: Path | None = None, threads: int = 1, tokenizer: Path | None = None) -> None:
        self._folder = directory if directory is not None else WEIGHTS / "judge"
        self._threads = threads
        self._tokenizer = tokenizer if tokenizer is not None else WEIGHTS / "embedder" / "tokenizer.json"
        path = self._folder / "labels.json"
        if not path.is_file():
            raise FileNotFoundError(
                f"file {path} is missing; it is part of the repository under models/weights: restore it from there, "
                "or make it again with `make train`"
            )
        self._labels: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self.relations: tuple[str, ...] = tuple(self._labels["relations"])

    @cached_property
    def version(self) -> str:
        """Layers, form, and a hash of the files' bytes."""
        files = [self._folder / "model.onnx", self._tokenizer, self._folder / "labels.json"]
        return f"pairs-l{self._labels['layers']}-int8-{content_hash(*files)}"

    @cached_property
    def _session(self) -> Any:
        return open_session(self._folder / "model.onnx", self._threads)

    @cached_property
    def _tokens(self) -> Tokens:
        return Tokens(self._tokenizer)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """One judgement a pair (what memory holds, what was said next), in order; equal pairs are read once."""
        unique = list(dict.fromkeys(pairs))
        if not unique:
            return []
        judged = {
            pair: self._judgement(row)
            for pair, row in zip(unique, self.logits(unique) / self._labels["temperature"], strict=True)
        }
        return [judged[pair] for pair in pairs]

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """The head's outputs before scaling, (pairs, relations): what calibration starts from."""
        rows = pair_rows(self._tokens, pairs)
        outputs = np.empty((len(rows), len(self.relations)), np.float64)
        for group in batches_of_one_length([len(ids) for ids, _ in rows]):
            ids = np.array([rows[index][0] for index in group], np.int64)
            marks = np.array([rows[index][1] for index in group], np.int64)
            own = np.full(ids.shape, 1 / ids.shape[1], np.float32)
            feeds = {"input_ids": ids, "token_type_ids": marks, "own": own}
            outputs[group] = self._session.run(["answers"], feeds)[0]
        return outputs

    def _judgement(self, scaled: NDArray[np.float64]) -> Judgement:
        shares = np.exp(scaled - scaled.max())
        shares /= shares.sum()
        merged: dict[str, float] = {}
        for name, share in zip(self.relations, shares.tolist(), strict=True):
            merged[OTHER if name in _OTHERS else name] = merged.get(OTHER if name in _OTHERS else name, 0.0) + share
        best = max(merged, key=lambda name: (round(merged[name], PROBABILITY_DIGITS), name))
        return Judgement(best, round(merged[best], PROBABILITY_DIGITS))


def pair_rows(tokens: Tokens, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
    """Token ids and marks of each pair. Marks: 0 first, 1 second, 2 first and also in the second, 3 the other way."""
    encoded = tokens.encode([claim.strip().rstrip(".") for pair in pairs for claim in pair])
    return [
        _pair_row(first[:CLAIM_IDS_MAX], second[:CLAIM_IDS_MAX])
        for first, second in zip(encoded[::2], encoded[1::2], strict=True)
    ]


def _pair_row(first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
    held, said = set(first), set(second)
    ids = [CLS, *first, SEP, *second, SEP]
    marks = [0, *(2 if each in said else 0 for each in first), 0, *(3 if each in held else 1 for each in second), 1]
    return ids, marks
