"""Recall over HTTP: requests a second and how long one takes, with the embedded model, server and clients on one host.

The clients are of the cheapest kind (one process, kept-alive connections, answers not parsed), for they share the
machine with the server. No question is asked twice, so that each has to be embedded.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import quantiles
from urllib.parse import quote

import numpy as np

from flows.supervisor import _free_ports
from models.embedder import Embedder
from state.facts import Fact, Source, stable_id
from state.layout import Layout, shard_of
from state.memory_store import MemoryStore
from state.messages import Origin
from state.user_memory import Changes
from state.windows import user_key
from tests.benchmarks.chat import START_MS
from tests.benchmarks.running import Line, prepared

USERS = 500
FACTS_A_USER = 100
CONNECTIONS = (1, 4, 16)
SHARDS = 64
_START_SECONDS = 60.0
_TOPICS = ("tea", "jazz", "hiking", "chess", "bread", "boats", "roses", "maps", "opera", "judo")
_QUESTIONS = (
    "where does she live?",
    "what does the user like to eat in the evening?",
    "which sport does he do with his friends at the weekend?",
    "does she have a pet?",
)


def measure(folder: Path, requests: int, runs: int, weights: str | None) -> list[Line]:
    """A server over 500 users with 100 facts each, asked over 1, 4 and 16 connections."""
    del weights, runs
    state, config = prepared(folder, "serving", "[serve.tokens]\nbench = { access = 'read', env = 'BENCH_TOKEN' }\n")
    _fill(state)
    [port] = _free_ports(1)
    secret = secrets.token_urlsafe()
    words = [
        sys.executable,
        "-m",
        "flows",
        "serve",
        "--state",
        str(state),
        "--config",
        str(config),
        "--port",
        str(port),
    ]
    environ = {**os.environ, "BENCH_TOKEN": secret, "FACTSTREAM__SERVE__RATE_PER_SECOND": "1000000"}
    server = subprocess.Popen(words, env=environ, stderr=subprocess.DEVNULL)
    try:
        _wait_until_ready(port)
        lines = []
        numbers = count()
        for connections in CONNECTIONS:
            asyncio.run(_asked(port, secret, connections, requests // 10, numbers))
            spent = _cpu_seconds(port)
            lines += _lines(connections, *asyncio.run(_asked(port, secret, connections, requests, numbers)))
            spent = (_cpu_seconds(port) - spent) / requests * 1000
            name = f"{connections} connections: the server's processor time"
            lines.append(Line("serving", name, round(spent, 2), "ms/request"))
        return lines
    finally:
        server.terminate()
        server.wait(30)


def _lines(connections: int, seconds: float, took: list[float]) -> list[Line]:
    name = f"{connections} connection{'' if connections == 1 else 's'}"
    cuts = quantiles(took, n=100)
    return [
        Line(
            "serving", f"{name}: recall", round(len(took) / seconds), "requests/s", "≥ 200" if connections > 1 else ""
        ),
        *(Line("serving", f"{name}: p{p}", round(cuts[p - 1] * 1000, 1), "ms") for p in (50, 95, 99)),
    ]


def _wait_until_ready(port: int) -> None:
    until = time.monotonic() + _START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _cpu_seconds(port: int) -> float:
    """Processor seconds of the server so far, as its metrics say."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("process_cpu_seconds_total "):
                return float(line.split()[1])
    raise RuntimeError("the server's metrics have no process_cpu_seconds_total")


async def _asked(
    port: int, secret: str, connections: int, requests: int, numbers: Iterator[int]
) -> tuple[float, list[float]]:
    """Asks over kept-alive connections, each its share, one after another; (seconds in all, seconds of each)."""
    took: list[float] = []
    started = time.perf_counter()
    shares = [requests // connections + (1 if i < requests % connections else 0) for i in range(connections)]
    await asyncio.gather(*(_connection(port, secret, i, share, numbers, took) for i, share in enumerate(shares)))
    return time.perf_counter() - started, took


async def _connection(
    port: int, secret: str, number: int, requests: int, numbers: Iterator[int], took: list[float]
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for turn in range(requests):
        user = (number * 7_919 + turn * 31) % USERS
        query = quote(f"{_QUESTIONS[turn % len(_QUESTIONS)]} {next(numbers)}")
        head = f"GET /v1/users/user-{user}/recall?limit=5&query={query} HTTP/1.1\r\nhost: bench\r\n"
        started = time.perf_counter()
        writer.write(f"{head}authorization: Bearer {secret}\r\n\r\n".encode())
        status, _, body = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        if b" 200 " not in status:
            raise RuntimeError(f"the server answered {status!r}")
        length = next(line for line in body.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        took.append(time.perf_counter() - started)
    writer.close()


def _fill(state: Path) -> None:
    """Writes the memory files as a job would have left them."""
    layout, version = Layout(state), Embedder().version
    random = np.random.default_rng(1)
    by_shard: dict[int, list[str]] = {}
    for number in range(USERS):
        user = f"user-{number}"
        by_shard.setdefault(shard_of("default", user, SHARDS), []).append(user)
    for shard, users in by_shard.items():
        store = MemoryStore(layout.memory(shard), None)
        with store.file.transaction():
            for user in users:
                store.file.next_seq()
                store.save(user_key("default", user), Changes(facts=tuple(facts_of(user, version, random))))
        store.file.close()


def facts_of(user: str, version: str, random: np.random.Generator) -> Iterator[Fact]:
    for number in range(FACTS_A_USER):
        said_at_ms = START_MS + number * 3_600_000
        topic = _TOPICS[number % len(_TOPICS)]
        yield Fact(
            fact_id=stable_id(user, number),
            tenant="default",
            user_id=user,
            agent_id=None,
            namespace=("user", "preferences", topic),
            kind="opinion",
            content=f"User likes {topic} of kind {number} with friends of {user} on Sundays",
            subject="user",
            predicate="likes",
            object=f"{topic} of kind {number}",
            polarity=True,
            confidence=0.9,
            reinforced_confidence=0.9,
            mentions=1,
            intensity=0.5,
            importance=0.6,
            language="en",
            status="active",
            reason=None,
            first_said_at_ms=said_at_ms,
            last_said_at_ms=said_at_ms,
            recorded_at_ms=said_at_ms,
            sources=(Source(f"m{number}", "c1", 0, 20, Origin("messages", 0, number)),),
            embedding=random.integers(0, 256, 384, np.uint8).tobytes(),
            embedding_version=version,
        )
