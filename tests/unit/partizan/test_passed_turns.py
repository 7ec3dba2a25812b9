"""Passing the turn by compiled code, where the hook can be compiled."""

from __future__ import annotations

import json

import numpy as np
import pytest

import zermelo
from zermelo._compile.rules import compile_rules
from zermelo._methods.partizan.turn_graph import Passing
from zermelo.games import Clobber


class UncompiledClobber(Clobber):
    """Clobber whose ``pass_turn`` calls what compiles nowhere."""

    def pass_turn(self, p):
        """Return the same board with the other player to move."""
        return type(p)(*json.loads(json.dumps([p.theirs, p.mine, 1 - p.player])))


@pytest.mark.parametrize("kind", [Clobber, UncompiledClobber])
def test_turns_are_passed_as_in_python(kind):
    """The result is that of the hook, whether it is compiled or not."""
    game = kind(3, 3)
    rules = compile_rules(game)
    solution = zermelo.solve(Clobber(3, 3), value="partizan", method="partizan")
    positions = [(*p,) for p in solution]
    packed = np.array([rules.rules.layout.pack(type(game.start())(*p)) for p in positions])
    packed = np.tile(packed.astype(np.uint64), (3, 1))
    assert len(packed) > 512  # fewer are passed in Python
    passed = Passing(rules).after_pass(packed)
    expected = [
        rules.rules.layout.pack(rules.rules.pass_turn(rules.rules.layout.unpack(words)))
        for words in packed
    ]
    assert passed.tolist() == [list(words) for words in expected]
    has_kernel = rules.with_passed_turns() is not None
    assert has_kernel == (kind is Clobber)
