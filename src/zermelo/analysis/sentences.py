"""An analysis in words and in the cells of tables, for the command and for the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from zermelo.values.measure import percent, points
from zermelo.values.outcomes import ExpectedValue
from zermelo.values.player_names import capital, is_plural, player_phrase

if TYPE_CHECKING:
    from zermelo.analysis.results import Analysis, Estimate, Luck, Pie, Play, Trap

#: Bounds closer than this are not shown: they are rounding errors.
_TOLD = 5e-7
_LONGEST = 48


def estimate_text(estimate: Estimate | None, *, share: bool = True) -> str:
    """Return a number with its bounds, if they differ noticeably."""
    if estimate is None:
        return "-"
    write = percent if share else points
    if estimate.high - estimate.low <= _TOLD:
        return write(estimate.value)
    low, high = write(estimate.low).removesuffix(" %"), write(estimate.high)
    return f"{write(estimate.value)} ({low} to {high})"


def game_expression(analysis: Analysis) -> str:
    """Return the expression that creates the game, such as ``ConnectFour(width=5, height=4)``."""
    arguments = ", ".join(
        f"{name}={short_value(value)}" for name, value in analysis.parameters.items()
    )
    return f"{analysis.game}({arguments})"


def title(analyses: Sequence[Analysis]) -> str:
    """Return the title of a page on analyses: a game, or the common words of several titles."""
    titles = [analysis.title for analysis in analyses]
    if len(set(titles)) == 1:
        return titles[0]
    common = _common_words(titles)
    if not common:
        return ", ".join(dict.fromkeys(titles))
    return " and ".join([common, *_parameter_ranges(analyses)]).replace(" and ", ", ", 1)


def _common_words(titles: Sequence[str]) -> str:
    """Return the words that titles begin with, such as ``Connect Four``."""
    pairs = zip(min(titles), max(titles), strict=False)
    common = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if common not in titles:
        mark = ", " if ", " in common else " "
        common = common.rpartition(mark)[0]
    return common.strip(" ,")


def _parameter_ranges(analyses: Sequence[Analysis]) -> list[str]:
    """Return the numbers that are not the same everywhere, such as ``width 3 to 5``."""
    ranges = []
    for name in varying_parameters(analyses):
        values: list[Any] = [analysis.parameters.get(name) for analysis in analyses]
        if all(type(value) is int for value in values):
            ranges.append(f"{parameter_words(name)} {min(values)} to {max(values)}")
    return ranges


def parameter_words(name: str) -> str:
    """Return the name of a parameter in words."""
    return name.replace("_", " ").strip()


def short_value(value: Any) -> str:
    """Return a parameter, abbreviated if it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def analysis_sentence(analysis: Analysis) -> str:
    """Return in a sentence how the game ends under perfect play."""
    value, kind, winner = analysis.value, analysis.kind, analysis.winner
    if isinstance(value, ExpectedValue):
        return f"With perfect play {_expectation_phrase(analysis, value)}."
    if winner is None:
        return f"With perfect play it is {kind.words.draw_phrase(value)}."
    name, ending = player_phrase(winner), kind.words.ending(value, winner)
    if winner in ("first", "second"):
        return f"{capital(ending)}."
    moves = "move" if is_plural(winner) else "moves"
    turn = "first" if winner == analysis.players[0] else "second"
    return capital(f"{name}, who {moves} {turn}, {ending.removeprefix(name).lstrip()}.")


def _expectation_phrase(analysis: Analysis, value: ExpectedValue) -> str:
    """Return what the first player may expect."""
    first = player_phrase(analysis.players[0])
    if value.is_scored:
        verb = "are" if is_plural(analysis.players[0]) else "is"
        return f"{first} {verb} {value.number_text} points ahead on average"
    verb = "win" if is_plural(analysis.players[0]) else "wins"
    shares = (analysis.plays[0].draw, analysis.plays[0].endless)
    draws = sum(each.value for each in shares if each is not None)
    half = ", a draw counting half" if draws > _TOLD else ""
    return f"{first} {verb} with probability {value.number_text}{half}"


# -- one analysis, for the command and for the page ------------------------------------------------


def play_table(analysis: Analysis) -> tuple[list[str], list[list[str]]]:
    """Return the results of each way of playing, as headings and rows."""
    first, second = analysis.players
    columns = {
        "play": [play.name for play in analysis.plays],
        first: [estimate_text(play.win) for play in analysis.plays],
        "draw": [estimate_text(play.draw) for play in analysis.plays],
        "endless": [estimate_text(p.endless) for p in analysis.plays if analysis.kind.endless],
        second: [estimate_text(play.loss) for play in analysis.plays],
        "margin": [estimate_text(play.margin, share=False) for play in analysis.plays],
        "plies": [estimate_text(play.length, share=False) for play in analysis.plays],
    }
    if analysis.luck is not None:
        amount, lucks = amount_text(analysis), analysis.luck.plays
        columns["rolls"] = [points(each.rolls) for each in lucks]
        columns["change a roll"] = [amount(each.swing) for each in lucks]
        columns["lost a move"] = [amount(each.lost) for each in lucks]
    shown_columns = {name: cells for name, cells in columns.items() if set(cells) - {"-"}}
    return list(shown_columns), [list(row) for row in zip(*shown_columns.values(), strict=True)]


def amount_text(analysis: Analysis) -> Callable[[float | None], str]:
    """Return the function that writes probabilities, or points, of a game with chance."""
    return percent if analysis.kind.words.measure.share else points


def position_facts(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the facts of the positions, as names and texts."""
    saving, branching = analysis.saving, analysis.branching
    rows = [("positions", f"{analysis.positions:,}")]
    if analysis.classes != analysis.positions:
        rows.append(("  classes", f"{analysis.classes:,}; the counts below are of these"))
    rows.append(
        ("moves", f"{branching.mean:.2f} per position on average, {branching.most} at most")
    )
    counted = ((saving.single_win, saving.won), (saving.single_draw, saving.drawn))
    for (label, qualifier), (count, total) in zip(
        analysis.kind.words.only_moves, counted, strict=False
    ):
        share = f" ({100 * count / total:.1f} %)" if total else ""
        rows.append((label, f"{count:,} of {total:,} {qualifier}positions with a choice{share}"))
    if analysis.luck is not None:
        rows += _luck_facts(analysis, analysis.luck)
    return rows


def _luck_facts(analysis: Analysis, luck: Luck) -> list[tuple[str, str]]:
    """Return the facts of luck and choice, as names and texts."""
    best, random = luck.plays[0], luck.plays[-1]
    share = f" ({100 * luck.decisions / luck.choices:.1f} %)" if luck.choices else ""
    games = "" if best.decisions is None else f"; {best.decisions:.2f} in a game of perfect play"
    text = f"{luck.decisions:,} of {luck.choices:,} positions with a choice{share}{games}"
    rows = [("choices that matter", text)]
    amount = amount_text(analysis)
    unit = "of a win" if analysis.kind.words.measure.share else "points"
    if best.swing is not None and best.rolls is not None:
        text = f"a roll changes the expectation by {amount(best.swing)} {unit} on average"
        rows.append(("luck", f"{text}, {best.rolls:.2f} rolls in a game of perfect play"))
    if random.lost is not None:
        text = f"a random move gives away {amount(random.lost)} {unit} on average"
        rows.append(("skill", text))
    return rows


def trap_line(analysis: Analysis, example: Trap) -> str:
    """Return a trap and its effect, in a line."""
    measure = analysis.kind.words.measure
    looks = measure.tempts.format(measure.text(example.expected_score))
    return (
        f"ply {example.ply}, {example.name} ({looks}): turns a {example.before} into a "
        f"{example.value}"
    )


def pie_sentence(rule: Pie) -> str:
    """Return in a sentence whether a pie rule would be fair, and why."""
    verdict = "would be fair" if rule.fair else "would not be fair"
    return f"It {verdict} here{rule.sentence.removeprefix('not ').removeprefix('fair')}."


# -- analyses side by side -------------------------------------------------------------------------


def varying_parameters(analyses: Sequence[Analysis]) -> list[str]:
    """Return the parameters that are not the same everywhere; of one analysis, all."""
    if not analyses:
        return []
    names = list(analyses[0].parameters)
    if len(analyses) == 1:
        return names
    first = analyses[0].parameters
    return [n for n in names if any(a.parameters.get(n) != first[n] for a in analyses)]


def columns(analyses: Sequence[Analysis], names: Sequence[str]) -> list[str]:
    """Return the headings of a table of analyses."""
    first, second = analyses[0].players if analyses else ("first", "second")
    return [
        *map(parameter_words, names),
        "value",
        "positions",
        "moves",
        f"random: {first}",
        "draw",
        second,
        "plies",
        "only move",
        "traps",
        "longest",
        "pie rule",
    ]


def sweep_row(analysis: Analysis, names: Sequence[str]) -> list[str]:
    """Return the cells of a table of analyses, one row."""
    random, saving, traps = analysis.random, analysis.saving, analysis.traps
    open_ = saving.won + saving.drawn
    mark = "" if random.exact else "~"
    return [
        *(short_value(analysis.parameters[name]) for name in names),
        str(analysis.value),
        f"{analysis.positions:,}",
        f"{analysis.branching.mean:.2f}",
        mark + percent(None if random.win is None else random.win.value),
        mark + percent(_nobody(random)),
        mark + percent(None if random.loss is None else random.loss.value),
        mark + points(None if random.length is None else random.length.value),
        percent((saving.single_win + saving.single_draw) / open_ if open_ else None),
        f"{traps.moves:,}" if traps is not None else "-",
        f"{analysis.longest.remoteness:,}" if analysis.longest is not None else "-",
        "-" if analysis.pie is None else "fair" if analysis.pie.fair else "not fair",
    ]


def _nobody(play: Play) -> float | None:
    if play.draw is None:
        return None
    return play.draw.value + (play.endless.value if play.endless is not None else 0.0)
