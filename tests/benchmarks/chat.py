"""Lively chat with an assistant, made up: people who mostly want something, and now and then say something lasting.

Sentences are templates with slots, so that hardly any two messages are equal; who says what when is drawn from a fixed
seed, so that every run of a benchmark reads the same bytes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from zlib import crc32

import orjson

from tests.benchmarks.sentences import ABOUT_THEMSELVES, ASSISTANT, CHATTER, SLOTS, TASKS

START_MS = 1_704_096_000_000  # 2024-01-01T08:00Z, past on every machine: times ahead of its clock count less
_POOLS = (ABOUT_THEMSELVES, TASKS, CHATTER)
_SHARES = (0.24, 0.48, 0.28)
_LIVE_CONVERSATIONS = 40


def chat(messages: int, users: int, seed: int = 7) -> Iterator[dict[str, object]]:
    """`messages` messages in order of time: `users` people, each in one conversation after another of 4 to 30 turns."""
    dice = random.Random(seed)
    live: list[Iterator[dict[str, object]]] = []
    opened, at_ms = 0, START_MS
    for _ in range(messages):
        at_ms += dice.randrange(200, 1_500)
        while len(live) < _LIVE_CONVERSATIONS:
            live.append(_turns(dice, f"user-{dice.randrange(users)}", opened))
            opened += 1
        place = dice.randrange(len(live))
        turn = next(live[place], None)
        while turn is None:
            live[place] = _turns(dice, f"user-{dice.randrange(users)}", opened)
            opened += 1
            turn = next(live[place], None)
        yield {**turn, "sent_at": at_ms}


def _turns(dice: random.Random, user: str, conversation: int) -> Iterator[dict[str, object]]:
    for number in range(dice.randrange(4, 31)):
        role = "assistant" if number % 2 else "user"
        yield {
            "user_id": user,
            "conversation_id": f"c{conversation}",
            "message_id": f"c{conversation}-{number}",
            "role": role,
            "text": _said(dice, ASSISTANT) if role == "assistant" else _user_text(dice),
        }


def _user_text(dice: random.Random) -> str:
    """One to three sentences of one or two sorts."""
    pools = dice.choices(_POOLS, _SHARES, k=dice.choice((1, 1, 1, 2, 2, 3)))
    return " ".join(_said(dice, pool) for pool in pools)


def of_themselves(dice: random.Random) -> str:
    """One sentence in which somebody tells of themselves."""
    return _said(dice, ABOUT_THEMSELVES)


def _said(dice: random.Random, pool: Sequence[str]) -> str:
    return dice.choice(pool).format_map({name: dice.choice(words) for name, words in SLOTS.items()})


def write_files(rows: Iterable[dict[str, object]], folder: Path, files: int) -> list[str]:
    """The rows as JSONL, a user's all in one file, as a topic with that many partitions would hold them."""
    paths = [folder / f"chat-{number}.jsonl" for number in range(files)]
    handles = [path.open("wb") for path in paths]
    for row in rows:
        handles[crc32(str(row["user_id"]).encode()) % files].write(orjson.dumps(row) + b"\n")
    for handle in handles:
        handle.close()
    return [str(path) for path in paths]
