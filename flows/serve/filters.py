"""mem0's filters, as far as memory can answer them; one that it cannot is refused, for leaving it out would widen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flows.serve.problems import ProblemError

_IDS: Final = ("user_id", "agent_id", "run_id")
_DATES: Final = ("created_at", "updated_at")
_FIELD: Final = {"created_at": "first_said_at", "updated_at": "recorded_at"}
_COMPARED: Final = ("gte", "gt", "lte", "lt")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose memories, and which of them. `dates` are (field, operator, ISO date or time)."""

    user: str
    agent: str | None = None
    run: str | None = None
    categories: frozenset[str] = frozenset()
    dates: tuple[tuple[str, str, str], ...] = ()

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether an exported fact is among them."""
        if self.agent is not None and row["agent_id"] not in (None, self.agent):
            return False
        if self.run is not None and self.run not in {source["conversation_id"] for source in row["sources"]}:
            return False
        if self.categories and row["kind"] not in self.categories:
            return False
        return all(_compares(row[_FIELD[name]], operator, value) for name, operator, value in self.dates)


def wanted_of(filters: Mapping[str, Any], ids: Mapping[str, str | None]) -> Wanted:
    """What a request's filters and ids want. Raises ProblemError for what is not understood, or without a user."""
    found: dict[str, Any] = {name: value for name, value in ids.items() if value}
    _read(filters, found)
    user = found.get("user_id")
    if not isinstance(user, str) or not user or user == "*":
        raise ProblemError(400, 'user_id is missing: give it, or filters with one, such as {"user_id": "ana"}')
    named = {name: None if found.get(name) == "*" else found.get(name) for name in ("agent_id", "run_id")}
    return Wanted(
        user, named["agent_id"], named["run_id"], frozenset(found.get("categories", ())), tuple(found.get("dates", ()))
    )


def _read(filters: Mapping[str, Any], found: dict[str, Any]) -> None:
    for name, value in filters.items():
        if name == "AND" and isinstance(value, list) and all(isinstance(each, dict) for each in value):
            for each in value:
                _read(each, found)
        elif name in _IDS:
            _one(name, value, found)
        elif name == "categories":
            found["categories"] = _categories(value)
        elif name in _DATES and isinstance(value, dict) and value and all(each in _COMPARED for each in value):
            found.setdefault("dates", []).extend((name, each, str(limit)) for each, limit in value.items())
        else:
            known = "AND, user_id, agent_id, run_id, categories, created_at and updated_at"
            raise ProblemError(400, f"filter {name!r} is not understood as it is given; known here are {known}")


def _one(name: str, value: Any, found: dict[str, Any]) -> None:
    if isinstance(value, dict) and isinstance(value.get("in"), list) and len(value["in"]) == 1:
        value = value["in"][0]
    if not isinstance(value, str):
        raise ProblemError(400, f"filter {name!r} is {str(value)[:80]!r}, expected one id")
    if found.get(name, value) != value:
        raise ProblemError(400, f"{name} is given twice, as {found[name]!r} and {value!r}")
    found[name] = value


def _categories(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = value.get("in", value.get("contains"))
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise ProblemError(400, 'filter \'categories\' is expected as {"in": ["fact", …]}')
    return listed


def _compares(at: str, operator: str, limit: str) -> bool:
    """ISO times by their characters; a date alone is its first instant, or for an upper bound its whole day."""
    at = at[: len(limit)] if operator in ("lte", "gt") else at
    if operator == "gte":
        return at >= limit
    if operator == "gt":
        return at > limit
    return at <= limit if operator == "lte" else at < limit
