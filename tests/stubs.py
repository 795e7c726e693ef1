"""Stand-ins for the models where a test is about the stream and the store: cheap, deterministic, and honest in form.

`StubExtractor` reads messages of the form "I like tea." by a handful of patterns; `StubEmbedder` hashes words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from models.claims import Claim, Extraction, MemoryRequest, Utterance

_PATTERNS = (
    (re.compile(r"\bI live in (\w+)"), "lives_in", "User lives in {}", "fact"),
    (re.compile(r"\bI like (\w+)"), "likes", "User likes {}", "opinion"),
    (re.compile(r"\bI have a (\w+)"), "has_pet", "User has a {}", "fact"),
    (re.compile(r"\balways (\w+)"), "instructs", "Assistant should always {}", "procedure"),
)


class StubExtractor:
    version = "stub-extractor-1"

    def extract(self, utterances: Sequence[Utterance]) -> list[Extraction]:
        return [self._one(utterance) for utterance in utterances]

    def _one(self, utterance: Utterance) -> Extraction:
        if utterance.role != "user":
            return Extraction()
        if found := re.search(r"\bforget that (.+)", utterance.text):
            return Extraction(request=MemoryRequest("forget", found[1], found.start(1), found.end(1)))
        claims = [
            Claim(kind, (), "user", name, m[1], True, form.format(m[1]), 0.9, 0.5, "en", m.start(), m.end())
            for pattern, name, form, kind in _PATTERNS
            for m in pattern.finditer(utterance.text)
        ]
        return Extraction(tuple(claims), () if claims else ("nothing",))


class StubEmbedder:
    version = "stub-embedder-1"
    dimensions = 384

    def embed(self, texts: list[str]) -> Any:
        rows = np.zeros((len(texts), 384), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.casefold()):
                digest = blake2b(word.encode(), digest_size=32).digest()
                signs = np.unpackbits(np.frombuffer(digest * 2, np.uint8))[:384].astype(np.float32)
                row += np.where(signs > 0, 1.0, -1.0)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(norms == 0, 1, norms)


def asks_memory(text: str) -> bool:
    return "forget that" in text
