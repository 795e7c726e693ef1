"""Limits and headers of every request and answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flows.serve.app import make_app, make_serving
from flows.serve.limits import Buckets
from flows.serve.tokens import Tokens
from flows.settings import Serve, Settings, load
from tests.flows.serve.conftest import SECRETS, Served, bearer


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[TestClient]:
    """A server with small limits, where no memory is yet."""
    settings: Settings = replace(
        load(None, {}), serve=Serve(request_bytes_max=1_000, rate_per_second=0.001, burst=3, wait_seconds=0.0)
    )
    serving = make_serving(settings, tmp_path / "state", None, Tokens(SECRETS))
    with TestClient(make_app(serving), raise_server_exceptions=False) as client:
        yield client


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    buckets = Buckets(2.0, 2)
    assert [buckets.take("a", 0.0) for _ in range(3)] == [0.0, 0.0, 0.5]
    assert buckets.take("a", 0.5) == 0.0
    assert buckets.take("a", 0.5) == 0.5
    assert buckets.take("b", 0.5) == 0.0


def test_buckets_are_never_more_than_their_bound() -> None:
    buckets = Buckets(0.001, 1, keys_max=2)
    for key in ("a", "b", "c"):
        assert buckets.take(key, 0.0) == 0.0
    assert buckets.take("c", 0.0) > 0
    assert buckets.take("a", 0.0) == 0.0, "the least recent was let go"


def test_a_token_over_its_rate_is_429_and_told_when_to_come_back_and_others_are_not(narrow: TestClient) -> None:
    answers = [narrow.get("/v1/users", headers=bearer("read")) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [503, 503, 503, 429]
    assert answers[3].json()["code"] == "too_many_requests"
    assert int(answers[3].headers["retry-after"]) > 0
    assert narrow.get("/v1/users", headers=bearer("rival")).status_code == 503


def test_guessing_tokens_is_slowed_down(served: Served) -> None:
    statuses = [
        served.client.get("/v1/users", headers={"authorization": f"Bearer guess-number-{n:09d}"}).status_code
        for n in range(60)
    ]
    assert set(statuses) == {401, 429}


def test_a_request_over_the_size_is_413_whether_its_length_is_announced_or_not(narrow: TestClient) -> None:
    announced = narrow.post("/v1/recall", headers=bearer("read"), json={"user_id": "a", "query": "x" * 2_000})
    assert (announced.status_code, announced.json()["code"]) == (413, "too_large")
    pieces = (b'{"user_id": "a", "query": "' + b"x" * 600, b"x" * 600 + b'"}')
    headers = {**bearer("full"), "content-type": "application/json"}
    streamed = narrow.post("/v1/recall", headers=headers, content=iter(pieces))
    assert (streamed.status_code, streamed.json()["code"]) == (413, "too_large")


def test_before_there_is_a_memory_it_is_alive_and_not_ready(narrow: TestClient) -> None:
    assert narrow.get("/health/live").status_code == 200
    ready = narrow.get("/health/ready")
    assert (ready.status_code, ready.json()["code"]) == (503, "unavailable")
    assert "run the job once" in ready.json()["detail"]
    assert narrow.get("/v1/users", headers=bearer("read")).json()["detail"] == ready.json()["detail"]


def test_every_answer_forbids_sniffing_framing_and_caching(served: Served) -> None:
    for path in ("/health/live", "/v1/users", "/nowhere", "/review/login"):
        headers = served.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"


def test_a_page_of_another_origin_cannot_use_a_token(served: Served) -> None:
    for extra in ({"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}):
        assert served.client.get("/v1/users", headers={**bearer("read"), **extra}).status_code == 403
    own = {**bearer("read"), "origin": "http://testserver", "sec-fetch-site": "same-origin"}
    assert served.client.get("/v1/users", headers=own).status_code == 200


def test_an_error_nobody_foresaw_is_told_without_its_inside(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise RuntimeError("the inside")

    monkeypatch.setattr("flows.serve.actions.facts", broken)
    answer = served.get("/v1/users/ana/facts")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "the inside" not in answer.text
