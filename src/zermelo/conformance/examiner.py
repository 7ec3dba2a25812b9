"""The checks of a game in Python: its starts, the positions that follow, and its declarations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np

from zermelo.conformance.checks.canonical import check_canonical
from zermelo.conformance.checks.compiled import without_name
from zermelo.conformance.checks.determinism import check_steady
from zermelo.conformance.checks.fields import check_fields
from zermelo.conformance.checks.pass_turn import check_pass_turn
from zermelo.conformance.checks.playthrough import (
    check_cycles,
    check_ends,
    check_levels,
    check_moves,
    check_sides,
    check_start,
    check_turns,
)
from zermelo.conformance.checks.search_hints import check_bounds, check_enough, check_promise
from zermelo.conformance.checks.spaces import check_legal, check_space
from zermelo.conformance.checks.split import check_split
from zermelo.conformance.checks.suspicions import check_suspicions
from zermelo.conformance.checks.symmetries import check_symmetries
from zermelo.conformance.checks.text import check_text
from zermelo.conformance.hook_calls import (
    CheckedHooks,
    VisitedPosition,
    call_hook,
    describe_error,
    list_hook_items,
)
from zermelo.conformance.margins import check_gain
from zermelo.conformance.report import ContractError, Findings, ProblemKind
from zermelo.conformance.shape import Shape
from zermelo.conformance.timeouts import OverdueError, TimedCalls
from zermelo.conformance.walk import Walk, WalkLimits, play_through
from zermelo.errors import ParameterError, RulesError
from zermelo.game.contract import Game
from zermelo.rules.hooks import Rules, hooks_of

#: The most starting positions that are checked.
_STARTS = 500
#: Positions at which all hooks are called a second time, and at which ``canonical`` is called.
SAMPLE = 500
#: Positions whose text is checked.
_TEXT_SAMPLE = 50


class Examiner:
    """Checks one game in Python.

    Attributes:
        walk: the positions that were examined.
    """

    def __init__(
        self,
        game: Game,
        timer: TimedCalls,
        findings: Findings,
        random: Random,
        *,
        misere: bool = False,
    ) -> None:
        """Store a game, the timer of its hooks, and the list of problems."""
        self.game = game
        self.misere = misere
        self.timer = timer
        self.findings = findings
        self.random = random
        self.walk = Walk([])

    def sample(self, rules: Rules, limits: WalkLimits, *, folded: bool) -> None:
        """Check positions and, with ``folded``, declared equivalences.

        Ranges and levels are left out, as each method checks those that it needs.

        Raises:
            ContractError: a problem that makes further checks pointless.
        """
        hooks = CheckedHooks(rules, Shape(rules.layout, None), self.timer)
        self._play_through(hooks, limits, limits.positions // 3)  # leaves time for other positions
        if not self.walk.stuck:
            self._run_each([lambda: check_sides(hooks, self.walk)])
        if folded and not self.walk.stuck and self.walk.visits:
            visits = list(self.walk.visits.values())
            self._run_each(self._equivalence_checks(hooks, visits, limits))

    def run_checks(self, limits: WalkLimits) -> None:
        """Run all checks.

        Raises:
            ContractError: a problem that makes further checks pointless.
        """
        hooks = self._checked_hooks()
        self._play_through(hooks, limits)
        if self.walk.stuck or not self.walk.visits:
            return
        sample = self.walk.sample(self.random, SAMPLE)
        check_steady(hooks, self.walk, sample, limits, self.findings)
        if self.findings.has(ProblemKind.CHANGES):
            return
        check_start(hooks, self.walk, self.findings)
        check_moves(hooks, self.walk, self.findings)
        check_turns(hooks, self.walk, self.findings)
        check_suspicions(hooks, self.walk, self.findings)
        check_ends(hooks, self.walk, self.findings)
        check_fields(hooks, self.walk, self.findings)
        check_cycles(hooks, self.walk, self.findings)
        text_sample = self.walk.sample(self.random, _TEXT_SAMPLE)
        equivalence_sample = list(sample)

        def legal() -> None:
            equivalence_sample.extend(check_legal(hooks, self.walk, limits, self.random))

        self._run_each(
            [
                lambda: check_gain(hooks, self.walk, limits),
                lambda: check_sides(hooks, self.walk),
                lambda: check_space(hooks, self.walk),
                legal,
                lambda: check_levels(hooks, self.walk),
                *self._equivalence_checks(hooks, equivalence_sample, limits),
                lambda: check_pass_turn(hooks, sample, limits),
                lambda: check_split(hooks, sample, limits),
                lambda: check_promise(hooks, sample, limits),
                lambda: check_bounds(hooks, self.walk, sample, limits),
                lambda: check_enough(hooks, self.walk, sample, limits),
                lambda: check_text(hooks, text_sample, self.findings),
            ]
        )

    def _play_through(self, hooks: CheckedHooks, limits: WalkLimits, starts: int = _STARTS) -> None:
        """Call the rules for reachable positions."""
        self.walk = self._starts(hooks, starts)
        play_through(hooks, self.walk, limits, self.random, self.findings)

    def _equivalence_checks(
        self, hooks: CheckedHooks, sample: list[VisitedPosition], limits: WalkLimits
    ) -> list[Callable[[], None]]:
        """Return the checks of declared equivalences."""
        return [
            lambda: check_canonical(hooks, self.walk, sample, limits),
            lambda: check_symmetries(hooks, sample, limits, self.random),
        ]

    def _run_each(self, checks: list[Callable[[], None]]) -> None:
        """Run checks one by one, and record the problems."""
        for check in checks:
            try:
                check()
            except ContractError as fault:
                self.findings.add(fault)
                if fault.problem.kind == ProblemKind.ENDLESS:
                    return

    def _checked_hooks(self) -> CheckedHooks:
        """Return the hooks, ready to be called."""
        if "start" in hooks_of(type(self.game)):
            call_hook(self.timer, self.game, "start")
        elif not len(self._declared_starts()):
            raise _no_starts()
        try:
            rules = self.timer.call(partial(Rules, misere=self.misere), self.game)
        except RulesError as error:
            message = without_name(str(error), self.game)
            kind = ProblemKind.CONTRACT
            if message.startswith(("start()", "space()")):
                kind = ProblemKind(message[:5])
            raise ContractError(kind, message) from None
        except OverdueError as overdue:
            message = (
                f"start() or space() has not returned after {overdue.seconds:g} seconds; check "
                "that its loops end"
            )
            raise ContractError(ProblemKind.ENDLESS, message) from None
        except Exception as error:
            if self.misere and isinstance(error, ParameterError):
                raise  # misère play does not suit the game
            message = f"space() raised {describe_error(error, self.game, 'space')}; correct it"
            raise ContractError(ProblemKind.RAISES, message, subject="space") from None
        space = call_hook(self.timer, self.game, "space") if rules.has_hook("space") else None
        return CheckedHooks(rules, Shape(rules.layout, space), self.timer)

    def _declared_starts(self) -> Any:
        """Return the result of ``starts``: an array, or a list."""
        if isinstance(answer := call_hook(self.timer, self.game, "starts"), np.ndarray):
            return answer
        return list_hook_items(self.timer, self.game, "starts", "position")

    def _starts(self, hooks: CheckedHooks, most: int) -> Walk:
        """Return a walk that has only its starts, a sample of at most ``most``."""
        start = hooks.shape.read(hooks.call("start"), ("start",))
        if not hooks.rules.has_hook("starts"):
            return Walk([start])
        declared = self._declared_starts()
        if not len(declared):
            raise _no_starts()
        indices = self._start_sample(len(declared), most)
        if isinstance(declared, np.ndarray):
            starts = [self._row(hooks, declared[i].tolist()) for i in indices]
        else:
            starts = [hooks.shape.read(declared[i], ("starts",)) for i in indices]
        if starts[0] != start:
            message = (
                f"start() returned {start!r}, but starts() begins with {starts[0]!r}; let starts() "
                "give the start first"
            )
            raise ContractError(ProblemKind.START, message, start)
        return Walk(list(dict.fromkeys(starts)), all_starts=len(declared) <= most)

    def _row(self, hooks: CheckedHooks, row: Any) -> Any:
        """Return the position of a row of an array."""
        flat = row if isinstance(row, list) else [row]
        layout = hooks.rules.layout
        if len(flat) != len(layout.slots):
            message = (
                f"starts() returned an array with {len(flat)} numbers a row; give "
                f"{len(layout.slots)}, one for each number of {layout.describe()}"
            )
            raise ContractError(ProblemKind.START, message)
        return hooks.shape.read(layout.build(flat), ("starts",))

    def _start_sample(self, count: int, most: int) -> list[int]:
        """Return the indices of the starts to check, always including the first."""
        if count <= most:
            return list(range(count))
        return [0, *sorted(self.random.sample(range(1, count), most - 1))]


def _no_starts() -> ContractError:
    return ContractError(ProblemKind.START, "starts() returned no position; return at least one")
