"""Exports of games with chance: bounds of every position, and moves that may be best."""

from __future__ import annotations

import csv
from typing import NamedTuple

import pytest

import zermelo
from support.games.chance_games import HARD_CASES, random_chance_games
from support.oracles import expectations
from support.sizes import counts


class Roll(NamedTuple):
    """The points left, and the pips of the die, 0 before the roll."""

    left: int
    pips: int


class RollOrHalve(zermelo.Game):
    """A die is rolled, and the player takes its pips, or half of them; the last to take loses."""

    def start(self):
        return Roll(6, 0)

    def outcome(self, roll):
        return zermelo.WIN if roll.left == 0 else None

    def chance(self, roll):
        if not roll.pips:
            for pips in range(1, 4):
                yield pips, Roll(roll.left, pips)

    def moves(self, roll):
        if roll.pips:
            yield min(roll.pips, roll.left)
            if roll.pips > 1:
                yield min(roll.pips // 2, roll.left)

    def play(self, roll, taken):
        return Roll(roll.left - taken, 0)


def exported_rows(solution, path):
    """Return the rows of an export."""
    solution.export(path, overwrite=True)
    with path.open() as file:
        return list(csv.DictReader(file))


def compare(solution, path):
    """Compare an export with exact values of all positions."""
    game = solution.game
    table = expectations.solve(game)
    rows = exported_rows(solution, path)
    assert "remoteness" not in rows[0]
    assert len(rows) == len(table)
    for position, row in zip(solution, rows, strict=True):
        assert float(row["lower"]) <= table[position] <= float(row["upper"])
        is_over = expectations.declared(game, position) is not None
        if is_over or list(game.chance(position)) or not list(game.moves(position)):
            assert row["best_move"] == row["best_move_name"] == ""
        else:
            worths = {str(m): worth for m, worth in expectations.options(game, table, position)}
            assert worths[row["best_move"]] == pytest.approx(max(worths.values()))


@counts(None, 20, 400)
def test_bounds_enclose_exact_values_and_best_moves_keep_them(tmp_path, count):
    """Each row has bounds around the exact value, and a move that keeps it where a player moves."""
    for game in random_chance_games(5500, count):
        compare(zermelo.solve(game), tmp_path / "rows.csv")


@pytest.mark.slow
def test_a_game_that_begins_with_a_roll_has_moves_as_numbers(tmp_path):
    """Compiled code writes the moves, though no player moves at the start."""
    solution = zermelo.solve(RollOrHalve())
    compare(solution, tmp_path / "rows.csv")
    rows = exported_rows(solution, tmp_path / "rows.csv")
    assert {row["best_move"] for row in rows} == {"", "1", "2", "3"}


def test_an_opened_table_is_exported_with_the_same_rows(tmp_path):
    """Rows of a saved table are those of the solution, in the order of the file."""
    game = HARD_CASES["die rolled twice"].game
    solution = zermelo.solve(game, method="chance")
    rows = exported_rows(solution, tmp_path / "rows.csv")
    solution.save(tmp_path / "game.zermelo")
    with zermelo.open(tmp_path / "game.zermelo", game=game) as opened:
        opened_rows = exported_rows(opened, tmp_path / "opened.csv")
    by_position = [sorted(each, key=str) for each in (rows, opened_rows)]
    assert by_position[0] == by_position[1]
