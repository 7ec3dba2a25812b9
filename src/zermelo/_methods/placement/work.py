"""A placement game being solved: where its levels, tiers and blocks are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import UNTIMED
from zermelo._engine.core.memory import zeros
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.index import Directory, Fields, PlacementTable, Planes
from zermelo._methods.placement.tiers import BLOCK, IN_BLOCK, OWN, SECTION

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: Bytes of a block and of a section in the directory, and of a tier.
_BLOCK_BYTES, _SECTION_BYTES, _TIER_BYTES = 16, 40, 12
#: A level of fewer blocks is not worth another thread.
_WORTH_SHARING = 64


class Work:
    """One solve under way, in memory or on disk."""

    on_disk: bool
    #: The words of reachable patterns, their values, and the planes of two levels.
    stored: npt.NDArray[np.uint64]
    values: npt.NDArray[np.uint64]
    live: list[npt.NDArray[np.uint64]]

    def __init__(
        self,
        board: PlacementBoard,
        allowed: int,
        threads: int,
        report: Reporter,
        *,
        timed: bool,
    ) -> None:
        self.board = board
        self.allowed = allowed
        self.threads = threads
        self.report = report
        self.timed = timed
        self.planes = board.planes(remoteness=timed)
        self.size = board.size
        self.shape = board.shape()
        counts = board.by_level()
        self.bits = [max(n - 1, 0) if board.marks == OWN else n for n in range(self.size + 1)]
        blocks = [1 << max(0, bits - IN_BLOCK) for bits in self.bits]
        self.level_bytes = [8 * BLOCK * c * b for c, b in zip(counts, blocks, strict=True)]
        self.sections = [c * max(1, b // SECTION) for c, b in zip(counts, blocks, strict=True)]
        self.level_tier = sums(counts)
        self.level_block = sums([c * b for c, b in zip(counts, blocks, strict=True)])
        self.level_section = sums(self.sections)
        self.fixed = (
            _BLOCK_BYTES * int(self.level_block[-1])
            + _SECTION_BYTES * int(self.level_section[-1])
            + _TIER_BYTES * board.tiers
        )
        self.peak = 0
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-placement")

    def direct(self) -> None:
        """Make the directory: where everything will be."""
        levels = levels_of(self.board)
        self.tiers = np.argsort(levels, kind="stable")
        self.slots = np.empty(self.board.tiers, np.int32)
        for n in range(self.size + 1):
            ids = self.tiers[self.level_tier[n] : self.level_tier[n + 1]]
            self.slots[ids] = np.arange(len(ids), dtype=np.int32)
        self.present = zeros(int(self.level_block[-1]), np.uint64)
        self.first = zeros(int(self.level_block[-1]), np.uint32)
        self.rank = zeros(int(self.level_block[-1]), np.uint32)
        self.in_section = np.zeros(int(self.level_section[-1]), np.int64)
        self.words = np.zeros(int(self.level_section[-1]) + 1, np.int64)
        self.places = np.zeros(int(self.level_section[-1]) + 1, np.int64)

    def number(self) -> None:
        """Give what can be reached its places, and say where its values will be."""
        counts = self.places[1:].copy()
        np.cumsum(counts, out=self.places[1:])
        groups = (counts + 63) // 64
        each = np.repeat([len(p) for p in self.planes], self.sections)
        self.value = sums(groups * each)

    def counts(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Return how many positions some sections have."""
        numbered = hasattr(self, "value")
        return (
            np.diff(self.places[begin : end + 1]) if numbered else self.places[begin + 1 : end + 1]
        )

    def tiers_of(self, level: int) -> npt.NDArray[np.int64]:
        """Return the tiers of a level."""
        return self.tiers[self.level_tier[level] : self.level_tier[level + 1]]

    def patterns_of(self, levels: Iterable[int]) -> int:
        """Return how many patterns some levels have."""
        return sum(int(self.level_tier[n + 1] - self.level_tier[n]) << n for n in levels)

    def how(self) -> str:
        """Return what to say of where it was done."""
        return ""

    def plane_arrays(self, level: int) -> tuple[npt.NDArray[Any], ...]:
        """Return whose each plane of a level is, what it follows from, and it on a full board."""
        after = self.planes[level + 1] if level < self.size else []
        here = self.planes[level]
        return (
            np.array([p[0] for p in here], np.int64),
            np.array([after.index(p) if p in after else -1 for p in here], np.int64),
            np.array([p == (self.board.full, self.size) for p in here], np.uint8),
        )

    def table(self, fields: Fields) -> PlacementTable:
        """Return the solved positions."""
        directory = Directory(
            self.tiers,
            self.slots,
            self.level_tier,
            self.level_block,
            self.level_section,
            self.present,
            self.first,
            self.rank,
            self.places,
            self.words,
            self.value,
        )
        flat = [p for planes in self.planes for p in planes]
        said = Planes(
            sums([len(p) for p in self.planes]),
            np.array([p[0] for p in flat], np.int64),
            np.array([p[1] if self.timed else UNTIMED for p in flat], np.int64),
        )
        table = PlacementTable(fields, self.shape, directory, self.stored, said, self.values)
        table.board = self.board
        return table

    def share(self, sections: int, blocks: int, job: Callable[[int, int], None]) -> None:
        """Run a job over sections of this many blocks, on several threads where it is large."""
        if self.threads == 1 or blocks < _WORTH_SHARING or sections == 1:
            step = max(1, sections // 16) if blocks > _WORTH_SHARING**2 else sections
            for low in range(0, sections, step):
                job(low, min(low + step, sections))
            return
        step = -(-sections // (8 * self.threads))
        parts = range(0, sections, step)
        futures = [self.pool.submit(job, low, min(low + step, sections)) for low in parts]
        for future in futures:
            future.result()


def levels_of(board: PlacementBoard) -> npt.NDArray[np.int16]:
    """Return how many cells are occupied in each tier."""
    levels = np.zeros(1, np.int16)
    for height in board.heights:
        levels = (np.arange(height + 1, dtype=np.int16)[:, None] + levels[None, :]).reshape(-1)
    return levels


def sums(counts: Any) -> npt.NDArray[np.int64]:
    """Return where each of some things begins, one after the other, and where the last ends."""
    return np.concatenate(([0], np.cumsum(np.asarray(counts, np.int64)))).astype(np.int64)
