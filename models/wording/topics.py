"""What a message talks of: the noun phrase that "it", "them" or "one" in the next sentence most likely means (X3).

A topic is what somebody likes, does, has or names ("I love rock climbing", "Gardening sounds fun", "my favourite band
is U2"). The last one named is taken; a list is no single thing, and vague words ("things", "fun") are none.
"""

from __future__ import annotations

import re

from models.wording.lexicon import NATIONALITIES, is_occupation
from models.wording.lists import wordset
from models.wording.verbs import gerund, gerund_base, is_base, is_common_noun, is_noun

_END = (
    r"(?=(?: (?:and|or|but|because|so|when|while|with|for|in|at|on|since|anymore|any|very|a lot|too|now|every|is|are|"
    r"was|"
    r"were|sounds?|looks?|seems?|from|that|which|who|if|as|last|this|next|once|myself|yourself|as well|before|after|"
    r"much|lately|all|by|have|has|of all|I|you|we|it|do|did|to)\b)|[,.;!?(]| -|$)"
)
_PHRASE = rf"(?P<noun>(?:[\w'’&/-]+ ){{0,4}}?[\w'’&/-]+(?: of [\w'’-]+)?){_END}"
_ACTED = re.compile(
    r"(?<!sounds )(?<!sound )(?<!looks )(?<!look )(?<!feels )(?<!seems )\b(?:(?:lik|lov|enjoy|hat|prefer|miss|play|"
    r"watch|read|eat|drink|mak|bak|cook|collect|own|hav|rid|driv|study|"
    r"learn|"
    r"try|tri|practic|writ|see|teach|us|grow|rais|want|need|keep|wear|speak|build|sell|restor|knit)(?:e|es|ed|s|ing|"
    r"ning|ting|ies)?|"
    r"had|has|saw|seen|got|bought|adopted|rode|drove|wrote|listen(?:s|ed|ing)? to|heard (?:of|about)|been to|visited|"
    r"(?:go|went|going) to(?: see)?|fan of|into|about|interested in|good at|named|being|work(?:s|ed|ing)? as|doing|"
    r"do|did|"
    r"favou?rite (?:[\w'-]+ ){0,3}?(?:is|are|would be)(?: probably| definitely)?)\s+"
    rf"(?={_PHRASE})",
    re.IGNORECASE,
)
_GOING = re.compile(r"\b(?:go|goes|going|went|been|tried|try)\s+(?P<noun>(?:[a-z]+ )?[a-z]+ing)\b")
_SUBJECT = re.compile(
    r"(?:^|[.!?,] |\band |\bbut )(?:(?:I (?:know|think|believe|feel|reckon|bet|guess|suppose|hope|fear|doubt|say|hear)|"
    r"imo|imho|in my (?:opinion|view)|honestly|personally|tbh),? (?:that )?)?"
    r"(?P<noun>(?:[A-Z][\w'-]*|[a-z]+ing|[a-z]{3,}s(?= are )|(?i:my|the|our|"
    r"your) [\w'-]+)"
    r"(?: [\w'-]+){0,3}?)(?= (?:is|are|sounds?|looks?|was|were|seems?|will|would|can|could|should|may|might|has|"
    r"needs) )"
)
_NAME = re.compile(r"(?<=[a-z,] )(?:the )?[A-Z][\w'’&-]+(?: (?:(?:of|the|and|de|in) ){0,2}[A-Z][\w'’&-]+)*")
_LISTED = re.compile(
    r"^(?:,| and| or|, and|, or) (?!I\b|it\b|they\b|we\b|he\b|she\b|my\b|but\b|so\b|that)[\w'-]+", re.IGNORECASE
)
_ARTICLE = re.compile(
    r"^(?:(?:all|some|any|many|most|lots|a lot|a couple|kinds|both) of (?:the )?|(?:a|an|the|some|any|all|"
    r"of|really|new|to the|more|lots of|a lot of|different|kinds of|types of) )+",
    re.IGNORECASE,
)
_VAGUE = wordset(
    """
    it them that this these those to you me i the a my him her so there one ones do what much most well too thing
    things lot lots bit time times day days way ways fun work kind kinds sort type types some something everything
    anything nothing people question idea part same great good cool nice fine okay ok sure awesome amazing
    interesting interested not been any all more both other others everyone someone like love enjoy just really
    more few couple here now lately together living today tonight yesterday tomorrow weekend morning week year
    night life moment going doing being having getting working dealing name names idea fact reason point stuff
    """
)  # fmt: skip
_OF_SPEAKER = re.compile(r"^(?:my|our|mine|me|us)\b", re.IGNORECASE)
_OF_OTHER = re.compile(r"^your ", re.IGNORECASE)


def topic_of(place: str, pronoun: str, by_user: bool) -> str | None:
    """The topic that a pronoun stands for in the user's mouth, or None; `by_user`: the user said `place`."""
    plural = pronoun in ("they", "them", "those", "these", "their")
    found = [*_ACTED.finditer(place), *_GOING.finditer(place), *_SUBJECT.finditer(place)]
    spans = [
        (each.start() if each[0][:6].lower() == "being " else each.start("noun"), each.end("noun")) for each in found
    ]
    spans += [
        each.span()
        for each in _NAME.finditer(place)
        if _stands_alone(each[0], place[each.end() :]) and not place.endswith(" no ", 0, each.start())
    ]
    if '"' in place:
        titles = _QUOTED.findall(place)
        return titles[0] if len(titles) == 1 and not plural else None
    if not spans and pronoun == "it":
        return _post_in(place)
    for start, end in sorted(spans, key=lambda span: (-span[0], -span[1])):
        words = _named(_uncapitalised(place, start, end), by_user)
        if words is None:
            continue
        listed = _LISTED.match(place[end:]) is not None or place[:start].rstrip().endswith((",", " and", " or", " &"))
        if listed:
            return _list_at(place, [span for span in spans if span[0] <= start], by_user) if plural else None
        if _fits(words, plural):
            return words
    return None


_QUOTED = re.compile(r'"([^"]{2,60}?)[.,!?]?"')
_AFTER_NAME = wordset(
    """
    is was are were has have had and but or in at on with for from too as last a the live because so when who that
    to by well every since once twice two this now here there last also again before after while
    """
)


_NO_NAMES = wordset("Im Ive Id Ill OK Ok Lol LOL Haha TV")


def _stands_alone(name: str, after: str) -> bool:
    """Whether a name is a thing of its own, and no part of one ("TV shows", "Spanish food")."""
    if name in _NO_NAMES:
        return False
    following = re.match(r" ([a-z]+)", after)
    if following and following[1] not in _AFTER_NAME and is_noun(following[1]):
        return False
    return name.lower() not in NATIONALITIES


_POST = re.compile(
    r"\b(?:I am|you are|being) (?:also )?(?P<role>an? (?:[\w-]+ ){0,2}?[\w-]+)(?= (?:in|at|for|and|with|by|now)\b|"
    r"[.,!?]|$)"
)
_FIELD = re.compile(
    r"\b(?:I|you) work (?P<where>(?:at|in|for|as) (?:a |an |the )?(?:[\w'-]+ ){0,2}?[\w'-]+)(?= (?:and|but|now|so)\b|"
    r"[.,!?]|$)"
)


def _post_in(place: str) -> str | None:
    """What somebody is by trade, as a topic: of "I am a nurse", "it" is being a nurse."""
    roles = [found["role"] for found in _POST.finditer(place) if is_occupation(found["role"])]
    if roles:
        return f"being {roles[-1]}"
    fields = [found["where"] for found in _FIELD.finditer(place)]
    return f"working {fields[-1]}" if fields else None


_NEXT_ITEM = re.compile(
    r"(?:, and|, or|,| and| or) (?!(?:i|it|they|we|he|she|my|but|so|that|which|"
    r"who)\b)[\w'&-]+(?: [\w'&-]+){0,2}?(?=,|[.!?]|$| and | or )",
    re.IGNORECASE,
)


def _list_at(place: str, spans: list[tuple[int, int]], by_user: bool) -> str | None:
    """The whole list that holds the last of `spans`: "cats, dogs and horses"."""
    for start, end in sorted(spans, key=lambda span: (-span[0], -span[1])):
        if place[:start].rstrip().endswith((",", " and", " or", " &")) or _named(place[start:end], by_user) is None:
            continue
        while item := _NEXT_ITEM.match(place, end):
            end = item.end()
        return place[start:end]
    return None


def _uncapitalised(place: str, start: int, end: int) -> str:
    """The phrase as it stands inside a sentence: a common word that opened one loses its capital."""
    words = place[start:end]
    opens = start == 0 or place[start - 2] in ".!?"
    first, _, rest = words.partition(" ")
    if opens and not rest[:1].isupper() and is_common_noun(first):
        return f"{words[:1].lower()}{words[1:]}"
    return words


def _named(words: str, by_user: bool) -> str | None:
    """The phrase as the user would say it: their own stays "my", the other's own is not theirs."""
    words = words.strip(" ,.'")
    if not by_user:
        if _OF_SPEAKER.match(words) or "[" in words:
            return None
        words = _OF_OTHER.sub("my ", words)
    infinitive = _INFINITIVE.match(words)
    if infinitive:
        return f"{gerund(infinitive[1])}{words[infinitive.end() :]}" if is_base(infinitive[1]) else None
    definite = ""
    article = None if _OF_SPEAKER.match(words) else _ARTICLE.match(words)
    if article:
        words = words[article.end() :]
        definite = "the " if _DEFINITE.search(article[0]) and not words.endswith("ing") else ""
    last = words.rsplit(" ", 1)[-1]
    inner = {word.lower() for word in words.split()}
    if not words or last.lower() in _VAGUE or inner & _PRONOUNS or words.split()[0].lower() in _NO_START:
        return None
    return f"{definite}{words}" if last[:1].isupper() or gerund_base(last) or is_noun(last) else None


_DEFINITE = re.compile(r"\b(?:a|an|the) $", re.IGNORECASE)


_NO_START = wordset(
    "is are was were and or but so because sounds looks seems for with at in on if when too also as by how what "
    "where why who been gone done had got gotten seen taken made become always never just"
)
_INFINITIVE = re.compile(r"^to ([a-z]+)\b")
_PRONOUNS = wordset(
    "enough i you it them they he she him her we us me that this these those what who your their his not never to"
)


def _fits(words: str, plural: bool) -> bool:
    last = words.rsplit(" ", 1)[-1]
    if last[:1].isupper():
        return True
    many = last.endswith("s") and not last.endswith(("ss", "ics", "us", "is"))
    return many == plural
