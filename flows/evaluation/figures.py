"""One measured number beside what a simple baseline gets and what is aimed at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` was measured over `count` cases (turns, claims, pairs, as `name` says) of the set `data`.

    `baseline` comes from the same run, None where no simple rule does the task. `at_most`: smaller is better.
    """

    measure: int
    data: str
    name: str
    value: float
    count: int
    baseline: float | None = None
    target: float | None = None
    at_most: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target is reached at the digits shown; None without one."""
        if self.target is None:
            return None
        value = round(self.value, 3)
        return value <= self.target if self.at_most else value >= self.target


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 of `hits` among `found` and `wanted`; 0 where nothing is there to divide by."""

    hits: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        """Share of what was found that was wanted."""
        return self.hits / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Share of what was wanted that was found."""
        return self.hits / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        return 2 * self.hits / (self.found + self.wanted) if self.found + self.wanted else 0.0


def score_of(decisions: Sequence[tuple[bool, bool]]) -> Score:
    """The score of (found, wanted) decisions."""
    return Score(
        sum(found and wanted for found, wanted in decisions),
        sum(found for found, _ in decisions),
        sum(wanted for _, wanted in decisions),
    )


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
