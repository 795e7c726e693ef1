"""Where a live job begins in a memory that a replay made: at the offsets where the replay ended (S4)."""

from __future__ import annotations

import orjson

from flows.connectors.kafka_replay import Lane
from state.layout import Layout, write_durably


def handed_over(layout: Layout) -> dict[tuple[str, int], int]:
    """(topic, partition) to the offset behind the last one replayed; empty where no replay made this memory."""
    if not layout.replayed.exists():
        return {}
    rows: dict[str, int] = orjson.loads(layout.replayed.read_bytes())
    split = {name.rpartition("/"): offset for name, offset in rows.items()}
    return {(topic, int(number)): offset for (topic, _, number), offset in split.items()}


def hand_over(layout: Layout, lanes: tuple[Lane, ...]) -> None:
    """Notes where a replay ended."""
    write_durably(layout.replayed, orjson.dumps({lane.name: lane.end for lane in lanes}))


def was_live(layout: Layout, topics: tuple[str, ...]) -> bool:
    """Whether a live job has read any of the topics into this memory."""
    path = layout.partitions("messages")
    names: list[str] = orjson.loads(path.read_bytes()) if path.exists() else []
    return any(name.rpartition("/")[0] in topics for name in names)
