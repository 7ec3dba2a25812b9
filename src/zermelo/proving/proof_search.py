"""The search for the value of one position.

Which searches run, in what order, and their results.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError, PositionError, UnprovedError
from zermelo.progress import Reporter
from zermelo.proving.components import ComponentSearcher, cycle_error, status_line, unsuited_reason
from zermelo.proving.question import COMPONENTS, NIMBER, PROOF_NUMBER, Question
from zermelo.proving.search import (
    Bounds,
    KnownSearcher,
    NumberSearcher,
    RepeatedError,
    Searcher,
    SearchLimits,
    bounds_to_test,
    distances_to_test,
    phase_name,
)
from zermelo.proving.search_status import SearchStatus, search_description
from zermelo.proving.strategies.replies import Claim, Replies, nimber_claim
from zermelo.proving.strategies.strategy import canonical_words
from zermelo.proving.tables import best_table_moves, table_bounds
from zermelo.proving.ties import Tie, nearest_tie
from zermelo.rules.layout import WORD, spare_bits
from zermelo.values.proof_values import ENDLESS, FAR, MOST_SCORE, TIED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.search.arrays import NumberArrays, SearchArrays
    from zermelo._engine.search.table_positions import TablePositions
    from zermelo.proving.tables import KnownPositions

#: Nodes of alpha-beta after which proof-number search is tried, and nodes of each trial.
_TRIALS = ((1 << 16, 1 << 13), (1 << 19, 1 << 16), (1 << 22, 1 << 19))
#: The share of the memory for the table of a trial, in addition to that of alpha-beta.
_TRIAL_SHARE = 1 / 32


class ProofSearch:
    """A question about a position, the current bounds of the answer, and the searchers.

    Attributes:
        compiled: the rules, canonicalising as they are searched.
        position: the position.
        question: the question about it.
        bounds: the bounds of its value.
        distance_bounds: the bounds of its value with the distance to a win or a loss, once that
            matters.
        tie: if it is drawn, how that ends, once that matters.
        nimber: its nimber, once that was requested and is known.
        best: the packed child of the best known move.
        other_searches: the searches of other positions, whose results ``known_of`` contains.
    """

    def __init__(
        self,
        compiled: CompiledRules,
        position: Any,
        question: Question,
        searcher: Searcher | KnownSearcher | None = None,
    ) -> None:
        """Create a search without a result.

        Args:
            compiled: the rules, canonicalising as they are searched.
            position: the position.
            question: the question about it.
            searcher: the main searcher; None if all results come from a file.

        Raises:
            PositionError: it is not a position of the game.
        """
        self.compiled, self.question = compiled, question
        self.scored = compiled.kind.gains
        self.packed = canonical_words(compiled, position)
        spare = spare_bits(compiled.rules.game, compiled.rules.layout)
        if int(self.packed[-1]).bit_length() > WORD - spare:
            message = (
                f"{position!r} is not a position of {compiled.rules.name}: a field is past "
                f"space(); give one such as {compiled.rules.game.start()!r}"
            )
            raise PositionError(message)
        layout = compiled.rules.layout
        position = self.position = layout.unpack(layout.pack(position))  # False is 0 now
        self.owner = compiled.rules.owner(position)
        most = MOST_SCORE if self.scored else 1
        self.bounds = Bounds(-most, most)
        self.distance_bounds: Bounds | None = None
        self.tie: Tie | None = None
        self.nimber: int | None = None
        self.best: npt.NDArray[np.uint64] | None = None
        self.other_searches: list[ProofSearch] = []
        self._status = SearchStatus(compiled, position, self.packed)
        self._searcher = searcher
        self._distance_searcher: Searcher | KnownSearcher | None = None
        self._numbers: NumberSearcher | None = None
        #: The proof-number search of trials, until one answers the question before alpha-beta.
        self._trial: NumberSearcher | None = None
        #: Whether the position is won in one move.
        self._wins_in_one = False
        self._parts: ComponentSearcher | None = None
        #: Whether components repeated, so that their nimbers do not determine values.
        self._components_repeat = False
        #: Whether alpha-beta still chooses moves that take few nodes, besides proof-number search.
        self._alpha_beta_helps = question.search == PROOF_NUMBER

    def set_searcher(self, searcher: Searcher | KnownSearcher) -> None:
        """Set the searcher of a search without one."""
        self._searcher = searcher

    @property
    def searches(self) -> bool:
        """Whether there is a searcher."""
        return self._searcher is not None

    @property
    def searcher(self) -> Searcher | KnownSearcher:
        """The main searcher.

        Raises:
            UnprovedError: there is none.
        """
        if self._searcher is None:
            message = "this proof was read from a file, which holds no search; call zermelo.prove"
            raise UnprovedError(message)
        return self._searcher

    @property
    def description(self) -> str:
        """A phrase on the search in use and the reason for it."""
        if not self.compiled.rules.moves(self.position):
            return "the game is over there"
        if self._wins_in_one:
            return "a move wins at once"
        if self._numbers is None and isinstance(self._searcher, KnownSearcher):
            return (
                f"all {self._searcher.table_positions.count:,} positions that can follow, in Python"
            )
        searchers = {"numbers": self._numbers is not None, "parts": self._parts is not None}
        return search_description(
            self.compiled.rules, self.question, **searchers, trial_answered=self._alpha_beta_helps
        )

    @property
    def other_search(self) -> str | None:
        """The name of another search that might find more than the automatic choice, or None."""
        is_automatic = self.question.search is None and not self.scored
        return (
            PROOF_NUMBER if is_automatic and self._parts is None and self._numbers is None else None
        )

    @property
    def parts(self) -> ComponentSearcher | None:
        """The searcher by components, or None."""
        return self._parts

    @property
    def uses_components(self) -> bool:
        """Whether to search by components.

        If requested, or if it suits the game and the question.
        """
        question = self.question
        if self._components_repeat or question.search is not None:
            return not self._components_repeat and question.search == COMPONENTS
        is_allowed = (
            not question.remoteness and self.table_positions is None and self._numbers is None
        )
        return is_allowed and (
            self._parts is not None or unsuited_reason(self.compiled.rules) is None
        )

    @property
    def numbers(self) -> NumberArrays | None:
        """The arrays of the proof-number search, or None."""
        return None if self._numbers is None else self._numbers.numbers

    @property
    def distance_searcher(self) -> Searcher | KnownSearcher:
        """The searcher whose values include the distance to a win or a loss."""
        if self._distance_searcher is None:
            self._distance_searcher = self._second_searcher(Searcher, with_distance=True)
        return self._distance_searcher

    @property
    def _exact(self) -> Bounds | None:
        """The exact distance of the win or loss, or None."""
        return (
            self.distance_bounds
            if self.distance_bounds is not None
            and self.distance_bounds.low == self.distance_bounds.high
            else None
        )

    def _second_searcher(
        self, kind: type[Searcher], *, with_distance: bool, share: float = 1
    ) -> Any:
        return self.searcher.create_sibling(kind, with_distance=with_distance, share=share)

    def set_report(self, report: Reporter) -> None:
        """Report the progress of all searchers to ``report``."""
        for searcher in (
            self.searcher,
            self._distance_searcher,
            self._numbers,
            self._trial,
            self._parts,
        ):
            if searcher is not None:
                searcher.report = report

    def search_from(self, position: Any, question: Question) -> ProofSearch:
        """Return a search of another position, which shares the searchers and their tables.

        Raises:
            PositionError: it is not a position of the game.
        """
        search = ProofSearch(self.compiled, position, question, self._searcher)
        search._numbers, search._alpha_beta_helps = self._numbers, self._alpha_beta_helps
        search._parts, search._components_repeat = self._parts, self._components_repeat
        if question.remoteness and self._searcher is not None:
            search._distance_searcher = self.distance_searcher
        return search

    def adopt(self, other: ProofSearch) -> None:
        """Adopt the searchers of a search that ``search_from`` created."""
        self._numbers, self._alpha_beta_helps = other._numbers, other._alpha_beta_helps
        self._parts, self._components_repeat = other._parts, other._components_repeat

    def quick_bounds(self, position: Any, nodes: int) -> tuple[int, int] | None:
        """Return the bounds of a position that a short search finds, in the form of ``known``.

        Or None.

        Args:
            position: the position, which is not terminal.
            nodes: the most positions to visit.
        """
        self.set_report(Reporter(None))
        search = self.search_from(position, replace(self.question, ask="value", remoteness=False))
        limits = SearchLimits(nodes=self.searcher.tally.visited + nodes)
        return search.known if search.search_once(limits) else None

    def search_once(self, limits: SearchLimits) -> bool:
        """Search with the current searcher; return False if a cycle made its result unusable."""
        try:
            if self._parts is not None:
                self._test_components(self._parts, limits)
            elif self._numbers is None:
                self._test_bounds(limits)
            else:
                self._search_proof_numbers(self._numbers, limits)
        except RepeatedError:
            return False
        return True

    @property
    def known(self) -> tuple[int, int]:
        """The bounds of the value; see ``values.proof_values``."""
        low, high = self.bounds.low, self.bounds.high
        if self.distance_bounds is not None:
            return self.distance_bounds.low, self.distance_bounds.high
        if self.scored:
            return low, high
        return low if low >= 0 else -FAR, high if high <= 0 else FAR

    def own_detail(self, words: npt.NDArray[np.uint64]) -> int:
        """Return the part of a packed position's code above the bounds, by this search alone.

        This is the kind of a draw, or one more than the nimber; 0 if that is unknown. See
        ``values.proof_values``.
        """
        if self.nimber is not None:
            return (self.nimber + 1) * np.array_equal(words, self.packed)
        return 0 if any(self.known) else self.drawn_end(words)

    def drawn_end(self, words: npt.NDArray[np.uint64]) -> int:
        """Return the code of the end of a drawn packed position, 0 if unknown.

        See ``values.proof_values``.
        """
        if self.tie is None:
            return 0
        if self.tie.plies is None:
            return ENDLESS if np.array_equal(words, self.packed) else 0
        plies_left = self.tie.plies_left(self.packed, words)
        return 0 if plies_left is None else TIED + plies_left

    def known_of(self, words: npt.NDArray[np.uint64]) -> tuple[int, int] | None:
        """Return the bounds of a packed position that this search or another one found, or None.

        They have the form of ``bounds_found``.
        """
        if np.array_equal(self.packed, words):
            return self.known
        if self.drawn_end(words):
            return 0, 0
        bounds_found = [search.known_of(words) for search in reversed(self.other_searches)]
        if self.table_positions is not None:
            bounds_found.append(table_bounds(self.table_positions, words, scored=self.scored))
        return next((bounds for bounds in bounds_found if bounds is not None), None)

    def detail_of(self, words: npt.NDArray[np.uint64]) -> int:
        """Return the part of a packed position's code above the bounds, by any search; or 0."""
        return max(
            [self.own_detail(words), *(search.detail_of(words) for search in self.other_searches)]
        )

    # -- state for another process --------------------------------------------------------------

    @property
    def arrays_by_name(self) -> dict[str, SearchArrays]:
        """The arrays of all searchers, by name."""
        searchers = {"near": self._searcher, "far": self._distance_searcher}
        searchers |= {"numbers": self._numbers, "parts": self._parts}
        return {name: searcher.walk for name, searcher in searchers.items() if searcher is not None}

    def create_searchers(self, names: Iterable[str]) -> None:
        """Create the searchers with these names, which are keys of ``arrays_by_name``."""
        if "numbers" in names:
            self._use_proof_numbers()
        if "parts" in names:
            self._create_component_searcher()
        if "far" in names:
            _ = self.distance_searcher

    # -- searching ----------------------------------------------------------------------------

    def run(self, limits: SearchLimits) -> None:
        """Search until the question is answered or a limit is met.

        Raises:
            ParameterError: no search suits the game.
        """
        if self.question.ask == NIMBER:
            self._search_nimber(limits)
        elif not self.compiled.rules.moves(self.position):
            self._store_terminal_value()
        else:
            self._search_value(limits)

    def _search_value(self, limits: SearchLimits) -> None:
        """Search for the value of a position with moves; see ``run``."""
        if self.question.search == PROOF_NUMBER:
            self._use_proof_numbers()
        if (
            self.uses_components and self._search_components(limits)
        ) or self._store_immediate_win():
            return
        try:
            if self._numbers is None:
                self._test_bounds(limits)
        except RepeatedError:
            self._restart_for_cycles()
        if self._numbers is not None:
            self._search_proof_numbers(self._numbers, limits)
        if self.question.remoteness and self.bounds.low == self.bounds.high:
            if self.bounds.low:
                self._find_distance(limits)
            elif self.tie is None:
                self._find_tie(limits)

    def _create_component_searcher(self) -> ComponentSearcher:
        """Create the searcher by components, and use it from now on."""
        if self._parts is None:
            self.searcher.clear()
            self._parts = self._second_searcher(ComponentSearcher, with_distance=False)
            self._parts.describe = status_line
        return self._parts

    def _search_components(self, limits: SearchLimits) -> bool:
        """Search by components; return False if they repeat, so that this search does not apply.

        Raises:
            ParameterError: they repeat, and this search was requested.
        """
        try:
            self._test_components(self._create_component_searcher(), limits)
        except RepeatedError:
            self._leave_cyclic_components()
            return False
        return True

    def _leave_cyclic_components(self) -> None:
        """Use searches of whole positions from now on, as components repeat.

        Or raise as ``_search_components``.
        """
        if self.question.search == COMPONENTS:
            raise cycle_error(self.compiled.rules, self.question.ask)
        self._parts, self._components_repeat = None, True
        self.bounds, self.best = Bounds(-1, 1), None

    def _test_components(self, searcher: ComponentSearcher, limits: SearchLimits) -> None:
        """Test whether the position is lost, by the nimbers of its components."""
        lost = None
        limits.wait_for(searcher.load)
        if self.bounds.low < self.bounds.high:
            with searcher.report.phase("is it lost?"):
                lost = searcher.has_nimber(self.packed, 0, limits)
        if lost is not None:
            self.bounds = Bounds(-1, -1) if lost else Bounds(1, 1)
            if not lost:
                self.best = self.compiled.canonical(searcher.chosen_child(), 1)

    def _search_nimber(self, limits: SearchLimits) -> None:
        """Find the nimber of the position: first whether it is 0, then that of each component.

        Raises:
            ParameterError: components repeat.
        """
        searcher = self._create_component_searcher()
        try:
            self._test_components(searcher, limits)
            if self.bounds.low == self.bounds.high and self.nimber is None:
                self.nimber = 0 if self.bounds.high < 0 else self._nim_sum(searcher, limits)
        except RepeatedError:
            raise cycle_error(self.compiled.rules, NIMBER) from None

    def _nim_sum(self, searcher: ComponentSearcher, limits: SearchLimits) -> int | None:
        """Return the exclusive or of the components' nimbers; None if a limit was met."""
        from zermelo._methods.components import Components

        components, _ = Components(self.compiled).split(self.packed, 1)
        total = 0
        with searcher.report.phase("what is its nimber?"):
            for component in components.reshape(-1, self.compiled.words):
                if searcher.has_nimber(component, -1, limits) is None:
                    return None
                total ^= searcher.parts.bounds[0]
        return total

    def _restart_for_cycles(self) -> None:
        """Restart with a search that is correct for cycles.

        Raises:
            ParameterError: there is none, or another one was requested.
        """
        refusal = self.question.refusal_of_cycles(self.compiled.rules.name, scored=self.scored)
        if refusal is not None:
            raise ParameterError(refusal) from None
        self.bounds, self.best = Bounds(-1, 1), None
        self.expect_cycles()

    @property
    def expects_cycles(self) -> bool:
        """Whether only proof-number search chooses moves.

        Its moves lead to positions that were proved earlier, so that those of a win form no cycle.
        If one of them is replaced by a move of another search, they can.
        """
        return self._numbers is not None and not self._alpha_beta_helps and self._parts is None

    def expect_cycles(self) -> None:
        """Choose moves only by proof-number search from now on, unless the game has scores."""
        if not self.scored:
            self._parts, self._components_repeat, self._alpha_beta_helps = None, True, False
            self._use_proof_numbers()

    def _use_proof_numbers(self) -> None:
        """Use proof-number search from now on."""
        if self._numbers is None:
            self.searcher.clear()
            self._numbers, self._trial = (
                self._second_searcher(NumberSearcher, with_distance=False),
                None,
            )

    def _try_proof_numbers(self, limits: SearchLimits, nodes: int) -> bool:
        """Try proof-number search, and adopt it if it answers the question; return whether it does.

        A partial result is discarded: alpha-beta may never find its moves.
        """
        trial = self._trial or self._second_searcher(
            NumberSearcher, with_distance=False, share=_TRIAL_SHARE
        )
        self._trial = trial
        limits.wait_for(trial.load)
        old_bounds, old_best = self.bounds, self.best
        self.bounds = replace(old_bounds)
        self._search_proof_numbers(trial, limits.up_to(self.searcher.tally.visited + nodes))
        if next(bounds_to_test(self.bounds, self.question.ask, scored=False), None) is None:
            self.searcher.clear()
            trial.set_memory_limit(self.searcher.memory)
            self._numbers, self._trial, self._alpha_beta_helps = trial, None, True
            return True
        self.bounds, self.best = old_bounds, old_best
        return False

    def _test_bounds(self, limits: SearchLimits) -> None:
        """Test one bound after another by alpha-beta."""
        searcher = self.searcher
        searcher.describe = self._status
        limits.wait_for(searcher.load)
        is_automatic = not self.scored and self.question.search is None
        trials = (
            [(searcher.tally.visited + start, nodes) for start, nodes in _TRIALS]
            if is_automatic
            else []
        )
        for target in bounds_to_test(self.bounds, self.question.ask, scored=self.scored):
            bound = self._test_bound(target, limits, trials)
            if bound is None:
                return
            self._narrow_bounds(self.bounds, target, bound, searcher)

    def _test_bound(
        self, target: int, limits: SearchLimits, trials: list[tuple[int, int]]
    ) -> int | None:
        """Return the bound that a test of alpha-beta finds, or None.

        Trials of proof-number search run between.

        ``trials`` has the nodes after which each is due, and its node limit; finished ones are
        removed. The result is None if a limit was met or a trial answered the question.
        """
        searcher, is_started = self.searcher, False
        while True:
            next_limits = limits.up_to(trials[0][0]) if trials else limits
            with searcher.report.phase(phase_name(target, scored=self.scored)):
                bound = searcher.test(
                    self.packed, self.owner, target, next_limits, resume=is_started
                )
            visited, is_started = searcher.tally.visited, True
            if bound is not None or limits.is_met(visited):
                return bound
            if self._try_proof_numbers(limits, trials.pop(0)[1]) or limits.is_met(visited):
                return None

    def _search_proof_numbers(self, searcher: NumberSearcher, limits: SearchLimits) -> None:
        """Search by proof numbers, for one player after the other, whether they can force a win."""
        searcher.describe = self._status
        limits.wait_for(searcher.load)
        for target in bounds_to_test(self.bounds, self.question.ask, scored=False):
            for_mover = target > 0
            with searcher.report.phase(phase_name(target, scored=False)):
                wins = searcher.wins(self.packed, self.owner, limits, mover=for_mover)
            if wins is None:
                return
            passed = wins == for_mover
            self._narrow_bounds(self.bounds, target, target if passed else target - 1, searcher)

    def _narrow_bounds(
        self, bounds: Bounds, target: int, bound: int, searcher: Searcher | KnownSearcher
    ) -> None:
        bounds.narrow(target, bound)
        if bound >= target:
            best = self._table_child(self.packed, self.owner)
            self.best = searcher.chosen_child() if best is None else best

    def _store_immediate_win(self) -> bool:
        """Store a move that ends the game with a win; return whether there is one.

        It is checked if the search is chosen automatically. A search detects that the other player
        has no move only when it visits that position, perhaps after millions of others.
        """
        is_automatic = not self.scored and self.question.search is None
        child = self.compiled.rules.winning_child(self.position) if is_automatic else None
        if child is None:
            return False
        self.bounds, self.best = Bounds(1, 1), canonical_words(self.compiled, child)
        self.distance_bounds = Bounds(FAR - 1, FAR - 1) if self.question.remoteness else None
        self._wins_in_one = True
        return True

    def _store_terminal_value(self) -> None:
        """Store the value of a terminal position."""
        rules = self.compiled.rules
        outcome = rules.terminal(self.position)
        if self.scored:
            value = rules.final_score(self.position)
        else:
            value = int(rules.no_moves if outcome is None else outcome)
        self.bounds = Bounds(value, value)
        if value and self.question.remoteness:
            self.distance_bounds = Bounds(value * FAR, value * FAR)
        elif self.question.remoteness:
            self.tie = Tie.at_root(self.compiled.words)

    def _find_distance(self, limits: SearchLimits) -> None:
        """Find the distance of a win or a loss."""
        searcher = self.distance_searcher
        searcher.describe = self._status
        limits.wait_for(searcher.load)
        if self.distance_bounds is None:
            low, high = self.bounds.low, self.bounds.high
            self.distance_bounds = Bounds(1 if low > 0 else -FAR, FAR if high > 0 else -1)
        for target in distances_to_test(self.distance_bounds):
            plies = FAR - abs(target if target > 0 else target - 1)
            with searcher.report.phase(f"within {plies} plies"):
                bound = searcher.test(self.packed, self.owner, target, limits)
            if bound is None:
                return
            self._narrow_bounds(self.distance_bounds, target, bound, searcher)

    def _find_tie(self, limits: SearchLimits) -> None:
        """Find the number of plies to a tie, or that there is none."""

        def drawn(packed: npt.NDArray[np.uint64], owner: int, previous_mover: int) -> bool | None:
            # A move from a drawn position gets its mover at most a draw.
            passed = self._is_at_least(packed, owner, 0 if owner == previous_mover else 1, limits)
            return passed if passed is None else passed == (owner == previous_mover)

        report = self.searcher.report
        with report.phase("how far is a tie?"):
            self.tie = nearest_tie(self.compiled, self.packed, self.owner, drawn)
        if self.tie is not None and len(self.tie.path):
            self.best = self.tie.path[0].copy()

    # -- moves --------------------------------------------------------------------------------

    def claims(self) -> list[Claim]:
        """Return the claims to prove: the nimber; or a bound each, for the player it favours."""
        if self.nimber is not None:
            return [nimber_claim(self.nimber)]
        bounds, with_distance = self._exact or self.bounds, self._exact is not None
        win_value = FAR if with_distance else MOST_SCORE if self.scored else 1
        claims = [
            Claim(mover=True, least=bounds.low, with_distance=with_distance, win_value=win_value),
            Claim(
                mover=False, least=-bounds.high, with_distance=with_distance, win_value=win_value
            ),
        ]
        return [claim for claim in claims if claim.least > -win_value]

    def add_claim(self, claim: Claim) -> None:
        """Narrow the bounds by the claim of a saved strategy.

        A player who is sure of a loss that takes long may still not lose, so a claim with distances
        does not decide the outcome unless it is a win, or the other player's.
        """
        self.nimber = claim.nimber
        value = claim.least if claim.mover else -claim.least
        if claim.with_distance:
            self.distance_bounds = self.distance_bounds or Bounds(-FAR, FAR)
            self.distance_bounds.narrow(value if claim.mover else value + 1, value)
            value = (value > 0) - (value < 0)
        self.bounds.narrow(value if claim.mover else value + 1, value)

    @property
    def table_positions(self) -> TablePositions | KnownPositions | None:
        """The positions of solved tables, or None."""
        return None if self._searcher is None else self._searcher.table_positions

    def _table_child(
        self, packed: npt.NDArray[np.uint64], owner: int
    ) -> npt.NDArray[np.uint64] | None:
        """Return the child of the best move by solved tables, or None."""
        if (
            self.table_positions is None
            or not self.table_positions.find(packed.reshape(1, -1))[0][0]
        ):
            return None
        replies = Replies(
            self.compiled, owner, Claim(mover=True, least=0, with_distance=False, win_value=1)
        )
        expanded = replies.expand(packed.reshape(1, -1))
        number = int(best_table_moves(self.table_positions, replies, expanded)[0])
        return None if number < 0 else expanded.children[number].copy()

    def securing_child(
        self, packed: npt.NDArray[np.uint64], owner: int, least: int, *, with_distance: bool
    ) -> npt.NDArray[np.uint64] | None:
        """Return the child of a move that secures ``least``, or None.

        Args:
            packed: the words of a position, which is canonical and not terminal.
            owner: the player to move.
            least: the value that this player must get.
            with_distance: whether the value includes the distance to a win or a loss.

        Returns:
            The packed child, or None if there is no such move.
        """
        best = None
        if self._wins_in_one and np.array_equal(packed, self.packed):
            return self.best
        if least <= 0 and not with_distance and self.tie is not None:
            best = self.tie.next_position(self.packed, packed)
        if best is None:  # tables do not contain the distance of ties in a form for searches
            best = self._table_child(packed, owner)
        if best is not None:
            return best
        limits = SearchLimits()
        if self._parts is not None and not with_distance:
            try:
                lost = self._parts.has_nimber(packed, 0, limits)
            except RepeatedError:
                self.expect_cycles()
            else:
                return None if lost else self.compiled.canonical(self._parts.chosen_child(), 1)
        if with_distance:
            bound = self.distance_searcher.test(packed, owner, least, limits)
            return (
                self.distance_searcher.chosen_child()
                if bound is not None and bound >= least
                else None
            )
        passed = self._is_at_least(packed, owner, least, limits)
        return (self._numbers or self.searcher).chosen_child() if passed else None

    def batch_searcher(self, *, with_distance: bool) -> Searcher | KnownSearcher | None:
        """Return the searcher for batches of short tests, or None if none knows enough.

        Args:
            with_distance: whether values include the distance to a win or a loss.
        """
        if with_distance:
            return self.distance_searcher
        knows_enough = self.tie is None and (self._alpha_beta_helps or self._numbers is None)
        return self.searcher if knows_enough else None

    def _is_at_least(
        self, packed: npt.NDArray[np.uint64], owner: int, least: int, limits: SearchLimits
    ) -> bool | None:
        """Return whether a position's value is at least ``least``; None if a limit was met."""
        if self._numbers is None:
            try:
                bound = self.searcher.test(packed, owner, least, limits)
            except RepeatedError:
                self.expect_cycles()
            else:
                return None if bound is None else bound >= least
        if self._numbers is None:  # a score game with cycles
            return None
        for_mover = least > 0
        wins = self._numbers.wins(packed, owner, limits, mover=for_mover)
        return None if wins is None else wins == for_mover
