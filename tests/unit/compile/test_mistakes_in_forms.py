"""Forms that rules cannot use: each is refused in a sentence that says what to write instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import zermelo
from support.faults.mistakes import complaint, imported, written
from support.sizes import some
from zermelo import CompileError

#: The hook, the mistake in it, the whole message; then helpers, and the parameter ``data``.
MISTAKES: dict[str, tuple[Any, ...]] = {
    "string outcome": (
        "outcome",
        'if p.x > 5:\n    return "win"  # here',
        ("Walk.outcome uses the string 'win', which rules cannot; return WIN, DRAW, LOSS or None"),
    ),
    "fstring": (
        "moves",
        'label = f"{p.x}"',
        (
            "Walk.moves uses an f-string, which rules cannot; they compute with whole "
            "numbers, so leave text to show()"
        ),
    ),
    "dict": (
        "moves",
        "steps = {1: p.x}\nyield steps[1]",
        (
            "Walk.moves uses a dict, which rules cannot; use a list with an entry for each number, "
            "or a constant at the top of the module"
        ),
    ),
    "dict that changes": (
        "moves",
        "steps = {1: 2}\nsteps[3] = 4  # here\nyield steps[1]",
        (
            "Walk.moves changes a dict, which is a constant in rules; use a list with an entry for "
            "each number"
        ),
    ),
    "set": (
        "moves",
        "seen = {1, 2}\nfor s in seen:\n    yield s",
        (
            "Walk.moves uses a set, which rules cannot; use a tuple, a bit mask, or a list with "
            "True and False for each number"
        ),
    ),
    "sort by key": (
        "moves",
        "rows = [3, 1]\nrows.sort(key=lambda n: -n)  # here\nyield rows[0]",
        (
            "Walk.moves uses sort() with key=, which rules cannot; write rows = sorted(rows, "
            "key=...)"
        ),
    ),
    "float": (
        "moves",
        "yield 1.0",
        "Walk.moves uses the fraction 1.0, which rules cannot; keep to whole numbers",
    ),
    "div": (
        "play",
        "return Spot(p.x + move / 2, p.turns + 1)",
        "Walk.play uses /, which gives a fraction; divide with //",
    ),
    "idiv": (
        "play",
        "move /= 2",
        "Walk.play uses /=, which gives a fraction; divide with //=",
    ),
    "unknown name": (
        "play",
        "return Spot(p.x + stp, p.turns + 1)",
        ("Walk.play uses the name 'stp', which is not defined; define it, or correct its spelling"),
    ),
    "unknown func": (
        "play",
        "return Spot(p.x + stp(2), p.turns + 1)",
        ("Walk.play uses the name 'stp', which is not defined; define it, or correct its spelling"),
    ),
    "unknown self": (
        "play",
        "return Spot(p.x + self.step, p.turns + 1)",
        "Walk.play uses self.step, which Walk does not have; write it, or declare it",
    ),
    "unknown self method": (
        "play",
        "return Spot(p.x + self.step(2), p.turns + 1)",
        "Walk.play uses self.step, which Walk does not have; write it, or declare it",
    ),
    "unknown module attr": (
        "play",
        "return Spot(p.x + math.sqrrt(2), p.turns + 1)",
        "Walk.play uses math.sqrrt, which does not exist; correct its spelling",
    ),
    "print": (
        "moves",
        "print(p)",
        (
            "Walk.moves uses print(), which rules cannot; take it out, or print where the"
            " rules are called"
        ),
    ),
    "try": (
        "moves",
        "try:\n    yield 1\nexcept ValueError:\n    pass",
        "Walk.moves uses try, which rules cannot; test with if before you do it",
    ),
    "lambda": (
        "moves",
        "f = lambda x: x + 1\nyield f(1)",
        (
            "Walk.moves uses a lambda, which rules cannot; write a method, or a function at the "
            "top of the module"
        ),
    ),
    "nested def": (
        "moves",
        "def f(x):\n    return x + 1\nyield f(1)",
        (
            "Walk.moves uses a function inside a function, which rules cannot; move it to"
            " the module or the class"
        ),
    ),
    "nested class": (
        "moves",
        "class F:\n    pass",
        ("Walk.moves uses a class inside a function, which rules cannot; move it to the module"),
    ),
    "import inside": (
        "moves",
        "import math",
        (
            "Walk.moves uses an import inside a function, which rules cannot; import at "
            "the top of the module"
        ),
    ),
    "assign self": (
        "moves",
        "self.size = 3",
        "Walk.moves assigns to self.size; a game cannot change, so keep it in the position",
    ),
    "assign position": (
        "play",
        "p.x += move\nreturn p",
        "Walk.play assigns to p.x; tuples cannot change, so make another with _replace()",
    ),
    "tuple gen": (
        "play",
        "q = tuple([x] for x in p)\nreturn Spot(q[0][0], q[1][0])",
        (
            "Walk.play makes a tuple of what is a list; keep whole numbers, and tuples of "
            "them, in tuples"
        ),
    ),
    "big const": (
        "play",
        "return Spot(p.x + 99999999999999999999, p.turns + 1)",
        (
            "Walk.play uses the number 99999999999999999999, which rules cannot; keep "
            "within 64 bits, that is below 2**63"
        ),
    ),
    "star call": (
        "play",
        "return Spot(*p[:1], 0)",
        (
            "Walk.play uses * in a call before its last argument, which rules cannot; write the "
            "arguments out, or give one row by its name, as the last of them"
        ),
    ),
    "star in names": (
        "play",
        "for first, *rest in (p,):  # here\n    pass\nreturn Spot(0, 0)",
        "Walk.play uses a starred expression, which rules cannot; write the parts out",
    ),
    "moves bare yield": (
        "moves",
        "yield",
        ("Walk.moves uses yield without a move, which rules cannot; yield the move, or return"),
    ),
    "yield value": (
        "moves",
        "got = yield 1",
        (
            "Walk.moves uses the value of a yield, which rules cannot; yield each move in"
            " a statement of its own"
        ),
    ),
    "while walrus else": (
        "moves",
        ("i = 0\nwhile (k := i + 1) < 3:  # here\n    i += 1\n    yield i\nelse:\n    yield 1"),
        (
            "Walk.moves uses := here, which rules cannot; give the variable its value in "
            "a statement of its own"
        ),
    ),
    "walrus in comp": (
        "moves",
        "if any((k := i) > 1 for i in range(3)):\n    yield k",
        (
            "Walk.moves uses := here, which rules cannot; give the variable its value in "
            "a statement of its own"
        ),
    ),
    "match seq": (
        "moves",
        "match p:\n    case (a, b):\n        yield 1\n    case 3:  # here\n        yield 2",
        (
            "Walk.moves uses this pattern beside one of a tuple, which rules cannot; match "
            "its parts by their number, as in case here, there, or use if"
        ),
    ),
    "match in seq": (
        "moves",
        "match p:\n    case (a, int()):  # here\n        yield 1",
        (
            "Walk.moves uses this pattern inside one of a tuple, which rules cannot; use if "
            "in the case"
        ),
    ),
    "match class": (
        "moves",
        "match p:\n    case Spot(x=3):  # here\n        yield 1",
        (
            "Walk.moves uses this pattern, which rules cannot; match a whole number, or a "
            "tuple by its parts, as in case here, there"
        ),
    ),
    "global": (
        "moves",
        "global SIZES",
        (
            "Walk.moves uses global, which rules cannot; rules change nothing, so "
            "store it in the position"
        ),
    ),
    "del": (
        "moves",
        "k = 3\ndel k  # here",
        (
            "Walk.moves uses del, which rules cannot; leave it out, or take an item out of a list "
            "with pop()"
        ),
    ),
    "with": (
        "moves",
        'with open("x") as f:\n    yield 1',
        (
            "Walk.moves uses with, which rules cannot; do it before the game is made, and "
            "keep what comes of it in a parameter"
        ),
    ),
}


@pytest.mark.parametrize("name", some(MISTAKES, 3))
def test_a_form_that_does_not_compile_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    """The message is one whole sentence, and names the author's file and line."""
    hook, mistake, message, helpers, data = (*MISTAKES[name], "", 0)[:5]
    assert complaint(tmp_path, written(hook, mistake, helpers), mistake, data) == message


def test_all_forms_that_do_not_compile_are_told_at_once(tmp_path: Path) -> None:
    """The error has each with its line, and says how many more there are; check lists them."""
    text = written(
        "class",
        """
def moves(self, p):
    seen = {1: p.x}
    if p.x > 1:
        total = 1 / 2
        print(p)
    yield step(p.x)

def play(self, p, move):
    with open("x") as f:
        pass
    return Spot(p.x + move, p.turns + 1)
""",
        "def step(n):\n    import math\n    return n + 1 if n < 3 else 1",
    )
    game = imported(tmp_path, text).Walk()
    with pytest.raises(CompileError) as caught:
        zermelo.solve(game)
    told = [str(fault.args[0]).split(";")[0] for fault in caught.value.faults]
    assert sorted(told) == [
        "Walk.moves uses /, which gives a fraction",
        "Walk.moves uses a dict, which rules cannot",
        "Walk.moves uses print(), which rules cannot",
        "Walk.play uses with, which rules cannot",
        "step uses an import inside a function, which rules cannot",
    ]
    assert "(and 4 more of the kind, which zermelo check lists)" in str(caught.value)
    listed = str(
        zermelo.check(imported(tmp_path, text.replace("with open", "if p.x > 8:#")).Walk())
    )
    assert all(sentence in listed for sentence in told if "Walk.play" not in sentence)
