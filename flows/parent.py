"""A worker ends with its supervisor, however that ended."""

from __future__ import annotations

import os
import threading


def follow_parent() -> None:
    """Ends this process when its supervisor is gone: standard input is a pipe that closes with it."""

    def watch() -> None:
        os.read(0, 1)  # not sys.stdin, whose lock a waiting thread would hold at interpreter exit
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
