"""The scale of the keep score must be found wherever the fit starts from (X12)."""

from __future__ import annotations

import numpy as np
import pytest

from models.inputs import Reader
from models.train.calibration import DOUBT, calibrations, expected_calibration_error
from models.train.examples import Example


def examples(keeps: list[float]) -> list[Example]:
    people = [Example(Reader(str(at), "", True), keep, 1.0, "chats", "dev") for at, keep in enumerate(keeps)]
    alone = [Example(Reader(str(at), "", False), keep, 1.0, "people", "dev") for at, keep in enumerate(keeps)]
    return [*people, *alone]


@pytest.mark.parametrize("steepness", [0.5, 1.0, 3.0, 8.0])
def test_overconfident_scores_are_brought_back(steepness: float) -> None:
    """X12: Newton's own step runs away on scores that are nearly all 0 or 1; the damped one does not."""
    logits = np.linspace(-4, 4, 400)
    truth = 1 / (1 + np.exp(-logits))
    keeps = [float((at * 7919) % 400 / 400 < share) for at, share in enumerate(truth)]
    scores = list(1 / (1 + np.exp(-np.clip(steepness * logits, -9, 9))))
    for name, scale in calibrations(scores * 2, examples(keeps)).items():
        wanted = DOUBT[name] + (1 - 2 * DOUBT[name]) * np.array(keeps)
        assert 0.05 < scale["slope"] < 4
        p = np.clip(scores, 1e-4, 1 - 1e-4)
        scaled = 1 / (1 + np.exp(-(scale["slope"] * np.log(p / (1 - p)) + scale["offset"])))
        assert expected_calibration_error(scaled, wanted) <= 0.08


def test_a_score_that_means_what_it_says_has_no_error() -> None:
    scores = np.array([0.25] * 4 + [0.75] * 4)
    labels = np.array([1.0, 0, 0, 0, 1, 1, 1, 0])
    assert expected_calibration_error(scores, labels) == pytest.approx(0.0)
