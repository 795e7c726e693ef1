"""Slips of the fingers in the words that rules go by: a letter left out, doubled or in the wrong place (X3)."""

from __future__ import annotations

from collections.abc import Iterator

from models.wording.lexicon import CONDITIONS, DIETS, INSTRUMENTS, RELATIONS
from models.wording.lists import wordset
from models.wording.verbs import is_adverb, is_base, is_common_noun

_LENGTH_MIN = 7
_WORDS = wordset(
    """
    allergy allergic allergies intolerant intolerance married divorced engaged retired unmarried widowed pregnant
    birthday anniversary language daughter apartment diagnosed vegetarian electrician mechanic carpenter plumber teacher
    engineer pharmacist accountant librarian translator receptionist photographer veterinarian physiotherapist
    hairdresser firefighter paramedic psychologist programmer scientist journalist architect freelance vegetables
    surgeon dentist welder farmer gardener designer developer waitress bartender secretary technician
    university college neighbourhood neighborhood restaurant appointment interview swimming cycling climbing running
    terrified afraid colleague favourite favorite because working living
    moved started studying learning shellfish peanuts gluten lactose
    """
)


def _slips(word: str) -> Iterator[str]:
    for at in range(1, len(word)):
        if at < len(word) - 1 or word[at] != "s":
            yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]


def _all_slips() -> dict[str, str]:
    words = sorted(
        word for word in {*_WORDS, *CONDITIONS, *DIETS, *INSTRUMENTS, *RELATIONS} if len(word) >= _LENGTH_MIN
    )
    meant = {slip: word for word in reversed(words) if word.isalpha() for slip in _slips(word)}
    return {slip: word for slip, word in meant.items() if slip not in words and slip.isascii()}


SLIPS = _all_slips()


def righted(word: str) -> str:
    """The word that a slip in lower case was meant to be; a word of its own right comes back as it is."""
    meant = SLIPS.get(word)
    return word if meant is None or is_common_noun(word) or is_adverb(word) or is_base(word) else meant
