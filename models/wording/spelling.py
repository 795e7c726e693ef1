"""Typed English made plain: contractions written out, chat slang spelled, emoji and fillers gone (X3).

Only function words change. Names, numbers and everything capitalised mid-sentence stay as typed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from models.wording.lexicon import PETS, RELATIONS
from models.wording.lists import mentions, wordset
from models.wording.typos import SLIPS, righted
from models.wording.verbs import is_adverb, is_common_noun

_CONTRACTIONS = {
    "i'm": "I am", "im": "I am", "i've": "I have", "ive": "I have", "i'll": "I will", "i'd": "I would",
    "you're": "you are", "youre": "you are", "you've": "you have", "you'll": "you will", "you'd": "you would",
    "we're": "we are", "we've": "we have", "we'll": "we will", "we'd": "we would", "weve": "we have",
    "they're": "they are", "theyre": "they are", "they've": "they have", "they'll": "they will", "they'd": "they would",
    "he'll": "he will", "she'll": "she will", "it'll": "it will", "he'd": "he would", "she'd": "she would",
    "don't": "do not", "dont": "do not", "doesn't": "does not", "doesnt": "does not", "didn't": "did not",
    "didnt": "did not", "can't": "cannot", "cant": "cannot", "couldn't": "could not", "couldnt": "could not",
    "won't": "will not", "wont": "will not", "wouldn't": "would not", "wouldnt": "would not",
    "shouldn't": "should not", "shouldnt": "should not", "isn't": "is not", "isnt": "is not", "aren't": "are not",
    "arent": "are not", "wasn't": "was not", "wasnt": "was not", "weren't": "were not", "werent": "were not",
    "haven't": "have not", "havent": "have not", "hasn't": "has not", "hasnt": "has not", "hadn't": "had not",
    "hadnt": "had not", "mustn't": "must not", "needn't": "need not", "ain't": "am not", "aint": "am not",
    "that'll": "that will", "who're": "who are", "y'all": "you all", "let's": "let us", "i'ma": "I am going to",
}  # fmt: skip
_SLANG = {
    "i": "I", "u": "you", "ur": "your", "gonna": "going to", "wanna": "want to", "gotta": "have to",
    "cuz": "because", "coz": "because", "bc": "because", "becuz": "because", "luv": "love", "tho": "though",
    "rn": "right now", "abt": "about", "atm": "at the moment", "ppl": "people", "bday": "birthday",
    "b-day": "birthday", "bday's": "birthday's",
    "fave": "favourite",
    "fav": "favourite", "thx": "thanks", "pls": "please", "plz": "please", "nyc": "NYC", "bf": "boyfriend",
    "gf": "girlfriend", "yrs": "years", "yr": "year", "yo": "years old", "wk": "week", "hrs": "hours", "w/": "with",
    "bro's": "brother's", "lotta": "lot of", "kinda": "kind of", "sorta": "sort of", "sis": "sister",
    "vegitarian": "vegetarian", "alergic": "allergic", "favorite": "favorite", "dunno": "do not know", "ya": "you",
    "definately": "definitely", "realy": "really", "hav": "have", "wrk": "work", "til": "till", "'til": "till",
    "nd": "and", "hv": "have", "hve": "have",
    "dnt": "do not", "cnt": "cannot", "dint": "did not", "wid": "with", "bcoz": "because", "becoz": "because",
    "bcuz": "because", "frm": "from", "tht": "that", "workin": "working", "livin": "living", "doin": "doing",
    "goin": "going", "lookin": "looking", "learnin": "learning", "studyin": "studying", "makin": "making",
    "playin": "playing", "teachin": "teaching", "gettin": "getting", "havin": "having",
}  # fmt: skip
_WORDS = {**_SLANG, **_CONTRACTIONS}
_BARE = re.compile(r"(?<![\w'@/.-])[A-Za-z][A-Za-z'-]*/?(?![\w'@]|-\w|\.\w)")
_KEEP_CAPITALISED = wordset(
    """
    Ur Yo Bf Gf Ya Sis Til Cant Im BC YO UR RN W/
    """
)
_PRONOUN_S = re.compile(
    r"\b(it|he|she|that|there|what|who|where|here|how|this|everything)'s\b(?=\s+(\w+))", re.IGNORECASE
)
# The ends of the pronouns' forms: "she's", "that's" and "what's", "there's" and "here's" share theirs.
_PRONOUN_S_GATE = ("it's ", "he's ", "at's ", "re's ", "who's ", "how's ", "this's ", "thing's ")
_ITS_BARE = re.compile(
    r"^(its|hes|shes|thats|theres)\b(?=\s+(?:a|an|the|not|so|really|my|called|named|very|in|at)\b)", re.IGNORECASE
)
_NOUN_S = re.compile(
    r"\b([A-Za-z][\w]*)'s (?=(?:a|an|the|not|been|got|called|named|allergic|from|in|at|on|always|really|very|so|going|"
    r"turning|also|never|afraid|currently|now|still|getting|\d+|due|pregnant|married|retired|"
    r"[a-z]+ing (?:for me|to be|at the|me|us|my)) )",
)


def _noun_is_or_has(found: re.Match[str]) -> str:
    following = found.string[found.end() :].split(" ", 1)[0].lower()
    return f"{found[1]} {'has' if following in ('been', 'got') else 'is'} "


_PARTICIPLES = wordset(
    """
    been got had gone become taken made done lived worked started moved
    """
)
_NAME_S = re.compile(r"\b([Tt]he|[Mm]y) name's (?=[A-Z])")
_DAY_S = re.compile(
    r"\b(today|tomorrow|yesterday|birthday|anniversary)'?s (?=my\b|our\b|today\b|tomorrow\b|next\b|this\b|the \d|\d|"
    r"(?:in )?[A-Z])",
    re.IGNORECASE,
)
_DAYS_S = ("day's ", "tomorrow's ", "anniversary's ", "todays ", "tomorrows ")
_S_PERFECT = re.compile(
    r"\b(it|he|she|that|this)'s (always|never|just|already) (?=been\b|had\b|got\b|\w+ed\b)", re.IGNORECASE
)
_S_PERFECT_GATE = ("'s always ", "'s never ", "'s just ", "'s already ")
_ID_HAD = re.compile(r"\bI would (?=(?:better|been|had|gone|always|never)\b)")
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\ufe0f\u200d\u20e3\U000e0020-\U000e007f]+"
)
_EMOTICON = re.compile(r"(?<!\w)(?:[:;=8xX]['-]?[)(DPpOo3/\\|*]+|<3+|\^_\^|:'\(|xD+|XD+|-_-)(?!\w)")
_GAP_BEFORE_MARK = re.compile(r" ([,.!?;:])")
_GAPS = (" ,", " .", " !", " ?", " ;", " :")
_TYPOGRAPHIC = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "„": '"', "…": "...", "\u00a0": " "}
)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """The text with straight quotes, no emoji, contractions and slang written out, single spaces."""
    if not text.isascii():
        text = _EMOJI.sub(" ", unicodedata.normalize("NFC", text.translate(_TYPOGRAPHIC)))
    elif "`" in text:
        text = text.replace("`", "'")
    if mentions(text, _EYES) and _FACE.search(text):
        text = _EMOTICON.sub(" ", text)
    text = " ".join(text.split())
    if mentions(text, _GAPS):
        text = _GAP_BEFORE_MARK.sub(r"\1", text)
    lowered = text.lower()
    if mentions(lowered, _STRETCHES) and _STRETCHED.search(text):
        text = _STRETCHED.sub(_shortened, text)
        lowered = text.lower()
    words = [word.strip(_PUNCTUATION) for word in lowered.split(" ")]
    if not SLIPS.keys().isdisjoint(words):
        text = _RUN_OF_LETTERS.sub(lambda found: righted(found[0]), text)
    if (" n " in text or " an i" in text) and _AND_SHORT.search(text):
        text = _AND_SHORT.sub(" and ", text)
    if not _WORDS.keys().isdisjoint(words):
        text = _spelled(text)
        if " right now" in text:
            text = text.replace(" a right now", " an RN").replace(" an right now", " an RN")
    if mentions(lowered, _DAYS_S):
        text = _DAY_S.sub(r"\1 is ", text)
    if "'s" in text:
        if mentions(lowered, _S_PERFECT_GATE):
            text = _S_PERFECT.sub(r"\1 has \2 ", text)
        if mentions(lowered, _PRONOUN_S_GATE):
            text = _PRONOUN_S.sub(_is_or_has, text)
        if "name's " in text:
            text = _NAME_S.sub(r"\1 name is ", text)
        text = _NOUN_S.sub(_noun_is_or_has, text)
    elif lowered.startswith(("its ", "hes ", "shes ", "thats ", "theres ")):
        text = _ITS_BARE.sub(lambda found: f"{found[1][:-1]} is", text)
    if "my " in lowered and mentions(text, _MY_NOUN_S_GATE):
        text = _MY_NOUN_S.sub(r"\1 \2 is ", text)
    if " in law" in lowered:
        text = _IN_LAW.sub(r"\1-in-law\2", text)
    if mentions(lowered, _KINS_OWN_GATE):
        text = _KINS_OWN.sub(_of_kin, text)
    if "ind me " in text:
        text = _FOUND_AT.sub("I am ", text)
    if "I would" in text:
        text = _ID_HAD.sub("I had ", text)
    return text


_PUNCTUATION = ',.!?;:"()*~'
_RUN_OF_LETTERS = re.compile(r"(?<![\w@/.'-])[a-z]+(?![\w@/'-]|\.\w)")
# "I dnt smoke n i cant swim"
_AND_SHORT = re.compile(r" n (?=[a-z])(?!roll\b|cheese\b)| an (?=(?:i|im|ive|i'm|i've)\b)")
_MY_NOUN_S = re.compile(
    r"\b([Mm]y|[Oo]ur) (mom|mum|dad|wife|husband|sister|brother|son|daughter|boyfriend|girlfriend|name|job|boss|"
    r"grandma|grandpa|mother|father|hobby|birthday)s (?=(?:a|an|called|named|not|(?<=names )[a-z]+ing|"
    r"(?<=jobs )(?:in|at))\b)"
)
_MY_NOUN_S_GATE = (
    "moms ", "mums ", "dads ", "wifes ", "husbands ", "sisters ", "brothers ", "sons ", "daughters ", "friends ",
    "names ", "jobs ", "bosss ", "grandmas ", "grandpas ", "mothers ", "fathers ", "hobbys ", "birthdays ",
)  # fmt: skip
# "You'll find me in Da Nang": where one is.
_FOUND_AT = re.compile(
    r"\b[Yy]ou (?:will|can|may|could|might) (?:(?:usually|always|mostly|often|now|probably|still|generally) )*find me "
    r"(?=(?:in|at|on|near|behind|aboard)\b)"
)
# "My stepdads name is Sam": whose it is, where only somebody or an animal can have it.
_KINS_OWN = re.compile(
    r"\b(?P<my>[Mm]y|[Oo]ur) (?P<kin>(?:[a-z]+ ){0,2}[a-z-]+)s (?=(?:sur|nick)?name\b|birthday\b|age\b)"
)
_KINS_OWN_GATE = ("s name", "s surname", "s nickname", "s birthday", "s bday", "s age ")


def _of_kin(found: re.Match[str]) -> str:
    kin = found["kin"].rsplit(" ", 1)[-1]
    known = kin in RELATIONS or kin in PETS or kin.replace("-", "") in RELATIONS
    return f"{found['my']} {found['kin']}'s " if known else found[0]


_IN_LAW = re.compile(r"\b((?:mother|father|sister|brother|son|daughter|parents)) in law(s?)\b", re.IGNORECASE)
_EYES = (":", ";", "=", "8", "x", "X", "<", "^", "_", "-")
_FACE = re.compile(r"[:;=8xX<^_-][-'^_]?[)(DPpOo3/\\|*<3^_xX.-]")


# "I looove it", "sooo": a letter drawn out, in a word that is known without.
_STRETCHES = tuple(letter * 3 for letter in "aeiouyslrnmtg")
_STRETCHED = re.compile(r"(?<![\w@/.-])[A-Za-z]*?([a-z])\1\1[A-Za-z]*(?![\w@])")
_RUN = re.compile(r"([a-z])\1{2,}")


def _shortened(found: re.Match[str]) -> str:
    word = found[0]
    once, twice = _RUN.sub(r"\1", word), _RUN.sub(r"\1\1", word)
    return next((short for short in (once, twice) if is_adverb(short.lower()) or is_common_noun(short.lower())), word)


def _spelled(text: str) -> str:
    """The text with each short form written out; no word of letters between marks needs the pattern."""
    first, *others = text.split(" ")
    spelled = [
        f" {word}" if _is_spelled(word) or _in_name(before, word, after) else _BARE.sub(_written_out, f" {word}")
        for before, word, after in zip([first, *others], others, [*others[1:], ""], strict=False)
    ]
    if first.lower() == "yo" and len(others) > 1:
        return "".join([first, *spelled])
    return "".join([first if _is_spelled(first) else _BARE.sub(_written_out, first), *spelled])


def _in_name(before: str, word: str, after: str) -> bool:
    """Whether a small word stands inside a name that only looks like a short form: "Geiriadur yr Academi"."""
    return word in _SLANG and len(word) > 1 and before[:1].isupper() and len(before) > 1 and after[:1].isupper()


def _is_spelled(word: str) -> bool:
    letters = word.strip(_PUNCTUATION)
    return letters.isalpha() and letters.lower() not in _WORDS


def _written_out(found: re.Match[str]) -> str:
    word = found[0]
    expanded = _WORDS.get(word.lower())
    if expanded is None or (word in _KEEP_CAPITALISED and found.start() > 0):
        return word
    if word[0].isupper() and expanded[0].islower() and not word.isupper():
        return expanded[0].upper() + expanded[1:]
    return expanded


def _is_or_has(found: re.Match[str]) -> str:
    return f"{found[1]} {'has' if found[2].lower() in _PARTICIPLES else 'is'}"


_OPENERS = (
    "(?:as|like) i(?: (?:think|believe|guess))?(?: i)?(?: (?:may|might|must))?(?: have)?"
    "(?: (?:already|once|just|probably))? (?:said|say|mentioned|told you|noted|explained|wrote)"
    "(?: (?:to you|before|already|earlier|above|once|previously|last time|the other day))*|"
    "as it happens|as luck would have it|as a matter of fact|to (?:set|put) the record straight|"
    "to (?:clarify|be clear|be precise|be exact|tell (?:you )?the truth)|just to be clear|truth be told|"
    "in all honesty|first of all|to begin with|for starters|incidentally|(?:funnily|oddly|strangely) enough|"
    "come to think of it|(?:scratch|strike) that|never thought I would say (?:this|that|it)|"
    "well|oh|ooh|ah|aha|so|hey|hi|hello|hiya|yeah|yea|yep|yup|ok|okay|alright|right|actually|honestly|anyway|"
    "anyways|btw|by the way|"
    "lol|lmao|nah|meh|ngl|not gonna lie|not going to lie|imo|imho|in my opinion|iirc|"
    "haha\\w*|hehe\\w*|hmm+|hm|um+|uh+|erm?|like|you know|you see|i mean|to be honest|to be fair|tbh|fyi|"
    "for the record|just so you know|"
    "as mentioned|as you know|frankly|in fact|basically|also|and|"
    "but|or|plus|because|since|"
    "cause|although|though|even though|while|whereas|then|guess what|listen|look|see|thanks|thank you|cool|"
    "nice|great|good|awesome|wow|"
    "(?:oh )?(?:man|boy|god|gosh|dude|mate|bro|jeez|phew|ugh|argh|me|myself|yay+|woo+(?:hoo+)?|hooray|"
    "hurra[yh]|yippee|yo)(?=[,!]| (?:i|my|names?|we|our|it|this|that|they|today|do i|am i)\\b)|"
    "omg|sadly|unfortunately|luckily|fortunately|apparently|obviously|of course|sure|true|same|same here|"
    "me too|that's great|"
    "not to mention|on top of that|besides|in addition|additionally|furthermore|moreover|meanwhile|however|"
    "still|note that|"
    "keep in mind that|keep in mind|be aware that|remember that|remember|fun fact|just fyi|little fact|"
    "please note that|please note|if you ask me|"
    "as for me|for me personally|personally|in my case|for context|some context|context|background|"
    "careful(?: with \\w+)?|good morning|good evening|"
    "correction|small correction|a correction|edit|good afternoon|morning|evening|afternoon|heads up|update|"
    "quick update|news|big news|good news|bad news|"
    "did i mention(?: that)?|did i tell you(?: that)?|have i mentioned(?: that)?|have i told you(?: that)?|"
    "did you know(?: that)?|"
    "(?:a )?(?:quick |short |little |brief )intro(?:duction)?|intro|"
    "(?:(?:a )?(?:little |bit |few things |something |more )+)?about me|"
    "(?:some )?facts about me|"
    "you know that|do you remember that|i told you(?: that)?|i already told you(?: that)?|i said(?: that)?|"
    "i already said(?: that)?|i mentioned(?: that)?|i have to say(?: that)?|"
    "i must say(?: that)?|i should mention(?: that)?|i should say(?: that)?|i forgot to mention(?: that)?|"
    "i can tell you(?: that)?|let me tell you(?: that)?|"
    "the (?:plain |simple |honest |sad |whole |long and (?:the )?)*(?:thing|truth|fact|problem|short|upshot|gist|"
    "reality|"
    "bottom line|point|story)(?: of (?:it|the matter|the story))? is(?: that)?|it is true that|"
    "i want you to know(?: that)?|you should know(?: that)?|"
    "(?:the |(?:the )?only |one |another |the other )?(?:thing|trouble|point|truth|fact|problem|catch|snag|issue|snag) "
    "is,?(?: that)?(?= (?:i|i'm|my|we|our)\\b)|you know me|to [a-z]+ (?:[\\w'-]+ ){0,5}?(?:it|that|this),?(?= (?:i|"
    "we)\\b)|side by side(?= (?:i|we|my)\\b)|"
    "it turns out(?: that)?|turns out(?: that)?|i just realised(?: that)?|i just realized(?: that)?|given that|"
    "seeing as|seeing that|considering that|not sure if i said(?: this)?"
)
# Openers only with a mark after them: "that's wrong: I …", but "that's wrong of me".
_MARKED_OPENERS = (
    "(?:that|this) (?:is|was) (?:wrong|incorrect|untrue|false|a lie|a mistake|"
    "(?:simply |just )?not (?:right|true|correct|so))|"
    "not true|wrong|you (?:have )?got (?:that|it|me) wrong|that never happened|funny thing|believe it or not|"
    "i (?:must|have to|need to|should) correct myself|i (?:misspoke|stand corrected|was (?:wrong|mistaken))|"
    "one more thing|another thing|(?:on a )?side note|on another note|in truth|in short|long story short"
)
_OPENER = re.compile(
    rf"^(?:(?:{_OPENERS})(?:\s*[,.!:;-]+\s*|\s+(?=\S)|$)|(?:{_MARKED_OPENERS})\s*[,.!:;-]+\s*)", re.IGNORECASE
)
# How most clauses start, and none of the openers.
_NO_OPENER = re.compile(
    r"My |my |I (?!mean|told|already|said|mention|have to say|must|should|forgot|can tell|just real|never thought|"
    r"have to correct|need to correct|misspoke|stand corr|was wrong|was mist)"
)
_OPENER_GUARD = re.compile(
    r"^(?:like (?:my|all|most)|right (?:now|after|before)|good (?:at|with|for)|great (?:at|with)|same (?:as|"
    r"for)|well (?:done|known)|"
    r"so (?:is|are|do|does|am|far|many|much)|since (?:\d|last|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|"
    r"monday|then|childhood|birth|i was|"
    r"(?!(?:i|we|my|our|he|she|it|they|you|there|his|her|their|this|that|these|those)\b)"
    r"(?:[\w'-]+ ){0,4}?[\w'-]+,? (?:i|we) )|still (?:in|at)|while (?:in|at)|see (?:you|ya)|look (?:at|for|out)|"
    r"cool (?:stuff|things)|"
    r"news (?:is|are)|evening (?:walks|runs)|morning (?:walks|runs|person)|thanks to|sure (?:thing|about)|"
    r"then again)\b",
    re.IGNORECASE,
)
_VOCATIVE = re.compile(
    r"\s*,\s*(?:mate|dude|man|bro|buddy|pal|guys|folks|sir|madam|dear|my friend|friend|claude|"
    r"assistant|bot)\s*$",
    re.IGNORECASE,
)
_CLOSERS = re.compile(
    r"(?:\s*,\s*|\s+)(?:btw|by the way|lo+l|lmao|lmfao|rofl|ngl|smh|fr|idk|iirc|imo|imho|xx+|innit|"
    r"haha\w*|hehe\w*|too|as well|though|tho|actually|honestly|"
    r"you know|tbh|to be honest|"
    r"i guess|i suppose|i think|i believe|right|please|anyway|anyways|either|of course|for sure|"
    r"for what it's worth|fwiw|fyi|just fyi|for your (?:information|records?|notes)|for (?:the record|info)|"
    r"(?:just )?to be (?:precise|exact|clear|specific)|more (?:precisely|exactly)|"
    r"if (?:i'm|im|i am|i’m)(?: being)? honest|"
    r"as i said|as i mentioned|like i said|as you know|ok|okay|obviously|unfortunately|sadly|luckily|"
    r"thankfully|so yeah|yeah|woo+(?:[ -]?hoo+)?|yay+|yippee|hurra[yh]|hooray|"
    r"wrong (?:chat|window|person|thread|tab)|my (?:bad|mistake)|typo|sorry|just kidding|jk|oops|"
    r"at the moment|nowadays|these days|now|at present|xd|ha|eh|omg|"
    r"after all|for real|don't you think|who knows|you never know|we'll see|we will see|if you must know|if that helps|"
    r"if that matters|just so you know|and so on|etc)\s*$",
    re.IGNORECASE,
)
_CLOSER_GUARD = re.compile(
    r"(?:\b(?:do|does|did|am|is|are|was|not|old|young|gay|straight|best|family|little|rich|poor|my|a|the|right|"
    r"until|till|by|up to|of|and|from) (?:man|guys|dude|dear|mate|buddy|pal|bro|folks|sir|now|right|too))$|"
    r"\bam (?:ok|okay)$",
    re.IGNORECASE,
)
_TRAILING_MARKS = " \t\n.,;:!?-–—*~\"'()"
# "Official statement for the record: I …": what announces a sentence is no part of it.
_LABEL = re.compile(r"^(?!I\b|[Mm]y\b|[Ww]e\b)[A-Za-z' -]{3,48}: (?=(?:I|[Mm]y|[Ww]e|[Oo]ur) )")
_ASIDES = re.compile(
    r"(?:(?:,\s*|\s+)(?:btw|by the way|lol|you know|i mean|as i said|tbh|to be honest)),?(?=\s)", re.IGNORECASE
)


_ASIDE_GATE = ("btw", "by the way", "lol", "you know", "i mean", "as i said", "tbh", "honest")
_LAST_WORDS = wordset(
    """
    btw way lol lool lmao lmfao rofl ngl smh fr idk iirc imo imho xx xxx innit
    too well though tho actually honestly know tbh honest guess suppose think believe right please
    anyway anyways either course sure worth fwiw fyi said mentioned ok okay obviously unfortunately sadly luckily
    precise precisely exact exactly clear specific information record records note notes info
    thankfully yeah woo woohoo yay yippee hurray hurrah hooray all chat window person thread tab bad mistake typo sorry
    kidding jk oops real moment nowadays days now present xd ha eh omg knows
    see helps matters so on etc
    """
)


def _may_close(text: str) -> bool:
    last = text.rsplit(None, 1)[-1].lower() if text else ""
    return last in _LAST_WORDS or last.startswith(("haha", "hehe"))


@lru_cache(maxsize=4096)
def stripped(text: str) -> str:
    """Plain text without what only manages the talk: openers, closers, asides, closing marks, outer spaces."""
    text = text.strip(_TRAILING_MARKS)
    for _ in range(6):
        if _NO_OPENER.match(text):
            break
        found = _OPENER.match(text)
        if not found or _OPENER_GUARD.match(text):
            break
        text = text[found.end() :].lstrip(" ,.!:;-")
    if ": " in text and (label := _LABEL.match(text)):
        text = text[label.end() :]
    for _ in range(4):
        if not _may_close(text):
            break
        found = _CLOSERS.search(text)
        if not found or _CLOSER_GUARD.search(text):
            break
        text = text[: found.start()].rstrip(_TRAILING_MARKS)
    if "," in text:
        text = _VOCATIVE.sub("", text)
    if ("," in text or "way" in text or "lol" in text or "btw" in text) and mentions(text.lower(), _ASIDE_GATE):
        text = _ASIDES.sub("", text)
    return text.removeprefix("do ").strip(_TRAILING_MARKS) if text[:5] == "do I " else text.strip(_TRAILING_MARKS)
