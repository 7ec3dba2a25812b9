"""Dense spaces solved by several processes: the same tables, byte for byte."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import zermelo
from support.games.dense import (
    SPACED,
    FreeRing,
    Hunt,
    IllegalStart,
    IllegalTargets,
    LevelGame,
    OwnedLevelGame,
    Ring,
    ShortSpace,
    levelled_games,
    spaced,
    table_of,
    wide_spaces,
)
from support.games.strategies import OPEN, OwnedGame, VertexGame, random_endless_games, random_games
from support.oracles import oracle
from support.processes.driver_stops import stop_anywhere
from support.processes.fake_workers import bytes_of, uneven_ranges
from support.processes.lost_workers import killing, solve_by_killed_drivers
from support.sizes import counts, some
from zermelo import limits
from zermelo.games import Dao, Quixo

GAMES = [Dao(), FreeRing(11, 2), Hunt(9), Quixo(3)]


def solved(game, path, **how):
    """Return the bytes of a table that is made by the slots of a space."""
    return bytes_of(game, path, **{"method": "dense", **how})


@pytest.fixture
def quick(among):
    """Share even small steps among workers in this process; see ``among``."""
    with limits.using(sharing=0, at_once=300):
        yield among


def games_of_all_kinds(seed, count):
    """Yield random games with a space: loops, extra turns, several starts, levels, endless wins."""
    yield from spaced(random_games(seed, count))
    yield from spaced(random_endless_games(seed, count))
    for kind in (LevelGame, OwnedLevelGame):
        yield from levelled_games(seed, count, kind)


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize("game", some(GAMES, 4, slow=4), ids=lambda game: type(game).__name__)
@pytest.mark.parametrize("sizes", some([{2}, {1, 3}], 2, slow=2), ids=repr)
def test_the_same_table_with_any_number_of_workers(game, sizes, tmp_path):
    """Alone, and with one, two and three of them, each a process; the certificate holds."""
    path = tmp_path / "game.table"
    told = []
    alone = solved(game, path)
    for size in sizes:
        with limits.using(sharing=0, at_once=30_000 // size):
            assert solved(game, path, cluster=f"local[{size}]", progress=told.append) == alone
        said = [event.detail for event in told if event.phase == "cluster"][-1]
        assert said.count("worker ") == size
    assert zermelo.open(path, game=game).verify()


@counts(None, 3, 120)
def test_random_games_when_workers_are_lost_at_any_unit(count, tmp_path, quick):
    """One to three workers, some units by the driver; the values are the oracle's."""
    rng = random.Random(count)
    path = tmp_path / "game.table"

    def lost(_):
        return rng.choice(("after", True)) if rng.random() < 0.03 else False

    for n, game in enumerate(games_of_all_kinds(count, count)):
        alone = solved(game, path)
        with (
            uneven_ranges(rng.choice((0, 1.25, 100, 100))),
            limits.using(at_once=rng.choice((1, 2, 5, 100)), sharing=rng.choice((0, 0, 1e-4))),
        ):
            word = quick(rng.randrange(1, 4), lost)
            assert solved(game, path, cluster=word, threads=rng.choice((1, 1, 2))) == alone, game
        if n % 10 == 0:
            solution = zermelo.open(path, game=game)
            assert table_of(solution) == oracle.solve(game)
            assert solution.verify()


def long_games(ending):
    """Yield games whose remoteness and whose moves are more than a byte holds."""
    n = 300
    rows = (*((v + 1,) if v % 3 else (v + 1, v) for v in range(n - 1)), ())
    fan = (tuple(range(1, 100)), *((0,) for _ in range(99)))
    endings, owners = (OPEN,) * (n - 1) + (ending,), tuple(v // 7 % 2 for v in range(n))
    yield SPACED[VertexGame](rows, endings, (0,))
    yield SPACED[OwnedGame](rows, endings, owners, (0,))
    yield SPACED[VertexGame](fan, (OPEN,) * 99 + (ending,), (0,))


@pytest.mark.slow
@pytest.mark.parametrize(
    "ending", [oracle.LOSS, pytest.param(oracle.DRAW, marks=pytest.mark.huge)], ids=str
)
def test_long_games_and_many_moves(ending, tmp_path, quick):
    """What is known of a position takes two bytes then, also where a worker is lost."""
    path, rng = tmp_path / "game.table", random.Random(5)
    for game in long_games(ending):
        alone = solved(game, path)
        assert solved(game, path, cluster=quick(2, lambda _: rng.random() < 0.02)) == alone


@counts(None, 2, 60)
def test_drivers_that_stop_at_any_unit_resume_with_other_workers(count, tmp_path, quick):
    """Positions may be found and not expanded; rounds go on from the last that was recorded."""
    rng = random.Random(count)
    path = tmp_path / "game.table"
    resumed = []
    for game in (Hunt(9), Ring(9, 2), *games_of_all_kinds(count + 1, count)):
        how = {"last": 60, "at_once": rng.choice((1, 3, 100))}
        resumed += stop_anywhere(solved, game, path, quick, rng, **how)
    assert [event for event in resumed if event.phase == "resume"]


@pytest.mark.slow
@pytest.mark.parametrize(("each", "method"), some([(1, "retrograde"), (512, "dense")], 2))
def test_few_positions_of_a_wide_space_are_solved_by_their_graph(each, method, tmp_path, quick):
    """On a cluster as alone, where nobody has asked for a method."""
    path, game = tmp_path / "game.table", Ring(9, 2)
    with wide_spaces(each):
        alone = solved(game, path, method=None)
        assert zermelo.open(path, game=game).method == method
        assert solved(game, path, method=None, cluster=quick(2)) == alone


@pytest.mark.slow
def test_mistakes_in_rules_are_named_as_they_are_alone(tmp_path, quick):
    """A start or a move that leads out of the space, or to what is not legal."""
    path = tmp_path / "game.table"
    said = {
        IllegalStart(9): r"IllegalStart.start\(\) gives Men\(.*legal\(\) refuses",
        ShortSpace(9, 2): r"a move from Pebbles.* leads to Pebbles.* outside space",
        IllegalTargets(9): r"a move from Men.* leads to Men.* legal\(\) refuses",
    }
    for game, words in said.items():
        with pytest.raises(zermelo.RulesError, match=words):
            solved(game, path, cluster=quick(2))


@pytest.mark.slow
def test_what_does_not_fit_a_worker_is_refused_in_a_sentence(tmp_path, quick):
    """Every process of a machine has its part of the memory, and its positions must fit."""
    said = r"a worker's part of a dense space.* needs at least .* start more workers"
    with pytest.raises(zermelo.BudgetError, match=said) as caught:
        solved(Quixo(3), tmp_path / "game.table", cluster=quick(2), memory="2MB")
    assert caught.value.needed > caught.value.allowed


@pytest.mark.huge
@pytest.mark.timing
def test_killed_workers(tmp_path):
    """Another reads what was recorded, and makes the rest of it by the rules."""
    path, game = tmp_path / "game.table", Quixo(3)
    alone = solved(game, path)
    told = []
    with limits.using(sharing=0, at_once=3000), killing({2, 9, 17}):
        assert solved(game, path, cluster="local[2]", progress=told.append) == alone
    assert any("3 workers were lost" in event.detail for event in told)


@counts(None, None, 6)
@pytest.mark.timing
def test_killed_drivers(count, tmp_path):
    """The same call resumes, with another number of workers; no worker is left behind."""
    path, rng = tmp_path / "game.table", random.Random(count)
    alone, drivers = solved(Quixo(3), path, memory="100MB"), 0
    for n in range(count):
        path.unlink()
        how = {"often": count > 2, "game": ["Quixo", 3]}
        drivers += solve_by_killed_drivers(path, rng, "dense", n, range(3, 60), **how)
        assert path.read_bytes() == alone
    assert drivers > count


@pytest.mark.huge
def test_as_it_is_typed(tmp_path):
    """The command makes the same table."""
    path = tmp_path / "game.table"
    words = ["quixo", "--size", "3", "--method", "dense", "--table", str(path), "--quiet"]
    made = []
    for more in ([], ["--cluster", "local[2]", "--force"]):
        command = [sys.executable, "-m", "zermelo", "solve", *words, *more]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        made.append((done.stdout, path.read_bytes()))
    assert made[0] == made[1]
