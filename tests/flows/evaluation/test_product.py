"""What a product is given of a conversation, and what its memory is read to have learned from which message."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.evaluation.chats import Chat, DataError, Said, message_rows, read_chats
from flows.evaluation.product import claims_by_message, run_product

TALK = (
    Said("t0", "user", "a", "I live in Lisbon."),
    Said("t1", "user", "b", "Nice. I have two dogs."),
    Said("t2", "assistant", "bot", "Noted."),
)


def test_each_speaker_is_the_user_in_one_memory_and_a_peer_in_the_other() -> None:
    rows = list(message_rows([Chat(0, TALK, ())]))
    assert [(row["user_id"], row["role"]) for row in rows] == [
        ("c00000-s00", "user"),
        ("c00000-s00", "peer"),
        ("c00000-s00", "assistant"),
        ("c00000-s01", "peer"),
        ("c00000-s01", "user"),
        ("c00000-s01", "assistant"),
    ]


def test_without_times_conversations_follow_each_other_a_minute_a_message() -> None:
    rows = list(message_rows([Chat(0, TALK, ()), Chat(1, TALK[:1], ())]))
    assert rows[0]["sent_at"] == "2026-01-01T00:00:00+00:00"
    assert rows[2]["sent_at"] == "2026-01-01T00:02:00+00:00"
    assert rows[-1]["sent_at"] == "2026-01-01T00:03:00+00:00"


def test_times_of_the_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    messages = [{"id": "L0", "role": "user", "speaker": "x", "text": "hi", "ts": "2004-11-15T12:18"}]
    path.write_bytes(orjson.dumps({"conversation_id": "k", "messages": messages, "gold": []}) + b"\n")
    assert [row["sent_at"] for row in message_rows(read_chats(path))] == ["2004-11-15T12:18:00+00:00"]


def test_a_missing_set_is_named_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="--data"):
        read_chats(tmp_path / "msc" / "none.jsonl")


def test_the_real_job_tells_which_message_taught_what() -> None:
    """Restating an earlier fact counts for the message that restates it."""
    again = (*TALK, Said("t3", "user", "a", "As I said, I live in Lisbon."))
    found = run_product([Chat(0, again, ())])
    assert found.contents(("c00000-s00", "c00000-m0000")) == ["User lives in Lisbon"]
    assert found.contents(("c00000-s00", "c00000-m0003")) == ["User lives in Lisbon"]
    assert found.contents(("c00000-s00", "c00000-m0001")) == []
    assert [fact.content for fact in found.facts["c00000-s01"]] == ["User has two dogs"]
    [claim] = found.claims["c00000-s00", "c00000-m0000"]
    assert TALK[0].text[claim.start : claim.end].startswith("I live in Lisbon")


def test_what_waits_for_approval_counts_for_its_message() -> None:
    talk = (Said("t0", "user", "a", "From now on, always answer me in short bullet points."),)
    assert run_product([Chat(0, talk, ())]).contents(("c00000-s00", "c00000-m0000"))


def test_no_events_are_no_claims() -> None:
    assert claims_by_message([], []) == {}


def test_the_verb_refuses_an_unknown_set() -> None:
    """INTERFACE: one line, and the words that are known"""
    result = CliRunner().invoke(app, ["eval", "nope"])
    assert result.exit_code != 0
    assert "claims, over-extraction" in str(result.exception)


def test_the_verb_writes_rows_for_machines(tmp_path: Path) -> None:
    for name in ("s1", "s2", "s3", "s4"):
        path = tmp_path / "msc" / f"summary_{name}_valid.jsonl"
        path.parent.mkdir(exist_ok=True)
        messages = [{"id": "t0", "role": "user", "speaker": "x", "text": "I live in Lisbon."}]
        gold = [{"kind": "claim", "subject": "x", "text": "I live in Lisbon.", "evidence": ["t0"]}]
        path.write_bytes(orjson.dumps({"conversation_id": "k", "messages": messages, "gold": gold}) + b"\n")
    result = CliRunner().invoke(app, ["eval", "claims", "--data", str(tmp_path), "--json"])
    rows = orjson.loads(result.stdout_bytes)
    assert [row["value"] for row in rows if row["name"] in ("claim turns, F1", "claim content, F1")] == [1.0] * 8
    assert {"measure", "data", "baseline", "target", "met", "count"} <= rows[0].keys()
