"""A game that was solved: its compiled rules, and the table that a method has left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._store.table_forms import FORMS
from zermelo.errors import ParameterError, PositionError
from zermelo.rules.layout import MisfitError
from zermelo.solution.fast_probe import FastProber
from zermelo.solution.solved_base import Solved
from zermelo.values.nimbers import IN_SETS
from zermelo.values.results import Counts

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo._store.save_options import SaveOptions
    from zermelo.analysis.survey import GameSurvey
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules
    from zermelo.solution.export.rows import GameRows
    from zermelo.solution.solved_base import Decode
    from zermelo.values.kind import Codes
    from zermelo.values.outcomes import Value


@dataclass(frozen=True)
class GameArrays:
    """All positions of a solved game as arrays, a row each (one of each class of symmetry).

    Attributes:
        positions: the numbers of each position, fields in their order, int64.
        outcome: WIN, DRAW or LOSS (1, 0, -1) for the player to move, int8.
        remoteness: plies to the end, int64; -1 without a number of plies.
        score: margins for the player to move, int64, in a score game; else None.
        nimber: nimbers, int64, where those were asked for; else None. It is -1 where a position is
            worth none, as play need not end.
        infinity: where nimbers were asked for, those that the moves of such a position lead to, as
            the bits of an int64: 5 for 0 and 2. It is -1 where there is a nimber; else None.
        value: values of partizan games, as objects, if those were requested; otherwise None.
    """

    positions: npt.NDArray[np.int64]
    outcome: npt.NDArray[np.int8]
    remoteness: npt.NDArray[np.int64]
    score: npt.NDArray[np.int64] | None
    nimber: npt.NDArray[np.int64] | None
    infinity: npt.NDArray[np.int64] | None
    value: npt.NDArray[Any] | None = None


class GamePositions(Solved):
    """The positions of a game's class: packed, or refused in a sentence."""

    rules: Rules

    def pack_one(self, position: Any) -> tuple[int, ...]:
        """Return the words of one position.

        Raises:
            PositionError: it is not a position of the game, or a number is outside its range.
        """
        try:
            return self.layout.pack(position)
        except MisfitError as error:
            if "outside" in str(error):
                raise self.missing_error(position) from None
            raise PositionError(self.rules.refusal(position, error)) from None

    def pack_many(self, positions: Any) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
        """Return many positions packed, shape (n, words), and which of them fit their layout.

        Raises:
            PositionError: the argument is not positions at all.
        """
        try:
            return self.layout.pack_many(self.position_list(positions))
        except MisfitError as error:
            message = f"not positions of {self.rules.name}: {error}; give {self.layout.describe()}"
            raise PositionError(message) from None

    def rules_position(self, position: Any) -> Any:
        """Return a position that is here as the rules write it."""
        return self.layout.build(self.layout.flatten(position))

    def missing_error(self, position: Any) -> PositionError:
        """Return the error that says that a position is not here."""
        problem = f"cannot be reached from the start of {self.rules.name}"
        valid_kind = "that can, or an equivalent one" if self.folded else "that can"
        if self.table.reachability_evidence == "legal":
            problem, valid_kind = f"is not a legal position of {self.rules.name}", "that are"
        message = (
            f"{position!r} {problem}; give one of the {len(self.table):,} positions {valid_kind}"
        )
        return PositionError(message)


@dataclass
class SolvedGame(GamePositions):
    """A game with its table.

    Attributes:
        compiled: the rules that the table was made with.
        table: positions and values.
    """

    compiled: CompiledRules
    table: Table

    def __post_init__(self) -> None:
        """Set the kind of value of the rules to that of the table."""
        self.compiled = self.compiled.with_kind(self.table.kind)
        self.rules: Rules = self.compiled.rules
        self.layout = self.rules.layout
        self.folded = self.compiled.is_folded

    def arrays(self, threads: int) -> GameArrays:  # noqa: ARG002  # copying takes one
        """Return all positions as arrays."""
        pages = list(self.table.pages())
        places = np.concatenate(pages) if pages else np.empty(0, np.int64)
        rows = self.layout.unpack_many(self.table.packed(places))
        mask = np.ones(len(places), np.bool_)
        probes = self.table.kind.probes(mask, self.table.values(places))
        return GameArrays(
            rows,
            probes.outcome,
            probes.remoteness,
            probes.score,
            probes.nimber,
            probes.infinity,
            probes.value,
        )

    def start(self) -> Any:
        """Return the position it begins in."""
        return self.rules.game.start() if self.folded else super().start()

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once, in the order the game gives them."""
        return self.rules.starts() if self.folded else super().starts()

    # -- positions and places ---------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the place of a position; see ``Solved``."""
        packed = self.pack_one(position)
        place = np.empty(1, np.int64)
        key = self.compiled.canonical(np.array(packed, np.uint64), 1)
        if not self.table.places(key, 1, place):
            raise self.missing_error(position)
        return int(place[0])

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the places of many positions; see ``Solved``."""
        packed, fits = self.pack_many(positions)
        places = np.empty(len(packed), np.int64)
        keys = self.compiled.canonical(packed.reshape(-1), len(packed))
        self.table.places(keys, len(packed), places)
        places[~fits] = -1
        return places

    def code_and_tiebreak(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and an order among winning moves; see ``Solved``.

        The code of a result of chance that is not stored follows from its moves.
        """
        try:
            return super().code_and_tiebreak(position)
        except PositionError:
            code = self._unkept_code(position) if self.rules.has_hook("kept") else None
            if code is None:
                raise
            return code, 0

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], Codes]:
        """Return which positions have a value here, and the codes of those; see ``Solved``."""
        if not self.rules.has_hook("kept"):
            return super().codes(positions)
        codes = [self._code_or_none(position) for position in self.position_list(positions)]
        is_known = np.array([code is not None for code in codes], np.bool_)
        return is_known, np.array([code for code in codes if code is not None], np.int64)

    def _code_or_none(self, position: Any) -> int | None:
        """Return the code of a position, or None if it is not here."""
        numbers = position.tolist() if isinstance(position, np.ndarray) else position
        try:
            return self.code_and_tiebreak(numbers)[0]
        except PositionError:
            return None

    def _unkept_code(self, position: Any) -> int | None:
        """Return the code of a result of chance that is not stored, or None for other positions."""
        rules, kind = self.rules, self.table.kind
        position = self.rules_position(position)
        if rules.is_kept(position):
            return None
        worths = []
        for move in rules.moves(position):
            child = rules.play(position, move)
            try:
                code = super().code_and_tiebreak(child)[0]
            except PositionError:
                return None
            keeps_turn = rules.keeps_turn(position, move, child)
            worths.append(kind.of_move(code, same_mover=keeps_turn))
        return kind.of_moves(worths)

    def position(self, place: int) -> Any:
        """Return the position at a place."""
        if not self.folded and not self.rules.has_hook("starts") and place == self.table.starts[0]:
            return self.rules_position(self.rules.game.start())  # compiles nothing
        return self.layout.unpack(self.table.packed(np.array([place])))

    def prober(self, decode: Decode) -> Callable[[Any], Value | None]:
        """Return a function that looks up one position's value quickly; see ``Solved``."""
        return FastProber(self.layout, self.table, decode, self.compiled.canonicaliser)

    # -- the whole of it --------------------------------------------------------------------------

    def counts(self, threads: int, report: Reporter) -> Counts:
        """Return the number of positions of each value; see ``Solved``."""
        if not self.compiled.elements:
            return super().counts(threads, report)
        from zermelo.solution.unfolded_counts import count_positions

        return count_positions(self.compiled, self.table, threads, report)

    def expected_header(self, counts: dict[str, int]) -> dict[str, Any]:
        """Return the header that its file must have; see ``Solved``."""
        from zermelo._store.save_table import implied_header

        header = implied_header(self.compiled, self.table, counts)
        if isinstance(self.table.starts, np.ndarray):  # or all positions are
            starts = self.table.index.starts(self.expander.start_words())
            header["table"] = {"starts": starts.tolist()}
        return header

    @property
    def expander(self) -> CompiledRules:
        """The rules that expand many positions."""
        return self.compiled

    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check the certificate; see ``Solved``."""
        from zermelo.solution.certificate import check_game_table

        return check_game_table(self.compiled, self.table, threads, ledger, report)

    @property
    def has_cluster_check(self) -> bool:
        """Whether workers can share in the check; see ``Solved``."""
        form = FORMS[self.table.saved_as]
        return self.table.file is not None and form.can_share(self.compiled, self.table)

    def check_on_cluster(
        self, workers: WorkerPool, threads: int, ledger: Ledger, report: Reporter
    ) -> Finding:
        """Check the certificate with the help of workers; see ``Solved``."""
        from zermelo.solution.certificate import check_game_table

        return check_game_table(self.compiled, self.table, threads, ledger, report, workers=workers)

    def survey(self) -> GameSurvey:
        """Return the positions and their moves; see ``Solved``."""
        from zermelo.analysis.survey import GameSurvey

        return GameSurvey(self.compiled, self.table)

    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> Path:
        """Write it to a file; see ``Solved``."""
        from zermelo._store.save_table import save_table

        return save_table(self.compiled, self.table, path, options)

    def rows(self, *, moves: bool) -> GameRows:
        """Return every position with its value as rows of columns; see ``Solved``."""
        from zermelo.solution.export.rows import GameRows

        return GameRows(self.compiled, self.table, moves=moves)


def has_moves(solved: GamePositions, component: Any) -> bool:
    """Return whether a player can move in a component, which is otherwise worth nothing."""
    rules = solved.rules
    if rules.moves(component) or solved.table.kind.impartial:
        return bool(rules.moves(component))
    return rules.passes and bool(rules.moves(rules.pass_turn(component)))


def missing_component_error(solved: GamePositions, position: Any, component: Any) -> PositionError:
    """Return the error that says that a position has a component that is not in a table."""
    message = (
        f"{position!r} has the component {component!r}, which does not arise from the start of "
        f"{solved.rules.name}; give a sum of the {len(solved.table):,} components that do"
    )
    return PositionError(message)


def no_whole_positions(solved: GamePositions) -> ParameterError:
    """Return the error that says that only components were solved."""
    message = (
        f"{solved.rules.name} has split(), so that only components were solved, and there are no "
        f"whole positions to scan; solve it without value={solved.table.kind.name!r}"
    )
    return ParameterError(message)


def infinity_error(position: Any) -> PositionError:
    """Return the error that says that a position is worth infinity with too great a nimber."""
    message = (
        f"{position!r} is worth infinity with nimbers of {IN_SETS} and more, which are not kept; "
        "ask about its components"
    )
    return PositionError(message)
