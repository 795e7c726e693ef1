"""Measure 7: conversation cases with expectations, run by their own checker against this program's command line."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from flows.evaluation.chats import DataError
from flows.evaluation.figures import Figure

_TIMEOUT_SECONDS = 1_800
_COUNTS = re.compile(r"want something: (\d+) of (\d+); that want nothing: (\d+) of (\d+)")
_CASES = re.compile(r"cases: (\d+) passed, (\d+) failed")


def run_cases(folder: Path) -> str:
    """What check.py of the folder says of its case files. Raises DataError."""
    checker, files = folder / "check.py", sorted(folder.glob("*.txt"))
    if not checker.is_file() or not files:
        raise DataError(f"{folder}: no check.py with case files; give the data folder beside it with --data")
    with tempfile.TemporaryDirectory(prefix="factstream-eval-") as kept:
        words = [sys.executable, str(checker), *map(str, files), "--keep", kept]
        words += ["--cmd", f"{sys.executable} -m flows"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
    return done.stdout + done.stderr


def figures(printed: str) -> list[Figure]:
    """Cases passed, and expectations by whether silence would pass them. Raises DataError where there is no count."""
    counts, cases = _COUNTS.search(printed), _CASES.search(printed)
    if counts is None or cases is None:
        raise DataError(f"check.py gave no count: {printed.strip()[-300:] or 'it printed nothing'}")
    some, some_of, none, none_of = map(int, counts.groups())
    passed, failed = map(int, cases.groups())
    return [
        _share("cases passed", passed, passed + failed),
        _share("expectations that want something", some, some_of),
        _share("expectations that want nothing (silence passes them)", none, none_of),
    ]


def _share(name: str, good: int, count: int) -> Figure:
    return Figure(7, "cases", name, good / count if count else 0.0, count, None, 1.0)
