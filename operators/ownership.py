"""Which users an instance owns: those whose records lie in its partitions (S6).

Several instances share the input topics, each a set of partitions and so a set of users. A command has no such place:
every instance reads all of them and carries out those of its own users, so that each is carried out and answered once.
That rests on knowing a user's partition from the user alone. So every record is checked against it: where the topic is
keyed or partitioned otherwise, the job stops, instead of letting commands miss their user.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from operators.records import InRecord
from state.messages import Command, Message, Rejected

KeyedBy = Literal["user_id", "tenant/user_id"]
Item = Message | Command | Rejected


class Misplaced(RuntimeError):  # noqa: N818  # it says what happened; "error" would add nothing
    """A record that is not where its user's records are expected to be."""


@dataclass(frozen=True, slots=True)
class Ownership:
    """The share of instance `number` of `count`, counted from 1, in topics of `partitions` partitions each.

    `partition_of` is the producers' partitioner: (key, number of partitions) to partition.
    """

    number: int
    count: int
    partitions: int
    keyed_by: KeyedBy
    partition_of: Callable[[bytes, int], int]

    def owns_partition(self, topic: str, partition: int) -> bool:
        """Whether a partition of an input topic is read by this instance."""
        return partition % self.count == self.number - 1

    def owns_user(self, tenant: str, user_id: str) -> bool:
        """Whether a user's records are in partitions of this instance."""
        return self.owns_partition("", self.partition_of(self._key(tenant, user_id), self.partitions))

    def mine(self, record: InRecord, items: Sequence[Item]) -> list[Item]:
        """What of a record concerns this instance. Raises Misplaced.

        Left out: commands of others' users, copies of a group's message for them, and what is wrong with a command
        record, which one instance alone reports.
        """
        if record.role == "messages":
            self._check(record, items)
        here = record.role != "commands" or self.owns_partition(record.topic, record.partition)
        return [
            item
            for item in items
            if (here if isinstance(item, Rejected) else self.owns_user(item.tenant, item.user_id))
        ]

    def _check(self, record: InRecord, items: Sequence[Item]) -> None:
        where = f"the record {record.topic}/{record.partition}, offset {record.offset},"
        remedy = "several instances need topics in which the key is the user; see docs/operations.md, Instances"
        if not record.key:
            raise Misplaced(f"{where} has no key, expected the {self.keyed_by}: {remedy}")
        expected = self.partition_of(record.key, self.partitions)
        if expected != record.partition:
            raise Misplaced(
                f"{where} has a key that belongs to partition {expected} of {self.partitions}: set kafka.partitioner to"
                " the partitioner of the topic's producers. If the topic got more partitions, users have moved between"
                " instances: replay into new state directories"
            )
        keys = [self._key(item.tenant, item.user_id) for item in items if isinstance(item, Message)]
        if keys and record.key not in keys:
            raise Misplaced(f"{where} has a key that is not its {self.keyed_by} (kafka.keyed_by): {remedy}")

    def _key(self, tenant: str, user_id: str) -> bytes:
        text = user_id if self.keyed_by == "user_id" else f"{tenant}/{user_id}"
        return text.encode("utf-8", "surrogatepass")
