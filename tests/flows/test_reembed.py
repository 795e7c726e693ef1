"""The verb reembed finds whose vectors are of another model, and has the flow make them anew (Q6)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import orjson
import pytest

from flows import Memory
from flows.commands import apply
from flows.job import open_state
from flows.reembed import reembed
from flows.settings import load
from models.embedder import Embedder
from state.export import parse_iso


@pytest.fixture
def aged(tmp_path: Path) -> str:
    """A memory of two users that an earlier model embedded."""
    lines = [
        {"user_id": user, "message_id": user, "conversation_id": user, "role": "user", "text": "I live in Graz.",
         "sent_at": "2026-03-01T10:00:00Z"}
        for user in ("ana", "ben")
    ]  # fmt: skip # a message a line
    source, state = tmp_path / "m.jsonl", str(tmp_path / "state")
    source.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    open_state(load(), state)
    apply(state, None, (str(source),))
    version = Embedder().version
    for path in (tmp_path / "state" / "shards").glob("memory-*.db"):
        db = sqlite3.connect(path)
        for table in ("fact", "log"):
            db.execute(
                f"update {table} set body = cast(replace(cast(body as text), ?, 'an-earlier-model') as blob)",
                (version,),
            )
        db.commit()
        db.close()
    return state


def test_all_users_of_an_earlier_model_are_renewed_and_then_none_is_left(
    aged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Q6"""
    version, now_ms = Embedder().version, parse_iso("2026-04-01")
    with Memory(aged) as memory:
        before = [(fact.fact_id, fact.content, fact.revision) for fact in memory.facts("ana", "all")]
        assert sorted(memory.outdated(version)) == [("default", "ana"), ("default", "ben")]
        assert before
    assert reembed(load(), aged, None, now_ms, batch_users=1) == 0
    assert "2 of 2" in capsys.readouterr().err
    with Memory(aged) as memory:
        assert list(memory.outdated(version)) == []
        assert [(fact.fact_id, fact.content, fact.revision) for fact in memory.facts("ana", "all")] == before
        assert {fact.embedding_version for fact in memory.facts("ana", "all")} == {version}
    assert reembed(load(), aged, None, now_ms + 1) == 0
    assert "0 users" in capsys.readouterr().err
