"""Where a memory's files lie, which shard a user belongs to, and the locks and identities that keep them together.

A state directory holds `identity.json`, `shards/` (two files a shard), `recovery/` (the dataflow's resume state),
`spool/` (commands given without Kafka), `snapshots/`, `dead-letters.jsonl`, `erasures/` (the ledger of those who were
erased, and its key), and the names of the partitions read.
"""

from __future__ import annotations

import errno
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

import orjson

from state.shard_file import HOLD

LAYOUT_VERSION = 1


class LayoutError(Exception):
    """A state directory that can't be used as it is; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a memory is, fixed when it is made. `shards` never changes for the life of a memory."""

    state_id: str
    shards: int
    layout_version: int = LAYOUT_VERSION


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one state directory."""

    root: Path

    @property
    def identity_path(self) -> Path:
        """The file that says which memory this is."""
        return self.root / "identity.json"

    @property
    def recovery(self) -> Path:
        """The dataflow's recovery partitions."""
        return self.root / "recovery"

    @property
    def spool(self) -> Path:
        """Commands that wait for the embedded flow, one JSON object a line."""
        return self.root / "spool" / "commands.jsonl"

    def partitions(self, step: str) -> Path:
        """The names of all partitions that an input step has ever read."""
        return self.root / f"{step}-partitions.json"

    @property
    def snapshots(self) -> Path:
        """DuckDB generations."""
        return self.root / "snapshots"

    @property
    def dead_letters(self) -> Path:
        """Rejected records of the embedded run, one JSON object a line."""
        return self.root / "dead-letters.jsonl"

    @property
    def instance(self) -> Path:
        """Which share of the input topics is read into this memory, where there are several instances."""
        return self.root / "instance.json"

    @property
    def replay(self) -> Path:
        """The plan of a replay that has not come to its end."""
        return self.root / "replay.json"

    @property
    def replayed(self) -> Path:
        """The offsets at which a live job goes on where a replay ended."""
        return self.root / "replayed.json"

    def progress(self, process: int) -> Path:
        """How far a worker process of a bounded run has read."""
        return self.root / f"progress-{process}.json"

    @property
    def hold(self) -> Path:
        """There while a backup is made; see ShardFile."""
        return self.root / "shards" / HOLD

    @property
    def erasures(self) -> Path:
        """The ledger of erasures and its key."""
        return self.root / "erasures"

    @property
    def lock(self) -> Path:
        """Held by the one job that writes here."""
        return self.root / "lock"

    def windows(self, shard: int) -> Path:
        """A shard's window file."""
        return self.root / "shards" / f"windows-{shard:04d}.db"

    def memory(self, shard: int) -> Path:
        """A shard's memory file."""
        return self.root / "shards" / f"memory-{shard:04d}.db"


def shard_of(tenant: str, user_id: str, shards: int) -> int:
    """The shard of a user: stable for the life of a memory, the same in every process."""
    digest = blake2b(f"{tenant}/{user_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % shards


def read_identity(layout: Layout) -> Identity:
    """The identity of an existing memory. Raises LayoutError where there is none or it is of another version."""
    try:
        with usable(layout):
            row = orjson.loads(layout.identity_path.read_bytes())
    except FileNotFoundError:
        raise LayoutError(
            f"no memory in {layout.root}: expected {layout.identity_path.name} there. Name the state directory with"
            " --state, or run the job once to make one."
        ) from None
    except orjson.JSONDecodeError as error:
        raise LayoutError(
            f"{layout.identity_path} is damaged ({error}): expected what the job wrote there. Restore a snapshot into a"
            " new state directory."
        ) from None
    if row.get("layout_version") != LAYOUT_VERSION:
        raise LayoutError(
            f"{layout.root} has layout {row.get('layout_version')}, this program reads layout {LAYOUT_VERSION}: run the"
            " version that wrote it, export there, and import here into a new state directory."
        )
    return Identity(**row)


def prepare(layout: Layout, shards: int, make_recovery: Callable[[Path], None]) -> Identity:
    """Makes a state directory, or checks that an existing one and its recovery directory belong together (S11).

    `make_recovery` fills an empty directory with the dataflow's recovery partitions. The recovery directory carries
    the memory's identity; a lost, new or foreign one is refused, since resuming from nothing would roll the memory
    back to nothing. Raises LayoutError.
    """
    with usable(layout):
        return _prepared(layout, shards, make_recovery)


@contextmanager
def usable(layout: Layout) -> Iterator[None]:
    """Raises LayoutError with the remedy where the path is no directory, or may not be read or written."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOTDIR, errno.EEXIST, errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        where = f" ({error.filename})" if error.filename and str(error.filename) != str(layout.root) else ""
        raise LayoutError(
            f"{layout.root} cannot be the state directory: {error.strerror}{where}; expected a directory that this user"
            " may read and write. Name another with --state, or change its owner or rights"
        ) from None


def _prepared(layout: Layout, shards: int, make_recovery: Callable[[Path], None]) -> Identity:
    layout.root.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in (layout.root / "shards", layout.spool.parent, layout.snapshots):
        folder.mkdir(exist_ok=True)
    marker = layout.recovery / "identity.json"
    if not layout.identity_path.exists():
        if any((layout.root / "shards").iterdir()):
            raise LayoutError(
                f"{layout.root} holds shards but no {layout.identity_path.name}: part of it was lost. Restore a"
                " snapshot."
            )
        identity = Identity(uuid.uuid4().hex, shards)
        partial = layout.recovery.with_suffix(".partial")
        for stale in (partial, layout.recovery):
            shutil.rmtree(stale, ignore_errors=True)
        partial.mkdir()
        make_recovery(partial)
        _write(partial / marker.name, identity)
        partial.rename(layout.recovery)
        _write(layout.identity_path, identity)
        return identity
    identity = read_identity(layout)
    if not marker.exists() or Identity(**orjson.loads(marker.read_bytes())).state_id != identity.state_id:
        raise LayoutError(
            f"{layout.recovery} is not the recovery directory of the memory in {layout.root}: it is new, lost or of"
            " another memory. Put the one back that was written with it, or restore a snapshot that has both; nothing"
            " was changed."
        )
    if identity.shards != shards:
        raise LayoutError(
            f"{layout.root} was made with {identity.shards} shards and the configuration says memory.shards = {shards}:"
            f" set it to {identity.shards}, or replay into a new state directory."
        )
    return identity


def _write(path: Path, identity: Identity) -> None:
    write_durably(path, orjson.dumps(asdict(identity)))


def write_durably(path: Path, content: bytes) -> None:
    """Puts a file in its place whole and on the disk, or not at all."""
    partial = path.with_suffix(f".{os.getpid()}.partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
