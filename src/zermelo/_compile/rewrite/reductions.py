"""``any``, ``all``, ``sum``, ``min`` and ``max`` over a comprehension, as functions with a loop."""

from __future__ import annotations

import ast

from zermelo._compile.rewrite.moves import Moves
from zermelo._compile.rewrite.scope import stored_names
from zermelo._compile.rewrite.trees import DATA, call, name, parsed, placed, store

REDUCTIONS = ("any", "all", "sum", "min", "max")

_LOOP = "write a for loop"
_BEST = "if not _z_seen or _z_item {} _z_best:\n    _z_best = _z_item\n    _z_seen = True"
_NONE = "if not _z_seen:\n    raise ValueError('nothing to choose from')\nreturn _z_best"
#: What stands before the loop, in it, and after it.
_TEXTS = {
    "any": ("", "if _z.truth(_z_item):\n    return True", "return False"),
    "all": ("", "if not _z.truth(_z_item):\n    return False", "return True"),
    "sum": ("_z_sum = _z_start", "_z_sum += _z_item", "return _z_sum"),
    "min": ("_z_seen = False\n_z_best = 0", _BEST.format("<"), _NONE),
    "max": ("_z_seen = False\n_z_best = 0", _BEST.format(">"), _NONE),
}


class Reductions(Moves):
    """The part of rewriting that lifts a comprehension inside a fold out of its function."""

    def reduced(self, how: str, node: ast.Call, items: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        """Return the call of a function with the loop written out."""
        own = stored_names([items])  # of comprehensions inside this one as well
        read = {part.id for part in ast.walk(items) if isinstance(part, ast.Name)}
        outer = sorted((read & self.locals) - own)
        before, each, after = _TEXTS[how]
        extra = self._extra(how, node)
        if extra and how in ("min", "max"):
            before, after = "_z_seen = False\n_z_best = _z_start", "return _z_best"
        if how == "sum" and not extra:
            before = "_z_sum = 0"
        item = ast.Assign([store("_z_item")], self.visit(items.elt))
        body: list[ast.stmt] = [placed(item, node), *parsed(each, node)]
        for loop in reversed(items.generators):
            for test in reversed(loop.ifs):
                body = [placed(ast.If(self.test(test), body, []), node)]
            body = [placed(ast.For(loop.target, self.visit(loop.iter), body, []), node)]
        arguments = [DATA, *outer, *(["_z_start"] if extra else [])]
        body = [*parsed(before, node), *body, *parsed(after, node)]
        function = self.rules.lifted(how, arguments, body, self.source, node)
        values = [name(argument) for argument in (DATA, *outer)]
        lifted = call(name(function), *values, *(self.visit(value) for value in extra))
        return ast.copy_location(lifted, node)

    def _extra(self, how: str, node: ast.Call) -> list[ast.expr]:
        """Return the start of a sum, or the default of a least or greatest."""
        wanted = {"sum": "start", "min": "default", "max": "default"}.get(how)
        strange = next((k.arg or "**" for k in node.keywords if k.arg != wanted), None)
        if strange is not None:
            self.refuse(node, f"{how}() with {strange}=", _LOOP)
        extra = [k.value for k in node.keywords] + (node.args[1:] if how == "sum" else [])
        if len(node.args) > 1 and how != "sum":
            self.refuse(node, f"{how}() of a comprehension and something else", _LOOP)
        return extra[:1]
