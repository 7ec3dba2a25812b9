"""Files of results, as `docs/results` has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "results"


def lines(name: str) -> Iterator[list[str]]:
    """Yield the words of each line of a file of results that is not a comment."""
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split()


def numbers(name: str) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of each line of a file of results."""
    for words in lines(name):
        yield tuple(map(int, words))
