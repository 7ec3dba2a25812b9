"""Members of a position's class other than fields: methods, properties and constants.

``p.most()`` calls the function ``most`` of the class of ``p``. Rules do not declare the class of
``p``, so the name ``most`` is looked up in all classes of positions. If ``p`` has another class,
the call is rejected when types are inferred.
"""

from __future__ import annotations

import ast
import inspect
from functools import cached_property
from types import FunctionType
from typing import Any, NamedTuple

from zermelo._compile.read import externals, syntax
from zermelo._compile.rewrite.ast_builders import SUPPORT
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.ruleset import Callee
from zermelo.game.records import names_of

#: Methods of every NamedTuple that rules cannot use.
_REFUSED_METHODS = frozenset(["_asdict", "_make"])


class KindMember(NamedTuple):
    """A member of a class.

    Attributes:
        kind: the class.
        value: the member, as stored in the class.
        doubtful: whether another class has a field of this name.
    """

    kind: type
    value: Any
    doubtful: bool = False


class PositionMembers:
    """The uses of members of positions' classes in one function."""

    def __init__(self, function: Function) -> None:
        """Prepare to find members in ``function``."""
        self.function, self.rules = function, function.rules

    def method(self, func: ast.expr) -> Callee | None:
        """Return the called method of a position's class, or None."""
        member = self._member(func)
        if member is None:
            return None
        assert isinstance(func, ast.Attribute)  # noqa: S101  # ``_member`` returned one
        label = f"{member.kind.__name__}.{func.attr}"
        if isinstance(member.value, classmethod):
            remedy = "make it a staticmethod, or a function of the module"
            self.function.refuse(func, f"the classmethod {label}()", remedy)
        if externals.is_record(member.kind) and func.attr in _REFUSED_METHODS:
            self.function.refuse(func, f"{label}()", "read its fields by name, as in p.x")
        function = externals.unwrap(member.value)
        if not isinstance(function, FunctionType):
            return None
        is_static = isinstance(member.value, staticmethod)
        return Callee(
            function, label, bound=False, receiver=None if is_static else func.value, of=member.kind
        )

    def property(self, node: ast.Attribute) -> tuple[Callee, KindMember] | None:
        """Return the property of a position's class that an attribute reads, or None."""
        member = self._member(node)
        if member is None or not isinstance(member.value, property | cached_property):
            return None
        descriptor = member.value
        function = descriptor.fget if isinstance(descriptor, property) else descriptor.func
        label = f"{member.kind.__name__}.{node.attr}"
        kind = None if member.doubtful else member.kind
        return Callee(function, label, bound=False, receiver=node.value, of=kind), member

    def constant(self, node: ast.Attribute) -> KindMember | None:
        """Return the constant of a position's class that an attribute reads, or None."""
        member = self._member(node)
        if member is None or callable(member.value):
            return None
        is_descriptor = isinstance(
            member.value, property | cached_property | staticmethod | classmethod
        )
        return None if is_descriptor else member

    def _member(self, node: ast.expr) -> KindMember | None:
        """Return the class member that an attribute names, or None for a field."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return None
        chain = syntax.chain(node)
        if chain is not None and chain[0] not in self.function.locals - {SUPPORT}:
            return None
        rules_classes = list(dict.fromkeys([*self.rules.kinds, *self.rules.records.values()]))
        if any(node.attr in names_of(kind) for kind in self.rules.kinds):
            return self._among(node, rules_classes, [])
        return self._among(
            node,
            rules_classes,
            [kind for kind in self._visible_classes() if kind not in rules_classes],
        )

    def _visible_classes(self) -> list[type]:
        """Return the record classes among the global names of the function."""
        return [
            value
            for value in self.function.source.function.__globals__.values()
            if externals.is_record(value)
        ]

    def _among(
        self, node: ast.Attribute, rules_classes: list[type], visible: list[type]
    ) -> KindMember | None:
        """Return the member of an attribute's name, of ``rules_classes`` or else of ``visible``."""
        attribute = node.attr
        if hasattr(tuple, attribute):
            return None
        for kinds in (rules_classes, visible):
            members = [
                KindMember(kind, inspect.getattr_static(kind, attribute))
                for kind in kinds
                if attribute not in names_of(kind) and hasattr(kind, attribute)
            ]
            if members:
                break
        else:
            return None
        first = members[0]
        other_kind = next(
            (member.kind for member in members if member.value is not first.value), None
        )
        if other_kind is not None:
            owners = f"which {first.kind.__name__} and {other_kind.__name__} both have"
            self.function.raise_error(
                node, f"uses .{attribute}, {owners}; give one of them another name"
            )
        self.rules.read_globals.record(first.kind, attribute, getattr(first.kind, attribute))
        doubtful = any(
            attribute in names_of(kind) for kind in (*rules_classes, *self._visible_classes())
        )
        return first._replace(doubtful=doubtful)
