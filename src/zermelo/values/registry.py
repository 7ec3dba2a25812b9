"""All kinds of value, by name."""

from __future__ import annotations

from zermelo.values.endless import ENDLESS_WINS
from zermelo.values.kind import Kind
from zermelo.values.nimbers import NIMBERS
from zermelo.values.score_and_plies import TIMED_SCORES
from zermelo.values.scores import SCORES
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (WIN_DRAW_LOSS, OUTCOME_ALONE, *ENDLESS_WINS, SCORES, TIMED_SCORES, NIMBERS)
}
