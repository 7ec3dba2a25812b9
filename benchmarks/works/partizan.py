"""Values of partizan games: solving, certifying, making canonical forms; and another package."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import combinations, product
from random import Random
from typing import Any

from benchmarks.works.common import Answer, Prepared


def _game(name: str, rows: int, columns: int) -> Any:
    """Return Domineering or Clobber on a board."""
    from zermelo import games

    return {"domineering": games.Domineering, "clobber": games.Clobber}[name](rows, columns)


def solve(game: str, rows: int, columns: int) -> Prepared:
    """Find the value of every position; the rules have been read and compiled before."""
    import zermelo

    whole = _game(game, rows, columns)
    zermelo.solve(whole, value="partizan", method="partizan", threads=1)

    def run() -> Any:
        return zermelo.solve(whole, value="partizan", method="partizan", threads=1)

    return run, lambda solution: {"positions": len(solution), "value": solution.value.ascii}


def verify(game: str, rows: int, columns: int) -> Prepared:
    """Check the certificate."""
    import zermelo

    solution = zermelo.solve(_game(game, rows, columns), value="partizan", method="partizan")
    solution.verify()

    def tell(verdict: Any) -> Answer:
        return {"positions": len(solution), "ok": bool(verdict), "moves": verdict.moves}

    return solution.verify, tell


def forms(count: int) -> Prepared:
    """Make canonical forms of up to three random options of each player, which are born by day 3.

    Args:
        count: the pairs of sets of options; about one in five makes a form that is new.
    """
    from zermelo.values.combinatorial.canonical_forms import CanonicalForms

    store, random = CanonicalForms(), Random(1)
    born = [0]
    for _ in range(2):
        sides = [chosen for size in range(3) for chosen in combinations(born, size)]
        born = sorted({store.of_options(*pair) for pair in product(sides, sides)})

    def drawn(least: int, times: int) -> list[tuple[list[int], list[int]]]:
        """Return pairs of sets of the forms born so far."""
        pairs = []
        for _ in range(times):
            left, right = (random.sample(born, random.randint(least, 3)) for _ in range(2))
            pairs.append((left, right))
        return pairs

    born = sorted({store.of_options(*pair) for pair in drawn(0, 20_000)})
    options, before = drawn(1, count), len(store)

    def run() -> int:
        for left, right in options:
            store.of_options(left, right)
        return len(store) - before

    return run, lambda made: {"forms": made}


def has_pycgt() -> bool:
    """Return whether pycgt is installed, a package for combinatorial games in plain Python."""
    return find_spec("pycgt") is not None


def pycgt(game: str, rows: int, columns: int) -> Prepared:
    """Find the value of the start by pycgt."""
    from pycgt import render
    from pycgt.rulesets import clobber, domineering

    def run() -> Any:
        if game == "domineering":
            return domineering.rectangle(rows, columns)
        lines = ["xo" * columns, "ox" * columns]
        return clobber.parse("\n".join(lines[row % 2][:columns] for row in range(rows)))

    return run, lambda value: {"value": render(value)}
