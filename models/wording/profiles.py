"""A list of what one is without a verb: "Facts about me: nurse, two kids, Leeds" (X3)."""

from __future__ import annotations

import re

from models.wording.lexicon import CONDITIONS, DIETS, DISABILITIES, NATIONALITIES, RELIGIONS, is_occupation
from models.wording.lists import mentions, wordset

_LABEL = re.compile(
    r"^(?:(?:hi|hey|hello|ok|okay|so|well)[\s,!.]+)*(?:(?:(?:a |the |some |my |quick |short |few |little |bit |bits |"
    r"things |"
    r"facts |info |basics |background |details |more |stuff |to know |you should know |of |and ))*(?:about|on) (?:me|"
    r"myself)|"
    r"me in (?:short|brief|a nutshell|(?:a few|three|four|five|ten|\d+) words)|(?:my |quick |short |little "
    r")*(?:profile|bio|"
    r"intro|introduction|details|stats|vitals)|who i am|that['’]?s me|myself)\s*(?:[:–—]|\s-\s)\s*",
    re.IGNORECASE,
)
_LABEL_GATE = (
    "about me", "about myself", "on me", "on myself", "me in ", "profile", "bio", "intro", "details", "stats", "vitals",
    "who i am", "s me", "myself",
)  # fmt: skip
_SEPARATOR = re.compile(
    r"\s*[,;•|]\s*(?:and |& |plus )?|\s+/\s+|\s+(?:and|&|plus) (?=(?:an?|one|two|three|four|five|no|\d) )"
)
_ITEMS_MIN = 2
_ITEM_WORDS_MAX = 6
_AGE = re.compile(
    r"(?:aged? )?(?P<age>[1-9]\d)(?: ?(?:yo|y/o|yrs?(?: old)?|years? old|years of age|m|f))?", re.IGNORECASE
)
_COUNT = re.compile(
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|no|\d{1,2})(?: [a-z'-]+){1,4}", re.IGNORECASE
)
_PRONOUNS = re.compile(r"(?:she/her|he/him|they/them|she/they|he/they|any pronouns)", re.IGNORECASE)
_BEING = re.compile(
    r"(?:(?:happily |newly |recently |still )*(?:married|single|divorced|engaged|widowed|separated|retired|pregnant|"
    r"unemployed|"
    r"self-employed|left-handed|right-handed|ambidextrous|bilingual|teetotal|unmarried)\b.*|(?:based|living|born|"
    r"raised|"
    r"working|studying|learning) .+|(?:originally )?from .+|(?:allergic to|fond of|keen on|into|afraid of|scared of|"
    r"good at|"
    r"obsessed with) .+|(?:lactose|gluten)[ -]intolerant|(?:an? )?(?:\w+ )?(?:mum|mom|mother|dad|father|parent|widow|"
    r"widower|"
    r"grandma|grandpa)(?: of .+)?)",
    re.IGNORECASE,
)
_KEEN = re.compile(
    r"(?:[\w-]+ ){0,3}(?:fan|lover|owl|bird|enthusiast|nerd|geek|addict|person|buff|climber|runner|swimmer|cyclist|"
    r"hiker|gamer|reader)",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"(?P<verb>loves?|likes?|hates?|enjoys?|plays?|speaks?|drives?|lives?|works?|has|have|owns?|keeps?|teach(?:es)?|"
    r"stud(?:y|ies)|collects?|can(?:not|'t)?|do(?:es)?n't|never) (?P<rest>.+)",
    re.IGNORECASE,
)
_BASES = {"has": "have", "teaches": "teach", "studies": "study", "doesn't": "do not", "don't": "do not",
          "can't": "cannot"}  # fmt: skip
_NAME = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}")
_ONE_OF = re.compile(
    r"(?:retired [a-z]|(?:(?:single|proud|new|working|stay-at-home) )?(?:mum|mom|mother|dad|father|parent|widow|"
    r"widower|grandma|"
    r"grandpa|grandmother|grandfather)\b)"
)
_WHATS = DIETS | CONDITIONS | DISABILITIES | NATIONALITIES | RELIGIONS
_NO_ARTICLE = wordset("retired former trainee")


def is_list(text: str) -> bool:
    """Whether a sentence lists what its writer is, after a label that says so."""
    return mentions(text.lower(), _LABEL_GATE) and len(_items(text)) >= _ITEMS_MIN


def sentences(text: str) -> list[str]:
    """Each item of such a list as a first-person sentence, those left out whose sense the words leave open."""
    items = _items(text)
    told = [_told(item, place, items) for place, item in enumerate(items)] if len(items) >= _ITEMS_MIN else []
    return [sentence for sentence in told if sentence]


def _items(text: str) -> list[str]:
    label = _LABEL.match(text)
    if label is None:
        return []
    items = [item.strip(" .!") for item in _SEPARATOR.split(text[label.end() :])]
    items = [item for item in items if item]
    first = items[0].split(" ", 1)[0].lower() if items else ""
    if first in _SUBJECTS or any(len(item.split()) > _ITEM_WORDS_MAX for item in items):
        return []
    return items


_SUBJECTS = wordset("i i'm im i've ive my we our he she they it")


def _told(item: str, place: int, items: list[str]) -> str | None:
    lowered = item.lower()
    if _ONE_OF.match(lowered) and (not lowered.startswith("retired ") or is_occupation(lowered)):
        return f"I am a {lowered[:1]}{item[1:]}"
    age = _AGE.fullmatch(item)
    if age:
        return f"I am {age['age']}"
    if _PRONOUNS.fullmatch(item):
        return f"I use {lowered}"
    if lowered in _WHATS or lowered.removeprefix("a ").removeprefix("an ") in _WHATS or _BEING.fullmatch(item):
        return f"I am {item}" if lowered in NATIONALITIES else f"I am {lowered[:1]}{item[1:]}"
    role = re.split(r" (?:at|in|for|with|from|by)\b", item, maxsplit=1)[0]
    if is_occupation(role) or _KEEN.fullmatch(item):
        bare = f"{lowered[:1]}{item[1:]}"
        given = lowered.startswith(("a ", "an ")) or lowered.split(" ", 1)[0] in _NO_ARTICLE
        return f"I am {bare}" if given else f"I am {'an' if lowered[0] in 'aeiou' else 'a'} {bare}"
    if _COUNT.fullmatch(item):
        return f"I have {lowered}"
    does = _DOES.fullmatch(item)
    if does:
        verb = does["verb"].lower()
        base = _BASES.get(verb) or (verb.removesuffix("s") if verb not in ("cannot", "can", "never") else verb)
        return f"I {base} {does['rest']}"
    if _NAME.fullmatch(item):
        following = items[place + 1] if place + 1 < len(items) else ""
        named = place == 0 and (_AGE.fullmatch(following) or _PRONOUNS.fullmatch(following) or " " in item)
        return f"my name is {item}" if named else f"I live in {item}"
    return None
