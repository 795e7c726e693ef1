"""What of the claims may be stored, and how (P1, P3, P4, P7, W1): validate first, then should-remember.

Pure functions of a candidate and the policy. Redaction comes earlier, as a message is decoded. What a hook of the
product's own says (operators.hooks) comes last in each of the two steps.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeVar

from models.claims import Claim
from operators.hooks import NO_HOOKS, Hooks
from operators.sensitive import CATEGORIES, categories_of
from state.facts import KINDS, Candidate, Kind, WriteMode

Sensitivity = Literal["keep", "propose", "drop"]
Namespace = tuple[str, ...]
T = TypeVar("T")
IMPORT = "import"
"""The source, for write modes, of what an import brings."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of memory (P7): the kinds and namespaces in it, and what is its own of write mode and threshold.

    Without namespaces it holds all. A claim belongs to the first block that holds it.
    """

    name: str
    kinds: frozenset[Kind]
    namespaces: tuple[Namespace, ...] = ()
    write_mode: WriteMode | None = None
    confidence_min: float | None = None

    def holds(self, kind: str, namespace: Namespace) -> bool:
        """Whether a claim of that kind and namespace belongs here."""
        return kind in self.kinds and (not self.namespaces or any(is_in(namespace, each) for each in self.namespaces))


DEFAULT_BLOCKS = (
    Block("facts", frozenset(kind for kind in KINDS if kind != "procedure")),
    Block("procedures", frozenset(("procedure",))),
)


@dataclass(frozen=True, slots=True)
class StoragePolicy:
    """What may be stored, and how. Of several write modes or thresholds the most specific counts.

    For write modes: source, namespace (of several patterns the longest), block, kind; "auto" where none says. For
    thresholds: namespace, block, kind. `allow` without entries allows all namespaces; `deny` comes before it.
    `review`: what would be written waits for approval instead, whatever else says "auto".
    """

    kinds: frozenset[Kind] = frozenset(KINDS)
    blocks: tuple[Block, ...] = DEFAULT_BLOCKS
    allow: tuple[Namespace, ...] = ()
    deny: tuple[Namespace, ...] = ()
    write_mode_by_kind: Mapping[Kind, WriteMode] = field(default_factory=lambda: {"procedure": "propose"})
    write_mode_by_namespace: tuple[tuple[Namespace, WriteMode], ...] = ()
    write_mode_by_source: Mapping[str, WriteMode] = field(default_factory=dict)
    confidence_min_by_kind: Mapping[Kind, float] = field(default_factory=dict)
    confidence_min_by_namespace: tuple[tuple[Namespace, float], ...] = ()
    sensitive: Mapping[str, Sensitivity] = field(default_factory=dict)
    off_record: bool = True
    review: bool = False
    hooks: Hooks = NO_HOOKS

    @property
    def drops_sensitive(self) -> bool:
        """Whether some category must not be stored."""
        return "drop" in self.sensitive.values()


def judged(candidate: Candidate, policy: StoragePolicy) -> Candidate | str:
    """The candidate with its write mode, or the reason why it is not stored: its label in the metrics.

    Reasons: kind, block, namespace, confidence, sensitive_CATEGORY; of hooks: validate, should_remember, hook_failed.
    """
    block = _block(candidate, policy)
    sensitivity, refused = _let_pass(candidate, block, policy)
    if refused is not None:
        return refused
    mode = _write_mode(candidate, block, policy)
    if mode == "auto" and (sensitivity == "propose" or policy.review):
        mode = "propose"
    return candidate if mode == candidate.write_mode else dataclasses.replace(candidate, write_mode=mode)


def imported(candidate: Candidate, policy: StoragePolicy, *, new: bool = False) -> Candidate | str:
    """The same for what an import brings (Q5): judged like everything that could be remembered.

    What is not `new` was in a memory of ours already, where it was stored or approved: the write modes of its kind,
    namespace and block don't ask for that again. The source "import", review and a sensitive category do.
    """
    block = _block(candidate, policy)
    sensitivity, refused = _let_pass(candidate, block, policy)
    if refused is not None:
        return refused
    mode = policy.write_mode_by_source.get(IMPORT) or (_write_mode(candidate, block, policy) if new else "auto")
    if mode == "auto" and (sensitivity == "propose" or policy.review):
        mode = "propose"
    return candidate if mode == candidate.write_mode else dataclasses.replace(candidate, write_mode=mode)


def commanded(candidate: Candidate, policy: StoragePolicy) -> Candidate | str:
    """The same for what a command writes (W3): past kinds, blocks, thresholds and write modes, and no further.

    What the product must not store at all, by namespace, category or its own validation, no command stores either.
    """
    if not _allowed(candidate.namespace, policy):
        return "namespace"
    refused = policy.hooks.refuses("validate", candidate)
    if refused is None and policy.sensitive:
        _, refused = _sensitivity(candidate, policy)
    return candidate if refused is None else refused


def _block(candidate: Candidate, policy: StoragePolicy) -> Block | None:
    return next((each for each in policy.blocks if each.holds(candidate.kind, candidate.namespace)), None)


def _let_pass(candidate: Candidate, block: Block | None, policy: StoragePolicy) -> tuple[Sensitivity, str | None]:
    """Validate, then should-remember: how sensitive it is, and why it is left out if it is."""
    refused = _invalid(candidate, block, policy) or policy.hooks.refuses("validate", candidate)
    sensitivity: Sensitivity = "keep"
    if refused is None and policy.sensitive:
        sensitivity, refused = _sensitivity(candidate, policy)
    return sensitivity, refused or policy.hooks.refuses("should_remember", candidate)


def is_in(namespace: Namespace, pattern: Namespace) -> bool:
    """Whether a namespace is a pattern's or below it; "*" in a pattern is any one part."""
    return len(namespace) >= len(pattern) and all(
        part in ("*", own) for own, part in zip(namespace, pattern, strict=False)
    )


def names_dropped(text: str, policy: StoragePolicy) -> bool:
    """Whether a text speaks of a category that must not be stored; for texts kept whole, beside their claims."""
    told = _I_AM.sub("is", text)  # the lexicon's words are those of claims: "is gay"
    return any(policy.sensitive.get(category) == "drop" for category in categories_of(text) | categories_of(told))


_I_AM = re.compile(r"\b(?:I|we)(?:['’]?m| am|['’]?re| are)\b", re.IGNORECASE)


def claims_dropped(claim: Claim, policy: StoragePolicy) -> bool:
    """Whether a claim is of a category that must not be stored, however sure it is."""
    return any(policy.sensitive.get(category) == "drop" for category in categories_of(claim.content, claim.predicate))


def _invalid(candidate: Candidate, block: Block | None, policy: StoragePolicy) -> str | None:
    if candidate.kind not in policy.kinds:
        return "kind"
    if block is None:
        return "block"
    if not _allowed(candidate.namespace, policy):
        return "namespace"
    return "confidence" if candidate.confidence < _confidence_min(candidate, block, policy) else None


def _allowed(namespace: Namespace, policy: StoragePolicy) -> bool:
    if any(is_in(namespace, pattern) for pattern in policy.deny):
        return False
    return not policy.allow or any(is_in(namespace, pattern) for pattern in policy.allow)


def _confidence_min(candidate: Candidate, block: Block, policy: StoragePolicy) -> float:
    named = _longest(candidate.namespace, policy.confidence_min_by_namespace)
    if named is not None:
        return named
    if block.confidence_min is not None:
        return block.confidence_min
    return policy.confidence_min_by_kind.get(candidate.kind, 0.0)


def _write_mode(candidate: Candidate, block: Block | None, policy: StoragePolicy) -> WriteMode:
    mode = policy.write_mode_by_source.get(candidate.source.origin.topic)
    if mode is None:
        mode = _longest(candidate.namespace, policy.write_mode_by_namespace)
    if mode is None and block is not None:
        mode = block.write_mode
    return mode or policy.write_mode_by_kind.get(candidate.kind, "auto")


def _longest(namespace: Namespace, table: tuple[tuple[Namespace, T], ...]) -> T | None:
    """What the longest pattern that the namespace is in says; of equally long ones that with fewer "*"."""
    fitting = [(len(pattern), -pattern.count("*"), value) for pattern, value in table if is_in(namespace, pattern)]
    return max(fitting, key=lambda row: row[:2])[2] if fitting else None


def _sensitivity(candidate: Candidate, policy: StoragePolicy) -> tuple[Sensitivity, str | None]:
    """The strictest of what the claim's categories say, and why it is dropped if it is."""
    found = categories_of(candidate.content, candidate.predicate, candidate.namespace)
    for category in CATEGORIES:
        if category in found and policy.sensitive.get(category) == "drop":
            return "drop", f"sensitive_{category}"
    proposes = any(policy.sensitive.get(category) == "propose" for category in found)
    return ("propose" if proposes else "keep"), None


@lru_cache(maxsize=1024)
def parsed(pattern: str) -> Namespace:
    """A namespace pattern as it is written: "user/health", "people/*/work"."""
    return tuple(part for part in pattern.split("/") if part)
