"""Positions of up to 1,024 bits."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import pytest

import zermelo
from support.oracles import oracle
from support.sizes import some
from zermelo import LOSS, Game, RulesError, put

WORDS, BITS = 16, 62
#: The bit of word k that only lamp k changes.
OWN = 1 << BITS - 1


def _masks(lamps: int) -> tuple[tuple[int, ...], ...]:
    """Return what each lamp changes in each word: half of all bits, at random, and its own."""
    random = Random(lamps)
    rows = [[random.randrange(OWN) for _ in range(WORDS)] for _ in range(lamps)]
    for k, row in enumerate(rows):
        row[k] |= OWN
    return tuple(map(tuple, rows))


class Wires(NamedTuple):
    """Whatever the lamps that are on have changed."""

    row: tuple[int, ...]


@dataclass(frozen=True)
class Lamps(Game):
    """Lamps in a ring are switched on, where none beside is on; who can switch none has lost.

    With ``off`` they may also be switched off two at a time, so that a game may go in cycles.
    """

    masks: tuple[tuple[int, ...], ...]
    off: bool = False

    def start(self):
        return Wires((0,) * WORDS)

    def lit(self, p, k):
        return p.row[k % len(self.masks)] >> BITS - 1 & 1

    def outcome(self, p):
        if self.lit(p, 0) and self.lit(p, 2) and self.lit(p, 4):
            return LOSS

    def moves(self, p):
        for k in range(len(self.masks)):
            before, here, after = (
                self.lit(p, k + len(self.masks) - 1),
                self.lit(p, k),
                self.lit(p, k + 1),
            )
            if not (before or here or after):
                yield k, k
            elif self.off and here and self.lit(p, k + 2):
                yield k, (k + 2) % len(self.masks)

    def play(self, p, move):
        one, other = move
        row = p.row
        for i in range(WORDS):
            row = put(row, i, row[i] ^ self.masks[one][i])
            if other != one:
                row = put(row, i, row[i] ^ self.masks[other][i])
        return Wires(row)

    def level(self, p):
        return 0 if self.off else sum(self.lit(p, k) for k in range(len(self.masks)))

    def space(self):
        return Wires((range(1 << BITS),) * WORDS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "off"), some([("retrograde", True), ("retrograde", False), ("levels", False)], 3)
)
def test_a_position_of_992_bits_is_solved_as_any_other(method, off, tmp_path):
    """By the hash index and by levels, in memory and from a file, with the certificate."""
    solution = zermelo.solve(Lamps(_masks(11), off), method=method)
    right = oracle.solve(solution.game)
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == right
    assert solution.verify()
    solution.save(tmp_path / "wide.table")
    with zermelo.open(tmp_path / "wide.table", solution.game) as opened:
        assert dict(opened.items()) == dict(solution.items())
        assert opened.verify()


class Bits(NamedTuple):
    """A thousand and more bits."""

    row: tuple[int, ...]
    rest: tuple[int, ...]


class Wider(Game):
    """A position of more bits than there are."""

    def start(self):
        return Bits((0,) * WORDS, (0,) * 3)

    def moves(self, p):
        yield 0

    def play(self, p, move):
        return p

    def space(self):
        return Bits((range(1 << BITS),) * WORDS, (range(1 << 10),) * 3)


def test_positions_past_1024_bits_are_refused():
    """The message says how many words they take, and what to do."""
    with pytest.raises(RulesError, match=r"needs 17 words of 64 bits .* the most is 16; narrow"):
        zermelo.solve(Wider())
