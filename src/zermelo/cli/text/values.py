"""Values as text for a terminal and as JSON, above all those of games with chance."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import ceil, log10
from typing import TYPE_CHECKING, Any

from zermelo.cli.text.board import loss_of
from zermelo.game.parameters import as_json
from zermelo.values.outcomes import ExpectedValue, Value
from zermelo.values.player_names import is_plural, player_phrase, wins

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.values.results import Counts, Option, Options


def bounds_text(value: ExpectedValue) -> str:
    """Return the bounds of a value, rounded outwards, as a clause; "" if they are equal.

    It begins with a comma.
    """
    lower, upper = value.bounds if value.probability is None else value.probability
    if lower == upper:
        return ""
    unit = Decimal(1).scaleb(-max(0, ceil(-log10(upper - lower))))
    low, high = (
        Decimal(bound).quantize(unit, rounding)
        for bound, rounding in ((lower, ROUND_FLOOR), (upper, ROUND_CEILING))
    )
    sign = "+" if value.is_scored else ""
    return f", between {low:{sign}f} and {high:{sign}f}"


def owned_value_text(value: Value, solution: Solution, position: Any) -> str:
    """Return the value of a position in words, with its player unless it is the same for both."""
    rules = solution.rules
    player = None if rules.alternate else rules.players[rules.owner(position)]
    return solution.kind.words.owned_phrase(value, player)


def precise_value_text(value: Value, solution: Solution, position: Any) -> str:
    """Return the same, with the bounds of an expectation."""
    bounds = bounds_text(value) if isinstance(value, ExpectedValue) else ""
    return owned_value_text(value, solution, position) + bounds


def expectation_sentence(value: ExpectedValue, player: str, counts: Counts) -> str:
    """Return a sentence on the expectation of a player under best play.

    Args:
        value: the value of a position.
        player: the name of the player to move there.
        counts: the number of positions of each value, which show whether there are draws.
    """
    bounds = bounds_text(value)
    if value.is_scored:
        has = "have" if is_plural(player) else "has"
        text = f"{player_phrase(player)} {has} an expected margin of {value.number_text}"
        return f"With perfect play {text}{bounds}."
    text = f"{wins(player)} with probability {value.number_text}"
    note = "; a draw counts half" if (0.0, 0.0) in counts.by_bounds else ""
    return f"With perfect play {text}{bounds}{note}."


def value_document(value: Value) -> dict[str, Any]:
    """Return a value as a JSON object; an expectation with the middle of its bounds."""
    document = value.to_json()
    if isinstance(value, ExpectedValue):
        document["expectation"] = value.expectation
    return document


def option_documents(options: Options) -> list[dict[str, Any]]:
    """Return moves, or results of chance, as JSON objects.

    In a game with chance, a move has what it loses against the best one, at least: of the
    probability of a win, or of the expected margin. With values of partizan games, it has its role
    in the canonical form as ``note``.
    """
    return [
        _option_document(option, options) | ({"note": note} if note else {})
        for option, note in zip(options, options.notes, strict=True)
    ]


def _option_document(option: Option, options: Options) -> dict[str, Any]:
    document = {
        "move": as_json(option.move),
        "name": option.name,
        "position": as_json(option.position),
        "value": value_document(option.value),
    }
    if option.odds is None and isinstance(option.value, ExpectedValue):
        document["loss"] = loss_of(options[0].value, option.value)
    return document
