"""Symmetries of games with chance: equivalent positions are stored once, and false ones found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import zermelo
from support.games.chance_games import WinnerChanceGame, random_chance_games
from support.games.strategies import Row, Spot
from support.oracles import expectations
from support.sizes import but, counts
from zermelo import Game, RulesError, Symmetry
from zermelo.games import Pig

METHODS = ("plain", "chance")


class Heaps(NamedTuple):
    """Two heaps, and the number on a die that has been rolled; 0 before."""

    left: int
    right: int
    pips: int


@dataclass(frozen=True)
class TwoHeaps(Game):
    """Roll a die, and take at least one and at most as many as it says from one of two heaps.

    Who takes the last one has won.

    Attributes:
        stones: the stones in each heap.
        bias: what is added to the weight of a 1 for each stone of the left heap.
    """

    stones: int = 3
    bias: int = 0

    def start(self) -> Heaps:
        return Heaps(self.stones, self.stones, 0)

    def chance(self, heaps: Heaps) -> Iterator[tuple[int, Heaps]]:
        if heaps.pips == 0 and heaps.left + heaps.right > 0:
            yield 1 + self.bias * heaps.left, Heaps(heaps.left, heaps.right, 1)
            yield 1, Heaps(heaps.left, heaps.right, 2)

    def moves(self, heaps: Heaps) -> Iterator[int]:
        for take in range(1, min(heaps.left, heaps.pips) + 1):
            yield take
        for take in range(1, min(heaps.right, heaps.pips) + 1):
            yield -take

    def play(self, heaps: Heaps, take: int) -> Heaps:
        if take > 0:
            return Heaps(heaps.left - take, heaps.right, 0)
        return Heaps(heaps.left, heaps.right + take, 0)


class AlikeHeaps(TwoHeaps):
    """Two heaps with a die, in any order by a declaration."""

    def symmetries(self) -> Symmetry:
        return Symmetry(alike=(("left", "right"),))


class OrderedHeaps(TwoHeaps):
    """Two heaps with a die, in any order by a function."""

    def canonical(self, heaps: Heaps) -> Heaps:
        return Heaps(max(heaps.left, heaps.right), min(heaps.left, heaps.right), heaps.pips)


class BriefAlikeHeaps(AlikeHeaps):
    """Such heaps before the roll alone; the image of a result has its moves in another order."""

    def kept(self, heaps: Heaps) -> bool:
        return heaps.pips == 0


class BriefOrderedHeaps(OrderedHeaps):
    """Such heaps by a function, before the roll alone."""

    def kept(self, heaps: Heaps) -> bool:
        return heaps.pips == 0


@dataclass(frozen=True)
class MirrorChanceGame(WinnerChanceGame):
    """A graph and its mirror image, in which the players are exchanged."""

    mirror: Row = ()

    def symmetries(self) -> Symmetry:
        return Symmetry(relabel=(("vertex", self.mirror),), flip=("mover",))

    def space(self) -> Any:
        return Spot(range(len(self.rows)), range(2))


def mirrored(game: Any) -> MirrorChanceGame:
    """Return a game on a graph and its image: half of the edges lead to the other part."""
    n = len(game.rows)

    def double(rows: Any) -> Any:
        here = tuple(
            tuple(v if (v + place) % 2 else v + n for place, v in enumerate(row)) for row in rows
        )
        image = tuple(tuple((v + n) % (2 * n) for v in row) for row in here)
        return here + image

    winners = tuple(1 - w if w in (0, 1) else w for w in game.winners)
    return MirrorChanceGame(
        double(game.rows),
        double(game.faces),
        game.weights * 2,
        game.keeps * 2,
        game.winners + winners,
        game.roots,
        mirror=(*range(n, 2 * n), *range(n)),
    )


@pytest.mark.parametrize("method", but(METHODS, "chance"))
@pytest.mark.parametrize("kind", [AlikeHeaps, OrderedHeaps])
def test_equivalent_positions_are_stored_once(kind, method):
    """With symmetries there are fewer positions, and all values are the same."""
    whole, folded = zermelo.solve(TwoHeaps(4), method=method), zermelo.solve(kind(4), method=method)
    assert len(folded) < 2 / 3 * len(whole)
    assert folded.verify()
    for position, value in whole.items():
        assert folded[position] == value
    assert zermelo.solve(kind(4), method=method, symmetry=False).counts() == whole.counts()


@pytest.mark.parametrize("method", but(METHODS, "chance"))
@pytest.mark.parametrize("kind", [BriefAlikeHeaps, BriefOrderedHeaps])
def test_symmetries_may_reorder_the_moves_of_results_that_are_not_stored(kind, method):
    """Values are the same; a symmetry of positions with other weights is still found."""
    whole, folded = zermelo.solve(TwoHeaps(4), method=method), zermelo.solve(kind(4), method=method)
    assert len(folded) == 15
    assert folded.verify()
    for position, value in whole.items():
        assert folded[position] == value
    with pytest.raises(RulesError, match=r"(symmetries|canonical)\("):
        zermelo.solve(kind(3, bias=1), method=method)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [AlikeHeaps, OrderedHeaps])
def test_check_accepts_true_symmetries(kind):
    """A game with chance and true symmetries keeps the contract."""
    assert zermelo.check(kind())


@pytest.mark.parametrize("method", but(METHODS, "chance"))
@pytest.mark.parametrize("kind", [AlikeHeaps, OrderedHeaps])
def test_positions_that_differ_in_weights_alone_are_not_equivalent(kind, method):
    """A symmetry that exchanges positions with other weights is found by a solve."""
    hook = "symmetries" if kind is AlikeHeaps else "canonical"
    with pytest.raises(RulesError, match=rf"{hook}\("):
        zermelo.solve(kind(3, bias=1), method=method)


@pytest.mark.parametrize("kind", [AlikeHeaps, OrderedHeaps])
def test_check_finds_positions_that_differ_in_weights_alone(kind):
    """A symmetry that exchanges positions with other weights is reported by a check."""
    report = zermelo.check(kind(3, bias=1))
    assert not report
    hook = "symmetries" if kind is AlikeHeaps else "canonical"
    assert hook in {problem.kind for problem in report.problems if problem.severity == "error"}


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_positions_of_pig_are_stored_once_for_both_players(method):
    """Symmetries that exchange the players halve the positions, and values are the same."""
    game = Pig(6)
    folded = zermelo.solve(game, method=method)
    whole = zermelo.solve(game, method=method, symmetry=False)
    assert len(whole) in range(2 * len(folded) - 1, 2 * len(folded) + 1)
    assert folded.verify()
    for position, value in whole.items():
        assert folded[position] == value


@counts(None, 65, 400)
def test_random_games_are_folded_by_exchanges_of_the_players(count):
    """Random games that are their own mirror image have the same values if they are folded."""
    fewer = 0
    kinds = (WinnerChanceGame,)
    for number, game in enumerate(random_chance_games(41_000_000, count, vertices=7, kinds=kinds)):
        double = mirrored(game)
        truth = expectations.solve(double)
        solution = zermelo.solve(double, method=METHODS[number % 2])
        bounds = {position: solution[position].bounds for position in truth}
        assert expectations.problem(truth, bounds, 2.1e-9) is None
        assert all(solution.exact(position) == value for position, value in truth.items())
        assert solution.verify()
        fewer += len(solution) < len(truth)
    assert fewer > count / 4
