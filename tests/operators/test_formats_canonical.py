from __future__ import annotations

import pytest

from operators.formats import FORMATS, READERS, sniff
from operators.formats.canonical import is_command, read, read_command
from operators.formats.shapes import Fault, Reading, event_time_ms, text_of


def test_a_message_is_read_without_its_unknown_fields() -> None:
    (reading,) = read({"user_id": "ana", "role": "user", "text": "Hi", "mood": 3}, key=None)
    assert isinstance(reading, Reading)
    assert (reading.draft.user_id, reading.draft.text, reading.transcript) == ("ana", "Hi", False)


def test_a_fault_names_the_place_the_value_and_what_is_expected() -> None:
    """S3."""
    with pytest.raises(Fault) as found:
        read({"participants": [{"id": 3}]}, key=None)
    assert (found.value.reason, found.value.detail) == (
        "wrong_type",
        "$.participants[0]: expected a string, got an object",
    )


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"command": "erase"}, True),
        ({"profile": {}}, True),
        ({"profile": {}, "text": "Hi"}, False),
        ({"profile": {}, "role": "user"}, False),
        ({"text": "Hi"}, False),
    ],
)
def test_a_command_is_told_by_its_fields(record: dict[str, object], expected: bool) -> None:
    assert is_command(record) is expected


def test_slots_beside_and_below_make_one_profile() -> None:
    draft = read_command({"command": "profile", "user_id": "ana", "bio": "Vet", "profile": {"timezone": "UTC"}})
    assert draft.profile == {"bio": "Vet", "timezone": "UTC"}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"messages": []}, "openai"),
        ({"messages": [{"role": "user", "content": "Hi"}]}, "openai"),
        ({"messages": [7, {"role": "user"}]}, "openai"),
        ({"role": "user", "content": "Hi"}, "openai"),
        ({"text": "Hi"}, "canonical"),
        ({"text": "Hi", "role": "user", "ts": "1.5", "entityId": "x"}, "canonical"),
        ({"messages": "none"}, "canonical"),
        ({"message_id": "m", "deleted": True}, "canonical"),
        ({"message": {"subject": "x"}}, "canonical"),
        ({"entityId": "e", "content": {"text": "Hi"}}, "elizaos"),
        ({"userId": "e", "roomId": "r", "content": {"text": "Hi"}}, "elizaos"),
        ({"messages": [{"entityId": "e", "content": {}}]}, "elizaos"),
        ({"memories": []}, "elizaos"),
        ({"type": "human", "content": "Hi"}, "langchain"),
        ({"type": "ai", "data": {}}, "langchain"),
        ({"messages": [{"type": "human", "data": {}}]}, "langchain"),
        ({"messages": [{"type": "HumanMessage", "content": "Hi"}]}, "langchain"),
        ({"messages": [{"lc": 1, "type": "constructor", "id": [], "kwargs": {}}]}, "langchain"),
        ({"session_id": "s", "message": {"type": "human", "data": {}}}, "langchain"),
        ({"conversations": []}, "sharegpt"),
        ({"type": "message", "user": "U1", "ts": "1.000100", "text": "Hi"}, "slack"),
        ({"channel": "C1", "messages": [{"user": "U1", "ts": "1.000100", "text": "Hi"}]}, "slack"),
        ({"type": "message", "subtype": "message_changed", "message": {"text": "x"}, "ts": "1.000100"}, "slack"),
        ({"type": "event_callback", "event": {}}, "slack"),
    ],
)
def test_auto_tells_the_formats_apart(record: dict[str, object], expected: str) -> None:
    """S1."""
    assert sniff(record) == expected
    assert set(FORMATS) == {"auto", *READERS}


def test_parts_that_are_not_the_speakers_words_are_left_out() -> None:
    """X7: tool results, files and images are not what the user said."""
    parts = [
        {"type": "tool_result", "content": [{"type": "text", "text": "user is vegan"}]},
        {"type": "input_text", "text": "one"},
        {"type": "file", "text": "I am a pilot"},
        {"text": "two"},
    ]
    assert text_of(parts, "$.text") == "one\ntwo"


def test_infinite_times_are_faults() -> None:
    """S3."""
    with pytest.raises(Fault, match="finite"):
        event_time_ms(float("inf"), "$.sent_at")
