"""Memory: what a solve may take, and the refusal before it would take more."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from zermelo import limits
from zermelo._engine.core.memory import resident
from zermelo.errors import BudgetError
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: Share of the memory the system has left that a solve takes if nobody says otherwise.
_SHARE = 0.85
#: Seconds for which a reading of what the system has left serves again. In so short a time a
#: process can touch much less memory than the share that is not taken; reading takes longer than
#: solving a small game.
_FRESH = 0.02
_GROUPS = Path("/sys/fs/cgroup")

#: Bytes of: a place in the edges, an edge, a code, a score (also a gain), whose turn it is.
_FIRST, _EDGE, _CODE, _SCORE, _TURN = 8, 4, 4, 8, 1
#: Bytes of every solve that no array says: threads' stacks, tables of a few entries.
_SMALL = 1 << 16
#: The least share of the moves waiting at once that is worth another pass over all of them.
_LEAST_SHARE = 16


@dataclass
class Budget:
    """What a solve may take.

    Attributes:
        allowed: bytes.
        words: 64-bit words of a packed position.
        kind: the kind of value that positions have.
        alternate: whether the players strictly alternate, so that turns are not kept.
        buffers: bytes of what threads expand positions into.
        peak: the most bytes that were needed so far, by this estimate.
    """

    allowed: int
    words: int = 1
    kind: Kind = WIN_DRAW_LOSS
    alternate: bool = True
    buffers: int = 0
    peak: int = 0

    def held(self, positions: int, table: int, moves: int | None) -> int:
        """Return the bytes for this many positions and entries of the index.

        Args:
            positions: how many positions.
            table: entries of the index.
            moves: how many moves, or None where they are not kept.
        """
        if moves is not None and not limits.current().in_memory:
            return limits.current().held(0)
        sizes = [8 * self.words * positions, self.kind.width * positions]
        if not self.alternate:
            sizes.append(_TURN * positions)
        if moves is not None:
            sizes += [_FIRST * (positions + 1), _EDGE * moves]
            if self.kind.gains:
                sizes.append(_SCORE * moves)
        grown = sum([resident(size, self.allowed) for size in sizes])
        return grown + 8 * table + self.buffers + _SMALL

    def fits(self, needed: int) -> bool:
        """Note that this many bytes are needed, and say whether they may be taken."""
        if needed > self.allowed:
            return False
        self.peak = max(self.peak, needed)
        return True

    def refusal(self, needed: int, positions: int) -> BudgetError:
        """Return the error for positions that need more memory than is allowed."""
        return over_budget(needed, self.allowed, positions)

    def too_many(self, positions: int) -> BudgetError:
        """Return the error for more positions than 32 bits number."""
        message = (
            f"there are more than {positions:,} positions, and this method numbers 4,294,967,294 "
            "at most; make the game smaller"
        )
        return BudgetError(message, self.allowed, self.allowed)

    def room_for(self, moves: int, held: int, each: int, after: int) -> int | None:
        """Return how many of the moves may wait at once while they are transposed.

        Notes what that needs. Returns None where too few fit to be worth it.

        Args:
            moves: how many there are.
            held: bytes of what is held meanwhile.
            each: bytes of a move that waits.
            after: bytes of what is held after that.
        """
        most = math.ceil(moves * limits.current().transposed)
        room = min(most, (self.allowed - held) // each)
        if room * _LEAST_SHARE < moves or not self.fits(max(after, held + each * room)):
            return None
        return room


def over_budget(needed: int, allowed: int, positions: int) -> BudgetError:
    """Return the error for positions that need more memory than is allowed."""
    message = (
        f"solving needs more than {readable(needed)} for the {positions:,} positions found so far, "
        f"and {readable(allowed)} are allowed; allow more memory, or make the game smaller"
    )
    return BudgetError(message, needed, allowed)


def afford(doing: str, needed: int, allowed: int) -> None:
    """See that what is to be done needs no more bytes than may be taken.

    Args:
        doing: what needs them, such as ``"verifying 5 positions"``.
        needed: how many.
        allowed: how many may be taken.

    Raises:
        BudgetError: it needs more.
    """
    if needed > allowed:
        message = (
            f"{doing} needs {readable(needed)} at least, and {readable(allowed)} are allowed; "
            "allow more memory"
        )
        raise BudgetError(message, needed, allowed)


def allowed_bytes(memory: int | None) -> int:
    """Return the bytes a solve may take: ``memory``, or most of what the system has left."""
    given = memory if memory is not None else limits.current().memory
    return given if given is not None else int(_LEFT.read() * _SHARE)


class _Left:
    """The bytes that the system has left, as they were read not long ago."""

    def __init__(self) -> None:
        self._reading = (-float("inf"), 0.0)

    def read(self) -> float:
        """Return them."""
        now = time.monotonic()
        at, left = self._reading
        if now - at > _FRESH:
            left = min(psutil.virtual_memory().available, left_in_group(_GROUPS))
            self._reading = (now, left)
        return left


_LEFT = _Left()


def left_in_group(root: Path) -> float:
    """Return the bytes left to the container the process is in, infinitely many if it has no limit.

    Args:
        root: where Linux shows control groups, as a container sees its own.
    """
    for limit, usage, stat in (
        ("memory.max", "memory.current", "memory.stat"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
    ):
        try:
            most = int((root / limit).read_text())
            used = int((root / usage).read_text())
            rows = dict(row.split() for row in (root / stat).read_text().splitlines())
        except (OSError, ValueError):  # no such group, or "max"
            continue
        # Pages of files are counted as used, and given up when memory is wanted.
        return max(0, most - used + int(rows.get("inactive_file", 0)))
    return float("inf")


def readable(count: int) -> str:
    """Return a number of bytes as people write it, such as ``1.4 GB``."""
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:  # decimal units
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"
