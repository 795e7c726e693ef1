"""Routes in mem0's shapes, under /mem0, so that its clients can switch by their host alone.

Those of its hosted API (/mem0/v1, /v2, /v3, as its Python and JavaScript clients call them) and of its open-source
server (/mem0/memories, /mem0/search). A memory is a fact; deleting one forgets it; deleting all of a user erases.
"""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Security
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from flows.serve import actions
from flows.serve.actions import Serving
from flows.serve.api import _BEARER, _PROBLEMS, Parts, User, Who, known_query, principal_of, serving_of
from flows.serve.filters import Wanted, wanted_of
from flows.serve.problems import Json, ProblemError
from flows.serve.tokens import Principal
from state.export import fact_row, iso
from state.facts import Fact, FactEvent

_HELD_MAX: Final = 10_000
_EVENTS: Final[dict[str, str]] = {
    "ADD": "ADD",
    "REACTIVATE": "ADD",
    "UPDATE": "UPDATE",
    "DELETE": "DELETE",
    "FORGET": "DELETE",
    "ARCHIVE": "DELETE",
    "PRUNE": "DELETE",
}
_QUEUED: Final = "Memory processing has been queued for background execution"

router = APIRouter(
    prefix="/mem0",
    tags=["mem0"],
    dependencies=[Security(_BEARER), known_query("org_id", "project_id")],  # sent by its older clients; the token tells
    responses=_PROBLEMS,
)


class Given(BaseModel):
    """What these clients send; fields that mean nothing here are let pass."""

    model_config = ConfigDict(extra="allow")

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    filters: dict[str, Any] | None = None
    output_format: str | None = None

    def wanted(self) -> Wanted:
        """Whose memories, and which. Raises ProblemError where that cannot be told or done."""
        return wanted_of(
            self.filters or {}, {"user_id": self.user_id, "agent_id": self.agent_id, "run_id": self.run_id}
        )


class AddGiven(Given):
    """Messages to learn from, or with `infer` false to keep as they are."""

    messages: list[dict[str, Any]] | dict[str, Any] | str
    infer: bool = True
    timestamp: Annotated[int | None, Field(description="Seconds since 1970.")] = None


class SearchGiven(Given):
    """A question."""

    query: Annotated[str, Field(min_length=1, max_length=4_000)]
    top_k: Annotated[int | None, Field(ge=1, le=1_000)] = None
    limit: Annotated[int | None, Field(ge=1, le=1_000)] = None
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class _Added:
    """Messages on their way, by which their events are found again."""

    tenant: str
    user: str
    message_ids: frozenset[str]
    mark: int
    ticket: int
    at: str


class Pending:
    """What was added lately; the oldest are let go."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, _Added] = OrderedDict()

    def put(self, event_id: str, added: _Added) -> None:
        """Remembers it."""
        self._held[event_id] = added
        if len(self._held) > _HELD_MAX:
            self._held.popitem(last=False)

    def get(self, event_id: str, tenant: str) -> _Added:
        """Finds it. Raises ProblemError where the tenant added no such thing, or long ago."""
        found = self._held.get(event_id)
        if found is None or found.tenant != tenant:
            raise ProblemError(404, f"there is no event {event_id!r}, or it is long ago")
        return found


# Adding.


async def _add(request: Request, asked: AddGiven) -> tuple[str, list[dict[str, Any]] | None]:
    """Sends messages; the event's id, and what was learned where that is known by now."""
    parts, who, wanted = serving_of(request), principal_of(request), asked.wanted()
    actions.need(who, "write")
    event_id = str(uuid.uuid4())
    rows = _message_rows(asked, wanted, who, event_id)
    if not asked.infer:
        return event_id, await _keep(parts, who, wanted.user, rows)
    await to_thread.run_sync(parts.writer.prepare)
    memory = await to_thread.run_sync(parts.memory, who)
    mark = await to_thread.run_sync(memory.mark, wanted.user)
    done = await parts.writer.add(rows, parts.settings.serve.wait_seconds)
    ids = frozenset(row["message_id"] for row in rows)
    added = _Added(who.tenant, wanted.user, ids, mark, parts.writer.ticket, rows[0]["sent_at"])
    request.app.state.pending.put(event_id, added)
    return event_id, await to_thread.run_sync(_learned, parts, who, added) if done else None


async def _keep(parts: Serving, who: Principal, user: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    results: list[dict[str, Any]] = []
    for row in rows:
        if row["role"] == "user":
            command = {"command": "remember", "user_id": user, "text": row["text"], "kind": "fact"}
            answer = await actions.command(parts, who, command)
            if not answer.applied:
                return None
            results += _results(answer.events)
    return results


def _message_rows(asked: AddGiven, wanted: Wanted, who: Principal, event_id: str) -> list[dict[str, Any]]:
    given = asked.messages
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    messages = [messages] if isinstance(messages, dict) else messages
    if not messages:
        raise ProblemError(400, "messages is empty, expected at least one message with role and content")
    last_ms = int(time.time() * 1000) if asked.timestamp is None else asked.timestamp * 1000
    rows = []
    for i, message in enumerate(messages):
        if not isinstance(message.get("content"), str):
            raise ProblemError(400, f"messages[{i}].content is missing or no string")
        rows.append(
            {
                "tenant": who.tenant,
                "user_id": wanted.user,
                "conversation_id": wanted.run or "mem0",
                "message_id": f"{event_id}-{i:04d}",
                "role": message.get("role", "user"),
                "text": message["content"],
                "sent_at": iso(last_ms - (len(messages) - 1 - i)),  # in order, for memory folds by time
                **({"agent_id": wanted.agent} if wanted.agent else {}),
            }
        )
    return rows


def _learned(parts: Serving, who: Principal, added: _Added) -> list[dict[str, Any]]:
    events = parts.memory(who).events(added.user)
    return _results([e for e in events if e.fact and {s.message_id for s in e.fact.sources} & added.message_ids])


def _results(events: Sequence[FactEvent]) -> list[dict[str, Any]]:
    return [
        {
            "id": event.fact.fact_id,
            "memory": event.fact.content,
            "event": _EVENTS[event.event],
            **({"previous_memory": event.old_content} if event.event == "UPDATE" else {}),
        }
        for event in events
        if event.fact is not None and event.event in _EVENTS
    ]


@router.post("/v1/memories/", summary="Add memories (v1)")
@router.post("/memories", summary="Add memories (open-source server)")
async def add(request: Request, asked: AddGiven) -> Response:
    """Learns from messages, and waits for it as long as `serve.wait_seconds`."""
    event_id, results = await _add(request, asked)
    if results is None:
        return Json({"message": _QUEUED, "status": "PENDING", "event_id": event_id, "results": []})
    if asked.output_format in ("v1.1", None):
        return Json({"results": results})
    return Json([{"id": each["id"], "event": each["event"], "data": {"memory": each["memory"]}} for each in results])


@router.post("/v3/memories/add/", summary="Add memories (v3)")
async def add_v3(request: Request, asked: AddGiven) -> Response:
    """Learns from messages; the event says what was learned."""
    event_id, _ = await _add(request, asked)
    return Json({"message": _QUEUED, "status": "PENDING", "event_id": event_id})


@router.get("/v1/event/{event_id}/", summary="What came of an add")
def event(request: Request, parts: Parts, who: Who, event_id: str) -> Response:
    """SUCCEEDED once the messages were looked at; on Kafka, once something was learned from them."""
    added = request.app.state.pending.get(event_id, who.tenant)
    results = _learned(parts, who, added)
    done = bool(results) or parts.writer.is_done(added.ticket)
    told = {"id": event_id, "event_type": "ADD", "status": "SUCCEEDED" if done else "PENDING", "results": results}
    return Json({**told, "created_at": added.at, "updated_at": added.at, "metadata": {}, "payload": {}})


# Asking.


def _memory_row(row: dict[str, Any]) -> dict[str, Any]:
    """An exported fact as a memory."""
    metadata = {name: row[name] for name in ("kind", "confidence", "valid_from", "valid_to", "language", "mentions")}
    return {
        "id": row["id"],
        "memory": row["content"],
        "user_id": row["user_id"],
        "agent_id": row["agent_id"],
        "metadata": {**metadata, "namespace": "/".join(row["namespace"])},
        "categories": [row["kind"]],
        "created_at": row["first_said_at"],
        "updated_at": row["recorded_at"],
        **({"score": row["score"]} if "score" in row else {}),
    }


def _listed(parts: Serving, who: Principal, wanted: Wanted) -> list[dict[str, Any]]:
    rows = [fact_row(fact) for fact in actions.facts(parts, who, wanted.user)]
    return [_memory_row(row) for row in rows if wanted.fits(row)]


def _in_format(rows: list[dict[str, Any]], output_format: str | None) -> Response:
    return Json({"results": rows, "total": len(rows)} if output_format == "v1.1" else rows)


@router.get("/v1/memories/", summary="Get all memories (v1)")
def get_all(
    parts: Parts,
    who: Who,
    user_id: str | None = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    output_format: str | None = None,
) -> Response:
    """A user's memories."""
    wanted = Given(user_id=user_id, agent_id=agent_id, run_id=run_id).wanted()
    return _in_format(_listed(parts, who, wanted), output_format)


@router.get("/memories", summary="Get all memories (open-source server)")
def get_all_results(
    parts: Parts, who: Who, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
) -> Response:
    """A user's memories."""
    wanted = Given(user_id=user_id, agent_id=agent_id, run_id=run_id).wanted()
    return Json({"results": _listed(parts, who, wanted)})


@router.post("/v2/memories/", summary="Get all memories (v2)")
def get_all_v2(parts: Parts, who: Who, asked: Given) -> Response:
    """A user's memories, filtered."""
    return _in_format(_listed(parts, who, asked.wanted()), asked.output_format)


@router.post("/v3/memories/", summary="Get all memories (v3)")
def get_all_v3(
    parts: Parts,
    who: Who,
    asked: Given,
    page: Annotated[int, Query(ge=1)] = 1,
    page_size: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> Response:
    """A user's memories, filtered, a page at a time."""
    rows = _listed(parts, who, asked.wanted())
    start, size = (page - 1) * page_size, f"&page_size={page_size}"
    following = f"/mem0/v3/memories/?page={page + 1}{size}" if start + page_size < len(rows) else None
    previous = f"/mem0/v3/memories/?page={page - 1}{size}" if page > 1 else None
    shown = rows[start : start + page_size]
    return Json({"count": len(rows), "next": following, "previous": previous, "results": shown})


def _found(parts: Serving, who: Principal, asked: SearchGiven) -> list[dict[str, Any]]:
    wanted, limit = asked.wanted(), asked.top_k or asked.limit or 10
    rows = actions.recall(parts, who, wanted.user, asked.query, 1_000)
    least = asked.threshold or 0.0
    return [_memory_row(row) for row in rows if wanted.fits(row) and row["score"] >= least][:limit]


@router.post("/v1/memories/search/", summary="Search memories (v1)")
@router.post("/v2/memories/search/", summary="Search memories (v2)")
def search(parts: Parts, who: Who, asked: SearchGiven) -> Response:
    """What bears on a question, best first."""
    rows = _found(parts, who, asked)
    return Json({"results": rows} if asked.output_format == "v1.1" else rows)


@router.post("/v3/memories/search/", summary="Search memories (v3)")
@router.post("/search", summary="Search memories (open-source server)")
def search_results(parts: Parts, who: Who, asked: SearchGiven) -> Response:
    """What bears on a question, best first."""
    return Json({"results": _found(parts, who, asked)})


@router.get("/v1/memories/{memory_id}/", summary="Get a memory")
@router.get("/memories/{memory_id}", summary="Get a memory (open-source server)")
def get(parts: Parts, who: Who, memory_id: str) -> Response:
    """One memory. Forgotten and superseded ones are gone (404)."""
    return Json(_memory_row(fact_row(_active(parts, who, memory_id))))


@router.get("/v1/memories/{memory_id}/history/", summary="History of a memory")
@router.get("/memories/{memory_id}/history", summary="History of a memory (open-source server)")
def history(parts: Parts, who: Who, memory_id: str) -> Response:
    """How a memory came to be what it is."""
    fact = parts.reading.find_fact(who.tenant, memory_id)
    rows: list[dict[str, Any]] = []
    for event in parts.memory(who).events(fact.user_id):
        if event.fact is None or event.fact.fact_id != memory_id or event.event not in _EVENTS:
            continue
        named, at = _EVENTS[event.event], iso(event.said_at_ms)
        gone = named == "DELETE"
        told = {"id": event.event_id, "memory_id": memory_id, "user_id": fact.user_id, "event": named}
        old = event.fact.content if gone and event.old_content is None else event.old_content
        words = {"old_memory": old, "new_memory": None if gone else event.fact.content, "is_deleted": gone}
        rows.append({**told, **words, "created_at": iso(fact.first_said_at_ms), "updated_at": at, "metadata": {}})
    return Json(rows)


@router.get("/v1/entities/", summary="Users with memories")
def entities(parts: Parts, who: Who, page_size: Annotated[int, Query(ge=1, le=10_000)] = 1_000) -> Response:
    """Users of the tenant."""
    found = parts.reading.users(who.tenant, "", "", page_size)
    rows = [{"type": "user", "id": u.user_id, "name": u.user_id, "total_memories": u.facts} for u in found]
    return Json({"count": len(rows), "next": None, "previous": None, "results": rows})


@router.get("/v1/ping/", summary="Checks the token")
def ping(who: Who) -> Response:
    """Says whose token it is."""
    return Json({"status": "ok", "org_id": who.tenant, "project_id": "factstream", "user_email": None})


# Deleting.


@router.delete("/v1/memories/{memory_id}/", summary="Delete a memory")
@router.delete("/memories/{memory_id}", summary="Delete a memory (open-source server)")
async def delete(parts: Parts, who: Who, memory_id: str) -> Response:
    """Forgets a fact: it is not recalled any more, nor restated."""
    actions.need(who, "write")
    fact = await to_thread.run_sync(_active, parts, who, memory_id)
    await actions.forget(parts, who, fact.user_id, fact_id=memory_id)
    return Json({"message": "Memory deleted successfully!"})


@router.delete("/v1/memories/", summary="Delete all memories of a user")
@router.delete("/memories", summary="Delete all memories of a user (open-source server)")
async def delete_all(parts: Parts, who: Who, user_id: str | None = None) -> Response:
    """Erases a user."""
    if not user_id:
        raise ProblemError(400, "user_id is missing: memories are deleted for one user at a time")
    await actions.command(parts, who, {"command": "erase", "user_id": user_id}, "full")
    return Json({"message": "Memories deleted successfully!"})


@router.delete("/v2/entities/user/{user}/", summary="Delete a user")
async def delete_user(parts: Parts, who: Who, user: User) -> Response:
    """Erases a user."""
    await actions.command(parts, who, {"command": "erase", "user_id": user}, "full")
    return Json({"message": "Entity deleted successfully!"})


def _active(parts: Serving, who: Principal, memory_id: str) -> Fact:
    fact = parts.reading.find_fact(who.tenant, memory_id)
    if fact.status != "active":
        raise ProblemError(404, f"memory {memory_id!r} is {fact.status}")
    return fact
