"""What a search says of many positions at once, as a strategy is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from zermelo._engine.search.arrays import TestBatch
    from zermelo.proving.proof_search import ProofSearch
    from zermelo.proving.strategies.replies import Keys, Numbers

#: Positions that one of many tests may visit before it is done by itself; and where the search by
#: proof numbers knows more of it.
_EACH, _BESIDE = 1 << 14, 1 << 8


class Choices:
    """Good moves in positions, and whether positions are worth as much as is asked.

    Positions are packed, a row each, canonical and not terminal. Whose turn it is in each has no
    meaning where the players strictly alternate.
    """

    def __init__(self, inquiry: ProofSearch, *, far: bool) -> None:
        """Take what searches.

        Args:
            inquiry: what was searched.
            far: whether values tell how far away wins and losses are.
        """
        self._inquiry, self._far = inquiry, far

    def all_kept(self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers) -> Keys:
        """Return where moves lead by which the players to move get at least so much.

        Args:
            rows: the positions.
            turns: whose turn it is in each.
            least: what that player is to get.

        Returns:
            The packed positions, fewer where there is no such move in the next one.
        """
        from zermelo._engine.search.alpha_beta import CIRCLED, PASSED

        inquiry, far = self._inquiry, self._far
        many = _many(rows, turns, least, np.zeros_like(rows), _BESIDE if self._beside else _EACH)
        searcher = inquiry.short(far=far)
        if searcher is not None:
            searcher.test_many(many, beside=self._beside)
            if (many.found == CIRCLED).any():
                inquiry.expect_circles()
        for row in np.flatnonzero(many.found != PASSED):
            child = inquiry.kept(rows[row], int(turns[row]), int(least[row]), far=far)
            if child is None:
                return many.to[:row]
            many.to[row] = child
        return many.to

    def all_tested(
        self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers, *, each: int
    ) -> npt.NDArray[np.int8]:
        """Return of which positions it is quickly seen whether they are worth at least so much.

        Args:
            rows: the positions.
            turns: whose turn it is in each.
            least: what that player is to get.
            each: how many positions may be visited for each.

        Returns:
            For each, 1 if it is, -1 if it is not, 0 where that is not seen.
        """
        from zermelo._engine.search.alpha_beta import FAILED, PASSED

        seen = np.zeros(len(rows), np.int8)
        searcher = None if self._beside else self._inquiry.short(far=self._far)
        if searcher is not None and len(rows):
            many = _many(rows, turns, least, rows[:0], each)
            searcher.test_many(many, beside=self._beside)
            seen[many.found == PASSED], seen[many.found == FAILED] = 1, -1
        return seen

    @property
    def _beside(self) -> bool:
        """Whether another search knows more, and has the memory."""
        return self._inquiry.numbers is not None and not self._far


def _many(
    rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers, to: Keys, each: int
) -> TestBatch:
    """Return positions that are tested one after another, with room for what comes of it."""
    from zermelo._engine.search.arrays import TestBatch

    found = np.zeros(len(rows), np.uint8)
    return TestBatch(np.ascontiguousarray(rows), turns, least, to, found, each)
