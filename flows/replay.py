"""The verb replay: a bounded backfill from files or from Kafka, into this memory or one beside it (S4, T4, F7).

Into a memory it knows, a replay is idempotent: messages seen are skipped, entries of the log are not folded twice.
A dry run replays into a copy, or with `fresh` into an empty memory, and tells how that differs from the memory.
"""

from __future__ import annotations

import tempfile
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import orjson
import structlog

from flows import handover, instances, kafka
from flows.backup import copy_state
from flows.connectors.kafka_replay import Lane, ReplayPlan
from flows.connectors.kafka_source import AtOffsets, AtTimestamp, Bounds, StartAt
from flows.connectors.kafka_topics import ensure_topics
from flows.difference import Difference, compare, marks
from flows.job import open_state
from flows.lock import locked
from flows.memory import Memory
from flows.run import run_to_end
from flows.settings import Settings, SettingsError
from flows.spec import JobSpec
from state.export import parse_iso
from state.facts import EventName
from state.layout import Layout, read_identity, write_durably

log = structlog.get_logger("factstream.replay")


class RangeError(ValueError):
    """A --from or --to that names no place in the topics (exit status 2)."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to replay: files, or what Kafka's topics hold between two places, each in words of the command line.

    `publish` None publishes what is found if the memory is one that a live job has read into.
    """

    sources: tuple[Path, ...] = ()
    start: str = "earliest"
    end: str = "now"
    workers: int = 1
    publish: bool | None = None
    metrics_port: int | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of a replay: the exit status, and how many events of each kind it made."""

    status: int
    events: Counter[EventName]
    pending: int


def replay(settings: Settings, config: Path | None, state: Path, request: Request) -> Replayed:
    """Replays into the memory in `state`, which is made where there is none. Raises RangeError, SettingsError,
    LayoutError and what ends a run."""
    spec = _spec(settings, config, state, request)
    layout = Layout(state)
    with locked(layout.lock) as lock:
        open_state(settings, str(state))
        with Memory(state, tenant=None) as memory:
            before = memory.marks()
        status = run_to_end(spec, lock) if spec.embedded else _from_kafka(settings, spec, request, lock)
        with Memory(state, tenant=None) as memory:
            events = Counter(event.event for event in memory.events_since(before))
            return Replayed(status, events, memory.waiting())


def dry_run(settings: Settings, config: Path | None, state: Path, request: Request, fresh: bool) -> Difference | int:
    """How a replay would leave the memory in `state`, which it does not touch; or the exit status where it failed.

    Raises what `replay` raises, and LayoutError where there is no memory.
    """
    layout = Layout(state)
    read_identity(layout)
    with _beside(state) as beside:
        if fresh:
            before, at = layout, marks(layout)
        else:
            copy_state(layout, Layout(beside))
            Layout(beside).replay.unlink(missing_ok=True)
            before, at = Layout(beside), marks(Layout(beside))
        done = replay(settings, config, beside, replace(request, publish=False))
        return compare(before, at, Layout(beside)) if done.status == 0 else done.status


@contextmanager
def _beside(state: Path) -> Iterator[Path]:
    """A place on the same disk for a memory that goes again."""
    with tempfile.TemporaryDirectory(prefix=f".{state.name}-dry-run-", dir=state.absolute().parent) as folder:
        yield Path(folder) / "state"


def _spec(settings: Settings, config: Path | None, state: Path, request: Request) -> JobSpec:
    for source in request.sources:
        if not source.is_file():
            raise SettingsError(f"--source {source}: no such file; give an existing JSONL file")
    _start(settings, request.start)
    _end(settings, request.end)
    if not request.sources and not kafka.configured(settings):
        raise SettingsError(
            'nothing to replay: give --source FILE.jsonl, or set kafka.client "bootstrap.servers" in the configuration'
            " (or FACTSTREAM__KAFKA__CLIENT__BOOTSTRAP_SERVERS)"
        )
    return JobSpec(
        str(state),
        str(config) if config else None,
        tuple(str(source) for source in request.sources),
        workers=request.workers,
        metrics_port=request.metrics_port,
    )


def _from_kafka(settings: Settings, spec: JobSpec, request: Request, lock: int) -> int:
    layout, topics = Layout(Path(spec.state)), settings.kafka.topics.input
    instances.bind(settings, layout)
    live = handover.was_live(layout, topics)
    publish = live if request.publish is None else request.publish
    plan = _plan(settings, layout, request)
    if publish:
        ensure_topics(settings.kafka.client, kafka.topic_specs(settings))
    log.info(
        "replay.begins",
        records=plan.offsets,
        partitions=len(plan.lanes),
        published=publish,
        note="" if publish else "what it finds stays in the memory; --publish puts it on the topics",
    )
    status = run_to_end(replace(spec, replay=plan, publish=publish), lock)
    if status == 0:
        if not live:
            handover.hand_over(layout, plan.lanes)
        layout.replay.unlink()
    return status


def _plan(settings: Settings, layout: Layout, request: Request) -> ReplayPlan:
    """The plan of this request: one that was interrupted goes on, else places are looked up now and written down."""
    asked = [request.start, request.end, *settings.kafka.topics.input, settings.kafka.topics.commands]
    if layout.replay.exists():
        row = orjson.loads(layout.replay.read_bytes())
        if row["asked"] == asked:
            return ReplayPlan(row["replay_id"], tuple(Lane(**lane) for lane in row["lanes"]))
        log.warning("replay.replaced", interrupted=row["asked"][:2], note="an interrupted replay of another range ends")
    start, end = _start(settings, request.start), _end(settings, request.end)
    plan = ReplayPlan(uuid.uuid4().hex, kafka.replay_lanes(settings, start, end, instances.ownership(layout)))
    write_durably(layout.replay, orjson.dumps({"asked": asked, **asdict(plan)}))
    return plan


def _start(settings: Settings, text: str) -> StartAt:
    return "earliest" if text == "earliest" else _place(settings, text, "--from", "earliest")


def _end(settings: Settings, text: str) -> Bounds:
    return Bounds() if text == "now" else Bounds(_place(settings, text, "--to", "now"))


def _place(settings: Settings, text: str, option: str, word: str) -> AtTimestamp | AtOffsets:
    if "=" in text:
        return AtOffsets(dict(_offset(settings, part, option) for part in text.split(",")))
    try:
        return AtTimestamp(parse_iso(text))
    except ValueError:
        raise RangeError(
            f"{option} is {text!r}; expected {word}, a time such as 2026-03-01T10:00:00Z, or offsets such as"
            f" {settings.kafka.topics.input[0]}/0=1200,{settings.kafka.topics.input[0]}/1=900"
        ) from None


def _offset(settings: Settings, part: str, option: str) -> tuple[tuple[str, int], int]:
    name, _, offset = part.partition("=")
    topic, _, partition = name.strip().rpartition("/")
    known = (*settings.kafka.topics.input, settings.kafka.topics.commands)
    if topic not in known or not partition.isdecimal() or not offset.strip().isdecimal():
        raise RangeError(f"{option} names {part!r}; expected TOPIC/PARTITION=OFFSET with a topic of {', '.join(known)}")
    return (topic, int(partition)), int(offset)
