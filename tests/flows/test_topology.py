"""The one dataflow: the same topic gives the same memory however it is run (T7, S4, S8)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows import topology
from flows.memory import Memory
from state.layout import LayoutError
from tests.recovery.test_kill import memory_of, run_to_end, start, stored_events, write_sources
from tests.stub_job import StubSpec, run


def spec(folder: Path, name: str, sources: list[str], **fields: Any) -> StubSpec:
    return StubSpec(str(folder / name), sources, str(folder / f"{name}-out"), **fields)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_sources(tmp_path_factory.mktemp("sources"), rows_a_file=210)


def test_windows_cut_elsewhere_give_the_same_facts_and_event_ids(tmp_path: Path, sources: list[str]) -> None:
    """T7"""
    one = spec(tmp_path, "one", sources, windows={"conversation_length": 2})
    other = spec(tmp_path, "other", sources, windows={"conversation_length": 60, "idle_gap_ms": 3_600_000}, shards=8)
    run(one)
    run(other)
    assert memory_of(one) == memory_of(other)
    assert stored_events(one) == stored_events(other)


def test_four_workers_give_the_same_facts_and_event_ids_as_one(tmp_path: Path, sources: list[str]) -> None:
    """S4"""
    one, four = spec(tmp_path, "one", sources), spec(tmp_path, "four", sources)
    run(one)
    processes = start(four, 4, tmp_path / "log")
    assert [process.wait(120) for process in processes] == [0, 0, 0, 0]
    assert memory_of(one) == memory_of(four)
    assert stored_events(one) == stored_events(four)


def test_the_same_input_again_adds_nothing(tmp_path: Path, sources: list[str]) -> None:
    """S4, R5: by the stored position, and from another path by message ids alone"""
    first = spec(tmp_path, "state", sources[:1])
    run(first)
    before = memory_of(first), stored_events(first)
    run(first)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(Path(sources[0]).read_bytes())
    run(spec(tmp_path, "state", [str(copy)]))
    assert (memory_of(first), stored_events(first)) == before


def test_a_memory_is_fed_from_other_files_and_goes_on_with_the_first(tmp_path: Path, sources: list[str]) -> None:
    """S8: positions of inputs that a run does not read are kept"""
    apart, together = spec(tmp_path, "apart", sources[:1]), spec(tmp_path, "together", sources[:2])
    run(apart)
    run(spec(tmp_path, "apart", sources[1:2]))
    run(spec(tmp_path, "apart", []))
    run(apart)
    run(together)
    assert memory_of(apart) == memory_of(together)
    assert stored_events(apart) == stored_events(together)


def test_lines_added_to_a_file_are_read_on(tmp_path: Path, sources: list[str]) -> None:
    """S8"""
    lines = Path(sources[0]).read_bytes().splitlines(keepends=True)
    growing = tmp_path / Path(sources[0]).name
    growing.write_bytes(b"".join(lines[:100]))
    half = spec(tmp_path, "half", [str(growing)])
    run(half)
    growing.write_bytes(b"".join(lines))
    run(half)
    whole = spec(tmp_path, "whole", sources[:1])
    run(whole)
    assert memory_of(half) == memory_of(whole)


def test_no_user_text_is_in_the_recovery_store(tmp_path: Path, sources: list[str]) -> None:
    """S5, P2: it holds offsets and shard numbers"""
    job = spec(tmp_path, "state", sources)
    run(job)
    recovery = b"".join(path.read_bytes() for path in sorted((tmp_path / "state" / "recovery").iterdir()))
    for word in (b"Berlin", b"live in", b"what a day", b"default/u", b"User"):
        assert word not in recovery
    shards = b"".join(path.read_bytes() for path in sorted((tmp_path / "state" / "shards").iterdir()))
    assert b"Berlin" in shards


def test_a_lost_recovery_directory_stops_the_job_and_harms_nothing(tmp_path: Path, sources: list[str]) -> None:
    """S5, S11"""
    job = spec(tmp_path, "state", sources[:1])
    run(job)
    before = memory_of(job)
    recovery = tmp_path / "state" / "recovery"
    recovery.rename(tmp_path / "aside")
    with pytest.raises(LayoutError, match="Put the one back"):
        run(job)
    (tmp_path / "aside").rename(recovery)
    run(job)
    assert memory_of(job) == before


def test_a_foreign_recovery_directory_stops_the_job_and_harms_nothing(tmp_path: Path, sources: list[str]) -> None:
    """S5, S11"""
    job, other = spec(tmp_path, "state", sources[:1]), spec(tmp_path, "other", sources[1:2])
    run(job)
    run(other)
    before = memory_of(job)
    (tmp_path / "state" / "recovery").rename(tmp_path / "aside")
    (tmp_path / "other" / "recovery").rename(tmp_path / "state" / "recovery")
    with pytest.raises(LayoutError, match="another memory"):
        run(job)
    assert memory_of(job) == before


def test_bad_records_become_dead_letters_and_their_neighbours_are_processed(tmp_path: Path) -> None:
    """S3"""
    good = b'{"user_id":"ana","message_id":"m%d","role":"user","text":"I like tea","sent_at":"2026-03-01T10:0%d:00Z"}\n'
    bad = (
        b"not json\n",
        b'{"role":"user","text":"hi","sent_at":"2026-03-01T10:00:00Z"}\n',
        b'{"user_id":7,"role":"user","text":"hi","sent_at":"2026-03-01T10:00:00Z"}\n',
        b'{"user_id":"ana","role":"user","text":"\xff\xfe","sent_at":"2026-03-01T10:00:00Z"}\n',
        b'{"user_id":"ana","role":"wizard","text":"hi","sent_at":"2026-03-01T10:00:00Z"}\n',
        b'{"user_id":"ana","role":"user","text":"hi","sent_at":"0001-01-01T00:00:00Z"}\n',
        b'{"user_id":"ana","role":"user","text":"hi","sent_at":"9999-12-31T00:00:00Z"}\n',
        b'{"user_id":"ana","role":"user","text":"' + b"x" * 2_000_000 + b'","sent_at":"2026-03-01T10:00:00Z"}\n',
        b'{"user_id":"ana","role":"user","text":[{"type":"text","text":{"deep":1}}],"sent_at":"2026-03-01T10:00:00Z"}\n',
    )
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"".join(line for i, each in enumerate(bad) for line in (good % (i, i), each)))
    job = spec(tmp_path, "state", [str(path)])
    run(job)
    with Memory(job.state) as memory:
        assert [fact.mentions for fact in memory.facts("ana")] == [len(bad)]
    letters = (line for out in Path(job.out).iterdir() for line in out.read_bytes().splitlines())
    assert sum(b'"stream":"dead_letters"' in line for line in letters) == len(bad)


def test_too_many_bad_records_stop_the_job(tmp_path: Path) -> None:
    """S3: loudly, instead of draining a topic into dead letters"""
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"not json\n" * 2_000)
    with pytest.raises(Exception, match="error calling") as caught:
        run(spec(tmp_path, "state", [str(path)]))
    from flows.spec import cause_of

    assert "share_max" in str(cause_of(caught.value))


def test_step_ids_are_pinned() -> None:
    """S11: the recovery store keeps each step's state under its id, so a changed id would lose a memory's position"""
    assert topology.STEP_IDS == ("messages", "commands", "windows", "memory", "records", "letters")


def test_the_recovery_store_knows_exactly_the_pinned_steps(tmp_path: Path, sources: list[str]) -> None:
    """S11"""
    import sqlite3

    job = spec(tmp_path, "state", sources[:1])
    assert run_to_end(job, tmp_path / "log", 0, 1) == 0
    found = set()
    for part in sorted((tmp_path / "state" / "recovery").glob("part-*")):
        found |= {row[0] for row in sqlite3.connect(part).execute("select distinct step_id from snaps")}
    assert {step.removeprefix("factstream.").split(".")[0] for step in found} == set(topology.STEP_IDS) - {"letters"}
