"""The positions and the values of a dense space, kept on disk and found again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.checkpoint import text, words
from zermelo._engine.core.memory import zeros
from zermelo._methods.dense.marks import SCALES, DenseMarks

if TYPE_CHECKING:
    from zermelo._engine.column.codes import Scale
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._methods.dense.discovery import Found

#: The stages: positions whose moves had no room, what is decided of them by some round or by some
#: tier, and everything. With more memory than before, or less, what was rounds may become tiers:
#: they restart then, as each would take the other's numbers for its own.
FOUND, ROUNDS, TIERS, SOLVED = "found", "rounds", "tiers", "solved"

Slots = npt.NDArray[np.int64]
Turns = npt.NDArray[np.uint8]


def keep_found(stages: Checkpoint, found: Found, first: Slots) -> None:
    """Keep the positions that were found, if that is worth it; ``first`` are the starts' slots."""
    said = np.array([found.positions, found.moves], np.int64)
    stages.keep(FOUND, directory=found.directory, first=first, said=said)


def kept_found(stages: Checkpoint, found: Found) -> Slots | None:
    """Put the positions back that were kept, if any were; return the starts' slots."""
    if not stages.has(FOUND):
        return None
    kept = stages.read(FOUND, into={"directory": found.directory})
    found.positions, found.moves = kept["said"].tolist()
    found.kept = False
    for workspace in found.workspaces:
        workspace.drop()
    return kept["first"]


def keep_decided(
    stages: Checkpoint | None, name: str, marks: DenseMarks, owners: Turns, numbers: list[int]
) -> None:
    """Keep what is decided by now, if that is worth it; ``numbers`` say where the solve is."""
    if stages is not None and stages.worth(marks.state.nbytes + owners.nbytes):
        said = np.array(numbers, np.int64)
        stages.put(name, state=marks.state, owners=owners, numbers=said)


def kept_decided(
    stages: Checkpoint | None, name: str, marks: DenseMarks, owners: Turns
) -> list[int] | None:
    """Resume from what was kept, if anything was; return where that is."""
    if stages is None or not stages.has(name):
        return None

    def room(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Have what is large read to where it belongs."""
        if dtype == np.uint8 and count == len(owners):
            return owners
        if np.dtype(dtype).itemsize < 8 and count == len(marks.state):
            while marks.state.dtype != dtype:
                marks.widen()
            return marks.state
        return np.empty(count, dtype)

    numbers: list[int] = stages.read(name, room)["numbers"].tolist()
    return numbers


def keep_solved(
    stages: Checkpoint, found: Found, first: Slots, marks: DenseMarks, owners: Turns, how: str
) -> None:
    """Keep everything, if that is worth it."""
    stages.keep(
        SOLVED,
        directory=found.directory,
        first=first,
        state=marks.state,
        owners=owners,
        how=text(how),
        positions=np.array(found.positions),
    )


def kept_solved(
    stages: Checkpoint,
) -> tuple[npt.NDArray[np.uint64], Slots, npt.NDArray[Any], Scale, Turns, str, int] | None:
    """Return what was kept of everything, if it was."""
    if not stages.has(SOLVED):
        return None
    kept = stages.read(SOLVED, zeros)
    scale = next(scale for scale in SCALES if kept["state"].dtype == scale.dtype)
    arrays = (kept["directory"], kept["first"], kept["state"], scale, kept["owners"])
    return (*arrays, words(kept["how"]), int(kept["positions"]))
