"""What is stored comes back as it was, whole or as far as ranking reads it."""

from __future__ import annotations

from state.codec import pack_fact, unpack_fact, unpack_lead, whole
from state.facts import Fact, Lead, Source
from state.messages import Origin

FACT = Fact(
    fact_id="f1",
    tenant="acme",
    user_id="ana",
    agent_id="planner",
    namespace=("user", "preferences"),
    kind="opinion",
    content="User likes tea",
    subject="user",
    predicate="likes",
    object="tea",
    polarity=False,
    confidence=0.91,
    reinforced_confidence=0.92,
    mentions=2,
    intensity=0.53,
    importance=0.64,
    language="nl",
    status="superseded",
    reason="said anew",
    first_said_at_ms=1,
    last_said_at_ms=2,
    recorded_at_ms=3,
    sources=(Source("m1", "c1", 0, 9, Origin("messages", 1, 7)), Source("m2", "c2", 3, 4, Origin("messages", 0, 8))),
    embedding=bytes(range(128)) * 3,
    contradicts=("f2",),
    pinned=True,
    valid_from="2026-01",
    valid_to="2026-02-03",
    recurring="--05-03",
    derived_from=("f3", "f4"),
    source_rank=2,
    extractor_version="e1",
    embedding_version="m1",
    revision=5,
)


def test_a_stored_fact_comes_back_as_it_was() -> None:
    assert unpack_fact(pack_fact(FACT), FACT.embedding) == FACT


def test_a_lead_has_its_facts_values_and_gives_the_whole_fact() -> None:
    """Q1: what ranking reads is the same of both."""
    lead = unpack_lead(pack_fact(FACT), FACT.embedding)
    assert {name: getattr(lead, name) for name in Lead._fields if name != "body"} == {
        name: getattr(FACT, name) for name in Lead._fields if name != "body"
    }
    assert whole(lead) == FACT
    assert whole(FACT) is FACT
