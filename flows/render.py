"""What people see of rows: tables on stdout for a terminal, JSON for programs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table

from flows.difference import Difference
from state.facts import EventName, FactEvent, Proposal

SHOWN_MAX = 40
_TITLES: dict[EventName, str] = {
    "ADD": "learned",
    "UPDATE": "updated",
    "REINFORCE": "heard again",
    "REACTIVATE": "came back",
    "FORGET": "forgotten on request",
    "ARCHIVE": "ran out",
    "DELETE": "withdrawn",
    "PRUNE": "pruned",
    "FLAG": "contradictions to verify",
    "ERASE": "erased",
}


def write_json(value: Any) -> None:
    """One JSON value on stdout."""
    sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")
    sys.stdout.buffer.flush()


def write_lines(rows: Iterable[dict[str, Any]]) -> None:
    """JSONL on stdout."""
    for row in rows:
        sys.stdout.buffer.write(orjson.dumps(row) + b"\n")
    sys.stdout.buffer.flush()


def write_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout; cells are taken literally, so that no stored sentence styles the terminal."""
    table = Table(title=title, title_justify="left", show_lines=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(_plain(cell) for cell in row))
    _console().print(table)


def _console() -> Console:
    console = Console(markup=False, highlight=False)
    return console if console.is_terminal else Console(markup=False, highlight=False, width=140)


def _plain(cell: object) -> str:
    """A cell's text without control characters: what a person wrote must not drive a terminal."""
    text = "" if cell is None else str(cell)
    return "".join(char if char.isprintable() else " " for char in text)


def write_learned(events: Sequence[FactEvent], proposals: Sequence[Proposal] = (), waiting: int = 0) -> None:
    """What a run changed: one table an event, the counts of all, and the first of those that wait for a person."""
    counts = Counter(event.event for event in events)
    for name, title in _TITLES.items():
        chosen = [event for event in events if event.event == name and name != "REINFORCE"]
        if not chosen:
            continue
        rows: list[tuple[object, ...]] = [
            (
                event.user_id,
                event.fact.kind if event.fact else "",
                event.fact.content if event.fact else event.reason,
                event.old_content if event.old_content != (event.fact.content if event.fact else None) else "",
            )
            for event in chosen[:SHOWN_MAX]
        ]
        shown = "" if len(chosen) <= SHOWN_MAX else f", the first {SHOWN_MAX}"
        write_table(f"{title} ({len(chosen)}{shown})", ("user", "kind", "what", "before"), rows)
    if proposals:
        rows = [(p.user_id, p.action, p.candidate.content, p.proposal_id) for p in proposals]
        shown = "" if waiting <= len(proposals) else f", the first {len(proposals)}"
        write_table(f"waiting for approval ({waiting}{shown})", ("user", "action", "what", "id"), rows)
    write_counts(counts, 0)


def write_counts(counts: Mapping[EventName, int], pending: int) -> None:
    """How often each kind of change was made, and how many proposals wait."""
    told = [f"{title} {counts[name]:,}" for name, title in _TITLES.items() if counts.get(name)]
    told += [f"waiting for approval {pending:,}"] if pending else []
    print(", ".join(told) or "nothing new in memory")


def counted(number: int, what: str) -> str:
    """A number of things in words: "1 user", "1,200 users"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def write_difference(difference: Difference) -> None:
    """How a dry run would leave memory: one table of what is added, changed and lost each, and the counts."""
    columns = ("user", "kind", "what", "before")
    changed = [(after, before["content"]) for before, after in difference.changed]
    parts = (
        ("would be added", [(row, "") for row in difference.added]),
        ("would be changed", changed),
        ("would be lost", [(row, "") for row in difference.lost]),
    )
    for title, rows in parts:
        if rows:
            shown = "" if len(rows) <= SHOWN_MAX else f", the first {SHOWN_MAX}"
            cells = [(row["user_id"], row["kind"], row["content"], before) for row, before in rows[:SHOWN_MAX]]
            write_table(f"{title} ({len(rows):,}{shown})", columns, cells)
    counts = difference.row()["counts"]
    print(", ".join(f"{name} {count:,}" for name, count in counts.items()))
