from __future__ import annotations

import pytest

from models.off_record import off_record


@pytest.mark.parametrize(
    "text",
    [
        "Off the record, I got fired today.",
        "This is off the record: we are merging.",
        "don't save this: I have lupus",
        "Please do not store any of this, I am only venting.",
        "Between you and me, I can't stand my boss.",
        "This stays between us, I am leaving him.",
        "I'll tell you without saving it: I bet on horses.",
        "Don't remember what I'm about to say. I cheated.",
    ],
)
def test_a_message_may_say_that_it_is_not_for_memory(text: str) -> None:
    """P4."""
    assert off_record(text) == "message"


@pytest.mark.parametrize(
    "text",
    [
        "Please don't remember that.",
        "Forget I said that.",
        "oh, forget what I just told you",
        "I take lithium, but don't store that",
        "You don't need to remember that.",
        "scratch that from your memory",
        "Actually, don’t keep that, thanks",
    ],
)
def test_a_message_may_take_back_what_was_just_said(text: str) -> None:
    """P4."""
    assert off_record(text) == "before"


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember that movie.",
        "Do you remember that?",
        "forget that I smoke",
        "Don't forget that I like tea.",
        'My mum said "don\'t write this down" and laughed.',
        "My dad never kept that promise.",
        "She was off the record in the interview.",
        "It is over between us.",
        "I never save this much money.",
        "I split it between you and me and Tom.",
        "Don't keep it waiting.",
        "I can't forget what I said to her.",
        "The record is off, put on another.",
    ],
)
def test_what_only_sounds_like_it_is_left_alone(text: str) -> None:
    """T3: requests to forget something named are told elsewhere."""
    assert off_record(text) is None
