"""What any index of users' facts must do, held against FactIndex and against plain numpy on whole lists.

Both must give the same answers to the last digit, whatever was put, replaced, removed, dropped or evicted before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import pytest
from numpy.typing import NDArray

from state.index import CLIP, DIMENSIONS, FactIndex, Hits, encode


class VectorIndex(Protocol):
    """The contract."""

    def __contains__(self, user: str) -> bool: ...
    def __len__(self) -> int: ...
    def load_user(self, user: str, fact_ids: Sequence[str], codes: Sequence[bytes]) -> None: ...
    def put(self, user: str, fact_id: str, code: bytes) -> None: ...
    def remove(self, user: str, fact_id: str) -> None: ...
    def drop_user(self, user: str) -> None: ...
    def touch(self, user: str) -> None: ...
    def search(self, user: str, code: bytes, k: int, floor: float) -> Hits: ...


class BruteForceIndex:
    """The reference: every fact compared in whole numbers, sorted, cut."""

    def __init__(self, users_max: int = 512) -> None:
        self.users_max = users_max
        self.held: dict[str, dict[str, bytes]] = {}

    def __contains__(self, user: str) -> bool:
        return user in self.held

    def __len__(self) -> int:
        return sum(map(len, self.held.values()))

    def load_user(self, user: str, fact_ids: Sequence[str], codes: Sequence[bytes]) -> None:
        self.held.pop(user, None)
        while len(self.held) >= self.users_max:
            del self.held[next(iter(self.held))]
        self.held[user] = dict(zip(fact_ids, codes, strict=True))

    def put(self, user: str, fact_id: str, code: bytes) -> None:
        self.touch(user)
        self.held[user][fact_id] = code

    def remove(self, user: str, fact_id: str) -> None:
        self.touch(user)
        self.held[user].pop(fact_id, None)

    def drop_user(self, user: str) -> None:
        self.held.pop(user, None)

    def touch(self, user: str) -> None:
        self.held[user] = self.held.pop(user)

    def search(self, user: str, code: bytes, k: int, floor: float) -> Hits:
        self.touch(user)
        query = np.frombuffer(code, np.uint8).astype(np.int64) - 128
        scored = []
        for fact_id, stored in self.held[user].items():
            dot = int((np.frombuffer(stored, np.uint8).astype(np.int64) - 128) @ query)
            scored.append((-max(-1.0, min(1.0, round(dot * (CLIP / 127) ** 2, 4))), fact_id))
        return {fact_id: -score + 0.0 for score, fact_id in sorted(scored)[: max(k, 0)] if -score >= floor}


Maker = Callable[[int], VectorIndex]


@pytest.fixture(params=[FactIndex, BruteForceIndex])
def make(request: pytest.FixtureRequest) -> Maker:
    maker: Maker = request.param
    return maker


def unit(count: int, seed: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_a_loaded_fact_is_found_by_its_own_code(make: Maker) -> None:
    index, codes = make(4), encode(unit(3, 1))
    index.load_user("ana", ["f1", "f2", "f3"], codes)
    hits = index.search("ana", codes[1], 1, 0.5)
    assert list(hits) == ["f2"]
    assert hits["f2"] == pytest.approx(1.0, abs=0.005)


def test_facts_of_another_user_are_never_found(make: Maker) -> None:
    index, codes = make(4), encode(unit(2, 2))
    index.load_user("ana", ["f1"], codes[:1])
    index.load_user("bob", ["f2"], codes[1:])
    assert list(index.search("ana", codes[1], 5, -1.0)) == ["f1"]


def test_a_user_without_facts_is_held_and_finds_nothing(make: Maker) -> None:
    index, codes = make(4), encode(unit(1, 3))
    index.load_user("ana", [], [])
    assert "ana" in index
    assert index.search("ana", codes[0], 5, -1.0) == {}
    index.put("ana", "f1", codes[0])
    assert list(index.search("ana", codes[0], 5, -1.0)) == ["f1"]


def test_put_replaces_in_place_and_adds_what_is_new(make: Maker) -> None:
    index, codes = make(4), encode(unit(3, 4))
    index.load_user("ana", ["f1", "f2"], codes[:2])
    index.put("ana", "f1", codes[2])
    assert len(index) == 2
    assert next(iter(index.search("ana", codes[2], 5, -1.0))) == "f1"
    index.put("ana", "f0", codes[2])
    assert list(index.search("ana", codes[2], 2, -1.0)) == ["f0", "f1"]


def test_a_removed_fact_is_gone_and_the_others_stay(make: Maker) -> None:
    index, codes = make(4), encode(unit(3, 5))
    index.load_user("ana", ["f1", "f2", "f3"], codes)
    index.remove("ana", "f1")
    index.remove("ana", "never there")
    assert set(index.search("ana", codes[0], 5, -1.0)) == {"f2", "f3"}
    assert next(iter(index.search("ana", codes[2], 5, -1.0))) == "f3"
    index.remove("ana", "f2")
    index.remove("ana", "f3")
    assert "ana" in index
    assert len(index) == 0


def test_equal_similarities_come_in_order_of_id_even_across_the_cut(make: Maker) -> None:
    """S4: what is found must not depend on the order in which facts were put."""
    index, (code,) = make(4), encode(unit(1, 6))
    ids = [f"f{i:02d}" for i in range(40)]
    index.load_user("ana", ids[::-1], [code] * 40)
    assert list(index.search("ana", code, 3, 0.0)) == ["f00", "f01", "f02"]


def test_the_floor_is_inclusive_and_holds_for_the_rounded_similarity(make: Maker) -> None:
    index, codes = make(4), encode(unit(2, 7))
    index.load_user("ana", ["f1", "f2"], codes)
    lowest = min(index.search("ana", codes[0], 5, -1.0).values())
    assert len(index.search("ana", codes[0], 5, lowest)) == 2
    assert len(index.search("ana", codes[0], 5, lowest + 0.0001)) == 1


def test_asking_for_none_gives_none(make: Maker) -> None:
    index, codes = make(4), encode(unit(1, 8))
    index.load_user("ana", ["f1"], codes)
    assert index.search("ana", codes[0], 0, -1.0) == {}


def test_the_least_recently_used_user_makes_room(make: Maker) -> None:
    """S6: what is held is bounded."""
    index, codes = make(3), encode(unit(1, 10))
    for user in ("a", "b", "c"):
        index.load_user(user, ["f"], codes)
    index.search("a", codes[0], 1, -1.0)
    index.touch("b")
    index.load_user("d", ["f"], codes)
    assert [user in index for user in "abcd"] == [True, True, False, True]
    index.put("a", "g", codes[0])
    index.load_user("e", ["f"], codes)
    assert [user in index for user in "abde"] == [True, False, True, True]


def test_loading_a_held_user_again_replaces_what_was_held(make: Maker) -> None:
    index, codes = make(2), encode(unit(3, 11))
    index.load_user("a", ["f1", "f2"], codes[:2])
    index.load_user("b", ["f3"], codes[2:])
    index.load_user("a", ["f3"], codes[2:])
    assert "b" in index
    assert list(index.search("a", codes[2], 5, -1.0)) == ["f3"]


def test_a_user_who_is_not_held_is_an_error(make: Maker) -> None:
    index, codes = make(2), encode(unit(1, 12))
    index.drop_user("nobody")
    with pytest.raises(KeyError):
        index.put("nobody", "f", codes[0])
    with pytest.raises(KeyError):
        index.remove("nobody", "f")
    with pytest.raises(KeyError):
        index.search("nobody", codes[0], 1, 0.0)
    with pytest.raises(KeyError):
        index.touch("nobody")


@pytest.mark.parametrize("seed", [1, 2])
def test_both_agree_to_the_last_digit_over_random_operations(seed: int) -> None:
    """S4: 1,000 random operations on 30 users in 20 places, with doubles of facts so that ties are common."""
    rng = np.random.default_rng(seed)
    index, reference = FactIndex(20), BruteForceIndex(20)
    both: tuple[VectorIndex, ...] = (index, reference)
    codes = encode(unit(40, seed))
    for step in range(1000):
        user, code = f"u{rng.integers(30)}", codes[rng.integers(40)]
        fact_id, operation = f"f{rng.integers(25)}", rng.random()
        size = int(rng.integers(30))
        for held in both:
            if user not in held:
                held.load_user(user, [f"f{i}" for i in range(size)], [codes[i % 40] for i in range(size)])
            if operation < 0.5:
                held.put(user, fact_id, code)
            elif operation < 0.8:
                held.remove(user, fact_id)
            elif operation < 0.85:
                held.drop_user(user)
        assert len(index) == len(reference)
        assert index.users == tuple(reference.held)
        if step % 10 == 0:
            k, floor = int(rng.integers(1, 12)), float(rng.choice([-1.0, 0.0, 0.05, 0.7]))
            for name in [name for name in sorted(reference.held) for _ in range(2)]:
                query = codes[rng.integers(40)]
                expected = reference.search(name, query, k, floor)
                assert list(index.search(name, query, k, floor).items()) == list(expected.items())
