"""Memory: what a solve may take, and the refusal before it would take more."""

from __future__ import annotations

from dataclasses import dataclass

import psutil

from zermelo.errors import BudgetError

#: Share of the memory the system has left that a solve takes if nobody says otherwise.
_SHARE = 0.85

#: Bytes of: a place in the edges, an edge, an edge while the graph is being reversed, a code, a
#: score (also a counter while a score game is put in order), a status, a place in the queue, whose
#: turn it is.
_FIRST, _EDGE, _BUCKET, _CODE, _SCORE, _STATUS, _QUEUE, _TURN = 8, 4, 6, 4, 8, 1, 4, 1


@dataclass
class Budget:
    """What a solve may take.

    Attributes:
        allowed: bytes.
        words: 64-bit words of a packed position.
        scored: whether it is a score game, whose values and gains take 64 bits.
        alternate: whether the players strictly alternate, so that turns are not kept.
        peak: the most bytes that were needed so far, by this reckoning.
    """

    allowed: int
    words: int = 1
    scored: bool = False
    alternate: bool = True
    peak: int = 0

    def check(self, positions: int, moves: int, table: int, *, forward: bool) -> None:
        """Raise BudgetError if so many positions and moves cannot be solved within the budget.

        Args:
            positions: positions known so far.
            moves: moves known so far.
            table: entries of the index.
            forward: whether all moves so far lead to greater numbers, so that the graph need not
                be reversed.

        Raises:
            BudgetError: they need more bytes than are allowed.
        """
        needed = self.needed(positions, moves, table, forward=forward)
        self.peak = max(self.peak, needed)
        if needed > self.allowed:
            message = (
                f"solving needs more than {readable(needed)} for the {positions:,} positions found "
                f"so far, and {readable(self.allowed)} are allowed; allow more memory, or make the "
                "game smaller"
            )
            raise BudgetError(message, needed, self.allowed)

    def needed(self, positions: int, moves: int, table: int, *, forward: bool) -> int:
        """Return the bytes for so many positions, moves and entries of the index."""
        position = 8 * self.words + _FIRST + (_SCORE if self.scored else _CODE)
        position += 0 if self.alternate else _TURN
        move = _EDGE + (_SCORE if self.scored else 0)
        if not forward:
            position += _FIRST + _QUEUE + (_SCORE if self.scored else _STATUS)
            move += _EDGE + _BUCKET
        return positions * position + moves * move + 8 * table

    def too_many(self, positions: int) -> BudgetError:
        """Return the error for more positions than 32 bits number."""
        message = (
            f"there are more than {positions:,} positions, and this method numbers 4,294,967,294 "
            "at most; make the game smaller"
        )
        return BudgetError(message, self.allowed, self.allowed)


def allowed_bytes(memory: int | None) -> int:
    """Return the bytes a solve may take: ``memory``, or most of what the system has left."""
    if memory is not None:
        return memory
    return int(psutil.virtual_memory().available * _SHARE)


def readable(count: int) -> str:
    """Return a number of bytes as people write it, such as ``1.4 GB``."""
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:  # decimal units
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"
