"""What people say of themselves, written in the third person so that it stands alone (X2, X3, X5–X10).

The model's part is fixed here (a kept clause, kind fact): the wording, the triple and what is left out are the rules'.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.claims import Claim, Utterance
from models.clauses import split
from models.masks import masked_spans
from models.readings import Reading
from models.rewrite import write

SUNDAY = int(datetime(2026, 3, 1, 10, tzinfo=UTC).timestamp() * 1000)


def written(
    text: str,
    *context: tuple[str, str],
    kind: str = "fact",
    role: str = "user",
    subject: str = "user",
    sent_at_ms: int = SUNDAY,
    confidence: float = 0.9,
) -> list[Claim]:
    """Every claim of a message, all of whose clauses the model keeps."""
    utterance = Utterance(role, text, sent_at_ms, "UTC", None, context)
    reading = Reading(kind, "states", subject, confidence, 0.5)  # type: ignore[arg-type]  # a table's column is a plain str
    return [claim for clause in split(text, masked_spans(text)) for claim in write(utterance, clause, reading)]


def contents(*args: tuple[str, str] | str, **kwargs: str) -> list[str]:
    text, *context = args
    return [claim.content for claim in written(text, *context, **kwargs)]  # type: ignore[arg-type]  # as above


PLAIN = [
    ("I live in Berlin", ["User lives in Berlin"]),
    ("We moved to Munich in January.", ["User moved to Munich in January 2026"]),
    ("i've 2 dogs", ["User has 2 dogs"]),
    ("im a vegan btw and i dont drink alcohol", ["User is a vegan", "User does not drink alcohol"]),
    ("Did I mention I keep two ferrets?", ["User keeps two ferrets"]),
    ("I also own a kayak, by the way", ["User owns a kayak"]),
    ("As I said, I can't swim lol", ["User cannot swim"]),
    ("I've never been married", ["User has never been married"]),
    ("I have never had a pilot's licence", ["User has never had a pilot's licence"]),
    (
        "I used to live in Toronto, but these days I'm in Halifax.",
        ["User used to live in Toronto", "User is in Halifax"],
    ),
    ("My rent is 900 a month.", ["User's rent is 900 a month"]),
    ("Thing is, I'm afraid of lifts", ["User is afraid of lifts"]),
    ("the only trouble is my knee is weak", ["User's knee is weak"]),
    ("Myself Ravi, I am from Pune", ["User is called Ravi", "User is from Pune"]),
    (
        "I am 27 years old, unmarried, doing articleship at a CA firm, and side by side I am learning veena",
        [
            "User is 27 years old",
            "User is unmarried",
            "User is doing articleship at a CA firm",
            "User is learning veena",
        ],
    ),
    ("i dnt eat meat n i cant swim lol", ["User does not eat meat", "User cannot swim"]),
    ("ive a wheat alergy, an i hav a dauhgter", ["User has a wheat allergy", "User has a daughter"]),
    ("There's five of us living in the house.", ["User is one of five living in the house"]),
    (
        "My flatmate Dieter, who teaches yoga and comes from Graz, fell asleep mid-class.",
        ["User has a flatmate called Dieter", "Dieter teaches yoga", "Dieter comes from Graz"],
    ),
    (
        "my boss, who lives in Hull and keeps bees, has two sons",
        ["User's boss lives in Hull", "User's boss keeps bees", "User's boss has two sons"],
    ),
    ("That's me three months in the tannery job now.", ["User has been at the tannery since December 2025"]),
    ("I have completed two months in the mint job", ["User has been at the mint since January 2026"]),
    ("I've had the vineyard job for a whole year now", ["User has been at the vineyard since 2025"]),
    ("I've done four years at Siemens now.", ["User has been at Siemens since 2022"]),
    ("three weeks into my new job already", ["User has been in their new job since the week of February 2, 2026"]),
    ("When you plan the food, mind: I'm allergic to nuts.", ["User is allergic to nuts"]),
    ("in case I haven't said so: I keep bees", ["User keeps bees"]),
    ("In case I forgot, my shoe size is 43", ["User's shoe size is 43"]),
    ("small update: we moved to Delft", ["User moved to Delft"]),
    (
        "I think the bridge will open soon. I hate songs about it.",
        [
            "User thinks the bridge will open soon",
            "User hates songs about the bridge",
        ],
    ),
    ("the flat we rent allows no pets", ["The flat User rents allows no pets"]),
    ("I'm in the Croix-Rousse district", ["User lives in the Croix-Rousse district"]),
    ("Tom Okafor here", ["User is called Tom Okafor"]),
    ("the commute's been brutal since we moved to Accra", ["User moved to Accra"]),
    ("found a flat in Cork, moved in yesterday", ["User found a flat in Cork", "User moved in on February 28, 2026"]),
    (
        "i live in Izmir with my husband and our two cats, i'm a physio",
        ["User lives in Izmir with their husband and their two cats", "User is a physio"],
    ),
    (
        "my grandpa died in 1999. i inherited his watch",
        [
            "User's grandpa died in 1999",
            "User inherited their grandpa's watch",
        ],
    ),
    ("I lost my keys and her number", []),
    ("our dog Otto died on monday", ["User's dog Otto died on February 23, 2026"]),
    ("As a single dad with two boys I need a sitter", ["User needs a sitter"]),
    ("i moved to Bonn in the summer of 2018", ["User moved to Bonn in the summer of 2018"]),
    (
        "my uncle Farid is visiting, dad's name is Samir",
        [
            "User has an uncle called Farid",
            "Farid is visiting",
            "User's dad is called Samir",
        ],
    ),
    ("The company I work for, Norvexa, uses Kafka.", ["User works for Norvexa"]),
    (
        "My girlfriend is called Marta now, Leila and I split up",
        [
            "User's girlfriend is called Marta",
            "User split up with Leila",
        ],
    ),
    ("Opera is one of my great loves", ["Opera is one of User's great loves"]),
    ("Guess who has a birthday today? Me!", ["User's birthday is March 1"]),
    ("guess who's moving to Rome? This girl!", ["User is moving to Rome"]),
    ("Jo here? I'm Jo. Jo Aldana, to be precise.", ["User is called Jo", "User is called Jo Aldana"]),
    ("I met Jo. Jo Aldana came too.", ["User met Jo"]),
    (
        "We don't have any children, only a parrot called Mango.",
        [
            "User does not have any children",
            "User has only a parrot called Mango",
        ],
    ),
    ("We left, my wife and I have a house in Odense", ["User left", "User has a house in Odense with their wife"]),
    ("To make up for it I swim every morning", ["User swims every morning"]),
    (
        "Project Ember runs on Go. Deadline for Ember is 1 October",
        [
            "Project Ember runs on Go",
            "Project Ember's deadline is October 1, 2026",
        ],
    ),
    ("My favourite colours are red and blue", ["User's favourite colours are red and blue"]),
    ("I love my job", ["User loves their job"]),
    ("My boss gave me a raise", ["User's boss gave User a raise"]),
    ("I think I am good at chess", ["User thinks they are good at chess"]),
    ("I'm always cold in winter", ["User is always cold in winter"]),
    ("I have always wanted to sail", ["User has always wanted to sail"]),
    ("I usually run before work", ["User usually runs before work"]),
    ("In my spare time I restore old radios", ["User restores old radios in their spare time"]),
    ("I do miss the sea", ["User misses the sea"]),
    ("I have no children", ["User has no children"]),
    ("I've got a tortoise", ["User has a tortoise"]),
    ("I got a dog, his name is Tofu.", ["User has a dog", "User's dog is called Tofu"]),
    ("I like tea and coffee", ["User likes tea", "User likes coffee"]),
    ("I love rock and roll", ["User loves rock and roll"]),
    ("I have a cat called Miso and a dog", ["User has a cat called Miso", "User has a dog"]),
    ("My wife and I live in Boston", ["User lives in Boston with their wife"]),
    ("I work at Škoda in Mladá Boleslav 🚗", ["User works at Škoda in Mladá Boleslav"]),
    ("I'm Ilse Brandt", ["User is called Ilse Brandt"]),
    ("I'm 34", ["User is 34 years old"]),
    ("I moved to Munich, I live there now.", ["User moved to Munich", "User lives in Munich"]),
    ("I no longer eat meat", ["User does not eat meat anymore"]),
    ("Cycling is how I commute.", ["User commutes by bike"]),
    ("Ramen is my favourite food", ["User's favourite food is Ramen"]),
    ("Pizza is my favourite food", ["User's favourite food is pizza"]),
    ("Knitting is my passion", ["Knitting is User's passion"]),
    ("Anna is my sister", ["Anna is User's sister"]),
    ("Today is my birthday!", ["User's birthday is March 1"]),
    ("My friends call me Ziggy", ["User's nickname is Ziggy"]),
    ("Allergic to nuts", ["User is allergic to nuts"]),
    ("Just moved to Porto", ["User moved to Porto"]),
    ("Vegan here", ["User is vegan"]),
    ("Being a single dad, I don't get much sleep.", ["User is a single dad", "User does not get much sleep"]),
    ("My mum's a nurse", ["User's mum is a nurse"]),
    ("I might get a dog", ["User might get a dog"]),
    ("I hate flying but love trains", ["User hates flying", "User loves trains"]),
    ("My pronouns are they/them", ["User's pronouns are they/them"]),
    ("My flatmates are Jo and Sam", ["User's flatmates are Jo and Sam"]),
    ("Me and my husband run a B&B", ["User runs a B&B with their husband"]),
    ("My dad passed away in 2019", ["User's dad passed away in 2019"]),
    ("we moved here to Utrecht in 2015", ["User moved to Utrecht in 2015"]),
    (
        "my company Zelnor makes kites",
        ["User's company is called Zelnor", "Zelnor makes kites"],
    ),
    ("im a farrier, lovely to meet u all", ["User is a farrier"]),
    ("I have five sisters lol, its chaos", ["User has five sisters"]),
    ("My uncle's called Bo too, small world", ["User's uncle is called Bo"]),
    ("im allergic to kiwis so no smoothies for me", ["User is allergic to kiwis"]),
    ("i hate mondays ngl", ["User hates mondays"]),
    ("turns out i love opera, who'd've guessed", ["User loves opera"]),
    ("I am not an early riser", ["User is not an early riser"]),
    ("My birthday's tomorrow", ["User's birthday is March 2"]),
    ("a bit about me: I have a lurcher", ["User has a lurcher"]),
    ("karaoke? nah, ive come to hate it", ["User hates karaoke"]),
    ("Opera? can't stand it.", ["User cannot stand opera"]),
    ("Olives... I've grown to love them", ["User loves olives"]),
    ("spiders? I'm terrified of them", ["User is terrified of spiders"]),
    ("Really? I love it", []),
    ("Thanks! I love it", []),
    ("hi, this is rosalind pike", ["User is called rosalind pike"]),
    ("Jiří Novotný here. I keep hens.", ["User is called Jiří Novotný", "User keeps hens"]),
    ("Good evening, this is Ravi", ["User is called Ravi"]),
    ("Hi, Rose Fielding here", ["User is called Rose Fielding"]),
    ("this is Bo Lind speaking", ["User is called Bo Lind"]),
    ("my family owns a vineyard", ["User's family owns a vineyard"]),
    ("i have a horse, hes called Nettle", ["User has a horse", "User's horse is called Nettle"]),
    ("i looove karaoke", ["User loves karaoke"]),
    ("im sooo into techno", ["User is so into techno"]),
    ("I like coool jazz", ["User likes cool jazz"]),
    ("we have a doggg", ["User has a dog"]),
    ("My friend Aaaron is a notary", ["User has a friend called Aaaron", "Aaaron is a notary"]),
    ("Where I live now is Cork", ["User lives in Cork"]),
    ("The town I live in is Skara", ["User lives in Skara"]),
    ("the place I live in is noisy", ["The place User lives in is noisy"]),
    ("I've made Perth my home", ["User lives in Perth"]),
    ("I made Perth my first stop", ["User made Perth their first stop"]),
    ("I must correct myself: I keep ducks", ["User keeps ducks"]),
    ("I'm allergic, by the way, to walnuts", ["User is allergic to walnuts"]),
    ("By trade I am a glazier", ["User is a glazier by trade"]),
    ("twice a week we row", ["User rows twice a week"]),
    ("As of today I'm a grandfather", ["User is a grandfather as of March 1, 2026"]),
    ("As I think I said before, I keep hens", ["User keeps hens"]),
    ("like i mentioned earlier i keep hens", ["User keeps hens"]),
    ("As it happens, today is my birthday", ["User's birthday is March 1"]),
    ("To set the record straight: I never lived in Peru", ["User never lived in Peru"]),
    ("that's wrong: I have never had a motorboat", ["User has never had a motorboat"]),
    ("scratch that, ive never been a nurse", ["User has never been a nurse"]),
    ("I have since relocated to Trieste", ["User has relocated to Trieste"]),
    ("Cork is where we live now", ["User lives in Cork"]),
    ("lisbon is where i grew up", ["User grew up in lisbon"]),
    ("Home for me is Aberdeen", ["User lives in Aberdeen"]),
    ("Leeds has been home since 2019", ["User lives in Leeds since 2019"]),
    ("we call Perth home", ["User lives in Perth"]),
    ("I'm going to judo again, twice a week", ["User goes to judo again, twice a week"]),
    ("I'm going to paint again", ["User is going to paint again"]),
    ("I'm going to Japan in May", ["User is going to Japan in May 2026"]),
    ("lifelong fan of the Kestrels", ["User is a lifelong fan of the Kestrels"]),
    ("big fan of chess here", ["User is a big fan of chess"]),
    ("keen gardener here", ["User is a keen gardener"]),
    ("I bet on dogs every Friday", ["User bets on dogs every Friday"]),
    ("I bet you win", []),
    ("I'm staying in Kyoto until Friday", ["User is staying in Kyoto until March 6, 2026"]),
]

NO_INTRODUCTION = [
    "hi, this is really good",
    "New York here!",
    "Berlin here",
    "Same here",
    "This is Sparta",
    "Cold here",
]

GOLDEN = [
    (
        "I'm 34, married with twin girls, work nights as a nurse in Leeds and in my spare time I restore old radios.",
        [
            "User is 34 years old",
            "User is married with twin girls",
            "User has twin girls",
            "User works nights as a nurse in Leeds",
            "User restores old radios in their spare time",
        ],
    ),
    (
        "It's rainy, but I love my new job at the tech startup",
        ["User loves their new job at the tech startup", "User works at a tech startup"],
    ),
    (
        "As a marine biologist I get seasick surprisingly often.",
        ["User gets seasick surprisingly often", "User is a marine biologist"],
    ),
]

ANSWERS = [
    ("Which city do you live in?", "Porto.", "User lives in Porto"),
    ("Where do you live?", "Bath", "User lives in Bath"),
    ("And do you have children?", "Yes, three.", "User has three children"),
    ("Are you a vegetarian?", "No, I'm not.", "User is not a vegetarian"),
    ("Do you smoke?", "Nope.", "User does not smoke"),
    ("Have you been to Japan?", "No", "User has never been to Japan"),
    ("Are you married?", "Yes!", "User is married"),
    ("So you work as a nurse in Leeds?", "Yes, exactly.", "User works as a nurse in Leeds"),
    ("You live in Oslo with two cats?", "That's right.", "User lives in Oslo with two cats"),
    ("How old are you?", "42", "User is 42 years old"),
    ("How many kids do you have?", "Two.", "User has two kids"),
    ("What's your name?", "Mo", "User is called Mo"),
    ("What do you do for a living?", "I'm a vet", "User is a vet"),
    ("What do you do?", "Teaching", "User works in teaching"),
    ("What do you do for work?", "Electrician", "User is an electrician"),
    ("What kind of dog do you have?", "A golden retriever.", "User has a golden retriever"),
    ("What is your favourite colour?", "Blue", "User's favourite colour is blue"),
    ("Do you prefer tea or coffee?", "Tea, always.", "User prefers tea"),
    ("What's your dog's name?", "Biscuit", "User's dog is called Biscuit"),
    ("Do you have any pets?", "I do, a cat.", "User has a cat"),
    ("Any allergies?", "Peanuts", "User is allergic to peanuts"),
    ("Do you live in Vienna?", "No, in Graz.", "User lives in Graz"),
    ("What instrument do you play?", "The cello", "User plays the cello"),
    ("When is your birthday?", "May 3", "User's birthday is May 3"),
    ("May I ask which language you speak at home?", "Tamil, mostly.", "User speaks Tamil at home"),
    ("Mind if I ask where you work?", "at a bakery", "User works at a bakery"),
    ("Tell me which team you support!", "Bologna, sadly", "User supports Bologna"),
    ("I'd love to know what sport you do.", "fencing", "User does fencing"),
    ("Can I ask what your job is?", "welder", "User is a welder"),
    ("Could you tell me which instrument you play?", "the oboe", "User plays the oboe"),
]

ANSWERS += [
    ("And do you smoke?", "Afraid so, ten a day.", "User smokes ten a day"),
    ("Do you drink coffee?", "Guilty as charged, about four cups a day!", "User drinks coffee about four cups a day"),
    ("Do you play chess?", "I'm afraid not.", "User does not play chess"),
    ("Do you have a car?", "God, no.", "User does not have a car"),
    ("How many eggs do you eat?", "Six!", "User eats six eggs"),
    ("How many goats do you keep?", "Six", "User has six goats"),
    ("Just to check, you have a son called Milo?", "thats right", "User has a son called Milo"),
    ("Do you like spicy food?", "love it", "User loves spicy food"),
    ("How do you like Montpellier?", "Can't stand it.", "User cannot stand Montpellier"),
    (
        "How do you like Montpellier?",
        "I have been living here since 2020",
        "User has been living in Montpellier since 2020",
    ),
    ("Do you live in Bern or Basel?", "the latter", "User lives in Basel"),
    ("Do you prefer tea or coffee?", "The former.", "User prefers tea"),
]

NOT_ANSWERS = [
    ("Which city do you live in?", "Not sure"),
    ("Do you prefer tea or coffee?", "Yes"),
    ("How are you?", "Good, thanks"),
    ("Shall I book it?", "Yes please"),
    ("Do you know what I mean?", "Yes"),
    ("What is the capital of Peru?", "Lima"),
    ("Would you like me to continue?", "Yes"),
    ("Do you like it?", "love it"),
    ("Shall I book the first or the second?", "the second"),
]

CORRECTIONS = [
    ("My rent is 900 a month.", "Sorry, 950 I mean.", "User's rent is 950 a month"),
    ("I live in Venice.", "Oops, I meant Vienna.", "User lives in Vienna"),
    ("I have two cats.", "no wait, three", "User has three cats"),
    ("I have a cat", "sorry, a dog I mean", "User has a dog"),
    ("i swim 2k every day", "*3k, typo", "User swims 3k every day"),
    ("We live on the third floor.", "I meant the fifth.", "User lives on the fifth floor"),
    ("We live on the 3rd floor.", "*5th", "User lives on the 5th floor"),
    ("I have two cats.", "no sorry, 3", "User has 3 cats"),
    ("I run on mondays", "tuesdays, sorry", "User runs on tuesdays"),
    ("i live in Brusels", "*Brussels", "User lives in Brussels"),
    ("i have 3 sisters", "4* lol", "User has 4 sisters"),
    ("I was born in 1987", "gah, 1978, clumsy thumbs", "User was born in 1978"),
    ("I keep eleven goats.", "argh! twelve", "User keeps twelve goats"),
    ("There are five of us in the flat.", "Six!", "User is one of six in the flat"),
    ("my rent is 900 a month", "d'oh, 950, wrong button", "User's rent is 950 a month"),
]

NOT_CORRECTIONS = [
    ("i live in Ghent", "*sighs*"),
    ("I have two cats.", "4* hotel please"),
    ("i live in Ghent", "*Brussels sprouts are vile"),
    ("I have two cats.", "thanks, sorry"),
    ("We live on the third floor.", "I meant the cat"),
    ("I have two cats.", "4 please"),
    ("I was born in 1987", "12, thanks"),
    ("I have two cats.", "eight o'clock then"),
    ("I have two cats and three dogs.", "four!"),
]

NOTHING = [
    "We've half a mind to open a chip shop",
    "I'm in two minds about the flat",
    "I have a bit of a headache today.",
    "My order number is 88213-AB",
    "The quote was 49 euros",
    "I had pasta for lunch today",
    "I'm getting an error in my code",
    "I want to book a table for two",
    "I'm so tired right now",
    "I'm sorry to hear that",
    "I hope you have a great day",
    "I can imagine",
    "I agree with that",
    "It's a lot of work",
    "That's my point",
    "I love it",
    "I know",
    "She is nice",
    "Is it far?",
    "If I moved to Oslo I would sail",
    "the rate of which I was told",
    "for which I was charged 1,240 euros",
    "I was quoted 700 for the gearbox",
    "my ticket XK-9912 still says pending",
    "I paid 9.99 for delivery",
    "we moved",
]


@pytest.mark.parametrize(("text", "expected"), PLAIN + GOLDEN)
def test_third_person(text: str, expected: list[str]) -> None:
    assert contents(text) == expected


@pytest.mark.parametrize(("question", "answer", "expected"), ANSWERS)
def test_answers_are_made_whole(question: str, answer: str, expected: str) -> None:
    """An answer leans on its question (X3)."""
    assert contents(answer, ("assistant", question)) == [expected]


@pytest.mark.parametrize(("question", "answer"), NOT_ANSWERS)
def test_what_answers_nothing_about_the_user_gives_nothing(question: str, answer: str) -> None:
    assert contents(answer, ("assistant", question)) == []


@pytest.mark.parametrize(("before", "text", "expected"), CORRECTIONS)
def test_corrections_restate_what_they_correct(before: str, text: str, expected: str) -> None:
    assert contents(text, ("user", before)) == [expected]


@pytest.mark.parametrize(("before", "text"), NOT_CORRECTIONS)
def test_what_puts_nothing_right_restates_nothing(before: str, text: str) -> None:
    assert not [content for content in contents(text, ("user", before)) if "Ghent" in content or "Brussels" in content]
    assert not [content for content in contents(text, ("user", before)) if "cats" in content or "floor" in content]


@pytest.mark.parametrize("text", NOTHING)
def test_passing_and_hanging_things_give_nothing(text: str) -> None:
    """What passes (X6) and what cannot stand alone (X3) is left out."""
    assert contents(text) == []


def test_a_bare_yes_confirms_and_its_evidence_is_the_user_s() -> None:
    [claim] = written("Yes, exactly.", ("assistant", "So you work as a nurse?"))
    assert claim.confirmed
    assert (claim.start, claim.end) == (0, len("Yes, exactly."))
    [stated] = written("Yes, three.", ("assistant", "Do you have children?"))
    assert not stated.confirmed


def test_a_no_is_a_negative_claim() -> None:
    [claim] = written("No, I'm not.", ("assistant", "Are you a vegetarian?"))
    assert (claim.predicate, claim.object, claim.polarity) == ("follows_diet", "vegetarian", False)


def test_uncertainty_lowers_confidence() -> None:
    [claim] = written("I might move to Spain one day, who knows.")
    assert claim.confidence <= 0.6
    assert claim.kind == "status"


def test_a_correction_raises_confidence() -> None:
    [claim] = written("Correction: I have never had a pilot's licence.")
    assert claim.confidence >= 0.9
    assert not claim.polarity


@pytest.mark.parametrize(
    "text",
    [
        "That's wrong, I never rowed.",
        "sorry that was a typo, i dont have a twin",
        "My mistake. I do not own a yacht.",
        "I misspoke: I do not row.",
    ],
)
def test_what_takes_back_what_was_said_makes_the_denial_sure(text: str) -> None:
    """R4: a denial must be sure before it takes a fact away"""
    denial = written(text, confidence=0.75)[-1]
    assert not denial.polarity
    assert denial.confidence >= 0.9


def test_what_is_wrong_elsewhere_makes_no_denial_sure() -> None:
    assert all(
        claim.confidence < 0.9 for claim in written("The wiring is faulty. I do not own a drill.", confidence=0.75)
    )


@pytest.mark.parametrize(
    ("text", "predicate", "obj"),
    [
        ("got hired at the aquarium as a diver!!", "started_job", "aquarium"),
        ("I was taken on as a welder", "works_as", "welder"),
        ("I shifted to Nakuru in December.", "moved_to", "Nakuru"),
        ("We stay in Mombasa.", "lives_in", "Mombasa"),
        ("i stay in pune with my aunt", "lives_in", "pune"),
        ("I'm staying in Oslo this week", "stays_in", "Oslo"),
        ("I stay in bed on Sundays", "stays_in", "bed"),
        ("I was born in a lighthouse", "born_in", "lighthouse"),
        ("flitted to dundee in september", "moved_to", "dundee"),
        ("By now my home is Zadar.", "lives_in", "Zadar"),
        ("I turned 51 last week.", "is_aged", "51"),
        ("I turned 30 in 2010.", "experienced", "30"),
    ],
)
def test_homes_and_posts_are_known_by_other_words_too(text: str, predicate: str, obj: str) -> None:
    """R6, R10: one attribute, whatever the region says for it"""
    [claim] = written(text)
    assert (claim.predicate, claim.object) == (predicate, obj)


def test_third_parties_are_a_relation_and_their_own_subject() -> None:
    """What is said of a friend is never the user's (X8)."""
    relation, trait = written("My mate Oskar can't swim", subject="third")
    assert (relation.content, relation.subject, relation.object) == ("User has a mate called Oskar", "user", "Oskar")
    assert (trait.content, trait.subject, trait.predicate) == ("Oskar cannot swim", "Oskar", "cannot")


def test_a_relative_s_birthday_has_the_relative_as_its_subject() -> None:
    [claim] = written("My daughter's birthday is on the 3rd of May.")
    assert (claim.subject, claim.predicate, claim.recurring) == ("daughter", "born_on", "--05-03")
    assert claim.content == "User's daughter's birthday is on May 3"


def test_names_of_relatives_and_pets_are_the_user_s() -> None:
    rows = [
        (claim.content, claim.predicate, claim.object)
        for claim in written("My son is called Tomas. My cat's name is Miso")
    ]
    assert rows == [
        ("User's son is called Tomas", "has_child", "Tomas"),
        ("User's cat is called Miso", "pet_named", "Miso"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "project Fern runs on Postgres, its go-live date is 9 September",
            ["Project Fern runs on Postgres", "Project Fern's go-live date is September 9, 2026"],
        ),
        (
            "The Fern project is written in Elixir, and its review is on May 4.",
            ["Project Fern is written in Elixir", "Project Fern's review is on May 4, 2026"],
        ),
        (
            "Fern, our project at work, is built with Flutter and ships on May 12.",
            ["Project Fern is built with Flutter", "Project Fern ships on May 12, 2026"],
        ),
    ],
)
def test_a_project_is_one_however_it_is_named(text: str, expected: list[str]) -> None:
    """X8"""
    found = written(text, subject="project")
    assert [claim.content for claim in found] == expected
    assert {claim.subject for claim in found} == {"Project Fern"}


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("My landlord, Mr Osei, is a retired sailor.", "User has a landlord called Mr Osei"),
        ("Mrs Osei, my dentist, is from Accra.", "User has a dentist called Mrs Osei"),
        ("my best friend, Ade, lives in Lagos", "User has a best friend called Ade"),
    ],
)
def test_who_is_named_between_commas_is_one_with_the_relation(text: str, relation: str) -> None:
    """X8"""
    found = written(text, subject="third")
    assert found[0].content == relation
    assert [claim.subject for claim in found[1:]] != ["user"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("mums bday is 14 nov", "User's mum's birthday is November 14"),
        ("dad's birthday is on june 2", "User's dad's birthday is on June 2"),
        ("nans 80th birthday is may 3", "User's nan's 80th birthday is May 3"),
        ("The birthday of my wife is October 12.", "User's wife's birthday is October 12"),
    ],
)
def test_kin_are_the_user_s_without_my(text: str, content: str) -> None:
    """X3"""
    [claim] = written(text)
    assert claim.content == content
    assert claim.recurring is not None


def test_mums_the_word_tells_of_no_mother() -> None:
    assert not [content for content in contents("mums the word") if "mum's" in content]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Back then we kept goats. Now it's just one old tortoise.", "User keeps just one old tortoise"),
        ("I used to play the flute, these days it's the cello.", "User plays the cello"),
        ("as kids we had rabbits, now it's only the one hamster", "User has only the one hamster"),
    ],
)
def test_what_there_is_now_is_of_the_kind_that_was(text: str, expected: str) -> None:
    """X3"""
    assert contents(text)[-1] == expected


@pytest.mark.parametrize(
    "text",
    ["We kept bees. Now it's raining.", "I had a nice day. now it's time for bed", "I had a doubt. now it's a big one"],
)
def test_what_is_now_of_another_kind_is_not_kept(text: str) -> None:
    assert not [content for content in contents(text) if "rain" in content or "time" in content or "big" in content]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Home is Sligo these days.", "Sligo"),
        ("My home is in Melbourne.", "Melbourne"),
        ("my flat is in the Ancoats neighbourhood", "Ancoats"),
        ("i live in the pilsen neighborhood", "pilsen"),
        ("I live in the Fitzroy district, to be precise.", "Fitzroy"),
    ],
)
def test_where_home_is_is_where_one_lives(text: str, place: str) -> None:
    """R7: one attribute, however it is said"""
    [claim] = written(text)
    assert (claim.predicate, claim.object) == ("lives_in", place)


@pytest.mark.parametrize(
    "text", ["My house is in bad shape", "our flat is in the basement", "I live in the old quarter"]
)
def test_what_names_no_place_is_none(text: str) -> None:
    assert not [claim for claim in written(text) if claim.predicate == "lives_in" and claim.object != "old quarter"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Sesame gives me a rash, I'm allergic.", "User is allergic to sesame"),
        ("shellfish brings me out in hives because I'm allergic", "User is allergic to shellfish"),
    ],
)
def test_what_brings_it_on_is_what_one_is_allergic_to(text: str, content: str) -> None:
    """X3"""
    assert content in contents(text)


def test_somebody_who_makes_me_laugh_is_no_allergy() -> None:
    assert not [content for content in contents("She makes me laugh, I'm allergic") if "allergic" in content]


def test_projects_have_facts_of_their_own() -> None:
    uses, launch = written("Project Atlas uses Convex, and its launch date is May 20.", subject="project")
    assert (uses.content, uses.subject) == ("Project Atlas uses Convex", "Project Atlas")
    assert (launch.subject, launch.predicate, launch.object) == ("Project Atlas", "launches_on", "2026-05-20")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Project Kestrel is written in Elixir and it goes live on August 9.",
            ["Project Kestrel is written in Elixir", "Project Kestrel goes live on August 9, 2026"],
        ),
        (
            "so Project Lantern right, it's hosted on Hetzner and the beta launches the 11th of June",
            ["Project Lantern is hosted on Hetzner", "Project Lantern's beta launches on June 11, 2026"],
        ),
        ("Project Ember: it's built with Rust", ["Project Ember is built with Rust"]),
        ("about Project Ember, it ships on 4 July", ["Project Ember ships on July 4, 2026"]),
        (
            "Our app Fern is written in Dart and it will go live on 1 May.",
            ["Fern is written in Dart", "Fern will go live on May 1, 2026"],
        ),
        ("I like Project Runway. It is raining.", ["User likes Project Runway"]),
    ],
)
def test_a_project_s_facts_may_name_it_once(text: str, expected: list[str]) -> None:
    """X8"""
    assert contents(text, subject="project") == expected


@pytest.mark.parametrize(
    "text", ["It's been a long week at the office", "I have done two years of French", "I spent two years in Japan"]
)
def test_time_spent_is_no_time_at_work(text: str) -> None:
    assert not [content for content in contents(text) if "since" in content]


def test_dates_belong_to_what_says_them() -> None:
    """That there is a daughter is not dated by what she did yesterday (X5)."""
    relation, event = written("My daughter Lily turned five yesterday.")
    assert (relation.content, relation.valid_from) == ("User has a daughter called Lily", None)
    assert (event.content, event.valid_from) == ("Lily turned five on February 28, 2026", "2026-02-28")


def test_what_one_is_about_to_do_is_no_lasting_fact_yet() -> None:
    """ "I'm moving to Quito" must not replace where the user lives."""
    [claim] = written("I'm moving to Quito")
    assert (claim.kind, claim.predicate) == ("status", "plans")


PROCEDURES = [
    ("I no longer want you to remind me about it", "forbids", "Assistant should not remind User about it"),
    ("I no longer need you to check my spelling", "forbids", "Assistant should not check User's spelling"),
    ("you no longer have to use metric units", "forbids", "Assistant should not use metric units"),
    (
        "Whenever I ask for code, give me Python.",
        "instructs",
        "Assistant should give User Python whenever User asks for code",
    ),
    ("From now on, keep your answers short", "instructs", "Assistant should keep answers short"),
    (
        "Always ask one clarifying question before you plan.",
        "instructs",
        "Assistant should always ask one clarifying question before planning",
    ),
    ("From now on, answer me in bullet points.", "instructs", "Assistant should answer User in bullet points"),
    ("I want you to use metric units", "instructs", "Assistant should use metric units"),
    ("You should never mention my ex", "forbids", "Assistant should not mention User's ex"),
    ("Please stop texting me about discounts.", "forbids", "Assistant should not text User about discounts"),
    ("Do not email me about offers anymore.", "forbids", "Assistant should not email User about offers"),
    ("Don't use emojis", "forbids", "Assistant should not use emojis"),
    ("Don't patronise me", "forbids", "Assistant should not patronise User"),
    ("Don't embellish my texts in future", "forbids", "Assistant should not embellish User's texts"),
    ("No need to ask me follow-up questions", "forbids", "Assistant should not ask User follow-up questions"),
    ("Avoid jargon from now on", "forbids", "Assistant should not use jargon"),
    ("You may text me about discounts.", "permits", "Assistant may text User about discounts"),
    ("Feel free to call me Jo", "permits", "Assistant may call User Jo"),
    ("In your replies to me, kindly use Celsius", "instructs", "Assistant should use Celsius"),
    ("When you reply to me, use metric units", "instructs", "Assistant should use metric units"),
    ("dont sugarcoat things ok?", "forbids", "Assistant should not sugarcoat things"),
]


@pytest.mark.parametrize(("text", "predicate", "content"), PROCEDURES)
def test_instructions_are_procedures(text: str, predicate: str, content: str) -> None:
    """How the assistant should behave (X10)."""
    [claim] = written(text, kind="procedure")
    assert (claim.kind, claim.subject, claim.predicate, claim.content) == ("procedure", "assistant", predicate, content)


def test_a_permission_and_its_withdrawal_have_one_object() -> None:
    [permitted] = written("You can email me about offers any time you like.", kind="procedure")
    [forbidden] = written("Do not email me about offers anymore.", kind="procedure")
    assert (permitted.predicate, forbidden.predicate) == ("permits", "forbids")
    assert permitted.object == forbidden.object == "email User about offers"


def test_the_assistant_only_recommends() -> None:
    """Advice is filed as advice and is no fact of the user's (X9)."""
    [claim] = written("I recommend LangGraph for this project.", role="assistant", kind="recommendation")
    assert (claim.kind, claim.subject, claim.content) == (
        "recommendation",
        "assistant",
        "Assistant recommended LangGraph for this project",
    )
    assert written("Since you play the oboe, you may like this concert.", role="assistant") == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("For learners I would suggest Geiriadur yr Academi.", "Assistant recommended Geiriadur yr Academi"),
        ("For a small garden, I'd recommend a dwarf plum.", "Assistant recommended a dwarf plum"),
        ("As a beginner, I'd suggest the Yamaha.", "Assistant recommended the Yamaha"),
    ],
)
def test_advice_may_say_first_whom_it_is_for(text: str, content: str) -> None:
    """X9"""
    assert contents(text, role="assistant", kind="recommendation") == [content]


@pytest.mark.parametrize("role", ["system", "tool", "peer"])
def test_other_roles_teach_nothing(role: str) -> None:
    assert written("I live in Berlin", role=role) == []


@pytest.mark.parametrize(
    "text", ["Ich wohne in Leipzig und habe zwei Katzen.", "我在成都当护士。", "Je suis médecin à Lyon"]
)
def test_other_languages_give_nothing_rather_than_something_wrong(text: str) -> None:
    """X11."""
    assert written(text) == []


STATUSES = [
    ("I'm running the Boston marathon next month.", "plans", "2026-04", None),
    ("I'm visiting Paris this week.", "visits", "2026-02-23", "2026-03-01"),
    ("I'm in Lisbon till Friday.", "stays_in", None, "2026-03-06"),
    ("I'm looking for a job", "seeks_job", None, None),
    ("I'll be in Rome next week", "plans", "2026-03-02", None),
    ("I start a new job in May", "plans", "2026-05", None),
    ("I have an exam on Thursday", "has_appointment", "2026-03-05", None),
]


@pytest.mark.parametrize(("text", "predicate", "valid_from", "valid_to"), STATUSES)
def test_what_is_to_come_or_to_end_is_a_status(
    text: str, predicate: str, valid_from: str | None, valid_to: str | None
) -> None:
    [claim] = written(text)
    assert (claim.kind, claim.predicate, claim.valid_from, claim.valid_to) == (
        "status",
        predicate,
        valid_from,
        valid_to,
    )


def test_attitudes_are_opinions_whatever_the_model_says() -> None:
    for text in ("I like climbing", "I can't stand jazz", "I find open offices awful", "I think taxes are too high"):
        assert [claim.kind for claim in written(text)] == ["opinion"]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("I my am'not have dog. ,Ann?in the 2"), max_size=60))
def test_any_text_gives_whole_sentences_or_nothing(text: str) -> None:
    """One bad clause never loses its neighbours, so none may raise (X13)."""
    for claim in written(text, ("assistant", "Do you have a dog?")):
        assert claim.content.strip() == claim.content != ""
        assert 0 <= claim.start < claim.end <= len(text)
        assert not any(word in claim.content.split() for word in ("I", "I'm", "my", "My"))


@pytest.mark.parametrize(
    "text",
    ["oh great, I really LOVE waiting at the dentist", "I just love paying taxes 🙄", "I love mondays /s"],
)
def test_praise_that_marks_itself_as_mockery_is_no_liking(text: str) -> None:
    """X7"""
    assert written(text, kind="opinion") == []


def test_plain_praise_stays() -> None:
    """X1"""
    assert contents("oh, I just LOVE figs", kind="opinion") == ["User loves figs"]


@pytest.mark.parametrize("text", ["im currently reading Dune", "I'm learning the harp", "we are watching Shogun"])
def test_what_one_is_at_for_now_is_a_status(text: str) -> None:
    """X1"""
    assert [claim.kind for claim in written(text)] == ["status"]


def test_what_one_reads_at_all_is_no_status() -> None:
    """X1"""
    assert [claim.kind for claim in written("I read crime novels")] == ["fact"]


@pytest.mark.parametrize("text", NO_INTRODUCTION)
def test_what_is_here_is_no_name(text: str) -> None:
    """X3"""
    assert not [claim for claim in written(text) if claim.predicate == "is_named"]


def test_an_answer_is_no_introduction() -> None:
    """X3: "New York here" tells from where one is"""
    assert not [
        claim
        for claim in written("Costa Brava here!", ("peer", "Where are you from?"))
        if claim.predicate == "is_named"
    ]


@pytest.mark.parametrize(
    ("text", "subject", "predicate"),
    [
        ("our family has three dogs", "user", "has_pet"),
        ("my family runs a bakery", "user", "owns_business"),
        ("my family lives in Ohio", "family", "lives_in"),
        ("my brother owns a van", "brother", "drives"),
    ],
)
def test_what_a_family_has_its_members_have(text: str, subject: str, predicate: str) -> None:
    """X8"""
    assert (written(text)[-1].subject, written(text)[-1].predicate) == (subject, predicate)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("im trying to find a job", "seeks_job"),
        ("I am currently seeking employment", "seeks_job"),
        ("I'm on the lookout for a new role in logistics", "seeks_job"),
        ("I'm trying to find a job description", "states"),
        ("I'm trying to find a flat", "states"),
    ],
)
def test_a_search_for_work_is_one_however_it_is_told(text: str, predicate: str) -> None:
    """R10"""
    assert written(text)[0].predicate == predicate


@pytest.mark.parametrize("role", ["am a student", "was a teacher", "work as a nurse"])
def test_what_the_user_is_is_no_thing_of_theirs(role: str) -> None:
    """X3: "it" after "I am a student at Hill College" is not "my student"."""
    told = contents(f"I {role} at Hill College. It is in Leeds.")
    assert not [claim for claim in told if "'s " in claim]
    assert contents("I bought a boat. It is called Molly.")[-1] == "User's boat is called Molly"
