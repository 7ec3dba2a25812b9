"""Games and players of other libraries: boards of python-chess, and chess endings as an engine."""

from __future__ import annotations
