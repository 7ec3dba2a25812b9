"""Compiled rules: from a game's class and parameters to an expansion kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import Any

import numba.core.errors
import numpy as np
import numpy.typing as npt

from zermelo._compile.generate.allocation import lacks_heap
from zermelo._compile.generate.module import write_module
from zermelo._compile.generate.nth_move import write_picking
from zermelo._compile.generate.passed_turns import write_passing
from zermelo._compile.generate.search import write_searching
from zermelo._compile.read.source import NoSourceError
from zermelo._compile.run.agreement_cache import has_saved_agreement, save_agreement
from zermelo._compile.run.cache import (
    COMPILED,
    COMPILED_MOVES,
    COMPILED_PASSES,
    COMPILED_SEARCHES,
    LOCK,
    Entry,
    entry_for,
)
from zermelo._compile.run.load import load, with_heap
from zermelo._compile.run.numba_errors import translate, used_none
from zermelo._compile.run.replay import error_from_rule, replay_error
from zermelo._compile.run.width import ARITHMETIC, width_error
from zermelo._engine.expand.expander import (
    BAD_OUTCOME,
    BAD_TURN,
    BAD_WEIGHT,
    ENDLESS_MOVES,
    FIELD_OVERFLOW,
    FULL,
    OK,
    TURN_FOLDED,
    TURN_KEPT,
    Buffers,
)
from zermelo._engine.expand.narrow import HEAD
from zermelo._engine.search.alpha_beta import FAULTY, OUTSIDE
from zermelo._engine.search.arrays import SearchArrays
from zermelo.errors import CompileError, RulesError
from zermelo.game.contract import Game
from zermelo.rules.actions import Element
from zermelo.rules.hooks import Rules
from zermelo.values.kind import Kind

#: The errors that compiled rules may raise.
_RAISED = (
    LookupError,
    ValueError,
    ZeroDivisionError,
    AssertionError,
    TypeError,
    *ARITHMETIC,
    StopIteration,
    MemoryError,
    RecursionError,
)


class TurnKeptError(RulesError):
    """A player moves twice, but symmetries that exchange the players are used."""


class CompiledRules:
    """The rules of one game, compiled: an ``Expand`` for the engine.

    They return positions unchanged, or, if ``folded``, only the canonical position of each class
    that is equivalent under symmetries or the author's ``canonical``.

    Attributes:
        rules: the hooks, in Python.
        words: 64-bit words of a packed position.
        used: the bits of a one-word packed position that may differ from 0.
        alternate: whether the players strictly alternate.
        kind: the kind of the values.
        elements: the symmetries in use, the identity first; empty without symmetries, or with the
            author's ``canonical``.
    """

    def __init__(
        self,
        rules: Rules,
        entry: Entry,
        elements: tuple[Element, ...] | None = None,
        kind: Kind | None = None,
        data_arrays: list[Any] | None = None,
    ) -> None:
        """Store the compiled kernels and this game's data.

        Args:
            rules: the hooks.
            entry: the compiled code.
            elements: canonicalise by these, or, if empty, by ``canonical``; with None, not at all.
            kind: the kind of the values; by default that of the rules.
            data_arrays: the game's data as arrays, if they have been computed.
        """
        self.rules = rules
        self.words = rules.layout.words
        self.used = rules.used
        self.elements = elements or ()
        self.is_folded = elements is not None
        exchanges_players = any(rules.turns_over(element) for element in self.elements)
        # If symmetries exchange the players, the stored turn would be that of an image. So the
        # turn must pass with each move, and is not stored.
        self.alternate = rules.alternate or exchanges_players
        self.kind = kind or rules.kind
        self._entry = entry
        if data_arrays is None:
            data_arrays = [
                part for argument in entry.data_arguments for part in argument.as_arrays(rules.game)
            ]
        self._data_arrays = data_arrays
        self._data = [*data_arrays]
        if rules.foldable:
            tables = np.zeros(0, np.uint64)
            if rules.group is not None and self.elements:
                tables = rules.group.code_tables(self.elements)
            header = np.full(int(self.is_folded), exchanges_players, np.uint64)
            self._data.append(np.concatenate([header, tables]))

    def kernels(self) -> AbstractContextManager[None]:
        """Return a context in which kernels scan all positions: compiled, as always."""
        return nullcontext()

    def __call__(
        self, keys: npt.NDArray[np.uint64], begin: int, end: int, out: Buffers
    ) -> tuple[int, int, int]:
        """Expand the positions ``begin`` to ``end``; see ``Expand``.

        Raises:
            CompileError: the rules cannot be compiled.
            RulesError: a rule raised an error.
        """
        arrays = out.arrays
        try:
            result: tuple[int, int, int] = self._run("expand", keys, begin, end, *arrays)
        except Exception as error:
            kernel = self._entry.loaded.expand
            if not kernel.overloads or isinstance(error, numba.core.errors.NumbaError):
                raise translate(error, self.rules.game, self._entry.source_map) from error
            self._check_types()
            if isinstance(error, _RAISED):

                def repeat(n: int) -> None:
                    self._run("expand", keys, n, n + 1, *arrays)

                raise self._raised(keys, begin, end, error, repeat) from error
            raise
        self._check_types()
        if self.kind is not self.rules.kind:
            self._translate(keys, begin, out.values[: result[0]])
        return result

    def narrow(
        self,
        state: npt.NDArray[np.int64],
        limits: npt.NDArray[np.int64],
        bounds: npt.NDArray[np.int64],
        buffers: Buffers,
        index: tuple[Any, ...],
        graph: tuple[Any, ...],
    ) -> None:
        """Expand layers as long as they are narrow; see ``_engine/expand/narrow.py``.

        It stops before a layer at which the rules raise an error, or break the contract.

        Raises:
            RulesError: a terminal position has no value of this kind.
        """
        head, keys, values = int(state[HEAD]), graph[0], graph[3]
        arrays = buffers.arrays
        with suppress(*_RAISED):
            self._run("narrow", state, limits, bounds, *arrays, *index, *graph)
        if self.kind is not self.rules.kind:
            self._translate(keys, head, values[head : int(state[HEAD])])

    def _translate(
        self, keys: npt.NDArray[np.uint64], begin: int, values: npt.NDArray[Any]
    ) -> None:
        """Convert the codes of the compiled rules to codes of this kind.

        Raises:
            RulesError: a terminal position has no value of this kind.
        """
        try:
            values[:] = self.kind.of_rules(values)
        except ValueError:
            for n in range(len(values)):
                try:
                    self.kind.of_rules(values[n : n + 1])
                except ValueError as error:
                    offset = (begin + n) * self.words
                    position = self.rules.layout.unpack(keys[offset : offset + self.words])
                    message = f"{self.rules.name} has no {self.kind.noun} at {position!r}: {error}"
                    raise RulesError(message) from None

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions; only for games with ``level``.

        Raises:
            CompileError: the rule cannot be compiled.
            RulesError: the rule raised an error.
        """
        self._run_checked("levels", packed, count, out)

    def level_of(
        self, packed: npt.NDArray[np.uint64], out: npt.NDArray[np.int64]
    ) -> Callable[[], object]:
        """Return a function that writes the level of the packed position in ``packed``.

        Args:
            packed: contains the position at each call; it must contain one now.
            out: receives its level.

        Raises:
            CompileError: the rule cannot be compiled.
            RulesError: the rule raised an error.
        """
        self.levels(packed, 1, out)
        return partial(self._entry.loaded.levels, packed, 1, out, *self._data)

    def legal(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.uint8]) -> None:
        """Write whether positions are legal.

        Only for games with ``legal``, with the errors of ``levels``.
        """
        self._run_checked("legal", packed, count, out)

    def endless(
        self, packed: npt.NDArray[np.uint64], count: int, owners: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int64]:
        """Return the points that the player to move gets for endless play; see ``Expand``.

        Raises:
            CompileError: the hook cannot be compiled.
            RulesError: the hook raised an error.
        """
        if self.rules.has_hook("endless"):
            points = np.empty(count, np.int64)
            self._run_checked("endless", packed, count, points)
            return points
        worth = self.rules.worth_of_endless
        if not worth:
            return np.empty(0, np.int64)
        return np.where(owners[:count] == 0, np.int64(worth), np.int64(-worth))

    def split(
        self,
        packed: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        out: npt.NDArray[np.uint64],
        ends: npt.NDArray[np.int32],
    ) -> tuple[int, int, int]:
        """Write the components of packed positions; only for games with ``split``.

        Args:
            packed: packed positions.
            begin: the index of the first position.
            end: the index after the last position.
            out: receives the components, packed, up to its capacity.
            ends: receives the end of each position's components.

        Returns:
            The number of positions split, the number of components, and a status as for expansions.

        Raises:
            CompileError: ``split`` cannot be compiled.
            RulesError: it raised an error, or yields an invalid position.
        """
        try:
            result: tuple[int, int, int] = self._run("split", packed, begin, end, out, ends)
        except numba.core.errors.NumbaError as error:
            raise translate(error, self.rules.game, self._entry.source_map) from error
        except _RAISED as error:

            def repeat(n: int) -> None:
                self._run("split", packed, n, n + 1, out, ends)

            raise self._raised(packed, begin, end, error, repeat) from error
        split_count, _, status = result
        if status not in (OK, FULL):
            raise self._raised(
                packed, begin + split_count, end, ValueError("a field past its range")
            )
        return result

    def has_moves(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.bool_]:
        """Return the mask of packed positions with moves; only for games with ``split``.

        Raises:
            CompileError: ``moves`` cannot be compiled.
            RulesError: it raised an error.
        """
        out = np.empty(count, np.bool_)
        self._run_checked("has_moves", packed, count, out)
        return out

    def with_move_numbers(self) -> CompiledRules | None:
        """Return the rules with ``chosen``, or None for rules without source."""
        return compile_moves(self.rules.game)

    def chosen(
        self,
        packed: npt.NDArray[np.uint64],
        move_numbers: npt.NDArray[np.int64],
        out: npt.NDArray[np.int64],
    ) -> None:
        """Write the whole numbers of one move of each position; skip those with the number -1.

        Args:
            packed: packed positions.
            move_numbers: the number of the move in each, in the order of ``moves``.
            out: receives equally many numbers for each position.

        Raises:
            CompileError: ``moves`` cannot be compiled, or moves are not whole numbers.
            RulesError: the rule raised an error.
        """
        self._run_checked("chosen", packed, len(move_numbers), move_numbers, out)

    def with_passed_turns(self) -> CompiledRules | None:
        """Return the rules with ``passed``, or None if ``pass_turn`` cannot be compiled."""
        return compile_passes(self.rules.game)

    def passed(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64] | None:
        """Return packed positions with the other player to move, or None if the hook fails.

        Args:
            packed: packed positions.
            count: the number of positions.
        """
        out = np.empty(count * self.words, np.uint64)
        try:
            written: int = self._run("passed", packed, count, out)
        except (numba.core.errors.NumbaError, *_RAISED):
            return None
        return out if written == count else None

    def search(self, walk: SearchArrays, quota: int) -> int:
        """Search from a position, for at most ``quota`` nodes; see ``_engine/search``.

        Args:
            walk: the state of the search, which names its kernel.
            quota: nodes after which to pause.

        Returns:
            The status when it stopped.

        Raises:
            CompileError: a rule cannot be compiled.
            RulesError: a rule raised an error, or breaks the contract.
        """
        try:
            status: int = self._run(walk.kernel, *walk.arrays, quota)
        except numba.core.errors.NumbaError as error:
            raise translate(error, self.rules.game, self._entry.source_map) from error
        except _RAISED as error:
            place = walk.place
            raise self._raised(walk.keys, place, place + 1, error) from error
        if status == FAULTY:
            offset = walk.place * self.words
            packed = walk.keys[offset : offset + self.words]
            if walk.error_code == OUTSIDE:
                position = self.rules.layout.unpack(packed)
                message = (
                    f"{self.rules.name}.play() gives a field past its range at {position!r}; widen "
                    "space()"
                )
                raise RulesError(message)
            raise self.explain(packed, walk.error_code)
        return status

    def _run_checked(
        self, name: str, packed: npt.NDArray[np.uint64], count: int, *arguments: Any
    ) -> Any:
        try:
            return self._run(name, packed, count, *arguments)
        except numba.core.errors.NumbaError as error:
            raise translate(error, self.rules.game, self._entry.source_map) from error
        except _RAISED as error:

            def repeat(n: int) -> None:
                self._run(name, packed[n * self.words : (n + 1) * self.words], 1, *arguments)

            raise self._raised(packed, 0, count, error, repeat) from error

    @property
    def agreed_keys(self) -> set[Any]:
        """The keys of parameters with which these rules agreed with Python."""
        return self._entry.agreed_keys

    def has_agreed(self, key: Any) -> bool:
        """Return whether the rules agreed with such parameters, in this process or in another."""
        if key not in self.agreed_keys and has_saved_agreement(self._entry, self.rules, key):
            self.agreed_keys.add(key)
        return key in self.agreed_keys

    def save_agreement(self, key: Any) -> None:
        """Save for other processes that the rules agreed.

        ``key`` must have equal texts in all.
        """
        save_agreement(self._entry, self.rules, key)

    def with_symmetries(self, elements: Iterable[Element] | None = None) -> CompiledRules:
        """Return the rules with canonical positions only.

        Args:
            elements: the symmetries to use, which must be a group; by default all of the game's.
        """
        if not self.rules.folding:
            whole = compile_rules(self.rules.game, misere=self.rules.misere)
            return whole.with_kind(self.kind).with_symmetries(elements)
        if elements is None:
            elements = self.rules.group.elements if self.rules.group is not None else ()
        return self._variant(tuple(elements), self.kind)

    def keeping_players(self) -> CompiledRules:
        """Return the rules with those symmetries that do not exchange the players."""
        return self.with_symmetries(e for e in self.elements if not self.rules.turns_over(e))

    def without_symmetries(self) -> CompiledRules:
        """Return the rules without symmetries."""
        return self._variant(None, self.kind)

    def with_kind(self, kind: Kind) -> CompiledRules:
        """Return the rules with another kind of values."""
        if kind is self.kind:
            return self
        return self._variant(self.elements if self.is_folded else None, kind)

    def _variant(self, elements: tuple[Element, ...] | None, kind: Kind) -> CompiledRules:
        return CompiledRules(self.rules, self._entry, elements, kind, self._data_arrays)

    def start_words(self) -> npt.NDArray[np.uint64]:
        """Return the packed starts, shape (k, words), canonicalised if these rules are."""
        starts = self.rules.start_words()
        return self.canonical(starts.reshape(-1), len(starts)).reshape(starts.shape)

    def canonical(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
        """Return the canonical forms of ``count`` packed positions.

        Raises:
            CompileError: ``canonical`` cannot be compiled.
            RulesError: it raised an error.
        """
        return self._fold(packed, count, np.empty(0, np.int64))

    def canonicaliser(self, packed: npt.NDArray[np.uint64]) -> Callable[[], object] | None:
        """Return a function that canonicalises the packed position in ``packed``.

        Args:
            packed: contains the position at each call, and its canonical form afterwards; it must
                contain a position now.

        Returns:
            The function, or None without symmetries.

        Raises:
            CompileError: ``canonical`` cannot be compiled.
            RulesError: it raised an error.
        """
        if not self.is_folded:
            return None
        self.canonical(packed, 1)
        no_counts = np.empty(0, np.int64)
        return partial(self._entry.loaded.fold, packed, 1, packed, no_counts, *self._data)

    def orbits(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.int64]:
        """Return the size of each canonical position's class."""
        fixed = np.empty(count, np.int64)
        self._fold(packed, count, fixed)
        sizes: npt.NDArray[np.int64] = max(len(self.elements), 1) // fixed
        return sizes

    def _fold(
        self, packed: npt.NDArray[np.uint64], count: int, fixed: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.uint64]:
        if not self.is_folded:
            fixed[:] = 1
            return packed
        out = np.empty(count * self.words, np.uint64)
        packed = np.ascontiguousarray(packed)
        self._run_checked("fold", packed, count, out, fixed)
        return out

    def _run(self, name: str, *arguments: Any) -> Any:
        """Call a kernel; if it needs a heap unexpectedly, compile it with one."""
        entry = self._entry
        try:
            return getattr(entry.loaded, name)(*arguments, *self._data)
        except numba.core.errors.NumbaError as error:
            if entry.module.heap or not lacks_heap(error):
                raise
        with LOCK:
            if not entry.module.heap:
                entry.module = with_heap(entry.module)
                entry.loaded = load(entry.module, entry.source_map)
        return self._run(name, *arguments)

    def _check_types(self) -> None:
        """Check once the types that Numba inferred for rules that were not rewritten."""
        if self._entry.unchecked is not None:
            self._entry.unchecked.check()
            self._entry.unchecked = None

    def explain(self, packed: npt.NDArray[np.uint64], status: int) -> Exception:
        """Return the error that describes how the rules break the contract at a packed position."""
        rules = self.rules
        position = rules.layout.unpack(packed)
        location = f"at {position!r}"
        if status == TURN_KEPT:
            message = f"{rules.name}: a player moves twice {location}, so sides cannot be exchanged"
            return TurnKeptError(message)
        try:
            rules.owner(position)
            rules.terminal(position)
            for move in rules.moves(position):
                child = rules.play(position, move)
                if self.is_folded and rules.has_hook("canonical"):
                    rules.canonical(child)
        except RulesError as error:
            return error
        except Exception as error:  # noqa: BLE001  # whatever the author's rule raises
            return error_from_rule(rules, position, error)
        problem = {
            FIELD_OVERFLOW: "play() gives a field past its range",
            BAD_OUTCOME: "the outcome is not WIN, DRAW or LOSS",
            BAD_TURN: "turn() is neither 0 nor 1",
            ENDLESS_MOVES: "moves() does not end",
            TURN_FOLDED: "canonical() changes whose turn it is",
            BAD_WEIGHT: "a weight of chance() is not from 1 on, or their sum is too great",
        }[status]
        message = (
            f"{rules.name}: {problem} {location} when compiled, but not in Python; keep whole "
            "numbers within 64 bits, and run zermelo check"
        )
        return RulesError(message)

    def error_at(self, position: Any) -> Exception | None:
        """Return the error that a rule raises at a position in Python, or None."""
        layout = self.rules.layout
        return replay_error(self.rules, layout.unpack(layout.pack(position)))

    def _raised(
        self,
        keys: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        error: Exception,
        repeat: Callable[[int], object] | None = None,
    ) -> Exception:
        """Return the error that names the position at which a rule raised ``error``.

        Args:
            keys: packed positions.
            begin: the index of the first position that was being processed.
            end: the index after the last.
            error: the error.
            repeat: repeats the failed call for one position; None if there is only one.
        """
        for number in range(begin, end):
            packed = keys[number * self.words : (number + 1) * self.words]
            replayed = replay_error(self.rules, self.rules.layout.unpack(packed))
            if replayed is not None:
                return replayed
        if isinstance(error, MemoryError):
            return error
        use_of_none = used_none(error)
        if use_of_none is not None:
            message = f"the compiled rules of {self.rules.name} {use_of_none[0]}; {use_of_none[1]}"
            return RulesError(message)
        if isinstance(error, ARITHMETIC):
            raised, position = error, None
            for n in range(begin, end):
                try:
                    if repeat is not None:
                        repeat(n)
                except ARITHMETIC as repeated:
                    packed = keys[n * self.words : (n + 1) * self.words]
                    raised, position = repeated, self.rules.layout.unpack(packed)
                    break
            return width_error(self.rules.name, self._entry.source_map, raised, position)
        message = (
            f"the compiled rules of {self.rules.name} raised {type(error).__name__}: {error}, and "
            "the same rules in Python did not; run zermelo check"
        )
        return RulesError(message)


def compile_rules(game: Game, *, misere: bool = False, folding: bool = True) -> CompiledRules:
    """Return the compiled rules of a game, from the cache if possible.

    Args:
        game: the game.
        misere: whether a player who cannot move wins, though the class says that they lose.
        folding: whether symmetries may be used; without, the rules run without the code for images,
            which costs a quarter even if it is not used.

    Raises:
        RulesError: the class breaks the contract.
        CompileError: a rule uses what cannot be compiled.
        ParameterError: misère play does not suit this game.
    """
    rules = Rules(game, misere=misere, folding=folding)
    return CompiledRules(rules, entry_for(rules, COMPILED, write_module))


def compile_search(game: Game) -> CompiledRules:
    """Compile the search kernels of a game, for use by ``search`` only.

    Raises:
        RulesError: the class breaks the contract.
        CompileError: a rule uses a form that cannot be compiled, or has no source.
    """
    try:
        rules = Rules(game)
        return CompiledRules(rules, entry_for(rules, COMPILED_SEARCHES, write_searching))
    except NoSourceError as error:
        message = (
            f"the rules of {type(game).__name__} have no source, so no search can be compiled from "
            "them; write the class to a file and import it"
        )
        raise CompileError(message) from error


def compile_moves(game: Game) -> CompiledRules | None:
    """Compile the kernel that writes chosen moves, for use by ``chosen`` only.

    Returns:
        The rules, or None for rules without source.
    """
    try:
        rules = Rules(game)
        return CompiledRules(rules, entry_for(rules, COMPILED_MOVES, write_picking))
    except NoSourceError:
        return None


def compile_passes(game: Game) -> CompiledRules | None:
    """Compile the kernel that passes the turn, for use by ``passed`` only.

    Returns:
        The rules, or None if ``pass_turn`` has no source or cannot be compiled.
    """
    try:
        rules = Rules(game)
        return CompiledRules(rules, entry_for(rules, COMPILED_PASSES, write_passing))
    except (NoSourceError, CompileError):
        return None
