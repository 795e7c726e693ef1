"""The verb import: rows of our own export and memories in mem0's shapes, as commands through the one flow (Q5).

Both are redacted and judged by policy (P1). Our rows are then taken over as they are; what mem0 wrote is foreign, and
reconciled. Users who were erased stay out, unless they are asked for (F6).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from flows.commands import CommandError, line_of, send
from flows.settings import Settings
from flows.trial import Trial
from state.commands import REFUSALS
from state.erasures import Erasures
from state.export import parse_iso
from state.facts import KINDS, FactEvent, stable_id
from state.layout import Layout

Row = dict[str, Any]
_SENT_AT_ONCE = 20_000
_LISTS = ("results", "memories", "facts", "data")
_FAULTS_MAX = 20
_LEFT_OUT = ("Q5.left_out", "X8.third_party", "W3.manual")
_PROPOSED = ("W1.proposed", "W1.already_proposed")


class DumpError(ValueError):
    """A row of no known shape."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a row that does not say gets: the user (mem0's history names none), and the tenant of all rows if given.

    `allow_replay`: rows of users who were erased come in.
    """

    user: str | None = None
    tenant: str | None = None
    now: str = ""
    allow_replay: bool = False


@dataclass(slots=True)
class Report:
    """What became of the rows: by (event, rule) of their answers; `faults` are rows that cannot be read.

    `redacted` had something taken out; `erased` are of users who were erased, and stayed out.
    """

    rows: int = 0
    by_answer: Counter[tuple[str, str]] = field(default_factory=Counter)
    redacted: int = 0
    erased: int = 0
    repeated: int = 0
    faults: int = 0
    first_faults: list[str] = field(default_factory=list)

    def fault(self, number: int, why: str) -> None:
        """Notes a row that cannot be read; the others are imported all the same."""
        self.faults += 1
        if len(self.first_faults) < _FAULTS_MAX:
            self.first_faults.append(f"row {number}: {why}")

    def answered(self, events: list[FactEvent] | tuple[FactEvent, ...]) -> None:
        """Counts what a command came to; for a command that is answered twice the change counts, not the remark."""
        by_command: dict[str | None, FactEvent] = {}
        for event in events:
            if event.command_id is not None and by_command.get(event.command_id, event).event in ("NONE", event.event):
                by_command[event.command_id] = event
        self.by_answer += Counter((event.event, event.rule) for event in by_command.values())

    def row(self) -> Row:
        """As JSON."""
        answers = {f"{event} {rule}": count for (event, rule), count in sorted(self.by_answer.items())}
        return {
            "rows": self.rows,
            "answers": answers,
            "redacted": self.redacted,
            "left_out_by_policy": self.left_out,
            "proposed": self.proposed,
            "erased_before": self.erased,
            "imported_before": self.repeated,
            "unreadable": self.faults,
        }

    @property
    def left_out(self) -> int:
        """Rows that policy kept out whole."""
        return sum(count for (_, rule), count in self.by_answer.items() if rule in _LEFT_OUT)

    @property
    def proposed(self) -> int:
        """Rows that wait for approval."""
        return sum(count for (_, rule), count in self.by_answer.items() if rule in _PROPOSED)

    @property
    def remarks(self) -> list[tuple[str, int]]:
        """What the answers alone do not tell, where there is any of it."""
        told = (
            ("of an erased user: left out", self.erased),
            ("imported before, or still waiting", self.repeated),
            ("in all redacted", self.redacted),
            ("in all left out by policy", self.left_out),
            ("in all waiting for approval", self.proposed),
        )
        return [(what, count) for what, count in told if count]

    @property
    def failed(self) -> bool:
        """Whether something was not taken for what it was given."""
        return bool(self.faults) or any(rule in REFUSALS for _, rule in self.by_answer)


def import_rows(
    settings: Settings, state: Path, config: str | None, content: bytes, defaults: Defaults, dry_run: bool
) -> Report:
    """Imports a dump, or with `dry_run` only tells what would become of it. Raises LayoutError, KafkaProblem."""
    report, erasures = Report(), Erasures(Layout(state).erasures)
    commands = []
    for number, row in enumerate(_rows(content), 1):
        report.rows += 1
        try:
            if not isinstance(row, dict):
                raise DumpError(f"{row!r:.60} is no object; expected an exported fact, or a memory of mem0's")
            command = command_of(row, defaults)
            if command is None:
                continue
            if not defaults.allow_replay and _is_erased(erasures, command, row):
                report.erased += 1
                continue
            report.redacted += line_of(settings, command) != orjson.dumps(command)
            commands.append(command | {"allow_replay": True} if defaults.allow_replay else command)
        except (CommandError, DumpError) as error:
            report.fault(number, str(error))
    # In event time, user by user: a fold that goes on needs no folding again.
    commands.sort(key=lambda row: (row["tenant"], row["user_id"], parse_iso(row["sent_at"]), row["command_id"]))
    if dry_run:
        trial = Trial(settings, state)
        for command in commands:
            report.answered(trial.run(command).events)
        return report
    name = blake2b(content, digest_size=8).hexdigest()
    for at in range(0, len(commands), _SENT_AT_ONCE):
        file = Layout(state).spool.parent / f"import-{name}-{at}.jsonl"
        sent = send(settings, str(state), config, commands[at : at + _SENT_AT_ONCE], file=file)
        report.answered(sent.answers)
        report.repeated += len(sent.unanswered)
    return report


def _is_erased(erasures: Erasures, command: Row, row: Row) -> bool:
    """Whether the row tells of a user up to their erase; one without a time of its own always does."""
    dated = any(row.get(name) for name in ("recorded_at", "updated_at", "created_at"))
    return erasures.covers(f"{command['tenant']}/{command['user_id']}", parse_iso(command["sent_at"]) if dated else 0)


def _rows(content: bytes) -> list[object]:
    """The rows of a JSON document (a list, or an object that holds one) or of JSON lines; bad lines stay text."""
    try:
        whole = orjson.loads(content)
    except orjson.JSONDecodeError:
        return [_parsed(line) for line in content.split(b"\n") if line.strip()]
    if isinstance(whole, dict):
        whole = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), [whole])
    return whole if isinstance(whole, list) else [whole]


def _parsed(line: bytes) -> object:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return line.decode("utf-8", "replace")


def command_of(row: Row, defaults: Defaults) -> Row | None:
    """The command that a row comes to; None for one that says nothing by itself (mem0's history of what is gone)."""
    if "revision" in row and "content" in row:
        return _of_export(row, defaults)
    if "memory_id" in row and "event" in row:
        text = row.get("new_memory") or row.get("new_value")
        if not text or row.get("is_deleted"):
            return None
        return _of_mem0({**row, "id": row["memory_id"], "memory": text}, defaults)
    if "memory" in row or ("data" in row and "hash" in row):
        return _of_mem0(row, defaults)
    known = ", ".join(sorted(row)[:6]) or "nothing"
    raise DumpError(f"it has {known}; expected an exported fact (id, content, revision, …) or mem0's id and memory")


def _of_export(row: Row, defaults: Defaults) -> Row:
    user, tenant = row.get("user_id") or defaults.user, defaults.tenant or row.get("tenant") or "default"
    if not isinstance(user, str):
        raise DumpError("it names no user; give --user")
    recorded_at, digest = row.get("recorded_at"), stable_id(orjson.dumps(row, option=orjson.OPT_SORT_KEYS))
    ident = f"import/{row.get('id')}/{row['revision']:08d}/{digest}" if isinstance(row["revision"], int) else digest
    return {
        "command": "import",
        "tenant": tenant,
        "user_id": user,
        "sent_at": _checked_time(recorded_at),
        "command_id": ident,
        "fact": row,
    }


def _of_mem0(row: Row, defaults: Defaults) -> Row:
    metadata = row["metadata"] if isinstance(row.get("metadata"), dict) else {}
    text = row.get("memory") or row.get("data")
    user = row.get("user_id") or metadata.get("user_id") or defaults.user
    if not isinstance(text, str) or not text.strip():
        raise DumpError(f"its memory is {text!r:.60}, expected a sentence")
    if not isinstance(user, str):
        raise DumpError("it names no user; give --user")
    kind = metadata.get("kind") if metadata.get("kind") in KINDS else None
    namespace = metadata.get("namespace")
    command = {
        "command": "import",
        "tenant": defaults.tenant or "default",
        "user_id": user,
        "sent_at": _checked_time(row.get("updated_at") or row.get("created_at") or defaults.now),
        "command_id": f"import/mem0/{stable_id(row.get('id'), text)}",
        "text": text,
        "kind": kind,
        "namespace": namespace if isinstance(namespace, list | str) and namespace else None,
    }
    return {name: value for name, value in command.items() if value is not None}


def _checked_time(text: object) -> str:
    try:
        parse_iso(str(text))
    except ValueError as error:
        raise DumpError(str(error)) from None
    return str(text)
