"""Finds a product's own policy functions: entry points of installed packages (P1). docs/policy.md shows one whole."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from flows.settings import Settings, SettingsError
from operators.hooks import NO_HOOKS, Hooks
from operators.redact import redact

GROUPS: Final = ("factstream.redact", "factstream.validate", "factstream.should_remember")
"""Groups of entry points, in the order in which policy asks them."""


def hooks_of(settings: Settings) -> Hooks:
    """The installed hooks, none where `policy.hooks` is false. Raises SettingsError."""
    return _installed() if settings.policy.hooks else NO_HOOKS


def redacted(text: str, settings: Settings) -> str:
    """A text as the decode step would leave it, for what is written down before it. Raises HookFailed."""
    return hooks_of(settings).redacted(redact(text)[0])


@cache
def _installed() -> Hooks:
    """Loaded once a process, in the order of the entry points' names."""
    found = {group: tuple(_loaded(point) for point in _points(group)) for group in GROUPS}
    return Hooks(*(found[group] for group in GROUPS))


def _points(group: str) -> list[EntryPoint]:
    points = {(point.name, point.value): point for point in entry_points(group=group)}
    return [points[key] for key in sorted(points)]


def _loaded(point: EntryPoint) -> tuple[str, Any]:
    place = f"entry point {point.name!r} of {point.group} ({point.value}, package {_package(point)})"
    remedy = "repair or uninstall the package, or set policy.hooks = false"
    try:
        hook = point.load()
    except Exception as error:  # foreign code runs at import and may raise anything
        raise SettingsError(f"{place} cannot be loaded: {type(error).__name__}: {error}; {remedy}") from None
    if not callable(hook):
        raise SettingsError(f"{place} is a {type(hook).__name__}, expected a function; {remedy}")
    return point.name, hook


def _package(point: EntryPoint) -> str:
    return "unknown" if point.dist is None else point.dist.name
