"""The ledger of erasures outlives crashes and rollbacks, and knows whom to skip without naming them (F6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from state.erasures import CarriedOut, Erasures, by_user
from state.layout import LayoutError
from state.memory_store import MemoryStore
from tests.state.builders import START_MS

USER = "default/ana"


def begun(folder: Path, at_ms: int = START_MS, ident: str = "k1", allows_replay: bool = False) -> Erasures:
    ledger = Erasures(folder)
    ledger.begin("default", "ana", ident, at_ms, allows_replay, 3, 64)
    return ledger


def test_a_memory_without_erasures_has_no_ledger(tmp_path: Path) -> None:
    """F6: asking costs nothing and makes nothing"""
    ledger = Erasures(tmp_path / "erasures")
    assert not ledger.covers(USER, START_MS)
    assert (ledger.all(), ledger.of(USER), ledger.unfinished()) == ([], [], [])
    assert not (tmp_path / "erasures").exists()


def test_what_was_said_up_to_the_cut_off_is_covered_also_after_a_restart(tmp_path: Path) -> None:
    """F6"""
    for ledger in (begun(tmp_path), Erasures(tmp_path)):
        assert ledger.covers(USER, START_MS)
        assert not ledger.covers(USER, START_MS + 1)
        assert not ledger.covers("default/ben", START_MS)


@pytest.mark.parametrize("restarted", [False, True])
def test_the_latest_erasure_of_a_user_decides_whether_a_replay_counts(tmp_path: Path, restarted: bool) -> None:
    """F6"""
    ledger = begun(tmp_path)
    ledger.begin("default", "ana", "k2", START_MS + 10, True, 3, 64)
    ledger.learn(USER, START_MS, False)  # the first one, delivered again
    ledger = Erasures(tmp_path) if restarted else ledger
    assert not ledger.covers(USER, START_MS)
    ledger.begin("default", "ana", "k3", START_MS + 20, False, 3, 64)
    assert ledger.covers(USER, START_MS)


def test_a_closed_erasure_names_nobody(tmp_path: Path) -> None:
    """F6: not in its rows, and in no byte of its files"""
    ledger = Erasures(tmp_path)
    ledger.begin("acme", "anastasia", "erase-anastasia", START_MS, False, 3, 64)
    ledger.keep_keys("acme/anastasia", "erase-anastasia", [("facts", "f-17")])
    assert b"anastasia" in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    ledger.mark("acme/anastasia", "erase-anastasia", "published")
    ledger.close("acme/anastasia", "erase-anastasia", 5)
    [erasure] = Erasures(tmp_path).of("acme/anastasia")
    assert (erasure.tenant, erasure.user_id, erasure.command_id, erasure.done_ms) == (None, None, None, 5)
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"anastasia" not in left
    assert b"f-17" not in left


def test_keys_add_up_until_they_are_published(tmp_path: Path) -> None:
    """F6: a crash in between loses none"""
    ledger = begun(tmp_path)
    assert ledger.keep_keys(USER, "k1", [("facts", "a"), ("events", "b")]) == [("events", "b"), ("facts", "a")]
    again = Erasures(tmp_path)
    assert again.keep_keys(USER, "k1", [("facts", "c")]) == [("events", "b"), ("facts", "a"), ("facts", "c")]
    again.mark(USER, "k1", "published")
    assert again.keep_keys(USER, "k1", []) == []


def test_counts_survive_being_done_again_with_less(tmp_path: Path) -> None:
    ledger = begun(tmp_path)
    assert ledger.count(USER, "k1", 3, {"memory.fact": 12})
    assert ledger.count(USER, "k1", 3, {"memory.fact": 1})
    assert ledger.count(USER, "k1", 4, {"memory.fact": 2})
    assert not ledger.count(USER, "unknown", 3, {"memory.fact": 1})
    [erasure] = ledger.all()
    assert dict(erasure.removed) == {"memory.fact": 14}
    assert erasure.told() == "memory.fact 14"


def test_an_erasure_waits_for_its_phases_and_goes_through_them_again_when_it_is_begun_again(tmp_path: Path) -> None:
    ledger = begun(tmp_path)
    ledger.mark(USER, "k1", "windows", "memory")
    assert begun(tmp_path).all()[0].waiting == ("published", "snapshots", "spool", "dead_letters")
    ledger.close(USER, "k1", 7)
    assert ledger.unfinished() == []
    [erasure] = begun(tmp_path).unfinished()
    assert (erasure.done_ms, erasure.phases, erasure.user_id) == (None, frozenset(), "ana")


def test_a_lost_key_is_told_with_the_remedy(tmp_path: Path) -> None:
    """S11"""
    begun(tmp_path)
    (tmp_path / "key").unlink()
    with pytest.raises(LayoutError, match="Put it back"):
        Erasures(tmp_path).covers(USER, START_MS)


def test_what_a_file_has_been_through_is_rolled_back_by_command_and_stays_by_number(tmp_path: Path) -> None:
    """F6, S5"""
    ledger = begun(tmp_path / "ledger")
    [erasure] = ledger.all()
    store = MemoryStore(tmp_path / "m.db", None)
    resume = store.snapshot()
    with store.file.transaction():
        store.carried_out.is_through(erasure.number)
        store.file.next_seq()
        assert store.carried_out.first(erasure.user_hash, erasure.command_hash)
        assert not store.carried_out.first(erasure.user_hash, erasure.command_hash)
    store.file.close()
    resumed = CarriedOut(MemoryStore(tmp_path / "m.db", resume).file)
    assert not resumed.has(erasure)
    assert resumed.through() == erasure.number


def test_an_erasure_that_allows_a_replay_is_not_carried_out_once_more(tmp_path: Path) -> None:
    """F6: what it removed may have come back since"""
    ledger = begun(tmp_path)
    ledger.begin("default", "ben", "k2", START_MS, True, 3, 64)
    assert list(by_user(ledger.all())) == [ledger.user_hash(USER)]
