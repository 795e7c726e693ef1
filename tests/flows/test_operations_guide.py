"""The commands of the operations guide do what it says (S5, S6)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from typer.main import get_command

from flows.cli import app
from tests.kafka_broker import free_port

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def test_the_disaster_drill_ends_with_the_memory_as_it_was(tmp_path: Path) -> None:
    """S5: restore, then the tail, byte for byte"""
    [script] = re.findall(r"<!-- drill: begin -->\n```sh\n(.*?)```\n<!-- drill: end -->", GUIDE, re.DOTALL)
    (tmp_path / "bin").mkdir()
    (tmp_path / "flows").symlink_to(ROOT / "flows")
    program = tmp_path / "bin" / "factstream"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m flows "$@"\n')
    program.chmod(0o755)
    environ = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "FACTSTREAM__METRICS__PORT": str(free_port()),
        "FACTSTREAM__MEMORY__SHARDS": "8",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    assert (tmp_path / "after.jsonl").read_text().count("\n") > 20


def test_every_command_that_the_guide_shows_is_understood() -> None:
    """Each verb and option exists"""
    verbs = get_command(app).commands  # type: ignore[attr-defined]  # a group has them
    shown = [line for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL) for line in block.splitlines()]
    found = [match for line in shown for match in re.findall(r"\bfactstream ([a-z]+)([^|#>]*)", line)]
    assert len(found) > 15
    for verb, words in found:
        options = {name for parameter in verbs[verb].params for name in (*parameter.opts, *parameter.secondary_opts)}
        assert set(re.findall(r"--[a-z-]+", words)) <= options, (verb, words)
