"""The status of each position of a dense space during a solve, in one byte if that is enough.

The byte is the number of moves that do not lose yet, or the position's code. For a remoteness above
62, or more than 63 moves, the status has two bytes, and then four.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.status import StatusArray
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.column.codes import NARROW, WIDE, Scale
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import run_in_threads
from zermelo._methods.dense.kernels import write_status
from zermelo._methods.dense.workspace import DenseWorkspace

#: The codes of one byte: remoteness up to 62.
TINY = Scale((1 << 7) - 1, 1 << 6, np.int8)
SCALES = (TINY, NARROW, WIDE)


class DenseStatus(StatusArray):
    """The status array of all positions, with 8 bits each while that is enough."""

    def __init__(self, state: npt.NDArray[Any], scale: Scale, check: Callable[[int], None]) -> None:
        """Store the array and its scale.

        Args:
            state: the status array.
            scale: the scale of its codes.
            check: raises BudgetError if the given number of additional bytes exceeds the budget.
        """
        self.state = state
        self.scale = scale
        self.decided = self.tied = 0
        self.beside = {}
        self._check = check

    def widen(self) -> None:
        """Convert the array to the next width."""
        scale = SCALES[SCALES.index(self.scale) + 1]
        self._check(len(self.state) * np.dtype(scale.dtype).itemsize)
        values = zeros(len(self.state), scale.dtype)
        self.write(values, scale, finished=False)
        self.scale, self.state = scale, values

    def code_for(self, tie: int, level: int) -> int:
        """Return the code of a win, or a tie, of a remoteness; widen the array if necessary."""
        while not (code := code_of(self.scale, tie, level)):
            self.widen()
        return code


def create_status(
    directory: npt.NDArray[np.uint64],
    workspaces: list[DenseWorkspace],
    positions: int,
    pool: ThreadPoolExecutor,
    check: Callable[[int], None],
) -> tuple[DenseStatus, npt.NDArray[np.uint8], list[npt.NDArray[np.uint32]]]:
    """Create the status array from what discovery has stored.

    Returns:
        The status array, the player to move in each position, and the numbers of the sources.
    """
    scale = scale_for(max(workspace.most for workspace in workspaces))
    marks = DenseStatus(zeros(positions, scale.dtype), scale, check)
    expand = workspaces[0].expand
    marks.ties, alternate = tie_preference(expand.kind.favours), expand.alternate
    owners: npt.NDArray[np.uint8] = zeros(0 if alternate else positions, np.uint8)
    names: list[npt.NDArray[np.uint32]] = []
    jobs = []
    for workspace in workspaces:
        sources: Any = workspace.sources.array
        named = sources if sources.dtype == np.uint32 else zeros(workspace.known, np.uint32)
        names.append(named)
        arrays = (
            directory,
            sources,
            workspace.notes.array,
            workspace.turns.array,
            workspace.known,
            named,
        )
        jobs.append((write_status, *arrays, marks.state, owners, scale.last, scale.ties))
    ended = run_in_threads(pool, len(workspaces), jobs)
    marks.decided = sum(int(decided) for decided, _ in ended)
    marks.tied = sum(int(tied) for _, tied in ended)
    return marks, owners, names


def code_of(scale: Scale, tie: int, level: int) -> int:
    """Return the code of a win, or a tie, of this remoteness; 0 if the scale has none."""
    best, least = (scale.ties, 1) if tie else (scale.last, scale.ties + 1)
    return best - level if best - level >= least else 0


def scale_for(moves: int) -> Scale:
    """Return the narrowest scale on which this many moves can be counted."""
    return next(scale for scale in SCALES if moves < scale.ties)
