"""Messages that ask memory itself for something (T3, F3): remember this, forget that, not what only sounds like it."""

from __future__ import annotations

import re

from models import masks
from models.claims import MemoryRequest
from models.wording.lists import mentions

_GATE = (
    "remember", "forget", "memor", "in mind", "note", "future reference", "store", "erase", "delete", "file away",
    "jot ", "worth knowing", "records", "noting",
)  # fmt: skip
_POLITE = (
    r"(?:(?:hey|hi|ok|okay|so|and|also|but|oh|now|well|actually|btw|by the way|alright|right|thanks|sorry|just|"
    r"(?:please|pls) do|please|pls|plz|kindly|assistant|bot|"
    r"can you|could you|would you|will you|can u|could u|you can|you may|you could|you should|you must|"
    r"you have to|you need to|u can|"
    r"(?:(?:may|can|could|might) i (?:please |just )?|i (?:would |must )?)(?:ask|request|beg)(?: (?:you|u))?(?: to)?|"
    r"(?:would|do) you mind|do me a favou?r and|(?:it would be (?:nice|good|great|kind) |i(?:'d| would) (?:be "
    r"(?:glad|grateful|happy) |"
    r"appreciate it ))if you(?: would| could| can)?|i want you to|i would like you to|i'd like you to|i need you to|"
    r"i'd prefer if you|i'd prefer you|"
    r"i would prefer you to|i'd rather you|let's|be sure to|make sure to|make sure you|try to|from now on|"
    r"it's important (?:that you|to)|never mind|nevermind|scratch that|on second thought|actually no|no)[,.!: ]+)*"
)
_NEGATION = r"(?:(?:do not|don'?t|dont|never|please don'?t|not)\s+(?:ever\s+|you ever\s+)?)"
_START = rf"(?:^|(?<=[.!?;\n])\s*|(?<=[,—–-])\s+(?=(?:and |so |but )?(?:please|remember|don'?t|forget)\b))\s*{_POLITE}"
_THAT = (
    r"(?:\s*[:,-]\s*|\s+)(?:the fact\s+)?(?:that\b|this\s*[:,-]|the following\s*[:,-]|"
    r"for (?:me|later|next time|future reference)(?:\s+that\b|\s*[:,-])?|down that\b|down\b)?\s*[:,]?\s*"
)
# "Here's one to remember for later: …"
_ONE_TO_KEEP = (
    r"(?:(?:here(?:'s| is)|this is|there(?:'s| is)|i have|i've got|got) )?(?:one|something|a (?:thing|fact|detail|"
    r"note)|one "
    r"(?:thing|more|more thing)|another(?: one| thing)?)(?: more)? (?:for you )?(?:to (?:remember|note(?: down)?|"
    r"memori[sz]e|store|"
    r"save|keep(?: in mind)?|bear in mind|file away|jot down)|for (?:your|the) (?:memory|notes|records?|file)|worth "
    r"(?:remembering|noting|knowing))(?: (?:for (?:me|later|next time|future reference)|about me))*(?=\s*[:,–—-])"
)
_REMEMBER = re.compile(
    rf"{_START}(?P<verb>{_NEGATION}(?:you\s+)?forget(?: about)?|remember|memori[sz]e|keep in mind|bear in mind|"
    rf"(?:jot|note) (?:this|that|it) down|make a (?:mental )?note(?: of)?|take note(?: of)?|note down|note|"
    rf"for future reference|(?:save|store|add|put|commit)(?: this| it)? (?:in|to|into) (?:your )?memory|"
    rf"remember about me|{_ONE_TO_KEEP})(?P<that>{_THAT})(?P<what>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_ERASE = r"(?:delete|erase|remove|wipe|clear|drop|purge|scrub)"
_FORGET = re.compile(
    rf"{_START}(?P<verb>forget|(?<=mind )forgetting|unremember|stop remembering|stop storing|no longer remember|"
    rf"{_NEGATION}(?:remember|store|keep|memori[sz]e|save)|"
    rf"{_ERASE}(?=[^.!?\n]*\b(?:memory|memories|what you (?:know|remember|"
    rf"have)|you (?:know|remember|have|stored|saved)|your (?:notes|records)))|"
    rf"{_ERASE}(?=\s+(?:the fact that|the (?:fact|memory|memories) (?:about|of)|that) (?:i|i'm|im|i've|ive|my|we|our)\b"
    rf"(?![^.!?\n]* (?:from|in|out of|off) (?:the|my|this|that|a) ))|"
    rf"(?:there'?s )?no need to (?:remember|store|keep|save)|"
    rf"you (?:can|may|should|could|must) (?:now |safely )?(?:forget|stop remembering))"
    rf"(?P<that>(?:\s+(?:everything|all|anything|whatever|what|the stuff|the things))?(?:\s+(?:that\s+)?(?:i|"
    rf"you)(?:'ve| have)?\s+(?:told you|said|mentioned|know|remember|stored|saved|wrote|have))?(?:\s+(?:about|"
    rf"on|regarding|concerning))?(?:\s+the (?:fact|memory|memories)"
    rf"(?= (?:that|about|of)\b)(?: (?:about|of)\b)?)?(?:\s+that\b)?\s*[:,]?\s+)(?P<what>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_END = re.compile(r"[.!?]+(?=\s|$)|\n")
_NOT_TO_REMEMBER = re.compile(
    r"^(?:when|how|what|who|whom|why|where|which|whether|the (?:time|day|night|moment|name of|movie|film|"
    r"song)\b(?!.*\b(?:is|are)\b)|to\b|me\b(?!\s+(?:as|being))|him\b|her\b(?! )|them\b|us\b|it\b|this\b\s*$|"
    r"that\b\s*$|last (?:time|week|year)|those\b|if\b|you\b(?! can)|i (?:said|asked|told|"
    r"mentioned) (?:you )?(?:to|yesterday|about)|about\b(?! me))",
    re.IGNORECASE,
)
_NOT_TO_FORGET = re.compile(
    r"^(?:it|this|that|them|him|her|me|us|to\b.*|(?:how|when|what|where|who|whom|which)\b(?!(?: \w+)? (?:i|i'm|my)\b"
    r"(?! (?:said|asked|mentioned|told|wrote|was going|am going|put|left|meant|wanted to))).*|why\b.*|about it|"
    r"about that|about this|i (?:said|asked|mentioned|told)( you)?( anything| that| it)?|"
    r"(?:your|the|all|any|previous|prior|my previous)\s*(?:previous |prior |earlier |above )?(?:rules?|"
    r"instructions?|prompts?|guidelines?).*|you (?:are|'re)\b.*|the (?:last|previous) (?:question|message|one|"
    r"request).*|my (?:last|previous) (?:question|message|request).*)$",
    re.IGNORECASE,
)
_MEMORY_TAIL = re.compile(
    r"\s+(?:from|in|out of) (?:your|the|all(?: of)? your) (?:memory|memories|notes|records)\b.*$|"
    r"(?:[\s,]+(?:for (?:me|later|next time|future reference)|please|pls|plz|from now on|thanks|thank you|thx|ty|"
    r"cheers|ok|okay|if you can|if you could|will you|would you|will u|would u|right now|for good|tho|mate|lol|"
    r"any ?more|any longer))+\s*$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:about|of|the fact that|that)\s+", re.IGNORECASE)
_EVERYTHING_ABOUT = re.compile(
    r"^\s*(?:everything|all|anything|whatever)\b.*\b(?:about|on|regarding|concerning)\b", re.IGNORECASE
)
_OTHER_USER = re.compile(
    r"\b(?:for|about|of) (?:the )?user \w+|\buser \w+'s\b|^the (?:user|customer|current user)\b", re.IGNORECASE
)


def memory_request(text: str) -> MemoryRequest | None:
    """The request a message makes of memory, or None. `start`/`end` are the characters of what it is about.

    "Don't forget that…" asks to remember; "I always forget…", "remember when…?", "remember to buy milk" ask nothing.
    """
    if not mentions(text.lower(), _GATE):
        return None
    straight = text.replace("’", "'").replace("‘", "'")
    spans = masks.masked_spans(text)
    return _request("remember", _REMEMBER, straight, spans) or _request("forget", _FORGET, straight, spans)


def _request(action: str, pattern: re.Pattern[str], text: str, spans: tuple[masks.Mask, ...]) -> MemoryRequest | None:
    found = pattern.search(text)
    if not found or masks.overlaps(spans, found.start("verb"), found.end("verb")):
        return None
    start = found.start("what")
    ended = _END.search(text, start)
    end = ended.start() if ended else len(text)
    asks = ended is not None and ended[0].startswith("?")
    what = text[start:end]
    tail = _MEMORY_TAIL.search(what)
    if tail:
        end = start + tail.start()
    lead = _LEAD.match(text[start:end])
    if lead:
        start += lead.end()
    what = text[start:end].rstrip(" ,;:")
    end = start + len(what)
    everything = action == "forget" and _EVERYTHING_ABOUT.search(found["that"]) is not None
    if not what or masks.overlaps(spans, start, end) or _OTHER_USER.search(what):
        return None
    polite_question = re.search(
        r"\b(?:can|could|would|will) (?:you|u)\b|\bi (?:please |just )?(?:ask|request|beg)\b",
        found[0][: found.start("what") - found.start()],
        re.IGNORECASE,
    )
    if asks and not polite_question:
        return None
    if everything and what.casefold() in ("me", "myself"):
        start = found.start("that") + len(found["that"]) - len(found["that"].lstrip())
        return MemoryRequest(action, text[start:end], start, end)
    refused = _NOT_TO_REMEMBER if action == "remember" else _NOT_TO_FORGET
    if refused.match(what) or (action == "remember" and len(what.split()) < 2):
        return None
    return MemoryRequest(action, text[start:end], start, end)
