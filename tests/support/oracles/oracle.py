"""A slow solver in plain Python whose answers are meant to be right at sight.

It shares no code and no algorithm with the engine: positions are dictionary keys, and the values
are found in rounds that look at every open position again, where the engine keeps counters and a
queue. It knows a game only by the hooks its author wrote.

An outcome is WIN, DRAW or LOSS for the player to move. A value is ``(outcome, remoteness)``, where
an endless draw has the remoteness None. Where a game says ``endless = 0`` or ``1``, play without
end is a win for that player, which has the remoteness None, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

WIN, DRAW, LOSS, NOBODY = 1, 0, -1, -1

Position: TypeAlias = Hashable
Value: TypeAlias = tuple[int, int | None]


@dataclass(frozen=True)
class Edge:
    """One move, seen by the player who makes it."""

    move: Any
    child: Position
    sign: int  # -1 if the other player moves next, whose gain is this player's loss; else 1
    gain: int


@dataclass(frozen=True)
class Graph:
    """All that is reachable: the outcome of each terminal position, the edges of every other."""

    starts: list[Position]
    ends: dict[Position, int]
    edges: dict[Position, list[Edge]]

    def __iter__(self) -> Iterator[Position]:
        """Yield every position once."""
        yield from self.ends
        yield from self.edges


def declared(game: Any, position: Any) -> int | None:
    """Return the outcome the rules give a position, or None while the game goes on."""
    if hasattr(game, "winner"):
        winner = game.winner(position)
        if winner is None:
            return None
        if winner == NOBODY:
            return DRAW
        return WIN if winner == game.turn(position) else LOSS
    outcome = game.outcome(position) if hasattr(game, "outcome") else None
    return None if outcome is None else int(outcome)


def edge(game: Any, position: Any, move: Any) -> Edge:
    """Return what a move leads to."""
    child = game.play(position, move)
    stays = hasattr(game, "turn") and game.turn(child) == game.turn(position)
    gain = int(game.gain(position, move)) if hasattr(game, "gain") else 0
    return Edge(move, child, 1 if stays else -1, gain)


def explore(game: Any) -> Graph:
    """Return every position that can arise from the start or starts."""
    starts = list(game.starts()) if hasattr(game, "starts") else [game.start()]
    graph = Graph(starts, {}, {})
    queue = list(starts)
    while queue:
        position = queue.pop()
        if position in graph.ends or position in graph.edges:
            continue
        outcome = declared(game, position)
        edges = []
        if outcome is None:
            edges = [edge(game, position, move) for move in game.moves(position)]
        if edges:
            graph.edges[position] = edges
            queue += [e.child for e in edges]
        else:
            graph.ends[position] = int(
                getattr(game, "no_moves", LOSS) if outcome is None else outcome
            )
    return graph


def lift(value: Value, sign: int) -> Value:
    """Return what a move to a child of this value is worth to the player who makes it."""
    outcome, remoteness = value
    return sign * outcome, None if remoteness is None else remoteness + 1


def solve(game: Any) -> dict[Position, Value]:
    """Return the value of every reachable position.

    First the positions that one player can force, in rounds: what is decided in a round needs only
    the rounds before, so the number of the round is the remoteness. In every position left neither
    side can win, and whoever stays among them loses nothing by it. Both players like a tie better
    than no end, so there they go to the nearest tie together, if there is one.
    """
    graph = explore(game)
    endless_winner = getattr(game, "endless", NOBODY)
    table: dict[Position, Value] = {p: (o, 0) for p, o in graph.ends.items() if o != DRAW}
    while new_values := {
        position: max(values, key=rank)
        for position, values, all_known in _undecided(graph, table)
        if all_known or any(outcome == WIN for outcome, _ in values)
    }:
        table |= new_values
    table |= {p: (o, 0) for p, o in graph.ends.items() if o == DRAW}
    if endless_winner != NOBODY:
        return _with_endless_wins(game, graph, table, endless_winner)
    while new_values := {
        position: max(values, key=rank)
        for position, values, _ in _undecided(graph, table)
        if any(outcome == DRAW for outcome, _ in values)
    }:
        table |= new_values
    return {p: table.get(p, (DRAW, None)) for p in graph}


def _with_endless_wins(
    game: Any, graph: Graph, table: dict[Position, Value], endless_winner: int
) -> dict[Position, Value]:
    """Decide ties, and then play without end, where the latter is a win for one player.

    The other player likes a tie better than that, and goes to the nearest one; the favoured player
    ends in a tie only where every move leads to one, or to a loss, and then as late as can be. In
    every position left the favoured player can stay among these for ever.
    """
    while True:
        new_values: dict[Position, Value] = {}
        for position, values, all_known in _undecided(graph, table):
            ties = [plies for outcome, plies in values if outcome == DRAW and plies is not None]
            if ties and game.turn(position) != endless_winner:
                new_values[position] = DRAW, min(ties)
            elif ties and all_known:
                new_values[position] = DRAW, max(ties)
        if not new_values:
            break
        table |= new_values
    for position in graph:
        table.setdefault(position, (WIN if game.turn(position) == endless_winner else LOSS, None))
    return table


def _undecided(
    graph: Graph, table: Mapping[Position, Value]
) -> Iterator[tuple[Position, list[Value], bool]]:
    """Yield each position not in the table, what its moves into it are worth, and if all are."""
    for position, edges in graph.edges.items():
        if position not in table:
            values = [lift(table[e.child], e.sign) for e in edges if e.child in table]
            yield position, values, len(values) == len(edges)


def rank(value: Value, *, delays: bool = False) -> tuple[int, int]:
    """Return a key that sorts values as both players like them: WIN > tie > endless > LOSS.

    Where play without end is a win, it comes after every other win and before every other loss. A
    player who ``delays`` ties is the one who wins by it.
    """
    outcome, remoteness = value
    if remoteness is None and outcome != DRAW:
        return (2, -(1 << 62)) if outcome == WIN else (-1, 1 << 62)
    if outcome == DRAW and delays and remoteness is not None:
        return 1, remoteness
    if remoteness is None:
        return 0, 0
    if outcome == LOSS:
        return -1, remoteness
    return outcome + 1, -remoteness


def best(game: Any, table: Mapping[Any, Value], position: Any) -> list[Any]:
    """Return all moves that lead to what the table gives the position, in the author's order."""
    if declared(game, position) is not None:
        return []
    edges = [edge(game, position, move) for move in game.moves(position)]
    return [e.move for e in edges if lift(table[e.child], e.sign) == table[position]]


def problem(game: Any, table: Mapping[Any, Value]) -> str | None:
    """Return a sentence on the first value that does not follow from its successors', or None.

    Only the right table passes. A finite remoteness counts down to a terminal position, so it is
    real; and a player in a position called a draw always has a move to another.
    """
    graph = explore(game)
    endless_winner = getattr(game, "endless", NOBODY)
    if set(table) != set(graph):
        return f"the {len(table)} positions of the table are not the {len(list(graph))} reachable"
    for position in graph:
        if (table[position][0] == DRAW) == (endless_winner != NOBODY) and table[position][
            1
        ] is None:
            return f"{position!r} is decided without a remoteness"
        values = [lift(table[e.child], e.sign) for e in graph.edges.get(position, [])]
        delays = endless_winner != NOBODY and game.turn(position) == endless_winner
        sort_key = partial(rank, delays=delays)
        expected = max(values, key=sort_key) if values else (graph.ends[position], 0)
        if table[position] != expected:
            return f"{position!r} has {table[position]!r} where its moves give {expected!r}"
    return None


def within(game: Any, horizon: int) -> dict[Position, int]:
    """Return the outcome of every reachable position if the game is drawn after so many plies.

    Where play without end is a win for a player, that is what it is then.
    """
    graph = explore(game)
    endless_winner = getattr(game, "endless", NOBODY)
    values_at_horizon = dict.fromkeys(graph, DRAW)
    if endless_winner != NOBODY:
        values_at_horizon = {p: WIN if game.turn(p) == endless_winner else LOSS for p in graph}
    outcomes = {p: graph.ends.get(p, values_at_horizon[p]) for p in graph}
    for _ in range(horizon):
        longer = {p: max(e.sign * outcomes[e.child] for e in graph.edges[p]) for p in graph.edges}
        outcomes = graph.ends | longer
    return outcomes


def solve_scores(game: Any) -> dict[Position, int]:
    """Return the margin by which the player to move comes out ahead; ValueError on a cycle."""
    graph = explore(game)
    margins = {p: int(game.score(p)) if hasattr(game, "score") else 0 for p in graph.ends}
    path: set[Position] = set()  # the positions passed on the way from a start to here
    stack = list(graph.starts)
    while stack:
        position = stack[-1]
        if position in margins:
            stack.pop()
            continue
        path.add(position)
        edges = graph.edges[position]
        unknown_children = [e.child for e in edges if e.child not in margins]
        if not path.isdisjoint(unknown_children):
            message = f"the game can come back to a position by way of {position!r}"
            raise ValueError(message)
        if not unknown_children:
            margins[position] = max(e.gain + e.sign * margins[e.child] for e in edges)
            path.remove(position)
        stack += unknown_children
    return margins


def nimbers(rows: Mapping[Position, list[Position]]) -> dict[Position, int | frozenset[int]]:
    """Return the nimber of every position of an impartial game, or the set of an infinity.

    By what they mean: a position is worth n if whoever is to move loses it together with a heap of
    n, where a move is made in one of the two. It is worth infinity if that is so of no heap, with
    those n for which a heap of n makes it a win. As many heaps are tried as a position has moves,
    and one more.

    Args:
        rows: where the moves of each position lead.
    """
    heaps = range(2 + max(len(set(row)) for row in rows.values()))
    children = {
        (position, heap): [*((p, heap) for p in row), *((position, h) for h in range(heap))]
        for position, row in rows.items()
        for heap in heaps
    }
    outcomes: dict[Any, int] = {}
    while new_outcomes := {
        pair: WIN if any(outcomes.get(child) == LOSS for child in row) else LOSS
        for pair, row in children.items()
        if pair not in outcomes
        and (
            any(outcomes.get(child) == LOSS for child in row)
            or all(outcomes.get(child) == WIN for child in row)
        )
    }:
        outcomes |= new_outcomes
    values: dict[Position, int | frozenset[int]] = {}
    for position in rows:
        lost = [heap for heap in heaps if outcomes.get((position, heap)) == LOSS]
        won = frozenset(heap for heap in heaps if outcomes.get((position, heap)) == WIN)
        values[position] = lost[0] if lost else won
    return values


def losing_sum(options: Any, heaps: tuple[int, ...], known: dict[tuple[int, ...], bool]) -> bool:
    """Return whether the player to move in a sum of heaps loses, if who cannot move wins.

    ``options`` returns what moves leave of a heap; ``known`` remembers sums.
    """
    heaps = tuple(sorted(heaps, reverse=True))
    if heaps not in known:
        children = [
            (*heaps[:place], *heaps[place + 1 :], *option)
            for place, heap in enumerate(heaps)
            for option in options(heap)
        ]
        known[heaps] = bool(children) and not any(
            losing_sum(options, child, known) for child in children
        )
    return known[heaps]


def endless_worth(game: Any, position: Any) -> int:
    """Return how many points the player to move makes by play without end, in a score game."""
    declaration = getattr(game, "endless", NOBODY)
    if callable(declaration):
        return int(declaration(position))
    if declaration == NOBODY or not declaration:
        return 0
    return int(-declaration if game.turn(position) else declaration)


def solve_loopy_scores(game: Any) -> dict[Position, tuple[int, int | None]]:
    """Return the margin of each position, also where the game may go on for ever, and the plies.

    A state is a position, who moves there, and what the first player has made so far. For each
    total there may be, it is found from which states the first player gets at least that much: she
    does if she can come to a good end, or for ever to states in which endless play is good. The
    plies then come in rounds, as in ``solve``.
    """
    graph = explore(game)
    margins = _margins(game, graph)
    return _with_plies(game, graph, margins)


def _margins(game: Any, graph: Graph) -> dict[Position, int]:
    moves: dict[Any, list[Any]] = {}
    finals: dict[Any, int] = {}
    stays: dict[Any, int] = {}
    queue = [(p, 0 if not hasattr(game, "turn") else game.turn(p), 0) for p in graph]
    while queue:
        state = position, mover, points = queue.pop()
        if state in moves:
            continue
        sign = -1 if mover else 1
        moves[state] = []
        if position in graph.ends:
            score = int(game.score(position)) if hasattr(game, "score") else 0
            finals[state] = points + sign * score
            continue
        stays[state] = points + sign * endless_worth(game, position)
        for e in graph.edges[position]:
            next_mover = mover if e.sign > 0 else 1 - mover
            moves[state].append((e.child, next_mover, points + sign * e.gain))
        queue += moves[state]
    best = dict.fromkeys(moves, 0)
    remaining = set(moves)
    for total in sorted({*finals.values(), *stays.values()}):
        good = _at_least(moves, finals, stays, total)
        best |= dict.fromkeys(good, total)
        remaining &= good
        if not good:
            break
    return {
        position: -best[position, mover, 0] if mover else best[position, mover, 0]
        for position, mover, points in moves
        if points == 0 and mover == (game.turn(position) if hasattr(game, "turn") else 0)
    }


def _at_least(
    moves: dict[Any, list[Any]], finals: dict[Any, int], stays: dict[Any, int], total: int
) -> set[Any]:
    """Return the states from which the first player gets this much at least."""
    endless_states = set(moves)
    while True:
        good = {state for state, final in finals.items() if final >= total}
        while True:
            new_states = set()
            for state, children in moves.items():
                if state in good or state in finals:
                    continue
                good_or_endless = endless_states if stays[state] >= total else good
                is_good = [
                    next_state in good or next_state in good_or_endless for next_state in children
                ]
                if all(is_good) if state[1] else any(is_good):
                    new_states.add(state)
            if not new_states:
                break
            good |= new_states
        if good == endless_states:
            return good
        endless_states = good


def _with_plies(
    game: Any, graph: Graph, margins: dict[Position, int]
) -> dict[Position, tuple[int, int | None]]:
    """Return in how many plies each margin is settled, too.

    Above what endless play is worth a player hurries, and below it delays; where it is the same,
    both go to the nearest end, or for ever round if there is none.
    """
    level = {p: endless_worth(game, p) for p in graph.edges}
    plies: dict[Position, int] = dict.fromkeys(graph.ends, 0)
    rounds = 0
    while True:
        rounds += 1
        new_plies = {}
        for position, edges in graph.edges.items():
            if position in plies:
                continue
            margin = margins[position]
            are_settled = []
            for e in edges:
                if e.gain + e.sign * margins[e.child] != margin:
                    continue
                endless = e.child in level and margins[e.child] == level[e.child]
                is_settled_by_endless_play = endless and margin != level[position]
                are_settled.append(
                    e.child in plies
                    or (is_settled_by_endless_play and _is_endless(e.child, graph, margins, level))
                )
            if all(are_settled) if margin < level[position] else any(are_settled):
                new_plies[position] = rounds
        if not new_plies:
            return {p: (margins[p], plies.get(p)) for p in graph}
        plies |= new_plies


def _is_endless(
    position: Position, graph: Graph, margins: dict[Position, int], level: dict[Position, int]
) -> bool:
    """Whether no end can be come to by moves that keep the margin that endless play makes."""
    visited, queue = {position}, [position]
    while queue:
        current = queue.pop()
        for e in graph.edges[current]:
            if e.gain + e.sign * margins[e.child] != margins[current]:
                continue
            if e.child in graph.ends or margins[e.child] != level[e.child]:
                return False
            if e.child not in visited:
                visited.add(e.child)
                queue.append(e.child)
    return True


def solve_parity(game: Mapping[int, tuple[int, int, list[int]]]) -> dict[int, int]:
    """Return the winner of each vertex of a parity game, by recursion over its greatest priority.

    W. Zielonka, "Infinite games on finitely coloured graphs", Theoretical Computer Science 200
    (1998).

    Args:
        game: for each vertex its priority, its owner and its successors, of which it has one or
            more. Player 0 wins if the greatest priority that comes again and again is even.
    """

    def attractor(part: set[int], player: int, target: set[int]) -> set[int]:
        inside = set(target)
        while True:
            new_vertices = set()
            for v in part - inside:
                is_inside = [w in inside for w in game[v][2] if w in part]
                if any(is_inside) if game[v][1] == player else all(is_inside):
                    new_vertices.add(v)
            if not new_vertices:
                return inside
            inside |= new_vertices

    def regions(part: set[int]) -> tuple[set[int], set[int]]:
        if not part:
            return set(), set()
        highest = max(game[v][0] for v in part)
        player = highest % 2
        attracted = attractor(part, player, {v for v in part if game[v][0] == highest})
        won = list(regions(part - attracted))
        if not won[1 - player]:
            won[player] = set(part)
            return won[0], won[1]
        opponent_attracted = attractor(part, 1 - player, won[1 - player])
        won = list(regions(part - opponent_attracted))
        won[1 - player] = won[1 - player] | opponent_attracted
        return won[0], won[1]

    first, _ = regions(set(game))
    return {v: 0 if v in first else 1 for v in game}


def parity_by_strategies(game: Mapping[int, tuple[int, int, list[int]]]) -> dict[int, int]:
    """Return the winner of each vertex of a parity game, by trying all positional strategies.

    Player 0 wins from a vertex if some choice of a move at each of its vertices wins against every
    such choice of player 1. One of the players has a strategy of this sort (E. A. Emerson and C. S.
    Jutla, FOCS 1991).

    Args:
        game: for each vertex its priority, its owner and its successors; a player who cannot move
            loses.
    """
    owned = [[v for v in game if game[v][1] == player and game[v][2]] for player in (0, 1)]

    def choices(player: int) -> list[dict[int, int]]:
        rows = itertools.product(*(set(game[v][2]) for v in owned[player]))
        return [dict(zip(owned[player], row, strict=True)) for row in rows]

    def winner(vertex: int, moves: Mapping[int, int]) -> int:
        path: list[int] = []
        while vertex not in path:
            path.append(vertex)
            if vertex not in moves:
                return 1 - game[vertex][1]
            vertex = moves[vertex]
        return max(game[v][0] for v in path[path.index(vertex) :]) % 2

    won: set[int] = set()
    replies = choices(1)
    for strategy in choices(0):
        left = set(game) - won
        for reply in replies:
            moves = strategy | reply
            left = {v for v in left if winner(v, moves) == 0}
            if not left:
                break
        won |= left
    return {v: 0 if v in won else 1 for v in game}


def least_credits(game: Mapping[int, tuple[int, list[tuple[int, int]]]]) -> dict[int, int | None]:
    """Return the least credit with which player 0 wins an energy game, or None, by iteration.

    Args:
        game: for each vertex its owner, and its moves as pairs of a successor and a weight; a
            player who cannot move loses.
    """
    # No simple path needs more.
    most = sum(max([0, *(-weight for _, weight in moves)]) for _, moves in game.values())
    never = most + 1
    credit = dict.fromkeys(game, 0)
    while True:
        needed = {}
        for v, (owner, moves) in game.items():
            each = [
                never if credit[w] == never else min(never, max(0, credit[w] - weight))
                for w, weight in moves
            ]
            best = min(each, default=never) if owner == 0 else max(each, default=0)
            needed[v] = max(best, credit[v])
        if needed == credit:
            return {v: None if number == never else number for v, number in credit.items()}
        credit = needed


def mean_payoffs(game: Mapping[int, tuple[int, list[tuple[int, int]]]]) -> dict[int, Fraction]:
    """Return the value of each vertex of a mean-payoff game, by trying all positional strategies.

    Args:
        game: for each vertex its owner, and its moves as pairs of a successor and a weight, at
            least one.
    """
    owned = [[v for v in game if game[v][0] == player] for player in (0, 1)]

    def choices(player: int) -> list[dict[int, tuple[int, int]]]:
        rows = itertools.product(*(game[v][1] for v in owned[player]))
        return [dict(zip(owned[player], row, strict=True)) for row in rows]

    def average(vertex: int, moves: Mapping[int, tuple[int, int]]) -> Fraction:
        path: list[int] = []
        while vertex not in path:
            path.append(vertex)
            vertex, _ = moves[vertex]
        cycle = path[path.index(vertex) :]
        return Fraction(sum(moves[v][1] for v in cycle), len(cycle))

    replies = choices(1)
    worst = [
        {v: min(average(v, strategy | reply) for reply in replies) for v in game}
        for strategy in choices(0)
    ]
    return {v: max(each[v] for each in worst) for v in game}


def winners_by_visits(
    game: Mapping[int, tuple[int, list[int]]], sets: list[set[int]], player: int
) -> dict[tuple[int, frozenset[int]], int]:
    """Return who wins if a player has to visit each set once, by what has been visited before.

    The product of the vertices and all collections of sets is searched for the pairs from which the
    player can force all visits, until no pair is found.

    Args:
        game: for each vertex its owner and its successors; play that ends visits nothing more.
        sets: the sets.
        player: the player who has to visit them.
    """
    numbers = range(len(sets))
    subsets = [
        frozenset(each) for size in numbers for each in itertools.combinations(numbers, size)
    ]
    won: set[tuple[int, frozenset[int]]] = set()
    size = -1
    while size < len(won):
        size = len(won)
        for (v, (owner, successors)), visited in itertools.product(game.items(), subsets):
            after = visited | {i for i in numbers if v in sets[i]}
            wins = [len(after) == len(sets) or (w, after) in won for w in successors]
            can_go_on = any(wins) if owner == player else bool(wins) and all(wins)
            if len(after) == len(sets) or can_go_on:
                won.add((v, visited))
    return {
        (v, visited): player if (v, visited) in won else 1 - player
        for v in game
        for visited in subsets
    }


def winners_by_recurrence(
    game: Mapping[int, tuple[int, list[int]]], sets: list[set[int]], player: int
) -> dict[int, int]:
    """Return who wins if a player has to visit each set again and again, by nested fixed points.

    The greatest region from each of whose vertices the player can come to each of the sets, and
    from there into the region again. (For one set it is the formula of E. A. Emerson and C.-L. Lei,
    "Efficient model checking in fragments of the propositional mu-calculus", LICS 1986.)

    Args:
        game: for each vertex its owner and its successors; a player who cannot move loses.
        sets: the sets.
        player: the player who has to visit them.
    """

    def forced(target: set[int]) -> set[int]:
        return {
            v
            for v, (owner, successors) in game.items()
            if (any if owner == player else all)(w in target for w in successors)
        }

    region = set(game)
    while True:
        smaller = set(region)
        for members in sets:
            goal = members & forced(region)
            reached: set[int] = set()
            while (more := goal | forced(reached)) != reached:
                reached = more
            smaller &= reached
        if smaller == region:
            return {v: player if v in region else 1 - player for v in game}
        region = smaller
