"""What can be asked and done, one function each, for HTTP, MCP and the review page alike.

Each takes who asks: the tenant is always theirs, and what they may not do is refused here, in one place.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from anyio import to_thread

from flows.history import versions_told
from flows.job import models
from flows.memory import Memory, turn_row
from flows.metrics import Metrics
from flows.preview import preview
from flows.serve.problems import ProblemError
from flows.serve.reading import Reading
from flows.serve.tokens import Principal, Sessions, Tokens
from flows.serve.writing import Answer, Writer, now_iso
from flows.settings import Settings
from state.export import event_row, fact_row, iso, parse_iso, proposal_row
from state.facts import Fact, Proposal
from state.recall import select

_METRICS: Final = Metrics()


@dataclass(frozen=True, slots=True)
class Serving:
    """The parts that one serving process is made of."""

    settings: Settings
    reading: Reading
    writer: Writer
    tokens: Tokens
    sessions: Sessions

    def memory(self, who: Principal) -> Memory:
        """The memory of whoever asks."""
        return self.reading.of(who.tenant)


def need(who: Principal, access: str) -> None:
    """Raises ProblemError where `who` may not do that much."""
    if not who.may(access):
        raise ProblemError(403, f"token {who.name!r} has access {who.access!r}, expected {access!r}")


# Reading.


def recall(
    serving: Serving,
    who: Principal,
    user: str,
    query: str | None,
    limit: int,
    as_of: str | None = None,
    kinds: Sequence[str] = (),
    namespace: str | None = None,
    true_at: str | None = None,
) -> list[dict[str, Any]]:
    """What is known of a user that bears on the query, best first; rows with a score (Q3)."""
    started = time.perf_counter()
    found = serving.memory(who).recall(
        user,
        query or None,
        limit,
        at_ms(as_of),
        namespace=_parts(namespace),
        kinds=kinds,
        true_at_ms=at_ms(true_at),
    )
    _METRICS.measure("recall_seconds", time.perf_counter() - started)
    return [each.row for each in found]


def search(
    serving: Serving, who: Principal, user: str, query: str, limit: int, as_of: str | None = None
) -> list[dict[str, Any]]:
    """Facts and kept messages that bear on the query, in one list (Q4)."""
    started = time.perf_counter()
    found = serving.memory(who).search(user, query, limit, as_of_ms=at_ms(as_of))
    _METRICS.measure("recall_seconds", time.perf_counter() - started)
    return [each.row for each in found]


def turns(serving: Serving, who: Principal, user: str, limit: int, before: str | None) -> list[dict[str, Any]]:
    """The messages kept of a user, latest first (Q4)."""
    return [turn_row(turn) for turn in serving.memory(who).turns(user, limit, at_ms(before))]


def profile(serving: Serving, who: Principal, user: str) -> dict[str, Any]:
    """What has one value at a time, one value a slot, with provenance (Q7)."""
    return {name: slot.row for name, slot in serving.memory(who).profile(user).items()}


def prompt(
    serving: Serving,
    who: Principal,
    user: str,
    query: str | None,
    limit: int | None,
    budget_tokens: int | None,
    as_of: str | None,
) -> str:
    """A user's memory as text for a prompt (Q2)."""
    return serving.memory(who).prompt(user, query or None, limit, budget_tokens, at_ms(as_of))


def facts(
    serving: Serving,
    who: Principal,
    user: str,
    status: str = "active",
    kinds: Sequence[str] = (),
    namespace: str | None = None,
    flagged: bool = False,
) -> list[Fact]:
    """A user's facts, in the order in which they were first written."""
    found = serving.memory(who).facts(user, status)
    return [f for f in select(found, _parts(namespace), kinds) if f.contradicts or not flagged]


def history(serving: Serving, who: Principal, user: str, fact_id: str | None) -> list[dict[str, Any]]:
    """Every version of a user's facts, or of one, with the event and the rule that made it."""
    rows = versions_told(serving.memory(who), user, fact_id)
    if fact_id is not None and not rows:
        raise ProblemError(404, f"user {user!r} has no fact {fact_id!r}; list the user's facts to find its id")
    return rows


def proposals(
    serving: Serving,
    who: Principal,
    user: str | None = None,
    namespace: str | None = None,
    status: str = "pending",
    limit: int = 100,
    after: str | None = None,
) -> list[Proposal]:
    """Proposals in order of id (W2)."""
    return serving.memory(who).proposals(user, status, _parts(namespace), after, limit)


def export(serving: Serving, who: Principal, user: str | None, status: str, versions: bool) -> Iterator[dict[str, Any]]:
    """Exported facts, one row a fact or a version (Q5)."""
    memory = serving.memory(who)
    if versions:
        return (fact_row(version.fact) for version, _ in memory.versions(user))
    users = memory.users() if user is None else [user]
    return (fact_row(fact) for each in users for fact in memory.facts(each, status))


# Writing.


async def command(serving: Serving, who: Principal, row: dict[str, Any], access: str = "write") -> Answer:
    """Sends a command for a user of the tenant and waits for what comes of it."""
    need(who, access)
    memory = await to_thread.run_sync(serving.memory, who) if serving.writer.on_kafka else await _made(serving, who)
    if row["command"] == "erase":
        # It has to reach also what is dated ahead of the clock.
        at_ms = await to_thread.run_sync(memory.erase_time_ms, row["user_id"], int(time.time() * 1000))
        row = {**row, "sent_at": iso(at_ms)}
    return await serving.writer.carry_out(memory, {**row, "tenant": who.tenant})


async def _made(serving: Serving, who: Principal) -> Memory:
    """A tenant's memory; the state directory is made where there is none, as a command would make it."""
    await to_thread.run_sync(serving.writer.prepare)
    return await to_thread.run_sync(serving.memory, who)


async def forget(
    serving: Serving,
    who: Principal,
    user: str,
    text: str | None = None,
    fact_id: str | None = None,
    namespace: str | None = None,
    command_id: str | None = None,
) -> Answer:
    """Forgets by exactly one of words, a fact's id and a namespace (F3)."""
    need(who, "write")
    row = await to_thread.run_sync(_forget_row, serving, who, user, text, fact_id, namespace)
    return await command(serving, who, {**row, "command_id": command_id})


async def forgettable(
    serving: Serving,
    who: Principal,
    user: str,
    text: str | None = None,
    fact_id: str | None = None,
    namespace: str | None = None,
) -> list[Fact]:
    """What a forget would take; nothing is changed (F3)."""
    row = await to_thread.run_sync(_forget_row, serving, who, user, text, fact_id, namespace)
    given = {**row, "tenant": who.tenant, "sent_at": now_iso()}

    def look() -> list[Fact]:
        embedder = models(serving.settings.extraction.keep_threshold)[1] if text else None
        try:
            return preview(serving.settings, serving.memory(who), given, embedder)
        except ValueError as error:
            raise ProblemError(422, str(error)) from None

    return await to_thread.run_sync(look)


def _forget_row(
    serving: Serving, who: Principal, user: str, text: str | None, fact_id: str | None, namespace: str | None
) -> dict[str, Any]:
    if sum(1 for each in (text, fact_id, namespace) if each) != 1:
        raise ProblemError(422, "forget needs exactly one of text, fact_id and namespace")
    if fact_id:
        serving.reading.fact(who.tenant, user, fact_id)
    row = {"command": "forget", "user_id": user, "text": text, "fact_id": fact_id, "namespace": namespace}
    return {name: value for name, value in row.items() if value}


async def pin(
    serving: Serving, who: Principal, user: str, fact_id: str, pinned: bool, command_id: str | None = None
) -> Answer:
    """Exempts a fact from eviction, or takes that back (F4)."""
    need(who, "write")
    await to_thread.run_sync(serving.reading.fact, who.tenant, user, fact_id)
    name = "pin" if pinned else "unpin"
    return await command(serving, who, {"command": name, "user_id": user, "fact_id": fact_id, "command_id": command_id})


async def decide(
    serving: Serving,
    who: Principal,
    proposal_id: str,
    decision: Literal["approve", "reject", "edit"],
    content: str | None = None,
    command_id: str | None = None,
) -> Answer:
    """Decides a pending proposal; one that was decided is a conflict, and nothing is written twice (W2)."""
    need(who, "full")
    found = await to_thread.run_sync(serving.reading.proposal, who.tenant, proposal_id)
    if found.status != "pending" and (command_id is None or found.decided_by != command_id):
        raise ProblemError(409, f"proposal {proposal_id} is {found.status}; only a pending one can be decided")
    row = {"command": decision, "user_id": found.user_id, "proposal_id": proposal_id, "content": content}
    return await command(serving, who, {**row, "command_id": command_id}, "full")


# What is shared by the faces.


def answer_row(answer: Answer) -> dict[str, Any]:
    """What is said of a command that was sent."""
    if not answer.applied:
        detail = "the command is on its way; its events will answer it"
        return {"command_id": answer.command_id, "status": "accepted", "detail": detail, "events": []}
    rows = [event_row(event) for event in answer.events]
    return {"command_id": answer.command_id, "status": "applied", "events": rows}


def proposal_rows(found: Sequence[Proposal]) -> list[dict[str, Any]]:
    """Proposals as rows."""
    return [proposal_row(proposal) for proposal in found]


def at_ms(text: str | None) -> int | None:
    """A time as it was given. Raises ProblemError for what is none."""
    if text is None or not text.strip():
        return None
    try:
        return parse_iso(text.strip())
    except ValueError as error:
        raise ProblemError(422, str(error)) from None


def _parts(namespace: str | None) -> tuple[str, ...]:
    return tuple(namespace.split("/")) if namespace else ()
