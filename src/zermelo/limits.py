"""Thresholds: from where on work is shared, cut into parts, kept out of memory, or compiled.

No value, table or answer depends on them, only how long it takes and how much memory. They are
what suits most machines; set others for a part of a program, say to see each way once::

    from zermelo import limits

    with limits.using(in_memory=False, at_once=1000):
        solution = zermelo.solve(game)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Limits", "adopt", "current", "using"]


@dataclass(frozen=True)
class Limits:
    """Thresholds of the whole process.

    Attributes:
        plain_seconds: seconds in which plain Python may explore a game, from ``solve``; a game that
            has more positions is solved by compiled rules. A placement game or a pursuit is solved
            so if it has at most 5,000 positions. 0 compiles the rules of every game.
        memory: bytes to take where a call has no ``memory=``; None takes most of what the system
            has left.
        in_memory: whether moves, levels, marks and opened tables are held in memory if they fit.
            Where False, all goes as if they did not: rules are run again for their moves, levels
            and marks are in files, and tables are read part by part.
        at_once: the most positions, moves, rows or blocks that are taken at once. Every loop has
            its own number; this one counts where it is less.
        sharing: how much work several threads share, in parts of what each loop finds worth it:
            0 shares all there is, 2 half as often.
        transposed: the largest part of a game's moves that is transposed at once, from 0, where
            moves are not transposed at all, to 1.
        waiting: the part of the memory that positions may take while they wait for their level;
            more are written to a file.
        windows: into how many parts the levels above one are cut at least, where levels are
            in files.
        tier: the most patterns of a tier of a placement game that are decompressed, and worked on,
            at once, where levels are in files; a larger tier is cut by the top bits of its
            patterns. It is rounded down to a power of two, and at least 262,144.
        narrow: the most plies that are kept in 16 bits.
        bitwise: positions from which on placement games and pursuits are verified 64 at a time.
        questions: single questions a thread asks of a solution before one that is quicker is
            compiled for them.
        levels: positions from which on a game is handed over to the method ``levels``, if its
            levels are wide.
        wide: positions of a level, on average, that make levels wide.
        foretold: positions from which on a small sample of random games says how many there are at
            least.
        foreseen: positions from which on a sample of random games tells whether all there are will
            fit; it is drawn again when there are four times as many.
        cached_seconds: seconds of solving that make a table worth caching.
        cached_positions: positions that make a table worth caching.
        checkpoint_seconds: seconds of work that are never worth a checkpoint.
        checkpoint_share: the part of the time worked that the first checkpoint may take, and each
            later one.
        file_cache: bytes of an opened table's file that stay in memory once they are read.
        compiled: bytes that compiled code may take on disk, for all games and versions together.
    """

    plain_seconds: float = 0.3
    memory: int | None = None
    in_memory: bool = True
    at_once: int = sys.maxsize
    sharing: float = 1.0
    transposed: float = 1.0
    waiting: float = 7 / 8
    windows: int = 1
    tier: int = 1 << 30
    narrow: int = (1 << 15) - 1
    bitwise: int = 1 << 16
    questions: int = 64
    levels: int = 1 << 21
    wide: int = 1 << 14
    foretold: int = 1 << 20
    foreseen: int = 1 << 22
    cached_seconds: float = 2.0
    cached_positions: int = 100_000
    checkpoint_seconds: float = 2.0
    checkpoint_share: tuple[float, float] = (0.1, 0.3)
    file_cache: int = 1 << 30
    compiled: int = 1 << 29

    def batch(self, most: int) -> int:
        """Return how many a loop takes at once that would take ``most``."""
        return min(most, self.at_once)

    def shared(self, least: int) -> int:
        """Return from how many on threads share a loop that would be shared from ``least`` on."""
        return max(1, int(least * self.sharing))

    def held(self, needed: int) -> int:
        """Return the bytes that holding something in memory takes: more than all, if it may not."""
        return needed if self.in_memory else sys.maxsize


_current = Limits()


def current() -> Limits:
    """Return the limits that count now."""
    return _current


def adopt(limits: Limits) -> None:
    """Have limits count in this process from now on: those of the process that started it."""
    global _current  # noqa: PLW0603  # the limits are the process's
    _current = limits


@contextmanager
def using(**changed: Any) -> Iterator[Limits]:
    """Use other limits, in all threads, until the block ends; ``Limits`` has their names."""
    global _current  # noqa: PLW0603  # the limits are the process's
    before = _current
    _current = replace(before, **changed)
    try:
        yield _current
    finally:
        _current = before
