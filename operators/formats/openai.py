"""The OpenAI chat format: a record holds a conversation's messages so far, `{"messages": [{"role", "content"}], …}`.

The user is `user_id`, else OpenAI's own `user`, else the record's key; the conversation `conversation_id` or
`thread_id`. The messages have no times: see operators.formats.shapes.Reading.
"""

from __future__ import annotations

from typing import Any

import msgspec

from operators.formats.shapes import Draft, Fault, Misread, Reading, Time, shape_fault, type_name


class _Chat(msgspec.Struct, frozen=True):
    messages: list[Any]
    user_id: str | None = None
    user: str | None = None
    tenant: str | None = None
    conversation_id: str | None = None
    thread_id: str | None = None
    agent_id: str | None = None
    timezone: str | None = None
    language: str | None = None
    sent_at: Time | None = None
    created_at: Time | None = None
    created: Time | None = None


class _Turn(msgspec.Struct, frozen=True):
    role: str
    content: Any = None
    name: str | None = None
    message_id: str | None = None
    sent_at: Time | None = None
    ephemeral: bool | None = None


def read(record: dict[str, Any], key: str | None) -> list[Reading | Misread]:
    """Reads each message of the conversation with its index as ordinal. A turn that only calls tools has no text."""
    try:
        chat = msgspec.convert(record, _Chat)
    except msgspec.ValidationError as error:
        raise shape_fault(error) from None
    return [_turn(chat, item, ordinal, key) for ordinal, item in enumerate(chat.messages)]


def _turn(chat: _Chat, item: object, ordinal: int, key: str | None) -> Reading | Misread:
    path = f"$.messages[{ordinal}]"
    if not isinstance(item, dict):
        return Misread(Fault("wrong_type", f"{path}: expected an object, got {type_name(item)}"), item)
    try:
        turn = msgspec.convert(item, _Turn)
    except msgspec.ValidationError as error:
        return Misread(shape_fault(error, path), item)
    draft = Draft(
        user_id=chat.user_id or chat.user or key,
        tenant=chat.tenant,
        conversation_id=chat.conversation_id or chat.thread_id,
        message_id=turn.message_id,
        role=turn.role,
        text="" if turn.content is None else turn.content,
        sent_at=turn.sent_at,
        agent_id=chat.agent_id,
        speaker=turn.name,
        timezone=chat.timezone,
        language=chat.language,
        ephemeral=turn.ephemeral,
        ordinal=ordinal,
    )
    stated = (chat.sent_at, chat.created_at, chat.created)
    record_at = next((at for at in stated if at is not None), None)
    return Reading(draft, path, "content", transcript=True, record_at=record_at)
