"""Sums of random games against one game of the product, solved by brute force."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

import zermelo
from support.oracles import oracle
from support.oracles.sums import Both, Mirrored, Product, Shared, Token, some_game
from support.sizes import counts
from zermelo import LOSS, WIN, OutcomeClass, ParameterError

MIXTURES = ((Token,), (Mirrored,), (Token, Shared), (Token, Mirrored, Shared))
CLASSES = {(1, 1): "L", (1, -1): "N", (-1, 1): "P", (-1, -1): "R"}


def games(seed: int) -> tuple[Random, list[Any], bool]:
    """Return one to three random games, some of which go in cycles."""
    random = Random(seed)
    cycles = random.random() < 0.5
    kinds = MIXTURES[seed % len(MIXTURES)]
    parts = [some_game(random, kinds, cycles=cycles) for _ in range(random.randrange(1, 4))]
    if all(isinstance(part, Shared) for part in parts):
        parts[0] = some_game(random, (Token,), cycles=cycles)
    return random, parts, cycles


@counts(None, 40, 2_000)
def test_sums_of_partizan_games_are_those_of_the_product(count: int) -> None:
    """Values, best moves and classes of all positions that either player can begin in."""
    for seed in range(count):
        random, parts, _ = games(seed)
        misere = random.random() < 0.2
        whole = Both(parts, WIN if misere else LOSS)
        values = oracle.solve(whole)
        solution = zermelo.sum(*parts, misere=misere)
        assert solution.verify()
        for position, (outcome, remoteness) in values.items():
            found = solution[position]
            assert (found.outcome, found.remoteness) == (outcome, remoteness), (seed, position)
        for position in random.sample(sorted(values), min(5, len(values))):
            assert solution.best(position) == oracle.best(whole, values, position)
            _check_class(solution, whole, values, position)


def _check_class(solution: Any, whole: Product, values: Any, position: Any) -> None:
    """Compare the class of a position with its values for either player."""
    owner = solution.rules.owner(position)
    here, there = values[position][0], values.get(whole.passed(position), (None,))[0]
    if there is None:
        return
    if 0 in (here, there):
        with pytest.raises(ParameterError, match="has no outcome class, as it is a draw if"):
            solution.outcome_class(position)
        return
    pair = (here, -there) if owner == 0 else (there, -here)
    assert solution.outcome_class(position) == CLASSES[pair]


@counts(None, None, 2_000)
def test_sums_of_impartial_games_are_those_of_the_product(count: int) -> None:
    """Outcomes and winning moves of all positions, from the nimbers of the parts alone."""
    for seed in range(count):
        random = Random(seed)
        cycles = random.random() < 0.5
        parts = [some_game(random, (Shared,), cycles=cycles) for _ in range(random.randrange(1, 4))]
        whole = Product(parts)
        values = oracle.solve(whole)
        solution = zermelo.sum(*parts)
        assert solution.method == "sum"
        for position, (outcome, _) in values.items():
            assert solution[position].outcome == outcome, (seed, position)
            winning = [m for m in whole.moves(position) if values[whole.play(position, m)][0] == -1]
            assert sorted(solution.winning_moves(position)) == sorted(winning)
        assert solution.verify()


@counts(None, 20, 500)
def test_positions_of_impartial_sums_are_counted_without_being_listed(count: int) -> None:
    """The counts are those of all tuples of positions of the parts."""
    for seed in range(count):
        random = Random(seed)
        parts = [some_game(random, (Shared,), cycles=seed % 2 == 0) for _ in range(3)]
        solution = zermelo.sum(*parts)
        each = [list(zermelo.solve(part, value="nimber")) for part in parts]
        every = list(product(*each))
        found = [solution[position] for position in every]
        counts = solution.counts()
        assert counts.positions == len(solution) == len(every)
        assert counts.by_nimber == {
            n: [value.nimber for value in found].count(n)
            for n in sorted({value.nimber for value in found} - {None})
        }
        assert counts.by_outcome == {
            str(outcome): [value.outcome for value in found].count(outcome)
            for outcome in (WIN, zermelo.DRAW, LOSS)
        }
        assert sorted(solution) == sorted(every)
        probes = solution.probe_many(every)
        assert [zermelo.Value(v.outcome) for v in found] == [
            zermelo.Value(zermelo.Outcome(outcome)) for outcome in probes.outcome.tolist()
        ]


@counts(20, None, 500)
def test_a_perfect_line_of_a_won_sum_ends(count: int) -> None:
    """Also where the parts can go round in cycles."""
    for seed in range(count):
        random = Random(seed)
        parts = [some_game(random, (Shared,), cycles=True) for _ in range(3)]
        solution = zermelo.sum(*parts)
        for position in random.choices(list(solution), k=3):
            value = solution[position]
            if value.outcome is WIN:
                here, plies = position, 0
                while options := solution.options(here):
                    won = options[0].value.outcome is WIN
                    # The loser does whatever keeps the game going for longest, or anything.
                    here = (options[0] if won else random.choice(options)).position
                    plies += 1
                    assert plies < 1_000, (seed, position)


@counts(None, 65, 500)
def test_classes_are_counted_as_they_are_found(count: int) -> None:
    """One for each position, whoever is to move there, but for draws."""
    for seed in range(count):
        _, parts, _ = games(seed)
        solution = zermelo.sum(*parts)
        expected = dict.fromkeys(OutcomeClass, 0)
        for position in solution:
            if solution.rules.owner(position) == 0:
                try:
                    expected[solution.outcome_class(position)] += 1
                except ParameterError:
                    continue
        assert solution.class_counts() == expected
