"""What waits in the spool stays only as long as it waits (P2, P4)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from flows.commands import append
from flows.spool import waiting_bytes, wipe
from state.layout import Layout
from tests.secrets import bytes_under

ROOT = Path(__file__).parents[2]


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path)
    append(made.spool, [b"first", b"second"])
    return made


def test_what_was_read_goes_and_the_file_is_empty(layout: Layout) -> None:
    wipe(layout, waiting_bytes(layout))
    assert layout.spool.read_bytes() == b""
    wipe(layout, waiting_bytes(layout))
    assert waiting_bytes(Layout(layout.root / "other")) == 0


def test_what_came_meanwhile_waits_where_it_stands(layout: Layout) -> None:
    read = waiting_bytes(layout)
    append(layout.spool, [b"third"])
    wipe(layout, read)
    assert layout.spool.read_bytes() == b"     \n      \nthird\n"


def test_nothing_goes_while_a_backup_is_made(layout: Layout) -> None:
    """Its copy of memory may be from before the run."""
    layout.hold.parent.mkdir()
    layout.hold.touch()
    wipe(layout, waiting_bytes(layout))
    assert layout.spool.read_bytes() == b"first\nsecond\n"


def test_words_that_policy_refuses_are_in_no_file_after_the_answer(tmp_path: Path) -> None:
    """P4: and a command given afterwards is read"""
    config, state = tmp_path / "factstream.toml", tmp_path / "state"
    config.write_text('[policy.sensitive]\nhealth = "drop"\n')
    done = [
        subprocess.run(
            [sys.executable, "-m", "flows", "remember", "ana", words, "--config", config, "--state", state],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        for words in ("I have diabetes.", "I live in Graz.")
    ]
    assert [each.returncode for each in done] == [1, 0]
    written = list(bytes_under(state))
    assert not any(b"diabetes" in each for each in written)
    assert any(b"Graz" in each for each in written)
