"""The fold of one user's memory: evidence, forgetting, proposals, expiry, caps, late arrivals (R5, R10, R14, F, W)."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.facts import Entry, Fact, FactEvent, Source
from state.fold import apply_entry, difference, expire
from state.messages import Origin
from state.policy import RulesPolicy
from state.user_memory import UserMemory
from tests.state.embedding_stub import similar_among
from tests.state.folding import DAY_MS, POLICY, START_MS, Folding, claim, in_order, said, told

# Reinforcement


def test_a_restatement_reinforces_and_moves_the_last_mention() -> None:
    """R5: mentions + 1, reinforced_confidence rises, last_said_at moves, the revision stays."""
    folding = Folding().say("User likes tea", confidence=0.8).say("User likes tea", confidence=0.75)
    fact = folding.fact("tea")
    assert (fact.mentions, fact.revision, fact.confidence) == (2, 1, 0.8)
    assert fact.reinforced_confidence == pytest.approx(1 - 0.2 * 0.25)
    assert (fact.last_said_at_ms - fact.first_said_at_ms) == DAY_MS
    assert [source.message_id for source in fact.sources] == ["m0", "m1"]
    assert folding.last.event == "REINFORCE"


@pytest.mark.parametrize("order", list(permutations((0.71, 0.83, 0.9))))
def test_reinforced_confidence_does_not_depend_on_order(order: tuple[float, ...]) -> None:
    """REQUIREMENTS, a fact: 1 - the product of the doubts, symmetric in their order."""
    folding = Folding()
    for confidence in order:
        folding.say("User likes tea", confidence=confidence)
    assert folding.fact("tea").reinforced_confidence == 0.99 or folding.fact("tea").reinforced_confidence == round(
        1 - 0.29 * 0.17 * 0.1, 9
    )


def test_reinforced_confidence_stays_below_certainty() -> None:
    """REQUIREMENTS, a fact: at most 0.99."""
    folding = Folding().say(*["User likes tea"] * 6)
    assert folding.fact("tea").reinforced_confidence == 0.99


def test_the_same_message_reinforces_once() -> None:
    """R5, R7: a fact is reinforced at most once by one message."""
    folding = Folding().fold(said(claim("User likes tea"), claim("User likes tea", intensity=0.9)))
    fact = folding.fact("tea")
    assert (fact.mentions, fact.revision) == (1, 1)
    assert (folding.last.event, folding.last.rule) == ("NONE", "R5.same_message")


def test_sources_are_bounded_and_keep_the_first_and_the_latest() -> None:
    """REQUIREMENTS, a fact: sources are bounded; mentions count on."""
    folding = Folding(replace(POLICY, sources_max=4)).say(*["User likes tea"] * 9)
    fact = folding.fact("tea")
    assert [source.message_id for source in fact.sources] == ["m0", "m1", "m7", "m8"]
    assert fact.mentions == 9


def test_an_update_keeps_the_id_and_starts_the_evidence_anew() -> None:
    """R2: same id, revision + 1, old content in the event."""
    folding = Folding().say("User lives in Berlin", "User lives in Berlin", "User moved to Munich")
    fact = folding.fact("Munich")
    assert fact.fact_id == folding.events[0].fact.fact_id  # type: ignore[union-attr]  # an ADD has its fact
    assert (fact.revision, fact.mentions, len(fact.sources)) == (2, 1, 1)
    assert (folding.last.old_content, folding.last.matched_fact_id) == ("User lives in Berlin", fact.fact_id)


def test_a_completion_keeps_all_evidence_and_dates() -> None:
    """R11: refinements merge; they do not replace what they did not restate."""
    folding = Folding().say("User lives in Seattle", valid_from="2025-10").say("User lives in the Ballard neighborhood")
    fact = folding.fact("Ballard")
    assert (fact.content, fact.object, fact.valid_from) == (
        "User lives in Ballard, Seattle",
        "Ballard, Seattle",
        "2025-10",
    )
    assert fact.mentions == 2


def test_a_duration_refines_the_date_and_supersedes_nothing() -> None:
    """R10: been at the job for three months."""
    folding = (
        Folding().say("User works at a startup").say("User has been at the job for 3 months", valid_from="2025-10")
    )
    fact = folding.fact("startup")
    assert (fact.valid_from, fact.revision, folding.last.rule) == ("2025-10", 1, "R10.refines_date")


# The floor, the bio, third parties


def test_below_the_floor_nothing_is_stored_or_reinforced() -> None:
    """P3: the floor is 0.70."""
    folding = Folding().say("User likes jazz", confidence=0.69)
    assert (folding.memory.facts, folding.last.event, folding.last.rule) == ({}, "NONE", "P3.floor")
    folding.say("User likes jazz", confidence=0.7).say("User likes jazz", confidence=0.6)
    assert folding.fact("jazz").mentions == 1


def test_what_the_bio_says_is_not_learned_again() -> None:
    """X4: in_bio; a new value and what the bio does not say are learned."""
    bio = tuple(
        claim(content, "p", subject="Ada") for content in ("Ada works as a marine biologist", "Ada lives in Bergen")
    )
    folding = Folding().fold(told("profile", 0, candidates=bio, profile=(("bio", "…"), ("timezone", "Europe/Oslo"))))
    folding.say("User works as a marine biologist", "User lives in Bergen", "User likes tea", "User moved to Oslo")
    assert folding.active == ["User likes tea", "User moved to Oslo"]
    assert folding.memory.profile["timezone"] == "Europe/Oslo"
    assert [e.rule for e in folding.events if e.event == "NONE"] == ["X4.profile", "X4.in_bio", "X4.in_bio"]


def test_a_profile_without_bio_leaves_the_bio() -> None:
    """X4: slots are set one by one."""
    bio = (claim("User lives in Bergen", "p"),)
    folding = Folding().fold(
        told("profile", 0, "k1", candidates=bio, profile=(("bio", "…"),)),
        told("profile", 1, "k2", profile=(("city", "x"),)),
    )
    folding.say("User lives in Bergen")
    assert folding.memory.facts == {}


@pytest.mark.parametrize(
    ("third_party", "active"),
    [
        ("keep", ["Emma lives in Munich", "Emma's name is Emma Roth"]),
        ("relation", ["Emma's name is Emma Roth"]),
        ("drop", []),
    ],
)
def test_what_is_kept_of_other_people(third_party: Any, active: list[str]) -> None:
    """X8: third_party keep, relation, drop."""
    folding = Folding(RulesPolicy(third_party=third_party)).say("Emma lives in Munich", "Emma's name is Emma Roth")
    assert folding.active == active


# Negation


def test_a_deletion_is_a_tombstone_with_its_reason() -> None:
    """R4: the fact stays with status deleted."""
    folding = Folding().say("User has a pilot's licence", "User has never had a pilot's licence")
    fact = folding.fact("has a pilot")
    assert (fact.status, fact.revision) == ("deleted", 2)
    assert fact.reason == "denied: User has never had a pilot's licence"


def test_an_unsure_negation_is_flagged_and_proposed() -> None:
    """R4, W1: between 0.70 and 0.90 flag, and propose."""
    folding = Folding().say("User has a pilot's licence").say("User has never had a pilot's licence", confidence=0.8)
    assert folding.active == ["User has a pilot's licence"]
    assert (folding.last.event, folding.last.rule) == ("FLAG", "R4.unsure")
    (proposal,) = folding.memory.proposals.values()
    assert (proposal.action, proposal.target_fact_id) == ("DELETE", folding.fact("pilot").fact_id)
    folding.fold(told("approve", 9, proposal_id=proposal.proposal_id))
    assert folding.active == []
    assert folding.last.event == "DELETE"


def test_a_denial_stands_against_an_earlier_assertion_that_comes_later() -> None:
    """R4: in the other order of arrival there is no active fact, and none is made."""
    folding = Folding().fold(said(claim("User has never had a pilot's licence", "m2", 5)))
    folding.fold(said(claim("User has a pilot's licence", "m1", 1)))
    assert (folding.memory.facts, folding.last.rule) == ({}, "R4.denied_later")
    folding.fold(said(claim("User has a pilot's licence", "m3", 9)))
    assert folding.active == ["User has a pilot's licence"]


def test_a_denial_said_again_makes_no_fact() -> None:
    """R4: what is denied twice is gone as if denied once."""
    folding = Folding().say("User has a dog", "User does not have a dog", "User does not have a dog")
    assert (folding.active, folding.last.rule) == ([], "R4.nothing_to_negate")


def test_a_value_beyond_the_horizon_is_kept_as_history() -> None:
    """R6, R14: what comes too late for a refold never overturns, and is not lost."""
    folding = Folding().fold(
        said(claim("User lives in Munich", "m2", 90)), said(claim("User lives in Berlin", "m1", 0))
    )
    assert (folding.active, folding.of("superseded")) == (["User lives in Munich"], ["User lives in Berlin"])
    assert (folding.last.event, folding.last.rule) == ("NONE", "R6.later")


# Forgetting

SMOKER = ("User smokes about five cigarettes a day", "User has a labrador called Biscuit", "User works at Brio")


def test_forget_by_text_takes_what_is_about_it_and_nothing_else() -> None:
    """F3: by text; F1: forgotten, not lost."""
    folding = Folding().say(*SMOKER).fold(told("forget", 30, text="I smoke cigarettes"))
    assert folding.of("forgotten") == ["User smokes about five cigarettes a day"]
    assert len(folding.active) == 2
    assert (folding.last.event, folding.last.rule, folding.last.reason) == ("FORGET", "F3.asked", "the user asked")


@pytest.mark.parametrize(
    ("text", "forgotten"),
    [
        ("everything about Tom", ["User has a sister called Tom", "User works at Tom & Sons"]),
        ("my sister's birthday", []),
        ("that I work at Tom & Sons", ["User works at Tom & Sons"]),
        ("my cat", []),
    ],
)
def test_forget_by_text_needs_meaning_and_words(text: str, forgotten: list[str]) -> None:
    """F3: semantically and lexically about it."""
    folding = Folding().say("User has a sister called Tom", "User works at Tom & Sons", "User likes tea")
    folding.fold(told("forget", 30, text=text))
    assert folding.of("forgotten") == forgotten
    assert bool(forgotten) == (folding.last.event == "FORGET")


def test_forget_by_id_and_by_namespace() -> None:
    """F3: by fact id, by namespace."""
    folding = Folding().say(*SMOKER)
    folding.fold(told("forget", 30, "k1", fact_id=folding.fact("Brio").fact_id))
    assert folding.of("forgotten") == ["User works at Brio"]
    folding.fold(told("forget", 31, "k2", namespace=("user", "pets")))
    assert folding.active == ["User smokes about five cigarettes a day"]


@pytest.mark.parametrize(
    "fields", [{"text": "I smoke cigarettes"}, {"namespace": ("user", "health")}], ids=["text", "namespace"]
)
def test_a_forgetting_leaves_a_boundary(fields: dict[str, Any]) -> None:
    """F3: an earlier statement that arrives later stays forgotten; a later one counts."""
    folding = Folding().fold(told("forget", 30, **fields))
    assert folding.last.rule == "F3.nothing_matched"
    folding.fold(said(claim("User smokes cigarettes", "m1", 1)))
    assert (folding.memory.facts, folding.last.rule) == ({}, "F3.boundary")
    folding.fold(said(claim("User smokes cigarettes", "m2", 31)))
    assert folding.active == ["User smokes cigarettes"]


def test_the_user_brings_a_forgotten_fact_back() -> None:
    """F2: by a later statement, through reconciliation, as it is said now."""
    folding = Folding().say("User plays the cello").fold(told("forget", 9, text="that I play the cello"))
    known = folding.fact("cello")
    folding.fold(said(claim("User plays the cello again every evening", "m5", 90)))
    fact = folding.fact("cello")
    assert (fact.fact_id, fact.status, fact.mentions) == (known.fact_id, "active", 1)
    assert (folding.last.event, folding.last.rule) == ("REACTIVATE", "F2.reactivate")


@pytest.mark.parametrize(
    ("fields", "day", "message", "rule"),
    [
        ({"source_rank": 1}, 90, "m5", "F2.not_the_users_statement"),
        ({"source_rank": 3}, 90, "m5", "F2.not_the_users_statement"),
        ({}, 1, "m5", "F3.boundary"),
        ({}, 90, "m0", "F3.boundary"),
    ],
    ids=["confirmation", "assistant", "earlier", "replayed"],
)
def test_nothing_else_brings_a_forgotten_fact_back(fields: Any, day: int, message: str, rule: str) -> None:
    """F2: never the assistant's echo, nor a replay."""
    folding = Folding().say("User plays the cello").fold(told("forget", 9, text="that I play the cello"))
    folding.fold(said(claim("User plays the cello", message, day, **fields)))
    assert (folding.active, folding.last.rule) == ([], rule)


def test_forgetting_withdraws_what_waits() -> None:
    """F3, W2: a pending proposal about what is forgotten cannot be approved any more."""
    folding = Folding().say("Assistant should answer in bullet points").fold(told("forget", 5, text="bullet points"))
    assert folding.pending() == []
    folding.fold(told("approve", 6, "k2", match="bullet"))
    assert (folding.active, folding.last.rule) == ([], "W2.already_decided")


# Commands


def test_remember_writes_at_once_past_floor_and_write_mode() -> None:
    """W3: a direct write."""
    what = (claim("User likes jazz", "k1", 1, confidence=0.5), claim("Assistant should answer briefly", "k1", 1))
    folding = Folding().fold(told("remember", 1, candidates=what, text="…"))
    assert folding.active == ["Assistant should answer briefly", "User likes jazz"]
    assert [event.event for event in folding.events] == ["ADD", "ADD"]


def test_remember_takes_kind_and_namespace_from_the_command() -> None:
    """INTERFACE, remember: kind and namespace may be given."""
    what = (claim("User likes jazz", "k1", 1),)
    folding = Folding().fold(told("remember", 1, candidates=what, text="…", kind="fact", namespace=("user", "music")))
    fact = folding.fact("jazz")
    assert (fact.kind, fact.namespace) == ("fact", ("user", "music"))


def test_pin_exempts_from_the_cap() -> None:
    """F4: pinned facts are exempt."""
    folding = Folding(replace(POLICY, facts_max=2)).say("User likes tea").fold(told("pin", 1, match="tea"))
    assert folding.fact("tea").pinned
    folding.say("User is allergic to peanuts", "User is allergic to dust")
    assert "User likes tea" in folding.active
    folding.fold(told("unpin", 20, "k2", match="tea"), said(claim("User is allergic to nuts", "m9", 21)))
    assert "User likes tea" not in folding.active


@pytest.mark.parametrize("name", ["pin", "approve", "reject", "edit"])
def test_words_must_pick_exactly_one(name: str) -> None:
    """INTERFACE, match: words that pick exactly one; else nothing happens and the answer says why."""
    folding = Folding().say(
        "User likes green tea", "User likes black tea", "Assistant should offer tea", "Assistant should brew tea"
    )
    before = dict(folding.memory.facts)
    folding.fold(told(name, 9, match="tea", content="x"))
    assert folding.memory.facts == before
    assert folding.last.event == "NONE"
    assert folding.last.rule.endswith("no_single_match")


def test_erase_leaves_nothing_in_memory() -> None:
    """F6: facts, proposals, boundaries, bio and profile of the user are gone."""
    folding = Folding().say(*SMOKER, "Assistant should answer briefly").fold(told("forget", 20, "k1", text="x"))
    folding.fold(told("erase", 21, "k2"))
    memory = folding.memory
    assert (memory.facts, memory.proposals, memory.boundaries, memory.bio, memory.profile) == ({}, {}, [], [], {})
    assert [event.event for event in folding.changes[-1].events] == ["ERASE"]
    assert folding.changes[-1].facts == ()


# Proposals


def test_a_procedure_waits_and_is_written_when_approved() -> None:
    """W1, W2: procedures are proposed by default."""
    folding = Folding().say("Assistant should answer in bullet points")
    assert (folding.active, folding.pending()) == ([], ["Assistant should answer in bullet points"])
    assert folding.last.rule == "W1.proposed"
    folding.fold(told("approve", 1, match="bullet"))
    assert (folding.active, folding.pending()) == (["Assistant should answer in bullet points"], [])
    (proposal,) = folding.memory.proposals.values()
    assert (proposal.status, proposal.decided_by) == ("approved", "k1")


@pytest.mark.parametrize(
    ("first", "second"), [("approve", "approve"), ("approve", "reject"), ("reject", "approve"), ("edit", "reject")]
)
def test_a_proposal_is_decided_once(first: str, second: str) -> None:
    """W2: deciding again is refused and can never write twice."""
    folding = Folding().say("Assistant should answer in bullet points")
    (proposal_id,) = folding.memory.proposals
    folding.fold(told(first, 1, "k1", proposal_id=proposal_id, content="Assistant should answer in lists"))
    before = (dict(folding.memory.facts), dict(folding.memory.proposals))
    folding.fold(told(second, 2, "k2", proposal_id=proposal_id))
    assert (folding.memory.facts, folding.memory.proposals) == before
    assert (folding.last.event, folding.last.rule) == ("NONE", "W2.already_decided")


def test_an_edit_writes_the_persons_words() -> None:
    """W2: edit."""
    folding = Folding().say("Assistant should answer in bullet points")
    folding.fold(told("edit", 1, match="bullet", content="Assistant answers in short lists"))
    assert folding.active == ["Assistant answers in short lists"]


def test_an_edit_is_another_claim_with_the_same_evidence() -> None:
    """W2: what it tells, of what and how, comes from the new words; id, evidence and time from what was said"""
    folding = Folding().say("User likes tea", write_mode="propose", confidence=0.8)
    (proposal,) = folding.memory.proposals.values()
    more = claim("User has a cat", "k1", 1)
    words = claim("User lives in Oslo", "k1", 1, confidence=0.95)
    folding.fold(told("edit", 1, "k1", (words, more), match="tea", content="User lives in Oslo and has a cat"))
    fact = folding.fact("Oslo")
    assert (fact.fact_id, fact.sources) == (proposal.candidate.candidate_id, (proposal.candidate.source,))
    assert (fact.predicate, fact.object, fact.kind, fact.namespace) == (
        words.predicate,
        words.object,
        words.kind,
        words.namespace,
    )
    assert (fact.confidence, fact.first_said_at_ms) == (0.8, proposal.candidate.said_at_ms)
    assert folding.active == ["User has a cat", "User lives in Oslo"]


def test_an_edit_that_no_rule_can_read_stays_what_was_proposed() -> None:
    """W2: of kind and place"""
    folding = Folding().say("Assistant should answer in bullet points")
    words = replace(claim("Short, please", "k1", 1), predicate="states", subject="Short", kind="fact")
    folding.fold(told("edit", 1, "k1", (words,), match="bullet", content="Short, please"))
    fact = folding.fact("Short")
    assert (fact.kind, fact.subject, fact.predicate) == ("procedure", "user", "states")


def test_an_edit_whose_words_policy_forbids_is_refused_and_the_proposal_goes_on_waiting() -> None:
    """W2, P4"""
    folding = Folding().say("Assistant should answer in bullet points")
    folding.fold(told("edit", 1, match="bullet"))
    assert (folding.last.rule, folding.last.reason) == (
        "T3.nothing_to_remember",
        "policy lets nothing of the words pass",
    )
    assert folding.pending() == ["Assistant should answer in bullet points"]


def test_an_edit_whose_words_were_emptied_approves_nothing() -> None:
    """W2, P2"""
    folding = Folding().say("Assistant should answer in bullet points")
    folding.fold(told("edit", 1, match="bullet", content=""))
    assert (folding.last.rule, folding.active) == ("T3.nothing_to_remember", [])


def test_an_approval_is_judged_against_memory_as_it_is() -> None:
    """W4: what memory learned meanwhile counts."""
    folding = Folding().say("User moved to Oslo", write_mode="propose")
    folding.say("User lives in Berlin")
    (proposal,) = folding.memory.proposals.values()
    assert proposal.status == "superseded"
    folding = Folding().say("User likes tea", write_mode="propose", confidence=0.8)
    folding.fold(told("approve", 5, match="tea")).say("User likes tea")
    assert folding.fact("tea").mentions == 2


def test_a_permission_withdrawn_takes_the_place_of_the_one_that_waits() -> None:
    """W1, R3: only the newer instruction waits."""
    folding = Folding().say(
        "Assistant may email User about offers any time", "Assistant should not email User about offers"
    )
    assert folding.pending() == ["Assistant should not email User about offers"]


def test_the_same_is_not_proposed_twice() -> None:
    """W1: what waits already waits once."""
    folding = Folding().say("Assistant should answer in bullet points", "Assistant should answer in bullet points")
    assert len(folding.memory.proposals) == 1
    assert folding.last.rule == "W1.already_proposed"


def test_pending_proposals_are_bounded() -> None:
    """Every queue is bounded: the oldest that waits expires."""
    folding = Folding(replace(POLICY, pending_proposals_max=2))
    folding.say("Assistant should sing", "Assistant should wait", "Assistant should laugh")
    assert folding.pending() == ["Assistant should laugh", "Assistant should wait"]


def test_manual_mode_takes_only_direct_writes() -> None:
    """W3: nothing is extracted automatically."""
    folding = Folding().say("User likes tea", write_mode="manual")
    assert (folding.memory.facts, folding.last.rule) == ({}, "W3.manual")


# Expiry and caps


def test_a_stay_ends_in_the_users_time_zone() -> None:
    """R10: archived when valid_to passes, as the user's next entry finds it."""
    stay = claim("User is visiting Paris", "m1", 0, valid_to="2026-01-03")
    for zone, hour, active in (
        ("UTC", 23, 1),
        ("Pacific/Auckland", 23, 0),
        ("America/Los_Angeles", 31, 1),
        ("nowhere", 24, 0),
    ):
        folding = Folding().fold(told("profile", -1, profile=(("timezone", zone),)), said(stay))
        changes = expire(folding.memory, START_MS + 2 * DAY_MS + hour * 3_600_000, POLICY)
        assert len(folding.active) == active
        assert [event.rule for event in changes.events] == ["R10.expired"] * (1 - active)


@pytest.mark.parametrize(
    ("fields", "days", "archived"),
    [
        ({"kind": "status"}, 89, 0),
        ({"kind": "status"}, 91, 1),
        ({"kind": "fact"}, 900, 0),
        ({"kind": "status", "predicate": "plans", "valid_from": "2026-02"}, 60, 0),
        ({"kind": "status", "predicate": "plans", "valid_from": "2026-02"}, 67, 1),
        ({"kind": "status", "predicate": "feels"}, 8, 1),
        ({"kind": "fact", "valid_to": "2026-02"}, 60, 1),
        ({"kind": "fact", "valid_to": "2019"}, 900, 0),
        ({"kind": "status", "valid_to": "unknown"}, 900, 0),
    ],
)
def test_a_status_runs_out(fields: dict[str, Any], days: int, archived: int) -> None:
    """R10: by its end, by its date, or by its time to live; a fact of the past stays."""
    folding = Folding().say("User states something", **fields)
    folding.fold(said(claim("User likes tea", "m9", days)))
    assert len(folding.of("archived")) == archived


def test_the_cap_prunes_the_least_important_first() -> None:
    """F4: an allergy outlives a trivial recent fact; ties go by the longest unconfirmed."""
    folding = Folding(replace(POLICY, facts_max=2))
    folding.say("User is allergic to peanuts", "User bought a lamp", "User bought a chair", "User bought a rug")
    assert folding.active == ["User bought a rug", "User is allergic to peanuts"]
    assert [event.rule for event in folding.events if event.event == "PRUNE"] == ["F4.facts_max"] * 2


def test_tombstones_have_their_own_cap() -> None:
    """F4: pruned ones go before what the user asked to forget."""
    folding = Folding(replace(POLICY, facts_max=1, tombstones_max=2))
    folding.say("User likes tea").fold(told("forget", 1, text="tea"))
    folding.say("User bought a lamp", "User bought a chair", "User bought a rug", "User bought a desk")
    assert len(folding.memory.facts) == 3
    assert folding.of("forgotten") == ["User likes tea"]
    dropped = [fact_id for change in folding.changes for fact_id in change.dropped]
    assert len(dropped) == 2
    assert not set(dropped) & set(folding.memory.facts)


# The fold as a fold

LIFE: list[Entry] = [
    said(claim("User lives in Berlin", "m01", 0), claim("User likes tea", "m01", 0)),
    said(claim("User works at Brio", "m02", 1)),
    said(claim("User is looking for a job", "m03", 2)),
    said(claim("User has a cat", "m04", 3), claim("User has a dog", "m04", 3)),
    told("forget", 4, "m05", text="that I work at Brio"),
    said(claim("User moved to Munich", "m06", 5, valid_from="2026-01")),
    said(claim("User has gone off tea", "m07", 6)),
    said(claim("Assistant should answer in bullet points", "m08", 7)),
    told("approve", 8, "m09", match="bullet"),
    said(claim("User got a new job", "m10", 9), claim("User works at Nordlicht", "m10", 9)),
    said(claim("User has a cat called Miso", "m11", 10)),
    said(claim("User does not have a dog", "m12", 11)),
    said(claim("User lives in the Lehel district", "m13", 12)),
]
SURVIVORS = [
    "Assistant should answer in bullet points",
    "User has a cat called Miso",
    "User has gone off tea",
    "User lives in Lehel, Munich",
    "User works at Nordlicht",
]


def _snapshot(memory: UserMemory) -> list[Fact]:
    return sorted(memory.facts.values(), key=lambda fact: fact.fact_id)


def test_a_life_folds_to_what_holds() -> None:
    """R14: the whole story of these tests, in order."""
    folding = Folding().fold(*LIFE)
    assert folding.active == SURVIVORS
    assert folding.of("forgotten") == ["User works at Brio"]


def test_the_same_entries_make_the_same_ids() -> None:
    """S4: event ids depend on nothing but the entries, and no two events share one."""
    first, second = Folding().fold(*LIFE), Folding().fold(*LIFE)
    assert first.events == second.events
    ids = [event.event_id for event in first.events]
    assert len(set(ids)) == len(ids)


@given(st.sets(st.integers(1, len(LIFE) - 1)))
@settings(max_examples=20, deadline=None)
def test_any_cutting_gives_the_same(cuts: set[int]) -> None:
    """R14, S4: a memory that is laid down and taken up again between entries folds on as if it had not been."""
    whole = Folding().fold(*LIFE)
    memory = UserMemory("t", "u")
    events: list[FactEvent] = []
    for number, entry in enumerate(LIFE):
        if number in cuts:
            # As a store gives it back: other objects, other order of the dict.
            memory = replace(memory, facts=dict(sorted(memory.facts.items())), boundaries=list(memory.boundaries))
        events += apply_entry(memory, entry, similar_among(memory.facts), POLICY).events
    assert events == whole.events
    assert _snapshot(memory) == _snapshot(whole.memory)


@given(st.permutations(LIFE))
@settings(max_examples=20, deadline=None)
def test_any_order_of_arrival_ends_in_the_same_memory(arrival: list[Entry]) -> None:
    """R14: each late entry refolds; active contents, kinds and dates end the same, under the ids told first."""
    memory, log, told_ids = UserMemory("t", "u"), [], set()
    for entry in arrival:
        log.append(entry)
        if (entry.at_ms, entry.entry_id) > memory.position:
            changes = apply_entry(memory, entry, similar_among(memory.facts), POLICY)
        else:
            after = Folding().fold(*in_order(log)).memory
            changes = difference(memory, after, entry.at_ms, entry.entry_id)
            memory = after
        told_ids |= {fact.fact_id for fact in changes.facts}
    ends = {(f.content, f.kind, f.valid_from) for f in memory.facts.values() if f.status == "active"}
    whole = Folding().fold(*LIFE).memory
    assert ends == {(f.content, f.kind, f.valid_from) for f in whole.facts.values() if f.status == "active"}
    assert set(memory.facts) <= told_ids
    assert all(fact_id == fact.fact_id for fact_id, fact in memory.facts.items())


@given(st.lists(st.sampled_from(range(len(LIFE))), max_size=8))
@settings(max_examples=20, deadline=None)
def test_replayed_statements_change_no_active_fact(again: list[int]) -> None:
    """R5, F2: a message that comes again, beyond any horizon, neither reinforces, revives nor overturns."""
    folding = Folding().fold(*LIFE)
    before = [fact for fact in _snapshot(folding.memory) if fact.status in ("active", "forgotten")]
    folding.fold(*(LIFE[number] for number in again if LIFE[number].command is None))
    after = [fact for fact in _snapshot(folding.memory) if fact.status in ("active", "forgotten")]
    assert [(f.fact_id, f.content, f.status) for f in after] == [(f.fact_id, f.content, f.status) for f in before]


# Refolds


def _refolded(entries: list[Entry], before: UserMemory) -> tuple[UserMemory, Any]:
    after = Folding().fold(*in_order(entries)).memory
    return after, difference(before, after, START_MS + 99 * DAY_MS, "late")


def test_a_late_value_changes_nothing_that_is_told() -> None:
    """R14: the earlier home arrives later; the id of the present one stays."""
    late, present = said(claim("User lives in Berlin", "m1", 0)), said(claim("User moved to Munich", "m2", 30))
    before = Folding().fold(present).memory
    (known,) = before.facts
    after, changes = _refolded([late, present], before)
    assert [fact.content for fact in after.facts.values()] == ["User moved to Munich"]
    assert list(after.facts) == [known]
    assert {event.event for event in changes.events} <= {"REINFORCE"}


def test_a_late_older_wording_reinforces() -> None:
    """R14: an earlier mention that comes later counts as evidence."""
    late, present = said(claim("User likes tea", "m1", 0)), said(claim("User likes tea", "m2", 30))
    before = Folding().fold(present).memory
    after, changes = _refolded([late, present], before)
    (fact,) = after.facts.values()
    assert (fact.fact_id, fact.mentions, fact.revision) == (next(iter(before.facts)), 2, 1)
    assert [(event.event, event.rule) for event in changes.events] == [("REINFORCE", "R14.refold")]


def test_a_retracted_message_takes_along_what_only_it_supports() -> None:
    """F7: the boat goes, the kayak stays, and what the retracted message had changed is as before."""
    log = [
        said(claim("User owns a boat called Petrel", "m1", 0)),
        said(claim("User owns a kayak", "m2", 1)),
        said(claim("User lives in Berlin", "m3", 2)),
        said(claim("User moved to Munich", "m4", 3)),
    ]
    before = Folding().fold(*log).memory
    after, changes = _refolded([log[1], log[2]], before)
    assert sorted((fact.content, fact.status) for fact in after.facts.values()) == [
        ("User lives in Berlin", "active"),
        ("User owns a boat called Petrel", "deleted"),
        ("User owns a kayak", "active"),
    ]
    assert sorted((event.event, event.fact.content) for event in changes.events) == [
        ("DELETE", "User owns a boat called Petrel"),
        ("UPDATE", "User lives in Berlin"),
    ]
    home = next(fact for fact in after.facts.values() if "Berlin" in fact.content)
    assert home.revision == 3


def test_an_unchanged_memory_differs_in_nothing() -> None:
    """R14: a refold that finds the same tells nothing."""
    before = Folding().fold(*LIFE).memory
    _, changes = _refolded(LIFE, before)
    assert (changes.events, changes.facts, changes.proposals) == ((), (), ())


def test_a_late_forgetting_is_told_as_one() -> None:
    """R14, F3: FORGET under the known id."""
    log = [said(claim("User plays the cello", "m1", 0)), said(claim("User likes tea", "m2", 30))]
    before = Folding().fold(*log).memory
    _, changes = _refolded([*log, told("forget", 10, text="that I play the cello")], before)
    assert [(event.event, event.fact.content) for event in changes.events] == [("FORGET", "User plays the cello")]


def test_versions_are_heard_of_at_once() -> None:
    """The caller's index is current inside one entry: on_fact hears each version before the next is judged."""
    heard: list[str] = []
    seen: list[int] = []
    memory = UserMemory("t", "u")
    among = similar_among(memory.facts)

    def similar(query: bytes) -> dict[str, float]:
        seen.append(len(heard))
        return among(query)

    entry = said(claim("User likes tea"), claim("User has a cat"), claim("User has a dog"))
    apply_entry(memory, entry, similar, POLICY, lambda fact: heard.append(fact.content))
    assert heard == ["User likes tea", "User has a cat", "User has a dog"]
    assert seen == [1, 2]


def test_a_source_is_kept_as_it_came() -> None:
    """R13: provenance travels with the fact."""
    fact = Folding().say("User likes tea").fact("tea")
    assert fact.sources == (Source("m0", "c1", 0, 14, Origin("messages", 0, 7)),)
