"""The verb reembed: users whose vectors are of another embedding model get new ones, in the background of the job (Q6).

It sends a command for each of them; the job makes a user's vectors anew as it loads the user, in one transaction, so
that nobody's memory ever holds vectors of two models. What was done stays done: run again, it goes on with the rest.
"""

from __future__ import annotations

import sys
from typing import Any

from flows.commands import send
from flows.memory import Memory
from flows.settings import Settings
from models.embedder import Embedder
from state.export import iso

BATCH_USERS = 500


def reembed(settings: Settings, state: str, config: str | None, now_ms: int, batch_users: int = BATCH_USERS) -> int:
    """Sends what is needed, some users at a time, and tells the progress on stderr; how many still wait at the end.

    On Kafka without a job on this state directory nothing is waited for. Raises what flows.commands.send raises.
    """
    version = Embedder().version
    with Memory(state, tenant=None) as memory:
        left = list(memory.outdated(version))
    print(f"factstream: {len(left):,} users have vectors of another model than {version}", file=sys.stderr)
    waiting = 0
    for first in range(0, len(left), batch_users):
        part = left[first : first + batch_users]
        waiting += len(send(settings, state, config, [_command(*each, version, now_ms) for each in part]).unanswered)
        print(f"factstream: reembed: {min(first + batch_users, len(left)):,} of {len(left):,}", file=sys.stderr)
    return waiting


def _command(tenant: str, user: str, version: str, now_ms: int) -> dict[str, Any]:
    """One user's command. Its id is of the model and the time, so that sent again it acts again."""
    return {
        "command": "reembed",
        "tenant": tenant,
        "user_id": user,
        "command_id": f"reembed-{version}-{now_ms // 1000}",
        "sent_at": iso(now_ms),
    }
