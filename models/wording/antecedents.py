"""What a pronoun stands for: the nearest fitting thing said before it, in the message first, then in its context (X3).

The answer is put in place as first-person English ("his name is Tofu" → "my dog's name is Tofu"), so that the rest of
the rules need to know nothing of pronouns. Where nothing fits, nothing is said: a claim must stand alone.
"""

from __future__ import annotations

import re

from models.claims import Utterance
from models.wording.lexicon import FEMALE, MALE, PETS, PLURAL_RELATIONS, RELATIONS
from models.wording.lists import mentions, wordset
from models.wording.spelling import plain
from models.wording.topics import topic_of
from models.wording.verbs import (
    AUXILIARIES,
    gerund,
    gerund_base,
    is_adverb,
    is_base,
    is_finite,
    is_noun,
    is_past,
    singular,
)

_NOUNS = "|".join(sorted((word.replace("-", "[- ]") for word in {*RELATIONS, *PETS}), key=len, reverse=True))
_BEING = re.compile(
    rf"\b(?:(?P<det>my|our|a|an|the|another|two|three|four|\d+|"
    rf"some) )(?P<adj>(?:[a-z-]+ ){{0,2}}?)(?P<noun>{_NOUNS})\b(?!'s\b)(?:,? (?:called |named |is called |"
    rf"is named )?(?P<name>[A-Z][\w'’-]+))?",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"\b(?P<name>(?:(?:[Mm]y|[Oo]ur) )?(?:[Pp]roject|Team|Operation) [A-Z]\w*|"
    r"(?:[Tt]he )?[A-Z]\w+ (?:Labs|Inc|Ltd|GmbH|Corp|[Pp]roject|App)|"
    r"(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?(?:app|product|game|tool|site|website|service|platform|startup|start-up) [A-Z]\w*)\b"
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
_COMMON_PLACE = re.compile(
    r"\b(?:at|in|to)\s+(?P<place>(?:the|a|an)\s+(?:[a-z'-]+ ){0,2}?(?!morning|evening|afternoon|weekend|future|past|"
    r"moment|"
    r"day|week|month|year|summer|winter|spring|fall|end|same|time|way|lot|bit|mood|middle|beginning|age)[a-z'-]+)"
    r"(?=[.,!?]|$| (?:and|but|with|every|on|for|when|because|last|this|next|as)\b)"
)
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


_MY_FAVOURITE = ("my favor", "my favou")
_BARE_FAVOURITE = re.compile(r"^my favou?rite(?P<many>s)?(?: ones?)? (?=(?:is|are|was|would)\b)", re.IGNORECASE)
_KIND_ASKED = re.compile(
    r"\bfavou?rite (?P<noun>[\w'-]+(?: [\w'-]+)?)(?= (?:to|of|in|from|that|by)\b|[?.!,]|$)", re.IGNORECASE
)
_KIND_SAID = re.compile(
    r"\b(?:all|different|many|some|other|kinds?|types?|lots?|sorts?)(?: (?:kinds?|types?|sorts?|different))*(?: of)? "
    r"(?:different )?(?:kinds? of |types? of |sorts? of )?(?P<noun>(?:(?:video|board|card|tv|"
    r"action) )?[a-z]+)(?=[,.!?]| but\b|$)",
    re.IGNORECASE,
)


def _of_kind(text: str, bare: re.Match[str], before: str, utterance: Utterance) -> str:
    """ "My favourite is jazz" with its kind, where it was said or asked: "I like all music, but my favourite is "
    "jazz"."""
    role, said = utterance.context[-1] if utterance.context else ("", "")
    asked = list(_KIND_ASKED.finditer(said)) if role in ("assistant", "peer") else []
    found = asked or list(_KIND_SAID.finditer(before))
    if not found or found[-1]["noun"].lower().split()[0] in ("is", "are", "and", "or", "too", "of", "was"):
        return text
    noun = found[-1]["noun"].lower()
    if not bare["many"] and noun.endswith("s") and not noun.endswith("ss"):
        noun = singular(noun)
    return f"my favorite {noun} {text[bare.end() :]}"


_MINE_IS = re.compile(r"^mine (?=[a-z]+\b)", re.IGNORECASE)
_THEIRS_DOES = re.compile(
    r"(?:^|[.!?] |, |\b(?:and|but|so) )(?:my|our) (?P<noun>(?:[a-z-]+ )?[a-z-]+)(?= (?:is|was|are|were|has|have|"
    r"had|does|"
    r"did|just|also|always|never|still|can|cannot|will|would|[a-z]+(?:ed|s))\b)",
    re.IGNORECASE,
)
_OWNED_TOPIC = re.compile(
    r"\b(?:my|your) (?P<noun>(?:favou?rite )?[\w-]+(?: [\w-]+)?)(?= (?:is|was|are|were|has|have|does|just|also)\b|"
    r"[?.!,]|$)",
    re.IGNORECASE,
)


_TO_DO_STARTS = (" do that", " do this", " to", " do the same", " do so", " those things", " these things")
_THOSE_THINGS = re.compile(
    r"^(?P<head>(?:I|we) (?:(?:also|really|just) )*(?:like|love|enjoy)) (?:to do|doing) (?:all (?:of )?)?(?:those|"
    r"these) things$"
)
_LISTED_DEEDS = re.compile(
    r"\bI (?:also |really |just )*(?P<verb>like|love|enjoy) (?P<deeds>(?:to [a-z]+|[a-z]+ing)\b[^.!?]*)", re.IGNORECASE
)
_OTHERS_OWN = re.compile(
    r"\b(?:my (?!friends\b|family\b)|our|me|us|your?|it|them|him|her|there|that|this|I)\b", re.IGNORECASE
)


def _with_deeds(text: str, told: list[str]) -> str | None:
    """ "I like to do those things" with the things that the other said they like to do, if they listed them last."""
    found = _THOSE_THINGS.match(text)
    if found is None:
        return text
    said = list(_LISTED_DEEDS.finditer(told[0])) if told else []
    if not said or _OTHERS_OWN.search(said[-1]["deeds"]):
        return None
    return f"{found['head']} {said[-1]['deeds'].strip()}"


_INFINITIVE_SAID = re.compile(
    r"\b(?:I|we|you) (?:[a-z]+ )?(?:like|love|want|wanted|hope|try|tried|plan|prefer|used|decided|learned|learnt|"
    r"started|"
    r"get|got|need|dream of being able) to (?P<deed>[a-z]+(?: [\w'-]+){1,8})(?=[.,!?]|$)",
    re.IGNORECASE,
)
_GERUND_SAID = re.compile(
    r"\b(?:I am|I was|you are|I (?:also |really )?(?:love|like|enjoy|hate)) (?P<deed>[a-z]+ing(?: [\w'-]+){0,8})"
    r"(?=[.,!?]|$)",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    r"(?P<before>^(?:I|we)\b.* (?:to|can|could|cannot|will|would|never|often|usually|always)) do (?:that|this|so|the "
    r"same)"
    r"$|(?P<open>^I (?:have always wanted|always wanted|would love|would like|want|plan|hope|used|try|need|love|"
    r"like) to)$"
)


def _with_deed(text: str, told: list[str]) -> str:
    """ "I have always wanted to", "I like to do that": with what the other said they do, if it was their last word."""
    found = _OPEN_END.match(text)
    for place in told if found else ():
        said = [*_INFINITIVE_SAID.finditer(place), *_GERUND_SAID.finditer(place)]
        if not said or found is None:
            break
        last = _NOW_END.sub("", max(said, key=lambda each: each.start())["deed"]).split()
        deed = gerund_base(last[0]) if last[0].endswith("ing") else last[0]
        if deed is None or _OF_OTHERS.search(" ".join(last)):
            break
        return f"{found['before'] or found['open']} {' '.join([deed, *last[1:]])}"
    return text


_TELLS = re.compile(
    r"(?:^|(?<=[.!?,;] )|(?<=\band ))I (?:also |really |mostly |usually |still |just |currently )*(?P<verb>am|[a-z]+) "
    r"(?P<rest>[\w' -]+?)(?=[.,!?;]|$)"
)
_NO_DEED = wordset(
    """
    was did have had do will would can could should think know guess mean hope like love hate want need feel agree
    see am
    """
)


def done_as_said(said: str, deed: str | None) -> str | None:
    """What the user said that they do, after "I have": "been teaching maths"; `deed`: only that verb, in -ing.

    None where it was not said, or its object stands for something else again.
    """
    for found in reversed(list(_TELLS.finditer(said))):
        verb, rest = found["verb"], found["rest"]
        if verb == "am" and deed is None and re.match(r"an? [a-z]", rest):
            return f"been {rest}"
        if verb == "am" and rest.split(" ")[0].endswith("ing"):
            verb, _, rest = rest.partition(" ")
        elif verb in _NO_DEED or not is_base(verb):
            continue
        else:
            verb = gerund(verb)
        if deed is not None and verb != deed:
            continue
        rest = _NOW_END.sub("", rest)
        if rest == "it" or rest.startswith("it "):
            learnt = topic_of(said[: found.start()], "it", True)
            rest = f"{learnt}{rest[2:]}" if learnt else ""
        return f"been {verb} {rest}" if rest and not _REST_PRONOUN.search(rest) else None
    return None


_NOW_END = re.compile(
    r" (?:right now|now|today|tonight|at the moment|currently|these days|tomorrow|again|too)$", re.IGNORECASE
)
_OF_OTHERS = re.compile(r"\b(?:my|our|me|us|your|you|it|them|him|her|there|that|this|be)\b", re.IGNORECASE)


def _of_mine(text: str, before: str, utterance: Utterance) -> str | None:
    """ "Mine is blue" after "my favourite colour is red" or "what is your favourite colour?"."""
    role, said = utterance.context[-1] if utterance.context else ("", "")
    verb = text[5:].split(" ", 1)[0].lower()
    pattern = _OWNED_TOPIC if verb in AUXILIARIES else _THEIRS_DOES
    for place in (before, plain(said) if role in ("assistant", "peer") else ""):
        nouns = [found["noun"] for found in pattern.finditer(place)]
        if nouns and (verb in AUXILIARIES or ((is_finite(verb) or is_past(verb)) and _agrees(nouns[-1], text))):
            return f"my {nouns[-1]} {text[5:]}"
    return None


def _agrees(noun: str, text: str) -> bool:
    """Whether what is said with he or she of "mine" can be of that relative."""
    last = noun.rsplit(" ", 1)[-1].lower()
    words = set(text.lower().split())
    return not (last in FEMALE and words & {"he", "his", "him"}) and not (last in MALE and words & {"she", "her"})


def resolved(text: str, before: str, utterance: Utterance) -> str | None:
    """A plain clause with its pronouns replaced; None where one stands for something unknown.

    `before` is what stands before it in the message, as typed.
    """
    if text[:5].lower() == "mine " and _MINE_IS.match(text):
        return _of_mine(text, plain(before), utterance)
    if text[:8].lower() in _MY_FAVOURITE and (bare := _BARE_FAVOURITE.match(text)):
        text = _of_kind(text, bare, plain(before), utterance)
    if text.endswith(_NEEDS_OF_WHAT):
        return _allergic_to_what(text, plain(before))
    if text[:4].lower() == "the " or text.lower().startswith(_PROJECT_PARTS):
        text = _of_project(text, before, utterance)
    role, last = utterance.context[-1] if utterance.context else ("", "")
    if text.endswith(_TO_DO_STARTS) and role in ("assistant", "peer"):
        deeds = _with_deeds(_with_deed(text, [plain(last)]), [plain(last)])
        if deeds is None:
            return None
        text = deeds
    subject = None if text.startswith(("I ", "my ")) else _SUBJECT_PRONOUN.match(text)
    if (" her " in text or " his " in text) and _SPEAKS.match(text):
        text = _with_named_owner(text, utterance, before)
    if (" his " in text or " her " in text) and text.startswith(("I ", "we ")):
        text = _with_owner_before(text, before)
    if " here" in text and role in ("assistant", "peer"):
        text = _in_place_asked(text, plain(last))
    theirs = " their " in text and _SPEAKS.match(text) is not None
    pointed = mentions(text, _POINTED_GATE) and not text.startswith(_POINTED_GATE)
    if pointed and (at := _POINTED_AT.search(text)):
        named = _named_thing(at, utterance, before)
        if named is None:
            return None
        text = f"{text[: at.start()]}{named}{text[at.end() :]}"
    if not subject and not theirs and not _REST_PRONOUN.search(text):
        return text
    own = [plain(before), *(plain(words) for role, words in reversed(utterance.context[-4:]) if role == "user")]
    told = [plain(last)] if role in ("assistant", "peer") else []
    if subject:
        replaced = (
            _with_subject(text, subject, own, told)
            or _of_one_known(text, subject, told, utterance)
            or _about_me(text, subject, own, told)
        )
        if replaced is None:
            return None
        text = replaced
    if theirs:
        owned = _with_owner(text, own, told)
        if owned is None:
            return None
        text = owned
    if not _REST_PRONOUN.search(text):
        return text
    text = _ASIDE_END.sub("", _HANGING_PHRASE.sub("", text))
    whole = (
        _with_objects(text, own, told)
        or _with_one_known(text, told, utterance)
        or _without_hanging_end(text, own, told)
    )
    if whole and _UNKNOWN_OWNER.search(whole) and not _BEING.search(whole):
        return None
    return whole


_NEEDS_OF_WHAT = (" am allergic", " are allergic", " is allergic", " deathly allergic", " very allergic")
_NOT_EATEN = re.compile(
    r"\b(?:cannot|can not|do not|never|must not|should not) (?:have|eat|drink|touch|go near) "
    r"(?P<what>(?:[\w'-]+ ){0,2}?[\w'-]+)[,.!; ]*(?:because|since|as|for)?$|"
    r"(?:^|[:;,.!] |\b(?:and|but|because|since|so) )(?P<cause>(?:[\w'-]+ ){0,2}?[\w'-]+) (?:always |"
    r"really )?(?:brings?|makes?|"
    r"gives?|sets?) (?:me|my) [\w' -]+[,.!; ]*(?:because|since|as|so|and)?$",
    re.IGNORECASE,
)


def _allergic_to_what(text: str, before: str) -> str | None:
    """ "I cannot have cashews, I am allergic" with what to; None where it was not just said."""
    found = _NOT_EATEN.search(before)
    what = (found["what"] or found["cause"]) if found else None
    if not what or _PRONOUN_INSIDE.search(what):
        return None
    return f"{text} to {what[:1].lower()}{what[1:]}"


_PRONOUN_INSIDE = re.compile(
    r"\b(?:it|he|she|they|who|which|what|you|that|them|this|those|these|any|some|to)\b", re.IGNORECASE
)
_POINTED_GATE = ("that ", "those ", "these ", "this ", " ones", " one")
_POINTED_AT = re.compile(
    r"\b(?P<share>(?:all|some|one|both|most|many|any|each) (?:of )?)?(?:that|(?P<many>those|these)|this) (?:same )?"
    r"(?:movies?|films?|shows?|series|books?|songs?|bands?|albums?|games?|places?|city|country|teams?|dish|"
    r"restaurants?|"
    r"artists?|actors?|genres?|sports?|singers?|authors?|stuff|things?|foods?|flavou?rs?|bars?|stores?|shops?|"
    r"channels?|"
    r"cars?)(?= (?:too|so|as|when|because|and|but|since|growing|a|very|all|every|for|in|at|last|with|myself)\b|"
    r"[,.!]|$)|"
    r"\b(?P<what>an? (?!other |only |special |loved )[a-z]+ one|(?!(?:the|these|those|my|loved|little|other|young|"
    r"dear) )"
    r"[a-z]+ ones)(?= (?:too|so|as|when|because|and|but|since|for|in|at|last|with)\b|[,.!]|$)",
    re.IGNORECASE,
)
_IS_LIST = re.compile(r"^[A-Z]|, | and ")
_NO_LIST = re.compile(r"\b[A-Z]$| and .* and |^the [^,]* and [^,]* [a-z]+$")
_WHOLE = ("", "all of ", "all ", "both ", "both of ")
_TITLED = re.compile(
    r"(?:(?<=[a-z,] )(?:(?:The|A) )?[A-Z][\w'&-]+|(?:^|(?<=[.!?] ))(?!I |My |We |You |But |And |So |Oh |Yes |No )"
    r"(?!Unfortunately|Sadly|Actually|Yeah|Also|Well|Then|When|Luckily|Have|Do|Is|"
    r"Are)[A-Z][\w'&-]+(?= [A-Z]\w))(?:,? (?:(?:of|the|de|in|to|a) ){0,2}(?:[A-Z][\w'&-]+|\d+))*"
)


def _named_thing(found: re.Match[str], utterance: Utterance, before: str) -> str | None:
    """What "that movie" or "those bands" means: the only name, or list of names, that was just said; else nothing."""
    if found["what"] or (found["share"] or "").lower() not in _WHOLE:
        return None
    last = utterance.context[-1][1] if utterance.context else ""
    for place in (plain(before), plain(last)):
        if found["many"]:
            listed = topic_of(place, "those", False) if place else None
            if listed:
                return listed if _IS_LIST.search(listed) and not _NO_LIST.search(listed) else None
            continue
        names = _QUOTED_TITLE.findall(place) or _TITLED.findall(place)
        names = list(dict.fromkeys(each for each in names if each not in _NOT_NAMES))
        if names:
            return names[0] if len(names) == 1 and "," not in names[0] else None
    return None


_QUOTED_TITLE = re.compile(r'"([^"]{2,60}?)[.,!?]?"')
_SPEAKS = re.compile(r"^(?:I|we|We)\b")
_OWNERS_INSIDE = re.compile(
    r"\b(?:my|our|the|people|kids|children|students|friends|clients|customers|(?!always|this|does|is|was|has|"
    r"us)[a-z]{3,}s|"
    r"[A-Z]\w+)\b.* their ",
)


def _with_owner(text: str, own: list[str], told: list[str]) -> str | None:
    """ "I love their music" with whose it is, which in the third person would else read as the user's own."""
    if _OWNERS_INSIDE.search(text[2:]):
        return text
    owner = _topic("their", own, told)
    if owner is None:
        return None
    if " and " in owner:
        return re.sub(r" their ([\w-]+)", rf" the \1 of {owner}", text, count=1)
    return text.replace(" their ", f" {owner}'{'' if owner.endswith('s') else 's'} ", 1)


_OWNED_BY_ONE = re.compile(
    r"(?<= )(?:her|his) (?=(?:new |first |latest |last |old )?(?:music|songs?|voice|books?|movies|films|work|"
    r"shows?|albums?|"
    r"lyrics|concerts?|art|paintings|novels?|stories|poetry|acting|style|roles?)\b)"
)


def _with_named_owner(text: str, utterance: Utterance, before: str) -> str:
    """ "I love her voice" of the one artist that was just named."""
    found = _OWNED_BY_ONE.search(text)
    if found is None or _OWNERS_INSIDE.search(f"{text[2 : found.start()]} their "):
        return text
    last = utterance.context[-1][1] if utterance.context else ""
    names = {each for each in _TITLED.findall(f"{plain(last)} {plain(before)}") if each not in _NOT_NAMES}
    if len(names) != 1:
        return text
    return f"{text[: found.start()]}{_owner(names.pop())} {text[found.end() :]}"


_HIS_THING = re.compile(r"\b(?P<whose>his|her) (?=[a-z])")


def _with_owner_before(text: str, before: str) -> str:
    """ "I inherited his watch" of the one person that the message speaks of before."""
    found = _HIS_THING.search(text)
    if found is None or (found["whose"] == "her" and not _HER_POSSESSIVE.match(text, found.start())):
        return text
    if not before.strip() or _BEING.search(text, 0, found.start()) or re.search(r" [A-Z]", text[: found.start()]):
        return text
    being = _being_for(found["whose"], plain(before))
    return f"{text[: found.start()]}{_owner(being)} {text[found.end() :]}" if being else text


_LIVES_HERE = re.compile(
    r"\b(?:live|lives|lived|living|been|stay|staying|work|working|based|born|raised|grew up|study|studying|settled) "
    r"here\b"
)
_PLACE_ASKED = re.compile(
    r"\b(?:how do you (?:like|find)|how is|how are you (?:liking|finding)|living in|live in|in) "
    r"(?P<place>[A-Z][\w'’-]+(?:[ ,]+[A-Z][\w'’-]+)*)[^?]*\?",
    re.IGNORECASE,
)


def _in_place_asked(text: str, asked: str) -> str:
    """ "I have been living here since 2020" with the place that was just asked about."""
    found = _LIVES_HERE.search(text)
    place = _PLACE_ASKED.search(asked) if found else None
    if found is None or place is None or not place["place"][:1].isupper():
        return text
    return f"{text[: found.end() - 4]}in {place['place']}{text[found.end() :]}"


_HANGING_END = re.compile(
    r",? (?:but|because|and|so|since|when|whenever|as|even though|though|if|until|while|which|before|after) "
    r"(?:(?:I|we) [\w' ]*?)?(?:it|they|that|he|she|there|this|them)\b.*$",
    re.IGNORECASE,
)
_HANGING_PHRASE = re.compile(
    r" because of (?:it|that|them|this)$|(?<=\w\w) (?:about|for|over) (?:it|that)(?= (?:\w+ times|every|all|since|once|"
    r"twice)\b)",
    re.IGNORECASE,
)
_ASIDE_END = re.compile(
    r",? (?:but|and|so|because|as) (?:it|that|they|this) (?:(?:always|really|just|also|all) )?(?:looks?|sounds?|"
    r"seems?|is|was|"
    r"are|were|can be|would be|has been) (?:so |really |very |a lot of |lots of |like |such |a |pretty |quite |super |"
    r"great |to be )*(?:fun|cool|good|great|interesting|nice|amazing|awesome|exciting|delicious|relaxing|hard|tough|"
    r"easy|"
    r"rewarding|beautiful|worth it|blast|way|challenging|busy|work|crazy|scary|yummy|tasty)\b.*$",
    re.IGNORECASE,
)
_STANDS_WORDS_MIN = 4


def _without_hanging_end(text: str, own: list[str], told: list[str]) -> str | None:
    """The clause without an end that hangs on something unknown: "I take photos because of it" → "I take photos"."""
    found = _HANGING_END.search(text)
    if not found or len(text[: found.start()].split()) < _STANDS_WORDS_MIN:
        return None
    kept = text[: found.start()]
    return _with_objects(kept, own, told) if _REST_PRONOUN.search(kept) else kept


_UNKNOWN_OWNER = re.compile(r"^(?:I|we)\b.*\b(?:his|hers|theirs)\b|^(?:I|we)\b.*\bher [a-z]", re.IGNORECASE)
_SAYS_WHICH = re.compile(
    r"^(?:is|are|was) (?:called|named|located|based|written|in [A-Z]|in [a-zß-ÿ]+$|on the|near|at [A-Z]|"
    r"my (?:least )?favou?rite|due|due on|made|built|a (?!great|good|nice|beautiful|lovely|bit|lot|shame|pity|"
    r"must|fun|really|very|long|hard|big|small|classic|mess|joke|thing|way|dream|pleasure|while|challenge|bad|"
    r"real|wonderful|fantastic|perfect|pretty|little)\w+)|"
    r"^(?:uses?|runs? on|launch\w*|ships?|starts? on|ends? on|opens? on|has (?:a|two|three|four|\d)|belongs|"
    r"costs|weighs)\b",
)


_PROJECT_DOES = re.compile(
    r"^(?:(?:also|still|now|currently|already|will|should|must|can|is going to|is set to|is supposed to|is meant to|"
    r"is scheduled to|only) )*(?:go(?:es)?|launch|ship|deploys?|targets?|supports?|serves?|needs?|depends?|relies|rely|"
    r"talks?|connects?|stores?|handles?|comes? out|rolls? out|closes?|keeps?|be|"
    r"(?:is|was|has been|be) (?:[a-z]+(?:ed|en)|built|live|due|open[- ]source|set|run|led|about|for|an?)) ",
    re.IGNORECASE,
)
_PART_OF_PROJECT = re.compile(
    r"^the (?P<part>(?:(?:first|public|private|closed|open|soft|hard|final|next) )*(?:beta|alpha|launch|release|"
    r"deadline|"
    r"demo|go-live|mvp|pilot|kick-?off|code freeze|version|prototype|rollout|deploy|deployment|due date|launch date|"
    r"release date|backend|frontend|front end|back end|database|repo|server|client|api|app|site|code|v\d)) "
    r"(?=(?:is|are|was|will|has|goes|[a-z]+s)\b)",
    re.IGNORECASE,
)


_PROJECT_PARTS = ("deadline", "launch", "release", "go-live", "due date", "beta", "kickoff", "kick-off")
# "Deadline for Kestrel is oct 1"
_PART_OF_NAMED = re.compile(
    r"^(?:[Tt]he )?(?P<part>(?i:deadline|launch date|launch|release date|release|go-live|due date|beta|demo|"
    r"kick-?off)) (?:for|of) "
    r"(?P<project>(?i:(?:my |our |the )?project ))?(?P<name>[A-Z]\w*) (?=(?:is|was|will|has|falls)\b)"
)


def _project_in(places: list[str]) -> str | None:
    """The project last named in one of the places, the nearest first."""
    return next((found[-1]["name"] for place in places if (found := [*_PROJECT.finditer(place)])), None)


def _of_project(text: str, before: str, utterance: Utterance) -> str:
    """ "The beta launches in May" of a project that was just spoken of: "Project Fern's beta launches in May"."""
    found = _PART_OF_PROJECT.match(text)
    named = _PART_OF_NAMED.match(text) if found is None else None
    if found is None and named is None:
        return text
    last = next((said for role, said in reversed(utterance.context) if role == "user"), "")
    if named is not None:
        known = named["project"] or f"roject {named['name']}" in f"{last} {before}"
        return f"Project {named['name']}'s {named['part'].lower()} {text[named.end() :]}" if known else text
    project = _project_in([before, last])
    if found is None:
        return text
    return f"{project}'s {text[found.start('part') :]}" if project else text


_IS_MINE = re.compile(
    r"^(?:is|are|was|were) (?:(?:also|still|probably|actually|definitely|easily|really|both|always|by far) )*"
    r"(?:(?:one|some|two) of )?(?:mine$|my (?:(?:absolute|all-time|all time|least|very|new) )*(?:favou?rite|dream|"
    r"passion|"
    r"hobby|thing|jam|guilty pleasure)|a (?:passion|hobby|dream) of mine)",
    re.IGNORECASE,
)


_IS_OTHER_KIN = re.compile(r"(?:is|are|was|were) (?:actually |really |just )?my \w+s?[.!]*$", re.IGNORECASE)


def _with_subject(text: str, found: re.Match[str], own: list[str], told: list[str]) -> str | None:
    word = found[1].lower()
    rest = text[found.end() :].strip()
    if _IS_MINE.match(rest) and word in _POINTING:
        return _topic_that(word, rest, own, told)
    places = own
    possessive = word in ("his", "its", "their") or (word == "her" and not rest.startswith(("is ", "was ")))
    thing = word in ("it", "its", "this", "that")
    if thing and not possessive and not _SAYS_WHICH.match(rest):
        project = _project_in(own) if word == "it" and _PROJECT_DOES.match(rest) else None
        return f"{project} {rest}" if project else None
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
    for place in told:
        being = None if thing else _being_for(word, _GENITIVE_S.sub(" ", _as_asked(place)))
        if being and _IS_OTHER_KIN.match(rest):
            return None  # "those are my nieces" says that they are not the daughters who were asked about
        if being and being.startswith("my "):
            return f"{_owner(being)} {rest}" if possessive else f"{being} {rest}"
    return None


def _with_one_known(text: str, told: list[str], utterance: Utterance) -> str | None:
    """ "I carry him up the stairs" with the one person or animal that was told of, earlier than the last words."""
    found = _HIM_OR_HER.search(text)
    if found is None or _REST_PRONOUN.search(text, found.end()) or any(_TITLED.search(place) for place in told):
        return None
    word = found[1].lower()
    places = [_GENITIVE_S.sub(" ", _as_asked(place)) for place in told]
    places += [plain(said) for role, said in utterance.context if role == "user"]
    beings = {being for place in places if (being := _being_for(word, place))}
    return f"{text[: found.start()]}{beings.pop()}{text[found.end() :]}" if len(beings) == 1 else None


_HIM_OR_HER = re.compile(
    r"\b(him|her)\b(?= (?:up|down|to|in|at|on|for|with|every|once|twice|when|since|and|but|because|so|a|the|about|"
    r"from|too|"
    r"last|this|next|again|yesterday|while|after)\b|[,.!]|$)"
)


def _of_one_known(text: str, found: re.Match[str], told: list[str], utterance: Utterance) -> str | None:
    """ "She's three" of the one person or animal that the user has told of, earlier than their last words."""
    word = found[1].lower()
    if word not in ("he", "she", "his", "her") or any(_TITLED.search(place) for place in told):
        return None
    earlier = [plain(said) for role, said in utterance.context[:-4] if role == "user"]
    beings = {being for place in earlier if (being := _being_for(word, place))}
    if len(beings) != 1:
        return None
    being = beings.pop()
    rest = text[found.end() :].strip()
    possessive = word == "his" or (word == "her" and not rest.startswith(("is ", "was ")))
    return f"{_owner(being) if possessive else being} {rest}"


_GENITIVE_S = re.compile(r"(?<=[a-z])'s? (?=[a-z])")
_THEIR_OWN = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_YOURS = re.compile(r"\byour\b", re.IGNORECASE)


def _as_asked(place: str) -> str:
    """What the other said with the user's own people as "my": "what does your mom do" → "what does my mom do"."""
    return _YOURS.sub("my", _THEIR_OWN.sub("whose", place))


_MY_THING = re.compile(
    r"^(?:(?:also|really|always|just|definitely|usually|sometimes|all|both) )*(?:(?:keep|make|help|bring|give|let|"
    r"relax|calm|"
    r"teach|cheer|inspire|allow|suit|remind|save|cost|take|mean|annoy|scare|bore|bother)(?:s|es|d)?|kept|made|"
    r"brought|gave|taught|"
    r"cost|took|meant|got|ended|changed|runs? in) (?:[a-z]+ ){0,3}?(?:my|me|our|us)\b"
)
_ADJECTIVE_TO = re.compile(
    r"^(?P<be>is|was|can be|has been) (?P<how>(?:(?:not|so|very|really|always|too|pretty|quite|also|often|more|much|"
    r"a|lot|bit|of|great|such) ){0,4}[a-z]+"
    r"(?: for me| for us)? to (?!hear|see|meet|know|be honest|say)[a-z]+\b.*)$",
    re.IGNORECASE,
)


def _about_me(text: str, found: re.Match[str], own: list[str], told: list[str]) -> str | None:
    """ "It keeps me busy" with the topic in its place; "it is important to vote" as what the user thinks."""
    word, rest = found[1].lower(), text[found.end() :].strip()
    if word == "it" and (judged := _ADJECTIVE_TO.match(rest)):
        return f"I think it {judged['be']} {judged['how']}"
    if word not in ("it", "they", "this", "that"):
        return None
    if _MY_THING.match(rest):
        return _topic_that(word, rest, own, told)
    if not _JUDGES.match(rest):
        return None
    asked = _HOW_WAS.search(told[0]) if told and not own[0].strip(" .!") else None
    if asked:
        what = _YOURS.sub("my", asked["what"])
        return None if _OWN_WORDS_LEFT.search(what) else f"{what} {rest}"
    of_topic = _topic_that(word, rest, own[:1], told)
    return f"I think {of_topic}" if of_topic and not _REST_PRONOUN.search(of_topic) else None


_JUDGED = (
    r"(?:rewarding|fun|interesting|challenging|stressful|hard|tough|difficult|easy|relaxing|exciting|tiring|exhausting|"
    r"boring|beautiful|amazing|awesome|great|good|fantastic|wonderful|delicious|tasty|scary|expensive|peaceful|lovely|"
    r"satisfying|fascinating|funny|cute|talented|smart|intelligent|loyal|cool|nice|terrible|awful|healthy|dangerous|"
    r"overrated|underrated|addictive|intense|hectic|wild|brilliant|perfect|crazy|catchy|creative|inspiring|therapeutic)"
)
_JUDGES = re.compile(
    r"^(?:(?:also|always|just|definitely) )?(?:is|are|was|were|can be|has been|have been) (?:(?:not|so|such|"
    r"really|very|also|"
    rf"always|pretty|quite|super|definitely|just|too|all|incredibly|extremely|a bit|"
    rf"kind of) )*(?:{_JUDGED}(?: and {_JUDGED})?|"
    rf"(?:an? )?(?:{_JUDGED} )+(?:job|field|hobby|sport|game|book|movie|film|show|series|song|band|city|country|"
    rf"place|animals?|"
    r"experience|work|way to (?:relax|unwind|exercise|stay in shape|spend time|meet people)|exercise|workout|"
    r"feeling|food|dish|"
    r"time|trip|person|people|pets?)|a lot of (?:work|fun)|lots of (?:work|fun)|hard work|worth it)$"
)
_HOW_WAS = re.compile(
    r"\bhow(?: is| was| are| were|'s| did| has) (?P<what>your (?:[\w'-]+ ){0,2}?[\w'-]+)(?: go(?:ing)?| been|"
    r" treating you)?"
    r"\?\s*$",
    re.IGNORECASE,
)
_OWN_WORDS_LEFT = re.compile(r"\b(?:day|evening|night|morning|week|weekend|you|going|doing|it|that)\b", re.IGNORECASE)


_POINTING = wordset("it this that they these those he she")


def _topic_that(word: str, rest: str, own: list[str], told: list[str]) -> str | None:
    """ "It is one of my favourites" with the topic in the place of "it"."""
    topic = _topic(word, own, told)
    if topic is None:
        return None
    return f"{topic} {rest}"


_OPENING_WORDS_MAX = 4


def _topic(word: str, own: list[str], told: list[str]) -> str | None:
    """What was last talked of that the word may mean: in the message so far, by the other, by the user before."""
    earlier = own[1:2] if len(own[0].split()) <= _OPENING_WORDS_MAX else []
    for place, by_user in ((own[0], True), *((each, False) for each in told), *((each, True) for each in earlier)):
        found = topic_of(place, word, by_user) if place else None
        if found:
            return found
    return _named_alone(own[0]) if word in ("it", "they") else None


def _liked_in(place: str) -> str | None:
    last = None
    for match in _OBJECT.finditer(place):
        if match["noun"].split()[-1].lower() not in _NOT_OBJECTS:
            last = match["noun"]
    return last


# "Karaoke? Nah, I hate it": what is only named, and then spoken of.
_NAMED_ALONE = re.compile(
    r"(?:^|[.!?] )(?P<what>[\w'-]+(?: [\w'-]+){0,3})(?:\?+|\.{2,}|!+|:| -)\s*"
    r"(?:(?:nah|no|nope|yes|yeah|yep|well|oh|ugh|ew+|meh|sure|hm+|honestly|tbh|lol)\b[\s,.!]*)*$",
    re.IGNORECASE,
)


def _named_alone(before: str) -> str | None:
    found = _NAMED_ALONE.search(before)
    if found is None:
        return None
    words = found["what"].lower().split()
    if not is_noun(words[-1]) or not _NO_TOPIC.isdisjoint(words) or any(is_adverb(word) for word in words):
        return None
    if any(is_past(word) for word in words) or (
        len(words) > 1 and words[0] in ("do", "did", "does", "is", "are", "so")
    ):
        return None
    what = found["what"]
    return what if len(words) > 1 and what[1:] != what[1:].lower() else what.lower()


_NO_TOPIC = AUXILIARIES | wordset(
    """
    i you we he she it they this that these those me him her us them my your no yes yeah nah nope what who why how when
    where thanks please sorry hi hello hey ok okay well oh sure cool nice great wow lol haha guys man dude mate
    if and or but so not
    """
)


def _owner(words: str) -> str:
    return f"{words}'" if words.endswith("s") and words.split()[-1].lower() in PLURAL_RELATIONS else f"{words}'s"


def _being_for(pronoun: str, place: str) -> str | None:
    """The nearest person or animal that the pronoun can stand for, as "my dog", "my sister Anna" or a name."""
    found = None
    for being in _BEING.finditer(place):
        noun = being["noun"].lower()
        plural = (
            noun in PLURAL_RELATIONS
            or (noun in PETS and noun.endswith("s") and noun[:-1] in PETS)
            or being["det"].lower() in ("two", "three", "four", "some")
            or being["det"].isdigit()
        )
        if being["det"].lower() == "the" and noun not in PETS:
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
                name = named["name"]
                found = f"my {name.lower()}" if name.lower() in RELATIONS else name
    return found


_DWELLINGS = wordset("flat house apartment room place cottage")
_NO_THINGS = wordset(
    "time day moment lot bit way end meantime morning evening weekend past future rest hurry first last"
)
# "I am a student at Hill College": the user is no thing of the user's, and the house has a name.
_ROLE_FOLLOWS = re.compile(r"\b(?:am|was|were|be|been|being|become|became|as)\s$", re.IGNORECASE)
_NAMED_HOUSE = re.compile(r"\b(?:at|for) (?P<name>[A-Z][\w'’&-]+(?: (?:of )?[A-Z][\w'’&-]+)*)")


def _thing_for(place: str) -> str | None:
    projects = [found["name"] for found in _PROJECT.finditer(place)]
    if projects:
        return projects[-1]
    things = [
        found
        for found in _THING.finditer(place)
        if found["noun"].split()[-1].lower() not in _NO_THINGS and not _ROLE_FOLLOWS.search(place, 0, found.start())
    ]
    if not things:
        named = list(_NAMED_HOUSE.finditer(place))
        return named[-1]["name"] if named else None
    return (
        f"my {things[-1]['noun']}"
        if things[-1]["det"].lower() != "the" or things[-1]["noun"] in _DWELLINGS
        else f"the {things[-1]['noun']}"
    )


_TAKES_OBJECT = re.compile(
    r"\b(?:loved?|liked?|hated?|enjoy(?:ed)?|adore|detest|loathe|despise|prefer|dislike|stand|bear|abide|tolerate|"
    r"endure|resist|play|speak|study|watch|read|eat|"
    r"drink|collect|teach|own|use|miss|avoid|into|fan of|"
    r"allergic to|off|"
    r"(?:scared|afraid|terrified|frightened|fond|tired|sick|proud) of|"
    r"keen on|(?:crazy|mad) about|interested in|good at|bad at|practise|practice|bought|sold|adopted|"
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


_IDIOM = re.compile(
    r"\b(?:most of it|used to it|hang of it|over it|anything like (?:it|that)|at it again)\b", re.IGNORECASE
)
_INNER = {
    "it": re.compile(
        r"\b(?:a|an|the|my|this|every|our|[\w]+ing) [\w-]+.* (?:and|but|because|so|when|that|which|to|if) ", re.I
    ),
    "them": re.compile(
        r"\b(?:people|kids|children|students|friends|customers|clients|animals|(?!always|this|does|is|was|has|"
        r"us)[a-z]{3,}s)"
        r"\b.* (?:and|but|because|so|when|that|which|to|if|how|what) ",
        re.IGNORECASE,
    ),
}


_ASKED_LIKING = re.compile(
    r"\bdo you (?:also |still |really )*(?:like|enjoy|love|hate|miss|play|watch|eat|drink|speak|collect) "
    r"(?P<what>(?!to\b|any|a\b|an\b)[\w' -]+?)(?: (?:much|too|at all|a lot|often|as well|yourself|very much))*\?\s*$",
    re.IGNORECASE,
)
_THE_ONE = re.compile(r"\bthe one (?=(?:in|from|at|on|near|with) )")
_WHICH_OF_THEM = re.compile(
    r"^(?:my|our|the|an?) (?:(?:first|second|third|last|next|new|old|own|other|favou?rite) )*", re.IGNORECASE
)


def _which_one(text: str, own: list[str], told: list[str]) -> str | None:
    """ "I signed up for the one in Bath" with the thing that was spoken of in the place of "one"."""
    topic = _topic("one", own, told)
    if topic is None or topic[:1].isupper():
        return None
    return _THE_ONE.sub(f"the {_WHICH_OF_THEM.sub('', topic)} ", text, count=1)


def _with_objects(text: str, own: list[str], told: list[str]) -> str | None:
    found = _REST_PRONOUN.search(text)
    if not found:
        return text
    word = found[1].lower()
    before = text[: found.start()]
    if word == "one" and before.endswith("the ") and _THE_ONE.search(text):
        whole = _which_one(text, own, told)
        return _with_objects(whole, own, told) if whole else None
    if found[1][:1].isupper() and before:
        return text  # a title: names stay untouched
    if _IDIOM.search(text):
        return None
    inner = _INNER.get(word)
    if inner is not None and inner.search(before):
        return text
    if word == "her" and _HER_POSSESSIVE.match(text, found.start()):
        return text
    if word == "there":
        if not before or _EXISTS.match(text, found.end()):
            return text
        if not _CARRIED.search(before) and not _PLACE_VERB.search(before):
            return _without_there(text, found)
    elif (word in ("it", "that") and _STANDS_FOR_NOTHING.search(text)) or (
        word in ("one", "those") and not _HAS_ONE.search(text)
    ):
        return text
    asked = _ASKED_LIKING.search(told[0]) if word in ("it", "them") and told and not own[0].strip(" .!") else None
    if asked and not _OF_OTHERS.search(asked["what"]) and _TAKES_OBJECT.search(before):
        return f"{before}{asked['what']}{text[found.end() :]}"
    every = text.startswith(" all", found.end())
    if (
        word in _MEANT
        and (topic := _topic(word, own, told))
        and not (every and topic[:1].isupper() and "," not in topic)
    ):
        if before.endswith(_ONE_BEFORE) and word == "one":
            return text
        end = found.end() + (4 if every else 5 if text.startswith(" here", found.end()) else 0)
        return f"{before}{_in_place(topic, word)}{text[end:]}"
    if word in _MEANT and not _TAKES_OBJECT.search(before):
        beings = _being_for(word, own[0].replace("the kids", "my kids")) if word == "them" else None
        return f"{before}{beings}{text[found.end() :]}" if beings else None
    return _with_last_named(text, found, own if word in _MEANT else [own[0], *told, *own[1:]], told)


_STANDS_FOR_NOTHING = re.compile(
    r"\b(?:find it|make it|made it|take it easy|enjoy it here|think it|"
    r"that it|if it|it is|it was|it when|it that|it (?:hard|easy|difficult)|(?:thought|think|believe|hope|feel like|"
    r"knew|know|found|figured|wish) it(?: (?:would|will|was|is|to be|could|had))?)\b",
    re.IGNORECASE,
)
_HAS_ONE = re.compile(
    r"\b(?:ha(?:ve|s|d)|wants?|needs?|gets?|got|owns?|bought|loves?|likes?) (?:one|"
    r"those)(?: (?:and|but|too|as well|so|for|since|ever|at|because|when|from|every|as)\b|[.,!]|$)",
    re.IGNORECASE,
)


def _with_last_named(text: str, found: re.Match[str], places: list[str], told: list[str]) -> str | None:
    """The clause with the thing, place or person last named in one of the places; None where it needs one."""
    word, before = found[1].lower(), text[: found.start()]
    person, carried = word in ("him", "her"), _CARRIED.search(before) is not None
    for place in places:
        stands = _object_for(word, _as_asked(place) if person and place in told else place, place is places[0])
        if stands and word == "there":
            way = "to" if carried or _GONE.search(before) else "from" if before.endswith("from ") else "in"
            stands, before = f"{way} {stands}", before.removesuffix("from ")
        if stands and (person or place not in told or not _OF_SOMEBODY.match(stands)):
            return f"{before}{stands}{text[found.end() :]}"
    if word == "there" and carried:
        return _without_there(text, found)
    if person:
        return text if _SOMEBODY.search(before) else None
    return None if word in ("it", "them", "one", "there", "that one", "this one") else text


_OF_SOMEBODY = re.compile(r"(?:my|our|your|me|you)\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:an?|the|my|our|this|one|who|[A-Z](?!\b)[\w'-]+) ")
_EXISTS = re.compile(r" (?:is|are|was|were|has|have|will|would|used)\b", re.IGNORECASE)
_CARRIED = re.compile(
    r"\b(?:rides?|rode|drives?|drove|walks?|walked|bikes?|biked|cycles?|cycled|runs?|ran|takes?|took)"
    r"(?: (?:my|our|the|a) [\w'-]+)? $"
)
_NEEDS_PLACE = re.compile(
    r"\b(?:get|got|go|going|went|be|am|are|is|was|were|been|out|over|up|down|from|in|near|around|not) $"
)


def _without_there(text: str, found: re.Match[str]) -> str | None:
    """ "I met my wife there in 2010" without the place that nobody named; None where the verb needs it."""
    before, after = text[: found.start()], text[found.end() :]
    if _NEEDS_PLACE.search(before) or len(before.split()) < _STANDS_WORDS_MIN or _REST_PRONOUN.search(after):
        return None
    return f"{before.rstrip(' ,')}{after}"


_GONE = re.compile(
    r"\b(?:been|moved|go|going|went|gone|travel\w*|fly|flew|moving|move) (?:back |over |up |down |out )?$"
)
_MEANT = wordset("it them one those")
_ONE_BEFORE = ("the ", "that ", "this ", "which ", "only ", "no ", "every ", "any ", "each ")


def _in_place(topic: str, word: str) -> str:
    """The topic as it stands where the pronoun stood: of "the kayak", "one" is "a kayak"."""
    bare = topic.removeprefix("the ")
    if word != "one" or bare[:1].isupper() or bare.startswith("my "):
        return topic
    return f"a{'n' if bare[0] in 'aeio' else ''} {bare}"


def _object_for(word: str, place: str, own: bool) -> str | None:
    if word == "there":
        named = [match["place"] for match in _PLACE.finditer(place)]
        if named:
            return named[-1]
        plain_places = [match["place"] for match in _COMMON_PLACE.finditer(place)]
        return plain_places[-1] if plain_places and not place.endswith("?") else None
    if word in ("him", "her"):
        return _being_for(word, place)
    being = _being_for(word, place) if word == "them" else None
    if being:
        return being
    liked = _liked_in(place)
    if own and word in ("it", "them") and (alone := _named_alone(place)):
        return alone
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
