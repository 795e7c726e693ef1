"""A fact's versions as people read them: which event and rule made each one, and the words behind it (R13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flows.evidence import Evidence
from flows.memory import Memory
from state.export import fact_row
from state.facts import FactEvent, Source


def versions_told(
    memory: Memory, user: str, fact_id: str | None = None, words: Callable[[Source], Evidence] | None = None
) -> list[dict[str, Any]]:
    """Every version of a user's facts, or of one, oldest first: the exported fact, `event`, `rule` and `old_content`.

    With `words` each version has its `evidence` too: the sources that it gained, in the words of their messages.
    """
    made: dict[tuple[str, int], FactEvent] = {}
    for event in memory.events(user):
        if event.fact is not None and event.event not in ("NONE", "REINFORCE"):
            made[event.fact.fact_id, event.fact.revision] = event
    rows: list[dict[str, Any]] = []
    known: dict[str, set[str]] = {}
    for version in memory.history(user, fact_id):
        fact = version.fact
        by = made.get((fact.fact_id, fact.revision))
        told = {"event": by.event, "rule": by.rule, "old_content": by.old_content} if by else {}
        row = {**fact_row(fact), "event": None, "rule": None, "old_content": None, **told}
        if words is not None:
            before = known.setdefault(fact.fact_id, set())
            gained = [source for source in fact.sources if source.message_id not in before]
            row["evidence"] = [words(source).row for source in gained]
            before.update(source.message_id for source in gained)
        rows.append(row)
    return rows
