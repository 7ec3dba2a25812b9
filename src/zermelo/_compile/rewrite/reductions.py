"""``any``, ``all``, ``sum``, ``min`` and ``max`` over a comprehension, as functions with a loop."""

from __future__ import annotations

import ast

from zermelo._compile.rewrite.conditions import Visit, looped
from zermelo._compile.rewrite.function import Function
from zermelo._compile.rewrite.scope import stored_names
from zermelo._compile.rewrite.trees import DATA, call, name, parsed, placed, store, support

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


def reduction(node: ast.Call, how: str, function: Function, visit: Visit) -> ast.expr | None:
    """Return the call of a reduction rewritten, or None where it compiles as it is.

    Args:
        node: the call.
        how: which reduction it is.
        function: what it is called in.
        visit: rewrites its parts.
    """
    if node.args and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
        return _lifted(how, node, node.args[0], function, visit)
    if node.keywords and how != "sum":
        function.refuse(node, f"{how}() with {node.keywords[0].arg}=", _LOOP)
    if how == "sum":
        given = [*node.args, *(k.value for k in node.keywords)]
        return placed(call(support("total"), *(visit(part) for part in given)), node)
    return None


def _lifted(
    how: str,
    node: ast.Call,
    items: ast.GeneratorExp | ast.ListComp,
    function: Function,
    visit: Visit,
) -> ast.expr:
    """Return the call of a function of its own with the loop written out."""
    own = stored_names([items])  # of comprehensions inside this one as well
    read = {part.id for part in ast.walk(items) if isinstance(part, ast.Name)}
    outer = sorted((read & function.locals) - own)
    before, each, after = _TEXTS[how]
    extra = _extra(how, node, function)
    if extra and how in ("min", "max"):
        before, after = "_z_seen = False\n_z_best = _z_start", "return _z_best"
    if how == "sum" and not extra:
        before = "_z_sum = 0"
    item = ast.Assign([store("_z_item")], visit(items.elt))
    body: list[ast.stmt] = [placed(item, node), *parsed(each, node)]
    body = looped(items.generators, body, node, visit)
    arguments = [DATA, *outer, *(["_z_start"] if extra else [])]
    body = [*parsed(before, node), *body, *parsed(after, node)]
    generated = function.rules.lifted(how, arguments, body, function.source, node)
    values = [name(argument) for argument in (DATA, *outer)]
    lifted = call(name(generated), *values, *(visit(value) for value in extra))
    return ast.copy_location(lifted, node)


def _extra(how: str, node: ast.Call, function: Function) -> list[ast.expr]:
    """Return the start of a sum, or the default of a least or greatest."""
    wanted = {"sum": "start", "min": "default", "max": "default"}.get(how)
    strange = next((k.arg or "**" for k in node.keywords if k.arg != wanted), None)
    if strange is not None:
        function.refuse(node, f"{how}() with {strange}=", _LOOP)
    extra = [k.value for k in node.keywords] + (node.args[1:] if how == "sum" else [])
    if len(node.args) > 1 and how != "sum":
        function.refuse(node, f"{how}() of a comprehension and something else", _LOOP)
    return extra[:1]
