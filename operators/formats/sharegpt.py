"""ShareGPT: `{"id", "conversations": [{"from": "human", "value": "…"}, {"from": "gpt", "value": "…"}]}`.

The user is `user_id`, else `user`, else the record's key; the conversation is `id`. Neither messages nor records have
times: see operators.formats.shapes.Reading.
"""

from __future__ import annotations

from typing import Any

import msgspec

from operators.formats.shapes import (
    Draft,
    Envelope,
    Fault,
    Misread,
    Read,
    Reading,
    event_time_ms,
    shape_fault,
    shown,
    unmeant,
)

_NAMES = {"role": "from", "text": "value"}


class _Conversation(Envelope, frozen=True, kw_only=True):
    conversations: list[Any] | None = None
    conversation: list[Any] | None = None
    id: str | int | None = None
    user: str | None = None


class _Turn(msgspec.Struct, frozen=True, rename={"who": "from"}):
    who: str
    value: Any = None


def read(record: dict[str, Any], key: str | None) -> list[Read]:
    """Reads each turn of the conversation with its index as ordinal."""
    try:
        chat = msgspec.convert(record, _Conversation)
    except msgspec.ValidationError as error:
        raise shape_fault(error, record) from None
    field = "conversations" if chat.conversations is not None else "conversation"
    turns = chat.conversations if chat.conversations is not None else chat.conversation
    if turns is None:
        raise Fault("missing_field", "$.conversations: expected a list of turns, got nothing")
    at_ms = None if chat.sent_at is None else event_time_ms(chat.sent_at, "$.sent_at")
    return [_turn(chat, item, f"$.{field}[{n}]", n, at_ms, key) for n, item in enumerate(turns)]


def _turn(chat: _Conversation, item: object, path: str, ordinal: int, at_ms: int | None, key: str | None) -> Read:
    if not isinstance(item, dict):
        return Misread(Fault("wrong_type", f"{path}: expected a turn, got {shown(item)}"), item)
    if (temporary := unmeant(item, path)) is not None:
        return temporary
    try:
        turn = msgspec.convert(item, _Turn)
    except msgspec.ValidationError as error:
        return Misread(shape_fault(error, item, path), item)
    draft = Draft(
        user_id=chat.user_id or chat.user or key,
        tenant=chat.tenant,
        conversation_id=chat.conversation_id or (None if chat.id is None else str(chat.id)),
        role=turn.who,
        text="" if turn.value is None else turn.value,
        agent_id=chat.agent_id,
        timezone=chat.timezone,
        language=chat.language,
        participants=chat.participants,
        ordinal=ordinal,
    )
    return Reading(draft, path, _NAMES, transcript=True, record_at_ms=at_ms, item=item)
