"""Generations: what is written comes back, `latest` moves in one step, crashes and erasure leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from state.export import fact_row
from state.facts import Candidate, Fact, FactEvent, Proposal, Source
from state.messages import Command, Origin
from state.recall import as_of
from state.snapshot_tables import FactVersion, user_hash
from state.snapshots import (
    Contents,
    SnapshotError,
    all_versions,
    erase_user,
    facts_as_of,
    generations,
    latest_generation,
    open_generation,
    read_latest,
    user_history,
    write_generation,
)

ORIGIN = Origin("messages", 3, 41)


def fact(user_id: str = "ana", **changes: Any) -> Fact:
    values: dict[str, Any] = {
        "fact_id": "f1",
        "tenant": "acme",
        "user_id": user_id,
        "agent_id": None,
        "namespace": ("user", "home"),
        "kind": "fact",
        "content": f"{user_id} lives in Zürich",
        "subject": "user",
        "predicate": "lives_in",
        "object": "Zürich",
        "polarity": True,
        "confidence": 0.9,
        "reinforced_confidence": 0.93,
        "mentions": 2,
        "intensity": 0.5,
        "importance": 0.9,
        "language": "de",
        "status": "active",
        "reason": None,
        "first_said_at_ms": 1000,
        "last_said_at_ms": 2001,
        "recorded_at_ms": 1000,
        "sources": (Source("m1", "c1", 0, 34, ORIGIN), Source("m2", "c1", 3, 9, ORIGIN)),
        "embedding": bytes(range(256)) + bytes(128),
        "contradicts": ("f9",),
        "valid_from": "2026-10",
    }
    return Fact(**{**values, **changes})


def event(user_id: str, event_id: str, about: Fact | None) -> FactEvent:
    return FactEvent(event_id, "ADD", "acme", user_id, about, None, "R1", None, 0.5, None, 1000, 7)


def proposal(user_id: str) -> Proposal:
    like = fact(user_id)
    candidate = Candidate(
        candidate_id="k1",
        tenant="acme",
        user_id=user_id,
        agent_id=None,
        said_at_ms=1000,
        source=like.sources[0],
        kind="procedure",
        namespace=("procedures",),
        content="Keep answers short",
        subject="user",
        predicate="instructs",
        object="short",
        polarity=True,
        confidence=0.9,
        intensity=0.5,
        importance=0.8,
        language="en",
        embedding=like.embedding,
    )
    return Proposal("p1", "acme", user_id, "ADD", candidate, None, "pending", "W1", 1000)


def command(user_id: str) -> Command:
    return Command(
        "acme", user_id, "profile", "k9", 3000, ORIGIN, namespace=("user",), profile=(("city", "Rome"), ("bio", "x"))
    )


def contents(*user_ids: str) -> Contents:
    return Contents(
        facts=[
            version
            for user_id in user_ids
            for version in (
                (fact(user_id, status="superseded"), 1, 4, 2),
                (fact(user_id, revision=2, content="moved", recorded_at_ms=5000, valid_to="2027"), 4, None, 2),
                (fact(user_id, fact_id="f2", namespace=(), sources=(), status="forgotten"), 2, None, 2),
            )
        ],
        events=[e for u in user_ids for e in (event(u, "e1", fact(u, embedding=b"")), event(u, "e2", None))],
        proposals=[proposal(user_id) for user_id in user_ids],
        commands=[command(user_id) for user_id in user_ids],
        meta={"state_id": "s1"},
    )


def holds(path: Path, user_id: str) -> bool:
    return user_id.encode() in path.read_bytes()


def test_everything_of_a_user_comes_back_as_it_went_in(tmp_path: Path) -> None:
    """S9, Q5."""
    given = contents("ana", "bob", "eve")
    generation = write_generation(tmp_path, given)
    assert generation.rows == {"facts": 9, "events": 6, "proposals": 3, "commands": 3, "audit": 0}
    history = read_latest(tmp_path, lambda con: user_history(con, "acme", "bob"))
    assert history.versions == tuple(FactVersion(*row) for row in given.facts if row[0].user_id == "bob")
    assert history.events == tuple(e for e in given.events if e.user_id == "bob")
    assert history.proposals == (proposal("bob"),)
    assert history.commands == (command("bob"),)
    nobody = read_latest(tmp_path, lambda con: user_history(con, "other", "bob"))
    assert (nobody.versions, nobody.events) == ((), ())


def test_any_duckdb_client_finds_typed_columns_behind_latest(tmp_path: Path) -> None:
    """S9: `duckdb snapshots/latest` works, with the exported fact's names as columns."""
    write_generation(tmp_path, contents("ana"))
    with duckdb.connect(str(tmp_path / "latest"), read_only=True) as connection:
        types = dict(connection.execute("select name, type from pragma_table_info('facts')").fetchall())
        found = connection.execute(
            "select sources[2].message_id, namespace[1], epoch_ms(last_said_at) from facts where revision = 2"
        ).fetchall()
        event_city = connection.execute("select fact->>'object' from events where event_id = 'e1'").fetchall()
        meta = dict(connection.execute("from meta").fetchall())
    assert set(types) >= {*fact_row(fact()), "user_hash", "from_seq", "to_seq", "shard"}
    assert types["last_said_at"] == "TIMESTAMP WITH TIME ZONE"
    assert types["namespace"] == "VARCHAR[]"
    assert found == [("m2", "user", 2001)]
    assert event_city == [("Zürich",)]
    assert meta == {"state_id": "s1", "format_version": "2", "generation": "1"}


def test_rows_lie_sorted_by_user(tmp_path: Path) -> None:
    users = [f"u{i}" for i in range(50)]
    write_generation(tmp_path, contents(*users))
    versions = read_latest(tmp_path, lambda con: list(all_versions(con)))
    order = [version.fact.user_id for version in versions[::3]]
    assert order == sorted(users, key=lambda user: user_hash("acme", user))


def test_more_rows_than_a_chunk_come_back_in_order(tmp_path: Path) -> None:
    """The last chunk alone has values in columns that were empty before."""
    total = 8_500

    def stream() -> Iterator[tuple[Fact, int, int | None, int]]:
        last = fact(reason="user asked", sources=(), revision=total)
        for i in range(1, total):
            yield fact(sources=(), revision=i), i, i + 1, 0
        yield last, total, None, 0

    generation = write_generation(tmp_path, Contents(facts=stream()))
    assert generation.rows["facts"] == total
    versions = read_latest(tmp_path, lambda con: user_history(con, "acme", "ana")).versions
    assert [version.fact.revision for version in versions] == list(range(1, total + 1))
    assert [versions[0].fact.reason, versions[-1].fact.reason] == [None, "user asked"]
    assert [versions[0].to_seq, versions[-1].to_seq] == [2, None]


def test_numbers_rise_and_only_the_newest_generations_stay(tmp_path: Path) -> None:
    for expected in (1, 2, 3, 4):
        assert write_generation(tmp_path, Contents(), keep=2).number == expected
    assert [path.name for path in generations(tmp_path)] == ["gen-00000003.duckdb", "gen-00000004.duckdb"]
    assert latest_generation(tmp_path).name == "gen-00000004.duckdb"
    for path in generations(tmp_path):
        path.unlink()
    assert write_generation(tmp_path, Contents()).number == 5


def test_a_failed_write_leaves_the_newest_generation_and_no_leftovers(tmp_path: Path) -> None:
    """S5."""
    write_generation(tmp_path, contents("ana"))
    before = sorted(tmp_path.iterdir())

    def breaking() -> Iterator[tuple[Fact, int, int | None, int]]:
        yield fact("bob"), 1, None, 0
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        write_generation(tmp_path, Contents(facts=breaking()))
    assert sorted(tmp_path.iterdir()) == before
    assert len(read_latest(tmp_path, lambda con: user_history(con, "acme", "ana")).versions) == 3


def test_a_killed_writer_leaves_nothing_that_the_next_one_does_not_clean(tmp_path: Path) -> None:
    """S5, F6: the process dies while rows of bob are half written; they are gone after the next snapshot."""
    write_generation(tmp_path, contents("ana"))
    script = (
        "import os, sys; from pathlib import Path; from state.snapshots import *; from dying_rows import rows\n"
        "write_generation(Path(sys.argv[1]), Contents(facts=rows()))"
    )
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "dying_rows.py").write_text(
        "import os\nfrom pathlib import Path\n"
        f"def rows():\n    Path({str(tmp_path)!r}, '.partial', 'spill').write_bytes(b'bob'); os._exit(9); yield\n"
    )
    paths = os.pathsep.join((str(Path(__file__).parents[2]), str(tmp_path / "modules")))
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], env={**os.environ, "PYTHONPATH": paths}, check=False
    )
    assert done.returncode == 9
    assert (tmp_path / ".partial" / "spill").exists()
    assert latest_generation(tmp_path).name == "gen-00000001.duckdb"
    assert write_generation(tmp_path, contents("ana")).number == 2
    assert not (tmp_path / ".partial").exists()


def test_two_cannot_write_at_once(tmp_path: Path) -> None:
    def nested() -> Iterator[tuple[Fact, int, int | None, int]]:
        write_generation(tmp_path, Contents())
        yield fact(), 1, None, 0

    with pytest.raises(SnapshotError, match="another process is writing"):
        write_generation(tmp_path, Contents(facts=nested()))


def test_a_reader_asks_again_when_its_generation_went_away(tmp_path: Path) -> None:
    write_generation(tmp_path, contents("ana"))
    asked = []

    def query(connection: Any) -> int:
        asked.append(latest_generation(tmp_path).name)
        if len(asked) == 1:
            for _ in range(2):
                write_generation(tmp_path, contents("ana", "bob"))
            raise duckdb.IOException("the file is gone")
        count: int = connection.execute("select count(*) from facts").fetchone()[0]
        return count

    assert read_latest(tmp_path, query) == 6
    assert asked == ["gen-00000001.duckdb", "gen-00000003.duckdb"]


def test_a_reader_keeps_an_error_that_is_not_of_a_lost_file(tmp_path: Path) -> None:
    write_generation(tmp_path, contents("ana"))

    def query(connection: Any) -> int:
        raise duckdb.IOException("the disk is broken")

    with pytest.raises(duckdb.IOException, match="broken"):
        read_latest(tmp_path, query)


def test_without_a_snapshot_the_remedy_is_named(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="factstream snapshot"):
        latest_generation(tmp_path)
    with pytest.raises(ValueError, match="keep is 0"):
        write_generation(tmp_path, Contents(), keep=0)


def test_a_generation_of_another_format_is_refused(tmp_path: Path) -> None:
    """S11."""
    path = write_generation(tmp_path, Contents()).path
    with duckdb.connect(str(path)) as connection:
        connection.execute("update meta set value = '99' where name = 'format_version'")
    with pytest.raises(SnapshotError, match="format 99, this program reads format 2"), open_generation(path):
        pass


def test_an_erased_user_is_in_no_byte_of_any_generation(tmp_path: Path) -> None:
    """F6: and what is held of others is what it was."""
    for _ in range(2):
        write_generation(tmp_path, contents("ana", "bob-the-erased"))
    before = read_latest(tmp_path, lambda con: user_history(con, "acme", "ana"))
    assert all(holds(path, "bob-the-erased") for path in generations(tmp_path))
    removed = erase_user(tmp_path, "acme", "bob-the-erased")
    assert removed == {"facts": 6, "events": 4, "proposals": 2, "commands": 2, "audit": 0}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in generations(tmp_path)] == ["gen-00000003.duckdb"]
    assert not any(holds(path, "bob-the-erased") for path in files)
    assert read_latest(tmp_path, lambda con: user_history(con, "acme", "ana")) == before
    assert read_latest(tmp_path, lambda con: con.execute("select value from meta where name='generation'").fetchone())


def test_erasing_who_is_not_there_touches_nothing(tmp_path: Path) -> None:
    assert not any(erase_user(tmp_path, "acme", "bob").values())
    write_generation(tmp_path, contents("ana"))
    assert not any(erase_user(tmp_path, "other", "ana").values())
    assert latest_generation(tmp_path).name == "gen-00000001.duckdb"


def test_erasing_drops_what_it_cannot_read_unless_it_is_the_newest(tmp_path: Path) -> None:
    """F6, S11."""
    for number in (1, 2):
        path = write_generation(tmp_path, contents("ana")).path
        if number == 1:
            with duckdb.connect(str(path)) as connection:
                connection.execute("update meta set value = '99' where name = 'format_version'")
    assert erase_user(tmp_path, "acme", "ana")["facts"] == 3
    assert [path.name for path in generations(tmp_path)] == ["gen-00000003.duckdb"]
    with duckdb.connect(str(latest_generation(tmp_path))) as connection:
        connection.execute("update meta set value = '99' where name = 'format_version'")
    with pytest.raises(SnapshotError, match="write a new snapshot"):
        erase_user(tmp_path, "acme", "ana")


@pytest.mark.parametrize("at_ms", [999, 1000, 4999, 5000, 9000])
def test_the_query_for_a_moment_agrees_with_the_rule(tmp_path: Path, at_ms: int) -> None:
    """Q1."""
    write_generation(tmp_path, contents("ana", "bob"))
    with open_generation(latest_generation(tmp_path)) as connection:
        versions = user_history(connection, "acme", "ana").versions
        assert list(facts_as_of(connection, at_ms, "acme", "ana")) == as_of(versions, at_ms)
        everyone = [(f.user_id, f.content) for f in facts_as_of(connection, at_ms)]
    expected = {999: 0, 1000: 1, 4999: 1, 5000: 1, 9000: 1}[at_ms]
    assert len(everyone) == 2 * expected
    if expected:
        content = "moved" if at_ms >= 5000 else None
        assert {text for _, text in everyone} == (
            {content} if content else {"ana lives in Zürich", "bob lives in Zürich"}
        )
