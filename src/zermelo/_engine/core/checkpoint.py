"""The interface of checkpoints, from which a killed solve can resume."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

Arrays = dict[str, npt.NDArray[Any]]


class Checkpoint:
    """Stages of a solve by name: arrays, and a note of a few numbers and strings.

    This class stores nothing, for solves that cannot be resumed;
    ``checkpoint.folder.CheckpointFolder`` stores stages in a folder.

    Attributes:
        saves: whether stages are stored.
        patience: seconds of work that are never saved by themselves.
        directory: the folder, or None.
    """

    saves = False
    patience = 2.0
    directory: Path | None = None

    def has(self, name: str) -> bool:  # noqa: ARG002  # nothing is there
        """Return whether a stage of this name exists and its checksums match."""
        return False

    def note(self, name: str) -> list[Any] | None:  # noqa: ARG002  # nothing is there
        """Return the note of a stage, or None if there is no such stage."""
        return None

    def read(self, name: str, **into: npt.NDArray[Any]) -> Arrays:  # noqa: ARG002  # nothing is there
        """Return the arrays of a stage for which ``has`` returned True.

        Args:
            name: the stage.
            into: arrays to read into, by name, if their type and size match.

        Raises:
            CorruptTableError: the stage is missing or damaged.
        """
        raise LookupError(name)

    def file(self, name: str) -> Path:
        """Return the path of a file in the folder of the stages, which is deleted with them."""
        raise LookupError(name)

    def should_save(self, size: int, rate: float = 0.0) -> bool:  # noqa: ARG002  # nothing is written
        """Return whether writing ``size`` bytes takes little of the time since the last stage.

        Args:
            size: the bytes to write.
            rate: bytes written per second, if they go to separate files.
        """
        return False

    def put(self, name: str, note: Sequence[object] = (), /, **arrays: npt.NDArray[Any]) -> bool:  # noqa: ARG002  # nothing is written
        """Write a stage if possible; return whether it was written.

        A full disk does not stop a solve: it then resumes from an earlier stage.
        """
        return False

    def save(self, name: str, note: Sequence[object] = (), /, **arrays: npt.NDArray[Any]) -> bool:
        """Write a stage if ``should_save`` allows it and the disk accepts it.

        Return whether it was written.
        """
        size = sum(array.nbytes for array in arrays.values())
        return self.should_save(size) and self.put(name, note, **arrays)

    def names(self) -> list[str]:
        """Return the names of all stages, intact or damaged."""
        return []

    def drop(self, *names: str) -> None:
        """Delete stages, if they exist."""


#: The checkpoint that stores nothing.
NO_CHECKPOINT = Checkpoint()
