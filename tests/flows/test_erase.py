"""An erase reaches every file, leaves other people's memory byte for byte, and is not undone by a replay (F6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.commands import append
from flows.erasing import finish, naming
from flows.memory import Memory
from flows.settings import Settings
from flows.snapshot import write_snapshot
from state.erasures import Erasures
from state.export import event_row, fact_row, proposal_row
from state.layout import Layout
from state.snapshots import generations, open_generation
from state.traces import search
from tests.stub_job import StubSpec, run

WHO, OTHERS = "anastasia", ("ben", "eve")
SAID = ("I live in Graz", "I like serendipity", "always smile", "forget that I like serendipity", "what a day")
SECRETS = (b"anastasia", b"serendipity", b"Graz")


def lines() -> list[dict[str, Any]]:
    """Everybody in one room and each for themselves; the others say other things."""
    rows: list[dict[str, Any]] = []
    for i, text in enumerate(SAID * 4):
        base = {"role": "user", "sent_at": f"2026-03-01T10:{i:02d}:00Z", "participants": [WHO, *OTHERS]}
        room = {"conversation_id": "room" if i % 2 else f"c{i % 3}"}
        rows.append({**base, **room, "user_id": WHO, "message_id": f"a{i}", "text": text})
        rows.append({**base, **room, "user_id": OTHERS[i % 2], "message_id": f"o{i}", "text": "I like tea"})
    return rows


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return str(path)


@pytest.fixture
def job(tmp_path: Path) -> StubSpec:
    """A memory with open windows, a snapshot, a dead letter, a spooled command and a killed import of the user."""
    source = write(tmp_path / "in.jsonl", [*lines(), {"user_id": "ben", "role": "user", "text": "bye", "sent_at": "x"}])
    spec = StubSpec(str(tmp_path / "state"), [source], str(tmp_path / "out"), windows={"conversation_length": 6})
    append(Layout(Path(spec.state)).spool, [orjson.dumps(row(WHO, "pin", match="Graz"))])
    run(spec)
    write_snapshot(Settings(), Path(spec.state))
    left = Layout(Path(spec.state)).spool.parent / "import-left-0.jsonl"
    write(
        left,
        [
            row(who, "import", text="Likes it" if who == "ben" else "Likes serendipity", sent_at="2026-03-01T10:00:00Z")
            for who in (WHO, "ben")
        ],
    )
    letters = [{"reason": "unknown_role", "payload": f'{{"user_id":"{who}","role":"x"}}'} for who in (WHO, "ben")]
    letters.append({"reason": "not_json", "payload": f"user {WHO}: hello"})
    write(Layout(Path(spec.state)).dead_letters, letters)
    return spec


def row(user: str, name: str, at: str = "2026-03-02T10:00:00Z", **fields: Any) -> dict[str, Any]:
    return {"command": name, "user_id": user, "sent_at": at, **fields}


def erase(spec: StubSpec, **fields: Any) -> None:
    append(Layout(Path(spec.state)).spool, [orjson.dumps(row(WHO, "erase", **fields))])
    run(StubSpec(**{**vars(spec), "sources": []}))


def exported(spec: StubSpec, users: tuple[str, ...]) -> bytes:
    with Memory(spec.state) as memory:
        rows: list[Any] = []
        for user in users:
            rows += [fact_row(version.fact) for version, _ in memory.versions(user)]
            rows += [event_row(event) for event in memory.events(user)]
            rows += [proposal_row(proposal) for proposal in memory.proposals(user)]
        return b"\n".join(map(orjson.dumps, rows))


def holding(spec: StubSpec) -> set[str]:
    found = set()
    for path in Path(spec.state).rglob("*"):
        if path.is_file() and any(secret in path.read_bytes() for secret in SECRETS):
            found.add(str(path.relative_to(spec.state)))
    return found


def test_no_byte_is_left_of_the_user_and_every_byte_of_the_others(job: StubSpec) -> None:
    """F6: shards and their logs, the ledger, snapshots, spool, dead letters, recovery store"""
    before, layout = exported(job, OTHERS), Layout(Path(job.state))
    assert len(before) > 1_000
    assert {path.split("/")[0] for path in holding(job)} == {"shards", "snapshots", "spool", "dead-letters.jsonl"}
    erase(job)
    left = Layout(Path(job.state)).spool.parent / "import-left-0.jsonl"
    assert [orjson.loads(line)["user_id"] for line in left.read_bytes().splitlines() if line.strip()] == ["ben"]
    left.unlink()
    assert holding(job) == set()
    assert search(layout, "default", WHO, ["User lives in Graz", "User likes serendipity"]) == []
    assert exported(job, OTHERS) == before
    assert exported(job, (WHO,)) == b""
    letters = [orjson.loads(line) for line in layout.dead_letters.read_bytes().splitlines()]
    assert [letter.get("erased", False) for letter in letters] == [True, False, True]


def test_the_ledger_reports_what_was_removed_where(job: StubSpec) -> None:
    """F6"""
    erase(job)
    [erasure] = Erasures(Layout(Path(job.state)).erasures).of(f"default/{WHO}")
    assert erasure.done_ms is not None
    places = ("windows.message", "windows.seen", "windows.copies", "memory.fact", "memory.event", "memory.proposal",
              "memory.log", "published.events", "snapshots.facts", "spool.lines", "dead_letters.lines")  # fmt: skip
    assert {place for place in places if not erasure.removed[place]} == set()
    with Memory(job.state) as memory:
        assert memory.erasure(WHO, "another") is None


def test_the_old_topic_does_not_bring_the_user_back(job: StubSpec, tmp_path: Path) -> None:
    """F6, S4: read again from another path, and so from its start; what is said later counts"""
    erase(job)
    before = exported(job, OTHERS)
    later = {**lines()[0], "message_id": "new", "text": "I live in Oslo", "sent_at": "2026-03-03T10:00:00Z"}
    again = write(tmp_path / "again.jsonl", [*lines(), later])
    run(StubSpec(**{**vars(job), "sources": [again]}))
    assert exported(job, OTHERS) == before
    with Memory(job.state) as memory:
        assert [fact.content for fact in memory.facts(WHO, "all")] == ["User lives in Oslo"]
    assert not any(secret in b"".join(_shards(job)) for secret in SECRETS[1:])


def test_a_replay_brings_the_user_back_where_that_is_allowed(job: StubSpec, tmp_path: Path) -> None:
    """F6: also where an earlier erase forbade it"""
    with Memory(job.state) as memory:
        learned = {fact.fact_id for fact in memory.facts(WHO, "all")}
    erase(job)
    erase(job, allow_replay=True, at="2026-03-02T11:00:00Z")
    run(StubSpec(**{**vars(job), "sources": [write(tmp_path / "again.jsonl", lines())]}))
    with Memory(job.state) as memory:
        assert {fact.fact_id for fact in memory.facts(WHO, "all")} == learned


def test_a_snapshot_being_written_is_waited_for(job: StubSpec) -> None:
    """F6: it may hold the user, and is erased when it is there"""
    import fcntl

    layout = Layout(Path(job.state))
    with (layout.snapshots / ".lock").open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        erase(job)
        [erasure] = Erasures(layout.erasures).unfinished()
        assert (erasure.waiting, erasure.user_id) == (("snapshots",), WHO)
    [done] = finish(Settings(), layout, ended=True)
    assert (done.done_ms is not None, done.user_id) == (True, None)
    [path] = generations(layout.snapshots)
    with open_generation(path) as connection:
        assert connection.execute("select count(*) from facts where user_id = ?", [WHO]).fetchone() == (0,)
    assert holding(job) == set()


@pytest.mark.parametrize(
    ("letter", "is_theirs"),
    [
        ({"payload": '{"user_id":"p","text":"hi"}'}, True),
        ({"payload": '{"user_id":"p","text":"cut sho'}, True),
        ({"payload": '{"participants":["ben","p"]}'}, True),
        ({"key": "default/p", "payload": "x"}, True),
        ({"payload": "p,hello"}, True),
        ({"payload": '{"customer":{"id":"p"}}'}, True),
        ({"payload": '{"user_id":"ben","text":"press p to go on"}'}, False),
        ({"payload": '{"user_id":"ben","text":"p"}'}, False),
        ({"payload": '{"user_id":"p-2","text":"hi"}'}, False),
        ({"payload": '{"user_id":"ben","text":"cut p sho'}, False),
        ({"key": "acme/p", "payload": "what is p here"}, False),
    ],
)
def test_a_dead_letter_goes_where_its_user_is_told_and_whole(letter: dict[str, str], is_theirs: bool) -> None:
    """F6: a short id is a word of other people's letters too"""
    names = naming("default", "p", "customer.id")
    assert names({"reason": "not_json", "detail": "$.p: odd", **letter}) is is_theirs


def test_an_erase_acts_no_earlier_than_what_it_has_to_reach(job: StubSpec) -> None:
    """F6: the clock may be behind the messages' times"""
    with Memory(job.state) as memory:
        assert memory.erase_time_ms(WHO, 0) >= memory.load(WHO).position[0] > 0
        assert memory.erase_time_ms(WHO, 2**50) == 2**50
        assert memory.erase_time_ms("nobody", 7) == 7


def _shards(spec: StubSpec) -> list[bytes]:
    return [path.read_bytes() for path in sorted((Path(spec.state) / "shards").iterdir())]
