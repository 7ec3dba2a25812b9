"""Proofs: the known bounds of one position's value, and the strategies that prove them."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError, UnprovedError
from zermelo.game.parameters import as_json
from zermelo.progress import Listener, Reporter
from zermelo.proving.components import check_components, cycle_error
from zermelo.proving.lines import best_line, line_so_far
from zermelo.proving.move_chooser import MoveChooser
from zermelo.proving.proof_search import ProofSearch
from zermelo.proving.question import ASKS, NIMBER
from zermelo.proving.search import RepeatedError, SearchLimits
from zermelo.proving.search_status import move_reaching
from zermelo.proving.strategies.builder import build_strategy
from zermelo.proving.strategies.component_builder import build_component_strategy
from zermelo.proving.strategies.replies import Claim, WrongStrategyError
from zermelo.proving.strategies.strategy import Strategy
from zermelo.proving.strategies.strategy_check import check_strategies
from zermelo.values.proof_values import PROVED, PROVED_NIMBERS, PROVED_SCORES, Proved
from zermelo.values.results import Line, Verification

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from zermelo.game.contract import Game
    from zermelo.proving.checkpoint import SearchCheckpoint
    from zermelo.proving.proof_solution import SolvedProof
    from zermelo.solution.explain import Explanation
    from zermelo.solution.solution import Solution
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Options


class Proof:
    """The result of a search for one position's value; ``verify`` checks it by the rules alone.

    Attributes:
        game: the game.
        position: the position.
        ask: the question: "value", "win", "draw" or "nimber".
        nodes: positions that the search visited.
        seconds: wall-clock seconds that it took, without those of compiling.
        choice: the search in use and the reason for it, and why it stopped if it is unfinished.
    """

    def __init__(
        self,
        search: ProofSearch,
        strategies: Iterable[Strategy] = (),
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        """Create a proof; see ``zermelo.prove``.

        Args:
            search: the question and its search.
            strategies: strategies from a file, whose claims are the result so far.
            checkpoint: the folder of the search, from which another process can resume.

        Raises:
            StaleTableError: the folder belongs to another search.
            TableWriteError: the folder is something else, or cannot be written.
        """
        self._proof_search = search
        self._compiled = search.compiled
        self._strategies: dict[str, Strategy] = {}
        self._other_proofs: list[Proof] = []
        self._checkpoint = None if checkpoint is None else _search_checkpoint(checkpoint, search)
        #: Whether the strategies are complete, as they were read from a file.
        self._has_all_strategies = not search.searches
        self.game: Game = search.compiled.rules.game
        self.position = search.position
        self.ask = search.question.ask
        self.nodes = 0
        self.seconds = 0.0
        self.choice = ""
        for strategy in strategies:
            self._strategies[strategy.side] = strategy
            search.add_claim(strategy.claim)
        if self._strategies:
            search.best = self._first_step()

    # -- the result ---------------------------------------------------------------------------

    @property
    def kind(self) -> Proved:
        """The kind of value that positions have, as for ``Solution.kind``, with bounds."""
        if self.ask == NIMBER:
            return PROVED_NIMBERS
        return PROVED_SCORES if self._proof_search.scored else PROVED

    @property
    def value(self) -> Value:
        """The value of the position for the player to move, as far as it is known.

        A value that is known entirely is equal to that of a ``Solution``. Otherwise ``bounds`` and
        ``within`` contain what is known. Without ``remoteness=True`` a win or a loss has no
        remoteness, and a draw is neither a tie nor endless. With ``ask="nimber"`` the outcome may
        be known before the nimber.
        """
        search, kind = self._proof_search, self.kind
        return kind.decode(kind.code(*search.known, search.own_detail(search.packed)))

    @property
    def answer(self) -> bool | None:
        """Whether the player to move gets the result that ``ask`` names; None while it is unknown.

        For ``ask="value"`` and ``ask="nimber"`` the result is a win.
        """
        bound = 0 if self.ask == "draw" else 1
        if self._proof_search.bounds.low >= bound:
            return True
        return False if self._proof_search.bounds.high < bound else None

    @property
    def is_complete(self) -> bool:
        """Whether everything that ``ask`` and ``remoteness`` request is known."""
        if self.ask == NIMBER:
            return self._proof_search.nimber is not None
        if self.ask != "value":
            return self.answer is not None
        value = self.value
        needs_remoteness = self._proof_search.question.remoteness and self._proof_search.tie is None
        low, high = value.bounds
        return low == high and not (needs_remoteness and value.remoteness is None)

    @property
    def best_move(self) -> Any:
        """The move that proves the value for the player to move; None if every move loses."""
        if self._proof_search.best is None:
            return None
        return move_reaching(self._compiled, self.position, self._proof_search.best)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides for which ``strategy`` returns a strategy, of ``"mover"`` and ``"other"``."""
        if self._has_all_strategies:
            return tuple(self._strategies)
        return tuple("mover" if claim.mover else "other" for claim in self._proof_search.claims())

    def __repr__(self) -> str:
        """Return the game and the known bounds."""
        return f"<proof of {self._compiled.rules.description}: {self}>"

    def _repr_html_(self) -> str:
        """Return the board with the known value of each move, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.proof(self)

    def __str__(self) -> str:
        """Return the value in words, such as ``win in 41``, ``draw`` or ``draw or win``."""
        return str(self.value)

    def line(self, position: Any = None, *, longest: int | None = None) -> Line:
        """Return a line of best play, in which each move keeps the value; see ``Solution.line``.

        While the value of the proof's position is not known, its line is the one that looks best by
        the results of the search so far, and its ``ends`` is ``"unproved"``. The line of another
        position, or of a proof that was read from a file, is the one that the strategies play.

        Args:
            position: the first position of the line; by default that of the proof.
            longest: the most moves in the line; by default unlimited.

        Raises:
            PositionError: it is not a position of the game.
        """
        if self._has_all_strategies or position not in (None, self.position):
            return self.solution.line(position, longest=longest)
        bounds, distance = self._proof_search.bounds, self._proof_search.distance_bounds
        if bounds.low != bounds.high:
            return line_so_far(self._proof_search, longest)
        is_exact = distance is not None and distance.low == distance.high and bounds.low != 0
        value = distance.low if distance is not None and is_exact else bounds.low
        with self._compiled.kernels():
            return best_line(self._proof_search, value, with_distance=is_exact, longest=longest)

    def _first_step(self) -> npt.NDArray[np.uint64] | None:
        """Return the packed child of the first move of the mover's strategy, or None."""
        strategy = self._strategies.get("mover")
        return None if strategy is None else strategy.step(self.position)

    def to_json(self) -> dict[str, Any]:
        """Return the question and what the strategies prove, as a dictionary for JSON.

        It is a part of the header of a proof file. The value is not in it: it follows from the
        strategies.
        """
        step = self._first_step()
        best = None if step is None else move_reaching(self._compiled, self.position, step)
        return {
            "choice": self.choice,
            "ask": self.ask,
            "position": as_json(self.position),
            "best": as_json(best),
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    # -- positions along the proof ------------------------------------------------------------

    @cached_property
    def _solved(self) -> SolvedProof:
        from zermelo.proving.proof_solution import SolvedProof

        return SolvedProof(self, self._proof_search)

    @property
    def solution(self) -> Solution:
        """The known values of all positions along the proof, with the interface of a solution.

        A value contains what is known: ``win``, ``draw or win``, or ``unknown``, where the
        ``outcome`` is None. ``options``, ``best``, ``line``, ``explain``, ``show`` and ``tree``
        work, as do matches and the explorer; ``settle`` proves further positions. Methods that need
        every position, such as ``export``, raise ParameterError.
        """
        from zermelo.solution.solution import Solution

        phases = [("search", self.seconds)]
        return Solution(self._solved, method="proof", choice=self.choice, phases=phases)

    def __getitem__(self, position: Any) -> Value:
        """Return the known value of a position.

        Raises:
            PositionError: it is not a position of the game.
        """
        return self.solution[position]

    def options(self, position: Any = None) -> Options:
        """Return every move in a position with its known value; see ``Solution.options``.

        Args:
            position: the position; by default that of the proof.

        Raises:
            PositionError: it is not a position of the game.
        """
        return self.solution.options(position)

    def explain(self, position: Any = None) -> Explanation:
        """Describe in sentences what is known of a position and its moves, and what is not.

        Args:
            position: the position; by default that of the proof.

        Raises:
            PositionError: it is not a position of the game.
        """
        return self.solution.explain(position)

    def prove(
        self,
        position: Any,
        *,
        time: float | None = None,
        nodes: int | None = None,
        progress: Listener | None = None,
    ) -> Proof:
        """Prove another position, such as one that is not in this proof.

        If this proof was not read from a file, the search uses its existing tables. The result is
        then known along this proof, too.

        Args:
            position: the position.
            time: seconds that the search may take; by default unlimited.
            nodes: positions that the search may visit; by default unlimited.
            progress: a function that is called with an ``Event`` from time to time, in this thread.

        Returns:
            The proof of that position.

        Raises:
            PositionError: it is not a position of the game.
        """
        self._create_searcher(Reporter(progress))
        ask = NIMBER if self.ask == NIMBER else "value"
        question = replace(self._proof_search.question, ask=ask)
        proof = Proof(self._proof_search.search_from(position, question))
        proof._search(time, nodes)
        self._proof_search.adopt(proof._proof_search)
        self._proof_search.other_searches.append(proof._proof_search)
        self._other_proofs.append(proof)
        self._solved.clear_cache()
        return proof

    def strategies(self) -> list[Strategy]:
        """Return the strategies built so far, including those of ``prove``."""
        own_strategies = list(self._strategies.values())
        return own_strategies + [
            each for other in self._other_proofs for each in other.strategies()
        ]

    # -- the search ---------------------------------------------------------------------------

    def resume(
        self,
        *,
        ask: str | None = None,
        time: float | None = None,
        nodes: int | None = None,
        progress: Listener | None = None,
    ) -> Proof:
        """Continue a search that met a limit, with all its results so far.

        A file contains no search. A proof that was read from one begins a new search, between the
        bounds that the strategies of the file prove.

        Args:
            ask: the new question, as for ``zermelo.prove``; by default unchanged.
            time: seconds that it may take from now on; by default unlimited.
            nodes: positions that it may visit from now on; by default unlimited.
            progress: a function that is called with an ``Event`` from time to time, in this thread.

        Returns:
            This proof.

        Raises:
            ParameterError: ``ask`` is invalid, or does not suit the game.
        """
        if ask not in (None, *ASKS):
            message = f"ask={ask!r} is not known; use one of {', '.join(ASKS)}"
            raise ParameterError(message)
        if ask == NIMBER:
            search = self._proof_search
            check_components(
                self._compiled.rules,
                f"ask={ask!r}",
                remoteness=search.question.remoteness,
                has_tables=search.table_positions is not None,
            )
        if ask is not None:
            self.ask = ask
            self._proof_search.question = replace(self._proof_search.question, ask=ask)
        if not self.is_complete:
            self._create_searcher(Reporter(progress))
            self._has_all_strategies = False
            self._search(time, nodes)
            self._solved.clear_cache()
        return self

    def _create_searcher(self, report: Reporter) -> None:
        """Create a searcher, if there is none."""
        from zermelo._engine.core.ledger import Ledger
        from zermelo.proving.search import searcher_for

        if not self._proof_search.searches:
            allowed = Ledger.for_budget(None).allowed
            self._proof_search.set_searcher(searcher_for(self._compiled, allowed, report))
        self._proof_search.set_report(report)

    def _search(self, seconds: float | None, nodes: int | None) -> None:
        """Search until the question is answered or a limit is met."""
        if self._checkpoint is None:
            self._run(seconds, nodes)
            return
        is_first = not self.nodes
        with self._checkpoint.lock():
            if is_first:
                self.nodes, self.seconds = self._checkpoint.nodes, self._checkpoint.seconds
            self._run(seconds, nodes)

    def _run(self, seconds: float | None, nodes: int | None) -> None:
        """Search until the question is answered or a limit is met, with or without a checkpoint."""
        from zermelo._engine.core.kernel import compile_seconds

        begin_time, compile_begin = time.perf_counter(), compile_seconds()
        tally = self._proof_search.searcher.tally
        visited_before = tally.visited
        limits = SearchLimits.of(seconds, None if nodes is None else visited_before + nodes)
        try:
            with self._compiled.kernels():
                self._proof_search.run(limits)
        except KeyboardInterrupt:
            limits.reason = "it was interrupted"
        self.nodes += tally.visited - visited_before
        excluded_seconds = max(limits.waited, compile_seconds() - compile_begin)
        self.seconds += time.perf_counter() - begin_time - excluded_seconds
        self.choice = self._proof_search.description
        if not self.is_complete:
            self.choice += f"; stopped as {limits.reason}"
            other_search = self._proof_search.other_search
            if other_search is not None and self.value.is_unknown:
                self.choice += f"; search={other_search!r} may find more"

    # -- the strategies -----------------------------------------------------------------------

    def strategy(self, side: str | None = None, *, progress: Listener | None = None) -> Strategy:
        """Return a strategy: a move in every position that can arise against any reply.

        A win is proved by a strategy of the player to move, a loss by one of the other player, and
        a draw by one of each. A strategy is built at the first call, from the table of the search;
        positions that are no longer in the table are searched again.

        Args:
            side: ``"mover"`` for the player to move, or ``"other"``; by default the player with
                the better result, for a draw the mover.
            progress: a function that is called with an ``Event`` from time to time, in this thread.

        Returns:
            The strategy.

        Raises:
            UnprovedError: no bound is known yet that it could prove.
            ParameterError: ``side`` is neither of the two.
        """
        if side not in (None, "mover", "other"):
            message = f"side={side!r} is not known; use 'mover' or 'other'"
            raise ParameterError(message)
        if not self._has_all_strategies:
            for claim in self._proof_search.claims():
                name = "mover" if claim.mover else "other"
                is_known = name in self._strategies and self._strategies[name].claim == claim
                if not is_known and side in (None, name):
                    self._strategies[name] = self._build_strategy(claim, progress)
        chosen_side = side
        if chosen_side is None:
            wins = self._proof_search.bounds.low > 0 or self._proof_search.bounds.high >= 0
            chosen_side = "mover" if wins and "mover" in self._strategies else "other"
        strategy = self._strategies.get(chosen_side)
        if strategy is None:
            message = f"no strategy of the {chosen_side} is known, as the value is: {self}"
            raise UnprovedError(message)
        return strategy

    def _all_strategies(self, participle: str, progress: Listener | None) -> list[Strategy]:
        """Return the strategies of all known bounds, building those that are missing.

        Args:
            participle: the participle of an error message, such as "saved".
            progress: receives the progress.

        Raises:
            UnprovedError: nothing is known.
        """
        for side in self.sides:
            self.strategy(side, progress=progress)
        if not self._strategies:
            message = f"no proof can be {participle} yet: {self}; call resume()"
            raise UnprovedError(message)
        return list(self._strategies.values())

    def _build_strategy(self, claim: Claim, progress: Listener | None) -> Strategy:
        """Build a strategy, by proof-number search alone if the moves found so far form a cycle."""
        search, report = self._proof_search, Reporter(progress)
        search.set_report(Reporter(None))
        try:
            return self._try_strategy(claim, search.best, report)
        except RepeatedError:  # components repeat
            if claim.nimber is not None:
                raise cycle_error(self._compiled.rules, NIMBER) from None
            search.expect_cycles()
        except WrongStrategyError as error:
            # Claims of nimbers and distances form no cycles, and score games have no other search.
            if search.parts is not None or claim.with_distance or search.scored:
                raise self._wrong_search_error(error) from None
            search.expect_cycles()
        try:  # without the first move, which another search found and which may be on a cycle
            strategy = self._try_strategy(claim, None, report)
        except WrongStrategyError as error:
            raise self._wrong_search_error(error) from None
        if claim.mover:
            search.best = strategy.step(self.position)
        return strategy

    def _try_strategy(
        self, claim: Claim, best: npt.NDArray[np.uint64] | None, report: Reporter
    ) -> Strategy:
        """Build a strategy with the moves of the current search.

        Args:
            claim: the claim to prove.
            best: the packed child of the mover's first move; None to search for a move.
            report: receives the progress.

        Raises:
            WrongStrategyError: the moves do not secure the claim, or form a cycle.
            RepeatedError: components repeat, so that play need not end.
        """
        search, compiled = self._proof_search, self._compiled
        with report.phase("strategy"), compiled.kernels():
            if search.parts is not None:
                return build_component_strategy(
                    compiled, search.packed, claim, search.parts, report.advance
                )
            return build_strategy(
                compiled,
                search.packed,
                search.owner,
                claim,
                MoveChooser(search, with_distance=claim.with_distance),
                best if claim.mover else None,
                report.advance,
                search.table_positions,
            )

    def _wrong_search_error(self, error: WrongStrategyError) -> UnprovedError:
        """Return the error for a search that proved a value but does not find a strategy."""
        position = self._compiled.rules.layout.unpack(error.place)
        message = (
            f"the search is wrong about {position!r}: {error.problem}; if the game has "
            "bounds(), check that it never claims more than is true, and if it has enough(), "
            "that it never leaves out the only best move"
        )
        return UnprovedError(message)

    def verify(self, *, progress: Listener | None = None) -> Verification:
        """Check the proof by the rules, without the search.

        Every strategy is followed through all replies to the ends of the game, and what the rules
        say there is compared with what was claimed. It takes time and memory for every position of
        a strategy; ``strategy`` says how many there are.

        Args:
            progress: a function that is called with an ``Event`` from time to time, in this thread.

        Returns:
            The verification; true if the bounds are right.

        Raises:
            UnprovedError: no bound is known yet that could be checked.
        """
        begin_time = time.perf_counter()
        strategies = self._all_strategies("verified", progress)
        search = self._proof_search
        report = Reporter(progress)
        with self._compiled.kernels():
            return check_strategies(
                self._compiled, search.packed, search.owner, strategies, report, begin_time
            )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        progress: Listener | None = None,
    ) -> Path:
        """Save the proof with its strategies; ``zermelo.open`` reads it, and it can be verified.

        Args:
            path: the path of the file.
            overwrite: whether an existing file may be replaced.
            progress: a function that is called with an ``Event`` from time to time, in this thread.

        Returns:
            The path.

        Raises:
            UnprovedError: no bound is known yet that could be saved.
            TableExistsError: the file exists, and ``overwrite`` is False.
            TableWriteError: it cannot be written.
        """
        from zermelo._engine.file.writer import Writer
        from zermelo.proving.file import proof_header, write

        target = Path(path)
        with Writer(target, overwrite=overwrite) as writer, self._compiled.kernels():
            strategies = self._all_strategies("saved", progress)
            header = proof_header(self._compiled, self.to_json())
            write(writer, header, strategies, self._compiled.words)
        return target


def _search_checkpoint(path: str | os.PathLike[str], search: ProofSearch) -> SearchCheckpoint:
    """Return the checkpoint of a search, which looks at it between tests from now on."""
    from zermelo.proving.checkpoint import SearchCheckpoint

    checkpoint = SearchCheckpoint(path, search)
    search.searcher.on_pause = checkpoint.save_if_due
    return checkpoint
