"""All positions that a game can reach, by its rules in plain Python, with their moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules

#: Whether to go on, by how many positions are done, and how many are known.
Continues: TypeAlias = Callable[[int, int], bool]


class UnsuitedError(Exception):
    """The reference solver leaves this game to the compiled methods."""


class Step(NamedTuple):
    """A move.

    Attributes:
        successor: the number of the position that it leads to, or of the first of its components.
        gain: the points that it makes.
        same_mover: whether the same player moves again.
        others: the numbers of the other components, where positions are split.
    """

    successor: int
    gain: int
    same_mover: bool
    others: tuple[int, ...] = ()

    @property
    def successors(self) -> tuple[int, ...]:
        """The numbers of all components that it leads to."""
        return (self.successor, *self.others)


class Ending(NamedTuple):
    """What the rules give a position where the game is over, for the player to move."""

    outcome: int
    score: int


@dataclass
class PlayGraph:
    """All positions that the starts can reach, numbered breadth first, with their moves.

    Attributes:
        rules: the rules.
        folded: whether one canonical position stands for all equivalent ones.
        split: whether positions are split into components, which alone have numbers.
        positions: the positions by number.
        numbers: the number of each position that was met, in whatever form.
        parts: where positions are split, the numbers of the components of each that was met.
        starts: how many of the first positions are starts.
        legal: whether all legal positions of the space are here, and not only those that can be
            reached.
        moves: the moves of each position; none where the game is over.
        owners: the player to move in each position, 0 where the players strictly alternate.
        ends: how the game ends in each position where it is over, else None.
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

    # -- numbering --------------------------------------------------------------------------------

    def number_of(self, position: Any, hook: str) -> int:
        """Return the number of a position that ``hook`` gave; a new one gets the next number.

        Raises:
            RulesError: it is not a position of the game.
        """
        known = self.numbers.get(position)
        if known is not None:
            return known
        # As the engine stores it: of plain integers, or of what the start is made of.
        stored = self.rules.layout.unpack(self.rules.packed(position, hook))
        return self._number(stored)

    def parts_of(self, position: Any, hook: str) -> tuple[int, ...]:
        """Return the numbers of the components of a position that ``hook`` gave.

        Raises:
            RulesError: it is not a position of the game, or ``split`` yields none.
        """
        if not self.split:
            return (self.number_of(position, hook),)
        known = self.parts.get(position)
        if known is None:
            stored = self.rules.layout.unpack(self.rules.packed(position, hook))
            known = self.parts[stored] = tuple(map(self._number, self.rules.split(stored)))
        return known

    def _number(self, stored: Any) -> int:
        """Return the number of a position as it is stored."""
        known = self.numbers.get(stored)
        if known is not None:
            return known
        canonical = self.rules.canonical(stored) if self.folded else stored
        known = self.numbers.get(canonical)
        if known is None:
            known = self.numbers[canonical] = len(self.positions)
            self.positions.append(canonical)
        self.numbers[stored] = known
        return known

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
            after = [n for step in self._steps(*layers[-2:]) for n in step.successors]
            if min(after) < layers[-1]:
                return None
            layers.append(1 + max(after))
        return layers if not any(self._steps(*layers[-2:])) else None

    def _steps(self, begin: int, end: int) -> Iterator[Step]:
        """Yield the moves of the positions from one number up to another."""
        return chain.from_iterable(self.moves[begin:end])

    def successors_first(self) -> list[int]:
        """Return the numbers of positions from which play must end, successors first.

        These are all positions, unless play can repeat one. Where every move leads to a greater
        number, the numbers descend.
        """
        count = len(self.positions)
        if self.leads_forward:
            return list(range(count - 1, -1, -1))
        left = [sum(len(step.successors) for step in moves) for moves in self.moves]
        parents = self.predecessors()
        order = [number for number in range(count) if not left[number]]
        for number in order:  # which grows meanwhile
            for parent in parents[number]:
                left[parent] -= 1
                if not left[parent]:
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

        Two positions are in one if play can lead from each to the other. This is Kosaraju's method:
        forward along the moves, which lists each position once all that it leads to are listed, but
        for cycles; and then backward from the last ones.
        """
        listed: list[int] = []
        met = [False] * len(self.positions)
        for root in range(len(self.positions)):
            if met[root]:
                continue
            met[root] = True
            way = [(root, iter(self.moves[root]))]
            while way:
                number, steps = way[-1]
                child = next((step.successor for step in steps if not met[step.successor]), None)
                if child is None:
                    listed.append(number)
                    way.pop()
                else:
                    met[child] = True
                    way.append((child, iter(self.moves[child])))
        parents = self.predecessors()
        components = []
        for root in reversed(listed):
            if not met[root]:
                continue
            met[root] = False
            component = [root]
            for number in component:  # which grows meanwhile
                for parent in parents[number]:
                    if met[parent]:
                        met[parent] = False
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
        space: all positions of the space, if every legal one of them is to be solved.
        folded: whether to store one canonical position for all equivalent ones.
        split: whether to store the components of positions, and not positions as they are.
        continues: see ``Continues``; exploring ends when it returns False.

    Raises:
        UnsuitedError: it returned False; or a position is of another class than the start, or not
            legal; or symmetries exchange the players of a game in which a player may move twice.
        RulesError: a hook breaks the contract.
    """
    graph = PlayGraph(rules, folded, split)
    group = rules.group if folded else None
    exchanging = group is not None and any(map(rules.turns_over, group.elements))
    if exchanging and rules.favours_a_player:
        reason = "symmetries exchange the players, and endless play is better for one of them"
        raise UnsuitedError(reason)
    kind, alternate, play = type(rules.game.start()), rules.alternate, rules.game.play
    for start in rules.starts() if starts is None else starts:
        graph.parts_of(start, "start")
    graph.starts = len(graph.positions)
    if space is not None:
        graph.legal = True
        for position in filter(rules.legal, space):
            graph.number_of(position, "space")
    for number, position in enumerate(graph.positions):  # which grows meanwhile
        _check_position(graph, number, continues)
        owner = rules.owner(position)
        outcome = rules.terminal(position)
        steps = []
        for move in rules.listed_moves(position) if outcome is None else ():
            child = play(position, move)
            if type(child) is not kind:
                reason = f"play() returned {child!r}, which is not a {kind.__name__}"
                raise UnsuitedError(reason)
            same = not alternate and rules.owner(child) == owner
            if same and exchanging:
                reason = "symmetries exchange the players, and a player may move twice"
                raise UnsuitedError(reason)
            successor, *others = graph.parts_of(child, "play")
            steps.append(Step(successor, rules.gain(position, move), same, tuple(others)))
        graph.owners.append(owner)
        graph.moves.append(steps)
        graph.ends.append(None if steps else _end_of_game(rules, position, outcome))
    return graph


def _check_position(graph: PlayGraph, number: int, continues: Continues) -> None:
    """Check that a position can be explored.

    Raises:
        UnsuitedError: exploring ends, or the position is not legal.
    """
    position = graph.positions[number]
    if not continues(number, len(graph.positions)):
        reason = "it has too many positions"
        raise UnsuitedError(reason)
    if graph.legal and not graph.rules.legal(position):
        reason = f"legal() refuses {position!r}, which is a start, or a move leads there"
        raise UnsuitedError(reason)


def _end_of_game(rules: Rules, position: Any, outcome: Any) -> Ending:
    """Return the ending of the game in a position where it is over."""
    ending = rules.no_moves if outcome is None else outcome
    return Ending(int(ending), rules.final_score(position) if rules.kind.gains else 0)
