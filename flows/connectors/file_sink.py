"""The embedded run's sink: dead letters to a JSONL file, each once; all else is in the memory's own files already."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import orjson
from bytewax.outputs import FixedPartitionedSink, StatefulSinkPartition

from operators.records import OutRecord


class FileSink(FixedPartitionedSink[OutRecord, int]):
    """Appends dead letters to `path`; what a crash left beyond the committed length is cut off on resume."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def list_parts(self) -> list[str]:
        """One file, one partition."""
        return [self._path.name]

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> _FilePartition:
        """Opens the file at its committed length."""
        return _FilePartition(self._path, resume_state or 0)


class _FilePartition(StatefulSinkPartition[OutRecord, int]):
    def __init__(self, path: Path, length: int) -> None:
        self._file = path.open("ab")
        # Never beyond what is there: the file may have been taken away since.
        self._file.truncate(min(length, path.stat().st_size))
        self._file.seek(0, os.SEEK_END)

    def write_batch(self, values: list[OutRecord]) -> None:
        """Writes the dead letters among the records."""
        for record in values:
            if record.stream == "dead_letters":
                self._file.write(orjson.dumps(_row(record)) + b"\n")
        self._file.flush()

    def snapshot(self) -> int:
        """The length of what is safely written."""
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _row(record: OutRecord) -> dict[str, object]:
    row: dict[str, object] = {name: value.decode("utf-8", "replace") for name, value in record.headers}
    value = record.value or b""
    try:
        row["payload"] = value.decode("utf-8")
    except UnicodeDecodeError:
        row["payload_base64"] = base64.b64encode(value).decode("ascii")
    return row
