"""A JSONL file as a source (S8): one record a line, read to the end, resumed by byte offset.

The resume state is (offset, digest of the bytes just before it): where the file's past has changed, it is read from
its start again, which is harmless, since message ids are remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from operators.records import InRecord

Position = tuple[int, bytes]
"""Offset of the next line, and a digest of what lies before it."""

_DIGESTED_BYTES = 4_096
_LINE_BYTES_MAX = 64 * 1024 * 1024


class FileSource(FixedPartitionedSource[InRecord, Position]):
    """Reads each file in order, `batch_lines` lines at a time, shared by the files that this process has open.

    `on_progress(path, bytes read, bytes in all)` may watch. A file that does not exist reads as empty, so that a spool
    nobody has written to yet can be a source.
    """

    def __init__(
        self,
        role: str,
        paths: Sequence[Path],
        batch_lines: int = 1024,
        on_progress: Callable[[Path, int, int], None] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self._role, self._on_progress = role, on_progress
        self._turn = _Turn(batch_lines)
        self._paths = (
            {str(path.absolute()): path for path in paths} if names is None else dict(zip(names, paths, strict=True))
        )

    def list_parts(self) -> list[str]:
        """One partition a file, named by its absolute path unless `names` says otherwise."""
        return list(self._paths)

    def build_part(self, step_id: str, for_part: str, resume_state: Position | None) -> _FilePartition:
        """Opens a file at its resume position, or at its start."""
        return _FilePartition(self._role, self._paths[for_part], resume_state, self._turn, self._on_progress)


@dataclass(slots=True)
class _Turn:
    """What a process reads in one turn, and the files that share it: models like large batches."""

    lines: int
    files: int = 0

    @property
    def share(self) -> int:
        """Lines that one file may give."""
        return max(1, self.lines // max(1, self.files))


class _FilePartition(StatefulSourcePartition[InRecord, Position]):
    def __init__(
        self,
        role: str,
        path: Path,
        resume: Position | None,
        turn: _Turn,
        on_progress: Callable[[Path, int, int], None] | None,
    ) -> None:
        self._role, self._path, self._turn, self._on_progress = role, path, turn, on_progress
        self._file: BinaryIO | None = path.open("rb") if path.exists() else None
        self._size = path.stat().st_size if self._file else 0
        self._offset = 0
        if self._file and resume is not None and _digest(self._file, resume[0]) == resume[1]:
            self._offset = resume[0]
        if self._file:
            self._file.seek(self._offset)
            turn.files += 1

    def next_batch(self) -> list[InRecord]:
        """The next lines; blank ones are skipped."""
        if self._file is None:
            raise StopIteration
        records: list[InRecord] = []
        for _ in range(self._turn.share):
            line = self._file.readline(_LINE_BYTES_MAX)
            if not line:
                break
            if line.strip():
                value = line.rstrip(b"\r\n")
                records.append(InRecord(self._role, f"file:{self._path.name}", 0, self._offset, value))
            self._offset += len(line)
        else:
            return self._given(records)
        if not records:
            raise StopIteration
        return self._given(records)

    def _given(self, records: list[InRecord]) -> list[InRecord]:
        if self._on_progress is not None:
            self._on_progress(self._path, self._offset, self._size)
        return records

    def snapshot(self) -> Position:
        """The offset of the next line, with the digest of what precedes it."""
        if self._file is None:
            return 0, _digest_of(b"")
        return self._offset, _digest(self._file, self._offset)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None and not self._file.closed:
            self._file.close()
            self._turn.files -= 1


def _digest(file: BinaryIO, offset: int) -> bytes:
    """A digest of the bytes before `offset`; the file's position is put back."""
    here = file.tell()
    file.seek(max(0, offset - _DIGESTED_BYTES))
    digest = _digest_of(file.read(min(offset, _DIGESTED_BYTES)))
    file.seek(here)
    return digest


def _digest_of(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
