"""The verification pass finds what an erase would have left, and tells whose it is (F6)."""

from __future__ import annotations

from pathlib import Path

from state.layout import Layout
from state.memory_store import MemoryStore
from state.traces import Trace, search
from state.user_memory import Changes
from state.windows import Retention, WindowStore
from tests.state.builders import START_MS, message
from tests.state.test_snapshots import contents, fact, write_generation


def layout_of(folder: Path, erased: bool = False) -> Layout:
    layout = Layout(folder)
    store = MemoryStore(layout.memory(0), None)
    with store.file.transaction():
        store.file.next_seq()
        hers = fact("anastasia", content="User collects sea glass", tenant="default")
        his = fact("ben", content="User has a friend anastasia", tenant="default")
        store.save("default/anastasia", Changes(facts=(hers,)))
        store.save("default/ben", Changes(facts=(his,)))
        if erased:
            store.erase("default/anastasia", START_MS)
    store.snapshot()
    return layout


def kinds(found: list[Trace]) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for trace in found:
        out.setdefault(trace.file, set()).add(trace.kind)
    return out


def test_rows_of_the_user_are_found_in_shards_and_generations(tmp_path: Path) -> None:
    """F6"""
    layout = layout_of(tmp_path)
    windows = WindowStore(layout.windows(0), None, Retention())
    with windows.file.transaction():
        windows.file.next_seq()
        windows.add("default/anastasia", message("hi", user_id="anastasia"), "t/0", START_MS)
    windows.snapshot()
    write_generation(layout.snapshots, contents("anastasia", "ben"))
    found = search(layout, "default", "anastasia", ["User collects sea glass"])
    rows = {(trace.file, trace.what, trace.count) for trace in found if trace.kind == "row"}
    assert rows == {("shards/memory-0000.db", "fact", 1), ("shards/windows-0000.db", "message", 1)}
    found = search(layout, "acme", "anastasia")
    rows = {(trace.file, trace.what) for trace in found if trace.kind == "row"}
    tables = ("facts", "events", "proposals", "commands")
    assert rows == {("snapshots/gen-00000001.duckdb", table) for table in tables}


def test_what_other_people_say_of_the_user_is_told_apart(tmp_path: Path) -> None:
    """F6"""
    layout = layout_of(tmp_path, erased=True)
    found = search(layout, "default", "anastasia", ["User collects sea glass"])
    assert kinds(found) == {"shards/memory-0000.db": {"others"}}


def test_bytes_in_any_file_are_found(tmp_path: Path) -> None:
    """F6: also in a file that nobody knows, and an id that JSON escapes in a sentence"""
    layout = Layout(tmp_path)
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "core.1").write_bytes(b"\0\0anastasia\0" * 3)
    (tmp_path / "note.jsonl").write_bytes(b'{"content":"User says \\"sea glass\\""}')
    found = search(layout, "default", "anastasia", ['User says "sea glass"'])
    assert found == [
        Trace("left/core.1", "id", "anastasia", 3),
        Trace("note.jsonl", "sentence", 'User says "sea glass"', 1),
    ]


def test_a_short_id_is_not_found_in_other_words(tmp_path: Path) -> None:
    """F6"""
    (tmp_path / "a").write_bytes(b"banana, default/anb")
    (tmp_path / "b").write_bytes(b'{"user_id":"ana"}')
    assert [trace.file for trace in search(Layout(tmp_path), "default", "ana")] == ["b"]
