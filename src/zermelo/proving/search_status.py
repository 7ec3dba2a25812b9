"""Where a search is, in a line: the moves that it looks at, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.ledger import readable
from zermelo.errors import MoveError
from zermelo.proving.strategies.strategy import folded
from zermelo.rules.impartiality import taken_for_impartial

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.search.arrays import SearchArrays
    from zermelo.proving.question import Question
    from zermelo.proving.strategies.replies import Keys
    from zermelo.rules.hooks import Rules

#: Moves that are named of the line that is looked at.
_NAMED = 8


def move_reaching(compiled: CompiledRules, position: Any, child: Keys) -> Any:
    """Return the move of a position that leads to a packed one.

    Raises:
        MoveError: none does.
    """
    rules = compiled.rules
    for move in rules.moves(position):
        if np.array_equal(folded(compiled, rules.play(position, move)), child):
            return move
    message = f"no move leads from {position!r} to where the search went; run zermelo check"
    raise MoveError(message)


def search_description(
    rules: Rules, question: Question, *, numbers: bool, parts: bool, tried: bool
) -> str:
    """Return how a position is searched, and why so.

    Args:
        rules: the rules.
        question: the question about it.
        numbers: whether it is by proof numbers.
        parts: whether it is by components.
        tried: whether it was by proof numbers on trial.
    """
    name, why = "alpha-beta with a table", "no position came again"
    if numbers:
        name, why = "proof-number search", "positions can come again"
        if tried:
            why = "it answered this sooner than alpha-beta"
    if parts:
        name, why = "search by components", "split() gives them" + taken_for_impartial(rules)
    return f"{name}, as {why if question.search is None else 'was asked for'}"


class SearchStatus:
    """Says in short where a search is: how deep, how full its table is, and what it looks at."""

    def __init__(self, compiled: CompiledRules, position: Any, packed: Keys) -> None:
        """Name moves as they are from a position, which is also given packed."""
        self._compiled, self._position, self._packed = compiled, position, packed
        #: The packed positions that were named last, with the moves' names and the positions.
        self._known: list[tuple[bytes, str, Any]] = []

    def __call__(self, walk: SearchArrays) -> str:
        """Return it in one line.

        Args:
            walk: the arrays of the search, which stands still.
        """
        numbers = walk.proof_numbers
        depth = f"ply {walk.ply}"
        if numbers is not None:
            proof, disproof = ("infinite" if n is None else f"{n:,}" for n in numbers)
            depth = f"proof {proof}, disproof {disproof}"
        table = f"table {walk.filled:.0%} of {readable(walk.table.array.nbytes)}"
        return ", ".join([depth, table, *self._names(walk)])

    def _names(self, walk: SearchArrays) -> list[str]:
        """Return the names of the first moves of the line that the search looks at."""
        way = walk.under_way
        if not np.array_equal(way[0], self._packed):  # it is about another position
            return []
        rules, here = self._compiled.rules, self._position
        first = way[1 : _NAMED + 1]
        del self._known[len(first) :]
        for ply, row in enumerate(first):
            if ply < len(self._known) and self._known[ply][0] == row.tobytes():
                here = self._known[ply][2]
                continue
            del self._known[ply:]
            move = move_reaching(self._compiled, here, row)
            here = rules.play(here, move)
            self._known.append((row.tobytes(), rules.move_name(move), here))
        names = [name for _, name, _ in self._known]
        return [*names, "…"] if len(way) > _NAMED + 1 else names
