"""Every position with its value as record batches of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zermelo._engine.core.ledger import Ledger
from zermelo._store.column_files import SHEETS, Cells, SheetColumn
from zermelo.forms.columns import import_package
from zermelo.progress import Reporter
from zermelo.solution.export.files import compute_rows

if TYPE_CHECKING:
    from zermelo.solution.solved_base import SolutionRows

#: A column of texts with few different ones.
_OUTCOME = "outcome"


def batches(rows: SolutionRows, threads: int) -> tuple[Any, Iterator[Any]]:
    """Return the schema of rows, and their batches, which are computed on demand.

    A field of a position with several numbers is several columns, as in CSV.

    Args:
        rows: the rows.
        threads: threads to use.
    """
    arrow = import_package("pyarrow")
    fields = [field for column in rows.columns for field in _fields(arrow, column)]
    schema = arrow.schema(fields)

    def record_batches() -> Iterator[Any]:
        cost = SHEETS["parquet"].cost(rows.columns)
        with rows.prepare(cost, threads, Ledger.for_budget(None), Reporter(None)) as crew:
            for cells in compute_rows(rows, crew):
                pairs = zip(rows.columns, cells, strict=True)
                arrays = [array for pair in pairs for array in _arrays(arrow, *pair)]
                yield arrow.RecordBatch.from_arrays(arrays, schema=schema)

    return schema, record_batches()


def _fields(arrow: Any, column: SheetColumn) -> Iterator[Any]:
    if column.dtype is None:
        text = arrow.string()
        kind = arrow.dictionary(arrow.int32(), text) if column.name == _OUTCOME else text
        yield arrow.field(column.name, kind)
        return
    for name in column.items or (column.name,):
        yield arrow.field(name, arrow.from_numpy_dtype(column.dtype))


def _arrays(arrow: Any, column: SheetColumn, cells: Cells) -> Iterator[Any]:
    mask = None if cells.present is None else ~cells.present
    if column.dtype is None:
        numbers = arrow.array(cells.numbers.astype("int32"), mask=mask)
        labels = arrow.array(list(cells.labels), arrow.string())
        texts = arrow.DictionaryArray.from_arrays(numbers, labels)
        yield texts if column.name == _OUTCOME else texts.cast(arrow.string())
        return
    for numbers in cells.numbers.reshape(len(cells.numbers), -1).T:
        yield arrow.array(numbers.astype(column.dtype), mask=mask)
