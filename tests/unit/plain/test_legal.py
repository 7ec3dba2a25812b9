"""Small games of which all legal positions are solved, without Numba."""

from __future__ import annotations

from collections import Counter

import zermelo
from support.faults.false_declarations import LegalHunt, legal_games, lies_about_legal
from support.oracles import oracle
from support.sizes import counts
from zermelo import LOSS, limits


class AllLegal(LegalHunt):
    """The same game, which begins in any legal position."""

    def starts(self):
        return [self.start(), *legal_positions(self)]


def legal_positions(game):
    """Return the legal positions of a game with a space of three fields."""
    kind, (first, second, third) = type(game.start()), game.space()
    every = (kind(a, b, c) for a in first for b in second for c in third)
    return [position for position in every if game.legal(position)]


@counts(20, None, 400)
def test_all_legal_positions_have_the_values_of_the_oracle(count, tmp_path):
    """Also those that cannot be reached, one for each class of equivalent ones; and in files."""
    for game in legal_games(5, count):
        with limits.using(plain_seconds=60.0):
            solution = zermelo.solve(game)
            assert solution.method == "plain"
            legal = legal_positions(game)
            expected = oracle.solve(AllLegal(**vars(game)))
            for position in legal:
                value = solution[position]
                assert (int(value.outcome), value.remoteness) == expected[position], game
            assert solution.counts().positions == len(legal)
            assert solution.verify()


@counts(4, 100, 300)
def test_tables_of_legal_positions_are_read(count, tmp_path):
    """They are those of a declared space, which compiled rules write."""
    for game in legal_games(6, count // 10):
        with limits.using(plain_seconds=60.0):
            solution = zermelo.solve(game)
            opened = zermelo.open(solution.save(tmp_path / "x.table", overwrite=True), game)
            assert dict(opened.items()) == dict(solution.items())
            assert opened.verify()


@counts(30, None, 400)
def test_false_legal_is_refused(count):
    """A game with moves to positions that are not legal is no game; compiled rules say where."""
    found = Counter()
    for game in lies_about_legal(5, count):
        try:
            with limits.using(plain_seconds=60.0):
                solution = zermelo.solve(game, method="plain")
        except (zermelo.RulesError, zermelo.ParameterError):
            found["refused"] += 1
        else:
            assert solution.verify()
            found["right"] += 1
    assert found["refused"] > found["right"] > 0


def test_a_wrong_value_of_a_position_that_cannot_be_reached_is_found():
    """The check begins at all legal positions."""
    game = next(legal_games(5, 1))
    with limits.using(plain_seconds=60.0):
        solution = zermelo.solve(game, symmetry=False, method="plain")
    codes = solution._answering.table.column.stored
    right, codes[-1] = codes[-1], solution.kind.encode(zermelo.Value(LOSS, 40))
    assert right != codes[-1]
    assert not solution.verify()
