"""Measure 3: what is stored of chats in which almost nothing durable is said."""

from __future__ import annotations

from collections.abc import Sequence

from flows.evaluation.chats import Chat
from flows.evaluation.claim_turns import first_person_rule
from flows.evaluation.figures import Figure
from flows.evaluation.product import Stored

TARGETS = {
    "mt_bench": 2.0, "seed_tasks": 2.0, "role_prompts": 2.0, "sgd": 5.0, "taskmaster4": 5.0, "ubuntu_irc": 5.0,
}  # fmt: skip


def figures(name: str, chats: Sequence[Chat], stored: Stored) -> list[Figure]:
    """Stored claims per 100 user turns; the baseline is the share of turns on which the first-person rule fires."""
    turns = [turn for chat in chats for turn in chat.turns()]
    claims = sum(len(stored.contents(turn)) for turn, _ in turns)
    fired = sum(first_person_rule(said.text) for _, said in turns)
    per_hundred = 100 / len(turns) if turns else 0.0
    return [
        Figure(
            3, f"task_chats {name}", "stored claims per 100 user turns", claims * per_hundred, len(turns),
            fired * per_hundred, TARGETS.get(name), at_most=True,
        )
    ]  # fmt: skip
