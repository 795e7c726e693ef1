"""What is redacted is nowhere: the raw bytes of everything that a run leaves are searched (P2)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import orjson

from tests.secrets import bytes_under, found_cases, leaked, pieces, secret_lines

ROOT = Path(__file__).parents[2]


def factstream(*words: str) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([sys.executable, "-m", "flows", *words], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_what_is_redacted_is_in_no_file_and_no_line_of_a_run(tmp_path: Path) -> None:
    """P2, S2: stores with kept turns, recovery, snapshot, dead letters, spool, output; by commands and profiles too."""
    cases = found_cases()[::2]
    assert len(pieces(cases)) > 80
    state, config, source = tmp_path / "state", tmp_path / "factstream.toml", tmp_path / "stream.jsonl"
    config.write_text("[memory]\nturns = 30\n[dead_letters]\nshare_max = 1.0\n")
    jwt = next(case for case in cases if case.kind == "jwt")
    told = {"command": "remember", "text": f"note {jwt.text}", "user_id": "ilka", "sent_at": "2026-04-01T00:00:00Z"}
    bio = {"profile": {"bio": jwt.text}, "user_id": "ilka", "sent_at": "2026-04-01T00:00:00Z"}
    source.write_bytes(b"\n".join([*secret_lines(cases), orjson.dumps(told), orjson.dumps(bio)]) + b"\n")
    common = ("--state", str(state), "--config", str(config))
    done = factstream("run", "--source", str(source), *common)
    said = factstream("remember", "ilka", f"User keeps {jwt.secrets[0]} safe", *common)
    factstream("snapshot", *common)
    written = [*bytes_under(state), done.stdout, done.stderr, said.stdout, said.stderr]
    assert leaked(written, cases) == set()
    assert any(b"[redacted:" in each for each in written)
    assert any(b"wizard" in each for each in written)
    assert any(b"lives in Graz" in each for each in written)
