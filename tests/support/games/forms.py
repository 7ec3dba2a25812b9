"""Short games with a score, which is where forms of Python are tried: it is compiled once."""

from __future__ import annotations

from typing import NamedTuple

from zermelo import Game


class Mark(NamedTuple):
    step: int
    seed: int


class Marked(Game):
    """Three moves at each of four steps; ``mix`` tries something at every end."""

    def start(self):
        return Mark(0, 5)

    def moves(self, p):
        if p.step < 4:
            for i in range(3):
                yield i

    def play(self, p, move):
        return Mark(p.step + 1, (p.seed * 31 + move) % 997)

    def score(self, p):
        return self.mix(p, p.seed % 3)

    def mix(self, p, i):
        raise NotImplementedError


class Digest(NamedTuple):
    step: int
    seed: int
    row: tuple[int, int, int]


class Mixed(Game):
    """The same, of positions that hold a row as well."""

    def start(self):
        return Digest(0, 5, (3, -1, 4))

    def moves(self, p):
        if p.step < 4:
            yield from range(1, 4)

    def play(self, p, move):
        return Digest(p.step + 1, (p.seed * 31 + move) % 997, (p.row[1] - move, p.seed % 7, move))

    def score(self, p):
        return self.mix(p, p.row[2])

    def mix(self, p, n):
        raise NotImplementedError
