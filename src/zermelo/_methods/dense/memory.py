"""The memory of a solve of a dense space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.transpose import place_type
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.expand.graph_memory import SMALLER, describe_found
from zermelo._engine.index.directory import entries_for
from zermelo._engine.index.ranks import Ranking
from zermelo._methods.dense.discovery import search_bytes
from zermelo._methods.dense.workspace import DenseWorkspace, SpaceRules

#: Bytes of a move.
EDGE = 4


@dataclass
class DenseMemory:
    """The memory that a solve needs.

    Attributes:
        ledger: the memory that may be allocated.
        fixed: bytes of the directory and of the threads' buffers.
        position: bytes per position while its moves are being found.
        slot: bytes of a slot.
        turn: bytes of the player to move, per position.
        threads: threads that store moves.
    """

    ledger: Ledger
    fixed: int
    position: int
    slot: int
    turn: int
    threads: int

    @classmethod
    def estimate(
        cls,
        expand: SpaceRules,
        ranking: Ranking,
        ledger: Ledger,
        threads: int,
        *,
        legal: bool = False,
    ) -> DenseMemory:
        """Estimate the memory that every solve of this space needs."""
        fixed = 8 * entries_for(ranking.slots)
        fixed += threads * DenseWorkspace.initial_bytes(expand.words, ranking.slots)
        fixed += threads * search_bytes(expand.words) if legal else 0
        slot = 4 if ranking.slots <= 1 << 32 else 8
        turn = 0 if expand.alternate else 1
        return cls(ledger, fixed, slot + 4 + turn, slot, turn, threads)

    def reserve(self, needed: int, positions: int) -> None:
        """Reserve ``needed`` bytes for the positions found so far.

        Raises:
            BudgetError: they exceed the budget.
        """
        self.ledger.reserve(needed, describe_found(positions), SMALLER)

    @property
    def allowed(self) -> int:
        """The number of bytes that may be allocated."""
        return self.ledger.allowed

    def exploring_bytes(self, workspaces: Sequence[DenseWorkspace]) -> int:
        """Return the bytes that positions and moves take while they are found."""
        known = sum(workspace.known for workspace in workspaces)
        return self.fixed + self.position * known + EDGE * stored_moves(workspaces)

    def plan(
        self, workspaces: Sequence[DenseWorkspace], positions: int, sources: int | None = None
    ) -> TransposingPlan:
        """Plan a solve along transposed moves.

        Args:
            workspaces: the moves.
            positions: the number of positions.
            sources: the number of positions whose moves these are, if not all.
        """
        moves = stored_moves(workspaces)
        solving = self.fixed + positions * (1 + self.turn) + EDGE * moves
        solving += place_type(moves)(0).itemsize * (positions + 1)
        spreading = solving + Spreading.needed_bytes(positions) + 2 * positions
        names = self.slot - 4  # if slots take more bytes than numbers
        held = solving + (positions if sources is None else sources) * (self.position + names)
        needed = max(held + EDGE * moves, spreading)
        if needed > self.allowed:  # only the moves of a bucket for each thread are there twice
            counts = np.sum([workspace.buckets.counts for workspace in workspaces], axis=0)
            twice = min(self.threads * int(counts.max()), moves)
            needed = max(held + EDGE * twice, spreading)
        return TransposingPlan(needed <= self.allowed, needed, spreading)


def stored_moves(workspaces: Sequence[DenseWorkspace]) -> int:
    """Return the number of moves that workspaces store."""
    return sum(workspace.moves for workspace in workspaces)


class TransposingPlan(NamedTuple):
    """The memory of a solve along transposed moves.

    Attributes:
        fits: whether it is available.
        needed: the bytes of the solve.
        spreading: the bytes while values spread.
    """

    fits: bool
    needed: int
    spreading: int
