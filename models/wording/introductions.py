"""Those who say their name as one does at a door: "this is Rosalind Pike", "Jiří Novotný here" (X3)."""

from __future__ import annotations

import re

from models.claims import Utterance
from models.wording.lexicon import DIETS, NATIONALITIES, POLITICS, RELIGIONS, is_occupation
from models.wording.lists import wordset
from models.wording.verbs import is_common_noun

_HERE = re.compile(
    r"(?:(?P<this>[Tt]his is) |(?P<it>[Ii]t is )(?=.* (?:here|speaking)$))?"
    r"(?P<name>[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’.-]*){0,2}?)(?P<here> (?:here|speaking|this side))?$"
)
_MYSELF = re.compile(r"[Mm]yself,? (?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’.-]*){0,2})$")
_GREETING = re.compile(
    r"\W*(?:(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|evening|afternoon|day)|dear \w+)"
    r"(?:[ ,]+(?:there|all|everyone|everybody|guys|folks|team|again|claude|assistant|bot))*[\s,.!:–-]*)+",
    re.IGNORECASE,
)
# "Call me Sunil. Sunil Raghavan, to be exact."
_IN_FULL = re.compile(r"([A-Z][\w'’-]+)(?: [A-Z][\w'’.-]*){1,2}$")


def _named_before(first: str, before: str) -> bool:
    """Whether the user has just said that they go by that first name."""
    told = re.search(
        rf"\b(?:[Cc]all me|I['’]m|[Ii] am|[Ii]m|[Nn]ame(?:['’]s| is)|[Tt]his is) "
        rf"{re.escape(first)}\b[\s.,!;–—-]*$",
        before,
    )
    return told is not None


# Given names that are words as well.
_GIVEN = wordset(
    """
    tom mark rose grace will bill bob jack frank grant dale heath dean lily daisy ivy hope faith joy may june april
    summer
    dawn violet olive ruby pearl iris hazel holly jean robin jay drew pat sue rob peg art chip guy hank rod miles
    """
)
_NO_NAMES = DIETS | NATIONALITIES | POLITICS | RELIGIONS
_NAMES_MIN = 2


def introduced(text: str, before: str, utterance: Utterance) -> str:
    """ "My name is …" for a plain clause that introduces the speaker, else the clause itself.

    `before` is what stands before it in the message: nothing, or a greeting. One word needs the greeting ("Washington
    here!" may be a place); in lower case a name needs it too, and two words, the first of which is in no dictionary.
    What answers a question is no introduction.
    """
    if text[:7].lower() == "myself " and (own := _MYSELF.match(text)):
        return f"my name is {own['name']}" if not before.strip() or _GREETING.fullmatch(before) else text
    if " " in text and text[0].isupper() and (first := _IN_FULL.match(text)) and _named_before(first[1], before):
        return f"my name is {text}"
    if not (text[:8].lower() == "this is " or text.endswith((" here", " speaking", " this side"))):
        return text
    found = _HERE.match(text)
    if found is None or not (found["this"] or found["here"]) or (before.strip() and not _GREETING.fullmatch(before)):
        return text
    if utterance.context and "?" in utterance.context[-1][1]:
        return text
    parts = found["name"].split()
    greets = _GREETING.match(utterance.text) is not None
    if all(part[:1].isupper() for part in parts):
        named = (greets and not found["it"]) or len(parts) >= _NAMES_MIN
        words = is_common_noun(parts[0]) and (parts[0].lower() not in _GIVEN or is_common_noun(parts[-1]))
        ordinary = words or parts[0].lower() in _NO_NAMES or is_occupation(found["name"])
        return f"my name is {found['name']}" if named and (not ordinary or (greets and len(parts) > 1)) else text
    whole = greets and len(parts) == _NAMES_MIN and found["name"].islower() and not is_common_noun(parts[0])
    return f"my name is {found['name']}" if whole and bool(found["this"]) else text
