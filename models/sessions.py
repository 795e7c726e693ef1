"""ONNX Runtime sessions as this job wants them: one thread a process, no spinning, the CPU only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

WEIGHTS = Path(__file__).parent / "weights"
OnRun = Callable[[str, float], None]
"""Told the model's name (its folder's) and the seconds that one run of its session took."""


def _unwatched(model: str, seconds: float) -> None:
    """Nobody asked."""


_on_run: OnRun = _unwatched


def watch_runs(on_run: OnRun) -> None:
    """From now on every run of every session in this process is told to `on_run`."""
    global _on_run
    _on_run = on_run


class Session:
    """A model file's session whose runs are timed."""

    def __init__(self, model: str, session: ort.InferenceSession) -> None:
        self._model, self._session = model, session

    def run(self, outputs: Sequence[str], feeds: Mapping[str, NDArray[Any]]) -> list[NDArray[np.float32]]:
        """The named outputs for one batch."""
        started = perf_counter()
        answer: list[NDArray[np.float32]] = self._session.run(outputs, feeds)
        _on_run(self._model, perf_counter() - started)
        return answer


def open_session(path: Path, threads: int = 1) -> Session:
    """A session on the model file at `path`. Processes scale, threads do not: they would wait for each other."""
    if not path.is_file():
        raise FileNotFoundError(
            f"model file {path} is missing; it is part of the repository under models/weights: restore it from there, "
            "or make it again with `make train`"
        )
    if threads < 1:
        raise ValueError(f"threads is {threads}; give 1 or more")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return Session(path.parent.name, ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]))


def content_hash(*paths: Path) -> str:
    """Eight hexadecimal digits of the files' bytes: what a model's version ends in."""
    digest = hashlib.blake2b(digest_size=4)
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()
