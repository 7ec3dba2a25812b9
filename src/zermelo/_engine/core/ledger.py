"""The memory ledger: the budget of a task, its peak use, and the error when it is exceeded."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from pathlib import Path

from zermelo import limits
from zermelo.errors import BudgetError

#: Share of the system's free memory that a task may use by default.
_SHARE = 0.85
#: Seconds for which a reading of the free memory is reused. In so short a time a process can touch
#: much less memory than the share that is left free; a reading takes longer than solving a small
#: game.
_FRESH = 0.02
_GROUPS = Path("/sys/fs/cgroup")

#: Significant digits of a number of bytes.
_DIGITS = 3

#: The most passes over items that are sorted by parts.
_LEAST_SHARE = 16


@dataclass
class Ledger:
    """The memory that one task may use, and the most that it used.

    Each solve, check, save, export or analysis opens a ledger, and its parts consult the ledger
    before they allocate arrays.

    Attributes:
        allowed: the budget in bytes.
        peak: the most bytes used so far, by the estimates of the parts.
    """

    allowed: int
    peak: int = 0

    @classmethod
    def for_budget(cls, memory: int | None) -> Ledger:
        """Create a ledger for the caller's budget, or for most of the system's free memory."""
        given = memory if memory is not None else limits.current().memory
        return cls(given if given is not None else int(_LEFT.read() * _SHARE))

    def fits(self, needed: int) -> bool:
        """Record a total use of ``needed`` bytes, if allowed; return whether it is."""
        if needed > self.allowed:
            return False
        self.peak = max(self.peak, needed)
        return True

    def reserve(self, needed: int, work: str, instead: str = "") -> None:
        """Record a total use of ``needed`` bytes.

        Args:
            needed: the bytes.
            work: the work that needs them, such as ``verifying 5 positions``.
            instead: an alternative to allowing more memory, or empty.

        Raises:
            BudgetError: the budget is smaller.
        """
        if not self.fits(needed):
            raise self.refusal(needed, work, instead)

    def refusal(self, needed: int, work: str, instead: str = "") -> BudgetError:
        """Return the error for work that exceeds the budget; arguments as for ``reserve``."""
        wanted, allowed = readable_pair(needed, max(self.allowed, 0))
        message = (
            f"{work} needs at least {wanted}, but only {allowed} may be used; "
            f"allow more memory{instead and ', or '}{instead}"
        )
        return BudgetError(message, needed, self.allowed)

    def capacity(self, count: int, held: int, each: int) -> int:
        """Return how many items may wait in memory at a time while all are sorted in passes.

        Args:
            count: the number of items.
            held: bytes of other data in memory at that time.
            each: bytes of a waiting item.

        Returns:
            The capacity; 0 if memory is so short that too many passes would be needed.
        """
        most = min(count, (self.allowed - held) // each)
        return most if most * _LEAST_SHARE >= count else 0


class _Left:
    """A cached reading of the bytes of memory that the system has left."""

    def __init__(self) -> None:
        self._reading = (-float("inf"), 0.0)

    def read(self) -> float:
        """Return the bytes left, from a recent reading if there is one."""
        import psutil

        now = time.monotonic()
        at, left = self._reading
        if now - at > _FRESH:
            available = psutil.virtual_memory().available
            left = min(available, left_in_group(_GROUPS), left_in_addresses())
            self._reading = (now, left)
        return left


_LEFT = _Left()


def left_in_group(root: Path) -> float:
    """Return the bytes left to this process's container, or infinity without a limit.

    Args:
        root: the folder of Linux's control groups, as seen in a container.
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
    """Return the bytes of addresses left to this process, or infinity without a limit.

    Batch systems and ``ulimit -v`` set such a limit.
    """
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return float("inf")
    import psutil

    return max(0, most - psutil.Process().memory_info().vms)


def readable(count: int) -> str:
    """Return a number of bytes as text, such as ``1.4 GB``."""
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
    """Return two numbers of bytes as text, the needed one rounded up, the allowed one down.

    So the two texts differ, and a budget of the needed text is sufficient.
    """
    numbers = ((needed, ROUND_CEILING), (allowed, ROUND_FLOOR))
    one, other = (int(Context(_DIGITS, rounding).create_decimal(n)) for n, rounding in numbers)
    return readable(one), readable(other)
