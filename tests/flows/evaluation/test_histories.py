"""The authored histories are what the measure says they are, and the same in every run."""

from __future__ import annotations

from collections import Counter

from flows.evaluation.histories import read_histories


def test_there_are_twenty_long_histories_with_four_hundred_questions_of_every_kind() -> None:
    histories = read_histories()
    assert len(histories) == 20
    assert all(len(history.rows) >= 300 for history in histories)
    kinds = Counter(question.kind for history in histories for question in history.questions)
    assert kinds == {"single": 140, "multi": 60, "temporal": 80, "changed": 60, "none": 60}


def test_all_evidence_is_among_the_messages_and_only_unanswerable_questions_have_none() -> None:
    for history in read_histories():
        said = {row["message_id"] for row in history.said}
        for question in history.questions:
            assert said.issuperset((*question.evidence, *question.stale))
            assert bool(question.evidence) == (question.kind != "none")


def test_messages_are_in_order_of_time_and_alike_in_every_run() -> None:
    first, second = read_histories(2), read_histories(2)
    assert first == second
    for history in first:
        times = [row["sent_at"] for row in history.rows]
        assert times == sorted(times)
        assert len({row["message_id"] for row in history.rows}) == len(times)
