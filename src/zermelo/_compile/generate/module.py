"""The generated module: a game's rules and the kernels that run them over positions."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from zermelo._compile.generate import canonical, hook_kernels, split_kernels
from zermelo._compile.generate.allocation import uses_heap
from zermelo._compile.generate.canonical import IMAGES
from zermelo._compile.generate.data_arguments import pass_data_arguments
from zermelo._compile.generate.enum_comparisons import EnumComparisons, is_enum
from zermelo._compile.generate.packing import POSITION, packing_lines, shape_lines
from zermelo._compile.generate.recursion import limit_recursion
from zermelo._compile.read.marshalling import DataArgument
from zermelo._compile.read.source import Source
from zermelo._compile.read.source_map import SourceLine
from zermelo._engine.expand.expander import (
    BAD_OUTCOME,
    BAD_TURN,
    ENDLESS_MOVES,
    FULL,
    OK,
)
from zermelo._engine.expand.narrow import END, HEAD
from zermelo.game.records import names_of
from zermelo.rules.hooks import MOST_MOVES, Rules
from zermelo.rules.layout import Layout

#: The functions of a generated module that are called from Python.
KERNELS = (
    "expand",
    "narrow",
    "levels",
    "legal",
    "endless",
    "fold",
    "chosen",
    "split",
    "search",
    "prove",
    "part",
)

_HEADER = '''"""The rules of {name}, compiled by Zermelo."""

from collections import namedtuple
from numba import int64, uint64
from zermelo._compile.support import runtime as _z
from zermelo._engine.expand import narrow as _x

# Data: {data}
_z_rule = _z.part(error_model="python", boundscheck=True, heap=HEAP)
{records}
'''

_HEAP = "HEAP"

_EMIT = """
@_z_rule
def _z_emit(data, position, children, gains, room, at, move):
{child}
{folded}
    if at < room:
{words}
{gain}
    elif at - room > {most}:
        return {endless}
    return at + 1
"""

_EMIT_LISTED = """

@_z_rule
def {emit}_{hook}(data, _, children, gains, room, at, position):
    for move in {listed}(data, position):  #: {hook}
        at = {emit}(data, position, children, gains, room, at, move)
        if at < 0:
            return at
    return at
"""

_EXPAND = """
def expand(keys, begin, end, children, ends, values, owners, gains{arguments}):
    data = {data}
    room = children.size // {count}
    at = int64(0)
    for i in range(begin, end):
        position = {position}
{terminal}
        after = {moves}
        if after < 0:
            return i - begin, at, -after
        if after > room:
            return i - begin, at, {full}
        values[i - begin] = {dead_end} if after == at else {unknown}{mark}
        ends[i - begin] = after
        at = after
    return end - begin, at, {ok}
"""


#: Expands layers in turn and numbers their children, as long as layers are narrow. If the rules
#: break the contract it stops before the layer, and ``expand`` reports the error.
_NARROW = """
def narrow(
    state, limits, bounds, children, ends, values, owners, gains, table, places, used,
    keys, first, edges, stored, turns, points{arguments}
):
    layer = (children, ends, values, owners, gains)
    index = (table, places, used)
    graph = (keys, first, edges, stored, turns, points)
    while _x.is_narrow_layer(state, bounds, children, {count}, limits):
        _, made, status = expand(
            keys, state[{head}], state[{end}], children, ends, values, owners, gains{arguments}
        )
        if status != {ok}:
            return
        if not _x.append(state, bounds, made, {count}, layer, index, graph):
            return
"""


class MadeRules(Protocol):
    """A game's rules as functions with generated names.

    Attributes:
        functions: the functions of the module, by name.
        records: the NamedTuple classes the rules create, by generated name.
        replacers: the fields that ``_replace`` is called with, by generated name.
        getters: functions that read a property of one class that is a field of another, by name.
        passed: the data arguments, by name.
        fields: expressions for other values that the rules read off the game, by name.
    """

    functions: dict[str, tuple[ast.FunctionDef, Source]]
    records: dict[str, type]
    replacers: dict[str, tuple[str, ...]]
    getters: dict[str, tuple[str, str]]
    passed: dict[str, DataArgument]
    fields: dict[str, str]

    def method(self, hook: str) -> str:
        """Include a hook and return its generated name."""

    def emitting(self, hook: str, emit: str) -> str:
        """Include a hook so that ``emit`` is called for each item, or return ""."""

    def hook_location(self, hook: str) -> SourceLine:
        """Return the source location of a hook."""

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""


@dataclass
class Module:
    """A generated module that is not loaded yet.

    Attributes:
        name: the name of the game's class.
        header: the begin of its text.
        functions: the author's functions, rewritten.
        kernel: the end of its text.
        template: the functions of the kernel's text, which pass each rule the data it reads; empty
            if there are no functions before.
        passed: the data arguments, in order.
        lines: the source locations of the lines of the kernel.
        heap: whether rules may allocate memory that must be freed; see ``heap``.
    """

    name: str
    header: str
    functions: list[tuple[ast.FunctionDef, Source]]
    kernel: str
    passed: tuple[DataArgument, ...]
    lines: dict[int, SourceLine] = field(default_factory=dict)
    heap: bool = True
    template: list[ast.FunctionDef] = field(default_factory=list)

    @cached_property
    def text(self) -> str:
        """The whole text, by which compiled code is cached."""
        functions = (ast.unparse(ast.fix_missing_locations(tree)) for tree, _ in self.functions)
        return "\n\n\n".join([self.head, *functions, self.kernel])

    @property
    def head(self) -> str:
        """The header, completed with whether there is a heap."""
        return self.header.replace(_HEAP, str(self.heap))


def write_module(rules: Rules, made: MadeRules) -> Module:
    """Return the module for a game's rules.

    Args:
        rules: the hooks.
        made: the rules' functions; the hooks are included here.
    """
    parts = Parts(rules, made)
    folding = canonical.canonical_parts(rules, made)
    emit, expand = parts.emit(folding), parts.expand()
    asked = parts.hook_kernels()
    folds = folding.kernel(*parts.data()) if folding is not None else ""
    early = folding.early if folding is not None else ""
    if rules.has_hook("split"):
        early += split_kernels.part_of()
    kernel = early + emit + parts.listed + "\n" + expand + asked + folds
    return module_of(rules, made, kernel)


def module_of(rules: Rules, made: MadeRules, kernel: str) -> Module:
    """Return a module with this kernel, after all rules have been included."""
    packing = shape_lines(rules.layout, made, parted=rules.has_hook("split"))
    header = _HEADER.format(
        name=rules.name,
        data=", ".join(f"{passed.name} {passed.shape}" for passed in made.passed.values()),
        records="\n".join(_definitions(rules, made)) + packing,
    )
    lines = {
        number: made.hook_location(line.partition("#: ")[2])
        for number, line in enumerate(kernel.splitlines(), 1)
        if "#: " in line
    }
    passed = tuple(made.passed.values())
    functions = list(limit_recursion(made.functions).values())
    if any(map(is_enum, made.records.values())):
        functions = [(EnumComparisons().visit(tree), source) for tree, source in functions]
    heap = not functions or uses_heap(tree for tree, _ in functions)
    template: list[ast.FunctionDef] = []
    if functions:
        template = [part for part in ast.parse(kernel).body if isinstance(part, ast.FunctionDef)]
        pass_data_arguments(
            {tree.name: tree for tree in (*(t for t, _ in functions), *template)}, KERNELS
        )
    return Module(rules.name, header, functions, kernel, passed, lines, heap, template)


def _definitions(rules: Rules, made: MadeRules) -> Iterable[str]:
    for label, kind in made.records.items():
        make = "_z.enum_record" if is_enum(kind) else "namedtuple"
        yield f"{label} = {make}({kind.__name__!r}, {names_of(kind)!r})"
    for label, names in made.replacers.items():
        yield f"{label} = _z.replacer({names!r})"
    for label, (record, attribute) in made.getters.items():
        yield f"{label} = _z.getter({record}, {attribute!r})"
    images = (IMAGES,) if rules.foldable else ()
    if made.passed or made.fields or images:
        yield f"Data = namedtuple('Data', {(*made.fields, *made.passed, *images)!r})"


#: The error message if turn() returns something else than a number.
_TURN_FAULT = '"returns|return 0 or 1"'


class Parts:
    """The functions of the template, completed for one game."""

    def __init__(self, rules: Rules, made: MadeRules) -> None:
        self.rules = rules
        self.made = made
        self.layout: Layout = rules.layout
        self.listed = ""
        self._named: dict[tuple[str, str], str] = {}

    def emit(self, folding: canonical.Folding | None) -> str:
        """Return the function that plays a move and packs the child."""
        played = f"{self.made.method('play')}(data, position, move)"
        gain = "        pass"
        if self.rules.kind.gains:
            points = "0"
            if self.rules.has_hook("gain"):
                gained = f"{self.made.method('gain')}(data, position, move)"
                points = f'_z.points({gained}, "returns|return a whole number")  #: gain'
            gain = f"        gains[at] = {points}"
        return _EMIT.format(
            child="\n".join(f"    {line}" for line in packing_lines(played, "play")),
            folded="\n".join(folding.child) if folding is not None else "    pass",
            words="\n".join(canonical.store_lines(folding)),
            gain=gain,
            most=MOST_MOVES,
            endless=-ENDLESS_MOVES,
        )

    def expand(self) -> str:
        """Return the ``expand`` kernel, and ``narrow``, which calls it for many narrow layers."""
        moves, dead_end = self._moves(), self._dead_end()
        terminal = "\n".join(f"        {line}" for line in self._terminal())
        for hook in ("level", "legal", "endless"):
            if self.rules.has_hook(hook):
                self.made.method(hook)
        if self.rules.has_hook("split"):
            self.item_loop("split", split_kernels.EMIT)
        arguments, data = self.data()  # complete, as all rules are included
        narrow = _NARROW.format(
            arguments=arguments, count=self.layout.words, head=HEAD, end=END, ok=OK
        )
        expand = _EXPAND.format(
            arguments=arguments,
            data=data,
            count=self.layout.words,
            position=POSITION,
            terminal=terminal,
            moves=moves,
            full=FULL,
            ok=OK,
            unknown=self.rules.kind.unknown,
            dead_end=dead_end,
            mark="  #: score" if self.rules.has_hook("score") else "",
        )
        return expand + narrow

    def hook_kernels(self) -> str:
        """Return the kernels that call one hook for many positions."""
        arguments, data = self.data()
        text = ""
        for hook in ("level", "legal", "endless"):
            if self.rules.has_hook(hook):
                text += hook_kernels.hook_kernel(
                    hook, self.made.method(hook), POSITION, arguments, data
                )
        if self.rules.has_hook("split"):
            split = self.item_loop("split", split_kernels.EMIT)
            text += split_kernels.split_of(self.layout, split, POSITION, arguments, data)
        return text

    def data(self) -> tuple[str, str]:
        """Return the data arguments, and the expression that combines them."""
        arguments = ""
        values = list(self.made.fields.values())
        for passed in self.made.passed.values():
            names = [f"{passed.name}_{n}" for n in range(passed.arrays)]
            arguments += "".join(f", {name}" for name in names)
            values.append(passed.shape.rebuild_expression(names, self.made.record))
        if self.rules.foldable:
            arguments += f", {IMAGES}"
            values.append(IMAGES)
        return arguments, f"Data({', '.join(values)})" if values else "()"

    def _moves(self) -> str:
        function = self.item_loop("moves", "_z_emit")
        return f"{function}(data, position, children, gains, room, at, position)  #: moves"

    def item_loop(self, hook: str, emit: str) -> str:
        """Return the name of the function that calls ``emit`` for each item of a hook."""
        if (hook, emit) not in self._named:
            named = self.made.emitting(hook, emit)
            if not named:
                listed = self.made.method(hook)
                self.listed += _EMIT_LISTED.format(emit=emit, listed=listed, hook=hook)
                named = f"{emit}_{hook}"
            self._named[hook, emit] = named
        return self._named[hook, emit]

    def _terminal(self) -> list[str]:
        """Return the lines that determine the player to move and whether the game is over."""
        lines = []
        rules, method = self.rules, self.made.method
        if not rules.alternate:
            lines += [
                f"turn = _z.whole({method('turn')}(data, position), {_TURN_FAULT})  #: turn",
                "if turn != 0 and turn != 1:",
                f"    return i - begin, at, {BAD_TURN}",
                "if owners.size > 0:",
                "    owners[i - begin] = turn",
            ]
        hook = next((h for h in ("outcome", "winner") if rules.has_hook(h)), None)
        if hook is None:
            return lines
        lines += [f"over = {method(hook)}(data, position)  #: {hook}", "if _z.given(over):"]
        choice = {"outcome": "WIN, DRAW, LOSS or None", "winner": "0, 1, NOBODY or None"}[hook]
        lines.append(f'    result = _z.inside(over, "returns|return {choice}")  #: {hook}')
        if rules.kind.gains:
            mark = "  #: score" if rules.has_hook("score") else ""
            lines += [
                "    if -1 <= result <= 1:",
                f"        values[i - begin] = {self._final_score()}{mark}",
            ]
        else:
            won, tie, lost = (rules.kind.terminal(n) for n in (1, 0, -1))
            cases = (
                [("1", won), ("0", tie), ("-1", lost)]
                if hook == "outcome"
                else [("-1", tie), ("turn", won), ("1 - turn", lost)]
            )
            for n, (case, code) in enumerate(cases):
                word = "elif" if n else "if"
                lines += [f"    {word} result == {case}:", f"        values[i - begin] = {code}"]
        lines += ["    else:", f"        return i - begin, at, {BAD_OUTCOME}"]
        return [*lines, "    ends[i - begin] = at", "    continue"]

    def _dead_end(self) -> str:
        if self.rules.kind.gains:
            return self._final_score()
        return str(self.rules.kind.terminal(self.rules.no_moves))

    def _final_score(self) -> str:
        if not self.rules.has_hook("score"):
            return "0"
        scored = f"{self.made.method('score')}(data, position)"
        return f'_z.points({scored}, "returns|return a whole number")'
