"""The certificate of a pursuit along its graphs, with the kernels of its method."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.certificate.kernels import STRANGE_VALUE, WRONG_VALUE, Finding
from zermelo._engine.file.cache_limits import verified_reading
from zermelo._methods.pursuit.certificate.kernels import compare_table
from zermelo._methods.pursuit.certificate.moves import graph_moves
from zermelo._methods.pursuit.graphs import PursuitGraphs
from zermelo.pursuits.definition import EVADER, PursuitDefinition

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter

#: Bytes that no array accounts for, and those for each additional thread.
_SMALL, _THREAD = 1 << 17, 1 << 19


def check_pursuit(
    given: PursuitDefinition,
    table: Table,
    threads: int,
    ledger: Ledger,
    report: Reporter,
    workers: WorkerPool | None = None,
) -> Finding:
    """Check that every value follows from the values that moves lead to, along the given graphs.

    Args:
        given: the pursuit.
        table: the table to check.
        threads: threads to use.
        ledger: the memory that may be allocated.
        report: receives the number of checked positions.
        workers: processes that share the check, for a table in a file that all of them see.

    Raises:
        BudgetError: more bytes are needed.
        ClusterError: workers cannot be used, or are lost.
        CorruptTableError: the file is damaged.
    """
    finding = Finding(len(table), 0)
    with verified_reading(table, ledger.allowed, report):
        if not len(table):
            return finding
        threads = max(1, min(threads, (ledger.allowed - _SMALL) // _THREAD))
        besides = _SMALL + _THREAD * (threads - 1)
        elsewhere = None
        if workers is not None:
            from zermelo._methods.pursuit.certificate.cluster import compare_on_cluster

            elsewhere = partial(compare_on_cluster, workers=workers)
        board = _board(given)
        found = compare_table(board, table, threads, ledger, besides, report, elsewhere=elsewhere)
    if found is None:
        return finding.with_fault(STRANGE_VALUE)
    finding = Finding(len(table), found.moves)
    if found.wrong is None:
        return finding
    return finding.with_fault(
        WRONG_VALUE, found.wrong, expected=_correct_code(given, table, found.wrong)
    )


def _board(given: PursuitDefinition) -> PursuitGraphs:
    """Return the pursuit in the engine's form, computed anew from the graphs."""
    anywhere = np.ones(given.nodes, np.bool_)
    made = {}
    for i, graph in enumerate(given.graphs):
        free, waits = (~given.forbidden if i else anywhere), given.waits[i > 0]
        if (id(graph), i > 0) not in made:
            steps = graph_moves(*graph, free, waits=waits, stays=given.stays)
            made[id(graph), i > 0] = steps
    evader, *pursuers = (made[id(graph), i > 0] for i, graph in enumerate(given.graphs))
    return PursuitGraphs(evader, tuple(pursuers), given.safe, given.forbidden, given.together)


def _correct_code(given: PursuitDefinition, table: Table, place: int) -> int:
    """Return the correct code of a position."""
    position = given.layout.unpack(table.packed(np.array([place])))
    kind, worths = table.kind, []
    for after in given.children(position):
        code = table.value(given.index.place(after.turn, after.evader, after.pursuers))
        worths.append(kind.of_move(code, same_mover=after.turn > position.turn > 0))
    if not worths:
        won = (given.winner_at_end(position) == EVADER) == (position.turn == 0)
        return kind.terminal(1 if won else -1)
    return kind.of_moves(worths)
