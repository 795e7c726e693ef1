"""Kafka topics: what each of ours must be, creating what is missing, checking what exists (S1, S2).

Also what the source and the sink share: their errors, the client settings and librdkafka's log.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import structlog
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public names that the package does not re-export
    AdminClient,
    ConfigResource,
    NewTopic,
    ResourceType,
    TopicMetadata,
)

log = structlog.get_logger("factstream.kafka")

Settings = Mapping[str, Any]
"""librdkafka's settings, passed through as they are: `bootstrap.servers`, `security.protocol`, `sasl.mechanism`…"""


class KafkaProblem(RuntimeError):  # noqa: N818  it reads as what it is in a supervisor's log
    """Something about Kafka that the job cannot go on with; the message names the remedy."""


class KafkaAway(KafkaProblem):
    """No broker answered, which may be over in a while."""


class TopicMissing(KafkaProblem):
    """A topic does not exist, or no longer."""


class TopicMisfit(KafkaProblem):
    """An existing topic lacks what the job relies on."""


CleanupPolicy = Literal["compact", "delete", "compact,delete"]


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """What a topic must be.

    `replication` -1 takes the cluster's default. `cleanup_policy` None accepts any (input topics belong to others).
    With `create` false a missing topic is an error. `settings` are given to a topic that is created, and not checked.
    """

    name: str
    partitions: int = 8
    replication: int = -1
    cleanup_policy: CleanupPolicy | None = None
    create: bool = True
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TopicFinding:
    """What was found about one topic; `explanation` names any difference and its remedy, and may be empty."""

    topic: str
    state: Literal["created", "fits", "missing", "misfit"]
    partitions: int
    explanation: str = ""


OUTPUT_POLICIES: Mapping[str, CleanupPolicy] = {
    "events": "compact,delete",
    "facts": "compact",
    "proposals": "compact",
    "users": "compact",
    "dead_letters": "delete",
}
"""Clean-up per output stream (S2): what an erasure must reach is compacted, one key per thing to erase (F6)."""


REFUSED_CODES = frozenset(
    {
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError._AUTHENTICATION,
        KafkaError._INVALID_ARG,
        KafkaError._UNSUPPORTED_FEATURE,
    }
)
"""Errors by which a broker, or the client, refuses: waiting alone mends none of them."""
RIGHTS = "see Rights in docs/operations.md"


def output_specs(names: Mapping[str, str], partitions: int = 8, replication: int = -1) -> list[TopicSpec]:
    """The specs of the output topics; `names` maps stream (events, facts, …) to topic name."""
    return [TopicSpec(topic, partitions, replication, OUTPUT_POLICIES[stream]) for stream, topic in names.items()]


def input_specs(
    topics: Sequence[str], partitions: int = 8, replication: int = -1, *, create: bool = False
) -> list[TopicSpec]:
    """The specs of message and command topics, which are only checked unless `create`."""
    return [TopicSpec(topic, partitions, replication, create=create) for topic in topics]


def ensure_topics(client: Settings, specs: Sequence[TopicSpec], timeout_seconds: float = 30.0) -> list[TopicFinding]:
    """Create the missing topics and check the others.

    Raises TopicMisfit, naming all of them, where a topic cannot serve, KafkaAway where the cluster cannot be reached
    within `timeout_seconds`, and KafkaProblem where it refuses.
    """
    findings = check_topics(client, specs, timeout_seconds)
    wanted = {spec.name: spec for spec in specs}
    missing = [wanted[f.topic] for f in findings if f.state == "missing" and wanted[f.topic].create]
    if missing:
        admin = _admin(client)
        _create(admin, missing, timeout_seconds)
        _await_topics(admin, [spec.name for spec in missing], timeout_seconds)
        created = {spec.name: TopicFinding(spec.name, "created", spec.partitions) for spec in missing}
        findings = [created.get(f.topic, f) for f in findings]
    wrong = [f for f in findings if f.state in ("missing", "misfit")]
    if wrong:
        raise TopicMisfit("; ".join(f.explanation for f in wrong))
    return findings


def check_topics(client: Settings, specs: Sequence[TopicSpec], timeout_seconds: float = 30.0) -> list[TopicFinding]:
    """Compare the cluster's topics with `specs` and change nothing. Raises KafkaAway or KafkaProblem, as above."""
    heard: list[KafkaError] = []
    admin = _admin(client, heard)
    try:
        existing = admin.list_topics(timeout=timeout_seconds).topics
        present = [spec.name for spec in specs if spec.name in existing]
        policies = _cleanup_policies(admin, present, timeout_seconds)
    except KafkaException as error:
        admin.poll(0)
        raise _unanswered(client, error.args[0], heard, timeout_seconds) from error
    return [_finding(spec, existing.get(spec.name), policies.get(spec.name, "")) for spec in specs]


def client_settings(client: Settings, defaults: Settings | None = None, **fixed: Any) -> dict[str, Any]:
    """`defaults`, overridden by the user's `client`, overridden by `fixed` (underscores stand for dots)."""
    if not client.get("bootstrap.servers"):
        raise KafkaProblem("the Kafka client settings lack bootstrap.servers: set it, for example to localhost:9092")
    return {
        "client.id": "factstream",
        "logger": librdkafka_logger(),
        **(defaults or {}),
        **client,
        **{name.replace("_", "."): value for name, value in fixed.items()},
    }


def once_a_minute(interval_seconds: float = 60.0) -> Callable[[], bool]:
    """A gate that opens at its first call and then once per interval: what repeats is said, but not every second."""
    opens_at = 0.0

    def opens() -> bool:
        nonlocal opens_at
        now = time.monotonic()
        if now < opens_at:
            return False
        opens_at = now + interval_seconds
        return True

    return opens


class _ToStructlog(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        log.debug("librdkafka", text=record.getMessage())


@functools.cache
def librdkafka_logger() -> logging.Logger:
    """librdkafka's own lines at debug level: it repeats itself; what matters is said by the source and the sink."""
    logger = logging.getLogger("factstream.librdkafka")
    logger.addHandler(_ToStructlog())
    logger.propagate = False
    return logger


def _admin(client: Settings, heard: list[KafkaError] | None = None) -> AdminClient:
    """`heard` gets what the client meets on its own, which says more than that a request was not answered."""
    settings = client_settings(client)
    if heard is not None:
        settings["error_cb"] = heard.append
    return AdminClient(settings, logger=settings.pop("logger"))


def _unanswered(
    client: Settings, error: KafkaError, heard: Sequence[KafkaError], timeout_seconds: float
) -> KafkaProblem:
    servers = client["bootstrap.servers"]
    telling = next((each for each in (error, *heard) if each.code() in REFUSED_CODES), None)
    if telling is not None:
        return KafkaProblem(
            f"Kafka at {servers} refuses: {telling.str()}; check user and password in kafka.client, and {RIGHTS}"
        )
    said = "; ".join(dict.fromkeys(each.str() for each in (error, *heard[:1])))
    return KafkaAway(
        f"Kafka at {servers} did not answer within {timeout_seconds:g} s ({said}): check that it runs, the address, and"
        " the security settings"
    )


def _cleanup_policies(admin: AdminClient, topics: Sequence[str], timeout_seconds: float) -> dict[str, str]:
    if not topics:
        return {}
    resources = [ConfigResource(ResourceType.TOPIC, topic) for topic in topics]
    answers = admin.describe_configs(resources, request_timeout=timeout_seconds)
    return {resource.name: future.result()["cleanup.policy"].value for resource, future in answers.items()}


def _finding(spec: TopicSpec, found: TopicMetadata | None, policy: str) -> TopicFinding:
    if found is None:
        remedy = "it can be created for you" if spec.create else "create it, or correct its name in the configuration"
        return TopicFinding(spec.name, "missing", 0, f"topic {spec.name} does not exist: {remedy}")
    count = len(found.partitions)
    if spec.cleanup_policy is not None and set(policy.split(",")) != set(spec.cleanup_policy.split(",")):
        explanation = (
            f"topic {spec.name} has cleanup.policy={policy}, expected {spec.cleanup_policy}: kafka-configs.sh --alter "
            f"--entity-type topics --entity-name {spec.name} --add-config cleanup.policy=[{spec.cleanup_policy}]"
        )
        return TopicFinding(spec.name, "misfit", count, explanation)
    note = ""
    if spec.cleanup_policy is not None and count != spec.partitions:
        note = f"topic {spec.name} has {count} partitions, the configuration says {spec.partitions}: kept as it is"
    return TopicFinding(spec.name, "fits", count, note)


def _create(admin: AdminClient, specs: Sequence[TopicSpec], timeout_seconds: float) -> None:
    topics = []
    for spec in specs:
        config = dict(spec.settings)
        if spec.cleanup_policy is not None:
            config["cleanup.policy"] = spec.cleanup_policy
        topics.append(
            NewTopic(spec.name, num_partitions=spec.partitions, replication_factor=spec.replication, config=config)
        )
    for name, future in admin.create_topics(topics, request_timeout=timeout_seconds).items():
        try:
            future.result()
        except KafkaException as error:
            # Another process of the same start may have been first.
            if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise KafkaProblem(
                    f"topic {name} could not be created: {error.args[0].str()}; create it by hand, or allow it; where"
                    f" it exists, this client may not describe it: {RIGHTS}"
                ) from error


def _await_topics(admin: AdminClient, topics: Sequence[str], timeout_seconds: float) -> None:
    deadline = time.monotonic() + timeout_seconds
    while not set(topics) <= set(admin.list_topics(timeout=timeout_seconds).topics):
        if time.monotonic() > deadline:
            raise KafkaProblem(f"topics {', '.join(topics)} were created but not seen within {timeout_seconds:g} s")
        time.sleep(0.05)
