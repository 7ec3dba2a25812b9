"""Reading of table files: all data is checked against its checksum before use."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, Uint8Array
from zermelo._engine.file.file_bytes import FileBytes, content_size
from zermelo._engine.file.format import (
    ENTRY,
    EXPANDS,
    FIRST,
    FIRST_BYTES,
    FORMAT,
    MOST_HEADER,
    MOST_LISTS,
    MOST_RAW,
    READ_WHOLE,
    Stored,
    checksum,
    digest,
    first_line,
    stored_as,
)
from zermelo.errors import CorruptTableError, MissingTableError

Places: TypeAlias = Int64Array

#: The most blocks that are decompressed together.
_MOST_BLOCKS = 1024
#: The most blocks that are decompressed one by one; the most bytes that are decompressed together.
_SINGLE_BLOCKS, _MOST_BATCH_BYTES = 4, 1 << 23
#: The most characters of the name of an array.
_MOST_NAME = 100
#: The most adjacent bytes of a file that are read in one call.
_MOST_READ = 1 << 22


def _no_number(name: str) -> None:
    """Reject a number that Python reads and JSON does not allow, such as NaN."""
    raise ValueError(name)


class Reader:
    """An open table file, until ``close``, the end of a ``with``, or its collection.

    Attributes:
        path: the path of the file.
        header: the header of the file.
        arrays: the descriptions of its arrays by name.
    """

    def __init__(self, path: Path) -> None:
        """Open a table and check everything but its blocks, which are checked as they are read.

        Raises:
            MissingTableError: there is no file.
            CorruptTableError: it is not a table, is damaged or truncated, or has another format.
        """
        self.path = path
        self._source = FileBytes(path)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        self._local = threading.local()
        self.limit_cache(None)
        self.header, begin = self._read_header()
        try:
            directory = self.header["directory"]
            directory_begin, count, directory_checksum = (
                directory[key] for key in ("at", "blocks", "checksum")
            )
            self.arrays = {name: stored_as(entry) for name, entry in self.header["arrays"].items()}
            end = directory_begin + count * ENTRY.itemsize
            fills_file = 0 <= begin <= directory_begin <= end == self._source.size
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.file_error("its header is not that of a table") from None
        if not fills_file:
            raise self.file_error(f"it should be {end:,} bytes long and is {self._source.size:,}")
        entries = self._read(directory_begin, end)
        if digest(entries) != directory_checksum:
            raise self.file_error("its directory is damaged")
        self.entries = np.frombuffer(entries, ENTRY)
        sizes = self.entries["stored"].astype(np.int64)
        self._begins = begin + np.concatenate([[0], np.cumsum(sizes)])
        self._check_blocks(directory_begin)
        # Reading the fields of a record array one by one takes longer than decompressing a block.
        self._raw = np.ascontiguousarray(self.entries["raw"])
        self._sums = np.ascontiguousarray(self.entries["checksum"])
        # An element of a memoryview is read twice as fast as one of an array.
        self._sizes, self._block_begins = self._raw.data, self._begins.data

    def limit_cache(self, capacity: int | None) -> None:
        """Limit the bytes of the file, and of decompressed blocks, that are in memory at a time.

        None removes the limit.
        """
        self._cache_bytes = capacity
        self._most_batch_bytes = capacity or _MOST_BATCH_BYTES

    @property
    def opened_bytes(self) -> int:
        """The bytes of the directory in memory."""
        arrays = (self.entries, self._begins, self._raw, self._sums)
        return sum(array.nbytes for array in arrays)

    @property
    def cache_limit(self) -> int | None:
        """The limit that ``limit_cache`` set."""
        return self._cache_bytes

    def block(self, number: int) -> bytes:
        """Return the contents of a block, checked against its checksum at each call.

        Raises:
            CorruptTableError: it is damaged.
        """
        compressed = self.compressed(number)
        try:
            decompress = self._local.decompress
        except AttributeError:
            decompress = self._local.decompress = zstandard.ZstdDecompressor().decompress
        raw: int = self._sizes[number]
        try:
            data: bytes = decompress(compressed, raw)
        except zstandard.ZstdError:
            data = b""
        if len(data) != raw:
            raise self.file_error(f"block {number} cannot be decompressed")
        return data

    def blocks(self, first: int, count: int, threads: int = 1) -> Iterator[tuple[int, Any]]:
        """Yield the numbers and contents of consecutive blocks.

        Args:
            first: the first block.
            count: the number of blocks.
            threads: threads that decompress them.

        Raises:
            CorruptTableError: one is damaged.
        """
        numbers = range(first, first + count)
        yield from zip(numbers, self.iterate_blocks(numbers, threads), strict=True)

    def iterate_blocks(self, numbers: Sequence[int], threads: int = 1) -> Iterator[Any]:
        """Yield the contents of blocks.

        Args:
            numbers: the numbers of the blocks.
            threads: threads that decompress them.

        Raises:
            CorruptTableError: one is damaged.
        """
        begin, size, most_blocks = 0, 0, limits.current().batch(_MOST_BLOCKS)
        for end, number in enumerate(numbers):
            raw = self._raw.item(number)
            if end > begin and (end - begin == most_blocks or size + raw > self._most_batch_bytes):
                yield from self._decompress_batch(numbers[begin:end], threads)
                begin, size = end, 0
            size += raw
        yield from self._decompress_batch(numbers[begin:], threads)

    def join_blocks(self, numbers: Places) -> tuple[Uint8Array, Places]:
        """Return the concatenated contents of blocks, and the end of each in these.

        Args:
            numbers: the numbers of the blocks, ascending.

        Raises:
            CorruptTableError: one is damaged.
        """
        raw = self._raw[numbers].astype(np.uint64)
        ends = np.cumsum(raw).astype(np.int64)
        size = int((self._begins[numbers + 1] - self._begins[numbers]).sum())
        if len(numbers) <= _SINGLE_BLOCKS or size > self._most_batch_bytes or not raw.all():
            data = b"".join(self.iterate_blocks(numbers.tolist()))
            return np.frombuffer(data, np.uint8), ends
        decompressed = self._decompress(numbers, raw)
        data = b"".join(cast("Any", decompressed or ()))
        if len(data) != int(ends[-1]):
            raise self._batch_error(numbers)
        return np.frombuffer(data, np.uint8), ends

    def _read_compressed(self, numbers: Places) -> tuple[bytes, Places]:
        """Return compressed blocks, concatenated, and the offset and size of each in these.

        Adjacent blocks of the file are read in one call.
        """
        begins, ends = self._begins[numbers], self._begins[numbers + 1]
        breaks = np.flatnonzero(begins[1:] != ends[:-1]) + 1
        low, high = begins[[0, *breaks]], ends[[*(breaks - 1), -1]]
        parts = map(self._read, low.tolist(), high.tolist())
        sizes = ends - begins
        return b"".join(parts), np.stack([np.cumsum(sizes) - sizes, sizes], axis=1)

    def _compare(self, numbers: Places, part: bytes, segments: Places) -> None:
        """Compare compressed blocks with their checksums."""
        view, pairs = memoryview(part), segments.tolist()
        checksums = [checksum(view[offset : offset + size]) for offset, size in pairs]
        damaged = np.flatnonzero(self._sums[numbers] != checksums)
        if len(damaged):
            raise self.file_error(f"block {numbers[damaged[0]]} is damaged")

    def _read(self, begin: int, end: int) -> bytes:
        """Return the bytes of the file from ``begin`` to ``end``.

        Raises:
            CorruptTableError: it has become shorter, or the system cannot read it.
            MissingTableError: it has been closed.
        """
        try:
            data = self._source.read(begin, end - begin)
            while 0 < len(data) < end - begin:  # one call reads at most 2 GB
                next_data = self._source.read(begin + len(data), end - begin - len(data))
                data = data + next_data if next_data else b""
        except MissingTableError:
            raise
        except OSError as error:
            raise self.file_error(f"the system cannot read it: {error.strerror}") from None
        if len(data) < end - begin:
            raise self.file_error("it has been truncated")
        return data

    def _decompress_batch(self, numbers: Sequence[int], threads: int) -> Iterable[Any]:
        places = np.array(numbers, np.int64)
        raw = self._raw[places].astype(np.uint64)
        if len(numbers) <= _SINGLE_BLOCKS or not raw.all():
            return (self.block(number) for number in numbers)
        decompressed = self._decompress(places, raw, threads)
        if decompressed is None:
            return (self.block(number) for number in numbers)  # its error names the block
        if list(map(len, cast("Any", decompressed))) != raw.tolist():
            raise self._batch_error(places)
        return cast("Iterable[Any]", decompressed)

    def _decompress(self, numbers: Places, raw: npt.NDArray[np.uint64], threads: int = 0) -> Any:
        """Return the contents of several blocks, or None if one cannot be decompressed.

        Args:
            numbers: the numbers of the blocks.
            raw: the bytes of each; none is empty.
            threads: threads that decompress them, 0 for the calling one.

        Raises:
            CorruptTableError: one is damaged.
        """
        # Without a copy of each compressed block, which would fragment the memory.
        compressed, segments = self._read_compressed(numbers)
        self._compare(numbers, compressed, segments)
        frames = zstandard.BufferWithSegments(compressed, segments.astype(np.uint64).tobytes())
        try:
            return zstandard.ZstdDecompressor().multi_decompress_to_buffer(
                frames, decompressed_sizes=raw.tobytes(), threads=threads
            )
        except (zstandard.ZstdError, ValueError):
            return None

    def _batch_error(self, numbers: Places) -> CorruptTableError:
        return self.file_error(f"a block from {numbers[0]} to {numbers[-1]} cannot be decompressed")

    def compressed(self, number: int) -> bytes:
        """Return a compressed block, checked against its checksum.

        Raises:
            CorruptTableError: it is damaged.
        """
        compressed = self._read(self._block_begins[number], self._block_begins[number + 1])
        if checksum(compressed) != self._sums.item(number):
            raise self.file_error(f"block {number} is damaged")
        # The decompressor allocates the size that a frame claims.
        if content_size(compressed) != self._sizes[number]:
            raise self.file_error(f"block {number} cannot be decompressed")
        return compressed

    def array(self, name: str, length: int | None = None) -> npt.NDArray[Any]:
        """Return a whole array.

        Args:
            name: the name of the array.
            length: the required number of elements, if known. Otherwise a long array that takes
                almost no bytes in the file is rejected.

        Raises:
            CorruptTableError: it is missing, damaged, or of another length.
        """
        stored = self.array_entry(name)
        if length is not None and stored.length != length:
            raise self.part_error(f"array {name!r}")
        sizes = self._raw[stored.first : stored.first + stored.blocks]
        size = int(sizes.sum(dtype=np.int64))
        if size != stored.length * stored.dtype.itemsize:
            raise self.file_error(f"its array {name!r} has another length than it says")
        file_range = self._begins[[stored.first, stored.first + stored.blocks]]
        if length is None and size > READ_WHOLE + EXPANDS * int(file_range[1] - file_range[0]):
            raise self.file_error(f"its array {name!r} is empty, however long it is")
        out, offset = np.empty(size, np.uint8), 0
        for _, data in self.blocks(stored.first, stored.blocks):
            out[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
            offset += len(data)
        return out.view(stored.dtype).astype(stored.dtype.newbyteorder("="), copy=False)

    def array_entry(self, name: str) -> Stored:
        """Return the description of an array.

        Raises:
            CorruptTableError: there is no array of this name.
        """
        if name not in self.arrays:
            raise self.file_error(f"it has no array {name!r}")
        return self.arrays[name]

    def ends(self, name: str) -> Places:
        """Return the begin of each block in an array of bytes, and the end of the last."""
        stored = self.array_entry(name)
        sizes = self._raw[stored.first : stored.first + stored.blocks]
        return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])

    def largest(self, name: str) -> int:
        """Return the most decompressed bytes of a block of an array."""
        stored = self.array_entry(name)
        return int(self._raw[stored.first : stored.first + stored.blocks].max(initial=0))

    def check(self, threads: int = 1) -> int:
        """Check every block and decompress it; return the number of blocks.

        Raises:
            CorruptTableError: one is damaged.
        """
        for _ in self.blocks(0, len(self.entries), threads):
            pass
        return len(self.entries)

    def compare(self) -> int:
        """Compare every block with its checksum; return the number of blocks.

        Raises:
            CorruptTableError: one is damaged.
            MissingTableError: the file has been closed.
        """
        count, most_blocks = len(self.entries), limits.current().batch(_MOST_BLOCKS)
        begin, most = 0, min(_MOST_READ, self._most_batch_bytes)
        while begin < count:
            end = int(np.searchsorted(self._begins, self._begins.item(begin) + most, "right")) - 1
            numbers = np.arange(begin, max(begin + 1, min(begin + most_blocks, end)))
            part, segments = self._read_compressed(numbers)
            self._compare(numbers, part, segments)
            view = memoryview(part)
            for number, (offset, size) in zip(numbers.tolist(), segments.tolist(), strict=True):
                if content_size(view[offset : offset + size]) != self._sizes[number]:
                    raise self.file_error(f"block {number} cannot be decompressed")
            begin = int(numbers[-1]) + 1
        return count

    def close(self) -> None:
        """Close the file; no block can be read any more. Repeated calls are allowed."""
        self._source.close()

    def __enter__(self) -> Self:
        """Return the open reader."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def _read_header(self) -> tuple[dict[str, Any], int]:
        first = FIRST.fullmatch(self._source.read(0, FIRST_BYTES))
        if first is None:
            raise self.file_error("it is not a table")
        size = int(first[2])
        if size > MOST_HEADER:
            raise self.file_error(f"its header has {size:,} bytes, more than {MOST_HEADER:,}")
        if self._source.size < FIRST_BYTES + size:
            raise self.file_error("it is truncated")
        text = self._read(FIRST_BYTES, FIRST_BYTES + size)
        if first_line(text, int(first[1])) != first[0]:
            raise self.file_error("its header is damaged")
        if int(first[1]) != FORMAT:
            is_newer = int(first[1]) > FORMAT
            hint = "install a newer one" if is_newer else "solve again and save"
            message = (
                f"{str(self.path)!r} has the format {int(first[1])}, and this Zermelo reads "
                f"{FORMAT}; {hint}"
            )
            raise CorruptTableError(message)
        try:
            if text.count(b"[") + text.count(b"{") > MOST_LISTS:
                raise self.file_error(f"its header has more than {MOST_LISTS:,} lists")
            header = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError):
            raise self.file_error("its header is not JSON") from None
        if not isinstance(header, dict):
            raise self.file_error("its header is not that of a table")
        return header, FIRST_BYTES + size

    def _check_blocks(self, end: int) -> None:
        """Check that the blocks fill the file, and that each array's blocks exist."""
        if int(self._begins[-1]) != end or (self.entries["raw"] > MOST_RAW).any():
            raise self.file_error("its directory is not that of a table")
        for name, stored in self.arrays.items():
            if len(name) > _MOST_NAME:
                raise self.file_error("its arrays have names that none has")
            if (
                stored.first < 0
                or stored.blocks < 0
                or stored.first + stored.blocks > len(self.entries)
            ):
                raise self.file_error(f"its array {name!r} is not there")
            if not stored.per_block:
                continue
            raw, size = self.entries["raw"], stored.dtype.itemsize
            raw = raw[stored.first : stored.first + stored.blocks]
            is_right = stored.blocks == -(-stored.length // stored.per_block)
            is_right = is_right and not (raw[:-1] != stored.per_block * size).any()
            last_length = stored.length - stored.per_block * (stored.blocks - 1)
            if not is_right or (stored.blocks and int(raw[-1]) != last_length * size):
                raise self.file_error(f"its array {name!r} has blocks of other sizes than it says")

    def file_error(self, reason: str) -> CorruptTableError:
        """Return the error of a file that cannot be used, with the reason."""
        return CorruptTableError(
            f"{str(self.path)!r} cannot be used: {reason}; make the table again"
        )

    def part_error(self, part: str) -> CorruptTableError:
        """Return the error that part of the file, which ``part`` names, is wrong."""
        return self.file_error(f"its {part} is wrong")
