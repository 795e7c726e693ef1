"""The semantic index of a shard's active users: exact cosine over 8-bit codes, one FAISS inverted list a user.

An embedding is kept everywhere as its code, `DIMENSIONS` bytes: byte = round(component * 127 / CLIP) + 128, which is
FAISS's QT_8bit_direct_signed. The code is the truth, the float vector is forgotten. A similarity is an integer dot
product below 2**24, so float32 holds it exactly and every kernel on every machine gives the same answer (S4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import faiss
import numpy as np
from numpy.typing import NDArray

DIMENSIONS: Final = 384
CLIP: Final = 0.30
"""Components of a unit vector beyond ±CLIP are cut; with 384 of them that is six standard deviations out."""

_LEVELS: Final = 127
_ZERO: Final = 128
_SCALE: Final = np.float32(_LEVELS / CLIP)
_PER_UNIT: Final = float(np.float64(CLIP / _LEVELS) ** 2)
_SPARE: Final = 8
_STEPS: Final = 10_000

Hits = dict[str, float]
"""Fact ids and their similarities, best first; equal similarities by id."""


def encode(vectors: NDArray[np.float32]) -> list[bytes]:
    """The codes of L2-normalised vectors, shape (n, DIMENSIONS). Raises ValueError on another shape or on NaN."""
    if vectors.ndim != 2 or vectors.shape[1] != DIMENSIONS:
        raise ValueError(f"vectors have shape {vectors.shape}, expected (n, {DIMENSIONS}): give one row a text")
    if not np.isfinite(vectors).all():
        raise ValueError("vectors hold NaN or infinity, expected finite components: check the embedder's output")
    levels = np.clip(np.rint(vectors.astype(np.float32, copy=False) * _SCALE), -_LEVELS, _LEVELS)
    return [row.tobytes() for row in (levels + _ZERO).astype(np.uint8)]


def decode(code: bytes) -> NDArray[np.float32]:
    """The float vector that a code stands for, shape (DIMENSIONS,), within CLIP / 254 a component of what it was."""
    vector: NDArray[np.float32] = (_rows((code,))[0].astype(np.float32) - np.float32(_ZERO)) / _SCALE
    return vector


def similarities(code: bytes, codes: Sequence[bytes]) -> list[float]:
    """The cosine of one code with each of many, rounded to 4 decimals: as FactIndex.search, without an index."""
    query = _levels((code,))[0]
    # (bytes - 128) · query, with the subtraction done once: still whole numbers below 2**24.
    dots = _rows(codes).astype(np.float32) @ query - np.float32(_ZERO) * query.sum(dtype=np.float32)
    return cast("list[float]", _cosines(dots).tolist())


class FactIndex:
    """Codes of the facts of a shard's most recently used users, searchable per user (R1, R2).

    Holds at most `users_max` users; loading one more drops the least recently used. The caller asks `user in index`
    and loads who is missing; a user without facts is loaded too. Not thread-safe: one owner thread.
    """

    def __init__(self, users_max: int = 512) -> None:
        if users_max < 1:
            raise ValueError(f"users_max is {users_max}, expected at least 1")
        faiss.omp_set_num_threads(1)
        self._users_max = users_max
        self._fact_ids: dict[str, list[str]] = {}  # least recently used first
        self._slots: dict[str, int] = {}
        self._free = list(range(users_max - 1, -1, -1))
        self._lists, self._index = _faiss_lists(users_max)
        self._unused = np.zeros((1, 1), np.float32)  # a distance to the list's centre, of which there is none
        self._unused_pointer = faiss.swig_ptr(self._unused)

    def __contains__(self, user: str) -> bool:
        return user in self._slots

    def __len__(self) -> int:
        """The number of facts held."""
        return sum(map(len, self._fact_ids.values()))

    @property
    def users(self) -> tuple[str, ...]:
        """The users held, least recently used first."""
        return tuple(self._fact_ids)

    def load_user(self, user: str, fact_ids: Sequence[str], codes: Sequence[bytes]) -> None:
        """Hold exactly these facts of a user, whatever was held before. Raises ValueError on unequal lengths."""
        if len(fact_ids) != len(codes):
            raise ValueError(f"{len(fact_ids)} fact ids came with {len(codes)} codes, expected as many of each")
        if len(set(fact_ids)) != len(fact_ids):
            raise ValueError(f"the {len(fact_ids)} fact ids to load repeat: give each fact once")
        rows = _rows(codes)
        self.drop_user(user)
        while len(self._slots) >= self._users_max:
            self.drop_user(next(iter(self._fact_ids)))
        self._slots[user] = self._free.pop()
        self._fact_ids[user] = []
        if codes:
            self._append(user, fact_ids, rows)

    def put(self, user: str, fact_id: str, code: bytes) -> None:
        """Add a fact to a loaded user, or replace its code in place. Raises KeyError where the user is not loaded."""
        rows = _rows((code,))
        self.touch(user)
        fact_ids = self._fact_ids[user]
        if fact_id in fact_ids:
            self._codes(user)[fact_ids.index(fact_id)] = rows[0]
        else:
            self._append(user, (fact_id,), rows)

    def remove(self, user: str, fact_id: str) -> None:
        """Take a fact out and overwrite its code; an unknown fact is ignored. Raises KeyError for a user not loaded."""
        self.touch(user)
        fact_ids = self._fact_ids[user]
        if fact_id not in fact_ids:
            return
        row, last = fact_ids.index(fact_id), len(fact_ids) - 1
        codes = self._codes(user)
        codes[row] = codes[last]
        codes[last] = 0
        fact_ids[row] = fact_ids[last]
        fact_ids.pop()
        self._lists.resize(self._slots[user], last)

    def drop_user(self, user: str) -> None:
        """Forget a user and overwrite the codes with zeros (F6); one who is not loaded is ignored."""
        slot = self._slots.get(user)
        if slot is None:
            return
        if self._fact_ids[user]:
            self._codes(user)[:] = 0
        self._lists.resize(slot, 0)
        self._free.append(slot)
        del self._slots[user], self._fact_ids[user]

    def touch(self, user: str) -> None:
        """Make a user the most recently used one. Raises KeyError where the user is not loaded."""
        if user not in self._slots:
            raise KeyError(f"user {user!r} is not in the index: call load_user first")
        self._fact_ids[user] = self._fact_ids.pop(user)

    def search(self, user: str, code: bytes, k: int, floor: float) -> Hits:
        """The user's k facts most similar to `code`, of those with a rounded similarity of at least `floor`."""
        self.touch(user)
        fact_ids = self._fact_ids[user]
        count = len(fact_ids)
        if k < 1 or not count:
            return {}
        query = _levels((code,))
        depth = min(k + _SPARE, count)
        cosines, rows = self._nearest(user, query, depth)
        if k < depth < count and cosines[depth - 1] == cosines[k - 1] >= floor:
            # A tie across the last place may go on beyond what was asked for: take the whole list, so ids decide.
            cosines, rows = self._nearest(user, query, count)
        found = [(-cosine, fact_ids[row]) for cosine, row in zip(cosines, rows, strict=True) if cosine >= floor]
        found.sort()
        return {fact_id: -negative for negative, fact_id in found[:k]}

    def memory(self) -> int:
        """Bytes of codes and lists, without what is allocated ahead for growth and without Python strings."""
        return len(self) * (DIMENSIONS + 8) + self._users_max * 160

    def _append(self, user: str, fact_ids: Sequence[str], rows: NDArray[np.uint8]) -> None:
        labels = np.zeros(len(rows), np.int64)
        # swig_ptr keeps nothing alive: both arrays must have a name until add_entries has copied them.
        self._lists.add_entries(self._slots[user], len(rows), faiss.swig_ptr(labels), faiss.swig_ptr(rows))
        self._fact_ids[user].extend(fact_ids)

    def _codes(self, user: str) -> NDArray[np.uint8]:
        """A writable view of a user's codes; it dies with the next change of the list's length."""
        count = len(self._fact_ids[user])
        memory = faiss.rev_swig_ptr(self._lists.get_codes(self._slots[user]), count * DIMENSIONS)
        view: NDArray[np.uint8] = memory.reshape(count, DIMENSIONS)
        return view

    def _nearest(self, user: str, query: NDArray[np.float32], depth: int) -> tuple[list[float], list[int]]:
        """Cosines, best first, and their rows in the user's list; `depth` is at most the list's length."""
        slots = np.array([[self._slots[user]]], np.int64)
        dots = np.empty((1, depth), np.float32)
        labels = np.empty((1, depth), np.int64)
        pointer = faiss.swig_ptr  # keeps nothing alive: every array has a name until the call is over
        # store_pairs: labels come back as list << 32 | row, so the stored ids need not follow swaps.
        self._index.search_preassigned_c(
            1, pointer(query), depth, pointer(slots), self._unused_pointer, pointer(dots), pointer(labels), True
        )
        return _cosines(dots[0]).tolist(), (labels[0] & 0xFFFFFFFF).tolist()


def _faiss_lists(count: int) -> tuple[Any, Any]:
    """Empty inverted lists of codes, and the index that owns and searches them; every query names its list itself."""
    # nlist cannot grow in place, so there is a list for every user that may be held.
    lists: Any = faiss.ArrayInvertedLists(count, DIMENSIONS)
    index: Any = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(DIMENSIONS),
        DIMENSIONS,
        count,
        faiss.ScalarQuantizer.QT_8bit_direct_signed,
        faiss.METRIC_INNER_PRODUCT,
        False,
    )
    lists.this.disown()
    index.replace_invlists(lists, True)
    index.is_trained = True
    index.parallel_mode = 0
    index.nprobe = 1
    return lists, index


def _levels(codes: Sequence[bytes]) -> NDArray[np.float32]:
    return _rows(codes).astype(np.float32) - np.float32(_ZERO)


def _rows(codes: Sequence[bytes]) -> NDArray[np.uint8]:
    for code in codes:
        if len(code) != DIMENSIONS:
            raise ValueError(f"a code has {len(code)} bytes, expected {DIMENSIONS}: make it with state.index.encode")
    return np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), DIMENSIONS)


def _cosines(dots: NDArray[np.float32]) -> NDArray[np.float64]:
    """Dot products of levels as cosines, each the float nearest to a number of 4 decimals."""
    steps = np.rint(dots.astype(np.float64) * (_PER_UNIT * _STEPS))
    return np.minimum(np.maximum(steps, -_STEPS), _STEPS) / _STEPS + 0.0  # + 0.0 turns -0.0 into 0.0
