"""English verbs: which words are finite, their lemma, and their third-person form (lemminflect behind small caches)."""

from __future__ import annotations

from functools import lru_cache

import lemminflect

from models.wording.lists import wordset

BE = wordset(
    """
    am is are was were be been being
    """
)
HAVE = frozenset({"have", "has", "had"})
DO = frozenset({"do", "does", "did"})
MODALS = wordset(
    """
    can cannot could will would shall should may might must ought
    """
)
AUXILIARIES = BE | HAVE | DO | MODALS

_IRREGULAR_THIRD = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "be": "is", "go": "goes", "is": "is",
    "was": "was", "had": "had", "did": "did", "has": "has", "does": "does",
}  # fmt: skip
_BASES_IN_ED = wordset("bed shed wed shred sled embed red led fed bred fled sped imbed")
# Forms that are both a past and a base form; in talk about oneself the past is meant.
_PAST_BEFORE_BASE = wordset(
    """
    left found saw felt fell ground wound bore split wove shot bound founded quit hit
    """
)
_NOT_ADVERBS = wordset(
    """
    apply fly rely supply reply family italy july only early daily weekly monthly comply multiply bully rally
    """
)

ADVERBS = wordset(
    """
    always never often usually sometimes really just also still currently recently actually already only mostly
    mainly probably definitely absolutely totally rarely seldom hardly now ever even generally normally
    typically finally truly both all once twice soon maybe perhaps almost nearly too so very pretty quite kind
    sort of long not then occasionally frequently especially particularly simply literally regularly secretly
    proudly happily
    """
)

# Verbs people use about themselves: needed where a word may be a noun as well, that is, after "and" or a noun subject.
COMMON = wordset(
    """
    accept ache act adopt adore agree apply appreciate argue arrive ask attend avoid bake be become begin
    believe belong bike board breed bring brew build buy call camp care carry celebrate change chase chat choose
    clean climb coach code collect come commute compete complain compose consider cook cost craft crochet cycle
    dance date deal decide depend despise detest develop die dig dislike dive divorce do donate draw dream dress
    drink drive earn eat email end enjoy enter exercise expect explore fail fall farm fear feed feel fight find
    finish fish fix fly follow forage foster garden get give go graduate grow guess happen hate have head hear
    help hike hold hope host hunt identify imagine immigrate intend invest jog join juggle keep kayak know lack
    lay lead learn leave lift like listen live look lose love make manage marry mean meet meditate mentor miss
    mountainbike move need notice observe offer order organise organize own pack paint participate pay perform
    plan plant play practice practise pray prefer prepare produce program promise publish pull quit race raise
    read realise realize recommend record refuse relax rely remember rent repair research rest restore
    retire return ride rock-climb row run sail save say sculpt see sell serve sew share shop sing sit skate
    skateboard ski skip sleep smoke snore snowboard socialise speak spend stand start stay stop struggle study
    suffer suggest surf swim take talk teach tell tend think train translate travel try tutor turn understand
    use visit volunteer wait wake walk want watch wear weigh whittle win wish wonder work work-out worry wrestle
    write administer specialise specialize supervise oversee operate lecture knit fence box bowl bicycle blog
    stream trade text browse phone ping wash check grill skydive babysit
    """
)
# Of those, words more often nouns in lists of objects ("cooking, travel and work"): verbs only before a complement.
AMBIGUOUS = wordset(
    """
    ache act bike board box bowl call camp care change chat coach code cook cost craft cycle dance date deal
    dream dress drink drive end exercise farm fear feed fence fight fish fix garden guess hike hope host hunt
    jog kayak lack lead look love mean move need offer order pack paint plan plant play practice program promise
    pull race record rent repair research rest return ride row run sail save share shop show ski sleep smoke
    stand start stay stop study surf swim talk train travel try turn use visit volunteer wait walk watch win
    wish work worry trade stream blog lecture skate rock
    """
)


@lru_cache(maxsize=8192)
def lemma(word: str) -> str:
    """The base form of a verb form, in lower case; a word that is no verb comes back as it is."""
    word = word.lower()
    if word in BE:
        return "be"
    if word in ("cannot", "can"):
        return "can"
    if word in MODALS or word in COMMON:
        return word
    if word == "going":
        return "go"
    lemmas = lemminflect.getAllLemmas(word, upos="VERB").get("VERB")
    return str(lemmas[0]) if lemmas else word


@lru_cache(maxsize=8192)
def third_person(word: str) -> str:
    """The third-person form of a finite verb as "I" takes it: live → lives, am → is; past forms and modals stay."""
    low = word.lower()
    if low in MODALS:
        return low
    if low in _IRREGULAR_THIRD:
        return _IRREGULAR_THIRD[low]
    if low in _PAST_BEFORE_BASE or (lemma(low) != low and low not in COMMON) or is_past(low):
        return low
    forms = lemminflect.getInflection(low, tag="VBZ", inflect_oov=True)
    return str(forms[0]) if forms else low


@lru_cache(maxsize=8192)
def is_past(word: str) -> bool:
    """Whether the word is a past form (worked, was, left); of forms that are both, the past is taken for few only."""
    low = word.lower()
    if low in ("was", "were", "had", "did"):
        return True
    if low in AUXILIARIES or low in COMMON:
        return low in _PAST_BEFORE_BASE
    base = lemma(low)
    if base == low:
        return low.endswith("ed") and low not in _BASES_IN_ED and not low.endswith("eed")
    return not low.endswith(("ing", "s"))


@lru_cache(maxsize=8192)
def is_finite(word: str) -> bool:
    """Whether the word can head a predicate as it stands: an auxiliary, or a base, third-person or past form."""
    low = word.lower()
    if low in AUXILIARIES:
        return low not in ("be", "been", "being")
    if low.endswith("ing"):
        return False
    return low in COMMON or lemma(low) in COMMON


@lru_cache(maxsize=8192)
def gerund_base(word: str) -> str | None:
    """The verb behind an -ing form (cycling → cycle, texting → text), or None."""
    low = word.lower()
    if not low.endswith("ing") or len(low) < 5:
        return None
    lemmas = lemminflect.getAllLemmas(low, upos="VERB").get("VERB")
    if lemmas:
        return str(lemmas[0])
    return next((stem for stem in (low[:-3], f"{low[:-3]}e", low[:-4]) if stem and is_base(stem)), None)


@lru_cache(maxsize=8192)
def gerund(base: str) -> str:
    """The -ing form of a base form: plan → planning."""
    forms = lemminflect.getInflection(base.lower(), tag="VBG", inflect_oov=True)
    return str(forms[0]) if forms else base


@lru_cache(maxsize=8192)
def past_form(base: str) -> str:
    """The simple past of a base form: grow → grew."""
    forms = lemminflect.getInflection(base, tag="VBD", inflect_oov=True)
    return str(forms[0]) if forms else base


@lru_cache(maxsize=8192)
def is_base(word: str) -> bool:
    """Whether the word is the base form of a verb that the dictionary knows (browse), so what "to" may govern."""
    low = word.lower()
    return low in COMMON or low in lemminflect.getAllLemmas(low, upos="VERB").get("VERB", ())


@lru_cache(maxsize=8192)
def is_common_noun(word: str) -> bool:
    """Whether the lower-cased word is in the dictionary as a noun or verb form: its capital is the sentence's."""
    found = lemminflect.getAllLemmas(word.lower())
    return bool(found) and "PROPN" not in found


@lru_cache(maxsize=8192)
def is_noun(word: str) -> bool:
    """Whether the word may be a noun: the dictionary has it as one (guitar), or does not know it at all (paella)."""
    known = lemminflect.getAllLemmas(word.lower())
    return not known or "NOUN" in known or "PROPN" in known


@lru_cache(maxsize=2048)
def singular(noun: str) -> str:
    """A noun phrase whose last word is put in the singular: video games → video game."""
    first, space, last = noun.rpartition(" ")
    lemmas = lemminflect.getAllLemmas(last, upos="NOUN").get("NOUN")
    return f"{first}{space}{lemmas[0] if lemmas else last}"


def is_adverb(word: str) -> bool:
    """Whether the word may stand between a subject and its verb without being either."""
    low = word.lower()
    return low in ADVERBS or (low.endswith("ly") and len(low) > 4 and low not in _NOT_ADVERBS)
