"""Hand labels on public chats, stored by reference (models/train/labels/README.md), as clauses to learn from.

A label names set, conversation, message and the characters of its evidence; the words are read from the data folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.inputs import reader
from models.train.chats import spelled
from models.train.examples import HERE, Example, claimed, kept_clauses, part_of

_SPELLED = ("xpersona/",)
_PREVIOUS_TURNS = 2


def span_labelled_examples(data: Path, folder: Path = HERE / "labels") -> Iterator[Example]:
    """Every clause of every labelled turn; what no label covers holds nothing."""
    for path in sorted(folder.glob("*_[0-9][0-9].jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        chats = _conversations(data, {(row["set"], row["conversation_id"]) for row in rows})
        for row in rows:
            chat = chats[row["set"], row["conversation_id"]]
            yield from _of_conversation(chat, row)


def _conversations(data: Path, wanted: set[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name in sorted({name for name, _ in wanted}):
        with (data / f"{name}.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                chat = json.loads(line)
                key = (name, str(chat["conversation_id"]))
                if key in wanted:
                    found[key] = chat
    return found


def _of_conversation(chat: dict[str, Any], row: dict[str, Any]) -> Iterator[Example]:
    claims = {turn["id"]: turn["claims"] for turn in row["turns"]}
    respelled = row["set"].startswith(_SPELLED)
    part = part_of(row["conversation_id"])
    seen: list[tuple[str, str, str]] = []
    for message in chat["messages"]:
        raw = message["text"]
        text = spelled(raw) if respelled else raw
        speaker = str(message["speaker"])
        if message["id"] in claims and text.strip():
            previous = [(_role(role, who == speaker), said) for who, role, said in seen[-_PREVIOUS_TURNS:]]
            marks = [(span, c) for c in claims[message["id"]] if (span := _place(raw, text, c, respelled))]
            for clause in kept_clauses(text, previous):
                read = reader(text, clause.start, clause.end, previous)
                yield claimed(Example(read, 0.0, 1.0, "spans", part), (clause.start, clause.end), marks)
        seen.append((speaker, str(message["role"]), text))


def _role(role: str, own: bool) -> str:
    return "user" if own else "assistant" if role == "assistant" else "peer"


def _place(raw: str, text: str, claim: dict[str, Any], respelled: bool) -> tuple[int, int] | None:
    """Where a label's characters lie in the text as it is read; the nearest of equal words."""
    start, end = claim["start"], claim["end"]
    if not respelled:
        return start, end
    evidence = spelled(raw[start:end]).casefold()
    near = max(0, len(spelled(raw[:start] + "x")) - 1)
    lowered = text.casefold()
    places = [at for at in range(len(lowered)) if lowered.startswith(evidence, at)]
    if not places:
        return None
    best = min(places, key=lambda at: abs(at - near))
    return best, best + len(evidence)
