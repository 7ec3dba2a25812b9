"""The plan of a certificate: the layout that a table must have, computed from the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from zermelo import limits
from zermelo._methods.placement.certificate.tiers import BLOCK_WORDS, OWN, STRETCH_WORDS
from zermelo._methods.placement.layout import sums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo._methods.placement.board import PlacementBoard
    from zermelo._methods.placement.index import Directory

#: Blocks that are checked in one batch, at most and at least; the least blocks of a thread's part
#: of a level; and the parts of a level per thread.
_MOST_BLOCKS, _LEAST_BLOCKS, _LEAST_SHARED_BLOCKS, _SHARES = 1 << 12, 1 << 6, 1 << 6, 1 << 3
#: Blocks of the file in which the words of a part begin and end.
_ROUND = 1 << 6
#: Bytes that the system maps of a file around the bytes that are read.
_MAPPED_MARGIN = 1 << 16
#: Bytes of a thread's other buffers for reading a part.
_READING = 1 << 20


@dataclass(frozen=True)
class LevelPart:
    """Stretches of a level: some of one tier, or those of consecutive whole tiers.

    Attributes:
        slot: the index of the first of these tiers in the level.
        tiers: the number of tiers.
        begin: the first stretch, counted from the first of these tiers.
        end: the stretch after the last.
    """

    slot: int
    tiers: int
    begin: int
    end: int


class CertificatePlan:
    """The layout that a table must have, from its board alone, and the memory of a check."""

    def __init__(self, board: PlacementBoard, *, timed: bool) -> None:
        """Compute the layout.

        Args:
            board: the game.
            timed: whether the table has remoteness.
        """
        self.board = board
        self.timed = timed
        self.size = size = sum(board.heights)
        numbers = np.arange(np.prod([height + 1 for height in board.heights], dtype=np.int64))
        level_of = np.zeros(len(numbers), np.int64)
        quotients = numbers
        for height in board.heights:
            level_of += quotients % (height + 1)
            quotients = quotients // (height + 1)
        self.tiers = [np.flatnonzero(level_of == n) for n in range(size + 1)]
        self.slots = np.empty(len(numbers), np.int32)
        for level_tiers in self.tiers:
            self.slots[level_tiers] = np.arange(len(level_tiers))
        bits = [max(n - 1, 0) if board.marks == OWN else n for n in range(size + 1)]
        self.words = [max(1, 1 << b >> 6) for b in bits]
        self.blocks = [
            len(t) * max(1, w // BLOCK_WORDS) for t, w in zip(self.tiers, self.words, strict=True)
        ]
        self.stretches = [
            len(t) * max(1, w // STRETCH_WORDS) for t, w in zip(self.tiers, self.words, strict=True)
        ]
        self.in_tier = [s // len(t) for t, s in zip(self.tiers, self.stretches, strict=True)]
        self.planes = [self._planes(n, timed=timed) for n in range(size + 1)]
        self.row = [len(t) * w for t, w in zip(self.tiers, self.words, strict=True)]

    def _planes(self, level: int, *, timed: bool) -> list[tuple[int, int]]:
        """Return the (winner, ply) pairs that a level distinguishes."""
        board, size = self.board, self.size
        ends = set()
        for ply in range(1, size + 1):
            marks = (ply + 1) // 2 if board.marks == OWN else ply
            shortest = min(
                (line.bit_count() for line in board.lines[1 - ply % 2]), default=size + 1
            )
            if marks >= shortest:
                ends.add((self.line_winner(ply), ply))
        if board.full >= 0:
            ends.add((board.full, size))
        if not timed:
            ends = {
                (winner, max(end_ply for end_winner, end_ply in ends if end_winner == winner))
                for winner, _ in ends
            }
        return sorted(end for end in ends if end[1] >= level)

    def line_winner(self, ply: int) -> int:
        """Return the winner by a line made at a ply: 1 for the first player."""
        return self.board.winners[ply % 2]

    def most_words(self) -> tuple[list[int], list[int]]:
        """Return the most words of undecided positions on even and odd levels, and of planes."""
        plane_words = [row * max(1, len(p)) for row, p in zip(self.row, self.planes, strict=True)]
        return (
            [max(self.row[n::2], default=0) for n in (0, 1)],
            [max(plane_words[n::2], default=0) for n in (0, 1)],
        )

    @property
    def needed_bytes(self) -> int:
        """The most bytes that levels take, without the buffers for reading."""
        return limits.current().held(8 * sum(map(sum, self.most_words())))

    def fits(self, directory: Directory) -> bool:
        """Return whether a table's directory has every tier where the board requires it."""
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


class LevelParts:
    """The parts into which the levels of a plan are cut.

    Attributes:
        plan: the plan.
        together: by level: the number of stretches of a part.
    """

    def __init__(self, plan: CertificatePlan, blocks: int, threads: int) -> None:
        """Choose parts of at most ``blocks`` blocks, and smaller ones if threads share them."""
        self.plan = plan
        self.together = []
        for all_blocks, stretches in zip(plan.blocks, plan.stretches, strict=True):
            shared = max(all_blocks // (_SHARES * threads), _LEAST_SHARED_BLOCKS)
            most = min(blocks, shared if threads > 1 else blocks)
            self.together.append(max(1, most * stretches // all_blocks))

    @classmethod
    def sizes(cls, plan: CertificatePlan, threads: int) -> Iterator[Self]:
        """Yield ways to cut levels into parts, from the largest parts on."""
        blocks, least = limits.current().batch(_MOST_BLOCKS), limits.current().batch(_LEAST_BLOCKS)
        while blocks >= least:
            yield cls(plan, blocks, threads)
            blocks //= 4

    def whole_level(self, level: int) -> list[LevelPart]:
        """Return all stretches of a level as parts."""
        most, in_tier = self.together[level], self.plan.in_tier[level]
        end = len(self.plan.tiers[level])
        if in_tier > most:
            cuts = [(low, min(low + most, in_tier)) for low in range(0, in_tier, most)]
            return [LevelPart(slot, 1, *cut) for slot in range(end) for cut in cuts]
        step = most // in_tier
        counts = [(slot, min(step, end - slot)) for slot in range(0, end, step)]
        return [LevelPart(slot, count, 0, count * in_tier) for slot, count in counts]

    def read_words(self, directory: Directory, per_block: int) -> tuple[int, int]:
        """Return the most words that a part is read from, and the most words of its values.

        Args:
            directory: the table's directory.
            per_block: values per block.
        """
        plan, words, values = self.plan, 0, 0
        for n, planes in enumerate(plan.planes):
            first, end = directory.level_section[n : n + 2].tolist()
            place = directory.place[first : end + 1]
            most = min(self.together[n], end - first)
            most_positions = int((place[most:] - place[:-most]).max())
            blocks = most * plan.blocks[n] // plan.stretches[n]
            words = max(words, blocks * min(plan.words[n], BLOCK_WORDS))
            values = max(values, ((most_positions + 2 * per_block) // 64 + 1) * len(planes))
        return words + _ROUND * BLOCK_WORDS, values

    def reading_bytes(self, table: Any) -> int:
        """Return the bytes that a thread takes to read a table, 0 if it is in memory."""
        if table.file is None:
            return 0
        return 8 * sum(self.read_words(table.index.directory, table.column.per_block)) + _READING

    @property
    def mapped_bytes(self) -> int:
        """The mapped bytes of a part's rows and of their neighbours, if levels are in files."""
        plan, most, links = self.plan, 0, len(self.plan.board.heights)

        def rows(level: int, planes: int, words: int, tiers: int) -> int:
            """Return the bytes that are mapped for some words of each of some tiers."""
            row = plan.words[level]
            tier_bytes = min(
                planes * (8 * min(words, row) + _MAPPED_MARGIN), 8 * planes * row + _MAPPED_MARGIN
            )
            return min(tiers * tier_bytes, 8 * planes * plan.row[level] + _MAPPED_MARGIN)

        for n, stretches in enumerate(self.together):
            tiers = max(1, stretches // plan.in_tier[n])
            words = plan.words[n] * min(stretches, plan.in_tier[n]) // plan.in_tier[n]
            part_bytes = rows(n, 1, words, tiers) + rows(n, len(plan.planes[n]), words, tiers)
            if n:
                part_bytes += rows(n - 1, 1, words, links * tiers)
            if n < plan.size:
                part_bytes += rows(n + 1, len(plan.planes[n + 1]), 2 * words, links * tiers)
            most = max(most, part_bytes)
        return min(most, plan.needed_bytes + _MAPPED_MARGIN)
