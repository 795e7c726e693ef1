"""The verb serve: what keeps it from starting is one line."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.settings import SettingsError


def start(tmp_path: Path, *words: str) -> str:
    """The words of the error that a start ends with."""
    done = CliRunner().invoke(app, ["serve", "--state", str(tmp_path / "state"), *words])
    assert isinstance(done.exception, SettingsError), done.output
    assert "\n" not in str(done.exception)
    return str(done.exception)


def test_without_what_the_extra_brings_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    monkeypatch.delitem(sys.modules, "flows.serve.app", raising=False)
    assert "pip install -e '.[serve]'" in start(tmp_path)


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port}" in start(tmp_path, "--port", port)


def test_an_open_door_without_tokens_is_refused(tmp_path: Path) -> None:
    assert "serve.tokens" in start(tmp_path, "--host", "0.0.0.0")


def test_an_access_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert "--access is 'all'" in start(tmp_path, "--stdio", "--access", "all")
