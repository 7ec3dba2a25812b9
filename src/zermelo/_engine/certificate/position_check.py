"""The check that expanded positions follow from their moves, for every kind of value."""

from __future__ import annotations

from zermelo._engine.certificate.expectations import check_expectations
from zermelo._engine.certificate.kernels import NOTHING, check_moves, check_values
from zermelo._engine.certificate.lookups import TableData
from zermelo._engine.certificate.nimbers import check_nimbers
from zermelo._engine.certificate.score_and_plies import check_timed
from zermelo._engine.core.array_types import Uint8Array
from zermelo._engine.expand.expander import Buffers, Expand
from zermelo._engine.table import Table
from zermelo.values.expectations import Expectations
from zermelo.values.nimbers import NIMBERS
from zermelo.values.score_and_plies import TIMED_SCORES


def check_expanded(
    expand: Expand,
    table: Table,
    expanded: Buffers,
    parents: TableData,
    children: TableData,
    reached: Uint8Array,
) -> tuple[int, int, int]:
    """Check positions that have been expanded.

    Args:
        expand: the rules.
        table: positions and values.
        expanded: the result of expanding the positions.
        parents: the table's data about the positions.
        children: the table's data about their children.
        reached: receives marks at the places of children, unless it is empty.

    Returns:
        A fault, the index of the position that has it, and the right code.

    Raises:
        UnknownKindError: the certificate does not know the kind of the values.
    """
    kind = expand.kind
    fault, i = check_moves(kind, expanded, parents, children, reached)
    if fault != NOTHING:
        return fault, i, 0
    if kind.algebra == NIMBERS.algebra:
        return check_nimbers(expand, table, expanded, parents, children)
    if isinstance(kind, Expectations):
        return check_expectations(kind, expanded, parents, children)
    if kind.algebra == TIMED_SCORES.algebra:
        return check_timed(expanded, parents, children)
    return check_values(kind, expanded, parents, children)
