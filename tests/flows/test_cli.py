"""The command line in INTERFACE's words, on a real run with the real models (S8, Q3, Q5, W2, F3)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pytest

from flows import Memory
from flows.lock import locked

ROOT = Path(__file__).parents[2]
SECRET = "sk-test-9QmZ7rT2xW4vK8pL1nB6"
LINES: list[dict[str, Any]] = [
    {"text": "I live in Graz.", "sent_at": "2026-03-01T10:00:00Z"},
    {"text": "My name is Ilka and I work as a beekeeper.", "sent_at": "2026-03-01T10:01:00Z"},
    {"text": f"The deploy key is {SECRET}.", "sent_at": "2026-03-01T10:02:00Z"},
    {"text": "I am moving to Quito in secret.", "sent_at": "2026-03-01T10:03:00Z", "ephemeral": True},
    {"text": "I have two sons.", "sent_at": "2026-03-01T10:04:00Z"},
    {"text": "We moved to Linz in April.", "sent_at": "2026-05-02T10:00:00Z"},
]


def factstream(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FACTSTREAM__")}
    return subprocess.run(
        [sys.executable, "-m", "flows", *words],
        cwd=ROOT,
        env=clean,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def started(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "flows", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [orjson.loads(line) for line in done.stdout.splitlines()]


def write(folder: Path, lines: list[dict[str, Any]]) -> Path:
    path = folder / "stream.jsonl"
    base = {"user_id": "ilka", "conversation_id": "c1", "role": "user"}
    path.write_bytes(
        b"".join(orjson.dumps({**base, "message_id": f"m{i}", **line}) + b"\n" for i, line in enumerate(lines))
    )
    return path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("cli")
    state = str(folder / "state")
    return state, factstream("run", "--source", str(write(folder, LINES)), "--state", state)


def test_a_run_tells_what_it_learned_on_stdout_and_its_progress_on_stderr(
    ran: tuple[str, subprocess.CompletedProcess[str]],
) -> None:
    """S8"""
    _, done = ran
    assert done.returncode == 0
    assert "learned" in done.stdout
    assert "Linz" in done.stdout
    assert "read" in done.stderr
    assert "learned" not in done.stderr


def test_recall_answers_a_question(ran: tuple[str, Any]) -> None:
    """Q3"""
    done = factstream("recall", "ilka", "where does she live?", "--limit", "1", "--format", "json", "--state", ran[0])
    [fact] = orjson.loads(done.stdout)["facts"]
    assert "Linz" in fact["content"]
    assert 0 < fact["score"] <= 1


def test_recall_as_of_gives_what_was_known_then(ran: tuple[str, Any]) -> None:
    """Q1"""
    done = factstream("recall", "ilka", "home", "--as-of", "2026-04-01", "--format", "json", "--state", ran[0])
    contents = [fact["content"] for fact in orjson.loads(done.stdout)["facts"]]
    assert any("Graz" in content for content in contents)
    assert not any("Linz" in content for content in contents)


def test_recall_writes_a_block_for_a_prompt(ran: tuple[str, Any]) -> None:
    """Q2"""
    done = factstream("recall", "ilka", "home", "--format", "prompt", "--state", ran[0])
    assert done.stdout.startswith("<memory>")
    assert "Linz" in done.stdout


def test_facts_export_and_events_are_rows_in_the_words_of_the_interface(ran: tuple[str, Any]) -> None:
    """Q5, R13"""
    exported = rows(factstream("export", "--status", "all", "--state", ran[0]))
    listed = orjson.loads(factstream("facts", "ilka", "--status", "all", "--format", "json", "--state", ran[0]).stdout)
    assert exported == listed
    assert {"id", "content", "namespace", "status", "sources", "revision", "valid_from"} <= exported[0].keys()
    events = rows(factstream("events", "--user", "ilka", "--state", ran[0]))
    assert {"event_id", "event", "rule", "fact", "old_content", "recorded_seq"} <= events[0].keys()
    assert "UPDATE" in {event["event"] for event in events}


def test_history_and_versions_keep_what_was_replaced(ran: tuple[str, Any]) -> None:
    """R2"""
    versions = rows(factstream("export", "--versions", "--user", "ilka", "--state", ran[0]))
    assert [row["content"] for row in versions if row["status"] == "superseded"] == ["User lives in Graz"]
    told = orjson.loads(factstream("history", "ilka", "--format", "json", "--state", ran[0]).stdout)
    assert {row["event"] for row in told} >= {"ADD", "UPDATE"}


def test_the_history_of_one_fact_shows_the_words_behind_each_version(ran: tuple[str, Any]) -> None:
    """R13: rule, evidence, and what was said, where it is still kept"""
    facts = orjson.loads(factstream("facts", "ilka", "--format", "json", "--state", ran[0]).stdout)
    home = next(fact["id"] for fact in facts if "Linz" in fact["content"])
    told = orjson.loads(factstream("history", "ilka", home, "--format", "json", "--state", ran[0]).stdout)
    assert [row["event"] for row in told] == ["ADD", "UPDATE"]
    assert all(row["rule"] and row["evidence"] for row in told)
    assert told[0]["evidence"][0]["message_id"] != told[1]["evidence"][0]["message_id"]
    assert "Linz" in told[1]["evidence"][0]["said"]
    assert "Linz" in factstream("history", "ilka", home, "--state", ran[0]).stdout


def test_a_snapshot_is_open_to_any_duckdb_client(ran: tuple[str, Any]) -> None:
    """S9"""
    path = factstream("snapshot", "--state", ran[0]).stdout.strip()
    with duckdb.connect(path, read_only=True) as client:
        found = client.execute("select content from facts where to_seq is null and status = 'active'").fetchall()
    assert any("Linz" in content for (content,) in found)


def test_secrets_and_temporary_chats_are_nowhere(ran: tuple[str, Any]) -> None:
    """P2, P6"""
    factstream("snapshot", "--state", ran[0])
    found = b"".join(path.read_bytes() for path in sorted(Path(ran[0]).rglob("*")) if path.is_file())
    assert SECRET.encode() not in found
    assert b"Quito" not in found
    assert b"Linz" in found


def test_the_same_file_again_changes_nothing(ran: tuple[str, Any], tmp_path: Path) -> None:
    """S4"""
    before = factstream("events", "--state", ran[0]).stdout
    done = factstream("run", "--source", str(write(tmp_path, LINES)), "--state", ran[0])
    assert done.stdout.strip() == "nothing new in memory"
    assert factstream("events", "--state", ran[0]).stdout == before


def test_commands_act_at_once_through_the_same_flow(tmp_path: Path) -> None:
    """F3, W3, T3: what is forgotten is neither recalled nor restated"""
    state = str(tmp_path / "state")
    assert factstream("run", "--source", str(write(tmp_path, LINES)), "--state", state).returncode == 0
    dry = factstream("forget", "ilka", "my sons", "--dry-run", "--state", state)
    assert "sons" in dry.stdout
    with Memory(state) as memory:
        assert any("sons" in fact.content for fact in memory.facts("ilka"))
    assert factstream("forget", "ilka", "that I have two sons", "--state", state).returncode == 0
    assert factstream("remember", "ilka", "I play the viola.", "--state", state).returncode == 0
    with Memory(state) as memory:
        active = [fact.content for fact in memory.facts("ilka")]
        assert not any("sons" in content for content in active)
        assert any("viola" in content for content in active)
        assert any("sons" in fact.content for fact in memory.facts("ilka", "forgotten"))
        assert "sons" in memory.prompt("ilka").split("Do not mention")[1]
    assert factstream("flush", "ilka", "--state", state).returncode == 0
    erased = factstream("erase", "ilka", "--state", state)
    assert erased.returncode == 0
    assert "facts, all versions" in erased.stdout
    assert rows(factstream("export", "--status", "all", "--state", state)) == []


def test_a_proposal_is_decided_once_when_two_people_decide_it_at_the_same_time(tmp_path: Path) -> None:
    """W2: the second decision is refused with exit status 1 and writes nothing, and each is told of their own"""
    state = str(tmp_path / "state")
    lines = [{"text": "From now on, always answer me in French.", "sent_at": "2026-03-01T10:00:00Z"}]
    assert factstream("run", "--source", str(write(tmp_path, lines)), "--state", state).returncode == 0
    [waiting] = orjson.loads(factstream("proposals", "list", "--format", "json", "--state", state).stdout)
    deciders = [started("proposals", name, waiting["id"], "--state", state) for name in ("approve", "reject")]
    told = {process.args[4]: process.communicate()[1] for process in deciders}  # type: ignore[index]
    assert sorted(process.returncode for process in deciders) == [0, 1], told
    by_rule = {row["rule"]: row for row in rows(factstream("events", "--state", state)) if row["command_id"]}
    done = "approved" if "W2.approved" in by_rule else "rejected"
    assert by_rule.keys() <= {f"W2.{done}", "W2.already_decided", "R1.new"}
    first, second = ("approve", "reject") if done == "approved" else ("reject", "approve")
    assert f"proposal {waiting['id']} {done}" in told[first]
    assert "refused" not in told[first]
    assert f"refused: proposal {waiting['id']} is {done}" in told[second]
    exported = [row["content"] for row in rows(factstream("export", "--state", state))]
    assert exported == ([waiting["content"]] if done == "approved" else [])
    again = factstream("proposals", "edit", waiting["id"], "--content", "In Dutch", "--state", state)
    assert (again.returncode, "is " + done in again.stderr) == (1, True)
    assert [row["content"] for row in rows(factstream("export", "--state", state))] == exported
    assert factstream("proposals", "approve", "none", "--state", state).returncode == 1


def test_decide_answers_on_stdout() -> None:
    given = {"current": [{"id": "f1", "content": "User loves coffee", "confidence": 0.9}], "new": [
        {"content": "User loves strong black coffee", "confidence": 0.9}
    ]}  # fmt: skip
    done = factstream("decide", stdin=orjson.dumps(given).decode())
    assert [(row["id"], row["event"]) for row in orjson.loads(done.stdout)["facts"]] == [("f1", "UPDATE")]


def test_doctor_finds_nothing_wrong_without_kafka(ran: tuple[str, Any]) -> None:
    """S11"""
    done = factstream("doctor", "--state", ran[0])
    assert "models" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_run_says_how_many_records_it_could_not_read(tmp_path: Path) -> None:
    """S3"""
    (tmp_path / "mixed.jsonl").write_bytes(b'\xff\xfe\nnot json\n{"user_id": "f1"}\n')
    done = factstream("run", "--source", str(tmp_path / "mixed.jsonl"), "--state", str(tmp_path / "state"))
    assert done.returncode == 0, done.stderr
    assert f"3 records could not be read; {tmp_path / 'state' / 'dead-letters.jsonl'} has them" in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("run", "--source", "missing.jsonl"), 2, "no such file"),
        (("run",), 2, "nothing to read"),
        (("facts", "ilka", "--state", "nowhere"), 1, "no memory in"),
        (("facts", "ilka", "--config", "nowhere.toml", "--state", "nowhere"), 2, "cannot be read"),
        (("doctor", "--config", "nowhere.toml"), 2, "cannot be read"),
        (("recall", "ilka", "--format", "yaml"), 2, "expected"),
        (("forget", "ilka"), 2, "exactly one"),
        (("no-such-verb",), 2, "No such command"),
        (("facts", "ilka", "--status", "bogus"), 2, "expected one of"),
        (("remember", "ilka", "I sail", "--kind", "nonsense"), 2, "kind"),
        (("remember", "ilka", ""), 2, "text"),
    ],
)
def test_errors_are_one_line_with_their_status(words: tuple[str, ...], status: int, told: str, tmp_path: Path) -> None:
    done = factstream(*words) if "--state" in words else factstream(*words, "--state", str(tmp_path / "none"))
    assert done.returncode == status, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_second_job_on_one_directory_is_refused(ran: tuple[str, Any], tmp_path: Path) -> None:
    """S11"""
    with locked(Path(ran[0]) / "lock"):
        done = factstream("run", "--source", str(write(tmp_path, LINES)), "--state", ran[0])
    assert done.returncode == 1
    assert "in use by another job" in done.stderr


def test_two_workers_read_a_file_together(tmp_path: Path, ran: tuple[str, Any]) -> None:
    """S6"""
    state = str(tmp_path / "state")
    done = factstream("run", "--source", str(write(tmp_path, LINES)), "--workers", "2", "--state", state)
    assert done.returncode == 0, done.stderr
    with Memory(state) as two, Memory(ran[0]) as one:
        assert [f.content for f in two.facts("ilka")] == [f.content for f in one.facts("ilka")]
