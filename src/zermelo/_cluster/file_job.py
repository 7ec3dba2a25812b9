"""The job of a worker whose units read the driver's files, and write files of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from zermelo._cluster.shared_files import SharedFile, SharedFileWriter
from zermelo._engine.store.arrays import shared_arrays


class FileJob(ABC):
    """A job with the arrays of the driver, whose units write one file each.

    Attributes:
        lasting: whether a unit's file is flushed to disk, and not only visible to all processes.
    """

    lasting = False

    def __init__(self, folder: str, paths: Mapping[str, str]) -> None:
        """Open the driver's arrays.

        Args:
            folder: the shared folder.
            paths: the file of each array in the folder.
        """
        self._scratch, self._columns = shared_arrays(folder, paths)

    def do_unit(self, unit: Any, name: str) -> Any:
        """Do a unit; see ``worker.Job``."""
        before = self._scratch.read
        with SharedFileWriter(self._scratch.folder, name) as part:
            count, result = self._write_unit(unit, part)
            read = self._scratch.read - before
            return result(part.finish(count, read, lasting=self.lasting))

    @abstractmethod
    def _write_unit(
        self, unit: Any, part: SharedFileWriter
    ) -> tuple[int, Callable[[SharedFile], Any]]:
        """Write what a unit finds.

        Returns:
            The number of elements of the first array, and the function that returns the unit's
            result for the driver, from the description of the finished file.
        """
