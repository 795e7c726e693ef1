"""Serving beside a live job on a real Kafka: a command goes by the topic and is answered once memory has it."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flows.serve.app import make_app, make_serving
from flows.serve.tokens import Tokens
from flows.settings import load
from tests.flows.serve.conftest import SECRETS, bearer
from tests.flows.test_kafka_job import configuration, eventually, job, produce
from tests.kafka_broker import free_port

pytestmark = pytest.mark.kafka


def test_commands_are_carried_out_by_the_running_job_and_visible_at_once(tmp_path: Path, kafka_address: str) -> None:
    """Q3, F3, W2; forgetting is visible to recall when its command is answered."""
    prefix = f"fs{uuid.uuid4().hex[:8]}"
    config, state = configuration(tmp_path, kafka_address, prefix, free_port()), tmp_path / "state"
    produce(kafka_address, f"{prefix}.messages", [])
    serving = make_serving(load(config, {}), state, str(config), Tokens(SECRETS))
    with job(config, state, 1) as process, TestClient(make_app(serving)) as client:
        log, headers = tmp_path / "state.log", bearer("full")
        ready = "/health/ready"
        eventually("a memory", process, lambda: client.get(ready).status_code == 200, log)

        def remembered() -> bool:
            body = {"text": "I play the oboe.", "kind": "fact", "command_id": "first"}
            return bool(client.post("/v1/users/ana/remember", json=body, headers=headers).status_code == 200)

        eventually("remembering", process, remembered, log)
        asked = "/v1/users/ana/recall?query=oboe"
        assert [fact["content"] for fact in client.get(asked, headers=headers).json()["facts"]] == ["I play the oboe."]
        done = client.post("/v1/users/ana/forget", json={"text": "oboe"}, headers=headers)
        assert (done.status_code, done.json()["events"][0]["event"]) == (200, "FORGET")
        assert client.get(asked, headers=headers).json()["facts"] == []

        messages = "From now on always answer me in French."
        added = client.post("/mem0/v3/memories/add/", json={"filters": {"user_id": "bo"}, "messages": messages},
                            headers=headers).json()  # fmt: skip # one call
        assert added["status"] == "PENDING"

        def proposed() -> bool:
            client.post("/v1/users/bo/flush", headers=headers)
            return bool(client.get("/v1/proposals?user=bo", headers=headers).json()["proposals"])

        eventually("a proposal", process, proposed, log)
        [proposal] = client.get("/v1/proposals?user=bo", headers=headers).json()["proposals"]
        decision = f"/v1/proposals/{proposal['id']}/approve"
        assert client.post(decision, headers=headers).status_code == 200
        assert client.post(decision, headers=headers).status_code == 409
