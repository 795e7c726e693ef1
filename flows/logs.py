"""Structured logs on stderr: one line an event, JSON where stderr is no terminal; no user text above debug (S9)."""

from __future__ import annotations

import logging
import os
import sys

import structlog


def configure() -> None:
    """Sets logging up for this process; FACTSTREAM_LOG_LEVEL sets the level (info)."""
    level = logging.getLevelNamesMapping().get(os.environ.get("FACTSTREAM_LOG_LEVEL", "info").upper(), logging.INFO)
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
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
