"""The one-to-one matching with the most pairs."""

from __future__ import annotations

from collections.abc import Sequence


def match_count(scores: Sequence[Sequence[bool]]) -> int:
    """The most rows that can each be given a column of their own among those marked true, by augmenting paths.

    With pairs that count alike this is what the Hungarian method finds (Kuhn 1955), exactly and at any size.
    """
    owner: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, fits in enumerate(scores[row]):
            if fits and column not in tried:
                tried.add(column)
                if column not in owner or place(owner[column], tried):
                    owner[column] = row
                    return True
        return False

    return sum(place(row, set()) for row in range(len(scores)))
