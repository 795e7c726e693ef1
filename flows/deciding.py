"""The verb decide: the updater alone, over facts given as rows (INTERFACE `decide`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from flows.job import pair_judge, rules_policy
from flows.settings import Settings
from models.embedder import Embedder
from models.third_person import triple_of_sentence
from state.decide import DECIDE_POLICY, decide_table


class GivenFact(msgspec.Struct):
    """What is checked of a fact before the updater sees it; the other fields of an exported fact may be there too."""

    content: str
    id: str | int | None = None
    namespace: list[str] | str | None = None
    intensity: float | None = None
    confidence: float | None = None
    language: str | None = None


class Given(msgspec.Struct):
    """The facts held, and the facts that come."""

    current: list[GivenFact]
    new: list[GivenFact]


def read_given(text: bytes) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(current, new) rows of a JSON document. Raises ValueError, which names the place, the fault and the form."""
    form = '{"current": [fact…], "new": [fact…]}, each fact {"content": "User lives in Berlin", "confidence": 0.9, …}'
    try:
        msgspec.json.decode(text, type=Given)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{error}; expected {form}") from None
    given = msgspec.json.decode(text)
    return given["current"], given["new"]


def decide_rows(settings: Settings, current: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One decision a row, under the configured thresholds; nothing waits for approval here. Raises ValueError."""
    policy = replace(
        rules_policy(settings), third_party=DECIDE_POLICY.third_party, propose_kinds=DECIDE_POLICY.propose_kinds
    )
    return decide_table(current, new, Embedder().embed, triple_of_sentence, policy, pair_judge())
