"""Nimbers and infinities of random impartial games, against what they mean, and forged."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import zermelo
from support.games.strategies import OPEN, VertexGame
from support.oracles import oracle
from support.sizes import counts
from zermelo.values.outcomes import Value

#: Codes that a forger might write.
FORGED = (0, 1, 2, 3, 4, -1, -2, -3, -4, -5, -6, -8, -(1 << 31))


def random_game(random: Random) -> VertexGame:
    """Return a token on a graph with self-loops, duplicate edges and dead ends, several starts."""
    vertices = random.randint(1, 11)
    forward, most = random.random() < 0.5, random.choice([2, 3, 5])
    rows = []
    for vertex in range(vertices):
        row = [random.randrange(vertices) for _ in range(random.randint(0, most))]
        if forward:  # so that circles are few, and many positions with them have nimbers
            row = [min(max(target, vertex + 1), vertices - 1) for target in row]
            row = [target for target in row if target > vertex]
            row += [random.randrange(vertices)] * (random.random() < 0.3)
        rows.append(tuple(row + row[: random.random() < 0.2]))
    roots = {random.randrange(vertices) for _ in range(random.randint(1, 3))}
    return VertexGame(tuple(rows), (OPEN,) * vertices, tuple(roots))


def plain(value: Value) -> int | frozenset[int]:
    """Return a value as the oracle writes it."""
    return frozenset(value.infinity) if value.infinity is not None else value.nimber  # type: ignore[return-value]


@counts(40, 1000, 3000)
def test_values_are_what_they_mean(count: int) -> None:
    """And the certificate holds; and whoever wins does so in the end, along the line of play."""
    random = Random(1)
    for _ in range(count):
        game = random_game(random)
        expected = oracle.nimbers({n: list(row) for n, row in enumerate(game.rows)})
        solution = zermelo.solve(game, value="nimber", threads=1)
        found = {position: plain(value) for position, value in solution.items()}
        assert set(found) == set(oracle.explore(game)), game
        assert found == {position: expected[position] for position in found}, game
        assert solution.verify(), game
        for position, value in solution.items():
            if value.outcome != zermelo.DRAW:
                assert solution.line(position).ends == "terminal", (game, position)


@counts(30, 1000)
def test_forged_values_are_caught(count: int) -> None:
    """One value, or many and the order in which they are said to be proved."""
    random = Random(2)
    for _ in range(count):
        game = random_game(random)
        solution: Any = zermelo.solve(game, value="nimber", threads=1)
        table = solution._solved.table
        stored, ranks = table.column.stored, table.index.ranks
        right = stored.copy()
        for at in range(len(stored)):
            stored[at] = random.choice([n for n in FORGED if n != stored[at]])
            assert not solution.verify(), (game, at, stored[at])
            stored[at] = right[at]
        if ranks is None:
            continue
        for _ in range(5):
            for at in range(len(stored)):
                if random.random() < 0.4:
                    stored[at] = random.choice(FORGED)
                ranks[at] = random.randrange(8)
            assert not solution.verify() or (stored == right).all(), game
            stored[:] = right


@counts(5, 200)
def test_tables_keep_infinities(tmp_path: Path, count: int) -> None:
    """With what proves them, and with the words and arrays that they are asked for in."""
    random, path = Random(3), tmp_path / "x.table"
    for _ in range(count):
        solution = zermelo.solve(random_game(random), value="nimber", threads=1)
        solution.save(path, overwrite=True)
        with zermelo.open(path, VertexGame) as opened:
            assert dict(opened.items()) == dict(solution.items())
            assert opened.counts() == solution.counts()
            assert opened.verify()
            for start in opened:
                assert opened.options(start) == solution.options(start)
            probes = opened.probe_many(list(opened))
            told = zip(probes.nimber.tolist(), probes.infinity.tolist(), strict=True)
            for (nimber, bits), value in zip(told, dict(opened.items()).values(), strict=True):
                assert (value.nimber is None) == (nimber == -1)
                assert (value.infinity is None) == (bits == -1)
                numbers = [n for n in range(8) if bits >> n & 1] if bits >= 0 else None
                assert numbers == (None if value.infinity is None else list(value.infinity))
