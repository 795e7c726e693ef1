"""The window step decides when messages are evaluated, never what, and loses none (T1–T7)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.observing import Observer, Unobserved
from operators.window import WindowPolicy, WindowStep
from state.erasures import Erasures
from state.messages import Reflection, Scrub
from state.windows import Retention
from tests.state.builders import DAY_MS, MINUTE_MS, START_MS, command, message


class Clock:
    def __init__(self) -> None:
        self.now_ms = START_MS

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(self.now_ms / 1000, UTC)


class OpenWindows(Unobserved):
    """The gauge of open windows, as Prometheus would see it."""

    def __init__(self) -> None:
        self.now = 0.0

    def gauge(self, name: str, value: float, **labels: str) -> None:
        assert name == "open_windows"
        self.now += value


def step(
    path: Path, clock: Clock | None = None, resume: Any = None, observer: Observer | None = None, **policy: Any
) -> WindowStep:
    return WindowStep(
        lambda shard: path / f"w{shard}.db",
        lambda item: 0,
        WindowPolicy(**policy),
        lambda text: text.startswith("remember"),
        observer or Unobserved(),
        resume,
        clock or Clock(),
        erasures=Erasures(path / "erasures"),
    )


def texts(emitted: Iterable[Any]) -> list[list[str]]:
    return [[m.text for m in item.messages] for item in emitted if isinstance(item, Reflection)]


def feed(window: WindowStep, *items: Any) -> list[Any]:
    return list(window.on_batch(items)[0])


def test_a_window_closes_at_half_the_conversation_length_rounded_up(tmp_path: Path) -> None:
    """T1: messages of every role count"""
    window = step(tmp_path, conversation_length=5)
    roles = ("user", "assistant", "user")
    said = [message(f"m{i}", START_MS + i, role=role) for i, role in enumerate(roles)]
    assert texts(feed(window, *said[:2])) == []
    assert texts(feed(window, said[2])) == [["m0", "m1", "m2"]]


def test_a_batch_that_jumps_over_the_length_still_closes(tmp_path: Path) -> None:
    """T1: counted since the last reflection, not a modulo of a total"""
    window = step(tmp_path, conversation_length=4)
    out = texts(feed(window, *(message(f"m{i}", START_MS + i) for i in range(5))))
    assert out == [["m0", "m1"], ["m2", "m3"]]


def test_a_users_next_message_closes_her_idle_windows_first(tmp_path: Path) -> None:
    """T2: in whichever conversation"""
    window = step(tmp_path)
    feed(window, message("old", START_MS, conversation_id="c1"))
    out = feed(window, message("new", START_MS + 11 * MINUTE_MS, conversation_id="c2"))
    assert texts(out) == [["old"]]
    assert out[0].trigger == "idle"


def test_the_timer_closes_a_window_that_is_idle_by_the_clock(tmp_path: Path) -> None:
    """T2: in live running"""
    clock = Clock()
    window = step(tmp_path, clock)
    feed(window, message("last words", START_MS - DAY_MS))
    due = window.notify_at()
    assert due is not None
    assert due.timestamp() * 1000 == START_MS + 10 * MINUTE_MS
    assert texts(window.on_notify()[0]) == []
    clock.now_ms = START_MS + 10 * MINUTE_MS
    assert texts(window.on_notify()[0]) == [["last words"]]
    assert window.notify_at() is None


def test_open_windows_are_gauged_through_every_way_of_opening_and_closing(tmp_path: Path) -> None:
    """S7"""
    clock, gauge = Clock(), OpenWindows()
    window = step(tmp_path, clock, observer=gauge, conversation_length=4)
    feed(window, *(message(f"{user}1", START_MS, user_id=user) for user in ("ana", "ben", "cy", "di")))
    assert gauge.now == 4
    feed(window, message("ana2", START_MS + 1, user_id="ana"), command("erase", user_id="ben"))
    assert gauge.now == 2
    resumed = OpenWindows()
    again = step(tmp_path, clock, window.snapshot(), resumed)
    assert resumed.now == 2
    feed(again, message("di2", START_MS + 1, user_id="di", conversation_id="other"))
    assert resumed.now == 3
    clock.now_ms = START_MS + 10 * MINUTE_MS
    assert len(texts(again.on_notify()[0])) == 3
    assert resumed.now == 0
    feed(again, message("ed1", clock.now_ms, user_id="ed"))
    assert (resumed.now, texts(again.on_eof()[0])) == (1, [["ed1"]])
    assert resumed.now == 0


def test_the_partitions_progress_closes_windows_that_others_left_behind(tmp_path: Path) -> None:
    """T2, S6: a replay of many users keeps few windows open"""
    window = step(tmp_path)
    feed(window, message("ana's", START_MS - DAY_MS))
    out = feed(window, message("ben's", START_MS - DAY_MS + 11 * MINUTE_MS, user_id="ben"))
    assert texts(out) == [["ana's"]]


def test_two_users_in_one_room_never_mix(tmp_path: Path) -> None:
    """T5"""
    window = step(tmp_path)
    feed(window, message("I'm a vet", user_id="ana"), message("I'm a plumber", user_id="ben"))
    assert texts(window.on_eof()[0]) == [["I'm a vet"], ["I'm a plumber"]]


def test_a_flush_closes_all_windows_of_the_user_and_goes_on(tmp_path: Path) -> None:
    """T3"""
    window = step(tmp_path)
    feed(window, message("a", conversation_id="c1"), message("b", conversation_id="c2"), message("c", user_id="ben"))
    flush = command("flush")
    out = feed(window, flush)
    assert texts(out) == [["a"], ["b"]]
    assert out[-1] is flush


def test_a_message_that_asks_memory_closes_at_once(tmp_path: Path) -> None:
    """T3"""
    assert texts(feed(step(tmp_path), message("hi"), message("remember that I moved"))) == [
        ["hi", "remember that I moved"]
    ]


def test_an_erase_drops_the_users_windows(tmp_path: Path) -> None:
    """T3, F6"""
    window = step(tmp_path)
    feed(window, message("secret"), command("erase"))
    assert texts(window.on_eof()[0]) == []


def test_an_erase_delivered_again_spares_what_came_since(tmp_path: Path) -> None:
    """F6"""
    window = step(tmp_path)
    feed(window, message("old"), command("erase", ident="k1"))
    feed(window, message("new", START_MS + 1), command("erase", ident="k1"))
    assert texts(window.on_eof()[0]) == [["new"]]


def copy_of(text: str, author: str, owner: str, at_ms: int = START_MS) -> Any:
    return message(text, at_ms, role="peer", user_id=owner, author=author, speaker="a nickname")


def scrub(author: str, cut_off_ms: int = START_MS) -> Scrub:
    return Scrub(0, "default", author, "k1", cut_off_ms, False)


def test_what_an_erased_user_said_before_is_skipped_from_wherever_it_comes_again(tmp_path: Path) -> None:
    """F6: messages, commands, and copies in the windows of others"""
    window = step(tmp_path)
    erase = command("erase", START_MS + 5)
    old = message("old", START_MS + 5), command("profile", START_MS + 5), copy_of("copied", "ana", "ben", START_MS + 5)
    new = message("new", START_MS + 6), copy_of("said later", "ana", "ben", START_MS + 6)
    assert feed(window, erase, *old, *new) == [erase]
    assert sorted(texts(window.on_eof()[0])) == [["new"], ["said later"]]
    state = window.snapshot()
    resumed = step(tmp_path, resume=state)
    assert feed(resumed, *old) == []
    assert texts(resumed.on_eof()[0]) == []


def test_an_import_of_an_erased_user_stays_out_unless_it_is_asked_for(tmp_path: Path) -> None:
    """F6, Q5: what is asked for counts as said after the erase"""
    window = step(tmp_path)
    erase = command("erase", START_MS + 5)
    old = command("import", START_MS, text="Likes tea")
    asked = command("import", START_MS, ident="k2", text="Likes tea", allow_replay=True)
    assert feed(window, erase, old, asked) == [erase, replace(asked, sent_at_ms=START_MS + 6)]


def test_an_erase_takes_what_was_said_up_to_its_time(tmp_path: Path) -> None:
    """F6: as every command, it acts at its time"""
    window = step(tmp_path)
    feed(window, message("before"), message("after", START_MS + 9), command("erase", START_MS + 5))
    assert texts(window.on_eof()[0]) == [["after"]]


def test_copies_of_what_an_erased_user_said_leave_the_windows_of_others(tmp_path: Path) -> None:
    """F6: where a group conversation put them; a window of nothing else is gone"""
    window = step(tmp_path)
    feed(window, copy_of("hers", "ana", "ben"), message("his", user_id="ben"), copy_of("alone", "ana", "eve"))
    feed(window, message("kim's", user_id="kim"), message("of ana", user_id="kim"))
    assert feed(window, scrub("ana")) == []
    assert sorted(texts(window.on_eof()[0])) == [["his"], ["kim's", "of ana"]]
    window.snapshot()
    assert b"hers" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.db*"))


def test_a_shard_without_windows_is_not_made_by_an_erase_elsewhere(tmp_path: Path) -> None:
    """F6, S6"""
    out, keeps = step(tmp_path).on_batch([scrub("ana")])
    assert (list(out), keeps) == ([], WindowStep.DISCARD)
    assert not (tmp_path / "w0.db").exists()


def test_windows_from_before_an_erase_are_erased_when_they_come_back(tmp_path: Path) -> None:
    """F6: a rollback, or a backup put back, does not undo an erase"""
    window = step(tmp_path)
    feed(window, message("old"), copy_of("copied", "ana", "ben"), message("his", user_id="ben"))
    state = window.snapshot()
    for name in ("w0.db", "w0.db-wal"):
        (tmp_path / f"kept-{name}").write_bytes((tmp_path / name).read_bytes())
    feed(window, command("erase"))
    window.snapshot()
    for name in ("w0.db", "w0.db-wal"):
        (tmp_path / f"kept-{name}").rename(tmp_path / name)
    (tmp_path / "w0.db-shm").unlink()
    resumed = step(tmp_path, resume=state)
    assert texts(resumed.on_eof()[0]) == [["his"]]


def test_the_ids_of_who_else_was_there_are_not_kept(tmp_path: Path) -> None:
    """F6"""
    window = step(tmp_path)
    feed(window, message("hi", participants=("ana", "zoroaster")))
    window.snapshot()
    assert b"zoroaster" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.db*"))


def test_windows_of_one_message_close_at_the_first(tmp_path: Path) -> None:
    """T1"""
    assert texts(feed(step(tmp_path, conversation_length=2), message("one"))) == [["one"]]


def test_one_message_id_in_two_conversations_is_two_messages(tmp_path: Path) -> None:
    """T6"""
    window = step(tmp_path)
    feed(window, message("a", ident="1", conversation_id="c1"), message("b", ident="1", conversation_id="c2"))
    assert texts(window.on_eof()[0]) == [["a"], ["b"]]


def test_the_end_of_a_bounded_run_closes_everything(tmp_path: Path) -> None:
    """T4"""
    window = step(tmp_path)
    feed(window, message("a"), message("b", user_id="ben"))
    assert texts(window.on_eof()[0]) == [["a"], ["b"]]
    assert texts(window.on_eof()[0]) == []


def test_too_many_open_windows_close_the_oldest(tmp_path: Path) -> None:
    """S6: every queue is bounded"""
    window = step(tmp_path, open_windows_max=2)
    out = feed(window, *(message(f"m{i}", user_id=f"u{i}") for i in range(3)))
    assert texts(out) == [["m0"]]
    assert out[0].trigger == "pressure"


def test_the_same_message_twice_is_one(tmp_path: Path) -> None:
    """R5, S5"""
    window = step(tmp_path)
    feed(window, message("once", ident="m1"), message("once", ident="m1"))
    assert texts(window.on_eof()[0]) == [["once"]]


def test_a_deletion_of_a_seen_message_is_passed_on(tmp_path: Path) -> None:
    """F7"""
    window = step(tmp_path)
    feed(window, message("oops", ident="m1"), message("", ident="m1", deleted=True))
    [reflection] = window.on_eof()[0]
    assert [m.deleted for m in reflection.messages] == [False, True]


def test_a_message_without_a_time_zone_gets_the_profiles_as_it_arrives(tmp_path: Path) -> None:
    """X5"""
    window = step(tmp_path)
    feed(window, command("profile", profile=(("timezone", "Asia/Kolkata"),)), message("hi"))
    assert window.on_eof()[0][0].messages[0].timezone == "Asia/Kolkata"


def test_a_command_that_may_tell_of_a_day_gets_the_profiles_time_zone(tmp_path: Path) -> None:
    """X5"""
    window = step(tmp_path)
    told = [command("remember", text="I moved today"), command("pin", match="tea")]
    emitted = feed(window, command("profile", profile=(("timezone", "Asia/Tokyo"),)), *told)
    assert [item.timezone for item in emitted[1:]] == ["Asia/Tokyo", None]


def test_a_resumed_shard_goes_on_with_its_open_windows(tmp_path: Path) -> None:
    """S5: what came after the snapshot is undone, to come again"""
    window = step(tmp_path)
    feed(window, message("kept", ident="m1"))
    state = window.snapshot()
    feed(window, message("again", ident="m2"))
    window._store.file.close()
    resumed = step(tmp_path, resume=state)
    assert resumed.notify_at() is not None
    feed(resumed, message("again", ident="m2"))
    assert texts(resumed.on_eof()[0]) == [["kept", "again"]]


def test_resume_state_is_plain_values(tmp_path: Path) -> None:
    """S5: it is pickled into the recovery store, which outlives our classes and must hold no user text"""
    window = step(tmp_path)
    feed(window, message("secret"))
    assert [type(value) for value in window.snapshot()] == [int, str, int]


@settings(max_examples=60, deadline=None)
@given(
    gaps=st.lists(st.integers(0, 30), min_size=1, max_size=30),
    length=st.integers(1, 40),
    cuts=st.sets(st.integers(1, 29)),
    room=st.integers(1, 5),
)
def test_however_windows_are_cut_each_message_is_new_once_with_the_same_context(
    tmp_path_factory: pytest.TempPathFactory, gaps: list[int], length: int, cuts: set[int], room: int
) -> None:
    """T6, T7"""

    def contexts(**policy: Any) -> dict[str, tuple[str, ...]]:
        window = step(
            tmp_path_factory.mktemp("w"), retention=Retention(context_messages=3), open_windows_max=room, **policy
        )
        found: list[tuple[str, tuple[str, ...]]] = []
        at_ms, items = START_MS - 30 * DAY_MS, []
        for i, gap in enumerate(gaps):
            at_ms += gap * MINUTE_MS
            items.append(message(f"m{i}", at_ms, conversation_id=f"c{i % 3}"))
        starts = [0, *sorted(cut for cut in cuts if cut < len(items)), len(items)]
        batches = [items[a:b] for a, b in pairwise(starts) if b > a]
        for emitted in [*(feed(window, *batch) for batch in batches), window.on_eof()[0]]:
            for item in emitted:
                before = [*item.context, *item.messages]
                for i, each in enumerate(item.messages, len(item.context)):
                    found.append((each.text, tuple(m.text for m in before[:i][-3:])))
        assert len(found) == len({text for text, _ in found}) == len(items)
        return dict(found)

    assert contexts(conversation_length=length) == contexts(conversation_length=1_000, idle_gap_ms=10**12)
