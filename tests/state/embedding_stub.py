"""A deterministic bag of words as an embedding: each word and its first letters are a direction of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from state.facts import Fact
from state.index import DIMENSIONS, encode, similarities

FLOOR = 0.40


def embed(texts: list[str]) -> NDArray[np.float32]:
    """L2-normalised vectors, shape (len(texts), 384); texts of the same words have the same vector."""
    return np.stack([_vector(text) for text in texts])


def code(text: str) -> bytes:
    """The stored form of one text's vector."""
    return encode(embed([text]))[0]


def similar_among(facts: Mapping[str, Fact]) -> Callable[[bytes], dict[str, float]]:
    """The `similar` of a fold: cosines with all facts that the mapping holds when it is called."""

    def similar(query: bytes) -> dict[str, float]:
        held = [fact for fact in facts.values() if fact.embedding]
        cosines = similarities(query, [fact.embedding for fact in held]) if held else []
        return {fact.fact_id: cosine for fact, cosine in zip(held, cosines, strict=True) if cosine >= FLOOR}

    return similar


@lru_cache(maxsize=4096)
def _vector(text: str) -> NDArray[np.float32]:
    total = np.zeros(DIMENSIONS, np.float32)
    for word in re.findall(r"\w+", text.casefold()):
        for piece in (word, word[:4]):
            seed = int.from_bytes(blake2b(piece.encode(), digest_size=8).digest(), "big")
            total += np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    length = float(np.linalg.norm(total))
    return total / np.float32(length or 1.0)
