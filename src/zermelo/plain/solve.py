"""Solving a small game by its rules in plain Python, as long as that takes little time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError, RulesError
from zermelo.game.placement import PlacementGame, own_rule_clause
from zermelo.game.placement_check import fault_of_lines, fault_of_turns
from zermelo.limits import current
from zermelo.methods import PLAIN
from zermelo.plain.components import PlainComponents
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
from zermelo.values.registry import requested_kind
from zermelo.values.win_draw_loss import OUTCOME_ALONE

if TYPE_CHECKING:
    from zermelo.game.contract import Game
    from zermelo.values.kind import Kind
    from zermelo.values.results import Verification

#: The memory that it may need, in bytes.
_NEEDED_BYTES = 1 << 26
#: The most positions of a placement game or a pursuit. Its own method has them in another order,
#: which must not depend on the speed of a machine; so it has this many times the seconds.
_MOST_DECLARED, _PATIENCE = 5_000, 10.0
#: Whole positions that are compared with their components, and positions at which the moves of both
#: players are compared.
_COMPARED = 100
#: The part of the seconds after which the pace tells how long the rest takes.
_SETTLED = 0.1


class TimeLimit:
    """CPU seconds of this thread in which a game may be solved, and its most positions."""

    def __init__(self, seconds: float | None, positions: int = sys.maxsize) -> None:
        """Start the clock; None is no limit."""
        self.seconds = seconds
        self.positions = positions
        self.began = time.thread_time()

    def phase(self) -> Continues:
        """Start a phase; return a function that tells whether it can end in time, at its pace."""
        if self.seconds is None:
            return lambda _, __: True
        began = time.thread_time()
        least, left = _SETTLED * self.seconds, self.seconds - (began - self.began)

        def continues(done: int, known: int) -> bool:
            spent = time.thread_time() - began
            in_time = spent < min(least, left) or spent * known < left * done
            return in_time and known <= self.positions

        return continues


class EquivalenceError(RulesError):
    """Symmetries, or ``canonical``, make positions equivalent that have different values."""


class DeclarationError(RulesError):
    """The rules of a placement game are not what it declares."""


class DeterminismError(RulesError):
    """Moves lead to other positions when the rules are called again."""


class SplitError(RulesError):
    """``split`` gives components that are not worth what the position is."""


def solve_plain(
    rules: Rules,
    kind: Kind,
    *,
    starts: Sequence[Any] | None = None,
    folded: bool,
    report: Reporter,
    limit: TimeLimit,
) -> PlainGame:
    """Solve a small game by the reference solver.

    Args:
        rules: the rules.
        kind: the kind of value to find.
        starts: where play begins; by default in the starts of the game.
        folded: whether one position is to stand for all equivalent ones. All positions are then
            checked as well, so that wrong symmetries are found.
        report: is told the phases.
        limit: how long it may take.

    Raises:
        UnsuitedError: it would take too long, or the game needs compiled rules.
        RulesError: a hook breaks the contract, or symmetries make different positions equivalent,
            or ``split`` cuts a position where one move can change both parts.
        ParameterError: nimbers are asked for, and the players have different moves.
    """
    with report.phase("explore"):
        split = kind.adds and rules.has_hook("split")
        legal = starts is None and holds_all_legal(rules, kind)
        space = positions_of_space(rules) if legal else None
        how: Any = {"starts": starts, "space": space, "folded": folded, "split": split}
        graph = explore(rules, **how, continues=limit.phase())
        report.advance(len(graph.positions))
        _check_determinism(graph)
        _check_declared(graph)
    with report.phase("values", len(graph.positions)):
        if kind.impartial:
            check_impartial(rules)
            check_impartial(rules, graph.positions[:: 1 + len(graph.positions) // _COMPARED])
        form = PlainComponents if split else PlainGame
        found = form.of_graph(graph, values_of(graph, kind))
        report.advance(len(graph.positions))
    if folded or split:
        _check_claims(found, found.check_by_rules(report, limit.phase(), whole=_COMPARED))
    return found


def _check_claims(found: PlainGame, verification: Verification) -> None:
    """Check what the rules claim of positions that are equivalent, or are split.

    Raises:
        EquivalenceError: they make positions equivalent that are not.
        SplitError: they split positions that are worth something else.
    """
    rules, wrong = found.rules, verification.problem
    if wrong is None:
        return
    if found.split and not (found.folded and verification.position is not None):
        raise SplitError(wrong)
    hook = "canonical" if rules.group is None else "symmetries"
    message = (
        f"{rules.name}.{hook}() makes positions equivalent that are not: {wrong}; run zermelo check"
    )
    raise EquivalenceError(message)


def _check_determinism(graph: PlayGraph) -> None:
    """Check that moves lead to the same positions when rules are called again, at a sample.

    Compiled rules are refused where they draw lots; the rules here are any Python.

    Raises:
        DeterminismError: they lead elsewhere.
    """
    rules, count = graph.rules, len(graph.positions)
    for number in range(0, count, 1 + count // _COMPARED):
        position, steps = graph.positions[number], graph.moves[number]
        again = []
        for move in () if rules.terminal(position) is not None else rules.listed_moves(position):
            successors = graph.parts_of(rules.game.play(position, move), "play")
            again.append((successors, rules.gain(position, move)))
        if again != [(step.successors, step.gain) for step in steps]:
            message = (
                f"{rules.name} has other moves at {position!r} each time; rules must not depend on "
                "chance or on what was called before"
            )
            raise DeterminismError(message)


def _check_declared(graph: PlayGraph) -> None:
    """Check that the rules of a placement game are what it declares, at all positions.

    Raises:
        DeclarationError: they are not.
    """
    rules = graph.rules
    game = rules.game
    if not isinstance(game, PlacementGame):
        return
    declared = own_rule_clause(game) is None
    for position, moves, owner in zip(graph.positions, graph.moves, graph.owners, strict=True):
        if declared:
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
    """Return the values of all positions that play from one comes to, where those are few.

    None is also the answer where rules break the contract: compiling them finds out how.

    Args:
        rules: the rules.
        position: where play begins.
        memory: the bytes that may be taken, or None.
        report: is told the phases.
    """
    seconds = current().plain_seconds
    if seconds <= 0 or (memory or _NEEDED_BYTES) < _NEEDED_BYTES:
        return None
    limit = TimeLimit(seconds)
    try:
        how: Any = {"starts": [position], "folded": False, "report": report, "limit": limit}
        return solve_plain(rules, rules.kind, **how)
    except Exception:  # noqa: BLE001  # an author's rule has failed, or it takes long
        return None


class _Listener:
    """A caller's function for progress, whose exceptions end a solve, as those of rules do not."""

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
    forced: bool,
    value: str | None,
    misere: bool,
    symmetry: bool,
    memory: int | None,
    threads: int,
    progress: Listener | None,
) -> Solution | None:
    """Return the solution of a small game without compiled rules, or None for any other game.

    None is also the answer where rules break the contract: compiling them finds out how.

    Args:
        game: the game.
        solve_compiled: solves it by compiled rules, given ``method``, ``value``, ``symmetry``,
            ``memory`` and ``threads``; called for files and passes over all positions, where all
            legal positions are solved, or a board for who wins alone.
        forced: whether ``method`` asks for this, however long it takes.
        value: the kind of value that is asked for; see ``zermelo.solve``.
        misere: whether a player who cannot move wins.
        symmetry: whether to use symmetries.
        memory: the bytes that may be taken, or None.
        threads: the threads that a solution by compiled rules may use.
        progress: a function that is called with an ``Event`` now and then.

    Raises:
        ParameterError: the game has no such value; or ``forced``, and the method does not suit it.
        RulesError: symmetries make positions equivalent that are not, or ``split`` is wrong; or
            ``forced``, and a hook breaks the contract.
    """
    seconds = current().plain_seconds
    if not forced and (seconds <= 0 or (memory or _NEEDED_BYTES) < _NEEDED_BYTES):
        return None
    rules = Rules(game, misere=misere, folding=getattr(game, "folded_tables", True))
    check_suited(rules, value)
    kind = _kind(rules, value)
    # The methods for these games hold every position, and so do their tables.
    declared = isinstance(game, PlacementGame) or rules.has_hook("pursuit")
    report = Reporter(progress)
    report.listener = listener = _Listener(report.listener)
    limit = TimeLimit(None if forced else seconds)
    if declared and not forced:
        limit = TimeLimit(_PATIENCE * seconds, _MOST_DECLARED)
    try:
        found = solve_plain(
            rules,
            kind,
            folded=symmetry and rules.foldable and not declared,
            report=report,
            limit=limit,
        )
    except UnsuitedError as error:
        if not forced:
            return None
        message = f"method={PLAIN!r} does not suit {rules.name}: {error}; leave method out"
        raise ParameterError(message) from None
    except ParameterError:
        raise
    except (DeclarationError, DeterminismError, EquivalenceError, SplitError) as error:
        raise RulesError(str(error)) from None
    except Exception:
        if forced or listener.has_failed:
            raise
        return None  # an author's rule has failed, and compiled rules say where in a sentence
    kind, legal = found.table.kind, found.table.reachability_evidence == "legal"
    method = "dense" if legal else kind.method
    asked = value if value == kind.name else None
    count, what = len(found.table), "classes of positions" if found.folded else "positions"
    what = "components" if found.split else what

    def twin() -> Solution:
        return solve_compiled(
            method=method, value=asked, symmetry=found.folded, memory=memory, threads=threads
        )

    return Solution(
        found,
        method=PLAIN,
        choice=("components alone, as split() gives them: " if found.split else "")
        + f"the rules as they are, in Python, for {count:,} {what}"
        + (taken_for_impartial(rules) if kind.impartial else "")
        + describe_misere(kind, found.table.tally(), misere=misere),
        phases=report.phases,
        threads=threads,
        compile_twin=twin if legal or (kind.outcomes_alone and not kind.timed) else None,
    )


def _kind(rules: Rules, value: str | None) -> Kind:
    """Return the kind of value to find, of a game that has it.

    Who wins alone is found where the method for placement games finds it.
    """
    if value == OUTCOME_ALONE.name:
        from zermelo._methods.placement.method import PlacementMethod

        return OUTCOME_ALONE if PlacementMethod().unsuited(rules) is None else rules.kind
    return requested_kind(rules.kind, value)
