"""A part of a sum: its positions with either player to move, and their moves."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.expand.discovery import explore
from zermelo._engine.expand.graph_memory import GraphMemory
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import current
from zermelo.plain.index import PackedNumbers
from zermelo.plain.rules import PlainRules
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.expand.expander import Buffers
    from zermelo._engine.index.hash_index import HashIndex
    from zermelo.rules.hooks import Rules

#: The outcome of a position to which the rules give none.
NONE = 2

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@dataclass
class Component:
    """All positions that follow from a part's starts by moves of either player in any order.

    In a sum, a player may make several moves in a row in one part, as the other player moves
    elsewhere. So these positions are closed under moves, and under passing the turn.

    Attributes:
        rules: the rules.
        keys: packed positions, shape (n, words), the starts first.
        first: the beginning of each position's moves in ``children``, and the end of the last.
        children: the number of the successor by each move.
        after_pass: the number of the same position with the other player to move.
        outcome: WIN, DRAW or LOSS for the player to move if the rules say that the game is over, or
            if there are no moves; otherwise NONE.
        owner: the player to move, or None if the game has no ``turn``.
        index: finds a packed position in ``keys``.
    """

    rules: Rules
    keys: Words
    first: Numbers
    children: Numbers
    after_pass: Numbers
    outcome: npt.NDArray[np.int8]
    owner: npt.NDArray[np.uint8] | None
    index: HashIndex | PackedNumbers

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.after_pass)

    def find(self, keys: Words) -> Numbers:
        """Return the numbers of packed positions, shape (n, words), or -1 for other positions."""
        numbers = np.empty(len(keys), np.int64)
        flat = np.ascontiguousarray(keys).reshape(-1)
        self.index.find(flat, len(keys), self.keys.reshape(-1), numbers)
        return numbers


class _Passing:
    """Rules in which a player may pass, as the last move: an ``Expand``."""

    def __init__(self, compiled: CompiledRules) -> None:
        self._compiled = compiled
        self._pass_all = _pass_function(compiled.rules)
        self.words, self.used = compiled.words, compiled.used
        self.alternate, self.kind = compiled.alternate, compiled.kind
        self.explain, self.endless = compiled.explain, compiled.endless

    def __call__(
        self, keys: npt.NDArray[np.uint64], begin: int, end: int, out: Buffers
    ) -> tuple[int, int, int]:
        """Expand positions and compare levels; arguments and result as for ``Expand``."""
        words, capacity = self.words, len(out.children) // self.words
        end = min(end, begin + max(1, capacity // 2))
        moves = np.empty(max(0, capacity - (end - begin)) * words, np.uint64)
        count, move_count, status = self._compiled(keys, begin, end, replace(out, children=moves))
        if count:
            ends = out.ends[:count]
            origins = np.repeat(np.arange(count), np.diff(ends, prepend=0))
            ends += np.arange(1, count + 1, dtype=np.int32)
            rows = out.children[: capacity * words].reshape(-1, words)
            rows[np.arange(move_count) + origins] = moves[: move_count * words].reshape(-1, words)
            expanded = keys[begin * words : (begin + count) * words].reshape(-1, words)
            rows[ends - 1] = self._pass_all(expanded)
        return count, move_count + count, status


def component_of(
    rules: Rules, ledger: Ledger, threads: int = 1, report: Reporter | None = None
) -> Component:
    """Return all positions of a part of a sum, found in plain Python if these are few.

    Args:
        rules: the rules.
        ledger: the memory budget.
        threads: threads to use.
        report: receives the number of positions found.

    Raises:
        RulesError: a player may move twice in a row, or the rules cannot pass the turn.
        BudgetError: there are too many positions.
    """
    report = report or Reporter()
    small = _explore_in_python(rules, ledger, report)
    if small is not None:
        return small
    from zermelo._compile.rules import compile_rules

    return _explore(compile_rules(rules.game, misere=rules.misere), ledger, threads, report)


def _explore_in_python(rules: Rules, ledger: Ledger, report: Reporter) -> Component | None:
    """Return all positions, by rules in Python; None if that takes too long, or a rule fails.

    Compiled rules report the failure.
    """
    seconds = current().plain_seconds
    if seconds <= 0:
        return None
    until = time.thread_time() + seconds
    plain: Any = PlainRules(rules, rules.kind, (), folded=False)
    try:
        with plain.kernels():
            component = _explore(plain, ledger, 1, report, lambda _: time.thread_time() > until)
    except ZermeloError:
        raise
    except Exception:  # noqa: BLE001  # whatever the author's rule raises
        return None
    component.index = PackedNumbers(component.keys, plain.words)
    return component


def _explore(
    compiled: CompiledRules,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    abandon: Callable[[list[int]], bool] | None = None,
) -> Component:
    """Return all positions, by compiled rules or ``PlainRules``; see ``explore``."""
    rules, expand = compiled.rules, _Passing(compiled)
    budget = GraphMemory(ledger, compiled.words, compiled.kind, compiled.alternate)
    starts = compiled.start_words()
    graph = explore(expand, starts, budget, threads, report, may_drop=False, abandon=abandon)
    last = graph.first[1:] - 1  # the indices of the passes
    moves = np.ones(len(graph.edges), np.bool_)
    moves[last] = False
    is_over = graph.values != compiled.kind.unknown
    outcome = np.full(graph.positions, NONE, np.int8)
    outcome[is_over] = compiled.kind.outcomes(graph.values[is_over])
    component = Component(
        rules,
        graph.keys.reshape(-1, graph.words),
        graph.first - np.arange(graph.positions + 1),
        graph.edges[moves].astype(np.int64),
        graph.edges[last].astype(np.int64),
        outcome,
        None if rules.alternate else graph.owners,
        graph.table,
    )
    _check_passing(component)
    return component


def _check_passing(component: Component) -> None:
    """Check that the turn passes with each move, and that passing it twice changes nothing.

    Raises:
        RulesError: it does not.
    """
    rules, numbers = component.rules, np.arange(len(component))
    unstable = np.flatnonzero(component.after_pass[component.after_pass] != numbers)
    if len(unstable):
        position = _position_at(component, int(unstable[0]))
        turned = rules.pass_turn(position)
        message = (
            f"{rules.name}.pass_turn() turns {position!r} into {turned!r}, but not {turned!r} back "
            f"into {position!r}; correct it, and run zermelo check"
        )
        raise RulesError(message)
    if component.owner is None:
        return
    same_owner = np.flatnonzero(component.owner[component.after_pass] == component.owner)
    if len(same_owner):
        position = _position_at(component, int(same_owner[0]))
        message = (
            f"{rules.name}.pass_turn({position!r}) leaves the turn where it is; return the "
            "position with the other player to move"
        )
        raise RulesError(message)
    mover = np.repeat(component.owner, np.diff(component.first))
    double_turns = np.flatnonzero(component.owner[component.children] == mover)
    if len(double_turns):
        number = int(np.searchsorted(component.first, double_turns[0], side="right")) - 1
        position = _position_at(component, number)
        move = rules.moves(position)[int(double_turns[0] - component.first[number])]
        message = (
            f"{rules.name}: after the move {move!r} from {position!r}, it is the same player's "
            "turn; in a sum, the turn has to pass with each move"
        )
        raise RulesError(message)


def check_normal(component: Component) -> None:
    """Check that a position of a part is terminal only if the player to move has no move there.

    Raises:
        RulesError: a position has another outcome than one without moves.
    """
    rules = component.rules
    decided = np.flatnonzero((component.outcome != NONE) & (component.outcome != rules.no_moves))
    if len(decided):
        position = _position_at(component, int(decided[0]))
        word = {1: "win", 0: "draw", -1: "loss"}[int(component.outcome[decided[0]])]
        message = (
            f"{rules.description} is a {word} for the player to move at {position!r} by its rules, "
            "and a sum is decided by who cannot move in any of its parts; add games that end only "
            "where there are no moves"
        )
        raise RulesError(message)


def _position_at(component: Component, number: int) -> Any:
    return component.rules.layout.unpack(component.keys[number])


def _pass_function(rules: Rules) -> Callable[[Words], Words]:
    """Return a function that passes the turn in packed positions.

    Raises:
        RulesError: the rules cannot do that.
    """
    layout, place = rules.layout, rules.turn_place
    if not rules.passes:
        if rules.alternate:  # assumed to be impartial, so that a position is the same for both
            return lambda keys: keys
        rules.pass_turn(rules.game.start())  # raises
    if rules.has_hook("pass_turn"):

        def ask(keys: Words) -> Words:
            positions = [_position_after_pass(rules, layout.unpack(key)) for key in keys]
            return np.array([layout.pack(position) for position in positions], np.uint64)

        return ask

    def flip(keys: Words) -> Words:
        rows = layout.unpack_many(keys)
        rows[:, place] = 1 - rows[:, place]
        return layout.pack_many(rows)[0]

    return flip


def _position_after_pass(rules: Rules, position: Any) -> Any:
    try:
        return rules.pass_turn(position)
    except ZermeloError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        message = f"{rules.name}.pass_turn({position!r}) raised {problem}; run zermelo check"
        raise RulesError(message) from error
