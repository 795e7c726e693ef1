"""The review page: what it shows, that it cannot be made to run anything, and that only its own forms change memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest

from tests.flows.serve.conftest import INJECTION, SCRIPT, SECRETS, Served
from tests.flows.serve.test_api import pending


class Page(HTMLParser):
    """What a page is made of: its text, its elements, and its labelled and unlabelled fields."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.labels: set[str] = set()
        self.fields: list[dict[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag == "label":
            self.labels.add(given["for"] or "")
        if tag in ("input", "textarea", "select") and given.get("type") != "hidden":
            self.fields.append(given)

    def handle_data(self, data: str) -> None:
        self.text += data


class Browser:
    """A person who has logged in."""

    def __init__(self, served: Served, token: str) -> None:
        self.client = served.client
        done = self.client.post("/review/login", data={"token": SECRETS[token][0]}, follow_redirects=False)
        assert (done.status_code, done.headers["location"]) == (303, "/review")
        self.cookie = done.headers["set-cookie"]

    def look(self, path: str, status: int = 200) -> Page:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        return Page(answer.text)

    def form_token(self) -> str:
        found = re.search(r'name="form_token" value="(\w+)"', self.client.get("/review").text)
        assert found
        return found[1]

    def send(self, path: str, **given: str) -> Any:
        return self.client.post(path, data={"form_token": self.form_token(), **given}, follow_redirects=False)


@pytest.fixture
def browser(served: Served) -> Iterator[Browser]:
    yield Browser(served, "full")
    served.client.cookies.clear()


PATHS = ("/review", "/review/users/ana", "/review/users/ana/history", "/review/proposals",
         "/review/users/ana/forget?text=home", "/review/users/ana/erase", "/review/users/team%2Fbo")  # fmt: skip


def test_what_is_stored_is_text_and_never_markup(served: Served, browser: Browser) -> None:
    fact = served.fact("ana", "owned")
    for path in ("/review/users/ana", f"/review/users/ana/facts/{fact['id']}", "/review/users/ana/history"):
        page = browser.look(path)
        assert SCRIPT in page.text, path
        assert "script" not in page.tags
        assert "img" not in page.tags
        assert not [name for name in page.attributes if name.startswith("on")]
    assert INJECTION in browser.look("/review/users/ana").text


def test_what_is_asked_is_shown_as_text_too(browser: Browser) -> None:
    asked, named = quote(SCRIPT), quote(SCRIPT, safe="")
    for path in (
        f"/review?query={asked}",
        f"/review/users/ana?query={asked}",
        f"/review/users/{named}",
        f"/review/users/ana/forget?text={asked}",
    ):
        page = browser.look(path)
        assert SCRIPT in page.text, path
        assert "script" not in page.tags


@pytest.mark.parametrize("path", PATHS)
def test_no_page_needs_a_script_or_anything_from_elsewhere(browser: Browser, path: str) -> None:
    answer = browser.client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "style=" not in answer.text
    assert "script" not in Page(answer.text).tags
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', answer.text)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", PATHS)
def test_every_field_has_a_label_and_every_page_a_title_and_one_heading(browser: Browser, path: str) -> None:
    page = browser.look(path)
    assert {str(field.get("id")) for field in page.fields} <= page.labels
    assert page.tags.count("h1") == 1
    assert page.tags.count("title") == 1
    assert page.tags.count("main") == 1
    assert "lang" in page.attributes


def test_style_and_icon_are_served_from_here(served: Served) -> None:
    assert "prefers-color-scheme: dark" in served.client.get("/static/style.css").text
    assert served.client.get("/static/icon.svg").headers["content-type"].startswith("image/svg+xml")
    assert served.client.get("/static/%2e%2e/app.py").status_code == 404


def test_a_user_is_shown_by_namespace_with_confidence_and_pending_proposals(browser: Browser) -> None:
    page = browser.look("/review/users/ana")
    assert "user/home/residence" in page.text
    assert "User lives in Porto" in page.text or "User moved to Porto" in page.text
    assert "meter" in page.tags
    assert "Waiting for a decision (1)" in page.text
    assert "Approve" in page.text


def test_a_fact_shows_its_evidence_in_the_words_of_the_message_and_its_timeline(
    served: Served, browser: Browser
) -> None:
    """Q4"""
    fact = served.fact("ana", "Porto")
    page = browser.look(f"/review/users/ana/facts/{fact['id']}")
    assert "I moved to Porto." in page.text
    assert "mark" in page.tags
    assert "Updated" in page.text
    assert "Learned" in page.text
    assert "User lives in Lisbon" in page.text


def test_asking_shows_what_an_agent_would_get(browser: Browser) -> None:
    assert "What bears on" in browser.look("/review/users/ana?query=where does she live").text


def test_the_page_needs_a_login_and_leads_back_after_it(served: Served) -> None:
    answer = served.client.get("/review/users/ana", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/review/login?next=%2Freview%2Fusers%2Fana")
    given = {"data": {"token": SECRETS["full"][0]}, "follow_redirects": False}
    elsewhere = served.client.post("/review/login", headers={"origin": "https://elsewhere.example"}, **given)
    assert elsewhere.status_code == 403
    wrong = served.client.post("/review/login", data={"token": "nothing-like-it-123"}, follow_redirects=False)
    assert wrong.status_code == 401
    assert "no token of this server" in wrong.text
    right = served.client.post(
        "/review/login", data={"token": SECRETS["full"][0], "next": "//evil.example"}, follow_redirects=False
    )
    assert right.headers["location"] == "/review"
    served.client.cookies.clear()


def test_the_session_is_a_cookie_no_script_or_other_site_can_use(browser: Browser) -> None:
    assert "HttpOnly" in browser.cookie
    assert "SameSite=strict" in browser.cookie
    assert SECRETS["full"][0] not in browser.cookie
    assert browser.client.get("/v1/users").status_code == 401, "the cookie opens the pages, not the API"
    browser.client.cookies.clear()
    assert browser.client.get("/review", follow_redirects=False).status_code == 303


def test_a_form_without_its_sessions_token_changes_nothing(served: Served, browser: Browser) -> None:
    """CSRF"""
    other = "0" * 64
    for given in ({}, {"form_token": other}):
        answer = browser.client.post(
            "/review/users/ana/erase", data={"confirm": "ana", **given}, follow_redirects=False
        )
        assert answer.status_code == 403
    foreign = browser.client.post(
        "/review/users/ana/erase",
        data={"confirm": "ana", "form_token": browser.form_token()},
        headers={"origin": "https://elsewhere.example"},
        follow_redirects=False,
    )
    assert foreign.status_code == 403
    assert served.facts("ana")


def test_a_proposal_is_approved_edited_and_rejected(served: Served, browser: Browser) -> None:
    """W2"""
    for decision, kept in (("approve", True), ("edit", True), ("reject", False)):
        user = f"page-{decision}"
        proposal_id = pending(served, user)
        assert "Waiting for a decision (1)" in browser.look(f"/review/users/{user}").text
        done = browser.send(f"/review/proposals/{proposal_id}", decision=decision, content="Assistant should sing")
        assert done.status_code == 303
        assert ("told=" + {"approve": "approved", "edit": "edited", "reject": "rejected"}[decision]) in done.headers[
            "location"
        ]
        contents = [fact["content"] for fact in served.facts(user)]
        assert bool(contents) is kept
        assert (contents == ["Assistant should sing"]) is (decision == "edit")
        again = browser.send(f"/review/proposals/{proposal_id}", decision="approve")
        assert again.status_code == 409
        assert "only a pending one can be decided" in Page(again.text).text


def test_forget_is_previewed_and_then_done(served: Served, browser: Browser) -> None:
    """F3"""
    served.remember("page-forget", "I brew beer.")
    page = browser.look("/review/users/page-forget/forget?text=beer")
    assert "This would forget 1 fact" in page.text
    assert "I brew beer." in page.text
    assert served.facts("page-forget")
    done = browser.send("/review/users/page-forget/forget", text="beer")
    assert done.headers["location"] == "/review/users/page-forget?told=forgotten"
    assert served.facts("page-forget") == []
    assert "Forgotten. It will not be recalled" in browser.look(done.headers["location"]).text


def test_erase_wants_the_users_id_typed(served: Served, browser: Browser) -> None:
    """F6"""
    served.remember("page%2Ferase", "I brew tea.")
    assert "I brew tea." in browser.look("/review/users/page%2Ferase/erase").text
    assert browser.send("/review/users/page%2Ferase/erase", confirm="page").status_code == 422
    assert served.facts("page%2Ferase")
    done = browser.send("/review/users/page%2Ferase/erase", confirm="page/erase")
    assert done.headers["location"] == "/review?told=erased"
    assert served.facts("page%2Ferase", status="all") == []


def test_a_fact_is_pinned_from_its_page(served: Served, browser: Browser) -> None:
    """F4"""
    fact_id = served.remember("page-pin", "I whistle.")["events"][0]["fact"]["id"]
    done = browser.send("/review/users/page-pin/pin", fact_id=fact_id, pinned="true")
    assert "Pinned." in browser.look(done.headers["location"]).text
    assert served.facts("page-pin")[0]["pinned"] is True


def test_problems_are_pages_too(browser: Browser) -> None:
    page = browser.look("/review/users/ana/facts/none", 404)
    assert "no fact" in page.text
    assert "Not found" in page.text


def test_who_may_only_read_sees_no_buttons_and_is_refused(served: Served) -> None:
    try:
        reader = Browser(served, "read")
        page = reader.look("/review/users/ana")
        assert "Approve" not in page.text
        assert "erase this user" not in page.text
        assert reader.send("/review/users/ana/forget", text="home").status_code == 403
        assert reader.look("/review/users/ana/erase", 403)
    finally:
        served.client.cookies.clear()


def test_logging_out_ends_the_session_in_the_browser(browser: Browser) -> None:
    browser.send("/review/logout")
    assert browser.client.get("/review", follow_redirects=False).status_code == 303


def test_contradictions_are_shown_as_pairs_each_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """R9"""
    memory = served.serving.reading.of("acme")
    [one, two, *_] = memory.facts("ana")
    flagged = [replace(one, contradicts=(two.fact_id,)), replace(two, contradicts=(one.fact_id, "gone"))]
    monkeypatch.setattr(memory, "facts", lambda user, status="active": flagged)
    try:
        page = Browser(served, "read").look("/review/users/ana")
        assert "Contradictions to look at (1)" in page.text
        assert page.text.count("contradicted") == 4, "each in the pair and in its namespace"
        assert "Contradicts" in Browser(served, "read").look(f"/review/users/ana/facts/{one.fact_id}").text
    finally:
        served.client.cookies.clear()


def test_characters_that_turn_or_hide_others_are_shown_by_their_number(served: Served, browser: Browser) -> None:
    """Q2: a stored sentence must not look like another to whoever judges it"""
    served.remember("bidi", "I keep bees \u202edne eht ni\u202c for\u200b fun.", kind="fact")
    text = browser.look("/review/users/bidi").text
    assert "[U+202E]dne eht ni[U+202C] for[U+200B] fun" in text
    assert not {"\u202e", "\u202c", "\u200b"} & set(text)
