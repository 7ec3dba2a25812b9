"""Certifying a placement game's table: where it must have what, from the board alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.certify_tiers import BLOCK_WORDS, OWN, STRETCH_WORDS

if TYPE_CHECKING:
    from zermelo._engine.placement_board import Board
    from zermelo._engine.placement_table import Directory

#: Bytes of blocks that a thread unpacks together, twice.
_UNPACKED = 1 << 21


class Tiers(Protocol):
    """A table of a placement game.

    In memory it has ``stored``, ``kept`` and ``planes``; see ``PlacementTable``. What reads parts
    of it is that of a table in a file.
    """

    board: Board
    directory: Directory
    #: Values in a block.
    per_block: int

    def __len__(self) -> int:
        """Return how many positions there are."""

    @property
    def palette(self) -> npt.NDArray[Any]:
        """The values that occur, ascending."""

    def groups_between(self, begin: int, end: int) -> tuple[int, int, int, int]:
        """Return which groups have the words from one to another, and from where to where."""

    def write_words(self, begin: int, end: int, less: int, out: npt.NDArray[np.uint64]) -> None:
        """Write the words of groups, from one to another, so many places before their number."""

    def numbered(self, level: int) -> tuple[int, int, npt.NDArray[Any]]:
        """Return how many blocks of values a level has, their numbers' bits, and what they say."""

    def packed_values(self, level: int, begin: int, end: int) -> npt.NDArray[np.uint64]:
        """Return some of these blocks, numbers side by side."""


def has_remoteness(table: Tiers) -> bool:
    """Whether a table says by when a position is won."""
    if hasattr(table, "planes"):
        return not bool((table.planes.ply == codes.UNTIMED).any())
    return not bool((np.abs(table.palette) == codes.LAST - codes.UNTIMED).any())


class Plan:
    """Where a table must have what, from its board alone, and what holding it takes."""

    def __init__(self, board: Board, *, timed: bool) -> None:
        """Work it out.

        Args:
            board: the game.
            timed: whether the table has remoteness.
        """
        self.board = board
        self.timed = timed
        self.size = size = sum(board.heights)
        numbers = np.arange(np.prod([height + 1 for height in board.heights], dtype=np.int64))
        level_of = np.zeros(len(numbers), np.int64)
        rest = numbers
        for height in board.heights:
            level_of += rest % (height + 1)
            rest = rest // (height + 1)
        self.tiers = [np.flatnonzero(level_of == n) for n in range(size + 1)]
        self.slots = np.empty(len(numbers), np.int32)
        for some in self.tiers:
            self.slots[some] = np.arange(len(some))
        bits = [max(n - 1, 0) if board.marks == OWN else n for n in range(size + 1)]
        self.words = [max(1, 1 << b >> 6) for b in bits]
        self.blocks = [
            len(t) * max(1, w // BLOCK_WORDS) for t, w in zip(self.tiers, self.words, strict=True)
        ]
        self.stretches = [
            len(t) * max(1, w // STRETCH_WORDS) for t, w in zip(self.tiers, self.words, strict=True)
        ]
        self.planes = [self._planes(n, timed=timed) for n in range(size + 1)]
        self.row = [len(t) * w for t, w in zip(self.tiers, self.words, strict=True)]

    def _planes(self, level: int, *, timed: bool) -> list[tuple[int, int]]:
        """Return whose wins by which ply are told apart at a level."""
        board, size = self.board, self.size
        least = min((line.bit_count() for line in board.lines), default=size + 1)
        ends = set()
        for ply in range(1, size + 1):
            marks = (ply + 1) // 2 if board.marks == OWN else ply
            if marks >= least:
                ends.add((self.maker(ply), ply))
        if board.full >= 0:
            ends.add((board.full, size))
        if not timed:
            ends = {(who, max(p for w, p in ends if w == who)) for who, _ in ends}
        return sorted(end for end in ends if end[1] >= level)

    def maker(self, ply: int) -> int:
        """Return who has won by a line made at a ply: 1 for the first player."""
        made = ply % 2
        return 1 - made if self.board.line_loses else made

    def at_most(self) -> tuple[list[int], list[int]]:
        """Return the words that what goes on takes, of even and of odd levels, and the planes."""
        each = [row * max(1, len(p)) for row, p in zip(self.row, self.planes, strict=True)]
        return (
            [max(self.row[n::2], default=0) for n in (0, 1)],
            [max(each[n::2], default=0) for n in (0, 1)],
        )

    @property
    def needed(self) -> int:
        """Bytes that the levels take at the most, apart from what is read of them."""
        return 8 * sum(map(sum, self.at_most()))

    def read_of(self, directory: Directory, threads: int) -> int:
        """Return the bytes that a level takes at the most as it is read from a file."""
        at = directory.level_section
        words, positions = np.diff(directory.word[at]), np.diff(directory.place[at])
        planes = np.array(list(map(len, self.planes)))
        return int(8 * words.max() + (planes * positions // 8).max()) + _UNPACKED * threads

    def fits(self, directory: Directory) -> bool:
        """Whether a table's directory puts every tier where the board has it."""
        counted = zip(
            (directory.level_tier, directory.level_block, directory.level_section),
            (list(map(len, self.tiers)), self.blocks, self.stretches),
            strict=True,
        )
        return (
            all(np.array_equal(where, sums(counts)) for where, counts in counted)
            and np.array_equal(directory.tiers, np.concatenate(self.tiers))
            and np.array_equal(directory.slots, self.slots)
            and len(directory.present) == len(directory.first) == sum(self.blocks)
            and len(directory.rank) == sum(self.blocks)
            and len(directory.place) == len(directory.word) == sum(self.stretches) + 1
            and bool((np.diff(directory.place) >= 0).all())
            and bool((np.diff(directory.word) >= 0).all())
        )


def sums(counts: Any) -> npt.NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.asarray(counts, np.int64)))).astype(np.int64)
