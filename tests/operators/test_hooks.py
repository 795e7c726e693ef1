from __future__ import annotations

import logging
from typing import Any

import pytest

from operators.hooks import HookFailed, Hooks
from tests.state.folding import claim


def _raises(_: Any) -> Any:
    raise RuntimeError("my password is tulip77")


@pytest.mark.parametrize("answer", [None, 1, "yes"])
def test_an_answer_that_is_no_yes_or_no_costs_the_item(answer: Any, caplog: pytest.LogCaptureFixture) -> None:
    hooks = Hooks(validate=(("odd", lambda _: answer),))
    assert hooks.refuses("validate", claim("User likes tea")) == "hook_failed"
    assert "hook odd of factstream.validate failed (it returned" in caplog.text


@pytest.mark.parametrize("step", ["validate", "should_remember"])
def test_a_hook_that_raises_costs_the_item_and_logs_no_words(step: Any, caplog: pytest.LogCaptureFixture) -> None:
    """P1, P2: the error's own message may hold what a person wrote."""
    hooks = Hooks(**{step: (("bad", _raises),)})
    with caplog.at_level(logging.ERROR):
        assert hooks.refuses(step, claim("User likes tea")) == "hook_failed"
    assert f"hook bad of factstream.{step} failed (RuntimeError); its item was left out" in caplog.text
    assert "tulip77" not in caplog.text


def test_the_first_no_decides() -> None:
    asked = []
    hooks = Hooks(validate=(("a", lambda _: False), ("b", lambda each: asked.append(each) is None)))
    assert hooks.refuses("validate", claim("User likes tea")) == "validate"
    assert asked == []
    assert hooks.refuses("should_remember", claim("User likes tea")) is None


def test_redact_hooks_follow_each_other() -> None:
    hooks = Hooks(redact=(("a", lambda text: text.replace("one", "two")), ("b", lambda text: text.replace("two", "x"))))
    assert hooks.redacted("one") == "x"


@pytest.mark.parametrize("hook", [_raises, lambda text: text.encode()])
def test_a_redact_hook_that_fails_is_told_apart_from_a_clean_text(hook: Any) -> None:
    """P2: nobody knows then that the text is clean."""
    with pytest.raises(HookFailed) as failed:
        Hooks(redact=(("bad", hook),)).redacted("my password is tulip77")
    assert "tulip77" not in str(failed.value)
