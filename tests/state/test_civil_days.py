"""A day begins where the user is (X5)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from state.civil_days import CivilDays, zone_of


def at_ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "inside", "outside"),
    [
        ("Asia/Tokyo", "2026-03-31T15:00:00+00:00", "2026-04-30T15:00:00+00:00"),
        ("America/New_York", "2026-05-01T03:59:59+00:00", "2026-04-01T03:59:59+00:00"),
        (None, "2026-04-30T23:59:59+00:00", "2026-05-01T00:00:00+00:00"),
        ("Mars/Olympus", "2026-04-01T00:00:00+00:00", "2026-03-31T23:59:59+00:00"),
    ],
)
def test_a_month_has_the_moments_of_its_own_clock(zone: str | None, inside: str, outside: str) -> None:
    april = CivilDays.of("2026-04-01", "2026-04-30", zone)
    assert april.has(at_ms(inside))
    assert not april.has(at_ms(outside))


def test_days_reach_to_both_ends_of_the_calendar() -> None:
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        ever = CivilDays.of("0001-01-01", "9999-12-31", zone)
        assert ever.has(0)
        assert ever.has(at_ms("9999-12-30T00:00:00+00:00"))


def test_an_unknown_zone_is_utc() -> None:
    assert zone_of("Mars/Olympus") is zone_of(None) is zone_of("") is UTC
