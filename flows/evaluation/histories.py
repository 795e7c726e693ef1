"""Authored long histories (measure 8): lives of twenty people told in passing over two years, with questions.

A file of `histories/` is one person: lines `NUMBER DATE WORDS` are what they said that is worth finding again, written
by hand; lines `? KIND EVIDENCE | QUESTION` ask for it, EVIDENCE being numbers of such lines (with a `!`: what has since
changed). Between them lies talk from `histories/filler.txt`, chosen by a hash: every run makes the same messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

from state.export import iso

_T = TypeVar("_T")

FOLDER: Final = Path(__file__).parent / "histories"
KINDS: Final = ("single", "multi", "temporal", "changed", "none")
ASKED_AT_MS: Final = int(datetime(2026, 1, 10, 9, tzinfo=UTC).timestamp() * 1000)
_FILLER_BETWEEN: Final = 7
"""Exchanges after each line of a life."""
_MINUTE_MS: Final = 60_000
_REPLIES: Final = ("Thanks for telling me.", "I see.", "That's quite something.", "Good to know.", "Oh!", "Noted.")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which kind, and the ids of the messages that answer it; `stale` once answered it."""

    kind: str
    text: str
    evidence: tuple[str, ...]
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class History:
    """One person's messages, as canonical rows in order of time, and the questions about them."""

    user: str
    rows: tuple[dict[str, Any], ...]
    questions: tuple[Question, ...]

    @property
    def said(self) -> list[dict[str, Any]]:
        """The rows of the user's own words."""
        return [row for row in self.rows if row["role"] == "user"]


def read_histories(limit: int | None = None) -> list[History]:
    """The histories (the first `limit` of them), in order of file name."""
    paths = sorted(FOLDER.glob("[0-9]*.txt"))
    return [_history(path) for path in paths[:limit]]


def _history(path: Path) -> History:
    user = path.stem
    rows: list[dict[str, Any]] = []
    questions: list[Question] = []
    for line in path.read_text().splitlines():
        if line.startswith("?"):
            questions.append(_question(user, line))
        elif line and not line.startswith("#"):
            number, day, words = line.split(" ", 2)
            rows += _day(user, number, datetime.fromisoformat(f"{day}T17:00:00+00:00"), words)
    rows.sort(key=lambda row: row["sent_at"])
    return History(user, tuple(rows), tuple(questions))


def _question(user: str, line: str) -> Question:
    named, _, text = line[1:].partition("|")
    kind, *numbers = named.split()
    return Question(
        kind,
        text.strip(),
        tuple(f"{user}-{number}" for number in numbers if not number.startswith("!")),
        tuple(f"{user}-{number[1:]}" for number in numbers if number.startswith("!")),
    )


def _day(user: str, number: str, at: datetime, words: str) -> Iterator[dict[str, Any]]:
    """A line of a life with its answer, then talk, one exchange every other day."""
    yield from _exchange(user, number, at, words, _picked(_REPLIES, user, number))
    for turn in range(_FILLER_BETWEEN):
        asked, answered = _filled(user, number, turn)
        yield from _exchange(user, f"{number}f{turn}", at + timedelta(days=1.4 * turn + 1, hours=turn), asked, answered)


def _exchange(user: str, ident: str, at: datetime, asked: str, answered: str) -> Iterator[dict[str, Any]]:
    said_ms = int(at.timestamp() * 1000)
    for role, text, later in (("user", asked, 0), ("assistant", answered, 1)):
        yield {
            "user_id": user,
            "conversation_id": f"{user}-{ident}",
            "message_id": f"{user}-{ident}" if role == "user" else f"{user}-{ident}a",
            "role": role,
            "text": text,
            "sent_at": iso(said_ms + later * _MINUTE_MS),
        }


@cache
def _filler() -> tuple[tuple[tuple[str, str], ...], dict[str, tuple[str, ...]]]:
    """(What is said and answered, the lists that fill its braces.)"""
    said, lists = [], {}
    for line in (FOLDER / "filler.txt").read_text().splitlines():
        if line.startswith("="):
            name, _, words = line[1:].partition(":")
            lists[name.strip()] = tuple(word.strip() for word in words.split(";"))
        elif line and not line.startswith("#"):
            asked, _, answered = line.partition(" | ")
            said.append((asked, answered))
    return tuple(said), lists


def _filled(user: str, number: str, turn: int) -> tuple[str, str]:
    said, lists = _filler()
    asked, answered = _picked(said, user, number, turn)
    return re.sub(r"\{(\w+)\}", lambda slot: _picked(lists[slot[1]], user, number, turn, slot[1]), asked), answered


def _picked(choices: tuple[_T, ...], *parts: object) -> _T:
    digest = blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest()
    return choices[int.from_bytes(digest, "big") % len(choices)]
