"""What an erase has to do beside the stream: snapshots, spool, dead letters, and the word that all is done (F6).

The stream removes a user from windows and memory and publishes the tombstones; the ledger says how far that is. Here
the rest is carried on, after each run on files and while the live job runs. `python -m flows.erasing STATE [CONFIG]`
does it once, beside a live job that another supervisor runs.
"""

from __future__ import annotations

import fcntl
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import orjson

from flows import kafka
from flows.settings import Settings, load
from operators.decode import Decoder
from operators.publish import publish
from operators.reconcile import Outcome
from operators.records import InRecord
from state.erasures import Erasure, Erasures, erase_event
from state.layout import Layout
from state.memory_store import is_committed, read_only
from state.messages import Command, Rejected
from state.snapshots import SnapshotError, erase_user
from state.windows import user_key


def finish(settings: Settings, layout: Layout, *, ended: bool) -> list[Erasure]:
    """Carries each erasure on as far as it goes; those that were not done before, as they are now.

    `ended`: the flow has come to its end, so that everything it did is committed. Nobody else may write to the spool's
    files that are being read, nor to the dead letters' file: either the flow has ended, or it reads from Kafka.
    """
    if not layout.erasures.exists():
        return []
    with _alone(layout.erasures / "lock") as alone:
        ledger = Erasures(layout.erasures)
        under_way = ledger.unfinished() if alone else []
        for erasure in under_way:
            _carry_on(settings, layout, ledger, erasure, ended)
        numbers = {erasure.number for erasure in under_way}
        return [erasure for erasure in ledger.all() if erasure.number in numbers]


def is_ready(layout: Layout, erasure: Erasure) -> bool:
    """Whether the stream has done its part for certain, so that `finish` can come to an end."""
    return {"windows", "memory"} <= erasure.phases and _committed(layout, erasure)


def report_row(erasure: Erasure) -> dict[str, Any]:
    """An erasure as a report: what was removed where, and what is still to be done."""
    return {
        "user_id": erasure.user_id,
        "tenant": erasure.tenant,
        "user_hash": erasure.user_hash.hex(),
        "cut_off_ms": erasure.cut_off_ms,
        "allow_replay": bool(erasure.allows_replay),
        "done_ms": erasure.done_ms,
        "waiting": list(erasure.waiting) if erasure.done_ms is None else [],
        "removed": dict(erasure.removed),
    }


def _carry_on(settings: Settings, layout: Layout, ledger: Erasures, erasure: Erasure, ended: bool) -> None:
    assert erasure.tenant is not None
    assert erasure.user_id is not None
    assert erasure.command_id is not None
    user, command_id = user_key(erasure.tenant, erasure.user_id), erasure.command_id
    if not {"windows", "memory"} <= erasure.phases:
        return
    steps: dict[str, Callable[[], dict[str, int] | None]] = {
        "published": lambda: {} if ended or _committed(layout, erasure) else None,
        "snapshots": lambda: _snapshots(layout, ledger, erasure),
        "spool": lambda: {"spool.lines": _spool(settings, layout, erasure)},
        "dead_letters": lambda: {"dead_letters.lines": _dead_letters(settings, layout, erasure)},
    }
    left = False
    for phase, step in steps.items():
        if phase in erasure.phases:
            continue
        counts = step()
        if counts is None:
            left = True
            continue
        ledger.count(user, command_id, erasure.shard, counts)
        ledger.mark(user, command_id, phase)
    if not left:
        if kafka.configured(settings) and not ended:
            _publish_done(settings, ledger, erasure)
        ledger.close(user, command_id, int(time.time() * 1000))


def _committed(layout: Layout, erasure: Erasure) -> bool:
    db = read_only(layout.memory(erasure.shard))
    if db is None:
        return False
    with closing(db):
        return is_committed(db, erasure.user_hash, erasure.command_hash)


def _snapshots(layout: Layout, ledger: Erasures, erasure: Erasure) -> dict[str, int] | None:
    if not layout.snapshots.exists():
        return {}
    try:
        removed = erase_user(layout.snapshots, str(erasure.tenant), str(erasure.user_id), erasure.user_hash.hex())
    except SnapshotError:
        return None  # one is being written; it may hold the user, and is looked at when it is there
    return {f"snapshots.{table}": count for table, count in removed.items()}


def _spool(settings: Settings, layout: Layout, erasure: Erasure) -> int:
    """Blanks the user's lines in the spool's files, in place: others may wait to add to them."""
    decoder = Decoder(settings.decode_policy())

    def theirs(line: bytes, role: str) -> bool:
        items = decoder.decode(InRecord(role, "spool", 0, 0, line))
        mine = [not isinstance(item, Rejected) and _is_of(item, erasure) for item in items]
        spoken = bool(items) and (isinstance(items[0], Command) or getattr(items[0], "role", "") == "user")
        return bool(mine) and mine[0] and (spoken or all(mine))

    count = 0
    for path in sorted(layout.spool.parent.glob("*.jsonl")):
        role = "messages" if path.name.startswith("messages") else "commands"
        count += _overwrite(path, lambda line, role=role: b"" if theirs(line, role) else None)  # type: ignore[misc]
    return count


def _is_of(item: Any, erasure: Erasure) -> bool:
    whose = (item.tenant, item.user_id) == (erasure.tenant, erasure.user_id)
    return whose and item.sent_at_ms <= erasure.cut_off_ms


def _dead_letters(settings: Settings, layout: Layout, erasure: Erasure) -> int:
    """Empties the dead letters that name the user, in place: their length is the file's position in recovery."""
    mapped = settings.formats.fields.get("user_id", "user_id")
    names = naming(str(erasure.tenant), str(erasure.user_id), mapped)

    def emptied(line: bytes) -> bytes | None:
        row = orjson.loads(line)
        return orjson.dumps({"reason": row.get("reason"), "erased": True}) if names(row) else None

    return _overwrite(layout.dead_letters, emptied)


_NAMES_USERS = r"(?:user|uid|account|customer|member|author|sender|speaker|participant|entity|owner)"
_NAMES_USERS_IN = re.compile(rf"{_NAMES_USERS}|^(?:from|key)$", re.IGNORECASE)


def naming(tenant: str, user_id: str, mapped: str) -> Callable[[Any], bool]:
    """Whether a value gives the user's whole id where an id of a user stands: under such a name, as a record's key, or,
    where it is no JSON, behind such a word or as its first field. What only speaks of somebody so called is not theirs.

    `mapped` is the field from which messages take the user.
    """
    whole = {user_id, f"{tenant}/{user_id}"}
    told = re.compile(
        rf"(?:{_NAMES_USERS}\w*|{re.escape(mapped.rpartition('.')[2])})[\"']?\s*[:=]?\s*[\"']?(?:{re.escape(tenant)}/)?"
        rf"{re.escape(user_id)}(?![\w.@-])|\A[\"']?{re.escape(user_id)}[\"']?\s*[,;|\t]",
        re.IGNORECASE,
    )

    def names(value: Any, named: bool = False) -> bool:
        if isinstance(value, dict):
            return any(
                names(each, named or key == mapped.rpartition(".")[2] or _NAMES_USERS_IN.search(key) is not None)
                for key, each in value.items()
            )
        if isinstance(value, list):
            return any(names(each, named) for each in value)
        if isinstance(value, int) and not isinstance(value, bool):
            return named and str(value) == user_id
        if not isinstance(value, str):
            return False
        if named and value in whole:
            return True
        try:
            inner = orjson.loads(value)
        except orjson.JSONDecodeError:
            return told.search(value) is not None
        return isinstance(inner, dict | list) and names(inner)

    return names


def _overwrite(path: Path, instead: Callable[[bytes], bytes | None]) -> int:
    """Puts something shorter in the place of lines, filled up with spaces; how many. None leaves a line alone."""
    if not path.exists():
        return 0
    count = 0
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        offset = 0
        for line in iter(file.readline, b""):
            content = line.rstrip(b"\r\n")
            new = instead(content) if content.strip() else None
            if new is not None:
                os.pwrite(file.fileno(), new[: len(content)].ljust(len(content)), offset)
                count += 1
            offset += len(line)
        os.fsync(file.fileno())
    return count


def _publish_done(settings: Settings, ledger: Erasures, erasure: Erasure) -> None:
    """Tells on the events topic that all is done, and what was removed."""
    tenant, user_id = str(erasure.tenant), str(erasure.user_id)
    [now] = [each for each in ledger.of(user_key(tenant, user_id)) if each.number == erasure.number]
    event = erase_event(tenant, user_id, str(erasure.command_id), now, done=True)
    kafka.publish_now(settings, publish(Outcome(tenant, user_id, (event,), (), (), None)))


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Whether nobody else carries erasures on here; while it lasts nobody will."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(handle)


def main() -> None:
    """`python -m flows.erasing STATE [CONFIG]`, beside the live job."""
    state, *config = sys.argv[1:]
    for erasure in finish(load(config[0] if config else None), Layout(Path(state)), ended=False):
        print(orjson.dumps(report_row(erasure)).decode())


if __name__ == "__main__":
    main()
