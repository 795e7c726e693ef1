"""Keeps the positions of partitions that a run does not read, so that runs over different inputs share one memory.

The dataflow refuses to resume where a partition with stored state is not listed any more: another file given, a topic
taken out of the configuration, commands alone applied from the spool. So every partition ever read is noted beside
the memory; those that a run does not read are listed too, hold their position, and end at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from operators.records import InRecord
from state.layout import write_durably


class KeptSource(FixedPartitionedSource[InRecord, Any]):
    """`source` with the partitions noted in `path` added, and its own noted there."""

    def __init__(self, source: FixedPartitionedSource[InRecord, Any], path: Path) -> None:
        self._source, self._path = source, path
        self._read: list[str] = []

    def list_parts(self) -> list[str]:
        """The source's partitions, then those that only hold their position."""
        self._read = self._source.list_parts()
        noted: list[str] = orjson.loads(self._path.read_bytes()) if self._path.exists() else []
        known = sorted({*noted, *self._read})
        if known != noted:
            write_durably(self._path, orjson.dumps(known))
        return [*self._read, *(name for name in known if name not in self._read)]

    def build_part(self, step_id: str, for_part: str, resume_state: Any) -> StatefulSourcePartition[InRecord, Any]:
        """One of the source's partitions, or one that only holds its position."""
        if for_part in self._read:
            return self._source.build_part(step_id, for_part, resume_state)
        return _Held(resume_state)


class _Held(StatefulSourcePartition[InRecord, Any]):
    def __init__(self, position: Any) -> None:
        self._position = position

    def next_batch(self) -> list[InRecord]:
        raise StopIteration

    def snapshot(self) -> Any:
        return self._position
