"""Clauses to readings: one fine-tuned encoder with heads for keep (two), intensity, kind and subject."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from models.inputs import Reader
from models.readings import Reading, Subject
from models.sessions import WEIGHTS, content_hash, open_session
from models.tokens import CLS, PEOPLE, SEP, Tokens, batches_of_one_length, pieces

PIECE_IDS_MAX = 126
CONTEXT_IDS_MAX = 63
SCORE_DIGITS = 4
KEEP, KEEP_AMONG_PEOPLE, INTENSITY, SINGLE = 0, 1, 2, 3


class ClauseReader:
    """The extraction encoder. `version` names weights and labels; predicates are the rules' matter."""

    def __init__(self, directory: Path | None = None, threads: int = 1) -> None:
        folder = directory if directory is not None else WEIGHTS / "extractor"
        files = [folder / name for name in ("model.onnx", "tokenizer.json", "labels.json")]
        self._session = open_session(files[0], threads)
        self._tokens = Tokens(files[1])
        labels: dict[str, Any] = json.loads(files[2].read_text(encoding="utf-8"))
        self.kinds: tuple[str, ...] = tuple(labels["kinds"])
        self.subjects: tuple[str, ...] = tuple(labels["subjects"])
        self._scales = {people: labels[name] for people, name in ((False, "keep"), (True, "keep_among_people"))}
        self.version = f"clauses-l{labels['layers']}-int8-{content_hash(*files)}"

    def read(self, readers: Sequence[Reader]) -> list[Reading]:
        """One reading a clause, in order; equal clauses are read once."""
        unique = list(dict.fromkeys(readers))
        readings = dict(zip(unique, self._readings(unique), strict=True)) if unique else {}
        return [readings[reader] for reader in readers]

    def _readings(self, readers: Sequence[Reader]) -> Iterator[Reading]:
        answers = np.stack(self._answers(readers))
        ends = np.cumsum([SINGLE, len(self.kinds), len(self.subjects)]).tolist()
        kinds, subjects = (answers[:, start:end].argmax(axis=1).tolist() for start, end in pairwise(ends))
        scores = answers[:, :SINGLE].tolist()
        for reader, kind, subject, score in zip(readers, kinds, subjects, scores, strict=True):
            scale = self._scales[reader.among_people]
            yield Reading(
                kind=self.kinds[kind],
                predicate="states",
                subject=cast(Subject, self.subjects[subject]),
                confidence=_probability(scale["slope"] * score[_keep_of(reader)] + scale["offset"]),
                intensity=_probability(score[INTENSITY]),
            )

    def _answers(self, readers: Sequence[Reader]) -> list[NDArray[np.float32]]:
        rows: list[tuple[list[int], int]] = []
        owners: list[int] = []
        clauses = self._tokens.encode([reader.text for reader in readers])
        contexts = self._tokens.encode([reader.context for reader in readers])
        for owner, (clause, context) in enumerate(zip(clauses, contexts, strict=True)):
            for piece in pieces(clause, PIECE_IDS_MAX):
                rows.append(clause_row(piece, context, readers[owner].among_people))
                owners.append(owner)
        outputs: list[NDArray[np.float32] | None] = [None] * len(readers)
        answers = self._run(rows)
        for owner, answer in zip(owners, answers, strict=True):
            best, keep = outputs[owner], _keep_of(readers[owner])
            if best is None or answer[keep] > best[keep]:
                outputs[owner] = answer
        return cast(list[NDArray[np.float32]], outputs)

    def _run(self, rows: Sequence[tuple[list[int], int]]) -> list[NDArray[np.float32]]:
        outputs: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(rows)
        for group in batches_of_one_length([len(ids) for ids, _ in rows]):
            ids = np.array([rows[index][0] for index in group], np.int64)
            places = np.arange(ids.shape[1])[None, :]
            lengths = np.array([rows[index][1] for index in group])[:, None]
            own = (places < lengths).astype(np.float32) / lengths.astype(np.float32)
            feeds = {"input_ids": ids, "token_type_ids": (places >= lengths).astype(np.int64), "own": own}
            for index, answer in zip(group, self._session.run(["answers"], feeds)[0], strict=True):
                outputs[index] = answer
        return outputs


def clause_row(clause: Sequence[int], context: Sequence[int], among_people: bool) -> tuple[list[int], int]:
    """The ids that the encoder reads, and how many of the first are the clause's own."""
    own = [CLS, PEOPLE, *clause, SEP] if among_people else [CLS, *clause, SEP]
    room = CONTEXT_IDS_MAX - len(own)
    return ([*own, *context[-room:], SEP] if context and room > 0 else own), len(own)


def _keep_of(reader: Reader) -> int:
    """The output that says whether this clause is worth keeping: other things are, among people."""
    return KEEP_AMONG_PEOPLE if reader.among_people else KEEP


def _probability(logit: float) -> float:
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, logit)))), SCORE_DIGITS)
