"""The certificate of a pursuit along its graphs, with the kernels of its method."""

from __future__ import annotations

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
    definition: PursuitDefinition,
    table: Table,
    threads: int,
    ledger: Ledger,
    report: Reporter,
    workers: WorkerPool | None = None,
) -> Finding:
    """Check that every value follows from the values that moves lead to, along the given graphs.

    Args:
        definition: the pursuit.
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
        fixed_bytes = _SMALL + _THREAD * (threads - 1)
        board = _board(definition)
        comparison = compare_table(
            board, table, threads, ledger, fixed_bytes, report, workers=workers
        )
    if comparison is None:
        return finding.with_fault(STRANGE_VALUE)
    finding = Finding(len(table), comparison.moves)
    if comparison.wrong is None:
        return finding
    return finding.with_fault(
        WRONG_VALUE, comparison.wrong, expected=_correct_code(definition, table, comparison.wrong)
    )


def _board(definition: PursuitDefinition) -> PursuitGraphs:
    """Return the pursuit in the engine's form, computed anew from the graphs."""
    all_nodes = np.ones(definition.nodes, np.bool_)
    move_lists = {}
    for i, graph in enumerate(definition.graphs):
        free, waits = (~definition.forbidden if i else all_nodes), definition.waits[i > 0]
        if (id(graph), i > 0) not in move_lists:
            steps = graph_moves(*graph, free, waits=waits, stays=definition.stays)
            move_lists[id(graph), i > 0] = steps
    evader, *pursuers = (move_lists[id(graph), i > 0] for i, graph in enumerate(definition.graphs))
    return PursuitGraphs(
        evader, tuple(pursuers), definition.safe, definition.forbidden, definition.together
    )


def _correct_code(definition: PursuitDefinition, table: Table, place: int) -> int:
    """Return the correct code of a position."""
    position = definition.layout.unpack(table.packed(np.array([place])))
    kind, codes = table.kind, []
    for child in definition.children(position):
        child_code = table.value(definition.index.place(child.turn, child.evader, child.pursuers))
        codes.append(kind.of_move(child_code, same_mover=child.turn > position.turn > 0))
    if not codes:
        won = (definition.winner_at_end(position) == EVADER) == (position.turn == 0)
        return kind.terminal(1 if won else -1)
    return kind.of_moves(codes)
