"""A proof in the form of a solution.

Its values are the known bounds of the positions of strategies and of their children.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.table import Table
from zermelo.errors import ParameterError
from zermelo.proving.strategies.strategy import Strategy, canonical_words
from zermelo.solution.solved_base import Solved
from zermelo.values.proof_values import Proved
from zermelo.values.results import Verification

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._store.save_options import SaveOptions
    from zermelo.progress import Listener, Reporter
    from zermelo.proving.proof_search import ProofSearch

#: The node limit of a short search that answers one question.
_QUICK_NODES = 2_000
#: Positions in a batch.
_PAGE = 1 << 13


class ProofView(Protocol):
    """The interface of a proof that ``SolvedProof`` uses; see ``Proof``."""

    position: Any

    @property
    def kind(self) -> Proved:
        """The kind of the values: bounds."""

    def strategies(self) -> list[Strategy]:
        """Return the strategies built so far."""

    def prove(self, position: Any, *, time: float | None, progress: Listener | None) -> object:
        """Prove another position."""

    def verify(self, *, progress: Listener | None) -> Verification:
        """Check the strategies."""

    def save(
        self, path: str | os.PathLike[str], *, overwrite: bool, progress: Listener | None
    ) -> Path:
        """Save the proof."""


class StrategyTable(Table):
    """The positions of a proof's strategies, one after another, with the values claimed."""

    def __init__(self, proof: ProofView, words: int) -> None:
        """Create the table of a proof.

        Args:
            proof: the proof.
            words: 64-bit words of a packed position.
        """
        self._proof, self.kind, self._claims = proof, proof.kind, proof.kind
        self.words = words
        self.starts = np.zeros(1, np.int64)
        self.reachability_evidence = "any"
        self.file = None

    @property
    def _strategies(self) -> list[Strategy]:
        return self._proof.strategies()

    def __len__(self) -> int:
        """Return the number of positions."""
        return sum(len(strategy.moves) for strategy in self._strategies)

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return len(self)

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Yield all places in ascending order, in batches."""
        for begin in range(0, len(self), _PAGE):
            yield np.arange(begin, min(begin + _PAGE, len(self)))

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        rows = [strategy.rows[indices] for strategy, indices in self._parts(places)]
        return np.concatenate(rows).reshape(-1)

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the codes at places, which ascend."""
        parts = [
            claimed_codes(strategy, self._claims)[indices]
            for strategy, indices in self._parts(places)
        ]
        return np.concatenate(parts)

    def value(self, place: int) -> int:
        """Return the code at one place."""
        return int(self.values(np.array([place]))[0])

    def steps(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return zeros: the claimed values contain the distance to the end."""
        return np.zeros(len(places), np.int64)

    def tally(self) -> dict[int, int]:
        """Return the number of occurrences of each code."""
        codes = [claimed_codes(strategy, self._claims) for strategy in self._strategies]
        unique_codes, counts = np.unique(
            np.concatenate([np.zeros(0, np.int64), *codes]), return_counts=True
        )
        return dict(zip(unique_codes.tolist(), counts.tolist(), strict=True))

    def _parts(
        self, places: npt.NDArray[np.int64]
    ) -> Iterator[tuple[Strategy, npt.NDArray[np.int64]]]:
        """Yield the strategies, each with its own indices of the given places."""
        begin = 0
        for strategy in self._strategies:
            end = begin + len(strategy.moves)
            yield strategy, places[(places >= begin) & (places < end)] - begin
            begin = end


def claimed_codes(strategy: Strategy, kind: Proved) -> npt.NDArray[np.int64]:
    """Return the claimed codes of a strategy's positions, for the player to move in each."""
    codes = kind.codes_of(*strategy.value_bounds(kind.most))
    if kind.impartial:  # a claim of a nimber has it for its code
        nimbers = strategy.least.astype(np.int64)
        codes |= np.where(nimbers >= 0, kind.nimber_codes(nimbers), 0)
    return codes


class SolvedProof(Solved):
    """The game of a proof, with the known bounds of its positions.

    Attributes:
        proof: the proof.
        kind: the kind of the values: bounds.
    """

    counted_as = "positions of strategies"

    def __init__(self, proof: ProofView, search: ProofSearch) -> None:
        """Create the view of a proof and of its search."""
        compiled = search.compiled
        self.proof, self._search, self._compiled = proof, search, compiled
        self.kind: Proved = proof.kind
        self.rules, self.layout, self.folded = compiled.rules, compiled.rules.layout, False
        self._known: dict[bytes, tuple[int, int]] = {}

    @cached_property
    def table(self) -> Table:  # type: ignore[override]  # created at the first use
        """The positions of the strategies."""
        return StrategyTable(self.proof, self._compiled.words)

    def clear_cache(self) -> None:
        """Clear the cache of bounds, after more has become known."""
        self._known.clear()

    # -- known bounds -------------------------------------------------------------------------

    def start(self) -> Any:
        """Return the position of the proof."""
        return self.proof.position

    def starts(self) -> tuple[Any, ...]:
        """Return the position of the proof as the only start."""
        return (self.proof.position,)

    def start_code(self) -> int:
        """Return the code of the position's known bounds."""
        return self.code_and_tiebreak(self.proof.position)[0]

    def code_and_tiebreak(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position's known bounds, and 0 for the tie-break.

        Raises:
            PositionError: it is not a position of the game.
        """
        bounds = self._bounds(position)
        return self.kind.code(*bounds, self._detail(position, bounds)), 0

    def _detail(self, position: Any, bounds: tuple[int, int]) -> int:
        """Return the part of a position's code above the bounds: a kind of draw, or the nimber."""
        if not self.kind.impartial:
            is_drawn = not any(bounds)
            return self._search.detail_of(self._words(position)) if is_drawn else 0
        nimbers = [strategy.nimber_of(position) for strategy in self.proof.strategies()]
        known = [nimber + 1 for nimber in nimbers if nimber is not None]
        return max([int(not self.rules.moves(position)), *known]) or self._search.detail_of(
            self._words(position)
        )

    def _words(self, position: Any) -> npt.NDArray[np.uint64]:
        return canonical_words(self._compiled, position)

    def _bounds(self, position: Any) -> tuple[int, int]:
        """Return the bounds of a position, from the position itself and from its moves."""
        words = canonical_words(self._compiled, position)
        bounds = self._known.get(words.tobytes())
        if bounds is None:
            bounds = self._combined_bounds(position, words)
            self._known[words.tobytes()] = bounds
        return bounds

    def _combined_bounds(self, position: Any, words: npt.NDArray[np.uint64]) -> tuple[int, int]:
        most = self.kind.most
        low, high = self._own_bounds(position, words)
        moves = self.rules.moves(position)
        if low < high and moves:
            move_bounds = [self._move_bounds(position, move) for move in moves]
            best_low, best_high = (max(bounds) for bounds in zip(*move_bounds, strict=True))
            low, high = max(low, best_low), min(high, best_high)
        if low < high and self._search.searches and (low, high) == (-most, most):
            low, high = self._search.quick_bounds(position, _QUICK_NODES) or (low, high)
        return low, high

    def _own_bounds(self, position: Any, words: npt.NDArray[np.uint64]) -> tuple[int, int]:
        """Return the bounds of a position by rules, strategies and proofs, not by its moves."""
        rules, kind = self.rules, self.kind
        outcome = rules.terminal(position)
        if outcome is not None or not rules.moves(position):
            score = rules.final_score(position) if kind.gains else 0
            no_moves = self._compiled.rules.no_moves
            return kind.bounds(kind.terminal(no_moves if outcome is None else outcome, score))
        low, high = self._search.known_of(words) or (-kind.most, kind.most)
        for strategy in self.proof.strategies():
            least, most = strategy.bounds_of(position)
            low = low if least is None else max(low, least)
            high = high if most is None else min(high, most)
        return low, high

    def _move_bounds(self, position: Any, move: Any) -> tuple[int, int]:
        rules, kind = self.rules, self.kind
        child = rules.play(position, move)
        code = kind.code(*self._own_bounds(child, canonical_words(self._compiled, child)))
        same_mover = not rules.alternate and rules.owner(child) == rules.owner(position)
        gain = rules.gain(position, move) if kind.gains else 0
        return kind.bounds(kind.of_move(code, same_mover=same_mover, gain=gain))

    def settle(self, position: Any, seconds: float | None, report: Reporter) -> None:
        """Search for the value of a position, if it is not known."""
        low, high = self._bounds(position)
        if (low > 0) == (high > 0) and (low < 0) == (high < 0) and not self.kind.gains:
            return
        if low < high:
            self.proof.prove(position, time=seconds, progress=report.listener)

    # -- positions ----------------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the place of a position in one of the strategies, or -1.

        Raises:
            PositionError: it is not a position of the game.
        """
        words = canonical_words(self._compiled, position).reshape(1, -1)
        first = 0
        for strategy in self.proof.strategies():
            place = int(strategy.places(words)[0])
            if place >= 0:
                return first + place
            first += len(strategy.moves)
        return -1

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]:
        """Return the codes of the bounds of a batch of positions; see ``Solved``."""
        bound_codes = [
            self.code_and_tiebreak(position)[0] for position in self.position_list(positions)
        ]
        return np.ones(len(bound_codes), np.bool_), np.array(bound_codes, np.int64)

    def rules_position(self, position: Any) -> Any:
        """Return a position in the types that the rules use."""
        return self.layout.build(self.layout.flatten(position))

    def prober(self, decode: Any) -> None:  # noqa: ARG002  # no look-up is faster
        """Return None: there is no faster look-up."""
        return

    # -- the whole proof ----------------------------------------------------------------------

    def own_verification(self, report: Reporter) -> Verification:
        """Check the strategies; see ``Proof.verify``."""
        return self.proof.verify(progress=report.listener)

    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> Path:
        """Save the proof; see ``Proof.save``."""
        if options.portable:
            self._refuse("portable table")
        listener = options.report.listener
        return self.proof.save(path, overwrite=options.overwrite, progress=listener)

    def check_values(self, *_: Any) -> NoReturn:
        """Raise ParameterError: ``verify`` checks the strategies."""
        self._refuse("certificate of every value")

    def arrays(self, *_: Any) -> NoReturn:
        """Raise ParameterError, as most values are not known.

        Raises:
            ParameterError: always.
        """
        self._refuse("arrays of every value")

    def analyse(self, *_: Any) -> NoReturn:
        """Raise ParameterError, as most values are not known.

        Raises:
            ParameterError: always.
        """
        self._refuse("analysis")

    def survey(self) -> NoReturn:
        """Raise ParameterError, as most values are not known.

        Raises:
            ParameterError: always.
        """
        self._refuse("survey of every position")

    def rows(self, **_: Any) -> NoReturn:
        """Raise ParameterError, as most values are not known.

        Raises:
            ParameterError: always.
        """
        self._refuse("rows of every position")

    def _refuse(self, result: str) -> NoReturn:
        message = (
            f"this is a proof of one position of {self.rules.name}, so it has no {result}; "
            "solve the game for that"
        )
        raise ParameterError(message)
