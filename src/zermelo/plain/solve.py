"""Solves of small games by their rules in plain Python, as long as that takes little time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError, PrecisionError, RulesError
from zermelo.game.placement import PlacementGame, own_rule_clause
from zermelo.game.placement_check import fault_of_lines, fault_of_turns
from zermelo.limits import current
from zermelo.methods import PLAIN
from zermelo.plain.game import PlainGame
from zermelo.plain.play_graph import Continues, PlayGraph, UnsuitedError, explore
from zermelo.plain.solver import values_of
from zermelo.plain.space import holds_all_legal, positions_of_space
from zermelo.progress import Event, Listener, Reporter
from zermelo.rules.hooks import Rules
from zermelo.rules.impartiality import check_impartial, taken_for_impartial
from zermelo.rules.misere import describe_misere
from zermelo.rules.value_check import check_suited
from zermelo.solution.solution import Solution
from zermelo.values.expectations import Expectations
from zermelo.values.partizan import PARTIZAN
from zermelo.values.registry import requested_kind
from zermelo.values.win_draw_loss import OUTCOME_ALONE

if TYPE_CHECKING:
    from zermelo.game.contract import Game
    from zermelo.values.kind import Kind
    from zermelo.values.results import Verification

#: The most bytes that a solve may need.
_NEEDED_BYTES = 1 << 26
#: The most positions of a placement game or a pursuit, and the factor of its time limit. Its own
#: method numbers positions in another order, and the order must not depend on a machine's speed.
_MOST_DECLARED, _PATIENCE = 5_000, 10.0
#: Whole positions that are compared with their components, and positions at which the moves of both
#: players are compared.
_MOST_COMPARED = 100
#: The share of the seconds after which the remaining time is estimated from the pace.
_TRIAL_SHARE = 0.1


class TimeLimit:
    """CPU seconds of this thread in which a game may be solved, and its most positions."""

    def __init__(self, seconds: float | None, positions: int = sys.maxsize) -> None:
        """Start the clock; None is no limit."""
        self.seconds = seconds
        self.positions = positions
        self.began = time.thread_time()

    def phase(self) -> Continues:
        """Start a phase; return a function that estimates whether the phase can end in time."""
        if self.seconds is None:
            return lambda _, __: True
        phase_begin = time.thread_time()
        trial_seconds, seconds_left = (
            _TRIAL_SHARE * self.seconds,
            self.seconds - (phase_begin - self.began),
        )

        def continues(done_count: int, known_count: int) -> bool:
            seconds = time.thread_time() - phase_begin
            in_time = (
                seconds < min(trial_seconds, seconds_left)
                or seconds * known_count < seconds_left * done_count
            )
            return in_time and known_count <= self.positions

        return continues


class EquivalenceError(RulesError):
    """Symmetries, or ``canonical``, make positions equivalent that have different values."""


class DeclarationError(RulesError):
    """The rules of a placement game differ from its declarations."""


class DeterminismError(RulesError):
    """Repeated calls of the rules give different moves or positions."""


class SplitError(RulesError):
    """``split`` gives components whose nimbers do not sum to that of the position."""


def solve_plain(
    rules: Rules,
    kind: Kind,
    *,
    starts: Sequence[Any] | None = None,
    folded: bool,
    precision: float | None = None,
    report: Reporter,
    limit: TimeLimit,
) -> PlainGame:
    """Solve a small game by the reference solver.

    Args:
        rules: the rules.
        kind: the kind of value to find.
        starts: the starting positions; by default those of the game.
        folded: whether to store only canonical positions. All positions are then checked as well,
            so that wrong symmetries are found.
        precision: the greatest distance of bounds in a game with chance.
        report: receives the phases.
        limit: the time limit.

    Raises:
        UnsuitedError: the solve would take too long, or the game needs compiled rules.
        RulesError: a hook breaks the contract, or symmetries make different positions equivalent,
            or ``split`` separates parts that one move can change together.
        ParameterError: nimbers are requested, and the players have different moves.
    """
    if kind.algebra == PARTIZAN.algebra:
        from zermelo.plain.partizan import solve_turns  # on demand: few games are partizan

        solved = solve_turns(rules, folded=folded, report=report, continues=limit.phase())
        if folded or solved.split:
            _check_claims(solved, solved.check_by_rules(report, whole=_MOST_COMPARED))
        return solved
    with report.phase("explore"):
        split = kind.adds and rules.has_hook("split")
        legal = starts is None and holds_all_legal(rules, kind)
        space = positions_of_space(rules) if legal else None
        graph = explore(
            rules,
            starts=starts,
            space=space,
            folded=folded,
            split=split,
            continues=limit.phase(),
        )
        report.advance(len(graph.positions))
        _check_determinism(graph)
        _check_declared(graph)
    with report.phase("values", len(graph.positions)):
        if kind.impartial:
            check_impartial(rules)
            check_impartial(rules, graph.positions[:: 1 + len(graph.positions) // _MOST_COMPARED])
        if isinstance(kind, Expectations):
            from zermelo.plain.expectations import expected_values  # on demand: few have chance

            values = expected_values(graph, kind, precision, limit.phase())
        else:
            values = values_of(graph, kind)
        solved = _form(split=split).of_graph(graph, values)
        report.advance(len(graph.positions))
    if folded or split:
        _check_claims(solved, solved.check_by_rules(report, limit.phase(), whole=_MOST_COMPARED))
    return solved


def _form(*, split: bool) -> type[PlainGame]:
    """Return the class of solved games, or that of games solved by components."""
    if not split:
        return PlainGame
    from zermelo.plain.components import PlainComponents  # on demand: few games have split()

    return PlainComponents


def _check_claims(solved: PlainGame, verification: Verification) -> None:
    """Check the equivalences and the components that the rules declare.

    Raises:
        EquivalenceError: positions are declared equivalent that are not.
        SplitError: the components of a position have another value.
    """
    rules, problem = solved.rules, verification.problem
    if problem is None:
        return
    if solved.split and not (solved.folded and verification.position is not None):
        raise SplitError(problem)
    hook = "canonical" if rules.group is None else "symmetries"
    message = (
        f"{rules.name}.{hook}() makes positions equivalent that are not: {problem}; run zermelo "
        "check"
    )
    raise EquivalenceError(message)


def _check_determinism(graph: PlayGraph) -> None:
    """Check at a sample of positions that repeated calls of the rules give equal moves.

    The compiler rejects rules with random numbers; the rules here may be any Python.

    Raises:
        DeterminismError: the moves differ.
    """
    rules, count = graph.rules, len(graph.positions)
    for number in range(0, count, 1 + count // _MOST_COMPARED):
        position, steps = graph.positions[number], graph.moves[number]
        repeated_steps = []
        moves = [] if rules.terminal(position) is not None else rules.listed_moves(position)
        for label, child, _ in rules.successors(position, moves):
            repeated_steps.append((graph.parts_of(child, "play"), label))
        if repeated_steps != [(step.successors, step.gain) for step in steps]:
            message = (
                f"{rules.name} has other moves at {position!r} each time; rules must not depend "
                "on random numbers or on what was called before"
            )
            raise DeterminismError(message)


def _check_declared(graph: PlayGraph) -> None:
    """Check at all positions that the rules of a placement game agree with its declarations.

    Raises:
        DeclarationError: they differ.
    """
    rules = graph.rules
    game = rules.game
    if not isinstance(game, PlacementGame):
        return
    has_own_rule = own_rule_clause(game) is None
    for position, moves, owner in zip(graph.positions, graph.moves, graph.owners, strict=True):
        if has_own_rule:
            fault = fault_of_lines(game, position)
        else:
            children = [graph.positions[step.successor] for step in moves]
            fault = fault_of_turns(game, position, children, None if rules.alternate else owner)
        if fault is not None:
            message = f"{rules.name}.{fault}"
            raise DeclarationError(message)


def solve_from(
    rules: Rules, position: Any, memory: int | None, report: Reporter
) -> PlainGame | None:
    """Return the values of all positions that are reachable from one, or None if these are many.

    The result is also None if the rules break the contract: compiling them reports how.

    Args:
        rules: the rules.
        position: the root position.
        memory: the memory limit in bytes, or None.
        report: receives the phases.
    """
    seconds = current().plain_seconds
    if seconds <= 0 or (memory or _NEEDED_BYTES) < _NEEDED_BYTES:
        return None
    limit = TimeLimit(seconds)
    try:
        return solve_plain(
            rules, rules.kind, starts=[position], folded=False, report=report, limit=limit
        )
    except Exception:  # noqa: BLE001  # an author's rule fails or takes too long
        return None


class _Listener:
    """A caller's progress function; its exceptions end a solve, unlike those of rules."""

    def __init__(self, listener: Listener | None) -> None:
        self.listener = listener
        self.has_failed = False

    def __call__(self, event: Event) -> None:
        if self.listener is not None:
            try:
                self.listener(event)
            except BaseException:
                self.has_failed = True
                raise


def small_solution(
    game: Game,
    solve_compiled: Callable[..., Solution],
    *,
    is_required: bool,
    value: str | None,
    misere: bool,
    symmetry: bool,
    memory: int | None,
    threads: int,
    precision: float | None = None,
    progress: Listener | None,
) -> Solution | None:
    """Return the solution of a small game without compiled rules, or None for any other game.

    The result is also None if the rules break the contract: compiling them reports how.

    Args:
        game: the game.
        solve_compiled: solves it by compiled rules, given ``method``, ``value``, ``symmetry``,
            ``memory`` and ``threads``. It is called for files, and for scans of all positions, if
            all legal positions are solved, or only the winner of a placement game.
        is_required: whether ``method`` names this solver, however long it takes.
        value: the requested kind of value; see ``zermelo.solve``.
        misere: whether a player who cannot move wins.
        symmetry: whether to use symmetries.
        memory: the memory limit in bytes, or None.
        threads: the threads that a solution by compiled rules may use.
        precision: the greatest distance of bounds in a game with chance; see ``zermelo.solve``.
        progress: a function that is called with an ``Event`` from time to time.

    Raises:
        ParameterError: the game has no such value; or the method is required and does not suit it.
        RulesError: symmetries make positions equivalent that are not, or ``split`` is wrong; or
            the method is required, and a hook breaks the contract.
    """
    seconds = current().plain_seconds
    if not is_required and (seconds <= 0 or (memory or _NEEDED_BYTES) < _NEEDED_BYTES):
        return None
    rules = Rules(game, misere=misere, folding=getattr(game, "folded_tables", True))
    check_suited(rules, value)
    kind = _kind(rules, value)
    # The methods for these games hold every position, and so do their tables.
    has_own_method = isinstance(game, PlacementGame) or rules.has_hook("pursuit")
    report = Reporter(progress)
    report.listener = listener = _Listener(report.listener)
    limit = TimeLimit(None if is_required else seconds)
    if has_own_method and not is_required:
        limit = TimeLimit(_PATIENCE * seconds, _MOST_DECLARED)
    try:
        solved = solve_plain(
            rules,
            kind,
            folded=symmetry and rules.foldable and not has_own_method,
            precision=precision,
            report=report,
            limit=limit,
        )
    except UnsuitedError as error:
        if not is_required:
            return None
        message = f"method={PLAIN!r} does not suit {rules.name}: {error}; leave method out"
        raise ParameterError(message) from None
    except (ParameterError, PrecisionError):
        raise
    except (DeclarationError, DeterminismError, EquivalenceError, SplitError) as error:
        raise RulesError(str(error)) from None
    except Exception:
        if is_required or listener.has_failed:
            raise
        return None  # an author's rule fails; compiled rules report where
    kind, legal = solved.table.kind, solved.table.reachability_evidence == "legal"
    method = "dense" if legal else kind.method
    value_name = value if value == kind.name else None
    count, noun = len(solved.table), "classes of positions" if solved.folded else "positions"
    noun = "components" if solved.split else noun

    def compile_twin() -> Solution:
        return solve_compiled(
            method=method, value=value_name, symmetry=solved.folded, memory=memory, threads=threads
        )

    return Solution(
        solved,
        method=PLAIN,
        choice=("components alone, as split() gives them: " if solved.split else "")
        + f"the rules as they are, in Python, for {count:,} {noun}"
        + (taken_for_impartial(rules) if kind.impartial else "")
        + describe_misere(kind, solved.table.tally, misere=misere),
        phases=report.phases,
        threads=threads,
        compile_twin=compile_twin if legal or (kind.outcomes_alone and not kind.timed) else None,
    )


def _kind(rules: Rules, value: str | None) -> Kind:
    """Return the kind of value to find, which the game has.

    Outcomes without distances are found if the method for placement games finds them.
    """
    if value == OUTCOME_ALONE.name:
        from zermelo._methods.placement.method import PlacementMethod

        return OUTCOME_ALONE if PlacementMethod().unsuited(rules) is None else rules.kind
    return requested_kind(rules.kind, value)
