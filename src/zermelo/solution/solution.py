"""The solution of a game, graph, pursuit or sum, with its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from zermelo.errors import ParameterError, PositionError
from zermelo.game.chance import Face
from zermelo.progress import Listener, Reporter
from zermelo.resources import memory_bytes
from zermelo.solution.display import SolutionDisplay
from zermelo.values.kind import Kind
from zermelo.values.outcomes import DRAW, WIN, ExpectedValue, Value
from zermelo.values.results import (
    Counts,
    Line,
    Option,
    Options,
    Probes,
    Verification,
    follow_first_options,
)

if TYPE_CHECKING:
    import os
    from fractions import Fraction
    from pathlib import Path

    from zermelo.analysis import Analysis
    from zermelo.game.contract import Game
    from zermelo.rules.view import RulesView
    from zermelo.solution.solved_base import SolutionRows, Solved
    from zermelo.values.outcome_class import OutcomeClass

#: Values that are kept to be given again.
_KNOWN = 1 << 16
#: The most moves of a line whose results of chance are drawn, which may never end.
_LONGEST_ROLLED = 10_000


class Solution(SolutionDisplay):
    """The values of all positions of a game, of a pursuit, or of a graph.

    ``zermelo.solve``, ``zermelo.pursuit``, ``zermelo.graph.solve`` and ``zermelo.open`` return it.
    ``solution[position]`` is the value of a position for the player to move, ``len(solution)`` the
    number of positions, and iterating gives each of them. A position of a pursuit is a
    ``PursuitPosition``; a position of a graph is a vertex: its number, or its name.

    Methods without a position use the start; a pursuit or a graph has a start only if it was solved
    with ``start=``.

    Attributes:
        method: the name of the method, one of ``zermelo.METHODS``; ``"explicit"`` for a graph.
        choice: a sentence on how the method solved the game, and why in this way.
        phases: (name, wall seconds) of each phase of the solve.
        compile_seconds: the part of those seconds in which Numba compiled; a later process loads
            the compiled code from the cache.
        peak_bytes: the most bytes that the solve's arrays took, by its own estimate.
        threads: the number of threads that the solve could use.
        resumed: the work that an interrupted solve had finished before this one resumed it, or "".
    """

    def __init__(
        self,
        solved: Solved,
        *,
        method: str,
        choice: str,
        phases: Sequence[tuple[str, float]] = (),
        compile_seconds: float = 0.0,
        peak_bytes: int = 0,
        threads: int = 1,
        resumed: str = "",
        compile_twin: Callable[[], Solution] | None = None,
    ) -> None:
        """Create a solution from rules and values.

        Args:
            solved: the rules and the values.
            method: see the attributes, as for the arguments below.
            choice: see the attributes.
            phases: see the attributes.
            compile_seconds: see the attributes.
            peak_bytes: see the attributes.
            threads: see the attributes.
            resumed: see the attributes.
            compile_twin: solves the same game by compiled rules, for questions that ``solved`` does
                not answer; by default it answers all.
        """
        self.method = method
        self.choice = choice
        self.phases = list(phases)
        self.compile_seconds = compile_seconds
        self.peak_bytes = peak_bytes
        self.threads = threads
        self.resumed = resumed
        self._answering = solved
        self._compile_twin = compile_twin
        self._values: dict[int, Value] = {}
        self._quick = solved.prober(self._decode)
        self._cached_counts: Counts | None = None

    # -- what was solved --------------------------------------------------------------------------

    @property
    def _solved(self) -> Solved:
        """The rules and the values, with compiled rules; a small game is solved by them anew."""
        if self._compile_twin is not None:
            twin = self._compile_twin()
            self._compile_twin = None
            self._answering = twin._solved  # noqa: SLF001  # it is of this class
            self.method, self.choice = twin.method, twin.choice
            self._quick = self._answering.prober(self._decode)
        return self._answering

    @property
    def kind(self) -> Kind:
        """The kind of value that positions have, such as win, draw or loss."""
        return self._answering.table.kind

    @property
    def folded(self) -> bool:
        """Whether the table stores one position of each class of equivalent positions."""
        return self._answering.folded

    @property
    def rules(self) -> RulesView:
        """The rules, with moves, names and pictures of positions."""
        return self._answering.rules

    @property
    def game(self) -> Game:
        """The game that was solved.

        Raises:
            ParameterError: it was a pursuit or a graph, which has no class.
        """
        game: Game | None = getattr(self.rules, "game", None)
        if game is None:
            message = f"{self.rules.description} has no class; ask its rules"
            raise ParameterError(message)
        return game

    @cached_property
    def arrays(self) -> Any:
        """The values as arrays, in the natural form of the game, graph or pursuit.

        A game has ``positions``, ``outcome``, ``remoteness`` and ``score``, with a row for each
        position (``zermelo.solution.game.GameArrays``). A graph has the values by vertex, the best
        edges, and the graph itself (``zermelo.graph.GraphArrays``). A pursuit has the winner and
        the remoteness by the nodes of the evader and of each pursuer
        (``zermelo.pursuits.PursuitArrays``).
        """
        return self._solved.arrays(self.threads)

    @property
    def seconds(self) -> float:
        """The wall-clock seconds of the solve, including those of compiling."""
        return sum(seconds for _, seconds in self.phases)

    @cached_property
    def start(self) -> Any:
        """The start; if there are several, the first of them.

        Raises:
            PositionError: there is none; only a pursuit or a graph may have none.
        """
        return self._answering.start()

    @property
    def starts(self) -> tuple[Any, ...]:
        """The starts, each once, in the order in which the game gives them."""
        return self._answering.starts()

    @property
    def value(self) -> Value:
        """The value of the start, for the player who moves first."""
        return self._decode(self._answering.start_code())

    @property
    def winner(self) -> str | None:
        """The name of the player who wins from the start under perfect play, or None.

        In a game with chance it is a player who wins for sure: see ``winner_at``.
        """
        return self.winner_at(self.start)

    def winner_at(self, position: Any) -> str | None:
        """Return the name of the player who wins from a position, or None for a draw.

        If the players strictly alternate, the player to move is assumed to be the first player.
        In a game with chance, only a player who wins for sure is a winner, that is with probability
        1, and in a score game only a player who has won.

        Args:
            position: the position.

        Raises:
            PositionError: see ``solution[position]``.
        """
        value = self[position]
        outcome = value.outcome
        if outcome is None or outcome is DRAW:
            return None
        if isinstance(value, ExpectedValue):
            is_over = not self.rules.moves(self._known_position(position))
            is_sure = not value.is_scored and abs(value.expectation) == 1
            if not (is_over or is_sure):
                return None
        mover = self.rules.owner(self._known_position(position))
        return self.rules.players[mover if outcome is WIN else 1 - mover]

    # -- questions about positions --------------------------------------------------------------

    def __getitem__(self, position: Any) -> Value:
        """Return the value of a position for the player to move.

        Raises:
            PositionError: it is not a position of this game, or cannot be reached from the
                start. ``get`` returns a default instead.
        """
        value = None if self._quick is None else self._quick(position)
        return (
            self._decode(self._answering.code_and_tiebreak(position)[0]) if value is None else value
        )

    def get(self, position: Any, default: Value | None = None) -> Value | None:
        """Return the value of a position, or ``default`` where ``solution[position]`` raises.

        Args:
            position: any object.
            default: the result if it is not a position of the solution.
        """
        try:
            return self[position]
        except PositionError:
            return default

    def __contains__(self, position: Any) -> bool:
        """Return whether a position can be reached from the start."""
        return self.get(position) is not None

    def settle(
        self, position: Any = None, *, time: float | None = None, progress: Listener | None = None
    ) -> Value:
        """Return the value of a position, and search for it if it is not known yet.

        Only the solution of a proof searches, as it does not know every position. Any other
        solution returns ``solution[position]``.

        Args:
            position: the position; by default the start.
            time: seconds that the search may take; by default unlimited.
            progress: a function that is called with an ``Event`` from time to time, in this thread.

        Raises:
            PositionError: see ``solution[position]``.
        """
        position = self._known_position(position)
        self._answering.settle(position, time, Reporter(progress))
        return self[position]

    def probe_many(self, positions: Any) -> Probes:
        """Return the values of many positions, as arrays.

        Args:
            positions: an integer array of shape (n, numbers in a position), fields in their
                order and tuple fields item by item, or any sequence of positions.

        Returns:
            Arrays of shape (n,), for the player to move in each position.

        Raises:
            PositionError: an entry is not a position of this game, or cannot be reached; the
                message names it. ``get_many`` marks it instead.
        """
        probes = self.get_many(positions)
        if not probes.found.all():
            missing = positions[int(np.argmin(probes.found))]
            if isinstance(missing, np.ndarray | np.generic):
                plain = missing.tolist()
                missing = tuple(plain) if isinstance(plain, list) else plain
            raise self._answering.missing_error(missing)
        return probes

    def get_many(self, positions: Any) -> Probes:
        """Return the values of many positions as arrays, and mark those that cannot be reached.

        Args:
            positions: the positions, as for ``probe_many``.

        Returns:
            Arrays of shape (n,); ``found`` is False for a position that cannot be reached.

        Raises:
            PositionError: the argument does not have the form of positions of this game.
        """
        return self.kind.probes(*self._answering.codes(positions))

    def exact(self, position: Any = None) -> Fraction:
        """Return the exact expectation of a position of a game with chance, for its player.

        It is that of the result, from -1 to 1, or in a score game of the margin. Only the moves
        that may be best within their bounds are followed. Where play can come back to a position,
        strategies of both players are improved until they are proved to be the best; this is cubic
        in the number of positions that lead to each other and at which chance decides.

        Args:
            position: the position; by default the start.

        Raises:
            CorruptTableError: the expectation is not within the bounds of the table.
            ParameterError: the game has no chance, or the position leads to more than 200,000
                others, or to more than 2,048 rolls that lead to each other, or the fraction has
                more than about 4,000 digits. ``solution[position].bounds`` always exist.
            PositionError: see ``solution[position]``.
        """
        from zermelo.solution.exact_value import exact_value

        canonical = self.rules.canonical if self.folded else _itself
        return exact_value(self, self._known_position(position), canonical)

    def options(self, position: Any = None) -> Options:
        """Return every move in a position with its value for the player who makes it, best first.

        It is a list of ``Option``. A notebook draws the board with the moves marked.

        Moves of equal value stay in the order in which the game yields them. But of several moves
        that lead to the nimber 0, the first one comes nearer to the end, even if play can cycle.

        Where chance decides, these are the results of chance, each a ``Face`` with its ``odds``, in
        the order of ``chance``. Their values are for the player whose turn it is before the result.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        rules, kind = self.rules, self.kind
        position = self._known_position(position)
        endless = rules.endless_worth(position) if kind.needs_endless else 0
        options = []
        for move in rules.moves(position):
            child = rules.play(position, move)
            same_mover = rules.keeps_turn(position, move, child)
            stored, tiebreak = self._answering.code_and_tiebreak(child)
            gain = rules.gain(position, move) if kind.gains else 0
            code = kind.of_move(stored, same_mover=same_mover, gain=gain, endless=endless)
            odds = (move.weight, move.total) if isinstance(move, Face) else None
            option = Option(move, rules.move_name(move), child, kind.move_value(code), odds)
            is_won = option.value.outcome is WIN
            key = () if odds else kind.order_key(code, tiebreak, is_won=is_won, endless=endless)
            options.append((key, option))
        options.sort(key=lambda option: option[0])
        ranked = [option for _, option in options]

        def describe(moves: list[Option]) -> list[str]:
            return kind.words.move_notes(self[position], moves)

        return Options(ranked, position=position, rules=rules, best=kind.best, describe=describe)

    def best(self, position: Any = None) -> list[Any]:
        """Return the best moves in a position: all that keep its value and its remoteness.

        So of moves that win, these are the quickest only; ``winning_moves`` has the others, too.
        In a game with chance they are all moves that may be best within the bounds of their values,
        the first of which proves the lower bound. The list is empty where chance decides.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        return [option.move for option in self.kind.best(self.options(position))]

    def winning_moves(self, position: Any = None) -> list[Any]:
        """Return every move that keeps a win, the quickest first; empty if no move wins.

        In a game with chance these are the moves by which the player wins for sure, and in a score
        game with chance those that keep the expected margin above 0. The list is empty where chance
        decides.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        options = self.options(position)
        if options.by_chance:
            return []
        return [option.move for option in options if _is_win(option.value)]

    def line(
        self, position: Any = None, *, longest: int | None = None, seed: int | None = None
    ) -> Line:
        """Return a line of perfect play to its end: the first of the best moves each time.

        Where chance decides, it follows the likeliest result, the first of several, until one leads
        back to a position; or, with ``seed``, a result that is drawn by its weight.

        Args:
            position: the first position of the line; by default the start.
            longest: the most moves in the line; by default it continues until the game ends, or a
                position repeats; and with ``seed`` for at most 10,000 moves.
            seed: the seed of the results of chance. Without chance it makes no difference.

        Raises:
            PositionError: see ``solution[position]``.
        """
        dice = None if seed is None else Random(seed)  # noqa: S311  # play, not secrets
        most = _LONGEST_ROLLED if longest is None and dice is not None else longest
        return follow_first_options(
            self._known_position(position), self.options, most, self.rules, dice
        )

    def outcome_class(self, position: Any = None) -> OutcomeClass:
        """Return the winners of a position, by the player who begins: P, N, L or R.

        Args:
            position: the position, with either player to move; by default the start.

        Raises:
            PositionError: the solution does not contain the position with one of the players to
                move; a solution of ``zermelo.sum(game)`` contains both.
            ParameterError: it is a draw if one of them begins, or there is no ``pass_turn``.
        """
        from zermelo.solution.outcome_classes import outcome_class

        return outcome_class(self, self._known_position(position))

    def class_counts(self) -> dict[OutcomeClass, int]:
        """Return the number of positions of each outcome class, with either player to move.

        Positions that are drawn if one of the players begins are not counted, nor are those that
        the solution does not contain with the other player to move.

        Raises:
            RulesError: there is no ``pass_turn``.
        """
        from zermelo.solution.outcome_classes import class_counts

        return class_counts(self, self._solved, self.counts())

    def parse(self, text: str) -> Any:
        """Return the position that a text stands for.

        A game reads it by its ``parse``, or as JSON; a graph takes the name of a vertex, its name
        as JSON, or its number; a pursuit JSON such as ``"[0, [3, 4], 1]"``: the evader's node, the
        pursuers', and the turn.

        Raises:
            PositionError: the text is not a position. The solution need not contain it.
        """
        return self.rules.parse(text)

    def __len__(self) -> int:
        """Return the number of stored positions: one for each class of equivalent positions."""
        return len(self._answering.table)

    # -- the whole of it ------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the positions as they were found, one of each class of equivalent ones."""
        for places in self._answering.table.pages():
            yield from self._answering.positions(places)

    def items(self) -> Iterator[tuple[Any, Value]]:
        """Iterate over the positions with their values."""
        for places in self._answering.table.pages():
            values = self._answering.table.values(places).tolist()
            for position, stored in zip(self._answering.positions(places), values, strict=True):
                yield position, self._decode(stored)

    def counts(self, *, folded: bool = False, progress: Listener | None = None) -> Counts:
        """Return the number of positions of each outcome and remoteness (or score).

        Every reachable position is counted, also those that symmetries make equivalent. If the
        symmetries change the starts, this takes a search over all positions. If ``canonical`` is
        written by hand, the sizes of the classes are not known, and classes are counted.

        Args:
            folded: whether each class of equivalent positions counts once.
            progress: a function that is called with an ``Event`` from time to time, in this thread.
        """
        if folded and self.folded:
            return self._answering.table.counts()
        if self._cached_counts is None:
            self._cached_counts = self._answering.counts(self.threads, Reporter(progress))
        return self._cached_counts

    def verify(
        self,
        *,
        memory: int | str | None = None,
        cluster: str | None = None,
        progress: Listener | None = None,
    ) -> Verification:
        """Check the certificate: that every value follows from its successors' values.

        This is an independent pass over the moves of every position, which uses nothing of the
        solver and accepts exactly the right values (``docs/explanation/certificate.md``). Declared
        symmetries, and ``canonical``, are checked on up to a million positions, and a large pursuit
        along the moves it describes, which are compared with the rules at each node. If the table
        is a file, every block is compared with its checksum first.

        Args:
            memory: the most memory to use, as for ``zermelo.solve``. A file that does not fit is
                read in parts. This takes up to three times as long for placement games and
                pursuits, which then use temporary files, and two to five times as long for others,
                which need at least about one byte a position and some megabytes.
            cluster: workers to share the check among, as for ``zermelo.solve``: each opens the file
                and checks a part. This is for tables of the methods ``placement``, ``pursuit``,
                ``dense``, ``levels`` and ``retrograde``. ``memory`` is then what each machine may
                use. Under MPI every process makes this call, and each gets the result.
            progress: called with an ``Event`` from time to time.

        Returns:
            The result, which is true if every value is right; otherwise it has the first wrong
            position, and a sentence about it.

        Raises:
            BudgetError: the memory, or the space for temporary files, is too little.
            ClusterError: workers cannot be used together, or are lost.
            CorruptTableError: the file of the table is damaged.
            ParameterError: ``cluster`` names no workers, or they cannot share this check.
        """
        report = Reporter(progress)
        if cluster is not None:
            from zermelo.solution.certificate import verify_on_cluster

            allowed = memory_bytes(memory)
            solved = self._solved.with_compiled_rules()
            return verify_on_cluster(solved, cluster, allowed, self.threads, report)
        verification = self._answering.own_verification(report)
        if verification is not None:
            return verification
        from zermelo.solution.certificate import verify_solved

        solved = self._solved.with_compiled_rules()
        return verify_solved(solved, self.threads, memory_bytes(memory), report)

    def analyse(
        self,
        *,
        blunders: Sequence[int] = (5, 20),
        samples: int = 20_000,
        seed: int = 0,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Analysis:
        """Analyse how the game plays: balance, length, traps and openings.

        The numbers are computed exactly over all positions if the moves fit in memory. If not,
        games and positions are sampled, and the analysis says so.

        Args:
            blunders: percentages of random moves, for ways of playing besides the perfect and the
                uniformly random one. See ``zermelo.analysis.Play``.
            samples: the number of games and positions to sample if necessary.
            seed: the seed of the sampling.
            memory: the most memory to use, in bytes or as ``"2GB"``; by default most of the free
                memory.
            progress: called with an ``Event`` from time to time.

        Raises:
            ParameterError: an argument makes no sense.
        """
        from zermelo._engine.core.ledger import Ledger
        from zermelo._engine.core.memory import eager_free
        from zermelo.analysis.run import AnalysisOptions

        ledger = Ledger.for_budget(memory_bytes(memory))
        options = AnalysisOptions(blunders, ledger, samples, seed, self.threads)
        counts = self.counts(progress=progress)
        with eager_free(memory):
            return self._solved.analyse(self, counts, options, Reporter(progress))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        portable: bool = False,
        overwrite: bool = False,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Path:
        """Save the solution to a file, a table, which ``zermelo.open`` opens.

        The file appears when it is complete. It does not depend on the memory or the threads.

        Args:
            path: the file to write.
            portable: whether programs in other languages are to read it, such as the readers that
                ``zermelo readers`` writes: it then lists all positions, however they were solved,
                and says what symmetries make of them, so that a reader needs no rules.
            overwrite: whether an existing file may be replaced.
            memory: the most memory to use besides the solution, as for ``zermelo.solve``; with
                less, positions are sorted in several passes.
            progress: called with an ``Event`` from time to time.

        Returns:
            The path.

        Raises:
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder is not writable.
            BudgetError: the memory is too little.
            ParameterError: it is to be portable, and it is of a graph or of a pursuit without a
                game, or folded by a ``canonical`` that is written by hand, or of values of partizan
                games.
        """
        from zermelo._engine.core.ledger import Ledger
        from zermelo._engine.core.memory import eager_free
        from zermelo._store.save_options import SaveOptions

        with eager_free(memory):
            solved = self._solved  # first, as it may be solved again, by a method with other words
            options = SaveOptions(
                method=self.method,
                choice=self.choice,
                overwrite=overwrite,
                report=Reporter(progress),
                threads=self.threads,
                ledger=Ledger.for_budget(memory_bytes(memory)),
                portable=portable,
            )
            return solved.save(path, options)

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002  # it is what everybody calls it
        best_moves: bool = True,
        move_values: bool = False,
        overwrite: bool = False,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Path:
        """Export every position with its value to Parquet, CSV or npz.

        A row is a position (one of each class of equivalent positions), in the order of iteration.
        The columns are the fields of the position, ``player`` (whose turn it is, 0 or 1; only where
        the game has ``turn``), ``outcome``, ``remoteness`` (nothing for an endless draw) or
        ``score``, ``best_move`` and ``best_move_name`` (the first of ``options``; nothing where the
        game is over). ``docs/reference/export.md`` says how each format holds them.

        Rows are computed and written in batches. An opened table is loaded if it fits, as the best
        moves need a value for every move.

        Args:
            path: the file to write.
            format: "parquet", "csv" or "npz"; by default the suffix of the path.
            best_moves: whether best moves are written, which is most of the work.
            move_values: whether the value of every move is written, in the columns of ``dataset``.
            overwrite: whether an existing file may be replaced.
            memory: the most memory to use besides the solution, as for ``zermelo.solve``; importing
                pyarrow is not counted. A table that does not fit is decompressed in parts, which
                takes several times as long. The rows do not depend on it.
            progress: called with an ``Event`` from time to time.

        Returns:
            The path.

        Raises:
            ParameterError: there is no such format, or a game has too many moves for move_values.
            MissingExtraError: Parquet needs pyarrow: ``pip install 'zermelo[export]'``.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
            CorruptTableError: the table is damaged.
            BudgetError: the memory is too little.
        """
        from zermelo.solution.export.files import export

        rows: SolutionRows = self._solved.rows(moves=best_moves)
        if move_values:
            rows = self.dataset(move_values=True, progress=progress)._rows()  # noqa: SLF001

        return export(
            rows,
            path,
            form=format,
            method=self.method,
            choice=self.choice,
            overwrite=overwrite,
            threads=self.threads,
            memory=memory_bytes(memory),
            report=Reporter(progress),
        )

    def close(self) -> None:
        """Close the file that the solution answers from, if ``zermelo.open`` opened it.

        Data that is in memory remains, and nothing more can be read. Python closes the file, too,
        when it collects the solution, and at the end of a ``with`` block that opened it.
        """
        self._answering.close()

    def __enter__(self) -> Self:
        """Return the solution, which is open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give the file back."""
        self.close()

    # -- places and values ------------------------------------------------------------------------

    def _known_position(self, position: Any) -> Any:
        """Return a position that is here as the rules write it; by default the start."""
        if position is None:
            return self.start
        self._answering.code_and_tiebreak(position)
        return self._answering.rules_position(position)

    def _decode(self, stored: int) -> Value:
        value = self._values.get(stored)
        if value is None:
            value = self.kind.decode(stored)
            if len(self._values) < _KNOWN:
                self._values[stored] = value
        return value


def _is_win(value: Value) -> bool:
    """Return whether a value is a sure win; an expected margin counts by its sign."""
    is_sure = not isinstance(value, ExpectedValue) or value.is_scored or value.bounds[0] >= 1
    return value.outcome is WIN and is_sure


def _itself(position: Any) -> Any:
    """Return a position, which is the only one of its class of equivalent positions."""
    return position
