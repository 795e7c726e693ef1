from __future__ import annotations

import pytest

from operators.formats import FORMATS, READERS, sniff
from operators.formats.canonical import is_command, read, read_command
from operators.formats.shapes import Fault, Reading, event_time_ms, text_of


def test_a_message_is_read_without_its_unknown_fields() -> None:
    (reading,) = read({"user_id": "ana", "role": "user", "text": "Hi", "mood": 3}, key=None)
    assert isinstance(reading, Reading)
    assert (reading.draft.user_id, reading.draft.text, reading.transcript) == ("ana", "Hi", False)


def test_a_fault_names_the_place_and_both_types() -> None:
    """S3."""
    with pytest.raises(Fault) as found:
        read({"participants": [{"id": 3}]}, key=None)
    assert (found.value.reason, found.value.detail) == ("wrong_type", "$.participants[0]: expected str, got object")


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


def test_auto_tells_the_formats_apart() -> None:
    """S1."""
    assert sniff({"messages": []}) == "openai"
    assert sniff({"text": "Hi"}) == sniff({"messages": "none"}) == "canonical"
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
