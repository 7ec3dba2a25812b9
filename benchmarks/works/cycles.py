"""Games that go round in cycles, by their ordinary rules; one of them declared in five ways."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.works.common import Answer, Prepared, load
from zermelo.games._grids import Sides
from zermelo.games.morris.dao import Dao
from zermelo.games.morris.nine_mens_morris import NineMensMorris


@dataclass(frozen=True)
class PlainDao(Dao):
    """Dao with nothing declared: fields of 64 bits, every position for itself."""

    space = None
    symmetries = None


@dataclass(frozen=True)
class DaoInRanges(Dao):
    """Dao with a range for each field."""

    symmetries = None

    def space(self) -> Any:
        """Return the range of each field."""
        return Sides(range(1 << 16), range(1 << 16), range(2))


@dataclass(frozen=True)
class DaoInSets(Dao):
    """Dao with the two players' sets of cells described: four cells each, none in both."""

    symmetries = None


@dataclass(frozen=True)
class FoldedDao(DaoInRanges):
    """Dao with a range for each field, and its symmetries."""

    symmetries = Dao.symmetries


@dataclass(frozen=True)
class PlainMorris(NineMensMorris):
    """Nine Men's Morris with nothing declared: fields of 64 bits, positions that are reached."""

    space = None
    legal = None
    level = None
    symmetries = None


@dataclass(frozen=True)
class MorrisInSets(PlainMorris):
    """Nine Men's Morris with the two players' sets of points described."""

    space = NineMensMorris.space


WAYS = {
    "plain": PlainDao,
    "ranges": DaoInRanges,
    "sets": DaoInSets,
    "folded": FoldedDao,
    "both": Dao,
}


#: Nine Men's Morris, by what is declared.
MORRIS = {"nothing": PlainMorris, "space": MorrisInSets}


def solve(game: str, parameters: dict[str, Any], symmetry: bool) -> Prepared:  # noqa: FBT001
    """Find outcome and remoteness of every position of a game of the zoo."""
    import zermelo
    from zermelo import games

    kind = games.zoo()[game]
    zermelo.solve(kind(), threads=1, symmetry=symmetry)
    made = kind(**parameters)
    load(made, "dense")
    return lambda: zermelo.solve(made, threads=1, symmetry=symmetry), _told


def declared(way: str) -> Prepared:
    """Solve Dao declared in one of these ways; how large its table is belongs to the answer."""
    import zermelo

    game = WAYS[way]()
    zermelo.solve(game, threads=1)

    def tell(solution: Any) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            size = solution.save(Path(folder) / "dao.table").stat().st_size
        answer = _told(solution)
        answer["extra"] = {"bytes": size, "held": answer.pop("held")}
        return answer

    return lambda: zermelo.solve(game, threads=1), tell


def morris(declared: str) -> Prepared:
    """Find outcome and remoteness of every position of Nine Men's Morris that is reached."""
    import zermelo

    game = MORRIS[declared]()
    zermelo.solve(Dao(), threads=1, symmetry=False)
    zermelo.solve(PlainDao(), threads=1)
    load(game, "dense" if declared == "space" else "retrograde")
    return lambda: zermelo.solve(game, threads=1), _told


def _told(solution: Any) -> Answer:
    counts = solution.counts()
    longest = max(plies for _, plies in counts.by_remoteness if plies is not None)
    tally = {"positions": counts.positions, "win": counts.win, "loss": counts.loss}
    return {**tally, "longest": longest, "held": len(solution)}
