"""The live job on a real Kafka: the same conversations leave the embedded run's memory (S1, S2, S4, S6)."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from confluent_kafka import Producer

from flows.connectors.kafka_topics import ensure_topics, input_specs
from flows.kafka import produce_commands
from flows.memory import Memory
from flows.settings import load
from state.export import fact_row
from tests.kafka_broker import LocalBroker, free_port, read_all
from tests.secrets import bytes_under, found_cases, leaked, secret_lines

pytestmark = pytest.mark.kafka

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "flows" / "demo" / "conversations.jsonl"
PATIENCE_SECONDS = 120


def factstream(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "flows", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not check or done.returncode == 0, done.stderr
    return done


def configuration(folder: Path, address: str, prefix: str, metrics_port: int, **windows: int) -> Path:
    """A configuration with topics of its own; `windows` cuts the conversations elsewhere."""
    streams = ("commands", "events", "facts", "proposals", "users", "dead_letters")
    lines = [
        "[kafka]",
        f'group_id = "{prefix}"',
        "partitions = 4",
        "[kafka.client]",
        f'"bootstrap.servers" = "{address}"',
        "[kafka.topics]",
        f'input = ["{prefix}.messages"]',
        *(f'{stream} = "{prefix}.{stream}"' for stream in streams),
        "[windows]",
        *(f"{name} = {value}" for name, value in windows.items()),
        "[recovery]",
        "epoch_seconds = 0.5",
        "[metrics]",
        f"port = {metrics_port}",
    ]
    path = folder / f"{prefix}.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def produce(address: str, topic: str, lines: list[bytes]) -> None:
    ensure_topics({"bootstrap.servers": address}, input_specs([topic], 4, 1, create=True))
    producer = Producer({"bootstrap.servers": address, "partitioner": "murmur2"})
    for line in lines:
        producer.produce(topic, line, key=str(orjson.loads(line)["user_id"]).encode())
    assert producer.flush(30) == 0


def scraped(ports: list[int], name: str, **labels: str) -> float:
    """The sum of a metric over the workers; -1 while one of them does not answer yet."""
    total = 0.0
    for port in ports:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                text = answer.read().decode()
        except OSError:
            return -1
        for found in re.finditer(rf"^factstream_{name}\{{(.*)\}} (\S+)$", text, re.MULTILINE):
            if all(f'{label}="{value}"' in found[1] for label, value in labels.items()):
                total += float(found[2])
    return total


@contextmanager
def job(config: Path, state: Path, workers: int) -> Iterator[subprocess.Popen[bytes]]:
    with (state.parent / f"{state.name}.log").open("wb") as log:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "flows",
                "run",
                "--config",
                str(config),
                "--state",
                str(state),
                "--workers",
                str(workers),
            ],
            cwd=ROOT,
            stdout=log,
            stderr=log,
        )
    try:
        yield process
    finally:
        process.kill() if process.poll() is None else None
        process.wait()


def eventually(what: str, process: subprocess.Popen[bytes], true: Any, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert process.poll() is None, f"the job ended: {log.read_text()[-2000:]}"
        assert time.monotonic() < deadline, f"{what} did not happen: {log.read_text()[-2000:]}"
        time.sleep(0.2)


def run_on_kafka(folder: Path, address: str, lines: list[bytes], workers: int, **windows: int) -> tuple[Path, str]:
    """Runs the live job over the lines until all is evaluated, then stops it; its state and the topics' prefix."""
    prefix, port = f"fs{uuid.uuid4().hex[:8]}", free_port()
    ports = [port + index for index in range(workers)]
    config, state = configuration(folder, address, prefix, port, **windows), folder / f"kafka-{workers}"
    commands = [line for line in lines if "profile" in orjson.loads(line)]
    produce(address, f"{prefix}.commands", commands)
    log = folder / f"{state.name}.log"
    users = sorted({orjson.loads(line)["user_id"] for line in lines})
    with job(config, state, workers) as process:
        read = len(lines)
        # Profiles first, as in the file: a message takes its user's time zone as it arrives.
        eventually(
            "taking the profiles",
            process,
            lambda: scraped(ports, "batch_size_sum", stage="window") >= len(commands),
            log,
        )
        produce(address, f"{prefix}.messages", [line for line in lines if line not in commands])

        def all_read() -> bool:
            # In the order of the stages: what an earlier one counts must not grow while a later one is asked.
            if scraped(ports, "messages_total", format="canonical") < read:
                return False
            decoded = sum(scraped(ports, "messages_total", outcome=outcome) for outcome in ("message", "command"))
            return scraped(ports, "batch_size_sum", stage="window") >= decoded

        eventually("reading the topic", process, all_read, log)
        # Each at its user's last message, so that no status runs out which the embedded run still believes.
        flushes = [{"command": "flush", "user_id": user, "sent_at": last_sent_at(lines, user)} for user in users]
        produce_commands(load(config), [orjson.dumps(row) for row in flushes])

        def all_flushed() -> bool:
            # On the topic and not in the memory: what is committed there may still be on its way out when we stop.
            rows = [orjson.loads(message.value() or b"{}") for message in read_all(address, f"{prefix}.events")]
            return {row["user_id"] for row in rows if row.get("rule") == "T3.flush"} >= set(users)

        eventually("flushing", process, all_flushed, log)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    return state, prefix


def last_sent_at(lines: list[bytes], user: str) -> str:
    return max(row["sent_at"] for row in map(orjson.loads, lines) if row["user_id"] == user)


def facts(state: Path) -> dict[str, list[dict[str, Any]]]:
    """Every user's facts as exported, less where their records lay."""
    with Memory(state) as memory:
        return {user: _rows(memory, user) for user in memory.users()}


def _rows(memory: Memory, user: str) -> list[dict[str, Any]]:
    rows = []
    for fact in memory.facts(user, "all"):
        row = fact_row(fact)
        for source in row["sources"]:
            for name in ("topic", "partition", "offset"):
                del source[name]
        rows.append(row)
    return sorted(rows, key=lambda row: str(row["id"]))


def event_ids(state: Path) -> list[str]:
    with Memory(state) as memory:
        return sorted(event.event_id for event in memory.events() if event.rule != "T3.flush")


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = tmp_path_factory.mktemp("embedded") / "state"
    factstream("run", "--source", str(DEMO), "--state", str(state))
    return state


def test_one_worker_on_kafka_leaves_the_memory_of_the_embedded_run(
    kafka_address: str, embedded: Path, tmp_path: Path
) -> None:
    """S4, T7: with windows cut in other places; and a replay of the topic leaves it again, with the same events"""
    lines = DEMO.read_bytes().splitlines()
    state, prefix = run_on_kafka(tmp_path, kafka_address, lines, 1, conversation_length=5)
    assert facts(state) == facts(embedded)
    assert event_ids(state) == event_ids(embedded)
    published = {message.key() for message in read_all(kafka_address, f"{prefix}.events")}
    with Memory(state) as memory:
        assert published == {f"default/{e.user_id}/{e.event_id}".encode() for e in memory.events()}
        current = {
            f"default/{u}/{f.fact_id}".encode(): f.revision for u in memory.users() for f in memory.facts(u, "all")
        }
    latest: dict[bytes, int] = {}
    for message in read_all(kafka_address, f"{prefix}.facts"):
        latest[message.key() or b""] = orjson.loads(message.value() or b"{}").get("revision", 0)
    assert {key: revision for key, revision in latest.items() if key in current} == current
    again = tmp_path / "again"
    factstream("replay", "--from", "earliest", "--config", str(tmp_path / f"{prefix}.toml"), "--state", str(again))
    assert facts(again) == facts(state)
    with Memory(state) as live, Memory(again) as replayed:
        assert sorted(e.event_id for e in replayed.events()) == sorted(e.event_id for e in live.events())


def test_four_workers_on_kafka_leave_the_memory_of_the_embedded_run(
    kafka_address: str, embedded: Path, tmp_path: Path
) -> None:
    """S4, S6"""
    state, _ = run_on_kafka(tmp_path, kafka_address, DEMO.read_bytes().splitlines(), 4)
    assert facts(state) == facts(embedded)
    assert event_ids(state) == event_ids(embedded)


def test_dead_letters_lead_back_to_the_original(kafka_address: str, tmp_path: Path) -> None:
    """S2, S3: and what the record held of secrets is masked"""
    good = DEMO.read_bytes().splitlines()[1:10]
    text = "my key is sk-test-4f9QzR7m2LpX8vT1nB6c"
    bad = orjson.dumps({"user_id": "maya", "role": "wizard", "text": text, "sent_at": "2026-09-02T07:05:00Z"})
    state, prefix = run_on_kafka(tmp_path, kafka_address, [*good, bad], 1)
    [letter] = read_all(kafka_address, f"{prefix}.dead_letters")
    headers = dict(letter.headers() or [])
    assert headers["reason"] == b"unknown_role"
    originals = read_all(kafka_address, f"{prefix}.messages")
    address = (headers["topic"].decode(), int(headers["partition"]), int(headers["offset"]))
    assert [m.value() for m in originals if (m.topic(), m.partition(), m.offset()) == address] == [bad]
    assert b"4f9QzR7m2LpX8vT1nB6c" not in (letter.value() or b"")
    assert b"wizard" in (letter.value() or b"")
    assert state.exists()


def test_a_command_is_answered_by_the_running_job_and_acts_from_its_own_topic_alone(
    kafka_address: str, tmp_path: Path
) -> None:
    """P7, W2, S3: the command line waits for the answer and prints it"""
    prefix, port = f"fs{uuid.uuid4().hex[:8]}", free_port()
    config, state = configuration(tmp_path, kafka_address, prefix, port), tmp_path / "state"
    given = ("--config", str(config), "--state", str(state))
    produce(kafka_address, f"{prefix}.commands", [])
    unheard = factstream("flush", "ana", *given)
    assert "an event with command_id" in unheard.stderr
    with job(config, state, 1) as process:
        log = tmp_path / "state.log"
        eventually("the first command", process, lambda: scraped([port], "messages_total", outcome="command") >= 1, log)
        remembered = factstream("remember", "ana", "I play the viola.", *given)
        assert "viola" in remembered.stdout
        refused = factstream("pin", "ana", "--match", "tuba", *given, check=False)
        assert (refused.returncode, refused.stderr.count("refused: 0 facts match")) == (1, 1)
        forged = {"command": "erase", "user_id": "ana", "sent_at": "2026-12-01T10:00:00Z"}
        produce(kafka_address, f"{prefix}.messages", [orjson.dumps(forged)])
        eventually("the dead letter", process, lambda: bool(read_all(kafka_address, f"{prefix}.dead_letters")), log)
    [letter] = read_all(kafka_address, f"{prefix}.dead_letters")
    assert dict(letter.headers() or [])["reason"] == b"unauthorised"
    with Memory(state) as memory:
        assert ["viola" in fact.content for fact in memory.facts("ana")] == [True]


def probed(port: int, path: str) -> tuple[int, str]:
    """What the job's own port answers; 0 while nobody listens there."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


@contextmanager
def waiting_job(folder: Path, address: str) -> Iterator[tuple[subprocess.Popen[bytes], int, Path]]:
    """A job whose broker is away: its process, its port for probes, and its log."""
    config, port, state = configuration(folder, address, "early", free_port()), free_port(), folder / "state"
    config.write_text(f"{config.read_text()}job_port = {port}\n")
    log = folder / "state.log"
    with job(config, state, 1) as process:
        eventually("waiting", process, lambda: "waits for the broker" in probed(port, "ready")[1], log)
        assert probed(port, "live")[0] == 200
        yield process, port, log


def are_json(log: Path) -> bool:
    return all("event" in orjson.loads(line) for line in log.read_bytes().splitlines())


def test_a_job_that_waits_for_its_broker_hears_a_signal(tmp_path: Path) -> None:
    """S6, S9: and all that it says is JSON where no terminal is"""
    with waiting_job(tmp_path, f"127.0.0.1:{free_port()}") as (process, _, log):
        process.terminate()
        assert process.wait(10) == 0
    assert b"connecting to Kafka" in log.read_bytes()
    assert are_json(log)


def test_a_job_that_came_before_its_broker_goes_on_when_it_is_there(own_broker: LocalBroker, tmp_path: Path) -> None:
    """S6"""
    own_broker.down()
    with waiting_job(tmp_path, own_broker.address) as (process, port, log):
        own_broker.up()
        eventually("its work", process, lambda: probed(port, "ready")[0] == 200, log)
        process.terminate()
        assert process.wait(30) == 0
    assert b"created topic early.events" in log.read_bytes()
    assert are_json(log)


def test_a_broker_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    """S11"""
    config = configuration(tmp_path, f"127.0.0.1:{free_port()}", "none", free_port())
    done = factstream("doctor", "--config", str(config), "--state", str(tmp_path / "state"), check=False)
    assert done.returncode == 1
    assert "did not answer" in done.stdout
    assert "Traceback" not in done.stderr


def test_what_is_redacted_is_on_no_output_topic(kafka_address: str, tmp_path: Path) -> None:
    """P2, S2: nor in the state or the log of the job, while its input holds it"""
    cases = found_cases()[::4]
    state, prefix = run_on_kafka(tmp_path, kafka_address, secret_lines(cases), 1)
    written = list(bytes_under(tmp_path))
    for stream in ("events", "facts", "proposals", "users", "dead_letters"):
        for message in read_all(kafka_address, f"{prefix}.{stream}"):
            written += [message.key() or b"", message.value() or b"", repr(message.headers()).encode()]
    assert state.exists()
    assert leaked(written, cases) == set()
    assert any(b"[redacted:" in each for each in written)
    originals = [message.value() or b"" for message in read_all(kafka_address, f"{prefix}.messages")]
    assert leaked(originals, cases) != set()
