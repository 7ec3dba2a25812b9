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
from zermelo._compile.run.load import load, remembered
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
    chunks: tuple[Chunk, ...] | None
    baked: dict[str, Any]
    passed: tuple[DataArgument, ...]
    watch: ReadGlobals
    module: Module
    loaded: Any
    places: SourceMap
    unproved: FunctionSet | None
    compared: set[Any] = field(default_factory=set)

    def serves(self, rules: Rules) -> bool:
        """Whether these compiled rules are valid for ``rules``, with other data arguments."""
        game = rules.game
        return (
            self.layout == rules.layout
            and self.no_moves == rules.no_moves
            and self.chunks == _chunks(rules)
            and all(_reads(game, path, value) for path, value in self.baked.items())
            and all(passed.fits(game) for passed in self.passed)
            and self.watch.unchanged()
        )


#: The most kernels of one class with numbers of the game written into their code; if another is
#: needed, the numbers are passed as data, and it serves all further games.
MOST_BAKED = 3

#: The compiled kernels of each class: those of rules, of chosen moves, and of searches.
Registry: TypeAlias = WeakKeyDictionary[type[Game], list[Entry]]
COMPILED: Registry = WeakKeyDictionary()
COMPILED_MOVES: Registry = WeakKeyDictionary()
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
        for known in entries:
            if known.serves(rules):
                return known
        found = _compiled(rules, write, general=len(entries) >= MOST_BAKED)
        entries.append(found)
        return found


def _compiled(rules: Rules, write: Callable[[Rules, Any], Module], *, general: bool) -> Entry:
    """Return the rules of a game, to be compiled at the first call."""
    game = rules.game
    places = SourceMap()
    gathered = rule_set(game, rules.layout, general=general)
    made: RuleSet | FunctionSet = gathered
    try:
        module = remembered(_faultless(rules, gathered, write))
        loaded = load(module, places)
        places.operations = gathered.operations
    except NoSourceError:
        if write is not write_module:
            raise
        made = FunctionSet(game, places)
        module, loaded = made.load(rules)
    return Entry(
        rules.layout,
        int(rules.no_moves),
        _chunks(rules),
        made.baked,
        module.passed,
        made.watch,
        module,
        loaded,
        places,
        made if isinstance(made, FunctionSet) else None,
    )


def _faultless(rules: Rules, made: RuleSet, write: Callable[[Rules, Any], Module]) -> Module:
    """Return the module for a game's rules.

    Raises:
        CompileError: they use forms that cannot be compiled; the first one, with all others.
    """
    try:
        module = write(rules, made)
    except CompileError as error:
        raise CompileError.of([*made.faults, *error.faults]) from None
    if made.faults:
        raise CompileError.of(made.faults)
    return module


def _chunks(rules: Rules) -> tuple[Chunk, ...] | None:
    """Return the chunks of declared symmetries in the code; None without symmetries."""
    if not rules.foldable:
        return None
    return () if rules.group is None else rules.group.chunks


def _reads(game: Game, path: str, before: Any) -> bool:
    try:
        now = read_attribute(game, path)
    except UnfitError:
        return False
    return type(now) is type(before) and bool(now == before)
