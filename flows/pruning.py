"""The verb prune: finds the users who have something to prune and sends a command for each (R10, F4, F5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flows.commands import Sent, send
from flows.job import rules_policy, window_policy
from flows.memory import Memory
from flows.settings import Settings
from flows.trial import Trial
from state.facts import FactEvent, stable_id
from state.layout import Layout, read_identity
from state.memory_store import read_only
from state.pruning import users_to_look_at

_SENT_AT_ONCE = 5_000
_MESSAGES = (
    "select user, count(*) from message where done_seq is not null and to_seq is null and sent_at_ms < ? group by user"
)


@dataclass(slots=True)
class Report:
    """What a prune takes, or took: how often each rule took something, and what went without an event."""

    users: int = 0
    by_rule: Counter[str] = field(default_factory=Counter)
    tombstones: int = 0
    messages: int = 0
    unanswered: int = 0

    def row(self) -> dict[str, Any]:
        """As JSON."""
        taken = {"tombstones": self.tombstones, "messages": self.messages}
        return {"users": self.users, "by_rule": dict(sorted(self.by_rule.items())), **taken}


def prune(
    settings: Settings, state: Path, config: str | None, at: tuple[int, str], tenant: str | None, dry_run: bool
) -> Report:
    """Prunes, or with `dry_run` only tells, as of `at` (milliseconds, and the same as a command has it).

    `tenant` None is all. Raises LayoutError, KafkaProblem.
    """
    at_ms, sent_at = at
    report = Report()
    rows: list[dict[str, Any]] = []
    trial = Trial(settings, state)
    for key, messages in _users(settings, state, at_ms):
        whose, _, user_id = key.partition("/")
        if tenant not in (None, whose):
            continue
        row = {"command": "prune", "tenant": whose, "user_id": user_id, "sent_at": sent_at}
        changes = trial.run(row)
        trial.let_go()
        if not (changes.facts or changes.proposals or changes.dropped or messages):
            continue
        report.users += 1
        report.tombstones += len(changes.dropped)
        report.messages += messages
        if dry_run:
            report.by_rule += _by_rule(changes.events)
        else:
            rows.append({**row, "command_id": stable_id("prune", key, at_ms)})
    for at_row in range(0, len(rows), _SENT_AT_ONCE):
        sent: Sent = send(settings, str(state), config, rows[at_row : at_row + _SENT_AT_ONCE])
        report.by_rule += _by_rule(sent.answers)
        report.unanswered += len(sent.unanswered)
    return report


def _by_rule(events: list[FactEvent] | tuple[FactEvent, ...]) -> Counter[str]:
    return Counter(event.rule for event in events if event.rule != "F5.pruned")


def _users(settings: Settings, state: Path, at_ms: int) -> Iterator[tuple[str, int]]:
    """Keys of the users to look at, each with the number of messages that are context no more."""
    layout = Layout(state)
    policy = rules_policy(settings)
    before_ms = at_ms - window_policy(settings).retention.context_ms
    with Memory(state, None):
        pass  # raises where there is no memory that this program can read
    for shard in range(read_identity(layout).shards):
        messages: dict[str, int] = {}
        windows = read_only(layout.windows(shard))
        if windows is not None:
            with closing(windows):
                messages = dict(windows.execute(_MESSAGES, (before_ms,)).fetchall())
        found = set(messages)
        memory = read_only(layout.memory(shard))
        if memory is not None:
            with closing(memory):
                found.update(users_to_look_at(memory, policy, at_ms))
        for user in sorted(found):
            yield user, messages.get(user, 0)
