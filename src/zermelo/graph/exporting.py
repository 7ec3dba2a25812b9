"""From a solved graph to columns: each vertex with its value and the best move there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import allowed_bytes
from zermelo._methods.explicit.driver import best_edges, split
from zermelo._store.sheets import Cells, SheetColumn, sheet
from zermelo.solution.exporting import form_of
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    import os

    from zermelo._methods.explicit.parts import GraphSource
    from zermelo.graph.rules import GraphRules
    from zermelo.graph.values import VertexValues
    from zermelo.progress import Reporter

#: Rows that are written at once at the most; those with names are Python's objects.
_ROWS = 1 << 16
_LABELS = ("loss", "draw", "win")


def export(
    source: GraphSource,
    graph: GraphRules,
    values: VertexValues,
    path: str | os.PathLike[str],
    *,
    form: str | None,
    moves: bool,
    method: str,
    choice: str,
    overwrite: bool,
    threads: int,
    memory: int | None,
    report: Reporter,
) -> Path:
    """Write each vertex with its value to a file; see ``Solution.export``.

    A row is a vertex, in order of number. The columns are ``vertex``, its ``name`` (where
    vertices have names), ``player`` (its owner, where they have owners), ``outcome``,
    ``remoteness`` (nothing for an endless draw), and ``best_move``, the vertex to move to, with
    ``best_move_name`` (nothing where the game is over).
    """
    target = Path(path)
    chosen = form_of(target, form)
    scan = source.scan_size(threads, allowed_bytes(memory))
    size = min(scan.batch, _ROWS)
    rows = _Rows(graph.nodes, source, moves=moves)
    counts = WIN_DRAW_LOSS.counts(values.tally())
    about = {
        "holds": graph.described,
        "method": method,
        "choice": choice,
        "counts": counts.by_outcome,
        "positions": source.vertices,
    }
    starts = iter(range(0, source.vertices, size))
    running: deque[Future[list[Cells]]] = deque()
    with (
        sheet(target, chosen, rows.columns, about, overwrite=overwrite) as made,
        report.phase("export", source.vertices),
        ThreadPoolExecutor(scan.threads, thread_name_prefix="zermelo-export") as pool,
    ):
        done = 0
        while True:
            while len(running) <= scan.threads:
                begin = next(starts, None)
                if begin is None:
                    break
                running.append(pool.submit(rows.cells, begin, begin + size))
            if not running:
                return target
            made.write(running.popleft().result())
            done = min(done + size, source.vertices)
            report.advance(done)


class _Rows:
    """What rows are made from, and of what columns they are."""

    def __init__(self, nodes: Sequence[Any], source: GraphSource, *, moves: bool) -> None:
        self._source = source
        self._moves = moves
        self._names = None if isinstance(nodes, range) else nodes
        self._stored, self._owners = source.stored, source.owners
        self.columns = list(self._columns())

    def _columns(self) -> Iterator[SheetColumn]:
        number = np.dtype(np.int32 if self._source.vertices <= 1 << 31 else np.int64)
        yield SheetColumn("vertex", number)
        if self._names is not None:
            yield SheetColumn("name", None)
        if len(self._owners):
            yield SheetColumn("player", np.dtype(np.int8))
        yield SheetColumn("outcome", None)
        yield SheetColumn("remoteness", np.dtype(np.int32), nullable=True)
        if self._moves:
            yield SheetColumn("best_move", number, nullable=True)
            if self._names is not None:
                yield SheetColumn("best_move_name", None, nullable=True)

    def cells(self, begin: int, end: int) -> list[Cells]:
        """Return the rows from one vertex to another; threads may do so at the same time."""
        end = min(end, self._source.vertices)
        outcome, left = split(self._stored[begin:end], self._source.scale)
        found = [Cells(np.arange(begin, end))]
        if self._names is not None:
            found.append(_named(self._names, np.arange(begin, end)))
        if len(self._owners):
            found.append(Cells(self._owners[begin:end]))
        found.append(Cells(outcome.astype(np.int32) + 1, labels=_LABELS))
        found.append(Cells(left, left >= 0))
        if self._moves:
            _, best = best_edges(self._source, begin, end)
            found.append(Cells(best, best >= 0))
            if self._names is not None:
                found.append(_named(self._names, best))
        return found


def _named(names: Sequence[Any], places: npt.NDArray[np.int64]) -> Cells:
    """Return the names of some vertices, nothing for -1."""
    known, which = np.unique(places, return_inverse=True)
    labels = [str(names[place]) for place in known.tolist() if place >= 0]
    return Cells(which - (len(known) - len(labels)), places >= 0, labels)
