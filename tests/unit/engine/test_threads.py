"""Tables are the same, bit for bit, whatever the number of threads; also where a layer is shared.

Layers, ranks and rounds are shared from some thousands of positions on. Here the limits are set
low, so that small games meet what large ones do; the large ones are slow or huge.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zermelo
import zermelo.graph
from support.processes.footprint import Heaps, Ring, Shrinking
from support.sizes import but, some
from zermelo import BudgetError, Game, RulesError, limits
from zermelo.games import ChessEnding, ConnectFour, Quixo, StoneGame, TicTacToe

#: Numbers of threads, several of them again, as threads that race do not always collide.
THREADS = (1, 2, 3, 2, 5)


@pytest.fixture
def sharing_all():
    """Make threads share all work that they can, in small parts."""
    with limits.using(sharing=0, at_once=1 << 8):
        yield


def arrays(solution: Any) -> tuple[bytes, ...]:
    """Return all that a table of numbered positions holds."""
    table = solution._solved.table
    ranks = b"" if table.index.ranks is None else table.index.ranks.tobytes()
    return (
        table.index.keys.tobytes(),
        table.column.stored.tobytes(),
        table.column.owner.tobytes(),
        ranks,
    )


@dataclass(frozen=True)
class Countdown(Game):
    """Take one or two from a number; the declared space may be too small."""

    number: int
    declared: int

    def start(self):
        return self.number

    def moves(self, left):
        for taken in range(1, 3):
            if taken <= left:
                yield taken

    def play(self, left, taken):
        return left - taken

    def space(self):
        return range(self.declared)


@dataclass(frozen=True)
class Wide(Game):
    """Add to a number: more moves from some positions than a small chunk has room for."""

    size: int = 3000
    wide: int = 97

    def start(self):
        return 0

    def moves(self, number):
        many = 500 if number % self.wide == 5 else 3
        for step in range(1, many):
            if number + step <= self.size:
                yield step

    def play(self, number, step):
        return number + step


@dataclass(frozen=True)
class Faulty(Ring):
    """A ring on which one move leads to a place that is none."""

    def play(self, tokens, step):
        after = Ring.play(self, tokens, step)
        if after.runner == 7 and after.left == 11:
            return after._replace(right=-1)
        return after


@pytest.mark.slow
@pytest.mark.usefixtures("sharing_all")
@pytest.mark.parametrize(
    ("game", "method"),
    some(
        [
            (Ring(16), "retrograde"),
            (Ring(14), "horizon"),
            (ConnectFour(4, 3), "retrograde"),
            (Shrinking(14), "score"),
            (TicTacToe(), "retrograde"),
            (Quixo(3), "retrograde"),
            (StoneGame(tuple(range(1, 90))), "score"),
            (Countdown(3000, 1 << 12), "retrograde"),
            (Countdown(2000, 1500), "retrograde"),
            (Wide(), "retrograde"),
        ],
        6,
    ),
    ids=str,
)
def test_tables_do_not_depend_on_the_number_of_threads(game, method):
    """Numbers, keys, values, turns and ranks are the same, and the certificate accepts them."""
    solutions = [zermelo.solve(game, method=method, threads=n) for n in THREADS]
    assert len({arrays(solution) for solution in solutions}) == 1
    assert len({solution.choice for solution in solutions}) == 1
    if method != "horizon":
        assert solutions[-1].verify()


@pytest.mark.slow
@pytest.mark.usefixtures("sharing_all")
def test_a_faulty_rule_is_told_of_alike():
    """The first position at which a rule breaks the contract is named, whoever expands it."""
    said = set()
    for threads in THREADS:
        with pytest.raises(RulesError) as caught:
            zermelo.solve(Faulty(16), method="retrograde", threads=threads)
        # Where it was played is said if the sample that is looked at first did not come that far.
        said.add(str(caught.value).partition("; it was played at")[0])
    assert len(said) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("sharing_all")
@pytest.mark.parametrize("memory", but(["2MB", "700kB", "250kB"], "2MB"))
def test_what_little_memory_has_done_does_not_depend_on_threads(memory):
    """Moves that have no room are given up, or the game is refused, with the same values."""
    found = set()
    for threads in (1, 2, 3):
        try:
            solution = zermelo.solve(Ring(22), method="retrograde", threads=threads, memory=memory)
        except BudgetError:
            found.add("refused")
        else:
            found.add(hashlib.sha256(b"".join(arrays(solution))).hexdigest())
            assert solution.peak_bytes <= 2_000_000
    assert len(found) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("sharing_all")
def test_cycles_in_a_score_game_are_found_by_any_number_of_threads():
    """The position that a cycle can be reached from is the same one."""
    said = set()
    for threads in (1, 2, 3):
        with pytest.raises(RulesError, match="cycle") as caught:
            zermelo.solve(Circling(12), threads=threads)
        said.add(str(caught.value))
    assert len(said) == 1


class Circling(Shrinking):
    """Heaps of which one grows again."""

    def play(self, heaps, move):
        after = Shrinking.play(self, heaps, move)
        if after.a == 3 and after.b == 2:
            return Heaps(self.size, self.size, after.c)
        return after


@pytest.mark.slow
@pytest.mark.parametrize("method", some(["dense", "retrograde"], 2))
def test_counts_of_what_symmetries_make_one_do_not_depend_on_threads(method):
    """Every position is counted, by as many threads as there are."""
    counts = [zermelo.solve(Quixo(3), method=method, threads=n).counts() for n in (1, 2, 3)]
    assert counts[0] == counts[1] == counts[2]


def digest(*parts: Any) -> str:
    """Return a digest of arrays."""
    told = hashlib.sha256()
    for part in parts:
        told.update(np.ascontiguousarray(part).data)
    return told.hexdigest()


@pytest.mark.huge
def test_connect_four_5x4_again_and_again():
    """Four million positions, explored and swept by one to four threads a dozen times."""
    found = set()
    for threads in (1, 2, 3, 4) * 3:
        table = zermelo.solve(ConnectFour(5, 4), method="retrograde", threads=threads)._solved.table
        found.add(digest(table.index.keys, table.column.stored))
    assert len(found) == 1


@pytest.mark.huge
def test_connect_four_5x5_by_one_two_and_three_threads():
    """Seventy million positions with their moves; this takes 3.5 GB of memory."""
    found = set()
    for threads in (1, 2, 3):
        table = zermelo.solve(ConnectFour(5, 5), method="retrograde", threads=threads)._solved.table
        found.add(digest(table.index.keys, table.column.stored))
        del table
    assert len(found) == 1


@pytest.mark.slow
def test_a_ring_of_ninety_again_and_again():
    """A million positions and more, whose moves lead in cycles, by the queue."""
    found = set()
    for threads in (1, 2, 3, 2, 3):
        table = zermelo.solve(Ring(90), method="retrograde", threads=threads)._solved.table
        found.add(digest(table.index.keys, table.column.stored, table.column.owner))
    assert len(found) == 1


@pytest.mark.huge
def test_graphs_of_a_million_vertices_again_and_again():
    """Outcomes and remoteness of random graphs, with and without owners, eight times each."""
    rng = np.random.default_rng(8)
    indptr = np.concatenate([[0], np.cumsum(rng.poisson(4.7, 1_000_000))]).astype(np.int32)
    indices = rng.integers(0, 1_000_000, indptr[-1]).astype(np.int32)
    for owner in (None, rng.integers(0, 2, 1_000_000).astype(np.uint8)):
        found = set()
        for threads in (1, 2, 3, 2, 3, 2, 3, 4):
            solution = zermelo.graph.solve(indptr, indices, owner=owner, threads=threads)
            found.add(digest(solution.arrays.outcome, solution.arrays.remoteness))
        assert len(found) == 1


@pytest.mark.huge
@pytest.mark.parametrize("game", [Quixo(4), ChessEnding("KBNK")], ids=["quixo", "KBNK"])
def test_dense_spaces_by_one_two_and_three_threads(game):
    """The slots that hold positions and their values, of tens of millions."""
    found = set()
    for threads in (1, 2, 3):
        table = zermelo.solve(game, method="dense", threads=threads)._solved.table
        found.add(digest(table.index.directory, table.column.stored, table.column.owner))
    assert len(found) == 1
