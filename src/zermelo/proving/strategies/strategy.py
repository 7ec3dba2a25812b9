"""Strategies: a move in every position that can arise against any reply.

A strategy proves one bound of a value. Its player gets at least this bound, and the strategy has a
move for every position in which this player is to move. It is stored in sorted arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import PositionError
from zermelo.forms.quantities import count_phrase
from zermelo.proving.strategies.replies import NO_MOVE, Claim, Keys, Numbers

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules


class Strategy:
    """A move for one player in every position that can arise against any reply.

    ``strategy[position]`` is the move. ``len`` counts the positions with a move; equivalent
    positions count once.

    Attributes:
        side: ``"mover"`` for the player to move in the position of the proof, else ``"other"``.
        claim: the claim that the strategy proves.
        keys: the packed positions, ascending; if turns need not alternate, also those in which the
            other player is to move.
        moves: the number of the move in each position, in the order of the rules.
        least: the least value for the strategy's player from each position, as the search has it.
        ranks: a number for each position that decreases along all play, if the proof needs the end
            of play.
    """

    def __init__(
        self,
        compiled: CompiledRules,
        claim: Claim,
        keys: Keys,
        moves: npt.NDArray[np.uint16],
        least: npt.NDArray[np.int32],
        ranks: npt.NDArray[np.uint32],
    ) -> None:
        """Store the arrays; the arguments are the attributes."""
        self._compiled, self.claim = compiled, claim
        self.keys, self.moves, self.least, self.ranks = keys, moves, least, ranks
        self.side = "mover" if claim.mover else "other"

    #: Whether the strategy uses the nimbers of components instead of whole positions.
    in_components = False

    @property
    def has_scores(self) -> bool:
        """Whether values are scores."""
        return self._compiled.kind.gains

    @property
    def rows(self) -> Keys:
        """The packed positions, a row each."""
        return self.keys.reshape(-1, self._compiled.words)

    @property
    def is_own(self) -> npt.NDArray[np.bool_]:
        """Whether the strategy's player is to move, for each position."""
        if self._compiled.alternate:
            return np.ones(len(self.moves), np.bool_)
        is_own: npt.NDArray[np.bool_] = self.moves != NO_MOVE
        return is_own

    @property
    def nbytes(self) -> int:
        """The bytes of memory that its arrays take."""
        return sum(array.nbytes for array in (self.keys, self.moves, self.least, self.ranks))

    def places(self, rows: Keys) -> Numbers:
        """Return the indices of packed positions in ``keys``, -1 for missing ones.

        Args:
            rows: the positions, which are canonical, a row each.
        """
        from zermelo._engine.sort.sorted_keys import at_or_before

        count, stored = len(rows), len(self.moves)
        indices = np.full(count, -1, np.int64)
        if not stored or not count:
            return indices
        flat = np.ascontiguousarray(rows).reshape(-1)
        with self._compiled.kernels():
            at_or_before(flat, count, self._compiled.words, self.keys, stored, indices)
        is_equal = (self.rows[np.maximum(indices, 0)] == rows).all(axis=1)
        indices[~is_equal] = -1
        return indices

    def place(self, position: Any) -> int | None:
        """Return the index of a position in ``keys``, or None if it is missing.

        Raises:
            PositionError: it is not a position of the game.
        """
        index = int(self.places(canonical_words(self._compiled, position).reshape(1, -1))[0])
        return None if index < 0 else index

    def child_after(self, place: int) -> Keys:
        """Return the packed child of the strategy's move from the position with index ``place``."""
        rules = self._compiled.rules
        position = rules.layout.unpack(self.rows[place])
        move = rules.moves(position)[self.moves[place]]
        return canonical_words(self._compiled, rules.play(position, move))

    def step(self, position: Any) -> Keys | None:
        """Return the packed child of the strategy's move, or None if it has no move."""
        place = self.place(position)
        return None if place is None or self.moves[place] == NO_MOVE else self.child_after(place)

    def bounds_of(self, position: Any) -> tuple[int | None, int | None]:
        """Return a position's bounds, None for no bound; see ``values.proof_values``."""
        place = self.place(position)
        if place is None:
            return None, None
        least = int(self.least[place])
        return (least, None) if self.is_own[place] else (None, -least)

    def nimber_of(self, position: Any) -> int | None:  # noqa: ARG002  # components have nimbers
        """Return the nimber of a position, or None if no claim implies it."""
        return None

    def value_bounds(self, most: int) -> tuple[Numbers, Numbers]:
        """Return the bounds of its positions' values, for the player to move in each.

        Args:
            most: a number that no value exceeds.
        """
        least, is_own = self.least.astype(np.int64), self.is_own
        bound = np.full(len(least), most)
        return np.where(is_own, least, -bound), np.where(is_own, bound, -least)

    def __len__(self) -> int:
        """Return the number of positions with a move."""
        return int(self.is_own.sum())

    def __repr__(self) -> str:
        """Return the player and the number of positions."""
        return f"<strategy of the {self.side} in {count_phrase(len(self), 'positions')}>"

    def _repr_html_(self) -> str:
        """Return the player and the number of positions, for notebooks."""
        from zermelo.forms import markup

        return markup.form(
            markup.line(f"strategy of the {self.side}, {count_phrase(len(self), 'positions')}")
        )

    def __contains__(self, position: Any) -> bool:
        """Whether the strategy has a move in a position."""
        return self._reply(position) is not None

    def __getitem__(self, position: Any) -> Any:
        """Return the move in a position.

        Raises:
            PositionError: no reply leads there, or it is the opponent's turn.
        """
        reply = self._reply(position)
        if reply is None:
            message = (
                f"{position!r} is not in the strategy, which has positions that arise when its "
                "player follows it, and in which that player is to move; ask for one of those"
            )
            raise PositionError(message)
        return reply[0]

    def get(self, position: Any, default: Any = None) -> Any:
        """Return the move in a position, or ``default`` if ``strategy[position]`` raises an error.

        Raises:
            PositionError: it is not a position of the game.
        """
        reply = self._reply(position)
        return default if reply is None else reply[0]

    def _reply(self, position: Any) -> tuple[Any] | None:
        """Return a tuple of the move in a position, or None if there is none."""
        place = self.place(position)
        if place is None or self.moves[place] == NO_MOVE:
            return None
        rules, target = self._compiled.rules, self.child_after(place)
        for move in rules.moves(position):
            if np.array_equal(canonical_words(self._compiled, rules.play(position, move)), target):
                return (move,)
        return None

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the positions, the canonical one of each class."""
        layout = self._compiled.rules.layout
        return (layout.unpack(row) for row in self.rows[self.moves != NO_MOVE])


def canonical_words(compiled: CompiledRules, position: Any) -> Keys:
    """Return the words of a position's canonical form.

    Raises:
        PositionError: it is not a position of the game.
    """
    from zermelo.rules.layout import MisfitError

    layout = compiled.rules.layout
    try:
        packed = np.array(layout.pack(position), np.uint64)
    except MisfitError as error:
        name, reads = compiled.rules.name, compiled.rules.has_hook("parse")
        message = layout.refusal(position, name, error, reads=reads)
        raise PositionError(message) from None
    return compiled.canonical(packed, 1)
