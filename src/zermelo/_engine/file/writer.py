"""Writing of table files: first next to the path, renamed when complete."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, Uint8Array
from zermelo._engine.core.threads import thread_pool
from zermelo._engine.file.cache_limits import reading_bytes
from zermelo._engine.file.draft import Draft, DraftFile, ResumableDraft
from zermelo._engine.file.format import (
    ENTRY,
    FIRST_BYTES,
    MOST_HEADER,
    MOST_LISTS,
    Digest,
    Header,
    Stored,
    checksum,
    digest,
    first_line,
)
from zermelo.atomic_write import check_file, exists_error, sync_folder, write_error
from zermelo.errors import TableWriteError, ZermeloError

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.reader import Reader

_ALIGN = 64
#: Spare bytes in the header for the offset and the checksum of the directory, which are known last.
_SPARE_BYTES = 256
#: The default compression level.
LEVEL = 3
#: Bytes copied in one step of arrays that are appended later.
_COPY_BYTES = 1 << 17
#: The least elements of a part, however small the memory budget is.
_LEAST_ELEMENTS = 1 << 10
#: The part of the memory budget that the threads' parts may take, as a divisor.
_MEMORY_DIVISOR = 4
#: The most blocks of one array that a thread compresses together.
_MOST_BLOCKS = 512
#: Bytes outside arrays: compressors, and the stacks of threads.
_FIXED_BYTES = 1 << 21

#: The concatenated bytes of several blocks, and the end of each.
Blocks: TypeAlias = tuple[Uint8Array, Int64Array]
#: The compression level of an array, or Zstandard parameters.
Level: TypeAlias = int | zstandard.ZstdCompressionParameters
#: The compression levels of several arrays.
Levels: TypeAlias = tuple[Level, ...]
#: Returns a range of blocks of several arrays.
Part: TypeAlias = Callable[[int, int], tuple[Blocks, ...]]
#: Compressed blocks: the concatenated bytes, and the directory entry of each.
_Compressed: TypeAlias = tuple[bytes, npt.NDArray[Any]]


class Writer:
    """A writer of a table file, which gets its name in ``finish``."""

    def __init__(
        self,
        path: Path,
        *,
        overwrite: bool = False,
        threads: int = 1,
        ledger: Ledger | None = None,
        strict: bool = True,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """Create a file next to ``path``.

        Args:
            path: the path of the table.
            overwrite: whether an existing file may be replaced.
            threads: threads that compress.
            ledger: the memory budget, if it is limited. The contents of the file depend neither on
                the budget nor on the threads.
            strict: whether to raise BudgetError if the budget is too small, instead of using the
                least memory.
            checkpoint: the checkpoint of the solve, if the file is to be stored with it and
                resumed.

        Raises:
            TableExistsError: the file exists, and may not be overwritten.
            TableWriteError: the path cannot be written.
        """
        self.path = path
        self.overwrite = overwrite
        if checkpoint is None:
            check_file(path, overwrite=overwrite)
        self.threads = threads
        self.ledger = ledger
        self.strict = strict
        self._arrays: dict[str, Stored] = {}
        self._draft: Draft
        try:
            self._draft = Draft(path) if checkpoint is None else ResumableDraft(checkpoint)
        except OSError as error:
            raise write_error(path, error) from None

    #: If set, is called with the bytes written so far.
    on_bytes: Callable[[int], None] | None = None
    #: If set, is called with the number of blocks that an earlier process has written, and of all.
    on_resume: Callable[[int, int], None] | None = None
    _written_bytes = 0
    _records = True

    def begin(self, header: Header, arrays: dict[str, Stored]) -> None:
        """Reserve space for the header; the arrays must follow in this order.

        Args:
            header: the header of the file, as JSON values.
            arrays: the descriptions of the arrays, with the blocks of each.
        """
        self._document = header
        self._arrays = arrays
        header_text = self._encoded(0, 0, "0" * 32)
        lists = header_text.count(b"[") + header_text.count(b"{")
        if len(header_text) + _SPARE_BYTES + _ALIGN > MOST_HEADER or lists > MOST_LISTS:
            message = (
                f"{str(self.path)!r} cannot be written: its header would have "
                f"{len(header_text):,} bytes and {lists:,} lists, of which {MOST_HEADER:,} and "
                f"{MOST_LISTS:,} are allowed; give the game shorter parameters"
            )
            raise TableWriteError(message)
        self._header_bytes = (
            -(-(len(header_text) + _SPARE_BYTES + FIRST_BYTES) // _ALIGN) * _ALIGN - FIRST_BYTES
        )
        # Another version of the compressor may produce other bytes.
        compressor = f"{zstandard.__version__} {zstandard.ZSTD_VERSION} {zstandard.backend}"
        with self._writing():
            self._draft.begin(
                bytes.fromhex(digest(header_text + compressor.encode())),
                FIRST_BYTES + self._header_bytes,
            )
        self._report_bytes(self._main.size)
        if self._main.blocks and self.on_resume is not None:
            self.on_resume(self._main.blocks, sum(stored.blocks for stored in arrays.values()))

    def known_blocks(self, name: str) -> int:
        """Return the number of blocks of an array that an earlier process has written."""
        stored = self._arrays[name]
        return min(max(0, self._main.blocks - stored.first), stored.blocks)

    def copy(self, header: Header, reader: Reader) -> None:
        """Copy all compressed blocks of another table.

        Args:
            header: the header of this file.
            reader: the other table.

        Raises:
            CorruptTableError: a block is damaged.
        """
        self.begin(header, reader.arrays)
        most = int(
            reader.entries["stored"].max(initial=1)
        )  # a block is in memory twice: separately and concatenated
        share = _MOST_BLOCKS
        if self.ledger is not None:
            share = reading_bytes(self.ledger.allowed) // (2 * most)
        blocks_per_step = limits.current().batch(max(1, min(_MOST_BLOCKS, share)))
        for begin in range(0, len(reader.entries), blocks_per_step):
            entries = reader.entries[begin : begin + blocks_per_step]
            numbers = range(begin, begin + len(entries))
            self._add([(b"".join(map(reader.compressed, numbers)), entries)])

    def write_array(self, name: str, array: npt.NDArray[Any]) -> None:
        """Write an array that is in memory."""
        elements_per_block = self._arrays[name].per_block

        def part(begin: int, end: int) -> Blocks:
            return blocks_of(
                array[begin * elements_per_block : end * elements_per_block], elements_per_block
            )

        self.write_parts(name, part, limits.current().batch(_MOST_BLOCKS))

    def elements_per_part(self, element_bytes: int, most: int) -> int:
        """Return the number of elements of a thread's part, a power of two.

        Args:
            element_bytes: bytes of an element during the work, its compressed form included.
            most: the most elements.
        """
        count, least = limits.current().batch(most), limits.current().batch(_LEAST_ELEMENTS)
        if self.ledger is not None:
            # A thread has one part under way, and two that wait to be written take less.
            while (
                count > least
                and 2 * count * element_bytes * self.threads
                > self.ledger.allowed // _MEMORY_DIVISOR
            ):
                count //= 2
        return count

    def blocks_per_part(self, block_bytes: int, most: int) -> int:
        """Return the number of blocks of a thread's part, and record the memory for them.

        Args:
            block_bytes: bytes that a block takes during the work, its compressed form included.
            most: the most blocks.
        """
        count = limits.current().batch(most)
        block_bytes *= (
            1 if self.threads == 1 else 2 * self.threads
        )  # half of them wait to be written
        if self.ledger is not None:
            while count > 1 and count * block_bytes > (self.ledger.allowed - _FIXED_BYTES) // 2:
                count //= 2
            needed = _FIXED_BYTES + count * block_bytes
            if not self.ledger.fits(needed) and self.strict:
                raise self.ledger.refusal(needed, f"writing {str(self.path)!r}")
        return count

    def write_parts(
        self,
        name: str,
        part: Callable[[int, int], Blocks],
        blocks_per_part: int,
        level: Level = LEVEL,
    ) -> None:
        """Write the blocks of an array that an earlier process has not written.

        See ``write_several``.

        Args:
            name: the array, which must be the next.
            part: returns a range of blocks.
            blocks_per_part: the number of blocks in a part.
            level: the compression level.
        """
        blocks = range(self.known_blocks(name), self._arrays[name].blocks)
        self.write_several(
            lambda begin, end: (part(begin, end),), blocks, blocks_per_part, (level,)
        )

    def write_several(
        self, part: Part, blocks: range, blocks_per_part: int, levels: Levels
    ) -> None:
        """Write blocks that several threads produce and compress, in order.

        Args:
            part: returns a range of blocks of several arrays; those of all but the first array wait
                for ``write_waiting``.
            blocks: the range of all blocks.
            blocks_per_part: the number of blocks in a part.
            levels: the compression level of each array.
        """
        ends = ((n, min(n + blocks_per_part, blocks.stop)) for n in blocks[::blocks_per_part])
        if self.threads == 1:
            for begin, end in ends:
                self._add(_compressed_range(part, begin, end, levels))
            return
        pending: deque[Future[list[_Compressed]]] = deque()
        with thread_pool(self.threads, "zermelo-save") as pool:
            try:
                for begin, end in ends:
                    pending.append(pool.submit(_compressed_range, part, begin, end, levels))
                    if len(pending) > 2 * self.threads:
                        self._add(pending.popleft().result())
                while pending:
                    self._add(pending.popleft().result())
            finally:
                for job in pending:
                    job.cancel()

    def write_waiting(self) -> None:
        """Append the arrays that have waited.

        Little data follows them, so no record is made any more.
        """
        self._records = False
        with self._writing():
            for piece in self._draft.pieces[1:]:
                piece.file.seek(0)
                while data := piece.file.read(_COPY_BYTES):
                    self._put(data)
                self._main.entries += piece.entries
                self._main.blocks += piece.blocks

    def finish(self) -> None:
        """Write the directory and the header, and rename the file to its path.

        Raises:
            TableExistsError: another process has created a file at the path.
            TableWriteError: a write error, such as a full disk; no table is left.
        """
        directory = Digest()
        count, directory_begin, entries = 0, self._main.size, self._main.entries
        try:
            with self._writing():
                for batch in entries:
                    data = batch.tobytes()
                    directory.add(data)
                    self._put(data)
                    count += len(batch)
                header = self._encoded(directory_begin, count, directory.hexdigest())
                header = header[:-1] + b" " * (self._header_bytes - len(header)) + b"\n"
                self._main.file.seek(0)
                self._main.file.write(first_line(header))
                self._main.file.write(header)
                self._draft.finish(self.path, overwrite=self.overwrite)
                sync_folder(self.path.parent)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Delete the files of a table that was not finished and will not be resumed."""
        self._draft.drop()

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(self, *_: object) -> None:
        """Delete unfinished files."""
        self.abandon()

    @property
    def _main(self) -> DraftFile:
        """The table file itself."""
        return self._draft.pieces[0]

    def _add(self, compressed_arrays: list[_Compressed]) -> None:
        """Write blocks of each array, and record them if due."""
        with self._writing():
            for number, compressed in enumerate(compressed_arrays):
                self._draft.file_number(number).add(*compressed)
            if self._records:
                self._draft.record_if_due()
        self._report_bytes(len(compressed_arrays[0][0]))

    def _put(self, data: bytes) -> None:
        """Append bytes that are not new blocks."""
        self._main.put(data)
        self._report_bytes(len(data))

    def _report_bytes(self, size: int) -> None:
        """Report that ``size`` more bytes are written."""
        self._written_bytes += size
        if self.on_bytes is not None:
            self.on_bytes(self._written_bytes)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Convert errors of the system to errors that name the table and say what to do."""
        try:
            yield
        except FileExistsError:
            raise exists_error(self.path) from None
        except OSError as error:
            if isinstance(error, ZermeloError):
                raise
            raise write_error(self.path, error) from None

    def _encoded(self, directory_begin: int, entries: int, directory_checksum: str) -> bytes:
        arrays = {
            name: {
                "dtype": stored.dtype.newbyteorder("<").str,
                "length": stored.length,
                "per_block": stored.per_block,
                "first": stored.first,
                "blocks": stored.blocks,
            }
            for name, stored in self._arrays.items()
        }
        directory = {"at": directory_begin, "blocks": entries, "checksum": directory_checksum}
        document = {**self._document, "arrays": arrays, "directory": directory}
        return _header_text(document)


def _header_text(document: dict[str, Any]) -> bytes:
    """Return a header as readable JSON: a line for each key.

    Indentation inside the values would disable Python's C encoder. If a parameter is a graph, that
    takes as long as compressing a million positions.
    """
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in document.items())
    return ("{" + ",\n ".join(lines) + "}\n").encode()


def blocks_of(array: npt.NDArray[Any], block_length: int) -> Blocks:
    """Return the bytes of an array in a file, cut into blocks of ``block_length`` elements."""
    little_endian = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return little_endian.view(np.uint8), ends_of(
        little_endian.nbytes, block_length * little_endian.itemsize
    )


def ends_of(size: int, block_bytes: int) -> Int64Array:
    """Return the ends of blocks of ``block_bytes`` bytes; the last block may be shorter."""
    return np.minimum(np.arange(block_bytes, size + block_bytes, block_bytes, dtype=np.int64), size)


def _compressed_range(part: Part, begin: int, end: int, levels: Levels) -> list[_Compressed]:
    """Produce a range of blocks of each array, and compress each block separately."""
    arrays = part(begin, end)
    return [_compressed(*array, level) for array, level in zip(arrays, levels, strict=True)]


def _compressed(data: Uint8Array, ends: Int64Array, level: Level) -> _Compressed:
    """Compress blocks."""
    if not len(ends):
        return b"", np.empty(0, ENTRY)
    segments = np.zeros((len(ends), 2), np.uint64)
    segments[1:, 0] = ends[:-1]
    segments[:, 1] = ends - segments[:, 0].view(np.int64)
    entries = np.empty(len(ends), ENTRY)
    entries["raw"] = segments[:, 1]
    parameters = {"level": level} if isinstance(level, int) else {"compression_params": level}
    compressor = zstandard.ZstdCompressor(**parameters)
    contents = data[: int(ends[-1])].data
    if not entries["raw"].all():  # the call below rejects empty blocks
        raw = memoryview(contents)
        frames: Any = [compressor.compress(raw[a : a + n]) for a, n in segments.tolist()]
    else:
        compressed = compressor.multi_compress_to_buffer(
            zstandard.BufferWithSegments(contents, segments.tobytes()), threads=1
        )
        frames = list(map(compressed.__getitem__, range(len(compressed))))
    entries["stored"] = list(map(len, frames))
    entries["checksum"] = list(map(checksum, frames))
    return b"".join(frames), entries
