"""How much of a game with chance is luck: what rolls change, and what moves give away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.survey.expected_play import count_decisions
from zermelo.analysis.play_results import MOST_ERROR, rounded
from zermelo.analysis.results import Luck, PlayLuck
from zermelo.values.expectations import Expectations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._engine.survey.expected_play import ExpectedPlay
    from zermelo._engine.survey.move_graph import MoveGraph
    from zermelo.analysis.results import Play


def luck_of_play(move_graph: MoveGraph, way: ExpectedPlay, play: Play) -> PlayLuck:
    """Return what rolls change, and what moves give away, in one way of playing.

    Args:
        move_graph: the positions and their moves.
        way: the results from all positions.
        play: the results from the start.
    """
    start, kind = int(move_graph.starts[0]), move_graph.kind
    sums = [way.length, way.rolls, way.swing, way.lost, way.matters]
    length, rolls, swing, lost, matters = (
        0.0 if numbers is None else rounded(numbers[start]) for numbers in sums
    )
    finished = 1.0 - (0.0 if play.endless is None else play.endless.value)
    if play.length is None or way.error > MOST_ERROR or finished <= 0.0:
        return PlayLuck(play.blunders, None, None, None, None, None)
    is_scored = isinstance(kind, Expectations) and kind.is_scored
    scale = 1.0 if is_scored else 0.5  # from results to probabilities
    moves = rounded(length - rolls)
    return PlayLuck(
        play.blunders,
        rolls=rolls / finished,
        swing=scale * swing / rolls if rolls > 0.0 else None,
        moves=moves / finished,
        lost=scale * lost / moves if moves > 0.0 else None,
        decisions=matters / finished,
    )


def luck_of_game(move_graph: MoveGraph, plays: Sequence[PlayLuck]) -> Luck:
    """Return the luck of a game with the counts of its positions.

    Args:
        move_graph: the positions and their moves.
        plays: the luck of each way of playing.
    """
    decisions = count_decisions(move_graph)
    rolls = int(move_graph.by_chance.sum())
    return Luck(rolls, decisions.choices, decisions.matters, decisions.single, tuple(plays))
