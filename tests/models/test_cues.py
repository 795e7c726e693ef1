"""Words that settle a reading: standing orders, corrections, named projects (X10, R6, X8)."""

from __future__ import annotations

import pytest

from models.claims import Claim, Utterance
from models.cues import CUED_CONFIDENCE_MIN, corrects, is_standing, renews, states_plainly
from models.extractor import Extractor
from models.wording.lasting import tells_lastingly

MARCH = 1_772_359_200_000


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor()


def claims(extractor: Extractor, text: str, *before: str) -> tuple[Claim, ...]:
    context = tuple(("user", said) for said in before)
    return extractor.extract([Utterance("user", text, MARCH, context=context)])[0].claims


@pytest.mark.parametrize(
    "text",
    [
        "From now on reply in Dutch",
        "never call me mate again",
        "skip emojis anymore",
        "don't ping me again",
        "In all future replies, cite a source",
        "for every answer use bullets",
        "Henceforth write in Dutch",
        "address me as Doc Abara",
        "call me by my first name",
        "do not share it any longer",
    ],
)
def test_standing_orders_are_told(text: str) -> None:
    assert is_standing(text)


@pytest.mark.parametrize(
    "text",
    [
        "reply in Dutch",
        "make it shorter",
        "do the same task again but in Dutch",
        "call me later",
        "tell me about today",
        "use the last answer",
    ],
)
def test_orders_of_the_moment_are_not_standing(text: str) -> None:
    assert not is_standing(text)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Sorry, 720 I mean.", True),
        ("I meant Tuesday", True),
        ("oops i meant Ruth", True),
        ("*Marcel", True),
        ("*8k, typo", True),
        ("no wait, five", True),
        ("wait no, thursday", True),
        ("4* lol", True),
        ("Correction: Elisabeth, with an s", True),
        ("4* hotel please", False),
        ("I see", False),
        ("no thanks", False),
        ("sorry about that", False),
        ("wait what", False),
    ],
)
def test_corrections_are_told(text: str, is_one: bool) -> None:
    assert corrects(text) is is_one


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("I work for Denby now", True),
        ("i prefer rye these days", True),
        ("we switched to Linear", True),
        ("I'm at work right now", False),
        ("I know that by now", False),
        ("every now and then I paint", False),
        ("now that it rains I stay in", False),
        ("I know a baker", False),
    ],
)
def test_what_was_not_so_before_is_told(text: str, is_one: bool) -> None:
    """R2"""
    assert renews(text) is is_one


@pytest.mark.parametrize("text", ["From now on, write to me in Dutch.", "Never suggest seafood again."])
def test_a_standing_order_is_a_sure_procedure(extractor: Extractor, text: str) -> None:
    """X10"""
    [claim] = claims(extractor, text)
    assert claim.kind == "procedure"
    assert claim.confidence >= CUED_CONFIDENCE_MIN


def test_a_habit_of_the_user_is_no_order(extractor: Extractor) -> None:
    assert all(claim.kind != "procedure" for claim in claims(extractor, "I always lose my umbrella"))


@pytest.mark.parametrize(
    "text",
    ["My neighbour Wambui drives a school bus.", "my aunt is a glazier in Hull", "our neighbours breed rabbits"],
)
def test_what_a_relative_is_or_does_is_plain_as_of_oneself(extractor: Extractor, text: str) -> None:
    """X8"""
    told = claims(extractor, text)
    assert len(told) > 1
    assert all(claim.confidence >= CUED_CONFIDENCE_MIN for claim in told)


def test_a_number_said_anew_puts_right_what_was_just_said(extractor: Extractor) -> None:
    """R6"""
    told = claims(extractor, "Six! Six, I keep leaving out the baby.", "There's five of us living in the house.")
    assert {claim.content for claim in told} == {"User is one of six living in the house"}
    assert all(claim.confidence >= CUED_CONFIDENCE_MIN for claim in told)


def test_a_correction_carries_the_new_value(extractor: Extractor) -> None:
    """R6"""
    found = claims(extractor, "Sorry, 720 I mean.", "My rent is 690 a month.")
    assert [claim.content for claim in found] == ["User's rent is 720 a month"]


def test_what_is_said_of_a_named_project_is_the_projects(extractor: Extractor) -> None:
    """X8"""
    found = claims(extractor, "Project Lantern uses Redis, and its launch date is June 4.")
    assert [claim.subject for claim in found] == ["Project Lantern", "Project Lantern"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("im a thatcher", "User is a thatcher"),
        ("we have a stepdaughter", "User has a stepdaughter"),
        ("I own a loom.", "User owns a loom"),
        ("i have a kayak", "User has a kayak"),
        ("I was born in Turku.", "User was born in Turku"),
        ("its my bday tomorrow", "User's birthday is March 2"),
        ("short intro: im a saddler", "User is a saddler"),
        ("I dont own a car", "User does not own a car"),
        ("I mend old clocks, by the way", "User mends old clocks"),
        ("i raise quails", "User raises quails"),
        ("I talk in my sleep", "User talks in their sleep"),
        ("I bet on dogs every Friday.", "User bets on dogs every Friday"),
        ("we play bridge twice a week", "User plays bridge twice a week"),
        ("I'm a keen angler", "User is a keen angler"),
        ("big fan of opera here", "User is a big fan of opera"),
        ("I admire Hokusai.", "User admires Hokusai"),
        ("i really hate karaoke", "User hates karaoke"),
        ("I have a colleague by the name of Odile", "User has a colleague by the name of Odile"),
        ("Not true: I've never owned a boat", "User has never owned a boat"),
        ("I'll be in Ghent until Tuesday", "User will be in Ghent until March 3, 2026"),
        ("I have moved back to Accra", "User has moved back to Accra"),
        ("finally landed a job at the mint", "User landed a job at the mint"),
        ("Hello, this is Odile", "User is called Odile"),
        ("Today's my birthday!!", "User's birthday is March 1"),
        ("also fyi im coeliac", "User is coeliac"),
        ("I am sixty-one", "User is sixty-one years old"),
        ("im a widow", "User is a widow"),
        ("i am deaf in one ear", "User is deaf in one ear"),
        ("I'm severely allergic to wasps, for your information", "User is severely allergic to wasps"),
        ("nans 80th birthday is may 3", "User's nan's 80th birthday is May 3"),
        ("we have got a neighbour, Stan, who mends clocks", "User has a neighbour, Stan, who mends clocks"),
        ("I shall be in hospital until the 14th of March", "User shall be in hospital until March 14, 2026"),
        ("im off till monday", "User is off until March 2, 2026"),
        ("now I lay bricks for a living", "User lays bricks for a living"),
        ("these days i take the bus", "User takes the bus"),
        ("I'm a notary.", "User is a notary"),
        ("im a costumier", "User is a costumier"),
        ("I'm sitting the bar exam on the 14th.", "User is sitting the bar exam on March 14, 2026"),
        ("i have a phobia of needles", "User has a phobia of needles"),
        ("im dead scared of moths", "User is dead scared of moths"),
        ("I don't eat lamb", "User does not eat lamb"),
        ("cant stand jazz", "User cannot stand jazz"),
        ("I have grown thoroughly tired of opera", "User has grown thoroughly tired of opera"),
        ("ive gone right off coffee", "User has gone right off coffee"),
        ("I would rather use Postgres than MySQL.", "User would rather use Postgres than MySQL"),
        ("I have two canaries", "User has two canaries"),
        ("found a flat in Cork", "User found a flat in Cork"),
        ("our dog Otto died on monday", "User's dog Otto died on February 23, 2026"),
        ("There are four of us in the flat", "User is one of four in the flat"),
    ],
)
def test_plain_statements_of_what_one_is_or_has_are_kept(extractor: Extractor, text: str, content: str) -> None:
    """X3"""
    [claim] = claims(extractor, text)
    assert claim.content == content
    assert claim.confidence >= CUED_CONFIDENCE_MIN


@pytest.mark.parametrize(
    "text",
    [
        "i have a question",
        "I have two hours",
        "i have to go",
        "im a bit lost",
        "i have a friend coming over later",
        "I keep an open mind",
        "I keep getting this wrong",
        "I grow tired of waiting",
        "I have a file called notes",
        "I hate how that looks",
        "I need a break every day",
        "I'll be in a meeting until 5",
        "I moved to Windows 11",
        "I have never had this problem",
        "got a job interview!",
        "this is nice",
        "today is my boss's birthday",
        "im blind drunk lol",
        "I'm engaged in a call",
        "the bug is on lines 18, 19, 20",
        "I am allergic to many things",
        "i have a friend who can fix it",
        "im in the queue till they let me in",
        "these days I feel tired",
        "I'm so tired of this",
        "I would rather die than wait",
        "my phone died",
        "I found a bug in the flat file",
        "I'm tired of waiting",
        "I'm a mess",
        "I'm a customer",
        "I can't drive tonight",
        "I can't eat now",
        "I'm leaving on the 14th",
        "I'm picking up the parcel tomorrow",
        "There are two of us at the meeting",
        "my boss Ann wants the report by Friday",
        "my sister keeps calling me",
    ],
)
def test_empty_verbs_state_nothing_plainly(extractor: Extractor, text: str) -> None:
    """X6"""
    assert not [claim for claim in claims(extractor, text) if claim.confidence >= CUED_CONFIDENCE_MIN]


LASTING = [
    "I have a glass eye", "i've a wooden leg", "We have a wood stove", "I'm the eldest of six", "I am the verger of "
    "our church",
    "I'm on a dating app", "I'm in a brass band", "I look after the boiler room", "I sell honey", "I smoke a pipe",
    "Last month I was sworn in as a magistrate", "I was homeschooled", "I lost a leg in 2004", "My eyes are green",
    "I read tarot", "I chair the school board",
]  # fmt: skip
LASTING += [
    "I only have one kidney", "yesterday i became an uncle", "I studied law", "I once failed my driving test",
    "i gamble a bit on football", "As a child I lived in a circus", "I lived in a circus as a child",
    "I bought a piano", "I was in prison for two years",
]  # fmt: skip
PASSING = [
    "I bought a ticket", "As a student I get an error",
    "I have a meeting", "I have a csv with three columns", "I have a few options", "I'm a bit lost", "I am the only "
    "one",
    "I'm on a call", "I'm in the queue", "I click the button", "I run into this a lot", "I need a plumber", "I take "
    "the tram today",
    "I lost my password", "My eyes are tired", "I was told to call", "I teach a class tomorrow", "I have $500", "I "
    "want a boat",
    "I look for a hotel", "I have a few people coming", "I keep getting this error",
]  # fmt: skip


@pytest.mark.parametrize("text", LASTING)
def test_the_grammar_tells_a_lasting_thing(text: str) -> None:
    """X3: whatever its noun or verb is"""
    assert tells_lastingly(text)


@pytest.mark.parametrize("text", PASSING)
def test_the_grammar_of_a_task_or_a_moment_tells_none(text: str) -> None:
    """X6"""
    assert not tells_lastingly(text)


def test_what_is_told_in_a_question_or_among_people_is_left_to_the_encoder(extractor: Extractor) -> None:
    """X6, X12: at a task, or to others, the same grammar may say something of the moment"""
    [alone] = claims(extractor, "I have a glass eye.")
    asked = claims(extractor, "I have a glass eye, which visor fits me?")
    context = (("peer", "hello there"),)
    told = extractor.extract([Utterance("user", "I mind my aunt's parrots.", MARCH, context=context)])[0].claims
    assert alone.confidence >= 0.7
    assert all(claim.confidence not in (0.75, 0.85) for claim in (*asked, *told))


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("My mother tongue is Tigrinya.", "speaks"),
        ("Home for me is Plovdiv.", "lives_in"),
        ("Until Sunday you'll find me in Da Nang.", "stays_in"),
        ("We have a tortoise named Plato", "has_pet"),
        ("I have a stammer", "has_condition"),
        ("It's my wedding anniversary today!", "anniversary_on"),
    ],
)
def test_an_attribute_of_the_user_is_kept_however_it_is_put(extractor: Extractor, text: str, predicate: str) -> None:
    """X3"""
    [claim] = claims(extractor, text)
    assert claim.predicate == predicate
    assert claim.confidence >= 0.7


@pytest.mark.parametrize(
    "text", ["If I have a car", "I could have a car", "your brother is a baker", "my brother is baking"]
)
def test_what_is_supposed_or_said_of_others_is_not_plain(text: str) -> None:
    """X7"""
    assert not states_plainly(text)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Could you please always reply in Welsh?", "Assistant should always reply in Welsh"),
        ("hey can you keep replies short from now on pls?", "Assistant should keep replies short"),
        ("can u always answer in one line?", "Assistant should always answer in one line"),
        ("would you never use emojis again?", "Assistant should not use emojis"),
    ],
)
def test_a_standing_order_asked_politely_is_an_order(extractor: Extractor, text: str, content: str) -> None:
    """X10"""
    [order] = claims(extractor, text)
    assert (order.kind, order.content) == ("procedure", content)
    assert order.confidence >= CUED_CONFIDENCE_MIN


@pytest.mark.parametrize(
    "text",
    ["Can you reply in Welsh?", "Can you always divide by zero?", "Do you always reply in Welsh?", "can you swim?"],
)
def test_a_question_of_what_one_can_is_no_order(extractor: Extractor, text: str) -> None:
    assert claims(extractor, text) == ()


def test_what_follows_a_standing_order_in_its_sentence_stands_too(extractor: Extractor) -> None:
    """X10"""
    found = claims(extractor, "Address me formally in each reply, and do not shorten my name.")
    assert [claim.predicate for claim in found] == ["instructs", "forbids"]
    assert all(claim.confidence >= CUED_CONFIDENCE_MIN for claim in found)


def test_stop_doing_is_a_standing_order(extractor: Extractor) -> None:
    """X10"""
    [order] = claims(extractor, "stop calling me mate")
    assert order.predicate == "forbids"
    assert order.confidence >= CUED_CONFIDENCE_MIN


@pytest.mark.parametrize("text", ["i adore the new stations", "I detest liquorice", "i'm a total rugby nut"])
def test_strong_words_settle_a_liking(extractor: Extractor, text: str) -> None:
    """X6"""
    [claim] = claims(extractor, text)
    assert claim.kind == "opinion"
    assert claim.confidence >= CUED_CONFIDENCE_MIN


def test_what_one_is_shares_one_i_am(extractor: Extractor) -> None:
    """X3"""
    found = claims(extractor, "hi, i'm 41, a plumber in Hull, type 1 diabetic and a massive cricket fan")
    assert [claim.predicate for claim in found] == ["is_aged", "works_as", "has_condition", "likes"]
    assert all(claim.confidence >= 0.7 for claim in found)


def test_kin_named_otherwise_than_asked_are_not_made_the_asked_ones(extractor: Extractor) -> None:
    """X3: "those are my nephews" gives the user no sons"""
    asked = (("assistant", "So you have two sons?"),)
    said = extractor.extract([Utterance("user", "no, those are my nephews", MARCH, context=asked)])[0]
    assert [claim.content for claim in said.claims if claim.polarity] == []
