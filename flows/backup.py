"""Backups: a consistent copy of a state directory beside a running job, and the way back (S5, S6).

The order makes it right: first the recovery store, all its partitions as of one moment; then the shards, each as of a
later one. A shard may be ahead of the recovery store, for it rolls back to it when it is opened; that it can still
reach back that far is what `hold` sees to, and what is checked before a copy counts.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import orjson

from flows.recovery_store import check_together
from state.copies import copy_file, copy_together
from state.layout import Layout, LayoutError, read_identity, write_durably
from state.shard_file import StateMismatchError

MANIFEST = "manifest.json"
MANIFEST_VERSION = 1
_ATTEMPTS = 3
_DATABASES = (".db", ".sqlite3")
_NOT_COPIED = ("lock", "snapshots", "shards", "recovery")


class BackupError(Exception):
    """A backup that can't be made, or can't be restored, as things are; the message says why and what to do."""


def back_up(state: Path, target: Path) -> int:
    """Copies the memory in `state`, beside a running job or without one, to the new directory `target`; its bytes.

    Snapshots for DuckDB are left out: `factstream snapshot` makes them again. Raises BackupError, LayoutError.
    """
    _check_new(target, "the backup")
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    copy_state(Layout(state), Layout(partial))
    files = {str(path.relative_to(partial)): _digest(path) for path in _files(partial)}
    size_bytes = sum(path.stat().st_size for path in _files(partial))
    row = {"manifest_version": MANIFEST_VERSION, "state_id": read_identity(Layout(partial)).state_id, "files": files}
    write_durably(partial / MANIFEST, orjson.dumps(row, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
    _put(partial, target)
    return size_bytes


def restore(backup: Path, state: Path) -> None:
    """Puts a backup's copy into the new directory `state`, after each file was found as it was written.

    A job started on it goes on from the offsets of the backup. Raises BackupError.
    """
    _check_new(state, "--state")
    files = _listed(backup)
    partial = state.with_name(f"{state.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for name, digest in files.items():
        source, copy = backup / name, partial / name
        copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            shutil.copyfile(source, copy)
        except FileNotFoundError:
            raise BackupError(f"{source} is missing, but {MANIFEST} names it: fetch the whole backup again") from None
        if _digest(copy) != digest:
            raise BackupError(f"{source} is not as it was written (digest differs): fetch the whole backup again")
        _sync(copy)
    try:
        check_together(Layout(partial))
    except StateMismatchError as error:
        raise BackupError(f"the backup {backup} does not hold together: {error}") from None
    _put(partial, state)


def copy_state(layout: Layout, target: Layout) -> None:
    """A consistent copy of a state directory. Raises LayoutError, BackupError, state.copies.CopyError."""
    read_identity(layout)
    for attempt in range(_ATTEMPTS):
        shutil.rmtree(target.root, ignore_errors=True)
        for folder in (target.root, target.recovery, target.root / "shards", target.snapshots, target.spool.parent):
            folder.mkdir(parents=True, mode=0o700)
        with _held(layout):
            _copy_recovery(layout, target)
            _copy_shards(layout, target)
            _copy_rest(layout, target)
        try:
            check_together(target)
        except StateMismatchError as error:
            # The job's processes were started again between the two copies.
            if attempt == _ATTEMPTS - 1:
                raise BackupError(f"the copy does not hold together: {error}; stop the job for the backup") from None
        else:
            return


@contextmanager
def _held(layout: Layout) -> Iterator[None]:
    layout.hold.touch()
    try:
        yield
    finally:
        layout.hold.unlink(missing_ok=True)


def _copy_recovery(layout: Layout, target: Layout) -> None:
    parts = sorted(layout.recovery.glob("*.sqlite3"))
    if not parts:
        raise LayoutError(f"{layout.recovery} holds no recovery partitions: part of the memory was lost")
    copy_together({path: target.recovery / path.name for path in parts})
    _copy_plain(layout.recovery / "identity.json", target.recovery / "identity.json")


def _copy_shards(layout: Layout, target: Layout) -> None:
    for path in sorted((layout.root / "shards").glob("*.db")):
        layout.hold.touch()
        copy_file(path, target.root / "shards" / path.name)


def _copy_rest(layout: Layout, target: Layout) -> None:
    """What else lies there. After the recovery store: names of partitions, spool and letters only ever grow."""
    for path in _files(layout.root):
        name = path.relative_to(layout.root)
        if name.parts[0] in _NOT_COPIED or path.suffix == ".partial" or name.name.endswith(("-wal", "-shm")):
            continue
        copy = target.root / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy_file(path, copy) if path.suffix in _DATABASES else _copy_plain(path, copy)


def _copy_plain(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    _sync(target)


def _listed(backup: Path) -> dict[str, str]:
    try:
        row = orjson.loads((backup / MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise BackupError(
            f"{backup} holds no {MANIFEST}: name a directory that `factstream snapshot --to` wrote"
        ) from None
    except orjson.JSONDecodeError:
        raise BackupError(f"{backup / MANIFEST} is not JSON: fetch the whole backup again") from None
    if row.get("manifest_version") != MANIFEST_VERSION:
        raise BackupError(
            f"{backup} has version {row.get('manifest_version')}, this program reads {MANIFEST_VERSION}: restore it"
            " with the version that wrote it"
        )
    files: dict[str, str] = row["files"]
    if any(Path(name).is_absolute() or ".." in Path(name).parts for name in files):
        raise BackupError(f"{backup / MANIFEST} names files outside the backup: it was not written by this program")
    return files


def _check_new(path: Path, what: str) -> None:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise BackupError(f"{path} holds something already: name a new directory for {what}")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _put(partial: Path, target: Path) -> None:
    for folder in (partial, *(path for path in partial.rglob("*") if path.is_dir())):
        _sync(folder)
    if target.exists():
        target.rmdir()
    partial.rename(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
