"""The graph of all positions that a game can reach, explored by its rules in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from zermelo.game.chance import Face

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules

#: Returns whether to continue; takes the number of explored positions, and of known ones.
Continues: TypeAlias = Callable[[int, int], bool]


class UnsuitedError(Exception):
    """The reference solver leaves this game to the compiled methods."""


class Step(NamedTuple):
    """A move.

    Attributes:
        successor: the number of the child, or of the child's first component.
        gain: the points of the move, or the weight of a result of chance.
        same_mover: whether the same player moves again.
        others: the numbers of the child's other components, if positions are split.
    """

    successor: int
    gain: int
    same_mover: bool
    others: tuple[int, ...] = ()

    @property
    def successors(self) -> tuple[int, ...]:
        """The numbers of all components of the child."""
        return (self.successor, *self.others)


class Ending(NamedTuple):
    """The outcome and the score of a terminal position for the player to move."""

    outcome: int
    score: int


@dataclass
class PlayGraph:
    """All positions that the starts can reach, numbered breadth first, with their moves.

    Attributes:
        rules: the rules.
        folded: whether only canonical positions have numbers.
        split: whether positions are split into components, and only these have numbers.
        positions: the positions by number.
        numbers: the number of each visited position, canonical or not.
        parts: if positions are split, the numbers of the components of each visited position.
        starts: the number of starts, which are the first positions.
        legal: whether the graph has all legal positions of the space, reachable or not.
        moves: the moves of each position; empty if it is terminal.
        owners: the player to move in each position; 0 if the players strictly alternate.
        ends: the ending of each terminal position, else None.
        by_chance: whether chance decides at each position.
    """

    rules: Rules
    folded: bool = False
    split: bool = False
    positions: list[Any] = field(default_factory=list)
    numbers: dict[Any, int] = field(default_factory=dict)
    parts: dict[Any, tuple[int, ...]] = field(default_factory=dict)
    starts: int = 0
    legal: bool = False
    moves: list[list[Step]] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    ends: list[Ending | None] = field(default_factory=list)
    by_chance: list[bool] = field(default_factory=list)

    # -- numbering --------------------------------------------------------------------------------

    def number_of(self, position: Any, hook: str) -> int:
        """Return the number of a position that ``hook`` returned; a new one gets the next number.

        Raises:
            RulesError: it is not a position of the game.
        """
        number = self.numbers.get(position)
        if number is not None:
            return number
        # In the form that the engine stores: of plain integers, or of the types in the start.
        stored = self.rules.layout.unpack(self.rules.packed(position, hook))
        return self._number(stored)

    def parts_of(self, position: Any, hook: str) -> tuple[int, ...]:
        """Return the numbers of the components of a position that ``hook`` returned.

        Raises:
            RulesError: it is not a position of the game, or ``split`` yields no position.
        """
        if not self.split:
            return (self.number_of(position, hook),)
        parts = self.parts.get(position)
        if parts is None:
            stored = self.rules.layout.unpack(self.rules.packed(position, hook))
            parts = self.parts[stored] = tuple(map(self._number, self.rules.split(stored)))
        return parts

    def _number(self, stored: Any) -> int:
        """Return the number of a position in stored form."""
        number = self.numbers.get(stored)
        if number is not None:
            return number
        canonical = self.rules.canonical(stored) if self.folded else stored
        number = self.numbers.get(canonical)
        if number is None:
            number = self.numbers[canonical] = len(self.positions)
            self.positions.append(canonical)
        self.numbers[stored] = number
        return number

    # -- orders -----------------------------------------------------------------------------------

    @cached_property
    def leads_forward(self) -> bool:
        """Whether every move leads to a greater number."""
        steps = ((number, step) for number, moves in enumerate(self.moves) for step in moves)
        return all(min(step.successors) > number for number, step in steps)

    def layers(self) -> list[int] | None:
        """Return the first number of each breadth-first layer, and the end of the last layer.

        Return None if a move leads to the same layer or to an earlier one, or if the graph may
        contain positions that cannot be reached.
        """
        if self.legal:
            return None
        layers = [0, self.starts]
        while layers[-1] < len(self.positions):
            successors = [n for step in self._steps(*layers[-2:]) for n in step.successors]
            if min(successors) < layers[-1]:
                return None
            layers.append(1 + max(successors))
        return layers if not any(self._steps(*layers[-2:])) else None

    def _steps(self, begin: int, end: int) -> Iterator[Step]:
        """Yield the moves of the positions from one number up to another."""
        return chain.from_iterable(self.moves[begin:end])

    def successors_first(self) -> list[int]:
        """Return the numbers of positions from which play must end, successors first.

        These are all positions, unless positions can repeat. If every move leads to a greater
        number, the numbers descend.
        """
        count = len(self.positions)
        if self.leads_forward:
            return list(range(count - 1, -1, -1))
        undone = [sum(len(step.successors) for step in moves) for moves in self.moves]
        parents = self.predecessors()
        order = [number for number in range(count) if not undone[number]]
        for number in order:  # the loop appends to the list
            for parent in parents[number]:
                undone[parent] -= 1
                if not undone[parent]:
                    order.append(parent)
        return order

    def predecessors(self) -> list[list[int]]:
        """Return for each position the numbers of those with a move to it, once for each move."""
        parents: list[list[int]] = [[] for _ in self.positions]
        for number, moves in enumerate(self.moves):
            for step in moves:
                for successor in step.successors:
                    parents[successor].append(number)
        return parents

    def strong_components(self) -> list[list[int]]:
        """Return the numbers by strongly connected component, successors first.

        Two positions are in one component if each can be reached from the other. This is Kosaraju's
        algorithm: a depth-first search along the moves, which lists positions as it finishes them;
        then a search against the moves, from the last finished position on.
        """
        finished: list[int] = []
        is_open = [False] * len(self.positions)
        for root in range(len(self.positions)):
            if is_open[root]:
                continue
            is_open[root] = True
            path = [(root, iter(self.moves[root]))]
            while path:
                number, steps = path[-1]
                child = next(
                    (step.successor for step in steps if not is_open[step.successor]), None
                )
                if child is None:
                    finished.append(number)
                    path.pop()
                else:
                    is_open[child] = True
                    path.append((child, iter(self.moves[child])))
        parents = self.predecessors()
        components = []
        for root in reversed(finished):
            if not is_open[root]:
                continue
            is_open[root] = False
            component = [root]
            for number in component:  # the loop appends to the list
                for parent in parents[number]:
                    if is_open[parent]:
                        is_open[parent] = False
                        component.append(parent)
            components.append(component)
        return components[::-1]


def explore(
    rules: Rules,
    *,
    starts: Sequence[Any] | None = None,
    space: Sequence[Any] | None = None,
    folded: bool = False,
    split: bool = False,
    continues: Continues = lambda _, __: True,
) -> PlayGraph:
    """Return the graph of all positions that the starts can reach, or of all legal positions.

    Args:
        rules: the rules.
        starts: the starts; by default those of the game.
        space: all positions of the space, if all legal ones are to be solved; else None.
        folded: whether to store only canonical positions.
        split: whether to store the components of positions instead of whole positions.
        continues: see ``Continues``; the exploration ends when it returns False.

    Raises:
        UnsuitedError: ``continues`` returned False; or a position is of another class than the
            start, or not legal; or symmetries exchange the players of a game in which a player may
            move twice.
        RulesError: a hook breaks the contract.
    """
    graph = PlayGraph(rules, folded, split)
    group = rules.group if folded else None
    exchanges_players = group is not None and any(map(rules.turns_over, group.elements))
    if exchanges_players and rules.favours_a_player:
        reason = "symmetries exchange the players, and endless play is better for one of them"
        raise UnsuitedError(reason)
    needs_passes = exchanges_players and not (rules.has_chance and not rules.kind.adds_points)
    kind = type(rules.game.start())
    for start in rules.starts() if starts is None else starts:
        graph.parts_of(start, "start")
    graph.starts = len(graph.positions)
    if space is not None:
        graph.legal = True
        for position in filter(rules.legal, space):
            graph.number_of(position, "space")
    for number, position in enumerate(graph.positions):  # the loop appends to the list
        _check_position(graph, number, continues)
        owner = rules.owner(position)
        outcome = rules.terminal(position)
        steps = []
        moves = rules.listed_moves(position) if outcome is None else []
        for label, child, same_mover in rules.successors(position, moves):
            if type(child) is not kind:
                reason = f"play() returned {child!r}, which is not a {kind.__name__}"
                raise UnsuitedError(reason)
            if same_mover and needs_passes:
                reason = "symmetries exchange the players, and a player may move twice"
                raise UnsuitedError(reason)
            successor, *other_parts = graph.parts_of(child, "play")
            steps.append(Step(successor, label, same_mover, tuple(other_parts)))
        graph.owners.append(owner)
        graph.moves.append(steps)
        graph.by_chance.append(bool(moves) and isinstance(moves[0], Face))
        graph.ends.append(None if steps else _end_of_game(rules, position, outcome))
    return graph


def _check_position(graph: PlayGraph, number: int, continues: Continues) -> None:
    """Check that a position can be explored.

    Raises:
        UnsuitedError: ``continues`` returned False, or the position is not legal.
    """
    position = graph.positions[number]
    if not continues(number, len(graph.positions)):
        reason = "it has too many positions"
        raise UnsuitedError(reason)
    if graph.legal and not graph.rules.legal(position):
        reason = f"legal() refuses {position!r}, which is a start, or a move leads there"
        raise UnsuitedError(reason)


def _end_of_game(rules: Rules, position: Any, outcome: Any) -> Ending:
    """Return the ending of a terminal position."""
    ending = rules.no_moves if outcome is None else outcome
    return Ending(int(ending), rules.final_score(position) if rules.is_scored else 0)
