"""Names of games of other libraries, as the command line and tables write them."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from zermelo.adapters.imported_game import ImportedGame
    from zermelo.progress import Listener

#: The libraries, as they are written before the colon. A module for each has a function of that
#: name, which imports a game.
LIBRARIES = ("gymnasium", "openspiel", "pettingzoo", "pgx", "python-chess")
#: The prefix of the modules of imported games' classes.
IMPORTED = "zermelo.adapters."
#: The libraries whose games read a text for the position to begin in.
_READING = {"openspiel", "python-chess"}

_NAME = re.compile(r"(?P<game>.*?)( from (?P<start>.*?))?(@(?P<opening>[^@]*))?", re.DOTALL)


def named(
    text: str, *, max_positions: int = 5_000_000, progress: Listener | None = None
) -> ImportedGame:
    """Return the game of another library that a text names, with all its positions found.

    Args:
        text: the library, a colon, and the game's name in the library; optionally ``from`` and the
            position to begin in, as the game reads it; and optionally ``@`` with actions that are
            played first: ``openspiel:tic_tac_toe``,
            ``openspiel:connect_four(rows=4,columns=4)@0,1``, ``openspiel:chess from
            8/8/8/8/8/4k3/8/4K2R w - - 0 1``, ``pgx:connect_four@3,3``, ``pettingzoo:tictactoe_v3``,
            ``gymnasium:mymodule:Nim-v0``, ``python-chess:antichess from 8/8/8/8/3k4/8/8/4B3 w - - 0
            1``.
        max_positions: the largest number of positions to find.
        progress: called with an ``Event`` now and then, while positions are found.

    Raises:
        MissingExtraError: the library is not installed.
        ParameterError: there is no such library or game, or the game cannot be solved.
        BudgetError: the game has more positions than ``max_positions``.
    """
    library, colon, description = text.partition(":")
    if not colon or library not in LIBRARIES:
        library_list = ", ".join(LIBRARIES)
        message = (
            f"{text!r} names no game of another library; write one of {library_list}, and :GAME"
        )
        raise ParameterError(message)
    from zermelo.adapters.imported_game import parse_actions

    match = _NAME.fullmatch(description)
    parts = match.groupdict() if match else {}
    options: dict[str, Any] = {
        "max_positions": max_positions,
        "progress": progress,
        "opening": parse_actions(parts["opening"] or "", ParameterError),
    }
    if parts["start"] is not None:
        if library not in _READING:
            message = (
                f"start={parts['start']!r} is not for games of {library}; write actions that are "
                "played first, after @"
            )
            raise ParameterError(message)
        options["start"] = parts["start"]
    name = library.replace("-", "_")
    import_function = getattr(import_module(f"{IMPORTED}from_{name}"), name)
    game: ImportedGame = import_function(parts["game"], **options)
    return game
