"""The audit trail tells what was asked and decided, names nobody, and keeps of an erased user that they were (F6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from flows.commands import append
from flows.settings import Settings
from flows.snapshot import write_snapshot
from state.erasures import Erasures
from state.layout import Layout
from state.snapshots import latest_generation, open_generation
from tests.stub_job import StubSpec, run


def spec_of(folder: Path, *commands: dict[str, Any]) -> StubSpec:
    said = [("anastasia", "always smile"), ("anastasia", "I like serendipity"), ("ben", "I like tea")]
    rows = [
        {"user_id": user, "message_id": f"m{i}", "role": "user", "text": text, "sent_at": f"2026-03-01T10:0{i}:00Z"}
        for i, (user, text) in enumerate(said)
    ]
    source = folder / "in.jsonl"
    source.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in (*rows, *commands)))
    spec = StubSpec(str(folder / "state"), [str(source)], str(folder / "out"))
    run(spec)
    return spec


def rows(spec: StubSpec) -> list[tuple[Any, ...]]:
    with open_generation(latest_generation(Layout(Path(spec.state)).snapshots)) as connection:
        query = (
            "select who, action, outcome, rule, proposal_id is not null, removed from audit order by acted_at, action"
        )
        found: list[tuple[Any, ...]] = connection.execute(query).fetchall()
        return found


def command(name: str, minute: int, **fields: Any) -> dict[str, Any]:
    return {"command": name, "user_id": "anastasia", "sent_at": f"2026-03-01T10:{minute}:00Z", **fields}


def test_commands_and_decisions_are_told_without_names_and_words(tmp_path: Path) -> None:
    """W2: who decided is the command and where it came from; a second decision is there as refused"""
    approvals = [command("approve", 20 + i, match="smile") for i in range(2)]
    flush = command("flush", 10)
    spec = spec_of(tmp_path, flush, *approvals, command("forget", 30, text="serendipity"))
    write_snapshot(Settings(), Path(spec.state))
    who = Erasures(Layout(Path(spec.state)).erasures).user_hash("default/anastasia").hex()
    assert rows(spec) == [
        (who, "flush", "done", "T3.flush", False, None),
        (who, "approve", "done", "W2.approved", True, None),
        (who, "approve", "refused", "W2.already_decided", False, None),
        (who, "forget", "done", "F3.asked", False, None),
    ]
    with open_generation(latest_generation(Layout(Path(spec.state)).snapshots)) as connection:
        text = str(connection.execute("select * from audit").fetchall())
    assert not any(word in text for word in ("anastasia", "serendipity", "smile"))


def test_of_an_erased_user_the_erase_stays_with_its_counts(tmp_path: Path) -> None:
    """F6: in the generation written anew, and in the next"""
    spec = spec_of(tmp_path, command("flush", 10))
    write_snapshot(Settings(), Path(spec.state))
    layout = Layout(Path(spec.state))
    append(layout.spool, [orjson.dumps(command("erase", 40))])
    run(StubSpec(**{**vars(spec), "sources": []}))
    assert rows(spec) == []
    write_snapshot(Settings(), Path(spec.state))
    [(who, *told, removed)] = rows(spec)
    assert who == Erasures(layout.erasures).user_hash("default/anastasia").hex()
    assert told == ["erase", "done", "F6.erase", False]
    assert orjson.loads(removed)["snapshots.audit"] == 1
