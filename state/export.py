"""Facts, events, proposals and commands as the flat rows that other programs read (INTERFACE), and back.

Rows are plain JSON values: namespaces are lists, times ISO 8601 UTC, and no row holds an embedding; whoever imports
gives it back. Reading checks every field, since rows also come from files that people edit (Q5, S11).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Literal, cast, get_args

from state.facts import (
    KINDS,
    Candidate,
    EventName,
    Fact,
    FactEvent,
    Kind,
    Proposal,
    Source,
    SourceRank,
    Status,
    WriteMode,
)
from state.messages import Command, CommandName, Origin

Row = dict[str, Any]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_MISSING: Final = object()
_Action = Literal["ADD", "UPDATE", "DELETE"]
_ACTIONS: Final = get_args(_Action)
_COMMANDS: Final = get_args(CommandName)
_EVENTS: Final = get_args(EventName)
_MODES: Final = get_args(WriteMode)
_RANKS: Final = get_args(SourceRank)
_STATUSES: Final = get_args(Status)


class RowError(ValueError):
    """A row that is not what its kind must be; the message names the field, its value and what was expected."""


@lru_cache(maxsize=8192)
def iso(at_ms: int) -> str:
    """Milliseconds since 1970 as ISO 8601 UTC, with a fraction only where there is one: 2026-11-02T09:15:00Z.

    Raises ValueError outside the years 1 to 9999.
    """
    try:
        moment = _EPOCH + timedelta(milliseconds=at_ms)
    except OverflowError:
        raise ValueError(f"{at_ms} ms is not in the years 1 to 9999: is it in milliseconds since 1970?") from None
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds" if at_ms % 1000 else "seconds") + "Z"


def parse_iso(text: str) -> int:
    """ISO 8601 to milliseconds since 1970, finer fractions cut off; without an offset it is UTC. Raises ValueError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not an ISO 8601 time, expected for example 2026-11-02T09:15:00Z") from None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) // _MILLISECOND


def fact_row(fact: Fact) -> Row:
    """The exported fact (INTERFACE "An exported fact")."""
    return {
        "id": fact.fact_id,
        "tenant": fact.tenant,
        "user_id": fact.user_id,
        "agent_id": fact.agent_id,
        "namespace": list(fact.namespace),
        "kind": fact.kind,
        "content": fact.content,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "polarity": fact.polarity,
        "confidence": fact.confidence,
        "reinforced_confidence": fact.reinforced_confidence,
        "mentions": fact.mentions,
        "intensity": fact.intensity,
        "importance": fact.importance,
        "language": fact.language,
        "status": fact.status,
        "reason": fact.reason,
        "contradicts": list(fact.contradicts),
        "pinned": fact.pinned,
        "first_said_at": iso(fact.first_said_at_ms),
        "last_said_at": iso(fact.last_said_at_ms),
        "recorded_at": iso(fact.recorded_at_ms),
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "recurring": fact.recurring,
        "sources": [source_row(source) for source in fact.sources],
        "derived_from": list(fact.derived_from),
        "source_rank": fact.source_rank,
        "extractor_version": fact.extractor_version,
        "embedding_version": fact.embedding_version,
        "revision": fact.revision,
    }


def source_row(source: Source) -> Row:
    """A fact's evidence, with the address of the record that it came in."""
    return {
        "message_id": source.message_id,
        "conversation_id": source.conversation_id,
        "start": source.start,
        "end": source.end,
        "topic": source.origin.topic,
        "partition": source.origin.partition,
        "offset": source.origin.offset,
    }


def event_row(event: FactEvent) -> Row:
    """The published event (INTERFACE "A fact event")."""
    return {
        "event_id": event.event_id,
        "event": event.event,
        "user_id": event.user_id,
        "tenant": event.tenant,
        "fact": None if event.fact is None else fact_row(event.fact),
        "old_content": event.old_content,
        "rule": event.rule,
        "matched_fact_id": event.matched_fact_id,
        "similarity": event.similarity,
        "reason": event.reason,
        "said_at": iso(event.said_at_ms),
        "recorded_seq": event.recorded_seq,
        "schema_version": event.schema_version,
        "command_id": event.command_id,
    }


def proposal_row(proposal: Proposal) -> Row:
    """A proposal as reviewers and the proposals topic see it; `id` repeats `proposal_id`, `candidate` has the rest."""
    candidate = proposal.candidate
    return {
        "id": proposal.proposal_id,
        "proposal_id": proposal.proposal_id,
        "tenant": proposal.tenant,
        "user_id": proposal.user_id,
        "action": proposal.action,
        "status": proposal.status,
        "rule": proposal.rule,
        "kind": candidate.kind,
        "namespace": list(candidate.namespace),
        "content": candidate.content,
        "target_fact_id": proposal.target_fact_id,
        "proposed_at": iso(proposal.proposed_at_ms),
        "decided_at": None if proposal.decided_at_ms is None else iso(proposal.decided_at_ms),
        "decided_by": proposal.decided_by,
        "candidate": candidate_row(candidate),
    }


def candidate_row(candidate: Candidate) -> Row:
    """What extraction proposed, without its embedding."""
    return {
        "candidate_id": candidate.candidate_id,
        "tenant": candidate.tenant,
        "user_id": candidate.user_id,
        "agent_id": candidate.agent_id,
        "said_at": iso(candidate.said_at_ms),
        "source": source_row(candidate.source),
        "kind": candidate.kind,
        "namespace": list(candidate.namespace),
        "content": candidate.content,
        "subject": candidate.subject,
        "predicate": candidate.predicate,
        "object": candidate.object,
        "polarity": candidate.polarity,
        "confidence": candidate.confidence,
        "intensity": candidate.intensity,
        "importance": candidate.importance,
        "language": candidate.language,
        "valid_from": candidate.valid_from,
        "valid_to": candidate.valid_to,
        "recurring": candidate.recurring,
        "derived_from": list(candidate.derived_from),
        "source_rank": candidate.source_rank,
        "write_mode": candidate.write_mode,
        "extractor_version": candidate.extractor_version,
        "embedding_version": candidate.embedding_version,
    }


def command_row(command: Command) -> Row:
    """A command as it was given, with the address of the record that it came in."""
    return {
        "command": command.command,
        "command_id": command.command_id,
        "tenant": command.tenant,
        "user_id": command.user_id,
        "sent_at": iso(command.sent_at_ms),
        "text": command.text,
        "kind": command.kind,
        "namespace": None if command.namespace is None else list(command.namespace),
        "fact_id": command.fact_id,
        "proposal_id": command.proposal_id,
        "match": command.match,
        "content": command.content,
        "profile": dict(command.profile),
        "fact": command.fact,
        "topic": command.origin.topic,
        "partition": command.origin.partition,
        "offset": command.origin.offset,
    }


def fact_from_row(row: Mapping[str, Any], embedding: bytes = b"") -> Fact:
    """The fact of an exported row. Raises RowError."""
    _expect_row(row, "fact")
    return Fact(
        fact_id=_text(row, "id"),
        tenant=_text(row, "tenant"),
        user_id=_text(row, "user_id"),
        agent_id=_optional_text(row, "agent_id"),
        namespace=_texts(row, "namespace"),
        kind=cast(Kind, _one_of(row, "kind", KINDS)),
        content=_text(row, "content"),
        subject=_text(row, "subject"),
        predicate=_text(row, "predicate"),
        object=_text(row, "object"),
        polarity=_flag(row, "polarity"),
        confidence=_share(row, "confidence"),
        reinforced_confidence=_share(row, "reinforced_confidence"),
        mentions=_count(row, "mentions", 0),
        intensity=_share(row, "intensity"),
        importance=_share(row, "importance"),
        language=_text(row, "language"),
        status=cast(Status, _one_of(row, "status", _STATUSES)),
        reason=_optional_text(row, "reason"),
        first_said_at_ms=_time(row, "first_said_at"),
        last_said_at_ms=_time(row, "last_said_at"),
        recorded_at_ms=_time(row, "recorded_at"),
        sources=tuple(source_from_row(source) for source in _list(row, "sources")),
        embedding=embedding,
        contradicts=_texts(row, "contradicts", ()),
        pinned=_flag(row, "pinned", False),
        valid_from=_optional_text(row, "valid_from"),
        valid_to=_optional_text(row, "valid_to"),
        recurring=_optional_text(row, "recurring"),
        derived_from=_texts(row, "derived_from", ()),
        source_rank=_rank(row),
        extractor_version=_text(row, "extractor_version", ""),
        embedding_version=_text(row, "embedding_version", ""),
        revision=_count(row, "revision", 1, 1),
    )


def source_from_row(row: Mapping[str, Any]) -> Source:
    """The evidence of a row's `sources`. Raises RowError."""
    _expect_row(row, "source")
    return Source(
        message_id=_text(row, "message_id"),
        conversation_id=_text(row, "conversation_id"),
        start=_count(row, "start", 0),
        end=_count(row, "end", 0),
        origin=_origin(row),
    )


def event_from_row(row: Mapping[str, Any], embedding: bytes = b"") -> FactEvent:
    """The event of a published row; `embedding` is its fact's. Raises RowError."""
    _expect_row(row, "event")
    fact = row.get("fact")
    return FactEvent(
        event_id=_text(row, "event_id"),
        event=cast(EventName, _one_of(row, "event", _EVENTS)),
        tenant=_text(row, "tenant"),
        user_id=_text(row, "user_id"),
        fact=None if fact is None else fact_from_row(fact, embedding),
        old_content=_optional_text(row, "old_content"),
        rule=_text(row, "rule"),
        matched_fact_id=_optional_text(row, "matched_fact_id"),
        similarity=_optional_number(row, "similarity"),
        reason=_optional_text(row, "reason"),
        said_at_ms=_time(row, "said_at"),
        recorded_seq=_count(row, "recorded_seq", 0, 0),
        schema_version=_count(row, "schema_version", 1),
        command_id=_optional_text(row, "command_id"),
    )


def proposal_from_row(row: Mapping[str, Any], embedding: bytes = b"") -> Proposal:
    """The proposal of a row; `embedding` is its candidate's. Raises RowError."""
    _expect_row(row, "proposal")
    decided_at = _optional_text(row, "decided_at")
    return Proposal(
        proposal_id=_text(row, "proposal_id"),
        tenant=_text(row, "tenant"),
        user_id=_text(row, "user_id"),
        action=cast(_Action, _one_of(row, "action", _ACTIONS)),
        candidate=candidate_from_row(_value(row, "candidate"), embedding),
        target_fact_id=_optional_text(row, "target_fact_id"),
        status=_text(row, "status"),
        rule=_text(row, "rule"),
        proposed_at_ms=_time(row, "proposed_at"),
        decided_at_ms=None if decided_at is None else _time(row, "decided_at"),
        decided_by=_optional_text(row, "decided_by"),
    )


def candidate_from_row(row: Mapping[str, Any], embedding: bytes = b"") -> Candidate:
    """The candidate of a proposal's row. Raises RowError."""
    _expect_row(row, "candidate")
    return Candidate(
        candidate_id=_text(row, "candidate_id"),
        tenant=_text(row, "tenant"),
        user_id=_text(row, "user_id"),
        agent_id=_optional_text(row, "agent_id"),
        said_at_ms=_time(row, "said_at"),
        source=source_from_row(_value(row, "source")),
        kind=cast(Kind, _one_of(row, "kind", KINDS)),
        namespace=_texts(row, "namespace"),
        content=_text(row, "content"),
        subject=_text(row, "subject"),
        predicate=_text(row, "predicate"),
        object=_text(row, "object"),
        polarity=_flag(row, "polarity"),
        confidence=_share(row, "confidence"),
        intensity=_share(row, "intensity"),
        importance=_share(row, "importance"),
        language=_text(row, "language"),
        embedding=embedding,
        valid_from=_optional_text(row, "valid_from"),
        valid_to=_optional_text(row, "valid_to"),
        recurring=_optional_text(row, "recurring"),
        derived_from=_texts(row, "derived_from", ()),
        source_rank=_rank(row),
        write_mode=cast(WriteMode, _one_of(row, "write_mode", _MODES)),
        extractor_version=_text(row, "extractor_version", ""),
        embedding_version=_text(row, "embedding_version", ""),
    )


def command_from_row(row: Mapping[str, Any]) -> Command:
    """The command of command_row. Raises RowError."""
    _expect_row(row, "command")
    profile = _value(row, "profile")
    if not isinstance(profile, Mapping):
        raise _wrong("profile", profile, "an object")
    return Command(
        tenant=_text(row, "tenant"),
        user_id=_text(row, "user_id"),
        command=cast(CommandName, _one_of(row, "command", _COMMANDS)),
        command_id=_text(row, "command_id"),
        sent_at_ms=_time(row, "sent_at"),
        origin=_origin(row),
        text=_optional_text(row, "text"),
        kind=_optional_text(row, "kind"),
        namespace=None if row.get("namespace") is None else _texts(row, "namespace"),
        fact_id=_optional_text(row, "fact_id"),
        proposal_id=_optional_text(row, "proposal_id"),
        match=_optional_text(row, "match"),
        content=_optional_text(row, "content"),
        profile=tuple((str(name), str(value)) for name, value in profile.items()),
        fact=_optional_text(row, "fact"),
    )


def _expect_row(row: object, kind: str) -> None:
    if not isinstance(row, Mapping):
        raise RowError(f"a {kind} is {_shown(row)}, expected an object: one exported {kind} a line")


def _wrong(name: str, value: object, expected: str) -> RowError:
    return RowError(f"field {name!r} is {_shown(value)}, expected {expected}: see an exported row for an example")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _value(row: Mapping[str, Any], name: str, absent: Any = _MISSING) -> Any:
    value = row.get(name, absent)
    if value is _MISSING:
        raise RowError(f"field {name!r} is missing, found only {', '.join(map(str, row)) or 'an empty object'}")
    return value


def _text(row: Mapping[str, Any], name: str, absent: Any = _MISSING) -> str:
    value = _value(row, name, absent)
    if not isinstance(value, str):
        raise _wrong(name, value, "text")
    return value


def _optional_text(row: Mapping[str, Any], name: str) -> str | None:
    return None if row.get(name) is None else _text(row, name)


def _list(row: Mapping[str, Any], name: str, absent: Any = _MISSING) -> list[Any]:
    value = _value(row, name, absent)
    if not isinstance(value, list | tuple):
        raise _wrong(name, value, "a list")
    return list(value)


def _texts(row: Mapping[str, Any], name: str, absent: Any = _MISSING) -> tuple[str, ...]:
    values = _list(row, name, absent)
    if not all(isinstance(value, str) for value in values):
        raise _wrong(name, values, "a list of texts")
    return tuple(values)


def _flag(row: Mapping[str, Any], name: str, absent: Any = _MISSING) -> bool:
    value = _value(row, name, absent)
    if not isinstance(value, bool):
        raise _wrong(name, value, "true or false")
    return value


def _count(row: Mapping[str, Any], name: str, least: int, absent: Any = _MISSING) -> int:
    value = _value(row, name, absent)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise _wrong(name, value, f"a whole number of at least {least}")
    return value


def _share(row: Mapping[str, Any], name: str) -> float:
    value = _value(row, name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
        raise _wrong(name, value, "a number from 0 to 1")
    return float(value)


def _optional_number(row: Mapping[str, Any], name: str) -> float | None:
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _wrong(name, value, "a number or null")
    return float(value)


def _time(row: Mapping[str, Any], name: str) -> int:
    text = _text(row, name)
    try:
        return parse_iso(text)
    except ValueError as error:
        raise RowError(f"field {name!r}: {error}") from None


def _one_of(row: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    value = _value(row, name)
    if value not in allowed:
        raise _wrong(name, value, "one of " + ", ".join(allowed))
    return str(value)


def _rank(row: Mapping[str, Any]) -> SourceRank:
    value = _value(row, "source_rank", 0)
    if value not in _RANKS or isinstance(value, bool):
        raise _wrong("source_rank", value, "0, 1, 2 or 3")
    return cast(SourceRank, value)


def _origin(row: Mapping[str, Any]) -> Origin:
    return Origin(_text(row, "topic"), _count(row, "partition", -1), _count(row, "offset", -1))
