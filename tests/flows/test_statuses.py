"""Exit statuses, as docs/operations.md has them: 0 done, 1 failed, 2 wrong usage or configuration (INTERFACE)."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from flows import cli, logs

CONFIG = "[memory]\nshards = 2\n[recovery]\npartitions = 1\n"


class Line:
    """The command line in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capture = patch, capture

    def __call__(self, *words: str) -> tuple[int, str, str]:
        """The status, and what is told on stdout and stderr."""
        self._patch.setattr(sys, "argv", ["factstream", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = self._capture.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, told.out, told.err


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Line:
    monkeypatch.setattr(logs, "configure", lambda: None)
    monkeypatch.setenv("FACTSTREAM_LOG_FORMAT", "text")
    return Line(monkeypatch, capsys)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with settings, and a memory of ana in `state`."""
    folder = tmp_path_factory.mktemp("statuses")
    (folder / "factstream.toml").write_text(CONFIG)
    words = ["remember", "ana", "I live in Porto", *given(folder)]
    subprocess.run([sys.executable, "-m", "flows", *words], check=True, capture_output=True)
    return folder


def given(folder: Path, state: str = "state") -> tuple[str, ...]:
    return "--config", str(folder / "factstream.toml"), "--state", str(folder / state)


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ("history nobody", 0, ""),
        ("facts nobody --format json", 0, ""),
        ("forget nobody tea", 0, "memory holds nothing like it (F3.nothing_matched)"),
        ("forget ana --fact no-fact", 0, "memory holds nothing like it (F3.nothing_matched)"),
        ("erase nobody", 0, ""),
        ("flush ana", 0, "open windows were closed (T3.flush)"),
        ("history ana no-fact", 1, "factstream: user 'ana' has no fact 'no-fact'; `factstream facts` lists their ids"),
        ("evidence ana no-fact", 1, "factstream: user 'ana' has no fact 'no-fact'; `factstream facts` lists their ids"),
        ("proposals approve no-proposal", 1, "factstream: no proposal no-proposal in"),
        ("pin ana --fact no-fact", 1, "refused: there is no fact no-fact of this user; list them"),
        ("proposals list --after zzz", 2, "factstream: --after is 'zzz'; expected a proposal's id"),
        ("doctor --workers 0", 2, "Invalid value for '--workers', which is '0': Input should be greater"),
        ("proposals list --limit=-3", 2, "Invalid value for '--limit', which is '-3': Input"),
        ("forget ana", 2, "factstream: forget needs exactly one of"),
        ("forget a\x01 tea", 2, "factstream: forget: $.user_id"),
        ("forget a\x01 tea --dry-run", 2, "factstream: forget: $.user_id"),
        ("remember ana \n", 2, "factstream: remember: $: remember needs text"),
    ],
)
def test_what_is_not_there_and_what_is_refused(home: Path, line: Line, words: str, status: int, told: str) -> None:
    """W2, F3, F4: nobody known is an empty answer; an id that names nothing fails; what is malformed is wrong usage"""
    got, out, err = line(*words.split(" "), *given(home))
    assert (got, told in err) == (status, True), err
    assert "nothing new" not in out
    assert bool(err) is bool(told)


@pytest.mark.parametrize(
    "words",
    ["facts ana", "history ana", "export", "forget ana tea", "flush ana", "pin ana --match tea", "erase ana",
     "erase ana --status", "prune", "snapshot", "reembed", "proposals list"],
)  # fmt: skip
def test_a_verb_about_what_is_remembered_needs_a_memory(home: Path, line: Line, words: str) -> None:
    """F6: with a mistyped --state an erase must not look done"""
    status, out, err = line(*words.split(" "), *given(home, "nowhere"))
    assert (status, out, "no memory in" in err) == (1, "", True)
    assert not (home / "nowhere").exists()


def test_a_state_that_is_another_ones_fails_and_wrong_settings_are_wrong_usage(
    home: Path, tmp_path: Path, line: Line
) -> None:
    """S11, X5"""
    state = ("--state", str(home / "state"))
    for text, status, told in (
        ("[memory]\nshards = 3\n", 1, "was made with 2 shards and the configuration says memory.shards = 3"),
        (
            "[extraction]\ntimezone = 'Mars/Olympus'\n",
            2,
            "`extraction.timezone` is 'Mars/Olympus', expected",
        ),
        ("[memory]\nshard = 2\n", 2, "`memory.shard` is no setting"),
    ):
        (tmp_path / "other.toml").write_text(text)
        got, _, err = line("remember", "ana", "I like tea", "--config", str(tmp_path / "other.toml"), *state)
        assert (got, told in err, err.count("\n")) == (status, True, 1), err
    got, _, err = line("remember", "ana", "I like tea", "--config", str(tmp_path / "none.toml"), *state)
    assert (got, "cannot be read" in err) == (2, True)


@pytest.mark.parametrize("words", ["facts ana", "remember ana tea", "run --source {here}", "snapshot"])
def test_a_state_that_is_a_file_is_told_in_one_line(home: Path, line: Line, words: str) -> None:
    """S11"""
    status, _, err = line(*words.format(here=__file__).split(" "), *given(home, "factstream.toml"))
    assert (status, err.count("\n")) == (1, 1), err
    assert f"{home / 'factstream.toml'} cannot be the state directory" in err
    assert "Name another with --state" in err


def test_a_taken_metrics_port_is_wrong_usage_before_anything_is_done(home: Path, line: Line) -> None:
    """S7: nothing is made, in the state directory or on the broker"""
    with socket.socket() as holder:
        holder.bind(("0.0.0.0", 0))
        holder.listen()
        port = holder.getsockname()[1]
        words = ("run", "--source", __file__, "--metrics-port", str(port), *given(home, "fresh"))
        status, _, err = line(*words)
    assert (status, f"port {port} for metrics is taken by another process" in err, "Errno" in err) == (2, True, False)
    assert not (home / "fresh").exists()


def verbs(app: Any = cli.app, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every verb with as many words as it needs."""
    command = typer.main.get_command(app) if isinstance(app, typer.Typer) else app
    if isinstance(command, click.Group) or hasattr(command, "commands"):
        for name, below in command.commands.items():
            yield from verbs(below, (*path, name))
        return
    needed = [param for param in command.params if param.required and param.param_type_name == "argument"]
    yield (*path, *(["cases" if path == ("eval",) else "x"] * len(needed)))


EXTRA = {
    ("forget",): ("tea",),
    ("pin",): ("--fact", "f"),
    ("unpin",): ("--fact", "f"),
    ("proposals", "edit"): ("--content", "c"),
    ("run",): ("--source", __file__),
    ("replay",): ("--source", __file__),
    ("erase",): ("ana",),
}


@pytest.mark.parametrize("words", list(verbs()), ids=" ".join)
def test_every_verb_refuses_a_setting_that_does_not_exist(
    home: Path, line: Line, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """P4: a misspelt setting must not silently keep its default, whichever verb meets it first"""
    monkeypatch.setenv("FACTSTREAM__FOO", "1")
    name = words[:2] if words[0] == "proposals" else words[:1]
    words = (*words, *EXTRA.get(name, ()))
    words = ("import", __file__) if name == ("import",) else words
    state = () if name == ("eval",) else ("--state", str(home / "state"))
    status, _, err = line(*words, *state)
    assert (status, "environment variable FACTSTREAM__FOO" in err, err.count("\n")) == (2, True, 1), err


def test_a_server_that_is_stopped_has_done_its_work(home: Path) -> None:
    """By Ctrl-C; SIGTERM takes the same way"""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "flows", "serve", "--port", str(port), *given(home)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert [f":{port}/review" in process.stderr.readline(), "token" in process.stderr.readline()] == [True, True]
        while not answers(port) and process.poll() is None:
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert (process.wait(), process.stderr.read()) == (0, "")


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/live") as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
