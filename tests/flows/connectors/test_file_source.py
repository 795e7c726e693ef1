"""A file is a source that resumes where it stopped, as long as its past has not changed (S8)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.connectors.file_source import FileSource
from flows.connectors.kept import KeptSource
from operators.records import InRecord


def read(path: Path, resume: Any = None, batches: int = 99) -> tuple[list[InRecord], Any]:
    source = FileSource("messages", [path], batch_lines=2)
    part = source.build_part("step", source.list_parts()[0], resume)
    records: list[InRecord] = []
    for _ in range(batches):
        try:
            records += part.next_batch()
        except StopIteration:
            break
    return records, part.snapshot()


def test_each_line_is_a_record_at_its_offset(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n\r\ntwo\r\nthree")
    records, position = read(path)
    assert [(r.value, r.offset, r.topic) for r in records] == [
        (b"one", 0, "file:a.jsonl"),
        (b"two", 6, "file:a.jsonl"),
        (b"three", 11, "file:a.jsonl"),
    ]
    assert position[0] == 16


def test_reading_goes_on_after_the_last_read_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"1\n2\n3\n4\n5\n")
    first, position = read(path, batches=1)
    rest, _ = read(path, position)
    assert [r.value for r in first + rest] == [b"1", b"2", b"3", b"4", b"5"]


def test_a_file_whose_past_changed_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"1\n2\n3\n")
    _, position = read(path)
    path.write_bytes(b"9\n8\n7\n6\n")
    assert [r.value for r in read(path, position)[0]] == [b"9", b"8", b"7", b"6"]


def test_a_file_that_does_not_exist_yet_is_empty(tmp_path: Path) -> None:
    records, position = read(tmp_path / "none.jsonl")
    assert records == []
    (tmp_path / "none.jsonl").write_bytes(b"now\n")
    assert [r.value for r in read(tmp_path / "none.jsonl", position)[0]] == [b"now"]


def test_files_of_one_process_share_a_batch_and_the_last_one_has_it_alone(tmp_path: Path) -> None:
    """S8: two workers with half of the files each call the models with as many rows as one worker with all"""
    for name, lines in (("a", 3), ("b", 20)):
        (tmp_path / name).write_bytes(b"x\n" * lines)
    source = FileSource("messages", [tmp_path / "a", tmp_path / "b"], batch_lines=8)
    short, long = (source.build_part("step", name, None) for name in source.list_parts())
    assert [len(short.next_batch()), len(long.next_batch())] == [3, 4]
    short.close()
    assert len(long.next_batch()) == 8


def test_partitions_that_a_run_does_not_read_hold_their_position(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"x\n")
    noted = tmp_path / "parts.json"
    first = KeptSource(FileSource("messages", [tmp_path / "a"]), noted)
    assert len(first.list_parts()) == 1
    second = KeptSource(FileSource("messages", [tmp_path / "b"]), noted)
    own, held = second.list_parts()
    assert own.endswith("/b")
    assert held.endswith("/a")
    assert second.build_part("step", held, (7, b"digest")).snapshot() == (7, b"digest")
