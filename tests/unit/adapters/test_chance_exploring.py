"""Games with chance of other libraries, against exact values; without any such library."""

import random
from fractions import Fraction

import numpy as np
import pytest

import zermelo
from support.games.states import (
    Machine,
    PlainOutcomes,
    PlainScores,
    StateMachine,
    random_machine,
)
from support.oracles import expectations
from support.sizes import counts
from zermelo.adapters.finding.exploration import explore_source
from zermelo.adapters.finding.states import CHANCE
from zermelo.adapters.from_openspiel import weights_of
from zermelo.adapters.imported_game import (
    ImportedChanceOutcomes,
    ImportedChanceScores,
    import_game,
)

MOST = 10_000


class ChanceMachine(StateMachine):
    """A machine in some of whose states chance decides; ``weights`` has the weights of these."""

    def facts(self, states):
        """Return the facts of states."""
        return [
            (CHANCE, moves, self.weights[s]) if s in self.weights else (player, moves, payoff)
            for s, (player, moves, payoff) in zip(states, super().facts(states), strict=True)
        ]


class SingleChanceMachine(Machine, ChanceMachine):
    """A machine with chance whose states are queried one by one."""


class Chance:
    """The results of chance of a machine's game, in the form of the oracle."""

    def chance(self, s):
        """Yield the weight and the state of each result."""
        yield from zip(self.machine.weights.get(s, ()), self.machine.rows[s], strict=False)


class ChanceOutcomes(Chance, PlainOutcomes):
    """A machine's game with chance and outcomes."""


class ChanceScores(Chance, PlainScores):
    """A machine's game with chance and scores."""


def random_chance_machine(chance, kind=SingleChanceMachine, **options):
    """Return a random machine in which chance decides in some positions."""
    machine = random_machine(chance, kind=kind, **options)
    position = machine.labels[0]
    places = {position(s): row for s, row in enumerate(machine.rows) if row}
    weights = {
        place: tuple(chance.randint(1, 6) for _ in row)
        for place, row in places.items()
        if chance.random() < 0.5
    }
    machine.weights = {
        s: weights[position(s)]
        for s, row in enumerate(machine.rows)
        if row and position(s) in weights
    }
    return machine


def assert_bounds_contain(exact, bounds, sign):
    """Check that bounds, seen by the first player, contain an exact value."""
    low, high = sorted(sign * Fraction(bound) for bound in bounds)
    assert low <= exact <= high


@counts(3, 10, 600)
@pytest.mark.parametrize("scores", [False, True])
def test_random_games_with_chance_have_exact_values(count, scores):
    """Every state's exact value is between the bounds of its position, whatever the key hides."""
    chance, solved = random.Random(3), 0
    for n in range(count):
        hides = ("", "count", "end")[n % 3]
        machine = random_chance_machine(chance, scores=scores, hides=hides)
        game = import_game(machine, MOST)
        if not isinstance(game, ImportedChanceOutcomes | ImportedChanceScores):
            continue
        plain = (ChanceScores if scores else ChanceOutcomes)(machine)
        solution, solved = zermelo.solve(game), solved + 1
        assert solution.verify()
        for state, exact in expectations.solve(plain).items():
            place = game.position(state)
            sign = 1 - 2 * game.turn(place)
            first = exact * (1 - 2 * machine.players[state])
            assert_bounds_contain(first, solution[place].bounds, sign)
    assert solved > count / 3


@counts(8, 50, 300)
def test_chance_is_explored_one_by_one_as_in_batches(count):
    """States that are queried one by one give the weights of states queried in batches."""
    for seed in range(count):
        graphs = []
        for kind in (ChanceMachine, SingleChanceMachine):
            machine = random_chance_machine(random.Random(seed), kind, hides="count")
            graphs.append(explore_source(machine, max_positions=MOST))
        one, other = graphs
        assert one.key == other.key
        for name in ("first", "moves", "targets", "players", "parents", "weights"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("kind", [ChanceMachine, SingleChanceMachine])
@pytest.mark.parametrize("other_weights", [(1, 2), None])
def test_states_with_other_chance_are_other_positions(kind, other_weights):
    """States that agree in a key have the same probabilities, or a finer key is taken."""
    rows = [[1, 2], [3, 4], [3, 4], [], []]
    labels = [lambda s: 1 if s == 2 else s, lambda s: s]
    machine = kind(rows, [0] * 5, [0, 0, 0, 1, -1], labels)
    machine.weights = {1: (2, 1)} | ({} if other_weights is None else {2: other_weights})
    game = import_game(machine, MOST)
    assert game.key == "key 1"
    expected = 1 / 3 if other_weights is not None else 1
    assert zermelo.solve(game).value.bounds == pytest.approx((expected, expected))


def test_a_state_of_chance_is_for_the_player_who_moved_last():
    """The value after a move, if chance decides, is for its mover; at the start for the first."""
    machine = SingleChanceMachine(
        [[1, 2], [3, 4], [3, 4], [], []], [1] * 5, [0, 0, 0, 1, -1], [lambda s: s]
    )
    machine.weights = {0: (1, 1), 2: (3, 1)}
    game = import_game(machine, MOST)
    assert [game.turn(game.position(state)) for state in range(3)] == [0, 1, 0]
    assert [game.parse(text) for text in ("@0", "@1", "@1,1")] == [1, 2, 4]


@pytest.mark.parametrize(
    ("probabilities", "weights"),
    [
        ([1 / 6] * 6, (1,) * 6),
        ([1 / 36, 1 / 18, 11 / 12], (1, 2, 33)),
        ([0.9 / 3, 0.1 / 3] * 3, (9, 1) * 3),
        ([1.0], (1,)),
        ([1 / 65_536, 65_535 / 65_536], (1, 65_535)),
        ([1 / 65_537, 65_536 / 65_537], None),
        ([1 / 257, 256 / 257 - 1 / 509, 1 / 509], None),
        ([0.5, 0.25], None),
        ([2**-0.5, 1 - 2**-0.5], None),
    ],
)
def test_weights_of_probabilities(probabilities, weights):
    """Probabilities become the least whole weights, or None if none are small enough."""
    assert weights_of(tuple(probabilities)) == weights
