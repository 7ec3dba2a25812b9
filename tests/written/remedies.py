"""What the sentences recommend instead of what they refuse, written as they say.

Each row is the name of a body in ``bodies.py`` that is refused, with a part of the remedy that the
sentence ends with, and the body after it. It solves, as in plain Python.
"""

from __future__ import annotations

REMEDIES: dict[str, tuple[str, str]] = {
    "bin and count": ("use bit_count(), shifts and masks", "return p.x.bit_count()"),
    "math.floor of a fraction": ("divide with //", "return p.x // 2"),
    "math.inf": (
        "use one that is larger than all others",
        "best = 99\nfor v in p.row:\n    best = min(best, v)\nreturn best",
    ),
    "a fraction": ("keep to whole numbers", "return p.x * 3 // 2"),
    "true division": ("divide with //", "return p.x // 2"),
    "true division in place": ("divide with //=", "a = p.x\na //= 2\nreturn a"),
    "a fraction of the module": ("so scale it to one", "return p.x * 5 // 10"),
    "float()": ("keep to whole numbers", "return p.x"),
    "a complex number": ("keep to whole numbers", "return p.x + 1"),
    "matrix product": (
        "keep to whole numbers and tuples",
        "return sum(TABLE[0, i] * TABLE[i, 0] for i in range(2))",
    ),
    "match on a class": (
        "match a whole number, or a tuple by its parts",
        "match p.x, p.turns:\n    case 0, there:\n        return 2\nreturn 3",
    ),
    "raise that happens": (
        "rules must accept every position",
        "if p.x == 4:\n    return 0\nreturn n",
    ),
    "assert that fails": ("rules must accept every position", "return 4 if p.x == 4 else n"),
    "try": ("test with if before you do it", "if p.x == 0:\n    return 0\nreturn 6 // p.x"),
    "with": ("keep what comes of it in a parameter", "return n + self.steps[0]"),
    "global": ("store it in the position", "return SIZE + p.turns"),
    "del": ("leave it out", "a = p.x\nreturn n"),
    "import inside": ("import at the top of the module", "return math.gcd(p.x, 2)"),
    "lambda": (
        "write a method, or a function at the top of the module",
        "return self.best(p.x) + double(n)",
    ),
    "a function inside": ("move it to the module or the class", "return add_both(p.x, n)"),
    "a class inside": ("move it to the module", "return Step(n, 1).dx"),
    "a yield in a rule": ("a return may be missing on some path", "return n if p.x else 0"),
    "print": ("take it out", "return n"),
    "exec": ("use whole numbers, tuples and loops", "n = 3\nreturn n"),
    "input": ("make it a parameter of the game", "return self.size"),
    "isinstance": (
        "tell them apart by len(move)",
        "move = (n, p.x)\nreturn 2 if len(move) == 2 else 3",
    ),
    "getattr": ("write the attribute's name out", "return p.x"),
    "type()": ("test a number instead", "return 1 if p.x > 0 else 2"),
    "hash": (
        "combine the numbers yourself",
        "h = 0\nfor v in p.row:\n    h = 31 * h + v\nreturn h % 7",
    ),
    "id": ("compare what numbers it holds", "return 1 if p == (0, 0, (0, 2, 1), 0) else 2"),
    "random": ("so compute it from the position", "return (7 * p.x + 3) % 4"),
    "an unknown name": ("correct its spelling", "return p.x + SIZE"),
    "an unknown attribute of the position": ("use one of them", "return p.x"),
    "an unknown attribute of the game": ("write it, or declare it", "return self.size"),
    "an unknown attribute of a module": ("correct its spelling", "return math.gcd(p.x, 2)"),
    "a variable without a value on one path": (
        "rules must accept every position",
        "a = 0\nif p.x > 2:\n    a = 1\nreturn a",
    ),
    "no return": ("a return may be missing on some path", "a = p.x + n\nreturn a"),
    "return of None on one path": (
        "rules must accept every position",
        "if p.x > 2:\n    return 1\nreturn 0",
    ),
    "a string returned": ("return whole numbers", "return Piece.MAN"),
    "two kinds returned": ("return one kind of thing", "if p.x > 2:\n    return 1\nreturn 2"),
    "a variable of two kinds": (
        "keep it to one kind",
        "a = (1, 1)\nif p.x > 2:\n    a = (1, 2)\nreturn n if a[1] == 2 else 2",
    ),
    "index of what is not there": (
        "rules must accept every position",
        "return p.row.index(2) if 2 in p.row else 3",
    ),
    "put outside": ("rules must accept every position", "return put(p.row, p.x % 3, 1)[0]"),
    "_replace with an unknown field": ("name fields it has", "return p._replace(x=n).x"),
    "_replace by stars": ("write _replace(field=value)", "return p._replace(x=1).x"),
    "an empty list that stays so": (
        "put numbers into it",
        "a = []\na.append(n)\nreturn len(a) + n",
    ),
    "sum of lists": (
        "put numbers into it",
        "a = [1]\nfor v in (2, 3):\n    a.append(v)\nreturn len(a)",
    ),
    "del of an item": (
        "take an item out of a list with pop()",
        "a = [1, 2, n]\na.pop(0)\nreturn a[0]",
    ),
    "a changed tuple": ("with put(row, i, value)", "return sum(put(p.row, 0, 3))"),
    "a changed position": ("make another with _replace()", "p = p._replace(x=3)\nreturn p.x + n"),
    "an index too large": ("rules must accept every position", "return p.row[p.x % 3]"),
    "an index of a constant too large": (
        "rules must accept every position",
        "return STEPS[p.x] if p.x < len(STEPS) else 0",
    ),
    "an index of an array too large": (
        "rules must accept every position",
        "return TABLE[min(p.x, 1), 0]",
    ),
    "an index by a truth value": ("write int(...) around that", "return p.row[int(p.x > 2)]"),
    "a write into a constant": ("with put(row, i, value)", "a = put(MOVES, 0, 3)\nreturn a[0] + n"),
    "a write into an array of the module": (
        "change a copy: a = a.copy()",
        "a = TABLE.copy()\na[0, 0] = 3\nreturn a[0, 0] + n",
    ),
    "a write outside an array": (
        "rules must accept every position",
        "a = np.zeros(6, np.int64)\na[p.x] = 1\nreturn a[2] + n",
    ),
    "a set that grows": ("use a bit mask", "seen = 1 << p.x\nreturn seen.bit_count()"),
    "a set of a row": (
        "or a list with True and False for each number",
        "seen = [False] * 5\nfor v in p.row:\n    seen[v] = True\nreturn sum(seen)",
    ),
    "a set comprehension": (
        "use a list comprehension, or a bit mask",
        "return len([v for v in range(5) if v in p.row])",
    ),
    "a dict comprehension": (
        "use a list with an entry for each number",
        "d = [0] * 5\nfor v in p.row:\n    d[v] = 1\nreturn sum(d)",
    ),
    "a counter": (
        "count in a list, as in counts = [0] * 9",
        "counts = [0] * 9\nfor v in p.row:\n    counts[v] += 1\nreturn counts[n]",
    ),
    "an f-string": ("so leave text to show()", "return n"),
    "str()": ("so leave text to show()", "return 1 if p.x < 10 else 2"),
    "itertools.permutations": ("say how many to take", "return len(list(permutations(p.row, 2)))"),
    "itertools.accumulate": (
        "write a for loop",
        "t, s = 0, 0\nfor v in p.row:\n    s += v\n    t += s\nreturn t",
    ),
    "itertools.islice from there on": (
        "write islice(row, stop) or islice(row, start, stop)",
        "return sum(itertools.islice(p.row, 1, 3))",
    ),
    "a number past 64 bits": ("split it over two numbers", "return p.x + (1 << 35) % 7"),
    "a written number past 64 bits": ("keep within 64 bits", "return p.x + 99 % 7"),
    "a class method": ("make it a staticmethod", "return self.apart(p.x, n)"),
    "a helper without a return on one path": (
        "a return may be missing on some path",
        "return clamp(p.x) or 0",
    ),
    "a helper with a star": ("name its arguments", "return add_both(p.x, n)"),
    "a star and a default": (
        "write the arguments out",
        "return clamp(p.row[0], p.row[1], p.row[2])",
    ),
    "a star before the last": (
        "or give one row by its name, as the last of them",
        "row = p.row[:2]\nreturn middle(n, *row)",
    ),
    "a star of a call": (
        "give the row a name first: row = ..., and *row",
        "row = both(p.x)\nreturn add_both(*row)",
    ),
    "a star of another length": (
        "give it a row of 3: a, b, c",
        "row = (p.x, n, 2)\nreturn middle(*row) if p.x > 99 else 1",
    ),
    "a call with two stars": ("write the arguments out", "return clamp(p.x, low=1)"),
    "too many arguments": ("it takes v", "return double(p.x)"),
    "an unknown keyword": ("it takes v, low, high", "return clamp(p.x, high=3)"),
    "a partial": ("call its function with all its arguments", "return clamp(p.x + n, high=3)"),
    "a function handed on": ("write double(...)", "return double(p.x)"),
    "a function that there is not": (
        "define it, or correct its spelling",
        "return reached(self, p.x)",
    ),
    "None compared": (
        "ask first, as in x is not None and x == DRAW",
        "x = maybe(p.x)\nreturn 2 if x is not None and x == 5 else n",
    ),
    "self.__class__": ("write self.NAME for self.__class__.NAME", "return self.CELLS"),
    "self assigned": ("keep it in the position", "p = p._replace(turns=p.x)\nreturn n + p.turns"),
    "a record as a dict": ("read its fields by name, as in p.x", "return p.x"),
    "a negative shift": ("rules must accept every position", "return 1 << max(p.x - 3, 0)"),
    "division by zero": ("rules must accept every position", "return 6 // p.x if p.x else 0"),
    "remainder by zero": ("rules must accept every position", "return 6 % max(p.x, 1)"),
    "min of nothing": (
        "rules must accept every position",
        "return min((v for v in p.row if v > 3), default=0)",
    ),
    "pop of nothing": (
        "rules must accept every position",
        "a = [v for v in p.row if v > 3]\nreturn a.pop() if a else 0",
    ),
    "recursion without an end": ("rules must accept every position", "return factorial(p.x)"),
    "a loop without an end": (
        "see that its loops end",
        "while n < 9:\n    n += 1\nreturn n",
    ),
    "more memory than there is": (
        "rules must accept every position",
        "return np.zeros(50, np.int64)[p.x]",
    ),
    "another answer each time": ("compare what numbers it holds", "return p.x"),
    "a change of what is handed over": (
        "change a copy: a = a.copy()",
        "a = self.board\na = a.copy()\na[0, 0] = 1\nreturn n + a[0, 0]",
    ),
}

#: For each class of ``games.py`` that is refused, a part of the remedy, and the name of a class
#: there that follows it, and solves.
GAME_REMEDIES: dict[str, tuple[str, str]] = {
    "moves as a set": ("or a list with True and False", "moves as a list"),
    "moves as a dict": ("yield each move, or return a list", "moves that yield"),
    "moves of unlike kinds": ("keep to whole numbers and tuples", "moves of pairs"),
    "moves that are words": ("give the numbers names at the top", "moves that are members"),
    "moves that are fractions": ("keep to whole numbers", "moves that yield"),
    "moves that are None": ("leave that part out", "a return before moves"),
    "moves that are lists": ("go through it with a for loop", "yield from a list"),
    "moves returned one at a time": ("use range() to count", "moves as a range"),
    "moves that return nothing": ("yield each move, or return a list", "moves as a list"),
    "moves past the end": ("widen space()", "a position outside its space, within its bits"),
    "moves without an end": ("see that its loops end", "moves in a while loop"),
    "a plain tuple": ("make positions a NamedTuple", "a pair of numbers"),
    "a list": ("or NamedTuples of whole numbers and tuples", "a row changed by a list"),
    "a string": ("make positions whole numbers, or NamedTuples", "moves that yield"),
    "a dict as a position": ("make positions whole numbers, or NamedTuples", "a pair of numbers"),
    "None as a position": ("return a whole number on every path", "moves that yield"),
    "a position of another kind": ("return a whole number", "moves that yield"),
    "a row that gets shorter": ("make it a tuple of 3 whole numbers", "a row changed by slices"),
    "a row from a comprehension": ("make it a tuple of 3", "a row changed by a generator"),
    "a position past its bits": ("split it over two fields", "a pair unpacked"),
    "an outcome in words": ("return a number, such as WIN", "an outcome as a conditional"),
    "an outcome that is a truth value": ("return WIN, DRAW, LOSS or None", "an outcome by match"),
    "an outcome of two": ("use WIN, DRAW, LOSS, or None", "an outcome by number"),
    "a winner with three players": ("return 0, 1, NOBODY, or None", "a winner that is nobody"),
    "a turn of two": ("return 0 or 1", "a winner"),
    "a winner without a turn": ("write turn(), which returns 0 or 1", "a winner"),
    "outcome and winner": ("keep one of them", "a winner"),
    "points that are fractions": ("divide with //", "points"),
    "points in a circle": ("with score() where the game ends", "points"),
    "no starts": ("return at least one", "several starts"),
    "a hook that is missing": ("write a method that returns the position", "moves that yield"),
    "a hook with too few arguments": ("write def play(self, position, move)", "moves that yield"),
    "a hook that counts how often it was called": ("store it in the position", "a pair of numbers"),
    "a parameter that is a fraction": ("so scale it to one", "a parameter with a default"),
    "a parameter that is a dict": ("give a list, a tuple or", "a parameter that is a list"),
}

#: Refused bodies whose remedies are told by what differs when they run: numbers past 64 bits.
WRAPPED = {
    "a product past 64 bits",
    "a sum past 64 bits",
    "a mask of 80 cells",
    "a power past 64 bits",
}
