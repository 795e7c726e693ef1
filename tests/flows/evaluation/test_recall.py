"""Measure 8 counts as docs/evaluation.md says (Q4)."""

from __future__ import annotations

import pytest

from flows.evaluation.histories import History, Question
from flows.evaluation.recall import Answer, all_words, ask_bm25, bm25, figures, stemmed_words

ASKED = [
    (Question("single", "?", ("a",), ()), Answer(("x", "a"), 0.9)),
    (Question("multi", "?", ("a", "b"), ()), Answer(("a", *"stuvw", "b"), 0.8)),
    (Question("changed", "?", ("a",), ("b",)), Answer(("b", "a"), 0.7)),
    (Question("none", "?", (), ()), Answer(("x",), 0.75)),
]
WORSE = [(question, Answer((), 0.0)) for question, _ in ASKED]


def test_recall_is_the_share_of_the_evidence_among_the_first_messages() -> None:
    found = {figure.name: figure for figure in figures("set", ASKED, [WORSE, ASKED])}
    assert found["evidence recall@5"].value == pytest.approx((1 + 0.5 + 1) / 3)
    assert found["evidence recall@10"].value == 1.0
    assert found["evidence recall@5, multi"].value == 0.5
    assert found["evidence recall@5"].baseline == found["evidence recall@5"].value, "the better baseline counts"
    assert found["evidence recall@5"].target == pytest.approx(found["evidence recall@5"].value + 0.1)


def test_a_past_message_before_the_present_one_counts_against_changed_facts() -> None:
    found = {figure.name: figure for figure in figures("set", ASKED, [WORSE])}
    assert found["changed: what holds comes before what held"].value == 0.0


def test_unanswerable_questions_ought_to_score_below_the_others() -> None:
    found = {figure.name: figure for figure in figures("set", ASKED, [WORSE])}
    assert found["unanswerable scored below answerable (AUC)"].value == pytest.approx(2 / 3)
    assert found["unanswerable scored below answerable (AUC)"].baseline == 0.5


def test_the_baseline_ranks_the_users_own_words() -> None:
    rows = tuple(
        {"message_id": ident, "role": role, "text": text}
        for ident, role, text in (("1", "user", "I love trains"), ("2", "assistant", "trains!"), ("3", "user", "tea"))
    )
    history = History("ana", rows, (Question("single", "which trains?", ("1",), ()),))
    [(_, answer)] = ask_bm25(history, all_words)
    assert answer.message_ids == ("1",)
    assert list(bm25(["a"], [["a", "b"], ["b", "b"]]))[1] == 0.0
    assert stemmed_words("the trains") == ["train"]
