"""Rows of the attribute table (models.wording.attributes): health, food, drink and habits."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str, str], ...] = (
    # health
    (
        "be",
        r"(?:highly |severely |very |deathly |badly |really |mildly |extremely |also |actually |"
        r"slightly )?allergic to\s+(?P<o>.+)",
        "has_allergy",
        "cutso",
    ),
    (
        "have suffer",
        r"(?:from )?(?:a |an |some )?(?:bad |severe |terrible |mild |really bad |life-threatening |serious |"
        r"strong |slight |seasonal )?(?:allerg(?:y|ies)|allergic reactions?) to\s+(?P<o>.+)",
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
        r"(?:very |severely |a bit |also |highly )?(?P<o>(?:lactose|gluten|fructose|histamine|sulfite|"
        r"alcohol)[- ]?(?:intolerant|sensitive|free))\b.*",
        "has_allergy",
        "",
    ),
    ("be", r"(?:very |severely |highly )?(?:intolerant|sensitive) (?:to|of)\s+(?P<o>.+)", "has_allergy", ""),
    (
        "be",
        r"(?:an? |also |actually |clinically |legally |type (?:1|2|one|two) |type-[12] |severely |partially |"
        r"slightly |mildly |recently )*(?:diagnosed with|living with|suffering from|recovering from|battling|"
        r"being treated for)\s+(?P<o>.+)",
        "has_condition",
        "past=has_condition",
    ),
    (
        "be",
        r"(?P<o>(?:an? |also |clinically |legally |type (?:1|2|one|two) |severely |partially |slightly |"
        r"profoundly |born )*[\w'-]+)(?: person| in (?:my|one|the) .+| since .+| too)?",
        "has_condition",
        "condition",
    ),
    (
        "be",
        r"(?P<o>(?:an? |also |legally |partially |profoundly |born |now )*(?:deaf|blind|paraplegic|"
        r"quadriplegic|disabled|mute|hard of hearing|visually impaired|hearing impaired|wheelchair[- ]bound|"
        r"wheelchair user|in a wheelchair|amputee)\b.*)",
        "has_disability",
        "",
    ),
    ("use", r"(?P<o>(?:a |an )?(?:wheelchair|walker|cane|hearing aids?|prosthe\w+)\b.*)", "has_disability", ""),
    (
        "take be",
        r"(?:on )?(?P<o>(?:\w+ )*(?:insulin|medication|medications|meds|antidepressants|pills?|statins|"
        r"beta blockers|blood thinners|birth control|metformin|lithium|ibuprofen|thyroxine|ssris?|warfarin|"
        r"methotrexate|sertraline|levothyroxine|(?!april\b)\w+(?:pril|statin|azole|olol|cillin|oxetine|mab))\b.*)",
        "takes_medication",
        "past=experienced",
    ),
    (
        "have get",
        r"(?:a |an |some |my )?(?:bit of |touch of |slight |bad |terrible |splitting |little |really bad |"
        r"mild |horrible |nasty |bit |another |this |awful )*(?:a |an )?(?:headache|cold|flu|fever|cough|"
        r"sore throat|stomach ?ache|tummy ache|toothache|hangover|runny nose|nosebleed|cramps?|nausea|"
        r"stuffy nose|hiccups|sniffles|temperature|blister|belly ache|upset stomach|back ?ache|pain|sore \w+|"
        r"stiff neck|bad day|long day|good day|great day|rough (?:day|night|week)|busy (?:day|week)|"
        r"day off)\b(?P<o>.*)",
        "has_symptom",
        "drop",
    ),
    (
        "feel",
        r"(?P<o>(?:a bit |really |so |very |a little |kind of |pretty |quite |super )*(?:sick|tired|ill|"
        r"nauseous|dizzy|good|great|fine|ok|better|bad|awful|terrible|hungry|sleepy|cold|hot|exhausted|down|"
        r"under the weather|lazy|bored|weird|off)\b.*)",
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
        r"(?P<o>(?:a |an |my )?(?:broken|sprained|torn|bad|injured|fractured|dislocated|dodgy|"
        r"weak) (?:\w+ )?(?:arm|leg|ankle|wrist|knee|foot|back|shoulder|hip|finger|toe|rib|ribs|collarbone|acl|"
        r"meniscus|ligament|neck|elbow|hand))\b.*",
        "has_injury",
        "",
    ),
    (
        "have get suffer struggle live",
        r"(?:from |with |been diagnosed with )?(?P<o>(?:a |an |bad |severe |chronic |mild |really |type (?:1|2|"
        r"one|two) |some |high |low |frequent |recurring |terrible |constant |heart |kidney |liver |"
        r"slight )*[\w'-]+(?: (?:disease|disorder|syndrome|condition|problems|pressure|cholesterol|deficiency|"
        r"sclerosis|pain|apnea|failure|murmur))?)\b.*",
        "has_condition",
        "condition past=has_condition",
    ),
    # food, drink, habits
    (
        "be",
        r"(?:a |an |also |mostly |mainly |strictly |strict |lifelong |committed |proud |now |actually |"
        r"currently |pretty much |on a |on the )*(?P<o>[\w-]+)(?: (?:diet|person|eater))?(?: (?:for|since|now|"
        r"and|by|but|because)\b.*)?",
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
)
