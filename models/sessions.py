"""ONNX Runtime sessions as this job wants them: one thread a process, no spinning, the CPU only."""

from __future__ import annotations

import hashlib
from pathlib import Path

import onnxruntime as ort

WEIGHTS = Path(__file__).parent / "weights"


def open_session(path: Path, threads: int = 1) -> ort.InferenceSession:
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
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def content_hash(*paths: Path) -> str:
    """Eight hexadecimal digits of the files' bytes: what a model's version ends in."""
    digest = hashlib.blake2b(digest_size=4)
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()
