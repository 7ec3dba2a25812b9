"""Mistakes that only some positions show: the error names the position, and the author's line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from support.faults.mistakes import HERE, imported, written
from support.sizes import some
from zermelo import ParameterError, RulesError

#: The hook, what it begins with, what Python raises at which position; helpers, and ``data``.
MISTAKES: dict[str, tuple[Any, ...]] = {
    "a return is missing": (
        "play",
        "move += step(p.x)  # here",
        "TypeError: Spot(x=3, turns=3)",
        "def step(n):\n    if n < 3:\n        return 0\n",
    ),
    "a variable has no value yet": (
        "outcome",
        "if p.x > 2:\n    far = 1\nif p.turns == 2 and far: # here\n    return DRAW",
        "UnboundLocalError: Spot(x=2, turns=2)",
    ),
    "a loop never gave it one": (
        "outcome",
        "for i in range(1, 3 - p.x):\n    last = i\nif last > 9:  # here\n    return DRAW",
        "UnboundLocalError: Spot(x=2, turns=2)",
    ),
    "put() past the end": (
        "play",
        "row = put((1, 2, 3), p.x, 5)  # here",
        "IndexError: Spot(x=3, turns=3)",
    ),
    "past the end of a row": (
        "play",
        "row = self.data[p.x]  # here",
        "IndexError: Spot(x=3, turns=3)",
        "",
        ((1,), (2,), (3, 4)),
    ),
    "past the end of an array": (
        "play",
        "move = self.data[p.x]  # here",
        "IndexError: Spot(x=3, turns=3)",
        "",
        np.array([1, 1, 1]),
    ),
    "past the end of a constant": (
        "play",
        "move = (1, 1, 1)[p.x]  # here",
        "IndexError: Spot(x=3, turns=3)",
    ),
    "division by zero": (
        "play",
        "move = 1 + 3 // (4 - p.x) * 0  # here",
        "ZeroDivisionError: Spot(x=4, turns=4)",
    ),
    "an assertion": (
        "play",
        "assert p.x < 3, f'too far: {p.x}'  # here",
        "AssertionError: Spot(x=3, turns=3)",
    ),
    "an error raised on purpose": (
        "play",
        "if p.x == 3:\n    raise ValueError(f'not {p.x}')  # here",
        "ValueError: Spot(x=3, turns=3)",
    ),
    "unpacking a row of another length": (
        "play",
        "a, b = self.data[p.x]  # here",
        "ValueError: Spot(x=2, turns=2)",
        "",
        ((1, 2), (3, 4), (5,)),
    ),
    "the least of nothing": (
        "play",
        "move = min(1 for n in range(3) if n >= p.x)  # here",
        "ValueError: Spot(x=3, turns=3)",
    ),
    "zip() of rows of unlike lengths": (
        "outcome",
        "for a, b in zip(p, self.data[:2 + p.x // 2], strict=True):  # here\n    pass",
        "ValueError: Spot(x=2, turns=2)",
        "",
        (1, 2, 3),
    ),
}


@pytest.mark.parametrize("name", some(MISTAKES, 8))
def test_an_error_that_python_raises_is_raised_with_its_position(tmp_path: Path, name: str) -> None:
    """Compiled rules stop where Python would, and what is said is what Python says there."""
    hook, mistake, raised, helpers, data = (*MISTAKES[name], "", 0)[:5]
    text = written(hook, mistake, helpers)
    game = imported(tmp_path, text).Walk(data=data)
    with pytest.raises(RulesError) as caught:
        zermelo.solve(game, threads=1)
    file = re.escape(str(tmp_path))
    kind, position = re.escape(raised).split(r":\ ")
    said = re.fullmatch(
        rf"Walk\.{hook}\(\) raised {kind}: .+ at {position} \({file}/\w+\.py:(\d+)\); "
        r"rules must accept every position that can be reached",
        str(caught.value),
    )
    assert said is not None, caught.value
    assert HERE[2:] in text.splitlines()[int(said[1]) - 1]


def test_a_hook_that_returns_nothing_is_told_apart_from_one_that_ends(tmp_path: Path) -> None:
    """A ``moves`` that falls off its end without a yield is an error, as it is in Python."""
    mistake = "def moves(self, p):\n    if p.x < 2:\n        return [1]"
    game = imported(tmp_path, written("class", mistake)).Walk()
    with pytest.raises(RulesError) as caught:
        zermelo.solve(game, threads=1)
    assert str(caught.value) == (
        "Walk.moves(Spot(x=2, turns=2)) returned nothing to iterate over; yield each move, or "
        "return a list of them"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            {1: 2},
            (
                "parameter 'data' is a dict, which has no order; give a list, a "
                "tuple or a NumPy array"
            ),
        ),
        (
            np.array([0.5]),
            (
                "parameter 'data' is an array of float64, and rules compute with whole numbers; "
                "convert it to integers"
            ),
        ),
    ],
    ids=["a dict", "fractions"],
)
def test_a_parameter_no_rule_could_use_is_refused_when_the_game_is_made(
    tmp_path: Path, data: Any, message: str
) -> None:
    """A mapping or an array of fractions does not get as far as the compiler."""
    module = imported(tmp_path, written("moves", "pass"))
    with pytest.raises(ParameterError) as caught:
        module.Walk(data=data)
    assert str(caught.value) == message
