"""Symmetries of a game: permutations of cells, and the fields of a position on which they act.

A game's hook ``symmetries`` returns a ``Symmetry``, or several, all of which may be combined.
Permutations of cells are written as tuples, where ``p[cell]`` is the image of ``cell``; ``grid``,
``cycle`` and ``graph`` make the usual ones, and you can write any others yourself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any

from zermelo.errors import RulesError

__all__ = ["Symmetry", "cycle", "graph", "grid", "torus"]

Permutation = tuple[int, ...]
Permutations = tuple[Permutation, ...]

#: The most symmetries a game may have, the identity included.
MOST_SYMMETRIES = 1024
#: The most nodes that the search for a graph's symmetries visits.
_MOST_STEPS = 3_000_000
#: The symmetries of a grid, by what they preserve; only squares have quarter turns.
_GRIDS = ("all", "turns", "mirrors", "columns", "rows", "half-turn")


@dataclass(frozen=True, kw_only=True)
class Symmetry:
    """A symmetry of a game, such as the rotations of its board: equivalent positions.

    A permutation of ``cells`` acts on all fields of ``masks``, ``squares`` and ``rows`` together.
    In the same way ``swap``, ``flip`` and ``relabel`` act together, for example to exchange the
    players. A field may occur once in the first three, and once in the others. A position that is a
    plain integer has one field, called ``"position"``.

    Attributes:
        cells: permutations of the cells, such as ``grid(4, 4)``; what they generate is used.
        masks: fields that hold one bit a cell. A tuple field holds a mask in each item.
        squares: fields that hold the number of a cell; other numbers do not change. A tuple field
            holds a cell in each item.
        rows: tuple fields that have one item for each cell.
        swap: pairs of fields that are exchanged.
        flip: fields that are 0 or 1, and become 1 or 0; in a tuple field each item.
        relabel: pairs of a field and a tuple ``new``, where ``new[old]`` is the image of an item,
            such as ``("board", (0, 2, 1))`` for a board of empty cells, ones and twos.
        alike: groups of fields that hold pieces of one kind, in any order.
        together: whether the cells are only permuted along with ``swap``, ``flip`` and ``relabel``,
            for example if the players sit at opposite sides of a board.
    """

    cells: Permutations = field(default=(), kw_only=False)
    masks: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    swap: tuple[tuple[str, str], ...] = ()
    flip: tuple[str, ...] = ()
    relabel: tuple[tuple[str, Permutation], ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()
    together: bool = False

    def __post_init__(self) -> None:
        """Check the permutations and the names.

        Raises:
            RulesError: one is not a permutation, a field is named twice, or nothing is permuted.
        """
        for name in ("masks", "squares", "rows", "flip"):
            object.__setattr__(self, name, _names(name, getattr(self, name)))
        object.__setattr__(self, "swap", _groups("swap", self.swap))
        object.__setattr__(self, "alike", _groups("alike", self.alike))
        object.__setattr__(self, "cells", _permutations(self.cells))
        relabel = tuple((name, _permutation(new, "relabel")) for name, new in self.relabel)
        object.__setattr__(self, "relabel", relabel)
        if any(len(pair) != 2 for pair in self.swap):  # noqa: PLR2004  # a pair
            message = f"swap={self.swap!r} must hold pairs of fields, such as (('x', 'o'),)"
            raise RulesError(message)
        permuted_fields = (*self.masks, *self.squares, *self.rows)
        exchanged_fields = (*(name for pair in self.swap for name in pair), *self.flip)
        exchanged_fields += tuple(name for name, _ in self.relabel)
        for named in (
            permuted_fields,
            exchanged_fields,
            tuple(name for group in self.alike for name in group),
        ):
            repeated = next((name for name in named if named.count(name) > 1), None)
            if repeated is not None:
                message = f"Symmetry names the field {repeated!r} twice; name it once"
                raise RulesError(message)
        if bool(self.cells) != bool(permuted_fields):
            missing = "the fields they act on: masks, squares or rows" if self.cells else "cells"
            message = f"Symmetry lacks {missing}; give both permutations of cells and fields"
            raise RulesError(message)
        if self.together and not (self.cells and exchanged_fields):
            message = "Symmetry has together=True with nothing to join; give cells and a swap"
            raise RulesError(message)


def grid(width: int, height: int, kind: str = "all") -> Permutations:
    """Return symmetries of a board whose cells are numbered row by row, from 0.

    Args:
        width: columns.
        height: rows.
        kind: ``"all"`` for rotations and reflections, eight on a square and four elsewhere;
            ``"turns"`` for rotations only; ``"mirrors"`` for the two reflections that keep rows
            rows; ``"columns"`` for the one that exchanges left and right; ``"rows"`` for the one
            that exchanges top and bottom; ``"half-turn"``.

    Raises:
        RulesError: the board is empty, or the kind is unknown.
    """
    if kind not in _GRIDS:
        message = f"grid() has no kind {kind!r}; use one of {', '.join(map(repr, _GRIDS))}"
        raise RulesError(message)
    if index(width) < 1 or index(height) < 1:
        message = f"grid({width!r}, {height!r}) is not a board; give it 1 or more columns and rows"
        raise RulesError(message)
    places = [(row, column) for row in range(height) for column in range(width)]
    columns = tuple(row * width + width - 1 - column for row, column in places)
    rows = tuple((height - 1 - row) * width + column for row, column in places)
    half = tuple(width * height - 1 - cell for cell in range(width * height))
    quarter = tuple(column * width + width - 1 - row for row, column in places)
    square = width == height
    return {
        "all": (quarter, columns) if square else (rows, columns),
        "turns": (quarter,) if square else (half,),
        "mirrors": (rows, columns),
        "columns": (columns,),
        "rows": (rows,),
        "half-turn": (half,),
    }[kind]


def torus(width: int, height: int) -> Permutations:
    """Return symmetries of a board with joined edges: shifts, and those of ``grid``.

    Raises:
        RulesError: the board is empty.
    """
    places = [(row, column) for row in range(height) for column in range(width)]
    right_shift = tuple(row * width + (column + 1) % width for row, column in places)
    down_shift = tuple((row + 1) % height * width + column for row, column in places)
    return (*grid(width, height), right_shift, down_shift)


def cycle(count: int, *, mirror: bool = True) -> Permutations:
    """Return symmetries of cells in a circle.

    Args:
        count: the number of cells.
        mirror: whether the circle may be reflected, too.

    Raises:
        RulesError: there are no cells.
    """
    if index(count) < 1:
        message = f"cycle({count!r}) has no cells; give it 1 or more"
        raise RulesError(message)
    turn = (*range(1, count), 0)
    return (turn, tuple(range(count))[::-1]) if mirror else (turn,)


def graph(adjacency: Sequence[Sequence[int]], colours: Sequence[Any] | None = None) -> Permutations:
    """Return all symmetries of a graph: the permutations of its nodes that keep its edges.

    It is meant for the small graphs that games are played on. Nodes are distinguished by their
    degrees, and those of their neighbours, as far as possible; the rest is found by trial.

    Args:
        adjacency: the neighbours of each node, along directed edges if you like.
        colours: a colour for each node; only nodes of the same colour are exchanged.

    Raises:
        RulesError: there are more than 1,024 symmetries or the search takes too long; or it is
            not a graph.
    """
    rows = [sorted(index(node) for node in row) for row in adjacency]
    count = len(rows)
    if not count or any(not 0 <= node < count for row in rows for node in row):
        message = f"graph() got nodes outside 0 to {count - 1}; give the neighbours of each node"
        raise RulesError(message)
    if colours is not None and len(colours) != count:
        message = f"graph() got {len(colours)} colours for {count} nodes; give one for each"
        raise RulesError(message)
    colour_numbers: dict[Any, int] = {}
    marks = [
        colour_numbers.setdefault(colour, len(colour_numbers)) for colour in colours or [0] * count
    ]
    search = _Graph(rows)
    marks = search.refine(marks)
    permutations = []
    for permutation in search.search(marks, marks):
        permutations.append(permutation)
        if len(permutations) > MOST_SYMMETRIES:
            message = (
                f"the graph has more than {MOST_SYMMETRIES:,} symmetries; write out the "
                "permutations that matter, or colour nodes to keep them apart"
            )
            raise RulesError(message)
    return tuple(permutations)


class _Graph:
    """The search for a graph's symmetries.

    Attributes:
        steps: the number of nodes marked so far.
    """

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows
        self.back: list[list[int]] = [[] for _ in rows]
        for node, row in enumerate(rows):
            for neighbour in row:
                self.back[neighbour].append(node)
        self.steps = 0

    def refine(self, marks: list[int]) -> list[int]:
        """Return finer marks, by those of the neighbours, with equal marks for symmetric nodes."""
        rows, back = self.rows, self.back
        while True:
            self.steps += len(rows)
            signs = [
                (
                    marks[node],
                    tuple(sorted([marks[neighbour] for neighbour in rows[node]])),
                    tuple(sorted([marks[neighbour] for neighbour in back[node]])),
                )
                for node in range(len(rows))
            ]
            order = {sign: n for n, sign in enumerate(sorted(set(signs)))}
            count = len(set(marks))
            marks = [order[sign] for sign in signs]
            if len(order) == count:
                return marks

    def search(self, marks: list[int], target_marks: list[int]) -> Iterator[Permutation]:
        """Yield the permutations that keep edges and map ``marks`` to ``target_marks``."""
        if self.steps > _MOST_STEPS:
            message = (
                "the symmetries of the graph take too long to find; write out the permutations "
                "that matter, or colour nodes to keep them apart"
            )
            raise RulesError(message)
        counts = Counter(marks)
        if counts != Counter(target_marks):
            return
        ambiguous = [node for node in range(len(marks)) if counts[marks[node]] > 1]
        if not ambiguous:
            place = {mark: node for node, mark in enumerate(target_marks)}
            image = tuple(place[mark] for mark in marks)
            if all(
                sorted(image[neighbour] for neighbour in row) == self.rows[image[node]]
                for node, row in enumerate(self.rows)
            ):
                yield image
            return
        chosen = min(ambiguous, key=lambda node: counts[marks[node]])
        finer = self.refine(_mark_uniquely(marks, chosen))
        for target in range(len(marks)):
            if target_marks[target] == marks[chosen]:
                yield from self.search(finer, self.refine(_mark_uniquely(target_marks, target)))


def _mark_uniquely(marks: list[int], chosen: int) -> list[int]:
    """Return the marks with a unique mark for one node."""
    return [-1 if node == chosen else mark for node, mark in enumerate(marks)]


def _permutations(cells: object) -> Permutations:
    if not isinstance(cells, tuple | list):
        message = f"cells={cells!r} must be permutations of cells, such as grid(4, 4)"
        raise RulesError(message)
    permutations = tuple(_permutation(permutation, "cells") for permutation in cells)
    lengths = sorted({len(permutation) for permutation in permutations})
    if len(lengths) > 1:
        message = f"cells hold permutations of {lengths[0]} and {lengths[1]} cells; use one number"
        raise RulesError(message)
    return permutations


def _permutation(permutation: Any, name: str) -> Permutation:
    try:
        numbers = tuple(index(item) for item in permutation)
    except TypeError:
        numbers = ()
    if not numbers or sorted(numbers) != list(range(len(numbers))):
        message = (
            f"{name} holds {permutation!r}, which is not a permutation; give a tuple with each "
            "number from 0 once"
        )
        raise RulesError(message)
    return numbers


def _names(parameter: str, fields: Any) -> tuple[str, ...]:
    if isinstance(fields, str) or not all(isinstance(name, str) for name in fields):
        message = f"{parameter}={fields!r} must be names of fields, such as {parameter}=('x', 'o')"
        raise RulesError(message)
    return tuple(fields)


def _groups(parameter: str, groups: Any) -> tuple[Any, ...]:
    if isinstance(groups, str) or any(isinstance(group, str) for group in groups):
        message = (
            f"{parameter}={groups!r} must hold groups of fields, such as {parameter}=(('x', 'o'),)"
        )
        raise RulesError(message)
    return tuple(_names(parameter, group) for group in groups)
