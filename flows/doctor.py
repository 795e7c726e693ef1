"""The verb doctor: what could keep the job from running, each finding with its remedy (S11)."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flows import kafka
from flows.connectors.kafka_topics import KafkaProblem, check_topics
from flows.lock import locked
from flows.settings import Settings
from state.layout import Layout, LayoutError, read_identity
from state.memory_store import read_only

_DISK_BYTES_MIN = 1_000_000_000
_BROKER_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `remedy` says what to do where it is not good."""

    what: str
    good: bool
    found: str
    remedy: str = ""


def examine(settings: Settings, state: Path) -> list[Finding]:
    """Looks at everything; changes nothing."""
    checks: list[Callable[[], list[Finding]]] = [
        lambda: [Finding("configuration", True, "valid")],
        _models,
        lambda: _state(settings, Layout(state)),
        lambda: _disk(state),
        lambda: _port(settings),
        lambda: _broker(settings),
    ]
    return [finding for check in checks for finding in check()]


def _models() -> list[Finding]:
    from models.embedder import Embedder
    from models.extractor import Extractor

    try:
        versions = f"{Embedder().version}, {Extractor().version}"
    except Exception as error:  # whatever the runtime raises for a broken file, the remedy is the same
        return [Finding("models", False, str(error), "put models/weights back as released (git checkout models)")]
    return [Finding("models", True, versions)]


def _state(settings: Settings, layout: Layout) -> list[Finding]:
    if not layout.identity_path.exists():
        return [Finding("state", True, f"{layout.root}: none yet, the job makes it")]
    try:
        identity = read_identity(layout)
        if identity.shards != settings.memory.shards:
            raise LayoutError(
                f"made with {identity.shards} shards, memory.shards is {settings.memory.shards}: set it to"
                f" {identity.shards}"
            )
        if not (layout.recovery / "identity.json").exists():
            raise LayoutError(f"{layout.recovery} is missing: restore a snapshot that has it")
    except LayoutError as error:
        return [Finding("state", False, str(error), "see the message")]
    findings = [Finding("state", True, f"{layout.root}, {identity.shards} shards, id {identity.state_id[:8]}")]
    for path in sorted((layout.root / "shards").glob("memory-*.db")):
        db = read_only(path)
        result = "ok" if db is None else db.execute("pragma quick_check(1)").fetchone()[0]
        if result != "ok":
            findings.append(Finding(path.name, False, result, "restore a snapshot and replay the topic's tail"))
    try:
        with locked(layout.lock):
            findings.append(Finding("lock", True, "free"))
    except LayoutError:
        findings.append(Finding("lock", True, "held by a running job"))
    return findings


def _disk(state: Path) -> list[Finding]:
    place = next(path for path in (state.absolute(), *state.absolute().parents) if path.exists())
    free = shutil.disk_usage(place).free
    found = f"{free / 1e9:.1f} GB free"
    return [Finding("disk", free >= _DISK_BYTES_MIN, found, "free some space: a full disk stops the job")]


def _port(settings: Settings) -> list[Finding]:
    if not settings.metrics.enabled:
        return [Finding("metrics port", True, "metrics are off")]
    port = settings.metrics.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return [Finding("metrics port", False, f"{port} is taken", "stop what has it, or set metrics.port")]
    return [Finding("metrics port", True, f"{port} is free")]


def _broker(settings: Settings) -> list[Finding]:
    if not kafka.configured(settings):
        return [Finding("broker", True, "none configured: files only (run --source)")]
    where = str(settings.kafka.client["bootstrap.servers"])
    try:
        found = check_topics(settings.kafka.client, kafka.topic_specs(settings), _BROKER_SECONDS)
    except KafkaProblem as error:
        return [Finding("broker", False, str(error), "start the broker, or correct kafka.client")]
    findings = [Finding("broker", True, where)]
    for topic in found:
        good = topic.state != "misfit"
        told = f"{topic.state}, {topic.partitions} partitions" if topic.state != "missing" else "missing: run makes it"
        findings.append(Finding(f"topic {topic.topic}", good, told if good else topic.explanation, "see the message"))
    return findings
