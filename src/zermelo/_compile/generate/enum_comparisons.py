"""Comparisons in rules with members of an Enum, which in Python equal only themselves."""

from __future__ import annotations

import ast
from typing import Any

from zermelo._compile.rewrite.ast_builders import call, support, with_location

_NAMES: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}


class EnumComparisons(ast.NodeTransformer):
    """Replaces comparisons of two values by calls that also compare the Enum of each."""

    def visit_Compare(self, node: ast.Compare) -> Any:  # named by ast
        """Rewrite a comparison, if it is one of two values."""
        self.generic_visit(node)
        function = _NAMES.get(type(node.ops[0])) if len(node.ops) == 1 else None
        if function is None:
            return node
        return with_location(call(support(function), node.left, node.comparators[0]), node)


def is_enum(kind: type) -> bool:
    """Return whether records of a class stand for the members of an Enum."""
    return hasattr(kind, "of_enum")
