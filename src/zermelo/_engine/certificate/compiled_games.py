"""The certificate of values of partizan games by compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.partizan_kernels import (
    CHECKING,
    NEGATING,
    READING,
    check,
    is_ordered,
)
from zermelo._engine.core.array_types import Int64Array
from zermelo._engine.partizan.form_arrays import (
    FULL,
    MOVES,
    NEEDED,
    STATUS,
    empty_forms,
    enlarged,
)

#: The times in a row that arrays may grow for one position. Each doubles one array.
_PATIENCE = 64


class CompiledGames:
    """Games compared by definition, by compiled code; see ``partizan_kernels``."""

    def __init__(self, sections: Mapping[str, npt.NDArray[Any]]) -> None:
        """Store the forms of a table.

        Args:
            sections: the forms as arrays; see ``CanonicalForms.arrays``.
        """
        self._forms = tuple(
            np.ascontiguousarray(sections[f"{side}_{part}"], np.int64)
            for side in ("left", "right")
            for part in ("starts", "options")
        )
        self._games = empty_forms(1 << 12)
        self._left = np.zeros(256, np.int64)
        self._right = np.zeros(256, np.int64)

    def are_values(
        self,
        first: Int64Array,
        children: Int64Array,
        is_last: npt.NDArray[np.bool_],
        passed: Int64Array,
        starts: Int64Array,
        codes: Int64Array,
    ) -> bool:
        """Return whether all values are right, and the positions those that the starts lead to.

        Args:
            first: the beginning of each position's moves in ``children``, and the end of the last.
            children: the positions after them; if positions are split, all components.
            is_last: whether each is the last component of a move; empty if positions are not split.
            passed: the positions with the turn passed; passing it twice changes nothing.
            starts: the starts.
            codes: the form of each position.
        """
        count, forms = len(passed), len(self._forms[0]) - 1
        space = np.empty(count, np.int64), np.zeros(count, np.int64)
        if not is_ordered(first, children, passed, starts, *space):
            return False
        if not self._has_sound_lists() or ((codes < 0) | (codes >= forms)).any():
            return False
        lists = first, children, is_last, passed
        return (
            self._run(READING, lists, codes, 1, forms)
            and self._run(NEGATING, lists, codes, 0, forms)
            and self._run(CHECKING, lists, codes, 0, count)
        )

    def _has_sound_lists(self) -> bool:
        """Return whether the arrays are lists of options, as many for each player, zero first."""
        left_starts, left, right_starts, right = self._forms
        return len(left_starts) == len(right_starts) > 1 and all(
            starts[0] == starts[1] == 0
            and starts[-1] == len(options)
            and bool((np.diff(starts) >= 0).all())
            for starts, options in ((left_starts, left), (right_starts, right))
        )

    def _run(self, stage: int, lists: Any, codes: Int64Array, begin: int, end: int) -> bool:
        """Return whether no form or position fails."""
        tries = 0
        while begin < end:
            stopped = check(
                self._games, stage, self._forms, lists, codes, self._left, self._right, begin, end
            )
            counts = self._games.counts
            if counts[STATUS] == 0:
                return True
            tries = tries + 1 if stopped == begin else 0
            begin = stopped
            if counts[STATUS] != FULL or tries >= _PATIENCE:
                return False
            if counts[NEEDED] == MOVES:
                size = 2 * len(self._left)
                self._left, self._right = np.zeros(size, np.int64), np.zeros(size, np.int64)
            else:
                self._games = enlarged(self._games)
        return True
