"""A dataset: every position of a solution with its labels, streamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import Ledger
from zermelo._store.column_files import SHEETS, Cells, SheetColumn
from zermelo.errors import MissingExtraError, ParameterError
from zermelo.forms.columns import Columns
from zermelo.forms.quantities import count_phrase
from zermelo.progress import Listener, Reporter
from zermelo.resources import memory_bytes
from zermelo.rules.layout import numbers_of
from zermelo.solution.dataset.expected_values import move_values_of
from zermelo.solution.dataset.moves import GameSource
from zermelo.solution.dataset.rows import DatasetRows, MoveList, MoveReader, PlaneBoard, board_of
from zermelo.solution.dataset.split import DatasetPart, SymmetryClasses
from zermelo.solution.export.arrow_batches import batches
from zermelo.solution.export.files import compute_rows, export
from zermelo.solution.game import SolvedGame

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo.solution.solved_base import Solved

#: Arrays by name.
Batch = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, repr=False, eq=False)
class Dataset(Columns):
    """Positions of a solution with their labels; made by ``Solution.dataset``.

    Only the table is in memory: rows are computed on demand. As columns
    (``to_pandas``, ``to_arrow``, ``to_batches``) a row is a position, and each item of a mask or a
    plane is a column such as ``best[c]``.

    Attributes:
        moves: all moves, as the game has them, in the order of the masks ``legal`` and ``best``.
        names: their names.
        planes: the planes, rows and columns of a position's board; None without a board.
    """

    _solved: SolvedGame
    _about: tuple[str, str, int]
    _listing: MoveList
    _board: PlaneBoard | None
    _values: bool = False
    _part: DatasetPart = field(default_factory=DatasetPart)
    _symmetries: Any = None

    @property
    def moves(self) -> tuple[Any, ...]:
        """All moves, as the game has them, in the order of the masks."""
        return self._listing.moves

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the moves."""
        return self._listing.names

    @property
    def planes(self) -> tuple[int, int, int] | None:
        """The number of planes of a position, and their rows and columns; None without a board."""
        return None if self._board is None else self._board.shape

    @cached_property
    def _count(self) -> int:
        return len(self._rows())

    def __len__(self) -> int:
        """Return the number of rows.

        For part of a dataset this takes a pass over all positions.
        """
        return self._count

    def __repr__(self) -> str:
        """Return a text with the game and the part of its positions."""
        share = ""
        if not self._part.is_whole:
            share = f", {100 * (self._part.high - self._part.low):.4g} % of its classes of twins"
        moves = count_phrase(len(self.names), "moves")
        return f"<Dataset of {self._solved.rules.description}: {moves}{share}>"

    def split(
        self, share: float, *, seed: int = 0, symmetries: Any = None
    ) -> tuple[Dataset, Dataset]:
        """Return two parts that share no position, nor one with a symmetric twin of the other.

        Equivalent positions are in the same part, chosen by a hash of their canonical position; so
        the first part has about this share of the positions. Either part may be split again.

        Args:
            share: the share of the first part, from 0 to 1.
            seed: makes another split; of part of a dataset it is that of the first split.
            symmetries: the game's symmetries, as its hook ``symmetries`` gives them; by default
                that hook, or ``canonical``, or for a placement game the rotations and reflections
                of its board that keep its lines.

        Raises:
            ParameterError: the share is not a number from 0 to 1.
            RulesError: the symmetries do not fit the positions.
        """
        argument: Any = share
        is_number = isinstance(argument, int | float) and not isinstance(argument, bool)
        if not is_number or not 0 <= argument <= 1:
            message = f"share={share!r} is not a share; give a number from 0 to 1, such as 0.9"
            raise ParameterError(message)
        argument = seed
        is_integer = isinstance(argument, int) and not isinstance(argument, bool)
        if not is_integer or not 0 <= argument < 1 << 64:
            message = f"seed={seed!r} is not a seed; give a whole number from 0"
            raise ParameterError(message)
        part, symmetric = DatasetPart(seed), symmetries
        if not self._part.is_whole:
            part = self._part
            if seed not in (0, part.seed) or symmetries is not None:
                message = "this is part of a split already; choose seed and symmetries there"
                raise ParameterError(message)
            symmetric = self._symmetries
        first, second = part.split(share)
        SymmetryClasses(self._solved.compiled, symmetric)  # refused before anything is streamed
        return (
            replace(self, _part=first, _symmetries=symmetric),
            replace(self, _part=second, _symmetries=symmetric),
        )

    def batches(self, size: int = 4096, *, shuffle: int | None = None) -> Iterator[Batch]:
        """Yield arrays of ``size`` rows each, except for the last.

        Each batch is a dictionary: ``positions`` (n, numbers in a position) int64, as
        ``probe_many`` takes them; ``player`` int8, if players do not strictly alternate;
        ``outcome`` int8, 1, 0 or -1 for the player to move; ``remoteness`` or ``score``, with -1
        for no remoteness; in a game with chance ``lower``, ``upper`` and their middle
        ``expectation``, float64, and ``chance`` bool, where chance decides and all masks are False;
        ``legal`` and ``best`` (n, moves) bool; with
        ``move_values=True`` ``move_outcome`` (n, moves) int8, -2 for an illegal move, and
        ``move_remoteness`` or ``move_score``, -1 for it, or ``move_lower`` and ``move_upper``, not
        a number for it; and ``planes`` (n, planes, rows, columns)
        int8, if there is a board.

        Args:
            size: the number of rows of a batch.
            shuffle: the seed of a random order, drawn among about a million rows at a time; with
                None, rows have the order of the solution.

        Raises:
            ParameterError: the size is not a positive integer.
        """
        argument: Any = size
        if isinstance(argument, bool) or not isinstance(argument, int) or argument < 1:
            message = f"size={size!r} is not a number of rows; give 1 or more"
            raise ParameterError(message)
        rows = self._rows(shuffle)
        return _rebatch(self._arrays(rows), size)

    def torch(self, size: int = 4096, *, shuffle: int | None = None) -> Any:
        """Return the batches as a ``torch.utils.data.IterableDataset`` of tensors.

        Give it to ``DataLoader(data, batch_size=None)``, or iterate over it. With ``shuffle`` every
        further pass has another order.

        Args:
            size: the number of rows of a batch.
            shuffle: see ``batches``.

        Raises:
            MissingExtraError: PyTorch is not installed: ``pip install 'zermelo[torch]'``.
            ParameterError: the size is not a positive integer.
        """
        if find_spec("torch") is None:
            message = "tensors need torch, which is not installed; run pip install 'zermelo[torch]'"
            raise MissingExtraError(message)
        self.batches(size)  # raises an error now, and not at the first batch
        from zermelo.solution.dataset.tensors import TensorBatches

        return TensorBatches(partial(self.batches, size), shuffle)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002  # as ``Solution.export`` calls it
        overwrite: bool = False,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Path:
        """Write the rows to Parquet, CSV or npz, as ``Solution.export`` does.

        In Parquet and npz each mask is one column with an item for each move, and the planes are
        one column with an item for each cell.

        Args:
            path: the file to write.
            format: "parquet", "csv" or "npz"; by default the suffix of the path.
            overwrite: whether an existing file may be replaced.
            memory: see ``Solution.export``.
            progress: called with an ``Event`` from time to time.

        Returns:
            The path.

        Raises:
            ParameterError: there is no such format.
            MissingExtraError: Parquet needs pyarrow: ``pip install 'zermelo[export]'``.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
            BudgetError: the memory is too little.
        """
        method, choice, threads = self._about
        return export(
            self._rows(),
            path,
            form=format,
            overwrite=overwrite,
            memory=memory_bytes(memory),
            threads=threads,
            method=method,
            choice=choice,
            report=Reporter(progress),
        )

    # -- within -----------------------------------------------------------------------------------

    def _rows(self, shuffle: int | None = None) -> DatasetRows:
        solved = self._solved
        return DatasetRows(
            solved.compiled,
            solved.table,
            self._listing,
            self._board,
            self._part,
            SymmetryClasses(solved.compiled, self._symmetries),
            shuffle,
            values=self._values,
        )

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return batches(self._rows(), self._about[2])

    def _arrays(self, rows: DatasetRows) -> Iterator[Batch]:
        """Yield rows as arrays, one batch of the computation each."""
        cost = SHEETS["npz"].cost(rows.columns)
        with rows.prepare(cost, 1, Ledger.for_budget(None), Reporter(None)) as crew:
            for cells in compute_rows(rows, crew):
                yield self._as_arrays(rows, cells)

    def _as_arrays(self, rows: DatasetRows, cells: Sequence[Cells]) -> Batch:
        width = len(rows.fields)
        flat = [
            column_cells.numbers.reshape(len(column_cells.numbers), -1)
            for column_cells in cells[:width]
        ]
        batch: Batch = {"positions": np.concatenate(flat, axis=1).astype(np.int64)}
        for column, column_cells in zip(rows.columns[width:], cells[width:], strict=True):
            batch[column.name] = _numbers(column, column_cells)
        if self._board is not None:
            batch["planes"] = batch["planes"].reshape(-1, *self._board.shape)
        return batch


def _numbers(column: SheetColumn, cells: Cells) -> npt.NDArray[Any]:
    """Return the cells of a column as numbers, with outcomes as 1, 0 and -1."""
    if column.dtype is None:
        return (cells.numbers - 1).astype(np.int8)
    numbers = cells.numbers.astype(column.dtype, copy=False)
    return numbers if cells.present is None else np.where(cells.present, numbers, column.missing)


def _rebatch(arrays: Iterator[Batch], size: int) -> Iterator[Batch]:
    """Cut arrays into batches of one size, except for the last."""
    waiting: Batch = {}
    with closing(arrays):  # type: ignore[type-var]  # it is a generator
        for batch in arrays:
            if waiting and len(waiting["positions"]):
                batch = {  # noqa: PLW2901  # what was left, and what came
                    name: np.concatenate([waiting[name], part]) for name, part in batch.items()
                }
            count = len(batch["positions"])
            for start in range(0, count - size + 1, size):
                yield {name: part[start : start + size] for name, part in batch.items()}
            waiting = {name: part[count - count % size :] for name, part in batch.items()}
        if waiting and len(waiting["positions"]):
            yield waiting


def dataset_of(
    solved: Solved,
    about: tuple[str, str, int],
    moves: Sequence[Any] | None,
    board: tuple[int, int] | None,
    report: Reporter,
    *,
    values: bool,
) -> Dataset:
    """Return the dataset of a solution; see ``Solution.dataset``.

    Args:
        solved: the solved game.
        about: the method, how it was chosen, and the number of threads to use.
        moves: all moves, or None.
        board: rows and columns, or None.
        report: receives the progress.
        values: whether every move has its value.
    """
    if not isinstance(solved, SolvedGame):
        message = (
            f"{solved.rules.description} has no class, and so no list of moves that all positions "
            "share; export it, or take its arrays"
        )
        raise ParameterError(message)
    if values and moves is not None and not len(moves):
        message = "moves=() leaves out all columns of moves, move_values=True too; leave one out"
        raise ParameterError(message)
    rules = solved.rules
    plane_board = board_of(rules, board)
    source = GameSource(solved.survey())
    reader = MoveReader(source, rules)
    if moves is None:
        listing = reader.all_moves(solved.table, move_values_of(solved.table.kind), report)
    else:
        numbers = [numbers_of(move) for move in moves]
        whole = all(numbers) and len({len(row) for row in numbers}) == 1
        listing = reader.move_list(list(moves), numbers if whole else None)
    return Dataset(solved, about, listing, plane_board, values)
