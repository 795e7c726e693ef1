"""How often one caller may ask: token buckets, as many as there are callers and never more than a bound."""

from __future__ import annotations

from collections import OrderedDict


class Buckets:
    """A bucket for each key: `burst` requests at once, refilled at `rate_per_second`; the least recent go first."""

    def __init__(self, rate_per_second: float, burst: int, keys_max: int = 10_000) -> None:
        self._rate, self._burst, self._keys_max = rate_per_second, float(burst), keys_max
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, now: float) -> float:
        """Takes one request; 0, or the seconds until there is one again. `now` is seconds of a steady clock."""
        left, since = self._held.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        wait = 0.0 if left >= 1.0 else (1.0 - left) / self._rate
        self._held[key] = (left if wait else left - 1.0, now)
        if len(self._held) > self._keys_max:
            self._held.popitem(last=False)
        return wait
