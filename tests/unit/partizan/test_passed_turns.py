"""Passing the turn by compiled code, where the hook can be compiled."""

from __future__ import annotations

import json

import pytest

import zermelo
from zermelo.games import Clobber


class UncompiledClobber(Clobber):
    """Clobber whose ``pass_turn`` calls what compiles nowhere."""

    def pass_turn(self, p):
        """Return the same board with the other player to move."""
        return type(p)(*json.loads(json.dumps([p.theirs, p.mine, 1 - p.player])))


@pytest.mark.slow
def test_turns_are_passed_as_in_python():
    """The values are the same whether the hook is compiled or not; few turns are not compiled."""
    compiled, python = (
        zermelo.solve(kind(3, 4), value="partizan", method="partizan")
        for kind in (Clobber, UncompiledClobber)
    )
    assert len(compiled) > 512
    assert {(*p,): value for p, value in compiled.items()} == {
        (*p,): value for p, value in python.items()
    }
    assert compiled.verify()
