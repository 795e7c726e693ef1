"""Settings to Kafka connectors: which topics, which client settings, what is made sure of before a run."""

from __future__ import annotations

from typing import Any

from confluent_kafka import Producer

from flows import metrics
from flows.connectors.kafka_sink import KafkaSink
from flows.connectors.kafka_source import KafkaSource
from flows.connectors.kafka_topics import KafkaProblem, TopicSpec, client_settings, input_specs, output_specs
from flows.settings import Settings

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


def connectors(settings: Settings) -> tuple[KafkaSource, KafkaSource, KafkaSink]:
    """(messages, commands, sink) of the live job; its topics must exist (ensure_topics)."""
    kafka = settings.kafka

    def source(role: str, topics: tuple[str, ...]) -> KafkaSource:
        return KafkaSource(
            role,
            topics,
            kafka.client,
            group_id=kafka.group_id,
            start="earliest" if role == "commands" else kafka.start,
            expired=kafka.expired,
            on_lag=metrics.lag,
        )

    sink = KafkaSink(output_topics(settings), kafka.client)
    return source("messages", kafka.topics.input), source("commands", (kafka.topics.commands,)), sink


def produce_commands(settings: Settings, lines: list[bytes]) -> None:
    """Puts commands on the commands topic. Raises KafkaProblem when the broker does not confirm them."""
    producer = Producer(client_settings(settings.kafka.client, {"enable.idempotence": True}))
    produce(producer, settings.kafka.topics.commands, [(None, line) for line in lines], "commands")


def produce(producer: Any, topic: str, records: list[tuple[bytes | None, bytes]], what: str) -> None:
    """Produces (key, value) records and waits for the broker's word. Raises KafkaProblem where it does not come."""
    failed: list[Any] = []
    for key, value in records:
        producer.produce(topic, value, key=key, on_delivery=lambda error, _: failed.append(error) if error else None)
    left = producer.flush(_PRODUCE_SECONDS)
    if left or failed:
        raise KafkaProblem(
            f"{left + len(failed)} of {len(records)} {what} did not reach {topic}"
            f" ({failed[0] if failed else f'no answer within {_PRODUCE_SECONDS:g} s'}): check the broker, then repeat"
            f" the {what}; one that did arrive is applied once"
        )
