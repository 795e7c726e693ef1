"""What a product may configure about the decision rules; the defaults are those of REQUIREMENTS.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from state.facts import Kind


@dataclass(frozen=True, slots=True)
class RulesPolicy:
    """Thresholds and choices of reconciliation. Similarities are cosines; they belong to one embedding version.

    `confidence_min` is P3's floor and `delete_confidence_min` R4's. `overlap_similarity` is one of R2's conditions,
    `same_similarity` makes two wordings one claim where numbers, names and negation agree (R5, R7). `score_gain` is
    the rise in confidence or intensity that R2 asks for. `forget_similarity` is F3's semantic condition.
    `status_ttl_days` is how long a status without an end is believed (R10); `..._by_group` sets it apart for groups
    of the predicate catalogue; a dated plan is believed until `event_grace_days` after its date. `relation_groups`
    are the attributes of people that third_party "relation" keeps (X8). `derived` says whether what follows from two
    facts is proposed, written or left (R12, W1). `retention_days` is how long a kind is kept after it was last said
    (F5); a kind that it leaves out is kept. `proposal_days` is how long a proposal waits, `decided_days` how long one
    that no longer waits keeps its words; 0 for ever. The `_max` bound what one user may hold.
    """

    confidence_min: float = 0.70
    delete_confidence_min: float = 0.90
    overlap_similarity: float = 0.70
    same_similarity: float = 0.80
    score_gain: float = 0.05
    forget_similarity: float = 0.55
    polarity_change: Literal["update", "delete"] = "update"
    third_party: Literal["keep", "relation", "drop"] = "relation"
    relation_groups: tuple[str, ...] = (
        "name",
        "nickname",
        "birthday",
        "anniversaries",
        "partner",
        "children",
        "parents",
        "siblings",
        "relatives",
        "friends",
        "colleagues",
        "acquaintances",
    )
    propose_kinds: tuple[Kind, ...] = ("procedure",)
    derived: Literal["off", "propose", "auto"] = "off"
    status_ttl_days: int = 90
    status_ttl_days_by_group: tuple[tuple[str, int], ...] = (
        ("feelings", 7),
        ("symptoms", 14),
        ("injuries", 120),
        ("pregnancy", 280),
        ("job_search", 180),
        ("plans", 180),
        ("goals", 365),
    )
    event_grace_days: int = 7
    facts_max: int = 100
    tombstones_max: int = 200
    sources_max: int = 16
    retention_days: tuple[tuple[Kind, int], ...] = ()
    reinforced_confidence_max: float = 0.99
    forget_boundaries_max: int = 100
    negation_boundaries_max: int = 32
    pending_proposals_max: int = 200
    proposal_days: int = 0
    decided_days: int = 30
