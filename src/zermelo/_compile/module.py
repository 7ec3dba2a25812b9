"""The generated module: one file of rules and the one kernel that runs them over positions."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from zermelo._compile.names import Passed
from zermelo._engine import codes, score
from zermelo._engine.explore import (
    BAD_OUTCOME,
    BAD_TURN,
    ENDLESS_MOVES,
    FIELD_OVERFLOW,
    FULL,
    OK,
)
from zermelo.positions import WORD, Layout, Slot
from zermelo.rules import MOST_MOVES, Rules

if TYPE_CHECKING:
    from zermelo._compile.source import Source

#: Where each line of the generated module comes from: the author's file, line and function.
LineMap = dict[int, tuple[str, int, str]]

_HEADER = '''"""The rules of {name}, compiled by Zermelo. A cached file: delete it freely."""

from collections import namedtuple
import numpy
from numba import njit, int64, uint64
{imports}
from zermelo._compile.support import given, inside, make_rows, put, total, whole

rule = njit(error_model="python", boundscheck={checked})
{records}
'''

_EMIT = """
@rule
def emit(_data, position, move, children, gains, room, at):
    child = {play}(_data, position, move)
{fields}
    if {overflow}:
        return {overflowed}
    if at < room:
{words}
{gain}
    elif at - room > {most}:
        return {endless}
    return at + 1
"""

_EMIT_LISTED = """

@rule
def emit_moves(_data, position, children, gains, room, at):
    for move in {moves}(_data, position):
        at = emit(_data, position, move, children, gains, room, at)
        if at < 0:
            return at
    return at
"""

_EXPAND = """
def expand(keys, begin, end, children, ends, values, owners, gains{arguments}):
    _data = {data}
    room = children.size // {count}
    at = 0
    for i in range(begin, end):
        position = {position}
{terminal}
        after = {moves}
        if after < 0:
            return i - begin, at, -after
        if after > room:
            return i - begin, at, {full}
        values[i - begin] = {dead_end} if after == at else {unknown}
        ends[i - begin] = after
        at = after
    return end - begin, at, {ok}
"""

_LEVELS = """

def levels(keys, count, out{arguments}):
    _data = {data}
    for i in range(count):
        position = {position}
        out[i] = whole({level}(_data, position))
"""


@dataclass
class Module:
    """A generated module, not loaded yet.

    Attributes:
        name: the game's class's name.
        text: its source.
        lines: where its lines come from.
        passed: the data it is handed, in order.
    """

    name: str
    text: str
    lines: LineMap
    passed: tuple[Passed, ...]


class Made(Protocol):
    """What the template is filled in from: a game's rules as functions with generated names.

    Attributes:
        emits: whether ``method`` can have a function called in place of every ``yield``.
        functions: the functions to write into the module, by name.
        records: the NamedTuple classes the rules make, by generated name.
        modules: the modules they import, by name.
        passed: the data they are handed, by name.
        fields: expressions for what else the rules read off the game, by name.
    """

    emits: bool
    functions: dict[str, tuple[ast.FunctionDef, Source]]
    records: dict[str, type]
    modules: dict[str, ModuleType]
    passed: dict[str, Passed]
    fields: dict[str, str]

    def method(self, name: str, *, emitting: str = "") -> str:
        """Include a method of the game and return its generated name."""

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""


def write_module(rules: Rules, made: Made) -> Module:
    """Write the module for a game's rules.

    Args:
        rules: the hooks.
        made: the rules' functions; the hooks are included here.
    """
    parts = _Parts(rules, made)
    emit, expand, levels = parts.emit(), parts.expand(), parts.levels()
    records = [
        f"{name} = namedtuple({kind.__name__!r}, {tuple(kind._fields)!r})"  # type: ignore[attr-defined]  # a NamedTuple
        for name, kind in made.records.items()
    ]
    if made.passed or made.fields:
        records.append(f"Data = namedtuple('Data', {(*made.fields, *made.passed)!r})")
    text = _HEADER.format(
        name=rules.name,
        imports="\n".join(f"import {name}" for name in sorted(made.modules) if name != "numpy"),
        checked=bool(made.passed),
        records="\n".join(records),
    )
    lines: LineMap = {}
    for tree, source in made.functions.values():
        text += "\n\n"
        text += _unparsed(tree, source, text.count("\n"), lines)
    text += "\n" + emit + parts.listed + "\n" + expand + levels
    return Module(rules.name, text, lines, tuple(made.passed.values()))


def _unparsed(tree: ast.FunctionDef, source: Source, above: int, lines: LineMap) -> str:
    """Return a function's text, and note which line of the author's each of its lines is."""
    text = ast.unparse(ast.fix_missing_locations(tree))
    again = ast.parse(text).body[0]
    name = source.function.__qualname__
    for new, old in zip(ast.walk(again), ast.walk(tree), strict=False):
        if hasattr(new, "lineno") and hasattr(old, "lineno"):
            lines.setdefault(above + new.lineno, (source.filename, old.lineno, name))
    return text + "\n"


class _Parts:
    """The two functions of the template, filled in for one game."""

    def __init__(self, rules: Rules, made: Made) -> None:
        self.rules = rules
        self.made = made
        self.layout: Layout = rules.layout
        self.listed = ""

    def emit(self) -> str:
        """Return the function that plays a move and packs the child."""
        slots = self.layout.slots
        fields = [f"    f{n} = whole({self._read('child', s)})" for n, s in enumerate(slots)]
        narrow = [
            f"((f{n} - {s.low}) >> {s.bits}) != 0" for n, s in enumerate(slots) if s.bits < WORD
        ]
        words = []
        for word in range(self.layout.words):
            parts = [
                f"(uint64(f{n} - {s.low}) << uint64({s.shift}))"
                for n, s in enumerate(slots)
                if s.word == word and s.bits
            ]
            joined = " | ".join(parts) or "uint64(0)"
            words.append(f"        children[at * {self.layout.words} + {word}] = {joined}")
        gain = "        pass"
        if self.rules.scored:
            points = "0"
            if self.rules.has("gain"):
                points = f"whole({self.made.method('gain')}(_data, position, move))"
            gain = f"        gains[at] = {points}"
        return _EMIT.format(
            play=self.made.method("play"),
            fields="\n".join(fields),
            overflow=" or ".join(narrow) or "False",
            overflowed=-FIELD_OVERFLOW,
            words="\n".join(words),
            gain=gain,
            most=MOST_MOVES,
            endless=-ENDLESS_MOVES,
        )

    def expand(self) -> str:
        """Return the kernel."""
        moves, position, dead_end = self._moves(), self._position(), self._dead_end()
        terminal = "\n".join(f"        {line}" for line in self._terminal())
        if self.rules.has("level"):
            self.made.method("level")
        arguments, data = self._data()  # complete, now that all rules are included
        return _EXPAND.format(
            arguments=arguments,
            data=data,
            count=self.layout.words,
            position=position,
            terminal=terminal,
            moves=moves,
            full=FULL,
            ok=OK,
            unknown=score.UNKNOWN if self.rules.scored else codes.UNKNOWN,
            dead_end=dead_end,
        )

    def levels(self) -> str:
        """Return the kernel that tells the levels of positions, if the game has levels."""
        if not self.rules.has("level"):
            return ""
        arguments, data = self._data()
        position, level = self._position(), self.made.method("level")
        return _LEVELS.format(arguments=arguments, data=data, position=position, level=level)

    def _data(self) -> tuple[str, str]:
        """Return the arguments the data are handed over as, and what gathers them."""
        arguments = ""
        values = list(self.made.fields.values())
        for passed in self.made.passed.values():
            names = [f"{passed.name}_{n}" for n in range(passed.arrays)]
            arguments += "".join(f", {name}" for name in names)
            values.append(_nested(names))
        return arguments, f"Data({', '.join(values)})" if values else "()"

    def _moves(self) -> str:
        hook = getattr(type(self.rules.game), "moves")  # noqa: B009  # found by name
        if self.made.emits and inspect.isgeneratorfunction(hook):
            function = self.made.method("moves", emitting="emit")
        else:
            self.listed = _EMIT_LISTED.format(moves=self.made.method("moves"))
            function = "emit_moves"
        return f"{function}(_data, position, children, gains, room, at)"

    def _read(self, position: str, slot: Slot) -> str:
        if self.layout.kind is None:
            return position
        name = self.layout.fields[slot.field][0]
        return f"{position}.{name}" + ("" if slot.item is None else f"[{slot.item}]")

    def _position(self) -> str:
        parts = []
        for slot in self.layout.slots:
            key = f"keys[i * {self.layout.words} + {slot.word}]"
            if slot.bits == WORD:
                parts.append(f"int64({key})")
            elif slot.bits == 0:
                parts.append(f"int64({slot.low})")
            else:
                mask = (1 << slot.bits) - 1
                parts.append(
                    f"int64(({key} >> uint64({slot.shift})) & uint64({mask})) + {slot.low}"
                )
        if self.layout.kind is None:
            return parts[0]
        fields = []
        at = 0
        for _, length in self.layout.fields:
            if length is None:
                fields.append(parts[at])
                at += 1
            else:
                fields.append("(" + "".join(f"{part}, " for part in parts[at : at + length]) + ")")
                at += length
        return f"{self.made.record(self.layout.kind)}({', '.join(fields)})"

    def _terminal(self) -> list[str]:
        """Return the lines that settle whose turn it is and whether the game is over."""
        lines = []
        rules, method = self.rules, self.made.method
        if not rules.alternate:
            lines += [
                f"turn = whole({method('turn')}(_data, position))",
                "if turn != 0 and turn != 1:",
                f"    return i - begin, at, {BAD_TURN}",
                "owners[i - begin] = turn",
            ]
        hook = next((h for h in ("outcome", "winner") if rules.has(h)), None)
        if hook is None:
            return lines
        lines += [f"over = {method(hook)}(_data, position)", "if given(over):"]
        won, tie, lost = (codes.TERMINAL[n] for n in (1, 0, -1))
        if rules.scored:
            lines.append(f"    values[i - begin] = {self._final_score()}")
        else:
            cases = (
                [("1", won), ("0", tie), ("-1", lost)]
                if hook == "outcome"
                else [("-1", tie), ("turn", won), ("1 - turn", lost)]
            )
            lines.append("    result = inside(over)")
            for n, (case, code) in enumerate(cases):
                word = "elif" if n else "if"
                lines += [f"    {word} result == {case}:", f"        values[i - begin] = {code}"]
            lines += ["    else:", f"        return i - begin, at, {BAD_OUTCOME}"]
        return [*lines, "    ends[i - begin] = at", "    continue"]

    def _dead_end(self) -> str:
        if self.rules.scored:
            return self._final_score()
        return str(codes.TERMINAL[int(self.rules.no_moves)])

    def _final_score(self) -> str:
        if not self.rules.has("score"):
            return "0"
        return f"whole({self.made.method('score')}(_data, position))"


def _nested(names: list[str]) -> str:
    """Return the expression for data that is handed over as these arrays, outermost first."""
    if len(names) == 1:
        return names[0]
    return f"make_rows({names[0]}, {_nested(names[1:])})"
