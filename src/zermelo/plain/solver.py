"""The reference solver: the definition of a position's value, in plain Python.

It solves small games before Numba is imported. Positions are numbered breadth first: the starts,
then their successors, in the order of ``moves``. Then each position takes the best of its moves
(Zermelo 1913), by the algebra of the kind of value; or, for nimbers, the least number that no move
reaches (Sprague 1935, Grundy 1939).

* If no position can repeat, successors come first and one pass decides all positions.
* If positions can repeat, wins and losses propagate from the ends backwards in order of
  remoteness: a position is won as soon as one move wins, and lost once all moves lose (Thompson,
  "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Then ties propagate
  among the rest.
* Nimbers are then found in rounds: a position has one if every move to a position without one can
  be answered (Fraenkel and Perl, "Constructions in combinatorial games with cycles", 1975).
* Margins propagate backwards like wins and losses, those farthest from the value of endless play
  first (``docs/explanation/scores.md``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from zermelo.errors import RulesError
from zermelo.rules.hooks import SMALLER_POINTS
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import check_known
from zermelo.values.nimbers import IN_SETS, NIMBERS, infinite
from zermelo.values.outcomes import DRAW, NOBODY, WIN
from zermelo.values.score_and_plies import (
    MOST_MARGIN,
    SCORE_ALGEBRAS,
    TIMED_SCORES,
    code_of,
    parts_of,
)
from zermelo.values.win_draw_loss import OUTCOME_ALONE

if TYPE_CHECKING:
    from zermelo.plain.play_graph import Ending, PlayGraph, Step
    from zermelo.values.kind import Kind


@dataclass(frozen=True)
class PlainValues:
    """The values of the positions of a graph.

    Attributes:
        kind: the kind of value.
        codes: the code of each position, by number.
        ranks: numbers that decrease along the moves that prove values, for kinds that need them;
            None if the numbers of positions, negated, do so.
    """

    kind: Kind
    codes: list[int]
    ranks: list[int] | None = None


def values_of(graph: PlayGraph, kind: Kind) -> PlainValues:
    """Return the values of all positions of a graph.

    Margins have plies if positions can repeat.

    Raises:
        RulesError: a margin is too large, or a cycle makes points; or a position has no value of
            this kind.
        UnknownKindError: play can repeat a position, and the kind is not known here.
    """
    ends = [_end_code(graph, number, kind) for number in range(len(graph.positions))]
    order = graph.successors_first()
    repeats = len(order) < len(graph.positions)
    if kind.stages or (kind.algebra in SCORE_ALGEBRAS and repeats):
        return _Margins(graph).values()
    if repeats and kind.algebra != NIMBERS.algebra:
        known = (*REMOTENESS_ALGEBRAS, OUTCOME_ALONE.algebra)
        check_known(kind, known, "the solver in plain Python, where play can repeat a position,")
        return PlainValues(kind, _values_by_retrograde_analysis(graph, kind, ends))
    codes = [kind.unknown if end is None else end for end in ends]
    for number in order:
        if ends[number] is None:
            codes[number] = kind.of_moves(
                _move_value(kind, step, codes) for step in graph.moves[number]
            )
        if kind.limit is not None and abs(codes[number]) > kind.limit:
            margin = f"the margin {codes[number]:,} at {graph.positions[number]!r}"
            message = f"{graph.rules.name} has {margin}; {SMALLER_POINTS}"
            raise RulesError(message)
    if graph.leads_forward:
        return PlainValues(kind, codes)
    ranks = [0] * len(codes)
    for rank, number in enumerate(order):
        lower_ranks = [ranks[step.successor] + 1 for step in graph.moves[number]]
        ranks[number] = rank if kind.impartial else max(lower_ranks, default=0)
    if repeats:
        _EndlessNimbers(graph, codes).decide(ranks, len(order))
    return PlainValues(kind, codes, ranks)


def _end_code(graph: PlayGraph, number: int, kind: Kind) -> int | None:
    """Return the code of a terminal position, or None for any other.

    Raises:
        RulesError: the kind has no such value.
    """
    end: Ending | None = graph.ends[number]
    if end is None:
        return None
    try:
        return kind.at_turn(kind.terminal(end.outcome, end.score), graph.owners[number])
    except ValueError as error:
        location = f"at {graph.positions[number]!r}"
        message = f"{graph.rules.name} has no {kind.name} {location}: {error}"
        raise RulesError(message) from None


def _move_value(kind: Kind, step: Step, codes: list[int]) -> int:
    """Return the value of a move to decided positions."""
    value = kind.of_move(codes[step.successor], same_mover=step.same_mover, gain=step.gain)
    for part in step.others:  # nimbers of components add up without carrying
        value ^= codes[part]
    return value


# -- wins, losses and ties ------------------------------------------------------------------------


def _values_by_retrograde_analysis(
    graph: PlayGraph, kind: Kind, ends: list[int | None]
) -> list[int]:
    """Return the codes of a graph in which positions can repeat.

    Wins and losses are decided first, from the ends backwards, then ties among the other positions.
    Those that remain undecided are endless draws.
    """
    propagation = _Propagation(graph, kind)
    terminals = [(number, end) for number, end in enumerate(ends) if end is not None]
    drawn_numbers = [number for number, end in terminals if kind.decode(end).outcome is DRAW]
    for number, end in terminals:
        propagation.codes[number] = end
    propagation.run(
        [number for number, _ in terminals if number not in set(drawn_numbers)], propagation.wins
    )
    propagation.run(drawn_numbers, propagation.prefers_tie)
    owners = zip(propagation.codes, graph.owners, strict=True)
    return [kind.at_turn(0, owner) if code is None else code for code, owner in owners]


class _Propagation:
    """The propagation of values backwards along moves, in order of remoteness.

    Attributes:
        codes: the code of each decided position, else None.
    """

    def __init__(self, graph: PlayGraph, kind: Kind) -> None:
        self.graph = graph
        self.kind = kind
        self.codes: list[int | None] = [None] * len(graph.positions)
        #: The number of each position's moves to undecided positions.
        self.undecided_count = [len(moves) for moves in graph.moves]
        self.parents: list[list[tuple[int, Step]]] = [[] for _ in graph.positions]
        for number, moves in enumerate(graph.moves):
            for step in moves:
                self.parents[step.successor].append((number, step))

    def wins(self, _: int, worth: int) -> bool:
        """Return whether a move wins."""
        return self.kind.decode(worth).outcome is WIN

    def prefers_tie(self, number: int, _: int) -> bool:
        """Return whether the player to move prefers a tie to endless play."""
        return self.kind.favours in (NOBODY, 1 - self.graph.owners[number])

    def run(self, layer: list[int], is_decisive: Callable[[int, int], bool]) -> None:
        """Decide positions backwards from a layer of decided ones, one more ply at a time.

        Args:
            layer: positions of equal remoteness.
            is_decisive: whether a move of some value decides a position. Otherwise the position is
                decided once all its moves are.
        """
        while layer:
            next_layer: dict[int, int] = {}
            for number in layer:
                for parent, step in self.parents[number]:
                    if self.codes[parent] is not None:
                        continue
                    value = self._move_value(step)
                    self.undecided_count[parent] -= 1
                    if parent not in next_layer and is_decisive(parent, value):
                        next_layer[parent] = value
                    elif parent not in next_layer and not self.undecided_count[parent]:
                        moves = self.graph.moves[parent]
                        next_layer[parent] = self.kind.of_moves(map(self._move_value, moves))
            for number, code in next_layer.items():
                self.codes[number] = code
            layer = list(next_layer)

    def _move_value(self, step: Step) -> int:
        """Return the value of a move to a decided position."""
        code = self.codes[step.successor]
        assert code is not None  # noqa: S101  # for types
        return self.kind.of_move(code, same_mover=step.same_mover, gain=step.gain)


# -- nimbers --------------------------------------------------------------------------------------


class _EndlessNimbers:
    """Nimbers and infinities of positions from which play need not end, found in rounds.

    In each round, let K be the nimbers that the moves of a position reach, as far as earlier rounds
    found them, and m the least number that is not in K. The position has the nimber m if every
    other move can be answered by a move to m. A position that has no nimber in the end has the
    value infinity with K.
    """

    def __init__(self, graph: PlayGraph, codes: list[int]) -> None:
        self.graph = graph
        #: The nimbers of positions from which play must end; receives the others.
        self.codes = codes
        self.reached: dict[int, set[int]] = {}  # K of each undecided position

    def decide(self, ranks: list[int], rank: int) -> None:
        """Decide all positions; the rank of each is its round, the first one being ``rank``.

        Raises:
            RulesError: a position has infinity with a number that is too large for a set.
        """
        parents = self.graph.predecessors()
        undecided = {n for n, code in enumerate(self.codes) if code == NIMBERS.unknown}
        changed = undecided
        while changed:
            for number in changed:
                sums = map(self._sum_after, self.graph.moves[number])
                self.reached[number] = {
                    total for total, undecided_parts in sums if not undecided_parts
                }
            predecessors = {parent for number in changed for parent in parents[number]}
            nimbers = {
                number: self._nimber(number) for number in changed | predecessors & undecided
            }
            decided = {number: nimber for number, nimber in nimbers.items() if nimber is not None}
            for number, nimber in decided.items():
                self.codes[number], ranks[number] = nimber, rank
            rank += bool(decided)
            undecided = undecided - decided.keys()
            changed = {parent for number in decided for parent in parents[number]} & undecided
        for number in undecided:
            self.codes[number], ranks[number] = self._infinity(number), rank

    def _sum_after(self, step: Step) -> tuple[int, list[int]]:
        """Return the nim-sum of the decided components after a move, and the undecided ones."""
        total, undecided_parts = 0, []
        for part in step.successors:
            if self.codes[part] == NIMBERS.unknown:
                undecided_parts.append(part)
            else:
                total ^= self.codes[part]
        return total, undecided_parts

    def _nimber(self, number: int) -> int | None:
        """Return the nimber of a position, or None if this round does not find it."""
        least = NIMBERS.of_moves(self.reached[number])
        for step in self.graph.moves[number]:
            total, undecided_parts = self._sum_after(step)
            if len(undecided_parts) > 1 or (
                undecided_parts and least ^ total not in self.reached[undecided_parts[0]]
            ):
                return None
        return least if least < IN_SETS else None

    def _infinity(self, number: int) -> int:
        """Return the code of infinity with the nimbers that the moves of a position reach.

        Raises:
            RulesError: one of them is too large for a set.
        """
        reached = self.reached[number]
        if max(NIMBERS.of_moves(reached), *reached, 0) < IN_SETS:
            return NIMBERS.encode(infinite(reached))
        message = (
            f"{self.graph.rules.name}: play from {self.graph.positions[number]!r} need not end, "
            f"and its moves lead to nimbers of {IN_SETS} and more; make the game smaller, as what "
            f"such a position is worth is a set of nimbers below {IN_SETS}"
        )
        raise RulesError(message)


# -- margins --------------------------------------------------------------------------------------


class _Margins:
    """Margins with plies, in score games in which positions can repeat.

    A move counts unless it ends the game, or its points equal the drop in the value of endless
    play. The stage of a position is the greatest number of counting moves that can follow. Within a
    stage, the distance of a margin from the value of endless play is constant. So a stage is
    decided backwards from its ends and from the moves that leave it: the margins farthest from
    endless play first, and of those the nearest in plies. A player chooses a move that is better
    than endless play, or the best move once all are known to be worse. The remaining positions have
    the value of endless play.
    """

    def __init__(self, graph: PlayGraph) -> None:
        self.graph = graph
        rules, kind = graph.rules, TIMED_SCORES
        numbers = range(len(graph.positions))
        self.codes = [_end_code(graph, number, kind) for number in numbers]
        #: The value of endless play for the player to move.
        self.endless = [
            rules.endless_worth(position) if moves else 0
            for position, moves in zip(graph.positions, graph.moves, strict=True)
        ]
        #: The greatest absolute value of endless play, if it varies; else 0.
        self.most = max(map(abs, self.endless)) if rules.has_hook("endless") else 0
        self.stages = [0] * len(graph.positions)
        #: The value of each position's best move to a decided one, and the number of other moves.
        self.best: dict[int, int] = {}
        self.undecided_count: dict[int, int] = {}
        #: A heap of positions with a candidate value: the farthest from the value of endless play
        #: first, then the nearest in plies.
        self.queue: list[tuple[int, int, int]] = []

    def values(self) -> PlainValues:
        """Return the values, whose ranks are the stages.

        Raises:
            RulesError: a cycle makes points, or a margin is too large.
        """
        self._find_stages()
        by_stage: dict[int, list[int]] = {}
        for number, stage in enumerate(self.stages):
            if self.codes[number] is None:
                by_stage.setdefault(stage, []).append(number)
        for stage in sorted(by_stage):
            self._decide(by_stage[stage])
        codes = [code for code in self.codes if code is not None]
        return PlainValues(TIMED_SCORES, codes, self.stages)

    def _find_stages(self) -> None:
        """Find the stage of each position.

        Raises:
            RulesError: a counting move can repeat.
        """
        for component in self.graph.strong_components():
            inside, stage = set(component), 0
            for number in component:
                for place, step in enumerate(self.graph.moves[number]):
                    counts = self._is_counted(number, step)
                    if counts and step.successor in inside:
                        rules, position = self.graph.rules, self.graph.positions[number]
                        fault = rules.cycle_points_fault(position, rules.moves(position)[place])
                        message = f"{rules.name}: {fault}"
                        raise RulesError(message)
                    stage = max(stage, self.stages[step.successor] + counts)
            for number in component:
                self.stages[number] = stage

    def _is_counted(self, number: int, step: Step) -> bool:
        """Return whether a move counts."""
        endless_after = self.endless[step.successor]
        total = step.gain + (endless_after if step.same_mover else -endless_after)
        return self.graph.ends[step.successor] is None and total != self.endless[number]

    def _decide(self, stage: list[int]) -> None:
        """Decide the positions of a stage, after all lower stages."""
        parents: dict[int, list[tuple[int, Step]]] = {number: [] for number in stage}
        for number in stage:
            moves = self.graph.moves[number]
            outside = [step for step in moves if self.codes[step.successor] is not None]
            self.undecided_count[number] = len(moves) - len(outside)
            if outside:
                self._improve(number, outside)
            for step in moves:
                if self.codes[step.successor] is None:
                    parents[step.successor].append((number, step))
        while self.queue:
            _, _, number = heappop(self.queue)
            if self.codes[number] is None:
                self.codes[number] = self.best[number]
                for parent, step in parents[number]:
                    self.undecided_count[parent] -= 1
                    self._improve(parent, [step])
        for number in stage:
            if self.codes[number] is None:
                self.codes[number] = code_of(self.endless[number], None)

    def _improve(self, number: int, steps: list[Step]) -> None:
        """Improve a position's best value; queue the position unless a better move may follow.

        Args:
            number: the number of the position.
            steps: moves to decided positions.
        """
        values = [self._move_value(number, step) for step in steps]
        self.best[number] = max(*values, self.best.get(number, values[0]))
        margin, plies = parts_of(self.best[number])
        distance = margin - self.endless[number]
        if plies is not None and (distance >= 0 or not self.undecided_count[number]):
            heappush(self.queue, (-abs(distance), plies, number))

    def _move_value(self, number: int, step: Step) -> int:
        """Return the value of a move to a decided position.

        Raises:
            RulesError: the margin is too large.
        """
        code, endless = self.codes[step.successor], self.endless[number]
        assert code is not None  # noqa: S101  # for types
        value = TIMED_SCORES.of_move(
            code, same_mover=step.same_mover, gain=step.gain, endless=endless
        )
        margin, _ = parts_of(value)
        # Elsewhere in the stage a margin has this distance from a larger value of endless play.
        if max(abs(margin), abs(endless), abs(margin - endless) + self.most) > MOST_MARGIN:
            message = (
                f"{self.graph.rules.name}: the margin, or what endless play is worth, at "
                f"{self.graph.positions[number]!r} is beyond ±{MOST_MARGIN:,} points; give "
                "smaller points"
            )
            raise RulesError(message)
        return value
