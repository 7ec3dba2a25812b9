"""Games with dice that are played on pages: with turn, without it, and for points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import LOSS, Game


class Turn(NamedTuple):
    player: int
    mine: int
    theirs: int
    pot: int
    rolling: int


@dataclass(frozen=True)
class Pig(Game):
    """Roll as often as you like to fill the pot, but a 1 empties it and ends your turn."""

    goal: int = 10

    def start(self) -> Turn:
        return Turn(0, 0, 0, 0, 0)

    def turn(self, p: Turn) -> int:
        return p.player

    def winner(self, p: Turn) -> int | None:
        if p.mine + p.pot >= self.goal:
            return p.player
        return None

    def chance(self, p: Turn) -> Iterator[tuple[int, Turn]]:
        if p.rolling:
            yield 1, Turn(1 - p.player, p.theirs, p.mine, 0, 0)
            for pips in range(2, 7):
                yield 1, Turn(p.player, p.mine, p.theirs, p.pot + pips, 0)

    def moves(self, p: Turn) -> Iterator[int]:
        if p.rolling:
            return
        yield 0
        if p.pot:
            yield 1

    def play(self, p: Turn, move: int) -> Turn:
        if move == 0:
            return Turn(p.player, p.mine, p.theirs, p.pot, 1)
        return Turn(1 - p.player, p.theirs, p.mine + p.pot, 0, 0)

    def name(self, move: int) -> str:
        return ("roll", "hold")[move]


class Track(NamedTuple):
    mine: int
    theirs: int
    die: int  # 0 before the roll


@dataclass(frozen=True)
class Snails(Game):
    """Roll a die with a double 1, and crawl so far or push the other snail back so far."""

    length: int = 5

    def start(self) -> Track:
        return Track(0, 0, 0)

    def outcome(self, p: Track) -> int | None:
        return LOSS if p.theirs >= self.length else None

    def chance(self, p: Track) -> Iterator[tuple[int, Track]]:
        if p.die == 0:
            yield 2, Track(p.mine, p.theirs, 1)
            yield 1, Track(p.mine, p.theirs, 2)
            yield 1, Track(p.mine, p.theirs, 3)

    def moves(self, p: Track) -> Iterator[int]:
        if p.die > 0:
            yield 0
            yield 1

    def play(self, p: Track, move: int) -> Track:
        if move == 0:
            return Track(p.theirs, p.mine + p.die, 0)
        return Track(max(p.theirs - p.die, 0), p.mine, 0)

    def name(self, move: int) -> str:
        return ("crawl", "push")[move]


class Draw(NamedTuple):
    rounds: int
    card: int  # 0 before one is drawn


@dataclass(frozen=True)
class Cards(Game):
    """Draw a card, and take its points or leave the turn to the other for one point."""

    rounds: int = 4

    def start(self) -> Draw:
        return Draw(self.rounds, 0)

    def chance(self, p: Draw) -> Iterator[tuple[int, Draw]]:
        if p.rounds and p.card == 0:
            yield 3, Draw(p.rounds, 1)
            yield 1, Draw(p.rounds, 5)

    def moves(self, p: Draw) -> Iterator[int]:
        if p.rounds and p.card:
            yield 0
            yield 1

    def play(self, p: Draw, move: int) -> Draw:
        return Draw(p.rounds - 1, 0 if move == 0 else p.card)

    def gain(self, p: Draw, move: int) -> int:
        return p.card if move == 0 else 1

    def score(self, p: Draw) -> int:
        return 0

    def name(self, move: int) -> str:
        return ("take", "pass")[move]
