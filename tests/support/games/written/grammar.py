"""Random rules in the Python that authors use: a grammar that remembers how large numbers get.

A rule set is ``outcome``, ``moves`` and ``play`` with a helper function and a helper method. All
numbers in it stay within 62 bits, as Python and compiled rules are to agree on them; what happens
past that is another test's concern. Variables stay within ``_HELD``, whatever loops do to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The most that a step may give, and the most that a variable or a field holds.
_MOST, _HELD = 1 << 62, 1 << 20
#: Rule sets that share a module.
TOGETHER = 16
#: Items of a row, and how many different positions a rule set is asked about.
ROW, SAMPLES = 4, 10

HEADER = """
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple
from zermelo import DRAW, LOSS, WIN, Game, put

STEPS = (3, -1, 4, 11)
PAIRS = ((0, 1), (2, -3), (5, 8), (-13, 2))
LIMIT = 37


class Kind(IntEnum):
    LOW = 2
    HIGH = 9


class Place(NamedTuple):
    rules: int
    a: int
    b: int
    row: tuple[int, int, int, int]
"""

CLASS = """
@dataclass(frozen=True)
class Many(Game):
    size: int = 5
    weights: tuple[int, ...] = (7, 0, -2, 5)

    def start(self):
        return Place(0, 1, 2, (3, 1, 4, 1))
"""


class Number(NamedTuple):
    """An expression, and the most that it can be from 0."""

    text: str
    most: int


class Rules:
    """Writes one rule set.

    An odd seed stands for the rule set of the seed before it, one function of which is edited.

    Attributes:
        lines: what was written of the function at hand.
    """

    def __init__(self, seed: int, name: int = 0) -> None:
        """Write the rule set that a seed stands for, with the functions of a name."""
        self.seed, edited = seed - seed % 2, seed % 2
        self.outside = self.seed % 4 == 0  # whether its helper is a function or a method
        helper = "help" if self.outside else "aid"
        self.rng = Random(self.seed)
        self.edited = self.rng.choice([helper, "outcome", "moves", "play"]) if edited else None
        self.name = name
        self.sorting = seed // (2 * TOGETHER) % 8 == 7  # which takes long to compile
        self.lines: list[str] = []
        self._indent = 0
        self.helpers = self.method = False  # helpers call no helpers, and the first has no self
        self._begin()

    # -- functions ----------------------------------------------------------------------------

    def functions(self) -> tuple[str, str]:
        """Return the functions of the module and the methods of the class."""
        if self.outside:
            self._define("help", "m, n", ["m", "n"])
            self._body(1, self._number)
        outer, self.lines = self.lines, []
        self._indent, self.method = 1, True
        if not self.outside:
            self._define("aid", "self, n, row, k=3", ["n", "k"], ["row"])
            self._body(1, self._number)
        self.helpers = True
        self._define("outcome", "self, p", [], ["p.row"], ["p.a", "p.b"])
        self._body(1, self._ending, last="None")
        self._define("moves", "self, p", [], ["p.row"], ["p.a", "p.b"])
        self._moves()
        self._define("play", "self, p, move", ["move"], ["p.row"], ["p.a", "p.b"])
        self._body(2, self._place)
        return "\n".join(outer), "\n".join(self.lines)

    def _begin(self) -> None:
        self.numbers: list[str] = []
        self.fixed: list[str] = []
        self.rows: list[str] = []
        self.lists: list[str] = []
        self._fresh = 0
        self._loops = 0

    def _define(
        self,
        function: str,
        arguments: str,
        numbers: list[str],
        rows: Sequence[str] = (),
        fixed: Sequence[str] = (),
    ) -> None:
        self._begin()
        self.rng = Random(f"{self.seed} {function} {function == self.edited}")
        self.numbers, self.rows, self.fixed = [*numbers], [*rows], [*fixed]
        self._line(f"def {function}_{self.name}({arguments}):")

    def _line(self, text: str) -> None:
        self.lines.append("    " * self._indent + text)

    @contextmanager
    def _block(self, head: str) -> Iterator[None]:
        """Write a block; what is first given a value in it is not known after it."""
        names_before = [*self.numbers], [*self.fixed], [*self.rows], [*self.lists]
        self._line(head)
        self._indent += 1
        yield
        self._indent -= 1
        self.numbers, self.fixed, self.rows, self.lists = names_before

    def _body(self, longest: int, returned: Callable[[int], object], last: str = "") -> None:
        self._indent += 1
        self._statements(self.rng.randint(1, longest), returned)
        self._line(f"return {last or _text(returned(2))}")
        self._indent -= 1

    def _moves(self) -> None:
        self._indent += 1
        draw = self.rng.random()
        if draw < 0.15:
            self._statements(1, None)
            self._line(f"return [{self._small()} for i in range({self._count()})]")
        elif draw < 0.25:
            self._line(f"return range({self._count()})")
        else:
            self._statements(self.rng.randint(0, 1), None)
            for _ in range(self.rng.randint(1, 2)):
                kind = self.rng.random()
                if kind < 0.5:
                    with self._loop(None) if kind < 0.3 else self._when():
                        self._statements(self.rng.randint(0, 1), None)
                        self._line(f"yield {self._small()}")
                elif kind < 0.7:
                    self._line(f"yield {self._small()}")
                else:
                    item = self._name("i")
                    loop = f"for {item} in {self._items(item)} if {self._test(1)}"
                    self._line(f"yield from ({self._small()} {loop})")
                    self.fixed.remove(item)
        self._indent -= 1

    # -- statements ---------------------------------------------------------------------------

    def _statements(self, count: int, returned: Callable[[int], object] | None) -> None:
        for _ in range(count):
            self.rng.choice(self._statement_kinds)(self, returned)

    def _name(self, stem: str) -> str:
        self._fresh += 1
        return f"{stem}{self._fresh}"

    def _assign(self, _: object = None) -> None:
        target = self.rng.choice(self.numbers) if self.numbers and self._chance(0.5) else ""
        value = self._held(self._number(2))
        target = target or self._name("n")
        self._line(f"{target} = {value}")
        if target not in self.numbers:
            self.numbers.append(target)

    def _augment(self, returned: object = None) -> None:
        if not self.numbers:
            self._assign()
            return
        target, value = self.rng.choice(self.numbers), self._number(2)
        sign = self.rng.choice(["+", "-", "*", "|", "&", "^", "<<", ">>", "//", "%"])
        if sign in ("<<", ">>"):
            self._line(f"{target} {sign}= {value.text} & 7")
        elif sign in ("//", "%"):
            divisor = self._divisor()
            self._line(f"{target} {sign}= {divisor.text}")
            if divisor.most > _HELD:
                self._line(f"{target} %= 1009")
        else:
            self._line(f"{target} {sign}= {self._held(value)}")
        if sign in ("+", "-", "*", "|", "^", "<<"):
            self._line(f"{target} %= {self.rng.choice([97, 1009, 65536])}")

    def _exchange(self, _: object = None) -> None:
        if len(self.numbers) < 2:
            self._assign()
            return
        first, second = self.rng.sample(self.numbers, 2)
        self._line(f"{first}, {second} = {self._held(self._number(1))}, {first}")

    def _row_assign(self, _: object = None) -> None:
        value = self._row(2)
        own_rows = [row for row in self.rows if not row.startswith("p.")]
        target = self.rng.choice(own_rows) if own_rows and self._chance(0.5) else self._name("row")
        self._line(f"{target} = {value}")
        if target not in self.rows:
            self.rows.append(target)

    def _list_assign(self, _: object = None) -> None:
        target = self._name("xs")
        item = self._name("v")
        items = self._items(item)
        self._line(f"{target} = [{self._held(self._number(1))} for {item} in {items}]")
        self.fixed.remove(item)
        self._line(f"{target}.append({self._held(self._number(1))})")
        self.lists.append(target)

    def _list_change(self, _: object = None) -> None:
        if not self.lists:
            self._list_assign()
            return
        target = self.rng.choice(self.lists)
        value = self._held(self._number(1))
        self._line(
            self.rng.choice(
                [
                    f"{target}.append({value})",
                    f"{target}[-1] = {value}",
                    f"{target}[{self._number(1).text} % len({target})] = {value}",
                    f"{target}.sort()" if self.sorting else f"{target}.reverse()",
                    f"{target} = {target} + [{value}]",
                ]
            )
        )

    def _if(self, returned: Callable[[int], object] | None) -> None:
        with self._when():
            self._inner(returned)
        if self._chance(0.3):
            with self._block(f"elif {self._test(2)}:"):
                self._inner(returned)
        if self._chance(0.5):
            with self._block("else:"):
                self._inner(returned)

    def _when(self):
        if self._chance(0.15):
            name, value = self._name("u"), self._held(self._number(2))
            block = self._block(f"if ({name} := {value}) {self._sign()} {self._literal().text}:")
            return self._with(block, name)
        return self._block(f"if {self._test(2)}:")

    @contextmanager
    def _with(self, block, name: str) -> Iterator[None]:
        with block:
            self.fixed.append(name)
            yield

    def _match(self, returned: Callable[[int], object] | None) -> None:
        self._line(f"match {self._number(1).text} % 6:")
        self._indent += 1
        with self._block(f"case {self.rng.randint(0, 2)}:"):
            self._inner(returned)
        with self._block("case Kind.LOW | 4:"):
            self._inner(returned)
        with self._block(f"case other if other {self._sign()} {self.rng.randint(0, 5)}:"):
            self._inner(returned)
        with self._block("case _:"):
            self._inner(returned)
        self._indent -= 1

    @contextmanager
    def _loop(self, returned: object) -> Iterator[None]:
        draw, item = self.rng.random(), self._name("i")
        row = self._a_row()
        if draw < 0.45:
            names, head = [item], f"for {item} in {self._items('')}:"
        elif draw < 0.6:
            second_item = self._name("x")
            start = self.rng.choice(["", ", start=2", ", 1"])
            names, head = (
                [item, second_item],
                f"for {item}, {second_item} in enumerate({row}{start}):",
            )
        elif draw < 0.7:
            second_item = self._name("y")
            names, head = [item, second_item], f"for {item}, {second_item} in zip({row}, STEPS):"
        elif draw < 0.8:
            second_item = self._name("z")
            names, head = [item, second_item], f"for {item}, {second_item} in PAIRS:"
        else:
            self._line(f"{item} = {self.rng.randint(0, 9)}")
            names, head = [item], f"while {item} > {self.rng.randint(0, 3)}:"
        with self._block(head):
            if draw >= 0.8:
                self._line(f"{item} -= {self.rng.randint(1, 3)}")
            self.fixed += names
            self._loops += 1
            yield
            self._loops -= 1
        if self._chance(0.1):
            with self._block("else:"):
                self._assign()

    def _for(self, returned: Callable[[int], object] | None) -> None:
        if self._loops > 1:
            self._assign()
            return
        with self._loop(returned):
            self._inner(returned)
            if self._chance(0.3):
                with self._when():
                    self._line(self.rng.choice(["break", "continue"]))

    def _inner(self, returned: Callable[[int], object] | None) -> None:
        if self._indent > 3:
            self._assign()
            return
        self._statements(1, returned)
        if returned is not None and self._chance(0.25):
            self._line(f"return {_text(returned(1))}")

    def _assert(self, _: object = None) -> None:
        self._line(f"assert {self._number(1).text} < {_MOST}")

    _statement_kinds = (
        *[_assign] * 5, *[_augment] * 3, _exchange, *[_row_assign] * 2, _list_assign, _list_change,
        *[_if] * 4, *[_for] * 3, _match, _assert,
    )  # fmt: skip

    # -- expressions --------------------------------------------------------------------------

    def _chance(self, part: float) -> bool:
        return self.rng.random() < part

    def _held(self, number: Number, most: int = _HELD) -> str:
        """Return an expression that a variable can hold."""
        if number.most <= most:
            return number.text
        divisor = self.rng.choice([m for m in (5, 16, 97, 1009, 65_536, 1_000_003) if m <= most])
        if self._chance(0.3):
            return f"({number.text}) & {divisor - 1}"
        return f"({number.text}) % {divisor}"

    def _small(self) -> str:
        return self._held(self._number(2), 1 << 10)

    def _count(self) -> str:
        """Return how often to do something: seldom more than a few times."""
        number = self._number(1)
        return self.rng.choice(
            [
                f"({number.text}) % 6",
                f"({number.text}) & 3",
                "self.size" if self.method else "LIMIT // 9",
                str(self.rng.randint(0, 6)),
            ]
        )

    def _items(self, item: str) -> str:
        """Return something to loop over, by ``item``, which is known from then on."""
        text = self.rng.choice(
            [
                f"range({self._count()})",
                f"range({self._count()})",
                f"range({self.rng.randint(-3, 3)}, {self._count()})",
                f"range({self._count()}, {self.rng.randint(-5, 0)}, {-self.rng.randint(1, 3)})",
                f"reversed({self.rng.choice([*self.rows, 'STEPS'])})",
                f"({self._held(self._number(1))}, {self.rng.randint(-9, 9)}, Kind.HIGH)",
                self._a_row(),
                self._a_row(),
            ]
        )
        if item:
            self.fixed.append(item)
        return text

    def _a_row(self) -> str:
        weights = ["self.weights"] if self.method else []
        return self.rng.choice([*self.rows, *self.lists, "STEPS", *weights])

    def _divisor(self) -> Number:
        """Return what is never zero; what is left of a number may be as large as this."""
        if self._chance(0.25):
            number = self._number(1)
            return Number(f"({number.text} or {self.rng.choice([3, -7])})", max(number.most, 7))
        return Number(str(self.rng.choice([1, 2, 3, 5, 7, 16, 100, -1, -2, -3, -10])), 100)

    def _literal(self) -> Number:
        value = self.rng.choice([0, 1, 2, 3, 7, -1, -4, self.rng.randint(-40, 200)])
        if self._chance(0.03):
            value = self.rng.choice([1 << 31, -(1 << 31), (1 << 40) - 1])
        return Number(f"({value})" if value < 0 else str(value), abs(value))

    def _leaf(self) -> Number:
        draw = self.rng.random()
        if draw < 0.3:
            return self._literal()
        if draw < 0.65 and self.numbers + self.fixed:
            return Number(self.rng.choice(self.numbers + self.fixed), _HELD)
        if draw < 0.75:
            return Number(
                self.rng.choice(
                    ["LIMIT", "Kind.LOW", "self.size" if self.method else "7", "STEPS[2]"]
                ),
                64,
            )
        if self.rows:
            index = self.rng.choice([0, 1, 2, 3, -1, -2])
            return Number(f"{self.rng.choice(self.rows)}[{index}]", _HELD)
        return self._literal()

    def _number(self, depth: int) -> Number:
        if depth <= 0:
            return self._leaf()
        for _ in range(10):
            number = self.rng.choice(self._number_kinds)(self, depth - self.rng.randint(1, 2))
            if number.most < _MOST:
                return number
        return self._leaf()

    def _binary(self, depth: int) -> Number:
        first, second = self._number(depth), self._number(depth)
        sign = self.rng.choice("++--*&|^")
        largest = first.most + second.most
        if sign == "*":
            largest = first.most * second.most
        elif sign in "&|^":
            largest = 1 << max(first.most, second.most).bit_length() + 1
        return Number(f"({first.text} {sign} {second.text})", largest)

    def _divided(self, depth: int) -> Number:
        dividend = self._number(depth)
        draw, divisor = self.rng.random(), self._divisor()
        largest = max(dividend.most, divisor.most)
        if draw < 0.4:
            return Number(f"({dividend.text} // {divisor.text})", dividend.most)
        if draw < 0.9:
            return Number(f"({dividend.text} % {divisor.text})", largest)
        number = f"divmod({dividend.text}, {divisor.text})[{self.rng.randint(0, 1)}]"
        return Number(number, largest + 1)

    def _shifted(self, depth: int) -> Number:
        number, count = self._number(depth), self._number(depth)
        if self._chance(0.5):
            amount = str(self.rng.randint(0, 20)) if self._chance(0.5) else f"({count.text} & 15)"
            return Number(f"({number.text} << {amount})", number.most << 20)
        amount = str(self.rng.randint(0, 70)) if self._chance(0.5) else f"({count.text} & 127)"
        return Number(f"({number.text} >> {amount})", number.most)

    def _unary(self, depth: int) -> Number:
        number = self._number(depth)
        form = self.rng.choice(["-{}", "~{}", "abs({})", "+{}", "int({})"])
        return Number(f"({form.format(number.text)})", number.most + 1)

    def _bits(self, depth: int) -> Number:
        return Number(f"({self._plain(depth)}).bit_{self.rng.choice(['count', 'length'])}()", 64)

    def _plain(self, depth: int) -> str:
        return self._number(depth).text.replace("Kind.LOW", "LIMIT")  # no member has bits

    def _power(self, depth: int) -> Number:
        base, exponent = self._number(depth), self._number(depth)
        exponent_text = (
            str(self.rng.randint(0, 4)) if self._chance(0.5) else f"({exponent.text} & 3)"
        )
        return Number(f"({base.text} % 11) ** {exponent_text}", 10**4)

    def _chosen(self, depth: int) -> Number:
        first, second = self._number(depth), self._number(depth)
        largest = max(first.most, second.most)
        if self._chance(0.5):
            function = self.rng.choice(["min", "max"])
            third = f", {self._number(0).text}" if self._chance(0.2) else ""
            return Number(f"{function}({first.text}, {second.text}{third})", max(largest, _HELD))
        return Number(f"({first.text} if {self._test(depth)} else {second.text})", largest)

    def _truth(self, depth: int) -> Number:
        number = self._number(depth)
        return Number(f"(({self._test(depth)}) + {number.text})", number.most + 1)

    def _item(self, depth: int) -> Number:
        row, index = self._row(depth), self._number(depth)
        # The start of a row is always in it, wherever it is counted from.
        if self._chance(0.5):
            return Number(f"{row}[({index.text}) & 3]", _HELD)
        return Number(f"{row}[-1 - ({index.text}) % 4]", _HELD)

    def _table(self, depth: int) -> Number:
        index = self._number(depth)
        tables = ["STEPS[{}]", "PAIRS[{}][1]", "PAIRS[{}][-2]", "self.weights[{}]"]
        table = self.rng.choice(tables if self.method else tables[:-1])
        return Number(table.format(f"({index.text}) & 3"), _HELD)

    def _of_row(self, depth: int) -> Number:
        row = self._row(depth)
        text = self.rng.choice(
            [
                f"sum({row})", f"min({row})", f"max({row})", f"len({row})",
                f"{row}.count({self._number(0).text})", f"sum({row}[:2])", f"{row}[1:][0]",
            ]
        )  # fmt: skip
        if self.sorting and self._chance(0.3):
            text = f"sorted({row})[{self.rng.randint(0, 3)}]"
        return Number(text, ROW * _HELD)

    def _of_list(self, depth: int) -> Number:
        if not self.lists:
            return self._of_row(depth)
        xs = self.rng.choice(self.lists)
        text = self.rng.choice([f"sum({xs})", f"len({xs})", f"{xs}[-1]", f"max({xs})", f"{xs}[0]"])
        return Number(text, 1 << 24)

    def _reduced(self, depth: int) -> Number:
        item = self._name("v")
        items = self._items(item)
        element = self._number(min(depth, 1))
        condition = f" if {self._test(1)}" if self._chance(0.5) else ""
        self.fixed.remove(item)
        element = Number(self._held(element), _HELD)
        text, draw = f"{element.text} for {item} in {items}{condition}", self.rng.random()
        if draw < 0.5:
            return Number(f"sum({text})", 1 << 30)
        if draw < 0.6:
            return Number(f"len([{text}])", 1 << 10)
        default = self.rng.randint(-5, 5)
        return Number(f"{self.rng.choice(['min', 'max'])}(({text}), default={default})", _HELD)

    def _called(self, depth: int) -> Number:
        if not self.helpers:
            return self._leaf()
        first, second = (self._held(self._number(depth)) for _ in range(2))
        if self.outside:
            return Number(f"help_{self.name}({first}, {second})", _MOST)
        has_keyword = self._chance(0.5)
        keyword = f", k={second}" if has_keyword else ""
        return Number(f"self.aid_{self.name}({first}, {self._row(depth)}{keyword})", _MOST)

    _number_kinds = (
        *[_binary] * 6, *[_divided] * 3, *[_shifted] * 2, *[_unary] * 2, _bits, _power,
        *[_chosen] * 2, _truth, *[_item] * 2, _table, _of_row, _of_list, _reduced,
    )  # fmt: skip

    def _row(self, depth: int) -> str:
        draw = self.rng.random()
        if depth > 0 and draw < 0.3:
            index, value = self._number(depth - 1), self._held(self._number(depth - 1))
            return f"put({self._row(depth - 1)}, ({index.text}) & 3, {value})"
        if depth > 0 and draw < 0.45:
            return "(" + ", ".join(self._held(self._number(depth - 1)) for _ in range(ROW)) + ")"
        if depth > 0 and draw < 0.5:
            return f"({self._row(0)} if {self._test(depth - 1)} else {self._row(0)})"
        return self.rng.choice([*self.rows, "STEPS"])

    def _sign(self) -> str:
        return self.rng.choice(["<", "<=", ">", ">=", "==", "!="])

    def _test(self, depth: int) -> str:
        if depth <= 0:
            return f"{self._leaf().text} {self._sign()} {self._literal().text}"
        return self.rng.choice(self._test_kinds)(self, depth - 1)

    def _compared(self, depth: int) -> str:
        third = f" {self._sign()} {self._number(0).text}" if self._chance(0.2) else ""
        return f"{self._number(depth).text} {self._sign()} {self._number(depth).text}{third}"

    def _joined(self, depth: int) -> str:
        word = self.rng.choice(["and", "or"])
        return f"({self._test(depth)}) {word} ({self._test(depth)})"

    def _negated(self, depth: int) -> str:
        return f"not ({self._test(depth)})"

    def _contained(self, depth: int) -> str:
        container = self.rng.choice(
            [self._row(depth), "{1, 4, 9}", "[2, 3]", f"range({self._count()})", self._a_row()]
        )
        return f"{self._number(depth).text} {self.rng.choice(['in', 'not in'])} {container}"

    def _some(self, depth: int) -> str:
        item = self._name("v")
        items = self._items(item)
        text = f"{self._test(min(depth, 1))} for {item} in {items}"
        self.fixed.remove(item)
        return f"{self.rng.choice(['any', 'all'])}({text})"

    def _rows_compared(self, depth: int) -> str:
        return f"{self._row(depth)} {self._sign()} {self._row(depth)}"

    def _true(self, depth: int) -> str:
        return self._number(depth).text

    _test_kinds = (
        *[_compared] * 5, _joined, _joined, _negated, _contained, _some, _rows_compared, _true,
    )  # fmt: skip

    # -- what hooks return --------------------------------------------------------------------

    def _ending(self, depth: int) -> str:
        return self.rng.choice(["WIN", "DRAW", "LOSS", "None", "None", "None", "None", "None"])

    def _place(self, depth: int) -> str:
        first, second = (self._held(self._called_or_not(depth)) for _ in range(2))
        if self._chance(0.2):
            return f"p._replace(a={first}, row={self._row(depth)})"
        row = self._row(depth)
        return self.rng.choice([f"Place(p.rules, {first}, {second}, {row})",
            f"Place(p.rules, a={first}, row={row}, b={second})"])  # fmt: skip

    def _called_or_not(self, depth: int) -> Number:
        number = self._called(depth) if self._chance(0.5) else self._number(depth)
        return Number(number.text, number.most)


def _text(value: object) -> str:
    return value.text if isinstance(value, Number) else str(value)
