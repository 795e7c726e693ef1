"""Instances own disjoint users, and a topic that is keyed otherwise stops them (S6)."""

from __future__ import annotations

import zlib
from dataclasses import replace

import orjson
import pytest

from flows.connectors.kafka_sink import kafka_partition
from operators.decode import DecodePolicy, Decoder
from operators.ownership import Misplaced, Ownership
from operators.records import InRecord

PARTITIONS = 6
USERS = [f"user-{number}" for number in range(40)]


def ownership(number: int = 1, count: int = 4) -> Ownership:
    return Ownership(number, count, PARTITIONS, "user_id", kafka_partition)


def message(user: str, partition: int | None = None, key: bytes | None = None, **more: object) -> InRecord:
    row = {"user_id": user, "role": "user", "text": "hi", "conversation_id": "c", "sent_at": 1_700_000_000_000, **more}
    key = user.encode() if key is None else key
    where = kafka_partition(key, PARTITIONS) if partition is None else partition
    return InRecord("messages", "chat", where, 7, orjson.dumps(row), key)


def mine(owner: Ownership, record: InRecord) -> list[str]:
    items = owner.mine(record, Decoder(DecodePolicy()).decode(record))
    return [getattr(item, "user_id", "rejected") for item in items]


def test_every_user_and_partition_has_one_owner() -> None:
    """S6"""
    owners = [ownership(number) for number in range(1, 5)]
    for user in USERS:
        [owner] = [each for each in owners if each.owns_user("default", user)]
        assert owner.owns_partition("chat", kafka_partition(user.encode(), PARTITIONS))
        assert mine(owner, message(user)) == [user]
    for partition in range(PARTITIONS):
        assert sum(owner.owns_partition("chat", partition) for owner in owners) == 1


def test_a_command_is_its_users_instances_wherever_it_was_put() -> None:
    """S6: and what cannot be read is reported once"""
    owners = [ownership(number) for number in range(1, 5)]
    row = orjson.dumps({"command": "flush", "user_id": "ana", "sent_at": 1_700_000_000_000})
    for partition in range(3):
        record = InRecord("commands", "commands", partition, 0, row)
        assert sorted(user for owner in owners for user in mine(owner, record)) == ["ana"]
        bad = replace(record, value=b"{")
        assert sorted(user for owner in owners for user in mine(owner, bad)) == ["rejected"]


def test_copies_of_a_groups_message_for_users_of_other_instances_are_left_out() -> None:
    """S6"""
    record = message("user-1", participants=USERS[:12])
    found = [mine(ownership(number), record) for number in range(1, 5)]
    assert sorted(user for users in found for user in users) == sorted(USERS[:12])
    assert all(users for users in found)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (message("ana", key=b""), "has no key, expected the user_id"),
        (message("ana", partition=(kafka_partition(b"ana", PARTITIONS) + 1) % PARTITIONS), "set kafka.partitioner"),
        (message("ana", key=b"conversation-9"), "has a key that is not its user_id"),
    ],
)
def test_a_topic_that_is_not_keyed_by_user_stops_the_instance(record: InRecord, told: str) -> None:
    """S6: instead of carrying commands out where the user is not known"""
    with pytest.raises(Misplaced, match=told) as caught:
        mine(ownership(), record)
    assert "ana" not in str(caught.value)


def test_lines_of_a_file_are_only_sorted_by_owner() -> None:
    """S8"""
    found = [mine(ownership(n), replace(message("ana"), role="mixed", key=None)) for n in range(1, 5)]
    assert sorted(user for users in found for user in users) == ["ana"]


def test_other_keys_and_partitioners() -> None:
    """S6"""
    owner = Ownership(1, 1, PARTITIONS, "tenant/user_id", lambda key, partitions: zlib.crc32(key) % partitions)
    key = b"acme/ana"
    record = replace(message("ana", key=key, tenant="acme"), partition=zlib.crc32(key) % PARTITIONS)
    assert mine(owner, record) == ["ana"]
