"""Games of the zoo with millions of positions, and lies about them from common to one position.

Each game has a twist: where some bits of a position are those of one that was drawn, the rules are
otherwise. What is declared stays as in the zoo, and so lies. How rare that is depends on how many
bits there are. Nothing is picked but the games: positions and bits are drawn.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import zermelo
from support.faults.large_false_declarations import RARE, Lie
from support.games.symmetric import Row, Rows
from zermelo import DRAW, NOBODY, WIN, Game, Symmetry
from zermelo.games import Breakthrough, DobutsuShogi, Neutreeko, NineMensMorris, Sim

#: What is otherwise where a twist is: a win, a draw, moves that move nothing; what ``canonical``
#: takes it for; whether it is legal.
TWISTS = ("won", "drawn", "passed", "forgotten", "illegal")
_NOTHING = (0,) * len(TWISTS)


@dataclass(frozen=True)
class Twist(Game):
    """A twist of another game, which comes after it among the bases of a class.

    Attributes:
        masks: for each number of a position, the bits that say whether it is twisted.
        values: what they are where it is.
        how: for each of ``TWISTS``, whether that is otherwise there.
        perms: permutations of the cells to declare, instead of the game's own.
    """

    masks: Row = (0, 0, 0)
    values: Row = (1, 0, 0)
    how: Row = _NOTHING
    perms: Rows = ()

    def twisted(self, p: Any) -> Any:
        return (
            p.mine & self.masks[0] == self.values[0]
            and p.theirs & self.masks[1] == self.values[1]
            and p.player & self.masks[2] == self.values[2]
        )

    def play(self, p: Any, move: Any) -> Any:
        if self.how[2] and self.twisted(p):
            return self.passed(p)
        return super().play(p, move)

    def passed(self, p: Any) -> Any:
        return p._replace(mine=p.theirs, theirs=p.mine, player=1 - p.player)


class TwistedEnd(Twist):
    """The same where a game has ``outcome``."""

    def outcome(self, p: Any) -> Any:
        if (self.how[0] or self.how[1]) and self.twisted(p):
            return WIN if self.how[0] else DRAW
        return super().outcome(p)


@dataclass(frozen=True)
class LyingBreakthrough(TwistedEnd, Breakthrough):
    """On four by four cells: 3,212,224 positions, four symmetries."""

    rows: int = 4
    columns: int = 4

    bounds = promise = None

    def symmetries(self) -> Any:
        own = super().symmetries()
        return Symmetry(self.perms, masks=("mine", "theirs")) if self.perms else own


@dataclass(frozen=True)
class MirroredBreakthrough(LyingBreakthrough):
    """With a ``canonical`` that takes the lesser of a position and its mirror image."""

    symmetries = None

    def canonical(self, p: Any) -> Any:
        mine, theirs = self.mirrored(p.mine), self.mirrored(p.theirs)
        if mine < p.mine or (mine == p.mine and theirs < p.theirs):
            return p._replace(mine=mine, theirs=theirs)
        return p

    def mirrored(self, cells: Any) -> Any:
        cells = (cells & 0x5555) << 1 | (cells & 0xAAAA) >> 1
        return (cells & 0x3333) << 2 | (cells & 0xCCCC) >> 2


@dataclass(frozen=True)
class ForgetfulBreakthrough(LyingBreakthrough):
    """With a ``canonical`` that forgets a man of the player not to move, where the twist is."""

    symmetries = None

    def canonical(self, p: Any) -> Any:
        if self.how[3] and self.twisted(p):
            return p._replace(theirs=p.theirs & ~(self.values[1] & -self.values[1]))
        return p


@dataclass(frozen=True)
class LyingNeutreeko(TwistedEnd, Neutreeko):
    """6,935,248 positions, 16 symmetries."""

    def symmetries(self) -> Any:
        board, swap = super().symmetries()
        return (Symmetry(self.perms, masks=("mine", "theirs")) if self.perms else board), swap


@dataclass(frozen=True)
class LyingMorris(TwistedEnd, NineMensMorris):
    """With three men each: 6,233,920 positions, 96 symmetries."""

    def twisted(self, p: Any) -> Any:
        return (
            p.white & self.masks[0] == self.values[0]
            and p.black & self.masks[1] == self.values[1]
            and p.player & self.masks[2] == self.values[2]
        )

    def passed(self, p: Any) -> Any:
        return p._replace(player=1 - p.player)

    def legal(self, p: Any) -> Any:
        if self.how[4] and self.twisted(p):
            return False
        return super().legal(p)

    def symmetries(self) -> Any:
        board, swap = super().symmetries()
        return (Symmetry(self.perms, masks=("white", "black")) if self.perms else board), swap


@dataclass(frozen=True)
class LyingSim(Twist, Sim):
    """With six points, where a triangle wins: 2,230,702 positions, 720 symmetries."""

    triangle: str = "wins"

    def winner(self, p: Any) -> Any:
        if (self.how[0] or self.how[1]) and self.twisted(p):
            return p.player if self.how[0] else NOBODY
        return super().winner(p)

    def symmetries(self) -> Any:
        own = super().symmetries()
        return Symmetry(self.perms, masks=("mine", "theirs")) if self.perms else own


@dataclass(frozen=True)
class LyingDobutsu(TwistedEnd, DobutsuShogi):
    """Without drops: 3,798,898 positions, four symmetries."""

    masks: Row = (0,) * 19
    values: Row = (1,) * 19

    def twisted(self, p: Any) -> Any:
        for cell in range(12):
            if p.cells[cell] & self.masks[cell] != self.values[cell]:
                return False
        return p.side & self.masks[18] == self.values[18]

    def passed(self, p: Any) -> Any:
        return p._replace(side=1 - p.side)

    def symmetries(self) -> Any:
        own = super().symmetries()
        return Symmetry(self.perms, rows=("cells",)) if self.perms else own


#: The games, and what lies about each are about.
GAMES: dict[Any, tuple[str, ...]] = {
    LyingBreakthrough: ("won", "drawn", "passed", "perms"),
    LyingNeutreeko: ("won", "drawn", "passed", "perms"),
    LyingMorris: ("won", "passed", "illegal", "perms"),
    LyingSim: ("won", "drawn", "passed", "perms"),
    LyingDobutsu: ("won", "drawn", "passed", "perms"),
    MirroredBreakthrough: ("won", "drawn", "passed"),
    ForgetfulBreakthrough: ("forgotten",),
}


def zoo_lies(seed: int, kinds: Iterable[Any] = tuple(GAMES)) -> Iterator[Lie]:
    """Yield lies about each game.

    Args:
        seed: what they are drawn with.
        kinds: some of ``GAMES``.
    """
    for kind in kinds:
        rng = np.random.default_rng([seed, *kind.__name__.encode()])
        game = kind()
        positions = zermelo.solve(game, threads=1, symmetry=False).arrays.positions
        for about in GAMES[kind]:
            name = f"{kind.__name__} {about}"
            if about == "perms":
                for exchanged, perms in _wrong_perms(rng, game).items():
                    yield Lie(dataclasses.replace(game, perms=perms), name, exchanged)
                continue
            how = tuple(int(about == each) for each in TWISTS)
            for rare, apart in RARE.items():
                masks, values = _like_one(rng, positions, apart, men=about == "forgotten")
                lie = dataclasses.replace(game, masks=masks, values=values, how=how)
                yield Lie(lie, name, rare)


def _like_one(
    rng: np.random.Generator, positions: npt.NDArray[np.int64], apart: int, *, men: bool
) -> tuple[Row, Row]:
    """Return bits, and what they are in a position, which one of each ``apart`` has, or it alone.

    Args:
        rng: what draws the position, and the bits one after another.
        positions: all positions, a row of numbers each.
        apart: of how many one has them; 0 where nothing but the position has.
        men: whether the first of the bits is one that is set in the second number.
    """
    row = positions[int(rng.integers(0, len(positions)))]
    masks = np.zeros(len(row), np.int64)
    bits = [
        (n, 1 << bit)
        for n, most in enumerate(positions.max(axis=0).tolist())
        for bit in range(most.bit_length())
    ]
    drawn = [bits[n] for n in rng.permutation(len(bits)).tolist()]
    if men:
        drawn.sort(key=lambda bit: not (bit[0] == 1 and row[1] & bit[1]))
        drawn[1:] = [drawn[n] for n in 1 + rng.permutation(len(drawn) - 1)]
    like = positions
    for n, bit in drawn:
        if apart and len(like) <= len(positions) // apart:
            break
        masks[n] |= bit
        like = like[(like[:, n] & bit) == (row[n] & bit)]
    return tuple(masks.tolist()), tuple((row & masks).tolist())


def _wrong_perms(rng: np.random.Generator, game: Any) -> dict[str, Rows]:
    """Return permutations of cells that are no symmetries: one nearly is, one exchanges two."""
    declared = game.symmetries()
    board = declared if isinstance(declared, Symmetry) else declared[0]
    right = list(board.cells[0])
    a, b = rng.choice(len(right), 2, replace=False).tolist()
    swap = list(range(len(right)))
    swap[a], swap[b] = b, a
    return {
        "two cells elsewhere": (tuple(right[swap[cell]] for cell in range(len(right))),),
        "two cells exchanged": (tuple(swap),),
    }
