"""Compressors: how small each makes the blocks of tables, and how soon it unpacks one."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row

#: A game, its size, its size in a quick run, the method, an array of its table, and bytes of a
#: block, 0 for blocks as they are.
_ARRAYS: list[tuple[str, list[int], list[int], str, str, list[int]]] = [
    ("quixo", [4], [3], "dense", "slots", [0]),
    ("quixo", [4], [3], "dense", "values", [1024, 0, 16384]),
    ("connect-four", [5, 4], [4, 3], "levels", "positions", [0]),
    ("connect-four", [5, 4], [4, 3], "levels", "values", [512, 0, 4096]),
]


def compressors(session: Session) -> Iterator[Row]:
    """Unpack blocks of two tables as each compressor packs them."""
    for game, full, quick, method, array, blocks in _ARRAYS:
        size = session.pick(full, quick)
        arguments = {"game": game, "size": size, "method": method, "array": array}
        jobs = {"all": work("compressors.unpacked", rehearse="no", blocks=blocks, **arguments)}
        sample = session.race(jobs, 1)["all"]
        for name, found in sample.extra.items():
            text = (
                f"{name} bytes of the {array} of {game} {'x'.join(map(str, size))}: "
                f"{found['bytes']:.2f} bytes a position, {1e6 * found['block']:.1f} µs a block"
            )
            yield Row("compressors", text, found["all"], 0.0, found["all"])
