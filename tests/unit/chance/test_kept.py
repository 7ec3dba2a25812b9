"""The hook ``kept``: results of chance that are not stored, as their values follow from moves."""

from __future__ import annotations

from dataclasses import dataclass, fields

import pytest

import zermelo
from support.games.chance_games import (
    DiceNim,
    Heap,
    OwnedChanceGame,
    StalemateChanceGame,
    WinnerChanceGame,
    random_chance_games,
)
from support.games.strategies import Row, Spot
from support.oracles import expectations
from support.sizes import but, counts
from zermelo import PositionError, RulesError

METHODS = ("plain", "chance")


@dataclass(frozen=True)
class BriefDiceNim(DiceNim):
    """Dice Nim that stores heaps before the roll alone."""

    def kept(self, heap: Heap) -> bool:
        return heap.pips == 0


@dataclass(frozen=True)
class KeptAlternating(StalemateChanceGame):
    """An alternating game that stores some results of chance."""

    keep: Row = ()

    def kept(self, vertex: int) -> bool:
        return self.keep[vertex] == 1


@dataclass(frozen=True)
class KeptOwned(OwnedChanceGame):
    """A game of owners that stores some results of chance."""

    keep: Row = ()

    def kept(self, vertex: int) -> bool:
        return self.keep[vertex] == 1


@dataclass(frozen=True)
class KeptWinner(WinnerChanceGame):
    """A game whose edges may keep the turn, and which stores some results of chance."""

    keep: Row = ()

    def kept(self, spot: Spot) -> bool:
        return self.keep[spot.vertex] == 1


KINDS = {
    StalemateChanceGame: KeptAlternating,
    OwnedChanceGame: KeptOwned,
    WinnerChanceGame: KeptWinner,
}


def sparing(game, number):
    """Return a game that stores only some results of chance."""
    arguments = {field.name: getattr(game, field.name) for field in fields(game)}
    keep = tuple(int((vertex * 7 + number) % 3 == 0) for vertex in range(len(game.rows)))
    return KINDS[type(game)](**arguments, keep=keep)


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_results_that_are_not_kept_are_not_stored(method):
    """The table has fewer positions, and tells the values of the others as well."""
    whole = zermelo.solve(DiceNim(6), method=method)
    brief = zermelo.solve(BriefDiceNim(6), method=method)
    assert len(brief) == 7
    assert len(whole) == 7 + 3 * 6
    assert brief.verify()
    for position, value in whole.items():
        assert brief[position] == value


@counts(None, 150, 600)
def test_values_of_random_games_do_not_depend_on_what_is_kept(count):
    """The bounds of random games that store few results enclose the values of the oracle."""
    missing = 0
    games = random_chance_games(51_000_000, count, kinds=tuple(KINDS))
    for number, game in enumerate(games):
        truth = expectations.solve(game)
        solution = zermelo.solve(sparing(game, number), method=METHODS[number % 2])
        assert solution.verify()
        bounds = {}
        for position in truth:
            try:
                bounds[position] = solution[position].bounds
            except PositionError:
                missing += 1
        known = {position: truth[position] for position in bounds}
        assert expectations.problem(known, bounds, 2.1e-9) is None
        assert all(solution.exact(position) == value for position, value in known.items())
        assert set(solution) <= set(truth)
    assert missing == 0


@counts(None, 35, 200)
def test_tables_without_results_are_equal_in_plain_python_and_compiled(tmp_path, count):
    """A table that leaves out results is the same by plain Python and compiled."""
    games = random_chance_games(52_000_000, count, kinds=tuple(KINDS))
    for number, game in enumerate(games):
        files = [
            zermelo.solve(sparing(game, number), method=method).save(
                tmp_path / method, overwrite=True
            )
            for method in METHODS
        ]
        assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_a_forged_value_is_found_without_results(method):
    """A bound beyond the value is refused, also where results are not stored."""
    solution = zermelo.solve(BriefDiceNim(6), method=method)
    codes = solution._solved.table.column.stored
    for place in range(len(codes)):
        right = int(codes[place])
        for shift in (-1000, 1000):
            codes[place] = right + (shift << solution.kind.shift)
            assert not solution.verify()
        codes[place] = right
    assert solution.verify()


def test_check_accepts_a_game_that_keeps_little():
    """A game with kept() keeps the contract, also compiled."""
    report = zermelo.check(BriefDiceNim(4))
    assert report
    assert "in Python and compiled" in str(report)


def test_points_and_kept_exclude_each_other():
    """A game whose moves make points has to keep all positions."""

    class Scored(BriefDiceNim):
        def gain(self, heap: Heap, take: int) -> int:
            return take

    with pytest.raises(RulesError, match=r"has both kept\(\) and gain\(\); give points with score"):
        zermelo.solve(Scored(3))
