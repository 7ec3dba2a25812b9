"""A growing nim-sequence, and the sparse space that shortens its computation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint8Array
from zermelo._engine.heaps.kernels import (
    RARE,
    HeapRules,
    SparseHeaps,
    agreements,
    scan,
    scan_triples,
)
from zermelo.limits import current

#: Heaps that are computed from all splits before a sparse space is searched for.
_FIRST = 1024
#: Splits that a kernel call examines; Ctrl-C and progress wait for its end, about a second.
_SPLITS_PER_CALL = 1 << 30
#: The number of recently successful heaps that are tried first; a power of two.
_RECENT = 256
#: The most bits of nimbers for which masks are searched.
_MASK_BITS = 12
_NONE = np.empty(0, np.int32)


@dataclass(frozen=True)
class SparseSpace:
    """A division of heaps into common and rare ones.

    Attributes:
        mask: the bits of a nimber whose parity is its class.
        shift: 1 if the class also depends on whether the heap is even.
        common: the class of common heaps.
        rare: the number of rare heaps among the known ones.
    """

    mask: int
    shift: int
    common: int
    rare: int


class NimSequence:
    """The nimbers of heaps 0, 1, 2, … of one game.

    Attributes:
        known: the number of known nimbers.
        space: the sparse space in use, or None if all splits are examined.
    """

    def __init__(
        self, digits: Sequence[int], tail: int, *, unequal: bool = False, sparse: bool = True
    ) -> None:
        """Create a sequence with no nimber computed.

        Args:
            digits: the digits of the game's code, indexed by the number of tokens.
            tail: the digit of all larger numbers of tokens.
            unequal: whether two heaps that a move leaves must differ.
            sparse: whether to search for a sparse space.
        """
        self.known = 0
        self.space: SparseSpace | None = None
        self._values = np.zeros(64, np.int32)
        self._size = 64
        to_zero, to_one, to_two, to_three = (
            np.array([k for k, digit in enumerate(digits) if digit >> bit & 1], np.int64)
            for bit in range(4)
        )
        self._rules = HeapRules(
            to_zero, to_one, to_two, to_three, tail, max(1, len(digits)), int(unequal)
        )
        self._triples = bool(tail & 8 or len(self._rules.to_three))
        splits = self._rules.to_two
        self._may_be_sparse = sparse and len(splits) > 0 and not tail & 4 and not self._triples
        self._searched_count = 0
        self._state = np.zeros(3, np.int64)
        self._recent = np.ones(_RECENT, np.int32)
        self._rare: Int32Array = _NONE
        self._parity = np.zeros(1, np.uint8)
        self._option_stamps = np.zeros(self._size + 1, np.int32)
        self._always = np.zeros(self._size + 1, np.uint8)
        words = self._size // 64
        self._sets = np.zeros(words, np.uint64)
        self._pairs = np.zeros((64 if self._triples else 0, words), np.uint64)

    @property
    def values(self) -> Int32Array:
        """The known nimbers by heap; callers do not write to the array."""
        return self._values[: self.known]

    def extend(self, count: int, advance: Callable[[int], None] = lambda _: None) -> None:
        """Compute the nimbers of the heaps 0 to ``count - 1``.

        Args:
            count: the number of heaps.
            advance: is called after each kernel call with the number of known nimbers.
        """
        if count > len(self._values):
            larger = np.zeros(max(count, 2 * self.known), np.int32)
            larger[: self.known] = self.values
            self._values = larger
        while self.known < count:
            if self._may_be_sparse and self.known >= max(_first(), 2 * self._searched_count):
                self._choose_sparse_space()
            self.known = self._step(min(count, self._end()))
            if self.known and self._values[self.known - 1] >= self._size:
                self._grow()
            advance(self.known)

    def _end(self) -> int:
        """Return the end of the range of heaps that the next kernel call may compute."""
        n = self.known
        splits_per_heap = 64 if self.space is None else max(64, self.space.rare)
        if self._triples:
            splits_per_heap = max(64, n * self._size // 128)
        elif self.space is None and (len(self._rules.to_two) or self._rules.tail & 4):
            splits_per_heap = max(64, n * (len(self._rules.to_two) + 1) // 2)
        end = n + max(16, _SPLITS_PER_CALL // splits_per_heap)
        if self._may_be_sparse:
            end = min(end, max(_first(), 2 * self._searched_count, n + 1))
        return end

    def _step(self, end: int) -> int:
        """Compute nimbers, at most to ``end``; return the number of known nimbers."""
        if self._triples:
            if end > len(self._pairs):
                pairs = np.zeros((max(end, 2 * len(self._pairs)), self._size // 64), np.uint64)
                pairs[: self.known] = self._pairs[: self.known]
                self._pairs = pairs
            return scan_triples(self._values, self.known, end, self._pairs, self._sets, self._rules)
        space = self.space or SparseSpace(0, 0, 0, 0)
        if self.space is not None and len(self._rare) < self._state[RARE] + end - self.known:
            rare = np.zeros(int(self._state[RARE]) + end - self.known, np.int32)
            rare[: self._state[RARE]] = self._rare[: self._state[RARE]]
            self._rare = rare
        reached: int = scan(
            self._values,
            self.known,
            end,
            self._rules,
            self._option_stamps,
            self._always,
            self._state,
            SparseHeaps(
                self.space is not None,
                space.shift,
                space.common,
                self._parity,
                self._rare,
                self._recent,
            ),
        )
        return reached

    def _grow(self) -> None:
        """Double the range of nimbers that the arrays represent."""
        old_size, self._size = self._size, 2 * self._size
        self._option_stamps = np.zeros(self._size + 1, np.int32)
        always = np.zeros(self._size + 1, np.uint8)
        always[:old_size] = self._always[:old_size]
        self._always = always
        words = self._size // 64
        if self._triples:
            self._sets = np.concatenate([self._sets, np.zeros(words - old_size // 64, np.uint64)])
            pairs = np.zeros((len(self._pairs), words), np.uint64)
            pairs[: self.known, : old_size // 64] = self._pairs[: self.known]
            self._pairs = pairs
        if self.space is not None:
            self._divide(self.space)

    def _choose_sparse_space(self) -> None:
        """Choose the sparse space with the fewest rare heaps, if few enough heaps are rare."""
        self._searched_count = self.known
        space = best_space(self.values, self._rules.to_two)
        self.space = None
        if space is not None and 3 * space.rare + _first() // 4 < self.known // 2:
            self._divide(space)

    def _divide(self, space: SparseSpace) -> None:
        """Divide the known heaps into rare and common ones."""
        self._parity = parities(self._size, space.mask)
        heaps = np.arange(self.known)
        classes = self._parity[np.minimum(self.values, self._size - 1)] ^ (heaps & space.shift)
        rare = heaps[1:][classes[1:] != space.common]
        self._rare = rare.astype(np.int32)
        self._state[RARE] = len(rare)
        self.space = SparseSpace(space.mask, space.shift, space.common, len(rare))


def _first() -> int:
    """Return the number of heaps that are computed before the first search for a sparse space."""
    return current().batch(_FIRST)


def parities(size: int, mask: int) -> Uint8Array:
    """Return for each nimber below ``size`` the parity of its bits under ``mask``."""
    bits = np.arange(size) & mask
    for width in (32, 16, 8, 4, 2, 1):
        bits ^= bits >> width
    return (bits & 1).astype(np.uint8)


def best_space(values: Int32Array, to_two: Int64Array) -> SparseSpace | None:
    """Return the sparse space with the fewest rare heaps.

    One Walsh-Hadamard transform of the counts of nimbers gives the number of rare heaps for every
    mask.

    Args:
        values: nimbers by heap.
        to_two: the numbers of tokens that may be taken if two heaps are left.
    """
    size = min(1 << _MASK_BITS, 1 << max(1, int(values.max()).bit_length()))
    small = values < size
    best = None
    for shift in (0, 1) if len(set((to_two & 1).tolist())) == 1 else (0,):
        signs = 1 - 2 * (np.arange(len(values)) & shift)
        excess = np.bincount(values[small], weights=signs[small], minlength=size)
        half = 1
        while half < size:
            rows = excess.reshape(-1, 2, half)
            excess = np.stack([rows[:, 0] + rows[:, 1], rows[:, 0] - rows[:, 1]], 1).reshape(-1)
            half *= 2
        # ``excess`` is the number of heaps of class 0 minus the number of class 1. The common
        # class is the class that no split into two common heaps has.
        common = 1 ^ (shift & int(to_two[0]))
        rare_counts = (len(values) + (excess if common else -excess)) / 2
        mask = int(np.argmin(rare_counts[1:])) + 1
        if best is None or rare_counts[mask] < best.rare:
            best = SparseSpace(mask, shift, common, int(rare_counts[mask]))
    return best


def period_lengths(values: Int32Array) -> Int64Array:
    """Return for each p the heap from which G(n + p) - G(n) is constant, with G(n) a nimber.

    Args:
        values: nimbers by heap, two or more.

    Returns:
        For each p from 0 to ``len(values) - 2`` the least n0 such that G(n + p) - G(n) is constant
        for all known n from n0. The entry for p = 0 has no meaning.
    """
    steps = np.ascontiguousarray(np.diff(values)[::-1])
    lengths = np.zeros(len(steps), np.int64)
    agreements(steps, lengths)
    return len(steps) - np.arange(len(steps)) - lengths
