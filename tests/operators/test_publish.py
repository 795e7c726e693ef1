"""Outcomes become records in the words of INTERFACE: keys, headers, tombstones (S2, F6)."""

from __future__ import annotations

from pathlib import Path

import orjson

from operators.publish import publish
from operators.reconcile import Outcome
from state.facts import Entry
from tests.operators.test_reconcile import BERLIN, MUNICH, feed, step
from tests.state.builders import DAY_MS, START_MS, command, entry


def outcomes(path: Path) -> list[Outcome]:
    memory = step(path)
    erase = Entry("default", "ana", START_MS + 9 * DAY_MS, "k1", command=command("erase", ident="k1"))
    return [*feed(memory, entry(BERLIN)), *feed(memory, entry(MUNICH)), *feed(memory, erase)]


def test_each_stream_has_its_key_and_all_of_a_user_one_partition_key(tmp_path: Path) -> None:
    """S2"""
    first = outcomes(tmp_path)[0]
    records = publish(first)
    assert [record.stream for record in records] == ["events", "facts", "users"]
    assert records[0].key == f"default/ana/{first.events[0].event_id}".encode()
    assert records[1].key == f"default/ana/{first.facts[0].fact_id}".encode()
    assert {record.partition_key for record in records} == {b"default/ana"}
    assert dict(records[0].headers) == {"event": b"ADD", "content-type": b"application/json", "schema_version": b"1"}


def test_an_event_says_what_changed_and_which_rule_did_it(tmp_path: Path) -> None:
    """R13"""
    row = orjson.loads(publish(outcomes(tmp_path)[1])[0].value or b"")
    assert (row["event"], row["old_content"], row["fact"]["content"]) == (
        "UPDATE",
        "User lives in Berlin",
        "User lives in Munich",
    )
    assert row["rule"]
    assert "embedding" not in row["fact"]


def test_a_summary_counts_the_users_memory(tmp_path: Path) -> None:
    """S10"""
    row = orjson.loads(publish(outcomes(tmp_path)[0])[-1].value or b"")
    assert (row["active"], row["active_by_kind"]["fact"], row["consistency_score"]) == (1, 1, 1.0)


def test_an_erase_publishes_a_tombstone_for_every_event_every_fact_and_the_summary(tmp_path: Path) -> None:
    """F6"""
    added, updated, erased = outcomes(tmp_path)
    gone = {(record.stream, record.key) for record in publish(erased) if record.value is None}
    assert gone == {
        *(("events", f"default/ana/{event.event_id}".encode()) for event in (*added.events, *updated.events)),
        ("facts", f"default/ana/{added.facts[0].fact_id}".encode()),
        ("users", b"default/ana"),
    }
