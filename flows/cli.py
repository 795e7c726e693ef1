"""`factstream VERB`: the command line of INTERFACE.md. Data goes to stdout, everything else to stderr."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_args

import typer

from flows import asking, logs, render
from flows.asking import NotFoundError
from flows.backup import BackupError
from flows.erase_cli import erase
from flows.evaluation.cli import evaluate
from flows.serve.cli import serve
from flows.settings import Settings, SettingsError, load
from flows.upkeep_cli import import_file, prune
from state.commands import REFUSALS
from state.copies import CopyError
from state.export import event_row, fact_row, iso, proposal_row
from state.facts import PROPOSAL_STATUSES, Status
from state.layout import LayoutError

app = typer.Typer(
    name="factstream",
    help="Long-term memory of users from conversation streams, without an LLM.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
proposals_app = typer.Typer(
    help="The review queue: changes that wait for a person.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(proposals_app, name="proposals")

Config = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file; see docs/factstream.toml.")]
State = Annotated[Path, typer.Option("--state", help="The state directory.")]
Tenant = Annotated[str, typer.Option("--tenant", help="The tenant of the user.")]
User = Annotated[str, typer.Argument(help="The user's id.", show_default=False)]
Format = Annotated[str, typer.Option("--format", help="table or json.")]
Instance = Annotated[
    str | None, typer.Option("--instance", help="Which of several, such as 2/8; overrides kafka.instance.")
]
STATE = Path("factstream-state")


class UsageError(Exception):
    """Wrong words on the command line; one line, exit status 2."""


def _settings(config: Path | None) -> Settings:
    return load(config)


def _memory(config: Path | None, state: Path, tenant: str = "default") -> Any:
    from flows.memory import Memory  # readers load no job; the job loads no reader

    load(config)  # a misspelt setting is told by every verb, also by those that need none
    return Memory(state, tenant)


@app.command()
def run(
    source: Annotated[
        list[Path] | None, typer.Option("--source", help="A JSONL file to read to its end (embedded).")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Worker processes, supervised as one.")] = 1,
    metrics_port: Annotated[
        int | None, typer.Option("--metrics-port", help="Serve metrics here; further workers on the next ports.")
    ] = None,
    instance: Instance = None,
    config: Config = None,
    state: State = STATE,
) -> None:
    """The job: reads files to their end, or follows Kafka as configured."""
    from flows.instances import chosen
    from flows.run import run_job

    settings = chosen(_settings(config), instance)
    raise typer.Exit(run_job(settings, config, state, source or [], workers, metrics_port))


@app.command()
def replay(
    source: Annotated[list[Path] | None, typer.Option("--source", help="A JSONL file.")] = None,
    start: Annotated[
        str | None, typer.Option("--from", help="earliest, a time, or TOPIC/PARTITION=OFFSET,… (Kafka).")
    ] = None,
    end: Annotated[str | None, typer.Option("--to", help="now, a time, or TOPIC/PARTITION=OFFSET,…; left out.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Worker processes, supervised as one.")] = 1,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tells how memory would differ.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="With --dry-run: into an empty memory, not a copy of this one.")
    ] = False,
    publish: Annotated[
        bool | None,
        typer.Option(
            "--publish/--no-publish", help="Whether to publish what is found; else only if a live job has run here."
        ),
    ] = None,
    metrics_port: Annotated[int | None, typer.Option("--metrics-port", help="Serve metrics here.")] = None,
    instance: Instance = None,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
) -> None:
    """A bounded backfill: files, or what the topics hold from one place to another, fixed when it starts."""
    from flows.instances import chosen
    from flows.replay import RangeError, Request
    from flows.replay import dry_run as dry
    from flows.replay import replay as replayed

    as_json, settings = _as_json(output), chosen(_settings(config), instance)
    if bool(source) == (start is not None or end is not None):
        raise UsageError(
            "replay needs either --source FILE or a range of the topics: --from PLACE, --to PLACE, or both"
        )
    if fresh and not dry_run:
        raise UsageError("--fresh belongs to --dry-run; to keep a fresh memory, name a new directory with --state")
    request = Request(tuple(source or ()), start or "earliest", end or "now", workers, publish, metrics_port)
    try:
        if dry_run:
            found = dry(settings, config, state, request, fresh)
            if isinstance(found, int):
                raise typer.Exit(found)
            render.write_json(found.row()) if as_json else render.write_difference(found)
            return
        done = replayed(settings, config, state, request)
    except RangeError as error:
        raise UsageError(str(error)) from None
    if done.status == 0:
        if as_json:
            render.write_json({"events": dict(sorted(done.events.items())), "proposals_pending": done.pending})
        else:
            render.write_counts(done.events, done.pending)
    raise typer.Exit(done.status)


@app.command()
def facts(
    user: User,
    status: Annotated[str, typer.Option("--status", help="active, all, or another status.")] = "active",
    flagged: Annotated[bool, typer.Option("--flagged", help="Only facts that another contradicts.")] = False,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """A user's facts."""
    _check_status(status)
    with _memory(config, state, tenant) as memory:
        found = [fact for fact in memory.facts(user, status) if fact.contradicts or not flagged]
    if _as_json(output):
        render.write_json([fact_row(fact) for fact in found])
        return
    rows = [
        (f.kind, "/".join(f.namespace), f.content, f"{f.confidence:.2f}", f.mentions, f.status, f.fact_id)
        for f in found
    ]
    render.write_table(user, ("kind", "namespace", "what", "confidence", "mentions", "status", "id"), rows)


@app.command()
def history(
    user: User,
    fact_id: Annotated[str | None, typer.Argument(help="One fact; all of them without.")] = None,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """Every version of a user's facts with the rule that made it; of one fact with the words behind it, where kept."""
    from flows.history import versions_told  # with the memory: no other verb waits for it

    policy = load(config).decode_policy()
    with _memory(config, state, tenant) as memory:
        words = None if fact_id is None else lambda source: memory.evidence_of(user, source, policy)
        rows = versions_told(memory, user, fact_id, words)
    if fact_id is not None and not rows:
        raise asking.no_fact(user, fact_id)
    if _as_json(output):
        render.write_json(rows)
        return
    columns = ("recorded_at", "event", "rule", "status", "content", "id")
    cells = [[row[name] for name in columns] for row in rows]
    if fact_id is not None:
        columns = (*columns[:-1], "said")
        cells = [[*cell[:-1], _said(row["evidence"])] for cell, row in zip(cells, rows, strict=True)]
    render.write_table(user, columns, cells)


def _said(evidence: list[dict[str, Any]]) -> str:
    """The words of each source that a version gained, or where they were said."""
    return "; ".join(each["said"] or f"message {each['message_id']}" for each in evidence)


@app.command()
def export(
    user: Annotated[str | None, typer.Option("--user", help="One user; all without.")] = None,
    status: Annotated[str, typer.Option("--status", help="active, all, or another status.")] = "active",
    versions: Annotated[bool, typer.Option("--versions", help="Every version of every fact.")] = False,
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """Facts as JSONL, one row a fact, or a version."""
    _check_status(status)
    with _memory(config, state, tenant) as memory:
        if versions:
            render.write_lines(fact_row(version.fact) for version, _ in memory.versions(user))
            return
        for each in [user] if user is not None else memory.users():
            render.write_lines(fact_row(fact) for fact in memory.facts(each, status))


@app.command()
def events(
    user: Annotated[str | None, typer.Option("--user", help="One user; all without.")] = None,
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """Fact events as JSONL."""
    with _memory(config, state, tenant) as memory:
        render.write_lines(event_row(event) for event in memory.events(user))


@app.command()
def snapshot(
    to: Annotated[
        Path | None, typer.Option("--to", help="Instead, a backup of the whole state directory, into this new one.")
    ] = None,
    config: Config = None,
    state: State = STATE,
) -> None:
    """Writes an immutable DuckDB generation and names it; with --to, a backup that restore brings back."""
    settings = _settings(config)
    if to is not None:
        from flows.backup import back_up

        size_bytes = back_up(state, to)
        print(to)
        told = f"backup of {state}, {size_bytes:,} bytes; factstream restore {to} --state NEW brings it back"
        print(f"factstream: {told}", file=sys.stderr)
        return
    from flows.snapshot import write_snapshot

    print(write_snapshot(settings, state))


@app.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="What snapshot --to wrote.", show_default=False)],
    config: Config = None,
    state: State = STATE,
) -> None:
    """Puts a backup into a new state directory; the job then goes on from the offsets of the backup."""
    from flows.backup import restore as restored

    load(config)
    restored(backup, state)
    print(state)


@app.command()
def doctor(
    workers: Annotated[int, typer.Option("--workers", min=1, help="For a job with so many.")] = 1,
    instance: Instance = None,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
) -> None:
    """Checks configuration, models, state, disk, ports, broker, topics and clock; says what to do."""
    from flows.doctor import examine
    from flows.instances import chosen

    as_json = _as_json(output)
    findings = examine(chosen(_settings(config), instance), state, workers)
    if as_json:
        render.write_json(
            [
                {"what": f.what, "good": f.good, "found": f.found, "remedy": None if f.good else f.remedy}
                for f in findings
            ]
        )
    else:
        rows = [("ok" if f.good else "!!", f.what, f.found, "" if f.good else f.remedy) for f in findings]
        render.write_table("doctor", ("", "what", "found", "remedy"), rows)
    raise typer.Exit(0 if all(f.good for f in findings) else 1)


@app.command()
def decide(config: Config = None, state: State = STATE) -> None:
    """The updater alone: {"current": [fact…], "new": [fact…]} on stdin, decisions on stdout.

    A fact is {"content": "User lives in Berlin"}, and may have id, namespace, intensity, confidence, language and every
    other field of an exported fact.
    """
    from flows.deciding import decide_rows, read_given

    settings = _settings(config)
    try:
        current, new = read_given(sys.stdin.buffer.read())
    except ValueError as error:
        raise UsageError(f"stdin: {error}") from None
    render.write_json({"facts": decide_rows(settings, current, new)})


def _check_status(status: str) -> None:
    known = ("all", *get_args(Status))
    if status not in known:
        raise UsageError(f"--status is {status!r}; expected one of {', '.join(known)}")


def _as_json(output: str) -> bool:
    if output not in ("table", "json"):
        raise UsageError(f"--format is {output!r}; expected table or json (recall: also prompt)")
    return output == "json"


def _now() -> str:
    return iso(int(time.time() * 1000))


def _send(config: Path | None, state: Path, tenant: str, command: dict[str, Any]) -> None:
    """Sends one command and shows what came of it; exit status 1 where it was refused."""
    from flows.commands import CommandError, expect_memory, send

    row = {"tenant": tenant, "sent_at": _now(), **{k: v for k, v in command.items() if v is not None}}
    settings = _settings(config)
    if command["command"] != "remember":
        expect_memory(settings, state)
    try:
        sent = send(settings, str(state), str(config) if config else None, [row])
    except CommandError as error:
        raise UsageError(f"{command['command']}: {error}") from None
    for command_id in sent.unanswered:
        print(
            f"sent to {settings.kafka.topics.commands}; an event with command_id {command_id} will answer it",
            file=sys.stderr,
        )
    if sent.unanswered:
        raise typer.Exit(1 if sent.waited else 0)
    changed = [event for event in (*sent.learned, *sent.answers) if event.event != "NONE"]
    if changed:
        render.write_learned(changed)
    for event in sent.answers:
        if event.event == "NONE" and event.reason:
            said = "refused: " if event.rule in REFUSALS else ""
            print(f"{said}{event.reason} ({event.rule})", file=sys.stderr)
    if any(event.rule in REFUSALS for event in sent.answers):
        raise typer.Exit(1)


@app.command()
def remember(
    user: User,
    text: Annotated[str, typer.Argument(help="What to remember.")],
    kind: Annotated[str | None, typer.Option("--kind")] = None,
    namespace: Annotated[str | None, typer.Option("--namespace", help="Parts with slashes: user/home.")] = None,
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """Writes something to a user's memory at once."""
    parts = namespace.split("/") if namespace else None
    command = {"command": "remember", "user_id": user, "text": text, "kind": kind, "namespace": parts}
    _send(config, state, tenant, command)


@app.command()
def forget(
    user: User,
    text: Annotated[str | None, typer.Argument(help="What to forget, in words.")] = None,
    fact: Annotated[str | None, typer.Option("--fact", help="A fact's id.")] = None,
    namespace: Annotated[str | None, typer.Option("--namespace", help="Parts with slashes.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only shows what would go.")] = False,
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """Forgets facts by words, by id or by namespace; they are never restated."""
    if sum(each is not None for each in (text, fact, namespace)) != 1:
        raise UsageError("forget needs exactly one of TEXT, --fact ID and --namespace NS")
    parts = namespace.split("/") if namespace else None
    command = {"command": "forget", "user_id": user, "text": text, "fact_id": fact, "namespace": parts}
    if dry_run:
        from flows.preview import preview

        with _memory(config, state, tenant) as memory:
            try:
                found = preview(_settings(config), memory, {**command, "tenant": tenant, "sent_at": _now()})
            except ValueError as error:
                raise UsageError(f"forget: {error}") from None
        render.write_table(f"{user}: would be forgotten", ("what", "id"), [(f.content, f.fact_id) for f in found])
        return
    _send(config, state, tenant, command)


def _simple(name: str, help_text: str) -> Callable[..., None]:
    def command(user: User, config: Config = None, state: State = STATE, tenant: Tenant = "default") -> None:
        _send(config, state, tenant, {"command": name, "user_id": user})

    command.__doc__ = help_text
    return command


asking.add_to(app)


@app.command()
def reembed(config: Config = None, state: State = STATE) -> None:
    """Gives new vectors to every user whose vectors are of another embedding model."""
    from flows.reembed import reembed as run

    waiting = run(_settings(config), str(state), str(config) if config else None, int(time.time() * 1000))
    if waiting:
        print(f"factstream: {waiting:,} users wait for the job, which will get to them", file=sys.stderr)


app.command("eval")(evaluate)
app.command("serve")(serve)
app.command("prune")(prune)
app.command("import")(import_file)
app.command("flush")(_simple("flush", "Closes the user's open windows now."))
app.command("erase")(erase)


def _pinning(name: str, help_text: str) -> Callable[..., None]:
    def command(
        user: User,
        fact: Annotated[str | None, typer.Option("--fact", help="A fact's id.")] = None,
        match: Annotated[str | None, typer.Option("--match", help="Words that pick exactly one fact.")] = None,
        config: Config = None,
        state: State = STATE,
        tenant: Tenant = "default",
    ) -> None:
        if (fact is None) == (match is None):
            raise UsageError(f"{name} needs exactly one of --fact ID and --match WORDS")
        _send(config, state, tenant, {"command": name, "user_id": user, "fact_id": fact, "match": match})

    command.__doc__ = help_text
    return command


app.command("pin")(_pinning("pin", "Exempts a fact from eviction."))
app.command("unpin")(_pinning("unpin", "Takes a pin back."))


@proposals_app.command("list")
def list_proposals(
    user: Annotated[str | None, typer.Option("--user", help="One user; all without.")] = None,
    namespace: Annotated[str | None, typer.Option("--namespace", help="Parts with slashes; its subtree too.")] = None,
    status: Annotated[
        str, typer.Option("--status", help="pending, approved, rejected, expired, superseded or all.")
    ] = "pending",
    limit: Annotated[int | None, typer.Option("--limit", min=1)] = None,
    after: Annotated[str | None, typer.Option("--after", help="Go on after this proposal's id.")] = None,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """Lists proposals, in order of id."""
    if status not in ("all", *PROPOSAL_STATUSES):
        raise UsageError(f"--status is {status!r}; expected one of all, {', '.join(PROPOSAL_STATUSES)}")
    if after is not None and re.fullmatch(r"[0-9a-f]{32}", after) is None:
        raise UsageError(f"--after is {after!r}; expected a proposal's id as the list shows it, 32 hexadecimal digits")
    parts = tuple(namespace.split("/")) if namespace else ()
    with _memory(config, state, tenant) as memory:
        found = memory.proposals(user, status, parts, after, limit)
    if _as_json(output):
        render.write_json([proposal_row(proposal) for proposal in found])
        return
    rows = [(p.user_id, p.action, p.candidate.content, p.status, p.rule, p.proposal_id) for p in found]
    render.write_table("proposals", ("user", "action", "what", "status", "rule", "id"), rows)


def _deciding(name: str, help_text: str) -> Callable[..., None]:
    def command(
        proposal_id: Annotated[str, typer.Argument(help="The proposal's id.")],
        content: Annotated[str | None, typer.Option("--content", help="The new wording (edit).")] = None,
        config: Config = None,
        state: State = STATE,
        tenant: Tenant = "default",
    ) -> None:
        if (name == "edit") != (content is not None):
            raise UsageError("--content belongs to edit, and edit needs it")
        with _memory(config, state, tenant) as memory:
            found = memory.proposal(proposal_id)
        if found is None:
            raise NotFoundError(f"no proposal {proposal_id} in {state}; see `factstream proposals list`")
        row = {"command": name, "user_id": found.user_id, "proposal_id": proposal_id, "content": content}
        _send(config, state, tenant, row)

    command.__doc__ = help_text
    return command


for _name, _help in (
    ("approve", "Approves a proposal; it is reconciled with memory as it is then."),
    ("reject", "Rejects a proposal."),
    ("edit", "Approves a proposal in other words."),
):
    proposals_app.command(_name)(_deciding(_name, _help))


def main() -> None:
    """The console script. Exit status 0 done, 1 failed, 2 wrong usage or configuration: one line, no traceback."""
    if sys.argv[1:2] in (["run"], ["replay"]):
        logs.settle()
    try:
        logs.configure()
        status = app(standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except typer.TyperException as error:
        _end(_with_value(error.format_message(), sys.argv), 2)
    except (UsageError, SettingsError) as error:
        _end(str(error), 2)
    except (LayoutError, BackupError, CopyError, NotFoundError) as error:
        _end(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        _end("stopped; the same command goes on where it was", 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        from flows.supervisor import exit_status

        status, line = exit_status(error)
        _end(line, 1 if status == 3 else status)


def _with_value(line: str, words: Sequence[str]) -> str:
    """What is said of an option's value with the value itself: "Invalid value for '--workers': …"."""
    told = re.match(r"Invalid value for '(?:-\w / )?(--[\w-]+)'", line)
    if told is None:
        return line
    given = [after for word, after in pairwise(words) if word == told[1]]
    given += [word.partition("=")[2] for word in words if word.startswith(f"{told[1]}=")]
    return line.replace(told[0], f"{told[0]}, which is {given[-1]!r}", 1) if given else line


def _end(line: str, status: int) -> NoReturn:
    logs.tell(line, logging.ERROR)
    sys.exit(status)
