"""Generated code that passes the turn in many positions, for games with ``pass_turn``."""

from __future__ import annotations

from zermelo._compile.generate.module import AnyRuleSet, KernelParts, Module, module_of
from zermelo._compile.generate.packing import POSITION, packing_lines
from zermelo.rules.hooks import Rules

_PASSED = """
def passed(keys, count, out{arguments}):
    data = {data}
    for i in range(count):
{packing}
            return i
        _z.store_words(out, i, packed[1])
    return count
"""


def write_passing(rules: Rules, rule_set: AnyRuleSet) -> Module:
    """Return the module with the kernel ``passed`` of a game.

    Args:
        rules: the hooks.
        rule_set: the rules' functions; ``pass_turn`` is included here.
    """
    parts = KernelParts(rules, rule_set)
    image = f"{rule_set.method('pass_turn')}(data, {POSITION})"
    arguments, data = parts.data()  # complete, as the hook is included
    lines = packing_lines(image, "pass_turn")[:-1]
    packing = "\n".join(f"        {line}" for line in lines)
    kernel = _PASSED.format(arguments=arguments, data=data, packing=packing)
    return module_of(rules, rule_set, kernel)
