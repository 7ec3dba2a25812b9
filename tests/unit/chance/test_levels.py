"""Games with chance that are solved level by level, as their moves do not fit in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

import zermelo
from support.games.chance_games import LevelChanceGame, random_chance_game, random_level_games
from support.sizes import counts
from zermelo import BudgetError, Game, RulesError, limits
from zermelo.games import RoyalGameOfUr


class Step(NamedTuple):
    """A step of stairs, and whether a coin is thrown there."""

    step: int
    is_coin: int


@dataclass(frozen=True)
class Stairs(Game):
    """A climber takes one step or two, or lets a coin decide between none and three."""

    height: int = 300

    def start(self):
        return Step(0, 0)

    def turn(self, p):
        return p.step % 2

    def winner(self, p):
        return p.step % 2 if p.step >= self.height else None

    def chance(self, p):
        if p.is_coin:
            yield 2, Step(p.step, 0)
            yield 1, Step(p.step + 3, 0)

    def moves(self, p):
        if not p.is_coin:
            yield 0
            yield 1
            yield 2

    def play(self, p, steps):
        return Step(p.step + steps, 0) if steps else Step(p.step, 1)

    def level(self, p):
        return 1_000_000_000_000 * (p.step - 7)

    def space(self):
        return Step(range(self.height + 3), range(2))


def without_moves(game, **options):
    """Return a solution of a game whose moves are not stored."""
    with limits.using(in_memory=False):
        return zermelo.solve(game, method="chance", **options)


@counts(None, 100, 3_000)
def test_tables_are_equal_with_and_without_stored_moves(tmp_path, count):
    """Random games with levels have the same table, byte for byte but for how it was made."""
    for game in random_level_games(23_000_000, count):
        stored, rerun = zermelo.solve(game, method="chance"), without_moves(game)
        assert "level by level" in rerun.choice
        assert dict(stored.items()) == dict(rerun.items())
        assert rerun.verify()


@counts(None, 25, 300)
def test_tables_without_stored_moves_do_not_depend_on_the_number_of_threads(tmp_path, count):
    """A level is prepared while another is decided, and the table is the same, byte for byte."""
    for game in random_level_games(24_000_000, count):
        one, more = (
            without_moves(game, threads=threads, memory="200MB").save(
                tmp_path / str(threads), overwrite=True
            )
            for threads in (1, 4)
        )
        assert one.read_bytes() == more.read_bytes()


@pytest.mark.slow
@pytest.mark.compiled
def test_levels_may_be_many_and_far_apart():
    """More levels than a byte can number, with numbers of any size, give the same values."""
    stored, rerun = zermelo.solve(Stairs(), method="chance"), without_moves(Stairs())
    assert dict(stored.items()) == dict(rerun.items())
    assert rerun.verify()


@pytest.mark.slow
@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.huge), 2])
def test_a_zoo_game_is_solved_level_by_level_in_little_memory(tmp_path, threads):
    """Ur in little memory has the bounds that it has in much, at every position."""
    game = RoyalGameOfUr(3, keep_throws=False)
    whole = zermelo.solve(game, method="chance")
    small = zermelo.solve(game, method="chance", memory="40MB", threads=threads)
    assert "level by level" in small.choice
    assert dict(whole.items()) == dict(small.items())
    assert small.verify()
    assert small.counts(folded=True) == whole.counts(folded=True)
    with zermelo.open(small.save(tmp_path / "ur.table", memory="40MB")) as opened:
        assert dict(whole.items()) == dict(opened.items())
        assert opened.verify(memory="40MB")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_level_that_is_lowered_is_refused():
    """Values of higher levels would be used before they are known."""
    game = next(iter(random_level_games(5, 1)))
    lowered = Lowered(**{name: getattr(game, name) for name in game.__dataclass_fields__})
    with pytest.raises(RulesError, match=r"level\(\) is .*less after a move"):
        without_moves(lowered)


@pytest.mark.slow
def test_a_game_without_levels_needs_its_moves():
    """A sentence says what helps."""
    with pytest.raises(BudgetError, match=r"write level\(\)"):
        without_moves(random_chance_game(0))


@pytest.mark.huge
def test_ur_with_seven_pieces(tmp_path):
    """Ur by Finkel's rules with seven pieces is solved, saved and verified within 8 GB."""
    game, path = RoyalGameOfUr(7, keep_throws=False), tmp_path / "ur.table"
    with zermelo.solve(game, method="chance", table=path, memory="8GB") as solution:
        assert "level by level" in solution.choice
        assert len(solution) == 137_892_016
        assert solution.value.width < 1e-9
        assert solution.verify(memory="8GB")
