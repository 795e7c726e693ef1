"""Slack messages, as exports and the Events API have them, and the room that they were said in.

One message a record; or those of a channel, as a day's file of an export has them: `{"channel", "messages": […]}`,
with the channel's `members` and the workspace's `users` if they are known; or an event of the Events API
(`{"type": "event_callback", "event": {…}}`). `ts` is the time in seconds, as a string, and with the channel the id.
A thread is a conversation of its own. A message reaches its author as user, and as peer whoever is known to be in the
room: its members, who else speaks in the record, whom it mentions, and the author of what it answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
    shape_fault,
    shown,
    unit_time_ms,
    unmeant,
)
from operators.formats.slack_text import mentioned, plain

_SAID = frozenset({None, "bot_message", "file_share", "me_message", "thread_broadcast"})
_SLACKBOT = "USLACKBOT"
_PEOPLE_MAX = PARTICIPANTS_MAX // 2  # in a larger channel only those that the message concerns are its participants


class _Edited(msgspec.Struct, frozen=True):
    ts: str


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    type: str | None = None
    subtype: str | None = None
    ts: str | None = None
    user: str | None = None
    text: str | None = None
    bot_id: str | None = None
    username: str | None = None
    user_profile: dict[str, Any] | None = None
    thread_ts: str | None = None
    parent_user_id: str | None = None
    edited: _Edited | None = None
    deleted_ts: str | None = None
    message: dict[str, Any] | None = None
    previous_message: dict[str, Any] | None = None

    @property
    def is_bot(self) -> bool:
        return self.bot_id is not None or self.subtype == "bot_message"


class _Record(Envelope, frozen=True, kw_only=True):
    channel: str | dict[str, Any] | None = None
    channel_id: str | None = None
    channel_name: str | None = None
    members: tuple[str, ...] | None = None
    users: list[Any] | None = None
    messages: list[Any] | None = None
    event: dict[str, Any] | None = None
    authorizations: list[Any] | None = None


@dataclass(frozen=True, slots=True)
class _Room:
    """What the record says of the channel: who is known to be in it, and what they are called."""

    record: _Record
    channel: str | None
    people: tuple[str, ...]
    agent: str | None
    bots: frozenset[str]
    names: Mapping[str, str]


def read(record: dict[str, Any], key: str | None) -> list[Read]:
    """Reads what was said, edited and deleted; joins, topics, pins and the like are passed over."""
    try:
        whole = msgspec.convert(record, _Record)
    except msgspec.ValidationError as error:
        raise shape_fault(error, record) from None
    items: list[object] = [record]
    paths = ["$"]
    if whole.messages is not None:
        items, paths = whole.messages, [f"$.messages[{index}]" for index in range(len(whole.messages))]
    elif whole.event is not None:
        items, paths = [whole.event], ["$.event"]
    room = _room(whole, items, key)
    return [_read(item, path, room) for item, path in zip(items, paths, strict=True)]


def _room(record: _Record, items: list[object], key: str | None) -> _Room:
    channel: Any = record.channel
    if channel is None and record.event is not None:
        channel = record.event.get("channel")
    members: object = record.members
    if isinstance(channel, dict):
        channel, members = channel.get("id") or channel.get("name"), members or channel.get("members")
    channel = record.conversation_id or channel or record.channel_id or record.channel_name or key
    agent = record.agent_id
    for said in record.authorizations or ():
        if agent is None and isinstance(said, dict) and said.get("is_bot") and isinstance(said.get("user_id"), str):
            agent = said["user_id"]
    bots = {agent} if agent else set()
    speakers: list[str] = []
    for item in items if record.messages is not None else ():
        if isinstance(item, dict) and isinstance(user := item.get("user"), str):
            if item.get("bot_id") is not None:
                bots.add(user)
            elif (subtype := item.get("subtype")) is None or (isinstance(subtype, str) and subtype in _SAID):
                speakers.append(user)
    known = members if isinstance(members, list | tuple) else ()
    named = (*(record.participants or ()), *known, *speakers)
    people = tuple(dict.fromkeys(who for who in named if isinstance(who, str) and who))
    if len(people) > _PEOPLE_MAX:
        people = ()
    return _Room(
        record,
        channel if isinstance(channel, str) else None,
        people,
        agent,
        frozenset(bots),
        _names(record.users or []),
    )


def _names(users: list[Any]) -> dict[str, str]:
    names: dict[str, str] = {}
    for user in users:
        if isinstance(user, dict) and isinstance(user.get("id"), str) and (name := _name(user)):
            names[user["id"]] = name
    return names


def _name(user: Mapping[str, Any] | None) -> str | None:
    if user is None:
        return None
    profile = user.get("profile")
    inner = profile if isinstance(profile, dict) else {}
    names = (inner.get("display_name"), user.get("display_name"), user.get("real_name"), inner.get("real_name"))
    return next((name for name in (*names, user.get("name")) if isinstance(name, str) and name.strip()), None)


def _read(item: object, path: str, room: _Room) -> Read:
    if not isinstance(item, dict):
        return Misread(Fault("wrong_type", f"{path}: expected a message, got {shown(item)}"), item)
    if (temporary := unmeant(item, path)) is not None:
        return temporary
    try:
        given = _message(item, path)
        if given.type not in (None, "message"):
            return Passed("notice")
        before = _message(given.previous_message or {}, f"{path}.previous_message")
        if given.subtype == "message_deleted":
            return _deleted(given.deleted_ts or before.ts, before, path, room, item)
        if given.subtype == "message_changed":
            now = _message(given.message or {}, f"{path}.message")
            if now.subtype == "tombstone":
                return _deleted(now.ts, before, path, room, item)
            if now.edited is None or now.subtype not in _SAID:
                return Passed("notice")  # a link was unfurled, a thread counted
            return _said(now, path, "message.", room, item, before)
        if given.subtype not in _SAID or given.user == _SLACKBOT:
            return Passed("notice")
        return _said(given, path, "", room, item, None)
    except Fault as fault:
        return Misread(fault, item)


def _message(item: dict[str, Any], path: str) -> _Message:
    try:
        return msgspec.convert(item, _Message)
    except msgspec.ValidationError as error:
        raise shape_fault(error, item, path) from None


def _said(said: _Message, path: str, below: str, room: _Room, item: object, before: _Message | None) -> Reading:
    edited = said.edited
    return _reading(
        _draft(said, before, said.ts, room, plain(said.text or "", room.names)),
        path,
        below,
        said.ts,
        None if edited is None else unit_time_ms(edited.ts, "s", f"{path}.{below}edited.ts"),
        item,
    )


def _deleted(ts: str | None, before: _Message, path: str, room: _Room, item: object) -> Reading:
    """A deletion reaches whoever the message reached. It tells its author, if at all, by the message before."""
    return _reading(_draft(before, None, ts, room, None), path, "previous_message.", ts, None, item)


def _reading(draft: Draft, path: str, below: str, ts: str | None, edited_ms: int | None, item: object) -> Reading:
    ts_name = "deleted_ts" if draft.deleted else f"{below}ts"
    if ts is None:
        raise Fault("missing_field", f"{path}.{ts_name}: expected the message's time in seconds, got nothing")
    names = {"user_id": f"{below}user", "text": f"{below}text", "message_id": ts_name, "conversation_id": "channel"}
    at_ms = unit_time_ms(ts, "s", f"{path}.{ts_name}")
    return Reading(draft, path, names, at_ms=at_ms, edited_at_ms=edited_ms, room=True, item=item)


def _draft(said: _Message, before: _Message | None, ts: str | None, room: _Room, text: str | None) -> Draft:
    """`text` None: the message was deleted."""
    if room.channel is None:
        raise Fault("missing_field", "$.channel: expected the channel's id, got none, and the record has no key")
    in_thread = said.thread_ts is not None and said.thread_ts != ts
    near = [*mentioned(said.text or ""), *mentioned((before.text if before else None) or "")]
    near += [said.parent_user_id] if said.parent_user_id else []
    record = room.record
    return Draft(
        user_id=record.user_id or (None if said.is_bot else said.user),
        tenant=record.tenant,
        conversation_id=f"{room.channel}/{said.thread_ts}" if in_thread else room.channel,
        message_id=ts,
        role="bot" if said.is_bot else "user",
        text=text,
        agent_id=((said.user or said.bot_id) if said.is_bot else None) or room.agent,
        speaker=_name(said.user_profile) or room.names.get(said.user or "") or said.username,
        timezone=record.timezone,
        language=record.language,
        reply_to=said.thread_ts if in_thread else None,
        participants=tuple(who for who in dict.fromkeys((*room.people, *near[:_PEOPLE_MAX])) if who not in room.bots),
        deleted=True if text is None else None,
    )
