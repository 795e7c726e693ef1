"""What a prune takes of one user's memory, and which users have anything to take (R10, F4, F5).

What has run out goes whenever anything of a user is folded; a prune is for those who are silent.
"""

from __future__ import annotations

import sqlite3
from collections import Counter

from state.messages import Command
from state.policy import RulesPolicy
from state.recorder import Recorder

_DAY_MS = 86_400_000
_USERS = """
select user from (
  select distinct user from fact where to_seq is null and status = 'active'
    and (cast(body as text) ->> '$.kind' = 'status' or cast(body as text) ->> '$.valid_to' is not null)
  union select user from fact where to_seq is null and status = 'active' group by user having count(*) > :facts_max
  union select user from fact where to_seq is null and status <> 'active' group by user having count(*) > :tombs_max
  union select distinct user from proposal where to_seq is null and status = 'pending' and :proposal_days > 0
    and cast(body as text) ->> '$.proposed_at_ms' < :proposed_before
  union select distinct user from proposal where to_seq is null and status <> 'pending' and :decided_days > 0
    and cast(body as text) ->> '$.decided_at_ms' < :decided_before
    and cast(body as text) ->> '$.candidate.content' <> ''
{kinds}) order by user
"""
_OF_KIND = """
  union select distinct user from fact where to_seq is null and status in ('active', 'archived')
    and cast(body as text) ->> '$.kind' = '{kind}' and cast(body as text) ->> '$.last_said_at_ms' < {before}
  union select distinct user from proposal where to_seq is null and status = 'pending'
    and cast(body as text) ->> '$.candidate.kind' = '{kind}'
    and cast(body as text) ->> '$.candidate.said_at_ms' < {before}
"""


def report(recorder: Recorder, command: Command) -> None:
    """Answers a prune with what it took, by the rule that took it."""
    taken = Counter(f"{event.event} {event.rule}" for event in recorder.events if event.command_id is not None)
    told = [f"{count} {name}" for name, count in sorted(taken.items())]
    told += [f"{len(recorder.dropped)} tombstones let go"] if recorder.dropped else []
    reason = "pruned: " + ", ".join(told) if told else "nothing was over"
    recorder.tell("NONE", "F5.pruned", command.command_id, None, reason=reason)


def users_to_look_at(db: sqlite3.Connection, policy: RulesPolicy, now_ms: int) -> list[str]:
    """Keys of a shard's users who may have something to prune at `now_ms`: none who has is left out."""
    kinds = "".join(_OF_KIND.format(kind=kind, before=now_ms - days * _DAY_MS) for kind, days in policy.retention_days)
    values = {
        "facts_max": policy.facts_max,
        "tombs_max": policy.tombstones_max,
        "proposal_days": policy.proposal_days,
        "proposed_before": now_ms - policy.proposal_days * _DAY_MS,
        "decided_days": policy.decided_days,
        "decided_before": now_ms - policy.decided_days * _DAY_MS,
    }
    return [row[0] for row in db.execute(_USERS.format(kinds=kinds), values).fetchall()]
