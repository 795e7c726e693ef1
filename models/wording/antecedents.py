"""What a pronoun stands for: the nearest fitting thing said before it, in the message first, then in its context (X3).

The answer is put in place as first-person English ("his name is Tofu" → "my dog's name is Tofu"), so that the rest of
the rules need to know nothing of pronouns. Where nothing fits, nothing is said: a claim must stand alone.
"""

from __future__ import annotations

import re

from models.claims import Utterance
from models.wording.lexicon import FEMALE, MALE, PETS, PLURAL_RELATIONS, RELATIONS
from models.wording.lists import wordset
from models.wording.spelling import plain

_NOUNS = "|".join(sorted((word.replace("-", "[- ]") for word in {*RELATIONS, *PETS}), key=len, reverse=True))
_BEING = re.compile(
    rf"\b(?:(?P<det>my|our|a|an|the|another|two|three|four|\d+|some|his|"
    rf"her) )(?P<adj>(?:[a-z-]+ ){{0,2}}?)(?P<noun>{_NOUNS})\b(?!'s\b)(?:,? (?:called |named |is called |"
    rf"is named )?(?P<name>[A-Z][\w'’-]+))?",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"\b(?P<name>(?:Project|Team|Operation) [A-Z]\w*|[A-Z]\w+ (?:Labs|Inc|Ltd|GmbH|Corp|Project|App))\b"
)
_THING = re.compile(
    r"\b(?P<det>a|an|the|my|our|this)\s+(?P<noun>(?:[a-z0-9-]+ ){0,3}?[a-z0-9-]+)(?= (?:called|named|in|at|on|"
    r"with|for|from|that|which|who|and|but|to|last|this|yesterday|today|near|because|is|was|as)\b|[,.;!?]|$)",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:like|love|enjoy|hate|prefer|off|into|fan of|play|eat|drink|watch|read|use|speak|study|collect|own|"
    r"tried|try|learn|learning)\s+(?P<noun>(?:[\w'-]+ ){0,3}?[\w'-]+)(?= (?:and|but|because|so|when|with|for|"
    r"in|at|on|since|anymore|very|a lot|too|now|every)\b|[,.;!?]|$)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|to|at|from|near)\s+(?P<place>[A-Z][\w'’-]+(?:[ ,]+[A-Z][\w'’-]+)*)")
_NAMED = re.compile(
    r"(?:^|(?<=[.!?] )|(?<=\band )|(?<=\bbut ))(?P<name>[A-Z][a-z]+)(?= (?:is|was|has|lives|works|likes|loves|"
    r"moved|got|said|wants)\b)"
)
_NOT_NAMES = wordset(
    """
    I It He She They We You My This That There What When Where Who How The A An And But So If Yes No Not Ok Well
    Oh Hi Hey Everyone Someone Nobody Mine
    """
)
_SUBJECT_PRONOUN = re.compile(
    r"^(it|he|she|they|this|that|these|those|his|her|hers|its|their)\b(?! (?:days|week|weekend|month|year|"
    r"summer|winter|spring|fall|autumn|morning|evening|afternoon|time|coming|past)\b)",
    re.IGNORECASE,
)
_REST_PRONOUN = re.compile(
    r"(?<![/\w])(it|him|her|them|there|that one|this one|those|both of them|each of them|one)\b(?!/)", re.IGNORECASE
)
_HER_POSSESSIVE = re.compile(
    r"\bher\s+(?=[a-z]+\b)(?!(?:and|but|so|for|to|in|at|on|with|because|since|when|every|a|the|very|too|last|"
    r"again|now)\b)",
    re.IGNORECASE,
)


def resolved(text: str, before: str, utterance: Utterance) -> str | None:
    """A plain clause with its pronouns replaced; None where one stands for something unknown."""
    subject = _SUBJECT_PRONOUN.match(text)
    if not subject and not _REST_PRONOUN.search(text):
        return text
    own = [before, *(plain(words) for role, words in reversed(utterance.context[-4:]) if role == "user")]
    if subject:
        replaced = _with_subject(text, subject, own)
        if replaced is None:
            return None
        text = replaced
    if not _REST_PRONOUN.search(text):
        return text
    last = [plain(words) for role, words in utterance.context[-1:] if role in ("assistant", "peer")]
    text_with_objects = _with_objects(text, [before, *last, *own[1:]])
    if text_with_objects and _UNKNOWN_OWNER.search(text_with_objects) and not _BEING.search(text_with_objects):
        return None
    return text_with_objects


_UNKNOWN_OWNER = re.compile(r"^(?:I|we)\b.*\b(?:his|hers|theirs)\b|^(?:I|we)\b.*\bher [a-z]", re.IGNORECASE)
_SAYS_WHICH = re.compile(
    r"^(?:is|are|was) (?:called|named|located|based|written|in [A-Z]|on the|near|at [A-Z]|"
    r"my (?:least )?favou?rite|due|due on|made|built|a (?!great|good|nice|beautiful|lovely|bit|lot|shame|pity|"
    r"must|fun|really|very|long|hard|big|small|classic|mess|joke|thing|way|dream|pleasure|while|challenge|bad|"
    r"real|wonderful|fantastic|perfect|pretty|little)\w+)|"
    r"^(?:uses?|runs? on|launch\w*|ships?|starts? on|ends? on|opens? on|has (?:a|two|three|four|\d)|belongs|"
    r"costs|weighs)\b",
)


def _with_subject(text: str, found: re.Match[str], places: list[str]) -> str | None:
    word = found[1].lower()
    rest = text[found.end() :].strip()
    possessive = word in ("his", "its", "their") or (word == "her" and not rest.startswith(("is ", "was ")))
    thing = word in ("it", "its", "this", "that")
    if thing and not possessive and not _SAYS_WHICH.match(rest):
        return None
    if word in ("this", "that", "these", "those") and not re.match(r"(?:is|are|was) my ", rest):
        return None
    for place in places:
        being = _being_for(word, place)
        if being:
            return f"{_owner(being)} {rest}" if possessive else f"{being} {rest}"
        if thing:
            named = _liked_in(place) if re.match(r"(?:is|was) my (?:least )?favou?rite", rest) else _thing_for(place)
            if named:
                return f"{_owner(named)} {rest}" if possessive else f"{named} {rest}"
    return None


def _liked_in(place: str) -> str | None:
    last = None
    for match in _OBJECT.finditer(place):
        if match["noun"].split()[-1].lower() not in _NOT_OBJECTS:
            last = match["noun"]
    return last


def _owner(words: str) -> str:
    return f"{words}'" if words.endswith("s") and words.split()[-1].lower() in PLURAL_RELATIONS else f"{words}'s"


def _being_for(pronoun: str, place: str) -> str | None:
    """The nearest person or animal that the pronoun can stand for, as "my dog", "my sister Anna" or a name."""
    found = None
    for being in _BEING.finditer(place):
        noun = being["noun"].lower()
        plural = (
            noun in PLURAL_RELATIONS
            or being["det"].lower() in ("two", "three", "four", "some")
            or being["det"].isdigit()
        )
        if being["det"].lower() in ("the", "his") and noun not in PETS:
            continue
        if pronoun in ("they", "their", "them", "these", "those") and not plural:
            continue
        if pronoun in ("he", "his", "him", "she", "her", "hers", "it", "its", "this", "that") and plural:
            continue
        if (pronoun in ("he", "his", "him") and noun in FEMALE) or (pronoun in ("she", "her", "hers") and noun in MALE):
            continue
        if pronoun in ("it", "its") and noun not in PETS:
            continue
        name = being["name"] if being["name"] and being["name"][0].isupper() else ""
        found = (
            f"my {being['noun']} {name}".strip()
            if not (name and pronoun in ("his", "her", "its"))
            else f"my {being['noun']} {name}"
        )
    if found is None and pronoun in ("he", "his", "she", "her", "him"):
        for named in _NAMED.finditer(place):
            if named["name"] not in _NOT_NAMES:
                found = named["name"]
    return found


def _thing_for(place: str) -> str | None:
    projects = [found["name"] for found in _PROJECT.finditer(place)]
    if projects:
        return projects[-1]
    things = [
        found
        for found in _THING.finditer(place)
        if found["noun"].split()[-1].lower() not in ("time", "day", "moment", "lot", "bit", "way")
    ]
    if not things:
        return None
    return f"my {things[-1]['noun']}" if things[-1]["det"].lower() != "the" else f"the {things[-1]['noun']}"


_TAKES_OBJECT = re.compile(
    r"\b(?:love|like|hate|enjoy|adore|detest|despise|prefer|dislike|stand|play|speak|study|watch|read|eat|"
    r"drink|collect|teach|own|use|miss|avoid|into|fan of|"
    r"allergic to|off|scared of|afraid of|interested in|good at|bad at|practise|practice|bought|sold|adopted|"
    r"named|call|called|got|have|had|keep|ride|drive)\s+(?:\w+ly )?$",
    re.IGNORECASE,
)
_PLACE_VERB = re.compile(
    r"\b(?:live|lived|living|work|worked|working|study|studied|grew up|born|moved|stay|"
    r"stayed|been|teach|volunteer|from)\s+(?:up |back |over |down |out )?$",
    re.IGNORECASE,
)
_NOT_OBJECTS = wordset(
    """
    it them that this to you me i the a my him her so there one do what much most well too
    """
)


def _with_objects(text: str, places: list[str]) -> str | None:
    found = _REST_PRONOUN.search(text)
    if not found:
        return text
    word = found[1].lower()
    before = text[: found.start()]
    if word == "her" and _HER_POSSESSIVE.match(text, found.start()):
        return text
    if word == "there":
        if re.match(r"^there\b", text, re.IGNORECASE):
            return text
        if not _PLACE_VERB.search(before):
            return None if text.rstrip().endswith("there") else text
    elif (
        word in ("it", "that")
        and re.search(
            r"\b(?:find it|make it|made it|take it easy|enjoy it here|think it|"
            r"that it|if it|it is|it was|it when|it (?:hard|easy|difficult))\b",
            text,
            re.IGNORECASE,
        )
    ) or (
        word in ("one", "those")
        and not re.search(
            r"\b(?:have|want|need|got|own|bought|love|like) (?:one|"
            r"those)(?: (?:and|but|too|as well|so)\b|[.,!]|$)",
            text,
            re.IGNORECASE,
        )
    ):
        return text
    elif word in (
        "it",
        "them",
        "one",
        "those",
        "that one",
        "this one",
        "both of them",
        "each of them",
    ) and not _TAKES_OBJECT.search(before):
        return None
    for place in places:
        stands = _object_for(word, place, place is places[0])
        if stands:
            return f"{before}{stands}{text[found.end() :]}"
    return None if word in ("it", "them", "one", "there") else text


def _object_for(word: str, place: str, own: bool) -> str | None:
    if word == "there":
        last = None
        for match in _PLACE.finditer(place):
            last = f"in {match['place']}"
        return last
    if word in ("him", "her"):
        return _being_for(word, place)
    being = _being_for(word, place) if word == "them" else None
    if being:
        return being
    liked = _liked_in(place)
    if liked is None and own and word in ("it", "one", "that one", "this one"):
        liked = _thing_for(place)
    if liked and word == "one":
        noun = (
            liked.split(" ", 1)[1]
            if liked.split(" ")[0].lower() in ("a", "an", "the", "my") and " " in liked
            else liked
        )
        return f"a {noun}"
    return liked
