"""The import table of docs/design.md holds: a line of code knows its room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = frozenset({"flows", "operators", "models", "state", "tests"})
ALLOWED = {
    "state": frozenset({"state"}),
    "models": frozenset({"models"}),
    "operators": frozenset({"operators", "state", "models"}),
    "flows": frozenset({"flows", "operators", "models", "state"}),
}
STATE_LIBRARIES = frozenset({"numpy", "faiss", "duckdb", "orjson"})


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def files(room: str) -> list[Path]:
    return [
        path for path in sorted((ROOT / room).rglob("*.py")) if path.relative_to(ROOT).parts[:2] != ("models", "train")
    ]


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_imports_only_the_rooms_it_may(room: str) -> None:
    assert files(room)
    wrong = {str(path.relative_to(ROOT)): imports(path) & OURS - ALLOWED[room] for path in files(room)}
    assert not {path: names for path, names in wrong.items() if names}


def test_state_uses_only_the_libraries_it_may() -> None:
    import sys

    for path in files("state"):
        assert imports(path) - OURS - STATE_LIBRARIES - sys.stdlib_module_names == set(), path.name


def test_bytewax_is_known_to_operators_and_flows_alone() -> None:
    for room in ("state", "models"):
        assert not [path.name for path in files(room) if "bytewax" in imports(path)]


def test_functions_stay_under_seventy_lines() -> None:
    for room in (*ALLOWED, "tests"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    length = (node.end_lineno or node.lineno) - node.lineno + 1
                    assert length <= 70, f"{path.relative_to(ROOT)}: {node.name} has {length} lines"
