"""Games with chance that are solved level by level, as their moves do not fit in memory."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import zermelo
from support.games.chance_games import LevelChanceGame, random_chance_game, random_level_games
from support.sizes import counts
from zermelo import BudgetError, RulesError, limits
from zermelo.games import RoyalGameOfUr


def without_moves(game, **options):
    """Return a solution of a game whose moves are not stored."""
    with limits.using(in_memory=False):
        return zermelo.solve(game, method="chance", **options)


@counts(25, 300, 3000)
def test_tables_are_equal_with_and_without_stored_moves(tmp_path, count):
    """Random games with levels have the same table, byte for byte but for how it was made."""
    for game in random_level_games(23_000_000, count):
        stored, rerun = zermelo.solve(game, method="chance"), without_moves(game)
        assert "level by level" in rerun.choice
        assert dict(stored.items()) == dict(rerun.items())
        assert rerun.verify()


@pytest.mark.slow
def test_a_zoo_game_is_solved_level_by_level_in_little_memory():
    """Ur in little memory has the bounds that it has in much, at every position."""
    game = RoyalGameOfUr(3, keep_throws=False)
    whole = zermelo.solve(game, method="chance")
    small = zermelo.solve(game, method="chance", memory="56MB")
    assert "level by level" in small.choice
    assert dict(whole.items()) == dict(small.items())
    assert small.verify()


def test_a_rougher_unit_is_refined_level_by_level():
    """If the first unit is too rough for the precision, all levels are solved again."""
    game = RoyalGameOfUr(1)
    for precision in (1e-3, 1e-6):
        assert without_moves(game, precision=precision).value == (
            zermelo.solve(game, method="chance", precision=precision).value
        )


@dataclass(frozen=True)
class Lowered(LevelChanceGame):
    """A game whose level is that of no move."""

    def level(self, p: int) -> int:
        return -p % 3


def test_a_level_that_is_lowered_is_refused():
    """Values of higher levels would be used before they are known."""
    game = next(iter(random_level_games(5, 1)))
    lowered = Lowered(**{name: getattr(game, name) for name in game.__dataclass_fields__})
    with pytest.raises(RulesError, match=r"level\(\) is .*less after a move"):
        without_moves(lowered)


def test_a_game_without_levels_needs_its_moves():
    """A sentence says what helps."""
    with pytest.raises(BudgetError, match=r"write level\(\)"):
        without_moves(random_chance_game(0))


@pytest.mark.huge
def test_ur_with_seven_pieces():
    """Ur by Finkel's rules with seven pieces is solved and verified; the value is our own."""
    game = RoyalGameOfUr(7, keep_throws=False)
    solution = zermelo.solve(game, method="chance")
    assert len(solution) == 137_892_016
    assert solution.value.width < 1e-9
    assert solution.verify()
