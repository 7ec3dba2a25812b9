"""The memory of a graph of numbered positions: an estimate, before its arrays grow."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from zermelo import limits
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import resident
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._engine.store.packed_moves import DEGREE_BYTES
from zermelo.errors import BudgetError
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: Bytes of: an index into the edges, an edge, the player to move.
_FIRST, EDGE_BYTES, _TURN = 8, 4, 1
#: Bytes of every solve outside the arrays: threads' stacks, small tables.
_FIXED_BYTES = 1 << 16


@dataclass
class GraphMemory:
    """The memory of positions and moves.

    Attributes:
        ledger: the memory budget.
        words: 64-bit words of a packed position.
        kind: the kind of the values.
        alternate: whether the players strictly alternate, so that turns are not stored.
        buffers: bytes of the expansion buffers of threads.
    """

    ledger: Ledger
    words: int = 1
    kind: Kind = WIN_DRAW_LOSS
    alternate: bool = True
    buffers: int = 0

    def held_bytes(
        self, positions: int, table: int, moves: int | None, packed: int | None = None
    ) -> int:
        """Return the bytes of positions, their index and moves.

        Args:
            positions: the number of positions.
            table: entries of the index.
            moves: the number of moves, or None if they are not stored.
            packed: the bytes of packed moves besides, or None if moves are not packed.
        """
        allowed = self.ledger.allowed
        sizes = [8 * self.words * positions, self.kind.width * positions]
        if not self.alternate:
            sizes.append(_TURN * positions)
        if moves is not None:
            each = _FIRST if packed is None else DEGREE_BYTES
            sizes += [each * (positions + 1), EDGE_BYTES * moves, packed or 0]
            if packed is not None:  # a bit for each position
                sizes.append((positions >> 3) + 1)
            if self.kind.gains:
                sizes.append(np.dtype(self.kind.gain_dtype).itemsize * moves)
        array_bytes = sum([resident(size, allowed) for size in sizes])
        needed = array_bytes + 8 * table + self.buffers + _FIXED_BYTES
        return needed if moves is None else limits.current().held(needed)

    def reserve(self, needed: int, positions: int) -> None:
        """Record a total use of ``needed`` bytes for the positions found so far.

        See ``Ledger.reserve``.
        """
        self.ledger.reserve(needed, describe_found(positions), SMALLER)

    def capacity(
        self, moves: int, resident_bytes: int, move_bytes: int, bytes_afterwards: int
    ) -> int | None:
        """Return the number of moves that may wait in memory while they are transposed.

        Records the memory for them. Returns None if the memory holds so few that too many passes
        would be needed.

        Args:
            moves: the number of moves.
            resident_bytes: bytes of other data at that time.
            move_bytes: bytes of a waiting move.
            bytes_afterwards: bytes of other data afterwards.
        """
        most = math.ceil(moves * limits.current().transposed)
        waiting = min(most, self.ledger.capacity(moves, resident_bytes, move_bytes))
        if (moves and not waiting) or not self.ledger.fits(
            max(bytes_afterwards, resident_bytes + move_bytes * waiting)
        ):
            return None
        return waiting


#: The alternative to allowing more memory.
SMALLER = "make the game smaller, or prove one position with zermelo.prove"


def describe_found(positions: int) -> str:
    """Return the activity of a solve that has found ``positions`` so far, in words."""
    return f"solving the {positions:,} positions found so far"


def too_many_positions(ledger: Ledger) -> BudgetError:
    """Return the error for more positions than 32-bit numbers allow."""
    message = f"there are more than {MOST_POSITIONS:,} positions; {SMALLER}"
    return BudgetError(message, ledger.allowed, ledger.allowed)
