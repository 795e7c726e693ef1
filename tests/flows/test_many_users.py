"""No cost grows with the number of users ever seen: the small form of tests/soak/test_million_users.py."""

from __future__ import annotations

from pathlib import Path

from tests.soak.passing_by import check_what_is_left, passage


def test_users_who_passed_by_leave_nothing_but_their_memories(tmp_path: Path) -> None:
    """S6, S5: the recovery store holds offsets and shard numbers, windows are purged, every fact is there"""
    check_what_is_left(passage(tmp_path, users=6_000, shards=4, epoch_seconds=0.2))
