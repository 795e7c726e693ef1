"""Records that could not be read: how they are masked and published, and when there are too many to go on (S2, S3)."""

from __future__ import annotations

from collections import Counter, deque

import orjson

from operators.records import OutRecord
from operators.redact import is_secret_slot, placeholder, redact, redact_slot
from state.messages import Rejected

PAYLOAD_BYTES_MAX = 900_000  # Kafka's default limit of a message is 1 MB; the original is found by its offset
MASKED_BYTES_MAX = 64_000  # to mask is work, and a flood of huge records must not become a standstill
_CUT_MARGIN_CHARS = 2_000  # cut off after redaction, so that no secret is halved at the cut and missed
_DEPTH_MAX = 64


def mask(payload: bytes) -> bytes:
    """The payload with every secret, identifier and contact in it redacted (S2), at most 64 kB of it.

    JSON keeps its shape. Bytes that are not JSON, or are too many, are redacted as text, undecodable ones replaced
    first: the best that can be done for them. One masked payload masked again is the same.
    """
    if len(payload) <= MASKED_BYTES_MAX:
        try:
            return orjson.dumps(_masked(orjson.loads(payload)))
        except (orjson.JSONDecodeError, orjson.JSONEncodeError):
            return redact(payload.decode("utf-8", "replace"))[0].encode()
    text = redact(payload[:MASKED_BYTES_MAX].decode("utf-8", "replace"))[0]
    return text[:-_CUT_MARGIN_CHARS].encode()


def dead_letter(rejected: Rejected) -> OutRecord:
    """The dead letter of a rejection: the payload, and in headers the reason and where the original is (S2)."""
    origin = rejected.origin
    headers = [
        ("reason", rejected.reason),
        ("detail", rejected.detail),
        ("topic", origin.topic),
        ("partition", str(origin.partition)),
        ("offset", str(origin.offset)),
    ]
    if rejected.timestamp_ms is not None:
        headers.append(("timestamp_ms", str(rejected.timestamp_ms)))
    return OutRecord(
        stream="dead_letters",
        key=f"{origin.topic}/{origin.partition}/{origin.offset}".encode("utf-8", "replace"),
        value=rejected.payload[:PAYLOAD_BYTES_MAX],
        partition_key=b"",
        headers=tuple((name, text.encode("utf-8", "replace")) for name, text in headers),
    )


class TooManyRejected(RuntimeError):  # noqa: N818  # it says what happened; "error" would add nothing
    """So many records cannot be read that the source is not what the job takes it for (S3)."""


class RejectGuard:
    """Watches the share of rejected records among the last `window`, from the hundredth (or `window`-th) on (S3).

    It stops the job instead of letting it drain a topic into dead letters. Call `saw` once a record.
    """

    def __init__(self, share_max: float = 0.20, window: int = 1_000) -> None:
        self._share_max = share_max
        self._recent: deque[str | None] = deque(maxlen=window)
        self._reasons: Counter[str] = Counter()
        self._records_min = min(100, window)

    def saw(self, rejected: Rejected | None) -> None:
        """Notes one record, rejected or read; raises TooManyRejected when the share is over the limit."""
        if len(self._recent) == self._recent.maxlen and (oldest := self._recent[0]) is not None:
            self._reasons[oldest] -= 1
        self._recent.append(None if rejected is None else rejected.reason)
        if rejected is None:
            return
        self._reasons[rejected.reason] += 1
        count, seen = self._reasons.total(), len(self._recent)
        if seen >= self._records_min and count > self._share_max * seen:
            reasons = ", ".join(f"{reason} {number}" for reason, number in self._reasons.most_common() if number)
            origin = rejected.origin
            raise TooManyRejected(
                f"{count} of the last {seen} records could not be read ({count / seen:.0%}, dead_letters.share_max is "
                f"{self._share_max:.0%}): {reasons}. The last: {origin.topic}/{origin.partition} at {origin.offset}: "
                f"{rejected.detail}. Check that the topic holds what [formats] says (format, fields, roles); "
                "raise dead_letters.share_max if such records are expected."
            )


def _masked(value: object, depth: int = 0) -> object:
    if isinstance(value, str):
        return redact(value)[0]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        clean, kinds = redact(str(value))
        return clean if kinds else value
    if depth >= _DEPTH_MAX:
        return placeholder("nested")
    if isinstance(value, list):
        return [_masked(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {redact(name)[0]: _masked_slot(name, item, depth + 1) for name, item in value.items()}
    raise TypeError(f"JSON holds no {type(value).__name__}")


def _masked_slot(name: str, value: object, depth: int) -> object:
    if isinstance(value, str):
        return redact_slot(name, value)[0]
    if value is not None and not isinstance(value, bool) and is_secret_slot(name):
        return placeholder("secret")
    return _masked(value, depth)
