"""Moves that suffice, as ``enough`` says: less is searched, and nothing is believed."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

import zermelo
from support.sizes import counts
from zermelo import LOSS, WIN, Game, UnprovedError
from zermelo.games import DotsAndBoxes
from zermelo.games.territory.dots_and_boxes import Strokes


@dataclass(frozen=True)
class Heap(Game):
    """Whoever takes the last of some stones wins; one to three may be taken.

    Attributes:
        stones: how many there are.
        says: which moves are said to suffice: those that win; one of them that wins, or else all;
            or the first one, which is a lie.
    """

    stones: int = 13
    says: int = 0

    def start(self):
        return self.stones

    def moves(self, left):
        return [take for take in range(1, 4) if take <= left]

    def play(self, left, take):
        return left - take

    def enough(self, left):
        if self.says == 2:
            return [1]
        if left % 4 or self.says == 0:
            return [left % 4 or 1]
        return list(range(0))


@dataclass(frozen=True)
class Slow(Game):
    """A win is one move away, and three where the author looks."""

    def start(self):
        return 0

    def moves(self, place):
        if place == 0:
            yield 4
        if place < 4:
            yield place + 1

    def play(self, place, to):
        return 4 if to == 3 else to

    def enough(self, place):
        yield place + 1


@dataclass(frozen=True)
class Circling(Game):
    """A token walks round a ring, one way if the author is believed, and must reach place 0."""

    def start(self):
        return 3

    def space(self):
        return range(6)

    def outcome(self, place):
        if place == 0:
            return LOSS

    def moves(self, place):
        yield 1
        yield 5
        yield 3

    def play(self, place, step):
        return (place + step) % 6

    def enough(self, place):
        yield 1


@dataclass(frozen=True)
class AllLines(DotsAndBoxes):
    """Dots and Boxes of which all moves are searched."""

    enough = None


@dataclass(frozen=True)
class NoHooks(DotsAndBoxes):
    """Dots and Boxes of which all moves are searched, in no order and without bounds."""

    enough = bounds = promise = None


def proved(game, **how):
    """Prove with little memory."""
    return zermelo.prove(game, memory="50MB", **how)


@pytest.mark.parametrize("says", [0, 1])
@pytest.mark.parametrize("stones", [12, 13])
def test_the_value_is_that_of_all_moves(says, stones):
    """Moves may be returned as a list, and where there are none, all are searched."""
    proof = proved(Heap(stones, says))
    assert proof.value == (WIN if stones % 4 else LOSS)
    assert proof.verify()
    assert len(proof.line) > 0


def test_a_lie_does_not_pass():
    """The search believes it, and no strategy holds; nor does the look before the search."""
    proof = proved(Heap(14, says=2))
    assert proof.value == LOSS
    with pytest.raises(UnprovedError, match="strategy"):
        proof.verify()


def test_how_far_away_the_end_is_is_searched_by_all_moves():
    """The moves that suffice hold a best one, and it need not be the shortest way."""
    proof = proved(Slow(), remoteness=True)
    assert (proof.value, proof.remoteness) == (WIN, 1)
    assert proof.verify()


def test_where_play_can_go_round_all_moves_are_searched():
    """Proof-number search finds the win that the author's moves put off for ever."""
    assert proved(Circling()).value == WIN


def test_a_line_so_far_has_moves_of_the_game():
    """The table numbers the moves that were looked at, and the line names those of the position."""
    game = DotsAndBoxes(3, 3)
    proof = proved(game, nodes=2_000, threads=1)
    position = game.start()
    for move in proof.line.moves:
        assert move in list(game.moves(position))
        position = game.play(position, move)
    assert len(proof.line) > 1


@counts(3, 40, 400)
def test_dots_and_boxes_is_worth_the_same_by_all_lines(count):
    """Sets of lines at random on four by four boxes, without any hook; a few with strategies."""
    game, plain, rng = DotsAndBoxes(4, 4), NoHooks(4, 4), random.Random(count)
    for number in range(count):
        drawn = rng.sample(range(game.lines), rng.randrange(25, 35))
        position = Strokes(sum(1 << line for line in drawn), number % 2)
        proof, other = (proved(each, position=position, threads=1) for each in (game, plain))
        assert proof.value == other.value, game.show(position)
        assert number % 20 or proof.verify()


@pytest.mark.slow
def test_less_is_searched():
    """On three by three boxes, and the strategies hold against all lines."""
    proof, other = (proved(each(3, 3), threads=1) for each in (DotsAndBoxes, AllLines))
    assert (proof.value, other.value) == (-3, -3)
    assert proof.nodes < other.nodes
    assert proof.verify()
