"""Civil days where a user is, and the moments of event time at which they begin and end (X5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class CivilDays:
    """From `first` to `last`, both counted, as ISO dates; from `begins_ms` until `ends_ms`, milliseconds since 1970."""

    first: str
    last: str
    begins_ms: int
    ends_ms: int

    @classmethod
    def of(cls, first: str, last: str, zone: str | None = None) -> Self:
        """The days in an IANA time zone; none or an unknown one means UTC."""
        final = date.fromisoformat(last)
        if final == date.max:
            return cls(first, last, begins_ms(date.fromisoformat(first), zone), begins_ms(final, zone) + _DAY_MS)
        return cls(first, last, begins_ms(date.fromisoformat(first), zone), begins_ms(final + timedelta(days=1), zone))

    def has(self, at_ms: int) -> bool:
        """Whether a moment lies in them."""
        return self.begins_ms <= at_ms < self.ends_ms


def begins_ms(day: date, zone: str | None) -> int:
    """When a day begins in a time zone, in milliseconds since 1970."""
    return int(datetime(day.year, day.month, day.day, tzinfo=zone_of(zone)).timestamp() * 1000)


@lru_cache(maxsize=1024)
def zone_of(name: str | None) -> tzinfo:
    """The IANA time zone of that name; without one, or where it is unknown, UTC."""
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
