"""An analysis as it is written in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.cli.output import say, write_columns, write_facts

if TYPE_CHECKING:
    from zermelo.analysis import Analysis

#: Openings and traps that are shown; moves of a line.
OPENINGS, TRAPS, MOVES = 8, 3, 24


def write_sweep(analyses: list[Analysis], failures: dict[str, str]) -> None:
    """Write a table of games, and what could not be made or solved."""
    from zermelo.analysis import words

    names = words.varying(analyses)
    rows = [words.row(analysis, names) for analysis in analyses]
    headings = words.columns(analyses, names)
    write_columns(headings, rows, right=headings)
    if any(not analysis.exact for analysis in analyses):
        say("~ sampled")
    for typed, reason in failures.items():
        say(f"{typed}: {reason}")


def write_one(analysis: Analysis) -> None:
    """Write all there is to say of one game."""
    from zermelo.analysis import words

    say(f"{words.made(analysis)}\n{words.sentence(analysis)}\n")
    _write_plays(analysis)
    say("")
    write_facts(_facts(analysis))


def _write_plays(analysis: Analysis) -> None:
    """Write what each way of playing comes to."""
    from zermelo.analysis.words import estimated

    first, second = analysis.players
    headings = ["play", first, "draw", "endless", second, "plies"]
    if analysis.scored:
        headings[3] = "margin"
    rows = []
    for play in analysis.plays:
        fourth = estimated(play.margin, share=False) if analysis.scored else estimated(play.endless)
        length = estimated(play.length, share=False)
        shares = (play.win, play.draw, play.loss)
        win, draw, loss = (estimated(share) for share in shares)
        rows.append([play.name, win, draw, fourth, loss, length])
    write_columns(headings, rows, right=headings[1:])


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    """Return names and texts, one a line."""
    from zermelo.analysis.words import number, percent

    saving, branching = analysis.saving, analysis.branching
    rows = [("", "computed exactly over the whole table")]
    if not analysis.exact:
        much = f"{analysis.samples:,} games and positions, seed {analysis.seed}"
        rows = [("", f"sampled: {much}; with 95 % confidence intervals")]
    rows.append(("positions", f"{analysis.positions:,}"))
    if analysis.classes != analysis.positions:
        rows.append(("  classes", f"{analysis.classes:,}, which is what is counted below"))
    rows.append(("moves", f"{branching.mean:.2f} in a position, {branching.most} at the most"))
    if analysis.scored:
        rows.append(("one best move", _of(saving.single_win, saving.won, "")))
    else:
        rows.append(("one winning move", _of(saving.single_win, saving.won, "won ")))
        rows.append(("one saving move", _of(saving.single_draw, saving.drawn, "drawn ")))
    if analysis.longest is not None:
        longest, names = analysis.longest, analysis.longest.names
        line = " ".join(names[:MOVES]) + (" …" if len(names) > MOVES else "")
        rows.append(("longest win", f"{longest.remoteness:,} plies: {line}"))
    for at, opening in enumerate(analysis.openings[:OPENINGS]):
        worth = number(opening.random) if analysis.scored else percent(opening.random)
        random = "" if opening.random is None else f", {worth} in random play"
        label = "first moves" if not at else ""
        rows.append((label, f"{', '.join(opening.names)}: {opening.value}{random}"))
    more = len(analysis.openings) - OPENINGS
    if more > 0:
        rows.append(("", f"and {more:,} more"))
    if analysis.pie is not None:
        rows.append(("pie rule", analysis.pie.sentence))
    if analysis.traps is not None:
        traps = analysis.traps
        text = (
            f"{traps.moves:,} moves in {traps.positions:,} positions, {traps.tempting:,} tempting"
        )
        rows.append(("traps", text))
        for trap in traps.examples[:TRAPS]:
            looks = (
                f"gives {number(trap.looks)} away" if analysis.scored
                else f"looks like {percent(trap.looks)}"
            )  # fmt: skip
            what = f"ply {trap.ply}, {trap.name} {looks}: {trap.before} becomes {trap.value}"
            rows.append(("", what))
            rows.extend(("", f"  {line}") for line in trap.shown.splitlines())
    return rows


def _of(count: int, total: int, what: str) -> str:
    share = f" ({100 * count / total:.1f} %)" if total else ""
    return f"{count:,} of {total:,} {what}positions with a choice{share}"
