"""Addresses of machines and names of people on networks (P2): IP and MAC addresses, handles by which one is reached.

A handle goes where it is given as somebody's own, to find or to write to them: then it is contact data. One that only
addresses somebody in a chat, or that is talked about ("I follow @nasa"), stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

Span = tuple[int, int, str]

_IPV4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])(?=[0-9a-f:]*\d)(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?![\w:])", re.IGNORECASE)
_MAC = re.compile(r"(?<![\w:-])[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?![\w:-])", re.IGNORECASE)
_NETWORK_WORDS = re.compile(
    r"\bips?\b|ipv4|address|server|host|ping|ssh|router|login|logged|network|dns|proxy|subnet|firewall|whitelist|block|"
    r"connect|adresse|://",
    re.IGNORECASE,
)
_VERSION_BEFORE = re.compile(
    r"(?:\bv\.?|\bversions?|\bver\.?|\brelease[sd]?|\bbuild|\bfirmware|\bkernel|\bdrivers?|\bpatch|\bsection|\bchapter|"
    r"\bclause|\bfigure|§)[^.!?\n\d]{0,24}(?:[\d.]+[^.!?\n\d]{1,16})?$",
    re.IGNORECASE,
)
_CHANGE_BEFORE = re.compile(r"\b(?:up|down)(?:grad|dat)\w+[^.!?\n]{0,40}$", re.IGNORECASE)
_OCTET_MIN = 32  # a version hardly has a part over it; most addresses do

_PLATFORM = (
    r"(?:instagram|insta|ig|twitter|tik ?tok|snap(?:chat)?|discord|telegram|skype|reddit|mastodon|bluesky|bsky|threads|"
    r"we ?chat|whats ?app|signal|twitch|steam|psn|xbox|linked ?in|facebook|messenger|youtube|tumblr|pinterest|matrix)"
)
_PLATFORM_SIGNS = (
    "insta", "twit", "tok", "snap", "discord", "telegram", "skype", "reddit", "masto", "sky", "thread", "chat", "whats",
    "signal", "steam", "psn", "xbox", "linked", "facebook", "messeng", "youtube", "tumblr", "pinterest", "matrix",
    "handle", "t.me", " ig ",
)  # fmt: skip
_NAME = r"(?:@[\w.-]*\w|(?=\w)[\w:./-]*[\d_.:#/](?:[\w.:#/-]*\w)?)"
_HANDLE = re.compile(
    rf"(?:\b(?:my|our|his|her|their|mein\w*|mon|ma|mi)\s(?:[\w-]+\s)?{_PLATFORM}\b(?:\s(?:handle|user ?name|name|id|"
    rf"account|"
    r"profile|nick\w*|tag))?(?:\s(?:is|heißt|ist|lautet|es|est)|['’]s|:)?\s*|"
    rf"\b(?:add|find|follow|dm|message|msg|reach|contact|text|hit)\s(?:me|us|her|"
    rf"him)\b[^.!?\n@]{{0,24}}?\b{_PLATFORM}\b"
    r"(?:,?\s(?:at|as|under|with))?(?:,?\s(?:the\s|my\s)?(?:user ?name|handle|name|id))?[\s:,]+|"
    r"\b(?:i['’]?m|i am|i go by|i use|call myself)\s(?=@)|\b(?:handle|user ?name)\b(?:\s(?:is|ist|on \w+ is)|['’]s|"
    r":)?\s*)"
    rf"(?P<v>{_NAME})",
    re.IGNORECASE,
)
_TAG = re.compile(r"(?<![\w#])[\w.]{2,32}#\d{4}(?!\d)")
_PROFILE = re.compile(
    r"\b(?:linkedin\.com/in|facebook\.com|instagram\.com|twitter\.com|x\.com|tiktok\.com|t\.me|reddit\.com/u(?:ser)?|"
    r"snapchat\.com/add)/(?P<v>@?[\w.-]*\w)",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:my|me|mine|our|us)\b", re.IGNORECASE)


def machines(text: str) -> Iterator[Span]:
    """IP and MAC addresses; versions, netmasks and a machine's own loopback stay."""
    if text.count(".") >= 3:
        told = _NETWORK_WORDS.search(text) is not None
        for found in _IPV4.finditer(text):
            if _is_address(found[0]) and not _is_version(text, found, told):
                yield (*found.span(), "network_address")
    if text.count(":") >= 3:
        for found in _IPV6.finditer(text):
            groups = [group for group in found[0].split(":") if len(group) >= 3]
            if len(groups) >= 2 and _is_address(found[0]):
                yield (*found.span(), "network_address")
    if text.count(":") >= 5 or text.count("-") >= 5:
        yield from ((*m.span(), "network_address") for m in _MAC.finditer(text))


def handles(text: str, lowered: str) -> Iterator[Span]:
    """Names by which somebody says that they are reached on a network."""
    for sign in _PLATFORM_SIGNS:  # a plain loop: half the time of any() over a generator
        if sign in lowered:
            break
    else:
        return
    yield from ((*m.span("v"), "handle") for m in _HANDLE.finditer(text))
    if "#" in text and "discord" in lowered:
        yield from ((*m.span(), "handle") for m in _TAG.finditer(text))
    if ".com/" in lowered or "t.me/" in lowered:
        yield from ((*m.span("v"), "handle") for m in _PROFILE.finditer(text) if _OWN.search(text))


def _is_address(written: str) -> bool:
    try:
        address = ip_address(written)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or address.is_multicast or written.startswith("255."))


def _is_version(text: str, found: re.Match[str], told: bool) -> bool:
    """Whether four numbers are a version or a section; small ones are an address only beside its words."""
    before = max(0, found.start() - 60), found.start()
    if _VERSION_BEFORE.search(text, *before):
        return True
    large = any(int(octet) >= _OCTET_MIN for octet in found[0].split("."))
    return (not large or bool(_CHANGE_BEFORE.search(text, *before))) and not told
