"""The keep heads' fit: one optimum, from wherever; and the chats whose both speakers are read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.train.examples import corpus_examples
from models.train.logistic import fitted


def test_the_fit_finds_the_direction_that_separates() -> None:
    """X12: shares are wanted, not classes, and the scale of a column does not matter."""
    random = np.random.default_rng(7)
    rows = random.normal(size=(4000, 3)) * np.array([1.0, 50.0, 0.02]) + np.array([0.0, 9.0, -3.0])
    wanted = 1 / (1 + np.exp(-2 * rows[:, 0] + 1))
    slopes, bias = fitted(rows, wanted, np.ones(4000))
    assert slopes * rows.std(axis=0) == pytest.approx([1.6, 0.0, 0.0], abs=0.2)
    found = 1 / (1 + np.exp(-(rows @ slopes + bias)))
    assert np.abs(found - wanted).max() < 0.1


def test_a_weight_of_two_is_the_row_twice() -> None:
    random = np.random.default_rng(8)
    rows, wanted = random.normal(size=(50, 2)), random.random(50)
    twice = fitted(np.r_[rows, rows[:10]], np.r_[wanted, wanted[:10]], np.ones(60))
    weighed = fitted(rows, wanted, np.r_[np.full(10, 2.0), np.ones(40)])
    assert weighed[0] == pytest.approx(twice[0], abs=0.02)


def test_both_speakers_of_a_chat_are_read_each_as_the_user(tmp_path: Path) -> None:
    claim = {"text": "I sail", "kind": "fact", "subject": "user", "confidence": 0.95}
    messages = [
        {"role": "user", "text": "Do you have a hobby?", "claims": []},
        {"role": "peer", "text": "I sail on Sundays", "claims": [claim]},
        {"role": "user", "text": "Sundays are busy here.", "claims": []},
    ]
    for name in ("chats_99", "people_99"):
        chat = {"id": f"{name}-001", "split": "train", "sent_at": "2026-01-01T00:00:00Z", "messages": messages}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(chat) + "\n", encoding="utf-8")
    read = [(each.source, each.read.text, each.keep) for each in corpus_examples(tmp_path)]
    assert read == [
        ("chats", "Sundays are busy here.", 0.0),
        ("chats", "I sail on Sundays", 1.0),
        ("people", "Sundays are busy here.", 0.0),
    ]
