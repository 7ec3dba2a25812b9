"""Games and players of other libraries: explored state by state, solved here, and played there.

``openspiel``, ``pgx``, ``pettingzoo``, ``gymnasium`` and ``python_chess`` return a game of these
libraries as one that ``zermelo.solve`` takes. ``named`` reads the names that the command line
takes, such as ``openspiel:tic_tac_toe``. ``openspiel_policy``, ``openspiel_bot``,
``pettingzoo_policy`` and ``gymnasium_opponent`` turn a solution into a perfect player there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.public_names import importer

if TYPE_CHECKING:
    from zermelo.adapters.from_gymnasium import gymnasium
    from zermelo.adapters.from_openspiel import openspiel
    from zermelo.adapters.from_pettingzoo import pettingzoo
    from zermelo.adapters.from_pgx import pgx
    from zermelo.adapters.from_python_chess import python_chess
    from zermelo.adapters.imported_game import ImportedGame, Move
    from zermelo.adapters.names import named
    from zermelo.adapters.to_environments import gymnasium_opponent, pettingzoo_policy
    from zermelo.adapters.to_openspiel import openspiel_bot, openspiel_policy

__all__ = [
    "ImportedGame",
    "Move",
    "gymnasium",
    "gymnasium_opponent",
    "named",
    "openspiel",
    "openspiel_bot",
    "openspiel_policy",
    "pettingzoo",
    "pettingzoo_policy",
    "pgx",
    "python_chess",
]

#: The module of each, which is imported when the name is first used.
_MODULE_OF = {
    "ImportedGame": "zermelo.adapters.imported_game",
    "Move": "zermelo.adapters.imported_game",
    "gymnasium": "zermelo.adapters.from_gymnasium",
    "gymnasium_opponent": "zermelo.adapters.to_environments",
    "named": "zermelo.adapters.names",
    "openspiel": "zermelo.adapters.from_openspiel",
    "openspiel_bot": "zermelo.adapters.to_openspiel",
    "openspiel_policy": "zermelo.adapters.to_openspiel",
    "pettingzoo": "zermelo.adapters.from_pettingzoo",
    "pettingzoo_policy": "zermelo.adapters.to_environments",
    "pgx": "zermelo.adapters.from_pgx",
    "python_chess": "zermelo.adapters.from_python_chess",
}

__getattr__ = importer(__name__, _MODULE_OF)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
