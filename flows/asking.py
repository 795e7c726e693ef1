"""The verbs that ask a memory: recall, search, turns, evidence, profile (Q1–Q4, Q7). They read while the job runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flows import render
from flows.settings import SettingsError, load
from state.export import iso, parse_iso
from state.facts import KINDS

Config = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file; see docs/factstream.toml.")]
State = Annotated[Path, typer.Option("--state", help="The state directory.")]
Tenant = Annotated[str, typer.Option("--tenant", help="The tenant of the user.")]
User = Annotated[str, typer.Argument(help="The user's id.", show_default=False)]
Format = Annotated[str, typer.Option("--format", help="table or json.")]
Limit = Annotated[int, typer.Option("--limit", min=1)]
AsOf = Annotated[str | None, typer.Option("--as-of", help="ISO 8601: what was known then.")]
STATE = Path("factstream-state")


class NotFoundError(Exception):
    """What was named is not there; one line, exit status 1."""


def recall(
    user: User,
    query: Annotated[str | None, typer.Argument(help="What it should bear on.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="5; in a prompt as configured.")] = None,
    as_of: AsOf = None,
    true_at: Annotated[str | None, typer.Option("--true-at", help="ISO 8601: what is known to hold then.")] = None,
    namespace: Annotated[str | None, typer.Option("--namespace", help="Parts with slashes; its subtree too.")] = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="fact, status, opinion…; several times.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Only of this agent's scope, or of none.")] = None,
    output: Annotated[str, typer.Option("--format", help="table, json or prompt.")] = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """What is known of a user; works while the job runs."""
    as_json = output != "prompt" and _as_json(output, "table, json or prompt")
    with _memory(config, state, tenant) as memory:
        if output == "prompt":
            print(memory.prompt(user, query, limit, as_of_ms=_time(as_of)))
            return
        found = memory.recall(
            user,
            query,
            limit or 5,
            _time(as_of),
            namespace=namespace.split("/") if namespace else (),
            kinds=_kinds(kind),
            agent_id=agent,
            true_at_ms=_time(true_at),
        )
    if as_json:
        render.write_json({"user_id": user, "query": query, "facts": [each.row for each in found]})
        return
    rows = [(f"{each.score:.2f}", each.kind, each.content, each.valid_from or "") for each in found]
    render.write_table(f"{user}: {query or 'recent and important'}", ("score", "kind", "what", "since"), rows)


def search(
    user: User,
    query: Annotated[str, typer.Argument(help="What it should bear on.")],
    limit: Limit = 10,
    as_of: AsOf = None,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """Facts and kept messages that bear on a question, in one list."""
    as_json = _as_json(output)
    with _memory(config, state, tenant) as memory:
        found = memory.search(user, query, limit, as_of_ms=_time(as_of))
    if as_json:
        render.write_json({"user_id": user, "query": query, "found": [each.row for each in found]})
        return
    rows = [
        (f"{each.score:.2f}", each.fact.kind if each.fact else "said", *_told(each))
        for each in found
    ]  # fmt: skip # one row an answer
    render.write_table(f"{user}: {query}", ("score", "kind", "fact", "said", "when"), rows)


def turns(
    user: User,
    limit: Limit = 20,
    before: Annotated[str | None, typer.Option("--before", help="ISO 8601: only what was said before.")] = None,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """The messages kept of a user, latest first (memory.turns)."""
    from flows.memory import turn_row

    as_json = _as_json(output)
    with _memory(config, state, tenant) as memory:
        rows = [turn_row(turn) for turn in memory.turns(user, limit, _time(before))]
    if as_json:
        render.write_json(rows)
        return
    columns = ("sent_at", "role", "text", "message_id")
    render.write_table(user, columns, [[row[name] for name in columns] for row in rows])


def evidence(
    user: User,
    fact_id: Annotated[str, typer.Argument(help="The fact's id.", show_default=False)],
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """The messages behind a fact, as far as they are kept."""
    as_json = _as_json(output)
    policy = load(config).decode_policy()
    with _memory(config, state, tenant) as memory:
        if memory.fact(user, fact_id) is None:
            raise no_fact(user, fact_id)
        found = memory.evidence(user, fact_id, policy)
    if as_json:
        render.write_json([each.row for each in found])
        return
    rows = []
    for each in found:
        words = f"{each.before}«{each.said}»{each.after}" if each.said else "(kept no more)"
        origin = each.source.origin
        where = f"{origin.topic} {origin.partition} {origin.offset}"
        rows.append((each.row["sent_at"] or "", each.role, words, each.source.message_id, where))
    render.write_table(fact_id, ("sent_at", "role", "said", "message_id", "record"), rows)


def profile(
    user: User,
    output: Format = "table",
    config: Config = None,
    state: State = STATE,
    tenant: Tenant = "default",
) -> None:
    """What has one value at a time (name, role, city, time zone…), one value a slot, with where it comes from."""
    as_json = _as_json(output)
    with _memory(config, state, tenant) as memory:
        slots = memory.profile(user)
    if as_json:
        render.write_json({"user_id": user, "profile": {name: slot.row for name, slot in slots.items()}})
        return
    rows = [(name, slot.value, slot.fact.content if slot.fact else "profile") for name, slot in slots.items()]
    render.write_table(user, ("slot", "value", "from"), rows)


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    for verb in (recall, search, turns, evidence, profile):
        app.command(verb.__name__)(verb)


def _told(found: Any) -> tuple[str, str, str]:
    said = found.turns[0] if found.turns else None
    fact = found.fact.content if found.fact else ""
    return fact, said.text if said else "", iso(said.sent_at_ms)[:10] if said else ""


def no_fact(user: str, fact_id: str) -> NotFoundError:
    """The error that tells that the user has no such fact."""
    return NotFoundError(f"user {user!r} has no fact {fact_id!r}; `factstream facts` lists their ids")


def _memory(config: Path | None, state: Path, tenant: str) -> Any:
    from flows.memory import Memory  # readers load no job; the job loads no reader

    return Memory(state, tenant, prompts=load(config).prompt.plan())


def _kinds(given: list[str] | None) -> tuple[str, ...]:
    for kind in given or ():
        if kind not in KINDS:
            raise SettingsError(f"--kind is {kind!r}; expected one of {', '.join(KINDS)}")
    return tuple(given or ())


def _as_json(output: str, known: str = "table or json") -> bool:
    if output not in known.replace(",", "").split():
        raise SettingsError(f"--format is {output!r}; expected {known}")
    return output == "json"


def _time(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return parse_iso(text)
    except ValueError:
        raise SettingsError(
            f"{text!r} is no time; expected ISO 8601, such as 2026-03-01 or 2026-03-01T10:00:00Z"
        ) from None
