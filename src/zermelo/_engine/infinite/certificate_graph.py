"""The graph of a game as the certificates of endless play read it, and the faults they report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray


class Fault(NamedTuple):
    """A vertex where a claim is not proved.

    Attributes:
        vertex: the vertex.
        reason: the reason, as the end of a sentence that begins with the vertex.
    """

    vertex: int
    reason: str


@dataclass(frozen=True, eq=False)
class CertificateGraph:
    """The graph of a game whose solution is checked.

    Attributes:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        owners: the player to move at each vertex.
    """

    first: IntArray
    edges: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]

    @property
    def count(self) -> int:
        """The number of vertices."""
        return len(self.owners)

    @cached_property
    def begins(self) -> npt.NDArray[np.int64]:
        """The index of each vertex's first edge."""
        return self.first[:-1].astype(np.int64)

    @cached_property
    def degrees(self) -> npt.NDArray[np.int64]:
        """The number of edges of each vertex."""
        return self.first[1:].astype(np.int64) - self.begins

    @cached_property
    def sources(self) -> npt.NDArray[np.int64]:
        """The source of each edge, ascending."""
        return np.repeat(np.arange(self.count, dtype=np.int64), self.degrees)

    @cached_property
    def targets(self) -> npt.NDArray[np.int64]:
        """The target of each edge."""
        return self.edges.astype(np.int64)
