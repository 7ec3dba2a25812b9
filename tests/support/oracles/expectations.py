"""Exact values of small games with chance, as fractions, in two ways that share few lines.

``solve`` finds a strategy for each player and then proves that neither can do better, by a check
that fits on a page. ``solve_by_strategies`` tries all pairs of strategies, and is for tiny games.
Both know a game only by the hooks its author wrote, and share no code with the engine. Neither
iterates towards a value from below or above: a pair of strategies makes play a Markov chain, whose
values are the solution of linear equations.

A value is the expected result for the player to move: from -1 (a sure loss) to 1 (a sure win), a
draw being 0. In a score game the value is the expected margin.

A strategy is positional here: it has one move for each position. Positional strategies are enough
for both players. A game that pays at its end, and a constant for play without end, is a stochastic
game of perfect information with mean payoffs in which each end pays again and again, and there
both players have optimal positional strategies: D. Gillette, "Stochastic games with zero stop
probabilities", 1957; T. M. Liggett and S. A. Lippman, "Stochastic games with perfect information
and time average payoff", SIAM Review 11 (1969). H. Everett, "Recursive games", 1957, has the games
themselves. These sources are recalled, and no value relies on them: ``solve`` checks that its
strategies are optimal against any play, and ``solve_by_strategies``, which compares a lower bound
with an upper bound, needs only that one player against chance has a best positional strategy.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from support.oracles.oracle import LOSS, NOBODY, declared, endless_worth

Position: TypeAlias = Hashable
#: A position and the player to move there, 0 or 1.
State: TypeAlias = tuple[Position, int]


class Step(NamedTuple):
    """A move: where it leads, and the points that the first player makes by it."""

    move: Any
    child: State
    gain: int


class Face(NamedTuple):
    """A result of chance: its probability, and where it leads."""

    probability: Fraction
    child: State


Strategy: TypeAlias = dict[State, Step]
Values: TypeAlias = dict[State, Fraction]


@dataclass(frozen=True)
class ChanceGraph:
    """All states that can arise; every number is the first player's.

    Attributes:
        ends: the payoff of each terminal state.
        steps: the moves in each state where a player moves.
        faces: the results of chance in every other state.
        worth: the payoff of endless play through each state that is not terminal.
    """

    ends: dict[State, int]
    steps: dict[State, list[Step]]
    faces: dict[State, list[Face]]
    worth: dict[State, int]

    def __iter__(self) -> Iterator[State]:
        """Yield every state once."""
        yield from self.ends
        yield from self.worth

    def children(self, state: State) -> list[State]:
        """Return the states that follow a state."""
        return [each.child for each in [*self.steps.get(state, []), *self.faces.get(state, [])]]


def explore(game: Any) -> ChanceGraph:
    """Return every state that can arise from the start or starts.

    Raises:
        ValueError: weights break the contract, or cycles make points.
    """
    is_score = hasattr(game, "gain") or hasattr(game, "score")
    graph = ChanceGraph({}, {}, {}, {})

    def state_of(position: Position, mover: int) -> State:
        return position, game.turn(position) if hasattr(game, "turn") else mover

    starts = game.starts() if hasattr(game, "starts") else [game.start()]
    queue = [state_of(position, 0) for position in starts]
    while queue:
        state = queue.pop()
        if state in graph.ends or state in graph.worth:
            continue
        position, mover = state
        sign = 1 - 2 * mover
        outcome = declared(game, position)
        rolls, moves = [], []
        if outcome is None:
            rolls = list(game.chance(position)) if hasattr(game, "chance") else []
            moves = [] if rolls else list(game.moves(position))
        if not rolls and not moves:
            if is_score:
                payoff = int(game.score(position)) if hasattr(game, "score") else 0
            else:
                payoff = int(getattr(game, "no_moves", LOSS) if outcome is None else outcome)
            graph.ends[state] = sign * payoff
            continue
        graph.worth[state] = _endless_payoff(game, position, sign, is_score=is_score)
        if rolls:
            total = sum(weight for weight, _ in rolls)
            if min(weight for weight, _ in rolls) < 1 or total > 1 << 16:
                message = f"{position!r} has weights that break the contract"
                raise ValueError(message)
            graph.faces[state] = [
                Face(Fraction(weight, total), state_of(child, mover)) for weight, child in rolls
            ]
        else:
            graph.steps[state] = [
                Step(
                    move,
                    state_of(game.play(position, move), 1 - mover),
                    sign * int(game.gain(position, move)) if hasattr(game, "gain") else 0,
                )
                for move in moves
            ]
        queue += graph.children(state)
    _check_cycles(graph)
    return graph


def _endless_payoff(game: Any, position: Position, sign: int, *, is_score: bool) -> int:
    """Return the first player's payoff of endless play through a position."""
    if is_score:
        return sign * endless_worth(game, position)
    winner = getattr(game, "endless", NOBODY)
    return 0 if winner == NOBODY else 1 - 2 * int(winner)


def _check_cycles(graph: ChanceGraph) -> None:
    """Check that payoffs are finite and endless play has one worth wherever it ends up.

    Raises:
        ValueError: a cycle makes points, or endless play has two payoffs along a cycle.
    """
    reach = _reach({state: graph.children(state) for state in graph})
    for state, steps in graph.steps.items():
        if any(step.gain and state in reach[step.child] for step in steps):
            message = f"{state[0]!r} is on a cycle that makes points"
            raise ValueError(message)
    for state, worth in graph.worth.items():
        for child in graph.children(state):
            if state in reach[child] and graph.worth[child] != worth:
                message = f"endless play has two payoffs around {state[0]!r}"
                raise ValueError(message)


def _reach(children: Mapping[State, list[State]]) -> dict[State, set[State]]:
    """Return for each state the states that can arise from it, itself among them."""
    reach = {}
    for state in children:
        reach[state] = {state}
        queue = [state]
        while queue:
            new_states = set(children[queue.pop()]) - reach[state]
            reach[state] |= new_states
            queue += new_states
    return reach


def chain_values(graph: ChanceGraph, moves: Strategy, stop: Fraction = Fraction(0)) -> Values:
    """Return what each state is worth if both players make the given moves.

    Args:
        graph: the states.
        moves: the move in each state where a player moves.
        stop: the probability with which play breaks off before each move or roll, and then pays
            what endless play pays.
    """
    values = {state: Fraction(payoff) for state, payoff in graph.ends.items()}
    chain = {state: [(Fraction(1), moves[state].child)] for state in graph.steps}
    chain |= {
        state: [(face.probability, face.child) for face in graph.faces[state]]
        for state in graph.faces
    }
    if not stop:
        values |= {state: Fraction(graph.worth[state]) for state in _recurrent(chain)}
    equations = {}
    for state, row in chain.items():
        if state in values:
            continue
        constant = stop * graph.worth[state]
        if state in moves:
            constant += (1 - stop) * moves[state].gain
        terms: dict[State, Fraction] = {}
        for probability, child in row:
            share = (1 - stop) * probability
            if child in values:
                constant += share * values[child]
            else:
                terms[child] = terms.get(child, Fraction(0)) + share
        equations[state] = constant, terms
    return values | _solution(equations)


def _recurrent(chain: Mapping[State, list[tuple[Fraction, State]]]) -> set[State]:
    """Return the states that play comes back to for ever, once it is there."""
    children = {state: [child for _, child in row] for state, row in chain.items()}
    ends = {child for row in children.values() for child in row if child not in chain}
    reach = _reach(children | {end: [] for end in ends})
    return {state for state in chain if all(state in reach[other] for other in reach[state])}


def _solution(equations: Mapping[State, tuple[Fraction, dict[State, Fraction]]]) -> Values:
    """Return the solution of equations of the form x = constant + sum of coefficient times y."""
    left = dict(equations)
    eliminated = []
    while left:
        x, (constant, terms) = left.popitem()
        factor = 1 / (1 - terms.pop(x, Fraction(0)))
        constant *= factor
        terms = {y: factor * coefficient for y, coefficient in terms.items()}
        eliminated.append((x, constant, terms))
        for other, (other_constant, other_terms) in left.items():
            if x in other_terms:
                share = other_terms.pop(x)
                for y, coefficient in terms.items():
                    other_terms[y] = other_terms.get(y, Fraction(0)) + share * coefficient
                left[other] = other_constant + share * constant, other_terms
    values: Values = {}
    for x, constant, terms in reversed(eliminated):
        values[x] = constant + sum(c * values[y] for y, c in terms.items())
    return values


def solve(game: Any) -> dict[Position, Fraction]:
    """Return the value of every reachable position, for the player to move.

    Strategies are improved in the game that breaks off with a small probability before each move,
    where improvement cannot come to rest too early. The strategies are then checked in the game
    itself; if the check fails, the probability was too large.
    """
    graph = explore(game)
    stop = Fraction(1, 1 << 20)
    while True:
        moves = best_moves(graph, stop)
        values = chain_values(graph, moves)
        if all(is_guaranteed(graph, values, moves, player) for player in (0, 1)):
            return _table(values)
        stop **= 2


def best_moves(graph: ChanceGraph, stop: Fraction) -> Strategy:
    """Return a move for each state that is best in the game that breaks off."""
    moves = {state: steps[0] for state, steps in graph.steps.items()}
    while True:
        values = chain_values(graph, moves, stop)
        # The first player changes moves only against the best reply of the second player.
        for player in (1, 0):
            sign = 1 - 2 * player
            better = {}
            for state, steps in graph.steps.items():
                if state[1] == player:
                    best = max(steps, key=lambda s: sign * (s.gain + values[s.child]))
                    if (
                        best.gain + values[best.child]
                        != moves[state].gain + values[moves[state].child]
                    ):
                        better[state] = best
            if better:
                moves |= better
                break
        else:
            return moves


def is_guaranteed(graph: ChanceGraph, values: Values, moves: Strategy, player: int) -> bool:
    """Return whether a player's moves make at least the values, against any play of the other.

    Along play the value never falls on average, so that it converges; as there are finitely many
    values, it is constant after some time. If play ends, the last value is the payoff. Otherwise
    play stays for ever in a set of states of one value: chance never leaves the set, and the
    player's moves do not. The payoff is then the worth of endless play, so that no such set may
    have a greater value than that.
    """
    sign = 1 - 2 * player
    allowed = {
        state: [moves[state]] if state[1] == player else steps
        for state, steps in graph.steps.items()
    }
    for state, payoff in graph.ends.items():
        if sign * values[state] > sign * payoff:
            return False
    for state, steps in allowed.items():
        if any(sign * (s.gain + values[s.child]) < sign * values[state] for s in steps):
            return False
    for state, faces in graph.faces.items():
        if sign * sum(p * values[child] for p, child in faces) < sign * values[state]:
            return False
    trap = {state for state, worth in graph.worth.items() if sign * values[state] > sign * worth}

    def can_stay(state: State) -> bool:
        successors = allowed.get(state) or graph.faces[state]
        stays = [s.child in trap and values[s.child] == values[state] for s in successors]
        return all(stays) if state in graph.faces else any(stays)

    while leaving := {state for state in trap if not can_stay(state)}:
        trap -= leaving
    return not trap


def solve_by_strategies(game: Any) -> dict[Position, Fraction]:
    """Return the value of every reachable position, by trying all pairs of strategies.

    The first player gets at least the greatest of the least values of her strategies, and at most
    the least of the greatest values of the second player's. Against one strategy the other player
    has a best reply that is a strategy of this sort, so both numbers are bounds of the value.

    Raises:
        ArithmeticError: the bounds differ.
    """
    graph = explore(game)
    ours, theirs = (_strategies(graph, player) for player in (0, 1))
    lower: Values = {}
    greatest: list[Values] = [{} for _ in theirs]
    for mine in ours:
        least: Values = {}
        for most, reply in zip(greatest, theirs, strict=True):
            values = chain_values(graph, mine | reply)
            for state, value in values.items():
                least[state] = min(value, least.get(state, value))
                most[state] = max(value, most.get(state, value))
        lower = {state: max(value, lower.get(state, value)) for state, value in least.items()}
    upper = {state: min(most[state] for most in greatest) for state in graph}
    if lower != upper:
        message = f"the bounds {lower!r} and {upper!r} differ"
        raise ArithmeticError(message)
    return _table(lower)


def _strategies(graph: ChanceGraph, player: int) -> list[Strategy]:
    """Return all strategies of a player, without moves that do what an earlier one does."""
    own = {
        state: list({(s.child, s.gain): s for s in reversed(steps)}.values())
        for state, steps in graph.steps.items()
        if state[1] == player
    }
    return [dict(zip(own, row, strict=True)) for row in itertools.product(*own.values())]


def strategy_pairs(game: Any) -> int:
    """Return how many pairs of strategies ``solve_by_strategies`` tries."""
    steps = explore(game).steps.values()
    return math.prod(len({(s.child, s.gain) for s in each}) for each in steps)


def _table(values: Values) -> dict[Position, Fraction]:
    """Return values for the player to move, by position.

    Without ``turn`` either player may be to move in a position, which is worth as much to both.

    Raises:
        ArithmeticError: a position has two values.
    """
    table: dict[Position, Fraction] = {}
    for (position, mover), value in values.items():
        own_value = -value if mover else value
        if table.setdefault(position, own_value) != own_value:
            message = f"{position!r} is worth {own_value} and {table[position]}"
            raise ArithmeticError(message)
    return table


def options(
    game: Any, table: Mapping[Any, Fraction], position: Position
) -> list[tuple[Any, Fraction]]:
    """Return each move in a position with its value for the player who makes it."""
    if declared(game, position) is not None:
        return []
    rows = []
    for move in game.moves(position):
        child = game.play(position, move)
        stays = hasattr(game, "turn") and game.turn(child) == game.turn(position)
        gain = int(game.gain(position, move)) if hasattr(game, "gain") else 0
        rows.append((move, gain + (table[child] if stays else -table[child])))
    return rows


def problem(
    table: Mapping[Any, Fraction], bounds: Mapping[Any, tuple[float, float]], width: float
) -> str | None:
    """Return a sentence on the first enclosure that is wrong or too wide, or None.

    Args:
        table: the values of all positions.
        bounds: the enclosures of all positions; an exact comparison needs no tolerance.
        width: how far the bounds of an enclosure may differ.
    """
    if set(table) != set(bounds):
        return f"{len(bounds)} positions have enclosures, and {len(table)} are reachable"
    for position, value in table.items():
        lower, upper = bounds[position]
        if not lower <= value <= upper:
            return f"{position!r} is worth {value}, which is not from {lower!r} to {upper!r}"
        if Fraction(upper) - Fraction(lower) > Fraction(width):
            return f"{position!r} has bounds from {lower!r} to {upper!r}, wider than {width!r}"
    return None
