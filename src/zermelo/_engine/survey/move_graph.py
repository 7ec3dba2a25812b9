"""The moves of a solved table as a graph of numbers, for scans over all of them.

Most tables store positions and values, but no moves. So the rules are run again at every position,
and the children of all moves are stored, if they fit in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.topological_order import acyclic_order
from zermelo._engine.backward.transpose import reverse, transposing_bytes
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint8Array, Uint32Array
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.threads import map_ordered, thread_pool
from zermelo._engine.expand.chance_labels import read_labels
from zermelo._engine.expand.expander import Buffers, Expand, expanded_parts
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.values.expectations import CHANCE, Expectations
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._engine.core.ledger import Ledger
    from zermelo.progress import Reporter

#: The initial capacity in moves for each position of a page; if there are more, a page is expanded
#: in several steps.
_CAPACITY = 4
#: Bytes of each move of a page during the look-up of its child, without the child's words.
_LOOK_UP = 40
#: Bytes for each position of the results of a model of play; those added if moves form cycles; and
#: those added if margins have probabilities.
_CHANCES, _CYCLES, _MARGINS = 4 * 8, 1 + 8 + 4 + 16, 5 * 8
#: Bytes for each position of data computed afterwards: plies, shapes, expected scores, degrees.
_SCAN = 4 + 8 + 8 + 8
#: Bytes for each position and each move while stored moves are copied.
_STORED_POSITION_BYTES, _STORED_MOVE_BYTES = 4 * 8 + 1, 3 * 4 + 5
#: The greatest ratio of places to positions with which an array has an entry for each place.
_SPARSE = 4


class GraphTooLargeError(Exception):
    """The moves do not fit in memory."""


@dataclass
class MoveGraph:
    """All positions of a table by number, from 0, and their moves.

    Attributes:
        places: the place of each position, or None if numbers are places.
        first: index in ``edges`` of each position's first move; one entry more marks the end.
        edges: the number of each move's child.
        values: codes, or scores.
        owners: the player to move, or empty if the players strictly alternate.
        gains: the points of each move, or empty.
        starts: the numbers of the starts.
        kind: the kind of the values, as players see it.
        order: the positions from which no cycle can be reached, successors first; None if these are
            all positions and descending order is such an order.
        cyclic: the positions from which a cycle can be reached.
        by_chance: 1 for each position of chance, whose moves are results of chance and whose gains
            are weights; empty in games without chance.
        keeps: 1 for each move, or result of chance, after which the value is for the same player;
            empty in games without chance.
    """

    places: Int64Array | None
    first: Int64Array
    edges: Uint32Array
    values: npt.NDArray[Any]
    owners: Uint8Array
    gains: Int64Array
    starts: Int64Array
    kind: Kind
    order: Uint32Array | None
    cyclic: Uint32Array
    by_chance: Uint8Array = field(default_factory=lambda: np.empty(0, np.uint8))
    keeps: Uint8Array = field(default_factory=lambda: np.empty(0, np.uint8))

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(self.first) - 1

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        arrays = (self.places, self.first, self.edges, self.values, self.owners, self.gains,
                  self.order, self.cyclic, self.by_chance, self.keeps)  # fmt: skip
        return sum(0 if array is None else array.nbytes for array in arrays)

    @property
    def degrees(self) -> Int64Array:
        """The number of moves of each position."""
        return np.diff(self.first)

    def place(self, number: int) -> int:
        """Return the place of a position."""
        return number if self.places is None else int(self.places[number])

    def number(self, place: int) -> int:
        """Return the number of the position at a place."""
        return place if self.places is None else int(np.searchsorted(self.places, place))


@dataclass
class _GraphPart:
    """The moves of a page of positions.

    Attributes:
        counts: the number of moves of each position.
        children: the number of each move's child.
        owners: the player to move, or empty; see ``MoveGraph``.
        gains: the points of each move, or empty.
        forward: whether every child has a greater place than its parent.
        by_chance: 1 for each position of chance, or empty; see ``MoveGraph``.
        keeps: 1 for each move that keeps the turn, or empty; see ``MoveGraph``.
    """

    counts: Int64Array
    children: npt.NDArray[Any]
    owners: Uint8Array
    gains: Int64Array
    forward: bool
    by_chance: Uint8Array
    keeps: Uint8Array


@dataclass(frozen=True)
class SurveyNeeds:
    """The memory of a scan over all moves, in bytes.

    Attributes:
        positions: the number of positions.
        value: bytes of a value.
        places: whether numbers differ from places.
        numbers: bytes of the map from places to numbers.
        owners: whether turns are stored.
        gains: whether moves make points.
    """

    positions: int
    value: int
    places: bool = False
    numbers: int = 0
    owners: bool = True
    gains: bool = False

    def peak_bytes(self, moves: int, *, has_cycles: bool, buffers: int = 0) -> int:
        """Return the peak memory for ``moves``.

        Args:
            moves: the number of moves.
            has_cycles: whether moves may form cycles.
            buffers: bytes of buffers while moves are collected.
        """
        count, move = self.positions, 4 + 8 * self.gains
        fixed = count * (8 * self.places + self.owners)
        stored = fixed + count * (8 + self.value) + moves * move
        joined = 8 * self.gains or 4  # the last array is in memory twice while its parts are joined
        copying = fixed + count * (16 + self.owners) + moves * (move + joined)
        peaks = [copying + self.numbers + buffers]
        results = _CHANCES * count
        if has_cycles:
            ordering = stored + transposing_bytes(count, moves) + 8 * count
            stored += 4 * count
            peaks += [ordering, stored + results + _CYCLES * count]
            results += count
        if self.gains:
            peaks.append(stored + results + _MARGINS * count)
        peaks.append(stored + results + _SCAN * count)
        return max(peaks)


def gather_moves(
    expand: Expand,
    table: Table,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    resident_bytes: int = 0,
) -> MoveGraph:
    """Collect the moves of every position of a table.

    Args:
        expand: the compiled rules.
        table: the solved table.
        ledger: the memory budget, for the graph and for the model of play.
        threads: threads to use.
        report: receives the number of positions done.
        resident_bytes: bytes of memory that the table takes.

    Raises:
        GraphTooLargeError: the moves exceed the budget.
    """
    count, kind = len(table), table.kind
    requirements = SurveyNeeds(
        count,
        np.dtype(kind.dtype).itemsize,
        places=count != table.span,
        numbers=4 * table.span if _listed_by_place(count, table.span) else 0,
        owners=not expand.alternate,
        gains=expand.kind.gains,
    )
    page_moves = _CAPACITY * min(PAGE, count)
    buffers = 2 * threads * page_moves * (8 * expand.words + 8 * requirements.gains)
    buffers += threads * page_moves * (8 * expand.words + _LOOK_UP)
    if (
        resident_bytes + requirements.peak_bytes(count, has_cycles=False) > ledger.allowed
        or count > 1 << 32
    ):
        raise GraphTooLargeError
    places = np.concatenate(list(table.pages())) if requirements.places else None
    to_numbers = _numbering(places, table.span)
    parts: list[_GraphPart] = []
    moves, forward = 0, True
    with (
        report.phase("moves", count),
        thread_pool(threads, "zermelo-moves") as pool,
    ):
        workspaces = [SurveyWorkspace(expand, table, to_numbers) for _ in range(2 * threads)]
        positions_done = 0
        for page, part in map_ordered(pool, workspaces, SurveyWorkspace.expand, table.pages()):
            parts.append(part)
            moves += len(part.children)
            forward &= part.forward
            if not ledger.fits(
                resident_bytes
                + requirements.peak_bytes(moves, has_cycles=not forward, buffers=buffers)
            ):
                raise GraphTooLargeError
            positions_done += len(page)
            report.advance(positions_done)
        del workspaces
        starts = to_numbers(np.asarray(table.starts, np.int64)).astype(np.int64)
        del to_numbers
        first = np.zeros(count + 1, np.int64)
        np.cumsum(_concatenate(parts, "counts"), out=first[1:])
        edges, owners, gains, by_chance, keeps = (
            _concatenate(parts, name)
            for name in ("children", "owners", "gains", "by_chance", "keeps")
        )
    values = np.empty(count, kind.dtype)
    begin = 0
    for page in table.pages():
        values[begin : begin + len(page)] = kind.to_played(table.values(page))
        begin += len(page)
    order, cyclic = _order(first, edges, threads, forward, report)
    arrays = (first, edges, values, owners, gains, starts)
    return MoveGraph(places, *arrays, kind.played, order, cyclic, by_chance, keeps)


def _concatenate(parts: list[_GraphPart], name: str) -> npt.NDArray[Any]:
    """Return the concatenation of one array of all parts, and free that array in the parts."""
    joined = np.concatenate([getattr(part, name) for part in parts])
    for part in parts:
        setattr(part, name, np.empty(0, joined.dtype))
    return joined


def stored_move_graph_bytes(positions: int, moves: int, value: int = 4) -> int:
    """Return the peak memory of ``stored_move_graph`` and of the scans that follow."""
    copying = positions * _STORED_POSITION_BYTES + moves * _STORED_MOVE_BYTES
    return max(copying, SurveyNeeds(positions, value).peak_bytes(moves, has_cycles=True))


def stored_move_graph(
    first: Int64Array,
    edges: npt.NDArray[Any],
    values: Int32Array,
    owners: Uint8Array,
    start: int,
    threads: int,
    report: Reporter,
) -> MoveGraph:
    """Return the move graph of a table whose moves are stored already; see ``MoveGraph``."""
    edges = edges.astype(np.uint32, copy=False)
    order, cyclic = _order(first, edges, threads, forward=False, report=report)
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
        cyclic=cyclic,
    )


def _numbering(places: Int64Array | None, span: int) -> Callable[[Int64Array], Uint32Array]:
    """Return the function that maps places to numbers of positions."""
    if places is None:
        return lambda targets: targets.astype(np.uint32)
    if not _listed_by_place(len(places), span):
        return lambda targets: np.searchsorted(places, targets).astype(np.uint32)
    numbers = np.zeros(span, np.uint32)
    numbers[places] = np.arange(len(places), dtype=np.uint32)
    return lambda targets: numbers[targets]


def _listed_by_place(count: int, span: int) -> bool:
    """Return whether the map from places to numbers is an array with an entry for each place."""
    return count != span <= _SPARSE * count + PAGE


def _order(
    first: Int64Array,
    edges: Uint32Array,
    threads: int,
    forward: bool,
    report: Reporter,
) -> tuple[Uint32Array | None, Uint32Array]:
    """Return ``order`` and ``cyclic``; see ``MoveGraph``."""
    if forward:
        return None, np.empty(0, np.uint32)
    with report.phase("order"):
        indegrees_end, parents = reverse(first, edges, threads)
        order = acyclic_order(first, indegrees_end, parents)
        is_cyclic = np.ones(len(first) - 1, np.bool_)
        is_cyclic[order] = False
        return order, np.flatnonzero(is_cyclic).astype(np.uint32)


class SurveyWorkspace:
    """The rules, the table and the buffers with which one thread expands pages."""

    def __init__(
        self,
        rules: Expand,
        table: Table,
        to_numbers: Callable[[Int64Array], npt.NDArray[Any]],
    ) -> None:
        self.rules, self.table, self.to_numbers = rules, table, to_numbers
        page = min(PAGE, len(table))
        self.buffers = Buffers.for_rules(rules, page, _CAPACITY * page)

    def expand(self, places: Int64Array) -> _GraphPart:
        """Return the moves of the positions at some places."""
        rules, buffers = self.rules, self.buffers
        keys = self.table.packed(places)
        counts = np.empty(len(places), np.int64)
        owners = np.empty(0 if rules.alternate else len(places), np.uint8)
        has_chance = isinstance(rules.kind, Expectations)
        by_chance = np.empty(len(places) if has_chance else 0, np.uint8)
        children, gains, keeps, forward = [], [], [], True
        for part in expanded_parts(rules, keys, len(places), buffers):
            begin, end = part.begin, part.end
            child_places = np.empty(part.moves, np.int64)
            if self.table.places(buffers.children, part.moves, child_places) < part.moves:
                message = "a move leads out of the table; run zermelo verify"
                raise LookupError(message)
            degrees = counts[begin:end]
            degrees[:] = part.degrees
            forward = forward and bool((child_places > np.repeat(places[begin:end], degrees)).all())
            children.append(self.to_numbers(child_places))
            if has_chance:
                edge_owners = () if rules.alternate else self.table.owners(child_places)
                step = read_labels(rules.kind, part, edge_owners)
                gains.append(step.numbers)
                keeps.append(step.keeps)
            elif rules.kind.gains:
                gains.append(part.gains.copy())
            if not rules.alternate:
                owners[begin:end] = part.owners
            if has_chance:
                by_chance[begin:end] = part.values == CHANCE
        return _GraphPart(
            counts,
            np.concatenate(children),
            owners,
            np.concatenate(gains) if gains else np.empty(0, np.int64),
            forward,
            by_chance,
            np.concatenate(keeps) if keeps else np.empty(0, np.uint8),
        )


def sample_moves(
    expand: Expand, table: Table, samples: int, seed: int, report: Reporter
) -> MoveGraph:
    """Collect the moves of a random sample of positions.

    Args:
        expand: the compiled rules.
        table: the solved table.
        samples: the size of the sample, before duplicates are removed.
        seed: the random seed.
        report: receives the number of positions done.

    Returns:
        The positions of the sample, followed by their children, without moves.
    """
    generator = np.random.default_rng(seed)
    chosen = np.unique(generator.integers(0, len(table), samples))
    workspace = SurveyWorkspace(expand, table, lambda children: children)
    parts, places, positions_done = [], [], 0
    with report.phase("samples", len(chosen)):
        for page in table.pages():
            begin, end = np.searchsorted(chosen, (positions_done, positions_done + len(page)))
            positions_done += len(page)
            if begin < end:
                places.append(page[chosen[begin:end] - (positions_done - len(page))])
                parts.append(workspace.expand(places[-1]))
                report.advance(int(end))
    sample = np.concatenate(places)
    children = np.concatenate([part.children for part in parts])
    first = np.full(len(sample) + len(children) + 1, len(children), np.int64)
    first[0] = 0
    np.cumsum(np.concatenate([part.counts for part in parts]), out=first[1 : len(sample) + 1])
    all_places = np.concatenate([sample, children])
    owners = np.empty(0, np.uint8) if expand.alternate else table.owners(all_places)
    return MoveGraph(
        all_places,
        first,
        np.arange(len(sample), len(all_places), dtype=np.uint32),
        table.kind.to_played(table.values(all_places)),
        owners,
        np.concatenate([part.gains for part in parts]),
        np.zeros(1, np.int64),
        table.kind.played,
        None,
        np.empty(0, np.uint32),
    )


@kernel
def _walk(
    first: Int64Array, edges: Uint32Array, plies: Int32Array, queue: Uint32Array, queued: int
) -> None:
    """Write the least number of moves from the queued positions to each position."""
    head = 0
    while head < queued:
        position = np.int64(queue[head])
        head += 1
        for e in range(first[position], first[position + 1]):
            child = np.int64(edges[e])
            if plies[child] < 0:
                plies[child] = plies[position] + 1
                queue[queued] = child
                queued += 1


def plies_from_start(move_graph: MoveGraph) -> Int32Array:
    """Return the least number of moves to each position from the first start, -1 if unreachable."""
    plies = np.full(move_graph.positions, -1, np.int32)
    queue = np.empty(move_graph.positions, np.uint32)
    queue[0] = move_graph.starts[0]
    plies[move_graph.starts[0]] = 0
    _walk(move_graph.first, move_graph.edges, plies, queue, 1)
    return plies
