"""Words that settle what the encoder can only guess: a standing order, a correction of what was just said, and a
plain statement of what one is or has.
"""

from __future__ import annotations

import re

from models.wording import profiles
from models.wording.lasting import COUNT, SELDOM, UNSURE
from models.wording.lexicon import CONDITIONS, DIETS, DISABILITIES, NOT_OCCUPATIONS, PETS, PLURAL_RELATIONS, RELATIONS
from models.wording.lists import mentions, wordset
from models.wording.spelling import plain, stripped
from models.wording.verbs import is_common_noun, lemma

CUED_CONFIDENCE_MIN = 0.85
BY_GRAMMAR_CONFIDENCE = 0.75
BY_GRAMMAR_MIN = 0.3
ATTRIBUTE_MIN = 0.2

_STANDING = re.compile(
    r"\b(?:from now on|from here on|in (?:the )?future|going forward|always|never|any ?more|any longer|no longer|"
    r"any ?time|whenever|"
    r"by default|every time|each time|henceforth|hereafter|at all times|(?:starting|as of|from) today|"
    r"(?:all|every|each|any|future) (?:(?:of|your|the|future|further|subsequent) )*(?:answers?|repl(?:y|ies)|"
    r"responses?|chats?|conversations?))\b"
    r"|^(?:(?:please|pls|just|and)[,\s]+)*(?:(?:address|refer to) me (?:as|by) |call me (?:by |(?-i:[A-Z])))"
    r"|(?:\b(?:not|dont|no)\b|n['’]t\b).*\bagain\b|^(?:(?:please|pls|just|and|ok|okay)[,\s]+)*(?:stop|quit) \w+ing\b",
    re.IGNORECASE,
)
_STANDING_GATE = (
    "now on", "here on", "future", "forward", "always", "never", "any", "no longer", "whenever", "default", " time",
    "again", "stop ", "quit ", " me ", "henceforth", "hereafter", "today", "answer", "repl", "response", "chat",
    "conversation",
)  # fmt: skip
_CORRECTS = re.compile(
    r"^(?:(?:sorry|oops|no|wait|correction|actually)\b.*\d|(?:i (?:mean|meant)|make that)\b|"
    r"(?:(?:sorry|oops|ups|whoops|wait|no|typo|correction|my bad|argh|ugh)[\s,.:!*-]+)+(?:(?:i )?meant?\b|"
    r"make (?:that|it)\b|(?-i:[A-Z][\w'’-]+|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|"
    r"december)"
    r"(?:,? with an? .{1,12})?\W*$)|"
    r"\*\s?[\w'’-]+(?: [\w'’-]+)?(?:,? (?:typo|sorry|oops|i meant?|my bad|lol))*\W*$|[\w'’-]+\*(?: lol)?\W*$)|"
    r"\bi mean(?:t)?\W*$",
    re.IGNORECASE,
)
_CORRECTING = (
    "sorry", "oops", "ups", "whoops", "no", "wait", "typo", "correction", "actually", "make that", "my bad", "argh",
    "ugh", "*",
)  # fmt: skip
_OF_BODY = "|".join(sorted(re.escape(word) for word in {*CONDITIONS, *DIETS}))
_IMPAIRED = "|".join(sorted(DISABILITIES))
_PLAINLY = re.compile(
    r"I am (?:also |now |still )?(?:an? |not an? |from )\S|I was born |"
    r"I am (?:(?:also|now|still|happily|newly|recently|already) )*(?:(?:an? )?(?:widow|widower)|married|"
    r"divorced|single|"
    r"engaged|widowed|retired|separated)(?: (?:to|with|from|for|since)\b.*)?$|"
    r"I am (?:\d{2}|(?:[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ][a-z]+)?))$|"
    r"I (?:am|have)(?: (?:also|now|still|strictly|severely|badly|very|highly|had|a|an|mild|bad|severe|chronic))*"
    rf" (?:allergic to (?!many|some|lots|certain|several|various|a few)\S|(?:lactose|gluten)[ -]|type (?:1|"
    rf"2|one|two) |(?:{_OF_BODY})\b"
    rf"|(?:{_IMPAIRED})(?: (?:in|since|from)\b|$))|"
    rf"(?:I|[Ww]e) (?:own|do not own|do not have|have(?: got)?) {COUNT}\S|"
    r"I (?:drive|speak|play the) \S|I (?:keep|raise|breed) (?!\w+ing\b)\S|(?:I )?live in [A-Z]|"
    r"(?:I am )?based in [A-Z]|"
    r"(?:(?:I|[Ww]e) )?(?:have )?(?:just |recently |since )*"
    r"(?:(?:relocated|emigrated)(?: back)?|moved (?:back|over|out|up|down)) to [A-Z]|"
    r"(?:I )?(?:have )?(?:just |finally )*(?:found|got|landed|accepted) (?:an? |my )(?:new |first |second |dream )*"
    r"(?:job|position|post)\b(?! (?:interview|offer|application|description|ad|title)s?\b)|"
    r"my (?:(?:full |first |last )?name|birthday) is |my [a-z-]+'s (?:\d+(?:st|nd|rd|th) )?(?:birthday|name) is |"
    r"(?i:its|his|her|their) names? (?:is|are) [A-Z]|(?i:he|she|it|they) (?:is|are) (?:called|named) [A-Z]|"
    r"(?:[Ii]t|[Tt]oday|[Tt]omorrow) is (?:my|our) (?:(?:\d\d(?:st|nd|rd|th)|wedding) )?"
    r"(?:birthday|anniversary|name day)(?: (?:today|tomorrow))?$"
)
# What these attributes need of the words is strict enough to go by the words alone.
_PLAIN_PREDICATES = wordset(
    """
    works_as has_child has_children has_sibling has_relative has_parent married_to has_partner has_pet born_in born_on
    is_named drives plays_instrument speaks sleeps lives_in comes_from moved_to pet_named has_condition has_allergy
    has_disability follows_diet started_job anniversary_on owes smokes member_of plays_sport volunteers supports_team
    owns_business has_degree blood_type has_nationality is_married is_divorced
    is_single is_engaged is_widowed is_retired is_aged
    """
)
_OWNED = re.compile(
    rf"(?:I|[Ww]e) (?:own|do not own) {COUNT}|(?:I|[Ww]e) (?:have|do not have) {COUNT}(?:[a-z]+ ){{0,2}}(?:house|flat|"
    r"apartment|cottage|cabin|garden|allotment|greenhouse|balcony|sauna|pool|hot tub|bike|bicycle|e-bike|scooter|"
    r"moped|van|campervan|motorhome|caravan|trailer|boat|canoe|kayak|sailboat|piano|tv|telly|television|dishwasher|"
    r"treadmill|kiln|"
    r"telescope|tattoo|tattoos)(?: (?:in|at|on) .*)?$"
)
_CALLED = re.compile(
    rf"(?:I|[Ww]e) have (?:got )?{COUNT}.*(?: (?:called|named|by the name of) \S|, [A-Z]|\b[a-z]+ [A-Z][a-z]+$)"
)
_CALLED_WHO = wordset("has_friend has_colleague lives_with knows_person")
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|aug|sept?|"
    r"oct|"
    r"nov|dec)\b"
)
_NEAR = "|".join(sorted({*RELATIONS, *PETS}, key=lambda word: (-len(word), word)))
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SETTLED_FORMS = (
    # what one does, by its verb
    rf"(?:I|[Ww]e) {SELDOM}(?:restore|repair|mend|breed|brew|bake|knit|sew|crochet|weave|carve|paint|sculpt|forage|"
    r"collect|grow(?! old\b)|distil|pickle|preserve|compose|teach|coach|tutor|mentor|foster|rescue|train|race|ride|"
    r"sail|row|paddle|fly|climb|hike|juggle|conduct|busk|sketch|farm) "
    r"(?!(?:up|down|out|off|back|tired|weary|interviews)\b)[a-z]",
    # what one's body does
    rf"I {SELDOM}(?:snore|sleepwalk|stutter|stammer|lisp|blush|faint|grind my teeth|bite my nails|talk in my sleep|"
    r"wear (?:glasses|contacts|contact lenses|dentures|braces|a wig|an? hearing aids?|hearing aids))\b",
    # what one does time and again
    rf"(?:I|[Ww]e) {SELDOM}(?!(?:need|want|have|will|am|was|get|got|see|think|hope) )[a-z]+ .*\b(?i:(?:every|each|"
    rf"most) "
    rf"(?:(?:other|single|second) )?(?:day|night|morning|evening|week|weekend|month|year|spring|summer|autumn|fall|"
    rf"winter|{_DAY})s?|on {_DAY}s|(?:on|at) (?:the )?weekends?|"
    r"(?:once|twice|(?:two|three|four|five|\d) times) (?:a|per) (?:day|week|month|year))\b",
    # what one lives by, and never does
    r"(?:I|[Ww]e) (?:[\w'-]+ )+for a living\b",
    rf"(?:I|[Ww]e) {SELDOM}(?:do not|never|cannot|no longer) (?:(?:eat|drink)(?= \S)|smoke|drive|swim|cook|dance|sing|"
    rf"whistle|ski|"
    r"skate|ride|(?:wear|tolerate|digest|stomach)(?= \S))\b(?!.*\b(?:today|tonight|tomorrow|now|yet|until|enough|"
    r"properly|"
    r"much)\b)",
    # what one would choose, and has had enough of
    r"(?:I|we) (?:would|had) (?:much |far |always )?rather (?!not\b|you\b|be able\b|die\b)[a-z]+ .+ than \S",
    r"(?:I|we) (?:am|are|have (?:grown|become|got|gotten)|grew) (?:[a-z]+ly |so |very |quite |rather |a bit |sick and "
    r")*(?:tired|weary|sick|fed up|bored) (?:of|with) (?![a-z]+ing\b|how|all\b|the\b|you)[a-z]",
    r"(?:I|we) have (?:really |completely |rather )?(?:gone off|fallen out of love with|lost (?:all |my )*(?:interest "
    r"in|taste for)) [a-z]",
    # where one has found to live
    r"(?:(?:I|[Ww]e) )?(?:have )?(?:just |finally |at last )*(?:found|bought|rented|signed for) (?:an?|our|my) "
    r"(?:[a-z-]+ ){0,3}?(?:flat|house|apartment|place|studio|cottage|bungalow|home)(?: of (?:my|our) own)? (?:in|near|"
    r"on|by|outside) ",
    # who has died
    rf"(?:[Mm]y|[Oo]ur) (?:[a-z-]+ ){{0,2}}?(?:{_NEAR})(?:,? [A-Z][\w'’-]+)? (?:(?:has|have|had|just|sadly|recently|"
    rf"finally|suddenly) )*(?:died|passed away|passed on|was put (?:to sleep|down))\b",
    # what one has named
    r"(?:I|we) (?:have )?(?:named|called|christened) (?:him|her|them) [A-Z]",
    # what one dreads
    r"I am (?:so |really |very |absolutely |terribly |deathly |dead |quite |also |still )*(?:afraid|scared|terrified|"
    r"frightened|"
    r"petrified) of (?!losing|being|making|missing|getting|the\b|what|how)[a-z]",
    r"I have (?:a|an) (?:[a-z]+ )?(?:fear|phobia|dread|horror) of \S",
    # how many live together
    r"There (?:is|are) (?:now |only |just )*(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) of us (?:[a-z]+ "
    r")?(?:in|at|"
    r"under) (?:the|our|my|one|a) (?:[a-z]+ )?(?:house|flat|home|household|family|apartment|cottage|roof|place|farm|"
    r"bungalow)$",
    # what is planned for a day
    r"(?:I|[Ww]e) (?:am|are) (?:[a-z]+ly )?(?!(?:going|trying|hoping|looking|thinking|wondering|asking|doing|having|"
    r"getting|"
    r"working|planning|wanting|needing|checking|waiting|calling|writing|feeling|sending|using|expecting|leaning|"
    r"leaving|departing|arriving|picking|buying|returning|paying|ordering|booking|collecting|submitting|running late) "
    r")[a-z]+ing .*"
    rf"\b(?i:on (?:the )?\d{{1,2}}(?:st|nd|rd|th)|on (?:next )?{_DAY}|(?:next|this) (?:{_DAY}|week|weekend|month|year|"
    rf"spring|"
    rf"summer|autumn|fall|winter)|(?:the )?day after tomorrow|tomorrow|in {_MONTH}|on {_MONTH} \d|on (?:the )?\d[a-z]* "
    rf"(?:of )?{_MONTH})\b",
    # what one is keen on
    r"I am (?:an? )?(?:(?:very|really|such) )?(?:an? )?"
    r"(?:keen|avid|passionate|enthusiastic|amateur|lifelong|devoted) [a-z]",
    r"(?:keen|avid|passionate|lifelong) [a-z-]+ here$",
    r"(?:I am )?(?:an? )?(?:(?:big|huge|massive|lifelong|great|real|die-hard|long-?time) )?(?:fan|lover|admirer) of \S",
    r"(?:I am )?(?:(?:also|really|very|so|totally|super) )+(?:into|fond of|keen on|mad about|crazy about) (?!(?:the|"
    r"it|that|this|them|"
    r"you)\b)\S|"
    r"I am (?:also )?(?:fond of|keen on|mad about|crazy about|into (?!(?:the|it|that|this|them|you)\b)\S|an? "
    r"(?:[\w'-]+ ){1,3}(?:fan|nut|buff|"
    r"fanatic|enthusiast|geek|"
    r"nerd|lover))\b",
    r"(?:(?:I|[Ww]e) )?(?:really |absolutely |truly |do )*(?:(?:admire|love|enjoy|hate|dislike|like(?! (?:one|both|all|"
    r"some|option|number)\b)) "
    r"(?!(?:the|it|that|this|your?|those|these)\b)|"
    r"(?:adore|detest|loathe|"
    r"despise|worship|cannot (?:stand|bear|abide)) )(?!(?:to|how|what|when|being|having|getting)\b)\S",
    # what never was so
    r"(?:I|[Ww]e) (?:have )?never (?:had|been|owned|lived|worked|studied|married|smoked|played|driven|served) \S",
    # where one is, until which day
    r"(?:I|[Ww]e) (?:am|are|will be|shall be|am going to be|are going to be|shall stay|"
    r"will stay) (?:(?:staying|camping|working|"
    r"visiting|away|abroad|off|on holiday|on leave)\b ?)?(?:(?:in|at|near|with) .*)?\b"
    rf"(?i:(?:until|till|through|up to) (?:(?:early|late|mid|next|this) )?(?:{_DAY}|tomorrow|week|month|year|spring|"
    r"summer|autumn|winter|christmas|easter|new year|(?:the )?(?:end|middle) of|(?:the )?\d{1,2}(?:st|nd|rd|th)|"
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*))\b",
)  # fmt: skip
_SETTLED = re.compile("|".join(_SETTLED_FORMS))
_DONE_TO_ME = re.compile(
    r"(?:(?:[Mm]y|[Tt]he|[Oo]ur) (?:[\w'-]+ ){0,2}?[\w'-]+|They|they|[A-Z]\w+) (?:have |has |had )?"
    r"(?:made me redundant|laid me off|let me go|sacked me|fired me|dismissed me|took me on|hired me|promoted me|"
    r"adopted me|fostered me|raised me|brought me up|disowned me|diagnosed me with \w)\b"
)


def _is_settled(words: str) -> bool:
    """Whether plain words are of a form that settles what they say: what one does, is keen on, had done to one."""
    return _SETTLED.match(words) is not None or (" me" in words and _DONE_TO_ME.match(words) is not None)


# What may be an introduction; whether it is one is settled where it is written.
_INTRODUCES = re.compile(
    r"[Tt]his is [^\W\d_][\w'-]+(?: [^\W\d_][\w'.-]*){0,2}(?: here| speaking)?$|"
    r"(?:[Ii]t is )?[A-Z][\w'-]+(?: [A-Z][\w'.-]*){0,2} (?:here|speaking)$"
)
_IN_FULL = re.compile(r"(?:I am|[Ii]['’]?m) [A-Z][\w'’-]+ [A-Z][\w'’-]+(?:$|[,.!]| [A-Z])")
_NAMES_ONESELF = re.compile(r"\b(?:names?|called|named)\b", re.IGNORECASE)
_OF_PLACE = wordset("lives_in moved_to comes_from born_in")


def is_attribute(text: str, predicate: str, obj: str, until: str | None) -> bool:
    """Whether what was written of a clause is an attribute strict enough to go by what was written alone."""
    if predicate == "stays_in":
        return until is not None and obj != obj.lower()
    if predicate in _OF_PLACE:
        return obj != obj.lower() or not any(map(is_common_noun, obj.split()))
    if predicate == "is_named":
        return _NAMES_ONESELF.search(text) is not None or _IN_FULL.match(text) is not None
    return predicate in _PLAIN_PREDICATES and _SOME.match(obj) is None


_SOME = re.compile(r"(?:many|some|lots|certain|several|various|a few|any|you|this|that|these|those)\b", re.IGNORECASE)
_PLAIN_WORDS_MAX = 12
_PLAIN_CHARACTERS_MAX = 70
_TOLD_CHARACTERS_MAX = 140
_WHO = re.compile(r",? who\b|, which\b")


_RENEWS = re.compile(
    r"(?<!\bright )(?<!\bjust )(?<!\buntil )(?<!\btill )(?<!\bby )(?<!\bfor )(?<!\bbefore )(?<!\beven )(?<!\bup to )"
    r"\bnow\b(?! (?:and (?:then|again)|that\b|on\b))|\b(?:nowadays|these days|instead)\b"
    r"|\b(?:switched|changed|moved|went) (?:over )?to\b",
    re.IGNORECASE,
)
_RENEWING = ("now", "these days", "instead", " to ")


def renews(text: str) -> bool:
    """Whether a statement says that it holds now and did not before ("I prefer light mode now")."""
    return mentions(text.lower(), _RENEWING) and _RENEWS.search(text) is not None


def is_standing(text: str) -> bool:
    """Whether an instruction says that it is meant to last ("from now on", "never … again")."""
    return mentions(text.lower(), _STANDING_GATE) and _STANDING.search(text) is not None


def corrects(text: str) -> bool:
    """Whether a clause puts right what was said just before ("sorry, 950 I mean")."""
    lowered = text.strip().lower()
    may = "mean" in lowered or "*" in lowered or lowered.startswith(_CORRECTING)
    return may and _CORRECTS.search(text.strip()) is not None


def states_plainly(text: str) -> bool:
    """Whether a short clause may state what one is, has or is called, in the plainest of words ("im a glazier").

    What is told of somebody whom one has ("…, who plays bass") does not make it less plain.
    """
    if len(text) > (_TOLD_CHARACTERS_MAX if " who " in text or ", which " in text else _PLAIN_CHARACTERS_MAX):
        return False
    if profiles.is_list(text):
        return True
    words = _of_oneself(text)
    if _INTRODUCES.match(words) or (words.startswith("There ") and _is_settled(words)):
        return True
    if len(words.split()) > _PLAIN_WORDS_MAX:
        return False
    plainly = _PLAINLY.match(words) is not None or _is_settled(words) or _of_these_days(text, words)
    return plainly and UNSURE.search(words) is None


def is_plain(text: str, predicate: str) -> bool:
    """Whether what a plain statement says is an attribute that its words settle."""
    if predicate in _PLAIN_PREDICATES or profiles.is_list(text):
        return True
    words = _of_oneself(text)
    if predicate in _RELATED and tells_of_kin(text):
        return True
    if predicate == "states" and (role := _ROLE.match(words)) and role["head"] not in _NO_ROLES:
        return True
    if predicate in _CALLED_WHO:
        return _CALLED.match(words) is not None
    return (
        _of_these_days(text, words)
        or _is_settled(words)
        or (predicate in ("owns", "has_home") and _OWNED.match(words) is not None)
    )


# "I'm a notary": a bare noun of one who does something.
_ROLE = re.compile(
    r"I am (?:also |now |still )?an? (?:[a-z-]+ ){0,2}(?P<head>[a-z-]+(?:er|or|ist|ian|ant|ary|eer|man|woman|wright|"
    r"smith|"
    r"herd|eur|ess|ier))(?: (?:on|in|at|for) .*)?$"
)
_NO_ROLES = NOT_OCCUPATIONS | wordset(
    """
    customer newcomer outsider monster disaster goner prisoner passenger caller bidder holder visitor sinner number
    former
    better larger fighter sufferer worrier talker listener thinker dreamer giant peasant participant applicant shopper
    buyer victor human woman man mess slacker liar sucker downer bummer cancer
    """
)
_RELATED = frozenset(RELATIONS.values())
_KIN = "|".join(sorted(RELATIONS, key=lambda word: (-len(word), word)))
_OF_KIN = re.compile(
    rf"(?:[Mm]y|[Oo]ur) (?:[a-z-]+ ){{0,2}}?(?P<noun>{_KIN})(?:,? (?:called |named )?[A-Z][\w'’-]+){{0,2}},? "
    r"(?:(?:also|still|now|always|usually) )?(?P<verb>[a-z]+) (?P<rest>\S.*)$"
)
_ODD_FORMS = {"is": "am", "has": "have", "are": "am"}
_FRONT_NOW = re.compile(r"(?:now|nowadays|these days|at present|currently),? (?=(?:I|we) )", re.IGNORECASE)
_ABOUT_IT = re.compile(r" about (?:it|that|this)$")


def _of_oneself(text: str) -> str:
    """The plain words of a clause, those on a relative as if on oneself: "my aunt is a vet" as "I am a vet"."""
    words = _ABOUT_IT.sub("", _WHO.split(stripped(plain(text)), maxsplit=1)[0])
    kin = _kin_in(words)
    if kin is not None:
        verb = kin["verb"]
        return f"I {_ODD_FORMS.get(verb) or lemma(verb)} {kin['rest']}"
    return _FRONT_NOW.sub("", words)


def _kin_in(words: str) -> re.Match[str] | None:
    found = _OF_KIN.match(words) if words[:3] in ("my ", "My ", "our", "Our") else None
    if found is None:
        return None
    verb = found["verb"]
    if verb in ("is", "are") and found["rest"].split(" ", 1)[0].endswith("ing"):
        return None
    agrees = verb in _ODD_FORMS or (verb.endswith("s") and lemma(verb) != verb) or found["noun"] in PLURAL_RELATIONS
    return found if agrees else None


def tells_of_kin(text: str) -> bool:
    """Whether a clause tells of a relative, friend or neighbour of the user's ("my aunt Bo is a vet")."""
    return _kin_in(_WHO.split(stripped(plain(text)), maxsplit=1)[0]) is not None


_THESE_DAYS = re.compile(r"\b(?:these days|nowadays)\b", re.IGNORECASE)
_HABITUAL = re.compile(
    r"(?:I|we) (?:mostly |mainly |only |just |usually |always )*(?!(?:am|are|feel|guess|think|want|need|have|had|was|"
    r"know|see|"
    r"hope|can|cannot|do|did|could|would|will|get|got|find|seem|keep|hear|say) )[a-z]+ [a-z]"
)


def _of_these_days(text: str, words: str) -> bool:
    """Whether a clause tells what one does nowadays: "these days I take the bus"."""
    return _THESE_DAYS.search(text) is not None and _HABITUAL.match(words) is not None
