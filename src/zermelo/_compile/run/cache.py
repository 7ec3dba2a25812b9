"""The rules compiled in this process, and whether they serve another game of the class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from zermelo._compile.generate.module import Module, write_module
from zermelo._compile.read.constants import UnfitError, read_attribute
from zermelo._compile.read.marshalling import DataArgument
from zermelo._compile.read.read_globals import ReadGlobals
from zermelo._compile.read.source import NoSourceError
from zermelo._compile.read.source_map import SourceMap
from zermelo._compile.rewrite.rewriter import rule_set
from zermelo._compile.rewrite.ruleset import RuleSet
from zermelo._compile.run.load import load, with_known_heap
from zermelo._compile.run.sourceless import FunctionSet
from zermelo.errors import CompileError
from zermelo.game.contract import Game
from zermelo.rules.hooks import Rules
from zermelo.rules.layout import Layout
from zermelo.rules.orbits import Chunk


@dataclass
class Entry:
    """Compiled rules of one class, with the conditions under which they can be reused.

    ``agreed_keys`` has the keys of parameters with which they agreed with Python.
    """

    layout: Layout
    no_moves: int
    image_parts: tuple[tuple[int, ...], tuple[Chunk, ...]] | None
    inlined_values: dict[str, Any]
    data_arguments: tuple[DataArgument, ...]
    read_globals: ReadGlobals
    module: Module
    loaded: Any
    source_map: SourceMap
    unchecked: FunctionSet | None
    agreed_keys: set[Any] = field(default_factory=set)

    def serves(self, rules: Rules) -> bool:
        """Return whether these compiled rules serve ``rules``, with other data arguments."""
        game = rules.game
        return (
            self.layout == rules.layout
            and self.no_moves == rules.no_moves
            and self.image_parts == _image_parts(rules)
            and all(_reads(game, path, value) for path, value in self.inlined_values.items())
            and all(argument.fits(game) for argument in self.data_arguments)
            and self.read_globals.are_unchanged()
        )


#: The most kernels of one class with numbers of the game written into their code; if another is
#: needed, the numbers are passed as data, and it serves all further games.
MOST_INLINED = 3

#: The compiled kernels of each class: those of rules, chosen moves, passed turns, and searches.
Registry: TypeAlias = WeakKeyDictionary[type[Game], list[Entry]]
COMPILED: Registry = WeakKeyDictionary()
COMPILED_MOVES: Registry = WeakKeyDictionary()
COMPILED_PASSES: Registry = WeakKeyDictionary()
COMPILED_SEARCHES: Registry = WeakKeyDictionary()
LOCK = RLock()


def entry_for(rules: Rules, registry: Registry, write: Callable[[Rules, Any], Module]) -> Entry:
    """Return compiled code that serves these rules, compiling it if necessary.

    Args:
        rules: the rules of a game.
        registry: the cache.
        write: generates the module.

    Raises:
        NoSourceError: the rules have no source, and ``write`` requires it.
    """
    with LOCK:
        entries = registry.setdefault(type(rules.game), [])
        for entry in entries:
            if entry.serves(rules):
                return entry
        entry = _compiled(rules, write, general=len(entries) >= MOST_INLINED)
        entries.append(entry)
        return entry


def _compiled(rules: Rules, write: Callable[[Rules, Any], Module], *, general: bool) -> Entry:
    """Return the rules of a game, to be compiled at the first call."""
    game = rules.game
    source_map = SourceMap()
    rewritten = rule_set(game, rules.layout, general=general)
    functions: RuleSet | FunctionSet = rewritten
    try:
        module = with_known_heap(_module_without_faults(rules, rewritten, write))
        kernels = load(module, source_map)
        source_map.operations = rewritten.operations
    except NoSourceError:
        if write is not write_module:
            raise
        functions = FunctionSet(game, source_map)
        module, kernels = functions.load(rules)
    return Entry(
        rules.layout,
        int(rules.no_moves),
        _image_parts(rules),
        functions.inlined_values,
        module.data_arguments,
        functions.read_globals,
        module,
        kernels,
        source_map,
        functions if isinstance(functions, FunctionSet) else None,
    )


def _module_without_faults(
    rules: Rules, rule_set: RuleSet, write: Callable[[Rules, Any], Module]
) -> Module:
    """Return the module for a game's rules.

    Raises:
        CompileError: they use forms that cannot be compiled; the first one, with all others.
    """
    try:
        module = write(rules, rule_set)
    except CompileError as error:
        raise CompileError.of([*rule_set.faults, *error.faults]) from None
    if rule_set.faults:
        raise CompileError.of(rule_set.faults)
    return module


def _image_parts(rules: Rules) -> tuple[tuple[int, ...], tuple[Chunk, ...]] | None:
    """Return the slots and chunks that the code of images names; None without symmetries."""
    if not rules.foldable:
        return None
    group = rules.group
    return ((), ()) if group is None else (group.shifted_slots, group.other_chunks)


def _reads(game: Game, path: str, old_value: object) -> bool:
    try:
        new_value = read_attribute(game, path)
    except UnfitError:
        return False
    return type(new_value) is type(old_value) and bool(new_value == old_value)
