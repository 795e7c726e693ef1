"""A broker stopped in the middle and started again: the job waits, goes on by itself, and nothing is lost (S5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.replay import Request, replay
from tests.flows.test_kafka_job import facts
from tests.flows.test_replay import COMMANDS, MESSAGES, USERS, Topics, event_ids
from tests.kafka_broker import LocalBroker
from tests.stub_kafka_job import stubbed


@pytest.mark.kafka
@pytest.mark.soak
def test_a_broker_that_was_away_costs_nothing(own_broker: LocalBroker, tmp_path: Path) -> None:
    """S5: with epochs that end meanwhile; afterwards the topics hold what the memory holds"""
    topics, state = Topics(tmp_path, own_broker.address), tmp_path / "state"
    topics.write(MESSAGES[:100], [])
    with topics.live(state) as process:
        topics.wait(process, lambda: topics.has_read(100))
        own_broker.down()
        own_broker.up()
        topics.write(MESSAGES[100:], [])
        topics.wait(process, lambda: topics.has_read(len(MESSAGES)))
        topics.write([], COMMANDS)
        topics.wait(process, lambda: topics.flushed() >= set(USERS))
    with stubbed():
        assert replay(topics.settings, topics.config, tmp_path / "whole", Request()).status == 0
    assert facts(state) == facts(tmp_path / "whole")
    assert event_ids(state) == event_ids(tmp_path / "whole")
    assert {row["event_id"] for row in topics.events()} == set(event_ids(state))
