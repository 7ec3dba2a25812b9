"""Pursuits solved by several processes: the same tables, byte for byte."""

from __future__ import annotations

import random

import pytest

import zermelo
from support.processes.fake_workers import bytes_of
from support.processes.lost_workers import killing
from support.sizes import counts
from zermelo import limits
from zermelo.games import CatAndMouse

WEB = [[(v + 1) % 70, (v - 1) % 70, (v * v) % 70] for v in range(70)]


def solved(game, path, **how):
    """Return the bytes of a table that is made by rows of bits."""
    return bytes_of(game, path, **{"method": "pursuit", **how})


@pytest.fixture
def quick(among):
    """Share even small steps among workers in this process; see ``among``."""
    with limits.using(sharing=0):
        yield among


def random_chases(count):
    """Return games on random graphs, some of which are rings, where chases are long or endless."""
    rng = random.Random(count)
    for n in range(count):
        size = rng.choice((3, 4, 9, 70, 130))
        graph = [[rng.randrange(size) for _ in range(rng.randrange(1, 4))] for _ in range(size)]
        if n % 3 == 0:
            graph = [[(v + 1) % size, (v - 1) % size] for v in range(size)]
        yield CatAndMouse(graph, directed=True)


@counts(1, 7, 20)
def test_random_chases_when_workers_are_lost_at_any_unit(count, tmp_path, quick):
    """One to three workers, some units by the driver; the certificate holds."""
    rng = random.Random(count)
    path = tmp_path / "game.table"

    def lost(_):
        return rng.choice(("after", True)) if rng.random() < 0.03 else False

    for game in random_chases(count):
        alone = solved(game, path)
        with limits.using(sharing=rng.choice((0, 0, 1e-4))):
            word = quick(rng.randrange(1, 4), lost)
            assert solved(game, path, cluster=word, threads=rng.choice((1, 2))) == alone, game
        assert zermelo.open(path, game=game).verify()


@pytest.mark.slow
def test_a_later_call_resumes_from_the_last_round_with_other_workers(tmp_path, quick):
    """The driver stops where three workers were busy; two finish, and the table is the same."""
    path, game = tmp_path / "game.table", CatAndMouse(WEB, directed=True)
    alone = solved(game, path)
    path.unlink()

    def stop(unit):
        if unit.level == 4:
            raise KeyboardInterrupt
        return False

    told = []
    with limits.using(checkpoint_seconds=0, checkpoint_share=(1e9, 1e9)):
        with pytest.raises(KeyboardInterrupt):
            solved(game, path, cluster=quick(3, stop))
        assert solved(game, path, cluster=quick(2), progress=told.append) == alone
    assert any("3 rounds were done" in event.detail for event in told)


@counts(None, 10, 30)
def test_pursuits_without_a_class_when_workers_are_lost(count, tmp_path, quick):
    """Into the table that is saved of one process, with one pursuer and with several."""
    rng, path = random.Random(count), tmp_path / "chase.table"
    for n in range(count):
        size = rng.choice((3, 5, 9))
        rows = [[rng.randrange(size) for _ in range(rng.randrange(1, 4))] for _ in range(size)]
        how = {
            "pursuers": rng.choice((1, 2, 2)),
            "together": n % 3 > 0,
            "may_stay": rng.choice((False, True, "pursuers")),
            "safe": rng.sample(range(size), rng.choice((0, 1))),
            "endless": rng.choice((-1, 0, 1)),
            "threads": 1,
            "memory": "200MB",
        }
        how["start"] = (0, (size - 1,) * how["pursuers"], 0)
        alone = zermelo.pursuit(rows, **how).save(tmp_path / "saved", overwrite=True).read_bytes()
        for word in (None, quick(rng.randrange(1, 4), lambda _: rng.random() < 0.03)):
            how["cluster"] = word
            with zermelo.pursuit(rows, table=path, overwrite=True, **how) as solution:
                assert path.read_bytes() == alone, (n, word)
                assert solution.verify(cluster=word)
        assert not list(tmp_path.glob("*.unfinished"))


def test_a_pursuit_on_a_cluster_needs_a_table():
    """There is no folder to share without one."""
    with pytest.raises(zermelo.ParameterError, match="needs table="):
        zermelo.pursuit(WEB, cluster="local[2]")


def test_rows_that_do_not_fit_are_refused_in_a_sentence(tmp_path, quick):
    """Every process of a machine has its part of the memory, and rows must fit into that."""
    with pytest.raises(zermelo.BudgetError, match=r"pursuit of 9,800 p.* needs at least .* more"):
        solved(CatAndMouse(WEB, directed=True), tmp_path / "t", cluster=quick(3), memory="200kB")


@pytest.mark.huge
@pytest.mark.timing
def test_killed_workers(tmp_path):
    """Another process reads what was decided, and does the round that was begun."""
    path, game = tmp_path / "game.table", CatAndMouse(WEB, directed=True)
    alone = solved(game, path)
    told = []
    with limits.using(sharing=0), killing({2, 9, 17}):
        assert solved(game, path, cluster="local[2]", progress=told.append) == alone
    assert any("3 workers were lost" in event.detail for event in told)
