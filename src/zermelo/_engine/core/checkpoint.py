"""Checkpoints of a solve, as far as the engine knows: arrays under names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[Any]]


class Checkpoint(Protocol):
    """Where stages are kept; ``zermelo._engine.file.stages.Stages`` is one.

    Attributes:
        directory: the folder.
    """

    directory: Path

    def has(self, name: str) -> bool:
        """Whether there is such a stage, as it was written."""

    def read(
        self,
        name: str,
        make: Callable[[int, npt.DTypeLike], npt.NDArray[Any]] = ...,
        into: Arrays | None = ...,
    ) -> Arrays:
        """Return the arrays of a stage that is there; read to where ``into`` has them, or made."""

    def file(self, name: str) -> Path:
        """Return the path of a file that lies with the stages, and is deleted with them."""

    def worth(self, size: int, rate: float = ...) -> bool:
        """Whether writing this many bytes takes little against what was done since the last stage.

        Args:
            size: how many.
            rate: how many are written in a second, where they go to files of their own.
        """

    def keep(self, name: str, **arrays: npt.NDArray[Any]) -> bool:
        """Write a stage if that is worth it and can be done; return whether it was written."""

    def put(self, name: str, **arrays: npt.NDArray[Any]) -> bool:
        """Write a stage if that can be done; return whether it was written."""

    def names(self) -> list[str]:
        """Return the names of all stages there are."""

    def drop(self, *names: str) -> None:
        """Delete stages, if they are there."""


def text(words: str) -> npt.NDArray[np.uint8]:
    """Return text as an array."""
    return np.frombuffer(words.encode(), np.uint8)


def words(array: npt.NDArray[np.uint8]) -> str:
    """Return an array as the text it was."""
    return array.tobytes().decode()
