"""The MCP server, as the SDK's own client sees it: in memory, and over streamable HTTP (Q3)."""

from __future__ import annotations

from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient

from flows.serve import tools
from flows.serve.tokens import Principal
from tests.flows.serve.conftest import INJECTION, SCRIPT, Served, bearer
from tests.flows.serve.test_api import pending


def call(served: Served, name: str, access: str = "full", **arguments: Any) -> Any:
    """A tool's structured result; its error's words where it failed."""

    async def ask() -> Any:
        server = tools.make_server(served.serving, lambda context: Principal("agent", "acme", access))
        async with Client(server) as client:
            result = await client.call_tool(name, arguments)
            if result.is_error:
                return result.content[0].text  # type: ignore[union-attr] # errors are told in text
            return result.structured_content

    return anyio.run(ask)


def test_the_tools_are_those_an_agent_needs_and_say_which_only_read(served: Served) -> None:
    async def listed() -> dict[str, bool]:
        server = tools.make_server(served.serving, lambda context: Principal("agent", "acme", "read"))
        async with Client(server) as client:
            found = (await client.list_tools()).tools
            assert all(tool.description for tool in found)
            assert all(tool.input_schema["additionalProperties"] is False for tool in found)
            return {tool.name: bool(tool.annotations and tool.annotations.read_only_hint) for tool in found}

    reading = {"recall_user_facts", "search", "search_messages", "evidence", "profile", "list", "history", "proposals"}
    writing = {"remember", "forget", "decide_proposal"}
    assert anyio.run(listed) == dict.fromkeys(reading, True) | dict.fromkeys(writing, False)


def test_recall_user_facts_gives_a_block_that_no_content_breaks_out_of(served: Served) -> None:
    """Q2, Q3"""
    prompt = call(served, "recall_user_facts", user_id="ana", query="where does she live?", limit=20)["prompt"]
    assert "User lives in Porto" in prompt or "Porto" in prompt
    assert f'"{INJECTION}"' in prompt
    assert "<script>" not in prompt


def test_search_list_and_history(served: Served) -> None:
    """Q1, Q5"""
    [best] = call(served, "search", user_id="ana", query="where does she live?", limit=1)["facts"]
    assert "Porto" in best["content"]
    assert best["score"] > 0
    contents = {fact["content"] for fact in call(served, "list", user_id="ana")["facts"]}
    assert {SCRIPT, INJECTION} <= contents
    versions = call(served, "history", user_id="ana", fact_id=best["id"])["versions"]
    assert [version["revision"] for version in versions] == [1, 2]


def test_evidence_profile_and_messages(served: Served) -> None:
    """Q4, Q7"""
    [fact] = [each for each in served.facts("ana") if "Porto" in each["content"]][:1]
    told = call(served, "evidence", user_id="ana", fact_id=fact["id"])
    assert any(each["said"] for each in told["evidence"])
    assert call(served, "profile", user_id="ana")["profile"]
    found = call(served, "search_messages", user_id="ana", query="where does she live?")["found"]
    assert all(set(each) == {"score", "fact", "turns"} for each in found)


def test_remember_then_preview_then_forget(served: Served) -> None:
    """F3, W3"""
    done = call(served, "remember", "write", user_id="mcp", text="I restore clocks.", kind="fact")
    assert (done["status"], done["events"][0]["event"]) == ("applied", "ADD")
    preview = call(served, "forget", "write", user_id="mcp", text="clocks", dry_run=True)
    assert [fact["content"] for fact in preview["facts"]] == ["I restore clocks."]
    assert call(served, "list", user_id="mcp")["facts"]
    call(served, "forget", "write", user_id="mcp", text="clocks")
    assert call(served, "list", user_id="mcp")["facts"] == []


def test_proposals_are_listed_and_decided_once(served: Served) -> None:
    """W2"""
    proposal_id = pending(served, "mcp-decider")
    assert [p["id"] for p in call(served, "proposals", user_id="mcp-decider")["proposals"]] == [proposal_id]
    assert "full" in call(served, "decide_proposal", "write", proposal_id=proposal_id, decision="approve")
    assert call(served, "decide_proposal", proposal_id=proposal_id, decision="reject")["status"] == "applied"
    assert "only a pending one" in call(served, "decide_proposal", proposal_id=proposal_id, decision="approve")


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("history", {"user_id": "ana", "fact_id": "none"}, "no fact"),
        ("forget", {"user_id": "ana"}, "exactly one"),
        ("search", {"user_id": "ana", "query": "x", "limit": 0}, "limit"),
        ("remember", {"user_id": "ana", "text": ""}, "text"),
        ("forget", {"user_id": "ana", "text": "x", "namespce": "user"}, "'namespce'"),
        ("forget", {"user_id": "ana", "text": "x", "namespce": "user"}, "did you mean 'namespace'?"),
        ("forget", {"user_id": "ana", "text": "x", "preview": True}, "expected one of user_id, text, fact_id"),
        ("list", {"user_id": "ana", "context": {}}, "list has no argument 'context'"),
        ("no_such_tool", {"user_id": "ana"}, "no_such_tool"),
    ],
)
def test_a_tool_that_cannot_says_why(served: Served, name: str, arguments: dict[str, Any], told: str) -> None:
    assert told in call(served, name, **arguments)


def test_a_misspelt_argument_forgets_nothing(served: Served) -> None:
    """F3"""
    served.remember("mcp-typo", "I restore clocks.")
    assert "'dryrun'" in call(served, "forget", "write", user_id="mcp-typo", text="clocks", dryrun=True)
    assert len(served.facts("mcp-typo")) == 1


def test_streamable_http_answers_each_token_with_its_own_tenant(served: Served) -> None:
    async def contents(token: str) -> set[str]:
        transport = httpx2.ASGITransport(served.client.app)
        async with (
            httpx2.AsyncClient(transport=transport, headers=bearer(token)) as http,
            Client(streamable_http_client("http://testserver/mcp", http_client=http)) as client,
        ):
            result = await client.call_tool("list", {"user_id": "ana"})
            return {fact["content"] for fact in result.structured_content["facts"]}

    portal = served.client.portal
    assert portal is not None
    ours, theirs = portal.call(contents, "read"), portal.call(contents, "rival")
    assert ours & theirs == set()
    assert SCRIPT in ours


def test_mcp_needs_a_token_and_refuses_pages_of_other_origins(served: Served) -> None:
    client: TestClient = served.client
    assert client.post("/mcp", json={}).status_code == 401
    foreign = {**bearer("read"), "origin": "https://elsewhere.example"}
    assert client.post("/mcp", json={}, headers=foreign).status_code == 403
