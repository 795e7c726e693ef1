"""From the shape of a clause to its triple: predicate, object and polarity, by verb and pattern (R7 rests on these).

Names of predicates are those of state.predicates' catalogue; a test holds the two together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from models.wording import attributes, lexicon
from models.wording.grammar import Shape
from models.wording.lists import mentions, wordset
from models.wording.verbs import gerund_base, is_common_noun, lemma

NEGATIVE = wordset(
    """
    dislikes hates avoids forbids cannot avoids_food fears
    """
)
ATTITUDES = wordset(
    """
    likes loves enjoys dislikes hates prefers prefers_over favourite avoids thinks
    """
)
STATUSES = wordset(
    """
    plans wants visits stays_in travels_to attends has_appointment seeks_job feels has_symptom has_status
    expects_child owes deadline_on
    """
)


@dataclass(frozen=True, slots=True)
class Triple:
    """What a clause states of its subject. `kind` None leaves it to the model; `drop`: a passing thing (X6)."""

    predicate: str
    object: str
    polarity: bool = True
    kind: str | None = None
    drop: bool = False
    known: bool = True


_PLACE_CUT = re.compile(
    r"\s*(?:[,(]?\s+(?:with|for|since|because|but|when|while|which|who|where|that|so|as|though|until|till|from|"
    r"by|on|during|doing|now|right|all|only|and (?:work|have|love|i|my|we))\b|,\s+(?:near|close to|opposite|beside|"
    r"behind|"
    r"overlooking|next to|across|above|around|not far|just)\b).*$",
    re.IGNORECASE,
)
_AREA = re.compile(
    r",?\s*(?:(?:which|that|it) is )?(?:a|an|the)?\s*(?:small |little |nice |quiet |big )?(?:neighbou?rhood|suburb|"
    r"district|part|town|city|village|area|borough|quarter|region|state|province|capital|outskirts|suburbs|"
    r"countryside|middle|heart|centre|center|north|south|east|west|hamlet|island|municipality) (?:of|in|near|outside|"
    r"on)\s+"
    r"(?=[A-Z]|(?!(?:the|a|an|my|our|this|that|town|nowhere)\b)[a-zß-ÿ-]+$)"
)
_AREA_AFTER = re.compile(
    r"^(?:the\s+)?(?P<name>[A-Z][\w' -]*?) (?:neighbou?rhood|district|area|suburb|quarter|borough|"
    r"arrondissement|region)$|"
    r"^the (?P<typed>[a-zß-ÿ]+(?: [a-zß-ÿ]+)?) (?:neighbou?rhood|district|suburb|quarter|borough)$"
)
_LEAD = re.compile(
    r"^(?:a|an|the|my|their|our|some|any|also|really|just|actually|this|that|all|quite)\s+", re.IGNORECASE
)
_EDGE = " ,;:.!?-–—\"'"
LIST_PREDICATES = wordset(
    """
    likes loves enjoys dislikes hates avoids has_pet has_allergy speaks plays_instrument plays_sport collects
    reads listens_to interested_in has_hobby fears avoids_food uses
    """
)
_BE_NOUN = re.compile(
    r"(?:a |an |the |also |just |now |currently |still |actually |only |one of the |formerly )*(?P<o>.+)"
)
_TAIL = re.compile(
    r"(?:\s+(?:who|which|that|in|at|for|by|with|from|on|of|and|since|but|because|so|to|specializing|"
    r"specialising|working|living|here|there|these|about|during|every|when|while|if)\b|\s*,).*$",
    re.IGNORECASE,
)


def predicates() -> frozenset[str]:
    """Every predicate these rules can give."""
    from_rows = {predicate for _, _, predicate, _ in attributes.ROWS}
    from_flags = {flag[5:] for _, _, _, flags in attributes.ROWS for flag in flags.split() if flag.startswith("past=")}
    others = (
        set(lexicon.RELATIONS.values())
        | set(attributes.owned().values())
        | set(_BE_OTHERS)
        | {"drives", "exercises", "plans", "experienced"}
    )
    return frozenset(from_rows | from_flags | others | NEGATIVE | ATTITUDES | STATUSES)


_BE_OTHERS = (
    "works_as",
    "believes_in",
    "political_view",
    "has_orientation",
    "has_gender",
    "has_nationality",
    "is_named",
    "feels",
    "states",
    "pet_named",
    "launches_on",
    "anniversary_on",
)
_ASPECT = re.compile(r"(?:to (?P<base>[a-z]+)|(?P<gerund>[a-z]+ing))\b\s*(?P<rest>.*)", re.IGNORECASE)
_BEGINS = frozenset(("start", "begin", "keep", "continue"))
_ENDS = frozenset(("stop", "quit", "cease"))


@lru_cache(maxsize=1024)
def triple_of(shape: Shape) -> Triple:
    """The triple of a clause whose subject is the user; `known` False where no row fits."""
    if shape.verb in _BEGINS or shape.verb in _ENDS:
        aspect = _ASPECT.fullmatch(shape.rest)
        if aspect:
            return _by_aspect(shape, aspect)
    rest = shape.rest
    if shape.progressive and shape.form.lower() in _BE_ROWS:
        being = replace(shape, verb="be", form=shape.auxiliaries[-1], rest=f"{shape.form} {rest}", progressive=False)
        found_being = _by_rows(being, being.rest)
        if found_being is not None:
            return found_being
    found_row = _by_rows(shape, rest)
    if found_row is not None:
        return found_row
    if shape.verb == "be":
        return _being(shape)
    if shape.modal == "can":
        return Triple("cannot" if shape.negated else "can", object_words(f"{shape.form} {rest}"), True)
    return _other(shape)


# Forms in -ing that rows of "be" name ("planning to", "training for", "visiting"): they are tried there first.
_BE_ROWS = wordset(
    """
    planning hoping going intending looking considering saving preparing training thinking getting living searching
    hunting applying trying seeking studying majoring doing dating seeing expecting battling recovering suffering
    """
)


def _by_rows(shape: Shape, rest: str) -> Triple | None:
    """The triple of the first row of the verb that matches what follows it."""
    rows = attributes.table().get(shape.verb)
    for pattern, predicate, flags in rows.from_first(rest) if rows else ():
        found = pattern.fullmatch(rest)
        triple = _from_row(shape, predicate, flags, found) if found else None
        if triple is not None:
            return triple
    return None


def _by_aspect(shape: Shape, aspect: re.Match[str]) -> Triple:
    """ "Started playing the harp" is playing it; "stopped eating meat" is not eating it."""
    form = aspect["base"] or aspect["gerund"]
    base = gerund_base(form) or lemma(form)
    inner = Shape(
        shape.subject_kind, shape.subject, base, base, aspect["rest"], negated=shape.negated != (shape.verb in _ENDS)
    )
    triple = triple_of(inner)
    if shape.verb in ("start", "begin") and triple.predicate == "works_at":
        return replace(triple, predicate="started_job")
    return triple


_POSSESSION = re.compile(
    r"(?:a|an|two|three|four|five|six|\d+|some|my own|no|any) (?!lot\b|bit\b|few\b)", re.IGNORECASE
)


def _other(shape: Shape) -> Triple:
    words = object_words(f"{shape.form} {shape.rest}")
    if shape.verb == "have" and not shape.perfect and not shape.rest.startswith("to "):
        owned = _POSSESSION.match(shape.rest) is not None
        return Triple("owns", object_words(shape.rest), not shape.negated, None, known=owned)
    if shape.past and not shape.negated:
        return Triple("experienced", words, True, None, known=False)
    return Triple("states", words, not shape.negated, None, known=False)


def _from_row(shape: Shape, predicate: str, flags: dict[str, str], found: re.Match[str]) -> Triple | None:
    words = found["o"].strip(_EDGE)
    if not _admits(shape, flags, words):
        return None
    if "drop" in flags:
        return Triple(predicate, words, drop=True)
    if "relation" in flags:
        return _relation(shape, words)
    words = _object_by(shape, flags, words)
    if predicate == "prefers_over":
        words = f"{words} over {object_words(found['o2'])}"
    kind = next((name for name in ("status", "opinion", "fact") if name in flags), None)
    polarity = not shape.negated
    if shape.used_to and predicate in _ATTITUDES:
        polarity = not polarity  # who used to love it does no more (R3)
    elif _over(shape) and predicate not in ("lives_in",):
        predicate, kind = (
            flags.get("past", "experienced"),
            (None if "past" in flags else "fact") if kind != "opinion" else kind,
        )
    elif _over(shape):
        predicate = "lived_in"
    if "quit" in flags:
        return Triple("smokes" if "smok" in words.lower() else "drinks_alcohol", "", False, "fact")
    if shape.modal == "can" and predicate not in ("thinks", "likes") and "onlynegated" not in flags:
        return Triple("can" if polarity else "cannot", object_words(f"{shape.form} {shape.rest}"), True)
    if "negate" in flags:
        polarity = not polarity
    if predicate == "sleeps" and shape.verb == "be" and shape.negated:
        return Triple("states", object_words(shape.rest), False, "fact")
    if "onlynegated" in flags:
        return Triple("avoids_food", words, True, "fact") if not polarity else None
    predicate, polarity = _attitude(predicate, polarity)
    if (
        shape.modal in ("would", "should", "will")
        and predicate in ("likes", "loves", "prefers", "enjoys")
        and shape.rest.startswith("to ")
    ):
        return Triple("wants", words.removeprefix("to "), polarity, "status")
    return Triple(predicate, words, polarity, kind)


_ATTITUDES = frozenset(("likes", "loves", "enjoys", "prefers", "dislikes", "hates"))


def _over(shape: Shape) -> bool:
    """Whether the clause speaks of something that is over: past or "used to", but not the perfect of what lasts."""
    return (shape.past and not shape.perfect and not shape.negated) or shape.used_to


def _attitude(predicate: str, polarity: bool) -> tuple[str, bool]:
    """A negated liking is a dislike: one canonical form for one attitude (R3)."""
    if not polarity and predicate in ("likes", "loves", "enjoys"):
        return "dislikes", True
    if not polarity and predicate in ("dislikes", "hates"):
        return "likes", True
    return predicate, polarity


# Flags that say what the object must hold or how the clause must stand.
_CONDITIONS = wordset("diet condition pet relation instrument sport language progressive commute")


def _admits(shape: Shape, flags: dict[str, str], words: str) -> bool:
    if _CONDITIONS.isdisjoint(flags):
        return True
    low = words.lower()
    tokens = set(_TOKEN.findall(low.replace(" intolerant", "-intolerant")))
    if "diet" in flags:
        return low in lexicon.DIETS or low.removesuffix("s") in lexicon.DIETS
    if "condition" in flags:
        return (
            bool(tokens & lexicon.CONDITIONS)
            or re.search(
                r"\b(?:disease|disorder|syndrome|sclerosis|blood pressure|cholesterol|chronic|intoleran\w+|"
                r"deficiency|apnea)\b",
                low,
            )
            is not None
            or low.endswith(("itis", "osis"))
        )
    if "pet" in flags:
        return bool(_heads(words) & lexicon.PETS) and not re.search(
            r"\b(?:food|person|people|lover|hotel|sitter|walker|skin|figur\w+|shelter|"
            r"(?<!on the )(?<!on a )(?<!on our )(?<!on my )farm|coffee|fish tank|tattoo)\b",
            low,
        )
    if "relation" in flags:
        return bool(_heads(words) & lexicon.RELATIONS.keys())
    if "instrument" in flags:
        return bool(tokens & lexicon.INSTRUMENTS) and not re.search(r"\b(?:hero|games?)\b", low)
    if "sport" in flags:
        return bool(tokens & lexicon.SPORTS)
    if "language" in flags:
        return any(token in lexicon.LANGUAGES or token == "languages" for token in tokens)
    if "progressive" in flags:
        return shape.progressive or shape.past
    return "commute" not in flags or bool(low) or shape.verb == "commute"


_TOKEN = re.compile(r"[\w'-]+")
_HEAD_END = re.compile(r"\b(?:called|named|who|that|which|for|in|at|from|as|to)\b")


def _heads(words: str) -> set[str]:
    """The nouns that may be what a phrase is about: not those inside "called …" or after a preposition."""
    low = _HEAD_END.split(words.lower(), maxsplit=1)[0]
    tokens = _TOKEN.findall(low)
    pairs = {f"{left}-{right}" for left, right in pairwise(tokens)}
    return set(tokens) | pairs


def _object_by(shape: Shape, flags: dict[str, str], words: str) -> str:
    if "object" in flags:
        return flags["object"] if flags["object"] != "self-employed" or not words else words
    if "commute" in flags:
        return commute_mode(f"{shape.verb} {shape.rest}")
    if "place" in flags:
        words = place_words(words)
    if "verbobject" in flags:
        words = (
            f"{shape.form} {words}".strip()
            if not words or shape.verb not in ("paint", "write", "collect", "restore")
            else words
        )
    if "teach" in flags:
        return f"teacher of {words}" if not words.startswith(("at ", "in ", "for ")) else "teacher"
    if "smoke" in flags:
        return "smoking"
    if "alcohol" in flags:
        return "alcohol"
    if "cutso" in flags or "cutwith" in flags:
        words = re.sub(
            r"\s*(?:,?\s+(?:so|because|but|which|that|since|when|with|and (?:i|have|so|always|my))\b).*$",
            "",
            words,
            flags=re.IGNORECASE,
        )
    return object_words(words)


def place_words(words: str) -> str:
    """ "Ballard, a neighbourhood of Seattle" → "Ballard, Seattle"; "the Ballard neighborhood" → "Ballard"."""
    words = _PLACE_CUT.sub("", words).strip(_EDGE)
    after = _AREA_AFTER.match(words)
    if after and (after["name"] or not any(map(is_common_noun, after["typed"].split()))):
        words = after["name"] or after["typed"]
    return _AREA.sub(lambda found: ", " if found.start() else "", words).strip(_EDGE)


_MODES = (
    ("bike", r"\b(?:bik\w*|bicycl\w*|cycl\w*)\b"), ("car", r"\b(?:car|driv\w+)\b"), ("bus", r"\bbus\w*\b"),
    ("train", r"\btrains?\b"), ("metro", r"\b(?:metro|subway|tube|underground)\b"), ("tram", r"\btram\w*\b"),
    ("ferry", r"\bferry\b"), ("scooter", r"\bscoot\w*\b"),
    ("motorbike", r"\bmotor\w+\b"), ("foot", r"\b(?:walk\w*|foot)\b"), ("running", r"\b(?:run|runs|running|jog\w*)\b"),
)  # fmt: skip


def commute_mode(words: str) -> str:
    """How somebody gets to work, in one word, whatever the wording ("bike to work", "cycling is how I commute")."""
    for mode, pattern in _MODES:
        if re.search(pattern, words, re.IGNORECASE):
            return mode
    return object_words(words)


_OBJECT_TAIL = re.compile(
    r"[,\s]+(?:again|every (?:single )?\w+|a lot|lots|very much|so much|much|the most|daily|anymore|any more|"
    r"at all|a bit|most days|all the time|all day|too|as well|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"on weekends|(?:once|twice|\w+ times) (?:a|per) \w+|sometimes|often|usually|in general|before|at least|"
    r"right now|lately|recently|of late|these days)$",
    re.IGNORECASE,
)
_OBJECT_ENDS = (
    "again", "lot", "lots", "much", "the most", "daily", "more", "at all", "a bit", "most days", "the time", "all day",
    "too", "as well", "days", "weekends", "sometimes", "often", "usually", "in general", "before", "at least", "now",
    "lately", "recently", "of late",
)  # fmt: skip
_OBJECT_FREQUENCY = ("every ", "once ", "twice ", " times ")


def object_words(words: str) -> str:
    """An object without its articles, possessives, frequency and closing marks; names and numbers untouched."""
    words = words.replace('"', "").strip(_EDGE)
    for _ in range(2):
        lowered = words.rstrip().lower()
        if not (lowered.endswith(_OBJECT_ENDS) or mentions(lowered, _OBJECT_FREQUENCY)):
            break
        shorter = _OBJECT_TAIL.sub("", words)
        if shorter == words or not shorter:
            break
        words = shorter
    for _ in range(3):
        lead = _LEAD.match(words)
        if not lead or lead.end() == len(words):
            break
        words = words[lead.end() :]
    return words.strip(_EDGE)


def _relation(shape: Shape, words: str) -> Triple | None:
    heads = re.findall(r"[\w'-]+", words.lower())
    pairs = [f"{left}-{right}" for left, right in pairwise(heads)]
    noun = next((word for word in pairs + heads if word in lexicon.RELATIONS), None)
    if noun is None:
        return None
    predicate = lexicon.RELATIONS[noun]
    if predicate == "has_child":
        number = re.match(r"(?:(\d+|[a-z]+) )?(?:\w+ )?(?:kids|children)$", words.lower())
        if number or shape.negated:
            return Triple("has_children", "0" if shape.negated else words, not shape.negated)
    return Triple(predicate, object_words(words), not shape.negated)


def _being(shape: Shape) -> Triple:
    """ "I am …" where no row fits: names, occupations, origins, beliefs, feelings."""
    found = _BE_NOUN.fullmatch(shape.rest)
    words = found["o"].strip(_EDGE) if found else shape.rest
    core = _TAIL.sub("", words).strip(_EDGE)
    polarity = not shape.negated
    head = core.lower().split()[-1] if core else ""
    if shape.progressive:
        return Triple("has_status", words, polarity, None, known=False)
    for words_of, predicate in (
        (lexicon.NATIONALITIES, "has_nationality"), (lexicon.RELIGIONS, "believes_in"),
        (lexicon.POLITICS, "political_view"),
        (lexicon.ORIENTATIONS, "has_orientation"), (lexicon.GENDERS, "has_gender"),
    ):  # fmt: skip
        if core.lower() in words_of or (
            head in words_of
            and len(core.split()) <= 3
            and not (
                predicate == "has_gender" and head in ("guy", "boy", "girl", "man", "woman") and len(core.split()) > 1
            )
        ):
            return Triple(predicate, core, polarity)
    if shape.rest[:1].isupper() and _is_name(core) and core.lower() not in lexicon.NATIONALITIES and not shape.past:
        return Triple("is_named", core, polarity)
    article = shape.rest[:2] in ("a ", "an", "my")
    if not article and core.lower().split(" ")[0] in lexicon.TRANSIENT_STATES and len(words.split()) <= 6:
        return Triple("feels", words, polarity, drop=True)
    if lexicon.is_occupation(core) or _POST.match(core.lower() + words[len(core) :].lower()):
        return Triple("worked_as" if _over(shape) else "works_as", object_words(words), polarity)
    if _IN_PLACE.match(shape.rest):
        return Triple("lived_in" if _over(shape) else "lives_in", place_words(shape.rest.split("in ", 1)[1]), polarity)
    if _AT_PLACE.match(shape.rest):
        # One is at a company or a school, and lives in a town.
        return Triple(
            "worked_at" if _over(shape) else "works_at", object_words(shape.rest.split("at ", 1)[1]), polarity
        )
    if not shape.rest.startswith(("in ", "into ")) and core.lower().split(" ")[-1] in lexicon.FEELINGS:
        return Triple("feels", words, polarity, "status", known=False)
    return Triple("states", object_words(words), polarity, known=False)


_POST = re.compile(
    r"head of|director of|vp of|vice president|chief|in (?:sales|marketing|finance|it|hr|advertising|"
    r"insurance|banking|retail)\b"
)
_IN_PLACE = re.compile(r"(?:been )?in\s+[A-Z]")
_AT_PLACE = re.compile(r"(?:been )?at\s+[A-Z]")


def _is_name(words: str) -> bool:
    parts = words.split()
    return 1 <= len(parts) <= 3 and all(
        part[:1].isupper()
        and part[1:2] != ""
        and part.replace("-", "").replace("'", "").replace(".", "").isalpha()
        and not part.isupper()
        for part in parts
    )


FAVOURITE = re.compile(
    r"(?:all-time |absolute |all time |personal |least |second |current |new |other )*favou?rite ?(.*)", re.IGNORECASE
)


def owned_triple(noun: str, shape: Shape) -> Triple:
    """The triple of "my NOUN is …" and of "my NOUN VERB …"; `noun` is without its possessive."""
    polarity = not shape.negated
    words = object_words(shape.rest)
    favourite = FAVOURITE.fullmatch(noun)
    if favourite and shape.verb == "be":
        least = "least" in noun.lower()
        return Triple("dislikes" if least else "favourite", words, polarity, "opinion")
    owned = attributes.owned()
    predicate = owned.get(noun.lower())
    if predicate is None:
        predicate = next(
            (owned[last] for last in (" ".join(noun.lower().split()[-2:]), noun.lower().split()[-1]) if last in owned),
            None,
        )
    if predicate is None or (predicate == "is_named" and _OWN_NAME.fullmatch(noun.lower()) is None):
        return Triple("states", f"{noun}: {words}", polarity, known=False)
    if predicate == "has_home" and noun.lower() == "home" and shape.verb == "be" and shape.rest[:1].isupper():
        return Triple("lives_in", place_words(shape.rest), polarity)
    if predicate == "has_home" and noun.lower() in _HOMES and shape.verb == "be" and _is_where_home(shape.rest):
        return Triple("lives_in", place_words(shape.rest.split(" ", 1)[1]), polarity)
    if predicate in (
        "works_as",
        "works_at",
        "has_home",
        "drives",
        "uses",
        "owns_business",
        "works_on",
        "member_of",
        "studies_at",
        "exercises",
    ) and not _identifies(noun, shape):
        return Triple(
            "states",
            f"{noun}: {object_words(shape.form + ' ' + shape.rest) if shape.verb != 'be' else words}",
            polarity,
            known=False,
        )
    if predicate == "has_appointment" and not words:
        words = noun
    if predicate in ("wants", "plans"):
        words = words.removeprefix("to ")
    return Triple(predicate, words, polarity, "status" if predicate in STATUSES else None)


# The name of something of one's own is not one's own: "my business name is …".
_OWN_NAME = re.compile(
    r"(?:(?:full|first|last|middle|real|given|birth|legal|maiden|whole|actual|proper|chosen|christian|family) )*"
    r"(?:name|surname)"
)
_HOMES = wordset("home flat apartment house place")
_WHERE_HOME = re.compile(
    r"(?:in|near|outside) (?:[A-Z]|(?P<typed>[a-zß-ÿ]+)$|the [\w' -]+ (?:neighbou?rhood|district|suburb|quarter|"
    r"borough|area)$)"
)


def _is_where_home(rest: str) -> bool:
    """Whether a home is said to be in a named place, typed large or small."""
    found = _WHERE_HOME.match(rest)
    return found is not None and not (found["typed"] and is_common_noun(found["typed"]))


def _identifies(noun: str, shape: Shape) -> bool:
    """Whether "my job is …" says which one it is, rather than how it is."""
    low = shape.rest.lower()
    return shape.verb == "be" and (
        low.startswith(("a ", "an ", "as ", "at ", "on ", "in ", "called ", "the ")) or shape.rest[:1].isupper()
    )
