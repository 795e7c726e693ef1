"""The verb doctor: what could keep the job from running, each finding with its remedy (S11)."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from confluent_kafka import KafkaException

from flows.doctor_broker import broker
from flows.findings import Finding
from flows.lock import locked
from flows.recovery_store import check_together
from flows.settings import Settings
from flows.supervisor import exit_status
from state.layout import Layout, LayoutError, read_identity
from state.memory_store import read_only
from state.shard_file import StateMismatchError

_DISK_BYTES_MIN = 1_000_000_000
_SYNC_SECONDS_MAX = 0.25
_SYNCS = 5
_ATTEMPTS = 5
_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "glusterfs", "fuse.sshfs", "fuse.s3fs"})


@dataclass(frozen=True, slots=True)
class _Place:
    """A state directory and whether a job has it."""

    layout: Layout
    held: bool

    @property
    def existing(self) -> Path:
        """The nearest directory that exists."""
        root = self.layout.root.absolute()
        return next(path for path in (root, *root.parents) if path.exists())


def examine(settings: Settings, state: Path, workers: int = 1) -> list[Finding]:
    """Looks at everything that a job with so many workers needs; changes nothing."""
    place = _Place(Layout(state), _is_held(Layout(state)))
    checks: list[Callable[[], list[Finding]]] = [
        lambda: [Finding("configuration", True, "valid")],
        _models,
        lambda: _state(settings, place),
        lambda: _recovery(settings, place, workers),
        lambda: _disk(place),
        lambda: _filesystem(place),
        lambda: (
            [_port(port, place.held) for port in _ports(settings, workers)]
            if settings.metrics.enabled
            else [Finding("metrics port", True, "metrics are off")]
        ),
        lambda: broker(settings, place.layout, workers),
    ]
    return [finding for check in checks for finding in _told(check)]


def _told(check: Callable[[], list[Finding]]) -> list[Finding]:
    """What a check finds; where it breaks off, what it broke off at, so that the others are still told."""
    try:
        return check()
    except (LayoutError, StateMismatchError) as error:
        return [Finding("state", False, str(error))]
    except KafkaException as error:
        return [Finding("broker", False, exit_status(error)[1], "correct the setting under [kafka.client]")]
    except (sqlite3.Error, OSError) as error:
        return [Finding("files", False, exit_status(error)[1], "see who owns the state directory, and its disk")]


def _is_held(layout: Layout) -> bool:
    if not layout.lock.exists():
        return False
    try:
        with locked(layout.lock):
            return False
    except LayoutError:
        return True


def _models() -> list[Finding]:
    """Loads the models and lets each answer once."""
    from models.claims import Utterance
    from models.embedder import Embedder
    from models.extractor import Extractor
    from models.judge import PairJudge

    try:
        extractor, embedder, judge = Extractor(), Embedder(), PairJudge()
        [extraction] = extractor.extract([Utterance("user", "I live in Oslo.", 1_700_000_000_000)])
        norm = float((embedder.embed(["I live in Oslo."])[0] ** 2).sum())
        judged = judge.judge([("User lives in Oslo", "User lives in Bergen")])
    except Exception as error:  # whatever the runtime raises for a broken file, the remedy is the same
        return [Finding("models", False, str(error), "put models/weights back as released (git checkout models)")]
    good = bool(extraction.claims) and 0.99 < norm < 1.01 and len(judged) == 1
    found = f"{embedder.version}, {extractor.version}, {judge.version}; each answers"
    if not good:
        found = "loaded, but a plain sentence gives no claim, or no unit vector"
    return [Finding("models", good, found, "put models/weights back as released (git checkout models)")]


def _state(settings: Settings, place: _Place) -> list[Finding]:
    layout = place.layout
    if not layout.identity_path.exists():
        return [Finding("state", True, f"{layout.root}: none yet, the job makes it")]
    try:
        identity = read_identity(layout)
        if identity.shards != settings.memory.shards:
            raise LayoutError(
                f"made with {identity.shards} shards, memory.shards is {settings.memory.shards}: set it to"
                f" {identity.shards}"
            )
    except LayoutError as error:
        return [Finding("state", False, str(error), "see the message")]
    findings = [Finding("state", True, f"{layout.root}, {identity.shards} shards, id {identity.state_id[:8]}")]
    for path in sorted((layout.root / "shards").glob("*.db")):
        db = read_only(path)
        if db is None:
            continue
        with closing(db):
            result = db.execute("pragma quick_check(1)").fetchone()[0]
        if result != "ok":
            remedy = "restore a backup (factstream restore), and let the job read the topic's tail"
            findings.append(Finding(path.name, False, result, remedy))
    findings += _unwritable(layout)
    findings.append(Finding("lock", True, "held by a running job" if place.held else "free"))
    return findings


def _unwritable(layout: Layout) -> list[Finding]:
    """The first file that the job must write and that this user may not."""
    files = (*sorted((layout.root / "shards").glob("*.db")), *sorted(layout.recovery.glob("part-*.sqlite3")))
    path = next((each for each in files if not os.access(each, os.W_OK)), None)
    if path is None:
        return []
    return [Finding("files", False, f"{path} cannot be written", "run as the user whom it belongs to, or give it back")]


def _recovery(settings: Settings, place: _Place, workers: int) -> list[Finding]:
    layout = place.layout
    if not layout.identity_path.exists():
        return []
    findings = [_consistency(layout)]
    partitions = len(list(layout.recovery.glob("part-*.sqlite3"))) or settings.recovery.partitions
    if partitions < workers:
        findings.append(
            Finding(
                "recovery partitions",
                False,
                f"{partitions} for {workers} workers",
                "they are fixed with the directory: run fewer workers, or replay into a new one with a larger"
                " recovery.partitions",
            )
        )
    return findings


def _consistency(layout: Layout) -> Finding:
    marker = layout.recovery / "identity.json"
    if not marker.exists():
        return Finding("recovery store", False, f"{layout.recovery} is missing", "restore a backup that has it")
    told = ""
    for _ in range(_ATTEMPTS):  # a running job may commit between two looks
        try:
            check_together(layout)
        except StateMismatchError as error:
            told = str(error)
            time.sleep(0.2)
        except sqlite3.Error as error:
            told = f"{layout.recovery}: {error}"
            break
        else:
            return Finding("recovery store", True, "goes with every shard")
    return Finding("recovery store", False, told, "see the message; docs/operations.md, Backup")


def _disk(place: _Place) -> list[Finding]:
    free = shutil.disk_usage(place.existing).free
    found = f"{free / 1e9:.1f} GB free"
    remedy = "free some space, or move the directory to a larger disk: a full disk stops the job"
    return [Finding("disk", free >= _DISK_BYTES_MIN, found, remedy)]


def _filesystem(place: _Place) -> list[Finding]:
    """Whether the disk is a local one that syncs in fair time and whose locks hold."""
    kind = filesystem(place.existing)
    remedy = "put the state directory on a local disk: locks and shared memory do not work over a network"
    findings = [Finding("file system", kind not in _REMOTE, kind or "unknown", remedy)]
    if not os.access(place.existing, os.W_OK):
        remedy = "give this user the right to write there (chown), or run as its owner"
        return [*findings, Finding("file system", False, f"{place.existing} is not writable", remedy)]
    with tempfile.TemporaryDirectory(prefix=".factstream-doctor-", dir=place.existing) as folder:
        seconds = _sync_seconds(Path(folder) / "synced")
        findings.append(
            Finding(
                "fsync",
                seconds <= _SYNC_SECONDS_MAX,
                f"{seconds * 1000:.1f} ms",
                "use a faster disk: every epoch ends with a few of these a shard",
            )
        )
        works = _locks_hold(Path(folder) / "locked") and _wal_works(Path(folder) / "wal.db")
        findings.append(
            Finding("file locks", works, "hold" if works else "do not hold", "put the state directory on a local disk")
        )
    return findings


def filesystem(path: Path, mounts: Path = Path("/proc/mounts")) -> str:
    """The kind of file system that a path is on, or nothing where the system does not tell."""
    if not mounts.exists():
        return ""
    found = ("", "")
    for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines():
        _, point, kind, *_ = line.split(" ")
        point = point.replace("\\040", " ")
        if path.is_relative_to(point) and len(point) >= len(found[0]):
            found = (point, kind)
    return found[1]


def _sync_seconds(path: Path) -> float:
    taken = []
    with path.open("wb", buffering=0) as file:
        for _ in range(_SYNCS):
            file.write(b"x" * 4096)
            started = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - started)
    return median(taken)


def _locks_hold(path: Path) -> bool:
    with path.open("wb") as first, path.open("rb") as second:
        fcntl.flock(first, fcntl.LOCK_EX)
        try:
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _wal_works(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path)) as writer, closing(sqlite3.connect(path)) as reader:
            mode = writer.execute("pragma journal_mode=wal").fetchone()[0]
            writer.executescript("create table t(x); insert into t values (1);")
            return mode == "wal" and reader.execute("select x from t").fetchall() == [(1,)]
    except sqlite3.Error:
        return False


def _ports(settings: Settings, workers: int) -> list[int]:
    """Those of the workers, and of the job as a whole where it has one."""
    own = [settings.metrics.job_port] if settings.metrics.job_port else []
    return [*own, *(settings.metrics.port + index for index in range(workers))]


def _port(port: int, held: bool) -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            if held:
                return Finding("metrics port", True, f"{port} is taken, and a job runs here")
            return Finding(
                "metrics port", False, f"{port} is taken", "stop what has it, or set metrics.port or metrics.job_port"
            )
    return Finding("metrics port", True, f"{port} is free")
