"""The one-line status of a search: depth, table, and the names of the current moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.ledger import readable
from zermelo.errors import MoveError
from zermelo.proving.strategies.strategy import canonical_words
from zermelo.rules.impartiality import taken_for_impartial

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.search.arrays import SearchArrays
    from zermelo.proving.question import Question
    from zermelo.proving.strategies.replies import Keys
    from zermelo.rules.hooks import Rules

#: The most moves of the current line that are named.
_NAMED = 8


def move_reaching(compiled: CompiledRules, position: Any, child: Keys) -> Any:
    """Return the move from a position to a packed child.

    Raises:
        MoveError: there is none.
    """
    rules = compiled.rules
    for move in rules.moves(position):
        if np.array_equal(canonical_words(compiled, rules.play(position, move)), child):
            return move
    message = f"no move leads from {position!r} to where the search went; run zermelo check"
    raise MoveError(message)


def search_description(
    rules: Rules, question: Question, *, numbers: bool, parts: bool, trial_answered: bool
) -> str:
    """Return a phrase on the search in use and the reason for it.

    Args:
        rules: the rules.
        question: the question about the position.
        numbers: whether it is proof-number search.
        parts: whether it is the search by components.
        trial_answered: whether a trial of proof-number search answered the question.
    """
    name, reason = "alpha-beta with a table", "no position came again"
    if numbers:
        name, reason = "proof-number search", "positions can repeat"
        if trial_answered:
            reason = "it answered this sooner than alpha-beta"
    if parts:
        name, reason = "search by components", "split() gives them" + taken_for_impartial(rules)
    return f"{name}, as {reason if question.search is None else 'was asked for'}"


class SearchStatus:
    """Describes the status of a search: its depth, how full its table is, and the current line."""

    def __init__(self, compiled: CompiledRules, position: Any, packed: Keys) -> None:
        """Store the position from which moves are named, also packed."""
        self._compiled, self._position, self._packed = compiled, position, packed
        #: The packed positions of the last line, with the moves' names and the positions.
        self._known: list[tuple[bytes, str, Any]] = []

    def __call__(self, walk: SearchArrays) -> str:
        """Return a one-line status of the search.

        Args:
            walk: the arrays of the search, which is paused.
        """
        numbers = walk.proof_numbers
        depth = f"ply {walk.ply}"
        if numbers is not None:
            proof, disproof = ("infinite" if n is None else f"{n:,}" for n in numbers)
            depth = f"proof {proof}, disproof {disproof}"
        table = f"table {walk.fill_ratio:.0%} of {readable(walk.table.array.nbytes)}"
        return ", ".join([depth, table, *self._names(walk)])

    def _names(self, walk: SearchArrays) -> list[str]:
        """Return the names of the first moves of the current line."""
        path = walk.current_path
        if not np.array_equal(path[0], self._packed):  # the search is of another position
            return []
        rules, position = self._compiled.rules, self._position
        named = path[1 : _NAMED + 1]
        del self._known[len(named) :]
        for ply, row in enumerate(named):
            if ply < len(self._known) and self._known[ply][0] == row.tobytes():
                position = self._known[ply][2]
                continue
            del self._known[ply:]
            move = move_reaching(self._compiled, position, row)
            position = rules.play(position, move)
            self._known.append((row.tobytes(), rules.move_name(move), position))
        names = [name for _, name, _ in self._known]
        return [*names, "…"] if len(path) > _NAMED + 1 else names
