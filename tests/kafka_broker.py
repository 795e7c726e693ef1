"""A real Apache Kafka for the tests: the one at FACTSTREAM_TEST_KAFKA, else one that deploy/kafka/kafka.sh starts."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]  # public, but not re-exported

KAFKA_SH = Path(__file__).resolve().parents[1] / "deploy" / "kafka" / "kafka.sh"


@pytest.fixture(scope="session")
def kafka_address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a running broker. Without Java and Maven its tests are skipped, with CI=true they fail."""
    address = os.environ.get("FACTSTREAM_TEST_KAFKA")
    if address:
        yield address
        return
    require_java(request)
    with broker() as address:
        yield address


@pytest.fixture
def own_broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LocalBroker]:
    """A running node that the test may stop and start again."""
    require_java(request)
    node = LocalBroker(free_port(), tmp_path / "kafka")
    node.up()
    try:
        yield node
    finally:
        node.down()


@contextlib.contextmanager
def broker() -> Iterator[str]:
    """A node of one's own on a free port, with its data in a temporary directory; both go at the end."""
    with tempfile.TemporaryDirectory(prefix="factstream-kafka-") as directory:
        node = LocalBroker(free_port(), Path(directory))
        node.up()
        try:
            yield node.address
        finally:
            node.down()


class LocalBroker:
    """A node that a test may stop and start again."""

    def __init__(self, port: int, directory: Path, settings: str = "") -> None:
        self.address = f"127.0.0.1:{port}"
        self._arguments = ["--port", str(port), "--dir", str(directory)]
        self._environment = {**os.environ, "KAFKA_SETTINGS": settings}

    def up(self) -> None:
        self._run("up")

    def down(self) -> None:
        self._run("down")

    def _run(self, verb: str) -> None:
        words = [str(KAFKA_SH), verb, *self._arguments]
        done = subprocess.run(words, env=self._environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"kafka.sh {verb} failed:\n{done.stderr}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def create_topic(address: str, partitions: int = 1, prefix: str = "t", **config: str) -> str:
    """A new topic of a name of its own; `config` has underscores for dots."""
    topic = f"{prefix}-{uuid.uuid4().hex[:12]}"
    admin = AdminClient({"bootstrap.servers": address})
    settings = {name.replace("_", "."): value for name, value in config.items()}
    new = NewTopic(topic, num_partitions=partitions, replication_factor=1, config=settings)
    admin.create_topics([new], operation_timeout=10)[topic].result()
    # Made is not known yet: the node's own list of topics follows.
    deadline = time.monotonic() + 30
    while not admin.list_topics(topic, timeout=10).topics[topic].partitions:
        assert time.monotonic() < deadline, f"{topic} was made 30 s ago and {address} still does not know it"
        time.sleep(0.05)
    return topic


def produce(address: str, topic: str, values: Iterable[bytes | None], partition: int = 0, **fields: object) -> None:
    """Write the values to one partition; returns when all have arrived."""
    producer = Producer({"bootstrap.servers": address, "linger.ms": 5, "queue.buffering.max.messages": 1_000_000})
    for value in values:
        producer.produce(topic, value, partition=partition, **fields)  # type: ignore[arg-type]  # key, headers…
    assert producer.flush(30) == 0


def read_all(address: str, topic: str) -> list[Message[bytes, bytes]]:
    """Everything that the topic holds, partition after partition, read committed."""
    consumer = Consumer({"bootstrap.servers": address, "group.id": "read-all", "enable.partition.eof": True})
    messages: list[Message[bytes, bytes]] = []
    try:
        unread = set(consumer.list_topics(topic, timeout=10).topics[topic].partitions)
        consumer.assign([TopicPartition(topic, partition, 0) for partition in unread])
        while unread:
            message = consumer.poll(30)
            assert message is not None, f"{topic} did not answer"
            if message.error() is None:
                messages.append(message)
            else:
                unread.discard(message.partition())
    finally:
        consumer.close()
    return sorted(messages, key=lambda message: (message.partition() or 0, message.offset() or 0))


def causes(error: BaseException) -> list[BaseException]:
    """The error and what led to it: Bytewax wraps what a source or sink raises."""
    found = [error]
    while (cause := found[-1].__cause__ or found[-1].__context__) is not None:
        found.append(cause)
    return found


def require_java(request: pytest.FixtureRequest) -> None:
    lacking = [program for program in ("java", "mvn") if shutil.which(program) is None]
    if not lacking:
        return
    reason = f"no Kafka to test with: {' and '.join(lacking)} missing; install them, or set FACTSTREAM_TEST_KAFKA"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        print(f"\n!!! KAFKA TESTS SKIPPED: {reason}\n", flush=True)
    pytest.skip(reason)
