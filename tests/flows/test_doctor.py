"""The doctor finds what would keep a job from running, and says what to do (S11)."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient

from flows import doctor, instances, kafka
from flows.connectors.kafka_topics import ensure_topics
from flows.findings import Finding
from flows.lock import locked
from flows.replay import Request, replay
from flows.settings import Settings, load
from tests.flows.test_kafka_job import configuration
from tests.flows.test_replay import MESSAGES, write
from tests.kafka_broker import create_topic, free_port, produce
from tests.stub_kafka_job import stubbed


@pytest.fixture(autouse=True)
def stub_models(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("flows.doctor._models", list)
    with stubbed():
        yield


def quiet(shards: int = 4, **more: str) -> Settings:
    """Settings with a free port for metrics and few shards."""
    environ = {"FACTSTREAM__METRICS__PORT": str(free_port()), "FACTSTREAM__MEMORY__SHARDS": str(shards), **more}
    return load(None, environ)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    config = tmp_path / "config.toml"
    config.write_text("[memory]\nshards = 4\n")
    replay(load(config), config, tmp_path / "state", Request((write(tmp_path / "a.jsonl", MESSAGES[:40]),)))
    return tmp_path / "state"


def bad(findings: list[Finding]) -> dict[str, str]:
    assert all(finding.remedy for finding in findings if not finding.good)
    return {finding.what: finding.found for finding in findings if not finding.good}


def test_nothing_is_wrong_with_a_sound_memory(state: Path) -> None:
    findings = doctor.examine(quiet(), state)
    assert bad(findings) == {}
    assert {"state", "lock", "recovery store", "disk", "file system", "fsync", "file locks", "metrics port"} <= {
        finding.what for finding in findings
    }


def test_the_models_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    [found] = doctor._models()
    assert found.good
    monkeypatch.setattr("models.extractor.Extractor.extract", lambda self, given: [type("No", (), {"claims": ()})()])
    [found] = doctor._models()
    assert "gives no claim" in found.found
    monkeypatch.setattr("models.embedder.Embedder.embed", lambda self, texts: 1 / 0)
    [found] = doctor._models()
    assert "git checkout models" in found.remedy


def test_a_shard_that_does_not_go_with_the_recovery_store_is_found(state: Path) -> None:
    """S11"""
    path = max((state / "shards").glob("memory-*.db"))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update meta set lineage = 'other'")
    assert "two different memories" in bad(doctor.examine(quiet(), state))["recovery store"]
    (state / "recovery" / "part-3.sqlite3").unlink()
    assert "part of it was lost" in bad(doctor.examine(quiet(), state))["recovery store"]
    (state / "recovery" / "identity.json").unlink()
    assert "is missing" in bad(doctor.examine(quiet(), state))["recovery store"]


def test_a_damaged_shard_is_found(state: Path) -> None:
    path = max((state / "shards").glob("memory-*.db"), key=lambda each: each.stat().st_size)
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
        size = db.execute("pragma page_size").fetchone()[0]
        [page] = db.execute("select rootpage from sqlite_master where name = 'fact'").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    found = bad(doctor.examine(quiet(), state))
    assert path.name in found


def test_a_check_that_breaks_off_is_told_beside_the_others(state: Path) -> None:
    """S11: a damaged file is a finding, not the end of doctor"""
    (state / "identity.json").write_text("junk")
    found = doctor.examine(quiet(), state)
    assert any(not each.good and "identity.json is damaged" in each.found for each in found)
    assert any(each.good and each.what == "disk" for each in found)


def test_other_shards_more_workers_and_taken_ports_are_found(state: Path) -> None:
    settings = quiet(shards=8)
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", settings.metrics.port + 1))
        taken.listen()
        found = bad(doctor.examine(settings, state, workers=17))
        assert "made with 4 shards" in found["state"]
        assert found["recovery partitions"] == "16 for 17 workers"
        assert found["metrics port"] == f"{settings.metrics.port + 1} is taken"
        of_job = replace(settings, metrics=replace(settings.metrics, job_port=settings.metrics.port + 1))
        assert bad(doctor.examine(of_job, state))["metrics port"] == f"{settings.metrics.port + 1} is taken"
        with locked(state / "lock"):  # then it is the job itself that has the port
            assert "metrics port" not in bad(doctor.examine(settings, state, workers=2))


def test_a_remote_file_system_is_told_from_a_local_one(tmp_path: Path) -> None:
    """S6: no state over a network"""
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda / ext4 rw 0 0\nserver:/x /mnt/data nfs4 rw 0 0\n/dev/sdb /mnt/data/own xfs rw 0 0\n"
        "server:/y /mnt/with\\040blank cifs rw 0 0\n"
    )
    kinds = {
        "/var/lib": "ext4",
        "/mnt/data/a": "nfs4",
        "/mnt/data/own/a": "xfs",
        "/mnt/database": "ext4",
        "/mnt/with blank": "cifs",
    }
    assert {path: doctor.filesystem(Path(path), mounts) for path in kinds} == kinds
    assert doctor.filesystem(Path("/"), tmp_path / "none") == ""


@pytest.mark.kafka
def test_what_is_amiss_with_the_topics_is_found(kafka_address: str, tmp_path: Path) -> None:
    """S11: partitions, clock, expired offsets, another instance's directory"""
    name = create_topic(kafka_address, partitions=1)
    config = configuration(tmp_path, kafka_address, name, free_port())
    config.write_text(config.read_text().replace(f'"{name}.messages"', f'"{name}"') + "[memory]\nshards = 4\n")
    settings, state = load(config), tmp_path / "state"
    assert bad(doctor.examine(settings, state)) == {}
    ensure_topics(settings.kafka.client, kafka.topic_specs(settings))
    produce(kafka_address, name, [b"{}"] * 10)
    assert replay(settings, config, state, Request(publish=False)).status == 0
    assert bad(doctor.examine(settings, state)) == {}
    # As after a live run that read four records, of which two more expired since.
    positions = {("messages", f"{name}/0"): 4}
    admin = AdminClient({"bootstrap.servers": kafka_address})
    for future in admin.delete_records([TopicPartition(name, 0, 6)]).values():
        future.result()
    produce(kafka_address, name, [b"{}"], timestamp=int(time.time() * 1000) + 3_600_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flows.doctor_broker.resume_states", lambda recovery: positions)
        found = bad(doctor.examine(settings, state, workers=2))
        assert "2 records expired unread" in found[f"offset of {name}/0"]
        positions["messages", f"{name}/0"] = 40
        assert "made anew or truncated" in bad(doctor.examine(settings, state))[f"offset of {name}/0"]
    assert "ahead of this machine's clock" in found["clock"]
    assert found["partitions"] == "1 of input for 2 workers"
    other = instances.chosen(settings, "2/2")
    assert "expected at least one an instance" in bad(doctor.examine(other, state))["instance"]
