"""The window file keeps what is open and recent, and nothing else for long (S6)."""

from pathlib import Path

from state.windows import Retention, WindowStore
from tests.state.builders import DAY_MS, START_MS, message

USER = "default/ana"


def opened(path: Path, resume: tuple[str, int] | None = None, **retention: int) -> WindowStore:
    return WindowStore(path / "w.db", resume, Retention(**retention))


def put(store: WindowStore, text: str, at_ms: int = START_MS, conversation: str = "c1") -> None:
    with store.file.transaction():
        store.file.next_seq()
        store.advance("t/0", at_ms)
        store.add(USER, message(text, at_ms, conversation_id=conversation), "t/0", at_ms)


def closed(store: WindowStore, conversation: str = "c1") -> tuple[list[str], list[str]]:
    with store.file.transaction():
        store.file.next_seq()
        context, new = store.close(USER, conversation)
    return [m.text for m in context], [m.text for m in new]


def test_a_message_is_given_as_new_once_and_then_as_context(tmp_path: Path) -> None:
    """T6"""
    store = opened(tmp_path)
    put(store, "one")
    put(store, "two")
    assert closed(store) == ([], ["one", "two"])
    put(store, "three")
    assert closed(store) == (["one", "two"], ["three"])


def test_context_is_the_last_k_messages_of_the_same_conversation(tmp_path: Path) -> None:
    """T7"""
    store = opened(tmp_path, context_messages=2)
    for text in ("one", "two", "three"):
        put(store, text)
    put(store, "elsewhere", conversation="c2")
    closed(store)
    put(store, "four")
    assert closed(store) == (["two", "three"], ["four"])


def test_long_messages_among_short_ones_keep_their_place(tmp_path: Path) -> None:
    """T6: what is at hand and what is read from the file come in one order, new and as context"""
    store = opened(tmp_path)
    texts = ["short", "long " * 1_000, *(f"short {number}" for number in range(3)), "longer " * 5_000]
    for text in texts:
        put(store, text)
    assert closed(store) == ([], texts)
    put(store, "after")
    assert closed(store) == (texts, ["after"])


def test_a_message_id_counts_once_a_user(tmp_path: Path) -> None:
    """R5, S5"""
    store = opened(tmp_path)
    with store.file.transaction():
        store.file.next_seq()
        assert store.first_time(USER, "m1", 0, "t/0")
        assert not store.first_time(USER, "m1", 0, "t/0")
        assert store.first_time("default/ben", "m1", 0, "t/0")


def test_closing_is_undone_by_a_rollback(tmp_path: Path) -> None:
    """S5"""
    store = opened(tmp_path)
    put(store, "one")
    resume = store.snapshot()
    closed(store)
    put(store, "two")
    store.file.close()
    again = opened(tmp_path, resume)
    assert [w.count for w in again.open_windows()] == [1]
    assert closed(again) == ([], ["one"])


def test_closed_rows_leave_the_file_once_committed_and_old(tmp_path: Path) -> None:
    """S6: open windows cost nothing once closed"""
    store = opened(tmp_path, context_ms=DAY_MS, seen_ms=DAY_MS)
    for day in range(40):
        put(store, f"secret-{day:02d}", START_MS + day * DAY_MS, conversation=f"c{day}")
        with store.file.transaction():
            store.first_time(USER, f"m{day}", 0, "t/0")
        closed(store, f"c{day}")
        store.snapshot()
    assert store.file.db.execute("select count(*) from message").fetchone()[0] < 8
    assert store.file.db.execute("select count(*) from seen").fetchone()[0] < 8
    store.file.db.execute("pragma wal_checkpoint(truncate)")
    assert b"secret-03" not in (tmp_path / "w.db").read_bytes()


def test_an_older_version_of_a_message_never_follows_a_newer_one(tmp_path: Path) -> None:
    """F7, R14: a deletion or a later edit may arrive first"""
    store = opened(tmp_path)
    with store.file.transaction():
        store.file.next_seq()
        assert store.first_time(USER, "m1", 2_000, "t/0")
        assert not store.first_time(USER, "m1", 1_000, "t/0")
        assert not store.first_time(USER, "m1", 0, "t/0")
        assert store.first_time(USER, "m1", 2**62, "t/0")


def test_a_profile_value_said_earlier_does_not_replace_a_later_one(tmp_path: Path) -> None:
    """R6"""
    store = opened(tmp_path)
    with store.file.transaction():
        store.file.next_seq()
        store.set_profile(USER, [("timezone", "Asia/Kolkata")], START_MS)
        store.set_profile(USER, [("timezone", "Europe/Oslo")], START_MS - 1)
    assert store.profile(USER, "timezone") == "Asia/Kolkata"


def test_a_profile_slot_holds_its_latest_value(tmp_path: Path) -> None:
    store = opened(tmp_path)
    for zone in ("Europe/Oslo", "Asia/Kolkata"):
        with store.file.transaction():
            store.file.next_seq()
            store.set_profile(USER, [("timezone", zone)], START_MS)
    assert store.profile(USER, "timezone") == "Asia/Kolkata"
    assert store.profile("default/ben", "timezone") is None


def test_erasing_a_user_leaves_the_others(tmp_path: Path) -> None:
    """F6"""
    store = opened(tmp_path)
    put(store, "hers")
    with store.file.transaction():
        store.file.next_seq()
        store.add("default/ben", message("his", user_id="ben"), "t/0", START_MS)
        store.erase(USER, START_MS)
    assert [w.user for w in store.open_windows()] == ["default/ben"]
