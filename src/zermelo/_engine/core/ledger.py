"""The ledger of memory: what work may take, what it took, and the refusal of more."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from pathlib import Path

import psutil

from zermelo import limits
from zermelo.errors import BudgetError

#: Share of the memory the system has left that work takes if nobody says otherwise.
_SHARE = 0.85
#: Seconds for which a reading of what the system has left serves again. In so short a time a
#: process can touch much less memory than the share that is not taken; reading takes longer than
#: solving a small game.
_FRESH = 0.02
_GROUPS = Path("/sys/fs/cgroup")

#: Significant digits of a number of bytes.
_DIGITS = 3

#: The least share of what waits to be sorted at once that is worth another pass over all of it.
_LEAST_SHARE = 16


@dataclass
class Ledger:
    """What one piece of work may take of the memory, and the most that it took.

    Whoever solves, verifies, saves, exports or analyses opens one, and all that takes part asks it
    before arrays are made.

    Attributes:
        allowed: bytes.
        peak: the most bytes that were taken so far, by the estimates of those that asked.
    """

    allowed: int
    peak: int = 0

    @classmethod
    def of(cls, memory: int | None) -> Ledger:
        """Open one for what a caller allows, or for most of what the system has left."""
        given = memory if memory is not None else limits.current().memory
        return cls(given if given is not None else int(_LEFT.read() * _SHARE))

    def fits(self, needed: int) -> bool:
        """Take this many bytes in all, if they are allowed; return whether they are."""
        if needed > self.allowed:
            return False
        self.peak = max(self.peak, needed)
        return True

    def take(self, needed: int, work: str, instead: str = "") -> None:
        """Take this many bytes in all.

        Args:
            needed: the bytes.
            work: what needs them, such as ``verifying 5 positions``.
            instead: what else a reader can do than allow more memory, if anything.

        Raises:
            BudgetError: they are more than are allowed.
        """
        if not self.fits(needed):
            raise self.refusal(needed, work, instead)

    def refusal(self, needed: int, work: str, instead: str = "") -> BudgetError:
        """Return the error for work that needs more bytes than are allowed; see ``take``."""
        wanted, allowed = readable_pair(needed, max(self.allowed, 0))
        message = (
            f"{work} needs at least {wanted}, but only {allowed} may be used; "
            f"allow more memory{instead and ', or '}{instead}"
        )
        return BudgetError(message, needed, self.allowed)

    def capacity(self, count: int, held: int, each: int) -> int:
        """Return how many may wait at once while all of them are sorted in passes.

        Args:
            count: how many there are.
            held: bytes of what is held meanwhile.
            each: bytes of one that waits.

        Returns:
            How many; 0 where there is memory for so few that it is not worth it.
        """
        most = min(count, (self.allowed - held) // each)
        return most if most * _LEAST_SHARE >= count else 0


class _Left:
    """The bytes that the system has left, as they were read not long ago."""

    def __init__(self) -> None:
        self._reading = (-float("inf"), 0.0)

    def read(self) -> float:
        """Return them."""
        now = time.monotonic()
        at, left = self._reading
        if now - at > _FRESH:
            available = psutil.virtual_memory().available
            left = min(available, left_in_group(_GROUPS), left_in_addresses())
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


def left_in_addresses() -> float:
    """Return the bytes that this process may still map, infinitely many if it has no limit.

    Batch systems and ``ulimit -v`` set such a limit.
    """
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return float("inf")
    return max(0, most - psutil.Process().memory_info().vms)


def readable(count: int) -> str:
    """Return a number of bytes as people write it, such as ``1.4 GB``."""
    if count == 1:
        return "1 byte"
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB", "TB", "PB"):
        text = f"{size:.{_DIGITS}g}"
        if float(text) < 1000:  # decimal units
            return f"{text} {unit}"
        size /= 1000
    return f"{size:.{_DIGITS}g} EB"


def readable_pair(needed: int, allowed: int) -> tuple[str, str]:
    """Return two numbers of bytes as people write them, the larger one rounded up.

    So they differ, and who allows what the text says is needed allows enough.
    """
    numbers = ((needed, ROUND_CEILING), (allowed, ROUND_FLOOR))
    one, other = (int(Context(_DIGITS, rounding).create_decimal(n)) for n, rounding in numbers)
    return readable(one), readable(other)
