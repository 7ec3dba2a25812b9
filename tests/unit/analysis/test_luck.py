"""Analyses of games with chance, compared with linear equations over all positions."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import zermelo
from support.games.chance_games import (
    HARD_CASES,
    ChanceGame,
    OwnedChanceGame,
    OwnedScoreChanceGame,
    random_chance_game,
    random_chance_games,
)
from support.games.strategies import OPEN
from support.oracles import expectations, luck
from support.sizes import counts, some
from zermelo import BudgetError
from zermelo.analysis import plots, report


class Heaps(NamedTuple):
    """Two heaps, and the pips of the die, 0 before the roll."""

    first: int
    second: int
    pips: int


class DiceNim(zermelo.Game):
    """A player rolls a die and takes at most its pips from a heap; without a move one loses."""

    def start(self):
        return Heaps(3, 3, 0)

    def canonical(self, heaps):
        more, less = max(heaps.first, heaps.second), min(heaps.first, heaps.second)
        return Heaps(more, less, heaps.pips)

    def chance(self, heaps):
        if not heaps.pips and heaps.first + heaps.second:
            for pips in range(1, 4):
                yield 4 - pips, Heaps(heaps.first, heaps.second, pips)

    def moves(self, heaps):
        for taken in range(1, heaps.pips + 1):
            if taken <= heaps.first:
                yield taken
            if taken <= heaps.second:
                yield -taken

    def play(self, heaps, taken):
        if taken > 0:
            return Heaps(heaps.first - taken, heaps.second, 0)
        return Heaps(heaps.first, heaps.second + taken, 0)


def compare(game):
    """Compare the analysis of a game with the equations."""
    analysis = zermelo.solve(game).analyse(blunders=(30,))
    is_scored = hasattr(game, "score")
    scale = max(map(abs, (1, *expectations.explore(game).ends.values()))) if is_scored else 0.5
    assert analysis.winner is analysis.pie is analysis.traps is analysis.longest is None
    assert [each.blunders for each in analysis.luck.plays] == [0, 30, 100]
    for play, found in zip(analysis.plays, analysis.luck.plays, strict=True):
        expected = luck.play_from_start(game, play.blunders)
        over = expected["over"]
        assert 1 - play.endless.value == pytest.approx(over, abs=1e-7)
        if is_scored:
            if over > 1 - 1e-9:
                assert play.margin.value == pytest.approx(expected["margin"], abs=1e-7 * scale)
        else:
            for name in ("win", "draw", "loss"):
                assert getattr(play, name).value == pytest.approx(expected[name], abs=1e-7)
        if play.length is None:
            assert over == pytest.approx(0, abs=1e-9)
            assert found.rolls is found.swing is found.lost is None
            continue
        assert play.length.value == pytest.approx(expected["length"] / over, rel=1e-6)
        moves = expected["length"] - expected["rolls"]
        assert found.rolls == pytest.approx(expected["rolls"] / over, rel=1e-6, abs=1e-9)
        assert found.moves == pytest.approx(moves / over, rel=1e-6, abs=1e-9)
        assert found.decisions == pytest.approx(expected["decisions"] / over, rel=1e-6, abs=1e-9)
        amount = 1 if is_scored else 0.5
        if expected["rolls"] > 1e-9:
            swing = amount * expected["swing"] / expected["rolls"]
            assert found.swing == pytest.approx(swing, rel=1e-6, abs=1e-7 * scale)
        if moves > 1e-9:
            lost = amount * expected["lost"] / moves
            assert found.lost == pytest.approx(lost, rel=1e-6, abs=1e-7 * scale)
    return analysis


@counts(None, 50, 700)
def test_results_and_luck_of_random_games(count):
    """Results, lengths, changes by rolls and losses by moves solve the equations of play."""
    for game in random_chance_games(4200, count):
        compare(game)


@pytest.mark.parametrize(
    "name", some(["die rolled twice", "fair walk of 20 steps", "stakes of a gambler"], 3)
)
def test_results_and_luck_of_games_with_known_values(name):
    """Games whose play can go in cycles have the numbers of the equations, too."""
    compare(HARD_CASES[name].game)


@counts(None, 60, 300)
def test_counts_of_positions(count):
    """Positions of chance are no decisions, and a choice matters where moves differ in value."""
    for game in random_chance_games(77, count):
        graph, table = expectations.explore(game), expectations.solve(game)
        analysis = zermelo.solve(game).analyse()
        positions = {state[0]: steps for state, steps in graph.steps.items()}
        choices = [expectations.options(game, table, p) for p in positions]
        worths = [[worth for _, worth in options] for options in choices if len(options) > 1]
        assert analysis.luck.rolls == len({state[0] for state in graph.faces})
        assert analysis.luck.choices == analysis.saving.won == len(worths)
        assert analysis.luck.decisions == sum(min(each) < max(each) for each in worths)
        assert analysis.luck.single == sum(each.count(max(each)) == 1 for each in worths)
        assert analysis.moves == sum(map(len, positions.values()))
        assert sum(analysis.branching.histogram.values()) == len(positions)


@pytest.mark.slow
@pytest.mark.parametrize("is_scored", [True, False])
def test_games_that_last_too_long_have_bounds_or_no_number(is_scored):
    """Sums over games that hardly ever end are left out, and probabilities have wide bounds."""
    shape = ((), (), ()), ((0, 1, 2), (), ()), ((60_000, 1, 1), (), ())
    if is_scored:
        game = OwnedScoreChanceGame(*shape, ((), (), ()), (0, 7, 3), (0,), (0, 0, 0))
    else:
        game = OwnedChanceGame(*shape, (OPEN, zermelo.WIN, zermelo.LOSS), (0,), (0, 0, 0))
    analysis = zermelo.solve(game, precision=1e-4).analyse(blunders=())
    play, found = analysis.plays[0], analysis.luck.plays[0]
    assert found.rolls is found.swing is None
    if is_scored:
        assert play.margin is None
    else:
        assert play.win.low < 0.5 < play.win.high


def test_equivalent_positions_change_no_number_of_play():
    """A game folded by ``canonical`` has the results and the luck of all its positions."""
    folded, whole = (zermelo.solve(DiceNim(), symmetry=flag) for flag in (True, False))
    assert len(folded) < len(whole)
    analyses = folded.analyse(), whole.analyse()
    plays = [[(play.win.value, play.length.value) for play in each.plays] for each in analyses]
    assert plays[0] == [pytest.approx(row) for row in plays[1]]
    lucks = [[(p.swing, p.lost, p.decisions) for p in each.luck.plays] for each in analyses]
    assert lucks[0] == [pytest.approx(row) for row in lucks[1]]


def test_first_moves_are_moves_and_not_rolls():
    """A game that begins with a roll has no first moves; others have those of the player."""
    rolled = HARD_CASES["die rolled twice"].game
    begins_by_chance = bool(list(rolled.chance(rolled.start())))
    analysis = zermelo.solve(rolled).analyse()
    assert bool(analysis.openings) != begins_by_chance
    game = random_chance_game(1294, kind=OwnedChanceGame)
    openings = zermelo.solve(game).analyse().openings
    faces = list(game.chance(game.start()))
    moves = [] if faces else list(game.moves(game.start()))
    assert sorted(move for opening in openings for move in opening.moves) == moves


def test_the_page_and_the_text_speak_of_expectations():
    """A page of a game with chance says who may expect what, and how much a roll changes."""
    analysis = zermelo.solve(random_chance_game(1294, kind=OwnedChanceGame)).analyse()
    page = report.page([analysis])
    assert "wins with probability" in page
    assert "Change a roll" in page
    assert "forced win" not in page
    assert plots.expectations(analysis).axes
    assert analysis.to_json()["luck"]["plays"][0]["blunders"] == 0
    assert analysis.summary()["luck.rolls"] == analysis.luck.plays[0].rolls


def test_an_analysis_that_does_not_fit_in_memory_is_refused():
    """Games with chance are not sampled, so that too little memory is an error."""
    solution = zermelo.solve(random_chance_game(3, kind=ChanceGame))
    with pytest.raises(BudgetError, match="game with chance"):
        solution.analyse(memory=100)
