from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.dead_letters import MASKED_BYTES_MAX, PAYLOAD_BYTES_MAX, RejectGuard, TooManyRejected, dead_letter, mask
from state.messages import Origin, Rejected


def rejection(reason: str = "not_json", payload: bytes = b"{", timestamp_ms: int | None = 5) -> Rejected:
    return Rejected(reason, "expected JSON", Origin("chats", 3, 7), payload, b"ana", timestamp_ms)


def test_a_dead_letter_says_why_and_where_the_original_is() -> None:
    """S2."""
    letter = dead_letter(rejection())
    assert (letter.stream, letter.key, letter.value, letter.partition_key) == ("dead_letters", b"chats/3/7", b"{", b"")
    assert dict(letter.headers) == {
        "reason": b"not_json",
        "detail": b"expected JSON",
        "topic": b"chats",
        "partition": b"3",
        "offset": b"7",
        "timestamp_ms": b"5",
    }
    assert "timestamp_ms" not in dict(dead_letter(rejection(timestamp_ms=None)).headers)


def test_a_dead_letter_fits_into_a_kafka_message() -> None:
    """S3: a record that is too large must not fail again on the way out."""
    letter = dead_letter(rejection(payload=b"x" * 2_000_000))
    assert letter.value is not None
    assert len(letter.value) == PAYLOAD_BYTES_MAX


def test_masking_keeps_the_shape_of_json() -> None:
    """S2, P2."""
    payload = {
        "text": "mail jo@example.org",
        "account": {"password": "swordfish", "pin": 4471, "tokens": ["a"]},
        "card": 4111111111111111,
        "sent_at": 1_793_610_900_000,
        "parts": [{"text": "call +44 20 7946 0958"}, None, True, 1.5],
    }
    assert json.loads(mask(json.dumps(payload).encode())) == {
        "text": "mail [redacted:email]",
        "account": {"password": "[redacted:secret]", "pin": "[redacted:secret]", "tokens": "[redacted:secret]"},
        "card": "[redacted:payment_card]",
        "sent_at": 1_793_610_900_000,
        "parts": [{"text": "call [redacted:phone]"}, None, True, 1.5],
    }


def test_what_is_no_json_is_masked_as_text() -> None:
    """S2: also where its bytes are not UTF-8."""
    assert mask(b'{"text": "mail jo@example.org \xff') == '{"text": "mail [redacted:email] \ufffd'.encode()


def test_masking_ends_whatever_the_depth_and_size() -> None:
    """S3."""
    deep = b'{"a":' * 200 + b'"jo@example.org"' + b"}" * 200
    assert b"jo@" not in mask(deep)
    large = (b"words " * 200_000) + b"jo@example.org"
    assert len(mask(large)) < MASKED_BYTES_MAX


def test_a_secret_at_the_cut_of_a_large_payload_is_not_halved() -> None:
    """P2."""
    card = b"4111 1111 1111 1111 "
    for shift in range(0, 20, 7):
        masked = mask(b"x" * shift + b" " + card * (MASKED_BYTES_MAX // len(card) + 10))
        assert not re.search(rb"\d{4}", masked)


@settings(max_examples=60, deadline=None)
@given(
    st.binary() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(lambda v: json.dumps(v).encode())
)
def test_masking_twice_changes_nothing_more(payload: bytes) -> None:
    """S2."""
    assert mask(mask(payload)) == mask(payload)


def test_the_guard_lets_single_bad_records_pass() -> None:
    """S3: the job goes on."""
    guard = RejectGuard(share_max=0.20)
    for index in range(5_000):
        guard.saw(rejection() if index % 5 == 4 else None)


def test_the_guard_stops_loudly_when_the_source_is_not_what_it_should_be() -> None:
    """S3: instead of draining a topic into dead letters."""
    guard = RejectGuard(share_max=0.20)
    for _ in range(79):
        guard.saw(None)
    for _ in range(20):
        guard.saw(rejection("missing_user"))
    with pytest.raises(TooManyRejected) as stopped:
        guard.saw(rejection("not_json"))
    line = str(stopped.value)
    assert line.startswith("21 of the last 100 records could not be read (21%, dead_letters.share_max is 20%)")
    assert "missing_user 20, not_json 1" in line
    assert "chats/3 at 7" in line


def test_the_guard_does_not_judge_by_a_handful_of_records() -> None:
    """S3."""
    guard = RejectGuard()
    for _ in range(99):
        guard.saw(rejection())
    with pytest.raises(TooManyRejected):
        guard.saw(rejection())


def test_the_guard_forgets_what_is_past_its_window() -> None:
    """S3: what was wrong long ago does not count."""
    guard = RejectGuard(share_max=0.5, window=100)
    for _ in range(20):
        for index in range(100):
            guard.saw(rejection() if index % 2 else None)
    with pytest.raises(TooManyRejected, match="51 of the last 100"):
        guard.saw(rejection())
