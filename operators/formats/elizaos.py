"""ElizaOS memories: `{"id", "entityId", "agentId", "roomId", "createdAt", "content": {"text", …}, "metadata"}`.

One memory a record, or those of a room as `{"memories": […]}` or `{"messages": […]}`. `entityId` (in versions before 1:
`userId`) is the speaker, `agentId` the assistant, whose own memories have it as their entity too; `createdAt` is in
milliseconds. A memory says who spoke and never to whom, so an assistant's words reach the users that the record names
(`user_id`, `participants`), and in a record of a room everybody who speaks in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from operators.formats.shapes import (
    PARTICIPANTS_MAX,
    Draft,
    Envelope,
    Fault,
    Misread,
    Passed,
    Read,
    Reading,
    Time,
    shape_fault,
    shown,
    unit_time_ms,
    unmeant,
)

_SAID = frozenset({"message", "messages"})
_NAMES = {"user_id": "entityId", "conversation_id": "roomId", "message_id": "id", "text": "content.text",
          "agent_id": "agentId", "sent_at": "createdAt", "reply_to": "content.inReplyTo"}  # fmt: skip


class _Memory(Envelope, frozen=True, kw_only=True):
    content: dict[str, Any] | str
    id: str | None = None
    type: str | None = None
    entity_id: str | None = msgspec.field(default=None, name="entityId")
    speaker_id: str | None = msgspec.field(default=None, name="userId")
    assistant_id: str | None = msgspec.field(default=None, name="agentId")
    room_id: str | None = msgspec.field(default=None, name="roomId")
    created_at: Time | None = msgspec.field(default=None, name="createdAt")
    metadata: dict[str, Any] | None = None
    edited_at: Time | None = None
    deleted: bool | None = None


def read(record: dict[str, Any], key: str | None) -> list[Read]:
    """Reads one memory, or all of a room. Memories of other types than messages (documents, facts) are passed over."""
    del key  # a room's, as a rule
    field = "memories" if "memories" in record else "messages"
    several = record.get(field)
    if several is None:
        return [_read(record, record, "$", ())]
    if not isinstance(several, list):
        raise Fault("wrong_type", f"$.{field}: expected a list of memories, got {shown(several)}")
    people = tuple(dict.fromkeys(who for item in several if (who := _person(item)) is not None))
    people = people if len(people) <= PARTICIPANTS_MAX // 2 else ()
    return [_read(item, record, f"$.{field}[{index}]", people) for index, item in enumerate(several)]


def _read(memory: object, record: dict[str, Any], path: str, people: Sequence[str]) -> Read:
    if not isinstance(memory, dict):
        return Misread(Fault("wrong_type", f"{path}: expected a memory, got {shown(memory)}"), memory)
    if (temporary := unmeant(memory, path)) is not None:
        return temporary
    try:
        said = msgspec.convert(memory, _Memory)
        around = said if memory is record else msgspec.convert(record, Envelope)
    except msgspec.ValidationError as error:
        return Misread(shape_fault(error, memory, path), memory)
    metadata = said.metadata or {}
    stored_as = metadata.get("type", said.type)
    if isinstance(stored_as, str) and stored_as not in _SAID:
        return Passed("notice")
    entity = said.entity_id or said.speaker_id
    role = (
        "assistant"
        if entity is not None and entity == said.assistant_id
        else "bot"
        if metadata.get("fromBot")
        else "user"
    )
    content = said.content if isinstance(said.content, dict) else {"text": said.content}
    named = (said.participants or around.participants or (), people)
    draft = Draft(
        user_id=said.user_id or around.user_id or (entity if role == "user" else None),
        tenant=said.tenant or around.tenant,
        conversation_id=said.room_id or said.conversation_id or around.conversation_id,
        message_id=said.id,
        role=role,
        text=content.get("text") or "",
        agent_id=said.assistant_id or said.agent_id or around.agent_id,
        speaker=_name(metadata, content),
        timezone=said.timezone or around.timezone,
        language=said.language or around.language,
        reply_to=_string(content.get("inReplyTo")),
        participants=tuple(dict.fromkeys(who for names in named for who in names)),
        edited_at=said.edited_at,
        deleted=said.deleted,
        sent_at=said.sent_at or around.sent_at,
    )
    try:
        at_ms = None if said.created_at is None else _created_ms(said.created_at, f"{path}.createdAt")
    except Fault as fault:
        return Misread(fault, memory)
    return Reading(draft, path, _NAMES, at_ms=at_ms, room=True, item=memory)


def _created_ms(value: Time, path: str) -> int:
    """In milliseconds, or as some database adapters write it, in ISO 8601."""
    return unit_time_ms(value, "iso" if isinstance(value, str) and "-" in value else "ms", path)


def _person(item: object) -> str | None:
    """Who spoke, if it was no assistant."""
    if not isinstance(item, dict):
        return None
    who = item.get("entityId", item.get("userId"))
    metadata = item.get("metadata")
    bot = isinstance(metadata, dict) and metadata.get("fromBot")
    return who if isinstance(who, str) and who and who != item.get("agentId") and not bot else None


def _name(metadata: dict[str, Any], content: dict[str, Any]) -> str | None:
    sender = metadata.get("sender")
    names = (metadata.get("entityName"), sender.get("name") if isinstance(sender, dict) else None, content.get("name"))
    return next((name for name in names if isinstance(name, str) and name.strip()), None)


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
