"""Tables that were saved once and are opened ever since: one of each layout that a small game has.

They are files of the format they were saved in. A new format needs new ones; those of the old one
stay, as they have to be refused with what to do. After that, or after a change of a game's rules::

    python tests/golden/stored.py
"""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import zermelo
import zermelo.graph
from golden.cases import WALLS, csr
from zermelo.games import StoneGame, TakeAway

HERE = Path(__file__).parent


@dataclass(frozen=True)
class StoredTable:
    """What a stored table is of: how it is solved, and the game, if it is one of a class."""

    solve: Callable[[], Any]
    game: Any = None


def _of(game: Any) -> StoredTable:
    return StoredTable(lambda: zermelo.solve(game), game)


STORED = {
    "take-away": _of(TakeAway(stones=40, limit=3)),
    "stones": _of(StoneGame([3, 9, 1, 2, 7, 5])),
    "pursuit": StoredTable(lambda: zermelo.pursuit(evader_graph=WALLS, safe=[0])),
    "graph": StoredTable(lambda: zermelo.graph.solve(**csr(WALLS), outcome=[-1] + [2] * 7)),
}


def stored(name: str, number: int) -> Path:
    """Return where the table of a name in a format is."""
    return HERE / f"{name}-{number}.table.b64"


def format_of(data: bytes) -> int:
    """Return the format of a table: the first line of the file says it."""
    return int(data.split(maxsplit=2)[1])


def main() -> None:
    """Save each in the format of today."""
    with tempfile.TemporaryDirectory() as folder:
        for name, table in STORED.items():
            data = table.solve().save(Path(folder) / f"{name}.table").read_bytes()
            stored(name, format_of(data)).write_bytes(base64.encodebytes(data))


if __name__ == "__main__":
    main()
