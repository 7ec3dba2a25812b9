"""The certificate by several processes: what one process says, of right and wrong tables."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass
from unittest import mock

import numpy as np
import pytest

import zermelo
from support.faults.tampered_tables import ROUND, forged
from support.games.boards import FallingWild, Maker, Misere
from support.games.dense import FreeRing, Hunt
from support.processes.fake_workers import pretended
from support.sizes import counts, some
from zermelo import limits
from zermelo.games import (
    CatAndMouse,
    ConnectFour,
    Kalah,
    Quarto,
    Snort,
    ThreeMensMorris,
    TicTacToe,
)
from zermelo.solution import certificate

pytestmark = pytest.mark.slow  # compiles what only clusters call

CHASE = CatAndMouse([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]])
GAMES = [ConnectFour(3, 4, 3), Misere(4, 2, 3), Maker(3, 3, 3), FallingWild(3, 3, 3)]


def said(solution, **how):
    """Return what is said of a table, or that it is refused."""
    try:
        found = solution.verify(**how)
    except (zermelo.CorruptTableError, zermelo.ClusterError):
        return "refused"
    return found.ok, found.positions, found.moves, found.problem, found.position


@counts(None, 40, 400)
@pytest.mark.parametrize("game", some(GAMES, 4, slow=2), ids=repr)
def test_whatever_is_forged_the_same_is_said(count, game, tmp_path):
    """Wrong values, positions that are not there, and nothing wrong, with any number of workers."""
    path = tmp_path / "game.table"
    zermelo.solve(game, table=path, value=None)
    rng = random.Random(3)
    heard = set()

    def change(header, parts):
        blocks = parts[rng.choice(("values", "patterns", "values", "present"))]
        block = blocks[rng.randrange(len(blocks))]
        for _ in range(rng.choice((0, 1, 1, 2))):
            block[rng.randrange(len(block))] ^= 1 << rng.randrange(8)

    with limits.using(bitwise=0):
        for _ in range(count):
            try:
                solution = zermelo.open(forged(path, change), game=game)
            except zermelo.CorruptTableError:
                continue
            with solution:
                alone = said(solution)
                size = rng.randrange(1, 8)
                with pretended(size):
                    assert said(solution, cluster=f"local[{size}]") == alone
            heard.add(alone[0])
    assert {True, False} <= heard


@counts(None, 35, 300)
def test_whatever_is_forged_in_pursuits_the_same_is_said(count, tmp_path):
    """Of a game that is a pursuit and of one without a game, with one pursuer and with two."""
    ring = [[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]
    pair = zermelo.pursuit(CHASE.graph, ring, pursuers=2, together=count > 12)
    paths = tmp_path / "chase.table", tmp_path / "pair.table"
    zermelo.solve(CHASE, table=paths[0], method="pursuit")
    pair.save(paths[1])
    rng = random.Random(count)
    heard = set()

    def change(header, parts):
        block = rng.choice(parts["values"])
        block[rng.randrange(len(block))] ^= 1 << rng.randrange(2)

    with limits.using(bitwise=0):
        for n in range(count):
            path = paths[n % 2]
            try:
                solution = zermelo.open(path if n < 2 else forged(path, change))
            except zermelo.CorruptTableError:
                continue
            with solution:
                size = rng.randrange(1, 6)
                with pretended(size):
                    shared = said(solution, cluster=f"local[{size}]")
                assert shared == said(solution)
                heard.add((n % 2, shared[0]))
    assert {(0, True), (0, False), (1, True), (1, False)} <= heard


LISTED = [ConnectFour(4, 3), Kalah(3, 2), Quarto(2), Snort(3, 3), TicTacToe()]


METHODS = [(game, "levels") for game in LISTED]
METHODS += [(FreeRing(11, 2), "dense"), (Hunt(9), "dense")]
METHODS += [(game, "retrograde") for game in (ThreeMensMorris(), CHASE, TicTacToe())]


@counts(None, 20, 200)
@pytest.mark.parametrize(("game", "method"), some(METHODS, 10, slow=2))
def test_whatever_is_forged_in_lists_the_same_is_said(count, game, method, tmp_path):
    """Values, positions, where they are found, and nothing wrong; in games with cycles, too."""
    path = tmp_path / "game.table"
    zermelo.solve(game, table=path, method=method)
    rng = random.Random(count)
    heard = set()

    def change(header, parts):
        for _ in range(rng.choice((1, 1, 2))):
            arrays = {"values", "positions", "first", "slots"}
            blocks = parts[rng.choice(sorted(set(parts) & arrays))]
            block = blocks[rng.randrange(len(blocks))]
            block[rng.randrange(len(block))] ^= 1 << rng.randrange(8)

    one_by_one = certificate._check_by_expansion
    for n in range(count):
        with mock.patch.object(certificate, "_check_by_expansion", side_effect=one_by_one) as alone:
            try:
                solution = zermelo.open(forged(path, change) if n else path, game=game)
            except zermelo.CorruptTableError:
                continue
            with solution:
                size = rng.randrange(1, 6)
                with pretended(size):
                    shared = said(solution, cluster=f"local[{size}]")
                # Where nothing is wrong, workers have said it, and nobody else.
                assert shared == "refused" or alone.called == (not shared[0])
                assert shared == said(solution)
                heard.add(shared[0])
    assert {True, False} <= heard


@pytest.mark.parametrize(
    ("whole", "method"), [(ConnectFour(4, 3), "levels"), (CHASE, "retrograde")]
)
def test_positions_that_nothing_leads_to(whole, method, tmp_path):
    """An island of positions is found, though each of its values follows from the others."""
    path = tmp_path / "part.table"
    zermelo.solve(whole, table=path, method=method)
    solution = zermelo.open(path)
    table = solution._solved
    with (
        mock.patch.object(
            type(table.compiled),
            "start_words",
            return_value=table.table.packed(np.array([len(table.table) // 2])).reshape(1, -1),
        ),
        pretended(2),
    ):
        found = solution.verify(cluster="local[2]")
    assert "cannot be reached from the start" in found.problem


@dataclass(frozen=True)
class Lingering(TicTacToe):
    """What moves do not raise, workers cannot vouch for."""

    def level(self, board):
        return (board.mine | board.theirs).bit_count() // 2


def test_levels_that_are_not_raised(tmp_path):
    """Then one process looks at it."""
    solution = zermelo.solve(Lingering(), table=tmp_path / "game.table")
    with (
        mock.patch.object(
            certificate, "_check_by_expansion", side_effect=certificate._check_by_expansion
        ) as one,
        pretended(2),
    ):
        assert solution.verify(cluster="local[2]")
    assert one.called


def test_a_lost_worker(tmp_path):
    """Another looks at its levels."""
    solution = zermelo.solve(ConnectFour(4, 4), table=tmp_path / "four.table")
    alone = said(solution)
    lost = [True]
    with pretended(3, lambda unit: lost and unit[0] and lost.pop()):
        assert said(solution, cluster="local[3]") == alone
    assert not lost


@pytest.mark.parametrize("game", [ConnectFour(4, 4), CHASE], ids=["placement", "pursuit"])
@pytest.mark.timing
def test_the_command_has_an_option_for_it(game, tmp_path):
    """Each worker is a process."""
    path = tmp_path / "game.table"
    zermelo.solve(game, table=path, method="pursuit" if game is CHASE else None)
    command = [sys.executable, "-m", "zermelo", "verify", path, "--cluster", "local[2]"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout[:21]) == (0, "the certificate holds")


def test_another_table_there(tmp_path):
    """A worker that finds another file at the path says so."""
    path = tmp_path / "four.table"
    solution = zermelo.solve(ConnectFour(4, 4), table=path)
    solution._solved.table.reader.header["made"] = "elsewhere"
    with (
        pretended(1),
        pytest.raises(zermelo.ClusterError, match=r"differs between machines; mount"),
    ):
        solution.verify(cluster="local[1]")


def test_mistakes(tmp_path):
    """What cannot be shared is said at once."""
    with pytest.raises(zermelo.ParameterError, match=r"cluster='locl' is not known"):
        zermelo.solve(ConnectFour(3, 4, 3)).verify(cluster="locl")
    with pytest.raises(zermelo.ParameterError, match=r"only a table in a file"):
        zermelo.solve(ConnectFour(3, 4, 3)).verify(cluster="local[2]")
    zermelo.graph.solve([0, 1, 1], [1], table=tmp_path / "graph.table")
    with pytest.raises(zermelo.ParameterError, match=r"leave cluster out"):
        zermelo.open(tmp_path / "graph.table").verify(cluster="local[2]")
    zermelo.solve(ROUND).save(tmp_path / "score.table")
    scored = zermelo.open(tmp_path / "score.table", game=ROUND)
    with pytest.raises(
        zermelo.ParameterError,
        match=r"of the methods 'placement', 'dense', 'levels', 'retrograde' and 'pursuit'; leav",
    ):
        scored.verify(cluster="local[2]")
