"""A prune takes what is over of users who are silent, and says what (R10, F4, F5)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from state.memory_store import MemoryStore, read_only
from state.pruning import users_to_look_at
from state.windows import user_key
from tests.state.folding import DAY_MS, POLICY, START_MS, Folding, claim, said, told


def test_what_has_run_out_goes_and_the_command_is_answered_with_it() -> None:
    """R10, F5"""
    life = Folding().say("User is visiting Rome", "User lives in Berlin")
    life.fold(told("prune", 400, "k1"))
    assert life.of("archived") == ["User is visiting Rome"]
    assert [(event.event, event.rule, event.command_id) for event in life.events[-2:]] == [
        ("ARCHIVE", "R10.expired", "k1"),
        ("NONE", "F5.pruned", "k1"),
    ]
    assert life.last.reason == "pruned: 1 ARCHIVE R10.expired"
    life.fold(told("prune", 401, "k2"))
    assert life.last.reason == "nothing was over"


def test_caps_that_were_lowered_count_for_silent_users_too() -> None:
    """F4"""
    life = Folding().say("User likes tea", "User likes jazz", "User lives in Berlin", "User has a dog")
    life.policy = replace(POLICY, facts_max=2, tombstones_max=1)
    life.fold(told("prune", 9, "k1"))
    assert len(life.active) == 2
    assert len(life.memory.facts) == 3
    assert life.last.reason == "pruned: 2 PRUNE F4.facts_max, 1 tombstones let go"


def test_a_proposal_waits_no_longer_than_it_may() -> None:
    """W2: in event time, and an expired one can be decided no more"""
    life = Folding(replace(POLICY, proposal_days=10)).say("Assistant should be brief")
    [proposal] = life.memory.proposals.values()
    life.fold(said(claim("User likes tea", "m5", 9)))
    assert life.pending() == ["Assistant should be brief"]
    life.fold(said(claim("User likes jazz", "m6", 11)))
    assert [event.rule for event in life.events if event.rule.startswith("W2")] == ["W2.expired"]
    life.fold(told("approve", 12, proposal_id=proposal.proposal_id))
    assert life.last.rule == "W2.already_decided"
    assert life.memory.proposals[proposal.proposal_id].status == "expired"


@pytest.mark.parametrize("command", ["approve", "reject"])
def test_a_decided_proposal_keeps_its_words_no_longer_than_a_late_message_may_need_them(command: str) -> None:
    """F5, W2: nor does the event that tells of a rejection hold them"""
    life = Folding().say("Assistant should be brief")
    [proposal] = life.memory.proposals.values()
    life.fold(told(command, 1, proposal_id=proposal.proposal_id))
    assert ("brief" in (life.last.reason or "")) is (command == "approve" and life.last.rule == "W2.approved")
    life.fold(said(claim("User likes tea", "m5", 31)))
    assert life.memory.proposals[proposal.proposal_id].candidate.content == "Assistant should be brief"
    life.fold(said(claim("User likes jazz", "m6", 32)))
    blank = life.memory.proposals[proposal.proposal_id]
    candidate = blank.candidate
    assert (candidate.content, candidate.object, candidate.embedding) == ("", "", b"")
    assert (blank.status, blank.decided_by, candidate.source) == (
        life.memory.proposals[proposal.proposal_id].status,
        "k1",
        proposal.candidate.source,
    )
    life.policy = replace(POLICY, decided_days=0)
    assert life.changes[-1].proposals == (blank,)


def test_a_proposal_waits_no_longer_than_its_kind_is_kept() -> None:
    """F5: what would be pruned where it was stored is not kept for being undecided"""
    life = Folding(replace(POLICY, retention_days=(("procedure", 10),))).say("Assistant should be brief")
    life.fold(said(claim("User likes tea", "m5", 11)))
    assert life.pending() == []
    assert [event.rule for event in life.events if event.rule.startswith("W2")] == ["W2.expired"]


def test_only_users_with_something_to_look_at_are_looked_at(tmp_path: Path) -> None:
    """F5: and none who has is left out"""
    lives = {
        "visitor": Folding().say("User is visiting Rome"),
        "settled": Folding().say("User lives in Berlin"),
        "keen": Folding().say("User likes tea", "User likes jazz", "User lives in Bonn"),
        "asker": Folding().say("Assistant should be brief"),
    }
    store = MemoryStore(tmp_path / "m.db", None)
    with store.file.transaction():
        for name, life in lives.items():
            store.file.next_seq()
            for changes in life.changes:
                store.save(user_key("t", name), changes)
    store.file.close()
    db = read_only(tmp_path / "m.db")
    assert db is not None
    at_ms = START_MS + 30 * DAY_MS
    found = users_to_look_at(db, replace(POLICY, facts_max=2, proposal_days=10), at_ms)
    assert found == ["t/asker", "t/keen", "t/visitor"]
    assert users_to_look_at(db, replace(POLICY, retention_days=(("fact", 7),)), at_ms) == [
        "t/keen", "t/settled", "t/visitor",
    ]  # fmt: skip
    assert users_to_look_at(db, replace(POLICY, retention_days=(("procedure", 7),)), at_ms) == ["t/asker", "t/visitor"]
    db.close()
