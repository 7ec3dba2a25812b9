"""The product of a sum's parts: a position for every combination, with either player to move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._methods.explicit.graph_source import Arrays, GraphPart, ScanSize
from zermelo._methods.partizan.turn_graph import NONE
from zermelo.sums.solved_sum import strides_of

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._methods.partizan.turn_graph import TurnGraph

#: The number of positions whose moves are computed in one batch.
BATCH = 1 << 16
#: Bytes of a position and of a move during that computation.
_BATCH_BYTES, _MOVE_BYTES = 200, 40

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PartSide:
    """A part of a sum with one player to move.

    Attributes:
        numbers: the numbers of its positions in the component.
        degrees: the number of moves of each.
        begins: the beginning of these in ``children``.
        children: the successors, as numbers on the side of the other player.
        after_pass: the number of the same position on the side of the other player.
        local: for each number of the component, the number on this side; -1 for a position of the
            other.
    """

    numbers: Numbers
    degrees: Numbers
    begins: Numbers
    children: Numbers
    after_pass: Numbers
    local: Numbers


class Product:
    """The positions and moves of a sum as an explicit graph; see ``GraphSource``.

    It is not stored. A position's number consists of those of its parts and of the player to move;
    its moves are those of one part after another.

    Attributes:
        parts: the parts.
        sides: the number of players whose turns differ: 2 if a part has ``turn``, else 1.
        vertices: the number of positions.
        edges: the number of moves.
        dead_end: the outcome of a position without moves, for the player to move.
    """

    def __init__(self, parts: Sequence[TurnGraph], dead_end: int) -> None:
        """Create the product of parts; see the attributes."""
        self.parts = tuple(parts)
        self.dead_end = dead_end
        self.sides = 1 if all(part.owner is None for part in parts) else 2
        self._part_sides = [_sides(part, self.sides) for part in parts]
        self.sizes = [len(sides[0].numbers) for sides in self._part_sides]
        self.strides = strides_of(self.sizes)
        self.combinations = self.strides[0] * self.sizes[0]
        self.vertices = self.sides * self.combinations
        self.edges = sum(
            int(part[side].degrees.sum()) * (self.combinations // size)
            for side in range(self.sides)
            for part, size in zip(self._part_sides, self.sizes, strict=True)
        )

    # -- numbers ----------------------------------------------------------------------------------

    def place(self, side: int, numbers: Sequence[int]) -> int:
        """Return the number of a position, from the numbers of its parts in their components."""
        place = side * self.combinations
        for part, number, stride in zip(self._part_sides, numbers, self.strides, strict=True):
            place += int(part[side].local[number]) * stride
        return place

    def places(self, side: Numbers, numbers: Sequence[Numbers]) -> Numbers:
        """Return the numbers of many positions; that of a row with a negative part is undefined."""
        places = side * self.combinations
        for part, number, stride in zip(self._part_sides, numbers, self.strides, strict=True):
            places = places + part[0].local[number] * stride
        return places

    def part_numbers(self, places: Numbers) -> list[Numbers]:
        """Return the numbers of the parts in their components."""
        side, local_places = places // self.combinations, places % self.combinations
        part_numbers = []
        for part, stride in zip(self._part_sides, self.strides, strict=True):
            local, local_places = local_places // stride, local_places % stride
            number = part[0].numbers[local]
            part_numbers.append(np.where(side == 0, number, part[-1].numbers[local]))
        return part_numbers

    def after_pass(self, places: Numbers) -> Numbers:
        """Return the numbers of the same positions with the other player to move."""
        side, local_places = places // self.combinations, places % self.combinations
        result = (self.sides - 1 - side) * self.combinations
        for part, stride in zip(self._part_sides, self.strides, strict=True):
            local, local_places = local_places // stride, local_places % stride
            turned = np.where(side == 0, part[0].after_pass[local], part[-1].after_pass[local])
            result = result + turned * stride
        return result

    # -- as a graph -------------------------------------------------------------------------------

    @cached_property
    def _outcomes(self) -> npt.NDArray[np.int8] | None:
        """The outcomes by the rules of the only part; None if there are several."""
        if len(self.parts) > 1:
            return None
        (sides,) = self._part_sides
        outcome = self.parts[0].outcome
        return np.concatenate([outcome[sides[s].numbers] for s in range(self.sides)])

    def outcomes(self, begin: int, end: int) -> npt.NDArray[np.int8]:
        """Return the outcomes given to some positions."""
        if self._outcomes is None:
            return np.full(end - begin, NONE, np.int8)
        return self._outcomes[begin:end]

    def first(self, begin: int, end: int) -> Numbers:
        """Return the index of the first move of some positions, relative to that of the first."""
        return self.vertex_range(begin, end).first

    def targets(self, begin: int, end: int) -> Numbers:
        """Raise an error: moves are not numbered."""
        raise NotImplementedError

    def scan_size(self, threads: int, ledger: Ledger, limit: int = BATCH, row: int = 0) -> ScanSize:
        """Return the batch size for a scan of its moves by threads within a memory budget."""
        moves = max(1, -(-self.edges // max(self.vertices, 1)))
        bytes_per_position = 2 * row + _BATCH_BYTES + _MOVE_BYTES * moves
        batch = max(1, min(limit, ledger.allowed // (bytes_per_position * threads)))
        return ScanSize(threads, batch)

    def vertex_range(self, begin: int, end: int) -> GraphPart:
        """Return some positions with their moves."""
        pieces = []
        for side in range(self.sides):
            low = max(begin, side * self.combinations)
            high = min(end, (side + 1) * self.combinations)
            if low < high:
                pieces.append(self._moves(side, low, high))
        degrees = np.concatenate([piece[0] for piece in pieces] or [np.empty(0, np.int64)])
        edges = np.concatenate([piece[1] for piece in pieces] or [np.empty(0, np.int64)])
        first = np.concatenate([[0], np.cumsum(degrees)])
        return GraphPart(first, edges, self.outcomes(begin, end), begin, 0)

    def _moves(self, side: int, begin: int, end: int) -> tuple[Numbers, Numbers]:
        """Return the number of moves of each position of a side, and their successors."""
        other_side = (self.sides - 1 - side) * self.combinations
        local_places = np.arange(begin, end) - side * self.combinations
        locals_, turned = [], []
        for sides, stride in zip(self._part_sides, self.strides, strict=True):
            local, local_places = local_places // stride, local_places % stride
            locals_.append(local)
            turned.append(sides[side].after_pass[local])
        around = sum(
            (each * stride for each, stride in zip(turned, self.strides, strict=True)),
            np.full(end - begin, other_side, np.int64),
        )
        degrees = [
            sides[side].degrees[local]
            for sides, local in zip(self._part_sides, locals_, strict=True)
        ]
        total = np.sum(degrees, axis=0)
        begins = np.cumsum(total) - total  # the beginning of each position's moves
        edges = np.empty(int(total.sum()), np.int64)
        for i, (sides, stride) in enumerate(zip(self._part_sides, self.strides, strict=True)):
            counts = degrees[i]
            sums = np.cumsum(counts) - counts
            nth = np.arange(int(counts.sum())) - np.repeat(sums, counts)  # of a position's moves
            child = sides[side].children[np.repeat(sides[side].begins[locals_[i]], counts) + nth]
            unmoved = np.repeat(around - turned[i] * stride, counts)
            edges[np.repeat(begins, counts) + nth] = unmoved + child * stride
            begins = begins + counts
        return total, edges

    def arrays(self) -> Arrays:
        """Return the whole graph in arrays, for the solver."""
        first = np.zeros(self.vertices + 1, np.int64)
        edges = np.empty(self.edges, np.uint32)
        edge_count = 0
        for start in range(0, self.vertices, BATCH):
            end = min(start + BATCH, self.vertices)
            part = self.vertex_range(start, end)
            first[start + 1 : end + 1] = part.first[1:] + edge_count
            edges[edge_count : edge_count + len(part.edges)] = part.edges
            edge_count += len(part.edges)
        outcome = self.outcomes(0, self.vertices)
        return Arrays(first, edges, outcome, np.empty(0, np.uint8), self.dead_end)

    @property
    def bytes(self) -> int:
        """The bytes of these arrays."""
        return 8 * (self.vertices + 1) + 4 * self.edges + self.vertices


def _sides(part: TurnGraph, sides: int) -> list[PartSide]:
    """Return a part with each player to move.

    On the side of player 1, the numbers are those of the same positions on the side of player 0, so
    that passing the turn changes no number; without ``turn`` it may.
    """
    if part.owner is None:
        all_numbers = np.arange(len(part))
        side = _side(part, all_numbers, all_numbers, part.after_pass)
        return [side] * sides
    of_first = np.flatnonzero(part.owner == 0)
    of_player = [of_first, part.after_pass[of_first]]
    local_numbers = np.arange(len(of_first))
    local = np.empty(len(part), np.int64)
    for numbers in of_player:
        local[numbers] = local_numbers
    return [_side(part, numbers, local, local_numbers) for numbers in of_player]


def _side(part: TurnGraph, numbers: Numbers, local: Numbers, after_pass: Numbers) -> PartSide:
    degrees = np.diff(part.first)[numbers]
    begins = np.cumsum(degrees) - degrees
    nth = np.arange(int(degrees.sum())) - np.repeat(begins, degrees)
    children = local[part.children[np.repeat(part.first[numbers], degrees) + nth]]
    return PartSide(numbers, degrees, begins, children, after_pass, local)
