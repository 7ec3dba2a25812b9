"""Kinds of things that do not go together: Numba finds them, and a sentence says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.faults.mistakes import complaint, written
from support.sizes import some

#: The hook, the mistake in it, the whole message; then helpers, and the parameter ``data``.
MISTAKES: dict[str, tuple[Any, ...]] = {
    "sqrt": (
        "class",
        ("def play(self, p, move):  # here\n    return Spot(p.x + math.sqrt(move), p.turns + 1)"),
        (
            "Walk.play gives the field x, which is a fraction (a float); divide with // "
            "and keep to whole numbers"
        ),
    ),
    "no return at all": (
        "play",
        "return Spot(p.x + step(move), p.turns + 1)",
        "Walk.play uses + on a whole number and None; a return may be missing on some path",
        "def step(move):\n    move + 1",
    ),
    "never defined var": (
        "outcome",
        "if far > 3:\n    return LOSS\nfar = 1",
        "Walk.outcome reads far before giving it a value; give it one first",
    ),
    "unify tuple": (
        "outcome",
        "step = 1\nif p.x > 4:\n    step = (1, 2)\nif step == 1:  # here\n    return LOSS",
        (
            "Walk.outcome makes step a whole number in one place and a tuple in another; "
            "keep it to one kind"
        ),
    ),
    "return unify": (
        "play",
        "return Spot(p.x + step(move), p.turns + 1)",
        "step returns a whole number and a tuple; return one kind of thing on every path",
        "def step(move):\n    if move > 1:\n        return 2\n    return (1, 2)  # here",
    ),
    "unknown attr of position": (
        "play",
        "return Spot(p.y + move, p.turns + 1)",
        "Walk.play uses .y of a Spot, which is not one of its fields; use one of them",
    ),
    "method of position": (
        "play",
        "return Spot(p.count_up(3) + move, p.turns + 1)",
        "Walk.play calls Spot.count_up() with 1 values; it takes nothing",
    ),
    "no method of position": (
        "play",
        "return Spot(p.count_down() + move, p.turns + 1)",
        "Walk.play uses .count_down of a Spot, which is not one of its fields; use one of them",
    ),
    "np func bad": (
        "play",
        "return Spot(p.x + np.interp(p.x, 1), p.turns + 1)",
        (
            "Walk.play calls interp() on a whole number, which rules cannot; keep to "
            "whole numbers and tuples of them"
        ),
    ),
    "generator as number": (
        "class",
        (
            "def play(self, p, move):\n"
            "    return Spot(p.x + self.gen(p), p.turns + 1)  # here\n"
            "def gen(self, p):\n"
            "    yield 1"
        ),
        "Walk.play uses + on a whole number and a generator; go through it with a for loop",
    ),
    "generator len": (
        "class",
        (
            "def play(self, p, move):\n"
            "    return Spot(p.x + len(self.gen(p)), p.turns + 1)  # here\n"
            "def gen(self, p):\n"
            "    yield 1"
        ),
        ("Walk.play calls len() on a generator, which rules cannot; go through it with a for loop"),
    ),
    "play nothing": (
        "class",
        "def play(self, p, move):  # here\n    Spot(p.x + move, p.turns + 1)",
        "Walk.play returns None; return Spot(x, turns) on every path",
    ),
    "play tuple3": (
        "class",
        "def play(self, p, move):  # here\n    return (p.x + move, p.turns + 1, 3)",
        "Walk.play returns a tuple of 3; return Spot(x, turns)",
    ),
    "play int": (
        "class",
        "def play(self, p, move):  # here\n    return p.x + move",
        "Walk.play returns a whole number; return Spot(x, turns)",
    ),
    "play field none": (
        "class",
        "def play(self, p, move):  # here\n    return Spot(p.x + move, None)",
        ("Walk.play gives the field turns, which is None; make it a whole number on every path"),
    ),
    "play field tuple": (
        "class",
        "def play(self, p, move):  # here\n    return Spot(p.x + move, (1, 2))",
        "Walk.play gives the field turns, which is a tuple; make it a whole number",
    ),
    "outcome bool": (
        "class",
        "def outcome(self, p):  # here\n    return p.x > 3",
        "Walk.outcome returns True or False; return WIN, DRAW, LOSS or None",
    ),
    "gain none": (
        "class",
        "def gain(self, p, move):\n    pass",
        "Walk.gain returns None; return a whole number on every path",
    ),
    "score none": (
        "class",
        "def score(self, p):\n    pass",
        "Walk.score returns None; return a whole number on every path",
    ),
    "moves int": (
        "class",
        "def moves(self, p):\n    return 3  # here",
        "Walk.moves loops over a whole number as if it were a row; use range() to count",
    ),
    "slice tuple": (
        "moves",
        "for i in p[p.x:]:\n    yield 1",
        (
            "Walk.moves takes a slice of a Spot; go through it with a for loop, or write "
            "the parts out"
        ),
    ),
    "sorted by what may change": (
        "moves",
        "for i in sorted([1, 2], key=abs, reverse=p.x > 1):\n    yield i",
        (
            "Walk.moves uses sorted() with a reverse= that may change, which rules cannot; write "
            "a for loop"
        ),
    ),
    "min of mixed types": (
        "moves",
        "yield min((1, (2, 3)), key=len)",
        ("Walk.moves loops over a tuple of mixed types; keep numbers and rows of numbers apart"),
    ),
    "replace unknown": (
        "play",
        "return p._replace(y=3)",
        "Walk.play calls _replace() on a Spot, which has no y; name fields it has",
    ),
    "put wrong": (
        "play",
        "return Spot(put(p.x, 0, 1), p.turns + 1)",
        (
            "Walk.play calls put() so that it changes a whole number; write put(tuple, "
            "place, whole number)"
        ),
    ),
    "put value": (
        "play",
        "q = put((1, 2), 0, math.sqrt(3))\nreturn Spot(q[0], p.turns + 1)",
        (
            "Walk.play calls put() so that it puts in a fraction (a float); write "
            "put(tuple, place, whole number)"
        ),
    ),
    "index a number": (
        "play",
        "return Spot(p.x[0], p.turns + 1)",
        (
            "Walk.play looks up a place in a whole number; only rows and tuples have places, so "
            "if this is a move, make every move a tuple"
        ),
    ),
    "unpack a number": (
        "play",
        "a, b = p.x\nreturn Spot(a, p.turns + 1)",
        (
            "Walk.play unpacks a whole number; if it is a move, make every move a tuple, and "
            "tell them apart by len(move)"
        ),
    ),
    "isinstance": (
        "play",
        "return Spot(p.x, p.turns + isinstance(p, Spot))",
        (
            "Walk.play asks by isinstance() what a Spot is; if it is a move, make every move "
            "a tuple, and tell them apart by len(move)"
        ),
    ),
    "no such place": (
        "play",
        "return Spot((p.x, 1)[2], p.turns + 1)",
        (
            "Walk.play looks up a place that a tuple does not have; if tuples differ, ask len() "
            "first"
        ),
    ),
    "moves of all lengths in a list": (
        "moves",
        "found = [(p.x, 1)]\nfound.append((p.x, 1, 2))  # here\nreturn found",
        (
            "Walk.moves appends tuples of different lengths to one list; yield each where it is "
            "found"
        ),
    ),
    "a move with None": (
        "moves",
        "yield 1, None",
        (
            "Walk.moves gives a move with None in it; leave that part out, so that the move is "
            "shorter"
        ),
    ),
    "loop over number": (
        "moves",
        "for i in p.x:\n    yield i",
        "Walk.moves loops over a whole number as if it were a row; use range() to count",
    ),
    "empty list helper": (
        "class",
        (
            "def moves(self, p):\n"
            "    for s in self.steps(p):\n"
            "        yield s\n"
            "def steps(self, p):\n"
            "    return []  # here"
        ),
        ("Walk.steps makes a list that nothing is put into; put numbers into it, or leave it out"),
    ),
    "unpack count": (
        "moves",
        "a, b, c = p\nyield a",
        "Walk.moves unpacks 2 values into 3 names",
    ),
    "range idx": (
        "moves",
        "yield range(5)[2]",
        "Walk.moves looks up a place in a range; go through it with a for loop",
    ),
    "recursion untyped": (
        "moves",
        "yield walk(3)",
        "walk calls itself on every path; return a value on at least one without doing so",
        "def walk(n):\n    return walk(n - 1)  # here",
    ),
    "assign global array": (
        "moves",
        "self.data[0] = 1",
        (
            "Walk.moves changes a whole number; make a changed copy of a tuple with "
            "put(row, i, value)"
        ),
    ),
    "set item tuple": (
        "play",
        "q = (1, 2)\nq[0] = 3  # here\nreturn Spot(q[0], p.turns + 1)",
        "Walk.play changes a tuple; make a changed copy of a tuple with put(row, i, value)",
    ),
}


@pytest.mark.parametrize("name", some(MISTAKES, 6))
def test_a_mistake_that_numba_finds_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    """Nothing is left of Numba's text; the message names the author's file and line."""
    hook, mistake, message, helpers, data = (*MISTAKES[name], "", 0)[:5]
    assert complaint(tmp_path, written(hook, mistake, helpers), mistake, data) == message
