"""What the extraction models take and give: plain values, with nothing of the store or the stream in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message to evaluate. `context` is (role, text) of up to 8 messages before it, oldest first."""

    role: str
    text: str
    sent_at_ms: int
    timezone: str = "UTC"
    language: str | None = None
    context: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing said, in the third person; `start`/`end` are the character span of its evidence in the utterance.

    `predicate` is a name of state.predicates' catalogue, or "states" where none fits. `subject` is "user", or the
    name or relation of whom or what it is about. `confirmed`: the content comes from a question that the user affirmed.
    """

    kind: str
    namespace: tuple[str, ...]
    subject: str
    predicate: str
    object: str
    polarity: bool
    content: str
    confidence: float
    intensity: float
    language: str
    start: int
    end: int
    valid_from: str | None = None
    valid_to: str | None = None
    recurring: str | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    """A message that itself asks memory for something (T3): `action` is "remember" or "forget", `text` what about."""

    action: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that one utterance gives. `dropped` names the reason of each clause left out (X6, X7, X10)."""

    claims: tuple[Claim, ...] = ()
    dropped: tuple[str, ...] = ()
    request: MemoryRequest | None = None
