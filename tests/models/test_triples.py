"""The triple behind a sentence: attribute, object and polarity, whatever the wording (R7 rests on it)."""

from __future__ import annotations

import pytest

from models.triples import Triple, commute_mode, object_words, place_words, predicates, triple_of
from models.wording.grammar import shape_of
from models.wording.spelling import plain, stripped
from state.predicates import CATALOGUE


def triple(text: str) -> Triple:
    shape = shape_of(stripped(plain(text)))
    assert shape is not None
    return triple_of(shape)


ROWS = """
I live in Berlin | lives_in | Berlin
I'm based in Porto | lives_in | Porto
I live in Ballard, a neighbourhood of Seattle | lives_in | Ballard, Seattle
I live in the Kreuzberg district | lives_in | Kreuzberg
I live with my parents | lives_with | parents
I'm engaged | is_engaged | engaged
I'm engaged in local politics | states | engaged in local politics
I pay 800 euros a month for the flat | pays_rent | 800 euros a month for the flat
I pay 95 euros a month for electricity | states | pay 95 euros a month for electricity
I moved to Munich | moved_to | Munich
We relocated to Porto | moved_to | Porto
I used to live in Toronto | lived_in | Toronto
I lived in Rome for a year | lived_in | Rome
I'm from Norway | comes_from | Norway
I grew up in Bergen | comes_from | Bergen
I was born in Oslo | born_in | Oslo
I'm 34 | is_aged | 34
I'm 34 years old | is_aged | 34
I'm turning 40 | is_aged | 40
I'm married | is_married | married
I'm married to Piet | married_to | Piet
I'm single | is_single | single
I got divorced | is_divorced | divorced
I'm pregnant | expects_child | pregnant
I have two sons | has_child | two sons
I have three kids | has_children | three kids
I have a brother | has_sibling | brother
I have a best friend called Jo | has_friend | best friend called Jo
I work as a florist | works_as | florist
I'm a vet | works_as | vet
I'm head of QA at Brio | works_as | head of QA at Brio
I'm an electrician | works_as | electrician
I'm a dog walker | works_as | dog walker
I worked as a chef | worked_as | chef
I work at Škoda | works_at | Škoda
I work for a bank | works_at | bank
I've been at the bakery job | works_at | bakery
I work in Utrecht | works_in | Utrecht
I joined Fennel Labs | joined | Fennel Labs
I joined a choir | member_of | choir
I started a new job at a bakery | started_job | bakery
I got a job at Nordlicht as an accountant | started_job | Nordlicht
I accepted an offer from Siemens | started_job | Siemens
I began working for Acme | started_job | Acme
I'm looking for a job | seeks_job | job
I'm job hunting | seeks_job | job hunting
I'm retired | is_retired | retired
I'm unemployed | is_unemployed | unemployed
I work night shifts | work_schedule | night shifts
I bike to work | commutes | bike
I cycle to the office | commutes | bike
I take the tram to work | commutes | tram
I get to work by train | commutes | train
I walk to school | commutes | foot
I manage a team of five | manages | team of five
I run Plume's podcast | manages | Plume's podcast
I run a bakery | owns_business | bakery
I administer the Git server | administers | Git server
I'm studying law | studies | law
I study in Leuven | studies_at | Leuven
I graduated from Stanford | graduated_from | Stanford
I'm learning Polish | learns | Polish
I speak German | speaks | German
I'm allergic to peanuts | has_allergy | peanuts
I have a peanut allergy | has_allergy | peanut
I'm lactose intolerant | has_allergy | lactose intolerant
I have type 1 diabetes | has_condition | type 1 diabetes
I'm diabetic | has_condition | diabetic
I suffer from migraines | has_condition | migraines
I'm deaf | has_disability | deaf
I take insulin | takes_medication | insulin
I broke my arm | has_injury | arm
I'm a vegan | follows_diet | vegan
I'm vegetarian | follows_diet | vegetarian
I eat kosher | follows_diet | kosher
I smoke about five cigarettes a day | smokes | smoking
I love coffee | loves | coffee
I adore coffee | loves | coffee
I like climbing | likes | climbing
I'm into bouldering | likes | bouldering
I'm a big fan of jazz | likes | jazz
I enjoy long walks | enjoys | long walks
I hate mornings | hates | mornings
I can't stand jazz | dislikes | jazz
I don't like jazz | dislikes | jazz
I'm not a fan of jazz | dislikes | jazz
I've gone right off ramen | dislikes | ramen
I'm totally over sushi | dislikes | sushi
I'm fed up with rain | dislikes | rain
I find open offices awful | dislikes | open offices
I prefer tea over coffee | prefers_over | tea over coffee
I prefer trains | prefers | trains
I avoid dairy | avoids | dairy
I'm afraid of heights | fears | heights
I have a fear of spiders | fears | spiders
I want to learn Greek | wants | learn Greek
I'd love to visit Japan | wants | visit Japan
I'm planning to sell the house | plans | sell the house
I'm visiting Paris | visits | Paris
I'm on holiday in Crete | stays_in | Crete
I'm flying to Rome | travels_to | Rome
I play the cello again, every evening | plays_instrument | cello
I've started playing the harp again | plays_instrument | harp
I play tennis twice a week | plays_sport | tennis
I play chess | plays_game | chess
I collect vinyl records | collects | vinyl records
I volunteer at a soup kitchen | volunteers | soup kitchen
I support Ajax | supports_team | Ajax
I go to the gym | exercises | gym
I keep two ferrets | has_pet | two ferrets
I have a labrador called Biscuit | has_pet | labrador called Biscuit
I adopted a kitten | has_pet | kitten
I drive an old Saab 900 | drives | old Saab 900
I own a 1998 Volvo V70 | drives | 1998 Volvo V70
I have a motorcycle licence | has_licence | motorcycle licence
I own a kayak | owns | kayak
I bought a tent | bought | tent
I use Vim | uses | Vim
I can juggle | can | juggle
I can't swim | cannot | swim
I'm good at chess | can | chess
I'm bad at maths | cannot | maths
I'm Catholic | believes_in | Catholic
I'm gay | has_orientation | gay
I'm Norwegian | has_nationality | Norwegian
I'm a night owl | sleeps | night owl
I won a medal | achieved | medal
I went to a wedding | experienced | went to a wedding
"""

NEGATED = [
    ("I'm not a vegetarian", "follows_diet", "vegetarian"),
    ("I don't drink alcohol", "drinks_alcohol", "alcohol"),
    ("I don't smoke", "smokes", "smoking"),
    ("I quit smoking", "smokes", "smoking"),
    ("I've never lived in Berlin", "lives_in", "Berlin"),
    ("I have never had a pilot's licence", "has_licence", "pilot's licence"),
    ("I don't have a dog", "has_pet", "dog"),
    ("I'm not married", "is_married", "married"),
    ("I stopped playing the oboe", "plays_instrument", "oboe"),
]


@pytest.mark.parametrize("row", [row for row in ROWS.split("\n") if row])
def test_predicate_and_object(row: str) -> None:
    text, predicate, thing = (part.strip() for part in row.split("|"))
    found = triple(text)
    assert (found.predicate, found.object, found.polarity) == (predicate, thing, True)


@pytest.mark.parametrize(("text", "predicate", "thing"), NEGATED)
def test_negation_is_a_polarity(text: str, predicate: str, thing: str) -> None:
    found = triple(text)
    assert (found.predicate, found.polarity) == (predicate, False)
    assert found.object == thing


def test_every_predicate_is_in_the_catalogue() -> None:
    """models/ may not import state/, so this holds the two lists of names together."""
    assert predicates() <= CATALOGUE.keys()


def test_paraphrases_of_a_commute_have_one_object() -> None:
    assert {commute_mode(words) for words in ("bike to work", "Cycling", "on my bicycle", "by bike")} == {"bike"}


def test_two_pets_are_two_objects() -> None:
    """Two things held at once both stay (R7)."""
    assert triple("I have a cat").object != triple("I have a dog").object


@pytest.mark.parametrize(
    ("words", "bare"),
    [
        ("my new job", "new job"),
        ("the cello, every evening", "cello"),
        ('"Dune"', "Dune"),
        ("a lot of the sea", "lot of the sea"),
    ],
)
def test_object_words(words: str, bare: str) -> None:
    assert object_words(words) == bare


def test_place_words_end_where_the_place_ends() -> None:
    assert place_words("Leeds with my wife and two cats") == "Leeds"
    assert place_words("Leith, a part of Edinburgh") == "Leith, Edinburgh"
