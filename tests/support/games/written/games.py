"""Whole games in correct and in wrong Python, with variants of positions, moves and parameters.

Each entry has the text of a class ``Mine``, which follows the header of ``bodies.py``, and a part of
the message of its error; the part is empty if the game solves with the values of plain Python.
"""

from __future__ import annotations

# ruff: noqa: E501  # a table has a line for each variant

#: The parts of a game that takes one to three from a heap; a variant replaces some of them.
_PARTS = {
    "head": "class Mine(Game):",
    "start": "def start(self):\n    return 7",
    "outcome": "def outcome(self, p):\n    if p == 0:\n        return LOSS",
    "moves": "def moves(self, p):\n    for taken in range(1, min(3, p) + 1):\n        yield taken",
    "play": "def play(self, p, taken):\n    return p - taken",
}


def heap(above: str = "", **parts: str) -> str:
    """Return the text of the game of a heap, with other parts and with text ``above`` the class."""
    head, *bodies = (_PARTS | parts).values()
    lines = [line for part in bodies for line in part.splitlines()]
    return "\n\n" + above + "\n\n" + head + "\n" + "\n".join("    " + line for line in lines) + "\n"


def _moves(body: str) -> str:
    return heap(moves="def moves(self, p):\n" + "\n".join("    " + b for b in body.splitlines()))


_PAIR = """
class Pair(NamedTuple):
    a: int
    b: int
"""
_ROW = """
class Row(NamedTuple):
    heaps: tuple[int, int, int]
"""
_ROWS = {
    "above": _ROW,
    "start": "def start(self):\n    return Row((2, 1, 2))",
    "outcome": "no_moves = LOSS",
    "moves": (
        "def moves(self, p):\n    for i, heap in enumerate(p.heaps):\n"
        "        for left in range(heap):\n            yield i, left"
    ),
}


def _rows(play: str, **parts: str) -> str:
    body = "\n".join("    " + line for line in play.splitlines())
    return heap(**(_ROWS | {"play": "def play(self, p, move):\n" + body} | parts))


_TURNS = {
    "above": "class Turn(NamedTuple):\n    left: int\n    who: int",
    "start": "def start(self):\n    return Turn(6, 0)",
    "outcome": "def turn(self, p):\n    return p.who",
    "moves": "def moves(self, p):\n    return range(1, min(2, p.left) + 1)",
    "play": "def play(self, p, n):\n    return Turn(p.left - n, 1 - p.who if n == 1 else p.who)",
}


def _turns(ending: str, **parts: str) -> str:
    return heap(**(_TURNS | {"outcome": _TURNS["outcome"] + "\n" + ending} | parts))


GAMES: dict[str, tuple[str, str]] = {
    # -- moves --------------------------------------------------------------------------------
    "moves that yield": (heap(), ""),
    "moves as a list": (_moves("return [1, 2][:p]"), ""),
    "moves as a list that is filled": (
        _moves(
            "found = []\nfor n in range(1, 4):\n    if n <= p:\n        found.append(n)\nreturn found"
        ),
        "",
    ),
    "moves as a comprehension": (_moves("return [n for n in (1, 2, 3) if n <= p]"), ""),
    "moves as a generator": (_moves("return (n for n in (1, 2, 3) if n <= p)"), ""),
    "moves as a range": (_moves("return range(1, min(3, p) + 1)"), ""),
    "moves as a tuple": (
        _moves("if p > 2:\n    return (1, 2)\nif p:\n    return (1,)\nreturn ()"),
        "",
    ),
    "moves as a set": (_moves("return {1} if p else set()"), "set"),
    "moves as a dict": (_moves("return {1: 2}"), "yield each move"),
    "moves as a conditional": (_moves("return [1, 2] if p > 1 else [1] if p else []"), ""),
    "yield from a range": (_moves("yield from range(1, min(3, p) + 1)"), ""),
    "yield from a list": (_moves("yield from [n for n in (2, 1) if n <= p]"), ""),
    "yield from a method": (
        heap(
            moves="def some(self, p):\n    if p:\n        yield 1\n\ndef moves(self, p):\n    yield from self.some(p)"
        ),
        "",
    ),
    "yield from a helper": (_moves("yield from (n for n in evens(p + 1) if n)"), ""),
    "a return before moves": (_moves("if not p:\n    return\nyield 1"), ""),
    "moves in a while loop": (
        _moves("n = 1\nwhile n <= p and n < 4:\n    yield n\n    n += 1"),
        "",
    ),
    "moves twice": (_moves("for n in (1, 1, 2):\n    if n <= p:\n        yield n"), ""),
    "moves of pairs": (
        heap(
            moves="def moves(self, p):\n    if p:\n        yield 1, 0",
            play="def play(self, p, m):\n    a, b = m\n    return p - a + b",
        ),
        "",
    ),
    "moves of nested pairs": (
        heap(
            moves="def moves(self, p):\n    if p:\n        yield (1, 0), 2",
            play="def play(self, p, m):\n    (a, b), c = m\n    return p - a + b",
        ),
        "",
    ),
    "moves that are NamedTuples": (
        heap(
            moves="def moves(self, p):\n    if p:\n        yield Step(1, 0)",
            play="def play(self, p, m):\n    return p - m.dx + m.dy",
        ),
        "",
    ),
    "moves that are members": (
        heap(
            moves="def moves(self, p):\n    if p:\n        yield Piece.MAN",
            play="def play(self, p, m):\n    return p - m",
        ),
        "",
    ),
    "moves that are truth values": (
        heap(
            moves="def moves(self, p):\n    if p:\n        yield True",
            play="def play(self, p, m):\n    return p - m",
        ),
        "",
    ),
    "moves of unlike kinds": (
        _moves("if p:\n    yield 1\n    yield 1, 2"),
        "a whole number and a tuple",
    ),
    "moves that are words": (_moves("yield 'take'"), "a whole number and a string"),
    "moves that are fractions": (_moves("yield 1.0"), "1.0"),
    "moves that are None": (_moves("if p:\n    yield None"), "None"),
    "moves that are lists": (_moves("if p:\n    yield [1]"), "list"),
    "moves returned one at a time": (_moves("return 1"), "moves"),
    "moves that return nothing": (_moves("n = p"), "yield each move"),
    "moves past the end": (
        heap(
            moves="def moves(self, p):\n    yield 1\n    yield 2\n\ndef space(self):\n    return range(8)"
        ),
        "-1",
    ),
    "moves without an end": (_moves("while True:\n    yield 1"), "moves"),
    # -- positions ----------------------------------------------------------------------------
    "a pair of numbers": (
        heap(
            _PAIR,
            start="def start(self):\n    return Pair(3, 2)",
            outcome="no_moves = WIN",
            moves="def moves(self, p):\n    if p.a:\n        yield 0\n    if p.b:\n        yield 1",
            play="def play(self, p, m):\n    return Pair(p.a - 1, p.b) if m == 0 else Pair(p.a, p.b - 1)",
        ),
        "",
    ),
    "a pair by _replace": (
        heap(
            _PAIR,
            start="def start(self):\n    return Pair(3, 2)",
            outcome="no_moves = DRAW",
            moves="def moves(self, p):\n    if p.a:\n        yield 0\n    if p.b:\n        yield 1",
            play="def play(self, p, m):\n    return p._replace(a=p.a - 1) if m == 0 else p._replace(b=p.b - 1)",
        ),
        "",
    ),
    "a pair unpacked": (
        heap(
            _PAIR,
            start="def start(self):\n    return Pair(3, 2)",
            outcome="no_moves = WIN",
            moves="def moves(self, p):\n    a, b = p\n    return range(a + b)",
            play="def play(self, p, m):\n    a, b = p\n    return Pair(b, a - 1) if a else Pair(a, b - 1)",
        ),
        "",
    ),
    "a plain tuple": (
        heap(
            start="def start(self):\n    return (3, 2)",
            outcome="no_moves = WIN",
            moves="def moves(self, p):\n    return range(p[0])",
            play="def play(self, p, m):\n    return (p[0] - 1, p[1])",
        ),
        "NamedTuple",
    ),
    "a list": (heap(start="def start(self):\n    return [3, 2]"), "position"),
    "a string": (heap(start="def start(self):\n    return 'xxx'"), "position"),
    "a dict as a position": (heap(start="def start(self):\n    return {'left': 3}"), "position"),
    "None as a position": (heap(play="def play(self, p, n):\n    return None"), "None"),
    "a position of another kind": (
        heap(_PAIR, play="def play(self, p, n):\n    return Pair(p - n, 0)"),
        "Pair",
    ),
    "a frozen dataclass as a position": (
        heap(
            "@dataclass(frozen=True)\nclass Left:\n    left: int",
            start="def start(self):\n    return Left(5)",
            outcome="no_moves = WIN",
            moves="def moves(self, p):\n    return range(1, min(2, p.left) + 1)",
            play="def play(self, p, n):\n    return Left(p.left - n)",
        ),
        "",
    ),
    "a position within a position": (
        heap(
            _PAIR + "\n\nclass Two(NamedTuple):\n    one: Pair\n    other: Pair",
            start="def start(self):\n    return Two(Pair(1, 2), Pair(2, 1))",
            outcome="no_moves = WIN",
            moves="def moves(self, p):\n    return range(p.one.a + p.other.b)",
            play="def play(self, p, m):\n    return Two(p.other, Pair(p.one.a - 1, p.one.b)) if p.one.a else Two(p.one, Pair(p.other.a, p.other.b - 1))",
        ),
        "",
    ),
    "a row changed by put": (_rows("i, left = move\nreturn Row(put(p.heaps, i, left))"), ""),
    "a row changed by _replace": (
        _rows("i, left = move\nreturn p._replace(heaps=put(p.heaps, i, left))"),
        "",
    ),
    "a row changed by a list": (
        _rows("i, left = move\nheaps = list(p.heaps)\nheaps[i] = left\nreturn Row(tuple(heaps))"),
        "",
    ),
    "a row changed by slices": (
        _rows("i, left = move\nreturn Row(p.heaps[:i] + (left,) + p.heaps[i + 1:])"),
        "",
    ),
    "a row changed by a generator": (
        _rows(
            "i, left = move\nreturn Row(tuple(left if j == i else h for j, h in enumerate(p.heaps)))"
        ),
        "",
    ),
    "a row sorted": (
        _rows("i, left = move\nreturn Row(tuple(sorted(put(p.heaps, i, left))))"),
        "",
    ),
    "a row that gets shorter": (_rows("return Row(p.heaps[1:])"), "heaps"),
    "a row from a comprehension": (_rows("return Row([h // 2 for h in p.heaps])"), "list"),
    "a row written in start by a generator": (
        _rows(
            "i, left = move\nreturn Row(put(p.heaps, i, left))",
            start="def start(self):\n    return Row(tuple(i for i in range(3)))",
        ),
        "",
    ),
    "a truth value as a field": (
        heap(
            "class Flag(NamedTuple):\n    up: bool\n    left: int",
            start="def start(self):\n    return Flag(True, 4)",
            outcome="no_moves = LOSS",
            moves="def moves(self, p):\n    return range(p.left)",
            play="def play(self, p, n):\n    return Flag(not p.up, p.left - 1)",
        ),
        "",
    ),
    "a position past its bits": (
        heap(
            _PAIR,
            start="def start(self):\n    return Pair(1, 0)",
            outcome="no_moves = LOSS",
            moves="def moves(self, p):\n    return range(1 if p.b < 90 else 0)",
            play="def play(self, p, n):\n    return Pair(p.a * 5 + 1, p.b + 1)",
        ),
        "past 64 bits",
    ),
    "a position outside its space, within its bits": (
        heap(
            play="def play(self, p, n):\n    return p - n\n\ndef space(self):\n    return range(6)"
        ),
        "",
    ),
    # -- hooks --------------------------------------------------------------------------------
    "an outcome in words": (
        heap(outcome="def outcome(self, p):\n    return 'loss' if p == 0 else None"),
        "text",
    ),
    "an outcome as a conditional": (
        heap(outcome="def outcome(self, p):\n    return LOSS if p == 0 else None"),
        "",
    ),
    "an outcome by number": (
        heap(outcome="def outcome(self, p):\n    return -1 if p == 0 else None"),
        "",
    ),
    "an outcome that is a truth value": (
        heap(outcome="def outcome(self, p):\n    return p == 0"),
        "outcome",
    ),
    "an outcome of two": (
        heap(outcome="def outcome(self, p):\n    return 2 if p == 0 else None"),
        "outcome",
    ),
    "an outcome by match": (
        heap(
            outcome="def outcome(self, p):\n    match p:\n        case 0:\n            return LOSS\n        case 1:\n            return DRAW"
        ),
        "",
    ),
    "mate and stalemate by any(self.moves(p))": (
        heap(
            outcome="def outcome(self, p):\n    if not any(self.moves(p)):\n        return DRAW if p else LOSS",
            moves="def moves(self, p):\n    for n in (1, 3):\n        if n < p:\n            yield n",
        ),
        "",
    ),
    "a winner": (_turns("def winner(self, p):\n    if p.left == 0:\n        return 1 - p.who"), ""),
    "a winner that is nobody": (
        _turns("def winner(self, p):\n    if p.left == 0:\n        return NOBODY"),
        "",
    ),
    "a winner with three players": (
        _turns("def winner(self, p):\n    if p.left == 0:\n        return 2"),
        "winner",
    ),
    "a turn that is a truth value": (
        _turns(
            "",
            above="class Turn(NamedTuple):\n    left: int\n    who: int",
            outcome="def turn(self, p):\n    return p.left % 2 == 0",
        ),
        "",
    ),
    "a turn of two": (_turns("", outcome="def turn(self, p):\n    return 2"), "turn"),
    "a winner without a turn": (
        heap(outcome="def winner(self, p):\n    return 0 if p == 0 else None"),
        "turn",
    ),
    "outcome and winner": (
        _turns("def winner(self, p):\n    return None\n\ndef outcome(self, p):\n    return None"),
        "outcome",
    ),
    "points": (
        heap(
            outcome="def gain(self, p, n):\n    return p % n\n\ndef score(self, p):\n    return 0",
            moves='def moves(self, p):\n    "scores"\n    return range(1, min(2, p) + 1)',
        ),
        "",
    ),
    "points that are fractions": (heap(outcome="def gain(self, p, n):\n    return p / n"), "//"),
    "points in a cycle": (
        heap(
            outcome="def gain(self, p, n):\n    return 1",
            play="def play(self, p, n):\n    return (p + n) % 7",
        ),
        "cycle",
    ),
    "a level that falls": (
        heap(moves=_PARTS["moves"] + "\n\ndef level(self, p):\n    return p"),
        "",
    ),
    "several starts": (
        heap(start="def start(self):\n    return 7\n\ndef starts(self):\n    return [7, 5, 3]"),
        "",
    ),
    "starts that yield": (
        heap(start="def start(self):\n    return 7\n\ndef starts(self):\n    yield 7\n    yield 4"),
        "",
    ),
    "no starts": (
        heap(start="def start(self):\n    return 7\n\ndef starts(self):\n    return []"),
        "start",
    ),
    "a hook that is missing": (heap(play=""), "play"),
    "a hook with too few arguments": (heap(play="def play(self, p):\n    return p - 1"), "play"),
    "a hook with a default": (
        heap(play="def play(self, p, n, more=0):\n    return p - n - more"),
        "",
    ),
    "a hook with annotations": (
        heap(play="def play(self, p: int, n: int) -> int:\n    return p - n"),
        "",
    ),
    "a static hook": (heap(play="@staticmethod\ndef play(p, n):\n    return p - n"), ""),
    "a hook that is a lambda": (heap(play="play = lambda self, p, n: p - n"), ""),
    "a hook that is inherited": (
        heap(
            "class Taking:\n    def play(self, p, n):\n        return p - n",
            head="class Mine(Taking, Game):",
            play="",
        ),
        "",
    ),
    "a hook that counts how often it was called": (
        heap(
            head="calls = []\n\n\nclass Mine(Game):",
            play="def play(self, p, n):\n    calls.append(p)\n    return p - n",
        ),
        "of a row of numbers",
    ),
    # -- parameters ---------------------------------------------------------------------------
    "a parameter with a default": (
        heap(
            head="@dataclass(frozen=True)\nclass Mine(Game):\n    stones: int = 6",
            start="def start(self):\n    return self.stones",
        ),
        "",
    ),
    "a parameter that is a list": (
        heap(
            head="@dataclass(frozen=True)\nclass Mine(Game):\n    takes: Any = (1, 3)",
            moves="def moves(self, p):\n    for n in self.takes:\n        if n <= p:\n            yield n",
        ),
        "",
    ),
    "a parameter that is text for start": (
        heap(
            head='@dataclass(frozen=True)\nclass Mine(Game):\n    board: str = "ooo.o"',
            start="def start(self):\n    return self.board.count('o')",
        ),
        "",
    ),
    "a parameter that is text in a rule": (
        heap(
            head='@dataclass(frozen=True)\nclass Mine(Game):\n    board: str = "ooo"',
            play="def play(self, p, n):\n    return p - n if self.board[0] == 'o' else p",
        ),
        "",
    ),
    "a parameter that is a fraction": (
        heap(
            head="@dataclass(frozen=True)\nclass Mine(Game):\n    part: float = 0.5",
            play="def play(self, p, n):\n    return int(p * self.part)",
        ),
        "self.part",
    ),
    "a parameter that is a dict": (
        heap(
            head="@dataclass(frozen=True)\nclass Mine(Game):\n    takes: Any = None\n    def __post_init__(self):\n        object.__setattr__(self, 'takes', {1: 2})",
            play="def play(self, p, n):\n    return p - self.takes[1]",
        ),
        "takes",
    ),
    "a dataclass that is not frozen": (
        heap(head="@dataclass\nclass Mine(Game):\n    stones: int = 6"),
        "",
    ),
    "a constructor by hand": (
        heap(head="class Mine(Game):\n    def __init__(self):\n        self.most = 3"),
        "",
    ),
    "a class constant": (
        heap(
            head="class Mine(Game):\n    MOST = 2",
            moves="def moves(self, p):\n    return range(1, min(self.MOST, p) + 1)",
        ),
        "",
    ),
    "a cached property": (
        heap(
            head="class Mine(Game):\n    @cached_property\n    def takes(self):\n        return {n for n in (1, 2)}",
            moves="def moves(self, p):\n    return range(1, min(2, p) + 1)",
        ),
        "",
    ),
    "rules that cannot end the game": (
        heap(outcome="", play="def play(self, p, n):\n    return 13 - p"),
        "",
    ),
}
