"""An erase of the live job on a real Kafka: compaction leaves nothing of the user, and an event tells the end (F6)."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.kafka import produce_commands
from flows.memory import Memory
from flows.settings import load
from state.erasures import Erasures
from state.layout import Layout
from state.traces import search
from tests.flows.test_kafka_job import configuration, eventually, factstream, job, produce, scraped
from tests.kafka_broker import free_port, read_all

pytestmark = pytest.mark.kafka

WHO = "anastasia"
SAID = ("I live in Graz.", "My name is Ilka and I work as a beekeeper.", "From now on, always answer me in French.")
STREAMS = ("events", "facts", "proposals", "users")


def lines() -> list[bytes]:
    return [
        orjson.dumps(
            {
                "user_id": user,
                "conversation_id": "c1",
                "message_id": f"{user}-{i}",
                "role": "user",
                "text": text,
                "sent_at": f"2026-03-01T10:0{i}:00Z",
            }
        )
        for user in (WHO, "ben")
        for i, text in enumerate(SAID)
    ]


def compacted(address: str, topic: str) -> dict[bytes, bytes]:
    """What compaction leaves: the last record of each key, less the null records."""
    last: dict[bytes, bytes | None] = {message.key() or b"": message.value() for message in read_all(address, topic)}
    return {key: value for key, value in last.items() if value}


def command(name: str, user: str, at: str) -> bytes:
    return orjson.dumps({"command": name, "user_id": user, "sent_at": at, "command_id": f"{name}-{user}"})


def test_a_consumer_of_compacted_topics_sees_nothing_of_an_erased_user(kafka_address: str, tmp_path: Path) -> None:
    """F6, S2: but the events that tell consumers of the erase; the others' records are as they were"""
    prefix, port = f"fs{uuid.uuid4().hex[:8]}", free_port()
    config, state = configuration(tmp_path, kafka_address, prefix, port), tmp_path / "kafka"
    produce(kafka_address, f"{prefix}.messages", lines())
    log, settings = tmp_path / "kafka.log", load(config)
    layout = Layout(state)
    with job(config, state, 1) as process:

        def answered(rule: str, user: str) -> bool:
            rows = [orjson.loads(record) for record in compacted(kafka_address, f"{prefix}.events").values()]
            return any((row["rule"], row["user_id"]) == (rule, user) for row in rows)

        eventually("reading", process, lambda: scraped([port], "messages_total", outcome="message") >= 6, log)
        produce_commands(settings, [command("flush", user, "2026-03-01T11:00:00Z") for user in (WHO, "ben")])
        eventually("flushing", process, lambda: all(answered("T3.flush", user) for user in (WHO, "ben")), log)
        before = {stream: compacted(kafka_address, f"{prefix}.{stream}") for stream in STREAMS}
        factstream("snapshot", "--config", str(config), "--state", str(state))
        produce_commands(settings, [command("erase", WHO, "2026-03-02T10:00:00Z")])
        eventually("erasing", process, lambda: answered("F6.done", WHO), log)
        after = {stream: compacted(kafka_address, f"{prefix}.{stream}") for stream in STREAMS}
        [erasure] = Erasures(layout.erasures).of(f"default/{WHO}")
        produce(kafka_address, f"{prefix}.messages", lines()[:3])  # the old topic once more
        eventually("replaying", process, lambda: scraped([port], "messages_total", outcome="erased") >= 3, log)
        produce_commands(settings, [command("flush", WHO, "2026-03-03T10:00:00Z")])
        eventually("flushing again", process, lambda: answered("T3.flush", WHO), log)
    check(before, after)
    assert (erasure.done_ms is not None, erasure.user_id, erasure.waiting) == (True, None, ())
    with Memory(state) as memory:
        assert memory.facts(WHO, "all") == []
    rows = [trace for trace in search(layout, "default", WHO) if trace.kind == "row"]
    assert {(re.sub(r"\d+", "N", trace.file), trace.what) for trace in rows} <= {
        ("shards/memory-N.db", "log"),
        ("shards/memory-N.db", "event"),
    }  # of the flush afterwards


def check(before: dict[str, dict[bytes, bytes]], after: dict[str, dict[bytes, bytes]]) -> None:
    for stream in STREAMS:
        hers, others = split(before[stream])
        assert hers, stream
        left, others_after = split(after[stream])
        assert others_after == others, stream
        rows: list[dict[str, Any]] = [orjson.loads(value) for value in left.values()]
        assert [(row["event"], row["fact"]) for row in rows] == [("ERASE", None)] * len(rows)
        assert {row["rule"] for row in rows} == ({"F6.erase", "F6.done"} if stream == "events" else set())


def split(records: dict[bytes, bytes]) -> tuple[dict[bytes, bytes], dict[bytes, bytes]]:
    hers = {key: value for key, value in records.items() if WHO.encode() in key or WHO.encode() in value}
    return hers, {key: value for key, value in records.items() if key not in hers}
