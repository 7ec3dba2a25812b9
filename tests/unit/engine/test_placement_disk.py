"""Placement games on disk: the same table, bit for bit, within the least memory there can be."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo
from support.games.boards import (
    FallingMisere,
    FallingWild,
    InARow,
    Maker,
    Misere,
    Notakto,
    Sim,
    Wild,
)
from support.sizes import some
from zermelo import limits
from zermelo.games import ConnectFour

#: Says in which folder large temporary files go.
VARIABLE = "ZERMELO_SCRATCH"

GAMES = [
    ConnectFour(2, 5, 3),
    ConnectFour(5, 1, 3),
    ConnectFour(3, 4, 3),
    InARow(3, 3, 3),
    InARow(2, 5, 3),
    Misere(4, 2, 3),
    Maker(3, 3, 3),
    Notakto(3, 3, 3),
    Wild(3, 3, 3),
    FallingMisere(2, 4, 3),
    FallingWild(3, 3, 3),
    InARow(1, 1, 1),
]


def run(game, memory, threads, *, remoteness):
    """Return the table of a game, how it was made, and the estimate of its memory."""
    how = {"memory": memory, "threads": threads, "value": None if remoteness else "outcome"}
    solution = zermelo.solve(game, method="placement", **how)
    return solution._solved.table, solution.choice, solution.peak_bytes


def enough(game, memory, threads, *, remoteness):
    """Run within an amount of memory, or the next larger that refusals tell of."""
    while True:
        try:
            return memory, *run(game, memory, threads, remoteness=remoteness)
        except zermelo.BudgetError as error:
            if error.needed <= memory:
                raise
            memory = error.needed


def same(one, other):
    """Assert that two tables are the same bit for bit."""
    for mine, theirs in zip(
        one.index.directory.searched, other.index.directory.searched, strict=True
    ):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(one.index.directory.value, other.index.directory.value)
    np.testing.assert_array_equal(one.index.stored, other.index.stored)
    np.testing.assert_array_equal(one.column.stored, other.column.stored)


@pytest.mark.slow
@pytest.mark.parametrize("game", some(GAMES, 12, slow=4), ids=repr)
def test_a_solve_on_disk_gives_the_same_table(game):
    """With the least memory, a little more, and nearly enough; with one to three threads."""
    for remoteness in (True, False):
        whole, said, peak = run(game, 1 << 30, 2, remoteness=remoteness)
        assert "on disk" not in said
        for threads, memory in ((1, 1), (2, peak // 4), (3, peak // 2), (3, peak - 1)):
            allowed, table, said, needed = enough(game, memory, threads, remoteness=remoteness)
            assert needed <= allowed
            assert allowed >= peak or "on disk" in said
            same(whole, table)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        InARow(4, 4, 4),
        *(pytest.param(g, marks=pytest.mark.huge) for g in (ConnectFour(5, 5), ConnectFour(4, 6))),
        pytest.param(Sim(), marks=pytest.mark.huge),
    ],
    ids=repr,
)
def test_large_solves_on_disk_give_the_same_table(game):
    """Where tiers have many sections and frames are few."""
    whole, _, peak = run(game, 1 << 31, 2, remoteness=True)
    for threads, share in ((1, 3), (2, 4), (3, 6)):
        table, said, _ = enough(game, peak // share, threads, remoteness=True)[1:]
        assert "on disk" in said
        same(whole, table)


CUT = [ConnectFour(2, 11), ConnectFour(3, 7), FallingWild(4, 5), ConnectFour(1, 22)]
LARGE = [FallingMisere(5, 4, 3), ConnectFour(4, 5)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [*some(CUT, 4), *(pytest.param(game, marks=pytest.mark.huge) for game in LARGE)],
    ids=repr,
)
def test_tiers_that_are_cut_give_the_same_table(game):
    """A tier of more patterns than are allowed is worked on in slices; they take less memory."""
    whole, _, peak = run(game, 1 << 30, 2, remoteness=True)
    uncut, *_ = enough(game, 1, 1, remoteness=True)
    for threads, memory in ((1, 1), (2, peak // 3)):
        with limits.using(tier=1):
            allowed, table, said, _ = enough(game, memory, threads, remoteness=True)
        assert "on disk" in said
        same(whole, table)
        assert allowed <= uncut or memory > 1


@pytest.mark.slow
def test_a_solution_on_disk_answers_as_any_other(tmp_path):
    """It is probed, gone through, counted, verified and saved like one in memory."""
    rich = zermelo.solve(ConnectFour(4, 4))
    poor = zermelo.solve(ConnectFour(4, 4), memory="150kB")
    assert "on disk" in poor.choice
    assert "bytes a position written" in poor.choice
    assert dict(poor.items()) == dict(rich.items())
    assert poor.counts() == rich.counts()
    assert poor.options() == rich.options()
    assert poor.verify()
    assert zermelo.open(poor.save(tmp_path / "four.table")).counts() == rich.counts()


def test_a_folder_that_cannot_be_written_to_is_named(monkeypatch, tmp_path):
    """What does not fit is refused with the folder, and with what to do."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with pytest.raises(zermelo.BudgetError, match=rf"none'.*set {VARIABLE} to a folder"):
        zermelo.solve(ConnectFour(4, 4), memory="150kB")


def test_a_full_disk_is_not_filled(monkeypatch):
    """What is to be written is compared with what is left, of which some is left to others."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(zermelo.BudgetError, match=r"on disk, but only .* may be used"):
        zermelo.solve(ConnectFour(4, 4), memory="150kB")


def test_nothing_is_left_on_disk(monkeypatch, tmp_path):
    """Neither by a solution that is there, nor by one that is gone, nor by a solve that failed."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    solution = zermelo.solve(ConnectFour(4, 4), memory="150kB")
    assert "on disk" in solution.choice
    assert not list(tmp_path.iterdir())

    def interrupt(event):
        if event.phase == "sweep":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        zermelo.solve(ConnectFour(4, 4), memory="150kB", progress=interrupt)
    assert not list(tmp_path.iterdir())
