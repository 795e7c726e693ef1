"""Which special categories of personal data a claim belongs to (P4): by its attribute, else by its words.

The categories are those of GDPR's articles 9 and 10, and money. The attribute settles most claims. Words of a lexicon
settle the rest, but not where a neighbour says that something else is meant ("star sign Cancer", "sick of meetings",
"works at a hospital"). The lexicon is English; in other languages the attribute alone speaks.
"""

from __future__ import annotations

import re

from operators import medicines
from state.predicates import predicate

CATEGORIES = (
    "health", "sexuality", "religion", "politics", "ethnicity", "trade_union", "biometrics", "crime", "finances",
)  # fmt: skip
"""The names by which a policy speaks of categories."""

_GROUPS = {
    "allergies": "health", "conditions": "health", "medication": "health", "disability": "health",
    "symptoms": "health", "injuries": "health", "blood_type": "health", "pregnancy": "health", "alcohol": "health",
    "smoking": "health", "weight": "health", "religion": "religion", "politics": "politics",
    "income": "finances", "debts": "finances",
}  # fmt: skip
_PREDICATES = {"has_orientation": "sexuality"}
_NAMESPACES = {"health": "health", "finance": "finances"}


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)})\b", re.IGNORECASE)


_LEXICON: dict[str, re.Pattern[str]] = {
    "health": _words(
        r"diabet\w+", r"cancer", r"leuk(?:a)?emia", r"lymphoma", r"tumou?rs?", r"chemo(?:therapy)?", r"asthma\w*",
        r"epilep\w+", r"arthritis", r"migraines?", r"depress(?:ed|ion)", r"bipolar", r"schizo\w+", r"anxiety",
        r"panic attacks?", r"ptsd", r"adhd", r"autis\w+", r"dyslexi\w+", r"dementia", r"alzheimer\w*",
        r"parkinson\w*", r"multiple sclerosis", r"crohn\w*", r"co?eliac", r"ibs", r"endometriosis", r"pcos",
        r"hiv", r"aids", r"hepatitis", r"herpes", r"covid", r"tuberculosis", r"anorexi\w+", r"bulimi\w+",
        r"eating disorder", r"obes(?:e|ity)", r"allerg(?:y|ic|ies)", r"intoleran(?:t|ce)", r"diagnos(?:ed|is)",
        r"pregnan(?:t|cy)", r"miscarri\w+", r"abortion", r"infertil\w+", r"ivf", r"menopaus\w+", r"surgery",
        r"surgical", r"transplant", r"pacemaker", r"dialysis", r"insulin", r"antidepressants?", r"ssris?",
        r"sertraline", r"lithium(?! batter)", r"prozac", r"xanax", r"ritalin", r"methadone", r"medication",
        r"prescri(?:bed|ption)", r"in (?:therapy|rehab|remission|hospital)",
        r"sees? an? (?:therapist|psychiatrist|oncologist|cardiologist|neurologist)", r"suicid\w+",
        r"self[- ]harm\w*", r"addict(?:ed|ion)", r"alcoholic", r"sober", r"aa meetings?", r"overdos\w+",
        r"disab(?:led|ility)", r"wheelchair", r"blind in", r"is (?:deaf|blind)", r"hearing aids?",
        r"chronic(?:ally)?", r"high blood pressure", r"hypertension",
        r"heart (?:attack|condition|disease|failure)", r"stroke(?= (?:in|last|at)\b)", r"thyroid",
        r"an(?:a)?emi[ac]", r"insomnia", r"sleep apn(?:o)?ea",
        r"broke (?:his|her|their|my|an?) (?:arm|leg|wrist|ankle|hip|foot|nose|collarbone)", r"mental health",
        r"burn(?:ed)?[- ]?out", r"vaccinat\w+", r"blood (?:type|test|sugar)", *medicines.PATTERNS,
    ),
    "sexuality": _words(
        r"is (?:gay|straight|bi|queer|bisexual|homosexual|heterosexual|"
        r"asexual|pansexual|lesbian|trans|transgender|nonbinary|non-binary)",
        r"(?:bi|homo|hetero|a|pan)sexual(?:ity)?", r"lesbian", r"came out(?: as| to)", r"coming out(?: as| to)",
        r"closeted", r"sexual orientation", r"sex life", r"lgbtq?\+?", r"transgender", r"gender dysphoria",
        r"transition(?:ing|ed) (?:from|to) (?:male|female|a man|a woman)",
        r"(?:same[- ]sex|polyamor\w+|polyamorous)", r"attracted to (?:men|women|both)",
        r"(?:his husband|her wife)", r"sleeps? with (?:men|women)", r"libido", r"virgin(?= (?:and|until|at|\Z))",
    ),
    "religion": _words(
        r"muslims?", r"islam(?:ic)?", r"christian(?:ity)?(?! (?:dior|bale|louboutin))", r"catholic(?:ism)?",
        r"protestant", r"lutheran", r"baptist", r"methodist", r"orthodox", r"evangelical", r"mormon",
        r"jehovah'?s witness(?:es)?", r"jew(?:s|ish)?", r"judaism", r"hindus?", r"hinduism", r"buddhis[tm]s?",
        r"sikhs?", r"sikhism", r"baha'?i", r"pagan", r"wiccan?", r"atheis[tm]s?", r"agnostic", r"quaker",
        r"(?:goes|go|going|went) to (?:church|mass|mosque|synagogue|temple|the mosque|the synagogue|the temple)",
        r"prays?", r"praying", r"fast(?:s|ing) (?:for|during) (?:ramadan|lent)", r"ramadan", r"lent", r"shabbat",
        r"sabbath", r"yom kippur", r"eats? (?:only )?(?:halal|kosher)", r"keeps? kosher", r"hijab", r"bapti[sz]ed",
        r"believes? in god", r"lost (?:his|her|their|my) faith", r"convert(?:ed|ing) to", r"religious",
        r"(?:parish|congregation)(?! center)", r"bar mitzvah", r"first communion",
    ),
    "politics": _words(
        r"vot(?:es?|ed|ing) (?:for )?(?:labour|labor|conservative|tory|republican|democrat\w*|green|"
        r"the greens|lib dems?|left|right|trump|biden|harris|obama|clinton|sanders|afd|spd|cdu|macron|le pen)",
        r"vot(?:es?|ed|ing) (?:for|against)", r"republican", r"democrat", r"(?:tory|tories)", r"socialis[tm]s?",
        r"communis[tm]s?", r"marxis[tm]s?", r"anarchis[tm]s?", r"libertarian\w*",
        r"(?:labour|labor|conservative|green|liberal|socialist|communist|republican|democratic) party",
        r"(?:left|right)[- ]wing", r"far[- ](?:left|right)", r"politically",
        r"political (?:views?|opinions?|beliefs?|party|campaign)",
        r"is (?:an? )?(?:conservative|liberal|progressive|leftist|centrist|feminist|nationalist|monarchist)",
        r"campaign(?:s|ed|ing) for", r"canvass\w*",
        r"supports? (?:labour|labor|trump|biden|brexit|the greens|the tories|the republicans|the democrats)",
        r"brexit", r"pro[- ](?:life|choice)", r"protest(?:s|ed|ing) against",
        r"member of (?:the )?(?:labour|spd|cdu|greens|snp|afd)", r"activist",
    ),
    "ethnicity": _words(
        r"of [\w-]+ (?:descent|ancestry|heritage|origin)",
        r"(?:african|asian|mexican|native|arab|indian|chinese|japanese|korean|italian|irish)[- ]american",
        r"is (?:half )?(?:black|white|brown|asian|african|arab|roma|romani|sinti|"
        r"latin[oax]|hispanic|indigenous|aboriginal|māori|maori|kurdish|tamil|uyghur|inuit|han|biracial|"
        r"mixed[- ]race|caucasian)",
        r"mixed[- ]race", r"biracial", r"first nations", r"ethnic(?:ity|ally)?", r"person of colou?r",
        r"(?:is|as) (?:a|an) (?:black|white|asian|roma|romani|latin[oax]|hispanic|indigenous|"
        r"aboriginal|māori|maori|kurdish|arab) (?:man|woman|person|guy|girl)",
        r"racial(?:ly)?", r"half[- ](?:black|asian|japanese|chinese|korean|indian|arab|white)",
        r"(?:grand)?parents (?:are|were) (?:roma|kurdish|tamil|maori|māori)",
    ),
    "trade_union": _words(
        r"trade union\w*", r"labou?r union", r"union (?:member|rep|representative|steward|dues|meeting)s?",
        r"(?:joined|in|member of|left|pays dues to) (?:the|a|his|her|their|my) union", r"shop steward",
        r"unioni[sz](?:ed|ing|e)", r"ver\.?di", r"ig metall", r"unison", r"unite the union", r"teamsters",
        r"works council", r"(?:on|went on|going on) strike",
    ),
    "biometrics": _words(
        r"fingerprints? (?:are|is|were|was|template|scan)", r"fingerprint (?:id|template|data)", r"iris scan",
        r"retina scan", r"face (?:id template|scan|print)", r"voice ?print", r"dna", r"genome",
        r"genetic(?:s|ally)?", r"brca\d?", r"23andme", r"carrier of", r"huntington'?s gene", r"chromosom\w+",
        r"faceprint", r"palm (?:scan|print)",
    ),
    "crime": _words(
        r"arrested", r"convict(?:ed|ion)s?", r"criminal record", r"felon(?:y|ies)?",
        r"(?:on|out on) (?:parole|probation|bail)",
        r"(?:in|out of|went to|from|released from|sent to) (?:prison|jail)", r"sentenced", r"misdemeanou?r",
        r"restraining order", r"dui", r"dwi", r"shoplift\w+",
        r"(?:was|got|been|is being) (?:charged with|charged for|prosecuted|indicted)",
        r"community service (?:order|sentence)", r"pleaded guilty", r"pled guilty", r"ex-con(?:vict)?",
        r"served \w+ (?:months|years) (?:for|in)", r"house arrest", r"drunk driving", r"drink[- ]driving",
        r"jail time",
    ),
    "finances": _words(
        r"salary", r"earns?", r"makes? (?:\$|€|£)?\d[\d,.]*k?(?: \w+)? (?:a|per) (?:year|month|hour)", r"income",
        r"(?:in|credit card|student|gambling|car|thousands in) debt", r"debts?", r"owes?", r"bankrupt(?:cy)?",
        r"mortgage", r"credit score", r"overdraft", r"foreclosure", r"savings", r"net worth",
        r"(?:student|car|payday|bank) loans?", r"loans?", r"pension of", r"inherit(?:ed|ance)",
        r"on (?:benefits|welfare|unemployment|universal credit)",
        r"behind on (?:his|her|their|my|the)? ?(?:rent|bills|payments)", r"broke(?= (?:until|this|right|at|\Z))",
        r"evict\w+", r"food stamps",
        r"pays? (?:\$|€|£)?\d[\d,.]* (?:\w+ )?(?:rent|alimony|child support|in rent|for rent)", r"alimony",
        r"child support",
    ),
}  # fmt: skip
"""Words that tell of a category."""

_ELSEWHERE: dict[str, re.Pattern[str]] = {
    "health": _words(
        r"star sign", r"zodiac", r"horoscope",
        r"(?:is|as) an? (?:\w+ )?(?:nurse|doctor|surgeon|physician|"
        r"therapist|psychologist|psychiatrist|oncologist|cardiologist|neurologist)",
        r"works? (?:as|at|in|for)", r"volunteers?", r"stud(?:y|ies|ied)", r"degree in", r"research\w*", r"charity",
        r"fundrais\w+", r"documentar(?:y|ies)", r"novel", r"podcast", r"movie", r"film", r"song", r"books?",
        r"course", r"software", r"app",
        r"addicted to (?:chocolate|coffee|crosswords|sudoku|tv|series|books|podcasts|running|"
        r"his phone|her phone|their phone)",
        r"(?:dog|cat|puppy|kitten|horse|rabbit|hamster|pet|parrot)(?:'s)?", r"economic depression",
        r"great depression", r"blood type diet", r"allergic to (?:mornings|mondays|meetings|nonsense|work)",
        r"tumbler", r"surgery hours", r"plant", r"garden",
    ),
    "sexuality": _words(
        r"straight (?:hair|line|razor|ahead|A|forward)", r"gay street", r"novel", r"film", r"movie", r"series",
        r"podcast", r"documentary", r"studies",
    ),
    "religion": _words(
        r"studie[sd]", r"degree in", r"history of", r"teaches", r"films?", r"movies?", r"novels?", r"podcast",
        r"documentar(?:y|ies)", r"museum", r"architecture", r"photographs?", r"restor\w+",
        r"orthodox (?:chess|approach|method)", r"religious about", r"religiously", r"quaker oats",
        r"lent (?:him|her|them|me|a|the|his|out|\w+ (?:a|his|her|their))", r"christian name", r"prays? mantis",
        r"praying mantis", r"islamic art", r"sabbath (?:album|t-?shirt|concert|fan)", r"black sabbath",
        r"convert(?:ed|ing) to (?:a|an|the|pdf|metric|usb|linux|mac|python|decaf|electric|remote)",
    ),
    "politics": _words(
        r"conservative (?:investor|estimate|investments?|dresser)", r"liberal arts", r"conservative with",
        r"for (?:best|most) \w+", r"vot(?:ed|es?) (?:for )?(?:best|employee|the best|most|him|her|class)",
        r"labou?r (?:day|pains?|ward|costs?)", r"studie[sd]", r"degree in", r"teaches", r"podcast",
        r"documentar(?:y|ies)", r"novel", r"film", r"republic", r"marketing campaigns?",
        r"campaign(?:s|ed|ing) for (?:a client|clients|brands?)",
    ),
    "ethnicity": _words(
        r"black (?:belt|coffee|tea|cat|car|hair)", r"white (?:wine|tea|car|hat)",
        r"brown (?:bread|hair|eyes|belt)", r"restaurant", r"food", r"cuisine", r"cooking", r"recipes?",
        r"studie[sd]", r"novel", r"film",
    ),
    "trade_union": _words(
        r"credit union", r"european union", r"student union", r"rugby union", r"union (?:jack|square|station)",
        r"soviet union", r"lightning", r"baseball", r"in unison", r"strike (?:zone|a)", r"studie[sd]",
        r"history of",
    ),
    "biometrics": _words(
        r"novel", r"film", r"documentar(?:y|ies)", r"studie[sd]", r"degree in", r"works? (?:at|in|on|for|as)",
        r"research\w*", r"in (?:his|her|their|the) dna", r"genetics? (?:course|class|lab|professor)", r"teaches",
        r"carrier of (?:mail|goods)",
    ),
    "crime": _words(
        r"novels?", r"podcasts?", r"films?", r"movies?", r"series", r"documentar(?:y|ies)", r"books?",
        r"studie[sd]", r"works? (?:as|at|in|for|with)", r"volunteers?", r"teaches", r"probation period",
        r"on probation at (?:work|the|his|her|their)", r"true crime", r"strong conviction", r"conviction that",
        r"game", r"monopoly", r"lawyer", r"prison (?:break|guard|officer)",
    ),
    "finances": _words(
        r"daylight savings?", r"owes? (?:it|everything|his|her|their) (?:to|success|life)",
        r"earns? (?:trust|respect|badges?|a (?:badge|degree|medal|black belt))", r"works? (?:as|at|in|for)",
        r"studie[sd]", r"podcast", r"loan(?:s|ed)? (?:books?|him|her|them)", r"library loans?", r"technical debt",
        r"savings? (?:the|of) (?:planet|time)", r"broke (?:up|his|her|their|my|a|the)",
    ),
}  # fmt: skip
"""Words that say that something else is meant, whatever the lexicon finds."""


def categories_of(content: str, predicate_name: str = "states", namespace: tuple[str, ...] = ()) -> frozenset[str]:
    """The categories that a claim belongs to; a text alone is judged by its words."""
    found = {_PREDICATES.get(predicate_name) or _GROUPS.get(predicate(predicate_name).group)}
    found |= {_NAMESPACES.get(part) for part in namespace[:2]}
    for category, words in _LEXICON.items():
        if category not in found and words.search(content) and not _ELSEWHERE[category].search(content):
            found.add(category)
    return frozenset(category for category in found if category is not None)
