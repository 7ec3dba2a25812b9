"""The moves of a solved table, from place to place, for those who scan all of them.

A table keeps positions and values, but most keep no moves. Here the rules are run forward once more
from every position, and where each move leads is kept, as far as there is memory for it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.acyclic import in_order as ordered
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.threads import in_order
from zermelo._engine.expand.expander import CAPACITY, Buffers, Expand, run_expand
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._engine.core.ledger import Ledger
    from zermelo.progress import Reporter

#: Bytes for each position and each move, while the moves are gathered and after.
_POSITION, _MOVE = 8 + 8 + 4 + 4 + 1, 8
#: Bytes for each position of what one way of playing comes to, where moves lead round in circles.
_CHANCES = 5 * 8
#: A table with places so much sparser is not given an array with an entry for each.
_SPARSE = 4


class TooManyError(Exception):
    """There is no memory for all moves."""


@dataclass
class MoveGraph:
    """Every position of a table by its number, from 0, and where its moves lead.

    Attributes:
        places: the place of each position, or None where its number is its place.
        first: where in ``edges`` the moves of each position begin, and one number more.
        edges: the number of the position that each move leads to.
        values: codes, or scores.
        owners: whose turn it is, or empty where the players strictly alternate.
        gains: the points of each move, or empty.
        starts: the numbers of the starts.
        kind: the kind of value that positions have for those who play.
        order: the positions from which no circle can be reached, successors first; None for all,
            in descending order.
        rest: the other positions.
    """

    places: npt.NDArray[np.int64] | None
    first: npt.NDArray[np.int64]
    edges: npt.NDArray[np.uint32]
    values: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    gains: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    kind: Kind
    order: npt.NDArray[np.uint32] | None
    rest: npt.NDArray[np.uint32]

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return len(self.first) - 1

    @property
    def degrees(self) -> npt.NDArray[np.int64]:
        """How many moves each position has."""
        return np.diff(self.first)

    def place(self, number: int) -> int:
        """Return the place of a position."""
        return number if self.places is None else int(self.places[number])

    def number(self, place: int) -> int:
        """Return the number of the position at a place."""
        return place if self.places is None else int(np.searchsorted(self.places, place))


@dataclass
class _GraphPart:
    """The moves of a page of positions."""

    counts: npt.NDArray[np.int64]
    children: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    gains: npt.NDArray[np.int64]
    forward: bool

    @property
    def bytes(self) -> int:
        return 2 * self.children.nbytes + 2 * self.gains.nbytes + self.counts.nbytes


def gather_moves(
    expand: Expand, table: Table, ledger: Ledger, threads: int, report: Reporter
) -> MoveGraph:
    """Gather the moves of every position of a table.

    Args:
        expand: the compiled rules.
        table: the solved table.
        ledger: what may be taken, by this and by working out one way of playing.
        threads: threads to use.
        report: is told how many positions are done.

    Raises:
        TooManyError: the moves would take more than that.
    """
    count = len(table)
    needed = count * (_POSITION + _CHANCES + _MOVE)
    if needed > ledger.allowed or count > 1 << 32:
        raise TooManyError
    places = np.concatenate(list(table.pages())) if count != table.span else None
    numbered = _numbering(places, table.span)
    parts: list[_GraphPart] = []
    needed -= count * _MOVE
    with (
        report.phase("moves", count),
        ThreadPoolExecutor(threads, thread_name_prefix="zermelo-moves") as pool,
    ):
        workspaces = [SurveyWorkspace(expand, table, numbered) for _ in range(2 * threads)]
        done = 0
        for page, part in in_order(pool, workspaces, SurveyWorkspace.expand, table.pages()):
            parts.append(part)
            needed += part.bytes
            if not ledger.fits(needed):
                raise TooManyError
            done += len(page)
            report.advance(done)
        first = np.zeros(count + 1, np.int64)
        np.cumsum(np.concatenate([part.counts for part in parts]), out=first[1:])
        edges = np.concatenate([part.children for part in parts])
        owners = np.concatenate([part.owners for part in parts])
        gains = np.concatenate([part.gains for part in parts])
    values, kind = np.empty(count, table.kind.dtype), table.kind.played
    at = 0
    for page in table.pages():
        values[at : at + len(page)] = table.kind.as_played(table.values(page))
        at += len(page)
    order, rest = _order(first, edges, threads, all(part.forward for part in parts), report)
    starts = numbered(np.asarray(table.starts, np.int64)).astype(np.int64)
    return MoveGraph(places, first, edges, values, owners, gains, starts, kind, order, rest)


def listed_needs(positions: int, moves: int) -> int:
    """Return the bytes that ``listed`` and working out one way of playing take."""
    return positions * (_POSITION + _CHANCES) + 2 * moves * _MOVE


def listed(
    first: npt.NDArray[np.int64],
    edges: npt.NDArray[Any],
    values: npt.NDArray[np.int32],
    owners: npt.NDArray[np.uint8],
    start: int,
    threads: int,
    report: Reporter,
) -> MoveGraph:
    """Return the moves of a table where they are listed already; see ``MoveGraph``."""
    edges = edges.astype(np.uint32)
    order, rest = _order(first, edges, threads, forward=False, report=report)
    return MoveGraph(
        None,
        first,
        edges,
        values,
        owners,
        gains=np.empty(0, np.int64),
        starts=np.array([start], np.int64),
        kind=WIN_DRAW_LOSS,
        order=order,
        rest=rest,
    )


def _numbering(
    places: npt.NDArray[np.int64] | None, span: int
) -> Callable[[npt.NDArray[np.int64]], npt.NDArray[np.uint32]]:
    """Return what gives the numbers of the positions at places."""
    if places is None:
        return lambda found: found.astype(np.uint32)
    if span > _SPARSE * len(places) + PAGE:
        return lambda found: np.searchsorted(places, found).astype(np.uint32)
    numbers = np.zeros(span, np.uint32)
    numbers[places] = np.arange(len(places), dtype=np.uint32)
    return lambda found: numbers[found]


def _order(
    first: npt.NDArray[np.int64],
    edges: npt.NDArray[np.uint32],
    threads: int,
    forward: bool,  # noqa: FBT001  # one of several things at once
    report: Reporter,
) -> tuple[npt.NDArray[np.uint32] | None, npt.NDArray[np.uint32]]:
    """Return the positions that lead into no circle, in order, and the others."""
    if forward:
        return None, np.empty(0, np.uint32)
    with report.phase("order"):
        into, parents = reverse(first, edges, threads)
        order = ordered(first, into, parents)
        others = np.ones(len(first) - 1, np.bool_)
        others[order] = False
        return order, np.flatnonzero(others).astype(np.uint32)


class SurveyWorkspace:
    """What one thread works with."""

    def __init__(
        self,
        rules: Expand,
        table: Table,
        numbered: Callable[[npt.NDArray[np.int64]], npt.NDArray[Any]],
    ) -> None:
        self.rules, self.table, self.numbered = rules, table, numbered
        page = min(PAGE, len(table))
        self.buffers = Buffers.for_rules(rules, page, CAPACITY * page)

    def expand(self, places: npt.NDArray[np.int64]) -> _GraphPart:
        """Return the moves of the positions at some places."""
        rules, buffers = self.rules, self.buffers
        keys = self.table.packed(places)
        counts = np.empty(len(places), np.int64)
        owners = np.empty(0 if rules.alternate else len(places), np.uint8)
        children, gains, forward, begin = [], [], True, 0
        while begin < len(places):
            done, made = run_expand(rules, keys, begin, len(places), buffers)
            found = np.empty(made, np.int64)
            if self.table.places(buffers.children, made, found) < made:
                message = "a move leads out of the table; run zermelo verify"
                raise LookupError(message)
            here = counts[begin : begin + done]
            here[:] = np.diff(buffers.ends[:done], prepend=0)
            forward = forward and bool(
                (found > np.repeat(places[begin : begin + done], here)).all()
            )
            children.append(self.numbered(found))
            if rules.kind.gains:
                gains.append(buffers.gains[:made].copy())
            if not rules.alternate:
                owners[begin : begin + done] = buffers.owners[:done]
            begin += done
        return _GraphPart(
            counts,
            np.concatenate(children),
            owners,
            np.concatenate(gains) if gains else np.empty(0, np.int64),
            forward,
        )


def sample_moves(
    expand: Expand, table: Table, samples: int, seed: int, report: Reporter
) -> MoveGraph:
    """Gather the moves of some positions only, chosen at random.

    Args:
        expand: the compiled rules.
        table: the solved table.
        samples: how many positions, at most.
        seed: makes the choice repeatable.
        report: is told how many positions are done.

    Returns:
        Those positions, and after them the positions that their moves lead to, without moves.
    """
    chance = np.random.default_rng(seed)
    chosen = np.unique(chance.integers(0, len(table), samples))
    workspace = SurveyWorkspace(expand, table, lambda found: found)
    parts, places, done = [], [], 0
    with report.phase("samples", len(chosen)):
        for page in table.pages():
            begin, end = np.searchsorted(chosen, (done, done + len(page)))
            done += len(page)
            if begin < end:
                places.append(page[chosen[begin:end] - (done - len(page))])
                parts.append(workspace.expand(places[-1]))
                report.advance(int(end))
    here = np.concatenate(places)
    there = np.concatenate([part.children for part in parts])
    first = np.full(len(here) + len(there) + 1, len(there), np.int64)
    first[0] = 0
    np.cumsum(np.concatenate([part.counts for part in parts]), out=first[1 : len(here) + 1])
    everywhere = np.concatenate([here, there])
    owners = np.empty(0, np.uint8) if expand.alternate else table.owners(everywhere)
    return MoveGraph(
        everywhere,
        first,
        np.arange(len(here), len(everywhere), dtype=np.uint32),
        table.kind.as_played(table.values(everywhere)),
        owners,
        np.concatenate([part.gains for part in parts]),
        np.zeros(1, np.int64),
        table.kind.played,
        None,
        np.empty(0, np.uint32),
    )


@kernel
def _walk(first: Any, edges: Any, plies: Any, queue: Any, waiting: int) -> None:
    """Note how few moves lead to each position from those that wait."""
    head = 0
    while head < waiting:
        here = np.int64(queue[head])
        head += 1
        for e in range(first[here], first[here + 1]):
            there = np.int64(edges[e])
            if plies[there] < 0:
                plies[there] = plies[here] + 1
                queue[waiting] = there
                waiting += 1


def plies_from_start(move_graph: MoveGraph) -> npt.NDArray[np.int32]:
    """Return how many moves it takes to each position from the first start, -1 where none do."""
    plies = np.full(move_graph.positions, -1, np.int32)
    queue = np.empty(move_graph.positions, np.uint32)
    queue[0] = move_graph.starts[0]
    plies[move_graph.starts[0]] = 0
    _walk(move_graph.first, move_graph.edges, plies, queue, 1)
    return plies
