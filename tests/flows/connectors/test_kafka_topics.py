"""Creating and checking topics at a real broker (S1, S2, F6)."""

from __future__ import annotations

import pytest
from confluent_kafka.admin import AdminClient, ConfigResource, ResourceType

from flows.connectors.kafka_topics import (
    OUTPUT_POLICIES,
    KafkaProblem,
    TopicMisfit,
    TopicSpec,
    check_topics,
    ensure_topics,
    input_specs,
    output_specs,
)
from tests.kafka_broker import create_topic, free_port

pytestmark = pytest.mark.kafka


def own_names(address: str) -> dict[str, str]:
    """A topic name per output stream that no other test uses."""
    unused = create_topic(address)
    return {stream: f"{unused}-{stream}" for stream in OUTPUT_POLICIES}


def test_missing_topics_are_created_with_their_policy_and_partitions(kafka_address: str) -> None:
    """S2: events compact and delete; facts, proposals and users compact; dead letters delete."""
    client = {"bootstrap.servers": kafka_address}
    names = own_names(kafka_address)

    first = ensure_topics(client, output_specs(names, partitions=3))
    second = ensure_topics(client, output_specs(names, partitions=3))

    assert [(finding.topic, finding.state) for finding in first] == [(name, "created") for name in names.values()]
    assert [(finding.state, finding.partitions, finding.explanation) for finding in second] == [("fits", 3, "")] * 5
    admin = AdminClient(client)
    resources = [ConfigResource(ResourceType.TOPIC, name) for name in names.values()]
    policies = {r.name: f.result()["cleanup.policy"].value for r, f in admin.describe_configs(resources).items()}
    assert {stream: set(policies[names[stream]].split(",")) for stream in names} == {
        "events": {"compact", "delete"},
        "facts": {"compact"},
        "proposals": {"compact"},
        "users": {"compact"},
        "dead_letters": {"delete"},
    }


def test_checking_changes_nothing(kafka_address: str) -> None:
    """S2."""
    client = {"bootstrap.servers": kafka_address}
    specs = output_specs(own_names(kafka_address))

    assert {finding.state for finding in check_topics(client, specs)} == {"missing"}
    assert {finding.state for finding in check_topics(client, specs)} == {"missing"}


def test_a_topic_whose_keys_could_not_be_erased_is_refused_with_the_remedy(kafka_address: str) -> None:
    """F6: tombstones erase only in a compacted topic."""
    topic = create_topic(kafka_address, cleanup_policy="delete")

    with pytest.raises(TopicMisfit) as caught:
        ensure_topics({"bootstrap.servers": kafka_address}, output_specs({"facts": topic}))

    assert f"topic {topic} has cleanup.policy=delete, expected compact" in str(caught.value)
    assert "--add-config cleanup.policy=[compact]" in str(caught.value)


def test_another_number_of_partitions_is_kept_and_told(kafka_address: str) -> None:
    """S1: any partition counts."""
    topic = create_topic(kafka_address, partitions=2, cleanup_policy="compact")

    [finding] = ensure_topics({"bootstrap.servers": kafka_address}, output_specs({"facts": topic}, partitions=8))

    assert (finding.state, finding.partitions) == ("fits", 2)
    assert "has 2 partitions, the configuration says 8" in finding.explanation


def test_an_input_topic_is_only_checked_unless_it_may_be_created(kafka_address: str) -> None:
    """S1."""
    client = {"bootstrap.servers": kafka_address}
    topic = own_names(kafka_address)["events"]

    with pytest.raises(TopicMisfit, match=f"topic {topic} does not exist: create it, or correct its name"):
        ensure_topics(client, input_specs([topic]))
    [made] = ensure_topics(client, input_specs([topic], partitions=2, create=True))
    [found] = ensure_topics(client, input_specs([topic]))

    assert (made.state, found.state, found.partitions) == ("created", "fits", 2)


def test_settings_are_given_to_a_created_topic(kafka_address: str) -> None:
    """S2."""
    client = {"bootstrap.servers": kafka_address}
    name = own_names(kafka_address)["events"]

    ensure_topics(
        client, [TopicSpec(name, 1, cleanup_policy="compact,delete", settings=(("retention.ms", "3600000"),))]
    )

    admin = AdminClient(client)
    [future] = admin.describe_configs([ConfigResource(ResourceType.TOPIC, name)]).values()
    assert future.result()["retention.ms"].value == "3600000"


def test_a_replication_the_cluster_cannot_give_is_told(kafka_address: str) -> None:
    """S2."""
    name = own_names(kafka_address)["facts"]

    with pytest.raises(KafkaProblem, match=f"topic {name} could not be created: .*replication"):
        ensure_topics({"bootstrap.servers": kafka_address}, output_specs({"facts": name}, replication=3))


def test_a_broker_that_does_not_answer_is_named() -> None:
    """S1."""
    nobody = f"127.0.0.1:{free_port()}"

    with pytest.raises(KafkaProblem, match=f"Kafka at {nobody} did not answer within 0.5 s"):
        ensure_topics({"bootstrap.servers": nobody}, input_specs(["messages"]), timeout_seconds=0.5)


def test_settings_without_an_address_are_refused() -> None:
    """S1."""
    with pytest.raises(KafkaProblem, match=r"lack bootstrap\.servers"):
        ensure_topics({}, input_specs(["messages"]))
