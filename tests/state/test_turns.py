"""Turns lie beside facts in a shard's file: kept as long as configured, rolled back and erased like the rest."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from state.memory_store import MemoryStore, read_only
from state.messages import Origin
from state.turns import Turn, read, shelf
from tests.state.builders import DAY_MS, START_MS

USER = "default/ana"
NOW_MS = START_MS + 1_000 * DAY_MS


def turn(message_id: str, text: str, day: float = 0, **changes: Any) -> Turn:
    values: dict[str, Any] = {
        "tenant": "default",
        "user_id": "ana",
        "message_id": message_id,
        "conversation_id": "c1",
        "role": "user",
        "text": text,
        "sent_at_ms": START_MS + int(day * DAY_MS),
        "origin": Origin("t", 0, 7),
    }
    return Turn(**{**values, **changes})


class Store:
    """A memory file with a 30 days' shelf."""

    def __init__(self, path: Path, resume: Any = None, turns_ms: int | None = 30 * DAY_MS) -> None:
        self.path = path / "m.db"
        self.store = MemoryStore(self.path, resume, turns_ms)

    def keep(self, *kept: Turn, user: str = USER) -> None:
        with self.store.file.transaction():
            self.store.file.next_seq()
            self.store.keep_turns(user, kept, NOW_MS)

    def commit(self, times: int = 1) -> Any:
        return [self.store.snapshot() for _ in range(times)][-1]

    def db(self) -> sqlite3.Connection:
        db = read_only(self.path)
        assert db is not None
        return db

    def kept(self, user: str = USER) -> list[str]:
        return list(shelf(self.db(), user).message_ids)


def test_a_turn_comes_back_as_it_was_said(tmp_path: Path) -> None:
    """Q4"""
    store, said = Store(tmp_path), turn("m1", "I moved to Porto", speaker="Ana", embedding=b"e" * 384)
    store.keep(said)
    assert read(store.db(), USER, ["m1", "m2"]) == {"m1": said}
    assert read(store.db(), "default/ben", ["m1"]) == {}


def test_a_turn_that_comes_again_is_kept_once(tmp_path: Path) -> None:
    """R5"""
    store = Store(tmp_path)
    store.keep(turn("m1", "I moved to Porto"))
    store.keep(turn("m1", "I moved to Porto"))
    assert store.kept() == ["m1"]


def test_an_edit_takes_the_place_of_what_was_said_and_a_deletion_leaves_nothing(tmp_path: Path) -> None:
    """F7"""
    store = Store(tmp_path)
    store.keep(turn("m1", "I moved to Porto"), turn("m2", "with my cat"))
    store.keep(turn("m1", "I moved to Lisbon", revises=True), turn("m2", "", revises=True))
    assert read(store.db(), USER, ["m1"])["m1"].text == "I moved to Lisbon"
    assert store.kept() == ["m1"]
    store.commit(8)
    store.store.file.close()
    assert b"Porto" not in store.path.read_bytes()


def test_what_was_kept_after_the_resume_point_is_taken_back(tmp_path: Path) -> None:
    """S5"""
    store = Store(tmp_path)
    store.keep(turn("m1", "first"))
    resume = store.commit()
    store.keep(turn("m2", "second"), turn("m1", "edited", revises=True))
    store.store.file.close()
    again = Store(tmp_path, resume)
    assert again.kept() == ["m1"]
    assert read(again.db(), USER, ["m1"])["m1"].text == "first"


def test_turns_go_when_they_are_older_than_the_retention(tmp_path: Path) -> None:
    """F5, P2"""
    store = Store(tmp_path)
    store.keep(turn("old", "long ago", 0), turn("new", "lately", 25))
    store.keep(turn("other", "a month later", 31, user_id="ben"), user="default/ben")
    store.commit(8)
    assert store.kept() == ["new"]


def test_a_wrong_date_in_the_future_ends_nobodys_turns(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.keep(turn("new", "lately", 999), turn("wrong", "in another century", 40_000))
    store.commit(8)
    assert store.kept() == ["new", "wrong"]


def test_turns_kept_before_go_when_they_are_no_longer_to_be_kept(tmp_path: Path) -> None:
    """P2"""
    store = Store(tmp_path)
    store.keep(turn("m1", "said"))
    resume = store.commit(8)
    store.store.file.close()
    off = Store(tmp_path, resume, None)
    off.commit(8)
    assert off.kept() == []


def test_turns_are_erased_with_their_user(tmp_path: Path) -> None:
    """F6"""
    store = Store(tmp_path)
    store.keep(turn("m1", "a word of ana"))
    store.keep(turn("m1", "a word of ben", user_id="ben"), user="default/ben")
    with store.store.file.transaction():
        store.store.erase(USER, 2**62)
    store.commit()
    assert store.kept() == []
    assert store.kept("default/ben") == ["m1"]
    assert b"a word of ana" not in store.path.read_bytes()


def test_a_file_of_a_version_without_turns_has_none(tmp_path: Path) -> None:
    """S11"""
    db = sqlite3.connect(tmp_path / "old.db")
    assert len(shelf(db, USER)) == 0
    assert read(db, USER, ["m1"]) == {}
