"""A checksum of a game's rules: equal for rules that give equal answers at every position.

It depends on the author's code, and not on the compiler's results: the functions that the hooks
reach, without comments, docstrings, annotations and names of variables; the values of the
constants, parameters and properties that they read; the layout of positions, and the starts. So
another version of the compiler still accepts every table, and every edit that matters is detected.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Iterable
from functools import cached_property
from types import FunctionType
from typing import Any, TypeGuard
from weakref import WeakKeyDictionary

import numpy as np

from zermelo._compile.read import externals, syntax
from zermelo._compile.read.constants import Members, UnfitError, constant
from zermelo._compile.read.marshalling import ArrayShape, NumberShape, RowsShape, shape_of
from zermelo._compile.read.source import NoSourceError, Source, source_of
from zermelo.game.contract import Game
from zermelo.game.records import defaults_of, names_of
from zermelo.rules.hooks import Rules
from zermelo.values.outcomes import NOBODY

#: The hooks about positions, in the order of reading.
_HOOKS = (
    *("turn", "outcome", "winner", "moves", "play", "chance", "kept", "gain", "score"),
    *("endless", "level", "legal", "canonical", "split"),
)

_digests: WeakKeyDictionary[Rules, str] = WeakKeyDictionary()


def digest(rules: Rules) -> str:
    """Return the checksum of a game's rules, computed once; "" if they have no source."""
    if rules not in _digests:
        try:
            _digests[rules] = _compute_digest(rules)
        except NoSourceError:
            _digests[rules] = ""
    return _digests[rules]


def _compute_digest(rules: Rules) -> str:
    walk, layout = _Walk(rules.game), rules.layout
    walk.add_values(layout.fields)
    walk.add_values([(slot.low, slot.bits, slot.word, slot.shift) for slot in layout.slots])
    walk.add_values(int(rules.no_moves))
    if rules.endless != NOBODY:
        walk.add_values("endless", rules.endless)
    if rules.endless_points:
        walk.add_values("endless points", rules.endless_points)
    for kind in layout.lengths:
        walk.members(kind)
    for hook in _HOOKS:
        if rules.has_hook(hook):
            walk.hook(hook)
    walk.finish()
    if rules.group is not None:
        walk.add_values(
            [(generator.sources, generator.changes) for generator in rules.group.generators]
        )
    if rules.has_hook("pursuit") and rules.changed_since_pursuit is None:
        # Every placement of a pursuit is a start: on a large graph, too many for memory.
        pursuit = rules.written.pursuit()
        walk.add_values(rules.packed(rules.game.start(), "start"))
        for name in ("forbidden", "safe", "stuck"):
            walk.add_values(_of_array(np.ravel(getattr(pursuit, name, ""))))
    else:
        walk.add_values(_of_array(rules.start_words()))
    return walk.checksum()


class _Walk:
    """Adds functions, and the functions and values they use, to a checksum, each once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._hash = hashlib.sha256()
        self._functions: dict[tuple[FunctionType, frozenset[int]], int] = {}
        self._values: dict[int, tuple[Any, str]] = {}
        self._read: dict[str, Any] = {}
        self._kinds: set[type] = set()

    def checksum(self) -> str:
        """Return the checksum of all values added."""
        return self._hash.hexdigest()[:32]

    def add_values(self, *parts: object) -> None:
        """Add plain values."""
        for part in parts:
            self._hash.update(f"{part}\0".encode())

    def hook(self, name: str) -> None:
        """Add a hook; ``finish`` adds the functions that it reaches."""
        raw = inspect.getattr_static(type(self.game), name)
        selves = frozenset() if isinstance(raw, staticmethod) else frozenset({0})
        self.add_values(name)
        self.meaning(raw, selves)

    def finish(self) -> None:
        """Add the text of all functions, including those found on the way."""
        text_count = 0
        while text_count < len(self._functions):
            for function, selves in list(self._functions)[text_count:]:
                text_count += 1
                self._text(source_of(function), selves)

    def _text(self, source: Source, selves: frozenset[int]) -> None:
        parameters = source.tree.args
        arguments = [
            a.arg for a in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
        ]
        text = _Text(self, source, {arguments[i] for i in selves}, arguments)
        body = [new for old in source.tree.body if (new := text.visit(old)) is not None]
        self.add_values(
            arguments, *(ast.unparse(ast.fix_missing_locations(statement)) for statement in body)
        )
        for default in syntax.defaults(source.function, arguments).items():
            self.add_values(default[0])
            self.meaning(default[1])
        for name, value, game in text.found:
            self.add_values(name)
            self.meaning(value, game)

    def meaning(self, value: Any, selves: frozenset[int] = frozenset()) -> None:
        """Add the value of a name.

        Args:
            value: the function, constant, class or module.
            selves: for a function, the indices of its arguments that are the game.
        """
        value = externals.unwrap(value)
        if (
            isinstance(value, FunctionType)
            and not externals.author_helper(value)
            and not externals.of_library(value)
        ):
            number = self._functions.setdefault((value, selves), len(self._functions))
            self.add_values("function", number)
        elif externals.is_record(value):
            self.add_values("record", names_of(value))
            self.members(value)
            for name, default in defaults_of(value).items():
                self.add_values(name)
                self.meaning(default)
        elif externals.holds_names(value) or callable(value):
            self.add_values("named", type(value).__name__, getattr(value, "__name__", ""))
        else:
            self._value(value)

    def members(self, kind: type) -> None:
        """Add the methods, properties and constants of a class of positions."""
        if kind in self._kinds:
            return
        self._kinds.add(kind)
        for name, value in sorted(vars(kind).items()):
            if name.startswith("_") or name in names_of(kind):
                continue
            if isinstance(value, property | cached_property):
                function = value.fget if isinstance(value, property) else value.func
                self.add_values("property", name)
                self.meaning(function)
            else:
                self.add_values("member", name)
                self.meaning(value)

    def _value(self, value: object) -> None:
        if id(value) not in self._values:  # a graph is read several times
            self._values[id(value)] = (value, _checksum(value))
        self.add_values("value", self._values[id(value)][1])

    def of_game(self, name: str) -> Any:
        """Return the function or value that ``self.name`` names; values are cached."""
        raw = inspect.getattr_static(type(self.game), name, None)
        if isinstance(raw, FunctionType | staticmethod) or externals.unwrap(raw) is not raw:
            return raw
        if name not in self._read:
            self._read[name] = getattr(self.game, name, None)
        return self._read[name]


class _Text(ast.NodeTransformer):
    """Removes the parts of a function's text that do not affect its results; resolves names.

    Attributes:
        found: each name that is not a variable of the function, its value, and for a function the
            indices of its arguments that are the game.
    """

    def __init__(
        self, walk: _Walk, source: Source, selves: set[str], arguments: Iterable[str]
    ) -> None:
        self.found: list[tuple[str, Any, frozenset[int]]] = []
        self._walk = walk
        self._source = source
        self._selves = selves
        self._count = 0
        self._names = {argument: argument for argument in arguments}
        inner = {
            id(name)
            for part in syntax.parts_of(source.tree)
            if isinstance(part, ast.comprehension)
            for name in syntax.parts_of(part.target)
        }
        parts = list(syntax.parts_of(source.tree))
        self._own = {part.id for part in parts if _stored(part) and id(part) not in inner}
        patterns = (ast.MatchAs, ast.MatchStar)
        self._own |= {part.name for part in parts if isinstance(part, patterns) and part.name}

    # -- parts without effect ------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:  # named by ast
        """Drop docstrings."""
        if isinstance(node.value, ast.Constant):
            return None
        self.generic_visit(node)
        return node

    def visit_Pass(self, node: ast.Pass) -> None:  # named by ast
        """Drop ``pass``."""
        del node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:  # named by ast
        """Drop annotations."""
        if node.value is None:
            return None
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:  # named by ast
        """Drop the message of an error."""
        del node
        return ast.Raise()

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:  # named by ast
        """Drop the message of an assertion."""
        return ast.Assert(self.visit(node.test))

    # -- names ---------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named by ast
        """Number the function's own variables; look up other names."""
        variable = self._renamed(node.id)
        if variable is not None:
            return ast.Name(variable, node.ctx)
        self._look_up_name([node.id])
        return node

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> ast.pattern:  # named by ast
        """Number the names that a pattern gives values."""
        node.name = None if node.name is None else self._renamed(node.name)
        self.generic_visit(node)
        return node

    visit_MatchStar = visit_MatchAs

    def _renamed(self, name: str) -> str | None:
        if name not in self._names and name in self._own:
            self._names[name] = self._fresh()
        return self._names.get(name)

    def _fresh(self) -> str:
        self._count += 1
        return f"_{self._count}"

    def _comprehension(self, node: Any) -> Any:
        outside, first = self._names, node.generators[0]
        first.iter = self.visit(first.iter)
        targets = [loop.target for loop in node.generators]
        inner = {p.id: self._fresh() for t in targets for p in syntax.parts_of(t) if _stored(p)}
        self._names = {**outside, **inner}
        for loop in node.generators:
            loop.target = self.visit(loop.target)
            loop.iter = loop.iter if loop is first else self.visit(loop.iter)
            loop.ifs = [self.visit(test) for test in loop.ifs]
        node.elt = self.visit(node.elt)
        self._names = {**outside, **{n: k for n, k in self._names.items() if n not in inner}}
        return node

    visit_ListComp = visit_GeneratorExp = visit_SetComp = _comprehension  # named by ast

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # named by ast
        """Look up ``self.width``, ``Piece.KING`` and the like."""
        chain = syntax.chain(node)
        local = chain is None or chain[0] in self._own | self._names.keys() - self._selves
        if chain is None or local:
            self.generic_visit(node)
            return node
        self._look_up_name(chain)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:  # named by ast
        """Look up the callee, and which of its arguments are the game."""
        first = len(self.found)
        base = self._super(node.func)
        if base is not None:
            self.found.append((ast.unparse(node.func), base, frozenset()))
        else:
            node.func = self.visit(node.func)
        if len(self.found) == first + 1:
            name, value, _ = self.found[first]
            self.found[first] = (name, value, self._games(node, value))
        node.args = [self.visit(value) for value in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def _games(self, node: ast.Call, value: object) -> frozenset[int]:
        """Return the indices of a function's arguments that are the game in this call."""
        function = externals.unwrap(value)
        if not isinstance(function, FunctionType):
            return frozenset()
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        chain = syntax.chain(node.func)
        bound = (chain is None or chain[0] in self._selves) and not isinstance(value, staticmethod)
        arguments = [*enumerate(node.args, int(bound))]
        arguments += [(names.index(k.arg), k.value) for k in node.keywords if k.arg in names]
        games = {
            index
            for index, argument in arguments
            if isinstance(argument, ast.Name) and argument.id in self._selves
        }
        return frozenset(games | ({0} if bound else set()))

    def _super(self, callee: ast.expr) -> Any:
        """Return the method that ``super().name`` refers to, or None."""
        if not (
            isinstance(callee, ast.Attribute)
            and isinstance(callee.value, ast.Call)
            and isinstance(callee.value.func, ast.Name)
            and callee.value.func.id == "super"
        ):
            return None
        kinds = type(self._walk.game).__mro__
        own_index = next((i for i, kind in enumerate(kinds) if self._defines(kind)), 0)
        inherited = (vars(kind).get(callee.attr) for kind in kinds[own_index + 1 :])
        return next((method for method in inherited if method is not None), None)

    def _defines(self, kind: type) -> bool:
        return any(
            externals.unwrap(value) is self._source.function for value in vars(kind).values()
        )

    def _look_up_name(self, chain: list[str]) -> None:
        """Look up a name that is not a variable of the function, with its attributes."""
        if chain[0] in self._selves:
            value = self._walk.of_game(chain[1]) if len(chain) > 1 else None
        else:
            try:
                space, key = self._source.namespace_of(chain[0])
                value = space[key] if isinstance(space, dict) else space.cell_contents
            except (NameError, ValueError):
                return
            for attribute in chain[1:]:
                if isinstance(value, int | tuple | list | np.ndarray):
                    break
                value = getattr(value, attribute, None)
        self.found.append((".".join(chain), value, frozenset()))


def _checksum(value: object) -> str:
    """Return a text that distinguishes the values of constants and parameters."""
    try:
        frozen = constant(value)
        if frozen is None or isinstance(frozen, int):
            return repr(None if frozen is None else frozen + 0)
        if isinstance(frozen, str | dict | Members):
            return _constant_text(frozen)
        shape = shape_of(frozen)
    except UnfitError:  # an empty tuple, say, or a value that rules cannot read
        return repr(value) if isinstance(value, tuple | list) else str(type(value))
    if not isinstance(shape, ArrayShape | NumberShape | RowsShape):
        return _constant_text(frozen)
    return " ".join([str(shape), *map(_of_array, shape.as_arrays(frozen))])


def _constant_text(value: object) -> str:
    """Return the text of a constant, which does not depend on the order of a set."""
    if isinstance(value, Members):
        return f"set({', '.join(sorted(map(_constant_text, value)))})"
    if isinstance(value, dict):
        items = (f"{_constant_text(key)}: {_constant_text(item)}" for key, item in value.items())
        return f"dict({', '.join(items)})"
    if isinstance(value, tuple):
        return f"{getattr(value, '_fields', '')}({', '.join(map(_constant_text, value))})"
    if isinstance(value, np.ndarray):
        return _of_array(value)
    return repr(value)


def _of_array(array: np.ndarray[Any, Any]) -> str:
    """Return a text that distinguishes arrays, equal on all machines."""
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return f"{little.dtype.str} {little.shape} {hashlib.sha256(little.tobytes()).hexdigest()}"


def _stored(part: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
