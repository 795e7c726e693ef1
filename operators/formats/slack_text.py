"""Slack's markup in plain words: `<@U1>` is a mention, `<#C1|general>` a channel, `<https://…|here>` a link."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MARKED = re.compile(r"<([^<>]*)>")
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")


def mentioned(text: str) -> tuple[str, ...]:
    """The ids of the users that a text addresses, in order, each once."""
    return tuple(dict.fromkeys(_MENTION.findall(text))) if "<@" in text else ()


def plain(text: str, names: Mapping[str, str]) -> str:
    """The text without markup. A user is shown by the name that `names` has for the id, else by label or id."""
    if "<" in text:
        text = _MARKED.sub(lambda found: _shown(found[1], names), text)
    if "&" in text:
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return text


def _shown(inner: str, names: Mapping[str, str]) -> str:
    target, _, label = inner.partition("|")
    if target.startswith("@"):
        return f"@{names.get(target[1:]) or label.removeprefix('@') or target[1:]}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return label or f"@{target[1:].partition('^')[0]}"
    return label or target.removeprefix("mailto:")
