"""Rows that other programs read (INTERFACE), and back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.export import (
    RowError,
    command_from_row,
    command_row,
    event_from_row,
    event_row,
    fact_from_row,
    fact_row,
    iso,
    parse_iso,
    proposal_from_row,
    proposal_row,
)
from state.facts import Candidate, Fact, FactEvent, Proposal, Source
from state.messages import Command, Origin

FACT_FIELDS = """
id tenant user_id agent_id namespace kind content subject predicate object polarity confidence reinforced_confidence
mentions intensity importance language status reason contradicts pinned first_said_at last_said_at valid_from valid_to
recurring recorded_at sources derived_from extractor_version embedding_version revision
"""
EVENT_FIELDS = """
event_id event user_id tenant fact old_content rule matched_fact_id similarity reason said_at recorded_seq
schema_version command_id
"""

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
texts = st.lists(text, max_size=3).map(tuple)
times = st.integers(-62_135_596_800_000, 253_402_300_799_999)
shares = st.floats(0, 1)
origins = st.builds(Origin, text, st.integers(0, 99), st.integers(0, 2**53))
sources = st.builds(Source, text, text, st.integers(0, 99), st.integers(0, 99), origins)
scores = dict.fromkeys(("confidence", "intensity", "importance"), shares)
codes = st.just(bytes(384))
candidates = st.builds(
    Candidate, **scores, tenant=text, namespace=texts, said_at_ms=times, embedding=codes, source=sources
)
facts = st.builds(
    Fact,
    **scores,
    namespace=texts,
    reinforced_confidence=shares,
    mentions=st.integers(0, 9),
    revision=st.integers(1, 9),
    first_said_at_ms=times,
    last_said_at_ms=times,
    recorded_at_ms=times,
    sources=st.lists(sources, max_size=2).map(tuple),
    contradicts=texts,
    derived_from=texts,
    pinned=st.booleans(),
    valid_from=st.none() | text,
    source_rank=st.sampled_from([0, 1, 2, 3]),
    embedding=codes,
)
events = st.builds(
    FactEvent,
    fact=st.none() | facts,
    similarity=st.none() | st.floats(-1, 1),
    said_at_ms=times,
    recorded_seq=st.integers(0, 2**53),
    schema_version=st.just(1),
    command_id=st.none() | text,
)
proposals = st.builds(Proposal, candidate=candidates, proposed_at_ms=times, decided_at_ms=st.none() | times)
commands = st.builds(
    Command,
    sent_at_ms=times,
    origin=origins,
    namespace=st.none() | texts,
    text=st.none() | text,
    profile=st.dictionaries(text, text, max_size=2).map(lambda slots: tuple(slots.items())),
)


def example_fact(**changes: Any) -> Fact:
    values: dict[str, Any] = {
        "fact_id": "f1",
        "tenant": "",
        "user_id": "ana",
        "agent_id": None,
        "namespace": ("user", "home", "residence"),
        "kind": "fact",
        "content": "User moved to Seattle in 2026-10.",
        "subject": "user",
        "predicate": "moved_to",
        "object": "Seattle",
        "polarity": True,
        "confidence": 0.93,
        "reinforced_confidence": 0.93,
        "mentions": 1,
        "intensity": 0.5,
        "importance": 0.9,
        "language": "en",
        "status": "active",
        "reason": None,
        "first_said_at_ms": 1793610900000,
        "last_said_at_ms": 1793610900000,
        "recorded_at_ms": 1793610900250,
        "sources": (Source("m1", "c1", 0, 34, Origin("messages", 3, 41)),),
        "embedding": bytes(384),
        "valid_from": "2026-10",
    }
    return Fact(**{**values, **changes})


def through_json(row: dict[str, Any]) -> dict[str, Any]:
    loaded: dict[str, Any] = orjson.loads(orjson.dumps(row))
    return loaded


def test_the_exported_fact_is_flat_with_the_words_of_the_interface() -> None:
    """INTERFACE "An exported fact", REQUIREMENTS "A fact"."""
    row = fact_row(example_fact())
    assert set(row) >= set(FACT_FIELDS.split())
    assert "embedding" not in row
    assert row["id"] == "f1"
    assert row["namespace"] == ["user", "home", "residence"]
    assert (row["first_said_at"], row["recorded_at"]) == ("2026-11-02T09:15:00Z", "2026-11-02T09:15:00.250Z")
    assert row["sources"] == [
        {
            "message_id": "m1",
            "conversation_id": "c1",
            "start": 0,
            "end": 34,
            "topic": "messages",
            "partition": 3,
            "offset": 41,
        }
    ]


def test_the_event_row_has_the_words_of_the_interface() -> None:
    """INTERFACE "A fact event", R13."""
    event = FactEvent("e1", "ADD", "", "ana", example_fact(), None, "R1", None, None, None, 1793610900000, 7)
    row = event_row(event)
    assert set(row) == set(EVENT_FIELDS.split())
    assert row["fact"] == fact_row(example_fact())
    assert (row["said_at"], row["recorded_seq"], row["schema_version"]) == ("2026-11-02T09:15:00Z", 7, 1)


@given(facts)
@settings(deadline=None, max_examples=25)
def test_a_fact_comes_back_from_its_row(fact: Fact) -> None:
    """Q5."""
    assert fact_from_row(through_json(fact_row(fact)), fact.embedding) == fact


@given(events)
@settings(deadline=None, max_examples=25)
def test_an_event_comes_back_from_its_row(event: FactEvent) -> None:
    assert event_from_row(through_json(event_row(event)), bytes(384)) == event


@given(proposals)
@settings(deadline=None, max_examples=25)
def test_a_proposal_comes_back_from_its_row(proposal: Proposal) -> None:
    """W2."""
    row = proposal_row(proposal)
    assert row["id"] == row["proposal_id"] == proposal.proposal_id
    assert row["content"] == proposal.candidate.content
    assert proposal_from_row(through_json(row), proposal.candidate.embedding) == proposal


@given(commands)
@settings(deadline=None, max_examples=25)
def test_a_command_comes_back_from_its_row(command: Command) -> None:
    assert command_from_row(through_json(command_row(command))) == command


@given(times)
def test_a_time_comes_back_from_its_text(at_ms: int) -> None:
    assert parse_iso(iso(at_ms)) == at_ms
    assert iso(at_ms).endswith("Z")


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-11-02T09:15:00Z", datetime(2026, 11, 2, 9, 15, tzinfo=UTC)),
        ("2026-11-02T10:15:00+01:00", datetime(2026, 11, 2, 9, 15, tzinfo=UTC)),
        ("2026-11-02T09:15:00", datetime(2026, 11, 2, 9, 15, tzinfo=UTC)),
        ("2026-11-02", datetime(2026, 11, 2, tzinfo=UTC)),
    ],
)
def test_times_are_read_in_any_iso_form(written: str, moment: datetime) -> None:
    assert parse_iso(written) == int(moment.timestamp()) * 1000


def test_finer_fractions_are_cut_off() -> None:
    assert parse_iso("1970-01-01T00:00:00.001999Z") == 1


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(ValueError, match="'yesterday' is not an ISO 8601 time"):
        parse_iso("yesterday")
    with pytest.raises(ValueError, match="milliseconds since 1970"):
        iso(10**18)


def test_the_row_of_an_older_export_may_lack_what_has_a_default() -> None:
    """S11."""
    row = fact_row(example_fact(extractor_version="x1", pinned=True))
    for name in ("contradicts", "pinned", "derived_from", "source_rank", "extractor_version", "revision", "agent_id"):
        del row[name]
    fact = fact_from_row(row)
    assert fact == example_fact(embedding=b"")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("id", 7, "text"),
        ("kind", "hunch", "one of fact, status"),
        ("status", None, "one of active"),
        ("namespace", "user/home", "a list"),
        ("namespace", ["user", 1], "a list of texts"),
        ("confidence", 1.2, "a number from 0 to 1"),
        ("confidence", True, "a number from 0 to 1"),
        ("mentions", -1, "a whole number of at least 0"),
        ("revision", 0, "a whole number of at least 1"),
        ("polarity", "yes", "true or false"),
        ("recorded_at", "soon", "an ISO 8601 time|is not an ISO"),
        ("source_rank", 4, "0, 1, 2 or 3"),
        ("sources", [3], "expected an object"),
        ("reason", 5, "text"),
    ],
)
def test_a_wrong_field_is_named_with_its_value_and_what_was_expected(name: str, value: Any, expected: str) -> None:
    row = {**fact_row(example_fact()), name: value}
    with pytest.raises(RowError, match=expected):
        fact_from_row(row)


def test_a_missing_field_and_a_row_that_is_no_object_are_refused() -> None:
    row = fact_row(example_fact())
    del row["content"]
    with pytest.raises(RowError, match="'content' is missing"):
        fact_from_row(row)
    readers: list[Callable[[Any], object]] = [fact_from_row, event_from_row, proposal_from_row, command_from_row]
    for reader in readers:
        with pytest.raises(RowError, match="expected an object"):
            reader(["a"])
