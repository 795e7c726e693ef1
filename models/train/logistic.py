"""Ridge logistic regression on shares, for heads that are fitted alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RIDGE = 100.0
STEPS = 25
Array = NDArray[np.float64]


def fitted(rows: Array, wanted: Array, weights: Array) -> tuple[Array, float]:
    """Weights and bias of the ridge logistic regression of `wanted` (shares) on `rows`; its one optimum, by Newton."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    design = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    ridge = np.r_[np.full(rows.shape[1], RIDGE), 1e-6]
    theta = np.zeros(design.shape[1])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-design @ theta))
        gradient = design.T @ (weights * (share - wanted)) + ridge * theta
        curve = (design * (weights * share * (1 - share))[:, None]).T @ design + np.diag(ridge)
        change = np.linalg.solve(curve, gradient)
        theta -= change
        if np.abs(change).max() < 1e-9:
            break
    slopes = theta[:-1] / spread
    return slopes, float(theta[-1] - slopes @ mean)
