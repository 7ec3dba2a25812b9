"""The data of a table about a batch of positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint64Array
from zermelo._engine.expand.expander import Expand
from zermelo._engine.table import Table


class TableData(NamedTuple):
    """The data of a table about positions, with owners and potentials if they are needed.

    Attributes:
        places: the place of each position, -1 if it is not in the table.
        values: the code of each position.
        owners: the player to move, or empty if the players strictly alternate.
        potential: numbers that decrease along the moves that prove a value, if its kind needs them;
            else empty.
        endless: the value of endless play for the player to move, if the kind of value needs it;
            empty for 0.
    """

    places: Int64Array
    values: npt.NDArray[Any]
    owners: Uint8Array
    potential: Int64Array
    endless: Int64Array

    @classmethod
    def look_up_positions(
        cls, expand: Expand, table: Table, packed: Uint64Array, count: int
    ) -> TableData:
        """Look up packed positions."""
        places = np.empty(count, np.int64)
        has_all = table.places(packed, count, places) == count
        known = places if has_all else np.maximum(places, 0)
        return cls.look_up_places(expand, table, places, known, packed)

    @classmethod
    def look_up_places(
        cls,
        expand: Expand,
        table: Table,
        places: Int64Array,
        known: Int64Array | None = None,
        packed: Uint64Array | None = None,
    ) -> TableData:
        """Look up places; ``known`` is ``places`` with any valid place instead of -1.

        The rules give the value of endless play for the positions ``packed``, by default those at
        the places.
        """
        known = places if known is None else known
        owners = np.empty(0, np.uint8) if expand.alternate else table.owners(known)
        endless = np.empty(0, np.int64)
        if expand.kind.needs_endless:
            packed = table.packed(known) if packed is None else packed
            endless = expand.endless(packed, len(known), owners)
        values = table.values(known)
        return cls(places, values, owners, potential(expand, table, known), endless)

    def head(self, count: int) -> TableData:
        """Return the data of the first ``count`` positions."""
        columns: tuple[Any, ...] = self
        return TableData(*(column[:count] for column in columns))


def potential(expand: Expand, table: Table, places: Int64Array) -> Int64Array:
    """Return numbers that decrease along the moves that prove values; empty if not needed."""
    return table.potential(places) if expand.kind.needs_potential else np.empty(0, np.int64)
