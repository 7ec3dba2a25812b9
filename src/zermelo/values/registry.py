"""All kinds of value, by name."""

from __future__ import annotations

from zermelo.values.endless import ENDLESS_WINS
from zermelo.values.expectations import expectation_kinds
from zermelo.values.kind import Kind
from zermelo.values.nimbers import NIMBERS
from zermelo.values.partizan import PARTIZAN
from zermelo.values.score_and_plies import TIMED_SCORES
from zermelo.values.scores import SCORES
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        *(WIN_DRAW_LOSS, OUTCOME_ALONE, *ENDLESS_WINS, SCORES, TIMED_SCORES, NIMBERS, PARTIZAN),
        *expectation_kinds(),
    )
}


def requested_kind(kind: Kind, value: str | None) -> Kind:
    """Return the kind of value that is found for a game.

    Args:
        kind: the kind of its rules.
        value: the name of the kind that is asked for, or None. Who wins alone is found by one
            method, and codes of rules are not converted to it.
    """
    requested = KINDS.get(value or "", kind)
    return requested if requested.converted else kind
