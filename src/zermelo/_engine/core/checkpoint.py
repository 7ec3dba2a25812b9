"""Where a solve keeps what is finished, so that a killed one can resume from there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

Arrays = dict[str, npt.NDArray[Any]]


class Checkpoint:
    """Stages of a solve under names: arrays, and a note of a few numbers and words.

    This one keeps nothing, for solves that nobody resumes; ``checkpoint.folder.CheckpointFolder``
    keeps stages in a folder.

    Attributes:
        saves: whether anything is kept.
        patience: seconds of work that are never worth a stage.
        directory: the folder, if there is one.
    """

    saves = False
    patience = 2.0
    directory: Path | None = None

    def has(self, name: str) -> bool:  # noqa: ARG002  # nothing is there
        """Whether there is such a stage, every byte of it as it was written."""
        return False

    def note(self, name: str) -> list[Any] | None:  # noqa: ARG002  # nothing is there
        """Return the note of a stage, or None where there is no such stage."""
        return None

    def read(self, name: str, **into: npt.NDArray[Any]) -> Arrays:  # noqa: ARG002  # nothing is there
        """Return the arrays of a stage of which ``has`` says that it is there.

        Args:
            name: the stage.
            into: arrays to read to, by name, where they are of that type and size.

        Raises:
            CorruptTableError: it is not there, or damaged.
        """
        raise LookupError(name)

    def file(self, name: str) -> Path:
        """Return the path of a file that lies with the stages, and is deleted with them."""
        raise LookupError(name)

    def worth(self, size: int, rate: float = 0.0) -> bool:  # noqa: ARG002  # nothing is written
        """Whether writing this many bytes takes little against what was done since the last stage.

        Args:
            size: how many.
            rate: how many are written in a second, where they go to files of their own.
        """
        return False

    def put(self, name: str, note: Sequence[Any] = (), /, **arrays: npt.NDArray[Any]) -> bool:  # noqa: ARG002  # nothing is written
        """Write a stage if that can be done; return whether it was.

        A disk that is full does not stop a solve: it then resumes from further back.
        """
        return False

    def save(self, name: str, note: Sequence[Any] = (), /, **arrays: npt.NDArray[Any]) -> bool:
        """Write a stage if that is ``worth`` it and can be done; return whether it was written."""
        size = sum(array.nbytes for array in arrays.values())
        return self.worth(size) and self.put(name, note, **arrays)

    def names(self) -> list[str]:
        """Return the names of all stages there are, whole or damaged."""
        return []

    def drop(self, *names: str) -> None:
        """Delete stages, if they are there."""


#: What keeps nothing.
NO_CHECKPOINT = Checkpoint()
