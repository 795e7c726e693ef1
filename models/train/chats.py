"""The public chats that a model here may learn from, as (previous turn, turn) with one normal spelling.

Read from the folder given at training time and never copied. MSC is not among them: it is for measuring only, and
XPersona's English test part, which holds the same dialogues as MSC's first session, is left out for that reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PERSONA_SETS = {
    "xpersona": "xpersona/en_valid.jsonl",
    "synthetic": "synthetic_persona_chat/valid.jsonl",
    "topical": "topical_chat/valid_rare.jsonl",
}
TASK_SETS = ("mt_bench", "role_prompts", "seed_tasks", "sgd", "taskmaster4", "ubuntu_irc")

_SPACE_BEFORE = re.compile(r"\s+([.,!?;:%)]|n't\b|'(?:s|m|re|ve|ll|d)\b)")
_LONE_I = re.compile(r"\bi\b(?=$|[\s'.,!?])")
_START = re.compile(r"(^|[.!?]\s+)([a-z])")


@dataclass(frozen=True, slots=True)
class Turn:
    """One speaker's turn in a chat; `previous` is (role, text) of the turns before it as that speaker sees them."""

    source: str
    conversation: str
    message: str
    speaker: str
    text: str
    previous: tuple[tuple[str, str], ...]
    persona: tuple[str, ...] = ()


def spelled(text: str) -> str:
    """Tokenised lower-case chat as people type it: no space before punctuation, capitals at starts and for I."""
    joined = re.sub(r"(?:\s?\.){3,}", "...", text)
    joined = _SPACE_BEFORE.sub(r"\1", joined)
    joined = _LONE_I.sub("I", re.sub(r"\s+", " ", joined).strip())
    return _START.sub(lambda found: found[1] + found[2].upper(), joined)


def persona_turns(data: Path, source: str) -> Iterator[Turn]:
    """Every turn of every speaker of one persona set, each as a user's own."""
    with (data / PERSONA_SETS[source]).open(encoding="utf-8") as lines:
        for line in lines:
            chat = json.loads(line)
            personas: dict[str, list[str]] = {}
            for item in chat["gold"]:
                if item["kind"] == "claim":
                    personas.setdefault(item["subject"], []).append(item["text"])
            yield from _turns(source, chat, personas, ("user", "peer"))


def task_turns(data: Path, source: str) -> Iterator[Turn]:
    """The user's turns of one task set, where nothing durable is said."""
    with (data / "task_chats" / f"{source}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield from _turns(source, json.loads(line), {}, ("user",))


def _turns(
    source: str, chat: dict[str, object], personas: dict[str, list[str]], roles: tuple[str, ...]
) -> Iterator[Turn]:
    seen: list[tuple[str, str, str]] = []
    messages = chat["messages"]
    assert isinstance(messages, list)
    for message in messages:
        text = spelled(message["text"]) if source == "xpersona" else message["text"]
        speaker = str(message["speaker"])
        if message["role"] in roles and text.strip():
            previous = tuple((_role(role, who == speaker), said) for who, role, said in seen[-2:])
            yield Turn(
                source, str(chat["conversation_id"]), str(message["id"]), speaker, text, previous,
                tuple(personas.get(speaker, ())),
            )  # fmt: skip
        seen.append((speaker, str(message["role"]), text))


def _role(role: str, own: bool) -> str:
    return "user" if own else "assistant" if role == "assistant" else "peer"
