"""Third-person sentences are read back by the rules that write them (INTERFACE decide)."""

import pytest

from models.third_person import triple_of_sentence


@pytest.mark.parametrize(
    ("content", "triple"),
    [
        ("User loves gnocchi", ("user", "loves", "gnocchi", True)),
        ("The user lives in Ghent.", ("user", "lives_in", "Ghent", True)),
        ("User has never lived in Oslo", ("user", "lives_in", "Oslo", False)),
        ("Femi lives in Accra", ("Femi", "lives_in", "Accra", True)),
        ("Assistant recommended trying DuckDB.", ("assistant", "recommends", "trying DuckDB", True)),
        ("Assistant should always cite sources", ("assistant", "instructs", "always cite sources", True)),
        ("Assistant should not mention work", ("assistant", "forbids", "mention work", True)),
        ("Assistant may call after six", ("assistant", "permits", "call after six", True)),
        ("completely unreadable", ("user", "states", "completely unreadable", True)),
    ],
)
def test_a_sentence_gives_its_triple(content: str, triple: tuple[str, str, str, bool]) -> None:
    assert triple_of_sentence(content) == triple


def test_a_thing_of_the_users_is_the_users() -> None:
    subject, predicate, value, polarity = triple_of_sentence("User's wife is called Ines")
    assert (subject, predicate, polarity) == ("user", "married_to", True)
    assert "Ines" in value
