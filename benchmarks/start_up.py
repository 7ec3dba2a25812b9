"""What it costs before the first position: importing, compiling, loading what is compiled."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.measure import FailedError, Job, Sample, Session, work
from benchmarks.report import Row, agree

_IMPORT = """
import json, sys, time
wall, cpu = time.perf_counter(), time.process_time()
import {name}
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
heavy = sorted({{"numba", "llvmlite"}} & set(sys.modules))
print(json.dumps({{"cpu": cpu, "wall": wall, "system": 0.0, "answer": heavy}}))
"""
_COMMAND = "from zermelo.cli import main; main(prog_name='zermelo')"


def importing(session: Session) -> Iterator[Row]:
    """Time ``import zermelo`` beside ``import numpy``."""
    jobs = {
        name: Job([sys.executable, "-c", _IMPORT.format(name=name)])
        for name in ("zermelo", "numpy")
    }
    samples = session.race(jobs, 7)
    ours = samples["zermelo"]
    if ours.answer:
        message = f"import zermelo imports {' and '.join(ours.answer)}"
        raise FailedError(message)
    row = Row.of("import", "import zermelo (Numba is not imported)", ours)
    row.beside("import numpy", samples["numpy"].wall / ours.wall)
    row.keep("wall s", ours.wall, 0.15)
    yield row


#: First solves besides that of tic-tac-toe: what a game is given, and the most CPU seconds.
_FIRST = {
    "cat-and-mouse": (("--graph", "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"), 4.0),
    "connect-four": (("--width", "4", "--height", "4"), 5.0),
}


def command(session: Session) -> Iterator[Row]:
    """Time whole ``zermelo solve`` processes, without and with compiled code."""
    argv = [sys.executable, "-c", _COMMAND, "solve", "tic-tac-toe", "--json"]
    keys = ("value", "positions", "counts")
    warm = Job(argv, itself=False, keys=keys, rehearse=argv)
    plain = Job([sys.executable, "-m", "benchmarks.baselines.tic_tac_toe"], itself=False, keys=keys)
    jobs = {"cold": replace(warm, fresh_cache=True, rehearse=()), "plain": plain}
    yield from _command_row("cold-start", session.race(jobs, 3), "cold", 8.0)
    yield from _command_row("warm-start", session.race({"warm": warm, "plain": plain}), "warm", 0.8)
    for game, (given, limit) in _FIRST.items():
        yield _first_row(session, game, given, limit)


def _first_row(session: Session, game: str, given: Sequence[str], limit: float) -> Row:
    """Time the first solve of a game, all of whose code is compiled for it."""
    argv = [sys.executable, "-c", _COMMAND, "solve", game, *given, "--json"]
    cold = Job(argv, itself=False, keys=("positions",), fresh_cache=True)
    ours = session.race({"cold": cold}, 3)["cold"]
    asked = " ".join([game, *given])
    row = Row.of(f"cold-start-{game}", f"zermelo solve {asked}, cold, the whole process", ours)
    row.keep("CPU s", ours.cpu, limit)
    return row


def _command_row(name: str, samples: dict[str, Sample], which: str, limit: float) -> Iterator[Row]:
    ours, plain = samples[which], samples["plain"]
    agree(ours, plain, "positions")
    for key, kept in plain.answer.items():
        if isinstance(kept, dict) and any(ours.answer[key][name] != kept[name] for name in kept):
            message = f"the {key} of tic-tac-toe: ours {ours.answer[key]}, the baseline's {kept}"
            raise FailedError(message)
    row = Row.of(name, f"zermelo solve tic-tac-toe, {which}, the whole process", ours)
    row.beside("a plain program, whole", plain.wall / ours.wall)
    row.keep("wall s", ours.wall, limit)
    yield row


def small_games(session: Session) -> Iterator[Row]:
    """Solve many small games in one process; nothing may be compiled after the first."""
    count = session.pick(2000, 50)
    jobs = {
        "ours": work("pursuit.small_games", count=count),
        "textbook": work("pursuit.small_games_by_textbook", rehearse="no", count=count),
    }
    samples = session.race(jobs, 3)
    ours = samples["ours"]
    agree(ours, samples["textbook"], "games")
    files, after = ours.extra["files"], ours.extra["files after"]
    if after != files:
        message = f"compiled files grew from {files:g} to {after:g}"
        raise FailedError(message)
    row = Row.of(
        "small-games",
        f"{count:,} Cat and Mouse graphs of 10 to 14 nodes",
        ours,
        count,
        unit="games",
    )
    row.without_peak()
    row.note = f"{files:g} compiled files after the first game, {after:g} after the last"
    row.beside("textbook dictionaries", samples["textbook"].cpu / ours.cpu)
    row.keep("games a core-s", count / ours.cpu, 100, at_least=True)
    yield row
