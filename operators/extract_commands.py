"""What the words of a command say: as claims of the same form as those of messages (W2, W3, Q5)."""

from __future__ import annotations

from dataclasses import replace

from models.claims import Claim, Extraction, Utterance
from models.foreign import is_first_person, stated
from models.third_person import claim_of_sentence, order_of_sentence, spoken
from state.facts import normalised
from state.messages import Command
from state.predicates import kind_of

_FOREIGN_CONFIDENCE = 0.85  # another product took it for true; nobody here saw the conversation
_INJECTION = "injection"


def told_words(command: Command) -> str | None:
    """The words that a command gives memory to keep, if it does: of remember, edit, and an import that is read."""
    words = command.content if command.command == "edit" else command.text
    return words if words and command.command in ("remember", "edit", "import") else None


def utterance_of(command: Command, timezone: str) -> Utterance | None:
    """The words as the user would have said them, for the extractor; None where the rules alone read them."""
    words = told_words(command)
    if words is None or (command.command == "import" and not is_first_person(words)):
        return None
    return Utterance("user", spoken(words), command.sent_at_ms, command.timezone or timezone)


def claims_of(command: Command, reading: Extraction | None, timezone: str) -> tuple[Claim, ...]:
    """What the extractor found in the words, else what the rules read in them, else the words as they stand.

    A sentence about the user that says one thing, and no date, keeps its wording; so does what a `kind` is given for.
    Where the extractor took words for an attack on memory, only what it found beside them is kept (X10).
    """
    words = told_words(command) or ""
    told = spoken(words) != words
    found = () if reading is None else reading.claims
    if told:
        found = tuple(replace(claim, start=0, end=len(words)) for claim in found)
    if command.kind is not None and command.command == "remember":
        first = found[0] if found else _stated(words, command, timezone)
        return (replace(first, kind=command.kind, content=words, start=0, end=len(words)),)
    if not found:
        injected = reading is not None and _INJECTION in reading.dropped
        return () if injected else (_stated(words, command, timezone),)
    if told and len(found) == 1 and not _is_dated(found[0]):
        return (replace(found[0], content=" ".join(words.split()).rstrip(".")),)
    return tuple(sorted(found, key=lambda claim: normalised(claim.content) != normalised(words)))


def _is_dated(claim: Claim) -> bool:
    return bool(claim.valid_from or claim.valid_to or claim.recurring)


def _stated(words: str, command: Command, timezone: str) -> Claim:
    """One claim by rule; of the command's `kind` and in its `namespace` where these are known."""
    if command.kind in (None, "procedure") and (order := order_of_sentence(words)) is not None:
        claim = order
    else:
        claim = claim_of_sentence(stated(words, command.kind), command.sent_at_ms, command.timezone or timezone)
    kind = command.kind or kind_of(claim.predicate)
    sure = _FOREIGN_CONFIDENCE if command.command == "import" else 1.0
    return replace(claim, kind=kind, confidence=sure, intensity=0.5, start=0, end=len(words))
