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
_TEST_NODES, _SHORT_TEST_NODES = 1 << 14, 1 << 8


class MoveChooser:
    """Good moves in positions, and tests of lower bounds.

    Positions are packed, a row each, canonical and not terminal. The player to move in each is
    arbitrary if the players strictly alternate.
    """

    def __init__(self, search: ProofSearch, *, with_distance: bool) -> None:
        """Store the search.

        Args:
            search: the search.
            with_distance: whether values include the distance to a win or a loss.
        """
        self._search, self._with_distance = search, with_distance

    def securing_children(self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers) -> Keys:
        """Return a child that secures ``least`` for each row.

        Args:
            rows: the positions.
            turns: the player to move in each.
            least: the value that this player must get.

        Returns:
            The packed children, up to the first position without such a move.
        """
        from zermelo._engine.search.alpha_beta import CYCLIC, PASSED

        search, with_distance = self._search, self._with_distance
        batch = _test_batch(
            rows,
            turns,
            least,
            np.zeros_like(rows),
            _SHORT_TEST_NODES if self._has_second_search else _TEST_NODES,
        )
        searcher = search.batch_searcher(with_distance=with_distance)
        if searcher is not None:
            searcher.test_batch(batch, table_is_fixed=self._has_second_search)
            if (batch.results == CYCLIC).any():
                search.expect_cycles()
        for row in np.flatnonzero(batch.results != PASSED):
            child = search.securing_child(
                rows[row], int(turns[row]), int(least[row]), with_distance=with_distance
            )
            if child is None:
                return batch.children[:row]
            batch.children[row] = child
        return batch.children

    def test_bounds(
        self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers, *, node_limit: int
    ) -> npt.NDArray[np.int8]:
        """Test whether the value of each position is at least ``least``.

        Args:
            rows: the positions.
            turns: the player to move in each.
            least: the bound for this player.
            node_limit: the node limit of each test.

        Returns:
            For each, 1 if it is, -1 if it is not, 0 if the limit was met.
        """
        from zermelo._engine.search.alpha_beta import FAILED, PASSED

        verdicts = np.zeros(len(rows), np.int8)
        searcher = (
            None
            if self._has_second_search
            else self._search.batch_searcher(with_distance=self._with_distance)
        )
        if searcher is not None and len(rows):
            batch = _test_batch(rows, turns, least, rows[:0], node_limit)
            searcher.test_batch(batch, table_is_fixed=self._has_second_search)
            verdicts[batch.results == PASSED], verdicts[batch.results == FAILED] = 1, -1
        return verdicts

    @property
    def _has_second_search(self) -> bool:
        """Whether another search has better tables, and the memory."""
        return self._search.numbers is not None and not self._with_distance


def _test_batch(
    rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers, children: Keys, node_limit: int
) -> TestBatch:
    """Return a batch of tests of positions."""
    from zermelo._engine.search.arrays import TestBatch

    results = np.zeros(len(rows), np.uint8)
    return TestBatch(np.ascontiguousarray(rows), turns, least, children, results, node_limit)
