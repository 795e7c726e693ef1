"""Claims whose subject is something of the user's ("my rent"), a person they know, a project, or a pet (X8)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from models import triples
from models.claims import Claim
from models.triples import Triple
from models.wording import attributes
from models.wording.grammar import Shape, in_third_person, owned_subject, relation_of
from models.wording.lexicon import PETS, PLURAL_RELATIONS, RELATIONS
from models.wording.lists import wordset
from models.wording.own import article, at_new_work, relation_object
from models.wording.scenes import Scene, claim_of, with_model
from models.wording.sentences import sentence
from models.wording.verbs import AUXILIARIES, is_common_noun, third_person

_GENITIVE = re.compile(r"^(?P<owner>(?:[Mm]y|[Oo]ur) .+?|[A-Z][\w ]*?)(?:'s|s'|') (?P<noun>.+)$")


def of_owned(scene: Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
    """Claims of "my NOUN …": a relation or a pet and what is said of it, or an attribute of the user."""
    genitive = _GENITIVE.match(said.subject)
    if genitive:
        relation = relation_of(
            genitive["owner"] + ("s" if said.subject[genitive.end("owner") :].startswith("s'") else "")
        )
        if relation:
            yield from _of_relatives_thing(scene, said, bare, relation, genitive["noun"])
            return
    relation = relation_of(said.subject)
    if relation:
        yield from _of_relative(scene, said, bare, relation)
        return
    if said.verb == "be" and not said.past and not said.negated:
        yield from at_new_work(scene, said.subject)
    venture = _VENTURE.match(said.subject)
    if venture:
        what = venture["what"].lower()
        subject = f"Project {venture['name']}" if what == "project" else venture["name"]
        if what == "project":
            yield from _of_project(scene, said, bare, subject, venture["noun"])
            return
        if what in _WORKPLACES:
            predicate = "owns_business" if what in ("startup", "start-up") else "works_at"
            called = f"{owned_subject(said.subject[: venture.start('name')].rstrip(' ,'))} is called {venture['name']}"
            yield claim_of(scene, Triple(predicate, venture["name"], True, "fact"), called, "user")
        triple = triples.triple_of(bare)
        if not triple.drop:
            yield claim_of(scene, with_model(scene, triple), sentence(said, subject, of_user=False), subject)
        return
    if re.search(r"\b(?:who|that|which)\b", said.subject) or _not_own(said.subject):
        return
    noun = re.sub(r"^(?:my|our) (?:own |new |current |old |little )?", "", said.subject, flags=re.IGNORECASE)
    triple = triples.owned_triple(noun, bare)
    if triple.predicate == "is_named" and said.verb == "be":
        yield claim_of(
            scene,
            triple,
            f"User is called {_name_in(said.rest)}"
            if not said.negated
            else sentence(said, owned_subject(said.subject), of_user=False),
            "user",
        )
        return
    yield claim_of(scene, with_model(scene, triple), sentence(said, owned_subject(said.subject), of_user=False), "user")


_NAME_END = re.compile(
    r"[\s,.]*(?:,|\.|\b(?:and|but|nice|what|how|I|i|so|from|pleased|glad|good|great|im|it|who|by the way|here|is|"
    r"what's|"
    r"just|thanks|lol|haha|you|but)\b).*$"
)


def _name_in(words: str) -> str:
    """A name without what was said in the same breath: "Tracy, nice to meet you" → "Tracy"."""
    return _NAME_END.sub("", words) or words


_WORKPLACES = ("startup", "start-up", "company", "employer", "firm")
_VENTURE = re.compile(
    r"^(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?(?P<what>project|startup|start-up|company|app|team|employer|firm|band|product|"
    r"game),? (?P<name>[A-Z]\w+(?: [A-Z]\w+)*),?(?:(?<=\w)'s (?P<noun>.+))?$"
)


def _not_own(subject: str) -> bool:
    return (
        re.match(
            r"^(?:my|our) (?:question|request|problem|issue|point|guess|bad|mistake|apologies|order|error|code|"
            r"first request|next question|last question|god|goodness)\b",
            subject,
            re.IGNORECASE,
        )
        is not None
    )


_NAMES = re.compile(r"[A-Z][\w'’-]+(?:(?:, | and |, and | & )[A-Z][\w'’-]+)+")


# "User has a mum" tells nothing; and "an eldest" is no sentence.
_EVERYBODY_HAS = wordset(
    """
    mum mom mother dad father parents mommy daddy mama papa grandmother grandfather grandma grandpa grandparents nan
    granny eldest oldest youngest
    """
)


# What a family has or keeps its members do: "my family owns a vineyard".
_DONE_TOGETHER = frozenset(
    ("own", "have", "keep", "run", "breed", "raise", "grow", "farm", "celebrate", "speak", "foster")
)


def _of_relative(scene: Scene, said: Shape, bare: Shape, relation: tuple[str, str, str]) -> Iterator[Claim]:
    noun, predicate, name = relation
    name = name.removesuffix("'s")
    if noun == "family" and not name and said.verb in _DONE_TOGETHER:
        triple = triples.triple_of(bare)
        yield claim_of(scene, triple, sentence(said, owned_subject(said.subject), of_user=False), "user")
        return
    called = re.match(r"^(?:called|named)\s+(?P<name>.+)$", said.rest, re.IGNORECASE) if said.verb == "be" else None
    if called:
        named = "pet_named" if predicate == "has_pet" else predicate
        yield claim_of(
            scene,
            Triple(named, called["name"], not said.negated, "fact"),
            sentence(said, owned_subject(said.subject), of_user=False),
            "user",
        )
        return
    if said.verb == "die" or (said.verb == "pass" and said.rest.split(" ", 1)[0] in ("away", "on")):
        triple = triples.triple_of(bare)
        dead = Triple("states", f"{noun} {triple.object}", triple.polarity, triple.kind)
        whose = "user" if predicate == "has_pet" else name or noun
        yield claim_of(scene, dead, sentence(said, owned_subject(said.subject), of_user=False), whose)
        return
    plural = noun in PLURAL_RELATIONS or (noun in PETS and noun.endswith("s") and noun[:-1] in PETS)
    triple = triples.triple_of(bare)
    if (
        not name
        and said.verb == "be"
        and (triple.predicate == "is_named" or _NAMES.fullmatch(said.rest))
        and not said.negated
    ):
        named = "pet_named" if predicate == "has_pet" else predicate
        content = sentence(said, owned_subject(said.subject), of_user=False)
        yield claim_of(scene, Triple(named, said.rest, True, "fact"), content, "user")
        return
    if name:
        yield claim_of(
            scene,
            Triple(predicate, relation_object(predicate, noun, name), True, "fact"),
            f"User has {article(noun)} {noun} called {name}",
            "user",
        )
    elif not said.past and noun not in (
        *_EVERYBODY_HAS,
        "family",
        "boss",
        "manager",
        "landlord",
        "doctor",
        "teacher",
        "neighbour",
        "neighbor",
    ):
        kinds = noun if plural else f"{article(noun)} {noun}"
        yield claim_of(scene, Triple(predicate, noun, True, "fact"), f"User has {kinds}", "user")
    if triple.drop:
        return
    if predicate == "has_pet":
        yield claim_of(
            scene,
            Triple("states", f"{noun} {triple.object}", triple.polarity, triple.kind),
            sentence(said, owned_subject(said.subject), of_user=False),
            "user",
        )
        return
    subject = name or noun
    yield claim_of(
        scene, with_model(scene, triple), sentence(said, name or owned_subject(said.subject), of_user=False), subject
    )


def _of_relatives_thing(
    scene: Scene, said: Shape, bare: Shape, relation: tuple[str, str, str], noun: str
) -> Iterator[Claim]:
    """ "My wife's name is Jo", "my daughter's birthday is on May 3", "my brother's dog is old"."""
    kin, predicate, name = relation
    subject_words = owned_subject(said.subject)
    if noun.lower() in ("name", "names") and said.verb == "be":
        named = "pet_named" if predicate == "has_pet" else predicate
        owner = owned_subject(re.sub(r"(?:'s|') names?$", "", said.subject))
        be = "are" if kin in PLURAL_RELATIONS else third_person(said.form)
        yield claim_of(
            scene,
            Triple(named, said.rest, not said.negated, "fact"),
            f"{owner} {be} {'not ' if said.negated else ''}called {said.rest}",
            "user",
        )
        return
    if noun.split()[-1].lower() in RELATIONS:
        return
    if name:
        yield claim_of(
            scene,
            Triple(predicate, relation_object(predicate, kin, name), True, "fact"),
            f"User has {article(kin)} {kin} called {name}",
            "user",
        )
    triple = triples.owned_triple(noun, bare)
    yield claim_of(scene, with_model(scene, triple), sentence(said, subject_words, of_user=False), name or kin)


_MINE = re.compile(r"^(?:one of )?(?:my|our)\s+(?P<noun>.+)$", re.IGNORECASE)
_COMMUTE_HOW = re.compile(
    r"^how I (?:commute|get (?:to work|around|to the office)|go to work|travel to work)", re.IGNORECASE
)
_COMMON_STARTS = wordset(
    """
    sounds looks seems thanks that there what so yes no well maybe just good great nice cool wow sorry please
    everything nothing something anything everyone people life music work school things one most some both all
    any
    """
)


_NAMES_SELF = re.compile(r"\b(?:my|me|I|we|our|us|mine|myself)\b")
_REACTS = wordset(
    """
    sounds sound looks seems thanks thank that there what so sorry please hope hopefully glad nice good great cool wow
    congrats congratulations let do does tell ask if maybe wish not only just when while mostly because since although
    though everytime whenever neither nor either thats no nah nope yes yeah ugh shoot reminds oh
    haha lol well even like as
    """
)
_PUTS_OFF = re.compile(
    r"(?:(?:is|are) not for me|bores? me|annoys? me|irritates? me|disgusts? me|drives? me (?:crazy|mad|nuts))", re.I
)
_SPEAKERS = ("I", "we", "my", "our")
_TO_OTHER = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_MOVES_ME = re.compile(
    r"^(?:makes me (?P<how>happy|sad|angry|sick|anxious|nervous|smile|cry)|(?:is|are) not for me|"
    r"calms? me(?: down)?|relax(?:es)? me|(?:bore|scare|annoy|irritate|disgust)s? me|drives? me (?:crazy|mad|nuts))",
    re.IGNORECASE,
)


def of_named(scene: Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
    """ "Emma lives in Munich", "Project Atlas uses Convex"; and the user's own: "Ramen is my favourite food"."""
    subject = said.subject
    if said.verb == "be" and not said.past and not said.negated:
        yield from at_new_work(scene, subject)
    project = _PROJECT.match(subject) if "roject" in subject else None
    if project:
        yield from _of_project(scene, said, bare, f"Project {project['name'] or project['named']}", project["noun"])
        return
    mine = _MINE.match(said.rest) if said.verb == "be" else None
    if mine:
        yield from _mine(scene, said, subject, mine["noun"])
        return
    if said.verb == "be" and _COMMUTE_HOW.match(said.rest) and not said.negated:
        mode = triples.commute_mode(subject)
        yield claim_of(
            scene,
            Triple("commutes", mode, True, "fact"),
            f"User commutes {'on foot' if mode == 'foot' else 'by ' + mode}",
            "user",
        )
        return
    liked = _MOVES_ME.match(f"{said.form} {said.rest}")
    if liked and subject.split()[0].lower() not in _COMMON_STARTS:
        yield claim_of(
            scene,
            Triple(
                *(
                    ("dislikes", triples.object_words(subject))
                    if _PUTS_OFF.match(f"{said.form} {said.rest}") and not said.negated
                    else ("thinks", in_third_person(f"{subject} {said.form} {said.rest}", of_user=False))
                ),
                not said.negated,
                "opinion",
            ),
            sentence(said, subject[:1].upper() + subject[1:], of_user=False),
            "user",
        )
        return
    if scene.reading.subject == "user" or said.subject_kind == "other":
        first = subject.split()[0].lower()
        if _NAMES_SELF.search(f"{subject} {said.rest}") and _stands(said):
            yield _retold(scene, said, bare)
        elif _known_name(scene, subject):
            yield from _of_other(scene, said, bare, subject)
        elif (
            scene.reading.kind == "opinion"
            and said.subject_kind != "pronoun"
            and first not in _COMMON_STARTS
            and first not in _REACTS
            and said.verb in _JUDGES
            and said.subject.split()[-1] not in _SPEAKERS
        ):
            yield claim_of(
                scene,
                Triple("thinks", f"{subject[:1].lower() + subject[1:]} {said.form} {said.rest}", True, "opinion"),
                f"User thinks {_lowered(subject)} {sentence(said, '', of_user=False)}",
                "user",
            )
        return
    yield from _of_other(scene, said, bare, subject)


_JUDGES = wordset("be look sound taste smell feel seem suck rock rule deserve need")


def _known_name(scene: Scene, subject: str) -> bool:
    """Whether the subject is the name of somebody that the user has called theirs: "my dog Fifi", "our son is Max"."""
    if not subject[:1].isupper() or " " in subject or scene.reading.confidence < _SURE_OF_NAME:
        return False
    introduced = re.compile(_INTRODUCES.format(re.escape(subject)))
    said = (text for role, text in scene.utterance.context if role == "user")
    return any(
        subject in text and introduced.search(text) for text in (*said, scene.utterance.text[: scene.clause.start])
    )


_PROJECT = re.compile(
    r"^(?:[Tt]he )?(?:[Pp]roject (?P<name>[A-Z]\w*)|(?P<named>[A-Z]\w*) [Pp]roject)(?:'s (?P<noun>.+))?$"
)


def _of_project(scene: Scene, said: Shape, bare: Shape, project: str, noun: str | None) -> Iterator[Claim]:
    """ "The Lantern project runs on Redis", "project Lantern's launch date is …": the project's, by one name."""
    triple = triples.owned_triple(noun, bare) if noun else triples.triple_of(bare)
    if triple.predicate == "exercises":  # a project that runs is no sport
        triple = Triple("states", triples.object_words(f"{bare.form} {bare.rest}"), not bare.negated, known=False)
    if not triple.drop:
        subject = f"{project}'s {noun}" if noun else project
        yield claim_of(scene, with_model(scene, triple), sentence(said, subject, of_user=False), project)


_SURE_OF_NAME = 0.8
_INTRODUCES = (
    r"\b(?:[Mm]y|[Oo]ur) (?:[a-z-]+ ){{1,3}}(?:is |called |named |is called |is named |name is |'s name is )?{0}\b"
)


def _stands(said: Shape) -> bool:
    """Whether a sentence about something else stands alone: no reaction, no half of one, no friend's trait (X7)."""
    words = said.subject.lower().split()
    return (
        words[0] not in _REACTS
        and (words[0] not in AUXILIARIES or words[0] == "being")
        and said.subject.split()[-1] not in _SPEAKERS
        and RELATIONS.keys().isdisjoint(words)
        and said.rest not in ("me", "us", "my", "")
        and _TO_OTHER.search(f"{said.subject} {said.rest}") is None
    )


def _retold(scene: Scene, said: Shape, bare: Shape) -> Claim:
    """What the user tells of something in their life, as told: "The office where User works is closed on Fridays"."""
    content = sentence(said, in_third_person(said.subject, of_user=False), of_user=False)
    words = in_third_person(triples.object_words(f"{said.subject} {bare.form} {bare.rest}"), of_user=False)
    content = f"{content[:1].upper()}{content[1:]}"
    return claim_of(scene, with_model(scene, Triple("states", words, not said.negated, known=False)), content, "user")


def _lowered(subject: str) -> str:
    words = subject.split()
    return subject if len(words) > 1 and words[1][:1].isupper() else subject[:1].lower() + subject[1:]


def _of_other(scene: Scene, said: Shape, bare: Shape, subject: str) -> Iterator[Claim]:
    if subject.split()[0].lower() in _COMMON_STARTS:
        return
    genitive = _GENITIVE.match(subject)
    if genitive and not genitive["owner"].lower().startswith(("my ", "our ")):
        triple = triples.owned_triple(genitive["noun"], bare)
        yield claim_of(scene, with_model(scene, triple), sentence(said, subject, of_user=False), genitive["owner"])
        return
    triple = triples.triple_of(bare)
    if not triple.drop:
        yield claim_of(scene, with_model(scene, triple), sentence(said, subject, of_user=False), subject)


def _mine(scene: Scene, said: Shape, subject: str, noun: str) -> Iterator[Claim]:
    """ "Ramen is my favourite food", "Anna is my sister", "Knitting is my passion": the user's, from the other end."""
    noun = noun.strip(" .,")
    content = sentence(said, subject, of_user=False)
    favourite = triples.FAVOURITE.fullmatch(noun)
    if favourite:
        least = noun.lower().startswith("least")
        words = triples.object_words(subject)
        several = said.rest.lower().startswith("one of") or (
            noun.endswith("e") and said.form == "are" and " " not in noun
        )
        be = "is" if said.form == "are" and not noun.endswith("s") else said.form
        yield claim_of(
            scene,
            Triple("dislikes" if least else "favourite", words, not said.negated, "opinion"),
            content
            if several
            else f"User's {noun} {be} {'not ' if said.negated else ''}{_object_case(scene, subject)}",
            "user",
        )
        return
    attitude = _ATTITUDE_NOUN.search(noun)
    if attitude:
        predicate = "hates" if attitude["hate"] else "loves"
        yield claim_of(
            scene, Triple(predicate, triples.object_words(subject), not said.negated, "opinion"), content, "user"
        )
        return
    relation = relation_of(f"my {noun}")
    if relation and not relation[2]:
        yield claim_of(
            scene,
            Triple(relation[1], relation_object(relation[1], relation[0], subject), not said.negated, "fact"),
            content,
            "user",
        )
        return
    owned = attributes.owned()
    predicate = owned.get(noun.lower().split(" of ")[0], owned.get(noun.lower().split()[-1], ""))
    if predicate in (
        "has_hobby",
        "fears",
        "dislikes",
        "works_as",
        "comes_from",
        "wants",
        "speaks",
        "supports_team",
        "plays_instrument",
        "plays_sport",
    ):
        yield claim_of(scene, Triple(predicate, triples.object_words(subject), not said.negated), content, "user")
        return
    yield claim_of(
        scene,
        with_model(scene, Triple("states", f"{triples.object_words(subject)}: {noun}", not said.negated, known=False)),
        content,
        "user",
    )


# "Opera is one of my great loves", "mushrooms are my pet hate"
_ATTITUDE_NOUN = re.compile(
    r"^(?:(?:great|big|biggest|real|true|first|old|new|absolute|guilty|secret|pet|little) )*(?:(?:loves?|joys?|"
    r"delights?|"
    r"pleasures?|favou?rite things)|(?P<hate>(?<=pet )(?:hates?|peeves?)|bugbears?))$",
    re.IGNORECASE,
)


def _object_case(scene: Scene, subject: str) -> str:
    """A subject as it stands mid-sentence: a common word that opened the clause loses its capital, a name keeps it."""
    words = subject.split()
    if len(words) == 1 and is_common_noun(words[0]) and scene.clause.text.startswith(subject):
        return subject.lower()
    return subject


def of_there(scene: Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
    """ "There are five people in my family": the user's only if it says so."""
    if re.search(r"\b(?:my|our|me|us)\b", said.rest, re.IGNORECASE):
        yield claim_of(
            scene,
            with_model(scene, Triple("states", triples.object_words(bare.rest), not said.negated, known=False)),
            sentence(said, "There", of_user=False),
            "user",
        )
