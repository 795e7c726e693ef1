"""The same number of messages from few users or from many: the rate, the memory and the disk that a user takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import running
from tests.benchmarks.chat import START_MS, write_files
from tests.benchmarks.running import Line, Run
from tests.benchmarks.worker import WorkerSpec

USERS = (1_000, 10_000, 100_000)


def sessions(messages: int, users: int) -> Iterator[dict[str, object]]:
    """Exchanges of two messages, one user after another, again from the first: only the number of users differs.

    Every fifth exchange says something new, so that it makes a fact whoever says it.
    """
    for number in range(messages // 2):
        user, at_ms = number % users, START_MS + number * 10_000
        said = f"I like word{number}" if number // users % 5 == user % 5 else "How do I cook that again?"
        for turn, (role, text) in enumerate((("user", said), ("assistant", "Here is how."))):
            yield {
                "user_id": f"user-{user}",
                "conversation_id": f"c{number}",
                "message_id": f"m{number}-{turn}",
                "role": role,
                "text": text,
                "sent_at": at_ms + turn,
            }


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """One worker, models left out, few and many users in turns; the rate by the clock and by processor time."""
    del weights
    out, rates = [], []
    found: dict[int, list[Run]] = {users: [] for users in USERS}
    for turn in range(runs):
        for users, done in found.items():
            sources = tuple(write_files(sessions(messages, users), folder, 4))
            spec = WorkerSpec("", "", "", messages, sources, models=False)
            done.append(running.once(folder, f"users-{users}-{turn}", spec, 1))
    for users, done in found.items():
        state = folder / f"users-{users}-0"
        logs = sum(path.stat().st_size for path in (state / "shards").glob("*-wal"))
        running.fold_logs(state)
        shards, facts = running.files_bytes(state / "shards"), running.facts_held(state)
        memories = sum(path.stat().st_size for path in (state / "shards").glob("memory-*"))
        rates.append(running.middle(run.messages / run.reports[0].cpu_seconds for run in done))
        name, rss_bytes = f"{users:,} users", max(run.reports[0].rss_bytes_max for run in done)
        recovery_bytes = len(running.recovery_bytes(state))
        out += [
            Line("users", f"{name}: the job", running.middle(run.messages_per_second for run in done), "messages/s"),
            Line("users", f"{name}: by processor time", rates[-1], "messages/s of a core"),
            Line("users", f"{name}: memory of the process", round(rss_bytes / 1e6), "MB"),
            Line("users", f"{name}: facts", facts),
            Line("users", f"{name}: memory files", round(memories / max(1, facts)), "bytes/fact"),
            Line("users", f"{name}: all shard files", round(shards / min(users, messages // 2)), "bytes/user"),
            Line("users", f"{name}: write-ahead logs, beside these", round(logs / 1e6), "MB"),
            Line("users", f"{name}: recovery store", recovery_bytes, "bytes"),
        ]
        for stage, microseconds in done[0].stage_microseconds().items():
            out.append(Line("users", f"{name}: {stage}", round(microseconds, 1), "µs/message"))
    out.append(Line("users", "slowest by fastest, in processor time", round(min(rates) / max(rates), 3), "", "≥ 0.85"))
    return out
