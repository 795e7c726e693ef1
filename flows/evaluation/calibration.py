"""Measure 4: does confidence mean what it says, on the part of the authored corpus that no training saw?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import orjson

import models
from flows.evaluation.chats import Chat, DataError, Said
from flows.evaluation.figures import Figure
from flows.evaluation.product import Stored
from models.claims import Utterance
from models.extractor import Extractor

TARGET = 0.05
BINS = 10
OVERLAP_MIN = 0.5


@dataclass(frozen=True, slots=True)
class Judged:
    """A confidence, and whether people marked a claim where its evidence is."""

    confidence: float
    right: bool


def read_corpus(limit: int | None = None) -> list[Chat]:
    """The test part of the authored corpus; the spans that hold claims are in `gold`. Raises DataError."""
    folder = Path(models.__file__).parent / "train" / "corpus"
    rows = [orjson.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.open("rb")]
    if not rows:
        raise DataError(f"{folder}: no authored corpus; run eval calibration from a checkout of the project")
    chats = []
    for number, row in enumerate([row for row in rows if row["split"] == "test"][:limit]):
        at = datetime.fromisoformat(row["sent_at"])
        messages = tuple(
            Said(str(place), said["role"], said["role"], said["text"], at) for place, said in enumerate(row["messages"])
        )
        gold = [
            {"place": place, "start": start, "end": start + len(claim["text"])}
            for place, said in enumerate(row["messages"])
            for claim in said.get("claims", ())
            if (start := said["text"].find(claim["text"])) >= 0
        ]
        chats.append(Chat(number, messages, tuple(gold)))
    return chats


def expected_error(judged: Sequence[Judged]) -> float:
    """Expected calibration error: mean distance of confidence and share of right ones over ten equal bins, by size."""
    bins: dict[int, list[Judged]] = {}
    for each in judged:
        bins.setdefault(min(int(each.confidence * BINS), BINS - 1), []).append(each)
    return sum(abs(sum(each.confidence - each.right for each in inside)) for inside in bins.values()) / max(
        len(judged), 1
    )


def figures(chats: Sequence[Chat], stored: Stored) -> list[Figure]:
    """The error over what is stored, and over all that the extractor reads, below the floor too."""
    kept = [
        Judged(claim.confidence, _is_marked(chat, place, claim.start, claim.end))
        for chat in chats
        for user in map(chat.user_of, chat.speakers())
        for place in range(len(chat.messages))
        for claim in stored.claims.get((user, chat.message_id(place)), ())
    ]
    read = _read_all(chats)
    return [
        Figure(4, "authored test part", name, expected_error(judged), len(judged), None, TARGET, at_most=True)
        for name, judged in (("calibration error, stored", kept), ("calibration error, all that was read", read))
    ]


def _read_all(chats: Sequence[Chat]) -> list[Judged]:
    places: list[tuple[Chat, int]] = []
    utterances: list[Utterance] = []
    for chat in chats:
        for place, said in enumerate(chat.messages):
            if said.role == "user" and said.at is not None:
                context = tuple((each.role, each.text) for each in chat.messages[max(0, place - 8) : place])
                places.append((chat, place))
                utterances.append(Utterance("user", said.text, int(said.at.timestamp() * 1000), context=context))
    extractions = Extractor(keep_threshold=0.0).extract(utterances)
    return [
        Judged(claim.confidence, _is_marked(chat, place, claim.start, claim.end))
        for (chat, place), extraction in zip(places, extractions, strict=True)
        for claim in extraction.claims
    ]


def _is_marked(chat: Chat, place: int, start: int, end: int) -> bool:
    """Whether half of the shorter of both spans lies in the other."""
    for gold in chat.gold:
        shared = min(end, gold["end"]) - max(start, gold["start"])
        if gold["place"] == place and shared > OVERLAP_MIN * min(end - start, gold["end"] - gold["start"]):
            return True
    return False
