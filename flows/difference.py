"""How two memories differ in what they hold active, user by user: what was added, changed and lost (S4's dry run)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from state import memory_store as store
from state.export import fact_row
from state.facts import Fact
from state.layout import Layout, read_identity
from state.shard_file import standing

# Where a fact's record lay, and when it was written down, says nothing of what is known.
_ADDRESS = ("topic", "partition", "offset")
_UNCOMPARED = ("recorded_at", "recorded_seq", "revision")

Marks = Mapping[int, int]
"""Shard to the sequence number at which its file is looked at."""


@dataclass(slots=True)
class Difference:
    """Rows as exported. `changed` holds (before, after); a fact of the same words under another id counts there."""

    added: list[dict[str, Any]] = field(default_factory=list)
    changed: list[tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    lost: list[dict[str, Any]] = field(default_factory=list)
    same: int = 0

    def row(self) -> dict[str, Any]:
        """The difference as one JSON value."""
        changed = [
            {"before": before, "after": after, "fields": [name for name in after if before.get(name) != after[name]]}
            for before, after in self.changed
        ]
        counts = {"added": len(self.added), "changed": len(changed), "lost": len(self.lost), "same": self.same}
        return {"counts": counts, "added": self.added, "changed": changed, "lost": self.lost}


def marks(layout: Layout) -> Marks:
    """Where each shard's file stands now, so that what is written later can be told from it."""
    found = {}
    for shard in range(read_identity(layout).shards):
        db = store.read_only(layout.memory(shard))
        if db is not None:
            with closing(db):
                found[shard] = standing(db)[1]
    return found


def compare(before: Layout, at: Marks, after: Layout) -> Difference:
    """How `after` as it stands differs from `before` as it stood at the marks; shards may differ in number."""
    difference = Difference()
    old, new = dict(_users(before)), dict(_users(after))
    for user in sorted(old.keys() | new.keys()):
        was = _active(before, old[user], user, at.get(old[user], 0)) if user in old else {}
        now = _active(after, new[user], user, None) if user in new else {}
        _compare_user(difference, was, now)
    return difference


def _compare_user(difference: Difference, was: dict[str, Fact], now: dict[str, Fact]) -> None:
    pairs = {fact_id: fact_id for fact_id in now if fact_id in was}
    by_words = {_words(fact): fact_id for fact_id, fact in was.items() if fact_id not in pairs}
    for fact_id, fact in now.items():
        known = pairs.get(fact_id) or by_words.pop(_words(fact), None)
        row = _row(fact)
        if known is None:
            difference.added.append(row)
            continue
        pairs[fact_id] = known
        before = _row(was[known])
        if before == row:
            difference.same += 1
        else:
            difference.changed.append((before, row))
    kept = set(pairs.values())
    difference.lost.extend(_row(fact) for fact_id, fact in was.items() if fact_id not in kept)


def _words(fact: Fact) -> tuple[str, str]:
    return fact.kind, fact.content


def _row(fact: Fact) -> dict[str, Any]:
    row = {name: value for name, value in fact_row(fact).items() if name not in _UNCOMPARED}
    sources: Any = row["sources"]
    row["sources"] = [{name: source[name] for name in source if name not in _ADDRESS} for source in sources]
    return row


def _users(layout: Layout) -> Iterator[tuple[str, int]]:
    for shard in range(read_identity(layout).shards):
        db = store.read_only(layout.memory(shard))
        if db is not None:
            with closing(db):
                for user in store.users(db):
                    yield user, shard


def _active(layout: Layout, shard: int, user: str, at: int | None) -> dict[str, Fact]:
    """A user's active facts, at a sequence number or now."""
    db = store.read_only(layout.memory(shard))
    if db is None:
        return {}
    with closing(db):
        if at is None:
            facts = store.current_facts(db, user)
        else:
            facts = [
                version.fact
                for version in store.rows(db, user)
                if version.from_seq <= at and (version.to_seq is None or version.to_seq > at)
            ]
    return {fact.fact_id: fact for fact in facts if fact.status == "active"}
