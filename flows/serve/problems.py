"""What is answered when a request cannot be: a status, a short code for programs, and a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from starlette.responses import Response

CODES: Final[dict[int, str]] = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    422: "invalid",
    429: "too_many_requests",
    500: "internal",
    503: "unavailable",
}


class ProblemError(Exception):
    """An answer other than the one asked for."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers, self.more = status, detail, headers, more

    def response(self) -> Response:
        """The answer's body: `detail`, `code`, and whatever else it has."""
        return problem(self.status, self.detail, self.headers, **self.more)


class Json(Response):
    """A JSON answer."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes."""
        return orjson.dumps(content)


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    """The answer to a request that cannot be answered."""
    return Json({"detail": detail, "code": CODES.get(status, "error"), **more}, status, dict(headers or {}))
