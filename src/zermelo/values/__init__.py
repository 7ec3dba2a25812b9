"""Values of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.values.outcomes import GAME_READERS, Outcome

if TYPE_CHECKING:
    from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue


def read_game(document: object, outcome: Outcome) -> CombinatorialValue:
    """Return the value of a partizan game from JSON.

    Values of all kinds are read in ``outcomes``, which the values of partizan games import: so this
    function, which is here whenever that module is, imports them in its place.

    Args:
        document: what ``CombinatorialValue.to_json`` has as ``game``.
        outcome: WIN or LOSS.

    Raises:
        CombinatorialValueError: the document names no value.
    """
    from zermelo.values.combinatorial.combinatorial_value import value_of_json

    return value_of_json(document, outcome)


GAME_READERS.append(read_game)
