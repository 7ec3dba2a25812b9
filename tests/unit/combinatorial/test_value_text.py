"""Texts of games: as CGSuite writes them, read back, by the definitions of names, and refused."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from random import Random

import pytest

from facts import rows
from support.oracles import short_games
from zermelo import CombinatorialValue, CombinatorialValueError

read = CombinatorialValue.parse

# ruff: noqa: SIM905  # a list of texts without quotes is easier to read
#: Values as CGSuite 2 writes them, from its own tests (github aaron-siegel/cgsuite,
#: lib/core/src/test/scala/org/cgsuite/lang/CgscriptTest.scala, short games only).
CGSUITE = """
    ^8*2 ^^*4 v5 3* 1* 9/4* *6 5^ {3|||2||1|0,*||||-1/2} +-1 +-1/2 +-{1,1*} {4|2} Tiny(1)
    +-{10|8||6|4|||4|2||0|-2} Tiny(1/4) Tiny({2|1}) Miny(1) ^<2> ^<2>* ^[2] ^[2]* ^[3] {^6|^^}
    {12|0||-4|-16} {12|||11||10,{11|10}|9Tiny({2|1})} {0||0,*|0,{0,*|0,*2}} {11/4||2|3/2} {5/2|2*}
    {10||10,10v*|{10vv,10v*||||10v3*,10vv|||10v4,10v3*||10v5*,10v4|{10v6,10v5*||||10v7*,10v6|||10v8,10v7*||10v9*,10v8|10v10}}}
    {9,9*,9*2,9*3,9*4|{9*4,9v*5||||9vv*4,9v*5|||9v3*5,9vv*4||9v4*4,9v3*5|{9v5*5,9v4*4||||9v6*4,9v5*5|||9v7*5,9v6*4||9v8*4,9v7*5|9v9*5}}}
    {19/8|17/8} {3||2*|1*} {7/2|||5/2|3/2||+-1/2} {4|||3|1||0|-2} {3*||2|1} {^^*|v*} {^^*||0|v4}
    {^^*||0|v6} {1||+-(1*)|-1,{-1|-3}} {0||0,v*|0,{0,v*|0,*}} {0||0|-2,{0|-2,{0|-2}}}
    {0||0,{0|-2,{0|-2}}|-2,{0,{0|-2,{0|-2}}|-2,{0|-2}}} {^|*,^[2]||*,^[2]} {Tiny(2)||0|-2|||0|-2}
    {Tiny(2)|{0|-2},{Tiny(2)||0|-2}||{0|-2},{Tiny(2)||0|-2}} {1,{1,+-1|-1}|-1} {^^*|*,v} {0,v*|vv}
    {*|-1} +-{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}} {1/2*|v}
    +-{{2|*},{5/2||2|{0||||{0||v<2>|-1},{0||||0||Miny(1/32)|-2|||-1/2*}|||v<2>|-1/2||-1*}|||0}}
""".split()

#: What CGSuite answers to these inputs, from the same place.
CGSUITE_INPUTS = [
    ("^^^^^^+vvv*+^19*3+v14", "^8*2"),
    ("vvvvv", "v5"),
    ("2 + (1+*)", "3*"),
    ("2 - (1+*)", "1*"),
    ("*3+*5", "*6"),
    ("{0|^*5}", "^^*4"),
    ("+-(1/2)", "+-1/2"),
    ("+-{1,1+*}", "+-{1,1*}"),
    ("3+-1", "{4|2}"),
    ("+-1+-2+-3+-4", "+-{10|8||6|4|||4|2||0|-2}"),
    ("3 - 2 +- 6 - 7 +- 8 + 4", "{12|0||-4|-16}"),
    ("{0||0|-1}", "Tiny(1)"),
    ("{0|||0||-1|-2}", "Tiny({2|1})"),
    ("{1|0||0}", "Miny(1)"),
    ("{0|v*}", "^<2>"),
    ("{0,*|v}", "^<2>*"),
    ("{^|*}", "^[2]"),
    ("{0,^*|0}", "^[2]*"),
    ("5*{3||2|1}", "{12|||11||10,{11|10}|9Tiny({2|1})}"),
    ("9*(1+^<2>+*4)", next(text for text in CGSUITE if text.startswith("{9,"))),
    ("10*(1+^<2>+*4)", next(text for text in CGSUITE if text.startswith("{10||"))),
]


def random_values(seed, count):
    """Return random games of small birthday, some of them infinitesimals beside numbers."""
    random = Random(seed)
    values = [read(text) for text in ("0", "*", "1", "-1", "^", "1/2", "+-1", "*2", "^*", "v")]
    while len(values) < count:
        last = min(len(values), random.choice((10, 40, 200, count)))
        sides = (random.choices(values[:last], k=random.randint(1, 3)) for _ in range(2))
        value = CombinatorialValue.of_options(*sides)
        if value.birthday <= 6:
            values.append(value + random.choice((0, 0, 0, 2, read("-1/2"), read("^*"))))
    return values


@pytest.mark.parametrize("text", CGSUITE)
def test_values_are_written_as_cgsuite_writes_them(text):
    """In ASCII, with the options in its order."""
    assert read(text).ascii == text


@pytest.mark.parametrize(("text", "answer"), CGSUITE_INPUTS)
def test_expressions_are_read_as_cgsuite_reads_them(text, answer):
    """Sums, switches, multiples, and games that have names."""
    assert read(text).ascii == answer


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("0", "0"),
        ("-3/4", "-3/4"),
        ("*", "*"),
        ("±1", "+-1"),
        ("↑", "^"),
        ("⇓*2", "vv*2"),
        ("1↑3*", "1^3*"),
        ("↓²*", "v<2>*"),
        ("↑¹²", "^<12>"),
        ("-1↑[3]", "-1^[3]"),
        ("±(1*)", "+-(1*)"),
        ("{2|0||-1/2|-2}", "{2|0||-1/2|-2}"),
        ("2Tiny(1)", "2Tiny(1)"),
    ],
)
def test_values_have_the_signs_of_the_field(text, ascii_text):
    """Arrows, plus-minus signs, and powers."""
    assert str(read(text)) == str(read(ascii_text)) == text
    assert read(text).ascii == ascii_text


def test_texts_are_read_back():
    """Thousands of random games; equal texts are equal games."""
    values = random_values(1, 3000)
    for value in values:
        assert read(str(value)) == value
        assert read(value.ascii) == value
    assert len({str(value) for value in values}) == len(set(values))
    assert any(value.birthday == 6 for value in values)


def test_texts_do_not_depend_on_what_was_computed_before():
    """The order of options is that of their values, not of their discovery."""
    texts = [str(value) for value in random_values(2, 300)]
    shuffled = Random(2).sample(texts, len(texts))
    assert [str(read(text)) for text in shuffled] == shuffled


def test_texts_are_those_of_the_definitions():
    """An oracle that knows trees of options alone reads the same games."""

    @cache
    def value_of(tree):
        return CombinatorialValue.of_options(
            map(value_of, short_games.left_of(tree)), map(value_of, short_games.right_of(tree))
        )

    texts = [value.ascii for value in random_values(3, 400)]
    texts = [
        text for text in [*texts, *CGSUITE] if len(text) < 40 and not re.search(r"[\[<]|\+-{", text)
    ]
    assert len(texts) > 300
    for text in texts:
        assert value_of(short_games.parse(text)).ascii == text


def test_names_are_those_of_their_definitions():
    """Ups, powers of up, tinies and minies, and their sums with numbers and nimbers."""
    up = CombinatorialValue.of_options([0], [read("*")])
    for n, heap, number in product(range(-4, 5), range(4), (0, -2, 1)):
        value = n * up + read(f"*{heap}") + number
        prefix = "" if number == 0 and (n or heap) else str(number)
        arrow = "" if n == 0 else "^v"[n < 0] * abs(n) if abs(n) < 3 else f"{'^v'[n < 0]}{abs(n)}"
        assert value.ascii == prefix + arrow + ("", "*", "*2", "*3")[heap]
    total = power = up
    for n in range(2, 6):
        power = CombinatorialValue.of_options([0], [read("*") - total])
        total = total + power
        for star in ("", "*"):
            assert (power + read(f"0{star}")).ascii == f"^<{n}>{star}"
            assert (total + read(f"0{star}")).ascii == f"^[{n}]{star}"
            assert (-power + read(f"0{star}")).ascii == f"v<{n}>{star}"
            assert (3 - total + read(f"0{star}")).ascii == f"3v[{n}]{star}"
    for text in ("1", "1/4", "2", "{3|1}", "1*"):
        game = read(text)
        tiny = CombinatorialValue.of_options([0], [CombinatorialValue.of_options([0], [-game])])
        assert tiny == read(f"Tiny({text})")
        assert str(tiny) == f"Tiny({text})"
        assert str(-1 - tiny) == f"-1Miny({text})"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{|}", "0"),
        ("{0|}", "1"),
        (" { 1 , 0 | * } ", "{1|*}"),
        ("⧾₂", "Tiny(2)"),
        ("+₁₂", "Tiny(12)"),
        ("1 −₂", "1Miny(2)"),
        ("2*Tiny(2)", "{0||0,{0|-2}|-2}"),
        ("2Tiny(2)", "2Tiny(2)"),
        ("2*", "2*"),
        ("2*3", "2*3"),
        ("2*↑", "⇑"),
        ("-2*{2|0}", "-2"),
        ("3*±1", "±1"),
        ("-↑", "↓"),
        ("1-↑", "1↓"),
        ("1-1↑", "↓"),
        ("--1", "1"),
        ("2 ± 1", "{3|1}"),
        ("±{2|0}", "0"),
        ("±±1", "0"),
        ("±(1,{2|1})", "±{1,{2|1}}"),
        ("(1)", "1"),
        ("6/4", "3/2"),
        ("↑0", "0"),
        ("↑[1]", "↑"),
        ("↑↑↑", "↑3"),
        ("*0", "0"),
        ("{±1|-1}", "{+-1|-1}"),
    ],
)
def test_other_ways_to_write_a_value(text, wanted):
    """What is read, and how it is written."""
    assert read(text) == read(wanted)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no value"),
        ("   ", "no value"),
        ("{1|0", "'{' does not end"),
        ("1|0", "no sign before '|'"),
        ("{1|0)", "')' ends what did not begin"),
        ("}", "'}' ends what did not begin"),
        ("{1,0}", "braces without '|'"),
        ("{1|2|3}", "'|' twice in one game"),
        ("{1||2|||3||4|||5}", "'|||' twice in one game"),
        ("{1,|0}", "no value"),
        ("{1 2|0}", "no sign before '2'"),
        ("1 +", "no value"),
        ("1/0", "a denominator of zero"),
        ("*1/2", "a heap of 1/2"),
        ("↑1/2", "1/2 ups"),
        ("↑1000000", "1000000 ups, not an integer up to 10000"),
        ("^" * 20_000, "20000 ups, not an integer up to 10000"),
        ("↑<1000>", "1000 as a power"),
        ("1/2*{1|0}", "1/2 copies"),
        ("1,2", "a list of values where one belongs"),
        ("(1,2)", "a list of values where one belongs"),
        ("{(1,2)|0}", "a list of values where one belongs"),
        ("Tiny", "Tiny without its game"),
        ("Tiny(1,2)", "a list of values where one belongs"),
        ("hot", "'h' does not belong in it"),
        ("1.5", "'.' does not belong in it"),
        ("9" * 3000, "too many digits"),
    ],
)
def test_other_texts_are_refused(text, fault):
    """With the text, what is wrong in it, and how values are written."""
    with pytest.raises(CombinatorialValueError) as caught:
        read(text)
    message = str(caught.value)
    assert f"is not the text of a value ({fault}" in message
    assert message.endswith("write it as {1|*}, 3/4, ±1, ↑*2 or Tiny(2), or a sum of those")
    assert len(message) < 300


@pytest.mark.parametrize("text", ["1/3", "999999", "*5000"])
def test_values_that_cannot_be_held_are_refused(text):
    """Their messages are those of numbers and nimbers."""
    with pytest.raises(CombinatorialValueError, match="; give "):
        read(text)


def test_large_and_deep_texts_are_read_and_written():
    """Neither takes recursion, nor do ups and nimbers take the time of other sums."""
    for text in ("↓10000*1022", "*1023", "1000↑", "↑[100]*", "-1↓¹⁰⁰"):
        assert str(read(text)) == text
    assert read("*1023 + *1022 + *511") == read("*510")
    assert read("*1023").confused_with(read("*1022"))
    text = "*"
    for _ in range(2000):
        text = f"{{{text}|-1}}"
    assert read(text).birthday <= 2001
    chain = read("*")
    for n in range(500):
        chain = CombinatorialValue.of_options([chain, 2 * n], [-3 - n])
    assert read(str(chain)) == chain
    assert read("(" * 3000 + "1" + ")" * 3000) == 1
    assert read("+-" * 1000 + "1") == 0


def domineering(row_count, column_count):
    """Return the value of an empty board; Left, who moves first, places dominoes upright."""

    @cache
    def value(free):
        sides = [], []
        for row, column in free:
            for side, other in zip(sides, ((row + 1, column), (row, column + 1)), strict=True):
                if other in free:
                    side.append(value(free - {(row, column), other}))
        return CombinatorialValue.of_options(*sides)

    return value(frozenset(product(range(row_count), range(column_count))))


def test_published_values_of_domineering():
    """As CGSuite and others write them; the file counts rows along Left's dominoes."""
    published = {
        (int(row["rows"]), int(row["cols"])): row["value"]
        for row in rows("domineering_values")
        if row["property"] == "canonical"
    }
    assert domineering(2, 8).ascii == published[2, 8] == "{2Miny(2)|0||-1/2|-2}"
    assert domineering(6, 2) == read(published[6, 2]) == read("+-1 + 2*Tiny(2)")
    assert domineering(4, 4).ascii == "+-{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}}"  # CgscriptTest
    assert read(published[11, 2]).ascii == "{1|||1/2|-1||-3/2|-7/2}"
    assert str(read(published[2, 13])) == "0"
