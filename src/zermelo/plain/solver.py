"""The reference solver: what the value of a position is, in plain Python over the author's rules.

It solves small games before Numba is imported. Positions are numbered breadth first: the starts,
then what moves lead to, in the order of ``moves``. Then each position takes the best of its moves
(Zermelo 1913), by the algebra of the kind of value; or, for nimbers, the least number that no move
leads to (Sprague 1935, Grundy 1939).

* Where no play repeats a position, successors come first and one pass decides all.
* Where play can repeat a position, wins and losses spread from the ends backwards in order of
  remoteness: a position is won as soon as one move wins, and lost once all moves lose (Thompson,
  "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Ties spread among the rest.
* Nimbers are then found in rounds: a position has one if every move to a position without one can
  be answered (Fraenkel and Perl, "Constructions in combinatorial games with cycles", 1975).
* Margins spread backwards as wins and losses do, those farthest from what endless play is worth
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
        ranks: numbers that shrink along the moves that prove values, for kinds that need them; None
            where the numbers of positions do, from the last one down.
    """

    kind: Kind
    codes: list[int]
    ranks: list[int] | None = None


def values_of(graph: PlayGraph, kind: Kind) -> PlainValues:
    """Return the values of all positions of a graph.

    Where margins are asked for and play can repeat a position, they have plies.

    Raises:
        RulesError: a margin is too large, or points can be made for ever; or a position has no
            value of this kind.
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
        after = [ranks[step.successor] + 1 for step in graph.moves[number]]
        ranks[number] = rank if kind.impartial else max(after, default=0)
    if repeats:
        _EndlessNimbers(graph, codes).decide(ranks, len(order))
    return PlainValues(kind, codes, ranks)


def _end_code(graph: PlayGraph, number: int, kind: Kind) -> int | None:
    """Return the code of a position where the game is over, else None.

    Raises:
        RulesError: the kind of value has none for it.
    """
    end: Ending | None = graph.ends[number]
    if end is None:
        return None
    try:
        return kind.at_turn(kind.terminal(end.outcome, end.score), graph.owners[number])
    except ValueError as error:
        where = f"at {graph.positions[number]!r}"
        message = f"{graph.rules.name} has no {kind.name} {where}: {error}"
        raise RulesError(message) from None


def _move_value(kind: Kind, step: Step, codes: list[int]) -> int:
    """Return the worth of a move to positions that are decided."""
    worth = kind.of_move(codes[step.successor], same_mover=step.same_mover, gain=step.gain)
    for other in step.others:  # nimbers of components add up without carrying
        worth ^= codes[other]
    return worth


# -- wins, losses and ties ------------------------------------------------------------------------


def _values_by_retrograde_analysis(
    graph: PlayGraph, kind: Kind, ends: list[int | None]
) -> list[int]:
    """Return the codes where play can repeat a position.

    Wins and losses are decided first, from the ends backwards, then ties among what is left. What
    is left in the end is endless play.
    """
    spread = _Spread(graph, kind)
    over = [(number, end) for number, end in enumerate(ends) if end is not None]
    drawn = [number for number, end in over if kind.decode(end).outcome is DRAW]
    for number, end in over:
        spread.codes[number] = end
    spread.run([number for number, _ in over if number not in set(drawn)], spread.wins)
    spread.run(drawn, spread.prefers_tie)
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

    def prefers_tie(self, number: int, _: int) -> bool:
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
                    worth = self._move_value(step)
                    self.left[parent] -= 1
                    if parent not in following and takes(parent, worth):
                        following[parent] = worth
                    elif parent not in following and not self.left[parent]:
                        moves = self.graph.moves[parent]
                        following[parent] = self.kind.of_moves(map(self._move_value, moves))
            for number, code in following.items():
                self.codes[number] = code
            layer = list(following)

    def _move_value(self, step: Step) -> int:
        """Return the worth of a move to a decided position."""
        code = self.codes[step.successor]
        assert code is not None  # noqa: S101  # for types
        return self.kind.of_move(code, same_mover=step.same_mover, gain=step.gain)


# -- nimbers --------------------------------------------------------------------------------------


class _EndlessNimbers:
    """Nimbers and infinities of positions from which play need not end, found in rounds.

    In each round, let K be the nimbers that the moves of a position lead to, as far as they are
    known from the rounds before, and m the least number that is not in K. The position has the
    nimber m if every other move leads to a position with a move to m, which
    answers it. What has no nimber in the end is worth infinity with K.
    """

    def __init__(self, graph: PlayGraph, codes: list[int]) -> None:
        self.graph = graph
        #: The nimbers of positions from which play must end; receives the others.
        self.codes = codes
        self.led_to: dict[int, set[int]] = {}  # K of each of the others

    def decide(self, ranks: list[int], rank: int) -> None:
        """Decide all positions, with the rounds for ranks, of which ``rank`` is the first.

        Raises:
            RulesError: a position is worth infinity with a number that no set may have.
        """
        parents = self.graph.predecessors()
        undecided = {n for n, code in enumerate(self.codes) if code == NIMBERS.unknown}
        changed = undecided
        while changed:
            for number in changed:
                sums = map(self._sum_after, self.graph.moves[number])
                self.led_to[number] = {total for total, others in sums if not others}
            before = {parent for number in changed for parent in parents[number]}
            found = {number: self._nimber(number) for number in changed | before & undecided}
            decided = {number: nimber for number, nimber in found.items() if nimber is not None}
            for number, nimber in decided.items():
                self.codes[number], ranks[number] = nimber, rank
            rank += bool(decided)
            undecided = undecided - decided.keys()
            changed = {parent for number in decided for parent in parents[number]} & undecided
        for number in undecided:
            self.codes[number], ranks[number] = self._infinity(number), rank

    def _sum_after(self, step: Step) -> tuple[int, list[int]]:
        """Return the nim-sum of what a move leads to, and the components that are undecided."""
        total, others = 0, []
        for part in step.successors:
            if self.codes[part] == NIMBERS.unknown:
                others.append(part)
            else:
                total ^= self.codes[part]
        return total, others

    def _nimber(self, number: int) -> int | None:
        """Return the nimber of a position, or None if it is not known in this round."""
        least = NIMBERS.of_moves(self.led_to[number])
        for step in self.graph.moves[number]:
            total, others = self._sum_after(step)
            if len(others) > 1 or (others and least ^ total not in self.led_to[others[0]]):
                return None
        return least if least < IN_SETS else None

    def _infinity(self, number: int) -> int:
        """Return the code of infinity with the nimbers that the moves of a position lead to.

        Raises:
            RulesError: no set may have one of them.
        """
        led_to = self.led_to[number]
        if max(NIMBERS.of_moves(led_to), *led_to, 0) < IN_SETS:
            return NIMBERS.encode(infinite(led_to))
        message = (
            f"{self.graph.rules.name}: play from {self.graph.positions[number]!r} need not end, "
            f"and its moves lead to nimbers of {IN_SETS} and more; make the game smaller, as what "
            f"such a position is worth is a set of nimbers below {IN_SETS}"
        )
        raise RulesError(message)


# -- margins --------------------------------------------------------------------------------------


class _Margins:
    """Margins with plies, in score games in which play may repeat a position.

    A move counts unless it ends the game, or endless play is worth as many points less after it as
    it makes. The stage of a position is the greatest number of moves that count and may still come.
    Within a stage a margin stays as far from what endless play is worth. So a stage is decided
    backwards from its ends and from the moves out of it: the margins farthest from endless play
    first, and of those the soonest. A player with a good move takes it, and a player with only bad
    moves takes the best of them. What is left is worth what endless play is.
    """

    def __init__(self, graph: PlayGraph) -> None:
        self.graph = graph
        rules, kind = graph.rules, TIMED_SCORES
        numbers = range(len(graph.positions))
        self.codes = [_end_code(graph, number, kind) for number in numbers]
        #: What endless play is worth to the player to move.
        self.endless = [
            rules.endless_worth(position) if moves else 0
            for position, moves in zip(graph.positions, graph.moves, strict=True)
        ]
        #: The most that it is worth, where that varies.
        self.most = max(map(abs, self.endless)) if rules.has_hook("endless") else 0
        self.stages = [0] * len(graph.positions)
        #: The best of the moves of a position to decided ones; and how many lead to others.
        self.held: dict[int, int] = {}
        self.left: dict[int, int] = {}
        #: Positions that wait to take their best move: the farthest from what endless play is
        #: worth first, then the soonest.
        self.waiting: list[tuple[int, int, int]] = []

    def values(self) -> PlainValues:
        """Return the values, whose ranks are the stages.

        Raises:
            RulesError: points can be made for ever, or a margin is too large.
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
            RulesError: play can repeat a move that counts.
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
        """Whether a move counts."""
        after = self.endless[step.successor]
        makes = step.gain + (after if step.same_mover else -after)
        return self.graph.ends[step.successor] is None and makes != self.endless[number]

    def _decide(self, stage: list[int]) -> None:
        """Decide the positions of a stage, of which those below are decided."""
        parents: dict[int, list[tuple[int, Step]]] = {number: [] for number in stage}
        for number in stage:
            moves = self.graph.moves[number]
            outside = [step for step in moves if self.codes[step.successor] is not None]
            self.left[number] = len(moves) - len(outside)
            if outside:
                self._hold(number, outside)
            for step in moves:
                if self.codes[step.successor] is None:
                    parents[step.successor].append((number, step))
        while self.waiting:
            _, _, number = heappop(self.waiting)
            if self.codes[number] is None:
                self.codes[number] = self.held[number]
                for parent, step in parents[number]:
                    self.left[parent] -= 1
                    self._hold(parent, [step])
        for number in stage:
            if self.codes[number] is None:
                self.codes[number] = code_of(self.endless[number], None)

    def _hold(self, number: int, steps: list[Step]) -> None:
        """Hold a position to its best move, and let it wait unless a better one may come.

        Args:
            number: the position.
            steps: moves to decided positions.
        """
        worths = [self._move_value(number, step) for step in steps]
        self.held[number] = max(*worths, self.held.get(number, worths[0]))
        margin, plies = parts_of(self.held[number])
        beyond = margin - self.endless[number]
        if plies is not None and (beyond >= 0 or not self.left[number]):
            heappush(self.waiting, (-abs(beyond), plies, number))

    def _move_value(self, number: int, step: Step) -> int:
        """Return the worth of a move to a decided position.

        Raises:
            RulesError: the margin is too large.
        """
        code, endless = self.codes[step.successor], self.endless[number]
        assert code is not None  # noqa: S101  # for types
        worth = TIMED_SCORES.of_move(
            code, same_mover=step.same_mover, gain=step.gain, endless=endless
        )
        margin, _ = parts_of(worth)
        # Elsewhere in the stage a margin is as far from endless play, which may be worth more.
        if max(abs(margin), abs(endless), abs(margin - endless) + self.most) > MOST_MARGIN:
            message = (
                f"{self.graph.rules.name}: the margin, or what endless play is worth, at "
                f"{self.graph.positions[number]!r} is beyond ±{MOST_MARGIN:,} points; give "
                "smaller points"
            )
            raise RulesError(message)
        return worth
