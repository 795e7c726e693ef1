"""How writes travel: on Kafka to the topics, else through the spool; what is answered when they cannot (F6, P2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from flows import kafka
from flows.connectors.kafka_topics import KafkaProblem
from flows.serve.app import make_app, make_serving
from flows.serve.tokens import Tokens
from flows.settings import Kafka, Settings
from state.layout import Layout
from tests.flows.serve.conftest import SECRETS, Served, bearer

SECRET = "sk-test-9QmZ7rT2xW4vK8pL1nB6"
Produced = list[tuple[str, bytes | None, dict[str, Any]]]


@pytest.fixture
def on_kafka(served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, Produced]]:
    """The same memory with a broker configured; what would be produced is kept instead."""
    produced: Produced = []

    def produce(producer: object, topic: str, records: list[tuple[bytes | None, bytes]], what: str) -> None:
        produced.extend((topic, key, orjson.loads(value)) for key, value in records)

    monkeypatch.setattr(kafka, "produce", produce)
    settings: Settings = replace(
        served.serving.settings,
        kafka=Kafka(client={"bootstrap.servers": "127.0.0.1:1"}),
        serve=replace(served.serving.settings.serve, wait_seconds=0.0),
    )
    serving = make_serving(settings, served.state, None, Tokens(SECRETS))
    with TestClient(make_app(serving), raise_server_exceptions=False) as client:
        yield client, produced


def test_on_kafka_a_command_goes_to_its_topic_redacted_and_is_accepted(
    on_kafka: tuple[TestClient, Produced],
) -> None:
    """P2"""
    client, produced = on_kafka
    body = {"text": f"My key is {SECRET}.", "command_id": "k1"}
    answer = client.post("/v1/users/ana/remember", json=body, headers=bearer("write"))
    assert (answer.status_code, answer.json()["status"], answer.json()["command_id"]) == (202, "accepted", "k1")
    [(topic, _, row)] = produced
    assert topic == "factstream.commands"
    assert (row["command"], row["tenant"], row["user_id"], row["command_id"]) == ("remember", "acme", "ana", "k1")
    assert SECRET not in str(produced)


def test_on_kafka_messages_go_to_the_input_topic_under_their_users_key(
    on_kafka: tuple[TestClient, Produced],
) -> None:
    client, produced = on_kafka
    messages = [{"role": "user", "content": "I live in Faro."}, {"role": "assistant", "content": f"Key {SECRET}."}]
    body = {"filters": {"user_id": "ana"}, "messages": messages}
    queued = client.post("/mem0/v3/memories/add/", json=body, headers=bearer("write")).json()
    assert {(topic, key) for topic, key, _ in produced} == {("factstream.messages", b"ana")}
    assert [row["role"] for _, _, row in produced] == ["user", "assistant"]
    assert produced[0][2]["sent_at"] < produced[1][2]["sent_at"]
    assert SECRET not in str(produced)
    event = client.get(f"/mem0/v1/event/{queued['event_id']}/", headers=bearer("write")).json()
    assert event["status"] == "PENDING"


def test_a_broker_that_does_not_answer_is_503(
    on_kafka: tuple[TestClient, Produced], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = on_kafka

    def lost(*given: object) -> None:
        raise KafkaProblem("1 of 1 commands did not reach factstream.commands")

    monkeypatch.setattr(kafka, "produce", lost)
    answer = client.post("/v1/users/ana/flush", headers=bearer("write"))
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "did not reach" in answer.json()["detail"]


def test_messages_that_were_looked_at_are_left_in_no_file(served: Served) -> None:
    """F6: what people wrote stays only as long as it waits."""
    body = {"user_id": "leftover", "messages": "I live in Reykjavik."}
    assert served.post("/mem0/memories", body).json()["results"]
    spool = Layout(served.state).spool.parent
    assert [path.name for path in spool.iterdir()] == ["commands.jsonl"]


def test_a_flow_that_cannot_run_is_told_and_loses_nothing(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("flows.serve.writing.apply", broken)
        for path, body in (
            ("/v1/users/unlucky/remember", {"text": "I own a kiln.", "kind": "fact"}),
            ("/mem0/memories", {"user_id": "unlucky", "messages": "I live in Bergen."}),
        ):
            answer = served.post(path, body)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            assert "the disk is full" in answer.json()["detail"]
    served.post("/v1/users/unlucky/flush")
    contents = {fact["content"] for fact in served.facts("unlucky")}
    assert contents == {"I own a kiln.", "User lives in Bergen"}


def test_where_there_is_no_memory_a_first_command_makes_one(served: Served, tmp_path: Path) -> None:
    serving = make_serving(served.serving.settings, tmp_path / "new", str(served.config), Tokens(SECRETS))
    with TestClient(make_app(serving)) as client:
        body = {"text": "I live in Bergen.", "kind": "fact"}
        assert client.post("/v1/users/ana/remember", json=body, headers=bearer("write")).status_code == 200
        assert client.get("/health/ready").status_code == 200
        assert len(client.get("/v1/users/ana/facts", headers=bearer("read")).json()["facts"]) == 1
