"""The reference solver: what the value of a position is, in plain Python over the author's rules.

It solves small games before Numba is imported. Positions are numbered breadth first: the starts,
then what moves lead to, in the order of ``moves``. Then each position takes the best of its moves
(Zermelo 1913), by the algebra of the kind of value:

* Where no play repeats a position, successors come first and one pass decides all.
* Where play can repeat a position, wins and losses spread from the ends backwards in order of
  remoteness: a position is won as soon as one move wins, and lost once all moves lose (Thompson,
  "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Ties spread among the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from zermelo.errors import RulesError
from zermelo.rules.hooks import SMALLER_POINTS
from zermelo.values.outcomes import DRAW, NOBODY, WIN
from zermelo.values.scores import LARGEST_SCORE

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: Whether to go on, by how many positions are done, and how many are known.
Continues: TypeAlias = Callable[[int, int], bool]


class UnsuitedError(Exception):
    """The reference solver leaves this game to the compiled methods."""


@dataclass(frozen=True)
class Step:
    """A move: the number of its successor, its gain, and whether the same player moves again."""

    successor: int
    gain: int
    same_mover: bool


@dataclass
class PlayGraph:
    """All positions that the starts can reach, numbered breadth first, with their moves.

    Attributes:
        rules: the rules.
        folded: whether one canonical position stands for all equivalent ones.
        positions: the positions by number.
        numbers: the number of each position that was met, in whatever form.
        starts: how many of the first positions are starts.
        moves: the moves of each position; none where the game is over.
        owners: the player to move in each position, 0 where the players strictly alternate.
        ends: the code of each position where the game is over, else None.
    """

    rules: Rules
    folded: bool = False
    positions: list[Any] = field(default_factory=list)
    numbers: dict[Any, int] = field(default_factory=dict)
    starts: int = 0
    moves: list[list[Step]] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    ends: list[int | None] = field(default_factory=list)

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
        canonical = self.rules.canonical(stored) if self.folded else stored
        known = self.numbers.get(canonical)
        if known is None:
            known = self.numbers[canonical] = len(self.positions)
            self.positions.append(canonical)
        self.numbers[stored] = known
        return known

    def successors_first(self) -> list[int] | None:
        """Return all numbers, successors before predecessors; None if play can repeat a position.

        Where every move leads to a greater number, the numbers descend.
        """
        count = len(self.positions)
        if all(step.successor > n for n in range(count) for step in self.moves[n]):
            return list(range(count - 1, -1, -1))
        left = [len(moves) for moves in self.moves]
        parents = self.predecessors()
        order = [number for number in range(count) if not left[number]]
        for number in order:  # which grows meanwhile
            for parent in parents[number]:
                left[parent] -= 1
                if not left[parent]:
                    order.append(parent)
        return order if len(order) == count else None

    def predecessors(self) -> list[list[int]]:
        """Return for each position the numbers of those with a move to it, once for each move."""
        parents: list[list[int]] = [[] for _ in self.positions]
        for number, moves in enumerate(self.moves):
            for step in moves:
                parents[step.successor].append(number)
        return parents

    def value(self, number: int, codes: list[int], kind: Kind) -> int:
        """Return the code of a position by the codes of its successors."""
        end = self.ends[number]
        if end is not None:
            return end
        return kind.of_moves(
            kind.of_move(codes[step.successor], same_mover=step.same_mover, gain=step.gain)
            for step in self.moves[number]
        )


def explore(
    rules: Rules, *, folded: bool = False, continues: Continues = lambda _, __: True
) -> PlayGraph:
    """Return the graph of all positions that the starts can reach.

    Args:
        rules: the rules.
        folded: whether to store one canonical position for all equivalent ones.
        continues: see ``Continues``; exploring ends when it returns False.

    Raises:
        UnsuitedError: it returned False; or a position is of another class than the start; or
            symmetries exchange the players of a game in which a player may move twice.
        RulesError: a hook breaks the contract.
    """
    graph = PlayGraph(rules, folded)
    group = rules.group if folded else None
    exchanging = group is not None and any(map(rules.turns_over, group.elements))
    if exchanging and rules.favours_a_player:
        reason = "symmetries exchange the players, and endless play is better for one of them"
        raise UnsuitedError(reason)
    kind, alternate, play = type(rules.game.start()), rules.alternate, rules.game.play
    for start in rules.starts():
        graph.number_of(start, "start")
    graph.starts = len(graph.positions)
    for number, position in enumerate(graph.positions):  # which grows meanwhile
        if not continues(number, len(graph.positions)):
            reason = "it has too many positions"
            raise UnsuitedError(reason)
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
            successor = graph.number_of(child, "play")
            steps.append(Step(successor, rules.gain(position, move), same))
        graph.owners.append(owner)
        graph.moves.append(steps)
        graph.ends.append(None if steps else _end(rules, position, outcome, owner))
    return graph


def _end(rules: Rules, position: Any, outcome: Any, owner: int) -> int:
    """Return the code of a position where the game is over."""
    ending = rules.no_moves if outcome is None else outcome
    score = rules.final_score(position) if rules.kind.gains else 0
    return rules.kind.at_turn(rules.kind.terminal(int(ending), score), owner)


def values_of(graph: PlayGraph, kind: Kind) -> list[int]:
    """Return the codes of all positions of a graph, by number.

    Raises:
        UnsuitedError: it is a score game in which play can repeat a position.
        RulesError: a margin is too large.
    """
    order = graph.successors_first()
    if order is None and kind.gains:
        reason = "play can repeat a position, and moves make points"
        raise UnsuitedError(reason)
    if order is not None:
        codes = [0] * len(graph.positions)
        for number in order:
            code = codes[number] = graph.value(number, codes, kind)
            if kind.gains and abs(code) > LARGEST_SCORE:
                place = f"at {graph.positions[number]!r}"
                message = f"{graph.rules.name} has the margin {code:,} {place}; {SMALLER_POINTS}"
                raise RulesError(message)
        return codes
    return _values_by_retrograde_analysis(graph, kind)


def _values_by_retrograde_analysis(graph: PlayGraph, kind: Kind) -> list[int]:
    """Return the codes where play can repeat a position.

    Wins and losses are decided first, from the ends backwards, then ties among what is left. What
    is left in the end is endless play.
    """
    spread = _Spread(graph, kind)
    ends = [(number, end) for number, end in enumerate(graph.ends) if end is not None]
    drawn = [number for number, end in ends if kind.decode(end).outcome is DRAW]
    for number, end in ends:
        spread.codes[number] = end
    spread.run([number for number, _ in ends if number not in set(drawn)], spread.wins)
    spread.run(drawn, spread.seeks_tie)
    owners = zip(spread.codes, graph.owners, strict=True)
    return [kind.at_turn(0, owner) if code is None else code for code, owner in owners]


class _Spread:
    """Values that spread backwards along moves, in order of remoteness.

    Attributes:
        codes: the code of each position that is decided, else None.
    """

    def __init__(self, graph: PlayGraph, kind: Kind) -> None:
        self.graph = graph
        self.kind = kind
        self.codes: list[int | None] = [None] * len(graph.positions)
        #: Moves of each position that lead to no decided one.
        self.left = [len(moves) for moves in graph.moves]
        self.parents: list[list[tuple[int, Step]]] = [[] for _ in graph.positions]
        for number, moves in enumerate(graph.moves):
            for step in moves:
                self.parents[step.successor].append((number, step))

    def wins(self, _: int, worth: int) -> bool:
        """Whether a move wins."""
        return self.kind.decode(worth).outcome is WIN

    def seeks_tie(self, number: int, _: int) -> bool:
        """Whether the player to move likes a tie better than endless play."""
        return self.kind.favours in (NOBODY, 1 - self.graph.owners[number])

    def run(self, layer: list[int], takes: Callable[[int, int], bool]) -> None:
        """Decide positions backwards from a layer of decided ones, one more ply at a time.

        Args:
            layer: positions of equal remoteness.
            takes: whether a player takes a move of some worth at once. If not, the position is
                decided when all its moves are.
        """
        while layer:
            following: dict[int, int] = {}
            for number in layer:
                for parent, step in self.parents[number]:
                    if self.codes[parent] is not None:
                        continue
                    worth = self._worth(step)
                    self.left[parent] -= 1
                    if parent not in following and takes(parent, worth):
                        following[parent] = worth
                    elif parent not in following and not self.left[parent]:
                        moves = self.graph.moves[parent]
                        following[parent] = self.kind.of_moves(map(self._worth, moves))
            for number, code in following.items():
                self.codes[number] = code
            layer = list(following)

    def _worth(self, step: Step) -> int:
        """Return the worth of a move to a decided position."""
        code = self.codes[step.successor]
        assert code is not None  # noqa: S101  # for types
        return self.kind.of_move(code, same_mover=step.same_mover, gain=step.gain)
