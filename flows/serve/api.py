"""The HTTP API under /v1: recall, facts, history, proposals, commands, users, export (Q3, Q5, W2, F3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import Annotated, Any, Final, Literal, cast

import orjson
from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Request, Security
from fastapi import Path as InPath
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import AfterValidator
from starlette.responses import Response, StreamingResponse

from flows.serve import actions, schemas
from flows.serve.actions import Serving
from flows.serve.guard import plain
from flows.serve.problems import Json, ProblemError
from flows.serve.schemas import LIMIT_MAX, QUERY_CHARS_MAX, Namespace
from flows.serve.tokens import Principal
from flows.serve.writing import Answer
from operators.formats.shapes import near, shown
from state.export import event_row, fact_row
from state.facts import Kind

_ROWS_A_PIECE: Final = 256
_BEARER = HTTPBearer(auto_error=False, description="A token of serve.tokens; it opens one tenant.")
_PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": schemas.ProblemAnswer, "description": text}
    for status, text in (
        (401, "no valid token"),
        (403, "the token may not do that"),
        (404, "there is no such fact, proposal or memory"),
        (409, "it cannot be done to what is there, such as deciding twice"),
        (413, "the request is too large"),
        (422, "the request is not what it must be"),
        (429, "too many requests"),
        (503, "there is no memory yet, or it cannot be written now"),
    )
}


def serving_of(request: Request) -> Serving:
    """The parts of this process."""
    return cast(Serving, request.app.state.serving)


def principal_of(request: Request) -> Principal:
    """Whoever asks, as the guard found them."""
    return cast(Principal, request.state.principal)


async def _serving(request: Request) -> Serving:
    return serving_of(request)  # asynchronous, for a plain function would be a change of threads


async def _principal(request: Request) -> Principal:
    return principal_of(request)


def known_query(*let_pass: str) -> Any:
    """A dependency: 422 for a query parameter that the route does not declare, which may be a misspelt one, save those
    to `let_pass`.
    """

    async def check(request: Request) -> None:
        if not request.query_params:
            return
        known = [field.alias for field in cast(APIRoute, request.scope["route"]).dependant.query_params]
        wrong = [name for name in request.query_params if name not in known and name not in let_pass]
        if wrong:
            none = "the route has none" if request.method == "GET" else "what the route takes stands in its body"
            takes = f"expected one of {', '.join(known)}" if known else none
            told = [f"there is no query parameter {shown(name)}, {takes}{near(name, known)}" for name in wrong]
            errors = [{"field": f"query.{name}", "message": why} for name, why in zip(wrong, told, strict=True)]
            raise ProblemError(422, "; ".join(told), errors=errors)

    return Depends(check)


Parts = Annotated[Serving, Depends(_serving)]
Who = Annotated[Principal, Depends(_principal)]
User = Annotated[str, InPath(min_length=1, max_length=512, description="The user's id."), AfterValidator(plain)]
Limit = Annotated[int, Query(ge=1, le=LIMIT_MAX)]
Many = Annotated[int, Query(ge=1, le=1_000)]
AsOf = Annotated[str | None, Query(description="ISO 8601: what was known then.")]

router = APIRouter(prefix="/v1", dependencies=[Security(_BEARER), known_query()], responses=_PROBLEMS)


@router.post("/recall", tags=["recall"], response_model=schemas.RecallAnswer)
async def recall(parts: Parts, who: Who, asked: schemas.RecallRequest) -> Response:
    """What is known of a user that bears on a question; as facts, or as text for a prompt."""
    return await _quickly(lambda: _recalled(parts, who, asked), asked.as_of or asked.true_at)


def _given_limit(asked: schemas.RecallRequest) -> int | None:
    """The limit where the request has one: else the prompt's plan says how much goes into each block."""
    return asked.limit if "limit" in asked.model_fields_set else None


def _recalled(parts: Serving, who: Principal, asked: schemas.RecallRequest) -> Response:
    told: dict[str, Any] = {"user_id": asked.user_id, "query": asked.query}
    if asked.format == "prompt":
        text = actions.prompt(
            parts, who, asked.user_id, asked.query, _given_limit(asked), asked.budget_tokens, asked.as_of
        )
        return Json({**told, "prompt": text})
    rows = actions.recall(
        parts, who, asked.user_id, asked.query, asked.limit, asked.as_of, asked.kinds, asked.namespace, asked.true_at
    )
    return Json({**told, "facts": rows})


async def _quickly(work: Callable[[], Response], of_the_past: str | None) -> Response:
    """An answer of a few milliseconds, given at once: a change of threads costs as much. What reads every version of a
    user's facts does not keep the others waiting.
    """
    return await to_thread.run_sync(work) if of_the_past else work()


@router.get("/users/{user}/recall", tags=["recall"], response_model=schemas.RecallAnswer)
async def recall_user(
    parts: Parts,
    who: Who,
    user: User,
    query: Annotated[str | None, Query(max_length=QUERY_CHARS_MAX)] = None,
    limit: Limit = 5,
    as_of: AsOf = None,
    true_at: Annotated[str | None, Query(description="ISO 8601: what is known to hold then.")] = None,
    kind: Annotated[list[Kind] | None, Query()] = None,
    namespace: Namespace | None = None,
) -> Response:
    """What is known of a user that bears on a question; without one, what is recent and important."""

    def work() -> Response:
        rows = actions.recall(parts, who, user, query, limit, as_of, kind or (), namespace, true_at)
        return Json({"user_id": user, "query": query, "facts": rows})

    return await _quickly(work, as_of or true_at)


@router.get("/users/{user}/search", tags=["recall"], response_model=schemas.SearchAnswer)
def search_user(
    parts: Parts,
    who: Who,
    user: User,
    query: Annotated[str, Query(min_length=1, max_length=QUERY_CHARS_MAX)],
    limit: Limit = 10,
    as_of: AsOf = None,
) -> Response:
    """Facts and kept messages that bear on a question, in one list, best first (Q4)."""
    return Json({"user_id": user, "query": query, "found": actions.search(parts, who, user, query, limit, as_of)})


@router.get("/users/{user}/turns", tags=["recall"], response_model=schemas.TurnsAnswer)
def turns(
    parts: Parts,
    who: Who,
    user: User,
    limit: Limit = 20,
    before: Annotated[str | None, Query(description="ISO 8601: only what was said before.")] = None,
) -> Response:
    """The messages kept of a user, latest first; none unless memory.turns keeps them."""
    return Json({"user_id": user, "turns": actions.turns(parts, who, user, limit, before)})


@router.get("/users/{user}/profile", tags=["facts"], response_model=schemas.ProfileAnswer)
def profile(parts: Parts, who: Who, user: User) -> Response:
    """What has one value at a time (name, role, city, time zone…), with where it comes from (Q7)."""
    return Json({"user_id": user, "profile": actions.profile(parts, who, user)})


@router.get("/users", tags=["users"], response_model=schemas.UsersAnswer)
def users(
    parts: Parts,
    who: Who,
    query: Annotated[str, Query(max_length=512, description="Part of the id.")] = "",
    limit: Limit = 50,
    after: Annotated[str, Query(max_length=512)] = "",
) -> Response:
    """Users of the tenant, in order of id."""
    found = parts.reading.users(who.tenant, query, after, limit + 1)
    shown = [asdict(user) for user in found[:limit]]
    return Json({"users": shown, "next": shown[-1]["user_id"] if len(found) > limit else None})


@router.get("/users/{user}/facts", tags=["facts"], response_model=schemas.FactsAnswer)
def facts(
    parts: Parts,
    who: Who,
    user: User,
    status: schemas.Status = "active",
    kind: Annotated[list[Kind] | None, Query()] = None,
    namespace: Namespace | None = None,
    flagged: Annotated[bool, Query(description="Only facts that another contradicts.")] = False,
) -> Response:
    """A user's facts; none for a user of whom nothing is known."""
    found = actions.facts(parts, who, user, status, kind or (), namespace, flagged)
    return Json({"user_id": user, "facts": [fact_row(fact) for fact in found]})


@router.get("/users/{user}/facts/{fact_id}", tags=["facts"], response_model=schemas.FactAnswer)
def fact(parts: Parts, who: Who, user: User, fact_id: str) -> Response:
    """One fact, with the words of the messages behind it where they are still kept (Q4)."""
    found = parts.reading.fact(who.tenant, user, fact_id)
    return Json({"fact": fact_row(found), "evidence": evidence_rows(parts, who, user, found.sources)})


@router.get("/users/{user}/history", tags=["facts"], response_model=schemas.HistoryAnswer)
def history(parts: Parts, who: Who, user: User, fact_id: str | None = None) -> Response:
    """Every version of a user's facts, or of one, with the event and the rule that made it."""
    return Json({"user_id": user, "versions": actions.history(parts, who, user, fact_id)})


@router.get("/users/{user}/events", tags=["facts"], response_model=schemas.EventsAnswer)
def events(parts: Parts, who: Who, user: User) -> Response:
    """A user's events, in the order in which they were made (R13)."""
    return Json({"user_id": user, "events": [event_row(event) for event in parts.memory(who).events(user)]})


_COMMAND: Final[dict[int | str, dict[str, Any]]] = {
    202: {"model": schemas.CommandAnswer, "description": "on its way; the job will answer it by an event"}
}


@router.post("/users/{user}/remember", tags=["commands"], response_model=schemas.CommandAnswer, responses=_COMMAND)
async def remember(parts: Parts, who: Who, user: User, asked: schemas.RememberRequest) -> Response:
    """Writes something to a user's memory (W3)."""
    return answered(await actions.command(parts, who, {"command": "remember", "user_id": user, **asked.model_dump()}))


@router.post(
    "/users/{user}/forget", tags=["commands"], response_model=schemas.CommandAnswer | schemas.PreviewAnswer,
    responses=_COMMAND,
)  # fmt: skip # the router's options are one idea
async def forget(parts: Parts, who: Who, user: User, asked: schemas.ForgetRequest) -> Response:
    """Forgets facts by words, by id or by namespace; with `dry_run` only tells which (F3)."""
    if asked.dry_run:
        found = await actions.forgettable(parts, who, user, asked.text, asked.fact_id, asked.namespace)
        return Json({"dry_run": True, "status": "preview", "facts": [fact_row(each) for each in found]})
    return answered(
        await actions.forget(parts, who, user, asked.text, asked.fact_id, asked.namespace, asked.command_id)
    )


@router.post("/users/{user}/erase", tags=["commands"], response_model=schemas.CommandAnswer, responses=_COMMAND)
async def erase(parts: Parts, who: Who, user: User, asked: schemas.EraseRequest) -> Response:
    """Removes everything of a user for good (F6)."""
    if asked.confirm != user:
        raise ProblemError(422, f"confirm is {asked.confirm!r}, expected the user's id {user!r}: an erase is for good")
    row = {"command": "erase", "user_id": user, "command_id": asked.command_id}
    return answered(await actions.command(parts, who, row, "full"))


@router.post("/users/{user}/pin", tags=["commands"], response_model=schemas.CommandAnswer, responses=_COMMAND)
async def pin(parts: Parts, who: Who, user: User, asked: schemas.PinRequest) -> Response:
    """Exempts a fact from eviction (F4)."""
    return answered(await actions.pin(parts, who, user, asked.fact_id, True, asked.command_id))


@router.post("/users/{user}/unpin", tags=["commands"], response_model=schemas.CommandAnswer, responses=_COMMAND)
async def unpin(parts: Parts, who: Who, user: User, asked: schemas.PinRequest) -> Response:
    """Takes a pin back."""
    return answered(await actions.pin(parts, who, user, asked.fact_id, False, asked.command_id))


@router.post("/users/{user}/flush", tags=["commands"], response_model=schemas.CommandAnswer, responses=_COMMAND)
async def flush(parts: Parts, who: Who, user: User, asked: schemas.CommandRequest | None = None) -> Response:
    """Closes the user's open windows now (T3)."""
    row = {"command": "flush", "user_id": user, "command_id": asked.command_id if asked else None}
    return answered(await actions.command(parts, who, row))


@router.get("/proposals", tags=["proposals"], response_model=schemas.ProposalsAnswer)
def proposals(
    parts: Parts,
    who: Who,
    user: Annotated[str | None, Query(max_length=512)] = None,
    namespace: Namespace | None = None,
    status: schemas.ProposalStatus = "pending",
    limit: Many = 100,
    after: Annotated[str | None, Query(max_length=512, description="Go on after this proposal's id.")] = None,
) -> Response:
    """The review queue, in order of id (W2)."""
    found = actions.proposals(parts, who, user, namespace, status, limit + 1, after)
    rows = actions.proposal_rows(found[:limit])
    return Json({"proposals": rows, "next": rows[-1]["id"] if len(found) > limit else None})


@router.get("/proposals/{proposal_id}", tags=["proposals"], response_model=schemas.ProposalRow)
def proposal(parts: Parts, who: Who, proposal_id: str) -> Response:
    """One proposal."""
    return Json(actions.proposal_rows([parts.reading.proposal(who.tenant, proposal_id)])[0])


def _deciding(decision: Literal["approve", "reject"]) -> Callable[..., Any]:
    async def decide(parts: Parts, who: Who, proposal_id: str, asked: schemas.CommandRequest | None = None) -> Response:
        given = asked.command_id if asked else None
        return answered(await actions.decide(parts, who, proposal_id, decision, command_id=given))

    decide.__name__ = decision
    return decide


for _decision, _help in (
    ("approve", "Approves a pending proposal; it is reconciled with memory as it is then (W4). 409 when decided."),
    ("reject", "Rejects a pending proposal. 409 when decided."),
):
    router.post(
        f"/proposals/{{proposal_id}}/{_decision}",
        tags=["proposals"],
        response_model=schemas.CommandAnswer,
        responses=_COMMAND,
        description=_help,
    )(_deciding(cast(Literal["approve", "reject"], _decision)))


@router.post(
    "/proposals/{proposal_id}/edit", tags=["proposals"], response_model=schemas.CommandAnswer, responses=_COMMAND
)
async def edit(parts: Parts, who: Who, proposal_id: str, asked: schemas.EditRequest) -> Response:
    """Rewords a pending proposal and approves it. 409 when decided."""
    return answered(await actions.decide(parts, who, proposal_id, "edit", asked.content, asked.command_id))


@router.get("/export", tags=["export"], responses={200: {"content": {"application/x-ndjson": {}}}})
async def export(
    parts: Parts,
    who: Who,
    user: Annotated[str | None, Query(max_length=512)] = None,
    status: schemas.Status = "active",
    versions: Annotated[bool, Query(description="Every version of every fact.")] = False,
) -> StreamingResponse:
    """Facts as JSONL, one row a fact or a version (Q5)."""
    rows = await to_thread.run_sync(actions.export, parts, who, user, status, versions)
    return StreamingResponse(_lines(rows), media_type="application/x-ndjson")


def answered(answer: Answer) -> Response:
    """200 for a command that memory has, 202 for one that is on its way."""
    return Json(actions.answer_row(answer), 200 if answer.applied else 202)


def evidence_rows(parts: Serving, who: Principal, user: str, sources: Any) -> list[dict[str, Any]]:
    """Sources with the words behind them."""
    return [parts.reading.evidence(who.tenant, user, source).row for source in sources]


def _lines(rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Rows by the hundreds: each piece costs a change of threads."""
    while piece := b"".join(orjson.dumps(row) + b"\n" for row in islice(rows, _ROWS_A_PIECE)):
        yield piece
