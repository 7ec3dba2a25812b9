"""Environments of PettingZoo and Gymnasium themselves; slow, as they need the packages."""

import random
import sys
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest

import zermelo
from support.games.machine_environments import Nim
from zermelo.adapters import (
    ImportedGame,
    gymnasium,
    gymnasium_opponent,
    named,
    openspiel,
    pettingzoo,
    pettingzoo_policy,
)
from zermelo.errors import BudgetError, ParameterError

pytestmark = pytest.mark.slow

#: Moves after which thirteen places of Connect Four are left.
LATE = [6, 0, 2, 1, 0, 6, 5, 6, 2, 6, 2, 1, 1, 2, 2, 5, 6, 5, 6, 2, 0, 5, 3, 4, 5, 1, 1, 1, 5]


@pytest.fixture(scope="module")
def library():
    """Return PettingZoo, with Gymnasium, which it needs."""
    return pytest.importorskip("pettingzoo")


@pytest.fixture(scope="module")
def tic_tac_toe(library):
    """Return tic-tac-toe, solved."""
    return zermelo.solve(pettingzoo("tictactoe_v3"))


@pytest.fixture(scope="module")
def nim(library):
    """Return the name of a registered environment of Gymnasium."""
    import gymnasium as gym

    class Registered(Nim, gym.Env):
        metadata: ClassVar = {"render_modes": []}

        def __init__(self, heap=10, fault=""):
            super().__init__(heap, fault)
            self.action_space = gym.spaces.Discrete(3)
            self.observation_space = gym.spaces.Discrete(heap + 1)

        def reset(self, *, seed=None, options=None):
            gym.Env.reset(self, seed=seed)
            return super().reset(seed=seed)

    sys.modules["zermelo_test_nim"] = ModuleType("zermelo_test_nim")
    gym.register("Nim-v0", Registered)
    yield "zermelo_test_nim:Nim-v0"
    del sys.modules["zermelo_test_nim"], gym.registry["Nim-v0"]


def test_tic_tac_toe(tic_tac_toe):
    """All positions are there, and are what OpenSpiel knows of them."""
    game = tic_tac_toe.game
    assert (len(tic_tac_toe), str(tic_tac_toe.value)) == (5478, "tie in 9")
    assert game.key == "what the player to move observes"
    assert tic_tac_toe.verify()
    assert game.show(game.parse("@4,0")).splitlines()[:3] == ["o . .", ". x .", ". . ."]
    pytest.importorskip("pyspiel")
    assert openspiel("tic_tac_toe").checksum == game.checksum


def test_late_positions_of_connect_four(library, tmp_path):
    """They are the same in OpenSpiel; a table of them is opened by its name."""
    pytest.importorskip("pyspiel")
    name = f"pettingzoo:connect_four_v3@{','.join(map(str, LATE))}"
    game = named(name)
    assert game.source == name
    assert game.checksum == openspiel("connect_four", opening=LATE).checksum
    path = zermelo.solve(game).save(tmp_path / "late.table")
    with zermelo.open(path) as solution:
        assert isinstance(solution.game, ImportedGame)
        assert str(solution.value) == "loss in 10"


def test_an_environment_is_not_changed(library, tic_tac_toe):
    """What was given stays in its state, and begins where a reset begins."""
    env = library.make("aec", "classic/tictactoe_v3")
    env.reset()
    env.step(4)
    game = pettingzoo(env.unwrapped, opening=[0])
    assert list(env.unwrapped.board.squares) == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert len(game.ends) == len(named("pettingzoo:tictactoe_v3@0").ends)
    assert tic_tac_toe.game.position(env) == tic_tac_toe.game.parse("@4")
    assert tic_tac_toe.game.position(tic_tac_toe.game.state(77)) == 77


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("rps_v2", "has moves that both players make at the same time"),
        ("tictactoe", "has no environment 'tictactoe'; did you mean tictactoe_v3?"),
        ("tictactoe_v3(size=4)", "PettingZoo cannot make .*unexpected keyword argument 'size'"),
        ("nowhere.game", "there is no module 'nowhere.game'"),
        ("json.decoder", "PettingZoo cannot make 'json.decoder' .*has no attribute 'env'"),
    ],
)
def test_what_is_refused(library, name, why):
    """It is refused in a sentence that names the property."""
    with pytest.raises(ParameterError, match=why):
        pettingzoo(name)


def test_a_window_cannot_be_copied(library, monkeypatch):
    """An environment with pictures in it is refused; one with too many positions is, too."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with pytest.raises(ParameterError, match=r"cannot be copied, as TypeError.*render mode"):
        pettingzoo("tictactoe_v3(render_mode='rgb_array')")
    with pytest.raises(BudgetError, match="more than 300 positions"):
        pettingzoo("connect_four_v3", max_positions=300)


@pytest.mark.parametrize(("moves", "least"), [([], {0, 1}), ([4, 1], {0})])
def test_a_policy_never_does_worse_than_the_value(library, tic_tac_toe, moves, least):
    """Against random play it never loses, from drawn positions and from won ones."""
    env, chance, won = library.make("aec", "classic/tictactoe_v3"), random.Random(1), 0
    for game in range(30):
        player = game % 2 if len(least) > 1 else 0
        policy = pettingzoo_policy(tic_tac_toe, seed=game if game % 3 else None)
        env.reset()
        for move in moves:
            env.step(move)
        got = [0.0, 0.0]
        for agent in env.agent_iter():
            observation, reward, over, cut, _ = env.last()
            index = env.possible_agents.index(agent)
            got[index] += reward
            if over or cut:
                assert policy(env) is None
                env.step(None)
            elif index == player:
                by_observation = pettingzoo_policy(tic_tac_toe)(observation, agent)
                assert by_observation in {
                    m.action for m in tic_tac_toe.best(tic_tac_toe.game.position(env))
                }
                env.step(policy(env))
            else:
                env.step(chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        assert got[player] >= (1 if moves else 0)
        won += got[player]
    assert won > 15


def test_an_environment_of_gymnasium(nim, tmp_path):
    """A registered environment has a name, parameters, and the values of Nim."""
    game = named(f"gymnasium:{nim}(heap=9)")
    assert game.source == f"gymnasium:{nim}(heap=9)"
    solution = zermelo.solve(game)
    assert str(solution.value) == "win in 5"
    assert solution.best(game.position((9, 0)))[0].action == 0
    with zermelo.open(solution.save(tmp_path / "nim.table")) as again:
        assert str(again.value) == "win in 5"
    for name, why in (
        (f"{nim}(heaps=9)", "Gymnasium cannot make .*unexpected keyword argument 'heaps'"),
        ("Nin-v0", "Gymnasium cannot make 'Nin-v0'"),
        (f"{nim}(fault='chance')", "has chance"),
        ("CartPole-v1", r"cannot make|chance|cannot be copied"),
    ):
        with pytest.raises(ParameterError, match=why):
            gymnasium(name)


def test_an_opponent_plays_perfectly(library, nim, tic_tac_toe):
    """An agent of its own that plays at random gets no more than the value, and may lose."""
    from gymnasium.utils.env_checker import check_env

    nims = zermelo.solve(gymnasium(nim))
    for solution, player, most in (
        (tic_tac_toe, 0, 0),
        (tic_tac_toe, 1, 0),
        (nims, 1, -1),
    ):
        env, chance = gymnasium_opponent(solution, player=player, seed=3), random.Random(5)
        lost = 0
        for game in range(25):
            _, info = env.reset(seed=game if game % 2 else None)
            got, over = 0.0, False
            while not over:
                action = chance.choice(np.flatnonzero(info["action_mask"]).tolist())
                _, reward, over, cut, info = env.step(action)
                assert not cut
                got += reward
            assert not info["action_mask"].any()
            assert got <= most
            lost += got < 0
        assert lost > 5
        if solution is tic_tac_toe:
            check_env(gymnasium_opponent(solution, player=player), skip_render_check=True)


def test_perfect_play_against_a_perfect_opponent_is_the_value(tic_tac_toe):
    """The agent that plays best moves draws, and an illegal action is punished as it always is."""
    env = gymnasium_opponent(tic_tac_toe, player=1)
    policy = pettingzoo_policy(tic_tac_toe)
    observation, _ = env.reset()
    over = False
    while not over:
        observation, reward, over, _, _ = env.step(policy(observation, "player_2"))
    assert reward == 0
    observation, _ = env.reset()
    taken = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    _, reward, over, _, _ = env.step(taken)
    assert (reward, over) == (-1, True)
    with pytest.raises(ParameterError, match="player=2 is not a player; give 0 or 1"):
        gymnasium_opponent(tic_tac_toe, player=2)


def test_a_solution_of_another_game_plays(library):
    """A game of the zoo is played, once it is said how positions and moves translate."""
    from zermelo.games import TicTacToe

    solution = zermelo.solve(TicTacToe())

    def position(env):
        squares, mover = env.unwrapped.board.squares, env.possible_agents.index(env.agent_selection)
        bits = [
            sum(1 << cell for cell, mark in enumerate(squares) if mark == who + 1)
            for who in (mover, 1 - mover)
        ]
        return type(solution.start)(*bits)

    env = library.make("aec", "classic/tictactoe_v3")
    env.reset()
    env.step(0)
    assert pettingzoo_policy(solution, position_of=position, action_of=int)(env) == 4
    one = gymnasium_opponent(solution, env, player=1, position_of=position, action_of=int)
    _, info = one.reset()
    assert info["action_mask"].sum() == 8
    with pytest.raises(ParameterError, match="give position_of="):
        gymnasium_opponent(solution, env)
    with pytest.raises(ParameterError, match="is not played in an environment; give env="):
        gymnasium_opponent(solution, position_of=position, action_of=int)
