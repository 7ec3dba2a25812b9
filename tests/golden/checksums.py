"""Golden values: checksums of whole solutions, which no change of the engine may change.

``golden.json`` has for each case of ``cases.py`` what was solved, how many positions have which
outcome, what the certificate counted, and the checksum of all (position, value) in the order of the
positions: whatever a table looks like in memory or in a file, it is the same. To compare, or after
a change that is meant to change values (say why in the commit)::

    python tests/golden/checksums.py compare
    python tests/golden/checksums.py write
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import zermelo
import zermelo.graph
from golden.cases import CASES, CUT, Case

KNOWN = Path(__file__).with_name("golden.json")
#: Stands for the remoteness of an endless draw.
ENDLESS = -1


def flat(position: Any) -> tuple[int, ...]:
    """Return a position as a row of numbers."""
    if not isinstance(position, tuple):
        return (int(position),)
    return tuple(number for part in position for number in flat(part))


def rows_of(solution: Any) -> np.ndarray:
    """Return a row for each position: its numbers, outcome or score, remoteness."""
    if solution.rules.name == "pursuit":
        arrays = solution.arrays
        return np.concatenate([_turn(arrays, turn) for turn in range(arrays.turns)])
    if solution.rules.name == "graph":
        outcome, remoteness = solution.arrays.outcome, solution.arrays.remoteness
        return np.column_stack([np.arange(len(outcome)), outcome, remoteness])
    return np.array([flat(p) + told(value) for p, value in solution.items()], np.int64)


def rows_at_once(solution: Any) -> np.ndarray:
    """Return the same rows, of a game's solution by the arrays of all its positions."""
    if solution.rules.name in ("pursuit", "graph"):
        return rows_of(solution)
    arrays = solution.arrays
    if arrays.score is not None:
        values = arrays.score, np.full(len(arrays.score), ENDLESS)
    else:
        values = arrays.outcome, arrays.remoteness
    return np.column_stack([arrays.positions, *values]).astype(np.int64)


def _turn(arrays: Any, turn: int) -> np.ndarray:
    sign = np.array([1, -1, 0], np.int8)  # of the evader, of the pursuers, of nobody
    winners, plies = sign[arrays.winner(turn)], arrays.remoteness(turn)
    places = np.indices(winners.shape).reshape(winners.ndim, -1)
    turns = np.full(winners.size, turn)
    return np.column_stack([*places, turns, winners.ravel(), plies.ravel()]).astype(np.int64)


def told(value: Any) -> tuple[int, int]:
    """Return a value as two numbers."""
    if value.score is not None:
        return value.score, ENDLESS
    return int(value.outcome), ENDLESS if value.remoteness is None else value.remoteness


def checksum(rows: np.ndarray) -> str:
    """Return a checksum of rows in ascending order."""
    ordered = rows[np.lexsort(rows.T[::-1])].astype("<i8")
    return hashlib.sha256(repr(ordered.shape).encode() + ordered.tobytes()).hexdigest()[:32]


def measured(case: Case, folder: Path) -> dict[str, Any]:
    """Solve a case in every way it has; return what there is to remember of it."""
    solution = case.solve()
    said, rows = [solution.choice], rows_of(solution)
    found = checksum(rows)
    if case.folded:
        # A folded solution has some positions, and answers for all.
        plain = case.solve(symmetry=False)
        positions = list(plain)
        everywhere = checksum(rows_of(plain))
        assert _asked(solution, positions) == everywhere
        found = everywhere
    # Within a horizon an endless draw may be a win further on.
    certificate = solution.verify() if case.options.get("horizon") is None else None
    assert certificate is None or certificate, certificate.problem
    opened = zermelo.open(solution.save(folder / "saved.table"), case.game)
    assert checksum(rows_at_once(opened)) == checksum(rows)
    assert opened.counts() == solution.counts()
    if certificate:
        again = opened.verify()
        assert again, again.problem
        assert (again.positions, again.moves) == (certificate.positions, certificate.moves)
    opened.close()
    if case.little:
        said += _with_less(case, solution.peak_bytes, checksum(rows), folder)
    lacking = [way for way in case.ways if not any(way in choice for choice in said)]
    assert not lacking, f"no choice says {lacking}: {sorted(set(said))}"
    counts = solution.counts()
    return {
        "options": {key: value for key, value in case.options.items() if _plain(value)},
        "win": counts.win,
        "draw": counts.draw,
        "loss": counts.loss,
        "verified": [certificate.positions, certificate.moves] if certificate else None,
        "checksum": found,
    }


def _asked(solution: Any, positions: list[Any]) -> str:
    return checksum(np.array([flat(p) + told(solution[p]) for p in positions], np.int64))


def _plain(value: Any) -> bool:
    return isinstance(value, bool | int | str)


def _with_less(case: Case, memory: int, right: str, folder: Path) -> list[str]:
    """Solve with less and less memory, at last into a table; return what the choices say."""
    said, before = [], ""
    enough = memory
    while True:
        memory = int(memory * CUT)
        try:
            solution = case.solve(memory=memory)
        except zermelo.BudgetError:
            break
        enough = memory
        way = re.sub(r"[\d.,]+ ?[kM]?", "", solution.choice)
        if way != before:  # else it was done as with more, and is compared below
            before = way
            said.append(solution.choice)
            assert checksum(rows_at_once(solution)) == right, (memory, solution.choice)
    assert said
    into = {"table": folder / "little.table"} if case.game is not None else {}
    solution = case.solve(memory=enough, **into)
    assert checksum(rows_at_once(solution)) == right, (enough, solution.choice)
    return said


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    """Write what is, or compare it with what was."""
    known = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    wanted = sys.argv[2:] or list(CASES)
    bad = 0
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            found = measured(CASES[name], Path(folder))
        same = known.get(name) == found
        bad += not same
        sys.stdout.write(f"{'same   ' if same else 'CHANGED'} {name}\n")
        known[name] = found
    if sys.argv[1] == "write":
        kept = [(name, known[name]) for name in CASES if name in known]
        lines = [f"{_text(name)}: {_text(values)}" for name, values in kept]
        KNOWN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return 0
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
