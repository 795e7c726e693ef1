"""What a pronoun stands for: the nearest fitting thing said before it, in the message first, then in its context (X3).

The answer is put in place as first-person English ("his name is Tofu" → "my dog's name is Tofu"), so that the rest of
the rules need to know nothing of pronouns. Where nothing fits, nothing is said: a claim must stand alone.
"""

from __future__ import annotations

import re

from models.claims import Utterance
from models.wording.lexicon import FEMALE, MALE, PETS, PLURAL_RELATIONS, RELATIONS
from models.wording.spelling import plain

_NOUNS = "|".join(sorted((word.replace("-", "[- ]") for word in {*RELATIONS, *PETS}), key=len, reverse=True))
_BEING = re.compile(
    rf"\b(?:(?P<det>my|our|a|an|the|another|two|three|four|\d+|some|his|her) )(?P<adj>(?:[a-z-]+ ){{0,2}}?)(?P<noun>{_NOUNS})\b(?!'s\b)(?:,? (?:called |named |is called |is named )?(?P<name>[A-Z][\w'’-]+))?",
    re.IGNORECASE,
)
_PROJECT = re.compile(r"\b(?P<name>(?:Project|Team|Operation) [A-Z]\w*|[A-Z]\w+ (?:Labs|Inc|Ltd|GmbH|Corp|Project|App))\b")
_THING = re.compile(r"\b(?P<det>a|an|the|my|our|this)\s+(?P<noun>(?:[a-z0-9-]+ ){0,3}?[a-z0-9-]+)(?= (?:called|named|in|at|on|with|for|from|that|which|who|and|but|to|last|this|yesterday|today|near|because|is|was|as)\b|[,.;!?]|$)", re.IGNORECASE)
_OBJECT = re.compile(r"\b(?:like|love|enjoy|hate|prefer|off|into|of|play|eat|drink|watch|read|use|speak|study|do|collect|own|tried|try|about|learn|learning|speak)\s+(?P<noun>(?:[\w'-]+ ){0,3}?[\w'-]+)(?= (?:and|but|because|so|when|with|for|in|at|on|since|anymore|very|a lot|too|now|every)\b|[,.;!?]|$)", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|to|at|from|near)\s+(?P<place>[A-Z][\w'’-]+(?:[ ,]+[A-Z][\w'’-]+)*)")
_NAMED = re.compile(r"(?:^|(?<=[.!?] )|(?<=\band )|(?<=\bbut ))(?P<name>[A-Z][a-z]+)(?= (?:is|was|has|lives|works|likes|loves|moved|got|said|wants)\b)")
_NOT_NAMES = frozenset("I It He She They We You My This That There What When Where Who How The A An And But So If Yes No Not Ok Well Oh Hi Hey Everyone Someone Nobody Mine".split())
_SUBJECT_PRONOUN = re.compile(r"^(it|he|she|they|this|that|these|those|his|her|hers|its|their)\b", re.IGNORECASE)
_VERB_S = re.compile(r"^(?:is|are|was|were|has|have|'s)$")
_EXPLETIVE = re.compile(
    r"^(?:it|this|that)\s+(?:is|was|will be|has been|would be|sounds|seems|looks|makes|made|takes|took|depends|feels|rains|rained|helps|works|gets|got|turns|hurts|means|happens)\b(?!\s+(?:called|named|(?:a|an|my|in|at|on|near|by) ))",
    re.IGNORECASE,
)
_REST_PRONOUN = re.compile(r"\b(it|him|her|them|there|that one|this one|those|both of them|each of them|one)\b", re.IGNORECASE)
_HER_POSSESSIVE = re.compile(r"\bher\s+(?=[a-z]+\b)(?!(?:and|but|so|for|to|in|at|on|with|because|since|when|every|a|the|very|too|last|again|now)\b)", re.IGNORECASE)
_SPEAKERS_WORDS = 600


def resolved(text: str, before: str, utterance: Utterance) -> str | None:
    """A plain clause with its pronouns replaced; None where its subject stands for something unknown."""
    subject = _SUBJECT_PRONOUN.match(text)
    places = [before, *(plain(words) for role, words in reversed(utterance.context[-4:]) if role in ("user", "assistant", "peer"))]
    if subject:
        replaced = _with_subject(text, subject, places)
        if replaced is None:
            return None
        text = replaced
    return _with_objects(text, places)


def _with_subject(text: str, found: re.Match[str], places: list[str]) -> str | None:
    word = found[1].lower()
    rest = text[found.end() :].strip()
    if word in ("it", "this", "that") and _EXPLETIVE.match(text):
        return None
    possessive = word in ("his", "its", "their") or (word == "her" and not rest.startswith(("is ", "was ")))
    if word in ("this", "that", "these", "those") and rest.split(" ")[0] not in ("is", "are", "was", "were"):
        return None
    for place in places:
        being = _being_for(word, place)
        if being:
            return f"{_owner(being)} {rest}" if possessive else f"{being} {rest}"
        if word in ("it", "its", "this", "that"):
            break_at = _thing_for(place)
            if break_at:
                return f"{_owner(break_at)} {rest}" if possessive else f"{break_at} {rest}"
    return None


def _owner(words: str) -> str:
    return f"{words}'" if words.endswith("s") and words.split()[-1].lower() in PLURAL_RELATIONS else f"{words}'s"


def _being_for(pronoun: str, place: str) -> str | None:
    """The nearest person or animal that the pronoun can stand for, as "my dog", "my sister Anna" or a name."""
    found = None
    for being in _BEING.finditer(place):
        noun = being["noun"].lower()
        plural = noun in PLURAL_RELATIONS or being["det"].lower() in ("two", "three", "four", "some") or being["det"].isdigit()
        if being["det"].lower() in ("the", "his") and noun not in PETS:
            continue
        if pronoun in ("they", "their", "them", "these", "those") and not plural:
            continue
        if pronoun in ("he", "his", "him", "she", "her", "hers", "it", "its", "this", "that") and plural:
            continue
        if pronoun in ("he", "his", "him") and noun in FEMALE or pronoun in ("she", "her", "hers") and noun in MALE:
            continue
        if pronoun in ("it", "its") and noun not in PETS:
            continue
        name = being["name"] if being["name"] and being["name"][0].isupper() else ""
        found = f"my {being['noun']} {name}".strip() if not (name and pronoun in ("his", "her", "its")) else f"my {being['noun']} {name}"
    if found is None and pronoun in ("he", "his", "she", "her", "him"):
        for named in _NAMED.finditer(place):
            if named["name"] not in _NOT_NAMES:
                found = named["name"]
    return found


def _thing_for(place: str) -> str | None:
    projects = [found["name"] for found in _PROJECT.finditer(place)]
    if projects:
        return projects[-1]
    things = [found for found in _THING.finditer(place) if found["noun"].split()[-1].lower() not in ("time", "day", "moment", "lot", "bit", "way")]
    if not things:
        return None
    return f"my {things[-1]['noun']}" if things[-1]["det"].lower() != "the" else f"the {things[-1]['noun']}"


def _with_objects(text: str, places: list[str]) -> str | None:
    found = _REST_PRONOUN.search(text)
    if not found:
        return text
    word = found[1].lower()
    if word == "one" and not re.search(r"\b(?:have|want|need|got|own|bought) one\b", text, re.IGNORECASE):
        return text
    if word == "there" and re.match(r"^there\b", text, re.IGNORECASE):
        return text
    if word == "her" and _HER_POSSESSIVE.match(text, found.start()):
        return text
    if word in ("it", "that") and re.search(r"\b(?:find it|make it|made it|take it easy|it when|it (?:hard|easy|difficult)|enjoy it here|think it|that it|if it|it is|it was)\b", text, re.IGNORECASE):
        return text
    before_pronoun = text[: found.start()]
    for place in (before_pronoun, *places):
        stands = _object_for(word, place)
        if stands:
            return f"{before_pronoun}{stands}{text[found.end() :]}"
    return None if word in ("it", "them", "one") else text


def _object_for(word: str, place: str) -> str | None:
    if word == "there":
        found = None
        for match in _PLACE.finditer(place):
            found = f"in {match['place']}"
        return found
    if word in ("him", "her"):
        return _being_for(word, place)
    if word == "them":
        being = _being_for(word, place)
        if being:
            return being
    last = None
    for match in _OBJECT.finditer(place):
        if match["noun"].split()[-1].lower() not in ("it", "them", "that", "this", "to", "you", "me", "i", "the", "a", "my", "him", "her", "so", "there"):
            last = match["noun"]
    if last is None and word in ("it", "one", "that one", "this one"):
        thing = _thing_for(place)
        if thing:
            last = thing
    if last and word == "one":
        noun = last.split(" ", 1)[1] if last.split(" ")[0].lower() in ("a", "an", "the", "my") and " " in last else last
        last = f"a {noun}"
    return last
