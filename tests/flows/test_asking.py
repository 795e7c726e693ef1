"""The verbs that ask: rows for programs, tables for people, one clear line for what is wrong (Q1, Q4, Q7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from flows import Memory
from flows.asking import NotFoundError
from flows.cli import app
from flows.settings import SettingsError
from tests.flows.test_memory import EMBEDDER, state

__all__ = ["state"]


def asked(*words: str) -> Any:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    return orjson.loads(done.stdout)


def test_recall_is_narrowed_by_kind_namespace_and_both_times(state: Path) -> None:
    """Q1"""
    found = asked(
        "recall", "ana", "--kind", "opinion", "--namespace", "user", "--format", "json", "--state", str(state)
    )
    assert [fact["content"] for fact in found["facts"]] == ["User likes tea"]
    then = asked("recall", "ana", "--true-at", "2026-03-06", "--format", "json", "--state", str(state))
    assert "User lives in Berlin" in [fact["content"] for fact in then["facts"]]


def test_turns_evidence_and_profile_are_rows(state: Path) -> None:
    """Q4, Q7"""
    given = ("--format", "json", "--state", str(state))
    assert [turn["message_id"] for turn in asked("turns", "ana", "--limit", "2", *given)] == ["m4", "m3"]
    assert asked("profile", "ana", *given)["profile"]["residence"]["value"] == "Munich"
    with Memory(state, embedder=EMBEDDER) as memory:
        [fact] = memory.recent("ana", 1)
    [row] = asked("evidence", "ana", fact.fact_id, *given)
    assert (row["said"], row["role"], row["message_id"]) == ("I like tea", "user", "m4")


def test_a_table_shows_the_words_behind_a_fact(state: Path) -> None:
    with Memory(state, embedder=EMBEDDER) as memory:
        [fact] = memory.recent("ana", 1)
    done = CliRunner().invoke(app, ["evidence", "ana", fact.fact_id, "--state", str(state)])
    assert "«I like tea»" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("recall", "ana", "--kind", "rumour"), "--kind is 'rumour'"),
        (("recall", "ana", "--as-of", "soon"), "'soon' is no time"),
        (("turns", "ana", "--format", "xml"), "--format is 'xml'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(state: Path, words: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(app, [*words, "--state", str(state)])
    assert isinstance(done.exception, SettingsError)
    assert told in str(done.exception)


def test_a_fact_that_is_not_there_is_told_in_one_line(state: Path) -> None:
    done = CliRunner().invoke(app, ["evidence", "ana", "nothing", "--state", str(state)])
    assert isinstance(done.exception, NotFoundError)
    assert "has no fact 'nothing'" in str(done.exception)
