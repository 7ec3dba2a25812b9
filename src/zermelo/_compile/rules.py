"""Compiled rules: a game's class and parameters in, an expansion kernel out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numba.core.errors
import numpy as np
import numpy.typing as npt

from zermelo._compile.bytecode import FunctionSet
from zermelo._compile.load import load
from zermelo._compile.module import LineMap, Module, write_module
from zermelo._compile.names import Passed, arrays_of, kind_of, read, snapshot
from zermelo._compile.ruleset import RuleSet
from zermelo._compile.source import NoSourceError
from zermelo._compile.translate import translate
from zermelo._engine import codes, score
from zermelo._engine.explore import (
    BAD_OUTCOME,
    BAD_TURN,
    ENDLESS_MOVES,
    FIELD_OVERFLOW,
)
from zermelo.errors import RulesError
from zermelo.game import Game
from zermelo.positions import Layout
from zermelo.rules import Rules

#: What rules may raise when they are run.
_RAISED = (IndexError, ValueError, ZeroDivisionError, AssertionError, TypeError, OverflowError)


@dataclass
class _Kept:
    """Compiled rules of one class, and what must be unchanged for them to serve again."""

    layout: Layout
    no_moves: int
    baked: dict[str, Any]
    passed: tuple[Passed, ...]
    globals: list[tuple[Any, str, Any]]
    loaded: Any
    lines: LineMap

    def serves(self, rules: Rules) -> bool:
        """Whether these rules are those of ``rules``, its handed-over data apart."""
        game = rules.game
        return (
            self.layout == rules.layout
            and self.no_moves == rules.no_moves
            and all(_alike(read(game, name), value) for name, value in self.baked.items())
            and all(kind_of(read(game, p.path)) == p.kind for p in self.passed if p.path)
            and all(_unchanged(*entry) for entry in self.globals)
        )


_kept: WeakKeyDictionary[type[Game], list[_Kept]] = WeakKeyDictionary()


class CompiledRules:
    """The rules of one game, compiled: an ``Expand`` for the engine.

    Attributes:
        rules: the hooks, in Python.
        words: 64-bit words a packed position takes.
        alternate: whether the players strictly alternate.
        scored: whether it is a score game.
        unknown: what stands for a value that is not known.
    """

    def __init__(self, rules: Rules, kept: _Kept) -> None:
        """Take the compiled kernel and hand it this game's data."""
        self.rules = rules
        self.words = rules.layout.words
        self.alternate = rules.alternate
        self.scored = rules.scored
        self.unknown = score.UNKNOWN if rules.scored else codes.UNKNOWN
        self._kept = kept
        self._data = [
            array
            for passed in kept.passed
            for array in arrays_of(
                read(rules.game, passed.path) if passed.path else passed.value, passed.kind
            )
        ]

    def __call__(  # one buffer each
        self,
        keys: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        children: npt.NDArray[np.uint64],
        ends: npt.NDArray[np.int32],
        values: npt.NDArray[Any],
        owners: npt.NDArray[np.uint8],
        gains: npt.NDArray[np.int64],
    ) -> tuple[int, int, int]:
        """Expand the positions ``begin`` to ``end``; see ``Expand``.

        Raises:
            CompileError: the rules cannot be compiled.
            RulesError: a rule raised an error.
        """
        try:
            result: tuple[int, int, int] = self._kept.loaded.expand(
                keys, begin, end, children, ends, values, owners, gains, *self._data
            )
        except numba.core.errors.NumbaError as error:
            raise translate(error, self.rules.name, self._kept.lines) from error
        except _RAISED as error:
            raise self._raised(keys, begin, end, error) from error
        return result

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions; only for games that have ``level``.

        Raises:
            CompileError: the rule cannot be compiled.
            RulesError: it raised an error.
        """
        try:
            self._kept.loaded.levels(packed, count, out, *self._data)
        except numba.core.errors.NumbaError as error:
            raise translate(error, self.rules.name, self._kept.lines) from error
        except _RAISED as error:
            raise self._raised(packed, 0, count, error) from error

    def explain(self, packed: npt.NDArray[np.uint64], status: int) -> Exception:
        """Return the error that says what is wrong with the rules at a packed position."""
        rules = self.rules
        position = rules.layout.unpack(packed)
        where = f"at {position!r}"
        try:
            rules.owner(position)
            rules.terminal(position)
            for move in rules.moves(position):
                rules.play(position, move)
        except RulesError as error:
            return error
        except Exception as error:  # noqa: BLE001  # whatever the author's rule raises
            return _from_rule(rules, position, error)
        hook = {
            FIELD_OVERFLOW: "play() gives a field past its range",
            BAD_OUTCOME: "the outcome is none of WIN, DRAW and LOSS",
            BAD_TURN: "turn() is neither 0 nor 1",
            ENDLESS_MOVES: "moves() does not end",
        }[status]
        message = (
            f"{rules.name}: {hook} {where} when compiled, but not in Python; keep whole numbers "
            "within 64 bits, and run zermelo check"
        )
        return RulesError(message)

    def _raised(
        self, keys: npt.NDArray[np.uint64], begin: int, end: int, error: Exception
    ) -> Exception:
        """Return the error that names the position at which a rule raised ``error``."""
        for number in range(begin, end):
            packed = keys[number * self.words : (number + 1) * self.words]
            found = self._replayed(packed)
            if found is not None:
                return found
        message = (
            f"the compiled rules of {self.rules.name} raised {type(error).__name__}: {error}, and "
            "the same rules in Python did not; run zermelo check"
        )
        return RulesError(message)

    def _replayed(self, packed: npt.NDArray[np.uint64]) -> Exception | None:
        rules = self.rules
        position = rules.layout.unpack(packed)
        try:
            rules.owner(position)
            if rules.terminal(position) is None:
                for move in rules.listed_moves(position):
                    rules.play(position, move)
                    rules.gain(position, move)
            if rules.scored:
                rules.final_score(position)
            if rules.has("level"):
                rules.level(position)
        except RulesError as found:
            return found
        except Exception as found:  # noqa: BLE001  # whatever the author's rule raises
            return _from_rule(rules, position, found)
        return None


def _from_rule(rules: Rules, position: Any, error: Exception) -> RulesError:
    frame = error.__traceback__
    hook = None
    while frame is not None:
        name = frame.tb_frame.f_code.co_name
        if frame.tb_frame.f_locals.get("self") is rules.game and hook is None:
            hook = name
        frame = frame.tb_next
    message = (
        f"{rules.name}.{hook or 'a rule'}() raised {type(error).__name__}: {error} at "
        f"{position!r}; rules must accept every position that can be reached"
    )
    return RulesError(message)


def compile_rules(game: Game) -> CompiledRules:
    """Compile the rules of a game, or find them compiled.

    Raises:
        RulesError: the class breaks the contract.
        CompileError: a rule uses what cannot be compiled.
    """
    kept = _kept.setdefault(type(game), [])
    for coarse in (False, True):
        rules = Rules(game, coarse=coarse)
        for known in kept:
            if known.serves(rules):
                return CompiledRules(rules, known)
    rules = Rules(game)
    made, module, loaded = _compiled(rules)
    if any(passed.path for passed in module.passed):
        rules = Rules(game, coarse=True)
        made, module, loaded = _compiled(rules)
    found = _Kept(
        rules.layout,
        int(rules.no_moves),
        made.baked,
        module.passed,
        made.globals,
        loaded,
        module.lines,
    )
    kept.append(found)
    return CompiledRules(rules, found)


def _compiled(rules: Rules) -> tuple[RuleSet | FunctionSet, Module, Any]:
    """Return the gathered rules, their module loaded but not run yet."""
    made = RuleSet(rules.game)
    try:
        module = write_module(rules, made)
    except NoSourceError:
        plain = FunctionSet(rules.game)
        return plain, *plain.load(rules)
    return made, module, load(module.text, rules.name, checked=bool(module.passed))


def _alike(now: Any, then: Any) -> bool:
    return type(now) is type(then) and bool(now == then)


def _unchanged(space: Any, key: str, then: Any) -> bool:
    now = space.get(key) if isinstance(space, dict) else _read(space, key)
    return bool(snapshot(now) == then or id(now) == then)


def _read(space: Any, key: str) -> Any:
    return getattr(space, key, None) if isinstance(space, type) else space.cell_contents
