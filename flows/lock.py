"""Keeps two jobs off one state directory; the lock lives as long as any process that inherited it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from state.layout import Layout, LayoutError, usable


@contextmanager
def locked(path: Path, wait: bool = False) -> Iterator[int]:
    """Holds the lock file; yields its descriptor, to be passed to worker processes (flock is shared by inheritance).

    So the directory stays locked while a worker lives, even where its supervisor was killed.
    Raises LayoutError when another job holds it, unless `wait`, and where the directory cannot be used.
    """
    with usable(Layout(path.parent)):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
            raise LayoutError(
                f"{path.parent} is in use by another job (process {holder}): two jobs must not write one memory. Stop"
                " that job, or give this one another --state."
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)
