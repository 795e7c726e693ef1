"""The review queue (W2): pages of a million proposals, and what keeping them in order costs a write.

The pages are those of one Memory that stays open, as in `serve`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import quantiles

import numpy as np

from flows.memory import Memory
from state.facts import PROPOSAL_STATUSES, Candidate, Proposal, Source, stable_id
from state.layout import Layout, shard_of
from state.memory_store import MemoryStore
from state.messages import Origin
from state.user_memory import Changes
from state.windows import user_key
from tests.benchmarks.chat import START_MS
from tests.benchmarks.running import Line, prepared

A_USER = 10
PAGES = 200
LIMIT = 50
_SHARDS = 64
_BATCH = 1_000
_NAMESPACES = (
    ("assistant", "procedures", "style"),
    ("assistant", "procedures", "language"),
    ("user", "preferences", "food"),
    ("user", "health"),
    ("user", "residence"),
)
_RARE = ("project", "atlas")


def measure(folder: Path, proposals: int, runs: int, weights: str | None) -> list[Line]:
    """Makes the proposals, nine in ten of them pending, and pages through them from random places."""
    del weights
    state, _ = prepared(folder, "proposals")
    written = _fill(state, proposals)
    size = sum(path.stat().st_size for path in (state / "shards").iterdir())
    lines = [
        Line("proposals", "made", proposals),
        Line("proposals", "written, with the queue's indexes", round(written * 1e6, 1), "µs/proposal"),
        Line("proposals", "the same without", round(_fill_plain(folder, proposals) * 1e6, 1), "µs/proposal"),
        Line("proposals", "on disk", round(size / proposals), "B/proposal"),
    ]
    asked: dict[str, Callable[[Memory, str, int], list[Proposal]]] = {
        "pending": lambda memory, after, _: memory.proposals(None, "pending", after=after, limit=LIMIT),
        "any status": lambda memory, after, _: memory.proposals(None, "all", after=after, limit=LIMIT),
        "a namespace of half": lambda memory, after, _: memory.proposals(
            None, "pending", ("user",), after=after, limit=LIMIT
        ),
        "a rare namespace": lambda memory, after, _: memory.proposals(None, "pending", _RARE, after=after, limit=LIMIT),
        "a user": lambda memory, _, n: memory.proposals(f"user-{n % (proposals // A_USER)}", "pending", limit=LIMIT),
        "one by id": lambda memory, after, _: [p for p in [memory.proposal(after)] if p is not None],
    }
    with Memory(state) as memory:
        for name, ask in asked.items():
            lines += _asked(memory, name, ask, PAGES * runs)
    return lines


def _asked(memory: Memory, name: str, ask: Callable[[Memory, str, int], list[Proposal]], pages: int) -> list[Line]:
    random = np.random.default_rng(7)
    took = []
    for turn in range(pages):
        after = random.bytes(16).hex()
        started = time.perf_counter()
        ask(memory, after, turn * 7_919)
        took.append(time.perf_counter() - started)
    cuts = quantiles(took, n=100)
    return [
        Line("proposals", f"a page of {LIMIT}, {name}: p{p}", round(cuts[p - 1] * 1000, 1), "ms", "< 50")
        for p in (50, 95)
    ]


def _fill(state: Path, proposals: int) -> float:
    """Writes the memory files as a job would have left them; seconds a proposal."""
    layout = Layout(state)
    by_shard: dict[int, list[str]] = {}
    for number in range(proposals // A_USER):
        user = f"user-{number}"
        by_shard.setdefault(shard_of("default", user, _SHARDS), []).append(user)
    spent = 0.0
    for shard, users in by_shard.items():
        made = [(user_key("default", user), tuple(_proposals(user))) for user in users]
        store = MemoryStore(layout.memory(shard), None)
        started = time.perf_counter()
        for at in range(0, len(made), _BATCH):
            with store.file.transaction():
                for user, several in made[at : at + _BATCH]:
                    store.file.next_seq()
                    store.save(user, Changes(proposals=several))
        spent += time.perf_counter() - started
        store.file.close()
    return spent / proposals


def _fill_plain(folder: Path, proposals: int) -> float:
    """The same writes for one shard's share, less the indexes of the queue; seconds a proposal."""
    path = folder / "plain.db"
    store = MemoryStore(path, None)
    db: sqlite3.Connection = store.file.db
    db.execute("drop index proposal_queue")
    db.execute("drop index proposal_topic")
    users = [f"user-{number}" for number in range(proposals // A_USER // _SHARDS)]
    made = [(user_key("default", user), tuple(_proposals(user))) for user in users]
    started = time.perf_counter()
    for at in range(0, len(made), _BATCH):
        with store.file.transaction():
            for user, several in made[at : at + _BATCH]:
                store.file.next_seq()
                store.save(user, Changes(proposals=several))
    spent = time.perf_counter() - started
    store.file.close()
    return spent / max(1, len(made) * A_USER)


def _proposals(user: str) -> Iterator[Proposal]:
    for number in range(A_USER):
        said_at_ms = START_MS + number * 3_600_000
        ident = stable_id(user, number)
        namespace = _RARE if ident.startswith("000") else _NAMESPACES[int(ident[:2], 16) % len(_NAMESPACES)]
        content = f"Assistant should answer in style {number} of {user}"
        candidate = Candidate(
            ident,
            "default",
            user,
            None,
            said_at_ms,
            Source(f"m{number}", "c1", 0, 20, Origin("messages", 0, number)),
            "procedure",
            namespace,
            content,
            "assistant",
            "instructs",
            content,
            True,
            0.9,
            0.5,
            0.6,
            "en",
            bytes(384),
        )
        waiting = Proposal(ident, "default", user, "ADD", candidate, None, "pending", "R1.add", said_at_ms)
        status = PROPOSAL_STATUSES[int(ident[-2:], 16) % len(PROPOSAL_STATUSES)] if ident[-3] in "01" else "pending"
        yield replace(waiting, status=status)
