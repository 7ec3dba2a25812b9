"""Pursuits as files: saving them, and reading them again.

The file holds the graphs, what nodes are special, and the marks of each turn, as numbers from 0:
the mark and the greatest there is added to it. So nothing else is needed to ask or to check it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.file.arrays import Array, check_array, numbers, plain_array
from zermelo._store import gameless
from zermelo.errors import ParameterError
from zermelo.game.adjacency import adjacency
from zermelo.pursuits.given import Given
from zermelo.pursuits.marks import greatest

if TYPE_CHECKING:
    from zermelo._engine.file.paged import Paged
    from zermelo._engine.file.reader import Reader
    from zermelo.pursuits.values import PursuitValues

#: The kind of these tables.
KIND = "chase"
_PER_BLOCK = 4096
#: How much marks are compressed: more takes longer, and does not make them smaller.
_LEVEL = 1
#: Marks that are looked at together.
_TOGETHER = 1 << 20
#: What a header says besides, and of which type.
_SAID: dict[str, type] = {
    "nodes": int,
    "together": bool,
    "stays": bool,
    "waits": list,
    "graphs": list,
    "edges": list,
    "rounds": int,
    "greatest": int,
}
#: The greatest mark that 16 bits hold.
_NARROW = (1 << 15) - 1


class Filed:
    """Marks in a file, which are read as they are needed; see ``Marks``."""

    on_disk = False

    def __init__(self, reader: Reader, given: Given, top: int, threads: int) -> None:
        """Read nothing yet.

        Raises:
            CorruptTableError: the file has no such marks.
        """
        self.reader: Reader | None = reader
        self.close = reader.close
        self._top, self._threads = top, threads
        self._kind = _kind(top)
        size = given.nodes ** (1 + given.pursuers)
        self._turns: list[Paged] = [
            numbers(reader, f"marks{turn}", self._kind, size, _PER_BLOCK, 2 * top)
            for turn in range(given.turns)
        ]

    @property
    def bytes(self) -> int:
        """Bytes they take when all are there."""
        return sum(paged.array.nbytes for paged in self._turns)

    def __getitem__(self, turn: int) -> npt.NDArray[Any]:
        """Return those of a turn; see ``Marks``."""
        found = self._turns[turn].fill(self._threads)
        marks = np.empty(len(found), np.int16 if self._top <= _NARROW else np.int32)
        for begin in range(0, len(found), _TOGETHER):
            some = found[begin : begin + _TOGETHER].astype(np.int64)
            marks[begin : begin + _TOGETHER] = some - self._top
        return marks

    def at(self, turn: int, number: int) -> int:
        """Return one of a turn, for which one block is read."""
        paged = self._turns[turn]
        block, within = divmod(number, _PER_BLOCK)
        data = paged.glance(block)
        if data is not None:
            size = self._kind.itemsize
            found = int.from_bytes(data[within * size : (within + 1) * size], "little")
            if len(data) % size == 0 and found <= 2 * self._top:
                return found - self._top
            paged.need(block)  # it says what is wrong
        return int(paged.array.item(number)) - self._top

    def coded(self, turn: int) -> tuple[npt.NDArray[Any], int]:
        """Return those of a turn as they stand in the file; see ``Marks``."""
        return self._turns[turn].fill(self._threads), self._top

    def tally(self) -> Iterator[tuple[int, int]]:
        """Scan those that occur; see ``Marks``."""
        for paged in self._turns:
            found = paged.fill(self._threads)
            counts = np.zeros(2 * self._top + 1, np.int64)
            for begin in range(0, len(found), _TOGETHER):
                some = found[begin : begin + _TOGETHER]
                counts += np.bincount(some, minlength=len(counts))
            for number in np.flatnonzero(counts).tolist():
                yield number - self._top, int(counts[number])


def read(reader: Reader, threads: int) -> tuple[Given, Filed, int, int | None]:
    """Return the pursuit that a file holds, its values, its rounds, and the place of its start.

    Args:
        reader: the file.
        threads: threads to read with.

    Raises:
        CorruptTableError: it is not what it says.
    """
    said = reader.header["table"]
    if not all(type(said.get(key)) is kind for key, kind in _SAID.items()):
        raise reader.wrong("header")
    given = _given(reader, said)
    if given is None or given.positions != said["positions"]:
        raise reader.wrong("pursuit")
    # No pursuit is longer than there are positions.
    if not 1 <= said["greatest"] <= 1 + given.positions:
        raise reader.wrong("greatest mark")
    start = said.get("start")
    if start is not None:
        places = given.turns * given.nodes ** (1 + given.pursuers)
        if type(start) is not int or not 0 <= start < places:
            raise reader.wrong("start")
    marks = Filed(reader, given, said["greatest"], threads)
    return given, marks, said["rounds"], start


def _given(reader: Reader, said: dict[str, Any]) -> Given | None:
    """Return the pursuit that a file holds, or None where it holds none."""
    graphs: list[Any] = []
    size, which, waits = said["nodes"], said["graphs"], said["waits"]
    if not 2 <= len(which) <= 4 or len(waits) != 2:  # noqa: PLR2004  # one to three pursuers
        return None
    whole = [type(n) is int and n >= 0 for n in (size, *which, *said["edges"])]
    if not all(whole) or any(type(each) is not bool for each in waits):
        return None
    for i, edges in enumerate(said["edges"]):
        check_array(reader, f"indptr{i}", np.dtype(np.int64), size + 1, _PER_BLOCK)
        check_array(reader, f"indices{i}", np.dtype(np.int32), edges, _PER_BLOCK)
        pair = reader.array(f"indptr{i}"), reader.array(f"indices{i}")
        try:
            graphs.append(adjacency(f"graph {i}", pair))
        except ParameterError:
            return None
    if max(which) >= len(graphs):
        return None
    flags = []
    for name in ("safe", "forbidden"):
        check_array(reader, name, np.dtype(np.uint8), size, _PER_BLOCK)
        flags.append(reader.array(name).astype(np.bool_))
    return Given(
        tuple(graphs[i] for i in which),
        flags[0],
        flags[1],
        said["together"] or len(which) == 2,  # noqa: PLR2004  # the evader's and one more
        (waits[0], waits[1]),
        said["stays"],
    )


def arrays_of(
    given: Given, values: PursuitValues, rounds: int
) -> tuple[dict[str, Any], dict[str, int], list[Array]]:
    """Return what a pursuit's table says of itself, how many wins there are, and what it holds."""
    marks = values.marks
    turns = [marks.coded(turn) for turn in range(given.turns)]
    top = max(1, *(greatest(source, zero) for source, zero in turns))
    kind = _kind(top)
    kept = list({id(graph): graph for graph in given.graphs}.values())
    names = [id(graph) for graph in kept]
    arrays = []
    for i, (indptr, indices) in enumerate(kept):
        arrays.append(_plain(f"indptr{i}", np.int64, indptr))
        arrays.append(_plain(f"indices{i}", np.int32, indices))
    arrays.append(_plain("safe", np.uint8, given.safe))
    arrays.append(_plain("forbidden", np.uint8, given.forbidden))
    for turn, (source, zero) in enumerate(turns):
        above = np.int64(top - zero).astype(kind)

        def some(begin: int, end: int, source: Any = source, above: Any = above) -> Any:
            return source[begin:end].astype(kind) + above  # what is below 0 wraps round

        size = given.nodes ** (1 + given.pursuers)
        arrays.append(plain_array(f"marks{turn}", kind, size, _PER_BLOCK, some, level=_LEVEL))
    table = {
        "nodes": given.nodes,
        "together": given.together,
        "stays": given.stays,
        "waits": list(given.waits),
        "graphs": [names.index(id(graph)) for graph in given.graphs],
        "edges": [len(indices) for _, indices in kept],
        "rounds": rounds,
        "greatest": top,
    }
    return table, gameless.counted(values), arrays


def _plain(name: str, kind: type[Any], array: npt.NDArray[Any]) -> Any:
    return plain_array(name, kind, len(array), _PER_BLOCK, lambda begin, end: array[begin:end])


def _kind(top: int) -> np.dtype[Any]:
    """Return the type of numbers up to twice the greatest mark."""
    return np.min_scalar_type(2 * top)
