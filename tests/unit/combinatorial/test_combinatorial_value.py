"""Values of partizan games as objects: arithmetic, order, properties, and what keeps them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from fractions import Fraction
from itertools import product

import pytest

import zermelo
from zermelo import LOSS, WIN, CombinatorialValue, CombinatorialValueError, OutcomeClass, Value
from zermelo.values.combinatorial.canonical_forms import CanonicalForms
from zermelo.values.combinatorial.combinatorial_value import form_in, value_of

read = CombinatorialValue.parse
TEXTS = "0 1 -1/2 * *2 ↑ ⇓ ↑* ±1 {2|0} {2|0||-1/2|-2} Tiny(1) 2Miny(2) ±{1,1*} ↑² {1*|-1}".split()  # noqa: SIM905


def test_values_are_added_and_multiplied():
    """Also with integers and fractions, on either side."""
    switch = read("{2|0}")
    assert switch - 1 == read("±1") == -(1 - switch)
    assert switch + Fraction(1, 2) == Fraction(1, 2) + switch == read("{5/2|1/2}")
    assert 2 * switch == switch * 2 == 2
    assert -2 * read("↑") == read("⇓")
    assert +switch == switch
    assert switch - switch == 0
    assert sum([read("*"), read("*2")]) == read("*3")
    for operation in (
        lambda: switch + 1.5,
        lambda: switch * Fraction(1, 2),
        lambda: "1" - switch,
        lambda: switch * switch,
    ):
        with pytest.raises(TypeError):
            operation()


def test_the_order_is_partial():
    """A value may be confused with another, and with a number."""
    up, star = read("↑"), read("*")
    assert up > 0
    assert 0 < up < Fraction(1, 1 << 100) <= 1
    assert star.confused_with(0)
    assert not star > 0
    assert not star <= 0
    assert up.confused_with(star)
    assert not (2 * up).confused_with(star)
    assert 2 * up > star
    assert read("±1") < 2
    assert read("±1").confused_with(1)
    assert up >= read("↑") and up <= up  # noqa: PLR0124, PT018  # both directions
    with pytest.raises(TypeError):
        assert up < "1"
    with pytest.raises(TypeError, match="'1' is not a value; give a CombinatorialValue"):
        up.confused_with("1")
    with pytest.raises(CombinatorialValueError, match="'1/3' is not the value of a short game"):
        assert up < Fraction(1, 3)


def test_equal_values_are_equal_keys():
    """A number's value is the key of the number; outcomes do not count."""
    assert {read("1/2"): "half"}[Fraction(1, 2)] == "half"
    assert {3: "three"}[read("3")] == "three"
    assert len({read(text) for text in TEXTS}) == len(TEXTS)
    value = read("{2|0}")
    assert CombinatorialValue(value.form, LOSS) == value
    assert hash(CombinatorialValue(value.form, LOSS)) == hash(value)
    assert value != "{2|0}"
    assert value != Fraction(1, 3)
    assert value != Value(WIN)


def test_properties_tell_what_a_value_is():
    """In the words of the field."""
    names = [name for name in dir(CombinatorialValue) if name.startswith("is_")]
    names = [name for name in names if name not in {"is_unknown", "is_tie", "is_endless"}]
    for text, wanted in {
        "0": "is_zero is_integer is_number is_nimber is_infinitesimal is_all_small is_numberish",
        "3": "is_integer is_number is_numberish",
        "-3/4": "is_number is_numberish",
        "*2": "is_nimber is_infinitesimal is_all_small is_numberish",
        "↑*3": "is_infinitesimal is_all_small is_numberish",
        "Tiny(1)": "is_infinitesimal is_numberish",
        "1*": "is_numberish",
        "±1": "is_hot is_switch",
        "{3|1/2}": "is_hot is_switch",
        "{2|1||0}": "is_hot",
        "{1|*}": "is_hot",
    }.items():
        assert {name for name in names if getattr(read(text), name)} == set(wanted.split()), text
    assert read("3/4").number == Fraction(3, 4)
    assert read("3/4").nim_heap is None
    assert read("*5").nim_heap == 5
    assert read("*5").number is None
    assert (read("0").number, read("0").nim_heap) == (0, 0)


@pytest.mark.parametrize(
    ("text", "birthday", "stops", "winner"),
    [
        ("0", 0, (0, 0), OutcomeClass.P),
        ("-3/4", 3, (Fraction(-3, 4), Fraction(-3, 4)), OutcomeClass.R),
        ("±1", 2, (1, -1), OutcomeClass.N),
        ("↑", 2, (0, 0), OutcomeClass.L),
        ("{2|0||-1/2|-2}", 4, (0, Fraction(-1, 2)), OutcomeClass.R),
        ("{1|*}", 2, (1, 0), OutcomeClass.L),
    ],
)
def test_values_have_a_birthday_stops_and_a_winner(text, birthday, stops, winner):
    """Left wins, moving first, in classes L and N alone."""
    value = read(text)
    assert value.birthday == birthday
    assert (value.left_stop, value.right_stop) == stops
    assert value.outcome_class is winner
    assert value.outcome is (WIN if winner in "LN" else LOSS)
    assert (-value).outcome is (WIN if winner in "RN" else LOSS)
    assert (value.remoteness, value.score, value.nimber, value.infinity) == (None,) * 4


def test_options_are_those_of_the_canonical_form():
    """And a value is made of any options, numbers among them."""
    value = read("{1|*}")
    assert (value.left, value.right) == ((read("1"),), (read("*"),))
    assert CombinatorialValue.of_options([1, Fraction(1, 2), 0], [read("*"), 3]) == value
    assert CombinatorialValue.of_options([], []) == 0
    assert CombinatorialValue.of_number(Fraction(-5, 8)) == Fraction(-5, 8)
    with pytest.raises(TypeError, match=r"1\.5 is not a value; give"):
        CombinatorialValue.of_options([1.5], [])


@pytest.mark.parametrize("text", TEXTS)
def test_values_are_copied_pickled_and_written(text):
    """The result is the same value, also its outcome; repr is an expression."""
    for value in (read(text), CombinatorialValue(read(text).form, LOSS)):
        document = value.to_json()
        copies = [
            copy.copy(value),
            copy.deepcopy(value),
            pickle.loads(pickle.dumps(value)),  # noqa: S301  # what this test wrote
            Value.from_json(document),
        ]
        for each in copies:
            assert each == value
            assert each.outcome is value.outcome
            assert type(each) is CombinatorialValue
        assert document["game"] == str(value) == text
        assert eval(repr(value), {"CombinatorialValue": CombinatorialValue}) == value  # noqa: S307
        assert text in value._repr_html_()


@pytest.mark.slow
def test_a_game_whose_text_is_too_long_is_kept_all_the_same():
    """A sum of twelve switches has thousands of stops, which its text would list."""
    value = sum((read(f"±{1 << n}") for n in range(12)), read("1/2"))
    assert str(value) == f"game of birthday {value.birthday}"
    with pytest.raises(CombinatorialValueError):
        read(str(value))
    document = value.to_json()
    assert Value.from_json(document) == value
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  # what this test wrote


@pytest.mark.parametrize(
    "game", [[], ["1/3"], ["x"], [[[0], []]], ["0", [[1], []]], ["0", [0, 0]], 7, ["0", [[-2], []]]]
)
def test_documents_of_other_things_are_refused(game):
    """With what is wrong in them."""
    with pytest.raises(CombinatorialValueError, match="give the entry that"):
        Value.from_json({"outcome": "win", "game": game})


def test_values_of_several_collections_are_compared():
    """A solve numbers its own forms; values of two solves are equal if the games are."""
    first, second = CanonicalForms(), CanonicalForms()
    second.number(17)
    a = first.of_options([first.number(1)], [first.nimber(1)])
    b = second.of_options([second.number(1)], [second.nimber(1)])
    assert a != b
    assert value_of(first, a) == value_of(second, b) == read("{1|*}")
    assert value_of(first, a, LOSS).outcome is LOSS
    assert form_in(second, value_of(first, a)) == b
    assert form_in(CanonicalForms(), read("{1|*}")) == 3


def test_the_package_imports_no_values_before_they_are_used():
    """``import zermelo`` stays light, and a value of JSON is read in a fresh process."""
    program = (
        "import sys, zermelo\n"
        "assert 'zermelo.values' not in sys.modules\n"
        "assert str(zermelo.CombinatorialValue.parse('{1|*}')) == '{1|*}'\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    program = (
        "from zermelo import Value\n"
        "print(repr(Value.from_json({'outcome': 'win', 'game': '{1|*}'})))\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert answer.stdout.strip() == b"CombinatorialValue.parse('{1|*}')"


def test_values_are_a_public_name():
    """Beside the other values."""
    assert zermelo.CombinatorialValue is CombinatorialValue
    assert issubclass(CombinatorialValue, Value)
    assert all(a == b or a.form != b.form for a, b in product(map(read, TEXTS), repeat=2))
