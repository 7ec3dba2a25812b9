"""The cards of the gallery: for each game a name, a kind, a sentence and a picture."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.game.contract import Game
from zermelo.game.parameters import as_json
from zermelo.game.titles import instructions_of, name_of
from zermelo.games import zoo
from zermelo.games.aliases import other_names

#: Boards that begin empty, by folder: pictures show them after some moves. The class attribute
#: ``preview`` of a game is the number of moves, if it has one.
_PREVIEWS = {"lines": 5, "connection": 6, "pieces": 4, "territory": 6, "blocking": 3, "graphs": 2}
_TRIES = 8


def cards() -> list[dict[str, Any]]:
    """Return the cards, ordered by kind: the names, title and kind of each game, and a sentence."""
    games = zoo()
    documents = [
        {
            "name": name,
            "title": name_of(games[name]),
            "kind": games.kind(name).rstrip("."),
            "about": (instructions_of(games[name]) or [""])[0],
            "others": [_search_text(other) for other in other_names(name)],
        }
        for name in games
    ]
    return sorted(documents, key=lambda card: (card["kind"], card["title"]))


def _search_text(name: str) -> str:
    """Return another name of a game in the form for searches: LeetCode's numbers with that word."""
    return f"leetcode {name}" if name.isdecimal() else f"{name} {name.replace('-', ' ')}"


def usual_parameters(kind: type[Game]) -> dict[str, Any]:
    """Return the required parameters of a game: those of its first published fact.

    Args:
        kind: the class of the game.

    Returns:
        {} if all have a default; otherwise the parameters, in JSON's types.
    """
    try:
        kind()
    except (TypeError, ZermeloError):
        parameters = kind.facts[0].parameters if kind.facts else {}
        return {name: as_json(value) for name, value in parameters.items()}
    return {}


@cache
def thumbnail(name: str) -> str:
    """Return the picture of a game, as one ``<svg>`` element.

    Raises:
        KeyError: there is no game of this name.
    """
    kind = zoo()[name]
    moves = getattr(kind, "preview", _PREVIEWS.get(kind.__module__.split(".")[2], 0))
    return picture(kind(**usual_parameters(kind)), moves)


def picture(game: Game, moves: int = 0) -> str:
    """Return a picture of a game after some moves, or of its start.

    Args:
        game: the game.
        moves: the number of moves, if the game lasts that long.
    """
    from zermelo.rules.hooks import Rules

    rules = Rules(game)
    for seed in range(_TRIES if moves else 0):
        chance = random.Random(seed)  # noqa: S311  # a picture, not secrets
        position, ply = game.start(), 0
        while ply < moves and rules.terminal(position) is None:
            choice = list(rules.moves(position))
            if not choice:
                break
            position, ply = rules.play(position, chance.choice(choice)), ply + 1
        if ply == moves and rules.terminal(position) is None and rules.moves(position):
            return rules.position_svg(position)
    return rules.position_svg(game.start())
