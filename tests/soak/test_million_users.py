"""After a million users the job is as fast, as small and as quick to start as before them (S6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.benchmarks import running
from tests.soak.passing_by import check_what_is_left, passage

USERS = int(os.environ.get("FACTSTREAM_SOAK_USERS", "1_000_000"))


@pytest.mark.soak
def test_a_million_users_leave_nothing_but_their_memories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """S6: the rate of the last tenth is at least 85 % of the first ones', and a restart takes less than 5 seconds"""
    passed = passage(tmp_path, USERS, shards=64, epoch_seconds=10)
    running.fold_logs(passed.state)
    shards = running.files_bytes(passed.state / "shards")
    with capsys.disabled():
        print(
            f"\n{USERS:,} users: {passed.first.messages_per_second:,.0f} messages/s,"
            f" of each tenth by processor time {[round(rate) for rate in passed.tenths_per_cpu_second]},"
            f" last tenth by first {passed.last_tenth_by_first:.2f}, restart {passed.restart_seconds:.1f} s,"
            f" recovery store {len(running.recovery_bytes(passed.state)):,} bytes,"
            f" shard files {shards / USERS:,.0f} bytes a user,"
            f" open and recent messages {running.rows_held(passed.state, 'windows', 'message'):,},"
            f" seen ids {running.rows_held(passed.state, 'windows', 'seen'):,},"
            f" process {passed.first.reports[0].rss_bytes_max / 1e6:,.0f} MB"
        )
    check_what_is_left(passed)
    assert passed.last_tenth_by_first >= 0.85
    assert passed.restart_seconds < 5
