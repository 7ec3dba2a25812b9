"""Finished stages of a solve in a folder, from which a killed solve can resume.

::

    go.table.unfinished/
      lock             locked by the process that solves, while it lives
      identity.json    the game, the method and their options
      level-12.stage   the arrays of one stage
      words.column     a file whose complete ranges are listed in stages

A stage is complete or missing: it is written under another name, and renamed when the system has
written it to the disk. Checksums cover every byte; a stage that does not match counts as missing,
so that damage only causes a stage to be computed again. Arrays are stored in blocks, each
compressed separately or not at all: writing and reading take no more memory than a block.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo import limits
from zermelo._engine.core.checkpoint import Arrays, Checkpoint
from zermelo._engine.core.memory import zeros
from zermelo._engine.file.format import checksum, digest
from zermelo._engine.file.lock import locked
from zermelo.atomic_write import sync_folder, write_error
from zermelo.errors import CorruptTableError, TableBusyError, TableWriteError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

#: The format of stages; a folder of another format is cleared.
_FORMAT = 4
#: Bytes of a block before compression, and the frame before it: its bytes in the file and a
#: checksum.
_BLOCK, _FRAME = 1 << 22, struct.Struct("<IQ")
_FIRST = re.compile(rb"ZERMELO-STAGE (\d{4}) (\d{8}) ([0-9a-f]{32})\n")
_FIRST_BYTES = len(b"ZERMELO-STAGE 0001 00000000 \n") + 32
_NAME, _COLUMN = re.compile(r"[a-z0-9][a-z0-9-]*"), ".column"
#: The fastest compression level: these files are read once, if at all, and then deleted.
_LEVEL = 1
#: The compressed share of a block's bytes at most; otherwise it is written uncompressed, and so are
#: the next _NEXT blocks: no disk is as slow as a compressor that saves nothing.
_WELL, _NEXT = 0.6, 15
#: Estimates of bytes written per second before the first measurement; the larger one applies after
#: ``long`` seconds, when a measurement is useful.
_RATE, _HOPED = 2e8, 5e8


class CheckpointFolder(Checkpoint):
    """Stages of a solve in a folder that belongs to one process at a time.

    Attributes:
        directory: the folder.
        found: the names of stages that an earlier process left, in alphabetical order.
        restarted: whether an earlier process left stages of another solve, which were deleted.
        facts: the facts saved by the first process that used the folder.
        long: seconds of work after which more time may be spent on a stage.
    """

    saves = True
    directory: Path
    long = 60.0

    def __init__(
        self,
        directory: Path,
        identity: Mapping[str, Any],
        *,
        facts: Mapping[str, Any] | None = None,
        also: tuple[str, ...] = (),
        durable: bool = True,
    ) -> None:
        """Lock the folder, which is created if missing.

        Args:
            directory: the folder; its parent must exist.
            identity: the game, the method and their options, as JSON values; stages of any other
                identity are deleted.
            facts: data saved with the identity, which a resuming process reads.
            also: names of files that other code may write there, and that are deleted like stages.
            durable: whether stages must survive a power failure. If they only free memory for a
                while, waiting for the disk is not needed.

        Raises:
            TableBusyError: another process has locked it.
            TableWriteError: it cannot be written.
        """
        self.directory = directory
        self.found: tuple[str, ...] = ()
        self.restarted = False
        self.facts = dict(facts or {})
        self._also = tuple(directory / name for name in also)
        self._durable = durable
        self._written = False
        self._checked: set[str] = set()
        self._packer = zstandard.ZstdCompressor(level=_LEVEL)
        self._unpacker = zstandard.ZstdDecompressor()
        self._rate = 0.0
        try:
            self._lock = locked(directory)
        except OSError as error:
            if isinstance(error, TableBusyError):
                raise
            raise write_error(self.directory, error) from None
        try:
            self._begin(dict(identity))
        except OSError as error:
            self.close()
            raise write_error(self.directory, error) from None
        self._since = time.monotonic()

    def has(self, name: str) -> bool:
        """Return whether a stage of this name exists and its checksums match."""
        if name in self._checked:
            return True
        path = self._path(name)
        try:
            with path.open("rb") as file:
                for _ in self._blocks(file, path):
                    pass
        except FileNotFoundError:
            return False
        except (CorruptTableError, OSError):
            path.unlink(missing_ok=True)
            return False
        self._checked.add(name)
        return True

    def note(self, name: str) -> list[Any] | None:
        """Return the note of a stage, or None if there is no such stage."""
        if not self.has(name):
            return None
        path = self._path(name)
        with path.open("rb") as file:
            found: list[Any] = next(self._blocks(file, path))["note"]
        return found

    def write(self, name: str, note: Sequence[object] = (), /, **arrays: npt.NDArray[Any]) -> None:
        """Write a stage, replacing one of this name.

        Args:
            name: of lower-case letters, digits and hyphens.
            note: numbers and strings that ``note`` returns.
            arrays: arrays of numbers, of any shape.

        Raises:
            TableWriteError: a write error, such as a full disk; an earlier stage is left intact.
        """
        path = self._path(name)
        part = path.with_suffix(".part")
        laid = {key: np.ascontiguousarray(array) for key, array in arrays.items()}
        described = [[key, each.dtype.str, arrays[key].shape] for key, each in laid.items()]
        if any(each.dtype.kind not in "biuf" for each in laid.values()):
            message = f"a stage holds numbers, not {described!r}"
            raise TypeError(message)
        began, size = time.monotonic(), 0
        header = json.dumps({"note": list(note), "arrays": described}).encode() + b"\n"
        try:
            if self._durable and not self._written:
                self._sync_identity()
            with part.open("wb") as file:
                file.write(_first_line(header) + header)
                for each in laid.values():
                    size += each.nbytes
                    for packed in self._packed(each):
                        file.write(_FRAME.pack(len(packed), checksum(packed)))
                        file.write(packed)
                if self._durable:
                    file.flush()
                    os.fsync(file.fileno())
            part.replace(path)
            self._sync()
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise write_error(self.directory, error) from None
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        self._checked.add(name)
        self._since = time.monotonic()
        if size > _BLOCK:
            self._rate = size / max(self._since - began, 1e-6)

    def read(self, name: str, **into: npt.NDArray[Any]) -> Arrays:
        """Return the arrays of a stage for which ``has`` returned True; see ``Checkpoint``."""
        path = self._path(name)
        arrays: Arrays = {}
        places: Iterator[memoryview] = iter(())
        try:
            with path.open("rb") as file:
                for block in self._blocks(file, path):
                    if isinstance(block, dict):
                        for key, dtype, shape in block["arrays"]:
                            count, kind = int(np.prod(shape)), np.dtype(dtype)
                            array = into.get(key)
                            if array is None or not _fits(array, count, kind):
                                array = zeros(count, kind)
                            arrays[key] = array.reshape(shape)
                        places = (place for each in arrays.values() for place in _cut(each))
                        continue
                    place = next(places)
                    as_it_is = len(block) == len(place)
                    place[:] = block if as_it_is else self._unpacker.decompress(block, len(place))
        except (OSError, StopIteration, ValueError, zstandard.ZstdError) as error:
            if isinstance(error, CorruptTableError):
                raise
            raise _damaged(path, error) from None
        if next(places, None) is not None:
            raise _damaged(path, "it is truncated")
        return arrays

    def file(self, name: str) -> Path:
        """Return the path of a file in the folder, which is deleted with the stages."""
        return self._path(name).with_suffix(_COLUMN)

    def should_save(self, size: int, rate: float = 0.0) -> bool:
        """Return whether writing ``size`` bytes takes little of the time since the last stage.

        If ``rate`` gives the bytes written per second, most of the time is the disk's, and more
        time may be spent from the start.
        """
        worked = time.monotonic() - self._since
        late = worked >= self.long
        limit = limits.current()
        share = limit.checkpoint_share[late or rate > 0]
        rate = rate or self._rate or (_HOPED if late else _RATE)
        return worked >= limit.checkpoint_seconds and size <= share * worked * rate

    def put(self, name: str, note: Sequence[object] = (), /, **arrays: npt.NDArray[Any]) -> bool:
        """Write a stage if possible; return whether it was written."""
        try:
            self.write(name, note, **arrays)
        except TableWriteError:
            self._since = time.monotonic()  # no new attempt immediately
            return False
        return True

    def names(self) -> list[str]:
        """Return the names of all stages, intact or damaged."""
        return sorted(path.stem for path in self.directory.glob("*.stage"))

    def drop(self, *names: str) -> None:
        """Delete stages, if they exist."""
        for name in names:
            self._checked.discard(name)
            with contextlib.suppress(OSError):
                self._path(name).unlink(missing_ok=True)

    def close(self) -> None:
        """Release the folder for other processes, and delete it if it has no stages."""
        if self._lock >= 0 and not self.names() and not any(p.exists() for p in self._also):
            self.discard()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def discard(self) -> None:
        """Delete the folder with all stages, and release it."""
        with contextlib.suppress(OSError):
            # The identity is deleted first: without it, stages left by a kill are invalid.
            (self.directory / "identity.json").unlink(missing_ok=True)
            self._clear()
            for part in self.directory.glob("*.part"):
                part.unlink()
            (self.directory / "lock").unlink(missing_ok=True)
            self.directory.rmdir()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        """Return this object."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release the folder; see ``close``."""
        self.close()

    def _begin(self, identity: dict[str, Any]) -> None:
        """Keep the stages if they have this identity, else delete them."""
        place = self.directory / "identity.json"
        for part in self.directory.glob("*.part"):
            part.unlink()
        identity = json.loads(json.dumps({"stages": _FORMAT, **identity}))
        before: dict[str, Any] = {}
        try:
            before = json.loads(place.read_bytes())
            same = before["identity"] == identity
        except (OSError, ValueError, TypeError, KeyError):
            same = False
        if same:
            self.facts = before["facts"]
            self.found = tuple(self.names())
            return
        self.restarted = self._clear() > 0
        part = place.with_suffix(".part")
        document = {"identity": identity, "facts": self.facts}
        part.write_text(json.dumps(document, indent=1), encoding="utf-8")
        part.replace(place)

    def _sync_identity(self) -> None:
        """Sync the identity to the disk before the first stage."""
        with (self.directory / "identity.json").open("rb+") as file:
            os.fsync(file.fileno())
        self._sync()
        self._written = True

    def _clear(self) -> int:
        """Delete all stages; return their number."""
        stages = [*self.directory.glob("*.stage"), *filter(Path.exists, self._also)]
        for path in (*stages, *self.directory.glob(f"*{_COLUMN}")):
            path.unlink()
        self._checked.clear()
        return len(stages)

    def _packed(self, array: npt.NDArray[Any]) -> Iterator[Any]:
        """Yield the blocks of an array, compressed if that saves enough."""
        left = 0
        for raw in _cut(array):
            packed = raw if left else self._packer.compress(raw)
            if left:
                left -= 1
            elif len(packed) > _WELL * len(raw):
                packed, left = raw, _NEXT
            yield packed

    def _blocks(self, file: BinaryIO, path: Path) -> Iterator[Any]:
        """Yield the description of a stage, then its blocks, each checked by its checksum."""
        match = _FIRST.fullmatch(file.read(_FIRST_BYTES))
        if match is None or int(match[1]) != _FORMAT:
            raise _damaged(path, "it does not begin as one")
        header = file.read(int(match[2]))
        if _first_line(header) != match[0]:
            raise _damaged(path, "its header is damaged")
        described = json.loads(header)
        yield described
        blocks = sum(_count(dtype, shape) for _, dtype, shape in described["arrays"])
        for _ in range(blocks):
            frame = file.read(_FRAME.size)
            if len(frame) < _FRAME.size:
                raise _damaged(path, "it is truncated")
            size, said = _FRAME.unpack(frame)
            packed = file.read(min(size, 2 * _BLOCK))
            if len(packed) != size or checksum(packed) != said:
                raise _damaged(path, "a block is damaged")
            yield packed
        if file.read(1):
            raise _damaged(path, "it is too long")

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            message = (
                f"{name!r} is not a name of a stage; use lower-case letters, digits and hyphens"
            )
            raise ValueError(message)
        return self.directory / f"{name}.stage"

    def _sync(self) -> None:
        """Sync the folder, so that renamed files keep their names after a power failure."""
        if self._durable:
            sync_folder(self.directory)


def _cut(array: npt.NDArray[Any]) -> Iterator[memoryview]:
    """Yield the bytes of an array in blocks."""
    flat = array.reshape(-1).view(np.uint8).data
    return (flat[begin : begin + _BLOCK] for begin in range(0, len(flat), _BLOCK))


def _count(dtype: str, shape: list[int]) -> int:
    """Return the number of blocks of an array."""
    size = np.dtype(dtype).itemsize
    for length in shape:
        size *= length
    return -(-size // _BLOCK)


def _fits(array: npt.NDArray[Any], count: int, kind: np.dtype[Any]) -> bool:
    """Return whether an array can be read directly into ``array``."""
    return array.size == count > 0 and array.dtype == kind and array.flags.c_contiguous


def _first_line(header: bytes) -> bytes:
    begin = f"ZERMELO-STAGE {_FORMAT:04} {len(header):08} "
    return f"{begin}{digest(begin.encode() + header)}\n".encode()


def _damaged(path: Path, why: object) -> CorruptTableError:
    return CorruptTableError(f"{str(path)!r} is not a stage to resume from: {why}; delete it")
