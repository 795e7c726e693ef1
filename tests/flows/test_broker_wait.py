"""A job that starts before its broker waits for it, and can be stopped meanwhile (S6)."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable

import pytest

from flows.broker_wait import awaited
from flows.connectors.kafka_topics import KafkaAway, KafkaProblem


def failing(*errors: Exception) -> tuple[Callable[[float], None], list[float]]:
    """An attempt that ends with one error after the other, then succeeds; and the seconds that each was given."""
    left, given = list(errors), list[float]()

    def attempt(seconds: float) -> None:
        given.append(seconds)
        if left:
            raise left.pop(0)

    return attempt, given


def never() -> bool:
    return False


def test_it_goes_on_when_the_broker_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    attempt, given = failing(*(KafkaAway("Kafka at k:9092 did not answer") for _ in range(4)))
    assert awaited(attempt, never)
    assert given == [10, 20, 40, 60, 60]
    told = capsys.readouterr().err.splitlines()
    assert told == ["factstream: Kafka at k:9092 did not answer; the job waits for it"] * 4


@pytest.mark.parametrize("error", [KafkaProblem("Kafka at k:9092 refuses"), ValueError("a fault")])
def test_what_waiting_does_not_mend_ends_it(error: Exception) -> None:
    attempt, given = failing(KafkaAway("away"), error)
    with pytest.raises(type(error), match=str(error)):
        awaited(attempt, never)
    assert len(given) == 2


def test_it_is_stopped_while_an_attempt_is_under_way() -> None:
    release = threading.Event()
    asked = itertools.count()
    try:
        assert not awaited(lambda seconds: void(release.wait(seconds)), lambda: next(asked) == 2)
        assert next(asked) == 3
    finally:
        release.set()


def void(value: object) -> None:
    """Nothing of it."""
