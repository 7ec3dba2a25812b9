"""Rows of positions with their best moves, and the names of those moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._store.column_files import Cells, SheetColumn
from zermelo.errors import CompileError
from zermelo.game.parameters import as_json
from zermelo.rules.layout import numbers_of
from zermelo.solution.export.batches import ROWS

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Codes

#: The most distinct moves whose names are cached.
_NAMES = 1 << 16
#: The most positions in which compiled code is compared with the rules.
_TRIED = 64


@dataclass
class ChosenRows:
    """Some rows before conversion to cells.

    Attributes:
        packed: the packed positions.
        fields: the numbers of the positions.
        codes: their values.
        players: the players to move, or empty.
        best: the number of the best move of each, -1 for none; or empty.
        moves: the numbers of each best move; or None, if the rules give the moves.
    """

    packed: npt.NDArray[np.uint64]
    fields: npt.NDArray[np.int64]
    codes: Codes
    players: npt.NDArray[np.uint8]
    best: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64] | None

    def parts(self) -> Iterator[ChosenRows]:
        """Yield them in groups for writing, independent of the batches of the computation."""
        words = len(self.packed) // len(self.codes)
        for start in range(0, len(self.codes), ROWS):
            group = slice(start, start + ROWS)
            yield ChosenRows(
                self.packed[start * words : (start + ROWS) * words],
                self.fields[group],
                self.codes[group],
                self.players[group],
                self.best[group],
                None if self.moves is None else self.moves[group],
            )


class ChosenMoves:
    """The best moves as names and as numbers, from compiled code if possible.

    A move is represented by its number among the position's. Compiled code writes the numbers that
    it consists of; for each new move the rules are called in Python, which also gives its name. If
    moves do not consist of integers, Python is called for each row.
    """

    def __init__(self, compiled: CompiledRules) -> None:
        """Compile the code that writes moves, if possible."""
        self.rules = compiled.rules
        kind = compiled.kind
        self._has_both_turns = kind.adds and not kind.impartial and self.rules.passes
        self._names: dict[Any, str] = {}
        example = self._example()
        self.width = len(example)
        self.compiled = compiled.with_move_numbers() if self.width else None
        if self.compiled is not None and not self._is_compilable():
            self.compiled = None
        whole = np.dtype(np.int64) if self.compiled is not None else None
        items = tuple(f"best_move[{n}]" for n in range(self.width)) if self.width > 1 else ()
        if whole is None:
            items = ()
        self.column = SheetColumn("best_move", whole, items, nullable=True)

    def _example(self) -> list[int]:
        """Return the numbers of some move, [] if moves do not consist of integers."""
        for position in self._positions():
            for move in self.rules.moves(position):
                return numbers_of(move)
        return [0]

    def _positions(self) -> Iterator[Any]:
        """Yield the first positions; also with the other player to move, if a table has those."""
        yield from _first_positions(self.rules)
        if self._has_both_turns:
            yield from map(self.rules.pass_turn, _first_positions(self.rules))

    def _is_compilable(self) -> bool:
        """Return whether compiled code writes the moves correctly, tried on the starts."""
        positions = list(islice(self._positions(), _TRIED))
        starts = np.array([self.rules.layout.pack(each) for each in positions], np.uint64)
        listed = [self.rules.moves(each) for each in positions]
        indices = np.array([len(moves) - 1 for moves in listed], np.int64)
        out = np.zeros(len(indices) * self.width, np.int64)
        try:
            self.compiled.chosen(starts.reshape(-1), indices, out)  # type: ignore[union-attr]  # asked before
        except CompileError:
            return False
        rows = out.reshape(len(indices), self.width).tolist()
        pairs = zip(listed, rows, strict=True)
        return all(not moves or numbers_of(moves[-1]) == row for moves, row in pairs)

    def numbers(
        self, packed: npt.NDArray[np.uint64], best: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64] | None:
        """Return the numbers of the best moves, or None if only Python can give them."""
        if self.compiled is None:
            return None
        out = np.zeros((len(best), self.width), np.int64)
        self.compiled.chosen(packed, best, out.reshape(-1))
        return out

    def cells(self, rows: ChosenRows) -> list[Cells]:
        """Return the best moves as cells: the moves, and their names."""
        has_move = rows.best >= 0
        if rows.moves is None:
            return self._python_cells(rows, has_move)
        moves = rows.moves[:, 0] if self.width == 1 else rows.moves
        name_of_row, first = _distinct(rows.moves, has_move)
        labels = [self._name(rows, int(row)) for row in first]
        return [Cells(moves, has_move), Cells(name_of_row, has_move, labels)]

    def _name(self, rows: ChosenRows, row: int) -> str:
        """Return the name of the best move of a row."""
        assert rows.moves is not None  # noqa: S101  # or nobody would ask
        key = tuple(rows.moves[row].tolist())
        if key not in self._names:
            if len(self._names) >= _NAMES:
                self._names.clear()
            self._names[key] = self.rules.move_name(self._move(rows, row))
        return self._names[key]

    def _move(self, rows: ChosenRows, row: int) -> Any:
        """Return the best move of a row in the form of the rules."""
        words = self.rules.layout.words
        position = self.rules.layout.unpack(rows.packed[row * words : (row + 1) * words])
        return self.rules.moves(position)[int(rows.best[row])]

    def _python_cells(self, rows: ChosenRows, has_move: npt.NDArray[np.bool_]) -> list[Cells]:
        texts: dict[str, int] = {}
        names: dict[str, int] = {}
        text_of_row = np.zeros((2, len(has_move)), np.int32)
        for row in np.flatnonzero(has_move).tolist():
            move = self._move(rows, row)
            text_of_row[0, row] = texts.setdefault(str(as_json(move)), len(texts))
            text_of_row[1, row] = names.setdefault(self.rules.move_name(move), len(names))
        return [
            Cells(text_of_row[0], has_move, list(texts)),
            Cells(text_of_row[1], has_move, list(names)),
        ]


def _first_positions(rules: Rules) -> Iterator[Any]:
    """Yield the starts, and the first positions that follow from them by chance alone."""
    queue = deque[Any]()
    for words in rules.start_words():
        queue.append(rules.layout.unpack(words.tolist()))
        seen = set(queue) if rules.has_chance else set()
        while queue:
            position = queue.popleft()
            if not rules.is_chance(position):
                yield position
                continue
            children = [rules.play(position, face) for face in rules.moves(position)]
            new_children = [child for child in children if child not in seen][:_TRIED]
            seen.update(new_children)
            queue.extend(new_children if len(seen) < _NAMES else [])


def _distinct(
    moves: npt.NDArray[np.int64], has_move: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return the number of each row's move among the distinct ones, and the first row of each.

    The distinct moves are in the order of these rows, which does not depend on the batch size.
    """
    rows = np.flatnonzero(has_move)
    move_of_row = np.zeros(len(moves), np.int32)
    if not len(rows):
        return move_of_row, rows
    keys = moves[rows]
    low = keys.min(0)
    spans = keys.max(0) - low + 1
    size = float(np.prod(spans.astype(float)))
    if size <= 1 << 16:
        # Most games have few different moves: they are counted, not sorted.
        numbers = np.ravel_multi_index(tuple((keys - low).T), tuple(spans.tolist()))
        first_rows = np.full(int(size), -1, np.int64)
        first_rows[numbers[::-1]] = rows[::-1]
        order = np.flatnonzero(first_rows >= 0)
        order = order[np.argsort(first_rows[order])]
        place = np.zeros(int(size), np.int32)
        place[order] = np.arange(len(order))
        move_of_row[rows] = place[numbers]
        return move_of_row, first_rows[order]
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    move_of_row[rows] = place[inverse.reshape(-1)]
    return move_of_row, rows[first[order]]
