"""Score games that can go round in cycles, against the oracle and the certificate."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import zermelo
from support.games.strategies import OwnedScoreGame, random_loopy_score_games
from support.oracles import oracle
from support.sizes import counts
from zermelo.values.score_and_plies import TIMED_SCORES, code_of, parts_of


def told(solution: zermelo.Solution) -> dict[Any, tuple[int | None, int | None]]:
    """Return the score and the plies of each position."""
    return {position: (value.score, value.remoteness) for position, value in solution.items()}


@counts(None, 150, 5_000)
def test_random_games_are_worth_what_the_oracle_says(count: int) -> None:
    """Margins and plies of both are the same, and the certificate finds them right."""
    cycles = 0
    for game in random_loopy_score_games(14, count):
        right = oracle.solve_loopy_scores(game)
        solution = zermelo.solve(game, value="score-and-plies")
        assert told(solution) == right, game
        assert solution.verify(), game
        for position, value in solution.items():
            options = solution.options(position)
            assert not options or options[0].value == value, (game, position)
        found = zermelo.solve(game)
        if found.kind is TIMED_SCORES:
            cycles += 1
            assert told(found) == right, game
        else:
            assert told(found) == {p: (margin, None) for p, (margin, _) in right.items()}
    assert cycles > count / 2


@counts(None, 65, 1_000)
def test_wrong_values_and_wrong_plies_are_found(count: int) -> None:
    """Each value is replaced by others near it: the certificate refuses all but the same again."""
    chance = random.Random(14)
    for game in random_loopy_score_games(15, count):
        solution = zermelo.solve(game, value="score-and-plies")
        stored = solution._solved.table.column.stored
        right = stored.copy()
        for place in range(len(right)):
            margin, plies = parts_of(int(right[place]))
            others = {
                code_of(margin + chance.choice([-1, 1]), plies),
                code_of(margin, None if plies is not None else chance.randint(0, 3)),
                code_of(margin, (plies or 0) + 1),
                code_of(-margin, plies, 5),
            }
            for other in others:
                stored[place] = other
                same = parts_of(other) == (margin, plies) and other == right[place]
                assert bool(solution.verify()) == same, (game, place, other)
            stored[place] = right[place]
        assert solution.verify()


@pytest.mark.slow
def test_margins_that_vouch_for_each_other_in_a_cycle_are_found() -> None:
    """No margin but that of endless play holds on a cycle without plies that count down."""
    game = OwnedScoreGame(
        ((1, 2), (0, 3), (), ()), ((0, 0),) * 2 + ((), ()), (0, 0, 3, 3), (0, 1, 0, 1), (0,)
    )
    solution = zermelo.solve(game)
    assert solution.verify()
    stored = solution._solved.table.column.stored
    right = stored.copy()
    for margin in (-4, -3, -1, 1, 2, 4):
        for plies in (None, 1, 2, 7):
            stored[:2] = [code_of(margin, plies), code_of(-margin, plies)]
            assert not solution.verify(), (margin, plies)
    stored[:] = right
    assert solution.verify()


@pytest.mark.slow
def test_the_order_of_play_does_not_matter_to_the_sign() -> None:
    """With the players exchanged, each margin is that of the other."""
    for game in random_loopy_score_games(16, 20, kinds=[OwnedScoreGame]):
        other = replace(game, owners=tuple(1 - owner for owner in game.owners))
        assert told(zermelo.solve(game)) == told(zermelo.solve(other))
