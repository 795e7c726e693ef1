"""Plain statements and requests in many fillings, beside the authored corpus: what every product's users say.

Each pattern is written by hand with what it claims; slots are filled from hand-written lists, in an order that a fixed
seed decides. Nothing here stands in the test part.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

SEED = 1130
FILLINGS_A_PATTERN = 12

_LISTS: dict[str, str] = {
    "name": "Mara|Tobias|Ngozi|Li Wei|Aoife|Rashid|Ingrid|Pilar|Dmitri|Yuki|Femi|Clara Hansen|Sam Okoro|Bea",
    "pet": "Pickle|Waffles|Nacho|Juno|Moss|Kiwi|Bramble|Zorro",
    "animal": "cat|dog|parrot|tortoise|hamster|greyhound|corn snake|rabbit|gerbil",
    "animals": "two rabbits|three hens|a couple of goats|two budgies|an aquarium full of guppies|four ducks",
    "city": "Turin|Tampere|Kraków|Accra|Hull|Osaka|Medellín|Tucson|Gdańsk|Perth|Ghent|Bergen|Pune|Winnipeg",
    "country": "Ghana|Norway|Chile|Vietnam|Scotland|Lebanon|Slovenia|Jamaica",
    "job": "nurse|welder|primary school teacher|paralegal|tax adviser|"
    "bus driver|pastry chef|data engineer|midwife|roofer",
    "company": "Northgate Foods|Halvorsen AS|the city library|"
    "a small law firm|Brightline|St Mary's hospital|Kestrel Labs|Zenta|Orba|Felt|Marlow & Sons",
    "food": "mustard|shellfish|kiwi fruit|walnuts|eggs|soy|sesame|strawberries",
    "thing": "bee stings|aspirin|latex|cat hair|ibuprofen|birch pollen|nickel",
    "condition": "type 1 diabetes|asthma|coeliac disease|migraines|epilepsy|an underactive thyroid|ADHD|arthritis",
    "drug": "metformin|levothyroxine|sertraline|insulin|blood pressure tablets|an inhaler every morning",
    "dish": "olives|gnocchi|black pudding|mango lassi|sauerkraut|strong espresso|liquorice|pho|blue cheese",
    "likes": "jazz|open water swimming|crosswords|true crime podcasts|gardening|thunderstorms|old westerns|board games",
    "hobby": "pottery|birdwatching|calligraphy|woodturning|knitting|geocaching|bouldering|salsa dancing|beekeeping",
    "instrument": "viola|bass guitar|accordion|clarinet|drums|ukulele|piano",
    "sport": "badminton|handball|rugby|water polo|five-a-side|netball",
    "vehicle": "an old Volvo estate|a Honda Civic|a cargo bike|a camper van|a Vespa|an electric Renault",
    "language": "Polish|Welsh|Mandarin|sign language|Portuguese|Tagalog|Catalan",
    "relation": "sister|brother|wife|husband|daughter|son|mum|dad|grandmother|uncle|partner|girlfriend|boyfriend",
    "child": "daughter|son|little girl|eldest|baby boy",
    "age": "24|31|46|58|63|72|19|39",
    "count": "two|three|four|five",
    "day": "3rd of May|21 June|November 9|first of March|July 30th|12th of October",
    "month": "January|last spring|March|the summer|two weeks|last month",
    "diet": "vegan|vegetarian|pescatarian|gluten free|lactose intolerant|halal",
    "team": "Celtic|the Packers|Ajax|Boca Juniors|the All Blacks",
    "unit_of_work": "sales|logistics|IT|finance|research|human resources|support|procurement|design|legal|"
    "R&D|PR|quality|security|operations|marketing|data science|HR",
    "system": "mail server|ticket system|wiki|payroll database|backup servers|website|build server",
    "tool": "Vim|Figma|a fountain pen|Linux at home|Notion for everything|Excel all day",
    "place": "a studio flat|a narrowboat|a terraced house with my parents|a shared house|the countryside",
    "plan": "walking the Jakobsweg|moving in with my partner|starting a degree|having knee surgery",
    "when": "next month|in April|this autumn|on Saturday|in two weeks|next year",
    "project": "Project Quartz|Project Lumen|Project Osprey|our app Tidepool|Project Marlow",
    "tech": "Postgres|Svelte|Kafka|Rust on the backend|Terraform|MongoDB",
    "style": "concise|as a table|brief and to the point|without emojis|in plain English|formal|with fewer words",
    "unit": "metric units|24 hour time|British spelling|euros|Celsius",
    "act": "ask before you book anything|cite your sources|double check the numbers|show the code first",
    "never": "call me buddy|use exclamation marks|suggest alcohol|"
    "text me adverts|mention my ex|send reminders at night",
    "task": "a table for two at eight|a flight to Rome|a plumber for tomorrow|a birthday card message|a new charger",
    "error": "a 404|a segfault|an error when I run it|a blank page|the same exception again",
    "item": "my order|the invoice|this form|my parcel|the login page|the printer",
}

# kind | predicate | subject | text
_CLAIMS = """
fact|is_named|user|My name is {name}
fact|is_named|user|I go by {name}
fact|is_named|user|call me {name}
fact|is_aged|user|I'm {age} years old
fact|is_aged|user|I just turned {age}
fact|born_on|user|My birthday is on the {day}
fact|born_on|third|my {child} was born on the {day}
fact|lives_in|user|I live in {city}
fact|lives_in|user|we're based in {city} these days
fact|moved_to|user|I moved to {city} in {month}
fact|comes_from|user|I'm originally from {country}
fact|comes_from|user|i grew up in {city}
fact|lived_in|user|I used to live in {city}
fact|has_home|user|I live in {place}
fact|works_as|user|I'm a {job}
fact|works_as|user|i work as a {job}
fact|works_at|user|I work at {company}
fact|works_at|user|I work for {company} as a {job}
fact|joined|user|I joined {company} in {month}
fact|started_job|user|I got a new job at {company}
fact|left_job|user|I left {company} in {month}
status|seeks_job|user|I'm applying for jobs at the moment
status|seeks_job|user|I'm between jobs right now
fact|is_retired|user|I'm a retired {job}
fact|works_in|user|I work in {city}
fact|works_as|user|I'm head of {unit_of_work} at {company}
fact|works_as|user|I'm deputy head of {unit_of_work}
fact|works_as|user|I am head of {unit_of_work} for {company}
fact|works_as|user|I'm in charge of {unit_of_work} at {company}
opinion|dislikes|user|Can't stand {dish}
opinion|dislikes|user|I've gone right off {dish}
fact|works_as|user|I'm the {unit_of_work} lead at {company}
fact|works_as|user|I've been a {job} for {count} years
fact|manages|user|I also lead the {unit_of_work} team
fact|administers|user|I also run the {system} at {company}
fact|administers|user|I administer the {system} for {company}
fact|administers|user|I maintain {company}'s {system}
fact|work_schedule|user|I work nights at {company}
fact|commutes|user|I take the tram to work
fact|studies|user|I'm studying to be a {job}
fact|learns|user|I'm learning {language}
fact|speaks|user|I speak {language} at home
fact|married_to|user|my wife is called {name}
fact|has_partner|user|my partner's name is {name}
fact|is_married|user|I've been married for {count} years
fact|is_single|user|I'm single
fact|has_child|user|my {child} is called {name}
fact|has_children|user|I have {count} kids
fact|has_sibling|user|I have {count} brothers
fact|has_sibling|user|My sister is called {name}
fact|has_relative|user|my {relation} {name} lives with us
fact|has_friend|user|my best friend is called {name}
fact|has_pet|user|I have a {animal} called {pet}
fact|has_pet|user|I've got {animals}
fact|has_pet|user|I got a {animal} last week
fact|pet_named|user|his name is {pet}
fact|pet_named|user|our {animal} is called {pet}
fact|has_allergy|user|I'm allergic to {food}
fact|has_allergy|user|I'm allergic to {thing}
fact|has_allergy|user|I have a {food} allergy
fact|has_condition|user|I have {condition}
fact|has_condition|user|I was diagnosed with {condition} as a child
fact|takes_medication|user|I take {drug}
fact|follows_diet|user|I'm {diet}
fact|follows_diet|user|im {diet} btw
fact|avoids_food|user|I don't eat {food}
fact|drinks_alcohol|user|I don't drink alcohol
fact|smokes|user|I quit smoking in {month}
fact|smokes|user|I smoke {count} a day
fact|smokes|user|I smoke roughly a pack a week
fact|drinks_alcohol|user|I drink about {count} beers a week
fact|routine|user|I drink {count} cups of coffee a day
fact|reads|user|I read about {count} books a month
fact|commutes|user|I cycle to {company}
fact|drives|user|my car is {vehicle}
fact|experienced|user|I sold {vehicle} in {month}
fact|experienced|user|I sold my house in {city}
fact|uses|user|I also use {tool}
opinion|loves|user|I love {dish}
opinion|likes|user|I like {dish}
opinion|likes|user|I really like {likes}
opinion|enjoys|user|I enjoy {likes}
opinion|dislikes|user|I don't like {dish}
opinion|hates|user|I can't stand {dish}
opinion|dislikes|user|I've gone off {dish}
opinion|dislikes|user|I've completely gone off {dish}
opinion|dislikes|user|I'm over {dish}, I can't look at it
opinion|dislikes|user|I'm sick of {dish} by now
opinion|favourite|user|{dish} is my favourite food
opinion|prefers|user|I prefer tea over {dish}
opinion|prefers_over|user|I prefer {tech} to anything else
opinion|thinks|user|I think open offices are awful
opinion|fears|user|I'm scared of flying
fact|has_hobby|user|I do {hobby} in my spare time
fact|has_hobby|user|my hobby is {hobby}
fact|plays_instrument|user|I play the {instrument}
fact|plays_sport|user|I play {sport} on Thursdays
fact|supports_team|user|I support {team}
fact|collects|user|I collect vintage postcards
fact|drives|user|I drive {vehicle}
fact|owns|user|I own {vehicle}
fact|uses|user|I use {tool}
fact|administers|user|I look after the printers at {company}
fact|manages|user|I manage a team of five at {company}
fact|can|user|I can juggle
fact|cannot|user|I can't swim
fact|has_licence|user|I have a forklift licence
fact|pays_rent|user|I pay 640 in rent
fact|exercises|user|I go to the gym {count} times a week
fact|routine|user|I get up at five every morning
status|plans|user|I'm {plan} {when}
status|stays_in|user|I'm staying in {city} until Sunday
status|visits|user|I'm over in {city} for the week
status|travels_to|user|we're flying to {city} {when}
status|expects_child|user|we're expecting a baby {when}
status|has_injury|user|I broke my wrist in {month}
fact|has_allergy|user|Remember that I'm allergic to {food}
fact|uses|project|{project} is written in {tech}
fact|launches_on|project|{project} goes live on {day}
fact|deadline_on|project|{project} has to ship by {day}
procedure|instructs|user|make your replies {style}
procedure|instructs|user|in future write to me {style}
procedure|instructs|user|please always {act}
procedure|instructs|user|always use {unit}
procedure|instructs|user|always {act}
procedure|forbids|user|never {never}
procedure|forbids|user|please don't {never} anymore
procedure|forbids|user|do not {never} again please
procedure|permits|user|you may remind me of deadlines whenever you like
procedure|instructs|user|reply {style} from now on
"""

# What sounds alike and is not to be kept: tasks, passing states, the moment's errand.
_NOTHING = """
I need {task}
I want to book {task}
I'd like {task}, please
I'm looking for {task}
can you get me {task}
I have a question about {item}
I got {error}
I'm getting {error}
I tried restarting it
I'm trying to fix {item}
I can't find {item}
I think the problem is in line 12
I think it is the second one
I paid with my card yesterday
I have a headache today
I'm tired today
I had {dish} for lunch
I'm on the train right now
I just woke up
I'm waiting for {item}
I'll try that
I'll let you know
I'd say two of them
I might try {hobby} one day
I wish I lived in {city}
write a story about a {job} who lives in {city}
translate this into {language}
make it shorter
use the second one for now
show me the next page
my order number is 5521
the total was 49 euros
I'm not sure
I see
I love it, thanks
I like that one
I hope so
I know what you mean
I have no idea
I'd go with the blue one
{name} is a {job} in {city}
she works at {company}
he hates {dish}
they moved to {city}
"""


def statements() -> Iterator[tuple[str, str, str, str]]:
    """(text, kind, predicate, subject) of every filled pattern; kind is empty where nothing is to be kept."""
    dice = random.Random(SEED)
    for row in _CLAIMS.strip().splitlines():
        kind, predicate, subject, pattern = row.split("|", 3)
        for text in _filled(pattern, dice):
            yield text, kind, predicate, subject
    for pattern in _NOTHING.strip().splitlines():
        for text in _filled(pattern, dice):
            yield text, "", "", ""


def _filled(pattern: str, dice: random.Random) -> list[str]:
    slots = re.findall(r"\{(\w+)\}", pattern)
    if not slots:
        return [pattern]
    texts = {pattern: None}
    for _ in range(FILLINGS_A_PATTERN):
        texts[pattern.format(**{slot: dice.choice(_LISTS[slot].split("|")) for slot in slots})] = None
    return [_as_typed(text, dice) for text in texts if "{" not in text]


def _as_typed(text: str, dice: random.Random) -> str:
    """As people type: some without capitals or apostrophes, some with an ending."""
    if dice.random() < 0.25:
        text = text.lower().replace("'", "")
    return text + dice.choice((".", ".", "", "", "!", " :)"))
