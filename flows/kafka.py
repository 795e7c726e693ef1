"""Settings to Kafka connectors: which topics, which client settings, what is made sure of before a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson
from confluent_kafka import Producer

from flows import metrics
from flows.connectors.kafka_replay import Lane, ReplayPlan, ReplaySource
from flows.connectors.kafka_sink import KafkaSink
from flows.connectors.kafka_source import AtOffsets, Bounds, KafkaSource, StartAt
from flows.connectors.kafka_topics import KafkaProblem, TopicSpec, client_settings, input_specs, output_specs
from flows.settings import Settings
from operators.ownership import Ownership
from operators.records import OutRecord

_PRODUCE_SECONDS = 30.0


def configured(settings: Settings) -> bool:
    """Whether the settings name a broker; without one, commands go to the spool of the state directory."""
    return bool(settings.kafka.client.get("bootstrap.servers"))


def topic_specs(settings: Settings) -> list[TopicSpec]:
    """Every topic of the job: outputs and commands are made where missing, inputs too, so that a trial can start."""
    kafka = settings.kafka
    read = input_specs([*kafka.topics.input, kafka.topics.commands], kafka.partitions, kafka.replication, create=True)
    return [*read, *output_specs(output_topics(settings), kafka.partitions, kafka.replication)]


def output_topics(settings: Settings) -> dict[str, str]:
    """Output stream to topic."""
    topics = settings.kafka.topics
    return {
        "events": topics.events,
        "facts": topics.facts,
        "proposals": topics.proposals,
        "users": topics.users,
        "dead_letters": topics.dead_letters,
    }


def connectors(
    settings: Settings, handed_over: Mapping[tuple[str, int], int], ownership: Ownership | None
) -> tuple[KafkaSource, KafkaSource, KafkaSink]:
    """(messages, commands, sink) of the live job; its topics must exist (ensure_topics).

    `handed_over`: where a replay that made this memory ended, and so where a memory that was never read live begins.
    `ownership` leaves the partitions of other instances to them; commands are read by all.
    """
    kafka = settings.kafka
    owns = None if ownership is None else ownership.owns_partition
    commands_group = kafka.group_id if ownership is None else f"{kafka.group_id}-{ownership.number}"

    def source(role: str, topics: tuple[str, ...]) -> KafkaSource:
        begun = any(topic in topics for topic, _ in handed_over)
        return KafkaSource(
            role,
            topics,
            kafka.client,
            group_id=kafka.group_id if role == "messages" else commands_group,
            partitions=owns if role == "messages" else None,
            start=AtOffsets(handed_over) if begun else "earliest" if role == "commands" else kafka.start,
            expired=kafka.expired,
            on_lag=metrics.lag,
            in_flight_bytes_max=settings.recovery.in_flight_bytes_max,
        )

    return source("messages", kafka.topics.input), source("commands", (kafka.topics.commands,)), sink(settings)


def sink(settings: Settings) -> KafkaSink:
    """What publishes."""
    limit_bytes = settings.recovery.in_flight_bytes_max
    return KafkaSink(output_topics(settings), settings.kafka.client, queue_bytes_max=limit_bytes)


def replay_source(settings: Settings, plan: ReplayPlan, on_progress: Callable[[int, int], None]) -> ReplaySource:
    """What reads a replay, with a consumer group of its own."""
    kafka = settings.kafka
    return ReplaySource(
        plan, kafka.client, group_id=f"{kafka.group_id}-replay", expired=kafka.expired, on_progress=on_progress,
        in_flight_bytes_max=settings.recovery.in_flight_bytes_max,
    )  # fmt: skip


def replay_lanes(settings: Settings, start: StartAt, end: Bounds, ownership: Ownership | None) -> tuple[Lane, ...]:
    """Every owned partition of messages, and all of commands, with what of it a replay reads, as things are now."""
    kafka = settings.kafka
    lanes = []
    for role, topics in (("messages", kafka.topics.input), ("commands", (kafka.topics.commands,))):
        source = KafkaSource(
            role, topics, kafka.client, group_id=f"{kafka.group_id}-replay", start=start, bounds=end,
            partitions=ownership.owns_partition if ownership is not None and role == "messages" else None,
            expired=kafka.expired,
        )  # fmt: skip
        for (topic, partition), (first, last) in source.ranges().items():
            lanes.append(Lane(role, topic, partition, min(first, last), last))
    return tuple(lanes)


def publish_now(settings: Settings, records: list[OutRecord]) -> None:
    """Publishes records outside the stream, as the job would, and waits for the broker's word. Raises KafkaProblem."""
    part = KafkaSink(output_topics(settings), settings.kafka.client).build_part("", "", None)
    part.write_batch(records)
    part.snapshot()


def produce_commands(settings: Settings, lines: list[bytes]) -> None:
    """Puts commands on the commands topic. Raises KafkaProblem when the broker does not confirm them."""
    produce(producer(settings), settings.kafka.topics.commands, keyed(settings, lines), "commands")


def producer(settings: Settings) -> Producer:
    """A producer that puts a key where Java's default partitioner does, as most producers."""
    wanted = {"enable.idempotence": True, "partitioner": "murmur2_random"}
    return Producer(client_settings(settings.kafka.client, wanted))


def keyed(settings: Settings, lines: list[bytes]) -> list[tuple[bytes | None, bytes]]:
    """Commands as (key, value): keyed by their user, so that one user's stay in order."""
    records: list[tuple[bytes | None, bytes]] = []
    for line in lines:
        row = orjson.loads(line)
        key = f"{row.get('tenant') or settings.formats.tenant}/{row['user_id']}"
        records.append((key.encode("utf-8", "surrogatepass"), line))
    return records


def produce(to: Any, topic: str, records: list[tuple[bytes | None, bytes]], what: str) -> None:
    """Produces (key, value) records and waits for the broker's word. Raises KafkaProblem where it does not come."""
    failed: list[Any] = []
    for key, value in records:
        to.produce(topic, value, key=key, on_delivery=lambda error, _: failed.append(error) if error else None)
    left = to.flush(_PRODUCE_SECONDS)
    if left or failed:
        raise KafkaProblem(
            f"{left + len(failed)} of {len(records)} {what} did not reach {topic}"
            f" ({failed[0] if failed else f'no answer within {_PRODUCE_SECONDS:g} s'}): check the broker, then repeat"
            f" the {what}; one that did arrive is applied once"
        )
