"""A product's own functions in the three steps of policy (P1): redact, then validate, then should-remember.

They are Python entry points; flows.hooks finds them. A hook that raises, or answers what it may not, costs the item
it was asked about: that message or claim is left out, counted and logged without its words, and all others go on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from state.facts import Candidate

Redact = Callable[[str], str]
Decides = Callable[[Candidate], bool]
Step = Literal["validate", "should_remember"]

_LOG = logging.getLogger("factstream.hooks")


class HookFailed(Exception):  # noqa: N818  # it says what happened
    """A redact hook failed, so nobody knows that a text is clean; names the hook, never the text."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of each step as (name, function), in the order in which they are asked; names sort them."""

    redact: tuple[tuple[str, Redact], ...] = ()
    validate: tuple[tuple[str, Decides], ...] = ()
    should_remember: tuple[tuple[str, Decides], ...] = ()

    def redacted(self, text: str) -> str:
        """The text after every redact hook. Raises HookFailed."""
        for name, hook in self.redact:
            try:
                answer = hook(text)
            except Exception as error:  # a hook is foreign code and may raise anything
                raise HookFailed(_failure("redact", name, type(error).__name__)) from None
            if not isinstance(answer, str):
                raise HookFailed(_failure("redact", name, f"it returned {type(answer).__name__}, expected str"))
            text = answer
        return text

    def refuses(self, step: Step, candidate: Candidate) -> str | None:
        """None where every hook of the step says True; else the step's name, or hook_failed."""
        for name, hook in self.validate if step == "validate" else self.should_remember:
            try:
                answer = hook(candidate)
            except Exception as error:  # a hook is foreign code and may raise anything
                _failure(step, name, type(error).__name__)
                return "hook_failed"
            if not isinstance(answer, bool):
                _failure(step, name, f"it returned {type(answer).__name__}, expected True or False")
                return "hook_failed"
            if not answer:
                return step
        return None


NO_HOOKS = Hooks()


def _failure(step: str, name: str, what: str) -> str:
    """One line for log and dead letter: the error's kind alone, for its message may hold what a person wrote."""
    line = f"hook {name} of factstream.{step} failed ({what}); its item was left out"
    _LOG.error(line)
    return line
