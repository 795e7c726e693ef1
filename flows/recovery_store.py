"""What the dataflow's recovery store would resume from: read, never written, and not by the process that runs the flow.

Bytewax keeps each step's states under (step, key) and epoch in the partitions' `snaps`; an execution resumes before
the lowest epoch that one of its workers has reached.
"""

from __future__ import annotations

import io
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from state.layout import Layout, read_identity
from state.memory_store import read_only
from state.shard_file import StateMismatchError, check_resume, standing

_SNAPS = """
select step_id, state_key, ser_change from snaps join (
  select step_id, state_key, max(snap_epoch) as snap_epoch from snaps where snap_epoch < ? group by step_id, state_key
) using (step_id, state_key, snap_epoch)"""


class _PlainOnly(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}: states of the flow are plain values")


def resume_states(recovery: Path) -> dict[tuple[str, str], Any]:
    """(step, key) to the state that a run started now would resume with. Raises StateMismatchError.

    The step is without the flow's name. A running job may commit meanwhile: then parts of two moments can mix.
    """
    executions: dict[int, tuple[int, int]] = {}
    reached: dict[tuple[int, int], int] = {}
    commits: list[int] = []
    files = sorted(recovery.glob("part-*.sqlite3"))
    for path in files:
        with closing(_open(path)) as db:
            counted = db.execute("select part_count from parts").fetchone()
            if counted is None or counted[0] != len(files):
                raise StateMismatchError(
                    f"{recovery} holds {len(files)} partitions, expected {counted[0] if counted else 'another number'}:"
                    " part of it was lost. Restore a backup of the whole state directory."
                )
            for number, workers, epoch in db.execute("select ex_num, worker_count, resume_epoch from exs"):
                executions[number] = (workers, epoch)
            for number, worker, epoch in db.execute("select ex_num, worker_index, worker_frontier from fronts"):
                reached[number, worker] = max(epoch, reached.get((number, worker), 0))
            commits += [row[0] for row in db.execute("select commit_epoch from commits")]
    if not executions:
        return {}
    last = max(executions)
    workers, begun = executions[last]
    epoch = min(max(begun, reached.get((last, worker), 0)) for worker in range(workers))
    if max(commits, default=0) > epoch:
        raise StateMismatchError(
            f"{recovery} has partitions of different moments (resumes before {epoch}, {max(commits)} is committed):"
            " restore a backup of the whole state directory."
        )
    return {key: state for path in files for key, state in _states(path, epoch)}


def _states(path: Path, epoch: int) -> list[tuple[tuple[str, str], Any]]:
    with closing(_open(path)) as db:
        return [
            ((step.rpartition(".")[2], key), _PlainOnly(io.BytesIO(state)).load())
            for step, key, state in db.execute(_SNAPS, (epoch,))
            if state is not None
        ]


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, isolation_level=None, timeout=10)


def check_together(layout: Layout) -> None:
    """Raises StateMismatchError where a shard's file and the recovery store could not go on together (S5, S11)."""
    states = resume_states(layout.recovery)
    for shard in range(read_identity(layout).shards):
        for step, path in (("windows", layout.windows(shard)), ("memory", layout.memory(shard))):
            state = states.get((step, f"shard-{shard:04d}"))
            resume = None if state is None else (state[1], state[2])
            db = read_only(path)
            if db is None:
                if resume is not None and resume[1] > 0:
                    raise StateMismatchError(
                        f"{path} is missing, but the recovery store has it at {resume[1]}: restore a backup that has"
                        " both."
                    )
                continue
            with closing(db):
                check_resume(path, standing(db), resume)
