"""Names, calls and hooks that rules cannot use, each refused in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.faults.mistakes import complaint, written
from support.sizes import some

#: The hook, the mistake in it, the whole message; then helpers, and the parameter ``data``.
MISTAKES: dict[str, tuple[Any, ...]] = {
    "itertools": (
        "moves",
        "for a, b in itertools.groupby((1, 1, 2)):\n    yield a + b + 1",
        "Walk.moves uses itertools.groupby(), which rules cannot; write a for loop",
    ),
    "combinations of any number": (
        "moves",
        "for a in itertools.combinations((1, 1, 2), p.x):\n    yield a[0]",
        (
            "Walk.moves uses itertools.combinations() of a number that is not written out, which "
            "rules cannot; write out a number of at most 8, or write a loop"
        ),
    ),
    "random": (
        "moves",
        "yield random.randint(1, 2)",
        (
            "Walk.moves uses random.randint, which rules cannot; they must give the same "
            "answer every time, so compute it from the position"
        ),
    ),
    "np random": (
        "moves",
        "yield np.random.randint(1, 2)",
        (
            "Walk.moves uses np.random.randint, which rules cannot; they must give the "
            "same answer every time, so compute it from the position"
        ),
    ),
    "np linalg": (
        "play",
        "return Spot(p.x + np.linalg.norm(3), p.turns + 1)",
        (
            "Walk.play uses np.linalg.norm(), which rules cannot; they may call functions"
            " of your own, and those of math and of NumPy itself"
        ),
    ),
    "big module const": (
        "play",
        "return Spot(p.x + HUGE, p.turns + 1)",
        (
            "Walk.play uses HUGE, which is 0x400000000000000000, past 64 bits; split it "
            "over two numbers"
        ),
    ),
    "float module const": (
        "play",
        "return Spot(p.x + HALF, p.turns + 1)",
        (
            "Walk.play uses HALF, which is the fraction 0.5; rules compute with whole "
            "numbers, so scale it to one"
        ),
    ),
    "dict of unlike keys": (
        "play",
        "return Spot(p.x + UNLIKE[p.x], p.turns + 1)",
        (
            "Walk.play uses UNLIKE, which is a dict of unlike keys; use whole numbers, or "
            "tuples of as many, for keys"
        ),
        "UNLIKE = {1: 2, (1, 2): 3}",
    ),
    "dict of words": (
        "play",
        "return Spot(p.x + COST[NAMES[p.x]], p.turns + 1)",
        (
            "Walk.play uses COST, which is a dict with the key 'rook'; rules look up strings in "
            "it only where they are written out, so use whole numbers, or single characters, for "
            "keys"
        ),
        'COST = {"rook": 2, "pawn": 3}',
    ),
    "empty set": (
        "play",
        "return Spot(p.x + len(NOTHING), p.turns + 1)",
        (
            "Walk.play uses NOTHING, which is a set that holds nothing; put something into it, or "
            "leave it out"
        ),
        "NOTHING = set()",
    ),
    "key of another kind": (
        "play",
        "return Spot(p.x + SIZES[p], p.turns + 1)",
        (
            "Walk.play looks up a Spot where keys are like a whole number; look up a key of that "
            "kind"
        ),
    ),
    "string in a sum": (
        "play",
        "return Spot(p.x + NAMES[p.x], p.turns + 1)",
        (
            "Walk.play uses + on a whole number and a string; number the cases and give the "
            "numbers names at the top of the module"
        ),
    ),
    "float array const": (
        "play",
        "return Spot(p.x + WEIGHTS[1], p.turns + 1)",
        (
            "Walk.play uses WEIGHTS, which is an array of float64; rules compute with "
            "whole numbers, so convert it to integers"
        ),
    ),
    "enum itself": (
        "play",
        "return Spot(p.x + Kind.A, p.turns + 1)",
        "Walk.play uses + on a whole number and a Kind; keep to whole numbers and tuples of them",
    ),
    "enum called": (
        "play",
        "return Spot(p.x + Kind(p.x).value, p.turns + 1)",
        "Walk.play uses Kind(...), which rules cannot; name the member, as in Kind.NAME",
    ),
    "args too many": (
        "play",
        "return Spot(p.x + step(move, 2), p.turns + 1)",
        "Walk.play calls step() with 2 values; it takes move",
        "def step(move):\n    return move",
    ),
    "args too few": (
        "play",
        "return Spot(p.x + step(), p.turns + 1)",
        "Walk.play calls step() with no move; it takes move",
        "def step(move):\n    return move",
    ),
    "args keyword": (
        "play",
        "return Spot(p.x + step(mov=2), p.turns + 1)",
        "Walk.play calls step() with mov=; it takes move",
        "def step(move):\n    return move",
    ),
    "record few": (
        "play",
        "return Spot(p.x + move)",
        "Walk.play gives no turns to Spot; it takes x, turns",
    ),
    "record many": (
        "play",
        "return Spot(p.x + move, 1, 2)",
        "Walk.play gives 3 values to Spot; it takes x, turns",
    ),
    "record keyword": (
        "play",
        "return Spot(p.x + move, turn=2)",
        "Walk.play gives turn= to Spot; it takes x, turns",
    ),
    "str parameter": (
        "play",
        "return Spot(p.x + self.data, p.turns + 1)",
        (
            "Walk.play uses + on a whole number and a string; number the cases and give the "
            "numbers names at the top of the module"
        ),
        "",
        "abc",
    ),
    "ragged mixed": (
        "play",
        "return Spot(p.x + self.data[p.x], p.turns + 1)",
        (
            "Walk.play looks up a place in a tuple of mixed types; keep numbers and rows of "
            "numbers apart"
        ),
        "",
        ((1, 2), 3),
    ),
    "huge param": (
        "play",
        "return Spot(p.x + self.data, p.turns + 1)",
        (
            "Walk.play uses self.data, which is 0x400000000000000000, past 64 bits; split"
            " it over two numbers"
        ),
        "",
        1 << 70,
    ),
    "star args helper": (
        "play",
        "return Spot(p.x + step(move), p.turns + 1)",
        "Walk.play uses step(), which takes * or **, which rules cannot; name its arguments",
        "def step(*moves):\n    return moves[0]",
    ),
    "self itself": (
        "moves",
        "game = self",
        "Walk.moves uses self by itself, which rules cannot; use self.something",
    ),
    "self reassign": (
        "class",
        "def moves(self, p):  # here\n    self = 3\n    yield 1",
        "Walk.moves gives self another value; self is the game in rules",
    ),
    "func uncalled": (
        "moves",
        "f = step",
        (
            "Walk.moves uses the function step without calling it, which rules cannot; "
            "write step(...)"
        ),
        "def step(): return 1",
    ),
    "method uncalled": (
        "class",
        ("def moves(self, p):\n    f = self.step  # here\n    yield 1\ndef step(self): return 1"),
        ("Walk.moves uses self.step without calling it, which rules cannot; write self.step(...)"),
    ),
    "classmethod": (
        "class",
        (
            "def moves(self, p):\n"
            "    yield self.step()  # here\n"
            "@classmethod\n"
            "def step(cls): return 1"
        ),
        (
            "Walk.moves uses the classmethod step(), which rules cannot; make it a "
            "staticmethod or an ordinary method"
        ),
    ),
    "super none": (
        "moves",
        "yield super().step()",
        "Walk.moves calls super().step(), which no base class has",
    ),
    "super alone": (
        "moves",
        "s = super()",
        (
            "Walk.moves uses super(), which rules cannot; call a method of it, as in "
            "super().moves(position)"
        ),
    ),
    "hook arity": (
        "class",
        "def moves(self):\n    yield 1",
        "Walk.moves takes (self); write def moves(self, position)",
    ),
    "hook arity2": (
        "class",
        "def play(self, p):  # here\n    return p",
        "Walk.play takes (self, p); write def play(self, position, move)",
    ),
    "map alone": (
        "moves",
        "f = map\nyield 1",
        "Walk.moves uses map(), which rules cannot; use a for loop",
    ),
    "lambda of another number": (
        "moves",
        "yield max((1, 2), key=lambda a, b: a)",
        (
            "Walk.moves uses a lambda with other arguments than it is called with, which rules "
            "cannot; give it 1 argument"
        ),
    ),
    "next of an iterator": (
        "moves",
        "rows = (i for i in range(3))\nyield next(rows)  # here",
        (
            "Walk.moves uses next() of an iterator that goes on, which rules cannot; write "
            "next(... for ... in ...), or a for loop"
        ),
    ),
    "queue of a length": (
        "moves",
        "q = collections.deque((1, 2), maxlen=3)\nyield q[0]",
        ("Walk.moves uses deque() with maxlen, which rules cannot; drop what is too much yourself"),
        "import collections",
    ),
    "replace star": (
        "play",
        'return p._replace(**{"x": 3})',
        (
            "Walk.play uses _replace() without the names of fields, which rules cannot; "
            "write _replace(field=value)"
        ),
    ),
    "bin": (
        "moves",
        'yield bin(p.x).count("1")',
        "Walk.moves uses bin(), which rules cannot; use bit_count(), shifts and masks",
    ),
    "type": (
        "moves",
        "yield type(p)(1, 2)[0]",
        "Walk.moves uses type(), which rules cannot; test a number instead",
    ),
    "statistics": (
        "moves",
        "yield statistics.mean((1, 2))",
        (
            "Walk.moves uses statistics.mean(), which rules cannot; write it as a "
            "function of your own"
        ),
        "import statistics",
    ),
    "partial": (
        "moves",
        "yield functools.partial(max, 3)(p.x)",
        (
            "Walk.moves uses functools.partial(), which rules cannot; call the function with all "
            "its arguments"
        ),
        "import functools",
    ),
    "decorated": (
        "class",
        "@doubled\ndef moves(self, p):\n    yield 1",
        (
            "Walk.moves takes * or **, as decorators' functions do; write def moves(self,"
            " position), without a decorator"
        ),
        (
            "import functools\n"
            "def doubled(function):\n"
            "    @functools.wraps(function)  # here\n"
            "    def wrapper(*args):\n"
            "        return function(*args)\n"
            "    return wrapper"
        ),
    ),
    "recursive gen loop": (
        "class",
        (
            "def moves(self, p):\n"
            "    for i in self.walk(p, 2):\n"
            "        yield i\n"
            "def walk(self, p, n):\n"
            "    if n:\n"
            "        yield n\n"
            "        for k in self.walk(p, n - 1):  # here\n"
            "            yield k"
        ),
        (
            "Walk.walk uses self.walk() inside itself, in a loop, which rules cannot; in "
            "moves, use a `yield from` statement for it"
        ),
    ),
}


@pytest.mark.parametrize("name", some(MISTAKES, 3))
def test_a_name_or_call_that_cannot_be_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    """The message is one whole sentence, and names the author's file and line."""
    hook, mistake, message, helpers, data = (*MISTAKES[name], "", 0)[:5]
    assert complaint(tmp_path, written(hook, mistake, helpers), mistake, data) == message
