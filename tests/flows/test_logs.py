"""Logs are structured, and hold nothing of what users wrote above debug (S3, P2)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from flows.logs import configure
from flows.settings import SettingsError

ROOT = Path(__file__).parents[2]
MARK = "zanzibarquill"

# Runs the job on a file with stub models, at the log level of the environment; a fault of the rules comes on top.
RUN = """
import sys
from pathlib import Path
from flows.logs import configure
from flows.replay import Request, replay
from flows.settings import load
from tests.stub_kafka_job import stubbed
import structlog
configure()
with stubbed():
    config = Path(sys.argv[1])
    replay(load(config), config, Path(sys.argv[2]), Request((Path(sys.argv[3]),)))
structlog.get_logger("test").warning("the end", seconds=1)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("logs")
    base = {"user_id": "ana", "conversation_id": "c", "role": "user", "sent_at": 1_700_000_000_000}
    rows = [
        orjson.dumps({**base, "message_id": "1", "text": f"I like {MARK}"}),
        orjson.dumps({**base, "message_id": "2", "text": f"I like {MARK}", "role": MARK}),
        orjson.dumps({**base, "message_id": "3", "text": {"a": MARK}}),
        b'{"text": "' + MARK.encode(),
        orjson.dumps({"command": "remember", "user_id": "ana", "text": MARK * 1_000, "sent_at": 1}),
        orjson.dumps({"command": "approve", "user_id": "ana", "match": MARK, "sent_at": 1_700_000_000_001}),
        orjson.dumps({"command": "forget", "user_id": "ana", "text": MARK, "sent_at": 1_700_000_000_002}),
        orjson.dumps({"command": MARK, "user_id": "ana", "sent_at": 1}),
        orjson.dumps({"profile": {"bio": MARK, "timezone": MARK}, "user_id": "ana", "sent_at": 1}),
        orjson.dumps({"channel": "C1", "type": "message", "bot_id": "B1", "ts": "1700000000.000100", "text": MARK}),
        orjson.dumps({"entityId": "e", "agentId": "e", "roomId": "r", "createdAt": 1, "content": {"text": MARK}}),
        orjson.dumps({"user": "ana", "messages": [{"role": "user", "content": [{"type": "text", "text": [MARK]}]}]}),
        *(orjson.dumps({**base, "message_id": f"n{n}", "text": "I like tea"}) for n in range(30)),
    ]
    (folder / "chat.jsonl").write_bytes(b"\n".join(rows))
    (folder / "config.toml").write_text("[memory]\nshards = 2\n")
    words = [sys.executable, "-c", RUN, str(folder / "config.toml"), str(folder / "state"), str(folder / "chat.jsonl")]
    environ = {**os.environ, "FACTSTREAM_LOG_LEVEL": "info"}
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=environ, check=False)
    assert done.returncode == 0, done.stderr
    letters = (folder / "state" / "dead-letters.jsonl").read_text()
    assert MARK in letters  # so there was something that could have been told
    return done.stdout + done.stderr


def test_nothing_that_a_user_wrote_is_logged(told: str) -> None:
    """P2, S3"""
    assert MARK not in told
    assert told.count('"decode.unaddressed"') == 1


def test_an_event_is_a_line_of_json_where_no_terminal_is(told: str) -> None:
    lines = [line for line in told.splitlines() if line.startswith("{")]
    assert lines
    for line in lines:
        assert {"event", "level", "timestamp"} <= orjson.loads(line).keys()


@pytest.mark.parametrize(
    ("words", "form", "status"),
    [
        ("run --source nowhere.jsonl", None, 2),
        ("facts ana --state nowhere", "json", 1),
        ("run --source chat.jsonl --state state", "json", 0),
    ],
)
def test_lines_before_and_after_the_flow_are_events_too(
    words: str, form: str | None, status: int, tmp_path: Path
) -> None:
    """S9: where JSON is asked for, and where `run` has no terminal"""
    (tmp_path / "chat.jsonl").write_text("no message\n")
    done = started(words, form, tmp_path)
    told = [orjson.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == status
    assert told
    assert all({"event", "level", "timestamp"} <= row.keys() for row in told)


def test_a_form_that_is_not_known_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACTSTREAM_LOG_LEVEL", "loud")
    with pytest.raises(SettingsError, match="FACTSTREAM_LOG_LEVEL is 'loud', expected one of debug, info"):
        configure()
    monkeypatch.delenv("FACTSTREAM_LOG_LEVEL")
    monkeypatch.setenv("FACTSTREAM_LOG_FORMAT", "xml")
    with pytest.raises(SettingsError, match="is 'xml', expected"):
        configure()


def started(words: str, form: str | None, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command line, with stderr a pipe."""
    environ = {name: value for name, value in os.environ.items() if name != "FACTSTREAM_LOG_FORMAT"}
    environ |= {"PYTHONPATH": str(ROOT)} | ({} if form is None else {"FACTSTREAM_LOG_FORMAT": form})
    command = [sys.executable, "-m", "flows", *words.split()]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environ, check=False)
