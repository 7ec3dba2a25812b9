"""A name for the rules of a game: equal for rules that say the same of every position."""

from __future__ import annotations

import ast
import hashlib
from typing import Any

import numpy as np

from zermelo._compile.module import write_module
from zermelo._compile.rules import CompiledRules
from zermelo._compile.ruleset import RuleSet
from zermelo._compile.source import NoSourceError


def digest(compiled: CompiledRules) -> str:
    """Return a checksum of a game's rules, with the numbers and arrays they read.

    It is that of the rules as they are compiled, after the names in them have been settled: so a
    comment, a docstring, a picture or the name of a move changes nothing, and a helper in another
    file, a constant or a start does. Empty for rules whose text cannot be read.
    """
    rules, made = compiled.rules, hashlib.sha256()
    # Gathered anew: compiled rules may have been made for another game of the class, or with
    # numbers handed over, which depends on what the process has compiled before.
    try:
        module = write_module(rules, RuleSet(rules.game, general=False))
    except NoSourceError:
        return ""

    def add(part: Any) -> None:
        made.update(part if isinstance(part, bytes) else str(part).encode())
        made.update(b"\0")

    for tree, _ in module.functions:
        bare = ast.fix_missing_locations(tree)
        add(ast.unparse(bare))
    layout = rules.layout
    add(layout.fields)
    add([(slot.low, slot.bits, slot.word, slot.shift) for slot in layout.slots])
    add(int(rules.no_moves))
    add(sorted(rules.hooks & {"turn", "outcome", "winner", "gain", "score", "canonical", "legal"}))
    if rules.has("pursuit") and rules.changed_since_pursuit is None:
        # Every placement is a start, which on a large graph are more than memory holds.
        described = rules.written.pursuit()
        add(rules.packed(rules.game.start(), "start"))
        for name in ("forbidden", "safe", "stuck"):
            # As a list, since an array prints as its ends alone.
            add(np.ravel(getattr(described, name, "")).tolist())
    else:
        add(rules.start_words().astype("<u8").tobytes())
    for passed in module.passed:
        for array in passed.handed(rules.game):
            little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            add(f"{little.dtype} {little.shape}")
            add(little.tobytes())
    return made.hexdigest()[:32]
