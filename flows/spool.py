"""The spool of commands given without Kafka: what the flow has read and committed is wiped, for memory has it (P2, P4).

What policy lets nothing of pass must not stay on disk, and the candidate log keeps what the rest is evidence for. A
crash before the wiping leaves the lines for the next run, where they are known by their ids and do nothing.
"""

from __future__ import annotations

import fcntl
import os

from state.layout import Layout
from state.shard_file import on_hold

_CHUNK_BYTES = 1 << 20


def waiting_bytes(layout: Layout) -> int:
    """How long the spool is, between two writes to it: a run that starts now reads that much at least."""
    try:
        with layout.spool.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            return os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return 0


def wipe(layout: Layout, size: int) -> None:
    """Wipes the spool's first `size` bytes, which a run that has ended has read, and empties it where that is all.

    While a backup is being made nothing is wiped: what it has of memory may be older than the run.
    """
    if not size:
        return
    with layout.spool.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if on_hold(layout.hold):
            return
        _blank(file.fileno(), size)
        if os.fstat(file.fileno()).st_size == size:
            os.ftruncate(file.fileno(), 0)
        os.fsync(file.fileno())


def _blank(descriptor: int, size: int) -> None:
    for offset in range(0, size, _CHUNK_BYTES):
        chunk = os.pread(descriptor, min(_CHUNK_BYTES, size - offset), offset)
        os.pwrite(descriptor, bytes(byte if byte == ord("\n") else ord(" ") for byte in chunk), offset)
