"""A chase's certificate accepts exactly the right values, and its moves are the graphs'."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import zermelo
from support.oracles.chases import random_pursuit, solve
from support.sizes import counts
from zermelo import limits
from zermelo.pursuits import PursuitPosition

PETERSEN = [[1, 4, 5], [0, 2, 6], [1, 3, 7], [2, 4, 8], [0, 3, 9]]
PETERSEN += [[0, 7, 8], [1, 8, 9], [2, 5, 9], [3, 5, 6], [4, 6, 7]]
PATH = [[max(0, v - 1), min(5, v + 1)] for v in range(6)]
STAYING = [False, True, "evader", "pursuers"]


@pytest.fixture(autouse=True)
def narrow():
    """Few columns and rows at once, so that small chases have several tiles."""
    with limits.using(at_once=5):
        yield


def random_chases(seed, count):
    """Yield random solved pursuits of all kinds."""
    rng = np.random.default_rng(seed)
    for case in range(count):
        graphs, safe, forbidden, together = random_pursuit(rng)
        yield zermelo.pursuit(
            graphs[0],
            pursuers=graphs[1:],
            safe=safe,
            forbidden=forbidden,
            together=together,
            stuck=("stay", "lose")[case % 2],
            may_stay=STAYING[int(rng.integers(4))],
            threads=1 + case % 3,
        )


def positions(chase):
    """Return all positions of a chase."""
    free = np.flatnonzero(~chase.arrays.forbidden).tolist()
    teams = list(product(free, repeat=chase.arrays.pursuers))
    turns, nodes = range(chase.arrays.turns), range(chase.arrays.nodes)
    return [PursuitPosition(*one) for one in product(nodes, teams, turns)]


def caught(chase, most):
    """Change marks one by one to all that they might be; return how many changes were caught."""
    rng = np.random.default_rng(7)
    chase.threads = 1
    top = max(int(np.abs(marks).max()) for marks in chase._solved.table.column.marks)
    count = 0
    for turn in range(chase.arrays.turns):
        flat = chase._solved.table.column.marks[turn].reshape(-1)
        teams, nodes = chase._solved.table.index.teams, np.arange(chase.arrays.nodes)
        there = np.add.outer(teams * len(nodes), nodes)
        if turn == 0:
            there = np.add.outer(nodes * len(nodes) ** chase.arrays.pursuers, teams)
        for where in rng.permutation(there.reshape(-1))[:most].tolist():
            right = int(flat[where])
            plausible = {*range(-top - 1, top + 2), 127, -127, -128}
            near = {0, 1, -1, right + 1, right - 1, -right, top + 1, -top - 1, -128}
            for wrong in (plausible if most > len(flat) else near) - {right}:
                flat[where] = wrong
                assert not chase.verify(), (chase, turn, where, right, wrong)
                count += 1
            flat[where] = right
    return count


@pytest.mark.slow
def test_any_single_wrong_value_is_caught_and_the_right_ones_are_not():
    """One to three pursuers, together or in turn, stuck or staying, with nodes of all kinds."""
    tried = 0
    for case, chase in enumerate(random_chases(81, 80)):
        assert chase.verify()
        tried += caught(chase, 3) if case < 14 else 0
    assert tried > 300


@counts(None, 6, 20)
def test_each_mark_of_many_chases_is_vouched_for(count):
    """Every mark, changed to every other one within reach, and where no position is too."""
    tried = 0
    for chase in random_chases(82, count):
        assert chase.verify()
        tried += caught(chase, 1 << 20 if len(chase) < 200 else 40)
    assert tried > 100 * count


@pytest.mark.slow
def test_options_are_the_moves_and_the_best_is_worth_what_the_position_is():
    """Each position's moves, with what they are worth to the mover, as slow solving has it."""
    rng = np.random.default_rng(83)
    for _ in range(12):
        graphs, safe, forbidden, together = random_pursuit(rng)
        chase = zermelo.pursuit(
            graphs[0],
            pursuers=graphs[1:],
            safe=safe,
            forbidden=forbidden,
            together=together,
            stuck="lose",
        )
        marks = solve(graphs, safe, forbidden, together=together or len(graphs) == 2)
        moves = 0
        for position in positions(chase):
            evader, team, turn = position
            mark, options = marks[turn, evader, team], chase.options(position)
            moves += len(options)
            assert chase[evader, team, turn] == chase[position]
            if not options:
                assert chase[position].remoteness == 0
                continue
            assert options[0].value == chase[position]
            assert chase[position].outcome == np.sign(mark)
            worth = [
                (option.value.outcome, -option.value.outcome * (option.value.remoteness or 0))
                for option in options
            ]
            assert worth == sorted(worth, reverse=True)
            for option in options:
                after, same = option.position, option.position.turn > turn > 0
                its = marks[after.turn, after.evader, after.pursuers] * (1 if same else -1)
                assert option.value.outcome == np.sign(its)
                assert (option.value.remoteness or 0) == abs(its)
        if all(len(set(row)) == len(row) for rows in graphs for row in rows):
            assert chase.verify().moves == moves


@pytest.mark.slow
def test_who_may_stay_has_that_among_the_options():
    """Whichever side that is; and what is best is worth what the position is."""
    for chase in random_chases(84, 24):
        for position in positions(chase):
            options = chase.options(position)
            assert not options or options[0].value == chase[position]
            assert bool(options) == (chase[position].remoteness != 0)


@pytest.mark.slow
def test_draws_that_vouch_for_each_other_are_caught():
    """Endless draws cannot all be called wins, or losses, without an end to pay for it."""
    for together in (True, False):
        chase = zermelo.pursuit(PETERSEN, pursuers=2, together=together, may_stay=True)
        turns = [chase._solved.table.column.marks[turn] for turn in range(chase.arrays.turns)]
        drawn = [marks == 0 for marks in turns]
        assert all(some.any() for some in drawn)
        for claim in (5, -5):
            for turn, some in enumerate(drawn):
                turns[turn][some] = claim if turn == 0 else -claim
            assert not chase.verify()


@pytest.mark.slow
def test_draws_that_vouch_for_each_other_in_place_of_an_end_are_caught():
    """What takes longer than a ply cannot all be called a draw."""
    for together in (True, False):
        chase = zermelo.pursuit(PATH, pursuers=2, together=together, may_stay=True)
        assert chase.arrays.rounds > 2
        for turn in range(chase.arrays.turns):
            marks = chase._solved.table.column.marks[turn]
            marks[abs(marks) > 2] = 0
        assert not chase.verify()


@pytest.mark.slow
def test_the_verdict_is_of_the_graphs_as_they_were_given():
    """Not of what the solver made of them."""
    arrays = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32)
    chase = zermelo.pursuit((arrays[0].astype(np.int64), arrays[1]), pursuers=2)
    assert chase.verify()
    arrays[1][3] = 2
    assert not chase.verify()


@pytest.mark.slow
def test_threads_wide_marks_and_long_chases_change_nothing():
    """Marks past 8 bits, and past 16, are compared likewise."""
    path = [[max(0, v - 1), min(139, v + 1)] for v in range(140)]
    chase = zermelo.pursuit(path, threads=2)
    assert chase.arrays.rounds > 130
    assert chase.verify()
    chase.threads = 3
    wide = [chase._solved.table.column.marks[turn].astype(np.int32) for turn in range(2)]
    chase._solved.table.column.marks = tuple(wide)
    assert chase.verify()
    assert chase.counts() == zermelo.pursuit(path).counts()
    for wrong in (1 << 20, -(1 << 31), (1 << 31) - 1):
        wide[1][3, 5] = wrong
        assert not chase.verify()
