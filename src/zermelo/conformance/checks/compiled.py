"""Comparison of the rules in Python and compiled, on a sample of positions.

Rules without source, and NumPy, use numbers that wrap around where Python's do not, and compiled
rules have no other numbers: only a comparison shows such differences.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from zermelo.conformance.hook_calls import VisitedPosition
from zermelo.conformance.report import Findings, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.timeouts import LONGEST, TICK, CallTimer, ThreadClock
from zermelo.errors import CompileError, RulesError
from zermelo.values.expectations import CHANCE, PASSED
from zermelo.values.outcomes import Outcome

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.expand.expander import Buffers

_REMEDY = "keep to Python's own whole numbers, and each step below 2**63"


def check_compiled(
    game: Any,
    visits: list[VisitedPosition],
    patience: float,
    findings: Findings,
    *,
    misere: bool = False,
) -> bool:
    """Check that compiled rules agree with Python; return whether they could be compared.

    Args:
        game: the game.
        visits: the answers of the rules in Python.
        patience: the most seconds of computing for one position, compiled.
        findings: receives the differences.
        misere: whether a player who cannot move wins.
    """
    from zermelo._compile.rules import compile_rules
    from zermelo._compile.run.width import WidthError

    try:
        compare_compiled(compile_rules(game, misere=misere), visits, patience, findings)
    except CompileError as error:
        for fault in error.faults:
            findings.error(ProblemKind.COMPILE, str(fault), subject=str(fault))
        return False
    except WidthError as error:
        findings.error(ProblemKind.COMPILED, without_name(str(error), game), error.position)
    except RulesError as error:
        findings.error(ProblemKind.CONTRACT, without_name(str(error), game))
        return False
    return True


def compare_compiled(
    compiled: CompiledRules, visits: list[VisitedPosition], patience: float, findings: Findings
) -> None:
    """Check that compiled rules agree with Python.

    Args:
        compiled: the compiled rules, without symmetries.
        visits: the answers of the rules in Python.
        patience: the most seconds of computing for one position, compiled.
        findings: receives the differences.

    Raises:
        CompileError: the rules cannot be compiled.
        WidthError: an intermediate number exceeds 64 bits.
    """
    ensure_compiled(compiled)
    comparison = _Comparison(compiled, visits)
    overdue = comparison.run(patience)
    if overdue is not None:
        index, seconds = overdue
        message = (
            f"the rules at {visits[index].position!r} return in Python, but compiled they have not "
            f"returned after {seconds:g} seconds; {_REMEDY}"
        )
        findings.error(ProblemKind.COMPILED, message, visits[index].position)
    elif comparison.difference is not None:
        message, position = comparison.difference
        findings.error(ProblemKind.COMPILED, f"{message}; {comparison.remedy}", position)


def ensure_compiled(compiled: CompiledRules) -> None:
    """Compile the rules, if they are not compiled yet.

    Raises:
        CompileError: the rules cannot be compiled.
    """
    _Comparison(compiled, []).expand(0, 0)


def without_name(message: str, game: Any) -> str:
    """Return a message of ``Rules`` without the name of the class."""
    return message.removeprefix(f"{type(game).__name__}.")


class _Comparison:
    """Expands positions one by one, compiled, until one differs.

    Attributes:
        index: the index of the position that is being compared.
        difference: a sentence on the difference, and the position; or None.
        remedy: the advice for the author.
    """

    def __init__(self, compiled: CompiledRules, visits: list[VisitedPosition]) -> None:
        import numpy as np

        from zermelo._engine.expand.expander import Buffers

        self.compiled = compiled
        self.visits = visits
        self.layout = compiled.rules.layout
        self.keys = np.array([self.layout.pack(visit.position) for visit in visits], np.uint64)
        self.keys = self.keys.reshape(-1)
        capacity = 1 + max(map(self._successor_count, visits), default=0)
        self.buffers: Buffers = Buffers.for_rules(compiled, 1, capacity)
        self.index = 0
        self.difference: tuple[str, Any] | None = None
        self.remedy = _REMEDY
        self.error: BaseException | None = None
        self.started = threading.Event()
        self.clock: ThreadClock  # of the thread that compares, once it has started

    def _successor_count(self, visit: VisitedPosition) -> int:
        """Return the number of stored successors of a position."""
        rules = self.compiled.rules
        if not visit.by_chance or not rules.has_hook("kept"):
            return len(visit.moves)
        return sum(1 for _ in rules.successors(visit.position, visit.moves))

    def run(self, patience: float, longest: float = LONGEST) -> tuple[int, float] | None:
        """Compare all positions; return the one at which the compiled rules do not return, or None.

        The result has the seconds after which they had not returned: ``patience`` of computing, or
        ``longest`` of waiting.
        """
        # Compiled code cannot be interrupted: a call that does not return is left in its thread.
        worker = threading.Thread(target=self._run, name="zermelo-compiled", daemon=True)
        worker.start()
        self.started.wait()
        timer, index = CallTimer(self.clock, patience, longest), self.index
        while worker.is_alive():
            worker.join(TICK)
            if index != self.index:
                index = self.index
                timer.restart()
            elif (seconds := timer.exceeded_limit()) is not None and worker.is_alive():
                return index, seconds
        if self.error is not None:
            raise self.error
        return None

    def _run(self) -> None:
        self.clock = ThreadClock()
        self.started.set()
        try:
            while self.index < len(self.visits) and self.difference is None:
                self._compare(self.visits[self.index])
                self.index += 1
        except BaseException as error:  # noqa: BLE001  # raised again in the thread that waits
            self.error = error

    def expand(self, begin: int, end: int) -> tuple[int, int, int]:
        """Run the compiled rules."""
        return self.compiled(self.keys, begin, end, self.buffers)

    def _compare(self, visit: VisitedPosition) -> None:
        from zermelo._compile.run.numba_errors import used_none
        from zermelo._compile.run.width import WidthError
        from zermelo._engine.expand.expander import (
            BAD_OUTCOME,
            BAD_TURN,
            BAD_WEIGHT,
            ENDLESS_MOVES,
            FULL,
            OK,
        )

        position = visit.position
        try:
            _, move_count, status = self.expand(self.index, self.index + 1)
        except WidthError:
            raise
        except RulesError as error:
            cause = error.__cause__
            use_of_none = used_none(cause)
            if use_of_none is not None:
                problem, self.remedy = use_of_none
                self.difference = (f"the rules {problem}, at {position!r}", position)
                return
            problem = f"raise {type(cause).__name__}: {cause}" if cause else "raise an error"
            self.difference = (f"the compiled rules {problem} at {position!r}", position)
            return
        if status == OK:
            self.difference = self._differs(visit, move_count)
            return
        hook = "outcome" if self.compiled.rules.has_hook("outcome") else "winner"
        item_hook, items = ("chance", "results") if visit.by_chance else ("moves", "moves")
        problem = {
            FULL: f"{item_hook}() yields more than the {len(visit.moves)} {items} it does in "
            "Python",
            BAD_OUTCOME: f"{hook}() returns a number that it does not in Python",
            BAD_TURN: "turn() returns neither 0 nor 1",
            ENDLESS_MOVES: f"{item_hook}() does not end",
            BAD_WEIGHT: "chance() gives a weight that it does not in Python",
        }.get(status, "play() gives a field past its bits")
        self.difference = (f"compiled, {problem} at {position!r}", position)

    def _differs(self, visit: VisitedPosition, move_count: int) -> tuple[str, Any] | None:
        position, rules, buffers = visit.position, self.compiled.rules, self.buffers
        if not rules.alternate and int(buffers.owners[0]) != visit.owner:
            pair = (visit.owner, int(buffers.owners[0]))
            return _difference_text(call_text("turn", position), pair, position)
        value = int(buffers.values[0])
        pair_of_words = self._outcome_word(self._value(visit)), self._outcome_word(value)
        if visit.ending is not None and pair_of_words[0] != pair_of_words[1]:
            hook = (
                "score" if rules.is_scored else "outcome" if rules.has_hook("outcome") else "winner"
            )
            return _difference_text(call_text(hook, position), pair_of_words, position)
        difference = self._differs_in_moves(visit, move_count)
        if difference is not None:
            return difference
        if rules.has_hook("endless"):
            words = self.layout.words
            packed = self.keys[self.index * words : (self.index + 1) * words]
            endless = int(self.compiled.endless(packed, 1, buffers.owners)[0])
            if endless != visit.endless:
                return _difference_text(
                    call_text("endless", position), (visit.endless, endless), position
                )
        if pair_of_words[0] != pair_of_words[1]:
            return _difference_text(f"the value of {position!r}", pair_of_words, position)
        return None

    def _differs_in_moves(self, visit: VisitedPosition, move_count: int) -> tuple[str, Any] | None:
        """Return the difference of moves or of results of chance, or None."""
        if visit.by_chance:
            return self._differs_by_chance(visit, move_count)
        position, rules, buffers = visit.position, self.compiled.rules, self.buffers
        if move_count != len(visit.moves):
            message = (
                f"{call_text('moves', position)} yields {len(visit.moves)} moves in Python and "
                f"{move_count} compiled"
            )
            return message, position
        words = self.layout.words
        for n, move in enumerate(visit.moves):
            child = self.layout.unpack(buffers.children[n * words : (n + 1) * words])
            if child != visit.children[n]:
                call = call_text("play", position, move)
                return _difference_text(call, (visit.children[n], child), position)
            if rules.kind.gains and int(buffers.gains[n]) != visit.gains[n]:
                pair = (visit.gains[n], int(buffers.gains[n]))
                return _difference_text(call_text("gain", position, move), pair, position)
        return None

    def _differs_by_chance(self, visit: VisitedPosition, move_count: int) -> tuple[str, Any] | None:
        """Return the difference at a position where chance decides, or None."""
        rules, words, position = self.compiled.rules, self.layout.words, visit.position
        expected = [
            (label, self.layout.unpack(rules.packed(child, "chance")))
            for label, child, _ in rules.successors(position, visit.moves)
        ]
        actual = [
            (
                int(self.buffers.gains[n]) & ~PASSED,
                self.layout.unpack(self.buffers.children[n * words : (n + 1) * words]),
            )
            for n in range(move_count)
        ]
        call = call_text("chance", position)
        if len(expected) != len(actual):
            message = (
                f"{call} leads to {len(expected)} positions in Python and {len(actual)} compiled"
            )
            return message, position
        for pair in zip(expected, actual, strict=True):
            if pair[0] != pair[1]:
                values = (pair[0][1], pair[1][1])
                if values[0] == values[1]:
                    values = (pair[0][0], pair[1][0])
                return _difference_text(call, values, position)
        return None

    def _value(self, visit: VisitedPosition) -> int:
        """Return the code that the compiled rules should give for a position."""
        kind = self.compiled.kind
        if not visit.is_over:
            return CHANCE if visit.by_chance else kind.unknown
        if self.compiled.rules.is_scored:
            return visit.score
        ending = self.compiled.rules.no_moves if visit.ending is None else visit.ending
        return kind.terminal(ending)

    def _outcome_word(self, value: int) -> str:
        kind = self.compiled.kind
        if value == kind.unknown:
            return "None"
        if self.compiled.rules.has_chance and value == CHANCE:
            return "chance"
        if self.compiled.rules.is_scored:
            return str(value)
        names = {kind.terminal(outcome): outcome.name for outcome in Outcome}
        return names.get(value, str(value))


def _difference_text(subject: str, pair: tuple[object, object], position: Any) -> tuple[str, Any]:
    return f"{subject} is {pair[0]!s} in Python and {pair[1]!s} compiled", position
