"""The audit trail of a snapshot: what was asked of whose memory, when, from where, and what came of it.

It names nobody and holds nobody's words: a user is their keyed hash, as in the ledger of erasures, which a reader who
has the key can make of an id again. An erase removes what else it had on the user, and stays itself, with counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import orjson

from state.commands import REFUSALS, REUSED
from state.erasures import Erasure, Erasures
from state.facts import FactEvent, Proposal
from state.messages import Command
from state.windows import user_key


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One command or decision. `source` is the topic or file that it came on; `removed` counts by place, as JSON."""

    who: str
    acted_at_ms: int
    action: str
    outcome: str
    rule: str | None
    command_id: str | None = None
    proposal_id: str | None = None
    fact_id: str | None = None
    source: str | None = None
    removed: str | None = None


def trail(
    ledger: Erasures, commands: Iterable[Command], events: Iterable[FactEvent], proposals: Iterable[Proposal]
) -> Iterator[AuditRow]:
    """The rows of all that memory still has of commands and their answers, and of every erase."""
    decided = {(p.tenant, p.user_id, p.decided_by): p.proposal_id for p in proposals if p.decided_by is not None}
    rules: dict[tuple[str, str, str], str] = {}
    for event in events:
        if event.command_id is not None and event.rule != REUSED:
            rules.setdefault((event.tenant, event.user_id, event.command_id), event.rule)
    for command in commands:
        ident = command.tenant, command.user_id, command.command_id
        rule = REUSED if command.reused else rules.get(ident)
        yield AuditRow(
            ledger.user_hash(user_key(command.tenant, command.user_id)).hex(),
            command.sent_at_ms,
            command.command,
            "refused" if rule in REFUSALS else "done",
            rule,
            command.command_id,
            None if command.reused else command.proposal_id or decided.get(ident),
            command.fact_id,
            command.origin.topic,
        )
    yield from map(_of_erasure, ledger.all())


def _of_erasure(erasure: Erasure) -> AuditRow:
    return AuditRow(
        erasure.user_hash.hex(),
        erasure.cut_off_ms,
        "erase",
        "under way" if erasure.done_ms is None else "done",
        "F6.erase",
        removed=orjson.dumps(dict(erasure.removed)).decode(),
    )
