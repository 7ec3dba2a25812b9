"""All positions of a small declared space, for games with ``legal``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.kernel import interpreting
from zermelo.plain.play_graph import UnsuitedError

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: The most positions of a space, which are listed in memory.
_MOST = 1 << 15


def holds_all_legal(rules: Rules, kind: Kind) -> bool:
    """Return whether a solution has all legal positions, reachable or not."""
    if not (rules.has_hook("legal") and kind.outcomes_alone and kind is rules.kind):
        return False
    from zermelo._methods.dense.method import DenseMethod  # on demand: few games have legal()

    return DenseMethod().unsuited(rules) is None


def positions_of_space(rules: Rules) -> list[Any]:
    """Return all positions of a game's space, legal or not, in the order of the space.

    Raises:
        UnsuitedError: there are too many.
    """
    from zermelo._methods.dense.method import slots_of
    from zermelo._methods.dense.ranking import ranking_of

    count = slots_of(rules)
    if count > _MOST:
        reason = f"its space() has {count:,} positions, and {_MOST:,} are the most"
        raise UnsuitedError(reason)
    with interpreting():
        keys = ranking_of(rules).unranked(np.arange(count))
    return list(map(rules.layout.unpack, keys.reshape(count, -1).tolist()))
