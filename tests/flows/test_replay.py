"""The verb replay: the live job's memory again, dry runs that touch nothing, and going on where it ended (S4, T4)."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from confluent_kafka import Producer

from flows import kafka
from flows.connectors.kafka_topics import TopicSpec, ensure_topics
from flows.lock import locked
from flows.memory import Memory
from flows.replay import RangeError, Request, dry_run, replay
from flows.settings import load
from state.layout import Layout, LayoutError
from tests.flows.test_kafka_job import PATIENCE_SECONDS, configuration, facts, scraped
from tests.kafka_broker import free_port, read_all
from tests.stub_kafka_job import stubbed

ROOT = Path(__file__).parents[2]
T0 = 1_770_000_000_000
MINUTE_MS = 60_000
TEXTS = (
    "I live in Berlin",
    "hi there",
    "I like tea",
    "I live in Munich",
    "I have a cat",
    "I like rain",
    "always smile",
)
USERS = [f"u{number}" for number in range(8)]


SHARDS = "[memory]\nshards = 4\n"


@pytest.fixture(autouse=True)
def stub_models() -> Iterator[None]:
    with stubbed():
        yield


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "few-shards.toml"
    path.write_text(SHARDS)
    return path


def message(number: int) -> dict[str, Any]:
    user = USERS[number * 3 % len(USERS)]
    return {
        "user_id": user,
        "conversation_id": f"{user}-{number // 60}",
        "message_id": f"m{number}",
        "role": "user",
        "text": TEXTS[number * 5 % len(TEXTS)],
        "sent_at": T0 + number * MINUTE_MS,
    }


def command(name: str, user: str, at: int, **more: str) -> dict[str, Any]:
    return {"command": name, "user_id": user, "sent_at": T0 + at * MINUTE_MS, **more}


MESSAGES = [message(number) for number in range(240)]
COMMANDS = [
    command("remember", "u1", 240, text="I like chess"),
    command("forget", "u2", 241, text="that I like tea"),
    *(command("flush", user, 242) for user in USERS),
]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def event_ids(state: Path) -> list[str]:
    with Memory(state) as memory:
        return sorted(event.event_id for event in memory.events())


def contents(state: Path) -> dict[str, Any]:
    """What every file of a state directory says; of databases their rows, for a reader may move those in the file."""
    found: dict[str, Any] = {}
    for path in sorted(path for path in state.rglob("*") if path.is_file()):
        if path.suffix in (".db", ".sqlite3"):
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
                found[path.name] = list(db.iterdump())
        elif not path.name.endswith(("-shm", "-wal")):
            found[path.name] = path.read_bytes()
    return found


def test_a_file_into_a_memory_that_knows_it_changes_nothing(tmp_path: Path, config: Path) -> None:
    """S4, T4"""
    source, state = write(tmp_path / "chat.jsonl", MESSAGES), tmp_path / "state"
    first = replay(load(config), config, state, Request((source,)))
    before = facts(state)
    again = replay(load(config), config, state, Request((write(tmp_path / "same.jsonl", MESSAGES),)))
    assert first.status == again.status == 0
    assert first.events["ADD"] > 20
    assert not again.events
    assert facts(state) == before


def test_a_dry_run_tells_what_would_be_added_and_touches_nothing(tmp_path: Path, config: Path) -> None:
    """S4"""
    state = tmp_path / "state"
    replay(load(config), config, state, Request((write(tmp_path / "old.jsonl", MESSAGES[:40]),)))
    more = [*MESSAGES[40:48], {**message(50), "user_id": "new", "text": "I have a dog"}]
    before = contents(state)
    found = dry_run(load(config), config, state, Request((write(tmp_path / "more.jsonl", more),)), fresh=False)
    assert not isinstance(found, int)
    assert ("new", "User has a dog") in {(row["user_id"], row["content"]) for row in found.added}
    assert {row["user_id"] for row in found.added} > {"new"}
    assert found.lost == []
    assert contents(state) == before
    assert [path.name for path in tmp_path.iterdir() if "dry-run" in path.name] == []


def test_a_fresh_dry_run_tells_what_would_be_lost_and_changed(tmp_path: Path, config: Path) -> None:
    """S4"""
    state = tmp_path / "state"
    lines = [message(1), {**message(2), "user_id": "u9", "text": "I live in Berlin"}]
    later = [*lines, {**message(3), "user_id": "u9", "text": "I live in Munich"}, {**message(4), "text": "I like jazz"}]
    replay(load(config), config, state, Request((write(tmp_path / "later.jsonl", later),)))
    found = dry_run(load(config), config, state, Request((write(tmp_path / "old.jsonl", lines),)), fresh=True)
    assert not isinstance(found, int)
    assert [row["content"] for row in found.lost] == ["User likes jazz"]
    assert [(b["content"], a["content"]) for b, a in found.changed] == [
        ("User lives in Munich", "User lives in Berlin")
    ]
    assert found.row()["counts"] == {"added": 0, "changed": 1, "lost": 1, "same": found.same}
    assert "content" in found.row()["changed"][0]["fields"]


def test_a_dry_run_needs_a_memory_and_a_replay_a_free_one(tmp_path: Path, config: Path) -> None:
    """S11"""
    request = Request((write(tmp_path / "chat.jsonl", MESSAGES[:5]),))
    with pytest.raises(LayoutError, match="no memory in"):
        dry_run(load(config), config, tmp_path / "none", request, fresh=True)
    with locked(tmp_path / "state" / "lock"), pytest.raises(LayoutError, match="in use by another job"):
        replay(load(config), config, tmp_path / "state", request)


@pytest.mark.parametrize("text", ["soon", "factstream.messages/0", "other/0=3", "factstream.messages/x=3"])
def test_a_place_that_is_none_is_named(text: str, tmp_path: Path) -> None:
    settings = load(None, {"FACTSTREAM__KAFKA__CLIENT__BOOTSTRAP_SERVERS": "127.0.0.1:1"})
    with pytest.raises(RangeError, match=r"--from .* expected"):
        replay(settings, None, tmp_path / "state", Request(start=text))


class Topics:
    """Topics of their own, with what is written to them, and the jobs that read them."""

    def __init__(self, folder: Path, address: str) -> None:
        self.prefix, self.address, self.folder = f"rp{uuid.uuid4().hex[:8]}", address, folder
        self.config = configuration(folder, address, self.prefix, free_port(), conversation_length=10)
        self.config.write_text(self.config.read_text() + SHARDS)
        self.settings = load(self.config)
        # Records of a time long gone would be deleted by the topic's retention, at whatever moment the broker looks.
        inputs = [f"{self.prefix}.{stream}" for stream in ("messages", "commands")]
        kept = [TopicSpec(topic, 4, 1, settings=(("retention.ms", "-1"),)) for topic in inputs]
        ensure_topics(self.settings.kafka.client, kept)
        ensure_topics(self.settings.kafka.client, kafka.topic_specs(self.settings))

    def write(self, messages: list[dict[str, Any]], commands: list[dict[str, Any]]) -> None:
        """Records carry the times at which they were sent, so that a replay meets them in that order."""
        producer = Producer({"bootstrap.servers": self.address, "partitioner": "murmur2"})
        for stream, rows in (("messages", messages), ("commands", commands)):
            for row in rows:
                producer.produce(
                    f"{self.prefix}.{stream}", orjson.dumps(row), row["user_id"].encode(), timestamp=row["sent_at"]
                )
        assert producer.flush(30) == 0

    def events(self) -> list[dict[str, Any]]:
        return [orjson.loads(record.value() or b"{}") for record in read_all(self.address, f"{self.prefix}.events")]

    def flushed(self) -> set[str]:
        return {row["user_id"] for row in self.events() if row["rule"] == "T3.flush"}

    @contextmanager
    def live(self, state: Path, config: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
        log = self.folder / f"{state.name}.log"
        with log.open("ab") as out:
            words = [sys.executable, "-m", "tests.stub_kafka_job", str(config or self.config), str(state)]
            process = subprocess.Popen(words, cwd=ROOT, stdout=out, stderr=out)
        try:
            yield process
            assert process.poll() is None, log.read_text()[-2000:]
            process.send_signal(signal.SIGTERM)
            process.wait(30)
        finally:
            process.kill()
            process.wait()

    def wait(self, process: subprocess.Popen[bytes], until: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not until():
            assert process.poll() is None, "\n".join(log.read_text()[-2000:] for log in self.folder.glob("*.log"))
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def has_read(self, messages: int, *ports: int) -> bool:
        return scraped(list(ports or [self.settings.metrics.port]), "batch_size_sum", stage="window") >= messages

    def replay(self, state: Path, **request: Any) -> Any:
        return replay(self.settings, self.config, state, Request(**request))


@pytest.mark.kafka
def test_replay_of_a_topic_gives_the_memory_of_the_live_job(kafka_address: str, tmp_path: Path) -> None:
    """S4, T4: the same facts and event ids, in a fresh memory beside it, while the live job holds its own"""
    topics, live, fresh = Topics(tmp_path, kafka_address), tmp_path / "live", tmp_path / "fresh"
    topics.write(MESSAGES, [])
    with topics.live(live) as process:
        topics.wait(process, lambda: topics.has_read(len(MESSAGES)))
        topics.write([], COMMANDS)
        topics.wait(process, lambda: topics.flushed() >= set(USERS))
        published = len(topics.events())
        with pytest.raises(LayoutError, match="in use"):
            topics.replay(live)
        done = topics.replay(fresh)
        assert len(topics.events()) == published  # a fresh memory publishes nothing of its own accord
    assert done.status == 0
    assert facts(fresh) == facts(live)
    assert event_ids(fresh) == event_ids(live)
    assert len(event_ids(live)) > 100
    assert not topics.replay(live).events  # nor does the live one learn anything from it


@pytest.mark.kafka
def test_a_live_job_goes_on_where_the_replay_ended(kafka_address: str, tmp_path: Path) -> None:
    """S4: a memory made by replay reads no record twice and misses none; replaying it again changes nothing"""
    topics, state, whole = Topics(tmp_path, kafka_address), tmp_path / "state", tmp_path / "whole"
    topics.write(MESSAGES[:120], [])
    assert topics.replay(state).status == 0
    before = set(event_ids(state))
    topics.write(MESSAGES[120:], [])
    with topics.live(state) as process:
        topics.wait(process, lambda: topics.has_read(len(MESSAGES[120:])))
        topics.write([], COMMANDS)  # a flush before the last messages would leave these in open windows
        topics.wait(process, lambda: topics.flushed() >= set(USERS))
        assert topics.has_read(len(MESSAGES[120:]) + len(COMMANDS))
        assert not topics.has_read(len(MESSAGES[120:]) + len(COMMANDS) + 1)
    assert topics.replay(whole, end="now").status == 0
    assert {user: active(rows) for user, rows in facts(state).items()} == {
        user: active(rows) for user, rows in facts(whole).items()
    }
    assert not before & {row["event_id"] for row in topics.events()}  # what the replay found is not published
    assert not Layout(state).replay.exists()


def active(rows: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    return {(row["content"], row["kind"], row["valid_from"]) for row in rows if row["status"] == "active"}


@pytest.mark.kafka
def test_a_part_of_a_topic_by_time_or_by_offset(kafka_address: str, tmp_path: Path, config: Path) -> None:
    """S4: what comes before its start or after its end is left"""
    topics = Topics(tmp_path, kafka_address)
    topics.write(MESSAGES, [])
    middle = MESSAGES[100]["sent_at"]
    iso = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(middle / 1000))
    topics.replay(tmp_path / "first", end=iso)
    topics.replay(tmp_path / "second", start=iso)
    expected = replay(load(config), config, tmp_path / "file", Request((write(tmp_path / "a.jsonl", MESSAGES[:100]),)))
    assert expected.status == 0
    assert facts(tmp_path / "first") == facts(tmp_path / "file")
    with Memory(tmp_path / "second") as memory:
        seen = {source.message_id for user in memory.users() for f in memory.facts(user, "all") for source in f.sources}
    assert seen <= {row["message_id"] for row in MESSAGES[100:]}
    ends = ",".join(f"{topics.prefix}.messages/{partition}=2" for partition in range(4))
    small = topics.replay(tmp_path / "small", end=ends)
    assert 0 < small.events["ADD"] <= 8
