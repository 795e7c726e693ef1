"""Claims whose subject is "I" or "we": what the clause states, and what it takes for granted (X2, X8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from models import triples
from models.claims import Claim
from models.triples import Triple
from models.wording.grammar import Shape, in_third_person
from models.wording.lexicon import PETS, PLURAL_RELATIONS, RELATIONS, is_occupation
from models.wording.lists import mentions
from models.wording.scenes import Scene, claim_of, with_model
from models.wording.sentences import sentence
from models.wording.verbs import COMMON


def of_user(scene: Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
    """Claims of "I …"; `said` holds the dates as content says them, `bare` none."""
    said, bare = _gotten(said), _gotten(bare)
    presupposed = list(_presupposed(scene, said))
    if said.progressive and _ERRAND.match(f"{said.form} {said.rest}"):
        yield from presupposed
        return
    company = _company(said.subject)
    parts = list(_listed(bare))
    if company or (len(parts) > 1 and said.rest != bare.rest):
        parts = [bare]
    for part in parts:
        triple = triples.triple_of(part)
        if not triple.known and part.rest != said.rest:
            whole = triples.triple_of(said)
            triple = whole if whole.known else triple
        if triple.drop and _LASTING.isdisjoint(part.adverbs):
            return
        shown = replace(said, rest=part.rest) if len(parts) > 1 else said
        content = _canonical(triple, shown) or sentence(shown)
        if company:
            content = f"{content} with {company}"
        yield claim_of(scene, triple if presupposed else with_model(scene, triple), content, "user")
    yield from presupposed


# "I was given a hamster for Christmas": there is one since.
_GIVEN = re.compile(
    r"(?:given|gifted|left|brought|handed) (?P<what>(?:an?|two|three|four|\d) (?:[\w-]+ ){0,3}?[\w-]+)"
    r"(?= (?:for|by|from|as|on|at|last|this|in|called|named|yesterday|today|when|to)\b|$)"
)
_TOKENS = re.compile(r"[\w-]+")
# "I'm writing on behalf of my father": what the message is for.
_ERRAND = re.compile(
    r"(?:writing|calling|asking|messaging|emailing|texting|contacting you|getting in touch|reaching out|enquiring|"
    r"inquiring)"
    r"(?: (?:to you|this|today|here))?(?: (?:for my|on behalf|about|regarding|because|in the name|concerning)\b|$)"
)
_LASTING = frozenset(("always", "usually", "often"))


def _gotten(shape: Shape) -> Shape:
    """ "I got a dog" says that there is one: "User has a dog"; "have got" is "have"."""
    if shape.verb in ("be", "get") and shape.past and (given := _GIVEN.match(shape.rest)) and not shape.negated:
        if _TOKENS.findall(given["what"].lower())[-1] in PETS:
            return replace(shape, verb="have", form="have", rest=given["what"], auxiliaries=(), past=False)
        return shape
    if shape.verb != "get":
        return shape
    if shape.perfect and shape.form.lower() == "got" and shape.negated:
        return replace(shape, verb="have", form="have", auxiliaries=("do",), perfect=False, past=False)
    if shape.perfect and shape.form.lower() == "got":
        return replace(shape, verb="have", form="have", auxiliaries=(), perfect=False, past=False)
    words = set(re.findall(r"[\w-]+", shape.rest.lower()))
    if (
        words & (PETS | RELATIONS.keys())
        and re.match(r"(?:a|an|two|three|another|\d|my (?:first|own|new))\b", shape.rest.lower())
        and not shape.negated
        and not shape.auxiliaries
        and not shape.used_to
    ):
        return replace(shape, verb="have", form="have", auxiliaries=(), past=False, perfect=False)
    return shape


def _company(subject: str) -> str:
    """ "My wife and I" → "their wife": the user's claim keeps who shares it."""
    found = _AND_I.match(subject) if subject.endswith(" and I") else None
    return in_third_person(found[1], of_user=True) if found else ""


_AND_I = re.compile(r"^([Mm]y .+?|[A-Z][\w'’-]+),? and I$")
_ITEMS = re.compile(r",? (?:and|or|&) |, ")
_NOT_ITEM = re.compile(
    r"\b(?:to|in|at|on|of|with|for|from|by|who|which|that|when|because|is|are|have|between|both|all|lot|more|"
    r"than|about|other|my|their|his|her|it|them|so|very|too|not|as)\b",
    re.IGNORECASE,
)
_PAIRS = re.compile(
    r"\b(?:rock and roll|rock & roll|rock 'n' roll|mac and cheese|fish and chips|salt and (?:pepper|vinegar)|"
    r"peanut butter and jelly|bed and breakfast|rhythm and blues|drum and bass|black and white|arts and crafts|"
    r"dungeons and dragons|dungeons & dragons|r and b|r&b|country and western|gin and tonic|ham and cheese|"
    r"bacon and eggs|biscuits and gravy|track and field|tom and jerry|rick and morty|law and order|"
    r"pros and cons|his and hers|"
    r"hide and seek|trial and error|health and safety|pride and prejudice|war and peace|wine and cheese|"
    r"macaroni and cheese|spaghetti and meatballs|[A-Z]\w+ (?:and|&) [A-Z]\w+ (?:Ltd|Inc|Co|Company))\b",
    re.IGNORECASE,
)


_LIST_MARKS = (" and ", " or ", " & ")


def _listed(shape: Shape) -> Iterator[Shape]:
    """A list of plain objects as one clause each: two likings are two facts (R7). Anything less plain stays whole."""
    if not mentions(shape.rest, _LIST_MARKS):
        yield shape
        return
    triple = triples.triple_of(shape)
    if triple.predicate not in triples.LIST_PREDICATES or not triple.known or _PAIRS.search(shape.rest):
        yield shape
        return
    at = shape.rest.lower().find(triple.object.lower())
    tail = shape.rest[at:] if at >= 0 else ""
    if at < 0 or tail.lower() != triple.object.lower():
        yield shape
        return
    items = [item.strip() for item in _ITEMS.split(tail) if item.strip()]
    plain_items = all(
        len(item.split()) <= (5 if " called " in item or " named " in item else 3)
        and not _NOT_ITEM.search(item)
        and not _verb_start(item, index)
        for index, item in enumerate(items)
    )
    if len(items) < 2 or len(items) > 8 or not plain_items:
        yield shape
        return
    lead = shape.rest[:at]
    article = re.search(r"(?:^|\s)(a|an|the|some|two|three)\s*$", lead, re.IGNORECASE)
    bare_lead = lead[: article.start(1)] if article else lead
    for index, item in enumerate(items):
        yield replace(shape, rest=f"{lead}{item}" if index == 0 else f"{bare_lead}{item}".strip())


def _verb_start(item: str, index: int) -> bool:
    words = item.lower().split()
    return len(words) > 1 and words[0] in COMMON and index > 0


_AT_WORK = re.compile(
    r"\b(?:my (?:\w+ )?|(?P<new>the new ))(?:job|work|position|role|internship|gig|post|posting) (?P<how>at|with|for|"
    r"as)\s+(?P<where>(?:an? |"
    r"the )?[\w&'’. -]+?)(?= (?:and|but|because|so|since|for|in|which|that|very|a lot|now|these)\b|[,.;]|$)",
    re.IGNORECASE,
)
_AS_A = re.compile(r"^(?:as|being) (?P<what>an? [\w -]+)$", re.IGNORECASE)
_WITH_CHILDREN = re.compile(
    r"^(?:\w+ )?(?:married|divorced|single|engaged|widowed)\b.*?\bwith (?P<what>(?:a |an |one |two |"
    r"three |four |five |\d+ |no |\w+ ){1,3}?(?:kids?|children|child|sons?|daughters?|boys?|girls?|"
    r"twins|baby|babies))\b"
)
_OWNING = ("my ", "our ", "the new ")
# Whoever feels so about "the new job at …" has it; one may want, see or apply for another's.
_OF_ONES_OWN = frozenset(("love", "like", "enjoy", "adore", "hate", "dislike", "start", "begin"))
_NAMED_RELATION = re.compile(
    r"\b(?:my|our) (?P<noun>"
    + "|".join(
        sorted(
            (re.escape(word.replace("-", " ")) for word in {*RELATIONS, *PETS} if word not in PLURAL_RELATIONS),
            key=len,
            reverse=True,
        )
    )
    + r")(?:,)? (?P<name>[A-Z][a-z\w'’-]+)\b(?!'s)"
)


def _presupposed(scene: Scene, said: Shape) -> Iterator[Claim]:
    """What the clause takes for granted of the user: "my job at the startup", "as a nurse I…", "married with twins"."""
    if said.negated:
        return
    owning = mentions(said.rest.lower(), _OWNING)
    found = _AT_WORK.search(said.rest) if owning else None
    if found and not _past_work(said) and (not found["new"] or said.verb in _OF_ONES_OWN):
        yield from _works_at(scene, found)
    if said.fronted:
        role = _AS_A.match(said.fronted)
        if role and is_occupation(role["what"]):
            yield claim_of(
                scene,
                Triple("works_as", triples.object_words(role["what"]), True, "fact"),
                f"User is {role['what']}",
                "user",
            )
    with_children = _WITH_CHILDREN.match(said.rest) if said.verb == "be" else None
    if with_children:
        what = with_children["what"].strip()
        triple = triples.triple_of(Shape("user", "I", "have", "have", what))
        yield claim_of(scene, triple, f"User has {what}", "user")
    named = _NAMED_RELATION.search(said.rest) if owning else None
    if named:
        noun = named["noun"].lower()
        predicate = RELATIONS.get(noun.replace(" ", "-"), "has_pet" if noun in PETS else "knows_person")
        yield claim_of(
            scene,
            Triple(predicate, relation_object(predicate, noun, named["name"]), True, "fact"),
            f"User has {article(noun)} {noun} called {named['name']}",
            "user",
        )


def at_new_work(scene: Scene, subject: str) -> Iterator[Claim]:
    """What "my new job at the pottery is a dream" takes for granted, whatever is said of it."""
    if not mentions(subject.lower(), _OWN_WORK_GATE):
        return
    found = _AT_WORK.fullmatch(subject)
    if found:
        yield from _works_at(scene, found)


_OWN_WORK_GATE = (" at ", " with ", " for ", " as ")


def _works_at(scene: Scene, found: re.Match[str]) -> Iterator[Claim]:
    where = re.sub(r"^the (?=[a-z])", "a ", found["where"])
    where = re.sub(r"^a (?=[aeiou])", "an ", where)
    how = found["how"].lower()
    predicate = "works_as" if how == "as" else "works_at"
    yield claim_of(
        scene,
        Triple(predicate, triples.object_words(where), True, "fact"),
        f"User works {'as' if how == 'as' else 'at'} {where}",
        "user",
    )


def _past_work(said: Shape) -> bool:
    return said.past or said.verb in ("leave", "quit", "lose", "resign", "miss")


_AGE = re.compile(r"\d{1,3}|[a-z]+(?:[- ][a-z]+)?")


def _canonical(triple: Triple, shape: Shape) -> str | None:
    """Fixed wording where the user's own would not stand alone or would hide the attribute."""
    if triple.predicate == "is_named" and shape.verb == "be" and shape.rest[:1].isupper() and not shape.negated:
        return f"User is called {triple.object}"
    if triple.predicate == "is_aged" and shape.verb == "be" and not shape.past and _AGE.fullmatch(shape.rest):
        return f"User is {shape.rest} years old" if not shape.negated else None
    return None


def article(noun: str) -> str:
    """The indefinite article of a noun."""
    return "an" if noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "eu")) else "a"


def relation_object(predicate: str, noun: str, name: str) -> str:
    """The object of a relation: a person's name; of a pet also its kind."""
    return f"{noun} {name}" if predicate == "has_pet" else name
