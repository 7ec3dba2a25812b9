"""Working out an analysis from a solved game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import encode
from zermelo._engine.file.cache_limits import limited_reading
from zermelo._engine.survey.chances import Chances, chances
from zermelo._engine.survey.expected_play import expected_play
from zermelo._engine.survey.move_graph import (
    GraphTooLargeError,
    MoveGraph,
    plies_from_start,
)
from zermelo._engine.survey.only_moves import OnlyMoves, only_moves_and_traps
from zermelo._engine.survey.subgame_hashes import hash_subgames
from zermelo.analysis.luck import luck_of_game, luck_of_play
from zermelo.analysis.notebook import AnalysisReport
from zermelo.analysis.openings import ScannedTable, openings_of, pie_rule_of
from zermelo.analysis.play_results import exact_play, sampled_play
from zermelo.analysis.results import (
    Analysis,
    Branching,
    Forced,
    Luck,
    Play,
    Ply,
    Saving,
    Trap,
    Traps,
)
from zermelo.errors import BudgetError, ParameterError
from zermelo.values.expectations import Expectations

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo.analysis.survey import Survey
    from zermelo.progress import Reporter
    from zermelo.rules.view import Answering
    from zermelo.values.results import Counts

#: The largest error of a probability if moves lead in cycles.
_TOLERANCE = 1e-9
#: The most traps collected, some of which may be equal by symmetry, and the most shown.
_KEPT, _EXAMPLES = 200, 8
#: The most moves of a line.
_LONGEST = 200
_RANDOM = 100
#: Bytes that sampling takes in addition to the samples.
_SAMPLING = 1 << 20
#: About how many bytes a position of a game with chance takes.
_POSITION_BYTES = 100
#: Positions in a batch.
_POSITIONS_PER_BATCH = 1 << 16

#: The ply at which each position first arises, and a hash of the game that follows it.
_Plies: TypeAlias = npt.NDArray[np.int32]
_Shapes: TypeAlias = npt.NDArray[np.uint64]
#: Traps: the number of the position, that of the move, and the apparent value of the move.
_Examples: TypeAlias = list[tuple[int, int, float]]


@dataclass
class AnalysisOptions:
    """The contents of an analysis, and the limits of its work.

    Attributes:
        blunders: ways of playing in addition to perfect and random play, as percentages.
        ledger: the memory that may be allocated.
        samples: the number of games, and of positions, to sample if the moves do not fit.
        seed: the seed of the samples.
        threads: threads to use.
    """

    blunders: Sequence[int]
    ledger: Ledger
    samples: int
    seed: int
    threads: int

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            ParameterError: blunders are not percentages, or a number is out of range.
        """
        blunders: object = self.blunders
        if not isinstance(blunders, Sequence):
            message = (
                f"blunders={blunders!r} is not a list of percentages; give one such as (5, 20)"
            )
            raise ParameterError(message)
        for percentage in self.blunders:
            if isinstance(percentage, bool) or percentage not in range(_RANDOM + 1):
                message = (
                    f"blunders={percentage!r} is not a whole number from 0 to 100, a percentage"
                )
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
    options: AnalysisOptions,
    report: Reporter,
) -> Analysis:
    """Return the analysis of a solved game.

    Args:
        solution: the solved game.
        survey: its positions, with their values and moves.
        counts: the number of its positions of each value.
        options: the contents and limits of the analysis.
        report: receives phases and progress.
    """
    with limited_reading(survey.table, options.ledger.allowed):
        return _Analyser(solution, survey, counts, options, report).run()


class _Analyser:
    """The work of one analysis: the solution, its survey and the options."""

    def __init__(
        self,
        solution: Answering,
        survey: Survey,
        counts: Counts,
        options: AnalysisOptions,
        report: Reporter,
    ) -> None:
        self.start_time = time.perf_counter()
        self.solution, self.counts, self.options, self.report = solution, counts, options, report
        solution.start  # noqa: B018  # raises PositionError without one
        survey.load(report, options.ledger)
        self.survey, self.table, self.rules = survey, survey.table, survey.rules
        self.ways = sorted({0, *options.blunders, _RANDOM})

    def run(self) -> Analysis:
        """Return the full analysis, or a sampled one if the moves do not fit in memory."""
        try:
            move_graph = self.survey.moves(self.options.ledger, self.options.threads, self.report)
        except GraphTooLargeError:
            if isinstance(self.table.kind, Expectations):
                raise self.refusal() from None
            return self.sampled_analysis()
        if isinstance(self.table.kind, Expectations):
            return self.chance_analysis(move_graph)
        plays = [self.play_results(move_graph, way)[0] for way in self.ways[:-1]]
        play, random = self.play_results(move_graph, _RANDOM)
        return self.full_analysis(move_graph, [*plays, play], random)

    def refusal(self) -> BudgetError:
        """Return the error for a game with chance whose moves do not fit in memory."""
        ledger = self.options.ledger
        needed_bytes = self.survey.table_bytes + len(self.table) * _POSITION_BYTES
        work = f"analysing {len(self.table):,} positions of a game with chance"
        return ledger.refusal(max(needed_bytes, ledger.allowed + 1), work)

    def chance_analysis(self, move_graph: MoveGraph) -> Analysis:
        """Return the analysis of a game with chance."""
        plays, lucks = [], []
        ledger, table_bytes = self.options.ledger, self.survey.table_bytes
        expected_scores = np.empty(0)
        for blunders in self.ways:
            way = expected_play(
                move_graph, blunders / 100, _TOLERANCE, self.report, self.way_name(blunders)
            )
            plays.append(exact_play(move_graph, way, blunders, ledger, table_bytes))
            lucks.append(luck_of_play(move_graph, way, plays[-1]))
            expected_scores = way.expected_scores  # in the end those of random play
        with self.report.phase("decisions"):
            luck = luck_of_game(move_graph, lucks)
            saving = Saving(luck.choices, luck.single, 0, 0, None, None)
            shapes = hash_subgames(move_graph)
            return self.analysis(
                move_graph, plays, saving, None, (), expected_scores, shapes, luck=luck
            )

    def play_results(self, move_graph: MoveGraph, blunders: int) -> tuple[Play, Chances]:
        """Return the results of a way of playing: from the start, and from everywhere."""
        position_chances = chances(
            move_graph, blunders / 100, _TOLERANCE, self.report, self.way_name(blunders)
        )
        ledger, table_bytes = self.options.ledger, self.survey.table_bytes
        return exact_play(
            move_graph, position_chances, blunders, ledger, table_bytes
        ), position_chances

    def way_name(self, blunders: int) -> str:
        """Return the name of a way of playing for the progress."""
        return {0: "perfect play", _RANDOM: "random play"}.get(blunders, f"{blunders} % blunders")

    def full_analysis(self, move_graph: MoveGraph, plays: list[Play], random: Chances) -> Analysis:
        """Return the analysis of a table whose moves are all in memory."""
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
                move_graph, plays, _saving(counted), traps, by_ply, random.expected_scores, shapes
            )

    def sampled_analysis(self) -> Analysis:
        """Return an analysis of games and positions chosen at random."""
        options, plays = self.options, []
        for blunders in self.ways:
            games = self.survey.random_games(
                blunders / 100, options.samples, options.seed, self.report, self.way_name(blunders)
            )
            plays.append(sampled_play(games, blunders))
        sample = self.survey.sample_moves(options.samples, options.seed, self.report)
        options.ledger.fits(self.survey.table_bytes + _SAMPLING + 2 * sample.bytes)
        no_chances = np.empty(0)
        no_plies = np.full(sample.positions, -1, np.int32)
        counted = only_moves_and_traps(sample, no_chances, no_chances, no_plies, 1)
        return self.analysis(sample, plays, _saving(counted), None, (), None, None, exact=False)

    def analysis(
        self,
        move_graph: MoveGraph,
        plays: list[Play],
        saving: Saving,
        traps: Traps | None,
        plies: tuple[Ply, ...],
        looks: npt.NDArray[np.float64] | None,
        shapes: _Shapes | None,
        *,
        exact: bool = True,
        luck: Luck | None = None,
    ) -> Analysis:
        """Return the analysis that contains these results."""
        solution, by_chance = self.solution, move_graph.by_chance
        owner = self.rules.owner(solution.start)
        scan = (
            ScannedTable(partial(self.position_number, move_graph), looks, shapes)
            if looks is not None
            else None
        )
        begins_by_chance = luck is not None and bool(by_chance[move_graph.starts[0]])
        openings = () if begins_by_chance else openings_of(solution, scan)
        first, second = self.rules.players[owner], self.rules.players[1 - owner]
        return AnalysisReport(
            game=self.rules.name,
            title=self.rules.title,
            parameters=self.rules.parameters,
            players=(first, second),
            kind=solution.kind,
            value=solution.value,
            winner=solution.winner if luck is None else None,
            exact=exact,
            positions=self.counts.positions,
            classes=len(solution),
            moves=int(_players_moves(move_graph).sum()) if exact else None,
            counts=self.counts,
            plays=tuple(plays),
            branching=_branching(move_graph),
            saving=saving,
            traps=traps,
            openings=openings,
            pie=pie_rule_of(solution, openings, second) if luck is None else None,
            longest=self.longest_win(),
            plies=plies,
            samples=None if exact else self.options.samples,
            seed=self.options.seed,
            seconds=time.perf_counter() - self.start_time,
            luck=luck,
        )

    def sort_traps(self, move_graph: MoveGraph, plies: _Plies, counted: OnlyMoves) -> _Examples:
        """Return traps in an order that does not depend on how positions are numbered."""

        def key(candidate: tuple[int, int, float]) -> Any:
            number, edge, looks = candidate
            packed = self.survey.sort_key(move_graph.place(number))
            return (
                int(plies[number]),
                -round(looks, 9),
                packed,
                edge - int(move_graph.first[number]),
            )

        return sorted(counted.examples, key=key)

    def trap(
        self,
        move_graph: MoveGraph,
        plies: _Plies,
        number: int,
        edge: int,
        looks: float,
    ) -> Trap:
        """Return a trap with its position, names and values."""
        position = self.position(move_graph.place(number))
        move = self.rules.moves(position)[edge - int(move_graph.first[number])]
        option = next(o for o in self.solution.options(position) if o.move == move)
        best_value = self.solution[position]
        ply = int(plies[number])
        text, picture = self.rules.position_text(position), self.rules.position_svg(position)
        return Trap(
            position, ply, move, option.name, best_value, option.value, looks, text, picture
        )

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
            is_longest = self.table.values(page) == code
            if is_longest.any():
                position = self.position(int(page[np.argmax(is_longest)]))
                line = self.solution.line(position, longest=_LONGEST)
                names = tuple(self.rules.move_name(move) for move in line.moves)
                text, picture = (
                    self.rules.position_text(position),
                    self.rules.position_svg(position),
                )
                return Forced(position, remoteness, names, text, picture)
        return None

    def counts_by_ply(self, move_graph: MoveGraph, plies: _Plies) -> tuple[Ply, ...]:
        """Return the numbers of positions by the ply at which they first arise, and by value."""
        owners, first_number = move_graph.owners, move_graph.starts[0]
        counted = np.zeros(3 * (int(plies.max()) + 1), np.int64)
        for start in range(0, len(plies), _POSITIONS_PER_BATCH):
            batch = slice(start, start + _POSITIONS_PER_BATCH)
            batch_plies = plies[batch].astype(np.int64)
            signs = move_graph.kind.outcomes(move_graph.values[batch])
            first = owners[batch] == owners[first_number] if len(owners) else batch_plies % 2 == 0
            signs = np.where(first, signs, -signs)
            arises = batch_plies >= 0
            np.add.at(counted, 3 * batch_plies[arises] + 1 - signs[arises], 1)
        return tuple(Ply(ply, *row) for ply, row in enumerate(counted.reshape(-1, 3).tolist()))


def _branching(move_graph: MoveGraph) -> Branching:
    move_counts = _players_moves(move_graph)
    counted = np.bincount(move_counts)
    counted[0] = 0  # the game is over there
    positions = int(counted.sum())
    histogram = {moves: n for moves, n in enumerate(counted.tolist()) if n}
    return Branching(
        mean=int(move_counts.sum()) / positions if positions else 0.0,
        most=max(histogram, default=0),
        forced=histogram.get(1, 0),
        histogram=histogram,
    )


def _players_moves(move_graph: MoveGraph) -> npt.NDArray[np.int64]:
    """Return the number of moves of each position, 0 where chance decides."""
    if not len(move_graph.by_chance):
        return move_graph.degrees
    return np.where(move_graph.by_chance, 0, move_graph.degrees)


def _saving(counted: OnlyMoves) -> Saving:
    wins, draws, _ = counted.open
    shares = [k / m if m else None for k, m in zip(counted.keep, counted.moves, strict=True)]
    return Saving(wins, counted.single[0], draws, counted.single[1], shares[0], shares[1])


def _distinct_traps(
    move_graph: MoveGraph, examples: _Examples, shapes: _Shapes | None
) -> _Examples:
    """Return the first traps, one for each pair of equal games before and after the move."""
    distinct: dict[Any, tuple[int, int, float]] = {}
    for number, edge, looks in examples:
        key: Any = edge
        if shapes is not None:
            key = int(shapes[number]), int(shapes[move_graph.edges[edge]])
        distinct.setdefault(key, (number, edge, looks))
    return list(distinct.values())[:_EXAMPLES]
