"""The verbs prune and import on the command line."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from flows import render
from flows.render import counted
from flows.settings import SettingsError, load
from state.export import iso, parse_iso

_Config = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file; see docs/factstream.toml.")]
_State = Annotated[Path, typer.Option("--state", help="The state directory.")]
_STATE = Path("factstream-state")


def _as_json(output: str) -> bool:
    if output not in ("table", "json"):
        raise SettingsError(f"--format is {output!r}; expected table or json")
    return output == "json"


def prune(
    at: Annotated[str | None, typer.Option("--at", help="ISO 8601: as of that event time; now without.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tells what would go.")] = False,
    output: Annotated[str, typer.Option("--format", help="table or json.")] = "table",
    config: _Config = None,
    state: _State = _STATE,
    tenant: Annotated[str | None, typer.Option("--tenant", help="One tenant; all without.")] = None,
) -> None:
    """Takes what is over, also of silent users: run-out statuses, retention, old tombstones and messages."""
    from flows import pruning

    as_json = _as_json(output)
    try:
        at_ms = int(time.time() * 1000) if at is None else parse_iso(at)
    except ValueError as error:
        raise SettingsError(f"--at: {error}") from None
    whole = (at_ms, iso(at_ms))
    report = pruning.prune(load(config), state, str(config) if config else None, whole, tenant, dry_run)
    if as_json:
        render.write_json({**report.row(), "dry_run": dry_run})
    else:
        rows = [*sorted(report.by_rule.items()), ("tombstones let go", report.tombstones)]
        rows.append(("messages that are context no more", report.messages))
        title = f"{'would be pruned' if dry_run else 'pruned'}, of {counted(report.users, 'user')}"
        render.write_table(title, ("rule", "count"), [row for row in rows if row[1]])
    if report.unanswered:
        waiting = counted(report.unanswered, "command")
        print(f"{waiting} sent; the answers will be on the events topic", file=sys.stderr)


def import_file(
    file: Annotated[Path, typer.Argument(help="An export, or a dump in mem0's shapes; - for stdin.")],
    user: Annotated[str | None, typer.Option("--user", help="The user of rows that name none.")] = None,
    tenant: Annotated[str | None, typer.Option("--tenant", help="The tenant of all rows, in place of theirs.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tells what would become of each row.")] = False,
    allow_replay: Annotated[
        bool, typer.Option("--allow-replay", help="Rows of users who were erased come in too.")
    ] = False,
    output: Annotated[str, typer.Option("--format", help="table or json.")] = "table",
    config: _Config = None,
    state: _State = _STATE,
) -> None:
    """Imports facts as policy allows: rows of `export` as they are, memories of mem0's as they are read."""
    from flows import importing

    as_json = _as_json(output)
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read ({error.strerror}); give an existing file") from None
    defaults = importing.Defaults(user, tenant, iso(int(time.time() * 1000)), allow_replay)
    report = importing.import_rows(load(config), state, str(config) if config else None, content, defaults, dry_run)
    if as_json:
        render.write_json({**report.row(), "dry_run": dry_run})
    else:
        rows = [(event, rule, count) for (event, rule), count in sorted(report.by_answer.items())]
        rows += [("", what, count) for what, count in report.remarks]
        title = f"{'would become' if dry_run else 'became'} of {counted(report.rows, 'row')}"
        render.write_table(title, ("event", "rule", "count"), rows)
    for fault in report.first_faults:
        print(fault, file=sys.stderr)
    if report.faults > len(report.first_faults):
        more = counted(report.faults - len(report.first_faults), "row")
        print(f"… and {more} more that cannot be read", file=sys.stderr)
    if report.failed:
        raise typer.Exit(1)
