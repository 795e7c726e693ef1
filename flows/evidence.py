"""The words behind a fact: the message that it came from, wherever it is still kept (Q4)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from operators.decode import DecodePolicy, Decoder
from operators.records import InRecord
from state import memory_store as store
from state.codec import unpack_message
from state.export import iso, source_row
from state.facts import Source, stable_id
from state.layout import Layout
from state.messages import Message
from state.turns import Turn
from state.windows import user_key

_LINE_BYTES_MAX: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Evidence:
    """The message behind a fact, cut at the characters that count; the parts are empty where it is kept no more."""

    source: Source
    role: str = ""
    sent_at_ms: int | None = None
    before: str = ""
    said: str = ""
    after: str = ""

    @property
    def row(self) -> dict[str, object]:
        """The source with the words behind it."""
        sent_at = None if self.sent_at_ms is None else iso(self.sent_at_ms)
        words = {"before": self.before, "said": self.said, "after": self.after}
        return {**source_row(self.source), "role": self.role, "sent_at": sent_at, **words}


def behind(
    layout: Layout,
    shard: int,
    tenant: str,
    user: str,
    source: Source,
    kept: Mapping[str, Turn],
    policy: DecodePolicy | None = None,
) -> Evidence:
    """The message behind a source: as a turn (`kept`, by message id) or the window still has it, as a command said it,
    or as its file still has it, read by `policy`.
    """
    message: Turn | Message | None = (
        kept.get(source.message_id)
        or _of_window(layout.windows(shard), tenant, user, source)
        or _of_command(layout.memory(shard), tenant, user, source)
        or _of_file(layout, tenant, user, source, policy or DecodePolicy())
    )
    if message is None:
        return Evidence(source)
    text = message.text
    return Evidence(
        source,
        message.role,
        message.sent_at_ms,
        text[: source.start],
        text[source.start : source.end],
        text[source.end :],
    )


def _of_window(path: Path, tenant: str, user: str, source: Source) -> Message | None:
    db = store.read_only(path)
    if db is None:
        return None
    with closing(db):
        rows = db.execute(
            "select body from message where user = ? and conversation = ? order by id desc",
            (user_key(tenant, user), source.conversation_id),
        )
        messages = (unpack_message(body) for (body,) in rows.fetchall())
        return next((each for each in messages if each.message_id == source.message_id), None)


def _of_command(path: Path, tenant: str, user: str, source: Source) -> Message | None:
    if source.conversation_id != "commands":
        return None
    db = store.read_only(path)
    if db is None:
        return None
    with closing(db):
        for entry in store.commands(db, user_key(tenant, user)):
            command = entry.command
            if command is not None and stable_id("command", command.command_id) == source.message_id:
                text = command.text or dict(command.profile).get("bio", "")
                return Message(
                    tenant, user, "commands", source.message_id, "user", text, command.sent_at_ms, command.origin
                )
    return None


def _of_file(layout: Layout, tenant: str, user: str, source: Source, policy: DecodePolicy) -> Message | None:
    """The record at the source's offset, where it still is the one that was read; redacted as it then was (P2)."""
    name = source.origin.topic.removeprefix("file:")
    listed = layout.partitions("messages")
    if name == source.origin.topic or not listed.exists():
        return None
    for path in map(Path, orjson.loads(listed.read_bytes())):
        if path.name != name or not path.is_file():
            continue
        with path.open("rb") as file:
            file.seek(source.origin.offset)
            line = file.readline(_LINE_BYTES_MAX).rstrip(b"\r\n")
        record = InRecord("messages", source.origin.topic, 0, source.origin.offset, line)
        wanted = (tenant, user, source.message_id)
        for item in Decoder(policy).decode(record):
            if isinstance(item, Message) and (item.tenant, item.user_id, item.message_id) == wanted:
                return item
    return None
