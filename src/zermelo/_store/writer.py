"""Writing a table: beside its place, and then under its name."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo._store.format import ENTRY, FIRST_BYTES, Digest, Stored, checksum, first_line
from zermelo._store.naming import exists, give_name, part_of, sync_folder, unwritten

_ALIGN = 64
#: Room for what is only known when all is written: the place and the checksum of the directory.
_ROOM = 256
#: How much a byte is to be compressed, if nobody says otherwise.
_LEVEL = 3
#: Bytes of an array that waits for its place, after which it waits in a file.
_WAITING = 1 << 17
#: Elements made at once are no fewer than this, however little memory there is.
_LEAST = 1 << 10
#: The part of the memory there is that threads take with what they make.
_SHARE = 4
#: Blocks, of one array, that are compressed together by one thread.
_TOGETHER = 512

#: Bytes of several blocks, and where each ends.
Blocks: TypeAlias = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]
#: How much arrays are to be compressed.
Levels: TypeAlias = tuple[int, ...]
#: The same, compressed: the bytes, and an entry of the directory for each.
_Packed: TypeAlias = tuple[bytes, npt.NDArray[Any]]


class Writer:
    """Writes a table, which appears under its name when ``finish`` returns."""

    def __init__(
        self,
        path: Path,
        *,
        overwrite: bool = False,
        threads: int = 1,
        allowed: int | None = None,
        strict: bool = True,
    ) -> None:
        """Begin a file beside ``path``.

        Args:
            path: where the table is to be.
            overwrite: whether a file that is there already may be replaced.
            threads: threads that compress.
            allowed: bytes of memory to take, if they are limited. What is written does not depend
                on this, nor on the threads.
            strict: whether to stop where that is too little, or to take the least there is.

        Raises:
            TableExistsError: there is a file, and it may not.
            TableWriteError: nothing can be written there.
        """
        self.path = path
        self.overwrite = overwrite
        if not overwrite and path.exists():
            raise exists(path)
        self.threads = threads
        self.allowed = allowed
        self.strict = strict
        self._aside: list[tuple[IO[bytes], list[npt.NDArray[Any]]]] = []
        self._entries: list[npt.NDArray[Any]] = []
        self._arrays: dict[str, Stored] = {}
        self._header = b""
        try:
            self._part = part_of(path)
            self._file = self._part.open("wb")
        except OSError as error:
            raise unwritten(path, error) from None
        self._at = 0

    #: Called with the bytes written so far, where somebody wants to know.
    told: Callable[[int], None] | None = None
    _sent = 0

    def begin(self, header: dict[str, Any], arrays: dict[str, Stored]) -> None:
        """Leave room for the header; arrays follow, in the order they stand here.

        Args:
            header: what the file says of itself; JSON can hold it.
            arrays: what will be written, with the blocks that each will take.
        """
        self._document = header
        self._arrays = arrays
        size = len(self._encoded(0, 0, "0" * 32)) + _ROOM
        self._room = -(-(size + FIRST_BYTES) // _ALIGN) * _ALIGN - FIRST_BYTES
        self._at = FIRST_BYTES + self._room
        self._put(bytes(self._at))

    def write_array(self, array: npt.NDArray[Any], per_block: int) -> None:
        """Write an array in blocks of ``per_block`` elements."""
        step = per_block * _TOGETHER

        def part(begin: int) -> Blocks:
            some = array[begin : begin + step]
            some = np.ascontiguousarray(some, some.dtype.newbyteorder("<"))
            return some.view(np.uint8), ends_of(some.nbytes, per_block * some.itemsize)

        self.write_parts(part, range(0, len(array), step))

    def together(self, each: int, most: int) -> int:
        """Return how many elements to make at once in a thread, a power of two.

        Args:
            each: bytes that an element takes meanwhile, what it is compressed to included.
            most: how many there should be at the most, where memory does not matter.
        """
        count = most
        if self.allowed is not None:
            # A thread has one part under way, and two that wait to be written take less.
            while count > _LEAST and 2 * count * each * self.threads > self.allowed // _SHARE:
                count //= 2
        return count

    def write_parts(self, part: Callable[[Any], Blocks], items: Iterable[Any]) -> None:
        """Write blocks that are made and compressed by several threads, in their order.

        Args:
            part: makes some blocks of an item.
            items: the items.
        """
        self.write_several(lambda item: (part(item),), items, (_LEVEL,))

    def write_several(
        self, part: Callable[[Any], tuple[Blocks, ...]], items: Iterable[Any], levels: Levels
    ) -> None:
        """Write blocks of several arrays, of which all but the first wait for ``write_aside``.

        Args:
            part: makes some blocks of each array of an item.
            items: the items.
            levels: how much each array is to be compressed, as Zstandard counts.
        """
        if self.threads == 1:
            for item in items:
                self._add(_packed(part(item), levels))
            return
        waiting: deque[Future[list[_Packed]]] = deque()
        with ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-save") as pool:
            try:
                for item in items:
                    waiting.append(pool.submit(_made, part, item, levels))
                    if len(waiting) > 2 * self.threads:
                        self._add(waiting.popleft().result())
                while waiting:
                    self._add(waiting.popleft().result())
            finally:
                for job in waiting:
                    job.cancel()

    def write_aside(self) -> None:
        """Write the arrays that have waited, one after another."""
        for file, entries in self._aside:
            file.seek(0)
            while data := file.read(_WAITING):
                self._put(data)
                self._at += len(data)
            file.close()
            self._entries += entries
        self._aside = []

    def _add(self, several: list[_Packed]) -> None:
        (data, entries), *others = several
        self._entries.append(entries)
        self._put(data)
        self._at += len(data)
        try:
            for number, (data, entries) in enumerate(others):
                if number == len(self._aside):
                    waits: Any = tempfile.SpooledTemporaryFile(  # noqa: SIM115  # it stays open
                        _WAITING, dir=str(self.path.parent)
                    )
                    self._aside.append((waits, []))
                waiting = self._aside[number]
                waiting[0].write(data)
                waiting[1].append(entries)
        except OSError as error:
            raise unwritten(self.path, error) from None

    def finish(self) -> None:
        """Write the directory and the header, and give the file its name.

        Raises:
            TableExistsError: somebody else has put a file there meanwhile.
            TableWriteError: the disk is full, or the like; no table is there.
        """
        directory = Digest()
        count = 0
        for entries in self._entries:
            some = entries.tobytes()
            directory.add(some)
            self._put(some)
            count += len(entries)
        header = self._encoded(self._at, count, directory.told())
        header = header[:-1] + b" " * (self._room - len(header)) + b"\n"
        try:
            self._file.seek(0)
            self._file.write(first_line(header))
            self._file.write(header)
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            give_name(self._part, self.path, overwrite=self.overwrite)
            sync_folder(self.path.parent)
        except FileExistsError:
            raise exists(self.path) from None
        except OSError as error:
            raise unwritten(self.path, error) from None
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Leave nothing behind of a file that was not finished."""
        for file in (self._file, *(file for file, _ in self._aside)):
            with contextlib.suppress(OSError):
                file.close()
        self._part.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Begin to write."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind that is not whole."""
        self.abandon()

    def _put(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise unwritten(self.path, error) from None
        self._sent += len(data)
        if self.told is not None:
            self.told(self._sent)

    def _encoded(self, at: int, entries: int, digest: str) -> bytes:
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
        directory = {"at": at, "blocks": entries, "checksum": digest}
        document = {**self._document, "arrays": arrays, "directory": directory}
        return json.dumps(document, indent=1).encode() + b"\n"


def ends_of(size: int, each: int) -> npt.NDArray[np.int64]:
    """Return where blocks of ``each`` bytes end, the last one perhaps a short one."""
    return np.minimum(np.arange(each, size + each, each, dtype=np.int64), size)


def _made(part: Callable[[Any], tuple[Blocks, ...]], item: Any, levels: Levels) -> list[_Packed]:
    """Make some blocks, and compress them."""
    return _packed(part(item), levels)


def _packed(several: tuple[Blocks, ...], levels: Levels) -> list[_Packed]:
    """Compress some blocks of each array, each by itself."""
    return [_compressed(*each, level) for each, level in zip(several, levels, strict=True)]


def _compressed(data: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64], level: int) -> _Packed:
    """Compress some blocks."""
    if not len(ends):
        return b"", np.empty(0, ENTRY)
    entries = np.empty(len(ends), ENTRY)
    entries["raw"] = np.diff(ends, prepend=0)
    places = np.empty((len(ends), 2), np.uint64)
    places[:, 0] = ends - entries["raw"]
    places[:, 1] = entries["raw"]
    compressor = zstandard.ZstdCompressor(level=level)
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
