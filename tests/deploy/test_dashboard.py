"""Every query of the dashboard and of the rules, asked of a real Prometheus that scrapes a running job (S7)."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from confluent_kafka import Producer

from tests.deploy.test_rules import DASHBOARD, PROMETHEUS, rules
from tests.deploy.tools import tool
from tests.flows.test_kafka_job import DEMO, ROOT, configuration, job, produce
from tests.kafka_broker import free_port

PACE_SECONDS = 0.5
PACE = f"{PACE_SECONDS * 1000:.0f}ms"
PATIENCE_SECONDS = 120
TOKEN = "a-token-of-this-test-alone"
# What a job that does well has nothing to show for.
MAY_BE_EMPTY = {"job:factstream_http_requests_failed:share5m"}


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = orjson.loads(DASHBOARD.read_bytes())["panels"]
    return [panel for panel in found if panel["type"] != "row"]


def queries() -> list[str]:
    """Every query of the dashboard, with Grafana's variables as for all jobs and a fast scrape."""
    expressions = [target["expr"] for panel in panels() for target in panel["targets"]]
    for variable, value in (("$__rate_interval", "15s"), ("$job", ".*"), ("$serve", ".*")):
        expressions = [expression.replace(variable, value) for expression in expressions]
    return expressions


def test_the_dashboard_has_its_rows_and_every_panel_says_what_it_shows() -> None:
    board = orjson.loads(DASHBOARD.read_bytes())
    assert [row["title"] for row in board["panels"] if row["type"] == "row"] == [
        "Pipeline",
        "Memory",
        "Quality",
        "Recall",
    ]
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    for panel in panels():
        assert panel["title"], panel["id"]
        assert panel["description"], panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"], panel["title"]
        assert panel["datasource"]["uid"] == "${datasource}", panel["title"]
    used = set(re.findall(r"\$(\w+)", " ".join(target["expr"] for panel in panels() for target in panel["targets"])))
    assert used - {"__rate_interval"} == {each["name"] for each in board["templating"]["list"]} - {"datasource"}


def test_no_panel_covers_another() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in orjson.loads(DASHBOARD.read_bytes())["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


@contextmanager
def process(words: list[str], log: Path, **environ: str) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as out:
        started = subprocess.Popen(words, cwd=ROOT, stdout=out, stderr=out, env={**os.environ, **environ})
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def asked(url: str, **words: str) -> Any:
    """Prometheus' answer, whether it is an error or data."""
    try:
        with urllib.request.urlopen(url, urllib.parse.urlencode(words).encode() or None, timeout=10) as answer:
            return orjson.loads(answer.read())
    except urllib.error.HTTPError as error:
        return orjson.loads(error.read())


def recall(port: int) -> bool:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    wanted = urllib.request.Request(f"http://127.0.0.1:{port}/v1/users/maya/recall?query=food", headers=headers)
    try:
        with urllib.request.urlopen(wanted, timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def prometheus_configuration(folder: Path, targets: dict[str, list[int]]) -> Path:
    """The shipped configuration and rules, with this test's targets, at a fast pace."""
    shipped = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text(encoding="utf-8"))
    assert {each["job_name"] for each in shipped["scrape_configs"]} == set(targets)
    shipped["global"] = {"scrape_interval": PACE, "evaluation_interval": PACE}
    shipped["rule_files"] = [str(PROMETHEUS / name) for name in shipped["rule_files"]]
    for each in shipped["scrape_configs"]:
        each["static_configs"] = [{"targets": [f"127.0.0.1:{port}" for port in targets[each["job_name"]]]}]
    path = folder / "prometheus.yml"
    path.write_text(yaml.safe_dump(shipped), encoding="utf-8")
    return path


def say(address: str, prefix: str, number: int) -> None:
    """One more message, for rates need something that goes on; with the first a record that cannot be read."""
    text = f"I live in {('Leeds', 'York', 'Hull')[number % 3]}."
    row = {"user_id": "zoe", "role": "user", "text": text, "message_id": f"m{number}"}
    producer = Producer({"bootstrap.servers": address})
    producer.produce(f"{prefix}.messages", orjson.dumps(row))
    if number == 0:  # of more the job would rightly stop, where it is slow to read the rest
        producer.produce(f"{prefix}.messages", b"no conversation")
    assert producer.flush(30) == 0


@pytest.mark.kafka
def test_every_query_and_rule_answers_on_a_running_job(
    request: pytest.FixtureRequest, kafka_address: str, tmp_path: Path
) -> None:
    """S7."""
    prometheus = tool(request, "prometheus", "prometheus")
    prefix, state = f"fs{uuid.uuid4().hex[:8]}", tmp_path / "state"
    job_port, worker_port, serve_port, port = (free_port() for _ in range(4))
    config = configuration(tmp_path, kafka_address, prefix, worker_port, conversation_length=4)
    with config.open("a") as file:
        file.write(f'job_port = {job_port}\n[serve]\nport = {serve_port}\n[serve.tokens.test]\nenv = "TEST_TOKEN"\n')
    scraped = prometheus_configuration(
        tmp_path, {"factstream": [job_port, worker_port], "factstream-serve": [serve_port]}
    )
    words = ["--storage.tsdb.path", str(tmp_path / "series"), "--web.listen-address", f"127.0.0.1:{port}"]
    serve = [sys.executable, "-m", "flows", "serve", "--config", str(config), "--state", str(state)]
    produce(kafka_address, f"{prefix}.messages", DEMO.read_bytes().splitlines())
    with (
        job(config, state, 1) as running,
        process(serve, tmp_path / "serve.log", TEST_TOKEN=TOKEN),
        process([prometheus, "--config.file", str(scraped), *words], tmp_path / "prometheus.log"),
    ):
        api = f"http://127.0.0.1:{port}/api/v1"

        def live(number: int) -> None:
            assert running.poll() is None, "the job ended: " + (tmp_path / "state.log").read_text()[-2000:]
            say(kafka_address, prefix, number)
            recall(serve_port)

        empty = unanswered(api, live)
        assert not empty, f"no data for {empty}\n" + (tmp_path / "state.log").read_text()[-1000:]
        for kind in ("alert", "record"):
            found = asked(f"{api}/rules?type={kind}")["data"]["groups"]
            assert [rule["name"] for group in found for rule in group["rules"] if rule["health"] == "err"] == []
        for rule in rules("alerts.yml"):
            assert asked(f"{api}/query", query=rule["expr"])["status"] == "success", rule["alert"]
        for name in ("factstream_job_workers", "factstream_http_requests_total"):
            values = asked(f"{api}/label/job/values?" + urllib.parse.urlencode({"match[]": name}))["data"]
            assert values == ["factstream" if "job" in name else "factstream-serve"]
        for path, text in (("/health/live", b"live"), ("/health/ready", b"ready")):
            with urllib.request.urlopen(f"http://127.0.0.1:{job_port}{path}") as answer:
                assert text in answer.read()


def unanswered(api: str, live: Callable[[int], object]) -> list[str]:
    """The queries that still have no data when all should have; fails at once on one that cannot be asked."""
    waiting = [query for query in queries() if not any(name in query for name in MAY_BE_EMPTY)]
    numbers = itertools.count()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while waiting and time.monotonic() < deadline:
        live(next(numbers))
        time.sleep(PACE_SECONDS)
        try:
            answers = {query: asked(f"{api}/query", query=query) for query in waiting}
        except OSError:
            continue  # Prometheus is not up yet
        for query, answer in answers.items():
            assert answer["status"] == "success", f"{query}: {answer['error']}"
        waiting = [query for query, answer in answers.items() if not has_number(answer["data"]["result"])]
    return waiting


def has_number(result: list[dict[str, Any]]) -> bool:
    """Whether a panel would show something: a quantile of nothing is a row too, but NaN."""
    return any(row["value"][1] != "NaN" for row in result)
