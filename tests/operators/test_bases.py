"""A long candidate log is folded away into a base, and nobody can tell (R14)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import reconcile
from state import bases
from state.facts import Entry
from state.memory_store import load_user
from tests.operators.test_any_order import _TOLD, _entry, _known, with_one_decision
from tests.operators.test_reconcile import active, feed, names, reader, said, step
from tests.state.builders import DAY_MS, START_MS, command, entry
from tests.state.folding import POLICY, Folding

LATENESS_DAYS = 6


@pytest.fixture(autouse=True)
def short() -> Iterator[None]:
    """Logs that are looked at after every entry and folded away from the third on."""
    with patch.object(reconcile, "_BOUND_EVERY", 1), patch.object(bases, "LOG_ENTRIES", 2):
        yield


def tea(number: int) -> str:
    return f"{chr(97 + number % 26) * 3}{chr(97 + number // 26)} tea"


def likes(number: int) -> Entry:
    return entry(said(f"User likes {tea(number)}", "likes", tea(number), day=number))


def rows(path: Path) -> tuple[int, int, int]:
    """Log rows with words, all of them, and memories laid down."""
    [found] = reader(path).execute(
        "select (select count(*) from log where body != x'' and to_seq is null),"
        " (select count(*) from log where to_seq is null), (select count(*) from base where to_seq is null)"
    )
    return found


@st.composite
def late_lives(draw: st.DrawFn) -> tuple[list[Entry], list[Entry]]:
    """Entries in the order of the fold, and as they arrive: none later than the horizon."""
    told_of = with_one_decision(draw(st.lists(_TOLD, min_size=6, max_size=14)))
    days = draw(st.lists(st.integers(0, 60), min_size=len(told_of), max_size=len(told_of)).map(sorted))
    entries = [_entry(what, day, number) for number, (what, day) in enumerate(zip(told_of, days, strict=True))]
    delays = draw(st.lists(st.integers(0, LATENESS_DAYS - 1), min_size=len(entries), max_size=len(entries)))
    arrival = sorted(zip(entries, delays, strict=True), key=lambda each: each[0].at_ms + each[1] * DAY_MS)
    return entries, [each for each, _ in arrival]


@given(late_lives())
@settings(max_examples=40, deadline=None)
def test_a_memory_whose_log_was_folded_away_ends_like_one_that_kept_it(life: tuple[list[Entry], list[Entry]]) -> None:
    """R14: with late arrivals, after each of which the rest is folded again from the base"""
    entries, arrival = life
    with TemporaryDirectory() as name:
        memory = step(Path(name), rules=POLICY, lateness_ms=LATENESS_DAYS * DAY_MS)
        for each in arrival:
            feed(memory, each)
        memory._store.file.close()
        db = reader(Path(name))
        held = _known(load_user(db, "t", "u"))
        db.close()
    assert held == _known(Folding().fold(*entries).memory)


def test_the_log_stays_short_whatever_a_user_says(tmp_path: Path) -> None:
    """R14: the words go, what tells a message apart stays, so that none counts twice"""
    memory = step(tmp_path, lateness_ms=3 * DAY_MS)
    for day in range(40):
        feed(memory, likes(day))
    with_words, messages, laid_down = rows(tmp_path)
    assert with_words <= 10
    assert (messages, laid_down) == (40, 2)
    assert feed(memory, likes(5)) == []


def test_a_memory_laid_down_is_undone_with_what_was_not_committed(tmp_path: Path) -> None:
    """S5"""
    memory = step(tmp_path, lateness_ms=3 * DAY_MS)
    for day in range(3):
        feed(memory, likes(day))
    state, before = memory.snapshot(), rows(tmp_path)
    for day in range(3, 20):
        feed(memory, likes(day))
    assert rows(tmp_path) != before
    resumed = step(tmp_path, state)
    assert rows(tmp_path) == before
    assert len(active(tmp_path)) == 3
    assert names(feed(resumed, likes(3))) == ["ADD"]


def test_what_comes_beyond_the_horizon_survives_a_later_refold(tmp_path: Path) -> None:
    """R14: it is applied as it comes, and to the base too"""
    memory = step(tmp_path, lateness_ms=3 * DAY_MS)
    for day in range(5, 20):
        feed(memory, likes(day))
    feed(memory, entry(said("User lives in Berlin", "lives_in", "Berlin", day=1)))
    feed(memory, entry(said("User likes rain", "likes", "rain", day=18)))
    assert {"User lives in Berlin", "User likes rain", f"User likes {tea(6)}"} <= set(active(tmp_path))


def test_an_old_message_that_is_taken_back_takes_along_what_only_it_supports(tmp_path: Path) -> None:
    """F7: though its words have left the log"""
    memory = step(tmp_path, lateness_ms=3 * DAY_MS)
    old, again = likes(1), entry(said(f"User likes {tea(2)}", "likes", tea(2), day=3))
    feed(memory, old, likes(2), again)
    for day in range(4, 20):
        feed(memory, likes(day))
    for number, message in enumerate((old.entry_id, likes(2).entry_id)):
        feed(memory, Entry("default", "ana", START_MS + (30 + number) * DAY_MS, f"d{number}", retracts=message))
    assert f"User likes {tea(1)}" not in active(tmp_path)
    assert f"User likes {tea(2)}" in active(tmp_path)


def test_an_erased_user_leaves_no_memory_laid_down(tmp_path: Path) -> None:
    """F6"""
    memory = step(tmp_path, lateness_ms=3 * DAY_MS)
    for day in range(20):
        feed(memory, likes(day))
    erase = command("erase", START_MS + 30 * DAY_MS)
    feed(memory, Entry("default", "ana", erase.sent_at_ms, erase.command_id, command=erase))
    assert rows(tmp_path)[2] == 0


def test_commands_stay_whole_in_the_log(tmp_path: Path) -> None:
    """S9: what was asked is history"""
    memory = step(tmp_path, lateness_ms=3 * DAY_MS)
    forget = command("forget", START_MS + DAY_MS, "k1", text=tea(0))
    feed(memory, likes(0), Entry("default", "ana", forget.sent_at_ms, "k1", command=forget))
    for day in range(2, 20):
        feed(memory, likes(day))
    [(body,)] = reader(tmp_path).execute("select body from log where entry_id = 'k1' and to_seq is null")
    assert tea(0).encode() in body
