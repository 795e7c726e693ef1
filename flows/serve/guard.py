"""What every request passes before it is answered: size, identity, rate; and what every answer carries."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flows.metrics import Metrics
from flows.serve.limits import Buckets
from flows.serve.problems import problem
from flows.serve.tokens import Principal, Sessions, Tokens
from flows.settings import Serve

COOKIE: Final = "factstream_session"
_OPEN: Final = ("/health/", "/metrics", "/static/", "/openapi.json", "/review/login", "/favicon.ico")
_SLASH: Final = "\x1f"
"""Stands for a slash inside a path's segment: user ids may have slashes, and control characters no id has."""
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_FAILED_RATE: Final = 2.0
_FAILED_BURST: Final = 20


def plain(segment: str) -> str:
    """A path parameter as it was meant."""
    return segment.replace(_SLASH, "/")


class Guard:
    """ASGI middleware around all routes. The principal is put into the request's state."""

    def __init__(
        self,
        app: ASGIApp,
        serve: Serve,
        tokens: Tokens,
        sessions: Sessions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app, self._tokens, self._sessions, self._clock = app, tokens, sessions, clock
        self._bytes_max = serve.request_bytes_max
        self._buckets = Buckets(serve.rate_per_second, serve.burst)
        self._failures = Buckets(_FAILED_RATE, _FAILED_BURST)
        self._metrics = Metrics()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = self._clock()
        _keep_slashes(scope)
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            refused = self._refused(scope)
            if refused is not None:
                await refused(scope, receive, answer)
            else:
                await self._app(scope, _limited(receive, self._bytes_max), answer)
        finally:
            route = _route_of(scope)
            self._metrics.count("http_requests_total", method=_method(scope), route=route, status=str(status))
            self._metrics.measure("http_request_seconds", self._clock() - started, route=route)

    def _refused(self, scope: Scope) -> Any:
        """The answer to a request that goes no further; else None, with the principal in the request's state."""
        headers, path = Headers(scope=scope), scope["path"]
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._bytes_max:
            return problem(413, f"the request has {length} bytes, expected at most {self._bytes_max}")
        if path.startswith(_OPEN):
            if scope["method"] == "POST" and not _same_origin(headers):
                return problem(403, "the form comes from a page of another origin")
            return self._too_fast(f"open:{_client(scope)}")
        if path.startswith("/review") or path == "/":
            return self._visitor(scope, headers)
        principal = self._bearer(headers)
        if principal is None:
            wait = self._failures.take(_client(scope), self._clock())
            if wait:
                return _slow_down(wait, "too many requests without a valid token")
            detail = "a valid token is needed: Authorization: Bearer TOKEN"
            return problem(401, detail, {"www-authenticate": "Bearer"})
        if not _same_origin(headers):
            return problem(403, "the request comes from a page of another origin")
        scope.setdefault("state", {})["principal"] = principal
        return self._too_fast(principal.name)

    def _visitor(self, scope: Scope, headers: Headers) -> Any:
        """A person on the review page: known by a cookie; what changes something must come from our own forms."""
        cookie = _cookie(headers)
        principal = self._sessions.find(cookie, time.time()) if cookie else None
        if principal is None:
            if scope["method"] not in ("GET", "HEAD"):
                return problem(401, "the login is over; open /review/login")
            return RedirectResponse(f"/review/login?next={quote(scope['path'], safe='')}", 303)
        if scope["method"] not in ("GET", "HEAD") and not _same_origin(headers):
            return problem(403, "the form comes from a page of another origin")
        scope.setdefault("state", {}).update(principal=principal, cookie=cookie)
        return self._too_fast(principal.name)

    def _bearer(self, headers: Headers) -> Principal | None:
        """The token as a bearer, or as clients of other memories send it: `Token …`, `X-API-Key`."""
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        if scheme.casefold() in ("bearer", "token") and secret.strip():
            return self._tokens.find(secret.strip())
        key = headers.get("x-api-key")
        return self._tokens.find(key) if key else None

    def _too_fast(self, key: str) -> Any:
        wait = self._buckets.take(key, self._clock())
        return _slow_down(wait, "too many requests with this token") if wait else None


def _keep_slashes(scope: Scope) -> None:
    """Takes the path from its raw form, so that an encoded slash does not part a segment."""
    raw = scope.get("raw_path")
    if raw and b"%2f" in raw.lower():
        parts = raw.split(b"?")[0].decode("ascii", "replace").split("/")
        scope["path"] = "/".join(unquote(part).replace("/", _SLASH) for part in parts)


def _limited(receive: Receive, bytes_max: int) -> Receive:
    """The body, up to the limit, also where its length was not announced."""
    total = 0

    async def limited() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > bytes_max:
            raise HTTPException(413, f"the request has over {bytes_max} bytes, expected at most so many")
        return message

    return limited


def _same_origin(headers: Headers) -> bool:
    """Whether a browser says that our own page sent this; programs say nothing and pass."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def _cookie(headers: Headers) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found else None


def _client(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "unknown"


def _slow_down(wait: float, detail: str) -> Any:
    return problem(429, f"{detail}; try again in {wait:.2f} s", {"retry-after": str(int(wait) + 1)})


def _method(scope: Scope) -> str:
    method = str(scope["method"])
    return method if method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") else "other"


def _route_of(scope: Scope) -> str:
    """The route's pattern, never the path: paths name users."""
    pattern = getattr(scope.get("route"), "path", None)
    if pattern:
        return str(pattern)
    return "/mcp" if scope["path"].startswith("/mcp") else "other"
