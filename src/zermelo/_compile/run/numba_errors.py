"""Translation of Numba's errors to one sentence with the author's line."""

from __future__ import annotations

import re
from collections.abc import Callable

from zermelo._compile.read.source_map import SourceMap
from zermelo._compile.rewrite.prepared.scope import readable
from zermelo._compile.support.type_names import MARK, listed, named, remedy_for, split_types
from zermelo._engine.core.compiling.versions import tested_range, untested_numba
from zermelo.errors import CompileError
from zermelo.game.contract import Game

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_SENTENCE = re.compile(re.escape(MARK) + r"(?P<text>[^\n]*)")
_RETURN = re.compile(
    r"Return of: IR name '[^']*', type '([^\n]*)', location:\s*File \"<zermelo (\w+)>\", line (\d+)"
)
_GENERATED_PREFIX = re.compile(r"(?<![\w.])_z_(?!\d)")

_SYMBOLS = {
    "add": "+", "iadd": "+=", "sub": "-", "isub": "-=", "mul": "*", "imul": "*=",
    "floordiv": "//", "ifloordiv": "//=", "mod": "%", "imod": "%=", "pow": "**", "ipow": "**=",
    "and_": "&", "iand": "&=", "or_": "|", "ior": "|=", "xor": "^", "ixor": "^=",
    "lshift": "<<", "rshift": ">>", "added": "+", "ilshift": "<<=",
    "irshift": ">>=", "neg": "-", "invert": "~", "not_": "not", "contains": "in",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "truediv": "/",
}  # fmt: skip
#: Operations that also take the number of the operation, which identifies its line.
_WITH_NUMBER = {*_SYMBOLS, "abs"} - {"added", "invert"}
#: The begin of lines without information.
_EMPTY = re.compile(r"Failed in \w+|- |No implementation of|>>> |There are \d+|Overload |Rej")
_PLAIN = "keep to whole numbers and tuples of them"
_INSTALL = "install Numba {}, with which Zermelo is tested"
_LENGTH_REMEDY = "make every move a tuple, and tell them apart by len(move)"


#: Methods that change a list.
_CHANGES = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}

#: Numba's message if a value that may be None is used as a number.
_NONE = re.compile(r"expected \w+, got None")
_NONE_REMEDY = "ask first, as in x is not None and x == DRAW"


def used_none(error: BaseException | None) -> tuple[str, str] | None:
    """Return the problem and its remedy if rules used None as a number, else None."""
    if not isinstance(error, TypeError) or not _NONE.fullmatch(str(error)):
        return None
    return "compare or compute with None, which is not a number when compiled", _NONE_REMEDY


def translate(error: Exception, game: Game, source_map: SourceMap) -> CompileError:
    """Return the error for an author.

    Args:
        error: Numba's error.
        game: the game.
        source_map: the source map of the compiled functions.
    """
    text = _sorted_returns(_ANSI.sub("", str(error)))
    sentence = _sentence(text)
    place = source_map.innermost(text)
    if place is None:
        return CompileError(f"the rules of {type(game).__name__} cannot be compiled: {sentence}")
    filename, line, function = place
    return CompileError(f"{function} {sentence}", filename, line)


def _sorted_returns(text: str) -> str:
    """Return a message about return types with the differing one first, and the types in order.

    Numba lists them in random order.
    """
    returns = sorted(_RETURN.findall(text), key=lambda match: int(match[2]))
    different = next((match for match in returns if named(match[0]) != named(returns[0][0])), None)
    if different is None:
        return text
    kinds = ", ".join(kind for kind, _, _ in returns)
    _, label, line = different
    place = f'File "<zermelo {label}>", line {line}:'
    return f"Can't unify return type from the following types: {kinds}\n{place}\n{text}"


def _sentence(text: str) -> str:
    sentence = _SENTENCE.search(text)
    if sentence is not None:
        return sentence["text"]
    candidates = [
        (match.start(), order, say(match))
        for order, (pattern, say) in enumerate(_SENTENCES)
        if (match := pattern.search(text)) is not None
    ]
    if candidates:
        # The first part is the problem; the rest is where it occurred.
        return _author_names(min(candidates)[2])
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    informative = [line for line in lines if not _EMPTY.match(line)]
    first = (informative or lines or ["it does not say why"])[0].rstrip(".")
    remedy = f"{_PLAIN}, or {_INSTALL.format(tested_range())}" if untested_numba() else _PLAIN
    return _author_names(f"does something that Numba refuses ({first}); {remedy}")


def _author_names(text: str) -> str:
    return readable(_GENERATED_PREFIX.sub("", text))


def _signature(match: re.Match[str]) -> str:
    """Return a sentence on the function called and its argument types."""
    function, arguments = match["function"], match["arguments"]
    kinds = [re.sub(r"^\w+=", "", part) for part in split_types(arguments)]
    if "<intrinsic" in match[0] and function in _WITH_NUMBER:
        kinds.pop()
    nouns = [named(kind) for kind in kinds]
    operands = listed(list(dict.fromkeys(nouns)))
    remedy = remedy_for(operands)
    if function == "isinstance":
        return f"asks by isinstance() what {nouns[0]} is; if it is a move, {_LENGTH_REMEDY}"
    if function == "getitem":
        return _item(nouns, kinds)
    if function == "setitem" and nouns[0] == "a list":
        return f"puts {nouns[-1]} into a list of something else; keep a list to one kind of thing"
    if function in ("setitem", "delitem") and nouns[0] in ("a dict", "a set"):
        remedy = "use a list with an entry for each number"
        return f"changes {nouns[0]}, which is a constant in rules; {remedy}"
    if function in ("setitem", "delitem") and nouns[0] in ("an array", "a row of numbers"):
        return f"changes {nouns[0]}, which is a constant in rules; change a copy: a = a.copy()"
    if function in ("setitem", "delitem"):
        return f"changes {nouns[0]}; make a changed copy of a tuple with put(row, i, value)"
    if function in _SYMBOLS:
        return f"uses {_SYMBOLS[function]} on {operands}; {remedy or _PLAIN}"
    if function == "replaced":
        return f"calls _replace() on {nouns[0]}; name fields it has"
    return f"calls {function}() on {operands}, which rules cannot; {remedy or _PLAIN}"


def _item(nouns: list[str], kinds: list[str]) -> str:
    if nouns[1:] == ["True or False"]:
        return f"looks up a place in {nouns[0]} by True or False; write int(...) around that"
    if "a slice" in nouns:
        return f"takes a slice of {nouns[0]}; {remedy_for('a slice')}"
    if nouns[0] in ("a whole number", "True or False"):
        return (
            f"looks up a place in {nouns[0]}; only rows and tuples have places, so if this is a "
            "move, make every move a tuple"
        )
    if kinds[0].startswith("Tuple("):
        return "looks up a place in a tuple of mixed types; keep numbers and rows of numbers apart"
    return (
        f"looks up a place in {nouns[0]}; {remedy_for(nouns[0]) or 'go through it with a for loop'}"
    )


def _attribute(match: re.Match[str]) -> str:
    attribute, kind = match["attribute"], match["kind"]
    noun = named(kind)
    fields = re.match(r"\w+\(", kind) and noun.startswith("a ") and noun[2:3].isupper()
    if fields:
        return f"uses .{attribute} of {noun}, which is not one of its fields; use one of them"
    if attribute in _CHANGES and noun in ("a tuple", "an array", "a row of numbers"):
        return (
            f"uses .{attribute}() of {noun}, which cannot change in rules; change a list made of "
            "it, as in row = list(row), or store it in the position"
        )
    return f"uses .{attribute} of {noun}, which rules cannot; {remedy_for(noun) or _PLAIN}"


def _unified(match: re.Match[str]) -> str:
    variable = match["variable"]
    first, second = named(match["one"]), named(match["other"])
    if variable == "_z_best":
        return f"takes the least or greatest of {second}; min() and max() take whole numbers"
    if first == second:
        first, second = "one kind of thing", "another"
    return f"makes {variable} {first} in one place and {second} in another; keep it to one kind"


def _returned(match: re.Match[str]) -> str:
    nouns = list(dict.fromkeys(named(kind) for kind in split_types(match["kinds"])))
    if len(nouns) == 1:
        nouns = ["tuples of different kinds"] if nouns == ["a tuple"] else nouns
    return f"returns {listed(nouns)}; return one kind of thing on every path"


def _iterated(match: re.Match[str]) -> str:
    noun = named(match["kind"])
    if match["kind"].startswith("Tuple("):
        return "loops over a tuple of mixed types; keep numbers and rows of numbers apart"
    return f"loops over {noun} as if it were a row; {remedy_for(noun) or 'use range() to count'}"


def _appended(match: re.Match[str]) -> str:
    items, item = named(match["items"]), named(match["item"])
    if items == item == "a tuple":
        return "appends tuples of different lengths to one list; yield each where it is found"
    return f"appends {item} to a list of {items}; keep a list to one kind of thing"


_SENTENCES: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (
        re.compile(
            r"No implementation of function Function\(<(?:built-in function|function|"
            r"intrinsic|class) '?(?!_teach)(?P<function>\w+)[^\n]*found for signature:\s*\n\s*"
            r">>> [\w.]+\((?P<arguments>[^\n]*)\)\s*\n"
        ),
        _signature,
    ),
    (re.compile(r"Unknown attribute '(?P<attribute>\w+)' of type (?P<kind>[^\n]+)"), _attribute),
    (
        re.compile(
            r"Cannot unify (?P<one>.+?) and (?P<other>.+?) for '(?P<variable>\w+)(?:\.\d+)*'"
        ),
        _unified,
    ),
    (
        re.compile(r"Can't unify return type from the following types: (?P<kinds>[^\n]+)"),
        _returned,
    ),
    (re.compile(r"Invalid use of getiter with parameters \((?P<kind>[^\n]*)\)"), _iterated),
    (
        re.compile(r"[Vv]ariable '?(?P<variable>\w+?)(?:\.\d+)?'? is not defined"),
        lambda match: f"reads {match['variable']} before giving it a value; give it one first",
    ),
    (
        re.compile(r"wrong tuple length for [^']*', 'expected (?P<names>\d+), got (?P<values>\d+)"),
        lambda match: f"unpacks {match['values']} values into {match['names']} names",
    ),
    (
        re.compile(r"failed to unpack (?P<kind>u?int\d+|Literal\[int\]|bool)"),
        lambda match: f"unpacks {named(match['kind'])}; if it is a move, {_LENGTH_REMEDY}",
    ),
    (
        re.compile(r"tuple index out of range"),
        lambda _: "looks up a place that a tuple does not have; if tuples differ, ask len() first",
    ),
    (
        re.compile(
            r"BoundFunction\(list\.append for list\((?P<items>.*)\)<iv=\w+>\) with parameters "
            r"\((?P<item>[^\n]*)\)"
        ),
        _appended,
    ),
    (
        re.compile(
            r"imprecise type: list\(undefined\)|Type of variable '\w+' cannot be determined"
        ),
        lambda _: "makes a list that nothing is put into; put numbers into it, or leave it out",
    ),
    (
        re.compile(r"Untyped global name '(?P<name>\w+)'"),
        lambda match: f"uses {match['name']}, which rules cannot; {_PLAIN}",
    ),
    (
        re.compile(r"runaway recursion"),
        lambda _: "calls itself on every path; return a value on at least one without doing so",
    ),
    (
        re.compile(r"Use of unsupported opcode \((?P<code>\w+)\)"),
        lambda match: f"uses what Numba does not know ({match['code']}); write plainer statements",
    ),
]
