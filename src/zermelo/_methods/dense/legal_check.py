"""Whether a table of all legal positions has all of them, and no others.

Every slot of the space is looked at, one of each class where positions are folded, and whatever is
legal is looked up. Where positions are folded, so is what is not legal: the position kept for it
must not be there, as that would stand for both. Nothing of what the solver did to find them is
used: neither the stretches of slots that it looked through, nor what it marked.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.threads import in_order

if TYPE_CHECKING:
    from zermelo._engine.index.ranks import Ranking
    from zermelo._engine.table import Table
    from zermelo._methods.dense.workspace import SpaceRules
    from zermelo.progress import Reporter

#: Slots that a thread looks through at once.
_SPAN = 1 << 14


def first_mismatch(
    expand: SpaceRules, ranking: Ranking, table: Table, threads: int, report: Reporter
) -> npt.NDArray[np.uint64] | None:
    """Return a position, packed, of which ``legal`` and the table say different things, or None.

    It is legal and not in the table; or it is not legal, and in the table is one that counts as the
    same.

    Args:
        expand: the compiled rules.
        ranking: the slots of all positions that the space allows.
        table: the table.
        threads: threads to use.
        report: is told how many slots were looked at.
    """
    words = expand.words

    def mismatch(_: None, begin: int) -> npt.NDArray[np.uint64] | None:
        count = min(_SPAN, ranking.slots - begin)
        keys = np.empty(count * words, np.uint64)
        ranking.unrank(np.arange(begin, begin + count), count, keys)
        answers = np.empty(count, np.uint8)
        expand.legal(keys, count, answers)
        if not expand.is_folded:  # then what is not legal is not there, or is seen not to be
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
        for begin, found in in_order(pool, workspaces, mismatch, range(0, ranking.slots, _SPAN)):
            if found is not None:
                return found
            report.advance(begin)
    return None
