"""Win, draw or loss and the remoteness of every position of a graph.

Where every move leads to a greater number, one sweep from the last position to the first decides
each from its successors. Otherwise retrograde analysis: from the terminal positions back along
the reversed moves, in order of remoteness, with a counter of moves that do not lose yet (Thompson,
"Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Then ties spread back along
the draws that are left. Where not even the reversed moves have room, rounds over the moves as
they are find the same, level by level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.rounds import MoveRounds
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.codes import (
    LAST,
    NARROW,
    TIES,
    UNKNOWN,
    WIDE,
    Scale,
    one_ply_earlier,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import prefetch, zeros
from zermelo._engine.core.threads import backward

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.expand.discovery import Graph
    from zermelo.progress import Reporter

#: Positions handled between looks at the clock and the keyboard.
_BATCH = 1 << 18
#: Moves looked ahead to.
_AHEAD = 64
#: The stage that says what is decided so far.
SPREAD = "spread"
#: What may keep numbers from being set.
READY, TOO_MANY_MOVES, DESCENDS, STRANGE_OUTCOME = range(4)


@dataclass(frozen=True)
class Terms:
    """What stands for what in the array of terminal positions, and the outcome of a dead end."""

    open: int
    win: int
    draw: int
    loss: int
    no_moves: int


#: In the terms of the codes above; dead ends are terminal already.
_CODES = Terms(UNKNOWN, LAST, TIES, -LAST, 0)


@kernel
def _sweep(first: Any, edges: Any, owners: Any, values: Any, begin: int, end: int) -> None:
    """Decide positions ``end`` - 1 down to ``begin`` from their successors, all decided."""
    alternate = owners.size == 0
    for i in range(end - 1, begin - 1, -1):
        if values[i] != UNKNOWN:
            continue
        best = -LAST
        for e in range(first[i], first[i + 1]):
            prefetch(values, np.int64(edges[max(e - _AHEAD, 0)]))
            target = np.int64(edges[e])
            same = (not alternate) and owners[i] == owners[target]
            best = max(best, one_ply_earlier(np.int64(values[target]), same))
        values[i] = best


@kernel
def _begin(
    first: Any,
    terminal: Any,
    state: Any,
    none: int,
    win: int,
    draw: int,
    loss: int,
    no_moves: int,
    last: int,
    ties: int,
) -> tuple[Any, Any, Any, Any]:
    """Set the numbers of ``state``.

    Returns:
        READY, how many positions end in a win or a loss, how many in a tie, and 0; or what is in
        the way, with the position it is the matter with in the last place.
    """
    decided: Any = 0
    tied: Any = 0
    for i in range(state.size):
        value: Any = np.int64(terminal[i])
        moves: Any = np.int64(1)  # where nobody counts them
        if first.size:
            moves = np.int64(first[i + 1]) - np.int64(first[i])
        if moves < 0:
            return DESCENDS, decided, tied, i
        if value == none:
            if 0 < moves < ties:
                state[i] = -moves
                continue
            if moves > 0:
                return TOO_MANY_MOVES, decided, tied, i
            value = no_moves
        if value == win:
            state[i] = last
            decided += 1
        elif value == loss:
            state[i] = -last
            decided += 1
        elif value == draw:
            state[i] = ties
            tied += 1
        else:
            return STRANGE_OUTCOME, decided, tied, i
    return READY, decided, tied, 0


@kernel
def _translate(
    state: Any,
    values: Any,
    last: int,
    ties: int,
    new_last: int,
    new_ties: int,
    finished: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Write numbers in other codes; once ``finished``, what is not decided is an endless draw."""
    for i in range(state.size):
        number = np.int64(state[i])
        if number > ties:
            values[i] = number + (new_last - last)
        elif number > 0:
            values[i] = number + (new_ties - ties)
        elif number <= -ties:
            values[i] = number - (new_last - last)
        elif finished:
            values[i] = 0
        else:
            values[i] = number


class Way(Protocol):
    """How one level is decided from another: ``Spreading`` or ``Rounds``.

    Attributes:
        rounds: how many times all moves were scanned.
    """

    rounds: int

    def run(
        self, state: npt.NDArray[Any], scale: Scale, level: int, count: int, *, tie: bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """Spread wins and losses, or ties; see ``Spreading``."""


class Numbers:
    """The numbers of all positions, of 16 bits for as long as that is enough.

    Attributes:
        scale: their codes.
        state: the numbers.
        decided: positions whose outcome is a win or a loss from the beginning.
        tied: positions that are a tie from the beginning.
        problem: READY, or what is in the way of them.
        place: the position it is the matter with.
    """

    def __init__(
        self,
        first: npt.NDArray[Any],
        terminal: npt.NDArray[Any],
        terms: Terms,
        wide: Callable[[], npt.NDArray[Any]],
        *,
        narrow: bool = True,
    ) -> None:
        """Set them.

        Args:
            first: place of each position's first move, and one number more; or empty, where moves
                are not counted.
            terminal: what is known of each position.
            terms: the terms in which it is.
            wide: makes the array of 32 bits that they are moved to when they need it.
            narrow: False has them of 32 bits from the beginning.
        """
        self.make_wide = wide
        self.scale = NARROW if narrow else WIDE
        self.state: npt.NDArray[Any] = zeros(len(terminal), np.int16) if narrow else wide()
        self._set(first, terminal, terms)
        if self.problem == TOO_MANY_MOVES and narrow:
            self.scale, self.state = WIDE, wide()
            self._set(first, terminal, terms)

    def _set(self, first: npt.NDArray[Any], terminal: npt.NDArray[Any], terms: Terms) -> None:
        self.problem, self.decided, self.tied, self.place = _begin(
            first,
            terminal,
            self.state,
            terms.open,
            terms.win,
            terms.draw,
            terms.loss,
            terms.no_moves,
            self.scale.last,
            self.scale.ties,
        )

    def widen(self) -> None:
        """Go over to 32 bits."""
        values = self.make_wide()
        self.write(values, WIDE, finished=False)
        self.scale, self.state = WIDE, values

    def write(self, values: npt.NDArray[Any], scale: Scale, *, finished: bool = True) -> None:
        """Write the numbers in the codes of ``scale``, as values where the work is finished."""
        codes = (self.scale.last, self.scale.ties, scale.last, scale.ties)
        _translate(self.state, values, *codes, finished)

    def spread(self, way: Way, stages: Checkpoint | None = None) -> Iterator[int]:
        """Decide all positions, one way or another; yields how many are done.

        Args:
            way: how.
            stages: where to keep, now and then, what is decided by then, and to look for it.
        """
        ties, at, done = self._kept(way, stages) or (False, (0, self.decided), 0)
        for tie in (False, True)[ties:]:
            if tie and not ties:
                at = (0, self.tied)
            while at[1]:
                for more, level, frontier in way.run(self.state, self.scale, *at, tie=tie):
                    at = (level, frontier)
                    done += more
                    yield done
                    if stages is not None and stages.worth(self.state.nbytes):
                        numbers = [tie, *at, done, way.rounds]
                        stages.put(SPREAD, state=self.state, numbers=np.array(numbers))
                if at[1]:
                    self.widen()

    def _kept(
        self, way: Way, stages: Checkpoint | None
    ) -> tuple[bool, tuple[int, int], int] | None:
        """Resume from what was kept, if anything was; return where that is."""
        if stages is None or not stages.has(SPREAD):
            return None
        positions = len(self.state)

        def room(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
            if count != positions or np.dtype(dtype) == np.int64:
                return np.empty(count, dtype)
            while self.state.dtype != dtype:
                self.widen()
            return self.state

        kept = stages.read(SPREAD, room)
        if kept["state"] is not self.state and len(kept["state"]) != positions:
            return None
        tie, level, frontier, done, way.rounds = kept["numbers"].tolist()
        return bool(tie), (level, frontier), done


def solve(
    graph: Graph,
    threads: int,
    report: Reporter,
    room: int | None = None,
    stages: Checkpoint | None = None,
    horizon: int | None = None,
) -> int:
    """Decide every position of ``graph``, in place in its ``values``.

    Args:
        graph: terminal positions decided, UNKNOWN elsewhere; dead ends count as terminal.
        threads: threads to use at the most.
        report: is told how many positions are decided.
        room: where moves may lead back, how many of them may wait while they are transposed, or
            None where they are not to be.
        stages: where to keep what is finished, if that is wanted.
        horizon: the greatest remoteness to look for, in rounds; None for all there are.

    Returns:
        How many times all moves were scanned, where they were not transposed.
    """
    if graph.forward and horizon is None:
        with report.phase("sweep", graph.positions):
            for done in sweep(graph, threads):
                report.advance(done)
        return 1
    if room is None or horizon is not None:
        rounds = MoveRounds(graph.first, graph.edges, graph.owners, threads, horizon)
        return spread(graph, rounds, report, stages, "rounds", narrow=False)
    with report.phase("reverse"):
        into, parents = reverse(graph.first, graph.edges, threads, room)
    way = Spreading(into, parents, graph.owners, threads)
    return spread(graph, way, report, stages, "retrograde", narrow=True)


def spread(
    graph: Graph, way: Way, report: Reporter, stages: Checkpoint | None, phase: str, *, narrow: bool
) -> int:
    """Decide every position of ``graph`` one way or another; return how many rounds that took.

    Args:
        graph: see ``solve``.
        way: how one level is decided from another.
        report: is told how many positions are decided.
        stages: where to keep what is decided, if that is wanted.
        phase: what to call it.
        narrow: whether there is memory for numbers of their own.
    """
    with report.phase(phase, graph.positions):
        numbers = Numbers(graph.first, graph.values, _CODES, lambda: graph.values, narrow=narrow)
        if stages is not None and stages.has(SPREAD):
            report.resume("some values were known")
        for done in numbers.spread(way, stages):
            report.advance(done)
        numbers.write(graph.values, WIDE)
    return way.rounds


def sweep(graph: Graph, threads: int) -> Iterator[int]:
    """Decide a graph whose moves all lead forward; yields how many positions are done."""
    arrays = (graph.first, graph.edges, graph.owners, graph.values)
    threads = threads if graph.layered else 1
    layers = graph.layers if threads > 1 else [0, graph.positions]
    for begin in backward(layers, threads, _BATCH, lambda low, high: _sweep(*arrays, low, high)):
        yield graph.positions - begin
