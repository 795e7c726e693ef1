"""Which share of the input an instance owns, bound to its state directory when that is first read into (S6)."""

from __future__ import annotations

import re
import socket
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import orjson

from flows.connectors.kafka_sink import kafka_partition
from flows.connectors.kafka_topics import check_topics, input_specs
from flows.handover import was_live
from flows.settings import Settings, SettingsError
from operators.ownership import Ownership
from state.layout import Layout, LayoutError, write_durably

PARTITIONERS: dict[str, Callable[[bytes, int], int]] = {
    "murmur2": kafka_partition,
    "crc32": lambda key, partitions: zlib.crc32(key) % partitions,
}

"""How producers place a key: Java's clients, and librdkafka's, by their defaults."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a state directory was first read into as."""

    instance: str
    partitions: int
    keyed_by: str
    partitioner: str


def chosen(settings: Settings, instance: str | None) -> Settings:
    """The settings with the command line's instance, where it names one."""
    return settings if instance is None else replace(settings, kafka=replace(settings.kafka, instance=instance))


def parse(text: str, host: str | None = None) -> tuple[int, int]:
    """(number, count) of "2/8", or of "ordinal/8" on the host whose name ends in the ordinal. Raises SettingsError."""
    found = re.fullmatch(r"(\d+|ordinal)/(\d+)", text)
    if found is None:
        raise SettingsError(f"the instance is {text!r}, expected NUMBER/COUNT such as 2/8, or ordinal/8")
    count = int(found[2])
    if found[1] == "ordinal":
        name = socket.gethostname() if host is None else host
        ordinal = re.search(r"(\d+)$", name)
        if ordinal is None:
            raise SettingsError(
                f"the instance is {text!r}, but the host name {name!r} does not end in a number, as a StatefulSet's"
                " pod's does: give its number"
            )
        number = int(ordinal[1]) + 1
    else:
        number = int(found[1])
    if not 1 <= number <= count:
        raise SettingsError(f"the instance is {number} of {count}, expected a number from 1 to {count}")
    return number, count


def bind(settings: Settings, layout: Layout) -> None:
    """Checks that this instance may go on in this state directory, or notes what a new one is for.

    Needs the broker where there are several instances. Raises SettingsError, LayoutError, KafkaProblem.
    """
    wanted = check(settings, layout)
    if wanted is not None and not layout.instance.exists():
        write_durably(layout.instance, orjson.dumps(asdict(wanted)))


def check(settings: Settings, layout: Layout) -> Bound | None:
    """What this instance is to be bound to, None for the only one; raises what `bind` raises."""
    number, count = parse(settings.kafka.instance)
    known = _read(layout)
    if count == 1:
        if known is not None:
            raise LayoutError(_mismatch(layout, known.instance, "1/1"))
        return None
    counts = {
        found.topic: found.partitions
        for found in check_topics(settings.kafka.client, input_specs(settings.kafka.topics.input))
    }
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{topic} {partitions}" for topic, partitions in counts.items())
        raise SettingsError(
            f"kafka.topics.input have different numbers of partitions ({told}): several instances need the same, for"
            " a user's records in all of them must be one instance's"
        )
    partitions = next(iter(counts.values()))
    if partitions < count:
        raise SettingsError(
            f"kafka.instance is {settings.kafka.instance!r}, but the topics have {partitions} partitions: expected at"
            " least one an instance"
        )
    wanted = Bound(f"{number}/{count}", partitions, settings.kafka.keyed_by, settings.kafka.partitioner)
    if known is None and was_live(layout, settings.kafka.topics.input):
        raise LayoutError(_mismatch(layout, "1/1", wanted.instance))
    if known is not None and known != wanted:
        changed = [f"{name} {getattr(known, name)} became {value}" for name, value in asdict(wanted).items()
                if getattr(known, name) != value]  # fmt: skip
        raise LayoutError(_mismatch(layout, known.instance, wanted.instance, f" ({', '.join(changed)})"))
    return wanted


def ownership(layout: Layout) -> Ownership | None:
    """What the state directory was bound to; None where one instance owns everything."""
    bound = _read(layout)
    if bound is None:
        return None
    number, count = parse(bound.instance)
    return Ownership(
        number,
        count,
        bound.partitions,
        "user_id" if bound.keyed_by == "user_id" else "tenant/user_id",
        PARTITIONERS[bound.partitioner],
    )


def _read(layout: Layout) -> Bound | None:
    return Bound(**orjson.loads(layout.instance.read_bytes())) if layout.instance.exists() else None


def _mismatch(layout: Layout, known: str, wanted: str, told: str = "") -> str:
    return (
        f"{layout.root} is the memory of instance {known}, this is instance {wanted}{told}: its users would be parted"
        " from what is known of them. Start it as what it was, or replay into a new state directory for each instance"
    )
