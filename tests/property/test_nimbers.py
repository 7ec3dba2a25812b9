"""Nimbers and infinities of random impartial games, against what they mean, and forged."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import zermelo
from support.games.strategies import VertexGame, random_impartial_game
from support.oracles.nimbers import as_oracle, nimbers_of
from support.sizes import counts
from zermelo import BudgetError, limits

#: Codes that a forger might write.
FORGED = (0, 1, 2, 3, 4, -1, -2, -3, -4, -5, -6, -8, -(1 << 31))


@counts(None, 350, 3_000)
def test_values_are_what_they_mean(count: int) -> None:
    """And the certificate holds; and whoever wins does so in the end, along the line of play."""
    random = Random(1)
    for _ in range(count):
        game = random_impartial_game(random)
        solution = zermelo.solve(game, value="nimber", threads=1)
        found = {position: as_oracle(value) for position, value in solution.items()}
        assert found == nimbers_of(game), game
        assert solution.verify(), game
        for position, value in solution.items():
            if value.outcome != zermelo.DRAW:
                assert solution.line(position).ends == "terminal", (game, position)


@counts(None, 250, 500)
def test_nimbers_do_not_depend_on_stored_moves(count: int) -> None:
    """The rules are run again in passes; if play need not end, moves have to be stored."""
    random, ends = Random(3), 0
    for _ in range(count):
        game = random_impartial_game(random)
        stored = zermelo.solve(game, value="nimber", threads=1)
        with limits.using(in_memory=False, plain_seconds=0, at_once=random.choice((2, 64))):
            if "play need not end" in stored.choice:
                with pytest.raises(BudgetError, match="ask who wins, without value='nimber'"):
                    zermelo.solve(game, value="nimber", threads=1)
                continue
            found = zermelo.solve(game, value="nimber", threads=1)
        assert "running the rules again each time" in found.choice
        assert dict(found.items()) == dict(stored.items()), game
        assert found.verify(), game
        ends += 1
    assert ends > 0


@counts(None, 150, 1_000)
def test_forged_values_are_caught(count: int) -> None:
    """One value, or many and the order in which they are said to be proved."""
    random = Random(2)
    for _ in range(count):
        game = random_impartial_game(random)
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


@counts(None, 65, 200)
def test_tables_keep_infinities(tmp_path: Path, count: int) -> None:
    """With what proves them, and with the words and arrays that they are asked for in."""
    random, path = Random(3), tmp_path / "x.table"
    for _ in range(count):
        solution = zermelo.solve(random_impartial_game(random), value="nimber", threads=1)
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
