"""Answers as flat columns, for pandas, Arrow and all programs that read Arrow's streams."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from zermelo.errors import MissingExtraError


class Columns(ABC):
    """An answer that can be read as flat columns: numbers and texts, without nesting.

    Polars, DuckDB, pyarrow and others read it directly, batch by batch, by the Arrow C stream
    interface: ``polars.DataFrame(answer)``, ``pyarrow.table(answer)``.
    """

    __slots__ = ()

    @abstractmethod
    def _batches(self) -> tuple[Any, Iterator[Any]]:
        """Return the schema and the record batches, for pyarrow."""

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.Table``.

        Raises:
            MissingExtraError: pyarrow is not installed: ``pip install 'zermelo[frames]'``.
        """
        arrow = import_package("pyarrow")
        schema, batches = self._batches()
        return arrow.Table.from_batches(list(batches), schema)

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``.

        Integers remain integers: a column with missing numbers is pandas' ``Int64`` or the like,
        and such a cell is ``<NA>``. Outcomes are categories.

        Raises:
            MissingExtraError: pandas or pyarrow is not installed: ``pip install
                'zermelo[frames]'``.
        """
        pandas = import_package("pandas")
        table = self.to_arrow()
        nullable_names = {
            field.name for field in table.schema if table.column(field.name).null_count
        }
        frame = table.to_pandas(integer_object_nulls=True)
        for field in table.schema:
            if field.name in nullable_names and str(field.type).startswith(("int", "uint")):
                name = str(field.type).replace("int", "Int").replace("uInt", "UInt")
                frame[field.name] = pandas.array(frame[field.name].tolist(), dtype=name)
        return frame

    def to_batches(self) -> Any:
        """Return a ``pyarrow.RecordBatchReader``, which computes one batch of rows after another.

        Raises:
            MissingExtraError: pyarrow is not installed: ``pip install 'zermelo[frames]'``.
        """
        arrow = import_package("pyarrow")
        return arrow.RecordBatchReader.from_batches(*self._batches())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as a capsule of Arrow's C stream interface.

        Raises:
            MissingExtraError: pyarrow is not installed: ``pip install 'zermelo[frames]'``.
        """
        return self.to_batches().__arrow_c_stream__(requested_schema)


def import_package(name: str) -> Any:
    """Return a package for data frames.

    Raises:
        MissingExtraError: it is not installed.
    """
    from importlib import import_module

    if find_spec(name) is None:
        message = (
            f"data frames need {name}, which is not installed; run pip install 'zermelo[frames]'"
        )
        raise MissingExtraError(message)
    return import_module(name)


def one_batch(
    columns: dict[str, Any], labels: frozenset[str] = frozenset()
) -> tuple[Any, Iterator[Any]]:
    """Return columns as a schema and one batch.

    Args:
        columns: lists or arrays of numbers or texts by name; None is a missing value.
        labels: the columns of text with few distinct values.
    """
    arrow = import_package("pyarrow")
    arrays = {}
    for name, column in columns.items():
        array = column if isinstance(column, arrow.Array) else arrow.array(column)
        if arrow.types.is_null(array.type):
            array = array.cast(arrow.int64())
        arrays[name] = array.cast(arrow.string()).dictionary_encode() if name in labels else array
    batch = arrow.RecordBatch.from_pydict(arrays)
    return batch.schema, iter([batch])


def flat_cells(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value as cells of flat columns, with names such as ``a.b`` for nested values.

    Args:
        name: the name of the column, or the first part of the names of all columns.
        value: numbers, texts, None, or dictionaries, named tuples, tuples and lists of these.
    """
    if isinstance(value, dict):
        parts = list(value.items())
    elif hasattr(value, "_asdict"):
        parts = list(value._asdict().items())
    elif isinstance(value, tuple | list):
        for n, item in enumerate(value):
            yield from flat_cells(f"{name}[{n}]", item)
        return
    elif hasattr(value, "item") and not isinstance(value, str):
        yield name, value.item()
        return
    else:
        yield name, value
        return
    for key, item in parts:
        yield from flat_cells(f"{name}.{key}" if name else str(key), item)


def columns_of_rows(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return rows of cells as columns; a missing cell is None."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}
