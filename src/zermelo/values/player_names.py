"""How the players' names go into sentences."""

from __future__ import annotations

#: Colours and directions, which stand for a player without an article.
_PLAIN = {
    *("black", "white", "red", "blue", "green", "yellow", "orange", "purple", "grey", "gray"),
    *("left", "right", "north", "south", "east", "west", "horizontal", "vertical"),
}
_ORDINALS = {"first", "second"}
#: Names of several that do not end in an s.
_SEVERAL = {"children", "geese", "men", "mice", "oxen", "people", "women"}


def is_plural(player: str) -> bool:
    """Whether a player's name is that of several, as ``hounds`` is, but ``Alice`` and ``X`` not.

    A name with a capital is somebody's own, such as ``Hans``.
    """
    word = player.rsplit(maxsplit=1)[-1] if player.split() else ""
    return word in _SEVERAL or (word.islower() and word.endswith("s") and not word.endswith("ss"))


def called(player: str) -> str:
    """Return a player's name as a sentence has it: ``the mouse``, ``the first player``, ``White``.

    A name with a capital or a digit, a colour and a direction have no article.
    """
    if player in _ORDINALS:
        return f"the {player} player"
    role = player.islower() and player.replace(" ", "").isalpha() and player not in _PLAIN
    return f"the {player}" if role and not player.startswith(("the ", "a ", "an ")) else player


def wins(player: str) -> str:
    """Return that a player wins: ``the hounds win``, ``X wins``."""
    return f"{called(player)} {'win' if is_plural(player) else 'wins'}"


def capital(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]
