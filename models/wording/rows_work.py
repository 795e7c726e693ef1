"""Rows of the attribute table (models.wording.attributes): what people do for a living and what they study."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str, str], ...] = (
    ("launch ship", r"(?P<o>(?:to .+)?)", "launches_on", ""),
    ("go", r"(?P<o>live)", "launches_on", ""),
    # work
    (
        "be",
        r"(?:currently |still |now |actively )?(?:looking|searching|hunting|applying)\s+for\s+(?P<o>(?:a |an |"
        r"my |some |new |another )*(?:new |better |full-time |part-time |remote |first |\w+ )?(?:jobs?|work|"
        r"positions?|employment|roles?|internships?)\b.*)",
        "seeks_job",
        "status past=experienced",
    ),
    (
        "be",
        r"(?:currently |still |now )?(?P<o>job[- ]?(?:hunting|searching|seeking))\b.*",
        "seeks_job",
        "status past=experienced",
    ),
    (
        "be",
        r"(?:currently |still |now |actively )*(?:trying to (?:find|get|land)|seeking|"
        r"hoping (?:to (?:find|get|land)|for)|after|in search of|on the (?:lookout|hunt) for|"
        r"in the market for)\s+(?P<o>(?:a |an |my |some |new |another |"
        r"better |full-time |part-time |paid |any )*(?:\w+ )?(?:jobs?|work|positions?|employment|roles?|internships?|"
        r"posts?))\b(?! (?:descriptions?|titles?|offers?|boards?|ads?|done)\b).*",
        "seeks_job",
        "status past=experienced",
    ),
    (
        "seek want need",
        r"(?P<o>(?:a |an |some |new |another |better |full-time |part-time |paid )+(?:jobs?|work|employment|"
        r"internships?))\b(?! done).*",
        "seeks_job",
        "status past=experienced",
    ),
    (
        "be get",
        r"(?:finally |just |recently )?(?:hired|taken on|recruited) as (?:a |an |the )?(?P<o>.+)",
        "works_as",
        "past=works_as fact place",
    ),
    (
        "be get",
        r"(?:finally |just |recently )?(?:hired|taken on|recruited|employed|snapped up) (?:by|at|with|in)\s+(?P<o>.+)",
        "started_job",
        "place past=started_job fact employer",
    ),
    ("get", r"(?P<o>hired|taken on)\b(?! (?:to|for)\b).*", "started_job", "object=job past=started_job fact"),
    (
        "accept sign",
        r"(?:an? |the |my )?(?:job )?(?:offer|contract|position) (?:from|at|with)\s+(?P<o>.+)",
        "started_job",
        "place past=started_job fact",
    ),
    (
        "look search hunt apply",
        r"for\s+(?P<o>(?:a |an |some |new |another )*(?:\w+ )?(?:jobs?|work|positions?|employment|roles?|"
        r"internships?)\b.*)",
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
    (
        "get be",
        r"(?:recently |just )?(?P<o>laid off|fired|sacked|dismissed|let go|made redundant)\b.*",
        "is_unemployed",
        "object=unemployed past=is_unemployed",
    ),
    ("be", r"(?:currently )?self[- ]employed(?: as an?)?\s*(?P<o>.*)", "works_as", "object=self-employed"),
    (
        "get land find accept start have take begin",
        r"(?:up |on )?(?:a |an |my |the |this )?(?:new |second |first |great |part-time |full-time |summer |"
        r"dream |desk |"
        r"well-paid |good )*(?:job|position|role|gig|internship|post) (?:at|with|for)\s+(?P<o>.+)",
        "started_job",
        "place past=started_job fact employer",
    ),
    (
        "get land find accept start have take begin",
        r"(?:up |on )?(?:a |an |my |the )?(?:new |second |first |part-time |full-time )*(?:job|position|role|"
        r"internship|"
        r"post) (?:as)\s+(?:a |an |the )?(?P<o>.+)",
        "works_as",
        "past=works_as fact place",
    ),
    (
        "get land find accept start begin",
        r"(?:a |an |my |the )?(?P<o>(?:new |second |first |part-time |full-time |great |dream )*(?:job|"
        r"position|internship))\b.*",
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
        r"(?P<o>(?:a|two|three|several|my own) (?:new |part-time |full-time |great |good |second |desk |"
        r"\w+ )*(?:jobs?))\b.*",
        "works_as",
        "",
    ),
    (
        "be",
        r"(?:been )?(?:at|in|with) (?:the |my |this )(?:new )?(?:job|position|role|post) (?:at|with|for) (?P<o>.+)",
        "works_at",
        "employer place past=worked_at",
    ),
    (
        "be",
        r"(?:been )?(?:at|in|with) (?:the |my |this )(?P<o>job|position|role|post)\b.*",
        "works_at",
        "employer past=worked_at",
    ),
    (
        "be",
        r"(?:been )?(?:at|in|with) (?:the |my |this )?(?P<o>.+?) (?:job|position|role)\b.*",
        "works_at",
        "employer past=worked_at",
    ),
    (
        "join",
        r"(?P<o>(?:a |an |the |my )?(?:\w+ )*(?:club|gym|band|choir|team|group|church|society|league|class|"
        r"community|association|army|navy|union|party))\b.*",
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
        r"(?P<o>(?:the )?(?:night|day|early|late|evening|graveyard|rotating|long|double|nine|12|"
        r"twelve)[- ](?:shifts?|hours|to)\b.*|part[- ]time|full[- ]time|remotely|from home|(?:on )?weekends|"
        r"in shifts|shifts|weekdays|two jobs|overtime)",
        "work_schedule",
        "past=worked_as",
    ),
    (
        "work",
        r"(?:\w+ |part[- ]time |full[- ]time |from home |night shifts |the night shift |nights |days |"
        r"currently |mostly |remotely )*as\s+(?:a |an |the |one of the )?(?P<o>.+)",
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
        r"(?P<o>(?:nights|days|from home|hard|a lot|late|early|a night shift|an? \w+ (?:shift|job)|\w+ shifts?|"
        r"\d+ hours.*|long hours).*)",
        "work_schedule",
        "past=worked_as",
    ),
    ("work", r"out\b\s*(?P<o>.*)", "exercises", "object=works out"),
    (
        "run own have operate",
        r"(?P<o>(?:a |an |my |my own |our |our own |the )?(?:(?!on\b|at\b|in\b|from\b|for\b|with\b|near\b)\w+ "
        r")*(?:business|"
        r"company|shop|store|restaurant|cafe|café|bakery|agency|studio|startup|start-up|firm|salon|bar|bookstore|"
        r"bookshop|practice|"
        r"consultancy|farm|blog|bistro|brewery|franchise|gallery|b&b|hotel|clinic|garage|gym|food truck|"
        r"etsy shop|online shop))\b(?! (?:card|app|membership|class)).*",
        "owns_business",
        "past=experienced",
    ),
    (
        "found start launch",
        r"(?P<o>(?:a |an |my |my own |our |our own )?(?:\w+ )*(?:business|company|startup|start-up|agency|"
        r"studio|firm|shop|restaurant|blog|channel|charity))\b.*",
        "owns_business",
        "past=owns_business",
    ),
    (
        "be",
        r"(?:the |a )?(?:proud )?(?:co-)?(?:owner|founder|co-founder|cofounder) of\s+(?P<o>.+)",
        "owns_business",
        "",
    ),
    (
        "run",
        r"(?P<o>(?:a |an |the |my |our |half |two )?(?:[\w-]+ )*(?:marathons?|5k|10k|half|races?|miles?|km|"
        r"ultra\w*)\b.*)",
        "exercises",
        "past=experienced",
    ),
    ("run", r"(?P<o>(?:a |an |the |my |our )[a-z].+|[A-Z].+)", "manages", "past=experienced"),
    ("manage supervise lead oversee", r"(?P<o>.+)", "manages", "past=experienced"),
    ("administer maintain operate", r"(?P<o>.+)", "administers", "past=experienced"),
    ("be", r"(?:currently )?(?:in charge of|responsible for)\s+(?P<o>.+)", "manages", ""),
    ("earn make", r"(?P<o>(?:about |around |roughly |only )?[$€£]?\d[\d.,]*\s?k?\b.*)", "earns", ""),
    (
        "pay",
        r"(?!.*\bfor (?!.*\b(?:rent|flat|room|apartment|house|place|studio)\b))"
        r"(?P<o>[$€£]?\d[\d.,]*.*?(?:rent|month|week|a month).*)",
        "pays_rent",
        "",
    ),
    ("teach", r"(?P<o>.+)", "works_as", "past=worked_as teach"),
    ("commute", r"(?P<o>.*)", "commutes", "commute past=experienced"),
    (
        "bike cycle walk drive run ride skate jog scoot",
        r"(?P<o>(?:(?:my |a |the )?(?:bike|bicycle|scooter|motorbike|horse|train|"
        r"bus) )?(?:in )?to (?:and from )?(?:work|the office|school|college|uni|university|campus|my job)\b.*)",
        "commutes",
        "commute past=experienced",
    ),
    (
        "take catch ride",
        r"(?P<o>(?:the |a )?(?:bus|train|tube|metro|subway|tram|ferry|bike|car)\b.*\b(?:to work|to the office|"
        r"to school|commute|every (?:day|morning)).*)",
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
        r"(?:currently |still )?(?:studying|majoring in|doing (?:a|my) (?:degree|master's|masters|phd|mba|"
        r"bachelor's) in)\s+(?P<o>.+)",
        "studies",
        "past=studies",
    ),
    (
        "go attend",
        r"(?:to )?(?P<o>(?:\w+ )*(?:university|college|school|uni|academy|high school|grad school|law school|"
        r"med school|community college|art school|night school|[A-Z]\w* (?:State|Tech|University|"
        r"College)))\b(?! (?:reunion|party)).*",
        "studies_at",
        "past=studies_at",
    ),
    (
        "be",
        r"(?:a |an |currently |still |in )*(?P<o>(?:\w+[- ])*(?:student|freshman|sophomore|undergrad|"
        r"undergraduate|postgraduate|grad student|junior in \w+|senior in \w+|university|college|high school|"
        r"school|grad school|(?:third|first|second|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
        r"\d+th) grader?))\b(?! (?:teacher|nurse|counselor|bus|principal)).*",
        "studies",
        "past=studies",
    ),
    ("graduate", r"(?:from|with)\s+(?P<o>.+)", "graduated_from", "past=graduated_from"),
    ("graduate", r"(?P<o>.*)", "graduated_from", "past=graduated_from"),
    (
        "have hold get earn finish complete do",
        r"(?P<o>(?:a |an |my |two )?(?:\w+ )*?(?:degree|bachelor'?s?|master'?s?|masters|phd|ph\.d\.?|mba|"
        r"doctorate|diploma|associates?|certificate)\b.*)",
        "has_degree",
        "past=has_degree",
    ),
    ("learn", r"(?:how )?(?:to )?(?:speak |play )?(?P<o>.+)", "learns", "past=experienced"),
    ("teach", r"myself (?:how )?(?:to )?(?P<o>.+)", "learns", "past=learns"),
    ("take", r"(?P<o>(?:\w+ )*(?:lessons|classes|courses?|class))\b.*", "learns", "past=experienced"),
    ("speak", r"(?P<o>.+)", "speaks", "language"),
    ("be", r"(?:fluent|bilingual|conversational|proficient) in\s+(?P<o>.+)", "speaks", ""),
)
