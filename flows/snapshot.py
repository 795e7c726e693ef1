"""The verb snapshot: all of a memory as one DuckDB generation (S9)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flows.memory import Memory
from flows.settings import Settings
from state.audit import trail
from state.erasures import Erasures
from state.layout import Layout, read_identity
from state.messages import Command
from state.snapshots import Contents, write_generation


def write_snapshot(settings: Settings, state: Path) -> Path:
    """Writes the next generation beside a running job or without one; its path."""
    layout = Layout(state)
    identity = read_identity(layout)
    with Memory(state, tenant=None) as memory:
        contents = Contents(
            facts=((v.fact, v.from_seq, v.to_seq, shard) for v, shard in memory.rows()),
            events=memory.events(),
            proposals=memory.proposals(),
            commands=_commands(memory),
            audit=trail(Erasures(layout.erasures), _commands(memory), memory.events(), memory.proposals()),
            meta={"state_id": identity.state_id, "shards": str(identity.shards)},
        )
        return write_generation(layout.snapshots, contents, keep=settings.snapshots.keep).path


def _commands(memory: Memory) -> Iterator[Command]:
    return (entry.command for entry in memory.commands() if entry.command is not None)
