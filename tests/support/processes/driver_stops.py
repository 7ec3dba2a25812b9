"""Drivers of a cluster that are stopped at any unit of their work."""

from __future__ import annotations

import shutil
from pathlib import Path

from zermelo import limits

#: Has a driver record whatever it can, whenever it can.
ALWAYS = {"checkpoint_seconds": 0, "checkpoint_share": (1e9, 1e9)}


def stop_anywhere(solved, game, path, quick, rng, *, last, workers=9, attempts=30, **shared):
    """Solve a game by drivers that stop and others that resume, until there is the same table.

    Args:
        solved: solves a game into a table, and returns the bytes of the file.
        game: the game.
        path: the table; in the end neither it nor anything unfinished is there.
        quick: the fixture: makes so many workers in this process, which ask what is given whenever
            they begin a unit.
        rng: chooses how many workers there are, and where a driver stops.
        last: a driver stops before so many units are begun.
        workers: there are fewer than that.
        attempts: after so many, a driver is left alone.
        shared: how much of the work is shared; see ``limits.using``.

    Returns:
        The events that the drivers told of.
    """
    events = []
    folder = Path(f"{path}.unfinished")
    alone = solved(game, path)
    path.unlink()
    with limits.using(**shared, **ALWAYS):
        for _ in range(attempts):
            units_left = rng.randrange(1, last)

            def stop(_):
                nonlocal units_left
                units_left -= 1
                if not units_left:
                    raise KeyboardInterrupt
                return False

            try:
                options = {
                    "cluster": quick(rng.randrange(1, workers), stop),
                    "progress": events.append,
                }
                assert solved(game, path, **options) == alone
                break
            except KeyboardInterrupt:
                assert folder.exists() or not path.exists()
        else:
            assert solved(game, path, cluster=quick(1)) == alone
    shutil.rmtree(folder, ignore_errors=True)
    return events
