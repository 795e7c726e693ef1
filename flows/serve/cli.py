"""The verb serve: settings to a listening server."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from flows.settings import Settings, SettingsError, load


def serve(
    host: Annotated[str | None, typer.Option("--host", help="Where to listen; serve.host by default.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="serve.port by default (8640).")] = None,
    stdio: Annotated[bool, typer.Option("--stdio", help="MCP on stdin and stdout for one agent; no port.")] = False,
    access: Annotated[str, typer.Option("--access", help="With --stdio: read, write or full.")] = "write",
    config: Annotated[
        Path | None, typer.Option("--config", help="Settings, a TOML file; see docs/factstream.toml.")
    ] = None,
    state: Annotated[Path, typer.Option("--state", help="The state directory.")] = Path("factstream-state"),
    tenant: Annotated[str, typer.Option("--tenant", help="The tenant, where no tokens are configured.")] = "default",
) -> None:
    """HTTP, MCP and the review page, from the state directory, while the job writes."""
    settings = load(config)
    chosen = replace(settings.serve, host=host or settings.serve.host, port=port or settings.serve.port)
    settings = replace(settings, serve=chosen)
    try:
        import flows.serve.app  # noqa: F401 # imports all that the extra brings; the job itself does without
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"serve needs {error.name}, which is not installed; in the checkout: pip install -e '.[serve]'"
        ) from None
    given = str(config) if config else None
    if stdio:
        _stdio(settings, state, given, tenant, access)
    else:
        _http(settings, state, given, tenant)


def _http(settings: Settings, state: Path, config: str | None, tenant: str) -> None:
    import uvicorn

    from flows.serve.app import make_app, make_serving
    from flows.serve.tokens import read_tokens

    tokens, made = read_tokens(settings.serve, os.environ, tenant)
    host, port = settings.serve.host, settings.serve.port
    listening = _bound(host, port)
    shown = f"[{host}]" if ":" in host else host
    print(f"factstream: http://{shown}:{port}/review, MCP at /mcp, the API in /openapi.json", file=sys.stderr)
    if made is not None:
        print(f"factstream: token of tenant {tenant} until this stops (no serve.tokens): {made}", file=sys.stderr)
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(make_serving(settings, state, config, tokens)),
            access_log=False,  # paths name users
            log_level="warning",
            server_header=False,
            limit_concurrency=settings.serve.connections_max,
            timeout_graceful_shutdown=15,
        )
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stopped)  # the server stops by its own handlers, and raises the signal once more after
    server.run([listening])
    if not server.started:
        raise typer.Exit(1)


def _stopped(number: int, frame: object) -> None:
    """Nothing is left to do: the server has stopped in order."""


def _bound(host: str, port: int) -> socket.socket:
    """The socket to listen on. Raises SettingsError where it cannot be had, before anything is loaded."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, connections send at once: else answers wait 40 ms for an acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"cannot listen on {host} port {port} ({error.strerror or error}): set serve.port (--port) to a free one,"
            " serve.host (--host) to an address of this host"
        ) from None
    return listening


def _stdio(settings: Settings, state: Path, config: str | None, tenant: str, access: str) -> None:
    import anyio

    from flows.serve import tools
    from flows.serve.app import make_serving
    from flows.serve.tokens import ACCESS, Principal, Tokens

    if access not in ACCESS:
        raise SettingsError(f"--access is {access!r}, expected one of {', '.join(ACCESS)}")
    who = Principal("stdio", tenant, access)
    serving = make_serving(settings, state, config, Tokens({}))
    serving.writer.start()
    try:
        with suppress(KeyboardInterrupt):
            anyio.run(tools.make_server(serving, lambda context: who).run_stdio_async)
    finally:
        serving.writer.stop()
