"""Codes, and what only FactIndex does; the shared behaviour is in tests/contracts/test_vector_index_contract.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from state.index import CLIP, DIMENSIONS, FactIndex, decode, encode, similarities


def unit(count: int, seed: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_a_code_has_a_byte_a_dimension_and_decodes_close_to_the_vector() -> None:
    vectors = unit(20, 1)
    codes = encode(vectors)
    assert {len(code) for code in codes} == {DIMENSIONS}
    decoded = np.array([decode(code) for code in codes])
    assert decoded.dtype == np.float32
    assert np.abs(decoded - vectors).max() <= CLIP / 254 + 1e-7


def test_encoding_what_was_decoded_gives_the_same_code() -> None:
    codes = encode(unit(50, 2))
    assert encode(np.array([decode(code) for code in codes])) == codes


def test_a_vector_has_the_same_code_in_any_batch() -> None:
    """S4."""
    vectors = unit(10, 3)
    assert encode(vectors) == [encode(vectors[i : i + 1])[0] for i in range(10)]
    assert encode(vectors[:0]) == []


def test_components_beyond_the_clip_are_cut() -> None:
    vector = np.zeros((1, DIMENSIONS), np.float32)
    vector[0, :2] = 0.9, -0.9
    assert encode(vector)[0][:3] == bytes([255, 1, 128])


@pytest.mark.parametrize("shape", [(DIMENSIONS,), (2, DIMENSIONS - 1)])
def test_another_shape_is_refused_with_both_shapes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=rf"{shape[-1]}.*expected \(n, 384\)"):
        encode(np.zeros(shape, np.float32))


def test_a_vector_that_is_not_finite_is_refused() -> None:
    vectors = unit(2, 4)
    vectors[1, 7] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        encode(vectors)


def test_similarities_are_within_half_a_percent_of_the_float_cosines() -> None:
    vectors = unit(200, 5)
    codes = encode(vectors)
    exact = vectors[:20] @ vectors.T
    assert np.abs(np.array([similarities(code, codes) for code in codes[:20]]) - exact).max() < 0.006


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=DIMENSIONS, max_size=DIMENSIONS), st.binary(min_size=DIMENSIONS, max_size=DIMENSIONS))
def test_a_similarity_is_the_rounded_whole_number_product_of_any_two_codes(one: bytes, other: bytes) -> None:
    """S4: the same on every machine, and the same from the index as without it."""
    one, other = one.replace(b"\0", b"\1"), other.replace(b"\0", b"\1")
    dot = sum((a - 128) * (b - 128) for a, b in zip(one, other, strict=True))
    expected = max(-1.0, min(1.0, round(dot * (CLIP / 127) ** 2, 4)))
    index = FactIndex(1)
    index.load_user("ana", ["f"], [other])
    assert similarities(one, [other]) == [expected]
    assert index.search("ana", one, 1, -1.0) == {"f": expected}


def test_similarities_with_no_codes_are_none() -> None:
    assert similarities(encode(unit(1, 6))[0], []) == []


def test_codes_of_the_wrong_length_are_refused_before_anything_changes() -> None:
    index, codes = FactIndex(2), encode(unit(2, 7))
    index.load_user("ana", ["f1"], codes[:1])
    with pytest.raises(ValueError, match="3 bytes, expected 384"):
        index.put("ana", "f2", b"abc")
    with pytest.raises(ValueError, match="0 bytes, expected 384"):
        index.load_user("ana", ["f1", "f2"], [codes[0], b""])
    with pytest.raises(ValueError, match="3 bytes, expected 384"):
        similarities(b"abc", codes)
    assert list(index.search("ana", codes[0], 5, -1.0)) == ["f1"]


def test_unequal_or_repeated_ids_are_refused() -> None:
    index, codes = FactIndex(2), encode(unit(2, 8))
    with pytest.raises(ValueError, match="1 fact ids came with 2 codes"):
        index.load_user("ana", ["f1"], codes)
    with pytest.raises(ValueError, match="repeat"):
        index.load_user("ana", ["f1", "f1"], codes)
    with pytest.raises(ValueError, match="users_max is 0"):
        FactIndex(0)


def test_dropping_or_removing_overwrites_the_codes() -> None:
    """F6: nothing of a dropped user or a removed fact is left in the lists."""
    index, codes = FactIndex(1), encode(unit(3, 9))
    index.load_user("ana", ["f1", "f2", "f3"], codes)
    view = index._codes("ana")
    index.remove("ana", "f2")
    assert view[1].tobytes() == codes[2]
    assert not view[2].any()
    index.drop_user("ana")
    assert not view.any()


def test_the_places_of_users_who_left_are_used_again() -> None:
    index, codes = FactIndex(3), encode(unit(5, 10))
    for i in range(200):
        index.load_user(f"u{i}", ["f1", "f2"], codes[:2])
    assert index.users == ("u197", "u198", "u199")
    assert len(index) == 6
    assert [list(index.search(user, codes[1], 1, 0.5)) for user in index.users] == [["f2"]] * 3


def test_memory_counts_codes_and_lists() -> None:
    index, codes = FactIndex(10), encode(unit(1, 11))
    empty = index.memory()
    index.load_user("ana", [f"f{i}" for i in range(100)], codes * 100)
    assert 100 * DIMENSIONS <= index.memory() - empty <= 100 * 480
