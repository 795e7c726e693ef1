"""Clauses with labels, from the authored corpus, from labels on public chats, and from public chats by rule.

Every example is cut by the same clause splitter and read by the same reader as in the job.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.clauses import Clause, split
from models.inputs import Reader, plainly_empty, reader
from models.masks import masked_spans
from models.train.chats import PERSONA_SETS, TASK_SETS, Turn, persona_turns, task_turns
from models.train.templates import statements

HERE = Path(__file__).parent
KINDS = ("fact", "status", "opinion", "procedure", "recommendation")
SUBJECTS = ("user", "third", "project")
KIND_OF_LETTER = {"f": "fact", "s": "status", "o": "opinion"}
SOFT_KEEP = 0.9
LABEL_WEIGHT = 1.5
HINT_CONFIDENCE_MAX = 0.75
PEOPLE_HINT_KEEP = 0.9
OVERLAP_MIN = 0.5
CHATS = "chats"
_SWAPPED = {"user": "peer", "peer": "user"}

_PROJECT = re.compile(r"\b(?:project|team|company|product|app|release|sprint|repo)\b", re.IGNORECASE)


@dataclass(slots=True)
class Example:
    """One clause. `keep` is a probability; a head whose label is None or empty is not trained on this clause."""

    read: Reader
    keep: float
    weight: float
    source: str
    part: str
    kinds: dict[str, float] = field(default_factory=dict)
    predicates: dict[str, float] = field(default_factory=dict)
    subject: str | None = None
    intensity: float | None = None


def part_of(key: str) -> str:
    """Train, dev or test by a salted hash of the conversation, 80/10/10."""
    number = hashlib.blake2b(key.encode(), digest_size=2, salt=b"parts").digest()[0] % 10
    return {0: "test", 1: "dev"}.get(number, "train")


def kept_clauses(text: str, previous: Sequence[tuple[str, str]]) -> list[Clause]:
    """The clauses of a message that reach the model."""
    return [clause for clause in split(text, masked_spans(text)) if not plainly_empty(clause, previous)]


def corpus_examples(folder: Path = HERE / "corpus") -> Iterator[Example]:
    """The authored conversations; the corpus names its own test part, dev is a hash of the rest.

    Of talk with an assistant the user's messages, of chats between two people both speakers', each as the user of a
    memory of their own.
    """
    for path in sorted(folder.glob("*.jsonl")):
        source = path.stem.split("_")[0]
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                chat = json.loads(line)
                part = chat["split"]
                if part == "train" and part_of(chat["id"]) == "dev":
                    part = "dev"
                for speaker in ("user", "peer") if source == CHATS else ("user",):
                    yield from _speaker_examples(chat["messages"], speaker, part, source)


def _speaker_examples(messages: Sequence[dict[str, Any]], speaker: str, part: str, source: str) -> Iterator[Example]:
    previous: list[tuple[str, str]] = []
    for message in messages:
        if message["role"] == speaker:
            yield from _message_examples(message, previous, part, source)
        previous.append(
            (_SWAPPED.get(message["role"], "assistant") if speaker == "peer" else message["role"], message["text"])
        )


def _message_examples(
    message: dict[str, Any], previous: list[tuple[str, str]], part: str, source: str
) -> Iterator[Example]:
    text = message["text"]
    marks = [(found, claim) for claim in message["claims"] if (found := _span(text, claim["text"]))]
    for clause in kept_clauses(text, previous):
        read = reader(text, clause.start, clause.end, previous)
        yield claimed(Example(read, 0.0, 1.0, source, part), (clause.start, clause.end), marks)


def claimed(
    example: Example, clause: tuple[int, int], marks: Sequence[tuple[tuple[int, int], dict[str, Any]]]
) -> Example:
    """The example with the labels of the claims whose evidence lies in its clause; without one it stays a negative."""
    claims = [claim for span, claim in marks if _overlap(span, clause) >= OVERLAP_MIN]
    if claims:
        best = max(claim["confidence"] for claim in claims)
        # Among people a hint (a wish, "me too", an ability) is meant to be known as much as a plain statement.
        hint = PEOPLE_HINT_KEEP if example.read.among_people else best
        example.keep = 1.0 if best > HINT_CONFIDENCE_MAX else hint
        example.kinds = _shares(claim["kind"] for claim in claims)
        example.predicates = _shares(claim.get("predicate", "states") for claim in claims)
        example.subject = _subject(claims)
        strengths = [claim["intensity"] for claim in claims if "intensity" in claim]
        example.intensity = max(strengths, default=None)
    return example


def _span(text: str, part: str) -> tuple[int, int] | None:
    start = text.find(part)
    return (start, start + len(part)) if start >= 0 and part else None


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common / max(1, min(one[1] - one[0], other[1] - other[0]))


def _shares(names: Iterator[str]) -> dict[str, float]:
    counts = Counter(names)
    return {name: count / counts.total() for name, count in sorted(counts.items())}


def _subject(claims: list[dict[str, Any]]) -> str:
    subjects = [claim["subject"] for claim in claims]
    if "user" in subjects:
        return "user"
    return "project" if _PROJECT.search(subjects[0]) else "third"


def labelled_examples(data: Path, name: str = "chats", folder: Path = HERE / "labels") -> Iterator[Example]:
    """Labels given by hand to clauses of the persona chats: they name set, conversation, message and characters."""
    turns = {(turn.source, turn.conversation, turn.message): turn for turn in all_persona_turns(data)}
    source = "labels" if name == "chats" else name
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            turn = turns[row["set"], row["conversation_id"], row["message_id"]]
            for start, end, letter in row["labels"]:
                clause = Clause(start, end, turn.text[start:end], start, end)
                if plainly_empty(clause, turn.previous):
                    continue
                read = reader(turn.text, start, end, turn.previous)
                example = Example(read, _keep_of(letter), LABEL_WEIGHT, source, part_of(row["conversation_id"]))
                if letter in KIND_OF_LETTER:
                    example.kinds = {KIND_OF_LETTER[letter]: 1.0}
                yield example


def revised(examples: Sequence[Example], revisions: Sequence[Example]) -> list[Example]:
    """The examples, each of which takes keep and kind of the revision that reads the same words, if there is one."""
    second = {revision.read: revision for revision in revisions}
    for example in examples:
        again = second.get(example.read)
        if again is not None:
            example.keep, example.kinds = again.keep, again.kinds
    return list(examples)


def labelled_conversations(folder: Path = HERE / "labels") -> frozenset[tuple[str, str]]:
    """(short set name, conversation) of every conversation that has labels by hand."""
    short = {path.removesuffix(".jsonl"): name for name, path in PERSONA_SETS.items()}
    found: set[tuple[str, str]] = set()
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found.add((short.get(row["set"], row["set"]), row["conversation_id"]))
    return frozenset(found)


def _keep_of(letter: str) -> float:
    return {".": 0.0, "w": SOFT_KEEP}.get(letter, 1.0)


def all_persona_turns(data: Path) -> Iterator[Turn]:
    """The turns of every persona set that a model may learn from."""
    for source in PERSONA_SETS:
        yield from persona_turns(data, source)


def template_examples() -> Iterator[Example]:
    """Plain statements, each a message of its own, all for training."""
    for text, kind, predicate, subject in statements():
        for clause in kept_clauses(text, ()):
            example = Example(
                reader(text, clause.start, clause.end, ()), 1.0 if kind else 0.0, 1.0, "templates", "train"
            )
            if kind:
                example.kinds, example.predicates, example.subject = {kind: 1.0}, {predicate: 1.0}, subject
            yield example


def task_examples(data: Path) -> Iterator[Example]:
    """User turns of task chats, all negative."""
    for source in TASK_SETS:
        for turn in task_turns(data, source):
            for clause in kept_clauses(turn.text, turn.previous):
                read = reader(turn.text, clause.start, clause.end, turn.previous)
                yield Example(read, 0.0, 1.0, "tasks", part_of(turn.conversation))
