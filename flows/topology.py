"""The one dataflow: `build` makes the live job, the replay and the embedded run; only sources and sinks differ.

    messages, commands -> decode -> window (shard) -> extract -> reconcile (shard) -> publish -> records
                               \\-> rejected -> dead letters ---------------------------------/

Step ids are a schema: the recovery store keeps each step's state under its id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, time
from typing import Any

import bytewax.operators as op
from bytewax.dataflow import Dataflow
from bytewax.inputs import FixedPartitionedSource
from bytewax.outputs import FixedPartitionedSink

from flows.connectors.kept import KeptSource
from operators.dead_letters import RejectGuard
from operators.decode import Decoder
from operators.extract import Embeds, ExtractPolicy, Extracts, ExtractStep
from operators.observing import Observer
from operators.ownership import Ownership
from operators.publish import publish
from operators.reconcile import Outcome, ReconcilePolicy, ReconcileStep
from operators.records import InRecord, OutRecord
from operators.window import WindowPolicy, WindowStep
from state.erasures import Erasures
from state.layout import Layout, shard_of
from state.messages import Command, Message, Rejected, Scrub
from state.recorder import Judge

STEP_IDS = ("messages", "commands", "windows", "memory", "records", "letters")
"""Ids of the steps with resume state; a test pins them. "records" is Kafka's sink, "letters" the embedded run's."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a dataflow is made of. `asks_memory`: whether a text asks to remember or forget something (T3).

    `judge` reads the pairs of claims that the rules leave open; without one the rules decide alone. `ownership` is the
    share of users that this instance has; without it there are no others.
    """

    layout: Layout
    shards: int
    decoder: Decoder
    dead_letter: Callable[[Any], OutRecord]
    guard: RejectGuard
    extractor: Extracts
    embedder: Embeds
    asks_memory: Callable[[str], bool]
    windows: WindowPolicy
    extraction: ExtractPolicy
    memory: ReconcilePolicy
    observer: Observer
    judge: Judge | None = None
    ownership: Ownership | None = None


def build(
    parts: Parts,
    messages: FixedPartitionedSource[InRecord, Any],
    commands: FixedPartitionedSource[InRecord, Any],
    sink: FixedPartitionedSink[OutRecord, Any],
    publishes: bool = True,
) -> Dataflow:
    """The dataflow that the module draws. One that does not publish gives its sink dead letters alone; all else is in
    the memory's files already. Two kinds of sink must not share a step id.
    """
    flow = Dataflow("factstream")
    messages = KeptSource(messages, parts.layout.partitions("messages"))
    commands = KeptSource(commands, parts.layout.partitions("commands"))
    records = op.merge("inputs", op.input("messages", flow, messages), op.input("commands", flow, commands))
    decoded = op.flat_map_batch("decode", records, _decode(parts))
    sides = op.branch("rejects", decoded, lambda item: isinstance(item, Rejected))
    erasures = Erasures(parts.layout.erasures)
    keyed = op.flat_map_batch("shard", sides.falses, _keyed(parts))
    reflections = op.stateful_batch("windows", keyed, _windows(parts, erasures))
    extract = ExtractStep(parts.extractor, parts.embedder, parts.extraction, parts.observer)
    entries = op.flat_map_batch("extract", reflections, extract)
    outcomes = op.stateful_batch("memory", entries, _memory(parts, erasures))
    published = op.flat_map_batch("publish", outcomes, _publish(parts, publishes))
    dead = op.map("dead_letters", sides.trues, parts.dead_letter)
    out = op.map("address", op.merge("outputs", published, dead), _addressed)
    op.output("records" if publishes else "letters", out, sink)
    return flow


def _decode(parts: Parts) -> Callable[[list[InRecord]], list[Message | Command | Rejected]]:
    def decode(batch: list[InRecord]) -> list[Message | Command | Rejected]:
        started = perf_counter()
        out: list[Message | Command | Rejected] = []
        for record in batch:
            items: Sequence[Message | Command | Rejected] = parts.decoder.decode(record)
            if parts.ownership is not None:
                items = parts.ownership.mine(record, items)
            rejected = [item for item in items if isinstance(item, Rejected)]
            parts.guard.saw(rejected[0] if rejected else None)
            out.extend(items)
        parts.observer.measure("stage_seconds", perf_counter() - started, stage="decode")
        parts.observer.measure("batch_size", len(batch), stage="decode")
        return out

    return decode


def _publish(parts: Parts, publishes: bool) -> Callable[[list[tuple[str, Outcome]]], list[OutRecord]]:
    def publish_all(batch: list[tuple[str, Outcome]]) -> list[OutRecord]:
        started = perf_counter()
        records = [record for _, outcome in batch for record in publish(outcome)] if publishes else []
        now_seconds = time()
        for _, outcome in batch:
            for event in outcome.events:
                if event.event in ("ADD", "UPDATE", "REINFORCE"):
                    parts.observer.measure("message_to_fact_seconds", now_seconds - event.said_at_ms / 1000)
        parts.observer.measure("stage_seconds", perf_counter() - started, stage="publish")
        parts.observer.measure("batch_size", len(batch), stage="publish")
        return records

    return publish_all


def _key(shard: int) -> str:
    return f"shard-{shard:04d}"


def _keyed(parts: Parts) -> Callable[[list[Any]], list[tuple[str, Message | Command | Scrub]]]:
    """Each item to its user's shard; of an erase all others hear too, for a group has copies of what was said (F6)."""
    keys = [_key(shard) for shard in range(parts.shards)]

    def keyed(batch: list[Any]) -> list[tuple[str, Message | Command | Scrub]]:
        out: list[tuple[str, Message | Command | Scrub]] = []
        for item in batch:
            shard = shard_of(item.tenant, item.user_id, parts.shards)
            out.append((keys[shard], item))
            if type(item) is Command and item.command == "erase":
                what = item.tenant, item.user_id, item.command_id, item.sent_at_ms, item.allow_replay
                out.extend((keys[each], Scrub(each, *what)) for each in range(parts.shards) if each != shard)
        return out

    return keyed


def _windows(parts: Parts, erasures: Erasures) -> Callable[[Any], WindowStep]:
    def shard(item: Message | Command | Scrub) -> int:
        return item.shard if type(item) is Scrub else shard_of(item.tenant, item.user_id, parts.shards)

    def window(resume: Any) -> WindowStep:
        return WindowStep(
            parts.layout.windows,
            shard,
            parts.windows,
            parts.asks_memory,
            parts.observer,
            resume,
            erasures=erasures,
            shards=parts.shards,
        )

    return window


def _memory(parts: Parts, erasures: Erasures) -> Callable[[Any], ReconcileStep]:
    def memory(resume: Any) -> ReconcileStep:
        return ReconcileStep(
            parts.layout.memory,
            lambda entry: shard_of(entry.tenant, entry.user_id, parts.shards),
            parts.memory,
            parts.observer,
            resume,
            parts.judge,
            erasures=erasures,
            shards=parts.shards,
            embedder=parts.embedder,
        )

    return memory


def _addressed(record: OutRecord) -> tuple[str, OutRecord]:
    return record.partition_key.decode("utf-8", "surrogatepass") or record.key.hex(), record
