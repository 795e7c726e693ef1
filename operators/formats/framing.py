"""The five bytes that Confluent's Schema Registry puts before a payload: 0, and the schema's id in big-endian order."""

from __future__ import annotations

FRAME_BYTES = 5


def is_framed(value: bytes) -> bool:
    """Whether the value has such a frame; no JSON text begins with a byte 0."""
    return len(value) > FRAME_BYTES and value[0] == 0


def schema_id(value: bytes) -> int:
    """The id in a frame."""
    return int.from_bytes(value[1:FRAME_BYTES], "big")
