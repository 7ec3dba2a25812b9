"""What the gallery shows of each game: a name, a kind, a sentence and a picture."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.game.contract import Game
from zermelo.game.parameters import plain
from zermelo.game.titles import instructions_of, name_of
from zermelo.games import zoo
from zermelo.games.aliases import other_names

#: Boards that begin empty, by folder: pictures show them after some moves. The class attribute
#: ``preview`` of a game is the number of moves, if it has one.
_PREVIEWS = {"lines": 5, "connection": 6, "pieces": 4, "territory": 6, "blocking": 3, "graphs": 2}
_TRIES = 8


def cards() -> list[dict[str, Any]]:
    """Return the cards, kind by kind: the names, title and kind of each game, and a sentence."""
    found = zoo()
    made = [
        {
            "name": name,
            "title": name_of(found[name]),
            "kind": found.kind(name).rstrip("."),
            "about": (instructions_of(found[name]) or [""])[0],
            "others": [_searched(other) for other in other_names(name)],
        }
        for name in found
    ]
    return sorted(made, key=lambda card: (card["kind"], card["title"]))


def _searched(other: str) -> str:
    """Return another name of a game as it is searched for: LeetCode's numbers with that word."""
    return f"leetcode {other}" if other.isdecimal() else f"{other} {other.replace('-', ' ')}"


def usual(kind: type[Game]) -> dict[str, Any]:
    """Return parameters that have to be given: those of the first published fact.

    Args:
        kind: the class of the game.

    Returns:
        None where all have a default; otherwise the parameters, as JSON has them.
    """
    try:
        kind()
    except (TypeError, ZermeloError):
        given = kind.facts[0].parameters if kind.facts else {}
        return {name: plain(value) for name, value in given.items()}
    return {}


@cache
def thumbnail(name: str) -> str:
    """Return the picture of a game, as one ``<svg>`` element.

    Raises:
        KeyError: there is no game of this name.
    """
    kind = zoo()[name]
    moves = getattr(kind, "preview", _PREVIEWS.get(kind.__module__.split(".")[2], 0))
    return picture(kind(**usual(kind)), moves)


def picture(game: Game, moves: int = 0) -> str:
    """Return a picture of a game, some moves after its start, or of the start.

    Args:
        game: the game.
        moves: how many moves are made, if the game goes on for so long.
    """
    from zermelo.rules.hooks import Rules

    rules = Rules(game)
    for seed in range(_TRIES if moves else 0):
        chance = random.Random(seed)  # noqa: S311  # a picture, not secrets
        position, made = game.start(), 0
        while made < moves and rules.terminal(position) is None:
            choice = list(rules.moves(position))
            if not choice:
                break
            position, made = rules.play(position, chance.choice(choice)), made + 1
        if made == moves and rules.terminal(position) is None and rules.moves(position):
            return rules.pictured(position)
    return rules.pictured(game.start())
