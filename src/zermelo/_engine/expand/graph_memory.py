"""What a graph of numbered positions takes: an estimate, before its arrays grow."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo import limits
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import resident
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo.errors import BudgetError
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: Bytes of: a place in the edges, an edge, a score (also a gain), whose turn it is.
_FIRST, _EDGE, _SCORE, _TURN = 8, 4, 8, 1
#: Bytes of every solve that no array says: threads' stacks, tables of a few entries.
_SMALL = 1 << 16


@dataclass
class GraphMemory:
    """What positions and moves take of the memory.

    Attributes:
        ledger: what there is of it.
        words: 64-bit words of a packed position.
        kind: the kind of value that positions have.
        alternate: whether the players strictly alternate, so that turns are not kept.
        buffers: bytes of what threads expand positions into.
    """

    ledger: Ledger
    words: int = 1
    kind: Kind = WIN_DRAW_LOSS
    alternate: bool = True
    buffers: int = 0

    def held(self, positions: int, table: int, moves: int | None) -> int:
        """Return the bytes for this many positions and entries of the index.

        Args:
            positions: how many positions.
            table: entries of the index.
            moves: how many moves, or None where they are not kept.
        """
        allowed = self.ledger.allowed
        sizes = [8 * self.words * positions, self.kind.width * positions]
        if not self.alternate:
            sizes.append(_TURN * positions)
        if moves is not None:
            sizes += [_FIRST * (positions + 1), _EDGE * moves]
            if self.kind.gains:
                sizes.append(_SCORE * moves)
        grown = sum([resident(size, allowed) for size in sizes])
        needed = grown + 8 * table + self.buffers + _SMALL
        return needed if moves is None else limits.current().held(needed)

    def take(self, needed: int, positions: int) -> None:
        """Take this many bytes for the positions found so far; see ``Ledger.take``."""
        self.ledger.take(needed, found(positions), SMALLER)

    def capacity(self, moves: int, held: int, each: int, after: int) -> int | None:
        """Return how many of the moves may wait at once while they are transposed.

        Takes what that needs. Returns None where there is memory for so few that it is not worth
        it.

        Args:
            moves: how many there are.
            held: bytes of what is held meanwhile.
            each: bytes of a move that waits.
            after: bytes of what is held after that.
        """
        most = math.ceil(moves * limits.current().transposed)
        at_once = min(most, self.ledger.capacity(moves, held, each))
        if (moves and not at_once) or not self.ledger.fits(max(after, held + each * at_once)):
            return None
        return at_once


#: What else than allowing more memory makes a solve possible.
SMALLER = "make the game smaller"


def found(positions: int) -> str:
    """Return what needs memory: solving these positions, of which there may be more."""
    return f"solving the {positions:,} positions found so far"


def too_many(ledger: Ledger) -> BudgetError:
    """Return the error for more positions than 32 bits number."""
    message = f"there are more than {MOST_POSITIONS:,} positions; {SMALLER}"
    return BudgetError(message, ledger.allowed, ledger.allowed)
