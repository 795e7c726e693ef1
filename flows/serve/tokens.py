"""Who asks: bearer tokens, each of one tenant, compared in constant time; and sessions of people on the review page."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from flows.settings import Serve, ServeToken, SettingsError

SECRET_CHARS_MIN: Final = 16
ACCESS: Final = ("read", "write", "full")
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Principal:
    """Whoever a request comes from: a token's name, its tenant, and what it may do ("read", "write" or "full")."""

    name: str
    tenant: str
    access: str

    def may(self, access: str) -> bool:
        """Whether that much is allowed."""
        return ACCESS.index(self.access) >= ACCESS.index(access)


class Tokens:
    """The known tokens, kept as digests."""

    def __init__(self, secrets_of: Mapping[str, tuple[str, Principal]]) -> None:
        self._known = [(_digest(secret), principal) for secret, principal in secrets_of.values()]
        self._by_name = {principal.name: principal for _, principal in self._known}

    def find(self, secret: str) -> Principal | None:
        """Whose token it is. Every known one is compared, each in constant time."""
        given = _digest(secret)
        found: Principal | None = None
        for digest, principal in self._known:
            if hmac.compare_digest(digest, given):
                found = principal
        return found

    def named(self, name: str) -> Principal | None:
        """The principal of a token's name."""
        return self._by_name.get(name)


def read_tokens(serve: Serve, environ: Mapping[str, str], tenant: str) -> tuple[Tokens, str | None]:
    """The configured tokens, or where there are none, one made now for `tenant`, which is given back to be shown.

    Raises SettingsError for a secret that is missing, too short or used twice, and for an open door without tokens.
    """
    if not serve.tokens:
        if serve.host not in _LOOPBACK:
            raise SettingsError(
                f"serve.host is {serve.host!r} and there are no serve.tokens: whoever reaches it needs a token; add one"
                " to serve.tokens (docs/serve.md), or listen on 127.0.0.1"
            )
        made = secrets.token_urlsafe(24)
        return Tokens({"local": (made, Principal("local", tenant, "full"))}), made
    found: dict[str, tuple[str, Principal]] = {}
    for name, token in serve.tokens.items():
        secret = _secret(name, token, environ)
        if len(secret) < SECRET_CHARS_MIN:
            raise SettingsError(
                f"serve.tokens.{name}: the secret has {len(secret)} characters, expected at least {SECRET_CHARS_MIN};"
                " make one with: python -c 'import secrets; print(secrets.token_urlsafe())'"
            )
        twin = next((other for other, (known, _) in found.items() if known == secret), None)
        if twin is not None:
            raise SettingsError(f"serve.tokens.{name} and serve.tokens.{twin} have one secret; give each its own")
        found[name] = (secret, Principal(name, token.tenant, token.access))
    return Tokens(found), None


def _secret(name: str, token: ServeToken, environ: Mapping[str, str]) -> str:
    if token.env:
        if token.env not in environ:
            raise SettingsError(f"serve.tokens.{name}: the environment variable {token.env} is not set; set it")
        return environ[token.env].strip()
    try:
        lines = Path(token.file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"serve.tokens.{name}: {token.file} cannot be read ({error}); expected a file whose first line is the token"
        ) from None
    return lines[0].strip() if lines else ""


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


class Sessions:
    """Logins to the review page: signed cookies that a restart ends, and the form tokens that go with them.

    A cookie is `name.expiry.nonce.signature`; a form's token is a signature of that cookie, so it is of that login.
    """

    def __init__(self, tokens: Tokens, minutes: int, key: bytes | None = None) -> None:
        self._tokens, self._seconds = tokens, minutes * 60
        self._key = key or secrets.token_bytes(32)

    def open(self, principal: Principal, now: float) -> str:
        """A cookie for a principal who has just shown the token. `now` is seconds since 1970."""
        name = principal.name.encode().hex()
        body = f"{name}.{int(now) + self._seconds}.{secrets.token_hex(8)}"
        return f"{body}.{self._sign('session', body)}"

    def find(self, cookie: str, now: float) -> Principal | None:
        """Whose session it is; None where it is forged, over, or of a token that there is no more."""
        body, _, signature = cookie.rpartition(".")
        if not body or not hmac.compare_digest(signature.encode(), self._sign("session", body).encode()):
            return None
        name, expiry, _ = body.split(".")
        return self._tokens.named(bytes.fromhex(name).decode()) if int(expiry) > now else None

    def form_token(self, cookie: str) -> str:
        """What a form of this session must carry (CSRF)."""
        return self._sign("form", cookie)

    def is_form_token(self, cookie: str, given: str) -> bool:
        """Whether a form was made for this session."""
        return hmac.compare_digest(given.encode(), self.form_token(cookie).encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}:{text}".encode(), sha256).hexdigest()
