"""A broker that lets known clients do only what they may: what is lacking is said, and is no broker away (S11)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import bytewax.operators as op
import pytest
from bytewax.dataflow import Dataflow
from bytewax.testing import TestingSink, TestingSource, run_main
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not re-exported
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from flows.connectors.kafka_sink import KafkaSink
from flows.connectors.kafka_source import Bounds, KafkaSource
from flows.connectors.kafka_topics import KafkaProblem, TopicSpec, check_topics, ensure_topics
from flows.connectors.records import OutRecord
from tests.kafka_broker import LocalBroker, causes, create_topic, free_port, produce, require_java

pytestmark = pytest.mark.kafka

GROUP = "a-group"
# The test itself comes in by the open listener, as a superuser; the job's client by the other.
SETTINGS = """
listeners=PLAINTEXT://127.0.0.1:{open},CONTROLLER://127.0.0.1:{controller},SASL_PLAINTEXT://127.0.0.1:{guarded}
controller.quorum.voters=1@127.0.0.1:{controller}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
sasl.enabled.mechanisms=PLAIN
listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule \
  required user_job="secret";
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
"""


class Guarded:
    """The broker, and what the job's client may do there."""

    def __init__(self, opened: str, guarded: str) -> None:
        self.opened = opened
        self.client: dict[str, Any] = {
            "bootstrap.servers": guarded,
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.username": "job",
            "sasl.password": "secret",
        }

    def topic(self, *rights: str) -> str:
        """A new topic with one record, and these rights on it."""
        topic = create_topic(self.opened)
        produce(self.opened, topic, [b"1"])
        self.allow(topic, *rights)
        return topic

    def allow(self, topic: str, *rights: str) -> None:
        given = [(ResourceType.TOPIC, topic, right) for right in rights]
        if "READ" in rights:
            given.append((ResourceType.GROUP, GROUP, "READ"))
        bindings = [
            AclBinding(
                kind,
                name,
                ResourcePatternType.LITERAL,
                "User:job",
                "*",
                getattr(AclOperation, right),
                AclPermissionType.ALLOW,
            )
            for kind, name, right in given
        ]
        admin = AdminClient({"bootstrap.servers": self.opened})  # answers come only as long as it is held
        for answer in admin.create_acls(bindings).values() if bindings else ():
            answer.result()


@pytest.fixture(scope="module")
def guarded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    require_java(request)
    ports = {"open": free_port(), "controller": free_port(), "guarded": free_port()}
    settings = SETTINGS.format(**ports)
    settings += "advertised." + settings.strip().splitlines()[0].replace(
        f"CONTROLLER://127.0.0.1:{ports['controller']},", ""
    )
    node = LocalBroker(ports["open"], tmp_path_factory.mktemp("guarded"), settings)
    node.up()
    try:
        yield Guarded(node.address, f"127.0.0.1:{ports['guarded']}")
    finally:
        node.down()


def read(client: dict[str, Any], topic: str) -> list[bytes | None]:
    values: list[Any] = []
    flow = Dataflow("read")
    source = KafkaSource("messages", [topic], client, group_id=GROUP, bounds=Bounds())
    op.output("out", op.map("value", op.input("in", flow, source), lambda record: record.value), TestingSink(values))
    run_main(flow, epoch_interval=timedelta(0))
    return values


def write(client: dict[str, Any], topic: str) -> None:
    flow = Dataflow("write")
    items = [("t/ana", OutRecord("events", b"t/ana/1", b"v", b"t/ana"))]
    op.output("out", op.input("in", flow, TestingSource(items)), KafkaSink({"events": topic}, client))
    run_main(flow, epoch_interval=timedelta(0))


def problem(done: Any, *arguments: Any) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011  Bytewax wraps it
        done(*arguments)
    return next(str(cause) for cause in causes(caught.value) if isinstance(cause, KafkaProblem))


def test_what_a_client_with_its_rights_does(guarded: Guarded) -> None:
    """S11: those of the operations guide are enough."""
    topic = guarded.topic("DESCRIBE", "DESCRIBE_CONFIGS", "READ", "WRITE")
    [found] = check_topics(guarded.client, [TopicSpec(topic)], 10)
    assert found.state == "fits"
    write(guarded.client, topic)
    assert read(guarded.client, topic) == [b"1", b"v"]


def test_a_wrong_password_is_said_as_such(guarded: Guarded) -> None:
    client = {**guarded.client, "sasl.password": "other"}
    assert "refuses: " in (told := problem(check_topics, client, [], 2))
    assert "Authentication failed" in told
    assert "user and password in kafka.client" in told


def test_a_topic_that_may_not_be_seen_is_not_taken_for_a_new_one(guarded: Guarded) -> None:
    told = problem(ensure_topics, guarded.client, [TopicSpec(guarded.topic(), 1, 1)])
    assert "may not describe it: see Rights in docs/operations.md" in told


def test_rights_that_lack_are_named_with_the_topic_or_the_broker(guarded: Guarded) -> None:
    seen = guarded.topic("DESCRIBE")
    told = problem(check_topics, guarded.client, [TopicSpec(seen)], 10)
    assert "refuses: Topic authorization failed" in told
    assert f"refuses to let {seen} be read: " in problem(read, guarded.client, seen)
    told = problem(write, guarded.client, seen)
    assert "refuses what is published: " in told
    assert "authorization failed" in told


def test_a_right_that_is_given_later_is_enough(guarded: Guarded) -> None:
    """S5: the supervisor starts the job again after a refusal, and nothing is lost meanwhile."""
    topic = guarded.topic("DESCRIBE", "READ")
    problem(write, guarded.client, topic)
    guarded.allow(topic, "WRITE")
    write(guarded.client, topic)
    assert read(guarded.client, topic) == [b"1", b"v"]
