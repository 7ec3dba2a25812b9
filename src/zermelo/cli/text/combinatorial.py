"""Values of partizan games as text for a terminal and as JSON, with all that is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.values.outcome_class import OutcomeClass

if TYPE_CHECKING:
    from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue

#: The most characters of a canonical form that is written beside the name of a value.
_LONGEST_FORM = 200


def spelling(value: CombinatorialValue, *, in_ascii: bool) -> str:
    """Return the text of a value, in ASCII if that was requested."""
    return value.ascii if in_ascii else str(value)


def options_text(value: CombinatorialValue, *, in_ascii: bool) -> str:
    """Return the canonical form of a value by its options, ``{1|*}`` for instance."""
    sides = (
        ",".join(spelling(option, in_ascii=in_ascii) for option in options)
        for options in (value.left, value.right)
    )
    return f"{{{'|'.join(sides)}}}"


def outcome_text(value: CombinatorialValue, left: str, right: str) -> str:
    """Return the outcome class of a value, and what that means.

    Args:
        value: the value.
        left: Left in a sentence, such as ``vertical``.
        right: Right in a sentence.
    """
    name = value.outcome_class
    winner = {OutcomeClass.L: left, OutcomeClass.R: right}.get(name)
    meaning = name.text if winner is None else f"{winner} wins, regardless of who begins"
    return f"{name}: {meaning}"


def value_rows(
    value: CombinatorialValue, left: str, right: str, *, in_ascii: bool
) -> Iterator[tuple[str, str]]:
    """Yield the rows of facts on a value.

    Args:
        value: the value.
        left: Left in a sentence.
        right: Right in a sentence.
        in_ascii: whether texts are in ASCII.
    """
    form = options_text(value, in_ascii=in_ascii)
    if form != spelling(value, in_ascii=in_ascii) and len(form) <= _LONGEST_FORM:
        yield "canonical form", form
    yield "outcome class", outcome_text(value, left, right)
    yield "left stop", str(value.left_stop)
    yield "right stop", str(value.right_stop)
    yield "temperature", str(value.temperature)
    yield "mean", str(value.mean)
    weight = value.find_atomic_weight()
    if weight is not None:
        yield "atomic weight", spelling(weight, in_ascii=in_ascii)
    yield "birthday", str(value.birthday)


def value_facts(value: CombinatorialValue) -> dict[str, Any]:
    """Return the facts on a value as a JSON object; numbers as texts, as they may be fractions."""
    weight, graph = value.find_atomic_weight(), value.thermograph
    return {
        **value.to_json(),
        "ascii": value.ascii,
        "left": [str(option) for option in value.left],
        "right": [str(option) for option in value.right],
        "outcome_class": str(value.outcome_class),
        "left_stop": str(value.left_stop),
        "right_stop": str(value.right_stop),
        "temperature": str(value.temperature),
        "mean": str(value.mean),
        "atomic_weight": None if weight is None else str(weight),
        "birthday": value.birthday,
        "thermograph": {
            "left": [[str(number) for number in point] for point in graph.left_points],
            "right": [[str(number) for number in point] for point in graph.right_points],
        },
    }


def hottest_first(values: Sequence[CombinatorialValue]) -> list[int]:
    """Return the places of values, from the highest temperature to the lowest."""
    return sorted(range(len(values)), key=lambda place: -values[place].temperature)
