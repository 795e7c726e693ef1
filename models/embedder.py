"""Sentences to vectors: all-MiniLM-L6-v2 in 8 bits, the same answer alone or in any company."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.sessions import WEIGHTS, content_hash, open_session
from models.tokens import CLS, SEP, Tokens, batches_of_one_length, pieces

PIECE_IDS_MAX = 254


class Embedder:
    """Unit-length vectors of 384 numbers. `version` names the weights: vectors of two versions never compare (Q6).

    A text longer than the model's window of 256 tokens is cut into pieces whose vectors are averaged by their length;
    nothing is dropped (X13).
    """

    dimensions = 384

    def __init__(self, directory: Path | None = None, threads: int = 1) -> None:
        folder = directory if directory is not None else WEIGHTS / "embedder"
        self._tokens = Tokens(folder / "tokenizer.json")
        self._session = open_session(folder / "model.onnx", threads)
        self.version = f"minilm-l6-int8-{content_hash(folder / 'model.onnx', folder / 'tokenizer.json')}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, in order: float32 (n, 384), each of length 1."""
        rows: list[list[int]] = []
        owners: list[int] = []
        for owner, ids in enumerate(self._tokens.encode(texts)):
            for piece in pieces(ids, PIECE_IDS_MAX):
                rows.append([CLS, *piece, SEP])
                owners.append(owner)
        means = np.empty((len(rows), self.dimensions), np.float32)
        lengths = [len(row) for row in rows]
        for group in batches_of_one_length(lengths):
            batch = np.array([rows[index] for index in group], np.int64)
            means[group] = self._session.run(["mean"], {"input_ids": batch})[0]
        if len(rows) != len(texts):
            means = _averaged(means, owners, lengths, len(texts))
        norms = np.sqrt(np.einsum("ij,ij->i", means, means, dtype=np.float64))
        vectors: NDArray[np.float32] = (means / np.maximum(norms, 1e-12)[:, None]).astype(np.float32)
        return vectors


def _averaged(
    means: NDArray[np.float32], owners: Sequence[int], lengths: Sequence[int], count: int
) -> NDArray[np.float32]:
    total = np.zeros((count, means.shape[1]), np.float64)
    weight = np.zeros(count, np.float64)
    for mean, owner, length in zip(means, owners, lengths, strict=True):
        total[owner] += mean.astype(np.float64) * length
        weight[owner] += length
    return (total / weight[:, None]).astype(np.float32)
