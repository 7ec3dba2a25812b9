"""Dense spaces that are short of memory, where the game names the parents of a position."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import pytest

import oracle
import zermelo
from dense_games import FreeRing, Pebbles, Ring, fixed_bytes, table_of
from strategies import OwnedGame, VertexGame, random_games
from symmetric import Pair, PairGame, Token, WheelGame, random_symmetric
from zermelo import Game


class Told(VertexGame):
    """A token on a graph; its parents are found by looking through all edges."""

    def parents(self, vertex: int) -> Any:
        for source in range(len(self.rows)):
            for target in self.rows[source]:
                if target == vertex:
                    yield source

    def space(self) -> range:
        return range(len(self.rows))


class ToldOwned(OwnedGame):
    """The same where vertices have owners; the parents come as a list, each once."""

    def parents(self, vertex: int) -> Any:
        return [source for source in range(len(self.rows)) if vertex in self.rows[source]]

    def space(self) -> range:
        return range(len(self.rows))


class ToldRing(Ring):
    """Pebbles on a ring, which step back to where they may have come from."""

    def parents(self, p: Pebbles) -> Any:
        free = ~(p.mine | p.theirs)
        for cell in range(self.cells):
            if p.theirs >> cell & 1:
                for step in (1, self.cells - 1, 3):
                    before = (cell - step) % self.cells
                    if free >> before & 1:
                        yield Pebbles(p.theirs & ~(1 << cell) | 1 << before, p.mine)


class ToldFreeRing(ToldRing, FreeRing):
    """The same with a space of pebbles in any number."""


class ToldWheel(WheelGame):
    """A token on a graph that permutations keep."""

    def parents(self, token: Token) -> Any:
        for source in range(len(self.rows)):
            if token.vertex in self.rows[source]:
                yield Token(source, (token.clock + 2) % 3)


class ToldPair(PairGame):
    """Two tokens alike, and a third that follows: where it was before, nobody can tell."""

    def parents(self, pair: Pair) -> Any:
        for shared in range(len(self.rows)):
            if pair.left in self.rows[pair.shared]:
                yield Pair(pair.shared, pair.right, shared)
            if pair.right in self.rows[pair.shared]:
                yield Pair(pair.left, pair.shared, shared)


def remade(kind: Any, game: Game) -> Any:
    """Return a game of a derived class."""
    return kind(**{field.name: getattr(game, field.name) for field in fields(game)})


def tight(game: Game, threads: int = 1, positions: int = 0) -> zermelo.Solution:
    """Solve a game with memory for values alone, and see that its parents were asked for."""
    most = fixed_bytes(game, threads) + 4 * positions
    solution = zermelo.solve(game, method="dense", threads=threads, memory=most)
    assert "rounds by parents()" in solution.choice
    assert solution.peak_bytes <= most
    return solution


@pytest.mark.parametrize(
    ("kind", "told"), [(VertexGame, Told), (OwnedGame, ToldOwned)], ids=["alternating", "owned"]
)
def test_random_games_agree_with_the_oracle(kind: Any, told: Any) -> None:
    """Loops, duplicate moves, dead ends, ties and extra turns come out right when told where."""
    games = (game for game in random_games(53, 700) if type(game) is kind)
    for game in (remade(told, game) for game in games):
        right = oracle.solve(game)
        assert table_of(tight(game, positions=len(right))) == right, game


@pytest.mark.parametrize(
    ("kind", "told"), [(WheelGame, ToldWheel), (PairGame, ToldPair)], ids=["wheel", "pair"]
)
def test_parents_are_folded_like_positions(kind: Any, told: Any) -> None:
    """Where symmetries make positions one, what leads to one of them leads to their class."""
    games = (game for game in random_symmetric(59, 240) if type(game) is kind)
    for game in (remade(told, game) for game in games):
        whole = zermelo.solve(game, method="dense", threads=1)
        folded = tight(game, positions=len(whole))
        assert dict(folded.items()) == dict(whole.items()), game
        assert folded.verify()


@pytest.mark.parametrize("kind", [ToldRing, ToldFreeRing])
def test_tables_are_those_of_reversed_moves_for_any_number_of_threads(kind: Any) -> None:
    """On hundreds of thousands of positions and three threads not one is missed."""
    game = kind(13, 3)
    whole: Any = zermelo.solve(game, method="dense")._solved.table
    for threads in (1, 2, 3):
        table: Any = tight(game, threads, positions=len(whole))._solved.table
        assert table.scale == whole.scale
        assert (table.state == whole.state).all()


def test_long_games_outgrow_a_byte() -> None:
    """Remoteness past 62 and past 127 is told on as well."""
    n = 300
    rows = ((), *((v - 1,) for v in range(1, n)))
    game = Told(rows=rows, endings=(2,) * n, roots=(n - 1,))
    assert tight(game, positions=n).value.remoteness == n - 1


@dataclass(frozen=True)
class Star(Game):
    """Every vertex but the middle leads there, and there the game ends."""

    rays: int

    def starts(self):
        return range(self.rays + 1)

    def moves(self, vertex):
        if vertex:
            yield 0

    def play(self, vertex, there):
        return there

    def parents(self, vertex):
        if vertex == 0:
            for ray in range(1, self.rays + 1):
                yield ray

    def space(self):
        return range(self.rays + 1)


def test_more_parents_than_there_is_room_for_make_room() -> None:
    """A position may have as many parents as it likes; the buffer grows."""
    game = Star(90_000)
    solution = tight(game, positions=90_001)
    assert (solution.counts().win, solution.counts().loss) == (90_000, 1)
    assert solution[7].remoteness == 1


class Failing(Star):
    """A game whose parents cannot be told."""

    def parents(self, vertex):
        yield 7 // vertex


class Endless(Star):
    """A game whose parents do not end."""

    def parents(self, vertex):
        ray = 1
        while ray:
            yield ray


class Fractions(Star):
    """A game whose parents are no positions."""

    def parents(self, vertex):
        yield vertex, vertex


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Failing, r"Failing\.parents\(\) raised ZeroDivisionError.* at 0 "),
        (Endless, r"Endless\.parents\(0\) does not end"),
        (Fractions, r"Fractions\.parents yields a tuple.*; yield whole numbers"),
    ],
)
def test_faults_are_told_in_the_words_of_other_hooks(kind: Any, said: str) -> None:
    """What parents raises, and that it does not end, or yields no position, names the hook."""
    with pytest.raises(zermelo.ZermeloError, match=said):
        tight(kind(4), positions=5)


class Outside(Star):
    """A game that names places outside its space as parents, and one that is no parent."""

    def parents(self, vertex):
        yield -1
        yield self.rays + 1
        yield 0
        for ray in range(1, self.rays + 1):
            yield ray


def test_what_is_no_parent_does_no_harm() -> None:
    """What parents names is looked at, not believed."""
    solution = tight(Outside(9), positions=10)
    assert [solution[v].remoteness for v in range(10)] == [0] + [1] * 9
    assert solution.verify()


def test_parents_are_not_asked_for_where_canonical_is_written_by_hand() -> None:
    """Such a hook may forget what does not matter, and then parents of one are not all."""

    class Forgetful(Star):
        def canonical(self, vertex):
            return min(vertex, 1)

    game = Forgetful(9)
    solution = zermelo.solve(game, method="dense", threads=1, memory=fixed_bytes(game) + 8)
    assert "parents" not in solution.choice
    assert solution.verify()
