"""Killed at random moments, with worker counts that change, the job ends as if nothing had happened (S5, S6)."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from flows.memory import Memory
from state.export import fact_row
from tests.stub_job import StubSpec, prepare_state

_TEXTS = (
    "I live in Berlin",
    "hi there",
    "I like tea and I like rain",
    "I live in Munich",
    "I have a cat",
    "forget that I like tea",
    "always smile",
    "what a day",
)
_FILES, _USERS = 4, 24


def write_sources(folder: Path, rows_a_file: int = 700) -> list[str]:
    """Four files of messages; a user's are in one file, in order of time, one conversation after another."""
    paths = []
    for number in range(_FILES):
        rows = []
        for i in range(rows_a_file):
            user = f"u{number + _FILES * (i * 7 % (_USERS // _FILES))}"
            minute = i * 3
            rows.append(
                {
                    "user_id": user,
                    "conversation_id": f"{user}-c{i // 90}",
                    "message_id": f"m{number}-{i}",
                    "role": "user" if i % 3 else "assistant",
                    "text": _TEXTS[(i * 5 + number) % len(_TEXTS)],
                    "sent_at": f"2026-03-{1 + minute // 1440:02d}T{minute // 60 % 24:02d}:{minute % 60:02d}:00Z",
                }
            )
        path = folder / f"part-{number}.jsonl"
        path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        paths.append(str(path))
    return paths


def start(spec: StubSpec, processes: int, log: Path) -> list[subprocess.Popen[bytes]]:
    prepare_state(spec)
    sockets = [socket.socket() for _ in range(processes)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    addresses = ";".join(f"127.0.0.1:{each.getsockname()[1]}" for each in sockets)
    for each in sockets:
        each.close()
    with log.open("ab") as out:
        return [
            subprocess.Popen(
                [sys.executable, "-m", "tests.stub_job", spec.json(), str(index), addresses],
                stdout=out,
                stderr=out,
            )
            for index in range(processes)
        ]


def run_to_end(spec: StubSpec, log: Path, kills: int, seed: int) -> int:
    """Runs the job, killing all its processes at random moments until `kills` are spent; how often it was killed."""
    dice, done = random.Random(seed), 0
    for _ in range(kills * 4 + 20):
        processes = start(spec, dice.choice((1, 2)), log)
        try:
            wait_seconds = dice.uniform(0.8, 2.2) if done < kills else 120
            codes = [process.wait(wait_seconds) for process in processes]
            if not any(codes):
                return done
        except subprocess.TimeoutExpired:
            done += 1
        finally:
            for process in processes:
                process.send_signal(signal.SIGKILL) if process.poll() is None else None
                process.wait()
    raise AssertionError(f"the job did not come to its end; its log: {log.read_text()[-3000:]}")


def memory_of(spec: StubSpec) -> dict[str, object]:
    with Memory(spec.state) as memory:
        users = memory.users()
        return {user: sorted(orjson.dumps(fact_row(f)) for f in memory.facts(user, "all")) for user in users}


def published_events(spec: StubSpec) -> list[str]:
    lines = [line for path in sorted(Path(spec.out).glob("*.jsonl")) for line in path.read_bytes().splitlines()]
    rows = [orjson.loads(line) for line in lines]
    return [row["key"] for row in rows if row["stream"] == "events"]


def stored_events(spec: StubSpec) -> list[str]:
    with Memory(spec.state) as memory:
        return sorted(f"default/{event.user_id}/{event.event_id}" for event in memory.events())


def check_kills(folder: Path, kills: int, seed: int) -> None:
    sources = write_sources(folder)
    calm = StubSpec(str(folder / "calm"), sources, str(folder / "calm-out"), windows={"conversation_length": 7})
    assert run_to_end(calm, folder / "calm.log", 0, seed) == 0
    hard = StubSpec(
        str(folder / "hard"),
        sources,
        str(folder / "hard-out"),
        windows={"conversation_length": 7},
        batch_lines=8,
        pause_seconds=0.02,
    )
    killed = run_to_end(hard, folder / "hard.log", kills, seed)
    assert killed == kills
    assert memory_of(hard) == memory_of(calm)
    assert stored_events(hard) == stored_events(calm)
    assert len(set(stored_events(calm))) == len(stored_events(calm))
    assert set(published_events(hard)) == set(published_events(calm)) == set(stored_events(calm))


def test_five_kills_change_nothing(tmp_path: Path) -> None:
    """S5, S6, T6: no message unevaluated, every effect once, event ids distinct once duplicates are dropped"""
    check_kills(tmp_path, kills=5, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_kills_change_nothing(tmp_path: Path, seed: int) -> None:
    """S5, S6: ten runs of ten kills"""
    check_kills(tmp_path, kills=10, seed=100 + seed)
