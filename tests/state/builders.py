"""Makes domain values for tests with as few words as a test needs."""

from typing import Any

from state.facts import Candidate, Entry, Source, candidate_id
from state.messages import Command, Message, Origin

ORIGIN = Origin("topic", 0, 0)
DAY_MS = 86_400_000
MINUTE_MS = 60_000
START_MS = 1_772_359_200_000  # 2026-03-01T10:00:00Z


def message(text: str, at_ms: int = START_MS, ident: str | None = None, **fields: Any) -> Message:
    base: dict[str, Any] = {
        "tenant": "default",
        "user_id": "ana",
        "conversation_id": "c1",
        "message_id": ident or f"m-{at_ms}-{text}",
        "role": "user",
        "text": text,
        "sent_at_ms": at_ms,
        "origin": ORIGIN,
    }
    return Message(**{**base, **fields})


def command(name: str, at_ms: int = START_MS, ident: str | None = None, **fields: Any) -> Command:
    base: dict[str, Any] = {
        "tenant": "default",
        "user_id": "ana",
        "command": name,
        "command_id": ident or f"k-{name}-{at_ms}",
        "sent_at_ms": at_ms,
        "origin": ORIGIN,
    }
    return Command(**{**base, **fields})


def candidate(content: str, predicate: str = "likes", object_: str = "tea", **fields: Any) -> Candidate:
    said_at_ms = fields.pop("said_at_ms", START_MS)
    message_id = fields.pop("message_id", f"m-{said_at_ms}-{content}")
    subject = fields.pop("subject", "user")
    base: dict[str, Any] = {
        "tenant": "default",
        "user_id": "ana",
        "agent_id": None,
        "kind": "fact",
        "namespace": ("user", "preferences"),
        "polarity": True,
        "confidence": 0.9,
        "intensity": 0.5,
        "importance": 0.6,
        "language": "en",
        "embedding": bytes([128]) * 384,
    }
    return Candidate(
        candidate_id=candidate_id("default", "ana", message_id, 0, len(content), (subject, predicate, object_)),
        said_at_ms=said_at_ms,
        source=Source(message_id, "c1", 0, len(content), ORIGIN),
        content=content,
        subject=subject,
        predicate=predicate,
        object=object_,
        **{**base, **fields},
    )


def entry(*candidates: Candidate, **fields: Any) -> Entry:
    first = candidates[0] if candidates else None
    base: dict[str, Any] = {
        "tenant": "default",
        "user_id": "ana",
        "at_ms": first.said_at_ms if first else START_MS,
        "entry_id": first.source.message_id if first else "entry",
    }
    return Entry(candidates=candidates, **{**base, **fields})
