"""Games with cycles solved by several processes: the same tables, byte for byte."""

from __future__ import annotations

import os
import random
import signal

import pytest

import zermelo
from support.games.strategies import random_endless_games, random_games
from support.games.symmetric import random_symmetric
from support.oracles import oracle
from support.processes.driver_stops import ALWAYS, stop_anywhere
from support.processes.fake_workers import (
    bytes_of,
    interrupted_at_the_table,
    patience,
    small_rounds,
)
from support.processes.lost_workers import (
    at_units,
    awake_at_the_end,
    damaged_section,
    killing,
    solve_by_killed_drivers,
)
from support.sizes import but, counts, some
from zermelo import limits
from zermelo.games import CatAndMouse, ConnectFour, Quarto, ThreeMensMorris, TicTacToe

pytestmark = pytest.mark.slow  # compiles what only clusters call

WEB = [[(v + 1) % 12, (v - 1) % 12, (v * v) % 12] for v in range(12)]
GAMES = [CatAndMouse(WEB, directed=True), TicTacToe(), Quarto(2), ThreeMensMorris()]


def solved(game, path, **how):
    """Return the bytes of a table that is made by retrograde analysis."""
    return bytes_of(game, path, **{"method": "retrograde", **how})


@pytest.fixture
def quick(among):
    """Share even small steps among workers in this process; see ``among``."""
    with limits.using(sharing=0, at_once=300):
        yield among


@pytest.mark.timing
@pytest.mark.parametrize("game", some(GAMES, 4, slow=2), ids=lambda game: type(game).__name__)
@pytest.mark.parametrize("sizes", some([{2}, {1, 3}], 2, slow=2), ids=repr)
def test_the_same_table_with_any_number_of_workers(game, sizes, tmp_path):
    """Alone, and with one, two and three of them, each a process; the certificate holds."""
    path = tmp_path / "game.table"
    told = []
    alone = solved(game, path)
    for size in sizes:
        with limits.using(sharing=0, at_once=3000 // size):
            assert solved(game, path, cluster=f"local[{size}]", progress=told.append) == alone
        said = [event.detail for event in told if event.phase == "cluster"][-1]
        assert said.count("worker ") == size
    assert zermelo.open(path, game=game).verify()


@counts(None, 8, 300)
def test_random_games(count, tmp_path, quick):
    """Self-loops, duplicate edges, extra turns, several starts; workers are lost at any unit.

    Some games are finished by the driver, after a number of small rounds.
    """
    rng = random.Random(count)
    path = tmp_path / "game.table"

    def lost(_):
        return rng.choice(("after", True)) if rng.random() < 0.03 else False

    for n, game in enumerate(random_games(count, count)):
        alone = solved(game, path)
        with (
            small_rounds(rng.choice((1, 2, 4))),
            limits.using(at_once=rng.choice((1, 2, 5, 100)), sharing=rng.choice((0, 0, 3e-4))),
        ):
            word = quick(rng.randrange(1, 4), lost)
            assert solved(game, path, cluster=word, threads=rng.choice((1, 1, 2))) == alone, game
        if n % 10 == 0:
            solution = zermelo.open(path, game=game)
            found = {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}
            assert found == oracle.solve(game)
            assert solution.verify()


@counts(None, 3, 60)
def test_random_games_of_endless_play_and_with_symmetries(count, tmp_path, quick):
    """Play without end is a win; workers fold as the driver does."""
    path = tmp_path / "game.table"
    for games in (random_endless_games(count, count), random_symmetric(count, count)):
        for game in games:
            if hasattr(game, "gain"):
                continue
            alone = solved(game, path)
            assert solved(game, path, cluster=quick(2)) == alone, game
            assert zermelo.open(path, game=game).verify()


# -- kills --------------------------------------------------------------------------------------


@counts(None, None, 6)
@pytest.mark.timing
def test_killed_workers(count, tmp_path):
    """Another makes what the lost one knew of what is in files, and does what was begun."""
    path, game = tmp_path / "game.table", TicTacToe()
    alone = solved(game, path)
    rng = random.Random(count)
    with limits.using(sharing=0, at_once=1000):
        for _ in range(count):
            with killing(set(rng.sample(range(1, 150), 3))):
                assert solved(game, path, cluster="local[2]") == alone


@counts(None, None, 6)
@pytest.mark.timing
def test_killed_drivers(count, tmp_path):
    """The same call resumes, with another number of workers; no worker is left behind."""
    path, game = tmp_path / "game.table", ConnectFour(4, 4)
    alone = solved(game, path, memory="100MB")
    rng = random.Random(count)
    for n in range(count):
        path.unlink()
        solve_by_killed_drivers(path, rng, "retrograde", n, range(20, 250), often=count > 1)
        assert path.read_bytes() == alone


@pytest.mark.timing
def test_a_worker_that_is_stopped(tmp_path):
    """Others do what it was to do, also for the owners that it alone looked after."""
    path, game = tmp_path / "game.table", TicTacToe()
    alone = solved(game, path)
    stopped = []

    def stop(processes, worker, number, _):
        if number in (40, 120):
            stopped.append(number)
            os.kill(processes[worker].pid, signal.SIGSTOP)

    with (
        limits.using(sharing=0, at_once=1000),
        patience(0.5),
        at_units(after=stop),
        awake_at_the_end(),
    ):
        assert solved(game, path, cluster="local[3]") == alone
    assert stopped == [40, 120]


@counts(None, 7, 60)
def test_drivers_that_stop_at_any_unit_resume(count, tmp_path, quick):
    """Layers may be found and not expanded; rounds go on from the last that was recorded."""
    rng = random.Random(count)
    path = tmp_path / "game.table"
    resumed = []
    for game in random_games(count + 1, count):
        how = {"last": 60, "at_once": rng.choice((1, 3, 100))}
        resumed += stop_anywhere(solved, game, path, quick, rng, **how)
    assert [event for event in resumed if event.phase == "resume"]


def test_a_driver_that_stops_before_the_table_resumes_with_all_values(tmp_path, quick):
    """No worker is asked again, and moves are deleted."""
    path, game, folder = tmp_path / "game.table", TicTacToe(), tmp_path / "game.table.unfinished"
    alone = solved(game, path)
    path.unlink()
    with (
        limits.using(**ALWAYS),
        interrupted_at_the_table(),
        pytest.raises(KeyboardInterrupt),
    ):
        solved(game, path, cluster=quick(2))
    assert not list(folder.glob("retrograde-on-cluster-[0-9]*"))
    asked = []
    assert solved(game, path, cluster=quick(2, asked.append)) == alone
    assert not asked


@pytest.mark.parametrize(
    "damaged", but(["retrograde-on-cluster-3.column", "*-keys.column"], "*-keys.column")
)
def test_a_record_that_is_damaged(damaged, tmp_path, quick):
    """What it says is not believed, and all is done again."""
    path, game, folder = tmp_path / "game.table", TicTacToe(), tmp_path / "game.table.unfinished"
    alone = solved(game, path)
    path.unlink()
    left = 60

    def stop(_):
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        return False

    with (
        limits.using(checkpoint_seconds=0, checkpoint_share=(1e9, 1e9)),
        pytest.raises(KeyboardInterrupt),
    ):
        solved(game, path, cluster=quick(2, stop))
    (place,) = folder.glob(damaged)
    place.write_bytes(bytes(byte ^ 1 for byte in place.read_bytes()))
    told = []
    assert solved(game, path, cluster=quick(2), progress=told.append) == alone
    assert not [event for event in told if event.phase == "resume"]


# -- mistakes -----------------------------------------------------------------------------------


def test_an_owner_with_more_positions_than_a_worker_has_memory_for(tmp_path, quick):
    """It is refused, with figures and what helps."""
    said = "an owner's part of the game needs at least .* start more workers"
    with pytest.raises(zermelo.BudgetError, match=said) as caught:
        solved(TicTacToe(), tmp_path / "game.table", memory="100kB", cluster=quick(1))
    assert caught.value.needed > caught.value.allowed


def test_ranges_with_more_moves_than_a_worker_has_memory_for(tmp_path, quick):
    """They are refused, with figures and what helps."""
    said = "a worker's part of a game of 5,478 positions needs at least .* start more workers"
    with limits.using(at_once=50), pytest.raises(zermelo.BudgetError, match=said) as caught:
        solved(TicTacToe(), tmp_path / "game.table", memory="100kB", cluster=quick(1))
    assert caught.value.needed > caught.value.allowed


def test_a_damaged_file(tmp_path, quick):
    """What a worker wrote is not believed by another where it has changed; it is made anew."""
    path, game = tmp_path / "game.table", TicTacToe()
    alone = solved(game, path)
    path.unlink()
    said = "is damaged; check the shared"
    with damaged_section(60), pytest.raises(zermelo.ClusterError, match=said):
        solved(game, path, cluster=quick(2))
    assert solved(game, path, cluster=quick(2)) == alone


def test_a_wide_game_with_levels_is_handed_over_to_them(tmp_path, quick):
    """As it is alone, in the same words."""
    path = tmp_path / "game.table"
    found = []
    with limits.using(levels=100, wide=10):
        for how in ({}, {"cluster": quick(2)}):
            given = {"memory": "100MB", "threads": 1, "overwrite": True}
            solution = zermelo.solve(Quarto(2), table=path, **given, **how)
            assert "as every move raises level(), and levels are wide" in solution.choice
            found.append(path.read_bytes())
    assert found[0] == found[1]
