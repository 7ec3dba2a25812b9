"""Environments of two players: copied faithfully or refused; and solutions as players of them."""

import random
import sys
from typing import ClassVar

import pytest

import zermelo
from support.games.machine_environments import MachineEnv, Nim
from support.games.states import PlainOutcomes, StateMachine, random_machine
from support.oracles import oracle
from support.sizes import counts
from zermelo.adapters import gymnasium, pettingzoo, pettingzoo_policy
from zermelo.adapters.environments import digest
from zermelo.errors import MissingExtraError, ParameterError, PositionError


def states_by_moves(machine):
    """Return how each state that can be reached is reached."""
    found, waiting = {0: []}, [0]
    while waiting:
        state = waiting.pop()
        for move, after in enumerate(machine.rows[state]):
            if after not in found:
                found[after] = [*found[state], move]
                waiting.append(after)
    return found


@counts(2, 6, 100)
def test_random_environments_have_the_values_of_their_states(count):
    """Every state of an environment is worth what its position is, whatever is hidden in it."""
    chance, refused, hidden, keys = random.Random(2), 0, True, set()
    for _ in range(count):
        machine = random_machine(chance, loops=False, hides=chance.choice(["", "count", "end"]))
        env = MachineEnv(machine)
        try:
            game = pettingzoo(env)
        except ParameterError as error:
            refused += 1
            hidden &= "hidden information" in str(error)
            continue
        keys.add(game.key)
        expected, found = oracle.solve(PlainOutcomes(machine)), oracle.solve(game)
        for state, moves in states_by_moves(machine).items():
            env.reset()
            for move in moves:
                env.step(move)
            place = game.position(env)
            signs = 1 - 2 * machine.players[state], 1 - 2 * game.turn(place)
            assert expected[state][0] * signs[0] == found[place][0] * signs[1]
            assert expected[state][1] == found[place][1]
    assert hidden
    assert refused < count / 2
    assert "what the player to move observes" in keys


def test_a_policy_plays_by_an_environment_or_by_what_is_observed():
    """Both ways it plays the same best action; where the game is over, it plays None."""
    machine = StateMachine(
        [[1, 2], [3, 4], [3, 3], [], []], [0, 1, 1, 0, 0], [0, 0, 0, 1, -1], [lambda s: s]
    )
    env = MachineEnv(machine)
    solution = zermelo.solve(pettingzoo(env))
    policy = pettingzoo_policy(solution)
    env.reset()
    assert policy(env) == policy(env.observe("a"), "a") == 1
    env.step(1)
    assert policy(env) == policy(env.observe("b"), "b") == 0
    env.step(0)
    assert policy(env) is None
    assert {pettingzoo_policy(solution, seed=4)((env.reset(), env)[1]) for _ in range(9)} == {1}
    with pytest.raises(
        PositionError, match="is not an environment of pettingzoo:object of Machine"
    ):
        solution.game.position(3)
    assert solution.game.state(0).at == 0


def nim_values(heap):
    """Return the known values of the heaps up to one: multiples of four are lost."""
    return {left: -1 if left % 4 == 0 else 1 for left in range(heap + 1)}


@pytest.mark.parametrize("how", ["plain", "told", "first"])
def test_an_environment_of_gymnasium(how):
    """Nim has its known values, however it says who moves, what is legal, and who is paid."""
    if how == "plain":
        game = gymnasium(Nim())
    elif how == "told":
        env = Nim(masked=False)
        game = gymnasium(
            env, turn_of=lambda env: env.player, legal_moves_of=lambda env: range(min(env.left, 3))
        )
    else:

        class Paid(Nim):
            def step(self, action):
                left, reward, *rest = super().step(action)
                return left, -reward if self.player == 0 else reward, *rest

        game = gymnasium(Paid(), reward="first")
    assert game.key == "what is observed, and whose turn it is"
    solution = zermelo.solve(game)
    for left, outcome in nim_values(10).items():
        for player in (0, 1):
            if 0 < left < 10 - player:
                try:
                    place = game.position((left, player))
                except PositionError:
                    continue
                assert solution[place].outcome == outcome
    assert [move.action for move in solution.best(game.position((10, 0)))] == [1]
    assert game.show(0) == "10\nposition 0"
    for state in (3, (3, 2)):
        with pytest.raises(PositionError, match="give a pair: what was observed, and whose turn"):
            game.position(state)


class Three(MachineEnv):
    possible_agents: ClassVar = ["a", "b", "c"]


class Together(MachineEnv):
    metadata: ClassVar = {"is_parallelizable": True}


class Out(MachineEnv):
    def _told(self):
        super()._told()
        self.terminations["b"] = self.at > 0


class Generous(MachineEnv):
    def _told(self):
        super()._told()
        self.rewards["b"] = self.rewards["a"]


class Stuck(MachineEnv):
    def observe(self, agent):
        return {"observation": self.at, "action_mask": [0, 0]}


class Unnumbered(MachineEnv):
    def action_space(self, agent):
        return "Box(0.0, 1.0)"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Three, "object of Three has 3 players, and cannot be solved"),
        (Together, "has moves that both players make at the same time"),
        (Out, "has a player who plays on when the other is out"),
        (Generous, "has rewards that do not sum to zero"),
        (Stuck, "is not over in a state in which no action is legal"),
        (Unnumbered, r"has actions that are not numbered \(Box\(0.0, 1.0\)\)"),
    ],
)
def test_what_is_refused(kind, why):
    """What cannot be solved is refused in a sentence that names the property."""
    machine = StateMachine([[1, 1], [2, 2], []], [0, 1, 0], [0, 0, 1], [lambda s: s])
    with pytest.raises(ParameterError, match=why):
        pettingzoo(kind(machine))


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("chance", "gymnasium:object of Nim has chance, and cannot be solved"),
        (
            "lock",
            r"cannot be copied, as TypeError\(.cannot pickle '_thread.lock' object.\) says",
        ),
        ("elsewhere", "cannot be copied, as copies do not play on like it"),
    ],
)
def test_what_cannot_be_copied(fault, why):
    """Chance and state that copies do not have are found by playing."""
    with pytest.raises(ParameterError, match=why):
        gymnasium(Nim(fault=fault))


def test_what_is_given_wrong():
    """The easy mistakes are named."""
    for call, why in (
        (lambda: pettingzoo(3), "3 is neither an environment of PettingZoo nor its name"),
        (lambda: gymnasium(3), "3 is neither an environment of Gymnasium nor its name"),
        (lambda: gymnasium(Nim(), reward="both"), "reward='both' is not known; use one of mover"),
        (lambda: gymnasium(Nim(), turn_of=lambda _: 2), "turn_of= has returned 2; let it return"),
        (lambda: gymnasium(Nim(), opening=[9]), r"action 9 of opening=\[9\] is not legal"),
        (lambda: pettingzoo_policy(zermelo.solve(zermelo.games.TicTacToe())), "give position_of="),
    ):
        with pytest.raises(ParameterError, match=why):
            call()


def test_equal_states_have_equal_checksums():
    """Order in sets and mappings does not matter; types, shapes and what is inside do."""
    import numpy as np

    assert digest({"a": {1, 2}, "b": 3}) == digest({"b": 3, "a": {2, 1}})
    assert digest([np.zeros(2)]) != digest([np.zeros((1, 2))])
    assert digest([np.zeros(2, np.int8)]) != digest([np.zeros(2, np.uint8)])
    shared: list[object] = [1]
    assert digest([shared, shared]) == digest([[1], [1]])
    shared.append(shared)
    assert digest(shared) == digest(shared)
    assert digest(Nim(3)) == digest(Nim(3)) != digest(Nim(4))


@pytest.mark.parametrize(("make", "extra"), [(pettingzoo, "pettingzoo"), (gymnasium, "gymnasium")])
def test_without_the_package(monkeypatch, make, extra):
    """Without the package, the message says how to install it."""
    monkeypatch.setitem(sys.modules, extra, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'zermelo\[{extra}\]'"):
        make("tictactoe_v3")
