"""The profile of a user: what has one value at a time, one clean value a slot, with where it comes from (Q7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from state.export import fact_row
from state.facts import Fact
from state.predicates import predicate

_USER: Final = "user"


@dataclass(frozen=True, slots=True)
class Slot:
    """One value, and the fact that says so; None where the profile itself was given it."""

    value: str
    fact: Fact | None = None

    @property
    def row(self) -> dict[str, Any]:
        """The exported form, with the fact's provenance."""
        if self.fact is None:
            return {"value": self.value, "source": "profile"}
        told = ("id", "content", "confidence", "valid_from", "last_said_at", "sources")
        row = fact_row(self.fact)
        return {"value": self.value, "source": "fact", **{name: row[name] for name in told}}


def profile(facts: Iterable[Fact], given: Mapping[str, str]) -> dict[str, Slot]:
    """Slots by attribute name, in order of name. `given` are profile records (time zone, name…), a bio left out.

    What the user said later stands before what they said earlier, and before what the profile was given.
    """
    slots = {name: Slot(value) for name, value in given.items() if name != "bio"}
    for fact in sorted(facts, key=lambda each: (each.last_said_at_ms, each.fact_id)):
        attribute = predicate(fact.predicate)
        if fact.status != "active" or not fact.polarity or fact.subject.casefold() != _USER:
            continue
        if attribute.cardinality == "single" and fact.object:
            slots[attribute.group] = Slot(fact.object, fact)
    return dict(sorted(slots.items()))
