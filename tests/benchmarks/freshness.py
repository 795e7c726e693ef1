"""How soon what is said to the live job on Kafka shows in recall, and how soon what is forgotten does not (Q3).

From handing a command to the producer until a reader beside the job sees its effect: broker, polling, models, memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import quantiles

import orjson

from flows import Memory, kafka
from flows.settings import load
from tests import kafka_broker
from tests.benchmarks.kafka_chat import SETTINGS
from tests.benchmarks.running import Line, prepared

_SECONDS_MAX = 60
_POLL_SECONDS = 0.005
_NAMES = ("Biscuit", "Pepper", "Otto", "Luna", "Ziggy", "Mabel", "Rufus", "Willow", "Hugo", "Nala")


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """`messages` times: a user asks to remember a pet, and then to forget it; the job has nothing else to do."""
    del runs, weights
    given = os.environ.get("FACTSTREAM_TEST_KAFKA")
    remembered: list[float] = []
    forgotten: list[float] = []
    with nullcontext(given) if given else kafka_broker.broker() as address:
        settings = SETTINGS.format(address=address, name=f"bench-{os.getpid()}-fresh", partitions=4)
        state, config = prepared(folder, "fresh", settings + f"[metrics]\nport = {kafka_broker.free_port()}\n")
        with _job(config, state), Memory(state) as memory:
            producer = kafka.producer(load(config, {}))
            for number in range(messages + 1):  # the first waits for the job to start
                user, pet = f"user-{number}", f"{_NAMES[number % len(_NAMES)]}{number}"
                for command, sign, took in (("remember", True, remembered), ("forget", False, forgotten)):
                    row = {"command": command, "user_id": user, "command_id": f"{command}-{number}"}
                    row["text"] = f"I have a dog called {pet}." if sign else f"the dog called {pet}"
                    started = time.monotonic()
                    kafka.produce(producer, *_commands(config, row))
                    _wait(lambda user=user, pet=pet, sign=sign: _knows(memory, user, pet) is sign)  # type: ignore[misc]  # defaults bind the loop's values
                    if number:
                        took.append(time.monotonic() - started)
    lines = []
    for what, seconds in (("remember until recalled", remembered), ("forget until not recalled", forgotten)):
        cuts = quantiles(seconds, n=100)
        for percent in (50, 95):
            target = "≤ 1,000" if what.startswith("forget") else ""
            lines.append(Line("freshness", f"{what}: p{percent}", round(cuts[percent - 1] * 1000), "ms", target))
    return lines


def _commands(config: Path, row: dict[str, object]) -> tuple[str, list[tuple[bytes | None, bytes]], str]:
    settings = load(config, {})
    return settings.kafka.topics.commands, kafka.keyed(settings, [orjson.dumps(row)]), "commands"


def _knows(memory: Memory, user: str, pet: str) -> bool:
    return any(pet in found.row["content"] for found in memory.recall(user))


def _wait(seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _SECONDS_MAX
    while not seen():
        if time.monotonic() > deadline:
            raise RuntimeError(f"a command showed no effect within {_SECONDS_MAX} seconds")
        time.sleep(_POLL_SECONDS)


@contextmanager
def _job(config: Path, state: Path) -> Iterator[None]:
    words = [sys.executable, "-m", "flows", "run", "--config", str(config), "--state", str(state)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)
