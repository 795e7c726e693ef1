"""mem0's shapes, as its clients send and read them."""

from __future__ import annotations

import pytest

from flows.serve.filters import Wanted, wanted_of
from flows.serve.problems import ProblemError
from tests.flows.serve.conftest import Served

BEES = {"role": "user", "content": "I keep bees in the garden."}


def test_add_learns_from_messages_with_what_was_said_before_them(served: Served) -> None:
    messages = [
        {"role": "assistant", "content": "Do you live in Faro?"},
        {"role": "user", "content": "Yes, exactly."},
    ]
    answer = served.post("/mem0/v1/memories/", {"user_id": "m-add", "messages": messages}, "write").json()
    assert [(each["event"], each["memory"]) for each in answer["results"]] == [("ADD", "User lives in Faro")]
    assert served.facts("m-add")[0]["id"] == answer["results"][0]["id"]


def test_add_without_inference_keeps_the_words(served: Served) -> None:
    body = {"user_id": "m-raw", "messages": "Meet on Mondays", "infer": False}
    [result] = served.post("/mem0/memories", body).json()["results"]
    assert result["memory"] == "Meet on Mondays"


def test_add_in_the_latest_shape_gives_an_event_to_ask_for(served: Served) -> None:
    body = {"filters": {"user_id": "m-v3"}, "messages": [BEES]}
    queued = served.post("/mem0/v3/memories/add/", body).json()
    assert queued["status"] == "PENDING"
    event = served.get(f"/mem0/v1/event/{queued['event_id']}/").json()
    assert event["status"] == "SUCCEEDED"
    assert [each["event"] for each in event["results"]] == ["ADD"]
    assert served.get(f"/mem0/v1/event/{queued['event_id']}/", "rival").status_code == 404


def test_get_all_and_search_in_each_versions_shape(served: Served) -> None:
    filters = {"filters": {"AND": [{"user_id": "ana"}, {"run_id": "*"}]}}
    listed = served.get("/mem0/v1/memories/?user_id=ana").json()
    assert {"id", "memory", "user_id", "metadata", "categories", "created_at", "updated_at"} <= listed[0].keys()
    assert served.post("/mem0/v2/memories/", filters).json() == listed
    assert served.get("/mem0/memories?user_id=ana").json() == {"results": listed}
    paged = served.post("/mem0/v3/memories/?page=1&page_size=1", filters).json()
    assert (paged["count"], paged["results"], paged["previous"]) == (len(listed), listed[:1], None)
    assert paged["next"]
    found = served.post("/mem0/v3/memories/search/", {"query": "where does she live?", "top_k": 1, **filters}).json()
    [best] = found["results"]
    assert "Porto" in best["memory"]
    assert best["score"] > 0
    asked = {"query": "where does she live?", "user_id": "ana", "limit": 1}
    assert served.post("/mem0/v1/memories/search/", asked).json() == [best]
    assert served.post("/mem0/v1/memories/search/", {**asked, "output_format": "v1.1"}).json() == {"results": [best]}
    assert served.post("/mem0/search", asked).json() == {"results": [best]}
    assert served.post("/mem0/search", {**asked, "threshold": 0.999}).json() == {"results": []}


def test_a_memory_is_read_deleted_and_its_history_kept(served: Served) -> None:
    """F1"""
    fact_id = served.remember("m-del", "I juggle.")["events"][0]["fact"]["id"]
    assert served.get(f"/mem0/v1/memories/{fact_id}/").json()["memory"] == "I juggle."
    assert served.client.request(
        "DELETE", f"/mem0/v1/memories/{fact_id}/", headers={"authorization": "Token write-token-0123456789"}
    ).json() == {"message": "Memory deleted successfully!"}
    assert served.get(f"/mem0/v1/memories/{fact_id}/").status_code == 404
    assert served.get("/mem0/v1/memories/?user_id=m-del").json() == []
    rows = served.get(f"/mem0/v1/memories/{fact_id}/history/").json()
    assert [(row["event"], row["old_memory"], row["new_memory"]) for row in rows] == [
        ("ADD", None, "I juggle."),
        ("DELETE", "I juggle.", None),
    ]


def test_history_tells_an_update_with_what_was_before(served: Served) -> None:
    fact = served.fact("ana", "Porto")
    rows = served.get(f"/mem0/memories/{fact['id']}/history").json()
    assert [(row["event"], row["old_memory"]) for row in rows] == [("ADD", None), ("UPDATE", "User lives in Lisbon")]


def test_all_of_a_user_is_deleted_by_who_may(served: Served) -> None:
    """F6"""
    for path in ("/mem0/v1/memories/?user_id=m%2Fall", "/mem0/v2/entities/user/m%2Fall/"):
        served.remember("m%2Fall", "I fence.")
        refused = served.client.request("DELETE", path, headers={"x-api-key": "write-token-0123456789"})
        assert refused.status_code == 403
        done = served.client.request("DELETE", path, headers={"x-api-key": "full-token-0123456789"})
        assert done.status_code == 200
        assert served.facts("m%2Fall", status="all") == []


def test_ping_and_entities(served: Served) -> None:
    assert served.get("/mem0/v1/ping/").json()["org_id"] == "acme"
    named = {each["name"] for each in served.get("/mem0/v1/entities/").json()["results"]}
    assert {"ana", "team/bo"} <= named


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [BEES]},
        {"user_id": "x", "messages": []},
        {"user_id": "x", "messages": [{"role": "user"}]},
        {"filters": {"OR": [{"user_id": "x"}]}, "messages": [BEES]},
        {"filters": {"user_id": "x", "colour": "red"}, "messages": [BEES]},
    ],
)
def test_what_cannot_be_understood_is_400_with_the_reason(served: Served, body: dict[str, object]) -> None:
    answer = served.post("/mem0/v1/memories/", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_an_unknown_role_is_422_as_the_job_would_refuse_it(served: Served) -> None:
    body = {"user_id": "x", "messages": [{"role": "ghost", "content": "boo"}]}
    assert served.post("/mem0/v1/memories/", body).status_code == 422


def test_filters_narrow_by_agent_run_category_and_date() -> None:
    given = {
        "AND": [
            {"user_id": {"in": ["ana"]}},
            {"agent_id": "chef"},
            {"categories": {"in": ["fact"]}},
            {"created_at": {"gte": "2026-03-01", "lte": "2026-03-31"}},
        ]
    }
    wanted = wanted_of(given, {"user_id": None, "agent_id": None, "run_id": "c1"})
    assert wanted == Wanted(
        "ana",
        "chef",
        "c1",
        frozenset({"fact"}),
        (("created_at", "gte", "2026-03-01"), ("created_at", "lte", "2026-03-31")),
    )
    row = {
        "agent_id": "chef",
        "kind": "fact",
        "first_said_at": "2026-03-31T23:00:00Z",
        "sources": [{"conversation_id": "c1"}],
    }
    assert wanted.fits(row)
    assert wanted.fits({**row, "agent_id": None})
    for changed in (
        {"agent_id": "other"},
        {"kind": "opinion"},
        {"first_said_at": "2026-04-01T00:00:00Z"},
        {"sources": [{"conversation_id": "c2"}]},
    ):
        assert not wanted.fits({**row, **changed})


def test_two_users_in_one_filter_are_refused() -> None:
    with pytest.raises(ProblemError, match="given twice"):
        wanted_of({"AND": [{"user_id": "a"}, {"user_id": "b"}]}, {})
    with pytest.raises(ProblemError, match="user_id is missing"):
        wanted_of({"user_id": "*"}, {})
