"""Writing a table: beside its place, and then under its name."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo import limits
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
from zermelo.atomic_write import check_file, exists, sync_folder, unwritten
from zermelo.errors import TableWriteError, ZermeloError

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.reader import Reader

_ALIGN = 64
#: Room for what is only known when all is written: the place and the checksum of the directory.
_SPARE = 256
#: How much a byte is to be compressed, if nobody says otherwise.
LEVEL = 3
#: Bytes of arrays that have waited, copied at once.
_COPIED = 1 << 17
#: Elements made at once are no fewer than this, however little memory there is.
_LEAST = 1 << 10
#: The part of the memory there is that threads take with what they make.
_SHARE = 4
#: Blocks, of one array, that are compressed together by one thread.
_TOGETHER = 512
#: Bytes of what no array says: what compresses, and the stacks of threads.
_SMALL = 1 << 21

#: Bytes of several blocks, and where each ends.
Blocks: TypeAlias = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]
#: How much an array is to be compressed, as Zstandard counts, or how in particular.
Level: TypeAlias = int | zstandard.ZstdCompressionParameters
#: That of several.
Levels: TypeAlias = tuple[Level, ...]
#: Makes the blocks from one to another of several arrays.
Part: TypeAlias = Callable[[int, int], tuple[Blocks, ...]]
#: The same, compressed: the bytes, and an entry of the directory for each.
_Compressed: TypeAlias = tuple[bytes, npt.NDArray[Any]]


class Writer:
    """Writes a table, which appears under its name when ``finish`` returns."""

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
        """Begin a file beside ``path``.

        Args:
            path: where the table is to be.
            overwrite: whether a file that already exists may be replaced.
            threads: threads that compress.
            ledger: the memory that may be taken, if it is limited. What is written does not depend
                on this, nor on the threads.
            strict: whether to stop where that is too little, or to take the least there is.
            checkpoint: that of the solve, if the file is to lie with it and be resumed.

        Raises:
            TableExistsError: there is a file, and it may not.
            TableWriteError: nothing can be written there.
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
            raise unwritten(path, error) from None

    #: Called with the bytes written so far, where somebody wants to know.
    told: Callable[[int], None] | None = None
    #: Called with how many of all blocks an earlier process has written, if it has.
    found: Callable[[int, int], None] | None = None
    _sent = 0
    _records = True

    def begin(self, header: dict[str, Any], arrays: dict[str, Stored]) -> None:
        """Leave room for the header; arrays follow, in the order they stand here.

        Args:
            header: what the file says of itself; JSON can hold it.
            arrays: what will be written, with the blocks that each will take.
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
        # Another compressor may make other bytes of the same blocks.
        how = f"{zstandard.__version__} {zstandard.ZSTD_VERSION} {zstandard.backend}"
        with self._writing():
            self._draft.begin(
                bytes.fromhex(digest(said + how.encode())), FIRST_BYTES + self._header_bytes
            )
        self._tell(self._main.size)
        if self._main.blocks and self.found is not None:
            self.found(self._main.blocks, sum(each.blocks for each in arrays.values()))

    def known(self, name: str) -> int:
        """Return how many blocks of an array are there, as an earlier process has written them."""
        stored = self._arrays[name]
        return min(max(0, self._main.blocks - stored.first), stored.blocks)

    def copy(self, header: dict[str, Any], reader: Reader) -> None:
        """Write every block of another table as it stands in its file.

        Args:
            header: what this file says of itself.
            reader: the other table.

        Raises:
            CorruptTableError: a block is damaged.
        """
        self.begin(header, reader.arrays)
        most = int(
            reader.entries["stored"].max(initial=1)
        )  # blocks are there one by one and joined
        share = _TOGETHER
        if self.ledger is not None:
            share = reading_bytes(self.ledger.allowed) // (2 * most)
        together = limits.current().batch(max(1, min(_TOGETHER, share)))
        for begin in range(0, len(reader.entries), together):
            entries = reader.entries[begin : begin + together]
            numbers = range(begin, begin + len(entries))
            self._add([(b"".join(map(reader.compressed, numbers)), entries)])

    def write_array(self, name: str, array: npt.NDArray[Any]) -> None:
        """Write an array, which is all there."""
        each = self._arrays[name].per_block

        def part(begin: int, end: int) -> Blocks:
            return blocks_of(array[begin * each : end * each], each)

        self.write_parts(name, part, limits.current().batch(_TOGETHER))

    def together(self, each: int, most: int) -> int:
        """Return how many elements to make at once in a thread, a power of two.

        Args:
            each: bytes that an element takes meanwhile, what it is compressed to included.
            most: how many there should be at most, where memory does not matter.
        """
        count, least = limits.current().batch(most), limits.current().batch(_LEAST)
        if self.ledger is not None:
            # A thread has one part under way, and two that wait to be written take less.
            while count > least and 2 * count * each * self.threads > self.ledger.allowed // _SHARE:
                count //= 2
        return count

    def blocks_together(self, each: int, most: int) -> int:
        """Return how many blocks to make at once in a thread, and take the memory for them.

        Args:
            each: bytes that a block takes meanwhile, what it is compressed to included.
            most: how many there should be at most, where memory does not matter.
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
        """Write the blocks of an array that are not there yet; see ``write_several``.

        Args:
            name: the array, which is the next.
            part: makes the blocks from one to another.
            together: how many are made at once.
            level: how much it is to be compressed.
        """
        blocks = range(self.known(name), self._arrays[name].blocks)
        self.write_several(lambda *some: (part(*some),), blocks, together, (level,))

    def write_several(self, part: Part, blocks: range, together: int, levels: Levels) -> None:
        """Write blocks that are made and compressed by several threads, in their order.

        Args:
            part: makes the blocks from one to another of several arrays, of which all but the
                first wait for ``write_aside``.
            blocks: the blocks.
            together: how many are made at once.
            levels: how much each array is to be compressed.
        """
        ends = ((n, min(n + together, blocks.stop)) for n in blocks[::together])
        if self.threads == 1:
            for begin, end in ends:
                self._add(_made(part, begin, end, levels))
            return
        waiting: deque[Future[list[_Compressed]]] = deque()
        with ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-save") as pool:
            try:
                for begin, end in ends:
                    waiting.append(pool.submit(_made, part, begin, end, levels))
                    if len(waiting) > 2 * self.threads:
                        self._add(waiting.popleft().result())
                while waiting:
                    self._add(waiting.popleft().result())
            finally:
                for job in waiting:
                    job.cancel()

    def write_aside(self) -> None:
        """Write the arrays that have waited, one after another.

        What comes behind them is little: none of it is recorded any more.
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
        """Write the directory and the header, and give the file its name.

        Raises:
            TableExistsError: somebody else has put a file there meanwhile.
            TableWriteError: the disk is full, or the like; no table is there.
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
                header = self._encoded(at, count, directory.told())
                header = header[:-1] + b" " * (self._header_bytes - len(header)) + b"\n"
                self._main.file.seek(0)
                self._main.file.write(first_line(header))
                self._main.file.write(header)
                self._draft.finish(self.path, overwrite=self.overwrite)
                sync_folder(self.path.parent)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Leave nothing behind of a file that was not finished and will not be resumed."""
        self._draft.drop()

    def __enter__(self) -> Self:
        """Begin to write."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind that is not whole."""
        self.abandon()

    @property
    def _main(self) -> DraftFile:
        """The file itself."""
        return self._draft.pieces[0]

    def _add(self, several: list[_Compressed]) -> None:
        """Write blocks of each array, and record it now and then."""
        with self._writing():
            for number, compressed in enumerate(several):
                self._draft.waiting(number).add(*compressed)
            if self._records:
                self._draft.passed()
        self._tell(len(several[0][0]))

    def _put(self, data: bytes) -> None:
        """Write what is not a block that was made just now."""
        self._main.put(data)
        self._tell(len(data))

    def _tell(self, size: int) -> None:
        """Say that this many bytes more are written."""
        self._sent += size
        if self.told is not None:
            self.told(self._sent)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Have errors name the table, and say what to do."""
        try:
            yield
        except FileExistsError:
            raise exists(self.path) from None
        except OSError as error:
            if isinstance(error, ZermeloError):
                raise
            raise unwritten(self.path, error) from None

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
        return _told(document)


def _told(document: dict[str, Any]) -> bytes:
    """Return a header as people can read it: a line a key.

    To indent what is inside takes as long as to compress a million positions, where a parameter is
    a graph: then JSON is not written by what Python has for it in C.
    """
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in document.items())
    return ("{" + ",\n ".join(lines) + "}\n").encode()


def blocks_of(array: npt.NDArray[Any], each: int) -> Blocks:
    """Return the bytes of an array in a file, and where blocks of ``each`` elements end."""
    some = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return some.view(np.uint8), ends_of(some.nbytes, each * some.itemsize)


def ends_of(size: int, each: int) -> npt.NDArray[np.int64]:
    """Return where blocks of ``each`` bytes end, the last one perhaps a short one."""
    return np.minimum(np.arange(each, size + each, each, dtype=np.int64), size)


def _made(part: Part, begin: int, end: int, levels: Levels) -> list[_Compressed]:
    """Make some blocks of each array, and compress each by itself."""
    several = part(begin, end)
    return [_compressed(*each, level) for each, level in zip(several, levels, strict=True)]


def _compressed(
    data: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64], level: Level
) -> _Compressed:
    """Compress some blocks."""
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
    if not entries["raw"].all():  # an empty block is not one for the call below
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
