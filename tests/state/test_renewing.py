"""All of a user's vectors change to another model at once, and nothing else does (Q6)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from operators.observing import Unobserved
from operators.reconcile import ReconcilePolicy, ReconcileStep
from state import memory_store, turns
from state.erasures import Erasures
from state.facts import Entry
from state.index import encode
from state.renewing import outdated_users
from tests.flows.test_memory import FORGET, LIFE, coded
from tests.state.builders import DAY_MS, START_MS, command
from tests.stubs import StubEmbedder


class NewEmbedder(StubEmbedder):
    """Another model: every direction turned round, so that comparing with the old one finds the opposite."""

    version = "stub-embedder-2"

    def embed(self, texts: list[str]) -> Any:
        return -super().embed(texts)


NEW = NewEmbedder()


def step(path: Path, embedder: Any, resume: Any = None) -> ReconcileStep:
    policy = ReconcilePolicy(turns_ms=4_000 * DAY_MS)
    return ReconcileStep(
        lambda shard: path / "m.db",
        lambda item: 0,
        policy,
        Unobserved(),
        resume,
        erasures=Erasures(path / "erasures"),
        embedder=embedder,
    )


def reader(path: Path) -> sqlite3.Connection:
    db = memory_store.read_only(path / "m.db")
    assert db is not None
    return db


def ask(day: int, name: str = "reembed", **fields: Any) -> Entry:
    at_ms = START_MS + day * DAY_MS
    given = command(name, at_ms, f"k-{name}-{day}", **fields)
    embedding = encode(NEW.embed([fields["text"]]))[0] if "text" in fields else b""
    return Entry("default", "ana", at_ms, given.command_id, command=given, embedding=embedding)


@pytest.fixture
def old(tmp_path: Path) -> tuple[Path, Any]:
    memory = step(tmp_path, StubEmbedder())
    memory.on_batch([*LIFE, FORGET])
    return tmp_path, memory.snapshot()


def history(path: Path) -> list[tuple[Any, ...]]:
    return [
        (each.fact.fact_id, each.fact.revision, each.fact.status, each.fact.content, each.from_seq, each.to_seq)
        for each in memory_store.rows(reader(path), "default/ana")
    ]


def test_every_vector_is_renewed_and_ids_and_history_stay(old: tuple[Path, Any]) -> None:
    path, resume = old
    before = history(path)
    assert outdated_users(reader(path), NEW.version) == ["default/ana"]
    memory = step(path, NEW, resume)
    [outcome] = memory.on_batch([ask(60)])[0]
    assert [event.rule for event in outcome.events] == ["Q6.reembed"]
    assert history(path) == before
    assert outdated_users(reader(path), NEW.version) == []
    for version in memory_store.rows(reader(path), "default/ana"):
        assert version.fact.embedding == encode(NEW.embed([version.fact.content]))[0]
        assert version.fact.embedding_version == NEW.version
    shelf = turns.shelf(reader(path), "default/ana")
    assert set(shelf.embedding_versions) == {NEW.version}
    assert shelf.embeddings[0] == encode(NEW.embed(["I live in Berlin, near the canal"]))[0]


def test_a_user_who_speaks_is_renewed_first_and_is_judged_by_one_model(old: tuple[Path, Any]) -> None:
    """F3: the forgetting left before finds what is said late, and one now finds what was learned before."""
    path, resume = old
    memory = step(path, NEW, resume)
    memory.on_batch([ask(61, "forget", text="that I like tea")])
    active = {
        fact.content for fact in memory_store.current_facts(reader(path), "default/ana") if fact.status == "active"
    }
    assert active == {"User moved to Munich"}


def test_it_goes_on_after_a_kill(old: tuple[Path, Any]) -> None:
    """S5: what was renewed and then rolled back is renewed again, or still is."""
    path, resume = old
    step(path, NEW, resume).on_batch([ask(60)])
    again = step(path, NEW, resume)
    again.on_batch([ask(60)])
    assert outdated_users(reader(path), NEW.version) == []
    assert [each[3] for each in history(path) if each[2] == "active" and each[5] is None] == [
        "User moved to Munich",
        "User likes tea",
    ]


def test_a_user_of_the_model_in_use_is_left_alone(old: tuple[Path, Any]) -> None:
    path, resume = old
    memory = step(path, StubEmbedder(), resume)
    memory.on_batch([ask(60)])
    assert memory_store.current_facts(reader(path), "default/ana")[0].embedding == coded("User moved to Munich")
