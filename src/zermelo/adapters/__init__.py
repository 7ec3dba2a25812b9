"""Games and players of other libraries: found state by state, solved here, and played there.

``openspiel`` and ``pgx`` make a game of these libraries one that ``zermelo.solve`` takes. ``named``
reads the names that the command line takes, such as ``openspiel:tic_tac_toe``.
``openspiel_policy`` and ``openspiel_bot`` make a solution a perfect player there.
"""

from __future__ import annotations

from zermelo.adapters.from_openspiel import openspiel
from zermelo.adapters.from_pgx import pgx
from zermelo.adapters.imported import ImportedGame, Move
from zermelo.adapters.names import named
from zermelo.adapters.to_openspiel import openspiel_bot, openspiel_policy

__all__ = [
    "ImportedGame",
    "Move",
    "named",
    "openspiel",
    "openspiel_bot",
    "openspiel_policy",
    "pgx",
]
