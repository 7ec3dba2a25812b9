"""Writing of table files: first beside the path, renamed when complete."""

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
from zermelo._engine.core.threads import thread_pool
from zermelo._engine.file.cache_limits import reading_bytes
from zermelo._engine.file.draft import Draft, DraftFile, ResumableDraft
from zermelo._engine.file.format import (
    ENTRY,
    FIRST_BYTES,
    MOST_HEADER,
    MOST_LISTS,
    Digest,
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
_SPARE = 256
#: The default compression level.
LEVEL = 3
#: Bytes copied in one step of arrays that are appended later.
_COPIED = 1 << 17
#: The least elements of a part, however small the memory budget is.
_LEAST = 1 << 10
#: The part of the memory budget that the threads' parts may take, as a divisor.
_SHARE = 4
#: The most blocks of one array that a thread compresses together.
_TOGETHER = 512
#: Bytes outside arrays: compressors, and the stacks of threads.
_SMALL = 1 << 21

#: The concatenated bytes of several blocks, and the end of each.
Blocks: TypeAlias = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]
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
        """Create a file beside ``path``.

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
    told: Callable[[int], None] | None = None
    #: If set, is called with the number of blocks that an earlier process has written, and of all.
    found: Callable[[int, int], None] | None = None
    _sent = 0
    _records = True

    def begin(self, header: dict[str, Any], arrays: dict[str, Stored]) -> None:
        """Reserve space for the header; the arrays must follow in this order.

        Args:
            header: the header of the file, as JSON values.
            arrays: the descriptions of the arrays, with the blocks of each.
        """
        self._document = header
        self._arrays = arrays
        said = self._encoded(0, 0, "0" * 32)
        lists = said.count(b"[") + said.count(b"{")
        if len(said) + _SPARE + _ALIGN > MOST_HEADER or lists > MOST_LISTS:
            message = (
                f"{str(self.path)!r} cannot be written: its header would have {len(said):,} bytes "
                f"and {lists:,} lists, of which {MOST_HEADER:,} and {MOST_LISTS:,} are allowed; "
                "give the game shorter parameters"
            )
            raise TableWriteError(message)
        self._header_bytes = -(-(len(said) + _SPARE + FIRST_BYTES) // _ALIGN) * _ALIGN - FIRST_BYTES
        # Another version of the compressor may produce other bytes.
        how = f"{zstandard.__version__} {zstandard.ZSTD_VERSION} {zstandard.backend}"
        with self._writing():
            self._draft.begin(
                bytes.fromhex(digest(said + how.encode())), FIRST_BYTES + self._header_bytes
            )
        self._report_bytes(self._main.size)
        if self._main.blocks and self.found is not None:
            self.found(self._main.blocks, sum(each.blocks for each in arrays.values()))

    def known_blocks(self, name: str) -> int:
        """Return the number of blocks of an array that an earlier process has written."""
        stored = self._arrays[name]
        return min(max(0, self._main.blocks - stored.first), stored.blocks)

    def copy(self, header: dict[str, Any], reader: Reader) -> None:
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
        share = _TOGETHER
        if self.ledger is not None:
            share = reading_bytes(self.ledger.allowed) // (2 * most)
        together = limits.current().batch(max(1, min(_TOGETHER, share)))
        for begin in range(0, len(reader.entries), together):
            entries = reader.entries[begin : begin + together]
            numbers = range(begin, begin + len(entries))
            self._add([(b"".join(map(reader.compressed, numbers)), entries)])

    def write_array(self, name: str, array: npt.NDArray[Any]) -> None:
        """Write an array that is in memory."""
        each = self._arrays[name].per_block

        def part(begin: int, end: int) -> Blocks:
            return blocks_of(array[begin * each : end * each], each)

        self.write_parts(name, part, limits.current().batch(_TOGETHER))

    def elements_per_part(self, each: int, most: int) -> int:
        """Return the number of elements of a thread's part, a power of two.

        Args:
            each: bytes that an element takes during the work, its compressed form included.
            most: the most elements.
        """
        count, least = limits.current().batch(most), limits.current().batch(_LEAST)
        if self.ledger is not None:
            # A thread has one part under way, and two that wait to be written take less.
            while count > least and 2 * count * each * self.threads > self.ledger.allowed // _SHARE:
                count //= 2
        return count

    def blocks_per_part(self, each: int, most: int) -> int:
        """Return the number of blocks of a thread's part, and record the memory for them.

        Args:
            each: bytes that a block takes during the work, its compressed form included.
            most: the most blocks.
        """
        count = limits.current().batch(most)
        each *= 1 if self.threads == 1 else 2 * self.threads  # half of them wait to be written
        if self.ledger is not None:
            while count > 1 and count * each > (self.ledger.allowed - _SMALL) // 2:
                count //= 2
            needed = _SMALL + count * each
            if not self.ledger.fits(needed) and self.strict:
                raise self.ledger.refusal(needed, f"writing {str(self.path)!r}")
        return count

    def write_parts(
        self, name: str, part: Callable[[int, int], Blocks], together: int, level: Level = LEVEL
    ) -> None:
        """Write the blocks of an array that an earlier process has not written.

        See ``write_several``.

        Args:
            name: the array, which must be the next.
            part: returns a range of blocks.
            together: the number of blocks in a part.
            level: the compression level.
        """
        blocks = range(self.known_blocks(name), self._arrays[name].blocks)
        self.write_several(lambda *some: (part(*some),), blocks, together, (level,))

    def write_several(self, part: Part, blocks: range, together: int, levels: Levels) -> None:
        """Write blocks that several threads produce and compress, in order.

        Args:
            part: returns a range of blocks of several arrays; those of all but the first array wait
                for ``write_waiting``.
            blocks: the range of all blocks.
            together: the number of blocks in a part.
            levels: the compression level of each array.
        """
        ends = ((n, min(n + together, blocks.stop)) for n in blocks[::together])
        if self.threads == 1:
            for begin, end in ends:
                self._add(_compressed_range(part, begin, end, levels))
            return
        waiting: deque[Future[list[_Compressed]]] = deque()
        with thread_pool(self.threads, "zermelo-save") as pool:
            try:
                for begin, end in ends:
                    waiting.append(pool.submit(_compressed_range, part, begin, end, levels))
                    if len(waiting) > 2 * self.threads:
                        self._add(waiting.popleft().result())
                while waiting:
                    self._add(waiting.popleft().result())
            finally:
                for job in waiting:
                    job.cancel()

    def write_waiting(self) -> None:
        """Append the arrays that have waited.

        Little data follows them, so no record is made any more.
        """
        self._records = False
        with self._writing():
            for piece in self._draft.pieces[1:]:
                piece.file.seek(0)
                while data := piece.file.read(_COPIED):
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
        count, at, entries = 0, self._main.size, self._main.entries
        try:
            with self._writing():
                for some in entries:
                    data = some.tobytes()
                    directory.add(data)
                    self._put(data)
                    count += len(some)
                header = self._encoded(at, count, directory.hexdigest())
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

    def _add(self, several: list[_Compressed]) -> None:
        """Write blocks of each array, and record them if due."""
        with self._writing():
            for number, compressed in enumerate(several):
                self._draft.file_number(number).add(*compressed)
            if self._records:
                self._draft.record_if_due()
        self._report_bytes(len(several[0][0]))

    def _put(self, data: bytes) -> None:
        """Append bytes that are not new blocks."""
        self._main.put(data)
        self._report_bytes(len(data))

    def _report_bytes(self, size: int) -> None:
        """Report that ``size`` more bytes are written."""
        self._sent += size
        if self.told is not None:
            self.told(self._sent)

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

    def _encoded(self, at: int, entries: int, vouched: str) -> bytes:
        arrays = {
            name: {
                "dtype": each.dtype.newbyteorder("<").str,
                "length": each.length,
                "per_block": each.per_block,
                "first": each.first,
                "blocks": each.blocks,
            }
            for name, each in self._arrays.items()
        }
        directory = {"at": at, "blocks": entries, "checksum": vouched}
        document = {**self._document, "arrays": arrays, "directory": directory}
        return _header_text(document)


def _header_text(document: dict[str, Any]) -> bytes:
    """Return a header as readable JSON: a line for each key.

    Indentation inside the values would disable Python's C encoder. If a parameter is a graph, that
    takes as long as compressing a million positions.
    """
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in document.items())
    return ("{" + ",\n ".join(lines) + "}\n").encode()


def blocks_of(array: npt.NDArray[Any], each: int) -> Blocks:
    """Return the bytes of an array in a file, and the ends of blocks of ``each`` elements."""
    some = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return some.view(np.uint8), ends_of(some.nbytes, each * some.itemsize)


def ends_of(size: int, each: int) -> npt.NDArray[np.int64]:
    """Return the ends of blocks of ``each`` bytes; the last block may be shorter."""
    return np.minimum(np.arange(each, size + each, each, dtype=np.int64), size)


def _compressed_range(part: Part, begin: int, end: int, levels: Levels) -> list[_Compressed]:
    """Produce a range of blocks of each array, and compress each block separately."""
    several = part(begin, end)
    return [_compressed(*each, level) for each, level in zip(several, levels, strict=True)]


def _compressed(
    data: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64], level: Level
) -> _Compressed:
    """Compress blocks."""
    if not len(ends):
        return b"", np.empty(0, ENTRY)
    places = np.zeros((len(ends), 2), np.uint64)
    places[1:, 0] = ends[:-1]
    places[:, 1] = ends - places[:, 0].view(np.int64)
    entries = np.empty(len(ends), ENTRY)
    entries["raw"] = places[:, 1]
    how = {"level": level} if isinstance(level, int) else {"compression_params": level}
    compressor = zstandard.ZstdCompressor(**how)
    whole: Any = data[: int(ends[-1])].data
    if not entries["raw"].all():  # the call below rejects empty blocks
        raw = memoryview(whole)
        frames: Any = [compressor.compress(raw[a : a + n]) for a, n in places.tolist()]
    else:
        found = compressor.multi_compress_to_buffer(
            zstandard.BufferWithSegments(whole, places.tobytes()), threads=1
        )
        frames = list(map(found.__getitem__, range(len(found))))
    entries["stored"] = list(map(len, frames))
    entries["checksum"] = list(map(checksum, frames))
    return b"".join(frames), entries
