"""Instructions to the assistant and advice from it, as third-person sentences (X9, X10).

"Keep your answers short" → "Assistant should keep answers short"; "you can email me" and "do not email me" come out
with the same object words, so that a permission and its withdrawal meet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.wording.grammar import in_third_person
from models.wording.lists import mentions, wordset
from models.wording.verbs import COMMON, gerund, gerund_base, is_base, is_noun, lemma


@dataclass(frozen=True, slots=True)
class Directive:
    """What the assistant should, may or should not do: `predicate` is instructs, permits or forbids."""

    predicate: str
    content: str
    object: str


_DURABLE = re.compile(
    r"\b(?:from now on|from here on|going forward|in (?:the )?future|always|never|every time|each time|"
    r"whenever|any ?more|anymore|any time|at all times|by default|"
    r"(?:answers?|replies|responses?|explanations?|messages|emojis?|bullet points|bullets|small talk|jargon|"
    r"tone|language)|call me|refer to me|address me|remind me|email me|text me|"
    r"contact me|message me|notify me|ping me|when (?:you|i|we)|before you|after you|unless i|stop \w+ing)\b",
    re.IGNORECASE,
)
_DURABLE_GATE = (
    "now on", "here on", "forward", "future", "always", "never", "time", "whenever", "any more", "anymore", "default",
    "answer", "repl", "respons", "expla", "messag", "emoji", "bullet", "small talk", "jargon", "tone", "language",
    "call me", "to me", "address", "remind", "email", "text me", "contact", "notify", "ping", "when ", "before you",
    "after you", "unless", "stop",
)  # fmt: skip
_FRAME = re.compile(
    r"^(?:(?:from now on|from here on(?: out)?|going forward|in (?:the )?future|for (?:the )?future|also|"
    r"please|pls|kindly|and|so|ok|okay|now|just|hey|assistant|for me|by default|next time|"
    r"when(?:ever)? (?:you (?:answer|reply|respond|write|talk|speak)(?: (?:to )?me)?)|(?:when|in) (?:answering|"
    r"replying|"
    r"responding|writing)(?: (?:to )?me)?|(?:in|for|with|throughout) (?:(?:all|every|each|any|of|the|"
    r"your|our|my|future|further|subsequent) )+(?:answers?|repl(?:y|ies)|responses?|messages?|chats?|"
    r"conversations?)(?: (?:to|with) me)?|"
    r"henceforth|hereafter|(?:starting|as of|from) (?:now|today|this point)(?: on(?:wards?)?)?|at all times|"
    r"with me)[\s,:]+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:from now on|going forward|in (?:the )?future|please|pls|thanks|thank you|any ?more|anymore|"
    r"ever again|again|any longer|ok|okay|if (?:you can|possible|you don't mind)|will you|would you|"
    r"from here on)$",
    re.IGNORECASE,
)
_ANY_TIME = re.compile(
    r"[\s,]+(?:(?:at )?any ?time(?: (?:you|it) (?:like|want|wish|please|suits(?: you)?))?|"
    r"whenever(?: you (?:like|want|wish|please))?|if you (?:like|want)|as often as you like|any ?more)$",
    re.IGNORECASE,
)
_PERMIT = re.compile(
    r"^(?:you (?:can|may|could|are (?:allowed|free|welcome) to)|feel free to|it is (?:ok|okay|fine|"
    r"alright) (?:to|for you to|if you)|i (?:do not|don't) mind (?:if you|you)|i am (?:ok|okay|fine|"
    r"happy) with you|go ahead and|i allow you to)\s+(?:always |also |now |still )?(?P<what>.+)$",
    re.IGNORECASE,
)
_FORBID = re.compile(
    r"^(?:(?:you )?(?:do not|don't|never)(?: ever)?|you (?:must not|must never|should not|should never|cannot|"
    r"can not|may not|are not (?:allowed )?to|need not|do not (?:have|need) to|can no longer|may no longer)|"
    r"no longer|(?:there is )?no need (?:for you )?to|"
    r"i (?:do not|don't|no longer) (?:want|need|wish|expect|like) you to|you no longer (?:need|have) to|"
    r"i (?:would )?(?:prefer|rather)(?: that)? you (?:do not|don't|"
    r"did not|didn't|not)|"
    r"i would (?:prefer|like) (?:it )?(?:if )?you (?:not to|did not|to not)|please do not|avoid|refrain from|"
    r"(?:please )?stop|quit|i (?:do not|don't) like it when you)\s+(?!mind\b)(?:ever |always |"
    r"using |the use of )?(?P<what>.+)$",
    re.IGNORECASE,
)
_RECEIVE = re.compile(
    r"^i (?:no longer|do not|don't) (?:want|wish|need|care) (?:to (?:receive|be sent) )(?:any (?:more "
    r")?)?",
    re.IGNORECASE,
)
_INSTRUCT = re.compile(
    r"^(?:i (?:want|need|would like|expect|ask|prefer) (?:for )?you to|i would (?:prefer|love|"
    r"appreciate) (?:it )?(?:if|that|when|for) you(?: to| could| would)?|i would (?:rather|"
    r"appreciate it if) you|i (?:like|prefer|love) it (?:when|if) you|"
    r"you (?:should|must|need to|have to|ought to|are to|will)|(?:always )?make sure (?:to|that you|you)|"
    r"be sure to|(?:always )?remember to|try to|ensure (?:that )?you)\s+(?P<what>.+)$",
    re.IGNORECASE,
)
# Said of how things are, and to nobody: "you never know", "you should see it", "don't worry".
_NO_ORDER = re.compile(
    r"^(?:you (?:never|do not|don't|must|should|will|can|cannot|need to|have to|are to|may) |never |do not |"
    r"don't )(?:\w+ly |"
    r"even |ever |really |definitely |totally )?(?:know|have|need|want|like|love|see|hear|feel|think|mean|seem|look|"
    r"sound|"
    r"worry|get|be|miss|own|imagine|believe|understand|enjoy|find|come|visit|try|forget|tell me (?:that|you)|spend|"
    r"buy|go|"
    r"blame|care|mind|regret|lose|win|eat|drink|live|work|grow|learn|end up|meet|count|judge|give up|let (?:it|them|"
    r"him|"
    r"her|anyone|people))\b(?! (?:call|email|text|ask|answer|reply|use|more (?:careful|brief|concise)|brief|concise|"
    r"polite|short|formal|honest|back to me))",
    re.IGNORECASE,
)
_IDIOM = re.compile(
    r"^(?:do not|don't|never) (?:quote me|get me (?:wrong|started)|mind (?:me|my)|judge|laugh|hate me|blame me|"
    r"tempt me|"
    r"tell (?:anyone|anybody|my|our|him|her|them|the)\b|make me (?:laugh|cry|blush)|remind me$|worry|panic|"
    r"hold (?:your breath|it against me)|kill me|ask(?: me)?(?: (?:why|how))?$|at me)\b|"
    r"^live (?:there|here|in|at|near|alone)\b",
    re.IGNORECASE,
)
_NO_NOUN = re.compile(r"^no (?:more )?(?P<what>[\w -]+)$", re.IGNORECASE)
_IMPERATIVE = wordset(
    """
    answer ask reply respond keep use write call address refer speak talk be give explain show start end begin
    include add skip format summarise summarize translate check confirm tell remind email text contact message
    notify send list limit stick follow assume treat consider put make double-check cite quote stop avoid
    provide respect spell sign wait let focus mention warn correct suggest recommend think break
    """
)


_CONDITION = re.compile(
    r"^(?P<when>(?:when|whenever|every time|each time|before|after) [^,]{3,60}), (?P<what>.+)$", re.IGNORECASE
)


def directive(text: str, certain: bool) -> Directive | None:
    """The instruction in a plain clause, or None. `certain`: the model reads it as a procedure, so it needs no mark."""
    conditional = _CONDITION.match(text)
    if conditional and not _FRAME.match(text):
        each_time = re.match(r"(?:whenever|every|each)\b", text, re.IGNORECASE) is not None
        inner = directive(conditional["what"], certain or each_time)
        when = in_third_person(conditional["when"], of_user=False)
        when = _as_told(when[:1].lower() + when[1:])
        return inner and Directive(inner.predicate, f"{inner.content} {when}", f"{inner.object} {when}")
    if not certain and not (mentions(text.lower(), _DURABLE_GATE) and _DURABLE.search(text)):
        return None
    framed = _RECEIVE.sub("do not send me ", _FRAME.sub("", text).strip(" ,.!"))
    framed = _trimmed(framed)
    if _IDIOM.match(framed) or (not certain and _NO_ORDER.match(framed)):
        return None
    found = _PERMIT.match(framed)
    if found and re.search(r"\b(?:me|my|us)\b|^(?:use|call|be|ask|remind|speak)", found["what"], re.IGNORECASE):
        return _made("permits", found["what"])
    found = _FORBID.match(framed)
    told = " never " in f" {framed.lower()}" and found and not is_base(found["what"].split()[0])
    if found and not told:
        return _made("forbids", found["what"], verbal=_VERB_FOLLOWS.match(framed) is not None)
    found = _INSTRUCT.match(framed)
    if found:
        return _made("instructs", found["what"])
    found = _NO_NOUN.match(framed)
    if found and certain:
        return Directive("forbids", f"Assistant should not use {found['what']}", found["what"])
    words = framed.split()
    first = next((word.lower() for word in words if word.lower() not in ("always", "only", "just", "please")), "")
    if (
        len(words) >= 2
        and (first in _IMPERATIVE or (certain and lemma(first) == first and first in COMMON))
        and not re.match(r"^(?:i|we|my)\b", framed, re.IGNORECASE)
    ):
        return _made("instructs", framed)
    return None


def _trimmed(text: str) -> str:
    for _ in range(3):
        shorter = _TAIL.sub("", text)
        if shorter == text:
            return text
        text = shorter
    return text


# After these comes a verb, known or not ("don't patronise me"); after "no longer", "stop" and "avoid" often a thing.
_VERB_FOLLOWS = re.compile(
    r"(?!.*?\b(?:no longer|stop|quit|avoid|refrain)\b)(?!never (?!\w+ (?:me|my|us)\b))", re.IGNORECASE
)


def _made(predicate: str, what: str, verbal: bool = False) -> Directive:
    words = _trimmed(what.strip(" ,.!"))
    first = words.split()[0] if words.split() else ""
    if predicate == "forbids" and first.lower().endswith("ing"):
        base = gerund_base(first)
        words = f"{base}{words[len(first) :]}" if base else words
    elif (
        predicate == "forbids"
        and not verbal
        and first.lower() not in COMMON
        and lemma(first) == first.lower()
        and first.lower() not in _IMPERATIVE
        and is_noun(first)
    ):
        words = f"use {words}"
    elif predicate == "instructs" and first.lower() not in ("always", "only", "be") and first.lower().endswith("ed"):
        words = f"{lemma(first)}{words[len(first) :]}"
    words = _as_told(words[:1].lower() + words[1:] if words[:2] != "I " else words)
    words = re.sub(r"\bany ?time it (?:like|want|wish|please)s?$", "at any time", words)
    head = {"permits": "Assistant may", "forbids": "Assistant should not", "instructs": "Assistant should"}[predicate]
    return Directive(predicate, f"{head} {words}", _ANY_TIME.sub("", words))


_GERUND_AFTER = re.compile(
    r"\b(before|after|while|when|without) you (?!do\b|are\b|have\b|can|could|will\b|did\b|were\b)([a-z]+)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(r"\b(your own|your|yourself|you are|you have|you|my|me|mine|myself|I am|I have|I|we|us|our)\b")
_TOLD_WORDS = {
    "your own": "its own", "your": "", "yourself": "itself", "you are": "it is", "you have": "it has", "you": "it",
    "my": "User's", "me": "User", "mine": "User's", "myself": "User", "i am": "User is", "i have": "User has",
    "i": "User", "we": "User", "us": "User", "our": "User's",
}  # fmt: skip


def _as_told(words: str) -> str:
    """The words of an instruction with the assistant and the user in the third person."""
    words = _GERUND_AFTER.sub(lambda found: f"{found[1]} {gerund(found[2].lower())}", words)
    words = _TOLD.sub(lambda found: _TOLD_WORDS[found[1].lower()], words)
    return re.sub(r"\s{2,}", " ", words).strip()


_RECOMMENDS = re.compile(
    r"^(?:(?:in that case|then|so|well|for (?:this|that|you|(?:(?!i\b)[\w'-]+ ){0,4}[\w'-]+(?=,? (?:i|"
    r"my)\b))|as a [\w' -]+?(?=,? i\b)|"
    r"personally|first|maybe|perhaps|here|honestly|given that|"
    r"also)[, ]+)*(?:i (?:would |strongly |highly |definitely |also |really )*(?:recommend|suggest|advise|"
    r"propose)|my (?:recommendation|suggestion|advice)(?: (?:is|would be))?(?: to)?|"
    r"(?P<you>you (?:should|could|might want to|may want to|might|ought to|can)(?: (?:try|consider|also|always|"
    r"definitely))*)|(?P<do>consider|try|go (?:for|with)|check out|have a look at|take a look at|how about|"
    r"what about)|(?P<would>i would))\s+(?:that )?(?P<what>.+)$",
    re.IGNORECASE,
)
_YOU_WORDS = re.compile(r"\b(you are|yourself|your|you)\b", re.IGNORECASE)


def recommendation(text: str, certain: bool) -> tuple[str, str] | None:
    """(content, object) of an assistant's advice in a plain clause, or None."""
    found = _RECOMMENDS.match(text)
    if not found or ((found["you"] or found["would"]) and not certain):
        return None
    what = found["what"].strip(" ,.!?")
    if re.match(r"^(?:be|have|help|say|love|like|need|call|guess)\b", what) and found["would"]:
        return None
    what = re.sub(r"^you (?:to )?", "to ", what) if re.match(r"^you\b", what) else what
    first = what.split()[0] if what.split() else ""
    if (found["you"] or found["would"]) and is_base(first) and first.islower():
        what = f"{gerund(first)}{what[len(first) :]}"
    words = _YOU_WORDS.sub(
        lambda word: {"you are": "User is", "yourself": "User", "your": "User's", "you": "User"}[word[1].lower()], what
    )
    return f"Assistant recommended {words}", words
