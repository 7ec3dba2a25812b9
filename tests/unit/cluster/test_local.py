"""Solves by several processes: the same tables, byte for byte, whoever is killed."""

from __future__ import annotations

import os
import random
import signal

import pytest

import zermelo
from support.games.boards import FallingMisere, FallingWild, InARow, Maker, Misere, Notakto, Wild
from support.processes.fake_workers import patience
from support.processes.lost_workers import at_units, damaged_part, killing, solve_by_killed_drivers
from support.sizes import but, counts, some
from zermelo import limits
from zermelo.games import ConnectFour, StoneGame

pytestmark = pytest.mark.timing

GAMES = [
    ConnectFour(3, 4, 3),
    ConnectFour(4, 4),
    InARow(3, 3, 3),
    InARow(2, 5, 3),
    Misere(4, 2, 3),
    Maker(3, 3, 3),
    Notakto(3, 3, 3),
    Wild(3, 3, 3),
    FallingMisere(2, 4, 3),
    FallingWild(3, 3, 3),
]
LARGE = [FallingWild(4, 5), ConnectFour(5, 5)]


def solved(game, path, memory="100MB", **how):
    """Return the bytes of a table."""
    zermelo.solve(game, table=path, overwrite=True, threads=1, memory=memory, **how)
    assert not path.with_name(f"{path.name}.unfinished").exists()
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("game", some(GAMES, 10, slow=10), ids=repr)
@pytest.mark.parametrize("value", but([None, "outcome"], "outcome"))
def test_the_same_table_with_any_number_of_workers(value, game, tmp_path, shared):
    """Remoteness, and who wins alone; the certificate holds."""
    path = tmp_path / "game.table"
    told = []
    alone = solved(game, path, value=value)
    for size in (2,) if value is None else (1, 3):
        how = {"cluster": f"local[{size}]", "progress": told.append}
        assert solved(game, path, value=value, **how) == alone
        said = [event.detail for event in told if event.phase == "cluster"][-1]
        assert said.count("worker ") == size
        assert said.endswith(" bytes a position were exchanged")
    assert zermelo.open(path, game=game).verify()


@pytest.mark.slow
def test_tiers_of_many_sections(tmp_path):
    """A board whose levels are large enough to be shared as they are.

    Alone it has to fit into memory: what is solved on disk says so in its header.
    """
    path, game = tmp_path / "game.table", ConnectFour(5, 5)
    alone, told = solved(game, path, memory="1GB"), []
    how = {"cluster": "local[2]", "progress": told.append}
    assert solved(game, path, memory="1GB", **how) == alone
    # Small games are solved between two events, which then say of nobody what it works on.
    levels = {each.level for event in told for each in event.workers if each.busy}
    assert len(levels - {None}) > 1


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(ConnectFour(2, 11), marks=pytest.mark.slow),
        *(pytest.param(g, marks=pytest.mark.huge) for g in LARGE),
    ],
    ids=repr,
)
def test_tiers_that_are_cut(game, tmp_path):
    """Workers share even the last level, which has one tier: by the top bits of its patterns."""
    path = tmp_path / "game.table"
    alone = solved(game, path, memory="1GB")
    units = []
    noted = at_units(lambda *given: units.append(given[-1]))
    with limits.using(tier=1, sharing=0), noted:
        assert solved(game, path, memory="1GB", cluster="local[2]") == alone
    last = game.width * game.height
    assert len({unit.begin for unit in units if unit.level == last}) > 1


@counts(None, 1, 25)
def test_killed_workers(count, tmp_path, shared):
    """Another does what was begun; four in a row are too many only at one unit."""
    path, game = tmp_path / "game.table", ConnectFour(4, 4)
    alone = solved(game, path)
    rng = random.Random(count)
    for _ in range(count):
        with killing(set(rng.sample(range(1, 60), 4))):
            assert solved(game, path, cluster="local[2]") == alone


@counts(None, 1, 6)
def test_killed_drivers(count, tmp_path, shared):
    """The same call resumes, with another number of workers; no worker is left behind."""
    path, game = tmp_path / "game.table", ConnectFour(4, 4)
    alone = solved(game, path)
    rng = random.Random(count)
    for n in range(count):
        path.unlink()
        solve_by_killed_drivers(path, rng, "placement", n, range(20, 60), often=count > 1)
        assert path.read_bytes() == alone


@pytest.mark.slow
def test_a_stopped_worker(tmp_path, shared):
    """Another does its unit, and it goes on when it wakes up."""
    path, game = tmp_path / "game.table", ConnectFour(4, 4)
    alone = solved(game, path)
    stopped = []

    def stop(processes, worker, *_):
        if worker == 0:
            for process in stopped:
                os.kill(process.pid, signal.SIGCONT)
            if not stopped:
                os.kill(processes[0].pid, signal.SIGSTOP)
                stopped.append(processes[0])

    with patience(0.2), at_units(stop):
        assert solved(game, path, cluster="local[2]") == alone
    assert stopped


@pytest.mark.slow
def test_a_damaged_part(tmp_path, shared):
    """What a worker wrote is not believed where it has changed."""
    with (
        damaged_part(),
        pytest.raises(zermelo.ClusterError, match="is damaged; check the shared"),
    ):
        solved(ConnectFour(3, 4, 3), tmp_path / "game.table", cluster="local[1]")


def test_mistakes(tmp_path):
    """What cannot be is said before any worker is started."""
    path = tmp_path / "game.table"
    with pytest.raises(zermelo.ParameterError, match=r"cluster='local\[2\]' needs table="):
        zermelo.solve(ConnectFour(3, 4, 3), cluster="local[2]")
    for word in ("local", "local[0]", "local[-1]", "", 2, "dask"):
        with pytest.raises(zermelo.ParameterError, match=r"cluster=.* is not known; use"):
            zermelo.solve(ConnectFour(3, 4, 3), cluster=word, table=path)
    said = (
        r"'score', which suits StoneGame, does not run on a cluster; placement, pursuit, dense, "
        r"retrograde and levels do; give method='levels' or leave cluster out"
    )
    with pytest.raises(zermelo.ParameterError, match=said):
        zermelo.solve(StoneGame((3, 1, 2, 4)), table=path, cluster="local[2]")
    assert not list(tmp_path.iterdir())
