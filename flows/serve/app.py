"""The one ASGI application: API, mem0's shapes, MCP and the review page behind one guard, with health and metrics."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Final

import structlog
from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from flows.job import keep_collector_away, models
from flows.metrics import build_info, model_ran
from flows.serve import api, mem0, page, tools
from flows.serve.actions import Serving
from flows.serve.guard import Guard
from flows.serve.problems import Json, ProblemError, problem
from flows.serve.reading import Reading
from flows.serve.tokens import Sessions, Tokens
from flows.serve.writing import Writer
from flows.settings import Settings
from models.sessions import watch_runs
from operators.formats.shapes import near, shown

_HERE: Final = Path(__file__).parent
_READERS: Final = 4
"""Threads that answer at once. Each answer is a few milliseconds of one core; more would only wait for each other."""

log = structlog.get_logger("factstream.serve")


def make_serving(settings: Settings, state: Path, config: str | None, tokens: Tokens) -> Serving:
    """The parts, not yet started."""
    return Serving(
        settings,
        Reading(settings, state, lambda: models(settings.extraction.keep_threshold)[1]),
        Writer(settings, state, config),
        tokens,
        Sessions(tokens, settings.serve.session_minutes),
    )


def make_app(serving: Serving) -> Guard:
    """The application. Its lifespan starts the writer and loads the model for queries."""
    server = tools.make_server(serving, tools.of_request)
    server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        max_request_body_size=serving.settings.serve.request_bytes_max,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard's matter
    )
    manager = server.session_manager

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = _READERS
        extractor, embedder = await to_thread.run_sync(models, serving.settings.extraction.keep_threshold)
        build_info(embedder.version, extractor.version)
        watch_runs(model_ran)
        serving.writer.start()
        keep_collector_away()  # walking all that is loaded would hold up one question in some hundred
        async with manager.run():
            yield
        await to_thread.run_sync(serving.writer.stop)

    app = FastAPI(
        title="Factstream",
        description="Long-term memory of users from conversation streams: recall, review and commands.",
        version="1",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.serving, app.state.pending = serving, mem0.Pending()
    app.include_router(api.router)
    app.include_router(mem0.router)
    app.include_router(page.router)
    app.router.routes += [
        Route("/health/live", _live),
        Route("/health/ready", _ready),
        Route("/metrics", _metrics),
        Route("/", lambda request: RedirectResponse("/review", 303)),
        Mount("/static", StaticFiles(directory=_HERE / "static")),
        Route("/mcp", _Mcp(manager), methods=["GET", "POST", "DELETE"]),
    ]
    for error in (ProblemError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(error, _answer)
    return Guard(app, serving.settings.serve, serving.tokens, serving.sessions)


class _Mcp:
    """Streamable HTTP. Each request stands alone, so one token can never go on in another's session."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._manager.handle_request(scope, receive, send)


async def _live(request: Request) -> Response:
    return Json({"status": "live"})


async def _ready(request: Request) -> Response:
    why = api.serving_of(request).reading.ready()
    return Json({"status": "ready"}) if why is None else problem(503, why)


async def _metrics(request: Request) -> Response:
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


async def _answer(request: Request, error: Exception) -> Response:
    """Every error as one shape; on the review page as a page."""
    found = _as_problem(request, error)
    if found.status == 500:
        log.error("a request failed", route=getattr(request.scope.get("route"), "path", None), exc_info=error)
    return page.error_page(request, found) if page.is_page(request) else found.response()


def _as_problem(request: Request, error: Exception) -> ProblemError:
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, RequestValidationError):
        errors = [
            {"field": ".".join(map(str, each["loc"])), "message": _told(request, each)} for each in error.errors()
        ]
        told = "; ".join(f"{each['field']}: {each['message']}" for each in errors)
        return ProblemError(422, told, errors=errors)
    if isinstance(error, HTTPException) and error.status_code == 405:
        allowed = (error.headers or {}).get("allow") or (error.headers or {}).get("Allow", "")
        detail = f"{request.method} is not allowed here, expected {allowed or 'another method'}; see /openapi.json"
        return ProblemError(405, detail, error.headers)
    if isinstance(error, HTTPException):
        detail = error.detail if error.status_code != 404 else "there is nothing here; /openapi.json lists every route"
        return ProblemError(error.status_code, detail, error.headers)
    return ProblemError(500, "something went wrong; the server's log says what")


def _told(request: Request, error: Mapping[str, Any]) -> str:
    """What is wrong with one field: a number or a parameter with its value, an unknown field with those expected."""
    where, name = error["loc"][0], str(error["loc"][-1])
    if error["type"] == "extra_forbidden":
        body = getattr(request.scope.get("route"), "body_field", None)
        known = tuple(getattr(body.field_info.annotation, "model_fields", ())) if body is not None else ()
        return f"there is no field {name!r}" + (
            f", expected one of {', '.join(known)}{near(name, known)}" if known else ""
        )
    given = error.get("input")
    if isinstance(given, int | float) or (isinstance(given, str) and where in ("query", "path")):
        return f"{error['msg']}, got {shown(given)}"
    return str(error["msg"])
