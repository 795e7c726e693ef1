"""Platt scaling of the keep head: the score that means what it says (X12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.train.examples import Example

Array = NDArray[np.float64]
ALONE, AMONG_PEOPLE = "people", "chats"
# What is said to an assistant is meant in more ways than a label tells: one in twelve sure ones turns out otherwise.
DOUBT = {"keep": 0.08, "keep_among_people": 0.0}
RIDGE = 1e-3
START = np.array([1.0, 0.0])


def calibrations(scores: Sequence[float], examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """The scale of the keep score for clauses said to an assistant, and for those said among people.

    `scores` are the uncalibrated probabilities of the weights as shipped, 8 bits and all. Only whole authored
    conversations count, labelled by the guide as it is now: task chats are negative by construction, the corpus's traps
    are there to mislead, clauses that were picked because they are hard stand for nothing but themselves, and the older
    labels of first meetings know less of what is worth keeping.
    """
    ours = [(score, e) for score, e in zip(scores, examples, strict=True) if counts(e)]
    return {
        name: _fitted([(score, _doubted(e.keep, DOUBT[name])) for score, e in ours if e.read.among_people == people])
        for name, people in (("keep", False), ("keep_among_people", True))
    }


def counts(example: Example) -> bool:
    """Whether the scale is fitted on this example."""
    return example.source == (AMONG_PEOPLE if example.read.among_people else ALONE)


def _doubted(keep: float, doubt: float) -> float:
    return doubt + (1 - 2 * doubt) * keep


def _fitted(pairs: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Slope and offset that fit sigmoid(slope * logit + offset) to the labels, by Newton's method.

    A step that makes the fit worse is halved: far from the optimum, Newton's own step overshoots without bound.
    """
    probability = np.clip(np.array([score for score, _ in pairs]), 1e-4, 1 - 1e-4)
    wanted = np.array([keep for _, keep in pairs])
    x = np.log(probability / (1 - probability))
    design = np.stack([x, np.ones_like(x)], axis=1)
    theta = np.array([1.0, 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(design @ theta, -30, 30)))
        gradient = design.T @ (p - wanted) + RIDGE * (theta - START)
        curve = (design * (p * (1 - p))[:, None]).T @ design + RIDGE * np.eye(2)
        change = np.linalg.solve(curve, gradient)
        while np.abs(change).max() > 1e-6 and _misfit(theta - change, design, wanted) > _misfit(theta, design, wanted):
            change = change / 2
        theta = theta - change
    return {"slope": round(float(theta[0]), 4), "offset": round(float(theta[1]), 4)}


def _misfit(theta: Array, design: Array, wanted: Array) -> float:
    """Cross entropy of the scaled scores, with a weak pull towards no change."""
    logits = design @ theta
    return float((np.logaddexp(0, logits) - wanted * logits).sum() + RIDGE / 2 * ((theta - START) ** 2).sum())


def expected_calibration_error(scores: NDArray[np.float64], labels: NDArray[np.float64], bins: int = 10) -> float:
    """Mean distance between score and share of positives over equal-width bins, weighted by their size."""
    edges = np.clip((scores * bins).astype(int), 0, bins - 1)
    error = 0.0
    for index in range(bins):
        inside = edges == index
        if inside.any():
            error += inside.mean() * abs(scores[inside].mean() - labels[inside].mean())
    return float(error)
