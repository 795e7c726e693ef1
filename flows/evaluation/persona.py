"""Measure 6: how much of a persona does memory hold after a chat, and how much that is no part of it?"""

from __future__ import annotations

from collections.abc import Sequence

from flows.evaluation.chats import Chat
from flows.evaluation.figures import Figure
from flows.evaluation.product import Stored
from flows.evaluation.text import same_claim, sentences

SETS = {
    "synthetic_persona_chat valid": "synthetic_persona_chat/valid.jsonl",
    **{
        f"xpersona {name}": f"xpersona/{name}.jsonl"
        for name in ("en_test", "en_valid", "zh_valid", "fr_valid", "it_valid", "id_valid", "ja_valid", "ko_valid")
    },
}


def figures(name: str, chats: Sequence[Chat], stored: Stored) -> list[Figure]:
    """Share of persona sentences that a stored fact covers, and facts that cover none, per 100 user turns.

    Personas are assigned and not always spoken of: the baseline, which keeps every sentence as it was said, shows
    what words alone can reach.
    """
    covered = copied = personas = extra = extra_copied = turns = 0
    for chat in chats:
        for speaker in chat.speakers():
            persona = [gold["text"] for gold in chat.gold if gold["kind"] == "claim" and gold["subject"] == speaker]
            said = [part for each in chat.messages if each.speaker == speaker for part in sentences(each.text)]
            facts = [fact.content for fact in stored.facts.get(chat.user_of(speaker), ())]
            covered, extra = covered + _covered(persona, facts), extra + _extra(persona, facts)
            copied, extra_copied = copied + _covered(persona, said), extra_copied + _extra(persona, said)
            personas += len(persona)
            turns += sum(each.speaker == speaker for each in chat.messages)
    share, per_hundred = 1 / personas if personas else 0.0, 100 / turns if turns else 0.0
    return [
        Figure(6, name, "persona sentences covered", covered * share, personas, copied * share),
        Figure(
            6, name, "facts that match no persona sentence, per 100 turns", extra * per_hundred, turns,
            extra_copied * per_hundred, at_most=True,
        ),
    ]  # fmt: skip


def _covered(persona: Sequence[str], facts: Sequence[str]) -> int:
    return sum(any(same_claim(fact, sentence) for fact in facts) for sentence in persona)


def _extra(persona: Sequence[str], facts: Sequence[str]) -> int:
    return sum(not any(same_claim(fact, sentence) for sentence in persona) for fact in facts)
