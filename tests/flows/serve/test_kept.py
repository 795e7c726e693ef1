"""What is kept of a user is given again only while it is what the file says."""

from __future__ import annotations

from flows.memory import Memory
from flows.serve.kept import KeptMemory
from tests.flows.serve.conftest import Served


def test_facts_are_decoded_once_and_anew_after_each_change(served: Served) -> None:
    kept, plain = KeptMemory(served.state, "acme", None), Memory(served.state, "acme")
    assert kept.facts("kept") == []
    served.remember("kept", "I draw maps.")
    first = kept.facts("kept")
    assert first == plain.facts("kept")
    assert kept.facts("kept")[0] is first[0], "not decoded again"
    served.remember("kept", "I carve spoons.")
    assert len(kept.facts("kept")) == 2
    served.post("/v1/users/kept/pin", {"fact_id": first[0].fact_id})
    assert kept.facts("kept", "all") == plain.facts("kept", "all")
    served.post("/v1/users/kept/forget", {"text": "maps"})
    assert kept.facts("kept") == plain.facts("kept")
    assert kept.facts("kept", "forgotten") == plain.facts("kept", "forgotten")
    served.post("/v1/users/kept/erase", {"confirm": "kept"})
    assert kept.facts("kept", "all") == []
