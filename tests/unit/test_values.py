"""Values: records that nobody changes, however they are made."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from zermelo import DRAW, LOSS, WIN, Outcome, Value
from zermelo.values.outcomes import OUTCOMES
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

VALUES = [
    Value(WIN, 7),
    Value(DRAW),
    Value(DRAW, 0),
    Value(LOSS, score=-3),
    Value(WIN, None, 3),
    Value(LOSS, 0, None, 0),
    Value(DRAW, infinity=(1, 2)),
]


def test_what_is_left_out_is_nothing() -> None:
    """By place or by name, an attribute is what it was given, and None without."""
    given = {"outcome": WIN, "remoteness": 1, "score": 2, "nimber": 3, "infinity": (0, 2)}
    assert [each.name for each in fields(Value)] == list(given)
    made = Value(WIN, 1, 2, 3, (0, 2))
    assert made == Value(**given)
    assert {name: getattr(made, name) for name in given} == given
    assert Value(LOSS) == Value(LOSS, None, None, None, None)
    with pytest.raises(TypeError):
        Value()


def test_values_are_equal_where_all_that_they_hold_is() -> None:
    """They can be keys, and are no tuples."""
    assert len(set(VALUES)) == len(VALUES)
    for value in VALUES:
        assert value == replace(value)
        assert hash(value) == hash(replace(value))
        assert value != (value.outcome, value.remoteness, value.score, value.nimber)
        assert value != replace(value, nimber=9)


def test_a_value_is_told_as_what_makes_it() -> None:
    """``repr`` names every attribute."""
    text = "Value(LOSS, score=-3)"
    assert repr(Value(LOSS, score=-3)) == text


def test_copies_are_the_same_value() -> None:
    """Pickled, copied, or taken apart by a pattern."""
    for value in VALUES:
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  # made here
        assert copy.copy(value) == copy.deepcopy(value) == value
    match Value(WIN, 7):
        case Value(outcome, remoteness):
            assert (outcome, remoteness) == (WIN, 7)


def test_nobody_changes_a_value() -> None:
    """Neither its attributes nor by others of another name."""
    for name in ("outcome", "remoteness", "score", "nimber"):
        with pytest.raises(FrozenInstanceError):
            setattr(VALUES[0], name, None)
        with pytest.raises(FrozenInstanceError):
            delattr(VALUES[0], name)
    with pytest.raises((AttributeError, TypeError)):
        VALUES[0].other = 1


def test_outcomes_have_their_numbers() -> None:
    """Counted from behind for those below zero."""
    assert [OUTCOMES[number] for number in (-1, 0, 1)] == [Outcome(n) for n in (-1, 0, 1)]


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("hounds", "the hounds win"),
        ("geese", "the geese win"),
        ("boss", "the boss wins"),
        ("Hans", "Hans wins"),
        ("X", "X wins"),
        ("first player", "the first player wins"),
        ("first", "the first player wins"),
        ("black", "black wins"),
        ("the other player", "the other player wins"),
        ("player 1", "player 1 wins"),
    ],
)
def test_players_are_worded_in_sentences(player: str, said: str) -> None:
    """Roles have an article and names none; several win in the plural."""
    assert WIN_DRAW_LOSS.words.ending(Value(WIN, 3), player) == f"{said} in 3 plies"
