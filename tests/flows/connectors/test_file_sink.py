"""The embedded run writes each dead letter once, whatever happens (S2, S5)."""

from __future__ import annotations

from pathlib import Path

import orjson

from flows.connectors.file_sink import FileSink
from operators.records import OutRecord


def letter(payload: bytes) -> OutRecord:
    return OutRecord("dead_letters", b"k", payload, b"", (("reason", b"not_json"), ("offset", b"7")))


def test_a_dead_letter_keeps_its_payload_and_its_address(tmp_path: Path) -> None:
    part = FileSink(tmp_path / "d.jsonl").build_part("letters", "d.jsonl", None)
    part.write_batch([letter(b"oops"), OutRecord("events", b"k", b"{}", b"u")])
    rows = [orjson.loads(line) for line in (tmp_path / "d.jsonl").read_bytes().splitlines()]
    assert rows == [{"reason": "not_json", "offset": "7", "payload": "oops"}]


def test_what_a_crash_left_beyond_the_committed_length_is_cut_off(tmp_path: Path) -> None:
    sink = FileSink(tmp_path / "d.jsonl")
    part = sink.build_part("letters", "d.jsonl", None)
    part.write_batch([letter(b"one")])
    position = part.snapshot()
    part.write_batch([letter(b"two")])
    again = sink.build_part("letters", "d.jsonl", position)
    again.write_batch([letter(b"two")])
    rows = [orjson.loads(line)["payload"] for line in (tmp_path / "d.jsonl").read_bytes().splitlines()]
    assert rows == ["one", "two"]


def test_bytes_that_are_no_text_are_kept_whole(tmp_path: Path) -> None:
    part = FileSink(tmp_path / "d.jsonl").build_part("letters", "d.jsonl", None)
    part.write_batch([letter(b"\xff\xfe")])
    assert orjson.loads((tmp_path / "d.jsonl").read_bytes())["payload_base64"] == "//4="
