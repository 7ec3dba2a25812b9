"""Games that are asked state by state: all positions are found, and none that differ are merged."""

import random
from collections import defaultdict

import numpy as np
import pytest

from support.games.states import Machine, PlainOutcomes, PlainScores, StateMachine, random_machine
from support.oracles import oracle
from support.sizes import counts, some
from zermelo.adapters.finding import size_estimate
from zermelo.adapters.finding.exploration import explore_source
from zermelo.adapters.imported_game import ImportedOutcomes, ImportedScores, import_game
from zermelo.errors import BudgetError, ParameterError, PositionError

MOST = 10_000


def states_of(machine):
    """Return the states that can be reached."""
    found, waiting = {0}, [0]
    while waiting:
        for child in machine.rows[waiting.pop()]:
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def for_first(value, player):
    """Return an oracle's value as the first player sees it."""
    outcome, remoteness = value
    return (outcome if player == 0 else -outcome), remoteness


def ring(size, longest=None):
    """Return a ring to walk around; with ``longest`` the game is drawn after so many moves.

    The first key is the place alone; the second has the number of moves.
    """
    counted = range(1 if longest is None else longest + 1)
    number = {(place, n): n * size + place for n in counted for place in range(size)}
    rows, payoffs = [], []
    for place, n in number:
        over = longest is not None and n == longest
        ways = ((place + 1) % size, (place - 1) % size)
        rows.append([] if over else [number[to, 0 if longest is None else n + 1] for to in ways])
        payoffs.append(0)
    return StateMachine(rows, [0] * len(rows), payoffs, [lambda s: s % size, lambda s: s])


@counts(12, None, 600)
@pytest.mark.parametrize("kind", [StateMachine, Machine])
@pytest.mark.parametrize("hides", ["", "count", "end"])
def test_random_games_have_the_values_of_their_states(count, hides, kind):
    """Every state is worth what its position is, whatever is hidden in it."""
    chance = random.Random(hides)
    for _ in range(count // 3):
        loops = chance.random() < 0.6
        machine = random_machine(chance, loops=loops, hides=hides, kind=kind)
        game = import_game(machine, MOST)
        assert isinstance(game, ImportedOutcomes)
        expected, found = oracle.solve(PlainOutcomes(machine)), oracle.solve(game)
        for state in states_of(machine):
            place = game.position(state)
            assert for_first(expected[state], machine.players[state]) == for_first(
                found[place], game.turn(place)
            )


@counts(20, None, 300)
def test_random_scores(count):
    """Payoffs other than 1, 0 and -1 are scores."""
    chance, scored = random.Random(1), 0
    for _ in range(count):
        machine = random_machine(chance, scores=True, loops=False, hides=chance.choice(["", "end"]))
        game = import_game(machine, MOST)
        if isinstance(game, ImportedOutcomes):
            continue
        scored += 1
        expected, found = oracle.solve_scores(PlainScores(machine)), oracle.solve_scores(game)
        for state in states_of(machine):
            place = game.position(state)
            signs = [1 - 2 * machine.players[state], 1 - 2 * game.turn(place)]
            assert expected[state] * signs[0] == found[place] * signs[1]
    assert scored > count / 4


@pytest.mark.slow
@counts(8, 20, 400)
def test_one_by_one_is_as_at_once(count):
    """States that are asked one by one give the same graph as states asked many at once."""
    for seed in range(count):
        graphs = []
        for kind in (StateMachine, Machine):
            chance = random.Random(seed)
            hides = chance.choice(["", "count", "end"])
            machine = random_machine(chance, loops=seed % 2 == 0, hides=hides, kind=kind)
            graphs.append(explore_source(machine, max_positions=MOST))
        one, other = graphs
        assert one.key == other.key
        for name in ("first", "moves", "targets", "players", "parents"):
            assert getattr(one, name).tolist() == getattr(other, name).tolist()
        np.testing.assert_array_equal(one.payoffs, other.payoffs)
        assert one.numbers == other.numbers


def test_what_differs_later_is_found_among_many(monkeypatch):
    """Where not every state is played on from, unfaithful keys are found.

    Every state is in a small game; a large one would take too long.
    """
    from zermelo.adapters.finding import exploration

    monkeypatch.setattr(exploration, "_FULLY_CHECKED_STATES", 0)
    monkeypatch.setattr(exploration, "_CHECK_INTERVAL", 1 << 30)
    machine = ring(3, 40)
    single = Machine(machine.rows, machine.players, machine.payoffs, machine.labels)
    assert explore_source(single, max_positions=MOST).key == 1


def test_states_that_are_the_same_are_merged():
    """Copies that differ in nothing are one position."""
    graph = explore_source(random_machine(random.Random(5), hides=""), max_positions=MOST)
    assert graph.key == 0
    assert len(graph) < 10


@pytest.mark.parametrize("longest", some([40, 7, 1500], 3))
def test_a_hidden_limit_on_moves_is_found(longest):
    """That a game ends after some moves shows only to who goes round in cycles for so long."""
    machine = ring(3, longest)
    assert explore_source(machine, max_positions=MOST).key == 1
    machine.longest = longest
    assert explore_source(machine, max_positions=MOST).key == 1


def test_endless_play_stays_endless():
    """A game in which play never ends keeps its few positions, and is drawn."""
    game = import_game(ring(5), MOST)
    assert len(game.ends) == 5
    assert oracle.solve(game)[0] == (0, None)


def test_no_faithful_key():
    """Where no key tells positions apart, the game is refused, and the message says why."""
    machine = ring(3, 40)
    machine.labels, machine.keys = machine.labels[:1], ["the node"]
    with pytest.raises(
        ParameterError,
        match="no faithful key by which positions could be merged: the node is not enough",
    ):
        explore_source(machine, max_positions=MOST)


def test_what_the_game_tells_is_compared():
    """States of which the game tells different things are not merged, however they behave."""
    machine = random_machine(random.Random(5), hides="")
    machine.labels = [machine.labels[0], lambda s: s]
    machine.complete_key = 1
    assert explore_source(machine, max_positions=MOST).key == 1


class Seen(StateMachine):
    """One whose states are seen as what the second key says of them."""

    def observations(self, states):
        return [self.labels[1](s) for s in states]


def matching(pays, sees):
    """Return a game in which the second player guesses what the first has chosen, of two."""
    rows = [[1, 2], [3, 4], [5, 6], [], [], [], []]
    return Seen(rows, [0, 1, 1, 0, 0, 0, 0], [0, 0, 0, *pays], [lambda s: s, sees])


def test_what_is_hidden_is_found():
    """A move that the other player does not see, and that matters, is hidden information."""
    with pytest.raises(
        ParameterError,
        match=r"hidden information \(the player to move sees the same after @0 and @1\)",
    ):
        import_game(matching([1, -1, -1, 1], lambda s: s == 0), MOST)
    assert len(import_game(matching([1, -1, -1, 1], lambda s: s), MOST).ends) == 7
    assert len(import_game(matching([1, -1, 1, -1], lambda s: s == 0), MOST).ends) == 7


@pytest.mark.slow
@counts(8, 35, 300)
def test_nothing_is_hidden_where_all_is_seen(count):
    """Copies of a position that look the same and behave the same hide nothing."""
    chance = random.Random(4)
    for _ in range(count):
        machine = random_machine(chance, hides=chance.choice(["", "count"]))
        machine.__class__ = Seen
        machine.labels = [lambda s: s, machine.labels[0]]
        assert len(explore_source(machine, max_positions=MOST)) == len(states_of(machine))


def test_paths_lead_to_their_positions():
    """The shortest history of each position is known."""
    machine = random_machine(random.Random(9), hides="count")
    graph = explore_source(machine, max_positions=MOST)
    for place in range(len(graph)):
        assert graph.places(graph.state(place)) == [place]


def test_too_many_positions():
    """A game with more positions than the limit is refused, with what can be done."""
    with pytest.raises(BudgetError, match="more than 50 positions, the most that are looked for"):
        import_game(ring(3, 100), 50)
    with pytest.raises(ParameterError, match="max_positions must be at least 1, not 0"):
        import_game(ring(3), 0)


def test_sample_refuses_a_large_game_early(monkeypatch):
    """A tree of thirty million positions is refused before 200,000 are found.

    The first sample is taken earlier than elsewhere, which saves time.
    """

    class Tree(dict):
        def __missing__(self, place):
            return range(30 * place + 1, 30 * place + 31) if place < 1_000_000 else []

    monkeypatch.setattr(size_estimate, "_FIRST_SAMPLE", 1000)
    machine = StateMachine(Tree(), defaultdict(int), defaultdict(int), [lambda s: s])
    told = []
    with pytest.raises(BudgetError, match=r"by a sample of .* random games") as refused:
        import_game(machine, 200_000, told.append)
    assert refused.value.needed > refused.value.allowed
    assert max(event.done for event in told) < 100_000
    assert max(event.least or 0 for event in told) == refused.value.needed


def test_fractions_of_points():
    """Payoffs of halves and thirds are counted in whole numbers; others are refused."""
    machine = StateMachine([[1, 2], [], []], [0, 1, 1], [0, 0.5, -1 / 3], [lambda s: s])
    game = import_game(machine, MOST)
    assert isinstance(game, ImportedScores)
    assert game.points == 6
    assert [game.score(p) for p in (1, 2)] == [-3, 2]
    machine.payoffs = [0, 0.7071, 1]
    with pytest.raises(ParameterError, match=r"payoff 0\.7071 is not a fraction of a point"):
        import_game(machine, MOST)


def test_a_solution_answers(capsys):
    """An imported game is solved, verified, shown and read like any other."""
    import zermelo

    machine = random_machine(random.Random(12), hides="count")
    game = import_game(machine, MOST)
    solution = zermelo.solve(game)
    assert solution.verify()
    expected = oracle.solve(game)
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == expected
    assert zermelo.check(game).ok
    best = solution.options()[0]
    assert best.name == f"to {machine.rows[0][best.move.action]}"
    assert game.show(0) == "state 0\nposition 0"
    assert solution.parse("position 1") == solution.parse("1") == 1
    assert solution.parse(f"@{best.move.action}") == best.position
    for text, why in (
        ("@9", "the action 9, which is not legal there"),
        ("@1,x", "is not a list of actions"),
        ("99999", "is not a position; give its number"),
    ):
        with pytest.raises(PositionError, match=why):
            solution.parse(text)
    with pytest.raises(PositionError, match="-1 is not a position"):
        game.state(-1)
    assert game.state(best.position) == machine.rows[0][best.move.action]
    assert isinstance(game.ends, np.ndarray)


def test_a_score_game_is_solved():
    """The value of a game with payoffs is the score for the player to move."""
    import zermelo

    machine = StateMachine([[1, 2], [], []], [0, 1, 1], [0, 5, -3], [lambda s: s])
    solution = zermelo.solve(import_game(machine, MOST))
    assert solution.value.score == 5
    assert solution.verify()
