"""The pair judge's promises: what it says of plain pairs, and the same answer alone or in any company (R7, T7)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.judge import Judgement, PairJudge, pair_rows
from models.sessions import WEIGHTS
from models.tokens import SEP, Tokens

PAIRS = [
    ("User owns a kayak", "User has a kayak"),
    ("User owns a kayak", "User owns a red kayak made of wood"),
    ("User owns a kayak", "User sold the kayak"),
    ("User owns a kayak", "User's uncle owns a kayak"),
    ("User owns a kayak", "User owns a loom"),
    ("User lives in Bergen", "User moved from Bergen to Ghent"),
    ("User lives in Bergen", "User works in Bergen"),
    ("User's name is Zoë", "User is called Zoë"),
    ("User likes brass bands", "User no longer likes brass bands"),
    ("", "User owns a kayak"),
    ("User owns a kayak", "User has been restoring old valve radios in a shed behind the house since 2019"),
]


@pytest.fixture(scope="module")
def judge() -> PairJudge:
    return PairJudge()


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("User owns a kayak", "User has a kayak", "same"),
        ("User owns a kayak", "User owns a red kayak", "refines"),
        ("User owns a kayak", "User sold the kayak", "negates"),
        ("User owns a kayak", "User's uncle owns a kayak", "other"),
        ("User owns a kayak", "User owns a loom", "other"),
        ("User lives in Bergen", "User moved from Bergen to Ghent", "replaces"),
        ("User is 41 years old", "User is 42 years old", "replaces"),
        ("User likes brass bands", "User no longer likes brass bands", "replaces"),
        ("User drinks tea", "User collects stamps from Norway", "other"),
    ],
)
def test_plain_pairs_are_judged_as_anybody_would(judge: PairJudge, first: str, second: str, relation: str) -> None:
    """R2 to R7: one pair of each kind, of words that the judge did not learn together."""
    assert judge.judge([(first, second)])[0].relation == relation


def test_a_pair_has_the_same_answer_in_any_batch_and_order(judge: PairJudge) -> None:
    """T7: bitwise, so that what else was said in an activation cannot change a decision."""
    alone = np.concatenate([judge.logits([pair]) for pair in PAIRS])
    many = PAIRS * 5
    for order in (
        list(range(len(many))),
        list(reversed(range(len(many)))),
        sorted(range(len(many)), key=lambda i: i % 7),
    ):
        together = judge.logits([many[index] for index in order])
        assert np.array_equal(together, alone[[index % len(PAIRS) for index in order]])


def test_answers_come_in_order_and_equal_pairs_are_read_once(judge: PairJudge) -> None:
    one, two = PAIRS[0], PAIRS[2]
    first, second, third = judge.judge([one, two, one])
    assert first == third == judge.judge([one])[0]
    assert second == judge.judge([two])[0] != first


def test_a_probability_is_one_of_five_and_rounded(judge: PairJudge) -> None:
    for judged in judge.judge(PAIRS):
        assert isinstance(judged, Judgement)
        assert 0.2 <= judged.probability <= 1.0
        assert judged.probability == round(judged.probability, 4)


def test_a_closing_full_stop_means_nothing(judge: PairJudge) -> None:
    assert judge.judge([("User owns a kayak.", "User sold the kayak.")]) == judge.judge([PAIRS[2]])


def test_no_pairs_need_no_model(judge: PairJudge) -> None:
    assert PairJudge().judge([]) == []


def test_a_claim_of_any_length_is_judged(judge: PairJudge) -> None:
    """X13: nothing breaks on a long sentence."""
    long = "User owns a kayak " + "and a boat with a sail " * 90
    assert judge.judge([(long, long)])[0].relation in ("same", "refines", "replaces", "negates", "other")


def test_words_that_stand_in_both_sentences_are_marked() -> None:
    tokens = Tokens(WEIGHTS / "embedder" / "tokenizer.json")
    ids, marks = pair_rows(tokens, [("user owns boats", "user sold boats")])[0]
    assert marks == [0, 2, 0, 2, 0, 3, 1, 3, 1]
    assert ids.count(SEP) == 2


def test_the_version_names_layers_and_files(judge: PairJudge) -> None:
    """Q6, R13: judgements of two versions are told apart."""
    assert judge.version.startswith("pairs-l")
    assert "-int8-" in judge.version


def test_missing_weights_are_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make train"):
        PairJudge(tmp_path)
