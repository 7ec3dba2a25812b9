"""How the players' names go into sentences."""

from __future__ import annotations

#: Names of several that do not end in an s.
_SEVERAL = {"children", "geese", "men", "mice", "oxen", "people", "women"}


def is_plural(player: str) -> bool:
    """Whether a player's name is that of several, as ``hounds`` is, but ``Alice`` and ``X`` not.

    A name with a capital is somebody's own, such as ``Hans``.
    """
    word = player.rsplit(maxsplit=1)[-1] if player.split() else ""
    return word in _SEVERAL or (word.islower() and word.endswith("s") and not word.endswith("ss"))


def wins(player: str) -> str:
    """Return that a player wins: ``hounds win``, ``X wins``."""
    return f"{player} {'win' if is_plural(player) else 'wins'}"
