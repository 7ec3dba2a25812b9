"""Games of pgx, against the zoo, OpenSpiel and pgx itself; slow, as they need the package."""

import sys
from random import Random

import numpy as np
import pytest

import zermelo
from zermelo.adapters import ImportedGame, named, openspiel, pgx
from zermelo.adapters.imported_game import import_game
from zermelo.errors import BudgetError, MissingExtraError, ParameterError, PositionError

pytestmark = pytest.mark.slow

FEW_FIELDS = "the state without its observation, rewards, legal actions and count of steps"


@pytest.fixture(scope="module")
def library():
    """Return the package."""
    return pytest.importorskip("pgx")


@pytest.fixture(scope="module")
def tic_tac_toe(library):
    """Return tic-tac-toe, solved."""
    return zermelo.solve(pgx("tic_tac_toe"))


def moves_of(game, place):
    """Return the position that each action leads to."""
    return {move.action: game.play(place, move) for move in game.moves(place)}


def played(env, moves, seed=0):
    """Return the state after some moves."""
    import jax

    state, step = env.init(jax.random.PRNGKey(seed)), jax.jit(env.step)
    for move in moves:
        state = step(state, move)
    return state


def test_tic_tac_toe(tic_tac_toe):
    """All positions are there, with the values of the zoo's game, and what OpenSpiel knows."""
    from zermelo.games import TicTacToe

    game = tic_tac_toe.game
    assert (len(tic_tac_toe), str(tic_tac_toe.value), game.key) == (5478, "tie in 9", FEW_FIELDS)
    assert tic_tac_toe.verify()
    assert zermelo.check(game).ok
    zoo = zermelo.solve(TicTacToe())
    pairs, waiting = {0: zoo.start}, [0]
    while waiting:
        place = waiting.pop()
        assert tic_tac_toe[place] == zoo[pairs[place]]
        for action, after in moves_of(game, place).items():
            if after not in pairs:
                pairs[after] = zoo.game.play(pairs[place], action)
                waiting.append(after)
    assert len(pairs) == 5478
    pytest.importorskip("pyspiel")
    assert openspiel("tic_tac_toe").checksum == game.checksum


def test_steps_are_batched(tic_tac_toe):
    """All positions are found by few calls of pgx, of one of two sizes; each step is its own."""
    source, sizes = tic_tac_toe.game.origin, []
    step = source._step

    def counted(fields, actions):
        sizes.append(len(actions))
        assert {len(field) for field in fields} == {len(actions)}
        return step(fields, actions)

    source.__dict__["_step"] = counted
    try:
        again = import_game(source, 10_000)
    finally:
        source.__dict__["_step"] = step
    assert again.checksum == tic_tac_toe.game.checksum
    assert set(sizes) == {16, 1024}
    assert sum(sizes) > 16_167 > 50 * len(sizes)  # the moves of all positions
    states = source.next_states(source.start(), [0] * 9, list(range(9)))
    for cell in range(9):
        alone = source.next_states(source.start(), [0], [cell])
        for one, many in zip(alone.fields, states.fields, strict=True):
            assert (one[0] == many[cell]).all()


def late(env, empty, seed):
    """Return moves, chosen at random, after which so many places of the board are left."""
    import jax

    chance, step = Random(seed), jax.jit(env.step)
    while True:
        state, moves = env.init(jax.random.PRNGKey(0)), []
        free = -1 if env.id == "connect_four" else 0
        while not state.terminated:
            if (np.asarray(state._x.board) == free).sum() <= empty:
                return moves
            # The last action of Hex swaps the first stone, which OpenSpiel does not know.
            legal = np.flatnonzero(state.legal_action_mask)
            moves.append(chance.choice([int(a) for a in legal if env.id != "hex" or a < 121]))
            state = step(state, moves[-1])


@pytest.mark.parametrize(
    ("name", "empty"),
    [
        ("connect_four", 12),
        pytest.param("othello", 6, marks=pytest.mark.huge),
        pytest.param("hex", 6, marks=pytest.mark.huge),
    ],
    ids=str,
)
def test_late_positions_are_those_of_openspiel(library, name, empty):
    """The same moves lead to the same legal moves, players and outcomes in both libraries."""
    pytest.importorskip("pyspiel")
    moves = late(library.make(name), empty, 1)
    here, there = pgx(name, opening=moves), openspiel(name, opening=moves)
    values = zermelo.solve(here), zermelo.solve(there)
    assert values[0].verify()
    pairs, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        pair = waiting.pop()
        outcomes = [solution[p].outcome for solution, p in zip(values, pair, strict=True)]
        same = here.turn(pair[0]) == there.turn(pair[1])
        assert outcomes[0] == (outcomes[1] if same else -outcomes[1])
        after = moves_of(here, pair[0]), moves_of(there, pair[1])
        # In Othello pgx has both players pass, one after the other, before it is over.
        if name == "othello" and (not after[1]) > (not after[0]):
            continue
        assert set(after[0]) == set(after[1])
        for action, place in after[0].items():
            if (place, after[1][action]) not in pairs:
                pairs.add((place, after[1][action]))
                waiting.append((place, after[1][action]))
    assert len({place for place, _ in pairs}) > 0.9 * len(values[0])
    if name == "connect_four":
        assert here.checksum == there.checksum


def test_a_state_is_its_position_whoever_is_called_player_0(library, tic_tac_toe):
    """A seed says who is player 0; the first player is always the one who begins."""
    import jax

    env, step = library.make("tic_tac_toe"), None
    step = jax.jit(env.step)
    chance, first = Random(3), set()
    game = tic_tac_toe.game
    for seed in range(6):
        state, moves = env.init(jax.random.PRNGKey(seed)), []
        first.add(int(state.current_player))
        while not state.terminated:
            assert game.position(state) == game.parse("@" + ",".join(map(str, moves)))
            moves.append(chance.choice(np.flatnonzero(state.legal_action_mask).tolist()))
            state = step(state, moves[-1])
        place = game.position(state)
        assert place == game.parse("@" + ",".join(map(str, moves)))
        got = state.rewards[state.current_player]
        assert float(got) == tic_tac_toe[place].outcome
    assert first == {0, 1}
    back = game.state(game.parse("@4,0"))
    assert (back.observation == played(env, [4, 0], 0).observation).all()
    assert game.show(game.parse("@4,0")).splitlines()[1:5] == [
        "board:",
        "[[ 1 -1 -1]",
        " [-1  0 -1]",
        " [-1 -1 -1]]",
    ]
    with pytest.raises(PositionError, match="'State' is not a state of pgx:tic_tac_toe"):
        game.position(library.make("connect_four").init(jax.random.PRNGKey(0)))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        pytest.param("backgammon", "has chance", marks=pytest.mark.huge),
        ("kuhn_poker", "has chance, and cannot be solved"),
        ("2048", "has 1 player[;, ]"),
        pytest.param("sparrow_mahjong", "has 3 players", marks=pytest.mark.huge),
        ("tic_tac_to", "pgx has no game 'tic_tac_to'; did you mean tic_tac_toe?"),
        ("tic_tac_toe(size=4)", "pgx cannot make .* unexpected keyword argument 'size'"),
        ("tic_tac_toe(4)", "does not read as a name with parameters"),
        ("hex(size=3)", r"pgx cannot begin pgx:hex\(size=3\): cannot reshape"),
        (17, "17 is neither a game of pgx nor its name"),
    ],
)
def test_what_cannot_be_solved(library, name, why):
    """It is refused in a sentence that names the property."""
    with pytest.raises(ParameterError, match=why):
        pgx(name)


@pytest.fixture(scope="module")
def variants(library):
    """Return games that are tic-tac-toe but for one thing."""
    import jax
    import jax.numpy as jnp
    from pgx.tic_tac_toe import TicTacToe

    class Dice(TicTacToe):
        def _step(self, state, action, key):
            after = super()._step(state, action, key)
            again = jax.random.bernoulli(key, 0.001) & ~after.terminated
            return after.replace(current_player=jnp.where(again, state.current_player, 1))

    class Blind(TicTacToe):
        def _observe(self, state, player_id):
            return jnp.zeros((3, 3, 2), jnp.bool_)

        def _step(self, state, action, key):
            after = super()._step(state, action, key)
            return after.replace(legal_action_mask=jnp.ones(9, jnp.bool_))

    class Generous(TicTacToe):
        def _step(self, state, action, key):
            after = super()._step(state, action, key)
            return after.replace(rewards=after.rewards + after.terminated)

    class Paid(TicTacToe):
        """Who takes the middle gets half a point at once."""

        def _step(self, state, action, key):
            after = super()._step(state, action, key)
            pay = jnp.full(2, -0.5).at[state.current_player].set(0.5)
            return after.replace(rewards=after.rewards + jnp.where(action == 4, pay, 0))

    class Ring(TicTacToe):
        """A mark that is moved round a ring until, after forty moves, there is a draw."""

        def _step(self, state, action, key):
            cell = (jnp.argmax(state._x.board == 1) + jnp.where(action == 0, 1, 8)) % 9
            x = state._x._replace(board=jnp.full(9, -1).at[cell].set(1))
            return state.replace(
                _x=x,
                current_player=1 - state.current_player,
                legal_action_mask=jnp.arange(9) < 2,
                terminated=state._step_count >= 40,
            )

    return {kind.__name__: kind() for kind in (Dice, Blind, Generous, Paid, Ring)}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Dice", "pgx:object of Dice has chance"),
        ("Blind", r"has hidden information \(the player to move sees the same after @0 and @1\)"),
        ("Generous", "rewards that do not sum to zero"),
    ],
)
def test_what_a_game_of_ones_own_has(variants, name, why):
    """Nobody says what such a game has: it is looked for."""
    with pytest.raises(ParameterError, match=why):
        pgx(variants[name], opening=[0, 1] if name == "Blind" else [4, 0, 1])


def test_what_is_paid_on_the_way_counts(variants):
    """Such a game has scores, in halves of a point."""
    game = pgx(variants["Paid"])
    assert (game.points, game.key) == (2, FEW_FIELDS)
    solution = zermelo.solve(game)
    assert solution.value.score == 1
    with pytest.raises(PositionError, match="keeps no earlier rewards"):
        game.position(game.state(0))


def test_a_hidden_limit_on_moves_is_found(variants):
    """Where the count of steps matters, positions are told apart by it."""
    game = pgx(variants["Ring"])
    assert game.key == "the state without its observation"


def test_beginning_later(library, tmp_path):
    """A game may begin after some moves; a table is opened by its name."""
    game = named("pgx:tic_tac_toe@4")
    assert game.source == "pgx:tic_tac_toe@4"
    path = zermelo.solve(game).save(tmp_path / "later.table")
    with zermelo.open(path) as solution:
        assert isinstance(solution.game, ImportedGame)
        assert str(solution.value) == "tie in 8"
    with pytest.raises(ParameterError, match=r"action 4 of opening=\[4, 4\] is not legal"):
        pgx("tic_tac_toe", opening=[4, 4])
    with pytest.raises(ParameterError, match="start='8/8' is not for games of pgx"):
        named("pgx:tic_tac_toe from 8/8")
    with pytest.raises(BudgetError, match="more than 300 positions"):
        pgx("connect_four", max_positions=300)


def test_without_the_package(monkeypatch):
    """Without pgx, the message says how to install it."""
    monkeypatch.setitem(sys.modules, "pgx", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'zermelo\[pgx\]'"):
        pgx("tic_tac_toe")
