"""The doctor's look at Kafka: the broker, its topics, the clock, and what the memory has still to read there (S11)."""

from __future__ import annotations

import time
from typing import Any

from confluent_kafka import KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec  # type: ignore[attr-defined]  # public, but not re-exported

from flows import instances, kafka
from flows.connectors.kafka_topics import KafkaProblem, TopicFinding, check_topics, client_settings
from flows.findings import Finding
from flows.recovery_store import resume_states
from flows.settings import Settings, SettingsError
from state.layout import Layout, LayoutError
from state.shard_file import StateMismatchError

_SECONDS = 5.0
_AHEAD_SECONDS_MAX = 60.0
_Spec: Any = OffsetSpec  # its constructors have no types
_FIRST, _LAST, _NEWEST = _Spec.earliest(), _Spec.latest(), _Spec.max_timestamp()


def broker(settings: Settings, layout: Layout, workers: int) -> list[Finding]:
    """Findings about Kafka; one line where none is configured."""
    if not kafka.configured(settings):
        return [Finding("broker", True, "none configured: files only (run --source)")]
    where = str(settings.kafka.client["bootstrap.servers"])
    try:
        found = check_topics(settings.kafka.client, kafka.topic_specs(settings), _SECONDS)
    except KafkaProblem as error:
        return [Finding("broker", False, str(error), "start the broker, or correct kafka.client")]
    there = [topic for topic in found if topic.topic in settings.kafka.topics.input and topic.state != "missing"]
    findings = [Finding("broker", True, where), *(_topic(topic) for topic in found), *_share(settings, layout)]
    partitions = sum(topic.partitions for topic in there)
    if there and partitions < workers:
        findings.append(
            Finding(
                "partitions",
                False,
                f"{partitions} of input for {workers} workers",
                "give the topics more partitions before they hold anything, or run fewer workers: some would not read",
            )
        )
    try:
        findings += _clock(settings, there)
        findings += _positions(settings, layout, {topic.topic for topic in found if topic.state != "missing"})
    except KafkaException as error:
        findings.append(Finding("offsets", False, str(error.args[0]), "give this client the right to describe topics"))
    return findings


def _topic(topic: TopicFinding) -> Finding:
    good = topic.state != "misfit"
    told = f"{topic.state}, {topic.partitions} partitions" if topic.state != "missing" else "missing: run makes it"
    return Finding(f"topic {topic.topic}", good, told if good else topic.explanation, "see the message")


def _share(settings: Settings, layout: Layout) -> list[Finding]:
    """Whether this may be the instance that it is configured to be."""
    try:
        instances.check(settings, layout)
    except (SettingsError, LayoutError, KafkaProblem) as error:
        return [Finding("instance", False, str(error), "see the message")]
    if settings.kafka.instance == "1/1":
        return []
    return [Finding("instance", True, settings.kafka.instance)]


def _clock(settings: Settings, topics: list[TopicFinding]) -> list[Finding]:
    """Whether records seem to come from the future: then this clock is behind, or a producer's is ahead."""
    asked = {TopicPartition(topic.topic, number): _NEWEST for topic in topics for number in range(topic.partitions)}
    if not asked:
        return []
    admin = _admin(settings)  # answers come only as long as it is held
    answers = admin.list_offsets(asked, request_timeout=_SECONDS)
    newest_ms = max(future.result(2 * _SECONDS).timestamp for future in answers.values())
    ahead_seconds = newest_ms / 1000 - time.time()
    if newest_ms <= 0:
        return [Finding("clock", True, "no record to compare it with")]
    found = "no record is from the future"
    if ahead_seconds > _AHEAD_SECONDS_MAX:
        found = f"the newest record is {ahead_seconds:,.0f} s ahead of this machine's clock"
    remedy = "synchronise the clocks of this machine and of the producers (chrony): idle windows close by them"
    return [Finding("clock", ahead_seconds <= _AHEAD_SECONDS_MAX, found, remedy)]


def _positions(settings: Settings, layout: Layout, topics: set[str]) -> list[Finding]:
    """Whether what the memory has to read next is still there."""
    if not layout.identity_path.exists():
        return []
    try:
        states = resume_states(layout.recovery)
    except StateMismatchError:
        return []  # told by the look at the recovery store
    wanted = {}
    for (step, name), position in states.items():
        topic, _, number = name.rpartition("/")
        if step in ("messages", "commands") and topic in topics and isinstance(position, int):
            wanted[topic, int(number)] = position
    if not wanted:
        return []
    places = [TopicPartition(topic, number) for topic, number in wanted]
    admin = _admin(settings)
    first = admin.list_offsets(dict.fromkeys(places, _FIRST), request_timeout=_SECONDS)
    last = admin.list_offsets(dict.fromkeys(places, _LAST), request_timeout=_SECONDS)
    findings = []
    for at in places:
        position, low, high = (
            wanted[at.topic, at.partition],
            first[at].result(2 * _SECONDS).offset,
            last[at].result(2 * _SECONDS).offset,
        )
        where = f"offset of {at.topic}/{at.partition}"
        if position < low:
            found = f"{position} is next, the oldest left is {low}: {low - position} records expired unread"
            remedy = 'restore them, or accept the loss (kafka.expired = "skip"); lengthen the topic\'s retention'
            findings.append(Finding(where, False, found, remedy))
        elif position > high:
            found = f"{position} is next, but the partition ends at {high}: it was made anew or truncated"
            findings.append(Finding(where, False, found, "use a new topic name, or a new state directory"))
    behind = sum(max(0, last[at].result(2 * _SECONDS).offset - wanted[at.topic, at.partition]) for at in places)
    return [*findings, Finding("offsets", not findings, f"{behind:,} records behind", "see the partitions above")]


def _admin(settings: Settings) -> AdminClient:
    given = client_settings(settings.kafka.client)
    return AdminClient(given, logger=given.pop("logger"))
