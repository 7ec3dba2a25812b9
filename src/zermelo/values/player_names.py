"""Grammatical forms of the players' names in sentences."""

from __future__ import annotations

#: Colours and directions, which as names of players have no article.
_PLAIN = {
    *("black", "white", "red", "blue", "green", "yellow", "orange", "purple", "grey", "gray"),
    *("left", "right", "north", "south", "east", "west", "horizontal", "vertical"),
}
_ORDINALS = {"first", "second"}
#: Plural names that do not end in an s.
_SEVERAL = {"children", "geese", "men", "mice", "oxen", "people", "women"}


def is_plural(player: str) -> bool:
    """Return whether a player's name is plural, such as ``hounds``, but not ``Alice`` or ``X``.

    A capitalised name is a proper name, such as ``Hans``.
    """
    word = player.rsplit(maxsplit=1)[-1] if player.split() else ""
    return word in _SEVERAL or (word.islower() and word.endswith("s") and not word.endswith("ss"))


def player_phrase(player: str) -> str:
    """Return a player's name in a sentence: ``the mouse``, ``the first player``, ``White``.

    A name with a capital or a digit, a colour and a direction have no article.
    """
    if player in _ORDINALS:
        return f"the {player} player"
    role = player.islower() and player.replace(" ", "").isalpha() and player not in _PLAIN
    return f"the {player}" if role and not player.startswith(("the ", "a ", "an ")) else player


def wins(player: str) -> str:
    """Return a clause that a player wins: ``the hounds win``, ``X wins``."""
    return f"{player_phrase(player)} {'win' if is_plural(player) else 'wins'}"


def capital(sentence: str) -> str:
    """Return a sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]
