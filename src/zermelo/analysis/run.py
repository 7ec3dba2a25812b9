"""Working out an analysis from a solved game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from zermelo._engine.column.codes import encode
from zermelo._engine.file.cache_limits import limited_reading
from zermelo._engine.survey.chances import Chances, chances
from zermelo._engine.survey.move_graph import (
    GraphTooLargeError,
    MoveGraph,
    plies_from_start,
)
from zermelo._engine.survey.only_moves import OnlyMoves, only_moves_and_traps
from zermelo._engine.survey.subgame_hashes import hash_subgames
from zermelo.analysis.openings import ScannedTable, openings_of, pie_rule_of
from zermelo.analysis.play_results import exact_play, sampled_play
from zermelo.analysis.results import Analysis, Branching, Forced, Play, Ply, Saving, Trap, Traps
from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo.analysis.survey import Survey
    from zermelo.progress import Reporter
    from zermelo.rules.view import Answering
    from zermelo.values.results import Counts

#: Ways of playing that are analysed unless others are asked for, beside the perfect and the random.
BLUNDERS = (5, 20)
#: Where moves lead in circles, how great the error of a probability may be.
_TOLERANCE = 1e-9
#: Traps that are kept, of which some may be the same by symmetry, and that are shown.
_KEPT, _EXAMPLES = 200, 8
#: Moves of a line.
_LONGEST = 200
_RANDOM = 100
#: Bytes that sampling takes beside the samples.
_SAMPLING = 1 << 20
#: Positions that are counted at once.
_AT_ONCE = 1 << 16

#: The number of a position, that of a move, and what the move looks like, for each of some traps.
_Examples: TypeAlias = list[tuple[int, int, float]]


@dataclass
class AnalysisOptions:
    """What the analysis is to contain.

    Attributes:
        blunders: ways of playing beside the perfect and the random one.
        ledger: what may be taken.
        samples: games to sample where they do not suffice, and positions.
        seed: the seed of what is sampled.
        threads: threads to use.
    """

    blunders: Sequence[int]
    ledger: Ledger
    samples: int
    seed: int
    threads: int

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            ParameterError: blunders are no percentages, or nothing is to be sampled.
        """
        given: Any = self.blunders
        if not isinstance(given, Sequence):
            message = f"blunders={given!r} is not a list of percentages; give one such as (5, 20)"
            raise ParameterError(message)
        for each in self.blunders:
            if isinstance(each, bool) or each not in range(_RANDOM + 1):
                message = f"blunders={each!r} is not a whole number from 0 to 100, a percentage"
                raise ParameterError(message)
        if self.samples < 1:
            message = f"samples={self.samples!r} is not a number of games; use 1 or more"
            raise ParameterError(message)
        if self.seed < 0:
            message = f"seed={self.seed!r} is below 0; use 0 or more"
            raise ParameterError(message)


def run_analysis(
    solution: Answering,
    survey: Survey,
    counts: Counts,
    wanted: AnalysisOptions,
    report: Reporter,
) -> Analysis:
    """Work out an analysis.

    Args:
        solution: the solved game.
        survey: its positions, with their values and moves.
        counts: how many positions it has of each value.
        wanted: what the analysis is to contain.
        report: is told how far it has come.
    """
    with limited_reading(survey.table, wanted.ledger.allowed):
        return _Work(solution, survey, counts, wanted, report).run()


class _Work:
    def __init__(
        self,
        solution: Answering,
        survey: Survey,
        counts: Counts,
        wanted: AnalysisOptions,
        report: Reporter,
    ) -> None:
        self.began = time.perf_counter()
        self.solution, self.counts, self.wanted, self.report = solution, counts, wanted, report
        solution.start  # noqa: B018  # without one there is nothing to play from
        survey.load(report, wanted.ledger)
        self.survey, self.table, self.rules = survey, survey.table, survey.rules
        self.ways = sorted({0, *wanted.blunders, _RANDOM})

    def run(self) -> Analysis:
        """Work out everything from the whole table, or as much as there is memory for."""
        try:
            move_graph = self.survey.moves(self.wanted.ledger, self.wanted.threads, self.report)
        except GraphTooLargeError:
            return self.sampled_analysis()
        plays = [self.play_results(move_graph, way)[0] for way in self.ways[:-1]]
        play, random = self.play_results(move_graph, _RANDOM)
        return self.full_analysis(move_graph, [*plays, play], random)

    def play_results(self, move_graph: MoveGraph, way: int) -> tuple[Play, Chances]:
        """Return the results of a way of playing: from the start, and from everywhere."""
        made = chances(move_graph, way / 100, _TOLERANCE, self.report, self.way_name(way))
        ledger, held = self.wanted.ledger, self.survey.table_bytes
        return exact_play(move_graph, made, way, ledger, held), made

    def way_name(self, way: int) -> str:
        """Return the name of a way of playing for the progress."""
        return {0: "perfect play", _RANDOM: "random play"}.get(way, f"{way} % blunders")

    def full_analysis(self, move_graph: MoveGraph, plays: list[Play], random: Chances) -> Analysis:
        """Return the analysis of a table that was scanned as a whole."""
        with self.report.phase("only-moves and traps"):
            plies = plies_from_start(move_graph)
            counted = only_moves_and_traps(move_graph, random.win, random.loss, plies, _KEPT)
            shapes = hash_subgames(move_graph)
            by_ply = self.counts_by_ply(move_graph, plies)
        with self.report.phase("examples"):
            examples = tuple(
                self.trap(move_graph, plies, *each)
                for each in _distinct_traps(
                    move_graph, self.sort_traps(move_graph, plies, counted), shapes
                )
            )
            traps = Traps(counted.trapped, counted.traps, counted.tempting, examples)
            return self.analysis(
                move_graph, plays, counted, traps, by_ply, random.expected_scores, shapes
            )

    def sampled_analysis(self) -> Analysis:
        """Return an analysis of games and positions chosen at random."""
        wanted, plays = self.wanted, []
        for way in self.ways:
            games = self.survey.random_games(
                way / 100, wanted.samples, wanted.seed, self.report, self.way_name(way)
            )
            plays.append(sampled_play(games, way))
        some = self.survey.sample_moves(wanted.samples, wanted.seed, self.report)
        wanted.ledger.fits(self.survey.table_bytes + _SAMPLING + 2 * some.bytes)
        nothing = np.empty(0)
        unknown = np.full(some.positions, -1, np.int32)
        counted = only_moves_and_traps(some, nothing, nothing, unknown, 1)
        return self.analysis(some, plays, counted, None, (), None, None)

    def analysis(
        self,
        move_graph: MoveGraph,
        plays: list[Play],
        counted: OnlyMoves,
        traps: Traps | None,
        plies: tuple[Ply, ...],
        looks: Any,
        shapes: Any,
    ) -> Analysis:
        """Combine the results."""
        solution, exact = self.solution, traps is not None
        owner = self.rules.owner(solution.start)
        ahead = (
            ScannedTable(partial(self.position_number, move_graph), looks, shapes)
            if exact
            else None
        )
        openings = openings_of(solution, ahead)
        first, second = self.rules.players[owner], self.rules.players[1 - owner]
        return Analysis(
            game=self.rules.name,
            title=self.rules.title,
            parameters=self.rules.parameters,
            players=(first, second),
            kind=solution.kind,
            value=solution.value,
            winner=solution.winner,
            exact=exact,
            positions=self.counts.positions,
            classes=len(solution),
            moves=len(move_graph.edges) if exact else None,
            counts=self.counts,
            plays=tuple(plays),
            branching=_branching(move_graph),
            saving=_saving(counted),
            traps=traps,
            openings=openings,
            pie=pie_rule_of(solution, openings, second),
            longest=self.longest_win(),
            plies=plies,
            samples=None if exact else self.wanted.samples,
            seed=self.wanted.seed,
            seconds=time.perf_counter() - self.began,
        )

    def sort_traps(self, move_graph: MoveGraph, plies: Any, counted: OnlyMoves) -> _Examples:
        """Return traps in an order that does not depend on how positions are numbered."""

        def key(each: tuple[int, int, float]) -> Any:
            number, edge, looks = each
            packed = self.survey.sort_key(move_graph.place(number))
            return (
                int(plies[number]),
                -round(looks, 9),
                packed,
                edge - int(move_graph.first[number]),
            )

        return sorted(counted.examples, key=key)

    def trap(self, move_graph: MoveGraph, plies: Any, number: int, edge: int, looks: float) -> Trap:
        """Return a trap that was found."""
        position = self.position(move_graph.place(number))
        move = self.rules.moves(position)[edge - int(move_graph.first[number])]
        option = next(o for o in self.solution.options(position) if o.move == move)
        before = self.solution[position]
        ply = int(plies[number])
        shown, drawn = self.rules.position_text(position), self.rules.position_svg(position)
        return Trap(position, ply, move, option.name, before, option.value, looks, shown, drawn)

    def position(self, place: int) -> Any:
        """Return the position at a place."""
        return self.survey.position(place)

    def position_number(self, move_graph: MoveGraph, position: Any) -> int:
        """Return the number of a position of the table."""
        return move_graph.number(self.survey.place(position))

    def longest_win(self) -> Forced | None:
        """Return the longest forced win."""
        decided = [
            (remoteness, outcome)
            for outcome, remoteness in self.counts.by_remoteness
            if outcome and remoteness
        ]
        if not decided:
            return None
        remoteness, outcome = max(decided)
        code = encode(int(outcome), remoteness)
        for page in self.table.pages():
            found = self.table.values(page) == code
            if found.any():
                position = self.position(int(page[np.argmax(found)]))
                line = self.solution.line(position, longest=_LONGEST)
                names = tuple(self.rules.move_name(move) for move in line.moves)
                shown, drawn = self.rules.position_text(position), self.rules.position_svg(position)
                return Forced(position, remoteness, names, shown, drawn)
        return None

    def counts_by_ply(self, move_graph: MoveGraph, plies: Any) -> tuple[Ply, ...]:
        """Return the numbers of positions by the ply at which they first arise, and by value."""
        owners, begun = move_graph.owners, move_graph.starts[0]
        counted = np.zeros(3 * (int(plies.max()) + 1), np.int64)
        for begin in range(0, len(plies), _AT_ONCE):
            some = slice(begin, begin + _AT_ONCE)
            here = plies[some].astype(np.int64)
            signs = move_graph.kind.outcomes(move_graph.values[some])
            first = owners[some] == owners[begun] if len(owners) else here % 2 == 0
            signs = np.where(first, signs, -signs)
            arises = here >= 0
            np.add.at(counted, 3 * here[arises] + 1 - signs[arises], 1)
        return tuple(Ply(ply, *row) for ply, row in enumerate(counted.reshape(-1, 3).tolist()))


def _branching(move_graph: MoveGraph) -> Branching:
    counted = np.bincount(move_graph.degrees)
    counted[0] = 0  # the game is over there
    positions = int(counted.sum())
    histogram = {moves: n for moves, n in enumerate(counted.tolist()) if n}
    return Branching(
        mean=len(move_graph.edges) / positions if positions else 0.0,
        most=max(histogram, default=0),
        forced=histogram.get(1, 0),
        histogram=histogram,
    )


def _saving(counted: OnlyMoves) -> Saving:
    won, drawn, _ = counted.open
    shares = [k / m if m else None for k, m in zip(counted.keep, counted.moves, strict=True)]
    return Saving(won, counted.single[0], drawn, counted.single[1], shares[0], shares[1])


def _distinct_traps(move_graph: MoveGraph, examples: _Examples, shapes: Any) -> _Examples:
    """Return the first traps, of those with the same game before them and after only one."""
    found: dict[Any, tuple[int, int, float]] = {}
    for number, edge, looks in examples:
        key: Any = edge
        if shapes is not None:
            key = int(shapes[number]), int(shapes[move_graph.edges[edge]])
        found.setdefault(key, (number, edge, looks))
    return list(found.values())[:_EXAMPLES]
