"""The generated module: a game's rules and the kernels that run them over positions."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from zermelo._compile.generate import canonical, chance, hook_kernels, split_kernels
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
from zermelo.values.expectations import CHANCE, KEEPS

#: The functions of a generated module that are called from Python.
KERNELS = (
    "expand",
    "narrow",
    "levels",
    "legal",
    "endless",
    "fold",
    "chosen",
    "passed",
    "split",
    "has_moves",
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
def _z_emit(data, position, children, gains, capacity, index, move):
{child}
{folded}
    if index < capacity:
{words}
{gain}
    elif index - capacity > {most}:
        return {endless}
    return index + 1
"""

_EMIT_LISTED = """

@_z_rule
def {emit}_{hook}(data, _, children, gains, capacity, index, position):
    for move in {listed}(data, position):  #: {hook}
        index = {emit}(data, position, children, gains, capacity, index, move)
        if index < 0:
            return index
    return index
"""

_EXPAND = """
def expand(keys, begin, end, children, ends, values, owners, gains{arguments}):
    data = {data}
    capacity = children.size // {count}
    index = int64(0)
    for i in range(begin, end):
        position = {position}
{terminal}
{moves}
        if next_index < 0:
            return i - begin, index, -next_index
        if next_index > capacity:
            return i - begin, index, {full}
        values[i - begin] = {dead_end} if next_index == index else {unknown}{mark}
        ends[i - begin] = next_index
        index = next_index
    return end - begin, index, {ok}
"""


#: Expands layers in turn and numbers their children, as long as layers are narrow. If the rules
#: break the contract it stops before the layer, and ``expand`` reports the error.
_NARROW = """
def narrow(
    state, limits, bounds, children, ends, values, owners, gains, table, form, places, used,
    keys, first, edges, stored, turns, points{arguments}
):
    layer = (children, ends, values, owners, gains)
    index = (table, form, places, used)
    graph = (keys, first, edges, stored, turns, points)
    while _x.is_narrow_layer(state, bounds, children, {count}, limits):
        _, child_count, status = expand(
            keys, state[{head}], state[{end}], children, ends, values, owners, gains{arguments}
        )
        if status != {ok}:
            return
        if not _x.append(state, bounds, child_count, layer, index, graph):
            return
"""


class AnyRuleSet(Protocol):
    """A game's rules as functions with generated names: a ``RuleSet`` or a ``FunctionSet``.

    Attributes:
        functions: the functions of the module, by name.
        records: the NamedTuple classes the rules create, by generated name.
        replacers: the fields that ``_replace`` is called with, by generated name.
        getters: functions that read a property of one class that is a field of another, by name.
        data_arguments: the data arguments, by name.
        fields: expressions for other values that the rules read off the game, by name.
    """

    functions: dict[str, tuple[ast.FunctionDef, Source]]
    records: dict[str, type]
    replacers: dict[str, tuple[str, ...]]
    getters: dict[str, tuple[str, str]]
    data_arguments: dict[str, DataArgument]
    fields: dict[str, str]

    def method(self, hook: str) -> str:
        """Include a hook and return its generated name."""

    def emitting_hook(self, hook: str, emit: str) -> str:
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
        data_arguments: the data arguments, in order.
        lines: the source locations of the lines of the kernel.
        heap: whether rules may allocate memory that must be freed; see ``heap``.
    """

    name: str
    header: str
    functions: list[tuple[ast.FunctionDef, Source]]
    kernel: str
    data_arguments: tuple[DataArgument, ...]
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


def write_module(rules: Rules, rule_set: AnyRuleSet) -> Module:
    """Return the module for a game's rules.

    Args:
        rules: the hooks.
        rule_set: the rules' functions; the hooks are included here.
    """
    parts = KernelParts(rules, rule_set)
    folding = canonical.canonical_parts(rules, rule_set)
    passed = faces = ""
    if rules.has_chance:
        passed = chance.passed_of(rules, parts, folding)
        faces = chance.face_of(rules, parts, folding)
    emit, expand = parts.emit(folding), parts.expand()
    call_kernels = parts.hook_kernels()
    fold_kernel = folding.kernel(*parts.data()) if folding is not None else ""
    first_functions = folding.early if folding is not None else ""
    if rules.has_hook("split"):
        first_functions += split_kernels.part_of() + split_kernels.has_move_of("_z_rule")
    kernel = first_functions + emit + passed + parts.loop_functions + faces + "\n" + expand
    kernel += call_kernels + fold_kernel
    return module_of(rules, rule_set, kernel)


def module_of(rules: Rules, rule_set: AnyRuleSet, kernel: str) -> Module:
    """Return a module with this kernel, after all rules have been included."""
    packing = shape_lines(rules.layout, rule_set, parted=rules.has_hook("split"))
    header = _HEADER.format(
        name=rules.name,
        data=", ".join(
            f"{argument.name} {argument.shape}" for argument in rule_set.data_arguments.values()
        ),
        records="\n".join(_definitions(rules, rule_set)) + packing,
    )
    lines = {
        number: rule_set.hook_location(line.partition("#: ")[2])
        for number, line in enumerate(kernel.splitlines(), 1)
        if "#: " in line
    }
    data_arguments = tuple(rule_set.data_arguments.values())
    functions = list(limit_recursion(rule_set.functions).values())
    if any(map(is_enum, rule_set.records.values())):
        functions = [(EnumComparisons().visit(tree), source) for tree, source in functions]
    heap = not functions or uses_heap(tree for tree, _ in functions)
    template: list[ast.FunctionDef] = []
    if functions:
        template = [part for part in ast.parse(kernel).body if isinstance(part, ast.FunctionDef)]
        pass_data_arguments(
            {tree.name: tree for tree in (*(t for t, _ in functions), *template)}, KERNELS
        )
    return Module(rules.name, header, functions, kernel, data_arguments, lines, heap, template)


def _definitions(rules: Rules, rule_set: AnyRuleSet) -> Iterable[str]:
    for label, kind in rule_set.records.items():
        make = "_z.enum_record" if is_enum(kind) else "namedtuple"
        yield f"{label} = {make}({kind.__name__!r}, {names_of(kind)!r})"
    for label, names in rule_set.replacers.items():
        yield f"{label} = _z.replacer({names!r})"
    for label, (record, attribute) in rule_set.getters.items():
        yield f"{label} = _z.getter({record}, {attribute!r})"
    images = (IMAGES,) if rules.foldable else ()
    if rule_set.data_arguments or rule_set.fields or images:
        names = (*rule_set.fields, *rule_set.data_arguments, *images)
        yield f"Data = namedtuple('Data', {names!r})"


#: The error message if turn() returns something else than a number.
_TURN_FAULT = '"returns|return 0 or 1"'


class KernelParts:
    """The parts of a kernel's text, completed for one game."""

    def __init__(self, rules: Rules, rule_set: AnyRuleSet) -> None:
        self.rules = rules
        self.rule_set = rule_set
        self.layout: Layout = rules.layout
        self.loop_functions = ""
        self._loop_names: dict[tuple[str, str], str] = {}

    def method(self, hook: str) -> str:
        """Include a hook and return its generated name."""
        return self.rule_set.method(hook)

    def emit(self, folding: canonical.Folding | None) -> str:
        """Return the function that plays a move and packs the child."""
        child = f"{self.rule_set.method('play')}(data, position, move)"
        gain = "        pass"
        if self.rules.kind.gains:
            points = "0"
            if self.rules.has_hook("gain"):
                call = f"{self.rule_set.method('gain')}(data, position, move)"
                points = f'_z.points({call}, "returns|return a whole number")  #: gain'
            if canonical.marks_turns(self.rules):
                points = f"{KEEPS} if keeps_turn else 0"
            gain = f"        gains[index] = {points}"
        return _EMIT.format(
            child="\n".join(f"    {line}" for line in packing_lines(child, "play")),
            folded="\n".join(folding.child) if folding is not None else "    pass",
            words="\n".join(canonical.store_lines(folding)),
            gain=gain,
            most=MOST_MOVES,
            endless=-ENDLESS_MOVES,
        )

    def expand(self) -> str:
        """Return the ``expand`` kernel, and ``narrow``, which calls it for many narrow layers."""
        moves, dead_end = f"        next_index = {self._moves()}", self._dead_end()
        unknown = str(self.rules.kind.unknown)
        if self.rules.has_chance:
            function = self.item_loop("chance", chance.EMIT)
            moves = chance.decide_lines(function, self._moves())
            unknown = f"({CHANCE} if by_chance else {unknown})"
        terminal = "\n".join(f"        {line}" for line in self._terminal())
        for hook in ("level", "legal", "endless"):
            if self.rules.has_hook(hook):
                self.rule_set.method(hook)
        if self.rules.has_hook("split"):
            self.item_loop("split", split_kernels.EMIT)
            self.item_loop("moves", split_kernels.HAS_MOVE)
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
            unknown=unknown,
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
                    hook, self.rule_set.method(hook), POSITION, arguments, data
                )
        if self.rules.has_hook("split"):
            split = self.item_loop("split", split_kernels.EMIT)
            text += split_kernels.split_of(self.layout, split, POSITION, arguments, data)
            has_move = self.item_loop("moves", split_kernels.HAS_MOVE)
            text += split_kernels.has_moves_of(has_move, POSITION, arguments, data)
        return text

    def data(self) -> tuple[str, str]:
        """Return the data arguments, and the expression that combines them."""
        arguments = ""
        values = list(self.rule_set.fields.values())
        for argument in self.rule_set.data_arguments.values():
            names = [f"{argument.name}_{n}" for n in range(argument.arrays)]
            arguments += "".join(f", {name}" for name in names)
            values.append(argument.shape.rebuild_expression(names, self.rule_set.record))
        if self.rules.foldable:
            arguments += f", {IMAGES}"
            values.append(IMAGES)
        return arguments, f"Data({', '.join(values)})" if values else "()"

    def _moves(self) -> str:
        function = self.item_loop("moves", "_z_emit")
        return f"{function}(data, position, children, gains, capacity, index, position)  #: moves"

    def item_loop(self, hook: str, emit: str) -> str:
        """Return the name of the function that calls ``emit`` for each item of a hook."""
        if (hook, emit) not in self._loop_names:
            function = self.rule_set.emitting_hook(hook, emit)
            if not function:
                hook_function = self.rule_set.method(hook)
                self.loop_functions += _EMIT_LISTED.format(
                    emit=emit, listed=hook_function, hook=hook
                )
                function = f"{emit}_{hook}"
            self._loop_names[hook, emit] = function
        return self._loop_names[hook, emit]

    def _terminal(self) -> list[str]:
        """Return the lines that determine the player to move and whether the game is over."""
        lines = []
        rules, method = self.rules, self.rule_set.method
        if not rules.alternate:
            lines += [
                f"turn = _z.whole({method('turn')}(data, position), {_TURN_FAULT})  #: turn",
                "if turn != 0 and turn != 1:",
                f"    return i - begin, index, {BAD_TURN}",
                "if owners.size > 0:",
                "    owners[i - begin] = turn",
            ]
        hook = next((h for h in ("outcome", "winner") if rules.has_hook(h)), None)
        if hook is None:
            return lines
        lines += [f"over = {method(hook)}(data, position)  #: {hook}", "if _z.is_given(over):"]
        choice = {"outcome": "WIN, DRAW, LOSS or None", "winner": "0, 1, NOBODY or None"}[hook]
        lines.append(f'    result = _z.present_value(over, "returns|return {choice}")  #: {hook}')
        if rules.is_scored:
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
        lines += ["    else:", f"        return i - begin, index, {BAD_OUTCOME}"]
        return [*lines, "    ends[i - begin] = index", "    continue"]

    def _dead_end(self) -> str:
        if self.rules.is_scored:
            return self._final_score()
        return str(self.rules.kind.terminal(self.rules.no_moves))

    def _final_score(self) -> str:
        if not self.rules.has_hook("score"):
            return "0"
        score = f"{self.rule_set.method('score')}(data, position)"
        return f'_z.points({score}, "returns|return a whole number")'
