"""Rows of a dataset: positions with their values and their best moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import Ledger
from zermelo._store.column_files import Cells, Cost, SheetColumn
from zermelo.analysis.survey import GameSurvey
from zermelo.errors import ParameterError
from zermelo.game.placement import PlacementGame
from zermelo.progress import Reporter
from zermelo.solution.dataset.expected_values import move_values_of
from zermelo.solution.dataset.moves import GameSource, MoveValues, Numbers, ValuedMoves
from zermelo.solution.dataset.split import DatasetPart, SymmetryClasses
from zermelo.solution.export.batches import ROWS, BatchRow
from zermelo.solution.export.files import answer_cells, answer_columns
from zermelo.solution.export.rows import GameRows
from zermelo.values.expectations import Expectations

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Codes, Kind

#: The most different moves of a game that a dataset can have.
MOST_MOVES = 4096
#: The beginning of the names of columns of moves' values; the number for moves that are not legal,
#: and for what a value does not have.
_OF_MOVE, _NOT_LEGAL, _NONE = "move_", -2, -1
#: The numbers that values have besides the outcome.
_TOLD = ("remoteness", "score", "nimber", "lower", "upper")
#: The number of rows that are shuffled together.
SHUFFLED = 1 << 20


@dataclass
class MoveList:
    """All moves of a game, in a fixed order.

    Attributes:
        moves: the moves, as the game has them.
        names: their names.
        numbers: the numbers of each, shape (moves, width); None if moves consist of other things
            than integers.
    """

    moves: tuple[Any, ...]
    names: tuple[str, ...]
    numbers: Numbers | None
    _places: dict[Any, int] = field(default_factory=dict)

    def places(self, numbers: Numbers) -> Numbers:
        """Return the indices of the moves with these numbers, -1 for a move that is not listed."""
        assert self.numbers is not None  # noqa: S101  # or nobody would ask
        all_numbers = np.concatenate([self.numbers, numbers])
        _, row_of = np.unique(all_numbers, axis=0, return_inverse=True)
        row_of = row_of.reshape(-1)
        place = np.full(int(row_of.max()) + 1, -1, np.int64)
        place[row_of[: len(self.numbers)]] = np.arange(len(self.numbers))
        places: Numbers = place[row_of[len(self.numbers) :]]
        return places

    def place(self, move: Any) -> int:
        """Return the index of a move, -1 if it is not listed."""
        if not self._places:
            self._places.update((each, n) for n, each in enumerate(self.moves))
        return self._places.get(move, -1)


class MoveReader:
    """Assigns to each move of many positions its index among all moves of the game."""

    def __init__(self, source: GameSource, rules: Rules) -> None:
        """Store the positions and their rules."""
        self.source, self.rules = source, rules

    def numbers(self, keys: npt.NDArray[np.uint64], moves: ValuedMoves) -> Numbers | None:
        """Return the numbers of each move; None if moves do not consist of integers."""
        result: Numbers | None = None
        for n in range(int(moves.move_counts.max(initial=0))):
            positions = np.flatnonzero(moves.move_counts > n)
            numbers = self.source.move_numbers(
                keys[positions], np.full(len(positions), n, np.int64)
            )
            if numbers is None:
                return None
            if result is None:
                result = np.empty((len(moves.parent), numbers.shape[1]), np.int64)
            result[moves.first[positions] + n] = numbers
        return np.empty((0, 1), np.int64) if result is None else result

    def listed(self, keys: npt.NDArray[np.uint64]) -> Iterator[Any]:
        """Yield the moves of positions in the form of the rules, one position after another."""
        for position in self.source.positions(keys):
            if not self.rules.is_chance(position):
                yield from self.rules.moves(position)

    def all_moves(self, table: Table, book: MoveValues, report: Reporter) -> MoveList:
        """Return all moves that exist in any position.

        Raises:
            ParameterError: there are too many.
        """
        moves_by_key: dict[Any, Any] = {}
        whole = True
        with report.phase("moves", len(table)):
            position_count = 0
            for page in table.pages():
                keys = self.source.keys(page)
                valued_moves = book.read(self.source.expand(keys)).without_chance()
                numbers = self.numbers(keys, valued_moves)
                whole = whole and numbers is not None
                if numbers is None:
                    moves_by_key.update((move, move) for move in self.listed(keys))
                else:
                    self._add_moves(moves_by_key, keys, valued_moves, numbers)
                if len(moves_by_key) > MOST_MOVES:
                    message = (
                        f"{self.rules.name} has more than {MOST_MOVES:,} different moves, too many "
                        "for a mask of them; give moves=() to leave the masks out"
                    )
                    raise ParameterError(message)
                position_count += len(page)
                report.advance(position_count)
        try:
            order = sorted(moves_by_key)
        except TypeError:
            order = sorted(moves_by_key, key=str)
        return self.move_list(
            [moves_by_key[key] for key in order], order if whole and order else None
        )

    def move_list(self, moves: Sequence[Any], numbers: Sequence[Any] | None) -> MoveList:
        """Return a list of moves."""
        names = tuple(self.rules.move_name(move) for move in moves)
        array = None
        if numbers is not None:
            array = np.array([list(row) for row in numbers], np.int64).reshape(len(moves), -1)
        return MoveList(tuple(moves), names, array)

    def _add_moves(
        self,
        moves_by_key: dict[Any, Any],
        keys: npt.NDArray[np.uint64],
        moves: ValuedMoves,
        numbers: Numbers,
    ) -> None:
        """Store the moves with new numbers."""
        different, first = np.unique(numbers, axis=0, return_index=True)
        for row, edge in zip(different.tolist(), first.tolist(), strict=True):
            if tuple(row) not in moves_by_key:
                parent = int(moves.parent[edge])
                position = self.source.positions(keys[parent : parent + 1])[0]
                move = self.rules.moves(position)[edge - int(moves.first[parent])]
                moves_by_key[tuple(row)] = move


@dataclass(frozen=True)
class PlaneBoard:
    """The arrangement of a position's fields on a board.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        fields: the fields on the board: for a bit field, its index among the numbers of a position;
            for a field with a number for each cell, the list of these indices.
        cells: for each cell, row by row from the top, its bit or its index in the list.
    """

    rows: int
    columns: int
    fields: tuple[int | tuple[int, ...], ...]
    cells: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        """The number of planes, and their rows and columns."""
        return len(self.fields), self.rows, self.columns

    def planes(self, rows: Numbers) -> npt.NDArray[np.int8]:
        """Return the planes of positions, shape (n, planes, rows, columns)."""
        cells = np.array(self.cells)
        out = np.empty((len(rows), len(self.fields), len(cells)), np.int8)
        for n, slot in enumerate(self.fields):
            if isinstance(slot, tuple):
                out[:, n] = rows[:, np.array(slot)[cells]]
            else:
                out[:, n] = rows[:, slot, np.newaxis] >> cells & 1
        return out.reshape(len(rows), *self.shape)


def board_of(rules: Rules, shape: tuple[int, int] | None) -> PlaneBoard | None:
    """Return the board of a game, or None if it has no known board.

    Args:
        rules: the rules.
        shape: the rows and columns, if the game does not say.

    Raises:
        ParameterError: no field has a bit or a number for each cell of such a board.
    """
    game = rules.game
    slots = rules.layout.slots
    if shape is None:
        if not isinstance(game, PlacementGame):
            return None
        high, wide = int(game.height), int(game.width)
        down = range(high - 1, -1, -1) if game.gravity else range(high)
        cells = tuple(int(game.bit(x, y)) for y in down for x in range(wide))
        return PlaneBoard(high, wide, tuple(range(len(slots))), cells)
    try:
        high, wide = (int(side) for side in shape)
    except (TypeError, ValueError):
        high = wide = 0
    if high < 1 or wide < 1:
        message = f"board_shape={shape!r} is not a shape; give rows and columns, such as (3, 3)"
        raise ParameterError(message)
    fields: list[int | tuple[int, ...]] = []
    size = high * wide
    for number in range(len(rules.layout.fields)):
        field_slots = [n for n, slot in enumerate(slots) if slot.field == number]
        listed = slots[field_slots[0]].item is not None if field_slots else False
        if listed and len(field_slots) == size:
            fields.append(tuple(field_slots))
        elif not listed and len(field_slots) == 1 and slots[field_slots[0]].bits >= size:
            fields.append(field_slots[0])
    if not fields:
        message = (
            f"board_shape={shape!r} does not fit {rules.name}: no field has a bit or a number "
            f"for each of {high * wide} cells; leave board_shape out"
        )
        raise ParameterError(message)
    return PlaneBoard(high, wide, tuple(fields), tuple(range(high * wide)))


@dataclass
class LabelledRows:
    """Some rows before conversion to cells.

    Attributes:
        fields: the numbers of the positions.
        codes: their values.
        players: the players to move, or empty.
        legal: which moves exist, shape (n, moves).
        best: which of them are best.
        values: the values of the moves, an array for each column of ``move_columns``; empty if they
            are not requested.
        by_chance: whether chance decides there; empty in games without chance.
    """

    fields: Numbers
    codes: Codes
    players: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.bool_]
    best: npt.NDArray[np.bool_]
    values: list[npt.NDArray[Any]]
    by_chance: npt.NDArray[np.bool_]


def move_columns(kind: Kind, names: Sequence[str]) -> list[SheetColumn]:
    """Return the columns with the value of each move for the player who makes it.

    A move that is not legal has the outcome -2, and -1 in the others; a bound is then not a number.
    """
    types: dict[str, np.dtype[Any]] = {"outcome": np.dtype(np.int8)}
    types |= {
        answer.name: np.dtype(answer.dtype)
        for answer in kind.answers
        if answer.dtype is not None and answer.name in _TOLD
    }
    return [
        SheetColumn(f"{_OF_MOVE}{name}", dtype, tuple(f"{_OF_MOVE}{name}[{m}]" for m in names))
        for name, dtype in types.items()
    ]


class DatasetRows(GameRows):
    """The rows of a dataset, computed by one thread; see ``SolutionRows``."""

    def __init__(
        self,
        compiled: CompiledRules,
        table: Table,
        moves: MoveList,
        board: PlaneBoard | None,
        part: DatasetPart,
        twins: SymmetryClasses,
        shuffle: int | None = None,
        *,
        values: bool = False,
    ) -> None:
        """Store the sources of the rows; with a seed in ``shuffle`` their order is random."""
        self.listing, self.board, self.part, self.twins = moves, board, part, twins
        self.shuffle = shuffle
        has_values = values and bool(moves.names)
        self.move_columns = move_columns(compiled.kind, moves.names) if has_values else []
        super().__init__(compiled, table, moves=True)
        self.book = move_values_of(compiled.kind)

    def __len__(self) -> int:
        """Return the number of rows; for part of them, after a pass over all."""
        if self.part.is_whole:
            return len(self.table)
        return sum(int(self._kept(page).sum()) for page in self.table.pages())

    def _kept(self, places: Numbers) -> npt.NDArray[np.bool_]:
        packed = self.table.packed(places).reshape(len(places), -1)
        return self.part.contains(self.twins.canonical(packed))

    def _columns(self) -> Iterator[SheetColumn]:
        for column, _ in self.fields:
            yield column
        if not self.rules.alternate:
            yield SheetColumn("player", np.dtype(np.int8))
        yield from answer_columns(self.compiled.kind)
        if self.rules.has_chance:
            yield SheetColumn("expectation", np.dtype(np.float64))
            yield SheetColumn("chance", np.dtype(np.bool_))
        for name in ("legal", "best") if self.listing.names else ():
            items = tuple(f"{name}[{each}]" for each in self.listing.names)
            yield SheetColumn(name, np.dtype(np.bool_), items)
        yield from self.move_columns
        if self.board is not None:
            planes, high, wide = self.board.shape
            items = tuple(
                f"planes[{p}][{y}][{x}]"
                for p in range(planes)
                for y in range(high)
                for x in range(wide)
            )
            yield SheetColumn("planes", np.dtype(np.int8), items)

    def _row(self) -> BatchRow:
        """Return the size of a row, with the numbers of moves' values."""
        row = super()._row()
        value_count = len(self.move_columns) * len(self.listing.names)
        return replace(row, numbers=row.numbers + value_count)

    @contextmanager
    def prepare(self, cost: Cost, threads: int, ledger: Ledger, report: Reporter) -> Iterator[int]:
        """Prepare the table for reading, and one thread for the computation of rows."""
        with super().prepare(cost, threads, ledger, report):
            self.source = GameSource(GameSurvey(self.compiled, self.lookup))
            self.reader = MoveReader(self.source, self.rules)
            yield 1

    def chunks(self) -> Iterator[Numbers]:
        """Yield all indices in chunks, shuffled among about a million if requested."""
        if self.shuffle is None:
            yield from super().chunks()
            return
        chance = np.random.default_rng(self.shuffle)
        pages = list(self.table.pages())
        order = chance.permutation(len(pages)).tolist()
        window: list[Numbers] = []
        for n, page in enumerate(order):
            window.append(pages[page])
            if n + 1 == len(order) or sum(map(len, window)) >= SHUFFLED:
                places = chance.permutation(np.concatenate(window))
                for start in range(0, len(places), self.size):
                    yield places[start : start + self.size]
                window.clear()

    def compute(self, places: Numbers) -> Any:
        """Compute some rows."""
        if not self.part.is_whole:
            places = places[self._kept(places)]
        keys = self.source.keys(places)
        shape = len(places), len(self.listing.names)
        legal, best = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
        players, by_chance = np.zeros(0, np.uint8), np.zeros(0, np.bool_)
        values: list[npt.NDArray[Any]] = []
        if shape[1] or not self.rules.alternate or self.rules.has_chance:
            moves = self.book.read(self.source.expand(keys)).without_chance()
            players, by_chance = moves.raw.owners, moves.raw.by_chance
            if shape[1]:
                move_indices = self._move_indices(keys, moves)
                legal[moves.parent, move_indices] = True
                best[moves.parent[moves.best], move_indices[moves.best]] = True
                values = [
                    self._values(column, shape, moves, move_indices) for column in self.move_columns
                ]
        fields = self.rules.layout.unpack_many(np.ascontiguousarray(keys).reshape(-1))
        codes = self.table.values(places)
        return LabelledRows(fields, codes, players, legal, best, values, by_chance)

    def _values(
        self, column: SheetColumn, shape: tuple[int, int], moves: ValuedMoves, move_indices: Numbers
    ) -> npt.NDArray[Any]:
        """Return one column of the values of moves, shape (n, moves).

        Args:
            column: the column.
            shape: the shape.
            moves: the moves.
            move_indices: the index of each among all moves.
        """
        name = column.name.removeprefix(_OF_MOVE)
        absent: float = _NOT_LEGAL if name == "outcome" else _NONE
        if column.dtype == np.float64:
            absent = np.nan
        out = np.full(shape, absent, column.dtype)
        numbers = self.book.column(name, moves.value_number, _NONE)
        out[moves.parent, move_indices] = numbers
        return out

    def _move_indices(self, keys: npt.NDArray[np.uint64], moves: ValuedMoves) -> Numbers:
        """Return the index of each move among all moves.

        Raises:
            ParameterError: the given list lacks one.
        """
        numbers = None if self.listing.numbers is None else self.reader.numbers(keys, moves)
        if numbers is None:
            indices = np.array(
                [self.listing.place(each) for each in self.reader.listed(keys)], np.int64
            )
        else:
            indices = self.listing.places(numbers)
        if (indices < 0).any():
            edge = int(np.argmin(indices))
            parent = int(moves.parent[edge])
            position = self.source.positions(keys[parent : parent + 1])[0]
            move = self.rules.moves(position)[edge - int(moves.first[parent])]
            message = (
                f"moves={list(self.listing.moves)!r} lacks {move!r}, a move of {position!r}; list "
                "every move, or leave moves out"
            )
            raise ParameterError(message)
        return indices

    def cells(self, computed: Any) -> Iterator[list[Cells]]:
        """Yield rows as the cells of each column, in small groups."""
        rows: LabelledRows = computed
        for start in range(0, len(rows.codes), ROWS):
            group = slice(start, start + ROWS)
            numbers = rows.fields[group]
            cells = [
                Cells(numbers[:, part] if len(part) > 1 else numbers[:, part[0]])
                for _, part in self.fields
            ]
            if not self.rules.alternate:
                cells.append(Cells(rows.players[group]))
            kind = self.compiled.kind
            cells += answer_cells(kind, rows.codes[group])
            if isinstance(kind, Expectations):
                codes = rows.codes[group]
                double_middle = kind.lowers(codes) + kind.uppers(codes)
                cells += [Cells(double_middle * (kind.unit / 2)), Cells(rows.by_chance[group])]
            if self.listing.names:
                cells += [Cells(rows.legal[group]), Cells(rows.best[group])]
                cells += [Cells(column_values[group]) for column_values in rows.values]
            if self.board is not None:
                planes = self.board.planes(numbers)
                cells.append(Cells(planes.reshape(len(planes), -1)))
            yield cells
