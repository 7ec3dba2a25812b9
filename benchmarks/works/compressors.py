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

#: The bytes of an array to pack, rounded up to blocks, and the number of times to unpack them.
_SAMPLE, _TIMES = 1 << 20, 5


def unpacked(game: str, size: list[int], method: str, array: str, blocks: list[int]) -> Prepared:
    """Pack an array of a table by each compressor, and unpack it block by block.

    Args:
        game: the name of the game.
        size: the parameters of the game.
        method: the method of solving.
        array: the name of the array in the table.
        blocks: the sizes of blocks in bytes; 0 for the blocks of the table.
    """
    import zermelo
    from zermelo._engine.file.reader import Reader
    from zermelo.games import ConnectFour, Quixo

    instance = {"connect-four": ConnectFour, "quixo": Quixo}[game](*size)
    solution = zermelo.solve(instance, method=method)
    with (
        tempfile.TemporaryDirectory() as folder,
        Reader(solution.save(Path(folder) / "x.table")) as reader,
    ):
        stored = reader.array_entry(array)
        stored_blocks = [bytes(data) for _, data in reader.blocks(stored.first, stored.blocks)]
    samples = {
        block_bytes or max(map(len, stored_blocks)): _sample_blocks(stored_blocks, block_bytes)
        for block_bytes in blocks
    }
    positions_per_byte = len(solution) / sum(map(len, stored_blocks))

    def run() -> dict[str, Any]:
        return {
            f"{name}, {block_bytes}": _measure(pack, unpack, parts, positions_per_byte)
            for block_bytes, parts in samples.items()
            for name, (pack, unpack) in _compressors().items()
        }

    def tell(results: dict[str, Any]) -> Answer:
        return {"positions": len(solution), "extra": results}

    return run, tell


def _sample_blocks(blocks: list[bytes], size: int) -> list[bytes]:
    """Return blocks at equal distances in an array, of ``size`` bytes unless that is 0."""
    if size:
        joined = b"".join(blocks)
        blocks = [joined[begin : begin + size] for begin in range(0, len(joined), size)]
    return blocks[:: -(-sum(map(len, blocks)) // _SAMPLE)]


def _compressors() -> dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]]:
    compressors: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {}
    for level in (-1, 1, 3):
        packer = zstandard.ZstdCompressor(level=level)
        compressors[f"zstd {level}"] = (packer.compress, zstandard.ZstdDecompressor().decompress)
    compressors["zlib 6"] = (lambda data: zlib.compress(data, 6), zlib.decompress)
    compressors["lzma 1"] = (lambda data: lzma.compress(data, preset=1), lzma.decompress)
    return compressors


def _measure(
    pack: Callable[[bytes], bytes],
    unpack: Callable[[bytes], bytes],
    parts: list[bytes],
    positions_per_byte: float,
) -> dict[str, float]:
    """Return the bytes of a position, and the least seconds to unpack a block and all blocks."""
    packed = [pack(part) for part in parts]
    positions = positions_per_byte * sum(map(len, parts))
    best = float("inf")
    for _ in range(_TIMES):
        began = time.process_time()
        for block in packed:
            unpack(block)
        best = min(best, time.process_time() - began)
    if [unpack(block) for block in packed] != parts:
        message = "unpacked blocks differ from the packed ones"
        raise ValueError(message)
    return {"bytes": sum(map(len, packed)) / positions, "block": best / len(parts), "all": best}
