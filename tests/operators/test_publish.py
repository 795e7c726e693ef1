"""Outcomes become records in the words of INTERFACE: keys, headers, tombstones (S2, F6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.connectors.kafka_sink import KafkaSink
from operators.decode import DecodePolicy, Decoder
from operators.extract import ExtractPolicy, ExtractStep
from operators.observing import Unobserved
from operators.publish import publish
from operators.reconcile import Outcome
from operators.records import InRecord, OutRecord
from state.export import fact_row
from state.facts import Entry
from state.messages import Command, Rejected
from tests.operators.test_reconcile import BERLIN, MUNICH, feed, step
from tests.state.builders import DAY_MS, START_MS, command, entry
from tests.stubs import StubEmbedder, StubExtractor


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


CHARS_MAX = 10_000  # the most that memory.fact_chars_max allows
LONG_ID = "i" * 512
# Of all characters these take the most room in JSON: six bytes each.
WORST = "\x07"


class Published:
    """The way of commands from their bytes to the records of the topics."""

    def __init__(self, path: Path) -> None:
        policy = DecodePolicy(fact_chars_max=CHARS_MAX, format="canonical")
        self._decoder = Decoder(policy)
        extract_policy = ExtractPolicy(fact_chars_max=CHARS_MAX)
        self._extract = ExtractStep(StubExtractor(), StubEmbedder(), extract_policy, Unobserved())
        self._memory = step(path)
        self.records: list[OutRecord] = []
        self.facts: list[Any] = []

    def say(self, number: int, name: str, **fields: Any) -> list[str]:
        """Carries one command out; the reasons for which it was refused."""
        row = {"command": name, "user_id": LONG_ID, "tenant": "t" * 512, "command_id": f"{number:0512}"}
        row |= {"sent_at": START_MS + number, **fields}
        items = self._decoder.decode(InRecord("commands", "c" * 249, 0, number, orjson.dumps(row)))
        commands = [("0", item) for item in items if isinstance(item, Command)]
        for _, found in self._extract(commands):
            assert isinstance(found, Entry)
            for outcome in feed(self._memory, found):
                self.records += publish(outcome)
                self.facts += outcome.facts
        return [item.reason for item in items if isinstance(item, Rejected)]


def test_no_record_can_be_too_large_for_its_topic(tmp_path: Path) -> None:
    """S2: a fact of the longest content, ids and sources, told again and again, replaced, imported and forgotten."""
    way = Published(tmp_path)
    longest = "I like " + WORST * (CHARS_MAX - 20)
    namespace = [LONG_ID] * 16
    for number in range(20):
        assert way.say(number, "remember", text=longest, namespace=namespace) == []
    assert way.say(21, "remember", text=longest + WORST, namespace=namespace) == []
    assert way.say(22, "forget", text=longest) == []
    assert way.say(23, "remember", text=longest + WORST * 2, namespace=namespace) == []
    row = fact_row(way.facts[0])
    for number, name in enumerate(("object", "subject", "reason"), 30):
        large = {**row, "id": f"f{number}", name: WORST * 20_000}
        assert way.say(number, "import", fact=large) == []
    assert {"events", "facts"} <= {record.stream for record in way.records}
    sizes = {record.stream: len(record.key) + len(record.value or b"") for record in way.records}
    assert sizes["facts"] > 6 * CHARS_MAX  # so the longest did come through
    limit_bytes = KafkaSink({}, {"bootstrap.servers": "x"})._writer._record_bytes_max
    assert max(len(record.key) + len(record.value or b"") for record in way.records) < limit_bytes


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("remember", {"text": "x" * (CHARS_MAX + 1)}),
        ("remember", {"text": "I like tea", "namespace": ["n"] * 17}),
        ("edit", {"proposal_id": "p", "content": "x" * (CHARS_MAX + 1)}),
        ("import", {"fact": {"subject": WORST * 60_000}}),
    ],
)
def test_a_command_that_would_make_a_larger_one_is_a_dead_letter(
    name: str, fields: dict[str, Any], tmp_path: Path
) -> None:
    """S2, S3"""
    way = Published(tmp_path)
    way.say(0, "remember", text="I like tea")
    if "fact" in fields:
        fields = {"fact": {**fact_row(way.facts[0]), **fields["fact"]}}
    before = len(way.records)
    assert way.say(1, name, **fields) == ["too_large"]
    assert len(way.records) == before
