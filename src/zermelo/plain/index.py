"""Indexes of small games: dicts of their positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.index.discovery_index import FoundIndex

if TYPE_CHECKING:
    from zermelo.plain.play_graph import PlayGraph


class PackedNumbers:
    """The numbers of packed positions, in a dict."""

    def __init__(self, keys: npt.NDArray[np.uint64], words: int) -> None:
        """Number packed positions of ``words`` words each, in their order."""
        self.words = words
        rows = keys.reshape(-1, words).tolist()
        self._numbers = {tuple(row): number for number, row in enumerate(rows)}

    def find(
        self,
        packed: npt.NDArray[np.uint64],
        count: int,
        keys: npt.NDArray[np.uint64],  # noqa: ARG002  # part of the signature in ``HashIndex``
        numbers: npt.NDArray[np.int64],
    ) -> int:
        """Look up ``count`` packed positions, as ``HashIndex`` does; return the number found."""
        rows = packed[: count * self.words].reshape(-1, self.words).tolist()
        numbers[:count] = [self._numbers.get(tuple(row), -1) for row in rows]
        return int(np.count_nonzero(numbers[:count] >= 0))

    def number(self, packed: npt.NDArray[np.uint64]) -> int:
        """Return the number of one packed position, or -1 if it is missing."""
        return self._numbers.get(tuple(packed.tolist()), -1)


class DictIndex(FoundIndex):
    """Packed positions in any order, numbered by a dict."""

    def __init__(
        self, keys: npt.NDArray[np.uint64], words: int, ranks: npt.NDArray[np.uint32] | None
    ) -> None:
        """Store packed positions of ``words`` words each, and their ranks; see ``FoundIndex``."""
        self.words = words
        self.span = len(keys) // words
        self.keys = keys
        self.ranks = ranks
        self.layers = None

    @cached_property
    def _numbers(self) -> PackedNumbers:
        return PackedNumbers(self.keys, self.words)

    @property
    def bytes(self) -> int:
        """The bytes of the packed positions."""
        return 8 * self.words * self.span

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Index``."""
        return self._numbers.find(packed, count, self.keys, out)

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        return lambda: self._numbers.number(packed)


class PlainIndex(DictIndex):
    """Positions in order of discovery; arrays are created at their first use."""

    def __init__(self, graph: PlayGraph, ranks: list[int] | None) -> None:
        """Store the positions.

        Args:
            graph: the positions.
            ranks: numbers that decrease along the moves that prove values; see ``PlainValues``.
        """
        self.words = graph.rules.layout.words
        self.span = len(graph.positions)
        self.ranks = None if ranks is None else np.array(ranks, np.uint32)
        self._graph = graph

    @property
    def leads_forward(self) -> bool:
        """Whether every move leads to a later position."""
        return self._graph.leads_forward

    @cached_property
    def keys(self) -> npt.NDArray[np.uint64]:  # type: ignore[override]  # created at the first use
        """Packed positions by number."""
        pack = self._graph.rules.layout.pack
        return np.array([pack(position) for position in self._graph.positions], np.uint64).ravel()

    @cached_property
    def layers(self) -> list[int] | None:  # type: ignore[override]  # likewise
        """The bounds of breadth-first layers, or None; see ``PlayGraph.layers``."""
        return self._graph.layers()

    @property
    def looping(self) -> int:
        """The number of positions from which play need not end."""
        return self.span - len(self._graph.successors_first())
