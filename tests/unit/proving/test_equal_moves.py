"""Moves that lead to equal components are searched once, and those of equal hashes are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

import zermelo
from zermelo import WIN, Game
from zermelo._engine.core.hashing import hash_of

pytestmark = [pytest.mark.compiled, pytest.mark.slow]  # each compiles a search

_WORD = 1 << 64
_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_BITS = 60


def hashed(word: int) -> int:
    """Return the hash of a position of one word."""
    return int(hash_of.interpreted(np.array([word], np.uint64), 0, 1))


def word_of(wanted: int) -> int:
    """Return the word with a hash: each step of it can be undone."""
    mixed = wanted ^ wanted >> 32
    mixed = mixed * pow(_SECOND, -1, _WORD) % _WORD
    mixed ^= mixed >> 29 ^ mixed >> 58
    return mixed * pow(_FIRST, -1, _WORD) % _WORD ^ _GOLDEN


@dataclass(frozen=True)
class Lookalike(Game):
    """The start has a move to the sum of 2 and ``second``, and one to ``third``.

    From 2 one can only end, from ``second`` to 2 or the end, and from ``third`` to 2: they have the
    nimbers 1, 2 and 0. So the start has the nimber 1.
    """

    second: int
    third: int

    def start(self) -> int:
        return 1

    def moves(self, p: int) -> Iterator[int]:
        if p == 1:
            yield 3
            yield self.third
        elif p == 2:
            yield 0
        elif p == self.second:
            yield 0
            yield 2
        elif p == self.third:
            yield 2
        elif p == 3:
            yield self.second
            yield 2

    def play(self, p: int, target: int) -> int:
        return target

    def split(self, p: int) -> Iterator[int]:
        if p == 3:
            yield 2
            yield self.second
        else:
            yield p

    def space(self) -> range:
        return range(1 << _BITS)


def test_moves_of_one_hash_are_not_taken_for_equal() -> None:
    """Two components can have hashes whose sum is the hash of a third one."""
    second = next(
        n for n in range(10, 1000) if word_of((hashed(2) + hashed(n)) % _WORD) < 1 << _BITS
    )
    third = word_of((hashed(2) + hashed(second)) % _WORD)
    assert hashed(third) == (hashed(2) + hashed(second)) % _WORD
    proof = zermelo.prove(Lookalike(second, third), ask="nimber")
    assert (proof.value.outcome, proof.value.nimber) == (WIN, 1)
    assert proof.verify()
