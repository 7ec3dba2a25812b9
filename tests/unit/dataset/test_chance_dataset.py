"""Datasets of games with chance: expectations as labels, and masks of moves that may be best."""

from __future__ import annotations

import numpy as np

import zermelo
from support.games.chance_games import ChanceGame, random_chance_game, random_chance_games
from support.oracles import expectations
from support.sizes import counts


def compare(game):
    """Compare a dataset with exact values of all positions."""
    solution = zermelo.solve(game)
    table = expectations.solve(game)
    dataset = solution.dataset(move_values=True)
    layout = solution.rules.layout
    found = 0
    for batch in dataset.batches(7):
        for row, flat in enumerate(batch["positions"].tolist()):
            position, found = layout.build(flat), found + 1
            value = table[position]
            lower, upper = batch["lower"][row], batch["upper"][row]
            assert lower <= value <= upper
            assert lower <= batch["expectation"][row] <= upper
            is_over = expectations.declared(game, position) is not None
            by_chance = not is_over and bool(list(game.chance(position)))
            assert batch["chance"][row] == by_chance
            worths = {} if by_chance else dict(expectations.options(game, table, position))
            for n, move in enumerate(dataset.moves):
                assert batch["legal"][row, n] == (move in worths)
                if move in worths:
                    bounds = batch["move_lower"][row, n], batch["move_upper"][row, n]
                    assert bounds[0] <= worths[move] <= bounds[1]
                    assert batch["best"][row, n] == (worths[move] == max(worths.values()))
                else:
                    assert np.isnan(batch["move_lower"][row, n])
                    assert not batch["best"][row, n]
    assert found == len(table)


@counts(12, None, 400)
def test_labels_enclose_exact_values_and_best_moves_keep_them(count):
    """Bounds enclose the values of positions and moves; results of chance are no moves."""
    for game in random_chance_games(6600, count):
        compare(game)


def test_parts_of_a_split_are_disjoint_and_have_all_positions():
    """A split of a game with chance is one of its positions, those of chance included."""
    solution = zermelo.solve(random_chance_game(12, kind=ChanceGame))
    rows = [
        [tuple(flat) for batch in part.batches() for flat in batch["positions"].tolist()]
        for part in solution.dataset().split(0.5)
    ]
    assert len(rows[0]) + len(rows[1]) == len(set(rows[0] + rows[1])) == len(solution)
