"""Rows of the attribute table (models.wording.attributes): home and origin, identity, family."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str, str], ...] = (
    # residence and origin
    ("live reside", r"(?:together |alone |happily |abroad |\w+ly )?(?:with)\s+(?P<o>.+)", "lives_with", ""),
    ("live reside dwell", r"(?:alone|by (?:my|them)sel\w+)(?P<o>)", "lives_with", "object=alone"),
    ("move", r"in with\s+(?P<o>.+)", "lives_with", "past=lives_with"),
    (
        "live reside dwell settle",
        r"(?:alone |together |right |just |out |back |over |up |down |here |now |currently |"
        r"permanently )*(?:in|at|near|on|outside|by|around|close to|not far from|between|under|over|"
        r"across from|next to|within|abroad in|next door to|off)\s+(?P<o>.+)",
        "lives_in",
        "place past=lived_in",
    ),
    ("live", r"(?P<o>.+)", "routine", ""),
    (
        "move relocate emigrate immigrate shift flit",
        r"(?:\w+ )?(?:back |out |over |away |down |up |here )*(?:to|into)\s+(?:the |a |my )?(?P<o>(?:new |"
        r"bigger |smaller )?(?:house|flat|apartment|place|home))\b.*",
        "has_home",
        "",
    ),
    (
        "move relocate emigrate immigrate shift flit",
        r"(?:back |out |over |away |down |up |here |all the way |house |home |abroad )*(?:from .+? )?(?:to|"
        r"into)\s+(?P<o>.+)",
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
        r"born (?:and raised )?(?:on|in (?=(?:19|20)\d\d|january|february|march|april|may|june|july|august|"
        r"september|october|november|december))\s*"
        r"(?P<o>(?!an? )(?=.*\d|.*(?:day|eve|christmas|easter|ary|march|april|may|june|july|august|ber)\b).+)",
        "born_on",
        "past=born_on",
    ),
    ("be", r"born (?:and (?:raised|bred) )?(?:in|at|near|on|aboard)\s+(?P<o>.+)", "born_in", "place past=born_in"),
    ("be", r"(?:originally |actually |all the way )?from\s+(?P<o>.+)", "comes_from", "place past=comes_from"),
    (
        "be",
        r"(?:currently |now |mostly |mainly |actually )?(?:based|living|located|settled|"
        r"residing) (?:out )?(?:in|at|near|on|outside)\s+(?P<o>.+)",
        "lives_in",
        "place past=lived_in",
    ),
    (
        "be",
        r"(?:currently |now )?(?:on (?:holiday|vacation|a (?:business )?trip)|traveling|travelling|staying|"
        r"visiting) ?(?:in|at|to|with)?\s+(?P<o>.+)",
        "stays_in",
        "place status",
    ),
    ("stay", r"(?:in|at|with)\s+(?P<o>.+)", "stays_in", "place status"),
    ("visit", r"(?P<o>.+)", "visits", "place status past=experienced"),
    # name, age, body, identity
    ("be", r"(?:also )?(?:called|named|known as)\s+(?P<o>.+)", "is_named", ""),
    (
        "be",
        r"(?:nearly |almost |about |only |just |turning )?(?P<o>\d{1,3}|(?:[a-z]+ty|"
        r"[a-z]+teen)(?:[- ][a-z]+)?)(?:[- ]years?[- ]old|[- ]year[- ]old| years of age)\b.*",
        "is_aged",
        "",
    ),
    ("turn", r"(?P<o>\d{1,3}|[a-z]+ty(?:[- ][a-z]+)?)\b.*", "is_aged", "past=is_aged"),
    ("be", r"(?:nearly |almost |about |just )?(?P<o>\d{1,2})", "is_aged", ""),
    (
        "be",
        r"(?:nearly |almost |about |just )?(?P<o>ten|eleven|twelve|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|"
        r"nine)ty"
        r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)",
        "is_aged",
        "",
    ),
    (
        "be",
        r"(?:about |around |only )?(?P<o>\d(?:'|ft| foot| feet)\s?\d{0,2}.*|\d{3} ?cm.*|\d[.,]\d+ ?m\b.*|"
        r"\d+ (?:feet|foot|centimet\w+|cm|inches)\b.*)(?: tall)?",
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
        r"(?:recently |newly |still |now |happily )?(?P<o>single|unmarried)(?!\s(?:mom|mum|mother|father|dad|"
        r"parent))\b.*",
        "is_single",
        "",
    ),
    ("be", r"(?:recently |newly |now )?(?P<o>divorced|separated)\b.*", "is_divorced", ""),
    ("be", r"(?:recently |newly )?(?P<o>engaged)\b(?! in [a-z]).*", "is_engaged", ""),
    ("be", r"(?:a )?(?P<o>widowed|widow|widower)\b.*", "is_widowed", ""),
    ("be", r"(?:in a relationship|dating|seeing)(?: with| someone)?\s*(?P<o>.*)", "has_partner", ""),
    ("date", r"(?P<o>.+)", "has_partner", ""),
    ("be", r"(?P<o>pregnant|expecting)\b.*", "expects_child", "status"),
    ("expect", r"(?P<o>(?:a|our|my|twins|another|a second).*)", "expects_child", "status"),
    (
        "be",
        r"(?:a|the)?\s*(?:proud |single |working |stay-at-home |stay at home |new |young )*(?:mom|mum|mother|"
        r"father|dad|parent|parents)(?: of| to)\s+(?P<o>.+)",
        "has_children",
        "",
    ),
    (
        "be",
        r"(?:a|the)?\s*(?P<o>(?:proud |single |working |stay-at-home |stay at home |new |young )*(?:mom|mum|"
        r"mother|father|dad|parent))",
        "has_children",
        "",
    ),
    (
        "be",
        r"(?P<o>an only child|the (?:oldest|youngest|eldest|middle)(?: child)?.*|the middle child.*|a twin|a triplet)",
        "has_sibling",
        "",
    ),
)
