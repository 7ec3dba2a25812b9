"""Tests of batches of positions, for building a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from zermelo._engine.search.arrays import TestBatch
    from zermelo.proving.proof_search import ProofSearch
    from zermelo.proving.strategies.replies import Keys, Numbers

#: The node limit of a test in a batch, before the position is tested separately; and the limit if
#: proof-number search has better tables.
_EACH, _BESIDE = 1 << 14, 1 << 8


class Choices:
    """Good moves in positions, and tests of lower bounds.

    Positions are packed, a row each, canonical and not terminal. The player to move in each is
    arbitrary if the players strictly alternate.
    """

    def __init__(self, search: ProofSearch, *, far: bool) -> None:
        """Store the search.

        Args:
            search: the search.
            far: whether values include the distance to a win or a loss.
        """
        self._search, self._far = search, far

    def securing_children(self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers) -> Keys:
        """Return a child that secures ``least`` for each row.

        Args:
            rows: the positions.
            turns: the player to move in each.
            least: the value that this player must get.

        Returns:
            The packed children, up to the first position without such a move.
        """
        from zermelo._engine.search.alpha_beta import CIRCLED, PASSED

        search, far = self._search, self._far
        many = _test_batch(
            rows, turns, least, np.zeros_like(rows), _BESIDE if self._has_second_search else _EACH
        )
        searcher = search.batch_searcher(far=far)
        if searcher is not None:
            searcher.test_batch(many, beside=self._has_second_search)
            if (many.found == CIRCLED).any():
                search.expect_cycles()
        for row in np.flatnonzero(many.found != PASSED):
            child = search.securing_child(rows[row], int(turns[row]), int(least[row]), far=far)
            if child is None:
                return many.to[:row]
            many.to[row] = child
        return many.to

    def test_bounds(
        self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers, *, each: int
    ) -> npt.NDArray[np.int8]:
        """Test whether each position's value is at least ``least``, with ``each`` nodes at most.

        Args:
            rows: the positions.
            turns: the player to move in each.
            least: the bound for this player.
            each: the node limit of each test.

        Returns:
            For each, 1 if it is, -1 if it is not, 0 if the limit was met.
        """
        from zermelo._engine.search.alpha_beta import FAILED, PASSED

        seen = np.zeros(len(rows), np.int8)
        searcher = None if self._has_second_search else self._search.batch_searcher(far=self._far)
        if searcher is not None and len(rows):
            many = _test_batch(rows, turns, least, rows[:0], each)
            searcher.test_batch(many, beside=self._has_second_search)
            seen[many.found == PASSED], seen[many.found == FAILED] = 1, -1
        return seen

    @property
    def _has_second_search(self) -> bool:
        """Whether another search has better tables, and the memory."""
        return self._search.numbers is not None and not self._far


def _test_batch(
    rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers, to: Keys, each: int
) -> TestBatch:
    """Return a batch of tests of positions."""
    from zermelo._engine.search.arrays import TestBatch

    found = np.zeros(len(rows), np.uint8)
    return TestBatch(np.ascontiguousarray(rows), turns, least, to, found, each)
