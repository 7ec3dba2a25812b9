"""An analysis in words and in the cells of tables, for the command and for the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.analysis.results import Analysis, Estimate, Play

#: Below this, bounds are not told: they are those of floating-point numbers.
_TOLD = 5e-7
_LONGEST = 48
_LARGE = 100


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash."""
    return "-" if share is None else f"{100 * share:.1f} %"


def number(value: float | None) -> str:
    """Return a number in as many digits as are of use."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:.2f}"


def estimated(estimate: Estimate | None, *, share: bool = True) -> str:
    """Return a number with its bounds, where they tell anything."""
    if estimate is None:
        return "-"
    write = percent if share else number
    if estimate.high - estimate.low <= _TOLD:
        return write(estimate.value)
    low, high = write(estimate.low).removesuffix(" %"), write(estimate.high)
    return f"{write(estimate.value)} ({low} to {high})"


def made(analysis: Analysis) -> str:
    """Return how the game was made, such as ``ConnectFour(width=5, height=4)``."""
    inside = ", ".join(f"{name}={short(value)}" for name, value in analysis.parameters.items())
    return f"{analysis.game}({inside})"


def title(analyses: Sequence[Analysis]) -> str:
    """Return what a page on analyses is called."""
    names = list(dict.fromkeys(analysis.game for analysis in analyses))
    return made(analyses[0]) if len(analyses) == 1 else ", ".join(names)


def short(value: Any) -> str:
    """Return a parameter, cut short if it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def sentence(analysis: Analysis) -> str:
    """Return in a sentence how the game ends under perfect play."""
    value, first = analysis.value, analysis.players[0]
    if value.score is not None:
        if not value.score:
            return "With best play it comes out even."
        return f"With best play {analysis.winner} is ahead by {abs(value.score):,}."
    if analysis.winner is None:
        if value.remoteness is None:
            return "Neither side can force an end: an endless draw."
        return f"With perfect play it is a tie, after {value.remoteness:,} plies."
    who = "who begins, " if analysis.winner == first else "who moves second, "
    plies = "" if value.remoteness is None else f" in {value.remoteness:,} plies"
    return f"{analysis.winner}, {who}wins{plies}."


# -- analyses side by side -------------------------------------------------------------------------


def varying(analyses: Sequence[Analysis]) -> list[str]:
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
        *names,
        "value",
        "positions",
        "moves",
        f"random: {first}",
        "nobody",
        second,
        "plies",
        "one saving",
        "traps",
        "longest",
        "pie rule",
    ]


def row(analysis: Analysis, names: Sequence[str]) -> list[str]:
    """Return the cells of a table of analyses, one row."""
    random, saving, traps = analysis.random, analysis.saving, analysis.traps
    open_ = saving.won + saving.drawn
    mark = "" if random.exact else "~"
    return [
        *(short(analysis.parameters[name]) for name in names),
        str(analysis.value),
        f"{analysis.positions:,}",
        f"{analysis.branching.mean:.2f}",
        mark + percent(None if random.win is None else random.win.value),
        mark + percent(_nobody(random)),
        mark + percent(None if random.loss is None else random.loss.value),
        mark + number(None if random.length is None else random.length.value),
        percent((saving.single_win + saving.single_draw) / open_ if open_ else None),
        f"{traps.moves:,}" if traps is not None else "-",
        f"{analysis.longest.remoteness:,}" if analysis.longest is not None else "-",
        "-" if analysis.pie is None else "fair" if analysis.pie.fair else "not fair",
    ]


def _nobody(play: Play) -> float | None:
    if play.draw is None:
        return None
    return play.draw.value + (play.endless.value if play.endless is not None else 0.0)
