"""Copies of one user's memory at earlier positions, so that a late entry need not fold the whole log again (R14).

Facts, proposals and boundaries are immutable, so a copy is a few dictionaries that share them. Copies are a matter of
speed only: without one the fold starts from an empty memory and ends in the same.
"""

from __future__ import annotations

from dataclasses import fields, replace

from state.user_memory import Position, UserMemory

_SPACING_ENTRIES = 4
_KEPT_MAX = 6


class Checkpoints:
    """The latest few copies, oldest first, each some entries after the one before."""

    def __init__(self) -> None:
        self._copies: list[UserMemory] = []
        self._entries = _SPACING_ENTRIES

    def passing(self, memory: UserMemory) -> None:
        """Tells that one more entry is about to be applied to `memory`; now and then that is worth a copy."""
        self._entries += 1
        if self._entries > _SPACING_ENTRIES:
            self._copies.append(copied(memory))
            del self._copies[:-_KEPT_MAX]
            self._entries = 1

    def before(self, position: Position) -> UserMemory | None:
        """The latest memory from before `position`, to go on from; None where none is kept. Later copies are let go."""
        self.let_go(position)
        return copied(self._copies[-1]) if self._copies else None

    def let_go(self, position: Position) -> None:
        """Drops the copies that lack what was said at `position`, for they were made from there on."""
        while self._copies and self._copies[-1].position >= position:
            self._copies.pop()


def put_back(memory: UserMemory, earlier: UserMemory) -> None:
    """Makes `memory` what it was when `earlier` was copied from it."""
    for each in fields(UserMemory):
        setattr(memory, each.name, getattr(earlier, each.name))


def copied(memory: UserMemory) -> UserMemory:
    """A copy that later entries folded into `memory` leave as it is."""
    return replace(
        memory,
        facts=dict(memory.facts),
        proposals=dict(memory.proposals),
        boundaries=list(memory.boundaries),
        bio=list(memory.bio),
        profile=dict(memory.profile),
    )
