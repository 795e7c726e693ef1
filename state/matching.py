"""Comparing two claims by their words: stems, heads, numbers, names, places and negation (R7).

A cosine finds what may be alike; what is here decides. English is known by word; other scripts and languages are
compared by the same shapes (tokens, digits, capitals) and so match less often, never more (X11).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from state.predicates import UNKNOWN, predicate
from state.quantities import spelled_alike

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+(?:['’][^\W\d_]+)?|[,;:.!?()]")
_NEGATION = re.compile(
    r"\b(?:not|never|cannot|no longer|none|nothing|neither)\b(?! only\b)|n['’]t\b|\bno (?!one\b)|\bwithout any\b", re.I
)
_DENIAL = re.compile(
    r"\bno longer\b|\bany ?more\b|\bany longer\b|\b(?:did|was|were|had)(?: not|n['’]t)\b"
    r"|\b(?:has|have|had|was|were|did) never\b|\bnever (?:had|lived|worked|was|were|owned|been|did|said)\b",
    re.I,
)
_CHANGE = re.compile(
    r"\bno longer\b|\bany ?more\b|\bany longer\b|\b(?:quit\w*|stop\w*|gave up|given up|giv(?:es|ing) up)\b", re.I
)
_ANOTHER = re.compile(
    r"\b(?:another|second|new|additional|other|different|extra)\b"
    r"|\b(?:any|no|some) more (?!since|because|but|and|or|so|as|in|at|than)\w",
    re.I,
)
_PARTS = re.compile(
    r"\b(?:sold|gave away|got rid of|scrapped|rehomed|put down|returned|donated|traded in)"
    r" (?:his|her|the|their|that|this)\b|\b(?:died|passed away|ran away)\b"
    r"|\b(?:was|got|were) (?:stolen|sold|scrapped|put down|put to sleep|totall?ed|rehomed)\b",
    re.I,
)
_SOUGHT = re.compile(
    r"\b(?:(?:looking|searching|hunting|applying|waiting) for|seeking|in search of|on the (?:lookout|hunt) for|"
    r"(?:looking|trying|hoping) to (?:buy|find|get|rent|adopt|hire|land)) (.+)|\b(\w+)[- ]hunting\b",
    re.I,
)
_ANY_SORT = frozenset(("new", "good", "better", "bigg", "bigger", "larger", "smaller", "cheaper", "nicer", "newer"))
_CONTRACTED = re.compile(r"['’](?:m|ve|re|ll|d|s)$", re.I)
_SPAN = re.compile(
    r"\bbeen (?:at|in|with|on|a|an|the|working|living)\b|\bsince \d"
    r"|\b(?:for \w+|\d+) (?:days|weeks|months|years)\b(?! old)",
    re.I,
)
_PART = re.compile(r"\b(?:neighbou?rhood|district|quarter|suburb|borough|part|area|side|arrondissement|ward)\b", re.I)
_STREET = re.compile(r"\b(?:street|road|avenue|lane|alley|boulevard)\b|(?:straße|strasse|gasse)\b", re.I)
_FORMER_PLACE = re.compile(
    r"\b(?:has|have|had|['’]ve) (?:also |once |even |already )?(?:lived|worked|stayed)\b"
    r"(?!.*\b(?:since|for|all|always|here|now)\b)",
    re.I,
)
_POSITIVE_AGAIN = re.compile(r"(?:\bnot|\bnever|n['’]t)\s+(?:\w+\s+)?(?:hate|dislike|avoid|fear|mind)\b", re.I)
_BESIDE = re.compile(r"(?:near|by|beside)", re.I)
_TIMES = frozenset(("year", "month", "week", "day", "decad"))
_ARTICLE = re.compile(r"(?:a|an|the|my|his|her|their|our) ", re.I)
_PLURAL = re.compile(r"[a-z]{2}(?<![sui])s$", re.I)
_ONE = re.compile(r"\ban?\b", re.I)
_POSSESSED = re.compile(
    r"^(?:[Tt]he )?[\w-]+(?: [A-Z][\w-]*)*['’]s "
    r"(?:(?:new|old|older|elder|eldest|younger|youngest|best|first|second|own|late|little|big) )*(\w+)"
)
_SPLIT_PLACE = re.compile(r",|\b(?:in|of|near|at)\b", re.I)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP = _words(
    "a an the this that these those some any my your his her its our their user user's i me we us he she it they them"
    " to of in at on for with by from as into about and or but so is are was were be been being am has have had having"
    " do does did doing done will would can could should may might must very really quite just also too again still"
    " now currently already usually often always much many lot lots who which what there here up out off than"
    " not never no longer anymore more any ever don't doesn't didn't isn't aren't wasn't can't cannot won't"
    " haven't hasn't called named name every each"
) - {"than"}
_BREAKS = _words(
    "to of in at on for with by from as into about who which that called named every since because while when where"
    " near under during after before without than over , ; : . ! ? ( )"
)
_DIRECTIONS = _words(
    "north south east west central downtown greater inner upper lower old city centre center town"
    " northern southern eastern western"
)
_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
            *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
        )
    )
} | {
    "dozen": "12",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
}
_CALENDAR = _words(
    "january february april june july august september october november december monday tuesday wednesday"
    " thursday friday saturday sunday"
)
_IRREGULAR = {
    "bought": "buy", "got": "get", "went": "go", "gone": "go", "children": "child", "kids": "child", "kid": "child",
    "men": "man", "women": "woman", "feet": "foot", "wives": "wife", "knives": "knife", "lives": "liv", "mice": "mouse",
    "ate": "eat", "drank": "drink", "drove": "drive", "ran": "run", "swam": "swim", "wrote": "write", "taught": "teach",
    "built": "build", "began": "start", "begun": "start", "left": "leave", "lost": "lose", "met": "meet",
    "sold": "sell", "found": "find", "spoke": "speak", "taken": "take", "took": "take", "won": "win", "wed": "marry",
}  # fmt: skip
_SYNONYMS = {
    "bike": "cycle", "bicycle": "cycle", "biking": "cycle", "automobile": "car", "mum": "mother", "mom": "mother",
    "dad": "father", "movie": "film", "apartment": "flat", "physician": "doctor", "employment": "job",
    "position": "job", "employer": "company", "firm": "company", "puppy": "dog", "kitten": "cat", "spouse": "partner",
    "telly": "tv", "television": "tv", "favorite": "favourite", "license": "licence", "brief": "concise",
    "short": "concise", "soccer": "football", "vet": "veterinarian", "kilo": "kg", "kilogram": "kg", "metre": "m",
    "meter": "m", "centimetre": "cm", "centimeter": "cm", "gran": "grandmother", "granny": "grandmother",
    "grandma": "grandmother", "grandpa": "grandfather", "grandad": "grandfather", "truck": "lorry", "couch": "sofa",
    "vacation": "holiday", "reside": "live", "purchase": "buy", "gray": "grey", "favour": "prefer", "favor": "prefer",
    "colour": "color", "neighbour": "neighbor", "mobile": "phone", "cellphone": "phone", "infant": "baby",
    "begin": "start", "commence": "start",
}  # fmt: skip
_GENERIC = {
    "employer": "job work place company position workplace role gig",
    "occupation": "job work role",
    "past_employer": "job work place company position workplace role",
    "job_search": "job work role position",
    "partner": "wife husband partner girlfriend boyfriend fiance fiancee",
    "school": "school university college uni",
    "studies": "university college school degree",
}
_ASKING = _words("everyth anyth all fact pleas forget know told said tell say")
_NEGATIVE_PREDICATES = frozenset(("dislikes", "hates", "avoids", "avoids_food", "cannot", "forbids"))
_ATTITUDES = frozenset(("likes", "favourite"))
_PLACES = frozenset(("residence", "workplace", "hometown", "birthplace"))


@dataclass(frozen=True, slots=True)
class Features:
    """What one claim's words say. `stems` are the object's, `words` the whole content's without its subject.

    `negative` is the claim's valence: "does not like" and "dislikes" are both negative. `another`: the wording says
    that this is one more; `one` and `plural`: of how many it speaks. `skeleton` is `words` without numbers and calendar
    names, which are in `numbers`. `places` are a place's components, smallest first. `possessed` is the stem of what or
    whom the sentence speaks of where that is not the subject itself but the subject's ("User's coach runs").
    """

    subject: str
    predicate: str
    group: str
    attitude: str
    single: bool
    preference: bool
    time_bound: bool
    negative: bool
    denied: bool
    worded_negatively: bool
    another: bool
    one: bool
    plural: bool
    stems: frozenset[str]
    ordered: tuple[str, ...]
    heads: frozenset[str]
    words: frozenset[str]
    skeleton: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    places: tuple[frozenset[str], ...]
    generic: bool
    possessed: str


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word's stem, the same for its inflections ("smokes", "smoking") and its commonest synonyms."""
    text = _CONTRACTED.sub("", word.casefold())
    text = _NUMBERS.get(text, text)
    text = _SYNONYMS.get(text, _IRREGULAR.get(text, text))
    if len(text) > 4 and text.endswith("ies"):
        text = text[:-3] + "y"
    elif text.endswith(("sses", "shes", "ches", "xes", "zes")):
        text = text[:-2]
    elif len(text) > 3 and text.endswith("s") and not text.endswith(("ss", "us", "is")):
        text = text[:-1]
    text = _SYNONYMS.get(text, text)
    if len(text) >= 6 and text.endswith("ing"):
        text = _single_ending(text[:-3])
    elif len(text) >= 5 and text.endswith("ed"):
        text = _single_ending(text[:-2])
    if len(text) > 3 and text.endswith("e"):
        text = text[:-1]
    return text[:-1] + "i" if len(text) > 3 and text.endswith("y") else text


def _single_ending(text: str) -> str:
    return text[:-1] if len(text) > 3 and text[-1] == text[-2] and text[-1] not in "lsz" else text


@lru_cache(maxsize=16384)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's content words, in order."""
    return tuple(
        stem(token)
        for token in _TOKEN.findall(text)
        if token[0].isalnum() and token.casefold() not in STOP and _CONTRACTED.sub("", token.casefold()) not in STOP
    )


def names(text: str) -> frozenset[str]:
    """Stems of capitalised words that do not open the text: what a claim names."""
    tokens = _TOKEN.findall(text)
    return frozenset(
        stem(token)
        for position, token in enumerate(tokens)
        if position and token[0].isupper() and token.casefold() not in STOP and token.casefold() not in _CALENDAR
    )


def changed(content: str) -> bool:
    """Whether a negation tells of a change ("no longer", "quit") and not that it never was so."""
    return _CHANGE.search(content) is not None


def parts_with(content: str) -> bool:
    """Whether the wording says that something one had is gone: sold, given away, dead."""
    return _PARTS.search(content) is not None


def speaks_of_another(content: str) -> bool:
    """Whether the wording says that this is one more ("another dog", "a new job")."""
    return _ANOTHER.search(content) is not None


def tells_duration(content: str) -> bool:
    """Whether the wording says since when something holds ("been at the bakery for three months")."""
    return _SPAN.search(content) is not None


def sought(content: str) -> frozenset[str]:
    """The words for what somebody is looking for; none where the wording tells of no search."""
    found = _SOUGHT.search(content)
    return frozenset(stems(found[1] or found[2])) - _ANY_SORT if found else frozenset()


def names_part(content: str) -> bool:
    """Whether the wording calls a place a part of another ("the Ballard neighborhood")."""
    return _PART.search(content) is not None


def subject_key(subject: str) -> str:
    """The form in which subjects are compared."""
    key = " ".join(subject.casefold().split())
    for prefix in ("the ", "user's ", "user’s ", "my ", "project "):
        key = key.removeprefix(prefix)
    return key


@lru_cache(maxsize=65536)
def features(subject: str, name: str, obj: str, content: str, polarity: bool) -> Features:
    """What the rules compare of one claim; pure, so remembered by its arguments."""
    entry = predicate(name)
    key = subject_key(subject)
    alike, obj_alike = spelled_alike(content), spelled_alike(obj)
    own = {stem(token) for token in _TOKEN.findall(subject)} | {key}
    words = frozenset(word for word in stems(alike) if word not in own)
    ordered = stems(obj_alike) or tuple(word for word in stems(alike) if word not in own)
    numbers = frozenset(word for word in words | set(ordered) if word.isdigit()) | frozenset(
        stem(token) for token in _TOKEN.findall(content) if token.casefold() in _CALENDAR or token in ("May", "March")
    )
    group = entry.group
    generic = frozenset(stem(word) for word in _GENERIC.get(group, "").split()) | {"new", "current", "same"}
    return Features(
        subject=key,
        predicate=name,
        group=group,
        attitude=attitude_of(group),
        single=entry.cardinality == "single",
        preference=entry.preference,
        time_bound=entry.time_bound,
        negative=_negative(name, content, polarity),
        denied=_DENIAL.search(content) is not None,
        another=speaks_of_another(content),
        one=_ONE.search(content) is not None,
        plural=_PLURAL.search(obj) is not None,
        worded_negatively=_NEGATION.search(content) is not None,
        stems=frozenset(ordered),
        ordered=ordered,
        heads=_heads(obj_alike or alike),
        words=words,
        skeleton=words - numbers,
        numbers=numbers,
        names=names(alike) - own,
        places=_places(obj_alike) if group in _PLACES else (),
        generic=bool(ordered) and generic.issuperset(ordered) and len(generic) > 3,
        possessed=_possessed(content),
    )


def attitude_of(group: str) -> str:
    """The group in which attitudes are compared: a favourite is a liking."""
    return "likes" if group in _ATTITUDES else group


def _negative(name: str, content: str, polarity: bool) -> bool:
    if name in _NEGATIVE_PREDICATES:
        return _POSITIVE_AGAIN.search(content) is None
    # Of a sentence that no attribute fits, polarity says nothing: the words do.
    return not polarity or (predicate(name) is UNKNOWN and _NEGATION.search(content) is not None)


def _possessed(content: str) -> str:
    found = _POSSESSED.match(content)
    return stem(found[1]) if found else ""


def _heads(text: str) -> frozenset[str]:
    """The head nouns of a phrase's conjuncts: "strong black coffee" coffee, "dogs and cats called …" both."""
    found: set[str] = set()
    last = ""
    for token in _TOKEN.findall(text):
        folded = token.casefold()
        if folded in ("and", "or", ","):
            if last:
                found.add(last)
        elif folded in _BREAKS:
            if last:
                break
        elif folded not in STOP:
            last = stem(token)
    if last:
        found.add(last)
    return frozenset(found)


@lru_cache(maxsize=16384)
def _places(text: str) -> tuple[frozenset[str], ...]:
    parts = (
        frozenset(stem(t) for t in _TOKEN.findall(piece) if t[0].isalnum() and t.casefold() not in STOP | _DIRECTIONS)
        for piece in _SPLIT_PLACE.split(_PART.sub(" ", text))
    )
    named = (frozenset(word for word in part if not word.isdigit() and word not in _TIMES) for part in parts)
    return tuple(part for part in named if part)


def describes_place(obj: str, content: str) -> bool:
    """Whether a place is only described ("near a lake") and not named ("a flat in Delft", "berlin")."""
    if not obj or not obj.islower():
        return False
    start, _, after = content.partition(obj) if obj in content else ("", "", "")
    before = start.split()
    if _ARTICLE.match(obj):
        return True
    if _PART.match(after.strip()):
        return False  # "the pilsen neighborhood"
    return bool(before) and (_ARTICLE.fullmatch(f"{before[-1]} ") or _BESIDE.fullmatch(before[-1])) is not None


def tells_of_former_place(content: str) -> bool:
    """Whether somebody is said to have lived or worked somewhere, once ("has lived in Naples")."""
    return _FORMER_PLACE.search(content) is not None


def names_street(obj: str) -> bool:
    """Whether a place is a street and no town."""
    return _STREET.search(obj) is not None


def part_name(obj: str) -> str:
    """The bare name in "the Ballard neighborhood"."""
    return re.sub(r"^(?:the|a|an)\s+", "", " ".join(_PART.sub(" ", obj).split()).strip(" ,"), flags=re.I)


def joined_place(part: str, whole: str) -> str:
    """ "Ballard" and "Seattle" as "Ballard, Seattle"; a part named before gives way to the later one."""
    return f"{part_name(part)}, {whole.rsplit(', ', 1)[-1].strip()}"


@lru_cache(maxsize=4096)
def _asked(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The content words of what is to be forgotten, and which of them suffice alone ("everything about Tom")."""
    words = frozenset(stems(text)) - _ASKING
    if re.search(r"\b(?:everything|anything|all)\b", text, re.I) is None:
        return words, frozenset()
    return words, (names(text) & words) or words


def is_about(text: str, content: str, similarity: float | None, threshold: float) -> bool:
    """Whether a claim is what a person asks to forget: alike in meaning and in words (F3).

    All asked words found is enough with any similarity above the index's floor; "everything about …" asks for one.
    """
    asked, sufficient = _asked(text)
    shared = asked.intersection(stems(content))
    if not shared:
        return False
    if shared & sufficient or (len(asked) > 1 and shared == asked):
        return True
    if similarity is None:
        return False
    return shared == asked or (similarity >= threshold and len(shared) >= 0.6 * len(asked))
