"""A token opens one tenant: no route, whatever it is given, tells of another's or changes it."""

from __future__ import annotations

import re
from typing import Any

import anyio
import orjson
import pytest
from mcp import Client

from flows.serve import page, tools
from flows.serve.tokens import Principal
from state.facts import Proposal
from tests.flows.serve.conftest import SECRET_CITY, SECRETS, Served, bearer

_BODIES: dict[str, dict[str, Any]] = {
    "/v1/recall": {"query": "where do they live?", "limit": 100},
    "/v1/users/{user}/remember": {"text": "I was here.", "kind": "fact"},
    "/v1/users/{user}/forget": {"text": SECRET_CITY},
    "/v1/proposals/{proposal_id}/edit": {"content": "Other words"},
    "/mem0/v1/memories/": {"messages": "I was here.", "infer": False},
    "/mem0/memories": {"messages": "I was here.", "infer": False},
    "/mem0/v3/memories/add/": {"messages": "I was here.", "infer": False},
}


def rival_state(served: Served) -> bytes:
    """All that the rival tenant holds, in every version."""
    memory = served.serving.reading.of("rival")
    events = [event.event_id for event in memory.events()]
    return orjson.dumps(
        [sorted(f"{v.fact}" for v, _ in memory.versions()), sorted(map(str, memory.proposals())), events]
    )


@pytest.fixture
def rival(served: Served) -> dict[str, str]:
    """What an outsider might know of the rival: ids of users, of a fact and of a proposal."""
    proposal: Proposal = served.serving.reading.of("rival").proposals(status="pending")[0]
    fact = next(fact for fact in served.facts("ana", "rival") if SECRET_CITY in fact["content"])
    return {"user": "zed", "fact_id": fact["id"], "memory_id": fact["id"], "proposal_id": proposal.proposal_id,
            "event_id": "none"}  # fmt: skip # ids side by side


def calls(served: Served, rival: dict[str, str]) -> list[tuple[str, str, dict[str, Any] | None]]:
    """Every operation of the API with the rival's ids in its path, its query and its body."""
    found = []
    for path, methods in served.client.get("/openapi.json").json()["paths"].items():
        for method, operation in methods.items():
            names = re.findall(r"{(\w+)}", path)
            assert set(names) <= rival.keys(), f"{path}: say what an outsider would try as {names}"
            query = "&".join(f"{p['name']}={rival['user']}" for p in operation.get("parameters", [])
                             if p["in"] == "query" and p["name"] in ("user", "user_id"))  # fmt: skip # one filter
            has_body = "requestBody" in operation
            body = {"user_id": "zed", "filters": {"user_id": "zed"}} if path.startswith("/mem0") else {}
            body |= {"query": "where?"} if "search" in path else {}
            body |= {"user_id": "zed"} if path == "/v1/recall" else {}
            body |= {"fact_id": rival["fact_id"]} if path.endswith("pin") else {}
            body |= {"confirm": "zed"} if path.endswith("erase") else {}
            url = path.format(**rival) + (f"?{query}" if query else "")
            found.append((method.upper(), url, body | _BODIES.get(path, {}) if has_body else None))
    return found


def test_no_route_of_the_api_tells_of_another_tenant_or_changes_it(served: Served, rival: dict[str, str]) -> None:
    before = rival_state(served)
    assert SECRET_CITY in before.decode()
    tried = calls(served, rival)
    assert len(tried) > 40
    for method, url, body in tried:
        answer = served.client.request(method, url, json=body, headers=bearer("full"))
        assert answer.status_code < 500, (method, url, answer.text)
        assert SECRET_CITY not in answer.text.replace(str(body), ""), (method, url)
        if rival["fact_id"] in url or rival["proposal_id"] in url:
            assert answer.status_code in (404, 422), (method, url, answer.text)
    assert rival_state(served) == before


def test_no_page_tells_of_another_tenant_or_changes_it(served: Served, rival: dict[str, str]) -> None:
    before = rival_state(served)
    browser = served.client
    browser.post("/review/login", data={"token": SECRETS["full"][0]})
    try:
        home = browser.get("/review").text
        form_token = re.search(r'name="form_token" value="(\w+)"', home)
        assert form_token
        given = {"form_token": form_token[1], "confirm": "zed", "decision": "approve", "pinned": "true", **rival}
        seen = 0
        for route in page.router.routes:
            url = getattr(route, "path", "").format(**rival)
            for method in sorted(getattr(route, "methods", ())):
                if "log" in url:
                    continue
                query = f"?fact_id={rival['fact_id']}" if url.endswith("forget") else "?query=where"
                answer = browser.request(method, url + (query if method == "GET" else ""), data=given)
                assert answer.status_code < 500, (method, url)
                assert SECRET_CITY not in answer.text, (method, url)
                seen += 1
        assert seen == 11
    finally:
        browser.cookies.clear()
    assert rival_state(served) == before


def test_no_tool_tells_of_another_tenant_or_changes_it(served: Served, rival: dict[str, str]) -> None:
    before = rival_state(served)
    given = {"user_id": "zed", "query": "where?", "text": "I was here.", "decision": "approve", **rival}

    async def walk() -> int:
        server = tools.make_server(served.serving, lambda context: Principal("agent", "acme", "full"))
        async with Client(server) as client:
            listed = (await client.list_tools()).tools
            for tool in listed:
                wanted = tool.input_schema["properties"]
                arguments = {name: value for name, value in given.items() if name in wanted}
                if tool.name == "forget":
                    arguments.pop("text")
                result = await client.call_tool(tool.name, arguments)
                assert SECRET_CITY not in str(result.content), tool.name
                assert SECRET_CITY not in str(result.structured_content), tool.name
            return len(listed)

    assert anyio.run(walk) == 11
    assert rival_state(served) == before


def test_the_rival_itself_sees_what_is_its_own(served: Served) -> None:
    """So that the tests above could fail."""
    assert SECRET_CITY in served.get("/v1/users/ana/recall?query=where", "rival").text
    assert SECRET_CITY in served.get("/v1/proposals", "rival").text
    assert [user["user_id"] for user in served.get("/v1/users", "rival").json()["users"]] == ["ana", "zed"]
