"""A state directory and its recovery directory belong together, or the job does not start (S11)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from state.layout import Layout, LayoutError, prepare, read_identity, shard_of


def recovery(path: Path) -> None:
    (path / "part-0.sqlite3").write_bytes(b"")


def test_a_new_directory_gets_an_identity_and_keeps_it(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "state")
    made = prepare(layout, 8, recovery)
    assert prepare(layout, 8, recovery) == made == read_identity(layout)
    assert (layout.recovery / "part-0.sqlite3").exists()


def test_another_number_of_shards_is_refused_with_the_remedy(tmp_path: Path) -> None:
    prepare(Layout(tmp_path), 8, recovery)
    with pytest.raises(LayoutError, match="set it to 8"):
        prepare(Layout(tmp_path), 16, recovery)


def test_a_missing_recovery_directory_is_refused(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    prepare(layout, 8, recovery)
    shutil.rmtree(layout.recovery)
    with pytest.raises(LayoutError, match="recovery directory"):
        prepare(layout, 8, recovery)


def test_a_recovery_directory_of_another_memory_is_refused(tmp_path: Path) -> None:
    one, other = Layout(tmp_path / "one"), Layout(tmp_path / "other")
    prepare(one, 8, recovery)
    prepare(other, 8, recovery)
    shutil.rmtree(one.recovery)
    shutil.copytree(other.recovery, one.recovery)
    with pytest.raises(LayoutError, match="another memory"):
        prepare(one, 8, recovery)


def test_shards_without_identity_are_refused(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    prepare(layout, 8, recovery)
    layout.memory(0).write_bytes(b"x")
    layout.identity_path.unlink()
    with pytest.raises(LayoutError, match="part of it was lost"):
        prepare(layout, 8, recovery)


def test_a_crash_while_making_the_directory_leaves_one_that_can_be_made(tmp_path: Path) -> None:
    layout = Layout(tmp_path)

    def crash(path: Path) -> None:
        (path / "half").write_bytes(b"")
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        prepare(layout, 8, crash)
    prepare(layout, 8, recovery)
    assert not (layout.recovery / "half").exists()


def test_another_layout_is_refused(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.identity_path.write_text('{"state_id": "x", "shards": 8, "layout_version": 9}')
    with pytest.raises(LayoutError, match="layout 9"):
        read_identity(layout)
    layout.identity_path.write_text("junk")
    with pytest.raises(LayoutError, match=r"identity\.json is damaged .*Restore a snapshot"):
        read_identity(layout)


def test_shards_are_stable_and_spread_evenly() -> None:
    """S4, S6: pinned, for a changed hash would lose every user's shard"""
    assert [shard_of("default", user, 64) for user in ("ana", "ben", "宝")] == [
        shard_of("default", user, 64) for user in ("ana", "ben", "宝")
    ]
    counts = [0] * 64
    for number in range(64_000):
        counts[shard_of("default", f"user-{number}", 64)] += 1
    assert 850 < min(counts) <= max(counts) < 1_150
