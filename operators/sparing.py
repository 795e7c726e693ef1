"""An entry on which the decision rules failed: it is passed over, and everybody who waits for it is told (S3)."""

from __future__ import annotations

import traceback
from pathlib import Path

import structlog

from state.facts import Entry
from state.policy import RulesPolicy
from state.recorder import Recorder
from state.user_memory import Changes, UserMemory


def spared(memory: UserMemory, entry: Entry, error: Exception) -> Changes:
    """Logs where the rules failed, without anybody's words, and answers the entry with an event that says so.

    `memory` is as it was before the entry; its position moves on. The entry stays in the candidate log, so that the
    next refold of this user by better rules takes it in.
    """
    place = traceback.extract_tb(error.__traceback__)[-1]
    kind, at = type(error).__name__, f"{Path(place.filename).name}:{place.lineno}"
    structlog.get_logger().error("reconcile.rule_failed", error=kind, at=at, entry_id=entry.entry_id)
    recorder = Recorder(memory, entry.at_ms, RulesPolicy(), lambda _embedding: {})
    recorder.command_id = None if entry.command is None else entry.command.command_id
    reason = f"the rules failed on it ({kind} at {at}); it was passed over"
    recorder.tell("NONE", "S3.rule_failed", entry.entry_id, None, reason=reason)
    memory.position = max(memory.position, (entry.at_ms, entry.entry_id))
    return recorder.changes()
