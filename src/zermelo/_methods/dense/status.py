"""The status of each position of a dense space before the first round."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.status import StatusArray, scale_for
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import run_in_threads
from zermelo._methods.dense.kernels import write_status
from zermelo._methods.dense.workspace import DenseWorkspace


def create_status(
    directory: npt.NDArray[np.uint64],
    workspaces: list[DenseWorkspace],
    positions: int,
    pool: ThreadPoolExecutor,
    check: Callable[[int], None],
) -> tuple[StatusArray, npt.NDArray[np.uint8], list[npt.NDArray[np.uint32]]]:
    """Create the status array from what discovery has stored.

    Returns:
        The status array, the player to move in each position, and the numbers of the sources.
    """
    expand = workspaces[0].expand
    scale = scale_for(max(workspace.most for workspace in workspaces))
    state, ties = zeros(positions, scale.dtype), tie_preference(expand.kind.favours)
    marks = StatusArray.within(state, scale, check, ties)
    owners: npt.NDArray[np.uint8] = zeros(0 if expand.alternate else positions, np.uint8)
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
