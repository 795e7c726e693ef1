"""The verb erase: removes a user, reports what was removed where, and looks for what is left (F6)."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from flows import kafka, render
from flows.erasing import report_row
from flows.settings import Settings, SettingsError, load
from state.erasures import Erasure, Erasures
from state.export import iso
from state.layout import Layout
from state.traces import Trace, search
from state.windows import user_key

_PLACES = {
    "windows.message": "messages in windows",
    "windows.seen": "ids of messages seen",
    "windows.profile": "profile slots of windows",
    "windows.copies": "copies in windows of others",
    "memory.fact": "facts, all versions",
    "memory.log": "log of candidates and commands",
    "memory.event": "events",
    "memory.proposal": "proposals, all versions",
    "memory.person": "profile, bio and boundaries",
    "memory.turn": "turns",
    "memory.undone": "keys of what was rolled back",
    "published.events": "null records on the events topic",
    "published.facts": "null records on the facts topic",
    "published.proposals": "null records on the proposals topic",
    "published.users": "null records on the users topic",
    "snapshots.facts": "DuckDB: facts",
    "snapshots.events": "DuckDB: events",
    "snapshots.proposals": "DuckDB: proposals",
    "snapshots.commands": "DuckDB: commands",
    "snapshots.audit": "DuckDB: audit",
    "spool.lines": "spooled commands and messages",
    "dead_letters.lines": "dead letters",
}


def erase(
    user: Annotated[str | None, typer.Argument(help="The user's id; with --status all users without.")] = None,
    status: Annotated[bool, typer.Option("--status", help="Only tells of erases asked for before.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Looks for what is left, in rows and in the bytes of every file.")
    ] = False,
    allow_replay: Annotated[
        bool, typer.Option("--allow-replay", help="What was said before may be learned again from a replay.")
    ] = False,
    output: Annotated[str, typer.Option("--format", help="table or json.")] = "table",
    config: Annotated[Path | None, typer.Option("--config", help="Settings; see docs/factstream.toml.")] = None,
    state: Annotated[Path, typer.Option("--state", help="The state directory.")] = Path("factstream-state"),
    tenant: Annotated[str, typer.Option("--tenant", help="The tenant of the user.")] = "default",
) -> None:
    """Removes everything of a user, for good, and reports what was removed where."""
    from flows.commands import expect_memory

    if output not in ("table", "json"):
        raise SettingsError(f"--format is {output!r}; expected table or json")
    if user is None and (verify or not status):
        raise SettingsError("erase needs a USER; only --status without --verify goes without")
    settings, layout = load(config), Layout(state)
    expect_memory(settings, state)
    sentences: list[str] = []
    if not status:
        assert user is not None
        sentences = _sentences(layout, tenant, user) if verify else []
        if not _ask(settings, layout, config, tenant, user, allow_replay):
            return
    ledger = Erasures(layout.erasures)
    found = ledger.all() if user is None else ledger.of(user_key(tenant, user))
    if not status:
        found = found[-1:]
    traces = search(layout, tenant, user, sentences) if verify and user is not None else None
    if not kafka.configured(settings):
        found = [_unpublished(erasure) for erasure in found]
    _show(found, user, traces, output)
    late = not status and found[-1].done_ms is None and not kafka.configured(settings)
    if late or any(trace.kind != "others" for trace in traces or ()):
        raise typer.Exit(1)


def _ask(settings: Settings, layout: Layout, config: Path | None, tenant: str, user: str, allow_replay: bool) -> bool:
    """Sends the command; whether it was carried out here and now."""
    from flows.commands import CommandError, send
    from flows.memory import Memory

    at_ms = int(time.time() * 1000)
    if layout.identity_path.exists():
        with Memory(layout.root, tenant) as memory:
            at_ms = memory.erase_time_ms(user, at_ms)
    row: dict[str, Any] = {"command": "erase", "tenant": tenant, "user_id": user, "sent_at": iso(at_ms)}
    if allow_replay:
        row["allow_replay"] = True
    try:
        sent = send(settings, str(layout.root), str(config) if config else None, [row])
    except CommandError as error:
        raise SettingsError(f"erase: {error}") from None
    if not sent.unanswered:
        return True
    print(
        f"sent to {settings.kafka.topics.commands}; an ERASE event of rule F6.done on {settings.kafka.topics.events}"
        " tells when all is removed, as does `factstream erase USER --status` beside the job",
        file=sys.stderr,
    )
    return False


def _sentences(layout: Layout, tenant: str, user: str) -> list[str]:
    """What memory says of a user, in every version and in what waits for approval."""
    from flows.memory import Memory

    if not layout.identity_path.exists():
        return []
    with Memory(layout.root, tenant) as memory:
        said = [version.fact.content for version in memory.history(user)]
        proposed = [proposal.candidate.content for proposal in memory.proposals(user)]
        return [*said, *(content for content in proposed if content)]


def _show(found: list[Erasure], user: str | None, traces: list[Trace] | None, output: str) -> None:
    if output == "json":
        rows = [report_row(erasure) for erasure in found]
        looked = None if traces is None else [asdict(trace) for trace in traces]
        render.write_json({"erasures": rows, "traces": looked})
        return
    for erasure in found:
        removed = [(_PLACES.get(place, place), count) for place, count in erasure.removed.items() if count]
        render.write_table(_title(erasure, user), ("what", "removed"), removed or [("nothing was there", 0)])
    if not found:
        print("no erase has begun; one that was sent and waits is carried out when the job reads it")
    if traces is not None:
        rows_ = [(trace.file, _KINDS[trace.kind], trace.what, trace.count) for trace in traces]
        render.write_table("what is left", ("file", "where", "what", "times"), rows_)
        left = sum(trace.kind != "others" for trace in traces)
        told = "nothing is left of the user" if not left else f"{left} traces are left; see docs/operations.md"
        beside = len(traces) - left
        print(told + (f" (the {beside} kept above are no fault: they are in other people's data)" if beside else ""))


_KINDS = {
    "row": "rows of the user",
    "id": "bytes: the id",
    "sentence": "bytes: a sentence",
    "others": "kept: in other people's rows",
}


def _unpublished(erasure: Erasure) -> Erasure:
    """Without Kafka nothing was published, and so no null records either."""
    removed = {place: count for place, count in erasure.removed.items() if not place.startswith("published.")}
    return replace(erasure, removed=removed)


def _title(erasure: Erasure, user: str | None) -> str:
    who = user or erasure.user_id or f"the user with hash {erasure.user_hash.hex()}"
    if erasure.done_ms is not None:
        how = f"done {iso(erasure.done_ms)}"
    else:
        how = f"under way, still to do: {', '.join(erasure.waiting)}"
    again = "; a replay may bring it back" if erasure.allows_replay else ""
    return f"{who}: erased up to {iso(erasure.cut_off_ms)}{again}; {how}"
