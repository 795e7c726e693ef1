"""One clause into claims: third-person sentences that stand alone, with their triple, dates and polarity (X3, X5, X8–X10).

The model says that a clause is worth keeping and what kind it is; the words are made here, by rule, from the user's own:
nothing is said that was not said. What the rules cannot make whole is left out. `namespace` stays empty: whoever knows
the catalogue files the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from models import dates, triples
from models.claims import Claim, Utterance
from models.clauses import Clause
from models.language import language_of
from models.readings import Reading
from models.triples import Triple
from models.wording import answers, antecedents, procedures
from models.wording.grammar import Shape, in_third_person, owned_subject, relation_of, shape_of
from models.wording.lexicon import PETS, PLURAL_RELATIONS, RELATIONS, is_occupation
from models.wording.spelling import plain, stripped
from models.wording.verbs import BE, COMMON, HAVE, MODALS, is_common_noun, is_finite, is_past, third_person


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is fixed while one clause is written."""

    utterance: Utterance
    clause: Clause
    reading: Reading
    confidence: float
    confirmed: bool = False
    language: str = "en"


def lean(utterance: Utterance) -> bool:
    """Whether a message leans on its context: a short answer, a yes or no, a correction that the rules can make whole."""
    text = utterance.text
    if utterance.role != "user" or len(text) > 120 or "\n" in text.strip():
        return False
    return answers.made_whole(text, "", utterance) is not None


def write(utterance: Utterance, clause: Clause, reading: Reading) -> tuple[Claim, ...]:
    """The claims of one clause; none for a question, a supposition, a passing thing, or what cannot stand alone."""
    if clause.question or utterance.role not in ("user", "assistant"):
        return ()
    language = language_of(utterance)
    if language not in ("en", "und"):
        return ()
    scene = _Scene(utterance, clause, reading, reading.confidence)
    spelled = plain(clause.text)
    text = stripped(spelled)
    if utterance.role == "assistant":
        return tuple(_advice(scene, text))
    if clause.hypothetical or any(each.search(text) for each in (_TRANSIENT, _COURTESY, _TASK)):
        return ()
    before = utterance.text[: clause.start]
    whole = answers.made_whole(clause.text, before, utterance) if len(text) <= 120 else None
    if whole is not None:
        scene = replace(
            scene, confirmed=whole.confirmed, confidence=max(scene.confidence, 0.88 if not whole.corrects else 0.9)
        )
        return tuple(
            _deduplicated(_declared(scene, stripped(plain(whole.text)) if not whole.corrects else whole.text, before))
        )
    directive = procedures.directive(text, reading.kind == "procedure")
    if directive is not None and not _states_self(text):
        return (
            _claim(
                scene, Triple(directive.predicate, directive.object, True, "procedure"), directive.content, "assistant"
            ),
        )
    if _HEDGED.search(text):
        scene = replace(scene, confidence=min(scene.confidence, 0.6))
    elif _CORRECTION.match(spelled) or _EMPHATIC.search(text):
        scene = replace(scene, confidence=max(scene.confidence, 0.93))
    return tuple(_deduplicated(_declared(scene, text, before)))


_TRANSIENT = re.compile(
    r"\b(?:order|tracking|ticket|invoice|booking|reservation|confirmation|reference|case|serial|account|claim|policy|"
    r"transaction|flight) (?:number|no\.?|id|code|ref(?:erence)?|#)|#\d{3,}|"
    r"\b(?:the |my )?(?:quote|estimate|total|bill|invoice|price|fee|charge)s? (?:was|is|came to|comes to|were|of)\b.*\d|"
    r"\bfor (?:lunch|dinner|breakfast|supper|brunch) (?:today|tonight|yesterday|this)|"
    r"\b(?:had|ate|having|eating|made|cooked|cooking) .{1,40} (?:for (?:lunch|dinner|breakfast|supper|brunch))\b(?! every)|"
    r"\b(?:error|exception|stack ?trace|traceback|segfault|null pointer|undefined|404|500 error|bug in|compil\w+|debugg\w+|"
    r"crash(?:es|ed|ing)?|npm|pip install|localhost|syntax)\b|"
    r"\b(?:a bit of (?:a )?|slight |splitting |bad |terrible |little )*(?:headache|stomach ?ache|sore throat|runny nose|hangover|"
    r"tummy ache|nosebleed)\b(?! (?:disorder|condition))(?!s? (?:every|all the time|since|for years|frequently|often))",
    re.IGNORECASE,
)
_DEGREE = r"(?:a bit |so |really |very |just |feeling |kind of |pretty |quite |super |still |too |a little |always |also )*"
_COURTESY = re.compile(
    rf"^I (?:am|feel|was) {_DEGREE}(?:hungry|thirsty|tired|sleepy|cold|hot|bored|busy|sick|ill|stuck|confused|lost|late|ready|back|here|done|"
    r"fine|good|great|ok|okay|well|sorry|sure|glad|not sure|happy|curious|impressed|excited|thankful|grateful)"
    r"(?: (?:today|right now|now|at the moment|this morning|tonight|this evening|again|then|thanks|too|yet|with that|for now))*$|"
    rf"^I (?:am|was) {_DEGREE}(?:sure|glad|sorry|happy|certain|curious|afraid|surprised|impressed|grateful|thankful|pleased|jealous|lucky|not sure) "
    r"(?:that|you|it|we|they|he|she|to (?:hear|know|meet|help|see|talk|be)|about (?:that|it)|for (?:you|that)|of (?:that|it)|if|what|how|i|my)\b.*|"
    r"^I (?:hope|wish) (?:you|it|that|your|they|so)\b.*|^I (?:bet|guess|suppose|assume|imagine)\b.*|"
    r"^I (?:can|could) (?:imagine|understand|see|relate|tell|agree|hear)\b.*|^I (?:will|would|shall) (?:have to |need to |definitely |be sure to |probably )*"
    r"(?:try|check|give (?:it|that|you)|look (?:into|at|it)|keep|let you|do that|remember|be (?:there|back|your)|take|see|think about|make sure|say|miss you|ask)\b.*|"
    r"^I (?:will|would|can|could|do|did|am|was|have|should|might|may|must|want to|hope so|think so|guess so|used to|plan to|try to|need to|love to|promise|tried)(?: not)?$|"
    r"^I (?:have )?(?:only |never )?heard (?:of|about|that|good|great|so|a lot|many|it)\b.*|"
    r"^I (?:agree|see|understand|know|get it|get that|do not know|mean it|appreciate (?:it|that|you)|hear you|remember that|forgot|wonder|have to go|must go|"
    r"need to go|had no idea|did not know|do not mind|do not think so|do not blame|love that for)\b(?:[\s,]*(?:that|it|right|too|what you mean|"
    r"that feeling|the feeling|with you|completely|totally|how you feel|how that (?:is|feels)|exactly|either|if|why|what|how|you|a lot))*(?: .{0,25})?$|"
    r"^I (?:think|believe|find) (?:it|that|this|they|you|he|she|so)(?: (?:is|are|would be|sounds|could be|will be|was|should)\b.*)?$|^I (?:have|had) (?:a lot of |so much |lots of )?fun\b.*|^we (?:should|could|can|have) (?:a lot in common|.*together)\b.*",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^I (?:want|need|would (?:like|love)|am (?:looking|trying|hoping)|wish|have|will need) (?:you )?to (?:please )?(?:book|reserve|order|schedule|cancel|check|know|ask|rebook|confirm|"
    r"make (?:a |an )?(?:reservation|appointment|booking|payment|order|change)|return|exchange|track|look up|find out|figure out|see (?:a|the|some)|hear|transfer|send|pay|rent (?:a|the)|get (?:a )?(?:refund|tickets?|info\w*|help|quote)|"
    r"find (?:a|an|some|out|the) (?:restaurant|hotel|flight|place|movie|bus|doctor|dentist|therapist|salon|event|song|apartment to)|change my (?:order|flight|password|booking|reservation|address)|reset|log in|sign in)\b|"
    r"^I (?:want|need|would like) (?:a|an|the|some|two|three|\d+) (?:table|ticket|tickets|refund|room|reservation|flight|taxi|cab|ride|recipe|list|summary|example|answer|link|quote)\b|^I (?:have|would have) a (?:question|request|problem)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:might|may (?!\d)|maybe|perhaps|possibly|considering|not sure (?:if|whether)|thinking (?:about|of)|toying with|probably|could be|i guess|who knows|some ?day|one day|not certain|potentially|apparently)\b",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"^(?:correction|small correction|actually|no,|to be clear|let me correct|for the record)\b", re.IGNORECASE
)
_EMPHATIC = re.compile(
    r"\b(?:have|has) never\b|\bnot (?:a|an|the|my) .+ (?:any ?more|at all)$|\bnever (?:had|lived|been|owned|worked|was)\b|\bno longer\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"^(?:I|we|We|my|My|our)\b")


def _states_self(text: str) -> bool:
    return _SELF.match(text) is not None and not re.match(
        r"^I (?:want|need|would (?:like|prefer|appreciate|rather|love)|expect|prefer|do not want|do not mind|like it|do not like it|am (?:ok|fine|happy) with|allow)\b.*\byou\b",
        text,
        re.IGNORECASE,
    )


def _declared(scene: _Scene, text: str, before: str) -> Iterator[Claim]:
    """Claims of a declarative clause in plain first-person English."""
    text = _with_subject(text, scene, before)
    spoken_before = plain(before) if before else ""
    resolved = antecedents.resolved(_tidied(text), spoken_before, scene.utterance) if text else None
    if not resolved:
        return
    text = _tidied(resolved)
    when = dates.resolve(text, scene.utterance.sent_at_ms, scene.utterance.timezone)
    said = shape_of(_replaced(text, when.replacements))
    bare = shape_of(_without(text, when.replacements)) or said
    if said is None or bare is None:
        return
    if not said.rest and (said.verb in ("be", "have", "do", "go") or said.form.lower() in MODALS):
        return
    writers = {"user": _of_user, "owned": _of_owned, "named": _of_named, "there": _of_there, "other": _of_named}
    writer = writers.get(said.subject_kind)
    if writer is None:
        return
    today = dates.local_date(scene.utterance.sent_at_ms, scene.utterance.timezone).isoformat()
    for claim in writer(scene, said, bare):
        yield _planned(_dated(claim, when, said), said, today)


_NO_LONGER = re.compile(r"^(I|[Ww]e|[Mm]y [\w' ]+?) (?:(am|is|are|can|do) )?no longer (.+)$")
_DAY_IS_MINE = re.compile(
    r"^(?:it|today|tomorrow|yesterday|(?:this|next|last) \w+|.{3,20}?\d(?:st|nd|rd|th)?) (?:is|was|will be) my "
    r"(?P<what>(?:\d+(?:st|nd|rd|th) |\w+ )?(?:birthday|anniversary|name day))(?P<when> .+)?$",
    re.IGNORECASE,
)
_CALLED = re.compile(r"^(?:(?:all )?(?:[Mm]y|[Oo]ur) \w+|[Pp]eople|[Ee]veryone|everybody|friends|they) (?:all |always |just |usually )*call me (?P<name>[A-Z]\w+)$")


def _tidied(text: str) -> str:
    """Turns of phrase put the plain way round, so that one rule serves them all."""
    if text.startswith("i "):
        text = f"I{text[1:]}"
    found = _NO_LONGER.match(text)
    if found:
        auxiliary = found[2] or ("do" if found[1] in ("I", "we", "We") else "does")
        return f"{found[1]} {auxiliary} not {found[3]} anymore"
    found = _DAY_IS_MINE.match(text)
    if found:
        when = found["when"] or text.split(" is ")[0].split(" was ")[0]
        return f"my {found['what']} is {when.strip()}"
    found = _CALLED.match(text)
    if found:
        return f"my nickname is {found['name']}"
    return re.sub(r"^the name is (?=[A-Z])", "my name is ", text)


def _replaced(text: str, parts: tuple[tuple[int, int, str], ...]) -> str:
    for start, end, words in reversed(parts):
        if _PREPOSITION_BEFORE.search(text, 0, start):
            words = re.sub(r"^(?:on|in) ", "", words)
        text = f"{text[:start]}{words}{text[end:]}"
    return text


_PREPOSITION_BEFORE = re.compile(r"\b(?:about|for|from|by|until|since|of|on|in|at|to|after|before)\s+$", re.IGNORECASE)


def _without(text: str, parts: tuple[tuple[int, int, str], ...]) -> str:
    for start, end, _ in reversed(parts):
        text = f"{text[:start].rstrip()} {text[end:].lstrip()}"
    return re.sub(r"\s+([,.])", r"\1", text).strip(" ,")


_DATED = frozenset(("born_on", "launches_on", "deadline_on", "anniversary_on"))


def _dated(claim: Claim, when: dates.Dates, shape: Shape) -> Claim:
    if when is dates.NONE:
        return claim
    if claim.predicate in _DATED and (when.recurring or when.valid_from):
        claim = replace(claim, object=when.valid_from or (when.recurring or "").removeprefix("--"))
    timeless = claim.predicate in ("likes", "loves", "hates", "is_named", "favourite") and not when.valid_to
    return replace(
        claim, valid_from=None if timeless else when.valid_from, valid_to=when.valid_to, recurring=when.recurring
    )


def _planned(claim: Claim, shape: Shape, today: str) -> Claim:
    """What is still to come is a status and a plan, not a lasting truth; a stay with an end is no residence (X1)."""
    if claim.subject != "user" or claim.kind in ("opinion", "procedure", "recommendation"):
        return claim
    if claim.predicate == "lives_in" and claim.valid_to and shape.verb in ("be", "stay"):
        return replace(claim, kind="status", predicate="stays_in")
    future = claim.valid_from is not None and claim.valid_from > today[: len(claim.valid_from)]
    coming = shape.modal in ("will", "may", "might", "could", "shall") or (
        future and not shape.past and not claim.recurring
    )
    if coming and claim.predicate not in triples.STATUSES and claim.predicate not in ("is_named", "can", "cannot"):
        return replace(
            claim,
            kind="status",
            predicate="plans",
            object=claim.object if shape.verb == "be" else triples.object_words(f"{shape.form} {shape.rest}"),
        )
    return claim


# --- the subject that a clause shares with its sentence ---------------------------------------------------------------

_LAST_SUBJECT = re.compile(
    r"\b(I|[Ww]e|[Mm]y [a-z-]+(?: [A-Z]\w+)?|[A-Z]\w+)\s+(am|is|are|was|were|have|has|had|do|does|will|would|can|used|[a-z]+)\b"
)
_ELLIPTIC = re.compile(
    r"^(?:(?:just|recently|also|still|never|always|really|absolutely|not|currently|only|mostly)\s+)*(?:love|loved|like|liked|hate|enjoy|prefer|moved|got|been|working|living|studying|allergic|have|had|has|used to|cannot stand|"
    r"do not (?:like|eat|drink|have|own|smoke)|did not|grew up|born|vegan|vegetarian|single|married|retired|divorced|work|live|play|own|drive|speak|collect|started|joined|quit|adopted|bought|learning|looking for|a fan of|into|from)\b",
    re.IGNORECASE,
)
_IMPERATIVE_RISK = re.compile(
    r"^(?:play|drive|work|like|have|speak|prefer|got it|love it|like (?:that|this|what|how))\b(?! (?:in|at|as|for|with) )",
    re.IGNORECASE,
)


def _with_subject(text: str, scene: _Scene, before: str) -> str:
    """The clause with the subject it shares with its sentence ("work nights" → "I work nights") or leaves out as chat does."""
    if not text:
        return text
    first = text.split()[0].lower().strip(",")
    if re.match(r"^(?:i|we|my|our|it|he|she|they|his|her|its|their|this|that|there|you)$", first):
        return text
    fronted = shape_of(text)
    if fronted is not None and fronted.subject_kind in ("user", "owned"):
        return text
    clause = scene.clause
    sentence_before = (
        plain(scene.utterance.text[clause.sentence_start : clause.start])
        if clause.start > clause.sentence_start
        else ""
    )
    found = None
    for found in _LAST_SUBJECT.finditer(sentence_before):
        continue
    if found is None or (
        found[1] not in ("I", "we", "We") and not found[1].lower().startswith("my") and not is_finite(found[2])
    ):
        return _elliptic(text, fronted)
    return _joined(found[1], found[2].lower(), text, sentence_before)


def _joined(subject: str, verb: str, text: str, sentence_before: str) -> str:
    words = text.split()
    first = words[0].lower()
    bare = [
        word
        for word in words
        if word.lower()
        not in (
            "also",
            "just",
            "still",
            "really",
            "not",
            "never",
            "always",
            "currently",
            "now",
            "often",
            "usually",
            "sometimes",
            "mostly",
        )
    ]
    head = bare[0].lower() if bare else first
    being = next(
        (word for word in re.findall(r"\b(?:am|is|are|was|were)\b", sentence_before)[-1:]),
        "am" if subject == "I" else "is",
    )
    if first in ("not", "no") and verb in BE:
        return f"{subject} {being} {text}"
    if first == "not":
        return text
    if is_finite(head) and not (
        verb in BE
        and head
        in (
            "married",
            "engaged",
            "divorced",
            "retired",
            "based",
            "allergic",
            "interested",
            "born",
            "left",
            "widowed",
            "separated",
            "obsessed",
            "scared",
        )
    ):
        return f"{subject} {text}"
    if re.search(r"\b(?:am|is|are|was|were)\b", sentence_before) or head.endswith("ing"):
        return f"{subject} {being} {text}"
    return f"{subject} have {text}" if verb in HAVE or verb == "got" else text


def _elliptic(text: str, shape: Shape | None) -> str:
    """Chat leaves out its "I": "just moved to Berlin", "allergic to nuts", "vegan here", "love hiking"."""
    role = re.match(r"^(?:being|as) (an? .+)$", text, re.IGNORECASE)
    if role:
        return f"I am {role[1]}"
    here = re.match(r"^(?:a )?([\w-]+(?: [\w-]+)?) here$", text, re.IGNORECASE)
    if here:
        return f"I am a {here[1]}" if is_occupation(here[1]) else f"I am {here[1]}"
    if shape is not None and shape.subject_kind == "named" and not _ELLIPTIC.match(text):
        return text
    found = _ELLIPTIC.match(text)
    if not found or _IMPERATIVE_RISK.match(text):
        return text
    words = [
        word
        for word in text.split()
        if word.lower()
        not in (
            "just",
            "recently",
            "also",
            "still",
            "really",
            "absolutely",
            "currently",
            "only",
            "mostly",
            "not",
            "never",
            "always",
        )
    ]
    head = words[0].lower() if words else ""
    lowered = text[:1].lower() + text[1:]
    if head == "been":
        return f"I have {lowered}"
    if head in (
        "allergic",
        "vegan",
        "vegetarian",
        "single",
        "married",
        "retired",
        "divorced",
        "born",
        "a",
        "into",
        "from",
    ) or head.endswith("ing"):
        return f"I {'was' if head == 'born' else 'am'} {lowered}"
    return f"I {lowered}"


# --- sentences ---------------------------------------------------------------------------------------------------------

_KEPT_ADVERBS = frozenset(
    ["always", "never", "often", "usually", "sometimes", "rarely", "seldom", "hardly", "only", "mostly", "mainly", "regularly", "occasionally", "frequently", "generally", "normally", "typically", "once", "barely", "recently", "probably", "secretly"]
)


def sentence(shape: Shape, subject: str = "User", of_user: bool = True) -> str:
    """The clause in the third person, with agreement: Shape("I", "do not", "drink", …) → "User does not drink …"."""
    adverbs = [word for word in shape.adverbs if word.lower() in _KEPT_ADVERBS][:2]
    before, verb, after = _verb_group(shape, of_user)
    rest = in_third_person(shape.rest, of_user)
    middle = [before, *adverbs, verb, after] if before else [*adverbs, verb, after] if shape.verb != "be" else [verb, *adverbs, after]
    parts = [subject, *middle, rest]
    if shape.fronted and not re.match(r"(?i)as (?:a|an|the)\b", shape.fronted):
        fronted = in_third_person(shape.fronted, of_user)
        keeps_capital = re.match(r"[A-Z]\w+ [A-Z]", fronted) is not None
        parts.append(fronted if keeps_capital else fronted[:1].lower() + fronted[1:])
    return re.sub(r"\s+", " ", " ".join(part for part in parts if part)).strip()


def _agree(word: str, of_user: bool) -> str:
    """The finite form in the third person; what another subject said already agrees with it."""
    return third_person(word) if of_user or word.lower() == "am" else word


def _verb_group(shape: Shape, of_user: bool) -> tuple[str, str, str]:
    """(auxiliary, what stands between it and the rest, …): adverbs go after the first part, or before a bare verb."""
    auxiliaries = list(shape.auxiliaries)
    negation = "never" if shape.never else "not" if shape.negated else ""
    form = shape.form
    if shape.used_to:
        return ("never" if shape.never else "did not" if shape.negated else ""), f"use{'' if shape.negated and not shape.never else 'd'} to", form
    if auxiliaries[:1] in (["have"], ["has"]) and form.lower() == "got":
        verb = "has" if of_user else auxiliaries[0]
        return "", verb if negation != "not" else f"{verb} no", ""
    if shape.verb == "be" and not auxiliaries:
        return "", _agree(form, of_user), negation
    if shape.verb == "have" and not auxiliaries and negation == "not":
        return "", f"{form if is_past(form) else _agree(form, of_user)} no", ""
    if auxiliaries and auxiliaries[0] in ("do", "does", "did"):
        does = "did" if auxiliaries[0] == "did" else _agree(auxiliaries[0], of_user)
        if negation == "not" or does == "did":
            return f"{does} {negation}".strip(), form, ""
        return negation, _agree(form, of_user), ""
    if auxiliaries:
        first = _agree(auxiliaries[0], of_user)
        if first == "can" and negation == "not":
            return "cannot", " ".join([*auxiliaries[1:], form]), ""
        return f"{first} {negation}".strip(), " ".join([*auxiliaries[1:], form]), ""
    return ("never" if negation == "never" else ""), _agree(form, of_user), ""


# --- claims of the user ------------------------------------------------------------------------------------------------


def _of_user(scene: _Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
    said, bare = _gotten(said), _gotten(bare)
    company = _company(said.subject)
    parts = list(_listed(bare))
    if company or (len(parts) > 1 and said.rest != bare.rest):
        parts = [bare]
    for part in parts:
        triple = triples.triple_of(part)
        if not triple.known and part.rest != said.rest:
            whole = triples.triple_of(said)
            triple = whole if whole.known else triple
        if triple.drop:
            return
        shown = replace(said, rest=part.rest) if len(parts) > 1 else said
        content = _canonical(triple, shown) or sentence(shown)
        if company:
            content = f"{content} with {company}"
        yield _claim(scene, _with_model(scene, triple), content, "user")
    yield from _presupposed(scene, said)


def _gotten(shape: Shape) -> Shape:
    """ "I got a dog" says that there is one: "User has a dog"; "have got" is "have"."""
    if shape.verb != "get":
        return shape
    if shape.perfect and shape.form.lower() == "got":
        return replace(shape, verb="have", form="have", auxiliaries=(), perfect=False, past=False)
    words = set(re.findall(r"[\w-]+", shape.rest.lower()))
    if (
        words & (PETS | RELATIONS.keys())
        and re.match(r"(?:a|an|two|three|another|\d|my (?:first|own|new))\b", shape.rest.lower())
        and not shape.negated
        and not shape.progressive
    ):
        return replace(shape, verb="have", form="have", auxiliaries=(), past=False, perfect=False)
    return shape


def _company(subject: str) -> str:
    """ "My wife and I" → "their wife": the user's claim keeps who shares it."""
    found = re.match(r"^([Mm]y .+?),? and I$", subject)
    return in_third_person(found[1], of_user=True) if found else ""


_LIST = re.compile(
    r"^(?P<lead>.*?)(?P<items>(?:[\w'’-]+(?: [\w'’-]+){0,3}, )*[\w'’-]+(?: [\w'’-]+){0,3},? (?:and|or|&) (?:(?:a|an|two|three|my|the|some) )?[\w'’-]+(?: [\w'’-]+){0,3})$"
)
_ITEMS = re.compile(r",? (?:and|or|&) |, ")
_NOT_ITEM = re.compile(
    r"\b(?:to|in|at|on|of|with|for|from|by|who|which|that|when|because|is|are|have|between|both|all|lot|more|than|about|other|my|their|his|her|it|them|so|very|too|not|as)\b",
    re.IGNORECASE,
)
_PAIRS = re.compile(
    r"\b(?:rock and roll|rock & roll|rock 'n' roll|mac and cheese|fish and chips|salt and (?:pepper|vinegar)|peanut butter and jelly|bed and breakfast|rhythm and blues|drum and bass|black and white|arts and crafts|"
    r"dungeons and dragons|dungeons & dragons|r and b|r&b|country and western|gin and tonic|ham and cheese|bacon and eggs|biscuits and gravy|track and field|tom and jerry|rick and morty|law and order|pros and cons|his and hers|"
    r"hide and seek|trial and error|health and safety|pride and prejudice|war and peace|wine and cheese|macaroni and cheese|spaghetti and meatballs|[A-Z]\w+ (?:and|&) [A-Z]\w+ (?:Ltd|Inc|Co|Company))\b",
    re.IGNORECASE,
)


def _listed(shape: Shape) -> Iterator[Shape]:
    """A list of plain objects as one clause each: two likings are two facts (R7). Anything less plain stays whole."""
    triple = triples.triple_of(shape)
    if (
        triple.predicate not in triples.LIST_PREDICATES
        or not triple.known
        or not re.search(r" (?:and|or|&) ", shape.rest)
        or _PAIRS.search(shape.rest)
    ):
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


_WORK_RE = re.compile(
    r"\bmy (?:\w+ )?(?:job|work|position|role|internship) (?P<how>at|with|for|as)\s+(?P<where>(?:an? |the )?[\w&'’. -]+?)(?= (?:and|but|because|so|since|in|which|that|very|a lot)\b|[,.;]|$)",
    re.IGNORECASE,
)
_AS_A = re.compile(r"^(?:as|being) (?P<what>an? [\w -]+)$", re.IGNORECASE)
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


def _presupposed(scene: _Scene, said: Shape) -> Iterator[Claim]:
    """What the clause takes for granted of the user: "my job at the startup", "as a nurse I…", "married with twins"."""
    if said.negated:
        return
    found = _WORK_RE.search(said.rest)
    if found and not _past_work(said):
        where = re.sub(r"^the (?=[a-z])", "a ", found["where"])
        where = re.sub(r"^a (?=[aeiou])", "an ", where)
        how = found["how"].lower()
        predicate = "works_as" if how == "as" else "works_at"
        yield _claim(
            scene,
            Triple(predicate, triples.object_words(where), True, "fact"),
            f"User works {'as' if how == 'as' else 'at'} {where}",
            "user",
        )
    if said.fronted:
        role = _AS_A.match(said.fronted)
        if role and is_occupation(role["what"]):
            yield _claim(
                scene,
                Triple("works_as", triples.object_words(role["what"]), True, "fact"),
                f"User is {role['what']}",
                "user",
            )
    with_children = (
        re.match(
            r"^(?:\w+ )?(?:married|divorced|single|engaged|widowed)\b.*?\bwith (?P<what>(?:a |an |one |two |three |four |five |\d+ |no |\w+ ){1,3}?(?:kids?|children|child|sons?|daughters?|boys?|girls?|twins|baby|babies))\b",
            said.rest,
        )
        if said.verb == "be"
        else None
    )
    if with_children:
        what = with_children["what"].strip()
        triple = triples.triple_of(Shape("user", "I", "have", "have", what))
        yield _claim(scene, triple, f"User has {what}", "user")
    named = _NAMED_RELATION.search(said.rest)
    if named:
        noun = named["noun"].lower()
        predicate = RELATIONS.get(noun.replace(" ", "-"), "has_pet" if noun in PETS else "knows_person")
        yield _claim(
            scene,
            Triple(predicate, _relation_object(predicate, noun, named["name"]), True, "fact"),
            f"User has {_article(noun)} {noun} called {named['name']}",
            "user",
        )


def _past_work(said: Shape) -> bool:
    return said.past or said.verb in ("leave", "quit", "lose", "resign", "miss")


def _canonical(triple: Triple, shape: Shape) -> str | None:
    """Fixed wording where the user's own would not stand alone or would hide the attribute."""
    if triple.predicate == "is_named" and shape.verb == "be" and shape.rest[:1].isupper() and not shape.negated:
        return f"User is called {shape.rest}"
    if triple.predicate == "is_aged" and re.fullmatch(r"\d{1,3}", shape.rest) and shape.verb == "be" and not shape.past:
        return f"User is {shape.rest} years old" if not shape.negated else None
    return None


# --- claims of what belongs to the user --------------------------------------------------------------------------------

_GENITIVE = re.compile(r"^(?P<owner>(?:[Mm]y|[Oo]ur) .+?|[A-Z][\w ]*?)(?:'s|s'|') (?P<noun>.+)$")


def _of_owned(scene: _Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
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
    if re.search(r"\b(?:who|that|which)\b", said.subject) or _not_own(said.subject):
        return
    noun = re.sub(r"^(?:my|our) (?:own |new |current |old |little )?", "", said.subject, flags=re.IGNORECASE)
    triple = triples.owned_triple(noun, bare)
    if triple.predicate == "is_named" and said.verb == "be":
        yield _claim(
            scene,
            triple,
            f"User is called {said.rest}"
            if not said.negated
            else sentence(said, owned_subject(said.subject), of_user=False),
            "user",
        )
        return
    yield _claim(scene, _with_model(scene, triple), sentence(said, owned_subject(said.subject), of_user=False), "user")


def _not_own(subject: str) -> bool:
    return (
        re.match(
            r"^(?:my|our) (?:question|request|problem|issue|point|guess|bad|mistake|apologies|order|error|code|first request|next question|last question|god|goodness)\b",
            subject,
            re.IGNORECASE,
        )
        is not None
    )


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "eu")) else "a"


def _relation_object(predicate: str, noun: str, name: str) -> str:
    return f"{noun} {name}" if predicate == "has_pet" else name


def _of_relative(scene: _Scene, said: Shape, bare: Shape, relation: tuple[str, str, str]) -> Iterator[Claim]:
    noun, predicate, name = relation
    called = re.match(r"^(?:called|named)\s+(?P<name>.+)$", said.rest, re.IGNORECASE) if said.verb == "be" else None
    if called:
        named = "pet_named" if predicate == "has_pet" else predicate
        yield _claim(
            scene,
            Triple(named, called["name"], not said.negated, "fact"),
            sentence(said, owned_subject(said.subject), of_user=False),
            "user",
        )
        return
    plural = noun in PLURAL_RELATIONS
    if name:
        yield _claim(
            scene,
            Triple(predicate, _relation_object(predicate, noun, name), True, "fact"),
            f"User has {_article(noun)} {noun} called {name}",
            "user",
        )
    elif not said.past and noun not in (
        "family",
        "boss",
        "manager",
        "landlord",
        "doctor",
        "teacher",
        "neighbour",
        "neighbor",
    ):
        kinds = noun if plural else f"{_article(noun)} {noun}"
        yield _claim(scene, Triple(predicate, noun, True, "fact"), f"User has {kinds}", "user")
    triple = triples.triple_of(bare)
    if triple.drop:
        return
    if predicate == "has_pet":
        yield _claim(
            scene,
            Triple("states", f"{noun} {triple.object}", triple.polarity, triple.kind),
            sentence(said, owned_subject(said.subject), of_user=False),
            "user",
        )
        return
    subject = name or noun
    yield _claim(
        scene, _with_model(scene, triple), sentence(said, name or owned_subject(said.subject), of_user=False), subject
    )


def _of_relatives_thing(
    scene: _Scene, said: Shape, bare: Shape, relation: tuple[str, str, str], noun: str
) -> Iterator[Claim]:
    """ "My wife's name is Jo", "my daughter's birthday is on May 3", "my brother's dog is old"."""
    kin, predicate, name = relation
    subject_words = owned_subject(said.subject)
    if noun.lower() in ("name", "names") and said.verb == "be":
        named = "pet_named" if predicate == "has_pet" else predicate
        owner = owned_subject(re.sub(r"(?:'s|') names?$", "", said.subject))
        be = "are" if kin in PLURAL_RELATIONS else third_person(said.form)
        yield _claim(
            scene,
            Triple(named, said.rest, not said.negated, "fact"),
            f"{owner} {be} {'not ' if said.negated else ''}called {said.rest}",
            "user",
        )
        return
    if name:
        yield _claim(
            scene,
            Triple(predicate, _relation_object(predicate, kin, name), True, "fact"),
            f"User has {_article(kin)} {kin} called {name}",
            "user",
        )
    if noun.split()[-1].lower() in RELATIONS:
        return
    triple = triples.owned_triple(noun, bare)
    yield _claim(scene, _with_model(scene, triple), sentence(said, subject_words, of_user=False), name or kin)


# --- claims of others ---------------------------------------------------------------------------------------------------

_MINE = re.compile(r"^(?:one of )?(?:my|our)\s+(?P<noun>.+)$", re.IGNORECASE)
_COMMUTE_HOW = re.compile(
    r"^how I (?:commute|get (?:to work|around|to the office)|go to work|travel to work)", re.IGNORECASE
)
_COMMON_STARTS = frozenset(
    ["sounds", "looks", "seems", "thanks", "that", "there", "what", "so", "yes", "no", "well", "maybe", "just", "good", "great", "nice", "cool", "wow", "sorry", "please", "everything", "nothing", "something", "anything", "everyone", "people", "life", "music", "work", "school", "things", "one", "most", "some", "both", "all", "any"]
)


def _of_named(scene: _Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
    """ "Emma lives in Munich", "Project Atlas uses Convex"; and what is the user's own: "Ramen is my favourite food"."""
    subject = said.subject
    mine = _MINE.match(said.rest) if said.verb == "be" else None
    if mine:
        yield from _mine(scene, said, subject, mine["noun"])
        return
    if said.verb == "be" and _COMMUTE_HOW.match(said.rest) and not said.negated:
        mode = triples.commute_mode(subject)
        yield _claim(
            scene,
            Triple("commutes", mode, True, "fact"),
            f"User commutes {'on foot' if mode == 'foot' else 'by ' + mode}",
            "user",
        )
        return
    liked = re.match(
        r"^(?:makes me (?P<how>happy|sad|angry|sick|anxious|nervous|smile|cry)|(?:is|are) not for me|calms me(?: down)?|relaxes me|bores me|scares me|annoys me|drives me (?:crazy|mad|nuts))",
        f"{said.form} {said.rest}",
        re.IGNORECASE,
    )
    if liked and subject.split()[0].lower() not in _COMMON_STARTS:
        yield _claim(
            scene,
            Triple(
                "thinks",
                in_third_person(f"{subject} {said.form} {said.rest}", of_user=False),
                not said.negated,
                "opinion",
            ),
            sentence(said, subject, of_user=False),
            "user",
        )
        return
    if scene.reading.subject == "user" or said.subject_kind == "other":
        if (
            scene.reading.kind == "opinion"
            and said.subject_kind != "pronoun"
            and subject.split()[0].lower() not in _COMMON_STARTS
            and said.verb == "be"
        ):
            yield _claim(
                scene,
                Triple("thinks", f"{subject[:1].lower() + subject[1:]} {said.form} {said.rest}", True, "opinion"),
                f"User thinks {_lowered(subject)} {sentence(said, '', of_user=False)}",
                "user",
            )
        return
    yield from _of_other(scene, said, bare, subject)


def _lowered(subject: str) -> str:
    words = subject.split()
    return subject if len(words) > 1 and words[1][:1].isupper() else subject[:1].lower() + subject[1:]


def _of_other(scene: _Scene, said: Shape, bare: Shape, subject: str) -> Iterator[Claim]:
    if subject.split()[0].lower() in _COMMON_STARTS:
        return
    genitive = _GENITIVE.match(subject)
    if genitive and not genitive["owner"].lower().startswith(("my ", "our ")):
        triple = triples.owned_triple(genitive["noun"], bare)
        yield _claim(scene, _with_model(scene, triple), sentence(said, subject, of_user=False), genitive["owner"])
        return
    triple = triples.triple_of(bare)
    if not triple.drop:
        yield _claim(scene, _with_model(scene, triple), sentence(said, subject, of_user=False), subject)


def _mine(scene: _Scene, said: Shape, subject: str, noun: str) -> Iterator[Claim]:
    """ "Ramen is my favourite food", "Anna is my sister", "Knitting is my passion": the user's, told from the other end."""
    noun = noun.strip(" .,")
    content = sentence(said, subject, of_user=False)
    favourite = triples.FAVOURITE.fullmatch(noun)
    if favourite:
        least = noun.lower().startswith("least")
        words = triples.object_words(subject)
        yield _claim(
            scene,
            Triple("dislikes" if least else "favourite", words, not said.negated, "opinion"),
            f"User's {noun} {'is' if said.form in ('is', 'are', 'am') else said.form} {'not ' if said.negated else ''}{_object_case(subject)}",
            "user",
        )
        return
    relation = relation_of(f"my {noun}")
    if relation and not relation[2]:
        yield _claim(
            scene,
            Triple(relation[1], _relation_object(relation[1], relation[0], subject), not said.negated, "fact"),
            content,
            "user",
        )
        return
    predicate = triples.OWNED.get(noun.lower().split(" of ")[0], triples.OWNED.get(noun.lower().split()[-1], ""))
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
        yield _claim(scene, Triple(predicate, triples.object_words(subject), not said.negated), content, "user")
        return
    yield _claim(
        scene,
        _with_model(scene, Triple("states", f"{triples.object_words(subject)}: {noun}", not said.negated, known=False)),
        content,
        "user",
    )


def _object_case(subject: str) -> str:
    """A subject as it stands mid-sentence: a common word loses its capital, a name keeps it."""
    words = subject.split()
    if len(words) == 1 and is_common_noun(words[0]):
        return subject.lower()
    return subject


def _of_there(scene: _Scene, said: Shape, bare: Shape) -> Iterator[Claim]:
    if re.search(r"\b(?:my|our|me|us)\b", said.rest, re.IGNORECASE):
        yield _claim(
            scene,
            _with_model(scene, Triple("states", triples.object_words(bare.rest), not said.negated, known=False)),
            sentence(said, "There", of_user=False),
            "user",
        )


def _advice(scene: _Scene, text: str) -> Iterator[Claim]:
    found = procedures.recommendation(text, scene.reading.kind == "recommendation")
    if found:
        content, words = found
        yield _claim(
            scene, Triple("recommends", triples.object_words(words), True, "recommendation"), content, "assistant"
        )


# --- claims --------------------------------------------------------------------------------------------------------------


def _with_model(scene: _Scene, triple: Triple) -> Triple:
    """The rules' triple; where no rule knew the verb, with the model's predicate."""
    if triple.known or scene.reading.predicate in ("states", "instructs", "forbids", "permits", "recommends"):
        return triple
    return replace(triple, predicate=scene.reading.predicate)


def _claim(scene: _Scene, triple: Triple, content: str, subject: str) -> Claim:
    kind = triple.kind or _kind_of(scene, triple)
    clause, reading = scene.clause, scene.reading
    end = clause.end
    return Claim(
        kind=kind, namespace=(), subject=subject, predicate=triple.predicate, object=triple.object.strip(), polarity=triple.polarity, content=_finished(content),
        confidence=round(scene.confidence, 4), intensity=round(reading.intensity, 4), language="en", start=clause.start, end=end, confirmed=scene.confirmed,
    )  # fmt: skip


def _kind_of(scene: _Scene, triple: Triple) -> str:
    kind = scene.reading.kind
    if triple.predicate in triples.STATUSES:
        return "status"
    if triple.predicate in triples.ATTITUDES:
        return "opinion"
    if kind in ("procedure", "recommendation") or (kind == "opinion" and triple.known):
        return "fact"
    return kind


def _finished(content: str) -> str:
    content = re.sub(r"\s+", " ", content).strip(" ,;:-–—")
    return (
        content[:1].upper() + content[1:]
        if content[:1].islower() and content.startswith(("user", "assistant"))
        else content
    )


def _deduplicated(claims: Iterator[Claim]) -> Iterator[Claim]:
    seen: set[tuple[str, str, str]] = set()
    for claim in claims:
        key = (claim.subject, claim.predicate, claim.object.casefold())
        if key not in seen:
            seen.add(key)
            yield claim
