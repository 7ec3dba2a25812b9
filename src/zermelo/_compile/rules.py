"""Compiled rules: a game's class and parameters in, an expansion kernel out."""

from __future__ import annotations

from dataclasses import dataclass
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

import numba.core.errors
import numpy as np
import numpy.typing as npt

from zermelo._compile.bytecode import FunctionSet
from zermelo._compile.load import load
from zermelo._compile.module import write_module
from zermelo._compile.names import Passed, UnfitError, read
from zermelo._compile.places import Places
from zermelo._compile.ruleset import RuleSet
from zermelo._compile.source import NoSourceError
from zermelo._compile.translate import translate
from zermelo._compile.watch import Watch
from zermelo._engine import codes, score
from zermelo._engine.explore import (
    BAD_OUTCOME,
    BAD_TURN,
    ENDLESS_MOVES,
    FIELD_OVERFLOW,
)
from zermelo.errors import RulesError
from zermelo.game import Game
from zermelo.positions import Layout, used_bits
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
    watch: Watch
    loaded: Any
    places: Places
    unproved: FunctionSet | None

    def serves(self, rules: Rules) -> bool:
        """Whether these rules are those of ``rules``, its handed-over data apart."""
        game = rules.game
        return (
            self.layout == rules.layout
            and self.no_moves == rules.no_moves
            and all(_reads(game, path, value) for path, value in self.baked.items())
            and all(passed.fits(game) for passed in self.passed)
            and self.watch.unchanged()
        )


#: So many kernels of one class may have numbers of the game written into their code; when yet
#: another is needed, the numbers are handed over, and it serves all further games.
MOST_BAKED = 3

_kept: WeakKeyDictionary[type[Game], list[_Kept]] = WeakKeyDictionary()
_lock = RLock()


class CompiledRules:
    """The rules of one game, compiled: an ``Expand`` for the engine.

    Attributes:
        rules: the hooks, in Python.
        words: 64-bit words a packed position takes.
        used: the bits of a packed position that may differ from 0, where it is one word.
        alternate: whether the players strictly alternate.
        scored: whether it is a score game.
        unknown: what stands for a value that is not known.
    """

    def __init__(self, rules: Rules, kept: _Kept) -> None:
        """Take the compiled kernel and hand it this game's data."""
        self.rules = rules
        self.words = rules.layout.words
        self.used = used_bits(rules.game, rules.layout)
        self.alternate = rules.alternate
        self.scored = rules.scored
        self.unknown = score.UNKNOWN if rules.scored else codes.UNKNOWN
        self._kept = kept
        self._data = [part for passed in kept.passed for part in passed.handed(rules.game)]

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
        kernel = self._kept.loaded.expand
        try:
            result: tuple[int, int, int] = kernel(
                keys, begin, end, children, ends, values, owners, gains, *self._data
            )
        except MemoryError:
            raise
        except Exception as error:
            if not kernel.overloads or isinstance(error, numba.core.errors.NumbaError):
                raise translate(error, self.rules.game, self._kept.places) from error
            self._prove()
            if isinstance(error, _RAISED):
                raise self._raised(keys, begin, end, error) from error
            raise
        self._prove()
        return result

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions; only for games that have ``level``.

        Raises:
            CompileError: the rule cannot be compiled.
            RulesError: it raised an error.
        """
        kernel = self._kept.loaded.levels
        try:
            kernel(packed, count, out, *self._data)
        except numba.core.errors.NumbaError as error:
            raise translate(error, self.rules.game, self._kept.places) from error
        except _RAISED as error:
            raise self._raised(packed, 0, count, error) from error

    def _prove(self) -> None:
        """Look once at what Numba made of rules that were not rewritten."""
        if self._kept.unproved is not None:
            self._kept.unproved.check()
            self._kept.unproved = None

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
    hook, where = None, ""
    while frame is not None:
        code = frame.tb_frame.f_code
        if frame.tb_frame.f_locals.get("self") is rules.game:
            hook = hook or code.co_name
        if hook is not None and frame.tb_frame.f_globals.get("__name__") != Game.__module__:
            where = f" ({code.co_filename}:{frame.tb_lineno})"
        frame = frame.tb_next
    message = (
        f"{rules.name}.{hook or 'a rule'}() raised {type(error).__name__}: {error} at "
        f"{position!r}{where}; rules must accept every position that can be reached"
    )
    return RulesError(message)


def compile_rules(game: Game) -> CompiledRules:
    """Compile the rules of a game, or find them compiled.

    Raises:
        RulesError: the class breaks the contract.
        CompileError: a rule uses what cannot be compiled.
    """
    with _lock:
        kept = _kept.setdefault(type(game), [])
        rules = Rules(game)
        for known in kept:
            if known.serves(rules):
                return CompiledRules(rules, known)
        found, rules = _compiled(game, general=len(kept) >= MOST_BAKED)
        kept.append(found)
        return CompiledRules(rules, found)


def _compiled(game: Game, *, general: bool) -> tuple[_Kept, Rules]:
    """Return the rules of a game, ready to be compiled when they are first run."""
    rules = Rules(game)
    places = Places()
    made: RuleSet | FunctionSet = RuleSet(game, general=general)
    try:
        module = write_module(rules, made)
        loaded = load(module, places)
    except NoSourceError:
        made = FunctionSet(game, places)
        module, loaded = made.load(rules)
    kept = _Kept(
        rules.layout,
        int(rules.no_moves),
        made.baked,
        module.passed,
        made.watch,
        loaded,
        places,
        made if isinstance(made, FunctionSet) else None,
    )
    return kept, rules


def _reads(game: Game, path: str, before: Any) -> bool:
    try:
        now = read(game, path)
    except UnfitError:
        return False
    return type(now) is type(before) and bool(now == before)
