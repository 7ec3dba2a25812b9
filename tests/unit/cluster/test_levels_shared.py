"""Games with levels solved by several processes: the same tables, byte for byte.

Which part of a level takes too much memory, and which rules workers have, is set from within.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from typing import NamedTuple
from unittest import mock

import pytest

import zermelo
from support.games.level_games import (
    AlternatingGame,
    OwnedLevelGame,
    levelled_scores,
    random_levelled,
)
from support.games.symmetric import ColouringGame, Marks, random_symmetric
from support.oracles import oracle
from support.processes.driver_stops import stop_anywhere
from support.processes.lost_workers import (
    damaged_section,
    killing,
    solve_by_killed_drivers,
)
from support.sizes import counts, some
from zermelo import Game, limits
from zermelo._methods import pickled_game
from zermelo._methods.levels.cluster import units, worker
from zermelo.games import Amazons, ConnectFour, Kalah, Quarto, Snort, TicTacToe

GAMES = [
    TicTacToe(),
    ConnectFour(4, 4),
    Kalah(3, 2),
    Quarto(2),
    Snort(3, 4),
    Amazons(3, 3),
]


def solved(game, path, **how):
    """Return the bytes of a table that is made by levels."""
    how = {"method": "levels", "threads": 1, "memory": "100MB", **how}
    solution = zermelo.solve(game, table=path, overwrite=True, **how)
    assert not path.with_name(f"{path.name}.unfinished").exists()
    assert solution.choice.startswith("level by level")
    return path.read_bytes()


@pytest.fixture
def small():
    """Share every level, in ranges and owners of a few hundred positions."""
    with limits.using(sharing=0, at_once=300):
        yield


@pytest.fixture
def quick(small, among):
    """Share even small steps among workers in this process; see ``among``."""
    return among


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize("game", some(GAMES, 6, slow=6), ids=repr)
@pytest.mark.parametrize("sizes", some([{2}, {1, 3}], 2, slow=2), ids=repr)
def test_the_same_table_with_any_number_of_workers(game, sizes, tmp_path):
    """Alone, and with one, two and three of them, each a process; the certificate holds."""
    path = tmp_path / "game.table"
    told = []
    alone = solved(game, path)
    for size in sizes:
        at_once = 3000 // size
        with limits.using(sharing=0, at_once=at_once, windows=1 + size % 2):
            assert solved(game, path, cluster=f"local[{size}]", progress=told.append) == alone
        said = [event.detail for event in told if event.phase == "cluster"][-1]
        assert said.count("worker ") == size
        assert said.endswith(" bytes a position were exchanged")
    assert zermelo.open(path, game=game).verify()


def random_games(seed, count):
    """Yield random games: with extra turns, scores, several starts, and levels far apart."""
    yield from random_levelled(seed, count, AlternatingGame)
    yield from random_levelled(seed, count, OwnedLevelGame)
    yield from levelled_scores(seed, count)


@counts(None, 3, 150)
def test_random_games(count, tmp_path, quick):
    """Units of one position and of many; workers are lost before and after they have done one."""
    rng = random.Random(count)
    path = tmp_path / "game.table"

    def lost(_):
        return rng.choice(("after", True)) if rng.random() < 0.03 else False

    for game in random_games(count, count):
        alone = solved(game, path)
        with limits.using(at_once=rng.choice((1, 2, 5, 100)), windows=rng.choice((1, 2))):
            word = quick(rng.randrange(1, 4), lost)
            assert solved(game, path, cluster=word, threads=rng.choice((1, 1, 2))) == alone, game
    assert zermelo.open(path, game=game).verify()


@counts(None, 10, 30)
def test_random_games_with_symmetries(count, tmp_path, quick):
    """Workers fold as the driver does."""
    path = tmp_path / "game.table"
    games = (game for game in random_symmetric(12, 40 * count) if isinstance(game, ColouringGame))
    for game, _ in zip(games, range(count), strict=False):
        assert solved(game, path, cluster=quick(2)) == solved(game, path), game


@dataclass(frozen=True)
class Steadfast(ColouringGame):
    """A player who marks the first vertex moves again."""

    def play(self, marks, vertex):
        turn = marks.turn if vertex == 0 else 1 - marks.turn
        if marks.turn:
            return Marks(marks.x, marks.o | 1 << vertex, turn)
        return Marks(marks.x | 1 << vertex, marks.o, turn)


@pytest.mark.slow
def test_symmetries_that_a_worker_finds_not_to_hold(tmp_path, quick):
    """All begin again, with those that leave the players as they are."""
    game = Steadfast(((1,), (0, 2), (1,)), ((0, 1, 2),), (0, 0), -1)
    alone = solved(game, tmp_path / "alone.table")
    assert solved(game, tmp_path / "game.table", cluster=quick(3)) == alone


@pytest.mark.slow
def test_positions_of_many_words(tmp_path, quick):
    """Lists of positions of 992 bits."""
    from unit.engine.test_wide_positions import Lamps, _masks

    game, path = Lamps(_masks(11)), tmp_path / "game.table"
    with limits.using(at_once=7):
        assert solved(game, path, cluster=quick(2)) == solved(game, path)
    solution = zermelo.open(path, game)
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == oracle.solve(game)


@pytest.mark.slow
def test_ranges_that_take_too_much_memory_are_halved(tmp_path, quick, monkeypatch):
    """As often as it takes; what cannot be done at all is refused with figures."""
    game, path = ConnectFour(4, 4), tmp_path / "game.table"
    alone, seen = solved(game, path), []

    def note(unit):
        if isinstance(unit, units.ExpandUnit):
            seen.append(unit.end - unit.begin)
        return False

    fit = worker._UnitStorage._fit

    def narrow(self, needed):
        (here,) = self.levels.values()
        fit(self, needed if here.end - here.begin <= 1 << 12 else self.allowed + 1)

    with limits.using(at_once=1 << 14):
        monkeypatch.setattr(worker._UnitStorage, "_fit", narrow)
        assert solved(game, path, cluster=quick(1, note)) == alone
        assert 1 << 14 in seen
        assert 1 << 12 in seen
        monkeypatch.undo()
        with pytest.raises(zermelo.BudgetError, match="needs") as caught:
            solved(game, path, memory="1MB", cluster=quick(1))
    assert caught.value.needed > caught.value.allowed


# -- kills --------------------------------------------------------------------------------------


@counts(None, None, 6)
@pytest.mark.timing
def test_killed_workers(count, tmp_path):
    """Another does what was begun."""
    path, game = tmp_path / "game.table", ConnectFour(4, 4)
    alone = solved(game, path)
    rng = random.Random(count)
    with limits.using(sharing=0, at_once=4000):
        for _ in range(count):
            with killing(set(rng.sample(range(1, 150), 4))):
                assert solved(game, path, cluster="local[2]") == alone


@counts(None, None, 6)
@pytest.mark.timing
def test_killed_drivers(count, tmp_path):
    """The same call resumes, with another number of workers; no worker is left behind."""
    path, game = tmp_path / "game.table", ConnectFour(4, 4)
    alone = solved(game, path)
    rng = random.Random(count)
    for n in range(count):
        path.unlink()
        solve_by_killed_drivers(path, rng, "levels", n, range(20, 250), often=count > 1)
        assert path.read_bytes() == alone


@counts(None, 3, 30)
def test_drivers_that_stop_at_any_unit_resume(count, tmp_path, quick):
    """Levels may be made and not decided, or decided in part, or be expanded by nobody here."""
    rng = random.Random(count)
    path = tmp_path / "game.table"
    for game in random_games(count + 1, count):
        how = {"last": 40, "workers": 4, "attempts": 50, "windows": rng.choice((1, 2))}
        how["at_once"] = rng.choice((1, 3, 100))
        stop_anywhere(solved, game, path, quick, rng, **how)


@pytest.mark.slow
def test_a_damaged_file(tmp_path, quick):
    """What a worker wrote is not believed by another where it has changed; the solve resumes."""
    path, game = tmp_path / "game.table", TicTacToe()
    alone = solved(game, path)
    path.unlink()
    said = "is damaged; check the shared"
    with (
        damaged_section(20, "read_into"),
        limits.using(windows=2),
        pytest.raises(zermelo.ClusterError, match=said),
    ):
        solved(game, path, cluster=quick(2))
    assert solved(game, path, cluster=quick(2)) == alone


# -- mistakes -----------------------------------------------------------------------------------


class Spot(NamedTuple):
    """How far somebody has come."""

    at: int


@dataclass(frozen=True)
class Steps(Game):
    """Go one or two steps on; something is wrong with the step to ``wrong``."""

    last: int
    wrong: int
    kind: int

    def start(self):
        return Spot(0)

    def moves(self, p):
        if p.at < self.last:
            yield 1
            yield 2

    def play(self, p, move):
        return Spot(p.at + move)

    def level(self, p):
        if p.at == self.wrong:
            if self.kind == 2:
                return 1 // (p.at - self.wrong)
            return p.at - 1 - 2 * self.kind
        return p.at

    def space(self):
        return Spot(range(1 << 12))


@pytest.mark.slow
def test_what_is_wrong_with_a_game_is_said_as_it_is_alone(tmp_path, quick):
    """A rule that fails, a level that is lowered; one that is kept is solved anyway."""
    path = tmp_path / "game.table"
    for kind, error in ((1, r"from Spot\(at=\d+\) lowers level\(\)"), (2, "level")):
        for how in ({}, {"cluster": quick(2)}):
            with pytest.raises(zermelo.RulesError, match=error):
                solved(Steps(60, 40, kind), path, **how)
            shutil.rmtree(f"{path}.unfinished", ignore_errors=True)
    made = [
        zermelo.solve(Steps(60, 40, 0), method="levels", table=path, overwrite=True, **how)
        for how in ({}, {"cluster": quick(2)})
    ]
    assert made[0].method == made[1].method == "retrograde"
    assert "leaves level() at" in made[1].choice


@pytest.mark.slow
def test_a_game_that_workers_cannot_have(tmp_path, quick, monkeypatch):
    """One of the running script, one that cannot be pickled, and one with other rules there."""
    path, game = tmp_path / "game.table", Steps(9, 50, 0)
    monkeypatch.setattr(pickled_game, "digest", mock.Mock(side_effect=["here", "there"]))
    with pytest.raises(zermelo.ClusterError, match="Steps are not those that the driver has"):
        solved(game, path, cluster=quick(1))
    monkeypatch.undo()
    monkeypatch.setattr(Steps, "__reduce_ex__", lambda *_: (lambda: None, ()))
    with pytest.raises(zermelo.ClusterError, match="cannot be sent to workers"):
        solved(game, path, cluster=quick(1))
    monkeypatch.setattr(Steps, "__module__", "__main__")
    with pytest.raises(zermelo.ClusterError, match="put the class into a module of its own"):
        solved(game, path, cluster=quick(1))


def test_a_method_that_is_not_distributed(tmp_path):
    """The sentence names those that are, and the one that suits."""
    said = "'horizon', which .* does not .* placement, pursuit, dense, retrograde and levels do; "
    instead = "give method='retrograde' or give method='levels'"
    with pytest.raises(zermelo.ParameterError, match=said + instead):
        zermelo.solve(
            Quarto(2), table=tmp_path / "game.table", cluster="local[2]", method="horizon"
        )
