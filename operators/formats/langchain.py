"""LangChain messages: flat (`{"type": "human", "content": …}`), as messages_to_dict writes them (`{"type", "data"}`),
and as dumps writes them (`{"lc", "type": "constructor", "id": […], "kwargs"}`).

A record holds a conversation (`messages`), or one message, itself or under `message`. The user is `user_id`, `user` or
that of the run's `configurable`, else the record's key; the conversation `conversation_id`, `thread_id`, `session_id`.
Messages have no times: see operators.formats.shapes.Reading.
"""

from __future__ import annotations

import re
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

_CLASS = re.compile(r"^(.+?)Message(?:Chunk)?$")
_NAMES = {"text": "content", "role": "type", "message_id": "id"}


class _Run(Envelope, frozen=True, kw_only=True):
    messages: list[Any] | None = None
    message: Any = None
    user: str | None = None
    thread_id: str | None = None
    session_id: str | None = None
    created_at: Time | None = None
    config: dict[str, Any] | None = None
    configurable: dict[str, Any] | None = None


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    content: Any = None
    id: str | None = None
    name: str | None = None
    role: str | None = None
    type: str | None = None
    example: bool | None = None
    sent_at: Time | None = None
    edited_at: Time | None = None
    deleted: bool | None = None


def read(record: dict[str, Any], key: str | None) -> list[Read]:
    """Reads each message, of a conversation with its index as ordinal.

    RemoveMessage trims what a model is shown and takes back nothing that was said; it is passed over, and so are
    messages marked as examples.
    """
    try:
        run = msgspec.convert(record, _Run)
    except msgspec.ValidationError as error:
        raise shape_fault(error, record) from None
    stated = run.sent_at if run.sent_at is not None else run.created_at
    at_ms = None if stated is None else event_time_ms(stated, "$.sent_at" if stated is run.sent_at else "$.created_at")
    if run.messages is not None:
        return [_read(run, item, f"$.messages[{n}]", n, at_ms, key) for n, item in enumerate(run.messages)]
    if run.message is not None:
        return [_read(run, run.message, "$.message", None, at_ms, key)]
    return [_read(run, record, "$", None, at_ms, key)]


def _read(run: _Run, item: object, path: str, ordinal: int | None, at_ms: int | None, key: str | None) -> Read:
    if not isinstance(item, dict):
        return Misread(Fault("wrong_type", f"{path}: expected a message, got {shown(item)}"), item)
    if (temporary := unmeant(item, path)) is not None:
        return temporary
    name, inner, below = _unwrapped(item)
    if not isinstance(inner, dict):
        return Misread(Fault("wrong_type", f"{path}{below}: expected an object, got {shown(inner)}"), item)
    try:
        said = msgspec.convert(inner, _Said)
    except msgspec.ValidationError as error:
        return Misread(shape_fault(error, inner, f"{path}{below}"), item)
    role = said.role if name in (None, "chat") else name
    if role == "remove" or said.example:
        return Passed("notice")
    configured = run.configurable or (run.config or {}).get("configurable")
    scope: dict[str, Any] = configured if isinstance(configured, dict) else {}
    draft = Draft(
        user_id=run.user_id or run.user or _string(scope.get("user_id")) or key,
        tenant=run.tenant,
        conversation_id=run.conversation_id or run.thread_id or run.session_id or _string(scope.get("thread_id")),
        message_id=said.id,
        role=role,
        text="" if said.content is None else said.content,
        sent_at=said.sent_at,
        agent_id=run.agent_id,
        speaker=said.name,
        timezone=run.timezone,
        language=run.language,
        participants=run.participants,
        edited_at=said.edited_at,
        deleted=said.deleted,
        ordinal=ordinal,
    )
    names = _NAMES | {name: f"{below[1:]}.{_NAMES[name]}" for name in ("text", "message_id")} if below else _NAMES
    return Reading(draft, path, names, transcript=ordinal is not None, record_at_ms=at_ms, item=item)


def _unwrapped(item: dict[str, Any]) -> tuple[str | None, object, str]:
    """The message's type, its fields, and where they stand in it."""
    kind = item.get("type")
    if kind == "constructor" and "kwargs" in item:
        lineage = item.get("id")
        last = lineage[-1] if isinstance(lineage, list) and lineage else None
        return _plain(last), item["kwargs"], ".kwargs"
    if "data" in item and "content" not in item:
        return _plain(kind), item["data"], ".data"
    return _plain(kind), item, ""


def _plain(kind: object) -> str | None:
    """ "human" of "human", "HumanMessage" and "HumanMessageChunk"."""
    if not isinstance(kind, str):
        return None
    found = _CLASS.match(kind)
    return found[1].lower() if found else kind


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
