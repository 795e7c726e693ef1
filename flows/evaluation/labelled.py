"""Turns with the claims that people wrote for them (msc)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flows.evaluation.chats import Chat, Turn

SETS = ("s1", "s2", "s3", "s4")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One turn: what was said, the claims that people wrote of it ("" where they found none)."""

    turn: Turn
    said: str
    gold: str


def labelled_turns(chats: Sequence[Chat]) -> Iterator[Labelled]:
    """Every turn that people labelled, in order; labels of a whole session are not of a turn."""
    for chat in chats:
        gold = {message_id: label for label in chat.gold for message_id in label["evidence"]}
        for turn, said in chat.turns():
            label = gold.get(said.id)
            if label is not None:
                yield Labelled(turn, said.text, label["text"] if label["kind"] == "claim" else "")
