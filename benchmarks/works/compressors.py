"""Compressors: the blocks of a table, packed and unpacked by each."""

from __future__ import annotations

import lzma
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zstandard

from benchmarks.works.common import Answer, Prepared

#: Bytes of an array that are packed, or a few more, and how often they are unpacked.
_TAKEN, _TIMES = 1 << 20, 5


def unpacked(game: str, size: list[int], method: str, array: str, blocks: list[int]) -> Prepared:
    """Pack an array of a table by each compressor, and unpack it block by block.

    Args:
        game: its name.
        size: its parameters.
        method: how it is solved.
        array: the array of its table.
        blocks: bytes of a block; 0 for blocks as the table has them.
    """
    import zermelo
    from zermelo._engine.file.reader import Reader
    from zermelo.games import ConnectFour, Quixo

    made = {"connect-four": ConnectFour, "quixo": Quixo}[game](*size)
    solution = zermelo.solve(made, method=method)
    with (
        tempfile.TemporaryDirectory() as folder,
        Reader(solution.save(Path(folder) / "x.table")) as reader,
    ):
        stored = reader.array_entry(array)
        whole = [bytes(data) for _, data in reader.blocks(stored.first, stored.blocks)]
    cut = {each or max(map(len, whole)): _cut(whole, each) for each in blocks}
    share = len(solution) / sum(map(len, whole))

    def run() -> dict[str, Any]:
        return {
            f"{name}, {each}": _measured(pack, unpack, parts, share)
            for each, parts in cut.items()
            for name, (pack, unpack) in _compressors().items()
        }

    def tell(found: dict[str, Any]) -> Answer:
        return {"positions": len(solution), "extra": found}

    return run, tell


def _cut(whole: list[bytes], each: int) -> list[bytes]:
    """Return blocks of so many bytes, or as they are, from all over an array."""
    if each:
        joined = b"".join(whole)
        whole = [joined[begin : begin + each] for begin in range(0, len(joined), each)]
    return whole[:: -(-sum(map(len, whole)) // _TAKEN)]


def _compressors() -> dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]]:
    found: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {}
    for level in (-1, 1, 3):
        packer = zstandard.ZstdCompressor(level=level)
        found[f"zstd {level}"] = (packer.compress, zstandard.ZstdDecompressor().decompress)
    found["zlib 6"] = (lambda data: zlib.compress(data, 6), zlib.decompress)
    found["lzma 1"] = (lambda data: lzma.compress(data, preset=1), lzma.decompress)
    return found


def _measured(
    pack: Callable[[bytes], bytes],
    unpack: Callable[[bytes], bytes],
    parts: list[bytes],
    share: float,
) -> dict[str, float]:
    """Return the bytes a position, and the least seconds to unpack a block and a position."""
    packed = [pack(part) for part in parts]
    positions = share * sum(map(len, parts))
    best = float("inf")
    for _ in range(_TIMES):
        began = time.process_time()
        for each in packed:
            unpack(each)
        best = min(best, time.process_time() - began)
    if [unpack(each) for each in packed] != parts:
        message = "what was packed is not what is unpacked"
        raise ValueError(message)
    return {"bytes": sum(map(len, packed)) / positions, "block": best / len(parts), "all": best}
