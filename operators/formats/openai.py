"""The OpenAI chat format: a record holds a conversation's messages so far, `{"messages": [{"role", "content"}], …}`.

A record may also be one message, as a thread of the Assistants API has them. The user is `user_id`, else OpenAI's own
`user`, else the record's key; the conversation `conversation_id` or `thread_id`. The messages have no times: see
operators.formats.shapes.Reading.
"""

from __future__ import annotations

from typing import Any

import msgspec

from operators.formats.shapes import (
    Draft,
    Envelope,
    Fault,
    Misread,
    Passed,
    Read,
    Reading,
    Time,
    event_time_ms,
    shape_fault,
    shown,
    unmeant,
)

_NAMES = {"text": "content"}


class _Chat(Envelope, frozen=True, kw_only=True):
    messages: list[Any] | None = None
    user: str | None = None
    thread_id: str | None = None
    created_at: Time | None = None
    created: Time | None = None


class _Turn(msgspec.Struct, frozen=True, kw_only=True):
    role: str
    content: Any = None
    name: str | None = None
    message_id: str | None = None
    id: str | None = None
    sent_at: Time | None = None
    edited_at: Time | None = None
    deleted: bool | None = None


def read(record: dict[str, Any], key: str | None) -> list[Read]:
    """Reads each message of the conversation with its index as ordinal. A turn that only calls tools has no text."""
    try:
        chat = msgspec.convert(record, _Chat)
    except msgspec.ValidationError as error:
        raise shape_fault(error, record) from None
    stated = ((chat.sent_at, "sent_at"), (chat.created_at, "created_at"), (chat.created, "created"))
    at_ms = next((event_time_ms(at, f"$.{name}") for at, name in stated if at is not None), None)
    if chat.messages is None:
        return [_turn(chat, record, "$", None, at_ms, key)]
    return [_turn(chat, item, f"$.messages[{n}]", n, at_ms, key) for n, item in enumerate(chat.messages)]


def _turn(chat: _Chat, item: object, path: str, ordinal: int | None, at_ms: int | None, key: str | None) -> Read:
    if not isinstance(item, dict):
        return Misread(Fault("wrong_type", f"{path}: expected an object, got {shown(item)}"), item)
    if (temporary := unmeant(item, path)) is not None:
        return temporary
    if "role" not in item and item.get("type", "message") != "message":
        return Passed("notice")  # an item of the Responses API that nobody said: a call, its output, reasoning
    try:
        turn = msgspec.convert(item, _Turn)
    except msgspec.ValidationError as error:
        return Misread(shape_fault(error, item, path), item)
    draft = Draft(
        user_id=chat.user_id or chat.user or key,
        tenant=chat.tenant,
        conversation_id=chat.conversation_id or chat.thread_id,
        message_id=turn.message_id or turn.id,
        role=turn.role,
        text="" if turn.content is None else turn.content,
        sent_at=turn.sent_at,
        agent_id=chat.agent_id,
        speaker=turn.name,
        timezone=chat.timezone,
        language=chat.language,
        participants=chat.participants,
        edited_at=turn.edited_at,
        deleted=turn.deleted,
        ordinal=ordinal,
    )
    return Reading(draft, path, _NAMES, transcript=ordinal is not None, record_at_ms=at_ms, item=item)
