"""Killed in the middle of an erase, an approval or a forget, the job ends right, and each is carried out once."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.memory import Memory
from state.erasures import Erasures
from state.layout import Layout
from tests.recovery.test_kill import memory_of, stored_events
from tests.stub_job import StubSpec

ERASED = "anastasia"
PLACES = {
    "erase": (
        "state.windows:WindowStore.erase",
        "state.erasures:Erasures.begin",
        "state.erasures:Erasures.keep_keys",
        "state.memory_store:MemoryStore.erase",
        "state.erasures:Erasures.mark",
        "state.erasures:Erasures.close",
    ),
    "approve": (
        "state.commands:_decide_proposal",
        "state.memory_store:MemoryStore._save_proposal",
        "state.memory_store:MemoryStore.snapshot",
    ),
    "forget": ("state.commands:_forget", "state.recorder:Recorder.put", "state.memory_store:MemoryStore._save_event"),
}


def write_source(folder: Path) -> str:
    """Three users in one file; one is erased, one approves a procedure, one forgets, and all go on talking."""
    said = ("I live in Berlin", "I like tea", "I have a cat", "always smile", "I live in Munich", "I like rain")
    users = (ERASED, "ben", "eve")
    rows: list[dict[str, Any]] = []

    def at(minute: int, second: int = 0) -> str:
        return f"2026-03-01T10:{minute:02d}:{second:02d}Z"

    for i in range(48):
        user = users[i % 3]
        rows.append(
            {
                "user_id": user,
                "conversation_id": "room",
                "message_id": f"m{i}",
                "role": "user",
                "text": said[i // 3 % len(said)],
                "sent_at": at(i),
                "participants": list(users),
            }
        )
        if i == 30:
            # All in order of time: what a refold publishes depends on what else is in its batch.
            rows += [{"command": "flush", "user_id": user, "sent_at": at(i, 10)} for user in ("ben", "eve")]
            rows.append({"command": "approve", "user_id": "ben", "match": "smile", "sent_at": at(i, 20)})
            rows.append({"command": "forget", "user_id": "eve", "text": "tea", "sent_at": at(i, 20)})
            rows.append({"command": "erase", "user_id": ERASED, "sent_at": at(i, 20)})
    path = folder / "source.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return str(path)


def spec_of(folder: Path, name: str, source: str, **fields: Any) -> StubSpec:
    windows = {"conversation_length": 4}
    return StubSpec(str(folder / name), [source], str(folder / f"{name}-out"), windows=windows, batch_lines=6, **fields)


def run_all(specs: list[StubSpec]) -> list[int]:
    """Runs each job until it ends well; how often each was killed."""
    words = [sys.executable, "-m", "tests.stub_job", "-"]
    done = subprocess.run(words, input=orjson.dumps(specs), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    killed: list[int] = orjson.loads(done.stdout)
    assert min(killed) >= 0, done.stderr.decode()[-3000:]
    return killed


def compacted(spec: StubSpec) -> dict[tuple[str, str], str]:
    """What a topic's compaction leaves of what was published: the last record of each key, less the null records."""
    last = {}
    for path in sorted(Path(spec.out).glob("*.jsonl")):
        for row in map(orjson.loads, path.read_bytes().splitlines()):
            last[row["stream"], row["key"]] = row["value"]
    return {key: value for key, value in last.items() if value}


def check_same(calm: StubSpec, hard: StubSpec) -> None:
    assert memory_of(hard) == memory_of(calm)
    assert stored_events(hard) == stored_events(calm)
    assert len(set(stored_events(hard))) == len(stored_events(hard))
    assert compacted(hard) == compacted(calm)
    [erasure] = Erasures(Layout(Path(hard.state)).erasures).all()
    assert (erasure.done_ms is not None, erasure.user_id) == (True, None)
    for command in ("approved", "forgotten"):
        assert told(hard, command) == told(calm, command) == 1


def told(spec: StubSpec, what: str) -> int:
    """How often memory tells of the approval, or of the fact forgotten."""
    with Memory(spec.state) as memory:
        if what == "approved":
            return sum(event.rule == "W2.approved" for event in memory.events("ben"))
        return len({event.event_id for event in memory.events("eve") if event.event == "FORGET"})


DEATHS = {
    "erase": [
        ("state.windows:WindowStore.erase", "after", 1),
        ("state.memory_store:MemoryStore.erase", "after", 1),
        ("state.erasures:Erasures.close", "before", 1),
    ],
    "approve": [
        ("state.commands:_decide_proposal", "after", 1),
        ("state.memory_store:MemoryStore._save_event", "after", 32),
        ("state.memory_store:MemoryStore._save_proposal", "after", 4),
    ],
    "forget": [
        ("state.commands:_forget", "after", 1),
        ("state.memory_store:MemoryStore._save_event", "before", 35),
        ("state.memory_store:MemoryStore._save_event", "after", 35),
    ],
}


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> StubSpec:
    folder = tmp_path_factory.mktemp("calm")
    spec = spec_of(folder, "state", write_source(folder))
    assert run_all([spec]) == [0]
    return spec


@pytest.fixture(scope="module")
def killed(calm: StubSpec, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[StubSpec]]:
    """The jobs of DEATHS, each killed once and run to its end."""
    folder = tmp_path_factory.mktemp("killed")
    jobs = {
        command: [spec_of(folder, f"{command}-{i}", calm.sources[0], dies_at=each) for i, each in enumerate(places)]
        for command, places in DEATHS.items()
    }
    everything = [spec for specs in jobs.values() for spec in specs]
    assert run_all(everything) == [1] * len(everything)
    return jobs


@pytest.mark.parametrize("number", range(3))
def test_killed_in_the_middle_of_an_erase_it_ends_erased(
    calm: StubSpec, killed: dict[str, list[StubSpec]], number: int
) -> None:
    """F6, S5: in the windows, in the memory, and with all but the last word said"""
    check_same(calm, killed["erase"][number])


@pytest.mark.parametrize("number", range(3))
def test_killed_in_the_middle_of_an_approval_it_is_approved_once(
    calm: StubSpec, killed: dict[str, list[StubSpec]], number: int
) -> None:
    """W2, S5"""
    check_same(calm, killed["approve"][number])


@pytest.mark.parametrize("number", range(3))
def test_killed_in_the_middle_of_a_forget_it_is_forgotten_once(
    calm: StubSpec, killed: dict[str, list[StubSpec]], number: int
) -> None:
    """F3, S5"""
    check_same(calm, killed["forget"][number])


@pytest.mark.soak
@pytest.mark.parametrize("command", list(PLACES))
def test_fifty_kills_in_the_middle_of_a_command(calm: StubSpec, tmp_path: Path, command: str) -> None:
    """F6, W2, F3, S5: anywhere on its way"""
    kills, dice = 0, random.Random(command)
    for number in range(400):
        place = dice.choice(PLACES[command]), dice.choice(("before", "after")), dice.randint(1, 12)
        spec = spec_of(tmp_path, str(number), calm.sources[0], dies_at=place)
        kills += run_all([spec])[0]
        check_same(calm, spec)
        if kills >= 50:
            return
    raise AssertionError(f"killed {kills} times only")
