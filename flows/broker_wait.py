"""A job that starts before its broker waits for it, and hears a signal meanwhile (S6)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait

from flows.connectors.kafka_topics import KafkaAway
from flows.logs import tell

_FIRST_SECONDS = 10.0
_SECONDS_MAX = 60.0
_POLL_SECONDS = 0.1


def awaited(
    attempt: Callable[[float], None], stopped: Callable[[], bool], first_seconds: float = _FIRST_SECONDS
) -> bool:
    """Attempts something with the broker until it succeeds, which is True; False as soon as `stopped`.

    `attempt` gets the seconds in which to be answered, twice as many each time, at most a minute: meanwhile its client
    connects again and again by itself, so that it goes on as soon as the broker is there. Raises what it raises, but
    for KafkaAway, which is told.
    """
    seconds = first_seconds
    while True:
        done: Future[None] = Future()
        # A thread of its own, for a call into the client hears no signal; one that is given up ends with the process.
        threading.Thread(target=_settle, args=(done, attempt, seconds), daemon=True).start()
        while not done.done():
            if stopped():
                return False
            wait([done], _POLL_SECONDS)
        try:
            done.result()
            return True
        except KafkaAway as error:
            seconds = min(_SECONDS_MAX, 2 * seconds)
            tell(f"{error}; the job waits for it", logging.WARNING)


def _settle(done: Future[None], attempt: Callable[[float], None], seconds: float) -> None:
    try:
        attempt(seconds)
    except BaseException as error:  # whatever it is, it is raised where it is waited for
        done.set_exception(error)
    else:
        done.set_result(None)
