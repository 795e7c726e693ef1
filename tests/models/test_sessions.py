"""Sessions refuse what cannot work, with the remedy in the message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models import sessions
from models.embedder import Embedder
from models.sessions import WEIGHTS, open_session


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.onnx.*make train"):
        open_session(tmp_path / "nothing.onnx")


def test_no_threads_is_an_error() -> None:
    with pytest.raises(ValueError, match="threads is 0; give 1 or more"):
        open_session(WEIGHTS / "embedder" / "model.onnx", threads=0)


def test_every_run_is_told_with_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """S7."""
    monkeypatch.setattr(sessions, "_on_run", sessions._on_run)
    told: list[tuple[str, float]] = []
    sessions.watch_runs(lambda model, seconds: told.append((model, seconds)))
    Embedder().embed(["one", "another that is longer"])
    assert [model for model, _ in told] == ["embedder", "embedder"]
    assert all(seconds > 0 for _, seconds in told)


def test_models_report_to_nobody_and_leave_nothing_at_home(tmp_path: Path) -> None:
    """README: no other service is called. ONNX Runtime keeps what it is about to send under the home directory."""
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": "", "PYTHONPATH": str(WEIGHTS.parents[1])}
    del environment["ORT_DISABLE_TELEMETRY"]
    program = "from models.embedder import Embedder; Embedder().embed(['one'])"
    subprocess.run([sys.executable, "-c", program], env=environment, cwd=tmp_path, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_weight_files_keep_their_limits() -> None:
    """Each file at most 25 MB and all together at most 75 MB: they live in the repository."""
    sizes = [path.stat().st_size for path in WEIGHTS.rglob("*") if path.is_file()]
    assert max(sizes) <= 25_000_000
    assert sum(sizes) <= 75_000_000
