"""Tokens from the configuration, and sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.serve.tokens import Principal, Sessions, Tokens, read_tokens
from flows.settings import Serve, ServeToken, Settings, SettingsError, load

SECRET = "a-secret-of-some-length"


def given(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "factstream.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, {})


def test_tokens_come_from_the_environment_and_from_files(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a-secret-in-a-file-123\nthe rest is no token\n")
    settings = given(
        tmp_path,
        '[serve.tokens]\nsupport = { tenant = "acme", access = "full", env = "SUPPORT" }\n'
        f'agent = {{ file = "{tmp_path / "token"}" }}\n',
    )
    tokens, made = read_tokens(settings.serve, {"SUPPORT": f" {SECRET} "}, "default")
    assert made is None
    assert tokens.find(SECRET) == Principal("support", "acme", "full")
    assert tokens.find("a-secret-in-a-file-123") == Principal("agent", "default", "write")
    assert tokens.find("support") is None
    assert tokens.find("") is None


def test_without_tokens_one_is_made_for_this_host_alone() -> None:
    tokens, made = read_tokens(Serve(), {}, "acme")
    assert made
    assert tokens.find(made) == Principal("local", "acme", "full")
    assert read_tokens(Serve(), {}, "acme")[1] != made
    with pytest.raises(SettingsError, match=r"serve\.tokens"):
        read_tokens(Serve(host="0.0.0.0"), {}, "acme")


@pytest.mark.parametrize(
    ("token", "environ", "told"),
    [
        (ServeToken(env="MISSING"), {}, "MISSING is not set"),
        (ServeToken(env="SHORT"), {"SHORT": "abc"}, "has 3 characters, expected at least 16"),
        (ServeToken(file="/nowhere/token"), {}, "/nowhere/token cannot be read"),
    ],
)
def test_a_secret_that_cannot_be_used_is_named(token: ServeToken, environ: dict[str, str], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        read_tokens(Serve(tokens={"a": token}), environ, "default")


def test_two_tokens_with_one_secret_are_refused() -> None:
    serve = Serve(tokens={"a": ServeToken(env="A"), "b": ServeToken(env="B", tenant="other")})
    with pytest.raises(SettingsError, match="have one secret"):
        read_tokens(serve, {"A": SECRET, "B": SECRET}, "default")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[serve.tokens]\na = { tennant = "x", env = "A" }\n', "tennant"),
        ('[serve.tokens]\na = { tenant = "x/y", env = "A" }\n', "tenant"),
        ('[serve.tokens]\na = { access = "all", env = "A" }\n', "access"),
        ('[serve.tokens]\na = { tenant = "x" }\n', "neither of env and file"),
        ('[serve.tokens]\na = { env = "A", file = "b" }\n', "both of env and file"),
        ("[serve]\nport = 0\n", "serve.port"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told) as error:
        given(tmp_path, text)
    assert "\n" not in str(error.value)


def test_access_goes_from_reading_to_writing_to_all() -> None:
    who = {access: Principal("a", "t", access) for access in ("read", "write", "full")}
    assert [who["read"].may(access) for access in ("read", "write", "full")] == [True, False, False]
    assert [who["write"].may(access) for access in ("read", "write", "full")] == [True, True, False]
    assert [who["full"].may(access) for access in ("read", "write", "full")] == [True, True, True]


def test_a_session_is_its_principals_until_it_is_over_and_cannot_be_forged() -> None:
    who = Principal("a.b/ü", "t", "read")
    tokens = Tokens({"a": (SECRET, who)})
    sessions = Sessions(tokens, 10, key=b"k" * 32)
    cookie = sessions.open(who, 1_000.0)
    assert sessions.find(cookie, 1_000.0 + 599) == who
    assert sessions.find(cookie, 1_000.0 + 600) is None
    for forged in ("", "x", "a.b.c.d", cookie[:-1] + ("0" if cookie[-1] != "0" else "1"), "9" + cookie):
        assert sessions.find(forged, 1_000.0) is None
    assert Sessions(tokens, 10, key=b"o" * 32).find(cookie, 1_000.0) is None
    assert Sessions(Tokens({}), 10, key=b"k" * 32).find(cookie, 1_000.0) is None, "the token is gone"


def test_a_forms_token_is_of_one_session() -> None:
    who = Principal("a", "t", "read")
    sessions = Sessions(Tokens({"a": (SECRET, who)}), 10)
    one, two = sessions.open(who, 0.0), sessions.open(who, 0.0)
    assert sessions.is_form_token(one, sessions.form_token(one))
    assert not sessions.is_form_token(two, sessions.form_token(one))
    assert not sessions.is_form_token(one, "")
