"""What a command would do, tried on a copy of the user's memory and thrown away (F3's dry run)."""

from __future__ import annotations

from typing import Any

import orjson

from flows.job import rules_policy
from flows.memory import Memory
from flows.settings import Settings
from models.embedder import Embedder
from operators.decode import Decoder
from operators.records import InRecord
from state.facts import Entry, Fact
from state.fold import apply_entry
from state.index import encode, similarities
from state.messages import Command, Rejected


def preview(settings: Settings, memory: Memory, row: dict[str, Any], embedder: Embedder | None = None) -> list[Fact]:
    """The facts that a forget command would take, as they are now. Raises ValueError for a malformed command.

    `embedder` is the model for the command's words; without one it is loaded.
    """
    [item] = Decoder(settings.decode_policy()).decode(InRecord("commands", "preview", 0, 0, orjson.dumps(row)))
    if isinstance(item, Rejected):
        raise ValueError(item.detail)
    assert isinstance(item, Command)
    embedding = encode((embedder or Embedder()).embed([item.text]))[0] if item.text else b""
    entry = Entry(item.tenant, item.user_id, item.sent_at_ms, item.command_id, command=item, embedding=embedding)
    user = memory.load(item.user_id)

    def similar(code: bytes) -> dict[str, float]:
        facts = [fact for fact in user.facts.values() if fact.embedding]
        scores = similarities(code, [fact.embedding for fact in facts]) if facts else []
        return {fact.fact_id: score for fact, score in zip(facts, scores, strict=True)}

    held = dict(user.facts)
    changes = apply_entry(user, entry, similar, rules_policy(settings))
    return [held[fact.fact_id] for fact in changes.facts if fact.status == "forgotten"]
