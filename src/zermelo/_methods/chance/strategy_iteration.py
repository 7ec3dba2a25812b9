"""Exact values of a strongly connected component of a game with chance, and their proof.

A pair of strategies makes play a Markov chain, whose values solve linear equations. The strategies
of both players are improved in turn (A. J. Hoffman and R. M. Karp, "On nonterminating stochastic
games", Management Science 12, 1966), also by staying where endless play is worth more. The first
strategies make all moves equally likely. If all moves are best, as bounds usually tell, the values
are those of this chain. ``docs/explanation/chance.md`` proves that the iteration ends, and that the
check at the end suffices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias

from zermelo._methods.chance.linear_equations import MOST_UNKNOWNS, solve_equations

#: The successor of an edge that leads out of the component.
OUTSIDE = -1
#: The numbers of the players.
FIRST, SECOND = 0, 1
#: The number of the move that is made at a vertex; elsewhere all moves are equally likely.
Strategy: TypeAlias = dict[int, int]
Values: TypeAlias = list[Fraction]


class Edge(NamedTuple):
    """A move or a result of chance, seen by the player to move before it.

    Attributes:
        successor: the vertex that it leads to, or ``OUTSIDE``.
        sign: 1 if the same player is to move there, otherwise -1; 1 for ``OUTSIDE``.
        worth: the points that it makes; for ``OUTSIDE`` with the value after it.
        weight: the weight of a result of chance; 1 for a move.
    """

    successor: int
    sign: int
    worth: Fraction
    weight: int


class CountError(Exception):
    """A chain has more unknown values than linear equations are solved for.

    Attributes:
        count: the number of unknown values.
    """

    def __init__(self, count: int) -> None:
        """Store the number of unknown values."""
        super().__init__(count)
        self.count = count


class DigitsError(Exception):
    """Values have too many digits."""


class _Role(Enum):
    """What keeps play in a set of vertices: some level edge, all level edges, or all edges.

    An edge is level if the value does not change along it.
    """

    STAYER = auto()
    LEAVER = auto()
    CHAIN = auto()


@dataclass(frozen=True)
class ChanceComponent:
    """The vertices of a strongly connected component, numbered from 0 on.

    All values are for the player to move, also where chance decides.

    Attributes:
        edges: the moves or the results of chance at each vertex.
        by_chance: whether chance decides at each vertex.
        endless: the value of endless play at each vertex.
        movers: the player to move at each vertex, ``FIRST`` or ``SECOND``; empty if either player
            may be to move there.
    """

    edges: Sequence[Sequence[Edge]]
    by_chance: Sequence[bool]
    endless: Sequence[int]
    movers: Sequence[int] = ()

    def worth(self, values: Values, edge: Edge) -> Fraction:
        """Return the worth of an edge for the player to move before it."""
        if edge.successor == OUTSIDE:
            return edge.worth
        return edge.worth + edge.sign * values[edge.successor]

    def rows(self, strategy: Mapping[int, int]) -> list[Sequence[Edge]]:
        """Return the edges of each vertex that play may follow under a strategy."""
        return [
            (row[strategy[vertex]],) if vertex in strategy else row
            for vertex, row in enumerate(self.edges)
        ]

    def with_movers(self) -> tuple[ChanceComponent, list[int]]:
        """Return the component that play from vertex 0 leads to, if the first player begins there.

        It has a vertex for each pair of a vertex and a player who may be to move there. The second
        result has the vertex of each pair.
        """
        numbers = {(0, FIRST): 0}
        pairs = [(0, FIRST)]
        edges = []
        for vertex, mover in pairs:  # the loop appends to the list
            row = []
            for edge in self.edges[vertex]:
                number = OUTSIDE
                if edge.successor != OUTSIDE:
                    pair = edge.successor, mover if edge.sign > 0 else 1 - mover
                    number = numbers.setdefault(pair, len(pairs))
                    if number == len(pairs):
                        pairs.append(pair)
                row.append(edge._replace(successor=number))
            edges.append(row)
        vertices = [vertex for vertex, _ in pairs]
        component = ChanceComponent(
            edges,
            [self.by_chance[vertex] for vertex in vertices],
            [self.endless[vertex] for vertex in vertices],
            [mover for _, mover in pairs],
        )
        return component, vertices


def component_values(component: ChanceComponent, most_bits: int) -> Values:
    """Return the values of all vertices, which are proved.

    Args:
        component: the vertices; ``movers`` may be empty.
        most_bits: the most bits of a numerator or a denominator.

    Raises:
        CountError: there are too many vertices.
        DigitsError: values have more bits.
    """
    values = chain_values(component, {}, most_bits)
    if not are_proved(component, values):
        pairs, vertices = component.with_movers()
        by_vertex = dict(zip(vertices, _iterate(pairs, most_bits), strict=True))
        values = [by_vertex[vertex] for vertex in range(len(component.edges))]
        if not are_proved(component, values):
            message = "strategy iteration ended with strategies that are not the best"
            raise AssertionError(message)
    return values


def _iterate(component: ChanceComponent, most_bits: int) -> Values:
    """Return the values of a component with movers, by strategy iteration.

    The first player's strategy changes only against the best reply of the second player.
    """
    strategy: Strategy = {}
    while True:
        values = chain_values(component, strategy, most_bits)
        changes = _improvement(component, values, SECOND, strategy)
        changes = changes or _improvement(component, values, FIRST, None)
        if not changes:
            return values
        strategy |= changes


def chain_values(component: ChanceComponent, strategy: Strategy, most_bits: int) -> Values:
    """Return the values of all vertices if both players follow a strategy.

    Raises:
        CountError: there are too many vertices.
        DigitsError: values have more bits.
    """
    rows = component.rows(strategy)
    values = [Fraction(points) for points in component.endless]  # final where play cannot leave
    is_leaving = _leaving(rows)
    links = _links(rows, is_leaving)
    unknown = [vertex for vertex in range(len(rows)) if is_leaving[vertex] and vertex not in links]
    if len(unknown) > MOST_UNKNOWNS:
        raise CountError(len(unknown))
    numbers = {vertex: number for number, vertex in enumerate(unknown)}
    equations: list[dict[int, int]] = []
    constants = []
    for number, vertex in enumerate(unknown):
        equation = {number: sum(edge.weight for edge in rows[vertex])}
        constant = Fraction(0)
        for edge in rows[vertex]:
            after = _through_link(links, edge)
            constant += edge.weight * after.worth
            if after.successor in numbers:
                column = numbers[after.successor]
                equation[column] = equation.get(column, 0) - edge.weight * after.sign
            elif after.successor != OUTSIDE:
                constant += edge.weight * after.sign * values[after.successor]
        equations.append({column: factor for column, factor in equation.items() if factor})
        constants.append(constant)
    scale = lcm(*(constant.denominator for constant in constants))
    integers = [constant.numerator * (scale // constant.denominator) for constant in constants]
    solution = solve_equations(equations, integers, 2 * most_bits)
    if solution is None:
        raise DigitsError
    for vertex, value in zip(unknown, solution, strict=True):
        values[vertex] = value / scale
    for vertex, link in links.items():
        values[vertex] = component.worth(values, link)
    return values


def _leaving(rows: Sequence[Sequence[Edge]]) -> list[bool]:
    """Return for each vertex whether edges lead from there out of the component."""
    parents: list[list[int]] = [[] for _ in rows]
    for vertex, row in enumerate(rows):
        for edge in row:
            if edge.successor != OUTSIDE:
                parents[edge.successor].append(vertex)
    is_leaving = [any(edge.successor == OUTSIDE for edge in row) for row in rows]
    queue = [vertex for vertex, leaves in enumerate(is_leaving) if leaves]
    for vertex in queue:  # the loop appends to the list
        for parent in parents[vertex]:
            if not is_leaving[parent]:
                is_leaving[parent] = True
                queue.append(parent)
    return is_leaving


def _links(rows: Sequence[Sequence[Edge]], is_leaving: Sequence[bool]) -> dict[int, Edge]:
    """Return a link for each vertex with one distinct edge: to the first vertex with several."""
    single = {
        vertex: row[0]
        for vertex, row in enumerate(rows)
        if is_leaving[vertex] and len({edge[:3] for edge in row}) == 1
    }
    links: dict[int, Edge] = {}
    for start in single:
        vertex, path = start, []
        while vertex in single and vertex not in links:
            path.append(vertex)
            vertex = single[vertex].successor
        for vertex in reversed(path):
            links[vertex] = _through_link(links, single[vertex])
    return links


def _through_link(links: Mapping[int, Edge], edge: Edge) -> Edge:
    """Return an edge with the link of its successor appended, if that has one."""
    link = links.get(edge.successor)
    if link is None:
        return edge
    worth = edge.worth + edge.sign * link.worth
    sign = 1 if link.successor == OUTSIDE else edge.sign * link.sign
    return Edge(link.successor, sign, worth, edge.weight)


def _improvement(
    component: ChanceComponent, values: Values, player: int, strategy: Strategy | None
) -> Strategy:
    """Return better moves of a player: to greater values, or else to stay for ever.

    Args:
        component: the vertices, with movers.
        values: the values by the strategies of both players.
        player: the player whose moves are returned.
        strategy: a strategy that the other player follows; None if the other player may choose any
            best reply.
    """
    better = {}
    for vertex, row in enumerate(component.edges):
        if component.movers[vertex] == player and not component.by_chance[vertex]:
            worths = [component.worth(values, edge) for edge in row]
            best = max(worths)
            if best > values[vertex]:
                better[vertex] = worths.index(best)
    if better:
        return better
    roles = {}
    for vertex, mover in enumerate(component.movers):
        rise = component.endless[vertex] - values[vertex]
        if rise and (rise > 0) == (mover == player):
            role = _Role.STAYER if mover == player else _Role.LEAVER
            is_chain = component.by_chance[vertex] or (mover != player and strategy is not None)
            roles[vertex] = _Role.CHAIN if is_chain else role
    replies = {v: move for v, move in (strategy or {}).items() if component.movers[v] != player}
    trap = _trap(component, values, component.rows(replies), roles)
    return {
        vertex: next(
            number
            for number, edge in enumerate(component.edges[vertex])
            if edge.successor in trap and component.worth(values, edge) == values[vertex]
        )
        for vertex in trap
        if roles[vertex] is _Role.STAYER
    }


def are_proved(component: ChanceComponent, values: Values) -> bool:
    """Return whether values are those of the component, by the certificate of bounds.

    Each value must follow from the values after it. Where endless play has another value, the
    player who would lose by it must be able to leave: no set of such vertices may keep play for
    ever.
    """
    roles = {}
    for vertex, row in enumerate(component.edges):
        worths = [component.worth(values, edge) for edge in row]
        value, endless = values[vertex], component.endless[vertex]
        if component.by_chance[vertex]:
            total = sum(edge.weight for edge in row)
            weighted = (edge.weight * worth for edge, worth in zip(row, worths, strict=True))
            if total * value != sum(weighted, Fraction(0)):
                return False
        elif value != max(worths):
            return False
        if value != endless:
            role = _Role.STAYER if value < endless else _Role.LEAVER
            roles[vertex] = _Role.CHAIN if component.by_chance[vertex] else role
    return not _trap(component, values, component.edges, roles)


def _trap(
    component: ChanceComponent,
    values: Values,
    rows: Sequence[Sequence[Edge]],
    roles: Mapping[int, _Role],
) -> set[int]:
    """Return those of the given vertices among which play can stay for ever at one value.

    Args:
        component: the vertices.
        values: the values of all vertices.
        rows: the edges of each vertex along which play may go.
        roles: the vertices to choose from, and what keeps play among them at each.
    """
    level_successors: dict[int, list[int]] = {}
    parents: dict[int, list[int]] = {vertex: [] for vertex in roles}
    for vertex in roles:
        level_successors[vertex] = [
            edge.successor
            for edge in rows[vertex]
            if component.worth(values, edge) == values[vertex]
        ]
        for successor in level_successors[vertex]:
            if successor in parents:
                parents[successor].append(vertex)
    trap, queue = set(roles), list(roles)
    while queue:
        vertex = queue.pop()
        if vertex not in trap:
            continue
        stays = [successor in trap for successor in level_successors[vertex]]
        role = roles[vertex]
        is_kept = any(stays) if role is _Role.STAYER else all(stays)
        if role is _Role.CHAIN and len(stays) < len(rows[vertex]):
            is_kept = False
        if not is_kept:
            trap.discard(vertex)
            queue += parents[vertex]
    return trap
