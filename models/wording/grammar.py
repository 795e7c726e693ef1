"""The shape of one plain English clause: subject, auxiliaries, negation, verb and the rest; and its third person.

The rules lean on word order, not on a parser: what people say of themselves starts with its subject and has its verb
right after it. A clause of any other shape gives `Shape.subject_kind` "other", and the caller leaves it out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from models.wording.lexicon import PETS, RELATIONS
from models.wording.lists import mentions, wordset
from models.wording.verbs import BE, DO, HAVE, MODALS, is_adverb, is_finite, is_past, lemma, third_person


@dataclass(frozen=True, slots=True)
class Shape:
    """A clause taken apart. `subject` is as said ("I", "my friend Oskar"); `rest` what follows the verb, first person.

    `subject_kind`: user (I, we), owned (my …), named (a name, a project), pronoun (it, he, they), you, there, other.
    `verb` is a lemma; `form` the word said. `fronted` is an adverbial before the subject ("in my spare time").
    """

    subject_kind: str
    subject: str
    verb: str
    form: str
    rest: str
    auxiliaries: tuple[str, ...] = ()
    negated: bool = False
    never: bool = False
    adverbs: tuple[str, ...] = ()
    fronted: str = ""
    past: bool = False
    perfect: bool = False
    progressive: bool = False
    used_to: bool = False

    @property
    def modal(self) -> str:
        """The first modal auxiliary, or ""."""
        return next((word for word in self.auxiliaries if word in MODALS), "")


_FRONT_WORDS = (
    r"^((?:(?i:in|on|at|for|during|after|before|since|every|each|most|outside|besides|apart from|"
    r"once|twice|three times|four times|five times|these days|"
    r"nowadays|currently|recently|lately|"
    r"(?:early |late )?(?:mornings|evenings|afternoons|nights|days|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)days|summers|winters|springs|autumns|term[- ]times?)(?= (?:I|we|my|and|or)\b|,)|"
    r"sometimes|usually|now|today|as an?|as the|back in|from|last|this|next|once|with|thanks to|until|"
    r"right now|at the moment|at present|despite|by|as of|through|throughout|"
    r"because of|most of|on top of|unlike|compared to|like most)\b[^.;!?]{0,70}?|(?i:when|while|whenever|before|"
    r"after|because|until|once|"
    r"now that|since|as|although|though) "
    r"(?:I|we|my|it|he|she|they|the|you) [^.;!?]{2,70}?)),?\s+"
)
_FRONTED_I = re.compile(_FRONT_WORDS + r"(?=(?:I|we)\s)")
_FRONTED = re.compile(_FRONT_WORDS + r"(?=(?:my|our)\s)")
_OWN_AFTER_FRONT = (" I ", " we ", " my ", " our ")
_TRIM = " ,;:.!?-–—"
_CONTENTLESS_FRONTS = re.compile(
    r"^(?:these days|nowadays|currently|right now|at the moment|at present|now|recently|lately|now that|"
    r"as of now|besides|on top of that|then|at this point|for now)$",
    re.IGNORECASE,
)
# "Mornings I drive a minibus": the time of a habit, bare.
_OFTEN_FRONTS = re.compile(
    r"(?P<part>(?:early |late )?(?:mornings|evenings|afternoons))|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|"
    r"weekdays",
    re.IGNORECASE,
)
_AFTER_VERB = wordset("no the a an my to like in on at for with from it me us his her their its as very too every")
_NAME = re.compile(r"^[^\W\d_][\w'’.-]*$")
_DETERMINERS = wordset(
    """
    the a an this that these those both all one some most
    """
)


@lru_cache(maxsize=2048)
def shape_of(text: str) -> Shape | None:
    """The shape of a plain clause (see spelling.plain and stripped), or None where no subject and verb are found."""
    fronted = ""
    found = None
    if not text.startswith(("I ", "we ", "We ")) and mentions(text, _OWN_AFTER_FRONT):
        found = _FRONTED_I.match(text) or _FRONTED.match(text)
    if found:
        fronted = found[1].strip(_TRIM)
        text = text[found.end() :].strip()
        if _CONTENTLESS_FRONTS.match(fronted):
            fronted = ""
        elif (often := _OFTEN_FRONTS.fullmatch(fronted)) is not None:
            fronted = f"{'in the' if often['part'] else 'on'} {fronted if often['part'] else fronted.capitalize()}"
    words = text.split()
    if len(words) < 2:
        return None
    kind, length = _subject(words)
    if not length or length >= len(words):
        return None
    return _predicate(kind, " ".join(words[:length]).strip(","), words[length:], fronted)


def _subject(words: list[str]) -> tuple[str, int]:
    """The kind of subject at the start, and how many words it takes."""
    first = words[0].strip(",").lower()
    if first in ("i", "we"):
        length = 2 if len(words) > 2 and words[1].lower() in ("both", "all", "guys") else 1
        return "user", length
    if first in ("my", "our"):
        length = _noun_phrase(words)
        joined = [word.lower() for word in words[:length]]
        if "i" in joined:
            return "user", length
        return "owned", length
    if first in ("it", "he", "she", "they", "this", "that", "these", "those", "his", "her", "their", "its", "hers"):
        return "pronoun", _noun_phrase(words) if first in (
            "his",
            "her",
            "their",
            "its",
            "this",
            "that",
            "these",
            "those",
        ) else 1
    if first in ("you", "your", "u"):
        return "you", 1 if first != "your" else _noun_phrase(words)
    if first in ("there", "here"):
        return "there", 1
    if first == "project" or (words[0][:1].isupper() and _NAME.match(words[0].strip(","))):
        length = _noun_phrase(words)
        return "user" if words[1:3] == ["and", "I"] and length == _NAME_AND_I else "named", length
    return "other", _noun_phrase(words)


_NAME_AND_I = 3


def _noun_phrase(words: list[str]) -> int:
    """The number of words before the finite verb; 0 where none comes within twelve words."""
    for index in range(1, min(len(words), 13)):
        word = words[index].lower().strip(",")
        before = words[index - 1].lower()
        if _is_month(words, index):
            continue
        if word in BE or word in MODALS or (word in HAVE | DO and before not in ("to",)):
            if word in ("can", "will", "may", "might") and before in ("my", "our", "the", "a"):
                continue
            return index
        if word == "i" or before in (
            "my",
            "our",
            "the",
            "a",
            "an",
            "his",
            "her",
            "their",
            "its",
            "your",
            "of",
            "in",
            "at",
            "to",
            "and",
            "with",
            "for",
        ):
            continue
        if words[index][:1].isupper() and index < len(words) - 1 and not word.endswith("s"):
            continue
        if is_adverb(word) and index + 1 < len(words) and is_finite(words[index + 1]):
            return index
        if _verb_after_noun(words, index):
            return index
    return 0


def _is_month(words: list[str], index: int) -> bool:
    """Whether a "May" is the month: after a preposition or before a day."""
    if words[index].strip(",") not in ("May", "may"):
        return False
    after = words[index + 1] if index + 1 < len(words) else ""
    return after[:1].isdigit() or (words[index] == "May" and words[index - 1].lower() in _BEFORE_MONTH)


_BEFORE_MONTH = wordset("in on since until till by of from last next this early late")


def _may_be_finite(words: list[str], index: int) -> bool:
    """Whether a word after a noun can be its verb: a common one, a past form, or a third person before a complement."""
    word = words[index].lower().strip(",")
    if is_finite(word) or word in _PAST_AS_BASE:
        return True
    if word.endswith("ed") or (is_past(word) and not word.endswith("ing")):
        return lemma(word) != word
    following = words[index + 1].lower() if index + 1 < len(words) else ""
    return word.endswith("s") and lemma(word) != word and following in _AFTER_VERB


def _verb_after_noun(words: list[str], index: int) -> bool:
    word = words[index].lower().strip(",")
    if not _may_be_finite(words, index) or (index == len(words) - 1 and lemma(word) == word and not is_past(word)):
        return False
    following = [each.lower().strip(",") for each in words[index + 1 : index + 4]]
    if "may" in following and _is_month(words, index + 1 + following.index("may")):
        following.remove("may")
    later_verb = any(each in BE or each in MODALS or each in ("has", "had", "does", "do") for each in following)
    base = lemma(word) == word and not is_past(word)
    head = words[index - 1].lower()
    plural = (
        head.endswith("s")
        or head in ("family", "i", "we", "children", "people", "and", "both", "who")
        or "and" in [each.lower() for each in words[:index]]
    )
    if base and not plural:
        return word in _PAST_AS_BASE and bool(following) and following[0] in _AFTER_PUT
    relative = head in ("i", "we", "you", "they", "he", "she", "who", "which", "that")
    if relative and index > 1:  # "the flat we rent allows no pets"
        later_verb = later_verb or any(
            each.endswith("s") and lemma(each) != each and after in _AFTER_VERB for each, after in pairwise(following)
        )
    return not (later_verb and (relative or word not in _TAKES_CLAUSE))


# Pasts that look like their base: "my husband put up a fence".
_PAST_AS_BASE = wordset("put set cut hit let hurt read beat shut split bet cost spread")
_AFTER_PUT = _AFTER_VERB | wordset(
    "this that these those some up down out off aside together back over my his her their our me us him them"
)
# What another verb may follow within its own clause: "my sister used to do pottery".
_TAKES_CLAUSE = wordset(
    """
    said says thinks think thought wants want wanted told loves love likes like used needs need needed tried tries try
    decided learned learnt helped helps makes made lets asked asks hopes hope hated hates plans plan started
    """
)


def _predicate(kind: str, subject: str, words: list[str], fronted: str) -> Shape | None:
    auxiliaries: list[str] = []
    adverbs: list[str] = []
    negated = never = used_to = False
    index = 0
    while index < len(words):
        word = words[index].lower().strip(",")
        following = words[index + 1].lower() if index + 1 < len(words) else ""
        if word in ("not", "n't", "never", "hardly", "barely", "no") and not (word == "no" and not auxiliaries):
            if word == "no":
                break
            negated, never = True, never or word == "never"
        elif word == "used" and following == "to":
            used_to, index = True, index + 1
        elif word == "cannot":
            auxiliaries.append("can")
            negated = True
        elif word in MODALS or (word in BE | HAVE | DO and _is_auxiliary(word, words[index + 1 :])):
            auxiliaries.append(word)
        elif (
            word == "since" and auxiliaries[-1:] in (["have"], ["has"]) and following and lemma(following) != following
        ):
            pass  # "have since relocated"
        elif is_adverb(word) and following and word not in ("not",) and not (auxiliaries[-1:] == ["be"] and False):
            adverbs.append(words[index])
        else:
            break
        index += 1
    if index >= len(words):
        return None
    form = words[index].strip(",")
    rest = " ".join(words[index + 1 :]).strip(_TRIM)
    verb = lemma(form)
    progressive = bool(auxiliaries) and form.lower().endswith("ing") and any(word in BE for word in auxiliaries)
    if form.lower() in BE:
        verb = "be"
    rest, late_negation = _negation_in(verb, rest)
    if verb == "be":
        rest = _LATE_ADVERBS.sub("", rest)
    past = (
        (not auxiliaries and is_past(form))
        or any(word in ("was", "were", "did", "had") for word in auxiliaries)
        or used_to
    )
    perfect = any(word in ("have", "has", "had") for word in auxiliaries)
    return Shape(
        kind,
        subject,
        verb,
        form,
        rest,
        tuple(auxiliaries),
        negated or late_negation,
        never,
        tuple(adverbs),
        fronted,
        past,
        perfect,
        progressive,
        used_to,
    )


_LATE_ADVERBS = re.compile(
    r"^(?:(?:actually|also|just|honestly|basically|literally|simply|now|currently|"
    r"still) )+(?=\S)",
    re.IGNORECASE,
)


def _is_auxiliary(word: str, following: list[str]) -> bool:
    """Whether be, have or do is an auxiliary of what follows, adverbs and negation aside."""
    rest = [each.lower().strip(",") for each in following]
    while rest and (rest[0] in ("not", "never", "since") or (is_adverb(rest[0]) and len(rest) > 1)):
        rest = rest[1:]
    if not rest:
        return False
    after = rest[0]
    if word in DO:
        return (
            after not in DO
            and lemma(after) == after
            and (is_finite(after) or after in ("be",))
            and after not in ("the", "a", "my", "it")
            and (
                "not" in following[:2]
                or after not in ("research", "work", "exercise", "volunteer", "stand", "dance", "study", "box")
            )
        )
    if word in BE:
        return (
            after.endswith("ing")
            and lemma(after) != after
            and after
            not in (
                "interesting",
                "boring",
                "willing",
                "nothing",
                "something",
                "anything",
                "everything",
                "amazing",
                "during",
            )
        )
    if after == "been" or after == "had":
        return True
    return word in HAVE and lemma(after) != after and not after.endswith(("ing", "s")) and _participle(after)


_NOT_PARTICIPLES = wordset(
    """
    red hundred kindred tired mixed married left used bored twisted
    """
)


def _participle(word: str) -> bool:
    return word not in _NOT_PARTICIPLES or word in ("used",)


def _negation_in(verb: str, rest: str) -> tuple[str, bool]:
    """Negation after "be" or "have": "am not a vegan", "have no children"; the rest comes back without it."""
    low = rest.lower()
    if verb == "be" and low.startswith(("not ", "never ")):
        return rest.split(" ", 1)[1], True
    if verb in ("have", "eat", "drink", "own", "know", "speak") and low.startswith(("no ", "zero ")):
        return rest.split(" ", 1)[1], True
    return rest, False


_OBJECT_PRONOUNS = {
    "my": "their", "me": "them", "mine": "theirs", "myself": "themselves", "our": "their", "us": "them",
    "ours": "theirs",
    "ourselves": "themselves", "i": "they", "we": "they", "ourself": "themselves",
}  # fmt: skip
_OTHER_PRONOUNS = {
    "my": "User's", "me": "User", "mine": "User's", "myself": "User", "our": "User's", "us": "User", "ours": "User's",
    "ourselves": "User", "i": "User", "we": "User",
}  # fmt: skip
_FIRST = re.compile(
    r"\b(I|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Oo]ur|[Uu]s|[Oo]urs|[Oo]urselves|[Ww]e)\b(?:\s+((?:am|was|have|"
    r"do)\b(?! not\b)|[a-z]+))?"
)
_LETTERS = re.compile(r"[A-Za-z]+")
_FIRST_WORDS = frozenset(
    form
    for word in ("my", "me", "mine", "myself", "our", "us", "ours", "ourselves", "we")
    for form in (word, word.capitalize())
) | {"I"}
_THEY_VERBS = {"am": "are", "was": "were", "has": "have"}


def in_third_person(text: str, of_user: bool) -> str:
    """First-person words of a clause's remainder in the third: "my job" → "their job" (`of_user`) or "User's job"."""
    table = _OBJECT_PRONOUNS if of_user else _OTHER_PRONOUNS

    def replaced(found: re.Match[str]) -> str:
        pronoun = found[1].lower()
        if found[1] == "US":
            return found[0]
        word, verb = table[pronoun], found[2]
        if verb is None:
            return word
        if pronoun in ("i", "we"):
            if of_user:
                verb = _THEY_VERBS.get(verb, verb)
            elif is_finite(verb):
                verb = third_person(verb)
        return f"{word} {verb}"

    return text if _FIRST_WORDS.isdisjoint(_LETTERS.findall(text)) else _FIRST.sub(replaced, text)


def owned_subject(subject: str) -> str:
    """ "my friend Oskar" → "User's friend Oskar"; other possessives inside follow."""
    words = subject.split()
    return in_third_person(" ".join(words), of_user=False)


def relation_of(subject: str) -> tuple[str, str, str] | None:
    """(relation, predicate, name) of "my friend Oskar", "my best friend", "my dog Biscuit": name may be empty."""
    words = [word.strip(",") for word in subject.split()]
    if not words or words[0].lower() not in ("my", "our"):
        return None
    for index in range(1, len(words)):
        noun = words[index].lower()
        compound = f"{noun}-{words[index + 1].lower()}" if index + 1 < len(words) else ""
        width = 2 if compound in RELATIONS or compound in PETS else 1
        noun = compound if width == 2 else noun
        if noun in RELATIONS or noun in PETS:
            name = " ".join(words[index + width :])
            if name and not all(word[:1].isupper() for word in name.split() if word not in ("van", "de", "von")):
                return None
            predicate = RELATIONS.get(noun, "has_pet")
            return noun.replace("-", " ") if width == 2 else noun, predicate, name
    return None
