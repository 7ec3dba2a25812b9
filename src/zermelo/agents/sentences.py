"""An evaluation in words and in the cells of tables, for the command and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.agents.tally import is_scored
from zermelo.values.expectations import Expectations
from zermelo.values.measure import points

if TYPE_CHECKING:
    from zermelo.agents.results import Evaluation, Measured, Slip
    from zermelo.analysis.results import Estimate

#: A smaller difference is rounding of floating-point numbers.
_ROUNDING = 1e-9
#: The smallest share that differs from 0 in two digits.
_SMALL = 5e-5
#: The number of mistakes that a text shows for each agent.
_MISTAKES = 3

#: The columns that games with chance do not have.
_WITHOUT_CHANCE = {"keeps", "loses", "throws wins", "plies"}

#: The meaning of the numbers, for readers of a report.
NOTE = (
    "“Best” is the share of moves that keep both the value and the distance to the end; “random” "
    "is what random moves in the same positions would have. “Keeps” is the share of moves that "
    "keep the value. “Loses” is the share of moves after which the agent is lost and was not "
    "before; “throws wins” is the share of won positions whose win it throws away. “Regret” is "
    "the value that a move gives away on average, and “plies” how many plies one that keeps the "
    "value wastes."
)


#: The same for games with chance.
CHANCE_NOTE = (
    "“Best” is the share of moves that may be best within the bounds of the values; “random” is "
    "what random moves in the same positions would have. “Regret” is what a move gives away on "
    "average: probability of winning, a draw counting half, or points. Plies include rolls."
)


def share_text(value: float | None) -> str:
    """Return a share in percent; 0 % and 100 % only for exactly that."""
    if value is None:
        return "-"
    if value <= _ROUNDING:
        return "0 %"
    if value >= 1 - _ROUNDING:
        return "100 %"
    if value < _SMALL:
        return "<0.01 %"
    if value > 1 - _SMALL:
        return ">99.99 %"
    return f"{100 * value:.2f} %"


def estimate_text(estimate: Estimate | None, *, of_whole: bool = True) -> str:
    """Return a number as text, with its bounds if it was sampled."""
    if estimate is None:
        return "-"
    write = share_text if of_whole else points
    text = write(estimate.value)
    if estimate.high - estimate.low <= _ROUNDING:
        return text
    low, high = write(estimate.low).removesuffix(" %"), write(estimate.high)
    return f"{text} ({low} to {high})"


def title(evaluations: Sequence[Evaluation]) -> str:
    """Return the title of a page on evaluations."""
    agents = list(dict.fromkeys(evaluation.agent for evaluation in evaluations))
    games = list(dict.fromkeys(evaluation.title for evaluation in evaluations))
    return f"{' and '.join(agents)} on {', '.join(games)}"


def evaluation_sentence(evaluation: Evaluation) -> str:
    """Return a sentence or two on how good an agent is."""
    measured = evaluation.everywhere
    rates = measured.rates
    if rates.perfect is None:
        return f"{evaluation.agent} has nothing to choose: there are no moves."
    if evaluation.is_perfect:
        positions = "every position" if _exact(evaluation) else "every position that was sampled"
        return f"{evaluation.agent} makes a best move in {positions}."
    best = (
        f"{evaluation.agent} makes a best move in {share_text(rates.perfect.value)} of all "
        "positions, and"
    )
    if isinstance(evaluation.kind, Expectations):
        if evaluation.kind.is_scored:
            lost = f"{points(float(rates.regret or 0))} points"
        else:
            lost = f"{share_text(float(rates.regret or 0))} of a win"
        return f"{best} gives away {lost} a move on average."
    sentence = (
        f"{best} keeps the value in "
        f"{share_text(None if rates.keeping is None else rates.keeping.value)}."
    )
    if evaluation.throws_wins:
        throws_in_games = any(map(_has_thrown_wins, evaluation.games))
        place = "in its own games too" if throws_in_games else "though never in its own games"
        return f"{sentence} It throws wins away, {place}."
    if not _exact(evaluation):
        return f"{sentence} It threw no win away in what was sampled."
    return f"{sentence} It never throws a win away."


def _exact(evaluation: Evaluation) -> bool:
    return all(measured.exact for measured in evaluation.measured)


def _has_thrown_wins(measured: Measured) -> bool:
    thrown = measured.rates.throwing
    return thrown is not None and thrown.value > 0


def evaluation_table(evaluations: Sequence[Evaluation]) -> tuple[list[str], list[list[str]]]:
    """Return the things measured as headings and rows, several agents side by side."""
    rows = []
    several = len(evaluations) > 1
    has_chance = is_by_chance(evaluations)
    of_whole = has_chance and not any(is_scored(evaluation.kind) for evaluation in evaluations)
    for row_number in range(max((len(each.measured) for each in evaluations), default=0)):
        for evaluation in evaluations:
            measured = evaluation.measured[row_number]
            rates, result = measured.rates, measured.result
            rows.append([
                measured.name,
                *([evaluation.agent] if several else []),
                f"{measured.asked:,}",
                estimate_text(rates.perfect),
                estimate_text(rates.random),
                *(
                    []
                    if has_chance
                    else map(estimate_text, (rates.keeping, rates.losing, rates.throwing))
                ),
                estimate_text(rates.regret, of_whole=of_whole),
                *([] if has_chance else [estimate_text(rates.plies, of_whole=False)]),
                *(
                    ["-"] * 3
                    if result is None
                    else [estimate_text(each) for each in (result.win, result.draw, result.loss)]
                ),
            ])  # fmt: skip
    headings = ["measured", *(["agent"] if several else []), "asked", "best", "random", "keeps",
                "loses", "throws wins", "regret", "plies", "won", "drawn", "lost"]  # fmt: skip
    if has_chance:
        headings = [each for each in headings if each not in _WITHOUT_CHANCE]
    return headings, rows


def is_by_chance(evaluations: Sequence[Evaluation]) -> bool:
    """Return whether the games have chance, so that moves cost expectation."""
    kinds = [evaluation.kind for evaluation in evaluations]
    return bool(kinds) and all(isinstance(kind, Expectations) for kind in kinds)


def sample_text(evaluations: Sequence[Evaluation]) -> str:
    """Return a text on the samples, or ""."""
    sampled = [measured for e in evaluations for measured in e.measured if not measured.exact]
    if not sampled:
        return ""
    return (
        f"{', '.join(dict.fromkeys(measured.name for measured in sampled))}: sampled, "
        f"{sampled[0].samples:,} each (seed {evaluations[0].seed}), with 95 % confidence intervals"
    )


def mistake_line(mistake: Slip) -> str:
    """Return a mistake in a line."""
    ply = "" if mistake.ply is None else f"ply {mistake.ply}, "
    chance = "" if mistake.chance is None else f", in {share_text(mistake.chance)} of the games"
    names = ", ".join(mistake.best_names)
    return f"{ply}{mistake.name}: {mistake.mistake}{chance}; best: {names}"


def evaluation_text(evaluations: Sequence[Evaluation]) -> str:
    """Return evaluations as text for a terminal: sentences, table and worst moves."""
    headings, rows = evaluation_table(evaluations)
    wide = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    left = 1 + (len(evaluations) > 1)
    lines = [evaluation_sentence(each) for each in evaluations] + [""]
    for row in [headings, *rows]:
        cells = [
            cell.ljust(size) if n < left else cell.rjust(size)
            for n, (cell, size) in enumerate(zip(row, wide, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines += [each for each in (sample_text(evaluations),) if each]
    for evaluation in evaluations:
        lines += mistake_lines(evaluation)
    return "\n".join(lines)


def mistake_lines(evaluation: Evaluation, count: int = _MISTAKES) -> list[str]:
    """Return the worst mistakes of an agent, as lines with the positions."""
    worst = evaluation.everywhere.worst[:count]
    lines = ["", f"worst moves of {evaluation.agent}"] if worst else []
    for slip in worst:
        lines += [mistake_line(slip), *(f"  {line}" for line in slip.text.splitlines())]
    return lines
