"""Short ways to write claims, entries and folds in tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from state.facts import Candidate, Entry, Fact, FactEvent, Source, candidate_id
from state.fold import apply_entry
from state.messages import Command, Origin
from state.policy import RulesPolicy
from state.predicates import importance_of, namespace_for, predicate
from state.user_memory import Changes, UserMemory
from tests.state.embedding_stub import code, similar_among

DAY_MS = 86_400_000
START_MS = 1_767_225_600_000  # 2026-01-01T00:00Z
POLICY = RulesPolicy(third_party="keep")

# content -> (subject, predicate, object, polarity), the first that matches; what an extractor would read.
_FORMS = (
    (r"assistant recommended (?P<o>.+)", "recommends", True),
    (r"has never lived in (?P<o>.+)", "lived_in", False),
    (r"does not live in (?P<o>.+)", "lives_in", False),
    (r"used to live in (?P<o>.+)", "lived_in", True),
    (r"lives in (?P<o>.+)", "lives_in", True),
    (r"moved to (?P<o>.+)", "moved_to", True),
    (r"works in (?P<o>.+)", "works_in", True),
    (r"works as (?P<o>.+)", "works_as", True),
    (r"works at (?P<o>.+?)(?: since .+)?$", "works_at", True),
    (r"has been at (?P<o>.+?) for .+", "works_at", True),
    (r"left (?P<o>.+)", "left_job", True),
    (r"is unemployed(?P<o>)", "is_unemployed", True),
    (r"is retired(?P<o>)", "is_retired", True),
    (r"is looking for (?P<o>a .*job)", "seeks_job", True),
    (r"(?:got|started) (?P<o>a .*job.*)", "started_job", True),
    (r"has (?:never had|no) (?P<o>.*licence)", "has_licence", False),
    (r"has (?P<o>.*licence)", "has_licence", True),
    (r"does not have (?P<o>a (?:cat|dog).*)", "has_pet", False),
    (r"(?:has|got) (?P<o>(?:another |an? |two |three )?(?:\w+ )?(?:cats?|dogs?|labrador).*)", "has_pet", True),
    (r"has never (?P<o>been to .+)", "states", False),
    (r"(?:does not like|dislikes|has gone off) (?P<o>.+)", "dislikes", False),
    (r"hates (?P<o>.+)", "hates", True),
    (r"loves (?P<o>.+)", "loves", True),
    (r"enjoys (?P<o>.+)", "enjoys", True),
    (r"likes (?P<o>.+)", "likes", True),
    (r"prefers (?P<o>.+ over .+)", "prefers_over", True),
    (r"prefers (?P<o>.+)", "prefers", True),
    (r"does not smoke(?P<o>)", "smokes", False),
    (r"smokes(?P<o>.*)", "smokes", True),
    (r"does not drink (?P<o>alcohol)", "drinks_alcohol", False),
    (r"drinks (?P<o>alcohol)", "drinks_alcohol", True),
    (r"is not a (?P<o>vegetarian)", "follows_diet", False),
    (r"is a (?P<o>vegetarian)", "follows_diet", True),
    (r"cannot (?P<o>.+)", "cannot", False),
    (r"can (?P<o>.+)", "can", True),
    (r"plays the (?P<o>.+)", "plays_instrument", True),
    (r"pays (?P<o>.+) rent.*", "pays_rent", True),
    (r"is (?P<o>\d+) years old", "is_aged", True),
    (r"'s name is (?P<o>.+)", "is_named", True),
    (r"is allergic to (?P<o>.+)", "has_allergy", True),
    (r"is visiting (?P<o>.+)", "visits", True),
    (r"plans to (?P<o>.+)", "plans", True),
    (r"wants to (?P<o>.+)", "wants", True),
    (r"bought (?P<o>.+)", "bought", True),
    (r"is married to (?P<o>.+)", "married_to", True),
    (r"has a sister called (?P<o>.+)", "has_sibling", True),
    (r"is divorced(?P<o>)", "is_divorced", True),
    (r"is married(?P<o>)", "is_married", True),
    (r"owns (?P<o>.+)", "owns", True),
    (r"(?:bikes to|commutes by|commutes) (?P<o>.+)", "commutes", True),
    (r"assistant should not (?P<o>.+)", "forbids", False),
    (r"assistant may (?P<o>.+)", "permits", True),
    (r"assistant should (?P<o>.+)", "instructs", True),
    (r"speaks (?P<o>.+)", "speaks", True),
    (r"drives (?P<o>.+)", "drives", True),
)


def read_triple(content: str) -> tuple[str, str, str, bool]:
    """What an extractor would read in a content of these tests; unknown forms are "states"."""
    first = content.split()[0].removesuffix("'s")
    subject = "user" if first in ("User", "Assistant") else first
    for form, name, polarity in _FORMS:
        found = re.search(form, content, re.I)
        if found:
            return subject, name, found["o"].strip(), polarity
    return subject, "states", content.removeprefix("User").strip(), " not " not in content


def claim(content: str, message: str = "m1", day: float = 0, **fields: Any) -> Candidate:
    """A candidate said `day` days after 2026-01-01 in message `message`; any field may be given."""
    subject, name, obj, polarity = read_triple(content)
    subject, name = fields.pop("subject", subject), fields.pop("predicate", name)
    obj, polarity = fields.pop("object", obj), fields.pop("polarity", polarity)
    entry = predicate(name)
    kind = "opinion" if entry.preference else "status" if entry.time_bound else "fact"
    kind = {"instructions": "procedure", "recommendations": "recommendation"}.get(entry.group, kind)
    intensity = fields.pop("intensity", 0.5)
    made = Candidate(
        candidate_id=candidate_id("t", "u", message, 0, len(content), (subject, name, obj)),
        tenant="t",
        user_id="u",
        agent_id=None,
        said_at_ms=START_MS + int(day * DAY_MS),
        source=Source(message, "c1", 0, len(content), Origin("messages", 0, 7)),
        kind=kind,  # type: ignore[arg-type]  # one of the literals above
        namespace=namespace_for(subject, name),
        content=content,
        subject=subject,
        predicate=name,
        object=obj,
        polarity=polarity,
        confidence=0.92,
        intensity=intensity,
        importance=importance_of(name, intensity),
        language="en",
        embedding=code(content),
    )
    return replace(made, **fields)


def said(*claims: Candidate) -> Entry:
    """The entry of one message."""
    first = claims[0]
    return Entry("t", "u", first.said_at_ms, first.source.message_id, tuple(claims))


def told(name: str, day: float, entry_id: str = "k1", candidates: tuple[Candidate, ...] = (), **fields: Any) -> Entry:
    """The entry of one command; its words are embedded."""
    at_ms = START_MS + int(day * DAY_MS)
    command = Command("t", "u", name, entry_id, at_ms, Origin("commands", 0, 1), **fields)  # type: ignore[arg-type]
    words = command.text or command.match or command.content
    return Entry("t", "u", at_ms, entry_id, candidates, command, code(words) if words else b"")


class Folding:
    """One user's memory with all that folding entries into it has told."""

    def __init__(self, policy: RulesPolicy = POLICY) -> None:
        self.policy = policy
        self.memory = UserMemory("t", "u")
        self.changes: list[Changes] = []

    def fold(self, *entries: Entry) -> Folding:
        """Applies entries in the order given."""
        for entry in entries:
            self.changes.append(apply_entry(self.memory, entry, similar_among(self.memory.facts), self.policy))
        return self

    def say(self, *contents: str, **fields: Any) -> Folding:
        """Each content in a message of its own, a day after the one before."""
        for content in contents:
            day = len(self.changes)
            self.fold(said(claim(content, f"m{day}", day, **fields)))
        return self

    @property
    def events(self) -> list[FactEvent]:
        return [event for change in self.changes for event in change.events]

    @property
    def last(self) -> FactEvent:
        """The newest event that is no expiry."""
        return self.events[-1]

    @property
    def active(self) -> list[str]:
        return self.of("active")

    def of(self, status: str) -> list[str]:
        """Contents of the facts of one status, sorted."""
        return sorted(fact.content for fact in self.memory.facts.values() if fact.status == status)

    def fact(self, part: str) -> Fact:
        """The one fact whose content holds `part`."""
        (found,) = [fact for fact in self.memory.facts.values() if part in fact.content]
        return found

    def pending(self) -> list[str]:
        """Contents of the pending proposals, sorted."""
        return sorted(p.candidate.content for p in self.memory.proposals.values() if p.status == "pending")


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """The order of the fold (R14)."""
    return sorted(entries, key=lambda entry: (entry.at_ms, entry.entry_id))
