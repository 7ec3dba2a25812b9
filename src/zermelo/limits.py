"""Thresholds at which work is shared, cut into parts, moved to disk, or compiled.

No value, table or answer depends on them, only the time and the memory. The defaults suit most
machines; others can be set for part of a program, for example to test each path once::

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
        plain_seconds: seconds in which plain Python may explore a game, for ``solve``; a game that
            has more positions is solved by compiled rules. A placement game or a pursuit is solved
            in Python if it has at most 5,000 positions. 0 compiles the rules of every game.
        memory: bytes to use if a call has no ``memory=``; None uses most of the free memory.
        in_memory: whether moves, levels, marks and opened tables are kept in memory if they fit.
            With False, rules are run again for their moves, levels and marks are in files, and
            tables are read in parts.
        at_once: the most positions, moves, rows or blocks in one batch. Every loop has its own
            number; this one applies if it is less.
        sharing: how much work several threads share, relative to what each loop finds worth it: 0
            shares all work, 2 shares half as often.
        transposed: the largest part of a game's moves that is transposed in one step, from 0, for
            no transposition, to 1.
        waiting: the part of the memory for positions that wait for their level; more are written to
            a file.
        windows: the least number of parts into which the levels above one are cut, if levels are in
            files.
        tier: the most patterns of a tier of a placement game that are decompressed and processed
            together, if levels are in files; a larger tier is cut by the top bits of its patterns.
            It is rounded down to a power of two, and at least 262,144.
        narrow: the most plies that are stored in 16 bits.
        bitwise: the number of positions from which on placement games and pursuits are verified 64
            at a time.
        questions: the number of single look-ups by a thread before a quicker method is compiled for
            them.
        levels: the number of positions from which on a game is passed to the method ``levels``, if
            its levels are wide.
        wide: the average number of positions of wide levels.
        foretold: the number of positions from which on a small sample of random games gives a lower
            bound of the total.
        foreseen: the number of positions from which on a sample of random games estimates whether
            all will fit; it is drawn again when there are four times as many.
        cached_seconds: seconds of solving that make a table worth caching.
        cached_positions: positions that make a table worth caching.
        checkpoint_seconds: seconds of work that are never worth a checkpoint.
        checkpoint_share: the fraction of the working time that the first checkpoint may take, and
            each later one.
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
        """Return the batch size of a loop whose own limit is ``most``."""
        return min(most, self.at_once)

    def shared(self, least: int) -> int:
        """Return the size from which on threads share a loop, by default ``least``."""
        return max(1, int(least * self.sharing))

    def held(self, needed: int) -> int:
        """Return the bytes of data to keep in memory, or more than any if that is disabled."""
        return needed if self.in_memory else sys.maxsize


_current = Limits()


def current() -> Limits:
    """Return the current limits."""
    return _current


def adopt(limits: Limits) -> None:
    """Set the limits of this process to those of the process that started it."""
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
