"""The check that a table of all legal positions has exactly these.

Every slot of the space is tested, canonical ones only if positions are canonical, and every legal
position is looked up. If positions are canonical, illegal ones are looked up too: their canonical
position must be absent, as it would stand for both. The check uses nothing of the solver: neither
the ranges of slots that it searched, nor the bits that it set.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.threads import map_ordered

if TYPE_CHECKING:
    from zermelo._engine.index.ranks import Ranking
    from zermelo._engine.table import Table
    from zermelo._methods.dense.workspace import SpaceRules
    from zermelo.progress import Reporter

#: Slots that a thread tests in one batch.
_SPAN = 1 << 14


def first_mismatch(
    expand: SpaceRules, ranking: Ranking, table: Table, threads: int, report: Reporter
) -> npt.NDArray[np.uint64] | None:
    """Return a packed position on which ``legal`` and the table disagree, or None.

    The position is legal and not in the table, or it is not legal and its canonical position is in
    the table.

    Args:
        expand: the compiled rules.
        ranking: the slots of all positions that the space allows.
        table: the table.
        threads: threads to use.
        report: receives the number of tested slots.
    """
    words = expand.words

    def mismatch(_: None, begin: int) -> npt.NDArray[np.uint64] | None:
        count = min(_SPAN, ranking.slots - begin)
        keys = np.empty(count * words, np.uint64)
        ranking.unrank(np.arange(begin, begin + count), count, keys)
        answers = np.empty(count, np.uint8)
        expand.legal(keys, count, answers)
        if not expand.is_folded:  # then an illegal position in the table fails another check
            keys = keys.reshape(-1, words)[answers != 0].reshape(-1)
            answers = answers[answers != 0]
        count = len(answers)
        if not count:
            return None
        places = np.empty(count, np.int64)
        table.places(expand.canonical(keys, count), count, places)
        wrong = np.flatnonzero((places >= 0) != (answers != 0))
        if not len(wrong):
            return None
        here = int(wrong[0])
        return keys[here * words : (here + 1) * words].copy()

    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-legal") as pool:
        workspaces = [None] * (2 * threads if threads > 1 else 1)
        for begin, found in map_ordered(pool, workspaces, mismatch, range(0, ranking.slots, _SPAN)):
            if found is not None:
                return found
            report.advance(begin)
    return None
