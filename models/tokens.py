"""Text to token ids, and batches of one length: no padding, so that no sentence's answer depends on its neighbours.

WordPiece looks at one word at a time, and people use the same words all the time: what stands between two spaces is
cut once and kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from tokenizers import Tokenizer

CLS, SEP = 101, 102
PEOPLE = 1  # [unused0] of the vocabulary: marks a clause said among people
BATCH_ROWS_MAX = 32
_WORDS_KEPT_MAX = 32_768
_WORD_CHARACTERS_MAX = 32


class Tokens:
    """A WordPiece tokenizer that never truncates."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise FileNotFoundError(
                f"tokenizer file {path} is missing; restore it from the repository's models/weights"
            )
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._known: dict[str, list[int]] = {}

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Each text's ids, without the marks that open and close a sentence."""
        known, split = self._known, [text.split(" ") for text in texts]
        new = list(dict.fromkeys(word for words in split for word in words if word not in known))
        known.update(zip(new, self._encoded(new), strict=True))
        ids = [[one for word in words for one in known[word]] for words in split]
        for word in new:
            if len(word) > _WORD_CHARACTERS_MAX:
                del known[word]
        if len(known) > _WORDS_KEPT_MAX:
            known.clear()
        return ids

    def _encoded(self, texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


def pieces(ids: Sequence[int], piece_ids_max: int) -> list[list[int]]:
    """`ids` cut into the fewest pieces of nearly equal length; at least one piece, and every id in exactly one."""
    count = max(1, -(-len(ids) // piece_ids_max))
    edges = [len(ids) * part // count for part in range(count + 1)]
    return [list(ids[start:end]) for start, end in pairwise(edges)]


def batches_of_one_length(lengths: Sequence[int], rows_max: int = BATCH_ROWS_MAX) -> Iterator[list[int]]:
    """Indices grouped so that all in a group have the same length; at most `rows_max` a group."""
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and end - start < rows_max and lengths[order[end]] == lengths[order[start]]:
            end += 1
        yield order[start:end]
        start = end
