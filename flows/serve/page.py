"""The review page: what is known of a user, where it came from, and what waits for a decision.

Rendered here, without scripts: it works with no network and no build. Everything stored is text to the templates, which
escape it. What changes something is a form that carries the session's token (CSRF).
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Form, Query, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from flows.serve import actions
from flows.serve.actions import Serving
from flows.serve.api import Parts, User, Who, serving_of
from flows.serve.guard import COOKIE
from flows.serve.problems import ProblemError
from flows.serve.schemas import LIMIT_MAX, QUERY_CHARS_MAX
from flows.serve.tokens import Principal
from flows.serve.writing import Answer
from state.export import iso
from state.facts import Fact, Proposal

_USERS_SHOWN: Final = 50
_PROPOSALS_SHOWN: Final = 50
_TOLD: Final = {
    "approved": "Approved. Memory has been written.",
    "edited": "Reworded and approved. Memory has been written.",
    "rejected": "Rejected. Nothing was written.",
    "forgotten": "Forgotten. It will not be recalled or restated.",
    "erased": "Erased. Nothing is held of this user any more.",
    "pinned": "Pinned. It is exempt from eviction.",
    "unpinned": "No longer pinned.",
    "sent": "Sent. The job will carry it out in a moment; reload to see it.",
}
_EVENTS: Final = {
    "ADD": "Learned",
    "UPDATE": "Updated",
    "DELETE": "Deleted",
    "REINFORCE": "Heard again",
    "FORGET": "Forgotten on request",
    "REACTIVATE": "Said again, so back",
    "ARCHIVE": "Ran out",
    "PRUNE": "Pruned",
    "FLAG": "Flagged as a contradiction",
    "NONE": "No change",
    "ERASE": "Erased",
}
_ANSWERS: Final = ("W2.", "F3.", "F4.", "X4.profile")
"""Rules of what changed no fact and still answers somebody."""

router = APIRouter(prefix="/review", include_in_schema=False)
_HIDDEN: Final = re.compile(
    r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e]|"
    r"[\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
"""Controls and invisible characters by which a text may look like another; those that join letters stay."""


def _visible(value: Any) -> Any:
    """A value as a page shows it: what would turn or hide other characters stands there by its number."""
    if isinstance(value, str) and not isinstance(value, Markup) and _HIDDEN.search(value):
        return _HIDDEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", value)
    return value


_templates = Environment(
    finalize=_visible,
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _segment(text: str) -> str:
    """A user's id inside a path: a slash is no separator."""
    return quote(text, safe="")


def _when(at_ms: int) -> str:
    return iso(at_ms)[:16].replace("T", " ")


_templates.filters.update(segment=_segment, when=_when, iso=iso)
_templates.globals.update(event_names=_EVENTS)


def _page(request: Request, name: str, status: int = 200, **given: Any) -> Response:
    cookie = getattr(request.state, "cookie", None)
    serving = serving_of(request)
    told = _TOLD.get(request.query_params.get("told", ""))
    shared = {
        "who": getattr(request.state, "principal", None),
        "form_token": serving.sessions.form_token(cookie) if cookie else "",
        "told": told,
    }
    return HTMLResponse(_templates.get_template(name).render(**shared, **given), status)


def is_page(request: Request) -> bool:
    """Whether a person looks at it."""
    return request.url.path.startswith("/review")


def error_page(request: Request, problem: ProblemError) -> Response:
    """A problem as a page."""
    return _page(request, "problem.html", problem.status, problem=problem)


async def _checked(request: Request, form_token: Annotated[str, Form()] = "") -> None:
    """Refuses a form that was not made for this session (CSRF)."""
    if not serving_of(request).sessions.is_form_token(request.state.cookie, form_token):
        raise ProblemError(403, "the form is not of this login; go back, reload the page, and try again")


_OURS = [Depends(_checked)]


# Coming and going.


@router.get("/login")
async def login_page(request: Request, next: str = "/review") -> Response:
    """Asks for a token."""
    return _page(request, "login.html", next=_inside(next), wrong=False)


@router.post("/login")
async def login(
    request: Request, token: Annotated[str, Form(max_length=512)] = "", next: Annotated[str, Form()] = "/review"
) -> Response:
    """Opens a session for whoever shows a token."""
    serving = serving_of(request)
    principal = serving.tokens.find(token.strip()) if token.strip() else None
    if principal is None:
        return _page(request, "login.html", 401, next=_inside(next), wrong=True)
    answer = RedirectResponse(_inside(next), 303)
    answer.set_cookie(
        COOKIE,
        serving.sessions.open(principal, time.time()),
        max_age=serving.settings.serve.session_minutes * 60,
        path="/review",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@router.post("/logout", dependencies=_OURS)
async def logout() -> Response:
    """Ends the session in this browser."""
    answer = RedirectResponse("/review/login", 303)
    answer.delete_cookie(COOKIE, path="/review")
    return answer


def _inside(path: str) -> str:
    """A path of this page to go on to, and nothing else."""
    return path if path.startswith("/review") and "\\" not in path and not path.startswith("//") else "/review"


# Looking.


@router.get("")
def users(
    request: Request,
    parts: Parts,
    who: Who,
    query: Annotated[str, Query(max_length=512)] = "",
    after: Annotated[str, Query(max_length=512)] = "",
) -> Response:
    """Users of the tenant."""
    found = parts.reading.users(who.tenant, query.strip(), after, _USERS_SHOWN + 1)
    shown = found[:_USERS_SHOWN]
    more = urlencode({"query": query, "after": shown[-1].user_id}) if len(found) > _USERS_SHOWN else None
    return _page(request, "users.html", query=query, users=shown, more=more)


@router.get("/users/{user}")
def user(
    request: Request, parts: Parts, who: Who, user: User, query: Annotated[str, Query(max_length=QUERY_CHARS_MAX)] = ""
) -> Response:
    """A user's memory by namespace."""
    everything = parts.memory(who).facts(user, "all")
    active = [fact for fact in everything if fact.status == "active"]
    ranked = actions.recall(parts, who, user, query, LIMIT_MAX) if query.strip() else []
    by_id = {fact.fact_id: fact for fact in active}
    return _page(
        request,
        "user.html",
        user=user,
        query=query,
        known=bool(everything),
        found=[(row["score"], by_id[row["id"]]) for row in ranked[:10] if row["id"] in by_id],
        groups=_grouped(active),
        count=len(active),
        contradictions=_contradictions(active),
        pending=parts.memory(who).proposals(user, "pending"),
        targets={fact.fact_id: fact for fact in everything},
        gone=[fact for fact in everything if fact.status not in ("active", "superseded")],
    )


@router.get("/users/{user}/facts/{fact_id}")
def fact(request: Request, parts: Parts, who: Who, user: User, fact_id: str) -> Response:
    """One fact: its evidence in the words of the messages, and its history as a timeline."""
    found = parts.reading.fact(who.tenant, user, fact_id)
    others = {each.fact_id: each for each in parts.memory(who).facts(user, "all")}
    return _page(
        request,
        "fact.html",
        user=user,
        fact=found,
        evidence=[parts.reading.evidence(who.tenant, user, source) for source in found.sources],
        events=[e for e in parts.memory(who).events(user) if e.fact is not None and e.fact.fact_id == fact_id][::-1],
        against=[others[each] for each in found.contradicts if each in others],
    )


@router.get("/users/{user}/history")
def history(request: Request, parts: Parts, who: Who, user: User) -> Response:
    """Everything that happened to a user's memory, latest first."""
    events = [e for e in parts.memory(who).events(user) if e.event != "NONE" or e.rule.startswith(_ANSWERS)]
    days: dict[str, list[Any]] = {}
    for event in reversed(events):
        days.setdefault(iso(event.said_at_ms)[:10], []).append(event)
    return _page(request, "history.html", user=user, days=days)


@router.get("/proposals")
def proposals(
    request: Request, parts: Parts, who: Who, after: Annotated[str | None, Query(max_length=512)] = None
) -> Response:
    """The review queue."""
    found = actions.proposals(parts, who, limit=_PROPOSALS_SHOWN + 1, after=after)
    shown = found[:_PROPOSALS_SHOWN]
    more = urlencode({"after": shown[-1].proposal_id}) if len(found) > _PROPOSALS_SHOWN else None
    return _page(request, "proposals.html", proposals=shown, targets=_targets(parts, who, shown), more=more)


def _targets(parts: Serving, who: Principal, found: Sequence[Proposal]) -> dict[str, Fact]:
    """The facts that proposals would change, by id."""
    wanted = {proposal.user_id for proposal in found if proposal.target_fact_id}
    return {fact.fact_id: fact for user in sorted(wanted) for fact in parts.memory(who).facts(user, "all")}


def _grouped(facts: Sequence[Fact]) -> Mapping[str, list[Fact]]:
    """Facts by namespace, in order of name; the most important first."""
    groups: dict[str, list[Fact]] = {}
    for fact in sorted(facts, key=lambda fact: (fact.namespace, -fact.importance, fact.fact_id)):
        groups.setdefault("/".join(fact.namespace), []).append(fact)
    return groups


def _contradictions(facts: Sequence[Fact]) -> list[tuple[Fact, Fact]]:
    """Pairs of facts flagged against each other, each pair once."""
    by_id = {fact.fact_id: fact for fact in facts}
    pairs = {tuple(sorted((fact.fact_id, other))) for fact in facts for other in fact.contradicts if other in by_id}
    return [(by_id[one], by_id[two]) for one, two in sorted(pairs)]


# Deciding.


@router.post("/proposals/{proposal_id}", dependencies=_OURS)
async def decide(
    parts: Parts,
    who: Who,
    proposal_id: str,
    decision: Annotated[Literal["approve", "reject", "edit"], Form()],
    back: Annotated[str, Form()] = "/review/proposals",
    content: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    """Approves, rewords or rejects a proposal."""
    words = content.strip() if decision == "edit" else None
    if decision == "edit" and not words:
        raise ProblemError(422, "the new wording is empty; write it, or approve the proposal as it is")
    answer = await actions.decide(parts, who, proposal_id, decision, words)
    told = {"approve": "approved", "reject": "rejected", "edit": "edited"}[decision]
    return _back(back, answer, told)


@router.get("/users/{user}/forget")
async def forget_page(
    request: Request,
    parts: Parts,
    who: Who,
    user: User,
    text: Annotated[str, Query(max_length=QUERY_CHARS_MAX)] = "",
    fact_id: str = "",
    namespace: str = "",
) -> Response:
    """What a forget would take, with the button that does it."""
    actions.need(who, "write")
    found = await actions.forgettable(parts, who, user, text.strip() or None, fact_id or None, namespace or None)
    given = {"text": text.strip(), "fact_id": fact_id, "namespace": namespace}
    shown = [replace(fact, status="active") for fact in found]  # as they are now
    return _page(request, "forget.html", user=user, found=shown, given=given)


@router.post("/users/{user}/forget", dependencies=_OURS)
async def forget(
    parts: Parts,
    who: Who,
    user: User,
    text: Annotated[str, Form()] = "",
    fact_id: Annotated[str, Form()] = "",
    namespace: Annotated[str, Form()] = "",
) -> Response:
    """Forgets."""
    answer = await actions.forget(parts, who, user, text or None, fact_id or None, namespace or None)
    return _back(f"/review/users/{_segment(user)}", answer, "forgotten")


@router.post("/users/{user}/pin", dependencies=_OURS)
async def pin(
    parts: Parts, who: Who, user: User, fact_id: Annotated[str, Form()], pinned: Annotated[bool, Form()]
) -> Response:
    """Pins a fact or takes the pin back."""
    answer = await actions.pin(parts, who, user, fact_id, pinned)
    told = "pinned" if pinned else "unpinned"
    return _back(f"/review/users/{_segment(user)}/facts/{_segment(fact_id)}", answer, told)


@router.get("/users/{user}/erase")
def erase_page(request: Request, parts: Parts, who: Who, user: User) -> Response:
    """What an erase would take; the user's id has to be typed."""
    actions.need(who, "full")
    memory = parts.memory(who)
    counts = {
        "facts, in every version": len(memory.history(user)),
        "proposals": len(memory.proposals(user)),
        "events": sum(1 for _ in memory.events(user)),
    }
    return _page(request, "erase.html", user=user, counts=counts, facts=memory.facts(user)[:10])


@router.post("/users/{user}/erase", dependencies=_OURS)
async def erase(parts: Parts, who: Who, user: User, confirm: Annotated[str, Form()] = "") -> Response:
    """Erases."""
    actions.need(who, "full")
    if confirm.strip() != user:
        raise ProblemError(422, "what you typed is not the user's id; nothing was erased")
    answer = await actions.command(parts, who, {"command": "erase", "user_id": user}, "full")
    return _back("/review", answer, "erased")


def _back(path: str, answer: Answer, told: str) -> Response:
    return RedirectResponse(f"{_inside(path)}?told={told if answer.applied else 'sent'}", 303)
