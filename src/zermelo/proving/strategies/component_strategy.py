"""Strategies by the nimbers of components: claims that follow from each other, and their moves.

The winner moves so that the nimbers of all components sum to 0, and again after each reply. So a
strategy only consists of claims about components: a nimber, or numbers that are not the nimber. See
``_engine/certificate/claims`` for the rules of inference.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.forms.quantities import count_phrase
from zermelo.proving.strategies.replies import NO_MOVE, Claim, Keys, Numbers
from zermelo.proving.strategies.strategy import Strategy, canonical_words

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._methods.components import Components

#: Positions that are split in one batch.
_BATCH = 1 << 12


class ComponentStrategy(Strategy):
    """A move for one player in every position whose components are in the strategy.

    ``strategy[position]`` is a move to a position that is lost, by the nimbers of its components.
    ``len`` counts the components with a claim.

    Attributes:
        keys: the packed components, ascending.
        least: the claim about each: its nimber, or -1 minus bits of numbers that it does not have.
        ranks: a number for each that is greater than those of the components that its claim
            requires.
    """

    in_components = True

    def __init__(
        self,
        compiled: CompiledRules,
        claim: Claim,
        keys: Keys,
        least: npt.NDArray[np.int32],
        ranks: npt.NDArray[np.uint32],
    ) -> None:
        """Store the arrays; the arguments are the attributes."""
        moves = np.full(len(least), NO_MOVE, np.uint16)
        super().__init__(compiled, claim, keys, moves, least, ranks)

    @cached_property
    def parts(self) -> Components:
        """The rules that split positions."""
        from zermelo._methods.components import Components

        return Components(self._compiled)

    def __repr__(self) -> str:
        """Return the player and the number of components."""
        return f"<strategy of the {self.side} by {count_phrase(len(self), 'components')}>"

    def claims_for(self, rows: Keys) -> tuple[npt.NDArray[np.bool_], Numbers, Numbers]:
        """Return whether there is a claim about each packed component, its code, and its rank."""
        places = self.places(rows)
        has_claim, codes = places >= 0, np.zeros(len(rows), np.int64)
        ranks = np.zeros(len(rows), np.int64)
        codes[has_claim], ranks[has_claim] = (
            self.least[places[has_claim]],
            self.ranks[places[has_claim]],
        )
        missing = np.flatnonzero(~has_claim)
        if len(missing):  # a component without moves has the nimber 0, without a claim
            flat = np.ascontiguousarray(rows[missing]).reshape(-1)
            has_claim[missing] = ~self.parts.unsplit.has_moves(flat, len(missing))
        return has_claim, codes, ranks

    def sum_codes(self, rows: Keys) -> Numbers:
        """Return what follows for whole packed positions: a nimber, -1 minus bits, or NOTHING."""
        from zermelo._engine.certificate.claims import sums_of_claims

        words, results = self._compiled.words, [np.zeros(0, np.int64)]
        for begin in range(0, len(rows), _BATCH):
            batch = np.ascontiguousarray(rows[begin : begin + _BATCH])
            parts, ends = self.parts.split(batch.reshape(-1), len(batch))
            has_claim, codes, _ = self.claims_for(parts.reshape(-1, words))
            sums = np.empty(len(batch), np.int64)
            sums_of_claims(ends, has_claim, codes, sums)
            results.append(sums)
        return np.concatenate(results)

    def bounds_of(self, position: Any) -> tuple[int | None, int | None]:
        """Return the bounds of a position's value for the player to move; None for no bound."""
        low, high = outcomes_of(self.sum_codes(self._words(position).reshape(1, -1)))
        return (1 if low[0] > 0 else None), (-1 if high[0] < 0 else None)

    def nimber_of(self, position: Any) -> int | None:
        """Return the nimber of a position, or None if no claim implies it."""
        code = int(self.sum_codes(self._words(position).reshape(1, -1))[0])
        return code if code >= 0 else None

    def value_bounds(self, most: int) -> tuple[Numbers, Numbers]:
        """Return the bounds of the components' values, for the player to move in each."""
        low, high = outcomes_of(self.least.astype(np.int64))
        return np.where(low < 0, -most, low), np.where(high > 0, most, high)

    def step(self, position: Any) -> Keys | None:
        """Return the packed child of the strategy's move, or None if it has no move."""
        reply = self._reply(position)
        if reply is None:
            return None
        return canonical_words(self._compiled, self._compiled.rules.play(position, reply[0]))

    def _reply(self, position: Any) -> tuple[Any] | None:
        """Return a tuple of the move in a position, or None if there is none."""
        rules = self._compiled.rules
        canonical_words(self._compiled, position)  # raises PositionError
        moves = rules.moves(position)
        if not moves:
            return None
        children = np.array([self._words(rules.play(position, move)) for move in moves])
        lost_moves = np.flatnonzero(self.sum_codes(children) == 0)
        return (moves[int(lost_moves[0])],) if len(lost_moves) else None

    def _words(self, position: Any) -> Keys:
        return np.array(self._compiled.rules.layout.pack(position), np.uint64)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the components."""
        layout = self._compiled.rules.layout
        return (layout.unpack(row) for row in self.rows)


def outcomes_of(codes: Numbers) -> tuple[Numbers, Numbers]:
    """Return the least and the greatest outcomes that claims allow."""
    from zermelo._engine.certificate.claims import NOTHING

    is_won = (codes > 0) | ((codes != NOTHING) & (codes < 0) & ((-1 - codes) & 1 != 0))
    return np.where(is_won, 1, -1), np.where(codes == 0, -1, 1)
