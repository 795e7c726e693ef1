"""Structured logs on stderr: one line an event, as text or JSON; no user text above debug (S9)."""

from __future__ import annotations

import logging
import os
import sys
import traceback

import structlog

from flows.settings import SettingsError

_FORMAT = "FACTSTREAM_LOG_FORMAT"
_LEVEL = "FACTSTREAM_LOG_LEVEL"
_LEVELS = ("debug", "info", "warning", "error", "critical")


def settle() -> None:
    """Makes every line of this process and of those that it starts of one form: the one asked for, else by terminal."""
    os.environ.setdefault(_FORMAT, "text" if sys.stderr.isatty() else "json")


def configure() -> None:
    """Sets logging up for this process; FACTSTREAM_LOG_LEVEL sets the level (info).

    FACTSTREAM_LOG_FORMAT sets the form, "json" or "text"; without it events are text on a terminal and JSON elsewhere.
    Raises SettingsError for another level or form.
    """
    form = os.environ.get(_FORMAT, "text" if sys.stderr.isatty() else "json")
    if form not in ("json", "text"):
        raise SettingsError(f'{_FORMAT} is {form!r}, expected "json" or "text", or nothing: text on a terminal')
    wanted = os.environ.get(_LEVEL, "info")
    if wanted.lower() not in _LEVELS:
        raise SettingsError(f"{_LEVEL} is {wanted!r}, expected one of {', '.join(_LEVELS)}, or nothing: info")
    level = logging.getLevelNamesMapping()[wanted.upper()]
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        if form == "text"
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def tell(text: str, level: int = logging.INFO, cause: BaseException | None = None) -> None:
    """Says a line to whoever started this process: an event of the log where all lines are JSON, else plain words.

    `cause` is an error whose traceback is to be seen.
    """
    if os.environ.get(_FORMAT) == "json":
        structlog.get_logger("factstream").log(level, text, **({"exc_info": cause} if cause is not None else {}))
        return
    if cause is not None:
        traceback.print_exception(cause)
    print(f"factstream: {text}", file=sys.stderr)
