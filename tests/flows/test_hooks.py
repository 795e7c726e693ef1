"""A product's own functions, installed as a real distribution, in the order redact, validate, should-remember (P1)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows import Memory, hooks
from flows.settings import Policy, Settings, SettingsError

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
LINES = (
    "My badge is AB-4417 and I live in Graz.",
    "I have a cat called Mina.",
    "I play poker every Friday.",
    "I moved to Narvik in May.",
    "I play the violin.",
    "I work as a beekeeper.",
)


FAILING = (
    "def redact(text):\n    if 'Narvik' in text:\n        raise ValueError(text)\n    return text\n\n"
    "def validate(claim):\n    if 'violin' in claim.content:\n        raise ValueError(claim.content)\n"
    "    return True\n"
)
FAILING_POINTS = "[factstream.redact]\nplaces = bad_rules:redact\n[factstream.validate]\nmusic = bad_rules:validate\n"


def install(folder: Path, name: str, source: str, points: str) -> Path:
    """A distribution as pip would lay it out in a folder of the path: a module and its metadata."""
    site = folder / "site"
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (site / f"{name}.py").write_text(source, encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    return site


def documented() -> tuple[str, str]:
    """The module and the entry points that docs/policy.md shows, the latter as an installer writes them."""
    [source] = re.findall(r"```python\n(# house_rules.py.*?)```", GUIDE, re.DOTALL)
    [table] = re.findall(r"```toml\n(\[project\]\nname = \"house-rules\".*?)```", GUIDE, re.DOTALL)
    sections = re.findall(r"\[project\.entry-points\.\"(factstream\.\w+)\"\]\n(\w+) = \"([\w:]+)\"", table)
    return source, "".join(f"[{group}]\n{name} = {value}\n" for group, name, value in sections)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, bytes]:
    """A run with the documented hooks and failing ones: active contents, stderr, and all bytes of the state."""
    folder = tmp_path_factory.mktemp("hooks")
    site = install(folder, "house_rules", *documented())
    install(folder, "bad_rules", FAILING, FAILING_POINTS)
    source, state, config = folder / "stream.jsonl", folder / "state", folder / "factstream.toml"
    config.write_text("[dead_letters]\nshare_max = 1.0\n")
    base = {"user_id": "ilka", "conversation_id": "c1", "role": "user", "sent_at": "2026-03-01T10:00:00Z"}
    source.write_bytes(
        b"".join(orjson.dumps({**base, "message_id": f"m{i}", "text": text}) + b"\n" for i, text in enumerate(LINES))
    )
    words = ["run", "--source", str(source), "--state", str(state), "--config", str(config)]
    environ = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-m", "flows", *words], cwd=ROOT, env=environ, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with Memory(state) as memory:
        contents = " / ".join(fact.content for fact in memory.facts("ilka"))
    kept = b"".join(path.read_bytes() for path in sorted(state.rglob("*")) if path.is_file())
    return contents, done.stderr.decode(), kept


def test_the_documented_hooks_redact_validate_and_decide(ran: tuple[str, str, bytes]) -> None:
    """P1, P2: the badge is nowhere, gambling is not valid, and pets are not to be remembered."""
    contents, _, kept = ran
    assert "Graz" in contents
    assert "beekeeper" in contents
    assert "poker" not in contents
    assert "Mina" not in contents
    assert b"AB-4417" not in kept


def test_a_failing_hook_costs_its_item_and_stops_nothing(ran: tuple[str, str, bytes]) -> None:
    """P1: a line names the hook and no words; a message whose redaction failed is a dead letter without them."""
    contents, said, kept = ran
    assert "beekeeper" in contents
    assert "violin" not in contents
    assert b"Narvik" not in kept
    assert b"hook_failed" in kept
    assert "hook places of factstream.redact failed (ValueError)" in said
    assert "hook music of factstream.validate failed (ValueError)" in said
    assert "Narvik" not in said
    assert "violin" not in said


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Hooks are loaded once a process; a test that installs some clears that before and after."""
    hooks._installed.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    hooks._installed.cache_clear()


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("raise RuntimeError('no licence')\n", "cannot be loaded: RuntimeError: no licence; repair or uninstall"),
        ("rule = 3\n", "is a int, expected a function; repair or uninstall"),
        ("", "cannot be loaded: AttributeError"),
    ],
)
def test_a_hook_that_cannot_be_loaded_is_one_clear_line(
    tmp_path: Path, fresh: pytest.MonkeyPatch, source: str, complaint: str
) -> None:
    """INTERFACE: before anything starts, with the package and the remedy; and it can be done without."""
    fresh.syspath_prepend(
        str(install(tmp_path, "house_rules", source, "[factstream.validate]\nx = house_rules:rule\n"))
    )
    fresh.delitem(sys.modules, "house_rules", raising=False)
    with pytest.raises(SettingsError) as refused:
        hooks.hooks_of(Settings())
    assert complaint in str(refused.value)
    assert "entry point 'x' of factstream.validate (house_rules:rule, package house-rules)" in str(refused.value)
    assert hooks.hooks_of(Settings(policy=Policy(hooks=False))).validate == ()
