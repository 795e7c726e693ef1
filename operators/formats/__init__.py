"""Input formats by name: each reads a parsed JSON object into readings (S1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from operators.formats import canonical, elizaos, langchain, openai, sharegpt, slack
from operators.formats.shapes import Read

Reader = Callable[[dict[str, Any], str | None], list[Read]]

READERS: dict[str, Reader] = {
    "canonical": canonical.read,
    "openai": openai.read,
    "elizaos": elizaos.read,
    "langchain": langchain.read,
    "sharegpt": sharegpt.read,
    "slack": slack.read,
}
FORMATS = ("auto", *READERS)
LISTS = {"openai": "messages", "langchain": "messages", "slack": "messages", "elizaos": "memories"}
"""Formats in which a record may be a list of messages and nothing else, and the field that it would stand in."""

_LANGCHAIN_TYPES = frozenset({"human", "ai", "system", "tool", "function", "chat", "constructor"})


def sniff(record: dict[str, Any]) -> str:
    """The format that a record of a topic configured as "auto" is in, by the fields that only one format has."""
    if "text" in record and "role" in record:
        return "canonical"
    for field in ("messages", "memories", "conversations"):
        inner = record.get(field)
        if isinstance(inner, list):
            first = next((item for item in inner if isinstance(item, dict)), {})
            return "sharegpt" if field == "conversations" else "elizaos" if field == "memories" else _of_turn(first)
    event = record.get("event")
    if record.get("type") == "event_callback" and isinstance(event, dict):
        return "slack"
    if isinstance(record.get("message"), dict) and "ts" not in record:
        return "langchain" if _of_turn(record["message"], "") in ("langchain", "openai") else "canonical"
    return _of_turn(record, "canonical")


def _of_turn(turn: dict[str, Any], otherwise: str = "openai") -> str:
    kind = turn.get("type")
    if "entityId" in turn or ("roomId" in turn and "content" in turn):
        return "elizaos"
    if "role" in turn and "content" in turn:
        return "openai"
    if isinstance(turn.get("ts"), str) and kind in (None, "message") and "role" not in turn:
        return "slack"
    if isinstance(kind, str) and "role" not in turn and not turn.keys().isdisjoint(("content", "data", "kwargs")):
        return "langchain" if kind in _LANGCHAIN_TYPES or kind.endswith(("Message", "MessageChunk")) else otherwise
    return otherwise
