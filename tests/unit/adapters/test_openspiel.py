"""Games of OpenSpiel, against OpenSpiel itself; slow, as they need the package."""

import sys
import types

import pytest

import zermelo
from zermelo.adapters import (
    ImportedGame,
    named,
    openspiel,
    openspiel_bot,
    openspiel_policy,
)
from zermelo.errors import BudgetError, MissingExtraError, ParameterError, PositionError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pyspiel():
    """Return the package."""
    return pytest.importorskip("pyspiel")


def value_iteration(game):
    """Return OpenSpiel's own values of a game for its first player, by the printed state."""
    # Its module imports a solver for games with moves at the same time, which needs cvxpy.
    if "open_spiel.python.algorithms.lp_solver" not in sys.modules:
        from open_spiel.python import algorithms

        name = "open_spiel.python.algorithms.lp_solver"
        algorithms.lp_solver = sys.modules[name] = types.ModuleType(name)
    from open_spiel.python.algorithms import value_iteration as iteration

    return iteration.value_iteration(game, -1, 1e-9)


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "nim(pile_sizes=1;3;5)",
        "nim(pile_sizes=2;3;4,is_misere=false)",
        "clobber(rows=2,columns=4)",
        "connect_four(rows=3,columns=3,x_in_row=3)",
        "dots_and_boxes(num_rows=1,num_cols=2)",
        "dots_and_boxes(num_rows=1,num_cols=2,utility_margin=true)",
        "hex(board_size=2)",
        "mnk(m=3,n=2,k=3)",
        pytest.param("python_tic_tac_toe", marks=pytest.mark.huge),  # slowly what the first does
    ],
)
def test_values_are_those_of_value_iteration(pyspiel, name):
    """Every state that value iteration knows has the same value here."""
    loaded = pyspiel.load_game(name)
    theirs = value_iteration(loaded)
    game = openspiel(name)
    solution = zermelo.solve(game)
    assert solution.verify()
    checked, waiting = set(), [loaded.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if str(state) in checked:
            continue
        checked.add(str(state))
        place = game.position(state)
        value = solution[place]
        mine = value.outcome if value.score is None else value.score / game.points
        assert theirs[str(state)] == mine * (1 - 2 * game.turn(place)), str(state)
        waiting += [state.child(action) for action in state.legal_actions()]
    assert len(checked) == len(theirs)


def minimax(state):
    """Return what the first player gets from a state, by all histories that follow it."""
    if state.is_terminal():
        return state.returns()[0]
    values = [minimax(state.child(action)) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


def test_a_printed_state_without_whose_turn_it_is(pyspiel):
    """Breakthrough does not print whose turn it is; OpenSpiel's own value iteration is misled."""
    loaded = pyspiel.load_game("breakthrough(rows=4,columns=2)")
    theirs = value_iteration(loaded)
    game = openspiel(loaded)
    solution = zermelo.solve(game)
    assert game.key == "the printed state with the player to move"
    misled, waiting = 0, [loaded.new_initial_state()]
    for _ in range(200):
        state = waiting.pop(0)
        place = game.position(state)
        right = minimax(state)
        assert right == solution[place].outcome * (1 - 2 * game.turn(place))
        misled += theirs[str(state)] != right
        waiting += [state.child(action) for action in state.legal_actions()]
    assert misled


def test_connect_four(pyspiel):
    """Four by four is a draw; all positions are there, with OpenSpiel's names of moves."""
    game = named("openspiel:connect_four(rows=4,columns=4)")
    solution = zermelo.solve(game)
    assert (len(solution), str(solution.value)) == (161_029, "tie in 16")
    assert solution.options()[0].name == "x0"
    assert game.source == "openspiel:connect_four(columns=4,rows=4)"


def test_a_game_with_a_history_in_its_states(pyspiel):
    """Go may not repeat a board, which no key shows: it is refused, and the message says why."""
    with pytest.raises(ParameterError, match=r"no faithful key .* differ in how the game goes on"):
        openspiel("go(board_size=2,max_game_length=5)")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("stones_and_gems", "has chance whose probabilities are not stated"),
        ("kuhn_poker", "has hidden information"),
        ("phantom_ttt", "has hidden information"),
        ("goofspiel", "has moves that both players make at the same time"),
        ("turn_based_simultaneous_game(game=goofspiel(points_order=descending))", "has hidden inf"),
        ("oshi_zumo", "has moves that both players make at the same time"),
        ("chinese_checkers(players=3)", "has 3 players"),
        ("tic_tac_to", "did you mean tic_tac_toe"),
        ("tic_tac_toe(x=1)", "Unknown parameter 'x'"),
        (17, "17 is neither a game of OpenSpiel nor a state"),
    ],
)
def test_what_cannot_be_solved(pyspiel, name, why):
    """It is refused in a sentence that names the property."""
    with pytest.raises(ParameterError, match=why):
        openspiel(name)


def expectiminimax(state):
    """Yield each state that follows and its value for the first player, that of the state last."""
    if state.is_terminal():
        yield state, state.returns()[0]
        return
    probabilities = dict(state.chance_outcomes()) if state.is_chance_node() else {}
    values = {}
    for action in state.legal_actions():
        for child in expectiminimax(state.child(action)):
            yield child
        values[action] = child[1]
    if probabilities:
        yield state, sum(probability * values[a] for a, probability in probabilities.items())
    else:
        yield state, (max if state.current_player() == 0 else min)(values.values())


#: A late position of EinStein, in which White has rolled: actions and results of chance.
LATE_EINSTEIN = (
    *(57, 93, 0, 176, 1, 124, 5, 236, 2, 28, 1, 299, 0, 5, 5, 163, 3, 65, 3, 274, 4, 75, 4, 224, 4),
    *(134, 0, 282, 2, 39, 2, 260, 3, 194, 1, 226, 1, 14, 1, 211, 1, 76, 1, 151, 4),
    *(256, 4, 186, 3, 268, 5),
)


@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("pig(winscore=6,horizon=5)", ()),
        ("pig(winscore=4,horizon=4,diceoutcomes=3)", (0, 2)),
        ("catch(rows=4,columns=3)", ()),
        ("2048(max_tile=4)", (24, 26)),
        pytest.param("einstein_wurfelt_nicht", LATE_EINSTEIN, marks=pytest.mark.huge),
    ],
)
def test_values_with_chance_are_those_of_expectiminimax(pyspiel, name, opening):
    """The expectation of every state that follows, by all histories, is between the bounds."""
    game = openspiel(name, opening=opening)
    solution = zermelo.solve(game)
    assert solution.verify()
    for state, expected in expectiminimax(game.state(0)):
        place = game.position(state)
        low, high = solution[place].bounds
        value = expected * (1 - 2 * game.turn(place)) * game.points
        assert low - 1e-9 <= value <= high + 1e-9, state.history_str()


def test_pig_has_the_value_of_the_library_search(pyspiel):
    """Pig is worth what OpenSpiel's own search with chance says."""
    from open_spiel.python.algorithms import minimax as library

    loaded = pyspiel.load_game("pig(winscore=6,horizon=5)")
    expected, _ = library.expectiminimax(loaded.new_initial_state(), 5, None, 0)
    low, high = zermelo.solve(openspiel(loaded)).value.bounds
    assert low - 1e-9 <= expected <= high + 1e-9


def test_a_limit_that_counts_moves_but_not_chance(pyspiel):
    """Pig ends after a number of moves that it does not print, so the key has that number."""
    game = openspiel("pig(winscore=4,horizon=6)")
    assert game.key.endswith("the observations of both players and the number of moves made")


def test_a_roll_that_is_not_printed(pyspiel):
    """EinStein does not print what was rolled, so the key has the legal actions."""
    game = openspiel("einstein_wurfelt_nicht", opening=LATE_EINSTEIN)
    assert game.key == "the printed state with the player to move and the legal actions"


def test_a_game_with_chance_is_opened_by_its_name(pyspiel, tmp_path):
    """A table of a game with chance is opened again, with its positions found again."""
    game = named("openspiel:pig(winscore=6,horizon=6)@0,3")
    solved = zermelo.solve(game)
    with zermelo.open(solved.save(tmp_path / "pig.table")) as solution:
        assert solution.game.checksum == game.checksum
        assert solution.value == solved.value
        assert solution.verify()


def test_a_policy_gets_the_expectation(pyspiel):
    """Against itself a policy gets the expectation; if chance decides, it has no actions."""
    from open_spiel.python.algorithms import expected_game_score

    loaded = pyspiel.load_game("pig(winscore=6,horizon=6)")
    solution = zermelo.solve(openspiel(loaded))
    policy, start = openspiel_policy(solution), loaded.new_initial_state()
    assert policy.action_probabilities(start) == {0: 1.0}
    assert policy.action_probabilities(start.child(0)) == {}
    value = expected_game_score.policy_value(start, [policy, policy])
    assert value[0] == pytest.approx(solution.value.expectation)


def test_beginning_later(pyspiel):
    """A game may begin after some moves, in a state, or where a text says."""
    game = openspiel("tic_tac_toe", opening=[4, 0])
    assert game.source == "openspiel:tic_tac_toe()@4,0"
    state = game.state(0)
    assert openspiel(state).source == game.source
    assert openspiel(state).checksum == named(game.source).checksum == game.checksum
    with pytest.raises(ParameterError, match=r"action 4 of opening=\[4, 4\] is not legal"):
        openspiel("tic_tac_toe", opening=[4, 4])
    with pytest.raises(PositionError, match="cannot be reached"):
        game.position(openspiel("tic_tac_toe").state(0))
    with pytest.raises(PositionError, match="is not a state of tic_tac_toe"):
        game.position(pyspiel.load_game("nim").new_initial_state())
    with pytest.raises(PositionError, match="is not a state of OpenSpiel"):
        game.position(3)
    with pytest.raises(BudgetError, match="more than 1,000 positions"):
        openspiel("chess", max_positions=1000)


def test_a_table_is_opened_by_its_name(pyspiel, tmp_path):
    """The table of an imported game is opened again, its positions found again."""
    path = zermelo.solve(named("openspiel:tic_tac_toe@4")).save(tmp_path / "later.table")
    with zermelo.open(path) as solution:
        assert isinstance(solution.game, ImportedGame)
        assert str(solution.value) == "tie in 8"
        assert solution.verify()


def test_a_bot_never_does_worse_than_the_value(pyspiel):
    """Against a random bot, in either seat, it never loses a game that is a draw."""
    loaded = pyspiel.load_game("tic_tac_toe")
    solution = zermelo.solve(openspiel(loaded))
    won = 0
    for seed in range(60):
        seat = seed % 2
        bots = [pyspiel.make_uniform_random_bot(each, seed) for each in (0, 1)]
        bots[seat] = openspiel_bot(solution, seed=seed if seed % 3 else None)
        got = pyspiel.evaluate_bots(loaded.new_initial_state(), bots, seed)[seat]
        assert got >= 0
        won += got
    assert won > 30


def test_a_policy_gets_the_value(pyspiel):
    """Against itself it gets exactly the value, by OpenSpiel's own expectation."""
    from open_spiel.python.algorithms import expected_game_score

    loaded = pyspiel.load_game("clobber(rows=2,columns=4)")
    solution = zermelo.solve(openspiel(loaded))
    policy = openspiel_policy(solution)
    start = loaded.new_initial_state()
    value = expected_game_score.policy_value(start, [policy, policy])
    assert value[0] == pytest.approx(int(solution.value.outcome))
    assert set(policy.action_probabilities(start)) == {m.action for m in solution.best()}


def test_a_solution_of_another_game_plays(pyspiel, tmp_path):
    """A table of the zoo's game is a policy, once it is said how positions and moves translate."""
    from zermelo.games import TicTacToe

    path = zermelo.solve(TicTacToe()).save(tmp_path / "ours.table")
    with zermelo.open(path) as solution:

        def position(state):
            marks = str(state).replace("\n", "")
            mine, theirs = "xo" if state.current_player() == 0 else "ox"
            bits = [sum(1 << i for i, c in enumerate(marks) if c == who) for who in (mine, theirs)]
            return type(solution.start)(*bits)

        state = pyspiel.load_game("tic_tac_toe").new_initial_state().child(4).child(1)
        policy = openspiel_policy(solution, position_of=position, action_of=int)
        assert sorted(policy.action_probabilities(state)) == [0, 2, 3, 5, 6, 8]
        with pytest.raises(ParameterError, match="does not come from OpenSpiel; give position_of="):
            openspiel_bot(solution)


def test_without_the_package(monkeypatch):
    """Without OpenSpiel, the message says how to install it."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'zermelo\[openspiel\]'"):
        openspiel("tic_tac_toe")
