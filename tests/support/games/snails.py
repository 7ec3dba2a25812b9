"""Small games with dice that are written as an author would write them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import LOSS, Game


class Track(NamedTuple):
    """A track with two snails.

    Attributes:
        mine: how far the snail of the player to move has come.
        theirs: how far the other one has come.
        die: what has been rolled; 0 before the roll.
    """

    mine: int
    theirs: int
    die: int


@dataclass(frozen=True)
class Snails(Game):
    """Roll a die, and crawl so far or push the other snail back; the first at the end wins."""

    length: int = 4
    pips: int = 3

    def start(self) -> Track:
        return Track(0, 0, 0)

    def outcome(self, p: Track) -> int | None:
        return LOSS if p.theirs >= self.length else None

    def chance(self, p: Track) -> Iterator[tuple[int, Track]]:
        if p.die == 0:
            for pips in range(1, self.pips + 1):
                yield pips, Track(p.mine, p.theirs, pips)

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


class Turn(NamedTuple):
    """A position of Pig: the scores of both players, and what is at stake."""

    player: int
    mine: int
    theirs: int
    pot: int
    rolling: int


@dataclass(frozen=True)
class Pig(Game):
    """Roll as often as you like; a 1 loses what was rolled, and the first with the goal wins."""

    goal: int = 8

    def start(self) -> Turn:
        return Turn(0, 0, 0, 0, 0)

    def turn(self, p: Turn) -> int:
        return p.player

    def winner(self, p: Turn) -> int | None:
        return p.player if p.mine + p.pot >= self.goal else None

    def chance(self, p: Turn) -> Iterator[tuple[int, Turn]]:
        if p.rolling:
            yield 1, Turn(1 - p.player, p.theirs, p.mine, 0, 0)
            for pips in range(2, 7):
                yield 1, Turn(p.player, p.mine, p.theirs, p.pot + pips, 0)

    def moves(self, p: Turn) -> Iterator[str]:
        if not p.rolling:
            yield "roll"
            if p.pot:
                yield "hold"

    def play(self, p: Turn, move: str) -> Turn:
        if move == "roll":
            return Turn(p.player, p.mine, p.theirs, p.pot, 1)
        return Turn(1 - p.player, p.theirs, p.mine + p.pot, 0, 0)


class Plant(NamedTuple):
    """A plant with leaves, and the die."""

    leaves: int
    die: int


@dataclass(frozen=True)
class Leaves(Game):
    """Roll, and eat one leaf or as many as the die shows; the last bite loses a leaf."""

    leaves: int = 5

    def start(self) -> Plant:
        return Plant(self.leaves, 0)

    def chance(self, p: Plant) -> Iterator[tuple[int, Plant]]:
        if p.die == 0 and p.leaves > 0:
            for pips in range(1, 4):
                yield 1, Plant(p.leaves, pips)

    def moves(self, p: Plant) -> Iterator[int]:
        if p.die > 0:
            yield 1
            if min(p.die, p.leaves) > 1:
                yield min(p.die, p.leaves)

    def play(self, p: Plant, eaten: int) -> Plant:
        return Plant(p.leaves - eaten, 0)

    def gain(self, p: Plant, eaten: int) -> int:
        return eaten if eaten < p.leaves else -eaten
