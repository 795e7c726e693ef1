"""`factstream decide` answers REQUIREMENTS' worked examples with the real models (R1–R10)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from flows.deciding import decide_rows, read_given
from flows.settings import Settings


def row(content: str, confidence: float = 0.9, **fields: Any) -> dict[str, Any]:
    return {"content": content, "confidence": confidence, "intensity": 0.5, "language": "en", **fields}


@pytest.mark.parametrize(
    ("current", "new", "event"),
    [
        (row("User loves coffee"), row("User loves strong black coffee"), "UPDATE"),
        (row("Emma lives in Berlin"), row("Emma moved to Munich"), "UPDATE"),
        (None, row("User enjoys sushi", 0.8), "ADD"),
        (row("User enjoys sushi", 0.8), row("User enjoys sushi", 0.6), "NONE"),
        (row("User enjoys sushi"), row("User hates sushi", 0.95), "UPDATE"),
        (row("User lives in Berlin"), row("User has never lived in Berlin", 0.95), "DELETE"),
        (row("User prefers concise answers"), row("User prefers concise and formal answers"), "UPDATE"),
        (row("User loves coffee"), row("Assistant recommended LangGraph"), "ADD"),
        (row("User lives in Mumbai"), row("User moved to Berlin"), "UPDATE"),
        (row("User lives in Seattle"), row("User lives in the Ballard neighborhood"), "UPDATE"),
        (row("User is looking for a job", kind="status"), row("User got a new job"), "UPDATE"),
        (row("User has a cat"), row("User has a dog"), "ADD"),
        (None, row("User likes jazz", 0.6), "NONE"),
    ],
)
def test_worked_examples(current: dict[str, Any] | None, new: dict[str, Any], event: str) -> None:
    rows = decide_rows(Settings(), [] if current is None else [{"id": "f1", **current}], [new])
    assert event in {each["event"] for each in rows}
    assert all(each["rule"] for each in rows)
    if event in ("UPDATE", "DELETE"):
        assert [(each["id"], each["event"]) for each in rows if each["event"] != "NONE"] == [("f1", event)]


def test_a_job_held_for_three_months_supersedes_nothing() -> None:
    """R10"""
    current = row("User works at a startup since 2026-01", id="f1", valid_from="2026-01")
    rows = decide_rows(Settings(), [current], [row("User has been at the job for 3 months", valid_from="2026-01")])
    assert [(each["event"], each["content"]) for each in rows] == [("NONE", "User works at a startup since 2026-01")]


def test_a_refined_place_keeps_the_city() -> None:
    """R2"""
    rows = decide_rows(
        Settings(), [row("User lives in Seattle", id="f1")], [row("User lives in the Ballard neighborhood")]
    )
    assert [each["content"] for each in rows if each["event"] == "UPDATE"] == ["User lives in Ballard, Seattle"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"current": [], "new": ["User sails"]}', "$.new[0]"),
        ('{"new": []}', "current"),
        ("[]", "object"),
        ("x", "JSON"),
    ],
)
def test_what_is_no_list_of_facts_is_named_with_its_place(text: str, place: str) -> None:
    """INTERFACE `decide`"""
    with pytest.raises(ValueError, match=re.escape(place)) as error:
        read_given(text.encode())
    assert '{"content": "User lives in Berlin"' in str(error.value)
