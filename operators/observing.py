"""How steps report numbers without knowing who counts them: names are those of INTERFACE "Metrics", less the prefix."""

from __future__ import annotations

from typing import Protocol


class Observer(Protocol):
    """Receives counts and measurements; never a user's name or words."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Adds to a counter."""

    def measure(self, name: str, value: float, **labels: str) -> None:
        """Adds one observation to a histogram."""

    def gauge(self, name: str, value: float, **labels: str) -> None:
        """Adds `value` to a gauge (negative to take away)."""


class Unobserved:
    """An observer that drops everything, for tests and tools."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Does nothing."""

    def measure(self, name: str, value: float, **labels: str) -> None:
        """Does nothing."""

    def gauge(self, name: str, value: float, **labels: str) -> None:
        """Does nothing."""
