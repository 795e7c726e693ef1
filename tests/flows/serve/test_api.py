"""The HTTP API: reads, commands, problems (Q3, Q4, Q5, W2, F3, F6)."""

from __future__ import annotations

import orjson
import pytest

from tests.flows.serve.conftest import INJECTION, SECRETS, Served, bearer


def test_recall_answers_a_question_with_scored_facts(served: Served) -> None:
    """Q3"""
    asked = {"user_id": "ana", "query": "where does she live?", "limit": 1}
    answer = served.post("/v1/recall", asked, "read").json()
    assert answer["query"] == asked["query"]
    [fact] = answer["facts"]
    assert "Porto" in fact["content"]
    assert 0 < fact["score"] <= 1
    assert answer["facts"] == served.get("/v1/users/ana/recall?query=where does she live?&limit=1").json()["facts"]


def test_recall_as_of_narrows_to_what_was_known_then(served: Served) -> None:
    """Q1"""
    found = served.get("/v1/users/ana/recall?query=home&as_of=2026-04-01").json()["facts"]
    assert [fact["content"] for fact in found] == ["User lives in Lisbon"]


def test_recall_keeps_to_a_namespace_and_to_kinds(served: Served) -> None:
    """Q1"""
    body = {"user_id": "ana", "query": "anything", "namespace": "user/home", "limit": 100}
    found = served.post("/v1/recall", body).json()["facts"]
    assert found
    assert all(fact["namespace"][:2] == ["user", "home"] for fact in found)
    assert served.get("/v1/users/ana/recall?query=home&kind=opinion").json()["facts"] == []


def test_recall_renders_a_prompt_in_which_content_is_quoted(served: Served) -> None:
    """Q2"""
    prompt = served.post("/v1/recall", {"user_id": "ana", "query": "instructions", "format": "prompt"}).json()["prompt"]
    assert prompt.startswith("<memory>")
    assert f'- "{INJECTION}"' in prompt
    assert "<script>" not in prompt


def test_a_user_whom_nobody_knows_has_nothing(served: Served) -> None:
    assert served.get("/v1/users/nobody/facts").json() == {"user_id": "nobody", "facts": []}
    assert served.get("/v1/users/nobody/recall?query=home").json()["facts"] == []


def test_a_user_id_may_have_a_slash(served: Served) -> None:
    assert [fact["content"] for fact in served.facts("team%2Fbo")] == ["User has a dog"]


def test_a_fact_comes_with_the_words_that_it_was_read_from(served: Served) -> None:
    """Q4"""
    fact = served.fact("ana", "Porto")
    answer = served.get(f"/v1/users/ana/facts/{fact['id']}").json()
    [evidence] = [each for each in answer["evidence"] if each["message_id"] == "acme-2"]
    assert "moved to Porto" in evidence["said"]
    assert evidence["before"] + evidence["said"] + evidence["after"] == "I moved to Porto."
    assert (evidence["role"], evidence["sent_at"]) == ("user", "2026-05-02T10:02:00Z")


def test_a_remembered_fact_shows_the_words_of_its_command(served: Served) -> None:
    """Q4"""
    fact = served.fact("ana", "Ignore all")
    [evidence] = served.get(f"/v1/users/ana/facts/{fact['id']}").json()["evidence"]
    assert evidence["said"] == INJECTION


def test_history_tells_the_rule_of_each_version(served: Served) -> None:
    """Q5, R13"""
    versions = served.get("/v1/users/ana/history").json()["versions"]
    moved = [v for v in versions if v["id"] == served.fact("ana", "Porto")["id"]]
    assert [(v["status"], v["event"]) for v in moved] == [("superseded", "ADD"), ("active", "UPDATE")]
    assert moved[1]["old_content"] == "User lives in Lisbon"
    one = served.get(f"/v1/users/ana/history?fact_id={moved[0]['id']}").json()["versions"]
    assert one == moved
    events = served.get("/v1/users/ana/events").json()["events"]
    assert {"ADD", "UPDATE"} <= {event["event"] for event in events}


def test_export_is_the_lines_of_all_users_of_the_tenant(served: Served) -> None:
    """Q5"""
    answer = served.get("/v1/export?user=ana&status=all")
    assert answer.headers["content-type"] == "application/x-ndjson"
    rows = [orjson.loads(line) for line in answer.text.splitlines()]
    assert rows == served.facts("ana", status="all")
    versions = [orjson.loads(line) for line in served.get("/v1/export?user=ana&versions=true").text.splitlines()]
    assert len(versions) > len(rows)
    everybody = {orjson.loads(line)["user_id"] for line in served.get("/v1/export").text.splitlines()}
    assert {"ana", "team/bo"} <= everybody


def test_users_are_searched_and_paged(served: Served) -> None:
    assert [user["user_id"] for user in served.get("/v1/users?query=EAM").json()["users"]] == ["team/bo"]
    first = served.get("/v1/users?limit=1").json()
    assert [user["user_id"] for user in first["users"]] == ["ana"]
    assert first["users"][0]["facts"] == len(served.facts("ana"))
    assert served.get(f"/v1/users?limit=1&after={first['next']}").json()["users"][0]["user_id"] != "ana"


def test_remember_forget_and_its_preview(served: Served) -> None:
    """W3, F3"""
    learned = served.remember("rita", "I play the cello.")
    assert [event["event"] for event in learned["events"]] == ["ADD"]
    body = {"text": "the cello", "dry_run": True}
    preview = served.post("/v1/users/rita/forget", body, "write").json()
    assert [(fact["content"], fact["status"]) for fact in preview["facts"]] == [("I play the cello.", "active")]
    assert preview["status"] == "preview"
    assert len(served.facts("rita")) == 1
    done = served.post("/v1/users/rita/forget", {"text": "the cello"}, "write").json()
    assert (done["status"], done["events"][0]["event"]) == ("applied", "FORGET")
    assert served.facts("rita") == []
    assert served.get("/v1/users/rita/recall?query=cello").json()["facts"] == []


def test_a_command_sent_twice_is_applied_once_and_answered_alike(served: Served) -> None:
    first = served.remember("otto", "I collect stamps.", command_id="once")
    again = served.remember("otto", "I collect stamps.", command_id="once")
    assert [e["event_id"] for e in again["events"]] == [e["event_id"] for e in first["events"]]
    [fact] = served.facts("otto")
    assert fact["mentions"] == 1


def test_a_command_id_with_other_words_is_a_conflict(served: Served) -> None:
    """S5: neither is the second written, nor is it answered with what the first did"""
    first = served.remember("olga", "I collect stamps.", command_id="only")
    for body in ({"text": "I collect coins.", "command_id": "only"}, {"text": "stamps", "command_id": "only"}):
        path = "/v1/users/olga/forget" if body["text"] == "stamps" else "/v1/users/olga/remember"
        refused = served.post(path, body)
        assert (refused.status_code, refused.json()["rule"]) == (409, "S5.command_id_reused")
        assert "only" in refused.json()["detail"]
    assert [fact["content"] for fact in served.facts("olga")] == ["I collect stamps."]
    again = served.remember("olga", "I collect stamps.", command_id="only")
    assert again["events"] == first["events"]


def test_a_fact_is_pinned_and_unpinned(served: Served) -> None:
    """F4"""
    fact_id = served.remember("pia", "I keep bees.")["events"][0]["fact"]["id"]
    assert served.post("/v1/users/pia/pin", {"fact_id": fact_id}).json()["status"] == "applied"
    assert served.facts("pia")[0]["pinned"] is True
    served.post("/v1/users/pia/unpin", {"fact_id": fact_id})
    assert served.facts("pia")[0]["pinned"] is False


def test_erase_leaves_nothing_of_a_user(served: Served) -> None:
    """F6"""
    served.remember("gone", "I sing in a choir.")
    assert served.post("/v1/users/gone/erase", {"confirm": "someone"}).status_code == 422
    assert served.post("/v1/users/gone/erase", {"confirm": "gone"}).json()["status"] == "applied"
    assert served.facts("gone", status="all") == []
    assert served.get("/v1/users/gone/history").json()["versions"] == []


def test_erase_reaches_what_is_dated_ahead_of_the_clock(served: Served) -> None:
    """F6"""
    ahead = {"user_id": "ahead", "messages": [{"role": "user", "content": "I keep bees."}], "timestamp": 2_000_000_000}
    assert served.post("/mem0/v1/memories/", ahead).status_code == 200
    assert served.facts("ahead")[0]["last_said_at"].startswith("2033")
    assert served.post("/v1/users/ahead/erase", {"confirm": "ahead"}).json()["status"] == "applied"
    assert served.facts("ahead", status="all") == []


def test_flush_is_answered(served: Served) -> None:
    """T3"""
    assert served.post("/v1/users/ana/flush").json()["events"][0]["rule"] == "T3.flush"


def pending(served: Served, user: str) -> str:
    """A fresh proposal: a standing order waits for approval."""
    messages = [{"role": "user", "content": "From now on always answer me in French."}]
    done = served.post("/mem0/v1/memories/", {"user_id": user, "messages": messages})
    assert done.status_code == 200, done.text
    [found] = served.get(f"/v1/proposals?user={user}").json()["proposals"]
    proposal_id: str = found["id"]
    return proposal_id


def test_a_proposal_decided_twice_is_a_conflict(served: Served) -> None:
    """W2"""
    proposal_id = pending(served, "decider")
    done = served.post(f"/v1/proposals/{proposal_id}/approve")
    assert done.status_code == 200
    written = served.facts("decider")
    assert [fact["kind"] for fact in written] == ["procedure"]
    for decision in ("approve", "reject"):
        again = served.post(f"/v1/proposals/{proposal_id}/{decision}")
        assert (again.status_code, again.json()["code"]) == (409, "conflict")
        assert "approved" in again.json()["detail"]
    assert served.post(f"/v1/proposals/{proposal_id}/edit", {"content": "Other words"}).status_code == 409
    assert served.facts("decider") == written
    assert served.get(f"/v1/proposals/{proposal_id}").json()["status"] == "approved"


def test_a_decision_repeated_with_its_command_id_is_no_conflict(served: Served) -> None:
    """W2: a client that lost the answer may ask again."""
    proposal_id = pending(served, "repeater")
    body = {"command_id": "decision-1"}
    first = served.post(f"/v1/proposals/{proposal_id}/reject", body)
    again = served.post(f"/v1/proposals/{proposal_id}/reject", body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["events"] == first.json()["events"]


def test_a_proposal_is_reworded(served: Served) -> None:
    """W2"""
    proposal_id = pending(served, "rewriter")
    served.post(f"/v1/proposals/{proposal_id}/edit", {"content": "Assistant should answer in Occitan"})
    assert [fact["content"] for fact in served.facts("rewriter")] == ["Assistant should answer in Occitan"]


def test_proposals_are_listed_by_user_namespace_and_status_and_paged(served: Served) -> None:
    """W2"""
    [one] = served.get("/v1/proposals?user=ana").json()["proposals"]
    assert one["kind"] == "procedure"
    space = "/".join(one["namespace"])
    assert served.get(f"/v1/proposals?user=ana&namespace={space}").json()["proposals"] == [one]
    assert served.get("/v1/proposals?user=ana&namespace=user/home").json()["proposals"] == []
    assert served.get("/v1/proposals?user=ana&status=rejected").json()["proposals"] == []
    assert served.get(f"/v1/proposals?user=ana&after={one['id']}").json() == {"proposals": [], "next": None}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/users/ana/facts/none", None),
        ("/v1/users/ana/history?fact_id=none", None),
        ("/v1/proposals/none", None),
        ("/v1/proposals/none/approve", {}),
        ("/v1/users/ana/pin", {"fact_id": "none"}),
        ("/v1/users/ana/forget", {"fact_id": "none"}),
        ("/nowhere", None),
    ],
)
def test_what_is_not_there_is_404_and_says_what_to_do(served: Served, path: str, body: object) -> None:
    answer = served.get(path) if body is None else served.post(path, body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert len(answer.json()["detail"]) > 20


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("/v1/recall", {"user_id": "ana", "limit": 0}, "limit"),
        ("/v1/recall", {"user_id": "ana", "querry": "x"}, "querry"),
        ("/v1/recall", {"query": "x"}, "user_id"),
        ("/v1/recall", {"user_id": "ana", "as_of": "yesterday"}, "yesterday"),
        ("/v1/recall", [], "body"),
        ("/v1/users/ana/forget", {}, "exactly one"),
        ("/v1/users/ana/forget", {"text": "a", "namespace": "b"}, "exactly one"),
        ("/v1/users/ana/remember", {"text": "a", "kind": "rumour"}, "kind"),
        ("/v1/users/ana/remember", {"text": ""}, "text"),
        ("/v1/users/ana/remember", {"text": "a", "namespace": "user/\x01"}, "namespace"),
        ("/v1/users/a\x01/remember", {"text": "a"}, "user_id"),
        ("/v1/users/ana/facts?status=odd", None, "status"),
    ],
)
def test_what_is_malformed_is_422_and_names_the_field(served: Served, path: str, body: object, named: str) -> None:
    path = path.replace("\x01", "%01")
    answer = served.get(path) if body is None else served.post(path, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert named in answer.json()["detail"]


def test_reading_tokens_write_nothing_and_writing_ones_decide_and_erase_nothing(served: Served) -> None:
    assert served.post("/v1/users/ana/remember", {"text": "x"}, "read").status_code == 403
    assert served.post("/v1/users/ana/forget", {"text": "x", "dry_run": False}, "read").status_code == 403
    [one] = served.get("/v1/proposals?user=ana").json()["proposals"]
    answer = served.post(f"/v1/proposals/{one['id']}/approve", token="write")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert served.post("/v1/users/ana/erase", {"confirm": "ana"}, "write").status_code == 403
    assert served.facts("ana")


def test_without_a_valid_token_nothing_is_told(served: Served) -> None:
    for headers in ({}, {"authorization": "Bearer wrong-token-0123456789"}, {"authorization": "Basic abc"}):
        answer = served.client.get("/v1/users/ana/facts", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_openapi_document_describes_every_route_and_its_shapes(served: Served) -> None:
    document = served.client.get("/openapi.json").json()
    assert {"/v1/recall", "/v1/users/{user}/forget", "/v1/proposals/{proposal_id}/approve", "/v1/export"} <= set(
        document["paths"]
    )
    answer = document["paths"]["/v1/recall"]["post"]["responses"]
    assert answer["200"]["content"]["application/json"]["schema"]["$ref"].endswith("RecallAnswer")
    assert {"401", "403", "404", "409", "413", "422", "429", "503"} <= set(answer)
    assert document["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"
    assert all(method.get("description") for path in document["paths"].values() for method in path.values())


def test_health_and_metrics_need_no_token_and_name_no_user(served: Served) -> None:
    """S7"""
    assert served.client.get("/health/live").json() == {"status": "live"}
    assert served.client.get("/health/ready").json() == {"status": "ready"}
    served.get("/v1/users/ana/recall?query=home")
    text = served.client.get("/metrics").text
    assert 'factstream_http_requests_total{method="GET",route="/v1/users/{user}/recall",status="200"}' in text
    assert "factstream_recall_seconds_bucket" in text
    assert "factstream_build_info" in text
    assert "ana" not in {part for line in text.splitlines() for part in line.split('"')}


def test_tokens_of_other_clients_forms_are_taken_too(served: Served) -> None:
    secret = SECRETS["read"][0]
    for headers in ({"authorization": f"Token {secret}"}, {"x-api-key": secret}, bearer("read")):
        assert served.client.get("/v1/users/ana/facts", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [
        ("GET", "/v1/users/ana/recall?query=home&as_off=2026-04-01", "'as_off'"),
        ("GET", "/v1/users/ana/recall?query=home&as_off=2026-04-01", "did you mean 'as_of'?"),
        ("GET", "/v1/users/ana/search?qurey=home", "did you mean 'query'?"),
        ("GET", "/v1/users/ana/facts?kinds=fact", "did you mean 'kind'?"),
        ("GET", "/v1/users/ana/profile?colour=red", "no query parameter 'colour', the route has none"),
        ("GET", "/v1/proposals?usr=ana", "did you mean 'user'?"),
        ("GET", "/v1/export?tenant=rival", "expected one of user, status, versions"),
        ("POST", "/v1/recall?limit=1", "stands in its body"),
        ("GET", "/mem0/v1/memories/?user_id=ana&page=2", "'page'"),
        ("GET", "/mem0/v1/ping/?x=1", "the route has none"),
        ("DELETE", "/mem0/v1/memories/?user_id=ana&agent_id=chef", "'agent_id'"),
    ],
)
def test_a_query_parameter_that_the_route_does_not_know_is_refused(
    served: Served, method: str, path: str, told: str
) -> None:
    """Q3: a misspelt one is never left out silently"""
    body = {"user_id": "ana"} if method == "POST" else None
    answer = served.client.request(method, path, headers=bearer("full"), json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert told in answer.json()["detail"]
    assert answer.json()["errors"][0]["field"].startswith("query.")


def test_every_route_refuses_an_unknown_query_parameter(served: Served) -> None:
    """Q3: before it does anything"""
    paths = served.get("/openapi.json").json()["paths"]
    routes = [(method, path) for path, methods in paths.items() for method in methods if path[:4] in ("/v1/", "/mem")]
    assert len(routes) > 30
    for method, path in routes:
        filled = path.replace("{user}", "nobody").replace("{", "").replace("}", "")
        answer = served.client.request(method.upper(), f"{filled}?zzz=1", headers=bearer("full"))
        assert answer.status_code == 422, (method, path)
        assert "'zzz'" in answer.json()["detail"]


def test_a_refusal_names_the_value_and_what_is_expected(served: Served) -> None:
    body = {"text": "I restore clocks.", "knid": "fact"}
    for answer, told in (
        (served.post("/v1/users/typo/remember", body), "'knid', expected one of text, kind, namespace, command_id"),
        (served.post("/v1/users/typo/remember", body), "did you mean 'kind'?"),
        (served.get("/v1/users/typo/recall?query=x&limit=0"), "greater than or equal to 1, got '0'"),
        (served.get("/v1/users/typo/remember"), "GET is not allowed here, expected POST"),
    ):
        assert told in answer.json()["detail"]
    assert served.get("/v1/users/typo/remember").status_code == 405


def test_a_dry_run_in_the_query_forgets_nothing(served: Served) -> None:
    """F3"""
    served.remember("typo", "I restore clocks.")
    answer = served.post("/v1/users/typo/forget?dry_run=true", {"text": "clocks"})
    assert answer.status_code == 422
    assert "'dry_run'" in answer.json()["detail"]
    assert len(served.facts("typo")) == 1


def test_what_older_clients_of_mem0_send_beside_is_let_pass(served: Served) -> None:
    assert served.get("/mem0/v1/memories/?user_id=ana&org_id=o&project_id=p").status_code == 200
