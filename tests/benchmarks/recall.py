"""Recall from memory files of growing size: the question's vector and the search apart, one question after the other.

Each question is of another user, whose facts are in words of their own, so that nothing is kept from the one before.
The files are written as a job would have left them, row by row from one user's template.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import numpy as np

from flows import Memory
from models.embedder import Embedder
from state.codec import pack_fact
from state.layout import Layout, shard_of
from state.memory_store import MemoryStore
from state.turns import Turn, keep
from state.windows import user_key
from tests.benchmarks.chat import START_MS
from tests.benchmarks.running import Line, prepared
from tests.benchmarks.serving import FACTS_A_USER, SHARDS, facts_of

QUESTIONS: Final = 300
_TURNS_A_USER: Final = 300
_USERS_WITH_TURNS: Final = 200
_ASKED: Final = (
    "where does {} live?",
    "what does the user like to eat in the evening, number {}?",
    "which sport does he do with his friends at the weekend, {}?",
    "does she have a pet called {}?",
)
_TEMPLATE: Final = "user-template"


class TimedEmbedder:
    """An embedder that notes how long each question took, in seconds."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self.version = embedder, embedder.version
        self.took: list[float] = []

    def embed(self, texts: Sequence[str]) -> Any:
        started = time.perf_counter()
        done = self._embedder.embed(texts)
        self.took.append(time.perf_counter() - started)
        return done


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """Memories of a hundredth, a tenth and all of `messages` users with 100 facts each."""
    del runs, weights
    embedder = TimedEmbedder(Embedder())
    lines = []
    for users in sorted({max(1, messages // share) for share in (100, 10, 1)}):
        state, _ = prepared(folder, f"recall-{users}", "")
        _fill(state, users, embedder.version)
        lines += _asked(state, users, embedder, users == messages)
    return lines


def _asked(state: Path, users: int, embedder: TimedEmbedder, is_last: bool) -> list[Line]:
    count = users * FACTS_A_USER
    lines = []
    with Memory(state, embedder=embedder) as memory:
        memory.recall("user-0", "warm up")
        lines += _timed(f"recall of {count:,} facts", users, embedder, memory.recall, is_last)
        if is_last:
            some = min(users, _USERS_WITH_TURNS)
            lines += _timed(f"search among {_TURNS_A_USER} turns and 100 facts", some, embedder, memory.search, False)
    return lines


def _timed(name: str, users: int, embedder: TimedEmbedder, ask: Any, has_target: bool) -> list[Line]:
    embedder.took.clear()
    took = []
    spent = time.process_time()
    for number in range(QUESTIONS):
        question = _ASKED[number % len(_ASKED)].format(f"{name}{number}")
        started = time.perf_counter()
        ask(f"user-{(number * 7_919 + 13) % users}", question, 5)
        took.append(time.perf_counter() - started)
    spent = (time.process_time() - spent) / QUESTIONS
    searched = [whole - embedding for whole, embedding in zip(took, embedder.took, strict=True)]
    lines = [Line("recall", f"{name}: processor time of one", round(spent * 1000, 2), "ms")]
    for what, seconds in (
        ("", took),
        (", of it the question's vector", embedder.took),
        (", of it the search", searched),
    ):
        cuts = quantiles(seconds, n=100)
        for percent, target in ((50, ""), (95, "≤ 10"), (99, "≤ 25")):
            told = target if has_target and not what else ""
            lines.append(Line("recall", f"{name}{what}: p{percent}", round(cuts[percent - 1] * 1000, 2), "ms", told))
    return lines


def _fill(state: Path, users: int, version: str) -> None:
    layout = Layout(state)
    rows = _template(version)
    by_shard: dict[int, list[str]] = {}
    for number in range(users):
        by_shard.setdefault(shard_of("default", f"user-{number}", SHARDS), []).append(f"user-{number}")
    for shard, names in by_shard.items():
        store = MemoryStore(layout.memory(shard), None)
        db = store.file.db
        db.execute("pragma synchronous=off").fetchall()
        with store.file.transaction():
            seq = store.file.next_seq()
            for user in names:
                _write(db, user, rows, seq)
                if int(user.removeprefix("user-")) < _USERS_WITH_TURNS:
                    keep(db, user_key("default", user), _turns(user, version), seq)
        store.file.close()


def _template(version: str) -> list[tuple[str, bytes, bytes]]:
    """(Fact id, body, vector) of one user's facts."""
    found = facts_of(_TEMPLATE, version, np.random.default_rng(1))
    return [(fact.fact_id, pack_fact(fact), fact.embedding) for fact in found]


def _write(db: sqlite3.Connection, user: str, rows: Sequence[tuple[str, bytes, bytes]], seq: int) -> None:
    key, mark = user_key("default", user), f"{int(user.removeprefix('user-')):08x}"
    db.executemany(
        "insert into fact(user, fact_id, revision, status, body, embedding, from_seq)"
        " values (?, ?, 1, 'active', ?, ?, ?)",
        (
            (
                key,
                mark + fact_id[8:],
                body.replace(_TEMPLATE.encode(), user.encode()).replace(
                    fact_id.encode(), (mark + fact_id[8:]).encode()
                ),
                embedding,
                seq,
            )
            for fact_id, body, embedding in rows
        ),
    )


def _turns(user: str, version: str) -> list[Turn]:
    facts = list(facts_of(user, version, np.random.default_rng(2)))
    return [
        Turn(
            "default", user, f"t{number}", "c1", "user", f"I said {facts[number % len(facts)].content} {number}",
            START_MS + number * 3_600_000, facts[0].sources[0].origin, embedding=facts[number % len(facts)].embedding,
            embedding_version=version,
        )
        for number in range(_TURNS_A_USER)
    ]  # fmt: skip # a field a place
