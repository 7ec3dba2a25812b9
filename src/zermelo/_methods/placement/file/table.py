"""Opening of a table of tiers."""

from __future__ import annotations

from zermelo._engine.column.palette_writer import starts_of
from zermelo._engine.file.table_arrays import TableArrays
from zermelo._engine.table import Table
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.file.column import TierColumn
from zermelo._methods.placement.file.index import TierIndex
from zermelo._methods.placement.index import Fields


def open_tiers(arrays: TableArrays, board: PlacementBoard, fields: Fields) -> Table:
    """Return the table in a file.

    Args:
        arrays: the file, whose header has been checked.
        board: the game.
        fields: the packed form of positions.

    Raises:
        CorruptTableError: the file is damaged, or is of other positions.
    """
    tiers = TierIndex(arrays, board, fields)
    column = TierColumn(arrays, tiers.begins)
    return Table(tiers, column, *starts_of(arrays, column.count, tiers.words), arrays)
