"""The embedder's promises: unit length, nothing truncated, the same vector alone or in any company (T7)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.embedder import Embedder
from models.sessions import content_hash
from models.tokens import batches_of_one_length, pieces

SENTENCES = [
    "User lives in Seattle.",
    "User has two ferrets called Pip and Nim.",
    "User is allergic to peanuts.",
    "User works nights as a nurse in Leeds and restores old valve radios in the spare time.",
    "User enjoys climbing.",
    "User dislikes open offices.",
    "User plays the cello.",
    "Zoë is User's partner 🚗.",
    "",
    "Emma lives in Munich.",
    "User owns a boat called Petrel.",
    "User does not drink alcohol.",
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder()


def test_rows_are_unit_length_and_in_order(embedder: Embedder) -> None:
    vectors = embedder.embed(SENTENCES)
    assert vectors.shape == (len(SENTENCES), embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-6)


def test_a_sentence_has_the_same_vector_in_any_batch_and_order(embedder: Embedder) -> None:
    """T7: bitwise, so that windows cut elsewhere cannot change what is stored."""
    alone = np.concatenate([embedder.embed([sentence]) for sentence in SENTENCES])
    many = SENTENCES * 5
    count = len(many)
    for order in (list(range(count)), list(reversed(range(count))), sorted(range(count), key=lambda i: i % 7)):
        together = embedder.embed([many[index] for index in order])
        assert np.array_equal(together, alone[[index % len(SENTENCES) for index in order]])


def test_meaning_orders_the_cosines(embedder: Embedder) -> None:
    sentences = ["User lives in Berlin.", "The user's home is in Berlin.", "User collects stamps."]
    home, same, other = embedder.embed(sentences)
    assert home @ same > 0.7 > 0.5 > home @ other


def test_the_end_of_a_long_text_counts(embedder: Embedder) -> None:
    """X13: longer than the model's window, and nothing is dropped."""
    long = "The weather was mild and the road was empty. " * 60
    vectors = embedder.embed([long + "I am allergic to penicillin.", long + "I collect vinyl records."])
    assert float(vectors[0] @ vectors[1]) < 0.9999
    assert np.linalg.norm(vectors[0]) == pytest.approx(1.0, abs=1e-6)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_the_version_names_the_weights(embedder: Embedder) -> None:
    """Q6: vectors of two models are never compared."""
    assert embedder.version.startswith("minilm-l6-int8-")
    assert len(embedder.version.rsplit("-", 1)[1]) == 8


def test_other_bytes_are_another_version(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b").write_bytes(b"two")
    assert content_hash(tmp_path / "a") != content_hash(tmp_path / "b")


def test_pieces_lose_and_repeat_nothing() -> None:
    ids = list(range(1001))
    parts = pieces(ids, 254)
    assert [number for part in parts for number in part] == ids
    assert max(map(len, parts)) <= 254
    assert pieces([], 254) == [[]]


def test_batches_hold_one_length_and_every_index_once() -> None:
    lengths = [3, 5, 3, 3, 9, 5, 3]
    groups = list(batches_of_one_length(lengths, rows_max=2))
    assert sorted(index for group in groups for index in group) == list(range(len(lengths)))
    assert all(len({lengths[index] for index in group}) == 1 and len(group) <= 2 for group in groups)


def test_missing_weights_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="models/weights"):
        Embedder(tmp_path)
