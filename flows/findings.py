"""What the doctor finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `remedy` says what to do where it is not good."""

    what: str
    good: bool
    found: str
    remedy: str = ""
