"""Turns: the messages that facts came from, kept beside them as long as configured (Q4, P2, F6, F7).

A turn lies in the shard's memory file as a row of `turn`, already redacted, versioned and rolled back like the rest.
Rows go when the message is edited or deleted, when they are older than the retention, and with their user.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from state.lexical import pack_terms
from state.messages import Origin, Role, reduced

SCHEMA: Final = """
create table if not exists turn(
  id integer primary key, user text not null, message_id text not null, conversation text not null,
  role text not null, asks integer not null, sent_at_ms integer not null, terms blob not null, embedding blob not null,
  embedding_version text not null, from_seq integer not null, to_seq integer, body blob not null);
create index if not exists turn_message on turn(user, message_id);
create index if not exists turn_sent on turn(sent_at_ms);
"""
MARKS: Final = {"turn": ("to_seq",)}
READ_MAX: Final = 2_000
"""Turns of one user that a question looks at: the newest."""
_FOREVER_MS: Final = 2**62
_CHARS_EMBEDDED: Final = 300


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as it was said, redacted. `embedding`: see state.index.encode; empty where it has none.

    `revises`: its sender edited or deleted (empty `text`) a message of this id that may be kept already (F7).
    """

    tenant: str
    user_id: str
    message_id: str
    conversation_id: str
    role: Role
    text: str
    sent_at_ms: int
    origin: Origin
    agent_id: str | None = None
    speaker: str | None = None
    embedding: bytes = b""
    embedding_version: str = ""
    revises: bool = False

    __reduce__ = reduced


@dataclass(frozen=True, slots=True)
class Shelf:
    """A user's turns as a question reads them, oldest first: everything but the words; `asks`: it ends in a "?"."""

    rows: tuple[int, ...]
    message_ids: tuple[str, ...]
    conversations: tuple[str, ...]
    roles: tuple[str, ...]
    asks: tuple[int, ...]
    sent_at_ms: tuple[int, ...]
    terms: tuple[bytes, ...]
    embeddings: tuple[bytes, ...]
    embedding_versions: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rows)


def embedded_text(text: str) -> str:
    """The part of a turn's text that its vector is of: enough to tell what it is about, at a bounded cost."""
    return text[:_CHARS_EMBEDDED]


def text_of(body: bytes) -> str:
    """The words in a row's body."""
    return str(orjson.loads(body)[0])


def keep(db: sqlite3.Connection, user: str, turns: Iterable[Turn], seq: int) -> None:
    """Writes turns; one that is kept already is not written again, and what one revises ends."""
    for turn in turns:
        if turn.revises:
            db.execute(
                "update turn set to_seq = ? where user = ? and message_id = ? and to_seq is null",
                (seq, user, turn.message_id),
            )
        if turn.text:
            db.execute(
                "insert into turn(user, message_id, conversation, role, asks, sent_at_ms, terms, embedding,"
                " embedding_version, from_seq, body) select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11"
                " where not exists (select 1 from turn where user = ?1 and message_id = ?2 and to_seq is null)",
                (
                    user,
                    turn.message_id,
                    turn.conversation_id,
                    turn.role,
                    turn.text.rstrip().endswith(("?", "？")),
                    turn.sent_at_ms,
                    pack_terms(turn.text),
                    turn.embedding,
                    turn.embedding_version,
                    seq,
                    _pack(turn),
                ),
            )


def purge(db: sqlite3.Connection, floor: int, before_ms: int) -> None:
    """Removes what only a rollback below `floor` would need, and what was said before `before_ms`."""
    db.execute("delete from turn where to_seq <= ?", (floor,))
    db.execute("delete from turn where sent_at_ms < ? and from_seq <= ?", (before_ms, floor))


def shelf(db: sqlite3.Connection, user: str, until_ms: int | None = None) -> Shelf:
    """A user's turns (said until a time), the newest READ_MAX of them; none where turns are not kept."""
    try:
        found = db.execute(
            "select id, message_id, conversation, role, asks, sent_at_ms, terms, embedding, embedding_version from turn"
            " where user = ? and to_seq is null and sent_at_ms <= ? order by id desc limit ?",
            (user, _FOREVER_MS if until_ms is None else until_ms, READ_MAX),
        ).fetchall()
    except sqlite3.OperationalError as error:
        if not _older(error):
            raise
        found = []
    columns: list[Any] = [tuple(column) for column in zip(*reversed(found), strict=True)] or [()] * 9
    return Shelf(*columns)


def read(db: sqlite3.Connection, user: str, message_ids: Sequence[str]) -> dict[str, Turn]:
    """A user's turns by message id, as far as they are kept."""
    marks = ", ".join("?" * len(message_ids))
    try:
        found = db.execute(
            "select message_id, conversation, role, sent_at_ms, embedding, embedding_version, body from turn"
            f" where user = ? and to_seq is null and message_id in ({marks})",
            (user, *message_ids),
        ).fetchall()
    except sqlite3.OperationalError as error:
        if not _older(error):
            raise
        return {}
    tenant, _, user_id = user.partition("/")
    return {row[0]: _unpack(tenant, user_id, *row) for row in found}


def _older(error: sqlite3.OperationalError) -> bool:
    """Whether the file was last written by a version that kept no turns."""
    return "no such table" in str(error)


def _pack(turn: Turn) -> bytes:
    return orjson.dumps((turn.text, turn.agent_id, turn.speaker, turn.origin))


def _unpack(
    tenant: str,
    user_id: str,
    message_id: str,
    conversation: str,
    role: Role,
    sent_at_ms: int,
    embedding: bytes,
    version: str,
    body: bytes,
) -> Turn:
    text, agent_id, speaker, origin = orjson.loads(body)
    return Turn(
        tenant, user_id, message_id, conversation, role, text, sent_at_ms, Origin(**origin), agent_id, speaker,
        embedding, version,
    )  # fmt: skip # a column a field
