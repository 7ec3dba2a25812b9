"""Ranges that units of work cover, and results of units in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Result = TypeVar("Result")


def even_ranges(count: int, parts: int) -> list[tuple[int, int]]:
    """Return at most ``parts`` ranges of ``count`` elements, of equal lengths to within one."""
    return list(pairwise(sorted({count * n // parts for n in range(parts + 1)})))


def cost_ranges(costs: npt.NDArray[Any], parts: int) -> list[tuple[int, int]]:
    """Return at most ``parts`` ranges of elements, whose costs add up to about equal sums."""
    before = np.concatenate(([0.0], np.cumsum(costs)))
    targets = np.arange(1, parts) * (before[-1] / parts)
    cuts = np.unique([0, *np.searchsorted(before, targets).tolist(), len(costs)])
    return list(pairwise(cuts.tolist()))


def in_order(results: Iterable[tuple[int, Result]]) -> Iterator[tuple[int, Result]]:
    """Yield the results of units, with the indices of these, by index and as early as possible."""
    waiting: dict[int, Result] = {}
    done = 0
    for index, result in results:
        waiting[index] = result
        while done in waiting:
            yield done, waiting.pop(done)
            done += 1
