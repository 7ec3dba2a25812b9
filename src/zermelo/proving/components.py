"""The search by components: the games it suits, and its searcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError, UnprovedError
from zermelo.proving.question import COMPONENTS, NIMBER, PROOF_NUMBER
from zermelo.proving.search import TABLE_SHARE, Searcher, SearchLimits
from zermelo.rules.impartiality import first_partizan, reached_positions
from zermelo.rules.layout import spare_bits
from zermelo.values.outcomes import LOSS

if TYPE_CHECKING:
    from zermelo._engine.search.arrays import SearchArrays
    from zermelo.rules.hooks import Rules


def unsuited_reason(rules: Rules) -> str | None:
    """Return a clause on why a game cannot be searched by components, or None if it can."""
    if not rules.has_hook("split"):
        return "which has no split() that says what its components are"
    if rules.kind.gains or rules.has_hook("outcome") or rules.has_hook("winner"):
        return "in which being unable to move is not the only way to lose"
    if rules.no_moves != LOSS:
        return "in which a player who cannot move has not lost"
    if not rules.alternate:
        return "which has a turn, and so may give the players different moves"
    if rules.passes and first_partizan(rules, reached_positions(rules)) is not None:
        return "in which the players have different moves"
    return None


def cycle_error(rules: Rules, ask: str) -> ParameterError:
    """Return the error for a game whose components repeat, so that this search does not suit it."""
    message = (
        f"ask={NIMBER!r} does not suit {rules.name}, whose components can repeat; solve the game "
        f"with value={NIMBER!r} instead"
        if ask == NIMBER
        else f"search={COMPONENTS!r} does not suit {rules.name}, whose components can repeat; "
        f"use {PROOF_NUMBER!r}, or leave it out"
    )
    return ParameterError(message)


def check_components(
    rules: Rules, request: str, *, remoteness: bool = False, has_tables: bool = False
) -> None:
    """Check that a question can be answered by components.

    Args:
        rules: the rules of the game.
        request: the argument that requests the search, such as ``ask='nimber'``.
        remoteness: whether the distance to the end is needed, too.
        has_tables: whether there are solved tables.

    Raises:
        ParameterError: it cannot.
    """
    reason = unsuited_reason(rules)
    if reason is not None:
        message = f"{request} does not suit {rules.name}, {reason}; leave it out"
        raise ParameterError(message)
    if remoteness or has_tables:
        other = "remoteness=True" if remoteness else "tables"
        message = f"{request} does not go with {other}; leave one of them out"
        raise ParameterError(message)


class ComponentSearcher(Searcher):
    """A searcher that tests the nimber of a position by those of its components."""

    def clear(self) -> None:
        """Start with an empty table."""
        from zermelo._engine.search.component_arrays import ComponentArrays

        compiled = self.compiled
        self.parts = ComponentArrays(
            compiled.words,
            spare_bits(compiled.rules.game, compiled.rules.layout),
            memory=int(self.memory * TABLE_SHARE),
        )
        self.walk = self.parts

    def has_nimber(
        self, packed: npt.NDArray[np.uint64], nimber: int, limits: SearchLimits
    ) -> bool | None:
        """Return whether a position has a nimber; None if a limit was met.

        Args:
            packed: the words of the position.
            nimber: the nimber. Lost positions have the nimber 0.
            limits: when to stop.

        Raises:
            RepeatedError: a component repeated, so that play need not end.
            RulesError: the rules break the contract.
            UnprovedError: ``bounds`` is wrong.
        """
        self.parts.start_test(packed, nimber)
        bound = self._answer(limits)
        return None if bound is None else bound > 0

    def look_up(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the table's facts about components; see ``ComponentArrays.look_up``."""
        return self.parts.look_up(rows)

    def search_nimber(self, packed: npt.NDArray[np.uint64], nimber: int) -> int | None:
        """Test whether a component has ``nimber``, or find its nimber if that is -1.

        Returns:
            Its nimber if it was found, else None.

        Raises:
            RepeatedError: a component repeated, so that play need not end.
            RulesError: the rules break the contract.
        """
        self.has_nimber(packed, nimber, SearchLimits())
        low, high = self.parts.bounds
        return low if low == high else None

    def _grow_array(self, walk: SearchArrays, status: int) -> None:
        from zermelo._engine.search.component_search import CONTRADICTION

        if status == CONTRADICTION:
            offset = walk.place * walk.words
            position = self.compiled.rules.layout.unpack(walk.keys[offset : offset + walk.words])
            message = (
                f"the search contradicts itself about {position!r}; if the game has bounds(), see "
                "that it never says more than is true"
            )
            raise UnprovedError(message)
        super()._grow_array(walk, status)

    def chosen_child(self) -> npt.NDArray[np.uint64]:
        """Return the packed child of the move to the tested nimber, not canonicalised."""
        rules = self.compiled.rules
        position = rules.layout.unpack(self.parts.keys[: self.compiled.words])
        move = rules.moves(position)[self.parts.move]
        return np.array(rules.layout.pack(rules.play(position, move)), np.uint64)


def status_line(walk: SearchArrays) -> str:
    """Return a one-line status of a paused search by components."""
    from zermelo._engine.core.ledger import readable

    return f"ply {walk.ply}, table {walk.fill_ratio:.0%} of {readable(walk.table.array.nbytes)}"
