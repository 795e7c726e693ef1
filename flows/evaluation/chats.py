"""Conversations of the data sets, and the messages that a product would have got while they were held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

_START = datetime(2026, 1, 1, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)
Turn = tuple[str, str]


class DataError(Exception):
    """A data set that is not there or cannot be read; one line with the remedy."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation, as its file has it; `at` is its time where the file gives one."""

    id: str
    role: str
    speaker: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """One conversation. `gold` are the file's labels, untouched; `number` is its place in the file."""

    number: int
    messages: tuple[Said, ...]
    gold: tuple[dict[str, Any], ...]

    def user_of(self, speaker: str) -> str:
        """The user id that a speaker of this conversation goes by: every conversation has memories of its own."""
        return f"c{self.number:05}-s{self.speakers().index(speaker):02}"

    def speakers(self) -> list[str]:
        """Those who speak as users, in order of appearance."""
        return list(dict.fromkeys(said.speaker for said in self.messages if said.role == "user"))

    def turns(self) -> Iterator[tuple[Turn, Said]]:
        """Every message that somebody's memory may learn from, under (user id, message id)."""
        users = {speaker: self.user_of(speaker) for speaker in self.speakers()}
        for place, said in enumerate(self.messages):
            if said.role == "user":
                yield (users[said.speaker], self.message_id(place)), said

    def message_id(self, place: int) -> str:
        """The id under which the message at `place` is sent; ids sort as the messages do."""
        return f"c{self.number:05}-m{place:04}"


def read_chats(path: Path, limit: int | None = None) -> list[Chat]:
    """The first `limit` conversations of a file, all without. Raises DataError."""
    if not path.is_file():
        raise DataError(f"{path}: no such data set; give the folder that holds {path.parent.name}/ with --data")
    chats = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines):
            if limit is not None and number >= limit:
                break
            row = orjson.loads(line)
            messages = tuple(
                Said(said["id"], said["role"], said["speaker"] or "", said["text"], _moment(said.get("ts")))
                for said in row["messages"]
            )
            chats.append(Chat(number, messages, tuple(row["gold"])))
    return chats


def message_rows(chats: Sequence[Chat]) -> Iterator[dict[str, Any]]:
    """The records of all conversations, in order of time.

    Each speaker's words are the user's in that speaker's memory and a peer's in the others'. Where the file has no
    times, conversations follow each other from 2026-01-01T00:00Z, a minute a message.
    """
    started = sorted(_timed(chats), key=lambda pair: pair[1][0])
    for chat, moments in started:
        for speaker in chat.speakers():
            user = chat.user_of(speaker)
            for place, (said, moment) in enumerate(zip(chat.messages, moments, strict=True)):
                yield {
                    "user_id": user,
                    "conversation_id": f"c{chat.number:05}",
                    "message_id": chat.message_id(place),
                    "role": "peer" if said.role == "user" and said.speaker != speaker else said.role,
                    "text": said.text,
                    "sent_at": moment.isoformat(),
                }


def _timed(chats: Sequence[Chat]) -> Iterator[tuple[Chat, list[datetime]]]:
    clock = _START
    for chat in chats:
        if not chat.messages:
            continue
        moments = []
        latest = next((said.at for said in chat.messages if said.at is not None), None)
        for said in chat.messages:
            if latest is None:
                moments.append(clock)
                clock += _MINUTE
            else:
                latest = max(latest, said.at or latest)
                moments.append(latest)
        yield chat, moments


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
