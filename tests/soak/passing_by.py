"""Users who come, say a few things and never return: what of them is left outside their memories (S6)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.benchmarks import running
from tests.benchmarks.running import Run
from tests.benchmarks.worker import WorkerSpec

MESSAGES_A_USER = 3
SPAN_DAYS = 120
_SETTINGS = """
[memory]
shards = {shards}
users_in_memory_max = 200
[recovery]
epoch_seconds = {epoch_seconds}
partitions = 4
"""


@dataclass(frozen=True, slots=True)
class Passage:
    """The runs of one memory: the first over almost all users, the second after a restart over the rest."""

    state: Path
    users: int
    first: Run
    second: Run

    @property
    def messages(self) -> int:
        return self.users * MESSAGES_A_USER

    @property
    def tenths_per_cpu_second(self) -> list[float]:
        """Messages a second of processor time, of each tenth of the first run that was seen to its end."""
        marks = self.first.reports[0].tenths_cpu_seconds
        return [self.first.messages / 10 / (end - start) for start, end in pairwise(marks)]

    @property
    def last_tenth_by_first(self) -> float:
        """The rate of the last tenth by that of the first, in processor time: other programs don't count."""
        rates = self.tenths_per_cpu_second
        return rates[-1] / rates[0]

    @property
    def restart_seconds(self) -> float:
        """From the start of the second run's process to the end of the first activation of the windows."""
        return self.second.reports[0].first_done_at - self.second.launched_at


def passage(folder: Path, users: int, shards: int, epoch_seconds: float) -> Passage:
    """`users` users pass by over SPAN_DAYS of event time; the last hundredth of them after a restart."""
    before = users - users // 100
    state, config = running.prepared(folder, "state", _SETTINGS.format(shards=shards, epoch_seconds=epoch_seconds))
    runs = []
    for count, upto in ((before, before), (users - before, users)):
        passing = {"users": users, "upto": upto, "span_days": SPAN_DAYS}
        messages = count * MESSAGES_A_USER
        spec = WorkerSpec(str(state), str(config), str(folder / "report"), messages, models=False, passing=passing)
        runs.append(running.measured(spec, 1))
    return Passage(state, users, *runs)


def check_what_is_left(passed: Passage) -> None:
    """Nothing of a user in the recovery store, windows and seen ids for their horizons, and every fact."""
    assert passed.first.messages + passed.second.messages == passed.messages
    recovery = running.recovery_bytes(passed.state)
    for word in (b"passer", b"default/", b"Town", b"food"):
        assert word not in recovery
    assert len(recovery) < 2_000_000
    assert running.rows_held(passed.state, "windows", "message") < passed.messages * 12 / SPAN_DAYS
    assert running.rows_held(passed.state, "windows", "seen") < passed.messages * 35 / SPAN_DAYS
    assert running.rows_held(passed.state, "windows", "message", "done_seq is null and to_seq is null") == 0
    assert running.facts_held(passed.state) == 2 * passed.users
