"""Measure 4: is what is stored right and as sure as it says, on the part of the authored corpus no training saw?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

import models
from flows.evaluation.chats import Chat, DataError, Said
from flows.evaluation.figures import Figure, mean
from flows.evaluation.product import Stored, StoredClaim
from models.claims import Utterance
from models.extractor import Extractor

TARGET = 0.05
PRECISION, RECALL, RIGHT = 0.92, 0.85, 0.95
BINS = 10
OVERLAP_MIN = 0.5


_Found = tuple[StoredClaim, list[dict[str, Any]]]


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
            Said(str(place), _role(row["id"], said["role"]), said["role"], said["text"], at)
            for place, said in enumerate(row["messages"])
        )
        gold = [
            {**claim, "place": place, "start": start, "end": start + len(claim["text"])}
            for place, said in enumerate(row["messages"])
            for claim in said.get("claims", ())
            if (start := said["text"].find(claim["text"])) >= 0
        ]
        chats.append(Chat(number, messages, tuple(gold)))
    return chats


def _role(conversation: str, role: str) -> str:
    """In chats among people both speakers are the users of their own memories; elsewhere a peer is no user."""
    return "user" if role == "peer" and conversation.startswith("chats") else role


def expected_error(judged: Sequence[Judged]) -> float:
    """Expected calibration error: mean distance of confidence and share of right ones over ten equal bins, by size."""
    bins: dict[int, list[Judged]] = {}
    for each in judged:
        bins.setdefault(min(int(each.confidence * BINS), BINS - 1), []).append(each)
    return sum(abs(sum(each.confidence - each.right for each in inside)) for inside in bins.values()) / max(
        len(judged), 1
    )


def figures(chats: Sequence[Chat], stored: Stored) -> list[Figure]:
    """The error over what is stored and over all that the extractor reads, and how right what is stored is."""
    kept = [
        Judged(claim.confidence, bool(_marks(chat, place, claim.start, claim.end)))
        for chat, place, claim in _stored_claims(chats, stored)
    ]
    read = _read_all(chats)
    errors = [
        Figure(4, "authored test part", name, expected_error(judged), len(judged), None, TARGET, at_most=True)
        for name, judged in (("calibration error, stored", kept), ("calibration error, all that was read", read))
    ]
    among_people = [chat for chat in chats if len(chat.speakers()) > 1]
    with_assistant = [chat for chat in chats if chat not in among_people]
    return [
        *errors,
        *rightness(with_assistant, stored, "talk with an assistant"),
        *rightness(among_people, stored, "chats among people"),
    ]


def rightness(chats: Sequence[Chat], stored: Stored, name: str) -> list[Figure]:
    """Precision and recall of what is stored; of what is right in place, the share with the kind and the polarity.

    A label counts as found when a stored claim lies over it, and a claim as of its kind when one of the labels below
    it says so. The baselines of kind and polarity call all a fact, and nothing denied.
    """
    found = [
        (claim, _marks(chat, place, claim.start, claim.end)) for chat, place, claim in _stored_claims(chats, stored)
    ]
    right = [(claim, marks) for claim, marks in found if marks]
    reached = {id(mark) for _, marks in right for mark in marks}
    wanted = sum(len(chat.gold) for chat in chats)
    polar = [(claim, marks) for claim, marks in right if all("polarity" in mark for mark in marks)]
    shares = [
        ("precision", _share(bool(marks) for _, marks in found), len(found), None, PRECISION),
        ("recall", len(reached) / max(wanted, 1), wanted, None, RECALL),
        ("kind", *_agreed(right, "kind", "fact"), RIGHT),
        ("polarity", *_agreed(polar, "polarity", True), RIGHT),
    ]
    return [Figure(4, name, what, value, count, base, aim) for what, value, count, base, aim in shares if count]


def _agreed(found: Sequence[_Found], field: str, common: object) -> tuple[float, int, float]:
    """(share of claims whose field a label below them has, their number, the share if all had the common value)"""
    right = _share(any(mark[field] == getattr(claim, field) for mark in marks) for claim, marks in found)
    return right, len(found), _share(any(mark[field] == common for mark in marks) for _, marks in found)


def _share(judged: Iterable[bool]) -> float:
    return mean([float(each) for each in judged])


def _stored_claims(chats: Sequence[Chat], stored: Stored) -> Iterator[tuple[Chat, int, StoredClaim]]:
    """Every stored claim with its conversation and the place of its message there."""
    for chat in chats:
        for user in map(chat.user_of, chat.speakers()):
            for place in range(len(chat.messages)):
                for claim in stored.claims.get((user, chat.message_id(place)), ()):
                    yield chat, place, claim


def _read_all(chats: Sequence[Chat]) -> list[Judged]:
    places: list[tuple[Chat, int]] = []
    utterances: list[Utterance] = []
    for chat in chats:
        for place, said in enumerate(chat.messages):
            if said.role == "user" and said.at is not None:
                before = chat.messages[max(0, place - 8) : place]
                context = tuple((_seen_as(each, said.speaker), each.text) for each in before)
                places.append((chat, place))
                utterances.append(Utterance("user", said.text, int(said.at.timestamp() * 1000), context=context))
    extractions = Extractor(keep_threshold=0.0).extract(utterances)
    return [
        Judged(claim.confidence, bool(_marks(chat, place, claim.start, claim.end)))
        for (chat, place), extraction in zip(places, extractions, strict=True)
        for claim in extraction.claims
    ]


def _seen_as(said: Said, speaker: str) -> str:
    return "peer" if said.role == "user" and said.speaker != speaker else said.role


def _marks(chat: Chat, place: int, start: int, end: int) -> list[dict[str, Any]]:
    """The labels at a stretch of a message: half of the shorter of both lies in the other."""
    return [
        gold
        for gold in chat.gold
        if gold["place"] == place
        and min(end, gold["end"]) - max(start, gold["start"])
        > OVERLAP_MIN * min(end - start, gold["end"] - gold["start"])
    ]
