"""Rows of the attribute table (models.wording.attributes): attitudes, plans, play, and what people own."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str, str], ...] = (
    # attitudes
    (
        "prefer",
        r"(?:to \w+ )?(?P<o>.+?)\s+(?:over|to|rather than|instead of|more than)\s+(?P<o2>.+)",
        "prefers_over",
        "opinion",
    ),
    ("prefer favor favour", r"(?P<o>.+)", "prefers", "opinion"),
    ("love adore", r"(?P<o>.+)", "loves", "opinion"),
    ("like dig fancy appreciate admire respect worship", r"(?P<o>.+)", "likes", "opinion"),
    ("enjoy", r"(?P<o>.+)", "enjoys", "opinion"),
    ("hate detest despise loathe", r"(?P<o>.+)", "hates", "opinion"),
    ("dislike", r"(?P<o>.+)", "dislikes", "opinion"),
    ("stand bear tolerate abide", r"(?P<o>.+)", "likes", "opinion"),
    ("go", r"(?:right |completely |totally |a bit |really )?off\s+(?P<o>.+)", "dislikes", "opinion past=dislikes"),
    ("avoid", r"(?P<o>.+)", "avoids", "opinion"),
    ("fear", r"(?P<o>.+)", "fears", ""),
    (
        "be",
        r"(?:really |very |so |absolutely |deathly |a bit |also |quite |totally |pretty |super |completely |"
        r"always )*(?:afraid|scared|terrified|frightened|petrified|phobic) of\s+(?P<o>.+)",
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
        r"(?:a |an |such |really |also )*(?:huge |big |massive |die-hard |lifelong |great |real |"
        r"total |absolute |complete |proper )+(?P<o>[\w' -]+?) (?:fan|lover|enthusiast|person|nut|fanatic|"
        r"buff|addict|geek|"
        r"junkie|nerd|freak|aficionado|obsessive)\b.*",
        "likes",
        "opinion",
    ),
    (
        "be",
        r"(?:a |an |also |bit of an? )*(?P<o>[\w'-]+) (?:fan|lover|enthusiast|nut|fanatic|buff|geek|nerd|"
        r"aficionado)\b.*",
        "likes",
        "opinion",
    ),
    (
        "be",
        r"(?:really |so |very |super |also |big |totally |heavily |not )*(?:into|keen on|fond of|crazy about|"
        r"mad about|obsessed with|passionate about|hooked on|addicted to|nuts about)\s+(?P<o>.+)",
        "likes",
        "opinion",
    ),
    ("be", r"(?:so |totally |completely |well |all |really |just )*over\s+(?P<o>.+)", "dislikes", "opinion"),
    (
        "be grow get become",
        r"(?:[a-z]+ly |so |very |quite |rather |a bit |a little |sick and )*(?:sick|tired|weary|fed up|bored|done|"
        r"over it) "
        r"(?:of|with)\s+(?P<o>.+)",
        "dislikes",
        "opinion past=dislikes",
    ),
    (
        "go",
        r"(?:right |rather |a bit )?off\s+(?P<o>(?!to\b|on\b|with\b|the rails|topic|track|sick|work).+)",
        "dislikes",
        "opinion past=dislikes",
    ),
    ("fall", r"out of love with\s+(?P<o>.+)", "dislikes", "opinion past=dislikes"),
    (
        "lose",
        r"(?:all |my )*(?:interest in|taste for|appetite for|love (?:of|for))\s+(?P<o>.+)",
        "dislikes",
        "opinion past=dislikes",
    ),
    (
        "be",
        r"(?:really |very |also |always |quite |particularly )*(?:interested in|curious about|fascinated by|"
        r"intrigued by)\s+(?P<o>.+)",
        "interested_in",
        "",
    ),
    ("have", r"(?:a |an |some )?(?:\w+ )*(?:interest|passion|love) (?:in|for|of)\s+(?P<o>.+)", "interested_in", ""),
    (
        "find",
        r"(?P<o>.+?) (?:to be )?(?:so |very |really |quite |a bit |rather |pretty |incredibly |"
        r"extremely )*(?:awful|boring|terrible|annoying|hard|difficult|tedious|disgusting|ugly|overrated|"
        r"horrible|exhausting|dull|stressful|unbearable|irritating|gross|frustrating|scary|pointless|"
        r"ridiculous|weird|tiring|depressing|unpleasant|noisy|distracting|dreadful|creepy|confusing|"
        r"overwhelming|bland|pretentious)\b.*",
        "dislikes",
        "opinion past=dislikes",
    ),
    (
        "find",
        r"(?P<o>.+?) (?:to be )?(?:so |very |really |quite |a bit |rather |pretty |incredibly |"
        r"extremely )*(?:fun|relaxing|interesting|fascinating|beautiful|amazing|great|useful|helpful|calming|"
        r"inspiring|soothing|exciting|delicious|wonderful|lovely|charming|peaceful|rewarding|therapeutic|"
        r"satisfying|funny|easy|enjoyable|brilliant|comforting|cute)\b.*",
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
        r"(?:currently |already |still )?(?:planning|hoping|going|intending|about|looking|set|due|scheduled|"
        r"thinking of|thinking about|considering|saving(?: up)? for|saving to|preparing for|training for|"
        r"getting ready for)\s+(?:to |on |for |a |an )?(?P<o>.+)",
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
        r"(?P<o>(?:a |an |my |another |two )?(?:\w+ ){0,3}(?:appointment|interview|exam|meeting|check-?up|"
        r"surgery|operation|flight|wedding|concert|date|test|deadline|scan|mri|presentation|viva|audition|trip|"
        r"vacation|holiday|party|conference|dinner party|court date)s?\b.*)",
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
        r"(?:on|in)\s+(?P<o>(?:the |a |an |my )(?:\w+ )*(?:team|club|band|choir|group|league|squad|committee|"
        r"board|orchestra|sorority|fraternity|army|navy|military))\b.*",
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
        r"(?:to |for )?(?P<o>(?:a |the |my )?(?:run|runs|swim|gym|yoga|pilates|crossfit|running|swimming|"
        r"cycling|hiking|climbing|bouldering|jogging|weightlifting|boxing|zumba|karate|judo|aikido|taekwondo|"
        r"jiu[- ]jitsu|martial arts|tai chi|rowing|skiing|surfing|walks?|jogs?|gymnastics|parkour|kickboxing|"
        r"dance|ballet|hikes?|kung fu|triathlons?|marathons?)\b.*)",
        "exercises",
        "past=experienced",
    ),
    (
        "cook bake garden knit crochet sew paint draw sketch write sing dance fish hunt camp brew blog craft restore "
        "sculpt compose photograph stream embroider forage quilt whittle carve juggle woodwork weave pot act meditate "
        "journal code bird-watch",
        r"(?P<o>.*)",
        "has_hobby",
        "verbobject past=experienced",
    ),
    (
        "go do",
        r"(?P<o>(?:a lot of |some )?\w+ing\b.*|pottery|photography|theatre|theater|improv|karaoke|origami|"
        r"calligraphy|astronomy|magic|crosswords|puzzles)",
        "has_hobby",
        "past=experienced",
    ),
    # belongings and people
    ("take", r"in\s+(?P<o>an? .+|two .+)", "has_pet", "pet past=has_pet"),
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
        r"(?P<o>(?:a |an |my |the |our |two |new |old |small |big |nice |red |blue |used |electric |"
        r"second-hand |own )+(?:[\w-]+ )?(?:car|truck|van|suv|motorbike|motorcycle|scooter|pickup|jeep|tesla|"
        r"toyota|honda|ford|bmw|audi|volvo|mustang|prius|camper|campervan|minivan|volkswagen|vw|mercedes|"
        r"subaru|nissan|mazda|fiat|saab|porsche|ferrari|corvette)\b.*)",
        "drives",
        "past=experienced",
    ),
    (
        "have own rent",
        r"(?P<o>(?:a |an |my |the |our |two |new |old |small |big |nice |huge |tiny |large |little |"
        r"own )*(?:(?!(?:at|in|on|from|for|with|near|of|to|around) )[\w-]+ )*(?:house|flat|apartment|condo|cottage|"
        r"cabin|loft|studio|townhouse|bungalow|mansion|"
        r"duplex|room|home|garden|backyard|yard|balcony|farmhouse|houseboat|rv|allotment))\b.*",
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
        r"(?:really |very |pretty |quite |also |so |actually |incredibly |extremely |always )*(?:good|great|"
        r"skilled|talented|excellent|amazing|decent|brilliant|an expert|the best) (?:at|with|in)\s+(?P<o>.+)",
        "can",
        "",
    ),
    (
        "be",
        r"(?:really |very |pretty |quite |also |so |actually |always |just |the )*(?:bad|terrible|awful|"
        r"hopeless|horrible|rubbish|useless|worst|no good|not good|not great) (?:at|with)\s+(?P<o>.+)",
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
        r"(?:a |an |very |such a |definitely a )*(?P<o>(?:night owl|early bird|early riser|morning person|"
        r"light sleeper|heavy sleeper))\b.*",
        "sleeps",
        "",
    ),
    (
        "have",
        r"(?P<o>(?:no |a |an |one |two |three |some )?(?:questions?|problems?|issues?|trouble|errors?|bugs?|"
        r"ideas?|doubts?|request|favor|favour|quick question|feeling|look|minute|moment|chat|clue|idea|point|"
        r"choice|nice (?:day|one|evening|weekend)|good (?:one|time|day|evening)|fun|time|plans?|to (?:go|run|"
        r"say|admit|ask|agree|leave(?! my )))\b.*)",
        "states",
        "drop",
    ),
)
