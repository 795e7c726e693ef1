"""The reconcile step owns a shard's memory: a fold in event time, stored exactly as far as committed (R14, S5)."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.observing import Unobserved
from operators.publish import publish
from operators.reconcile import Outcome, ReconcilePolicy, ReconcileStep
from state import checkpoints
from state.erasures import Erasures
from state.facts import Candidate, Entry
from state.index import encode
from state.memory_store import events, is_committed, read_only, versions
from state.turns import shelf
from state.windows import user_key
from tests.state.builders import DAY_MS, START_MS, candidate, command, entry
from tests.state.test_fold import LIFE, SURVIVORS
from tests.state.test_turns import turn
from tests.stubs import StubEmbedder


def step(path: Path, resume: Any = None, **policy: Any) -> ReconcileStep:
    return ReconcileStep(
        lambda shard: path / f"m{shard}.db",
        lambda item: 0,
        ReconcilePolicy(**policy),
        Unobserved(),
        resume,
        erasures=Erasures(path / "erasures"),
    )


def said(content: str, predicate: str, object_: str, day: int = 0, **fields: Any) -> Candidate:
    code = encode(StubEmbedder().embed([content]))[0]
    at_ms = START_MS + day * DAY_MS
    return candidate(content, predicate, object_, said_at_ms=at_ms, embedding=code, **fields)


def reader(path: Path) -> sqlite3.Connection:
    db = read_only(path / "m0.db")
    assert db is not None
    return db


def feed(memory: ReconcileStep, *entries: Entry) -> list[Outcome]:
    return list(memory.on_batch(entries)[0])


def active(path: Path, user: str = "ana", tenant: str = "default") -> list[str]:
    db = reader(path)
    found = [v.fact for v in versions(db, user_key(tenant, user)) if v.to_seq is None]
    return sorted(fact.content for fact in found if fact.status == "active")


def names(outcomes: Sequence[Outcome]) -> list[str]:
    return [event.event for outcome in outcomes for event in outcome.events]


BERLIN = said("User lives in Berlin", "lives_in", "Berlin", day=0)
MUNICH = said("User lives in Munich", "lives_in", "Munich", day=2)
TEA = said("User likes tea", "likes", "tea", day=1)


def test_a_new_claim_is_added_and_published(tmp_path: Path) -> None:
    """R1, R13"""
    [outcome] = feed(step(tmp_path), entry(BERLIN))
    assert names([outcome]) == ["ADD"]
    assert [fact.content for fact in outcome.facts] == ["User lives in Berlin"]
    assert outcome.events[0].rule
    assert active(tmp_path) == ["User lives in Berlin"]


def test_the_same_entry_twice_does_nothing(tmp_path: Path) -> None:
    """R5, S4"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN))
    assert feed(memory, entry(BERLIN)) == []


def test_a_command_sent_again_at_another_time_is_applied_once(tmp_path: Path) -> None:
    """S4: a command counts once per id, whenever its sender says that it was sent"""
    memory = step(tmp_path)
    feed(memory, entry(TEA))
    for times in ((2,), (3, 4)):
        sent = [command("forget", START_MS + day * DAY_MS, "k1", text="tea") for day in times]
        outcomes = feed(memory, *(Entry("default", "ana", each.sent_at_ms, "k1", command=each) for each in sent))
        assert names(outcomes) == (["FORGET"] if times == (2,) else [])


def forget(text: str, day: int, **fields: Any) -> Entry:
    sent = command("forget", START_MS + day * DAY_MS, "k1", text=text, digest=f"forget {text}", **fields)
    return Entry("default", "ana", sent.sent_at_ms, "k1", command=sent)


@pytest.mark.parametrize("together", [True, False])
def test_an_id_with_other_words_is_refused_and_writes_nothing(tmp_path: Path, together: bool) -> None:
    """S5: the first of an id counts, sent again it does nothing, and another of that id is told that it is refused"""
    memory = step(tmp_path)
    feed(memory, entry(TEA), entry(BERLIN))
    sent = (forget("tea", 2), forget("Berlin", 1), forget("tea", 3), forget("Berlin", 1))
    outcomes = feed(memory, *sent) if together else [done for each in sent for done in feed(memory, each)]
    told = [event for outcome in outcomes for event in outcome.events if event.command_id == "k1"]
    assert {event.rule for event in told} == {"F3.asked", "S5.command_id_reused"}
    assert [event.event for event in told if event.rule == "S5.command_id_reused"] == ["NONE"]
    assert active(tmp_path) == ["User lives in Berlin"]
    assert b"forget Berlin" not in (tmp_path / "m0.db").read_bytes()
    feed(memory, entry(said("User likes rye", "likes", "rye", day=-1)))
    assert active(tmp_path) == ["User likes rye", "User lives in Berlin"]


def test_the_id_of_an_erase_is_nobody_else_s(tmp_path: Path) -> None:
    """S5, F6: an erase itself is carried out under any id"""
    memory = step(tmp_path)
    feed(memory, entry(TEA), forget("tea", 2), erase(3))
    [outcome] = feed(memory, entry(said("User likes rye", "likes", "rye", day=4)), forget("rye", 5))
    assert [event.rule for event in outcome.events] == ["R1.new", "S5.command_id_reused"]


def test_every_event_of_a_command_names_it_and_no_other_does(tmp_path: Path) -> None:
    """R13: so that whoever sent it finds its answer among all that happens"""
    memory = step(tmp_path)
    sent = command("forget", START_MS + 2 * DAY_MS, "k1", text="tea")
    feed(memory, entry(TEA), Entry("default", "ana", sent.sent_at_ms, "k1", command=sent), entry(MUNICH))
    told = {(event.event, event.command_id) for event in events(reader(tmp_path), "default/ana")}
    assert told == {("ADD", None), ("FORGET", "k1")}


def test_a_command_that_comes_late_and_changes_something_is_answered(tmp_path: Path) -> None:
    """R14: the refold tells of the change, and one event tells that the command was done"""
    memory = step(tmp_path)
    feed(memory, entry(TEA), entry(said("User likes jazz", "likes", "jazz", day=9)))
    sent = command("forget", START_MS + 2 * DAY_MS, "k1", text="tea")
    outcomes = feed(memory, Entry("default", "ana", sent.sent_at_ms, "k1", command=sent))
    told = [event for outcome in outcomes for event in outcome.events]
    assert [(e.event, e.rule) for e in told if e.command_id is None] == [("FORGET", "R14.refold")]
    assert [(e.event, e.rule, e.reason) for e in told if e.command_id == "k1"] == [
        ("NONE", "F3.asked", "done: FORGET 1")
    ]


def test_a_decision_stands_against_one_that_was_sent_before_it_and_comes_after_it(tmp_path: Path) -> None:
    """W2: who was told that it is approved is not overruled by a slower command"""
    memory = step(tmp_path)
    brief = said("Assistant should be brief", "instructs", "be brief", kind="procedure")
    [outcome] = feed(memory, entry(brief))
    proposal_id = outcome.proposals[0].proposal_id
    for name, day in (("approve", 3), ("reject", 2), ("reject", 2)):
        sent = command(name, START_MS + day * DAY_MS, name, proposal_id=proposal_id)
        outcomes = feed(memory, Entry("default", "ana", sent.sent_at_ms, name, command=sent))
    assert outcomes == []
    told = [(event.rule, event.command_id) for event in events(reader(tmp_path), "default/ana")][1:]
    assert told == [("W2.approved", "approve"), ("R1.new", "approve"), ("W2.already_decided", "reject")]
    feed(memory, entry(said("User likes jazz", "likes", "jazz", day=1)))  # a refold over all of it
    assert active(tmp_path) == ["Assistant should be brief", "User likes jazz"]


def test_replaced_versions_of_a_proposal_go_when_no_rollback_needs_them(tmp_path: Path) -> None:
    """F5, S5"""
    memory = step(tmp_path)
    feed(memory, entry(replace(TEA, write_mode="propose")))
    memory.snapshot()
    reject = command("reject", START_MS + 2 * DAY_MS, "k1", match="tea")
    feed(memory, Entry("default", "ana", reject.sent_at_ms, "k1", command=reject))
    count = "select status from proposal order by id"
    assert reader(tmp_path).execute(count).fetchall() == [("pending",), ("rejected",)]
    for day in range(3, 9):
        memory.snapshot()
        feed(memory, entry(said(f"User likes number {day}", "likes", f"number {day}", day=day)))
    memory.snapshot()
    assert reader(tmp_path).execute(count).fetchall() == [("rejected",)]


def test_a_resumed_shard_counts_its_pending_proposals_at_once(tmp_path: Path) -> None:
    """W2: factstream_proposals_pending is right before anything arrives"""
    seen: list[tuple[str, float]] = []

    class Gauges(Unobserved):
        def gauge(self, name: str, value: float, **labels: str) -> None:
            seen.append((name, value))

    memory = step(tmp_path)
    feed(memory, entry(said("Assistant should be brief", "instructs", "be brief", kind="procedure")))
    resume = memory.snapshot()
    where, erasures = (lambda shard: tmp_path / f"m{shard}.db"), Erasures(tmp_path / "erasures")
    ReconcileStep(where, lambda item: 0, ReconcilePolicy(), Gauges(), resume, erasures=erasures)
    assert seen == [("active_facts", 0), ("proposals_pending", 1)]


def test_any_order_of_arrival_ends_in_the_same_memory(tmp_path: Path) -> None:
    """R14"""
    ends = set()
    for number, order in enumerate(permutations((BERLIN, TEA, MUNICH))):
        folder = tmp_path / str(number)
        memory = step(folder)
        for each in order:
            feed(memory, entry(each))
        ends.add(tuple(active(folder)))
    assert ends == {("User likes tea", "User lives in Munich")}


@given(st.permutations(LIFE), st.integers(0, 4), st.sets(st.integers(1, len(LIFE) - 1)))
@settings(max_examples=25, deadline=None)
def test_any_order_of_arrival_ends_the_same_whatever_copies_a_refold_goes_on_from(
    arrival: list[Entry], spacing: int, cuts: set[int]
) -> None:
    """R14: with a copy at every entry, at some, or after a restart that lost them all"""
    with TemporaryDirectory() as name, patch.object(checkpoints, "_SPACING_ENTRIES", spacing):
        memory = step(Path(name))
        for number, each in enumerate(arrival):
            if number in cuts:
                state = memory.snapshot()
                memory._store.file.close()
                memory = step(Path(name), state)
            feed(memory, each)
        assert set(active(Path(name), "u", "t")) == set(SURVIVORS)


def test_what_came_too_late_to_refold_is_not_lost_by_a_later_refold(tmp_path: Path) -> None:
    """R14: a copy made before it came does not know it"""
    memory = step(tmp_path, lateness_ms=2 * DAY_MS)
    for day in range(5, 18):
        feed(memory, entry(said(f"User likes tea number {day}", "likes", f"tea number {day}", day=day)))
    feed(memory, entry(BERLIN))
    feed(memory, entry(said("User likes rain", "likes", "rain", day=16)))
    assert {"User lives in Berlin", "User likes rain"} <= set(active(tmp_path))


def test_a_late_arrival_publishes_only_what_changed(tmp_path: Path) -> None:
    """R14"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN), entry(MUNICH))
    outcomes = feed(memory, entry(TEA))
    assert [event.fact.content for o in outcomes for event in o.events if event.fact] == ["User likes tea"]


def test_a_command_that_comes_late_is_answered_and_applied_where_it_belongs(tmp_path: Path) -> None:
    """R14, F3: commands act by their event time"""
    memory = step(tmp_path)
    feed(memory, entry(TEA), entry(MUNICH))
    flush = Entry("default", "ana", START_MS, "k0", command=command("flush", ident="k0"))
    [outcome] = feed(memory, flush)
    assert [event.rule for event in outcome.events] == ["T3.flush"]
    early = command("forget", START_MS + DAY_MS + 1, "k1", fact_id=TEA.candidate_id)
    outcomes = feed(memory, Entry("default", "ana", early.sent_at_ms, "k1", command=early))
    assert "FORGET" in names(outcomes)
    assert active(tmp_path) == ["User lives in Munich"]


def test_what_is_later_than_the_horizon_is_applied_as_it_comes(tmp_path: Path) -> None:
    """R14: and still never replaces a later value"""
    memory = step(tmp_path, lateness_ms=DAY_MS)
    feed(memory, entry(MUNICH))
    feed(memory, entry(BERLIN))
    assert active(tmp_path) == ["User lives in Munich"]


def test_a_deleted_message_takes_what_only_it_supported(tmp_path: Path) -> None:
    """F7"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN), entry(TEA))
    gone = Entry("default", "ana", START_MS + 9 * DAY_MS, "gone", retracts=TEA.source.message_id)
    outcomes = feed(memory, gone)
    assert active(tmp_path) == ["User lives in Berlin"]
    assert names(outcomes) == ["DELETE"]


def test_an_edited_message_teaches_its_new_words(tmp_path: Path) -> None:
    """F7"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN))
    edited = said("User lives in Bern", "lives_in", "Bern", message_id=BERLIN.source.message_id)
    feed(memory, entry(edited, retracts=BERLIN.source.message_id))
    assert active(tmp_path) == ["User lives in Bern"]


def test_an_edit_in_one_batch_with_its_original_wins(tmp_path: Path) -> None:
    """F7"""
    edited = said("User lives in Bern", "lives_in", "Bern", message_id=BERLIN.source.message_id)
    feed(step(tmp_path), entry(BERLIN), entry(edited, retracts=BERLIN.source.message_id))
    assert active(tmp_path) == ["User lives in Bern"]


def test_a_retraction_leaves_other_messages_alone(tmp_path: Path) -> None:
    """F7"""
    memory = step(tmp_path)
    other = said("User likes rain", "likes", "rain", message_id=f"{TEA.source.message_id}#2")
    feed(memory, entry(TEA), entry(other))
    feed(memory, Entry("default", "ana", START_MS + 9 * DAY_MS, "gone", retracts=TEA.source.message_id))
    assert active(tmp_path) == ["User likes rain"]


def test_an_edited_request_to_forget_still_forgets(tmp_path: Path) -> None:
    """F7, F3"""
    memory = step(tmp_path)

    def asked() -> Entry:
        forget = command("forget", START_MS + 5 * DAY_MS, "m9#forget", fact_id=TEA.candidate_id)
        return Entry("default", "ana", forget.sent_at_ms, "m9#forget", command=forget)

    feed(memory, entry(TEA), asked())
    feed(memory, Entry("default", "ana", START_MS + 5 * DAY_MS, "m9", retracts="m9"), asked())
    assert active(tmp_path) == []


def test_an_erase_delivered_again_spares_what_was_learned_since(tmp_path: Path) -> None:
    """F6"""
    memory = step(tmp_path)
    erase = Entry("default", "ana", START_MS + 9 * DAY_MS, "k1", command=command("erase", ident="k1"))
    feed(memory, entry(BERLIN), erase)
    feed(memory, entry(said("User lives in Munich", "lives_in", "Munich", day=10)), erase)
    assert active(tmp_path) == ["User lives in Munich"]


def test_a_full_cache_takes_a_batch_of_new_users_and_an_old_one(tmp_path: Path) -> None:
    """S6"""
    memory = step(tmp_path, users_in_memory_max=2)
    for user in ("a", "b"):
        feed(memory, entry(said("User likes rain", "likes", "rain", user_id=user), user_id=user))
    batch = [entry(said("User likes tea", "likes", "tea", user_id=user), user_id=user) for user in ("c", "d", "a")]
    assert len(feed(memory, *batch)) == 3


def test_an_erase_leaves_nothing_of_the_user_and_all_of_the_others(tmp_path: Path) -> None:
    """F6"""
    memory = step(tmp_path)
    his = said("User collects stamps", "collects", "stamps", user_id="ben")
    feed(memory, entry(BERLIN), entry(his, user_id="ben"))
    [outcome] = feed(memory, Entry("default", "ana", START_MS + DAY_MS, "k1", command=command("erase", ident="k1")))
    assert outcome.erased
    assert len(outcome.gone) == 1
    assert active(tmp_path, "ben") == ["User collects stamps"]
    memory.snapshot()
    assert b"Berlin" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def erase(day: int, ident: str = "k1", **fields: Any) -> Entry:
    at_ms = START_MS + day * DAY_MS
    return Entry("default", "ana", at_ms, ident, command=command("erase", at_ms, ident, **fields))


def test_what_was_said_after_the_erase_is_a_new_memory_in_any_order_of_arrival(tmp_path: Path) -> None:
    """F6, R14"""
    ends = set()
    for number, order in enumerate(permutations((entry(BERLIN), entry(MUNICH), entry(TEA), erase(1)))):
        # What was said before does not come after: the window step skips it.
        arrival = [each for i, each in enumerate(order) if each.at_ms > erase(1).at_ms or erase(1) in order[i:]]
        memory = step(tmp_path / str(number))
        for each in arrival:
            feed(memory, each)
        ends.add(tuple(active(tmp_path / str(number))))
    assert ends == {("User lives in Munich",)}


def test_later_facts_are_published_again_behind_the_null_records(tmp_path: Path) -> None:
    """F6, S2: a consumer that keeps the last record of each key has the new memory"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN), entry(MUNICH))
    kept: dict[tuple[str, bytes], bytes | None] = {}
    for outcome in feed(memory, erase(1)):
        kept |= {(record.stream, record.key): record.value for record in publish(outcome)}
    rows = [orjson.loads(value) for (stream, _), value in kept.items() if value and stream == "facts"]
    assert [row["content"] for row in rows] == ["User lives in Munich"]
    assert (b"users", b"default/ana") not in kept or kept[("users", b"default/ana")]
    assert not any(b"Berlin" in value for value in kept.values() if value)


def test_an_erase_that_a_crash_cut_short_publishes_every_null_record(tmp_path: Path) -> None:
    """F6, S5: the keys are in the ledger, for what they are keys of is gone"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN), entry(TEA))
    state = memory.snapshot()
    feed(memory, entry(MUNICH))
    [cut_short] = feed(memory, erase(9))
    [done] = feed(step(tmp_path, state), entry(MUNICH), erase(9))
    assert set(cut_short.gone_events) <= set(done.gone_events)
    assert set(cut_short.gone) <= set(done.gone)
    assert [event.event_id for event in cut_short.events] == [event.event_id for event in done.events]


def test_what_was_published_and_undone_is_erased_from_the_topics_too(tmp_path: Path) -> None:
    """F6, S5: even where it does not come again"""
    memory = step(tmp_path)
    feed(memory, entry(said("User collects stamps", "collects", "stamps", user_id="ben"), user_id="ben"))
    state = memory.snapshot()
    [published] = feed(memory, entry(BERLIN))
    [erased] = feed(step(tmp_path, state), erase(9))
    assert {event.event_id for event in published.events} <= set(erased.gone_events)
    assert {fact.fact_id for fact in published.facts} <= set(erased.gone)


def test_a_memory_from_before_an_erase_is_erased_when_it_comes_back(tmp_path: Path) -> None:
    """F6: a backup of the shards does not undo an erase"""
    memory = step(tmp_path)
    his = said("User collects stamps", "collects", "stamps", user_id="ben")
    feed(memory, entry(BERLIN), entry(his, user_id="ben"))
    state = memory.snapshot()
    for name in ("m0.db", "m0.db-wal"):
        (tmp_path / f"kept-{name}").write_bytes((tmp_path / name).read_bytes())
    feed(memory, erase(9))
    memory.snapshot()
    for name in ("m0.db", "m0.db-wal"):
        (tmp_path / f"kept-{name}").rename(tmp_path / name)
    (tmp_path / "m0.db-shm").unlink()
    step(tmp_path, state)
    assert (active(tmp_path), active(tmp_path, "ben")) == ([], ["User collects stamps"])


def test_a_shard_stays_awake_until_an_erase_is_committed(tmp_path: Path) -> None:
    """F6: the ledger hears when the log is cut, and when null records are certain to have arrived"""
    memory, ledger = step(tmp_path), Erasures(tmp_path / "erasures")
    feed(memory, entry(BERLIN), erase(9))
    committed = []
    while memory.notify_at() is not None:
        memory.snapshot()
        memory.on_notify()
        [erasure] = ledger.all()
        assert "memory" in erasure.phases
        committed.append(is_committed(reader(tmp_path), erasure.user_hash, erasure.command_hash))
    assert committed == [False, False, False, True]


def test_a_reader_in_the_way_only_delays_the_end_of_an_erase(tmp_path: Path) -> None:
    """F6"""
    memory, ledger = step(tmp_path), Erasures(tmp_path / "erasures")
    feed(memory, entry(BERLIN))
    db = reader(tmp_path)
    db.execute("begin")
    db.execute("select count(*) from fact").fetchone()
    memory._store.file.db.execute("pragma busy_timeout=1")
    feed(memory, erase(9))
    memory.snapshot()
    assert "memory" not in ledger.all()[0].phases
    db.execute("commit")
    memory.snapshot()
    assert "memory" in ledger.all()[0].phases


def test_a_resumed_shard_undoes_what_was_not_committed_and_does_it_again(tmp_path: Path) -> None:
    """S5: with the same event ids"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN))
    state = memory.snapshot()
    first = feed(memory, entry(MUNICH))
    resumed = step(tmp_path, state)
    assert active(tmp_path) == ["User lives in Berlin"]
    again = feed(resumed, entry(MUNICH))
    assert [e.event_id for o in again for e in o.events] == [e.event_id for o in first for e in o.events]
    stored = [event.event_id for event in events(reader(tmp_path))]
    assert len(stored) == len(set(stored)) == 2


def test_users_that_left_the_cache_are_loaded_again(tmp_path: Path) -> None:
    """S6: what is loaded is bounded"""
    memory = step(tmp_path, users_in_memory_max=1)
    feed(memory, entry(BERLIN))
    feed(memory, entry(said("User likes rain", "likes", "rain", user_id="ben"), user_id="ben"))
    feed(memory, entry(MUNICH))
    assert active(tmp_path) == ["User lives in Munich"]


def test_a_batch_of_more_users_than_the_cache_holds_is_folded(tmp_path: Path) -> None:
    """S6"""
    memory = step(tmp_path, users_in_memory_max=2)
    batch = [entry(said("User likes rain", "likes", "rain", user_id=f"u{i}"), user_id=f"u{i}") for i in range(9)]
    assert len(feed(memory, *batch)) == 9
    assert all(active(tmp_path, f"u{i}") == ["User likes rain"] for i in range(9))


def test_resume_state_is_plain_values(tmp_path: Path) -> None:
    """S5"""
    memory = step(tmp_path)
    feed(memory, entry(BERLIN))
    assert [type(value) for value in memory.snapshot()] == [int, str, int]


def test_turns_are_kept_without_a_word_on_the_facts(tmp_path: Path) -> None:
    """Q4"""
    memory = step(tmp_path, turns_ms=DAY_MS)
    assert list(memory.on_batch([turn("m1", "hello there"), turn("m2", "and you?")])[0]) == []
    assert shelf(reader(tmp_path), "default/ana").message_ids == ("m1", "m2")


def test_an_erase_takes_the_turns_before_it_and_leaves_those_after(tmp_path: Path) -> None:
    """F6"""
    memory = step(tmp_path, turns_ms=DAY_MS)
    erase = Entry("default", "ana", START_MS, "k1", command=command("erase", ident="k1"))
    memory.on_batch([turn("m1", "said before"), erase, turn("m2", "said after")])
    assert shelf(reader(tmp_path), "default/ana").message_ids == ("m2",)


def spoke(day: int, user: str = "ana") -> Entry:
    """A message that says nothing to remember."""
    return Entry("default", user, START_MS + day * DAY_MS, f"chat-{day}")


VISIT = {"kind": "status", "valid_from": "2026-03-01", "valid_to": "2026-03-07"}


@pytest.mark.parametrize("together", [True, False])
def test_a_status_runs_out_though_nothing_new_is_learned(tmp_path: Path, together: bool) -> None:
    """R10: in one batch with it, and long after, when the user's memory must be read again"""
    path = tmp_path / "m.db"
    memory = step(path)
    visit = entry(said("User is visiting Bilbao", "visits", "Bilbao", **VISIT))
    if together:
        outcomes = feed(memory, visit, spoke(3), spoke(9), spoke(10))
    else:
        feed(memory, visit)
        memory = step(path, memory.snapshot())
        assert feed(memory, spoke(3)) == []
        outcomes = feed(memory, spoke(9)) + feed(memory, spoke(10))
    assert names(outcomes) == (["ADD", "ARCHIVE"] if together else ["ARCHIVE"])
    assert active(path) == []


def test_what_ran_out_stays_so_when_something_late_comes(tmp_path: Path) -> None:
    """R10, R14: the log knows when the user spoke; a late chat changes nothing"""
    path = tmp_path / "m.db"
    memory = step(path)
    feed(memory, entry(said("User is visiting Bilbao", "visits", "Bilbao", **VISIT)), spoke(9))
    late = feed(memory, entry(said("User likes rye", "likes", "rye", day=2)))
    assert names(late) == ["ADD"]
    assert feed(memory, spoke(1)) == []
    assert active(path) == ["User likes rye"]


def test_chat_alone_loads_no_memory_and_leaves_no_row(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    memory = step(path)
    feed(memory, entry(said("User likes rye", "likes", "rye")))
    rows = reader(path).execute("select count(*) from log").fetchone()
    memory = step(path, memory.snapshot())
    assert feed(memory, spoke(40), spoke(41)) == []
    assert reader(path).execute("select count(*) from log").fetchone() == rows
