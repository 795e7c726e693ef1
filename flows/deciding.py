"""The verb decide: the updater alone, over facts given as rows (INTERFACE `decide`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flows.job import pair_judge, rules_policy
from flows.settings import Settings
from models.embedder import Embedder
from models.third_person import triple_of_sentence
from state.decide import DECIDE_POLICY, decide_table


def decide_rows(settings: Settings, current: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One decision a row, under the configured thresholds; nothing waits for approval here. Raises ValueError."""
    policy = replace(
        rules_policy(settings), third_party=DECIDE_POLICY.third_party, propose_kinds=DECIDE_POLICY.propose_kinds
    )
    return decide_table(current, new, Embedder().embed, triple_of_sentence, policy, pair_judge())
