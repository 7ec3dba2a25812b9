"""Writers of columns for other programs: Parquet, CSV and NumPy's npz.

A sheet is created with its columns, and then receives batches of rows. Its memory does not grow
with the number of rows. The file is written under a temporary name, and renamed when it is
complete.
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from zermelo.atomic_write import check_file, create_draft, write_error
from zermelo.errors import MissingExtraError, ZermeloError

#: The date in archives, constant so that equal rows give equal files.
_ARCHIVE_DATE = (1980, 1, 1, 0, 0, 0)
_COPY_BYTES = 1 << 17
#: Rows that are converted to Python objects in one batch, in CSV, and bytes of an object.
_LINES, _OBJECT = 1 << 10, 128
#: Bytes that Arrow takes: for a file; for each number of a row group; and for the metadata of each
#: column of a row group, until the end of the file.
_ARROW, _ENCODED, _GROUP_METADATA = 6 << 20, 104, 960


@dataclass(frozen=True)
class SheetColumn:
    """A column of a sheet.

    Attributes:
        name: its name.
        dtype: the type of its numbers; None for text, which is given as numbers of labels.
        items: the names of its items, if a cell has several numbers; else empty.
        nullable: whether cells may be empty.
        missing: the number for an empty cell, in formats without a mark for it.
    """

    name: str
    dtype: np.dtype[Any] | None
    items: tuple[str, ...] = ()
    nullable: bool = False
    missing: int = -1


@dataclass
class Cells:
    """Some rows of one column.

    Attributes:
        numbers: shape (n,), or (n, items); for text, the label of each row.
        present: which rows are not empty; None for all.
        labels: for text, the labels.
    """

    numbers: npt.NDArray[Any]
    present: npt.NDArray[np.bool_] | None = None
    labels: Sequence[str] = ()

    def rows(self, rows: slice) -> Cells:
        """Return some of the rows."""
        present = None if self.present is None else self.present[rows]
        return Cells(self.numbers[rows], present, self.labels)


@dataclass(frozen=True)
class Cost:
    """The bytes of memory that writing takes, without the cells.

    Attributes:
        fixed: for any file.
        row: for each row of a batch.
        group: for each batch, until the file is complete.
    """

    fixed: int
    row: int = 0
    group: int = 0


class Sheet(ABC):
    """A file of columns that is being written."""

    @staticmethod
    @abstractmethod
    def cost(columns: Sequence[SheetColumn]) -> Cost:
        """Return the memory of writing these columns."""

    def __init__(
        self, part: Path, columns: Sequence[SheetColumn], about: Mapping[str, Any]
    ) -> None:
        """Create the file.

        Args:
            part: the file to write.
            columns: its columns.
            about: JSON data about the table, for formats that allow it.
        """
        self.part = part
        self.columns = columns
        self.about = json.dumps(about)

    @abstractmethod
    def write(self, rows: Sequence[Cells]) -> None:
        """Append a batch of rows: the cells of each column."""

    @abstractmethod
    def finish(self) -> None:
        """Write the remaining data and complete the file."""

    @abstractmethod
    def abandon(self) -> None:
        """Close all resources, whether or not the file is complete."""


class CsvSheet(Sheet):
    """Comma-separated values: a line of names, then a line for each row; empty cells are empty."""

    def __init__(
        self, part: Path, columns: Sequence[SheetColumn], about: Mapping[str, Any]
    ) -> None:
        """Write the line of names."""
        super().__init__(part, columns, about)
        self._file: IO[str] = part.open("w", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(name for column in columns for name in column.items or (column.name,))

    @staticmethod
    def cost(columns: Sequence[SheetColumn]) -> Cost:
        """Return the memory of writing: the objects of a batch of lines."""
        return Cost(_LINES * _OBJECT * _width(columns))

    def write(self, rows: Sequence[Cells]) -> None:
        """Append rows in small batches, as Python objects take many times the memory of arrays."""
        for start in range(0, len(rows[0].numbers), _LINES):
            batch = slice(start, start + _LINES)
            lists = [
                values
                for column, cells in zip(self.columns, rows, strict=True)
                for values in _csv_columns(column, cells.rows(batch))
            ]
            self._writer.writerows(zip(*lists, strict=True))

    def finish(self) -> None:
        """Write the buffered data and sync the file."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def abandon(self) -> None:
        """Close the file."""
        with contextlib.suppress(OSError):
            self._file.close()


def _width(columns: Sequence[SheetColumn]) -> int:
    """Return the number of numbers in a row."""
    return sum(len(column.items) or 1 for column in columns)


def _csv_columns(column: SheetColumn, cells: Cells) -> Iterator[list[Any]]:
    """Yield the CSV columns of one column, as lists of Python objects."""
    if column.dtype is None:
        texts = np.array([*cells.labels, ""], object)
        numbers = (
            cells.numbers if cells.present is None else np.where(cells.present, cells.numbers, -1)
        )
        yield texts[numbers].tolist()
        return
    for numbers in cells.numbers.reshape(len(cells.numbers), -1).T:
        if cells.present is None:
            yield numbers.tolist()
        else:
            objects = numbers.astype(object)
            objects[~cells.present] = ""
            yield objects.tolist()


class ParquetSheet(Sheet):
    """Parquet: compressed columns, which most data tools read."""

    def __init__(
        self, part: Path, columns: Sequence[SheetColumn], about: Mapping[str, Any]
    ) -> None:
        """Create the file.

        Raises:
            MissingExtraError: pyarrow is not installed.
        """
        super().__init__(part, columns, about)
        self._arrow, parquet = import_arrow()
        fields = [
            self._arrow.field(column.name, self._type(column), nullable=column.nullable)
            for column in columns
        ]
        self._schema = self._arrow.schema(fields, metadata={"zermelo": self.about})
        self._file = part.open("wb")
        self._writer = parquet.ParquetWriter(self._file, self._schema, compression="zstd")

    @staticmethod
    def cost(columns: Sequence[SheetColumn]) -> Cost:
        """Return the memory of writing: Arrow's data of a group, and its metadata."""
        return Cost(_ARROW, _ENCODED * _width(columns), _GROUP_METADATA * _width(columns))

    def write(self, rows: Sequence[Cells]) -> None:
        """Append rows as a row group."""
        arrays = [self._array(*pair) for pair in zip(self.columns, rows, strict=True)]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        # Arrow would keep freed memory for later groups.
        self._arrow.default_memory_pool().release_unused()

    def finish(self) -> None:
        """Write the metadata at the end of the file, and sync the file."""
        self._writer.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def abandon(self) -> None:
        """Close the file."""
        with contextlib.suppress(Exception):  # it may be closed, or the disk full
            self._writer.close()
        with contextlib.suppress(OSError):
            self._file.close()

    def _type(self, column: SheetColumn) -> Any:
        arrow = self._arrow
        if column.dtype is None:
            return arrow.dictionary(arrow.int32(), arrow.string())
        kind = arrow.from_numpy_dtype(column.dtype)
        return arrow.list_(kind, len(column.items)) if column.items else kind

    def _array(self, column: SheetColumn, cells: Cells) -> Any:
        arrow, mask = self._arrow, None if cells.present is None else ~cells.present
        if column.dtype is None:
            numbers = arrow.array(cells.numbers.astype(np.int32), mask=mask)
            labels = arrow.array(list(cells.labels), arrow.string())
            return arrow.DictionaryArray.from_arrays(numbers, labels)
        if not column.items:
            return arrow.array(cells.numbers.astype(column.dtype, copy=False), mask=mask)
        flat = arrow.array(np.ascontiguousarray(cells.numbers, column.dtype).reshape(-1))
        nulls = None if mask is None else arrow.array(mask)
        return arrow.FixedSizeListArray.from_arrays(flat, type=self._type(column), mask=nulls)


class NpzSheet(Sheet):
    """NumPy's archive of arrays: one for each column, and one of labels for each column of text.

    An archive contains one array after another, but rows come with all columns; so each column is a
    file of its own until the end.
    """

    def __init__(
        self, part: Path, columns: Sequence[SheetColumn], about: Mapping[str, Any]
    ) -> None:
        """Create a file for each column, in a temporary folder next to the archive."""
        super().__init__(part, columns, about)
        self._folder = Path(tempfile.mkdtemp(prefix=f"{part.name}.", dir=part.parent))
        self._files = [(self._folder / str(n)).open("wb") for n in range(len(columns))]
        self._count = 0
        self._labels: list[dict[str, int]] = [{} for _ in columns]

    @staticmethod
    def cost(columns: Sequence[SheetColumn]) -> Cost:
        """Return the memory of writing: copies of the widest column."""
        return Cost(4 * _COPY_BYTES, 3 * 8 * max(_width([column]) for column in columns))

    def write(self, rows: Sequence[Cells]) -> None:
        """Append rows to each column's file."""
        for n, (column, cells) in enumerate(zip(self.columns, rows, strict=True)):
            numbers = cells.numbers
            if column.dtype is None:
                label_numbers = self._labels[n]
                numbers = (
                    np.array(
                        [
                            label_numbers.setdefault(text, len(label_numbers))
                            for text in cells.labels
                        ],
                        np.int32,
                    )[numbers]
                    if len(cells.labels)
                    else np.zeros(len(numbers), np.int32)
                )
            if cells.present is not None:
                present = cells.present if numbers.ndim == 1 else cells.present[:, np.newaxis]
                numbers = np.where(present, numbers, column.missing)
            little_endian = np.ascontiguousarray(numbers, self._dtype(column))
            self._files[n].write(little_endian.tobytes())
        self._count += len(rows[0].numbers)

    def finish(self) -> None:
        """Write the columns one after another into the archive."""
        with self.part.open("wb") as archive_file, zipfile.ZipFile(archive_file, "w") as archive:
            for column, labels, part in zip(self.columns, self._labels, self._files, strict=True):
                part.close()
                with _member(archive, column.name) as member:
                    shape = (self._count, len(column.items)) if column.items else (self._count,)
                    _begin_array(member, self._dtype(column), shape)
                    with Path(part.name).open("rb") as numbers:
                        shutil.copyfileobj(numbers, member, _COPY_BYTES)
                Path(part.name).unlink()
                if column.dtype is None:
                    with _member(archive, f"{column.name}_labels") as member:
                        np.lib.format.write_array(member, _texts(list(labels)), allow_pickle=False)
            with _member(archive, "about") as member:
                np.lib.format.write_array(member, np.array(self.about), allow_pickle=False)
        with self.part.open("rb") as file:
            os.fsync(file.fileno())

    def abandon(self) -> None:
        """Delete the columns' files."""
        for file in self._files:
            with contextlib.suppress(OSError):
                file.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _dtype(self, column: SheetColumn) -> np.dtype[Any]:
        return (np.dtype(np.int32) if column.dtype is None else column.dtype).newbyteorder("<")


@contextmanager
def _member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    with archive.open(
        zipfile.ZipInfo(f"{name}.npy", _ARCHIVE_DATE), "w", force_zip64=True
    ) as member:
        yield member


def _begin_array(file: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)


def _texts(texts: list[str]) -> npt.NDArray[np.str_]:
    return np.array(texts, np.str_) if texts else np.zeros(0, "U1")


#: The formats by file extension.
SHEETS: dict[str, type[Sheet]] = {"parquet": ParquetSheet, "csv": CsvSheet, "npz": NpzSheet}


@contextmanager
def sheet(
    path: Path,
    form: str,
    columns: Sequence[SheetColumn],
    about: Mapping[str, object],
    *,
    overwrite: bool,
) -> Iterator[Sheet]:
    """Yield a sheet for the ``with`` block, and complete its file at the end of the block.

    After an exception, no file remains.

    Args:
        path: the file.
        form: one of ``SHEETS``.
        columns: its columns.
        about: JSON data about the table.
        overwrite: whether an existing file may be replaced.

    Raises:
        TableExistsError: the file exists, and may not be replaced.
        TableWriteError: the file cannot be written.
        MissingExtraError: a library that the format needs is not installed.
    """
    check_file(path, overwrite=overwrite)
    writer: Sheet | None = None
    part: Path | None = None
    try:
        part = create_draft(path)
        writer = SHEETS[form](part, columns, about)
        yield writer
        writer.finish()
        part.replace(path)
    except ZermeloError:
        raise
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        if writer is not None:
            writer.abandon()
        if part is not None:
            part.unlink(missing_ok=True)


def import_arrow() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        message = (
            "Parquet needs pyarrow, which is not installed; run pip install 'zermelo[export]', or "
            "export to .csv or .npz"
        )
        raise MissingExtraError(message) from None
    return pa, parquet
