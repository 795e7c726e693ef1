"""What in a message is not the user speaking for themselves (X7, X10): quotes, pastes, role play, fiction, injections.

A mask is a span of the message that teaches nothing. Cheap substring tests stand before each costly search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from models.wording.lexicon import INSTRUMENTS, is_occupation
from models.wording.lists import mentions, wordset


@dataclass(frozen=True, slots=True)
class Mask:
    """Characters [start, end) that are not evidence, and why: quote, paste, code, log, mail, role_play, fiction,
    task_payload or injection."""

    start: int
    end: int
    reason: str


def masked_spans(text: str) -> tuple[Mask, ...]:
    """The masked spans of a message, in order, not overlapping; where two overlap, the injection's reason wins."""
    return _merged(sorted(_found(text), key=lambda mask: (mask.start, -mask.end)))


def overlaps(masks: tuple[Mask, ...], start: int, end: int) -> bool:
    """Whether any masked character lies in [start, end)."""
    return any(mask.start < end and start < mask.end for mask in masks)


_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_TRIPLE = re.compile(r"\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|<<<.*?(?:>>>|\Z)|\[\[.*?\]\]", re.DOTALL)
_TAGGED = re.compile(r"<(\w[\w-]*)(?:\s[^<>]*)?>.*?(?:</\1>|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_QUOTED_LINES = re.compile(r"^[ \t]*>.*(?:\n[ \t]*>.*)*", re.MULTILINE)
_MAIL = re.compile(
    r"^(?:-{2,}\s*(?:original|forwarded) message.*|begin forwarded message.*|(?:from|to|subject|sent|cc|"
    r"date):[ \t]\S.*\n"
    r"(?:from|to|subject|sent|cc|date):[ \t].*|on .{4,60} wrote:)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_SALUTATION = re.compile(
    r"^(?:dear|hi|hello) [^\n]{1,40},\s*\n[\s\S]*?\n(?:best|kind regards|regards|sincerely|cheers|thanks|"
    r"yours)[^\n]*(?:\n[^\n]{1,40})?",
    re.IGNORECASE | re.MULTILINE,
)
_LOG_LINE = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*|\[?\d\d:\d\d:\d\d\]?.*|(?:\w+\.)?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|"
    r"FATAL|TRACE)\b[ :\[].*|"
    r"Traceback \(most recent.*|\s+File \".*|\s+at [\w$.<>]+\(.*|Exception in thread.*|Caused by:.*|"
    r"[\w.]*(?:Error|Exception): .*|npm ERR!.*|"
    r"(?:\$|#|>>>|%|PS>) \S.*|\s*(?:def|class|import|from \w+ import|function|const|let|var|public|private|"
    r"return|SELECT|INSERT|#include|package)\b.*[;:{(=].*|"
    r"\s*[{}\[\]]+[,;]?\s*|\s*[\"'][\w-]+[\"']\s*:.*|.*[;{]\s*)$",
    re.MULTILINE,
)
_COMMENT_LINE = re.compile(r"^[ \t]*(?:#|//|/\*|\*(?!\w)|--).*$", re.MULTILINE)
_LOG_SIGNS = frozenset(":;{}()[]$#>%=")
_LOG_WORDS = ("ERROR", "WARN", "INFO", "DEBUG", "FATAL", "TRACE", "Exception in", "npm ERR", "File ")
_LABELLED_TURN = re.compile(
    r"^[ \t]*(?:\[[\d:, /-]+\]\s*)?(?!https?:)[A-Z][\w .'-]{0,24}(?: \([^)]*\))?:[ \t]+\S.*$", re.MULTILINE
)
_QUOTE = re.compile(
    r"\"([^\"\n]+)\"|“([^”\n]+)[”\"]|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」]+)」|"
    r"(?<![\w'’])['‘]([^'’\n]{12,}(?:\w['’]\w[^'’\n]*)*)['’](?!\w)"
)
_OPENS_QUOTE = re.compile(r"[\"“„«「]|['‘](?<![\w'’].)")
_SPEECH_BEFORE = re.compile(
    r"(?:\b(?:said|says|say|wrote|writes|write|told \w+|tells? \w+|texted|text|replied|asked|answered|goes|"
    r"went|shouted|yelled|tweeted|posted|"
    r"commented|reads?|message|email|note|quote|reply|request is|lyrics?|titled|translates?|"
    r"mean)\b[^.!?\"]{0,40}[:,]?|:)\s*$",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|im|my|me|we|our|you|your)\b", re.IGNORECASE)
_UNQUOTED_SPEECH = re.compile(
    r"\b(?:boss|manager|wife|husband|friend|mate|partner|mom|mum|dad|sister|brother|colleague|teacher|doctor|"
    r"he|she|they|someone|client|customer|[A-Z][a-z]+) "
    r"(?:said|says|wrote|writes|texted me|texted|replied|goes|messaged me|messaged|emailed me|emailed|told me|"
    r"posted|tweeted)\s*(?:back|this|the following)?\s*:\s*(?![\s\"“„«])(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
# "My flatmate goes I am out of milk": what is told in the first person is the other's.
_TOLD_AS_I = re.compile(
    r"\b(?:my|our|the|this|some) [\w-]+(?: [\w-]+)? (?:(?:goes|went)[\s,:]+(?=(?:i|i['’]m|im|my|we)\b)|"
    r"(?:(?:was|is|be) (?:like|all))[\s,:]+(?=(?:i|i['’]m|im)\b))(.+?)(?=[.!?\n]|$)",
    re.IGNORECASE,
)
# "He says, quote, I quit, unquote": the marks are spoken.
_SPOKEN_MARKS = re.compile(
    r"\bquote\b(?! ?/? ?unquote)[\s,:…]+.{3,}?\b(?:un|end[- ]?(?:of )?)quote\b", re.IGNORECASE | re.DOTALL
)
_AS_I_GATE = ("goes", "went", " like ", " all ")
_SPEECH_GATE = ("said", "says", "wrote", "writes", "texted", "repl", "goes", "messag", "email", "told", "post", "tweet")
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)|\n")

_AT_START = r"(?:^|(?<=[.!?\n:;,] )|(?<=\n)|\b(?:please|now|so|ok|hi|hello) )"
_ROLE_PLAY = re.compile(
    r"\b(?:(?:i want|i would like|i'd like|i need) you to (?:act|behave|pretend|role-?play|play|be|respond as|"
    r"talk like|speak as|speak like|answer as)|"
    r"(?:can|could|will|would) (?:you|we) (?:please )?(?:act|behave|pretend|role-?play|pose)|"
    r"let'?s (?:role-?play|play a game|pretend|imagine)|"
    r"role-?play(?:ing)? (?:as|a|with|where|scenario|time|:)|you (?:will|are going to|must) (?:act|play|"
    r"be playing|pretend)\b|"
    r"i(?:'ll| will) (?:play|be) the |i(?:'m| am) playing (?:the|a) (?:role|part)|in (?:this|the|my) (?:game|"
    r"story|scenario|role-?play|campaign|dream),? (?:i|i['’]m|im|i['’]ve|ive|my|we)\b|"
    r"in (?:my|our|this|the) (?:new )?(?:novel|short story|story|script|screenplay|stage play|comic|manga|graphic "
    r"novel|fanfic\w*|"
    r"manuscript|screenplay|libretto),? (?:the|a|an|my|there|one|two|he|she|they|everyone|(?-i:[A-Z])\w+)\b|"
    r"\b(?:the|my) (?:hero|heroine|protagonist|antagonist|villain|narrator|main character|love "
    r"interest)\b[^.!?\n]*\b(?:novel|"
    r"story|script|screenplay|comic|manga|book)\b|"
    r"from now on,? you are (?:a|an|the|my)|you play (?:a|an|the|as) )|"
    + _AT_START
    + r"(?:(?:act|behave|pose|respond|answer|speak|talk) (?:as|like)(?: if)? (?:a|an|my|the|you|you're|i|i'm|we)\b|"
    r"(?:pretend|imagine)(?: that)? (?:you|you're|to be|i|i'm|we|we're)\b|"
    r"assume the role of|take on the role of|play the (?:role|part) of|your role is|(?:you are|"
    r"you're) (?:now )?(?:a|an|the|my) [^.!?\n]{3,100}(?:[.!?]\s+|,\s+|\s+and\s+)(?:your (?:task|job|role|"
    r"goal)|you (?:will|must|should|are (?:tasked|asked|given))|i(?:'ll| will) (?:give|ask|provide|be|play|"
    r"type|send)))|"
    r"(?<!\w)\*[a-z][^*\n]{4,}\*(?!\w)|"
    r"\b(?:stay|remain|keep|be) in character\b|\byou(?: are|['’]re|r| r)? (?:narrating|the narrator|the (?:dm|gm|"
    r"dungeon master|game ?master))\b|\byou narrate\b|"
    r"\blet['’]?s (?:do|have|run|start|try|play|act out|practi[sc]e|rehearse) (?:(?:an?|the|some|another|our|this|out|"
    r"quick|little|short) )*(?:mock|pretend|make-believe|imaginary|fictional|fantasy|improv\w*|skit|scene|"
    r"role[- ]?play|rpg|dnd|d&d|(?:text[- ])?adventure|quest|murder mystery)\b|"
    r"\b(?:you(?: are|['’]re)|youre|u (?:r|are)) now (?:(?:the|my) )?(?-i:[A-Z])\w+|"
    + _AT_START
    + r"(?:(?:text|fantasy|dungeon|interactive)[- ]adventure|role[- ]?play|rpg|improv|make-believe)(?: (?:time|game|"
    r"mode|scene|session|again))?\s*(?:[.!:\n]|$)",
    re.IGNORECASE | re.MULTILINE,
)
# "You're a vet, I'm a dog owner", "you be the judge and I play the thief": each is given a part.
_PARTS = re.compile(
    r"\b(?:you(?: are|['’]re)|youre|u r|u are|you(?:['’]ll| will)? (?:be|play)|u be|u play) (?:now )?"
    r"(?P<yours>(?:an?|the|my) [^.!?;\n,]{2,80}?)\s*(?:[;,]|\band\b|\bwhile\b)\s*(?:and |while )?"
    r"(?:i(?: am|['’]m|m)|i(?:['’]ll| will)? (?:be|play)) (?:an?|the|your|mr|mrs|ms|dr|miss|lord|lady|king|queen|"
    r"captain|detective)\b\.? (?P<mine>[\w'’-]+)",
    re.IGNORECASE,
)
_PARTS_TURNED = re.compile(
    r"\b(?:i(?: am|['’]m|m)|i(?:['’]ll| will)? (?:be|play)) (?:an?|the|your) [^.!?;\n]{2,60}?,? (?:and|while) "
    r"(?:you(?: are|['’]re| r)|youre|u r|u are|you (?:be|play)) (?:an?|the|my) (?P<yours>[^.!?;\n,]{2,40})",
    re.IGNORECASE,
)
_NO_PART = re.compile(
    r"\b(?:best|only|one|first|last|real|reason|same|boss|friend|expert|assistant|bot|ai|model)\b", re.IGNORECASE
)
_I_PLAY_PART = re.compile(
    r"\b(?:you(?: are|['’]re)|youre|u r|u are|you (?:be|play))\b[^.!?\n]{3,100}?(?:[,;]|\band\b|\bwhile\b)\s*(?:and )?i"
    r"(?:['’]ll| will)? (?:play|be) (?:the|an?|your) (?P<part>[\w'’-]+(?: [\w'’-]+)?)",
    re.IGNORECASE,
)
_PART_ENDS = re.compile(r"\b(?:of|for|at|in|from|with|who|on|to|called|named)\b", re.IGNORECASE)
_HELPERS = ("assistant", "agent", "model", "specialist", "expert", "coach", "tutor", "planner")
_LETTERS = re.compile(r"[a-z]+")
_ROLE_GATE = (
    "act",
    "pretend",
    "imagine",
    "play",
    "you are",
    "you're",
    "behave",
    "pose",
    "role",
    "*",
    "you to",
    "in this ",
    "in the story",
    "in the game",
    "in the scenario",
    "in my ",
    "campaign",
    "dream",
    "be the ",
    "respond as",
    "speak",
    "answer as",
    "talk",
    "novel",
    "story",
    "script",
    "screenplay",
    "comic",
    "manga",
    "fanfic",
    "libretto",
    "in character",
    "narrat",
    "the dm",
    "the gm",
    "master",
    "let's",
    "let’s",
    "lets ",
    " and you",
    " while you",
    " and u ",
    "u r ",
    "u are",
    "youre",
    "you’re",
    "adventure",
    "rpg",
    "improv",
    "believe",
)
_MAKE_WORDS = wordset(
    """
    write compose draft create generate make come invent craft produce rewrite tell give describe sing design develop
    prepare
    """
)
_MAKE = (
    r"(?:write|compose|draft|create|generate|make up|come up with|invent|craft|produce|rewrite|tell|give|describe|sing|"
    r"design|develop|prepare|make)"
)
_WORK = (
    r"(?:poems?|story|stories|haikus?|limericks?|songs?|lyrics|rap|verse|sonnets?|ballad|essays?|emails?|"
    r"mails?|letters?|bio|biography|dialogues?|dialogs?|scripts?|"
    r"screenplays?|scenes?|novels?|chapters?|paragraphs?|blog ?posts?|posts?|articles?|tweets?|captions?|"
    r"jokes?|riddles?|speech|toast|monologues?|personas?|"
    r"characters?|conversations?|reviews?|summary|slogans?|tag ?lines?|fairy ?tales?|tales?|fables?|plots?|"
    r"ads?|advertisements?|product descriptions?|resume|cv|"
    r"cover letters?|press releases?|statements?|texts?|messages?|sentences?|diary|journal entr(?:y|ies)|"
    r"parod(?:y|ies)|fan ?fiction|backstory|profiles?|quotes?|examples?|outlines?|quiz|questions?|headlines?|"
    r"titles?|essay|wedding vows|obituary|eulogy)"
)
_FICTION = re.compile(
    rf"(?:^|(?<=[.!?\n,:;] )|(?<=\n)|\b(?:can|could|would|will) you (?:please )?|\bplease |\bhelp me (?:to )?|"
    rf"\b(?:i want|i need|i would like|i'd like) (?:you )?to |\bhelp (?:me )?)"
    rf"{_MAKE}\b[^.!?\n]{{0,60}}?\b{_WORK}\b",
    re.IGNORECASE | re.MULTILINE,
)
_WORK_WORDS = wordset(
    """
    poem poems story stories haiku haikus limerick limericks song songs lyrics rap verse sonnet sonnets ballad essay
    essays email emails mail mails letter letters bio biography dialogue dialogues dialog dialogs script scripts
    screenplay screenplays scene scenes novel novels chapter chapters paragraph paragraphs post posts blogpost blogposts
    article articles tweet tweets caption captions joke jokes riddle riddles speech toast monologue monologues persona
    personas character characters conversation conversations review reviews summary slogan slogans line lines tagline
    taglines tale tales fairytale fairytales fable fables plot plots ad ads advertisement advertisements description
    descriptions resume cv release releases statement statements text texts message messages sentence sentences diary
    entry entries parody parodies fiction fanfiction backstory profile profiles quote quotes example examples outline
    outlines quiz question questions headline headlines title titles vows obituary eulogy
    """
)
_FICTION_TO_END = re.compile(
    r"first[- ]person|from the (?:perspective|point of view|pov)|as if you|as though you|in the voice of|"
    r"in the style of|starts? with|beginning with|using the following|based on|following|:\s*$",
    re.IGNORECASE,
)
_TASK_VERB = (
    r"(?:translate|summari[sz]e|proofread|paraphrase|rephrase|reword|rewrite|correct|fix|edit|improve|classify|"
    r"analy[sz]e|parse|extract|convert|format|explain|"
    r"shorten|expand|complete|continue|finish|check|review|grade|evaluate|answer|read|debug|refactor|"
    r"transcribe|identify|detect|determine|label|tag|count|sort|polish|respond to|reply to|"
    r"what does|how do (?:you|i) say|how would you say|what is the meaning of|is the (?:sentiment|tone)|"
    r"tell me (?:if|whether|the sentiment))"
)
_TASK_PAYLOAD = re.compile(
    rf"(?:^|(?<=[.!?\n] )|(?<=\n)|\b(?:can|could|would|will) you (?:please )?|\bplease |\bhelp me (?:to )?|"
    rf"\bi (?:want|need) (?:you )?to ){_TASK_VERB}\b[^\n:]{{0,120}}?(?::\s*|\n)",
    re.IGNORECASE | re.MULTILINE,
)
_LABELLED_PAYLOAD = re.compile(
    r"^\s*(?:input|output|text|sentence|sentences|abstract|review|passage|context|article|paragraph|document|"
    r"question|q|dialogue|dialog|conversation|tweet|premise|hypothesis|"
    r"statement|email|code|story|example|instruction|prompt|user|human|assistant|transcript|comment|post|title|"
    r"description)\s*\d*\s*:\s",
    re.IGNORECASE | re.MULTILINE,
)
_INJECTION = re.compile(
    r"\b(?:ai|assistant|system|chatgpt|gpt|claude|llm|bot|model|memory|agent)[ \w]{0,20}\s*[:,>]\s*(?:please |"
    r"you must |now )?(?:remember|store|save|note|record|memori[sz]e|add|update|forget|delete|ignore|treat)\b|"
    r"\b(?:ignore|disregard|override|bypass|forget)(?: about)? (?:all |any )?(?:of )?(?:your|the|my|previous|"
    r"prior|earlier|above|all|any|these|those|safety|system)(?: \w+){0,2} (?:rules?|instructions?|prompts?|"
    r"guidelines?|polic(?:y|ies)|restrictions?|training)\b|"
    r"\b(?:remember|store|save|note|record|memori[sz]e|add|write|put)\b[^.!?\n]{0,40}?\b(?:for|to|about|of|"
    r"under|on) (?:the )?(?:user|account|customer|profile of|memory of) ?\w*\b(?= (?:that|a|an|as)\b|:)|"
    r"\b(?:remember|store|save|note|record|memori[sz]e|add to (?:your )?memory|"
    r"update (?:your )?memory)\b[^.!?\n]{0,25}? (?:that )?(?:the|this|current|every|all|each) users?\b|"
    r"\b(?:begin|end|new) (?:system|memory|hidden) (?:prompt|instructions?|update|entry)\b|<\|?(?:system|"
    r"im_start|memory)\|?>|\[(?:system|memory|inst)\b[^\]]*\]|"
    r"\bmemory (?:update|entry|write|injection)\s*:|\b(?:insert|inject|write) (?:this |the following )?(?:into|"
    r"to|in) (?:your |the |long-term )*memory\b",
    re.IGNORECASE,
)
_INJECTION_GATE = (
    "ignore",
    "disregard",
    "override",
    "bypass",
    "remember",
    "store",
    "save",
    "note",
    "record",
    "memor",
    "forget",
    "system",
    "inst",
    "delete",
    "treat",
    "update",
    "insert",
    "inject",
    "put ",
    "write",
    "add ",
)


def _found(text: str) -> Iterator[Mask]:
    marks, lowered = frozenset(text), text.lower()
    if "`" in marks or "~~~" in text:
        yield from _spans(_FENCE, text, "code")
        yield from _spans(_INLINE_CODE, text, "code")
    if '"""' in text or "'''" in text or "<<<" in text or "[[" in text:
        yield from _spans(_TRIPLE, text, "paste")
    if "</" in text:
        yield from _spans(_TAGGED, text, "paste")
    yield from _pasted_lines(text, marks)
    if _OPENS_QUOTE.search(text):
        yield from _quotes(text)
    yield from _frames(text, lowered, marks)
    if mentions(lowered, _INJECTION_GATE):
        for found in _INJECTION.finditer(text):
            yield Mask(found.start(), _block_end(text, found.end()), "injection")


def _spans(pattern: re.Pattern[str], text: str, reason: str) -> Iterator[Mask]:
    for found in pattern.finditer(text):
        yield Mask(found.start(), found.end(), reason)


def _pasted_lines(text: str, marks: frozenset[str]) -> Iterator[Mask]:
    if ">" in marks:
        yield from _spans(_QUOTED_LINES, text, "quote")
    if "\n" not in marks:
        if (not marks.isdisjoint(_LOG_SIGNS) or mentions(text, _LOG_WORDS)) and _LOG_LINE.match(text):
            yield Mask(0, len(text), "log")
        return
    mail = _MAIL.search(text)
    if mail:
        yield Mask(mail.start(), len(text), "mail")
    yield from _spans(_SALUTATION, text, "mail")
    lines = list(_spans(_LOG_LINE, text, "log"))
    yield from lines
    if lines:
        yield from _spans(_COMMENT_LINE, text, "code")
    turns = list(_LABELLED_TURN.finditer(text))
    if len(turns) >= 2:
        yield Mask(turns[0].start(), turns[-1].end(), "paste")
    payload = _LABELLED_PAYLOAD.search(text)
    if payload:
        yield Mask(payload.start(), len(text), "task_payload")


def _quotes(text: str) -> Iterator[Mask]:
    for found in _QUOTE.finditer(text):
        inner = next(group for group in found.groups() if group is not None)
        words = len(inner.split())
        # A title or a scare quote is a word or three; what somebody says is longer, or has a speaker before it.
        spoken = words > 3 or _FIRST_PERSON.search(inner) is not None
        if spoken or _SPEECH_BEFORE.search(text, max(0, found.start() - 60), found.start()):
            yield Mask(found.start(), found.end(), "quote")


def _frames(text: str, lowered: str, marks: frozenset[str]) -> Iterator[Mask]:
    if "quote" in lowered:
        yield from _spans(_SPOKEN_MARKS, text, "quote")
    if ":" in marks and mentions(lowered, _SPEECH_GATE):
        for found in _UNQUOTED_SPEECH.finditer(text):
            yield Mask(found.start(1), found.end(), "quote")
    if mentions(lowered, _AS_I_GATE):
        for found in _TOLD_AS_I.finditer(text):
            yield Mask(found.start(1), found.end(), "quote")
    if mentions(lowered, _ROLE_GATE):
        start = _role_play_at(text)
        if start is not None:
            yield Mask(_sentence_start(text, start), len(text), "role_play")
    words = _LETTERS.findall(lowered)
    if not _MAKE_WORDS.isdisjoint(words) and not _WORK_WORDS.isdisjoint(words):
        for found in _FICTION.finditer(text):
            end = _sentence_end(text, found.end())
            to_end = _FICTION_TO_END.search(text, found.start(), end) is not None
            yield Mask(found.start(), len(text) if to_end else end, "fiction")
    if ":" in marks or "\n" in marks:
        payload = _TASK_PAYLOAD.search(text)
        if payload:
            yield Mask(payload.start(), len(text), "task_payload")


def _role_play_at(text: str) -> int | None:
    """Where a message begins to be played: one is told to be somebody, or both are given parts."""
    found = _ROLE_PLAY.search(text)
    if found:
        return found.start()
    given = _PARTS.search(text)
    yours = _PART_ENDS.split(given["yours"], maxsplit=1)[0].strip() if given else ""
    if given and is_occupation(yours) and not yours.lower().endswith(_HELPERS):
        return given.start()
    turned = _PARTS_TURNED.search(text)
    if turned and _NO_PART.search(turned["yours"]) is None:
        return turned.start()
    played = _I_PLAY_PART.search(text)
    if played and INSTRUMENTS.isdisjoint(played["part"].lower().split()):
        return played.start()
    return None


def _sentence_start(text: str, at: int) -> int:
    start = 0
    for found in _SENTENCE_END.finditer(text, 0, at):
        start = found.end()
    while start < at and text[start].isspace():
        start += 1
    return start


def _sentence_end(text: str, at: int) -> int:
    found = _SENTENCE_END.search(text, at)
    return found.end() if found else len(text)


def _block_end(text: str, at: int) -> int:
    blank = text.find("\n\n", at)
    return len(text) if blank < 0 else blank


def _merged(masks: list[Mask]) -> tuple[Mask, ...]:
    merged: list[Mask] = []
    for mask in masks:
        if merged and mask.start < merged[-1].end:
            last = merged[-1]
            reason = "injection" if "injection" in (mask.reason, last.reason) else last.reason
            merged[-1] = Mask(last.start, max(last.end, mask.end), reason)
        else:
            merged.append(mask)
    return tuple(merged)
