"""Input formats by name: each reads a parsed JSON object into readings (S1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from operators.formats import canonical, openai
from operators.formats.shapes import Misread, Reading

Reader = Callable[[dict[str, Any], str | None], list[Reading | Misread]]

READERS: dict[str, Reader] = {"canonical": canonical.read, "openai": openai.read}
FORMATS = ("auto", *READERS)


def sniff(record: dict[str, Any]) -> str:
    """The format that a record of a topic configured as "auto" is in, by the fields that only one format has."""
    return "openai" if isinstance(record.get("messages"), list) else "canonical"
