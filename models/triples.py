"""From the shape of a clause to its triple: predicate, object and polarity, by verb and pattern (R7 rests on these).

Each row is (verbs, pattern on what follows the verb, predicate, flags). The first row that matches is taken, so the
narrow ones stand first. Names of predicates are those of state.predicates' catalogue; a test holds the two together.
Flags: past=NAME the predicate in the past; status, opinion, fact the kind; drop a passing thing (X6); place cuts the
object where the place ends; pet, child, … need a word of that list in the object.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from models.wording import lexicon
from models.wording.grammar import Shape
from models.wording.verbs import gerund_base, lemma

NEGATIVE = frozenset({"dislikes", "hates", "avoids", "forbids", "cannot", "avoids_food", "fears"})
ATTITUDES = frozenset(["likes", "loves", "enjoys", "dislikes", "hates", "prefers", "prefers_over", "favourite", "avoids", "thinks"])
STATUSES = frozenset(
    ["plans", "wants", "visits", "stays_in", "travels_to", "attends", "has_appointment", "seeks_job", "feels", "has_symptom", "has_status", "expects_child", "owes", "deadline_on"]
)


@dataclass(frozen=True, slots=True)
class Triple:
    """What a clause states of its subject. `kind` None leaves it to the model; `drop`: a passing thing, not kept (X6)."""

    predicate: str
    object: str
    polarity: bool = True
    kind: str | None = None
    drop: bool = False
    known: bool = True


_PLACE_CUT = re.compile(
    r"\s*(?:[,(]?\s+(?:with|for|since|because|but|when|while|which|who|where|that|so|as|though|until|till|from|by|on|during|doing|now|right|all|and (?:work|have|love|i|my|we))\b).*$",
    re.IGNORECASE,
)
_AREA = re.compile(
    r",?\s*(?:which is )?(?:a|an|the)?\s*(?:small |little |nice |quiet |big )?(?:neighbou?rhood|suburb|district|part|town|city|village|area|borough|quarter|region|state|province|capital|outskirts|suburbs|countryside|middle|heart|centre|center|north|south|east|west) (?:of|in|near|outside)\s+(?=[A-Z])"
)
_AREA_AFTER = re.compile(r"^(?:the\s+)?([A-Z][\w' -]*?) (?:neighbou?rhood|district|area|suburb|quarter|region)$")
_LEAD = re.compile(
    r"^(?:a|an|the|my|their|our|some|any|also|really|just|actually|this|that|all|quite)\s+", re.IGNORECASE
)
_EDGE = " ,;:.!?-–—\"'"

LIST_PREDICATES = frozenset(
    ["likes", "loves", "enjoys", "dislikes", "hates", "avoids", "has_pet", "has_allergy", "speaks", "plays_instrument", "plays_sport", "collects", "reads", "listens_to", "interested_in", "has_hobby", "fears", "avoids_food", "uses"]
)

_ROWS: tuple[tuple[str, str, str, str], ...] = (
    # residence and origin
    ("live reside", r"(?:together |alone |happily |abroad |\w+ly )?(?:with)\s+(?P<o>.+)", "lives_with", ""),
    ("live reside dwell", r"(?:alone|by (?:my|them)sel\w+)(?P<o>)", "lives_with", "object=alone"),
    ("move", r"in with\s+(?P<o>.+)", "lives_with", "past=lives_with"),
    (
        "live reside dwell settle",
        r"(?:alone |together |right |just |out |back |over |up |down |here |now |currently |permanently )*(?:in|at|near|on|outside|by|around|close to|not far from|between|under|over|across from|next to|within|abroad in|next door to|off)\s+(?P<o>.+)",
        "lives_in",
        "place past=lived_in",
    ),
    ("live", r"(?P<o>.+)", "routine", ""),
    (
        "move relocate emigrate immigrate",
        r"(?:\w+ )?(?:back |out |over |away |down |up |here )*(?:to|into)\s+(?:the |a |my )?(?P<o>(?:new |bigger |smaller )?(?:house|flat|apartment|place|home))\b.*",
        "has_home",
        "",
    ),
    (
        "move relocate emigrate immigrate",
        r"(?:back |out |over |away |down |up |here |all the way |house |home |abroad )*(?:from .+? )?(?:to|into)\s+(?P<o>.+)",
        "moved_to",
        "place past=moved_to",
    ),
    ("come hail", r"(?:originally )?from\s+(?P<o>.+)", "comes_from", "place"),
    ("grow", r"up\s+(?:in|on|near|around|outside)\s+(?P<o>.+)", "comes_from", "place past=comes_from"),
    (
        "be",
        r"(?:originally |actually )?(?:born and )?(?:raised|bred) in\s+(?P<o>.+)",
        "comes_from",
        "place past=comes_from",
    ),
    ("raise", r"in\s+(?P<o>.+)", "comes_from", "place past=comes_from"),
    ("bear", r"(?:and raised )?in\s+(?P<o>(?:19|20)\d\d)", "born_on", "past=born_on"),
    (
        "be",
        r"born (?:and raised )?(?:on|in (?=(?:19|20)\d\d|january|february|march|april|may|june|july|august|september|october|november|december))\s*(?P<o>.+)",
        "born_on",
        "past=born_on",
    ),
    ("be", r"born (?:and (?:raised|bred) )?(?:in|at|near)\s+(?P<o>.+)", "born_in", "place past=born_in"),
    ("be", r"(?:originally |actually |all the way )?from\s+(?P<o>.+)", "comes_from", "place past=comes_from"),
    (
        "be",
        r"(?:currently |now |mostly |mainly |actually )?(?:based|living|located|settled|residing) (?:out )?(?:in|at|near|on|outside)\s+(?P<o>.+)",
        "lives_in",
        "place past=lived_in",
    ),
    (
        "be",
        r"(?:currently |now )?(?:on (?:holiday|vacation|a (?:business )?trip)|traveling|travelling|staying|visiting) ?(?:in|at|to|with)?\s+(?P<o>.+)",
        "stays_in",
        "place status",
    ),
    ("stay", r"(?:in|at|with)\s+(?P<o>.+)", "stays_in", "place status"),
    ("visit", r"(?P<o>.+)", "visits", "place status past=experienced"),
    # name, age, body, identity
    ("be", r"(?:also )?(?:called|named|known as)\s+(?P<o>.+)", "is_named", ""),
    (
        "be",
        r"(?:nearly |almost |about |only |just |turning )?(?P<o>\d{1,3}|(?:[a-z]+ty|[a-z]+teen)(?:[- ][a-z]+)?)(?:[- ]years?[- ]old|[- ]year[- ]old| years of age)\b.*",
        "is_aged",
        "",
    ),
    ("turn", r"(?P<o>\d{1,3}|[a-z]+ty(?:[- ][a-z]+)?)\b.*", "is_aged", ""),
    ("be", r"(?:nearly |almost |about |just )?(?P<o>\d{1,2})", "is_aged", ""),
    (
        "be",
        r"(?:about |around |only )?(?P<o>\d(?:'|ft| foot| feet)\s?\d{0,2}.*|\d{3} ?cm.*|\d[.,]\d+ ?m\b.*|\d+ (?:feet|foot|centimet\w+|cm|inches)\b.*)(?: tall)?",
        "height",
        "",
    ),
    ("weigh", r"(?P<o>.+)", "weight", ""),
    ("go", r"by\s+(?P<o>(?:he|she|they|any)\b.*)", "has_pronouns", ""),
    ("use", r"(?P<o>(?:he/|she/|they/|he and|she and|they and).*?)(?: pronouns)?", "has_pronouns", ""),
    ("go", r"by\s+(?P<o>.+)", "has_nickname", ""),
    ("be", r"(?P<o>(?:right|left)-handed|ambidextrous)", "states", ""),
    # family state
    ("be", r"(?:happily |already |still |now |recently |newly )?married to\s+(?P<o>.+)", "married_to", "cutwith"),
    ("marry", r"(?P<o>(?:my|a|an|the) .+|[A-Z].+)", "married_to", "past=married_to"),
    ("be", r"(?:happily |already |still |now |recently |newly |not yet )?(?P<o>married)\b.*", "is_married", ""),
    ("get", r"(?P<o>married)\b.*", "is_married", "future=plans past=is_married"),
    ("get", r"(?P<o>divorced)\b.*", "is_divorced", "past=is_divorced"),
    ("get", r"(?P<o>engaged)\b.*", "is_engaged", "past=is_engaged"),
    (
        "be",
        r"(?:recently |newly |still |now |happily )?(?P<o>single|unmarried)(?!\s(?:mom|mum|mother|father|dad|parent))\b.*",
        "is_single",
        "",
    ),
    ("be", r"(?:recently |newly |now )?(?P<o>divorced|separated)\b.*", "is_divorced", ""),
    ("be", r"(?:recently |newly )?(?P<o>engaged)\b.*", "is_engaged", ""),
    ("be", r"(?:a )?(?P<o>widowed|widow|widower)\b.*", "is_widowed", ""),
    ("be", r"(?:in a relationship|dating|seeing)(?: with| someone)?\s*(?P<o>.*)", "has_partner", ""),
    ("date", r"(?P<o>.+)", "has_partner", ""),
    ("be", r"(?P<o>pregnant|expecting)\b.*", "expects_child", "status"),
    ("expect", r"(?P<o>(?:a|our|my|twins|another|a second).*)", "expects_child", "status"),
    (
        "be",
        r"(?:a|the)?\s*(?:proud |single |working |stay-at-home |stay at home |new |young )*(?:mom|mum|mother|father|dad|parent|parents)(?: of| to)\s+(?P<o>.+)",
        "has_children",
        "",
    ),
    (
        "be",
        r"(?:a|the)?\s*(?P<o>(?:proud |single |working |stay-at-home |stay at home |new |young )*(?:mom|mum|mother|father|dad|parent))",
        "has_children",
        "",
    ),
    (
        "be",
        r"(?P<o>an only child|the (?:oldest|youngest|eldest|middle)(?: child)?.*|the middle child.*|a twin|a triplet)",
        "has_sibling",
        "",
    ),
    # work
    (
        "be",
        r"(?:currently |still |now |actively )?(?:looking|searching|hunting|applying)\s+for\s+(?P<o>(?:a |an |my |some |new |another )*(?:new |better |full-time |part-time |remote |first |\w+ )?(?:jobs?|work|positions?|employment|roles?|internships?)\b.*)",
        "seeks_job",
        "status past=experienced",
    ),
    ("be", r"(?:currently |still |now )?(?P<o>job[- ]?(?:hunting|searching|seeking))\b.*", "seeks_job", "status past=experienced"),
    ("accept sign", r"(?:an? |the |my )?(?:job )?(?:offer|contract|position) (?:from|at|with)\s+(?P<o>.+)", "started_job", "place past=started_job fact"),
    (
        "look search hunt apply",
        r"for\s+(?P<o>(?:a |an |some |new |another )*(?:\w+ )?(?:jobs?|work|positions?|employment|roles?|internships?)\b.*)",
        "seeks_job",
        "status past=experienced",
    ),
    ("be", r"(?P<o>retired)\b.*", "is_retired", ""),
    ("retire", r"(?P<o>.*)", "is_retired", "object=retired past=is_retired"),
    (
        "be",
        r"(?:currently |now )?(?P<o>unemployed|jobless|out of (?:a job|work)|between jobs|laid off|not working)\b.*",
        "is_unemployed",
        "",
    ),
    ("lose", r"my (?P<o>job)\b.*", "is_unemployed", "object=unemployed past=is_unemployed"),
    ("get", r"(?P<o>laid off|fired|made redundant)\b.*", "is_unemployed", "object=unemployed past=is_unemployed"),
    ("be", r"(?:currently )?self[- ]employed(?: as an?)?\s*(?P<o>.*)", "works_as", "object=self-employed"),
    (
        "get land find accept start have take begin",
        r"(?:a |an |my |the |this )?(?:new |second |first |great |part-time |full-time |summer |dream |desk |well-paid |good )*(?:job|position|role|gig|internship|post) (?:at|with|for)\s+(?P<o>.+)",
        "started_job",
        "place past=started_job fact employer",
    ),
    (
        "get land find accept start have take begin",
        r"(?:a |an |my |the )?(?:new |second |first |part-time |full-time )*(?:job|position|role|internship|post) (?:as)\s+(?:a |an |the )?(?P<o>.+)",
        "works_as",
        "past=works_as fact place",
    ),
    (
        "get land find accept start begin",
        r"(?:a |an |my |the )?(?P<o>(?:new |second |first |part-time |full-time |great |dream )*(?:job|position|internship))\b.*",
        "started_job",
        "past=started_job fact",
    ),
    (
        "start begin",
        r"(?:work(?:ing)? )?(?:at|with)\s+(?P<o>[A-Z].*|(?:a|an|the) .+)",
        "started_job",
        "place past=started_job fact",
    ),
    (
        "have",
        r"(?P<o>(?:a|two|three|several|my own) (?:new |part-time |full-time |great |good |second |desk |\w+ )*(?:jobs?))\b.*",
        "works_as",
        "",
    ),
    (
        "be",
        r"(?:been )?(?:at|in|with) (?:the |my |this )?(?P<o>.+?) (?:job|position|role)\b.*",
        "works_at",
        "employer past=worked_at",
    ),
    (
        "join",
        r"(?P<o>(?:a |an |the |my )?(?:\w+ )*(?:club|gym|band|choir|team|group|church|society|league|class|community|association|army|navy|union|party))\b.*",
        "member_of",
        "past=member_of",
    ),
    ("join", r"(?P<o>.+)", "joined", "place past=joined"),
    (
        "leave quit",
        r"(?P<o>(?:my |the )?(?:job|position|role|company)\b.*|(?:my )?job at .+)",
        "left_job",
        "past=left_job",
    ),
    ("resign", r"(?:from )?(?P<o>.*)", "left_job", "past=left_job"),
    ("quit stop", r"(?P<o>smoking|drinking)\b.*", "smokes", "quit past=smokes"),
    (
        "work",
        r"(?P<o>(?:the )?(?:night|day|early|late|evening|graveyard|rotating|long|double|nine|12|twelve)[- ](?:shifts?|hours|to)\b.*|part[- ]time|full[- ]time|remotely|from home|(?:on )?weekends|in shifts|shifts|weekdays|two jobs|overtime)",
        "work_schedule",
        "past=worked_as",
    ),
    (
        "work",
        r"(?:\w+ |part[- ]time |full[- ]time |from home |night shifts |the night shift |nights |days |currently |mostly |remotely )*as\s+(?:a |an |the |one of the )?(?P<o>.+)",
        "works_as",
        "past=worked_as place2",
    ),
    (
        "work",
        r"(?:\w+ |part[- ]time |full[- ]time |from home |nights |remotely |freelance )*(?:for|at)\s+(?P<o>.+)",
        "works_at",
        "past=worked_at employer place",
    ),
    ("work", r"(?:\w+ |part[- ]time |full[- ]time )*on\s+(?P<o>.+)", "works_on", "past=experienced"),
    (
        "work",
        r"(?:\w+ |part[- ]time |full[- ]time |nights |mainly |mostly )*in\s+(?P<o>.+)",
        "works_in",
        "past=worked_at field place",
    ),
    (
        "work",
        r"(?P<o>(?:nights|days|from home|hard|a lot|late|early|a night shift|an? \w+ (?:shift|job)|\w+ shifts?|\d+ hours.*|long hours).*)",
        "work_schedule",
        "past=worked_as",
    ),
    ("work", r"out\b\s*(?P<o>.*)", "exercises", "object=works out"),
    (
        "run own have operate",
        r"(?P<o>(?:a |an |my |my own |our |our own |the )?(?:\w+ )*(?:business|company|shop|store|restaurant|cafe|café|bakery|agency|studio|startup|start-up|firm|salon|bar|bookstore|bookshop|practice|consultancy|farm|blog|bistro|brewery|franchise|gallery|b&b|hotel|clinic|garage|gym|food truck|etsy shop|online shop))\b(?! (?:card|app|membership|class)).*",
        "owns_business",
        "past=experienced",
    ),
    (
        "found start launch",
        r"(?P<o>(?:a |an |my |my own |our |our own )?(?:\w+ )*(?:business|company|startup|start-up|agency|studio|firm|shop|restaurant|blog|channel|charity))\b.*",
        "owns_business",
        "past=owns_business",
    ),
    (
        "be",
        r"(?:the |a )?(?:proud )?(?:co-)?(?:owner|founder|co-founder|cofounder) of\s+(?P<o>.+)",
        "owns_business",
        "",
    ),
    ("run", r"(?P<o>(?:a |an |the |my |our |half |two )?(?:[\w-]+ )*(?:marathons?|5k|10k|half|races?|miles?|km|ultra\w*)\b.*)", "exercises", "past=experienced"),
    ("run", r"(?P<o>(?:a |an |the |my |our )[a-z].+|[A-Z].+)", "manages", "past=experienced"),
    ("manage supervise lead oversee", r"(?P<o>.+)", "manages", "past=experienced"),
    ("administer maintain operate", r"(?P<o>.+)", "administers", "past=experienced"),
    ("be", r"(?:currently )?(?:in charge of|responsible for)\s+(?P<o>.+)", "manages", ""),
    ("earn make", r"(?P<o>(?:about |around |roughly |only )?[$€£]?\d[\d.,]*\s?k?\b.*)", "earns", ""),
    ("pay", r"(?P<o>[$€£]?\d[\d.,]*.*?(?:rent|month|week|a month).*)", "pays_rent", ""),
    ("teach", r"(?P<o>.+)", "works_as", "past=worked_as teach"),
    ("commute", r"(?P<o>.*)", "commutes", "commute past=experienced"),
    (
        "bike cycle walk drive run ride skate jog scoot",
        r"(?P<o>(?:(?:my |a |the )?(?:bike|bicycle|scooter|motorbike|horse|train|bus) )?(?:in )?to (?:and from )?(?:work|the office|school|college|uni|university|campus|my job)\b.*)",
        "commutes",
        "commute past=experienced",
    ),
    (
        "take catch ride",
        r"(?P<o>(?:the |a )?(?:bus|train|tube|metro|subway|tram|ferry|bike|car)\b.*\b(?:to work|to the office|to school|commute|every (?:day|morning)).*)",
        "commutes",
        "commute past=experienced",
    ),
    ("go get", r"(?P<o>to (?:work|school|the office) (?:by|on) .+)", "commutes", "commute past=experienced"),
    # study
    ("study", r"in\s+(?P<o>[A-Z].+)", "studies_at", "place past=studies_at"),
    ("study", r"(?:at)\s+(?P<o>.+)", "studies_at", "place past=studies_at"),
    ("study", r"(?P<o>(?!(?:a lot|hard|for)\b).+)", "studies", "past=studies"),
    ("major", r"in\s+(?P<o>.+)", "studies", "past=studies"),
    (
        "be",
        r"(?:currently |still )?(?:studying|majoring in|doing (?:a|my) (?:degree|master's|masters|phd|mba|bachelor's) in)\s+(?P<o>.+)",
        "studies",
        "past=studies",
    ),
    (
        "go attend",
        r"(?:to )?(?P<o>(?:\w+ )*(?:university|college|school|uni|academy|high school|grad school|law school|med school|community college|art school|night school|[A-Z]\w* (?:State|Tech|University|College)))\b(?! (?:reunion|party)).*",
        "studies_at",
        "past=studies_at",
    ),
    (
        "be",
        r"(?:a |an |currently |still |in )*(?P<o>(?:\w+[- ])*(?:student|freshman|sophomore|undergrad|undergraduate|postgraduate|grad student|junior in \w+|senior in \w+|university|college|high school|school|grad school|(?:third|first|second|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+th) grader?))\b(?! (?:teacher|nurse|counselor|bus|principal)).*",
        "studies",
        "past=studies",
    ),
    ("graduate", r"(?:from|with)\s+(?P<o>.+)", "graduated_from", "past=graduated_from"),
    ("graduate", r"(?P<o>.*)", "graduated_from", "past=graduated_from"),
    (
        "have hold get earn finish complete do",
        r"(?P<o>(?:a |an |my |two )?(?:\w+ )*?(?:degree|bachelor'?s?|master'?s?|masters|phd|ph\.d\.?|mba|doctorate|diploma|associates?|certificate)\b.*)",
        "has_degree",
        "past=has_degree",
    ),
    ("learn", r"(?:how )?(?:to )?(?:speak |play )?(?P<o>.+)", "learns", "past=experienced"),
    ("teach", r"myself (?:how )?(?:to )?(?P<o>.+)", "learns", "past=learns"),
    ("take", r"(?P<o>(?:\w+ )*(?:lessons|classes|courses?|class))\b.*", "learns", "past=experienced"),
    ("speak", r"(?P<o>.+)", "speaks", "language"),
    ("be", r"(?:fluent|bilingual|conversational|proficient) in\s+(?P<o>.+)", "speaks", ""),
    # health
    (
        "be",
        r"(?:highly |severely |very |deathly |badly |really |mildly |extremely |also |actually |slightly )?allergic to\s+(?P<o>.+)",
        "has_allergy",
        "cutso",
    ),
    (
        "have suffer",
        r"(?:from )?(?:a |an |some )?(?:bad |severe |terrible |mild |really bad |life-threatening |serious |strong |slight |seasonal )?(?:allerg(?:y|ies)|allergic reactions?) to\s+(?P<o>.+)",
        "has_allergy",
        "cutso",
    ),
    (
        "have suffer get",
        r"(?:from )?(?:a |an |bad |severe |terrible |mild |some |really )*(?P<o>[\w-]+(?: \w+)?) allerg(?:y|ies)\b.*",
        "has_allergy",
        "",
    ),
    (
        "have",
        r"(?:a |an |bad |severe |terrible |mild |some |many |lots of |a lot of )*(?P<o>allergies)\b.*",
        "has_allergy",
        "",
    ),
    (
        "be",
        r"(?:very |severely |a bit |also |highly )?(?P<o>(?:lactose|gluten|fructose|histamine|sulfite|alcohol)[- ]?(?:intolerant|sensitive|free))\b.*",
        "has_allergy",
        "",
    ),
    ("be", r"(?:very |severely |highly )?(?:intolerant|sensitive) (?:to|of)\s+(?P<o>.+)", "has_allergy", ""),
    (
        "be",
        r"(?:an? |also |actually |clinically |legally |type (?:1|2|one|two) |type-[12] |severely |partially |slightly |mildly |recently )*(?:diagnosed with|living with|suffering from|recovering from|battling|being treated for)\s+(?P<o>.+)",
        "has_condition",
        "past=has_condition",
    ),
    (
        "be",
        r"(?P<o>(?:an? |also |clinically |legally |type (?:1|2|one|two) |severely |partially |slightly |profoundly |born )*[\w'-]+)(?: person| in (?:my|one|the) .+| since .+| too)?",
        "has_condition",
        "condition",
    ),
    (
        "be",
        r"(?P<o>(?:an? |also |legally |partially |profoundly |born |now )*(?:deaf|blind|paraplegic|quadriplegic|disabled|mute|hard of hearing|visually impaired|hearing impaired|wheelchair[- ]bound|wheelchair user|in a wheelchair|amputee)\b.*)",
        "has_disability",
        "",
    ),
    ("use", r"(?P<o>(?:a |an )?(?:wheelchair|walker|cane|hearing aids?|prosthe\w+)\b.*)", "has_disability", ""),
    (
        "take be",
        r"(?:on )?(?P<o>(?:\w+ )*(?:insulin|medication|medications|meds|antidepressants|pills?|statins|beta blockers|blood thinners|birth control|metformin|lithium|ibuprofen|thyroxine|ssris?|warfarin|methotrexate|sertraline|levothyroxine|\w+(?:pril|statin|azole|olol|cillin|oxetine|mab))\b.*)",
        "takes_medication",
        "past=experienced",
    ),
    (
        "have get",
        r"(?:a |an |some |my )?(?:bit of |touch of |slight |bad |terrible |splitting |little |really bad |mild |horrible |nasty |bit |another |this |awful )*(?:a |an )?(?:headache|cold|flu|fever|cough|sore throat|stomach ?ache|tummy ache|toothache|hangover|runny nose|nosebleed|cramps?|nausea|stuffy nose|hiccups|sniffles|temperature|blister|belly ache|upset stomach|back ?ache|pain|sore \w+|stiff neck|bad day|long day|good day|great day|rough (?:day|night|week)|busy (?:day|week)|day off)\b(?P<o>.*)",
        "has_symptom",
        "drop",
    ),
    (
        "feel",
        r"(?P<o>(?:a bit |really |so |very |a little |kind of |pretty |quite |super )*(?:sick|tired|ill|nauseous|dizzy|good|great|fine|ok|better|bad|awful|terrible|hungry|sleepy|cold|hot|exhausted|down|under the weather|lazy|bored|weird|off)\b.*)",
        "feels",
        "drop",
    ),
    ("be", r"(?:feeling )(?P<o>.+)", "feels", "drop"),
    (
        "break injure tear sprain fracture dislocate hurt twist",
        r"(?P<o>(?:my|a|an|both) .+)",
        "has_injury",
        "past=has_injury",
    ),
    (
        "have",
        r"(?P<o>(?:a |an |my )?(?:broken|sprained|torn|bad|injured|fractured|dislocated|dodgy|weak) (?:\w+ )?(?:arm|leg|ankle|wrist|knee|foot|back|shoulder|hip|finger|toe|rib|ribs|collarbone|acl|meniscus|ligament|neck|elbow|hand))\b.*",
        "has_injury",
        "",
    ),
    (
        "have get suffer struggle live",
        r"(?:from |with |been diagnosed with )?(?P<o>(?:a |an |bad |severe |chronic |mild |really |type (?:1|2|one|two) |some |high |low |frequent |recurring |terrible |constant |heart |kidney |liver |slight )*[\w'-]+(?: (?:disease|disorder|syndrome|condition|problems|pressure|cholesterol|deficiency|sclerosis|pain|apnea|failure|murmur))?)\b.*",
        "has_condition",
        "condition past=has_condition",
    ),
    # food, drink, habits
    (
        "be",
        r"(?:a |an |also |mostly |mainly |strictly |strict |lifelong |committed |proud |now |actually |currently |pretty much |on a |on the )*(?P<o>[\w-]+)(?: (?:diet|person|eater))?(?: (?:for|since|now|and|by|but|because)\b.*)?",
        "follows_diet",
        "diet",
    ),
    (
        "eat follow keep go",
        r"(?:a |an |the |only |mostly |strictly |on a |on the )*(?P<o>[\w-]+)(?: (?:diet|food|foods|only|meals))?",
        "follows_diet",
        "diet past=follows_diet",
    ),
    ("smoke vape", r"(?P<o>.*)", "smokes", "smoke past=experienced"),
    (
        "be",
        r"(?:a |an |also )*(?P<o>(?:heavy |social |non-?|ex-?|former |chain |occasional )*smoker)\b.*",
        "smokes",
        "smoke",
    ),
    (
        "drink",
        r"(?P<o>(?:any |much |no )?(?:alcohol|alcoholic drinks|booze|beer|wine|liquor|spirits)\b.*|)",
        "drinks_alcohol",
        "past=experienced alcohol",
    ),
    ("be", r"(?:a |an )*(?P<o>sober|teetotal|teetotaler|teetotaller)\b.*", "drinks_alcohol", "negate"),
    ("eat touch consume", r"(?P<o>.+)", "avoids_food", "onlynegated"),
    # attitudes
    (
        "prefer",
        r"(?:to \w+ )?(?P<o>.+?)\s+(?:over|to|rather than|instead of|more than)\s+(?P<o2>.+)",
        "prefers_over",
        "opinion",
    ),
    ("prefer favor favour", r"(?P<o>.+)", "prefers", "opinion"),
    ("love adore", r"(?P<o>.+)", "loves", "opinion"),
    ("like dig fancy appreciate", r"(?P<o>.+)", "likes", "opinion"),
    ("enjoy", r"(?P<o>.+)", "enjoys", "opinion"),
    ("hate detest despise loathe", r"(?P<o>.+)", "hates", "opinion"),
    ("dislike", r"(?P<o>.+)", "dislikes", "opinion"),
    ("stand bear tolerate abide", r"(?P<o>.+)", "likes", "opinion"),
    ("go", r"(?:right |completely |totally |a bit |really )?off\s+(?P<o>.+)", "dislikes", "opinion past=dislikes"),
    ("avoid", r"(?P<o>.+)", "avoids", "opinion"),
    ("fear", r"(?P<o>.+)", "fears", ""),
    (
        "be",
        r"(?:really |very |so |absolutely |deathly |a bit |also |quite |totally |pretty |super |completely |always )*(?:afraid|scared|terrified|frightened|petrified|phobic) of\s+(?P<o>.+)",
        "fears",
        "",
    ),
    ("have", r"(?:a |an )?(?:\w+ )*(?:fear|phobia) of\s+(?P<o>.+)", "fears", ""),
    (
        "be",
        r"(?:a |an |such |really |also |quite |the )*(?:\w+ )?(?:fan|lover|admirer|enthusiast) of\s+(?P<o>.+)",
        "likes",
        "opinion",
    ),
    (
        "be",
        r"(?:a |an |such |really |also )*(?:huge |big |massive |die-hard |lifelong |great |real |total )+(?P<o>[\w' -]+?) (?:fan|lover|enthusiast|person)\b.*",
        "likes",
        "opinion",
    ),
    ("be", r"(?:a |an |also )*(?P<o>[\w'-]+) (?:fan|lover|enthusiast)\b.*", "likes", "opinion"),
    (
        "be",
        r"(?:really |so |very |super |also |big |totally |heavily |not )*(?:into|keen on|fond of|crazy about|mad about|obsessed with|passionate about|hooked on|addicted to|nuts about)\s+(?P<o>.+)",
        "likes",
        "opinion",
    ),
    ("be", r"(?:so |totally |completely |well |all |really |just )*over\s+(?P<o>.+)", "dislikes", "opinion"),
    ("be", r"(?:sick|tired|fed up|bored|done) (?:of|with)\s+(?P<o>.+)", "dislikes", "opinion"),
    (
        "be",
        r"(?:really |very |also |always |quite |particularly )*(?:interested in|curious about|fascinated by|intrigued by)\s+(?P<o>.+)",
        "interested_in",
        "",
    ),
    ("have", r"(?:a |an |some )?(?:\w+ )*(?:interest|passion|love) (?:in|for|of)\s+(?P<o>.+)", "interested_in", ""),
    (
        "find",
        r"(?P<o>.+?) (?:to be )?(?:so |very |really |quite |a bit |rather |pretty |incredibly |extremely )*(?:awful|boring|terrible|annoying|hard|difficult|tedious|disgusting|ugly|overrated|horrible|exhausting|dull|stressful|unbearable|irritating|gross|frustrating|scary|pointless|ridiculous|weird|tiring|depressing|unpleasant|noisy|distracting|dreadful|creepy|confusing|overwhelming|bland|pretentious)\b.*",
        "dislikes",
        "opinion past=dislikes",
    ),
    (
        "find",
        r"(?P<o>.+?) (?:to be )?(?:so |very |really |quite |a bit |rather |pretty |incredibly |extremely )*(?:fun|relaxing|interesting|fascinating|beautiful|amazing|great|useful|helpful|calming|inspiring|soothing|exciting|delicious|wonderful|lovely|charming|peaceful|rewarding|therapeutic|satisfying|funny|easy|enjoyable|brilliant|comforting|cute)\b.*",
        "likes",
        "opinion past=likes",
    ),
    ("think believe feel reckon suppose", r"(?:that )?(?P<o>.+)", "thinks", "opinion past=thinks"),
    ("miss", r"(?P<o>.+)", "likes", "opinion past=likes"),
    ("value", r"(?P<o>.+)", "has_value", ""),
    ("believe", r"in\s+(?P<o>.+)", "believes_in", ""),
    # wishes and plans
    ("want wish hope dream aim aspire long", r"(?:to |of |for |that |about )?(?P<o>.+)", "wants", "status past=wants"),
    ("plan intend", r"(?:on |to |for |a |an )?(?P<o>.+)", "plans", "status"),
    (
        "be",
        r"(?:currently |already |still )?(?:planning|hoping|going|intending|about|looking|set|due|scheduled|thinking of|thinking about|considering|saving(?: up)? for|saving to|preparing for|training for|getting ready for)\s+(?:to |on |for |a |an )?(?P<o>.+)",
        "plans",
        "status past=experienced",
    ),
    (
        "fly travel head",
        r"(?:out |back |over |up |down )*(?:to|into|around|through)\s+(?P<o>.+)",
        "travels_to",
        "status place past=experienced",
    ),
    (
        "go",
        r"(?:on (?:holiday|vacation|a trip) |back |away |over )?to\s+(?P<o>[A-Z].*)",
        "travels_to",
        "progressive status place past=experienced",
    ),
    ("attend", r"(?P<o>.+)", "attends", "status past=experienced"),
    (
        "have",
        r"(?P<o>(?:a |an |my |another |two )?(?:\w+ ){0,3}(?:appointment|interview|exam|meeting|check-?up|surgery|operation|flight|wedding|concert|date|test|deadline|scan|mri|presentation|viva|audition|trip|vacation|holiday|party|conference|dinner party|court date)s?\b.*)",
        "has_appointment",
        "status past=experienced",
    ),
    # play, sport, art
    ("play", r"(?:the |a |some |a bit of |a little )?(?P<o>.+)", "plays_instrument", "instrument past=experienced"),
    ("play", r"(?P<o>.+)", "plays_sport", "sport past=experienced"),
    (
        "play",
        r"(?P<o>(?:in|with) (?:a|an|the|my) .*(?:band|orchestra|quartet|ensemble|choir|team|league)\b.*)",
        "member_of",
        "past=experienced",
    ),
    ("play", r"(?P<o>.+)", "plays_game", "past=experienced"),
    ("support follow root", r"(?:for )?(?P<o>(?:the )?[A-Z].*)", "supports_team", ""),
    ("collect", r"(?P<o>.+)", "collects", "past=experienced"),
    ("read", r"(?P<o>.+)", "reads", "past=experienced"),
    ("watch", r"(?P<o>.+)", "watches", "past=experienced"),
    ("listen", r"(?:mostly |mainly |a lot |only )?to\s+(?P<o>.+)", "listens_to", "past=experienced"),
    ("volunteer", r"(?:at |for |in |with |as |on |to )?(?P<o>.*)", "volunteers", "past=volunteers"),
    ("belong", r"to\s+(?P<o>.+)", "member_of", ""),
    ("be", r"(?:a |an |also |the )*(?:\w+ )?(?:member|part) of\s+(?P<o>.+)", "member_of", "past=experienced"),
    (
        "be",
        r"(?:on|in)\s+(?P<o>(?:the |a |an |my )(?:\w+ )*(?:team|club|band|choir|group|league|squad|committee|board|orchestra|sorority|fraternity|army|navy|military))\b.*",
        "member_of",
        "past=experienced",
    ),
    (
        "run jog swim cycle lift hike climb row ski surf skate box bike skateboard snowboard exercise boulder",
        r"(?P<o>.*)",
        "exercises",
        "verbobject past=experienced",
    ),
    (
        "go do practise practice",
        r"(?:to |for )?(?P<o>(?:a |the |my )?(?:run|runs|swim|gym|yoga|pilates|crossfit|running|swimming|cycling|hiking|climbing|bouldering|jogging|weightlifting|boxing|zumba|karate|judo|aikido|taekwondo|jiu[- ]jitsu|martial arts|tai chi|rowing|skiing|surfing|walks?|jogs?|gymnastics|parkour|kickboxing|dance|ballet|hikes?|kung fu|triathlons?|marathons?)\b.*)",
        "exercises",
        "past=experienced",
    ),
    (
        "cook bake garden knit crochet sew paint draw sketch write sing dance fish hunt camp brew blog craft restore sculpt compose photograph stream embroider forage quilt whittle carve juggle woodwork weave pot act meditate journal code bird-watch",
        r"(?P<o>.*)",
        "has_hobby",
        "verbobject past=experienced",
    ),
    (
        "go do",
        r"(?P<o>(?:a lot of |some )?\w+ing\b.*|pottery|photography|theatre|theater|improv|karaoke|origami|calligraphy|astronomy|magic|crosswords|puzzles)",
        "has_hobby",
        "past=experienced",
    ),
    # belongings and people
    ("keep have own raise breed get adopt foster rescue buy", r"(?P<o>.+)", "has_pet", "pet past=has_pet"),
    ("have raise get", r"(?P<o>.+)", "has_child", "relation past=experienced"),
    (
        "drive ride",
        r"(?P<o>(?:a |an |my |the |old |new )+.+|[A-Z].+|cars|trucks?|motorbikes?|motorcycles?)",
        "drives",
        "past=experienced",
    ),
    (
        "have own hold get",
        r"(?P<o>(?:a |an |my |the |no |any )?(?:[\w']+ )*(?:licen[cs]es?|certification|permit))\b.*",
        "has_licence",
        "past=has_licence",
    ),
    (
        "have own buy get",
        r"(?P<o>(?:a |an |my |the |our |two |new |old |small |big |nice |red |blue |used |electric |second-hand |own )+(?:[\w-]+ )?(?:car|truck|van|suv|motorbike|motorcycle|scooter|pickup|jeep|tesla|toyota|honda|ford|bmw|audi|volvo|mustang|prius|camper|campervan|minivan|volkswagen|vw|mercedes|subaru|nissan|mazda|fiat|saab|porsche|ferrari|corvette)\b.*)",
        "drives",
        "past=experienced",
    ),
    (
        "have own rent",
        r"(?P<o>(?:a |an |my |the |our |two |new |old |small |big |nice |huge |tiny |large |little |own )*(?:[\w-]+ )*(?:house|flat|apartment|condo|cottage|cabin|loft|studio|townhouse|bungalow|mansion|duplex|room|home|garden|backyard|yard|balcony|farmhouse|houseboat|rv|allotment))\b.*",
        "has_home",
        "past=experienced",
    ),
    ("own", r"(?P<o>.+)", "owns", "past=experienced"),
    ("buy purchase order", r"(?:myself |me )?(?P<o>.+)", "bought", "past=bought"),
    ("use", r"(?P<o>.+)", "uses", "past=experienced"),
    ("know", r"(?:how )?to\s+(?P<o>.+)", "can", ""),
    (
        "know",
        r"(?:someone |somebody |a guy |a girl |a man |a woman )?(?:called |named )?(?P<o>[A-Z]\w+.*)",
        "knows_person",
        "",
    ),
    (
        "be",
        r"(?:really |very |pretty |quite |also |so |actually |incredibly |extremely |always )*(?:good|great|skilled|talented|excellent|amazing|decent|brilliant|an expert|the best) (?:at|with|in)\s+(?P<o>.+)",
        "can",
        "",
    ),
    (
        "be",
        r"(?:really |very |pretty |quite |also |so |actually |always |just |the )*(?:bad|terrible|awful|hopeless|horrible|rubbish|useless|worst|no good|not good|not great) (?:at|with)\s+(?P<o>.+)",
        "cannot",
        "",
    ),
    ("be", r"(?:not )?able to\s+(?P<o>.+)", "can", ""),
    ("owe", r"(?P<o>.+)", "owes", "status"),
    ("celebrate", r"(?P<o>.+)", "celebrates", "past=experienced"),
    ("win achieve earn publish finish complete", r"(?P<o>.+)", "achieved", "past=achieved"),
    ("sleep", r"(?P<o>.*)", "sleeps", "past=experienced"),
    ("wake get", r"up\s+(?P<o>.+)", "sleeps", "past=experienced"),
    ("go", r"to (?:bed|sleep)\s+(?P<o>.+)", "sleeps", "past=experienced"),
    (
        "be",
        r"(?:a |an |very |such a |definitely a )*(?P<o>(?:night owl|early bird|early riser|morning person|light sleeper|heavy sleeper))\b.*",
        "sleeps",
        "",
    ),
    (
        "have",
        r"(?P<o>(?:no |a |an |one |two |three |some )?(?:questions?|problems?|issues?|trouble|errors?|bugs?|ideas?|doubts?|request|favor|favour|quick question|feeling|look|minute|moment|chat|clue|idea|point|choice|nice (?:day|one|evening|weekend)|good (?:one|time|day|evening)|fun|time|plans?|to (?:go|run|say|admit|ask|agree|leave))\b.*)",
        "states",
        "drop",
    ),
)

_BE_NOUN = re.compile(
    r"(?:a |an |the |also |just |now |currently |still |actually |only |one of the |formerly )*(?P<o>.+)"
)
_TAIL = re.compile(
    r"\s+(?:(?:who|which|that|in|at|for|by|with|from|on|of|and|since|but|because|so|to|specializing|specialising|working|living|here|there|these|about|during|every|when|while|if)\b|,).*$",
    re.IGNORECASE,
)


@cache
def _table() -> dict[str, tuple[tuple[re.Pattern[str], str, dict[str, str]], ...]]:
    rows: dict[str, list[tuple[re.Pattern[str], str, dict[str, str]]]] = {}
    for verbs, pattern, predicate, flags in _ROWS:
        parsed = {}
        for flag in _flags(flags):
            name, _, value = flag.partition("=")
            parsed[name] = value
        compiled = re.compile(pattern, re.IGNORECASE if "[A-Z]" not in pattern else 0)
        for verb in verbs.split():
            rows.setdefault(verb, []).append((compiled, predicate, parsed))
    return {verb: tuple(found) for verb, found in rows.items()}


def _flags(flags: str) -> list[str]:
    return re.findall(r"object=.+?(?= \w+=|$)|\S+", flags)


def predicates() -> frozenset[str]:
    """Every predicate these rules can give."""
    from_rows = {predicate for _, _, predicate, _ in _ROWS}
    from_flags = {flag[5:] for _, _, _, flags in _ROWS for flag in flags.split() if flag.startswith("past=")}
    others = (
        {predicate for predicate in lexicon.RELATIONS.values()}
        | set(OWNED.values())
        | set(_BE_OTHERS)
        | {"drives", "exercises", "plans", "experienced"}
    )
    return frozenset(from_rows | from_flags | others | NEGATIVE | ATTITUDES | STATUSES)


_BE_OTHERS = (
    "works_as",
    "believes_in",
    "political_view",
    "has_orientation",
    "has_gender",
    "has_nationality",
    "is_named",
    "feels",
    "states",
    "pet_named",
    "launches_on",
    "anniversary_on",
)


_ASPECT = re.compile(r"(?:to (?P<base>[a-z]+)|(?P<gerund>[a-z]+ing))\b\s*(?P<rest>.*)", re.IGNORECASE)
_BEGINS = frozenset(("start", "begin", "keep", "continue"))
_ENDS = frozenset(("stop", "quit", "cease"))


def triple_of(shape: Shape) -> Triple:
    """The triple of a clause whose subject is the user; `known` False where no row fits (the model's predicate then counts)."""
    if shape.verb in _BEGINS or shape.verb in _ENDS:
        aspect = _ASPECT.fullmatch(shape.rest)
        if aspect:
            return _by_aspect(shape, aspect)
    rest = shape.rest
    for pattern, predicate, flags in _table().get(shape.verb, ()):
        found = pattern.fullmatch(rest)
        if found is None:
            continue
        triple = _from_row(shape, predicate, flags, found)
        if triple is not None:
            return triple
    if shape.verb == "be":
        return _being(shape)
    if shape.modal == "can":
        return Triple("cannot" if shape.negated else "can", object_words(f"{shape.form} {rest}"), True)
    return _other(shape)


def _by_aspect(shape: Shape, aspect: re.Match[str]) -> Triple:
    """ "Started playing the harp" is playing it; "stopped eating meat" is not eating it."""
    form = aspect["base"] or aspect["gerund"]
    base = gerund_base(form) or lemma(form)
    inner = Shape(shape.subject_kind, shape.subject, base, base, aspect["rest"], negated=shape.negated != (shape.verb in _ENDS))
    triple = triple_of(inner)
    if shape.verb in ("start", "begin") and triple.predicate == "works_at":
        return replace(triple, predicate="started_job")
    return triple


def _other(shape: Shape) -> Triple:
    words = object_words(f"{shape.form} {shape.rest}")
    if shape.verb == "have" and not shape.perfect:
        return Triple("owns", object_words(shape.rest), not shape.negated, None, known=False)
    if shape.past and not shape.negated:
        return Triple("experienced", words, True, None, known=False)
    return Triple("states", words, not shape.negated, None, known=False)


def _from_row(shape: Shape, predicate: str, flags: dict[str, str], found: re.Match[str]) -> Triple | None:
    words = found["o"].strip(_EDGE)
    if not _admits(shape, flags, words):
        return None
    if "drop" in flags:
        return Triple(predicate, words, drop=True)
    if "relation" in flags:
        return _relation(shape, words)
    words = _object_by(shape, flags, words)
    if predicate == "prefers_over":
        words = f"{words} over {object_words(found['o2'])}"
    kind = next((name for name in ("status", "opinion", "fact") if name in flags), None)
    polarity = not shape.negated
    if _over(shape) and predicate not in ("lives_in",):
        predicate, kind = (
            flags.get("past", "experienced"),
            (None if "past" in flags else "fact") if kind != "opinion" else kind,
        )
    elif _over(shape):
        predicate = "lived_in"
    if "quit" in flags:
        return Triple("smokes" if "smok" in words.lower() else "drinks_alcohol", "", False, "fact")
    if shape.modal == "can" and predicate not in ("thinks", "likes") and "onlynegated" not in flags:
        return Triple("can" if polarity else "cannot", object_words(f"{shape.form} {shape.rest}"), True)
    if "negate" in flags:
        polarity = not polarity
    if "onlynegated" in flags:
        return Triple("avoids_food", words, True, "fact") if not polarity else None
    predicate, polarity = _attitude(predicate, polarity)
    if (
        shape.modal in ("would", "should", "will")
        and predicate in ("likes", "loves", "prefers", "enjoys")
        and shape.rest.startswith("to ")
    ):
        return Triple("wants", words.removeprefix("to "), polarity, "status")
    return Triple(predicate, words, polarity, kind)


def _over(shape: Shape) -> bool:
    """Whether the clause speaks of something that is over: past or "used to", but not the perfect of what lasts."""
    return (shape.past and not shape.perfect and not shape.negated) or shape.used_to


def _attitude(predicate: str, polarity: bool) -> tuple[str, bool]:
    """A negated liking is a dislike: one canonical form for one attitude (R3)."""
    if not polarity and predicate in ("likes", "loves", "enjoys"):
        return "dislikes", True
    if not polarity and predicate in ("dislikes", "hates"):
        return "likes", True
    return predicate, polarity


def _admits(shape: Shape, flags: dict[str, str], words: str) -> bool:
    low = words.lower()
    tokens = set(re.findall(r"[\w'-]+", low.replace(" intolerant", "-intolerant")))
    if "diet" in flags:
        return low in lexicon.DIETS or low.removesuffix("s") in lexicon.DIETS
    if "condition" in flags:
        return (
            bool(tokens & lexicon.CONDITIONS)
            or re.search(
                r"\b(?:disease|disorder|syndrome|sclerosis|blood pressure|cholesterol|chronic|intoleran\w+|deficiency|apnea)\b",
                low,
            )
            is not None
            or low.endswith(("itis", "osis"))
        )
    if "pet" in flags:
        return bool(_heads(words) & lexicon.PETS) and not re.search(
            r"\b(?:food|person|people|lover|hotel|sitter|walker|skin|figur\w+|shelter|farm|coffee|fish tank|tattoo)\b",
            low,
        )
    if "relation" in flags:
        return bool(_heads(words) & lexicon.RELATIONS.keys())
    if "instrument" in flags:
        return bool(tokens & lexicon.INSTRUMENTS) and not re.search(r"\b(?:hero|games?)\b", low)
    if "sport" in flags:
        return bool(tokens & lexicon.SPORTS)
    if "language" in flags:
        return any(token in lexicon.LANGUAGES or token == "languages" for token in tokens)
    if "progressive" in flags:
        return shape.progressive or shape.past
    return "commute" not in flags or bool(low) or shape.verb == "commute"


def _heads(words: str) -> set[str]:
    """The nouns that may be what a phrase is about: not those inside "called …" or after a preposition."""
    low = re.split(r"\b(?:called|named|who|that|which|for|in|at|from|as|to)\b", words.lower())[0]
    tokens = re.findall(r"[\w'-]+", low)
    pairs = {f"{left}-{right}" for left, right in zip(tokens, tokens[1:], strict=False)}
    return set(tokens) | pairs


def _object_by(shape: Shape, flags: dict[str, str], words: str) -> str:
    if "object" in flags:
        return flags["object"] if flags["object"] != "self-employed" or not words else words
    if "commute" in flags:
        return commute_mode(f"{shape.verb} {shape.rest}")
    if "place" in flags:
        words = place_words(words)
    if "verbobject" in flags:
        words = (
            f"{shape.form} {words}".strip()
            if not words or shape.verb not in ("paint", "write", "collect", "restore")
            else words
        )
    if "teach" in flags:
        return f"teacher of {words}"
    if "smoke" in flags:
        return "smoking"
    if "alcohol" in flags:
        return "alcohol"
    if "cutso" in flags or "cutwith" in flags:
        words = re.sub(
            r"\s*(?:,?\s+(?:so|because|but|which|that|since|when|with|and (?:i|have|so|always|my))\b).*$",
            "",
            words,
            flags=re.IGNORECASE,
        )
    return object_words(words)


def place_words(words: str) -> str:
    """ "Ballard, a neighbourhood of Seattle" → "Ballard, Seattle"; "the Ballard neighborhood" → "Ballard"."""
    words = _PLACE_CUT.sub("", words).strip(_EDGE)
    after = _AREA_AFTER.match(words)
    if after:
        words = after[1]
    return _AREA.sub(lambda found: ", " if found.start() else "", words).strip(_EDGE)


_MODES = (
    ("bike", r"\b(?:bik\w*|bicycl\w*|cycl\w*)\b"), ("car", r"\b(?:car|driv\w+)\b"), ("bus", r"\bbus\w*\b"), ("train", r"\btrains?\b"),
    ("metro", r"\b(?:metro|subway|tube|underground)\b"), ("tram", r"\btram\w*\b"), ("ferry", r"\bferry\b"), ("scooter", r"\bscoot\w*\b"),
    ("motorbike", r"\bmotor\w+\b"), ("foot", r"\b(?:walk\w*|foot)\b"), ("running", r"\b(?:run|runs|running|jog\w*)\b"),
)  # fmt: skip


def commute_mode(words: str) -> str:
    """How somebody gets to work, in one word, whatever the wording ("bike to work", "cycling is how I commute")."""
    for mode, pattern in _MODES:
        if re.search(pattern, words, re.IGNORECASE):
            return mode
    return object_words(words)


_OBJECT_TAIL = re.compile(
    r"[,\s]+(?:again|every (?:single )?\w+|a lot|lots|very much|so much|much|the most|daily|anymore|any more|at all|a bit|most days|all the time|all day|too|as well|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|(?:once|twice|\w+ times) (?:a|per) \w+|sometimes|often|usually|in general|before|at least|right now)$",
    re.IGNORECASE,
)


def object_words(words: str) -> str:
    """An object without its articles, possessives, frequency and closing marks; names and numbers untouched."""
    words = words.replace('"', "").strip(_EDGE)
    for _ in range(2):
        shorter = _OBJECT_TAIL.sub("", words)
        if shorter == words or not shorter:
            break
        words = shorter
    for _ in range(3):
        shorter = _LEAD.sub("", words, count=1)
        if shorter == words or not shorter:
            break
        words = shorter
    return words.strip(_EDGE)


def _relation(shape: Shape, words: str) -> Triple | None:
    heads = re.findall(r"[\w'-]+", words.lower())
    pairs = [f"{left}-{right}" for left, right in zip(heads, heads[1:], strict=False)]
    noun = next((word for word in pairs + heads if word in lexicon.RELATIONS), None)
    if noun is None:
        return None
    predicate = lexicon.RELATIONS[noun]
    if predicate == "has_child":
        number = re.match(r"(?:(\d+|[a-z]+) )?(?:\w+ )?(?:kids|children)$", words.lower())
        if number or shape.negated:
            return Triple("has_children", "0" if shape.negated else words, not shape.negated)
    return Triple(predicate, object_words(words), not shape.negated)


def _being(shape: Shape) -> Triple:
    """ "I am …" where no row fits: names, occupations, origins, beliefs, feelings."""
    found = _BE_NOUN.fullmatch(shape.rest)
    words = found["o"].strip(_EDGE) if found else shape.rest
    core = _TAIL.sub("", words).strip(_EDGE)
    polarity = not shape.negated
    head = core.lower().split()[-1] if core else ""
    if shape.progressive:
        return Triple("has_status", words, polarity, None, known=False)
    if shape.rest[:1].isupper() and _is_name(core) and core.lower() not in lexicon.NATIONALITIES and not shape.past:
        return Triple("is_named", core, polarity)
    for words_of, predicate in (
        (lexicon.NATIONALITIES, "has_nationality"), (lexicon.RELIGIONS, "believes_in"), (lexicon.POLITICS, "political_view"),
        (lexicon.ORIENTATIONS, "has_orientation"), (lexicon.GENDERS, "has_gender"),
    ):  # fmt: skip
        if core.lower() in words_of or (
            head in words_of
            and len(core.split()) <= 3
            and not (
                predicate == "has_gender" and head in ("guy", "boy", "girl", "man", "woman") and len(core.split()) > 1
            )
        ):
            return Triple(predicate, core, polarity)
    if core.lower().split(" ")[0] in lexicon.TRANSIENT_STATES and len(words.split()) <= 6:
        return Triple("feels", words, polarity, drop=True)
    if lexicon.is_occupation(core) or re.match(
        r"head of|director of|vp of|vice president|chief|in (?:sales|marketing|finance|it|hr|advertising|insurance|banking|retail)\b",
        core.lower() + words[len(core) :].lower(),
    ):
        return Triple("worked_as" if _over(shape) else "works_as", object_words(words), polarity)
    if shape.rest.lower().startswith(("in ", "at ")) and re.match(r"(?:in|at)\s+[A-Z]", shape.rest):
        return Triple("lived_in" if _over(shape) else "lives_in", place_words(shape.rest[3:]), polarity)
    if re.match(r"(?:in|into) ", shape.rest) is None and core.lower().split(" ")[-1] in lexicon.FEELINGS:
        return Triple("feels", words, polarity, "status", known=False)
    return Triple("states", object_words(words), polarity, known=False)


def _is_name(words: str) -> bool:
    parts = words.split()
    return 1 <= len(parts) <= 3 and all(
        part[:1].isupper()
        and part[1:2] != ""
        and part.replace("-", "").replace("'", "").replace(".", "").isalpha()
        and not part.isupper()
        for part in parts
    )


# "My N is …": the noun → predicate.
OWNED: dict[str, str] = {
    "name": "is_named", "first name": "is_named", "full name": "is_named", "last name": "is_named", "surname": "is_named", "nickname": "has_nickname", "age": "is_aged",
    "birthday": "born_on", "date of birth": "born_on", "birth date": "born_on", "job": "works_as", "occupation": "works_as", "profession": "works_as", "day job": "works_as",
    "career": "works_as", "role": "works_as", "title": "works_as", "job title": "works_as", "position": "works_as", "hometown": "comes_from", "home town": "comes_from", "home country": "comes_from",
    "birthplace": "born_in", "rent": "pays_rent", "mortgage": "pays_rent", "height": "height", "weight": "weight", "blood type": "blood_type", "blood group": "blood_type",
    "pronouns": "has_pronouns", "gender": "has_gender", "hobby": "has_hobby", "hobbies": "has_hobby", "passion": "has_hobby", "passions": "has_hobby", "pastime": "has_hobby", "main hobby": "has_hobby",
    "employer": "works_at", "company": "works_at", "workplace": "works_at", "office": "works_in", "salary": "earns", "income": "earns", "wage": "earns", "nationality": "has_nationality",
    "religion": "believes_in", "faith": "believes_in", "diet": "follows_diet", "allergy": "has_allergy", "allergies": "has_allergy", "native language": "speaks", "mother tongue": "speaks",
    "first language": "speaks", "second language": "speaks", "dream": "wants", "goal": "wants", "dream job": "wants", "plan": "plans", "plans": "plans", "budget": "has_budget", "car": "drives",
    "truck": "drives", "motorbike": "drives", "commute": "commutes", "anniversary": "anniversary_on", "wedding anniversary": "anniversary_on", "timezone": "in_timezone", "time zone": "in_timezone",
    "major": "studies", "minor": "studies", "degree": "has_degree", "team": "supports_team", "flat": "has_home", "apartment": "has_home", "house": "has_home", "home": "has_home", "place": "has_home",
    "room": "has_home", "garden": "has_home", "address": "lives_in", "city": "lives_in", "town": "lives_in", "phone": "uses", "laptop": "uses", "computer": "uses", "editor": "uses", "ide": "uses",
    "instrument": "plays_instrument", "instruments": "plays_instrument", "sport": "plays_sport", "fear": "fears", "biggest fear": "fears", "greatest fear": "fears", "pet peeve": "dislikes",
    "deadline": "deadline_on", "launch date": "launches_on", "medication": "takes_medication", "shift": "work_schedule", "shifts": "work_schedule", "schedule": "work_schedule",
    "work schedule": "work_schedule", "ethnicity": "belongs_to", "heritage": "belongs_to", "ancestry": "belongs_to", "background": "belongs_to", "sexuality": "has_orientation",
    "star sign": "states", "zodiac sign": "states", "school": "studies_at", "university": "studies_at", "college": "studies_at", "alma mater": "graduated_from", "collection": "collects", "business": "owns_business",
    "startup": "owns_business", "shop": "owns_business", "appointment": "has_appointment", "interview": "has_appointment", "flight": "has_appointment", "condition": "has_condition", "disability": "has_disability",
    "gym": "exercises", "workout": "exercises", "bedtime": "sleeps", "side hustle": "works_as", "side job": "works_as", "project": "works_on", "church": "member_of", "club": "member_of", "band": "member_of",
}  # fmt: skip
FAVOURITE = re.compile(
    r"(?:all-time |absolute |all time |personal |least |second |current |new |other )*favou?rite ?(.*)", re.IGNORECASE
)


def owned_triple(noun: str, shape: Shape) -> Triple:
    """The triple of "my NOUN is …" and of "my NOUN VERB …"; `noun` is without its possessive."""
    polarity = not shape.negated
    words = object_words(shape.rest)
    favourite = FAVOURITE.fullmatch(noun)
    if favourite and shape.verb == "be":
        least = "least" in noun.lower()
        return Triple("dislikes" if least else "favourite", words, polarity, "opinion")
    predicate = OWNED.get(noun.lower())
    if predicate is None:
        predicate = next(
            (OWNED[last] for last in (" ".join(noun.lower().split()[-2:]), noun.lower().split()[-1]) if last in OWNED),
            None,
        )
    if predicate is None:
        return Triple("states", f"{noun}: {words}", polarity, known=False)
    if predicate in (
        "works_as",
        "works_at",
        "has_home",
        "drives",
        "uses",
        "owns_business",
        "works_on",
        "member_of",
        "studies_at",
        "exercises",
    ) and not _identifies(noun, shape):
        return Triple(
            "states",
            f"{noun}: {object_words(shape.form + ' ' + shape.rest) if shape.verb != 'be' else words}",
            polarity,
            known=False,
        )
    if predicate in ("wants", "plans"):
        words = words.removeprefix("to ")
    return Triple(predicate, words, polarity, "status" if predicate in STATUSES else None)


def _identifies(noun: str, shape: Shape) -> bool:
    """Whether "my job is …" says which one it is, rather than how it is."""
    low = shape.rest.lower()
    return shape.verb == "be" and (
        low.startswith(("a ", "an ", "as ", "at ", "on ", "in ", "called ", "the ")) or shape.rest[:1].isupper()
    )
